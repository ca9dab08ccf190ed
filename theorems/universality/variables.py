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
from ...numerics.aliases import Exact
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof

# -- the change of variables ---------------------------------------------------------------------------------------------------


def norm_at_most_one(A: Array) -> bool:
    """I - A^T A is positive semidefinite, in exact arithmetic."""
    return exact.is_positive_semidefinite(exact.identity(A.shape[1]) - A.T @ A)


@claim(
    "orvieto24.appD.variables",
    place="App. D, change of variables",
    title="for f(x) = g(Ax) the Barron constant is at most the integral of |Aᵀ w| |G(w)|, and that at most |A| C(g)",
    says=r"$C_f\le\int\|A^\top\xi\|\,|G(\xi)|\,d\xi\le\|A\|C_g$. First equality: iff atoms that $A^\top$ brings together have the same phase (e.g. $A^\top$ injective, or $G\ge0$). "
    r"Second: iff $\|A^\top\xi\|=\|A\|\|\xi\|$ for $G$-almost all $\xi$ (e.g. $p=1$, or $A^\top$ a multiple of an isometry).",
    reading="'at most' for the printed equation, as in Sec. 3.2 ('upper bounded by'); the cases of equality are ours",
    construction="lemmata.constructions.universality.spectra.Spectrum.after",
    sabotages={
        "frequencies are doubled": {"scale": fmpq(2)},
        "phases are ignored when atoms meet": {"compose": lambda g, A: _without_phases(g, A)},
    },
)
def inequalities_of_constants(proof: Proof, scale=fmpq(1), compose=lambda g, A: g.after(A)) -> None:
    r"""Frequencies are moved by $A^\top$, and those that meet may cancel.

    1. $f(x)=\int e^{i\langle\xi,Ax\rangle}dG(\xi)=\int e^{i\langle A^\top\xi,x\rangle}dG(\xi)$: the transform of $f$ is the image of $G$ under $A^\top$. [checked: "f(x) = g(Ax)"] [prose]
    2. The mass of an image is at most the mass that it comes from, so $C_f\le\int\|A^\top\xi\|d|G|$; atoms that meet in phase add up, others lose. [checked: "C_f <= sum of |A^T w| |G(w)|"; "first equality: atoms that meet are in phase"; "strict if atoms that meet are out of phase"; "first equality: G >= 0"] [prose]
    3. $\|A^\top\xi\|\le\|A\|\|\xi\|$, with equality on the top singular space only. [checked: "<= C_g for |A| <= 1"; "second, A = diag(1, 1/2, ...): equal iff all frequencies lie on the first axis"; "both: A^T = 3/5 times an isometry"] [prose]
    """
    rng = Random(122)
    slack, cases, varied = arb("1e-9"), proof.pick(20, 80, 300), 0
    A: Exact
    for case in proof.each(f"{cases} random sums of waves, p, n <= 3, and contractions A with entries in (1/4) Z, seed 122", range(cases)):
        p, n = rng.randint(1, 3), rng.randint(1, 3)
        A = exact.rationals([[fmpq(rng.randint(-3, 3), 4) for _ in range(n)] for _ in range(p)])
        while not norm_at_most_one(A):
            A = A / 2
        g = random_spectrum(rng, p)
        f = compose(g, A * scale)
        if case < 8:
            frequencies, coefficients = [list(w) for w in g.atoms], [list(c) for c in g.atoms.values()]
            proof.certificate(
                "witness", f"{len(frequencies)} frequencies, A of size {p} x {n}", A=A, frequencies=frequencies, coefficients=coefficients
            )
        proof.certified("C_f <= sum of |A^T w| |G(w)|", bool(f.barron <= g.stretched(A) + slack))
        proof.certified("<= C_g for |A| <= 1", bool(g.stretched(A) <= g.barron + slack))
        varied += bool(f.barron > 0)
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
    proof.holds("most of the functions g o A are not constant", 2 * varied > cases)


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
    "orvieto24.appD.variables.equality",
    place="App. D, change of variables, and Eq. 22; proof of Theorem 2",
    flaw="misprint",
    quotes=(
        r"[Change of variables] Let $A \in \mathbb{R}^{p \times n}$ and $f(x) = g(Ax)$, then",
        "The proof is done, since",
    ),
    extracted=True,
    title="for f(x) = g(Ax) the Barron constant is at most |A| C(g), and in general not equal to it",
    says=r"$f(x)=g(Ax)$, $A\in\mathbb R^{p\times n}$: $C_f=\|A\|_2C_g$.",
    reading="an equation, as printed thrice: in the lemma, from (21) to (22), and in the proof of Theorem 2; Sec. 3.2 has 'upper bounded by'",
    letter="C_f = |A| C_g should read C_f <= |A| C_g, as in Sec. 3.2, also in (22) and in the proof of Theorem 2. Frequencies off the top singular space are "
    "shortened, and those that A^T brings together can cancel.",
    sabotages={
        "a square A that is invertible and isotropic": {"candidates": [((1, 0), (0, 1))]},
        "the change of variables is undone": {"compose": lambda g, A: g},
    },
)
def equality_of_constants(proof: Proof, candidates=None, compose=lambda g, A: g.after(A)) -> None:
    """Frequencies are moved by A^T, which shortens those off its top singular direction, and those that meet may cancel: g = sin y_1 - sin y_2 is 0 on the diagonal, so C_f = 0 and C_g = 2.

    One row (p = 1) scales all frequencies alike, so two rows and one column are the least. A Gaussian of two variables on a line has 2/pi of |A| C_g, with no cancellation."""
    small = [(w1, w2) for w1 in ((1,), (2,)) for w2 in ((1,), (-1,))] if candidates is None else candidates
    if candidates is None:
        rng = Random(121)
        for _ in proof.every(
            "p = 1: A = 0, +-1, +-2 with n = 1 and rows (a, b), |a|, |b| <= 2, with n = 2; 3 random g of one variable, seed 121", range(3)
        ):
            g = random_spectrum(rng, 1) + cosine((4,), 2)
            proof.certified("g is not constant", bool(g.barron > 7))
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
            words={"matrix": bool(np.any(A != 0)), "zero": not f.atoms, "constant": bool(g.barron > 0)},
            minimal="p = 2, n = 1",
        )
        frequencies, coefficients = [list(w) for w in g.atoms], [list(c) for c in g.atoms.values()]
        proof.certificate("witness", "sin y_1 - sin y_2 on the diagonal", A=A, frequencies=frequencies, coefficients=coefficients)
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
    "orvieto24.thm2.norm",
    place="proof of Theorem 2, Sec. 3.2",
    flaw="remark",
    quotes=("$C'_{f_k}$ scales similarly",),
    title="C'(fₖ) does not scale with the factor |Ωₖ| where that is below 1",
    says=r"$C_{f_k}\le\|\Omega_k\|C_{T_k}$, and likewise $C'_{f_k}\le\|\Omega_k\|C'_{T_k}$.",
    reading="'C'_(f_k) scales similarly' as: at most |Omega_k| C'_(T_k), the inequality that the sum of Theorem 4 would use",
    letter="A remark: a linear change of variables moves frequencies and keeps coefficients, so C'_(f_k) <= C'_(T_k). Where |Omega_k| >= 1 that is better than "
    "the proof needs. Where |Omega_k| < 1, as for k = 1 and N = 4 equal weights 1/4, the factor is not gained.",
    remarks=(
        (
            "The true bound, C'_(f_k) <= C'_(T_k), is better than the one that the proof uses wherever |Omega_k| >= 1, and 'scales similarly' may mean no more "
            "than an upper bound of that size. So this is a remark."
        ),
    ),
    sabotages={
        "A = 1": {"widths": (1,)},
        "atoms are lost": {"compose": lambda g, A: Spectrum({w: (p / 2, q / 2) for w, (p, q) in g.after(A).atoms.items()})},
    },
)
def fourier_norms_do_not_scale(proof: Proof, widths=(1, 4), compose=lambda g, A: g.after(A)) -> None:
    """A change of variables moves frequencies and keeps coefficients. For T_1 = cos and N = 4 units the state after one token is (v, v, v, v), Omega_1 = (1, 1, 1, 1)/4 has norm 1/2, and C'_(f_1) = C'_(T_1) = 1."""
    g = cosine((1,))
    row = lambda n: exact.rationals([[fmpq(1, n)] * n])  # noqa: E731
    found = proof.smallest(
        "T_1 = cos, N = 1, 4 units", widths, lambda n: compose(g, row(n)).fourier_norm > length(row(n)[0]) * g.fourier_norm + arb("1e-9")
    )
    if found:
        omega = row(found[0])
        f, size = compose(g, omega), length(omega[0])
        V = exact.rationals([[1]] * found[0])
        proof.counterexample(
            given={
                "T_1": "cos",
                "Omega_1": omega,
                "|Omega_1|": size.str(3),
                "C'_(T_1)": g.fourier_norm.str(3),
                "C'_(f_1)": f.fourier_norm.str(3),
                "|Omega_1| C'_(T_1)": (size * g.fourier_norm).str(3),
            },
            words={
                "inverse": bool((omega @ V)[0, 0] == 1),
                "norm": bool(abs(size - fmpq(1, 2)) < arb("1e-12")),
                "constants": bool(abs(g.barron - 1) < arb("1e-12") and abs(g.fourier_norm - 1) < arb("1e-12")),
                "exceeds": bool(f.fourier_norm > size * g.fourier_norm),
            },
            how="certified",
            minimal="k = 1, N = 4",
        )
        frequencies, coefficients = [list(w) for w in g.atoms], [list(c) for c in g.atoms.values()]
        proof.certificate(
            "witness", "cos of the one token, read from four units", omega=omega, frequencies=frequencies, coefficients=coefficients
        )


