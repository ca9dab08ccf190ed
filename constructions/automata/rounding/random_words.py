"""Random words through a network's last layer in float64, the layers below exact: states that are rounded at random, and weights that are slightly off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ....numerics import exact
from ..prove.closure import LayerClosure
from .stochastic import nearest


@dataclass(frozen=True)
class Walk:
    """The last layer: ``maps`` of shape (m, n, n), the ``states`` (q, n) of the proof, the first one initial, and a row for each place of the layers below.

    ``map_of[p, i]`` is the map that letter i applies at place p, and ``after[p, i]`` the next place; places have equally many letters.
    """

    maps: np.ndarray
    states: np.ndarray
    map_of: np.ndarray
    after: np.ndarray

    @property
    def margin(self) -> float:
        """Half the least distance of two states."""
        distances = np.linalg.norm(self.states[:, None] - self.states[None], axis=2)
        return float(distances[~np.eye(len(distances), dtype=bool)].min()) / 2


def walk_of(closure: LayerClosure) -> Walk:
    """The walk of a network's last layer, of which ``closure`` is the proof; it must have no inputs. Raises ``ValueError`` if it has some, or if places have different numbers of letters."""
    read = {f: arrow.read for arrow, f in zip(closure.arrows, closure.map_of, strict=True)}
    if any((closure.layer.inputs(x) != 0).any() for x in read.values()):
        raise ValueError("expected a last layer without inputs, got one that writes")
    if len({len(leaving) for leaving in closure.leaving}) > 1:
        raise ValueError("expected as many letters at each place of the layers below, got different numbers")
    maps = np.array([exact.as_float(closure.layer.transition(read[f])) for f in range(len(read))])
    states = np.array([exact.as_float(state)[:, 0] for state in closure.states])
    map_of = np.array([[closure.map_of[y] for y in leaving] for leaving in closure.leaving])
    return Walk(maps, states, map_of, np.array([[closure.ends[y][1] for y in leaving] for leaving in closure.leaving]))


def first_errors(walk: Walk, unit: float, most: int, runs: int, seed: int) -> np.ndarray:
    """The lengths (runs,) after which stochastic rounding to multiples of ``unit`` is first nearest to a wrong state; ``most`` + 1 if it never is."""
    rng = np.random.default_rng(seed)
    true = np.repeat(walk.states[:1], runs, axis=0)
    rounded, place, found = np.round(true / unit) * unit, np.zeros(runs, dtype=int), np.full(runs, most + 1)
    for t in range(1, most + 1):
        letters = rng.integers(0, walk.map_of.shape[1], size=runs)
        A = walk.maps[walk.map_of[place, letters]]
        place = walk.after[place, letters]
        true, moved = np.einsum("rij,rj->ri", A, true), np.einsum("rij,rj->ri", A, rounded)
        rounded = np.floor(moved / unit + rng.random(moved.shape)) * unit
        wrong = nearest(rounded, walk.states) != nearest(true, walk.states)
        found = np.where(wrong & (found > most), t, found)
        if (found <= most).all():
            break
    return found


def error_sizes(walk: Walk, directions: np.ndarray, delta: float, lengths: Sequence[int], runs: int, seed: int) -> np.ndarray:
    """The root mean square error, divided by ``delta``, after random words of increasing ``lengths``, of weights off by ``delta`` times ``directions`` (m, n, n)."""
    rng = np.random.default_rng(seed)
    true = np.repeat(walk.states[:1], runs, axis=0)
    off, place, found = true.copy(), np.zeros(runs, dtype=int), []
    for t in range(1, max(lengths) + 1):
        letters = rng.integers(0, walk.map_of.shape[1], size=runs)
        chosen = walk.map_of[place, letters]
        place = walk.after[place, letters]
        true = np.einsum("rij,rj->ri", walk.maps[chosen], true)
        off = np.einsum("rij,rj->ri", walk.maps[chosen] + delta * directions[chosen], off)
        if t in lengths:
            found.append(float(np.sqrt(((off - true) ** 2).sum(axis=1).mean())) / delta)
    return np.array(found)


def turned_letters(walk: Walk, seed: int) -> np.ndarray:
    """Directions (m, n, n) of norm 1 in which each map stays orthogonal to first order: a random skew matrix after it."""
    rng = np.random.default_rng(seed)
    skew = [X - X.T for X in rng.normal(size=walk.maps.shape)]
    return np.array([A @ (X / np.linalg.norm(X, 2)) for A, X in zip(walk.maps, skew, strict=True)])
