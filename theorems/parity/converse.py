"""The converse of grazzi25, Theorem 1, and what the theorem does not say: which eigenvalues help, and which moduli."""

from __future__ import annotations

from itertools import islice
from random import Random

import numpy as np
import sympy
from flint import fmpq

from ...constructions import parity, samples
from ...constructions.recurrence import Recurrence
from ...numerics import exact
from ...numerics.finite_precision import FiniteSet
from ..claim import claim
from ..closure import computes
from ..evidence import Proof
from .theorem1 import by_definition, certify_eventually_periodic


@claim(
    "grazzi25.thm1.converse",
    place="Sec. 4.1, after Fig. 2",
    title="one scalar with a(1) = −1 computes parity at every length with two states",
    says=r"$h_t=a(x_t)h_{t-1}+b(x_t)$ with $h_0=b(0)=0$, $b(1)=a(0)=1$, $a(1)=-1$ satisfies $h_t=(x_1+\dots+x_t)\bmod2$ for all $t$.",
    remarks=(
        "Not every eigenvalue off [0, inf) will do: a turn by 120 degrees returns after three letters whatever B and H_0 are, in exact arithmetic.",
    ),
    construction="lemmata.constructions.parity.sign_flip",
    sabotages={
        "a quarter turn for the turn by 120 degrees": {"third_turn": ((0, -1), (1, 0))},
        "the eigenvalue 1, which the kernel refutes": {"theorem": "false_variants.plus_one_computes_parity"},
        "a(1) = 1": {"layer": parity.counter},
        "b(1) is forgotten": {
            "layer": lambda: Recurrence.from_table(
                {0: (parity.scalar(1), parity.scalar(0)), 1: (parity.scalar(-1), parity.scalar(0))},
                parity.scalar(0),
                lambda H, x: int(H[0, 0]),
            )
        },
    },
)
def one_negative_scalar(
    proof: Proof, layer=parity.sign_flip, theorem: str = "parity.minus_one_computes_parity", third_turn=((0, -1), (1, -1))
) -> None:
    r"""Breadth-first over the pairs (state, parity): the product closes, so every length is covered.

    1. The pairs $(0,\text{even})$ and $(1,\text{odd})$ are exchanged by the letter 1 ($h\mapsto1-h$) and kept by the letter 0. [checked: "two states are reachable"]
    2. The start $(0,\text{even})$ is one of them, and in both the state is the parity. [checked: "the output is the parity"]
    3. Not every eigenvalue off $[0,\infty)$ will do: if $A^3=I$ and $I+A+A^2=0$ then $H_{k+3}=A^3H_k+(I+A+A^2)B=H_k$ on $1^k$, and one of $k$, $k+3$ is odd. The turn by $120^\circ$ is such an $A$.
       [checked: "the kernel: a third turn has period 3"; "A^3 = I, I + A + A^2 = 0, and no eigenvalue is real"]
    """
    proof.formally(
        "the kernel: one scalar computes the parity",
        theorem,
        whole="every word",
        differs="any ring; exact arithmetic",
    )
    found = computes(proof, "the output is the parity", layer(), lambda q, x: (q + x) % 2, 0, (0, 1), lambda q: q)
    for _ in proof.every("all words over {0, 1}", ["closure"], limited=False):
        proof.exactly("two states are reachable", len(found.pairs), 2)
    proof.formally("the kernel: a third turn has period 3", "parity.third_turn_has_period_three", differs="any ring and size")
    a = exact.rationals(third_turn)
    proof.exactly(
        "A^3 = I, I + A + A^2 = 0, and no eigenvalue is real",
        [a @ a @ a, exact.identity(2) + a + a @ a, exact.count_real_roots(exact.characteristic_polynomial(a)) * exact.identity(2)],
        [exact.identity(2), exact.zeros(2, 2), exact.zeros(2, 2)],
    )
    proof.exhibit(
        "the layer",
        **{"a(0), b(0)": [1, 0], "a(1), b(1)": [-1, 1], "h_0": 0, "states on 1, 0, 1, 1": [int(x) for x in layer().run([1, 0, 1, 1])]},
    )


