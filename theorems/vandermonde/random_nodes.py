"""Random eigenvalues: how well conditioned they are, and when (orvieto24, Sec. 4.1, Figure 2)."""

from __future__ import annotations

import numpy as np
from flint import fmpq

from ...constructions.vandermonde import recall_matrix
from ...numerics import exact
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


@claim(
    "orvieto24.appE1.conditioning",
    place="App. E.1, on Figure 7: 'the same pattern is observed for the condition number'",
    title="for N ≥ L the condition number of random eigenvalues falls with the width; for N < L the matrix V*V is singular",
    says=r"For $N<L$, $V_L^*V_L$ has rank at most $N<L$. For $L=32$ and independent draws, $r_{\min}=0$, $0.9$ and $1$: $\kappa(V_L)$ at $N=48$ is below that at $N=32$ with probability at least $0.9$, "
    r"and at $N=64$ below that at $N=48$ with probability at least $0.7$.",
    reading="the sentence is about the condition number of V^T V, the square of that of V. Where N < L a condition number can only be meant on the range, and there it rises up to N = L",
    remarks=(
        "The kept medians of Figure 7 (L = 784, r_min = 0, log10, on the range) rise up to N = L and fall after it; the figure names the convention.",
    ),
    sabotages={"the widths in the other order": {"widths": (64, 48, 32)}, "as many units as inputs": {"narrow": 3}},
)
def falls_with_the_width(proof: Proof, widths: tuple[int, int, int] = (32, 48, 64), narrow: int = 2) -> None:
    r"""A count of independent pairs, and a rank.

    1. $V_L$ has $N$ rows, so $V_L^*V_L$ has rank at most $N$. [checked: "fewer units than inputs"] [prose]
    2. Pairs of independent draws are compared, with one-sided Clopper and Pearson bounds. [checked: "N = 48 against 32"; "N = 64 against 48"]
    """
    nodes = [fmpq(1, j + 2) for j in range(narrow)]
    V = recall_matrix(nodes, 3)
    for _ in proof.each("N = 2, L = 3, real nodes", [0]):
        proof.holds("fewer units than inputs: the Gram matrix is singular", exact.rank(V.T @ V) < 3)
    draws = proof.pick(150, 200, 1000)
    for low in proof.each(f"L = 32, {draws} independent draws for each N, seeds 401 to 403; r_min = 0, 0.9, 1", (0.0, 0.9, 1.0)):
        small, middle, large = (ring_conditions(32, n, low, draws, 401 + i) for i, n in enumerate(widths))
        proof.statistically("N = 48 against 32: kappa falls", int((middle < small).sum()), draws, 0.9)
        proof.statistically("N = 64 against 48: kappa falls", int((large < middle).sum()), draws, 0.7)
