"""By which criterion an observation of a paper is judged: one for each kind of observation, written down before the run that it judges.

A criterion compares two sides, each with one number for every seed. It can fail: sides that are swapped, or a difference that is put in, change the answer.
Intervals of means are Welch's at 95 %; those of the best and of the median come from resampled seeds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import stats

#: seeds that each side has, at least
SEEDS = 5

#: how sure an interval is, and how many times seeds are drawn again for it
LEVEL, DRAWN = 0.95, 9999

#: what is taken of the seeds -> how; "best" is the largest, so errors have no best here
OF: dict[str, Callable[..., np.ndarray]] = {"mean": np.mean, "median": np.median, "best": np.max}


@dataclass(frozen=True)
class Judged:
    """Whether a criterion holds; the difference of the sides with its interval."""

    holds: bool
    difference: float
    low: float
    high: float


def seeds_of(values: Sequence[float]) -> np.ndarray:
    """The numbers of one side, one for each seed. Raises ``ValueError`` for fewer than five, and for numbers that are not finite."""
    found = np.asarray(values, dtype=float)
    if found.ndim != 1 or len(found) < SEEDS:
        raise ValueError(f"expected a number for each of at least {SEEDS} seeds, got the shape {found.shape}")
    if not np.isfinite(found).all():
        raise ValueError("expected finite numbers; a run that diverged has the number of a network that guesses")
    return found


def welch(first: Sequence[float], second: Sequence[float]) -> tuple[float, float, float]:
    """The difference of two means, first less second, and its interval; a point where neither side varies.

    >>> welch([1, 1, 1, 1, 1], [0, 0, 0, 0, 0])
    (1.0, 1.0, 1.0)
    """
    a, b = seeds_of(first), seeds_of(second)
    difference = float(a.mean() - b.mean())
    parts = np.array([a.var(ddof=1) / len(a), b.var(ddof=1) / len(b)])
    if not parts.any():
        return difference, difference, difference
    freedom = parts.sum() ** 2 / (parts**2 / [len(a) - 1, len(b) - 1]).sum()
    half = float(stats.t.ppf((1 + LEVEL) / 2, freedom) * np.sqrt(parts.sum()))
    return difference, difference - half, difference + half


def resampled(first: Sequence[float], second: Sequence[float], of: str) -> tuple[float, float, float]:
    """The difference of the best or the medians of two sides, and its interval from seeds that are drawn again with replacement."""
    a, b, take = seeds_of(first), seeds_of(second), OF[of]
    rng = np.random.default_rng(0)
    drawn = [take(rng.choice(side, (DRAWN, len(side))), axis=1) for side in (a, b)]
    low, high = np.quantile(drawn[0] - drawn[1], [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(take(a) - take(b)), float(low), float(high)


@dataclass(frozen=True)
class Values:
    """Ordered, with values in the paper: ``more`` exceeds ``less`` by at least half of the paper's difference, and by ``least``."""

    title: ClassVar[str] = "ordered with values"
    more: str
    less: str
    paper: tuple[float, float]
    least: float
    of: str = "mean"

    def __post_init__(self) -> None:
        if self.of not in OF:
            raise ValueError(f"expected one of {', '.join(OF)}, got {self.of!r}")
        if not (self.least > 0 and len(self.paper) == 2 and self.paper[0] > self.paper[1]):
            raise ValueError(f"expected a positive effect and two values, the larger first, got {self.least} and {self.paper}")

    @property
    def needed(self) -> float:
        """The difference that counts."""
        return max((self.paper[0] - self.paper[1]) / 2, self.least)

    @property
    def says(self) -> str:
        """The criterion in words, its sides in italics."""
        return f"*{self.more}* at least {self.needed:.3g} above *{self.less}*"

    def judge(self, more: Sequence[float], less: Sequence[float]) -> Judged:
        """Whether it holds of these seeds. Raises ``ValueError`` as :func:`seeds_of`."""
        found = welch(more, less) if self.of == "mean" else resampled(more, less, self.of)
        return Judged(found[0] >= self.needed, *found)


@dataclass(frozen=True)
class Order:
    """Ordered, in a picture without numbers: the interval of ``more`` less ``less`` excludes 0, and the difference is at least ``least``."""

    title: ClassVar[str] = "ordered, no values"
    more: str
    less: str
    least: float

    def __post_init__(self) -> None:
        if not self.least > 0:
            raise ValueError(f"expected a positive effect, got {self.least}")

    @property
    def says(self) -> str:
        """The criterion in words, its sides in italics."""
        return f"*{self.more}* at least {self.least:g} above *{self.less}*, and the interval excludes 0"

    def judge(self, more: Sequence[float], less: Sequence[float]) -> Judged:
        """Whether it holds of these seeds. Raises ``ValueError`` as :func:`seeds_of`."""
        difference, low, high = welch(more, less)
        return Judged(difference >= self.least and low > 0, difference, low, high)


@dataclass(frozen=True)
class Threshold:
    """A threshold: the median of one side reaches ``enough``, that of the other does not get past ``short``, and the interval of the means excludes 0.

    Errors reach it from above: there ``enough`` is below ``short``.
    """

    title: ClassVar[str] = "threshold"
    passes: str
    fails: str
    enough: float
    short: float

    def __post_init__(self) -> None:
        if self.enough == self.short:
            raise ValueError(f"expected two numbers, one for each side, got {self.enough} twice")

    @property
    def sign(self) -> int:
        """1 where large numbers pass, -1 where small ones do."""
        return 1 if self.enough > self.short else -1

    @property
    def says(self) -> str:
        """The criterion in words, its sides in italics."""
        least, most = ("at least", "at most") if self.sign > 0 else ("at most", "at least")
        return f"*{self.passes}* {least} {self.enough:g}, *{self.fails}* {most} {self.short:g}, and the interval excludes 0"

    def judge(self, passes: Sequence[float], fails: Sequence[float]) -> Judged:
        """Whether it holds of these seeds. Raises ``ValueError`` as :func:`seeds_of`."""
        difference, low, high = welch(passes, fails)
        reached = self.sign * (np.median(passes) - self.enough) >= 0
        missed = self.sign * (np.median(fails) - self.short) <= 0
        apart = low > 0 if self.sign > 0 else high < 0
        return Judged(bool(reached and missed and apart), difference, low, high)


@dataclass(frozen=True)
class Same:
    """No difference: the interval of ``one`` less ``other`` lies within ``margin`` of 0.

    A difference as large as the margin that is put into ``one`` would be seen: it moves the whole interval past 0.
    """

    title: ClassVar[str] = "no difference"
    one: str
    other: str
    margin: float

    def __post_init__(self) -> None:
        if not self.margin > 0:
            raise ValueError(f"expected a positive margin, got {self.margin}")

    @property
    def says(self) -> str:
        """The criterion in words, its sides in italics."""
        return f"the interval of *{self.one}* less *{self.other}* lies within {self.margin:g} of 0"

    def judge(self, one: Sequence[float], other: Sequence[float]) -> Judged:
        """Whether it holds of these seeds. Raises ``ValueError`` as :func:`seeds_of`."""
        difference, low, high = welch(one, other)
        return Judged(-self.margin < low and high < self.margin, difference, low, high)


Criterion = Values | Order | Threshold | Same

#: as a row's sentences name them
KINDS: dict[str, type[Criterion]] = {"values": Values, "order": Order, "threshold": Threshold, "same": Same}
