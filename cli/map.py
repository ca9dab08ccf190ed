"""``lemmata map``: which entry judges which sentence of a paper."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from ..papers import maps
from ..papers.maps import MARKS, QUESTIONS, Map
from ..theorems.ledger import require_known
from .console import out, print_json
from .options import Json
from .tables import counted, plain_table


def map_command(
    paper: Annotated[str, typer.Argument(help="Key of a paper.")],
    text: Annotated[
        Path | None,
        typer.Option(
            "--text", exists=True, dir_okay=False, help="The paper's text: shows its sentences, or finds them in another rendering."
        ),
    ] = None,
    only: Annotated[str | None, typer.Option("--only", help="With --text, print the units with this mark, or: unmarked.")] = None,
    marks: Annotated[
        Path | None,
        typer.Option(
            "--marks",
            exists=True,
            dir_okay=False,
            help="For maintainers: read marks from this file, lines of number, mark, ids, note with tabs between, and keep them.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show which sentence of a paper is judged by which entry.

    Each unit, a sentence with its displays, has a mark. The text itself is not kept here, only places and hashes; give it with --text.
    """
    from ..papers import papers

    require_known("paper", [paper], list(papers()))
    words = text.read_text(encoding="utf-8") if text else None
    kept = maps.read(paper)
    if marks is not None:
        kept = with_marks(paper, kept, words, marks)
    if kept is None:
        raise ValueError(f"expected a paper with a map, got {paper}: nobody has mapped its sentences")
    if as_json:
        print_json(facts(kept, words))
        return
    if only is not None:
        print_units(kept, words, only)
        return
    table = plain_table("units")
    table.add_column("mark", justify="left")
    table.add_column("what it means", justify="left")
    for mark, n in kept.counts().items():
        table.add_row(str(n), mark, MARKS.get(mark, "nobody has read it"))
    out.print(table)
    out.print(
        f"{counted(len(kept.rows), 'unit')}, {len(kept.unmarked)} without a mark; {counted(len(kept.places()), 'entry') if len(kept.places()) == 1 else f'{len(kept.places())} entries'} named"
    )
    if paper in maps.second():
        out.print(str(maps.second()[paper]), soft_wrap=True)
    if words is not None:
        out.print(coverage(kept, words))


def coverage(kept: Map, text: str) -> str:
    """A line: is this the text that was mapped, or how much of it is found in this one."""
    if maps.sha256(text) == kept.digest:
        return "this is the text that was mapped"
    return f"another text than the one that was mapped: {kept.found_in(text)} of its {len(kept.rows)} units are found here"


def with_marks(paper: str, kept: Map | None, text: str | None, marks: Path) -> Map:
    """The map with the marks of a file, which is kept; without a map, one is begun from the text.

    Raises ``ValueError`` without a text where none is mapped, for a line that is no mark, and as :meth:`Map.marked`.
    """
    if kept is None:
        if text is None:
            raise ValueError(f"expected --text with the first marks of {paper}, got none")
        kept = maps.blank(paper, text)
    rows = []
    for line in marks.read_text(encoding="utf-8").splitlines():
        number, mark, ids, note, *more = (*line.split("\t"), "", "")[: max(4, len(line.split("\t")))]
        if more or not number.isdecimal():
            raise ValueError(f"expected lines of number, mark, ids, note with tabs between, got {line!r}")
        rows.append((int(number), mark, ids, note))
    kept = kept.marked(rows)
    kept.write()
    return kept


def print_units(kept: Map, text: str | None, only: str) -> None:
    """The units with one mark, in the words of the text, each with its number; before them the question that decides it, if it has one.

    Raises ``ValueError`` for an unknown mark and for another text than the one that was mapped.
    """
    require_known("mark", [only], [*MARKS, "unmarked"])
    if text is None or maps.sha256(text) != kept.digest:
        raise ValueError("expected --text with the text that was mapped, got another one or none: its sentences are not kept here")
    if only in QUESTIONS:
        out.print(f"{only}: {MARKS[only]}. {QUESTIONS[only]}", soft_wrap=True)
        out.print()
    for number, row in enumerate(kept.rows):
        if row.mark == ("" if only == "unmarked" else only):
            head = Text.assemble((str(number), "bold"), f" {' '.join(row.ids)} {row.note}".rstrip())
            out.print(head, soft_wrap=True)
            out.print(Text(text[row.unit.start : row.unit.end]), soft_wrap=True)
            out.print()


def facts(kept: Map, text: str | None) -> dict[str, Any]:
    """A map as plain data; with a text, how many of its units are found there."""
    rows = [
        {"start": r.unit.start, "end": r.unit.end, "hash": r.unit.hash, "mark": r.mark, "ids": list(r.ids), "note": r.note}
        for r in kept.rows
    ]
    found = {} if text is None else {"found": kept.found_in(text)}
    second: dict[str, object] = {"second": asdict(maps.second()[kept.key])} if kept.key in maps.second() else {}
    return {"paper": kept.key, "text": kept.digest, "counts": kept.counts(), "units": rows} | second | found