@claim(
    "orvieto24.thm2.norm.amended",
    place="proof of Theorem 2",
    amends="orvieto24.thm2.norm",
    title="C'(f) is at most C'(g) for f = g ∘ A, whatever A; equal if Aᵀ is injective",
    says=r"$C'_{g\circ A}\le C'_g$, with equality if $A^\top$ is injective.",
    sabotages={"atoms are not added where they meet, but doubled": {"compose": lambda g, A: g.after(A) + g.after(A)}},
)
def coefficients_are_kept(proof: Proof, compose=lambda g, A: g.after(A)) -> None:
    r"""The transform of $g\circ A$ is the image of that of $g$ under $A^\top$.

    1. The mass of the image of a measure is at most the mass of the measure. [checked: "C'_f <= C'_g"] [prose]
    2. An injective map moves every piece of mass to a place of its own. [checked: "equal for an injective A^T"] [prose]
    """
    rng = Random(124)
    count = proof.pick(20, 80, 300)
    for case in proof.each(f"{count} random sums of waves and rational A, p, n <= 3, seed 124", range(count)):
        p, n = rng.randint(1, 3), rng.randint(1, 3)
        A = exact.rationals([[fmpq(rng.randint(-6, 6), rng.randint(1, 4)) for _ in range(n)] for _ in range(p)])
        g = random_spectrum(rng, p) + cosine((1,) * p, 20)
        f = compose(g, A)
        if case < 8 and np.any(A):
            frequencies, coefficients = [list(w) for w in g.atoms], [list(c) for c in g.atoms.values()]
            proof.certificate(
                "witness", f"{len(frequencies)} frequencies, A of size {p} x {n}", A=A, frequencies=frequencies, coefficients=coefficients
            )
        proof.certified("C'_g is not 0, nor C'_f", bool(g.fourier_norm > 0 and f.fourier_norm > 0))
        proof.certified("C'_f <= C'_g", bool(f.fourier_norm <= g.fourier_norm + arb("1e-12")))
        if exact.rank(A) == p:
            proof.certified("equal for an injective A^T", bool(abs(f.fourier_norm - g.fourier_norm) < arb("1e-12")))


