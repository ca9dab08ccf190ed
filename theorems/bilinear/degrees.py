"""The polynomials that networks with products compute: degrees, Theorem 3 and Lemma 1 (lizaire26, Sec. 3.2, App. A.1, A.6, A.7)."""

from __future__ import annotations

from math import comb
from random import Random

import numpy as np
from flint import fmpq

from ...constructions import samples
from ...constructions.bilinear import (
    SecondOrderLayer,
    bilinear_layer,
    degrees_in,
    entries,
    identity_layer,
    residual,
    run,
    variables,
)
from ...numerics import exact
from ..claim import claim
from ..evidence import Proof


def random_bilinear(rng: Random, n: int, depth: int, d: int = 1) -> list[SecondOrderLayer]:
    """Layers of a BIRNN with positive integer tensors, so that nothing cancels."""
    return [
        bilinear_layer(abs(samples.integers(rng, n, d if level == 0 else n, n)) + 1, abs(samples.integers(rng, n)) + 1)
        for level in range(depth)
    ]


def random_second_order(rng: Random, n: int, depth: int) -> list[SecondOrderLayer]:
    """Layers of a second-order RNN, all parts random."""
    return [
        SecondOrderLayer(
            samples.integers(rng, n, 1 if level == 0 else n, n),
            samples.integers(rng, n, n),
            samples.integers(rng, n, 1 if level == 0 else n),
            samples.integers(rng, n),
            samples.integers(rng, n),
        )
        for level in range(depth)
    ]


def degree(t: int, s: int, depth: int) -> int:
    """C(t - s + L - 1, L - 1): the degree of h_t^(L) in x_s."""
    return comb(t - s + depth - 1, depth - 1)


@claim(
    "new.bilinear.degrees",
    topic="bilinear",
    place="after lizaire26, App. A.6",
    kind="new",
    title="a BIRNN's state h_t is homogeneous in each input x_s of degree C(t-s+L-1, L-1), of total degree C(t+L-1, L)",
    says=r"Every component of $h^{(L)}_t$ is $0$ or homogeneous in $x_s$ of degree exactly $\binom{t-s+L-1}{L-1}$ for each $s\le t$, so of total degree $\binom{t+L-1}{L}$ in the inputs.",
    sabotages={"a bias": {"spoil": lambda layers: _with_bias(layers)}},
)
def binomial_degrees(proof: Proof, spoil=lambda layers: layers) -> None:
    """h_t^(l) is a product of h_(t-1)^(l) and h_t^(l-1), so degrees add: D(t, l) = D(t-1, l) + D(t, l-1), with D(s, 0) = 1 for x_s itself and 0
    before it, which is Pascal's rule. Networks are run on variables, in FLINT."""
    width, deepest, longest = proof.pick((1, 3, 3), (2, 3, 4), (2, 4, 4))
    for t in proof.every("t - s <= 20, L <= 20", range(21)):
        for level in range(2, 21):
            proof.exactly("Pascal's rule", degree(t, 0, level), (degree(t - 1, 0, level) if t else 0) + degree(t, 0, level - 1))
            proof.exactly("the degrees in x_1 .. x_t add up", sum(degree(t + 1, s, level) for s in range(1, t + 2)), comb(t + level, level))
    rng = Random(101)
    cases = [
        (n, depth, t)
        for n in range(1, width + 1)
        for depth in range(1, deepest + 1)
        for t in range(1, longest + 1)
        if comb(t + depth - 1, depth) <= 20
    ]
    for n, depth, t in proof.each(f"random integer networks, n <= {width}, L <= {deepest}, T <= {longest}", cases):
        x = variables([f"x{s}" for s in range(1, t + 1)])
        state = run(spoil(random_bilinear(rng, n, depth)), x)[-1]
        found = [[degrees_in(entry, s) for s in range(t)] for entry in state]
        proof.exactly("homogeneous of degree C(t-s+L-1, L-1) in each x_s", found, [[{degree(t, s, depth)} for s in range(1, t + 1)]] * n)
        proof.exactly("total degree C(t+L-1, L)", {entry.total_degree() for entry in state}, {comb(t + depth - 1, depth)})


