"""Contractions as products of GH matrices: 3n as printed, 2n - 1 by the polar form, and which strict contractions need n only."""

from __future__ import annotations

from random import Random

import numpy as np
import sympy
from flint import fmpq, fmpq_poly

from ...constructions import householder, samples
from ...constructions.householder import GeneralizedHouseholder
from ...constructions.householder.contractions import polar
from ...numerics import exact
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof
from .norms import certify_product, factor_data

QUARTER_TURN = exact.rationals([[0, -1], [1, 0]])


def _contractions(proof: Proof, rng: Random) -> tuple[str, list[Array]]:
    largest, per_size = proof.pick((3, 4), (6, 8), (9, 30))
    family = []
    for n in range(1, largest + 1):
        family += [exact.identity(n), -exact.identity(n), exact.zeros(n, n), exact.identity(n) / 2, -exact.identity(n) / 2]
        family += [samples.contraction(rng, n) for _ in range(per_size)]
    return f"{len(family)} rational contractions with rational singular values, n <= {largest}; 0, +-I, +-I/2 included, seed 41", family


def all_in_range(factors) -> bool:
    """Every eigenvalue 1 - beta lies in [-1, 1]."""
    return all(0 <= f.beta <= 2 for f in factors)


@claim(
    "grazzi25.prop1.2.contraction",
    place="Proposition 1.2 (||M|| <= 1)",
    title="every contraction is a product of 3n GH matrices with eigenvalues in [−1, 1]; in fact of 2n − 1",
    says=r"If $\|M\|\le1$ then $M\in\mathcal M^n_{3n}([-1,1])$; sharper, $M\in\mathcal M^n_{2n-1}([-1,1])$.",
    remarks=(
        "The polar form, as in the paper's proof, gives 2n - 1 factors too (grazzi25.prop1.2.contraction.polar).",
        "floor(3n/2) factors do, and that is the least number for all n (new.householder.minimum).",
        "The sentence before the proposition, 'only when [-1, 1] is contained in Omega', is right for intervals inside [-1, 1], since -1 and 1 must lie in them. As a statement about sets it asks too much: -1 and [0, 1] are enough, and the proof uses no other values.",
    ),
    construction="lemmata.constructions.householder.contraction_factors",
    sabotages={
        "2n - 2 factors, which the kernel refutes": {"theorem": "contractions.contractions_are_fewer"},
        "the last factor is dropped": {"factors_of": lambda M: householder.contraction_factors(M)[:-1]},
        "the sign trick is left out": {"factors_of": lambda M: _without_sign_trick(M)},
        "3n is called 2n - 2": {"bound": lambda n: 2 * n - 2},
    },
)
def contractions_as_products(
    proof: Proof,
    factors_of=householder.contraction_factors,
    bound=lambda n: 2 * n - 1,
    theorem: str = "contractions.contractions_are_products",
) -> None:
    r"""Two factors bring a contraction to one of a smaller size.

    1. Let $u$ be a unit eigenvector of $MM^\top$, $uMM^\top=\sigma^2u$. Some unit $w$ has $uM=\sigma w$, $Mw^\top=\sigma u^\top$, and a reflection $H$ or $I$ takes $w$ to $u$. [prose]
    2. $N=MH$ then takes $u$ to $\sigma u$, and so does $N^\top$. In an orthonormal basis with $u$ in it $N$ is $\sigma$ beside a contraction of size $n-1$: one factor $I-(1-\sigma)u^\top u$, and induction. [prose]
    3. At $n=1$ one factor does; altogether $2n-1\le3n$, and factors $I$ fill up to $3n$. The kernel has all of it. [checked: "the kernel: 2n - 1 factors, and 3n"]
    4. Beside it, the factors that `contraction_factors` finds. [checked: "the factors multiply to M"; "every 1 - beta lies in [-1, 1]"; "there are at most 2n - 1"]
    """
    proof.formally(
        "the kernel: 2n - 1 factors, and 3n",
        theorem,
        whole="every n and contraction",
        differs="any real closed field for the reals; n as n + 1; the norm is at most 1 as no row gets longer",
    )
    describe, family = _contractions(proof, Random(41))
    proof.holds("contractions that are not symmetric occur", any(not np.array_equal(M, M.T) for M in family))
    for M in proof.each(describe, family):
        n, factors = len(M), factors_of(M)
        proof.exactly("the factors multiply to M", householder.product(factors, n), M)
        proof.holds("every 1 - beta lies in [-1, 1]", all_in_range(factors))
        proof.holds("there are at most 2n - 1, hence at most 3n", len(factors) <= bound(n) <= 3 * n)
        if not np.array_equal(M, exact.identity(n)) and n <= 5:
            certify_product(proof, "M as at most 2n - 1 GH factors", factors, M)
    half_turn = QUARTER_TURN / 2
    proof.exhibit("half a quarter turn as 2n - 1 = 3 factors", M=half_turn, factors=factor_data(factors_of(half_turn)))


