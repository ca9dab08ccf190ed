"""A compiled network through the delta rule's own inputs (q, k, v, beta), as ``flash-linear-attention`` takes them.

The rule is S <- S - beta k (k^T S) + beta k v^T, o = S^T q, with eigenvalues 1 - beta k^T k in [-1, 1], negative ones allowed. Keys are no
unit vectors (``precision_layer.micro_steps``): scaled to small integers, permutations are exact. A layer that normalises its keys takes
k / |k| and beta k^T k, and rounds more. A letter whose transition is a product of r generalized Householder factors becomes r micro-steps
(DeltaProduct); the state S has shape (n, 1). It is read entry by entry, with unit queries: in the last micro-step of a letter and in n - 1
more with beta = 0, which leave the state as it is. Needs the ``torch`` extra.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

from ..rounding.layer import LayerNumbers, micro_steps, states_by_map

#: (q, k, v, beta, scale=, initial_state=) -> (outputs, final state), as ``fla.ops.delta_rule.fused_recurrent_delta_rule``
Kernel = Callable[..., tuple[torch.Tensor, Any]]


@dataclass(frozen=True)
class DeltaRuleInputs:
    """Inputs of one layer for a batch of words. ``q``, ``k``: (batch, steps, 1, n); ``v``: (batch, steps, 1, 1); ``beta``: (batch, steps, 1).

    ``initial_state`` has shape (batch, 1, n, 1); ``reads`` (batch, length, n) are the micro-steps that read the state's entries after each
    letter. Words with fewer micro-steps are filled up with beta = 0.
    """

    q: torch.Tensor
    k: torch.Tensor
    v: torch.Tensor
    beta: torch.Tensor
    initial_state: torch.Tensor
    reads: torch.Tensor

    def with_unit_keys(self) -> DeltaRuleInputs:
        """The same rule with keys of length 1, for keys of squared length 2: two copies of the state, keys (k, k) / 2 and 2 beta.

        A swap has beta = 1 on e_i - e_j, and beta = 2 here: a kernel that clamps beta to 1 gives itself away. The first copy is read.
        Raises ``ValueError`` if a key with beta other than 0 has another length.
        """
        lengths = (self.k * self.k).sum(-1)
        if not ((lengths == 2) | (self.beta == 0)).all():
            raise ValueError(
                "expected keys of squared length 2, as swaps have, got others: with two copies of the state they are no unit keys"
            )
        q, k = torch.cat([self.q, torch.zeros_like(self.q)], dim=-1), torch.cat([self.k, self.k], dim=-1) / 2
        initial = torch.cat([self.initial_state, self.initial_state], dim=2)
        return DeltaRuleInputs(q, k, self.v, 2 * self.beta, initial, self.reads)


class DeltaRuleLayer:
    """One layer of an exported document as micro-steps. Raises ``ValueError`` if a transition is no product of GH factors."""

    def __init__(self, layer: dict[str, Any], field: int):
        numbers = LayerNumbers(layer, field)
        self.map_of = torch.tensor([f for *_, f in layer["letters"]])
        self.steps = [micro_steps(m, field) for m in layer["maps"]]
        self.initial = torch.from_numpy(numbers.states[0].copy())
        self.reached = [torch.tensor(found) for found in states_by_map(layer)]
        #: half the least distance, in the largest entry, of two states that must be told apart
        self.margin = float(numbers.margins.min())
        self.codes = [torch.from_numpy(numbers.states[found]) for found in states_by_map(layer)]
        self.next: dict[tuple[int, int], int] = {(i, y): z for i, y, z in layer["decoder"]}

    def inputs(self, letters: torch.Tensor, dtype: torch.dtype = torch.float32) -> DeltaRuleInputs:
        """The delta rule's inputs for ``letters`` (batch, length)."""
        maps, batch, n = self.map_of[letters], len(letters), len(self.initial)
        counts = torch.tensor([len(s) + n - 1 for s in self.steps])[maps]
        ends, total = counts.cumsum(1), int(counts.sum(1).max()) if letters.numel() else 0
        reads = ends[..., None] - n + torch.arange(n)
        q, k = (torch.zeros(batch, total, 1, n, dtype=torch.float64) for _ in range(2))
        v, beta = torch.zeros(batch, total, 1, 1, dtype=torch.float64), torch.zeros(batch, total, 1, dtype=torch.float64)
        for i in range(n):
            q[torch.arange(batch)[:, None], reads[..., i], 0, i] = 1
        for f, steps in enumerate(self.steps):
            rows, times = torch.nonzero(maps == f, as_tuple=True)
            first = reads[rows, times, 0] - len(steps) + 1
            for j, (key, strength, value) in enumerate(steps):
                k[rows, first + j, 0], beta[rows, first + j, 0], v[rows, first + j, 0, 0] = torch.from_numpy(key), strength, value
        initial = self.initial[None, None, :, None].expand(batch, 1, n, 1).contiguous()
        return DeltaRuleInputs(q.to(dtype), k.to(dtype), v.to(dtype), beta.to(dtype), initial.to(dtype), reads)

    def decode(self, outputs: torch.Tensor, letters: torch.Tensor) -> torch.Tensor:
        """What is handed on (batch, length), from the states ``outputs`` (batch, length, n) read after each letter."""
        handed = torch.zeros_like(letters)
        for f, codes in enumerate(self.codes):
            rows, times = torch.nonzero(self.map_of[letters] == f, as_tuple=True)
            nearest = (outputs[rows, times, None].double() - codes).abs().amax(-1).argmin(-1)
            states = self.reached[f][nearest].tolist()
            # a pair that cannot occur is the sign of an error that has outgrown the margin: any letter will do
            found = [self.next.get((i, y), 0) for i, y in zip(states, letters[rows, times].tolist(), strict=True)]
            handed[rows, times] = torch.tensor(found, dtype=letters.dtype)
        return handed


def run_delta_rule(
    document: dict[str, Any], words: torch.Tensor, kernel: Kernel, dtype: torch.dtype = torch.float32, unit_keys: bool = False
) -> torch.Tensor:
    """Automaton states (batch, length) after every letter of ``words`` (letter indices), each layer computed by ``kernel``.

    With ``unit_keys`` swaps have keys of length 1 and beta = 2 (:meth:`DeltaRuleInputs.with_unit_keys`).
    """
    for layer in document["layers"]:
        rule = DeltaRuleLayer(layer, document["field"])
        x = rule.inputs(words, dtype)
        x = x.with_unit_keys() if unit_keys else x
        outputs, _ = kernel(x.q, x.k, x.v, x.beta, scale=1.0, initial_state=x.initial_state)
        words = rule.decode(outputs[:, :, 0, 0].gather(1, x.reads.flatten(1)).view(x.reads.shape), words)
    return words


def delta_rule(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, beta: torch.Tensor, scale: float, initial_state: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """The delta rule step by step, in the inputs' own data type: what the fused kernels compute. One head.

    Entry by entry and in this order, so rounded alike on every device.
    """
    S, outputs = initial_state[:, 0], []
    for t in range(q.shape[1]):
        key, query = k[:, t, 0, :, None], q[:, t, 0, :, None] * scale
        S = S + key * (beta[:, t, 0, None, None] * (v[:, t] - _read(S, key)))
        outputs.append(_read(S, query))
    return (torch.stack(outputs, 1) if outputs else torch.zeros_like(v)), S[:, None]


def _read(S: torch.Tensor, key: torch.Tensor) -> torch.Tensor:
    """k^T S, shape (batch, 1, columns), summed from the first row to the last."""
    total, *others = (key * S).split(1, dim=1)
    for products in others:
        total = total + products
    return total
