"""``lemmata list --numbered``: the numbered statements of the papers, and which of them the kernel of Rocq has whole."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from ..theorems.ledger import PAPERS, Entry, entries, ledger, repairs_of
from .letters import named, stated
from .tables import blocks, counted, plain_table


def numbered_statements() -> dict[str, dict[str, list[Entry]]]:
    """By paper: theorems, propositions, corollaries and lemmas, remarks left out, each with the entries that it falls into."""
    table = {}
    for paper in PAPERS:
        groups = named([e for e in entries() if e.paper == paper and stated(e)])
        table[paper] = {name: _parts(group) for name, group in groups.items() if "Remark" not in name and "Definition" not in name}
    return {paper: groups for paper, groups in table.items() if groups}


def by_the_kernel(parts: list[Entry]) -> bool:
    """The kernel has each part, as it is said or as it is repaired."""
    return all(any(e.how == "formal" for e in _versions(part)) for part in parts)


def numbered_data() -> dict[str, dict[str, dict[str, object]]]:
    """The same as plain data."""
    return {
        paper: {name: {"kernel": by_the_kernel(parts), "claims": [e.id for e in parts]} for name, parts in groups.items()}
        for paper, groups in numbered_statements().items()
    }


def counts_of_numbered() -> Iterator[RenderableType]:
    """What is printed: by paper how many the kernel has, then those that it has not, with their verdicts."""
    table, found = plain_table("", "numbered", "by the kernel"), numbered_statements()
    for paper, groups in found.items():
        table.add_row(paper, str(len(groups)), str(sum(map(by_the_kernel, groups.values()))))
    every = [parts for groups in found.values() for parts in groups.values()]
    table.add_row("together", str(len(every)), str(sum(map(by_the_kernel, every))))
    yield table
    yield Text()
    missing = [(paper, name, parts) for paper, groups in found.items() for name, parts in groups.items() if not by_the_kernel(parts)]
    yield blocks((Text(paper), [Text(f"{name}: {_standing(parts)}")]) for paper, name, parts in missing)
    yield Text(f"\n{counted(sum(e.how == 'formal' for e in entries()), 'claim')} whole by the kernel, in all")


def _parts(group: list[Entry]) -> list[Entry]:
    """The entries of a numbered statement that are no details of another one."""
    return [e for e in group if not any(e.id.startswith(f"{other.id}.") for other in group)]


def _versions(part: Entry) -> list[Entry]:
    """A statement, its repairs, and its amended form where that repairs a finding about it."""
    amended = ledger().get(f"{part.id}.amended")
    return [part, *repairs_of(part.id), *([amended] if amended else [])]


def _standing(parts: list[Entry]) -> str:
    lacking = {e.id: e.verdict for part in parts if not by_the_kernel([part]) for e in _versions(part)}
    return ", ".join(f"{id} {verdict}" for id, verdict in lacking.items())
