"""When the iteration in depth contracts over sequences of every length (movahedi25, Theorem 2.1 and its proof, App. F.1)."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import sympy
from flint import fmpq

from ...constructions import samples
from ...constructions.fixed_point import Token, diagonal_layer, gated, gated_by_modulus, ungated
from ...numerics import exact
from ...numerics.exact import Array
from ...numerics.peak_gain import gain_is_below, norm_is_below, peak_gain, toeplitz
from ..claim import claim
from ..evidence import Proof


def _diagonal(entries: Array) -> Array:
    return exact.block_diagonal(np.array([[x]], dtype=object) for x in entries)


def contraction_with_norm(rng: Random, d: int, norm: fmpq) -> Array:
    """A rational matrix whose largest singular value is ``norm``: an orthogonal matrix, singular values, an orthogonal matrix."""
    values = [norm, *(norm * samples.fraction(rng) for _ in range(d - 1))]
    return exact.multiply(samples.orthogonal(rng, d), _diagonal(exact.rationals(values)), samples.orthogonal(rng, d))


def decays(rng: Random, d: int, low: int = 0) -> Array:
    """Rationals in [low, 1), 0 and values near 1 (and near -1) included."""
    pool = [fmpq(0), fmpq(1, 3), fmpq(1, 2), fmpq(9, 10), fmpq(99, 100)]
    pool = pool if low == 0 else pool + [-x for x in pool]
    return np.array([rng.choice(pool) for _ in range(d)], dtype=object)


def loop_matrix(tokens: list[Token]) -> Array:
    """The linear part of h -> f(h) as one matrix, shape (T d, T d)."""
    d, length = len(tokens[0].decay), len(tokens)
    silent = [Token(t.decay, t.gate, t.mixer, t.drive * 0) for t in tokens]
    columns = [diagonal_layer(silent, exact.unit_vector(length * d, k).reshape(length, d)).reshape(-1) for k in range(length * d)]
    return np.array(columns, dtype=object).T


# -- Theorem 2.1 ----------------------------------------------------------------------------------------------------------


@claim(
    "movahedi25.thm2.1",
    topic="fixed_point",
    place="Theorem 2.1",
    title="with the input gate I - Lambda, contractive Lambda and I - Q make f contract in h",
    says=r"If $\|\Lambda\|<1$ and $\|I-Q\|<1$ then $h\mapsto f_\theta(x,h)$ has Lipschitz constant below 1.",
    reading="Lambda is only asked to be contractive, so its entries may be negative",
    construction="lemmata.constructions.fixed_point.gated",
    sabotages={"decays that are not negative": {"sign": 1}},
)
def negative_decays_amplify(proof: Proof, sign: int = -1) -> None:
    """With d = T = 1 the map is h -> (1 - lambda)(1 - q) h, and 1 - lambda > 1 for negative lambda."""
    grid = [(sign * fmpq(a, n), 1 - fmpq(b, n)) for n in range(2, 5) for a in range(n) for b in range(n)]
    found = proof.smallest(
        "d = T = 1, Lambda and 1 - Q with denominators 2, 3, 4", grid, lambda c: loop_matrix([gated([c[0]], [[c[1]]], [0])])[0, 0] >= 1
    )
    if found:
        (decay, mixer), _ = found
        factor = loop_matrix([gated([decay], exact.rationals([[mixer]]), [0])])[0, 0]
        low, _ = peak_gain(exact.rationals([[decay]]), exact.rationals([[factor]]), 3)
        proof.counterexample(
            given={"Lambda": decay, "Q": mixer, "f(h) - f(h') over h - h'": factor, "Lipschitz constant over all lengths, at least": low},
            hypotheses={"|Lambda| < 1": abs(decay) < 1, "|1 - Q| < 1": abs(1 - mixer) < 1},
            violates={"the Lipschitz constant is not below 1": abs(factor) >= 1},
            minimal="d = T = 1",
        )
        proof.certificate("not-below-one", "f lengthens differences", matrix=[[factor]], vector=[1], strict=abs(factor) > 1)


@claim(
    "movahedi25.thm2.1.amended",
    topic="fixed_point",
    place="Theorem 2.1",
    kind="amended",
    amends="movahedi25.thm2.1",
    title="for 0 <= Lambda < 1 the least Lipschitz constant over all lengths is exactly ||I - Q||",
    says=r"For $0\le\Lambda<1$ and every $T$ the Lipschitz constant of $f_\theta$ in $h$ is at most $\|I-Q\|$, and the supremum over $T$ is $\|I-Q\|$.",
    hypotheses=("Lambda and Q do not depend on the input",),
    construction="lemmata.numerics.peak_gain.gain_is_below",
    sabotages={"no input gate": {"layer": ungated}, "Lambda down to -1": {"low": -1}},
)
def gain_is_the_norm(proof: Proof, layer=gated, low: int = 0) -> None:
    """The transfer function is (I - z Lambda)^-1 (I - Lambda)(I - Q). Each gate passes frequency e^(i theta) with
    (1 - lambda)/|1 - lambda e^(i theta)| <= 1, and frequency 0 with 1: there the transfer function is I - Q."""
    lam, theta = sympy.symbols("lambda theta", real=True)
    passed = (1 - lam * sympy.cos(theta)) ** 2 + (lam * sympy.sin(theta)) ** 2
    proof.symbolically(
        "|1 - lambda e^(i theta)|^2 - (1 - lambda)^2 = 2 lambda (1 - cos theta)",
        passed - (1 - lam) ** 2,
        2 * lam * (1 - sympy.cos(theta)),
        "lambda, theta",
    )
    rng = Random(21)
    count, longest = proof.pick((15, 3), (50, 4), (200, 6))
    above = 1 + fmpq(1, 10**9)
    for _ in proof.each(f"{count} rational Lambda and Q, d <= 3, ||I - Q|| known; all T by Sturm, T <= {longest} besides", range(count)):
        d, norm = rng.randint(1, 3), fmpq(rng.randint(1, 9), 10)
        F = contraction_with_norm(rng, d, norm)
        token = layer(decays(rng, d, low), exact.identity(d) - F, exact.zeros(d))
        A = _diagonal(token.decay)
        proof.holds("the gain over all lengths is below ||I - Q|| (1 + 10^-9)", gain_is_below(A, token.feedback, norm * norm * above))
        proof.holds("and not below ||I - Q||", not gain_is_below(A, token.feedback, norm * norm))
        T = rng.randint(1, longest)
        M = toeplitz(A, token.feedback, T)
        proof.holds("no length exceeds it", norm_is_below(M, norm * norm * above))
        if len(proof.certificates) < 3:
            proof.certificate("contraction", f"f, divided by ||I - Q||, over {T} steps", matrix=M / norm)


@claim(
    "new.fixed-point.signed-gain",
    topic="fixed_point",
    place="after Theorem 2.1",
    kind="new",
    title="for decays of any sign the constant is at most max (1 - lambda)/(1 - |lambda|) ||I - Q||, and some Q attains it",
    says=r"For $\|\Lambda\|<1$ the Lipschitz constant over all lengths is at most $\max_i\frac{1-\lambda_i}{1-|\lambda_i|}\,\|I-Q\|$, with equality for $I-Q=\gamma I$; "
    r"so $\lambda=-0.9$, $\|I-Q\|=0.95$ amplify $18.05$ times.",
    uses=("movahedi25.thm2.1.amended",),
    sabotages={"the factor of lambda >= 0": {"factor": lambda x: fmpq(1)}, "1/(1 - |lambda|)": {"factor": lambda x: 1 / (1 - abs(x))}},
)
def signed_decays(proof: Proof, factor=lambda x: (1 - x) / (1 - abs(x))) -> None:
    """|1 - z lambda| >= 1 - |lambda|, with equality at z = sign(lambda)."""
    rng, count = Random(22), proof.pick(12, 40, 150)
    above = 1 + fmpq(1, 10**9)
    cases = [(exact.rationals(["-9/10"]), fmpq(19, 20))]
    cases += [(decays(rng, rng.randint(1, 3), -1), fmpq(rng.randint(1, 9), 10)) for _ in range(count)]
    for decay, norm in proof.each(f"{len(cases)} rational Lambda with entries of both signs, d <= 3, all T by Sturm", cases):
        d, A = len(decay), _diagonal(decay)
        bound = (max(factor(x) for x in decay) * norm) ** 2
        worst = gated(decay, exact.identity(d) * (1 - norm), exact.zeros(d)).feedback
        proof.holds("I - Q = gamma I: the gain is below the bound times 1 + 10^-9", gain_is_below(A, worst, bound * above))
        proof.holds("and not below it", not gain_is_below(A, worst, bound))
        other = gated(decay, exact.identity(d) - contraction_with_norm(rng, d, norm), exact.zeros(d)).feedback
        proof.holds("any other Q: the gain is below the bound times 1 + 10^-9", gain_is_below(A, other, bound * above))


@claim(
    "new.fixed-point.modulus-gate",
    topic="fixed_point",
    place="after Theorem 2.1",
    kind="new",
    title="the input gate I - |Lambda| contracts for decays of any sign: the constant is at most ||I - Q||",
    says=r"For $\|\Lambda\|<1$ and the gate $I-|\Lambda|$ the Lipschitz constant over all lengths is at most $\|I-Q\|$.",
    construction="lemmata.constructions.fixed_point.gated_by_modulus",
    sabotages={"the gate I - Lambda": {"layer": gated}},
)
def modulus_gate(proof: Proof, layer=gated_by_modulus) -> None:
    """(1 - |lambda|)/|1 - z lambda| <= 1 on the circle."""
    rng, count = Random(23), proof.pick(15, 50, 200)
    for _ in proof.each(f"{count} rational Lambda with entries of both signs and Q, d <= 3, all T by Sturm", range(count)):
        d, norm = rng.randint(1, 3), fmpq(rng.randint(1, 9), 10)
        token = layer(decays(rng, d, -1), exact.identity(d) - contraction_with_norm(rng, d, norm), exact.zeros(d))
        bound = norm * norm * (1 + fmpq(1, 10**9))
        proof.holds("the gain is below ||I - Q|| (1 + 10^-9)", gain_is_below(_diagonal(token.decay), token.feedback, bound))


# -- the printed proof ----------------------------------------------------------------------------------------------------


def _powers(decay: list[fmpq], t: int) -> list[fmpq]:
    """The diagonal of sum_{tau <= t} Lambda^(t - tau)."""
    return [sum((x**k for k in range(t + 1)), fmpq(0)) for x in decay]


@claim(
    "movahedi25.appF1.neumann",
    topic="fixed_point",
    place="App. F.1, the display after the Neumann series",
    title="||sum Lambda^k|| ||I - Lambda|| <= 1 for contractive Lambda",
    says=r"$\bigl\|\sum_{\tau\le t}\Lambda^{t-\tau}\bigr\|\cdot\|I-\Lambda\|\le1$ whenever $\|\Lambda\|<1$.",
    reading="entries in [0, 1), where the theorem is true; the printed series is bounded by I - Lambda, read as its inverse",
    sabotages={"equal entries": {"entries": ((0, 0), ("1/2", "1/2"))}},
)
def norms_of_factors(proof: Proof, entries=((0,), ("1/2",), (0, 0), (0, "1/2"))) -> None:
    """The two norms are attained by different channels; only the product, taken channel by channel, is at most 1."""
    cases = [(exact.rationals(e).tolist(), t) for e in entries for t in range(3)]
    found = proof.smallest("Lambda, then t", cases, lambda c: max(_powers(*c)) * max(1 - x for x in c[0]) > 1)
    if found:
        (decay, t), _ = found
        value = max(_powers(decay, t)) * max(1 - x for x in decay)
        channels = [p * (1 - x) for p, x in zip(_powers(decay, t), decay, strict=True)]
        proof.counterexample(
            given={"Lambda": f"diag({', '.join(map(str, decay))})", "t": t, "the product of norms": value, "channel by channel": channels},
            hypotheses={"0 <= Lambda < 1": all(0 <= x < 1 for x in decay)},
            violates={"the product of norms exceeds 1": value > 1},
            minimal="d = 2, t = 1",
        )


@claim(
    "movahedi25.appF1.cauchy",
    topic="fixed_point",
    place="App. F.1, after Eq. 11",
    title="the sum over time is bounded by the norm of the sum of the powers",
    says=r"$\bigl\|\sum_\tau\Lambda^{t-\tau}(I-\Lambda)(I-Q)\delta_\tau\bigr\|\le\bigl\|\sum_\tau\Lambda^{t-\tau}\bigr\|\,\|I-\Lambda\|\,\|I-Q\|\,\|\delta_{\le t}\|$.",
    sabotages={"decays that are not negative": {"sign": 1}},
)
def alternating_differences(proof: Proof, sign: int = -1) -> None:
    """For negative lambda the powers cancel in their sum, but not against differences of alternating sign."""
    cases = [(sign * fmpq(1, n), delta) for n in (2, 3) for delta in product((-1, 0, 1), repeat=2) if any(delta)]

    def sides(c: tuple[fmpq, tuple[int, int]]) -> tuple[fmpq, fmpq]:
        decay, delta = c
        return (decay * delta[0] + delta[1]) ** 2, (1 + decay) ** 2 * sum(x * x for x in delta)

    found = proof.smallest("d = 1, T = 2, Lambda = -1/2, -1/3, differences in {-1, 0, 1}", cases, lambda c: sides(c)[0] > sides(c)[1])
    if found:
        c, _ = found
        left, right = sides(c)
        proof.counterexample(
            given={"Lambda": c[0], "differences": c[1], "left side squared": left, "right side squared": right},
            hypotheses={"|Lambda| < 1": abs(c[0]) < 1},
            violates={"left > right (both divided by the common factor |1 - Lambda| |1 - Q|)": left > right},
            minimal="d = 1, T = 2",
        )


@claim(
    "movahedi25.appF1.pointwise",
    topic="fixed_point",
    place="App. F.1, Eq. 11",
    title="a bound on every single f(h)_t by the norm of the whole sequence makes f a contraction",
    says=r"If $\|f(h)_t-f(h')_t\|<\|h-h'\|$ for every $t$, the iteration on sequences contracts.",
    sabotages={"a smaller 1 - Q": {"norm": fmpq(1, 4)}},
)
def time_by_time(proof: Proof, norm: fmpq = fmpq(3, 4)) -> None:
    """What must be below 1 is the norm of the map from sequences to sequences; all its T block rows may be short while it is long.

    Without a gate, Lambda = 1/2 and 1 - Q = 3/4: every row is shorter than (3/4)/sqrt(1 - 1/4) < 1."""
    A, K = exact.rationals([["1/2"]]), exact.rationals([[norm]])
    found = proof.smallest("T = 1, 2, ..., 6", range(1, 7), lambda T: not norm_is_below(toeplitz(A, K, T), fmpq(1)))
    if found:
        T, _ = found
        M = toeplitz(A, K, T)
        rows = [sum((x * x for x in row), fmpq(0)) for row in M]
        proof.counterexample(
            given={"Lambda": A[0, 0], "1 - Q": norm, "T": T, "squared norms of the rows": rows},
            hypotheses={"every row is shorter than 1, at every length": norm * norm / (1 - A[0, 0] ** 2) < 1 and max(rows) < 1},
            violates={"the map on sequences has norm at least 1": not norm_is_below(M, fmpq(1))},
            minimal=f"d = 1, T = {T}",
        )
        proof.certificate("not-below-one", "the map on sequences does not contract", matrix=M, vector=[1] * T, strict=False)


# -- gates that depend on the input -----------------------------------------------------------------------------------------


@claim(
    "movahedi25.thm2.1.selective",
    topic="fixed_point",
    place="Sec. 2.1 with Eq. 6: the theorem used for input-dependent gates",
    title="Theorem 2.1 also holds for gates that depend on the input",
    says=r"For $0\le\Lambda_t<1$, the gate $I-\Lambda_t$ and $\|I-Q_t\|<1$ the Lipschitz constant in $h$ is below 1.",
    reading="Theorem 2.1 says 'input-independent'; App. D.2 appeals to it for the input-dependent iteration",
    sabotages={"the same gate at both times": {"pairs": ((0, 0), ("1/2", "1/2"))}},
)
def forgetting_then_keeping(proof: Proof, pairs=((0, 0), ("1/2", "1/2"), (0, "1/2"))) -> None:
    """Gate 1 lets everything in, later gates keep it: with Lambda_1 = 0 and Lambda_t near 1 one difference is copied T times, a factor sqrt T."""
    norm = fmpq(9, 10)

    def matrix(pair) -> Array:
        return loop_matrix([gated([exact.rational(x)], exact.rationals([[1 - norm]]), [0]) for x in pair])

    found = proof.smallest("T = 2, d = 1, 1 - Q = 9/10, gates 0 and 1/2", pairs, lambda p: not norm_is_below(matrix(p), fmpq(1)))
    if found:
        pair, _ = found
        M = matrix(pair)
        proof.counterexample(
            given={"Lambda_1, Lambda_2": list(pair), "Q": 1 - norm, "f as a matrix": M},
            hypotheses={"0 <= Lambda_t < 1": all(0 <= exact.rational(x) < 1 for x in pair), "|1 - Q| < 1": abs(norm) < 1},
            violates={"(1, 0) is lengthened": M[0, 0] ** 2 + M[1, 0] ** 2 > 1},
            minimal="d = 1, T = 2",
        )
        proof.certificate("not-below-one", "f lengthens a difference", matrix=M, vector=[1, 0], strict=True)
        long = [fmpq(0)] + [fmpq(99, 100)] * 8
        column = loop_matrix([gated([x], exact.rationals([[1 - norm]]), [0]) for x in long])[:, 0]
        proof.holds("nine steps: one difference comes out more than 2.5 times as long", sum(x * x for x in column) > fmpq(25, 4))


@claim(
    "movahedi25.thm2.1.selective.amended",
    topic="fixed_point",
    place="Sec. 2.1",
    kind="amended",
    amends="movahedi25.thm2.1.selective",
    title="in the largest-entry norm input-dependent gates contract by max ||I - Q_t||_inf, at every length",
    says=r"For $0\le\Lambda_t<1$ and the gate $I-\Lambda_t$, $\|f(h)-f(h')\|_\infty\le\max_t\|I-Q_t\|_\infty\,\|h-h'\|_\infty$ (largest entry over time and channels).",
    sabotages={"no input gate": {"layer": ungated}, "the Euclidean norm of the mixers": {"row_norm": False}},
)
def weighted_means(proof: Proof, layer=gated, row_norm: bool = True) -> None:
    """Each channel outputs a weighted mean of its inputs: the weights (1 - lambda_s) lambda_(s+1) ... lambda_t telescope to 1 minus a product."""
    rng = Random(24)
    count, longest = proof.pick((20, 4), (60, 5), (300, 8))
    for _ in proof.each(f"{count} rational sequences of tokens, d <= 3, T <= {longest}", range(count)):
        d, T = rng.randint(1, 3), rng.randint(1, longest)
        tokens, norms = [], []
        for _ in range(T):
            F = samples.integers(rng, d, d, bound=9) / (10 * d)
            tokens.append(layer(decays(rng, d), exact.identity(d) - F, exact.zeros(d)))
            norms.append(max(sum(abs(x) for x in row) for row in F) if row_norm else max(abs(x) for x in F.flat))
        rows = [sum(abs(x) for x in row) for row in loop_matrix(tokens)]
        proof.holds("no row of f sums to more than max ||I - Q_t||_inf", max(rows) <= max(norms))
