"""Eigenvalues of products of GH matrices (grazzi25, Proposition 1.3), and what three factors can do."""

from __future__ import annotations

from itertools import product
from math import isqrt

import numpy as np
import sympy
from flint import fmpq

from ...constructions import householder, parity
from ...constructions.householder import GeneralizedHouseholder
from ...constructions.unitary import inner
from ...numerics import exact
from ...numerics.cyclotomic import cosine_and_sine, gaussian
from ...numerics.finite_precision import FiniteSet
from ..claim import claim
from ..evidence import Proof
from ..parity.theorem1 import certify_eventually_periodic
from .norms import certify_product, factor_data, random_products


def _open_range(t: sympy.Symbol) -> sympy.Expr:
    """beta in (0, 2) as t runs through the positive numbers."""
    return 2 * t / (1 + t)


def _one_factor(proof: Proof, beta_of, square) -> None:
    """Record what one factor with eigenvalue in (-1, 1) does to a complex vector."""
    beta, xx, yy, zx, zy = sympy.symbols("beta xx yy zx zy", real=True)
    # w = x + i y and a real unit z: zx, zy are the parts of z.w, xx + yy is |w|^2
    after = (xx - 2 * beta * zx**2 + beta**2 * zx**2) + (yy - 2 * beta * zy**2 + beta**2 * zy**2)
    proof.symbolically(
        "|C w|^2 = |w|^2 - beta (2 - beta) |z.w|^2", after, xx + yy - beta * (2 - beta) * square(zx, zy), "n, real unit z, complex w, beta"
    )
    t = sympy.Symbol("t", positive=True)
    value = sympy.sympify(beta_of(t))
    proof.holds("beta (2 - beta) > 0 for beta in (0, 2)", sympy.simplify(value * (2 - value)).is_positive, free="beta in (0, 2)")
    w, z, zt, x, xt = sympy.symbols("w z zt x xt", commutative=False)
    squared = sympy.expand(xt * (1 - beta * z * zt) * (1 - beta * z * zt) * x).subs(zt * z, 1)
    longer = xt * x - 2 * beta * xt * z * zt * x + beta**2 * xt * z * zt * x
    proof.symbolically("x^T C^T C x, multiplied out", squared, longer, "n, unit z, x (noncommuting), beta")
    kept = sympy.expand((1 - beta * z * zt) * w).subs(zt * w, 0)
    proof.symbolically("C w = w if z.w = 0", kept, w, "n, z, w (noncommuting), beta")


@claim(
    "grazzi25.prop1.3",
    place="Proposition 1.3, first part",
    title="with eigenvalues in (−1, 1], every eigenvalue of a product of GH matrices is 1 or has modulus < 1",
    says=r"Every eigenvalue of $N\in\mathcal M^n_k((-1,1])$ is $1$ or satisfies $|\lambda|<1$.",
    reading="The range is (-1, 1], as in the first line of the proof and in other copies of the paper; [-1, 1] in our text is a slip of extraction (a reflection has the eigenvalue -1).",
    remarks=("So this part excludes reflections, which is what separates the ranges [0, 1] and [-1, 1] in the section.",),
    uses=("grazzi25.prop1.3.display.amended",),
    sabotages={
        "beta = 2 allowed, which the kernel refutes": {"theorem": "false_variants.product_eigenvalues_with_two"},
        "a reflection among the factors": {"beta_of": lambda t: 2},
        "(z.w)^2 in place of |z.w|^2": {"square": lambda a, b: a**2 - b**2},
    },
)
def eigenvalue_one_or_inside(
    proof: Proof, beta_of=_open_range, square=lambda a, b: a**2 + b**2, theorem: str = "few_factors.product_eigenvalues"
) -> None:
    r"""Follow a complex eigenvector through the factors: one that shortens it makes $|\lambda|<1$, and if none does the vector is fixed.

    1. Leave out the factors with $\beta=0$, which are $I$. A factor $C=I-\beta zz^\top$ with $0<\beta<2$ and unit $z$ takes
       $\beta(2-\beta)|z^\top w|^2$ from $|w|^2$, and $\beta(2-\beta)>0$. [checked: "|C w|^2 = |w|^2 - beta (2 - beta) |z.w|^2"; "beta (2 - beta) > 0"]
    2. So $C$ lengthens no vector, shortens $w$ strictly if $z^\top w\ne0$, and fixes $w$ otherwise. [checked: "C w = w if z.w = 0"]
    3. Let $Nv=\lambda v$, $v\in\mathbb C^n$, $|v|=1$. If some factor shortens what it meets, $|\lambda|=|Nv|<1$ by 1. If none does, each fixes what it meets by 2, so $Nv=v$
       and $\lambda=1$. [checked: "|C w|^2 = |w|^2 - beta (2 - beta) |z.w|^2"; "C w = w if z.w = 0"]
    """
    proof.formally(
        "the kernel: an eigenvalue is 1 or of modulus below 1",
        theorem,
        whole="every n and k",
        differs="real factors over any closed field; eigenvectors as rows",
    )
    _one_factor(proof, beta_of, square)
    largest, count = proof.pick((3, 2), (5, 4), (6, 12))
    for factors in random_products(23, largest, count, 6, -1, 1):
        inside = [f if f.beta != 2 else GeneralizedHouseholder(f.v, fmpq(7, 4)) for f in factors]
        if any(f.beta != 0 for f in inside):
            proof.certificate("witness", "a product with eigenvalues in (-1, 1]", factors=factor_data(inside))


