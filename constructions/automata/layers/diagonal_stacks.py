"""Solvable groups as stacks of complex diagonal layers, one layer for each step of the derived series, in exact arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm
from typing import Any

import numpy as np

from ....numerics.cyclotomic import root_of_unity
from ...recurrence import Recurrence, Stack
from .counter_stacks import SERIES, Permutation, added, element, levels

#: polycyclic sequences of permutations
SEQUENCES: dict[str, tuple[Permutation, ...]] = {"S_3": ((1, 0, 2), (1, 2, 0)), "S_4": SERIES["S_4"]}

#: which levels of a polycyclic sequence share a layer: their group is abelian
LAYERS: dict[str, tuple[tuple[int, ...], ...]] = {"S_3": ((0,), (1,)), "S_4": ((0,), (1,), (2, 3))}


def diagonal_stack(name: str) -> tuple[Stack, list[Permutation]]:
    """(stack, letters): the word problem of S_3 or S_4 with all elements as letters, by layers diag(zeta^d) without input, from (1, ..., 1).

    Outputs are permutations. Each layer reads the letter and what the layers below count after it.
    """
    group, parts = levels(SEQUENCES[name]), LAYERS[name]
    order = lcm(*(level.modulus for level in group))
    letters = sorted(group[0].classes)

    def layer(part: Sequence[int], last: bool) -> Recurrence:
        def increments(read: tuple[Permutation, tuple[int, ...]]) -> list[int]:
            x, below = read
            found: list[int] = []
            for _ in part:
                # the levels of a layer commute, so that what they count does not matter: as if they began at 0
                found.append(added(group, x, (*below, *found)))
            return found

        def transition(read: Any) -> np.ndarray:
            pairs = zip(part, increments(read), strict=True)
            entries = [root_of_unity(order, d * order // group[i].modulus) for i, d in pairs]
            return np.array([[a if i == j else a * 0 for j in range(len(entries))] for i, a in enumerate(entries)], dtype=object)

        def decode(H: np.ndarray, read: Any) -> Any:
            x, below = read
            counts = [
                next((q for q in range(group[i].modulus) if root_of_unity(order, q * order // group[i].modulus) == h), 0)
                for i, h in zip(part, H[:, 0], strict=True)
            ]
            after = (*below, *counts)
            return element(group, after) if last else (x, after)

        start = np.array([[root_of_unity(order, 0)] for _ in part], dtype=object)
        return Recurrence(transition, lambda _: start * 0, start, decode)

    def first(inner: Recurrence) -> Recurrence:
        return Recurrence(lambda x: inner.transition((x, ())), inner.inputs, inner.initial, lambda H, x: inner.decode(H, (x, ())))

    built = [layer(part, part is parts[-1]) for part in parts]
    return Stack((first(built[0]), *built[1:])), letters
