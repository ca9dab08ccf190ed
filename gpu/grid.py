"""The cells of a sweep, never all in memory: each is found by its number, and pieces are runs of consecutive numbers."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, prod
from numbers import Integral, Real
from typing import Any

import numpy as np

from .devices import Device
from .measures import MEASURES, Cell, Measure

#: cells to a piece, at least and at most: what can be lost by a kill, and what is computed at once
PIECE, LARGEST_PIECE = 32, 16384
#: pieces of a sweep, at most, until they are as large as can be: files in its folder
PIECES = 4096
#: cells of a sweep, at most: where the results are made in memory, and where they are streamed
MOST, MOST_STREAMED = 10_000_000, 10_000_000_000
#: bytes of the matrices of one batch
BATCH_BYTES = 256 * 2**20
#: netCDF 3 has no larger whole numbers
LARGEST = 2**31 - 1

_COUNTS = ("N", "L", "rank")


@dataclass(frozen=True)
class Grid:
    """A sweep's ``kind``, its ``axes`` in order, its ``seed``, and how many cells a ``piece`` has. Small, and the same wherever it is sent."""

    kind: str
    axes: Mapping[str, Sequence[Any]]
    seed: int
    piece: int

    @property
    def measure(self) -> Measure:
        return MEASURES[self.kind]

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(len(values) for values in self.axes.values())

    @property
    def cells(self) -> int:
        return prod(self.shape)

    @property
    def pieces(self) -> int:
        return -(-self.cells // self.piece)

    def size(self, index: int) -> int:
        """How many cells piece number ``index`` has."""
        return min(self.piece, self.cells - index * self.piece)

    def cells_of(self, index: int) -> list[Cell]:
        """The cells of piece number ``index``, in the order of ``itertools.product`` of the axes."""
        numbers = np.arange(self.size(index)) + index * self.piece
        places = [x.tolist() for x in np.unravel_index(numbers, self.shape)]
        return [{name: values[i] for (name, values), i in zip(self.axes.items(), at, strict=True)} for at in zip(*places, strict=True)]

    def rows(self, index: int, device: Device) -> np.ndarray:
        """One row of the measure's outputs for each cell of a piece."""
        cells = self.cells_of(index)
        rows = np.empty((len(cells), len(self.measure.outputs)))
        for batch in _batches(self.measure, cells):
            rows[batch] = self.measure.compute([cells[i] for i in batch], self.seed, device)
        return rows

    def to_json(self) -> dict[str, Any]:
        """As a dictionary for JSON; consecutive whole numbers as their first and last."""
        axes = {name: {"from": v[0], "to": v[-1]} if isinstance(v, range) else list(v) for name, v in self.axes.items()}
        return {"kind": self.kind, "seed": self.seed, "axes": axes, "cells to a piece": self.piece}

    @classmethod
    def from_json(cls, found: Mapping[str, Any], streamed: bool = False) -> Grid:
        """What :meth:`to_json` made. Raises ``KeyError``, ``TypeError`` or ``ValueError`` for anything else."""
        axes = {name: range(v["from"], v["to"] + 1) if isinstance(v, dict) else v for name, v in found["axes"].items()}
        return cls(found["kind"], checked(found["kind"], axes, streamed), require_seed(found["seed"]), int(found["cells to a piece"]))


def grid_of(kind: str, axes: Mapping[str, Sequence[Any]], seed: int, streamed: bool = False) -> Grid:
    """The sweep of ``kind`` over ``axes``. Raises ``ValueError`` for an unknown kind, bad axes or seeds, and sweeps too large for one file."""
    found = checked(kind, axes, streamed)
    cells = prod(len(values) for values in found.values())
    return Grid(kind, found, require_seed(seed), max(PIECE, min(-(-cells // PIECES), LARGEST_PIECE)))


def checked(kind: str, axes: Mapping[str, Sequence[Any]], streamed: bool = False) -> dict[str, Sequence[Any]]:
    """The axes of ``kind`` in order, as floats, texts, and whole numbers: a ``range`` where they are consecutive."""
    measure = MEASURES.get(kind)
    if measure is None:
        raise ValueError(f"expected a sweep among {', '.join(MEASURES)}, got {kind!r}")
    if unknown := set(axes) - set(measure.axes):
        raise ValueError(f"expected axes among {', '.join(measure.axes)} for {kind}, got {', '.join(sorted(unknown))}")
    lengths = {name: _length(axes.get(name, default)) for name, default in measure.axes.items()}
    for name, length in lengths.items():
        if length == 0:
            raise ValueError(f"expected at least one value of {name}, got none")
    # before any axis is looked at: it may have 10^9 values
    most = MOST_STREAMED if streamed else MOST
    if (cells := prod(lengths.values())) > most:
        raise ValueError(
            f"expected at most {most:,} cells in one {'file' if streamed else 'folder'}, got {cells:,} "
            f"(about {cells * 8 * len(measure.outputs) / 1e9:,.1f} GB of results); "
            + ("" if streamed else f"--out FILE.nc takes up to {MOST_STREAMED:,}; ")
            + "a cell does not depend on the grid around it: take several for some values of an axis each (docs/how-to/sweeps.md)"
        )
    found = {name: _values(name, axes.get(name, default)) for name, default in measure.axes.items()}
    measure.check(found)
    largest = {name: values[-1] if isinstance(values, range) else max(values, key=_weight) for name, values in found.items()}
    memory = _memory()
    if (size := measure.size(largest)) > memory:
        sizes = ", ".join(f"{name} = {largest[name]}" for name in _COUNTS if name in largest)
        raise ValueError(f"expected cells that fit in {memory / 1e9:,.0f} GB of memory, got one of about {size / 1e9:,.0f} GB ({sizes})")
    return found


def _length(values: Sequence[Any]) -> int:
    """``len(values)``, also of a ``range`` that is too long for it."""
    return max(0, -((values.start - values.stop) // values.step)) if isinstance(values, range) else len(values)


def require_seed(seed: Any) -> int:
    """``seed``, if it is a whole number that netCDF 3 can hold."""
    if not _is_whole(seed) or not 0 <= seed <= LARGEST:
        raise ValueError(f"expected a seed from 0 to {LARGEST}, got {seed!r}")
    return int(seed)


def _is_whole(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _values(name: str, values: Sequence[Any]) -> Sequence[Any]:
    found: list[Any]
    if name in ("basis", "words"):
        found = [str(v) for v in values]
    elif name in (*_COUNTS, "draw"):
        least = 0 if name == "draw" else 1
        # ends first: a range may have 10^9 values
        ends = (values[0], values[-1]) if isinstance(values, range) and values.step == 1 else None
        if ends and least <= ends[0] and ends[1] <= LARGEST:
            return values
        if ends:
            values = ends
        if not all(_is_whole(v) and least <= v <= LARGEST for v in values):
            bad = next(v for v in values if not _is_whole(v) or not least <= v <= LARGEST)
            raise ValueError(f"expected whole numbers {name} >= {least}, at most {LARGEST}, got {bad!r}")
        found = [int(v) for v in values]
        run = range(found[0], found[-1] + 1)
        if len(run) == len(found) > 2 and all(a == b for a, b in zip(run, found, strict=True)):
            return run
    else:
        bad = [v for v in values if not isinstance(v, Real) or isinstance(v, bool) or not isfinite(v)]
        if bad:
            raise ValueError(f"expected finite numbers {name}, got {bad[0]!r}")
        found = [float(v) for v in values]
    if len(set(found)) < len(found):
        twice = next(v for v in found if found.count(v) > 1)
        raise ValueError(f"expected different values of {name}, got {twice} twice")
    return found


def _weight(value: Any) -> Any:
    """Texts by their largest letter: the number of matrices of a word."""
    return max(value) if isinstance(value, str) else value


def _memory() -> float:
    """Bytes of this machine's memory; without bound where the system does not say."""
    names = getattr(os, "sysconf_names", {})
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if "SC_PHYS_PAGES" in names else float("inf")


def _batches(measure: Measure, cells: Sequence[Cell]) -> Iterator[list[int]]:
    """Cells of one size, as many at once as memory allows."""
    sizes: dict[tuple, list[int]] = {}
    for i, cell in enumerate(cells):
        sizes.setdefault(tuple(cell[name] for name in measure.alike), []).append(i)
    for members in sizes.values():
        most = max(1, BATCH_BYTES // measure.size(cells[members[0]]))
        yield from (members[i : i + most] for i in range(0, len(members), most))
