"""A compiled network through the delta rule's own inputs (q, k, v, beta), as ``flash-linear-attention`` takes them.

The rule is S <- S - beta k (k^T S) + beta k v^T, o = S^T q, with unit vectors k and beta in [0, 2]: eigenvalues 1 - beta in [-1, 1], negative
ones allowed. A letter whose transition is a product of r generalized Householder factors becomes r micro-steps (DeltaProduct); the
state S has shape (n, 1). The output after the last micro-step of a letter is one number, q^T S, with a query that gives every
state that the letter's map can lead to a number of its own. Needs the ``torch`` extra.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from .precision import as_floats, states_by_map

#: (q, k, v, beta, scale=, initial_state=) -> (outputs, final state), as ``fla.ops.delta_rule.fused_recurrent_delta_rule``
Kernel = Callable[..., tuple[torch.Tensor, Any]]

#: directions tried for a query
DIRECTIONS = 256


@dataclass(frozen=True)
class DeltaRuleInputs:
    """Inputs of one layer for a batch of words. ``q``, ``k``: (batch, steps, 1, n); ``v``: (batch, steps, 1, 1); ``beta``: (batch, steps, 1).

    ``initial_state`` has shape (batch, 1, n, 1); ``ends`` (batch, length) is the last micro-step of each letter. Words with fewer
    micro-steps are filled up with beta = 0.
    """

    q: torch.Tensor
    k: torch.Tensor
    v: torch.Tensor
    beta: torch.Tensor
    initial_state: torch.Tensor
    ends: torch.Tensor


class DeltaRuleLayer:
    """One layer of an exported document as micro-steps. Raises ``ValueError`` if a transition is no product of GH factors."""

    def __init__(self, layer: dict[str, Any], field: int):
        self.map_of = torch.tensor([f for *_, f in layer["letters"]])
        self.steps = [_micro_steps(m, field) for m in layer["maps"]]
        states = np.array([as_floats(H, field)[:, 0] for H in layer["states"]])
        self.initial = torch.from_numpy(states[0].copy())
        self.reached = [torch.tensor(found) for found in states_by_map(layer)]
        readings = [_query(states[found]) for found in states_by_map(layer)]
        self.queries = [torch.from_numpy(q) for q, _ in readings]
        #: half the least gap of the numbers that a query must tell apart
        self.margin = min(gap for _, gap in readings) / 2
        self.codes = [torch.from_numpy(states[found] @ q) for found, (q, _) in zip(states_by_map(layer), readings, strict=True)]
        self.next: dict[tuple[int, int], int] = {(i, y): z for i, y, z in layer["decoder"]}

    def inputs(self, letters: torch.Tensor, dtype: torch.dtype = torch.float32) -> DeltaRuleInputs:
        """The delta rule's inputs for ``letters`` (batch, length)."""
        maps = self.map_of[letters]
        counts = torch.tensor([len(s) for s in self.steps])[maps]
        ends = counts.cumsum(1) - 1
        batch, total, n = len(letters), int(counts.sum(1).max()) if letters.numel() else 0, len(self.initial)
        q, k = (torch.zeros(batch, total, 1, n, dtype=torch.float64) for _ in range(2))
        # micro-steps that fill up do nothing, but k has to be a unit vector all the same
        k[..., 0] = 1
        v, beta = torch.zeros(batch, total, 1, 1, dtype=torch.float64), torch.zeros(batch, total, 1, dtype=torch.float64)
        for f, steps in enumerate(self.steps):
            rows, times = torch.nonzero(maps == f, as_tuple=True)
            first = ends[rows, times] - len(steps) + 1
            q[rows, ends[rows, times], 0] = self.queries[f]
            for j, (direction, strength, value) in enumerate(steps):
                k[rows, first + j, 0], beta[rows, first + j, 0], v[rows, first + j, 0, 0] = direction, strength, value
        initial = self.initial[None, None, :, None].expand(batch, 1, n, 1).contiguous()
        return DeltaRuleInputs(q.to(dtype), k.to(dtype), v.to(dtype), beta.to(dtype), initial.to(dtype), ends)

    def decode(self, outputs: torch.Tensor, letters: torch.Tensor) -> torch.Tensor:
        """What is handed on (batch, length), from the numbers ``outputs`` (batch, length) read after each letter."""
        handed = torch.zeros_like(letters)
        for f, codes in enumerate(self.codes):
            rows, times = torch.nonzero(self.map_of[letters] == f, as_tuple=True)
            nearest = (outputs[rows, times, None].double() - codes).abs().argmin(-1)
            states = self.reached[f][nearest].tolist()
            # a pair that cannot occur is the sign of an error that has outgrown the margin: any letter will do
            found = [self.next.get((i, y), 0) for i, y in zip(states, letters[rows, times].tolist(), strict=True)]
            handed[rows, times] = torch.tensor(found, dtype=letters.dtype)
        return handed


def run_delta_rule(document: dict[str, Any], words: torch.Tensor, kernel: Kernel, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Automaton states (batch, length) after every letter of ``words`` (letter indices), each layer computed by ``kernel``."""
    for layer in document["layers"]:
        rule = DeltaRuleLayer(layer, document["field"])
        x = rule.inputs(words, dtype)
        outputs, _ = kernel(x.q, x.k, x.v, x.beta, scale=1.0, initial_state=x.initial_state)
        words = rule.decode(outputs[:, :, 0, 0].gather(1, x.ends), words)
    return words


def delta_rule(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, beta: torch.Tensor, scale: float, initial_state: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """The delta rule step by step, in the inputs' own data type: what the fused kernels compute. One head."""
    S, outputs = initial_state[:, 0], []
    for t in range(q.shape[1]):
        key = k[:, t, 0, :, None]
        S = S + beta[:, t, 0, None, None] * key * (v[:, t, 0, None, :] - key.transpose(1, 2) @ S)
        outputs.append((S * q[:, t, 0, :, None]).sum(1, keepdim=True) * scale)
    return (torch.stack(outputs, 1) if outputs else torch.zeros_like(v)), S[:, None]


def _micro_steps(m: dict[str, Any], field: int) -> list[tuple[torch.Tensor, float, float]]:
    """(unit vector k, beta, v) of each micro-step of a map, at least one."""
    if m["steps"] is None:
        raise ValueError("expected transitions that are products of GH factors, got one that is not: use another construction")
    found = []
    for s in m["steps"]:
        v = as_floats([s["v"]], field)[0]
        ((beta, write),) = as_floats([[s["beta"], s["write"]]], field)
        length = float(np.linalg.norm(v))
        found.append((torch.from_numpy(v / length), float(beta), float(write) * length / float(beta) if write else 0.0))
    nothing = torch.zeros(len(m["A"]), dtype=torch.float64)
    nothing[0] = 1
    return found or [(nothing, 0.0, 0.0)]


def _query(codes: np.ndarray) -> tuple[np.ndarray, float]:
    """(q, gap): of many directions the one in which the closest two of the points ``codes`` (K, n) lie farthest apart, by ``gap``."""
    directions = np.random.default_rng(0).standard_normal((DIRECTIONS, codes.shape[1]))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    if len(codes) == 1:
        return directions[0], float("inf")
    gaps = np.diff(np.sort(codes @ directions.T, axis=0), axis=0).min(axis=0)
    return directions[gaps.argmax()], float(gaps.max())
