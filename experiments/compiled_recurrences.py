"""Recurrences of several networks at once, as functions that PyTorch differentiates: the loops of ``compiled_loops`` under ``torch.vmap``.

Inside ``torch.vmap`` over networks, :func:`of_all` hands a function the tensors of all of them, whose first axis are the networks.
It knows the CPU alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch.autograd.function import once_differentiable
from torch.nn import functional

from . import compiled_loops as loops


class Dispatched(torch.autograd.Function):
    """What ``torch.vmap`` asks for a batched call; it is never run itself."""

    @staticmethod
    def forward(function: Callable[..., Any], *given: Any) -> Any:  # type: ignore[override]
        raise ValueError("expected a call under torch.vmap over networks, got one outside")

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        """Nothing is saved here."""

    @staticmethod
    def vmap(info: Any, in_dims: Any, function: Callable[..., Any], *given: Any) -> tuple[Any, int]:  # type: ignore[override]
        moved = [_first(x, axis, info.batch_size) for x, axis in zip(given, in_dims[1:], strict=True)]
        return function(*moved), 0


def of_all(function: Callable[..., Any], *given: Any) -> Any:
    """``function`` of all networks, from inside ``torch.vmap``. Raises ``ValueError`` outside."""
    return Dispatched.apply(function, *given)


def _first(x: Any, axis: int | None, networks: int) -> Any:
    """A tensor with the axis of the networks first; what is no tensor stays."""
    if not isinstance(x, torch.Tensor):
        return x
    return x.expand(networks, *x.shape) if axis is None else x.movedim(axis, 0)


def folded(x: torch.Tensor) -> np.ndarray:
    """Networks and their words as one axis, for a loop. Raises ``ValueError`` for another device than the CPU."""
    if x.device.type != "cpu":
        raise ValueError(f"expected tensors on the CPU, got one on {x.device}")
    return x.detach().contiguous().flatten(0, 1).numpy()


def like(*given: torch.Tensor) -> list[torch.Tensor]:
    """New tensors of the same shapes, one after the other in memory."""
    return [torch.empty(x.shape, dtype=x.dtype) for x in given]


def product(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None) -> torch.Tensor:
    """x W^T + b of all networks at once: x (networks, ..., inputs), W (networks, outputs, inputs), b (networks, outputs) or None."""
    flat = x.flatten(1, -2)
    out = flat @ weight.mT if bias is None else torch.baddbmm(bias[:, None], flat, weight.mT)
    return out.view(*x.shape[:-1], -1)


class Entrywise(torch.autograd.Function):
    """h_t = a_t h_(t-1) + b_t: a and b (networks, batch, T, m), h_0 (networks, batch, m) to the states (networks, batch, T, m), real or complex."""

    @staticmethod
    def forward(ctx: Any, a: torch.Tensor, b: torch.Tensor, initial: torch.Tensor) -> torch.Tensor:  # type: ignore[override]
        (states,) = like(b)
        loops.entrywise(*map(folded, (a, b, initial)), folded(states))
        ctx.save_for_backward(a, initial, states)
        return states

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, ...]:  # type: ignore[override]
        a, initial, states = ctx.saved_tensors
        found = like(a, states, initial)
        loops.entrywise_back(*map(folded, (a, initial, states, gradient)), *map(folded, found))
        return tuple(found)


class DeltaRule(torch.autograd.Function):
    """The delta rule: keys (networks, batch, T, factors, n), values (..., factors, c), beta (..., factors), gates (networks, batch, T) or None,
    the first state (networks, batch, n, c), to the states (networks, batch, T, n, c).
    """

    @staticmethod
    def forward(  # type: ignore[override]
        ctx: Any, keys: torch.Tensor, values: torch.Tensor, beta: torch.Tensor, gates: torch.Tensor | None, initial: torch.Tensor
    ) -> torch.Tensor:
        ctx.gated = gates is not None
        gates = keys.new_empty(*keys.shape[:3], 0) if gates is None else gates[..., None]
        # factors first, and the state as one axis
        given = [x.detach().movedim(3, 0).contiguous().flatten(1, 2) for x in (keys, values, beta[..., None])]
        given += [gates.detach().contiguous().flatten(0, 1), initial.detach().reshape(-1, 1, initial.shape[-2] * initial.shape[-1])]
        states = keys.new_empty(*keys.shape[:3], *initial.shape[-2:])
        out = states.view(*given[3].shape[:2], -1)
        loops.delta_rule(*(x.numpy() for x in given), out.numpy())
        ctx.save_for_backward(*given, out)
        ctx.networks = len(keys)
        return states

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor | None, ...]:  # type: ignore[override]
        *given, states = ctx.saved_tensors
        found = like(*given)
        loops.delta_rule_back(*(x.numpy() for x in (*given, states, gradient.contiguous().view_as(states), *found)))
        of_tokens = [x.unflatten(1, (ctx.networks, -1)).movedim(0, 3) for x in found[:3]]
        gates, initial = (x.unflatten(0, (ctx.networks, -1)) for x in found[3:])
        return (
            of_tokens[0],
            of_tokens[1],
            of_tokens[2][..., 0],
            gates[..., 0] if ctx.gated else None,
            initial.view(*initial.shape[:2], *gradient.shape[-2:]),
        )


class Selective(torch.autograd.Function):
    """Mamba's recurrence: what becomes the step, keys and queries in a row ``raw`` (networks, batch, T, c + 2 s and more), u (networks, batch, T, c), rates
    (networks, c, s), the least eigenvalue (networks,), to what is read (networks, batch, T, c).

    Steps are softplus of raw ones, transitions (1 - least) exp(-step rate) + least, and step u is written at the key.
    """

    @staticmethod
    def forward(ctx: Any, raw: torch.Tensor, u: torch.Tensor, rates: torch.Tensor, least: torch.Tensor) -> torch.Tensor:  # type: ignore[override]
        raw, u, c = raw.detach().contiguous(), u.detach().contiguous(), u.shape[-1]
        # PyTorch's softplus and exponential are vectorised, the compiler's are not
        given = raw[..., :c].contiguous()
        step = functional.softplus(given)
        # channels last: the loops go along them
        rates = rates.detach().mT.contiguous()
        decays = step.new_empty(*step.shape[:-1], rates.shape[1] * rates.shape[2])
        loops.exponents(folded(step), rates.flatten(1).numpy(), folded(decays))
        decays.exp_()
        states, read = like(decays, step)
        loops.selective(*map(folded, (step, u, raw, decays)), least.contiguous().numpy(), *map(folded, (states, read)))
        ctx.save_for_backward(given, step, u, raw, decays, least, rates, states)
        return read

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor | None, ...]:  # type: ignore[override]
        given, step, u, raw, decays, least, rates, states = ctx.saved_tensors
        d_step, d_u, d_raw = like(step, u, raw)
        d_rates = torch.zeros_like(rates)
        loops.selective_back(
            *map(folded, (step, u, raw, decays)),
            *(x.contiguous().numpy() for x in (least, rates.flatten(1))),
            *map(folded, (states, gradient, d_step, d_u, d_raw)),
            d_rates.flatten(1).numpy(),
        )
        d_raw[..., : u.shape[-1]] = torch.ops.aten.softplus_backward(d_step, given, 1, 20)
        return d_raw, d_u, d_rates.mT, None


class Convolution(torch.autograd.Function):
    """The silu of a short causal convolution of each channel: x (networks, batch, T, c), taps (networks, c, K), the last on the newest input, bias (networks, c)."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, taps: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:  # type: ignore[override]
        taps, x = taps.detach().mT.contiguous(), x.detach().contiguous()
        (before,) = like(x)
        loops.convolution(folded(x), taps.numpy(), bias.detach().contiguous().numpy(), folded(before))
        ctx.save_for_backward(x, taps, before)
        return functional.silu(before)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, ...]:  # type: ignore[override]
        x, taps, before = ctx.saved_tensors
        gradient = torch.ops.aten.silu_backward(gradient.contiguous(), before)
        (d_x,), d_taps, d_bias = like(x), torch.zeros_like(taps), taps.new_zeros(len(taps), taps.shape[2])
        loops.convolution_back(folded(x), taps.numpy(), folded(gradient), folded(d_x), d_taps.numpy(), d_bias.numpy())
        return d_x, d_taps.mT, d_bias


