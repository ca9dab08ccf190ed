"""A_5 and S_5 in three dimensions, and several letters for one transition (after grazzi25, Theorem 3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import permutations

import numpy as np

from ...constructions import householder
from ...constructions.automata.layers.groups import (
    even_permutations_as_rotations,
    permutation_matrices,
    representation_layer,
    sign_and_rotation,
)
from ...constructions.automata.read.sources import from_permutations
from ...constructions.recurrence import Recurrence, Stack
from ...numerics import exact
from ..claim import claim
from ..closure import certify_closure, computes, maps_used
from ..evidence import Proof
from .groups import Images, displaced

#: two generators of S_5, and of A_5: permutations of 0 .. 4
S5: list[Images] = [(1, 2, 3, 4, 0), (1, 0, 2, 3, 4)]
A5: list[Images] = [(1, 2, 3, 4, 0), (1, 2, 0, 3, 4)]


@claim(
    "new.automata.a5",
    place="after grazzi25 Theorem 3",
    title="A₅ in one layer of width 3 with two reflections a letter, and S₅ in two: a sign, and R³ with two reflections",
    says=r"$A_5$ acts on $\mathbb R^3$ by the rotations of the icosahedron: one layer of width $3$, at most two reflections for each of its $60$ elements as a letter. "
    r"$S_5$, with all $120$ elements as letters, takes two layers: $(0\,1)^ea$ with $e$ in a scalar layer and $a\in A_5$ in $\mathbb R^3$.",
    known="Siems et al., DeltaProduct (arXiv 2502.10297) have A_5 as rotations of R^3 with two reflections per letter, and S_5 with four in one layer. What remains here: S_5 in two layers of widths 1 and 3, two reflections per letter.",
    construction="lemmata.constructions.automata.layers.groups.sign_and_rotation",
    sabotages={
        "the second layer ignores the sign": {"step": lambda stack: _without_sign(stack)},
        "only the identity turns": {"rotations": lambda: {g: exact.identity(3) for g in even_permutations_as_rotations()}},
    },
)
def five_points_in_three_dimensions(proof: Proof, step=lambda stack: stack, rotations=even_permutations_as_rotations) -> None:
    r"""Every rotation of $\mathbb R^3$ fixes an axis, so it is two reflections; and $S_5$ is a sign times an even permutation.

    1. The $60$ even permutations go to $60$ different orthogonal matrices of size $3$ with determinant $1$, and products to products: a faithful representation $\rho$. The $12$ images of the axis of a $5$-cycle are the corners of
       an icosahedron: each has five neighbours, all at one distance, and its opposite.
       [checked: "60 even permutations have 60 different rotations"; "it is a rotation"; "products go to products"; "12 corners"; "each corner has five neighbours"]
    2. Each $\rho(g)$ is a product of two reflections at most. [checked: "at most two reflections multiply to it"; "two reflections"]
    3. For $H_0=\rho(1)(1,3,7)^\top$ the $60$ images $\rho(g)H_0$ differ, so the layer with $A(w)=\rho(w)$, $B=0$ outputs the product of the letters: its states are closed under all $60$ letters.
       [checked: "A_5: the output is the product"]
    4. A letter $w$ takes $(0\,1)^ea$ to $(0\,1)^{e'}a'$ with $a'=(0\,1)^{e'}w(0\,1)^e\,a$, an even permutation times $a$. Layer 1 keeps $e$ as a sign, layer 2 applies $\rho((0\,1)^{e'}w(0\,1)^e)$: the product of both with $S_5$ is closed under
       all $120$ letters. [checked: "S_5: the output is the product"; "all 120 elements are reached"; "widths 1 and 3"; "the second layer turns as A_5 does"]
    """
    rotation = rotations()
    even = sorted(rotation)
    images = {exact.freeze(R) for R in rotation.values()}
    for g in proof.every("all 60 elements of A_5 as letters", even, limited=False):
        A = rotation[g]
        proof.exactly("60 even permutations have 60 different rotations", (len(even), len(images)), (60, 60))
        proof.exactly("it is a rotation: orthogonal", A.T @ A, exact.identity(3))
        proof.exactly("it is a rotation: a right-handed frame", np.cross(A[0], A[1]), A[2])
        proof.exactly("at most two reflections multiply to it", householder.product(householder.reflections(A), 3), A)
        proof.holds("two reflections", len(householder.reflections(A)) <= 2)
        proof.holds("products go to products", all(np.array_equal(rotation[_times(g, x)], rotation[x] @ A) for x in even))
    # what the 5-cycle fixes is where its five powers send a vector, added up
    fifths = np.array([exact.identity(3), *(rotation[(*range(k, 5), *range(k))] for k in range(1, 5))])
    corner = fifths.sum(axis=0)[:, 0]
    corners = list({exact.freeze(R @ corner): R @ corner for R in rotation.values()}.values())
    square = corner @ corner
    for u in proof.every("the 12 corners", corners, limited=False):
        angles = Counter(v @ u for v in corners)
        near = next(x for x, number in angles.items() if number == 5)
        proof.exactly("12 corners", len(corners), 12)
        proof.holds(
            "each corner has five neighbours, five that are opposite to them, and its own opposite",
            angles == Counter({square: 1, -square: 1, near: 5, -near: 5}),
        )
        proof.exactly("the cosine of neighbours is that of an icosahedron, 1/sqrt 5", 5 * near * near, square * square)
    start = rotation[0, 1, 2, 3, 4] @ exact.rationals([[1], [3], [7]])
    element = {exact.freeze(R @ start): g for g, R in rotation.items()}
    layer = Stack((Recurrence(lambda g: rotation[g], lambda g: start * 0, start, lambda H, g: element.get(exact.freeze(H))),))
    identity = (0, 1, 2, 3, 4)
    computes(
        proof,
        "A_5: the output is the product, with all 60 elements as letters",
        layer,
        _times,
        identity,
        sorted(rotation),
        lambda g: g,
        certify=False,
    )
    certify_closure(proof, "A_5 by two generators", layer, _times, identity, A5)
    stack = step(sign_and_rotation({g: g for g in permutations(range(5))}))
    what = "S_5: the output is the product, with all 120 elements as letters"
    found = computes(proof, what, stack, _times, identity, list(permutations(range(5))), lambda g: g, certify=False)
    for width, level in proof.every("the two layers", zip((1, 3), range(2), strict=True), limited=False):
        proof.exactly("widths 1 and 3", len(stack.initial[level]), width)
        proof.exactly("all 120 elements are reached", len({g for _, g in found.pairs}), 120)
    for A, B in proof.every("all maps of the second layer", [(A, B) for A, B in maps_used(stack, found) if len(A) == 3], limited=False):
        proof.holds("the second layer turns as A_5 does", exact.freeze(A) in images and bool((B == 0).all()))
    certify_closure(proof, "S_5 by two generators", sign_and_rotation({g: g for g in S5}), _times, identity, S5)
    proof.exhibit(
        "the 5-cycle (1 2 3 4 0) as a rotation, and as two reflections",
        rotation=rotation[1, 2, 3, 4, 0],
        vectors=_vectors(rotation[1, 2, 3, 4, 0]),
    )


def _times(g: Images, x: Images) -> Images:
    """The product x g: the letter x acts after what came before."""
    return householder.compose(x, g)


def _vectors(A) -> list:
    return [f.v for f in householder.reflections(A)]


def _without_sign(stack: Stack) -> Stack:
    """The rotation of a letter is looked up as if all letters before it had been even."""
    first, second = stack.layers
    return Stack(
        (first, Recurrence(lambda y: second.transition((y[0], False, y[1] != y[2])), second.inputs, second.initial, second.decode))
    )


# -- several letters for one transition ------------------------------------------------------------------------------------


def swap(n: int, i: int, j: int) -> Images:
    g = list(range(n))
    g[i], g[j] = j, i
    return tuple(g)


@claim(
    "grazzi25.sec4.3.tokens",
    place="Sec. 4.3, after Theorem 3",
    title="k letters per transition, one reflection each: a layer models all permutations that move up to k + 1 elements",
    says=r"With $B=0$, $H_t=A(x_t)\cdots A(x_{t-k+1})H_{t-k}$, a product of $k$ matrices in $\mathcal M_1^n([-1,1])$; every permutation of $n$ points that displaces at most $k+1$ of them is such a product of swaps and identities.",
    reading="k factors, where the display prints k + 1",
    sabotages={
        "a letter less for each permutation": {"tokens": lambda moved: max(moved - 2, 0)},
        "nothing is swapped": {"factors_of": lambda g: []},
    },
)
def swaps_one_by_one(proof: Proof, tokens=lambda moved: max(moved - 1, 0), factors_of=householder.swaps) -> None:
    r"""From $t-k$ to $t$ there are $k$ steps, and a permutation that displaces $j$ points is at most $j-1$ swaps.

    1. $H_t=A(x_t)H_{t-1}$, so $k$ steps multiply $k$ matrices, the latest leftmost. [prose]
    2. A cycle of length $j$ is $j-1$ swaps, $(a_1\,a_2\dots a_j)=(a_1\,a_j)\cdots(a_1\,a_2)$, so a permutation that displaces $j\ge2$ points takes $j$ minus the number of its cycles, $j-1$ at most; identities fill up the rest.
       [checked: "as many swaps as displaced points, less one"; "their product is the permutation"]
    3. A swap is the reflection at $e_i-e_j$: one factor in $\mathcal M_1^n(\{-1\})$; fewer than $n-\#\text{cycles}$ reflections do not multiply to the permutation. [uses: grazzi25.prop1.2.orthogonal]
    4. For all $n$ the same: the cycle formula has no other case. [prose]
    """
    largest = proof.pick(4, 5, 6)
    for n in proof.every(f"all permutations of n <= {largest} points", range(1, largest + 1)):
        for g in permutations(range(n)):
            factors = factors_of(g)
            proof.holds("as many swaps as displaced points, less one", len(factors) <= tokens(displaced(g)))
            around = sum(len(c) > 1 for c in householder.cycles(g))
            proof.exactly("displaced points less nontrivial cycles", len(factors), displaced(g) - around)
            proof.holds("every factor is a reflection that swaps two points", all(_is_swap(householder.product([f], n)) for f in factors))
            proof.exactly("their product is the permutation", householder.product(factors, n), householder.permutation_matrix(g))
            if n <= 4:
                moves = [_permutation(householder.product([f], n)) for f in factors]
                proof.certificate("witness", "swaps, the last to act first", permutation=list(g), swaps=[_pair(m) for m in moves])


def _permutation(P) -> Images:
    return tuple(next(i for i in range(len(P)) if P[i, j] == 1) for j in range(len(P)))


def _pair(g: Images) -> list[int]:
    return [i for i in range(len(g)) if g[i] != i]


def _is_swap(P) -> bool:
    return all(x in (0, 1) for x in P.flat) and sum(P[i, i] == 0 for i in range(len(P))) == 2


@claim(
    "grazzi25.sec4.3.tokens.display",
    place="Sec. 4.3, display after Theorem 3",
    flaw="misprint",
    extracted=True,
    quotes=("the LRNN layer can model permutations that change up to $k+1$ elements since",),
    title="Hₜ = C Hₜ₋ₖ is printed with k + 1 factors in C, of which k are meant",
    says=r"$H_t=C(x_t,\dots,x_{t-k})H_{t-k}$ with $C(x_t,\dots,x_{t-k})=A(x_t)A(x_{t-1})\cdots A(x_{t-k})$.",
    reading="as printed: k + 1 factors, said to lie in M_k",
    letter="In the display after Theorem 3 the product C should end with A(x_{t-k+1}). The state H_{t-k} has read x_{t-k} already. Only then are there k factors, as the class M_k says.",
    sabotages={"k factors": {"factors": lambda k: k}},
)
def one_factor_too_many(proof: Proof, factors=lambda k: k + 1) -> None:
    """From t - k to t there are k steps. With k + 1 factors the letter x_{t-k}, which H_{t-k} has read, is applied again.

    With k = 1 and the scalar A = -1: H_0 = 1, H_1 = -1, H_2 = 1, H_3 = -1, and (-1)^2 H_2 = 1 is not H_3."""

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
            words={"gh": abs(a) <= 1, "state": a ** factors(k) * a ** (3 - k) != a**3},
            minimal=f"n = 1, k = {k}",
        )
        proof.certificate("witness", "one letter, a scalar", k=k, t=2 * k + 1, A=str(a))


@claim(
    "grazzi25.sec5.2.four-tokens",
    place="Sec. 5.2, setups (i) and (iii)",
    title="one layer with one reflection per letter solves S₅ by swaps, and four tokens spell each of its elements",
    says=r"On letters that swap two of five points or none, one layer with $A(w)\in\mathcal M_1^5(\{-1,1\})$, $B=0$ outputs the product of any word; and each of the $120$ elements of $S_5$ is the product of four such letters.",
    sabotages={
        "one token for each element, which the kernel refutes": {"theorem": "counts.four_letters_but_one"},
        "three tokens for each element": {"tokens": 3},
        "a start that swaps fix": {"start_of": lambda H: H * 0 + 1},
    },
)
def four_letters(proof: Proof, tokens: int = 4, start_of=lambda H: H, theorem: str = "counts.four_letters") -> None:
    r"""Eleven letters, and all products of four of them.

    1. The ten swaps and the identity act as permutation matrices, one reflection or none. [checked: "each letter is one reflection or none"]
    2. From $H_0=(1,\dots,5)^\top$ the $120$ orderings of the five numbers are reached, one for each element. The layer moves as $S_5$ does, so its product with $S_5$ is closed: every word.
       [checked: "120 states"; "each letter moves a state as it moves the element"; "the output is the product"]
    3. Products of one, two, three and four letters are formed, the identity among the letters: every element occurs. [checked: "products of four letters"]
    """
    proof.formally(
        "the kernel: the product is read off, and four letters are enough",
        theorem,
        whole="all words and elements",
        differs="an ordered field for the reals; a letter is a pair of points, equal ones for none; M_1({-1, 1}) as at most one reflection",
    )
    n = 5
    letters: dict[str, Images] = {"none": tuple(range(n))} | {f"{i}{j}": swap(n, i, j) for i in range(n) for j in range(i)}
    matrices, start = permutation_matrices(letters)
    start = start_of(start)
    state = {g: householder.permutation_matrix(g) @ start for g in permutations(range(n))}
    one = exact.identity(n)
    for x in proof.every("all 11 letters, all 120 elements", letters, limited=False):
        A = matrices[x]
        proof.exactly("120 states, one for each element", len({exact.freeze(H) for H in state.values()}), 120)
        proof.holds("each letter is one reflection or none: rank", exact.rank(A - one) == (x != "none"))
        proof.holds("each letter is one reflection or none: orthogonal and symmetric", exact.is_orthogonal(A) and bool((A == A.T).all()))
        moved = [exact.freeze(A @ state[g]) == exact.freeze(state[_times(g, letters[x])]) for g in state]
        proof.holds("each letter moves a state as it moves the element", all(moved))
    products = {tuple(range(n))}
    for _ in range(tokens):
        products = {_times(g, x) for g in products for x in letters.values()}
    for g in proof.every("all 120 elements", permutations(range(n)), limited=False):
        proof.holds("products of four letters: all elements", g in products)
    automaton = from_permutations(letters)
    names = automaton.names or ()
    stack = Stack((representation_layer(automaton, *permutation_matrices(letters)),))
    what = "the output is the product, with swaps as letters"
    computes(proof, what, stack, lambda g, x: _times(g, letters[x]), tuple(range(n)), list(letters), names.index)


class Symmetric:
    """The symmetric group on n points as a table of products; its elements are numbers, 0 the identity."""

    def __init__(self, n: int) -> None:
        self.elements = list(permutations(range(n)))
        number = {g: i for i, g in enumerate(self.elements)}
        self.product = [[number[_times(g, h)] for h in self.elements] for g in self.elements]
        self.inverse = [row.index(0) for row in self.product]

    def generated(self, some: Iterable[int]) -> frozenset[int]:
        """The subgroup that elements generate."""
        group, generators = {0}, []
        for g in some:
            if g not in group:
                generators.append(g)
                fresh = {0}
                group = {0}
                while fresh:
                    fresh = {self.product[x][y] for x in fresh for y in generators} - group
                    group |= fresh
        return frozenset(group)

    def subgroups(self) -> set[frozenset[int]]:
        """All subgroups: every one grows from the trivial one by one generator at a time."""
        generators: dict[frozenset[int], tuple[int, ...]] = {}
        fresh: dict[frozenset[int], tuple[int, ...]] = {frozenset({0}): ()}
        while fresh:
            generators |= fresh
            larger = [(*some, g) for group, some in fresh.items() for g in range(len(self.elements)) if g not in group]
            fresh = {group: some for some in larger if (group := self.generated(some)) not in generators}
        return set(generators)

    def is_solvable(self, group: frozenset[int]) -> bool:
        """The series of commutator subgroups ends in the trivial group."""
        while len(group) > 1:
            times, back = self.product, self.inverse
            smaller = self.generated({times[times[back[g]][back[h]]][times[g][h]] for g in group for h in group})
            if smaller == group:
                return False
            group = smaller
        return True


@claim(
    "movahedi25.appE1.simplest",
    place="App. E.1, State Tracking",
    title="of the 156 subgroups of S₅ only A₅ and S₅ are not solvable, so A₅ is the least with a hard word problem",
    says=r"$S_5$ has $156$ subgroups; those that are not solvable are $A_5$, of order $60$, and $S_5$ itself.",
    reading="'simplest' as: of least order among the subgroups whose word problem is complete for NC1, which are those that are not solvable (Barrington); and subgroup for 'subset'",
    remarks=(
        "Read as it stands the trivial group is simpler. That A_5 is also the least group that is not solvable at all is known, and not needed here.",
    ),
    sabotages={"four points": {"points": 4}, "all groups are called solvable": {"solvable": lambda whole, group: True}},
)
def least_group_that_is_not_solvable(proof: Proof, points: int = 5, solvable=Symmetric.is_solvable) -> None:
    r"""All subgroups, one by one.

    1. Every subgroup grows from the trivial one by adding generators, so the search meets all: $156$. [checked: "156 subgroups"]
    2. The series of commutator subgroups of each is computed. [checked: "those that are not solvable"]
    """
    for n in proof.every("all subgroups of S_5", (points,), limited=False):
        whole = Symmetric(n)
        found = whole.subgroups()
        proof.exactly("156 subgroups", len(found), 156)
        hard = sorted((group for group in found if not solvable(whole, group)), key=len)
        named = [whole.generated(whole.elements.index(g) for g in letters) for letters in (A5, S5)]
        proof.exactly("those that are not solvable: A_5 and S_5", hard, named)
