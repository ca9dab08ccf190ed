"""Rotations and their angles, row by row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from flint import fmpq

from .....constructions.householder import rotations
from ....claim import tie
from ....evidence import Proof
from .. import hold, hold_refusals
from .common import multiplied


@tie("grazzi25.appC1")
def angles(proof: Proof) -> None:
    """Rotations by angles of either sign, and of no other type; counters of no modulus are refused."""
    for theta in proof.tied("angles -13 to 13", [k / 4 for k in range(-52, 53)]):
        z = np.exp(1j * theta)
        wanted = np.array([[z.real, -z.imag], [z.imag, z.real]])
        proof.closely("rotation", float(np.abs(rotations.rotation(theta) - wanted).max()), 1e-15)
        proof.closely("two reflections", float(np.abs(multiplied(rotations.rotation_as_two_reflections(theta), 2) - wanted).max()), 1e-14)
    moduli = (rotations.rotation_counter, rotations.decoder_tolerance, rotations.exact_rotation)
    calls: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [(f, (m,)) for f in moduli for m in (0, -3)]
    calls += [
        (f, (x,))
        for f in (rotations.rotation, rotations.rotation_as_two_reflections)
        for x in (float("nan"), float("inf"), -1j, fmpq(1, 2))
    ]
    hold_refusals(proof, "moduli below 1, angles that are no floats", calls)
    for m in proof.tied("moduli up to 13", (1, 2, 3, 5, 8, 13)):
        counter = rotations.rotation_counter(m)
        word = [1, 0, 1, 1] * (m + 1)
        proof.exactly("the count", counter.run(word), [sum(word[: t + 1]) % m for t in range(len(word))])
        if m > 1:
            proof.certified(
                "half the distance of neighbours",
                bool((rotations.decoder_tolerance(m) * 2 - abs(np.exp(2j * np.pi / m) - 1)).abs_upper() < 1e-14),
            )


@tie("grazzi25.appC1")
def angles_that_are_none(proof: Proof) -> None:
    """Angles are real and finite."""
    given = (1j, -2 + 1j, float("nan"), float("inf"), fmpq(1, 2), fmpq(-3))
    hold_refusals(proof, "complex, exact and infinite angles", [(rotations._require_angle, (x,)) for x in given])
    hold(proof, "angles of either sign", rotations._require_angle, lambda x: x, [(x / 4,) for x in range(-13, 14)])