@claim(
    "grazzi25.sec4.1.counter",
    place="Sec. 4.1, before Fig. 2",
    title="counting with A = 1 needs log2(t+1) bits after t letters, and fails in every finite precision",
    says=r"With $A\equiv1$, $B(x)=x$, $H_0=0$ the state after $t$ letters takes exactly the values $0,\dots,t$, so that a binary code for it has at least $\log_2(t+1)$ bits; under any "
    r"finite $\mathbb D$ it is eventually constant on $1^k$ in the cast model.",
    construction="lemmata.constructions.parity.counter",
    sabotages={"the scalar -1 in place of 1": {"layer": parity.sign_flip}, "a counter that stands still": {"layer": lambda: _standing()}},
)
def unbounded_counter(proof: Proof, layer=parity.counter) -> None:
    r"""The values grow by one more with every letter; and the eigenvalue 1 is covered by Theorem 1.

    1. After no letter the value is $0$; if the values after $t$ letters are $0,\dots,t$, those after one more are $\{h,h+1:0\le h\le t\}=\{0,\dots,t+1\}$.
       [checked: "the values are 0 .. t"] [prose]
    2. $b$ bits tell $2^b$ values apart, so $2^b\ge t+1$; the least such $b$ is the number of binary digits of $t$. [checked: "the least number of bits"]
    3. $A(1)=1$ has the spectrum $\{1\}$. [uses: grazzi25.thm1.layer] [checked: "the cast counter is eventually constant"]
    """
    longest = proof.pick(6, 10, 14)
    states = {(0,)}
    for t in proof.every(f"all words of length <= {longest}", range(1, longest + 1)):
        one = layer()
        states = {exact.freeze(one.step(np.array([[h]], dtype=object), x)) for (h,) in states for x in (0, 1)}
        proof.exactly("the values are 0 .. t", sorted(states), [(h,) for h in range(t + 1)])
        bits = next(b for b in range(t + 1) if 2**b >= len(states))
        proof.exactly("the least number of bits is the number of binary digits of t", bits, len(bin(t)) - 2)
    rng = Random(5)
    sets = [samples.finite_set(rng) for _ in range(20)]
    proof.holds("most of the sets have more than one point", sum(len(D) > 1 for D in sets) > 10)
    for D in proof.each("20 random D, seed 5", sets):
        one = layer()
        states = one.eventual_states([], [1], D)
        proof.exactly("the cast counter is eventually constant", states.period, 1)
        horizon = states.threshold + 3
        proof.exactly("by the definition", by_definition(one, [1] * horizon, D), [states.state(k) for k in range(horizon + 1)])
        if len(D) > 1:
            certify_eventually_periodic(proof, one, D)


def _standing() -> Recurrence:
    table = {x: (parity.scalar(1), parity.scalar(0)) for x in (0, 1)}
    return Recurrence.from_table(table, parity.scalar(0), lambda H, x: 0)


@claim(
    "grazzi25.thm1.fig2",
    place="Fig. 2, heading of the caption",
    flaw="overstatement",
    weight="wording",
    quotes=("Parity requires negative eigenvalues.",),
    title="parity does not require negative eigenvalues: a quarter turn computes it",
    says=r"A layer that recognises $(11)^*$ has a transition with a negative eigenvalue.",
    letter="The heading of Fig. 2 says that parity requires negative eigenvalues. Theorem 1 says less: an eigenvalue outside [0, inf). A quarter turn of the plane has the eigenvalues i and -i, and computes parity.",
    reading="'negative' in the usual sense; Theorem 1 itself only demands an eigenvalue outside [0, inf)",
    sabotages={"a half turn, which has the eigenvalue -1, in place of a quarter turn": {"turn": [[-1, 0], [0, -1]]}},
)
def negative_eigenvalues_are_not_required(proof: Proof, turn=((0, -1), (1, 0))) -> None:
    """A quarter turn of the plane has the eigenvalues i and -i; (1, 0) moves through four states, and every second one is even."""
    a = exact.rationals(turn)
    start = exact.rationals([[1], [0]])
    even = {exact.freeze(exact.rationals(s)) for s in ([[1], [0]], [[-1], [0]])}
    layer = Recurrence.from_table(
        {0: (exact.identity(2), start * 0), 1: (a, start * 0)}, start, lambda H, x: 0 if exact.freeze(H) in even else 1
    )
    found = computes(proof, "the output is the parity", layer, lambda q, x: (q + x) % 2, 0, (0, 1), lambda q: q)
    negative = [x for x in exact.rational_eigenvalues(a) if x < 0]
    proof.counterexample(
        given={
            "A(1)": a,
            "A(0)": "the identity",
            "B": 0,
            "H_0": start,
            "characteristic polynomial of A(1)": str(exact.characteristic_polynomial(a)),
            "even states": ["(1, 0)", "(-1, 0)"],
        },
        words={
            "parity": found.mismatch is None,
            "complex": not negative and exact.count_real_roots(exact.characteristic_polynomial(a)) == 0,
        },
        minimal="n = 2, real entries",
    )


