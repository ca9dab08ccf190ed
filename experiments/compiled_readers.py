"""What stands around the recurrences of several networks: hidden layers, norms, activations and the loss, as functions that PyTorch differentiates.

Each takes one pass where PyTorch takes many, and keeps what its gradient needs. First axis: the networks. It knows the CPU alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch.autograd.function import once_differentiable
from torch.nn import functional

from .compiled_loops import compiled
from .compiled_recurrences import folded, like

#: a vector that is normalised is divided by at least so much, as PyTorch does it
SHORTEST = 1e-12


class Hidden(torch.autograd.Function):
    """relu([s | x] W^T + b) V^T + c, and if U is given + x U^T + d: a hidden layer that reads states s and inputs x, which are never put together.

    s (networks, batch, T, m), x (networks, batch, T, i), W (networks, h, m + i), V (networks, o, h), U (networks, o, i), to (networks, batch, T, o).
    """

    @staticmethod
    def forward(  # type: ignore[override]
        ctx: Any,
        states: torch.Tensor,
        x: torch.Tensor,
        W: torch.Tensor,
        b: torch.Tensor,
        V: torch.Tensor,
        c: torch.Tensor,
        U: torch.Tensor | None = None,
        d: torch.Tensor | None = None,
    ) -> torch.Tensor:
        s, given, m = states.detach().flatten(1, 2), x.detach().flatten(1, 2), states.shape[-1]
        hidden = torch.baddbmm(b[:, None], s, W[..., :m].mT)
        hidden.baddbmm_(given, W[..., m:].mT).relu_()
        out = torch.baddbmm((c if d is None else c + d)[:, None], hidden, V.mT)
        if U is not None:
            out.baddbmm_(given, U.mT)
        ctx.save_for_backward(s, given, hidden, W, V, U)
        return out.view(*states.shape[:-1], -1)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor | None, ...]:  # type: ignore[override]
        s, given, hidden, W, V, U = ctx.saved_tensors
        m, shape = s.shape[-1], gradient.shape[:-1]
        g = gradient.reshape(len(s), s.shape[1], -1)
        d_hidden = g @ V
        torch.ops.aten.threshold_backward(d_hidden, hidden, 0, grad_input=d_hidden)
        d_W = torch.cat([d_hidden.mT @ s, d_hidden.mT @ given], dim=-1)
        d_x = None
        if ctx.needs_input_grad[1]:
            d_x = d_hidden @ W[..., m:]
            if U is not None:
                d_x.baddbmm_(g, U)
            d_x = d_x.view(*shape, -1)
        d_c = g.sum(1)
        d_U, d_d = (None, None) if U is None else (g.mT @ given, d_c)
        return (d_hidden @ W[..., :m]).view(*shape, -1), d_x, d_W, d_hidden.sum(1), g.mT @ hidden, d_c, d_U, d_d


@compiled
def normed(x, weight, bias, eps, unit, spread, out):
    """Layer norm of N rows (N, m), with weight and bias (networks, m): ``unit`` are the normalised rows, ``spread`` (N,) one over their deviation."""
    (N, m), networks, kind = x.shape, len(weight), x.dtype
    zero = kind.type(0)
    for i in range(N):
        network = i // (N // networks)
        total, square = zero, zero
        for j in range(m):
            total += x[i, j]
        mean = total / kind.type(m)
        for j in range(m):
            unit[i, j] = x[i, j] - mean
        for j in range(m):
            square += unit[i, j] * unit[i, j]
        spread[i] = kind.type(1) / np.sqrt(square / kind.type(m) + eps)
        for j in range(m):
            unit[i, j] *= spread[i]
        for j in range(m):
            out[i, j] = unit[i, j] * weight[network, j] + bias[network, j]


@compiled
def normed_back(unit, spread, weight, gradient, d_x, d_weight, d_bias):
    """Gradients of :func:`normed`; to those by weight and bias it adds."""
    (N, m), networks, kind = unit.shape, len(weight), unit.dtype
    zero = kind.type(0)
    for i in range(N):
        network = i // (N // networks)
        total, along = zero, zero
        for j in range(m):
            d_bias[network, j] += gradient[i, j]
        for j in range(m):
            d_weight[network, j] += gradient[i, j] * unit[i, j]
        for j in range(m):
            d_x[i, j] = gradient[i, j] * weight[network, j]
        for j in range(m):
            total += d_x[i, j]
        for j in range(m):
            along += d_x[i, j] * unit[i, j]
        total /= kind.type(m)
        along /= kind.type(m)
        for j in range(m):
            d_x[i, j] = spread[i] * (d_x[i, j] - total - along * unit[i, j])


def rows(x: torch.Tensor) -> np.ndarray:
    """Networks, words and tokens as one axis."""
    return folded(x.flatten(1, -2))


class Norm(torch.autograd.Function):
    """Layer norm over the last axis: x (networks, batch, T, m), weight and bias (networks, m)."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, eps: float) -> torch.Tensor:  # type: ignore[override]
        unit, out = like(x, x)
        spread, w = x.new_empty(x.shape[:-1].numel()), weight.detach().contiguous()
        normed(rows(x), w.numpy(), bias.detach().contiguous().numpy(), rows(x).dtype.type(eps), rows(unit), spread.numpy(), rows(out))
        ctx.save_for_backward(unit, spread, w)
        return out

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor | None, ...]:  # type: ignore[override]
        unit, spread, w = ctx.saved_tensors
        (d_x,), d_w, d_b = like(unit), torch.zeros_like(w), torch.zeros_like(w)
        normed_back(rows(unit), spread.numpy(), w.numpy(), rows(gradient), rows(d_x), d_w.numpy(), d_b.numpy())
        return d_x, d_w, d_b, None


