"""The unit of Eq. 11 as a recurrence, and what a layer keeps under noise (degeeter26, Secs. 4 and 5)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random
from typing import Any

import numpy as np
import sympy
from flint import fmpq

from ...constructions import samples
from ...constructions.bistable import BMRU, gated, heaviside, thermometer
from ...numerics import exact
from ...numerics.scan import associative_scan, compose_affine
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


def weights(unit: BMRU) -> dict[str, Any]:
    """The layer as certificates hold it."""
    return {"W_x": unit.W_x, "b_x": unit.b_x, "W_beta": unit.W_beta, "b_beta": unit.b_beta, "alpha": unit.alpha}


def tells(unit: BMRU, word: list[np.ndarray]) -> bool:
    """Some gate writes and some gate keeps, so that the run shows something."""
    gates = {int(z) for x in word for z in unit.gate(x)}
    return gates == {0, 1}


@claim(
    "degeeter26.eq11",
    place="Eq. 11; App. B, Theorem 3",
    title="the layer is a linear recurrence with transitions Diag(1 − z), z in {0, 1}ⁿ, and inputs z S(ĥ) α",
    says=r"$H_t=A(x_t)H_{t-1}+B(x_t)$ with $A(x)=\operatorname{Diag}(1-z)$, $B(x)=z\odot S(\hat h)\odot\alpha$, neither of which depends on $h_{t-1}$.",
    construction="lemmata.constructions.bistable.BMRU",
    sabotages={
        "H(0) = 0, which the kernel refutes": {"theorem": "bistable.eq10_with_another_heaviside"},
        "the threshold without its modulus": {"threshold": lambda unit, x: unit.W_beta @ x + unit.b_beta},
        "H(0) = 0": {"gate": lambda v: int(v > 0)},
        "layers of zeros": {
            "draw": lambda rng, n, m: BMRU(exact.zeros(n, m), exact.zeros(n), exact.zeros(n, m), exact.zeros(n), exact.zeros(n))
        },
    },
)
def one_recurrence(
    proof: Proof,
    threshold: Callable[..., Any] = BMRU.threshold,
    gate: Callable[[Any], int] = heaviside,
    draw: Callable[..., BMRU] = random_unit,
    theorem: str = "bistable.layer_is_linear",
) -> None:
    r"""Eq. 11d is affine in $h_{t-1}$, and nothing else in Eq. 11 contains it.

    1. $z_t$ and $\hat h_t$ are functions of $x_t$ (Eqs. 11a to c), so $A(x_t)=\operatorname{Diag}(1-z_t)$ and $B(x_t)=z_t\odot S(\hat h_t)\odot\alpha$ are. [prose]
    2. Unit by unit $A h+B$ is Eq. 10 with $\hat h$ for $x$ and $\beta_t$ for $\beta$; random layers with integer entries, so that ties occur. [uses: degeeter26.eq10] [checked: "the states"]
    3. The closed form $h_T=\prod A\,h_0+\sum\dots$ of the recurrence gives the same states. [checked: "the closed form"]
    4. Among the layers are such that write at some steps and keep at others. [checked: "layers that write and keep"]
    5. All gates are $0$ or $1$. [checked: "the transitions are diagonal"]
    6. The library's scan of the pairs $[1-z_t,z_tS(\hat h_t)\alpha]$, with $[1,h_0]$ in front, gives them too. [checked: "the scan of the pairs"]
    """
    proof.formally(
        "the kernel: Eq. 11 is a linear recurrence with transitions Diag(1 - z)",
        theorem,
        whole="every layer, state and input",
        differs="an ordered field for the reals; gates in {0, 1} are part of it",
    )
    rng = Random(302)
    count = proof.pick(10, 40, 200)
    certified = 0
    for _ in proof.each(f"{count} random integer layers, n <= 4, m <= 3, words of length <= 8, seed 302", range(count)):
        n, m = rng.randint(1, 4), rng.randint(1, 3)
        unit = draw(rng, n, m)
        word = [samples.integers(rng, m, bound=2) for _ in range(rng.randint(0, 8))]
        start = samples.integers(rng, n)
        layer, h, expected = unit.recurrence(start), start, []
        for x in word:
            candidates = unit.W_x @ x + unit.b_x
            h = np.array([gated(*one, gate) for one in zip(h, candidates, threshold(unit, x), unit.alpha, strict=True)], dtype=object)
            expected.append(tuple(h))
        proof.exactly("the states", layer.run(word), expected)
        proof.exactly("the closed form", tuple(layer.closed_form(word)[:, 0]), expected[-1] if word else tuple(start))
        a = np.array([exact.zeros(n) + 1, *(1 - unit.gate(x) for x in word)], dtype=object)
        b = np.array([start, *(unit.gate(x) * unit.written(x) for x in word)], dtype=object)
        by_scan = associative_scan(compose_affine, (a, b))[1]
        proof.exactly("the scan of the pairs", by_scan, np.array([tuple(start), *expected], dtype=object))
        diagonals = [layer.transition(x) for x in word]
        proof.holds(
            "the transitions are diagonal with entries 0 and 1",
            all(set(A.flat) <= {0, 1} and np.array_equal(A, np.diag(np.diag(A))) for A in diagonals),
        )
        if certified < 5 and word and tells(unit, word):
            certified += 1
            proof.certificate(
                "witness", "a layer, and its run as a linear recurrence", **weights(unit), start=start, word=word, states=expected
            )
    proof.exactly("layers that write and keep are among them", certified, 5)


@claim(
    "degeeter26.sec4.3.stationarity",
    place="Sec. 4.3, Stationarity",
    title="repeating an input does not change the state",
    says=r"$h\mapsto zS\alpha+(1-z)h$ is idempotent for $z\in\{0,1\}$.",
    uses=("degeeter26.eq11",),
    sabotages={
        "any gate, which the kernel refutes": {"theorem": "bistable.every_gate_is_idempotent"},
        "a gate of 1/2": {"gates": (0, fmpq(1, 2), 1)},
        "only the gate 0, and it leaks": {"gates": (fmpq(1, 10),)},
    },
)
def stationarity(proof: Proof, gates: tuple[Any, ...] = (0, 1), theorem: str = "bistable.step_is_idempotent") -> None:
    r"""Written twice or kept twice is written or kept once.

    1. For $z=0$ and $z=1$, the only values of the gate, the map applied twice is the map applied once, for all $h$, $S$ and $\alpha$. [checked: "twice is once"]
    2. Hence so are three and more times. [checked: "twice is once"]
    """
    proof.formally(
        "the kernel: a step is idempotent", theorem, whole="both gates, all h and S alpha", differs="an ordered field for the reals"
    )
    h, written = sympy.symbols("h w")
    for z in gates:
        z = sympy.Rational(str(z))
        once = z * written + (1 - z) * h
        proof.symbolically("twice is once", z * written + (1 - z) * once, once, "h, S alpha")


@claim(
    "new.bistable.copy-first",
    place="after degeeter26 Sec. 5.2, Fig. 9",
    title="a BMRU layer solves copy-first-input at every length, whatever the noise: K − 1 units find r within (b − a)/(2K)",
    says=r"Unit $i$: candidate $r+u_if$, threshold $|2r+2v_if|$. Without the flag $|r|<2|r|$ for every $r\ne0$: nothing but an exact $0$ is ever written after the first step, so the layer stores $[r_1\ge q_i]$ for ever "
    r"(up to the ceiling $M$), and a linear readout returns $r_1\in[a,b]$ within $\frac{b-a}{2K}$.",
    hypotheses=("no later input is exactly 0 (probability 1 for any density)", "a > -M/3 and b <= M"),
    known="thermometer codes and flip-flops are standard; that |2r| bounds |r| under every noise, and that both thresholds fit into Eq. 11b, is not in degeeter26",
    uses=("degeeter26.eq11",),
    construction="lemmata.constructions.bistable.thermometer",
    sabotages={
        "the threshold |r| without a factor": {"spoil": lambda unit: BMRU(unit.W_x, unit.b_x, unit.W_beta / 2, unit.b_beta, unit.alpha)},
        "u and v swapped": {"spoil": lambda unit: BMRU(unit.W_beta, unit.b_x, unit.W_x, unit.b_beta, unit.alpha)},
        "all levels 1/1000 too high": {"build": lambda levels, ceiling: thermometer([q + fmpq(1, 1000) for q in levels], ceiling)},
    },
)
def noise_proof_memory(proof: Proof, spoil: Callable[[BMRU], BMRU] = lambda unit: unit, build: Callable[..., BMRU] = thermometer) -> None:
    r"""Two parabolas: one that says when to write at the flag, one that never does without it.

    1. With $u_i=\frac{M-3q_i}2$ and $2v_i=-\frac{M+3q_i}2$: $(r+u_i)^2-(2r+2v_i)^2=3(r-q_i)(M-r)$. So at the flag unit $i$ writes iff $q_i\le r\le M$.
       [checked: "candidate^2 - threshold^2 at the flag"; "the layer's own parabola"]
    2. There it writes $+1$: $r+u_i$ increases in $r$, and is $\frac{M-q_i}2>0$ at $r=q_i$. [checked: "r + u at r = q"]
    3. Without the flag $\beta^2-\hat h^2=4r^2-r^2=3r^2>0$ for $r\ne0$: nothing is written, whatever the size of $r$. [checked: "without the flag"]
    4. So from $-1$ the units hold $[r_1\ge q_i]$ for ever; with $q_i=a+\frac{(b-a)i}K$ the number of $+1$ locates $r_1$ in an interval of length $\frac{b-a}K$, whose middle is linear in the states.
       [checked: "each unit says whether"; "at a level and just below it"; "and keeps it"; "the readout is right"]
    """
    r, q, M = sympy.symbols("r q M")
    u, v2 = (M - 3 * q) / 2, -(M + 3 * q) / 2
    proof.symbolically("candidate^2 - threshold^2 at the flag", (r + u) ** 2 - (2 * r + v2) ** 2, 3 * (r - q) * (M - r), "r, q, M")
    proof.symbolically("r + u at r = q is (M - q)/2 > 0", q + u, (M - q) / 2, "q < M")
    proof.symbolically("without the flag threshold^2 - candidate^2 = 3 r^2", (2 * r) ** 2 - r**2, 3 * r**2, "r")
    rng = Random(303)
    count, low, high, ceiling = proof.pick(6, 20, 80), fmpq(-4), fmpq(4), 16
    certified = 0
    for _ in proof.each(f"{count} layers of 1 to 12 units, r in [-4, 4], 30 noisy steps up to 10^6, seed 303", range(count)):
        k = rng.randint(1, 12)
        levels = [low + (high - low) * fmpq(i, k) for i in range(1, k)] or [fmpq(0)]
        unit = spoil(build(levels, ceiling))
        for i, q in enumerate(levels):
            (_, u), (w, v) = unit.W_x[i], unit.W_beta[i]
            parabola = [1 - w * w, 2 * (u - w * v), u * u - v * v]
            proof.exactly("the layer's own parabola", parabola, [-3, 3 * (q + ceiling), -3 * q * ceiling])
            gates = [unit.gate(exact.rationals([x, 1]))[i] for x in (q, q - fmpq(1, 10**9), q + fmpq(1, 10**9))]
            proof.exactly("at a level and just below it", gates, [1, 0, 1])
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
        if certified < 4 and k > 1:
            certified += 1
            data = {"low": low, "high": high, "ceiling": fmpq(ceiling), "first": first, "noise": [x[0] for x in word[1:]]}
            proof.certificate("witness", f"{k - 1} units, 30 noisy steps", **weights(unit), **data)
    unit = thermometer([fmpq(-1), fmpq(0), fmpq(1)], 4)
    proof.exhibit("three units that store r_1 in [-2, 2] within 1/2, levels -1, 0, 1 and ceiling 4", **weights(unit))


@claim(
    "new.bistable.noise",
    place="after degeeter26 Sec. 5.2, Fig. 9",
    title="noise, however low, writes in the end, unless the threshold is k times the candidate with |k| > 1",
    says=r"Without the flag the candidate is $wr+b$ and the threshold $|vr+c|$. The set of $r$ that write has measure $0$ iff $(v,c)=k(w,b)$ with $|k|>1$ (or $w=b=0\ne(v,c)$); if not, it has probability $p>0$ under every "
    r"Gaussian, and the unit stays unwritten for $T$ steps with probability $(1-p)^T\to0$, however small the variance.",
    uses=("degeeter26.eq11",),
    known="degeeter26 Fig. 9 shows the loss for variance 1 and says that low noise leaves the performance unaffected; the criterion is elementary",
    sabotages={
        "k = 1/2": {"factor": fmpq(1, 2)},
        "thresholds without a modulus": {"difference": lambda w, b, v, c, r: (v * r + c) - (w * r + b)},
    },
)
def when_noise_writes(
    proof: Proof, factor: fmpq = fmpq(2), difference: Callable[..., Any] = lambda w, b, v, c, r: (v * r + c) ** 2 - (w * r + b) ** 2
) -> None:
    r"""The unit keeps where the quadratic $q(r)=(vr+c)^2-(wr+b)^2$ is positive.

    1. The discriminant of $q$ is $4(vb-wc)^2\ge0$. If it is positive, or the leading coefficient $v^2-w^2$ is negative, $q<0$ on an open set. [checked: "the discriminant"] [prose]
    2. If $vb=wc$ and $(w,b)\ne0$, then $(v,c)=k(w,b)$ and $q=(k^2-1)(wr+b)^2$: for $|k|>1$ only its zero writes, for $|k|\le1$ every $r$ writes. [checked: "(v, c) = k (w, b)"]
    3. The criterion, against the sign of $q$ decided by degree and discriminant, on all small integer units. [checked: "the write set is null"]
    4. An open set has probability $p>0$ under every Gaussian; independent steps leave the unit unwritten with probability $(1-p)^T$. [prose]
    5. $|k|=2$ keeps at every $r\ne0$. [checked: "a threshold of twice the candidate"]
    """
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
    unit = BMRU(exact.rationals([[1]]), exact.rationals([0]), exact.rationals([[1]]) * factor, exact.zeros(1), exact.zeros(1) + 1)
    for x in proof.each("|r| = 10^-9 ... 10^9", [s * fmpq(10) ** e for e in range(-9, 10) for s in (1, -1)]):
        proof.exactly("a threshold of twice the candidate never writes", unit.gate(np.array([x], dtype=object))[0], 0)
    proof.certificate("witness", "all integer units up to 2", bound=2)
