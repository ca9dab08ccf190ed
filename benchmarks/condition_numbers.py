"""Condition numbers of Vandermonde matrices: time against LAPACK's SVD, accuracy against rigorous balls, and other peers, on the same nodes in one run.

``OMP_NUM_THREADS=1 python benchmarks/condition_numbers.py [--parts times accuracy first peers] [--large] [--out FILE.json]``. Times are processor seconds, the best of nine.
"portable" is the array-API code on NumPy, without what Numba compiles. --large adds to the peers 220 real nodes, where the condition number is near 10^200.
A part that is run replaces that part of FILE.json; the others stay.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from itertools import product
from math import inf
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
from flint import acb, acb_poly, arb, ctx
from lemmata.numerics import cauchy, lagrange
from lemmata.numerics.enclosures import certified_condition_number
from lemmata.numerics.vandermonde import condition_number, log_condition_number, reconstruct, singular_values, vandermonde
from rich.console import Console
from rich.table import Table


def nodes_of(kind: str, n: int, draw: int = 0) -> np.ndarray:
    """Seeded nodes: real in [-1, 1] or [0, 1], in the disc, on the circle."""
    rng = np.random.default_rng([n, draw] if draw else n)
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


@contextmanager
def compiled_from(entries: float) -> Iterator[None]:
    """Matrices are compiled from so many entries on: 1 for all of them, infinity for none."""
    found = lagrange.REPAYS, cauchy.REPAYS
    lagrange.REPAYS = cauchy.REPAYS = entries
    try:
        yield
    finally:
        lagrange.REPAYS, cauchy.REPAYS = found


#: (batch, N, L)
TIMED = ((1, 48, 48), (1, 128, 128), (1, 256, 128), (1, 128, 256), (1, 256, 256), (1, 512, 512), (1000, 32, 32))


def times() -> list[dict[str, Any]]:
    """Seconds of ``condition_number`` and ``singular_values`` and their ratios to LAPACK on a matrix that is there already; nodes in the disc."""
    rows = []
    for batch, n, length in TIMED:
        nodes = np.stack([nodes_of("disc", n, draw) for draw in range(batch)])
        V = vandermonde(nodes, length)
        row: dict[str, Any] = {"batch": batch, "N": n, "L": length}
        row["lapack_cond"] = seconds(lambda V=V: np.linalg.cond(V))
        row["condition_number"] = seconds(lambda nodes=nodes, length=length: condition_number(nodes, length))
        with compiled_from(inf):
            row["portable"] = seconds(lambda nodes=nodes, length=length: condition_number(nodes, length))
        # all values of a few matrices, as Jacobi's method takes long
        few, some = V[:20], nodes[:20]
        row["lapack_svd"] = seconds(lambda few=few: np.linalg.svd(few, compute_uv=False))
        if n * length <= 256 * 128:
            row["singular_values"] = seconds(lambda some=some, length=length: singular_values(some, length))
            row["ratio_values"] = row["singular_values"] / row["lapack_svd"]
        row["ratio"], row["ratio_portable"] = (row[name] / row["lapack_cond"] for name in ("condition_number", "portable"))
        rows.append(row)
    return rows


#: N, L: square, tall and wide
SHAPES = ((4, 4), (12, 12), (24, 24), (40, 40), (13, 12), (24, 12), (40, 10), (34, 32), (12, 13), (12, 24), (10, 40), (32, 34))


def family(kind: str, n: int) -> np.ndarray:
    """Seeded nodes of the ten families."""
    rng = np.random.default_rng([n, *kind.encode()])
    turn, uniform = np.exp(2j * np.pi * rng.uniform(0, 1, n)), rng.uniform(0, 1, n)
    if kind == "clustered":
        # groups of three within 10^-6
        return turn[np.arange(n) // 3] * (1 + 1e-6 * (rng.standard_normal(n) + 1j * rng.standard_normal(n)))
    if kind == "near-equal":
        # pairs 10^-13 apart
        return turn[np.arange(n) // 2] + 1e-13 * (np.arange(n) % 2)
    found = {
        "circle": lambda: turn,
        "arc": lambda: np.exp(0.5j * np.pi * uniform),
        "disc": lambda: np.sqrt(uniform) * turn,
        "ring": lambda: (0.9 + 0.1 * uniform) * turn,
        "real": lambda: (2 * uniform - 1).astype(complex),
        "positive": lambda: uniform.astype(complex),
        "huge": lambda: 10 ** (40 * uniform) * turn,
        "tiny": lambda: 10 ** (-40 * uniform) * turn,
    }
    return found[kind]()


FAMILIES = ("circle", "arc", "disc", "ring", "real", "positive", "clustered", "near-equal", "huge", "tiny")


def accuracy() -> list[dict[str, Any]]:
    """Relative errors of both ways to the condition number against balls, and the bound that stands beside it."""
    rows = []
    for kind, (n, length) in product(FAMILIES, SHAPES):
        nodes = family(kind, n)
        truth = certified_condition_number(nodes, length)
        row: dict[str, Any] = {"nodes": kind, "N": n, "L": length, "log10_kappa": float(truth.log() / arb(10).log())}
        for name, entries in (("error", 1), ("error_portable", inf)):
            with compiled_from(entries):
                kappa, bound = lagrange.condition(nodes[None], length)
                # beyond the range of float64 the number itself is infinite, but not its mantissa and exponent
                ours = arb(float(kappa.mantissa[0])) * arb(2) ** int(kappa.exponent[0])
                row[name], row["bound"] = float(abs(truth - ours) / truth), float(bound[0])
                if row["log10_kappa"] < 308:
                    row[name] = max(row[name], float(abs(truth - arb(float(condition_number(nodes, length)))) / truth))
        rows.append(row)
    return rows


#: what a process of its own prints: seconds to import the package's module, and of two calls
FIRST = """
import time
start = time.process_time()
from lemmata.numerics.vandermonde import condition_number
imported = time.process_time()
import numpy
nodes = numpy.linspace(-1, 1, 48)
condition_number(nodes, 48)
first = time.process_time()
condition_number(nodes, 48)
print(imported - start, first - imported, time.process_time() - first)
"""


def first_calls() -> list[dict[str, Any]]:
    """Processor seconds of a new process, with an empty cache and with what the process before left there."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for cache in ("empty", "filled"):
            done = subprocess.run(
                [sys.executable, "-c", FIRST],
                env={**os.environ, "NUMBA_CACHE_DIR": folder},
                capture_output=True,
                text=True,
                check=True,
            )
            rows.append(
                {"cache": cache, **dict(zip(("import", "first_call", "second_call"), map(float, done.stdout.split()), strict=True))}
            )
    return rows


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
    row["seconds_all_values"] = seconds(lambda: singular_values(nodes, length)) if n <= 256 else None
    if certify:
        start = time.perf_counter()
        truth = certified_condition_number(nodes, length)
        row["seconds_balls"] = time.perf_counter() - start
        row["error"], row["error_lapack"] = (float(abs(truth - arb(x)) / truth) for x in (ours, lapack))
    if n == length:
        row["error_by_lagrange"] = abs(float(np.expm1(np.log(np.longdouble(ours)) - by_lagrange(nodes))))
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