@claim(
    "grazzi25.prop1.2.contraction.polar",
    place="Proposition 1.2 (||M|| <= 1), its proof",
    title="the polar form of a contraction gives 2n − 1 GH factors: n − 1 reflections, and one factor for each singular value",
    says=r"Let $\|M\|\le1$. With $M=WP$ polar and $D$ a sign matrix in $P$'s eigenbasis, $WD$ has the eigenvalue $1$, so it is $n-1$ reflections, and $DP$ is $n$ GH factors.",
    reading="D is I where W has the eigenvalue 1, and the reflection along one eigenvector of P otherwise",
    sabotages={
        "the sign trick is left out": {"trick": False},
        "the last singular value is forgotten": {"values": lambda sigma: sigma[:-1]},
    },
)
def polar_form(proof: Proof, trick: bool = True, values=list) -> None:
    r"""One sign in the polar form saves a reflection; the singular values cost one factor each.

    1. $M=WP$ with $W$ orthogonal, $P=\sum_i\sigma_iu_iu_i^\top$, $\sigma_i\in[0,1]$. If $W$ has the eigenvalue 1 it is at most $n-1$ reflections. [uses: grazzi25.prop1.2.orthogonal]
    2. Otherwise its eigenvalues are $-1$ and conjugate pairs, so $\det W=(-1)^n$. With $D=I-2u_1u_1^\top$, $\det WD=(-1)^{n+1}$, so $WD$ does have the eigenvalue 1 and is at most $n-1$
       reflections; $M=(WD)(DP)$. [prose] [checked: "W D differs from I by rank n - 1 at most"; "M = (W D)(D P)"]
    3. $DP$ or $P$ is $\prod_i(I-(1\mp\sigma_i)u_iu_i^\top)$, $n$ factors with eigenvalues in $[-1,1]$.
       [checked: "D P is n GH factors"; "every 1 - beta lies in [-1, 1]"]
    """
    describe, family = _contractions(proof, Random(41))
    for M in proof.each(describe, family):
        n, one = len(M), exact.identity(len(M))
        sigma, u, W = polar(M)
        signed = trick and exact.rank(W - one) == n
        signs = [-1 if signed and i == 0 else 1 for i in range(n)]
        D = householder.product([GeneralizedHouseholder(u[:, 0], fmpq(2))], n) if signed else one
        P, WD = exact.multiply(W.T, M), exact.multiply(W, D)
        factors = [GeneralizedHouseholder(u[:, i], 1 - e * s) for i, (e, s) in enumerate(zip(signs, values(list(sigma)), strict=False))]
        proof.holds("W D differs from I by rank n - 1 at most", exact.rank(WD - one) <= n - 1)
        proof.exactly("M = (W D)(D P)", exact.multiply(WD, exact.multiply(D, P)), M)
        proof.exactly("D P is n GH factors", householder.product(factors, n), exact.multiply(D, P))
        proof.holds("every 1 - beta lies in [-1, 1]", all_in_range(factors))


def _without_sign_trick(M: Array) -> list[GeneralizedHouseholder]:
    sigma, u, w = polar(M)
    return householder.reflections(w) + [GeneralizedHouseholder(u[:, i], 1 - s) for i, s in enumerate(sigma)]


# -- exactly n factors ---------------------------------------------------------------------------------------------------


def pencil(M: Array) -> Array:
    """(I - M M^T)^-1 (I - M), for ||M|| < 1."""
    one = exact.identity(len(M))
    return exact.multiply(exact.inverse(one - exact.multiply(M, M.T)), one - M)


