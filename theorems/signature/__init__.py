"""Expressivity of controlled linear equations with random low-rank matrices (movahedi25, App. D.3.2 and G).

``moments``: the overlaps of states, exactly. ``expressivity``: Proposition G.2 with a full proof, and why bounded ranks fail.
``entries``: other laws than the Gaussian one. ``statements``: the rest of the two appendices.
"""

from . import entries, expressivity, moments, statements

__all__ = ["entries", "expressivity", "moments", "statements"]
