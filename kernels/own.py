"""This project's recurrences as kernels: the scan, the loops and the delta rule step by step, with q, k, v, beta and log gates as libraries take them.

All take torch tensors q (B, T, H, K), k (B, mT, H, K), v (B, mT, H, V), beta (B, mT, H), g (B, T, H) or (B, T, H, K), initial_state (B, H, K, V) or
None, and return (outputs, final state), as flash-linear-attention's functions do. m is ``num_householder``.
"""

from __future__ import annotations

from collections.abc import Callable

import torch

from ..constructions.automata.run.delta_rule import delta_rule
from ..constructions.torch_recurrence import EntrywiseLoop
from ..experiments.recurrences import MatrixLoop
from ..numerics.scan import associative_scan, compose_affine, compose_matrices

Tensor = torch.Tensor


def folded(x: Tensor) -> Tensor:
    """(B, T, H, ...) -> (B H, T, ...): a head is a sequence of its own."""
    return x.transpose(1, 2).flatten(0, 1)


def unfolded(x: Tensor, heads: int) -> Tensor:
    """The inverse of :func:`folded`."""
    return x.unflatten(0, (-1, heads)).transpose(1, 2)


def started(k: Tensor, v: Tensor, initial_state: Tensor | None) -> Tensor:
    """The first state (B H, K, V) in the keys' type; zeros for None."""
    B, _, H, K = k.shape
    S = torch.zeros(B, H, K, v.shape[-1]) if initial_state is None else initial_state
    return S.to(k.dtype).flatten(0, 1)


def step_by_step(
    q: Tensor, k: Tensor, v: Tensor, beta: Tensor, scale: float, initial_state: Tensor | None = None, output_final_state: bool = True
) -> tuple[Tensor, Tensor | None]:
    """The delta rule as the compiler's fused path computes it."""
    B, _, H, _ = q.shape
    queries, keys, values = (folded(x)[:, :, None] for x in (q, k, v))
    o, S = delta_rule(queries, keys, values, folded(beta)[..., None], scale, started(k, v, initial_state)[:, None])
    return unfolded(o[:, :, 0], H), S[:, 0].unflatten(0, (B, H)) if output_final_state else None


def maps(k: Tensor, v: Tensor, beta: Tensor | None, g: Tensor, num_householder: int) -> tuple[Tensor, Tensor]:
    """(A, B) of each step of one head: S -> A S + B, by the gate first and the updates after it."""
    rows, K = (len(k), g.shape[1]), k.shape[-1]
    gate = g.exp().to(k.dtype)
    gate = gate[..., None].expand(*rows, K) if gate.ndim == 2 else gate
    A, B = torch.diag_embed(gate), torch.zeros(*rows, K, v.shape[-1], dtype=k.dtype)
    for j in range(num_householder):
        key, value = (x[:, j::num_householder] for x in (k, v))
        column = key[..., None]
        if beta is None:
            B = B + column * value[..., None, :]
        else:
            strength = beta[:, j::num_householder, None, None]
            A = A - strength * column * (column.mT @ A)
            B = B + strength * column * (value[..., None, :] - column.mT @ B)
    return A, B


def _by(states: Callable[[Tensor, Tensor, Tensor], Tensor]) -> Callable[..., tuple[Tensor, Tensor | None]]:
    """A kernel from a function (A, B, S_0) -> states, for A (n, T, K, K), B (n, T, K, V), S_0 (n, K, V)."""

    def kernel(
        q: Tensor,
        k: Tensor,
        v: Tensor,
        g: Tensor,
        scale: float,
        beta: Tensor | None = None,
        initial_state: Tensor | None = None,
        output_final_state: bool = True,
        num_householder: int = 1,
    ) -> tuple[Tensor, Tensor | None]:
        B, _, H, _ = q.shape
        A, b = maps(folded(k), folded(v), None if beta is None else folded(beta), folded(g), num_householder)
        S = states(A, b, started(k, v, initial_state))
        o = scale * (folded(q)[..., None, :] @ S)[..., 0, :]
        return unfolded(o, H), S[:, -1].unflatten(0, (B, H)) if output_final_state else None

    return kernel


