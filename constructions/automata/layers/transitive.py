"""Layers and stacks for automata whose letters permute the states.

The group acts transitively on the states that are reached, so a state is a coset of the elements that fix the start. A representation
needs a vector that these elements fix and others do not, or else one that nothing fixes: then several vectors stand for a state.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import cache
from itertools import permutations, product
from math import inf
from typing import Any, NamedTuple

import numpy as np
from flint import fmpq

from ....numerics import exact
from ....numerics.aliases import Key
from ....numerics.cyclotomic import cosine_and_sine, rotation_order
from ....numerics.exact import Array, freeze
from ...householder import permutation_matrix
from ...recurrence import Recurrence, Stack
from ..algebra.embedding import Images, embedding
from ..algebra.permuting import Permuting, smallest_blocks
from ..automaton import Automaton
from .groups import cyclic_exponents, even_permutations_as_rotations, rotations, sign_and_rotation
from .level_vectors import LARGEST_ORBIT, level_vectors, signed_representation
from .places import with_places
from .reflections import addition_by_reflections, dihedral_by_reflections, dihedral_step, mirror, solvable_by_reflections

#: systems of blocks are looked for among that many states at most
LARGEST_BLOCKED = 300


# -- one layer -----------------------------------------------------------------------------------------------------------------


class Orbit(NamedTuple):
    """A layer of a group, and all vectors that it can be in."""

    layer: Recurrence
    states: list[Array]

    @property
    def points(self) -> np.ndarray:
        """The vectors as the rows of a float array."""
        return exact.as_float(np.array([H[:, 0] for H in self.states], dtype=object))

    @property
    def integral(self) -> bool:
        """Whether all entries of the vectors are integers."""
        return all(isinstance(x, fmpq) and x.q == 1 for H in self.states for x in H.flat)


def least_distance(points: np.ndarray) -> float:
    """The least distance of two points, rows of an array, in the largest entry; inf for one point."""
    return min((float(np.abs(points[i + 1 :] - p).max(-1).min()) for i, p in enumerate(points[:-1])), default=inf)


def orbit(automaton: Automaton, matrices: Mapping[Key, Array], start: Array) -> Orbit | None:
    """The layer H -> matrices[x] H from ``start``, each vector decoded to the state that has moved alike; None if one would be two states."""
    state, waiting = {freeze(start): automaton.start}, [start]
    for H in waiting:
        q = state[freeze(H)]
        for x, A in matrices.items():
            after, p = A @ H, automaton.table[x][q]
            if freeze(after) not in state:
                state[freeze(after)] = p
                waiting.append(after)
            elif state[freeze(after)] != p:
                return None
    table = {x: (A, start * 0) for x, A in matrices.items()}
    return Orbit(Recurrence.from_table(table, start, lambda H, x: state.get(freeze(H))), waiting)


def rotation_layer(found: Permuting) -> Recurrence:
    """A polygon that turns, for a cyclic group (``groups.cyclic_exponents``)."""
    representation = rotations(found.automaton)
    assert representation is not None
    layer = orbit(found.automaton, *representation)
    assert layer is not None
    return layer.layer


def reset_rotation_layer(automaton: Automaton) -> Recurrence | None:
    """A polygon that turns, and a corner that is written, for a cyclic group of letters beside letters that reset; None for other automata.

    A reset to r is A = 0, B = the corner of r: two projections. The group must move every state to every other.
    """
    resets = {x: images[0] for x, images in automaton.table.items() if len(set(images)) == 1 < automaton.n}
    turning = {x: images for x, images in automaton.table.items() if x not in resets}
    if not turning or (found := rotations(Automaton(turning, automaton.start))) is None:
        return None
    matrices, start = found
    moving = orbit(Automaton(turning, automaton.start), matrices, start)
    assert moving is not None
    corner = {moving.layer.decode(H, None): H for H in moving.states}
    nothing = exact.zeros(len(start), len(start))
    table = {x: (matrices[x], start * 0) if x in turning else (nothing, corner[resets[x]]) for x in automaton.letters}
    return Recurrence.from_table(table, start, moving.layer.decode)


class Numbers(NamedTuple):
    """A layer of permutation matrices: where each letter moves the coordinates, and every vector that words reach, with its state."""

    moves: dict[Hashable, Images]
    states: dict[Images, int]


def numbers(found: Permuting) -> Numbers:
    """Coordinates for the states, e_start at first; or for fewer blocks of states, if the group acts on these without losing an element."""
    n = found.automaton.n
    if found.elements is not None and n <= LARGEST_BLOCKED:
        block = smallest_blocks(found)
        member = [block.index(b) for b in range(max(block) + 1)]
        moves = {x: tuple(block[g[q]] for q in member) for x, g in found.letters.items()}
        # the elements that fix the start mix the blocks of an orbit, so an orbit's blocks get one number
        orbits = [min(block[g[q]] for g in found.fixing_start) for q in member]
        first = tuple(1 + sorted(set(orbits)).index(b) for b in orbits)
        if len(member) < n and (states := _moved(found.automaton, moves, first)):
            return Numbers(moves, states)
    return Numbers(found.letters, {tuple(int(p == q) for p in range(n)): q for q in range(n)})


def _moved(automaton: Automaton, moves: Mapping[Key, Images], first: Images) -> dict[Images, int] | None:
    """The vectors that permutations of coordinates make of the first, each with the state that has moved alike; None if one would be two."""
    state = {first: automaton.start}
    waiting = [first]
    for v in waiting:
        for x, g in moves.items():
            after, q = tuple(v[i] for i in _inverse(g)), automaton.table[x][state[v]]
            if after not in state:
                waiting.append(after)
            if state.setdefault(after, q) != q:
                return None
    return state


def _inverse(g: Images) -> Images:
    return tuple(sorted(range(len(g)), key=g.__getitem__))


def permutation_layer(automaton: Automaton, found: Numbers) -> Recurrence:
    """The layer of permutation matrices."""
    state = {freeze(exact.rationals(v)): q for v, q in found.states.items()}
    start = exact.rationals([[x] for x in next(v for v, q in found.states.items() if q == automaton.start)])
    table = {x: (permutation_matrix(g), start * 0) for x, g in found.moves.items()}
    return Recurrence.from_table(table, start, lambda H, x: state.get(freeze(H)))


def signed_layer(found: Permuting) -> tuple[int, Recurrence]:
    """(width, layer) of signed permutation matrices: for 60 states in a circle width 10.

    Each state has its vector (``level_vectors``). If the group has as many elements as states, and is not too large, the matrices need only
    be different for different elements: the start (1, ..., width) tells these apart.
    """
    automaton, n = found.automaton, found.automaton.n
    if cyclic_exponents(automaton) is None and n <= LARGEST_ORBIT and found.listed(n):
        vectors = signed_representation(n, list(found.letters.values()), found.elements or [])
        start = exact.rationals([[i + 1] for i in range(vectors.width)])
        moving = orbit(automaton, {x: vectors.matrix(g) for x, g in found.letters.items()}, start)
        assert moving is not None
        return vectors.width, moving.layer
    vectors = level_vectors(n, found.letters.values())
    start = vectors.column(automaton.start)
    table = {x: (vectors.matrix(g), start * 0) for x, g in found.letters.items()}
    return vectors.width, Recurrence.from_table(table, start, lambda H, x: vectors.read(H))


# -- the plane and space -------------------------------------------------------------------------------------------------------


def space_layer(found: Permuting) -> Orbit | None:
    """Rotations and flips of a polygon, of the cube or of the icosahedron: D_m, A_4, S_4, A_5 in width 2 or 3, two reflections a letter."""
    for order, matrices in _solids(found):
        if found.elements is not None and order % len(found.elements) == 0:
            images = embedding(found.letters, found.elements, list(matrices))
            if images is not None:
                return _moving(found, {g: matrices[image] for g, image in images.items()})
    return None


def _solids(found: Permuting) -> Iterator[tuple[int, Mapping[Images, Array]]]:
    if found.elements is None:
        return
    order = len(found.elements)
    if order % 2 == 0 and order > 2:
        yield order, dihedral_matrices(order // 2)
    if order in (12, 24):
        yield 24, cube_rotations()
    if order == 60:
        yield 60, even_permutations_as_rotations()


def _moving(found: Permuting, matrix: Mapping[Images, Array]) -> Orbit | None:
    """The layer of a representation by matrices, from a vector that what fixes the start fixes, if it moves otherwise."""
    one = next(iter(matrix.values())) * 0 + exact.identity(len(next(iter(matrix.values()))))
    somewhere = sum((one[:, i : i + 1] * w for i, w in enumerate((1, 3, 7))), one[:, :1] * 0) if len(one) == 3 else _between(found.order)
    mean = sum((matrix[g] @ somewhere for g in found.fixing_start), somewhere * 0)
    matrices = {x: matrix[g] for x, g in found.letters.items()}
    return orbit(found.automaton, matrices, mean) or orbit(found.automaton, matrices, somewhere)


def _between(order: int) -> Array:
    """The direction of angle pi / order: its images under the dihedral group of that order are the corners of a regular polygon."""
    return np.array([[x] for x in cosine_and_sine(2 * order)], dtype=object)


@cache
def dihedral_elements(m: int) -> dict[Images, tuple[int, int]]:
    """D_m as permutations of its 2m elements r^theta s^epsilon, each with (theta, epsilon)."""
    named: list[tuple[int, int]] = list(product(range(m), (0, 1)))
    number = {element: i for i, element in enumerate(named)}
    return {tuple(number[dihedral_step(m, g, ("rs"[e], a))] for g in named): (a, e) for a, e in named}


@cache
def dihedral_matrices(m: int) -> dict[Images, Array]:
    """D_m in the plane: r^a is the product of two mirrors, r^a s one mirror."""
    order = rotation_order(4 * m)
    flip = mirror(m, 0, order)
    return {g: mirror(m, 2 * a, order) if e else mirror(m, 2 * a, order) @ flip for g, (a, e) in dihedral_elements(m).items()}


@cache
def cube_rotations() -> dict[Images, Array]:
    """The 24 rotations of the cube, as permutations of the faces e_0, e_1, e_2, -e_0, -e_1, -e_2: a group isomorphic to S_4."""
    found = {}
    for p, signs in product(permutations(range(3)), product((1, -1), repeat=3)):
        A = permutation_matrix(p) * exact.rationals([[s] for s in signs])
        if np.linalg.det(exact.as_float(A)) > 0:
            ends = [next((i, A[i, j] > 0) for i in range(3) if A[i, j] != 0) for j in range(3)]
            found[(*(i if up else i + 3 for i, up in ends), *(i + 3 if up else i for i, up in ends))] = A
    return found


# -- one reflection a letter, or two layers --------------------------------------------------------------------------------------


def _as_states(found: Permuting, stack: Stack, letters: Mapping[Key, object], element: Callable[[Any], Images | None]) -> Stack:
    """A stack whose output names an element, made to say where the element takes the start."""

    def state(output: object) -> int | None:
        g = element(output)
        return None if g is None else g[found.automaton.start]

    return with_places(stack, letters, state)


def addition_stack(found: Permuting) -> Stack:
    """Two layers of reflections for a cyclic group (grazzi25, Theorem 6)."""
    exponents = cyclic_exponents(found.automaton)
    assert exponents is not None
    n, state = found.automaton.n, {0: found.automaton.start}
    for k in (waiting := [0]):
        for x, e in exponents.items():
            if (k + e) % n not in state:
                state[(k + e) % n] = found.automaton.table[x][state[k]]
                waiting.append((k + e) % n)
    return with_places(addition_by_reflections(n), exponents, state.get)


def as_dihedral(found: Permuting) -> dict[Images, Images] | None:
    """The group inside the dihedral group of its order, as permutations of the elements r^theta s^epsilon."""
    if found.elements is None or len(found.elements) % 2:
        return None
    return embedding(found.letters, found.elements, list(dihedral_elements(len(found.elements) // 2)))


def dihedral_stack(found: Permuting, images: Mapping[Images, Images]) -> Stack:
    """Two layers of width 2, one reflection a letter, for a dihedral group."""
    m = len(images) // 2
    names = dihedral_elements(m)
    element = {names[image]: g for g, image in images.items()}
    letters = {x: ("rs"[e], a) for x, g in found.letters.items() for a, e in [names[images[g]]]}
    return _as_states(found, dihedral_by_reflections(m), letters, element.get)


def solvable_stack(found: Permuting) -> Stack | None:
    """A clock and an addition for each composition factor, one reflection a letter, for a solvable group."""
    if found.elements is None or not found.group.is_solvable:
        return None
    return _as_states(found, solvable_by_reflections(found.letters), {x: x for x in found.letters}, lambda g: g)


def sign_stack(found: Permuting) -> Stack | None:
    """S_5 as a sign, and a rotation of the icosahedron."""
    if found.elements is None or len(found.elements) != 120:
        return None
    images = embedding(found.letters, found.elements, list(permutations(range(5))))
    if images is None:
        return None
    element = {image: g for g, image in images.items()}
    letters = {x: images[g] for x, g in found.letters.items()}
    return _as_states(found, sign_and_rotation(letters), {x: x for x in letters}, element.get)
