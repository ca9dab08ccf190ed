"""Recurrent layers of transformers as steps: their own code in PyTorch for one token, with what they keep between tokens as the state."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from math import prod
from typing import Any
from unittest.mock import patch

import torch
from torch.overrides import TorchFunctionMode

from .flash import earlier_tokens, step_of_layer
from .steps import SHIFT, SHORT, WINDOW, Refused, Step, step_of

Tensors = tuple[torch.Tensor, ...]

#: the most numbers in a state that is probed: a transition has the square of them
LARGEST = 1024


@dataclass(frozen=True)
class Kept:
    """What a layer keeps between tokens, a batch first.

    Attributes:
        state: Its recurrent tensors.
        tokens: What it keeps of the last tokens, for a convolution or a shift.
    """

    state: Tensors
    tokens: Tensors


class Memory:
    """In place of the library's cache: what one layer keeps, and no more.

    Attributes:
        conv: The last tokens of each channel, or None.
        state: The recurrent state, or None.
    """

    def __init__(self, conv: torch.Tensor | None = None, state: torch.Tensor | None = None) -> None:
        self.conv, self.state = conv, state

    def get_conv_state(self, *_: Any, **__: Any) -> torch.Tensor | None:
        return self.conv

    def get_recurrent_state(self, *_: Any, **__: Any) -> torch.Tensor | None:
        return self.state

    def update_conv_state(self, tokens: torch.Tensor, *_: Any, conv_kernel_size: int | None = None, **__: Any) -> torch.Tensor:
        width = tokens.shape[-1] if conv_kernel_size is None else conv_kernel_size
        first = self.conv is None
        whole = torch.cat((tokens.new_zeros(*tokens.shape[:-1], width) if self.conv is None else self.conv, tokens), dim=-1)
        self.conv = whole[..., -width:].clone()
        # at the start as many zeros before them as fill the width
        return whole[..., -max(width, tokens.shape[-1]) :] if first else whole

    def update_recurrent_state(self, state: torch.Tensor, *_: Any, **__: Any) -> torch.Tensor:
        self.state = state
        return state

    def is_recording_past(self, *_: Any) -> bool:
        return False

    def has_previous_state(self, *_: Any, **__: Any) -> bool:
        return self.conv is not None or self.state is not None

    def get_linear_cache(self, *_: Any) -> torch.Tensor | None:
        return self.state

    def set_linear_cache(self, _: int, state: torch.Tensor) -> None:
        self.state = state


#: a layer and its memory, tokens (batch, 1, hidden) and what is kept, to what is kept next; None at the start
After = Callable[[Any, torch.Tensor, Kept | None], Kept]


def _after_cached(layer: Any, tokens: torch.Tensor, kept: Kept | None) -> Kept:
    """A layer that is given a cache."""
    # a layer may write to what it is given
    memory = Memory(*(next((t.clone() for t in part), None) for part in ((kept.tokens, kept.state) if kept else ((), ()))))
    known = inspect.signature(layer.forward).parameters
    cache = next(name for name in ("cache_params", "past_key_values", "past_key_value") if name in known)
    rest = {
        name: None
        for name, p in list(known.items())[1:]
        if p.default is inspect.Parameter.empty and p.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
    }
    layer(tokens, **rest | {cache: memory})
    return Kept(() if memory.state is None else (memory.state,), () if memory.conv is None else (memory.conv,))


def _after_attributes(layer: Any, tokens: torch.Tensor, kept: Kept | None) -> Kept:
    """A recurrent block of RecurrentGemma, which keeps its state in attributes."""
    batch, width = len(tokens), layer.lru_width
    if kept is None:
        kept = Kept((tokens.new_zeros(batch, width),), (tokens.new_zeros(batch, layer.hidden_size, layer.conv1d_width - 1),))
    (layer.rg_lru.recurrent_states,), (layer.conv1d_state,) = kept.state, kept.tokens
    try:
        # not position 0, at which the state is forgotten
        layer(tokens, torch.ones(batch, 1, dtype=torch.long), None)
        return Kept((layer.rg_lru.recurrent_states,), (layer.conv1d_state,))
    finally:
        layer.rg_lru.recurrent_states = layer.conv1d_state = None


def _after_triple(layer: Any, tokens: torch.Tensor, kept: Kept | None) -> Kept:
    """An xLSTM layer, which is given and returns its state."""
    return Kept(tuple(layer(tokens, kept.state if kept else None)[1]), ())


def _after_lists(layer: Any, tokens: torch.Tensor, kept: Kept | None) -> Kept:
    """The attention of RWKV-4, which is given the states of all layers: of tokens, and a sum, its weights and their stabiliser."""
    batch, width = len(tokens), layer.attention_hidden_size
    if kept is None:
        kept = Kept(tuple(tokens.new_full((batch, width), x) for x in (0, 0, -1e38)), (torch.zeros_like(tokens[:, 0]),))
    columns = [Column(t) for t in (kept.tokens[0], *kept.tokens, *kept.state)]
    layer(tokens, state=columns, use_cache=True)
    _, token, *state = (c.value for c in columns)
    return Kept(tuple(state), (token,))


class Column:
    """In place of a tensor with a column for each layer: the one of this layer."""

    def __init__(self, value: torch.Tensor) -> None:
        self.value = value

    def __getitem__(self, _: Any) -> torch.Tensor:
        return self.value

    def __setitem__(self, _: Any, value: torch.Tensor) -> None:
        self.value = value


#: layers that are given no cache, by their class
OTHERS: dict[str, tuple[After, str]] = {
    "RecurrentGemmaRecurrentBlock": (_after_attributes, SHORT),
    "xLSTMLayer": (_after_triple, ""),
    "RwkvSelfAttention": (_after_lists, SHIFT),
}

#: the argument by which a layer is given a cache
CACHES = ("cache_params", "past_key_values", "past_key_value")


def is_recurrent(module: torch.nn.Module) -> bool:
    """Whether a module keeps a state or its last tokens, as far as its code tells."""
    if type(module).__name__ in OTHERS:
        return True
    return _is_given_a_cache(module) and any(
        f"{read}(" in _code(module) for read in ("get_recurrent_state", "get_linear_cache", "get_conv_state")
    )


def attends(module: torch.nn.Module) -> bool:
    """Whether a module keeps keys and values of all tokens, as far as its code tells."""
    return _is_given_a_cache(module) and any(f"{cache}.update(" in _code(module) for cache in CACHES)


def _is_given_a_cache(module: torch.nn.Module) -> bool:
    return hasattr(module, "layer_idx") and any(name in inspect.signature(module.forward).parameters for name in CACHES)


def _code(module: torch.nn.Module) -> str:
    return inspect.getsource(inspect.unwrap(type(module).forward))


class Wide(TorchFunctionMode):
    """Casts to float32 are left out: layers cast gates to it whatever they compute in."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if func is torch.Tensor.float and args[0].dtype == torch.float64:
            return args[0]
        if func in (torch.Tensor.to, torch.Tensor.type) and args[0].dtype == torch.float64:
            args = tuple(torch.float64 if a is torch.float32 else a for a in args)
            kwargs = {k: torch.float64 if v is torch.float32 else v for k, v in kwargs.items()}
        return func(*args, **kwargs)


