"""The unit of Eq. 11 as a recurrence, what it forgets and what it keeps (degeeter26, Secs. 3 and 4)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random
from typing import Any

import numpy as np
import sympy
from flint import arb, fmpq

from ...constructions import samples
from ...constructions.bistable import BMRU, equilibria, gated, heaviside, thermometer
from ...numerics import exact
from ..claim import claim
from ..evidence import Proof


def random_unit(rng: Random, n: int, m: int) -> BMRU:
    """Small integers, so that ties |h-hat| = beta and zeros occur; alpha may be negative or 0."""
    return BMRU(
        samples.integers(rng, n, m),
        samples.integers(rng, n),
        samples.integers(rng, n, m),
        samples.integers(rng, n),
        samples.integers(rng, n),
    )


# -- what is monostable --------------------------------------------------------------------------------------------------------


def _product_of_gates(terms: int, gate: Callable[[int], arb]) -> arb:
    """prod_(t <= terms) (1 - z_t)."""
    out = arb(1)
    for t in range(1, terms + 1):
        out *= 1 - gate(t)
    return out


@claim(
    "degeeter26.sec3.monostable",
    topic="bistable",
    place="Sec. 3, on Fig. 1 (left)",
    title="linear recurrences, and gated RNNs whose gates do not see the state and stay above 0, are monostable and forget the past",
    says=r"Monostable, hence without stationary information about the past: all RNNs with linear recurrence, and all gated RNNs $(1-z_t)h_{t-1}+\dots$ with $z_t>0$ that does not depend on past states.",
    sabotages={
        "the eigenvalue 1/2": {"eigenvalue": fmpq(1, 2)},
        "the gate 1/2": {"gate": lambda t: arb(1) / 2},
        "beta = -1 in Eq. 3": {"beta": fmpq(-1)},
    },
)
def linear_memory_for_ever(
    proof: Proof,
    eigenvalue: fmpq = fmpq(1),
    gate: Callable[[int], arb] = lambda t: 1 / (1 + arb(t).exp()),
    beta: fmpq = fmpq(3, 2),
) -> None:
    """The eigenvalue 1 keeps everything. Gates sigma(-t) add up to a finite sum, so prod (1 - z_t) > 0: the tail is at least 1 - sum z_t. And Eq. 3 itself
    has a gate, c, that is constant and positive, and is bistable: the sentence leaves out that the candidate must not see the state."""
    proof.counterexample(
        given={"h_t": f"{eigenvalue} h_(t-1) + x_t", "x": 0},
        hypotheses={},
        violates={"the states 0 and 1 are both equilibria, and both are kept": all(eigenvalue * h == h for h in (0, 1))},
        minimal="h_t = h_(t-1) + x_t",
    )
    terms = 40
    # z_t <= exp(-t), so the gates after the first 40 add up to exp(-40) / (e - 1) at most
    tail = arb(-terms).exp() / (arb(1).exp() - 1)
    kept = _product_of_gates(terms, gate) * (1 - tail)
    proof.counterexample(
        given={"z_t": "sigma(x_t)", "x_t": "-t", "prod (1 - z_t) over all t is at least": kept.str(8)},
        hypotheses={"z_t > 0": all(bool(gate(t) > 0) for t in range(1, terms + 1))},
        violates={"more than half of h_0 is there for ever": bool(kept > arb(1) / 2)},
        how="certified",
        minimal="z_t = sigma(-t)",
    )
    found = equilibria(fmpq(1, 10), beta)
    proof.counterexample(
        given={"h_t": "Eq. 3", "c": fmpq(1, 100), "beta": beta, "equilibria at x = 1/10": [h.str(6) for h in found]},
        hypotheses={"the gate c is positive and sees no state": fmpq(1, 100) > 0},
        violates={"three equilibria, the outer two stable": len(found) == 3},
        how="certified",
        minimal="Eq. 3 with beta = 3/2",
    )


@claim(
    "degeeter26.sec3.monostable.amended",
    topic="bistable",
    place="Sec. 3, on Fig. 1 (left)",
    kind="amended",
    amends="degeeter26.sec3.monostable",
    title="spectral radius below 1 gives one equilibrium at a constant input; gates z_t >= e forget h_0 like (1 - e)^t if candidates do not see the state",
    says=r"$\rho(A)<1$: $h^*=(I-A)^{-1}b$ and $A^k\to0$. If $z_t\ge\varepsilon$ and $g_t$ does not depend on $h$, two states of $h_t=(1-z_t)h_{t-1}+z_tg_t$ differ by $\prod(1-z_t)\le(1-\varepsilon)^t$ times their first difference.",
    sabotages={
        "the eigenvalue 1 is allowed": {"eigenvalues": (fmpq(1),)},
        "the candidate sees the state": {"candidate": lambda h, g: g + h},
    },
)
def fading(
    proof: Proof, eigenvalues=(fmpq(0), fmpq(1, 2), fmpq(-1, 2), fmpq(1, 3), fmpq(-3, 4)), candidate: Callable[..., Any] = lambda h, g: g
) -> None:
    """Some power of A is a contraction in the row-sum norm, so the affine map's iterates converge (Banach); the other part is subtraction."""
    h, k, z, g = sympy.symbols("h k z g")
    step = lambda h: (1 - z) * h + z * candidate(h, g)  # noqa: E731
    proof.symbolically("two states come nearer by the factor 1 - z", step(h) - step(k), (1 - z) * (h - k), "h, k, z, g")
    rng = Random(301)
    count = proof.pick(6, 20, 100)
    for _ in proof.each(f"{count} rational Jordan forms of size <= 4, eigenvalues in (-1, 1)", range(count)):
        n = rng.randint(1, 4)
        A = samples.with_jordan_form(samples.jordan_blocks(rng, n, list(eigenvalues)), samples.basis(rng, n))
        power = A
        for _ in range(12):
            power = power @ power
            if _row_sum_norm(power) < 1:
                break
        proof.holds("a power of A is a contraction", bool(_row_sum_norm(power) < 1))
        proof.exactly("one equilibrium for every b", exact.rank(exact.identity(n) - A), n)


