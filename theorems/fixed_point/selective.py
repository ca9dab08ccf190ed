"""Parameters that depend on the input: where Theorem 2.1 fails for them, and three ways in which it can be had (movahedi25, Sec. 2.1, App. D.2)."""

from __future__ import annotations

from random import Random

import numpy as np
import sympy
from flint import fmpq

from ...constructions import samples
from ...constructions.fixed_point import gated
from ...numerics import exact
from ...numerics.exact import Array
from ...numerics.peak_gain import norm_is_below
from ..claim import claim
from ..evidence import Proof
from .lipschitz import contraction_with_norm, decays, loop_matrix


def unit(rng: Random, n: int) -> Array:
    """A rational unit vector."""
    return samples.orthogonal(rng, n)[:, 0]


def fractions(rng: Random, *shape: int) -> Array:
    """Rationals strictly between 0 and 1."""
    return exact.map_entries(lambda _: fmpq(rng.randint(1, 9), 10), np.zeros(shape))


@claim(
    "movahedi25.thm2.1.selective",
    place="App. D.2, 'in order to limit the Lipschitz constant according to Theorem 2.1'",
    flaw="overstatement",
    quotes=("In order to limit the Lipschitz constant according to Theorem 2.1",),
    weight="hypothesis",
    title="Theorem 2.1 does not cover the model: with gates that depend on the input the constant can exceed 1",
    says=r"For $0\le\Lambda_t<1$, the gate $I-\Lambda_t$ and $\|I-Q_t\|<1$ the Lipschitz constant in $h$ is below 1.",
    reading="Theorem 2.1 itself says 'input-independent'; App. D.2 appeals to it for the input-dependent iteration",
    letter="Theorem 2.1 is for input-independent matrices; App. D.2 applies it to gates that depend on the input. There the constant can exceed 1. With gates 1 "
    "and 1/2 and I - Q = 9/10 the difference (1, 0) becomes (9/10, 9/20), which is longer. With one scalar gate for each token the layer contracts in the "
    "supremum over time.",
    sabotages={"the same gate at both times": {"pairs": ((0, 0), ("1/2", "1/2"))}},
)
def forgetting_then_keeping(proof: Proof, pairs=((0, 0), ("1/2", "1/2"), (0, "1/2"))) -> None:
    r"""Gate 1 lets everything in, later gates keep it: with $\Lambda_1=0$ and $\Lambda_t$ near 1 one difference is copied $T$ times, a factor near $\sqrt T$.

    By hand: $(1,0)\mapsto(\frac9{10},\frac9{20})$, and $\frac{81}{100}+\frac{81}{400}=\frac{405}{400}>1$."""
    norm = fmpq(9, 10)

    def matrix(pair) -> Array:
        return loop_matrix([gated([exact.rational(x)], exact.rationals([[1 - norm]]), [0]) for x in pair])

    found = proof.smallest("T = 2, d = 1, 1 - Q = 9/10, gates 0 and 1/2", pairs, lambda p: not norm_is_below(matrix(p), fmpq(1)))
    if found:
        pair, _ = found
        M = matrix(pair)
        proof.counterexample(
            given={"Lambda_1, Lambda_2": list(pair), "Q": 1 - norm, "f as a matrix": M},
            words={
                "decay": all(0 <= exact.rational(x) < 1 for x in pair),
                "mixer": abs(norm) < 1,
                "longer": M[0, 0] ** 2 + M[1, 0] ** 2 > 1,
            },
            minimal="d = 1, T = 2",
        )
        proof.certificate("witness", "f lengthens a difference", decays=exact.rationals(pair), F=norm, differences=[1, 0])
        long = [fmpq(0)] + [fmpq(99, 100)] * 8
        column = loop_matrix([gated([x], exact.rationals([[1 - norm]]), [0]) for x in long])[:, 0]
        proof.holds("nine steps: one difference comes out more than 2.5 times as long", sum(x * x for x in column) > fmpq(25, 4))


