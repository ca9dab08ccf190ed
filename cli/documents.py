"""What is sent to authors and what stands in docs/: the errata of a paper, the findings of all, the table of verdicts; drawn from the ledger alone."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

from ..papers import papers
from ..theorems.files import write_whole
from ..theorems.ledger import FLAWS, PAPERS, TOPICS, VERDICTS, WRONG, Entry, entries, findings_of, ledger, repairs_of, tally
from ..theorems.stored import gather
from .blocks import Block, Counts, Facts, Generated, Heading, Items, Numbers, Paragraph
from .markdown import markdown
from .order import arranged

CLASSES = {
    "false": ("What is false", "Read charitably, and with the hypotheses as they stand, each of these fails; the numbers satisfy the hypotheses and violate the conclusion."),
    "gap": ("Gaps in proofs", "The statement may hold, and often does; the printed argument does not show it."),
    "overstatement": ("Overstatements", "Sentences that say more than what is shown."),
    "misprint": ("Misprints", "An index, a sign, a symbol."),
}  # fmt: skip

FINDINGS = Path(__file__).parents[1] / "docs" / "reference" / "findings.md"
EXPRESSIVITY = Path(__file__).parents[1] / "docs" / "reference" / "expressivity.md"
CLAIMS = Path(__file__).parents[1] / "formal" / "CLAIMS.md"


def table_of_verdicts(chosen: list[Entry]) -> Counts:
    """How many statements of each verdict, findings of each class and repairs, per paper."""
    rows = [[paper, *map(str, row.values())] for paper, row in tally(chosen).items()]
    return Counts(["paper", *VERDICTS, *FLAWS, "amended"], rows)


def standing(e: Entry) -> str:
    """What became of a claim that is not refuted, in words that say no more than its evidence."""
    if e.verdict == "PROVED":
        return "proved by a kernel for all of the claim" if e.how == "formal" else "decided by machine for all of the claim"
    if e.verdict == "DERIVED":
        return f"derived: every identity and inequality is decided by machine ({e.how}) for {e.scope}; numbered prose joins them"
    if e.verdict == "CHECKED":
        return f"checked ({e.how}) on: {e.scope}; the general argument is prose"
    if e.verdict == "CITED":
        return f"rests on {'; '.join(e.citations) or 'an outside theorem'}, which is not checked here"
    if e.verdict == "OPEN":
        return f"open; missing: {'; '.join(e.reasons) or 'a proof'}"
    return f"refuted ({e.fault}): see `{e.id}`"


def errata(paper: str) -> list[Block]:
    """What a careful referee would send to the authors of a paper: what is wrong, most serious first, what was confirmed, and what is new."""
    chosen = entries(papers=[paper])
    # those of which more is said than their words and their pins hold
    gather(e for e in ledger().values() if e.paper in (paper, "new") and e.verdict in ("REFUTED", "CITED", "OPEN"))
    theirs = [e for _, e in arranged(chosen).get(paper, []) if e.kind in ("statement", "finding")]
    statements = [e for e in theirs if e.kind == "statement"]
    wrong = Counter(e.fault for e in theirs if e.fault)
    read = papers()[paper].read
    out: list[Block] = [Heading(1, f"Errata for {PAPERS[paper]}"), *([Paragraph(read.line)] if read else [])]
    verdicts = Counter(e.verdict for e in statements)
    confirmed = ", ".join(f"{verdicts[v]} {v}" for v in VERDICTS if verdicts[v])
    classes = ", ".join(f"{wrong[f]} {f}" for f in WRONG if wrong[f]) or "nothing"
    out.append(
        Paragraph(
            f"{len(statements)} statements of the paper were read as their authors mean them and turned into checks: {confirmed}. What is wrong, by class: {classes}. "
            "Statements are given in our own words. Each entry has an id; `lemmata witness ID` prints its numbers, `lemmata show ID --full` all that is known of it."
        )
    )
    for flaw, (title, meaning) in CLASSES.items():
        found = [e for e in theirs if e.fault == flaw]
        if found:
            out += [Heading(2, title), Paragraph(meaning)]
            for e in found:
                out += _erratum(e)
    if any(v != "REFUTED" for v in verdicts):
        out += [Heading(2, "What was confirmed, and what is open" if verdicts["OPEN"] else "What was confirmed"), *_confirmed(statements)]
    new = [e for e in ledger().values() if e.kind == "new" and (e.paper == paper or (e.paper == "new" and home_of(e.topic) == paper))]
    if new:
        out += [Heading(2, "What is new"), Items([_line(e) + (f" Known: {e.known}" if e.known else "") for e in new])]
    return out


def _erratum(e: Entry) -> list[Block]:
    """One thing that is wrong: where, what is printed, the letter, the numbers, the repair."""
    about = ledger().get(e.of or "")
    before = {
        "id": f"`{e.id}`",
        "about": f"{about.place}: {about.title} (`{about.id}`); it is {standing(about)}" if about else "",
        "printed": e.says,
        "reading": e.reading or "",
        "hypotheses": "; ".join(e.hypotheses),
        "to the authors": e.letter or "",
        "remarks": " ".join(e.remarks),
    }
    out: list[Block] = [Heading(3, f"{e.place}: {e.title}"), Facts([(name, text) for name, text in before.items() if text])]
    out += [Numbers(_minimal(k["minimal"]), k["given"], list(k["hypotheses"]), list(k["violates"])) for k in e.counterexamples]
    repairs = [("repaired", f"{r.says} (`{r.id}`; {standing(r)})") for r in repairs_of(e.id)]
    return out + ([Facts(repairs)] if repairs else [])


def _minimal(words: str) -> str:
    return f"A counterexample ({words})" if words else "A counterexample"


def _confirmed(statements: list[Entry]) -> list[Block]:
    titles = {
        "PROVED": "Decided by machine, all of it (PROVED):",
        "DERIVED": "Every identity and inequality decided by machine, joined by numbered prose (DERIVED):",
        "CHECKED": "Checked on instances, with an argument in prose for the general case (CHECKED):",
        "CITED": "Resting on theorems that are not checked here (CITED):",
        "OPEN": "Neither proved nor refuted (OPEN):",
    }
    out: list[Block] = []
    for verdict, title in titles.items():
        found = [e for e in statements if e.verdict == verdict]
        if found:
            out += [Paragraph(title), Items([_line(e) + _see(e) for e in found])]
    return out


def _line(e: Entry) -> str:
    words = standing(e)
    return f"{e.place}: {e.title} (`{e.id}`). {words[:1].upper()}{words[1:]}."


def _see(e: Entry) -> str:
    """Where something beside a confirmed statement is wrong."""
    found = findings_of(e.id)
    return f" Beside it: {', '.join(f'{f.flaw} in `{f.id}`' for f in found)}." if found else ""


def home_of(topic: str) -> str:
    """The paper that most of a topic's printed claims come from."""
    papers = Counter(e.paper for e in ledger().values() if e.topic == topic and e.paper != "new")
    return max(papers, key=lambda paper: papers[paper], default="new")


