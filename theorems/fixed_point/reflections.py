"""Which mixers of Eq. 10 contract: r factors with one alpha, for every r (movahedi25, App. D.3.2)."""

from __future__ import annotations

from random import Random

import sympy
from flint import arb, fmpq, fmpq_poly

from ...constructions import samples
from ...constructions.reflections import circle_point, closeness, complex_power, contracts, equal_angles, mixer
from ...numerics import exact
from ...numerics.peak_gain import norm_is_below
from ..claim import claim
from ..evidence import Proof

KNOWN = (
    "Sets of the plane for compositions of operators, and that composing multiplies them, are the scaled relative graphs of Ryu, Hannah and Yin (2021); composing averaged operators (Ogura and Yamada 2002) gives "
    "alpha < 1/(r + 1), the triangle inequality alpha < 1/(2r). The thresholds are in neither"
)


#: floor(10^9 alpha_r) for r = 3, 4, ...
BILLIONTHS = {3: 316987298, 4: 261028207, 5: 221483508, 6: 192208237, 7: 169709442, 8: 151896686}


def _on_circle(expression: sympy.Expr, C: sympy.Symbol, S: sympy.Symbol) -> sympy.Expr:
    """The remainder modulo S^2 + C^2 = 1."""
    return sympy.expand(sympy.rem(sympy.expand(expression), S**2 + C**2 - 1, S))


