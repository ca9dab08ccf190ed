"""Expressivity of controlled linear equations with random low-rank matrices (movahedi25, App. D.3.2 and G).

``moments``: the overlaps of states, exactly. ``expressivity``: Proposition G.2 with a full proof, and why bounded ranks fail.
``statements``: the rest of the two appendices.
"""

from . import expressivity, moments, statements

__all__ = ["expressivity", "moments", "statements"]
