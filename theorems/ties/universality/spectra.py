"""Functions with finitely many frequencies."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random

import numpy as np
from flint import fmpq

from ....constructions.universality.spectra import Spectrum, cosine, fmpq_to_float, random_spectrum, sine
from ....constructions.universality.spectra import length as length_of
from ....numerics import exact
from ...claim import tie
from ...evidence import Proof
from .common import fmpq_value


def value_of(spectrum: Spectrum, x: Sequence[fmpq]) -> complex:
    phase = lambda w: sum(float(fmpq_value(a * b)) for a, b in zip(w, x, strict=True))  # noqa: E731
    return sum((complex(float(fmpq_value(p)), float(fmpq_value(q))) * np.exp(1j * phase(w)) for w, (p, q) in spectrum.atoms.items()), 0j)


@tie("orvieto24.appD.variables")
def spectra(proof: Proof) -> None:
    """Sums of waves: values, sums, products, changes of variables and norms, against complex exponentials."""
    rng = Random(62)
    for n, waves in proof.tied("1 to 5 variables, 0 to 5 waves", product((1, 2, 3, 5), (0, 1, 3, 5))):
        f, g = random_spectrum(rng, n, waves), random_spectrum(rng, n, waves, 2)
        x = [fmpq(rng.randint(-9, 9), 7) for _ in range(n)]
        for s in (f, g, f + g, f * g):
            proof.closely("values", abs(float(s(x).mid()) - value_of(s, x)), 1e-10)
        proof.closely("sums", abs(value_of(f + g, x) - value_of(f, x) - value_of(g, x)), 1e-10)
        proof.closely("products", abs(value_of(f * g, x) - value_of(f, x) * value_of(g, x)), 1e-9)
        proof.exactly(
            "real functions", all(s.atoms[tuple(-a for a in w)] == (p, -q) for s in (f, g) for w, (p, q) in s.atoms.items()), True
        )
        proof.holds("frequencies within bounds", all(abs(a) <= 3 for w in f.atoms for a in w) and len(f.atoms) <= 2 * waves)
        A = exact.rationals([[rng.randint(-2, 2) for _ in range(n + 1)] for _ in range(n)])
        y = [fmpq(rng.randint(-5, 5), 4) for _ in range(n + 1)]
        moved = f.after(A)
        proof.closely(
            "after a matrix",
            abs(value_of(moved, y) - value_of(f, [sum((a * b for a, b in zip(row, y, strict=True)), fmpq(0)) for row in A])),
            1e-9,
        )
        size = lambda v: float(sum(fmpq_value(a) ** 2 for a in v)) ** 0.5  # noqa: E731
        proof.closely("Barron's constant", abs(float(f.barron.mid()) - sum(size(w) * size(c) for w, c in f.atoms.items())), 1e-9)
        proof.closely("the Fourier norm", abs(float(f.fourier_norm.mid()) - sum(size(c) for c in f.atoms.values())), 1e-9)
        wanted = sum(size([sum((A[i, j] * w[i] for i in range(n)), fmpq(0)) for j in range(n + 1)]) * size(c) for w, c in f.atoms.items())
        proof.closely("stretched", abs(float(f.stretched(A).mid()) - wanted), 1e-9)
        proof.closely("length", abs(float(length_of(x).mid()) - size(x)), 1e-12)
        amplitude = fmpq(rng.randint(-5, 5), 3)
        phase = float(fmpq_value(sum((a * a for a in x), fmpq(0))))
        proof.closely("cosine", abs(value_of(cosine(x, amplitude), x) - float(fmpq_value(amplitude)) * np.cos(phase)), 1e-12)
        proof.closely("sine", abs(value_of(sine(x, amplitude), x) - float(fmpq_value(amplitude)) * np.sin(phase)), 1e-12)
        proof.exactly("no atom that cancels", (f + Spectrum({w: (-p, -q) for w, (p, q) in f.atoms.items()})).atoms, {})
    for x in proof.tied("rationals and floats", [fmpq(-1, 3), fmpq(0), fmpq(10**30, 7), fmpq(2**53 + 1), 0.25, -3]):
        proof.exactly("fmpq_to_float", fmpq_to_float(x), float(fmpq_value(x)) if isinstance(x, fmpq) else float(x))
