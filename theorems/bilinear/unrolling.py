"""Lemma 1: a state of a deep network in terms of the states one step before (lizaire26, App. A.1.2)."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import sympy

from ...constructions import samples
from ...constructions.bilinear import SecondOrderLayer, run
from ...numerics import exact
from ..claim import claim
from ..evidence import Proof
from .degrees import network_data


def unrolled_in_depth(layers: list[SecondOrderLayer], before: list[np.ndarray], x: np.ndarray, descending: bool = True) -> np.ndarray:
    """h_t^(L) from x_t and the states at t - 1: the product of all U_bar times x_t, and for each layer b_bar times the U_bar above it."""

    def product(matrices: list[np.ndarray]) -> np.ndarray:
        out: Any = exact.identity(len(matrices[0])) if matrices else None
        for M in matrices:
            out = M @ out if descending else out @ M
        return out

    bars = [np.einsum("ijk,i->kj", a.A, h, optimize=False) + a.U for a, h in zip(layers, before, strict=True)]
    total = product(bars) @ x
    for j, (layer, h) in enumerate(zip(layers, before, strict=True)):
        b = layer.V @ h + layer.b
        total = total + (product(bars[j + 1 :]) @ b if bars[j + 1 :] else b)
    return total


def _second_order(rng: Random, n: int, depth: int) -> list[SecondOrderLayer]:
    """Layers that read n values, so that products in either order have the right shapes."""
    return [
        SecondOrderLayer(
            samples.integers(rng, n, n, n),
            samples.integers(rng, n, n),
            samples.integers(rng, n, n),
            samples.integers(rng, n),
            samples.integers(rng, n),
        )
        for _ in range(depth)
    ]


def _unrolls(proof: Proof, after) -> None:
    """Record one layer's equation in matrix form, and the step of the induction over the layers."""
    A, V, U, h, y, b = sympy.symbols("A V U h y b", commutative=False)
    # A stands for the matrix of the map (h, y) -> A ×1 h ×2 y with h fixed: linear in y
    proof.symbolically(
        "one layer is affine in what it reads",
        A * y + V * h + U * y + b,
        (A + U) * y + (V * h + b),
        "n, d, A, V, U, h, y, b",
    )
    W, P, q, x, c = sympy.symbols("W P q x c", commutative=False)
    proof.symbolically("one layer more", W * (P * x + q) + c, after(W, P) * x + (after(W, q) + c), "n, d, W, P, q, c, x (noncommuting)")


def _certify(proof: Proof) -> None:
    rng = Random(105)
    for n, depth in ((1, 2), (2, 2), (2, 3)):
        layers = _second_order(rng, n, depth)
        inputs = [samples.nonzero_vector(rng, n) for _ in range(2)]
        proof.certificate("witness", f"n = d = {n}, L = {depth}", layers=network_data(layers), inputs=inputs)


READING = "products descend, U^(l) ... U^(1), as the proof multiplies from the left; with the usual convention for the printed product the order is the other one, which does not even fit in shape for d != n"


@claim(
    "lizaire26.lemma1",
    place="Lemma 1, App. A.1.2",
    title="a 2RNN's state is the product of the layers' matrices times the input, plus what each layer adds, carried upwards",
    says=r"$h^{(l)}_t=\bar U^{(l)}\cdots\bar U^{(1)}x_t+\sum_j\bar U^{(l)}\cdots\bar U^{(j+1)}\bar b^{(j)}$ with $\bar U^{(i)}=(\mathcal A^{(i)}\times_1h^{(i)}_{t-1})^\top+U^{(i)}$, $\bar b^{(i)}=V^{(i)}h^{(i)}_{t-1}+b^{(i)}$.",
    reading=READING,
    sabotages={
        "ascending products, which the kernel refutes": {"theorem": "unrolled.states_unrolled_ascending"},
        "ascending products": {"after": lambda W, P: P * W},
    },
)
def descending_products(proof: Proof, after=lambda W, P: W * P, theorem: str = "unrolled.states_unrolled") -> None:
    r"""One layer is affine in what it reads; unroll it over the layers.

    1. For given $h=h^{(i)}_{t-1}$ the bilinear term is linear in what is read: $\mathcal A\times_1h\times_2y=(\mathcal A\times_1h)^\top y$. So
       $h^{(i)}_t=\bar U^{(i)}h^{(i-1)}_t+\bar b^{(i)}$. [checked: "one layer is affine in what it reads"]
    2. If $h^{(l-1)}_t=Px_t+q$, then $h^{(l)}_t=\bar U^{(l)}(Px_t+q)+\bar b^{(l)}=(\bar U^{(l)}P)x_t+(\bar U^{(l)}q+\bar b^{(l)})$, which puts one matrix in front of each product and adds the term $j=l$;
       the base is $h^{(0)}_t=x_t$: an induction over the layers. [checked: "one layer more"] [prose]
    """
    proof.formally(
        "the kernel: the states of every layer, unrolled",
        theorem,
        whole="every network, layer, time and word",
        differs="any field for the reals; times from 0, layers from 0, so that U-bar of the lowest has a name of its own",
    )
    _unrolls(proof, after)
    _certify(proof)


@claim(
    "lizaire26.lemma1.display",
    place="Lemma 1 and Corollary 2, App. A.1.2",
    flaw="misprint",
    quotes=("The hidden states in a 2RNN at time t and layer l can be expressed as",),
    title="the products over the layers are printed in ascending order, but have to descend",
    says=r"$h^{(l)}_t=\big(\prod_{i=1}^l\bar U^{(i)}_{t-1}\big)x_t+\sum_j\big(\prod_{k=j+1}^l\bar U^{(k)}_{t-1}\big)\bar b^{(j)}_{t-1}$.",
    reading="products written out from left to right, as usual; the proof multiplies by the upper layer from the left",
    letter="In Lemma 1 and Corollary 2 the products over layers should descend, U^(l) ... U^(1), or the convention should be said. Matrices of different layers do not commute. For d other than n the ascending product does not fit in shape.",
    sabotages={"the other order": {"descending": True}},
)
def products_in_the_printed_order(proof: Proof, descending: bool = False) -> None:
    """Two layers of width 2 without bilinear terms, U1 = e_1 e_2^T and U2 = e_2 e_1^T: for x = (1, 2) the state is U2 U1 x = (0, 2), and U1 U2 x = (1, 0)."""
    U1, U2 = exact.rationals([[0, 1], [0, 0]]), exact.rationals([[0, 0], [1, 0]])
    layers = [SecondOrderLayer(exact.zeros(2, 2, 2), exact.zeros(2, 2), U, exact.zeros(2), exact.zeros(2)) for U in (U1, U2)]
    x = exact.rationals([1, 2])
    state = run(layers, [x])[-1]
    printed = unrolled_in_depth(layers, [exact.zeros(2)] * 2, x, descending)
    proof.counterexample(
        given={"U1": U1, "U2": U2, "x": x, "h": state, "printed": printed},
        words={"zero": not any(part.any() for a in layers for part in (a.V, a.b, a.A)), "state": not np.array_equal(state, printed)},
        minimal="n = 2, L = 2 (for n = 1 or L = 1 there is one order only)",
    )
    proof.certificate("witness", "two layers that do not commute", layers=network_data(layers), inputs=[x])
