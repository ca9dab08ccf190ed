"""What the claims on few layers, or on one factor per letter, demand of their certificates."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from ...exact import require
from ...registry import statement
from ...typed import Certificates, Data
from .demands import all_zero, computes, is_reflection, layers_of, network_layers, reachable


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
