"""What a cell of a sweep costs, in one run: by size and kind, against LAPACK and the pseudoinverse cell by cell, by batches on each device, by workers.

``python benchmarks/sweeps.py [--quick] [--jobs N] [--dask ADDRESS|local] [--devices cpu torch cuda] [--out FILE.json]``. One call does all of it
where a GPU is there. Costs of cells are the best of three, in processor time of one core (of the clock for a GPU); those of workers are the clock's,
of a whole sweep, after a first one that starts them: for these let the machine be idle.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

import numpy as np
from lemmata.gpu import workers
from lemmata.gpu.devices import CPU, Device, choose, made_with, one_thread
from lemmata.gpu.measures import MEASURES, Cell, ring_nodes
from lemmata.gpu.sweeps import sweep
from lemmata.numerics.vandermonde import vandermonde
from rich.console import Console
from rich.table import Table

SIZES = [(16, 16), (64, 64), (128, 64), (256, 128)]


def seconds(call: Callable[[], object], on: Device = CPU) -> float:
    """The best of three."""
    clock = time.process_time if "CPU" in on.describe else time.perf_counter
    best = float("inf")
    for _ in range(3):
        start = clock()
        call()
        best = min(best, clock() - start)
    return best


def by_pinv(cells: list[Cell]) -> None:
    """Both decoders of every cell by ``numpy.linalg.pinv``: what reconstruction did before there were batches."""
    for cell in cells:
        V = vandermonde(ring_nodes(cell, 0), cell["L"])
        state = V @ np.random.default_rng(0).standard_normal(cell["L"])
        both = np.vstack([V.real, V.imag])
        _ = np.linalg.pinv(both) @ np.concatenate([state.real, state.imag]), np.linalg.pinv(V) @ state


def by_lapack(cells: list[Cell]) -> None:
    """Condition numbers by the singular values in double precision, cell by cell."""
    for cell in cells:
        np.linalg.cond(vandermonde(ring_nodes(cell, 0), cell["L"]))


def cost_per_cell(devices: list[str], quick: bool) -> list[dict[str, object]]:
    """Milliseconds a cell, for both kinds of sweeps over nodes, each device, and the peer."""
    rows = []
    for N, L in SIZES[:2] if quick else SIZES:
        cells = [{"r_min": 0.9, "r_max": 1.0, "N": N, "L": L, "basis": "all", "draw": i} for i in range(max(4, 4096 // N // 4))]
        for kind, peer in (("conditioning", by_lapack), ("reconstruction", by_pinv)):
            row: dict[str, object] = {"kind": kind, "N": N, "L": L, "cells": len(cells)}
            with one_thread(CPU):
                row["peer"] = 1e3 * seconds(lambda peer=peer, cells=cells: peer(cells)) / len(cells)
            for name in devices:
                device = choose(name)
                with one_thread(device):
                    compute = MEASURES[kind].compute
                    row[name] = (
                        1e3 * seconds(lambda compute=compute, device=device, cells=cells: compute(cells, 0, device), device) / len(cells)
                    )
            rows.append(row)
    return rows


def with_workers(jobs: int, dask: str | None, quick: bool) -> list[dict[str, object]]:
    """Seconds of one sweep by this process, by processes, and by a Dask cluster; and whether all ended with the same bytes."""
    axes = {"r_min": [0.5, 0.9], "N": [64], "L": [64], "draw": range(64 if quick else 400)}
    crews = {"this process": nullcontext(), f"{jobs} processes": workers.processes(jobs)}
    if dask:
        crews[f"dask {dask}"] = workers.dask(dask, jobs if dask == "local" else None)
    rows, first = [], b""
    for name, crew in crews.items():
        with tempfile.TemporaryDirectory() as folder, crew as executor:
            sweep("conditioning", axes | {"draw": range(32)}, Path(folder) / "first", executor=executor)
            start = time.perf_counter()
            sweep("conditioning", axes, Path(folder) / "timed", executor=executor)
            took = time.perf_counter() - start
            content = (Path(folder) / "timed" / "results.nc").read_bytes()
        first = first or content
        rows.append({"workers": name, "cells": 2 * len(axes["draw"]), "seconds": took, "same bytes": content == first})
    return rows


def main() -> None:
    """Measure and print tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes only")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--dask")
    parser.add_argument("--devices", nargs="+", default=["cpu"])
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    document = {
        "made with": [made_with(choose(name)) for name in arguments.devices],
        "ms per cell": cost_per_cell(arguments.devices, arguments.quick),
        "workers": with_workers(arguments.jobs, arguments.dask, arguments.quick),
        "load average": list(os.getloadavg()),
    }
    for rows in (document["ms per cell"], document["workers"]):
        table = Table(box=None)
        for name in rows[0]:
            table.add_column(name, justify="right")
        for row in rows:
            table.add_row(*(f"{x:.3f}" if isinstance(x, float) else str(x) for x in row.values()))
        Console(width=120).print(table)
    if arguments.out:
        arguments.out.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
