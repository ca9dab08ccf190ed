"""``lemmata list``: the ledger at a glance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Annotated, Any

import typer
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ..theorems.ledger import FLAWS, PAPERS, VERDICTS, Entry, findings_of, repairs_of, tally
from .console import STYLE, out, print_json
from .documents import table_of_verdicts
from .markdown import markdown
from .numbered import counts_of_numbered, numbered_data
from .options import Json, Papers, Topics
from .order import arranged
from .tables import blocks, counted


def list_command(
    paper: Papers = None,
    topic: Topics = None,
    flaw: Annotated[
        list[str] | None,
        typer.Option("--flaw", help="Only what is wrong in this way: false, gap, overstatement, misprint or remark; may be repeated."),
    ] = None,
    verdict: Annotated[list[str] | None, typer.Option("--verdict", help="Only this verdict, such as PROVED; may be repeated.")] = None,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print the table of counts alone, in Markdown.")] = False,
    numbered: Annotated[
        bool, typer.Option("--numbered", help="Count the papers' numbered statements, and those that the kernel has whole.")
    ] = False,
    as_json: Json = False,
) -> None:
    """List the claims and what became of them, paper by paper.

    Statements with the most serious flaws come first. Findings and repairs stand below their statement. New claims and the counts come last.
    """
    from ..api.claims import claims

    if numbered:
        print_json(numbered_data()) if as_json else out.print(*counts_of_numbered(), sep="\n")
        return
    chosen = claims(paper=paper, topic=topic, flaw=flaw, verdict=verdict)
    if as_markdown:
        print(markdown([table_of_verdicts(list(chosen))]), end="")
    elif as_json:
        print_json(chosen.data)
    else:
        chosen.print()


def listing(chosen: list[Entry]) -> Iterator[RenderableType]:
    """What is printed of claims: for each paper its claims as an author reads them, then the counts."""
    for name, rows in arranged(chosen).items():
        yield Text.assemble((name, "bold underline"), f"  {PAPERS[name]}" if name != "new" else "  what nobody has, as far as we know")
        table = blocks(_row(depth, e) for depth, e in rows)
        table.no_wrap, table.overflow = True, "ignore"
        yield table
        yield Text()
    yield counts(chosen)
    yield Text(f"\n{counted(len(chosen), 'claim')}; why: lemmata show ID; numbers to check by hand: lemmata witness ID")


def card(e: Entry) -> dict[str, Any]:
    """An entry as plain data, without its evidence (``show`` and ``witness`` have it), and what hangs on it."""
    facts = {k: v for k, v in asdict(e).items() if k not in ("given", "theorems", "words_digest", "statement_digest")}
    facts |= {name: getattr(e, name) for name in ("paper", "kind", "source", "fault", "formal")}
    return facts | {"findings": [f.id for f in findings_of(e.id)], "repairs": [r.id for r in repairs_of(e.id)]}


def _row(depth: int, e: Entry) -> tuple[Text, list[Text]]:
    what = e.flaw if e.kind == "finding" else e.verdict
    mark = Text("  " * depth).append(str(what), STYLE[e.verdict])
    relation = (
        f"repairs {e.amends}" if e.amends else f"same slip as {e.root}" if e.root else f"of {e.of}" if e.of and depth == 0 else e.place
    )
    # the relation goes to the next line where it does not fit beside the id
    first = Text.assemble((e.id, "bold"), ("  " if len(e.id) + len(relation) < 62 else "\n", ""), (relation, "dim"))
    return mark, [first, Text(e.title)]


def counts(chosen: list[Entry]) -> Table:
    """How many of each, a paper to a column: so it fits 80 columns."""
    rows = tally(chosen)
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 1, 0, 0))
    table.add_column("", no_wrap=True)
    for paper in rows:
        table.add_column(paper, justify="right", no_wrap=True)
    for name in (*VERDICTS, *FLAWS, "amended"):
        table.add_row(name, *(str(row[name] or "-") for row in rows.values()))
    return table
