"""``lemmata papers``: which papers the claims are about, and what became of their statements."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import typer
from rich.text import Text

from ..papers import Paper, papers
from ..theorems.ledger import VERDICTS, WRONG, ledger, tally
from .blocks import Counts
from .console import out, print_json
from .markdown import inline, markdown
from .options import Json

#: the verdicts that the short table counts; each other one is counted by lemmata list
COUNTED = tuple(v for v in VERDICTS if v not in ("CITED", "OPEN"))


def papers_command(
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print the table of the README.")] = False,
    as_json: Json = False,
) -> None:
    """List the papers: authors, title, what each proves, and what became of its statements.

    The columns count the paper's statements by verdict, and what was found wrong beside them.
    """
    if as_json:
        print_json([facts(paper) for paper in papers().values()])
    elif as_markdown:
        print(markdown([table_of_papers()]), end="")
    else:
        for paper in papers().values():
            out.print(Text.assemble((paper.key, "bold"), f"  {paper.people} ({paper.year}): {paper.title}"), soft_wrap=True)
            out.print(f"  {paper.link}", soft_wrap=True)
            out.print(f"  {paper.about}", soft_wrap=True)
            out.print("  " + ", ".join(f"{n} {name}" for name, n in standing(paper).items()), soft_wrap=True)
            out.print()
        out.print("what is wrong in one of them, with numbers: lemmata errata PAPER")


def standing(paper: Paper) -> dict[str, int]:
    """How many statements of a paper have each verdict of ``COUNTED``, and how many findings there are; zeros without claims."""
    row = tally(e for e in ledger().values() if e.paper == paper.key and e.kind != "new").get(paper.key, {})
    return {v: row.get(v, 0) for v in COUNTED} | {"findings": sum(row.get(flaw, 0) for flaw in WRONG)}


def table_of_papers() -> Counts:
    """The README's table of papers: key, title with link, authors, and :func:`standing`."""
    rows = [
        [f"`{p.key}`: [{inline(p.short or p.title)}]({p.link}) ({inline(p.people)}, {p.year})", *map(str, standing(p).values())]
        for p in papers().values()
    ]
    return Counts(["paper", *COUNTED, "findings"], rows)


def facts(paper: Paper) -> dict[str, Any]:
    """A paper as plain data."""
    return {
        "key": paper.key,
        "title": paper.title,
        "authors": [{"given": given, "family": family} for given, family in paper.authors],
        "year": paper.year,
        "link": paper.link,
        "about": paper.about,
        "statements": list(paper.statements),
        "read": asdict(paper.read) if paper.read else None,
        "standing": standing(paper),
    }
