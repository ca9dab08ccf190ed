"""Quaternions, Clifford algebras and products of reflections of one strength, row by row: up to 13 letters, generators and reflections, in each type of numbers."""

from __future__ import annotations

from itertools import pairwise, product
from random import Random
from typing import Any

import numpy as np
from flint import acb, fmpq

from ....constructions import quaternions, reflections, spin
from ....constructions.spin import CliffordElement
from ....numerics import exact
from ....numerics.cyclotomic import root_of_unity
from ...claim import tie
from ...evidence import Proof
from ..held import POSITIVE, SIZES, hold, hold_refusals, integers, products, rational


@tie("movahedi25.abstract.tracking")
def tokens_and_cosets(proof: Proof) -> None:
    """Tokens of up to 13 coordinates, groups by up to 13 generators and limits, cosets of subgroups by products."""
    rng = Random(421)
    for n in proof.tied("1 to 13 coordinates; rational, float, complex", POSITIVE):
        A, decay = integers(rng, n, n), integers(rng, n, 1)[:, 0]
        for one in (fmpq(1), 1.0, 1 + 0j):
            token = quaternions.orthogonal_token(A * one, decay * one)
            found = (list(token.decay), list(token.gate), token.mixer.tolist(), list(token.drive))
            proof.exactly(
                "orthogonal_token", found, (list(decay), [1] * n, [[decay[i] * A[j, i] for j in range(n)] for i in range(n)], [0] * n)
            )
    units = [exact.unit_vector(4, k) for k in range(4)]
    for k in proof.tied("1 to 13 generators", POSITIVE):
        found = {tuple(q) for q in quaternions.generated([units[1]] * k, 12)}
        proof.exactly("generated: by i", found, {tuple(s * q) for q in units[:2] for s in (1, -1)})
    hold_refusals(proof, "limits below the order", [(quaternions.generated, ([units[1], units[2]], k)) for k in (1, 3, 7)])
    half = fmpq(1, 2)
    group = [np.array([s * half for s in signs], dtype=object) for signs in product((1, -1), repeat=4)] + [
        u * s for u in units for s in (1, -1)
    ]
    for subgroup in proof.tied(
        "24 quaternions and three subgroups", ([units[0]], [units[0], -units[0]], [u * s for u in units for s in (1, -1)])
    ):
        action = quaternions.CosetAction(group, subgroup)
        frozen, representatives = {tuple(h) for h in subgroup}, action.representatives
        proof.exactly("as many cosets as the index", len(representatives), 24 // len(subgroup))
        for g in (group[0], group[5], units[1], -units[3]):
            inverted = [np.array([r[0], -r[1], -r[2], -r[3]], dtype=object) for r in representatives]
            moved = [hamilton(g, r) for r in representatives]
            by_hand = [next(j for j, r in enumerate(inverted) if tuple(hamilton(r, x)) in frozen) for x in moved]
            proof.exactly("permutation", list(action.permutation(g)), by_hand)


def hamilton(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """The product by scalar and vector parts: p_0 q_0 - p.q, p_0 q + q_0 p + p x q."""
    a, v, b, w = p[0], p[1:], q[0], q[1:]
    cross = [v[(i + 1) % 3] * w[(i + 2) % 3] - v[(i + 2) % 3] * w[(i + 1) % 3] for i in range(3)]
    return np.array(
        [a * b - sum(x * y for x, y in zip(v, w, strict=True)), *(a * y + b * x + c for x, y, c in zip(v, w, cross, strict=True))],
        dtype=object,
    )


@tie("new.fixed-point.s3.signed")
def dihedral_letters(proof: Proof) -> None:
    """Rotations and reflections of the plane by powers of one of them, moduli 1 to 13, turns of either sign; the letters of S_3 for strengths of either sign."""
    for m in proof.tied("moduli 1 to 13, turns -13 to 13", POSITIVE):
        turn, power = quaternions.plane_rotation(m), quaternions.plane_rotation(m, 0)
        # cos + i sin is real in each part and an m-th root of 1; two of those are at least 2 sin(pi / 13) > 2/5 apart
        c, s = turn[:, 0]
        z = c + s * root_of_unity(c.order, c.order // 4)
        proof.exactly(
            "plane_rotation: by 0", [[x == int(i == j) for j, x in enumerate(row)] for i, row in enumerate(power)], [[True] * 2] * 2
        )
        proof.exactly(
            "plane_rotation: real entries, cos + i sin is a root of 1", (c.conjugate() == c, s.conjugate() == s, z**m == 1), (True,) * 3
        )
        first = acb(fmpq(2, m)).exp_pi_i()
        proof.certified("plane_rotation: it is the first root", bool(abs(z.ball() - first) < fmpq(1, 5)))
        for k in range(14 if m < 6 else 3):
            proof.exactly("plane_rotation: powers", (quaternions.plane_rotation(m, k) == power).all(), True)
            proof.exactly("and turned back", (quaternions.plane_rotation(m, -k) == power.T).all(), True)
            flip = power @ np.array([[1, 0], [0, -1]])
            proof.exactly("plane_reflection", (quaternions.plane_reflection(m, k) == flip).all(), True)
            proof.exactly(
                "plane_reflection: a negative angle",
                (quaternions.plane_reflection(m, -k) == power.T @ np.array([[1, 0], [0, -1]])).all(),
                True,
            )
            power = power @ turn
    for c in proof.tied("strengths of either sign", [fmpq(k, 4) for k in (-3, -1, 0, 1, 2, 4)]):
        letters = quaternions.signed_s3(c)
        for (g, (A, token)), (h, (B, _)) in product(letters.items(), repeat=2):
            both = tuple(g[i] for i in h)
            proof.exactly("signed_s3: products", bool((letters[both][0] == A @ B).all()), True)
            proof.exactly(
                "signed_s3: decays and mixers",
                (sorted(abs(x) for x in token.decay), bool((token.mixer == token.decay[:, None] * A.T).all())),
                ([abs(c)] * 2, True),
            )
        signs = {g: [1 if c * x > 0 else -1 for x in token.decay] for g, (_, token) in letters.items()}
        wanted = {(0, 1, 2): [1, 1], (1, 2, 0): [-1, -1], (2, 0, 1): [-1, -1], (1, 0, 2): [1, -1], (2, 1, 0): [-1, 1], (0, 2, 1): [1, -1]}
        proof.exactly("signed_s3: signs", signs if c != 0 else wanted, wanted)


@tie("new.fixed-point.symmetric")
def many_generators(proof: Proof) -> None:
    """Generators of up to 512 rows as signed permutations of bits; exchanges and permutations of matrices in each type; words of up to 13 letters of either sign."""
    rng = Random(422)
    for n in proof.tied("1 to 10 generators", (1, 2, 3, 7, 10)):
        m = n - 1
        rows = np.arange(2**m)
        for k, g in enumerate(spin.clifford_generators(n)):
            # the first k bits give the sign, bit k is exchanged
            top = rows >> (m - k) if k < m else rows
            sign = 1 - 2 * (np.array([int(x).bit_count() for x in top]) % 2)
            moved = rows ^ (1 << (m - 1 - k)) if k < m else rows
            proof.exactly(
                "clifford_generators", (bool((g[rows, moved] == sign).all()), int(np.abs(g).sum()), g.shape), (True, 2**m, (2**m, 2**m))
            )
    for n in proof.tied("2 to 13 matrices; rational, float, complex", POSITIVE[1:]):
        order = rng.sample(range(n), n)
        signs = [rng.choice((-1, 1)) for _ in range(n)]
        A = np.array([[signs[i] * int(order[i] == a) for i in range(n)] for a in range(n)], dtype=object)
        units = [np.array([[int(a == b == i) for b in range(n)] for a in range(n)], dtype=object) for i in range(n)]
        for one in (fmpq(1), 1.0, 1 + 0j):
            given = [u * one for u in units]
            proof.exactly("conjugated", spin.conjugated(given, A * 2, 4), tuple(order))
            proof.exactly("conjugated: by another", spin.conjugated(given, A + A @ units[0] + A[:, ::-1], 4), None)
        g = [integers(rng, n, n, 2) for _ in range(3)]
        scalars: tuple[Any, ...] = (1, fmpq(2), 0.5, 1j)
        for one in scalars:
            found = spin.exchange([x * one for x in g], 2, 0)
            wanted = [[int(i == j) + one * one * sum(g[2][i, k] * g[0][k, j] for k in range(n)) for j in range(n)] for i in range(n)]
            proof.exactly("exchange", found.tolist(), wanted)
    for k in proof.tied("numbers and generators -13 to 13", range(-13, 14)):
        proof.exactly("scalar", CliffordElement.scalar(k), CliffordElement((((), k),) if k else ()))
        proof.exactly("generator", CliffordElement.generator(k), CliffordElement((((k,), 1),)))
        length = abs(k)
        word = tuple(rng.randint(-6, 6) for _ in range(length))
        letters, sign = list(word), 1
        while any(a > b for a, b in pairwise(letters)):
            i = next(i for i in range(length - 1) if letters[i] > letters[i + 1])
            letters[i], letters[i + 1], sign = letters[i + 1], letters[i], -sign
        proof.exactly("_in_order", spin._in_order(word), (tuple(x for x in sorted(set(letters)) if letters.count(x) % 2), sign))


@tie("new.fixed-point.equal-reflections.thresholds")
def products_of_reflections(proof: Proof) -> None:
    """Mixers of up to 12 reflections of up to 13 coordinates, factor by factor; which numbers of them contract, by the values on a circle."""
    rng = Random(423)
    for n, r in proof.tied("up to 13 coordinates and 12 reflections", [(1, 12), (2, 1), (4, 3), (7, 2), (10, 9), (13, 2)]):
        vectors, alpha = [integers(rng, n, 1)[:, 0] for _ in range(r)], rational(rng) / 7
        for v in vectors:
            v[rng.randrange(n)] = 5
        factors = [[[int(i == j) - 2 * alpha * v[i] * v[j] / sum(x * x for x in v) for j in range(n)] for i in range(n)] for v in vectors]
        proof.exactly("mixer", reflections.mixer(alpha, [v * fmpq(1) for v in vectors]).tolist(), products(factors[::-1]))
    for r in proof.tied("1 to 13 reflections", POSITIVE):
        for alpha in (fmpq(1, 50), fmpq(1, 10), fmpq(1, 4), fmpq(2, 5), fmpq(9, 20)):
            a = int(alpha.p) / int(alpha.q)
            z = 1 - a + a * np.exp(1j * np.linspace(0, np.pi, 4001))
            furthest = float(np.abs(1 - z**r).max())
            # |1 - z^r| moves by at most r a times the angle, from the nearest point half a step of the grid; r + 4 operations are rounded
            step, rounded = r * a * np.pi / 8000, (r + 4) * 2.0**-50
            if furthest > 1 + rounded or furthest + step < 1 - rounded:
                proof.exactly("contracts", reflections.contracts(r, alpha), furthest < 1)
    hold(proof, "no reflection at all", lambda n: reflections.equal_angles((fmpq(1, 2), fmpq(0)), n), lambda n: [], [(0,)], "equal_angles")
    hold_refusals(proof, "lengths of other than four", [(quaternions.left_multiplication, (exact.zeros(k),)) for k in SIZES if k != 4])