@claim(
    "orvieto24.appD.transform",
    place="App. D, Eq. 10 to 16",
    of="orvieto24.appD.variables",
    flaw="misprint",
    quotes=("The inverse Fourier transform formula directly leads to",),
    extracted=True,
    title="with (10) and (11) as printed the transform of g(Ax) loses the factor (2 π)ⁿ",
    says=r"$f(x)=\int e^{i\langle\xi,Ax\rangle}G(\xi)d\xi$ and $F(\omega)=\int e^{-i\langle\omega,x\rangle}f(x)dx$ give $F(\omega)=\int\delta(A^\top\xi-\omega)G(\xi)d\xi$.",
    reading="the exponent in (10) as <xi, Ax>, where p is printed for xi (as a slip of the extraction might)",
    letter="With (10) and (11) as they stand (16) lacks a factor (2 pi)^n. With the normalisation of (24) in (11) everything fits. In (10) p stands for xi.",
    sabotages={"the factor of (24), 1 / (2 pi)^n, in (11)": {"factor": 1 / (2 * sympy.pi)}},
)
def missing_factor(proof: Proof, factor=sympy.Integer(1)) -> None:
    """The integral of exp(i nu z) over nu is 2 pi delta(z) by (15). For A = 1 (16) says F = G; for G = exp(-|w|) (10) gives f = 2/(1 + x^2), and (11) at w = 0 its integral, 2 pi, where G(0) = 1."""
    x = sympy.symbols("x", real=True)
    w = sympy.symbols("w", positive=True)
    G = sympy.exp(-w)
    # G(w) = exp(-|w|) is even
    f = sympy.integrate(2 * G * sympy.cos(w * x), (w, 0, sympy.oo), conds="none")
    F, at_zero = sympy.simplify(factor * sympy.integrate(f, (x, -sympy.oo, sympy.oo))), G.subs(w, 0)
    proof.counterexample(
        given={
            "n = p = A": 1,
            "G(w)": "exp(-|w|)",
            "f by (10)": str(sympy.simplify(f)),
            "F(0) by (11)": str(F),
            "F(0) by (16)": str(at_zero),
        },
        words={
            "function": bool(sympy.simplify(f - 2 / (1 + x**2)) == 0),
            "differ": bool(sympy.simplify(F - at_zero) != 0),
            "twice": bool(sympy.simplify(F - 2 * sympy.pi * at_zero) == 0),
        },
        how="symbolic",
        minimal="n = p = 1, A = 1",
    )
    proof.certificate("witness", "G(w) = exp(-|w|): the integral of f over [-2, 2], from below", cuts=[fmpq(i, 4) for i in range(9)])


