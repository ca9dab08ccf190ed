"""Expressivity of controlled linear equations with random low-rank matrices (movahedi25, App. D.3.2 and G).

* ``moments``: the overlaps of states, exactly (Eq. 15, Remark G.4)
* ``expressivity``: Proposition G.2 with a full proof, and why bounded ranks fail
* ``entries``: other laws than the Gaussian one (Remark G.3)
* ``below_gaussian``: those with smaller moments, for which (15) holds
* ``statements``: Theorem D.1, and what surrounds it
* ``mixers``: circulant and low-rank mixers (App. D.3.2)
"""

from . import below_gaussian, entries, expressivity, mixers, moments, statements

__all__ = ["below_gaussian", "entries", "expressivity", "mixers", "moments", "statements"]
