"""Compiled layers in the modules of flash-linear-attention: weights for its ``DeltaNet`` and ``GatedDeltaProduct``, no change of their code.

Those layers start from the state 0, read one-hot hidden states, and divide what they read by its root mean square. So a word begins with one or
two extra tokens that write the first state, and a second column of the state, along a direction that no letter touches, holds a constant: the
quotient of the two outputs is q^T H, one number, by a query q for which the states that a letter can lead to have numbers of their own. Needs the
extra ``fla``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from scipy.special import lambertw, logit
from torch import nn

from .delta_rule import DeltaRuleLayer
from .words import as_batch

#: a micro-step: unit key, strength in [0, 2], value
UnitStep = tuple[torch.Tensor, float, float]

#: directions tried for a query
DIRECTIONS = 256

#: silu is invertible above its least value, -0.278...; keys and queries are scaled so that no entry is below this
LEAST = -0.2

#: what the sigmoid makes exactly 0 or 1 of, in every data type
SATURATED = 1e4


def module_arguments(layer: dict[str, Any], field: int, product: bool = True) -> dict[str, Any]:
    """The least arguments for which ``GatedDeltaProduct`` (``product``) or ``DeltaNet`` holds a layer of an exported document."""
    rule = DeltaRuleLayer(layer, field)
    n, letters, steps = len(rule.initial), len(rule.map_of), max(map(len, rule.steps))
    shared = {"num_heads": 1, "use_short_conv": False, "allow_neg_eigval": True}
    if product:
        # a head's values are its width times expand_v, at least 2
        head = n + 1
        return shared | {
            "hidden_size": letters + 1,
            "head_dim": head,
            "expand_v": 1,
            "num_householder": max(2, steps),
            "use_forget_gate": False,
            "use_output_gate": False,
        }
    return shared | {"hidden_size": max(letters + 2, n + 1), "mode": "fused_recurrent"}


class FlashLayer(nn.Module):
    """One layer of an exported document in a ``DeltaNet`` or ``GatedDeltaProduct`` of flash-linear-attention, whose weights it sets.

    The first head carries the state; the others, short convolutions and gates, if there are any, are set to do nothing. Raises ``ValueError`` if
    the module is too small, or has no negative eigenvalues where the layer needs them.
    """

    def __init__(self, layer: dict[str, Any], field: int, module: nn.Module):
        super().__init__()
        self.rule, self.module = DeltaRuleLayer(layer, field), module
        self.unit_steps = [unit_steps(s) for s in self.rule.steps]
        readings = [separating_query(codes.numpy()) for codes in self.rule.codes]
        self.queries = [torch.from_numpy(q) for q, _ in readings]
        #: half the least gap of the numbers that a query must tell apart
        self.margin = min(gap for _, gap in readings) / 2
        self.codes = [codes @ q for codes, q in zip(self.rule.codes, self.queries, strict=True)]
        self.steps = getattr(module, "num_householder", 1)
        self._require_room()
        self._neutralise()
        n = len(self.rule.initial)
        #: what the constant column reads as: the other output is measured against it
        self.unit = max(1e-3, *(float(c.abs().max()) for c in self.codes))
        start = float(self.rule.initial.norm())
        # one state and one constant to write, each by a micro-step
        beginning = [(self.rule.initial, 1.0, 1.0)] if start else []
        beginning = [(_wide(k / start, n), 1.0, (start, 0.0)) for k, _, _ in beginning]
        beginning.append((_wide(torch.zeros(n, dtype=torch.float64), n, 1.0), 1.0, (0.0, 1.0)))
        #: how many tokens come before the word
        self.before = 1 if self.steps > 1 else len(beginning)
        tokens: list[list[tuple]] = [[(_wide(k, n), b, (v, 0.0)) for k, b, v in self.unit_steps[f]] for f in self.rule.map_of.tolist()]
        queries = [_wide(self.queries[f], n, self.unit) for f in self.rule.map_of.tolist()]
        tokens += [beginning] if self.steps > 1 else [[b] for b in beginning]
        self._write(tokens, queries)

    def forward(self, letters: torch.Tensor) -> torch.Tensor:
        """What is handed on (batch, length) after every letter of ``letters`` (batch, length)."""
        batch, there = as_batch(letters, len(self.rule.map_of))
        if not bool(there.all()):
            raise ValueError("expected words without padding, got -1")
        first = len(self.rule.map_of)
        tokens = torch.cat([torch.arange(first, first + self.before).expand(len(batch), -1), batch], 1)
        weight = self.module.q_proj.weight  # type: ignore[union-attr]
        hidden = nn.functional.one_hot(tokens, weight.shape[1]).to(weight)  # type: ignore[arg-type, union-attr]
        outputs = self.module(hidden)[0][:, self.before :]
        return self._decode((outputs[..., 0] / outputs[..., 1] * self.unit).double(), batch)

    def _decode(self, numbers: torch.Tensor, letters: torch.Tensor) -> torch.Tensor:
        """What is handed on (batch, length): that of the state whose number is nearest."""
        read = torch.zeros(*letters.shape, len(self.rule.initial), dtype=torch.float64)
        for f, codes in enumerate(self.codes):
            rows, times = torch.nonzero(self.rule.map_of[letters] == f, as_tuple=True)
            read[rows, times] = self.rule.codes[f][(numbers[rows, times, None] - codes).abs().argmin(-1)]
        return self.rule.decode(read, letters)

    def _require_room(self) -> None:
        """Refuse a module that is too small, and say what fits."""
        m: Any = self.module
        rule = self.rule
        n, letters, steps = len(rule.initial), len(rule.map_of), max(map(len, rule.steps))
        before = 1 if self.steps > 1 else 2
        if m.hidden_size < letters + before:
            raise ValueError(
                f"expected a hidden size of at least {letters + before}, one for each letter and {before} to begin with, got {m.hidden_size}"
            )
        if m.head_k_dim < n + 1 or m.head_v_dim < 2:
            raise ValueError(f"expected heads with keys of {n + 1} entries and values of 2 or more, got {m.head_k_dim} and {m.head_v_dim}")
        if self.steps < steps:
            what = f"{steps} Householder factors for a letter"
            raise ValueError(f"expected {what}, got {self.steps}: take GatedDeltaProduct with num_householder={steps}")
        if not m.allow_neg_eigval and any(beta > 1 for s in self.unit_steps for _, beta, _ in s):
            raise ValueError("expected allow_neg_eigval=True for a layer with beta above 1, got False")
        if getattr(m, "num_v_heads", m.num_heads) != m.num_heads or not getattr(m, "use_beta", True) or getattr(m, "qk_norm", "l2") != "l2":
            raise ValueError("expected as many heads of values as of keys, use_beta=True and qk_norm='l2', got another module")
        if getattr(m, "qk_activation", "silu") != "silu":
            raise ValueError(f"expected qk_activation='silu', got {m.qk_activation!r}")

    def _neutralise(self) -> None:
        """Convolutions that pass on the present, gates that are 1, norms without weights, and nothing in the other heads."""
        with torch.no_grad():
            for name, p in self.module.named_parameters():
                p.zero_()
                if "conv1d" in name and name.endswith("weight"):
                    p[..., -1] = 1
                elif "norm" in name:
                    p.fill_(1)
                elif name == "A_log":
                    p.fill_(-SATURATED)
                elif name == "g_proj.weight":
                    # x sigmoid(x) = 1
                    p.fill_(float(_before_silu(np.array(1.0))))

    def _write(self, tokens: list[list[tuple]], queries: list[torch.Tensor]) -> None:
        """Set the columns of the projections, one for each token: micro-steps (key, beta, values), queries of the letters."""
        m: Any = self.module
        largest = 2.0 if m.allow_neg_eigval else 1.0
        heads, dk, dv = m.num_heads, m.head_k_dim, m.head_v_dim
        with torch.no_grad():
            for y, steps in enumerate(tokens):
                for j in range(self.steps):
                    # steps that fill up do nothing, but a key of length 0 would be divided by
                    key, beta, values = (
                        steps[j] if j < len(steps) else (_wide(torch.zeros_like(self.rule.initial), dk - 1, 1.0), 0.0, (0.0, 0.0))
                    )
                    if min(values) < 0:
                        # silu has no large negative values; -k and -v do the same
                        key, values = -key, tuple(-v for v in values)
                    row = j * heads
                    _column(m.k_proj, row * dk, y, _before_silu(_scaled(key)))
                    _column(m.v_proj, row * dv, y, _before_silu(np.array(values)))
                    m.b_proj.weight[row, y] = float(np.clip(logit(beta / largest), -SATURATED, SATURATED))
            for y, query in enumerate(queries):
                _column(m.q_proj, 0, y, _before_silu(_scaled(query)))
            m.o_proj.weight[0, 0] = m.o_proj.weight[1, 1] = 1


def unit_steps(steps: list[tuple[np.ndarray, float, float]]) -> list[UnitStep]:
    """Micro-steps S <- S + beta k (v - k^T S) with unit keys: the same maps with k / |k|, beta k^T k and v / |k|."""
    lengths = [float(np.linalg.norm(k)) for k, _, _ in steps]
    return [(torch.from_numpy(k / c), min(2.0, beta * c * c), v / c) for (k, beta, v), c in zip(steps, lengths, strict=True)]


def separating_query(codes: np.ndarray) -> tuple[np.ndarray, float]:
    """(q, gap): of many directions the one in which the closest two of the points ``codes`` (K, n) lie farthest apart, by ``gap``."""
    directions = np.random.default_rng(0).standard_normal((DIRECTIONS, codes.shape[1]))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    if len(codes) == 1:
        return directions[0], float("inf")
    gaps = np.diff(np.sort(codes @ directions.T, axis=0), axis=0).min(axis=0)
    return directions[gaps.argmax()], float(gaps.max())


def _wide(vector: torch.Tensor, n: int, last: float = 0.0) -> torch.Tensor:
    """The vector with one entry more: along the direction that holds the constant."""
    out = torch.zeros(n + 1, dtype=torch.float64)
    out[: len(vector)], out[n] = vector, last
    return out


def _scaled(vector: torch.Tensor) -> np.ndarray:
    """A multiple, which the layer's normalisation undoes, of largest entry 1 or of least entry -0.2: silu reaches it."""
    v = vector.numpy() / float(vector.abs().max())
    return v if v.min() >= LEAST else v * (LEAST / v.min())


def _before_silu(y: np.ndarray) -> np.ndarray:
    """x with x sigmoid(x) = y, for y above -0.278: x - y = W(y e^-y), Lambert's W."""
    return y + lambertw(y * np.exp(-y)).real


def _column(projection: nn.Linear, row: int, column: int, values: np.ndarray) -> None:
    projection.weight[row : row + len(values), column] = torch.from_numpy(values).to(projection.weight)
