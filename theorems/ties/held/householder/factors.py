"""Single factors, reflections and permutations, row by row."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from random import Random
from typing import Any

import numpy as np
from flint import fmpq

from .....constructions import samples
from .....constructions.householder import factors
from .....constructions.householder.factors import GeneralizedHouseholder
from .....numerics import exact
from ....claim import tie
from ....evidence import Proof
from .. import POSITIVE, SIZES, hold, hold_refusals, integers, plain, products
from .common import ROWS, multiplied


@tie("grazzi25.prop1.2.orthogonal")
def reflections_in_floats(proof: Proof) -> None:
    """As many reflections as in exact arithmetic, and the same product; integers and float32 too."""
    rng = Random(291)
    for n in proof.tied("n <= 12; float64, float32, integers", ROWS):
        for count in sorted({0, 1, n - 1, n}):
            Q = samples.orthogonal(rng, n, count)
            wanted, least = exact.as_float(Q), exact.rank(Q - exact.identity(n))
            found = factors.reflections(wanted)
            proof.exactly(
                "as many as the rank of Q - I, each a reflection", (len(found), {float(f.beta) for f in found} <= {2.0}), (least, True)
            )
            proof.closely("the product", float(np.abs(multiplied(found, n) - wanted).max()), 1e-13 * n)
            proof.closely("and by products of factors", float(np.abs(factors.product(found, n).astype(float) - wanted).max()), 1e-13 * n)
            proof.exactly("exact ones", factors.product(factors.reflections(Q), n).tolist(), Q.tolist())
        P = np.eye(n, dtype=np.int64)[rng.sample(range(n), n)] * rng.choice((-1, 1))
        proof.exactly("a signed permutation of integers", factors.product(factors.reflections(P), n).tolist(), P.tolist())
        proof.closely("float32", float(np.abs(multiplied(factors.reflections(P.astype(np.float32)), n) - P).max()), 1e-13 * n)
        off = P.astype(float)
        off[0] = off[0] * (1 + 1e-8)
        hold_refusals(
            proof, "no orthogonal matrix", [(factors.reflections, (M,)) for M in (off, P * 2, P * 1j, exact.rationals(P) * fmpq(1, 2))]
        )


@tie("grazzi25.prop1.1")
def one_factor(proof: Proof) -> None:
    """A factor entry by entry, as a matrix and applied, in each type of numbers; none along 0 where two vectors are equal."""
    rng = Random(292)
    for n in proof.tied("n <= 13; exact, float, complex", POSITIVE):
        v, M = integers(rng, n, 1)[:, 0], integers(rng, n, 3)
        v[n - 1] = v[n - 1] or -1
        square = sum(x * x for x in v)
        for scale, beta in ((fmpq(1), fmpq(-3, 2)), (0.5, -1.5), (1j, 0.5 + 1j)):
            factor = GeneralizedHouseholder(v * scale, beta)
            wanted = [
                [
                    int(i == j) - beta * v[i] * v[j] / fmpq(square)
                    if isinstance(scale, fmpq)
                    else int(i == j) - beta * v[i] * v[j] / square
                    for j in range(n)
                ]
                for i in range(n)
            ]
            applied = [[sum(wanted[i][k] * M[k, j] for k in range(n)) for j in range(3)] for i in range(n)]
            if isinstance(scale, fmpq):
                proof.exactly("matrix, apply", (factor.matrix().tolist(), factor.apply(M).tolist()), (wanted, applied))
            else:
                typed = GeneralizedHouseholder((v * scale).astype(type(scale)), beta)
                for found, what in ((typed.matrix(), wanted), (typed.apply(M.astype(type(scale))), applied)):
                    proof.closely("matrix, apply", float(np.abs(found - np.array(what, dtype=complex)).max()), 1e-12)
        for tolerance, kind in ((0.0, object), (0.0, complex), (1e-14, float)):
            x, y = v.astype(kind), v[::-1].astype(kind)
            mirror = factors.mirror_between(x, y, np.zeros((n, 0), dtype=kind), tolerance)
            if (x == y).all():
                proof.exactly("mirror_between: none for equal vectors", mirror, None)
            elif kind is float:
                proof.closely(
                    "mirror_between: x goes to y", float(np.abs(mirror.apply(x[:, None])[:, 0] - y).max()) if mirror else 9.0, 1e-13
                )
            else:
                proof.exactly("mirror_between: along x - y", plain(mirror.v) if mirror else None, plain(x - y))
    identity = lambda count: factors.product([], count)  # noqa: E731
    hold(proof, "no factor, n <= 13", identity, exact.identity, ((n,) for n in SIZES), "product")


@tie("grazzi25.prop1.2.orthogonal")
def permutations_as_factors(proof: Proof) -> None:
    """All permutations of up to four points and some of up to 13: matrices, swaps, cycles, products."""
    rng = Random(293)
    drawn = [tuple(rng.sample(range(n), n)) for n in SIZES if n > 4 for _ in range(3)]
    for g in proof.tied("up to 13 points", [*(p for n in (1, 2, 3, 4) for p in permutations(range(n))), *drawn]):
        n = len(g)
        one_hot = [[fmpq(int(g[j] == i)) for j in range(n)] for i in range(n)]
        orbits: list[tuple[int, ...]] = []
        for start in range(n):
            orbit = [start]
            while g[orbit[-1]] != start:
                orbit.append(g[orbit[-1]])
            if start == min(orbit):
                orbits.append(tuple(orbit))
        found = factors.swaps(g)
        proof.exactly(
            "permutation_matrix, boolean_transition",
            (factors.permutation_matrix(g).tolist(), factors.boolean_transition(g).tolist()),
            (one_hot, one_hot),
        )
        proof.exactly("cycles", factors.cycles(g), orbits)
        proof.exactly("swaps: the fewest", len(found), n - len(orbits))
        proof.exactly(
            "swaps: each of two basis vectors",
            {(sorted(map(int, f.v)), int(f.beta)) == ([-1, *[0] * (n - 2), 1], 2) for f in found} <= {True},
            True,
        )
        out = np.array(products([exact.identity(n).tolist(), *(f.matrix().tolist() for f in found)]), dtype=object)
        proof.exactly("swaps: their product", out.tolist(), one_hot)
        h = tuple(rng.sample(range(n), n))
        proof.exactly("compose", factors.compose(g, h), tuple(g[x] for x in h))
    hold(
        proof,
        "functions on up to 13 states",
        lambda n: factors.boolean_transition([n - 1] * n),
        lambda n: exact.rationals([[int(i == n - 1)] * n for i in range(n)]),
        ((n,) for n in POSITIVE),
        "boolean_transition",
    )

    def zeros(n: int) -> np.ndarray:
        return np.array(products([exact.identity(n).tolist(), *(f.matrix().tolist() for f in factors.zero_factors(n))]), dtype=object)

    hold(proof, "n <= 13", zeros, lambda n: exact.zeros(n, n), ((n,) for n in POSITIVE), "zero_factors")
    hold(proof, "n <= 13", lambda n: len(factors.zero_factors(n)), lambda n: n, ((n,) for n in POSITIVE), "zero_factors: how many")
    hold(proof, "n <= 13", factors.noise, lambda n: 2.0**-48 * float(n) ** 0.5, ((n,) for n in (0, 1, 4, 9, 16, 169)))
    calls: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
        (f, (g,)) for f in (factors.permutation_matrix, factors.swaps) for g in ((0, -1), (), (1, 1), (1, 2))
    ]
    calls += [
        (factors.boolean_transition, ((-1, 0),)),
        (factors.boolean_transition, ((0, 2),)),
        (factors.zero_factors, (0,)),
        (factors.zero_factors, (-3,)),
        (factors.noise, (-1,)),
    ]
    hold_refusals(proof, "no permutation, no size", calls)
