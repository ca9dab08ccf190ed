"""Layers of flash-linear-attention whose kernel has no contract, as black boxes: the recurrent part of their cache is the state."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any
from unittest.mock import patch

import torch
from torch.nn import functional as F

from ..kernels.interpreter import patched
from .held import device
from .steps import WINDOW, Refused

#: what a cache keeps that is the state, and what it keeps of the last tokens
RECURRENT, CONVOLVED = "recurrent_state", "conv_state"

#: layers whose code for one token is PyTorch on a processor: it can be traced
FALLBACKS = {
    "Mamba": "the plain PyTorch fallback was run, not the fused kernel",
    "Mamba2": "the plain PyTorch fallback was run, not the fused kernel",
}

#: activations that the library computes by small kernels, in PyTorch
ACTIVATIONS = {"silu": F.silu, "swish": F.silu, "relu": F.relu}

#: a way to a tensor in what a layer caches: keys and places
Path = tuple[str | int, ...]


class Cached(torch.nn.Module):
    """One token of a layer, from a cache whose recurrent part is the state and whose rest the tokens before have left.

    The input is a window of tokens (window, hidden); the step is that of the last token.

    Attributes:
        shape: The shape of a state: all recurrent tensors in one row.
        window: How many tokens the layer is shown.
        names: The recurrent tensors and their shapes, in that row.

    Raises :class:`~.steps.Refused` for a layer that does not run here, whose cache grows, or that keeps nothing.
    """

    def __init__(self, layer: torch.nn.Module, hidden: int) -> None:
        super().__init__()
        self.layer, self.hidden, self.batches = layer.eval(), hidden, {}
        self.window = max([WINDOW, *(m.kernel_size[0] for m in layer.modules() if isinstance(m, torch.nn.Conv1d))])
        tokens = torch.randn(2, self.window + 1, hidden, generator=torch.Generator().manual_seed(0)).to(next(layer.parameters()).dtype)
        try:
            known = dict(_leaves(self._after(tokens[:1, :-1])))
            longer, two = dict(_leaves(self._after(tokens[:1]))), dict(_leaves(self._after(tokens[:, :-1])))
        except Exception as why:
            said = str(why).strip().splitlines() or [""]
            raise Refused(f"expected a layer that runs here, got {type(why).__name__} from {type(layer).__name__}: {said[0]}") from why
        grown = sorted({str(path[0]) for path in longer if path not in known or longer[path].shape != known[path].shape})
        if grown:
            raise Refused(
                f"expected a state of fixed size, got one that grows: {', '.join(grown)} of {type(layer).__name__} has an entry for each token"
            )
        self.names = {path: tuple(t.shape) for path, t in known.items() if path[0] == RECURRENT and t.is_floating_point()}
        if not self.names:
            raise Refused(
                f"expected a layer that keeps a recurrent state, got {type(layer).__name__}, which keeps {sorted(map(str, known))}"
            )
        # the axis of sequences is the one that two of them double
        self.batches = {path: _doubled(tuple(t.shape), tuple(two[path].shape)) for path, t in known.items()}
        self.axes = {path: axis for path, axis in self.batches.items() if path in self.names and axis is not None}
        if len(self.axes) < len(self.names):
            raise Refused(f"expected a state for each sequence, got {type(layer).__name__}, which folds sequences into one")
        self.shape = (sum(known[path].numel() for path in self.names),)

    def forward(self, state: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        """The state (size,) after the last token; or states (count, size) from many."""
        return self._from_many(state, x) if state.ndim == 2 else self._from_many(state[None], x)[0]

    def _from_many(self, states: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        before, count, at = self._after(x[None, :-1]), len(states), 0
        found: dict[Path, torch.Tensor] = {}
        for path, tensor in _leaves(before):
            axis = self.batches[path]
            if path in self.names:
                rest = [n for i, n in enumerate(tensor.shape) if i != axis]
                found[path] = states[:, at : at + tensor.numel()].reshape(count, *rest).movedim(0, self.axes[path]).contiguous()
                at += tensor.numel()
            else:
                found[path] = (
                    tensor if axis is None else tensor.expand(*(count if i == axis else -1 for i in range(tensor.ndim))).contiguous()
                )
        after = dict(_leaves(self._after(x[None, -1:].expand(count, -1, -1).contiguous(), _replaced(before, found))))
        return torch.cat([after[path].movedim(self.axes[path], 0).reshape(count, -1) for path in self.names], dim=1)

    def _after(self, tokens: torch.Tensor, start: dict[str, Any] | None = None) -> dict[str, Any]:
        """What the layer's cache keeps after tokens (batch, count, hidden), from an empty cache or from what one kept."""
        library: Any = importlib.import_module("fla.models.utils")
        cache = library.Cache()
        if start is not None:
            kept = {name: value for name, value in start.items() if value is not None}
            cache.update(layer_idx=0, offset=self.window - 1, **kept)
        plain = type(self.layer).__name__ in FALLBACKS or device() != "cpu"
        convolution = importlib.import_module("fla.modules").ShortConvolution
        with torch.no_grad(), patch.object(convolution, "forward", _convolved), nullcontext() if plain else patched():
            self.layer(tokens, past_key_values=cache, use_cache=True)
        return cache.layers[0].state


