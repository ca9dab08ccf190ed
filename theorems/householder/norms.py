"""Norms and spectra of products of GH matrices (grazzi25, Eq. 3, Proposition 1.1 and 1.3)."""

from __future__ import annotations

from itertools import product
from math import isqrt
from random import Random

import numpy as np
import sympy
from flint import fmpq

from ...constructions import householder, parity, samples
from ...constructions.householder import GeneralizedHouseholder
from ...constructions.unitary import inner
from ...numerics import exact
from ...numerics.cyclotomic import cosine_and_sine, gaussian
from ...numerics.finite_precision import FiniteSet
from ..claim import claim
from ..evidence import Proof
from ..parity.theorem1 import certify_eventually_periodic


def certify_product(proof: Proof, title: str, factors, matrix, low="-1", high="1", fewest: bool = False) -> None:
    """Keep a factorisation for recheck: the product, each 1 - beta in [low, high], and with ``fewest`` that rank(M - I) is met."""
    data = [{"v": f.v, "beta": exact.rational(f.beta)} for f in factors]
    proof.certificate("gh-product", title, matrix=matrix, factors=data, low=low, high=high, fewest=fewest)


@claim(
    "grazzi25.prop1.1",
    topic="householder",
    place="Proposition 1.1",
    title="products of GH matrices with eigenvalues in [-1, 1] have norm <= 1",
    says=r"Every $N\in\mathcal M^n_k([-1,1])$ has $\|N\|\le1$.",
    construction="lemmata.constructions.householder.product",
    sabotages={"beta up to 2.1, that is, eigenvalues down to -1.1": {"low": fmpq(-11, 10)}},
)
def norm_at_most_one(proof: Proof, low=-1) -> None:
    """|C x|^2 = |x|^2 - beta (2 - beta) (v.x)^2 / v.v: no factor lengthens a vector. Then products, exactly."""
    beta, vv, vx, xx = sympy.symbols("beta vv vx xx", real=True)
    # |x - beta v (v.x) / v.v|^2 in terms of the inner products
    squared = xx - 2 * beta * vx**2 / vv + beta**2 * vx**2 / vv
    proof.symbolically("|C x|^2 = |x|^2 - beta (2 - beta) (v.x)^2 / v.v", squared, xx - beta * (2 - beta) * vx**2 / vv, "n, v, x, beta")
    rng = Random(21)
    largest, count = proof.pick((4, 3), (6, 8), (8, 40))
    for n, _ in proof.each(
        f"random rational products, n <= {largest}, k <= 8, beta at the ends included", product(range(1, largest + 1), range(count))
    ):
        factors = samples.householder_factors(rng, n, rng.randint(0, 8), -1, 1)
        factors = [GeneralizedHouseholder(f.v, 1 - low) if f.beta == 2 else f for f in factors]
        N = householder.product(factors, n)
        proof.holds("I - N^T N is positive semidefinite", exact.is_contraction(N))
        proof.certificate("contraction", "the product has norm at most 1", matrix=N)


@claim(
    "grazzi25.eq3.inclusion",
    topic="householder",
    place="Eq. 3 and the inclusions below it",
    title="M_k(Omega) grows with Omega, and with k when 1 is in the larger Omega'",
    says=r"$\mathcal M^n_k(\Omega)\subseteq\mathcal M^n_{k'}(\Omega')$ if $\Omega\subseteq\Omega'$ and $k'=k$, or $k'\ge k$ and $1\in\Omega'$.",
    hypotheses=("the printed condition 1 in Omega is stronger than needed: 1 in Omega' is enough",),
    sabotages={"padding with reflections instead of identities": {"filler": 2}},
)
def padding_with_identities(proof: Proof, filler=0) -> None:
    """beta = 0 is the identity, whose eigenvalue 1 - beta is 1."""
    rng = Random(22)
    for n, k in proof.each("random products, n <= 4, k <= 4, padded by one to three factors", product(range(1, 5), range(5))):
        factors = samples.householder_factors(rng, n, k, -1, 1)
        padded = factors + [GeneralizedHouseholder(samples.nonzero_vector(rng, n), fmpq(filler)) for _ in range(rng.choice((1, 3)))]
        proof.exactly("padding changes nothing", householder.product(padded, n), householder.product(factors, n))


