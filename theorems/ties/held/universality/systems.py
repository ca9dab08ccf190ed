"""Vector fields, their inputs and their responses, row by row."""

from __future__ import annotations

from collections.abc import Callable
from math import exp
from random import Random
from typing import Any

import numpy as np
from flint import fmpq

from .....constructions.universality import maps
from .....numerics import exact
from ....claim import tie
from ....evidence import Proof
from .. import hold_closely, hold_refusals, matrix, rational


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
    rationals = [(lambda z, u: [u - z[0]], (start,), matrix(rng, 1, 3), 0.1) for start in (0.0, fmpq(1, 2))]
    hold_refusals(proof, "rationals beside floats", [(maps.respond, row) for row in rationals])
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
        given = maps.respond(lambda z, u: [-0.7 * z[0] + u, z[0]], (1.5, -2.0), v, 0.3, rtol=1e-8)
        proof.exactly("respond: its tolerance, unless another is given", np.array_equal(linear, given), True)
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
