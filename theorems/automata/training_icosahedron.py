"""The three laws of training at compiled weights for A_5, in float64, and what they predict for gradient descent."""

from __future__ import annotations

import numpy as np

from ...constructions.automata.layers.perturbed_floats import distance_left, icosahedral_keys, moments_in_floats
from ..claim import claim
from ..evidence import Proof

START = np.array([1.0, 3.0, 7.0]) / np.sqrt(59)


def mirrors_of_the_icosahedron() -> np.ndarray:
    """The 15 reflections, shape (15, 3, 3)."""
    return np.array([np.eye(3) - 2 * np.outer(k, k) for k in icosahedral_keys()])


def directions(drift: float) -> dict[str, tuple[np.ndarray, int]]:
    """The three kinds of directions with the power of T; ``drift`` turns no key but shortens it, which is the first kind."""
    keys = icosahedral_keys()
    steps = np.array([-np.outer(k, k) for k in keys])
    away = np.cross(keys[0], START)
    one_key = np.zeros((15, 3, 3))
    one_key[0] = -2 * (np.outer(away, keys[0]) + np.outer(keys[0], away)) + drift * steps[0]
    spin = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 2.0], [0.0, -2.0, 0.0]])
    conjugated = np.array([spin @ A - A @ spin for A in mirrors_of_the_icosahedron()])
    return {"the step size of all letters": (steps, 2), "one key turned": (one_key, 1), "all letters conjugated": (conjugated, 0)}


@claim(
    "new.automata.hessian.icosahedron",
    place="after grazzi25 Theorem 3",
    title="A₅ by 15 mirrors in float64: curvature of order T² (β), T (a key turned), 1 (conjugated); steps above its inverse leave",
    says=r"Let the letters be the $15$ reflections of the icosahedron, $h_0=(1,3,7)/\sqrt{59}$, words uniform of length $T$, the loss the mean squared distance of the last state, and $c_T=\mathbb E|D_T|^2$ for one direction. From $T=64$ to $T=1024$, $c_T$ grows by a factor between $200$ and $256$ if the $\beta$ of all letters changes, between $12$ and $20$ if one key turns, and below $1.01$ if all letters are conjugated. "
    r"For $T=16,64,256$ and each direction, gradient descent on the exact loss comes nearer with steps of $0.9/c_T$ and leaves with $1.1/c_T$. So the largest stable step falls as $T^{-2}$, $T^{-1}$, or not at all.",
    hypotheses=(
        "float64; the mean over all words by the recurrence of second moments, no sample; one direction at a time, not Adam",
        "A_5 acts by the letters up to the sign -1, which a decoder of axes ignores",
    ),
    known="new.automata.hessian has the laws for all finite groups; that steps above 2 over the curvature leave a minimum is standard. For these weights no source is known to us.",
    construction="lemmata.constructions.automata.layers.perturbed_floats.moments_in_floats",
    sabotages={
        "the key is shortened as well": {"drift": 1.0},
        "steps of twice the inverse": {"below": 2.0},
    },
)
def icosahedron_in_floats(proof: Proof, drift: float = 0.0, below: float = 0.9) -> None:
    r"""Second moments of a state and its derivative obey a linear recurrence, which is run.

    1. $(h,D)\mapsto(Ah,AD+Xh)$ for each letter, so $\mathbb E(h,D)(h,D)^\top$ is multiplied by a fixed map for each letter. [prose]
    2. Growth from $T=64$ to $T=1024$. [checked: "16 times the length"]
    3. A quadratic loss $c\varepsilon^2$ has the gradient $2c\varepsilon$: a step $\eta$ multiplies $\varepsilon$ by $1-2\eta c$, which is below $1$ in modulus iff $\eta<1/c$. [prose]
    4. The loss itself is followed for twelve steps from $\varepsilon=10^{-6}$. [checked: "a step below the inverse"; "a step above the inverse"]
    """
    maps = mirrors_of_the_icosahedron()
    ranges = {2: (200.0, 256.0), 1: (12.0, 20.0), 0: (0.0, 1.01)}
    lengths = proof.pick((16,), (16, 64, 256), (16, 64, 256))
    for X, power in proof.each("three directions, T = 64 and 1024, float64", directions(drift).values()):
        c = moments_in_floats(maps, X, START, 1024)
        low, high = ranges[power]
        proof.closely(
            "16 times the length: the factor's distance from the middle of its range",
            abs(float(c[1024] / c[64]) - (low + high) / 2),
            (high - low) / 2,
        )
        for T in lengths:
            near, far = (distance_left(maps, X, START, T, float(share / c[T])) for share in (below, 1.1))
            proof.closely("a step below the inverse: what is left after 12 steps", near, 0.1)
            proof.closely("a step above the inverse: the inverse of what is left", 1 / far, 0.2)
    proof.exhibit(
        "the curvature E|D_T|^2",
        **{
            name: [round(float(x), 3) for x in moments_in_floats(maps, X, START, 1024)[[16, 64, 256, 1024]]]
            for name, (X, _) in directions(0.0).items()
        },
    )
