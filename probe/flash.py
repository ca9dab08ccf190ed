"""Layers of flash-linear-attention as steps: their own code up to the fused kernel, in whose place its contract stands."""

from __future__ import annotations

import copy
import importlib
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import torch
from torch.nn import functional as F

from .cached import CONVOLVED, FALLBACKS, Cached, in_torch
from .contracts import CONTRACTS, Arguments, Contract, arguments_at, channel_gate, unit
from .held import device, how_held
from .steps import ROTARY, SHIFT, SHORT, WINDOW, Earlier, Refused, Step, step_of


class NoContract(Refused):
    """A layer calls no kernel with a contract."""


class _Stopped(Exception):
    """The kernel was called: what comes after it does not matter."""


class Contracted(torch.nn.Module):
    """The step of a layer of flash-linear-attention, by its code before the kernel and the kernel's contract.

    The state is one column (heads, key) of each head's matrix: all columns have the same transition.
    The input is a window of tokens (window, hidden); the step is that of the last token.

    Attributes:
        contract: The contract of the kernel that the layer calls.
        kernel: The kernel's name.
        hidden: How many numbers a token has.
        shape: The shape of a state.
        window: How many tokens the layer is shown.
        factors: How many micro-steps a token has.
        only: The micro-step that is taken alone, or None for all.

    Raises :class:`~.steps.Refused` for a layer that calls no kernel with a contract.
    """

    def __init__(self, layer: torch.nn.Module, hidden: int, only: int | None = None) -> None:
        super().__init__()
        module = importlib.import_module(type(layer).__module__)
        if not any(hasattr(module, name) for c in CONTRACTS for name in c.kernels):
            raise NoContract(f"expected a layer that calls a kernel with a contract, got {type(layer).__name__}, which calls none")
        self.layer, self.only, self.hidden = layer.eval(), only, hidden
        self.window = max([WINDOW, *(m.kernel_size[0] for m in layer.modules() if isinstance(m, torch.nn.Conv1d))])
        self.contract, self.kernel, arguments, self.mixers = self.called(
            torch.zeros(1, self.window, hidden, dtype=next(layer.parameters()).dtype)
        )
        steps = arguments[self.contract.shape].shape[1]
        shape = tuple(arguments_at(arguments, 0, steps)[self.contract.shape].shape)
        self.shape, self.factors = (2, *shape) if self.contract.driven else shape, steps // self.window

    def forward(self, state: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        _, _, arguments, _ = self.called(x[None])
        steps = self.window * self.factors
        for t in range(steps - self.factors, steps):
            if self.only in (None, t - steps + self.factors):
                state = self.contract.rule(state, arguments_at(arguments, t, steps))
        return state

    def called(self, x: torch.Tensor) -> tuple[Contract, str, Arguments, tuple[str, ...]]:
        """The contract of the kernel that the layer calls, its name, its arguments, and what mixed tokens before."""
        calls: list[tuple[Contract, str, Arguments]] = []
        mixers: list[str] = []

        def caught(contract: Contract, name: str) -> Callable[..., Any]:
            def kernel(**arguments: Any) -> Any:
                calls.append((contract, name, arguments))
                raise _Stopped

            return kernel

        with _replaced(self.layer, caught, mixers.append), torch.no_grad():
            try:
                self.layer(x)
            except _Stopped:
                contract, name, arguments = calls[0]
                if arguments.get("cu_seqlens") is not None:
                    raise NoContract(
                        f"expected a kernel that is given texts one by one, got packed ones: {type(self.layer).__name__}"
                    ) from None
                return contract, name, arguments, tuple(dict.fromkeys(mixers))
            except RuntimeError as why:
                said = str(why).splitlines()[0]
                raise NoContract(f"expected a layer in PyTorch up to its kernel, got {said}: {type(self.layer).__name__}") from why
        raise NoContract(f"expected a layer that calls a kernel with a contract, got {type(self.layer).__name__}, which calls none")


def step_of_layer(layer: torch.nn.Module, hidden: int, dtype: torch.dtype, name: str) -> Step:
    """The step of a layer by the contract of its kernel, with its micro-steps, and what earlier tokens do; without a contract, as a black box.

    Raises :class:`~.steps.Refused` for a layer of another library, or one that calls no kernel with a contract and cannot be run here.
    """
    if not type(layer).__module__.startswith("fla."):
        raise Refused(f"expected a layer of flash-linear-attention, got {type(layer).__name__}: use probe_step for a step")
    if type(layer).__name__ in FALLBACKS:
        return _step_of_cache(layer, hidden, dtype, name)
    try:
        whole = Contracted(copy.deepcopy(layer).to(dtype), hidden)
    except NoContract:
        if device() is None:
            raise
        # kernels compute in float32
        return _step_of_cache(layer, hidden, torch.float32, name)
    layer = whole.layer
    shape = (whole.window, hidden)
    step = step_of(whole, whole.shape, shape, dtype, name)
    micro = range(whole.factors if whole.factors > 1 else 0)
    factors = tuple(step_of(Contracted(layer, hidden, j), whole.shape, shape, dtype, f"{name}, micro-step {j + 1}") for j in micro)
    return replace(
        step,
        contract=whole.contract.says,
        held=how_held(whole, name),
        earlier=earlier_tokens(step, whole.window, whole.mixers),
        factors=factors,
    )


def _step_of_cache(layer: torch.nn.Module, hidden: int, dtype: torch.dtype, name: str) -> Step:
    """The step of a layer's own code for one token, in which PyTorch traces a fallback and no kernel."""
    fallback = FALLBACKS.get(type(layer).__name__)
    layer = copy.deepcopy(layer).to(dtype)
    whole = Cached(layer if fallback is None else in_torch(layer), hidden)
    step = step_of(whole, whole.shape, (whole.window, hidden), dtype, name)
    module: Any = step.module
    mixers = (SHORT,) if any(path[0] == CONVOLVED for path in whole.batches) else ()
    step = replace(
        step,
        held=fallback or "the layer's own kernel was run",
        is_black_box=fallback is None,
        earlier=earlier_tokens(step, whole.window, mixers),
    )
    if fallback is None:
        step = replace(step, many=lambda weights, states, x: torch.func.functional_call(module, weights, (states, x)))
    return step


def earlier_tokens(step: Step, window: int, mixers: tuple[str, ...]) -> tuple[Earlier, ...]:
    """Which earlier tokens change the step, on draws of inputs at random weights, and what mixes them."""
    generator = torch.Generator().manual_seed(5)
    weights, x = step.drawn_weights(generator, 0.3), step.draw(generator)
    state = torch.randn(step.size, generator=generator, dtype=torch.float64).to(step.dtype)
    after = step(weights, state, x)
    seen = []
    for back in range(1, window):
        other = x.clone()
        other[-1 - back] = torch.randn(x.shape[1:], generator=generator, dtype=torch.float64).to(x.dtype)
        if not torch.equal(step(weights, state, other), after):
            seen.append(back)
    turned = (Earlier(0, (ROTARY,)),) if ROTARY in mixers else ()
    before = (Earlier(max(seen), tuple(m for m in mixers if m != ROTARY)),) if seen else ()
    return (*before, *turned)


@contextmanager
def _replaced(
    layer: torch.nn.Module, caught: Callable[[Contract, str], Callable[..., Any]], mixed: Callable[[str], None]
) -> Iterator[None]:
    """Kernels with a contract are caught, and small fused ones before them run in PyTorch; what mixes tokens is named."""
    module = importlib.import_module(type(layer).__module__)
    there: dict[str, Any] = {name: caught(c, name) for c in CONTRACTS for name in c.kernels if hasattr(module, name)}
    there |= {name: _named(function, MIXERS.get(name), mixed) for name, function in PLAIN.items() if hasattr(module, name)}
    patches = [patch.object(module, name, function) for name, function in there.items()]
    modules: Any = importlib.import_module("fla.modules")
    patches.append(patch.object(modules.ShortConvolution, "forward", _named(_short_convolution, SHORT, mixed)))
    patches.append(patch.object(modules.RotaryEmbedding, "forward", _named(_rotated, ROTARY, mixed)))
    patches.append(patch.object(modules.RMSNorm, "forward", _normed))
    swish = importlib.import_module("fla.modules.activations").swish
    patches.append(patch.object(importlib.import_module("fla.modules.feature_map"), "swish", F.silu))
    patches += [patch.object(layer, name, F.silu) for name, value in vars(layer).items() if callable(value) and value == swish]
    try:
        for p in patches:
            p.start()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for p in reversed(patches):
            p.stop()


def _named(function: Callable[..., Any], what: str | None, mixed: Callable[[str], None]) -> Callable[..., Any]:
    """A function that says what it is before it runs, if it has a name."""
    if what is None:
        return function

    def told(*arguments: Any, **options: Any) -> Any:
        mixed(what)
        return function(*arguments, **options)

    return told


def _short_convolution(self: Any, x: torch.Tensor, *_: Any, **options: Any) -> tuple[torch.Tensor, None]:
    """A causal convolution, channel by channel."""
    return _convolved(x, self.weight.squeeze(1), self.bias, self.activation)[0], None


def _convolved(
    x: torch.Tensor, weight: torch.Tensor, bias: Any = None, activation: Any = None, **options: Any
) -> tuple[torch.Tensor, None]:
    width = weight.shape[-1]
    y = F.conv1d(x.transpose(1, 2), weight[:, None].to(x), None if bias is None else bias.to(x), padding=width - 1, groups=len(weight))
    y = y[..., : x.shape[1]].transpose(1, 2)
    return (F.silu(y) if activation else y), None


def _shifted(x: torch.Tensor, *_: Any, output_cache: bool = False, **options: Any) -> Any:
    delta = F.pad(x, (0, 0, 1, -1)) - x
    return (delta, None) if output_cache else delta


def _rotated(self: Any, q: torch.Tensor, k: torch.Tensor, *_: Any, **options: Any) -> tuple[torch.Tensor, torch.Tensor]:
    """Queries and keys from position 0 on, each pair of channels turned by its position times its frequency."""
    steps, half = q.shape[1], len(self.inv_freq)
    angles = torch.arange(steps, dtype=q.dtype)[:, None] * self.inv_freq.to(q)
    cos, sin = angles.cos()[:, None], angles.sin()[:, None]

    def turned(x: torch.Tensor) -> torch.Tensor:
        first, second, rest = x.split((half, half, x.shape[-1] - 2 * half), dim=-1)
        return torch.cat((first * cos - second * sin, second * cos + first * sin, rest), dim=-1)

    return turned(q), turned(k)


def _turned(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor, interleaved: bool = False, **_: Any) -> torch.Tensor:
    """Heads (1, tokens, heads, channels) from position 0 on, neighbouring channels in pairs, each turned by the angle of its position."""
    if not interleaved or 2 * cos.shape[-1] != x.shape[-1]:
        raise RuntimeError("an embedding that does not turn neighbouring channels in pairs")
    cos, sin = (t[: x.shape[1], None].to(x) for t in (cos, sin))
    even, odd = x[..., ::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, odd * cos + even * sin], dim=-1).flatten(-2)


def _normed(self: Any, x: torch.Tensor, *_: Any, **options: Any) -> torch.Tensor:
    """A vector divided by its root mean square, times weights."""
    y = x * torch.rsqrt(x.square().mean(-1, keepdim=True) + self.eps)
    y = y if self.weight is None else y * self.weight.to(x)
    return y if self.bias is None else y + self.bias.to(x)


#: those of the small kernels that mix tokens
MIXERS = {"causal_conv1d": SHORT, "token_shift": SHIFT, "rotary_embedding": ROTARY}

#: small fused kernels that layers call before the large one
PLAIN: dict[str, Callable[..., Any]] = {
    "causal_conv1d": lambda x, weight, bias=None, activation=None, **options: _convolved(x, weight, bias, activation),
    "token_shift": _shifted,
    "rotary_embedding": _turned,
    "fused_kda_gate": channel_gate,
    "fused_addcmul_rwkv7": lambda x, delta, *mixes: tuple(x + delta * m for m in mixes),
    "fused_k_rwkv7": lambda k, a, scale: k + k * (a - 1) * scale,
    "swish": F.silu,
    "swiglu": lambda x, y: F.silu(x) * y,
    "l2_norm": lambda x: unit(x, True),
}
