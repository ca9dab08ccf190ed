"""What a cell of a sweep costs, in one run: by size and kind, against LAPACK and the pseudoinverse cell by cell, by batches on each device, by workers.

``python benchmarks/sweeps.py [--quick] [--jobs N] [--dask ADDRESS|local] [--devices cpu torch cuda] [--out FILE.json]``. One call does all of it
where a GPU is there. Costs of cells are the best of three, in processor time of one core (of the clock for a GPU); those of workers are of whole commands, the
least of five taken in turns: for their clock let the machine be idle.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from lemmata.gpu.devices import CPU, Device, choose, made_with, one_thread
from lemmata.gpu.measures import MEASURES, Cell, ring_nodes
from lemmata.numerics.haar import haar
from lemmata.numerics.vandermonde import vandermonde
from rich.console import Console
from rich.table import Table

#: radii of the nodes
RING, DISC = (0.9, 1.0), (0.0, 0.9)

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
        V = vandermonde(ring_nodes(cell, 0), cell["L"])
        np.linalg.cond(V if cell["basis"] == "all" else V @ haar(cell["L"], cell["L"] // 2))


def cost_per_cell(devices: list[str], quick: bool) -> list[dict[str, object]]:
    """Milliseconds a cell, for both kinds of sweeps over nodes, each device, and the peer; for condition numbers also on half of the wavelets."""
    rows = []
    for N, L in SIZES[:2] if quick else SIZES:
        half, many = f"haar{L // 2}", max(4, 1024 // N)
        # in the disc balls are needed for a basis, in the ring LAPACK serves
        for kind, basis, (r_min, r_max), count, peer in (
            ("conditioning", "all", RING, many, by_lapack),
            ("conditioning", half, RING, many, by_lapack),
            ("conditioning", half, DISC, 4, by_lapack),
            ("reconstruction", "all", RING, many, by_pinv),
        ):
            cells = [{"r_min": r_min, "r_max": r_max, "N": N, "L": L, "basis": basis, "draw": i} for i in range(count)]
            row: dict[str, object] = {"kind": kind, "basis": basis, "r_min": r_min, "r_max": r_max, "N": N, "L": L, "cells": count}
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
    """One sweep by the command line, by this process, by processes, and by a Dask cluster, in turns, from start to end: the least seconds by the clock
    and of the processor, that of all workers together; and whether all ended with the same bytes.
    """
    grid = [
        "conditioning",
        "--r-min",
        "0.5",
        "--r-min",
        "0.9",
        "-N",
        "64",
        "-L",
        "64",
        "--draws",
        "64" if quick else "400",
        "--device",
        "cpu",
    ]
    crews = {"1 process": ["--jobs", "1"], f"{jobs} processes": ["--jobs", str(jobs)]}
    if dask:
        crews[f"dask {dask}"] = ["--dask", dask, *(["--jobs", str(jobs)] if dask == "local" else [])]
    clock: dict[str, list[float]] = {name: [] for name in crews}
    processor: dict[str, list[float]] = {name: [] for name in crews}
    contents = set()
    with tempfile.TemporaryDirectory() as folder:
        # in turns, as what else the machine does comes and goes
        for turn in range(1 if quick else 5):
            for name, options in crews.items():
                out, start, before = Path(folder) / f"{turn} {name}", time.perf_counter(), spent()
                subprocess.run(
                    [sys.executable, "-m", "lemmata", "sweep", *grid, *options, "--out", out, "--json"], check=True, capture_output=True
                )
                clock[name].append(time.perf_counter() - start)
                processor[name].append(spent() - before)
                contents.add((out / "results.nc").read_bytes())
    return [
        {"workers": name, "clock s": min(clock[name]), "processor s": min(processor[name]), "same bytes": len(contents) == 1}
        for name in crews
    ]


def spent() -> float:
    """Seconds of the processor that commands run so far have taken, their workers' too."""
    times = os.times()
    return times.children_user + times.children_system


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
