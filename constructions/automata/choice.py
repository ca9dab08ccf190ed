"""Which construction an automaton is compiled by, chosen by what each costs before any of them is proved.

A :class:`Candidate` knows its widths, its margin, half the least distance, in the largest entry, of two states that the decoder has to tell
apart, and its room for rounding: the margin over the largest norm of a state, inf if no number is ever rounded. ``prefer`` is the criterion:

* ``"exact"``: no rounding; then as ``"shallow"``
* ``"shallow"``: the fewest layers among those whose state, all layers together, is at most twice as large as need be; then the smallest state;
  then the most room
* ``"narrow"``: the least width of the widest layer; then the fewest layers; then the most room

Only stacks of contractions are compared, products of generalized Householder factors. A cascade that reads too much to be proved soon
gives way to the next candidate; ``one-hot`` is taken only if asked for, since its transitions have norms above 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import hypot, inf
from typing import Literal, get_args

import numpy as np
from sympy import factorint

from ...numerics import exact
from ..householder import boolean_transition
from ..recurrence import Recurrence, Stack
from .affine import key, require_room
from .automaton import Automaton
from .cascade import Cascade, by_holonomy, excluded_states
from .delays import two_slot_stack
from .group_names import structure
from .groups import cyclic_exponents, even_permutations_as_rotations
from .layers import repaired_stack
from .permuting import (
    Orbit,
    Permuting,
    addition_stack,
    as_dihedral,
    dihedral_stack,
    least_distance,
    numbers,
    permutation_layer,
    permuting,
    reset_rotation_layer,
    rotation_layer,
    sign_stack,
    signed_orbit,
    solvable_stack,
    space_layer,
)
from .registers import register, register_layer
from .skeleton import TooManySets, skeleton
from .unrounded import unrounded_levels, unrounded_stack

Construction = Literal[
    "best",
    "holonomy",
    "wide-holonomy",
    "disjoint",
    "excluded",
    "delays",
    "unrounded",
    "register",
    "rotation",
    "signed",
    "permutation",
    "two-reflections",
    "addition",
    "dihedral",
    "solvable",
    "one-hot",
]
Prefer = Literal["exact", "shallow", "narrow"]

#: how many times as large as need be a state may be, for the sake of fewer layers
LARGER = 2

#: how much (letter, set before, set after) the levels of a cascade may read: seconds of proof; files of more would not be re-checked
FEW_READS, MANY_READS = 30_000, 100_000

#: groups with more elements are looked into only if the construction is named: for solids and dihedral groups, and for composition series
LARGEST_TRIED, LARGEST_SERIES = 120, 64

OF_GROUPS = ("rotation", "signed", "permutation", "two-reflections", "addition", "dihedral", "solvable")
CASCADES = ("holonomy", "wide-holonomy", "disjoint", "excluded", "delays", "unrounded")

#: what a construction takes
FITS = {
    "holonomy": "an automaton whose words produce at most 20000 sets of states",
    "wide-holonomy": "an automaton whose words produce at most 20000 sets of states",
    "disjoint": "an automaton whose words produce at most 20000 sets of states",
    "excluded": "an automaton",
    "delays": "an automaton with at least two states, whose words produce few sets of them",
    "unrounded": "an automaton",
    "register": "an automaton whose state depends on a few last letters alone",
    "rotation": "letters that generate a cyclic group, and resets beside them",
    "signed": "letters that permute the states",
    "permutation": "letters that permute the states",
    "two-reflections": "letters that generate a cyclic or dihedral group, A4, S4, A5 or S5",
    "addition": "letters that generate a cyclic group",
    "dihedral": "letters that generate a dihedral group",
    "solvable": "letters that generate a solvable group",
}


@dataclass(frozen=True, eq=False)
class Candidate:
    """A construction that fits, with the widths of its layers and lower bounds of its margin and its room for rounding."""

    construction: str
    automaton: Automaton
    widths: tuple[int, ...]
    margin: float
    room: float
    stack: Callable[[], Stack]
    cascade: Cascade | None = None

    @property
    def depth(self) -> int:
        return len(self.widths)

    @property
    def width(self) -> int:
        return max(self.widths)

    @property
    def exact(self) -> bool:
        """Whether floats round none of its numbers."""
        return self.room == inf

    @property
    def size(self) -> int:
        """The numbers in the states of all layers."""
        return sum(self.widths)

    def cost(self, prefer: Prefer, enough: float = inf) -> tuple[float, ...]:
        """What the best candidate has least of, the most important first; states larger than ``enough`` come last unless width comes first."""
        # what is equal in exact numbers may differ in its last bits
        cramped = -round(self.room, 12)
        if prefer == "narrow":
            return self.width, self.depth, cramped
        return prefer == "exact" and not self.exact, self.size > enough, self.depth, self.size, cramped

    def reads_at_most(self, bound: int) -> bool:
        """Whether its levels read no more than that; true without a cascade."""
        return self.cascade is None or self.cascade.reads_at_most(bound)


def choose(automaton: Automaton, construction: Construction = "best", prefer: Prefer = "exact") -> Candidate:
    """The best candidate for the reachable part of an automaton, among those of one construction if it is named.

    Raises ``ValueError`` for what is no automaton or if the construction does not fit it, and ``ArithmeticError`` if nothing that fits is within bounds.
    """
    for got, known in ((construction, get_args(Construction)), (prefer, get_args(Prefer))):
        if got not in known:
            raise ValueError(f"expected one of {', '.join(known)}, got {got!r}")
    if not isinstance(automaton, Automaton):
        raise ValueError(f"expected an Automaton, got {type(automaton).__name__}: sources.from_dfa, from_regex and their like make one")
    reachable = automaton.reachable()
    if construction == "one-hot":
        return one_hot(reachable)
    found = [c for c in candidates(reachable, construction) if construction in ("best", c.construction)]
    if not found:
        raise ValueError(f"expected {FITS[construction]} for the construction {construction}, got {described(reachable)}")
    for bound in (FEW_READS, MANY_READS):
        for candidate in ranked(found, prefer):
            if candidate.reads_at_most(bound):
                return candidate
    raise ArithmeticError(f"expected a cascade small enough to be proved, got {described(reachable)}")


def ranked(found: Sequence[Candidate], prefer: Prefer) -> list[Candidate]:
    """The best first."""
    fit = [c.size for c in found if c.exact or prefer != "exact"]
    enough = LARGER * min(fit, default=inf)
    return sorted(found, key=lambda c: c.cost(prefer, enough))


def candidates(automaton: Automaton, construction: Construction = "best") -> Iterator[Candidate]:
    """Every construction by contractions that fits a reachable automaton; one that takes long to try only if it is the one named."""
    if construction in ("best", *CASCADES):
        yield from cascade_candidates(automaton, construction)
    if construction in ("best", "register") and (window := register(automaton)):
        margin = 0.5 if automaton.n > 1 else inf
        yield Candidate("register", automaton, (window.length,), margin, inf, lambda: Stack((register_layer(automaton, window),)))
    if construction not in CASCADES and (found := permuting(automaton)):
        yield from group_candidates(found, construction)
    elif construction in ("best", "rotation") and automaton.n > 2 and (layer := reset_rotation_layer(automaton)):
        margin = polygon(automaton.n)
        yield Candidate("rotation", automaton, (2,), margin, margin, lambda: Stack((layer,)))


def described(automaton: Automaton) -> str:
    """What an automaton is, as far as it matters to the constructions."""
    states = f"{automaton.n} state{'s' * (automaton.n > 1)}"
    if (found := permuting(automaton)) is None:
        merging = next(x for x, images in automaton.table.items() if len(set(images)) < automaton.n)
        return f"{states}, some of which the letter {merging!r} merges"
    return f"letters that generate the group {structure(found.group)} on {states}"


# -- cascades ------------------------------------------------------------------------------------------------------------------


def cascade_candidates(automaton: Automaton, construction: Construction = "best") -> Iterator[Candidate]:
    """The cascades, each by the repaired layers and by layers that no float rounds; by layers of two slots only if these are named."""
    resets = any(len(set(images)) < automaton.n for images in automaton.table.values())
    for name, cascade in cascades(automaton, construction):
        if not cascade.sizes:
            yield Candidate(name, automaton, (1,), inf, inf, lambda c=cascade: repaired_stack(c), cascade)
            continue
        margins = [level_margin(m, resets) for m in cascade.sizes]
        margin, room = (min(column) for column in zip(*margins, strict=True))
        yield Candidate(name, automaton, cascade.sizes, margin, room, lambda c=cascade: repaired_stack(c), cascade)
        if construction == "delays":
            yield Candidate(
                "delays", automaton, tuple(2 * m for m in cascade.sizes), 0.5, inf, lambda c=cascade: two_slot_stack(c), cascade
            )
        # where nothing is reset, "signed" is the one level, and the others are no narrower
        if construction == "unrounded" or (construction == "best" and resets):
            levels = unrounded_levels(cascade)
            widths, margin = tuple(at.width for at in levels), min(at.margin for at in levels)
            yield Candidate("unrounded", automaton, widths, margin, inf, lambda c=cascade: unrounded_stack(c), cascade)


def level_margin(m: int, resets: bool) -> tuple[float, float]:
    """(margin, room) of a level of m >= 2 states by ``layers.level_maps``: states v_q, v_q + s 1 after a reset, and e_q at first."""
    if not resets:
        return 0.5, 0.5
    # the codes s of two old states differ by 3 / m^2 at least, and are 1/m + 3 (m - 1) / (2 m^2) at most
    spare = 1 / m + 1.5 * (m - 1) / m**2
    return 1.5 / m**2, 1.5 / m**2 / hypot((1 - 1 / m) ** 0.5, spare * m**0.5)


def cascades(automaton: Automaton, construction: Construction = "best") -> Iterator[tuple[str, Cascade]]:
    """The cascades with their names; those by holonomy are left out if there are too many sets: ``ArithmeticError`` if one is named."""
    try:
        every = skeleton(automaton, all_tiles=True)
        wide = by_holonomy(every)
        yield "holonomy", wide if max(map(len, every.tiles.values())) <= automaton.n else by_holonomy(skeleton(automaton))
        yield "wide-holonomy", wide
        yield "disjoint", by_holonomy(every, "disjoint")
    except TooManySets:
        if construction in ("holonomy", "wide-holonomy", "disjoint"):
            raise
    yield "excluded", excluded_states(automaton)


# -- groups --------------------------------------------------------------------------------------------------------------------


def group_candidates(found: Permuting, construction: Construction = "best") -> Iterator[Candidate]:
    """The layers and stacks for automata whose letters permute the states."""
    automaton, n, wanted = found.automaton, found.automaton.n, {construction} if construction != "best" else set(OF_GROUPS)
    if wanted & {"rotation", "two-reflections", "addition"} and cyclic_exponents(automaton) is not None:
        widths = (2,) if n > 2 else (1,)
        for name in ("rotation", "two-reflections"):
            room = inf if n <= 2 else polygon(n)
            yield Candidate(name, automaton, widths, polygon(n), room, lambda: Stack((rotation_layer(found),)))
        yield Candidate("addition", automaton, (1, 2), min(0.5, polygon(2 * n)), min(0.5, polygon(2 * n)), lambda: addition_stack(found))
    elif "two-reflections" in wanted and found.listed(LARGEST_TRIED if construction == "best" else inf):
        if layer := space_layer(found):
            yield _one_layer("two-reflections", found, layer)
        if stack := sign_stack(found):
            yield _stack("two-reflections", found, stack, {1: 1, icosahedron(): hypot(1, 3, 7)})
    if "permutation" in wanted:
        moved = numbers(found)
        margin = least_distance(np.array(list(moved.states))) / 2
        yield Candidate(
            "permutation", automaton, (len(next(iter(moved.states))),), margin, inf, lambda: Stack((permutation_layer(automaton, moved),))
        )
    if "signed" in wanted:
        vectors, layer = signed_orbit(found)
        yield Candidate("signed", automaton, (vectors.width,), 0.5 if n > 1 else inf, inf, lambda: Stack((layer,)))
    if "dihedral" in wanted and found.listed(LARGEST_TRIED if construction == "best" else inf) and (images := as_dihedral(found)):
        margin = min(1, polygon(found.order // 2))
        yield Candidate("dihedral", automaton, (2, 2), margin, min(margin, 0.5**0.5), lambda: dihedral_stack(found, images))
    if "solvable" in wanted and found.listed(LARGEST_SERIES if construction == "best" else inf) and (stack := solvable_stack(found)):
        yield _stack("solvable", found, stack, {1: 1} | {polygon(p): 1 for p in factorint(found.order)})


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


def one_hot(automaton: Automaton) -> Candidate:
    """One layer of width n, one-hot states and 0/1 transitions of norm up to sqrt(n) (grazzi25, App. A.3): no GH product in general.

    Raises ``ArithmeticError`` if its n^2 numbers for each letter are more than there is room for.
    """
    require_room(automaton.n, len(automaton.table), automaton.n)
    start = exact.unit_vector(automaton.n, automaton.start)[:, None]
    table = {x: (boolean_transition(images), start * 0) for x, images in automaton.table.items()}
    state = {key(exact.unit_vector(automaton.n, q)[:, None]): q for q in range(automaton.n)}
    layer = Recurrence.from_table(table, start, lambda H, x: state.get(key(H)))
    return Candidate("one-hot", automaton, (automaton.n,), 0.5 if automaton.n > 1 else inf, inf, lambda: Stack((layer,)))
