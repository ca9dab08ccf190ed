"""Programs in balls: what a step makes of every state in a box, in exact arithmetic or with every order of rounded sums.

Numbers are Arb's balls, so nothing is lost to the computation here. A format's roundoff u enters as its model: every operation, and a sum of k terms in
any order with or without fused multiply-adds, is off by at most (1 + u)^k - 1 times the sum of magnitudes. Sums that every order leaves exact
(``precision_orbits.exact_sum``) add nothing. Libraries' tanh, sigmoid, SiLU and GELU are taken to be within ``LIBRARY`` max(1, |x|).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import isfinite

import numpy as np
from flint import arb, arb_mat, ctx

from ..rounding.bounds import gamma
from ..rounding.layer import FORMATS, Format
from ..rounding.orbits import exact_sum
from .programs import Op, Program

#: the error of a library's tanh, sigmoid, SiLU or GELU, beside two roundings: 2^-20 max(1, |x|). Stated, not proved
LIBRARY = 2.0**-20
#: bits in which balls are computed; what is exact needs no more
BITS = 192

Balls = list[arb]


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Arb's working precision."""
    saved = ctx.prec
    try:
        ctx.prec = bits
        yield
    finally:
        ctx.prec = saved


def balls(values: Sequence[float] | np.ndarray) -> Balls:
    """Floats as exact balls."""
    return [arb(float(x)) for x in values]


def ball(low: arb, high: arb) -> arb:
    """One that holds all between two points or balls."""
    return low.union(high)


def magnitude(x: arb) -> float:
    """An upper bound of |x| in float64."""
    return float(np.nextafter(float(abs(x).upper()), np.inf)) * (1 + 2.0**-50)


def around(x: arb, error: float) -> arb:
    """x, or what is off by ``error`` at most."""
    return x if error == 0 else x + arb(0, error)


