"""Slips of App. C.2 and Sec. 4.3 (grazzi25) in words, in an index and in a range, and what a product of k factors costs (Sec. 4.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from random import Random
from typing import Any

import numpy as np
from flint import fmpq

from ...constructions import householder, samples
from ...constructions.householder import GeneralizedHouseholder
from ...numerics import exact
from ..claim import claim
from ..evidence import Proof


@claim(
    "grazzi25.prop1.3.positive",
    place="App. C.2, end of the third item; Sec. 4.3, after Proposition 1",
    of="grazzi25.prop1.3.two",
    flaw="misprint",
    quotes=(
        "has positive real eigenvalues",
        "which is smaller than one from the first point of the theorem",
        "the eigenvalues are positive",
    ),
    title="'positive' and 'smaller than one' are printed where nonnegative and at most one are meant",
    says=r"A product of two matrices of $\mathcal M_1^n([0,1])$ has positive eigenvalues and a norm below $1$.",
    reading="'positive' as > 0 and 'smaller' as <. The first point of the proposition says 'at most 1', and the third [0, 1]",
    letter="At the end of App. C.2's third item, and after Proposition 1, 'positive' should read 'nonnegative', and 'smaller than one' 'at most one'. The projection diag(1, 0) has the eigenvalue 0 and the norm 1.",
    sabotages={"no projection": {"betas": (0,)}},
)
def a_projection_has_eigenvalue_zero(proof: Proof, betas: tuple[int, ...] = (0, 1)) -> None:
    """The factors I - b_i e_i e_i^T with b_1 = 0 and b_2 = 1 multiply to diag(1, 0): the eigenvalue 0 occurs, and the norm is 1."""

    def both(case: tuple[int, tuple[int, int]]) -> bool:
        n, chosen = case
        C = householder.product(_along_axes(n, chosen), n)
        return exact.determinant(C) == 0 and exact.is_contraction(C) and 1 in np.diagonal(C).tolist()

    cases = ((n, chosen) for n in (1, 2) for chosen in product(betas, repeat=2))
    found = proof.smallest("n = 1, 2, factors along the first and the last axis with beta in {0, 1}", cases, both)
    if found:
        n, chosen = found[0]
        C = householder.product(_along_axes(n, chosen), n)
        proof.counterexample(
            given={
                "v_1, v_2": [f.v for f in _along_axes(n, chosen)],
                "beta_1, beta_2": chosen,
                "C_1 C_2": C,
                "eigenvalues": np.diagonal(C),
            },
            words={
                "range": all(0 <= b <= 1 for b in chosen),
                "zero": exact.determinant(C) == 0,
                "norm": exact.is_contraction(C) and exact.rank(C - exact.identity(n)) < n,
            },
            minimal=f"n = {n}",
        )
        proof.certificate("witness", "two factors along the axes", n=n, betas=chosen)


def _along_axes(n: int, betas: tuple[int, int]) -> list[GeneralizedHouseholder]:
    """I - beta_1 e_1 e_1^T and I - beta_2 e_n e_n^T."""
    return [GeneralizedHouseholder(exact.unit_vector(n, i), exact.rational(b)) for i, b in zip((0, n - 1), betas, strict=True)]


@claim(
    "grazzi25.prop1.2.swap",
    place="App. C.2, second item, after the display of P",
    of="grazzi25.prop1.2.permutation",
    flaw="remark",
    quotes=(r"$\mathbf{P}_{ij} \in \mathcal{M}_k^n(\{-1\})$ with $k \leq n$",),
    title="a swap is one reflection: the set that it is said to lie in has the index k for 1",
    says=r"With $k$ the number of swaps in a product for $P$, each swap lies in $\mathcal M_k^n(\{-1\})$.",
    reading="k is fixed a few lines above, as the number of swaps; read as 'for some k', the sentence holds with k = 1",
    letter="In the second item of App. C.2, 'P_ij in M_k^n({-1}) with k <= n' should read 'P_ij in M_1^n({-1})'. For a 3-cycle k = 2, and two reflections have determinant 1, a swap -1.",
    sabotages={"the index 1": {"index": lambda k: 1}},
)
def index_of_a_swap(proof: Proof, index: Callable[[int], int] = lambda k: k) -> None:
    """k reflections have determinant (-1)^k, a swap has -1: for even k, as for the two swaps of a 3-cycle, the swap is no product of k reflections."""

    def breaks(p: tuple[int, ...]) -> bool:
        return bool(householder.swaps(p)) and index(len(householder.swaps(p))) % 2 == 0

    found = proof.smallest("permutations of 2 points, then the two 3-cycles", [(1, 0), (1, 2, 0), (2, 0, 1)], breaks)
    if found:
        p, _ = found
        n, swaps = len(p), householder.swaps(p)
        first, k = householder.product(swaps[:1], n), len(swaps)
        proof.counterexample(
            given={
                "P": householder.permutation_matrix(p),
                "k": k,
                "P_ij": first,
                "det P_ij": exact.determinant(first),
                "det of k reflections": (-1) ** k,
            },
            words={
                "swaps": np.array_equal(householder.product(swaps, n), householder.permutation_matrix(p)) and k <= n - 1,
                "determinant": exact.determinant(first) != (-1) ** k,
            },
            minimal=f"n = {n}, k = {k}",
        )
        proof.certificate("witness", "a permutation", permutation=list(p))


@claim(
    "grazzi25.prop1.2.range",
    place="Sec. 4.3, sentence before Proposition 1",
    of="grazzi25.prop1.2.contraction",
    flaw="overstatement",
    weight="wording",
    quotes=(r"can represent any matrix with Euclidean norm less than or equal to 1, but only when $[-1, 1] \subseteq \Omega$",),
    title="products of GH matrices reach every contraction for smaller ranges than [−1, 1] too: {−1} ∪ [0, 1] is enough",
    says=r"If every $M$ with $\|M\|\le1$ lies in $\mathcal M_k^n(\Omega)$ for some $k$, then $[-1,1]\subseteq\Omega$.",
    reading="Omega as any set of reals, as Eq. 3 has it: the paper itself uses {-1, 1} and {0}",
    letter="Before Proposition 1, 'but only when [-1, 1] is a subset of Omega' says more than its second item. The proof of that item uses the eigenvalues -1, 1 and those in "
    "[0, 1] alone, so Omega = {-1} with [0, 1] is enough. For n = 1 and x < 0, x is -1 times |x|. 'But not when Omega = [0, 1]' would be right.",
    sabotages={
        "the whole range": {"omega": ((fmpq(-1), fmpq(1)),)},
        "no reflection": {"omega": ((fmpq(0), fmpq(1)),)},
    },
)
def a_reflection_and_the_unit_interval(
    proof: Proof, omega: tuple[tuple[fmpq, fmpq], ...] = ((fmpq(-1), fmpq(-1)), (fmpq(0), fmpq(1)))
) -> None:
    """For n = 1 a GH matrix is its eigenvalue. With the signs 1 and -1 and the numbers of [0, 1] two factors give every number of [-1, 1]; U, S and V in the proof
    of the second item have no other eigenvalues, for every n."""
    x, (low, high) = fmpq(-1, 2), (fmpq(-1), fmpq(1))
    reached = union(products(omega))
    proof.counterexample(
        given={"n": 1, "k": 2, "Omega": omega, "x": x, "products of two numbers of Omega": reached},
        words={
            "missing": low <= x <= high and not any(a <= x <= b for a, b in omega),
            "reached": any(a <= low and high <= b for a, b in reached),
        },
        minimal="n = 1",
    )
    proof.certificate("witness", "two intervals", omega=omega, x=x)


def products(intervals: Sequence[tuple[fmpq, fmpq]]) -> list[tuple[fmpq, fmpq]]:
    """The intervals of all x y with x and y in two of the intervals, or in one."""
    corners = ([a * b for a in left for b in right] for left, right in product(intervals, repeat=2))
    return [(min(c), max(c)) for c in corners]


def union(intervals: Iterable[tuple[fmpq, fmpq]]) -> list[tuple[fmpq, fmpq]]:
    """Disjoint closed intervals with the same union, the lowest first.

    >>> union([(fmpq(0), fmpq(1)), (fmpq(-1), fmpq(0))])
    [(-1, 1)]
    """
    found: list[tuple[fmpq, fmpq]] = []
    for a, b in sorted(intervals):
        if found and a <= found[-1][1]:
            found[-1] = (found[-1][0], max(b, found[-1][1]))
        else:
            found.append((a, b))
    return found


class _Counted:
    """A rational number that counts additions, subtractions and multiplications in ``done``."""

    def __init__(self, value: Any, done: list[int]):
        self.value, self.done = value, done

    def _counting(self, value: Any) -> _Counted:
        self.done[0] += 1
        return _Counted(value, self.done)

    def __add__(self, other: _Counted) -> _Counted:
        return self._counting(self.value + other.value)

    def __sub__(self, other: _Counted) -> _Counted:
        return self._counting(self.value - other.value)

    def __mul__(self, other: _Counted) -> _Counted:
        return self._counting(self.value * other.value)


def _one_after_the_other(factors: list[GeneralizedHouseholder], x: list[Any], done: list[int]) -> list[Any]:
    """C_1 ... C_k x: the dot product v.x, one product with beta, and n products and differences for each factor."""
    for f in reversed(factors):
        v, beta = [_Counted(a, done) for a in f.v], _Counted(f.beta, done)
        dot = v[0] * x[0]
        for a, b in zip(v[1:], x[1:], strict=True):
            dot = dot + a * b
        step = beta * dot
        x = [b - a * step for a, b in zip(v, x, strict=True)]
    return x


@claim(
    "grazzi25.sec4.3.cost",
    place="Sec. 4.3, after Theorem 3",
    title="a product of k GH matrices is applied to a vector in 4nk operations, linear in k",
    says=r"For unit $v_i$, $C_1\cdots C_kx$ takes $4nk$ additions and multiplications, factor by factor: $2n-1$ for $v^\top x$, one for $\beta$, $2n$ for the difference.",
    reading="'time complexity' as the number of operations of one step; on a machine other costs come to it",
    sabotages={
        "the product is formed first": {"apply": lambda factors, x, done: _formed_first(factors, x, done)},
        "the factors in the other order": {"apply": lambda factors, x, done: _one_after_the_other(factors[::-1], x, done)},
    },
)
def linear_in_the_factors(proof: Proof, apply: Callable = _one_after_the_other) -> None:
    r"""The operations are counted.

    1. One factor takes $2n-1$ operations for $v^\top x$, one for $\beta(v^\top x)$ and $2n$ for $x-(\beta v^\top x)v$: $4n$, whatever came before. [checked: "4 n k operations"]
    2. The result is $C_1\cdots C_kx$. [checked: "the result is the product's"]
    3. The count of a factor does not depend on the others, so $k$ factors take $k$ times as much; the machine counts for the sizes of the scope. [prose]
    """
    largest = proof.pick(3, 5, 8)
    rng = Random(331)
    for n, k in proof.each(
        f"n, k <= {largest}, unit vectors with two entries of Pythagorean triples, seed 331", product(range(1, largest + 1), repeat=2)
    ):
        factors = [_drawn(rng, n) for _ in range(k)]
        x, done = samples.nonzero_vector(rng, n), [0]
        result = apply(factors, [_Counted(a, done) for a in x], done)
        proof.exactly("4 n k operations", done[0], 4 * n * k)
        proof.exactly("the result is the product's", [r.value for r in result], householder.product(factors, n) @ x)


def _drawn(rng: Random, n: int) -> GeneralizedHouseholder:
    """A unit vector with two entries of a Pythagorean triple, or the number 1, and beta in (0, 2]."""
    v = exact.zeros(n)
    entries = rng.choice((("3/5", "4/5"), ("-5/13", "12/13"), ("8/17", "15/17"))) if n > 1 else ("1",)
    for i, a in zip(rng.sample(range(n), len(entries)), entries, strict=True):
        v[i] = exact.rational(a)
    return GeneralizedHouseholder(v, exact.rational(rng.choice(("1/2", "1", "3/2", "2"))))


def _formed_first(factors: list[GeneralizedHouseholder], x: list[Any], done: list[int]) -> list[Any]:
    """The dense product times x."""
    rows = [[_Counted(a, done) for a in row] for row in householder.product(factors, len(x))]
    out = []
    for row in rows:
        total = row[0] * x[0]
        for a, b in zip(row[1:], x[1:], strict=True):
            total = total + a * b
        out.append(total)
    return out
