"""Networks with one hidden layer: neurons, staircases, greedy choices, spikes."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, permutations, product
from random import Random

import numpy as np
from flint import fmpq

from ....constructions.universality.heads import product_heads, square_staircase
from ....constructions.universality.networks import (
    affine_ratios,
    centred_steps,
    generic_points,
    greedy,
    greedy_uniform,
    ramp,
    ridge,
    settled,
    spiked_step,
    staircase,
    step,
    together,
)
from ....numerics import exact
from ...claim import tie
from ...evidence import Proof
from ..shared import refuses
from .common import drawn_head, fmpq_value, head_by_hand, tokens_of


@tie("orvieto24.thm2.amended")
def networks(proof: Proof) -> None:
    """One hidden layer, neuron by neuron: values, sums, ridges, staircases, what is settled on a cube."""
    rng = Random(54)
    for u in proof.tied("numbers from -2 to 2", [fmpq(k, 4) for k in range(-8, 9)]):
        array = np.array([u, -u, u + 1], dtype=object)
        proof.exactly("step", list(step(array)), [int(x >= 0) for x in (u, -u, u + 1)])
        proof.exactly("ramp", list(ramp(array)), [min(max(x, fmpq(0)), fmpq(1)) for x in (u, -u, u + 1)])
        floats = np.array([float(x) for x in array])
        proof.exactly(
            "ramp and step of floats",
            (list(ramp(floats)), list(step(floats))),
            ([min(max(x, 0.0), 1.0) for x in floats], [int(x >= 0) for x in floats]),
        )
    for inputs, width, activation in proof.tied(
        "1 to 9 inputs, 0 to 12 neurons, steps and ramps", product((1, 2, 5, 9), (0, 1, 4, 12), (step, ramp))
    ):
        head = replace(drawn_head(rng, inputs, width), activation=activation)
        points = [tokens_of(rng, inputs, fmpq(2)) for _ in range(5)]
        proof.exactly("values", [head(np.array(x, dtype=object)) for x in points], [head_by_hand(head, x) for x in points])
        proof.exactly("of a batch", list(head(np.array(points, dtype=object).T)), [head_by_hand(head, x) for x in points])
        proof.exactly("the width", head.width, width)
        A = exact.rationals([[rng.randint(-2, 2) for _ in range(3)] for _ in range(inputs)])
        after = head.after(A)
        seen = [
            [sum((a * v for a, v in zip(row, x[:3] + [fmpq(1)] * (3 - len(x[:3])), strict=True)), fmpq(0)) for row in A] for x in points
        ]
        proof.exactly(
            "after a matrix",
            [after(np.array(x[:3] + [fmpq(1)] * (3 - len(x[:3])), dtype=object)) for x in points],
            [head_by_hand(head, y) for y in seen],
        )
        proof.exactly("with the same neurons", (after.width, after.activation), (width, activation))
        reach = fmpq(rng.randint(1, 5), 2)
        largest = [sum((abs(a) for a in row), fmpq(0)) * reach + abs(b) for row, b in zip(head.inner, head.bias, strict=True)]
        proof.exactly("bounded_by", head.bounded_by(reach), max(largest, default=0))
        other = replace(drawn_head(rng, inputs, 3), activation=activation)
        alone = together([head])
        proof.exactly("together: one", [alone(np.array(x, dtype=object)) for x in points], [head_by_hand(head, x) for x in points])
        proof.exactly("together: its activation", alone.activation, activation)
        both = together([head, other, other])
        proof.exactly(
            "together",
            [both(np.array(x, dtype=object)) for x in points],
            [head_by_hand(head, x) + 2 * head_by_hand(other, x) for x in points],
        )
        constant, left = settled(both, reach)
        corners = [np.array(c, dtype=object) * reach for c in product((-1, 1), repeat=min(inputs, 2))]
        for corner in corners:
            x = [*corner, *[fmpq(0)] * (inputs - len(corner))]
            found = constant + sum(
                (
                    w * (int(v >= 0) if activation is step else min(max(v, fmpq(0)), fmpq(1)))
                    for (row, b), w in left.items()
                    for v in [sum((a * y for a, y in zip(row, x, strict=True)), fmpq(0)) + b]
                ),
                fmpq(0),
            )
            proof.exactly("settled: the same on the cube", found, head_by_hand(both, x))
        moving = lambda row, b: abs(b) <= sum((abs(a) for a in row), fmpq(0)) * reach or activation is ramp  # noqa: B023, E731
        proof.holds("settled: no neuron that is constant", all(w != 0 and moving(row, b) for (row, b), w in left.items()))
        direction = exact.rationals([rng.randint(-2, 2) for _ in range(inputs)])
        profile = drawn_head(rng, 1, width)
        along = [sum((a * v for a, v in zip(direction, x, strict=True)), fmpq(0)) for x in points]
        proof.exactly(
            "ridge", [ridge(direction, profile)(np.array(x, dtype=object)) for x in points], [head_by_hand(profile, [t]) for t in along]
        )
    for pieces, exactly in proof.tied("staircases of 1 to 13 levels, rationals and floats", product(range(1, 14), (True, False))):
        number = (lambda k: fmpq(k, 2)) if exactly else (lambda k: k / 2)
        thresholds, levels = [number(3 * i - 7) for i in range(pieces - 1)], [number((i * i * 5) % 11 - 4) for i in range(pieces)]
        stairs = staircase(thresholds, levels)
        at = [t + number(s) for t in thresholds or [number(0)] for s in (-1, 0, 1)]
        proof.exactly("staircase", [stairs(np.array([x])) for x in at], [levels[sum(t <= x for t in thresholds)] for x in at])
    for thresholds, levels in proof.tied("no staircases", [([1, 1], [0, 1, 2]), ([2, 1], [0, 1, 2]), ([1], [0]), ([], [])]):
        proof.holds("are refused", refuses(staircase, [fmpq(t) for t in thresholds], [fmpq(y) for y in levels]))


@tie("orvieto24.abstract.universal")
def squares_and_products(proof: Proof) -> None:
    """u^2/4 by steps, and products of tokens, within their error on a fine grid."""
    for count in proof.tied("0 to 20 steps", (0, 1, 2, 3, 5, 9, 12, 20)):
        network, error = square_staircase(count)
        proof.exactly("so many steps", network.width, count)
        edges = sorted([fmpq(-2), *(-b for b in network.bias), fmpq(2)])
        # the largest error lies at 0 or at an edge, from the left or from the right
        worst = fmpq(0)
        for low, high in pairwise(edges):
            level = head_by_hand(network, [low])
            worst = max(worst, *(abs(u * u / 4 - level) for u in (low, high, *([fmpq(0)] if low <= 0 <= high else []))))
        proof.exactly("its error", error, worst)
        proof.holds("about 1 / (steps + 1)", error <= fmpq(1001, 1000) / (count + 1))
    rng = Random(60)
    for lags, length, count in proof.tied("lags 0 to 4, up to 7 steps of time", [((0, 1), 3, 4), ((2, 0), 5, 3), ((1, 4), 7, 9)]):
        heads, bound = product_heads(lags, length, count)
        proof.exactly("the bound", bound, 2 * square_staircase(count)[1])
        for k, head in enumerate(heads, 1):
            proof.exactly("2 steps each, once both have come", head.width, 2 * count if k > max(lags) else 0)
            for _ in range(8):
                tokens = tokens_of(rng, k, fmpq(1))
                wanted = tokens[k - 1 - lags[0]] * tokens[k - 1 - lags[1]] if k > max(lags) else fmpq(0)
                proof.holds("products", abs(head_by_hand(head, tokens) - wanted) <= bound)


@tie("new.universality.finitely-many")
@tie("orvieto24.prop2")
def greedy_choices(proof: Proof) -> None:
    """Choices one by one, ties to the first, in exact numbers and in floats."""
    rng = Random(61)
    for points, atoms, count in proof.tied("1 to 9 points, 1 to 12 atoms, 1 to 12 choices", [(1, 1, 1), (2, 3, 4), (5, 2, 9), (9, 12, 12)]):
        dictionary = [[fmpq(rng.randint(-4, 4), 2) for _ in range(points)] for _ in range(atoms)]
        dictionary.append(dictionary[0])
        target, mass = [fmpq(rng.randint(-4, 4), 3) for _ in range(points)], fmpq(3, 2)
        for uniform in (False, True):
            rows = [[mass * x for x in row] for row in dictionary]
            largest = max(abs(x) for row in rows for x in row) or fmpq(1)
            scale = (2 * np.log(2 * points) / count) ** 0.5 / float(fmpq_value(largest))
            error, chosen = [fmpq(0)] * points, []
            for _ in range(count):
                left = [[e + t - x for e, t, x in zip(error, target, row, strict=True)] for row in rows]
                cost = [
                    sum((float(np.cosh(scale * float(fmpq_value(x)))) for x in row), 0.0) if uniform else sum((x * x for x in row), fmpq(0))
                    for row in left
                ]
                chosen.append(min(range(len(rows)), key=cost.__getitem__))
                error = left[chosen[-1]]
            mean = [sum((rows[i][j] for i in chosen), fmpq(0)) / count for j in range(points)]
            if uniform:
                found, approximation = greedy_uniform(exact.as_float(np.array(target)), exact.as_float(np.array(dictionary)), count, 1.5)
                proof.closely("greedy_uniform: the average", float(np.abs(approximation - exact.as_float(np.array(mean))).max()), 1e-12)
            else:
                found, approximation = greedy(np.array(target), np.array(dictionary), count, mass)
                proof.exactly("greedy: the average", list(approximation), mean)
            proof.exactly("the choices", found, chosen)
    for points, count in proof.tied("nothing to choose from but zero", [(3, 2), (1, 5)]):
        chosen, approximation = greedy_uniform(np.ones(points), np.zeros((2, points)), count, 1.0)
        proof.exactly("the first one", (chosen, list(approximation)), ([0] * count, [0.0] * points))
    for n, p in proof.tied("1 to 3 variables, 1 to 12 points", [(1, 1), (1, 12), (2, 9), (3, 5)]):
        frequencies = np.array([[rng.randint(-2, 2) for _ in range(n)] for _ in range(4)]) * 1.0
        a, b = (np.array([rng.uniform(-1, 1) for _ in range(4)]) for _ in range(2))
        points = np.array([[rng.uniform(-1, 1) for _ in range(n)] for _ in range(p)])
        directions, thresholds, weights, constant = centred_steps(frequencies, a, b, points)
        values = np.full(p, float(constant))
        for w, t, c in zip(directions, thresholds, weights, strict=True):
            values += c * np.where(points @ w >= t, 0.5, -0.5)
        wanted = sum(x * np.cos(points @ w) + y * np.sin(points @ w) for w, x, y in zip(frequencies, a, b, strict=True))
        proof.closely("centred_steps: the sum at the points", float(np.abs(values - wanted).max()), 1e-12)
        proof.exactly("a step between neighbours", len(weights), sum(len(set((points @ w).tolist())) - 1 for w in frequencies))


@tie("orvieto24.thm1")
def spikes(proof: Proof) -> None:
    """Points whose triples are not alike, and a step with spikes there."""
    for count in proof.tied("0 to 7 points", range(8)):
        points = generic_points(count)
        proof.holds("each just above 2^-j", all(fmpq(1, 2**j) < p <= fmpq(1, 2**j) * fmpq(5, 4) for j, p in enumerate(points, 1)))
        ratios = [(points[c] - points[a]) / (points[b] - points[a]) for a, b, c in permutations(range(count), 3)]
        proof.exactly("affine_ratios", affine_ratios(points), ratios)
        proof.exactly("no two triples are alike", len(set(ratios)), len(ratios))
        sigma = spiked_step(points, 7)
        at = [*points, fmpq(-1), fmpq(0), fmpq(1, 10**9), *(p + fmpq(1, 10**9) for p in points), *(-p for p in points)]
        proof.exactly("spiked_step", list(sigma(np.array(at, dtype=object))), [7 if x in points else int(x >= 0) for x in at])
        proof.exactly("shapes stay", sigma(np.array([at[-3:]] * 2, dtype=object).reshape(2, -1)).shape, (2, len(at[-3:])))
