"""Several outputs, and heads that read states instead of tokens (orvieto24, Remark 1, Proposition 2)."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import sympy
from flint import arb, fmpq

from ...constructions.universality.networks import Network
from ...numerics import exact
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof

# -- several outputs -----------------------------------------------------------------------------------------------------------


@claim(
    "new.universality.outputs",
    topic="universality",
    place="after orvieto24, Remark 1",
    kind="new",
    title="S outputs share their neurons: D >= r^2 C^2 / eps^2 with the Barron constant of the vector-valued function, whatever S",
    says=r"For $f:\mathbb R^n\to\mathbb R^S$ and $C_f=\int\|\omega\|\,\|F(\omega)\|_2\,d\omega$, $D\ge r^2C_f^2\epsilon^{-2}$ steps with weights in $\mathbb R^S$ give $\|f-g\|_{L^2(\mu;\mathbb R^S)}\le\epsilon$. "
    r"$C_f\le\sum_jC_{f_j}$, and $\sqrt S\max_jC_{f_j}$ if all $|F_j|$ are equal: $S^2r^2C^2\epsilon^{-2}$ neurons for the 1-norm then, not $2S^3r^2C^2\epsilon^{-2}$.",
    uses=("orvieto24.thm1.amended",),
    sabotages={"weights in the 1-norm": {"size": lambda v: sum(abs(x) for x in v)}},
)
def shared_neurons(proof: Proof, size=lambda v: arb(sum((x * x for x in v), fmpq(0))).sqrt()) -> None:
    """The derivative of a wave with coefficients in C^S is a curve in R^S of length at most 2 r |w| |F(w)|; Maurey's argument works in any Hilbert space."""
    rng = Random(113)
    for case in proof.each("curves through 5 rational points of R^S, S <= 4", range(proof.pick(3, 6, 12))):
        s = 1 + case % 4
        curve = exact.rationals([[rng.randint(-4, 4) for _ in range(s)] for _ in range(4)] + [[9] * s])
        jumps = curve[1:] - curve[:-1]
        sizes = [size(j) for j in jumps]
        mass = sum(sizes, arb(0))
        # the step at threshold i: -1/2 of the unit vector up to point i, +1/2 after it
        second = arb(0)
        for j, length in zip(jumps, sizes, strict=True):
            if not any(j):
                continue
            unit = [arb(x) / length for x in j]
            second += length / mass * sum(((mass * u / 2) ** 2 for u in unit), arb(0))
        proof.certified(
            "a draw has mean square (V/2)^2", bool(abs(second - mass * mass / 4) < arb("1e-9")), f"{second} is not {mass * mass / 4}"
        )
        signs = [[fmpq(1, 2) if p > i else fmpq(-1, 2) for p in range(5)] for i in range(4)]
        rebuilt = [sum((jumps[i] * signs[i][p] for i in range(4)), (curve[0] + curve[-1]) / 2) for p in range(5)]
        proof.exactly("the curve is a constant plus the mean of the steps", np.array(rebuilt, dtype=object), curve)


@claim(
    "orvieto24.rmk1",
    topic="universality",
    place="Remark 1",
    title="S stacked networks of accuracy eps / S have accuracy eps in the 1-norm, with S^3 times the neurons of one of accuracy eps",
    says=r"If $N(\epsilon)=2r^2C^2\epsilon^{-2}$ neurons serve one output, $S\,N(\epsilon/S)=2r^2C^2S^3\epsilon^{-2}$ serve $S$ in the 1-norm.",
    reading="given Theorem 1, and C the largest of the constants of the outputs",
    sabotages={"errors do not accumulate": {"share": lambda eps, s: eps}},
)
def stacked_outputs(proof: Proof, share=lambda eps, s: eps / s) -> None:
    """S widths at accuracy eps / S; the S errors add up to eps."""
    r, c, eps, s = sympy.symbols("r C epsilon S", positive=True)
    one = lambda e: 2 * r**2 * c**2 / e**2  # noqa: E731
    proof.symbolically("S N(eps/S) = 2 r^2 C^2 S^3 / eps^2", s * one(share(eps, s)), 2 * r**2 * c**2 * s**3 / eps**2, free="r, C, eps, S")
    proof.symbolically("the errors add up to eps", s * share(eps, s), eps, free="eps, S")


# -- Proposition 2 -------------------------------------------------------------------------------------------------------------


def printed_width(r: object, c: object, norm: object, s: int, eps: object, factor: int) -> object:
    """factor r^2 (|Omega| C)^2 S^3 / eps^2."""
    return factor * r * r * (norm * c) ** 2 * s**3 / (eps * eps)


@claim(
    "orvieto24.prop2.constant",
    topic="universality",
    place="Proposition 2; Remark 1",
    title="Proposition 2's width is Remark 1's for f_k = T_k o Omega_k, whose constant is at most |Omega_k| C_(T_k)",
    says=r"Remark 1 with $C_{f_k}\le\|\Omega_k\|C_{T_k}$ gives the bound $4r^2C_{T_k}^2\|\Omega_k\|^2S^3\epsilon^{-2}$ of Proposition 2.",
    reading="Proposition 2 is said to be based on Remark 1; its last sentence quotes Theorem 1 with 4 as well",
    sabotages={"the same factor in both": {"factors": (4, 4)}},
)
def two_or_four(proof: Proof, factors=(2, 4)) -> None:
    """2 r^2 C^2 and 4 r^2 C^2 differ. The 4 is Barron's (2 r C)^2, for the mean square; centred steps need 1."""
    remark, proposition = (printed_width(fmpq(1), fmpq(1), fmpq(1), 1, fmpq(1), factor) for factor in factors)
    proof.counterexample(
        given={"r = C = |Omega| = S = eps": 1, "Remark 1": remark, "Proposition 2": proposition},
        hypotheses={},
        violates={"the widths differ": bool(remark != proposition)},
        minimal="r = C = |Omega| = S = eps = 1",
    )


