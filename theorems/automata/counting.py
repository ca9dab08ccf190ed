"""Reflections only: addition modulo m (grazzi25, Theorem 6, App. D) and the dihedral groups, S_3 among them."""

from __future__ import annotations

import numpy as np

from ...constructions.automata import addition_by_reflections, mirror
from ...constructions.automata.reflections import dihedral_by_reflections, dihedral_step
from ...numerics import exact
from ..claim import claim
from ..closure import computes
from ..evidence import Proof


@claim(
    "grazzi25.thm6",
    topic="automata",
    place="Theorem 6, App. D",
    title="two layers of reflections add modulo m at every length, with 2m states at least 2 sin(pi/2m) apart",
    says=r"With $A=-1$ in the first layer and reflections of the plane in the second, the stack outputs $\sum_ix_i\bmod m$; its $2m$ states in $\mathbb R^2$ are at "
    r"pairwise distances at least $2\sin(\pi/2m)$.",
    construction="lemmata.constructions.automata.reflections.addition_by_reflections",
    sabotages={"the sum is taken modulo m + 1": {"modulus": lambda m: m + 1}},
)
def addition_with_reflections(proof: Proof, modulus=lambda m: m) -> None:
    """Closure in exact cyclotomic numbers; all points are multiples of pi/m on the circle."""
    largest = proof.pick(5, 12, 24)
    for m in proof.every(f"m <= {largest}", range(1, largest + 1)):
        stack = addition_by_reflections(m)
        found = computes(
            proof, "the output is the sum modulo m", stack, lambda q, x, m=m: (q + x) % modulus(m), 0, tuple(range(m)), lambda q: q
        )
        proof.exactly("2m states of the second layer are reached", len({exact.freeze(states[1]) for states, _ in found.pairs}), 2 * m)
        one = exact.identity(2)
        proof.exactly(
            "every transition of layer 2 is a reflection",
            [np.array_equal(mirror(m, k) @ mirror(m, k), one) for k in (1 - 2 * m, 1, 1 + 2 * m)],
            [True] * 3,
        )
        points = [mirror(m, k)[:, 0] for k in range(2 * m)]
        # (2 sin(pi/2m))^2 = 2 - 2 cos(pi/m), and mirror(m, 1) holds cos(pi/m)
        least = 2 - 2 * mirror(m, 1)[0, 0]
        gaps = [sum(x * x for x in points[0] - q) for q in points[1:]]
        proof.exactly("neighbours are 2 sin(pi/2m) apart", [gaps[0] == least, gaps[-1] == least], [True, True])
        proof.certified("all others are farther apart", all(bool((g - least).ball().real > 0) for g in gaps[1:-1]), f"m = {m}")


@claim(
    "new.automata.dihedral",
    topic="automata",
    place="after grazzi25 Theorem 6; open question at the end of Sec. 6",
    kind="new",
    title="S_3, and every dihedral group, in two layers with one reflection per letter each: DeltaNet [-1, 1] solves them",
    says=r"For every $m$ a stack of two layers of width $2$, each transition one reflection, outputs the product of the letters in $D_m$; $D_3\cong S_3$.",
    construction="lemmata.constructions.automata.reflections.dihedral_by_reflections",
    sabotages={"reflections are taken for rotations": {"step": lambda m, g, x: dihedral_step(m, g, ("r", x[1]))}},
)
def dihedral_groups(proof: Proof, step=dihedral_step) -> None:
    """With r^theta s^epsilon the state, phi = eta theta is negated by every letter, up to a shift, if eta changes sign at rotations.

    Layer 1 keeps eta and (-1)^epsilon, one flip per letter; layer 2 flips phi at an axis that the letter and eta choose."""
    largest = proof.pick(4, 8, 12)
    for m in proof.every(f"m <= {largest}", range(1, largest + 1)):
        letters = [(kind, a) for kind in "rs" for a in range(m)]
        stack = dihedral_by_reflections(m)
        found = computes(proof, "the output is the product in D_m", stack, lambda g, x, m=m: step(m, g, x), (0, 0), letters, lambda g: g)
        proof.exactly("every element of D_m is reached", len({g for _, g in found.pairs}), 2 * m)
        one = exact.identity(2)
        reads = [(x, eta, epsilon) for x in letters for eta in (1, -1) for epsilon in (0, 1)]
        used = [stack.layers[0].transition(x) for x in letters] + [stack.layers[1].transition(y) for y in reads]
        proof.holds("every transition is a reflection: A = A^T, A^2 = I, trace 0", all(_is_reflection(A, one) for A in used))


def _is_reflection(A, one) -> bool:
    return np.array_equal(A, A.T) and np.array_equal(A @ A, one) and A[0, 0] + A[1, 1] == 0


@claim(
    "grazzi25.thm6.display",
    topic="automata",
    place="App. D, display of h_{i+1} in the induction",
    title="the induction's display: at odd i, H(theta(x, 1)) c_y = c_{x+y}",
    says=r"For odd $i$, $h_{i+1}=H(\theta(x_{i+1},1))c_{y_i}=c_{x_{i+1}+y_i}$.",
    reading="as printed; Eq. 6 and 7 give H(theta(x, 0)) c_y = d_{x+y} there",
    sabotages={"the labels of Eq. 7": {"odd": 0, "target": lambda m, s: mirror(m, 2 * s)[:, :1]}},
)
def induction_display(proof: Proof, odd: int = 1, target=lambda m, s: mirror(m, 1 - 2 * s)[:, :1]) -> None:
    """c_i and d_i as images of (1, 0); the smallest modulus already differs."""

    def differs(case: tuple[int, int, int]) -> bool:
        m, x, y = case
        c = mirror(m, 1 - 2 * y)[:, :1]
        image = mirror(m, 1 - 2 * x if odd else 1 + 2 * x) @ c
        return not np.array_equal(image, target(m, x + y))

    cases = [(m, x, y) for m in range(1, 5) for x in range(m) for y in range(m)]
    found = proof.smallest("m, then x, y below m", cases, differs)
    if found:
        m, x, y = found[0]
        c = mirror(m, 1 - 2 * y)[:, :1]
        image = mirror(m, 1 - 2 * x) @ c
        proof.counterexample(
            given={"m": m, "x": x, "y": y, "c_y": c[:, 0], "H(theta(x, 1)) c_y": image[:, 0], "c_{x+y}": target(m, x + y)[:, 0]},
            hypotheses={"x and y lie below m": x < m and y < m},
            violates={"the two sides differ": not np.array_equal(image, target(m, x + y))},
            minimal=f"m = {m}",
        )