# -- which functions have a constant -------------------------------------------------------------------------------------------


@claim(
    "orvieto24.thm2.class",
    place="Sec. 2, after Definition 1; proof of Theorem 2",
    flaw="misprint",
    quotes=("with a well-defined integrable Fourier transform",),
    weight="hypothesis",
    title="fₖ = Tₖ ∘ Ωₖ is constant along the kernel of Ωₖ, so it has no integrable transform",
    says=r"Each $f_k=T_k\circ\Omega_k:\mathbb R^{2N}\to\mathbb R$ is Barron in the sense of Definition 3, $F_k$ being an integrable function.",
    reading="transforms as functions, as assumed after Definition 1 and in Definition 3; App. D itself calls the transform of f_k a singular measure",
    letter="f_k = T_k o Omega_k is constant along the kernel of Omega_k, so it has no integrable transform. Say once that transforms may be finite measures: "
    "Definition 3 and every inequality of App. D hold for them.",
    uses=("orvieto24.eq4",),
    sabotages={"as many real entries as tokens": {"kernel": lambda omega: exact.zeros(omega.shape[1], 0)}},
)
def constant_along_the_kernel(proof: Proof, kernel=exact.nullspace) -> None:
    """Omega_k has k rows and 2N >= 2k columns, so f_k is constant along its kernel; a function with an integrable transform tends to 0 at infinity (Riemann and Lebesgue), so f_k is 0 or outside the class.

    For L = N = 1, lambda = 1/2 and T_1 = exp(-v^2): f_1 = exp(-(Re x)^2) is 1 on the imaginary axis. Measures repair it: every inequality used holds for them."""
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
        words={
            "recovers": bool((omega @ np.vstack([recall_matrix([fmpq(1, 2)], 1), exact.zeros(1, 1)]))[0, 0] == 1),
            "constant": bool(along) and all(np.all(v == 0) for v in along),
        },
        minimal="L = 1, N = 1",
    )
    recall = np.vstack([recall_matrix([fmpq(1, 2)], 1), exact.zeros(1, 1)])
    proof.certificate("witness", "a direction along which f_1 is constant", omega=omega, recall=recall, direction=directions.T)


@claim(
    "new.universality.gaussian",
    place="after orvieto24, Definition 3",
    title="the Gaussian exp(−|x|²/2) in dimension n has Barron constant √2 Γ((n+1)/2) / Γ(n/2), at most √n",
    says=r"For $e^{-\|x\|^2/2}$ on $\mathbb R^n$: $C=\sqrt2\,\Gamma(\tfrac{n+1}2)/\Gamma(\tfrac n2)\le\sqrt n$, and $C'=1$.",
    known="Barron, Universal approximation bounds, IEEE IT 39 (1993), Sec. IX.",
    sabotages={"the Gaussian in the wrong dimension": {"power": 1}},
)
def gaussian(proof: Proof, power: int = 0) -> None:
    r"""The transform is the normal density, so $C$ is the mean of $\|w\|$ and $C'$ its mass, in polar coordinates.

    1. $C=\int\rho^ne^{-\rho^2/2}d\rho\,/\int\rho^{n-1}e^{-\rho^2/2}d\rho$. [checked: "the constant"]
    2. $n-C^2$ is the mean of $(\|w\|-C)^2\ge0$. [checked: "n - C^2 is the mean of a square"] [prose]
    3. $e^{-x^2/2}$ is the integral of $e^{iwx}$ against the normal density, of mass $1$; in $n$ dimensions it is a product. [checked: "the transform in one dimension"; "its mass"] [prose]
    """
    n, rho = sympy.symbols("n rho", positive=True)
    w, x = sympy.symbols("w x", real=True)
    radial = lambda k: sympy.integrate(rho**k * sympy.exp(-(rho**2) / 2), (rho, 0, sympy.oo))  # noqa: E731
    C: Exact = sympy.gammasimp(radial(n + power) / radial(n - 1))
    proof.symbolically("the constant", C, sympy.sqrt(2) * sympy.gamma((n + 1) / 2) / sympy.gamma(n / 2), free="n")
    square = (radial(n + 1) - 2 * C * radial(n) + C**2 * radial(n - 1)) / radial(n - 1)
    proof.symbolically("n - C^2 is the mean of a square", sympy.gammasimp(n - C**2), sympy.gammasimp(sympy.expand(square)), free="n")
    normal = sympy.exp(-(w**2) / 2) / sympy.sqrt(2 * sympy.pi)
    transform = sympy.integrate(normal * sympy.exp(sympy.I * w * x), (w, -sympy.oo, sympy.oo))
    proof.symbolically("the transform in one dimension", transform, sympy.exp(-(x**2) / 2), free="x")
    proof.symbolically("its mass", sympy.integrate(normal, (w, -sympy.oo, sympy.oo)), 1, free="w")