def near_nodes(gap: fmpq) -> tuple[Array, Array]:
    """(V_2, its inverse) for the nodes 1 and 1 - gap."""
    V = exact.rationals([[1, 1], [1 - gap, 1]])
    return V, exact.inverse(V)


@claim(
    "orvieto24.prop2.penalty",
    topic="universality",
    place="Proposition 2 and after; contribution 2",
    title="reading the state instead of the tokens costs the head neurons: a factor |Omega_k|^2, large for ill-conditioned recurrences",
    says=r"The width needed from $x_k$ exceeds that from $v_{1:k}$ by the penalty $\|\Omega_k\|^2$; it depends on the condition number of the reconstruction.",
    sabotages={"a head that forgets the reconstruction": {"absorb": lambda head, omega: head}},
)
def no_penalty(proof: Proof, absorb=lambda head, omega: head.after(omega)) -> None:
    """sigma(<a, Omega x> + b) = sigma(<Omega^T a, x> + b): a neuron on tokens is a neuron on states. One neuron for the sign of v_1 - v_2, at any conditioning."""
    head = Network(exact.rationals([[1, -1]]), exact.rationals([0]), exact.rationals([1]), fmpq(0))
    gap = fmpq(1, 1000)
    V, omega = near_nodes(gap)
    tokens = [exact.rationals(v) for v in product((-1, 0, 1), repeat=2)]
    states = [V @ v for v in tokens]
    on_states = absorb(head, omega)
    outputs = [on_states(x) for x in states]
    largest = max(abs(x) for x in omega.ravel())
    # the squared norm of Omega is at least its largest entry squared; the printed width at r = C = S = eps = 1
    printed = printed_width(1, 1, largest, 1, 1, 4)
    proof.counterexample(
        given={
            "nodes": [1, 1 - gap],
            "Omega_2": omega,
            "head on tokens": "[v_1 - v_2 >= 0]",
            "inner weights on states": on_states.inner,
            "printed width, at least": printed,
        },
        hypotheses={
            "Omega_2 V_2 = I": bool(np.array_equal(omega @ V, exact.identity(2))),
            "|Omega_2|^2 >= 10^6": bool(largest * largest >= 10**6),
        },
        violates={
            "the head on states has one neuron, as on tokens": on_states.width == head.width == 1,
            "and the same outputs on all tokens of {-1, 0, 1}^2": outputs == [head(v) for v in tokens],
        },
        minimal="k = 2, D = 1; the nodes may be as close as one likes",
    )


@claim(
    "orvieto24.prop2.amended",
    topic="universality",
    place="Proposition 2",
    kind="amended",
    amends="orvieto24.prop2.penalty",
    title="a head on states needs exactly as many neurons as one on tokens, r^2 C_(T_k)^2 / eps^2 with r the bound of the tokens; conditioning enters the weights only",
    says=r"For every $g$ with $D$ neurons, $g\circ\Omega_k$ has $D$ neurons, and $g\circ V_k$ too: the least widths on states and on tokens agree whenever $\Omega_kV_k=I$.",
    uses=("orvieto24.thm1.amended",),
    construction="lemmata.constructions.universality.networks.Network.after",
    sabotages={"the transposed matrix": {"compose": lambda head, m: Network(head.inner @ m.T, head.bias, head.outer, head.offset)}},
)
def same_width(proof: Proof, compose=lambda head, m: head.after(m)) -> None:
    """A linear map in front goes into the inner weights, in both directions."""
    rng = Random(114)
    for _ in proof.each("random networks of up to 4 neurons and ill-conditioned V_k, k <= 4", range(proof.pick(5, 20, 60))):
        k = rng.randint(1, 4)
        nodes = [1 - fmpq(i, rng.randint(5, 500)) for i in range(k)]
        while len(set(nodes)) < k:
            nodes = [1 - fmpq(i, rng.randint(5, 500)) for i in range(k)]
        V = exact.rationals([[x ** (k - 1 - j) for j in range(k)] for x in nodes])
        omega = exact.inverse(V)
        width = rng.randint(0, 4)
        head = Network(
            exact.rationals([[rng.randint(-3, 3) for _ in range(k)] for _ in range(width)]).reshape(width, k),
            exact.rationals([rng.randint(-3, 3) for _ in range(width)]),
            exact.rationals([rng.randint(-3, 3) for _ in range(width)]),
            fmpq(rng.randint(-3, 3)),
        )
        on_states = compose(head, omega)
        back = compose(on_states, V)
        for _ in range(4):
            v = exact.rationals([fmpq(rng.randint(-8, 8), 3) for _ in range(k)])
            proof.exactly("the same output from the state", on_states(V @ v), head(v))
            proof.exactly("and back", back(v), head(v))
        proof.exactly("the same width", (on_states.width, back.width), (width, width))
