"""The letter to a paper's authors: one page first, then an appendix by consequence; drawn from the ledger and ``papers/`` alone."""

from __future__ import annotations

import re
from collections import Counter

from ..papers import papers
from ..theorems.ledger import HOLDS, PAPERS, WEIGHTS, Entry, entries, ledger, repairs_of
from ..theorems.stored import gather
from .blocks import Appendix, Block, Code, Facts, Heading, Items, Numbers, Paragraph, Quote
from .citing import repository
from .documents import SECTIONS, home_of, same_slip, standing
from .order import seriousness
from .places import at
from .tables import counted
from .titles import set_text

CLASSES = {"false": "false as stated", "gap": "a gap in a proof", "overstatement": "an overstatement", "misprint": "a misprint"}

#: what a paper numbers
NUMBERED = re.compile(r"(?:App\. \w+, )?(?:Theorem|Proposition|Corollary|Lemma|Remark|Definition) [\w.]*\w")

#: the groups into which what holds falls, as a letter says it
HEADS = {"PROVED": "Proved:", "DERIVED": "Argued in prose, each identity decided by a machine:", "CHECKED": "Checked on instances:", "CITED": "Resting on a cited theorem:"}  # fmt: skip


def errata(paper: str, place: str | None = None) -> list[Block]:
    """What is sent to the authors of a paper; with a place, such as "Theorem 3", only what stands there.

    Raises ``ValueError`` for a place at which nothing stands, naming near ones.
    """
    chosen = at(paper, place) if place else [e for e in entries(papers=[paper]) if e.kind in ("statement", "finding", "amended")]
    # more is said of them than their words and their pins hold
    gather(e for e in chosen if e.verdict in ("REFUTED", "CITED", "OPEN"))
    theirs = [e for e in chosen if e.kind in ("statement", "finding")]
    if place:
        return [*_opening(paper), *_numbered(theirs), *_wrong(theirs), *_others(theirs)]
    return [*first_page(paper), Appendix(), *_scripts(paper), *_numbered(theirs), *_wrong(theirs), *_others(theirs), *_new(paper)]


def first_page(paper: str) -> list[Block]:
    """The text that was read, what holds, and the three findings that matter most, each with how to check it."""
    statements = [e for e in entries(papers=[paper]) if stated(e)]
    said = (
        f"We wrote {counted(len(statements), 'statement')} of the paper as checks that a machine runs. `lemmata show ID` explains an entry."
    )
    out: list[Block] = [*_opening(paper), Heading(2, "What holds"), Paragraph(said), Items(_counts(statements))]
    found = [ledger()[id] for id in papers()[paper].first_page]
    if found:
        out.append(Heading(2, "Three findings"))
    for number, e in enumerate(found, 1):
        out += [Heading(3, f"{number}. {_headline(e)}"), *_quoted(e), Paragraph(plain(e.letter or e.title))]
        out.append(Paragraph(f"Check: `lemmata verify {e.id}`, or script {number} below."))
    return out


def _opening(paper: str) -> list[Block]:
    read = papers()[paper].read
    return [Heading(1, f"Errata for {PAPERS[paper]}"), *([Paragraph(read.line)] if read else [])]


def plain(text: str) -> str:
    """Our words with the mathematics that is typed in ASCII set in Unicode; words with formulas or code stay as they are."""
    return text if re.search("[$`]", text) else set_text(text)


def _headline(e: Entry) -> str:
    """The place of an entry with a capital: "Proof of Theorem 2"."""
    return plain(e.place[:1].upper() + e.place[1:])


def _quoted(e: Entry) -> list[Block]:
    return [Quote(" … ".join(f"“{quote}”" for quote in e.quotes))] if e.quotes else []


# -- what holds -------------------------------------------------------------------------------------------------------


def stated(e: Entry) -> bool:
    """A statement of the paper; one that it numbers counts where its only entry is what its words overstate, too."""
    return e.kind == "statement" or (e.kind == "finding" and e.id.removeprefix(f"{e.paper}.") in papers()[e.paper].statements)


