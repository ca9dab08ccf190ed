"""Entries that are not Gaussian (movahedi25, Remark G.3)."""

from __future__ import annotations

from itertools import product

import numpy as np
import sympy
from flint import fmpq

from ...constructions.signature import squared_error
from ...numerics import exact
from ..claim import claim
from ..evidence import Proof
from .moments import double_factorial

N, R, Q = sympy.symbols("N r q", positive=True)


def log_normal_moment(k: int) -> int:
    """E xi^(2k) = 2^(k(k-1)) for xi = +- exp(s g - s^2), a random sign, g standard Gaussian and 2 s^2 = ln 2: variance 1, all moments finite."""
    return 2 ** (k * (k - 1))


@claim(
    "movahedi25.rmkG.3",
    topic="signature",
    place="Remark G.3",
    title="the bound of Eq. 15 extends to heavy-tailed symmetric entries of W and M whose even moments are finite",
    says=r"If $W$ and $M$ have i.i.d. centred symmetric entries of variance 1 with all even moments finite, then $\|X_{IJ}-\delta_{IJ}\|_{L^2}\le(\kappa(|I|+|J|))!!\,c_N$ for some $\kappa$ and $c_N\to0$.",
    reading="the remark says that the proof carries over; the proof is the bound (15). Whether Proposition G.2 itself survives is not decided here",
    sabotages={"Gaussian entries": {"even_moment": lambda k: double_factorial(2 * k - 1)}},
)
def heavy_tails(proof: Proof, even_moment=log_normal_moment) -> None:
    """Symmetric entries make every monomial's mean nonnegative, so E X^2 for I = J = 1^n is at least that of the one monomial (w m)^(4n) y^4 / (N^2 (N r)^2n).
    Log-normal moments grow like exp(n^2), faster than any (kappa n)!!; so no finite c_N will do, for any N and r."""
    found = {}
    for size in (1, 10, 1000):
        for kappa in (1, 2, 4, 20):
            for n in range(1, 400, 3):
                below = fmpq(3 * even_moment(2 * n) ** 2) / (fmpq(size) ** (2 + 4 * n))
                # ||X||_2 - 1 is a lower bound of the error
                if below > (10**6 * double_factorial(2 * kappa * n) + 1) ** 2:
                    found[size, kappa] = n
                    break
    proof.counterexample(
        given={
            "entries": "random sign times exp(s g - s^2), 2 s^2 = ln 2: E xi^2k = 2^(k(k-1))",
            "I = J": "1^n",
            "n from which the L2 error exceeds 10^6 (2 kappa n)!!, for N = r and kappa": {
                f"N = {s}, kappa = {k}": n for (s, k), n in found.items()
            },
        },
        hypotheses={"the variance is 1": even_moment(1) == 1},
        violates={"the bound fails for c_N = 10^6, N = r = 1, 10, 1000 and kappa = 1, 2, 4, 20": len(found) == 12},
        minimal="I = J = 1^n, symmetric log-normal entries",
    )


def second_moment(q: sympy.Expr) -> sympy.Expr:
    """E X_11^2 for independent entries of W and M with mean 0, variance 1, third moment 0 and fourth moment q, and Gaussian Y_0.

    For a matrix Z of such entries with n rows and a fixed v, E |Zv|^4 = n (n + 2) |v|^4 + n (q - 3) sum v_i^4; that sum has its own mean, by the fourth moment.
    """
    norm, fourth = N * (N + 2), 3 * N  # E |Y|^4, E sum Y_i^4
    for rows in (R, N):
        norm, fourth = rows * (rows + 2) * norm + rows * (q - 3) * fourth, rows * (3 * norm + (q - 3) * fourth)
    return sympy.expand(norm / (N**2 * (N * R) ** 2))


def second_moment_by_signs(n: int, r: int) -> fmpq:
    """E X_11^2 for random signs, all of them in turn; over Y it is ((tr B)^2 + 2 tr B^2) / (N^2 (N r)^2), B = M W'W M'."""
    total = fmpq(0)
    for w in product((-1, 1), repeat=n * r):
        W = np.array(w, dtype=object).reshape(n, r)
        for m in product((-1, 1), repeat=n * r):
            M = np.array(m, dtype=object).reshape(n, r)
            B = M @ (W.T @ W) @ M.T
            total += fmpq(int(np.trace(B)) ** 2 + 2 * int(np.trace(B @ B)))
    return total / (fmpq(4) ** (n * r) * n**4 * r**2)


@claim(
    "movahedi25.rmkG.3.amended",
    topic="signature",
    place="Remark G.3",
    kind="amended",
    amends="movahedi25.rmkG.3",
    title="for each pair of words the overlaps converge for all symmetric entries of variance 1 with finite moments; for one letter the second moment depends on the fourth moment alone",
    says=r"If $W$ and $M$ have i.i.d. symmetric entries of variance 1 with finite moments, $X_{IJ}\to\delta_{IJ}$ in $L^2$ for $N,r\to\infty$ and each $I$, $J$ (not uniformly). With fourth moment $q$, "
    r"$\mathbb E[X_{11}^2]=(1+\frac2N)^2(1+\frac2r)+(q-3)\,(\dots)$, a polynomial in $q$, $\frac1N$, $\frac1r$ with value $1$ at $\frac1N=\frac1r=0$.",
    sabotages={"a fourth moment of 3 for random signs": {"signs": 3}, "variance 2": {"variance": 2}},
)
def each_pair_converges(proof: Proof, signs: int = 1, variance: int = 1) -> None:
    """A monomial in the entries has a nonnegative mean, and the Gaussian one if every entry occurs in it twice at most. Monomials in which some entry occurs four times
    make up O(1/min(N, r)) of the Gaussian sum: in the identity pairing two loops must coincide, and all other pairings cost a factor in any case. Replacing
    Gaussian moments changes them by bounded factors. So the limits are the Gaussian ones."""
    formula = second_moment(Q) * variance**4
    gaussian = 1 + squared_error((1,), (1,)).in_symbols(N, R)
    proof.symbolically("at q = 3 the Gaussian formula", formula.subs(Q, 3), sympy.expand(gaussian), free="N, r")
    proof.symbolically("the limit", sympy.limit(sympy.limit(formula, R, sympy.oo), N, sympy.oo), 1, free="q")
    inverse = sympy.Poly(sympy.expand(formula.subs({N: 1 / N, R: 1 / R})), N, R)
    proof.symbolically("a polynomial in 1/N and 1/r, with value 1 at 0", inverse.eval({N: 0, R: 0}), 1, free="q")
    sizes = proof.pick([(1, 1), (1, 2), (2, 1)], [(1, 1), (1, 2), (2, 1), (2, 2)], [(1, 1), (1, 3), (3, 1), (2, 2), (2, 3)])
    for n, r in proof.every("all random signs, (N, r) = " + ", ".join(map(str, sizes)), sizes):
        value = sympy.Rational(str(second_moment_by_signs(n, r)))
        proof.exactly("random signs, q = 1", exact.rational(str(value)), exact.rational(str(formula.subs({Q: signs, N: n, R: r}))))