def peers(large: bool) -> list[dict[str, object]]:
    """mpmath, balls, Lagrange polynomials at high precision, and least squares."""
    cases = [
        ("real", 12, 12, True, True),
        ("disc", 24, 24, True, True),
        ("real", 48, 48, True, True),
        ("positive", 48, 48, True, False),
        ("circle", 24, 24, True, False),
        ("disc", 256, 128, False, False),
        ("circle", 256, 128, False, False),
        ("real", 128, 128, True, False),
        ("disc", 784, 784, large, False),
    ]
    if large:
        cases.append(("positive", 220, 220, True, False))
    return [measure(*case) for case in cases]


def show(name: str, rows: list[dict[str, Any]]) -> None:
    """A table of the numbers of ``rows``."""
    columns = [key for key in dict.fromkeys(key for row in rows for key in row) if key != "reconstruction_errors"]
    table = Table(title=name, box=None)
    for column in columns:
        table.add_column(column, justify="right")
    for row in rows:
        table.add_row(*(f"{row[c]:.3g}" if isinstance(row.get(c), float) else str(row.get(c, "")) for c in columns))
    Console(width=180).print(table)


PARTS: dict[str, Callable[[argparse.Namespace], list[dict[str, Any]]]] = {
    "times": lambda arguments: times(),
    "accuracy": lambda arguments: accuracy(),
    "first": lambda arguments: first_calls(),
    "peers": lambda arguments: peers(arguments.large),
}


def main() -> None:
    """Measure and print tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    made = {"python": platform.python_version(), "numpy": np.__version__, "numba": version("numba"), "machine": platform.machine()}
    document = json.loads(arguments.out.read_text(encoding="utf-8")) if arguments.out and arguments.out.exists() else {}
    for name in arguments.parts:
        rows = PARTS[name](arguments)
        show(name, rows)
        if name == "accuracy":
            worst = max(rows, key=lambda row: max(row["error"], row["error_portable"]))
            print(f"{len(rows)} families, the worst: {worst}; errors above their bound: {sum(row['error'] > row['bound'] for row in rows)}")
        document[name] = {**made, "rows": rows}
        if arguments.out:
            arguments.out.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
