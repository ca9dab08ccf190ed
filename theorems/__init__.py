"""The claims: statement, source, check, verdict, evidence; and the independent re-checker (``recheck.py``).

``verify`` runs checks and returns records; ``claims`` lists the registered claims; ``decide`` gives the evidence of one.
"""

from . import automata, bilinear, bistable, depth, fixed_point, gating, householder, parity, signature, universality, vandermonde
from .claim import Claim, Source, claim, claims, decide
from .evidence import Proof
from .records import Record, to_json, verify

__all__ = [
    "Claim",
    "Proof",
    "Record",
    "Source",
    "automata",
    "bilinear",
    "bistable",
    "claim",
    "claims",
    "decide",
    "depth",
    "fixed_point",
    "gating",
    "householder",
    "parity",
    "signature",
    "to_json",
    "universality",
    "vandermonde",
    "verify",
]
