"""All that waits for a GPU, in one call: tests, sweeps, compiled networks and the delta-rule kernel; the results carry the device's name.

``python benchmarks/on_device.py [--out FILE.json]``: needs a CUDA device, and the extras gpu, torch, fla and test. ``--cpu`` rehearses the same code in
small on array-api-strict, torch on the CPU and Triton's interpreter. The file is written after each part; a part that fails does not stop the
others, is told with its traceback, and makes the exit code 1.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import time
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from math import inf
from pathlib import Path
from typing import TypeVar

import numpy as np
from lemmata.gpu.devices import CPU, choose, made_with, one_thread, why_no_cuda
from lemmata.gpu.measures import MEASURES

T = TypeVar("T")

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Scale:
    """How large: ``size`` is N = L of the sweeps, ``batches`` their numbers of cells, ``on_cpu`` how many of them NumPy computes."""

    tests: tuple[str, ...]
    devices: tuple[str, ...]
    where: str
    size: int
    batches: tuple[int, ...]
    on_cpu: int
    length: int
    networks: tuple[str, ...]


FULL = Scale(
    ("tests/gpu", "tests/numerics/test_low_rank.py", "tests/numerics/test_scan.py"),
    ("cuda", "torch"),
    "cuda",
    256,
    (8, 64, 512),
    8,
    20_000,
    ("parity", "S5", "A5", "Z60", "modular-arithmetic"),
)
REHEARSAL = Scale(("tests/gpu/test_least_squares.py",), ("torch",), "cpu", 16, (4,), 4, 60, ("S5",))


def tests(scale: Scale) -> object:
    """The tests on every library that is there; all of them must pass."""
    paths = [str(ROOT / path) for path in scale.tests]
    done = subprocess.run([sys.executable, "-m", "pytest", "-rs", *paths], capture_output=True, text=True, cwd=ROOT)
    if done.returncode:
        raise AssertionError(done.stdout + done.stderr)
    return done.stdout.splitlines()[-1]


def sweeps(scale: Scale) -> object:
    """Milliseconds a cell by the clock, on one core and on each device by the size of the batch; and how far the results are apart."""
    rows = []
    for kind, basis in (("conditioning", "all"), ("conditioning", f"haar{scale.size // 8}"), ("reconstruction", "all")):
        compute, n = MEASURES[kind].compute, scale.size
        cells = [{"r_min": 0.9, "r_max": 1.0, "N": n, "L": n, "basis": basis, "draw": i} for i in range(max(scale.batches))]
        about = {"kind": kind, "basis": basis, "N": n, "L": n}
        with one_thread(CPU):
            here, seconds = timed(lambda compute=compute, cells=cells: compute(cells[: scale.on_cpu], 0, CPU))
        alone = 1e3 * seconds / scale.on_cpu
        rows.append(about | {"on": CPU.describe, "cells": scale.on_cpu, "ms": alone})
        for name, batch in product(scale.devices, scale.batches):
            device = choose(name)
            there, seconds = timed(lambda compute=compute, cells=cells, batch=batch, device=device: compute(cells[:batch], 0, device))
            shared, ms = min(batch, scale.on_cpu), 1e3 * seconds / batch
            apart = float(np.abs(there[:shared, 0] - here[:shared, 0]).max())
            rows.append(about | {"on": device.describe, "cells": batch, "ms": ms, "times faster": alone / ms, "apart": apart})
    return rows


def networks(scale: Scale) -> object:
    """Compiled networks as torch modules, by the loop and by the scan, in four data types: right up to where, and how far they must be."""
    import torch
    from delta_rule_kernel import DTYPES, network_of, random_word, right_up_to
    from lemmata.constructions.automata.rounding.precision import guaranteed_lengths

    rows = []
    for name in scale.networks:
        network = network_of(name)
        promised = guaranteed_lengths(network.document())
        word, expected = random_word(network, scale.length)
        for dtype, path in product(DTYPES, ("loop", "scan")):
            module = network.to_torch(getattr(torch, dtype)).to(scale.where)
            with torch.no_grad():
                found, seconds = timed(
                    lambda module=module, word=word, path=path: module(word.to(scale.where), scan=path == "scan").cpu(), 1
                )
            row = {"network": name, "path": path, "dtype": dtype, "length": scale.length, "right up to": right_up_to(found[0], expected)}
            rows.append(row | {"guaranteed": _length(promised[path][dtype]), "seconds": seconds})
            require_kept(row["right up to"], promised[path][dtype], scale.length)
    return rows


def kernel(scale: Scale) -> object:
    """The same through flash-linear-attention's fused delta-rule kernel."""
    from delta_rule_kernel import DTYPES, measure

    return [measure(name, scale.length, dtype, scale.where) for name, dtype in product(scale.networks, DTYPES)]


def require_kept(right: int, promised: float | None, length: int) -> None:
    """Raise ``AssertionError`` if a network is wrong where it is proved right."""
    if promised is not None and right < min(promised, length):
        raise AssertionError(f"expected a network that is right up to {min(promised, length)}, got one that is up to {right}")


def timed(call: Callable[[], T], warm: int = 3) -> tuple[T, float]:
    """What is returned, and the seconds by the clock: of the first call, or the least of ``warm`` more; what is returned is on the CPU."""
    best = inf
    for turn in range(1 + warm):
        start = time.perf_counter()
        found = call()
        if turn or not warm:
            best = min(best, time.perf_counter() - start)
    return found, best  # pyright: ignore[reportPossiblyUnboundVariable, reportReturnType] # there is one turn at least


def why_not() -> str | None:
    """What is missing for a full run, in a few words."""
    import torch

    return why_no_cuda() or (None if torch.cuda.is_available() else "torch sees no CUDA device")


def _length(promised: float | None) -> object:
    return "every length" if promised == inf else promised


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cpu", action="store_true", help="rehearse in small on the CPU")
    parser.add_argument("--out", type=Path, default=Path("on-device.json"))
    arguments = parser.parse_args()
    if not arguments.cpu and (missing := why_not()):
        sys.exit(f"expected a CUDA device for CuPy and torch, got none: {missing}; --cpu rehearses all of it in small")
    if arguments.cpu:
        os.environ["TRITON_INTERPRET"] = "1"
    warnings.filterwarnings("ignore", message="Triton is not supported on current platform")
    scale = REHEARSAL if arguments.cpu else FULL
    document: dict[str, object] = {
        "rehearsal": arguments.cpu,
        "device": [choose(name).describe for name in scale.devices],
        "made with": [made_with(choose(name)) for name in scale.devices],
        "python": platform.python_version(),
    }
    failed = []
    for part in (tests, sweeps, networks, kernel):
        start = time.perf_counter()
        try:
            document[part.__name__] = part(scale)
        except Exception:
            failed.append(part.__name__)
            document[part.__name__] = {"failed": traceback.format_exc()}
            traceback.print_exc()
        print(f"{part.__name__}: {time.perf_counter() - start:.0f} s", flush=True)
        arguments.out.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    sys.exit(f"failed: {', '.join(failed)}; what was measured is in {arguments.out}" if failed else 0)


if __name__ == "__main__":
    main()
