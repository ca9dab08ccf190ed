"""Trained models of the experiments as programs, for ``lemmata certify``: a layer's map of each letter, and the decoder as it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np
import torch

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
    """The program of a model of one layer on letters. Its maps are those that float64 computes; the decoder's weights are taken as they are.

    Raises ``ValueError`` for more layers, and for layers other than delta rules without a query, diagonal ones, and those with full matrices but no
    projection.
    """
    if len(model.layers) != 1 or not model.letters:
        raise ValueError(f"expected a model of one layer on letters, got {len(model.layers)} layers and {model.letters} letters")
    layer: Any = model.double().eval().layers[0]
    letters = torch.eye(model.letters, dtype=torch.float64)
    if isinstance(layer, Delta) and type(layer).read is Affine.read:
        A, B, initial = _of_matrices(layer, letters)
    elif isinstance(layer, Diagonal):
        A, B, initial = _of_diagonals(layer, letters)
    else:
        raise ValueError(f"expected a layer whose state is affine and read as it is, got {type(layer).__name__}")
    builder = Builder(range(model.letters))
    builder.parts.append(type(layer).__name__)
    h, slot = builder.state(initial)
    after = Value(builder.program.add("maps", h.number, numbers=[A, B]), len(initial))
    builder.becomes(slot, after)
    scores = builder.module(model.decoder, builder.cat(after, builder.letter(letters)))
    assert isinstance(scores, Value)
    program = builder.finished(scores, "float64")
    program.taken = "the letters' maps as float64 computes them"
    return program


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
