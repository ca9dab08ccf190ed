"""``lemmata errata``: what to send to the authors of a paper."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .console import out
from .options import Out


def errata_command(
    paper: Annotated[str | None, typer.Argument(metavar="[PAPER]", help="Such as lizaire26.", show_default=False)] = None,
    target: Out = None,
    place: Annotated[str | None, typer.Option("--place", help="Only what stands at this place, such as: Theorem 3.")] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="The findings of all papers on one page: what docs/reference/findings.md holds.")
    ] = False,
) -> None:
    """Write the letter to a paper's authors.

    One page says what holds and which three findings matter most; an appendix has the rest, by what it changes. Markdown, or LaTeX if the file ends in .tex.
    """
    from ..api.errata import Letter, errata, require_ending
    from ..theorems.files import require_writable
    from ..theorems.ledger import PAPERS
    from .documents import findings

    if (paper is None) != everything:
        papers = ", ".join(name for name in PAPERS if name != "new")
        raise ValueError(f"expected a paper, one of {papers}, or --all, and not both")
    if place is not None and paper is None:
        raise ValueError("expected a paper with --place, got --all")
    if target == Path("-"):
        target = None
    if target is not None:
        require_ending(target)
        require_writable(target)
    letter = errata(paper, place) if paper is not None else Letter(tuple(findings()))
    if target is None:
        print(letter.markdown, end="")
    else:
        out.print(f"written to {letter.save(target)}", soft_wrap=True)
