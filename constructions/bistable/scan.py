"""The convergent RNN itself (degeeter26, Eqs. 4 to 7), for inputs and feedbacks that change at every step, by a parallel scan.

After step t the state is one of the at most three equilibria of (x_t, beta_t). So step t is a map from the equilibria of (x_(t-1), beta_(t-1)) to
those of (x_t, beta_t), which needs no other step; and maps of {0, 1, 2} compose associatively.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq

from ...numerics.scan import associative_scan
from .cell import equilibria

Array = np.ndarray
#: (x, beta)
Input = tuple[fmpq, fmpq]


def compose_maps(first: Array, then: Array) -> Array:
    """Maps of {0, .., m - 1} as rows of their values, ``first`` applied first: row[i] = then[first[i]]."""
    return np.take_along_axis(then, first, axis=-1)


def scanned(maps: Sequence[Sequence[int]], scan: Callable[..., Any] = associative_scan) -> list[int]:
    """The images of 0 under the first map, the first two, ... by the scan. Shorter rows are filled up with their last value.

    Map t goes from the states of step t - 1, of which there may be another number, to those of step t.
    """
    width = max(map(len, maps))
    rows = np.array([[*row, *[row[-1]] * (width - len(row))] for row in maps])
    return [int(i) for i in scan(compose_maps, rows)[:, 0]]


def solutions(x: fmpq, beta: fmpq, width: float) -> list[arb]:
    """The solutions of Eq. 5 in increasing order, as balls; 0 is exact where it is one."""
    found = equilibria(x, beta, width)
    if x == 0:
        # the middle one, or the only one
        found[len(found) // 2] = arb(0)
    return found


def limit_of(h: arb, x: fmpq, found: Sequence[arb]) -> int:
    """Where the internal clock ends from the state h: the index of a solution among one or three. From the middle one it does not move.

    Raises ``ArithmeticError`` where the balls cannot tell h from the middle solution.
    """
    if len(found) == 1:
        return 0
    if x == 0 and h == 0:
        return 1
    if not (h < found[1] or h > found[1]):
        raise ArithmeticError(f"expected a state away from the middle solution {found[1].str(8)}, got {h.str(8)}: more bits")
    return 2 if h > found[1] else 0


def step_map(before: Sequence[arb], x: fmpq, beta: fmpq, found: Sequence[arb], same: bool = False) -> list[int]:
    """The map of one step from the states ``before`` to the solutions ``found`` of (x, beta); if the input is the ``same`` as before, nothing moves."""
    return list(range(len(found))) if same else [limit_of(h, x, found) for h in before]


def convergent_states(inputs: Sequence[Input], start: fmpq, scan: Callable[..., Any] = associative_scan, bits: int = 4096) -> list[arb]:
    """The states h_1, h_2, ... of the convergent RNN on rational inputs (x_t, beta_t) from a rational h_0, as balls of radius 1e-12 or less.

    For every c in (0, 1] with beta_t >= -2/c. With rational numbers more precision always decides (claim ``new.bistable.decided``), so it is doubled
    until the balls do. Raises ``ArithmeticError`` if ``bits`` are not enough.
    """
    if not inputs:
        return []
    precision = 64
    while True:
        with ctx.workprec(precision):
            try:
                return _states(inputs, start, scan, min(1e-12, 2.0 ** (-precision / 2)))
            except ArithmeticError:
                if precision >= bits:
                    raise
        precision *= 2


def _states(inputs: Sequence[Input], start: fmpq, scan: Callable[..., Any], width: float) -> list[arb]:
    # from here on no step waits for another
    found = [solutions(x, beta, width) for x, beta in inputs]
    first = step_map([arb(start)], *inputs[0], found[0])
    steps = zip(pairwise(inputs), pairwise(found), strict=True)
    maps = [first, *(step_map(before, *now, after, now == last) for (last, now), (before, after) in steps)]
    return [states[i] for states, i in zip(found, scanned(maps, scan), strict=True)]
