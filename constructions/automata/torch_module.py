"""A compiled network as a PyTorch module: the same affine maps and decoders in floating point.

Needs the ``torch`` extra. The state is never snapped back to its exact value, so rounding accumulates as it would in a trained
layer; the decoder takes the nearest exact state and is right as long as the error stays below the margin.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from math import cos, pi
from typing import Any

import torch
from torch import nn

from ...numerics.exact import rational


class TorchLayer(nn.Module):
    """One layer. Buffers: ``A`` (maps, n, n), ``B`` (maps, n, d), ``initial`` (n, d), ``codes`` (maps, K, n d), ``following`` (maps, K).

    ``codes[m]`` are the exact states that the layer can be in after map m, padded with inf; ``following[m, k]`` is what the next
    layer reads then. ``margin`` is half the least distance of two codes of one map that lead to different next maps.
    """

    A: torch.Tensor
    B: torch.Tensor
    initial: torch.Tensor
    codes: torch.Tensor
    following: torch.Tensor

    def __init__(self, layer: dict[str, Any], field: int, dtype: torch.dtype):
        super().__init__()
        A = torch.tensor([_floats(m["A"], field) for m in layer["maps"]], dtype=torch.float64)
        B = torch.tensor([_floats(m["B"], field) for m in layer["maps"]], dtype=torch.float64)
        initial = torch.tensor(_floats(layer["initial"], field), dtype=torch.float64)
        entries: list[list[tuple[list[float], int]]] = [[] for _ in layer["maps"]]
        for d in layer["decoder"]:
            entries[d["map"]].append(([x for row in _floats(d["state"], field) for x in row], d["next"]))
        longest = max(map(len, entries))
        codes = torch.full((len(entries), longest, initial.numel()), float("inf"), dtype=torch.float64)
        following = torch.zeros((len(entries), longest), dtype=torch.long)
        for m, listed in enumerate(entries):
            for k, (code, y) in enumerate(listed):
                codes[m, k], following[m, k] = torch.tensor(code, dtype=torch.float64), y
        self.margin = _margin(codes, following)
        for name, value in (("A", A), ("B", B), ("initial", initial), ("codes", codes)):
            self.register_buffer(name, value.to(dtype))
        self.register_buffer("following", following)

    def forward(self, state: torch.Tensor, maps: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """(new states, what the next layer reads) for states (batch, n, d) and map indices (batch,)."""
        state = self.A[maps] @ state + self.B[maps]
        distance = (self.codes[maps] - state.flatten(1)[:, None, :]).abs().amax(-1)
        return state, self.following[maps].gather(1, distance.argmin(-1, keepdim=True))[:, 0]


class TorchNetwork(nn.Module):
    """A compiled network on batches of words; ``forward`` maps letter indices (batch, length) to automaton states, same shape."""

    first: torch.Tensor

    def __init__(self, document: dict[str, Any], letters: list[Hashable], dtype: torch.dtype = torch.float64):
        super().__init__()
        self.letters = {letter: i for i, letter in enumerate(letters)}
        self.layers = nn.ModuleList(TorchLayer(layer, document["field"], dtype) for layer in document["layers"])
        self.register_buffer("first", torch.tensor(document["first"]))

    @property
    def margin(self) -> float:
        """The largest error (in any entry of any layer's state) below which every decoder is right."""
        return min(layer.margin for layer in self.layers)  # type: ignore[arg-type]

    def encode(self, word: Iterable[Hashable]) -> torch.Tensor:
        """The word as letter indices, shape (1, length). Raises ``ValueError`` for a letter outside the alphabet."""
        indices = []
        for letter in word:
            if letter not in self.letters:
                raise ValueError(f"expected a letter among {list(self.letters)}, got {letter!r}")
            indices.append(self.letters[letter])
        return torch.tensor([indices], dtype=torch.long)

    @torch.no_grad()
    def forward(self, words: torch.Tensor) -> torch.Tensor:
        """Automaton states (batch, length) after every letter of ``words`` (batch, length)."""
        states = [layer.initial.expand(len(words), -1, -1) for layer in self.layers]
        outputs = torch.empty_like(words)
        for t in range(words.shape[1]):
            reads = self.first[words[:, t]]
            for i, layer in enumerate(self.layers):
                states[i], reads = layer(states[i], reads)
            outputs[:, t] = reads
        return outputs


def _floats(rows: list[list[Any]], field: int) -> list[list[float]]:
    """A matrix of the document in floats; elements of Q(zeta_N) by their real part, all that real networks have."""

    def value(x: Any) -> float:
        if isinstance(x, list):
            return sum(float(rational(c)) * cos(2 * pi * k / field) for k, c in enumerate(x))
        return float(rational(x))

    return [[value(x) for x in row] for row in rows]


def _margin(codes: torch.Tensor, following: torch.Tensor) -> float:
    least = float("inf")
    for listed, y in zip(codes, following, strict=True):
        known = torch.isfinite(listed).all(-1)
        points, labels = listed[known], y[known]
        distance = (points[:, None] - points[None]).abs().amax(-1)
        different = labels[:, None] != labels[None]
        if different.any():
            least = min(least, float(distance[different].min()) / 2)
    return least