@claim(
    "new.fixed-point.equal-reflections",
    place="Eq. 10",
    title="the largest ‖I − Q‖ of r factors with one α is the largest |1 − zʳ| on the disc with diameter [1 − 2 α, 1]",
    says=r"For $0<\alpha<\frac12$ and $d\ge2$ the supremum of $\|I-Q\|$ over $Q=\prod_{k=1}^r(I-2\alpha u_ku_k^\top)$, $|u_k|=1$, is $\max|1-z^r|$ over $|z-(1-\alpha)|\le\alpha$, attained in a plane by vectors at equal angles. "
    r"So $\|I-Q\|<1$ for all $u_k$ iff $\alpha<\alpha_r$, where $\frac1{2\alpha_r}=\max_{|w|=1}\operatorname{Re}\frac1{1-(1+w)^{1/r}}$ (principal roots).",
    known=KNOWN,
    construction="lemmata.constructions.reflections.equal_angles",
    sabotages={
        "factors I - alpha u u^T": {"factor": 1},
        "vectors along z in place of 1 - z": {"direction": lambda z: z},
        "the disc with diameter [1 - alpha, 1]": {"low": lambda alpha: 1 - alpha},
    },
)
def largest_distance(proof: Proof, factor: int = 2, direction=lambda z: (1 - z[0], -z[1]), low=lambda alpha: 1 - 2 * alpha) -> None:
    r"""Follow a vector through the factors: each multiplies its length and turns it by a point of one circle, and turning in one plane goes furthest.

    1. $|Tx-(1-\alpha)x|=\alpha|x|$ for $T=I-2\alpha uu^\top$, $|u|=1$. [checked: "|T x - (1 - alpha) x|^2 = alpha^2 |x|^2"] With $x_k=T_kx_{k-1}$, $s_k=|x_k|/|x_{k-1}|>0$ and $\varphi_k\in[0,\pi]$ the angle between them, $z_k=s_ke^{i\varphi_k}$ is on
       the circle $C$ with centre $1-\alpha$ and radius $\alpha$, whose diameter is $[1-2\alpha,1]$. [checked: "the diameter"; "the circle in lengths and angles"]
    2. Angles obey the triangle inequality: for unit vectors with the inner products $a,b,c$, $(1-a^2)(1-b^2)-(c-ab)^2$ is their Gram determinant, so $c\ge ab-\sqrt{1-a^2}\sqrt{1-b^2}$. [checked: "the Gram determinant of three unit vectors"]
       So the angle of $x_0$ and $x_r$ is at most $\Phi=\min(\pi,\sum\varphi_k)$, and $|x_0-x_r|^2\le|x_0|^2(1+S^2-2S\cos\Phi)$ with $S=\prod s_k$. [prose]
    3. If $\sum\varphi_k>\pi$ make the $\varphi_k$ smaller, to the sum $\pi$: points of the same modulus and a smaller angle stay in the disc $D$ of $C$. [checked: "the circle in lengths and angles"] So $|x_0-x_r|\le|x_0||1-\prod z_k|$ for some $z_k\in D$. [prose]
    4. For $z=e^{x+iy}$, $|y|<\frac\pi2$, $z\in D$ says $\cos y-\frac{e^x+(1-2\alpha)e^{-x}}{2(1-\alpha)}\ge0$; this function of $x,y$ is concave ($\operatorname{Re}z>0$ on $D$, as $\alpha<\frac12$), so $\log D$ is convex: the geometric mean $z$ of the $z_k$ is in $D$, and $\prod z_k=z^r$.
       [checked: "D in logarithms"; "both terms are concave"] That is the upper bound. [prose]
    5. It is attained: in the plane the factor with $u$ in the direction of $1-z$, $z\in C$, maps $1$ to $z$; turned by the angle of $z$ each time, $r$ of them map $1$ to $z^r$; and the largest $|1-z^r|$ on $D$ is on $C$.
       [checked: "T 1 = z for u along 1 - z"] [cited: maximum principle] [prose]
    6. $|z-(1-\alpha)|^2-\alpha^2=|1-z|^2-2\alpha(1-\operatorname{Re}z)$, so $z\ne1$ is in $D$ iff $\operatorname{Re}\frac1{1-z}\ge\frac1{2\alpha}$. [checked: "D by the real part of 1/(1 - z)"]
    7. Let $\Gamma$ be the curve $(1+w)^{1/r}$, $|w|=1$. If it meets $D$ then $|1-z^r|=1$ there. If $|1-z^r|\ge1$ somewhere in $D$, go there from $1$ on a straight line: until $|1-z^r|$ is first $1$ the real part of $z^r$ is positive, so $z$ is the principal root of
       $z^r=1+w$ and in $\Gamma$. So the maximum is below $1$ iff $\Gamma$ does not meet $D$, that is iff $\frac1{2\alpha}$ is larger than all $\operatorname{Re}\frac1{1-z}$ on $\Gamma$. [prose]

    Beside the argument, on instances, equal angles give $z^r$ exactly, and random vectors just below $\alpha_r$ contract.
    """
    alpha, x, y, p, X, u2 = sympy.symbols("alpha x y p X u2", real=True)
    # x.x = X, u.x = p, u.u = 1: T x - (1 - alpha) x = alpha x - factor alpha p u
    moved = alpha**2 * X - 2 * alpha * factor * alpha * p * p + (factor * alpha * p) ** 2 * u2
    proof.symbolically("|T x - (1 - alpha) x|^2 = alpha^2 |x|^2", moved.subs(u2, 1), alpha**2 * X, "alpha, u, x of any dimension")
    ends = [sympy.expand(low(alpha) - (1 - alpha) + alpha), sympy.expand(1 - (1 - alpha) - alpha)]
    proof.exactly("the diameter", ends, [sympy.Integer(0)] * 2, free="alpha")
    a, b, c = sympy.symbols("a b c", real=True)
    gram = sympy.Matrix([[1, a, c], [a, 1, b], [c, b, 1]]).det()
    proof.symbolically("the Gram determinant of three unit vectors", (1 - a**2) * (1 - b**2) - (c - a * b) ** 2, gram, "a, b, c")
    # C and S stand for the cosine and sine of an angle, E for e^x
    s, C, S, E = sympy.symbols("s C S E", positive=True)
    polar = s**2 + (1 - alpha) ** 2 - 2 * s * (1 - alpha) * C
    proof.symbolically(
        "the circle in lengths and angles", _on_circle((s * C - (1 - alpha)) ** 2 + (s * S) ** 2 - polar, C, S), 0, "s, phi, alpha"
    )
    k = (1 - alpha) ** 2 - alpha**2
    grows = (E + k / E) / (2 * (1 - alpha))
    proof.symbolically("D in logarithms", (alpha**2 - polar.subs(s, E)) / (2 * (1 - alpha) * E), C - grows, "x, y, alpha")
    convex = grows.subs(E, sympy.exp(x))
    concave = [sympy.diff(convex, x, 2) - convex, sympy.diff(sympy.cos(y), y, 2) + sympy.cos(y), k - 1 + 2 * alpha]
    proof.exactly("both terms are concave", [sympy.cancel(e) for e in concave], [sympy.Integer(0)] * 3, free="x, y, alpha")
    z = (1 - alpha + alpha * C, alpha * S)
    u = direction(z)
    size = u[0] ** 2 + u[1] ** 2
    # T 1 = 1 - factor alpha (u . 1) u / |u|^2
    image = (size - factor * alpha * u[0] * u[0], -factor * alpha * u[0] * u[1])
    for t, w in zip(image, z, strict=True):
        proof.symbolically("T 1 = z for u along 1 - z", _on_circle(t - w * size, C, S), 0, "alpha, psi")
    zx, zy = sympy.symbols("zx zy", real=True)
    proof.symbolically(
        "D by the real part of 1/(1 - z)",
        (zx - (1 - alpha)) ** 2 + zy**2 - alpha**2,
        (1 - zx) ** 2 + zy**2 - 2 * alpha * (1 - zx),
        "z, alpha",
    )
    with proof.beside():
        _equal_angles_and_random_vectors(proof)
    for r, alpha_, m in ((2, fmpq(2, 5), fmpq(1, 2)), (3, fmpq(3, 10), fmpq(2, 3)), (5, fmpq(1, 5), fmpq(1))):
        point = circle_point(alpha_, m)
        proof.certificate("witness", f"r = {r}, equal angles", alpha=alpha_, z=list(point), vectors=equal_angles(point, r))


