"""``lemmata atlas``: the ledger as a static site."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .console import out
from .progress import progress
from .release import gather_all


def atlas_command(
    directory: Annotated[Path, typer.Option("--out", help="A new or empty folder.", show_default=False)],
    figures: Annotated[
        Path | None,
        typer.Option(
            help="A folder that lemmata figures --out has written: its figures go onto the pages they belong to.", show_default=False
        ),
    ] = None,
    pyodide: Annotated[
        Path | None, typer.Option("--pyodide", help="The unpacked npm package pyodide: certificates are re-checked in the browser.")
    ] = None,
    certificates: Annotated[Path | None, typer.Option("--certificates", help="A folder that verify --certificates wrote.")] = None,
) -> None:
    """Write the site: claims, papers, models, and a search.

    Open index.html with a browser: no server is needed, and nothing is loaded from elsewhere. Only the re-check (--pyodide) needs a server: python -m http.server. Needs the extra atlas.
    """
    from ..atlas.site.build import build, number_of_files
    from ..theorems.files import require_folder

    require_folder(directory)
    gather_all()
    with progress("writing", number_of_files(figures)) as advance:
        count = build(directory, advance, figures, pyodide=pyodide, certificates=certificates)
    out.print(f"{count} files; open {directory / 'index.html'}", soft_wrap=True)
