"""Reflections only: addition modulo m (grazzi25, Theorem 6, App. D), the dihedral and all solvable groups, S_3 and S_4 among them."""

from __future__ import annotations

from math import prod

import numpy as np

from ...constructions.automata import addition_by_reflections, mirror
from ...constructions.automata.reflections import composition_factors, dihedral_by_reflections, dihedral_step, solvable_by_reflections
from ...constructions.automata.sources import from_permutations, named_group
from ...constructions.recurrence import Recurrence, Stack
from ...numerics import exact
from ..claim import claim
from ..closure import computes, maps_used
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


def _quaternions() -> dict[str, tuple[int, ...]]:
    """The quaternion group of order 8 acting on itself: i and j, on 1, i, -1, -i, j, k, -j, -k."""
    return {"i": (1, 2, 3, 0, 5, 6, 7, 4), "j": (4, 7, 6, 5, 2, 1, 0, 3)}


def _solvable_groups(proof: Proof):
    """(name, letters): generators, and for the smaller ones all elements."""
    frobenius = {"turn": (1, 2, 3, 4, 0), "double": (0, 2, 4, 1, 3)}
    z3_wr_z2 = {"turn": (1, 2, 0, 3, 4, 5), "swap": (3, 4, 5, 0, 1, 2)}
    named = {name: named_group(name) for name in ("Z1", "Z2", "Z6", "S3", "D4", "D5", "A4", "S4")}
    named |= {"Q8": _quaternions(), "F20": frobenius, "Z3 wr Z2": z3_wr_z2}
    if proof.effort != "quick":
        named |= {
            "D6": named_group("D6"),
            "Z12": named_group("Z12"),
            "S3 x S3": {"a": (1, 0, 2, 3, 4, 5), "b": (1, 2, 0, 3, 4, 5), **z3_wr_z2},
        }
    yield from named.items()
    for name in proof.pick(("S3",), ("S3", "A4", "S4"), ("S3", "A4", "S4")):
        elements = from_permutations(named_group(name)).names or ()
        yield f"{name}, all elements as letters", {str(g): g for g in elements}


@claim(
    "new.automata.solvable",
    topic="automata",
    place="after grazzi25 Theorem 6; open question at the end of Sec. 6",
    kind="new",
    title="every solvable group, S_4 included, is a stack with one reflection per letter and layer: DeltaNet [-1, 1] solves it",
    says=r"Let $G$ be a solvable group with $r$ composition factors. A stack of $r+1$ layers of width at most $2$, each transition one reflection or the identity, "
    r"outputs the product of the letters: the word problems of $S_3$ and $S_4$ need no products of reflections.",
    hypotheses=("depth r + 1, r the length of a composition series; that S_n for n >= 5 needs more is not shown",),
    construction="lemmata.constructions.automata.reflections.solvable_by_reflections",
    sabotages={"the clock stands still": {"clock": lambda layer: _stopped(layer)}},
)
def solvable_groups(proof: Proof, clock=lambda layer: layer) -> None:
    """Along a composition series G = G_0 > G_1 > ... write g = t_0^a_0 t_1^a_1 ... The letter x adds c to a_0, where x lies in t_0^c G_1,
    and x t_0^a_0 = t_0^a_0' x_1 with x_1 in G_1, which acts on the rest in the same way. Addition modulo p becomes a reflection,
    phi -> (-1)^t c - phi, for phi = (-1)^t a. Since additions can be undone, a layer hands up x_1 without having kept a_0."""
    for name, letters in proof.each(
        f"solvable groups of order up to {proof.pick(24, 72, 72)} by generators, some with all elements as letters", _solvable_groups(proof)
    ):
        stack = solvable_by_reflections(letters)
        stack = Stack((clock(stack.layers[0]), *stack.layers[1:]))
        identity = tuple(range(len(next(iter(letters.values())))))
        found = computes(
            proof,
            "the output is the product of the letters, on all words",
            stack,
            lambda g, x, letters=letters: tuple(letters[x][i] for i in g),
            identity,
            list(letters),
            lambda g: g,
            certify=name in ("S3", "S4", "Q8"),
        )
        proof.holds("width at most 2", all(len(H) <= 2 for H in stack.initial))
        primes = [factor.p for factor in composition_factors(list(letters.values()))]
        proof.exactly("the primes multiply to the order of the group", prod(primes), len({g for _, g in found.pairs}))
        proof.exactly("r + 1 layers", len(stack.layers), len(primes) + 1)
        proof.holds(
            "every transition is one reflection or the identity", all(_at_most_one_reflection(A) for A, _ in maps_used(stack, found))
        )


def _at_most_one_reflection(A) -> bool:
    one = exact.identity(len(A))
    flips = np.array_equal(A, A.T) and np.array_equal(A @ A, one)
    return bool(flips and (np.array_equal(A, one) or sum(np.diag(A)) == len(A) - 2))


def _stopped(layer: Recurrence) -> Recurrence:
    """The clock without its change of sign."""
    return Recurrence(lambda x: layer.transition(x) * -1, layer.inputs, layer.initial, layer.decode)


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