def _equal_angles_and_random_vectors(proof: Proof) -> None:
    """Instances: equal angles reach the bound, random vectors just below the threshold contract."""
    rng = Random(71)
    for r in proof.each("r <= 5, a point of the circle, and five random sets of vectors of 2 to 4 entries, seed 71", range(1, 6)):
        point = circle_point(fmpq(1, 3), fmpq(2, 3))
        reached = mixer(fmpq(1, 3), equal_angles(point, r))[:, 0]
        proof.exactly("equal angles reach z^r", tuple(reached), complex_power(point, r))
        below = fmpq(({1: 5 * 10**8 - 1, 2: 4 * 10**8 - 1} | BILLIONTHS)[r], 10**9)
        for d in (2, 2, 3, 3, 4):
            Q = mixer(below, [samples.nonzero_vector(rng, d) for _ in range(r)])
            proof.holds("random vectors just below the threshold contract", norm_is_below(exact.identity(d) - Q, fmpq(1)))


# -- the numbers -----------------------------------------------------------------------------------------------------------------

#: polynomials in a = 2 alpha, lowest coefficient first
POLYNOMIALS = {2: (-4, 5), 3: (3, -6, 2), 4: (-2048, 8704, -13184, 9248, -3168, 431), 5: (-200, 800, -1050, 691, -232, 31)}


def speed(theta: arb) -> arb:
    """l/(l^2 + theta^2) for l = -ln(2 cos theta): the real part of -1/log(1 + w) for w = e^(2 i theta)."""
    loss = -(2 * theta.cos()).log()
    return loss / (loss**2 + theta**2)


def largest_speed(pieces: int) -> tuple[arb, arb]:
    """Rigorous bounds of the maximum of ``speed`` over (pi/3, pi/2): from below at one angle, from above by balls and, near pi/2, by 1/l."""
    low = speed(arb("1.42395"))
    left, right = arb("1.0471"), arb("1.57")
    # beyond 1.57, l > 6, and l/(l^2 + theta^2) < 1/6; before 1.0471 l < 0
    high = [1 / (-(2 * right.cos()).log())]
    width = (right - left) / pieces
    for i in range(pieces):
        middle = left + width * (i + arb("0.5"))
        high.append(_over(middle, width / 2))
    return low, max(high, key=lambda x: float(x.upper()))


