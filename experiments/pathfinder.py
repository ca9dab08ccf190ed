"""Are two dots the ends of one curve? Square images of dashed curves, drawn here after the Pathfinder task of Linsley et al. (2018).

They are not the images of the long-range arena (Tay et al. 2021), which degeeter26 and orvieto24 read, but have what matters of them: two long dashed
curves and some short ones, none near another; dots on two ends, of one long curve or of both. The same drawing has a pair of either kind, as far
apart as the other, and a coin decides; so numbers of pixels and the distance of the dots say nothing about the answer. How much is lit between the
dots says a little (``simple_numbers``), the less the longer the curves are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.ndimage import binary_dilation

from .tasks import UNASKED, Generator, Task

#: what a pixel of a curve and of a dot have; all others have 0
CURVE, DOT = 0.5, 1.0

#: the eight directions of a step, by turns of 45 degrees, and how likely a curve turns by -1, 0, 1 of them
STEPS = np.array([(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)])
TURNS, CHANCE = np.array([-1, 0, 1]), np.array([0.25, 0.5, 0.25])

#: drawings that are begun at once, attempts at each curve, and how many times all drawings may fail in a row
AT_ONCE, TRIES, PATIENCE = 256, 2, 20


@dataclass(frozen=True)
class Pathfinder:
    """Images of ``side`` pixels: two long curves of ``dashes`` dashes each, ``distractors`` short ones of a third of them (at least one).

    A dash has ``dash`` pixels, with ``gap`` dark ones between two; pixels of different curves are at least gap + 2 rows or columns apart, so that
    what is no further than gap + 1 belongs together. Raises ``ValueError`` for a side that is not 8 to 32, and for counts too small.
    """

    side: int = 12
    dashes: int = 4
    distractors: int = 1
    dash: int = 2
    gap: int = 1

    def __post_init__(self) -> None:
        if not 8 <= self.side <= 32:
            raise ValueError(f"expected a side of 8 to 32 pixels, got {self.side}")
        if self.dashes < 2 or self.distractors < 0 or self.dash < 1 or self.gap < 0:
            raise ValueError(
                "expected at least 2 dashes, 0 distractors, 1 pixel of a dash and 0 of a gap, "
                f"got {self.dashes}, {self.distractors}, {self.dash} and {self.gap}"
            )

    def images(self, count: int, rng: Generator) -> tuple[np.ndarray, np.ndarray]:
        """Images (count, side, side), with entries 0, ``CURVE`` and ``DOT``, and labels (count,): 1 if the dots are the ends of one curve.

        Raises ``ValueError`` if no drawing fits into the square.
        """
        images, labels, failed = [np.empty((0, self.side, self.side))], [np.empty(0, dtype=int)], 0
        while sum(map(len, labels)) < count:
            drawn, ends = self._drawings(rng)
            made, said = _dotted(drawn, ends, rng)
            images.append(made)
            labels.append(said)
            failed = 0 if len(said) else failed + 1
            if failed == PATIENCE:
                raise ValueError(
                    f"expected curves that fit, got none in {PATIENCE * AT_ONCE} drawings of {self}: take fewer or shorter ones"
                )
        return np.concatenate(images)[:count], np.concatenate(labels)[:count]

    def task(self) -> Task:
        """The image row by row, one pixel (less 1/2) at each step; the label at the last one says whether the dots are joined."""

        def sample(batch: int, length: int, rng: Generator) -> tuple[np.ndarray, np.ndarray]:
            if length != self.side**2:
                raise ValueError(f"expected the length of an image, {self.side**2}, got {length}")
            images, labels = self.images(batch, rng)
            targets = np.full((batch, length), UNASKED)
            targets[:, -1] = labels
            return images.reshape(batch, length, 1) - 0.5, targets

        return Task(f"pathfinder {self.side} x {self.side}", (), ("apart", "joined"), sample, features=1)

    def _drawings(self, rng: Generator) -> tuple[np.ndarray, np.ndarray]:
        """Which pixels are lit, (n, side, side), in the drawings in which all curves found a place, and the ends of the two long ones, (n, 4, 2)."""
        lit = np.zeros((AT_ONCE, self.side, self.side), dtype=bool)
        near, ends = lit.copy(), np.empty((AT_ONCE, 0, 2), dtype=int)
        for dashes in (self.dashes, self.dashes, *[max(1, self.dashes // 3)] * self.distractors):
            length = dashes * (self.dash + self.gap) - self.gap
            paths, found = _walks(near, length, rng)
            for _ in range(TRIES - 1):
                again = np.flatnonzero(~found)
                paths[again], found[again] = _walks(near[again], length, rng)
            lit, near, ends, paths = lit[found], near[found], ends[found], paths[found]
            own = np.zeros_like(lit)
            for i in range(paths.shape[1]):
                if i % (self.dash + self.gap) < self.dash:
                    own[np.arange(len(own)), paths[:, i, 0], paths[:, i, 1]] = True
            lit |= own
            near |= binary_dilation(own, np.ones((1, 3, 3)), self.gap + 1)
            if ends.shape[1] < 4:
                ends = np.concatenate([ends, paths[:, [0, -1]]], axis=1)
        return lit, ends


def _walks(taken: np.ndarray, length: int, rng: Generator) -> tuple[np.ndarray, np.ndarray]:
    """One path of so many pixels in each square, outside what is ``taken`` (n, side, side), that never touches itself; (n, length, 2).

    Beside them whether a path came so far, (n,); the others are not to be used.
    """
    n, side = taken.shape[:2]
    every = np.arange(n)
    found = np.asarray(~taken.all((1, 2)))
    # the frame of two pixels is taken, so that steps need not look at the border
    blocked = np.pad(taken, ((0, 0), (2, 2), (2, 2)), constant_values=True)
    at = np.stack(np.unravel_index(np.where(taken, -1.0, rng.random(taken.shape)).reshape(n, side**2).argmax(1), (side, side)), axis=-1) + 2
    heading, path = rng.integers(len(STEPS), size=n), [at]
    for _ in range(length - 1):
        blocked[every, at[:, 0], at[:, 1]] = True
        if len(path) > 2:
            for step in STEPS:
                blocked[every, path[-3][:, 0] + step[0], path[-3][:, 1] + step[1]] = True
        headings = (heading[:, None] + TURNS) % len(STEPS)
        there = at[:, None] + STEPS[headings]
        weight = np.where(blocked[every[:, None], there[..., 0], there[..., 1]], 0.0, CHANCE * rng.random((n, len(TURNS))))
        found &= weight.max(1) > 0
        turn = weight.argmax(1)
        heading = headings[every, turn]
        at = np.where(found[:, None], there[every, turn], at)
        path.append(at)
    return np.stack(path, axis=1) - 2, found


def _dotted(lit: np.ndarray, ends: np.ndarray, rng: Generator) -> tuple[np.ndarray, np.ndarray]:
    """Images and labels from the drawings that have a pair of ends of one curve and a pair of two that are as far apart, to the nearest pixel."""
    n = len(lit)
    one, two = np.array([(0, 1), (2, 3)]), np.array([(0, 2), (0, 3), (1, 2), (1, 3)])
    between = lambda pairs: np.rint(np.hypot(*np.moveaxis(ends[:, pairs[:, 0]] - ends[:, pairs[:, 1]], -1, 0)))  # noqa: E731
    alike = (between(one)[:, :, None] == between(two)[:, None]).reshape(n, len(one) * len(two))
    chosen = np.where(alike, rng.random(alike.shape), -1.0).argmax(1)
    joined = rng.integers(2, size=n)
    pair = np.where(joined[:, None] == 1, one[chosen // len(two)], two[chosen % len(two)])
    images = np.where(lit, CURVE, 0.0)
    for dot in pair.T:
        place = ends[np.arange(n), dot]
        images[np.arange(n), place[:, 0], place[:, 1]] = DOT
    keep = alike.any(1)
    return images[keep], joined[keep]


def simple_numbers(images: np.ndarray) -> np.ndarray:
    """What is seen of images (n, side, side) without following a curve, (n, 13): how many pixels are lit, in the upper and in the left half, how widely they are spread
    over rows and columns; the distance of the dots, and of their rows and columns from the border; pixels lit around each dot, and between them.
    """
    side = images.shape[1]
    place, lit = np.arange(side), images > 0
    dots = np.argwhere(images == DOT)[:, 1:].reshape(-1, 2, 2)
    apart = np.hypot(*(dots[:, 0] - dots[:, 1]).T)
    # distances of all pixels' rows and columns from a point of each image
    away = lambda points: np.meshgrid(place, place, indexing="ij") - points[..., None, None]  # noqa: E731
    around = [(lit & (abs(away(dot)).max(1) <= 3)).sum((1, 2)) for dot in np.moveaxis(dots, 1, 0)]
    between = (lit & (np.hypot(*np.moveaxis(away(dots.mean(1)), 1, 0)) <= apart[:, None, None] / 2)).sum((1, 2))
    count = lit.sum((1, 2))
    spread = [np.sqrt((n * place**2).sum(1) / count - ((n * place).sum(1) / count) ** 2) for n in (lit.sum(2), lit.sum(1))]
    halves = [lit[:, : side // 2].sum((1, 2)), lit[:, :, : side // 2].sum((1, 2))]
    return np.column_stack([count, *halves, *spread, apart, np.minimum(dots, side - 1 - dots).reshape(-1, 4), *around, between])
