"""Sweeps over parameters, on any number of workers, streamed to disk in pieces: a killed sweep resumes where it stopped.

The bytes of the results depend on the grid and the seed, and on the code, versions, processor and device that ``sweep.json`` names, which a
folder refuses to mix: not on the workers, the order or the kills. The result is labelled xarray data: netCDF 3, or netCDF 4 where it is streamed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, as_completed
from pathlib import Path
from typing import Any, cast

import numpy as np
import xarray as xr

from ..numerics.progress import Progress, silent
from .devices import CPU, Device, made_with, one_thread
from .folder import COLLECTING, Folder, Shard, whole_pieces
from .grid import Grid, grid_of
from .measures import MEASURES
from .results import labelled, require_streaming, stream
from .workers import rows_of

__all__ = ["MEASURES", "collect", "compute", "places", "sweep"]


def sweep(
    kind: str,
    axes: Mapping[str, Sequence[Any]],
    out: Path,
    seed: int = 0,
    device: Device = CPU,
    progress: Progress = silent,
    executor: Executor | None = None,
    tell: Callable[[str], None] = lambda line: None,
) -> xr.Dataset:
    """Compute ``kind``, a key of ``MEASURES``, on the grid of ``axes`` into ``out``, a folder or a file of netCDF 4 (see :func:`places`): r_min, r_max, N, L, basis, draw for "conditioning" and
    "reconstruction", N, rank, words, draw for "overlaps".

    Equivalent to :func:`compute` of all, then :func:`collect`.
    """
    compute(kind, axes, out, seed, device, progress, executor, tell)
    return collect(out)


def places(out: Path) -> tuple[Path, Path, bool]:
    """The folder of the pieces, the file of the results, and whether it is streamed: FOLDER and FOLDER/results.nc, or FILE.nc.pieces and FILE.nc."""
    streamed = out.suffix == ".nc"
    return (out.with_name(out.name + ".pieces"), out, True) if streamed else (out, out / "results.nc", False)


def compute(
    kind: str,
    axes: Mapping[str, Sequence[Any]],
    out: Path,
    seed: int = 0,
    device: Device = CPU,
    progress: Progress = silent,
    executor: Executor | None = None,
    tell: Callable[[str], None] = lambda line: None,
    shard: Shard = (1, 1),
) -> None:
    """Write the pieces that are not there yet: all of them, or those of ``shard`` (i, n), every n-th from the i-th on, 1 <= i <= n.

    Workers of ``executor`` (processes, threads, a Dask cluster's) only compute; this process alone writes. ``progress`` counts the cells, ``tell`` with a line if pieces were damaged. Raises ``ValueError``, before any work, for an unknown kind, bad axes,
    seeds or shards, a folder that holds another sweep or on which another process works; ``OSError`` where nothing can be written.
    """
    path, _, streamed = places(Path(out))
    if streamed:
        require_streaming()
    grid = grid_of(kind, axes, seed, streamed)
    part, parts = shard
    if not 1 <= part <= parts:
        raise ValueError(f"expected a shard i/n with 1 <= i <= n, got {part}/{parts}")
    mine = range(part - 1, grid.pieces, parts)
    total, there = sum(map(grid.size, mine)), 0

    def count(index: int, rows: np.ndarray) -> None:
        nonlocal there
        there += len(rows)

    made = made_with(device)
    folder = Folder.claim(path, grid.to_json() | {"made with": made})
    with folder.held(shard), one_thread(device):
        absent, damaged = whole_pieces(folder, _shapes(grid, mine), count)
        if damaged:
            tell(f"{len(damaged)} of {len(mine)} pieces are not as they were written, such as {folder.name(damaged[0])}: computed again")
        progress("cells", there, total)
        for index, rows in _computed(grid, sorted(absent + damaged), device, made, executor):
            folder.write_piece(index, rows, shard)
            there += len(rows)
            progress("cells", there, total)


def collect(out: Path) -> xr.Dataset:
    """The results of the sweep into ``out``, also written to its file. Raises ``ValueError`` unless all pieces are there and whole.

    Where they are streamed, the dataset reads from the file what is asked for; close it when done.
    """
    path, file, streamed = places(Path(out))
    folder = Folder.open(path)
    try:
        grid, made = Grid.from_json(folder.about, streamed), dict(folder.about["made with"])
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(
            f"expected sweep.json in {str(path)!r} as a sweep writes it, got another one ({error}); take another folder"
        ) from None
    shapes = _shapes(grid, range(grid.pieces))
    if not streamed:
        values = np.empty((grid.cells, len(grid.measure.outputs)))

        def keep(index: int, rows: np.ndarray) -> None:
            values[index * grid.piece : index * grid.piece + len(rows)] = rows

        _require_all(folder, shapes, keep)
        data = labelled(grid, values, made)
        folder.write(file.name, bytes(data.to_netcdf(engine="scipy")))
        return data
    require_streaming()
    with folder.held(COLLECTING):
        _require_all(folder, shapes, lambda index, rows: None)
        # all are there: _require_all has read them
        pieces = (cast(np.ndarray, folder.read(i, shape)) for i, shape in shapes.items())
        folder.build(file, lambda part: stream(part, grid, pieces, made), COLLECTING)
    return xr.open_dataset(file, engine="h5netcdf")


def _require_all(folder: Folder, shapes: Mapping[int, tuple[int, int]], keep: Callable[[int, np.ndarray], None]) -> None:
    absent, damaged = whole_pieces(folder, shapes, keep)
    if absent or damaged:
        such = folder.name(min(absent + damaged))
        raise ValueError(
            f"expected all {len(shapes)} pieces, got {len(absent)} absent and {len(damaged)} damaged ones in {str(folder.path)!r}, such as {such}; "
            "run the sweep again, which computes these"
        )


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
