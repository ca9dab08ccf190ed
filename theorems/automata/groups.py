"""Group automata in one layer (grazzi25, Theorem 3, App. C.3): which representation, and how many reflections."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product
from math import factorial

import numpy as np

from ...constructions import householder
from ...constructions.automata import Automaton
from ...constructions.automata.layers.groups import icosahedral_rotations, matrix_group, permutation_matrices, representation_layer
from ...constructions.automata.read.sources import from_permutations, named_group
from ...constructions.recurrence import Recurrence, Stack
from ...numerics import exact
from ..claim import claim
from ..closure import closes_by_layers
from ..evidence import Proof

Images = tuple[int, ...]


def displaced(permutation: Sequence[int]) -> int:
    return sum(i != j for i, j in enumerate(permutation))


# -- the two counts of App. C.3 --------------------------------------------------------------------------------------------


def _transitive_pairs(n: int) -> Iterator[tuple[Images, ...]]:
    """One or two permutations of n points that carry point 0 everywhere, small groups first."""
    candidates = [g for letters in (1, 2) for g in product(permutations(range(n)), repeat=letters)]
    transitive = [g for g in candidates if Automaton(dict(enumerate(g))).reachable().n == n]
    yield from sorted(transitive, key=lambda g: len(generated(g)))


def generated(generators: Sequence[Images]) -> set[Images]:
    """All products of a few permutations, by breadth-first search."""
    found = {tuple(range(len(generators[0])))}
    waiting = list(found)
    for g in waiting:
        for x in generators:
            after = tuple(x[i] for i in g)
            if after not in found:
                found.add(after)
                waiting.append(after)
    return found


def side_by_side(left: Sequence[Images], right: Sequence[Images]) -> list[Images]:
    """The letters acting on both sets of points at once."""
    return [(*g, *(len(g) + i for i in h)) for g, h in zip(left, right, strict=True)]


def _copies(generators: tuple[Images, ...], n: int) -> Iterator[tuple[Images, ...]]:
    """The images of the generators under isomorphisms onto subgroups of S_n."""
    order = len(generated(generators))
    if factorial(n) % order == 0:
        # g -> h extends to an isomorphism iff both groups and the one of the pairs have the same order
        candidates = product(permutations(range(n)), repeat=len(generators))
        yield from (h for h in candidates if len(generated(h)) == order == len(generated(side_by_side(generators, h))))


def least_degree(generators: tuple[Images, ...]) -> int:
    """The least n for which the group embeds in S_n; its own number of points at most."""
    points = len(generators[0])
    return next((n for n in range(1, points) if any(True for _ in _copies(generators, n))), points)


def _smallest_copies(generators: tuple[Images, ...]) -> list[tuple[Images, ...]]:
    """All images of the generators under isomorphisms onto subgroups of S_n, n the least possible."""
    return list(_copies(generators, least_degree(generators)))


# -- Theorem 3 ---------------------------------------------------------------------------------------------------------------


def up_to_names(n: int) -> list[tuple[Images, ...]]:
    """One of each class of ``_transitive_pairs`` under renaming the points and exchanging the letters."""

    def renamed(generators: tuple[Images, ...]) -> tuple[Images, ...]:
        return min(tuple(sorted(tuple(p[g[p.index(i)]] for i in range(n)) for g in generators)) for p in permutations(range(n)))

    return sorted({renamed(g) for g in _transitive_pairs(n)})


def _automata_with_copies(proof: Proof) -> Iterator[tuple[Automaton, tuple[Images, ...]]]:
    """(automaton on Q, the same letters on n points): groups on their own points, on themselves, and on pairs of points."""
    for n in range(1, 5):
        for generators in up_to_names(n):
            yield Automaton(dict(enumerate(generators))), generators
    for name in proof.pick(("S3", "A4"), ("S3", "A4", "S4", "D6"), ("S3", "A4", "S4", "D6", "S5")):
        generators = named_group(name)
        proof.exactly("a group acts on itself: as many states as elements", from_permutations(generators).n, ORDERS[name])
        yield from_permutations(generators), tuple(generators.values())
    for points in (4, 5):
        letters = (tuple((i + 1) % points for i in range(points)), (1, 0, *range(2, points)))
        yield _on_pairs(letters), letters


def _on_pairs(letters: Sequence[Images]) -> Automaton:
    """The letters, permutations of a few points, as they move pairs of points."""
    pairs: list[tuple[int, ...]] = list(combinations(range(len(letters[0])), 2))
    return Automaton({x: tuple(pairs.index(tuple(sorted((g[i], g[j])))) for i, j in pairs) for x, g in enumerate(letters)})


def _copy_layer(automaton: Automaton, copy: Sequence[Images], start: np.ndarray) -> Stack:
    """The layer of App. C.3 on n points, decoded to the state of Q that the same word reaches; None where that is not a function."""
    matrices = {x: householder.permutation_matrix(g) for x, g in zip(automaton.letters, copy, strict=True)}
    state: dict[tuple, int | None] = {exact.freeze(start): automaton.start}
    waiting = [(start, automaton.start)]
    for H, q in waiting:
        for x, P in matrices.items():
            after = (P @ H, automaton.step(q, x))
            key = exact.freeze(after[0])
            if key not in state:
                waiting.append(after)
            if state.setdefault(key, after[1]) != after[1]:
                state[key] = None
    table = {x: (P, start * 0) for x, P in matrices.items()}
    return Stack((Recurrence.from_table(table, start, lambda H, x: state[exact.freeze(H)]),))


@claim(
    "grazzi25.thm3",
    place="Theorem 3, App. C.3",
    title="every group automaton is one layer of permutation matrices, k − 1 swaps per letter, k the points that a letter moves",
    says=r"Let $\mathcal T(\mathcal A)$ be a group, isomorphic to a group of permutations of $n$ points ($n$ least, or any other), and $k$ the largest number of points that the permutation of a letter displaces. Then "
    r"$H_0=(1,\dots,n)^\top$, $B=0$ and the permutation matrices $A(w)\in\mathcal M^n_{k-1}(\{-1,1\})$ implement $\mathcal A$.",
    reading="k counts points of the representation, as App. C.3 uses it. The statement counts states of Q, which App. C.3 takes for the same number (grazzi25.thm3.count); as printed it is grazzi25.thm3.printed. In App. C.3's isomorphism h lies in G; H is printed",
    hypotheses=(
        "states that no word reaches are dropped, as App. C.3 says",
        r"$\mathcal M_0=\mathcal M_{-1}=\{I\}$, for letters that move nothing",
    ),
    remarks=(
        "Sec. 3.2's definition of 'implements' asks for g onto all of Q and does not say g(H_0) = q_0; with states that no word reaches it could not be met. App. C.3 drops them, and so do we.",
    ),
    construction="lemmata.constructions.automata.layers.groups.permutation_matrices",
    sabotages={
        "k - 2 swaps, which the kernel refutes": {"theorem": "groups.permutations_in_one_layer_with_fewer"},
        "a start with two equal entries": {"start_of": lambda n: exact.rationals([[min(i, 1)] for i in range(n)])},
        "k - 2 swaps": {"allowed": lambda k: k - 2},
        "no letter moves a point": {"letters_of": lambda copy: [tuple(range(len(g))) for g in copy]},
    },
)
def permutations_in_one_layer(
    proof: Proof,
    start_of=lambda n: exact.rationals([[i + 1] for i in range(n)]),
    allowed=lambda k: max(k - 1, 0),
    letters_of=lambda copy: copy,
    theorem: str = "groups.permutations_in_one_layer",
) -> None:
    r"""The state is the tuple that the product of the letters makes of $(1,\dots,n)$, and the product decides the state of $\mathcal A$.

    1. The entries of $H_0$ differ, so different permutations $g$ give different states $P_gH_0$, and the letters act on these as on the group. [prose]
    2. Since $\rho:\mathcal T(\mathcal A)\to S_n$ is injective, the state determines the transition $\delta(\cdot,w_1\dots w_t)$, and this the state $\delta(q_0,w_1\dots w_t)$: a map $g$ with $g(H_0)=q_0$, onto all states that
       words reach. It is closed under the letters: all words. [checked: "the layer's states determine the automaton's"]
    3. A permutation that displaces $j\le k$ points is $j$ minus the number of its nontrivial cycles swaps, $k-1$ at most. [checked: "k - 1 reflections at most"; "they multiply to the permutation matrix"] [uses: grazzi25.sec4.3.tokens]
    4. The cyclic case in two dimensions, and the scalar for $m=2$: [uses: grazzi25.thm3.cyclic]
    5. The instances are groups on few points, on themselves and on pairs of points; nothing in the steps depends on them. [prose]
    """
    proof.formally(
        "the kernel: permutation matrices, read off, and their reflections",
        theorem,
        whole="every automaton, n, finite alphabet and faithful permutations",
        differs="an ordered field for the reals; the words' permutations agree iff their transitions do, for an isomorphism; M_k({-1, 1}) as products of at most k reflections",
    )
    describe = "all groups on at most 4 points by one or two letters, groups acting on themselves, S_4 and S_5 on pairs of points"
    for automaton, copy in proof.each(describe, _automata_with_copies(proof)):
        copy = letters_of(copy)
        stack = _copy_layer(automaton, copy, start_of(len(copy[0])))
        closes_by_layers(proof, "the layer's states determine the automaton's, on all words", stack, automaton)
        k = max(map(displaced, copy))
        for g in copy:
            factors = householder.swaps(g)
            proof.holds("k - 1 reflections at most", len(factors) <= allowed(k))
            proof.exactly(
                "they multiply to the permutation matrix", householder.product(factors, len(g)), householder.permutation_matrix(g)
            )
    for points in (4, 5):
        letters = [tuple((i + 1) % points for i in range(points)), (1, 0, *range(2, points))]
        stack = _copy_layer(_on_pairs(letters), letters, start_of(points))
        closes_by_layers(proof, f"S_{points} acting on pairs of {points} points", stack, _on_pairs(letters), certify=True)


@claim(
    "grazzi25.thm3.count",
    place="App. C.3, the last display before the cyclic case",
    flaw="gap",
    weight="hypothesis",
    root="grazzi25.thm3.proof",
    quotes=("be the maximum number of displaced element of the permutation associated with the alphabet Σ",),
    title="App. C.3 takes the states of Q that a letter displaces for the points that its n × n permutation matrix displaces",
    says=r"$k=\max_w\sum_{q\in Q}\mathbf 1\{\delta(q,w)\ne q\}=\max_w\sum_{i\le n}\mathbf 1\{(A(w)H_0)_i\ne H_{0,i}\}$, $A(w)$ the permutation matrices of an isomorphic subgroup of $S_n$, $n$ least.",
    letter="In App. C.3 the two sides of the display of k can differ, since the n points need not be the states of Q. The Klein group acting on itself moves four states; as permutations of four points its generators (0 1) and (2 3) move two each. For the word problem of S_5 they are 120 and at most 5. Theorem 3 holds with k counted on the n points.",
    sabotages={"the representation is the action on Q itself": {"copies": lambda generators: [generators]}},
)
def displaced_states_and_points(proof: Proof, copies=_smallest_copies) -> None:
    """The representation of least degree need not be the action on Q: the Klein group moves all four of its elements, but as
    <(0 1), (2 3)> its generators move two points each."""

    def breaks(generators):
        k = max(map(displaced, generators))
        return [images for images in copies(generators) if max(map(displaced, images)) != k]

    family = (g for n in range(1, 5) for g in _transitive_pairs(n))
    found = proof.smallest("group automata with |Q| <= 4 and one or two letters, by |Q| and order", family, breaks)
    if found:
        generators, (images, *_) = found
        k, moved = max(map(displaced, generators)), max(map(displaced, images))
        proof.counterexample(
            given={"letters on Q": [list(g) for g in generators], "on n points": [list(g) for g in images], "k": k, "points moved": moved},
            words={
                "isomorphic": len(generated(generators)) == len(generated(images)) == len(generated(side_by_side(generators, images))),
                "counts": k != moved,
            },
            minimal=f"|Q| = {len(generators[0])}, group of order {len(generated(generators))}",
        )
        proof.certificate(
            "witness", "letters on Q and on n points", on_Q=[list(g) for g in generators], on_points=[list(g) for g in images]
        )


# -- the repaired theorem --------------------------------------------------------------------------------------------------


#: orders of groups that the checks go through
ORDERS = {"Z1": 1, "Z2": 2, "Z6": 6, "Z12": 12, "S3": 6, "S4": 24, "S5": 120, "A4": 12, "A5": 60, "D4": 8, "D5": 10, "D6": 12, "D7": 14}


def _representations(proof: Proof):
    """(name, automaton, matrices, start) of permutation groups and of the icosahedral rotations."""
    names = proof.pick(
        ("Z2", "S3", "D4"), ("Z1", "Z2", "Z6", "S3", "S4", "D4", "D5", "A4", "S5"), ("Z1", "Z6", "S3", "S4", "S5", "A5", "D7", "Z12")
    )
    for name in names:
        generators = named_group(name)
        yield name, from_permutations(generators), *permutation_matrices(generators)
    rotation = icosahedral_rotations()
    start = next(iter(rotation.values())) @ exact.rationals([[1], [2], [4]])
    yield "A5 as rotations of the icosahedron", matrix_group(rotation), rotation, start


@claim(
    "grazzi25.thm3.amended",
    place="Theorem 3, App. C.3",
    amends="grazzi25.thm3.proof",
    title="a group automaton is one layer by any faithful orthogonal representation: rank(I − ρ(w)) reflections per letter",
    says=r"Let $\rho:G\to O(m)$ and $H_0$ with trivial stabiliser. Then $A(w)=\rho(w)$, $B=0$ computes the product of the letters, with $\operatorname{rank}(I-\rho(w))$ reflections for $w$; "
    r"permutation matrices take $n$ minus the number of cycles, whatever $Q$ is.",
    hypotheses=("G is the transition group on the states that words reach; the state is read off the element",),
    construction="lemmata.constructions.automata.compiler.compile_representation",
    sabotages={
        "one reflection less, which the kernel refutes": {"theorem": "groups.faithful_representations_with_fewer"},
        "a start that swaps fix": {"start_of": lambda H: H * 0 + 1},
        "one reflection less": {"allowance": -1},
    },
)
def group_in_one_layer(proof: Proof, start_of=lambda H: H, allowance: int = 0, theorem: str = "groups.faithful_representations") -> None:
    r"""The state is $\rho(\text{product})H_0$, and only the identity fixes $H_0$.

    1. After $w_1\dots w_t$ the state is $\rho(w_t\cdots w_1)H_0$, and different elements have different images of $H_0$: the decoder is $\rho(g)H_0\mapsto g$. [checked: "only the identity fixes the start"]
    2. The states are closed under the letters: the output is the product at every length. [checked: "the output is the product of the letters"]
    3. An orthogonal matrix is a product of $\operatorname{rank}(I-A)$ reflections and of no fewer, since each changes the rank by one at most. [checked: "rank(I - A) reflections multiply to A"; "their product"] [uses: grazzi25.prop1.2.orthogonal]
    4. For permutation matrices that rank is $n$ minus the number of cycles. [checked: "rank(I - P) = n - cycles"]
    5. All four steps hold for every group and representation; the machine goes through those of the scope. [prose]
    """
    proof.formally(
        "the kernel: the product is read off the state, and the reflections are counted",
        theorem,
        whole="every finite group, representation and start with trivial stabiliser; every permutation",
        differs="an ordered field for the reals; the state is read off the element by any map, so that it is not said again",
    )
    for name, automaton, matrices, start in proof.each(
        "permutation groups Z, S, A, D and the icosahedral rotations", _representations(proof)
    ):
        start = start_of(start)
        points = {exact.freeze(H) for H in _orbit(matrices, start)}
        if name in ORDERS:
            proof.exactly("the group has its order", automaton.n, ORDERS[name])
            proof.exactly("its identity is where words start, and what is accepted", automaton.accepting, {automaton.start})
        proof.exactly("only the identity fixes the start: as many points as elements", len(points), automaton.n)
        if len(points) == automaton.n:
            layer = representation_layer(automaton, matrices, start)
            closes_by_layers(
                proof,
                "the output is the product of the letters, on all words",
                Stack((layer,)),
                automaton,
                certify=name in ("S3", "D4", "D5", "A4", "S4"),
            )
        for A in matrices.values():
            rank = _rank(A)
            proof.holds("rank(I - A) reflections multiply to A", len(householder.reflections(A)) <= rank + allowance)
            proof.exactly("their product", householder.product(householder.reflections(A), len(A)), A)
    for n in proof.every("all permutations of n <= 5 points", range(1, 6)):
        for g in permutations(range(n)):
            cycles = len(householder.cycles(g))
            proof.exactly("rank(I - P) = n - cycles", exact.rank(householder.permutation_matrix(g) - exact.identity(n)), n - cycles)


def _orbit(matrices, start) -> list:
    found, seen = [start], {exact.freeze(start)}
    for H in found:
        for A in matrices.values():
            if exact.freeze(A @ H) not in seen:
                seen.add(exact.freeze(A @ H))
                found.append(A @ H)
    return found


def _rank(A) -> int:
    """rank(I - A) of an exact orthogonal matrix, by elimination in the field of its entries."""
    rows, rank = [list(row) for row in exact.identity(len(A)) - A], 0
    for column in range(len(A)):
        pivot = next((i for i in range(rank, len(rows)) if rows[i][column] != 0), None)
        if pivot is None:
            continue
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        for i in range(rank + 1, len(rows)):
            factor = rows[i][column] / rows[rank][column]
            rows[i] = [x - factor * y for x, y in zip(rows[i], rows[rank], strict=True)]
        rank += 1
    return rank
