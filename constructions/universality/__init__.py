"""From state to output: Barron functions, networks with one hidden layer, and the sequence maps that they approximate (orvieto24, Sec. 2, 3.2, App. D).

* ``spectra``: functions with finitely many frequencies, and their Barron constants in balls
* ``networks``: one hidden layer; the same head at every step; staircases; Maurey's greedy choice of neurons
* ``heads``: a network for every step, for three maps, with bounds
* ``clocks``: other clocks than one unit: several of them, and none at all but a bias
* ``vectors``: several inputs and outputs on complex units
* ``maps``: causal sequence maps: a filter, a product of past tokens, controlled differential equations
"""

from . import clocks, heads, maps, networks, spectra, vectors

__all__ = ["clocks", "heads", "maps", "networks", "spectra", "vectors"]
