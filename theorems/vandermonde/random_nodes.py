"""Random eigenvalues: how well conditioned they are, and when (orvieto24, Sec. 4.1, Figure 2)."""

from __future__ import annotations

import numpy as np

from ...numerics.vandermonde import condition_number
from ..claim import claim
from ..evidence import Proof


def ring_conditions(length: int, width: int, low: float, draws: int, seed: int) -> np.ndarray:
    """Condition numbers of V for ``draws`` sets of ``width`` independent nodes, uniform by area in the ring low <= |z| <= 1 (on the circle for 1)."""
    rng = np.random.default_rng(seed)
    radii, angles = np.sqrt(rng.uniform(low**2, 1, (draws, width))), rng.uniform(0, 2 * np.pi, (draws, width))
    return np.asarray(condition_number(radii * np.exp(1j * angles), length))


@claim(
    "orvieto24.sec4.1.ring",
    place="Sec. 4.1, Initialization close to the unit circle; Figure 2",
    title="at N = 2L = 64 random eigenvalues in a thin ring at the unit circle are far better conditioned than in the whole disc",
    says=r"For $L=32$, $N=64$ and independent $\lambda_i$, uniform by area in $r_{\min}\le|\lambda|\le1$: for $r_{\min}=0$, $\kappa(V_L)\ge1000$ with probability at least $0.8$; for $r_{\min}=0.9$, $0.99$ and $1$, "
    r"$\kappa(V_L)\le200$ with probability at least $0.7$.",
    reading="the sentence is about N = 2L, as Figure 2; the figure has L = 128. At N = L it fails, see new.vandermonde.logarithm",
    sabotages={"the disc is called a ring": {"rings": (0.0, 0.9, 0.0, 1.0)}, "a smaller disc": {"disc": 0.9}},
)
def thin_rings(proof: Proof, disc: float = 0.0, rings: tuple[float, ...] = (0.9, 0.99, 1.0)) -> None:
    r"""Old inputs survive only where the eigenvalues are close to the circle.

    1. In the disc of radius $r$ the weight of an input $j$ steps ago falls like $r^j$; a uniform draw has few eigenvalues close to 1 in modulus. [prose]
    2. The condition numbers of independent draws are counted, with one-sided Clopper and Pearson bounds. [checked: "r_min = 0"; "r_min = 0.9"; "r_min = 1"]
    """
    draws = proof.pick(150, 200, 1000)
    for _ in proof.each(f"L = 32, N = 64, {draws} independent draws for each r_min, seeds 93 and 94", [0]):
        bad = ring_conditions(32, 64, disc, draws, 93)
        proof.statistically("r_min = 0: kappa >= 1000", int((bad >= 1000).sum()), draws, 0.8)
        for name, low in zip(("0.9", "0.99", "1"), rings, strict=False):
            good = ring_conditions(32, 64, low, draws, 94)
            proof.statistically(f"r_min = {name}: kappa <= 200", int((good <= 200).sum()), draws, 0.7)
