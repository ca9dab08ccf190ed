"""``lemmata.errata``: the letter to a paper's authors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from rich.console import RenderableType

from ..cli import letters
from ..cli.blocks import Block
from ..cli.latex import latex
from ..cli.markdown import markdown
from ..theorems.ledger import PAPERS, require_known
from .result import Result, written_whole


@dataclass(frozen=True, repr=False)
class Letter(Result):
    """A document: Markdown when printed, set as Markdown in a notebook.

    Attributes:
        blocks: Its headings, paragraphs, lists and tables.
    """

    blocks: tuple[Block, ...]

    @cached_property
    def markdown(self) -> str:
        """The document in Markdown."""
        return markdown(list(self.blocks))

    @cached_property
    def latex(self) -> str:
        """The document in LaTeX."""
        return latex(list(self.blocks))

    @property
    def data(self) -> str:
        return self.markdown

    def save(self, path: str | Path) -> Path:
        """Write the document.

        Args:
            path: A file that ends in .md or .tex.

        Raises:
            ValueError: The name has another ending, or the file cannot be written.
        """
        from ..theorems.files import require_writable, write_whole

        target = Path(path)
        require_ending(target)
        require_writable(target)
        write_whole(target, self.latex if target.suffix == ".tex" else self.markdown)
        return target

    def parts(self) -> Iterator[RenderableType]:
        yield written_whole(self.markdown.rstrip("\n"))

    def _repr_markdown_(self) -> str:
        return self.markdown

    _repr_html_ = None  # type: ignore[assignment]


def require_ending(target: Path) -> None:
    """Raise ``ValueError`` unless a document can be written under this name."""
    if target.suffix not in (".md", ".tex"):
        raise ValueError(f"expected a file that ends in .md or .tex, got {str(target)!r}")


def errata(paper: str, place: str | None = None) -> Letter:
    """Write what a careful referee would send to the authors of a paper.

    Args:
        paper: The paper, such as "lizaire26".
        place: A place in it, such as "Theorem 3": only what stands there.

    Returns:
        One page with what holds and the three findings that matter most. An appendix has all that is wrong, sorted by what it changes, with numbers
        and repairs, and what was confirmed.

    Raises:
        ValueError: The paper is not known, or nothing stands at the place.

    Example:
        >>> import lemmata as lm
        >>> letter = lm.errata("lizaire26")
        >>> letter.markdown.splitlines()[0]
        '# Errata for Lizaire et al., On the role of depth in the expressivity of RNNs'
        >>> path = letter.save("letter.tex")
    """
    require_known("paper", [paper], [name for name in PAPERS if name != "new"])
    return Letter(tuple(letters.errata(paper, place)))
