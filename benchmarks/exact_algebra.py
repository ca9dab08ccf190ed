"""Exact linear algebra on FLINT against SymPy: the same rational matrices, the same results, one run.

``python benchmarks/exact_algebra.py [--out FILE.json]``. Prints a table of the times and their ratio; the results are compared
before the times are reported. Wall-clock seconds, best of three for FLINT and one run for SymPy.
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import sympy
from lemmata.constructions import householder, samples
from lemmata.numerics import exact, jordan
from rich.console import Console
from rich.progress import track
from rich.table import Table


def to_sympy(m: np.ndarray) -> sympy.Matrix:
    """The same rational matrix in SymPy."""
    return sympy.Matrix(*m.shape, [sympy.Rational(int(exact.rational(x).p), int(exact.rational(x).q)) for x in m.flat])


def fractions(rng: Random, n: int) -> np.ndarray:
    """A dense n x n matrix of fractions with numerators and denominators up to 99."""
    out = exact.zeros(n, n)
    for index in np.ndindex(n, n):
        out[index] = exact.rational(f"{rng.randint(-99, 99)}/{rng.randint(1, 99)}")
    return out


def reflections_in_sympy(q: sympy.Matrix) -> list[sympy.Matrix]:
    """The algorithm of ``householder.reflections`` on SymPy matrices."""
    n, vectors = q.rows, []
    for i in range(n):
        v = q[:, i] - sympy.eye(n)[:, i]
        if any(v):
            vectors.append(v)
            q = q - v * (v.T * q) * (sympy.Integer(2) / v.dot(v))
    return vectors


def timed(function: Callable[[], Any], repeat: int) -> tuple[float, Any]:
    """(best wall-clock seconds, result)."""
    best, result = float("inf"), None
    for _ in range(repeat):
        start = time.perf_counter()
        result = function()
        best = min(best, time.perf_counter() - start)
    return best, result


def tasks(rng: Random) -> list[tuple[str, Callable[[], Any], Callable[[], Any], Callable[[Any, Any], bool]]]:
    """(what, on FLINT, in SymPy, whether the two results agree)."""
    m = fractions(rng, 16)
    s = to_sympy(m)
    q = samples.orthogonal(rng, 8, reflections=8)
    sq = to_sympy(q)
    a = samples.with_jordan_form(samples.jordan_blocks(rng, 6, samples.REAL), samples.basis(rng, 6))
    sa = to_sympy(a)

    def same(x: np.ndarray, y: sympy.Matrix) -> bool:
        return to_sympy(x) == y

    def same_blocks(form: jordan.JordanForm, pair: tuple[sympy.Matrix, sympy.Matrix]) -> bool:
        ours = to_sympy(form.matrix())
        return ours.charpoly() == pair[1].charpoly() and sorted(map(str, ours.diagonal())) == sorted(map(str, pair[1].diagonal()))

    return [
        ("determinant, 16 x 16 fractions", lambda: exact.determinant(m), lambda: s.det(method="bareiss"), lambda x, y: str(x) == str(y)),
        ("inverse, 16 x 16 fractions", lambda: exact.inverse(m), lambda: s.inv(), same),
        ("rank, 16 x 16 fractions", lambda: exact.rank(m), lambda: s.rank(), lambda x, y: x == y),
        (
            "reflections of an orthogonal 8 x 8",
            lambda: householder.reflections(q),
            lambda: reflections_in_sympy(sq),
            lambda x, y: len(x) == len(y),
        ),
        ("Jordan form, 6 x 6", lambda: jordan.jordan_form(a), lambda: sa.jordan_form(), same_blocks),
    ]


def main() -> None:
    """Run every task on both and print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, help="also write the results as JSON")
    arguments = parser.parse_args()
    rows = []
    for what, on_flint, in_sympy, agree in track(tasks(Random(0)), "measuring", console=Console(stderr=True), transient=True):
        fast, x = timed(on_flint, 3)
        slow, y = timed(in_sympy, 1)
        if not agree(x, y):
            raise SystemExit(f"{what}: the two results differ")
        rows.append({"task": what, "flint_seconds": fast, "sympy_seconds": slow, "ratio": slow / fast})
    table = Table("task", "FLINT, ms", "SymPy, ms", "SymPy / FLINT", box=None)
    for r in rows:
        table.add_row(r["task"], f"{1e3 * r['flint_seconds']:.2f}", f"{1e3 * r['sympy_seconds']:.1f}", f"{r['ratio']:.0f}")
    Console().print(table)
    if arguments.out:
        facts = {"python": platform.python_version(), "machine": platform.machine(), "sympy": sympy.__version__, "rows": rows}
        arguments.out.write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
