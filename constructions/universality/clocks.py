"""Other clocks than one unit: several units that read the constant 1, and none at all but a bias (after orvieto24, Theorem 2)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from flint import fmpq

from ...numerics import exact
from ...numerics.exact import Array
from ..recurrence import Recurrence
from ..vandermonde import recall_matrix
from .maps import SequenceModel
from .networks import Network


def clock_states(nodes: Sequence[Any], length: int) -> Array:
    """Row k - 1 is the state of the clock units at step k: 1 + x + ... + x^(k-1) for each node x. Shape (length, number of nodes), exact."""
    return np.array([[sum((x**j for j in range(k)), x * 0) for x in nodes] for k in range(1, length + 1)], dtype=object)


def clocks_and_memory(nodes: Sequence[Any]) -> Recurrence:
    """The states (c_k, V_k v): as many units that read the constant 1 as units that read the tokens, with the same nodes. Exact."""
    eigenvalues = exact.rationals([*nodes, *nodes])
    transition = np.diag(eigenvalues) + exact.zeros(len(eigenvalues), len(eigenvalues))

    def inputs(v: Any) -> Array:
        return exact.rationals([[1]] * len(nodes) + [[v]] * len(nodes))

    return Recurrence(lambda v: transition, inputs, inputs(0) * 0, lambda H, v: H[:, 0])


def levels(corners: Sequence[fmpq], values: Sequence[fmpq], n: int) -> tuple[int, list[tuple[fmpq, int]]]:
    """(start, [(place, +1 or -1), ...]): an integer staircase within 1 of n f, for f linear between ``corners``; it moves where n f reaches the next integer.

    At most n V + 1/2 jumps, V the variation of f.
    """
    h = int((n * values[0] + fmpq(1, 2)).floor())
    start, jumps = h, []
    for (x, y), (a, b) in zip(pairwise(corners), pairwise(values), strict=True):
        sign = 1 if b > a else -1
        while a != b and sign * (n * b - (h + sign)) >= 0:
            h += sign
            jumps.append((x + (y - x) * (fmpq(h, n) - a) / (b - a), sign))
    return start, jumps


def schedule(start: int, jumps: Sequence[tuple[fmpq, int]], n: int) -> list[fmpq]:
    """4 n thresholds, of 2 n steps up and then 2 n steps down, for the staircase on [-1, 1]: -2 is always on, 2 never. Raises ``ValueError`` if they are too few."""
    out = []
    for sign in (1, -1):
        used = [fmpq(-2)] * max(sign * start, 0) + [place for place, direction in jumps if direction == sign]
        if len(used) > 2 * n:
            raise ValueError(f"expected at most {2 * n} steps of one direction, got {len(used)}: |f| <= 1 and |f'| <= 1 on [-1, 1]")
        out += used + [fmpq(2)] * (2 * n - len(used))
    return out


def scheduled_model(nodes: Sequence[Any], direction: Sequence[fmpq], thresholds: Sequence[Sequence[fmpq]], n: int) -> SequenceModel:
    """One head of 4 n steps on (c_k, V_k v) that at step k jumps, as a function of <direction, (0, ..., 0, v_1, ..., v_k)>, at ``thresholds[k - 1]``.

    ``nodes``: as many different ones as steps. Solves for the weights on the clocks, which exist because c_1, ..., c_L are independent.
    """
    length = len(thresholds)
    on_clocks = exact.multiply(exact.inverse(clock_states(nodes, length)), -exact.rationals([list(row) for row in thresholds]))
    on_memory = exact.multiply(exact.rationals([list(direction)]), exact.inverse(recall_matrix(exact.rationals(list(nodes)), length)))
    width = on_clocks.shape[1]
    inner = np.concatenate([on_clocks.T, np.repeat(on_memory, width, axis=0)], axis=1)
    outer = exact.rationals([fmpq(1, n)] * (width // 2) + [fmpq(-1, n)] * (width // 2))
    return SequenceModel(clocks_and_memory(nodes), Network(inner, exact.zeros(width), outer, fmpq(0)))


# -- no clock, but a bias ------------------------------------------------------------------------------------------------------------


def biased(nodes: Sequence[Any], beta: fmpq) -> Recurrence:
    """x_k = diag(nodes) x_(k-1) + (1, ..., 1)^T (beta + v_k) from 0. Exact."""
    eigenvalues = exact.rationals(list(nodes))
    transition = np.diag(eigenvalues) + exact.zeros(len(eigenvalues), len(eigenvalues))
    ones = exact.rationals([[1]] * len(eigenvalues))
    return Recurrence(lambda v: transition, lambda v: ones * (beta + v), ones * 0, lambda H, v: H[:, 0])


def paired_head(heads: Sequence[Network], beta: fmpq, largest: fmpq) -> Network:
    """One head of steps on z = (0, ..., 0, beta + v_1, ..., beta + v_k), shape (L,), that equals ``heads[k - 1]`` of v_1, ..., v_k at every step k, for |v_i| <= ``largest`` < ``beta``.

    The entry z_(L-k+1) is 0 before step k and large from it on. Each neuron of head k is there twice: one copy is saturated after step k, the other from step k on,
    and their weights cancel otherwise; the second copy is left out for the first step. One shift for each further step corrects the constants.
    """
    length, rows, bias, outer = len(heads), [], [], []
    before = fmpq(0)
    for k, head in enumerate(heads, 1):
        for row, c, weight in zip(head.inner, head.bias, head.outer, strict=True):
            spread = sum((abs(a) for a in row), fmpq(0))
            strong = (spread * (largest + beta) + abs(c) + 1) / (beta - largest)
            shifted = c - beta * sum(row, fmpq(0))
            later = [fmpq(0)] * (length - k) + list(row)
            sooner = list(later)
            sooner[length - k] = strong
            if k < length:
                later[length - k - 1] = strong
            copies = [(later, weight), (sooner, -weight)] if k > 1 else [(later, weight)]
            for copy, sign in copies:
                rows.append(copy)
                bias.append(shifted)
                outer.append(sign)
        # at step k the second copies are on: what remains is head k with its offset less the sum of its weights
        now = head.offset + sum(head.outer, fmpq(0))
        if k > 1:
            rows.append([fmpq(int(i == length - k)) for i in range(length)])
            bias.append((largest - beta) / 2)
            outer.append(now - before)
        before = now
    inner = exact.rationals(rows) if rows else exact.zeros(0, length)
    return Network(inner, exact.rationals(bias), exact.rationals(outer), heads[0].offset)


def biased_model(nodes: Sequence[Any], heads: Sequence[Network], beta: fmpq, largest: fmpq) -> SequenceModel:
    """``paired_head`` on the states of ``biased(nodes, beta)``, read through a left inverse of V_L: no unit is a clock. As many different nodes as steps."""
    omega = exact.inverse(recall_matrix(exact.rationals(list(nodes)), len(heads)))
    return SequenceModel(biased(nodes, beta), paired_head(heads, beta, largest).after(omega))
