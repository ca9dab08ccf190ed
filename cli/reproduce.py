"""``lemmata reproduce``: the papers' trained figures and tables, trained at desk scale and judged by the criteria of the list."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .console import err, out
from .progress import progress, stages

if TYPE_CHECKING:
    import xarray as xr

    from ..experiments.reproduction import Row


def reproduce_command(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            help="Rows such as lizaire26.fig6; if none is given, all that can be trained, or with --redraw all that are stored.",
            show_default=False,
        ),
    ] = None,
    directory: Annotated[Path, typer.Option("--out", help="Directory for the files; an unfinished training there is resumed.")] = Path(
        "train-out"
    ),
    redraw: Annotated[
        bool, typer.Option("--redraw", help="Draw and judge the data that are stored with the project; train nothing.")
    ] = False,
) -> None:
    """Train the papers' figures and tables at desk scale, and judge each by its criteria.

    Writes a picture (SVG) and the data (CSV) of each row. After a kill, the same command resumes with the same numbers.
    """
    from ..experiments import desk
    from ..experiments.judged import judge, reproduced
    from ..figures import table
    from ..figures.kept import file_name, packed
    from ..figures.rows import SCALE, files, kept_row, stored
    from ..theorems.files import require_folder, write_all

    rows = [desk.row_named(name) for name in dict.fromkeys(names or filter(stored if redraw else None, desk.trainable()))]
    for row in rows:
        desk.plan(row)
    require_folder(directory, [f"{row.id}.{suffix}" for row in rows for suffix in ("svg", "csv", f"{SCALE}.json.xz")])
    for row in rows:
        data = kept_row(row.id) if redraw else trained(row, directory / ".rows")
        verdicts = judge(row, data)
        written = {directory / name: content for name, content in files(row, verdicts).items()}
        written[directory / f"{row.id}.csv"] = table(data)
        if not redraw:
            written[directory / file_name(row.id, SCALE)] = packed(data)
        write_all(written)
        for path in written:
            out.print(str(path), soft_wrap=True)
        out.print(f"{row.id}: {'reproduced' if reproduced(verdicts) else 'not reproduced at this scale'}")
        for v in verdicts:
            if v.judged is not None:
                held, j = "yes" if v.judged.holds else "no", v.judged
                out.print(f"- {held}, {j.difference:.3g} ({j.low:.3g} to {j.high:.3g}): {v.sentence.criterion.says}", soft_wrap=True)


def trained(row: Row, folder: Path) -> xr.Dataset:
    """The data of a row, with a progress bar or a line now and then; one thread, which is fastest."""
    from ..experiments import desk
    from ..figures.points import one_thread

    with ExitStack() as stack:
        stack.enter_context(one_thread())
        if err.is_terminal:
            tick = stack.enter_context(progress(row.id, 1))
        else:
            tell = stack.enter_context(stages())
            tick = lambda said, done, total: tell(row.id, done, total)  # noqa: E731
        return desk.compute(row, folder, tick)
