"""Topic depth: the memory of deep linear recurrent networks (lizaire26, Sec. 3.1, App. A.2 to A.5).

* ``copying``: the copy construction, and why no network copies farther (Lemmas 2 and 3, Theorem 1)
* ``sizes``: the same units in one layer, and the number of parameters (Theorems 2 and 6, App. A.5.1)
* ``nonlinear``: handing states on through tanh (a footnote to Theorem 1)
"""

from . import copying, nonlinear, sizes

__all__ = ["copying", "nonlinear", "sizes"]
