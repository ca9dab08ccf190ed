"""Contractions as products of GH matrices: 3n as printed, 2n - 1 by the polar form, floor(3n/2) as the truth.

The universal minimum floor(3n/2) and the criterion for n factors are new; the argument stands in the checks.
"""

from __future__ import annotations

from itertools import product
from random import Random

import sympy
from flint import fmpq, fmpq_poly

from ...constructions import householder, samples
from ...constructions.householder import GeneralizedHouseholder
from ...numerics import exact
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof
from .norms import certify_product

QUARTER_TURN = exact.rationals([[0, -1], [1, 0]])


def _contractions(proof: Proof, rng: Random) -> tuple[str, list[Array]]:
    largest, per_size = proof.pick((3, 4), (6, 8), (9, 30))
    family = []
    for n in range(1, largest + 1):
        family += [exact.identity(n), -exact.identity(n), exact.zeros(n, n), exact.identity(n) / 2, -exact.identity(n) / 2]
        family += [samples.contraction(rng, n) for _ in range(per_size)]
    return f"{len(family)} rational contractions with rational singular values, n <= {largest}; 0, +-I, +-I/2 included", family


def _in_range(factors) -> bool:
    return all(0 <= f.beta <= 2 for f in factors)


@claim(
    "grazzi25.prop1.2.contraction",
    topic="householder",
    place="Proposition 1.2 (||M|| <= 1)",
    title="every contraction is a product of 3n GH matrices with eigenvalues in [-1, 1]; in fact of 2n - 1 by the polar form",
    says=r"If $\|M\|\le1$ then $M\in\mathcal M^n_{3n}([-1,1])$; sharper, $M\in\mathcal M^n_{2n-1}([-1,1])$: with $M=WP$ polar and $D$ a sign matrix in $P$'s "
    r"eigenbasis, $WD$ has the eigenvalue $1$, so it is $n-1$ reflections, and $DP$ is $n$ GH factors.",
    uses=("grazzi25.prop1.2.orthogonal",),
    construction="lemmata.constructions.householder.contraction_factors",
    sabotages={
        "the last factor is dropped": {"factors_of": lambda M: householder.contraction_factors(M)[:-1]},
        "the sign trick is left out": {"factors_of": lambda M: _without_sign_trick(M)},
        "3n is called 2n - 2": {"bound": lambda n: 2 * n - 2},
    },
)
def contraction_by_polar_form(proof: Proof, factors_of=householder.contraction_factors, bound=lambda n: 2 * n - 1) -> None:
    """W without eigenvalue 1 has determinant (-1)^n (its eigenvalues are -1 and conjugate pairs); one sign turns it round,
    and then an eigenvalue 1 is forced."""
    describe, family = _contractions(proof, Random(41))
    for M in proof.each(describe, family):
        n, factors = len(M), factors_of(M)
        proof.exactly("the factors multiply to M", householder.product(factors, n), M)
        proof.holds("every 1 - beta lies in [-1, 1]", _in_range(factors))
        proof.holds("there are at most 2n - 1, hence at most 3n", len(factors) <= bound(n) <= 3 * n)
        certify_product(proof, "M as at most 2n - 1 GH factors", factors, M)


def _without_sign_trick(M: Array) -> list[GeneralizedHouseholder]:
    sigma, u, w = householder._polar(M)
    return householder.reflections(w) + [GeneralizedHouseholder(u[:, i], 1 - s) for i, s in enumerate(sigma)]


# -- exactly n factors ---------------------------------------------------------------------------------------------------


def _pencil(M: Array) -> Array:
    """(I - M M^T)^-1 (I - M), for ||M|| < 1."""
    one = exact.identity(len(M))
    return exact.multiply(exact.inverse(one - exact.multiply(M, M.T)), one - M)


