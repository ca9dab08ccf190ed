"""How long floating point keeps a network right, for each way to run it and each data type: proved, not measured (docs/explanation/rounding.md).

Two proofs, of which the better counts. *By exhaustion* (``precision_orbits``): the states that a layer reaches in floating point close, so
it is right at every length. *By a bound* (``precision_bounds``): with ||A|| <= 1 errors do not grow by themselves, each step adds at most
a fixed amount, and the nearest exact state is the true one as long as the sum is below the margin.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

import numpy as np

from .bounds import delta_length, fused_length, loop_length, scan_length
from .layer import FORMATS, Format, LayerNumbers
from .orbits import DEFAULT, Search, delta_step, exact_scan, fused_step, loop_step, right_at_every_length
from .terms import adds_nothing, has_numbers


def _loop(layer: LayerNumbers, form: Format, search: Search = DEFAULT) -> float:
    if _never_rounds(layer, form):
        return inf
    orbit = right_at_every_length(layer, loop_step(layer, form), form.stored(layer.states[0]), search=search)
    return orbit if orbit == inf else max(orbit, loop_length(layer, form))


def _scan(layer: LayerNumbers, form: Format, search: Search = DEFAULT) -> float:
    return inf if _never_rounds(layer, form) or exact_scan(layer, form) else scan_length(layer, form)


def _never_rounds(layer: LayerNumbers, form: Format) -> bool:
    return layer.walks is not None and has_numbers(layer, form) and adds_nothing(layer)


def _delta(layer: LayerNumbers, form: Format, search: Search = DEFAULT) -> float:
    orbit = right_at_every_length(layer, delta_step(layer, form), form.stored(layer.states[0]), search=search)
    return orbit if orbit == inf else max(orbit, delta_length(layer, form))


def _fused(layer: LayerNumbers, form: Format, search: Search = DEFAULT) -> float:
    start = FORMATS["float32"].stored(form.stored(layer.states[0])).astype(np.float64)
    orbit = right_at_every_length(layer, fused_step(layer, form), start, form.stored, search)
    return orbit if orbit == inf else max(orbit, fused_length(layer, form))


#: the ways to run a network: the torch module step by step and by its scan; the delta rule micro-step by micro-step in torch
#: (``delta_rule.delta_rule``); and a kernel that computes it in float32, in any order, as flash-linear-attention's fused recurrent one
PATHS: dict[str, Callable[..., float]] = {"loop": _loop, "scan": _scan, "delta": _delta, "fused": _fused}


def guaranteed_length(document: dict[str, Any], dtype: str, path: str = "loop", search: Search = DEFAULT) -> float | None:
    """A length up to which the network, run on a path in a data type, is right at every position of every word; inf if at every length.

    None if the path is closed to it: a transition is no product of GH factors. Assumes what docs/explanation/rounding.md says: a compiled network or one
    that ``lemmata recheck`` accepts, round to nearest, no TF32, no autocast. ``search`` bounds the states that are gone through.
    Raises ``ValueError`` for an unknown data type or path.
    """
    _expect("data type", dtype, FORMATS)
    _expect("path", path, PATHS)
    return _shortest(_numbers(document), dtype, path, search)


def guaranteed_lengths(document: dict[str, Any], search: Search = DEFAULT) -> dict[str, dict[str, float | None]]:
    """:func:`guaranteed_length` for every path and data type: {path: {data type: length}}."""
    layers = _numbers(document)
    return {path: {dtype: _shortest(layers, dtype, path, search) for dtype in FORMATS} for path in PATHS}


def _numbers(document: dict[str, Any]) -> list[LayerNumbers]:
    return [LayerNumbers(layer, document["field"]) for layer in document["layers"]]


def _shortest(layers: list[LayerNumbers], dtype: str, path: str, search: Search) -> float | None:
    if path in ("delta", "fused") and not all(layer.contracts for layer in layers):
        return None
    return min(PATHS[path](layer, FORMATS[dtype], search) for layer in layers)


def _expect(what: str, name: str, among: dict[str, Any]) -> None:
    if name not in among:
        raise ValueError(f"expected a {what} among {', '.join(among)}, got {name!r}")
