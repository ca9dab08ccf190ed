"""Barron constants: closed forms, and what a linear change of variables does to them (orvieto24, Definition 3, App. D)."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import sympy
from flint import arb, fmpq

from ...constructions.universality.spectra import Spectrum, cosine, length, random_spectrum, sine
from ...constructions.vandermonde import recall_matrix
from ...numerics import exact
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof

# -- the change of variables ---------------------------------------------------------------------------------------------------


def norm_at_most_one(A: Array) -> bool:
    """I - A^T A is positive semidefinite, in exact arithmetic."""
    return exact.is_positive_semidefinite(exact.identity(A.shape[1]) - A.T @ A)


@claim(
    "orvieto24.appD.variables",
    topic="universality",
    place="App. D, change of variables",
    title="for f(x) = g(Ax) the Barron constant is C_f = |A| C_g",
    says=r"$f(x)=g(Ax)$, $A\in\mathbb R^{p\times n}$: $C_f=\|A\|_2C_g$.",
    reading="an equation, as printed; its proof goes from (21) to (22) with an equality sign",
    sabotages={
        "a square A that is invertible and isotropic": {"candidates": [((1, 0), (0, 1))]},
        "the change of variables is undone": {"compose": lambda g, A: g},
    },
)
def equality_of_constants(proof: Proof, candidates=None, compose=lambda g, A: g.after(A)) -> None:
    """Frequencies are moved by A^T, which shortens those off its top singular direction, and those that meet may cancel.

    One row (p = 1) scales all frequencies alike, so two rows and one column are the least: g = sin y_1 - sin y_2 is 0 on the diagonal."""
    small = [(w1, w2) for w1 in ((1,), (2,)) for w2 in ((1,), (-1,))] if candidates is None else candidates
    if candidates is None:
        rng = Random(121)
        for _ in proof.every(
            "p = 1: A = 0, +-1, +-2 with n = 1 and rows (a, b), |a|, |b| <= 2, with n = 2; random g of one variable", range(3)
        ):
            g = random_spectrum(rng, 1)
            for row in [(a,) for a in range(-2, 3)] + list(product(range(-2, 3), repeat=2)):
                A = exact.rationals([list(row)])
                proof.certified("C_f = |A| C_g to all digits", bool(abs(compose(g, A).barron - length(A[0]) * g.barron) < arb("1e-9")))
    found = proof.smallest(
        "p = 2, n = 1, then g among sums and differences of two waves",
        [(A, g) for A in small for g in _pairs()],
        lambda c: abs(compose(c[1], exact.rationals(c[0])).barron) < 1e-9 and c[1].barron > 0,
    )
    if found:
        (rows, g), _ = found
        A = exact.rationals(rows)
        f = compose(g, A)
        proof.counterexample(
            given={
                "A": A,
                "g": "sin y_1 - sin y_2",
                "f": "0, since f(x) = g(x, x)",
                "C_f": f.barron.str(5, radius=False),
                "C_g": g.barron.str(5, radius=False),
            },
            hypotheses={"A is not 0": bool(np.any(A != 0))},
            violates={"f is the zero function: all atoms cancel": not f.atoms, "C_g > 0": bool(g.barron > 0)},
            minimal="p = 2, n = 1",
        )
    y = sympy.symbols("y", positive=True)
    density = sympy.exp(-(y**2) / 2)
    of_f = sympy.integrate(2 * y * density / sympy.sqrt(2 * sympy.pi), (y, 0, sympy.oo))
    of_g = sympy.integrate(y * y * density, (y, 0, sympy.oo))
    if candidates is None:
        proof.symbolically(
            "no cancellation is needed: a Gaussian of two variables on the line (x, 0) has C_f = (2/pi) |A| C_g",
            of_f / of_g,
            2 / sympy.pi,
            free="x",
        )


def _pairs() -> list[Spectrum]:
    waves = [sine((1, 0)), sine((0, 1)), cosine((1, 0)), cosine((0, 1))]
    minus = [Spectrum({w: (-p, -q) for w, (p, q) in f.atoms.items()}) for f in waves]
    return [a + b for a, b in product(waves, [*waves, *minus]) if (a + b).atoms]


@claim(
    "orvieto24.appD.variables.amended",
    topic="universality",
    place="App. D, change of variables",
    kind="amended",
    amends="orvieto24.appD.variables",
    title="C_f is at most the integral of |A^T w| |G(w)|, which is at most |A| C_g; equal if frequencies do not meet, and lie in the top singular space",
    says=r"$C_f\le\int\|A^\top\xi\|\,|G(\xi)|\,d\xi\le\|A\|C_g$. First equality: iff atoms that $A^\top$ brings together have the same phase (e.g. $A^\top$ injective, or $G\ge0$). "
    r"Second: iff $\|A^\top\xi\|=\|A\|\|\xi\|$ for $G$-almost all $\xi$ (e.g. $p=1$, or $A^\top$ a multiple of an isometry).",
    construction="lemmata.constructions.universality.spectra.Spectrum.after",
    sabotages={
        "frequencies are doubled": {"scale": fmpq(2)},
        "phases are ignored when atoms meet": {"compose": lambda g, A: _without_phases(g, A)},
    },
)
def inequalities_of_constants(proof: Proof, scale=fmpq(1), compose=lambda g, A: g.after(A)) -> None:
    """The triangle inequality where frequencies meet, and |A^T xi| <= |A| |xi|."""
    rng = Random(122)
    slack = arb("1e-9")
    for _ in proof.each("random sums of waves, p, n <= 3, and contractions A with entries in (1/4) Z", range(proof.pick(20, 80, 300))):
        p, n = rng.randint(1, 3), rng.randint(1, 3)
        A = exact.rationals([[fmpq(rng.randint(-3, 3), 4) for _ in range(n)] for _ in range(p)])
        while not norm_at_most_one(A):
            A = A / 2
        g = random_spectrum(rng, p)
        f = compose(g, A * scale)
        proof.certified("C_f <= sum of |A^T w| |G(w)|", bool(f.barron <= g.stretched(A) + slack))
        proof.certified("<= C_g for |A| <= 1", bool(g.stretched(A) <= g.barron + slack))
        x = [fmpq(rng.randint(-4, 4), 3) for _ in range(n)]
        proof.certified("f(x) = g(Ax)", bool(abs(f(x) - g(A @ np.array(x, dtype=object) * scale)) < slack))
        if _in_phase(g, A):
            proof.certified("first equality: atoms that meet are in phase", bool(abs(f.barron - g.stretched(A)) < slack))
        else:
            proof.certified("strict if atoms that meet are out of phase", bool(f.barron < g.stretched(A)))
        positive = Spectrum({w: (length_squared(c), fmpq(0)) for w, c in g.atoms.items()})
        proof.certified("first equality: G >= 0", bool(abs(compose(positive, A * scale).barron - positive.stretched(A)) < slack))
        flat = exact.identity(p) * fmpq(1, 2)
        flat[0, 0] = fmpq(1)
        off_axis = any(any(w[1:]) for w in g.atoms)
        of_flat = g.stretched(flat)
        proof.certified(
            "second, A = diag(1, 1/2, ...): equal iff all frequencies lie on the first axis",
            bool(of_flat < g.barron) if off_axis else bool(abs(of_flat - g.barron) < slack),
        )
        isometry = exact.identity(3)[:, [2, 0, 1]][:, :p].T * fmpq(3, 5)
        proof.certified("both: A^T = 3/5 times an isometry", bool(abs(compose(g, isometry * scale).barron - g.barron * 3 / 5) < slack))


def length_squared(c: tuple[fmpq, fmpq]) -> fmpq:
    """|c|^2."""
    return c[0] * c[0] + c[1] * c[1]


def _in_phase(g: Spectrum, A: Array) -> bool:
    """Atoms that A^T moves to the same place other than 0 have positive multiples of one coefficient."""
    meeting: dict = {}
    for w, c in g.atoms.items():
        meeting.setdefault(tuple(A.T @ np.array(w, dtype=object)), []).append(c)
    return all(
        not any(w) or all(a[0] * b[1] == a[1] * b[0] and a[0] * b[0] + a[1] * b[1] > 0 for a in group for b in group)
        for w, group in meeting.items()
    )


def _without_phases(g: Spectrum, A: Array) -> Spectrum:
    return Spectrum(dict(g.after(A).atoms) | {tuple(A.T @ np.array(w, dtype=object)): c for w, c in g.atoms.items()})


@claim(
    "orvieto24.thm2.norm",
    topic="universality",
    place="proof of Theorem 2",
    title="C'_(f_k) scales like C_(f_k), with the factor |Omega_k|",
    says=r"$C_{f_k}=\|\Omega_k\|C_{T_k}$, and $C'_{f_k}$ scales similarly.",
    reading="for f = g o A: C'_f = |A| C'_g",
    sabotages={"A = 1": {"factors": (fmpq(1),)}},
)
def fourier_norms_do_not_scale(proof: Proof, factors=(fmpq(1), fmpq(2))) -> None:
    """A change of variables moves frequencies and keeps coefficients: C'_(g o A) <= C'_g for every A, with equality unless atoms that meet are out of phase."""
    g = cosine((1,))
    found = proof.smallest(
        "g = cos, n = p = 1, A = 1, 2", factors, lambda a: g.after(exact.rationals([[a]])).fourier_norm < a * g.fourier_norm
    )
    if found:
        f = g.after(exact.rationals([[found[0]]]))
        proof.counterexample(
            given={
                "g": "cos",
                "A": found[0],
                "C'_g": g.fourier_norm.str(3),
                "C'_f": f.fourier_norm.str(3),
                "|A| C'_g": (found[0] * g.fourier_norm).str(3),
            },
            hypotheses={"C_f = |A| C_g here": bool(abs(f.barron - g.barron * found[0]) < arb("1e-12"))},
            violates={"C'_f < |A| C'_g": bool(f.fourier_norm < found[0] * g.fourier_norm)},
            minimal="n = p = 1, A = 2",
        )


@claim(
    "orvieto24.thm2.norm.amended",
    topic="universality",
    place="proof of Theorem 2",
    kind="amended",
    amends="orvieto24.thm2.norm",
    title="C'_f is at most C'_g for f = g o A, whatever A; equal if A^T is injective",
    says=r"$C'_{g\circ A}\le C'_g$.",
    sabotages={"atoms are not added where they meet, but doubled": {"compose": lambda g, A: g.after(A) + g.after(A)}},
)
def coefficients_are_kept(proof: Proof, compose=lambda g, A: g.after(A)) -> None:
    """The triangle inequality where frequencies meet."""
    rng = Random(124)
    for _ in proof.each("random sums of waves and rational A, p, n <= 3", range(proof.pick(20, 80, 300))):
        p, n = rng.randint(1, 3), rng.randint(1, 3)
        A = exact.rationals([[fmpq(rng.randint(-6, 6), rng.randint(1, 4)) for _ in range(n)] for _ in range(p)])
        g = random_spectrum(rng, p) + cosine((1,) * p, 20)
        f = compose(g, A)
        proof.certified("C'_f <= C'_g", bool(f.fourier_norm <= g.fourier_norm + arb("1e-12")))
        if exact.rank(A) == p:
            proof.certified("equal for an injective A^T", bool(abs(f.fourier_norm - g.fourier_norm) < arb("1e-12")))


@claim(
    "orvieto24.appD.transform",
    topic="universality",
    place="App. D, Eq. 10 to 16",
    title="with the transforms of (10) and (11), the transform of g(Ax) is the integral of delta(A^T xi - w) G(xi)",
    says=r"$f(x)=\int e^{i\langle\xi,Ax\rangle}G(\xi)d\xi$ and $F(\omega)=\int e^{-i\langle\omega,x\rangle}f(x)dx$ give $F(\omega)=\int\delta(A^\top\xi-\omega)G(\xi)d\xi$.",
    reading="the exponent in (10) as <xi, Ax>, where p is printed for xi",
    sabotages={"the factor of (24), 1 / (2 pi)^n, in (11)": {"factor": 1 / (2 * sympy.pi)}},
)
def missing_factor(proof: Proof, factor=sympy.Integer(1)) -> None:
    """The integral of exp(i nu z) over nu is 2 pi delta(z) by (15): a factor (2 pi)^n is lost from (14) to (16). For A = 1 (16) says F = G; (10) and (11) make it 2 pi G."""
    x, w = sympy.symbols("x w", real=True)
    G = sympy.exp(-(w**2) / 2)
    f = sympy.integrate(sympy.exp(sympy.I * w * x) * G, (w, -sympy.oo, sympy.oo))
    F = sympy.simplify(factor * sympy.integrate(sympy.exp(-sympy.I * w * x) * f, (x, -sympy.oo, sympy.oo)))
    proof.counterexample(
        given={"n = p = A": 1, "G": str(G), "f by (10)": str(sympy.simplify(f)), "F by (11)": str(F), "F by (16)": str(G)},
        hypotheses={},
        violates={
            "F by (11) is not F by (16)": bool(sympy.simplify(F - G) != 0),
            "it is 2 pi times as large": bool(sympy.simplify(F - 2 * sympy.pi * G) == 0),
        },
        how="symbolic",
        minimal="n = p = 1, A = 1",
    )


# -- which functions have a constant -------------------------------------------------------------------------------------------


@claim(
    "orvieto24.thm2.class",
    topic="universality",
    place="Sec. 2, after Definition 1; proof of Theorem 2",
    title="the functions f_k = T_k o Omega_k, of the 2N real entries of the state, have integrable Fourier transforms, as Theorem 4 needs",
    says=r"Each $f_k=T_k\circ\Omega_k:\mathbb R^{2N}\to\mathbb R$ is Barron in the sense of Definition 3, $F_k$ being an integrable function.",
    reading="transforms as functions, as assumed after Definition 1; App. D itself calls the transform of f_k a singular measure",
    uses=("orvieto24.eq4",),
    sabotages={"as many real entries as tokens": {"kernel": lambda omega: exact.zeros(omega.shape[1], 0)}},
)
def constant_along_the_kernel(proof: Proof, kernel=exact.nullspace) -> None:
    """Omega_k has k rows and 2N >= 2k columns, so f_k is constant along its kernel; a function with an integrable transform tends to 0 at infinity (Riemann and Lebesgue).

    So f_k is 0, or outside the class. The same for a T_k that ignores one token, or is linear. Measures with finite first moment repair it: every statement used holds for them."""
    omega = exact.rationals([[1, 0]])
    directions = kernel(omega)
    along = [omega @ (directions[:, 0] * t) for t in (1, 10, 10**6)] if directions.shape[1] else []
    proof.counterexample(
        given={
            "L = k = N": 1,
            "state": "(Re x, Im x) = (v_1, 0)",
            "Omega_1": omega,
            "kernel": directions,
            "T_1": "exp(-v^2), so f_1 = exp(-(Re x)^2)",
            "f_1 along the kernel": "1",
        },
        hypotheses={
            "Omega_1 recovers the token": bool((omega @ np.vstack([recall_matrix([fmpq(1, 2)], 1), exact.zeros(1, 1)]))[0, 0] == 1)
        },
        violates={"f_1 is T_1(0) = 1 arbitrarily far out": bool(along) and all(np.all(v == 0) for v in along)},
        minimal="L = 1, N = 1",
    )


@claim(
    "new.universality.constants",
    topic="universality",
    place="after orvieto24, Definition 3",
    kind="new",
    title="Barron constants in closed form: Gaussians, waves, ridge functions; products, translations and sums are bounded by their parts",
    says=r"$e^{-\|x\|^2/2}$: $C=\sqrt2\,\Gamma(\tfrac{n+1}2)/\Gamma(\tfrac n2)\le\sqrt n$, $C'=1$. $a\cos(\langle w,x\rangle+\theta)$: $C=|a|\|w\|$. $g(\langle a,x\rangle)$: $\|a\|C_g$. "
    r"$C_{fg}\le C_fC'_g+C'_fC_g$; $|f(x)-f(y)|\le C_f\|x-y\|$.",
    sabotages={
        "the Gaussian in the wrong dimension": {"power": 1},
        "products without the second term": {"bound": lambda f, g: f.barron * g.fourier_norm},
    },
)
def closed_forms(proof: Proof, power: int = 0, bound=lambda f, g: f.barron * g.fourier_norm + f.fourier_norm * g.barron) -> None:
    """The transform of a Gaussian is the normal density, so C is the mean of |w|, in polar coordinates a quotient of Gamma integrals."""
    n, rho = sympy.symbols("n rho", positive=True)
    radial = lambda k: sympy.integrate(rho**k * sympy.exp(-(rho**2) / 2), (rho, 0, sympy.oo))  # noqa: E731
    mean = radial(n + power) / radial(n - 1)
    proof.symbolically(
        "the Gaussian's constant", sympy.gammasimp(mean), sympy.sqrt(2) * sympy.gamma((n + 1) / 2) / sympy.gamma(n / 2), free="n"
    )
    # Cauchy and Schwarz: the square of a mean is at most the mean of the square
    proof.symbolically("the mean of |w|^2 is n, so C <= sqrt n", sympy.gammasimp(radial(n + 1) / radial(n - 1)), n, free="n")
    for w in proof.each("waves with integer frequencies, n <= 3", [(1,), (3, 4), (0, 0), (2, 3, 6)]):
        root = exact.rational(sum(x * x for x in w))
        for f in (cosine(w, 2), sine(w, 2)):
            proof.certified("C = 2 |w|", bool(abs(f.barron - 2 * arb(root).sqrt()) < arb("1e-12")))
    rng = Random(123)
    for _ in proof.each("random sums of waves of two variables", range(proof.pick(8, 25, 80))):
        f, g = random_spectrum(rng, 2), random_spectrum(rng, 2)
        product_ = f * g
        proof.certified("C_fg <= C_f C'_g + C'_f C_g", bool(product_.barron <= bound(f, g) + arb("1e-9")))
        proof.certified("C'_fg <= C'_f C'_g", bool(product_.fourier_norm <= f.fourier_norm * g.fourier_norm + arb("1e-9")))
        proof.certified("C_(f+g) <= C_f + C_g", bool((f + g).barron <= f.barron + g.barron + arb("1e-9")))
        x, y = ([fmpq(rng.randint(-9, 9), 7) for _ in range(2)] for _ in range(2))
        proof.certified("the product's values", bool(abs(product_(x) - f(x) * g(x)) < arb("1e-9")))
        apart = length(a - b for a, b in zip(x, y, strict=True))
        proof.certified("|f(x) - f(y)| <= C_f |x - y|", bool(abs(f(x) - f(y)) <= f.barron * apart + arb("1e-9")))