class _Unsaved:
    """What a function with a derivative of its own would save for it."""

    def save_for_backward(self, *_: Any) -> None:
        """Nothing is derived."""


@contextmanager
def in_pytorch(module: str) -> Iterator[None]:
    """Functions of a module of transformers, for which the library takes another library's kernels where it finds them, are those in PyTorch."""
    there = vars(import_module(module))
    with ExitStack() as undo:
        for name, function in list(there.items()):
            code = getattr(function, "__code__", None)
            if code is not None and "__wrapped__" in vars(function) and code.co_filename.endswith("hub_kernels.py"):
                undo.enter_context(patch.dict(there, {name: inspect.unwrap(function)}))
            elif isinstance(function, type) and issubclass(function, torch.autograd.Function) and not torch.is_grad_enabled():
                undo.enter_context(patch.object(function, "apply", partial(function.forward, _Unsaved())))
        yield


class Mixer(torch.nn.Module):
    """One token of a recurrent layer of transformers, from a state and from what the tokens before have left.

    The input is a window of tokens (window, hidden); the step is that of the last token.

    Attributes:
        shape: The shape of a state: all recurrent tensors in one row.
        window: How many tokens the layer is shown.

    Raises :class:`~.steps.Refused` for a layer that attends, that keeps no state, or that does not run here.
    """

    def __init__(self, layer: torch.nn.Module, hidden: int) -> None:
        super().__init__()
        if attends(layer):
            raise Refused(
                f"expected a state of fixed size, got one that grows: keys and values of {type(layer).__name__} have an entry for each token"
            )
        self.layer, self.hidden = layer.eval(), hidden
        self.window = max([WINDOW, *(m.kernel_size[0] for m in layer.modules() if isinstance(m, torch.nn.Conv1d))])
        self.after, self.mixer = OTHERS.get(type(layer).__name__, (_after_cached, SHORT))
        tokens = torch.zeros(1, 1, hidden, dtype=next(layer.parameters()).dtype)
        try:
            kept = self._after(tokens, None)
        except Refused:
            raise
        except Exception as why:
            said = str(why).strip().splitlines() or [""]
            raise Refused(f"expected a layer that runs here, got {type(why).__name__} from {type(layer).__name__}: {said[0]}") from why
        if not kept.state:
            raise Refused(f"expected a layer with a recurrent state, got {type(layer).__name__}, which keeps its last tokens alone")
        self.states, self.tokens = (tuple(tuple(t.shape[1:]) for t in part) for part in (kept.state, kept.tokens))
        self.shape = (sum(map(prod, self.states)),)
        if self.shape[0] > LARGEST:
            raise Refused(
                f"expected a state of at most {LARGEST} numbers, got {self.shape[0]} in {type(layer).__name__}: probe the layer in a smaller size"
            )

    def forward(self, state: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        """The state (size,) after the last token; or states (count, size) from many."""
        many = state if state.ndim == 2 else state[None]
        kept = Kept(*(tuple(x.new_zeros(1, *shape) for shape in part) for part in (self.states, self.tokens)))
        for token in x[:-1]:
            kept = self._after(token[None, None], kept)
        parts = many.split([prod(shape) for shape in self.states], dim=1)
        given = tuple(part.reshape(len(many), *shape) for part, shape in zip(parts, self.states, strict=True))
        tokens = tuple(t.expand(len(many), *t.shape[1:]) for t in kept.tokens)
        after = self._after(x[-1:].expand(len(many), 1, -1), Kept(given, tokens)).state
        row = torch.cat([t.reshape(len(many), -1) for t in after], dim=1)
        return row if state.ndim == 2 else row[0]

    def _after(self, tokens: torch.Tensor, kept: Kept | None) -> Kept:
        # a layer may write to what gradients need
        saved = torch.autograd.graph.saved_tensors_hooks(torch.clone, lambda t: t) if torch.is_grad_enabled() else nullcontext()
        with saved, Wide(), in_pytorch(type(self.layer).__module__):
            return self.after(self.layer, tokens, kept)


def step_of_mixer(layer: torch.nn.Module, hidden: int, dtype: torch.dtype, name: str) -> Step:
    """The step of a recurrent layer of transformers, by its own code in PyTorch.

    Raises :class:`~.steps.Refused` for a layer that attends, that keeps no state or a large one, or that does not run here.
    """
    whole = Mixer(copy.deepcopy(layer).to(dtype), hidden)
    step = step_of(whole, whole.shape, (whole.window, hidden), dtype, name)
    module: Any = step.module
    mixers = (whole.mixer,) if whole.tokens else ()
    return replace(
        step,
        held="the layer's code in PyTorch was run, not a fused kernel",
        earlier=earlier_tokens(step, whole.window, mixers),
        many=lambda weights, states, x: torch.func.functional_call(module, weights, (states, x)),
    )


def step_of_library(layer: torch.nn.Module, hidden: int, dtype: torch.dtype, name: str) -> Step:
    """The step of a layer of transformers or of flash-linear-attention.

    Raises :class:`~.steps.Refused` for a layer of another library, and as the two do.
    """
    is_hub = type(layer).__module__.startswith("transformers.")
    return (step_of_mixer if is_hub else step_of_layer)(layer, hidden, dtype, name)
