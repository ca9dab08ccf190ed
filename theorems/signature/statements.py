"""Eq. 13 and Theorem D.1 of movahedi25, and what the theorem can mean (App. D.3.2, G)."""

from __future__ import annotations

from itertools import permutations
from math import factorial, prod
from random import Random

import numpy as np
import sympy
from flint import fmpq

from ...constructions import samples
from ...constructions.signature import Word, nilpotent_flow, signature, words
from ...numerics import exact
from ..claim import claim
from ..evidence import Proof
from .expressivity import FORGETFUL, long_words, short_words, suffices, sufficient_size


def forward(word: Word) -> Word:
    """The order in which the matrices act: the first letter first, A_I = A^{i_n} ... A^{i_1}."""
    return word


@claim(
    "movahedi25.eq13",
    place="App. G, Eq. 12 and 13",
    title="the state of a controlled linear equation is the sum over all words I of A(I) Y₀ S(I)",
    says=r"$Y_t=\sum_IA_IY_0\,S^I(\omega)_{[0,t]}$ with $A_I=A^{i_n}\cdots A^{i_1}$ for $I=i_1\cdots i_n$.",
    reading="the text leaves the order in A^I open; the first letter acts first",
    construction="lemmata.constructions.signature.signature",
    sabotages={
        "the last letter acts first": {"order": lambda word: word[::-1]},
        "the pieces of the path are exchanged": {"path": lambda p: p[::-1]},
    },
)
def signature_series(proof: Proof, order=forward, path=lambda p: p) -> None:
    r"""Picard's iteration.

    1. $Y_t=Y_0+\sum_i\int_0^tA^iY_sd\omega^i_s$, inserted into itself, gives $A^{i_n}\cdots A^{i_1}Y_0$ times the iterated integral in which $i_1$ is innermost; the remainder after $n$ rounds is bounded by $(\max\|A^i\|L)^n/n!$. [prose]
    2. For strictly upper triangular matrices the series ends and everything is rational: the sum over words is the flow, piece by piece of the path. [checked: "the flow"]
    """
    rng, moving = Random(17), 0
    count = proof.pick(6, 20, 60)
    for n, d in proof.each(
        f"{count} random nilpotent equations, n <= 5, d <= 3, rational piecewise linear paths, seed 17",
        [(2 + k % 4, 1 + k % 3) for k in range(count)],
    ):
        matrices = [np.triu(samples.integers(rng, n, n), 1) * fmpq(1) for _ in range(d)]
        Y = samples.integers(rng, n, 1)
        increments = samples.integers(rng, 3, d) * fmpq(1, 2)
        total = exact.zeros(n, 1)
        for word, S in signature(path(increments), n - 1).items():
            state = Y
            for letter in order(word):
                state = matrices[letter - 1] @ state
            total = total + state * S
        flow = nilpotent_flow(increments, matrices, Y)
        proof.exactly("the flow", flow, total)
        moving += not np.array_equal(flow, Y)
        if n <= 3:
            proof.certificate("witness", f"n = {n}, d = {d}", matrices=matrices, Y=Y[:, 0], increments=increments)
    proof.holds("most of the equations move", moving > count // 2)


# -- Theorem D.1 -----------------------------------------------------------------------------------------------------------


@claim(
    "movahedi25.thmD.1",
    place="Theorem D.1 (informal), second half",
    title="random equations whose matrices have rank about log N approximate every linear functional of the signature",
    says=r"With $r_N=\lfloor\log N\rfloor$ and the laws of Proposition G.2, $\langle\alpha,S(\omega)\rangle$ is approximated by linear readouts of (12), uniformly on compact sets of paths, with probability tending to $1$, for every $\alpha$.",
    reading="'expressive universality' in the sense of App. G (Definition G.1), to which the theorem refers: functionals of the path are limits of linear combinations of signature entries. "
    "For 'any Path-to-Vector function' see movahedi25.thmD.1.every-path; an output of several components takes a readout for each",
    sabotages={"a rank that stays": {"rank": lambda exponent: 10**6}} | FORGETFUL,
)
def logarithmic_rank(proof: Proof, rank=lambda exponent: exponent, short=short_words, long=long_words) -> None:
    r"""The bound of Proposition G.2 tends to $0$ with $\min(N,r)$, and $\log N\to\infty$.

    1. For a tolerance and a probability of failure there is a size $s$ beyond which the bound is small enough. [uses: movahedi25.propG.2]
    2. $N=e^s$ units have $\min(N,\log N)=s$: finite, and large. For three tolerances the bound at that size is summed in rationals. [checked: "2/eps sum (dL)^n/n! sqrt(P_n/s)"; "all words longer than n_0"]
    3. The same for every tolerance, every word and every number of letters. [prose]
    """
    for digits in proof.each("one letter, |I| = 1, paths of length 1, errors below 10^-1, 10^-2, 10^-4 with as small a failure", (1, 2, 4)):
        small = fmpq(1, 10**digits)
        after, size = sufficient_size(1, 1, fmpq(1), small, small, short, long)
        suffices(proof, 1, 1, fmpq(1), rank(10**size), small, small, after)


@claim(
    "movahedi25.thmD.1.every-path",
    place="Theorem D.1 (informal)",
    flaw="remark",
    quotes=("they can approximate any Path-to-Vector function arbitrarily well on compact domains",),
    title="'any Path-to-Vector function' is more than App. G shows: (12) does not see a path that goes out and the same way back",
    says=r"For every continuous $f$ on a compact set of paths and $\varepsilon>0$ some $N$, $A^i$, $Y_0$, $v$ have $\sup_\omega|f(\omega)-v^\top Y_1(\omega)|<\varepsilon$.",
    reading="the equation (12), which omits the second control 'for simplicity', and all paths of bounded variation; continuous in the 1-variation topology",
    letter="A remark: 'any Path-to-Vector function' is more than App. G shows for (12), whose second control is omitted for simplicity. A path that goes out and "
    "back has the signature of a path that stays. For paths that carry the time and start at one point the sentence is true of continuous functions.",
    remarks=("The theorem is called informal, and a footnote of App. G says that a term is omitted for simplicity. So this is a remark.",),
    sabotages={"the way back is longer": {"back": -2}, "the functional of the end point": {"functional": lambda path: abs(sum(path))}},
)
def out_and_back(proof: Proof, back: int = -1, functional=lambda path: max([0, *np.cumsum(path)])) -> None:
    """A path that goes out and the same way back has the signature of the path that stays: e^-A e^A = I. So Y_1 = Y_0 for both, for every N, A and Y_0, but
    the largest value, which is continuous, is 1 for the one and 0 for the other: one of the two is missed by 1/2 at least. (Nor does Y_1 see a path
    moved by a constant.)"""
    depth = 8
    out = exact.rationals([[1], [back]])
    stay = exact.rationals([[0]])
    rng = Random(3)
    matrices = [np.triu(samples.integers(rng, 4, 4), 1) * fmpq(1)]
    Y = samples.integers(rng, 4, 1)
    values = [functional([1, back]), functional([0])]
    proof.counterexample(
        given={
            "d": 1,
            "increments": [[1], [back]],
            "other path": "constant",
            "A": matrices[0],
            "Y_0": Y[:, 0],
            "f": "largest value on the way",
            "values of f": values,
        },
        words={
            "signatures": signature(out, depth) == signature(stay, depth),
            "states": bool(np.array_equal(nilpotent_flow(out, matrices, Y), nilpotent_flow(stay, matrices, Y))),
            "values": values[0] != values[1],
        },
        minimal="d = 1, two pieces",
    )
    proof.certificate(
        "witness",
        "increments of a path, against the constant path",
        increments=[fmpq(1), fmpq(back)],
        values=[fmpq(int(x)) for x in values],
    )


def shuffles(a: Word, b: Word) -> list[Word]:
    """All ways to interleave two words, with repetition."""
    if not a or not b:
        return [a + b]
    return [(a[0], *w) for w in shuffles(a[1:], b)] + [(b[0], *w) for w in shuffles(a, b[1:])]


@claim(
    "new.signature.any-rate",
    place="after movahedi25, Theorem D.1",
    title="random equations approximate every signature entry iff their rank tends to infinity, at any speed: log N is arbitrary",
    says=r"With $\operatorname{rank}A^i=r_N\le N$, $\langle\alpha,S(\omega)\rangle$ is approximated uniformly on compact sets, with probability tending to 1, for every $\alpha$, if $r_N\to\infty$, at any speed, and not if $r_N$ is bounded along a subsequence.",
    known="Proposition G.2 has the first half, without a rate; the paper's Theorem D.1 names log N, and Remark G.4 leaves the second half open.",
    reading="the laws of Proposition G.2 for the first half, every law for the second",
    sabotages={
        "a rank that stays, however large": {"rank": lambda s: min(s, 10**40)},
        "paths that depend on each other": {"paths": lambda: [[1], [1], [2]]},
    }
    | FORGETFUL,
)
def any_growing_rank(proof: Proof, rank=lambda s: s, short=short_words, long=long_words, paths=lambda: [[1], [2], [3]]) -> None:
    r"""The bound of Proposition G.2 depends on $\min(N,r)$ alone; choose the tolerance first, then the size.

    1. A sequence $r_N\to\infty$ meets every size, however slowly it grows. [uses: movahedi25.propG.2] [checked: "2/eps sum (dL)^n/n! sqrt(P_n/s)"]
    2. If $r_N\le r$ for infinitely many $N$, expressivity fails along these $N$. [uses: new.signature.bounded-rank]
    3. For one letter and $r=1$ the entries $1$, $S^1$, $S^{11}$ are independent on three paths, and two functions cannot reach them. [checked: "1, S^1 and S^11 are independent on three paths"]
    4. The same for every word and rank. [prose]
    """
    for digits in proof.each("two letters, |I| = 1, paths of length 1, errors below 10^-1, 10^-3 with as small a failure", (1, 3)):
        small = fmpq(1, 10**digits)
        after, size = sufficient_size(1, 2, fmpq(1), small, small, short, long)
        suffices(proof, 1, 2, fmpq(1), rank(10**size), small, small, after)
    for _ in proof.each("one letter, rank 1, three paths", [0]):
        signatures = [signature(exact.rationals([p]), 2) for p in paths()]
        E = np.array([[S[w] for S in signatures] for w in ((), (1,), (1, 1))], dtype=object)
        proof.exactly("1, S^1 and S^11 are independent on three paths, two functions do not reach them", exact.rank(E), 3)


@claim(
    "movahedi25.thmD.1.amended",
    place="Theorem D.1 (informal)",
    amends="movahedi25.thmD.1.every-path",
    title="on paths that start at one point and carry the time, random equations approximate every continuous functional",
    says=r"On a compact set of paths $(t,\omega_t)$ with $\omega_0=0$ the linear functionals of the signature are dense among the continuous ones, so random equations of rank $r_N\to\infty$ approximate them all.",
    sabotages={"concatenation for the shuffle": {"product": lambda a, b: [a + b]}, "without time": {"time": fmpq(0)}},
)
def functionals_of_timed_paths(proof: Proof, product=shuffles, time=fmpq(1)) -> None:
    r"""Linear functionals of the signature are an algebra that separates such paths.

    1. Products of signature entries are sums of signature entries, over the shuffles of the words. [checked: "S^I S^J is the sum over the shuffles"]
    2. With the time as a coordinate the signature determines the path. [cited: Hambly and Lyons, Ann. of Math. 171 (2010)] [checked: "the signature tells it from the path that stays"]
    3. So linear functionals of the signature are dense among the continuous functionals. [cited: Stone and Weierstrass]
    4. Each of them is approximated by random equations. [uses: new.signature.any-rate]
    """
    rng = Random(23)
    count = proof.pick(3, 8, 20)
    for _ in proof.each(f"{count} random rational paths, d = 2, all words I, J of at most 2 letters, seed 23", range(count)):
        increments = samples.integers(rng, 3, 2) * fmpq(1, 2)
        S = signature(increments, 4)
        short = words(2, 2)
        same = all(S[a] * S[b] == sum(S[w] for w in product(a, b)) for a in short for b in short)
        proof.holds("S^I S^J is the sum over the shuffles", same)
        proof.holds("the paths move", any(S[w] != 0 for w in short if w))
        proof.certificate("witness", "increments of a path in the plane", increments=increments)
    for _ in proof.each("the path out and back, with time", [0]):
        half = fmpq(1, 2)
        timed = [signature(exact.rationals([[half * time, x], [half * time, -x]]), 2) for x in (1, 0)]
        proof.holds("the signature tells it from the path that stays", timed[0] != timed[1])
    proof.cites("Hambly and Lyons, Ann. of Math. 171 (2010): the signature determines a path up to tree-like pieces; Stone and Weierstrass")


@claim(
    "movahedi25.thmD.1.diagonal",
    place="Theorem D.1 (informal), first half",
    title="with commuting, so with diagonal, matrices in (12) the state depends on the end point of the path alone",
    says=r"If the $A^i$ commute, $Y_t=\exp\!\big(\sum_iA^i(\omega^i_t-\omega^i_0)\big)Y_0$: a function of $\omega_t-\omega_0$.",
    reading="App. G proves the second half only; in (12) a filter has nothing to act on, since the control that would be filtered is omitted",
    sabotages={"only the words in order": {"orders": lambda word: [tuple(sorted(word))]}},
)
def diagonal_equations(proof: Proof, orders=lambda word: sorted(set(permutations(word)))) -> None:
    r"""$A_I$ depends on how often each letter occurs, and nothing else.

    1. If the $A^i$ commute, $A_I=\prod_i(A^i)^{k_i}$, $k_i$ the uses of the letter $i$ in $I$. [prose]
    2. The entries $S^I$ of all words with the same letters sum to $\prod_i(\omega^i_t-\omega^i_0)^{k_i}/k_i!$ (shuffles of one letter with itself). [checked: "words with the same letters"]
    3. So (13) is the exponential series of $\sum_iA^i(\omega^i_t-\omega^i_0)$. [prose]
    """
    rng = Random(29)
    count, most = proof.pick((3, 3), (8, 4), (20, 5))
    for d in proof.each(
        f"{count} random rational paths, d <= 3, words of at most {most} letters, seed 29", [1 + k % 3 for k in range(count)]
    ):
        increments = samples.integers(rng, 3, d) * fmpq(1, 3)
        S, end = signature(increments, most), increments.sum(axis=0)
        proof.certificate("witness", f"d = {d}", increments=increments)
        proof.holds(
            "the path moves, and words of every length are gone through", bool(np.any(increments != 0)) and len(words(d, most)) > most
        )
        for word in words(d, most):
            if list(word) == sorted(word):
                uses = [word.count(i + 1) for i in range(d)]
                moved = prod((end[i] ** k / factorial(k) for i, k in enumerate(uses)), start=fmpq(1))
                proof.exactly("words with the same letters", sum((S[w] for w in orders(word)), fmpq(0)), moved)


@claim(
    "movahedi25.appG.xi",
    place="App. G, footnote on the omitted term",
    title="an equation with driving terms is an equation (12) with one more dimension, so the omitted term adds no functionals",
    says=r"$dY=\sum_i(A^iY+b^i)\,d\omega^i$ iff $Z=(Y,1)$ solves $dZ=\sum_i\begin{pmatrix}A^i&b^i\\0&0\end{pmatrix}Z\,d\omega^i$; so every linear readout of the one is a linear readout of the other.",
    reading="of 'the results and proof change minimally' the part that can be decided; a control of its own, such as the time, is one more letter with A = 0",
    remarks=(
        "The matrices with a row of zeros are not distributed as in Proposition G.2; that the proof carries over is the authors' word.",
    ),
    sabotages={"the driving term goes to the constant": {"last": lambda b: b}, "no constant": {"constant": 0}},
)
def one_more_dimension(proof: Proof, last=lambda b: 0 * b, constant: int = 1) -> None:
    r"""The rows of the larger equation, read off.

    1. The upper rows give $A^iY+b^i$, the last row $0$, so the last entry stays $1$. [checked: "the upper rows"; "the last row"]
    2. The solution of the larger equation is unique, so it is $(Y,1)$. [prose]
    """
    for n in proof.every("dimension 1, 2, 3, entries free", (1, 2, 3), limited=True):
        A = sympy.Matrix(n, n, lambda i, j: sympy.Symbol(f"a{i}{j}"))
        b, Y = (sympy.Matrix([sympy.Symbol(f"{name}{i}") for i in range(n)]) for name in "by")
        larger = sympy.Matrix(
            n + 1, n + 1, lambda i, j, A=A, b=b, n=n: A[i, j] if i < n and j < n else b[i] if i < n else last(b[0]) if j == n else 0
        )
        Z = sympy.Matrix([*Y, constant])
        proof.exactly("the upper rows are A Y + b", list((larger * Z)[:n, 0].expand()), list((A * Y + b).expand()), free="A, b, Y")
        proof.exactly("the last row is 0", (larger * Z)[n, 0], 0, free="A, b, Y")
