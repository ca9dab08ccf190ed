"""Rotations, counting modulo m, the zero matrix and boolean transitions (grazzi25, App. A.3, C.1, C.5)."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import sympy
from flint import arb, fmpq

from ...constructions import householder
from ...constructions.householder import GeneralizedHouseholder
from ...numerics import exact
from ..claim import claim
from ..closure import computes
from ..evidence import Proof
from .norms import certify_product


@claim(
    "grazzi25.appC1",
    topic="householder",
    place="App. C.1",
    title="every rotation of the plane is a product of two reflections, whose mirrors enclose half the angle",
    says=r"$R(\theta)=(I-2v_1v_1^\top)(I-2v_2v_2^\top)$ with $v_1=(-\sin\tfrac\theta2,\cos\tfrac\theta2)$, $v_2=(0,1)$.",
    construction="lemmata.constructions.householder.rotation_as_two_reflections",
    sabotages={"the mirrors enclose the whole angle": {"half": 1}},
)
def rotation_is_two_reflections(proof: Proof, half=sympy.Rational(1, 2)) -> None:
    """Multiply with symbols; then the code, in floats."""
    theta = sympy.Symbol("theta", real=True)
    v1, v2 = sympy.Matrix([-sympy.sin(half * theta), sympy.cos(half * theta)]), sympy.Matrix([0, 1])
    two = (sympy.eye(2) - 2 * v1 * v1.T) * (sympy.eye(2) - 2 * v2 * v2.T)
    rotation = sympy.Matrix([[sympy.cos(theta), -sympy.sin(theta)], [sympy.sin(theta), sympy.cos(theta)]])
    for left, right in zip(two, rotation, strict=True):
        proof.symbolically(
            "the product is R(theta)",
            sympy.expand_trig(left.subs(theta, 2 * theta)),
            sympy.expand_trig(right.subs(theta, 2 * theta)),
            "theta",
        )
    for left, right in zip(v1.T * v1, [1], strict=True):
        proof.symbolically("v_1 has length 1", left, right, "theta")


@claim(
    "grazzi25.appC1.counting",
    topic="householder",
    place="App. C.1; Theorem 3 (cyclic groups)",
    title="R(2 pi / m), a product of two reflections, counts modulo m at every length",
    says=r"With $A(1)=R(2\pi/m)\in\mathcal M^2_2(\{-1\})$, $H_0=(1,0)^\top$ the state after $t$ ones is the $t\bmod m$-th vertex of the $m$-gon.",
    uses=("grazzi25.appC1",),
    construction="lemmata.constructions.householder.rotation_counter",
    sabotages={"the angle is 4 pi / m": {"turn": lambda m: householder.exact_rotation(m, 2)}, "the decoder is off by one": {"shift": 1}},
)
def rotations_count(proof: Proof, turn=householder.exact_rotation, shift: int = 0) -> None:
    """Exact cyclotomic arithmetic: m states, closed under both letters; and the transition as exactly two reflections."""
    largest = proof.pick(8, 24, 60)
    for m in proof.every(f"m <= {largest}", range(1, largest + 1)):
        layer = householder.rotation_counter(m)
        computes(
            proof,
            "the output is the number of ones modulo m",
            layer,
            lambda q, x, m=m: (q + x) % m,
            0,
            (0, 1),
            lambda q, m=m: (q + shift) % m,
        )
        R = turn(m)
        # R(0) = I is no reflection at all, or any one of them twice
        factors = householder.reflections(R) or [GeneralizedHouseholder(R[:, 0])] * 2
        proof.exactly("two reflections multiply to the transition", householder.product(factors, 2), layer.transition(1))
        proof.exactly("their number is two", len(factors), 2)


@claim(
    "grazzi25.appC1.margin",
    topic="householder",
    place="App. C.1, the decoder arg max D_i^T H",
    title="the argmax decoder bears every error of the state below sin(pi/m) and no larger one",
    says=r"If $\|\delta\|<\sin(\pi/m)$ then $\arg\max_iD_i^\top(D_t+\delta)=t$, and some $\delta$ of that length breaks it ($m\ge2$). So the state needs about "
    r"$\log_2(m/\pi)$ bits after the point.",
    hypotheses=("m >= 2 (with m = 1 nothing can go wrong)",),
    construction="lemmata.constructions.householder.decoder_tolerance",
    sabotages={
        "the tolerance is the whole distance of neighbours, 2 sin(pi/m)": {"tolerance": lambda m: 2 * householder.decoder_tolerance(m)},
        "1 - cos(2 pi/m)": {"tolerance": lambda m: 1 - (2 * arb.pi() / m).cos()},
    },
)
def decoder_margin(proof: Proof, tolerance=householder.decoder_tolerance) -> None:
    """D_t beats D_{t+s} by 2 sin^2(pi s/m), and delta moves the difference by at most |delta| 2 sin(pi s/m): it takes
    |delta| >= sin(pi s/m), least for s = 1, and a push along D_{t+1} - D_t reaches it."""
    s, m = sympy.symbols("s m", positive=True)
    lead = 1 - sympy.cos(2 * sympy.pi * s / m)
    half = sympy.sin(sympy.pi * s / m)
    proof.symbolically(
        "the lead is 2 sin^2(pi s/m)", sympy.expand_trig(lead.subs(s, s * m / sympy.pi)), 2 * half.subs(s, s * m / sympy.pi) ** 2, "s, m"
    )
    largest = proof.pick(64, 256, 1024)
    for m_ in proof.every(f"2 <= m <= {largest}", range(2, largest + 1)):
        t = tolerance(m_)
        shifts = {1, 2, m_ // 2, m_ - 1} - {0}
        halves = {k: (arb.pi() * k / m_).sin() for k in shifts if k < m_}
        short = t * fmpq(999, 1000)
        proof.certified("0.999 of the tolerance breaks nothing", all(2 * h * h - 2 * short * h > 0 for h in halves.values()), f"m = {m_}")
        long = t * fmpq(1001, 1000)
        proof.certified(
            "1.001 of it, towards the neighbour, breaks the decoder",
            bool(2 * halves[1] * halves[1] - 2 * long * halves[1] < 0),
            f"m = {m_}",
        )


@claim(
    "grazzi25.appC5.zero",
    topic="householder",
    place="App. C.5, the zero matrix; remark after Theorem 4",
    title="the zero matrix is a product of n GH matrices, and of no fewer",
    says=r"$0=\prod_{i=1}^n(I-e_ie_i^\top)\in\mathcal M^n_n(\{0\})$, and $0\notin\mathcal M^n_k(\mathbb R)$ for $k<n$.",
    uses=("new.householder.rank",),
    construction="lemmata.constructions.householder.zero_factors",
    sabotages={"one projection is dropped": {"factors_of": lambda n: householder.zero_factors(n)[1:]}},
)
def zero_needs_n_factors(proof: Proof, factors_of=householder.zero_factors) -> None:
    """rank(0 - I) = n."""
    largest = proof.pick(5, 12, 20)
    for n in proof.every(f"n <= {largest}", range(1, largest + 1)):
        factors = factors_of(n)
        proof.exactly("the projections multiply to 0", householder.product(factors, n), exact.zeros(n, n))
        proof.exactly("their number is rank(0 - I)", len(factors), exact.rank(-exact.identity(n)))
        certify_product(proof, f"0 as {n} GH factors", factors, exact.zeros(n, n), low="0", high="0", fewest=True)


def _largest_fibre(function: tuple[int, ...]) -> int:
    return max(function.count(q) for q in function)


@claim(
    "grazzi25.appA3",
    topic="householder",
    place="App. A.3, last sentence",
    title="one-hot boolean transitions can have norm above 1, which makes the recurrence unstable",
    says=r"Some product of the matrices $A(w)_{q',q}=\mathbf 1\{\delta(q,w)=q'\}$ of an automaton grows without bound.",
    reading="'unstable' as unbounded products; delta(w, q) is printed for delta(q, w)",
    uses=("grazzi25.appA3.amended",),
    sabotages={"the matrices are doubled": {"scale": 2}, "all functions are permutations": {"functions": ((0, 1), (1, 0))}},
)
def boolean_transitions_are_stable(proof: Proof, scale: int = 1, functions=tuple(product(range(2), repeat=2))) -> None:
    """A constant function on two states has norm sqrt 2, yet every product of such matrices is one of the four again."""
    matrices = [householder.boolean_transition(f) * scale for f in functions]
    monoid = {exact.freeze(m): m for m in matrices}
    for _ in range(4):
        monoid |= {exact.freeze(p): p for p in (exact.multiply(a, b) for a in monoid.values() for b in matrices)}
    squared = max(max(exact.multiply(m, m.T)[q, q] for q in range(2)) for m in monoid.values())
    proof.counterexample(
        given={
            "n": 2,
            "A(reset)": householder.boolean_transition((0, 0)),
            "all products of the transitions": list(monoid.values()),
            "largest squared norm": squared,
        },
        hypotheses={
            "a transition has norm above 1 (squared norm 2)": any(exact.multiply(m, m.T)[q, q] == 2 for m in matrices for q in range(2))
        },
        violates={"the products are finitely many, so none grows": len(monoid) <= len(functions)},
        minimal="|Q| = 2",
    )


@claim(
    "grazzi25.appA3.amended",
    topic="householder",
    place="App. A.3",
    kind="amended",
    amends="grazzi25.appA3",
    title="a boolean transition has norm sqrt(largest fibre) and 1-norm 1; all products stay below sqrt|Q|",
    says=r"For $f:Q\to Q$ and its matrix $A$, $\|A\|=\sqrt{\max_q|f^{-1}(q)|}$ and $\|A\|_1=1$; products are matrices of compositions, so their norms are at most $\sqrt{|Q|}$.",
    construction="lemmata.constructions.householder.boolean_transition",
    sabotages={"rows are taken for columns": {"matrix_of": lambda f: householder.boolean_transition(f).T}},
)
def boolean_transitions(proof: Proof, matrix_of=householder.boolean_transition) -> None:
    """A A^T is diagonal with the sizes of the fibres; columns are unit vectors; A_f A_g = A_{f o g}."""
    largest = proof.pick(3, 4, 5)
    everything = (f for n in range(1, largest + 1) for f in product(range(n), repeat=n))
    for f in proof.every(f"all functions on n <= {largest} states", everything):
        n, A = len(f), matrix_of(f)
        fibres = exact.rationals(np.diag([f.count(q) for q in range(n)]))
        proof.exactly("A A^T = diag(fibre sizes)", exact.multiply(A, A.T), fibres)
        proof.exactly("every column sums to 1", [sum(column) for column in A.T], [1] * n)
        proof.holds("largest fibre <= |Q|", _largest_fibre(f) <= n)
    rng = Random(51)
    for _ in proof.each("200 random pairs of functions, n <= 6", range(200)):
        n = rng.randint(1, 6)
        f, g = ([rng.randrange(n) for _ in range(n)] for _ in range(2))
        proof.exactly(
            "products are compositions", exact.multiply(matrix_of(f), matrix_of(g)), householder.boolean_transition([f[q] for q in g])
        )
