"""The labelled results of a sweep: netCDF 3 made in memory, or netCDF 4 written piece by piece, whatever their number."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from io import FileIO
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr

from .grid import Grid
from .measures import LABELS

#: cells of a chunk of netCDF 4, at most: what is in memory at once
CHUNK = 2**18

#: netCDF 3 has no text of variable length: names are padded bytes, and no shorter than this
TEXT = {"basis": 8, "words": 16}


def labelled(grid: Grid, values: np.ndarray, made: Mapping[str, str]) -> xr.Dataset:
    """The results of all cells, shape (cells, outputs), as a dataset."""
    variables = {
        name: (tuple(grid.axes), values[:, k].astype(kind).reshape(grid.shape), attributes)
        for k, (name, kind, attributes) in enumerate(_variables(grid))
    }
    coordinates = {
        name: (name, np.array(values, dtype=f"S{max([TEXT[name], *map(len, values)])}" if name in TEXT else None), _labels(name))
        for name, values in grid.axes.items()
    }
    return xr.Dataset(variables, coordinates, _about(grid, made))


def require_streaming() -> None:
    """Raise ``ValueError`` unless netCDF 4 can be written."""
    if missing := [name for name in ("h5netcdf", "h5py") if find_spec(name) is None]:
        raise ValueError(f"expected {' and '.join(missing)} to write netCDF 4 (extra stream); --out FOLDER takes netCDF 3 and does without")


def stream(path: Path, grid: Grid, pieces: Iterable[np.ndarray], made: Mapping[str, str]) -> None:
    """Write the results as netCDF 4, from the rows of the ``pieces`` in their order; a chunk at a time is in memory. Raises ``OSError`` if the disk is full."""
    import h5netcdf

    with Disk(path, _room(grid)) as disk, h5netcdf.File(disk, "w") as file:
        file.dimensions = dict(zip(grid.axes, grid.shape, strict=True))
        file.attrs.update(_about(grid, made))
        for name, values in grid.axes.items():
            _write_axis(file, name, values)
        shape = chunk_shape(grid.shape, CHUNK)
        variables = []
        for name, kind, attributes in _variables(grid):
            variable = file.create_variable(name, tuple(grid.axes), kind, chunks=shape)
            variable.attrs.update(attributes)
            variables.append(variable)
        sizes = map(_cells, _chunks(grid.shape, shape))
        for box, rows in zip(_chunks(grid.shape, shape), _regrouped(pieces, sizes), strict=True):
            if disk.error:
                break
            for k, variable in enumerate(variables):
                variable[box] = rows[:, k].astype(variable.dtype).reshape([part.stop - part.start for part in box])


class Disk(FileIO):
    """A new file on ``room`` bytes of the disk, of which those that are used remain when it is closed. Raises ``OSError`` if the disk has not so many.

    HDF5 crashes the process after a write that failed. Should one fail all the same, the file takes what is written, and raises the error when it is closed.
    """

    def __init__(self, path: Path, room: int) -> None:
        self.error: OSError | None = None
        self.size = 0
        super().__init__(path, "w+b")
        # not every system has it, nor every file system
        if hasattr(os, "posix_fallocate"):
            try:
                os.posix_fallocate(self.fileno(), 0, room)
            except OSError as error:
                if error.errno not in (errno.EOPNOTSUPP, errno.EINVAL):
                    super().close()
                    raise

    def write(self, data: Any, /) -> int:
        rest = memoryview(data).cast("B")
        length = len(rest)
        while len(rest) and not self.error:
            try:
                rest = rest[super().write(rest) :]
            except OSError as error:
                self.error = error
        self.size = max(self.size, self.tell())
        return length

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        return super().seek(self.size + offset if whence == os.SEEK_END else offset, os.SEEK_SET if whence == os.SEEK_END else whence)

    def truncate(self, size: int | None = None, /) -> int:
        self.size = self.tell() if size is None else size
        return self.size

    def close(self) -> None:
        if not self.closed:
            super().truncate(self.size)
        super().close()
        if self.error:
            raise self.error


def _room(grid: Grid) -> int:
    """No fewer bytes than the results take as netCDF 4: whole chunks and their index, the axes, and a mebibyte for all names and attributes."""
    shape = chunk_shape(grid.shape, CHUNK)
    chunks = prod(-(-n // step) for n, step in zip(grid.shape, shape, strict=True))
    cell = sum(np.dtype(kind).itemsize for _, kind, _ in _variables(grid))
    text = sum(len(str(value)) + 64 for name in TEXT if name in grid.axes for value in grid.axes[name])
    return chunks * (prod(shape) * cell + 256 * len(grid.measure.outputs)) + 8 * sum(grid.shape) + text + 2**20


def chunk_shape(shape: Sequence[int], most: int) -> tuple[int, ...]:
    """A box of at most ``most`` cells, and as large as can be, that consecutive cells fill: whole in the last axes, one value of the first."""
    box, room = [], most
    for length in reversed(shape):
        box.append(max(1, min(length, room)))
        room = room // length if box[-1] == length else 0
    return tuple(reversed(box))


def _chunks(shape: Sequence[int], chunk: Sequence[int]) -> Iterator[tuple[slice, ...]]:
    """The boxes in the order of their cells; the last one along an axis may be smaller."""
    return product(*([slice(i, min(i + step, n)) for i in range(0, n, step)] for n, step in zip(shape, chunk, strict=True)))


def _cells(box: Sequence[slice]) -> int:
    return int(np.prod([part.stop - part.start for part in box]))


def _regrouped(pieces: Iterable[np.ndarray], sizes: Iterable[int]) -> Iterator[np.ndarray]:
    """The same rows in groups of the given ``sizes``."""
    waiting, left = iter(pieces), np.empty((0, 0))
    for size in sizes:
        parts, count = [], 0
        while count < size:
            if not len(left):
                left = next(waiting)
            parts.append(left[: size - count])
            left = left[size - count :]
            count += len(parts[-1])
        yield np.concatenate(parts)


def _write_axis(file: Any, name: str, values: Sequence[Any]) -> None:
    import h5py

    kind = object if name in TEXT else np.int32 if isinstance(values[0], int) else np.float64
    variable = file.create_variable(name, (name,), h5py.string_dtype() if kind is object else kind)
    variable.attrs.update(_labels(name))
    for start in range(0, len(values), CHUNK):
        variable[start : start + CHUNK] = np.array(values[start : start + CHUNK], dtype=kind)


def _variables(grid: Grid) -> Iterator[tuple[str, type, dict[str, Any]]]:
    """Name, type and attributes of each output; of those that are flags, what their numbers stand for, as CF has it."""
    for name, (label, units) in grid.measure.outputs.items():
        attributes, meanings = {"long_name": label, "units": units}, grid.measure.flags.get(name)
        if meanings is None:
            yield name, np.float64, attributes
        else:
            flags = {"flag_values": np.arange(len(meanings), dtype=np.int8), "flag_meanings": " ".join(meanings)}
            yield name, np.int8, attributes | flags


def _labels(axis: str) -> dict[str, str]:
    return dict(zip(("long_name", "units"), LABELS[axis], strict=True))


def _about(grid: Grid, made: Mapping[str, str]) -> dict[str, Any]:
    return {"sweep": grid.kind, "seed": grid.seed, "made_with": "; ".join(f"{name} {what}" for name, what in made.items())}