@claim(
    "grazzi25.sec4.3.triangular",
    topic="householder",
    place="Sec. 4.3, before Proposition 1",
    title="products of triangular matrices stay triangular with eigenvalues in [-1, 1]",
    says=r"If $S,T$ are upper triangular with diagonals in $[-1,1]$, so is $ST$, with diagonal $s_{ii}t_{ii}$.",
    sabotages={"the second factor is lower triangular": {"second": lambda m: m.T}},
)
def triangular_products(proof: Proof, second=lambda m: m) -> None:
    """Multiply symbols; the product of two numbers of [-1, 1] lies in [-1, 1]."""
    for n in range(1, 5):
        s, t = (sympy.Matrix(n, n, lambda i, j, x=x: sympy.Symbol(f"{x}{i}{j}") if i <= j else 0) for x in "st")
        st = s * second(t)
        for i in range(n):
            proof.symbolically("the diagonal multiplies", st[i, i], s[i, i] * t[i, i], "entries", "n <= 4")
            for j in range(i):
                proof.symbolically("below the diagonal it vanishes", st[i, j], 0, "entries", "n <= 4")


# -- Proposition 1.3: eigenvalues ----------------------------------------------------------------------------------------


def _one_or_inside(N) -> bool:
    """Every eigenvalue is 1 or of modulus < 1: divide (x - 1) out, then enclose the other roots in balls."""
    p = exact.characteristic_polynomial(N)
    factor = p.__class__([-1, 1])
    while p.degree() > 0 and p(1) == 0:
        p = p // factor
    # complex_roots works on irreducible integer polynomials and refines each ball until it is isolated
    roots = [root for f, _ in p.factor()[1] for root, _ in f.numer().complex_roots()]  # pyright: ignore[reportGeneralTypeIssues]
    return all(bool(abs(root) < 1) for root in roots)


@claim(
    "grazzi25.prop1.3",
    topic="householder",
    place="Proposition 1.3, first part",
    title="every eigenvalue of a product of GH matrices with eigenvalues in [-1, 1] is 1 or has modulus < 1",
    says=r"Every eigenvalue of $N\in\mathcal M^n_k([-1,1])$ is $1$ or satisfies $|\lambda|<1$.",
    sabotages={"the range (-1, 1], which is what the proof uses": {"low": fmpq(-1, 2)}},
)
def reflections_have_eigenvalue_minus_one(proof: Proof, low=fmpq(-1)) -> None:
    """A reflection lies in M_1([-1, 1]); search n = 1 first."""
    values = [fmpq(0), fmpq(1), fmpq(1, 2), fmpq(-1, 2), low]
    found = proof.smallest("n = 1, one factor, eigenvalue in {0, 1, 1/2, -1/2, lower end}", values, lambda x: not (x == 1 or abs(x) < 1))
    if found:
        x, _ = found
        factor = GeneralizedHouseholder(exact.unit_vector(1, 0), 1 - x)
        proof.counterexample(
            given={"v": [1], "beta": 1 - x, "N = I - beta v v^T": factor.matrix()},
            hypotheses={"1 - beta lies in [-1, 1]": -1 <= x <= 1},
            violates={"the eigenvalue is not 1": x != 1, "its modulus is not below 1": not abs(x) < 1},
            minimal="n = 1, k = 1",
        )
        certify_product(proof, "a reflection of the line", [factor], factor.matrix())
        proof.certificate("eigenvector", "with the eigenvalue -1", matrix=factor.matrix(), eigenvalue=x, vector=[1])


@claim(
    "grazzi25.prop1.3.amended",
    topic="householder",
    place="Proposition 1.3, first part",
    kind="amended",
    amends="grazzi25.prop1.3",
    title="with eigenvalues in (-1, 1], every eigenvalue of a product is 1 or has modulus < 1",
    says=r"Every eigenvalue of $N\in\mathcal M^n_k((-1,1])$ is $1$ or satisfies $|\lambda|<1$.",
    uses=("grazzi25.prop1.3.display.amended",),
    sabotages={"a reflection among the factors": {"low": -1}},
)
def eigenvalue_one_or_inside(proof: Proof, low=None) -> None:
    """A factor with 0 < beta < 2 keeps the length of v only if v is orthogonal to its z; otherwise |N v| < |v|."""
    rng = Random(23)
    largest, count = proof.pick((3, 4), (5, 12), (6, 80))
    for n, _ in proof.each(
        f"random rational products, n <= {largest}, k <= 6; roots enclosed in balls", product(range(1, largest + 1), range(count))
    ):
        factors = []
        for v in (samples.nonzero_vector(rng, n) for _ in range(rng.randint(1, 6))):
            value = samples.fraction(rng, -1, 1) if low is None else fmpq(low)
            factors.append(GeneralizedHouseholder(v, 1 - (value if value != -1 or low is not None else fmpq(-3, 4))))
        N = householder.product(factors, n)
        proof.certified("every eigenvalue is 1 or of modulus < 1", _one_or_inside(N))