def as_printed(e: Entry) -> str:
    """What becomes of the printed words of a statement: "holds", "read" if they need a reading, "open", "more" if they say too much, or "fails"."""
    if e.verdict in HOLDS:
        return "read" if e.reading or f"{e.id}.printed" in ledger() else "holds"
    return "open" if e.verdict == "OPEN" else "more" if e.fault == "overstatement" else "fails"


#: what becomes of printed words -> how a letter says it
BECOMES = {
    "holds": "Holding as printed",
    "read": "Holding in our reading",
    "open": "Open as printed",
    "more": "Overstated as printed",
    "fails": "Wrong as printed",
}


def _counts(statements: list[Entry]) -> list[str]:
    """How many statements stand as they are printed, and which of those that the paper numbers; of several entries for one the worst counts."""
    counts = Counter(map(as_printed, statements))
    names: dict[str, list[str]] = {}
    for name, group in named(statements).items():
        printed = [e for e in group if e.id.endswith(".printed")] or group
        names.setdefault(max(map(as_printed, printed), key=list(BECOMES).index), []).append(name)
    lines = [
        f"{words}: {counts[word]}{f' ({_together(names[word])})' if word in names else ''}."
        for word, words in BECOMES.items()
        if counts[word]
    ]
    cited = sum(e.verdict == "CITED" for e in statements)
    return lines + ([f"Resting on theorems of others, which we cite: {cited} of those that hold."] if cited else [])


def _together(names: list[str]) -> str:
    """Names of one kind together, in the order of their numbers: "Lemma 1, 2; Theorem 3"."""
    found: dict[str, list[str]] = {}
    for name in names:
        kind, _, number = name.rpartition(" ")
        found.setdefault(kind, []).append(number)
    return "; ".join(f"{kind} {', '.join(sorted(found[kind], key=_natural))}" for kind in sorted(found))


