"""How many layers of norm at most 1 automata of four states take: all with two and with three letters, by what decides them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from ...constructions.automata import Automaton
from ...constructions.languages import language_of
from ...constructions.languages.folded_layers import folded_bound
from ...constructions.languages.layers_of_norm_one import bound
from ...constructions.languages.machine import Array
from ..claim import claim
from ..evidence import Proof
from . import layers_of_four_states_found as found
from .layers_needed import FROM_BELOW, NO_WINDOWS, ONE_PRODUCT_EACH, TRACKS
from .loops_of_maps import start_with_two_layers
from .one_layer import CLOSED, DECODER, EXACT
from .small_semigroups import around, least_names, maps_of, one_sided, packed, read, semigroups, starts, up_to_names, within

NONE, ONE, LOOPS, CONTENTS, FOLDINGS, OPEN = (
    "0, the last letter decides",
    "1, one layer: efe = fe",
    "2, loops, and the bound by contents",
    "3, one less than states, and the bound by contents",
    "3, one less than states, and the bound by foldings",
    "2 to 3, open",
)
METHODS = (NONE, ONE, LOOPS, CONTENTS, FOLDINGS, OPEN)


@dataclass(frozen=True)
class Machine:
    """Letters of four states as numbers of maps, with a turn for each in a cyclic group: loops over them satisfy e f e = f e."""

    letters: list[int]
    points: int
    turns: tuple[int, ...]


def machines() -> list[Machine]:
    """The machines of two layers that were found."""
    parts = [part.split() for part in found.TWO.split(",")]
    return [Machine(next(read(4, " ".join(words))), int(points), tuple(map(int, turns))) for *words, points, turns in parts]


def maps(n: int, letters: list[int]) -> list[tuple[int, ...]]:
    """Letters as tuples of images."""
    return [tuple(maps_of(n).images[f].tolist()) for f in letters]


def contents_bound(n: int, letters: list[int]) -> int:
    """The bound by contents of an automaton whose letters are these maps."""
    start = int(np.flatnonzero(starts(n, np.array([letters]))[0])[0])
    language = language_of(Automaton(dict(enumerate(maps(n, letters))), start), tracked=True)
    return bound(language.machine, language.monoid, True).layers


def foldings_bound(n: int, letters: list[int]) -> int:
    """The bound by foldings of an automaton whose letters are these maps."""
    return folded_bound(maps(n, letters), exact=True)


def elements(letters: Sequence[int]) -> list[int]:
    """The maps of all nonempty words over some maps of four states."""
    return np.flatnonzero(semigroups(4, np.array([letters]))[0]).tolist()


@dataclass(frozen=True)
class Decided:
    """Automata up to names as rows of letters, the semigroup of each as a number and as packed sets, and what decides it, as numbers of :data:`METHODS`."""

    rows: Array
    which: Array
    sets: Array
    method: Array

    def counts(self) -> dict[str, int]:
        """How many automata each method decides."""
        known = Counter(self.method.tolist())
        return {name: known[i] for i, name in enumerate(METHODS)}

    @property
    def open(self) -> Array:
        """The places of the open automata, those with the smallest semigroups first."""
        sizes = np.bitwise_count(self.sets).sum(axis=1)[self.which]
        places = np.flatnonzero(self.method == METHODS.index(OPEN))
        return places[np.argsort(sizes[places], kind="stable")]


@cache
def decided(letters: int, two: Callable[[int, Array, Sequence[int]], Array] = within) -> Decided:
    """What decides each automaton of four states and so many letters; those ``within`` a listed one of two layers take two."""
    rows = up_to_names(4, letters)
    sets, which = least_names(4, semigroups(4, rows))
    bits = packed(sets)
    one = np.array([one_sided(4, np.flatnonzero(row)) for row in sets])
    method = np.where(one, METHODS.index(ONE), METHODS.index(OPEN))
    for name, inclusion, lines in (
        (LOOPS, two, [m.letters for m in machines()]),
        (CONTENTS, around, list(read(4, found.CONTENTS))),
        (FOLDINGS, around, list(read(4, found.FOLDINGS))),
    ):
        for line in lines:
            left = np.flatnonzero(method == METHODS.index(OPEN))
            method[left[inclusion(4, bits[left], elements(line))]] = METHODS.index(name)
    images = maps_of(4).images
    constant = (images[rows] == images[rows][..., :1]).all(axis=(1, 2))
    return Decided(rows, which, bits, np.where(constant, METHODS.index(NONE), method[which]))


def smallest_open(letters: int) -> list[int] | None:
    """The open automaton with the smallest semigroup, of those around no open one with fewer letters; the first in the order of maps. None if there is none."""
    known = decided(letters)
    fewer = [decided(k) for k in range(1, letters)]
    inner = np.zeros(len(known.sets), dtype=bool)
    for other in fewer:
        for row in other.rows[other.open].tolist():
            inner |= around(4, known.sets, elements(row))
    return next((known.rows[i].tolist() for i in known.open if not inner[known.which[i]]), None)


#: what the claim says: automata by method, in the order of METHODS
COUNTS: dict[int, tuple[int, ...]] = {2: (0, 468, 609, 24, 53, 57), 3: (1, 11762, 51855, 10228, 12628, 29429)}


def listed_loops(machine: Machine) -> bool:
    """Whether loops over a machine's turns satisfy e f e = f e, from a state that leads to all others."""
    tried = np.flatnonzero(starts(4, np.array([machine.letters]))[0]).tolist()
    return start_with_two_layers(4, machine.letters, machine.turns, machine.points, tried) is not None