@claim(
    "new.householder.n-factors",
    topic="householder",
    place="after grazzi25 Proposition 1.2",
    kind="new",
    title="a strict contraction is a product of n GH matrices iff (I - MM^T)^-1 (I - M) has only real eigenvalues",
    says=r"Let $\|M\|<1$. $M$ is a product of $n$ GH matrices iff $(I-MM^\top)^{-1}(I-M)$ has only real eigenvalues; then every $\beta_i\in(0,2)$.",
    uses=("new.householder.rank",),
    construction="lemmata.constructions.householder.fewest_contraction_factors",
    sabotages={
        "n + 1 factors in place of n": {"extra": 1},
        "(I - M) alone instead of the pencil": {"pencil": lambda M: exact.identity(len(M)) - M},
    },
)
def exactly_n_factors(proof: Proof, extra: int = 0, pencil=_pencil) -> None:
    """Compact form M = I - V S^-1 V^T, V = [v_1 ... v_n] of unit columns and S upper triangular with S_ii = 1/beta_i and
    S_ij = v_i . v_j above the diagonal. Then S + S^T = V^T V + Delta, Delta = diag(2/beta_i - 1).

    I - M is invertible, so V is; put K = (I - M)^-1 and R = K + K^T - I = K (I - MM^T) K^T > 0. S = V^T K V and
    Delta = V^T R V, hence Delta > 0 (every beta_i is in (0, 2)) and V^-1 (R^-1 K) V = Delta^-1 S is triangular: the eigenvalues
    of R^-1 K, which are those of the pencil, are the real numbers 1 / (2 - beta_i).

    Conversely take a real Schur form O^T R^(-1/2) K R^(-1/2) O, upper triangular, and V = R^(-1/2) O scaled to unit columns:
    V^T R V is diagonal and V^T K V triangular, and their diagonals fix beta_i = 1 / (v_i . K v_i).
    """
    m, t = sympy.symbols("M Mt", commutative=False)
    left = (1 - t) + (1 - m) - (1 - m) * (1 - t)
    proof.symbolically("(I-M)(K + K^T - I)(I-M)^T = I - M M^T", left, 1 - m * t, "M (noncommuting)")
    s, w, v1, v2t = sympy.symbols("s W v1 V2t", commutative=False)
    # two columns (blocks): (I - v1 s v1t)(I - V2 W V2t) with s = 1/S_11, W = S_22^-1, and the block inverse of S
    v1t, v2 = sympy.symbols("v1t V2", commutative=False)
    compact = 1 - (v1 * s * v1t - v1 * s * (v1t * v2) * w * v2t + v2 * w * v2t)
    proof.symbolically(
        "I - V S^-1 V^T = (I - v_1 v_1^T / S_11)(I - V_2 S_22^-1 V_2^T)",
        compact,
        (1 - v1 * s * v1t) * (1 - v2 * w * v2t),
        "v_1, V_2 (noncommuting blocks)",
    )
    rng = Random(42)
    largest, count = proof.pick((3, 8), (4, 25), (5, 150))
    strict = 0
    for _ in proof.each(f"only if: {count} random rational products of n factors, n <= {largest}", range(count)):
        n = rng.randint(1, largest)
        factors = [GeneralizedHouseholder(samples.nonzero_vector(rng, n), 1 - samples.fraction(rng, -3, 3) / 4) for _ in range(n + extra)]
        M = householder.product(factors, n)
        if exact.is_positive_definite(exact.identity(n) - exact.multiply(M, M.T)):
            strict += 1
            spectrum = exact.characteristic_polynomial(pencil(M))
            proof.exactly("all eigenvalues of the pencil are real", exact.count_real_roots(spectrum), n)
            predicted = fmpq_poly([1])
            for f in factors[:n]:
                predicted = predicted * fmpq_poly([-1 / (2 - f.beta), 1])
            proof.exactly("they are the 1 / (2 - beta_i)", str(spectrum), str(predicted))
            if spectrum != predicted:
                continue
            again = householder.fewest_contraction_factors(M)
            proof.exactly(
                "if: the construction finds n factors again", [len(again), householder.product(again, n).tolist()], [n, M.tolist()]
            )
            certify_product(proof, "a strict contraction as n GH factors", again, M, fewest=True)
    proof.holds("strict contractions occur among the instances", strict > 0)