def _natural(number: str) -> list[tuple[int, str]]:
    """Numbers in their order: 2 before 10, A.1 behind both."""
    return [(int(part), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d+)", number)]


def named(statements: list[Entry]) -> dict[str, list[Entry]]:
    """The statements that a paper numbers: "Theorem 3" -> its entries, that on the printed words first."""
    found: dict[str, list[Entry]] = {}
    for e in statements:
        if name := NUMBERED.match(e.place):
            found.setdefault(name[0], []).append(e)
    return {name: sorted(group, key=lambda e: not e.id.endswith(".printed")) for name, group in found.items()}


# -- the appendix -----------------------------------------------------------------------------------------------------


def _scripts(paper: str) -> list[Block]:
    """The scripts that show the three findings."""
    found = papers()[paper].checks
    scripts = [Code(path.read_text(encoding="utf-8").rstrip("\n"), "python") for path in found.values()]
    return (
        [
            Heading(2, "Three scripts"),
            Paragraph("They need Python alone."),
            *(b for n, code in enumerate(scripts, 1) for b in (Paragraph(f"Script {n}:"), code)),
        ]
        if found
        else []
    )


def _numbered(theirs: list[Entry]) -> list[Block]:
    """Each numbered statement: what becomes of its printed words, then our reading, then repairs."""
    groups = named([e for e in theirs if stated(e)])
    out: list[Block] = [Heading(2, "The numbered statements")] if groups else []
    for name, group in groups.items():
        out += [Heading(3, name), Facts([row for e in group for row in _verdict_rows(e)])]
    return out


def _verdict_rows(e: Entry) -> list[tuple[str, str]]:
    """The printed words first, then our reading, then what repairs it."""
    word, reading = f"{e.title} (`{e.id}`): {standing(e)}.", plain(e.reading or "")
    if as_printed(e) != "read":
        rows = [("as printed", word), *([("taken so", reading)] if reading else [])]
    else:
        # the verdict on the printed words is an entry of its own, or there is none
        open_words = [] if f"{e.id}.printed" in ledger() else [("as printed", "the words need a reading")]
        rows = [*open_words, *([("our reading", reading)] if reading else []), ("in our reading", word)]
    return rows + [("repaired", f"{r.title} (`{r.id}`): {standing(r)}.") for r in repairs_of(e.id)]


def _wrong(theirs: list[Entry]) -> list[Block]:
    """What is wrong, by what it changes, then by class; findings of one slip together."""
    found = sorted((e for e in theirs if e.wrong and e.root is None), key=seriousness)
    out: list[Block] = []
    for weight in (*WEIGHTS, None):
        if group := [e for e in found if e.weight == weight]:
            out += [Heading(2, SECTIONS[weight]), *(block for e in group for block in _erratum(e))]
    return out


def _erratum(e: Entry) -> list[Block]:
    """One thing that is wrong: where, the phrase, our words, what we would write, the numbers, the repair."""
    about = ledger().get(e.of or "")
    before = {
        "id": f"`{e.id}`, {CLASSES[str(e.fault)]}{', as extracted, not compared' if e.extracted else ''}",
        f"in our words{', formulas our transcription' if '$' in e.says else ''}": e.says,
        "to the authors": plain(e.letter or ""),
        "about": f"{about.place}: {about.title} (`{about.id}`); {_stands(about)}" if about else "",
        "reading": plain(e.reading or ""),
        "hypotheses": "; ".join(map(plain, e.hypotheses)),
        "remarks": " ".join(map(plain, e.remarks)),
        "the same slip": "; ".join(f"{x.place}: {x.title} (`{x.id}`)" for x in same_slip(e.id)),
        "the authors": " ".join(e.answers),
    }
    out: list[Block] = [Heading(3, f"{_headline(e)}: {e.title}"), Facts([(name, text) for name, text in before.items() if text])]
    # the phrase stands before our words
    out[1:1] = _quoted(e)
    out += [Numbers(_minimal(k["minimal"]), k["given"], list(k["hypotheses"]), list(k["violates"])) for k in e.counterexamples]
    repairs = [("repaired", f"{r.says} (`{r.id}`): {standing(r)}") for one in (e, *same_slip(e.id)) for r in repairs_of(one.id)]
    return out + ([Facts(repairs)] if repairs else [])


def _stands(e: Entry) -> str:
    """What became of a claim, as a clause."""
    return f"it {standing(e)}" if e.verdict == "CITED" else f"it is {standing(e)}"


def _minimal(words: str) -> str:
    return f"A counterexample ({words})" if words else "A counterexample"


def _others(theirs: list[Entry]) -> list[Block]:
    """The statements that the paper does not number: how they were read, what is open, what holds."""
    others = [e for e in theirs if e.kind == "statement" and not NUMBERED.match(e.place)]
    read = [e for e in others if e.reading]
    missing = [e for e in others if e.verdict == "OPEN"]
    out: list[Block] = []
    if read:
        out += [
            Heading(2, "How other statements were read, and misprints mended"),
            Items([f"{plain(e.place)} (`{e.id}`): {plain(e.reading or '')}" for e in read]),
        ]
    if missing:
        out += [Heading(2, "What is open"), Items([_line(e) for e in missing])]
    if any(e.verdict in HOLDS for e in others):
        out.append(Heading(2, "What else holds"))
    for verdict in HOLDS:
        if found := [e for e in others if e.verdict == verdict]:
            out += [Paragraph(HEADS[verdict]), Items([_line(e) for e in found])]
    return out


def _line(e: Entry) -> str:
    return f"{plain(e.place)}: {e.title} (`{e.id}`): {standing(e)}."


def _new(paper: str) -> list[Block]:
    """A line on what is new beside the paper, and on remarks."""
    new = [e for e in ledger().values() if e.kind == "new" and paper in (e.paper, home_of(e.topic))]
    topics = " ".join(f"--topic {topic}" for topic in dict.fromkeys(e.topic for e in new))
    remarks = sum(e.fault == "remark" for e in ledger().values() if e.paper == paper)
    more = f" We left out {counted(remarks, 'remark')} on phrases that fail only when read uncharitably." if remarks else ""
    where = f"`docs/reference/findings.md`{f' of {repository()}' if repository() else ''}"
    said = f"Beside the paper, {counted(len(new), 'result')} of ours: `lemmata list --paper new {topics}`, and {where}.{more}"
    return [Heading(2, "What is new"), Paragraph(said)]
