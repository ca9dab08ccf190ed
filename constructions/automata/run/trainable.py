"""A compiled network as one PyTorch model with parameters: right at initialisation, and differentiable, so that training can go on from there.

Tokens are embedded as one-hot vectors; a layer mixes its maps by them, moves its state, and a softmax over the pairs (state, letter) that the
decoder lists says what is handed on. In the forward pass the largest entry of the softmax counts as 1 and the others as 0 (a straight-through
estimator: gradients are the softmax's), so the layers above read exact one-hot vectors, as in the compiled network. Needs the ``torch`` extra.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Literal

import numpy as np
import torch
from torch import nn
from torch._higher_order_ops.scan import scan as unrolled

from ....numerics.scan import associative_scan, compose_matrices
from ..rounding.layer import as_floats
from .words import PADDING, as_batch

Parametrisation = Literal["dense", "delta"]

#: how far apart, in nats, the scores of two states can be at initialisation
SPREAD = 8.0

#: the right output's logit at initialisation; the others are 0
LOGIT = 10.0


class DenseMaps(nn.Module):
    """Affine maps H -> A H + B with free entries. Parameters: ``A`` (maps, n, n), ``B`` (maps, n, 1)."""

    def __init__(self, maps: list[dict[str, Any]], field: int, dtype: torch.dtype):
        super().__init__()
        self.A = _parameter([as_floats(m["A"], field) for m in maps], dtype)
        self.B = _parameter([as_floats(m["B"], field) for m in maps], dtype)

    def forward(self, weights: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """A (..., n, n) and B (..., n, 1), mixed by ``weights`` (..., maps)."""
        return torch.einsum("...f,fij->...ij", weights, self.A), torch.einsum("...f,fij->...ij", weights, self.B)


class DeltaMaps(nn.Module):
    """Affine maps as micro-steps H -> H - beta k k^T H + write k of the delta rule, |k| = 1 and beta in [0, 2] whatever the parameters.

    Parameters: ``keys`` (maps, K, n), normalised when used; ``beta`` (maps, K), clamped to [0, 2]; ``write`` (maps, K). Raises ``ValueError`` for
    a map that is no product of GH factors.
    """

    def __init__(self, maps: list[dict[str, Any]], field: int, dtype: torch.dtype):
        super().__init__()
        if any(m["steps"] is None for m in maps):
            raise ValueError("expected transitions that are products of GH factors, got one that is not: use parametrisation='dense'")
        n, K = len(maps[0]["A"]), max(1, *(len(m["steps"]) for m in maps))
        # steps that fill up do nothing, but need a direction
        keys, beta, write = np.tile(np.eye(1, n), (len(maps), K, 1)), np.zeros((len(maps), K)), np.zeros((len(maps), K))
        for f, m in enumerate(maps):
            for j, step in enumerate(m["steps"]):
                v = as_floats([step["v"]], field)[0]
                ((beta[f, j], written),) = as_floats([[step["beta"], step["write"]]], field)
                length = float(np.linalg.norm(v))
                keys[f, j], write[f, j] = v / length, written * length
        self.keys, self.beta, self.write = (_parameter(x, dtype) for x in (keys, beta, write))

    def forward(self, weights: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """A (..., n, n) and B (..., n, 1) of the micro-steps whose keys, strengths and values are mixed by ``weights`` (..., maps)."""
        keys = nn.functional.normalize(torch.einsum("...f,fjn->...jn", weights, self.keys), dim=-1)
        beta = torch.einsum("...f,fj->...j", weights, self.beta).clamp(0, 2)
        write = torch.einsum("...f,fj->...j", weights, self.write)
        n = keys.shape[-1]
        A = torch.eye(n, dtype=keys.dtype, device=keys.device).expand(*keys.shape[:-2], n, n)
        B = torch.zeros_like(A[..., :1])
        for j in range(keys.shape[-2]):
            k = keys[..., j, :, None]
            A = A - beta[..., j, None, None] * k @ (k.mT @ A)
            B = B - beta[..., j, None, None] * k @ (k.mT @ B) + write[..., j, None, None] * k
        return A, B


class TrainableLayer(nn.Module):
    """One layer: (batch, length, letters) in, (batch, length, handed on) out.

    Parameters: ``select`` (letters, maps), the ``maps``, ``initial`` (n, 1), and the decoder, two linear maps around a softmax over the pairs of
    state and letter: ``read_state`` (pairs, n), ``read_letter`` (pairs, letters), ``read_bias`` (pairs,), ``following`` (pairs, handed on).
    """

    def __init__(self, layer: dict[str, Any], handed: int, field: int, dtype: torch.dtype, parametrisation: Parametrisation):
        super().__init__()
        self.maps = (DenseMaps if parametrisation == "dense" else DeltaMaps)(layer["maps"], field, dtype)
        map_of = [f for *_, f in layer["letters"]]
        self.select = _parameter(np.eye(len(layer["maps"]))[map_of], dtype)
        states = np.array([as_floats(H, field)[:, 0] for H in layer["states"]])
        self.initial = _parameter(states[0][:, None], dtype)
        pairs = np.array(layer["decoder"])
        state, bias, letter = _nearest(states[pairs[:, 0]])
        self.read_state, self.read_bias = _parameter(state, dtype), _parameter(bias, dtype)
        self.read_letter = _parameter(letter * np.eye(len(map_of))[pairs[:, 1]], dtype)
        self.following = _parameter(np.eye(handed)[pairs[:, 2]], dtype)

    def states(self, letters: torch.Tensor, there: torch.Tensor, scan: bool) -> torch.Tensor:
        """The states (batch, length, n) after every letter; where ``there`` (batch, length) is false the state stays."""
        A, B = self.maps(letters @ self.select)
        n = A.shape[-1]
        A = torch.where(there[..., None, None], A, torch.eye(n, dtype=A.dtype, device=A.device))
        B = torch.where(there[..., None, None], B, torch.zeros_like(B))
        if scan:
            A, B = associative_scan(compose_matrices, (A, B), axis=1)
            return (A @ self.initial + B)[..., 0]
        H = self.initial.expand(len(letters), -1, -1)
        if torch.compiler.is_exporting():
            # a loop of the graph, so that the length stays free
            return unrolled(_step, H.clone(), (A.transpose(0, 1), B.transpose(0, 1)), dim=0)[1].transpose(0, 1)[..., 0]
        found = []
        for t in range(letters.shape[1]):
            H = A[:, t] @ H + B[:, t]
            found.append(H[..., 0])
        return torch.stack(found, 1) if found else letters.new_zeros(*letters.shape[:2], n)

    def forward(self, letters: torch.Tensor, there: torch.Tensor, scan: bool = False) -> torch.Tensor:
        """What is handed on: at initialisation one-hot vectors, zeros where there is no letter."""
        H = self.states(letters, there, scan)
        soft = (H @ self.read_state.T + letters @ self.read_letter.T + self.read_bias).softmax(-1)
        first = torch.zeros_like(soft).scatter(-1, soft.argmax(-1, keepdim=True), 1.0)
        # soft - soft is exactly 0, and carries the gradient
        hard = (soft - soft.detach()) + first
        return (hard @ self.following) * there[..., None]


class TrainableNetwork(nn.Module):
    """A compiled network with parameters; ``forward`` maps letter indices to logits over the automaton's states.

    ``document`` is the network as plain data, ``parametrisation`` of the transitions "dense" (free entries) or "delta" (products of GH factors
    with eigenvalues in [-1, 1], whatever training does). Words are (batch, length) or (length,), -1 where there is no letter (padding on either
    side, or gaps): the state stays there, and the logits are 0. Raises ``ValueError`` for indices outside the alphabet.
    """

    def __init__(
        self,
        document: dict[str, Any],
        dtype: torch.dtype = torch.float32,
        parametrisation: Parametrisation = "dense",
        letters: Sequence[Hashable] | None = None,
    ):
        super().__init__()
        if parametrisation not in ("dense", "delta"):
            raise ValueError(f"expected the parametrisation 'dense' or 'delta', got {parametrisation!r}")
        self.letters = {letter: i for i, letter in enumerate(letters or document["letters"])}
        layers, n = document["layers"], len(document["automaton"]["states"])
        handed = [*(len(above["letters"]) for above in layers[1:]), n]
        self.embedding = _parameter(np.eye(len(self.letters)), dtype)
        self.layers = nn.ModuleList(
            TrainableLayer(layer, out, document["field"], dtype, parametrisation) for layer, out in zip(layers, handed, strict=True)
        )
        self.scale = _parameter(LOGIT, dtype)

    def forward(self, words: torch.Tensor, scan: bool = False) -> torch.Tensor:
        """Logits (..., length, states) after every letter; ``scan`` composes the maps in 2 log2(length) parallel passes."""
        batch, there = as_batch(words, len(self.letters))
        handed = self.embedding[batch] * there[..., None]
        for layer in self.layers:
            handed = layer(handed, there, scan)
        logits = handed * self.scale
        return logits if words.dim() == 2 else logits[0]

    def predict(self, words: torch.Tensor, scan: bool = False) -> torch.Tensor:
        """The automaton's states after every letter, -1 where there is none; shape as ``words``."""
        with torch.no_grad():
            return torch.where(words >= 0, self(words, scan).argmax(-1), PADDING)


def _step(H: torch.Tensor, maps: tuple[torch.Tensor, torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor]:
    after = maps[0] @ H + maps[1]
    return after, after.clone()


def _parameter(values: Any, dtype: torch.dtype) -> nn.Parameter:
    return nn.Parameter(torch.tensor(np.array(values, dtype=np.float64)).to(dtype))


def _nearest(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """Weights (pairs, n) and biases (pairs,) whose largest output belongs to the nearest of the ``codes`` (pairs, n), and the weight of the letter.

    -s |h - c|^2 is linear in h up to what all codes share. Another letter falls behind by more than the greatest squared distance. The forward
    pass only asks which output is largest, so the scale s is free: it keeps the softmax, and with it the gradient, away from 0 and 1.
    """
    different = np.unique(codes, axis=0)
    greatest = float(((different[:, None] - different[None]) ** 2).sum(-1).max())
    s = SPREAD / greatest if greatest else 1.0
    return 2 * s * codes, -s * (codes**2).sum(-1), s * greatest + 1