@claim(
    "new.householder.half-turn",
    topic="householder",
    place="after grazzi25 Proposition 1.2",
    kind="new",
    title="c times a quarter turn, 0 < c < 1, needs three GH factors, so 2n - 1 is tight for n = 2",
    says=r"For $0<c<1$ and $J=\begin{pmatrix}0&-1\\1&0\end{pmatrix}$, $cJ$ is a product of three GH matrices and of no fewer.",
    uses=("new.householder.n-factors", "new.householder.rank"),
    construction="lemmata.constructions.householder.fewest_contraction_factors",
    sabotages={"c J is replaced by the reflection c diag(1, -1)": {"turn": [[1, 0], [0, -1]]}},
)
def scaled_quarter_turn(proof: Proof, turn=((0, -1), (1, 0))) -> None:
    """One factor is excluded by rank(I - cJ) = 2, two by the pencil (I - cJ)/(1 - c^2), whose eigenvalues are not real."""
    c = sympy.Symbol("c", real=True)
    J = sympy.Matrix(turn)
    pencil = (sympy.eye(2) - c * c * J * J.T).inv() * (sympy.eye(2) - c * J)
    discriminant = pencil.trace() ** 2 - 4 * pencil.det()
    proof.symbolically("the pencil's discriminant is -4c^2 / (1 - c^2)^2 < 0", discriminant, -4 * c**2 / (1 - c**2) ** 2, "0 < c < 1")
    proof.symbolically("det(I - cJ) = 1 + c^2 > 0, so the rank is 2", (sympy.eye(2) - c * J).det(), 1 + c**2, "0 < c < 1")
    for value in proof.each("c in {1/10, ..., 9/10}", [fmpq(k, 10) for k in range(1, 10)]):
        M = exact.rationals(turn) * value
        factors = householder.fewest_contraction_factors(M)
        proof.exactly("three factors multiply to cJ", [len(factors), householder.product(factors, 2).tolist()], [3, M.tolist()])
        certify_product(proof, f"{value} J as three GH factors", factors, M)


# -- the universal minimum -----------------------------------------------------------------------------------------------


def _even_reflection_gain(M: Array) -> tuple[fmpq, fmpq]:
    """(p(1) of M, p(1) of H M) for p(s) = det((I - M) - s (I - MM^T)) and the reflection H of the first axis."""
    one = exact.identity(len(M))

    def at_one(N: Array) -> fmpq:
        return exact.determinant((one - N) - (one - exact.multiply(N, N.T)))

    mirror = GeneralizedHouseholder(exact.unit_vector(len(M), 0)).matrix()
    return at_one(M), at_one(exact.multiply(mirror, M))


