"""One layer with one reflection per letter: S_4 with all its involutions as letters, by the mirrors of the cube."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from ...constructions.automata.layers import covers
from ...constructions.automata.layers.covers import by_matrices, cover_layer
from ...numerics import exact
from ...numerics.exact import Array
from ..claim import claim
from ..closure import computes
from ..evidence import Proof


def mirrors() -> list[Array]:
    """The nine reflections of B_3: a coordinate changes its sign, or two are exchanged, with both signs."""
    found = []
    for i in range(3):
        found.append(exact.identity(3))
        found[-1][i, i] = -1
    for (i, j), sign in ((pair, sign) for pair in combinations(range(3), 2) for sign in (1, -1)):
        found.append(exact.identity(3))
        found[-1][i, i] = found[-1][j, j] = 0
        found[-1][i, j] = found[-1][j, i] = sign
    return [exact.rationals(A) for A in found]


@claim(
    "new.automata.one-factor.involutions",
    place="after grazzi25 Theorem 3",
    title="S₄ with all nine involutions as letters in one layer of width 3, one reflection per letter: S₄ = B₃/{±1}",
    says=r"The nine reflections of $B_3$, the symmetries of the cube, act on its four diagonals as the nine involutions of $S_4$: six swaps and three products of two disjoint swaps. So one DeltaNet layer of width 3 with $\beta=2$, one head and no input tracks $S_4$ with these nine letters, from a start that no symmetry but 1 fixes.",
    hypotheses=("one layer, finitely many exact states",),
    known="new.automata.fewest-reflections shows that the own representations of S_4 take two factors for a product of two disjoint swaps, and has the case of three of these letters, and the minimum over covers of which this is one with one factor. That S_4 is the group of the cube's diagonals is classical.",
    construction="lemmata.constructions.automata.layers.covers.cover_layer",
    sabotages={
        "a start that a mirror fixes": {"start": [[1], [1], [4]]},
        "a mirror is left out": {"chosen": lambda: mirrors()[1:]},
    },
)
def all_involutions_by_mirrors(proof: Proof, chosen: Callable[[], list[Array]] = mirrors, start: list[list[int]] | None = None) -> None:
    r"""Nine matrices, and a closure.

    1. Each matrix is symmetric, its square is 1 and $I-A$ has rank 1: a reflection. [checked: "nine reflections"]
    2. On the diagonals they are nine different permutations, all that are not 1 and have the square 1. [checked: "all involutions of S_4"]
    3. The layer outputs the product of the letters after every word; its states are listed. [checked: "the output is the product"]
    """
    matrices = {covers.of_diagonals(A): A for A in chosen()}
    one = exact.identity(3)
    for wanted in proof.every("the mirrors of the cube", [9], limited=False):
        reflections = [A for A in matrices.values() if (A == A.T).all() and (one == A @ A).all() and exact.rank(one - A) == 1]
        proof.exactly("nine reflections", len(reflections), wanted)
        involutions = {g for g in matrices if sorted(g) == [0, 1, 2, 3] and g != (0, 1, 2, 3) and all(g[g[i]] == i for i in range(4))}
        proof.exactly("all involutions of S_4", len(involutions), wanted)
    tracked = by_matrices(matrices, exact.rationals(start or [[1], [2], [4]]), {g: g for g in matrices})
    computes(
        proof,
        "the output is the product of the letters, on all words",
        cover_layer(tracked),
        lambda g, x: tuple(x[i] for i in g),
        tracked.identity,
        sorted(tracked.elements),
        lambda g: g,
    )