def _convolved(
    self: Any, x: torch.Tensor, residual: Any = None, mask: Any = None, cache: Any = None, **_: Any
) -> tuple[torch.Tensor, torch.Tensor]:
    """A causal convolution, channel by channel, from the last tokens that a cache (batch, channels, width) holds; in PyTorch, for speed."""
    width = self.kernel_size[0]
    before = x.new_zeros(len(x), x.shape[-1], width) if cache is None else cache
    tokens = torch.cat([before, x.transpose(1, 2)], dim=-1)
    y = F.conv1d(tokens[..., 1:], self.weight, self.bias, groups=x.shape[-1]).transpose(1, 2)
    return (F.silu(y) if self.activation else y), tokens[..., -width:]


def in_torch(layer: torch.nn.Module) -> torch.nn.Module:
    """A layer with a fallback whose activation is PyTorch's, and whose norm, which only its output passes, is left out.

    Raises :class:`~.steps.Refused` for another activation.
    """
    name = getattr(layer, "activation", None)
    if name not in ACTIVATIONS:
        raise Refused(f"expected an activation among {', '.join(ACTIVATIONS)}, got {name} in {type(layer).__name__}")
    plain: Any = layer
    plain.act = ACTIVATIONS[name]
    if hasattr(plain, "norm"):
        plain.norm = Ungated()
    return layer


class Ungated(torch.nn.Module):
    """The first of two numbers."""

    def forward(self, x: torch.Tensor, gate: torch.Tensor) -> torch.Tensor:
        return x


def _leaves(tree: Any, path: Path = ()) -> Iterator[tuple[Path, torch.Tensor]]:
    """The tensors of nested dictionaries and sequences."""
    if isinstance(tree, torch.Tensor):
        yield path, tree
    elif isinstance(tree, dict | list | tuple):
        for key, value in tree.items() if isinstance(tree, dict) else enumerate(tree):
            yield from _leaves(value, (*path, key))


def _replaced(tree: Any, found: dict[Path, torch.Tensor], path: Path = ()) -> Any:
    """The same nesting with other tensors."""
    if isinstance(tree, torch.Tensor):
        return found[path]
    if isinstance(tree, dict):
        return {key: _replaced(value, found, (*path, key)) for key, value in tree.items()}
    if isinstance(tree, list | tuple):
        return type(tree)(_replaced(value, found, (*path, i)) for i, value in enumerate(tree))
    return tree


def _doubled(one: tuple[int, ...], two: tuple[int, ...]) -> int | None:
    return next((i for i, (m, n) in enumerate(zip(one, two, strict=True)) if n == 2 * m != m), None)