class Response(torch.autograd.Function):
    """y_t = sum_s K_s x_(t-s), feature by feature: K (networks, m, T) and x (networks, batch, T, m) to the same shape as x.

    By the T x T matrix of each feature: for tens of steps that is quicker than a Fourier transform.
    """

    @staticmethod
    def forward(ctx: Any, kernel: torch.Tensor, x: torch.Tensor) -> torch.Tensor:  # type: ignore[override]
        T = kernel.shape[-1]
        # the last step first: row r holds K_(T-1-r), ..., K_0 and zeros, which are a window of one vector
        matrix = functional.pad(kernel.detach().flip(-1), (0, T - 1)).unfold(-1, T, 1).contiguous()
        given = x.detach().permute(0, 3, 2, 1).contiguous()
        ctx.save_for_backward(matrix, given)
        return (matrix @ given).flip(2).permute(0, 3, 2, 1)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, ...]:  # type: ignore[override]
        matrix, given = ctx.saved_tensors
        T, error = matrix.shape[-1], gradient.permute(0, 3, 2, 1).flip(2)
        # one number stands along each line from lower left to upper right: rows of 2 T - 1 instead of 2 T make it a column
        lines = functional.pad(error @ given.mT, (0, T)).flatten(2)[..., : T * (2 * T - 1)].unflatten(2, (T, 2 * T - 1)).sum(2)
        return lines[..., :T].flip(-1), (matrix.mT @ error).permute(0, 3, 2, 1)


