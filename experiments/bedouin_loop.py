"""The fixed point of a Bedouin layer with one reflection, token after token, with its own gradient: half the time of autograd's.

The parameters of token t, and y_t: raw = seen_t + y_(t-1) W; delta, alpha = sigmoid; u, B, C normalised; lambda = exp(rate delta). Then with c = B.C and k = u.(delta u)

    g = lambda h,  p = C^T g,  e = u.(p + c delta v - v) / (1 - 2 alpha c k),  z = delta (v + 2 alpha e u),  h = g + B z^T,  y = p + c z.

It is what a pass does not change: z = delta (Q (v - y) + y) with e = u.(y - v), one linear equation for each token (claim ``movahedi25.appC1.gap.amended``).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import torch


class Token(NamedTuple):
    """What the gradient needs of one token; first axis the batch, the last of alpha, c, e, determinant and norms of size 1."""

    v: torch.Tensor
    delta: torch.Tensor
    alpha: torch.Tensor
    u: torch.Tensor
    BC: torch.Tensor
    norms: tuple[torch.Tensor, torch.Tensor]
    decay: torch.Tensor
    g: torch.Tensor
    c: torch.Tensor
    w: torch.Tensor
    determinant: torch.Tensor
    e: torch.Tensor
    z: torch.Tensor


def dot(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Of the last axis, which stays with size 1."""
    return (a * b).sum(-1, keepdim=True)


class Solved(torch.autograd.Function):
    """y (batch, T, d) from v (batch, T, d), seen (batch, T, d + 1 + d + 2 n), W (d, the same) and rate (n, d). Raw parameters are delta, alpha, u, B, C in a row."""

    @staticmethod
    def forward(ctx: Any, v: torch.Tensor, seen: torch.Tensor, W: torch.Tensor, rate: torch.Tensor) -> torch.Tensor:  # type: ignore[override]
        (n, d), keep = rate.shape, any(ctx.needs_input_grad)
        h, y = v.new_zeros(len(v), n, d), v.new_zeros(len(v), d)
        tokens, out = [], torch.empty_like(v)
        for t in range(v.shape[1]):
            raw, x = torch.addmm(seen[:, t], y, W), v[:, t]
            gates, u, BC = raw[:, : d + 1].sigmoid(), raw[:, d + 1 : 2 * d + 1], raw[:, 2 * d + 1 :].unflatten(-1, (2, n))
            delta, alpha = gates[:, :d], gates[:, d:]
            norms = u.norm(dim=-1, keepdim=True), BC.norm(dim=-1, keepdim=True)
            u, BC = u / norms[0], BC / norms[1]
            decay = torch.exp(rate * delta[:, None])
            g = decay * h
            p, c = (BC[:, 1, None] @ g)[:, 0], dot(BC[:, 0], BC[:, 1])
            du = delta * u
            w = p - x + c * delta * x
            determinant = 1 - 2 * alpha * c * dot(du, u)
            e = dot(u, w) / determinant
            z = delta * x + 2 * alpha * e * du
            h = torch.baddbmm(g, BC[:, 0, :, None], z[:, None])
            out[:, t] = y = p + c * z
            if keep:
                tokens.append(Token(x, delta, alpha, u, BC, norms, decay, g, c, w, determinant, e, z))
        ctx.tokens = tokens
        ctx.save_for_backward(W, rate, out)
        return out

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor, ...]:  # type: ignore[override]
        (of_outputs,) = gradients
        W, rate, out = ctx.saved_tensors
        d_v, d_rate = torch.empty_like(out), torch.zeros_like(rate)
        d_seen = out.new_empty(*out.shape[:2], W.shape[1])
        d_h = out.new_zeros(len(out), *rate.shape)
        d_y = of_outputs[:, -1]
        for t in range(out.shape[1] - 1, -1, -1):
            d_v[:, t], d_seen[:, t], d_h, more = back(ctx.tokens[t], rate, d_y, d_h)
            d_rate += more
            if t:
                d_y = torch.addmm(of_outputs[:, t - 1], d_seen[:, t], W.T)
        d_W = out[:, :-1].flatten(0, 1).T @ d_seen[:, 1:].flatten(0, 1)
        return d_v, d_seen, d_W, d_rate


def back(
    k: Token, rate: torch.Tensor, d_y: torch.Tensor, d_h: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """The gradients by v, by the raw parameters, by the state before and by rate, from those by y and by the state after."""
    x, u, B, C = k.v, k.u, k.BC[:, 0], k.BC[:, 1]
    twice = 2 * k.alpha
    # h = g + B z^T, y = p + c z
    d_z = (B[:, None] @ d_h)[:, 0] + k.c * d_y
    # z = delta (x + 2 alpha e u)
    inner = k.delta * d_z
    along = dot(u, inner)
    d_w_u = twice * along / k.determinant
    # the determinant is 1 - 2 alpha c u.(delta u)
    d_determinant = -k.e * d_w_u
    u_delta_u = dot(k.delta * u, u)
    d_k = -twice * k.c * d_determinant
    # w = p + c delta x - x
    d_w = d_w_u * u
    d_p = d_y + d_w
    d_c = dot(d_y, k.z) + dot(d_w, k.delta * x) - twice * u_delta_u * d_determinant
    d_alpha = 2 * k.e * along - 2 * k.c * u_delta_u * d_determinant
    d_u = twice * k.e * inner + d_w_u * k.w + 2 * d_k * k.delta * u
    d_x = inner + (k.c * k.delta - 1) * d_w
    # p = C^T g, g = lambda h, lambda = exp(rate delta)
    d_g = torch.baddbmm(d_h, C[..., None], d_p[:, None])
    d_log = d_g * k.g
    d_delta = d_z * (x + twice * k.e * u) + k.c * x * d_w + d_k * u * u + (d_log * rate).sum(1)
    d_B = (d_h @ k.z[..., None])[..., 0] + d_c * C
    d_C = (k.g @ d_p[..., None])[..., 0] + d_c * B
    d_BC = torch.stack([d_B, d_C], dim=1)
    raw = (
        d_delta * k.delta * (1 - k.delta),
        d_alpha * k.alpha * (1 - k.alpha),
        (d_u - u * dot(u, d_u)) / k.norms[0],
        ((d_BC - k.BC * dot(k.BC, d_BC)) / k.norms[1]).flatten(1),
    )
    return d_x, torch.cat(raw, dim=-1), k.decay * d_g, (d_log * k.delta[:, None]).sum(0)
