"""``lemmata witness``: the numbers behind a claim."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ..theorems.ledger import Entry
from .console import note_folded, out, print_json
from .options import Id, Json
from .tables import evidence, number_lines


def witness_command(id: Id, as_json: Json = False) -> None:
    """Print the numbers of one claim, to check by hand.

    The counterexample of a refuted claim; telling instances of another, or, where none are kept, what was checked.
    """
    from ..api.witness import witness

    note_folded([id])
    found = witness(id)
    if as_json:
        print_json(found.data)
    else:
        found.print()


def exhibited(e: Entry) -> Iterator[RenderableType]:
    """The counterexamples, else the exhibits, else the evidence and a line that says that there is nothing more."""
    for k in e.counterexamples:
        yield from counterexample(k)
    for x in e.exhibits:
        yield Text(str(x["what"]), "bold")
        yield from _numbers(x["given"])
    if not e.counterexamples and not e.exhibits:
        yield Text("no instance is kept of this claim; what was checked:\n")
        yield evidence(e.steps)
        yield Text()


def counterexample(k: dict) -> Iterator[RenderableType]:
    """What is given, which hypotheses that satisfies, and what it violates."""
    yield Text(f"a counterexample ({k['minimal']})" if k["minimal"] else "a counterexample", "bold")
    yield from _numbers(k["given"])
    table = Table.grid(padding=(0, 1, 0, 0))
    for word, style, facts in (("given", "green", k["hypotheses"]), ("but", "magenta", k["violates"])):
        for text, true in facts.items():
            table.add_row(Text(f"  {word:5} {'✓' if true else '✗'}", style if true else "red"), Text(text))
    yield table
    yield Text()


def _numbers(given: dict) -> Iterator[RenderableType]:
    for line in number_lines(given, out.width - 2):
        yield Text(f"  {line}", overflow="fold")
    yield Text()
