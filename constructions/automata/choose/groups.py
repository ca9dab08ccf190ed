"""Letters that permute the states: layers of a rotation, of permutation matrices or of reflections, and stacks by composition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import hypot, inf

import numpy as np

from ....numerics import exact
from ....numerics.primes import prime_factors
from ...recurrence import Stack
from ..algebra.permuting import Permuting
from ..layers.groups import cyclic_exponents, even_permutations_as_rotations
from ..layers.transitive import (
    Orbit,
    addition_stack,
    as_dihedral,
    dihedral_stack,
    least_distance,
    numbers,
    permutation_layer,
    reset_rotation_layer,
    rotation_layer,
    sign_stack,
    signed_layer,
    solvable_stack,
    space_layer,
)
from .candidate import Candidate
from .given import LARGEST_TRIED, Given, Way

#: larger groups are looked into for composition series only if these are named
LARGEST_SERIES = 64


def rotation(given: Given) -> Iterator[Candidate]:
    """A polygon that turns; with resets beside it, for three states and more."""
    if (found := given.permuting) is not None:
        yield from _turning("rotation", found)
    elif given.automaton.n > 2 and (layer := reset_rotation_layer(given.automaton)):
        margin = polygon(given.automaton.n)
        yield Candidate("rotation", given.automaton, (2,), margin, margin, lambda: Stack((layer,)))


def _turning(name: str, found: Permuting) -> Iterator[Candidate]:
    automaton, n = found.automaton, found.automaton.n
    if cyclic_exponents(automaton) is not None:
        room = inf if n <= 2 else polygon(n)
        yield Candidate(name, automaton, (2,) if n > 2 else (1,), polygon(n), room, lambda: Stack((rotation_layer(found),)))


def signed(given: Given) -> Iterator[Candidate]:
    """Signed permutation matrices."""
    if (found := given.permuting) is not None:
        width, layer = signed_layer(found)
        yield Candidate("signed", given.automaton, (width,), 0.5 if given.automaton.n > 1 else inf, inf, lambda: Stack((layer,)))


def permutation(given: Given) -> Iterator[Candidate]:
    """Permutation matrices, on few numbers."""
    if (found := given.permuting) is not None:
        moved = numbers(found)
        margin, width = least_distance(np.array(list(moved.states))) / 2, len(next(iter(moved.states)))
        yield Candidate("permutation", given.automaton, (width,), margin, inf, lambda: Stack((permutation_layer(given.automaton, moved),)))


def two_reflections(given: Given) -> Iterator[Candidate]:
    """A polygon, a solid, or S_5 as a sign above the icosahedron."""
    if (found := given.permuting) is None:
        return
    if cyclic_exponents(given.automaton) is not None:
        yield from _turning("two-reflections", found)
    elif found.listed(inf if given.named else LARGEST_TRIED):
        if layer := space_layer(found):
            yield _one_layer("two-reflections", found, layer)
        if stack := sign_stack(found):
            yield _stack("two-reflections", found, stack, {1: 1, icosahedron(): hypot(1, 3, 7)})


def addition(given: Given) -> Iterator[Candidate]:
    """Two layers of reflections for a cyclic group."""
    if (found := given.permuting) is not None and cyclic_exponents(given.automaton) is not None:
        margin = min(0.5, polygon(2 * given.automaton.n))
        yield Candidate("addition", given.automaton, (1, 2), margin, margin, lambda: addition_stack(found))


def dihedral(given: Given) -> Iterator[Candidate]:
    """Two layers of width 2."""
    found = given.permuting
    if found is not None and found.listed(inf if given.named else LARGEST_TRIED) and (images := as_dihedral(found)):
        margin = min(1, polygon(found.order // 2))
        yield Candidate("dihedral", given.automaton, (2, 2), margin, min(margin, 0.5**0.5), lambda: dihedral_stack(found, images))


def solvable(given: Given) -> Iterator[Candidate]:
    """A clock and an addition for each composition factor."""
    found = given.permuting
    if found is not None and found.listed(inf if given.named else LARGEST_SERIES) and (stack := solvable_stack(found)):
        yield _stack("solvable", found, stack, {1: 1} | {polygon(p): 1 for p in prime_factors(found.order)})


def _one_layer(name: str, found: Permuting, orbit: Orbit) -> Candidate:
    margin = least_distance(orbit.points) / 2
    room = inf if orbit.integral else margin / float(np.linalg.norm(orbit.points[0]))
    return Candidate(name, found.automaton, (len(orbit.layer.initial),), margin, room, lambda: Stack((orbit.layer,)))


def _stack(name: str, found: Permuting, stack: Stack, margins: Mapping[float, float]) -> Candidate:
    """``margins``: the margin of each layer and the norm of its states."""
    widths = tuple(len(H) for H in stack.initial)
    return Candidate(name, found.automaton, widths, min(margins), min(m / radius for m, radius in margins.items()), lambda: stack)


def polygon(m: int) -> float:
    """The margin of the corners of a regular m-gon, the first one at (1, 0); of 1 and -1 for m = 2."""
    angles = 2 * np.pi * np.arange(m) / m
    return least_distance(np.stack([np.cos(angles), np.sin(angles)], axis=1)) / 2


def icosahedron() -> float:
    """The margin of the sixty vectors of ``groups.sign_and_rotation``."""
    return least_distance(np.array([exact.as_float(R) @ (1, 3, 7) for R in even_permutations_as_rotations().values()])) / 2


CYCLIC = "letters that generate a cyclic group"

GROUPS = {
    "rotation": Way(f"{CYCLIC}, and resets beside them", rotation),
    "two-reflections": Way("letters that generate a cyclic or dihedral group, A4, S4, A5 or S5", two_reflections),
    "addition": Way(CYCLIC, addition),
    "permutation": Way("letters that permute the states", permutation),
    "signed": Way("letters that permute the states", signed),
    "dihedral": Way("letters that generate a dihedral group", dihedral),
    "solvable": Way("letters that generate a solvable group", solvable),
}
