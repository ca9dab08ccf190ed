"""Entries that are not Gaussian (movahedi25, Remark G.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product

import numpy as np
import sympy
from flint import fmpq

from ...constructions.signature import Word, overlap_moment, squared_error, word_pairs
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
    title="Proposition G.2 holds for W and M with i.i.d. centred, symmetric entries of variance 1 with finite even moments",
    says=r"If $W$ and $M$ have i.i.d. centred symmetric entries of variance 1 with all even moments finite, random equations with $r_N\to\infty$ achieve maximal probabilistic expressivity for compact sets.",
    reading="the remark's 'it is possible to prove'; heavy tails as far as all moments are finite",
    uses=("movahedi25.rmkG.3.amended",),
    sabotages={"variance 2": {"variance": 2}},
)
def other_laws(proof: Proof, variance: int = 1) -> None:
    r"""Known: each pair of words converges. Not known: a bound for all long words at once, which must not be (15).

    1. For one letter the second moment is a polynomial in $1/N$, $1/r$ and the fourth moment with value $1$ at $0$. [checked: "the limit for one letter"]
    2. (15) fails for log-normal entries (movahedi25.rmkG.3.bound), and the norm estimate of movahedi25.propG.2.tail uses Gaussian tails; with finite moments alone the norms still converge (Bai and Yin), so a tail estimate is plausible.
    """
    proof.symbolically(
        "the limit for one letter", sympy.limit(sympy.limit(second_moment(Q) * variance**4, R, sympy.oo), N, sympy.oo), 1, free="q"
    )
    proof.lacks("a bound for all long words at once that holds for entries with finite moments only")


@claim(
    "movahedi25.rmkG.3.bound",
    topic="signature",
    place="Remark G.3",
    kind="finding",
    of="movahedi25.rmkG.3",
    flaw="gap",
    title="the bound (15), on which the proof of Proposition G.2 rests, does not extend to symmetric entries with finite moments",
    says=r"If $W$ and $M$ have i.i.d. centred symmetric entries of variance 1 with all even moments finite, then $\|X_{IJ}-\delta_{IJ}\|_{L^2}\le(\kappa(|I|+|J|))!!\,c_N$ for some $\kappa$ and $c_N\to0$.",
    reading="the remark says that the proof carries over; the proof is the bound (15). Whether Proposition G.2 itself survives is movahedi25.rmkG.3",
    letter="Remark G.3 cannot rest on (15): for symmetric log-normal entries of variance 1, whose moments E xi^2k = 2^(k(k-1)) are all finite, the L2 error for I = J = 1...1 grows faster than every (kappa n)!!, for all N and r. "
    "Each single pair of words converges; what is missing is a bound for all long words at once.",
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
    for (size, kappa), n in found.items():
        proof.certificate("witness", f"N = r = {size}, kappa = {kappa}", size=size, kappa=kappa, n=n, constant=10**6)


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
    amends="movahedi25.rmkG.3.bound",
    title="for pairs of two letters at most in all the overlaps converge, for all symmetric entries with finite moments",
    says=r"If $W$ and $M$ have i.i.d. symmetric entries of variance 1 with finite moments, $X_{IJ}\to\delta_{IJ}$ in $L^2$ for $N,r\to\infty$ and $|I|+|J|\le2$. With fourth moment $q$, "
    r"$\mathbb E[X_{11}^2]$ is a polynomial in $q$, $\frac1N$, $\frac1r$ with value $1$ at $\frac1N=\frac1r=0$, and $(1+\frac2N)^2(1+\frac2r)$ at $q=3$.",
    reading="Gaussian Y_0, as in Proposition G.2",
    remarks=("That each pair of longer words converges follows from the same count of coinciding indices; it is not computed here.",),
    sabotages={
        "a fourth moment of 3 for random signs": {"signs": 3},
        "variance 2": {"variance": 2},
        "no word is looked at": {"pairs": lambda total: iter(())},
    },
)
def each_pair_converges(proof: Proof, signs: int = 1, variance: int = 1, pairs=word_pairs) -> None:
    r"""A monomial in the entries has the mean of its multiplicities, and coinciding indices cost factors of $N$ or $r$.

    1. Group the indices by which of them coincide: $\mathbb E[X_{IJ}^k]$ is a finite sum of (number of index tuples of that pattern) times (product of moments of the multiplicities), divided by $N^k(Nr)^{km/2}$. [prose]
    2. All patterns for $|I|+|J|\le2$ and $k=1,2$ are summed, with the moments of the entries as symbols: polynomials in $1/N$, $1/r$ with the constant term $\delta_{IJ}$, so $\mathbb E[(X_{IJ}-\delta_{IJ})^2]\to0$.
       [checked: "no positive power of N or r, whatever the moments"; "the constant term is delta_IJ"; "the pattern sums count all tuples"]
    3. With Gaussian moments they are the sums over pairings, by another route. [checked: "Gaussian moments give the sum over pairings"]
    4. For one letter the second moment depends on the fourth moment of the entries alone, and at $q=1$ it is the mean over all sign matrices. [checked: "the formula for one letter"; "at q = 3 the Gaussian formula"; "random signs, q = 1"]
    """
    for total in proof.every("all words with |I| + |J| <= 2", range(3), limited=False):
        proof.holds("there are words of every length", bool(list(pairs(total))))
        for I, J in pairs(total):
            for copies in (1, 2):
                found = moment_by_patterns(I, J, copies, variance)
                inverse = sympy.expand(found.subs({N: 1 / N, R: 1 / R}, simultaneous=True))
                proof.holds("no positive power of N or r, whatever the moments", inverse.is_polynomial(N, R))
                proof.symbolically("the constant term is delta_IJ", inverse.subs({N: 0, R: 0}), int(I == J), free="moments of the entries")
                gaussian = found.subs(dict(zip(MOMENTS[2:], (3, 15, 105), strict=True)))
                proof.symbolically(
                    "Gaussian moments give the sum over pairings", gaussian, overlap_moment(I, J, copies).in_symbols(N, R), free="N, r"
                )
                counted = pattern_sum(I, J, copies, lambda uses: 1).subs({N: 2, R: 3})
                proof.exactly("the pattern sums count all tuples", int(counted), tuples(I, J, copies))
    formula = second_moment(Q) * variance**4
    proof.symbolically(
        "the formula for one letter", moment_by_patterns((1,), (1,), 2, variance), formula.subs(Q, MOMENTS[2]), free="N, r, q"
    )
    gaussian = 1 + squared_error((1,), (1,)).in_symbols(N, R)
    proof.symbolically("at q = 3 the Gaussian formula", formula.subs(Q, 3), sympy.expand(gaussian), free="N, r")
    sizes = proof.pick([(1, 1), (1, 2), (2, 1)], [(1, 1), (1, 2), (2, 1), (2, 2)], [(1, 1), (1, 3), (3, 1), (2, 2), (2, 3)])
    for n, r in proof.every("all random signs, (N, r) = " + ", ".join(map(str, sizes)), sizes):
        value = second_moment_by_signs(n, r)
        expected = exact.rational(str(formula.subs({Q: signs, N: n, R: r})))
        proof.exactly("random signs, q = 1", exact.rational(str(value)), expected)
        proof.certificate("witness", f"all random signs, N = {n}, r = {r}", N=n, r=r, mean=expected)


#: E xi^(2k) of the entries of W and M for k = 0, 1, ...; what is not 1 is free
MOMENTS = (sympy.Integer(1), sympy.Integer(1), *sympy.symbols("q m6 m8", positive=True))


def partitions(items: list) -> Iterator[list[int]]:
    """All ways to group the items, as the number of each one's group, in order of first use."""

    def extended(groups: list[int], used: int) -> Iterator[list[int]]:
        if len(groups) == len(items):
            yield groups
            return
        for g in range(used + 1):
            yield from extended([*groups, g], max(used, g + 1))

    yield from extended([], 0)