def findings() -> list[Block]:
    """All that is wrong, by paper and class, and all that is new, by topic: what docs/reference/findings.md holds."""
    everything = entries()
    out: list[Block] = [
        Generated("lemmata pin"),
        Heading(1, "Findings"),
        Paragraph(
            "What is wrong in print, by paper and class, most serious first, and what is new. Each line names the claim that shows it. `lemmata show ID` says why, and "
            "`lemmata witness ID` prints the numbers. `lemmata errata PAPER` writes a letter to the authors of a paper."
        ),
        table_of_verdicts(everything),
    ]
    groups = arranged(everything)
    for paper in PAPERS:
        wrong = [e for _, e in groups.get(paper, []) if e.wrong]
        if not wrong:
            continue
        out.append(Heading(2, f"{paper}: {PAPERS[paper]}"))
        for flaw, (title, _) in CLASSES.items():
            found = [e for e in wrong if e.fault == flaw]
            if found:
                out += [Heading(3, title), Items([_finding(e) for e in found])]
    new = [e for _, e in groups.get("new", []) if e.kind == "new"]
    if new:
        out.append(Heading(2, "new"))
        for topic in TOPICS:
            if found := [e for e in new if e.topic == topic]:
                out += [Heading(3, topic), Items([f"{e.title} (`{e.id}`, {e.verdict}: {e.how}, {e.scope})" for e in found])]
    return out


def _finding(e: Entry) -> str:
    """Where it stands, what it says, that it fails, and what repairs it."""
    repaired = f" Repaired: {', '.join(f'`{r.id}` ({r.verdict})' for r in repairs_of(e.id))}." if repairs_of(e.id) else ""
    words = e.letter or e.title
    return f"{e.place} (`{e.id}`): {words}{'' if words.endswith('.') else '.'}{repaired}"


def kernel_claims() -> list[Block]:
    """What the kernel has of each claim: what formal/CLAIMS.md holds."""
    chosen = [e for e in entries() if e.formal]
    whole = sum(e.how == "formal" for e in chosen)
    out: list[Block] = [
        Generated("lemmata pin"),
        Heading(1, "Claims and their proofs in Rocq"),
        Paragraph(
            f"The kernel has proved {whole} claims whole and a part of {len(chosen) - whole} others. Each line names a claim, what of it is proved, and the theorems. "
            "`lemmata show ID --full` prints the words of the claim and the statement in Rocq."
        ),
    ]
    for topic in TOPICS:
        if found := [e for e in chosen if e.topic == topic]:
            out += [Heading(2, topic), Items([_kernel_claim(e) for e in found])]
    return out


def _kernel_claim(e: Entry) -> str:
    """How much of it is proved, by which theorems, and how their wording differs."""
    extent = f"whole, {e.scope}" if e.how == "formal" else "in part"
    theorems = [f"`{t['theorem']}`" + (f" (differs: {t['differs']})" if t["differs"] else "") for t in e.formal]
    return f"`{e.id}`, {extent}: {'; '.join(theorems)}."


def write_findings(target: Path = FINDINGS) -> list[Path]:
    """Write docs/reference/findings.md anew; the file, if it changed. Nothing where there is no such folder, as in an installed package."""
    return _write(target, findings())


def write_expressivity(target: Path = EXPRESSIVITY) -> list[Path]:
    """Write docs/reference/expressivity.md anew; the file, if it changed."""
    from .expressivity import expressivity

    return _write(target, expressivity())


def write_claims(target: Path = CLAIMS) -> list[Path]:
    """Write formal/CLAIMS.md anew; the file, if it changed."""
    return _write(target, kernel_claims())


def _write(target: Path, blocks: list[Block]) -> list[Path]:
    text = markdown(blocks)
    if not target.parent.is_dir() or (target.exists() and target.read_text(encoding="utf-8") == text):
        return []
    write_whole(target, text)
    return [Path(os.path.relpath(target))]
