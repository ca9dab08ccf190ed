"""Sweeps over parameters, on any number of workers, streamed to disk in pieces: a killed sweep goes on where it stopped.

The bytes of the results depend on the grid and the seed, and on the code, versions, processor and device that ``sweep.json`` names, which a
folder refuses to mix: not on the workers, the order or the kills. The result is labelled xarray data (netCDF 3).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, as_completed
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr

from .devices import CPU, Device, made_with, one_thread
from .folder import Folder, Shard, whole_pieces
from .grid import Grid, grid_of
from .measures import LABELS, MEASURES
from .workers import rows_of

__all__ = ["MEASURES", "collect", "compute", "sweep"]

#: netCDF 3 has no text of variable length: names are padded bytes, and no shorter than this
TEXT = {"basis": 8, "words": 16}

Advance = Callable[[int, int], None]


def sweep(
    kind: str,
    axes: Mapping[str, Sequence[Any]],
    out: Path,
    seed: int = 0,
    device: Device = CPU,
    advance: Advance = lambda done, total: None,
    executor: Executor | None = None,
    tell: Callable[[str], None] = lambda line: None,
) -> xr.Dataset:
    """Compute ``kind``, a key of ``MEASURES``, on the grid of ``axes`` into the folder ``out``: r_min, r_max, N, L, basis, draw for "conditioning" and
    "reconstruction", N, rank, words, draw for "overlaps".

    Equivalent to :func:`compute` of all, then :func:`collect`.
    """
    compute(kind, axes, out, seed, device, advance, executor, tell)
    return collect(out)


def compute(
    kind: str,
    axes: Mapping[str, Sequence[Any]],
    out: Path,
    seed: int = 0,
    device: Device = CPU,
    advance: Advance = lambda done, total: None,
    executor: Executor | None = None,
    tell: Callable[[str], None] = lambda line: None,
    shard: Shard = (1, 1),
) -> None:
    """Write the pieces that are not there yet: all of them, or those of ``shard`` (i, n), every n-th from the i-th on, 1 <= i <= n.

    Workers of ``executor`` (processes, threads, a Dask cluster's) only compute; this process alone writes. ``advance`` is called with the cells
    done and their number, ``tell`` with a line if pieces were damaged. Raises ``ValueError``, before any work, for an unknown kind, bad axes,
    seeds or shards, a folder that holds another sweep or on which another process works; ``OSError`` where nothing can be written.
    """
    grid = grid_of(kind, axes, seed)
    part, parts = shard
    if not 1 <= part <= parts:
        raise ValueError(f"expected a shard i/n with 1 <= i <= n, got {part}/{parts}")
    mine = range(part - 1, grid.pieces, parts)
    total, there = sum(map(grid.size, mine)), 0

    def count(index: int, rows: np.ndarray) -> None:
        nonlocal there
        there += len(rows)

    made = made_with(device)
    folder = Folder.claim(Path(out), grid.to_json() | {"made with": made})
    with folder.held(shard), one_thread(device):
        absent, damaged = whole_pieces(folder, _shapes(grid, mine), count)
        if damaged:
            tell(f"{len(damaged)} of {len(mine)} pieces are not as they were written, such as {folder.name(damaged[0])}: computed again")
        advance(there, total)
        for index, rows in _computed(grid, sorted(absent + damaged), device, made, executor):
            folder.write_piece(index, rows, shard)
            there += len(rows)
            advance(there, total)


def collect(out: Path) -> xr.Dataset:
    """The results in the folder ``out``, also written to its ``results.nc``. Raises ``ValueError`` unless all pieces are there and whole."""
    folder = Folder.open(Path(out))
    try:
        grid, made = Grid.from_json(folder.about), dict(folder.about["made with"])
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(
            f"expected sweep.json in {str(out)!r} as a sweep writes it, got another one ({error}); take another folder"
        ) from None
    values = np.empty((grid.cells, len(grid.measure.outputs)))

    def keep(index: int, rows: np.ndarray) -> None:
        values[index * grid.piece : index * grid.piece + len(rows)] = rows

    absent, damaged = whole_pieces(folder, _shapes(grid, range(grid.pieces)), keep)
    if absent or damaged:
        such = folder.name(min(absent + damaged))
        raise ValueError(
            f"expected all {grid.pieces} pieces, got {len(absent)} absent and {len(damaged)} damaged ones in {str(out)!r}, such as {such}; "
            "run the sweep again, which computes these"
        )
    data = _labelled(grid, values, made)
    folder.write("results.nc", bytes(data.to_netcdf(engine="scipy")))
    return data


def _computed(
    grid: Grid, indices: Sequence[int], device: Device, made: Mapping[str, str], executor: Executor | None
) -> Iterator[tuple[int, np.ndarray]]:
    """Pieces as they are done."""
    if executor is None:
        for index in indices:
            yield index, grid.rows(index, device)
        return
    futures: dict[Future, int] = {}
    try:
        for index in indices:
            futures[executor.submit(rows_of, grid, index, device.name, made)] = index
        for future in as_completed(futures):
            yield futures[future], future.result()
    finally:
        for future in futures:
            future.cancel()


def _shapes(grid: Grid, indices: Sequence[int]) -> dict[int, tuple[int, int]]:
    return {index: (grid.size(index), len(grid.measure.outputs)) for index in indices}


def _labelled(grid: Grid, values: np.ndarray, made: Mapping[str, str]) -> xr.Dataset:
    variables = {
        name: (tuple(grid.axes), values[:, k].reshape(grid.shape), {"long_name": label, "units": units})
        for k, (name, (label, units)) in enumerate(grid.measure.outputs.items())
    }
    for name, meanings in grid.measure.flags.items():
        dimensions, numbers, labels = variables[name]
        flags = {"flag_values": np.arange(len(meanings), dtype=np.int8), "flag_meanings": " ".join(meanings)}
        variables[name] = dimensions, numbers.astype(np.int8), labels | flags
    coordinates = {
        name: (name, _coordinate(name, axis), dict(zip(("long_name", "units"), LABELS[name], strict=True)))
        for name, axis in grid.axes.items()
    }
    attributes = {"sweep": grid.kind, "seed": grid.seed, "made_with": "; ".join(f"{name} {what}" for name, what in made.items())}
    return xr.Dataset(variables, coordinates, attributes)


def _coordinate(name: str, values: Sequence[Any]) -> np.ndarray:
    return np.array(values, dtype=f"S{max([TEXT[name], *map(len, values)])}" if name in TEXT else None)