def _over(middle: arb, radius: arb) -> arb:
    """``speed`` on a ball by its derivative, l'(theta^2 - l^2) - 2 theta l over (l^2 + theta^2)^2, l' = tan theta."""
    ball = middle + arb(0, 1) * radius
    loss = -(2 * ball.cos()).log()
    slope = (ball.tan() * (ball**2 - loss**2) - 2 * ball * loss) / (loss**2 + ball**2) ** 2
    return speed(middle) + slope * (arb(0, 1) * radius)


@claim(
    "new.fixed-point.equal-reflections.thresholds",
    place="Eq. 10",
    title="the thresholds of r factors: 1/2, 2/5, (3 − √3)/4, 0.2610, 0.2215, …; r αᵣ tends to 1.4394…",
    says=r"$\alpha_1=\frac12$, $\alpha_2=\frac25$, $\alpha_3=\frac{3-\sqrt3}4$; $2\alpha_4$ and $2\alpha_5$ are roots of $431a^5-3168a^4+9248a^3-13184a^2+8704a-2048$ and $31a^5-232a^4+691a^3-1050a^2+800a-200$; "
    r"$10^9\alpha_r$ for $r\le8$ are known to 1. And $\frac1{2\alpha_r}=\frac r\kappa+\frac12+O(\frac1r)$ with $\kappa=\min\frac{\ell^2+\theta^2}\ell$ over $\frac\pi3<\theta<\frac\pi2$, $\ell=-\ln(2\cos\theta)$: $r\alpha_r\to\frac\kappa2=1.439\dots$",
    known=KNOWN,
    construction="lemmata.constructions.reflections.contracts",
    sabotages={
        "averaged operators: 1/(r + 1)": {"billionths": {r: 10**9 // (r + 1) for r in BILLIONTHS}},
        "one more in the ninth place": {"billionths": {r: x + 1 for r, x in BILLIONTHS.items()}},
        "the limit of averaged operators, 1": {"limit": (fmpq(999, 1000), fmpq(1001, 1000))},
    },
)
def thresholds(proof: Proof, billionths=None, limit=(fmpq(14394, 10000), fmpq(14395, 10000))) -> None:
    r"""On the circle everything is a polynomial in $t=|z|^2$, so a rational $\alpha$ is decided by Sturm's theorem; for large $r$ the curve $\Gamma$ shrinks to logarithms.

    1. On the circle $2\operatorname{Re}z=\frac{t+1-2\alpha}{1-\alpha}$ with $t=|z|^2$ in $[(1-2\alpha)^2,1]$, and $2\operatorname{Re}z^r$ is its Dickson polynomial. So $1-|1-z^r|^2=P(t)$, positive at the ends, and $\alpha$ is below $\alpha_r$ iff $P$ has no root there.
       [uses: new.fixed-point.equal-reflections] [checked: "P(t) = 1 - |1 - z^r|^2"; "contraction just below, none just above"]
    2. At $\alpha=\alpha_r$ the root is double, so the discriminant of $P$ vanishes; for $r\le5$ that leaves the polynomials given, which have one root within $2\cdot10^{-9}$. [checked: "the discriminant"; "one root of the polynomial"]
       For $r=3$ it is $2a^2-6a+3$, so $a=\frac{3-\sqrt3}2$. For $r=2$ there is an identity: with $x=(u\cdot v)^2$ and $p=3a^2-4a+2$,
       $\det(I-(I-Q)^\top(I-Q))=(a^2x-\frac p2)^2+\frac14a(4-5a)(2-a)^2$; at $a=\frac45$ the norm is $1$ for $u\cdot v=\frac34$. [checked: "r = 2, completed to a square"; "r = 2, alpha = 2/5, u.v = 3/4"]
    3. $z=(1+w)^{1/r}=e^{L/r}$ with $L=\ln(2\cos\theta)+i\theta$, $w=e^{2i\theta}$. By $\frac1{1-e^x}=-\frac1x+\frac12+O(x)$, $\operatorname{Re}\frac1{1-z}=\frac{r\ell}{\ell^2+\theta^2}+\frac12+O(\frac1r)$ as long as $L$ is bounded. For $\ell\ge M$ it is at most
       $\frac1{|1-z|}\le\frac1{1-e^{-M/r}}\le\frac rM+1$, and for $\ell\le0$, $|z|\ge1$, at most $\frac12$: for $M=4$ both are smaller. So the maximum is $\frac r\kappa+\frac12+O(\frac1r)$. [prose]
    4. $\frac1\kappa$ is the largest $\frac\ell{\ell^2+\theta^2}$, by balls. [checked: "the largest speed, from below"; "the largest speed, from above"]
    """
    known = BILLIONTHS if billionths is None else billionths
    for r in proof.every("r <= 8", [1, 2, *BILLIONTHS]):
        point = circle_point(fmpq(1, 4), fmpq(2, 3))
        x, y = complex_power(point, r)
        t = point[0] ** 2 + point[1] ** 2
        proof.exactly("P(t) = 1 - |1 - z^r|^2", closeness(r, fmpq(1, 4))(t), 1 - (1 - x) ** 2 - y**2)
        if r <= 2:
            alpha = fmpq(2, 5) if r == 2 else fmpq(1, 2)
            below, above = alpha - fmpq(1, 10**9), alpha
        else:
            below, above = fmpq(known[r], 10**9), fmpq(known[r] + 1, 10**9)
        proof.exactly("contraction just below, none just above", [contracts(r, below), r > 1 and contracts(r, above)], [True, False])
        if r in POLYNOMIALS:
            p = fmpq_poly(list(POLYNOMIALS[r]))
            proof.exactly(
                "one root of the polynomial", [exact.has_root_in(p, 2 * below, 2 * above), _simple(p, 2 * below, 2 * above)], [True] * 2
            )
            proof.exactly("the discriminant", _discriminant(r) % p, fmpq_poly([0]))
        proof.certificate("witness", f"r = {r}", r=r, below=below, above=above)
    _two_factors(proof)
    low, high = largest_speed(proof.pick(600, 1200, 4000))
    proof.certified("the largest speed, from below", bool(1 / (2 * low) < arb(limit[1])))
    proof.certified("the largest speed, from above", bool(1 / (2 * high) > arb(limit[0])))


def _two_factors(proof: Proof) -> None:
    """det(I - (I - Q)^T (I - Q)) in the plane of u and v, and two vectors with u.v = 3/4 without a square root."""
    a, c = sympy.symbols("a c", positive=True)
    u, v = sympy.Matrix([1, 0]), sympy.Matrix([c, sympy.sqrt(1 - c**2)])
    M = sympy.eye(2) - (sympy.eye(2) - a * u * u.T) * (sympy.eye(2) - a * v * v.T)
    p = 3 * a**2 - 4 * a + 2
    square = (a**2 * c**2 - p / 2) ** 2 + a * (4 - 5 * a) * (2 - a) ** 2 / 4
    proof.symbolically("r = 2, completed to a square", (sympy.eye(2) - M.T * M).det(), square, "alpha, u, v")
    F = exact.identity(5) - mixer(fmpq(2, 5), [exact.unit_vector(5, 0), exact.rationals([3, 2, 1, 1, 1])])
    at_most = exact.is_positive_semidefinite(exact.identity(5) - F.T @ F)
    proof.exactly("r = 2, alpha = 2/5, u.v = 3/4: at most 1, and not below", (at_most, norm_is_below(F, fmpq(1))), (True, False))


def _simple(p: fmpq_poly, low: fmpq, high: fmpq) -> bool:
    """The derivative has no root there, so p has one at most."""
    return not exact.has_root_in(p.derivative(), low, high)


def _discriminant(r: int) -> fmpq_poly:
    """The discriminant in t of (1 - a/2)^r P, as a polynomial in a = 2 alpha; P has the leading coefficient (1 - a/2)^-r - 1."""
    t, a = sympy.symbols("t a")
    c = 1 - a / 2
    before, now = sympy.Integer(2), t + 1 - a
    for _ in range(r - 1):
        # 2 Re z^k times c^k
        before, now = now, sympy.expand((t + 1 - a) * now - c**2 * t * before)
    P = sympy.Poly(sympy.expand(now - c**r * t**r), t)
    return fmpq_poly([fmpq(int(x.p), int(x.q)) for x in reversed(sympy.Poly(P.discriminant(), a).all_coeffs())])
