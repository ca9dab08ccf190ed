"""Pairs of turns and triangles of weights, row by row."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
from flint import fmpq

from .....constructions.householder import pairs
from .....numerics import exact
from .....numerics.cyclotomic import gaussian
from ....claim import tie
from ....evidence import Proof
from .. import SIZES, hold


def polynomial_at(first: tuple[fmpq, fmpq], second: tuple[fmpq, fmpq], weights: tuple[fmpq, fmpq], y: Any) -> Any:
    """q of two pairs and two weights at y, from its factors, over Q(i)."""
    (a, b), (c, d) = first, second
    p, r = (y - a) * (y - a) + b * b, (y - c) * (y - c) + d * d
    return y * p * r - (y * y - 1) * ((y - a) * r * weights[0] + (y - c) * p * weights[1])


@tie("new.householder.four")
def pieces_of_weights(proof: Proof) -> None:
    """Triangles by up to 13 halvings, the parts of q over Q(i), turns by complex numbers, and triangulations that cover all weights or give up."""
    rng = Random(299)
    zero, one = fmpq(0), fmpq(1)
    for length in proof.tied("paths of 0 to 13 halvings", SIZES):
        path = "".join(rng.choice("01") for _ in range(length))
        corners = exact.rationals([[0, 0], [1, 0], [0, 1]])
        for letter in path:
            # the middle of the far side comes first, then the corner that was first, then one end of that side
            halves = exact.rationals([[0, "1/2", "1/2"], [1, 0, 0], [0, 1, 0] if letter == "0" else [0, 0, 1]])
            corners = exact.multiply(halves, corners)
        proof.exactly("triangle", [list(c) for c in pairs.triangle(path)], corners.tolist())
    for _ in proof.tied("20 pairs of points of either sign", range(20)):
        first, second, y, w = [(fmpq(rng.randint(-6, 6), rng.randint(1, 4)), fmpq(rng.randint(-6, 6), rng.randint(1, 4))) for _ in range(4)]
        u, v, x = (gaussian(*z) for z in pairs.parts_at(first, second, y))
        whole = polynomial_at(first, second, w, gaussian(*y))
        proof.exactly("parts_at", u - v * w[0] - x * w[1], whole)
        q = pairs._polynomials(first, second)(float(w[0].p) / float(w[0].q), float(w[1].p) / float(w[1].q))
        at = complex(float(y[0].p) / float(y[0].q), float(y[1].p) / float(y[1].q))
        proof.closely(
            "_polynomials", abs(complex(np.polyval(q, at)) - complex(whole)) / (1 + float(np.abs(q).max()) * (1 + abs(at)) ** 5), 1e-14
        )
        nu = gaussian(abs(first[0]) + 1, first[1])
        mu = (1 - nu.conjugate()) / (nu + 1)
        (c, s), (t, e) = pairs.turn_at((abs(first[0]) + 1, first[1]))
        proof.exactly("turn_at", (gaussian(c, t), s, e), (mu, -t, c))
        both = pairs.pair_of_turns((one, second[1]), (abs(first[0]) + 1, first[1]))
        blocks = [pairs.turn_at((one, second[1])).tolist(), [[c, s], [t, e]]]
        proof.exactly(
            "pair_of_turns", both.tolist(), [*([*row, zero, zero] for row in blocks[0]), *([zero, zero, *row] for row in blocks[1])]
        )
        z = complex(rng.uniform(-9, 9), rng.uniform(-1e-3, 1e-3))
        near = pairs._short(z)
        bits = [
            abs(Fraction(int(a.p), int(a.q)) - Fraction(b)) <= abs(Fraction(b)) / 1024 for a, b in zip(near, (z.real, z.imag), strict=True)
        ]
        proof.exactly("_short: within ten bits", bits, [True, True])
    for path in proof.tied("what is proposed for pieces of 0 to 6 halvings", ("", "0", "1", "01", "0011", "110101")):
        first, second = ((fmpq(5, 38), fmpq(13, 12)), (fmpq(2), fmpq(-3)))
        polynomials = pairs._polynomials(first, second)
        proposed = list(pairs._candidates(polynomials, path))
        middle = [
            float(sum((c[i] for c in pairs.triangle(path)), zero).p) / float(sum((c[i] for c in pairs.triangle(path)), zero).q) / 3
            for i in (0, 1)
        ]
        q = polynomials(middle[0], middle[1])
        for k, piece in enumerate(proposed):
            below = piece.z[1] / 2 if k % 2 else zero
            proof.exactly("_candidates: the real line, then half of the height", (piece.path, piece.low), (path, (piece.z[0], below)))
            value = complex(np.polyval(q, complex(float(piece.low[0].p) / float(piece.low[0].q), float(below.p) / float(below.q))))
            along = complex(float(piece.along[0].p) / float(piece.along[0].q), float(piece.along[1].p) / float(piece.along[1].q))
            # ten bits of either part
            proof.closely("_candidates: in the direction of q", abs(along - value) / abs(value), 2.0**-9)
        at = [complex(float(p.z[0].p) / float(p.z[0].q), float(p.z[1].p) / float(p.z[1].q)) for p in proposed[::2]]
        zeros = [z for z in np.roots(q) if z.imag > 1e-9]
        near = [min((abs(z - x) / abs(z) for x in at), default=1.0) for z in zeros]
        proof.closely("_candidates: each zero above the real line", max(near, default=0.0), 2.0**-9)
    pair = ((fmpq(5, 38), fmpq(13, 12)), (fmpq(2), fmpq(-3)))
    found = pairs.triangulation(*pair) or []
    hold(
        proof,
        "depths 9 to 14, and none given",
        lambda k: pairs.triangulation(*pair, k),
        lambda _: found,
        [(9,), (12,), (13,), (14,)],
        "triangulation: no deeper than needed",
    )
    proof_rows = [(p.path, [gaussian(*x) for x in (p.z, p.low, p.along)]) for p in found]
    for path, (z, low, along) in proof.tied("a triangulation of 22 pieces", proof_rows):
        proof.exactly(
            "below z, and nearer to the real line",
            ((z - low) + (z - low).conjugate() == 0, bool(abs(low.ball().imag) < abs(z.ball().imag))),
            (True, True),
        )
        for corner in pairs.triangle(path):
            q_z, q_low = (polynomial_at(*pair, corner, x) for x in (z, low))
            right = (along.conjugate() * q_low).ball().real
            proof.certified("|q(z)| |along| < Re(conj(along) q(low))", bool(abs(q_z.ball()) * abs(along.ball()) < right))
        others = [p for p, _ in proof_rows if p != path]
        proof.exactly("no piece within another", any(path.startswith(p) for p in others), False)
    for whole in proof.tied("all pieces, and others", [found]):
        proof.exactly("they cover all weights", sum((fmpq(1, 2 ** len(p)) for p, _ in proof_rows), zero), one)
        wrong = [
            whole[0]._replace(low=whole[0].z),
            whole[0]._replace(along=(-whole[0].along[0], -whole[0].along[1])),
            whole[0]._replace(low=whole[-1].low),
            whole[0]._replace(path=""),
        ]
        proof.exactly(
            "excludes: another point, direction or path", [pairs.excludes(*pair, p) for p in (whole[0], *wrong)], [True, *[False] * 4]
        )
    five = ((fmpq(181, 19), fmpq(180, 19)), (fmpq(13, 12), fmpq(5, 12)))
    hold(proof, "depths 0 to 3", pairs.triangulation, lambda *_: None, [(*five, k) for k in range(4)])