class Matrices(torch.autograd.Function):
    """H_t = A_t H_(t-1) + B_t: A (networks, batch, T, n, n), B (networks, batch, T, n, c), H_0 (networks, batch, n, c) to the states like B."""

    @staticmethod
    def forward(ctx: Any, A: torch.Tensor, B: torch.Tensor, initial: torch.Tensor) -> torch.Tensor:  # type: ignore[override]
        (states,) = like(B)
        loops.matrices(*map(folded, (A, B, initial)), folded(states))
        ctx.save_for_backward(A, initial, states)
        return states

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, ...]:  # type: ignore[override]
        A, initial, states = ctx.saved_tensors
        found = like(A, states, initial)
        loops.matrices_back(*map(folded, (A, initial, states, gradient)), *map(folded, found))
        return tuple(found)


class Steps(torch.autograd.Function):
    """h_t = f(d_t + V h_(t-1) + c ((a^T h_(t-1)) * g_t)), f = tanh or the identity, as ``bilinear_layers.Steps``; no c term where gates are None.

    d (networks, batch, T, n), V (networks, n, n), h_0 (networks, n), gates (networks, batch, T, r), a and c (networks, n, r) to the states like d.
    """

    @staticmethod
    def forward(  # type: ignore[override]
        ctx: Any,
        drive: torch.Tensor,
        V: torch.Tensor,
        initial: torch.Tensor,
        recurrent: bool,
        gates: torch.Tensor | None,
        a: torch.Tensor | None,
        c: torch.Tensor | None,
    ) -> torch.Tensor:
        # time first: a step works on one contiguous slice
        given, g = (None if x is None else x.movedim(2, 0).contiguous() for x in (drive, gates))
        assert given is not None
        states = given.new_empty(len(given) + 1, *given.shape[1:])
        states[0] = initial[:, None]
        slots, onward = states.unbind(), V.mT
        for t, row in enumerate(given.unbind()):
            new = torch.baddbmm(row, slots[t], onward, out=slots[t + 1])
            if g is not None and a is not None and c is not None:
                new.baddbmm_((slots[t] @ a) * g[t], c.mT)
            if recurrent:
                new.tanh_()
        ctx.save_for_backward(states, V, g, a, c)
        ctx.recurrent = recurrent
        return states[1:].movedim(0, 2)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor | None, ...]:  # type: ignore[override]
        states, V, gates, a, c = ctx.saved_tensors
        grad = gradient.movedim(2, 0).contiguous()
        errors = torch.empty_like(grad)
        slopes = 1 - states[1:] ** 2 if ctx.recurrent else None
        carried = torch.zeros_like(states[0])
        for t in range(len(grad) - 1, -1, -1):
            error = torch.add(grad[t], carried, out=errors[t])
            if slopes is not None:
                error.mul_(slopes[t])
            carried = error @ V
            if gates is not None:
                carried.baddbmm_((error @ c) * gates[t], a.mT)
        flat, before = (x.movedim(1, 0).flatten(1, 2) for x in (errors, states[:-1]))
        first = errors.movedim(0, 2), flat.mT @ before, carried.sum(1), None
        if gates is None:
            return *first, None, None, None
        read, sent, gate = before @ a, flat @ c, gates.movedim(1, 0).flatten(1, 2)
        of_gates = (read * sent).unflatten(1, errors.shape[:1] + errors.shape[2:3]).movedim(1, 2)
        return *first, of_gates, before.mT @ (sent * gate), flat.mT @ (read * gate)


