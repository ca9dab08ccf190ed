"""Functions held to independent references, input by input: sizes on both sides of each threshold, each type of numbers, either sign, late steps.

A row names a function, its inputs, and what the definition says of each; results are compared whole. ``python tests/mutants --debts`` lists what no row reaches.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
from flint import fmpq, fmpz

from ...evidence import Proof

#: sizes on both sides of 3, 5, 7, 9 and 12, and the least
SIZES = (0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 13)

#: the same without 0, for what needs an element
POSITIVE = SIZES[1:]

Given = Iterable[tuple[Any, ...]]


def hold(proof: Proof, domain: str, function: Callable[..., Any], reference: Callable[..., Any], inputs: Given, name: str = "") -> None:
    """On each input the function returns exactly what the reference returns."""
    rows = list(inputs)
    for i in proof.tied(domain, range(len(rows))):
        given = rows[i]
        proof.exactly(name or _name(function), plain(function(*given)), plain(reference(*given)))


def hold_closely(
    proof: Proof, domain: str, function: Callable[..., Any], reference: Callable[..., Any], inputs: Given, within: float, name: str = ""
) -> None:
    """On each input the function returns what the reference returns, up to ``within`` of its largest entry, and in the same shape."""
    rows = list(inputs)
    for i in proof.tied(domain, range(len(rows))):
        given = rows[i]
        found, wanted = np.asarray(function(*given)), np.asarray(reference(*given))
        proof.exactly(f"{name or _name(function)}: shape", found.shape, wanted.shape)
        if wanted.size:
            largest = float(np.abs(wanted).max())
            proof.closely(name or _name(function), float(np.abs(found - wanted).max()) / (largest or 1.0), within)


def hold_refusals(proof: Proof, domain: str, calls: Iterable[tuple[Callable[..., Any], tuple[Any, ...]]]) -> None:
    """Each call raises ``ValueError`` (``ZeroDivisionError`` at 0, ``TypeError`` for another type of numbers): there is no result that could be wrong."""
    rows = list(calls)
    for i in proof.tied(domain, range(len(rows))):
        function, given = rows[i]
        proof.exactly(f"{_name(function)} refuses", _refused(function, given), True)


def _refused(function: Callable[..., Any], given: tuple[Any, ...]) -> bool:
    try:
        result = function(*given)
        if isinstance(result, Iterator):
            next(result, None)
    except (ValueError, ZeroDivisionError, TypeError):
        return True
    return False


def _name(function: Any) -> str:
    return str(getattr(function, "__qualname__", function))


def plain(x: Any) -> Any:
    """Nested tuples that are equal exactly if two results are: shapes of arrays, fields of dataclasses, the order of lists; exact numbers as they are."""
    if isinstance(x, np.ndarray):
        return x.shape, tuple(plain(y) for y in x.flat)
    if isinstance(x, np.generic):
        return x.item()
    if isinstance(x, Fraction):
        return fmpq(x.numerator, x.denominator)
    if isinstance(x, Mapping):
        return tuple((plain(k), plain(v)) for k, v in x.items())
    if dataclasses.is_dataclass(x) and not isinstance(x, type):
        return type(x).__name__, tuple(plain(getattr(x, f.name)) for f in dataclasses.fields(x))
    if isinstance(x, set | frozenset):
        return "set", tuple(sorted(map(repr, x)))
    if isinstance(x, Iterator | list | tuple | range):
        return tuple(plain(y) for y in x)
    return x


# -- inputs ---------------------------------------------------------------------------------------------------------------


def rational(rng: Random, bound: int = 4) -> fmpq:
    """A small rational of either sign."""
    return fmpq(rng.randint(-bound, bound), rng.randint(1, 3))


def matrix(rng: Random, rows: int, columns: int, bound: int = 4) -> np.ndarray:
    """A rational matrix with entries of either sign."""
    out = np.empty((rows, columns), dtype=object)
    for at in np.ndindex(rows, columns):
        out[at] = rational(rng, bound)
    return out


def in_types(A: np.ndarray) -> list[np.ndarray]:
    """The same integer matrix with entries ``int``, ``Fraction``, ``fmpz`` and ``fmpq``, each an object array."""
    out = []
    for kind in (int, Fraction, fmpz, fmpq):
        typed = np.empty(A.shape, dtype=object)
        for at in np.ndindex(A.shape):
            typed[at] = kind(int(A[at]))
        out.append(typed)
    return out


def integers(rng: Random, rows: int, columns: int, bound: int = 4) -> np.ndarray:
    """An integer matrix with entries of either sign."""
    return np.array([[rng.randint(-bound, bound) for _ in range(columns)] for _ in range(rows)], dtype=object).reshape(rows, columns)


def products(matrices: Sequence[Any]) -> list[list[fmpq]]:
    """The product of matrices given by rows, sum by sum."""
    out = [[fmpq(1) * x for x in row] for row in matrices[0]]
    for M in matrices[1:]:
        out = [[sum((a * M[k][j] for k, a in enumerate(row)), fmpq(0)) for j in range(len(M[0]))] for row in out]
    return out


def minors(A: Any) -> fmpq:
    """The determinant by its definition, rows expanded over sets of columns: 2^n sums."""
    values = {frozenset[int](): fmpq(1)}
    for row in A:
        following: dict[frozenset[int], fmpq] = {}
        for chosen, value in values.items():
            for j, x in enumerate(row):
                if j not in chosen and x != 0:
                    sign = -1 if sum(i > j for i in chosen) % 2 else 1
                    key = chosen | {j}
                    following[key] = following.get(key, fmpq(0)) + sign * value * x
        values = following
    return values.get(frozenset(range(len(A))), fmpq(0))
