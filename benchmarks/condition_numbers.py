"""Condition numbers of Vandermonde matrices: accuracy and time against LAPACK's SVD, mpmath and rigorous balls, on the same nodes in one run.

``python benchmarks/condition_numbers.py [--large] [--out FILE.json]``. Times are processor seconds, the best of nine, on one core if OMP_NUM_THREADS=1;
``seconds_portable`` is without the compiled elimination of the extra ``fast``. --large adds 220 real nodes, where the condition number is near 10^200.
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from collections.abc import Callable
from pathlib import Path

import mpmath
import numpy as np
from flint import acb, acb_poly, arb, ctx
from lemmata.numerics import cauchy
from lemmata.numerics.enclosures import certified_condition_number
from lemmata.numerics.vandermonde import condition_number, log_condition_number, reconstruct, singular_values, vandermonde
from rich.console import Console
from rich.table import Table


def nodes_of(kind: str, n: int) -> np.ndarray:
    """Seeded nodes: real in [-1, 1] or [0, 1], in the disc, on the circle."""
    rng = np.random.default_rng(n)
    if kind == "circle":
        return np.exp(2j * np.pi * rng.uniform(0, 1, n))
    if kind == "disc":
        return np.sqrt(rng.uniform(0, 1, n)) * np.exp(2j * np.pi * rng.uniform(0, 1, n))
    low = -1 if kind == "real" else 0
    return rng.uniform(low, 1, n).astype(complex)


def seconds(call: Callable[[], object]) -> float:
    """The best of nine, in seconds of this process alone; before that one call to warm up."""
    call()
    best = float("inf")
    for _ in range(9):
        start = time.process_time()
        call()
        best = min(best, time.process_time() - start)
    return best


def without_numba(call: Callable[[], object]) -> float:
    """The same by the portable elimination."""
    found, cauchy.has_numba = cauchy.has_numba, lambda: False
    try:
        return seconds(call)
    finally:
        cauchy.has_numba = found


def by_mpmath(nodes: np.ndarray, length: int) -> float:
    """mpmath's SVD at a precision that suffices, a plain high-precision peer."""
    mpmath.mp.dps = int(2 * float(log_condition_number(nodes, length)) / np.log(10)) + 30
    powers = [[mpmath.mpc(x) ** j for j in range(length)] for x in nodes]
    values = mpmath.svd_c(mpmath.matrix(powers), compute_uv=False)
    return float(values[0] / values[len(values) - 1])


