"""The driven systems of App. E.3 with the constants of the paper."""

from __future__ import annotations

from fractions import Fraction

from ...constructions.universality import maps
from ..claim import tie
from ..evidence import Proof

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
