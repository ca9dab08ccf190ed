"""What each claim says, as demands on its certificates; a file for each topic of the ledger."""

from . import (
    automata,
    bilinear,
    bistable,
    depth,
    fixed_point,
    gating,
    householder,
    parity,
    signature,
    universality,
    universality_quoted,
    universality_sequences,
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
    "signature",
    "universality",
    "universality_quoted",
    "universality_sequences",
    "vandermonde",
]