@compiled
def surprised(scores, targets, unasked, lost, gradient):
    """Mean cross-entropy of each network at its labelled tokens, ``lost`` (networks,), and its gradient: scores (networks, N, answers), targets (networks, N)."""
    networks, N, answers = scores.shape
    zero, one = scores.dtype.type(0), scores.dtype.type(1)
    for r in range(networks):
        count, total = 0, zero
        for i in range(N):
            count += targets[r, i] != unasked
        share = one / scores.dtype.type(count)
        for i in range(N):
            goal = targets[r, i]
            if goal == unasked:
                gradient[r, i] = 0
                continue
            most, sum_ = scores[r, i, 0], zero
            for a in range(1, answers):
                most = max(most, scores[r, i, a])
            for a in range(answers):
                gradient[r, i, a] = np.exp(scores[r, i, a] - most)
                sum_ += gradient[r, i, a]
            total += np.log(sum_) + most - scores[r, i, goal]
            for a in range(answers):
                gradient[r, i, a] *= share / sum_
            gradient[r, i, goal] -= share
        lost[r] = total * share


class Surprise(torch.autograd.Function):
    """The mean cross-entropy of each network at its labelled tokens: scores (networks, batch, T, answers), targets (networks, batch, T), to (networks,)."""

    @staticmethod
    def forward(ctx: Any, scores: torch.Tensor, targets: torch.Tensor, unasked: int) -> torch.Tensor:  # type: ignore[override]
        flat, goals = scores.detach().contiguous().flatten(1, -2), targets.contiguous().flatten(1)
        lost, gradient = flat.new_empty(len(flat)), torch.empty_like(flat)
        surprised(flat.numpy(), goals.numpy(), unasked, lost.numpy(), gradient.numpy())
        ctx.save_for_backward(gradient)
        ctx.shape = scores.shape
        return lost

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, by_loss: torch.Tensor) -> tuple[torch.Tensor | None, ...]:  # type: ignore[override]
        (gradient,) = ctx.saved_tensors
        return (gradient * by_loss[:, None, None]).view(ctx.shape), None, None


class Gate(torch.autograd.Function):
    """(y + d u) silu(z), as Mamba's outputs: y, u and z (networks, batch, T, c), d (networks, c)."""

    @staticmethod
    def forward(ctx: Any, y: torch.Tensor, d: torch.Tensor, u: torch.Tensor, z: torch.Tensor) -> torch.Tensor:  # type: ignore[override]
        z, d = z.detach().contiguous(), d.detach()[:, None, None]
        gate, whole = functional.silu(z), torch.addcmul(y, d, u)
        ctx.save_for_backward(whole, d, u, z, gate)
        return whole * gate

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, ...]:  # type: ignore[override]
        whole, d, u, z, gate = ctx.saved_tensors
        d_y = gradient * gate
        return d_y, (d_y * u).sum((1, 2)), d_y * d, torch.ops.aten.silu_backward((gradient * whole).contiguous(), z)


