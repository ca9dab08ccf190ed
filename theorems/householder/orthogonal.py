"""Orthogonal and permutation matrices as products of reflections, and the fewest that do (grazzi25, Proposition 1.2)."""

from __future__ import annotations

from itertools import permutations
from random import Random

import sympy
from flint import fmpq

from ...constructions import householder, samples
from ...constructions.householder import GeneralizedHouseholder
from ...numerics import exact
from ..claim import claim
from ..evidence import Proof
from .norms import certify_product


@claim(
    "new.householder.rank",
    topic="householder",
    place="lower bound behind grazzi25 Proposition 1.2 and App. C.5",
    kind="new",
    title="k GH factors can only reach M with rank(M - I) <= k",
    says=r"$\operatorname{rank}(C_1\cdots C_k-I)\le k$ for GH matrices (more generally $\le\sum_i\operatorname{rank}(C_i-I)$).",
    sabotages={"k - 1 factors should do": {"allowance": -1}},
)
def rank_lower_bound(proof: Proof, allowance: int = 0) -> None:
    """AB - I = (A - I) B + (B - I), and each I - C has rank at most 1."""
    a, b = sympy.symbols("A B", commutative=False)
    proof.symbolically("AB - I = (A - I)B + (B - I)", a * b - 1, (a - 1) * b + (b - 1), "A, B (noncommuting)")
    rng = Random(31)
    count = proof.pick(20, 80, 500)
    for _ in proof.each(f"{count} random products, n <= 6, k <= 7", range(count)):
        n, k = rng.randint(1, 6), rng.randint(1, 7)
        N = householder.product(samples.householder_factors(rng, n, k, -1, 1), n)
        proof.holds("rank(N - I) <= k", exact.rank(N - exact.identity(n)) <= k + allowance)


def _rational_orthogonals(rng: Random, largest: int, per_size: int) -> list:
    family = []
    for n in range(1, largest + 1):
        family += [exact.identity(n), -exact.identity(n)]
        family += [samples.orthogonal(rng, n) for _ in range(per_size)]
    return family


@claim(
    "grazzi25.prop1.2.orthogonal",
    topic="householder",
    place="Proposition 1.2 (orthogonal M)",
    title="every orthogonal n x n matrix is a product of rank(Q - I) <= n reflections, and of no fewer GH factors",
    says=r"Every orthogonal $Q$ is a product of $\operatorname{rank}(Q-I)\le n$ reflections (Scherk), and of no fewer GH matrices.",
    uses=("new.householder.rank",),
    construction="lemmata.constructions.householder.reflections",
    sabotages={
        "the last reflection is dropped": {"reflections": lambda Q: householder.reflections(Q)[:-1]},
        "the order is reversed": {"reflections": lambda Q: householder.reflections(Q)[::-1]},
        "beta = 2.1": {"reflections": lambda Q: [GeneralizedHouseholder(f.v, fmpq(21, 10)) for f in householder.reflections(Q)]},
        "two needless reflections": {
            "reflections": lambda Q: householder.reflections(Q) + [GeneralizedHouseholder(exact.unit_vector(len(Q), 0))] * 2
        },
    },
)
def orthogonal_is_a_product_of_reflections(proof: Proof, reflections=householder.reflections) -> None:
    """Reflect Q e_i back onto e_i, one axis at a time. Each reflection used fixes what Q fixes, and e_i besides, so it lowers
    rank(Q - I) by one; the rank bound says that none can be spared."""
    rng = Random(32)
    largest, per_size = proof.pick((4, 3), (8, 6), (12, 25))
    for Q in proof.each(f"rational orthogonal Q, n <= {largest}, +-I included", _rational_orthogonals(rng, largest, per_size)):
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
        certify_product(proof, "Q as the fewest reflections", factors, Q, high="-1", fewest=True)


