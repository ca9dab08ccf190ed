"""How fast rounding errors can grow on each path, whatever the order of sums, with fused multiply-adds or without (docs/explanation/rounding.md).

Every bound has one shape: an error e (Euclidean) of a state becomes at most growth e + added in one step. Quantities are computed in
float64 and rounded to the safe side: each is a sum of fewer than 10^6 nonnegative terms, so a relative SLACK of 1e-9 covers it, and
exact entries are within a relative 2^-52 of those at hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite, log, log1p

import numpy as np

from .layer import FORMATS, Format, LayerNumbers

SLACK = 1e-9
#: how far an entry in float64 can be from the exact one, relatively
CONVERSION = 2.0**-52
#: no longer lengths are told apart
MANY = 10**18
#: float32's least normal number: units that flush what is below it to zero are allowed
FLUSHED = 2.0**-126


@dataclass(frozen=True)
class Growth:
    """An error e becomes at most (1 + excess) e + added."""

    excess: float
    added: float

    def then(self, other: Growth) -> Growth:
        """Both, one after the other."""
        excess = self.excess + other.excess + self.excess * other.excess
        return Growth(excess, self.added * (1 + other.excess) + other.added)

    def steps_below(self, start: float, room: float) -> float:
        """So many steps keep an error that begins as ``start`` below ``room``; inf if all do."""
        if start >= room:
            return 0
        if not (isfinite(self.added) and isfinite(self.excess)):
            return 0
        if self.added == 0 and (self.excess == 0 or start == 0):
            return inf
        # e_t = (1 + x)^t (start + c/x) - c/x
        each = self.added + self.excess * start
        ratio = (room - start) / each
        # beyond the range of floats a ratio is known by its logarithm
        grown = log1p(self.excess * ratio) if isfinite(ratio) else log(self.excess or 1.0) + log(room - start) - log(each)
        steps = ratio if self.excess == 0 else grown / log1p(self.excess)
        return max(0, int(min(steps * (1 - SLACK), MANY)))


def gamma(roundings: np.ndarray | int, unit: float) -> np.ndarray:
    """(1 + u)^k - 1: how far k factors 1 + delta, |delta| <= u, can take a product from 1."""
    return np.expm1(np.multiply(roundings, log1p(unit))) * (1 + SLACK)


def loop_growth(layer: LayerNumbers, form: Format) -> Growth:
    """One step A h + B with A and B as stored: n products, summed with B in any order."""
    A, B = _float64(form, layer.A), _float64(form, layer.B)
    worst = Growth(0, 0)
    for a, b, exact_a, exact_b in zip(A, B, layer.A, layer.B, strict=True):
        # a row of k entries, and B if there is one, rounds each of its terms k + 1 times at most
        rounded = np.count_nonzero(a, axis=1) + (b != 0)
        factors = gamma(rounded, form.unit)
        norm = 1.0 if layer.contracts else _norm(exact_a) * (1 + SLACK)
        conversion = _norm(a - exact_a) + CONVERSION * _norm(exact_a)
        noise = factors[:, None] * np.abs(a)
        excess = norm - 1 + (conversion + _norm(noise)) * (1 + SLACK)
        sizes = np.linalg.norm(np.abs(layer.states) @ noise.T + factors * np.abs(b), axis=1)
        each = conversion * np.linalg.norm(layer.states, axis=1) + sizes
        shift = _norm(b - exact_b) + CONVERSION * _norm(exact_b)
        added = (float(each.max()) + shift) * (1 + SLACK) + _underflow(form, layer, a)
        worst = Growth(max(worst.excess, excess), max(worst.added, added))
    return worst


def delta_growth(layer: LayerNumbers, arithmetic: Format, inputs: Format) -> Growth:
    """One letter: all micro-steps of a map in ``arithmetic``, from keys, strengths and values stored in ``inputs``."""
    before = _states_before(layer)
    worst = Growth(0, 0)
    for f, steps in enumerate(layer.micro):
        assert steps is not None
        points, total = layer.states[before[f]], Growth(0, 0)
        for step in steps:
            k, beta, v = step
            after = points - (points @ k)[:, None] * (beta * k) + beta * v * k
            total = total.then(
                _micro_growth(step, points, after, arithmetic, inputs, _underflow(arithmetic, layer, np.append(k, [beta, v])))
            )
            points = after
        worst = Growth(max(worst.excess, total.excess), max(worst.added, total.added))
    return worst


def _micro_growth(
    step: tuple[np.ndarray, float, float], before: np.ndarray, after: np.ndarray, arithmetic: Format, inputs: Format, underflow: float
) -> Growth:
    """One micro-step h + k (beta (v - k^T h)) from the states ``before`` to those ``after``, shapes (M, n)."""
    k, beta, v = step
    key, strength, value = (_float64(arithmetic, _float64(inputs, np.asarray(x))) for x in step)
    if beta == 0:
        return Growth(0, underflow)
    exact = np.outer(k, k) * beta
    conversion = _norm(np.outer(key, key) * strength - exact) + 8 * CONVERSION * (_norm(exact) + 1)
    shift = _norm(key * strength * value - k * beta * v) + 8 * CONVERSION * _norm(k * beta * v)
    # k^T h: a product (exact for powers of two) and n - 1 sums; the difference from v, times beta, times k
    mantissas = np.abs(np.frexp(key[key != 0])[0])
    product = int((mantissas != 0.5).any())
    most = gamma(product + max(len(mantissas) - 1, 0) + int(value != 0) + 1 + product, arithmetic.unit)
    noise = float(most * abs(strength)) * _norm(key)
    each = conversion * np.linalg.norm(before, axis=1) + noise * (np.abs(before) @ np.abs(key) + abs(value)) + shift
    # the last sum rounds what has become of the state, where it moves
    last = arithmetic.unit * np.linalg.norm(after * (key != 0), axis=1)
    excess = (1 + arithmetic.unit) * (conversion + noise * _norm(key)) + arithmetic.unit
    added = (1 + arithmetic.unit) * float(each.max(initial=0)) + float(last.max(initial=0))
    return Growth(excess * (1 + SLACK), added * (1 + SLACK) + underflow)


def scan_excess(layer: LayerNumbers, form: Format) -> float:
    """x such that after t letters, composed in any bracketing, A is off by (1 + x)^t - 1 at most and h by R times that. For contractions."""
    A, B, radius, arithmetic = _float64(form, layer.A), _float64(form, layer.B), _radius(layer), composed_in(form)
    leaf = 0.0
    for a, b, exact_a, exact_b in zip(A, B, layer.A, layer.B, strict=True):
        shift = _norm(b - exact_b) + CONVERSION * _norm(exact_b)
        leaf = max(leaf, (_norm(a - exact_a) + CONVERSION * _norm(exact_a) + shift / radius) * (1 + SLACK))
    n, size, moves = layer.A.shape[1], _size(layer), layer.B.any()
    # a composition rounds A_2 A_1, and A_2 B_1 + B_2 where there are inputs; ||B|| <= 2 R for every composition
    sums = size**2 + 2 * size + 2 if moves else size**2
    composed = float(gamma(n + 1 if moves else n, arithmetic.unit)) * sums * (1 + SLACK) + _underflow(arithmetic, layer, A) * (
        1 + 1 / radius
    )
    return leaf + composed * (1 + leaf)


def composed_in(form: Format) -> Format:
    """The scan's format: float32 for the halves."""
    return form if form.name == "float64" else FORMATS["float32"]


