"""The chunk's matrix and its inverse, entry by entry."""

from __future__ import annotations

from random import Random

import numpy as np
from flint import fmpq

from .....constructions.householder import chunks
from .....numerics import exact
from ....claim import tie
from ....evidence import Proof
from .. import SIZES, hold_refusals, integers, matrix, plain


@tie("new.householder.chunk")
def chunk_entries(proof: Proof) -> None:
    """The chunk's matrix entry by entry, its inverse multiplied out: up to 13 keys, exact, float and complex."""
    rng = Random(296)
    for n in proof.tied("0 to 13 keys of up to 4 coordinates", SIZES):
        K, b = matrix(rng, n, 1 + n % 4, 3), integers(rng, n, 1)[:, 0] * fmpq(1, 2)
        for scale, kind in ((fmpq(1), object), (0.5, float), (0.5 + 1j, complex)):
            keys, strengths = (exact.as_float(K).astype(kind) * scale, exact.as_float(b).astype(kind)) if kind is not object else (K, b)
            wanted = [
                [
                    strengths[i]
                    * sum((keys[i, c] * keys[j, c] for c in range(keys.shape[1])), keys.dtype.type(0) if kind is not object else fmpq(0))
                    if j < i
                    else 0
                    for j in range(n)
                ]
                for i in range(n)
            ]
            A, T = chunks.chunk_matrix(keys, strengths), chunks.chunk_inverse(keys, strengths)
            whole = (A + np.eye(n, dtype=int)) @ T if n else T
            if kind is object:
                proof.exactly("chunk_matrix", plain(A), plain(np.array(wanted, dtype=object).reshape(n, n)))
                proof.exactly("chunk_inverse", [list(row) for row in whole], np.eye(n, dtype=int).tolist())
            elif n:
                proof.closely("chunk_matrix", float(np.abs(A - np.array(wanted)).max()), 1e-12 * (1 + float(np.abs(A).max())))
                proof.closely("chunk_inverse", float(np.abs(whole - np.eye(n)).max()), 1e-12 * (1 + float(np.abs(T).max()) ** 2))
        units = exact.rationals([[rng.choice((-1, 1)) * int(c == i % 3) for c in range(3)] for i in range(n)]) if n else exact.zeros(0, 3)
        for strength, whole_numbers in ((0, True), (1, True), (2, True), (3, n == 0), (-1, n == 0), (fmpq(1, 2), n == 0)):
            given = [(units, exact.rationals([strength] * n) if n else exact.zeros(0)), (units.astype(float), np.full(n, float(strength)))]
            proof.exactly("chunk_criterion", [chunks.chunk_criterion(*pair) for pair in given], [whole_numbers] * 2)
    bad = [(np.zeros(3), np.zeros(3)), (np.zeros((3, 2)), np.zeros(2)), (np.zeros((3, 2)) * 1j, np.zeros((3, 1)))]
    hold_refusals(proof, "other shapes", [(f, pair) for f in (chunks.chunk_matrix, chunks.chunk_inverse) for pair in bad])
    hold_refusals(
        proof, "complex keys", [(chunks.chunk_criterion, (np.array([[-1j]], dtype=object), np.array([0.5 + 0.5j], dtype=object)))]
    )
