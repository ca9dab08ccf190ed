"""How to cite a claim and its paper: BibTeX from CITATION.cff and papers/, and the claim as LaTeX."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

import yaml

from .. import __version__
from ..papers import papers
from ..theorems.ledger import Entry
from .latex import escaped, inline
from .titles import set_text
from .where import ROOT

#: a letter with an accent, which BibTeX sorts and cuts right in braces only
ACCENT = re.compile(r"""\\["'`^~]\w|\\c\{\w\}""")


@cache
def citation() -> dict[str, Any]:
    """What CITATION.cff says."""
    return yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))


def claim_entry(e: Entry) -> str:
    """The entry of a claim of this version, by the authors of lemmata."""
    us = citation()["preferred-citation"]
    note = f"Version {__version__}, claim \\texttt{{{escaped(e.id)}}} with digest {digest(e)}: {e.verdict}" + (
        f", {e.how}" if e.how else ""
    )
    return _entry(
        f"lemmata:{e.id}",
        author=_people(us["authors"]),
        title=f"{{lemmata: {escaped(e.title)}}}",
        year=str(us["year"]),
        howpublished="Software, claim by claim",
        note=note,
    )


def digest(e: Entry) -> str:
    """Twelve digits of the digest of all words of a claim: they name what was cited, whatever a later release says."""
    return e.words_digest[:12]


#: the environment in which a claim stands: what is checked on instances is no theorem
ENVIRONMENTS = {
    "PROVED": "theorem",
    "DERIVED": "theorem",
    "CITED": "theorem",
    "CHECKED": "observation",
    "OPEN": "conjecture",
    "REFUTED": "remark",
}

#: what has to be said before the statement
BEFORE = {
    "CHECKED": "Checked on {scope}; the general argument is prose.",
    "OPEN": "Neither proved nor refuted.",
    "REFUTED": "The following fails.",
}


def theorem(e: Entry) -> str:
    """The claim in LaTeX, with all its hypotheses; of an observation the scope, of what is refuted that it fails."""
    environment = ENVIRONMENTS[e.verdict]
    keys = [f"lemmata:{e.id}"] if e.paper == "new" else [e.paper, f"lemmata:{e.id}"]
    where = escaped(e.place) + "; " if e.paper != "new" else ""
    lines = [rf"\begin{{{environment}}}[{{{where}\cite{{{','.join(keys)}}}}}]"]
    if e.verdict in BEFORE:
        lines.append(inline(BEFORE[e.verdict].format(scope=set_text(e.scope))))
    if e.reading:
        lines.append("% read as follows: " + " ".join(e.reading.split()))
    if e.hypotheses:
        lines += [
            "Assume the following.",
            r"\begin{itemize}",
            *(rf"\item {inline(h if '$' in h else set_text(h))}" for h in e.hypotheses),
            r"\end{itemize}",
        ]
    return "\n".join([*lines, inline(e.says), rf"\end{{{environment}}}"])


def prior(e: Entry) -> list[str]:
    """What is to be credited first: the paper whose statement it is, what is known beside it, and theorems that it rests on."""
    paper = papers()[e.paper].people + f" ({papers()[e.paper].year}), {e.place}" if e.paper != "new" else ""
    rests = e.citations if e.verdict == "CITED" else []
    return [text for text in (paper, e.known or "", *rests) if text]


def paper_entry(key: str) -> str:
    """The entry of a paper under its key."""
    paper = papers()[key]
    return _entry(
        key,
        author=_people([{"given-names": given, "family-names": family} for given, family in paper.authors]),
        title=f"{{{escaped(paper.title)}}}",
        year=str(paper.year),
        eprint=paper.link.rsplit("/", 1)[-1],
        archiveprefix="arXiv",
        url=paper.link,
    )


@dataclass(frozen=True)
class Place:
    """Where everybody can read a paper."""

    url: str

    @property
    def name(self) -> str:
        """What the link is called: "arXiv:2411.12537", or the host."""
        host, _, path = self.url.removeprefix("https://").partition("/")
        return f"arXiv:{path.removeprefix('abs/')}" if host == "arxiv.org" else f"doi:{path}" if host == "doi.org" else host


def place_of(paper: str) -> Place | None:
    """The public page of a paper, as CITATION.cff has it; None if it has none."""
    found = next((r for r in citation()["references"] if r["notes"].split()[0] == paper), None)
    address = found and (found.get("url") or (f"https://doi.org/{found['doi']}" if "doi" in found else None))
    return Place(address) if address else None


def repository() -> str | None:
    """The public repository, if CITATION.cff declares one."""
    return citation().get("repository-code")


def _people(authors: list[dict[str, str]]) -> str:
    """Family name first, so that names of several words are not cut at the wrong one; who has one name only is a body."""
    names = [f"{{{escaped(a['name'])}}}" if "name" in a else f"{escaped(a['family-names'])}, {escaped(a['given-names'])}" for a in authors]
    return ACCENT.sub(r"{\g<0>}", " and ".join(names))


def _entry(key: str, **fields: str) -> str:
    lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items())
    return f"@misc{{{key},\n{lines}\n}}"