@claim(
    "grazzi25.prop1.2.permutation",
    topic="householder",
    place="Proposition 1.2 (permutation M)",
    title="a permutation matrix is a product of n - #cycles <= n - 1 reflections, each a swap, and of no fewer",
    says=r"A permutation matrix with $c$ cycles (fixed points counted) is a product of $n-c\le n-1$ swaps $I-2vv^\top$, $v=(e_i-e_j)/\sqrt2$, and of no fewer GH factors.",
    hypotheses=("n = 1 needs the empty product: k = 0",),
    uses=("new.householder.rank",),
    construction="lemmata.constructions.householder.swaps",
    sabotages={
        "one swap is dropped": {"swaps": lambda p: householder.swaps(p)[1:]},
        "moved points are counted instead of cycles": {"fewest": lambda p: sum(i != x for i, x in enumerate(p))},
    },
)
def permutation_is_a_product_of_swaps(proof: Proof, swaps=householder.swaps, fewest=lambda p: len(p) - len(householder.cycles(p))) -> None:
    """The construction for orthogonal matrices only ever meets vectors e_i - e_j here; all permutations are tried."""
    largest = proof.pick(4, 6, 7)
    everything = (p for n in range(1, largest + 1) for p in permutations(range(n)))
    for p in proof.every(f"all permutations of n <= {largest} points", everything):
        n, factors = len(p), swaps(p)
        matrix = householder.permutation_matrix(p)
        proof.exactly("the swaps multiply to P", householder.product(factors, n), matrix)
        proof.exactly("each is a swap", [sorted(map(int, f.v)) for f in factors], [[-1] + [0] * (n - 2) + [1]] * len(factors))
        proof.exactly("there are n minus the number of cycles", len(factors), fewest(p))
        proof.exactly("rank(P - I) is that number, so no fewer do", exact.rank(matrix - exact.identity(n)), fewest(p))
        if n <= 4:
            certify_product(proof, f"P = {p} as the fewest swaps", factors, matrix, high="-1", fewest=True)


@claim(
    "grazzi25.prop1.2.permutation.display",
    topic="householder",
    place="App. C.2, second item, P = prod_{l=1}^{k-1} P_{i_l j_l}",
    title="every permutation other than I is a product over l = 1 .. k-1 of swaps, with k <= n - 1",
    says=r"For every permutation matrix $P\ne I$ there are $k\le n-1$ and swaps with $P=\prod_{l=1}^{k-1}P_{i_lj_l}$.",
    reading="the upper limit k - 1 as printed; it should be k",
    sabotages={"the product runs to k": {"limit": lambda n: n - 1}},
)
def one_swap_is_missing(proof: Proof, limit=lambda n: n - 2) -> None:
    """With k <= n - 1 and the limit k - 1 there are at most n - 2 swaps: none for n = 2. Compare with the fewest."""
    others = (p for n in (2, 3) for p in permutations(range(n)) if list(p) != list(range(n)))
    found = proof.smallest("permutations of 2, then 3 points", others, lambda p: len(householder.swaps(p)) > limit(len(p)))
    if found:
        p, _ = found
        matrix = householder.permutation_matrix(p)
        needed = exact.rank(matrix - exact.identity(len(p)))
        proof.counterexample(
            given={"P": matrix, "n": len(p), "largest k": len(p) - 1, "swaps in the printed product": limit(len(p)), "rank(P - I)": needed},
            hypotheses={"P is not the identity": needed > 0},
            violates={"P needs more swaps than the product has": needed > limit(len(p))},
            minimal=f"n = {len(p)}",
        )


@claim(
    "grazzi25.fig3",
    topic="householder",
    place="Fig. 3",
    title="the two vectors of Fig. 3 give a 3-cycle as two swaps",
    says=r"With $v_1\propto(1,-1,0)$ and $v_2\propto(0,1,-1)$, $(I-2v_1v_1^\top)(I-2v_2v_2^\top)$ is the matrix of a 3-cycle.",
    construction="lemmata.constructions.householder.swaps",
    sabotages={"the second vector is (1, 0, 1)": {"second": (1, 0, 1)}, "the first vector twice": {"second": (1, -1, 0)}},
)
def figure_three(proof: Proof, second=(0, 1, -1)) -> None:
    """Multiply, and compare with the permutation matrices of order 3."""
    factors = [GeneralizedHouseholder(exact.rationals(v)) for v in ((1, -1, 0), second)]
    matrix = householder.product(factors, 3)
    cycles = [householder.permutation_matrix(p).tolist() for p in ((1, 2, 0), (2, 0, 1))]
    proof.holds("the product is the matrix of a 3-cycle", matrix.tolist() in cycles)
    proof.exactly("two factors are the fewest", exact.rank(matrix - exact.identity(3)), 2)
    certify_product(proof, "a 3-cycle as two swaps", factors, matrix, high="-1", fewest=True)
