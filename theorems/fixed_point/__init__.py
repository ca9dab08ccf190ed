"""Topic fixed_point: dense recurrences as fixed points of diagonal ones (movahedi25, Sec. 1 to 3, App. B, C.1, D, F.1, F.2).

* ``equality``: the fixed point is the dense recurrence; from diagonal to dense; when the iteration converges
* ``transitions``: which transitions an ungated layer has, and which its iteration finds
* ``signed``: decays of any signs: which transitions a contractive mixer reaches
* ``nonnegative``: decays without signs: turns, resets and delays
* ``mirrors``: groups tracked in the smallest dimension, mirrors near the axes
* ``bases``: coordinates in which any finite set of transitions is had; the least dimension
* ``lipschitz``: Theorem 2.1, the exact Lipschitz constant over all lengths, the printed proof
* ``gains``: other gates, and none; Delta in place of 1 - lambda
* ``selective``: parameters that depend on the input
* ``fading``: what contraction costs: the spectrum of the gated transition, no permutation letter
* ``automata``: exactly which automata a gated layer tracks
* ``sets``: gated transitions in common coordinates
* ``tracking``: S_3, A_5 and S_N without a gate
* ``passes``: how many passes that takes
* ``reflections``: Eq. 10 with any number of them
* ``symmetric``: with one of them, or any symmetric mixer: real eigenvalues, and their signs
* ``bedouin``: the matrix-state iteration
* ``stopping``: the stopping rule, and dependence on the previous state
* ``gradient``: gradients at the fixed point
* ``heads``: what mixing within heads leaves out, run time, where the iteration starts
"""

from . import (
    automata,
    bases,
    bedouin,
    equality,
    fading,
    gains,
    gradient,
    heads,
    lipschitz,
    mirrors,
    nonnegative,
    passes,
    reflections,
    selective,
    sets,
    signed,
    stopping,
    symmetric,
    tracking,
    transitions,
)

__all__ = [
    "automata",
    "bases",
    "bedouin",
    "equality",
    "fading",
    "gains",
    "gradient",
    "heads",
    "lipschitz",
    "mirrors",
    "nonnegative",
    "passes",
    "reflections",
    "selective",
    "sets",
    "signed",
    "stopping",
    "symmetric",
    "tracking",
    "transitions",
]