def by_lagrange(nodes: np.ndarray) -> np.longdouble:
    """The logarithm of the condition number for N = L, without a proof but at once: the inverse by Lagrange polynomials, at a precision that
    suffices, rounded entry by entry, and both norms in extended precision.
    """
    n, estimate = len(nodes), float(log_condition_number(nodes, len(nodes)))
    saved, ctx.prec = ctx.prec, 300 + int(6 * estimate)
    try:
        exact, shift = [acb(float(z.real), float(z.imag)) for z in nodes], -int(estimate / np.log(2))
        master = acb_poly.from_roots(exact)
        scales = [acb(2) ** shift / master.derivative()(z) for z in exact]
        rows = [[complex((c * s).mid()) for c in (master // acb_poly([-z, 1])).coeffs()] for z, s in zip(exact, scales, strict=True)]
    finally:
        ctx.prec = saved
    powers = np.cumprod(np.hstack([np.ones((n, 1)), np.repeat(nodes[:, None], n - 1, axis=1)]).astype(np.clongdouble), axis=1)
    return np.log(norm(powers)) + np.log(norm(np.array(rows))) - shift * np.log(np.longdouble(2))


def norm(matrix: np.ndarray) -> np.longdouble:
    """The largest singular value, by power iteration in extended precision from LAPACK's vector."""
    A, v = matrix.astype(np.clongdouble), np.linalg.svd(matrix.astype(complex))[2][0].conj().astype(np.clongdouble)
    for _ in range(30):
        v = A.conj().T @ (A @ v)
        v = v / np.sqrt((np.abs(v) ** 2).sum())
    return np.sqrt((np.abs(A @ v) ** 2).sum())


def bjorck_pereyra(nodes: np.ndarray, states: np.ndarray) -> np.ndarray:
    """V u = states for N = L by the primal algorithm of Bjorck and Pereyra (1970), powers descending."""
    x, c, n = nodes, states.astype(complex), len(nodes)
    for k in range(n - 1):
        c[k + 1 :] = (c[k + 1 :] - c[k:-1]) / (x[k + 1 :] - x[: n - k - 1])
    for k in range(n - 2, -1, -1):
        c[k:-1] = c[k:-1] - x[k] * c[k + 1 :]
    return c[::-1]


def measure(kind: str, n: int, length: int, certify: bool, high_precision: bool) -> dict[str, object]:
    """One row: condition number, errors and times."""
    nodes = nodes_of(kind, n)
    V = vandermonde(nodes, length)
    ours, lapack = float(condition_number(nodes, length)), float(np.linalg.cond(V))
    row: dict[str, object] = {"nodes": kind, "N": n, "L": length, "kappa": ours, "kappa_lapack": lapack}
    row["seconds"], row["seconds_lapack"] = seconds(lambda: condition_number(nodes, length)), seconds(lambda: np.linalg.cond(V))
    row["compiled"] = cauchy.has_numba() and V.size >= cauchy.REPAYS
    row["seconds_portable"] = without_numba(lambda: condition_number(nodes, length))
    row["seconds_all_values"] = seconds(lambda: singular_values(nodes, length)) if n <= 256 else None
    if certify:
        start = time.perf_counter()
        truth = certified_condition_number(nodes, length)
        row["seconds_balls"] = time.perf_counter() - start
        row["error"], row["error_lapack"] = (float(abs(truth - arb(x)) / truth) for x in (ours, lapack))
    if n == length:
        row["error_by_lagrange"] = abs(float(np.expm1(np.longdouble(log_condition_number(nodes, length)) - by_lagrange(nodes))))
    if high_precision:
        start = time.perf_counter()
        row["agrees_with_mpmath"] = abs(by_mpmath(nodes, length) / ours - 1)
        row["seconds_mpmath"] = time.perf_counter() - start
    if n == length and ours < 1e14:
        inputs = np.random.default_rng(1).standard_normal(length)
        states = V @ inputs
        solutions = {
            "ours": reconstruct(states, nodes, length),
            "pinv": np.linalg.pinv(V) @ states,
            "bjorck_pereyra": bjorck_pereyra(nodes, states),
        }
        row["reconstruction_errors"] = {k: float(np.linalg.norm(u - inputs) / np.linalg.norm(inputs)) for k, u in solutions.items()}
    return row


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    cases = [
        ("real", 12, 12, True, True),
        ("disc", 24, 24, True, True),
        ("real", 48, 48, True, True),
        ("positive", 48, 48, True, False),
        ("circle", 24, 24, True, False),
        ("disc", 256, 128, False, False),
        ("circle", 256, 128, False, False),
        ("real", 128, 128, True, False),
        ("disc", 784, 784, arguments.large, False),
    ]
    if arguments.large:
        cases.append(("positive", 220, 220, True, False))
    rows = [measure(*case) for case in cases]
    table = Table(box=None)
    for name in ("nodes", "N", "L", "kappa", "LAPACK", "error", "error LAPACK", "time s", "x LAPACK", "portable", "balls s", "mpmath s"):
        table.add_column(name, justify="left" if name == "nodes" else "right")
    for r in rows:
        ratio = r["seconds"] / r["seconds_lapack"]  # type: ignore[operator]
        optional = [f"{r[k]:.1e}" if k in r else "" for k in ("error", "error_lapack")]
        times = [f"{r[k]:.2f}" if k in r else "" for k in ("seconds_balls", "seconds_mpmath")]
        cells = [
            r["nodes"],
            r["N"],
            r["L"],
            f"{r['kappa']:.3e}",
            f"{r['kappa_lapack']:.1e}",
            *optional,
            f"{r['seconds']:.4f}",
            f"{ratio:.1f}",
            f"{r['seconds_portable'] / r['seconds_lapack']:.1f}",  # type: ignore[operator]
            *times,
        ]
        table.add_row(*map(str, cells))
    Console(width=130).print(table)
    if arguments.out:
        document = {"python": platform.python_version(), "numpy": np.__version__, "machine": platform.machine(), "rows": rows}
        arguments.out.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
