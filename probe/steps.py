"""What is probed: a step (state, input) -> state of a module or a function, and whether it is a function of these alone."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import prod
from pathlib import Path
from traceback import walk_tb
from typing import Any

import torch

from .remembered import LIBRARIES, changed, random_states, remembered, same

#: inputs: their shape, drawn from the normal distribution, or a function that draws one
Draw = Callable[[torch.Generator], torch.Tensor]

Weights = dict[str, torch.Tensor]


class Refused(ValueError):
    """The step is none that can be probed; the message says why, in one line."""


#: how many tokens a layer is shown at least, so that a short convolution or a shift sees others than the last
WINDOW = 4

#: what mixes tokens before a step
SHORT, SHIFT, ROTARY = "a short convolution", "a token shift", "a rotary embedding"

#: what keeps them in the state
DELAY = "a delay in the state"


@dataclass(frozen=True)
class Earlier:
    """What earlier tokens of the input do to a step.

    Attributes:
        back: How many tokens before the last one are read; 0 if only the position is.
        by: What reads them: of :data:`SHORT`, :data:`SHIFT`, :data:`ROTARY` and :data:`DELAY`; empty for code without a name.

    >>> str(Earlier(3, (SHORT,)))
    'the step reads a window of 4 tokens, by a short convolution'
    """

    back: int
    by: tuple[str, ...] = ()

    def __str__(self) -> str:
        by = " and ".join(self.by) or "code without a name"
        if not self.back:
            return f"keys turn with the position, by {by}"
        return f"the step reads a window of {self.back + 1} tokens, by {by}"


@dataclass(frozen=True)
class Step:
    """A step of a layer: ``(weights, state, input) -> state`` on flat states.

    Attributes:
        name: What it is called in reports.
        shape: The shape of a state.
        weights: The weights as they are, by name; none of a function.
        draw: Draws an input.
        dtype: The format that it computes in.
        module: The module that was given, or None.
        contract: What a fused kernel is taken to compute, where the step stands for one; else empty.
        held: How the kernel is known to keep its contract.
        earlier: What earlier tokens of the input do to the step.
        is_black_box: Whether PyTorch cannot trace the step, as a fused kernel is in it.
        many: The step from many flat states (count, size) at once, where the layer has such a form.
        factors: The micro-steps whose composition the step is, where a token has several.
    """

    name: str
    shape: tuple[int, ...]
    weights: Weights
    draw: Draw
    dtype: torch.dtype
    module: torch.nn.Module | None
    call: Callable[[Weights, torch.Tensor, Any], torch.Tensor] = field(repr=False)
    contract: str = ""
    held: str = ""
    earlier: tuple[Earlier, ...] = ()
    is_black_box: bool = False
    many: Callable[[Weights, torch.Tensor, Any], torch.Tensor] | None = field(default=None, repr=False)
    factors: tuple[Step, ...] = field(default=(), repr=False)

    @property
    def size(self) -> int:
        """How many numbers a state holds."""
        return prod(self.shape)

    def __call__(self, weights: Weights, state: torch.Tensor, x: Any) -> torch.Tensor:
        """The flat state (size,) after an input."""
        # copies: a step may write to what it is given
        after = self.call(weights, state.reshape(self.shape).clone(), x.clone() if isinstance(x, torch.Tensor) else x)
        if not isinstance(after, torch.Tensor) or after.numel() != self.size:
            got = tuple(after.shape) if isinstance(after, torch.Tensor) else type(after).__name__
            raise Refused(f"expected a step that returns a state of shape {self.shape}, got {got}")
        return after.reshape(-1)

    def drawn_weights(self, generator: torch.Generator, scale: float = 1.0) -> Weights:
        """Other weights: normal, of a scale; those of whole numbers stay."""
        return {
            name: torch.randn(w.shape, generator=generator, dtype=torch.float64).to(w.dtype) * scale if w.is_floating_point() else w
            for name, w in self.weights.items()
        }


@dataclass(frozen=True)
class OfModule:
    """What a module makes of weights, a state and an input."""

    module: torch.nn.Module

    def __call__(self, weights: Weights, state: torch.Tensor, x: Any) -> torch.Tensor:
        return torch.func.functional_call(self.module, weights, (state, x))


@dataclass(frozen=True)
class OfFunction:
    """What a function without weights makes of a state and an input."""

    function: Callable[..., torch.Tensor]

    def __call__(self, weights: Weights, state: torch.Tensor, x: Any) -> torch.Tensor:
        return self.function(state, x)


def in_format(step: Step, dtype: torch.dtype) -> Step:
    """The step with its weights rounded to a format, and computed in it.

    Raises :class:`Refused` for a step that is a part or a change of another, or whose code does not compute in the format.
    """
    if dtype == step.dtype:
        return step
    if not isinstance(step.call, OfModule | OfFunction):
        raise Refused(f"expected a step by its own code, got a part of one: {step.name}")
    drawn = step.draw

    def draw(generator: torch.Generator) -> Any:
        x = drawn(generator)
        return x.to(dtype) if isinstance(x, torch.Tensor) and x.is_floating_point() else x

    if isinstance(step.call, OfModule):
        module = copy.deepcopy(step.call.module).to(dtype)
        weights = {name: w.to(dtype) if w.is_floating_point() else w for name, w in step.weights.items()}
        step = replace(step, module=module, weights=weights, call=OfModule(module))
    other = replace(step, dtype=dtype, draw=draw, many=None)
    if _first_run(other, torch.zeros(step.size, dtype=dtype), draw(torch.Generator().manual_seed(0))).dtype != dtype:
        raise Refused(f"expected a step that computes in {dtype}, got one that does not: {step.name}")
    return other


def step_of(
    step: torch.nn.Module | Callable[..., torch.Tensor],
    state: tuple[int, ...] | int,
    input: tuple[int, ...] | int | Draw,
    dtype: torch.dtype = torch.float64,
    name: str | None = None,
) -> Step:
    """The step of a module or a function, ``step(state, input) -> state``; a module is copied and cast. One of PyTorch's cells is called as such.

    Raises :class:`Refused` if the step keeps something between calls, draws random numbers, or branches on a value.
    """
    shape = (state,) if isinstance(state, int) else tuple(state)
    if not shape or min(shape) < 1:
        raise Refused(f"expected a state of at least one number, got the shape {shape}")
    draw = input if callable(input) else _normal((input,) if isinstance(input, int) else tuple(input), dtype)
    if isinstance(step, torch.nn.RNNCellBase):
        step, name = CellStep(step), name or type(step).__name__
    elif isinstance(step, torch.nn.RNNBase):
        step, name = SequenceStep(step), name or type(step).__name__
    if isinstance(step, torch.nn.Module):
        module = copy.deepcopy(step).to(dtype)
        weights = {n: p.detach() for n, p in module.named_parameters()}

        made = Step(name or type(step).__name__, shape, weights, draw, dtype, module, OfModule(module))
    else:
        made = Step(name or getattr(step, "__name__", "step"), shape, {}, draw, dtype, None, OfFunction(step))
    _require_a_function(made, step)
    return made


class ScanStep(torch.nn.Module):
    """The step h -> a(x) h + b(x) of coefficients x -> (a, b); a matrix a of two axes multiplies the state, unless the state has its shape."""

    def __init__(self, coefficients: Callable[..., Any]) -> None:
        super().__init__()
        self.coefficients = coefficients

    def forward(self, state: torch.Tensor, x: Any) -> torch.Tensor:
        a, b = self.coefficients(x)
        is_matrix = isinstance(a, torch.Tensor) and a.ndim == 2 and a.shape != state.shape and a.shape[0] == a.shape[1] == state.shape[0]
        return a @ state + b if is_matrix else a * state + b


class CellStep(torch.nn.Module):
    """The step of one of PyTorch's own cells; the state of an LSTM is (2, width), first h and then c."""

    def __init__(self, cell: torch.nn.RNNCellBase) -> None:
        super().__init__()
        self.cell = cell

    def forward(self, state: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        if isinstance(self.cell, torch.nn.LSTMCell):
            return torch.cat(self.cell(x[None], (state[:1], state[1:])))
        return self.cell(x[None], state[None])[0]


class SequenceStep(torch.nn.Module):
    """The step of one of PyTorch's own layers for sequences; the state is (layers, width), of an LSTM (2, layers, width), first h and then c.

    Raises :class:`Refused` for a layer that reads from both sides, and for one with projections.
    """

    def __init__(self, layer: torch.nn.RNNBase) -> None:
        super().__init__()
        if layer.bidirectional or layer.proj_size:
            raise Refused("expected a layer that reads from left to right, without projections, got another one of PyTorch's")
        self.layer = layer

    def forward(self, state: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        # one text with one token; its axes differ with batch_first, its shape does not
        if isinstance(self.layer, torch.nn.LSTM):
            return torch.stack(self.layer(x[None, None], (state[0][:, None], state[1][:, None]))[1])[:, :, 0]
        return self.layer(x[None, None], state[:, None])[1][:, 0]


class MapsStep(torch.nn.Module):
    """The step H -> A(x) H + B(x) of a layer with ``maps``, or with ``coefficients`` entry by entry: inputs (batch, T, inputs) to A, B.

    Attributes:
        shape: The shape of a state.
    """

    def __init__(self, layer: Any) -> None:
        super().__init__()
        self.layer = layer
        self.shape = tuple(layer.initial.shape)

    def forward(self, state: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        if hasattr(self.layer, "maps"):
            A, B = (m[0, 0] for m in self.layer.maps(x[None, None]))
            return A @ state + B.reshape(state.shape)
        a, b, _ = self.layer.coefficients(x[None, None])
        return a[0, 0] * state + b[0, 0]


def _normal(shape: tuple[int, ...], dtype: torch.dtype) -> Draw:
    return lambda generator: torch.randn(shape, generator=generator, dtype=torch.float64).to(dtype)


#: what code raises of shapes, names and types that it does not expect
RAISED = (RuntimeError, TypeError, ValueError, IndexError, KeyError, AttributeError, AssertionError)


def _first_run(step: Step, state: torch.Tensor, x: Any) -> torch.Tensor:
    """The state after an input. Raises :class:`Refused` with the place in the step's own code where it stopped."""
    try:
        return step(step.weights, state, x).detach()
    except Refused:
        raise
    except RAISED as why:
        said = (str(why).strip().splitlines() or [type(why).__name__])[0]
        shapes = f"a state of shape {step.shape}" + (f" and an input of shape {tuple(x.shape)}" if isinstance(x, torch.Tensor) else "")
        raise Refused(f"expected a step that runs on {shapes}, got {type(why).__name__} in {step.name}{_place(why)}: {said}") from why


def _place(why: BaseException) -> str:
    """The last line of the step's own code on the way to an exception, such as ", layers.py line 12"; empty where all of it is a library's."""
    own = [f for f, _ in walk_tb(why.__traceback__) if f.f_globals.get("__name__", "").partition(".")[0] not in LIBRARIES]
    last = [(f, line) for f, line in walk_tb(why.__traceback__) if own and f is own[-1]]
    return "".join(f", {Path(f.f_code.co_filename).name} line {line}" for f, line in last)


def _require_a_function(step: Step, given: Any) -> None:
    """Two calls on the same state and input: the same answer, and nothing else has changed."""
    generator = torch.Generator().manual_seed(0)
    state, x = torch.randn(step.size, generator=generator, dtype=torch.float64).to(step.dtype), step.draw(generator)
    # the weights of a step share their memory with the module's
    watched = step.module if step.module is not None else given
    before, drawn = remembered(watched), random_states()
    answers = []
    for _ in range(2):
        answers.append(_first_run(step, state, x))
        if not all(map(same, random_states(), drawn)):
            raise Refused(f"expected a step without random numbers, got one that draws some: {step.name} (in train mode? try eval())")
        names = changed(before, remembered(watched))
        if names:
            raise Refused(f"expected all that is kept to be in the state, got a call of {step.name} that changes {', '.join(names)}")
    if not same(*answers):
        raise Refused(f"expected the same state from two equal calls, got two states: {step.name}")
