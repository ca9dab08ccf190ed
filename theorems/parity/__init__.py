"""Topic parity: what nonnegative and real spectra cannot compute (grazzi25, Sec. 4.1, App. B), claim by claim.

* ``lemma1``: exponential sums under ``cast`` are eventually 2-periodic, made effective
* ``displays``: the unrolled state and the settled states of App. B.1 and B.2
* ``slips``: sentences and symbols that say something else than is meant; the ends of the ranges
* ``theorem1``: nonnegative spectra cannot compute parity, in the cast model
* ``converse``: which eigenvalues do compute it, and what the theorem does not say
* ``ranges``: Eq. 2, Table 1, Fig. 2, App. E.4
* ``architectures``: the layers in use
* ``stepwise``: what changes when every step is rounded
* ``monotone``: which kind of rounding saves Theorem 1
* ``minors``: which matrices alternate when every step is rounded once
* ``floating``: layers whose rounding errors keep the parity, in the formats of real machines
* ``turns``: units whose rounded rotation comes back, and counts modulo 3 and 6
* ``counts``: layers whose rounding errors count modulo 3, 5, 7, 11 and 13, and in which evaluations
* ``count_errors``: counters modulo 3 keep an error of their state
* ``small_counts``: the same in width 2, with two letters, and in all layers of small formats
* ``census``: how often random layers do so
* ``theorem2``: real spectra count modulo powers of two only
"""

from . import (  # noqa: I001 (the order of the ledger)
    lemma1,
    displays,
    theorem1,
    converse,
    ranges,
    architectures,
    stepwise,
    monotone,
    minors,
    floating,
    turns,
    counts,
    count_errors,
    small_counts,
    census,
    theorem2,
    slips,
)

__all__ = [
    "architectures",
    "census",
    "converse",
    "count_errors",
    "counts",
    "displays",
    "floating",
    "lemma1",
    "minors",
    "monotone",
    "ranges",
    "slips",
    "small_counts",
    "stepwise",
    "theorem1",
    "theorem2",
    "turns",
]