@claim(
    "movahedi25.thm2.1.selective.amended",
    place="Sec. 2.1",
    amends="movahedi25.thm2.1.selective",
    title="in the largest-entry norm input-dependent gates contract by the largest ‖I − Qₜ‖, at every length",
    says=r"For $0\le\Lambda_t<1$ and the gate $I-\Lambda_t$, $\|f(h)-f(h')\|_\infty\le\max_t\|I-Q_t\|_\infty\,\|h-h'\|_\infty$ (largest entry over time and channels; row sums).",
    sabotages={
        "decays below 0, which the kernel refutes": {"theorem": "gates.signed_gate_contracts"},
        "no input gate": {"gate": lambda lam: 1 + 0 * lam},
        "the gate 1 - lambda^2": {"gate": lambda lam: 1 - lam**2},
    },
)
def weighted_means(proof: Proof, gate=lambda lam: 1 - lam, theorem: str = "fixed_point.selective_gate_contracts") -> None:
    r"""Each step of a channel is a weighted mean of the state before and of the new input, and a mean stays within bounds.

    1. Let $M=\max_t\|I-Q_t\|_\infty\|h-h'\|_\infty$, so that every entry of $u_t=(I-Q_t)(h_t-h'_t)$ lies in $[-M,M]$, and let $s_t=\lambda_ts_{t-1}+(1-\lambda_t)u_t$, $s_0=0$.
       $M-s_t=\lambda_t(M-s_{t-1})+(1-\lambda_t)(M-u_t)$ is a sum of nonnegative terms if $s_{t-1}\le M$. [checked: "M - s_t = lambda (M - s_(t-1)) + (1 - lambda)(M - u_t)"]
    2. Likewise $M+s_t\ge0$. By induction $|s_t|\le M$ for every $t$, whatever the decays. [checked: "M + s_t = lambda (M + s_(t-1)) + (1 - lambda)(M + u_t)"]
    """
    proof.formally(
        "the kernel: contraction in the largest entry",
        theorem,
        whole="every d and T",
        differs="an ordered field for the reals",
    )
    M, s, u, lam = sympy.symbols("M s u lambda")
    new = lam * s + gate(lam) * u
    proof.symbolically(
        "M - s_t = lambda (M - s_(t-1)) + (1 - lambda)(M - u_t)", M - new, lam * (M - s) + (1 - lam) * (M - u), "lambda, s, u, M"
    )
    proof.symbolically(
        "M + s_t = lambda (M + s_(t-1)) + (1 - lambda)(M + u_t)", M + new, lam * (M + s) + (1 - lam) * (M + u), "lambda, s, u, M"
    )
    rng = Random(24)
    for T in (2, 3, 4):
        d = rng.randint(1, 3)
        layers = [{"decay": decays(rng, d), "F": samples.integers(rng, d, d, bound=9) / (10 * d)} for _ in range(T)]
        proof.certificate("witness", f"{d} channels, {T} tokens", tokens=layers)


@claim(
    "movahedi25.thm2.1.selective.amended.scalar",
    place="Sec. 2.1, App. D.2",
    amends="movahedi25.thm2.1.selective",
    title="one scalar gate 1 − λₜ per token, unit Bₜ and Cₜ: a pass contracts by max ‖I − Qₜ‖ in the supremum over time",
    says=r"Let $h_t=\lambda_th_{t-1}+(1-\lambda_t)B_t\bigl(Q_tx_t+(I-Q_t)y'_t\bigr)^\top$ with scalars $0\le\lambda_t<1$, $\|B_t\|,\|C_t\|\le1$, $y_t=h_t^\top C_t$, all depending on the input. "
    r"Then $y'\mapsto y$ has Lipschitz constant at most $\max_t\|I-Q_t\|$ in $\sup_t|y_t|_2$, at every length.",
    sabotages={
        "no input gate": {"gate": lambda lam: 1 + 0 * lam},
        "the gate sqrt(1 - lambda^2)": {"gate": lambda lam: sympy.sqrt(1 - lam**2)},
    },
)
def scalar_gates(proof: Proof, gate=lambda lam: 1 - lam) -> None:
    r"""With a scalar gate the state is a weighted mean of matrices, and the square of a mean is at most the mean of the squares.

    1. Let $S_t$ be the difference of the states, $W_t=B_t\bigl((I-Q_t)(y'_t-y''_t)\bigr)^\top$; $S_t=\lambda_tS_{t-1}+(1-\lambda_t)W_t$, $S_0=0$. In Frobenius' inner product, with
       $a=|S_{t-1}|^2$, $b=S_{t-1}\cdot W_t$, $c=|W_t|^2$: $\lambda a+(1-\lambda)c-|S_t|^2=\lambda(1-\lambda)(a-2b+c)$, and $a-2b+c=|S_{t-1}-W_t|^2\ge0$.
       [checked: "mean of squares minus square of the mean"]
    2. So $|S_t|^2\le\max(|S_{t-1}|^2,|W_t|^2)$, and by induction $\sup|S_t|\le\sup|W_t|$. [prose]
    3. $|W_t|=|B_t||(I-Q_t)(y'_t-y''_t)|$ and $|S_t^\top C_t|\le|S_t||C_t|$. [cited: Cauchy and Schwarz] [prose]
    """
    lam, a, b, c = sympy.symbols("lambda a b c")
    g = gate(lam)
    squared = lam**2 * a + 2 * lam * g * b + g**2 * c
    proof.symbolically(
        "mean of squares minus square of the mean",
        lam * a + (1 - lam) * c - squared,
        lam * (1 - lam) * (a - 2 * b + c),
        "lambda, S, W of any size",
    )
    rng = Random(26)
    for T in (3, 4):
        n, d, norm = 2, 2, fmpq(rng.randint(5, 9), 10)
        tokens = [
            {"decay": fmpq(rng.randint(0, 9), 10), "B": unit(rng, n), "C": unit(rng, n), "F": contraction_with_norm(rng, d, norm)}
            for _ in range(T)
        ]
        proof.certificate("witness", f"{T} tokens", tokens=tokens, bound=norm, differences=samples.integers(rng, T, d))


