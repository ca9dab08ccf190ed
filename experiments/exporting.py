"""Trained models of the experiments as programs, for ``lemmata certify``: a layer's map of each letter, and the decoder as it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np
import torch
from torch import nn

from ..constructions.automata.certify.programs import Program
from ..constructions.automata.certify.reading_parts import Builder, Value
from .affine_layers import Affine
from .delta_layers import Delta
from .layers import Diagonal, Model
from .tasks import Task, task_named
from .training import Run, fresh, stacked


def is_checkpoint(found: Any) -> bool:
    """Whether a file's content is what ``training.train`` stores: a run and its weights."""
    return isinstance(found, Mapping) and isinstance(found.get("run"), Mapping) and isinstance(found.get("model"), Mapping)


def run_of(found: Mapping[str, Any]) -> tuple[Model, Task]:
    """(model, task) of a checkpoint. Raises ``ValueError`` for a run, or weights, of something else."""
    names = {f.name for f in fields(Run)}
    if not set(found["run"]) <= names:
        raise ValueError(f"expected a run with {', '.join(sorted(names))}, got more: {', '.join(sorted(set(found['run']) - names))}")
    try:
        run = Run(**found["run"])
        task = task_named(run.task)
        model: Any = fresh(run, task, stacked)
        model.load_state_dict(found["model"])
    except (TypeError, RuntimeError) as why:
        raise ValueError(f"expected a checkpoint of the experiments' own model, got another: {str(why).splitlines()[0]}") from None
    return model, task


def program_of(model: Model) -> Program:
    """The program of a model on letters, in float64. The first layer's maps are those that float64 computes; all other weights are taken as they are.

    Raises ``ValueError`` for real inputs, and for layers other than delta rules without a query, diagonal ones, and those with full matrices but no
    projection. Layers after the first are delta rules without a gate, or diagonal ones with real entries.
    """
    if not model.letters:
        raise ValueError("expected a model on letters, got one on real inputs")
    first, *others = model.double().eval().layers
    builder = Builder(range(model.letters))
    x = builder.letter(np.eye(model.letters))
    states = _first(builder, first, model.letters)
    for layer, between in zip(others, model.between, strict=True):
        x = _between(builder, between, states, x)
        states = _later(builder, layer, x)
    program = builder.finished(_module(builder, model.decoder, builder.cat(states, x)), "float64")
    program.taken = "the letters' maps as float64 computes them"
    # numbers that float64 computed are taken in float64
    program.dtype = "float64"
    return program


def _module(builder: Builder, module: nn.Module, value: Value) -> Value:
    found = builder.module(module, value)
    assert isinstance(found, Value)
    return found


def _first(builder: Builder, layer: Any, count: int) -> Value:
    """The state of the layer that reads letters."""
    letters = torch.eye(count, dtype=torch.float64)
    if isinstance(layer, Delta) and type(layer).read is Affine.read:
        A, B, initial = _of_matrices(layer, letters)
    elif isinstance(layer, Diagonal):
        A, B, initial = _of_diagonals(layer, letters)
    else:
        raise ValueError(f"expected a layer whose state is affine and read as it is, got {type(layer).__name__}")
    builder.parts.append(type(layer).__name__)
    h, slot = builder.state(initial)
    after = Value(builder.program.add("maps", h.number, numbers=[A, B]), len(initial))
    builder.becomes(slot, after)
    return after


def _between(builder: Builder, between: Any, states: Value, x: Value) -> Value:
    """The features that the next layer reads."""
    mixed, skipped = _module(builder, between.mix, builder.cat(states, x)), _module(builder, between.skip, x)
    return _module(builder, between.norm, builder.entrywise("add", mixed, skipped))


def _later(builder: Builder, layer: Any, x: Value) -> Value:
    """The state of a layer that reads features."""
    rule = type(layer) is Delta
    if not rule and not (isinstance(layer, Diagonal) and layer.values != "complex"):
        raise ValueError(
            f"expected delta rules without a gate, or diagonal layers with real entries, after the first layer, got {type(layer).__name__}"
        )
    builder.parts.append(type(layer).__name__)
    h, slot = builder.state(layer.initial.detach().numpy().reshape(-1))
    after = _delta_rule(builder, layer, x, h) if rule else _diagonal(builder, layer, x, h)
    builder.becomes(slot, after)
    return after


def _diagonal(builder: Builder, layer: Any, x: Value, h: Value) -> Value:
    """a h + b, a and b of the features."""
    a = builder.entrywise("sigmoid" if layer.values == "positive" else "tanh", _module(builder, layer.gate, x))
    return builder.entrywise("add", builder.entrywise("mul", a, h), _module(builder, layer.drive, x))


def _delta_rule(builder: Builder, layer: Delta, x: Value, h: Value) -> Value:
    """H + beta k (v - k^T H), micro-step by micro-step; H (n, c) row by row."""
    n, c = layer.n, layer.columns
    rows, columns = np.kron(np.eye(n), np.ones((c, 1))), np.tile(np.eye(c), (n, 1))
    keys, values, strengths = (_module(builder, m, x) for m in (layer.key, layer.value, layer.strength))
    largest = builder.constant([layer.largest])
    for j in range(layer.factors):
        # a key divided by its length is one divided by the root of its mean square, and by that of n
        key = Value(builder.program.add("rms norm", builder.part(keys, j * n, n).number, numbers=[np.full(n, n**-0.5), np.zeros(1)]), n)
        k, v = builder.linear(key, rows), builder.part(values, j * c, c)
        beta = builder.entrywise("mul", largest, builder.entrywise("sigmoid", builder.part(strengths, j, 1)))
        missing = builder.entrywise("sub", v, builder.linear(builder.entrywise("mul", k, h), columns.T))
        written = builder.linear(builder.entrywise("mul", beta, missing), columns)
        h = builder.entrywise("add", h, builder.entrywise("mul", k, written))
    return h


def _of_matrices(layer: Delta, letters: torch.Tensor) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A state (n, c) read row by row: A acts on each column."""
    with torch.no_grad():
        A, B = (x[0].numpy() for x in layer.maps(letters[None]))
        initial = layer.initial.numpy()
    return np.array([np.kron(a, np.eye(B.shape[-1])) for a in A]), B.reshape(len(B), -1), initial.reshape(-1)


def _of_diagonals(layer: Diagonal, letters: torch.Tensor) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Complex entries as (real part, imaginary part)."""
    with torch.no_grad():
        found = [x.numpy() for x in layer.coefficients(letters[None])]
    a: Any
    b: Any
    h: Any
    a, b, h = found[0][0], found[1][0], found[2].reshape(-1)
    if not np.iscomplexobj(a):
        return np.array([np.diag(x) for x in a]), b, h
    A = np.array([np.block([[np.diag(x.real), -np.diag(x.imag)], [np.diag(x.imag), np.diag(x.real)]]) for x in a])
    return A, np.concatenate([b.real, b.imag], axis=-1), np.concatenate([h.real, h.imag])