class Enclosed:
    """A program's step on boxes. ``form`` is None for exact arithmetic."""

    def __init__(self, program: Program, form: Format | None):
        self.program, self.form = program, form
        self.unit = 0.0 if form is None else form.unit
        # what underflows is off by the least number at most, or flushed below the least normal one
        self.tiny = 0.0 if form is None else max(form.underflow, 2.0**-125)
        self._matrices: dict[tuple[int, int], arb_mat] = {}

    def start(self) -> Balls:
        """The state at the beginning of a word."""
        state = balls(self.program.initial)
        for z in self.program.lead:
            state, _ = self.step(state, z)
        return state

    def step(self, before: Balls, z: int) -> tuple[Balls, Balls]:
        """(state after, scores) of every state in ``before`` after the letter read ``z``."""
        values: list[Balls] = []
        for i, op in enumerate(self.program.ops):
            values.append(self.value(i, op, [values[j] for j in op.of], z, before))
        return values[self.program.after], values[self.program.scores]

    def scores(self, after: Balls, z: int) -> Balls:
        """The scores of a program whose scores read the state by ``after`` alone."""
        known: dict[int, Balls] = {self.program.after: after}
        for i, op in enumerate(self.program.ops):
            if i not in known and all(j in known for j in op.of) and op.name != "state":
                known[i] = self.value(i, op, [known[j] for j in op.of], z, after)
        if self.program.scores not in known:
            raise ValueError("expected scores that read the state after the letter, got others")
        return known[self.program.scores]

    def value(self, i: int, op: Op, v: list[Balls], z: int, H: Balls | None = None) -> Balls:
        """The value of one operation on balls after the letter read ``z``."""
        n = op.numbers
        match op.name:
            case "state":
                assert H is not None
                return H
            case "letter":
                return balls(n[0][z])
            case "linear":
                return self._linear((i, 0), n[0], n[1], v[0])
            case "maps":
                return self._linear((i, z), n[0][z], n[1][z][None], v[0])
            case "add" | "sub":
                sign = 1 if op.name == "add" else -1
                return [self._sum(a, sign * b) for a, b in _paired(v)]
            case "mul":
                return [self._rounded(a * b, 1) if not _units(a, b) else a * b for a, b in _paired(v)]
            case "mix":
                return [self._mixed(*x) for x in _paired(v)]
            case "relu":
                return [_relu(x) for x in v[0]]
            case "cat":
                return [x for part in v for x in part]
            case "part":
                return [v[0][j] for j in n[0].tolist()]
            case "layer norm":
                return self._normed(v[0], n[0], n[1], float(n[2][0]), centred=True)
            case "rms norm":
                k = len(n[0])
                groups = [v[0][j : j + k] for j in range(0, len(v[0]), k)]
                return [x for g in groups for x in self._normed(g, n[0], np.zeros(k), float(n[1][0]), centred=False)]
            case name:
                return [self._curve(name, x) for x in v[0]]

    def _linear(self, key: tuple[int, int], W: np.ndarray, b: np.ndarray, v: Balls) -> Balls:
        """W v + the rows of b, all terms summed in any order."""
        if key not in self._matrices:
            self._matrices[key] = arb_mat(W.tolist())
        shift = [sum((arb(float(x)) for x in column), arb(0)) for column in b.T]
        found = [x + s for x, s in zip((self._matrices[key] * arb_mat([[x] for x in v])).entries(), shift, strict=True)]
        if self.form is None:
            return found
        sizes = np.abs(W) @ np.array([magnitude(x) for x in v]) + np.abs(b).sum(0)
        terms = np.count_nonzero(W, axis=1) + np.count_nonzero(b, axis=0)
        errors = gamma(terms, self.unit) * sizes * (1 + 1e-9) + (terms + 1) * self.tiny
        errors[self._exact(W, b, v)] = 0.0
        return [around(x, float(e)) for x, e in zip(found, errors, strict=True)]

    def _exact(self, W: np.ndarray, b: np.ndarray, v: Balls) -> np.ndarray:
        """The rows whose sums no order rounds."""
        none = np.zeros(len(W), dtype=bool)
        if not all(x.is_exact() and x.is_finite() for x in v):
            return none
        point = np.array([float(x) for x in v])
        form = self.form if self.form is not None and self.form.name != "float64" else FORMATS["float32"]
        numbers = (W, b, point)
        if not all(np.array_equal(form.stored(x).astype(np.float64), x) for x in numbers) or any(
            arb(float(p)) != x for p, x in zip(point, v, strict=True)
        ):
            return none
        return exact_sum(np.concatenate([W * point, b.T], axis=1), form)[1]

    def _sum(self, a: arb, b: arb) -> arb:
        total = a + b
        if self.form is None or _zero(a) or _zero(b):
            return total
        if a.is_exact() and b.is_exact():
            form = self.form if self.form.name != "float64" else FORMATS["float32"]
            pair = np.array([float(a), float(b)])
            if arb(pair[0]) == a and arb(pair[1]) == b and exact_sum(pair[None], form)[1][0]:
                return total
        return self._rounded(total, 1)

    def _rounded(self, x: arb, count: int) -> arb:
        if self.form is None:
            return x
        return around(x, float(gamma(count, self.unit)) * magnitude(x) + self.tiny)

    def _mixed(self, z: arb, v: arb, w: arb) -> arb:
        """z v + (1 - z) w: monotone in v and w, linear in z, so its extremes lie at corners; also as w + z (v - w)."""
        zl, zh = max(z.lower(), arb(0)), min(z.upper(), arb(1))
        if not (zl <= zh):
            return z * v + (1 - z) * w
        low = _least(*(s * v.lower() + (1 - s) * w.lower() for s in (zl, zh)))
        high = -_least(*(-(s * v.upper() + (1 - s) * w.upper()) for s in (zl, zh)))
        error = 0.0 if self.form is None else 8 * self.unit * max(magnitude(v), magnitude(w)) + 4 * self.tiny
        return around(ball(low, high), error)

    def _normed(self, v: Balls, w: np.ndarray, b: np.ndarray, eps: float, centred: bool) -> Balls:
        k = len(v)
        mean = sum(v, arb(0)) / k if centred else arb(0)
        moved = [x - mean for x in v]
        square = sum((_squared(x) for x in moved), arb(0)) / k
        if self.form is not None:
            # sums of k terms, of squares of differences, one division and one root; the mean is off too
            off = float(gamma(k + 4, self.unit)) * max(map(magnitude, v)) + self.tiny
            moved = [around(x, off) for x in moved]
            square = sum((_squared(x) for x in moved), arb(0)) / k
            square = around(square, float(gamma(k + 6, self.unit)) * magnitude(square) + self.tiny)
        if not square >= 0:
            square = ball(arb(0), square.upper())
        root = (square + arb(eps)).sqrt()
        found = [x / root * arb(float(s)) + arb(float(t)) for x, s, t in zip(moved, w, b, strict=True)]
        return [self._rounded(x, 8) for x in found]

    def _curve(self, name: str, x: arb) -> arb:
        if _zero(x) and name != "sigmoid":
            return arb(0)
        y = CURVES[name](x)
        if self.form is None:
            return y
        return around(y, (LIBRARY + 2 * self.unit) * max(1.0, magnitude(x) if name in ("silu", "gelu") else 1.0) + self.tiny)


