"""Theorem 2 in the supremum norm for time-invariant sums of ridge functions: several inputs and outputs, complex units (after orvieto24)."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import sympy
from flint import fmpq

from ...constructions.universality import heads as built
from ...constructions.universality.networks import Network, ridge, staircase, together
from ...constructions.universality.vectors import real_reader, vector_model
from ...constructions.vandermonde import half_circle, recall_matrix
from ...numerics import exact
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof
from .sequences import as_data


def error_range(thresholds: list[fmpq], jumps: list[fmpq], value, reach: fmpq, turns: tuple = ()) -> tuple[fmpq, fmpq]:
    """(smallest, largest) of value(u) - sum of the jumps at thresholds t <= u, over |u| <= reach; ``value`` is monotone between the places ``turns``. Exact."""
    edges = sorted({-reach, reach, *(x for x in (*turns, *thresholds) if -reach < x < reach)})
    found = []
    for a, b in pairwise(edges) if len(edges) > 1 else [(edges[0], edges[0])]:
        steps = sum((c for t, c in zip(thresholds, jumps, strict=True) if t <= a), fmpq(0))
        found += [value(a) - steps, value(b) - steps]
    return min(found), max(found)


def filter_head(row: Array, steps: int) -> Network:
    """p -> <row, p> on |p_i| <= 1 by equal steps."""
    r, pieces = sum((abs(h) for h in row), fmpq(0)), steps + 1
    profile = staircase(
        [-r + 2 * r * fmpq(i, pieces) for i in range(1, pieces)], [-r + 2 * r * fmpq(2 * i + 1, 2 * pieces) for i in range(pieces)]
    )
    return ridge(row, profile)


def product_head(p: Array, q: Array, steps: int) -> Network:
    """p -> <p, .><q, .> by two squares of ``steps`` steps."""
    profile, _ = built.square_staircase(steps)
    minus = Network(profile.inner, profile.bias, -profile.outer, -profile.offset)
    return together([ridge(p + q, profile), ridge(p - q, minus)])


@claim(
    "new.universality.vectors",
    place="after orvieto24, Theorem 2, App. C",
    title="M inputs, S outputs, complex units: sums of ridge functions of the past take O(1 / ε) steps an output, uniformly",
    says=r"Let $v_k\in[-1,1]^M$, $p\in[-1,1]^{ML}$ the past with zeros in front, and $T_s(p)=\sum_r\psi_{s,r}(\langle a_{s,r},p\rangle)$, $s\le S$, $\psi_{s,r}$ continuous and of variation $V_{s,r}$ on the values of its argument. $M\lceil L/2\rceil$ complex units on the circle without a clock, and one network with "
    r"$\sum_s\frac1{2\epsilon}\bigl(\sum_r\sqrt{V_{s,r}}\bigr)^2$ steps at most have $\sup_v\max_{k\le L}\max_s|\hat y_{k,s}-T_s(p)|\le\epsilon$, whatever $L$ and $M$.",
    known="Staircases for ridge functions, with the neurons shared out by Lagrange's rule. Theorem 2 has one input and one output; Remark 1 and App. C say how to stack.",
    construction="lemmata.constructions.universality.vectors.vector_model",
    sabotages={
        "transposed without conjugates": {"reader_of": lambda L: recall_matrix(half_circle(L), L).T * fmpq(2, L)},
        "the inputs are exchanged": {"feed": lambda v: v[::-1]},
        "neurons shared out by the variations": {"share": lambda V, Q, eps: Q * V / (2 * eps)},
    },
)
def end_to_end_in_the_supremum(
    proof: Proof, reader_of=real_reader, feed=lambda v: v, share=lambda V, Q, eps: Q * sympy.sqrt(V) / (2 * eps)
) -> None:
    r"""Each block recalls one input, each neuron reads one linear form, each staircase errs by half the variation of a piece.

    1. A block with the nodes $e^{i\pi(2j+1)/L}$ recalls its $L$ real tokens: $\operatorname{Re}(WV_L)=I$, $W=\tfrac2LV_L^*$, for even $L$ (for odd $L$ there is a left inverse too). [uses: new.vandermonde.half-circle, orvieto24.appC] [checked: "Re(W V) is the identity"]
    2. The same real-linear reading serves all steps, so the network for $T$ does, without a clock. [uses: new.universality.invariant] [checked: "a run is the network on the padded past"]
    3. $\psi_{s,r}(\langle a,p\rangle)$ is a staircase of $D_{s,r}$ steps within $V_{s,r}/(2(D_{s,r}+1))$; errors add over $r$. [uses: new.universality.interval] [checked: "the filter errs by its variation"; "the product errs by the variations of two squares"; "a run errs by no more"]
    4. With $Q=\sum_r\sqrt{V_{s,r}}$ and $D_{s,r}+1=\lceil x_r\rceil$, $x_r=Q\sqrt{V_{s,r}}/(2\epsilon)$, the errors add up to at most $\sum_rV_{s,r}/(2x_r)=\epsilon$, and the steps to less than $\sum_rx_r=Q^2/(2\epsilon)$. [checked: "one ridge's share of the error"; "one ridge's share of the steps"] [prose]
    """
    V, Q, eps = sympy.symbols("V Q epsilon", positive=True)
    x = share(V, Q, eps)
    proof.symbolically("one ridge's share of the error is eps sqrt(V) / Q", V / (2 * x), eps * sympy.sqrt(V) / Q, free="V, Q, eps")
    proof.symbolically("one ridge's share of the steps is Q sqrt(V) / (2 eps)", x, Q * sympy.sqrt(V) / (2 * eps), free="V, Q, eps")
    rng = Random(155)
    for L in proof.each("M = S = 2, a filter of both inputs and a product across them; L = 2, 4, 6; all tokens in [-1, 1]", (2, 4, 6)):
        W, Vandermonde = reader_of(L), recall_matrix(half_circle(L), L)
        product = W @ Vandermonde
        proof.exactly("Re(W V) is the identity", [[(y + y.conjugate()) / 2 for y in row] for row in product], exact.identity(L))
        # input 1 has the entries up to L - 1, the newest last; input 2 those up to 2 L - 1
        first, second, older = (exact.unit_vector(2 * L, at) for at in (L - 1, 2 * L - 1, 2 * L - 2))
        row = first - second / 2 + older / 4
        heads = [filter_head(row, 6), product_head(first, older, 7)]
        low, high = error_range([-b for b in heads[0].bias], list(heads[0].outer), lambda u: u, fmpq(7, 4))
        offset = heads[0].offset
        proof.exactly("the filter errs by its variation 7/2 over 2 (6 + 1)", max(abs(low - offset), abs(high - offset)), fmpq(1, 4))
        parts = [
            error_range([-b for b in heads[1].bias[half]], list(sign * heads[1].outer[half]), lambda u: u * u / 4, fmpq(2), (fmpq(0),))
            for half, sign in ((slice(0, 7), 1), (slice(7, 14), -1))
        ]
        largest = max(parts[0][1] - parts[1][0] - heads[1].offset, parts[1][1] - parts[0][0] + heads[1].offset)
        bound = fmpq(1, 4) * (1 + fmpq(1, 10**5))
        proof.holds("the product errs by the variations of two squares, 2 * 2 over 2 (7 + 1)", bool(fmpq(1, 4) <= largest <= bound))
        model = vector_model(2, L, heads)
        tokens = [[fmpq(rng.randint(-8, 8), 8) for _ in range(2)] for _ in range(L)]
        outputs = model.run([feed(v) for v in tokens])
        for k, found in enumerate(outputs, 1):
            past = exact.rationals([fmpq(0)] * (L - k) + [v[0] for v in tokens[:k]] + [fmpq(0)] * (L - k) + [v[1] for v in tokens[:k]])
            proof.exactly("a run is the network on the padded past", found, [head(past) for head in heads])
            wanted = [row @ past, (first @ past) * (older @ past)]
            proof.holds("a run errs by no more", all(abs(y - t) <= bound for y, t in zip(found, wanted, strict=True)))
        proof.certificate(
            "witness",
            f"L = {L}",
            field=2 * L,
            nodes=[x.coefficients for x in half_circle(L)],
            length=L,
            filter=as_data(heads[0]),
            product=as_data(heads[1]),
        )
