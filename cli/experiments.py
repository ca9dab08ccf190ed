"""The table of experiments in docs/reference/experiments.md, written from their declarations."""

from __future__ import annotations

import os
from pathlib import Path

from ..experiments import registered
from ..figures.kept import FOLDER
from ..theorems.files import write_whole
from .markdown import inline
from .where import ROOT

PAGE = ROOT / "docs" / "reference" / "experiments.md"

#: what is between these lines is written
BEGIN, END = "<!-- written by lemmata pin from the declarations -->\n", "<!-- end -->\n"

HEAD = "| `lemmata train` | what it shows | of the paper | data kept |\n|---|---|---|---|\n"


def table_of_experiments() -> str:
    """A row for each experiment: its name, what it shows, its place in the paper, and the scales whose data are kept."""
    rows = []
    for r in registered().values():
        scales = [scale for scale in ("desk", "paper") if (FOLDER / f"{r.name}.{scale}.json.xz").is_file()]
        place = "new" if r.name.startswith("new.") else r.place
        rows.append([f"`{r.name}`", inline(r.finding), place, ", ".join(scales) or "none"])
    return HEAD + "".join(f"| {' | '.join(row)} |\n" for row in rows)


def with_table(text: str) -> str:
    """The page with the table as it should be. Raises ``ValueError`` for a page without a place for it."""
    head, begin, rest = text.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"expected the lines {BEGIN.strip()} and {END.strip()}, got a page without")
    return f"{head}{begin}\n{table_of_experiments()}\n{end}{tail}"


def write_experiments(target: Path = PAGE) -> list[Path]:
    """Write the table anew; the file, if it changed. Nothing where there is no such file, as in an installed package."""
    if not target.is_file():
        return []
    before = target.read_text(encoding="utf-8")
    if with_table(before) == before:
        return []
    write_whole(target, with_table(before))
    return [Path(os.path.relpath(target))]
