"""Orthogonal and permutation matrices as products of reflections, and the fewest that do (grazzi25, Proposition 1.2)."""

from __future__ import annotations

from itertools import permutations
from random import Random

import numpy as np
import sympy
from flint import fmpq

from ...constructions import householder, samples
from ...constructions.householder import GeneralizedHouseholder
from ...numerics import exact
from ..claim import claim
from ..evidence import Proof
from .norms import certify_product, factor_data


@claim(
    "new.householder.rank",
    place="lower bound behind grazzi25 Proposition 1.2 and App. C.5",
    title="k GH factors can only reach M with rank(M − I) ≤ k",
    says=r"$\operatorname{rank}(C_1\cdots C_k-I)\le k$ for GH matrices, whatever their $\beta$.",
    known="Classical: the easy half of Scherk (Proc. AMS 1, 1950), who counts the symmetries of an orthogonality; used here for GH factors.",
    sabotages={
        "rank at most k - 1, which the kernel refutes": {"theorem": "false_variants.gh_product_rank_one_less"},
        "the new column is left out": {"column": 0},
        "factors of rank 2": {"update": sympy.Symbol("E", commutative=False)},
    },
)
def rank_lower_bound(proof: Proof, column: int = 1, update=sympy.Integer(0), theorem: str = "householder.gh_product_rank") -> None:
    r"""$N-I$ factors through one dimension for each factor.

    1. Suppose $N-I=XY$ with $X$ of shape $n\times k$, $Y$ of shape $k\times n$ (for $k=0$, $N=I$). Then
       $(I-\beta zz^\top)N-I=(X-\beta zz^\top X)\,Y-\beta z\,z^\top=\begin{pmatrix}X-\beta zz^\top X&-\beta z\end{pmatrix}\begin{pmatrix}Y\\z^\top\end{pmatrix}$ factors through
       $k+1$ dimensions. [checked: "one factor more is one column more"]
    2. So after $k$ factors $N-I$ is a product of an $n\times k$ and a $k\times n$ matrix, and its rank is at most $k$. [checked: "one factor more is one column more"]
    """
    proof.formally(
        "the kernel: k factors move the identity by rank at most k",
        theorem,
        whole="every n, k and field",
        differs="any field, and I - c v v^T with any c",
    )
    X, Y, z, zt = sympy.symbols("X Y z zt", commutative=False)
    beta = sympy.Symbol("beta")
    left = (1 - beta * z * zt + update) * (1 + X * Y) - 1
    right = (X - beta * z * zt * X) * Y + column * (-beta * z) * zt
    proof.symbolically("one factor more is one column more", left, right, "n, k, X, Y, z (noncommuting), beta")
    rng = Random(31)
    for k in range(1, proof.pick(3, 5, 6)):
        factors = samples.householder_factors(rng, 6, k, -1, 1)
        proof.certificate("witness", f"{k} factors in dimension 6", factors=factor_data(factors), k=k)


def _rational_orthogonals(rng: Random, largest: int, per_size: int) -> list:
    family = []
    for n in range(1, largest + 1):
        family += [exact.identity(n), -exact.identity(n)]
        family += [samples.orthogonal(rng, n) for _ in range(per_size)]
    return family