@compiled
def prepared(raw, largest, keys, values, beta, sizes):
    """Micro-steps of N tokens from raw ones, N rows of J keys, J values, J strengths and more: keys (N, J, n) of length 1, which was ``sizes`` (N, J),
    values (N, J, c), beta (N, J) = largest sigmoid, ``largest`` (networks,).
    """
    (N, J, n), c, kind = keys.shape, values.shape[2], raw.dtype
    zero, one, least = kind.type(0), kind.type(1), kind.type(SHORTEST)
    for i in range(N):
        top = largest[i // (N // len(largest))]
        for j in range(J):
            square = zero
            for a in range(n):
                square += raw[i, j * n + a] * raw[i, j * n + a]
            size = max(np.sqrt(square), least)
            sizes[i, j] = size
            for a in range(n):
                keys[i, j, a] = raw[i, j * n + a] / size
            for q in range(c):
                values[i, j, q] = raw[i, J * n + j * c + q]
            beta[i, j] = top / (one + np.exp(-raw[i, J * (n + c) + j]))


@compiled
def prepared_back(keys, beta, sizes, largest, d_keys, d_values, d_beta, d_raw):
    """Gradients of :func:`prepared`; what follows the strengths has none."""
    (N, J, n), c, kind = keys.shape, d_values.shape[2], keys.dtype
    zero, least = kind.type(0), kind.type(SHORTEST)
    for i in range(N):
        top = largest[i // (N // len(largest))]
        for j in range(J):
            along = zero
            for a in range(n):
                along += keys[i, j, a] * d_keys[i, j, a]
            # a key that is too short is divided by a constant
            along = along if sizes[i, j] > least else zero
            for a in range(n):
                d_raw[i, j * n + a] = (d_keys[i, j, a] - along * keys[i, j, a]) / sizes[i, j]
            for q in range(c):
                d_raw[i, J * n + j * c + q] = d_values[i, j, q]
            d_raw[i, J * (n + c) + j] = d_beta[i, j] * (beta[i, j] - beta[i, j] * beta[i, j] / top)
        for e in range(J * (n + c + 1), d_raw.shape[1]):
            d_raw[i, e] = zero


class MicroSteps(torch.autograd.Function):
    """Keys (networks, batch, T, J, n), values (..., J, c) and betas (..., J) from raw rows (networks, batch, T, J (n + c + 1) and more), as ``delta_layers``."""

    @staticmethod
    def forward(ctx: Any, raw: torch.Tensor, largest: torch.Tensor, J: int, n: int, c: int) -> tuple[torch.Tensor, ...]:  # type: ignore[override]
        new = lambda *shape: raw.new_empty(*raw.shape[:3], *shape)  # noqa: E731
        keys, values, beta, sizes = new(J, n), new(J, c), new(J), new(J)
        largest = largest.detach().to(raw.dtype).contiguous()
        flat = lambda *given: (folded(x.flatten(1, 2)) for x in given)  # noqa: E731
        prepared(*flat(raw), largest.numpy(), *flat(keys, values, beta, sizes))
        ctx.save_for_backward(keys, beta, sizes, largest)
        ctx.width = raw.shape[-1]
        return keys, values, beta

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor | None, ...]:  # type: ignore[override]
        keys, beta, sizes, largest = ctx.saved_tensors
        d_raw = keys.new_empty(*keys.shape[:3], ctx.width)
        flat = lambda *given: (folded(x.flatten(1, 2)) for x in given)  # noqa: E731
        prepared_back(*flat(keys, beta, sizes), largest.numpy(), *flat(*gradients, d_raw))
        return d_raw, None, None, None, None


@compiled
def adam_step(theta, gradient, mean, square, rates, clip, first, second, done, decay):
    """AdamW for every row of ``theta`` (networks, P), with its rate, its gradient shortened to at most ``clip``, and the averages ``first`` and ``second``."""
    (networks, P), kind = theta.shape, theta.dtype
    zero, one = kind.type(0), kind.type(1)
    b1, b2, small = kind.type(first), kind.type(second), kind.type(1e-8)
    whole1, whole2 = kind.type(1 - first**done), kind.type(1 - second**done)
    for r in range(networks):
        size = zero
        for j in range(P):
            size += gradient[r, j] * gradient[r, j]
        ratio = kind.type(clip) / (np.sqrt(size) + kind.type(1e-6))
        shrunk = one if ratio > one else ratio
        rate, kept = rates[r] / whole1, one - rates[r] * kind.type(decay)
        for j in range(P):
            g = gradient[r, j] * shrunk
            mean[r, j] += (one - b1) * (g - mean[r, j])
            square[r, j] = b2 * square[r, j] + (one - b2) * g * g
            theta[r, j] = kept * theta[r, j] - rate * mean[r, j] / (np.sqrt(square[r, j] / whole2) + small)