def _with_bias(layers: list[SecondOrderLayer]) -> list[SecondOrderLayer]:
    return [SecondOrderLayer(a.A, a.V, a.U, a.b + 1, a.initial) for a in layers]


def generic_network(n: int, depth: int, steps: int):
    """(variables' names, last state) of a BIRNN with d = 1 whose tensors and initial states are variables too; the inputs come first."""
    names = [f"x{s}" for s in range(1, steps + 1)]
    for level in range(depth):
        m = 1 if level == 0 else n
        names += [f"a{level}_{i}{j}{k}" for i in range(n) for j in range(m) for k in range(n)] + [f"h{level}_{i}" for i in range(n)]
    rest = variables(names)
    x, rest = rest[:steps], rest[steps:]
    layers = []
    for level in range(depth):
        m = 1 if level == 0 else n
        A = entries(rest[: n * m * n], n, m, n)
        layers.append(bilinear_layer(A, entries(rest[n * m * n : n * m * n + n])))
        rest = rest[n * m * n + n :]
    return run(layers, x)


@claim(
    "lizaire26.thm3",
    topic="bilinear",
    place="Theorem 3, App. A.7",
    title="what a linear BIRNN computes, one with a layer more computes too",
    says=r"$\mathcal H_{BIRNN}(n,L)\subseteq\mathcal H_{BIRNN}(n,L+1)$ for linear BIRNNs.",
    reading="BIRNNs as defined, with the bilinear term alone; the proof hands states on by a layer that this class does not have",
    uses=("new.bilinear.degrees",),
    sabotages={"two layers against two": {"depths": (2, 2)}},
)
def depth_changes_the_degree(proof: Proof, depths: tuple[int, int] = (1, 2)) -> None:
    """After two steps one layer is of degree 1 in x_1, and every network with two layers, whatever its parameters, of degree 2 (or 0 identically):
    h_2 = A ×1 h_1 ×2 (h_2 of layer 1), and both factors contain x_1. h_t = x_t h_(t-1) is not 0."""
    shallow, deep = depths
    copying = exact.zeros(2, 1, 2)
    copying[0, 0, 0] = copying[1, 0, 1] = fmpq(1)
    function = run([bilinear_layer(copying, exact.rationals([1, 1]))], variables(["x1", "x2"]))[-1]
    if shallow == 2:
        function = run(random_bilinear(Random(1), 2, 2), variables(["x1", "x2"]))[-1]
    generic = generic_network(2, deep, 2)[-1]
    one, two = ({d for entry in state for d in degrees_in(entry, 0)} for state in (function, generic))
    proof.counterexample(
        given={
            "n": 2,
            "d": 1,
            "L": shallow,
            "h_2 of h_t = x_t h_(t-1), h_0 = (1, 1)": [str(entry) for entry in function],
            "degrees in x_1": sorted(one),
        }
        | {f"degrees in x_1 of every monomial of h_2 for L = {deep}, all parameters variables": sorted(two)},
        hypotheses={"h_2 is not 0": any(entry != 0 for entry in function)},
        violates={"no monomial of the deeper network has a degree of the function": not one & two},
        minimal=f"n = 2, d = 1, L = {shallow}, T = 2",
    )


