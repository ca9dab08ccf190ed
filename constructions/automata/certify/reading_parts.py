"""PyTorch's modules as parts of a program: embeddings, linear maps, activations, norms, and recurrent layers and cells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from torch import nn

from .programs import Program, evaluated

#: elementwise modules and what they are in a program; "" does nothing
ELEMENTWISE: dict[type[nn.Module], str] = {
    nn.ReLU: "relu",
    nn.Tanh: "tanh",
    nn.Sigmoid: "sigmoid",
    nn.SiLU: "silu",
    nn.GELU: "gelu",
    nn.Identity: "",
    nn.Dropout: "",
}

RECURRENT = (nn.RNN, nn.GRU, nn.LSTM, nn.RNNCell, nn.GRUCell, nn.LSTMCell)


class NotRead(ValueError):
    """A module that is not known to be a program."""


@dataclass(frozen=True)
class Tokens:
    """The letters themselves."""


@dataclass(frozen=True)
class Value:
    """A value of the program, ``size`` entries; ``outputs`` are further ones where a module gives a tuple."""

    number: int
    size: int


#: reads a module that this file does not know: (builder, module, value) to a value, or None
Reader = Callable[["Builder", nn.Module, Value], "Value | None"]


@dataclass
class Builder:
    """A program that grows part by part. ``tokens[x]`` is the row of an embedding for letter x.

    Raises :class:`NotRead` for what is no part.
    """

    tokens: Sequence[int]
    readers: Sequence[Reader] = ()
    program: Program = field(init=False)
    #: (first entry, value after) of each cell's part of the state
    slots: list[tuple[int, int]] = field(default_factory=list)
    initial: list[np.ndarray] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        #: the number of the token of each letter that the program reads
        self.last = list(range(len(self.tokens)))
        self.program = Program(np.zeros(0), len(self.tokens))

    def letter(self, rows: Any) -> Value:
        """A table (rows, k), of which letters read their tokens' rows."""
        table = numbers(rows)
        if not all(0 <= t < len(table) for t in self.tokens):
            raise ValueError(f"expected tokens from 0 to {len(table) - 1}, got {max(self.tokens)} and others")
        return self.table(table[[self.tokens[i] for i in self.last]])

    def table(self, rows: np.ndarray) -> Value:
        """A row for each letter that the program reads."""
        return Value(self.program.add("letter", numbers=[rows]), rows.shape[1])

    def letters_of(self, value: Value) -> np.ndarray:
        """A value that depends on the letter alone, (letters, size), in float64. Raises :class:`NotRead` for another."""
        found: list[np.ndarray | None] = []
        z = np.arange(len(self.last))
        for op in self.program.ops[: value.number + 1]:
            given = [found[i] for i in op.of]
            known = [x for x in given if x is not None]
            whole = op.name != "state" and len(known) == len(given)
            found.append(evaluated(op, known, np.zeros((len(z), 0)), z) if whole else None)
        table = found[value.number]
        if table is None:
            raise NotRead("expected a layer that reads letters alone, got one that reads another layer")
        return table

    def windows(self, last: list[int], front: list[list[tuple[int, int]]]) -> None:
        """From now on the program reads windows of tokens: ``last[z]`` is the number of the last one, ``front`` as :class:`Program` has it.

        Raises :class:`NotRead` where windows are read already.
        """
        if len(self.program.front) > 1:
            raise NotRead("expected one layer that reads earlier letters, got two")
        rows = list(last)
        for i, op in enumerate(self.program.ops):
            if op.name in ("letter", "maps"):
                self.program.ops[i] = op._replace(numbers=tuple(x[rows] for x in op.numbers))
        self.last, self.program.front = rows, front

    def linear(self, value: Value, weight: Any, *biases: Any) -> Value:
        W = numbers(weight)
        if W.shape[1] != value.size:
            raise NotRead(f"expected {W.shape[1]} entries for a linear map, got {value.size}")
        b = np.array([numbers(x) for x in biases if x is not None]).reshape(-1, len(W))
        return Value(self.program.add("linear", value.number, numbers=[W, b]), len(W))

    def entrywise(self, name: str, *values: Value) -> Value:
        """An operation entry by entry on values of one size, or of one entry."""
        size = max(v.size for v in values)
        if any(v.size not in (1, size) for v in values):
            raise NotRead(f"expected values of one size, got {', '.join(str(v.size) for v in values)}")
        return Value(self.program.add(name, *(v.number for v in values)), size)

    def constant(self, entries: Any) -> Value:
        """The same numbers after every letter."""
        row = numbers(entries).reshape(1, -1)
        return Value(self.program.add("letter", numbers=[np.repeat(row, len(self.last), axis=0)]), row.shape[1])

    def cat(self, *values: Value) -> Value:
        return Value(self.program.add("cat", *(v.number for v in values)), sum(v.size for v in values))

    def part(self, value: Value, first: int, size: int) -> Value:
        if (first, size) == (0, value.size):
            return value
        return Value(self.program.add("part", value.number, numbers=[np.arange(first, first + size)]), size)

    def state(self, initial: np.ndarray) -> tuple[Value, int]:
        """A new part of the state, as it is before the letter, and its number for :meth:`becomes`."""
        first = sum(map(len, self.initial))
        self.initial.append(np.asarray(initial, dtype=np.float64))
        # its size is known when all is read
        number = self.program.add("part", self.program.add("state"), numbers=[np.arange(first, first + len(initial))])
        self.slots.append((first, -1))
        return Value(number, len(initial)), len(self.slots) - 1

    def becomes(self, slot: int, value: Value) -> None:
        self.slots[slot] = self.slots[slot][0], value.number

    def finished(self, scores: Value, dtype: str) -> Program:
        """The whole program. Raises :class:`NotRead` without a state."""
        if not self.slots:
            raise NotRead("expected a recurrent layer, got none")
        program = self.program
        program.initial = np.concatenate(self.initial)
        program.after = self.slots[0][1] if len(self.slots) == 1 else program.add("cat", *(number for _, number in self.slots))
        program.scores, program.says = scores.number, ", ".join(self.parts)
        # numbers that float64 computed are taken in float64
        program.dtype = "float64" if program.taken else dtype
        return program

    # -- modules ------------------------------------------------------------------------------------------------------------

    def module(self, module: nn.Module, value: Value | Tokens) -> Value | tuple[Value, ...]:
        """What a module makes of a value; a recurrent one gives its outputs and no more."""
        name = type(module).__name__
        if isinstance(module, nn.Embedding):
            if not isinstance(value, Tokens) or module.max_norm is not None:
                raise NotRead("expected an embedding of letters without max_norm")
            self.parts.append(name)
            return self.letter(module.weight)
        if isinstance(value, Tokens):
            raise NotRead(f"expected numbers for {name}, got letters")
        for reader in self.readers:
            found = reader(self, module, value)
            if found is not None:
                self.parts.append(name)
                return found
        if isinstance(module, RECURRENT):
            self.parts.append(f"{name} ({module.nonlinearity})" if isinstance(module, nn.RNN | nn.RNNCell) else name)
            return recurrent(self, module, value)
        if type(module) is nn.Linear:
            self.parts.append(name)
            return self.linear(value, module.weight, module.bias)
        if type(module) in ELEMENTWISE:
            if isinstance(module, nn.GELU) and module.approximate != "none":
                raise NotRead("expected GELU without approximation, got another")
            kind = ELEMENTWISE[type(module)]
            if kind:
                self.parts.append(name)
            return self.entrywise(kind, value) if kind else value
        if isinstance(module, nn.LayerNorm | nn.RMSNorm):
            return self.norm(module, value)
        if isinstance(module, nn.Sequential):
            found: Any = value
            for inner in module:
                found = self.module(inner, found)
            return found
        raise NotRead(f"expected modules that can be read, got {name}")

    def norm(self, module: nn.LayerNorm | nn.RMSNorm, value: Value) -> Value:
        if tuple(module.normalized_shape) != (value.size,):
            raise NotRead(f"expected a norm of {value.size} entries, got one of {tuple(module.normalized_shape)}")
        weight: Any = torch.ones(value.size) if module.weight is None else module.weight
        self.parts.append(type(module).__name__)
        if isinstance(module, nn.RMSNorm):
            eps = torch.finfo(weight.dtype).eps if module.eps is None else module.eps
            return Value(self.program.add("rms norm", value.number, numbers=[numbers(weight), np.array([eps])]), value.size)
        bias = torch.zeros(value.size) if module.bias is None else module.bias
        return Value(
            self.program.add("layer norm", value.number, numbers=[numbers(weight), numbers(bias), np.array([module.eps])]), value.size
        )