@claim(
    "grazzi25.prop1.3.display",
    place="App. C.2, third item, display of |C v|^2",
    flaw="gap",
    quotes=(
        r"Any unit vector $\mathbf{v} \in \mathbb{R}^n$ can then be written as",
        "Moreover, we have that",
        r"if $\mathbf{v}$ is also an eigenvector with eigenvalue $\lambda \in \mathbb{C}$",
    ),
    title="the proof follows real vectors, and its display |C v|² = 1 − β (2 − β) (vᵀ z)² fails for complex ones",
    says=r"For every unit eigenvector $v$ of a product in $\mathcal M^n_k((-1,1])$ and $C=I-\beta zz^\top$, $\|Cv\|^2=1-\beta(2-\beta)(v^\top z)^2$.",
    reading="as printed v is real; but the statement is about all eigenvalues, and those that are not real have complex eigenvectors only",
    letter="The third item of App. C.2 follows a real vector v. Eigenvalues that are not real have no real eigenvector, so the proof does not reach them. Take v in C^n and write |z^T v|^2 for (v^T z)^2. Then the same lines prove the proposition for all eigenvalues.",
    sabotages={"|z^T v|^2 in place of (v^T z)^2": {"square": lambda v, z: _bilinear(v, z) * _bilinear(v, z).conjugate()}},
)
def display_for_complex_eigenvectors(proof: Proof, square=lambda v, z: _bilinear(v, z) ** 2) -> None:
    """Two GH factors of the plane can have a product with a nonreal eigenvalue, here one in Q(i); its eigenvector v is complex, (v^T z)^2 is no real number, and
    the displayed length is not |C v|^2. The search goes through products of two factors."""
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
            words={
                "eigenvector": (N @ v).tolist() == (v * value).tolist(),
                "complex": value != value.conjugate(),
                "betas": 0 < b1 < 2 and 0 < b2 < 2,
                "length": length != displayed,
            },
            minimal="n = 2, k = 2",
        )
        factors = factor_data([GeneralizedHouseholder(z1, b1), GeneralizedHouseholder(z2, b2)])
        # each entry as its coefficients of 1 and i, one of which may be left out
        entries = [x.polynomial.coeffs() for x in v]
        proof.certificate("witness", "a complex eigenvector of two factors", factors=factors, eigenvalue=value, vector=entries)


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
    place="App. C.2, third item, display of |C v|^2",
    amends="grazzi25.prop1.3.display",
    title="|C v|² = |v|² − β (2 − β) |zᵀ v|² for complex v, so the proof goes through",
    says=r"For real unit $z$ and $v\in\mathbb C^n$, $\|(I-\beta zz^\top)v\|^2=\|v\|^2-\beta(2-\beta)|z^\top v|^2$.",
    sabotages={
        "without the modulus, which the kernel refutes": {"theorem": "sentences.display_without_modulus"},
        "(z^T v)^2 as printed": {"square": lambda a, b: a**2 - b**2},
    },
)
def display_with_modulus(proof: Proof, square=lambda a, b: a**2 + b**2, theorem: str = "sentences.display_with_modulus") -> None:
    r"""Split $v=x+iy$: the real identity for $x$ and for $y$, added.

    1. For real $x$, $|x-\beta z(z^\top x)|^2=|x|^2-2\beta(z^\top x)^2+\beta^2(z^\top x)^2$, and alike for $y$. [checked: "x^T C^T C x, multiplied out"] [prose]
    2. The sum of both is $|v|^2-\beta(2-\beta)\big((z^\top x)^2+(z^\top y)^2\big)$, and $|z^\top v|^2=(z^\top x)^2+(z^\top y)^2$. [checked: "|C w|^2 = |w|^2 - beta (2 - beta) |z.w|^2"] [prose]
    """
    proof.formally(
        "the kernel: the display with the modulus",
        theorem,
        whole="every n, real unit z, complex v and real beta",
        differs="any algebraically closed field with a norm for the complex numbers",
    )
    _one_factor(proof, _open_range, square)
    for factors in random_products(27, 3, proof.pick(1, 2, 4), 1, -1, 1):
        v = np.array([gaussian(k - 1, k + 1) for k in range(len(factors[0].v))], dtype=object)
        if factors[0].beta != 2 and sum(factors[0].v) != 0:
            proof.certificate("witness", "one factor on a complex vector", factors=factor_data(factors), vector=v)


