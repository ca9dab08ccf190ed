"""Group automata in one layer (grazzi25, Theorem 3): the state is rho(g) H_0 for a faithful orthogonal representation rho.

The letter w acts by rho(w), which is rank(I - rho(w)) reflections. H_0 must be moved by every element but the identity, so that the
decoder can tell elements apart. Permutation matrices are one choice of rho, rarely the smallest.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import permutations
from math import lcm
from typing import Any, cast

import numpy as np
from flint import fmpq, fmpz

from ....numerics import exact
from ....numerics.aliases import Key
from ....numerics.cyclotomic import root_of_unity
from ....numerics.exact import Array, freeze
from ...householder import compose, cycles, exact_rotation, permutation_matrix
from ...recurrence import Recurrence, Stack
from ..affine import Orbit, key
from ..automaton import Automaton
from ..read.sources import LARGEST_GROUP

Matrices = Mapping[Key, Array]

#: products of cyclic groups turn no polygons with more corners than this: arithmetic in Q(zeta) slows down with its degree
LARGEST_POLYGON = 500


def representation_layer(automaton: Automaton, matrices: Matrices, start: Array) -> Recurrence:
    """The layer H -> matrices[w] H from ``start``, shape (n, 1), decoded to the state of a group's automaton that has moved alike.

    Raises ``ValueError`` if two states move ``start`` to one place.
    """
    orbit = Orbit(start)
    maps = {x: orbit.number_of(matrices[x], start * 0) for x in automaton.letters}
    points, waiting = {automaton.start: 0}, [automaton.start]
    for q in waiting:
        for x, successors in automaton.table.items():
            if successors[q] not in points:
                points[successors[q]] = orbit.after(points[q], maps[x])
                waiting.append(successors[q])
    if len(orbit.states) < len(points):
        raise ValueError("expected a start that only the identity fixes, got one with a stabiliser")
    state = {key(orbit.states[i]): q for q, i in points.items()}
    table = {x: (matrices[x], start * 0) for x in automaton.letters}
    return Recurrence.from_table(table, start, lambda H, x: state.get(key(H)))


def permutation_matrices(generators: Mapping[Key, Sequence[int]]) -> tuple[Matrices, Array]:
    """(matrices, start) of the representation by permutation matrices, with start (1, ..., n)."""
    n = len(next(iter(generators.values())))
    return {x: permutation_matrix(g) for x, g in generators.items()}, exact.rationals([[i + 1] for i in range(n)])


def rotations(automaton: Automaton) -> tuple[Matrices, Array] | None:
    """(matrices, start) that turn a polygon, for an automaton whose letters generate a cyclic group that moves every state to every other.

    There are as many elements as states then, m. Order 1 and 2 need no plane: the matrices are (1) and (-1). None for other automata.
    """
    exponents = cyclic_exponents(automaton)
    return None if exponents is None else _block(automaton, exponents, automaton.n)


def block_matrices(generators: Mapping[Key, Sequence[int]]) -> tuple[Matrices, Array]:
    """(matrices, start), a block for each orbit of the points: a polygon's turns where the letters act on it as a cyclic group, else permutations.

    Points that no letter moves get no block. Several polygons share one field; if it would be larger than :data:`LARGEST_POLYGON`,
    permutations are faster. Only the identity fixes every point of every orbit, so only it fixes the start.
    """
    degree = len(next(iter(generators.values())))
    orbits = dict.fromkeys(tuple(sorted(cast(Any, Automaton(generators, point).reachable().names) or ())) for point in range(degree))
    actions = [Automaton({x: [orbit.index(g[i]) for i in orbit] for x, g in generators.items()}) for orbit in orbits]
    moved = [action for action in actions if action.n > 1] or actions[:1]
    exponents = [cyclic_exponents(action) for action in moved]
    # one field for all polygons
    corners = lcm(*(action.n for action, found in zip(moved, exponents, strict=True) if found is not None and action.n > 2))
    if corners > LARGEST_POLYGON and len(moved) > 1:
        exponents = [None] * len(moved)
    blocks = [_block(action, found, corners) for action, found in zip(moved, exponents, strict=True)]
    matrices = {x: exact.block_diagonal([block[x] for block, _ in blocks]) for x in generators}
    return matrices, np.concatenate([start for _, start in blocks])


def _block(action: Automaton, exponents: dict[Hashable, int] | None, corners: int) -> tuple[Matrices, Array]:
    """(matrices, start) of one orbit; ``corners``, a multiple of the number of its points, names the field of the turns."""
    m = action.n
    if exponents is None:
        return permutation_matrices(action.table)
    if m <= 2:
        return {x: exact.rationals([[(-1) ** k]]) for x, k in exponents.items()}, exact.rationals([[1]])
    return {x: exact_rotation(corners, k * (corners // m)) for x, k in exponents.items()}, exact_rotation(corners, 0)[:, :1]


def cyclic_exponents(automaton: Automaton) -> dict[Hashable, int] | None:
    """For each letter x an exponent k with x = c^k as a map of the states, c one cycle of all n of them; None if there is no such c.

    Letters that are powers of one cycle commute, and what commutes with a cycle of all states is a power of it. So c is looked for among
    commuting letters only: the first that is such a cycle, or else an element whose order is the group's exponent.
    """
    points = range(automaton.n)
    letters = {x: tuple(images) for x, images in automaton.table.items()}
    maps = list(dict.fromkeys(letters.values()))
    if any(len(set(g)) < automaton.n for g in maps) or any(compose(g, h) != compose(h, g) for g in maps for h in maps):
        return None
    c = next((g for g in [*maps, _of_largest_order(maps)] if len(cycles(g)) == 1), None)
    if c is None:
        return None
    exponent, q = {}, points[0]
    for k in points:
        exponent[q] = k
        q = c[q]
    return {x: exponent[g[0]] for x, g in letters.items()}


def _of_largest_order(maps: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """An element whose order is the least common multiple of those of commuting permutations: for each prime power, from one that has it."""
    orders = [lcm(*map(len, cycles(g))) for g in maps]
    found = tuple(range(len(maps[0])))
    for p, a in fmpz(lcm(*orders)).factor():
        g, order = next((g, order) for g, order in zip(maps, orders, strict=True) if order % int(p**a) == 0)
        found = compose(_power(g, order // int(p**a)), found)
    return found


def _power(g: Sequence[int], k: int) -> tuple[int, ...]:
    images = dict(pair for cycle in cycles(g) for pair in zip(cycle, cycle[k % len(cycle) :] + cycle[: k % len(cycle)], strict=True))
    return tuple(images[i] for i in range(len(g)))


def matrix_group(matrices: Matrices) -> Automaton:
    """The word problem of the group that exact orthogonal matrices generate; elements are numbered in order of discovery.

    Raises ``ValueError`` if a matrix is not orthogonal or there are more than 10 000 elements.
    """
    for x, A in matrices.items():
        if not np.array_equal(A.T @ A, exact.identity(len(A))):
            raise ValueError(f"expected orthogonal matrices, got another for the letter {x!r}")
    one = next(iter(matrices.values())) * 0 + exact.identity(len(next(iter(matrices.values()))))
    elements, number = [one], {freeze(one): 0}
    table: dict[Hashable, list[int]] = {x: [] for x in matrices}
    for element in elements:
        for x, A in matrices.items():
            after = A @ element
            q = number.setdefault(freeze(after), len(elements))
            if q == len(elements):
                if q >= LARGEST_GROUP:
                    raise ValueError(f"expected a group of at most {LARGEST_GROUP} elements, got more")
                elements.append(after)
            table[x].append(q)
    return Automaton({x: tuple(successors) for x, successors in table.items()}, 0, frozenset({0}))


# -- A_5 and S_5 in three dimensions -----------------------------------------------------------------------------------------


def icosahedral_rotations() -> Matrices:
    """Two rotations of R^3 that generate the 60 of the icosahedron, exact in Q(zeta_5): one of order 3, one of order 5."""
    one, zeta = root_of_unity(5, 0), root_of_unity(5)
    golden = 1 + zeta + zeta.conjugate()
    inverse = golden - 1
    turn = np.array([[one, -golden, inverse], [golden, inverse, -one], [inverse, one, golden]], dtype=object) * fmpq(1, 2)
    return {"thirds": permutation_matrix((1, 2, 0)) + turn * 0, "fifths": turn}


def sign_and_rotation(letters: Mapping[Key, Sequence[int]]) -> Stack:
    """S_5 in two layers: the sign, then R^3 with one rotation for each letter, so two reflections at most (letters: permutations of 0 .. 4).

    Write the product of the letters as (0 1)^e a with a even. A letter w turns e into e' and a into (0 1)^e' w (0 1)^e a: layer 1
    keeps e, layer 2 applies the icosahedral rotation of the even permutation (0 1)^e' w (0 1)^e. Outputs are tuples of images.
    """
    swap, nothing = (1, 0, 2, 3, 4), (0, 1, 2, 3, 4)
    rotation = even_permutations_as_rotations()
    start = rotation[nothing][:, :1] * 1 + rotation[nothing][:, 1:2] * 3 + rotation[nothing][:, 2:] * 7
    element = {freeze(R @ start): g for g, R in rotation.items()}
    odd = {x: _is_odd(g) for x, g in letters.items()}
    one = exact.rationals([[1]])
    first = Recurrence.from_table(
        {x: (one * (-1 if odd[x] else 1), one * 0) for x in letters}, one, lambda H, x: (x, (H[0, 0] == -1) != odd[x], bool(H[0, 0] == -1))
    )

    def even(letter: tuple[Hashable, bool, bool]) -> tuple[int, ...]:
        x, before, after = letter
        g = tuple(letters[x])
        return compose(swap if after else nothing, compose(g, swap if before else nothing))

    def decode(H: Array, letter: tuple[Hashable, bool, bool]) -> tuple[int, ...] | None:
        a = element.get(freeze(H))
        return None if a is None else compose(swap if letter[2] else nothing, a)

    return Stack((first, Recurrence(lambda y: rotation[even(y)], lambda y: start * 0, start, decode)))


def even_permutations_as_rotations() -> dict[tuple[int, ...], Array]:
    """A faithful representation of A_5 by the icosahedral rotations: the images of all 60 even permutations of 0 .. 4.

    The 5-cycle goes to the rotation of order 5, and the 3-cycle to which the rotation of order 3 fits is found by trying.
    """
    thirds, fifths = icosahedral_rotations().values()
    three_cycles = [g for g in permutations(range(5)) if sum(g[i] != i for i in range(5)) == 3]
    extensions = (_homomorphism({g: thirds, (1, 2, 3, 4, 0): fifths}) for g in three_cycles)
    return next(found for found in extensions if found is not None)


def _homomorphism(images: dict[tuple[int, ...], Array]) -> dict[tuple[int, ...], Array] | None:
    """The extension of a map of generators to the group that they generate, if it is a homomorphism."""
    identity = tuple(range(len(next(iter(images)))))
    found = {identity: next(iter(images.values())) * 0 + exact.identity(3)}
    waiting = [identity]
    for g in waiting:
        for x, A in images.items():
            after = compose(x, g)
            if after not in found:
                found[after] = A @ found[g]
                waiting.append(after)
            elif not np.array_equal(found[after], A @ found[g]):
                return None
    return found


def _is_odd(g: Sequence[int]) -> bool:
    return (len(g) - len(cycles(g))) % 2 == 1
