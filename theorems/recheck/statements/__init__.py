"""What each claim says, as demands on its certificates; a file for each topic of the ledger, or two."""

from . import (
    automata,
    bilinear,
    bistable,
    depth,
    fixed_point,
    gating,
    householder,
    parity,
    parity_examples,
    signature,
    universality,
    vandermonde,
)

__all__ = [
    "automata",
    "bilinear",
    "bistable",
    "depth",
    "fixed_point",
    "gating",
    "householder",
    "parity",
    "parity_examples",
    "signature",
    "universality",
    "vandermonde",
]
