"""Models of sequences: heads at their steps, with clocks, with a bias, on few units, on vectors."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product
from random import Random

import numpy as np
from flint import fmpq

from ....constructions.universality.clocks import (
    biased,
    biased_model,
    clock_states,
    clocks_and_memory,
    exceptional_steps,
    exchanged_head,
    levels,
    paired_head,
    residue,
    schedule,
    scheduled_model,
    separating_head,
)
from ....constructions.universality.maps import invariant_model, on_tokens, recall, remembering, sequence_model
from ....constructions.universality.networks import (
    Network,
)
from ....constructions.universality.vectors import real_part, real_reader, vector_model
from ....constructions.vandermonde import half_circle
from ....numerics import exact
from ....numerics.cyclotomic import gaussian, root_of_unity
from ...claim import tie
from ...evidence import Proof
from ..shared import refuses
from .common import NODES, drawn_head, fmpq_value, head_by_hand, tokens_of


@tie("new.universality.price")
def heads_at_their_steps(proof: Proof) -> None:
    """One network for all steps, by clocks; models of sequences, exact and in complex floats."""
    rng = Random(55)
    for length, width in proof.tied("1 to 6 steps, 0 to 4 neurons a step", product((1, 2, 3, 6), (0, 1, 4))):
        heads = [drawn_head(rng, k, width) for k in range(1, length + 1)]
        nodes, largest = NODES[:length], fmpq(3, 2)
        model = sequence_model(nodes, heads, largest)
        proof.exactly("neurons", model.head.width, sum(h.width + 1 for h in heads) - 1)
        for _ in range(3):
            tokens = tokens_of(rng, length, largest)
            wanted = [head_by_hand(heads[k], tokens[: k + 1]) for k in range(length)]
            proof.exactly("each step its head", [y[0] for y in model.run(tokens)], wanted)
            proof.exactly(
                "the head at step k, of the tokens",
                [on_tokens(model.head, nodes, k)(np.array(tokens[:k], dtype=object)) for k in range(1, length + 1)],
                wanted,
            )
            memory = remembering(nodes)
            states = [
                [fmpq(k), *(sum((x ** (k - 1 - i) * v for i, v in enumerate(tokens[:k])), fmpq(0)) for x in nodes)]
                for k in range(1, length + 1)
            ]
            proof.exactly("what it remembers", [y[:, 0].tolist() for y in memory.run(tokens)], states)
            back = [recall(nodes, k) @ np.array(states[k - 1], dtype=object) for k in range(1, length + 1)]
            proof.exactly("and recalls", [list(x) for x in back], [tokens[:k] for k in range(1, length + 1)])
            padded = [fmpq(0)] * length
            one = drawn_head(rng, length, width)
            wanted = [head_by_hand(one, ([*padded, *tokens[:k]])[-length:]) for k in range(1, length + 1)]
            proof.exactly("one head for padded tokens", [y[0] for y in invariant_model(nodes, one, length).run(tokens)], wanted)
    for length in proof.tied("1 to 6 steps, complex nodes in floats, batches of 4", (1, 2, 5, 6)):
        complex_nodes = np.exp(2j * np.pi * (np.arange((length + 1) // 2 + 1) + 0.3) / (length + 3)) * 0.9
        heads = [drawn_head(rng, k, 2) for k in range(1, length + 1)]
        # away from the thresholds, where roundings decide
        floats = [
            Network(exact.as_float(h.inner), exact.as_float(h.bias + fmpq(1, 5)), exact.as_float(h.outer), float(fmpq_value(h.offset)))
            for h in heads
        ]
        model = sequence_model(list(complex_nodes), floats, 1.0)
        tokens = np.array([[float(fmpq_value(x)) for x in tokens_of(rng, 4, fmpq(1))] for _ in range(length)]).round(1) / 1.0
        found = model.run(list(tokens))
        for k, h in enumerate(heads):
            moved = replace(h, bias=h.bias + fmpq(1, 5))
            wanted = [head_by_hand(moved, [fmpq(round(10 * x), 10) for x in tokens[: k + 1, b]]) for b in range(4)]
            margin = min(
                (
                    abs(sum((a * fmpq(round(10 * x), 10) for a, x in zip(row, tokens[: k + 1, b], strict=True)), fmpq(0)) + c)
                    for b in range(4)
                    for row, c in zip(moved.inner, moved.bias, strict=True)
                ),
                default=fmpq(1),
            )
            if margin > 0:
                proof.closely(
                    "in floats too", max(abs(float(y) - float(fmpq_value(w))) for y, w in zip(found[k], wanted, strict=True)), 1e-9
                )
        V = np.array([[x ** (length - 1 - i) for i in range(length)] for x in complex_nodes])
        recalled = recall(list(complex_nodes), length)[:, 1:] @ np.concatenate([np.real(V), np.imag(V)])
        proof.closely("recall: a left inverse", float(np.abs(recalled - np.eye(length)).max()), 1e-9)


@tie("new.universality.bias.head")
def heads_without_a_clock(proof: Proof) -> None:
    """A bias instead of a clock: heads at their steps, for tokens within a range."""
    rng = Random(56)
    for length, width in proof.tied("1 to 5 steps, 0 to 3 neurons", product((1, 2, 3, 5), (0, 1, 3))):
        heads = [drawn_head(rng, k, width) for k in range(1, length + 1)]
        beta, largest, nodes = fmpq(7, 2), fmpq(1), NODES[:length]
        model, paired = biased_model(nodes, heads, beta, largest), paired_head(heads, beta, largest)
        # each neuron twice, but those of the first step once, and a shift for each further step
        proof.exactly("neurons", (model.head.width, paired.width), (2 * width * length - width + length - 1,) * 2)
        for _ in range(3):
            tokens = tokens_of(rng, length, largest)
            wanted = [head_by_hand(heads[k], tokens[: k + 1]) for k in range(length)]
            proof.exactly("each step its head", model.run(tokens), wanted)
            z = [[fmpq(0)] * (length - k) + [beta + v for v in tokens[:k]] for k in range(1, length + 1)]
            proof.exactly("of padded tokens", [head_by_hand(paired, x) for x in z], wanted)
            states = [
                [sum((x ** (k - 1 - i) * (beta + v) for i, v in enumerate(tokens[:k])), fmpq(0)) for x in nodes]
                for k in range(1, length + 1)
            ]
            proof.exactly("the biased states", [list(y) for y in biased(nodes, beta).run(tokens)], states)


@tie("new.universality.bias.subspace")
def fewer_units(proof: Proof) -> None:
    """Tokens from a small space, read by as many units as it has dimensions."""
    rng = Random(57)
    for length, dimension in proof.tied("2 to 4 steps, 1 to 3 dimensions", [(2, 1), (3, 2), (4, 2), (4, 3)]):
        basis = exact.rationals([[fmpq((3 * i + 1) ** j, 2**j) for j in range(dimension)] for i in range(length)])
        nodes, largest = [fmpq(1, 2), fmpq(1, 3), fmpq(2, 5)][:dimension], fmpq(2)
        for _ in range(2):
            heads = [drawn_head(rng, k, 1) for k in range(1, length + 1)]
            heads = [replace(h, inner=h.inner + fmpq(k + 1, 3)) for k, h in enumerate(heads)]
            alike = exceptional_steps(nodes, basis, heads)
            proof.exactly("exceptional steps are refused", refuses(separating_head, nodes, basis, heads, largest), bool(alike))
            if alike:
                continue
            scale = max(sum((abs(x) for x in row), fmpq(0)) for row in basis)
            beta, head = separating_head(nodes, basis, heads, largest)
            proof.exactly("neurons", head.width, 2 * length - 1)
            for _ in range(3):
                z = tokens_of(rng, dimension, largest / scale)
                tokens = [sum((b * x for b, x in zip(row, z, strict=True)), fmpq(0)) for row in basis]
                states = [
                    [sum((x ** (k - 1 - i) * (beta + v) for i, v in enumerate(tokens[:k])), fmpq(0)) for x in nodes]
                    for k in range(1, length + 1)
                ]
                wanted = [head_by_hand(h, tokens[: k + 1]) for k, h in enumerate(heads)]
                proof.exactly("each step its head", [head_by_hand(head, s) for s in states], wanted)
    for nodes, wanted in proof.tied("one unit, two steps, directions along the way and not", [([fmpq(1, 2)], [])]):
        basis = exact.rationals([[1], [1]])
        heads = [
            Network(exact.rationals([[1]]), exact.zeros(1), exact.rationals([1]), fmpq(0)),
            Network(exact.rationals([[1, 1]]), exact.zeros(1), exact.rationals([1]), fmpq(0)),
        ]
        proof.exactly("none", exceptional_steps(nodes, basis, heads), wanted)
        flat = [replace(h, inner=h.inner * 0) for h in heads]
        proof.exactly("neurons that read nothing are parallel to every way", exceptional_steps(nodes, basis, flat), [(1, 2), (2, 1)])


@tie("new.universality.clocks")
@tie("new.universality.exchange")
def schedules(proof: Proof) -> None:
    """Staircases of functions that are linear between corners, by looking at n f on a fine grid; residues and clocks."""
    functions = [
        ([-1, 1], [-1, 1]),
        ([-1, 0, 1], [1, 0, 1]),
        ([-1, 0, 1], [fmpq(-1, 2), fmpq(1, 2), 0]),
        ([-1, fmpq(1, 3), 1], [0, 0, 0]),
        ([-1, 1], [fmpq(3, 4), fmpq(-1, 4)]),
    ]
    for (xs, ys), n in proof.tied("five functions, n <= 12", product(functions, (1, 2, 3, 5, 12))):
        xs, ys = [fmpq(x) for x in xs], [fmpq(y) for y in ys]
        start, jumps = levels(xs, ys, n)
        proof.holds("it starts nearest to n f", abs(n * ys[0] - start) <= fmpq(1, 2))
        f = lambda x: next(a + (b - a) * (x - l) / (h - l) for l, h, a, b in zip(xs, xs[1:], ys, ys[1:], strict=False) if l <= x <= h)  # noqa: B023, E731
        variation = sum((abs(b - a) for a, b in pairwise(ys)), fmpq(0))
        proof.holds("at most n V + 1/2 jumps", len(jumps) <= n * variation + fmpq(1, 2))
        height, places = start, [p for p, _ in jumps]
        proof.holds("in order, on [-1, 1]", places == sorted(places) and all(-1 <= p <= 1 for p in places))
        for place, sign in jumps:
            height += sign
            proof.exactly("it jumps where n f reaches the next integer", n * f(place), fmpq(height))
        for x in [fmpq(k, 24) for k in range(-24, 25)]:
            now = start + sum(s for p, s in jumps if p <= x)
            proof.holds("within 1 of n f", abs(now - n * f(x)) <= 1)
        thresholds = schedule(start, jumps, n)
        for x in [fmpq(k, 24) for k in range(-24, 25)]:
            up, down = (sum(t <= x for t in some) for some in (thresholds[: 2 * n], thresholds[2 * n :]))
            proof.exactly("steps up less steps down", up - down, start + sum(s for p, s in jumps if p <= x))
        proof.exactly("4 n of them", len(thresholds), 4 * n)
    for n in proof.tied("too many steps", (1, 2, 3)):
        proof.holds(
            "are refused",
            refuses(schedule, 2 * n + 1, [], n) and not refuses(schedule, 2 * n, [], n) and refuses(schedule, -2 * n - 1, [], n),
        )
    for period in proof.tied("periods 1 to 9, 12 steps", range(1, 10)):
        for k in range(1, 13):
            units = [sum((root_of_unity(period, s * j) for j in range(k)), root_of_unity(period, 0) * 0) for s in range(1, period)]
            found = [residue(units, period, r) == 1 for r in range(period)]
            zeros = [residue(units, period, r) == 0 for r in range(period)]
            wanted = [(k - 1) % period == r for r in range(period)]
            proof.exactly("residue", (found, zeros), (wanted, [not x for x in wanted]))
    for length in proof.tied("1 to 9 clocks and steps", range(1, 10)):
        nodes = NODES[:length]
        wanted = [[sum((x**j for j in range(k)), fmpq(0)) for x in nodes] for k in range(1, length + 1)]
        proof.exactly("clock_states", clock_states(nodes, length).tolist(), wanted)
        tokens = [fmpq(3 * k - 4, k + 1) for k in range(length)]
        memory = [[sum((x ** (k - 1 - i) * v for i, v in enumerate(tokens[:k])), fmpq(0)) for x in nodes] for k in range(1, length + 1)]
        found = [list(y) for y in clocks_and_memory(nodes).run(tokens)]
        proof.exactly("clocks and memory", found, [[*c, *m] for c, m in zip(wanted, memory, strict=True)])


@tie("new.universality.clocks")
def scheduled_heads(proof: Proof) -> None:
    """One head that jumps at other places at every step: with many clocks, and with residues of one."""
    rng = Random(58)
    for length, n in proof.tied("1 to 5 steps, 4 and 8 neurons", product((1, 2, 3, 5), (1, 2))):
        direction = [fmpq(rng.randint(-3, 3), 4) for _ in range(length)]
        thresholds = [[fmpq(rng.randint(-8, 8), 5) for _ in range(4 * n)] for _ in range(length)]
        nodes = NODES[:length]
        model = scheduled_model(nodes, direction, thresholds, n)
        for _ in range(4):
            tokens = tokens_of(rng, length, fmpq(1))
            wanted = []
            for k in range(1, length + 1):
                u = sum((d * v for d, v in zip(direction[length - k :], tokens[:k], strict=True)), fmpq(0))
                wanted.append(fmpq(sum(t <= u for t in thresholds[k - 1][: 2 * n]) - sum(t <= u for t in thresholds[k - 1][2 * n :]), n))
            proof.exactly("scheduled_model", model.run(tokens), wanted)
            for period in (1, 2, 3):
                head = exchanged_head(direction, thresholds, n, period)
                padded = [
                    [fmpq(k), *(fmpq(int((k - 1) % period == r)) for r in range(period)), *[fmpq(0)] * (length - k), *tokens[:k]]
                    for k in range(1, length + 1)
                ]
                proof.exactly("exchanged_head", [head_by_hand(head, x) for x in padded], wanted)
                proof.exactly("its neurons", head.width, -(-length // period) * (4 * n + 1) - 1)


@tie("new.universality.vectors")
def vectors(proof: Proof) -> None:
    """Half circles of complex units for several inputs: tokens come back, each head sees all of them."""
    rng = Random(59)
    for length in proof.tied("even lengths up to 8", (2, 4, 6, 8)):
        W = real_reader(length)
        roots = half_circle(length)
        proof.exactly("as many units as half of the steps", W.shape, (length, length // 2))
        for t in range(length):
            column = [real_part(sum((w * x ** (length - 1 - t) for w, x in zip(row, roots, strict=True)), roots[0] * 0)) for row in W]
            proof.exactly("Re(W V) = I", column, [fmpq(int(i == t)) for i in range(length)])
    for a, b in proof.tied("real parts from -12 to 9", product((-12, -1, 0, fmpq(1, 3), 9), (-2, 0, 5))):
        proof.exactly("real_part", real_part(gaussian(a, b)), fmpq(a) if not isinstance(a, fmpq) else a)
    for length in proof.tied("odd lengths, and irrational real parts", (1, 3)):
        proof.holds("are refused", refuses(real_reader, length) and refuses(real_part, root_of_unity(5)))
    for inputs, length, outputs in proof.tied("1 to 3 inputs, 2 and 4 steps, 1 to 3 outputs", [(1, 2, 1), (2, 4, 3), (3, 2, 2)]):
        heads = [drawn_head(rng, inputs * length, 3) for _ in range(outputs)]
        tokens = [tokens_of(rng, inputs, fmpq(1)) for _ in range(length)]
        wanted = []
        for k in range(1, length + 1):
            padded = [x for i in range(inputs) for x in [*[fmpq(0)] * (length - k), *(row[i] for row in tokens[:k])]]
            wanted.append([head_by_hand(h, padded) for h in heads])
        proof.exactly("outputs of padded tokens", vector_model(inputs, length, heads).run(tokens), wanted)
