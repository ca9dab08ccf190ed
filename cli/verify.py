"""``lemmata verify``: run checks and compare them with the ledger."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from ..formal import seal
from ..theorems.ledger import FLAWS
from .console import STYLE, err, note_folded, out, print_json, verdict
from .interrupts import Terminated, again
from .options import Effort, Ids, Json, Papers, Topics
from .progress import progress
from .tables import blocks, counted
from .threads import one_thread

if TYPE_CHECKING:
    from ..theorems.records import Record


def verify_command(
    ids: Ids = None,
    paper: Papers = None,
    topic: Topics = None,
    effort: Annotated[Effort, typer.Option(help="Number and size of the instances.")] = Effort.standard,
    jobs: Annotated[int, typer.Option(min=1, help="Number of processes.")] = 1,
    sabotage: Annotated[bool, typer.Option("--sabotage", help="Also break every claim on purpose and see that it is noticed.")] = False,
    certificates: Annotated[Path | None, typer.Option(help="Write certificates into this directory (at standard effort).")] = None,
    as_json: Json = False,
) -> None:
    """Check claims and compare them with the ledger.

    Exit code 0 only if every verdict, kind of evidence and (at standard effort) scope is the pinned one.
    With --json: {"header": versions, processor and seed, "records": one for each claim}.
    """
    one_thread()
    from ..api.verify import Verified, verify
    from ..theorems import claims
    from ..theorems.provenance import header

    note_folded(ids or [])
    order = [c.id for c in claims(ids, paper, topic)]
    done: list[Record] = []
    stopped = 0
    with progress("verifying", len(order)) as advance:

        def keep(one: Record) -> None:
            # what was computed after an interrupt that got lost is worth nothing
            again()
            done.append(one)
            advance(one.id)

        try:
            verify(order, effort=effort.value, jobs=jobs, sabotage=sabotage, certificates=certificates, on_record=keep)
        except KeyboardInterrupt:
            stopped = 130
        except Terminated:
            stopped = 143
    found = Verified(tuple(sorted(done, key=lambda r: order.index(r.id))), sabotage)
    if as_json:
        print_json({"header": header(effort.value, sabotage), "records": found.data})
    else:
        for line in complaints(found):
            err.print(line, soft_wrap=True)
        for part in table(found, sabotage):
            out.print(part, soft_wrap=True)
        if certificates is not None:
            count = sum(len(r.certificates) for r in found)
            out.print(f"{counted(count, 'certificate')} in {certificates}; check them with: lemmata recheck {certificates}", soft_wrap=True)
    if stopped:
        how = "interrupted" if stopped == 130 else "terminated"
        print(f"{how}: {len(found)} of {len(order)} claims were decided", file=sys.stderr, flush=True)
        sys.stdout.flush()
        # leave at once: CPython's own clean-up of a stopped process pool can fail noisily at exit
        os._exit(stopped)
    raise typer.Exit(0 if found.as_expected else 1)


def table(records: Sequence[Record], sabotage: bool) -> Iterator[Text]:
    """The table of records, what was and what could not be compared, and a summary line."""
    rows = blocks((_mark(r), _lines(r, sabotage)) for r in records)
    rows.no_wrap, rows.overflow = True, "ignore"
    yield rows
    if count := sum(step["count"] for r in records for step in r.compared):
        yield Text(f"{count} comparisons of implementations with exact references", "dim")
    for package, ids in _not_compared(records).items():
        yield Text(f"not compared: {package} ({', '.join(ids)})", "dim")
    yield Text(f"\n{summary(records)}", no_wrap=True)


def complaints(records: Sequence[Record]) -> Iterator[Text]:
    """The reasons for whatever was not expected."""
    for r in records:
        if not r.as_expected:
            yield Text(f"{r.id}: " + "; ".join(_why(r)), "red", no_wrap=True)


def _not_compared(records: Sequence[Record]) -> dict[str, list[str]]:
    """What is missing ("needs torch") -> the claims beside which an implementation was therefore not compared."""
    found: dict[str, list[str]] = {}
    for r in records:
        for package in r.not_compared:
            found.setdefault(package, []).append(r.id)
    return found


def _mark(r: Record) -> Text:
    """The verdict and, below it, the class of what is wrong."""
    if r.verdict == r.expected:
        return Text.assemble(verdict(r.verdict), f"\n{r.fault}" if r.fault else "")
    return Text(f"{r.verdict}, not\n{r.expected}", "bold red")


def _lines(r: Record, sabotage: bool) -> list[Text]:
    time = Text(f"  {r.seconds:.2f} s", "dim")
    lines = [Text.assemble((r.id, "bold"), time), Text(r.title), Text("; ".join(filter(None, (r.how, _axioms(r), r.scope))), "dim")]
    if sabotage:
        caught = sum(bool(x) for x in r.sabotages.values())
        lines.append(Text(f"sabotages: {caught}/{len(r.sabotages)} caught", "dim" if caught == len(r.sabotages) else "bold red"))
    return lines


def _axioms(r: Record) -> str:
    """The axioms that the kernel's theorems rest on."""
    found = seal.axioms_of(proof["theorem"] for proof in r.formal)
    return f"axioms: {', '.join(found)}" if found else ""


def _why(r: Record) -> list[str]:
    """Why a record is not as expected."""
    reasons = r.reasons + [f"sabotage not noticed: {name}" for name, caught in r.sabotages.items() if caught is False]
    asked = {proof["theorem"]: proof["differs"] for proof in r.formal}
    if asked != r.expected_theorems:
        reasons.append(f"pinned with the theorems {_theorems(r.expected_theorems)}; came out with {_theorems(asked)}")
    if not r.same_words:
        reasons.append(f"its words were changed and not pinned: see lemmata pin --topic {r.topic}")
    pinned = (r.expected, r.expected_how, r.scope if r.expected_scope is None else r.expected_scope)
    if not reasons or pinned != (r.verdict, r.how, r.scope):
        names = [f"{v}, {how or '-'}, scope {scope!r}" for v, how, scope in (pinned, (r.verdict, r.how, r.scope))]
        reasons.insert(0, f"pinned as {names[0]}; came out as {names[1]}")
    return reasons


def _theorems(found: dict[str, str]) -> str:
    return ", ".join(name + (f" ({differs})" if differs else "") for name, differs in found.items()) or "none"


def summary(records: Sequence[Record]) -> str:
    """One line: how many of each verdict, refutations by class, and whether all is as expected."""
    faults = Counter(r.fault for r in records)
    classes = ", ".join(f"{faults[name]} {name}" for name in FLAWS if faults[name])
    counts = {name: sum(r.verdict == name for r in records) for name in STYLE}
    words = [f"{n} {name}" + (f" ({classes})" if name == "REFUTED" else "") for name, n in counts.items() if n]
    others = sum(not r.as_expected for r in records)
    agree = f"{others} NOT as expected" if others else "all as expected"
    return f"{counted(len(records), 'claim')}: {', '.join(words) or 'none'}; {agree}; {sum(r.seconds for r in records):.1f} s"
