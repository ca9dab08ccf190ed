"""``lemmata cite``: a claim for a paper of your own."""

from __future__ import annotations

from .console import note_folded, print_json
from .options import Id, Json


def cite_command(id: Id, as_json: Json = False) -> None:
    """Print how to cite one claim.

    It names the prior art to credit first. Then come the claim in LaTeX with all its hypotheses, and BibTeX with this release and a digest.
    """
    from ..api.cite import cite

    note_folded([id])
    cited = cite(id)
    if as_json:
        print_json(cited.data)
    else:
        cited.print()
