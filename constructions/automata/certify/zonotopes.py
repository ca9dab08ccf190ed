"""Programs on zonotopes: many steps at once, with what the steps' errors have in common kept apart, so that they can cancel.

A value is c + G xi + e with |xi| <= 1 entry by entry: centres c (M, k), generators G (M, k, g), radii e (M, k) of errors of their own. Linear operations
act on G, a curve by the least slope on its range, and what is left goes into e. Roundings of a format come in as in ``enclosing``. The computation
itself is in float64, with ``SLACK`` of all magnitudes on the safe side.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from flint import arb

from ..rounding.bounds import gamma
from ..rounding.layer import Format
from .enclosing import LIBRARY, Enclosed
from .programs import CURVES, Op, Program

#: float64 loses less than this part of all magnitudes in an operation; NumPy's and SciPy's functions are taken to be as near
SLACK = 2.0**-40


class Zonotopes(NamedTuple):
    """M sets of vectors; see the module."""

    c: np.ndarray
    G: np.ndarray
    e: np.ndarray

    @property
    def radius(self) -> np.ndarray:
        """How far from the centre, entry by entry, (M, k)."""
        return (np.abs(self.G).sum(-1) + self.e) * (1 + SLACK)

    @property
    def size(self) -> np.ndarray:
        """The largest magnitude, entry by entry."""
        return np.abs(self.c) + self.radius

    def off(self, more: np.ndarray | float) -> Zonotopes:
        """With larger errors, and what float64 lost."""
        return Zonotopes(self.c, self.G, self.e + more + SLACK * self.size)

    def with_generators(self) -> Zonotopes:
        """Each entry's error as a generator of its own."""
        k = self.c.shape[1]
        own = self.e[:, :, None] * np.eye(k)
        return Zonotopes(self.c, np.concatenate([self.G, own], axis=2), np.zeros_like(self.e))


def box(center: np.ndarray, radius: np.ndarray) -> Zonotopes:
    """Boxes (M, k)."""
    return Zonotopes(center, radius[:, :, None] * np.eye(center.shape[1]), np.zeros_like(center))


class Stepped:
    """A program's step on zonotopes. ``form`` is None for exact arithmetic."""

    def __init__(self, program: Program, form: Format | None):
        self.program, self.form = program, form
        self.unit = 0.0 if form is None else form.unit
        self.tiny = 0.0 if form is None else max(form.underflow, 2.0**-125)
        self._enclosed = Enclosed(program, form)

    def step(self, H: Zonotopes, z: np.ndarray) -> tuple[Zonotopes, Zonotopes]:
        """(states after, scores) of letters read z (M,)."""
        values: list[Zonotopes] = []
        for i, op in enumerate(self.program.ops):
            values.append(self._value(i, op, [values[j] for j in op.of], H, z))
        return values[self.program.after], values[self.program.scores]

    def _value(self, i: int, op: Op, v: list[Zonotopes], H: Zonotopes, z: np.ndarray) -> Zonotopes:
        n, g = op.numbers, H.G.shape[2]
        match op.name:
            case "state":
                return H
            case "letter":
                rows = n[0][z]
                return Zonotopes(rows, np.zeros((*rows.shape, g)), np.zeros_like(rows))
            case "linear":
                return self._linear(n[0][None], n[1].sum(0)[None], np.abs(n[1]).sum(0)[None], len(n[1]), v[0])
            case "maps":
                return self._linear(n[0][z], n[1][z], np.abs(n[1][z]), 1, v[0])
            case "add":
                return self._rounded(_plus(v[0], v[1], 1))
            case "sub":
                return self._rounded(_plus(v[0], v[1], -1))
            case "mul":
                return self._rounded(_times(v[0], v[1]))
            case "mix":
                return _mixed(*v).off(8 * self.unit * np.maximum(v[1].size, v[2].size) + 4 * self.tiny)
            case "relu":
                return _relu(v[0])
            case "cat":
                return Zonotopes(*(np.concatenate(parts, axis=1) for parts in zip(*v, strict=True)))
            case "part":
                return Zonotopes(v[0].c[:, n[0]], v[0].G[:, n[0]], v[0].e[:, n[0]])
            case "tanh" | "sigmoid":
                return self._curve(op.name, v[0])
            case "layer norm":
                return self._normed(v[0], n[0], n[1], float(n[2][0]), len(n[0]), centred=True)
            case "rms norm":
                return self._normed(v[0], n[0], np.zeros(len(n[0])), float(n[1][0]), len(n[0]), centred=False)
            case _:
                return self._boxed(i, op, v, z)

    def _linear(self, A: np.ndarray, b: np.ndarray, size: np.ndarray, biases: int, v: Zonotopes) -> Zonotopes:
        absolute = np.abs(A)
        c, e = (A @ v.c[..., None])[..., 0] + b, (absolute @ v.e[..., None])[..., 0]
        total = (absolute @ v.size[..., None])[..., 0] + size
        error = gamma(A.shape[-1] + biases, self.unit) * total + (A.shape[-1] + biases) * self.tiny
        return Zonotopes(c, A @ v.G, e + error + SLACK * total)

    def _rounded(self, x: Zonotopes) -> Zonotopes:
        return x.off(float(gamma(1, self.unit)) * x.size + self.tiny)

    def _curve(self, name: str, x: Zonotopes) -> Zonotopes:
        """With the least slope on the range, f - slope x rises on it: slopes of tanh and of the sigmoid have one peak."""
        f, low, high = CURVES[name], x.c - x.radius, x.c + x.radius
        slope = np.minimum(_slope(name, low), _slope(name, high)) * (1 - 2.0**-30)
        bottom, top = f(low) - slope * low, f(high) - slope * high
        error = 0.0 if self.form is None else LIBRARY + 2 * self.unit + self.tiny
        return Zonotopes(slope * x.c + (bottom + top) / 2, slope[..., None] * x.G, slope * x.e + (top - bottom) / 2).off(
            error + SLACK * (1 + np.abs(low) + np.abs(high))
        )

    def _boxed(self, i: int, op: Op, v: list[Zonotopes], z: np.ndarray) -> Zonotopes:
        """Any other operation: by balls, one zonotope after the other."""
        c, e, radii = [], [], [x.radius for x in v]
        for m in range(len(v[0].c)):
            given = [[arb(float(a), float(r)) for a, r in zip(x.c[m], radius[m], strict=True)] for x, radius in zip(v, radii, strict=True)]
            found = self._enclosed.value(i, op, given, int(z[m]))
            c.append([float(x.mid()) for x in found])
            e.append([float(x.rad()) for x in found])
        center = np.array(c)
        return Zonotopes(center, np.zeros((*center.shape, v[0].G.shape[2])), np.array(e)).off(0.0)

    def _normed(self, v: Zonotopes, w: np.ndarray, b: np.ndarray, eps: float, size: int, centred: bool) -> Zonotopes:
        """A norm by intervals: what its entries have in common is lost."""
        low, high = ((v.c + sign * v.radius).reshape(len(v.c), -1, size) for sign in (-1, 1))
        extent = np.maximum(np.abs(low), np.abs(high)).max(-1, keepdims=True)
        # sums of the entries, of their squares, a root and a division; roundings and what float64 loses
        lost = float(gamma(size + 8, self.unit)) + SLACK
        if centred:
            low, high = low - high.mean(-1, keepdims=True), high - low.mean(-1, keepdims=True)
        low, high = low - lost * extent - self.tiny, high + lost * extent + self.tiny
        least = np.where(low * high <= 0, 0.0, np.minimum(low**2, high**2)).mean(-1, keepdims=True) * (1 - lost)
        most = np.maximum(low**2, high**2).mean(-1, keepdims=True) * (1 + lost)
        small, large = np.sqrt(least + eps) * (1 - lost), np.sqrt(most + eps) * (1 + lost)
        bottom, top = np.minimum(low / small, low / large), np.maximum(high / small, high / large)
        center = ((bottom + top) / 2 * w + b).reshape(v.c.shape)
        radius = ((top - bottom) / 2 * np.abs(w)).reshape(v.c.shape)
        found = Zonotopes(center, np.zeros((*center.shape, v.G.shape[2])), radius)
        return found.off(4 * lost * found.size + self.tiny)


