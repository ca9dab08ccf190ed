"""``lemmata show``: one claim, all of it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Annotated, Any

import typer
from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from ..formal import seal
from ..theorems.argument import START, Step, steps_of
from ..theorems.ledger import Entry, findings_of, ledger, repairs_of
from .console import STYLE, note_folded, out, print_json, readable, verdict
from .options import Effort, Json
from .tables import evidence, facts
from .threads import one_thread
from .where import where
from .witness import exhibited

KINDS = {"statement": "statement", "finding": "finding", "amended": "amended statement", "new": "new"}

#: what the words of an entry are: of a finding ours, beside the paper's
SAYS = {"statement": "statement", "finding": "in our words", "amended": "statement", "new": "statement"}


#: what the argument of a claim is worth whose general case words carry
BY_WORDS = {
    "DERIVED": "each identity and inequality decided by machine for all parameters",
    "CHECKED": "in prose, checked on the instances of the scope",
}


def show_command(
    id: Annotated[str, typer.Argument(metavar="ID", help="A claim id, see lemmata list; or a paper, before a place.", show_default=False)],
    place: Annotated[
        str | None, typer.Argument(metavar="[PLACE]", help="A place in that paper, such as: Theorem 3.", show_default=False)
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Print all: the whole argument, the evidence, kernel proofs and numbers.")] = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Gather the evidence anew instead of reading the ledger; exit 1 if it differs.")
    ] = False,
    effort: Annotated[Effort, typer.Option(help="With --fresh: number and size of the instances.")] = Effort.standard,
    as_json: Json = False,
) -> None:
    """Show one claim: its statement, its verdict and scope, and why; by its id, or by a paper and a place in it.

    With --full also the argument step by step and what carries each step, the evidence, and the numbers. JSON is always complete.
    """
    from ..api.show import show

    if effort is not Effort.standard and not fresh:
        raise ValueError(f"expected --fresh with --effort {effort}: without it the evidence is the ledger's, at standard effort")
    note_folded([id])
    if fresh:
        one_thread()
    shown = show(id, place, full=full, fresh=fresh, effort=effort.value)
    if as_json:
        print_json(shown.data)
    else:
        shown.print()
    raise typer.Exit(0 if shown.as_pinned else 1)


def short_page(e: Entry, there: Sequence[Entry] = ()) -> Iterator[RenderableType]:
    """What is printed of an entry by default: what it says, what became of it, three lines of why, and where to go on; at most ``PAGE`` lines.

    ``there`` are other entries that stand at the same place.
    """
    head = list(_head(e, e.place))
    head[2] = Text(_cut(f"{KINDS[e.kind]}; {e.place}", 1, out.width) + "\n", "dim")
    wrong = [f for f in findings_of(e.id) if f.root is None]
    beside = {
        "about": _cut(e.of or "", 1),
        "same slip as": _cut(e.root or "", 1),
        "repairs": _cut(e.amends or "", 1),
        "repaired in": _cut(", ".join(r.id for r in repairs_of(e.id)), 1),
        "wrong beside it": "\n".join(f"{f.flaw} in {f.id}" for f in wrong[:2]) + (" …" if wrong[2:] else ""),
        "stands there too": _cut(", ".join(x.id for x in there), 1),
    }
    why = _cut(_why(e), LINES)
    last = Text(f"all of it: --full; numbers: lemmata witness {e.id}", "dim")
    # the lines that are left, but for two blank ones
    left = PAGE - 2 - sum(map(_height, [*head, last])) - sum(text.count("\n") + 1 for text in (why, *beside.values()) if text)
    hypotheses = _cut("; ".join(e.hypotheses), 2)
    quote = _cut(" … ".join(f"“{quote}”" for quote in e.quotes), 3)
    taken = sum(text.count("\n") + 1 for text in (hypotheses, quote) if text)
    yield from head
    yield facts({"the paper": quote, SAYS[e.kind]: _cut(e.says, max(2, left - taken)), "hypotheses": hypotheses})
    yield Text()
    yield facts({"why": why, **beside})
    yield Text()
    yield last


#: lines of the short form, lines of why in it, and the columns that the names on the left take
PAGE, LINES, NAMES = 24, 3, 18


def _cut(text: str, lines: int, width: int = 0) -> str:
    """The first lines of a text in the columns beside the names; an ellipsis says that more follows."""
    return "\n".join(wrap(readable(text), width or out.width - NAMES, max_lines=lines, placeholder=" …", break_on_hyphens=False))


def _height(text: Text) -> int:
    """How many lines of the screen a text takes."""
    return len(text.wrap(out, out.width))


def _why(e: Entry) -> str:
    """Why a claim has its verdict, the decisive words first."""
    first = START.search(e.argument)
    idea = " ".join((e.argument[: first.start()] if first else e.argument).split())
    steps = steps_of(e.argument)
    prose = sum(s.is_prose for s in steps)
    if e.verdict == "REFUTED":
        violated = list(e.counterexamples[0]["violates"])[:1] if e.counterexamples else []
        return "; ".join([*(f"a counterexample: {x}" for x in violated), idea])
    if e.verdict == "CITED":
        return f"it rests on {'; '.join(e.citations)}, which is not checked here; {idea}"
    if e.verdict == "OPEN":
        return f"missing: {'; '.join(e.reasons)}; {idea}"
    if e.formal and e.how == "formal":
        return f"Rocq's kernel checked {e.formal[0]['theorem']} ({e.formal[0]['file']}:{e.formal[0]['line']}). {idea}"
    how = f"{len(steps)} steps, {prose} of them with prose. " if steps else ""
    return f"{how}{idea or steps[0].text if steps else idea}"


def page(e: Entry) -> Iterator[RenderableType]:
    """What is printed of an entry with --full, in order."""
    yield from _head(e, e.place if e.paper == "new" else e.source)
    yield facts(
        {
            "the paper": readable(" … ".join(f"“{quote}”" for quote in e.quotes)),
            SAYS[e.kind]: readable(e.says),
            "hypotheses": readable("; ".join(e.hypotheses)),
            "reading": readable(e.reading or ""),
        }
    )
    yield Text()
    if e.verdict == "REFUTED":
        yield from exhibited(e)
    yield from _relations(e)
    yield from _argument(e)
    words = {"known": readable(e.known or ""), "remarks": readable("\n".join(e.remarks))}
    if any(words.values()):
        yield facts(words)
        yield Text()
    if e.steps:
        yield Text("evidence", "bold")
        yield Padding(evidence(e.steps), (0, 0, 1, 2))
    for proof in e.formal:
        yield Text.assemble(("proved by a kernel  ", "bold"), f"{proof['theorem']}  {proof['file']}:{proof['line']}")
        yield Padding(Text(proof["statement"]), (0, 0, 0, 2))
        if proof["differs"]:
            yield Padding(Text(f"differs from the claim: {proof['differs']}"), (0, 0, 0, 2))
        for name in seal.instances().get(proof["theorem"], []):
            yield Padding(Text(instance(name)), (0, 0, 0, 2))
        yield Text()
    if e.id in seal.clauses():
        yield Text("each clause, and what says it", "bold")
        for words, part in seal.clauses()[e.id]:
            yield Padding(Text.assemble(readable(words), "\n", (f"  {part}", "dim")), (0, 0, 0, 2))
        yield Text()
    if e.verdict != "REFUTED" and e.exhibits:
        yield from exhibited(e)
    yield from _rest(e)


def instance(name: str) -> str:
    """What says a theorem of given numbers, where it stands, and on which axioms it rests."""
    found, axioms = seal.require_proof(name), seal.axioms_of([name])
    numbers = "algebraic" if name.endswith("_algebraic") else "real or complex"
    return f"of the {numbers} numbers: {name}  {found['file']}:{found['line']}; {'axioms: ' + ', '.join(axioms) if axioms else 'no axiom'}"


def _head(e: Entry, place: str) -> Iterator[Text]:
    """Id, verdict, scope, kind, place and title."""
    yield Text(e.id, "bold")
    axioms = f" (axioms: {', '.join(e.axioms)})" if e.axioms else ""
    how = f", {e.how}{axioms}" if e.how else ""
    yield Text.assemble(verdict(e.verdict, e.fault), (f"{how}; {e.scope}", "bold"))
    yield Text(f"{KINDS[e.kind]}; {place}\n", "dim")
    yield Text(f"{e.title}\n", "italic")


def _relations(e: Entry) -> Iterator[RenderableType]:
    """The letter, the authors' answers, the repairs, the findings, and the statement that a finding hangs on."""
    if e.letter:
        yield facts({"letter": readable(e.letter), "the authors": readable("\n".join(e.answers))})
        yield Text()
    if e.root:
        yield facts({"same slip as": _named(ledger()[e.root])})
        yield Text()
    if e.of:
        yield facts({"about": _named(ledger()[e.of])})
        yield Text()
    if e.amends:
        yield facts({"repairs": _named(ledger()[e.amends])})
        yield Text()
    for repair in repairs_of(e.id):
        yield facts({"repaired in": _named(repair)})
        yield Text()
    found = findings_of(e.id)
    if found:
        yield Text("what is wrong beside it" if e.verdict != "REFUTED" else "what else is wrong", "bold")
        for f in found:
            yield Padding(Text.assemble((str(f.flaw), STYLE["REFUTED"]), "  ", (f.id, "bold"), f"\n{f.title}"), (0, 0, 0, 2))
            for repair in repairs_of(f.id):
                yield Padding(Text.assemble("repaired in ", (repair.id, "bold")), (0, 0, 0, 4))
        yield Text()


