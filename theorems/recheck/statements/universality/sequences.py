"""What the claims of topic universality demand of their certificates: recurrence and head together."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from ...exact import apply, determinant, inverse, matrix, natural, number, one, rank, require, times, transpose, vector
from ...registry import statement
from ...schema import Fields, Items, Matrix, Natural, Rational, Vector
from ...typed import Certificates, Data, Decided
from .demands import vandermonde

# -- widths ----------------------------------------------------------------------------------------------------------------------


@statement(
    "orvieto24.thm2.width",
    "witness",
    Fields(frequencies=Matrix(4, (8, 64), 8)),
    hypotheses={"constants": "C_f <= 2 and C'_f = 1 for every k"},
    violates={
        "frequencies": "the frequencies differ, so the constant is at least their sum",
        "linear": "D / L is unbounded",
        "quartic": "D / L^4 tends to a positive number",
        "twice": "twice the length, more than 12 times as many",
    },
)
def fourth_power(data: Data) -> Decided:
    """Theorem 1's 2 r^2 C~^2 is O(L) for the interpolation; refuted by cosines of different frequencies in (1, 2], where C~ is at least their sum, on a ball of radius (L - 1)/2.

    For lengths that double the width grows more than 12-fold each time, and is at least (9/32) L^4.
    """
    frequencies = [vector(w) for w in data["frequencies"]]
    require(len(frequencies) >= 3 and all(x > 1 for w in frequencies for x in w), "three lengths at least, frequencies above 1")
    widths = [(len(w), 2 * Fraction(len(w) - 1, 2) ** 2 * sum(w) ** 2) for w in frequencies]
    doubled = list(itertools.pairwise(widths))
    return {
        "constants": all(x <= 2 for w in frequencies for x in w),
        "frequencies": all(len(set(w)) == len(w) >= 2 for w in frequencies),
        "linear": all(E / M > 6 * D / L for (L, D), (M, E) in doubled),
        "quartic": all(Fraction(9, 32) * L**4 <= D <= 2 * L**4 for L, D in widths),
        "twice": all(M == 2 * L and E > 12 * D for (L, D), (M, E) in doubled),
    }


def model(data: Data) -> tuple[list[Fraction], dict[str, Any], list[dict[str, Any]]]:
    """(nodes, head, heads) of a certificate of kind shared-head: |nodes| <= 1, all different, at least as many as steps."""
    nodes, heads = vector(data["nodes"]), data["heads"]
    require(
        len(set(nodes)) == len(nodes) >= len(heads) >= 2 and all(abs(x) <= 1 for x in nodes),
        "different nodes in [-1, 1], one for each step",
    )
    require(number(data["largest"]) == 1, "tokens in [-1, 1]")
    require(all(len(row) == k for k, g in enumerate(heads, 1) for row in g["inner"]), "head k reads k tokens")
    return nodes, data["head"], heads


@statement(
    "orvieto24.thm2.amended",
    "shared-head",
    Fields(
        nodes=Vector((2, 6), 4),
        largest=Natural(1, 1),
        head=Fields(inner=Matrix((3, 14), (3, 7), 48), bias=Vector((3, 14), 48), outer=Vector((3, 14), 8), offset=Rational(4)),
        heads=Items(Fields(inner=Matrix((0, 3), (1, 5), 4), bias=Vector((0, 3), 4), outer=Vector((0, 3), 4), offset=Rational(4)), 2, 5),
    ),
)
def one_shift_per_step(data: Data) -> None:
    """sum (D_k + 1) - 1 neurons."""
    _, head, heads = model(data)
    require(sum(len(g["bias"]) for g in heads) >= 1, "heads with neurons")
    require(len(head["bias"]) == sum(len(g["bias"]) + 1 for g in heads) - 1, "another number of neurons")


@statement("orvieto24.thm2.amended")
def several_lengths(certificates: Certificates) -> None:
    """Five certificates at least, one of three steps and five neurons."""
    sizes = [(len(d["heads"]), len(d["head"]["bias"])) for _, d in certificates]
    require(len(sizes) >= 5 and any(L >= 3 and D >= 5 for L, D in sizes), "too few or too small")


def invariant(data: Data) -> tuple[list[list[Fraction]], list[Fraction], list[Fraction], Fraction]:
    """(rows, thresholds, weights, offset) of the last head; every head is it on padded tokens, and the shared head has its neurons and does not read the clock."""
    _, head, heads = model(data)
    last, L = heads[-1], len(heads)
    rows = matrix(last["inner"])
    for k, g in enumerate(heads, 1):
        require(matrix(g["inner"]) == [row[L - k :] for row in rows], f"head {k} is not the last one on padded tokens")
        require([vector(g[x]) for x in ("bias", "outer")] == [vector(last[x]) for x in ("bias", "outer")], f"head {k} has other weights")
        require(number(g["offset"]) == number(last["offset"]), f"head {k} has another offset")
    require(len(head["bias"]) == len(rows) and all(number(row[0]) == 0 for row in head["inner"]), "the neurons of one step, and no clock")
    require(any(vector(last["outer"])), "a head that is not constant")
    return rows, [-b for b in vector(last["bias"])], vector(last["outer"]), number(last["offset"])


@statement(
    "new.universality.invariant",
    "shared-head",
    Fields(
        nodes=Vector((2, 5), 8),
        largest=Natural(1, 1),
        head=Fields(inner=Matrix((2, 4), (3, 6), 16), bias=Vector((2, 4), 4), outer=Vector((2, 4), 4), offset=Rational(4)),
        heads=Items(Fields(inner=Matrix((2, 4), (1, 5), 4), bias=Vector((2, 4), 4), outer=Vector((2, 4), 4), offset=Rational(4)), 2, 5),
    ),
)
def one_head_for_all_steps(data: Data) -> None:
    """The head of one step serves all of them, on padded tokens, without more neurons; it reads the first token."""
    rows, *_ = invariant(data)
    require(any(row[0] for row in rows), "the last head does not read the first token")


def range_of_error(
    thresholds: Sequence[Fraction],
    weights: Sequence[Fraction],
    value: Callable[..., Any],
    reach: Fraction,
    turns: tuple[Fraction, ...] = (),
) -> tuple[Fraction, Fraction]:
    """(least, largest) of value(u) minus the steps, |u| <= reach; ``value`` is monotone between the places ``turns``."""
    edges = sorted({-reach, reach, *(x for x in (*turns, *thresholds) if -reach < x < reach)})
    found = []
    for a, b in itertools.pairwise(edges):
        steps = sum((c for t, c in zip(thresholds, weights, strict=True) if t <= a), Fraction(0))
        found += [value(a) - steps, value(b) - steps]
    return min(found), max(found)


# -- what the state knows ------------------------------------------------------------------------------------------------------------


@statement(
    "orvieto24.eq7",
    "witness",
    Fields(nodes=Vector(2, 4), basis=Matrix(2, 2, 4), k=Natural(1, 1)),
    hypotheses={"nodes": "the nodes differ", "rank": "Gamma_k has the largest rank that it can have, k"},
    violates={"singular": "Gamma_k^T Gamma_k is singular"},
)
def singular_at_first(data: Data) -> Decided:
    """Omega_k of (7) is defined for every k; refuted by different nodes, an independent basis of P vectors and a step k < P, where Gamma_k^T Gamma_k is singular."""
    nodes, basis, k = vector(data["nodes"]), matrix(data["basis"]), natural(data["k"])
    P = len(basis[0])
    require(len(nodes) >= P and rank(basis) == P and 1 <= k < P, "N >= P = rank Psi, k < P")
    gamma = times(vandermonde(nodes, k), basis[:k])
    return {
        "nodes": len(set(nodes)) == len(nodes),
        "rank": rank(gamma) == k,
        "singular": determinant(times(transpose(gamma), gamma)) == 0,
    }


def pseudoinverse(m: Sequence[Sequence[Fraction]]) -> list[list[Fraction]]:
    """M^+ by a rank factorisation M = F G; M is not 0."""
    columns = []
    for j in range(len(m[0])):
        if rank([[row[i] for i in (*columns, j)] for row in m]) > len(columns):
            columns.append(j)
    F = [[row[i] for i in columns] for row in m]
    left = times(inverse(times(transpose(F), F)), transpose(F))
    G = times(left, m)
    return times(times(transpose(G), inverse(times(G, transpose(G)))), left)


def keeps_the_rank(nodes: Sequence[Fraction], basis: Sequence[Sequence[Fraction]]) -> None:
    """At every step rank V_k Psi_k = rank Psi_k, and Psi_k (V_k Psi_k)^+ V_k Psi_k = Psi_k."""
    require(
        len(set(nodes)) == len(nodes) >= len(basis[0]) and any(any(row) for row in basis), "N >= P different nodes, a basis that is not 0"
    )
    for k in range(1, len(basis) + 1):
        seen = basis[:k]
        gamma = times(vandermonde(nodes, k), seen)
        require(rank(gamma) == rank(seen), f"the rank falls at step {k}")
        if any(any(row) for row in seen):
            require(times(times(seen, pseudoinverse(gamma)), gamma) == seen, f"the tokens are not recovered at step {k}")


@statement("orvieto24.eq7.amended", "witness", Fields(nodes=Vector((1, 3), 4), basis=Matrix((2, 6), (1, 3), 4)))
def recall_of_prefixes(data: Data) -> None:
    """The pseudoinverse recovers the tokens at every step, early ones included."""
    basis = matrix(data["basis"])
    require(len(basis) >= 2, "two steps at least")
    keeps_the_rank(vector(data["nodes"]), basis)


@statement("new.universality.prefix", "witness", Fields(nodes=Vector(4, 4), omega=Matrix(4, 4, 12), tokens=Items(Natural(-1, 2), 3, 3)))
def one_reconstruction(data: Data) -> None:
    """Omega V_L = I, and Omega x_k = (0, ..., 0, v_1, ..., v_k) for every k, x_k from the recurrence."""
    nodes, omega, tokens = vector(data["nodes"]), matrix(data["omega"]), vector(data["tokens"])
    L = len(omega)
    require(2 <= len(tokens) <= L and all(tokens) and times(omega, vandermonde(nodes, L)) == one(L), "Omega V_L = I, tokens that are not 0")
    state = [Fraction(0)] * len(nodes)
    for k, v in enumerate(tokens, 1):
        state = [x * s + v for x, s in zip(nodes, state, strict=True)]
        require(apply(omega, state) == [Fraction(0)] * (L - k) + tokens[:k], f"step {k} is not recovered")


@statement("orvieto24.rmk2", "witness", Fields(nodes=Vector((1, 5), 8), tokens=Vector((2, 6), 12)))
def a_lost_input(data: Data) -> None:
    """Fewer than L different real units: an input other than 0 that ends in the state 0, like the input 0."""
    nodes, tokens = vector(data["nodes"]), vector(data["tokens"])
    require(
        1 <= len(nodes) < len(tokens) and len(set(nodes)) == len(nodes) and any(tokens),
        "fewer units than tokens, and an input that is not 0",
    )
    require(not any(apply(vandermonde(nodes, len(tokens)), tokens)), "the state is not 0")
