"""Norms of products of GH matrices, and what grows with the set (grazzi25, Eq. 3, Sec. 4.3, Proposition 1.1)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random

import sympy
from flint import fmpq

from ...constructions import householder, samples
from ...constructions.householder import GeneralizedHouseholder
from ...numerics import exact
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof


def factor_data(factors: Sequence[GeneralizedHouseholder]) -> list[dict]:
    """The factors as plain data: v and beta of each, in the order in which they are multiplied."""
    return [{"v": f.v, "beta": exact.rational(f.beta)} for f in factors]


def certify_product(
    proof: Proof, title: str, factors: Sequence[GeneralizedHouseholder], matrix: Array, low="-1", high="1", fewest: bool = False
) -> None:
    """Keep a factorisation for recheck: the product, each 1 - beta in [low, high], and with ``fewest`` that rank(M - I) is met."""
    proof.certificate("gh-product", title, matrix=matrix, factors=factor_data(factors), low=low, high=high, fewest=fewest)


def random_products(seed: int, largest: int, count: int, longest: int, low: int, high: int) -> list[list[GeneralizedHouseholder]]:
    """Lists of 1 to ``longest`` GH factors, not all I, of dimension 1 to ``largest`` with 1 - beta in [low, high], for certificates."""
    rng = Random(seed)
    lists = [
        samples.householder_factors(rng, n, rng.randint(1, longest), low, high) for n, _ in product(range(1, largest + 1), range(count))
    ]
    return [factors for factors in lists if any(f.beta != 0 for f in factors)]


@claim(
    "grazzi25.prop1.1",
    place="Proposition 1.1",
    title="products of GH matrices with eigenvalues in [−1, 1] have norm ≤ 1",
    says=r"Every $N\in\mathcal M^n_k([-1,1])$ has $\|N\|\le1$.",
    construction="lemmata.constructions.householder.product",
    sabotages={
        "beta beyond 2, which the kernel refutes": {"theorem": "false_variants.gh_product_contracts_for_any_beta"},
        "eigenvalues down to -1.1": {"low": sympy.Rational(-11, 10)},
        "P is not idempotent": {"idempotent": False},
    },
)
def norm_at_most_one(
    proof: Proof, low=sympy.Integer(-1), idempotent: bool = True, theorem: str = "few_factors.gh_product_contracts"
) -> None:
    r"""Each factor takes a square away from $|x|^2$, so the product shortens every vector; induction over the factors.

    1. Write a factor as $C=I-\beta P$ with $P=vv^\top/v^\top v$, so $P^\top=P=P^2$. For every $N$, $I-(CN)^\top CN=(I-N^\top N)+\beta(2-\beta)N^\top PN$;
       for $N=I$ this is the first factor. [checked: "I - (CN)^T CN = (I - N^T N) + beta (2 - beta) N^T P N"]
    2. $N^\top PN=ww^\top$ with $w=N^\top v/|v|$, so $x^\top N^\top PNx=(w^\top x)^2\ge0$. [checked: "N^T P N = w w^T"]
    3. With $\omega=1-\beta\in[-1,1]$, $\beta(2-\beta)=(1-\omega)(1+\omega)\ge0$. [checked: "beta (2 - beta) = (1 - omega)(1 + omega)"; "1 + omega >= 0"; "1 - omega >= 0"]
    4. So $I-N^\top N$ is a sum of positive semidefinite matrices for a product $N$ of any length. [checked: "I - (CN)^T CN = (I - N^T N) + beta (2 - beta) N^T P N"]
    """
    proof.formally(
        "the kernel: no vector gets longer",
        theorem,
        whole="every n and k",
        differs="an ordered field for the reals; row vectors, squared lengths",
    )
    N, Nt, P, v, vt = sympy.symbols("N Nt P v vt", commutative=False)
    beta, omega, length = sympy.symbols("beta omega length")
    u = sympy.Symbol("u", nonnegative=True)
    shorter = sympy.expand(1 - Nt * (1 - beta * P) * (1 - beta * P) * N)
    shorter = shorter.subs(P**2, P) if idempotent else shorter
    proof.symbolically(
        "I - (CN)^T CN = (I - N^T N) + beta (2 - beta) N^T P N",
        shorter,
        (1 - Nt * N) + beta * (2 - beta) * Nt * P * N,
        "n, N, P = P^T = P^2 (noncommuting), beta",
    )
    proof.symbolically("N^T P N = w w^T", Nt * (v * vt / length) * N, (Nt * v) * (vt * N) / length, "n, N, v (noncommuting)")
    proof.symbolically("beta (2 - beta) = (1 - omega)(1 + omega)", (1 - omega) * (2 - (1 - omega)), (1 - omega) * (1 + omega), "omega")
    proof.holds("1 + omega >= 0", (1 + (low + u)).is_nonnegative)
    proof.holds("1 - omega >= 0", (1 - (1 - u)).is_nonnegative)
    largest, count = proof.pick((3, 2), (5, 4), (7, 10))
    products = random_products(21, largest, count, 6, -1, 1)
    proof.holds("the products to be certified are not all I", 2 * len(products) >= largest * count)
    proof.holds("their factors have 1 - beta in [-1, 1]", all(0 <= f.beta <= 2 for factors in products for f in factors))
    for factors in products:
        N_ = householder.product(factors, len(factors[0].v))
        proof.certificate("contraction", "a product of GH factors has norm at most 1", matrix=N_, factors=factor_data(factors))


@claim(
    "grazzi25.eq3.inclusion",
    place="Eq. 3 and the inclusions below it",
    title="Mₖ(Ω) grows with Ω, and with k when 1 is in the larger Ω'",
    says=r"$\mathcal M^n_k(\Omega)\subseteq\mathcal M^n_{k'}(\Omega')$ if $\Omega\subseteq\Omega'$ and $k'=k$, or $k'\ge k$ and $1\in\Omega'$.",
    remarks=("The paper asks for 1 in Omega; 1 in the larger set is enough.",),
    sabotages={
        "1 is in no set, which the kernel refutes": {"theorem": "inclusions.classes_grow_without_one"},
        "padding with reflections instead of identities": {"filler": 2},
    },
)
def padding_with_identities(proof: Proof, filler: int = 0, theorem: str = "inclusions.classes_grow") -> None:
    r"""A factor with eigenvalue 1 is the identity.

    1. For $k'=k$ the same factors serve, as their eigenvalues lie in $\Omega\subseteq\Omega'$. [prose]
    2. For $k'=k+1$ multiply by $I-\beta zz^\top$ with $1-\beta=1$. The product does not change, and the eigenvalue for $z$ is $1\in\Omega'$. [checked: "one factor more changes nothing"; "its eigenvalue is 1"]
    3. The same step, repeated $k'-k$ times, leads to every $k'>k$. [checked: "one factor more changes nothing"] [prose]
    """
    proof.formally(
        "the kernel: the larger class has all products of the smaller one",
        theorem,
        whole="every n >= 1, k, k' and two sets",
        differs="an ordered field for the reals; sets as predicates",
    )
    N, z, zt = sympy.symbols("N z zt", commutative=False)
    proof.symbolically("one factor more changes nothing", N * (1 - filler * z * zt), N, "n, N, z (noncommuting)")
    image = sympy.expand((1 - filler * z * zt) * z).subs(zt * z, 1)
    proof.symbolically("its eigenvalue is 1: it keeps z", image, z, "n, unit z (noncommuting)")
    for factors in random_products(22, proof.pick(2, 3, 4), 2, 3, 0, 1):
        n = len(factors[0].v)
        padded = [*factors, GeneralizedHouseholder(factors[0].v, fmpq(filler))]
        shorter = householder.product(factors, n)
        title = f"{len(factors)} factors with one that is the identity"
        proof.certificate("gh-product", title, matrix=shorter, factors=factor_data(padded), low="0", high="1", fewest=False, padding=1)


@claim(
    "grazzi25.sec4.3.triangular",
    place="Sec. 4.3, before Proposition 1",
    title="products of triangular matrices stay triangular with eigenvalues in [−1, 1]",
    says=r"If $S,T$ are upper triangular with diagonals in $[-1,1]$, so is $ST$, with diagonal $s_{ii}t_{ii}$; hence so are all products.",
    sabotages={
        "lower times upper triangular, which the kernel refutes": {"theorem": "false_variants.triangular_products_of_both_sorts"},
        "the second factor is lower triangular": {"lower": True},
        "diagonals in [-1.1, 1]": {"low": sympy.Rational(-11, 10)},
    },
)
def triangular_products(proof: Proof, lower: bool = False, low=sympy.Integer(-1), theorem: str = "period.triangular_products") -> None:
    r"""Induction on the size: split off the first row and column.

    1. Write $S=\begin{pmatrix}s&\sigma\\0&S'\end{pmatrix}$ and $T$ alike. Then $ST=\begin{pmatrix}st&s\tau+\sigma T'\\0&S'T'\end{pmatrix}$: the first diagonal entry is $st$, below it
       there are zeros, and $S'T'$ is smaller. The base is $n=1$. [checked: "the first diagonal entry is s t"; "below it there are zeros"; "the rest is S' T'"]
    2. If $s,t\in[-1,1]$ then $1\pm st\ge0$, as $1+st=\tfrac12((1+s)(1+t)+(1-s)(1-t))$ and $1-st=\tfrac12((1+s)(1-t)+(1-s)(1+t))$, whose factors are nonnegative.
       [checked: "1 + s t is half a sum of products"; "1 - s t is half a sum of products"; "1 + s >= 0"; "1 - s >= 0"]
    """
    proof.formally("the kernel: products stay triangular", theorem)
    proof.formally(
        "the kernel: with diagonals in [-1, 1]",
        "period.triangular_contracting",
        whole="every n",
        differs="lower for upper triangular; an ordered field for the reals",
    )
    S, T, sigma, tau, spare = sympy.symbols("S T sigma tau spare", commutative=False)
    s, t = sympy.symbols("s t", real=True)
    u = sympy.Symbol("u", nonnegative=True)
    # blocks: row 0 is the first row, and ``corner`` stands below t, 0 for an upper triangular T
    corner, right = (spare, 0) if lower else (0, tau)
    blocks = [[s * t + sigma * corner, s * right + sigma * T], [0 * t + S * corner, 0 * right + S * T]]
    proof.symbolically("the first diagonal entry is s t", blocks[0][0], s * t, "n, S, T (noncommuting blocks)")
    proof.symbolically("below it there are zeros", blocks[1][0], 0, "n, S, T (noncommuting blocks)")
    proof.symbolically("the rest is S' T'", blocks[1][1], S * T, "n, S, T (noncommuting blocks)")
    proof.symbolically("1 + s t is half a sum of products", 2 * (1 + s * t), (1 + s) * (1 + t) + (1 - s) * (1 - t), "s, t")
    proof.symbolically("1 - s t is half a sum of products", 2 * (1 - s * t), (1 + s) * (1 - t) + (1 - s) * (1 + t), "s, t")
    proof.holds("1 + s >= 0", (1 + (low + u)).is_nonnegative)
    proof.holds("1 - s >= 0", (1 - (1 - u)).is_nonnegative)
    rng = Random(26)
    for n in range(2, proof.pick(3, 5, 6)):
        two = [samples.triangular(rng, n, [fmpq(-1), fmpq(-1, 2), fmpq(1, 3), fmpq(1)]) for _ in range(2)]
        proof.certificate("witness", f"two triangular matrices of size {n}", S=two[0], T=two[1])
