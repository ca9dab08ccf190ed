"""How to cite a claim and its paper: BibTeX from CITATION.cff and papers/."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

import yaml

from ... import __version__
from ...cli.latex import escaped
from ...cli.where import ROOT
from ...papers import papers
from ...theorems.ledger import Entry

#: a letter with an accent, which BibTeX sorts and cuts right in braces only
ACCENT = re.compile(r"""\\["'`^~]\w|\\c\{\w\}""")


@cache
def citation() -> dict[str, Any]:
    """What CITATION.cff says."""
    return yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))


def claim_entry(e: Entry) -> str:
    """The entry of a claim of this version, by the authors of lemmata."""
    us = citation()["preferred-citation"]
    note = f"Version {__version__}, claim \\texttt{{{escaped(e.id)}}}: {e.verdict}" + (f", {e.how}" if e.how else "")
    return _entry(
        f"lemmata:{e.id}",
        author=_people(us["authors"]),
        title=f"{{lemmata: {escaped(e.title)}}}",
        year=str(us["year"]),
        howpublished="Software, claim by claim",
        note=note,
    )


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
