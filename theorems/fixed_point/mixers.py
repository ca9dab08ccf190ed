"""Which mixers contract, and which mix: two factors of Eq. 10, circulant matrices (movahedi25, App. D.3.2)."""

from __future__ import annotations

from random import Random

import numpy as np
import sympy
from flint import fmpq

from ...constructions import samples
from ...constructions.fixed_point import ungated
from ...constructions.householder import GeneralizedHouseholder, product
from ...numerics import exact
from ...numerics.exact import Array
from ...numerics.peak_gain import norm_is_below
from ..claim import claim
from ..evidence import Proof


def _mixer(alpha: fmpq, u: Array, v: Array) -> Array:
    """Q = (I - 2 alpha u u^T)(I - 2 alpha v v^T) with u and v normalised."""
    return product([GeneralizedHouseholder(u, 2 * alpha), GeneralizedHouseholder(v, 2 * alpha)], len(u))


@claim(
    "new.fixed-point.two-reflections",
    topic="fixed_point",
    place="Eq. 10, r = 2",
    kind="new",
    title="two factors with the same alpha contract for all vectors iff alpha < 2/5, not only if 2 alpha < 1/2",
    says=r"For $Q=(I-2\alpha uu^\top)(I-2\alpha vv^\top)$, $0<\alpha<\frac12$: $\|I-Q\|<1$ for all unit $u,v$ in every dimension iff $\alpha<\frac25$; at $\alpha=\frac25$ equality for $u\cdot v=\frac34$.",
    uses=("movahedi25.eq10.amended",),
    sabotages={"alpha < 9/20": {"limit": fmpq(9, 20)}, "alpha < 1/4": {"limit": fmpq(1, 4)}},
)
def two_reflections(proof: Proof, limit: fmpq = fmpq(2, 5)) -> None:
    """In the plane of u and v, with a = 2 alpha and x = (u.v)^2, (1 - s^2)(1 - t^2) = (a^2 x - p/2)^2 + a (4 - 5a)(2 - a)^2/4 for the singular values s, t of
    I - Q and p = 3a^2 - 4a + 2; and s t = a^2 (1 - x) < 1. If a < 4/5 the right side is positive for all x, so s, t < 1. If a >= 4/5 then x = p/(2 a^2) <= 1
    makes it 0 or negative, so one of them is at least 1."""
    a, c = sympy.symbols("a c", positive=True)
    s = sympy.sqrt(1 - c**2)
    u, v = sympy.Matrix([1, 0]), sympy.Matrix([c, s])
    M = sympy.eye(2) - (sympy.eye(2) - a * u * u.T) * (sympy.eye(2) - a * v * v.T)
    p = 3 * a**2 - 4 * a + 2
    proof.symbolically("det (I - Q) = a^2 (1 - x)", M.det(), a**2 * (1 - c**2), "alpha, u, v")
    wanted = (a**2 * c**2 - p / 2) ** 2 + a * (4 - 5 * a) * (2 - a) ** 2 / 4
    proof.symbolically("det(I - (I - Q)^T (I - Q)), completed to a square", (sympy.eye(2) - M.T * M).det(), wanted, "alpha, u, v")
    proof.symbolically(
        "p <= 2 a^2 between 2 - sqrt 2 < 4/5 and 2 + sqrt 2", p - 2 * a**2, (a - 2 + sympy.sqrt(2)) * (a - 2 - sympy.sqrt(2)), "alpha"
    )
    # u.v = 3/4 without a square root
    e, w = exact.unit_vector(5, 0), exact.rationals([3, 2, 1, 1, 1])
    for alpha in proof.each("u.v = 3/4, alpha = k/40 <= 2/5", [fmpq(k, 40) for k in range(1, 17)]):
        contracts = norm_is_below(exact.identity(5) - _mixer(alpha, e, w), fmpq(1))
        proof.exactly("contracts iff alpha is below the limit", contracts, alpha < limit)
    rng, count = Random(81), proof.pick(20, 80, 400)
    for _ in proof.each(f"{count} rational u, v with d <= 4, alpha just below the limit", range(count)):
        d = rng.randint(1, 4)
        Q = _mixer(limit * fmpq(999, 1000), samples.nonzero_vector(rng, d), samples.nonzero_vector(rng, d))
        proof.holds("||I - Q|| < 1", norm_is_below(exact.identity(d) - Q, fmpq(1)))


@claim(
    "movahedi25.appD3.circulant",
    topic="fixed_point",
    place="App. D.3.2, second paragraph",
    title="circulant mixers do not make the layer more expressive than a diagonal one, since circulant matrices are co-diagonalizable",
    says=r"If all $Q_t$ are circulant, the transitions $Q_t^{-1}\Lambda_t$ are co-diagonalizable.",
    reading="for the mixer Q, of which the paragraph chooses the structure; for the transition A itself the sentence is right",
    sabotages={"the same decay for all channels": {"decays": (("1/2", "1/2"), ("1/4", "1/4"))}},
)
def circulant_times_diagonal(proof: Proof, decays=(("1/2", "1/4"), ("1/4", "1/2"))) -> None:
    """One circulant Q and two decays: the products differ, and matrices that are diagonal in one basis commute."""
    Q = exact.rationals([["3/4", "1/4"], ["1/4", "3/4"]])
    first, second = (ungated(d, Q, [0, 0]).dense()[0] for d in decays)
    proof.counterexample(
        given={"Q": Q, "Lambda_1, Lambda_2": decays, "A_1 A_2": first @ second, "A_2 A_1": second @ first},
        hypotheses={
            "Q is circulant": Q[0, 0] == Q[1, 1] and Q[0, 1] == Q[1, 0],
            "||I - Q|| < 1": norm_is_below(exact.identity(2) - Q, fmpq(1)),
        },
        violates={"the transitions do not commute": not np.array_equal(first @ second, second @ first)},
        minimal="d = 2",
    )
