"""Group automata in one layer (grazzi25, Theorem 3, App. C.3): which representation, and how many reflections."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations, product

import numpy as np
from sympy.combinatorics import Permutation, PermutationGroup

from ...constructions import householder
from ...constructions.automata import Automaton
from ...constructions.automata.groups import (
    even_permutations_as_rotations,
    icosahedral_rotations,
    matrix_group,
    permutation_matrices,
    representation_layer,
    rotations,
    sign_and_rotation,
)
from ...constructions.automata.sources import from_permutations, named_group
from ...constructions.recurrence import Recurrence, Stack
from ...numerics import exact
from ..claim import claim
from ..closure import closes_by_layers, computes
from ..evidence import Proof

Images = tuple[int, ...]


def _displaced(permutation: Sequence[int]) -> int:
    return sum(i != j for i, j in enumerate(permutation))


def _order(generators: Sequence[Sequence[int]]) -> int:
    return int(PermutationGroup([Permutation(list(g)) for g in generators]).order())


# -- the two counts of App. C.3 --------------------------------------------------------------------------------------------


def _transitive_pairs(n: int) -> Iterator[tuple[Images, ...]]:
    """One or two permutations of n points that carry point 0 everywhere, small groups first."""
    candidates = [g for letters in (1, 2) for g in product(permutations(range(n)), repeat=letters)]
    transitive = [g for g in candidates if Automaton(dict(enumerate(g))).reachable().n == n]
    yield from sorted(transitive, key=lambda g: len(_generated(g)))


def _generated(generators: Sequence[Images]) -> set[Images]:
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


def _side_by_side(left: Sequence[Images], right: Sequence[Images]) -> list[Images]:
    """The letters acting on both sets of points at once."""
    return [(*g, *(len(g) + i for i in h)) for g, h in zip(left, right, strict=True)]


def _smallest_copies(generators: tuple[Images, ...]) -> list[tuple[Images, ...]]:
    """The images of the generators under isomorphisms onto subgroups of S_n, n the least possible."""
    order = len(_generated(generators))
    for n in range(1, len(generators[0]) + 1):
        # g -> h extends to an isomorphism iff both groups and the one of the pairs have the same order
        candidates = product(permutations(range(n)), repeat=len(generators))
        copies = [h for h in candidates if len(_generated(h)) == order == len(_generated(_side_by_side(generators, h)))]
        if copies:
            return copies
    raise AssertionError("the generators themselves are a copy")


@claim(
    "grazzi25.thm3.count",
    topic="automata",
    place="App. C.3, the last display before the cyclic case",
    title="a letter displaces as many states of Q as points of the n-point representation",
    says=r"$k=\max_w\sum_{q\in Q}\mathbf 1\{\delta(q,w)\ne q\}=\max_w\sum_{i\le n}\mathbf 1\{(A(w)H_0)_i\ne H_{0,i}\}$, $A(w)$ the permutation matrices of an isomorphic subgroup of $S_n$, $n$ least.",
    sabotages={"the representation is the action on Q itself": {"copies": lambda generators: [generators]}},
)
def displaced_states_and_points(proof: Proof, copies=_smallest_copies) -> None:
    """The representation of least degree need not be the action on Q: the Klein group moves all four of its elements, but as
    <(0 1), (2 3)> its generators move two points each."""

    def breaks(generators):
        k = max(map(_displaced, generators))
        return [images for images in copies(generators) if max(map(_displaced, images)) != k]

    family = (g for n in range(1, 5) for g in _transitive_pairs(n))
    found = proof.smallest("group automata with |Q| <= 4 and one or two letters, by |Q| and order", family, breaks)
    if found:
        generators, (images, *_) = found
        k, moved = max(map(_displaced, generators)), max(map(_displaced, images))
        proof.counterexample(
            given={"letters on Q": [list(g) for g in generators], "on n points": [list(g) for g in images], "k": k, "points moved": moved},
            hypotheses={
                "the letters generate isomorphic groups": len(_generated(generators))
                == len(_generated(images))
                == len(_generated(_side_by_side(generators, images)))
            },
            violates={"the counts differ": k != moved},
            minimal=f"|Q| = {len(generators[0])}, group of order {len(_generated(generators))}",
        )


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
    "grazzi25.thm3.proof",
    topic="automata",
    place="Theorem 3, App. C.3",
    title="the permutation matrices of the smallest representation are products of k - 1 reflections, k counted on Q",
    says=r"With $n$ least such that $\mathcal T(\mathcal A)$ embeds in $S_n$ and $k=\max_w|\{q\in Q:\delta(q,w)\ne q\}|$, the $n\times n$ permutation matrices lie in $\mathcal M^n_{k-1}(\{-1,1\})$.",
    reading="the matrices of the proof; other representations may do with fewer reflections (here: reflections of the octahedra in R^18)",
    sabotages={"five octahedra": {"b": 5}},
)
def too_few_reflections(proof: Proof, b: int = 6) -> None:
    """z r displaces 2 of the 6 vertices of each octahedron, an inversion after a half turn being a reflection, but all 4 diagonals and
    the 2 points of the sign: 2b + 1 swaps. No letter moves more than 12 vertices.

    n = 4b + 2 is least: the group holds Z_2^(2b+1), and an orbit of 2^a points gives a faithful action to no more than a <= 2^a / 2 of
    the 2b + 1 dimensions, so Z_2^r needs 2r points."""
    letters = octahedral_wreath(b)
    on_q, on_points = [g for g, _ in letters], [h for _, h in letters]
    joined = _side_by_side(on_q, on_points)
    k = max(map(_displaced, on_q))
    P = householder.permutation_matrix(on_points[0])
    needed = exact.rank(P - exact.identity(len(P)))
    involutions = _elementary_abelian(b)
    proof.counterexample(
        given={
            "group": f"Z_2 x (S_4 wr S_{b}), order {_order(on_q)}",
            "|Q|": 6 * b,
            "n": 4 * b + 2,
            "points of Q that the letters displace": [_displaced(g) for g in on_q],
            "k - 1": k - 1,
            "reflections that the first letter needs": needed,
        },
        hypotheses={
            "every state is reached": Automaton(dict(enumerate(on_q))).reachable().n == 6 * b,
            "the actions on Q and on n points are isomorphic": _order(on_q) == _order(on_points) == _order(joined),
            "Z_2^(2b+1) is a subgroup, so no smaller n serves": _order([*on_points, *involutions]) == _order(on_points)
            and _order(involutions) == 2 ** (2 * b + 1),
        },
        violates={"rank(I - P) exceeds k - 1, and no product of fewer reflections is P": needed > k - 1},
        minimal=f"{b} octahedra; the smallest of this family",
    )


def _elementary_abelian(b: int) -> list[Images]:
    """2b + 1 commuting involutions on 4b + 2 points: two double transpositions for each block of four, and the sign."""
    out = []
    for t in range(b):
        for g in ((1, 0, 3, 2), (2, 3, 0, 1)):
            out.append((*range(4 * t), *(4 * t + i for i in g), *range(4 * t + 4, 4 * b + 2)))
    return [*out, (*range(4 * b), 4 * b + 1, 4 * b)]


# -- the repaired theorem --------------------------------------------------------------------------------------------------


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
    topic="automata",
    place="Theorem 3, App. C.3",
    kind="amended",
    amends="grazzi25.thm3.proof",
    title="a group automaton is one layer for each faithful orthogonal representation: rank(I - rho(w)) reflections a letter, and no fewer",
    says=r"Let $\rho:G\to O(m)$ and $H_0$ with trivial stabiliser. Then $A(w)=\rho(w)$, $B=0$ computes the product of the letters, with $\operatorname{rank}(I-\rho(w))$ reflections for $w$; "
    r"permutation matrices take $n$ minus the number of cycles, whatever $Q$ is.",
    hypotheses=("G is the transition group on the states that words reach; the state is read off the element",),
    uses=("grazzi25.prop1.2.orthogonal",),
    construction="lemmata.constructions.automata.compiler.compile_representation",
    sabotages={
        "a start that swaps fix": {"start_of": lambda H: H * 0 + 1},
        "one reflection less": {"allowance": -1},
    },
)
def group_in_one_layer(proof: Proof, start_of=lambda H: H, allowance: int = 0) -> None:
    """The state is rho(product) H_0, and different elements have different images of H_0. That no fewer reflections give rho(w) is
    grazzi25.prop1.2.orthogonal: each lowers the rank of I - A by one at most."""
    for name, automaton, matrices, start in proof.each(
        "permutation groups Z, S, A, D and the icosahedral rotations", _representations(proof)
    ):
        start = start_of(start)
        points = {exact.freeze(H) for H in _orbit(matrices, start)}
        proof.exactly("only the identity fixes the start: as many points as elements", len(points), automaton.n)
        if len(points) == automaton.n:
            layer = representation_layer(automaton, matrices, start)
            closes_by_layers(
                proof, "the output is the product of the letters, on all words", Stack((layer,)), automaton, certify=name in ("S3", "D4")
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


@claim(
    "grazzi25.thm3.cyclic",
    topic="automata",
    place="Theorem 3, the cyclic case; App. C.3",
    title="a cyclic group of order m is one layer of rotations, two reflections a letter; a sign for m = 2",
    says=r"For $G\cong\mathbb Z_m$ with any letters, $A(w)=R(2\pi w/m)\in\mathcal M_2^2(\{-1,1\})$ computes the product; for $m=2$ a scalar $A(w)\in\{-1,1\}$.",
    construction="lemmata.constructions.automata.groups.rotations",
    sabotages={"a polygon with one corner more": {"corners": lambda m: m + 1}},
)
def cyclic_groups(proof: Proof, corners=lambda m: m) -> None:
    """The state runs round the m-gon; a rotation is two reflections (one of them may be any mirror)."""
    largest = proof.pick(6, 16, 32)
    for m in proof.every(f"m <= {largest}, all m letters", range(1, largest + 1)):
        letters = {k: tuple((i + k) % m for i in range(m)) for k in range(m)}
        automaton = from_permutations(letters)
        found = rotations(automaton)
        assert found is not None
        matrices, start = found
        if m > 2:
            matrices = {k: householder.exact_rotation(corners(m), k) for k in letters}
            start = matrices[0][:, :1]
        layer = Recurrence.from_table({k: (A, start * 0) for k, A in matrices.items()}, start, _decoder(automaton, matrices, start))
        closes_by_layers(proof, "the output is the sum of the letters, on all words", Stack((layer,)), automaton, certify=m in (2, 5))
        proof.exactly("width", len(start), 1 if m <= 2 else 2)
        few = [len(householder.reflections(A)) <= len(A) for A in matrices.values()]
        proof.holds("two reflections a letter, one for a sign", all(few))


def _decoder(automaton: Automaton, matrices, start):
    """The state of the automaton whose element has moved ``start`` alike."""
    layer = representation_layer(automaton, matrices, start) if _is_faithful(automaton, matrices, start) else None
    return layer.decode if layer else lambda H, x: None


def _is_faithful(automaton: Automaton, matrices, start) -> bool:
    return len(_orbit(matrices, start)) == automaton.n


# -- small dimensions ------------------------------------------------------------------------------------------------------


@claim(
    "new.automata.a5",
    topic="automata",
    place="after grazzi25 Theorem 3",
    kind="new",
    title="A_5 in one layer of width 3 with two reflections a letter, and S_5 in two: a sign, and R^3 with two reflections",
    says=r"$A_5$ acts on $\mathbb R^3$ by the rotations of the icosahedron: one layer of width $3$, at most two reflections for each of its $60$ elements as a letter. "
    r"$S_5$ takes two layers: $(0\,1)^ea$ with $e$ in a scalar layer and $a\in A_5$ in $\mathbb R^3$.",
    uses=("grazzi25.thm3.amended",),
    construction="lemmata.constructions.automata.groups.sign_and_rotation",
    sabotages={"the second layer ignores the sign": {"step": lambda stack: _without_sign(stack)}},
)
def five_points_in_three_dimensions(proof: Proof, step=lambda stack: stack) -> None:
    """Every rotation of R^3 fixes an axis, so it is two reflections. A letter w takes (0 1)^e a to (0 1)^e' a' with
    a' = (0 1)^e' w (0 1)^e a, an even permutation times a."""
    rotation = even_permutations_as_rotations()
    images = {exact.freeze(R) for R in rotation.values()}
    proof.exactly("60 even permutations have 60 different rotations", len(images), 60)
    for g in proof.every("all 60 elements of A_5 as letters", sorted(rotation)):
        A = rotation[g]
        proof.exactly("it is orthogonal", A.T @ A, exact.identity(3))
        proof.exactly("at most two reflections multiply to it", householder.product(householder.reflections(A), 3), A)
        proof.holds("two reflections", len(householder.reflections(A)) <= 2)
    everything = {g: g for g in permutations(range(5))}
    chosen = proof.pick(named_group("S5"), everything, everything)
    stack = step(sign_and_rotation(chosen))
    describe = "generators of S_5" if len(chosen) < 120 else "all 120 elements of S_5"
    found = computes(
        proof,
        f"the output is the product, with {describe} as letters",
        stack,
        lambda g, x: tuple(chosen[x][i] for i in g),
        (0, 1, 2, 3, 4),
        list(chosen),
        lambda g: g,
        certify=len(chosen) < 120,
    )
    proof.exactly("all 120 elements are reached", len({g for _, g in found.pairs}), 120)
    proof.exactly("widths 1 and 3", [len(H) for H in stack.initial], [1, 3])


def _without_sign(stack: Stack) -> Stack:
    """The rotation of a letter is looked up as if all letters before it had been even."""
    first, second = stack.layers
    return Stack(
        (first, Recurrence(lambda y: second.transition((y[0], False, y[1] != y[2])), second.inputs, second.initial, second.decode))
    )


# -- several letters for one transition ------------------------------------------------------------------------------------


@claim(
    "grazzi25.sec4.3.tokens",
    topic="automata",
    place="Sec. 4.3, display after Theorem 3",
    title="with B = 0, H_t = C H_{t-k} for C = A(x_t) A(x_{t-1}) ... A(x_{t-k})",
    says=r"$H_t=C(x_t,\dots,x_{t-k})H_{t-k}$ with $C(x_t,\dots,x_{t-k})=A(x_t)A(x_{t-1})\cdots A(x_{t-k})$.",
    reading="as printed: k + 1 factors",
    sabotages={"k factors": {"factors": lambda k: k}},
)
def one_factor_too_many(proof: Proof, factors=lambda k: k + 1) -> None:
    """From t - k to t there are k steps. With k + 1 factors the letter x_{t-k}, which H_{t-k} has read, is applied again."""

    def differs(case):
        k, a = case
        H = [1]
        for _ in range(2 * k + 1):
            H.append(a * H[-1])
        t = 2 * k + 1
        return a ** factors(k) * H[t - k] != H[t]

    found = proof.smallest("one letter, a scalar A in {0, 1, -1}", ((k, a) for k in (1, 2, 3) for a in (0, 1, -1)), differs)
    if found:
        (k, a), _ = found
        proof.counterexample(
            given={"k": k, "A": a, "H_0, H_1, ...": [a**t for t in range(4)], "C H_{t-k} at t = 3": a ** (k + 1) * a ** (3 - k)},
            hypotheses={"A is a GH matrix with eigenvalue in [-1, 1]": abs(a) <= 1},
            violates={"H_3 differs": a ** factors(k) * a ** (3 - k) != a**3},
            minimal=f"n = 1, k = {k}",
        )


@claim(
    "grazzi25.sec4.3.tokens.amended",
    topic="automata",
    place="Sec. 4.3, display after Theorem 3",
    kind="amended",
    amends="grazzi25.sec4.3.tokens",
    title="with k letters per transition, each a swap or the identity, one reflection per letter moves k + 1 points",
    says=r"$H_t=A(x_t)\cdots A(x_{t-k+1})H_{t-k}$, a product of $k$ matrices in $\mathcal M_1^n([-1,1])$: every permutation that displaces at most $k+1$ points, "
    r"so four letters for each element of $S_5$.",
    uses=("grazzi25.prop1.2.orthogonal",),
    sabotages={"three letters for each element": {"tokens": 3}},
)
def four_letters(proof: Proof, tokens: int = 4) -> None:
    """A permutation that displaces j points is at most j - 1 swaps; identities fill up the rest. The layer reads swaps and is closed."""
    n = 5
    swaps = {(i, j): _swap(n, i, j) for i in range(n) for j in range(i)}
    letters = {"none": tuple(range(n)), **swaps}
    for g in proof.every("all 120 elements of S_5", permutations(range(n))):
        factors = householder.swaps(g)
        proof.holds("as many letters as the group needs suffice", len(factors) <= min(tokens, max(_displaced(g) - 1, 0)))
        proof.exactly("their product is the element", householder.product(factors, n), householder.permutation_matrix(g))
    automaton = from_permutations(letters)
    matrices, start = permutation_matrices(letters)
    layer = representation_layer(automaton, matrices, start)
    closes_by_layers(proof, "a layer that reads swaps outputs the product, on all words", Stack((layer,)), automaton)
    proof.holds("each letter is one reflection or none", all(len(householder.reflections(A)) <= 1 for A in matrices.values()))


def _swap(n: int, i: int, j: int) -> Images:
    g = list(range(n))
    g[i], g[j] = j, i
    return tuple(g)