def _row_sum_norm(A: np.ndarray) -> fmpq:
    return max(sum((abs(x) for x in row), fmpq(0)) for row in A)


@claim(
    "new.bistable.switching",
    topic="bistable",
    place="after degeeter26 Sec. 3",
    kind="new",
    title="spectral radius 0 for every input does not make a linear recurrence forget: two nilpotent transitions in turn",
    says=r"$A(a)=\begin{pmatrix}0&1\\0&0\end{pmatrix}$, $A(b)=\begin{pmatrix}0&0\\1&0\end{pmatrix}$: $A(a)^2=A(b)^2=0$, but $(A(a)A(b))^k=\operatorname{diag}(1,0)$ for all $k\ge1$.",
    sabotages={"a common norm below 1": {"scale": fmpq(1, 2)}},
)
def nilpotents_in_turn(proof: Proof, scale: fmpq = fmpq(1)) -> None:
    """Monostability at each constant input says nothing about inputs that change; what does is one norm in which all A(x) contract."""
    a, b = exact.rationals([[0, scale], [0, 0]]), exact.rationals([[0, 0], [scale, 0]])
    for _ in proof.every("the two matrices, all k", ["idempotent"], limited=False):
        proof.exactly("both have only the eigenvalue 0", [list((m @ m).flat) for m in (a, b)], [[0] * 4] * 2)
        proof.exactly("the product is idempotent", a @ b @ a @ b, a @ b)
        proof.holds("and not 0", exact.rank(a @ b) == 1)


# -- the unit --------------------------------------------------------------------------------------------------------------------


