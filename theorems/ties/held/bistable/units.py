"""Units and scans, row by row: each type of numbers, nests of arrays, both directions, up to 13 steps and units."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
from flint import arb, fmpq

from .....constructions.bistable import cell, hybrids
from .....numerics import exact, scan
from ....claim import tie
from ....evidence import Proof
from .. import POSITIVE, SIZES, hold, hold_refusals, integers, plain


@tie("degeeter26.eq11")
def units_in_types(proof: Proof) -> None:
    """A layer of up to 13 units unit by unit, on rationals and floats; single units at thresholds and beyond."""
    rng = Random(351)
    for n, m in proof.tied("up to 13 units and inputs", [(1, 1), (2, 3), (5, 2), (7, 7), (12, 9), (13, 13)]):
        W, b, V, c, alpha = (
            integers(rng, n, m),
            integers(rng, n, 1)[:, 0],
            integers(rng, n, m),
            integers(rng, n, 1)[:, 0],
            integers(rng, n, 1)[:, 0],
        )
        inputs, start = [integers(rng, m, 1)[:, 0] for _ in range(4)], integers(rng, n, 1)[:, 0]
        candidates = [[sum(W[i, j] * x[j] for j in range(m)) + b[i] for i in range(n)] for x in inputs]
        thresholds = [[abs(sum(V[i, j] * x[j] for j in range(m)) + c[i]) for i in range(n)] for x in inputs]
        wanted, h = [], list(start)
        for hats, betas in zip(candidates, thresholds, strict=True):
            h = [(alpha[i] if hats[i] >= 0 else -alpha[i]) if abs(hats[i]) >= betas[i] else h[i] for i in range(n)]
            wanted.append(tuple(h))
        for one in (fmpq(1), 1.0):
            layer = cell.BMRU(W * one, b * one, V * one, c * one, alpha * one)
            given = [x * one for x in inputs]
            proof.exactly(
                "candidate, threshold",
                ([list(layer.candidate(x)) for x in given], [list(layer.threshold(x)) for x in given]),
                (candidates, thresholds),
            )
            gates = [
                [int(abs(x) >= y) for x, y in zip(hats, betas, strict=True)] for hats, betas in zip(candidates, thresholds, strict=True)
            ]
            proof.exactly("gate", [list(layer.gate(x)) for x in given], gates)
            proof.exactly(
                "written",
                [list(layer.written(x)) for x in given],
                [[alpha[i] * (1 if x >= 0 else -1) for i, x in enumerate(hats)] for hats in candidates],
            )
            proof.exactly("the states", layer.recurrence(start * one).run(given), wanted)
        actions = {x: [rng.choice((-1, 0, 1)) for _ in range(n)] for x in range(m)}
        word = [rng.randrange(m) for _ in range(13)]
        bits = [rng.choice((-1, 1)) for _ in range(n)]
        layer, expected, now = cell.flip_flops(actions, bits), [], list(bits)
        for x in word:
            now = [a or q for a, q in zip(actions[x], now, strict=True)]
            expected.append(tuple(now))
        proof.exactly("flip_flops", layer.run(word), expected)
    numbers = [(h, x, beta, 3) for h in (-3, 3) for x in (-13, -2, -1, 0, 1, 2, 12) for beta in (1, 2, 12)]
    for one in (1, fmpq(1), 1.0):
        given = [tuple(one * v for v in row) for row in numbers]
        hold(proof, "integers, rationals, floats", cell.simplified, lambda h, x, b, a: (a if x >= 0 else -a) if abs(x) >= b else h, given)
        hold(proof, "integers, rationals, floats", cell.gated, lambda h, x, b, a: (a if x >= 0 else -a) if abs(x) >= b else h, given)
        hold(
            proof,
            "integers, rationals, floats",
            cell.approximation,
            lambda h, x, b, a: a if x >= b or (abs(x) < b and h * b + x >= 0) else -a,
            given,
        )
    hold(proof, "-13 to 13", cell.sign, lambda x: -1 if x < 0 else 1, [(s * x,) for x in range(-13, 14) for s in (1, fmpq(1, 2), 0.5)])
    hold(proof, "-13 to 13", cell.heaviside, lambda x: 0 if x < 0 else 1, [(s * x,) for x in range(-13, 14) for s in (1, fmpq(1, 2), 0.5)])
    hold_refusals(proof, "complex numbers", [(f, (1j,)) for f in (cell.sign, cell.heaviside)])
    hold_refusals(proof, "complex units", [(f, (1, -1j, 2j, 1)) for f in (cell.simplified, cell.approximation, cell.gated)])


@tie("degeeter26.eq11")
def balls_of_units(proof: Proof) -> None:
    """Hysteresis with beta up to 13, either sign of the input: folds, solutions, one tick, surrogates, against other formulas."""

    def near(x: arb, y: arb) -> bool:
        return bool(x.overlaps(y)) and float(x.rad()) < 1e-6

    for beta in proof.tied("beta from 1/4 to 13", [fmpq(1, 4), 1, 3, 5, 7, 9, 12, 13]):
        b = arb(beta)
        proof.certified("fold_state", near(cell.fold_state(beta), (b / (b + 1)).sqrt()))
        h = cell.fold_state(beta)
        proof.certified("fold_input", near(cell.fold_input(beta), (b + 1) * h - ((1 + h) / (1 - h)).log() / 2))
        proof.certified("steady_input", near(cell.steady_input(arb("0.25"), beta), (arb(5) / 3).log() / 2 - (b + 1) / 4))
        for x, c in ((-12, fmpq(1, 2)), (0, 1), (fmpq(1, 3), fmpq(-1, 4)), (9, 3)):
            e = ((arb(x) + (b + 1) * arb("0.5")) * 2).exp()
            proof.certified("update", near(cell.update(arb("0.5"), x, beta, c), (1 - arb(c)) / 2 + arb(c) * (e - 1) / (e + 1)))
        for x in (fmpq(-1, 50), fmpq(1, 9), 12, -13):
            found = cell.equilibria(x, beta)
            inside = bool(abs(arb(x)) < cell.fold_input(beta))
            solved = all(
                bool((cell.steady_input(h, beta) - arb(x)).contains(0))
                for h in found
                if abs(h) < 1 and float(h.rad()) < 1e-9 and abs(float(h)) < 0.999999
            )
            ascending = all(float(p) < float(q) for p, q in pairwise(found))
            proof.exactly("equilibria: how many, in order, solutions", (len(found), ascending, solved), (3 if inside else 1, True, True))
    for x, sharpness in proof.tied(
        "numbers -13 to 12, slopes up to 12", [(x, s) for x in (-13, -1, 0, fmpq(1, 3), 12) for s in (1, 5, 12)]
    ):
        proof.certified("surrogate_slope", near(cell.surrogate_slope(x, sharpness), 1 / (1 + (arb(sharpness) * arb.pi() * arb(x)) ** 2)))
        proof.exactly(
            "surrogate_slope: with a pi",
            cell.surrogate_slope(fmpq(x), fmpq(sharpness), fmpq(22, 7)),
            1 / (1 + (fmpq(22, 7) * x * sharpness) ** 2),
        )
    rng = Random(352)
    for T in proof.tied("1 to 13 steps, rational and float", POSITIVE):
        hats, betas = [fmpq(rng.randint(-5, 5), 2) for _ in range(T)], [fmpq(rng.randint(1, 9), 2) for _ in range(T)]
        kept = all(abs(x) < beta for x, beta in zip(hats[1:], betas[1:], strict=True))
        slope = lambda u: 1 / (1 + u * u)  # noqa: E731
        s, z = (1 if hats[0] >= 0 else -1), int(abs(hats[0]) >= betas[0])
        gate = slope(abs(hats[0]) - betas[0])
        wanted = ((gate * s * (s * 3 - 1) + z * 6 * slope(hats[0])) * kept, -gate * (s * 3 - 1) * kept)
        proof.exactly("gradients", cell.gradients(hats, betas, fmpq(1), fmpq(3), slope), wanted)
        as_floats = cell.gradients([float(x.p) / int(x.q) for x in hats], [int(x.p) / int(x.q) for x in betas], 1.0, 3.0, slope)
        proof.closely(
            "gradients: floats", max(abs(x - int(fmpq(y).p) / int(fmpq(y).q)) for x, y in zip(as_floats, wanted, strict=True)), 1e-12
        )


@tie("degeeter26.appB.thm2")
def scans_of_nests(proof: Proof) -> None:
    """Prefixes one by one: up to 13 elements, both directions, each axis, nests of dicts and tuples, floats, complex numbers, integers and rationals."""
    rng = Random(353)
    operators: list[tuple[str, Callable[[Any, Any], Any]]] = [
        ("affine maps", scan.compose_affine),
        ("affine maps of matrices", scan.compose_matrices),
    ]
    for n in proof.tied("0 to 13 elements", SIZES):
        for kind in (int, float, complex, object):
            a, b = (integers(rng, n, 4, 1).astype(kind).reshape(n, 2, 2) for _ in range(2))
            if kind is object:
                a, b = a * fmpq(1), b * fmpq(1)
            for name, op in operators:
                by_hand = []
                for t in range(n):
                    one = (a[t], b[t])
                    if by_hand:
                        p, q = by_hand[-1]
                        one = (a[t] * p, a[t] * q + b[t]) if op is scan.compose_affine else (a[t] @ p, a[t] @ q + b[t])
                    by_hand.append(one)
                whole = [np.array([pair[i] for pair in by_hand], dtype=kind).reshape(n, 2, 2) for i in range(2)]
                if kind is not object:
                    proof.exactly(f"associative_scan: {name}", plain(scan.associative_scan(op, (a, b))), plain(tuple(whole)))
                    proof.exactly(f"sequential_scan: {name}", plain(scan.sequential_scan(op, (a, b))), plain(tuple(whole)))
                    flipped = scan.associative_scan(op, (a[::-1], b[::-1]), reverse=True)
                    proof.exactly(f"associative_scan: {name}, from the end", plain(tuple(x[::-1] for x in flipped)), plain(tuple(whole)))

                    def in_dicts(x: Any, y: Any, op: Callable[[Any, Any], Any] = op) -> Any:
                        p, q = op((x["a"][0], x["b"]), (y["a"][0], y["b"]))
                        return {"b": q, "a": [p]}

                    nested = scan.associative_scan(in_dicts, {"b": b, "a": [a]})
                    proof.exactly(f"associative_scan: {name}, in a nest", plain((nested["a"][0], nested["b"])), plain(tuple(whole)))
                proof.exactly(
                    f"compose: {name}",
                    plain(op((a[0], b[0]), (a[n - 1], b[n - 1]))) if n else (),
                    plain(
                        (a[n - 1] * a[0], a[n - 1] * b[0] + b[n - 1])
                        if op is scan.compose_affine
                        else (a[n - 1] @ a[0], a[n - 1] @ b[0] + b[n - 1])
                    )
                    if n
                    else (),
                )
            if kind in (float, complex):
                for axis in (0, 1):
                    turned = [np.moveaxis(x, 0, axis) for x in (a, b)]
                    h, states = np.zeros((2, 2), dtype=kind) + 2, []
                    for t in range(n):
                        h = a[t] * h + b[t]
                        states.append(h)
                    found = scan.linear_recurrence(turned[0], turned[1], np.zeros((2, 2), dtype=kind) + 2, axis)
                    proof.exactly(
                        "linear_recurrence", plain(np.moveaxis(found, axis, 0)), plain(np.array(states, dtype=kind).reshape(n, 2, 2))
                    )
        catalan = [1, 1, 2, 5, 14, 42, 132]
        if 0 < n < 8:
            trees = scan.bracketings(n)
            proof.exactly(
                "bracketings, evaluate",
                (len(trees), {scan.evaluate(t, lambda x, y: x + y, "abcdefghijklm") for t in trees}),
                (catalan[n - 1], {"abcdefghijklm"[:n]}),
            )
    for op, wanted in proof.tied(
        "nests and back", [((1, [2, {"y": 3, "x": 4}]), [1, 2, 4, 3]), ({"b": -1, "a": (2.5, 1j)}, [2.5, 1j, -1]), ((), [])]
    ):
        leaves, rebuild = scan.flatten(op)
        proof.exactly("flatten", (leaves, plain(rebuild(leaves))), (wanted, plain(op)))
    x = np.zeros((3, 2))
    bad: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
        (f, (scan.compose_affine, e)) for f in (scan.associative_scan, scan.sequential_scan) for e in ((), (x, x[:2]), (x, 1.0))
    ]
    bad += [
        (scan.associative_scan, (lambda p, q: p[:, :1], x)),
        (scan.associative_scan, (lambda p, q: (p, q), x)),
        (scan.associative_scan, (lambda p, q: p, x, 2)),
        (scan.sequential_scan, (lambda p, q: p, x, -3)),
    ]
    hold_refusals(proof, "no arrays, sizes and shapes that differ, no such axis", bad)


@tie("new.bistable.hybrid")
def matrices_of_hybrids(proof: Proof) -> None:
    """Clocks and delays of up to 13 coordinates, and linear layers in each type of numbers."""
    rng = Random(354)
    hold(
        proof,
        "1 to 13 coordinates",
        hybrids.clock_matrix,
        lambda N: exact.rationals([[int(i == (j + 1) % N) for j in range(N)] for i in range(N)]),
        ((N,) for N in POSITIVE),
    )
    hold(
        proof,
        "1 to 13 coordinates",
        hybrids.delay_matrix,
        lambda n: exact.rationals([[int(i == j + n and j < n) for j in range(2 * n)] for i in range(2 * n)]),
        ((n,) for n in POSITIVE),
    )
    hold_refusals(proof, "no size", [(hybrids.delay_matrix, (-2,)), (hybrids.clock_matrix, (-2,))])
    for n in proof.tied("up to 13 units", POSITIVE):
        A, start, word = integers(rng, n, n, 1), integers(rng, n, 1)[:, 0], [rng.randint(-3, 3) for _ in range(4)]
        h, wanted = list(start), []
        for x in word:
            h = [sum(A[i, j] * h[j] for j in range(n)) + (x if i == 0 else 0) for i in range(n)]
            wanted.append(h)
        for one in (fmpq(1), 1.0, 1 + 0j):
            unit = np.array([one * int(i == 0) for i in range(n)], dtype=object)
            layer = hybrids.linear_layer(A * one, lambda x, unit=unit: unit * x, start * one, lambda H, x: list(H[:, 0]))
            proof.exactly("linear_layer", layer.run(word), wanted)
