"""The numbers that rounding meets in a layer of an exported document (``document.py``): entries, walks, margins, and the formats of floating point."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import gcd, inf, lcm
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq, fmpq_poly

from ....numerics import exact
from ....numerics.cyclotomic import Cyclotomic

#: bits in which the real parts of elements of Q(zeta_N) are enclosed
BITS = 192
#: what is smaller than this is exactly 0 or enclosed too badly
SMALLEST = 1e-30


@dataclass(frozen=True)
class Format:
    """A format of floating point as torch computes in it entry by entry: round to nearest, ties to even.

    ``unit`` is the unit roundoff 2^-p and ``underflow`` the largest error of a result that underflows. Arrays hold the values in
    ``carrier``, a type of NumPy's in which a sum or product of two of them, rounded again, is rounded as if once.
    """

    name: str
    unit: float
    underflow: float
    largest: float
    carrier: type

    def stored(self, values: np.ndarray) -> np.ndarray:
        """float64 numbers as torch converts them: to half precision by way of float32."""
        values = np.asarray(values, dtype=np.float64)
        return self.rounded(values if self.name == "float64" else values.astype(np.float32).astype(self.carrier))

    def rounded(self, values: np.ndarray) -> np.ndarray:
        """What one operation on ``carrier`` leaves, in the format."""
        if self.name != "bfloat16":
            return values
        bits = np.asarray(values, dtype=np.float32).view(np.uint32)
        return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).view(np.float32)


FORMATS = {
    f.name: f
    for f in (
        Format("float64", 2.0**-53, 2.0**-1074, 1.7e308, np.float64),
        Format("float32", 2.0**-24, 2.0**-150, 3.4e38, np.float32),
        Format("float16", 2.0**-11, 2.0**-25, 65504.0, np.float16),
        Format("bfloat16", 2.0**-8, 2.0**-134, 3.3e38, np.float32),
    )
}


class Walks:
    """Where a layer can be: nodes (place, state), the first one at the start, and steps from one to another by a map.

    ``state[v]`` is the state of node v; the steps ``first[v]`` to ``first[v + 1] - 1`` leave it, by the map ``maps[e]`` for the node ``after[e]``.
    """

    def __init__(self, state: np.ndarray, steps: np.ndarray):
        self.state = state
        self.before, self.maps, self.after = steps[np.argsort(steps[:, 0], kind="stable")].T.copy()
        self.first = np.searchsorted(self.before, np.arange(len(state) + 1))

    @cached_property
    def moves(self) -> np.ndarray:
        """The rows (map, state before, state after) that occur in the steps, sorted."""
        return np.unique(np.stack([self.maps, self.state[self.before], self.state[self.after]], axis=1), axis=0)


class LayerNumbers:
    """A layer in float64, each entry within a relative 2^-52 of the exact one and 0 where that is 0.

    ``states`` (K, n), ``A`` (maps, n, n), ``B`` (maps, n), ``micro`` for each map its micro-steps (k, beta, v), or None if it has none.
    """

    def __init__(self, layer: dict[str, Any], field: int):
        self.layer = layer
        self.states = np.array([as_floats(H, field)[:, 0] for H in layer["states"]])
        self.A = np.array([as_floats(m["A"], field) for m in layer["maps"]])
        self.B = np.array([as_floats(m["B"], field)[:, 0] for m in layer["maps"]])
        self.reached = states_by_map(layer)
        self.micro = [None if m["steps"] is None else micro_steps(m, field) for m in layer["maps"]]

    @property
    def contracts(self) -> bool:
        """Whether ||A|| <= 1 for every map: they are products of generalized Householder factors."""
        return None not in self.micro

    @cached_property
    def margins(self) -> np.ndarray:
        """For each map half the least distance, in the largest entry, of two states that it leads to; inf if it leads to one."""
        return np.array([_half_distance(self.states[found]) for found in self.reached])

    @cached_property
    def walks(self) -> Walks | None:
        """All that the layer can do; None if two of its states are too near to be told apart in float64."""
        if 2 * _half_distance(self.states) < 1e-6 * max(1.0, float(np.abs(self.states).max())):
            return None
        leaving: dict[int, dict[tuple[int, int], None]] = {}
        for _, before, after, f in self.layer["letters"]:
            leaving.setdefault(before, {})[f, after] = None
        nodes, steps, image = {(0, 0): 0}, [], {}
        waiting = [(0, 0)]
        for place, i in waiting:
            for f, after in leaving.get(place, {}):
                if (f, i) not in image:
                    # the document lists every state that occurs, so the nearest one is the true one
                    image[f, i] = int(np.abs(self.states - (self.A[f] @ self.states[i] + self.B[f])).max(1).argmin())
                j = image[f, i]
                if (after, j) not in nodes:
                    nodes[after, j] = len(nodes)
                    waiting.append((after, j))
                steps.append((nodes[place, i], f, nodes[after, j]))
        return Walks(np.array([i for _, i in nodes]), np.array(steps, dtype=np.int64).reshape(-1, 3))


def micro_steps(m: dict[str, Any], field: int) -> list[tuple[np.ndarray, float, float]]:
    """(k, beta, v) of each micro-step S <- S + beta k (v - k^T S) of a map, at least one; 1 - beta k^T k lies in [-1, 1].

    Keys are no unit vectors: their squared length lies in (1/2, 2], and rational ones are small integers times a power of two, so that
    permutations are exact. Raises ``ValueError`` if the map has no micro-steps.
    """
    if m["steps"] is None:
        raise ValueError("expected transitions that are products of GH factors, got one that is not: use another construction")
    found = []
    for s in m["steps"]:
        v, stretch = s["v"], fmpq(1)
        if field == 1 or not any(isinstance(x, list) for x in v):
            v, stretch = _primitive([exact.rational(x) for x in v])
        k = as_floats([v], field)[0]
        shift = 2.0 ** np.ceil(np.log2(float(k @ k) / 2) / 2)
        ((scale, write),) = as_floats([[s["scale"], s["write"]]], field)
        if not isinstance(s["scale"], list):
            # H - scale v (v^T H): v = k shift stretch
            scale = float(exact.rational(s["scale"]) * stretch * stretch)
            write = float(exact.rational(s["write"]) * stretch) if not isinstance(s["write"], list) else write * float(stretch)
        beta = scale * shift**2
        found.append((k / shift, float(beta), float(write * shift / beta) if write else 0.0))
    nothing = np.zeros(len(m["A"]))
    nothing[0] = 1
    return found or [(nothing, 0.0, 0.0)]


def _primitive(v: list[fmpq]) -> tuple[list[fmpq], fmpq]:
    """(w, c): v = c w with w a vector of integers without a common divisor."""
    common = fmpq(gcd(*(int(x.p) for x in v)), lcm(*(int(x.q) for x in v)))
    return [x / common for x in v], common


def _half_distance(points: np.ndarray) -> float:
    """Half the least distance, in the largest entry, of two of the points (K, n); inf for one."""
    least = inf
    for i, x in enumerate(points[:-1]):
        least = min(least, float(np.abs(points[i + 1 :] - x).max(1).min()) / 2)
    return least


def states_by_map(layer: dict[str, Any]) -> list[list[int]]:
    """For each map the states that it leads to, in the order of the decoder's table."""
    reached: list[dict[int, None]] = [{} for _ in layer["maps"]]
    for i, y, _ in layer["decoder"]:
        reached[layer["letters"][y][3]][i] = None
    return [list(found) for found in reached]