@claim(
    "movahedi25.appD2.delta.amended.gate",
    place="App. D.2, 'to limit the Lipschitz constant'",
    amends="movahedi25.appD2.delta",
    title="constant decays with the gate 1 − λ: input-dependent unit B, C and mixers contract by max ‖I − Qₜ‖",
    says=r"For decays $0\le\lambda<1$ of the state's entries that do not depend on time, the gate $1-\lambda$, any unit $B_t,C_t$ and any $Q_t$ one pass $y\mapsto y$ has Lipschitz constant at most "
    r"$\max_t\|I-Q_t\|$ (Euclidean, over sequences), for every $T$.",
    uses=("movahedi25.thm2.1.amended",),
    sabotages={"Delta = 1": {"gate": lambda lam: 1 + 0 * lam}, "Griffin's gate": {"gate": lambda lam: sympy.sqrt(1 - lam**2)}},
)
def unit_vectors_suffice(proof: Proof, gate=lambda lam: 1 - lam) -> None:
    r"""Entry by entry the state is the gated mean of Theorem 2.1; $B$ spreads an input over entries without lengthening it, $C$ reads without lengthening.

    1. Entry $(j,i)$ of the difference $S_t$ of two states has $s_t=\lambda s_{t-1}+(1-\lambda)B_{t,j}u_{t,i}$, $u_t=(I-Q_t)(y'_t-y''_t)$. With
       $V_t=(1-\lambda)\sum_{r\le t}s_r^2+\lambda s_t^2-(1-\lambda)\sum_{r\le t}w_r^2$, $w=B_ju_i$: $V_0=0$, $V_t-V_{t-1}=-\lambda(1-\lambda)(s_{t-1}-w_t)^2$.
       [checked: "V_t - V_(t-1) = -lambda (1 - lambda)(s - w)^2"]
    2. So $\sum_ts_t^2\le\sum_tw_t^2$ for each entry; summed over $j$ and $i$, with $|B_t|=1$: $\sum_t|S_t|^2\le\sum_t|B_t|^2|u_t|^2=\sum_t|u_t|^2$. [prose]
    3. $|y_t|=|S_t^\top C_t|\le|S_t|$, and $|u_t|\le\|I-Q_t\||y'_t-y''_t|$. [cited: Cauchy and Schwarz] [prose]
    """
    lam, s, w = sympy.symbols("lambda s w")
    growth = (lam * s + gate(lam) * w) ** 2 - lam * s**2 - (1 - lam) * w**2
    proof.symbolically("V_t - V_(t-1) = -lambda (1 - lambda)(s - w)^2", growth, -lam * (1 - lam) * (s - w) ** 2, "lambda, s, w")
    rng = Random(74)
    for T in (2, 3, 4):
        n, d, norm = rng.randint(1, 3), rng.randint(1, 2), fmpq(rng.randint(1, 9), 10)
        tokens = [{"B": unit(rng, n), "C": unit(rng, n), "F": contraction_with_norm(rng, d, norm)} for _ in range(T)]
        proof.certificate("witness", f"{T} tokens, {n} x {d} states", tokens=tokens, decay=fractions(rng, n, d), bound=norm)
