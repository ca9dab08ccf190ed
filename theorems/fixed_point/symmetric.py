"""Symmetric mixers, such as Eq. 10 with one factor: which eigenvalues they give the transition (movahedi25, App. D.2, D.3.2)."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import numpy as np
import sympy
from flint import fmpq, fmpq_poly

from ...constructions import samples
from ...constructions.fixed_point import Token
from ...constructions.reflections import mixer
from ...numerics import exact
from ...numerics.exact import Array
from ...numerics.peak_gain import is_stable
from ..claim import claim
from ..evidence import Proof


def negative_roots(p: fmpq_poly) -> int:
    """How many roots of a polynomial with real roots only are negative, with multiplicity: the sign changes of p(-x) (Descartes)."""
    signs = [(x > 0) != (k % 2 == 1) for k, x in enumerate(p.coeffs()) if x != 0]
    return sum(a != b for a, b in pairwise(signs))


def _positive(rng: Random, d: int) -> Array:
    """Tenths in (0, 1)."""
    return np.array([fmpq(rng.randint(1, 9), 10) for _ in range(d)], dtype=object)


def one_reflection(alpha: fmpq, u: Array) -> Array:
    """I - 2 alpha u u^T / u.u."""
    return mixer(alpha, [u])


def _then_another(alpha: fmpq, u: Array) -> Array:
    """Two factors; the second vector is the first one with its entries moved by a place and one sign changed."""
    other = np.roll(u, 1)
    other[0] = -other[0]
    return mixer(alpha, [u, other])


@claim(
    "new.fixed-point.one-reflection",
    place="Eq. 10, r = 1",
    title="with one reflection all eigenvalues of the transition are real, and none is negative while the passes settle",
    says=r"Let $\Lambda\ge0$ and $\Delta>0$ be diagonal, $Q$ symmetric, $F=I-Q$, $I-\Delta F$ invertible, and $A=(I-\Delta F)^{-1}\Lambda$. If the iteration converges ($\rho(\Delta F)<1$), every eigenvalue of $A$ is real and at least $0$. "
    r"For one factor, $F=2\alpha uu^\top$ with $|u|=1$ and $\alpha>0$, every eigenvalue is real, the iteration converges iff $2\alpha\,u\cdot\Delta u<1$, and if $2\alpha\,u\cdot\Delta u>1$ and $\Lambda>0$ exactly one is negative. So stacks of such "
    r"layers whose passes settle on every token compute no parity, in the cast model. With two factors there are complex eigenvalues.",
    reading="the cast model and the alphabet are those of grazzi25.thm1; Delta may be any gate that depends on the token",
    known="a positive definite matrix times a symmetric one has real eigenvalues, with the signs of the latter's (Horn and Johnson, Matrix Analysis, Theorem 7.6.3); diagonal plus rank one: "
    "Golub, SIAM Review 15 (1973) 318. In general that the powers of a linear averaged map converge is Baillon, Bruck and Reich's theorem (1978; as stated by Bauschke and Gao, arXiv 2404.04402). "
    "New is that the sign says whether the passes settle",
    construction="lemmata.constructions.reflections.mixer",
    sabotages={
        "a second reflection": {"mixed": _then_another},
        "a decay below 0": {"decay": lambda rng, d: -_positive(rng, d)},
        "the gate on the input alone": {"block": lambda G, F: 1 - F},
        "alpha in place of 2 alpha": {"strength": lambda alpha, size: alpha * size},
        "where the passes diverge, which the kernel refutes": {"theorem": "symmetric_mixer.eigenvalues_are_nonnegative_anyway"},
    },
)
def one_reflection_keeps_the_sign(
    proof: Proof,
    mixed=one_reflection,
    decay=_positive,
    block=lambda G, F: 1 - G * F,
    strength=lambda alpha, size: 2 * alpha * size,
    theorem: str = "symmetric_mixer.eigenvalues_are_nonnegative",
) -> None:
    r"""The eigenvalue equation of $A$ is one between two symmetric matrices, and one of them is positive.

    1. $Av=zv$ means $\Lambda v=z(I-\Delta F)v$; times $\Delta^{-1}$ that is $Dv=zSv$ with $D=\Delta^{-1}\Lambda\ge0$ diagonal and $S=\Delta^{-1}-F$ symmetric. [checked: "Delta^-1 (Lambda - z (I - Delta F)) = D - z S"]
    2. Let $z\ne0$, $v\ne0$ complex, $p=v^*Dv\ge0$, $s=v^*Sv$, both real. Then $p=zs$. If $p=0$ then $Dv=0$, so $\Lambda v=0$ and $z=0$. So $p>0$, $s\ne0$, and $z=p/s$ is real with the sign of $s$. [checked: "z s = p says y s = 0 and x s = p"; "the kernel: real eigenvalues"; "the kernel: no eigenvalue is negative"]
       If $\Lambda v=0$ then $z=0$ is real too: all eigenvalues are. [prose]
    3. $\Delta F$ has the eigenvalues of the symmetric $\Delta^{1/2}F\Delta^{1/2}$. If all are below $1$, then $I-\Delta^{1/2}F\Delta^{1/2}=\Delta^{1/2}S\Delta^{1/2}$ is positive definite, so $S$ is, $s>0$, and $z>0$. [cited: the spectral theorem]
       The iteration converges iff $\rho(\Delta F)<1$. [uses: new.fixed-point.finite] [prose]
    4. One factor: $\Delta Fx=2\alpha(u\cdot x)\,\Delta u$, so besides $0$ the only eigenvalue is $t=2\alpha\,u\cdot\Delta u>0$, at $\Delta u$. [checked: "Delta F takes Delta u to t Delta u"; "the kernel: S is positive definite iff t < 1"] [uses: new.fixed-point.finite]
    5. For $t>1$: on the hyperplane $u\cdot x=0$ the form $S$ is $x\cdot\Delta^{-1}x>0$. If $\Lambda>0$, $D^{1/2}AD^{-1/2}=D^{1/2}S^{-1}D^{1/2}$ is symmetric: $A$ has a basis of eigenvectors $v_i$ with $v_i\cdot Dv_j=0$, so $v_i\cdot Sv_j=0$, for $i\ne j$. Two
       negative eigenvalues would make $S$ negative on a plane, which meets the hyperplane. [cited: the spectral theorem] So at most one is negative; and as $\Delta F$ has rank one, $\det A=\prod_i\lambda_i/(1-t)<0$ says that one is. [prose]
    6. In a stack whose passes settle on every token all spectra lie in $[0,\infty)$. [uses: grazzi25.thm1]
    7. Two factors, $\alpha=\frac13$, $\Delta=I$, in the plane: the iteration converges, and no eigenvalue is real. [checked: "two factors: no eigenvalue is real"]

    Beside the argument the eigenvalues of 40 random tokens are counted, on both sides of $t=1$.
    """
    part = "any numClosedFieldType; for S positive definite, not for passes that settle, which step 3 says"
    proof.formally("the kernel: no eigenvalue is negative or complex where S is positive definite", theorem, differs=part)
    proof.formally("the kernel: real eigenvalues", "symmetric_mixer.eigenvalues_are_real", differs="any numClosedFieldType; Lambda > 0")
    proof.formally("the kernel: S is positive definite iff t < 1", "symmetric_mixer.one_factor_definite", differs="any numClosedFieldType")
    L, G, F = sympy.symbols("Lambda Delta F", commutative=False)
    z, x, y, p, s = sympy.symbols("z x y p s", real=True)
    left = G**-1 * (L - z * block(G, F))
    proof.symbolically(
        "Delta^-1 (Lambda - z (I - Delta F)) = D - z S",
        sympy.expand(left),
        sympy.expand(G**-1 * L - z * (G**-1 - F)),
        "Lambda, Delta, F, z of any size",
    )
    parts = sympy.expand((x + sympy.I * y) * s - p)
    proof.exactly("z s = p says y s = 0 and x s = p", [sympy.im(parts), sympy.re(parts)], [y * s, x * s - p], free="z, s, p")
    delta, alpha, ux, size, u = sympy.symbols("delta alpha u_x size u")
    # entry i of Delta F x at x = Delta u: delta_i 2 alpha u_i (u . x), u . x = u . Delta u = size
    proof.symbolically(
        "Delta F takes Delta u to t Delta u, entry by entry",
        (delta * 2 * alpha * u * ux).subs(ux, size),
        strength(alpha, size) * delta * u,
        "u, Delta, alpha of any size",
    )
    with proof.beside():
        _spectra_of_tokens(proof, mixed, decay)
    _turning(proof)


def _spectra_of_tokens(proof: Proof, mixed, decay) -> None:
    """Instances: t on both sides of 1, one to four channels."""
    rng = Random(83)
    settled = []
    for k in range(40):
        d = 1 + k % 4
        direction, gate = samples.nonzero_vector(rng, d), _positive(rng, d)
        t = fmpq(rng.choice([1, 3, 9, 11, 20, 70]), 10)
        alpha_ = t * sum(direction**2) / (2 * sum(gate * direction**2))
        token = Token(decay(rng, d), gate, mixed(alpha_, direction), exact.zeros(d))
        converges = is_stable(token.feedback)
        proof.exactly("the iteration converges iff t < 1", converges, t < 1)
        spectrum = exact.characteristic_polynomial(token.dense()[0])
        real = exact.count_real_roots(spectrum)
        proof.exactly(
            "real eigenvalues, and as many negative ones as the passes diverge",
            [real, negative_roots(spectrum)],
            [d, int(not converges)],
        )
        settled.append(converges)
        if k in (3, 7, 11, 14):
            proof.certificate("witness", f"{d} channels, t = {t}", decay=token.decay, gate=gate, u=direction, alpha=alpha_, second=[])
    proof.holds("both happen", 5 <= sum(settled) <= 35)


def _turning(proof: Proof) -> None:
    """Two factors in the plane, below the threshold 2/5 of a contracting mixer: the transition turns."""
    alpha, u, v = fmpq(1, 3), exact.rationals([1, -1]), exact.rationals([1, 2])
    token = Token(exact.rationals(["1/2", "1/4"]), exact.rationals([1, 1]), mixer(alpha, [u, v]), exact.zeros(2))
    spectrum = exact.characteristic_polynomial(token.dense()[0])
    for _ in proof.every("the token with two factors", [token], limited=False):
        proof.exactly("two factors: no eigenvalue is real", [exact.count_real_roots(spectrum), is_stable(token.feedback)], [0, True])
    proof.certificate("witness", "two factors turn", decay=token.decay, gate=token.gate, u=u, alpha=alpha, second=v)
