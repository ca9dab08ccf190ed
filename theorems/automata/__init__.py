"""Topic automata: regular languages by stacks of layers (grazzi25, Sec. 2, 3.2, 4.3, App. A.3, C.3 to C.5, D).

* ``definitions``: what implementing an automaton means, word problems, one-hot layers (Sec. 2, 3.2, App. A.3)
* ``groups``: group automata in one layer (Theorem 3, App. C.3)
* ``cascades``: Krohn-Rhodes and Theorem 4 (App. C.4, C.5)
* ``counting``: reflections only, addition modulo m and the dihedral groups (Theorem 6, App. D)
* ``limits``: what diagonal and bistable layers cannot do, and how long floats last
"""

from . import cascades, counting, definitions, groups, limits

__all__ = ["cascades", "counting", "definitions", "groups", "limits"]
