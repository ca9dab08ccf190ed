"""Sums and products of waves, row by row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations, product
from random import Random
from typing import Any

import numpy as np
from flint import arb, fmpq

from .....constructions.universality import maps, networks, spectra
from .....constructions.universality.networks import Network
from .....numerics import exact
from ....claim import tie
from ....evidence import Proof
from .. import POSITIVE, hold_refusals, integers, matrix, rational


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