def _named(e: Entry) -> Text:
    return Text.assemble((e.id, "bold"), "  ", verdict(e.verdict, e.fault), f"\n{e.title}")


def _argument(e: Entry) -> Iterator[RenderableType]:
    """Why it holds or fails; the steps of a numbered argument each beside what carries it."""
    if not e.argument:
        return
    steps = steps_of(e.argument)
    first = START.search(e.argument)
    before = e.argument[: first.start()] if first else e.argument
    yield Text({"REFUTED": "why it fails"}.get(e.verdict, "argument"), "bold")
    if e.how == "formal":
        yield Padding(Text("for the reader; the kernel's proof is its own, see below", "dim"), (0, 0, 0, 2))
    if e.verdict in BY_WORDS:
        prose = ", ".join(str(s.number) for s in steps if s.is_prose)
        marked = f"; prose carries steps {prose}" if prose else ""
        yield Padding(Text(f"{BY_WORDS[e.verdict]}{marked}" if steps else "in prose", "dim"), (0, 0, 0, 2))
    for paragraph in before.split("\n\n"):
        if paragraph.strip():
            yield Padding(Text(readable(" ".join(paragraph.split()))), (0, 0, 0, 2))
    for step in steps:
        yield Padding(facts({f"{step.number}.": Text(readable(step.text))}), (0, 0, 0, 2))
        for line in carried(step, e.steps):
            yield Padding(Text(line, "dim"), (0, 0, 0, 6))
    yield Text()


