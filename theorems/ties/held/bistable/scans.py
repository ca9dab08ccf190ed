"""Scans, row by row: nests of up to 13 arrays, products in every order of up to 13 numbers, gradients through the loop."""

from __future__ import annotations

from itertools import accumulate
from math import comb
from random import Random
from typing import Any

import numpy as np
from flint import fmpq

from .....numerics import scan
from ....claim import tie
from ....evidence import Proof
from .. import POSITIVE, hold_refusals, rational


def joined(a: Any, b: Any) -> Any:
    """An associative operator that does not commute, entry by entry: (x, y) stands for h -> x h + y."""
    if isinstance(a, dict):
        return {"x": a["x"] * b["x"], "y": b["x"] * a["y"] + b["y"]}
    return (a[0] * b[0], b[0] * a[1] + b[1], *(p + q for p, q in zip(a[2:], b[2:], strict=True)))


@tie("degeeter26.eq11")
def nests_of_arrays(proof: Proof) -> None:
    """Prefixes of nests of 2 to 13 arrays by accumulation, in each type, from either end; the arrays of a nest in order; no arrays."""
    rng = Random(351)
    for count in proof.tied("13 to 2 arrays of up to 13 positions", (13, 10, 7, 4, 2)):
        for n in (13, 8, 3, 2, 1, 0):
            rows = [[rng.randint(-2, 2) for _ in range(n)] for _ in range(count)]
            forward = list(accumulate(zip(*rows, strict=True), joined))
            backward = list(accumulate(list(zip(*rows, strict=True))[::-1], joined))[::-1]
            kinds: tuple[Any, ...] = (object, np.int64, float, complex)
            for kind in kinds:
                arrays = tuple(np.array(row, dtype=kind) for row in rows)
                for reverse, wanted in ((False, forward), (True, backward)):
                    found = scan.associative_scan(joined, arrays, reverse=reverse)
                    proof.exactly("associative_scan", [x.tolist() for x in found], [[w[i] for w in wanted] for i in range(count)])
                one_by_one = scan.sequential_scan(joined, arrays)
                proof.exactly("sequential_scan", [x.tolist() for x in one_by_one], [[w[i] for w in forward] for i in range(count)])
            given = {"y": np.array(rows[1], dtype=object), "x": np.array(rows[0], dtype=object)}
            named = scan.associative_scan(joined, given)
            proof.exactly("by name", {k: list(v) for k, v in named.items()}, {"y": [w[1] for w in forward], "x": [w[0] for w in forward]})
        for shape in ((count,), (3, count, 2), (1, 0)):
            x = np.zeros(shape)
            sizes = [scan._size(x, axis) for axis in range(-len(shape), len(shape))]
            proof.exactly("_size", sizes, [*shape, *shape])
        nest: Any = [(k, {"b": -k, "a": [k + 1, (k + 2,)]}) for k in range(count)]
        leaves, rebuild = scan.flatten(nest)
        proof.exactly("flatten", leaves, [x for k in range(count) for x in (k, k + 1, k + 2, -k)])
        again = [(-k, {"b": k, "a": [-k - 1, (-k - 2,)]}) for k in range(count)]
        proof.exactly("and others in their places", rebuild([-x for x in leaves]) == again, True)
    hold_refusals(
        proof,
        "no array, other lengths, an operator that drops one",
        [
            (scan.associative_scan, (joined, ())),
            (scan.associative_scan, (joined, (np.zeros(3), np.zeros(2)))),
            (scan.sequential_scan, (joined, (np.zeros(3), np.zeros(2)))),
            (scan.associative_scan, (lambda a, b: a[:1], (np.zeros(3), np.zeros(3)))),
            (scan.sequential_scan, (lambda a, b: a[:1], (np.zeros(3), np.zeros(3)))),
        ],
    )


