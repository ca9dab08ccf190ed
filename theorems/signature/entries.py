"""Entries that are not Gaussian (movahedi25, Remark G.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from random import Random

import numpy as np
import sympy
from flint import arb, fmpq

from ...constructions import samples
from ...constructions.signature import Word, overlap_moment, squared_error, word_pairs, words
from ...numerics import exact
from ...numerics.aliases import Exact
from ...numerics.wick import pairings
from ..claim import claim
from ..evidence import Proof
from .expressivity import norm_squared
from .moments import double_factorial

N, R, Q = sympy.symbols("N r q", positive=True)


def log_normal_moment(k: int) -> int:
    """E xi^(2k) = 2^(k(k-1)) for xi = +- exp(s g - s^2), a random sign, g standard Gaussian and 2 s^2 = ln 2: variance 1, all moments finite."""
    return 2 ** (k * (k - 1))


@claim(
    "movahedi25.rmkG.3",
    place="Remark G.3",
    title="Proposition G.2 holds for W and M with i.i.d. centred, symmetric entries of variance 1 with finite even moments",
    says=r"If $W$ and $M$ have i.i.d. centred symmetric entries of variance 1 with all even moments finite, random equations with $r_N\to\infty$ achieve maximal probabilistic expressivity for compact sets.",
    reading="the remark's 'it is possible to prove'; heavy tails as far as all moments are finite; Gaussian Y_0",
    remarks=(
        "Symmetry is not used. The printed route is: the bound (15) fails for such entries (movahedi25.rmkG.3.bound), so long words need norms in place of moments.",
        "No rate follows from it: an estimate of the mean of a norm gives a failure probability of 1/T and no better.",
    ),
    sabotages={
        "the last letter is forgotten": {"by_norms": lambda W, M, Y, word: norms_of_letters(W, M, Y, word[:-1])},
        "every letter counts as three": {"growth": 3},
    },
)
def other_laws(proof: Proof, by_norms: Callable | None = None, growth: int = 1) -> None:
    r"""One event on which every word is bounded geometrically, by norms of finitely many matrices; what is left are finitely many words, each of which converges.

    1. For a matrix $B$ of $a$ rows and a random matrix $A$ of $b$ columns whose independent entries have mean 0 and bounded moments, $\mathbb E\|BA\|\le C\|B\|(\sqrt a+\sqrt b)$, whatever the size between them.
       [cited: Vershynin, Probab. Theory Related Fields 150 (2011), Theorem 1.1]
    2. So $\mathbb E\|W\|\le C(\sqrt N+\sqrt r)$; for $r\le N$, given $M$, $\mathbb E\|M^\top W\|\le C\,\mathbb E\|M\|\,2\sqrt r\le C'\sqrt{Nr}$; for $r\ge N$, given $W$, $\mathbb E\|WM^\top\|\le C\,\mathbb E\|W\|\,2\sqrt N\le C'\sqrt{Nr}$. [prose]
       And $\mathbb E|M^\top Y_0|^2=Nr$, $\mathbb E|Y_0|^2=N$.
    3. By Markov's inequality, with probability at least $1-\frac{c}T$, $c$ depending on $d$ and the law alone, all of these for the $d$ letters are at most $T$ times their scale. [prose]
    4. For $r\le N$ write $A_JY_0$ by $W/\sqrt N$, the $M^\top W/\sqrt{Nr}$ and $M^\top Y_0/\sqrt{Nr}$, [uses: movahedi25.propG.2.tail] for $r\ge N$ by the $WM^\top/\sqrt{Nr}$: [checked: "X_JJ is at most the product of squared norms"] on that event $X_{JJ}\le T^{2|J|+2}$
       for every word, and $|X_{IJ}|\le\sqrt{X_{II}X_{JJ}}\le T^{|I|+|J|+2}$. [prose]
    5. $\sum_n\frac{L^n}{n!}T^{|I|+n+2}<\infty$. [checked: "the quotient of consecutive terms"] Given a probability $\delta$ choose $T$, then $n_0$ beyond which the words contribute $\frac\varepsilon2$ at most on the event, for all $N$ at once.
    6. The words of at most $n_0$ letters are finitely many, and $X_{IJ}\to\delta_{IJ}$ in $L^2$ for each. [uses: movahedi25.rmkG.3.amended] So the error is below $\varepsilon$ with probability at least $1-2\delta$ from some $N$ on. [uses: movahedi25.propG.2]
    """
    bound = by_norms or norms_of_letters
    rng = Random(47)
    # heavy tails: mostly +-1, now and then +-20
    for n, r in proof.each("matrices with entries +-1 and +-20, d = 2, words of one or two letters, (N, r) = (2, 4), seed 47", [(2, 4)]):
        W, M = ([_heavy(rng, n, r) for _ in range(2)] for _ in range(2))
        Y = samples.integers(rng, n, 1)
        for word in words(2, 2)[1:]:
            state = Y
            for letter in word:
                state = W[letter - 1] @ (M[letter - 1].T @ state)
            overlap = (state.T @ state)[0, 0] / fmpq(n * (n * r) ** len(word))
            proof.certified(
                "X_JJ is at most the product of squared norms", bool(arb(overlap) <= bound(W, M, Y, word) * (1 + arb(10) ** -9))
            )
    k, x, T = sympy.symbols("k x T", positive=True)
    term = (T**growth * x) ** k * T**2 / sympy.gamma(k + 1)
    proof.symbolically(
        "the quotient of consecutive terms", sympy.gammasimp(term.subs(k, k + 1) / term), T * x / (k + 1), free="n, x = L, T"
    )
    proof.cites(
        "Vershynin, Spectral norm of products of random and deterministic matrices, Probab. Theory Related Fields 150 (2011) 471-509, Theorem 1.1"
    )


def _heavy(rng: Random, n: int, r: int) -> np.ndarray:
    return np.array([[fmpq(rng.choice((-1, 1)) * (20 if rng.random() < 0.15 else 1)) for _ in range(r)] for _ in range(n)], dtype=object)


def norms_of_letters(W: list[np.ndarray], M: list[np.ndarray], Y: np.ndarray, word: Word) -> arb:
    """|W M'|^2/(N r) for each letter times |Y|^2/N: bounds X_JJ."""
    N, r = W[0].shape
    value = arb((Y.T @ Y)[0, 0]) / N
    for letter in word:
        value = value * norm_squared(W[letter - 1] @ M[letter - 1].T) / (N * r)
    return value


