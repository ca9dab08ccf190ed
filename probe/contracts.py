"""What the fused kernels of flash-linear-attention do to a state, in PyTorch: a contract for each, arguments to the next state.

A kernel cannot be traced; the code of its layer before it can. What rests on a contract is right if the kernel keeps it, which is seen on draws.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import log
from typing import Any

import torch
from torch.nn import functional as F

Arguments = dict[str, Any]

#: the version of flash-linear-attention whose kernels tests hold to their contracts
VERSION = "0.6.0"

#: what kernels add to the square of a key before they divide by its root
EPSILON = 1e-6


@dataclass(frozen=True)
class Contract:
    """The contract of some kernels.

    Attributes:
        kernels: Their names, as a layer's module imports them.
        rule: Takes a state (heads, key) and the arguments at one micro-step, and returns the next state.
        says: The rule in a line.
        shape: Of which argument the last two axes are the state's.
        columns: Arguments with an entry for each column of the state.
        also: What is written, in place of the values, into a second state of the same rule.
        driven: Whether the state is a pair (2, heads, key) of a driver, which reads itself and the input alone, and a column.
    """

    kernels: tuple[str, ...]
    rule: Callable[[torch.Tensor, Arguments], torch.Tensor]
    says: str
    shape: str = "k"
    columns: tuple[str, ...] = ("v",)
    also: tuple[Callable[[Arguments], torch.Tensor], ...] = ()
    driven: bool = False

    def writes(self, arguments: Arguments) -> list[torch.Tensor]:
        """What is written into each state that the kernel keeps, with an entry for each column."""
        return [] if self.shape == "x" else [arguments["v"], *(of(arguments) for of in self.also)]


def unit(k: torch.Tensor, wanted: bool) -> torch.Tensor:
    """Keys as kernels normalise them, if they are asked to."""
    return k * torch.rsqrt(k.square().sum(-1, keepdim=True) + EPSILON) if wanted else k


def _delta(S: torch.Tensor, a: Arguments) -> torch.Tensor:
    return _written(S, unit(a["k"], a.get("use_qk_l2norm_in_kernel", False)), a["beta"], a["v"])


def _written(S: torch.Tensor, k: torch.Tensor, beta: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """One column of S - beta k (k^T S - v), head by head."""
    error = (k * S).sum(-1) - v[..., 0]
    return S - (beta * error)[..., None] * k


def _gate(a: Arguments) -> torch.Tensor:
    """The gate of a head, or of each channel of its key."""
    if not a.get("use_gate_in_kernel"):
        return a["g"].exp()
    return channel_gate(a["g"], a["A_log"], a["dt_bias"], a.get("lower_bound")).exp()


def channel_gate(g: torch.Tensor, A_log: torch.Tensor, dt_bias: torch.Tensor, lower_bound: float | None = None) -> torch.Tensor:
    """The logarithm of a gate (..., heads) or (..., heads, key): -exp(A) softplus(g + bias), or a bound times a sigmoid."""
    is_wide = g.ndim > 1
    scale = A_log.exp()[..., None] if is_wide else A_log.exp()
    raw = g + dt_bias.reshape(g.shape[-2:] if is_wide else g.shape)
    return -scale * F.softplus(raw) if lower_bound is None else lower_bound * torch.sigmoid(scale * raw)


def _beta(a: Arguments) -> torch.Tensor:
    if not a.get("use_beta_sigmoid_in_kernel"):
        return a["beta"]
    return (2.0 if a.get("allow_neg_eigval") else 1.0) * a["beta"].sigmoid()


def _gated_delta(S: torch.Tensor, a: Arguments) -> torch.Tensor:
    if a.get("g") is not None:
        gate = _gate(a)
        S = (gate if gate.ndim == S.ndim else gate[..., None]) * S
    return _written(S, unit(a["k"], a.get("use_qk_l2norm_in_kernel", False)), _beta(a), a["v"])


def _channels(name: str) -> Callable[[torch.Tensor, Arguments], torch.Tensor]:
    return lambda S, a: a[name].exp() * S + a["k"] * a["v"][..., :1]


def _hgrn(S: torch.Tensor, a: Arguments) -> torch.Tensor:
    return a["g"].exp() * S + a["x"]


def _retention(S: torch.Tensor, a: Arguments) -> torch.Tensor:
    kept = torch.tensor([[1 - 2.0 ** (-5 - head)] for head in range(len(S))], dtype=S.dtype)
    return kept * S + a["k"] * a["v"][..., :1]


def _comba(S: torch.Tensor, a: Arguments) -> torch.Tensor:
    wanted = a.get("use_qk_l2norm_in_kernel", False)
    k, p = unit(a["k"], wanted), unit(a["p"], wanted)
    # the kernel reads by p before the gate acts
    error = (p * S).sum(-1) - a["v"][..., 0]
    return a["g"].exp()[..., None] * S - (a["beta"] * error)[..., None] * k


def _heads(S: torch.Tensor, a: Arguments) -> torch.Tensor:
    gate = 1 if a.get("g") is None else a["g"].exp()[..., None]
    return gate * S + a["k"] * a["v"][..., :1]


def _gdn2(S: torch.Tensor, a: Arguments) -> torch.Tensor:
    k = unit(a["k"], a.get("use_qk_l2norm_in_kernel", False))
    S = a["g"].exp() * S
    erased = (a["b"] * k * S).sum(-1, keepdim=True)
    return S + k * (a["w"][..., :1] * a["v"][..., :1] - erased)


def _rwkv7(S: torch.Tensor, a: Arguments) -> torch.Tensor:
    return a["w"].exp() * S - a["a"] * a["kk"] * (a["kk"] * S).sum(-1, keepdim=True) + a["k"] * a["v"][..., :1]


def _sum(S: torch.Tensor, a: Arguments) -> torch.Tensor:
    return S + a["k"] * a["v"][..., :1]


def _slots(S: torch.Tensor, a: Arguments) -> torch.Tensor:
    return a["g"].exp() * S + a["s"] * a["v"][..., :1]


def _mesa(S: torch.Tensor, a: Arguments) -> torch.Tensor:
    return a["g"].exp()[..., None] * S + a["beta"][..., None] * _mesa_key(a) * a["v"][..., :1]


def _mesa_key(a: Arguments) -> torch.Tensor:
    return unit(a["k"], a.get("use_qk_l2norm_in_kernel", False))


def _unbounded(S: torch.Tensor, a: Arguments) -> torch.Tensor:
    """What a call of the kernel for one token makes of a cached state: it does not know the sum of the weights before."""
    return a["s"].exp() * (S + a["v"][..., :1])


def _mean(state: torch.Tensor, a: Arguments) -> torch.Tensor:
    """A mean of values with weights exp k: the driver z is the logarithm of the sum of all weights so far."""
    z, S = state
    after = torch.logaddexp(z, a["k"])
    return torch.stack([after, (z - after).exp() * S + (a["k"] - after).exp() * a["v"][..., :1]])


def _preconditioned(state: torch.Tensor, a: Arguments) -> torch.Tensor:
    """The driver z is the logarithm of the mean square of each entry of the keys; S is erased along k, and written along k times a power of x."""
    z, S = state
    k = unit(a["k"], a.get("use_qk_l2norm_in_kernel", False))
    after = torch.logaddexp(a["g_atk"][..., None] + z, (a["beta_atk"][..., None] * k.square()).log())
    off = torch.logaddexp(after, torch.full_like(after, log(a["eps"]))) - a["log_atk_scale"][..., None]
    scale = (-log(a["x"]) * (off / (1 + off.abs()))).exp()
    S = (a["g"].exp() if a["g"].ndim == S.ndim else a["g"].exp()[..., None]) * S
    error = (k * S).sum(-1) - a["v"][..., 0]
    return torch.stack([after, S - (a["beta"] * error)[..., None] * (scale * k)])


CONTRACTS = (
    Contract(("fused_recurrent_delta_rule",), _delta, "S - beta k (k^T S - v)"),
    Contract(
        ("fused_recurrent_gated_delta_rule",),
        _gated_delta,
        "a S - beta k (a k^T S - v)",
    ),
    Contract(("fused_recurrent_kda",), _gated_delta, "Diag(a) S - beta k (k^T Diag(a) S - v)"),
    Contract(("fused_recurrent_gla",), _channels("gk"), "Diag(exp gk) S + k v^T"),
    Contract(("fused_recurrent_rwkv6",), _channels("w"), "Diag(exp w) S + k v^T"),
    Contract(("fused_recurrent_hgrn",), _hgrn, "exp(g) S + x", shape="x"),
    Contract(("fused_mul_recurrent_rwkv7",), _rwkv7, "(Diag(exp w) - (a kk) kk^T) S + k v^T"),
    Contract(("fused_recurrent_retention",), _retention, "(1 - 2^(-5 - head)) S + k v^T, heads from 0"),
    Contract(("fused_recurrent_comba",), _comba, "exp(g) S - beta k (p^T S - v)"),
    Contract(("fused_recurrent_simple_gla",), _heads, "exp(g) S + k v^T"),
    Contract(("fused_recurrent_gdn2",), _gdn2, "(I - k (b k)^T) Diag(exp g) S + k (w v)^T", columns=("v", "w")),
    Contract(("fused_recurrent_linear_attn",), _sum, "S + k v^T"),
    Contract(("chunk_gla",), _channels("g"), "Diag(exp g) S + k v^T"),
    Contract(
        ("fused_recurrent_gsa",),
        _slots,
        "Diag(exp g) S + s v^T, and the same of k in place of v",
        shape="s",
        also=(lambda a: a["k"],),
    ),
    Contract(
        ("chunk_mesa_net",),
        _mesa,
        "exp(g) S + beta k v^T, and the same of k in place of v",
        also=(_mesa_key,),
    ),
    Contract(
        ("chunk_abc",),
        _unbounded,
        "Diag(exp s) (S + 1 v^T), one token to a call, and the same of k in place of v",
        shape="s",
        also=(lambda a: a["k"],),
    ),
    Contract(
        ("fused_recurrent_lightnet",),
        _mean,
        "Diag(exp(z - z')) S + exp(k - z') v^T, z' = log(exp z + exp k)",
        driven=True,
    ),
    Contract(
        ("fused_recurrent_precond_gated_delta_rule",),
        _preconditioned,
        "a S - beta m k (a k^T S - v), m between 1/x and x by a mean square of keys, whose logarithm is z",
        driven=True,
    ),
    Contract(
        ("fused_recurrent_precond_kda",),
        _preconditioned,
        "Diag(a) S - beta m k (k^T Diag(a) S - v), m between 1/x and x by a mean square of keys, whose logarithm is z",
        driven=True,
    ),
)


def arguments_at(arguments: Arguments, t: int, steps: int) -> Arguments:
    """A kernel's arguments at one step. Where there are more heads of values than of keys, each head of keys serves as many heads of values in a row."""
    found = {name: _at(value, t, steps) for name, value in arguments.items()}
    if "k" in found and "v" in found and len(found["k"]) < len(found["v"]):
        each = len(found["v"]) // len(found["k"])
        found |= {name: found[name].repeat_interleave(each, 0) for name in ("q", "k", "p") if name in found}
    return found


def _at(value: Any, t: int, steps: int) -> Any:
    """An argument at one step: of a tensor with a batch and that many steps."""
    return value[0, t] if isinstance(value, torch.Tensor) and value.ndim >= 2 and value.shape[:2] == (1, steps) else value
