"""Sequence models, clocks, spectra and vector fields, row by row: up to 13 nodes and steps; exact, float and complex numbers that are integers, so that sums are exact."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations, product
from math import exp
from random import Random
from typing import Any

import numpy as np
from flint import arb, fmpq

from ....constructions import vandermonde
from ....constructions.universality import clocks, maps, networks, spectra, vectors
from ....constructions.universality import heads as heads_module
from ....constructions.universality.networks import Network, step
from ....numerics import exact
from ....numerics.cyclotomic import root_of_unity
from ...claim import tie
from ...evidence import Proof
from . import POSITIVE, hold_closely, hold_refusals, integers, matrix, rational


def typed(A: np.ndarray) -> list[np.ndarray]:
    """The same integers as an object array of rationals, as floats and as complex numbers."""
    return [A * fmpq(1), A.astype(float), A.astype(complex)]


@tie("orvieto24.appE3.lorenz")
def vector_fields(proof: Proof) -> None:
    """Each field by its formula, with constants of our own and the printed ones, on rationals, and on arrays of floats and complex numbers."""
    rng = Random(311)
    printed = {
        "lotka": (1, fmpq(3, 5), 1, fmpq(7, 10)),
        "lorenz": (10, 26, fmpq(8, 3)),
        "protein": tuple(fmpq(n, 1000) for n in (70, 600, 50, 300, 17, 300)),
    }

    def by_formula(name: str, z: list[Any], v: Any, c: tuple[Any, ...]) -> list[Any]:
        if name == "lotka":
            return [c[0] * z[0] - c[1] * z[0] * z[1], c[3] * z[0] * z[1] - c[2] * z[1] + v]
        if name == "lorenz":
            return [c[0] * z[1] - c[0] * z[0], c[1] * z[0] - z[2] * z[0] - z[1] + v, z[0] * z[1] - c[2] * z[2]]
        k1, k2, k3, k4, V, K = c
        s, _, r, b, a = z
        back = V * a / (K + a)
        return [k3 * b - k1 * s - k2 * s * r + v, k1 * s, k3 * b - k2 * s * r + back, k2 * s * r - k3 * b - k4 * b, k4 * b - back]

    fields: dict[str, tuple[Callable[..., list[Any]], int]] = {
        "lotka": (maps.lotka_volterra, 2),
        "lorenz": (maps.lorenz, 3),
        "protein": (maps.protein_transduction, 5),
    }
    for name, (field, dimension) in proof.tied("three fields", fields.items()):
        for _ in range(8):
            constants = tuple(fmpq(rng.randint(1, 9), rng.randint(1, 5)) for _ in printed[name])
            z, v = [rational(rng) + (6 if name == "protein" else 0) for _ in range(dimension)], rational(rng)
            proof.exactly("with rational constants", field(z, v, *constants), by_formula(name, z, v, constants))
            as_floats = [float(int(x.p) / int(x.q)) for x in z]
            wanted = [float(int(y.p) / int(y.q)) for y in map(exact.rational, by_formula(name, z, v, printed[name]))]
            found = field(as_floats, int(v.p) / int(v.q))
            proof.closely(
                "with the printed constants",
                max(abs(a - b) for a, b in zip(found, wanted, strict=True)),
                1e-12 * (1 + max(map(abs, wanted))),
            )
            many = [np.array([x + k * 1j for k in range(13)]) for x in as_floats]
            each = [field([entry[k] for entry in many], 0.5) for k in range(13)]
            whole = field(many, 0.5)
            proof.closely(
                "13 complex states at once", max(float(np.abs(whole[i] - [e[i] for e in each]).max()) for i in range(dimension)), 1e-9
            )
            hand = by_formula(name, [x[3] for x in many], 0.5, tuple(float(int(fmpq(c).p) / int(fmpq(c).q)) for c in printed[name]))
            proof.closely("a complex state", max(abs(a - b) for a, b in zip(each[3], hand, strict=True)), 1e-9)
    for r, sigma in proof.tied(
        "the origin's directions, r from -1 to 40", [(-1.0, 10.0), (0.5, 10.0), (2.0, 3.0), (26.0, 10.0), (28.0, 10.0), (40.0, 7.0)]
    ):
        rate, left = maps.unstable(r, sigma)
        larger = (-(sigma + 1) + ((sigma - 1) ** 2 + 4 * sigma * r) ** 0.5) / 2
        proof.closely("unstable: the larger eigenvalue", abs(rate - larger), 1e-12 * (1 + abs(larger)))
        row = left @ np.array([[-sigma, sigma], [r, -1.0]])
        proof.closely(
            "unstable: its left eigenvector, a unit vector",
            float(np.abs(row - rate * left).max()) + abs(float(left @ left) - 1),
            1e-12 * sigma * max(1, abs(r)),
        )
        proof.certified("unstable: its second entry is positive", bool(left[1] > 0))
    hold_refusals(proof, "no float", [(maps.unstable, (x,)) for x in (fmpq(-1, 2), fmpq(26), "a")])
    for batch, length in proof.tied("up to 13 inputs of up to 13 steps", [(1, 1), (2, 5), (13, 12), (3, 13)]):
        v, dt, r = np.array([[rng.uniform(-3, 3) for _ in range(length)] for _ in range(batch)]), 0.1, 26.0
        rate, left = maps.unstable(r)
        by_steps = [
            left[0] * maps.LORENZ_START[0]
            + left[1] * maps.LORENZ_START[1]
            + sum(left[1] * row[k] * (exp(-rate * dt * k) - exp(-rate * dt * (k + 1))) / rate for k in range(length))
            for row in v
        ]
        hold_closely(proof, "steps", maps.saddle_coordinate, lambda *_, w=by_steps: w, [(v, r, dt)], 1e-12)
        swings = np.array([[rng.choice((-1, 1)) * (j + 1) for j in rng.sample(range(length), length)] for _ in range(batch)], dtype=float)
        proof.exactly("goes_up", maps.goes_up(swings).tolist(), [max(row, key=abs) > 0 for row in swings.tolist()])
        linear = maps.respond(lambda z, u: [-0.7 * z[0] + u, z[0]], (1.5, -2.0), v, 0.3)
        hand, state = np.zeros((batch, length)), np.full(batch, 1.5)
        for k in range(length):
            state = state * exp(-0.21) + v[:, k] * (1 - exp(-0.21)) / 0.7
            hand[:, k] = state
        hold_closely(proof, "a linear field", lambda *_, w=linear: w, lambda *_, w=hand: w, [()], 1e-6, "respond")
        for waves, amplitude in ((1, -2.0), (6, 1.0), (13, 0.5)):
            drawn = np.random.default_rng(5).standard_normal((batch, waves))
            sums = [
                [
                    amplitude * sum(drawn[b, w] * np.cos(np.pi * w * (t + 0.5) / length) for w in range(waves)) / waves**0.5
                    for t in range(length)
                ]
                for b in range(batch)
            ]
            found = maps.slow_inputs(np.random.default_rng(5), batch, length, amplitude, waves)
            hold_closely(proof, "1 to 13 waves", lambda *_, w=found: w, lambda *_, w=sums: w, [()], 1e-12, "slow_inputs")


@tie("orvieto24.thm2")
def models_of_many_steps(proof: Proof) -> None:
    """What 1 to 12 nodes hold, what is recalled from it, and models with a head for each of up to 12 steps."""
    rng = Random(312)
    for n in proof.tied("1 to 12 nodes and steps", (1, 2, 3, 5, 7, 10, 12)):
        nodes = [fmpq(k + 1, n + 1) * rng.choice((-1, 1)) for k in range(n)]
        tokens = [fmpq(rng.randint(-3, 3)) for _ in range(n)]
        states = maps.remembering(nodes).run(tokens)
        wanted = [[fmpq(k), *(sum(tokens[j] * x ** (k - 1 - j) for j in range(k)) for x in nodes)] for k in range(1, n + 1)]
        proof.exactly("remembering", [list(state[:, 0]) for state in states], wanted)
        proof.exactly(
            "recall", [list((maps.recall(nodes, k) @ states[k - 1])[:, 0]) for k in range(1, n + 1)], [tokens[:k] for k in range(1, n + 1)]
        )
        corners = [complex(np.exp(2j * np.pi * k / n) * 0.9) for k in range(n)]
        floats = maps.remembering(corners).run([float(int(x)) for x in tokens])
        for k in range(1, n + 1):
            sums = np.array([sum(float(int(tokens[j])) * x ** (k - 1 - j) for j in range(k)) for x in corners])
            hold_closely(
                proof,
                "complex nodes",
                lambda *_, w=floats[k - 1][:, 0]: w,
                lambda *_, s=sums, k=k: np.concatenate([[k], s.real, s.imag]),
                [()],
                1e-12,
                "remembering",
            )
        found = maps.recall(corners, n) @ floats[-1][:, 0]
        proof.closely("recall: complex nodes", float(np.abs(found - [float(int(x)) for x in tokens]).max()), 1e-9)
        heads = [
            Network(
                integers(rng, 2, k) * fmpq(1),
                rng.randint(-2, 2) * exact.rationals([1, 1]),
                integers(rng, 2, 1)[:, 0] * fmpq(1),
                rational(rng),
            )
            for k in range(1, n + 1)
        ]
        by_hand = [
            sum(
                (
                    w * int(sum(a * t for a, t in zip(row, tokens, strict=False)) + b >= 0)
                    for row, b, w in zip(h.inner, h.bias, h.outer, strict=True)
                ),
                h.offset,
            )
            for h in heads
        ]
        model = maps.sequence_model(nodes, heads, fmpq(3))
        proof.exactly("sequence_model", [y[0] for y in model.run(tokens)], by_hand)
        last, padded = heads[-1], [[fmpq(0)] * (n - k) + tokens[:k] for k in range(1, n + 1)]
        by_padding = [
            sum(
                (
                    w * int(sum(a * t for a, t in zip(row, given, strict=True)) + b >= 0)
                    for row, b, w in zip(last.inner, last.bias, last.outer, strict=True)
                ),
                last.offset,
            )
            for given in padded
        ]
        proof.exactly("invariant_model", [y[0] for y in maps.invariant_model(nodes, last, n).run(tokens)], by_padding)
        proof.exactly(
            "clock_states",
            clocks.clock_states(nodes, n).tolist(),
            [[sum((x**j for j in range(k)), fmpq(0)) for x in nodes] for k in range(1, n + 1)],
        )
        both = clocks.clocks_and_memory(nodes).run(tokens)
        proof.exactly(
            "clocks_and_memory",
            [list(H) for H in both],
            [[*(sum((x**j for j in range(k)), fmpq(0)) for x in nodes), *wanted[k - 1][1:]] for k in range(1, n + 1)],
        )
        shifted = clocks.biased(nodes, fmpq(7, 2)).run(tokens)
        proof.exactly(
            "biased",
            [list(H) for H in shifted],
            [[sum((tokens[j] + fmpq(7, 2)) * x ** (k - 1 - j) for j in range(k)) for x in nodes] for k in range(1, n + 1)],
        )
        direction = [fmpq(rng.randint(1, 3)) for _ in range(n)]
        steps = [[fmpq(rng.randint(-9, 9), 2) for _ in range(4)] for _ in range(n)]
        scheduled = clocks.scheduled_model(nodes, direction, steps, 1)
        along = [sum(d * t for d, t in zip(direction, given, strict=True)) for given in padded]
        by_steps = [fmpq(sum(x >= t for t in row[:2]) - sum(x >= t for t in row[2:])) for x, row in zip(along, steps, strict=True)]
        proof.exactly("scheduled_model", scheduled.run(tokens), by_steps)
        for k in range(1, 2 * n + 2):
            held = [sum((root_of_unity(n, s) ** j for j in range(k)), root_of_unity(n, 0) * 0) for s in range(1, n)]
            proof.exactly("residue", [clocks.residue(held, n, r) == int((k - 1) % n == r) for r in range(n)], [True] * n)
    hold_refusals(proof, "nodes that do not tell tokens apart", [(maps.recall, ([fmpq(1, 2)] * 2, 2)), (maps.recall, ([0.5 + 0j], 3))])


@tie("orvieto24.thm1")
def networks_in_types(proof: Proof) -> None:
    """Networks of up to 13 neurons and inputs neuron by neuron, on single inputs and batches, in each type of numbers; points of which no affine map keeps three."""
    rng = Random(313)
    for n in proof.tied("up to 13 neurons and inputs", POSITIVE):
        inner, bias, outer, x = integers(rng, n, n), integers(rng, n, 1)[:, 0], integers(rng, n, 1)[:, 0], integers(rng, n, 13)
        for kind in range(2):
            A, b, w, batch = (typed(M)[kind] for M in (inner, bias, outer, x))
            network = Network(A, b, w, 5)
            wanted = [
                5 + sum(int(outer[d]) * int(sum(inner[d, i] * x[i, c] for i in range(n)) + bias[d] >= 0) for d in range(n))
                for c in range(13)
            ]
            proof.exactly("a batch, and one input", ([int(y) for y in network(batch)], int(network(batch[:, 0]))), (wanted, wanted[0]))
            moved = network.after(A)
            proof.exactly("after a matrix", [int(y) for y in moved(batch)], [int(y) for y in network(A @ batch)])
            proof.exactly(
                "bounded_by", int(network.bounded_by(3)), max(3 * sum(abs(int(a)) for a in inner[d]) + abs(int(bias[d])) for d in range(n))
            )
        proof.exactly(
            "step, ramp",
            (step(x).tolist(), networks.ramp(x * fmpq(1, 2)).tolist()),
            ([[int(y >= 0) for y in row] for row in x], [[min(max(y * fmpq(1, 2), fmpq(0)), fmpq(1)) for y in row] for row in x]),
        )
    hold_closely(
        proof,
        "arrays of up to 13 floats",
        networks.logistic,
        lambda u: [1 / (1 + exp(-t)) for t in u],
        [(np.linspace(-n, n, n),) for n in POSITIVE],
        1e-14,
    )
    for count in proof.tied("1 to 10 points", (1, 2, 3, 6, 10)):
        points = networks.generic_points(count)
        near = [0 < p * 2 ** (j + 1) - 1 <= fmpq(1, 4) for j, p in enumerate(points)]
        ratios = [(c - a) / (b - a) for a, b, c in permutations(points, 3)]
        proof.exactly(
            "generic_points: above 2^-j, and no two ratios alike",
            (len(points), near, len(set(ratios))),
            (count, [True] * count, len(ratios)),
        )
        proof.exactly("affine_ratios", networks.affine_ratios(points), ratios)
        new = sorted(str(q) for q in networks._new_ratios(points, fmpq(-7, 3)))
        with_it = [(c - a) / (b - a) for a, b, c in permutations([*points, fmpq(-7, 3)], 3)]
        more = sorted(str(q) for q in with_it)
        for q in map(str, ratios):
            more.remove(q)
        proof.exactly("_new_ratios", new, more)
        sigma = networks.spiked_step(points, -5)
        given = np.array([*points, fmpq(-1), fmpq(0), *(p + 1 for p in points)], dtype=object)
        proof.exactly("spiked_step", list(sigma(given)), [fmpq(-5)] * count + [fmpq(0), fmpq(1)] + [fmpq(1)] * count)


@tie("orvieto24.appD.variables")
def spectra_in_many_variables(proof: Proof) -> None:
    """Sums and products of up to 13 waves in up to 13 variables, their values by cosines, their norms."""
    rng = Random(314)
    for n in proof.tied("1 to 13 variables", POSITIVE):
        given = [
            ([rng.randint(-2, 2) for _ in range(n)], rational(rng), rng.choice((spectra.cosine, spectra.sine))) for _ in range(min(n, 4))
        ]
        point = [fmpq(rng.randint(-8, 8), 8) for _ in range(n)]

        def value(w: list[int], a: fmpq, kind: Any, x: list[fmpq]) -> arb:
            phase = arb(sum((c * y for c, y in zip(w, x, strict=True)), fmpq(0)))
            return arb(a) * (phase.cos() if kind is spectra.cosine else phase.sin())

        total, by_hand = spectra.Spectrum({}), arb(0)
        for w, a, kind in given:
            total, by_hand = total + kind(w, a), by_hand + value(w, a, kind, point)
            norm = arb(sum(c * c for c in w)).sqrt()
            one = kind(w, a)
            zero = kind is spectra.sine and not any(w)
            proof.certified(
                "fourier_norm, barron", bool(one.fourier_norm.overlaps(arb(0 if zero else abs(a))) and one.barron.overlaps(norm * abs(a)))
            )
        near = lambda x, y: bool(x.overlaps(y)) and float(x.rad()) < 1e-9  # noqa: E731
        proof.certified("a sum", near(total(point), by_hand))
        (w, a, kind), (v, b, other) = given[0], given[-1]
        proof.certified("a product", near((kind(w, a) * other(v, b))(point), value(w, a, kind, point) * value(v, b, other, point)))
        A = integers(rng, n, n, 1) * fmpq(1)
        moved = [sum((A[i, j] * point[j] for j in range(n)), fmpq(0)) for i in range(n)]
        proof.certified("after a matrix", near(total.after(A)(point), sum((value(w, a, kind, moved) for w, a, kind in given), arb(0))))
        stretched = sum(
            (
                arb(sum((sum(A[i, j] * w[i] for i in range(n)) ** 2 for j in range(n)), fmpq(0))).sqrt() * arb(p * p + q * q).sqrt()
                for w, (p, q) in total.atoms.items()
            ),
            arb(0),
        )
        proof.certified("stretched", near(total.stretched(A), stretched))
        vector = matrix(rng, 1, n)[0]
        proof.certified("length", near(spectra.length(vector), arb(sum((x * x for x in vector), fmpq(0))).sqrt()))
        drawn, again = spectra.random_spectrum(Random(n), n), Random(n)
        rebuilt = spectra.Spectrum({})
        for _ in range(3):
            w = [again.randint(-3, 3) for _ in range(n)]
            kind = again.choice((spectra.cosine, spectra.sine))
            rebuilt = rebuilt + kind(w, fmpq(again.randint(-4, 4), again.randint(1, 3)))
        proof.exactly("random_spectrum", dict(drawn.atoms), dict(rebuilt.atoms))


# -- more steps than six --------------------------------------------------------------------------------------------------


def fires(head: Network, x: list[Any]) -> Any:
    """A network of steps at x, neuron by neuron."""
    rows = zip(head.inner, head.bias, head.outer, strict=True)
    return sum((w for row, b, w in rows if sum((a * t for a, t in zip(row, x, strict=True)), b) >= 0), head.offset)


def heads_of(rng: Random, length: int, neurons: int = 2) -> list[Network]:
    """A head for each step k, on k tokens, with weights and thresholds of either sign."""
    return [
        Network(integers(rng, neurons, k) * fmpq(1), matrix(rng, neurons, 1)[:, 0], matrix(rng, neurons, 1)[:, 0], rational(rng))
        for k in range(1, length + 1)
    ]


@tie("orvieto24.thm2")
def clocks_of_many_steps(proof: Proof) -> None:
    """Remainders, heads that take turns, are there twice, or are told apart by a bias, for up to 13 steps, neuron by neuron; directions that are free; neurons that cannot be told apart."""
    rng = Random(315)
    for period in proof.tied("periods 13 to 1", POSITIVE[::-1]):
        for k in (1, period, period + 2):
            held = [sum((root_of_unity(period, s) ** j for j in range(k)), root_of_unity(period, 0) * 0) for s in range(1, period)]
            proof.exactly(
                "residue", [clocks.residue(held, period, r) == int((k - 1) % period == r) for r in range(period)], [True] * period
            )
    for length, period in proof.tied("up to 13 steps, periods 1 to 13", [(13, 5), (12, 13), (9, 1), (7, 3), (2, 2), (1, 1), (1, 4)]):
        direction = [fmpq(rng.choice((-2, -1, 1, 3))) for _ in range(length)]
        thresholds = [[fmpq(rng.randint(-9, 9), 2) for _ in range(4)] for _ in range(length)]
        head = clocks.exchanged_head(direction, thresholds, 3, period)
        for k in range(1, length + 1):
            padded = [fmpq(0)] * (length - k) + [fmpq(rng.randint(-2, 2), 2) for _ in range(k)]
            x = [fmpq(k), *(fmpq(int((k - 1) % period == r)) for r in range(period)), *padded]
            along = sum((d * t for d, t in zip(direction, padded, strict=True)), fmpq(0))
            wanted = fmpq(sum(along >= t for t in thresholds[k - 1][:2]) - sum(along >= t for t in thresholds[k - 1][2:]), 3)
            proof.exactly("exchanged_head", head(np.array(x, dtype=object)), wanted)
    for length in proof.tied("13 to 1 steps, tokens of either sign", (13, 9, 7, 5, 3, 2, 1)):
        heads, beta, largest = heads_of(rng, length), fmpq(5, 2), fmpq(2)
        tokens = [fmpq(rng.randint(-4, 4), 2) for _ in range(length)]
        wanted = [fires(head, tokens[:k]) for k, head in enumerate(heads, 1)]
        paired = clocks.paired_head(heads, beta, largest)
        shifted = [[fmpq(0)] * (length - k) + [beta + t for t in tokens[:k]] for k in range(1, length + 1)]
        proof.exactly("paired_head", [paired(np.array(z, dtype=object)) for z in shifted], wanted)
        nodes = [fmpq(k + 1, length + 1) * rng.choice((-1, 1)) for k in range(length)]
        proof.exactly("biased_model", clocks.biased_model(nodes, heads, beta, largest).run(tokens), wanted)
        # two nodes for tokens from a space of two dimensions
        basis = np.array([[fmpq(1), fmpq(k * k - 3, 4)] for k in range(length)], dtype=object)
        pair = [fmpq(1, 2), fmpq(2, 3)]
        two = [Network(h.inner, h.bias, h.outer, h.offset) for h in heads]
        alike = clocks.exceptional_steps(pair, basis, two) if length > 1 else []
        proof.exactly("exceptional_steps: none by chance", alike, [])
        coordinates = [fmpq(rng.choice((-1, 1)), 5), fmpq(rng.choice((-1, 1)), 40)]
        seen = [coordinates[0] * row[0] + coordinates[1] * row[1] for row in basis]
        if length > 1:
            bias, told = clocks.separating_head(pair, basis, two, max(map(abs, seen)))
            states = clocks.biased(pair, bias).run(seen)
            proof.exactly("separating_head", [told(state) for state in states], [fires(h, seen[:k]) for k, h in enumerate(two, 1)])
    for length in proof.tied("one node, one direction, 13 to 2 steps", (13, 12, 9, 7, 5, 2)):
        basis = np.array([[fmpq(rng.choice((-1, 1, 2)))] for _ in range(length)], dtype=object)
        heads = heads_of(rng, length, 3)
        flat = rng.sample(range(1, length), min(2, length - 1))
        for k in flat:
            # this neuron does not move along the direction, so its states cannot be told from any others
            heads[k].inner[1, k] = -sum((heads[k].inner[1, i] * basis[i, 0] for i in range(k)), fmpq(0)) / basis[k, 0]
        wanted = [
            (k + 1, j + 1)
            for k, head in enumerate(heads)
            for row in head.inner
            if sum((a * b for a, b in zip(row, basis[:, 0], strict=False)), fmpq(0)) == 0
            for j in range(length)
            if j != k
        ]
        # the first step has a basis of the first token alone
        proof.exactly("exceptional_steps", clocks.exceptional_steps([fmpq(2, 3)], basis, heads), wanted)
        hold_refusals(proof, "neurons that cannot be told apart", [(clocks.separating_head, ([fmpq(2, 3)], basis, heads, fmpq(2)))])
    for n in proof.tied("13 to 1 entries, some of them free", POSITIVE[::-1]):
        fixed = sorted(rng.sample(range(n), (n + 1) // 2))
        gamma, read = exact.zeros(n, len(fixed)), matrix(rng, len(fixed), 1)[:, 0]
        for column, j in enumerate(fixed):
            gamma[j, column] = fmpq(rng.choice((-2, 1, 3)))
        free = [j for j in range(n) if j not in fixed]
        wanted = [fmpq(1, 1 + free.index(j)) if j in free else read[fixed.index(j)] / gamma[j, fixed.index(j)] for j in range(n)]
        proof.exactly("_normal", list(clocks._normal(gamma, read)), wanted)
        hold_refusals(proof, "no direction", [(clocks._normal, (gamma * 0, read * 0 - 1))])


@tie("orvieto24.thm2")
def heads_and_readers_of_many_steps(proof: Proof) -> None:
    """Filters and products of tokens within their bounds for up to 13 steps; squares by steps; readers of half circles; waves in up to 13 variables; models on nodes of each type."""
    rng = Random(316)
    for length, steps in proof.tied("up to 13 steps and 13 neurons", [(13, 9), (12, 13), (9, 1), (5, 4), (2, 0), (1, 3)]):
        taps = [rational(rng) for _ in range(rng.randint(1, length))]
        heads, bound = heads_module.filter_heads(taps, length, steps)
        proof.exactly("filter_heads: bound", bound, sum((abs(t) for t in taps), fmpq(0)) / (steps + 1))
        tokens = [fmpq(rng.randint(-8, 8), 8) for _ in range(length)]
        for k, head in enumerate(heads, 1):
            wanted = sum((t * tokens[k - 1 - j] for j, t in enumerate(taps) if j < k), fmpq(0))
            value = head(np.array(tokens[:k], dtype=object))
            proof.exactly("filter_heads", (len(heads), abs(value - wanted) <= bound, head.width), (length, True, steps))
        lags = tuple(rng.sample(range(length), 2)) if length > 1 else (0, 1)
        products_of, error = heads_module.product_heads((lags[0], lags[1]), length, steps + 1)
        proof.exactly(
            "product_heads: bound", error <= fmpq(201, 100) / (steps + 2) and error >= fmpq(2) / (steps + 2) - fmpq(1, 1000), True
        )
        for k, head in enumerate(products_of, 1):
            there = k > max(lags)
            wanted = tokens[k - 1 - lags[0]] * tokens[k - 1 - lags[1]] if there else fmpq(0)
            value = head(np.array(tokens[:k], dtype=object))
            proof.exactly("product_heads", (abs(value - wanted) <= (error if there else 0), head.width), (True, 2 * (steps + 1) * there))
    for steps in proof.tied("up to 13 steps, and none", (-3, 0, 1, 2, 5, 9, 13)):
        network, error = heads_module.square_staircase(steps)
        u = [fmpq(k, 20) for k in range(-40, 41)]
        errors = [abs(fires(network, [x]) - x * x / 4) for x in u]
        proof.exactly("square_staircase", (network.width, max(errors) <= error), (max(steps, 0), True))
        # one piece is half as far off as two: squares run from 0 to 1; thresholds are roots to six digits
        wanted = fmpq(1, max(steps + 1, 2))
        proof.exactly("square_staircase: error", abs(error - wanted) <= fmpq(1, 10**5), True)
    for n in proof.tied("13 to 1 variables and waves", POSITIVE[::-1]):
        frequencies, a, b = (
            integers(rng, n, n, 2).astype(float),
            integers(rng, n, 1)[:, 0].astype(float),
            integers(rng, n, 1)[:, 0].astype(float),
        )
        waves, wide = heads_module.Waves(frequencies, a, b, -0.5), sum(abs(x) + abs(y) for x, y in zip(a, b, strict=True)) + 1
        proof.closely(
            "barron",
            abs(waves.barron - sum(np.sqrt(sum(w * w)) * abs(p + 1j * q) for w, p, q in zip(frequencies, a, b, strict=True))),
            4 * n * wide * 9 * 2.0**-52,
        )
        real, imaginary = (integers(rng, n, 3).astype(float) for _ in range(2))
        for z in (real / 8, real / 8 + 1j * (imaginary / 32)):
            sums = []
            for point in np.asarray(z, dtype=complex).T:
                phases = [sum(w * p for w, p in zip(row, point, strict=True)) for row in frequencies]
                turned = [(np.exp(1j * t), np.exp(-1j * t)) for t in phases]
                sums.append(sum(p * (x + y) / 2 + q * (x - y) / 2j for p, q, (x, y) in zip(a, b, turned, strict=True)) - 0.5)
            grown = wide * float(np.exp(n * 2 * 4 / 32.0))
            # phases of up to n, values of up to the largest imaginary part's exponential
            proof.closely("Waves", float(np.abs(waves(z) - np.array(sums)).max()), grown * 8 * (n + 4) * 2.0**-52 * n)
        hold_refusals(proof, "exact numbers, which have no cosine", [(waves, (matrix(rng, n, 2),))])
    for length in proof.tied("12 to 2 steps", (12, 10, 8, 6, 2)):
        reader, nodes = vectors.real_reader(length), vandermonde.half_circle(length)
        read = [
            [sum((reader[i, j] * nodes[j] ** (length - 1 - k) for j in range(len(nodes))), nodes[0] * 0) for k in range(length)]
            for i in range(length)
        ]
        proof.exactly(
            "real_reader",
            [[vectors.real_part(x) for x in row] for row in read],
            [[int(i == k) for k in range(length)] for i in range(length)],
        )
        for inputs in (1, 3) if length < 9 else (2,):
            heads = [
                Network(integers(rng, 2, inputs * length) * fmpq(1), matrix(rng, 2, 1)[:, 0], matrix(rng, 2, 1)[:, 0], rational(rng))
                for _ in range(2)
            ]
            tokens = [[fmpq(rng.randint(-3, 3), 2) for _ in range(inputs)] for _ in range(length)]
            padded = [
                [x for m in range(inputs) for x in [fmpq(0)] * (length - k) + [row[m] for row in tokens[:k]]] for k in range(1, length + 1)
            ]
            proof.exactly(
                "vector_model", vectors.vector_model(inputs, length, heads).run(tokens), [[fires(h, x) for h in heads] for x in padded]
            )
    hold_refusals(proof, "odd lengths, and none", [(vectors.real_reader, (k,)) for k in (-3, -2, 0, 1, 3, 13)])
    for length in proof.tied("13 to 1 nodes of each type", (13, 9, 5, 2, 1)):
        head = Network(integers(rng, 3, length) * 1.0, integers(rng, 3, 1)[:, 0] + 0.5, np.array([1.0, -2.0, 4.0]), -3.0)
        tokens = [float(rng.randint(-2, 2)) for _ in range(length)]
        wanted = [
            sum(
                (
                    w
                    for row, b, w in zip(head.inner, head.bias, head.outer, strict=True)
                    if sum(row[length - k + i] * tokens[i] for i in range(k)) + b >= 0
                ),
                head.offset,
            )
            for k in range(1, length + 1)
        ]
        # sums are half integers: what is recalled to within 1/100 gives the same side
        given = [np.exp(1j * np.pi * (k + 0.5) / length) for k in range(length)]
        proof.exactly(
            "invariant_model: complex nodes",
            [float(y[0]) for y in maps.invariant_model([complex(x) for x in given], head, length).run(tokens)],
            wanted,
        )
        if length < 6:
            quarters = [0.25 * (k + 1) * (-1) ** k for k in range(length)]
            proof.exactly(
                "invariant_model: real nodes", [float(y[0]) for y in maps.invariant_model(quarters, head, length).run(tokens)], wanted
            )


@tie("orvieto24.appD.variables")
def spectra_of_many_waves(proof: Proof) -> None:
    """Lengths of up to 13 entries, sums and products of up to 40 atoms, frequencies that meet, matrices of floats; numbers to floats; points and their ratios; complex inputs."""
    rng = Random(317)
    for n in proof.tied("13 to 1 entries", POSITIVE[::-1]):
        vector = [rational(rng) for _ in range(n)]
        found = spectra.length(vector)
        proof.certified(
            "length",
            bool((found * found).overlaps(arb(sum((x * x for x in vector), fmpq(0))))) and bool(found >= 0) and float(found.rad()) < 1e-12,
        )
        atoms, others = (
            {(fmpq(rng.randint(-3, 3)), fmpq(k, 2)): (fmpq(rng.choice((-2, 1))), rational(rng)) for k in range(-n, n + 1)} for _ in range(2)
        )
        one, two = spectra.Spectrum(atoms), spectra.Spectrum(others)
        keys = {*atoms, *others}
        nothing = (fmpq(0), fmpq(0))
        total = {w: tuple(a + b for a, b in zip(atoms.get(w, nothing), others.get(w, nothing), strict=True)) for w in keys}
        proof.exactly("a sum", dict((one + two).atoms) == {w: c for w, c in total.items() if c != (0, 0)}, True)
        convolved: dict[tuple[fmpq, ...], tuple[fmpq, fmpq]] = {}
        for (v, (p, q)), (w, (s, t)) in product(atoms.items(), others.items()):
            at, before = (v[0] + w[0], v[1] + w[1]), convolved.get((v[0] + w[0], v[1] + w[1]), nothing)
            convolved[at] = before[0] + p * s - q * t, before[1] + p * t + q * s
        proof.exactly("a product", dict((one * two).atoms) == {w: c for w, c in convolved.items() if c != (0, 0)}, True)
        # both coordinates fall on one: frequencies meet
        met: dict[fmpq, tuple[fmpq, fmpq]] = {}
        for w, c in atoms.items():
            before = met.get(2 * (w[0] - w[1]), nothing)
            met[2 * (w[0] - w[1])] = before[0] + c[0], before[1] + c[1]
        after = one.after(np.array([[fmpq(2)], [fmpq(-2)]], dtype=object)).atoms
        proof.exactly("after a matrix", {w[0]: c for w, c in after.items()} == {w: c for w, c in met.items() if c != (0, 0)}, True)
        network = Network(integers(rng, n, n) * (0.5 + 1j), integers(rng, n, 1)[:, 0] * 1j, integers(rng, n, 1)[:, 0], 2 - 1j)
        bounds = [sum(abs(complex(a)) for a in network.inner[d]) * 3 + abs(complex(network.bias[d])) for d in range(n)]
        # n + 1 moduli, each rounded
        proof.closely("bounded_by: complex weights", abs(network.bounded_by(3) - max(bounds)), max(1.0, *bounds) * 4 * (n + 2) * 2.0**-52)
        A = integers(rng, n, 3) * (1 - 2j)
        wanted = [[sum(network.inner[d, i] * A[i, j] for i in range(n)) for j in range(3)] for d in range(n)]
        proof.exactly("after: complex weights", network.after(A).inner.tolist(), wanted)
        ridge = networks.ridge(A[:, 0], Network(np.array([[1j], [2.0]]), np.array([0, 1j]), np.array([1, -1]), 0.5))
        proof.exactly("ridge: complex weights", ridge.inner.tolist(), [[1j * x for x in A[:, 0]], [2.0 * x for x in A[:, 0]]])
    for x in proof.tied(
        "numbers of each type and either sign",
        (*range(-13, 14), 0.5, -2.25, fmpq(-7, 2), fmpq(1, 3), fmpq(2, 3), fmpq(10**40, 3), fmpq(1, 10**40)),
    ):
        near = spectra.fmpq_to_float(x)
        wanted = Fraction(int(x.p), int(x.q)) if isinstance(x, fmpq) else Fraction(x)
        proof.exactly(
            "fmpq_to_float: half a unit in the last place", abs(Fraction(near) - wanted) <= Fraction(np.spacing(abs(near))) / 2, True
        )
    calls: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
        (spectra.random_spectrum, (Random(0), 2, 3, -1)),
        *((spectra.cosine([1, -1]).after, (np.array([[2], [-2]]) * one,)) for one in (0.5, 1j)),
        (networks.centred_steps, (exact.rationals([[1, -1]]), *(exact.rationals([1]),) * 2, exact.rationals([[1, 2], [-3, 4]]))),
        (maps.saddle_coordinate, (exact.rationals([[1, -2]]), 26.0, 0.1)),
    ]
    hold_refusals(proof, "bounds below 0, exact numbers without a cosine or exponential", calls)
    proof_points = networks.generic_points(12)
    for count in proof.tied("12 to 0 points, and fewer", (12, 9, 5, 3, 1, 0, -1, -3)):
        points = networks.generic_points(count)
        proof.exactly("generic_points: the beginning of one sequence", points, proof_points[: max(count, 0)])
        given = [x * (-1) ** j for j, x in enumerate(points)]
        ratios = [(c - a) / (b - a) for a, b, c in permutations(given, 3)]
        proof.exactly("affine_ratios", networks.affine_ratios(given), ratios)
        new = Counter(map(str, networks._new_ratios(given, fmpq(7, 3))))
        more = Counter(str((c - a) / (b - a)) for a, b, c in permutations([*given, fmpq(7, 3)], 3))
        proof.exactly("_new_ratios", new == more - Counter(map(str, ratios)), True)
    proof_ratios = networks.affine_ratios(proof_points)
    for found in proof.tied("twelve points", [proof_ratios]):
        proof.exactly("no two ratios alike", (len(found), len(set(found))), (1320, 1320))
    for batch, length in proof.tied("complex inputs, up to 13 steps", [(1, 1), (3, 13), (13, 9)]):
        u, v = (np.array([[rng.uniform(-3, 3) for _ in range(length)] for _ in range(batch)]) for _ in range(2))
        apart = [maps.saddle_coordinate(x, 26.0, 0.1) for x in (u + 1j * v, u, v, v * 0)]
        size = float(np.abs(apart[0]).max()) + float(np.abs(apart[3]).max())
        # linear but for the start: sums of as many terms as steps
        proof.closely(
            "saddle_coordinate",
            float(np.abs(apart[0] - (apart[1] + 1j * (apart[2] - apart[3]))).max()),
            size * 16 * (length + 4) * 2.0**-52,
        )
        swings = np.array(
            [[fmpq(rng.choice((-1, 1)) * (j + 1), 3) for j in rng.sample(range(length), length)] for _ in range(batch)], dtype=object
        )
        proof.exactly("goes_up: exact", list(maps.goes_up(swings)), [max(row, key=abs) > 0 for row in swings.tolist()])
        drawn = maps.slow_inputs(np.random.default_rng(3), batch, length, 1.0)
        for amplitude in (1j, -0.5 + 2j):
            found = maps.slow_inputs(np.random.default_rng(3), batch, length, amplitude)  # pyright: ignore[reportArgumentType] # it works for them
            proof.closely(
                "slow_inputs: complex amplitudes",
                float(np.abs(found - amplitude * drawn).max()),
                float(np.abs(drawn).max() + 1) * 64 * 2.0**-52,
            )