def carried(step: Step, evidence: list[dict[str, Any]]) -> Iterator[str]:
    """What carries a step of an argument: a theorem of the kernel, what the machine decided and where, other claims, theorems of books, or words."""
    for quoted in step.checked:
        for s in [s for s in evidence if s["what"].startswith(quoted)] or [{"what": quoted, "how": "", "scope": ""}]:
            yield f"{_carrier(s)}: {'; '.join(x for x in (s['what'], s['how'], s['scope']) if x)}"
    for used in step.uses:
        yield f"uses: {used}"
    for theorem in step.cited:
        yield f"cited: {readable(theorem)}"
    if step.is_prose:
        yield "prose: nothing but these words" if set(step.marks) == {"prose"} else "prose: the rest"


def _carrier(evidence: dict[str, Any]) -> str:
    """Who decided a piece of evidence; what only illustrates carries nothing."""
    return "illustrated" if evidence.get("beside") else "kernel" if evidence["how"] == "formal" else "machine"


def _rest(e: Entry) -> Iterator[RenderableType]:
    kinds = Counter(e.certificates)
    stored = ", ".join(f"{n} of kind {kind}" for kind, n in kinds.items())
    yield facts(
        {
            "cited": readable("; ".join(e.citations)),
            "missing": "; ".join(e.reasons),
            "uses": Text("\n".join(e.uses)) if e.uses else "",
            "certificates": f"{stored}; to write them: lemmata verify ID --certificates DIR" if stored else "",
            "sabotages": "\n".join(e.sabotages),
        }
    )
    for name, dotted in (("construction", e.construction), ("check", e.check)):
        if dotted:
            found = where(dotted)
            yield Text.assemble(
                (name, "bold"), f"\n  {dotted}", f"\n  {os.path.relpath(found[0])}:{found[1]}" if found else "", no_wrap=True
            )
