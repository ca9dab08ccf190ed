"""Vectors and reflections over Q(i), row by row."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
from flint import fmpq

from .....constructions import unitary
from .....numerics import exact
from .....numerics.cyclotomic import gaussian
from ....claim import tie
from ....evidence import Proof
from .. import POSITIVE, hold_refusals, integers


@tie("movahedi25.thmD2")
def gaussian_vectors(proof: Proof) -> None:
    """Inner products, adjoints and reflections over Q(i) entry by entry, up to 13 coordinates; a reflection and a phase for unitary matrices."""
    rng = Random(297)
    for n in proof.tied("1 to 13 coordinates", POSITIVE):
        pairs = [[(rng.randint(-3, 3), rng.randint(-3, 3)) for _ in range(n)] for _ in range(3)]
        a, b, y = (np.array([gaussian(*z) for z in row], dtype=object) for row in pairs)
        (p, q) = pairs[0], pairs[1]
        real = sum(r * t + s * u for (r, s), (t, u) in zip(p, q, strict=True))
        proof.exactly("inner", unitary.inner(a, b), gaussian(real, sum(r * u - s * t for (r, s), (t, u) in zip(p, q, strict=True))))
        M = np.outer(a, b)[:, : 1 + n // 2]
        proof.exactly("adjoint", unitary.adjoint(M).tolist(), [[M[i, j].conjugate() for i in range(n)] for j in range(M.shape[1])])
        proof.exactly(
            "gaussian_identity", unitary.gaussian_identity(n).tolist(), [[gaussian(int(i == j)) for j in range(n)] for i in range(n)]
        )
        b[0] = gaussian(1, -2)
        H, square = unitary.complex_reflection(b), sum((x * x.conjugate() for x in b), gaussian(0))
        proof.exactly(
            "complex_reflection",
            H.tolist(),
            [[gaussian(int(i == j)) - 2 * b[i] * b[j].conjugate() / square for j in range(n)] for i in range(n)],
        )
        y[0] = gaussian(2, 1)
        phases = [gaussian(*rng.choice(((1, 0), (0, 1), (-1, 0), (0, -1)))) for _ in range(n)]
        for U in (
            np.diag(np.array(phases, dtype=object)) + unitary.gaussian_identity(n) * 0,
            unitary.gaussian_identity(n) * gaussian(0, -1),
            unitary.gaussian_identity(n),
        ):
            one_axis = np.array([gaussian(int(i == n - 1)) for i in range(n)], dtype=object)
            for vector in (one_axis, y):
                found = unitary.reflection_and_phase(U, vector)
                if found is None:
                    w = unitary.inner(vector, U @ vector)
                    value = (w * w.conjugate()).polynomial.coeffs()[0]
                    proof.exactly(
                        "reflection_and_phase: an irrational modulus",
                        exact.rational(value.p * value.q) in [fmpq(k) ** 2 for k in range(2000)],
                        False,
                    )
                    continue
                R, z = found
                proof.exactly("reflection_and_phase", (list(U @ vector), z * z.conjugate()), (list((R @ vector) * z), gaussian(1)))
                proof.exactly(
                    "a reflection",
                    ((R @ R).tolist(), (R - unitary.adjoint(R)).tolist() == (R * 0).tolist()),
                    (unitary.gaussian_identity(n).tolist(), True),
                )
        if n > 1:
            for vector in (y, np.array([gaussian(0)] * (n - 1) + [gaussian(0, 1)], dtype=object)):
                v = unitary._orthogonal_to(vector)
                proof.exactly("_orthogonal_to", (unitary.inner(v, vector) == 0, any(x != 0 for x in v)), (True, True))
    calls: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [(unitary.adjoint, (np.array([[0.5j, "a"]], dtype=object),))]
    calls = [
        (unitary.complex_reflection, (np.array([gaussian(0)] * 2, dtype=object),)),
        (unitary.complex_reflection, (np.array([0.5, -1j], dtype=object),)),
    ]
    hold_refusals(proof, "no vector, floats", calls)


@tie("movahedi25.thmD2")
def adjoints_in_types(proof: Proof) -> None:
    """Conjugate transposes of floats and complex numbers, vectors orthogonal to floats, identities of 13 to 0 rows; floats where phases are asked for."""
    rng = Random(302)
    for n in proof.tied("13 to 1 rows", POSITIVE[::-1]):
        A, B = integers(rng, n, 3), integers(rng, n, 3)
        for M in (A.astype(float), A.astype(float) + 1j * B.astype(float)):
            proof.exactly("adjoint", unitary.adjoint(M).tolist(), [[complex(M[i, j]).conjugate() for i in range(n)] for j in range(3)])
        for y in (A[:, 0].astype(float) + 1j * B[:, 0].astype(float), A[:, 0].astype(float)) if n > 1 else ():
            v = unitary._orthogonal_to(y)
            there = bool(v[0] != 0) or bool(v[1] != 0)
            proof.exactly("_orthogonal_to", (there, list(v[2:] == 0)), (True, [True] * (n - 2)))
            if y[0] or y[1]:
                proof.exactly("_orthogonal_to: v^* y", v[0].conjugate() * y[0] + v[1].conjugate() * y[1], 0)
        hold_refusals(proof, "floats", [(unitary.reflection_and_phase, (np.eye(n) * one, np.ones(n) * one)) for one in (1.0, 1j)])
    for n in proof.tied("13 rows to none", (13, 1, 0, -1, -13)):
        wanted = [[gaussian(int(i == j)) for j in range(n)] for i in range(n)]
        proof.exactly("gaussian_identity", unitary.gaussian_identity(n).tolist(), wanted)
