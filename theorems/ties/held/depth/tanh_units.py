"""Layers of tanh units, row by row: up to 13 units and steps, steepness and frequency of either sign, complex and exact numbers."""

from __future__ import annotations

from math import comb, exp, prod, tanh

import numpy as np
from flint import fmpq

from .....constructions import tanh_units
from ....claim import tie
from ....evidence import Proof
from .. import hold_refusals

#: what sums of some hundred numbers of modulus up to 10 may be off in floats
ROUNDED = 1e-12


@tie("new.depth.approximate-copies")
def errors_by_words(proof: Proof) -> None:
    """Counting layers by binomials, recurrent ones word by word, sines by projections; steepness and frequencies of either sign."""
    for T, units, s in proof.tied(
        "T <= 13, 0 to 13 units, steepness of either sign",
        [(T, units, s) for T in (1, 5, 12, 13) for units in (-1, 0, 1, 7, 12, 13) for s in (20.0, 0.75, -1.5)],
    ):
        wanted = 0.0
        for t in range(1, T + 1):
            for k in range(t + 1):
                y = 1 + sum((-1) ** (j + 1) * (tanh(s * (k - j - 0.5)) + 1) for j in range(min(units, T)))
                wanted += comb(t, k) / 2**t * (y - (-1) ** k) ** 2
        found = tanh_units.counted_parity_error(units, T, s)
        proof.closely("counted_parity_error", abs(found - wanted / T) / (1 + wanted), ROUNDED)
    for T, units in proof.tied("T <= 13, 1 to 13 units, no steepness given", [(1, 1), (5, 7), (12, 13), (13, 7)]):
        proof.exactly("counted_parity_error", tanh_units.counted_parity_error(units, T), tanh_units.counted_parity_error(units, T, 20.0))
        proof.exactly("recurrent_parity_error", tanh_units.recurrent_parity_error(T), tanh_units.recurrent_parity_error(T, 20.0, 256))
        pairs = zip(tanh_units.recurrent_parity_layer(), tanh_units.recurrent_parity_layer(20.0), strict=True)
        proof.exactly("recurrent_parity_layer", [np.array_equal(x, y) for x, y in pairs], [True] * 6)
    for s in proof.tied("steepness of each type and either sign", (20.0, -2.5, 3, 1.5 - 2j)):
        V, U, b, h, w, c = tanh_units.recurrent_parity_layer(s)  # pyright: ignore[reportArgumentType] # it works for them
        wanted = ([[s, s * -1], [s, s * -1]], [s, s], [s * 0, s * 2], [0, 0], [1, -1], 1)
        found = [np.asarray(x, dtype=complex).tolist() for x in (V, U, b, h, w, c)]
        proof.exactly("recurrent_parity_layer", found, [np.array(x, dtype=object).astype(complex).tolist() for x in wanted])
    for T, count, s in proof.tied("1 to 13 steps, steepness of either sign", [(1, 5, 0.5), (7, 3, 2.0), (12, 13, -0.75), (13, 2, 1.25)]):
        x, wanted = np.random.default_rng(0).choice([-1.0, 1.0], (count, T)).tolist(), 0.0
        for word in x:
            one, two = 0.0, 0.0
            for t, letter in enumerate(word):
                y = one - two + letter
                one, two = tanh(s * y), tanh(s * (y + 2))
                wanted += (one - two + 1 - prod(word[: t + 1])) ** 2 / count / T
        proof.closely("recurrent_parity_error", abs(tanh_units.recurrent_parity_error(T, s, count) - wanted), ROUNDED)
    nodes, weights = np.polynomial.hermite_e.hermegauss(200)
    weights = weights / weights.sum()
    for units, omega in proof.tied(
        "-2 to 13 units, frequencies of either sign", [(-2, 1.5), (0, -3.0), (1, 2.0), (5, -1.0), (12, 2.5), (13, -2.5)]
    ):
        wanted = (1 - exp(-2 * omega**2)) / 2
        for steepness in [abs(omega) * k / 20 for k in range(5, 31)]:
            rows = [[tanh(steepness * (x - (j - (units - 1) // 2) * np.pi / omega)) for j in range(units)] + [1.0] for x in nodes]
            # what is left of the sine off an orthonormal basis of the units' span
            basis, size, _ = np.linalg.svd(np.array(rows) * np.sqrt(weights)[:, None], full_matrices=False)
            target = np.sin(omega * nodes) * np.sqrt(weights)
            kept = basis[:, size > 200 * 2.0**-52 * size[0]].T @ target
            wanted = min(wanted, float(target @ target - kept @ kept))
        # spans of many units are nearly dependent: what is cut off at the last bits is worth less than a millionth
        proof.closely("sine_error", abs(tanh_units.sine_error(units, omega) - wanted), 1e-6)
    hold_refusals(proof, "rationals beside floats", [(tanh_units.recurrent_parity_layer, (x,)) for x in (fmpq(1, 2), fmpq(-20))])