def turns(n: int, c: fmpq) -> Array:
    """c (J + ... + J), with a last diagonal entry c if n is odd."""
    return exact.block_diagonal([QUARTER_TURN * c] * (n // 2) + [exact.rationals([[c]])] * (n % 2))


@claim(
    "new.householder.n-factors",
    place="after grazzi25 Proposition 1.2",
    title="a strict contraction is a product of n GH matrices iff (I − MMᵀ)⁻¹ (I − M) has only real eigenvalues",
    says=r"Let $\|M\|<1$. $M$ is a product of $n$ GH matrices iff $(I-MM^\top)^{-1}(I-M)$ has only real eigenvalues; then every $\beta_i\in(0,2)$.",
    known="The compact form of a product of Householder matrices (Schreiber and Van Loan 1989) and the real Schur form are known; the criterion, as far as we know, is not in print.",
    construction="lemmata.constructions.householder.fewest_contraction_factors",
    sabotages={
        "n + 1 factors in place of n": {"extra": 1},
        "(I - M) alone instead of the pencil": {"pencil_of": lambda M: exact.identity(len(M)) - M},
        "every root is called real": {"real_roots": lambda p: p.degree()},
    },
)
def exactly_n_factors(proof: Proof, extra: int = 0, pencil_of=pencil, real_roots=exact.count_real_roots) -> None:
    r"""Write the product in compact form; the pencil becomes triangular in the coordinates of the factors' vectors.

    1. With unit $v_i$, $V=[v_1\cdots v_n]$ and $S$ upper triangular, $S_{ii}=1/\beta_i$, $S_{ij}=v_i^\top v_j$ for $i<j$: $\prod_i(I-\beta_iv_iv_i^\top)=I-VS^{-1}V^\top$, by induction over the factors
       (no $\beta_i$ is 0, as $\|M\|<1$ needs $\operatorname{rank}(M-I)=n$). [checked: "I - V S^-1 V^T = (I - v_1 v_1^T / S_11)"] [uses: new.householder.rank]
    2. Only if: $I-M=VS^{-1}V^\top$ is invertible, so $V$ is. Put $K=(I-M)^{-1}=V^{-\top}SV^{-1}$ and $R=K+K^\top-I=K(I-MM^\top)K^\top>0$. [checked: "(I-M)(K + K^T - I)(I-M)^T = I - M M^T"]
    3. Then $V^\top KV=S$ and $V^\top RV=S+S^\top-V^\top V=\operatorname{diag}(2/\beta_i-1)=:\Delta$, so $\Delta>0$, that is $\beta_i\in(0,2)$, and $V^{-1}(R^{-1}K)V=\Delta^{-1}S$ is triangular.
       Its eigenvalues $1/(2-\beta_i)$ are real, and they are those of the pencil. [checked: "V^T K V = S"; "V^T (K + K^T - I) V"; "V^-1 (R^-1 K) V"; "the eigenvalue for 1/beta"] [prose]
    4. If: $R^{-1/2}KR^{-1/2}$ has the real eigenvalues of $R^{-1}K$, so $O^\top R^{-1/2}KR^{-1/2}O$ is upper triangular for some orthogonal $O$ (real Schur form). Let $V$ be
       $R^{-1/2}O$ with its columns scaled to length 1: $V^\top RV$ is diagonal and $S=V^\top KV$ triangular; with $\beta_i=1/S_{ii}$ step 1 read backwards gives the $n$ factors.
       [prose]
    5. Beside the argument, random products, and scaled turns, whose pencils have no real eigenvalue. [checked: "all eigenvalues of the pencil are real"; "they are the 1 / (2 - beta_i)"; "if: the construction finds n factors again"; "a scaled turn's pencil has nonreal eigenvalues"] [prose]
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
    V, Vt, S, St = sympy.symbols("V Vt S St", commutative=False)
    K, Kt = Vt**-1 * S * V**-1, Vt**-1 * St * V**-1
    proof.symbolically("V^T K V = S", Vt * K * V, S, "S, V (noncommuting)")
    proof.symbolically("V^T (K + K^T - I) V = S + S^T - V^T V", Vt * (K + Kt - 1) * V, S + St - Vt * V, "S, V (noncommuting)")
    R = sympy.Symbol("R", commutative=False)
    proof.symbolically("V^-1 (R^-1 K) V = (V^T R V)^-1 S", V**-1 * R**-1 * K * V, V**-1 * R**-1 * Vt**-1 * S, "S, V, R (noncommuting)")
    b = sympy.Symbol("beta", positive=True)
    proof.symbolically("the eigenvalue for 1/beta over 2/beta - 1", (1 / b) / (2 / b - 1), 1 / (2 - b), "beta")
    with proof.beside():
        rng = Random(42)
        largest, count = proof.pick((3, 8), (4, 25), (5, 150))
        strict = 0
        for _ in proof.each(f"only if: {count} random rational products of n factors, n <= {largest}, seed 42", range(count)):
            n = rng.randint(1, largest)
            factors = [
                GeneralizedHouseholder(samples.nonzero_vector(rng, n), 1 - samples.fraction(rng, -3, 3) / 4) for _ in range(n + extra)
            ]
            M = householder.product(factors, n)
            if exact.is_positive_definite(exact.identity(n) - exact.multiply(M, M.T)):
                strict += 1
                spectrum = exact.characteristic_polynomial(pencil_of(M))
                proof.exactly("all eigenvalues of the pencil are real", real_roots(spectrum), n)
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
        for n in proof.each(f"3/5 (J + ... + J), 2 <= n <= {largest}", range(2, largest + 1)):
            spectrum = exact.characteristic_polynomial(pencil(turns(n, fmpq(3, 5))))
            proof.exactly("a scaled turn's pencil has nonreal eigenvalues, two for each J", real_roots(spectrum), n % 2)