def for_letters(program: Program, known: Sequence[int], tokens: Sequence[int], begin: Sequence[int]) -> Program:
    """A program on the tokens ``known`` as one on letters: letter x is ``tokens[x]``, and every word begins with ``begin``."""
    at, lead = 0, []
    for t in begin:
        at, z = program.front[at][known.index(t)]
        lead.append(z)
    nodes, front = {at: 0}, []
    waiting = [at]
    for node in waiting:
        row = []
        for t in tokens:
            there, z = program.front[node][known.index(t)]
            if there not in nodes:
                nodes[there] = len(nodes)
                waiting.append(there)
            row.append((nodes[there], z))
        front.append(row)
    program.letters, program.lead, program.front = len(tokens), tuple(lead), front
    return program


def numbers(x: Any) -> np.ndarray:
    """A tensor in float64. Raises ``ValueError`` for what is not finite."""
    found = x.detach().double().numpy() if isinstance(x, torch.Tensor) else np.asarray(x, dtype=np.float64)
    if not np.isfinite(found).all():
        raise ValueError("expected finite weights, got nan or inf")
    return found


def recurrent(builder: Builder, module: Any, value: Value) -> Value:
    """A recurrent layer or cell of PyTorch, all its layers, from the state 0."""
    if getattr(module, "bidirectional", False) or getattr(module, "proj_size", 0):
        raise NotRead(f"expected a {type(module).__name__} in one direction without projections, got another")
    cell = isinstance(module, nn.RNNCell | nn.GRUCell | nn.LSTMCell)
    for k in range(1 if cell else module.num_layers):
        weights = [getattr(module, f"{name}{'' if cell else f'_l{k}'}", None) for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")]
        value = (
            _elman(builder, weights, module.nonlinearity, value)
            if isinstance(module, nn.RNN | nn.RNNCell)
            else _gru(builder, weights, value)
            if isinstance(module, nn.GRU | nn.GRUCell)
            else _lstm(builder, weights, value)
        )
    return value


def _elman(builder: Builder, weights: list[Any], nonlinearity: str, x: Value) -> Value:
    """h' = s(W x + U h + b + c), s a ReLU or tanh."""
    W, U, b, c = weights
    h, slot = builder.state(np.zeros(len(U)))
    # one sum: the library may take its terms in any order
    after = builder.entrywise(nonlinearity, builder.linear(builder.cat(x, h), torch.cat([W, U], dim=1), b, c))
    builder.becomes(slot, after)
    return after


def _gru(builder: Builder, weights: list[Any], x: Value) -> Value:
    """h' = (1 - z) n + z h with n = tanh(W x + b + r (U h + c)), r and z sigmoids."""
    W, U, b, c = weights
    n = U.shape[1]
    h, slot = builder.state(np.zeros(n))
    both = torch.cat([W, U], dim=1)
    bias = (None if b is None else b[: 2 * n]), (None if c is None else c[: 2 * n])
    gates = builder.entrywise("sigmoid", builder.linear(builder.cat(x, h), both[: 2 * n], *bias))
    r, z = builder.part(gates, 0, n), builder.part(gates, n, n)
    inner = builder.linear(h, U[2 * n :], None if c is None else c[2 * n :])
    outer = builder.linear(x, W[2 * n :], None if b is None else b[2 * n :])
    new = builder.entrywise("tanh", builder.entrywise("add", outer, builder.entrywise("mul", r, inner)))
    after = builder.entrywise("mix", z, h, new)
    builder.becomes(slot, after)
    return after


def _lstm(builder: Builder, weights: list[Any], x: Value) -> Value:
    """c' = f c + i g, h' = o tanh(c'), with gates i, f, g, o."""
    W, U, b, c = weights
    n = U.shape[1]
    h, slot = builder.state(np.zeros(n))
    memory, second = builder.state(np.zeros(n))
    gates = builder.linear(builder.cat(x, h), torch.cat([W, U], dim=1), b, c)
    i, f, o = (builder.entrywise("sigmoid", builder.part(gates, j * n, n)) for j in (0, 1, 3))
    g = builder.entrywise("tanh", builder.part(gates, 2 * n, n))
    cell = builder.entrywise("add", builder.entrywise("mul", f, memory), builder.entrywise("mul", i, g))
    after = builder.entrywise("mul", o, builder.entrywise("tanh", cell))
    builder.becomes(slot, after)
    builder.becomes(second, cell)
    return after
