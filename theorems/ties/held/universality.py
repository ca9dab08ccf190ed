"""Sequence models, clocks, spectra and vector fields, row by row: up to 13 nodes and steps; exact, float and complex numbers that are integers, so that sums are exact."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from math import exp
from random import Random
from typing import Any

import numpy as np
from flint import arb, fmpq

from ....constructions.universality import clocks, maps, networks, spectra
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