@claim(
    "movahedi25.rmkG.3.bound",
    place="Remark G.3",
    flaw="gap",
    quotes=("heavy tailed distribution given finiteness of even moments",),
    title="the bound (15), on which the proof of Proposition G.2 rests, does not extend to symmetric entries with finite moments",
    says=r"If $W$ and $M$ have i.i.d. centred symmetric entries of variance 1 with all even moments finite, then $\|X_{IJ}-\delta_{IJ}\|_{L^2}\le(\kappa(|I|+|J|))!!\,c_N$ for some $\kappa$ and $c_N\to0$.",
    reading="the remark says that the proof carries over; the proof is the bound (15). Whether Proposition G.2 itself survives is movahedi25.rmkG.3",
    letter="Remark G.3 cannot rest on (15). Symmetric log-normal entries of variance 1 have the finite even moments 2^(k(k-1)). Yet the L2 error for I = J = "
    "1...1 grows faster than every (kappa n)!!. Each pair of words converges, and norms of W and M'W bound all long words at once, so the proposition "
    "itself survives.",
    sabotages={"Gaussian entries": {"even_moment": lambda k: double_factorial(2 * k - 1)}},
)
def heavy_tails(proof: Proof, even_moment=log_normal_moment) -> None:
    """Symmetric entries make every monomial's mean nonnegative, so E X^2 for I = J = 1^n is at least that of the one monomial (w m)^(4n) y^4 / (N^2 (N r)^2n).
    Log-normal moments grow like exp(n^2), faster than any (kappa n)!!; so no finite c_N will do, for any N and r."""
    found = {}
    for size in (1, 10, 1000):
        for kappa in (1, 2, 4, 20):
            for n in range(1, 100, 3):
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
        words={"variance": even_moment(1) == 1, "fails": len(found) == 12},
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


#: values and probabilities, mean 0 and variance 1: random signs, and a law that is not symmetric (third moment 3/2)
SIGNS = ((fmpq(1), fmpq(1, 2)), (fmpq(-1), fmpq(1, 2)))
SKEW = ((fmpq(2), fmpq(1, 5)), (fmpq(-1, 2), fmpq(4, 5)))


def second_moment_by_law(n: int, r: int, law=SIGNS) -> fmpq:
    """E X_11^2 over all matrices with entries of the law, weighted; over Y it is ((tr B)^2 + 2 tr B^2) / (N^2 (N r)^2), B = M W'W M'."""
    total = fmpq(0)
    for draw in product(law, repeat=2 * n * r):
        entries = [value for value, _ in draw]
        W, M = (np.array(half, dtype=object).reshape(n, r) for half in (entries[: n * r], entries[n * r :]))
        B = M @ (W.T @ W) @ M.T
        total += np.prod([weight for _, weight in draw]) * (np.trace(B) ** 2 + 2 * np.trace(B @ B))
    return total / (n**4 * r**2)


