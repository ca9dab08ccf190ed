"""Topic fixed_point: dense recurrences as fixed points of diagonal ones (movahedi25, Sec. 1 to 3, App. B, C.1, D, F.1, F.2).

* ``equality``: the fixed point is the dense recurrence; which transitions it reaches; when the iteration converges
* ``lipschitz``: Theorem 2.1, the exact Lipschitz constant over all lengths, the printed proof
* ``fading``: what contraction costs: the spectrum of the gated transition, no parity
* ``tracking``: S_3 and A_5 without a gate; how many passes that takes
* ``mixers``: Eq. 10 with two reflections
* ``bedouin``: the matrix-state iteration and its normalisation
* ``stopping``: the stopping rule, and dependence on the previous state
* ``gradient``: gradients at the fixed point
"""

from . import bedouin, equality, fading, gradient, lipschitz, mixers, stopping, tracking

__all__ = ["bedouin", "equality", "fading", "gradient", "lipschitz", "mixers", "stopping", "tracking"]
