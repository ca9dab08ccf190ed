"""A part of the state that depends on itself and the input alone, given which the rest is affine: a stabiliser, an accumulated angle."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import islice
from math import prod
from typing import Any

import numpy as np
import torch

from .affine import affine_map, states
from .steps import Step, Weights

#: sizes of the states at which it is seen which coordinates depend on which: a stabiliser may decay by hundreds
BASES = (0.5, 2.0, 8.0, 1024.0)

#: inputs on which the rest must be affine
INPUTS = 3

#: sets of coordinates that are tried as a driver
TRIED = 12

#: roundings that a coordinate may change by without being said to depend on another
ROUNDINGS = 100


@dataclass(frozen=True)
class Driver:
    """The driver of a step.

    Attributes:
        coordinates: Which coordinates of the flat state it has.
        shape: The shape of the whole state.
    """

    coordinates: tuple[int, ...]
    shape: tuple[int, ...]

    def __str__(self) -> str:
        rest, m = prod(self.shape) - len(self.coordinates), len(self.coordinates)
        block = "a scalar block" if m == 1 else f"a block of {m} coordinates"
        return f"linear, driven by {block}: {rest} coordinates are affine, given the rest, which depends on itself and the input alone"


def without_driver(step: Step) -> tuple[Step, Driver] | None:
    """The step of the rest, whose input is the input and the driver's state; None if there is no such driver. Seen on states and inputs, not proved."""
    generator = torch.Generator().manual_seed(4)
    x = step.draw(generator)
    if not (isinstance(x, torch.Tensor) and x.is_floating_point()):
        return None
    depends, bends = dependence(step, x, generator)
    for driver in islice(_candidates(depends, bends), 1 if step.is_black_box else TRIED):
        if len(driver) < step.size:
            rest = _rest(step, driver, x.shape)
            if all(affine_map(rest, rest.weights, rest.draw(generator), seed).holds for seed in range(INPUTS)):
                return rest, Driver(driver, step.shape)
    return None


def dependence(step: Step, x: torch.Tensor, generator: torch.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Which coordinate (row) changes with which (column); and along which coordinate the step is not affine."""
    n, eps = step.size, torch.finfo(step.dtype).eps
    depends, bends = np.zeros((n, n), dtype=bool), np.zeros(n, dtype=bool)
    eye = torch.eye(n, dtype=step.dtype)
    for size in BASES:
        base = torch.randn(n, generator=generator, dtype=torch.float64).to(step.dtype)
        with torch.no_grad():
            f = states(step, step.weights, torch.cat([base[None], base + size * eye, base + 2 * size * eye]), x).to(torch.float64)
        here, near, far = f[:1], f[1 : n + 1], f[n + 1 :]
        least = ROUNDINGS * eps * max(1.0, float(f.abs().max()))
        depends |= ((near - here).abs() > least).T.numpy()
        bends |= ((far - 2 * near + here).abs() > 4 * least).any(1).numpy()
    return depends, bends


def _candidates(depends: np.ndarray, bends: np.ndarray) -> Iterable[tuple[int, ...]]:
    """Sets of coordinates that depend on themselves alone and hold those along which the step bends, the smallest first."""
    reached = depends | np.eye(len(depends), dtype=bool)
    for _ in range(int(np.ceil(np.log2(max(2, len(depends)))))):
        reached = reached @ reached
    closed = {tuple(np.flatnonzero(row).tolist()) for row in reached}
    needed = tuple(np.flatnonzero(reached[bends].any(0)).tolist())
    if needed:
        yield needed
    grown = set(needed)
    for more in sorted(closed, key=lambda c: (len(c), c)):
        yield tuple(sorted(set(needed) | set(more)))
        grown |= set(more)
        yield tuple(sorted(grown))


def _rest(step: Step, driver: tuple[int, ...], shape: torch.Size) -> Step:
    """The coordinates beside the driver's, with inputs (input, driver's state) in one row."""
    kept = [i for i in range(step.size) if i not in driver]
    count = prod(shape)
    # where each coordinate of the state stands in (rest, driver)
    places = torch.argsort(torch.tensor([*kept, *driver]))
    chosen = torch.tensor(kept)

    def call(weights: Weights, state: torch.Tensor, both: Any) -> torch.Tensor:
        whole = torch.cat([state.reshape(-1), both[count:]]).index_select(0, places)
        return step(weights, whole, both[:count].reshape(shape)).index_select(0, chosen)

    def draw(generator: torch.Generator) -> torch.Tensor:
        driven = torch.randn(len(driver), generator=generator, dtype=torch.float64).to(step.dtype)
        return torch.cat([step.draw(generator).reshape(-1), driven])

    return replace(step, shape=(len(kept),), draw=draw, call=call, many=None, factors=())