def _slope(name: str, x: np.ndarray) -> np.ndarray:
    y = CURVES[name](x)
    return np.maximum(1 - y * y if name == "tanh" else y * (1 - y), 0)


def _plus(a: Zonotopes, b: Zonotopes, sign: int) -> Zonotopes:
    return Zonotopes(a.c + sign * b.c, a.G + sign * b.G, a.e + b.e).off(SLACK * (a.size + b.size))


def _times(a: Zonotopes, b: Zonotopes) -> Zonotopes:
    G = a.c[..., None] * b.G + b.c[..., None] * a.G
    e = np.abs(a.c) * b.e + np.abs(b.c) * a.e + a.radius * b.radius
    return Zonotopes(a.c * b.c, G, e).off(SLACK * a.size * b.size)


def _mixed(z: Zonotopes, v: Zonotopes, w: Zonotopes) -> Zonotopes:
    """z v + (1 - z) w: errors of w count 1 - z times, which w + z (v - w) would lose."""
    rest, apart = 1 - z.c, _plus(v, w, -1)
    G = z.c[..., None] * v.G + rest[..., None] * w.G + apart.c[..., None] * z.G
    e = np.abs(z.c) * v.e + np.abs(rest) * w.e + np.abs(apart.c) * z.e + z.radius * apart.radius
    return Zonotopes(z.c * v.c + rest * w.c, G, e).off(SLACK * (1 + z.size) * (v.size + w.size))


def _relu(x: Zonotopes) -> Zonotopes:
    """Itself, 0, or where the sign is open the chord and half of what it may be above."""
    low, high = x.c - x.radius, x.c + x.radius
    with np.errstate(all="ignore"):
        chord = np.where(low >= 0, 1.0, np.where(high <= 0, 0.0, high / (high - low)))
    above = np.where((low < 0) & (high > 0), -chord * low / 2, 0.0)
    return Zonotopes(chord * x.c + above, chord[..., None] * x.G, chord * x.e + above).off(0.0)


def answered(scores: Zonotopes, labels: np.ndarray) -> np.ndarray:
    """Whether every point of the scores gives the answer ``labels`` (M,); true where it is -1, for nothing asked."""
    c, G, e = scores
    if c.shape[1] == 1:
        sign = np.where(labels == 1, 1.0, -1.0)
        return (labels < 0) | (sign * c[:, 0] > scores.radius[:, 0])
    rows = np.arange(len(c))
    best = np.maximum(labels, 0)
    gap = c[rows, best][:, None] - c
    apart = np.abs(G[rows, best][:, None] - G).sum(-1) + e[rows, best][:, None] + e
    wins = gap > apart * (1 + SLACK) + SLACK * (np.abs(c) + np.abs(c[rows, best])[:, None])
    wins[rows, best] = True
    return (labels < 0) | wins.all(1)
