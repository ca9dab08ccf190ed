"""Functions with finitely many frequencies, f(x) = sum_w F(w) exp(i <w, x>), and their Barron constants (orvieto24, Definition 3).

The Fourier transform is a measure with atoms. Measures, not only densities, are what the theory needs: a function that does not depend on one of its variables has no
integrable transform. Frequencies and coefficients are rational, so sums and changes of variables are exact; norms are balls.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
from flint import arb, fmpq

from ...numerics import exact
from ...numerics.exact import Array

Frequency = tuple[fmpq, ...]
#: real and imaginary part
Coefficient = tuple[fmpq, fmpq]


def length(vector: Iterable[fmpq]) -> arb:
    """A ball around the Euclidean norm of a rational vector."""
    return arb(sum((x * x for x in vector), fmpq(0))).sqrt()


@dataclass(frozen=True)
class Spectrum:
    """``atoms`` maps a frequency, of n entries, to its coefficient, which is not 0; real functions have F(-w) = conj F(w)."""

    atoms: Mapping[Frequency, Coefficient]

    @classmethod
    def of(cls, pairs: Iterable[tuple[Frequency, Coefficient]]) -> Spectrum:
        """Atoms at the same frequency are added; those that cancel are dropped."""
        total: dict[Frequency, Coefficient] = {}
        for w, (re, im) in pairs:
            before = total.get(w, (fmpq(0), fmpq(0)))
            total[w] = (before[0] + re, before[1] + im)
        return cls({w: c for w, c in total.items() if c != (0, 0)})

    @property
    def barron(self) -> arb:
        """C_f = sum of |w| |F(w)|."""
        return sum((length(w) * length(c) for w, c in self.atoms.items()), arb(0))

    @property
    def fourier_norm(self) -> arb:
        """C'_f = sum of |F(w)|."""
        return sum((length(c) for c in self.atoms.values()), arb(0))

    def after(self, A: Array) -> Spectrum:
        """The spectrum of x -> f(Ax): every frequency w moves to A^T w, and those that meet add up."""
        moved = ((tuple(A.T @ np.array(w, dtype=object)), c) for w, c in self.atoms.items())
        return Spectrum.of(moved)

    def stretched(self, A: Array) -> arb:
        """The sum of |A^T w| |F(w)|, before atoms that meet are added."""
        return sum((length(A.T @ np.array(w, dtype=object)) * length(c) for w, c in self.atoms.items()), arb(0))

    def __add__(self, other: Spectrum) -> Spectrum:
        return Spectrum.of([*self.atoms.items(), *other.atoms.items()])

    def __mul__(self, other: Spectrum) -> Spectrum:
        """The product of two functions: their transforms are convolved."""
        return Spectrum.of(
            (tuple(a + b for a, b in zip(v, w, strict=True)), (p * s - q * t, p * t + q * s))
            for v, (p, q) in self.atoms.items()
            for w, (s, t) in other.atoms.items()
        )

    def __call__(self, x: Iterable[Any]) -> arb:
        """A ball around the value at x, whose entries are rationals or doubles; real for real functions."""
        point, total = [arb(v if isinstance(v, fmpq) else float(v)) for v in x], arb(0)
        for w, (p, q) in self.atoms.items():
            phase = sum((arb(a) * b for a, b in zip(w, point, strict=True)), arb(0))
            total += arb(p) * phase.cos() - arb(q) * phase.sin()
        return total


def fmpq_to_float(x: Any) -> float:
    """The nearest double of a rational, or of a number that is one already."""
    return int(x.p) / int(x.q) if isinstance(x, fmpq) else float(x)


def cosine(w: Iterable[Any], amplitude: Any = 1) -> Spectrum:
    """amplitude cos(<w, x>)."""
    frequency, half = tuple(exact.rational(a) for a in w), exact.rational(amplitude) / 2
    return Spectrum.of([(frequency, (half, fmpq(0))), (tuple(-a for a in frequency), (half, fmpq(0)))])


def sine(w: Iterable[Any], amplitude: Any = 1) -> Spectrum:
    """amplitude sin(<w, x>)."""
    frequency, half = tuple(exact.rational(a) for a in w), exact.rational(amplitude) / 2
    return Spectrum.of([(frequency, (fmpq(0), -half)), (tuple(-a for a in frequency), (fmpq(0), half))])


def random_spectrum(rng: Random, n: int, waves: int = 3, bound: int = 3) -> Spectrum:
    """A real function of n variables with at most ``waves`` waves of small integer frequencies."""
    total = Spectrum({})
    for _ in range(waves):
        w = [rng.randint(-bound, bound) for _ in range(n)]
        total = total + rng.choice((cosine, sine))(w, fmpq(rng.randint(-4, 4), rng.randint(1, 3)))
    return total
