"""Theorem 3 of grazzi25 as printed, and the group on which its proof fails: octahedra whose inversion is shared (App. C.3)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sympy.combinatorics import Permutation, PermutationGroup

from ...constructions import householder
from ...constructions.automata import Automaton
from ...numerics import exact
from ..claim import claim
from ..evidence import Proof
from .groups import Images, displaced, least_degree, side_by_side, up_to_names


def order_of(generators: Sequence[Sequence[int]]) -> int:
    return int(PermutationGroup([Permutation(list(g)) for g in generators]).order())


def octahedral_wreath(b: int) -> list[tuple[Images, Images]]:
    """Letters of Z_2 x (S_4 wr S_b) as pairs: on the 6b vertices of b octahedra, and on 4b diagonals and two points for the sign.

    First the letter z r with the central inversion z and half turns r of all octahedra, then quarter turns of the first octahedron
    and swaps of neighbouring ones.
    """
    axes = [np.array(v) for v in ((1, 0, 0), (0, 1, 0), (0, 0, 1))]
    vertices = [tuple(s * a) for a in axes for s in (1, -1)]
    diagonals = [(1, 1, 1), (1, 1, -1), (1, -1, 1), (-1, 1, 1)]

    def on_vertices(R) -> Images:
        return tuple(vertices.index(tuple(R @ np.array(v))) for v in vertices)

    def on_diagonals(R) -> Images:
        images = [tuple(R @ np.array(v)) for v in diagonals]
        return tuple(next(j for j, d in enumerate(diagonals) if v in (d, tuple(-np.array(d)))) for v in images)

    def everywhere(g: Images, times: int) -> Images:
        return tuple(len(g) * t + i for t in range(times) for i in g)

    def in_first(g: Images, size: int) -> Images:
        return (*g, *range(len(g), size))

    def swapped(t: int, each: int, size: int) -> Images:
        order = list(range(size))
        order[t * each : (t + 2) * each] = [*range((t + 1) * each, (t + 2) * each), *range(t * each, (t + 1) * each)]
        return tuple(order)

    half_turn = np.diag([1, -1, -1])
    quarter_turns = [np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]]), np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]])]
    sign = (4 * b + 1, 4 * b)
    letters = [(everywhere(on_vertices(-half_turn), b), (*everywhere(on_diagonals(half_turn), b), *sign))]
    letters += [(in_first(on_vertices(R), 6 * b), in_first(on_diagonals(R), 4 * b + 2)) for R in quarter_turns]
    letters += [(swapped(t, 6, 6 * b), swapped(t, 4, 4 * b + 2)) for t in range(b - 1)]
    return letters


@claim(
    "grazzi25.thm3.printed",
    place="Theorem 3",
    title="Theorem 3 as printed: n least with T(A) inside Sₙ, and k − 1 reflections per letter, k counted on the states of Q",
    says=r"With $n$ least such that $\mathcal T(\mathcal A)$ embeds in $S_n$ and $k=\max_w|\{q\in Q:\delta(q,w)\ne q\}|$, one layer with $A(w)\in\mathcal M^n_{k-1}(\{-1,1\})$ implements $\mathcal A$.",
    reading="literally, with any layer of width n and not only the permutation matrices of the proof (for which it is refuted: grazzi25.thm3.proof)",
    uses=("grazzi25.thm3",),
    sabotages={"a reflection less for each letter": {"spared": 1}},
)
def printed_count(proof: Proof, spared: int = 0) -> None:
    r"""Known: it holds where $k>n$ or $|Q|\le n$, and for the automaton on which the proof fails. Not known: all the rest, $k\le n<|Q|$.

    1. If $|Q|\le n$ the action on $Q$ itself, padded by fixed points, takes $k-1$ swaps per letter; if $k>n$ any $n\times n$ orthogonal matrix is a product of $n\le k-1$ reflections. All automata with at most
       four states are of one of these kinds. [checked: "|Q| <= n or k > n"]
    2. For $\mathbb Z_2\times(S_4\wr S_6)$ on the $36$ vertices of six octahedra, where $n=26$ and permutation matrices fail, signed permutations of $\mathbb R^{18}$ serve: $H_0=e_1$, whose images are the vertices,
       and $\operatorname{rank}(I-A(w))\le k-1$. [checked: "18 <= n = 26"; "k - 1 reflections do in R^18"]
    """
    proof.exactly("the Klein group needs four points", least_degree(((1, 0, 3, 2), (2, 3, 0, 1))), 4)
    small = [g for n in range(1, 5) for g in up_to_names(n)]
    for generators in proof.every("all group automata with |Q| <= 4 and one or two letters, up to names", small):
        least = least_degree(generators)
        k = max(map(displaced, generators))
        proof.holds("|Q| <= n or k > n", len(generators[0]) <= least or k > least)
    letters = [g for g, _ in octahedral_wreath(6)]
    k = max(map(displaced, letters))
    proof.holds("18 <= n = 26", len(letters[0]) // 2 <= 4 * 6 + 2)
    for g in letters:
        A = np.array([[(g[2 * j] == 2 * i) - (g[2 * j] == 2 * i + 1) for j in range(18)] for i in range(18)], dtype=object)
        reflections = exact.rank(A * exact.rationals([[1]])[0, 0] - exact.identity(18))
        proof.holds("k - 1 reflections do in R^18", reflections <= k - 1 - 6 * spared)
    proof.lacks("a proof for k <= n < |Q|, or an automaton for which no layer of width n and k - 1 reflections per letter serves")


@claim(
    "grazzi25.thm3.proof",
    place="Theorem 3, App. C.3",
    flaw="gap",
    weight="hypothesis",
    quotes=("each permutation can be written as a product of at most $k - 1$ permutations of two elements",),
    title="k − 1 reflections, k counted on Q, can be too few for the n × n permutation matrices that App. C.3 uses",
    says=r"With $n$ least such that $\mathcal T(\mathcal A)$ embeds in $S_n$ and $k=\max_w|\{q\in Q:\delta(q,w)\ne q\}|$, the $n\times n$ permutation matrices lie in $\mathcal M^n_{k-1}(\{-1,1\})$.",
    reading="the matrices of the proof; other representations may do with fewer reflections (here: reflections of the octahedra in R^18)",
    letter="In App. C.3 k counts states of Q, but the permutation matrices act on n other points. For Z_2 x (S_4 wr S_6) on the 36 vertices of six octahedra k = 12 and n = 26. One letter is 13 disjoint swaps there and needs 13 reflections; k - 1 is 11. With k counted on the n points the step holds.",
    sabotages={"five octahedra": {"b": 5}},
)
def too_few_reflections(proof: Proof, b: int = 6) -> None:
    r"""The letter $zr$ displaces 2 of the 6 vertices of each octahedron, an inversion after a half turn being a reflection, but all 4 diagonals and
    the 2 points of the sign: $2b+1$ swaps. No letter moves more than 12 vertices.

    $n=4b+2$ is least: the group holds $\mathbb Z_2^{2b+1}$, and an orbit of $2^a$ points gives a faithful action to no more than $a\le2^a/2$ of
    the $2b+1$ dimensions, so $\mathbb Z_2^r$ needs $2r$ points.
    """
    letters = octahedral_wreath(b)
    on_q, on_points = [g for g, _ in letters], [h for _, h in letters]
    joined = side_by_side(on_q, on_points)
    k = max(map(displaced, on_q))
    P = householder.permutation_matrix(on_points[0])
    needed = exact.rank(P - exact.identity(len(P)))
    involutions = _elementary_abelian(b)
    proof.counterexample(
        given={
            "group": f"Z_2 x (S_4 wr S_{b}), order {order_of(on_q)}",
            "|Q|": 6 * b,
            "n": 4 * b + 2,
            "letters on Q": "; ".join(map(_in_cycles, on_q)),
            "letters on n points": "; ".join(map(_in_cycles, on_points)),
            "states of Q that the letters displace": [displaced(g) for g in on_q],
            "k - 1": k - 1,
            "reflections that the first letter needs": needed,
        },
        words={
            "moves": min(map(displaced, on_q)) > 0,
            "reached": Automaton(dict(enumerate(on_q))).reachable().n == 6 * b,
            "actions": order_of(on_q) == order_of(on_points) == order_of(joined),
            "subgroup": order_of([*on_points, *involutions]) == order_of(on_points) and order_of(involutions) == 2 ** (2 * b + 1),
            "rank": needed > k - 1,
        },
        minimal=f"{b} octahedra; the smallest of this family",
    )
    proof.certificate(
        "witness",
        "letters on the vertices +e_1, -e_1, +e_2, ... of octahedra, and words for 2b + 1 involutions",
        octahedra=b,
        letters=on_q,
        words=_words(b),
    )


def _in_cycles(g: Images) -> str:
    """Cycle notation without fixed points: "(0 1)(6 7)"."""
    return "".join(f"({' '.join(map(str, c))})" for c in householder.cycles(g) if len(c) > 1)


def _elementary_abelian(b: int) -> list[Images]:
    """2b + 1 commuting involutions on 4b + 2 points: two double transpositions for each block of four, and the sign."""
    out = []
    for t in range(b):
        for g in ((1, 0, 3, 2), (2, 3, 0, 1)):
            out.append((*range(4 * t), *(4 * t + i for i in g), *range(4 * t + 4, 4 * b + 2)))
    return [*out, (*range(4 * b), 4 * b + 1, 4 * b)]


def _words(b: int) -> list[list[int]]:
    """Words in the letters of ``octahedral_wreath`` that spell two half turns of each octahedron, and the central inversion; the first letter acts first."""
    quarter, other, swaps = 1, 2, list(range(3, b + 2))
    here = [[quarter, quarter], [other, other]]
    words = []
    for t in range(b):
        # conjugation carries the first octahedron to the t-th
        there = swaps[:t]
        words += [[*reversed(there), *w, *there] for w in here]
    # the first letter is the inversion after the same half turn everywhere, which is the quarter turn twice
    return [*words, [0, *(x for t in range(b) for x in words[2 * t])]]
