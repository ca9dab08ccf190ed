"""What each claim says, as demands on its certificates; a file for each topic of the ledger."""

from . import (
    automata,
    bilinear,
    bistable,
    depth,
    fixed_point,
    fixed_point_model,
    fixed_point_states,
    gating,
    householder,
    parity,
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
    "fixed_point_model",
    "fixed_point_states",
    "gating",
    "householder",
    "parity",
    "signature",
    "universality",
    "vandermonde",
]