@claim(
    "degeeter26.eq11",
    topic="bistable",
    place="Eq. 11; App. B, Theorem 3",
    title="the layer is a linear recurrence with transitions Diag(1 - z), z in {0, 1}^n, and inputs z S(h-hat) alpha",
    says=r"$H_t=A(x_t)H_{t-1}+B(x_t)$ with $A(x)=\operatorname{Diag}(1-z)$, $B(x)=z\odot S(\hat h)\odot\alpha$, neither of which depends on $h_{t-1}$.",
    uses=("degeeter26.eq10",),
    construction="lemmata.constructions.bistable.BMRU",
    sabotages={
        "the threshold without its modulus": {"threshold": lambda unit, x: unit.W_beta @ x + unit.b_beta},
        "H(0) = 0": {"gate": lambda v: int(v > 0)},
    },
)
def one_recurrence(proof: Proof, threshold: Callable[..., Any] = BMRU.threshold, gate: Callable[[Any], int] = heaviside) -> None:
    """Random integer layers, with ties; the recurrence against Eq. 10 unit by unit, and against its closed form."""
    rng = Random(302)
    count = proof.pick(10, 40, 200)
    for _ in proof.each(f"{count} random integer layers, n <= 4, m <= 3, words of length <= 8", range(count)):
        n, m = rng.randint(1, 4), rng.randint(1, 3)
        unit = random_unit(rng, n, m)
        word = [samples.integers(rng, m, bound=2) for _ in range(rng.randint(0, 8))]
        start = samples.integers(rng, n)
        layer, h, expected = unit.recurrence(start), start, []
        for x in word:
            candidates = unit.W_x @ x + unit.b_x
            h = np.array([gated(*one, gate) for one in zip(h, candidates, threshold(unit, x), unit.alpha, strict=True)], dtype=object)
            expected.append(tuple(h))
        proof.exactly("the states", layer.run(word), expected)
        proof.exactly("the closed form", tuple(layer.closed_form(word)[:, 0]), expected[-1] if word else tuple(start))


@claim(
    "degeeter26.sec4.3.stationarity",
    topic="bistable",
    place="Sec. 4.3, Stationarity",
    title="repeating an input does not change the state",
    says=r"$h\mapsto zS\alpha+(1-z)h$ is idempotent for $z\in\{0,1\}$.",
    uses=("degeeter26.eq11",),
    sabotages={"a gate of 1/2": {"gates": (0, fmpq(1, 2), 1)}},
)
def stationarity(proof: Proof, gates: tuple[Any, ...] = (0, 1)) -> None:
    """For all h, S and alpha, and both values of z."""
    h, written = sympy.symbols("h w")
    for z in gates:
        z = sympy.Rational(str(z))
        once = z * written + (1 - z) * h
        proof.symbolically("twice is once", z * written + (1 - z) * once, once, "h, S alpha")


@claim(
    "new.bistable.copy-first",
    topic="bistable",
    place="after degeeter26 Sec. 5.2, Fig. 9",
    kind="new",
    title="one BMRU layer solves copy-first-input to any accuracy at every length, whatever the noise: K - 1 units find r within (b - a)/(2K)",
    says=r"Unit $i$: candidate $r+u_if$, threshold $|2r+2v_if|$. Without the flag $|r|<2|r|$ for every $r\ne0$: nothing but an exact $0$ is ever written after the first step, so the layer stores $[r_1\ge q_i]$ for ever "
    r"(up to the ceiling $M$), and a linear readout returns $r_1\in[a,b]$ within $\frac{b-a}{2K}$.",
    hypotheses=("no later input is exactly 0 (probability 1 for any density)", "a > -M/3 and b <= M"),
    construction="lemmata.constructions.bistable.thermometer",
    sabotages={
        "the threshold |r| without a factor": {"spoil": lambda unit: BMRU(unit.W_x, unit.b_x, unit.W_beta / 2, unit.b_beta, unit.alpha)},
        "u and v swapped": {"spoil": lambda unit: BMRU(unit.W_beta, unit.b_x, unit.W_x, unit.b_beta, unit.alpha)},
    },
)
def noise_proof_memory(proof: Proof, spoil: Callable[[BMRU], BMRU] = lambda unit: unit) -> None:
    """At the flag (r + u)^2 - (2r + 2v)^2 = 3 (r - q)(M - r): the unit writes iff q <= r <= M, and writes +1 as r + u > 0 there. Then exact runs with rational
    noise of any size."""
    r, q, M = sympy.symbols("r q M")
    u, v2 = (M - 3 * q) / 2, -(M + 3 * q) / 2
    proof.symbolically("candidate^2 - threshold^2 at the flag", (r + u) ** 2 - (2 * r + v2) ** 2, 3 * (r - q) * (M - r), "r, q, M")
    proof.symbolically("r + u at r = q is (M - q)/2 > 0", q + u, (M - q) / 2, "q < M")
    proof.symbolically("without the flag threshold^2 - candidate^2 = 3 r^2", (2 * r) ** 2 - r**2, 3 * r**2, "r")
    rng = Random(303)
    count, low, high, ceiling = proof.pick(6, 20, 80), fmpq(-4), fmpq(4), 16
    for _ in proof.each(f"{count} layers of 1 to 12 units, r in [-4, 4], 30 noisy steps up to 10^6", range(count)):
        k = rng.randint(1, 12)
        levels = [low + (high - low) * fmpq(i, k) for i in range(1, k)] or [fmpq(0)]
        unit = spoil(thermometer(levels, ceiling))
        first = samples.fraction(rng, -4, 4, 60)
        word = [exact.rationals([first, 1])] + [
            exact.rationals([samples.fraction(rng, 1, 10 ** rng.randint(0, 6), 7) * rng.choice((1, -1)), 0]) for _ in range(30)
        ]
        states = unit.recurrence(exact.zeros(len(levels)) - 1).run(word)
        proof.exactly("each unit says whether r is at least its level", states[0], tuple(1 if first >= q else -1 for q in levels))
        proof.holds("and keeps it", all(s == states[0] for s in states))
        if k > 1:
            step = (high - low) / k
            estimate = low + step / 2 + step * sum((s + 1) / 2 for s in states[-1])
            proof.holds("the readout is right within (b - a) / (2K)", bool(abs(estimate - first) <= step / 2))