@tie("degeeter26.appB.thm1")
def orders_of_products(proof: Proof) -> None:
    """All bracketings of up to 10 numbers, one or two of 13, from any first place, by Catalan numbers and their leaves; their products in each type of numbers."""
    rng = Random(352)

    def leaves(tree: Any) -> list[int]:
        return [x for part in tree for x in leaves(part)] if isinstance(tree, tuple) else [tree]

    for n in proof.tied("no leaves, and 1 to 10", (-3, -1, 0, 1, 2, 3, 5, 7, 8, 9, 10)):
        for first in (-13, -1, 0, 4) if n < 9 else (0,):
            trees = scan.bracketings(n, first)
            proof.exactly("bracketings: how many", len(trees), comb(2 * n - 2, n - 1) // n if n > 0 else 0)
            proof.exactly("bracketings: no two alike", len(set(trees)), len(trees))
            proof.exactly("bracketings: the leaves in order", all(leaves(t) == list(range(first, first + n)) for t in trees), True)
    for n in proof.tied("products of 1 to 13 numbers in two orders", POSITIVE):
        left, right = 0, n - 1
        for k in range(1, n):
            left, right = (left, k), (n - 1 - k, right)
        exact = [rational(rng) for _ in range(n)]
        kinds: list[list[Any]] = [
            exact,
            [complex(rng.randint(-2, 2), rng.randint(-2, 2)) for _ in range(n)],
            [float(rng.randint(-3, 3)) for _ in range(n)],
        ]
        for numbers in kinds:
            from_left, from_right = numbers[0], numbers[-1]
            for x in numbers[1:]:
                from_left = from_left - 2 * x
            for x in numbers[-2::-1]:
                from_right = x - 2 * from_right
            found = [scan.evaluate(tree, lambda a, b: a - 2 * b, numbers) for tree in (left, right)]
            proof.exactly("evaluate", found, [from_left, from_right])


@tie("degeeter26.eq11")
def gradients_through_the_loop(proof: Proof) -> None:
    """In torch, wide enough for the loop: states with and without gradients are those of the recurrence, and the gradients products of the factors behind."""
    for torch in proof.extra("torch"):
        for length in (1, 2, 3, 9, 13):
            factors = torch.tensor([[(-1.0) ** t * 2.0 ** (t % 3 - 1)] * scan.WIDE for t in range(length)], dtype=torch.float64)
            terms = torch.arange(length * scan.WIDE, dtype=torch.float64).reshape(length, scan.WIDE) - 9
            start = torch.full((scan.WIDE,), -3.0, dtype=torch.float64)
            wanted, state = [], [-3.0] * scan.WIDE
            for a, b in zip(factors.tolist(), terms.tolist(), strict=True):
                state = [x * h + y for x, h, y in zip(a, state, b, strict=True)]
                wanted.append(state)
            proof.exactly("the loop", scan.prefers_loop(terms), True)
            proof.exactly("without gradients", scan.linear_recurrence(factors, terms, start).tolist(), wanted)
            traced = terms.clone().requires_grad_()
            found = scan.linear_recurrence(factors, traced, start)
            proof.exactly("with gradients", found.detach().tolist(), wanted)
            found[-1].sum().backward()
            behind = [float(np.prod([float(factors[s, 0]) for s in range(t + 1, length)])) for t in range(length)]
            proof.exactly("gradients", traced.grad[:, 5].tolist(), behind)


@tie("degeeter26.appB.thm2")
def affine_maps_in_types(proof: Proof) -> None:
    """Affine maps one after another, numbers and matrices, exact, float and complex."""
    rng = Random(353)
    ones: tuple[Any, ...] = (fmpq(1), 1.0, 1 + 0j)
    for n in proof.tied("up to 13 rows", (1, 2, 5, 9, 13)):
        a, b, c, d = (np.array([[rng.randint(-2, 2) for _ in range(n)] for _ in range(n)], dtype=object) for _ in range(4))
        h = [[rng.randint(-2, 2)] for _ in range(n)]

        def applied(A: np.ndarray, B: np.ndarray, x: Any, n: int = n) -> list[list[Any]]:
            return [[sum(A[i, k] * x[k][j] for k in range(n)) + B[i, j] for j in range(len(x[0]))] for i in range(n)]

        for one in ones:
            A, B, C, D = (x * one for x in (a, b[:, :1], c, d[:, :1]))
            P, q = scan.compose_matrices((A, B), (C, D))
            wanted = applied(C, D, applied(A, B, h))
            proof.exactly("compose_matrices", applied(P, q, h), wanted)
            x, y = scan.compose_affine((a * one, b * one), (c * one, d * one))
            entrywise = [[c[i, j] * (a[i, j] * 3 + b[i, j]) + d[i, j] for j in range(n)] for i in range(n)]
            proof.exactly("compose_affine", (x * 3 + y).tolist(), entrywise)