def room(layer: LayerNumbers, form: Format) -> float:
    """What an error may be, at every map: the margin, less what the decoder's float64 can be off; without one, what does not overflow."""
    margin = float(layer.margins.min())
    return form.largest / 8 if margin == inf else margin * (1 - SLACK) - 2.0**-48 * (_radius(layer) + margin)


def start_error(layer: LayerNumbers, *forms: Format) -> float:
    """How far the initial state is off when stored."""
    stored = layer.states[0]
    for form in forms:
        stored = _float64(form, stored)
    return (_norm(stored - layer.states[0]) + CONVERSION * _radius(layer)) * (1 + SLACK)


def loop_length(layer: LayerNumbers, form: Format) -> float:
    """Letters for which the loop is right."""
    if _overflows(layer, form):
        return 0
    return loop_growth(layer, form).steps_below(start_error(layer, form), room(layer, form))


def delta_length(layer: LayerNumbers, form: Format) -> float:
    """Letters for which the delta rule, micro-step by micro-step in ``form``, is right."""
    if _overflows(layer, form):
        return 0
    return delta_growth(layer, form, form).steps_below(start_error(layer, form), room(layer, form))


def fused_length(layer: LayerNumbers, form: Format) -> float:
    """Letters for which a kernel is right that takes inputs in ``form``, computes in float32, and hands out ``form``."""
    single = FORMATS["float32"]
    if _overflows(layer, form):
        return 0
    # what is read is rounded once more, to what is less precise than float32
    unit = form.unit if form.unit > single.unit else 0.0
    reading = (room(layer, form) - unit * _largest(layer) - FLUSHED) / (1 + unit)
    return delta_growth(layer, single, form).steps_below(start_error(layer, form, single), reading * (1 - SLACK))