@claim(
    "new.bistable.noise",
    topic="bistable",
    place="after degeeter26 Sec. 5.2, Fig. 9",
    kind="new",
    title="noise, however low, writes in the end, unless the threshold is k times the candidate with |k| > 1",
    says=r"Without the flag the candidate is $wr+b$ and the threshold $|vr+c|$. The set of $r$ that write has measure $0$ iff $(v,c)=k(w,b)$ with $|k|>1$ (or $w=b=0\ne(v,c)$); if not, it has probability $p>0$ under every "
    r"Gaussian, and the unit stays unwritten for $T$ steps with probability $(1-p)^T\to0$, however small the variance.",
    uses=("degeeter26.eq11",),
    sabotages={
        "k = 1/2": {"factor": fmpq(1, 2)},
        "thresholds without a modulus": {"difference": lambda w, b, v, c, r: (v * r + c) - (w * r + b)},
    },
)
def when_noise_writes(
    proof: Proof, factor: fmpq = fmpq(2), difference: Callable[..., Any] = lambda w, b, v, c, r: (v * r + c) ** 2 - (w * r + b) ** 2
) -> None:
    """The unit keeps where q(r) = (vr + c)^2 - (wr + b)^2 > 0. Its discriminant is 4 (vb - wc)^2: q is negative somewhere unless v^2 >= w^2 and vb = wc. Then the
    two lines are parallel, q = (k^2 - 1)(wr + b)^2, and only its zero writes. An open set has positive probability. Instances: all small integer units."""
    w, b, v, c, r, k = sympy.symbols("w b v c r k")
    q = sympy.Poly(sympy.expand(difference(w, b, v, c, r)), r)
    proof.symbolically("the discriminant is 4 (vb - wc)^2", sympy.discriminant(q.as_expr(), r), 4 * (v * b - w * c) ** 2, "w, b, v, c")
    proof.symbolically(
        "(v, c) = k (w, b): q = (k^2 - 1)(wr + b)^2", q.as_expr().subs({v: k * w, c: k * b}), (k**2 - 1) * (w * r + b) ** 2, "k, w, b, r"
    )
    bound = proof.pick(2, 3, 4)
    span = range(-bound, bound + 1)
    for units in proof.every(f"all integer (w, b, v, c) up to {bound}", product(span, repeat=4)):
        W, B, V, C = units
        # q >= 0 everywhere: leading coefficient and discriminant, lower degrees by hand
        lead, middle, last = V * V - W * W, 2 * (V * C - W * B), C * C - B * B
        keeps = (lead > 0 and middle * middle <= 4 * lead * last) or (lead == 0 and middle == 0 and last > 0)
        parallel = V * B == W * C and (V * V > W * W or C * C > B * B) and (V * V >= W * W and C * C >= B * B)
        proof.exactly("the write set is null iff the lines are parallel with a factor beyond 1", keeps, parallel)
    unit = BMRU(*(exact.rationals(m) for m in ([[1]], [0])), exact.rationals([[1]]) * factor, exact.zeros(1), exact.zeros(1) + 1)
    for x in proof.each("|r| = 10^-9 ... 10^9", [s * fmpq(10) ** e for e in range(-9, 10) for s in (1, -1)]):
        proof.exactly("a threshold of twice the candidate never writes", unit.gate(np.array([x], dtype=object))[0], 0)
