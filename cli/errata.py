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
    everything: Annotated[
        bool, typer.Option("--all", help="The findings of all papers on one page: what docs/reference/findings.md holds.")
    ] = False,
) -> None:
    """Write what a referee would send to the authors of a paper.

    What is wrong, most serious first, with numbers and repairs; what was confirmed; what is new. Markdown, or LaTeX if the file ends in .tex.
    """
    from ..theorems.files import require_writable, write_whole
    from ..theorems.ledger import PAPERS, require_known
    from .documents import errata, findings
    from .latex import latex
    from .markdown import markdown

    papers = [name for name in PAPERS if name != "new"]
    if (paper is None) != everything:
        raise ValueError(f"expected a paper, one of {', '.join(papers)}, or --all, and not both")
    if target == Path("-"):
        target = None
    if target is not None and target.suffix not in (".md", ".tex"):
        raise ValueError(f"expected a file that ends in .md or .tex, got {str(target)!r}")
    if target is not None:
        require_writable(target)
    if paper is not None:
        require_known("paper", [paper], papers)
    document = findings() if paper is None else errata(paper)
    text = latex(document) if target is not None and target.suffix == ".tex" else markdown(document)
    if target is None:
        print(text, end="")
    else:
        write_whole(target, text)
        out.print(f"written to {target}", soft_wrap=True)