@claim(
    "grazzi25.prop1.3.two",
    place="Proposition 1.3, second part",
    title="products of at most two GH matrices with eigenvalues in [0, 1] have all eigenvalues in [0, 1]",
    says=r"Every eigenvalue of $N\in\mathcal M^n_k([0,1])$, $k\le2$, lies in $[0,1]$.",
    remarks=("Sharp: three projections can have a negative eigenvalue (new.householder.three-projections).",),
    sabotages={
        "beta up to 2 in one factor, which the kernel refutes": {"theorem": "false_variants.two_factors_up_to_two"},
        "a third factor": {
            "third": sympy.Matrix([[sympy.Rational(1, 2), sympy.Rational(1, 2)], [sympy.Rational(1, 2), sympy.Rational(1, 2)]])
        },
        "the range [-1, 1]": {"low": -1},
    },
)
def two_factors_have_real_spectra(proof: Proof, third=sympy.eye(2), low: int = 0, theorem: str = "few_factors.two_factors") -> None:
    r"""On the plane of the two vectors the characteristic polynomial has a nonnegative discriminant and the right signs at its ends.

    1. In an orthonormal basis whose first two vectors span a plane that contains $z_1,z_2$ (add a dimension if $n=1$) the product is a $2\times2$ block and the identity. With
       $a=1-\beta_1$, $b=1-\beta_2\in[0,1]$ and $s=(z_1^\top z_2)^2\in[0,1]$ the block has trace $T=a+b+(1-a)(1-b)s$ and determinant $ab$.
       [checked: "the trace on the plane"; "the determinant on the plane"]
    2. $T^2-4ab=(a-b)^2+s(1-a)(1-b)\big(2(a+b)+(1-a)(1-b)s\big)\ge0$: both eigenvalues are real. [checked: "the discriminant is a sum"; "the discriminant is nonnegative"]
    3. $p(x)=x^2-Tx+ab$ has $p(0)=ab\ge0$, $p(1)=(1-a)(1-b)(1-s)\ge0$, and its vertex $T/2$ lies in $[0,1]$ because $T\ge0$ and $2-T=(1-a)+a(1-b)+(1-a)(1-b)(1-s)\ge0$. So both
       roots lie in $[0,1]$. [checked: "the value at 1"; "the value at 1 is nonnegative"; "the vertex"; "the trace is nonnegative"; "a, b >= 0"]
    """
    proof.formally(
        "the kernel: eigenvalues of two factors",
        theorem,
        whole="every n",
        differs="real factors over any closed field; eigenvectors as rows",
    )
    a, b, s, c = sympy.symbols("a b s c", real=True)
    z1, z2 = sympy.Matrix([1, 0]), sympy.Matrix([c, sympy.sqrt(1 - c**2)])
    N = (sympy.eye(2) - (1 - a) * z1 * z1.T) * (sympy.eye(2) - (1 - b) * z2 * z2.T) * third
    trace = a + b + (1 - a) * (1 - b) * s
    proof.symbolically("the trace on the plane", sympy.trace(N), trace.subs(s, c**2), "n, z_1, z_2, a, b")
    proof.symbolically("the determinant on the plane", N.det(), a * b, "n, z_1, z_2, a, b")
    # A, B, S, 1 - A, 1 - B, 1 - S as nonnegative numbers of their own: what is a sum of products of them is nonnegative
    A, B, S, A1, B1, S1 = sympy.symbols("A B S A1 B1 S1", nonnegative=True)
    meaning = {A: a, B: b, S: s, A1: 1 - a, B1: 1 - b, S1: 1 - s}
    signs = {
        "the discriminant": (trace**2 - 4 * a * b, (A - B) ** 2 + S * A1 * B1 * (2 * (A + B) + A1 * B1 * S)),
        "the value at 1": (1 - trace + a * b, A1 * B1 * S1),
        "the vertex (2 - T)": (2 - trace, A1 + A * B1 + A1 * B1 * S1),
        "the trace": (trace, A + B + A1 * B1 * S),
    }
    for name, (value, as_sum) in signs.items():
        proof.symbolically(f"{name} is a sum", value, as_sum.subs(meaning, simultaneous=True), "a, b, s")
        proof.holds(f"{name} is nonnegative", as_sum.is_nonnegative)
    u = sympy.Symbol("u", nonnegative=True)
    proof.holds("a, b >= 0", (low + u).is_nonnegative)
    largest, count = proof.pick((3, 2), (5, 5), (6, 12))
    for factors in random_products(24, largest, count, 2, 0, 1):
        if len(factors) == 2 and all(f.beta != 0 for f in factors) and factors[0].v @ factors[1].v != 0:
            proof.certificate("witness", "two factors with eigenvalues in [0, 1]", factors=factor_data(factors))