@claim(
    "grazzi25.prop1.2.orthogonal",
    place="Proposition 1.2 (orthogonal M)",
    title="every orthogonal n × n matrix is a product of rank(Q − I) ≤ n reflections, and of no fewer GH factors",
    says=r"Every orthogonal $Q$ is a product of $\operatorname{rank}(Q-I)\le n$ reflections (Scherk), and of no fewer GH matrices.",
    construction="lemmata.constructions.householder.reflections",
    sabotages={
        "one reflection less, which the kernel refutes": {"theorem": "false_variants.orthogonal_is_a_product_of_fewer"},
        "the last reflection is dropped": {"reflections": lambda Q: householder.reflections(Q)[:-1]},
        "the order is reversed": {"reflections": lambda Q: householder.reflections(Q)[::-1]},
        "beta = 2.1": {"reflections": lambda Q: [GeneralizedHouseholder(f.v, fmpq(21, 10)) for f in householder.reflections(Q)]},
        "two needless reflections": {
            "reflections": lambda Q: householder.reflections(Q) + [GeneralizedHouseholder(exact.unit_vector(len(Q), 0))] * 2
        },
    },
)
def orthogonal_is_a_product_of_reflections(
    proof: Proof, reflections=householder.reflections, theorem: str = "householder.orthogonal_is_a_product_of_reflections"
) -> None:
    r"""Reflect $Qe_i$ back onto $e_i$, one axis at a time (Cartan and Dieudonné, Scherk).

    1. If $Qx\ne x$ put $v=Qx-x$. As $|Qx|=|x|$, $v^\top v=2(|x|^2-x^\top Qx)=-2v^\top x$, so the reflection $H$ along $v$ takes $Qx$ to $x$: $HQ$ fixes $x$. [checked: "H takes Qx to x"]
    2. What $Q$ fixes stays fixed: for $Qy=y$, $v^\top y=(Qx)^\top y-x^\top y=x^\top(Q^\top y-y)=0$. So each reflection lowers $\operatorname{rank}(Q-I)$ by one, and after
       $\operatorname{rank}(Q-I)$ of them $H\cdots Q=I$. [prose] [checked: "each one lowers rank(H ... Q - I) by one"; "the reflections multiply to Q"; "there are rank(Q - I) of them"]
    3. Fewer GH factors, whatever their $\beta$, cannot do. [uses: new.householder.rank]
    """
    proof.formally("the kernel: rank(Q - I) reflections", theorem)
    proof.formally(
        "the kernel: and no fewer GH matrices",
        "householder.fewest_reflections",
        whole="every n and Q",
        differs="an ordered field for the reals: no square root is taken; row vectors",
    )
    q, r = sympy.symbols("q r", real=True)  # x.Qx and |x|^2 = |Qx|^2
    # H Qx = Qx - 2 v (v.Qx)/(v.v) with v = Qx - x: the multiple of v is 1
    proof.symbolically("H takes Qx to x", 2 * (r - q), (r - 2 * q + r), "n, orthogonal Q, x")
    rng = Random(32)
    largest, per_size = proof.pick((4, 3), (8, 6), (12, 25))
    family = _rational_orthogonals(rng, largest, per_size)
    proof.holds("orthogonal matrices that are not symmetric occur", any(not np.array_equal(Q, Q.T) for Q in family))
    for Q in proof.each(f"{len(family)} rational orthogonal Q, n <= {largest}, +-I included, seed 32", family):
        factors = reflections(Q)
        n = len(Q)
        proof.exactly("the reflections multiply to Q", householder.product(factors, n), Q)
        proof.exactly("every beta is 2", [f.beta for f in factors], [2] * len(factors))
        rest, ranks = Q, [exact.rank(Q - exact.identity(n))]
        for f in factors:
            rest = exact.multiply(f.matrix(), rest)
            ranks.append(exact.rank(rest - exact.identity(n)))
        proof.exactly("each one lowers rank(H ... Q - I) by one", ranks, list(range(ranks[0], ranks[0] - len(ranks), -1)))
        proof.exactly("there are rank(Q - I) of them", len(factors), exact.rank(Q - exact.identity(n)))
        if n <= 6 and factors:
            certify_product(proof, "Q as the fewest reflections", factors, Q, high="-1", fewest=True)


@claim(
    "grazzi25.prop1.2.permutation",
    place="Proposition 1.2 (permutation M)",
    title="a permutation matrix is a product of n − #cycles ≤ n − 1 reflections, each a swap, and of no fewer",
    says=r"A permutation matrix with $c$ cycles (fixed points counted) is a product of $n-c\le n-1$ swaps $I-2vv^\top$, $v=(e_i-e_j)/\sqrt2$, and of no fewer GH factors.",
    remarks=("For n = 1 the product is empty. The printed M_(n-1)({-1, 1}) allows factors I, so fewer swaps serve as well.",),
    construction="lemmata.constructions.householder.swaps",
    sabotages={
        "one swap less, which the kernel refutes": {"theorem": "false_variants.permutation_is_fewer_reflections"},
        "one swap is dropped": {"swaps": lambda p: householder.swaps(p)[1:]},
        "moved points are counted instead of cycles": {"fewest": lambda p: sum(i != x for i, x in enumerate(p))},
    },
)
def permutation_is_a_product_of_swaps(
    proof: Proof,
    swaps=householder.swaps,
    fewest=lambda p: len(p) - len(householder.cycles(p)),
    theorem: str = "permutation.permutation_is_reflections",
) -> None:
    r"""The construction for orthogonal matrices meets vectors $e_i-e_j$ only.

    1. For $x=e_i$ and a permutation matrix $P$, $Pe_i-e_i=e_{p(i)}-e_i$: the reflection along it is a swap, and the product is again a permutation matrix. [uses: grazzi25.prop1.2.orthogonal] [checked: "each is a swap"]
    2. $P$ fixes the vectors that are constant on its cycles, a space of dimension $c$, so $\operatorname{rank}(P-I)=n-c\le n-1$: that many swaps do, and no fewer GH factors.
       [uses: new.householder.rank] [checked: "rank(P - I) is that number"; "there are n minus the number of cycles"; "the swaps multiply to P"]
    3. The machine goes through all permutations up to the size in the scope; for larger $n$ the steps are the same words. [prose]
    """
    proof.formally("the kernel: n - c swaps", theorem)
    proof.formally(
        "the kernel: and no fewer",
        "permutation.permutation_needs",
        whole="every n",
        differs="any field; the swap is I - v v^T with v = e_i - e_j, so no root of 2",
    )
    largest = proof.pick(4, 6, 7)
    everything = (p for n in range(1, largest + 1) for p in permutations(range(n)))
    for p in proof.every(f"all permutations of n <= {largest} points", everything):
        n, factors = len(p), swaps(p)
        matrix = householder.permutation_matrix(p)
        proof.exactly("the swaps multiply to P", householder.product(factors, n), matrix)
        proof.exactly("each is a swap", [sorted(map(int, f.v)) for f in factors], [[-1] + [0] * (n - 2) + [1]] * len(factors))
        proof.exactly("there are n minus the number of cycles", len(factors), fewest(p))
        proof.exactly("rank(P - I) is that number, so no fewer do", exact.rank(matrix - exact.identity(n)), fewest(p))
        if n <= 4 and factors:
            certify_product(proof, f"P = {p} as the fewest swaps", factors, matrix, high="-1", fewest=True)