@claim(
    "new.householder.minimum",
    topic="householder",
    place="after grazzi25 Proposition 1.2",
    kind="new",
    title="floor(3n/2) GH factors with eigenvalues in [-1, 1] suffice for every contraction",
    says=r"Every $M\in\mathbb R^{n\times n}$ with $\|M\|\le1$ is a product of at most $\lfloor 3n/2\rfloor$ GH matrices with eigenvalues in $[-1,1]$.",
    uses=("new.householder.n-factors", "grazzi25.prop1.2.orthogonal"),
    construction="lemmata.constructions.householder.fewest_contraction_factors",
    sabotages={
        "the last factor is dropped": {"factors_of": lambda M: householder.fewest_contraction_factors(M)[:-1]},
        "the bound n": {"bound": lambda n: n},
        "the polar form's 2n - 1 factors": {"factors_of": lambda M: householder.contraction_factors(M)},
    },
)
def three_halves_suffice(proof: Proof, factors_of=householder.fewest_contraction_factors, bound=lambda n: 3 * n // 2) -> None:
    """Induction on the dimension n of what is left.

    If M keeps the length of x, the reflection that takes M x to x leaves a contraction on the complement of x: one factor
    for one dimension. Otherwise ||M|| < 1. With a real eigenvector of the pencil K x = s R x (``new.householder.n-factors``),
    one factor along x leaves I - V_2 S_22^-1 V_2^T, a strict contraction of dimension n - 1. For odd n there is one. For even n
    let p(s) = det((I - M) - s (I - MM^T)): it is positive for s -> +-infinity, and p(1) = det(M) det(I - M) for even n. So
    det M <= 0 gives a real eigenvalue; if det M > 0, one reflection H in front makes det(HM) < 0. Then the next dimension
    is odd: three factors for two dimensions. Altogether f(n) <= f(n-1) + 1 for odd n and f(n) <= f(n-2) + 3 for even n.
    """
    m, t = sympy.symbols("M Mt", commutative=False)
    proof.symbolically("(I - M) - (I - MM^T) = -M (I - M^T)", (1 - m) - (1 - m * t), -m * (1 - t), "M (noncommuting)")
    for n in proof.every("the recursion for n <= 200", range(1, 201), limited=False):
        proof.exactly(
            "f(n) = f(n-1) + 1 (odd), f(n-2) + 3 (even) is floor(3n/2)", bound(n), bound(n - 1) + 1 if n % 2 else bound(n - 2) + 3
        )
    rng = Random(43)
    count = proof.pick(10, 40, 300)
    for _ in proof.each(f"{count} random strict contractions, n in {{2, 4}}", range(count)):
        n = rng.choice((2, 4))
        M = samples.integers(rng, n, n)
        M = M / (1 + sum(abs(x) for x in M.flat))
        p1, p1_reflected = _even_reflection_gain(M)
        one = exact.identity(n)
        d = exact.determinant(M)
        proof.exactly("p(1) = det(M) det(I - M)", p1, d * exact.determinant(one - M))
        proof.holds("p(1) <= 0 for M or for HM", p1 <= 0 or p1_reflected <= 0)
        real = [
            exact.count_real_roots(exact.characteristic_polynomial(_pencil(N)))
            for N in (M, exact.multiply(GeneralizedHouseholder(exact.unit_vector(n, 0)).matrix(), M))
        ]
        proof.holds("the pencil of M or of HM has a real eigenvalue", real[0 if d <= 0 else 1] > 0)
    largest = proof.pick(4, 6, 8)
    for M in proof.each(
        f"rational block rotations, scaled and mixed with isometries, n <= {largest}", _with_rational_pencils(rng, largest)
    ):
        n, factors = len(M), factors_of(M)
        proof.exactly("the factors multiply to M", householder.product(factors, n), M)
        proof.holds("every 1 - beta lies in [-1, 1]", _in_range(factors))
        proof.holds("there are at most floor(3n/2)", len(factors) <= bound(n))
        certify_product(proof, "M as at most floor(3n/2) GH factors", factors, M)


def _with_rational_pencils(rng: Random, largest: int) -> list[Array]:
    """Q^T (c_1 J + c_2 J + ... + diagonal) Q: every eigenvalue that the construction meets is rational."""
    family = []
    for n in range(1, largest + 1):
        for blocks in {0, n // 2, rng.randint(0, n // 2)}:
            c = rng.choice([fmpq(1, 2), fmpq(3, 5)])
            scales = [rng.choice([c, fmpq(1)]) for _ in range(blocks)]
            line = [exact.rationals([[samples.fraction(rng, -1, 1)]]) for _ in range(n - 2 * blocks)]
            middle = exact.block_diagonal([QUARTER_TURN * c for c in scales] + line)
            q = samples.orthogonal(rng, n)
            family.append(exact.multiply(q.T, middle, q))
    return family


def _turns(n: int, c: fmpq) -> Array:
    """c (J + ... + J), with a last diagonal entry c if n is odd."""
    return exact.block_diagonal([QUARTER_TURN * c] * (n // 2) + [exact.rationals([[c]])] * (n % 2))


@claim(
    "new.householder.minimum.sharp",
    topic="householder",
    place="after grazzi25 Proposition 1.2",
    kind="new",
    title="floor(3n/2) is sharp for every n: c (J + ... + J) with 0 < c < 1 needs that many GH factors",
    says=r"For $0<c<1$, $c\,(J\oplus\dots\oplus J)$ (with a last $1\times1$ block $c$ for odd $n$) is no product of fewer than $\lfloor3n/2\rfloor$ GH matrices.",
    uses=("new.householder.n-factors", "new.householder.minimum"),
    sabotages={
        "floor(n/2) factors in front, where the argument must fail": {"in_front": lambda n: n // 2},
        "J is replaced by a diagonal block": {"turns": lambda n, c: exact.identity(n) * c},
    },
)
def three_halves_are_needed(proof: Proof, in_front=lambda n: n // 2 - 1, turns=_turns) -> None:
    """Suppose M = P N with j < floor(n/2) GH factors in P (invertible, as M is) and n in N. By the criterion the pencil of
    N = P^-1 M, that is ((P - M) P^T, PP^T - MM^T), has only real eigenvalues. But the i-eigenspace of J + ... + J has dimension
    floor(n/2), so some x != 0 in it is orthogonal to the j vectors of P: P x = P^T x = x, and x is an eigenvector of the
    pencil with the eigenvalue (1 - ic)/(1 - c^2), which is not real. So n + floor(n/2) factors are needed."""
    c, s = sympy.symbols("c s", real=True)
    i = sympy.I
    # on x: (P - M) P^T x - s (PP^T - MM^T) x = (1 - ic) x - s (1 - c^2) x
    proof.symbolically(
        "s = (1 - ic)/(1 - c^2) annihilates x", ((1 - i * c) - s * (1 - c**2)).subs(s, (1 - i * c) / (1 - c**2)), 0, "0 < c < 1, n"
    )
    quadratic = sympy.expand((1 - c**2) * (s - (1 - i * c) / (1 - c**2)) * (s - (1 + i * c) / (1 - c**2)))
    proof.symbolically(
        "its real quadratic is (1-c^2) s^2 - 2 s + (1+c^2)/(1-c^2)",
        quadratic,
        (1 - c**2) * s**2 - 2 * s + (1 + c**2) / (1 - c**2),
        "0 < c < 1",
    )
    rng = Random(44)
    largest, count = proof.pick((4, 2), (7, 3), (10, 8))
    cases = [(n, samples.fraction(rng, 1, 9, 1) / 10) for n in range(2, largest + 1) for _ in range(count)]
    for n, value in proof.each(f"random rational P with floor(n/2) - 1 factors, 2 <= n <= {largest}", cases):
        M = turns(n, value)
        factors = [
            GeneralizedHouseholder(samples.nonzero_vector(rng, n), 1 - rng.choice([fmpq(-1), fmpq(-1, 2), fmpq(1, 3)]))
            for _ in range(in_front(n))
        ]
        P = householder.product(factors, n)
        N = exact.multiply(exact.inverse(P), M)
        one = exact.identity(n)
        left, right = one - N, one - exact.multiply(N, N.T)
        spectrum = _generalised_polynomial(left, right)
        q = 1 - value * value
        remainder = spectrum % fmpq_poly([(1 + value * value) / (q * q), -2 / q, 1])
        proof.exactly("the nonreal pair divides det((I-N) - s(I-NN^T))", str(remainder), "0")
    for n in proof.each(f"n <= {largest}: the bound is met", range(1, largest + 1)):
        M = turns(n, fmpq(3, 5))
        proof.exactly("the construction uses floor(3n/2)", len(householder.fewest_contraction_factors(M)), 3 * n // 2)


def _generalised_polynomial(left: Array, right: Array) -> fmpq_poly:
    """det(s right - left) as a polynomial in s, by interpolation at 0 .. n (right may be singular or indefinite)."""
    n = len(left)
    total = fmpq_poly([0])
    for j in range(n + 1):
        basis = fmpq_poly([exact.determinant(right * fmpq(j) - left)])
        for k in range(n + 1):
            if k != j:
                basis = basis * fmpq_poly([fmpq(-k, j - k), fmpq(1, j - k)])
        total = total + basis
    return total


@claim(
    "grazzi25.sec4.3.only-when",
    topic="householder",
    place="Sec. 4.3, sentence before Proposition 1",
    title="products of GH matrices reach all contractions only when Omega contains [-1, 1]",
    says=r"If $\bigcup_k\mathcal M^n_k(\Omega)$ (or $\mathcal M^n_{3n}(\Omega)$) contains every contraction then $[-1,1]\subseteq\Omega$.",
    reading="'but only when [-1, 1] is contained in Omega', taken as a necessary condition",
    sabotages={"Omega lacks -1, which no product of others replaces": {"missing": fmpq(-1)}, "Omega lacks 0": {"missing": fmpq(0)}},
)
def a_smaller_range_suffices(proof: Proof, missing=fmpq(1, 4)) -> None:
    """1/4 = 1/2 * 1/2: a factor with the missing eigenvalue is two factors along the same vector. For n = 1 that is all; in
    general at most n of the 2n - 1 factors are doubled, so 3n - 1 do."""
    omega = [fmpq(a, q) for q in range(1, 5) for a in range(-q, q + 1) if fmpq(a, q) != missing]
    candidates = ((a, b) for a, b in product(omega, omega) if a * b == missing)
    pair = next(candidates, None)
    v = exact.unit_vector(1, 0)
    replaced = householder.product([GeneralizedHouseholder(v, 1 - x) for x in pair], 1)[0, 0] if pair else None
    proof.counterexample(
        given={
            "Omega": f"[-1, 1] without {missing}",
            "n": 1,
            "k": 3,
            "any other contraction m": "one factor with eigenvalue m",
            f"factors for the contraction {missing}": list(pair) if pair else "none",
        },
        hypotheses={f"{missing} is a product of two elements of Omega": replaced == missing},
        violates={"Omega does not contain [-1, 1]": -1 <= missing <= 1},
        minimal="n = 1",
    )
