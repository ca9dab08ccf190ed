"""What stands in docs/: the findings of all papers, the table of verdicts, the proofs of the kernel; drawn from the ledger alone."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

from ..theorems.files import write_whole
from ..theorems.ledger import FLAWS, PAPERS, TOPICS, VERDICTS, Entry, entries, ledger, repairs_of, tally
from .blocks import Block, Counts, Generated, Heading, Items, Paragraph
from .markdown import markdown
from .order import arranged, seriousness
from .titles import set_text

#: what is wrong, by what it changes
SECTIONS = {
    "result": "What changes a result",
    "hypothesis": "What changes a constant or a hypothesis",
    "proof": "What changes a proof",
    "wording": "Wording and misprints",
    None: "Not weighed",
}

FINDINGS = Path(__file__).parents[1] / "docs" / "reference" / "findings.md"
EXPRESSIVITY = Path(__file__).parents[1] / "docs" / "reference" / "expressivity.md"
CLAIMS = Path(__file__).parents[1] / "formal" / "CLAIMS.md"
SCHEMAS = Path(__file__).parents[1] / "docs" / "reference" / "schemas.md"


def table_of_verdicts(chosen: list[Entry]) -> Counts:
    """How many statements of each verdict, findings of each class and repairs, per paper."""
    rows = [[paper, *map(str, row.values())] for paper, row in tally(chosen).items()]
    return Counts(["paper", *VERDICTS, *FLAWS, "amended"], rows)


def standing(e: Entry) -> str:
    """What became of a claim, in plain words that say no more than its evidence."""
    if e.verdict == "PROVED":
        return f"proved ({set_text(e.scope)})"
    if e.verdict == "DERIVED":
        return "argued in prose, each identity and inequality decided by a machine for all parameters"
    if e.verdict == "CHECKED":
        return f"checked on {set_text(e.scope)}; the general argument is prose"
    if e.verdict == "CITED":
        return f"follows from {'; '.join(e.citations) or 'an outside theorem'}, which is not checked here"
    if e.verdict == "OPEN":
        return f"open; missing: {set_text('; '.join(e.reasons)) or 'a proof'}"
    return "overstated as printed" if e.fault == "overstatement" else "wrong as printed"


def same_slip(id: str) -> list[Entry]:
    """The findings that are the same slip as this one, at other places."""
    return [e for e in ledger().values() if e.root == id]


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
            "What is wrong in print, by paper and by what it changes, and what is new. Each line names the claim that shows it. `lemmata show ID` says why, and "
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
        for weight, title in SECTIONS.items():
            found = sorted((e for e in wrong if e.weight == weight and e.root is None), key=seriousness)
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
    again = f" The same slip: {', '.join(f'`{x.id}`' for x in same_slip(e.id))}." if same_slip(e.id) else ""
    words = e.letter or e.title
    return f"{e.place} (`{e.id}`, {e.fault}): {words}{'' if words.endswith('.') else '.'}{again}{repaired}"


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
    axioms = f" Axioms: {', '.join(f'`{axiom}`' for axiom in e.axioms)}." if e.axioms else ""
    return f"`{e.id}`, {extent}: {'; '.join(theorems)}.{axioms}"


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


def write_schemas(target: Path = SCHEMAS) -> list[Path]:
    """Write docs/reference/schemas.md anew; the file, if it changed."""
    from ..theorems.recheck.schemas import markdown

    return _write_text(target, markdown())


def _write(target: Path, blocks: list[Block]) -> list[Path]:
    return _write_text(target, markdown(blocks))


def _write_text(target: Path, text: str) -> list[Path]:
    if not target.parent.is_dir() or (target.exists() and target.read_text(encoding="utf-8") == text):
        return []
    write_whole(target, text)
    return [Path(os.path.relpath(target))]
