"""Which models of the table hold a compiled network: decided from the exact entries of its document (docs/reference/formats.md) by the formulas of ``models.toml``."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import inf
from typing import Any

import numpy as np
from flint import fmpq_poly

from ..numerics import exact
from ..numerics.cyclotomic import Cyclotomic
from .knowledge import Model, knowledge

Map = tuple[np.ndarray, list[dict[str, Any]] | None]

#: what ``holds`` of a model says where no formula decides: a smaller model does, or no command writes such transitions
BY_INCLUSION, NEVER = "by inclusion", "never"


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What the formulas of ``models.toml`` are about: one transition A of a network, and the network.

    ``diagonal``: A is diagonal, with real entries from ``least`` to ``largest`` (rational; an irrational entry makes both infinite, since compilers write
    roots of unity in planes alone). ``complex_diagonal``: in planes and lines, of modulus 1 at most. ``factors``: how many Householder factors make A,
    infinite if it is written as no product of them, and ``beta`` the largest of theirs. ``one_hot``: at most one entry, real and in [-1, 1], in each column.
    ``window``: of a layer that shifts the last letters along, as a short convolution does; ``windowed``: the network has such a layer of width 2 or more.
    ``still``: each layer has one transition for all letters. ``bistable``: a network of bistable units, and ``clock`` the period of what counts below them, 1 for none.
    """

    diagonal: bool = False
    least: Any = -inf
    largest: Any = inf
    complex_diagonal: bool = False
    factors: float = inf
    beta: Any = inf
    one_hot: bool = False
    window: bool = False
    windowed: bool = False
    still: bool = False
    bistable: bool = False
    clock: int = 1


def models_of(document: dict[str, Any], models: Iterable[Model] | None = None) -> list[str]:
    """The models of the table of which every layer of a network is one, by their formulas; all models if none are given.

    ``document`` is a network as JSON (docs/reference/formats.md). Models that hold it through a smaller one are not listed: see ``built.above``.

    Raises ``ValueError`` for a formula that cannot be read.

    >>> models_of(document_of("lemmata compile --task parity"))  # doctest: +SKIP
    ['diagonal-signed', 'diagonal-complex', 'delta-signed', ...]
    """
    facts = list(facts_of(document))
    chosen = knowledge().models.values() if models is None else models
    return [m.id for m in chosen if all(is_member(m, f) for f in facts)]


def is_member(model: Model, facts: Facts) -> bool:
    """Whether a transition is one of the model's, by its formula."""
    if model.holds in (BY_INCLUSION, NEVER):
        return False
    try:
        tree = ast.parse(model.holds, mode="eval").body
    except SyntaxError as why:
        raise ValueError(f"expected a formula for the model {model.id}, got {model.holds!r}") from why
    return bool(_value(tree, vars(facts) | {"infinity": inf}, model))


def _value(node: ast.expr, names: dict[str, Any], model: Model) -> Any:
    """A formula's value: names, whole numbers, comparisons, and, or, not."""
    match node:
        case ast.Constant(int(n)) if not isinstance(n, bool):
            return n
        case ast.Name(name) if name in names:
            return names[name]
        case ast.UnaryOp(ast.USub(), operand):
            return -_value(operand, names, model)
        case ast.UnaryOp(ast.Not(), operand):
            return not _value(operand, names, model)
        case ast.BoolOp(op, values):
            return (all if isinstance(op, ast.And) else any)(_value(v, names, model) for v in values)
        case ast.Compare(left, ops, right) if all(type(op) in COMPARED for op in ops):
            values = [_value(v, names, model) for v in (left, *right)]
            return all(COMPARED[type(op)](a, b) for op, (a, b) in zip(ops, pairwise(values), strict=True))
    raise ValueError(f"expected {', '.join(names)}, whole numbers and comparisons for the model {model.id}, got {ast.unparse(node)!r}")


COMPARED: dict[type, Callable[[Any, Any], bool]] = {
    ast.LtE: operator.le,
    ast.Lt: operator.lt,
    ast.GtE: operator.ge,
    ast.Gt: operator.gt,
    ast.Eq: operator.eq,
}


def facts_of(document: dict[str, Any]) -> Iterator[Facts]:
    """The facts of every transition of a network."""
    if document["format"] == "lemmata-bistable":
        yield _of_bistable(document)
        return
    layers = [[(_matrix(m["A"], document["field"]), m["steps"]) for m in layer["maps"]] for layer in document["layers"]]
    still = all((layer[0][0] == A).all() for layer in layers for A, _ in layer)
    windows = [len(layer[0][0]) > 1 and all(_is_shift(A) for A, _ in layer) for layer in layers]
    for layer, window in zip(layers, windows, strict=True):
        for A, steps in layer:
            diagonal = _is_diagonal(A)
            rational = diagonal and not any(isinstance(a, Cyclotomic) for a in np.diag(A))
            yield Facts(
                diagonal=diagonal,
                least=min(np.diag(A)) if rational else -inf,
                largest=max(np.diag(A)) if rational else inf,
                complex_diagonal=_is_complex_diagonal((A, steps)),
                factors=inf if steps is None else len(steps),
                beta=inf if steps is None else max((Fraction(s["beta"]) for s in steps), default=Fraction(0)),
                one_hot=_is_one_hot(A),
                window=window,
                windowed=any(windows),
                still=still,
            )


def _of_bistable(document: dict[str, Any]) -> Facts:
    """Units write or keep, so their transitions are 0 and 1; a clock of two hours is a sign. In width 1 without a clock that is the delta rule."""
    clock = document["clock"]
    narrow = clock == 1 and all(len(layer["W_x"]) == 1 for layer in document["layers"])
    return Facts(
        diagonal=clock <= 2,
        least=-1 if clock == 2 else 0,
        largest=1,
        complex_diagonal=True,
        factors=1 if narrow else inf,
        beta=1 if narrow else inf,
        one_hot=clock <= 2,
        still=False,
        bistable=True,
        clock=clock,
    )


def has_whole_numbers(document: dict[str, Any]) -> bool:
    """Whether all entries of maps and states are integers of modulus at most 2^8, so that a step is exact in every format of 8 bits or more."""
    if document["format"] == "lemmata-bistable":
        return True
    layers = document["layers"]
    rows = [row for layer in layers for m in layer["maps"] for row in (*m["A"], *m["B"])]
    rows += [row for layer in layers for H in layer["states"] for row in H]
    return all(isinstance(x, str) and "/" not in x and abs(int(x)) <= 2**8 for row in rows for x in row)


def _matrix(rows: list[list[Any]], field: int) -> np.ndarray:
    return np.array([[_entry(x, field) for x in row] for row in rows], dtype=object)


def _entry(x: Any, field: int) -> Any:
    """A real number: a fraction, or an element of Q(zeta_N) that is none."""
    if isinstance(x, list):
        element = Cyclotomic(field, fmpq_poly([exact.rational(c) for c in x]))
        return element if element.polynomial.degree() > 0 else exact.rational(str(element.polynomial[0]))
    return exact.rational(x)


def _is_shift(A: np.ndarray) -> bool:
    """Whether every coordinate takes over the one before it, and the first one forgets."""
    return bool((np.eye(len(A), k=-1, dtype=int) == A).all())


def _is_diagonal(A: np.ndarray) -> bool:
    return bool((A[~np.eye(len(A), dtype=bool)] == 0).all())


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


def _is_one_hot(A: np.ndarray) -> bool:
    return bool(((A != 0).sum(0) <= 1).all()) and not any(isinstance(a, Cyclotomic) or not -1 <= a <= 1 for a in A.flat)