@claim(
    "lizaire26.thm3.amended",
    topic="bilinear",
    place="Theorem 3, App. A.7",
    kind="amended",
    amends="lizaire26.thm3",
    title="second-order RNNs, which have a linear term as well, compute strictly more with each layer",
    says=r"$\mathcal H_{2RNN}(n,L)\subsetneq\mathcal H_{2RNN}(n,L+1)$: the layer $U=I$ hands states on, and $h^{(L)}_2$ has degree at most $L$ in $x_1$, which $L+1$ layers exceed.",
    uses=("new.bilinear.degrees",),
    sabotages={
        "the last layer is bilinear": {
            "last": lambda n: bilinear_layer(np.full((n, n, n), fmpq(1), dtype=object), exact.rationals([1] * n))
        }
    },
)
def an_identity_layer(proof: Proof, last=identity_layer) -> None:
    """Linear terms do not raise degrees, so the largest degree is that of the products: C(t-s+L-1, L-1), L for t = 2 and s = 1. Positive tensors attain it."""
    rng = Random(102)
    count = proof.pick(4, 10, 30)
    deepest = proof.pick(2, 3, 4)
    x = variables(["x1", "x2"])
    for _ in proof.each(f"{count} random second-order networks, n <= 2, L <= {deepest}, T = 2", range(count)):
        n, depth = rng.randint(1, 2), rng.randint(1, deepest)
        layers = random_second_order(rng, n, depth)
        states = run(layers, x)
        proof.exactly("an identity layer changes nothing", [list(h) for h in run([*layers, last(n)], x)], [list(h) for h in states])
        proof.holds("the degree of h_2 in x_1 is at most L", all(d <= depth for entry in states[-1] for d in degrees_in(entry, 0)))
        more = run(random_bilinear(rng, n, depth + 1), x)[-1]
        proof.holds("L + 1 layers reach degree L + 1", any(depth + 1 in degrees_in(entry, 0) for entry in more))


@claim(
    "lizaire26.sec3.2.degree",
    topic="bilinear",
    place="Sec. 3.2, before Theorem 3",
    title="the largest degree of a BIRNN's polynomials grows exponentially with the depth",
    says=r"For a fixed length $T$ the degree of $h^{(L)}_T$ grows exponentially in $L$.",
    reading="for a fixed length; the degree is C(T+L-1, L), a polynomial in L of degree T - 1",
    uses=("new.bilinear.degrees",),
    sabotages={"length and depth grow together": {"length": lambda depth: depth}},
)
def polynomial_growth(proof: Proof, length=lambda depth: 2) -> None:
    """For T = 2 the degree is L + 1: it goes up by one with each layer."""
    degrees = []
    for depth in range(1, 7):
        t = length(depth)
        if comb(t + depth - 1, depth) > 60:
            break
        state = run(random_bilinear(Random(depth), 1, depth), variables([f"x{s}" for s in range(1, t + 1)]))[-1]
        degrees.append(int(state[0].total_degree()))
    proof.counterexample(
        given={"n": 1, "T": 2, "L": list(range(1, len(degrees) + 1)), "degree": degrees},
        hypotheses={"six depths were computed, or as many as stay small": len(degrees) >= 3},
        violates={"the degree is L + 1": degrees == [depth + 1 for depth in range(1, len(degrees) + 1)]},
        minimal="n = 1, T = 2",
    )


@claim(
    "lizaire26.thm3.residual",
    topic="bilinear",
    place="Theorem 3, App. A.7 (proof)",
    kind="amended",
    amends="lizaire26.thm3",
    title="with the residual connections that its proof uses, Theorem 3 is true",
    says=r"For BIRNNs whose layers $l\ge2$ are $h^{(l)}_t=\mathcal A^{(l)}\times_1h^{(l)}_{t-1}\times_2h^{(l-1)}_t+h^{(l-1)}_t$, $\mathcal H(n,L)\subsetneq\mathcal H(n,L+1)$ for all $n,L\ge1$.",
    uses=("new.bilinear.degrees",),
    sabotages={"the last layer has no residual connection": {"connect": lambda layer: layer}},
)
def residual_connections(proof: Proof, connect=residual) -> None:
    """A zero tensor with the connection hands states on. The connection is linear, so it raises no degree, and with positive tensors nothing cancels."""
    rng = Random(103)
    count, deepest = proof.pick((4, 2), (8, 3), (20, 3))
    x = variables(["x1", "x2"])
    for _ in proof.each(f"{count} random networks with positive integer tensors, n <= 2, L <= {deepest}, T = 2", range(count)):
        n, depth = rng.randint(1, 2), rng.randint(1, deepest)
        first, *rest = random_bilinear(rng, n, depth + 1)
        layers = [first, *map(residual, rest)]
        states = run(layers[:depth], x)
        nothing = bilinear_layer(exact.zeros(n, n, n), exact.zeros(n))
        proof.exactly("the zero tensor hands on", [list(h) for h in run([*layers[:depth], connect(nothing)], x)], [list(h) for h in states])
        proof.holds("the degree of h_2 in x_1 is at most L", all(d <= depth for entry in states[-1] for d in degrees_in(entry, 0)))
        proof.holds("L + 1 layers reach degree L + 1", any(depth + 1 in degrees_in(entry, 0) for entry in run(layers, x)[-1]))


