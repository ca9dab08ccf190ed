"""Other clocks than one unit: several units that read the constant 1, and none at all but a bias (after orvieto24, Theorem 2)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from flint import fmpq

from ...numerics import exact
from ...numerics.cyclotomic import root_of_unity
from ...numerics.exact import Array
from ..recurrence import Recurrence
from ..vandermonde import recall_matrix
from .maps import SequenceModel
from .networks import Network, saturating_sum


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


def residue(states: Sequence[Any], period: int, r: int) -> Any:
    """1 if k - 1 leaves the remainder ``r`` modulo ``period``, else 0: affine in the states at step k of units that read 1 with the nodes z, z^2, ..., z^(period - 1), z a primitive root of unity."""
    total = root_of_unity(period, 0)
    for s, c in enumerate(states, 1):
        z = root_of_unity(period, s)
        # the state is (1 - z^k) / (1 - z)
        total = total + (1 - (1 - z) * c) * root_of_unity(period, -s * (r + 1))
    return total * fmpq(1, period)


def exchanged_head(direction: Sequence[fmpq], thresholds: Sequence[Sequence[fmpq]], n: int, period: int) -> Network:
    """One head on (k, the ``period`` residues of k - 1, the padded tokens) that at step k jumps along ``direction`` at ``thresholds[k - 1]``, weights +-1/n: the same neurons serve a block of ``period`` steps, and wait for it."""
    length, width = len(thresholds), len(thresholds[0])
    outer = exact.rationals([fmpq(1, n)] * (width // 2) + [fmpq(-1, n)] * (width // 2))
    blocks = range(-(-length // period))
    heads = []
    for block in blocks:
        steps = [thresholds[min(block * period + r, length - 1)] for r in range(period)]
        rows = [[fmpq(0), *(-steps[r][m] for r in range(period)), *direction] for m in range(width)]
        heads.append(Network(exact.rationals(rows), exact.zeros(width), outer, fmpq(0)))
    # the number of the block: k - 1 less its remainder, over the period
    clock = exact.rationals([fmpq(1, period), *(fmpq(-1 - r, period) for r in range(period)), *[fmpq(0)] * length])
    return saturating_sum(heads, [(clock, fmpq(-block)) for block in blocks], max(length, 2))


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


def separating_head(nodes: Sequence[fmpq], basis: Array, heads: Sequence[Network], largest: fmpq) -> tuple[fmpq, Network]:
    """(beta, head): as many positive nodes as columns of ``basis`` (L, P), and one head of sum (D_k + 1) - 1 steps on the states of ``biased(nodes, beta)`` that equals ``heads[k - 1]`` for tokens in its range.

    Every neuron is read so that its hyperplane misses the states of all other steps, which a large bias keeps apart. Raises ``ValueError`` if one of them is parallel to the way
    from its own states to those of another step: another direction close by, or other nodes, will do.
    """
    length, width = basis.shape
    V = [recall_matrix(exact.rationals(list(nodes)), k) for k in range(1, length + 1)]
    centres = [M.sum(axis=1) for M in V]
    alike = exceptional_steps(nodes, basis, heads)
    if alike:
        raise ValueError(f"expected a neuron of step {alike[0][0]} that tells its states from those of step {alike[0][1]}")
    found, beta = [], 1 + 4 * length * largest / min(nodes) ** length
    for k, head in enumerate(heads):
        for row, bias, weight in zip(head.inner, head.bias, head.outer, strict=True):
            normal = _normal(V[k] @ basis[: k + 1], basis[: k + 1].T @ row)
            for j in (j for j in range(length) if j != k):
                apart = sum(normal * (centres[j] - centres[k]), fmpq(0))
                spread = largest * sum((abs(x) for x in normal @ V[j]), fmpq(0)) + abs(bias)
                beta = max(beta, (spread + 1) / abs(apart))
            found.append((k, normal, bias, weight))
    rows = [normal for _, normal, _, _ in found]
    biases = [bias - beta * sum(normal * centres[k], fmpq(0)) for k, normal, bias, _ in found]
    outer = [weight for *_, weight in found]
    # what the neurons of other steps add to step k; the shifts along the first unit make up for it
    stray = [
        sum((weight for i, normal, _, weight in found if i != k and sum(normal * (centres[k] - centres[i]), fmpq(0)) > 0), fmpq(0))
        for k in range(length)
    ]
    constants = [head.offset - extra for head, extra in zip(heads, stray, strict=True)]
    for k in range(1, length):
        rows.append(exact.unit_vector(width, 0))
        biases.append(-beta * (centres[k][0] + centres[k - 1][0]) / 2)
        outer.append(constants[k] - constants[k - 1])
    inner = exact.rationals([list(row) for row in rows]) if rows else exact.zeros(0, width)
    return beta, Network(inner, exact.rationals(biases), exact.rationals(outer), constants[0])


def exceptional_steps(nodes: Sequence[fmpq], basis: Array, heads: Sequence[Network]) -> list[tuple[int, int]]:
    """Pairs (k, j) of steps, from 1 on: some neuron of ``heads[k - 1]`` is parallel to the way from the states of step k to those of step j.

    Empty but for finitely many hyperplanes of directions of the neurons. Raises ``ValueError`` for nodes whose states do not determine the tokens.
    """
    V = [recall_matrix(exact.rationals(list(nodes)), k) for k in range(1, len(basis) + 1)]
    centres = [M.sum(axis=1) for M in V]
    return [
        (k + 1, j + 1)
        for k, head in enumerate(heads)
        for row in head.inner
        for normal in [_normal(V[k] @ basis[: k + 1], basis[: k + 1].T @ row)]
        for j in range(len(basis))
        if j != k and sum(normal * (centres[j] - centres[k]), fmpq(0)) == 0
    ]


def _normal(gamma: Array, read: Array) -> Array:
    """Some nu with gamma^T nu = read, exact: the free entries are 1, 1/2, 1/3, ... Raises ``ValueError`` if there is none."""
    count, columns = gamma.shape[0], exact.rationals(gamma.T)
    free = [j for j in range(count) if exact.rank(columns[:, : j + 1]) == (exact.rank(columns[:, :j]) if j else 0)]
    bound = [j for j in range(count) if j not in free]
    normal = exact.rationals([fmpq(1, 1 + free.index(j)) if j in free else 0 for j in range(count)])
    left = columns[:, bound]
    solved = exact.multiply(exact.inverse(left.T @ left), left.T, (read - columns @ normal)[:, None])[:, 0] if bound else []
    for j, value in zip(bound, solved, strict=True):
        normal[j] = value
    if not np.array_equal(columns @ normal, read):
        raise ValueError("expected nodes whose states determine the tokens of every step")
    return normal