@claim(
    "grazzi25.prop1.3.display",
    topic="householder",
    place="App. C.2, third item, display of |C v|^2",
    title="the proof's |C v|^2 = 1 - beta (2 - beta) (v^T z)^2 covers every eigenvector",
    says=r"For every unit eigenvector $v$ of a product in $\mathcal M^n_k((-1,1])$ and $C=I-\beta zz^\top$, $\|Cv\|^2=1-\beta(2-\beta)(v^\top z)^2$.",
    reading="as printed v is real; products have complex eigenvalues, whose eigenvectors are complex",
    sabotages={"|z^T v|^2 in place of (v^T z)^2": {"square": lambda v, z: _bilinear(v, z) * _bilinear(v, z).conjugate()}},
)
def display_for_complex_eigenvectors(proof: Proof, square=lambda v, z: _bilinear(v, z) ** 2) -> None:
    """Search products of two GH matrices of the plane for a nonreal eigenvalue in Q(i); its eigenvector v is complex."""
    vectors = [exact.rationals(z) for z in product(range(-1, 3), repeat=2) if any(z)]
    betas = [fmpq(1, 2), fmpq(1), fmpq(3, 2)]

    def differs(candidate) -> tuple | None:
        (z1, z2), (b1, b2) = candidate
        last = GeneralizedHouseholder(z2, b2)
        N = householder.product([GeneralizedHouseholder(z1, b1), last], 2)
        pair = _complex_eigenpair(N)
        if pair is None:
            return None
        value, v = pair
        image = last.matrix() @ v
        length = inner(image, image) / inner(v, v)
        displayed = 1 - square(v, z2) / inner(v, v) * (b2 * (2 - b2) / (z2 @ z2))
        return (N, value, v, length, displayed) if length != displayed else None

    pairs = product(product(vectors, repeat=2), product(betas, repeat=2))
    found = proof.smallest("n = 2, k = 2, integer z with entries -1 .. 2, beta in {1/2, 1, 3/2}", pairs, differs)
    if found:
        ((z1, z2), (b1, b2)), (N, value, v, length, displayed) = found
        proof.counterexample(
            given={"z_1": z1, "z_2": z2, "beta_1, beta_2": [b1, b2], "N": N}
            | {"eigenvalue": value, "v": v, "|C_2 v|^2 / |v|^2": length, "displayed": displayed},
            hypotheses={
                "N v = lambda v": (N @ v).tolist() == (v * value).tolist(),
                "lambda is not real": value != value.conjugate(),
                "both betas lie in (0, 2)": 0 < b1 < 2 and 0 < b2 < 2,
            },
            violates={"the display differs from |C_2 v|^2": length != displayed},
            minimal="n = 2, k = 2",
        )


def _bilinear(v, z):
    """v^T z without conjugation."""
    return sum(a * b for a, b in zip(v, z, strict=True))


def _complex_eigenpair(N):
    """A nonreal eigenvalue and eigenvector of a rational 2 x 2 matrix over the Gaussian rationals, if there is one."""
    trace, determinant = N[0, 0] + N[1, 1], exact.determinant(N)
    square = 4 * determinant - trace * trace
    root = fmpq(isqrt(int(square.p)), isqrt(int(square.q))) if square > 0 else fmpq(0)
    if square <= 0 or root * root != square:
        return None
    value = gaussian(trace / 2, root / 2)
    return value, np.array([gaussian(N[0, 1]), value - N[0, 0]], dtype=object)


@claim(
    "grazzi25.prop1.3.display.amended",
    topic="householder",
    place="App. C.2, third item, display of |C v|^2",
    kind="amended",
    amends="grazzi25.prop1.3.display",
    title="|C v|^2 = |v|^2 - beta (2 - beta) |z^T v|^2 for complex v, so the proof goes through",
    says=r"For real unit $z$ and $v\in\mathbb C^n$, $\|(I-\beta zz^\top)v\|^2=\|v\|^2-\beta(2-\beta)|z^\top v|^2$.",
    sabotages={"(z^T v)^2 as printed": {"square": lambda a, b: a**2 - b**2}},
)
def display_with_modulus(proof: Proof, square=lambda a, b: a**2 + b**2) -> None:
    """Split v = x + i y: the real identity for x and y, added; z.x and z.y are the parts of z^T v."""
    beta, xx, yy, zx, zy = sympy.symbols("beta xx yy zx zy", real=True)
    left = (xx - 2 * beta * zx**2 + beta**2 * zx**2) + (yy - 2 * beta * zy**2 + beta**2 * zy**2)
    proof.symbolically(
        "|C v|^2 = |v|^2 - beta (2 - beta) |z.v|^2", left, xx + yy - beta * (2 - beta) * square(zx, zy), "n, real unit z, complex v, beta"
    )


