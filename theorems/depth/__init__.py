"""Topic depth: the memory of deep linear recurrent networks (lizaire26, Sec. 3.1, App. A.1.2, A.2 to A.5).

* ``linearity``: what linear networks compute (Proposition 2, Corollary 2)
* ``copying``: the copy construction, and why no network copies farther (Lemmas 2 and 3)
* ``approximate``: copies with one wrong response, and links with a delay
* ``memory``: what a further layer adds (Theorem 1, the headlines)
* ``units``: the same units in one layer (Proposition 1, Theorem 6)
* ``sizes``: the number of parameters (Theorem 2, App. A.5.1)
* ``frontier``: the cheapest shape of an exact copy
* ``nonlinear``: handing states on through tanh (a footnote to Theorem 1)
* ``printed``: misprints of App. A.3, A.4 and B.1
"""

from . import approximate, copying, frontier, linearity, memory, nonlinear, printed, sizes, units

__all__ = ["approximate", "copying", "frontier", "linearity", "memory", "nonlinear", "printed", "sizes", "units"]