@claim(
    "lizaire26.appA6",
    topic="bilinear",
    place="App. A.6",
    title="the states of an L-layer BIRNN or second-order RNN up to time T are polynomials of degree at most T^L in the inputs",
    says=r"$\deg h^{(L)}_t\le T^L$ for $t\le T$; sharper: at most $\binom{T+L-1}{L}$, which is $T^L$ only for $T=1$ or $L=1$.",
    uses=("new.bilinear.degrees",),
    sabotages={"the bound T L": {"bound": lambda T, depth: T * depth}},
)
def powers_bound_the_degree(proof: Proof, bound=lambda T, depth: T**depth) -> None:
    """C(T+L-1, L) is the product of (T + i) / (i + 1) for i < L, and (T + i) / (i + 1) <= T with equality only for i = 0 or T = 1.

    For second-order RNNs the linear terms have lower degrees: D(t, l) = max(D(t-1, l) + D(t, l-1), D(t-1, l), D(t, l-1)) is the same recursion."""
    for T, depth in proof.every("T, L <= 30", [(T, depth) for T in range(1, 31) for depth in range(1, 31)]):
        exact_degree = comb(T + depth - 1, depth)
        proof.holds("C(T+L-1, L) <= T^L", exact_degree <= bound(T, depth))
        proof.exactly("equal only for T = 1 or L = 1", exact_degree == T**depth, T == 1 or depth == 1)
    rng = Random(104)
    count = proof.pick(3, 8, 20)
    for _ in proof.each(f"{count} random second-order networks, n <= 2, L <= 2, T <= 3", range(count)):
        n, depth, T = rng.randint(1, 2), rng.randint(1, 2), rng.randint(1, 3)
        state = run(random_second_order(rng, n, depth), variables([f"x{s}" for s in range(1, T + 1)]))[-1]
        proof.holds("the degree is at most C(T+L-1, L)", all(p == 0 or p.total_degree() <= comb(T + depth - 1, depth) for p in state))


# -- Lemma 1 ---------------------------------------------------------------------------------------------------------------


def unrolled_in_depth(layers: list[SecondOrderLayer], before: list[np.ndarray], x: np.ndarray, descending: bool = True) -> np.ndarray:
    """h_t^(L) from x_t and the states at t - 1: the product of all U_bar times x_t, and for each layer b_bar times the U_bar above it."""

    def product(matrices: list[np.ndarray]) -> np.ndarray:
        out = exact.identity(len(matrices[0])) if matrices else None
        for M in matrices:
            out = M @ out if descending else out @ M
        return out

    bars = [np.einsum("ijk,i->kj", a.A, h, optimize=False) + a.U for a, h in zip(layers, before, strict=True)]
    total = product(bars) @ x
    for j, (layer, h) in enumerate(zip(layers, before, strict=True)):
        b = layer.V @ h + layer.b
        total = total + (product(bars[j + 1 :]) @ b if bars[j + 1 :] else b)
    return total