@claim(
    "grazzi25.prop1.3.two",
    topic="householder",
    place="Proposition 1.3, second part",
    title="products of at most two GH matrices with eigenvalues in [0, 1] have all eigenvalues in [0, 1]",
    says=r"Every eigenvalue of $N\in\mathcal M^n_k([0,1])$, $k\le2$, lies in $[0,1]$.",
    hypotheses=("k <= 2; sharp, see new.householder.three-projections",),
    sabotages={"three factors": {"k": 3}, "the range [-1, 1]": {"low": -1}},
)
def two_factors_have_real_spectra(proof: Proof, k: int = 2, low: int = 0) -> None:
    """On span(z_1, z_2) the product has trace T = a + b + (1-a)(1-b) s and determinant ab, where a, b = 1 - beta and
    s = cos^2 of the angle. T^2 - 4ab = (a-b)^2 + s (1-a)(1-b) (2(a+b) + (1-a)(1-b) s) >= 0; and the polynomial is
    (1-a)(1-b)(1-s) >= 0 at 1. Across the span it is the identity."""
    a, b, s, c = sympy.symbols("a b s c", real=True)
    z1, z2 = sympy.Matrix([1, 0]), sympy.Matrix([c, sympy.sqrt(1 - c**2)])
    N = (sympy.eye(2) - (1 - a) * z1 * z1.T) * (sympy.eye(2) - (1 - b) * z2 * z2.T)
    trace = a + b + (1 - a) * (1 - b) * s
    proof.symbolically("the trace on the span", sympy.trace(N), trace.subs(s, c**2), "z_1, z_2, beta_1, beta_2, n")
    proof.symbolically("the determinant on the span", N.det(), a * b, "z_1, z_2, beta_1, beta_2, n")
    discriminant = (a - b) ** 2 + s * (1 - a) * (1 - b) * (2 * (a + b) + (1 - a) * (1 - b) * s)
    proof.symbolically("the discriminant is a sum of nonnegative terms", trace**2 - 4 * a * b, discriminant, "a, b, s")
    proof.symbolically("the value at 1", 1 - trace + a * b, (1 - a) * (1 - b) * (1 - s), "a, b, s")
    rng = Random(24)
    largest, count = proof.pick((3, 6), (5, 20), (6, 150))
    family = [samples.householder_factors(rng, n, k, low, 1) for n in range(1, largest + 1) for _ in range(count)]
    family.append([GeneralizedHouseholder(exact.rationals(z), fmpq(1)) for z in ((1, 0), (1, 1), (-1, 2))[:k]])
    for factors in proof.each(f"{len(family)} rational products of {k}, n <= {largest}, projections included", family):
        n = len(factors[0].v)
        N = householder.product(factors, n)
        p = exact.characteristic_polynomial(N)
        q = exact.characteristic_polynomial(exact.identity(n) - N)
        proof.exactly("all n eigenvalues are real", exact.count_real_roots(p), n)
        # real roots are all >= 0 iff the coefficients of the polynomial alternate in sign (Descartes)
        proof.holds("none is negative and none exceeds 1", _alternates(p) and _alternates(q))


def _alternates(p) -> bool:
    n = p.degree()
    return all(c * (-1) ** (n - j) >= 0 for j, c in enumerate(p.coeffs()))