def _paired(v: list[Balls]) -> list[tuple[arb, ...]]:
    """Entry by entry; a single entry counts for all."""
    size = max(map(len, v))
    return list(zip(*(x * size if len(x) == 1 else x for x in v), strict=True))


def _units(a: arb, b: arb) -> bool:
    """Whether a factor is 0, 1 or -1: no product is rounded."""
    return any(x.is_exact() and any(x == u for u in (0, 1, -1)) for x in (a, b))


def _zero(x: arb) -> bool:
    return x.is_exact() and x == 0


def _least(a: arb, b: arb) -> arb:
    return a.min(b)


def _squared(x: arb) -> arb:
    low, high = abs(x).lower(), abs(x).upper()
    return ball((low * low).max(arb(0)), high * high)


def _relu(x: arb) -> arb:
    if x >= 0:
        return x
    if x <= 0:
        return arb(0)
    return ball(arb(0), x.upper())


def _rising(f: Callable[[arb], arb]) -> Callable[[arb], arb]:
    """A monotone function on a ball, from its ends."""
    return lambda x: f(x) if x.is_exact() else ball(f(x.lower()), f(x.upper()))


def _sigmoid(x: arb) -> arb:
    return 1 / (1 + (-x).exp()) if x >= 0 else 1 - 1 / (1 + x.exp())


def _normal(x: arb) -> arb:
    """The standard normal distribution function."""
    return (1 + (x / arb(2).sqrt()).erf()) / 2


CURVES: dict[str, Callable[[arb], arb]] = {
    "tanh": _rising(lambda x: x.tanh()),
    "sigmoid": _rising(_sigmoid),
    "silu": lambda x: x * _rising(_sigmoid)(x),
    "gelu": lambda x: x * _rising(_normal)(x),
}


def decided(scores: Balls) -> int | None:
    """The answer that every point of the scores gives; None if they differ, tie or are not finite."""
    if not all(x.is_finite() for x in scores):
        return None
    if len(scores) == 1:
        return 1 if scores[0] > 0 else 0 if scores[0] < 0 else None
    best = max(range(len(scores)), key=lambda i: float(scores[i].mid()))
    return best if all(scores[best] > x for i, x in enumerate(scores) if i != best) else None


def outside(box: Balls, form: Format) -> bool:
    """Whether some entry is larger than every number of the format, or not finite."""
    return any(not x.is_finite() or not isfinite(magnitude(x)) or magnitude(x) > form.largest / 4 for x in box)