def _one_more_step(layers: list[SecondOrderLayer], x1: np.ndarray, x2: np.ndarray) -> tuple[list[np.ndarray], np.ndarray]:
    """(states of all layers after x1, last state after x2)."""
    before = [run(layers[: level + 1], [x1])[-1] for level in range(len(layers))]
    return before, run(layers, [x1, x2])[-1]


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


@claim(
    "lizaire26.lemma1",
    topic="bilinear",
    place="Lemma 1 and Corollary 2, App. A.1.2",
    title="a state is the product of the layers' matrices, from the first on, times the input, and so on",
    says=r"$h^{(l)}_t=\big(\prod_{i=1}^l\bar U^{(i)}_{t-1}\big)x_t+\sum_j\big(\prod_{k=j+1}^l\bar U^{(k)}_{t-1}\big)\bar b^{(j)}_{t-1}$.",
    reading="products written out from left to right, as usual",
    sabotages={"the other order": {"descending": True}},
)
def products_in_the_printed_order(proof: Proof, descending: bool = False) -> None:
    """Matrices of different layers do not commute: two layers of width 2, here without bilinear terms (Corollary 2)."""
    U1, U2 = exact.rationals([[0, 1], [0, 0]]), exact.rationals([[0, 0], [1, 0]])
    layers = [SecondOrderLayer(exact.zeros(2, 2, 2), exact.zeros(2, 2), U, exact.zeros(2), exact.zeros(2)) for U in (U1, U2)]
    x = exact.rationals([1, 2])
    state = run(layers, [x])[-1]
    printed = unrolled_in_depth(layers, [exact.zeros(2)] * 2, x, descending)
    proof.counterexample(
        given={"U1": U1, "U2": U2, "x": x, "h": state, "printed": printed},
        hypotheses={"V = 0, b = 0, A = 0": not any(part.any() for a in layers for part in (a.V, a.b, a.A))},
        violates={"the printed product gives another state": not np.array_equal(state, printed)},
        minimal="n = 2, L = 2 (for n = 1 or L = 1 there is one order only)",
    )


@claim(
    "lizaire26.lemma1.amended",
    topic="bilinear",
    place="Lemma 1 and Corollary 2, App. A.1.2",
    kind="amended",
    amends="lizaire26.lemma1",
    title="with descending products Lemma 1 and Corollary 2 are right",
    says=r"$h^{(l)}_t=\bar U^{(l)}\cdots\bar U^{(1)}x_t+\sum_j\bar U^{(l)}\cdots\bar U^{(j+1)}\bar b^{(j)}$ with $\bar U^{(i)}=(\mathcal A^{(i)}\times_1h^{(i)}_{t-1})^\top+U^{(i)}$, $\bar b^{(i)}=V^{(i)}h^{(i)}_{t-1}+b^{(i)}$.",
    sabotages={"ascending products": {"descending": False}},
)
def descending_products(proof: Proof, descending: bool = True) -> None:
    """h^(l) = U_bar^(l) h^(l-1) + b_bar^(l), unrolled over l; as polynomials in the inputs."""
    rng = Random(105)
    count = proof.pick(5, 12, 30)
    for _ in proof.each(f"{count} random second-order networks, n = d <= 2, L <= 3, T = 2, inputs variables", range(count)):
        n, depth = rng.randint(1, 2), rng.randint(1, 3)
        layers = _second_order(rng, n, depth)
        for part in (layers, [SecondOrderLayer(a.A * 0, a.V, a.U, a.b, a.initial) for a in layers]):
            x = variables([f"x{t}{i}" for t in (1, 2) for i in range(n)])
            before, state = _one_more_step(part, entries(x[:n]), entries(x[n:]))
            proof.exactly(
                "the state",
                [p - q == 0 for p, q in zip(unrolled_in_depth(part, before, entries(x[n:]), descending), state, strict=True)],
                [True] * n,
            )