@claim(
    "new.householder.three-projections",
    topic="householder",
    place="after grazzi25 Proposition 1.3 and Theorem 1",
    kind="new",
    title="k <= 2 is sharp: three projections can have a negative eigenvalue, and then [0, 1] finds parity in the cast model",
    says=r"There are $z_1,z_2,z_3\in\mathbb Z^2$ such that the product of the projections $I-z_iz_i^\top/z_i^\top z_i$ has a negative eigenvalue; at $0°,60°,120°$ it is "
    r"$-\tfrac18$. With $\mathbb D=\{-1,1\}$ the cast state of that layer alternates for ever on $1^k$.",
    uses=("grazzi25.prop1.3.two", "grazzi25.lemma1"),
    sabotages={"two projections only": {"k": 2}, "orthogonal projections": {"largest": 1}},
)
def three_projections(proof: Proof, k: int = 3, largest: int = 2) -> None:
    """A product of rank-one projections u u^T / u.u has the eigenvalue prod of the cosines between neighbours, cyclically.

    With eigenvector w of the negative eigenvalue, H_0 = -w and B = w make every cast term alternate.
    """
    lines = [GeneralizedHouseholder(np.array(cosine_and_sine(6, j), dtype=object), 1) for j in range(k)]
    at_sixty = householder.product(lines, 2)
    proof.exactly(
        "at 0, 60, 120 degrees: trace -1/8 and determinant 0, so the eigenvalues are -1/8 and 0",
        [at_sixty.trace(), at_sixty[0, 0] * at_sixty[1, 1]],
        [fmpq(-1, 8), at_sixty[0, 1] * at_sixty[1, 0]],
    )
    vectors = sorted((z for z in product(range(-largest, largest + 1), repeat=2) if any(z)), key=lambda z: (z[0] ** 2 + z[1] ** 2, z))

    def negative(zs) -> list:
        N = householder.product([GeneralizedHouseholder(exact.rationals(z), fmpq(1)) for z in zs], 2)
        return [x for x in exact.rational_eigenvalues(N) if x < 0]

    found = proof.smallest(f"{k} projections of the plane along integer vectors, by length", product(vectors, repeat=k), negative)
    if found is None:
        return
    zs, (value, *_) = found
    factors = [GeneralizedHouseholder(exact.rationals(z), fmpq(1)) for z in zs]
    N = householder.product(factors, 2)
    certify_product(proof, f"three projections with the eigenvalue {value}", factors, N, low="0")
    w = exact.nullspace(N - exact.identity(2) * value)
    proof.exactly("N w = lambda w, lambda < 0", [(N @ w).tolist(), value < 0], [(w * value).tolist(), True])
    proof.certificate("eigenvector", "the product has a negative eigenvalue", matrix=N, eigenvalue=value, vector=w[:, 0])
    # a component 0 of w would be cast the same way every time; the other one still alternates
    layer, D = parity.power_recurrence(N, -w, w), FiniteSet([-1, 1])
    states = layer.eventual_states([], [1], D)
    proof.exactly("the cast state has eventual period 2", states.period, 2)
    certify_eventually_periodic(proof, layer, D)


@claim(
    "grazzi25.prop1.3.orthogonal",
    topic="householder",
    place="Sec. 4.3, after Proposition 1",
    title="products of GH matrices with eigenvalues in [0, 1] are the identity or not orthogonal",
    says=r"$|\det N|=\prod_i|1-\beta_i|$; so an orthogonal $N\in\mathcal M^n_k((-1,1])$ has all $\beta_i=0$ and is $I$.",
    sabotages={"reflections are allowed": {"low": -1}},
)
def orthogonal_only_if_identity(proof: Proof, low: int = 0) -> None:
    """The determinant of one factor is 1 - beta; |det| = 1 forces every |1 - beta| = 1, and in (-1, 1] that is beta = 0."""
    beta = sympy.Symbol("beta", real=True)
    for n in range(1, 4):
        v = sympy.Matrix(sympy.symbols(f"v1:{n + 1}", real=True))
        proof.symbolically(
            "det(I - beta v v^T / v.v) = 1 - beta", (sympy.eye(n) - beta * v * v.T / v.dot(v)).det(), 1 - beta, "v, beta", "n <= 3"
        )
    rng = Random(25)
    count = proof.pick(30, 100, 600)
    for _ in proof.each(f"{count} random products, n <= 5, k <= 5", range(count)):
        n, k = rng.randint(1, 5), rng.randint(0, 5)
        betas = [1 - samples.fraction(rng, low, 1, denominator=2) for _ in range(k)]
        N = householder.product([GeneralizedHouseholder(samples.nonzero_vector(rng, n), b) for b in betas], n)
        size = fmpq(1)
        for b in betas:
            size = size * (1 - b)
        proof.exactly("det N = prod(1 - beta)", exact.determinant(N), size)
        proof.exactly("N is orthogonal only if every factor is I", exact.is_orthogonal(N), all(b == 0 for b in betas))
        proof.holds("an orthogonal one is the identity", not exact.is_orthogonal(N) or np.array_equal(N, exact.identity(n)))
