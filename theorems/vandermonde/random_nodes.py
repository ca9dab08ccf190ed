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
    topic="vandermonde",
    place="Sec. 4.1, Initialization close to the unit circle; Figure 2",
    title="at N = 2L = 64 random eigenvalues in a thin ring at the unit circle are far better conditioned than in the whole disc",
    says=r"For $L=32$, $N=64$ and independent $\lambda_i$, uniform by area in $r_{\min}\le|\lambda|\le1$: for $r_{\min}=0$, $\kappa(V_L)\ge1000$ with probability at least $0.8$; for $r_{\min}=0.9$, $0.99$ and $1$, "
    r"$\kappa(V_L)\le200$ with probability at least $0.7$.",
    reading="the sentence is about N = 2L, as Figure 2; the figure has L = 128. At N = L it fails, see new.vandermonde.circle",
    sabotages={"the disc is called a ring": {"rings": (0.0, 0.9, 0.0, 1.0)}, "a smaller disc": {"disc": 0.9}},
)
def thin_rings(proof: Proof, disc: float = 0.0, rings: tuple[float, ...] = (0.9, 0.99, 1.0)) -> None:
    r"""Old inputs survive only where the eigenvalues are close to the circle.

    1. In the disc of radius $r$ the weight of an input $j$ steps ago falls like $r^j$; a uniform draw has few eigenvalues close to 1 in modulus. [prose]
    2. The condition numbers of independent draws are counted, with one-sided Clopper and Pearson bounds. [checked: "r_min = 0"; "r_min = 0.9"; "r_min = 1"]
    """
    draws = proof.pick(150, 200, 1000)
    for _ in proof.each(f"L = 32, N = 64, {draws} independent draws for each r_min", [0]):
        bad = ring_conditions(32, 64, disc, draws, 93)
        proof.statistically("r_min = 0: kappa >= 1000", int((bad >= 1000).sum()), draws, 0.8)
        for name, low in zip(("0.9", "0.99", "1"), rings, strict=False):
            good = ring_conditions(32, 64, low, draws, 94)
            proof.statistically(f"r_min = {name}: kappa <= 200", int((good <= 200).sum()), draws, 0.7)


@claim(
    "new.vandermonde.circle",
    topic="vandermonde",
    place="after orvieto24, Sec. 4.1, 'r_min -> 1'",
    kind="new",
    title="on the circle random eigenvalues are badly conditioned at N = L = 32, well at N = 32 L, and at N = 2L worse with L",
    says=r"For i.i.d. uniform $\lambda_i$ on the circle: $\kappa(V_{32})\ge50$ with probability at least $0.9$ for $N=32$, and $\le2$ with probability at least $0.9$ for $N=1024$. At $N=2L$, $\kappa(V_L)\le10$ with "
    r"probability at least $0.6$ for $L=8$, and $\ge12$ with probability at least $0.6$ for $L=64$: no fixed ratio $N/L$ will do.",
    hypotheses=("independent uniform angles", "these L and N only"),
    known="for sums of independent rank-one matrices the scale is N of the order of L log L: what is enough for every L, by the matrix Chernoff bound, is new.vandermonde.random, what is too few new.vandermonde.logarithm",
    sabotages={"the widths are exchanged": {"widths": (1024, 32)}, "the lengths are exchanged": {"lengths": (64, 8)}},
)
def random_nodes_on_the_circle(proof: Proof, widths: tuple[int, int] = (32, 1024), lengths: tuple[int, int] = (8, 64)) -> None:
    r"""$V^*V/N$ is an average of $N$ independent matrices of rank one with mean $I$.

    1. For $N=L$ two of the $N$ angles are likely to be much closer than $2\pi/N$, and $V$ is close to singular. [prose] [checked: "N = L = 32"]
    2. For $N$ much larger than $L$ the average settles at its mean. Each summand has norm $L/N$; matrix concentration asks for $N$ of the order of $L\log L$, because all of about $L$ directions have to be covered. [prose]
       [checked: "N = 32 L"]
    3. At $N=2L$, below that order, the condition grows with $L$. [checked: "N = 2 L = 16"; "N = 2 L = 128"]
    """
    draws = proof.pick(100, 100, 1000)
    for _ in proof.each(f"{4 * draws} draws for N = L = 32 and for N = 2 L = 16, {draws} for N = 32 L and for N = 2 L = 128", [0]):
        narrow, wide = (ring_conditions(32, width, 1.0, 4 * draws if width == 32 else draws, 89) for width in widths)
        proof.statistically("N = L = 32: kappa >= 50", int((narrow >= 50).sum()), len(narrow), 0.9)
        proof.statistically("N = 32 L = 1024: kappa <= 2", int((wide <= 2).sum()), len(wide), 0.9)
        short, long = (ring_conditions(length, 2 * length, 1.0, 4 * draws if length == 8 else draws, 90) for length in lengths)
        proof.statistically("N = 2 L = 16: kappa <= 10", int((short <= 10).sum()), len(short), 0.6)
        proof.statistically("N = 2 L = 128: kappa >= 12", int((long >= 12).sum()), len(long), 0.6)
