"""The associative scan, and the recurrence that takes it or the loop by its shape, against the sequential loop, torch's own associative scan
(``torch._higher_order_ops``, generic mode, not compiled) and the memory bandwidth, all in one run, for the states of a BMRU layer.

``python benchmarks/scan.py [--device cpu|cuda] [--out FILE.json]``. Times are the best of five, on the CPU of processor time. The least traffic of h_t = a_t h_(t-1) + b_t is three arrays
(a and b read, h written); ``of bandwidth`` is that traffic over the time, against the traffic of a copy of the same size. On one core if OMP_NUM_THREADS=1.
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from collections.abc import Callable
from pathlib import Path

import torch
from lemmata.numerics.scan import associative_scan, compose_affine, linear_recurrence, prefers_loop
from rich.console import Console
from rich.table import Table
from torch._higher_order_ops import associative_scan as torch_scan


def seconds(call: Callable[[], object], device: str) -> float:
    """The best of five, after one call to warm up."""
    call()
    best = float("inf")
    for _ in range(5):
        if device == "cuda":
            torch.cuda.synchronize()
        clock = time.perf_counter if device == "cuda" else time.process_time
        start = clock()
        call()
        if device == "cuda":
            torch.cuda.synchronize()
        best = min(best, clock() - start)
    return best


def loop(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Step by step along the first axis."""
    out = torch.empty_like(b)
    h = torch.zeros_like(b[0])
    for t in range(len(a)):
        h = torch.addcmul(b[t], a[t], h)
        out[t] = h
    return out


def last_write(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """The state of a BMRU layer as what was written last: a running maximum of times and a look-up."""
    time_of = torch.arange(1, len(a) + 1, device=a.device, dtype=torch.int32).reshape(-1, *[1] * (a.ndim - 1))
    last = torch.cummax(time_of * (a == 0), dim=0).values
    return torch.where(last > 0, b.gather(0, (last.long() - 1).clamp(min=0)), 0)


def measure(length: int, width: int, device: str) -> dict[str, object]:
    """One row: ``length`` steps of ``width`` independent units (batch times units) in float32."""
    rng = torch.Generator().manual_seed(0)
    gates = (torch.rand(length, width, generator=rng) < 0.1).float()
    signs = (torch.randint(0, 2, (length, width), generator=rng) * 2 - 1).float()
    a, b = (1 - gates).to(device), (gates * signs).to(device)
    target = torch.empty_like(a)
    expected = loop(a, b)
    scan = lambda: associative_scan(compose_affine, (a, b))[1]  # noqa: E731
    peer = lambda: torch_scan(compose_affine, (a, b), dim=0, combine_mode="generic")[1]  # noqa: E731
    chosen = lambda: linear_recurrence(a, b, torch.zeros_like(b[0]))  # noqa: E731
    same = all(torch.equal(x(), expected) for x in (scan, peer, chosen)) and bool(torch.equal(last_write(a, b), expected))
    times = {
        "copy": seconds(lambda: target.copy_(a), device),
        "loop": seconds(lambda: loop(a, b), device),
        "scan": seconds(scan, device),
        "torch_scan": seconds(peer, device),
        "chosen": seconds(chosen, device),
        "last_write": seconds(lambda: last_write(a, b), device),
    }
    bandwidth = 2 * a.nbytes / times["copy"]
    row: dict[str, object] = {"T": length, "width": width, "equal": same, "bandwidth_GB_s": bandwidth / 1e9}
    row["chooses"] = "loop" if prefers_loop(b) else "scan"
    for name in ("loop", "scan", "torch_scan", "chosen", "last_write"):
        row |= {f"seconds_{name}": times[name], f"of_bandwidth_{name}": 3 * a.nbytes / times[name] / bandwidth}
    return row


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    cases = [(100, 16384), (1000, 64), (1000, 4096), (10_000, 1), (10_000, 256), (100_000, 1), (100_000, 32)]
    rows = [measure(length, width, arguments.device) for length, width in cases]
    table = Table(box=None)
    for name in (
        "T",
        "width",
        "equal",
        "copy GB/s",
        "loop s",
        "scan s",
        "torch's scan s",
        "chosen s",
        "last write s",
        "scan / loop",
        "chosen / loop",
        "scan of bandwidth",
        "last write of bandwidth",
    ):
        table.add_column(name, justify="right")
    for r in rows:
        times = [float(r[f"seconds_{k}"]) for k in ("loop", "scan", "torch_scan", "chosen", "last_write")]  # type: ignore[arg-type]
        shares = [f"{float(r[f'of_bandwidth_{k}']):.1%}" for k in ("scan", "last_write")]  # type: ignore[arg-type]
        table.add_row(
            str(r["T"]),
            str(r["width"]),
            str(r["equal"]),
            f"{r['bandwidth_GB_s']:.1f}",
            *(f"{s:.4f}" for s in times),
            f"{times[1] / times[0]:.2f}",
            f"{times[3] / times[0]:.2f}",
            *shares,
        )
    Console(width=140).print(table)
    if arguments.out:
        document = {
            "python": platform.python_version(),
            "torch": torch.__version__,
            "machine": platform.machine(),
            "device": arguments.device,
        }
        document |= {"threads": torch.get_num_threads(), "rows": rows}
        arguments.out.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
