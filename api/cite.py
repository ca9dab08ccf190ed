"""``lemmata.cite``: a claim for a paper of one's own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import RenderableType

from .. import __version__
from ..cli.citing import claim_entry, digest, paper_entry, prior, theorem
from ..theorems.ledger import Entry, entries
from .result import Result, written_whole


@dataclass(frozen=True, repr=False)
class Cited(Result):
    """How to cite one claim.

    Attributes:
        entry: The claim as the ledger holds it.
    """

    entry: Entry

    @property
    def theorem(self) -> str:
        """The claim in LaTeX, with all its hypotheses."""
        return theorem(self.entry)

    @property
    def bibtex(self) -> str:
        """The entry of the claim, and that of its paper."""
        return "\n\n".join([claim_entry(self.entry), *([paper_entry(self.entry.paper)] if self.entry.paper != "new" else [])])

    @property
    def prior(self) -> list[str]:
        """What is to be credited first."""
        return prior(self.entry)

    @property
    def data(self) -> dict[str, object]:
        e = self.entry
        return {
            "id": e.id,
            "release": __version__,
            "digest": digest(e),
            "verdict": e.verdict,
            "prior": self.prior,
            "theorem": self.theorem,
            "bibtex": self.bibtex,
        }

    def parts(self) -> Iterator[RenderableType]:
        credit = "".join(f"%   {' '.join(text.split())}\n" for text in self.prior)
        environment = self.theorem.split("{")[1].split("}")[0]
        yield written_whole(f"% Credit first:\n{credit}" if credit else "% Nothing is known to be credited first.\n")
        yield written_whole(
            f"% With amsmath, amssymb, amsthm and \\newtheorem{{{environment}}}{{{environment.capitalize()}}}:\n{self.theorem}\n"
        )
        yield written_whole(self.bibtex)


def cite(id: str) -> Cited:
    """Tell how to cite one claim.

    Args:
        id: The claim, such as "grazzi25.thm2".

    Returns:
        The prior art to credit first, and the claim in LaTeX with all its hypotheses. The BibTeX names this release and the digest of the claim's words.

    Raises:
        ValueError: The id is not known; near ones are named.

    Example:
        >>> import lemmata as lm
        >>> cited = lm.cite("grazzi25.thm2")
        >>> cited.prior[0]
        'Grazzi, Siems, Zela, Franke, Hutter and Pontil (2025), Theorem 2, App. B.2'
        >>> cited.theorem.splitlines()[0]
        '\\\\begin{theorem}[{Theorem 2, App. B.2; \\\\cite{grazzi25,lemmata:grazzi25.thm2}}]'
    """
    (e,) = entries([id])
    return Cited(e)