class BedouinFixed(torch.autograd.Function):
    """The outputs of a Bedouin layer with one reflection at its fixed point, token after token, as ``bedouin_loop.Solved``.

    v (networks, batch, T, d), seen (networks, batch, T, d + 1 + d + 2 n), W (networks, d, the same), rate (networks, n, d) to y (networks, batch, T, d).
    """

    @staticmethod
    def forward(ctx: Any, v: torch.Tensor, seen: torch.Tensor, W: torch.Tensor, rate: torch.Tensor) -> torch.Tensor:  # type: ignore[override]
        (R, batch, T, d), n = v.shape, rate.shape[1]
        new = lambda *shape: v.new_empty(T, R, batch, *shape)  # noqa: E731
        # time first: a token's numbers are together
        x, gates, units, sizes, decay, solution, z, y = (
            v.detach().movedim(2, 0).contiguous(),
            new(d + 1),
            new(d + 2 * n),
            new(3),
            new(n, d),
            new(3),
            new(d),
            new(d),
        )
        states = v.new_empty(T + 1, R, batch, n, d)
        states[0] = 0
        W, rates = W.detach(), rate.detach().contiguous().numpy()
        for t in range(T):
            raw = torch.baddbmm(seen[:, :, t], y[t - 1], W) if t else seen[:, :, 0].detach().contiguous()
            loops.bedouin_token(folded(raw), rates, *map(folded, (gates[t], units[t], sizes[t], decay[t])))
            # PyTorch's exponential is vectorised, the compiler's is not
            decay[t].exp_()
            loops.bedouin_step(*map(folded, (x[t], gates[t], units[t], decay[t], states[t], states[t + 1], solution[t], z[t], y[t])))
        ctx.save_for_backward(W, rate, x, gates, units, sizes, decay, states, solution, z, y)
        return y.movedim(0, 2)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, ...]:  # type: ignore[override]
        W, rate, x, gates, units, sizes, decay, states, solution, z, y = ctx.saved_tensors
        T = len(x)
        d_x, d_rate, d_h = torch.empty_like(x), torch.zeros_like(rate).contiguous(), torch.zeros_like(states[0])
        d_seen = x.new_empty(*x.shape[:-1], W.shape[-1])
        rates = rate.contiguous().numpy()
        of_outputs = gradient.movedim(2, 0)
        for t in range(T - 1, -1, -1):
            d_y = of_outputs[t] if t == T - 1 else torch.baddbmm(of_outputs[t], d_seen[t + 1], W.mT)
            token = map(folded, (gates[t], units[t], sizes[t], decay[t], states[t], solution[t], z[t], d_y, d_h, d_x[t], d_seen[t]))
            loops.bedouin_back(folded(x[t]), rates, *token, d_rate.numpy())
        d_W = y[:-1].transpose(0, 1).flatten(1, 2).mT @ d_seen[1:].transpose(0, 1).flatten(1, 2)
        return d_x.movedim(0, 2), d_seen.movedim(0, 2), d_W, d_rate