def scan_length(layer: LayerNumbers, form: Format) -> float:
    """Letters for which the scan is right, in any bracketing; 0 without contractions."""
    if not layer.contracts or _overflows(layer, form):
        return 0
    spare = (room(layer, form) - scan_reading(layer, form)) * (1 - SLACK) / _radius(layer)
    excess = scan_excess(layer, form)
    if not (spare > 0 and isfinite(excess)):
        return 0
    return inf if excess == 0 else int(min(log1p(spare) / log1p(excess) * (1 - SLACK), MANY))


def scan_reading(layer: LayerNumbers, form: Format) -> float:
    """What A h_0 + B, rounded once more and with h_0 rounded, adds to the error R ((1 + x)^t - 1), as long as that is below the room."""
    start, radius, arithmetic, left = start_error(layer, form), _radius(layer), composed_in(form), room(layer, form)
    n, slope, moves = layer.A.shape[1], room(layer, form) / _radius(layer), layer.B.any()
    products = (_size(layer) + slope) * (radius + start) + (2 * radius + 2 * left if moves else 0)
    last = float(gamma(n + 1 if moves else n, arithmetic.unit)) * products
    return (start * (1 + slope) + last) * (1 + SLACK) + _underflow(arithmetic, layer, layer.A)


# -- quantities -----------------------------------------------------------------------------------------------------------------


def _float64(form: Format, values: np.ndarray) -> np.ndarray:
    return form.stored(values).astype(np.float64)


def _norm(x: np.ndarray) -> float:
    """The Euclidean norm; of matrices Frobenius's, which bounds the operator norm."""
    return float(np.linalg.norm(x))


def _radius(layer: LayerNumbers) -> float:
    return max(float(np.linalg.norm(layer.states, axis=1).max()) * (1 + SLACK), FLUSHED)


def _size(layer: LayerNumbers) -> float:
    """The largest Frobenius norm of A and of every product, which is no larger; at least 1."""
    return max([1.0, *(_norm(a) for a in layer.A)]) * (1 + SLACK)


def _largest(layer: LayerNumbers) -> float:
    return float(np.abs(layer.states).max())


def _states_before(layer: LayerNumbers) -> list[np.ndarray]:
    """For each map the states that it can be applied to: all, where the walks are not known."""
    if layer.walks is None:
        return [np.arange(len(layer.states))] * len(layer.A)
    maps, before, _ = layer.walks.moves.T
    return [np.unique(found) for found in np.split(before, np.searchsorted(maps, np.arange(1, len(layer.A))))]


def _underflow(form: Format, layer: LayerNumbers, weights: np.ndarray) -> float:
    """What underflow can add to a step: 2 n + 6 operations an entry at most, whose errors are passed on by two more factors at most.

    Units that flush float32's operands and results below the least normal number to zero are allowed; those of float16 do not.
    """
    n = layer.states.shape[1]
    factor = 2 + float(np.abs(weights).max())
    least = {"float16": form.underflow, "float64": 2.0**-1022}.get(form.name, FLUSHED * (2 + _radius(layer)) * factor)
    return 2 * n * (2 * n + 6) * least * factor**2


def _overflows(layer: LayerNumbers, form: Format) -> bool:
    """Whether any sum could leave the format's range, with room to spare."""
    n = layer.states.shape[1]
    parts = [layer.A, layer.B, *(np.append(k, [beta, v]) for steps in layer.micro if steps is not None for k, beta, v in steps)]
    weights = 1 + max(float(np.abs(x).max()) for x in parts)
    return not 4 * n * weights**3 * (_radius(layer) + 1) < form.largest
