"""Finds what decides the layers of all automata of four states and three letters, and keeps it: machines with two layers, and semigroups that take three.

``python -m lemmata.theorems.automata.layers_of_four_states_search > theorems/automata/layers_of_four_states_found.py`` writes the file; it takes some minutes of one core.

The number of layers follows from the semigroup of maps and grows with it. So a semigroup inside one with two layers is settled, and one around a semigroup that takes
three; those in the middle are tried first. What contains a semigroup for which no two layers were found is not searched for them.
The bounds grow with the semigroup too, so that one within a semigroup with the bound two is not tried.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ...constructions.languages.machine import Array
from .layers_of_four_states import contents_bound, foldings_bound
from .loops_of_maps import turns_for_two_layers
from .small_semigroups import around, least_names, one_sided, packed, semigroups, spelled, up_to_names, within

#: how many letter triples of one semigroup are tried
TRIED = 3


@dataclass
class Found:
    """Lines of what decides: letters with turns for two layers; letters whose semigroups take three layers, by contents and by foldings alone."""

    two: list[str] = field(default_factory=list)
    contents: list[str] = field(default_factory=list)
    foldings: list[str] = field(default_factory=list)


class Search:
    """The semigroups of all automata of n states and so many letters that one layer does not track, from small to large."""

    def __init__(self, n: int, letters: int):
        self.n = n
        rows = up_to_names(n, letters)
        sets, which = least_names(n, semigroups(n, rows))
        self.letters: list[list[list[int]]] = [[] for _ in sets]
        for row, place in zip(rows.tolist(), which.tolist(), strict=True):
            self.letters[place].append(list(dict.fromkeys(row)))
        self.elements = [np.flatnonzero(row).tolist() for row in sets]
        self.packed = packed(sets)
        more = [i for i, elements in enumerate(self.elements) if not one_sided(n, elements)]
        self.order = sorted(more, key=lambda i: (len(self.elements[i]), i))

    def tried(self, i: int) -> list[list[int]]:
        """Some letters of a semigroup, the fewest first."""
        return sorted(self.letters[i], key=lambda row: (len(row), row))[:TRIED]

    def machine(self, i: int) -> str | None:
        """Letters of a semigroup with turns over which two layers track it, as a line; None if none is found."""
        for row in self.tried(i):
            if (turns := turns_for_two_layers(self.n, row)) is not None:
                return f"{spelled(self.n, row)} {turns[0]} {''.join(map(str, turns[1]))}"
        return None

    def two_layers(self) -> tuple[Array, list[str]]:
        """Which semigroups are within one of two layers by loops; the lines of those that suffice for that."""
        settled = np.zeros(len(self.packed), dtype=int)
        lines: dict[int, str] = {}
        few = [i for i in self.order if len(self.tried(i)[0]) < 3]
        left = self.order
        while left:
            i = few.pop() if few else left[len(left) // 2]
            found = None if settled[i] else self.machine(i)
            if found is not None:
                lines[i] = found
                settled[within(self.n, self.packed, self.elements[i]) & (settled == 0)] = 1
            elif not settled[i]:
                settled[around(self.n, self.packed, self.elements[i]) & (settled == 0)] = -1
            left = [i for i in left if not settled[i]]
        return settled == 1, self.largest(lines)

    def largest(self, lines: dict[int, str]) -> list[str]:
        """The lines without those of semigroups within another one's."""
        kept, covered = [], np.zeros(len(self.packed), dtype=bool)
        for i in sorted(lines, key=lambda i: (-len(self.elements[i]), i)):
            if not covered[i]:
                kept.append(lines[i])
                covered |= within(self.n, self.packed, self.elements[i])
        return kept

    def three_layers(self, left: list[int], least: Callable[[int, list[int]], int]) -> tuple[Array, list[str]]:
        """Which of some semigroups contain one whose bound is three; the lines of the smallest of these. The bounds grow with the semigroup."""
        settled = np.zeros(len(self.packed), dtype=int)
        lines: dict[int, str] = {}
        while left := [i for i in left if not settled[i]]:
            i = left[len(left) // 2]
            row = self.tried(i)[0]
            if least(self.n, row) == 3:
                lines[i] = spelled(self.n, row)
                settled[around(self.n, self.packed, self.elements[i]) & (settled == 0)] = 1
            else:
                settled[within(self.n, self.packed, self.elements[i]) & (settled == 0)] = -1
        kept, covered = [], np.zeros(len(self.packed), dtype=bool)
        for i in sorted(lines, key=lambda i: (len(self.elements[i]), i)):
            if not covered[i]:
                kept.append(lines[i])
                covered |= around(self.n, self.packed, self.elements[i])
        return settled == 1, kept


def search(letters: int) -> Found:
    """What decides automata of four states and so many letters."""
    all_of = Search(4, letters)
    two, lines = all_of.two_layers()
    contents, small = all_of.three_layers([i for i in all_of.order if not two[i]], contents_bound)
    _, others = all_of.three_layers([i for i in all_of.order if not two[i] and not contents[i]], foldings_bound)
    return Found(lines, small, others)


HEADER = '''"""What decides the layers of automata of four states and up to three letters: written by :mod:`.layers_of_four_states_search`, not by hand.

``TWO``: letters by their images, the order of a cyclic group, and a turn for each letter. ``CONTENTS`` and ``FOLDINGS``: letters whose semigroups take three layers.
"""
'''


def written(found: Found) -> str:
    """The file."""
    parts = [HEADER]
    for name, lines in (("TWO", found.two), ("CONTENTS", found.contents), ("FOLDINGS", found.foldings)):
        text = "\n".join(textwrap.wrap(", ".join(lines), 136, break_long_words=False))
        parts.append(f'\n{name} = """\n{text}\n"""\n')
    return "".join(parts)


if __name__ == "__main__":
    print(written(search(3)), end="")