def as_floats(rows: list[list[Any]], field: int) -> np.ndarray:
    """A matrix of the document in float64, rounded to nearest; elements of Q(zeta_N) by their real part, all that real networks have."""
    return np.array([[_real_part(tuple(x), field) if isinstance(x, list) else _rational(x) for x in row] for row in rows])


@lru_cache(maxsize=2**16)
def _rational(text: str) -> float:
    return float(exact.rational(text))


@lru_cache(maxsize=2**12)
def _real_part(coefficients: tuple[str, ...], field: int) -> float:
    """The real part of an element of Q(zeta_N) from a ball of relative radius far below 2^-53."""
    saved = ctx.prec
    try:
        ctx.prec = BITS
        terms = [(exact.rational(c), k) for k, c in enumerate(coefficients) if c != "0"]
        ball = sum((arb(c) * _cosine(k, field) for c, k in terms), arb(0))
        if abs(float(ball.mid())) < SMALLEST:
            x = Cyclotomic(field, fmpq_poly([exact.rational(c) for c in coefficients]))
            if x + x.conjugate() != 0:
                raise ArithmeticError(f"expected entries that are 0 or larger than {SMALLEST}, got one that is nearer to 0")
            return 0.0
        if not ball.rad() < abs(ball.mid()) * arb(2) ** -64:
            raise ArithmeticError(f"expected entries that {BITS} bits enclose, got coefficients too large for that")
        return float(ball.mid())
    finally:
        ctx.prec = saved


@lru_cache(maxsize=2**14)
def _cosine(k: int, field: int) -> arb:
    return arb.cos_pi_fmpq(fmpq(2 * k, field))
