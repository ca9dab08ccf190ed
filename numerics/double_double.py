"""Complex numbers as unevaluated sums of two doubles: about 32 digits where a difference is about to cancel.

Array-API code: NumPy, torch and CuPy arrays alike. Dekker (1971), Knuth (TAOCP 2, 4.2.2).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from flint import acb, arb, ctx

#: Veltkamp's splitting constant, 2^27 + 1
_SPLIT = 134217729.0


def two_sum(a: Any, b: Any) -> tuple[Any, Any]:
    """(s, e) with s = fl(a + b) and s + e = a + b exactly."""
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


def two_product(a: Any, b: Any) -> tuple[Any, Any]:
    """(p, e) with p = fl(a b) and p + e = a b exactly."""
    p = a * b
    a_high, a_low = _halves(a)
    b_high, b_low = _halves(b)
    return p, ((a_high * b_high - p) + a_high * b_low + a_low * b_high) + a_low * b_low


def _halves(a: Any) -> tuple[Any, Any]:
    t = _SPLIT * a
    high = t - (t - a)
    return high, a - high


@cache
def roots_of_unity(length: int) -> tuple[np.ndarray, np.ndarray]:
    """(high, low) parts of exp(2 pi i m / length), m = 0 .. length-1, each shape (2, length): real above imaginary parts."""
    return _parts(lambda: [(acb(2 * m) / length).exp_pi_i() for m in range(length)])


def turns(angles: list[float]) -> tuple[np.ndarray, np.ndarray]:
    """(high, low) parts of exp(i t) for each angle t, a double taken as exact; each shape (2, number of angles)."""
    return _parts(lambda: [acb(0, t).exp() for t in angles])


def _parts(compute: Callable[[], list[acb]]) -> tuple[np.ndarray, np.ndarray]:
    """What ``compute`` gives, all of it at 160 bits whatever precision is set, as the nearest doubles and what is left of them."""
    with ctx.workprec(160):
        values = [part for z in compute() for part in (z.real, z.imag)]
        high = [float(x) for x in values]
        low = [float(x - arb(h)) for x, h in zip(values, high, strict=True)]
    return np.array(high).reshape(-1, 2).T, np.array(low).reshape(-1, 2).T


def multiply(a: Sequence[Any], b: Sequence[Any]) -> tuple[Any, Any, Any, Any]:
    """The product of complex numbers given as (real high, real low, imaginary high, imaginary low), to about 30 digits."""
    (ar, arl, ai, ail), (br, brl, bi, bil) = a, b
    rr, rre = two_product(ar, br)
    ii, iie = two_product(ai, bi)
    ri, rie = two_product(ar, bi)
    ir, ire = two_product(ai, br)
    real, real_error = two_sum(rr, -ii)
    imag, imag_error = two_sum(ri, ir)
    real_low = real_error + (rre - iie + ar * brl + arl * br - ai * bil - ail * bi)
    imag_low = imag_error + (rie + ire + ar * bil + arl * bi + ai * brl + ail * br)
    return (*two_sum(real, real_low), *two_sum(imag, imag_low))