@claim(
    "new.automata.depth.four-states",
    place="after grazzi25 Sec. 4.3 (number of layers)",
    title="how many layers automata of four states take: 29,429 of 115,903 with three letters are left open, 57 of 1,211 with two",
    says=r"With finitely many exact states, the least number of layers $h\mapsto Ah+b$, $\|A\|\le1$, that track an automaton depends only on the semigroup $T$ of maps of its nonempty words, and does not fall as $T$ grows. Count automata of four states, all reachable from one of them, up to renaming states and letters. "
    r"Of the $1{,}211$ with two letters, $468$ take at most one layer, $609$ take two and $77$ take three; for $57$ these methods leave two or three. "
    r"Of the $115{,}903$ with three letters, $11{,}763$ take at most one layer, $51{,}855$ take two and $22{,}856$ take three; for $29{,}429$ these methods leave two or three.",
    hypotheses=(EXACT, ONE_PRODUCT_EACH, FROM_BELOW, DECODER, NO_WINDOWS, CLOSED, TRACKS),
    known="that complexity and depth of cascades depend on the semigroup alone is classical; for layers of norm at most 1 the census is ours.",
    remarks=(
        "The open automaton with the smallest semigroup has the letters 0032 2101, by their images, and 44 elements. With three letters, and no open part of two, it is 0013 0323 3110, with 15 elements.",
        "Turns were sought in cyclic groups of at most 4 elements for two letters, and of 2 for three. Larger groups may settle more.",
        "The compiler was not asked; it may build two layers for some that are open here.",
    ),
    sabotages={
        "the lower layer has no group": {"loops": lambda m: listed_loops(Machine(m.letters, 1, (0,) * len(m.letters)))},
        "one layer less is said to be needed": {"least": lambda n, letters: 2},
        "two layers are said of all that contain a listed machine": {"count": lambda letters: decided(letters, around).counts()},
    },
)
def automata_of_four_states(
    proof: Proof,
    loops: Callable[[Machine], bool] = listed_loops,
    least: Callable[[int, list[int]], int] | None = None,
    count: Callable[[int], dict[str, int]] = lambda letters: decided(letters).counts(),
) -> None:
    r"""The number of layers grows with the semigroup, so a few semigroups decide the others.

    1. Let a stack track an automaton, and let letters stand for nonempty words of it. A layer that reads such a letter applies its maps along the word, an affine map of norm at most 1; it knows what the layers below hand up within the word from their states before it. So this stack tracks the automaton of the new letters, from each state that its letters reach. [prose]
    2. So the least number of layers depends only on the semigroup $T$ of the maps of nonempty words, and does not fall as $T$ grows. [prose]
    3. If the idempotents of $T$ satisfy $efe=fe$, one layer is enough, and otherwise two are needed. [uses: new.automata.one-layer.norm.converse, new.automata.depth.exact]
    4. Listed automata take two layers, over the order in which letters were last read at each element of a cyclic group. [uses: new.automata.depth.two-layers] [checked: "idempotent loops satisfy efe = fe"]
    5. Listed semigroups take three layers, and three are enough for four states. [uses: new.automata.depth.exact, new.automata.depth.foldings, grazzi25.sec4.3.depth] [checked: "the bound by contents is three"; "the bound by foldings is three"; "they are in no listed machine of two layers"]
    6. Each automaton is compared with the lists, under all names of its states. [checked: "automata by what decides them"]
    """
    largest, step = proof.pick((2, 40), (3, 1), (3, 1))
    # the orders of eight pairs take some seconds
    chosen = [m for m in machines()[::step] if step == 1 or m.points < 4]
    for machine in proof.each(f"{len(chosen)} of {len(machines())} listed machines", chosen):
        proof.holds("idempotent loops satisfy efe = fe", loops(machine))
    for name, lines, known in (("contents", found.CONTENTS, contents_bound), ("foldings", found.FOLDINGS, foldings_bound)):
        for letters in proof.each(f"all semigroups listed for {name}", list(read(4, lines))):
            proof.exactly(f"the bound by {name} is three", (least or known)(4, letters), 3)
    two = packed(np.array([np.isin(np.arange(len(maps_of(4))), elements(m.letters)) for m in machines()]))
    for letters in proof.each("all listed semigroups that take three layers", list(read(4, f"{found.CONTENTS}, {found.FOLDINGS}"))):
        proof.holds("they are in no listed machine of two layers", not around(4, two, elements(letters)).any())
    for letters in proof.every(f"all automata of four states and 2 to {largest} letters, up to names", range(2, largest + 1)):
        proof.exactly("automata by what decides them", tuple(count(letters).values()), COUNTS[letters])
