"""The driven systems of App. E.3 with the constants of the paper."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np
from flint import fmpq
from scipy.fft import dct
from scipy.integrate import quad

from ....constructions.universality import maps
from ....constructions.universality.heads import Waves, filter_heads, fit_waves, waves_head
from ....constructions.universality.networks import logistic, monotone_thresholds
from ....numerics import exact
from ....numerics.haar import haar
from ...claim import tie
from ...evidence import Proof

#: states and inputs, positive, negative and 0
POINTS = [((1, 0, 1, 0, 0), 0), ((1, 2, 3, 4, 5), 1), ((2, -1, 3, -2, 7), -3), ((0, 0, 0, 0, 0), 5), ((-1, 4, 2, 9, 1), Fraction(1, 2))]


def agree(proof: Proof, what: str, found: list[float], wanted: list[Fraction]) -> None:
    """Floats and rationals agree but for roundings."""
    scale = max(1, *map(abs, wanted))
    proof.closely(what, max(abs(float(x) - float(y)) for x, y in zip(found, wanted, strict=True)) / float(scale), 1e-13)


@tie("orvieto24.appE3.causal")
def protein(proof: Proof) -> None:
    """k_1 = 0.07, k_2 = 0.6, k_3 = 0.05, k_4 = 0.3, V = 0.017, K_m = 0.3."""
    k1, k2, k3, k4, V, Km = (Fraction(x) for x in ("0.07", "0.6", "0.05", "0.3", "0.017", "0.3"))
    for (S, D, R, B, A), v in proof.tied("protein transduction at 5 states", POINTS):
        back = V * A / (Km + A)
        wanted = [-k1 * S - k2 * S * R + k3 * B + v, k1 * S, -k2 * S * R + k3 * B + back, k2 * S * R - k3 * B - k4 * B, k4 * B - back]
        agree(
            proof,
            "the rates are the paper's",
            maps.protein_transduction([float(x) for x in (S, D, R, B, A)], float(v)),
            [Fraction(x) for x in wanted],
        )
    for start in proof.tied("initial states", [maps.PROTEIN_START]):
        proof.exactly("protein transduction starts at (1, 0, 1, 0, 0)", start, (1, 0, 1, 0, 0))


@tie("orvieto24.appE3.lorenz")
def lorenz(proof: Proof) -> None:
    """sigma = 10, r = 26, b = 8/3; Lotka and Volterra with 1, 0.6, 1, 0.7."""
    for (x, y, z, p, q), v in proof.tied("Lorenz, and Lotka and Volterra, at 5 states", POINTS):
        wanted = [10 * (y - x), (26 - z) * x - y + v, y * x - Fraction(8, 3) * z]
        agree(proof, "Lorenz' rates are the paper's", maps.lorenz([float(s) for s in (x, y, z)], float(v)), [Fraction(s) for s in wanted])
        wanted = [p * (1 - Fraction("0.6") * q), -q * (1 - Fraction("0.7") * p) + v]
        agree(proof, "Lotka's and Volterra's too", maps.lotka_volterra([float(p), float(q)], float(v)), [Fraction(s) for s in wanted])
    for starts in proof.tied("initial states", [(maps.LORENZ_START, maps.LOTKA_VOLTERRA_START)]):
        proof.exactly("they are as printed", starts, ((-0.89229143, 1.08417925, 2.34322702), (1.0, 0.5)))


@tie("orvieto24.appE3.causal")
def driven_responses(proof: Proof) -> None:
    """Held inputs, against solutions in closed form."""
    for rate, batch in proof.tied("z' = -rate z + v, 1 and 3 words of 9 inputs", [(0.5, 1), (2.0, 3)]):
        inputs = np.array([[(-1) ** (i * k) * (k + i) / 4 for k in range(9)] for i in range(batch)])
        found = maps.respond(lambda z, v, rate=rate: [-rate * z[0] + v, 0 * z[0]], (1.0, 5.0), inputs, 0.3)
        z, wanted = np.ones(batch), []
        for v in inputs.T:
            z = v / rate + (z - v / rate) * np.exp(-rate * 0.3)
            wanted.append(z)
        proof.closely("respond", float(np.abs(found - np.array(wanted).T).max()), 1e-6)
    for r, dt in proof.tied("r = 26 and 30, words of 1 to 9 inputs", [(26.0, 0.1), (30.0, 0.05)]):
        rate, left = maps.unstable(r)
        J = np.array([[-10.0, 10.0], [r, -1.0]])
        proof.closely("unstable: a left eigenvector", float(np.abs(left @ J - rate * left).max()), 1e-9)
        proof.certified("and its rate is positive", bool(rate > 0 and left[1] > 0))
        v = np.array([[1.0, -2.0, 3.0, 0.0, 4.0, 1.0, -1.0, 2.0, 5.0]])
        integral = sum(v[0, k] * quad(lambda t, rate=rate: np.exp(-rate * t), k * dt, (k + 1) * dt)[0] for k in range(9))
        # the start as printed
        wanted = left[0] * -0.89229143 + left[1] * 1.08417925 + left[1] * integral
        proof.closely("saddle_coordinate", abs(float(maps.saddle_coordinate(v, r, dt)[0]) - wanted), 1e-9)
    for outputs in proof.tied("first swings", [np.array([[0.0, 3.0, -2.0], [1.0, -4.0, 3.0]])]):
        proof.exactly("goes_up", list(maps.goes_up(outputs)), [True, False])
    for waves in proof.tied("6 and 3 waves, 40 inputs", (6, 3)):
        drawn = maps.slow_inputs(np.random.default_rng(3), 200, 40, 2.0, waves)
        spectrum = np.asarray(dct(drawn, axis=1))
        proof.exactly("slow_inputs: shape", drawn.shape, (200, 40))
        proof.closely("slow_inputs: no faster cosine", float(np.abs(spectrum[:, waves:]).max()), 1e-9)
        proof.closely("slow_inputs: coefficients 2 / sqrt(waves)", abs(float((spectrum[:, 1:waves] / 40).std()) * waves**0.5 / 2 - 1), 0.1)


@tie("orvieto24.appE3.causal")
def heads(proof: Proof) -> None:
    """Networks of staircases keep their bounds on points in between."""
    for u in proof.tied("|u| <= 40", (-40.0, -1.0, 0.0, 0.5, 3.0, 40.0)):
        proof.closely("logistic", abs(float(logistic(np.array(u))) - 1 / (1 + np.exp(-u))), 1e-15)
    for count in proof.tied("1 to 20 thresholds", (1, 2, 9, 20)):
        points = np.linspace(-1, 2, 4001)
        values = points**3 - points
        found = monotone_thresholds(values, points, count)
        travelled = np.interp(found, points, np.concatenate([[0.0], np.cumsum(np.abs(np.diff(values)))]))
        total = float(np.abs(np.diff(values)).sum())
        proof.closely("equal shares of the variation", float(np.abs(travelled - total * np.arange(1, count + 1) / (count + 1)).max()), 1e-9)
    for taps, length, steps in proof.tied("up to 4 taps, 6 steps of time, 9 neurons", [([1], 3, 4), ([fmpq(1, 2), -1, 0, 2], 6, 9)]):
        taps = [fmpq(x) for x in taps]
        networks, bound = filter_heads(taps, length, steps)
        proof.exactly("filter_heads: the bound", bound, sum(map(abs, taps), fmpq(0)) / (steps + 1))
        rng = Random(53)
        for k, head in enumerate(networks, 1):
            for _ in range(20):
                word = [fmpq(rng.randint(-100, 100), 100) for _ in range(k)]
                wanted = sum((h * word[k - 1 - j] for j, h in enumerate(taps) if j < k), fmpq(0))
                proof.holds("filter_heads: the error", bool(abs(head(exact.rationals(word)) - wanted) <= bound))
    for most, neurons in proof.tied("up to 2 multiples of the frequency, 60 steps", [(1, 30), (2, 60)]):
        axis = np.linspace(-1, 1, 9)
        points = np.stack(np.meshgrid(axis, axis)).reshape(2, -1)
        exactly = Waves(np.array([[0.0, 1.0], [1.0, -1.0]]) * 2 * np.pi / 12, np.array([0.5, -1.0]), np.array([0.25, 2.0]), 3.0)
        phase = exactly.frequencies @ points
        values = 0.5 * np.cos(phase[0]) - np.cos(phase[1]) + 0.25 * np.sin(phase[0]) + 2 * np.sin(phase[1]) + 3
        proof.closely("Waves", float(np.abs(exactly(points) - values).max()), 1e-12)
        proof.closely("Barron's constant", abs(exactly.barron - 2 * np.pi / 12 * (np.hypot(0.5, 0.25) + 2**0.5 * np.hypot(1, 2))), 1e-12)
        fitted = fit_waves(points, values, most)
        proof.closely("fit_waves comes near", float(np.abs(fitted(points) - values).max()), 1e-3)
        head, bound = waves_head(fitted, 1.0, neurons)
        proof.certified("waves_head keeps its bound", float(np.abs(head(points) - fitted(points)).max()) <= bound + 1e-9)
        proof.certified("with about so many steps", abs(len(head.bias) - neurons) <= len(fitted.frequencies))


@tie("orvieto24.appE3.causal")
def haar_wavelets(proof: Proof) -> None:
    """Orthonormal, constant on dyadic pieces, coarsest first."""
    for length in proof.tied("lengths 1 to 64", (1, 2, 4, 16, 64)):
        basis = haar(length, length)
        proof.closely("orthonormal", float(np.abs(basis.T @ basis - np.eye(length)).max()), 1e-14)
        for count in {1, (length + 1) // 2, length}:
            proof.exactly("the coarsest come first", haar(length, count).tolist(), basis[:, :count].tolist())
        support = [int(np.count_nonzero(basis[:, k])) for k in range(length)]
        proof.exactly("supports halve", support, [length] + [length >> (k.bit_length() - 1) for k in range(1, length)])
        proof.certified("they begin positive", all(basis[np.flatnonzero(basis[:, k])[0], k] > 0 for k in range(length)))
