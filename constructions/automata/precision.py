"""How long floating point keeps a network right: the decoder's margin against the rounding of every step, bounded rigorously.

With ||A|| <= 1 errors do not grow by themselves; each step adds at most a fixed amount c to the Euclidean error of a state, so the
nearest exact state is the true one for margin / c steps. Where all numbers are small integers there is no rounding at all.
Layers are given as in the exported document (``document.py``).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import cos, inf, pi
from typing import Any

import numpy as np

from ...numerics import exact

#: data types: unit roundoff 2^-p of round-to-nearest, and the largest error of a result that underflows
DATA_TYPES = {
    "float64": (2.0**-53, 2.0**-1074),
    "float32": (2.0**-24, 2.0**-150),
    "float16": (2.0**-11, 2.0**-25),
    "bfloat16": (2.0**-8, 2.0**-134),
}

# float64 stands for real numbers below: every quantity is rounded to the safe side by this much
SLACK = 1e-9


@dataclass(frozen=True)
class Precision:
    """What rounding depends on, for one layer. ``margin`` is half the least distance (largest entry) of states to be told apart.

    ``width`` is n, ``radius`` the largest Euclidean norm of a state, ``transition`` and ``inputs`` the largest Frobenius norms of A
    and B, ``contracts`` whether ||A|| <= 1, ``integral`` the largest integer that a step meets if all entries are integers, else inf.
    """

    width: int
    margin: float
    radius: float
    transition: float
    inputs: float
    contracts: bool
    integral: float

    def guaranteed_length(self, dtype: str) -> float:
        """Steps for which every state stays nearest to its exact value; inf for all lengths."""
        unit, underflow = DATA_TYPES[dtype]
        if self.integral <= 1 / unit or self.margin == inf:
            return inf
        if not self.contracts:
            return 0
        each = self.added_by_a_step(unit, underflow)
        # the start is rounded, and so are the codes and the differences that the decoder compares
        room = self.margin - 6 * unit * (self.radius + self.margin)
        return max(0, int(room / each * (1 - SLACK)))

    def added_by_a_step(self, unit: float, underflow: float) -> float:
        """What rounding can add to the Euclidean error of a state in one step, as long as that error is below the margin."""
        # the stored A and B are off by a factor 1 + u, their product and sum (in any order) by gamma_(n+1) more
        gamma = (self.width + 1) * unit / (1 - (self.width + 1) * unit)
        relative = (unit + gamma * (1 + unit)) * (self.transition * (self.radius + self.margin) + self.inputs)
        return (relative + 2 * self.width**1.5 * underflow) * (1 + SLACK)


def precision(layer: dict[str, Any], field: int) -> Precision:
    """The quantities of a layer with entries in Q(zeta_field)."""
    states = [as_floats(H, field)[:, 0] for H in layer["states"]]
    maps = [(as_floats(m["A"], field), as_floats(m["B"], field)) for m in layer["maps"]]
    texts = [x for m in layer["maps"] for row in (*m["A"], *m["B"]) for x in row] + [x for H in layer["states"] for row in H for x in row]
    whole = all(isinstance(x, str) and "/" not in x for x in texts)
    met = (float(np.max(np.abs(A) @ np.abs(h) + np.abs(B[:, 0]))) for A, B in maps for h in states)
    return Precision(
        len(states[0]),
        margin(layer, field) * (1 - SLACK),
        max(float(np.linalg.norm(h)) for h in states) * (1 + SLACK),
        max(float(np.linalg.norm(A)) for A, _ in maps) * (1 + SLACK),
        max(float(np.linalg.norm(B)) for _, B in maps) * (1 + SLACK),
        all(m["steps"] is not None for m in layer["maps"]),
        max(met) if whole else inf,
    )


def guaranteed_length(document: dict[str, Any], dtype: str) -> float:
    """A length up to which the network, run step by step in a data type, is right at every position; inf if at every length.

    Assumes round-to-nearest and no reduced-precision products; sums may be taken in any order. Raises ``ValueError`` for an unknown
    data type.
    """
    if dtype not in DATA_TYPES:
        raise ValueError(f"expected a data type among {', '.join(DATA_TYPES)}, got {dtype!r}")
    return min(precision(layer, document["field"]).guaranteed_length(dtype) for layer in document["layers"])


def margin(layer: dict[str, Any], field: int) -> float:
    """Half the least distance, in the largest entry, of two states that one map leads to; inf if none leads to two."""
    points = np.array([as_floats(H, field).ravel() for H in layer["states"]])
    least = inf
    for reached in {tuple(sorted(found)) for found in states_by_map(layer)}:
        chosen = points[list(reached)]
        least = min([least, *(float(np.abs(chosen[i + 1 :] - x).max(-1).min()) / 2 for i, x in enumerate(chosen[:-1]))])
    return least


def states_by_map(layer: dict[str, Any]) -> list[list[int]]:
    """For each map the states that it leads to, in the order of the decoder's table."""
    reached: list[dict[int, None]] = [{} for _ in layer["maps"]]
    for i, y, _ in layer["decoder"]:
        reached[layer["letters"][y][3]][i] = None
    return [list(found) for found in reached]


def as_floats(rows: list[list[Any]], field: int) -> np.ndarray:
    """A matrix of the document in floats; elements of Q(zeta_N) by their real part, all that real networks have."""

    def value(x: Any) -> float:
        if isinstance(x, list):
            return sum(_as_float(c) * cosines[k] for k, c in enumerate(x) if c != "0")
        return _as_float(x)

    cosines = _cosines(field)
    return np.array([[value(x) for x in row] for row in rows])


@lru_cache(maxsize=1 << 16)
def _as_float(text: str) -> float:
    return float(exact.rational(text))


@lru_cache(maxsize=4)
def _cosines(field: int) -> list[float]:
    """The real parts of the powers of zeta_N."""
    return [cos(2 * pi * k / field) for k in range(field)]