@claim(
    "movahedi25.rmkG.3.amended",
    place="Remark G.3",
    amends="movahedi25.rmkG.3.bound",
    title="for centred entries with finite moments every overlap converges, in mean square at the rate 1/min(N, r)",
    says=r"If $W$ and $M$ have i.i.d. centred entries of variance 1 with finite moments, $\mathbb E[(X_{IJ}-\delta_{IJ})^2]\le C_{IJ}/\min(N,r)$ for all words, $C_{IJ}$ depending on the words and the moments alone. With fourth moment $q$, "
    r"$\mathbb E[X_{11}^2]$ is a polynomial in $q$, $\frac1N$, $\frac1r$ with value $1$ at $\frac1N=\frac1r=0$, and $(1+\frac2N)^2(1+\frac2r)$ at $q=3$.",
    reading="Gaussian Y_0, as in Proposition G.2",
    sabotages={
        "a fourth moment of 3 for random signs": {"fourth": lambda law: 3},
        "variance 2": {"variance": 2},
        "no word is looked at": {"pairs": lambda total: iter(())},
        "entries that need not be centred": {"least": 1},
    },
)
def each_pair_converges(
    proof: Proof,
    fourth=lambda law: sum(weight * value**4 for value, weight in law),
    variance: int = 1,
    pairs=word_pairs,
    least: int = 2,
) -> None:
    r"""A monomial in the entries has the mean of its multiplicities, no entry may occur just once, and so coinciding indices cost factors of $N$ or $r$.

    1. Group the indices by which of them coincide: $\mathbb E[X_{IJ}^k]$ is a finite sum of (number of index tuples of that pattern) times (product of moments of the multiplicities), divided by $N^k(Nr)^{km/2}$, $m=|I|+|J|$. A pattern of $a$ groups of
       $N$-places and $b$ of $r$-places has at most $N^ar^b$ tuples, and mean 0 unless every entry occurs twice or more. [prose]
    2. Each of the $km$ $r$-places lies at one $W$. The $W$ at a group of one place would occur once; so $b\le\frac{km}2$. Each $N$-place but the $k$ tops lies at one $M$, so likewise $a\le k+\frac{km}2$. Hence no pattern has a positive power of $N$ or $r$: for all words with
       $m\le2$ all patterns are summed, with the third and fourth moments as symbols. [checked: "no positive power of N or r, whatever the moments"; "the pattern sums count all tuples"]
    3. If $a$ and $b$ are both the largest, each top is alone and all other groups are pairs. A top has two $W$, which must be one entry: their $r$-places are a pair, of one letter; its two $M$ must be one entry, so their $N$-places are a pair; and so on down, until the two $Y$ meet.
       So that is the identity pattern, all of whose entries occur twice: it is there for $I=J$ alone, and its mean is 1. [checked: "the constant term is delta_IJ"; "one leading pattern iff I = J"]
    4. With $k=1$ and $2$: $\mathbb E[(X_{IJ}-\delta_{IJ})^2]=\mathbb E[X_{IJ}^2]-2\delta_{IJ}\mathbb E[X_{IJ}]+\delta_{IJ}$ has no constant term, and finitely many others. [prose]
    5. With Gaussian moments the sums are those over pairings, by another route. [checked: "Gaussian moments give the sum over pairings"]
    6. For one letter the second moment depends on the fourth moment of the entries alone, also for a law that is not symmetric: it is the mean over all matrices of two laws. [checked: "the formula for one letter"; "at q = 3 the Gaussian formula"; "all matrices of a law"]
    """
    for total in proof.every("all words with |I| + |J| <= 2, all patterns", range(3)):
        proof.holds("there are words of every length", bool(list(pairs(total))))
        for I, J in pairs(total):
            for copies in (1, 2):
                found = moment_by_patterns(I, J, copies, variance)
                inverse = sympy.expand(found.subs({N: 1 / N, R: 1 / R}, simultaneous=True))
                proof.holds("no positive power of N or r, whatever the moments", inverse.is_polynomial(N, R))
                proof.symbolically("the constant term is delta_IJ", inverse.subs({N: 0, R: 0}), int(I == J), free="moments of the entries")
                gaussian = found.subs({MOMENTS[3]: 0, MOMENTS[4]: 3})
                proof.symbolically(
                    "Gaussian moments give the sum over pairings", gaussian, overlap_moment(I, J, copies).in_symbols(N, R), free="N, r"
                )
                counted = pattern_sum(I, J, copies, lambda uses: 1).subs({N: 2, R: 3})
                proof.exactly("the pattern sums count all tuples", int(counted), tuples(I, J, copies))
    single, double = proof.pick((4, 2), (6, 4), (6, 4))
    for copies, most in proof.every(
        f"leading patterns, |I| + |J| <= {single} for one copy and <= {double} for two", [(1, single), (2, double)]
    ):
        for I, J in (pair for total in range(1, most + 1) for pair in pairs(total)):
            proof.exactly("one leading pattern iff I = J", leading_patterns(I, J, copies, least), int(I == J))
    formula = second_moment(Q) * variance**4
    proof.symbolically(
        "the formula for one letter",
        moment_by_patterns((1,), (1,), 2, variance),
        formula.subs(Q, MOMENTS[4]),
        free="N, r, third and fourth moments",
    )
    gaussian = 1 + squared_error((1,), (1,)).in_symbols(N, R)
    proof.symbolically("at q = 3 the Gaussian formula", formula.subs(Q, 3), sympy.expand(gaussian), free="N, r")
    sizes = proof.pick([(1, 1), (1, 2), (2, 1)], [(1, 1), (1, 2), (2, 1), (2, 2)], [(1, 1), (1, 3), (3, 1), (2, 2), (2, 3)])
    cases = [(SIGNS, size) for size in sizes] + [(SKEW, size) for size in ((1, 1), (1, 2), (2, 1))]
    for law, (n, r) in proof.every("two laws, all matrices, (N, r) = " + ", ".join(map(str, sizes)), cases):
        expected = exact.rational(str(formula.subs({Q: exact.as_text(fourth(law)), N: n, R: r})))
        proof.exactly("all matrices of a law", second_moment_by_law(n, r, law), expected)
        proof.certificate(
            "witness", f"N = {n}, r = {r}, values {law[0][0]} and {law[1][0]}", N=n, r=r, law=[list(x) for x in law], mean=expected
        )


