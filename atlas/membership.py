"""Which models of the table hold a compiled network: decided from the exact entries of its document (docs/reference/formats.md)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq_poly

from ..numerics import exact
from ..numerics.cyclotomic import Cyclotomic

Map = tuple[np.ndarray, list[dict[str, Any]] | None]


def holds(document: dict[str, Any]) -> list[str]:
    """The models of which every layer of the network is one, by their definition."""
    if document["format"] == "lemmata-bistable":
        return _bistable(document)
    layers = [[(_matrix(m["A"], document["field"]), m["steps"]) for m in layer["maps"]] for layer in document["layers"]]
    every = [m for layer in layers for m in layer]
    found = [model for model, fits in SINGLE.items() if all(map(fits, every))]
    still = all((layer[0][0] == A).all() for layer in layers for A, _ in layer)
    if still and "diagonal-complex" in found:
        found.append("lti-diagonal")
    return [*found, "lti-dense"] if still else found


def has_whole_numbers(document: dict[str, Any]) -> bool:
    """Whether all entries of maps and states are integers of modulus at most 2^8, so that a step is exact in every format of 8 bits or more."""
    if document["format"] == "lemmata-bistable":
        return True
    layers = document["layers"]
    rows = [row for layer in layers for m in layer["maps"] for row in (*m["A"], *m["B"])]
    rows += [row for layer in layers for H in layer["states"] for row in H]
    return all(isinstance(x, str) and "/" not in x and abs(int(x)) <= 2**8 for row in rows for x in row)


def _bistable(document: dict[str, Any]) -> list[str]:
    """Transitions 0 and 1, and below them a clock whose eigenvalues are roots of unity: with two hours a sign. In width 1 that is the delta rule."""
    found = {1: ["bistable"], 2: ["bistable-clock", "diagonal-signed"]}.get(document["clock"], ["bistable-clock"])
    narrow = document["clock"] == 1 and all(len(layer["W_x"]) == 1 for layer in document["layers"])
    return [*found, "delta-nonnegative"] if narrow else found


def _matrix(rows: list[list[Any]], field: int) -> np.ndarray:
    return np.array([[_entry(x, field) for x in row] for row in rows], dtype=object)


def _entry(x: Any, field: int) -> Any:
    """A real number: a fraction, or an element of Q(zeta_N) that is none."""
    if isinstance(x, list):
        element = Cyclotomic(field, fmpq_poly([exact.rational(c) for c in x]))
        return element if element.polynomial.degree() > 0 else exact.rational(str(element.polynomial[0]))
    return exact.rational(x)


def _is_diagonal(m: Map) -> bool:
    A, _ = m
    return bool((A[~np.eye(len(A), dtype=bool)] == 0).all())


def _is_in(m: Map, least: int, largest: int) -> bool:
    # an irrational entry of a diagonal is in no range that is asked for: compilers write roots of unity in planes alone
    return _is_diagonal(m) and all(not isinstance(a, Cyclotomic) and least <= a <= largest for a in np.diag(m[0]))


def _is_complex_diagonal(m: Map) -> bool:
    """Whether the real matrix is a complex diagonal: blocks [[a, -b], [b, a]] and single entries, of modulus 1 at most as a contraction's."""
    A, steps = m
    i = 0
    while i < len(A):
        pair = i + 1 < len(A) and (A[i, i + 1] != 0 or A[i + 1, i] != 0)
        size = 2 if pair else 1
        block = A[i : i + size, i : i + size]
        if (np.delete(A[i : i + size], range(i, i + size), axis=1) != 0).any():
            return False
        if pair and not (block[0, 0] == block[1, 1] and block[0, 1] == -block[1, 0]):
            return False
        i += size
    return steps is not None


def _factors(m: Map, most: int | None, largest: int = 2) -> bool:
    steps = m[1]
    return steps is not None and (most is None or len(steps) <= most) and all(Fraction(s["beta"]) <= largest for s in steps)


def _is_one_hot(m: Map) -> bool:
    A = m[0]
    return bool(((A != 0).sum(0) <= 1).all()) and not any(isinstance(a, Cyclotomic) or not -1 <= a <= 1 for a in A.flat)


#: model -> whether a map is one of its layer's
SINGLE: dict[str, Callable[[Map], bool]] = {
    "diagonal-nonnegative": lambda m: _is_in(m, 0, 1),
    "diagonal-signed": lambda m: _is_in(m, -1, 1),
    "diagonal-complex": _is_complex_diagonal,
    "delta-nonnegative": lambda m: _factors(m, 1, 1),
    "delta-signed": lambda m: _factors(m, 1),
    "householder-2": lambda m: _factors(m, 2),
    "householder-4": lambda m: _factors(m, 4),
    "householder": lambda m: _factors(m, None),
    "permutation-diagonal": _is_one_hot,
    "dense": lambda m: True,
}
