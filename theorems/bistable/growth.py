"""The surrogate gradient through a deep stack that keeps: a binomial coefficient, which grows like T^(L-1) (after degeeter26, Sec. 4.3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import comb
from typing import Any

import sympy
from flint import fmpq

from ...constructions.bistable import gradients, heaviside, sign
from ..claim import claim
from ..evidence import Proof
from .gradient import rational_slope


def tangents(weights: Sequence[fmpq], quiet: fmpq, held: Sequence[int], T: int) -> list[list[fmpq]]:
    """d h^(k)_t / d h-hat^(1)_1 for t = 1 .. T, layer by layer, by forward differentiation of Eq. 11 with alpha = 1 and all thresholds 1.

    Layer 1 starts at -1, has the candidate 2 at t = 1 and 0 later; layer k holds held[k] and has the candidate ``quiet``, of which weights[k]
    times the state below is a part. H' is Eq. 12 with alpha_surr = 1 / pi, S' twice that.
    """
    rows = [[gradients([2] + [0] * (t - 1), [1] * t, -1, 1, rational_slope)[0] for t in range(1, T + 1)]]
    for w, h in zip(weights, held, strict=True):
        z, slope, row, tangent = heaviside(abs(quiet) - 1), rational_slope(abs(quiet) - 1), [], fmpq(0)
        for below in rows[-1]:
            gate = slope * sign(quiet) * w * below
            tangent = (1 - z) * tangent + (sign(quiet) - h) * gate + z * 2 * rational_slope(quiet) * w * below
            row.append(tangent)
        rows.append(row)
    return rows


@claim(
    "new.bistable.stack-gradient.depth",
    place="after degeeter26 Sec. 4.3",
    title="in a stack of L layers that keeps, the surrogate gradient is a binomial coefficient: it grows like Tᴸ⁻¹",
    says=r"Let layer 1 write at $t=1$ and keep, and each layer $k\ge2$ keep throughout with $S(\hat h^{(k)})\alpha\ne h^{(k)}$. Then $\partial h^{(L)}_T/\partial\hat h^{(1)}_1=\binom{T+L-2}{L-1}\,\delta\prod_{k=2}^L\gamma_k$, where $\delta\ne0$ is "
    r"layer 1's derivative and $\gamma_k=w_kf'(|\hat h^{(k)}|-\beta_k)S(\hat h^{(k)})\bigl(S(\hat h^{(k)})\alpha-h^{(k)}\bigr)$.",
    hypotheses=(
        "layer k reads w_k h^(k-1), w_k not 0, with the same w_k, other input and threshold at all steps; the derivative is taken through the layers in series, not through a skip connection",
    ),
    known="degeeter26 Sec. 4.3 treats one layer, whose gradient stays constant. Growth of surrogate gradients with depth is known for spiking networks (Neftci, Mostafa, Zenke 2019)",
    sabotages={
        "a power of T, which the kernel refutes": {"theorem": "bistable_growth.derivative_is_a_power"},
        "a power of T": {"count": lambda T, L: T ** (L - 1)},
        "the layer below as it was a step before": {"pascal": lambda D, t, L: D(t - 1, L) + D(t - 1, L - 1)},
        "the layers write": {"quiet": fmpq(3)},
        "the layers hold what they would write": {"hold": 1},
    },
)
def binomial_growth(
    proof: Proof,
    count: Callable[[int, int], int] = lambda T, L: comb(T + L - 2, L - 1),
    pascal: Callable[..., Any] = lambda D, t, L: D(t - 1, L) + D(t, L - 1),
    quiet: fmpq = fmpq(1, 2),
    hold: int = -1,
    theorem: str = "bistable_growth.stack_gradient_is_binomial",
) -> None:
    r"""Each layer sums what the layer below has summed: Pascal's triangle.

    1. Layer 1's derivative is $\delta\ne0$ at all times $t\ge1$, which is $\binom{t-1}0\delta$. [uses: degeeter26.fig7.nonzero.amended] [checked: "one layer: constant"]
    2. Where layer $k$ keeps, $dh^{(k)}_t=dh^{(k)}_{t-1}+\gamma_k\,dh^{(k-1)}_t$, with the same $\gamma_k$ at all steps since no state moves after $t=1$; and $dh^{(k)}_0=0$. For $L=2$ these are $T$ equal terms. [uses: degeeter26.fig7] [checked: "one more term"]
    3. Pascal's rule $\binom{t+L-2}{L-1}=\binom{t+L-3}{L-1}+\binom{t+L-3}{L-2}$ for symbols $t$ and $L$, and $\binom{L-1}{L-1}=1$ at $t=1$, where each layer has one term: induction on $t$ and $L$. [checked: "Pascal's rule"; "it starts at 1"; "one layer: constant"]
    4. $\gamma_k\ne0$ as slopes are positive and $S\alpha\ne h^{(k)}$; and $\binom{T+L-2}{L-1}=\prod_{i=1}^{L-1}\frac{T+i-1}i$, so $\frac{T^{L-1}}{(L-1)!}\le\binom{T+L-2}{L-1}\le\frac{(T+L-2)^{L-1}}{(L-1)!}$. [checked: "a layer more"]
    5. Forward differentiation of Eq. 11 in exact rationals gives these numbers. [checked: "forward through the layers"]
    """
    proof.formally(
        "the kernel: the derivative is the binomial coefficient times layer 1's and the product of the terms",
        theorem,
        whole="every depth, length, weights and thresholds, any surrogate",
        differs="an ordered field for the reals; times from 0; derivatives by forward differentiation, with any function as the surrogate's slope",
    )
    proof.formally(
        "the kernel: it grows like T^(L-1)",
        "bistable_growth.binomial_grows",
        whole="every depth, length, weights and thresholds, any surrogate",
        differs="T = t + 1, L = n + 1: T^(L-1) <= (L-1)! times the coefficient <= (T + L - 2)^(L-1)",
    )
    t, L = sympy.symbols("t L", positive=True)
    D = lambda time, layers: sympy.binomial(time + layers - 2, layers - 1)  # noqa: E731
    z, h, below, gamma = sympy.symbols("z h below gamma")
    proof.symbolically(
        "one more term where the gate is 0", ((1 - z) * h + gamma * below).subs(z, 0), h + gamma * below, "h, gamma, what lies below"
    )
    proof.symbolically("Pascal's rule", D(t, L), pascal(D, t, L), "t, L")
    proof.symbolically("one layer: constant", D(t, 1), 1, "t")
    proof.symbolically("it starts at 1 in every layer", D(sympy.Integer(1), L), 1, "L")
    proof.symbolically("a layer more multiplies by (T + L - 1) / L", L * D(t, L + 1), (t + L - 1) * D(t, L), "t, L")
    weights, T = [fmpq(3, 2), fmpq(-1, 3), fmpq(2), fmpq(1, 5)], proof.pick(6, 10, 20)
    rows = tangents(weights, quiet, [hold] * len(weights), T)
    slope = rational_slope(abs(quiet) - 1)
    for k, time in proof.each(f"L <= 5, T <= {T}, weights 3/2, -1/3, 2, 1/5", product(range(len(rows)), range(1, T + 1))):
        expected = rows[0][0] * count(time, k + 1)
        for w in weights[:k]:
            expected = expected * w * slope * 2
        proof.exactly("forward through the layers", rows[k][time - 1], expected)
    for layers in (2, 3, 4):
        proof.certificate("witness", f"{layers} layers", layers=layers, T=8, w="3/2", first="2", second="1/2", start=["-1"] * layers)
