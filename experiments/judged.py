"""What the criteria of a row say of its data, and what the data cost: read from what is kept, without training anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

from .criteria import Judged
from .reproduction import Row, Sentence

if TYPE_CHECKING:
    import xarray as xr

#: the exit codes of ``lemmata certify`` -> what is said of a network
CERTIFIED = {0: "right at every length", 1: "wrong on a word", 2: "not certified", 3: "not decided"}


@dataclass(frozen=True)
class Verdict:
    """A sentence of a row, the numbers of its two sides, and what its criterion says of them; None where a side was not trained."""

    sentence: Sentence
    sides: tuple[list[float], list[float]] | None
    judged: Judged | None


def names_of(sentence: Sentence) -> tuple[str, str]:
    """The two sides of a criterion, in the order in which it takes them."""
    given = asdict(sentence.criterion)
    first, second = next(pair for pair in (("more", "less"), ("passes", "fails"), ("one", "other")) if pair[0] in given)
    return given[first], given[second]


def judge(row: Row, data: xr.Dataset) -> list[Verdict]:
    """What the criteria of a row say of its data, sentence by sentence."""
    trained, found = set(data.named.values.tolist()), []
    for sentence in row.sentences:
        names = names_of(sentence)
        if sentence.cannot or not trained.issuperset(names):
            found.append(Verdict(sentence, None, None))
            continue
        first, second = (_finite(data.side.sel(named=name).values) for name in names)
        found.append(Verdict(sentence, (first, second), sentence.criterion.judge(first, second)))
    return found


def _finite(values: np.ndarray) -> list[float]:
    """The numbers of a side, which may have fewer seeds than another."""
    return values[np.isfinite(values)].tolist()


def reproduced(verdicts: Sequence[Verdict]) -> bool:
    """Whether every sentence that decides its row holds."""
    return all(v.judged is not None and v.judged.holds for v in verdicts if v.sentence.decides)


def minutes(data: xr.Dataset) -> tuple[float, float]:
    """The core-minutes of the networks that are judged, and of those at other rates, which were trained for the choice."""
    whole, rates = data.minutes.values, np.isfinite(data.tried.values).sum(1)
    return float((whole / rates).sum()), float((whole - whole / rates).sum())


def certified(data: xr.Dataset) -> str:
    """How many of the trained networks of regular tasks are certified, and what is said of them; of other tasks nothing."""
    regular = data.regular.values.astype(bool)
    count = int(np.isfinite(data.validation.values[regular]).sum())
    if "certify" not in data.number.values:
        return f"{count} networks not certified" if count else "-"
    codes, words = (_finite(data.value.sel(number=name).values.ravel()) for name in ("certify", "wrong word"))
    said = [f"{codes.count(code)} {title}" for code, title in CERTIFIED.items() if code in codes]
    wrong = [int(n) for n in words if n]
    span = [f"the shortest of these words has {min(wrong)} letters, the longest {max(wrong)}"] if wrong else []
    left = [f"{count - len(codes)} not certified"] if count > len(codes) else []
    return "; ".join([*said, *span, *left])


@dataclass(frozen=True)
class Found:
    """The numbers of a row's networks, each cell at the rate that its validation words chose."""

    data: xr.Dataset

    def medians(self, cell: str) -> np.ndarray:
        """The medians over the seeds on validation words, one for each rate."""
        at = self.data.sel(cell=cell)
        return np.median(at.validation.values[np.isfinite(at.tried.values)], axis=-1)

    def rate(self, cell: str) -> int:
        """The index of the rate that is best on validation words."""
        most = bool(self.data.most.sel(cell=cell))
        return int(self.medians(cell).argmax() if most else self.medians(cell).argmin())

    def __call__(self, cell: str, number: str) -> list[float]:
        """A number on test words, one for each seed."""
        found = self.data.value.sel(cell=cell, number=number).isel(rate=self.rate(cell)).values
        return found[np.isfinite(found)].tolist()

    def best(self, *cells: str) -> str:
        """The cell that is best on validation words: they differ in what is tuned beside the rate."""
        sign = 1 if bool(self.data.most.sel(cell=cells[0])) else -1
        return max(cells, key=lambda cell: sign * self.medians(cell)[self.rate(cell)])
