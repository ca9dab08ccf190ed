"""Which mixers contract: two factors of Eq. 10 (movahedi25, App. D.3.2)."""

from __future__ import annotations

from random import Random

import sympy
from flint import fmpq

from ...constructions import samples
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
    known="the triangle inequality gives r alpha < 1/2 for r factors, the composition of averaged operators alpha < 1/3 (Ogura and Yamada 2002). For every r: new.fixed-point.equal-reflections",
    sabotages={
        "alpha < 9/20": {"limit": sympy.Rational(9, 20)},
        "alpha < 1/4": {"limit": sympy.Rational(1, 4)},
        "the factors added": {"mixer": lambda P, R: P + R - sympy.eye(2)},
    },
)
def two_reflections(proof: Proof, limit=sympy.Rational(2, 5), mixer=lambda P, R: P * R) -> None:
    r"""Off the plane of $u$ and $v$ the matrix $I-Q$ is 0; in the plane two invariants of it are polynomials in $a=2\alpha$ and $x=(u\cdot v)^2$.

    1. The singular values $s,t$ of $I-Q$ in the plane have $st=|\det(I-Q)|=a^2(1-x)<1$: they are not both 1 or more. [checked: "det (I - Q) = a^2 (1 - x)"]
    2. $(1-s^2)(1-t^2)=\det(I-(I-Q)^\top(I-Q))=(a^2x-\frac p2)^2+\frac14a(4-5a)(2-a)^2$ with $p=3a^2-4a+2$. [checked: "det(I - (I - Q)^T (I - Q)), completed to a square"]
    3. For $a<\frac45$ this is positive for every $x$, and with step 1 both $s$ and $t$ are below 1. [checked: "the constant term vanishes at a = 2 limit, and is positive below"]
    4. For $\frac45\le a<1$ put $x=p/(2a^2)$: it is positive, as $p=3(a-\frac23)^2+\frac23$, and at most 1, as $2a^2-p=-(a-2+\sqrt2)(a-2-\sqrt2)\ge0$ from $2-\sqrt2<\frac45$ on. There the square is 0 and the rest
       at most 0, so $s$ or $t$ is at least 1. [checked: "p <= 2 a^2"; "p = 3 (a - 2/3)^2 + 2/3"; "2 - sqrt 2 < 4/5"]
    5. At $a=\frac45$, $x=\frac9{16}$; and then the norm is 1. [checked: "a = 4/5: x = 9/16"; "alpha = 2/5, u.v = 3/4"]
    """
    a, c = sympy.symbols("a c", positive=True)
    s = sympy.sqrt(1 - c**2)
    u, v = sympy.Matrix([1, 0]), sympy.Matrix([c, s])
    M = sympy.eye(2) - mixer(sympy.eye(2) - a * u * u.T, sympy.eye(2) - a * v * v.T)
    p = 3 * a**2 - 4 * a + 2
    rest = a * (4 - 5 * a) * (2 - a) ** 2 / 4
    proof.symbolically("det (I - Q) = a^2 (1 - x)", M.det(), a**2 * (1 - c**2), "alpha, u, v")
    proof.symbolically(
        "det(I - (I - Q)^T (I - Q)), completed to a square",
        (sympy.eye(2) - M.T * M).det(),
        (a**2 * c**2 - p / 2) ** 2 + rest,
        "alpha, u, v",
    )
    proof.symbolically(
        "the constant term vanishes at a = 2 limit, and is positive below",
        rest / (a * (2 - a) ** 2),
        sympy.Rational(5, 4) * (2 * limit - a),
        "alpha",
    )
    proof.symbolically(
        "p <= 2 a^2 between 2 - sqrt 2 and 2 + sqrt 2", p - 2 * a**2, (a - 2 + sympy.sqrt(2)) * (a - 2 - sympy.sqrt(2)), "alpha"
    )
    proof.symbolically("p = 3 (a - 2/3)^2 + 2/3", p, 3 * (a - sympy.Rational(2, 3)) ** 2 + sympy.Rational(2, 3), "alpha")
    proof.holds("2 - sqrt 2 < 4/5, as (6/5)^2 < 2", fmpq(6, 5) ** 2 < 2)
    proof.exactly("a = 4/5: x = 9/16", (p / (2 * a**2)).subs(a, 2 * limit), sympy.Rational(9, 16))
    # u.v = 3/4 without a square root
    e, w = exact.unit_vector(5, 0), exact.rationals([3, 2, 1, 1, 1])
    F = exact.identity(5) - _mixer(fmpq(2, 5), e, w)
    at_most = exact.is_positive_semidefinite(exact.identity(5) - F.T @ F)
    proof.exactly("alpha = 2/5, u.v = 3/4: at most 1, and not below", (at_most, norm_is_below(F, fmpq(1))), (True, False))
    proof.whole("two identities in alpha and u.v in the plane, whose signs are decided for all of them; outside the plane I - Q is 0")
    rng = Random(81)
    for d in (2, 3, 4):
        vectors = {"u": samples.nonzero_vector(rng, d), "v": samples.nonzero_vector(rng, d)}
        proof.certificate("witness", f"alpha below 2/5, d = {d}", alpha=fmpq(399, 1000), **vectors)
    proof.certificate("witness", "alpha = 2/5", alpha=fmpq(2, 5), u=e, v=w)
