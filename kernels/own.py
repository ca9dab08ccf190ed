"""This project's recurrences as kernels: the scan, the loops and the delta rule step by step, with q, k, v, beta and log gates as libraries take them.

All take torch tensors q (B, T, H, K), k (B, mT, H, K), v (B, mT, H, V), beta (B, mT, H), g (B, T, H) or (B, T, H, K), initial_state (B, H, K, V) or
None, and return (outputs, final state), as flash-linear-attention's functions do. m is ``num_householder``.
"""

from __future__ import annotations

from collections.abc import Callable

import torch

from ..constructions.automata.delta_rule import delta_rule
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
