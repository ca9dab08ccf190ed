"""A compiled network as a PyTorch module: the same affine maps and decoders in floating point.

Needs the ``torch`` extra. The state is never snapped back to its exact value, so rounding accumulates as it would in a trained
layer; the decoder takes the nearest exact state, in float64, and is right as long as the error stays below the margin
(``precision.guaranteed_length``, docs/explanation/rounding.md).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import torch
from torch import nn
from torch._higher_order_ops.scan import scan as unrolled

from ....numerics.scan import associative_scan, compose_matrices
from ..rounding.layer import LayerNumbers, states_by_map
from .words import PADDING, as_batch

#: states are decoded in pieces of so many steps, to bound memory
PIECE = 2048


class TorchLayer(nn.Module):
    """One layer. Buffers: ``A`` (maps, n, n), ``B`` (maps, n, 1), ``initial`` (n, 1), ``map_of`` (letters,), ``codes`` (maps, K, n),
    ``following`` (letters, K).

    ``codes[f]`` are the exact states that map f leads to, in float64, padded with inf; ``following[y, k]`` is what is handed on in the k-th of
    them after letter y, -1 if that cannot happen. ``margin`` is half the least distance of two codes of one map.
    """

    A: torch.Tensor
    B: torch.Tensor
    initial: torch.Tensor
    map_of: torch.Tensor
    codes: torch.Tensor
    following: torch.Tensor

    def __init__(self, layer: dict[str, Any], field: int, dtype: torch.dtype):
        super().__init__()
        numbers = LayerNumbers(layer, field)
        states = torch.from_numpy(numbers.states)
        maps, reached = [f for *_, f in layer["letters"]], states_by_map(layer)
        longest = max(map(len, reached))
        codes = torch.full((len(reached), longest, states.shape[1]), float("inf"), dtype=torch.float64)
        for f, found in enumerate(reached):
            codes[f, : len(found)] = states[found]
        following = torch.full((len(maps), longest), -1, dtype=torch.long)
        for i, y, z in layer["decoder"]:
            following[y, reached[maps[y]].index(i)] = z
        self.margin = float(numbers.margins.min())
        self.register_buffer("A", torch.from_numpy(numbers.A).to(dtype))
        self.register_buffer("B", torch.from_numpy(numbers.B)[..., None].to(dtype))
        self.register_buffer("initial", states[0, :, None].to(dtype))
        self.register_buffer("codes", codes)
        self.register_buffer("map_of", torch.tensor(maps))
        self.register_buffer("following", following)

    def states(self, letters: torch.Tensor, scan: bool, there: torch.Tensor | None = None) -> torch.Tensor:
        """The states (batch, length, n) after every letter of ``letters`` (batch, length); where ``there`` is false the state stays."""
        # one map more, for no letter: the identity
        A = torch.cat([self.A, torch.eye(len(self.initial), dtype=self.A.dtype, device=self.A.device)[None]])
        B = torch.cat([self.B, torch.zeros_like(self.B[:1])])
        maps = self.map_of[letters] if there is None else torch.where(there, self.map_of[letters], len(self.A))
        if scan:
            # halves are composed in float32: each of the many products would be rounded more than the entries themselves
            dtype = torch.promote_types(self.A.dtype, torch.float32)
            A, B = associative_scan(compose_matrices, (A[maps].to(dtype), B[maps].to(dtype)), axis=1)
            return (A @ self.initial.to(dtype) + B)[..., 0]
        H, B = self.initial[:, 0].expand(len(letters), -1), B[..., 0]
        if torch.compiler.is_exporting():
            # a graph has a loop of its own, so that words of every length fit
            def step(state: torch.Tensor, f: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
                after = affine_step(A[f], B[f], state)
                return after, after.clone()

            return unrolled(step, H.clone(), maps.T)[1].transpose(0, 1)
        states = torch.empty((*letters.shape, len(self.initial)), dtype=self.A.dtype, device=self.A.device)
        for t in range(letters.shape[1]):
            f = maps[:, t]
            states[:, t] = H = affine_step(A[f], B[f], H)
        return states

    def decode(self, states: torch.Tensor, letters: torch.Tensor) -> torch.Tensor:
        """What is handed on (batch, length) for the states after ``letters``: that of the nearest code, by the largest entry."""
        # a letter that cannot follow is the sign of an error that has outgrown the margin: any letter will do
        if torch.compiler.is_exporting():
            return self._following(states, letters).clamp(min=0)
        handed = torch.empty_like(letters)
        for t in range(0, letters.shape[1], PIECE):
            handed[:, t : t + PIECE] = self._following(states[:, t : t + PIECE], letters[:, t : t + PIECE])
        return handed.clamp(min=0)

    def _following(self, states: torch.Tensor, letters: torch.Tensor) -> torch.Tensor:
        """What the nearest codes hand on, -1 where that cannot happen."""
        distance = (self.codes[self.map_of[letters]] - states[..., None, :].double()).abs().amax(-1)
        return self.following[letters].gather(-1, distance.argmin(-1, keepdim=True))[..., 0]

    def forward(self, letters: torch.Tensor, scan: bool = False, there: torch.Tensor | None = None) -> torch.Tensor:
        """What is handed on (batch, length) after every letter; anything where ``there`` (batch, length) is false."""
        return self.decode(self.states(letters, scan, there), letters)


def affine_step(A: torch.Tensor, B: torch.Tensor, H: torch.Tensor) -> torch.Tensor:
    """A H + B for A (batch, n, n), B and H (batch, n): entry by entry and in this order, so rounded alike on every device.

    (A matrix product may be summed in any order.)
    """
    total, *others = (A * H[:, None, :]).unbind(-1)
    for products in others:
        total = total + products
    return total + B


class TorchNetwork(nn.Module):
    """A compiled network on batches of words; ``forward`` maps letter indices (batch, length) or (length,) to automaton states, same shape.

    An index -1 stands where there is no letter (padding on either side, or gaps): the state stays, and the result is -1 there.
    ``document`` is the network as plain data (``json.load`` of an exported file), ``letters`` the alphabet if not as text.
    ``state_names[q]`` is what the automaton calls state q; ``output_names`` are the different outputs of a Moore machine, in order of the
    states, None for an acceptor. What is accepted and said are buffers that move with the module and are no part of its state dict.
    """

    accepting: torch.Tensor
    output_of: torch.Tensor | None

    def __init__(self, document: dict[str, Any], dtype: torch.dtype = torch.float64, letters: Sequence[Hashable] | None = None):
        super().__init__()
        self.letters = {letter: i for i, letter in enumerate(letters or document["letters"])}
        self.layers = nn.ModuleList(TorchLayer(layer, document["field"], dtype) for layer in document["layers"])
        automaton = document["automaton"]
        self.state_names: list[str] = list(automaton["states"])
        accepting = set(automaton["accepting"])
        self.register_buffer("accepting", torch.tensor([q in accepting for q in range(len(self.state_names))]), persistent=False)
        said = automaton["outputs"]
        self.output_names: list[str] | None = None if said is None else list(dict.fromkeys(said))
        number = {y: i for i, y in enumerate(self.output_names or ())}
        self.register_buffer("output_of", None if said is None else torch.tensor([number[y] for y in said]), persistent=False)

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
    def forward(self, words: torch.Tensor, scan: bool = False) -> torch.Tensor:
        """Automaton states after every letter of ``words``, layer by layer, -1 where there is none.

        ``scan`` composes the affine maps in 2 log2(length) parallel passes instead of going through the word step by step. Raises
        ``ValueError`` for indices outside the alphabet.
        """
        letters, there = as_batch(words, len(self.letters))
        for layer in self.layers:
            letters = layer(letters, scan, there)
        return torch.where(there, letters, PADDING).view(words.shape)

    def accepts(self, words: torch.Tensor, scan: bool = False) -> torch.Tensor:
        """Whether the automaton accepts what was read so far: Booleans, shape as ``words``; false where there is no letter."""
        states = self(words, scan)
        return self.accepting[states] & (states != PADDING)

    def outputs(self, words: torch.Tensor, scan: bool = False) -> torch.Tensor:
        """What the Moore machine says after every letter, as indices of ``output_names``, shape as ``words``; -1 where there is no letter.

        Raises ``ValueError`` if the network is that of an acceptor.
        """
        if self.output_of is None:
            raise ValueError("expected a machine with outputs, got an acceptor: use accepts")
        states = self(words, scan)
        return torch.where(states != PADDING, self.output_of[states], PADDING)