@claim(
    "grazzi25.prop1.2.permutation.display",
    place="App. C.2, second item, P = prod_{l=1}^{k-1} P_{i_l j_l}",
    flaw="misprint",
    extracted=True,
    quotes=(r"there exists an integer $k \leq n-1$ and indices $i_1, \dots, i_k$ and $j_1, \dots, j_k$",),
    title="the product of swaps runs to k − 1 where k ≤ n − 1 counts the swaps",
    says=r"For every permutation matrix $P\ne I$ there are $k\le n-1$ and swaps with $P=\prod_{l=1}^{k-1}P_{i_lj_l}$.",
    reading="the upper limit k - 1 as printed, with indices i_1, ..., i_k; it should be k. A slip of extraction is unlikely, but not excluded",
    letter="In the second item of App. C.2 the product over l should run to k, not to k - 1. With k <= n - 1 as stated, a swap of two points would be an empty product.",
    sabotages={"the product runs to k": {"limit": lambda n: n - 1}},
)
def one_swap_is_missing(proof: Proof, limit=lambda n: n - 2) -> None:
    """With k <= n - 1 and the limit k - 1 there are at most n - 2 swaps, none for n = 2, where the swap of two points needs one: rank(P - I) = 1."""
    others = (p for n in (2, 3) for p in permutations(range(n)) if list(p) != list(range(n)))
    found = proof.smallest("permutations of 2, then 3 points", others, lambda p: len(householder.swaps(p)) > limit(len(p)))
    if found:
        p, _ = found
        matrix = householder.permutation_matrix(p)
        needed = exact.rank(matrix - exact.identity(len(p)))
        proof.counterexample(
            given={"P": matrix, "n": len(p), "largest k": len(p) - 1, "swaps in the printed product": limit(len(p)), "rank(P - I)": needed},
            words={"moves": needed > 0, "swaps": needed > limit(len(p))},
            minimal=f"n = {len(p)}",
        )
        proof.certificate("witness", "a permutation that needs n - 1 swaps", P=matrix)


@claim(
    "grazzi25.fig3",
    place="Fig. 3",
    title="the two vectors of Fig. 3 give a 3-cycle as two swaps",
    says=r"With $v_1\propto(1,-1,0)$ and $v_2\propto(0,1,-1)$, $(I-2v_1v_1^\top)(I-2v_2v_2^\top)$ is the matrix of a 3-cycle.",
    construction="lemmata.constructions.householder.swaps",
    sabotages={
        "one vector twice, which the kernel refutes": {"theorem": "sentences.figure_three_with_one_vector"},
        "the second vector is (1, 0, 1)": {"second": (1, 0, 1)},
        "the first vector twice": {"second": (1, -1, 0)},
    },
)
def figure_three(proof: Proof, second=(0, 1, -1), theorem: str = "sentences.figure_three") -> None:
    r"""The product of the two reflections is computed.

    1. Each of the two reflections is the matrix of a swap. [checked: "each reflection swaps two coordinates"]
    2. Their product is one of the two permutation matrices of order 3, those of $(0\,1\,2)$ and $(0\,2\,1)$. [checked: "the product is the matrix of a 3-cycle"]
    """
    proof.formally(
        "the kernel: the product carries 0 to 2, 2 to 1 and 1 to 0",
        theorem,
        whole="the two vectors of the figure",
        differs="any ordered field for the reals; a reflection divides by the square of its vector's length",
    )
    factors = [GeneralizedHouseholder(exact.rationals(v)) for v in ((1, -1, 0), second)]
    matrix = householder.product(factors, 3)
    swaps = [householder.permutation_matrix(p).tolist() for p in ((1, 0, 2), (2, 1, 0), (0, 2, 1))]
    cycles = [householder.permutation_matrix(p).tolist() for p in ((1, 2, 0), (2, 0, 1))]
    for one in proof.every("the two vectors of the figure", factors, limited=False):
        proof.holds("each reflection swaps two coordinates", householder.product([one], 3).tolist() in swaps)
        proof.holds("the product is the matrix of a 3-cycle", matrix.tolist() in cycles)
    with proof.beside():
        proof.exactly("two factors are the fewest", exact.rank(matrix - exact.identity(3)), 2)
    proof.exhibit("a 3-cycle as two swaps", v_1=(1, -1, 0), v_2=second, product=matrix)
    certify_product(proof, "a 3-cycle as two swaps", factors, matrix, high="-1", fewest=True)
