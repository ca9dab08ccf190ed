"""What the claims on few layers, or on one factor per letter, demand of their certificates."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from ...cyclotomic import element
from ...exact import require
from ...registry import statement
from ...typed import Certificates, Data
from .demands import all_zero, compose, computes, field_one, generated, is_reflection, layers_of, network_layers, reachable


def permutation_of(name: str) -> tuple[int, ...]:
    """(1, 0, 2) from its text."""
    return tuple(int(c) for c in name if c.isdigit())


def is_diagonal(a: Sequence[Sequence[Any]]) -> bool:
    """No entry beside the diagonal."""
    return all(not any(x) for i, row in enumerate(a) for j, x in enumerate(row) if i != j)


@statement("new.automata.derived-length", "automaton")
def diagonal_layers(data: Data) -> None:
    """S_3 by two and S_4 by three complex diagonal layers, B = 0; all elements are letters, and the value is the product g x."""
    letters = {name: permutation_of(name) for name in data["letters"]}
    degree = len(next(iter(letters.values())))
    require(degree in (3, 4) and set(letters.values()) == set(itertools.permutations(range(degree))), "all permutations are letters")
    computes(data, tuple(range(degree)), lambda g, x: tuple(g[i] for i in letters[x]), list(letters))
    _, layers = layers_of(data)
    require(len(layers) == degree - 1, "two layers for S_3, three for S_4")
    require(all(is_diagonal(a) and all_zero(b) for a, b in itertools.chain(*layers)), "diagonal, B = 0")


@statement("new.automata.derived-length")
def both_groups(certificates: Certificates) -> None:
    """S_3 and S_4."""
    require(sorted(len(d["letters"]) for _, d in certificates) == [6, 24], "S_3 and S_4")


@statement("new.automata.one-factor.involutions", "automaton")
def nine_reflections(data: Data) -> None:
    """All nine involutions of S_4 are letters, one layer of width 3, each letter a reflection, B = 0; the value is the product."""
    letters = {name: permutation_of(name) for name in data["letters"]}
    one = (0, 1, 2, 3)
    involutions = {g for g in itertools.permutations(one) if g != one and all(g[g[i]] == i for i in one)}
    require(len(letters) == 9 and set(letters.values()) == involutions, "the nine involutions")
    computes(data, one, lambda g, x: tuple(letters[x][i] for i in g), list(letters))
    modulus, layers = layers_of(data)
    require(len(layers) == 1, "one layer")
    require(all(len(a) == 3 and is_reflection(a, modulus) and all_zero(b) for a, b in layers[0]), "reflections of width 3, B = 0")


def power(g: tuple[int, ...], k: int) -> tuple[int, ...]:
    """g^k, for k >= 0."""
    return compose(g, power(g, k - 1)) if k else tuple(range(len(g)))


@statement("new.automata.one-factor.heads", "automaton")
def two_blocks(data: Data) -> None:
    """Two heads, of widths 3 and 2, track a group of order 48 by three letters, two of which have a product of order 12; no element has order 24, so it is not dihedral."""
    letters = {name: permutation_of(name) for name in data["letters"]}
    points = tuple(range(10))
    computes(data, points, lambda g, x: compose(letters[x], g), list(letters))
    group = generated(list(letters.values()))
    require(len(letters) == 3 and len(group) == 48, "three letters, a group of order 48")
    products = [compose(g, h) for g, h in itertools.permutations(letters.values(), 2)]
    require(any(power(g, 12) == points and power(g, 4) != points != power(g, 6) for g in products), "a product of order 12")
    require(all(power(g, 12) == points for g in group), "no element of order 24")
    commute = [[compose(g, h) == compose(h, g) for h in letters.values() if h != g] for g in letters.values()]
    require(any(not any(others) for others in commute), "one letter commutes with no other")
    modulus, layers = layers_of(data)
    require(len(layers) == 1, "one layer")
    for a, b in layers[0]:
        require(len(a) == 5 and all_zero(b), "width 5, B = 0")
        require(not any(any(row[3:]) for row in a[:3]) and not any(any(row[:3]) for row in a[3:]), "two blocks")
        for block in ([row[:3] for row in a[:3]], [row[3:] for row in a[3:]]):
            require(block == field_one(len(block), modulus) or is_reflection(block, modulus), "a reflection or 1 in each head")


@statement("new.automata.one-layer.one-factor-heads", "automaton")
def three_heads(data: Data) -> None:
    """Three letters, one layer of three heads of width 2: in each head a letter sets one coordinate to a constant and keeps the other; the value is the order of last occurrences."""
    letters = ["0", "1", "2"]
    computes(data, (), lambda order, x: (*(y for y in order if y != int(x)), int(x)), letters)
    modulus, layers = layers_of(data)
    require(len(layers) == 1 and len(layers[0]) == 3, "one layer, a map for each letter")
    zero, unit = element(0, modulus), element(1, modulus)
    for a, b in layers[0]:
        require(len(a) == 6 and is_diagonal(a), "width 6, diagonal: three heads of width 2")
        for head in range(3):
            kept = [a[i][i] for i in (2 * head, 2 * head + 1)]
            require(sorted(kept) == sorted([zero, unit]), "one coordinate is overwritten, one kept")
        require(all(a[i][i] == zero or not any(b[i][0]) for i in range(6)), "nothing is added to what is kept")


@statement("new.automata.preimages", "network")
@statement("new.automata.copies", "network")
def one_layer_of_partial_permutations(document: dict[str, Any]) -> None:
    """One layer: entries 0, 1 and -1, one at most in each row and column, inputs in empty rows, as many factors at most as it is wide."""
    table, start = document["automaton"]["table"], document["automaton"]["start"]
    require(reachable(table, start) == set(range(len(table[0]))), "all states reached")
    _, layers = network_layers(document)
    require(document["field"] == 1 and len(layers) == 1, "one layer with rational entries")
    width, maps = layers[0]
    for a, b, steps in maps:
        rows = [[(j, x[0]) for j, x in enumerate(row) if x] for row in a]
        require(all(len(row) <= 1 and all(abs(x) == 1 for _, x in row) for row in rows), "one entry at most in a row, 1 or -1")
        columns_met = [j for row in rows for j, _ in row]
        require(len(set(columns_met)) == len(columns_met), "one entry at most in a column")
        require(not any(row and c for row, (c,) in zip(rows, b, strict=True)), "inputs in empty rows")
        require(steps is not None and len(steps) <= width, "a product of as many factors at most as the layer is wide")
