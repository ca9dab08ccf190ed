"""What each claim says, as demands on its certificates; a file for each topic of the ledger."""

from . import (
    automata,
    automata_stacks,
    bilinear,
    bistable,
    depth,
    fixed_point,
    gating,
    householder,
    parity,
    signature,
    universality,
    vandermonde,
)

__all__ = [
    "automata",
    "automata_stacks",
    "bilinear",
    "bistable",
    "depth",
    "fixed_point",
    "gating",
    "householder",
    "parity",
    "signature",
    "universality",
    "vandermonde",
]