#: E xi^k of the entries of W and M for k = 0, 1, ..., 4; the third and the fourth are free
MOMENTS = (sympy.Integer(1), sympy.Integer(0), sympy.Integer(1), sympy.Symbol("t", real=True), sympy.Symbol("q", positive=True))


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


def pattern_sum(I: Word, J: Word, copies: int, mean: Callable[[Counter], Exact]) -> sympy.Expr:
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
    """E[X_IJ^copies] with the third and fourth moment of the entries of W and M as symbols, and Y_0 Gaussian; |I| + |J| <= 2, copies <= 2."""

    def mean(uses: Counter) -> sympy.Expr:
        if any(k == 1 or (name == "Y" and k % 2) for (name, _, _), k in uses.items()):
            return sympy.Integer(0)
        return sympy.Mul(
            *(double_factorial(k - 1) if name == "Y" else MOMENTS[k] * variance ** sympy.Rational(k, 2) for (name, _, _), k in uses.items())
        )

    scale = N**copies * (N * R) ** sympy.Rational(copies * (len(I) + len(J)), 2)
    return sympy.expand(pattern_sum(I, J, copies, mean) / scale)


def leading_patterns(I: Word, J: Word, copies: int, least: int = 2) -> int:
    """How many patterns have every top alone, all other places in pairs, and each entry ``least`` times or more.

    The N-places are paired as their r-places are: the two M of a pair of r-places have to be one entry.
    """
    rows, columns, factors = _places(I, J, copies)
    above = {column: row for name, row, column in factors if name.startswith("M")}
    letter = {column: name[1:] for name, _, column in factors if name.startswith("M")}
    if len(columns) % 2:
        return 0
    found = 0
    for pairing in pairings(range(len(columns))):
        joined = [(columns[a], columns[b]) for a, b in pairing]
        if least > 1 and any(letter[x] != letter[y] for x, y in joined):
            continue
        column = {x: i for i, pair in enumerate(joined) for x in pair} | {None: None}
        row: dict = {top: top for top in rows if top[1] == "top"}
        row |= {above[x]: i for i, pair in enumerate(joined) for x in pair}
        uses = Counter((name, row[x], column[a]) for name, x, a in factors)
        found += all(k >= least for k in uses.values())
    return found


def tuples(I: Word, J: Word, copies: int) -> int:
    """How many tuples of indices there are for N = 2, r = 3."""
    rows, columns, _ = _places(I, J, copies)
    return 2 ** len(rows) * 3 ** len(columns)