def _scanned(A: Tensor, b: Tensor, start: Tensor) -> Tensor:
    products, sums = associative_scan(compose_matrices, (A, b), axis=1)
    return products @ start[:, None] + sums


def _looped(A: Tensor, b: Tensor, start: Tensor) -> Tensor:
    """Every sequence has a start of its own, and the loop takes one start for all."""
    return torch.cat([MatrixLoop.apply(A[i : i + 1], b[i : i + 1], start[i]) for i in range(len(A))])  # type: ignore[misc]


def _entrywise(A: Tensor, b: Tensor, start: Tensor) -> Tensor:
    """For diagonal A."""
    gate = A.diagonal(dim1=-2, dim2=-1)[..., None].expand_as(b)
    products, sums = associative_scan(compose_affine, (gate, b), axis=1)
    return products * start[:, None] + sums


def _entrywise_looped(A: Tensor, b: Tensor, start: Tensor) -> Tensor:
    gate = A.diagonal(dim1=-2, dim2=-1)[..., None].expand_as(b)
    return EntrywiseLoop.apply(gate, b, start)  # type: ignore[return-value]


scan = _by(_scanned)
loop = _by(_looped)
entrywise_scan = _by(_entrywise)
entrywise_loop = _by(_entrywise_looped)


# -- rules with inputs of their own ------------------------------------------------------------------------------------------


def _of_mamba2(kernel: Callable[..., tuple[Tensor, Tensor | None]]) -> Callable[..., tuple[Tensor, Tensor]]:
    """Mamba-2 by a kernel of linear attention with a gate: C asks, B is the key, dt x the value and dt A the log gate. States are (B, H, P, N)."""

    def by_attention(x: Tensor, dt: Tensor, A: Tensor, B: Tensor, C: Tensor, initial_state: Tensor | None = None) -> tuple[Tensor, Tensor]:
        groups = x.shape[2] // B.shape[2]
        value, start = (dt[..., None] * x).to(x.dtype), None if initial_state is None else initial_state.mT
        keys, queries = (y.repeat_interleave(groups, dim=2) for y in (B, C))
        o, S = kernel(queries, keys, value, dt * A, 1.0, initial_state=start)
        assert S is not None
        return o, S.mT

    return by_attention


def _of_two_keys(states: Callable[[Tensor, Tensor, Tensor], Tensor]) -> Callable[..., tuple[Tensor, Tensor]]:
    """RWKV-7: S -> (diag(e^w) + b a^T) S + k v^T, by a function (A, B, S_0) -> states."""

    def kernel(
        r: Tensor, w: Tensor, k: Tensor, v: Tensor, a: Tensor, b: Tensor, scale: float, initial_state: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        B, _, H, _ = r.shape
        A = torch.diag_embed(folded(w).exp().to(k.dtype)) + folded(b)[..., None] * folded(a)[..., None, :]
        S = states(A, folded(k)[..., None] * folded(v)[..., None, :], started(k, v, initial_state))
        o = scale * (folded(r)[..., None, :] @ S)[..., 0, :]
        return unfolded(o, H), S[:, -1].unflatten(0, (B, H))

    return kernel


def complex_scan(a: Tensor, u: Tensor, initial_state: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """h -> a h + u entry by entry, in complex numbers, by the scan. Shapes (B, T, H, K); the outputs are the states."""
    products, sums = associative_scan(compose_affine, (a, u), axis=1)
    states = sums if initial_state is None else products * initial_state[:, None] + sums
    return states, states[:, -1]


def complex_loop(a: Tensor, u: Tensor, initial_state: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """The same step by step."""
    states = EntrywiseLoop.apply(a, u, torch.zeros_like(u[:, 0]) if initial_state is None else initial_state)
    return states, states[:, -1]  # type: ignore[return-value,index]


gated_scan = _of_mamba2(entrywise_scan)
gated_loop = _of_mamba2(entrywise_loop)
two_keys_scan = _of_two_keys(_scanned)
two_keys_loop = _of_two_keys(_looped)
