"""The rest of movahedi25, App. D.3.2 and G: Eq. 13, Theorem D.1 and the counts of parameters."""

from __future__ import annotations

from itertools import permutations
from math import factorial, prod
from random import Random

import numpy as np
import sympy
from flint import arb, fmpq

from ...constructions import samples
from ...constructions.recurrence import Recurrence, reachable_with
from ...constructions.signature import Word, nilpotent_flow, signature, words
from ...numerics import exact
from ...numerics.cyclotomic import root_of_unity
from ..claim import claim
from ..evidence import Proof
from ..vandermonde.recall import adjoint
from .expressivity import failure_bound, independent_paths, sufficient_size


def forward(word: Word) -> Word:
    """The order in which the matrices act: the first letter first, A_I = A^{i_n} ... A^{i_1}."""
    return word


@claim(
    "movahedi25.eq13",
    topic="signature",
    place="App. G, Eq. 12 and 13",
    title="the state of a controlled linear equation is the sum of A_I Y_0 S^I over all words",
    says=r"$Y_t=\sum_IA_IY_0\,S^I(\omega)_{[0,t]}$ with $A_I=A^{i_n}\cdots A^{i_1}$ for $I=i_1\cdots i_n$.",
    reading="the text leaves the order in A^I open; the first letter acts first",
    construction="lemmata.constructions.signature.signature",
    sabotages={
        "the last letter acts first": {"order": lambda word: word[::-1]},
        "the pieces of the path are exchanged": {"path": lambda p: p[::-1]},
    },
)
def signature_series(proof: Proof, order=forward, path=lambda p: p) -> None:
    """Picard's iteration; here for strictly upper triangular matrices, for which the series ends and everything is rational."""
    rng = Random(17)
    count = proof.pick(6, 20, 60)
    for n, d in proof.each(
        f"{count} random nilpotent equations, n <= 5, d <= 3, rational piecewise linear paths",
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
        proof.exactly("the flow", nilpotent_flow(increments, matrices, Y), total)


# -- Theorem D.1 -----------------------------------------------------------------------------------------------------------


@claim(
    "movahedi25.thmD.1",
    topic="signature",
    place="Theorem D.1 (informal)",
    title="random low-rank equations of sufficient size approximate any path-to-vector function on compact domains",
    says=r"For every continuous $f$ on a compact set of paths and $\varepsilon>0$ some $N$, $A^i$, $Y_0$, $v$ have $\sup_\omega|f(\omega)-v^\top Y_1(\omega)|<\varepsilon$.",
    reading="the equation (12), which omits the second control, and all paths of bounded variation; continuous in the 1-variation topology",
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
        given={"d": 1, "increments": [[1], [back]], "other path": "constant", "f": "largest value on the way", "values of f": values},
        hypotheses={},
        violates={
            f"the signatures agree to depth {depth}": signature(out, depth) == signature(stay, depth),
            "so do the states of an equation with N = 4": bool(
                np.array_equal(nilpotent_flow(out, matrices, Y), nilpotent_flow(stay, matrices, Y))
            ),
            "f differs": values[0] != values[1],
        },
        minimal="d = 1, two pieces",
    )


def shuffles(a: Word, b: Word) -> list[Word]:
    """All ways to interleave two words, with repetition."""
    if not a or not b:
        return [a + b]
    return [(a[0], *w) for w in shuffles(a[1:], b)] + [(b[0], *w) for w in shuffles(a, b[1:])]


@claim(
    "movahedi25.thmD.1.amended",
    topic="signature",
    place="Theorem D.1 (informal)",
    kind="amended",
    amends="movahedi25.thmD.1",
    title="random equations approximate every combination of signature entries if r_N -> infinity, at any speed, and not if r_N is bounded: log N is arbitrary",
    says=r"With $\operatorname{rank}A^i=r_N\le N$, $\langle\alpha,S(\omega)\rangle$ is approximated uniformly on compact sets, with probability tending to 1, for every $\alpha$, if and only if $r_N\to\infty$. "
    r"The error depends on $\min(N,r_N)$ alone, so no rate such as $\log N$ plays a part; an output of several components takes a readout for each.",
    reading="the laws of Proposition G.2 for the first half, every law for the second; bounded along a subsequence",
    uses=("movahedi25.propG.2", "new.signature.bounded-rank"),
    sabotages={"a rank that stays, however large": {"rank": lambda s: min(s, 10**40)}},
)
def any_growing_rank(proof: Proof, rank=lambda s: s) -> None:
    """The bound of Proposition G.2 tends to 0 with min(N, r): choose the tolerance first, then the size. A sequence r_N that is unbounded and grows meets every size.
    Below, the size for three tolerances; and the error that rank 1 cannot get below, for the same letter and paths."""
    rng = Random(37)
    for digits in proof.each("one letter, |I| = 1, paths of length 1, errors below 10^-1, 10^-2, 10^-4 with as small a failure", (1, 2, 4)):
        small = fmpq(1, 10**digits)
        after, size = sufficient_size(1, 1, fmpq(1), small, small)
        bound = failure_bound(1, 1, fmpq(1), rank(10**size), small, after)
        proof.certified("a finite size suffices", bool(bound <= arb(small)), f"min(N, r) = 10^{size}: {bound}")
    for _ in proof.each("one letter, rank 1, three paths", [0]):
        _, E = independent_paths(rng, 1, 3)
        proof.exactly("1, S^1 and S^11 are independent on three paths, two functions do not reach them", exact.rank(E), 3)


@claim(
    "new.signature.functionals",
    topic="signature",
    place="after movahedi25, Theorem D.1",
    kind="new",
    title="on paths that start at one point and carry the time, that means every continuous functional",
    says=r"On a compact set of paths $(t,\omega_t)$ with $\omega_0=0$ the linear functionals of the signature are dense among the continuous ones, so random equations of rank $r_N\to\infty$ approximate them all.",
    uses=("movahedi25.thmD.1.amended",),
    sabotages={"concatenation for the shuffle": {"product": lambda a, b: [a + b]}, "without time": {"time": fmpq(0)}},
)
def functionals_of_timed_paths(proof: Proof, product=shuffles, time=fmpq(1)) -> None:
    """Products of signature entries are sums of signature entries (shuffles), so linear functionals of the signature are an algebra; with the time as a letter the
    signature separates paths; Stone and Weierstrass give density, and Proposition G.2 the approximation of each linear functional."""
    rng = Random(23)
    count = proof.pick(3, 8, 20)
    for _ in proof.each(f"{count} random rational paths, d = 2, all words I, J of at most 2 letters", range(count)):
        S = signature(samples.integers(rng, 3, 2) * fmpq(1, 2), 4)
        short = words(2, 2)
        same = all(S[a] * S[b] == sum(S[w] for w in product(a, b)) for a in short for b in short)
        proof.holds("S^I S^J is the sum over the shuffles", same)
    for _ in proof.each("the path out and back, with time", [0]):
        half = fmpq(1, 2)
        timed = [signature(exact.rationals([[half * time, x], [half * time, -x]]), 2) for x in (1, 0)]
        proof.holds("the signature tells it from the path that stays", timed[0] != timed[1])
    proof.cites("Hambly and Lyons, Ann. of Math. 171 (2010): the signature determines a path up to tree-like pieces; Stone and Weierstrass")


@claim(
    "movahedi25.thmD.1.diagonal",
    topic="signature",
    place="Theorem D.1 (informal), first half",
    title="with commuting, so with diagonal, matrices the state depends on the end point of the path alone",
    says=r"If the $A^i$ commute, $Y_t=\exp\!\big(\sum_iA^i(\omega^i_t-\omega^i_0)\big)Y_0$: a function of $\omega_t-\omega_0$.",
    reading="App. G proves the second half only; in (12) a filter has nothing to act on, since the control that would be filtered is omitted",
    sabotages={"only the words in order": {"orders": lambda word: [tuple(sorted(word))]}},
)
def diagonal_equations(proof: Proof, orders=lambda word: sorted(set(permutations(word)))) -> None:
    """A_I depends on how often each letter occurs alone, and the S^I of all words with the same letters sum to the product of (increments)^k / k!."""
    rng = Random(29)
    count, most = proof.pick((3, 3), (8, 4), (20, 5))
    for d in proof.each(f"{count} random rational paths, d <= 3, words of at most {most} letters", [1 + k % 3 for k in range(count)]):
        increments = samples.integers(rng, 3, d) * fmpq(1, 3)
        S, end = signature(increments, most), increments.sum(axis=0)
        for word in words(d, most):
            if list(word) == sorted(word):
                uses = [word.count(i + 1) for i in range(d)]
                moved = prod((end[i] ** k / factorial(k) for i, k in enumerate(uses)), start=fmpq(1))
                proof.exactly("words with the same letters", sum((S[w] for w in orders(word)), fmpq(0)), moved)


# -- circulant matrices ----------------------------------------------------------------------------------------------------


def cyclic_shift(m: int, x: int) -> np.ndarray:
    """The circulant m x m matrix that moves coordinate i to i + x."""
    return np.roll(exact.identity(m), x, axis=0)


@claim(
    "movahedi25.appD.circulant",
    topic="signature",
    place="App. D.3.2, before Theorem D.1",
    title="circulant transition matrices are no more expressive than diagonal ones, since they are diagonalised together",
    says=r"A layer with circulant transitions can do no more than one with (real) diagonal transitions, as in Mamba.",
    reading="real diagonals, which is what the paper's Lambda_t is; recognising sums modulo m at every length, in finite precision",
    uses=("grazzi25.thm2",),
    sabotages={"a shift that is not cyclic": {"shift": lambda m, x: np.tril(cyclic_shift(m, x))}, "counting modulo 2": {"modulus": 2}},
)
def circulants_count(proof: Proof, shift=cyclic_shift, modulus: int = 3) -> None:
    """The cyclic shift of three coordinates counts modulo 3, at every length. Its eigenvalues are the third roots of unity: the diagonal form is complex. One layer
    with real eigenvalues has states of period 2 at most (Theorem 2 of grazzi25), so it counts modulo 3 in no finite precision."""
    layer = Recurrence(
        lambda x: shift(modulus, x),
        lambda x: exact.zeros(modulus, 1),
        exact.identity(modulus)[:, :1],
        lambda H, x: int(np.argmax(H[:, 0] != 0)),
    )
    found = reachable_with(layer, lambda q, x: (q + x) % modulus, 0, tuple(range(modulus)), lambda q: q)
    matrices = [shift(modulus, x) for x in range(modulus)]
    proof.counterexample(
        given={"transition for the letter x": "cyclic shift by x of 3 coordinates", "A(1)": matrices[1], "H_0": [1, *[0] * (modulus - 1)]},
        hypotheses={"all transitions are circulant": all(np.array_equal(np.roll(A, (1, 1), axis=(0, 1)), A) for A in matrices)},
        violates={
            "the layer adds modulo m at every length (all reachable pairs)": bool(found.closed and found.mismatch is None),
            "m is not a power of two, so does not divide the period 2 of real diagonals": modulus & (modulus - 1) != 0,
        },
        minimal="one layer of width 3",
    )


@claim(
    "movahedi25.appD.circulant.amended",
    topic="signature",
    place="App. D.3.2, before Theorem D.1",
    kind="amended",
    amends="movahedi25.appD.circulant",
    title="circulant transition matrices are no more expressive than complex diagonal ones: the Fourier matrix diagonalises them all",
    says=r"$F^*CF/n$ is diagonal for every circulant $n\times n$ matrix $C$ and $F_{jk}=e^{2\pi ijk/n}$, so a circulant layer is a complex diagonal layer in another basis.",
    sabotages={"a matrix that is not circulant": {"matrix": lambda n, i: cyclic_shift(n, i) + np.diag([fmpq(k) for k in range(n)])}},
)
def fourier_diagonalises(proof: Proof, matrix=cyclic_shift) -> None:
    """Shifts are a basis of the circulant matrices, and each Fourier vector is an eigenvector of every shift."""
    largest = proof.pick(5, 8, 12)
    for n in proof.every(f"n <= {largest}, all shifts", range(2, largest + 1)):
        F = np.array([[root_of_unity(n, j * k) for k in range(n)] for j in range(n)], dtype=object)
        for i in range(n):
            D = adjoint(F) @ matrix(n, i) @ F
            proof.holds("F* C F is diagonal", all(D[j, k] == 0 for j in range(n) for k in range(n) if j != k))
        proof.exactly("F* F = n I", adjoint(F) @ F, exact.identity(n) * n)


# -- parameters ------------------------------------------------------------------------------------------------------------


@claim(
    "movahedi25.appD.parameters",
    topic="signature",
    place="App. D.3.2, after Theorem D.1",
    title="the map from the token to a mixer of rank r takes O(d r) parameters instead of O(d^3)",
    says=r"With $Q_t=\sum_{i\le r}\alpha_{it}\bar u_{it}\bar u_{it}^\top$ the map $x_t\mapsto Q_t$ needs $O(dr)$ parameters.",
    reading="linear maps W_u_i of App. D.3.2 for the vectors, as for the d^3 of a full mixer; d channels in the token",
    sabotages={"one number to a vector": {"per_vector": 1}},
)
def parameters_of_the_mixer(proof: Proof, per_vector=None) -> None:
    """Each of the r vectors has d entries, each a linear function of d inputs: r d^2, and r d for the coefficients. The mixing itself costs O(d r)."""
    d, r = sympy.symbols("d r", positive=True, integer=True)
    full = d * d**2
    low = d * (r * (d if per_vector is None else per_vector) + r)
    proof.counterexample(
        given={
            "outputs of the map": "r d + r numbers from d",
            "parameters": str(sympy.factor(low)),
            "of a full mixer": str(full),
            "d = 128, r = 4": int(low.subs({d: 128, r: 4})),
        },
        hypotheses={"a full mixer counts d^3 in the same way": full == d**3},
        violates={"parameters / (d r) is unbounded": sympy.limit(low / (d * r), d, sympy.oo) == sympy.oo},
        how="symbolic",
        minimal="every r >= 1",
    )


@claim(
    "movahedi25.appD.parameters.amended",
    topic="signature",
    place="App. D.3.2, after Theorem D.1",
    kind="amended",
    amends="movahedi25.appD.parameters",
    title="the map to a mixer of rank r takes d r (d + 1) parameters, O(d^2 r), and mixing 2 d r multiplications and r more",
    says=r"$x_t\mapsto(u_{it},\alpha_{it})_{i\le r}$ has $dr(d+1)$ parameters; $y\mapsto\sum_i\alpha_iu_i(u_i^\top y)$ takes $(2d+1)r$ multiplications.",
    sabotages={"the products u u^T are formed": {"mix": "dense"}},
)
def counted_mixer(proof: Proof, mix: str = "by vectors") -> None:
    """Counted on numbers that count their own multiplications."""
    largest = proof.pick(3, 5, 8)
    for d in proof.every(f"d, r <= {largest}", range(1, largest + 1)):
        for r in range(1, largest + 1):
            maps = [np.ones((d, d), dtype=object) for _ in range(r)] + [np.ones((1, d), dtype=object) for _ in range(r)]
            proof.exactly("parameters", sum(m.size for m in maps), d * r * (d + 1))
            count = [0]
            u, alpha, y = (np.array([_Counting(1, count) for _ in range(size)], dtype=object) for size in (d * r, r, d))
            for i in range(r):
                v = u[i * d : (i + 1) * d]
                result = v * (alpha[i] * (v @ y)) if mix == "by vectors" else np.outer(v, v) @ y * alpha[i]
                proof.exactly("one entry for each channel", len(result), d)
            proof.exactly("multiplications", count[0], (2 * d + 1) * r)


class _Counting:
    """A number that counts the multiplications it takes part in."""

    def __init__(self, value: int, count: list[int]):
        self.value, self.count = value, count

    def __mul__(self, other: _Counting) -> _Counting:
        self.count[0] += 1
        return _Counting(self.value * other.value, self.count)

    def __add__(self, other: _Counting) -> _Counting:
        return _Counting(self.value + other.value, self.count)
