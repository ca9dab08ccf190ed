"""Finite precision: rounding onto a finite set D, and the two models in which a recurrence can be run with it.

* the *cast model* of grazzi25 (App. A.4, B.1): products in infinite precision, each term cast, the sum cast;
* *step-wise rounding*: the state is rounded after every step, as hardware does.

They behave differently: the spectra of Theorem 1 settle the states of the first, and not those of the second (new.parity.stepwise.two-cycle).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq

from .cyclotomic import Cyclotomic, gaussian, parts
from .exact import Array, map_entries, multiply, rational
from .exponential_sums import ExponentialSum


class FiniteSet:
    """A finite set D of rationals with the paper's ``cast``: the nearest element, the smaller one at a tie (Eq. 4)."""

    def __init__(self, values: Iterable[Any]):
        self.values = sorted({rational(v) for v in values})
        if not self.values:
            raise ValueError("expected a finite set D with at least one element, got an empty set")
        # cast(x) = values[i] exactly when i of these midpoints lie strictly below x
        self.midpoints = [(a + b) / 2 for a, b in zip(self.values, self.values[1:], strict=False)]

    def __repr__(self) -> str:
        return "{" + ", ".join(map(str, self.values)) + "}"

    def __len__(self) -> int:
        return len(self.values)

    def to_text(self) -> list[str]:
        return [str(v) for v in self.values]

    def cast_scalar(self, x: Any) -> Any:
        """The element nearest to the exact number ``x``; at a tie the smaller one. Gaussian rationals part by part."""
        if isinstance(x, Cyclotomic):
            real, imaginary = parts(np.array([x], dtype=object))
            return gaussian(self.cast_scalar(real[0]), self.cast_scalar(imaginary[0]))
        return self.values[bisect_left(self.midpoints, rational(x))]

    def cast(self, array: Array) -> Array:
        """``cast`` entry by entry."""
        return map_entries(self.cast_scalar, array)

    def settles(self, sequence: ExponentialSum) -> tuple[int, tuple[fmpq, fmpq]]:
        """(threshold, (even value, odd value)): the cast sequence is this 2-periodic one from ``threshold`` on.

        Lemma 1 made effective: cast(a_k) can change only when a_k crosses a midpoint, and a_k minus a midpoint is again
        an exponential sum, whose sign settles.
        """
        threshold, values = 0, []
        for parity in (0, 1):
            settled = [(sequence - y).settles(parity) for y in self.midpoints]
            threshold = max([threshold] + [s.threshold for s in settled])
            values.append(self.values[sum(s.sign > 0 for s in settled)])
        return threshold, (values[0], values[1])


def cast_model_states(steps: Iterable[tuple[Array, Array]], initial: Array, D: FiniteSet) -> Iterator[Array]:
    """The states of the cast model after 0, 1, 2, ... steps; ``steps`` yields (A(x_t), B(x_t)).

    H_t = cast( sum_i cast(A(x_t) ... A(x_{i+1}) B(x_i)) + cast(A(x_t) ... A(x_1) H_0) )   (grazzi25, App. B.1)
    """
    terms = [initial]
    yield D.cast(initial)
    for transition, inputs in steps:
        terms = [multiply(transition, term) for term in terms] + [inputs]
        yield D.cast(np.sum([D.cast(term) for term in terms], axis=0))


def stepwise_states(steps: Iterable[tuple[Array, Array]], initial: Array, D: FiniteSet) -> Iterator[Array]:
    """The states after 0, 1, 2, ... steps when every step is rounded: H_t = cast(A(x_t) H_{t-1} + B(x_t))."""
    state = D.cast(initial)
    yield state
    for transition, inputs in steps:
        state = D.cast(multiply(transition, state) + inputs)
        yield state


def rounded_to_bits(x: Fraction, bits: int) -> Fraction:
    """x rounded to ``bits`` significant bits, to nearest, ties to even: a floating-point format without bounds on the exponent."""
    if x == 0:
        return x
    # 2^(e-1) <= |x| < 2^(e+1), so the shift may be one too small
    shift = bits - (abs(x.numerator).bit_length() - x.denominator.bit_length())
    scaled = x * Fraction(2) ** shift
    while abs(scaled) >= 2**bits:
        scaled, shift = scaled / 2, shift - 1
    return round(scaled) / Fraction(2) ** shift