@claim(
    "new.householder.three-projections",
    place="after grazzi25 Proposition 1.3 and Theorem 1",
    title="three projections can have the eigenvalue −1/8; cast onto {−1, 1}, without 0, such a layer alternates for ever",
    says=r"The product of the projections of the plane along $0°,60°,120°$ has the eigenvalue $-\tfrac18$; three projections along integer vectors have a negative eigenvalue as well. With "
    r"$\mathbb D=\{-1,1\}$ the cast state of that layer alternates for ever on $1^k$; with $\mathbb D=\{-1,0,1\}$ it settles.",
    known="That the product of two projections has its spectrum in [0, 1], and that three may not, is classical (two subspaces: Halmos 1969); the use for the cast model is ours.",
    remarks=(
        "So with k = 3 even the range [0, 1] escapes Theorem 1 in the cast model if D lacks 0; the counted number is lost as soon as D has 0.",
    ),
    sabotages={"two projections only": {"k": 2}, "orthogonal projections": {"largest": 1}, "a set with 0": {"D": (-1, 0, 1)}},
)
def three_projections(proof: Proof, k: int = 3, largest: int = 2, D=(-1, 1)) -> None:
    r"""A product of rank-one projections has the product of the cosines between neighbouring lines, cyclically, as its one nonzero eigenvalue.

    1. At $0°,60°,120°$ these are $\tfrac12,\tfrac12,-\tfrac12$: trace $-\tfrac18$ and determinant $0$, so the eigenvalues are $-\tfrac18$ and $0$. [checked: "at 0, 60, 120 degrees"]
    2. The shortest integer vectors that do it are found by search; $w$ is the eigenvector of $\lambda<0$. [checked: "N w = lambda w, lambda < 0"]
    3. With $H_0=-w$, $B=w$ every summand $\lambda^j w$ of the state alternates in sign. From a threshold on, which the Jordan form gives, each summand is cast as its sign says, or to 0 if $0\in\mathbb D$. So the states
       up to the threshold decide: the period is 2 for $\mathbb D=\{-1,1\}$, and 1 if $0\in\mathbb D$. [checked: "the cast state has eventual period 2"; "with 0 in D it settles"] [prose]
    """
    lines = [GeneralizedHouseholder(np.array(cosine_and_sine(6, j), dtype=object), 1) for j in range(k)]
    for at_sixty in proof.every("the three lines", [householder.product(lines, 2)], limited=False):
        proof.exactly("at 0, 60, 120 degrees: trace -1/8", at_sixty.trace(), fmpq(-1, 8))
        proof.exactly("at 0, 60, 120 degrees: determinant 0", at_sixty[0, 0] * at_sixty[1, 1], at_sixty[0, 1] * at_sixty[1, 0])
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
    for vector in proof.every("the eigenvector", [w], limited=False):
        proof.exactly("N w = lambda w, lambda < 0", [(N @ vector).tolist(), value < 0], [(vector * value).tolist(), True])
    proof.certificate("eigenvector", "the product has a negative eigenvalue", matrix=N, eigenvalue=value, vector=w[:, 0])
    # a component 0 of w would be cast the same way every time; the other one still alternates
    for layer in proof.every("this layer", [parity.power_recurrence(N, -w, w)], limited=False):
        proof.exactly("the cast state has eventual period 2", layer.eventual_states([], [1], FiniteSet(list(D))).period, 2)
        proof.exactly("with 0 in D it settles", layer.eventual_states([], [1], FiniteSet([-1, 0, 1])).period, 1)
    proof.exhibit("three projections with a negative eigenvalue", vectors=list(zs), product=N, eigenvalue=value, eigenvector=w[:, 0])
    certify_eventually_periodic(proof, parity.power_recurrence(N, -w, w), FiniteSet(list(D)))