@claim(
    "new.parity.half",
    place="after grazzi25 Theorem 1",
    title="modulus 1 is not needed if D lacks 0: the scalar −1/2 with D = {−1, 1} alternates for ever, in both models",
    says=r"With $a(1)=-\tfrac12$ and $\mathbb D=\{-1,1\}$ the state on $1^k$ has period exactly $2$: in the cast model for $b=1$, $h_0=-1$; "
    r"with rounding at every step for $b=0$, $h_0=1$. With $\mathbb D=\{-1,0,1\}$ or $\{k/64:|k|\le64\}$ both settle.",
    known="That a rounding without zero keeps an oscillation alive is known from digital filters, where rounding leaves limit cycles (Jackson 1970).",
    remarks=(
        "b = 0 would not do in the cast model: 0 is not in D, so every one of the k vanishing terms is cast to -1 and the sum drifts off.",
        "Only for D without 0. Where 0 is in D the powers of -1/2 are cast to 0 from some k on.",
    ),
    sabotages={
        "the scalar 1/2": {"a": fmpq(1, 2)},
        "D contains 0": {"D": (-1, 0, 1)},
        "b = 0 in the cast model: cast(0) = -1 piles up": {"b": 0},
    },
)
def half_alternates(proof: Proof, a=fmpq(-1, 2), D=(-1, 1), b: int = 1) -> None:
    r"""cast keeps the sign of $(-\tfrac12)^k$, which never vanishes, and the alternating sum of the cast inputs stays bounded.

    1. The only midpoint of $\mathbb D=\{-1,1\}$ is $0$, so $\mathrm{cast}(x)=1$ for $x>0$ and $-1$ for $x\le0$. [checked: "the only midpoint of D is 0"] [prose]
    2. $(-\frac12)^k=(-1)^k2^{-k}$ with $2^{-k}>0$, so that $\mathrm{cast}(a^kb)=(-1)^k$ and $\mathrm{cast}(a^kh_0)=-(-1)^k$ for $b=1$, $h_0=-1$.
       [checked: "a^k = (-1)^k 2^-k"; "2^-k is positive"] [prose]
    3. The argument of the outer cast is $\sum_{i<k}(-1)^i-(-1)^k=\frac{1-(-1)^k}2-(-1)^k$, which is $-1$ at even and $2$ at odd $k$; its cast is $-(-1)^k$.
       The effective threshold of the cast model says the same. [checked: "the alternating sum"; "the outer cast at even and at odd k"; "cast model: the state is"] [prose]
    4. With rounding at every step $1\mapsto\mathrm{cast}(-\frac12)=-1\mapsto\mathrm{cast}(\frac12)=1$, a cycle. [checked: "rounding at every step: the state is"]
    5. Where $0$ is in $\mathbb D$ and the two midpoints beside it have a modulus above $2^{-8}$, all terms with $k\ge8$ are cast to $0$, the fixed one as well: the state is constant
       from $8$ on. Rounding at every step ends in $0$, which stays. [checked: "with 0 in D: 2^-8 lies below"; "with 0 in D the cast model settles"; "with 0 in D rounding at every step settles"] [prose]
    """
    points = FiniteSet(D)
    layer = parity.power_recurrence(parity.scalar(a), parity.scalar(-1), parity.scalar(b))
    for midpoints in proof.every("this D", [points.midpoints], limited=False):
        proof.exactly("the only midpoint of D is 0", midpoints, [fmpq(0)])
    k = sympy.Symbol("k", integer=True, nonnegative=True)
    proof.symbolically("a^k = (-1)^k 2^-k", sympy.Rational(int(a.p), int(a.q)) ** k, (-1) ** k * sympy.Integer(2) ** -k, "k >= 0")
    proof.holds("2^-k is positive", bool((sympy.Integer(2) ** -k).is_positive), free="k >= 0")
    i = sympy.Symbol("i", integer=True, nonnegative=True)
    proof.symbolically("the alternating sum", sympy.summation((-1) ** i, (i, 0, k - 1)), (1 - (-1) ** k) / 2, "k >= 0")
    for sign in proof.every("(-1)^k = 1 and -1", (1, -1), limited=False):
        argument = fmpq(1 - sign, 2) * b - sign
        proof.exactly("the outer cast at even and at odd k", points.cast_scalar(argument), -sign)
    states = layer.eventual_states([], [1], points)
    for j in proof.every("all k: the transient and one cycle", range(states.threshold + 2), limited=False):
        proof.exactly("cast model: the state is -(-1)^k", states.state(j)[0, 0], -((-1) ** j))
    certify_eventually_periodic(proof, layer, points)
    rounded = parity.power_recurrence(parity.scalar(a), parity.scalar(1))
    orbit = [H[:, 0] for H in islice(rounded.stepwise_states([1] * 2, points), 3)]
    for j in proof.every("all k: one cycle", range(3), limited=False):
        proof.exactly("rounding at every step: the state is (-1)^k", orbit[j][0], (-1) ** j)
    proof.certificate("stepwise-orbit", "a 2-cycle under step-wise rounding", A=[[a]], b=[fmpq(0)], D=points, orbit=orbit, eigenvalues=[a])
    grids = (FiniteSet([-1, 0, 1]), FiniteSet([fmpq(j, 64) for j in range(-64, 65)]))
    for grid in proof.every("the two sets D with 0", grids, limited=False):
        proof.holds("with 0 in D: 2^-8 lies below the moduli of the midpoints", all(abs(y) > abs(a) ** 8 for y in grid.midpoints))
        states = by_definition(layer, [1] * 9, grid)
        proof.exactly("with 0 in D the cast model settles", states[9], states[8])
        steps = list(rounded.stepwise_states([1] * 12, grid))
        proof.exactly("with 0 in D rounding at every step settles", [steps[-2][0, 0], steps[-1][0, 0]], [0, 0])