@claim(
    "new.universality.constants",
    place="after orvieto24, Definition 3",
    title="Barron constants of waves; those of products and sums are bounded by their parts, and bound the slope",
    known="All of it is in Barron, Universal approximation bounds, IEEE IT 39 (1993), Sec. IX.",
    says=r"$a\cos(\langle w,x\rangle+\theta)$ has $C=|a|\|w\|$. $C_{fg}\le C_fC'_g+C'_fC_g$, $C'_{fg}\le C'_fC'_g$, $C_{f+g}\le C_f+C_g$, $|f(x)-f(y)|\le C_f\|x-y\|$.",
    sabotages={"products without the second term": {"bound": lambda f, g: f.barron * g.fourier_norm}},
)
def products_and_sums(proof: Proof, bound=lambda f, g: f.barron * g.fourier_norm + f.fourier_norm * g.barron) -> None:
    r"""Transforms are explicit, and a product convolves them.

    1. A wave is half an atom at $\pm w$. [checked: "C = 2 |w|"] [prose]
    2. $\|v+w\|\le\|v\|+\|w\|$ under the convolution $F*G$ bounds $C_{fg}$, and $|e^{ia}-e^{ib}|\le|a-b|$ the slope. [checked: "C_fg <= C_f C'_g + C'_f C_g"; "C'_fg <= C'_f C'_g"; "C_(f+g) <= C_f + C_g"; "|f(x) - f(y)| <= C_f |x - y|"] [prose]
    """
    for w in proof.each("waves with integer frequencies, n <= 3", [(1,), (3, 4), (0, 0), (2, 3, 6)]):
        root = exact.rational(sum(x * x for x in w))
        for f in (cosine(w, 2), sine(w, 2)):
            proof.certified("C = 2 |w|", bool(abs(f.barron - 2 * arb(root).sqrt()) < arb("1e-12")))
    rng, cases, varied = Random(123), proof.pick(8, 25, 80), 0
    for case in proof.each(f"{cases} pairs of random sums of waves of two variables, seed 123", range(cases)):
        f, g = random_spectrum(rng, 2), random_spectrum(rng, 2)
        product_ = f * g
        varied += bool(product_.barron > 0)
        if case < 6 and product_.barron < bound(f, g):
            factors = [{"frequencies": [list(w) for w in s.atoms], "coefficients": [list(c) for c in s.atoms.values()]} for s in (f, g)]
            proof.certificate("witness", "two factors", factors=factors)
        proof.certified("C_fg <= C_f C'_g + C'_f C_g", bool(product_.barron <= bound(f, g) + arb("1e-9")))
        proof.certified("C'_fg <= C'_f C'_g", bool(product_.fourier_norm <= f.fourier_norm * g.fourier_norm + arb("1e-9")))
        proof.certified("C_(f+g) <= C_f + C_g", bool((f + g).barron <= f.barron + g.barron + arb("1e-9")))
        x, y = ([fmpq(rng.randint(-9, 9), 7) for _ in range(2)] for _ in range(2))
        proof.certified("the product's values", bool(abs(product_(x) - f(x) * g(x)) < arb("1e-9")))
        apart = length(a - b for a, b in zip(x, y, strict=True))
        proof.certified("|f(x) - f(y)| <= C_f |x - y|", bool(abs(f(x) - f(y)) <= f.barron * apart + arb("1e-9")))
    proof.holds("most of the products are not constant", 2 * varied > cases)