@claim(
    "grazzi25.prop1.3.orthogonal",
    place="Sec. 4.3, after Proposition 1",
    title="products of GH matrices with eigenvalues in [0, 1] are the identity or not orthogonal",
    says=r"An orthogonal $N\in\mathcal M^n_k((-1,1])$ has all $\beta_i=0$ and is $I$; in particular for $\Omega=[0,1]$.",
    uses=("grazzi25.prop1.3.display.amended",),
    sabotages={
        "beta = 2 allowed, which the kernel refutes": {"theorem": "false_variants.orthogonal_products_are_trivial_with_two"},
        "reflections are allowed": {"beta_of": lambda t: 2},
        "(z.w)^2 in place of |z.w|^2": {"square": lambda a, b: a**2 - b**2},
    },
)
def orthogonal_only_if_identity(
    proof: Proof, beta_of=_open_range, square=lambda a, b: a**2 + b**2, theorem: str = "few_factors.orthogonal_products_are_trivial"
) -> None:
    r"""An orthogonal product shortens no vector, so no factor may shorten what it meets; the last factor meets every vector.

    1. Suppose that some $\beta_i\ne0$ and leave out the factors with $\beta_i=0$. The last factor left, $I-\beta zz^\top$ with $0<\beta<2$, acts first and takes $\beta(2-\beta)|z^\top z|^2>0$ from
       the length of $z$; no other factor lengthens. [checked: "|C w|^2 = |w|^2 - beta (2 - beta) |z.w|^2"; "beta (2 - beta) > 0"]
    2. So $|Nz|<|z|$ and $N$ is not orthogonal. Hence all $\beta_i=0$, and $N=I$. [checked: "|C w|^2 = |w|^2 - beta (2 - beta) |z.w|^2"]
    """
    proof.formally(
        "the kernel: orthogonal products are trivial",
        theorem,
        whole="every n and k",
        differs="an ordered field for the reals",
    )
    _one_factor(proof, beta_of, square)
    for factors in random_products(25, proof.pick(2, 4, 5), 3, 4, 0, 1):
        if any(f.beta != 0 for f in factors):
            proof.certificate("witness", "a product with eigenvalues in [0, 1] that is not orthogonal", factors=factor_data(factors))
