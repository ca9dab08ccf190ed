"""Topic parity: what nonnegative and real spectra cannot compute (grazzi25, Sec. 4.1, App. B), claim by claim.

* ``lemma1``: exponential sums under ``cast`` are eventually 2-periodic, made effective
* ``theorem1``: nonnegative spectra cannot compute parity, in the cast model
* ``stepwise``: what changes when every step is rounded
* ``theorem2``: real spectra count modulo powers of two only
* ``ranges``: Eq. 2, Table 1, Fig. 2, App. E.4 and the architectures in use
"""

from . import lemma1, ranges, stepwise, theorem1, theorem2

__all__ = ["lemma1", "ranges", "stepwise", "theorem1", "theorem2"]
