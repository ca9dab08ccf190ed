"""One pass of a Bedouin layer with any number of reflections, of several networks at once: compiled loops, forward and backward.

As ``bedouin_layer.Bedouin.passed``. A token's raw parameters are its gate (d), for each of r reflections a strength and a vector (1 + d), and B and C (n each).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch.autograd.function import once_differentiable
from torch.nn import functional

from .bedouin_layer import Bedouin
from .compiled_loops import compiled, dot, normalised, through
from .compiled_recurrences import folded, like


@compiled
def pass_tokens(raw, rate, gates, units, sizes, log_decay):
    """The parameters of N tokens: ``gates`` delta and alphas (N, d + r), unit vectors u, B, C in a row ``units`` (N, r d + 2 n), their ``sizes`` before
    (N, r + 2), ``log_decay`` (N, n d), from raw ones (N, d + r (1 + d) + 2 n) and ``rate`` (networks, n, d).
    """
    N, (networks, n, d), one = len(raw), rate.shape, raw.dtype.type(1)
    r = gates.shape[1] - d
    for i in range(N):
        own = rate[i // (N // networks)]
        for j in range(d):
            gates[i, j] = one / (one + np.exp(-raw[i, j]))
        for k in range(r):
            at = d + k * (1 + d)
            gates[i, d + k] = one / (one + np.exp(-raw[i, at]))
            sizes[i, k] = normalised(raw[i, at + 1 : at + 1 + d], units[i, k * d : (k + 1) * d])
        for k in range(2):
            at, to = d + r * (1 + d) + k * n, r * d + k * n
            sizes[i, r + k] = normalised(raw[i, at : at + n], units[i, to : to + n])
        for a in range(n):
            for j in range(d):
                log_decay[i, a * d + j] = own[a, j] * gates[i, j]


@compiled
def reflected(x, u, alpha):
    """x - 2 alpha (u.x) u, in place; u.x."""
    along = dot(u, x)
    by = (alpha + alpha) * along
    for j in range(len(x)):
        x[j] -= by * u[j]
    return along


@compiled
def pass_forward(gates, units, decay, v, y, states, out):
    """The states (N, T, n, d) and outputs (N, T, d) of a pass, from parameters as :func:`pass_tokens` has them with axes (N, T), v and the outputs before."""
    N, T, n, d = states.shape
    r = gates.shape[2] - d
    w, nothing = np.empty(d, v.dtype), np.zeros((n, d), v.dtype)
    for i in range(N):
        for t in range(T):
            gate, unit, before, now, said = gates[i, t], units[i, t], states[i, t - 1] if t else nothing, states[i, t], out[i, t]
            for j in range(d):
                w[j] = v[i, t, j] - y[i, t, j]
            for k in range(r - 1, -1, -1):
                reflected(w, unit[k * d : (k + 1) * d], gate[d + k])
            for j in range(d):
                w[j] = gate[j] * (w[j] + y[i, t, j])
            said[:] = 0
            for a in range(n):
                B, C, row = unit[r * d + a], unit[r * d + n + a], decay[i, t, a * d : (a + 1) * d]
                for j in range(d):
                    now[a, j] = row[j] * before[a, j] + B * w[j]
                for j in range(d):
                    said[j] += C * now[a, j]


@compiled
def pass_back(gates, units, sizes, decay, rate, v, y, states, gradient, d_raw, d_v, d_y, d_rate):
    """Gradients of a pass from that by its outputs, by raw parameters, v, the outputs before and the rate, to which it adds."""
    N, T, n, d = states.shape
    r, zero, kind = gates.shape[2] - d, v.dtype.type(0), v.dtype
    nothing, d_h = np.zeros((n, d), kind), np.empty((n, d), kind)
    between, along, d_w, mixed = np.empty((r + 1, d), kind), np.empty(r, kind), np.empty(d, kind), np.empty(d, kind)
    for i in range(N):
        own, of_rate = rate[i // (N // len(rate))], d_rate[i // (N // len(rate))]
        d_h[:] = 0
        for t in range(T - 1, -1, -1):
            gate, unit, before, now, given = gates[i, t], units[i, t], states[i, t - 1] if t else nothing, states[i, t], gradient[i, t]
            of_raw = d_raw[i, t]
            start = d + r * (1 + d)
            of_B, of_C = of_raw[start : start + n], of_raw[start + n : start + 2 * n]
            # what each reflection is given, the last one first
            for j in range(d):
                between[r, j] = v[i, t, j] - y[i, t, j]
            for k in range(r - 1, -1, -1):
                between[k] = between[k + 1]
                along[k] = reflected(between[k], unit[k * d : (k + 1) * d], gate[d + k])
            for j in range(d):
                mixed[j] = between[0, j] + y[i, t, j]
            d_w[:] = 0
            for a in range(n):
                B, C = unit[r * d + a], unit[r * d + n + a]
                s_B, s_C = zero, zero
                for j in range(d):
                    s_C += now[a, j] * given[j]
                    d_h[a, j] += C * given[j]
                    s_B += d_h[a, j] * gate[j] * mixed[j]
                    d_w[j] += B * d_h[a, j]
                of_B[a], of_C[a] = s_B, s_C
            for j in range(d):
                of_raw[j] = d_w[j] * mixed[j]
                d_w[j] *= gate[j]
            for a in range(n):
                row = decay[i, t, a * d : (a + 1) * d]
                for j in range(d):
                    d_h[a, j] *= row[j]
                    by_log = d_h[a, j] * before[a, j]
                    of_raw[j] += by_log * own[a, j]
                    of_rate[a, j] += by_log * gate[j]
            for j in range(d):
                of_raw[j] *= gate[j] - gate[j] * gate[j]
                d_y[i, t, j] = d_w[j]
            for k in range(r):
                at, alpha, u = d + k * (1 + d), gate[d + k], unit[k * d : (k + 1) * d]
                of_u = of_raw[at + 1 : at + 1 + d]
                back = dot(u, d_w)
                of_raw[at] = -(along[k] + along[k]) * back * (alpha - alpha * alpha)
                for j in range(d):
                    of_u[j] = -(alpha + alpha) * (along[k] * d_w[j] + back * between[k + 1, j])
                    d_w[j] -= (alpha + alpha) * back * u[j]
                through(of_u, u, sizes[i, t, k])
            for j in range(d):
                d_v[i, t, j] = d_w[j]
                d_y[i, t, j] -= d_w[j]
            through(of_B, unit[r * d : r * d + n], sizes[i, t, r])
            through(of_C, unit[r * d + n : r * d + 2 * n], sizes[i, t, r + 1])


class BedouinPass(torch.autograd.Function):
    """The outputs of a pass (networks, batch, T, d), from raw parameters (networks, batch, T, all of them), v and the outputs before (networks, batch, T, d),
    rate (networks, n, d) and the number of reflections.
    """

    @staticmethod
    def forward(ctx: Any, raw: torch.Tensor, v: torch.Tensor, y: torch.Tensor, rate: torch.Tensor, r: int) -> torch.Tensor:  # type: ignore[override]
        (R, batch, T, d), n = v.shape, rate.shape[1]
        new = lambda *shape: v.new_empty(R, batch, T, *shape)  # noqa: E731
        gates, units, sizes, decay, states, out = new(d + r), new(r * d + 2 * n), new(r + 2), new(n * d), new(n, d), new(d)
        rates = rate.detach().contiguous().numpy()
        raw, *into = (x.flatten(1, 2) for x in (raw, gates, units, sizes, decay))
        pass_tokens(folded(raw), rates, *map(folded, into))
        # PyTorch's exponential is vectorised, the compiler's is not
        decay.exp_()
        pass_forward(*map(folded, (gates, units, decay, v, y, states, out)))
        ctx.save_for_backward(gates, units, sizes, decay, rate, v, y, states)
        return out

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor | None, ...]:  # type: ignore[override]
        gates, units, sizes, decay, rate, v, y, states = ctx.saved_tensors
        (d_v, d_y), d_rate = like(v, y), torch.zeros_like(rate).contiguous()
        d, n, r = v.shape[-1], rate.shape[1], sizes.shape[-1] - 2
        d_raw = v.new_empty(*v.shape[:-1], d + r * (1 + d) + 2 * n)
        rates = rate.contiguous().numpy()
        pass_back(
            *map(folded, (gates, units, sizes, decay)),
            rates,
            *map(folded, (v, y, states, gradient, d_raw, d_v, d_y)),
            d_rate.numpy(),
        )
        return d_raw, d_v, d_y, d_rate, None


def passed_quickly(self: Bedouin, v: torch.Tensor, seen: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """``Bedouin.passed`` of one network, without a gradient."""
    raw = seen + functional.pad(y, (0, 0, 1, 0))[:, :-1] @ self.hearing()
    return BedouinPass.apply(*(x.detach()[None] for x in (raw, v, y, self.rate())), self.r)[0]  # type: ignore[no-any-return]