def _places(I: Word, J: Word, copies: int) -> tuple[list, list, list]:
    """(N-places, r-places, factors) of the product of ``copies`` overlaps; a factor is (matrix, its N-place, its r-place or None)."""
    rows, columns, factors = [], [], []
    for c in range(copies):
        top = (c, "top")
        rows.append(top)
        for side, word in enumerate((I, J)):
            at = [*((c, side, k) for k in range(len(word))), top]
            rows += at[:-1]
            factors.append(("Y", at[0], None))
            for k, letter in enumerate(word):
                columns.append((c, side, k))
                factors += [(f"M{letter}", at[k], columns[-1]), (f"W{letter}", at[k + 1], columns[-1])]
    return rows, columns, factors


def pattern_sum(I: Word, J: Word, copies: int, mean: Callable[[Counter], sympy.Expr]) -> sympy.Expr:
    """The sum over all index tuples of ``mean`` of the multiplicities of the entries (matrix, row, column) in their product.

    Goes through the patterns of coinciding indices: one with a groups of N-places and b of r-places stands for N (N-1) ... r (r-1) ... tuples.
    """
    rows, columns, factors = _places(I, J, copies)
    total: dict[tuple[int, int], sympy.Expr] = {}
    for p in partitions(rows):
        row = dict(zip(rows, p, strict=True))
        for s in partitions(columns):
            column = dict(zip(columns, s, strict=True)) | {None: -1}
            value = mean(Counter((name, row[x], column[a]) for name, x, a in factors))
            if value != 0:
                key = (len(set(p)), len(set(s)))
                total[key] = total.get(key, 0) + value
    return sympy.expand(sympy.expand_func(sympy.Add(*(c * sympy.ff(N, a) * sympy.ff(R, b) for (a, b), c in total.items()))))


def moment_by_patterns(I: Word, J: Word, copies: int, variance: int = 1) -> sympy.Expr:
    """E[X_IJ^copies] with the even moments of the entries of W and M as symbols, odd ones 0, and Y_0 Gaussian."""

    def mean(uses: Counter) -> sympy.Expr:
        if any(k % 2 for k in uses.values()):
            return sympy.Integer(0)
        return sympy.Mul(
            *(double_factorial(k - 1) if name == "Y" else MOMENTS[k // 2] * variance ** (k // 2) for (name, _, _), k in uses.items())
        )

    scale = N**copies * (N * R) ** sympy.Rational(copies * (len(I) + len(J)), 2)
    return sympy.expand(pattern_sum(I, J, copies, mean) / scale)


def tuples(I: Word, J: Word, copies: int) -> int:
    """How many tuples of indices there are for N = 2, r = 3."""
    rows, columns, _ = _places(I, J, copies)
    return 2 ** len(rows) * 3 ** len(columns)
