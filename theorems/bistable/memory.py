"""What is kept for ever and what fades: linear recurrences, gates, and the two states of the unit (degeeter26, abstract and Sec. 3)."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import sympy
from flint import arb, fmpq

from ...constructions import samples
from ...constructions.bistable import gated, simplified
from ...numerics import exact
from ..claim import claim
from ..evidence import Proof
from .cases import ALPHA, STATE, A, Free, inside

H = sympy.Symbol("h")


@claim(
    "degeeter26.abstract.persistent",
    place="Abstract; Sec. 1; Sec. 4.1, Eq. 9",
    title="multistability is persistent memory: inside |x| < β the unit keeps every state, so both ±α, for ever",
    says=r"For $|x_t|<\beta_t$, $t=1,\dots,T$, Eq. 9 gives $h_T=h_0$, for every $T$ and every $h_0$; in particular $\alpha$ and $-\alpha\ne\alpha$ are both kept.",
    reading="'retaining information for an infinite duration', of the unit of Eqs. 9 and 10",
    construction="lemmata.constructions.bistable.simplified",
    sabotages={
        "any inputs, which the kernel refutes": {"theorem": "bistable.kept_beyond_the_thresholds"},
        "a leak": {"rule": lambda h, x, beta, alpha: simplified(h, x, beta, alpha) * fmpq(9, 10)},
        "always written": {"rule": lambda h, x, beta, alpha: simplified(h, x, beta * 0, alpha)},
    },
)
def both_states_are_kept(proof: Proof, rule: Callable[..., Any] = simplified, theorem: str = "bistable.kept_within_the_thresholds") -> None:
    r"""One step is the identity on the memory region; so are $T$ of them.

    1. $|x|<\beta$ means $0<x<\beta$, $x=0<\beta$ or $-\beta<x<0$. In each case, for all such $x$ and $\beta$ and every $h$ and $\alpha$, Eq. 9 and its gated form give $h$.
       [checked: "one step keeps"; "the gated form keeps"]
    2. If $h_{t-1}=h_0$ then $h_t=h_0$: that is step 1 with $h=h_0$, and the induction starts at $t=0$. [checked: "one step keeps"]
    3. $\alpha$ and $-\alpha$ are two different states for $\alpha>0$. [checked: "two states"]
    """
    proof.formally(
        "the kernel: kept, whatever the length",
        theorem,
        whole="every T, h_0, alpha and inputs within the thresholds",
        differs="an ordered field for the reals; alpha and -alpha differ for alpha other than 0",
    )
    for _, x, beta in proof.every("all |x| < beta", inside(), limited=False):
        h, alpha = Free(STATE), Free(ALPHA)
        proof.exactly("one step keeps", rule(h, x, beta, alpha), h)
        proof.exactly("the gated form keeps", gated(h, x, beta, alpha), h)
    proof.exactly("two states", (Free(A) - Free(-A)).sign(), 1)
    alpha, beta = fmpq(1), fmpq(1)
    inputs = [fmpq(1, 2), fmpq(-9, 10), fmpq(0), fmpq(99, 100)]
    proof.certificate("witness", "four inputs inside the memory region", alpha=alpha, beta=beta, inputs=inputs)


@claim(
    "degeeter26.abstract.ssm",
    place="Abstract; Sec. 1; Sec. 3",
    title="a diagonal SSM with eigenvalues inside the unit circle has no persistent memory: initial states fade like |λ|ᵀ",
    says=r"$h_t=\lambda h_{t-1}+b_t$, $|\lambda|<1$: two states under the same inputs differ after $T$ steps by $\lambda^T(h_0-k_0)\to0$, whatever the inputs; and $b_t=b$ leaves the one equilibrium $\frac b{1-\lambda}$.",
    reading="SSM as the paper uses them (LRU): diagonal, time-invariant, eigenvalues inside the unit circle",
    remarks=("The printed sentence on all linear recurrences is degeeter26.sec3.monostable.",),
    sabotages={
        "an eigenvalue on the circle, which the kernel refutes": {"theorem": "fading.linear_memory_fades_on_the_circle"},
        "the eigenvalue is squared by the input": {"step": lambda lam, h, b: lam * h + b * h},
    },
)
def linear_memory_fades(
    proof: Proof,
    step: Callable[..., Any] = lambda lam, h, b: lam * h + b,
    theorem: str = "fading.linear_memory_fades",
) -> None:
    r"""The inputs cancel in the difference of two states.

    1. $(\lambda h+b)-(\lambda k+b)=\lambda(h-k)$ for all numbers, real or complex. [checked: "one step"]
    2. If the difference after $T$ steps is $\lambda^Td$, after $T+1$ it is $\lambda^{T+1}d$; at $T=0$ it is $d$. This is an induction. [checked: "the inductive step"; "the base"] [prose]
    3. $|\lambda|=\frac1{1+q}$ with $q>0$ (or $\lambda=0$), and its powers tend to $0$. [checked: "powers tend to 0"] [prose]
    4. $\frac b{1-\lambda}$ is a fixed point, and two fixed points $h,k$ have $(1-\lambda)(h-k)=0$, so $h=k$. [checked: "a fixed point"; "the only one"] [prose]
    """
    proof.formally(
        "the kernel: differences, their limit, and the one equilibrium",
        theorem,
        whole="every eigenvalue, input, start and number of steps",
        differs="any archimedean field with a norm for the real and the complex numbers; the limit by epsilon and N",
    )
    lam, k, b, d, T = sympy.symbols("lambda k b d T")
    proof.symbolically("one step", step(lam, H, b) - step(lam, k, b), lam * (H - k), "lambda, h, k, b")
    proof.symbolically("the inductive step", step(lam, lam**T * d, b) - step(lam, 0, b), lam ** (T + 1) * d, "lambda, T, d, b")
    proof.symbolically("the base", lam**0 * d, d, "d")
    q = sympy.Symbol("q", positive=True)
    proof.symbolically("powers tend to 0", sympy.limit((1 / (1 + q)) ** T, T, sympy.oo), 0, "q > 0")
    proof.symbolically("a fixed point", step(lam, b / (1 - lam), b), b / (1 - lam), "b, lambda != 1")
    proof.symbolically("the only one", (H - step(lam, H, b)) - (k - step(lam, k, b)), (1 - lam) * (H - k), "lambda, h, k, b")
    proof.certificate(
        "witness",
        "eigenvalue -2/3, five steps",
        eigenvalue=fmpq(-2, 3),
        inputs=[fmpq(1), fmpq(0), fmpq(-5, 2), fmpq(7), fmpq(1, 3)],
        starts=["1", "-4"],
    )


def _kept_by_gates(terms: int, gate: Callable[[int], arb]) -> arb:
    """prod_(t <= terms) (1 - z_t)."""
    out = arb(1)
    for t in range(1, terms + 1):
        out *= 1 - gate(t)
    return out


@claim(
    "degeeter26.sec3.monostable",
    place="Sec. 3, on Fig. 1 (left)",
    of="degeeter26.abstract.ssm",
    flaw="overstatement",
    quotes=(
        "It includes all RNNs with linear recurrence, such as SSMs, as well as all gated RNNs in which gates do not depend on past state values and whose update gate",
        "is strictly larger than 0",
    ),
    weight="hypothesis",
    title="linear recurrences need not be monostable, nor gated RNNs whose gates are above 0 and do not see the state",
    says=r"Monostable, hence without stationary information about the past: all RNNs with linear recurrence, and all gated RNNs $(1-z_t)h_{t-1}+\dots$ with $z_t>0$ that does not depend on past states.",
    letter="By your Theorem 3 and Eq. 16c the BMRU has a linear recurrence, and it is bistable. Without an input h_t = h_(t-1) + x_t keeps every state. The sentence holds for transitions that contract in one norm for all inputs. Gated units need gates that stay away from 0: with gates sigma(-t) more than half of h_0 stays for ever.",
    reading="as printed, for all linear recurrences, those with inputs in the transition included, since Eq. 16c is called a linear recurrence too",
    remarks=(
        "What is meant are transitions inside the unit circle, as SSMs have them (degeeter26.abstract.ssm); so this is an overstatement, and nothing later rests on it. The verdict is on the printed words, beside which Eq. 16c stands.",
        "Eq. 3 itself has a constant gate c > 0 that sees no state, and is bistable; the sentence leaves out that the candidate must not see the state either, as in the three papers cited there.",
    ),
    sabotages={
        "the eigenvalue 1/2": {"eigenvalue": fmpq(1, 2)},
        "the gate 1/2": {"gate": lambda t: arb(1) / 2},
        "an input that the unit writes": {"x": fmpq(2)},
    },
)
def linear_memory_for_ever(
    proof: Proof,
    eigenvalue: fmpq = fmpq(1),
    gate: Callable[[int], arb] = lambda t: 1 / (1 + arb(t).exp()),
    x: fmpq = fmpq(1, 2),
) -> None:
    """The paper's own unit, read by its Theorem 3 as h_t = (1 - z_t) h_(t-1) + b_t, keeps 1 and -1 at the input 1/2 against the threshold 1. The eigenvalue 1 keeps every state.
    Gates sigma(-t) have a finite sum, so prod (1 - z_t) > 0: the tail is at least 1 - sum z_t."""
    alpha, beta = fmpq(1), fmpq(1)
    proof.counterexample(
        given={"unit": "Eq. 11 with alpha = 1, so h_t = (1 - z_t) h_(t-1) + z_t S(x_t)", "threshold": beta, "x_t for all t": x},
        words={"affine": _is_affine(x, beta, alpha), "signs": all(bool(gated(fmpq(s), x, beta, alpha) == s) for s in (1, -1))},
        minimal="the unit of Eq. 11 at x = 1/2, beta = alpha = 1",
    )
    proof.counterexample(
        given={"h_t": f"{eigenvalue} h_(t-1) + x_t", "x": 0},
        words={"units": all(bool(eigenvalue * h == h) for h in (0, 1))},
        minimal="h_t = h_(t-1) + x_t",
    )
    terms = 40
    # z_t <= exp(-t), so the gates after the first 40 add up to exp(-40) / (e - 1) at most
    tail = arb(-terms).exp() / (arb(1).exp() - 1)
    kept = _kept_by_gates(terms, gate) * (1 - tail)
    proof.counterexample(
        given={"z_t": "sigma(x_t)", "x_t": "-t", "prod (1 - z_t) over all t is at least": kept.str(8)},
        words={"open": all(bool(gate(t) > 0) for t in range(1, terms + 1)), "kept": bool(kept > arb(1) / 2)},
        how="certified",
        minimal="z_t = sigma(-t)",
    )
    proof.certificate("witness", "the unit itself", alpha=alpha, beta=beta, x=x, states=["1", "-1"])
    proof.certificate("witness", "the eigenvalue 1", eigenvalue=eigenvalue, states=["0", "1"])
    proof.certificate("witness", "gates sigma(-t)", terms=terms, kept="1/2")


def _is_affine(x: fmpq, beta: fmpq, alpha: fmpq) -> bool:
    """h -> gated(h) takes three equally spaced states to equally spaced states."""
    low, middle, high = (gated(fmpq(h), x, beta, alpha) for h in (-5, 0, 5))
    return bool(high - middle == middle - low)


@claim(
    "degeeter26.sec3.monostable.amended",
    place="Sec. 3, on Fig. 1 (left)",
    amends="degeeter26.sec3.monostable",
    title="spectral radius below 1 gives one equilibrium; gates zₜ ≥ e, with candidates that see no state, forget like (1 − e)ᵗ",
    says=r"$\rho(A)<1$: $h^*=(I-A)^{-1}b$ and $A^k\to0$. If $z_t\ge\varepsilon$ and $g_t$ does not depend on $h$, two states of $h_t=(1-z_t)h_{t-1}+z_tg_t$ differ by $\prod(1-z_t)\le(1-\varepsilon)^t$ times their first difference.",
    sabotages={
        "the eigenvalue 1 is allowed": {"eigenvalues": (fmpq(1),)},
        "the candidate sees the state": {"candidate": lambda h, g: g + h},
    },
)
def fading(
    proof: Proof, eigenvalues=(fmpq(0), fmpq(1, 2), fmpq(-1, 2), fmpq(1, 3), fmpq(-3, 4)), candidate: Callable[..., Any] = lambda h, g: g
) -> None:
    r"""A power of $A$ contracts; gates bounded away from $0$ contract at once.

    1. If $\rho(A)<1$ then $A^k\to0$, so some power has row-sum norm below $1$. [checked: "a power of A is a contraction"] [prose]
    2. Hence $h\mapsto Ah+b$ has exactly one fixed point, which attracts every state (Banach, for that power); $1$ is no eigenvalue, so it is $(I-A)^{-1}b$. [checked: "one equilibrium for every b"] [prose]
    3. With $g$ free of $h$, $((1-z)h+zg)-((1-z)k+zg)=(1-z)(h-k)$; multiply over $t$ and use $0\le1-z_t\le1-\varepsilon$. [checked: "two states come nearer"]
    """
    h, k, z, g = sympy.symbols("h k z g")
    step = lambda h: (1 - z) * h + z * candidate(h, g)  # noqa: E731
    proof.symbolically("two states come nearer by the factor 1 - z", step(h) - step(k), (1 - z) * (h - k), "h, k, z, g")
    rng = Random(301)
    count = proof.pick(6, 20, 100)
    for i in proof.each(f"{count} rational Jordan forms of size <= 4, eigenvalues in (-1, 1), seed 301", range(count)):
        n = rng.randint(1, 4)
        A = samples.with_jordan_form(samples.jordan_blocks(rng, n, list(eigenvalues)), samples.basis(rng, n))
        power, k = A, 1
        for _ in range(12):
            power, k = power @ power, 2 * k
            if _row_sum_norm(power) < 1:
                break
        proof.holds("a power of A is a contraction", bool(_row_sum_norm(power) < 1))
        proof.exactly("one equilibrium for every b", exact.rank(exact.identity(n) - A), n)
        if i < 6 and k <= 64 and np.any(A != 0):
            proof.certificate("witness", f"a matrix of size {n}", A=A, power=k)


def _row_sum_norm(A: np.ndarray) -> fmpq:
    return max(sum((abs(x) for x in row), fmpq(0)) for row in A)


@claim(
    "new.bistable.switching",
    place="after degeeter26 Sec. 3",
    title="spectral radius 0 for every input does not make a linear recurrence forget: two nilpotent transitions in turn",
    says=r"$A(a)=\begin{pmatrix}0&1\\0&0\end{pmatrix}$, $A(b)=\begin{pmatrix}0&0\\1&0\end{pmatrix}$: $A(a)^2=A(b)^2=0$, but $(A(a)A(b))^k=\operatorname{diag}(1,0)$ for all $k\ge1$.",
    known="not new: the standard example that the joint spectral radius exceeds every single one (Rota and Strang 1960; Jungers, The joint spectral radius, 2009)",
    remarks=(
        "It limits Sec. 1 of degeeter26, where fading memory is said to be a unique stable state: at each constant input this recurrence has one, and it does not fade.",
    ),
    sabotages={"a common norm below 1": {"scale": fmpq(1, 2)}},
)
def nilpotents_in_turn(proof: Proof, scale: fmpq = fmpq(1)) -> None:
    r"""Monostability at each constant input says nothing about inputs that change.

    1. $A(a)^2=A(b)^2=0$, and both characteristic polynomials are $x^2$. [checked: "the square is 0"; "both have only the eigenvalue 0"]
    2. $P=A(a)A(b)$ is $\operatorname{diag}(1,0)$, and the set $\{P\}$ is closed under the product with $P$: every power of $P$ is $P$. [checked: "the product is idempotent"; "it is diag(1, 0)"]
    """
    a, b = exact.rationals([[0, scale], [0, 0]]), exact.rationals([[0, 0], [scale, 0]])
    for m in proof.every("both matrices", (a, b), limited=False):
        proof.exactly("the square is 0", m @ m, exact.zeros(2, 2))
        proof.exactly("both have only the eigenvalue 0", exact.characteristic_polynomial(m).coeffs(), [0, 0, 1])
    for product in proof.every("the product", [a @ b], limited=False):
        proof.exactly("it is diag(1, 0)", product, exact.rationals([[1, 0], [0, 0]]))
        proof.exactly("the product is idempotent", product @ product, product)
    proof.certificate("witness", "two nilpotent matrices", matrices=[a, b])
    proof.exhibit("two nilpotent transitions whose product is idempotent", A_a=a, A_b=b, product=a @ b)
