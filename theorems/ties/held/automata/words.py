"""What words and pairs of elements do, row by row: images of sets, words by their length, isomorphisms by the images of generators."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product

import numpy as np

from .....constructions.automata.automaton import Automaton
from .....constructions.automata.read import small_groups
from .....constructions.languages import clocked
from .....constructions.languages.images import images_of
from .....constructions.languages.language import language_of
from .....constructions.languages.machine import machine_of
from ....claim import tie
from ....evidence import Proof
from ...shared import spread
from .common import Images, after, generated


def tables(n: int) -> list[dict[str, Images]]:
    """A circle with a reset, one with two states that are merged, and steps up and down."""
    turn, up, down = (*range(1, n), 0), tuple(min(q + 1, n - 1) for q in range(n)), tuple(max(q - 1, 0) for q in range(n))
    return [{"t": turn, "r": (n - 1,) * n}, {"m": (0, 0, *range(2, n))[:n], "t": turn}, {"u": up, "d": down}]


@tie("new.automata.pauses")
def words_of_images(proof: Proof) -> None:
    """All images of the set of up to nine states, each with a word that takes all states to it, and what each letter makes of it."""
    for n in proof.tied("9 states to 1", (9, 7, 5, 3, 2, 1)):
        for rows in tables(n):
            machine = machine_of(Automaton(rows, 0, frozenset()), True)
            delta = machine.delta.tolist()
            found = images_of(machine)
            sets = [frozenset(np.flatnonzero(row).tolist()) for row in found.sets]
            wanted = spread([frozenset(range(machine.n))], lambda X, delta=delta: [frozenset(row[q] for q in X) for row in delta])
            proof.exactly("images_of", (sets, found.complete), (wanted, True))
            for i, X in enumerate(sets):
                reached = frozenset(range(machine.n))
                for a in found.word(i):
                    reached = frozenset(delta[a][q] for q in reached)
                proof.exactly("Images.word", reached, X)
                proof.exactly("after", [sets[j] for j in found.after[i]], [frozenset(row[q] for q in X) for row in delta])


@tie("new.automata.one-layer.norm.converse")
def words_by_length(proof: Proof) -> None:
    """Which maps words of each length have, and which of these move a state round a cycle, by all words; up to five states."""
    for n in proof.tied("5 states to 2", (5, 4, 3, 2)):
        for rows in tables(n):
            language = language_of(Automaton(rows, 0, frozenset({0})))
            found, delta = clocked.lengths_of(language), [tuple(row) for row in language.machine.delta.tolist()]
            maps = [tuple(row) for row in found.monoid.maps.tolist()]
            layer = {tuple(range(language.machine.n))}
            for marked in found.layers:
                proof.exactly("lengths_of: maps of each length", {maps[i] for i in np.flatnonzero(marked)}, layer)
                layer = {after(row, f) for f in layer for row in delta}
            proof.exactly("lengths_of: what follows the last", {maps[i] for i in np.flatnonzero(found.layers[found.again])}, layer)
            proof.exactly("lengths_of: cycles", found.cyclic.tolist(), [_moves_round(f) for f in maps])


def _moves_round(f: Sequence[int]) -> bool:
    """Whether some state comes back to itself, but not at once."""
    lasting = set(range(len(f)))
    for _ in f:
        lasting = {f[q] for q in lasting}
    return any(f[q] != q for q in lasting)


@tie("grazzi25.sec1.regular")
def isomorphisms_by_generators(proof: Proof) -> None:
    """Images of two elements of a group of up to eight: the isomorphism with these, if there is one, by multiplying pairs."""
    found = [np.add.outer(np.arange(n), np.arange(n)) % n for n in (8, 4, 2)] + [np.arange(4)[:, None] ^ np.arange(4)[None, :]]
    s3 = sorted(generated([(1, 0, 2), (1, 2, 0)]))
    found.append(np.array([[s3.index(after(g, h)) for h in s3] for g in s3]))
    for one in proof.tied("groups of eight elements, six, four and two", found):
        for other in (table for table in found if len(table) == len(one)):
            for chosen in combinations(range(1, min(len(one), 6)), 2):
                for there in product(range(len(one)), repeat=2):
                    images = small_groups._extended(one, other, dict(zip(chosen, there, strict=True)))
                    wanted = _by_pairs(one.tolist(), other.tolist(), chosen, there)
                    proof.exactly("_extended", None if images is None else images.tolist(), wanted)


def _by_pairs(one: list[list[int]], other: list[list[int]], chosen: Sequence[int], there: Sequence[int]) -> list[int] | None:
    pairs = spread([(0, 0)], lambda p: [(one[p[0]][g], other[p[1]][h]) for g, h in zip(chosen, there, strict=True)])
    sizes = {len(pairs), len({g for g, _ in pairs}), len({h for _, h in pairs})}
    return [dict(pairs)[g] for g in range(len(one))] if sizes == {len(one)} else None
