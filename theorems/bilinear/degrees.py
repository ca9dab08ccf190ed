"""The polynomials that networks with products compute: their degrees, and Theorem 3 (lizaire26, Sec. 3.2, App. A.6, A.7)."""

from __future__ import annotations

from math import comb
from random import Random

import numpy as np
import sympy
from flint import fmpq
from sympy import binomial

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


def network_data(layers: list[SecondOrderLayer]) -> list[dict]:
    """The layers as plain data."""
    return [{"A": a.A, "V": a.V, "U": a.U, "b": a.b, "initial": a.initial} for a in layers]


def products_of_one_entry(n: int, depth: int, d: int = 1) -> list[SecondOrderLayer]:
    """A BIRNN whose first components multiply, all else 0: its h_2 is x_1^L x_2 in the first components."""
    layers = []
    for level in range(depth):
        A = exact.zeros(n, d if level == 0 else n, n)
        A[0, 0, 0] = fmpq(1)
        layers.append(bilinear_layer(A, exact.unit_vector(n, 0)))
    return layers


@claim(
    "new.bilinear.degrees",
    place="after lizaire26, App. A.6",
    title="a BIRNN's state hₜ is 0 or homogeneous in each input xₛ, of degree C(t-s+L-1, L-1), of total degree C(t+L-1, L)",
    says=r"Every component of $h^{(L)}_t$ is $0$ or homogeneous in $x_s$ of degree exactly $\binom{t-s+L-1}{L-1}$ for each $s\le t$, so of total degree $\binom{t+L-1}{L}$ in the inputs.",
    known="The paper bounds the degree by T^L; the exact degrees are elementary and, as far as we know, not in print.",
    sabotages={
        "the next binomial coefficient, which the kernel refutes": {"theorem": "bilinear.exponent_is_the_next_binomial"},
        "a bias": {"bias": 1},
        "the degree C(t-s+L, L)": {"degree": lambda gap, depth: binomial(gap + depth, depth)},
    },
)
def binomial_degrees(
    proof: Proof, bias: int = 0, degree=lambda gap, depth: binomial(gap + depth - 1, depth - 1), theorem: str = "bilinear.exponentE"
) -> None:
    r"""A state is a product of two states, so degrees add, and Pascal's rule follows.

    1. Each component of $h^{(l)}_t$ is a sum of terms $a\,u\,v$ with a component $u$ of $h^{(l)}_{t-1}$ and a component $v$ of $h^{(l-1)}_t$. If multiplying $x_s$ by $\lambda$ multiplies $u$ by $\lambda^a$
       and $v$ by $\lambda^b$ (or they are 0), it multiplies the sum by $\lambda^{a+b}$, for any number of terms. [checked: "degrees add"]
    2. So with $h^{(0)}_t=x_t$ the degree of $h^{(l)}_t$ in $x_s$ is $D(t,l)=D(t-1,l)+D(t,l-1)$, $D(s,0)=1$, $D(t,0)=0$ for $t\ne s$, $D(t,l)=0$ for $t<s$. [checked: "degrees add"]
    3. With $\tau=t-s$ the solution is $\binom{\tau+l-1}{l-1}$: it is 1 for $l=1$, 1 for $\tau=0$, and Pascal's rule is the recursion. [checked: "one layer"; "the step of the input itself"; "Pascal's rule"]
    4. The sum over $s=1,\dots,t$ is $\binom{t+L-1}{L}$: for $t=1$ it is 1, and one step more adds $\binom{t+L-1}{L-1}$. [checked: "the sum for t = 1"; "the sum for t + 1"]
    """
    proof.formally("the kernel: scaling one input scales each component by a power", "bilinear.homogeneous")
    proof.formally(
        "the kernel: the power is the binomial coefficient",
        theorem,
        whole="every n, d, L, t and tensor",
        differs="any commutative ring for the reals; 'homogeneous of degree k' means that scaling the input by c scales the component by c^k; times from 0",
    )
    proof.formally("the kernel: scaling all inputs", "bilinear.homogeneous_in_all")
    scale, a, b, A, u, v = sympy.symbols("lambda a b A u v", positive=True)
    proof.symbolically(
        "degrees add", A * (scale**a * u) * (scale**b * v) + bias, scale ** (a + b) * (A * u * v + bias), "A, u, v, a, b, lambda"
    )
    gap, level, t = sympy.symbols("tau l t", integer=True, positive=True)
    zero, one = sympy.Integer(0), sympy.Integer(1)
    proof.symbolically("one layer", degree(gap, one), 1, "t - s")
    proof.symbolically("the step of the input itself", degree(zero, level), 1, "l")
    proof.symbolically("Pascal's rule", degree(gap, level + 1), degree(gap - 1, level + 1) + degree(gap, level), "t - s, l")
    total = binomial(t + level - 1, level)
    proof.symbolically("the sum for t = 1", total.subs(t, 1), 1, "l")
    proof.symbolically("the sum for t + 1", total.subs(t, t + 1), total + degree(t, level), "t, l")
    rng = Random(101)
    for n, depth, steps in ((1, 2, 3), (2, 2, 2), (1, 3, 3), (2, 2, 3)):
        layers = random_bilinear(rng, n, depth)
        proof.certificate("witness", f"n = {n}, L = {depth}, T = {steps}", layers=network_data(layers), T=steps)
    x = variables(["x1", "x2", "x3"])
    state = run(products_of_one_entry(1, 2), x)[-1]
    proof.exhibit("h_t = h_(t-1) times the state below, two layers of width 1", h_3=str(state[0]))


@claim(
    "lizaire26.abstract.degree",
    place="Abstract; Sec. 1; Sec. 3.2",
    title="2RNNs perform polynomial transformations whose maximal degree grows with depth",
    says=r"The largest degree of a state $h^{(L)}_T$ of $L$ layers is $\binom{T+L-1}L$, for every $n,d\ge1$, and for $T\ge2$ it grows strictly with $L$; for $T=2$ it is $L+1$, "
    r"attained by $h^{(L)}_2=x_1^Lx_2$ (first components).",
    sabotages={
        "the next binomial coefficient, which the kernel refutes": {"theorem": "bilinear.exponent_is_the_next_binomial"},
        "the second input is not multiplied": {"kept": 0},
        "layers that add": {"combine": lambda u, v: u + v},
    },
)
def degree_grows_with_depth(proof: Proof, kept: int = 1, combine=lambda u, v: u * v, theorem: str = "bilinear.largest_degree") -> None:
    r"""One entry of each tensor is 1, all others 0, and the initial states are $e_1$.

    1. $h^{(l)}_1=h^{(l)}_0\cdot h^{(l-1)}_1=1\cdot x_1=x_1$ in the first component, for every $l$. [checked: "the first step hands x_1 up"]
    2. $h^{(l)}_2=h^{(l)}_1\cdot h^{(l-1)}_2=x_1\cdot x_1^{l-1}x_2=x_1^lx_2$. The base is $h^{(0)}_2=x_2$. [checked: "the second step multiplies by x_1"; "the base is x_2"]
    3. The degree is at most $\binom{T+L-1}{L}$, which is $L+1$ for $T=2$. This network's first components are products of monomials with coefficient 1, so never 0, and attain it.
       [uses: lizaire26.appA6, new.bilinear.degrees] [checked: "the bound for T = 2"; "a product of monomials is a monomial"]
    4. One layer more multiplies the degree by $\frac{T+L}{L+1}=1+\frac{T-1}{L+1}>1$ for $T\ge2$. [checked: "one layer more multiplies by 1 + (T-1)/(L+1)"; "the factor exceeds 1"]
    """
    proof.formally(
        "the kernel: homogeneous of that degree, attained, and growing with L",
        theorem,
        whole="every n, d, L, T and tensor",
        differs="any commutative ring for the reals; 'of degree k' means that scaling all inputs by c scales the component by c^k; times from 0",
    )
    x1, x2 = sympy.symbols("x1 x2", positive=True)
    level = sympy.Symbol("l", integer=True, positive=True)
    proof.symbolically("the first step hands x_1 up", combine(1, x1), x1, "x_1")
    proof.symbolically("the base is x_2", x1 ** (level - 1).subs(level, 1) * x2**kept, x2, "x_2")
    proof.symbolically("the second step multiplies by x_1", combine(x1, x1 ** (level - 1) * x2), x1**level * x2, "x_1, x_2, l")
    proof.symbolically("the bound for T = 2", binomial(2 + level - 1, level), level + 1, "l")
    a, b = sympy.symbols("a b", nonnegative=True)
    proof.symbolically("a product of monomials is a monomial", combine(x1**a, x1**b), x1 ** (a + b), "a, b")
    p = sympy.Symbol("p", integer=True, positive=True)  # T - 1
    ratio = binomial(p + 1 + level, level + 1) / binomial(p + level, level)
    proof.symbolically("one layer more multiplies by 1 + (T-1)/(L+1)", ratio, 1 + p / (level + 1), "T, L")
    proof.holds("the factor exceeds 1", (p / (level + 1)).is_positive)
    for n, depth in ((1, 1), (1, 4), (2, 3), (3, 2)):
        proof.certificate("witness", f"n = {n}, L = {depth}", layers=network_data(products_of_one_entry(n, depth, d=n)))


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
    place="Theorem 3, App. A.7",
    quotes=("it suffices to add residual connections from the Lth layer",),
    weight="result",
    title="what a linear BIRNN computes, one with a layer more computes too, and strictly more",
    says=r"$\mathcal H_{BIRNN}(n,L)\subsetneq\mathcal H_{BIRNN}(n,L+1)$ for linear BIRNNs, $n>1$, $L\ge1$.",
    reading="BIRNNs as defined, with the bilinear term alone (Sec. 2). What fails is the inclusion; that the deeper class is not contained in the shallower one is right.",
    remarks=(
        "It fails for all n, d and L: by new.bilinear.degrees functions of different depth share no h with h_t different from 0 for some t >= 2.",
        "For 2RNNs the statement is right and proved in App. A.7.1 (lizaire26.thmA.7.1), and with the residual connections that the proof uses it is right for BIRNNs (lizaire26.thm3.residual). "
        "Corollary 1 has the same root.",
        "The parameter lists in App. A.7 end at L where they should end at L + 1.",
    ),
    letter="The inclusion in Theorem 3 uses a residual connection, which BIRNNs as defined in Sec. 2 lack. Without it the inclusion fails for all n and L. For L layers h_2 is homogeneous of degree exactly L in x_1, so two depths share no function with h_2 other than 0. With residual connections, or for 2RNNs (App. A.7.1), the theorem holds.",
    uses=("new.bilinear.degrees",),
    sabotages={"two layers against two": {"depths": (2, 2)}, "the function is 0": {"start": (0, 0)}},
)
def depth_changes_the_degree(proof: Proof, depths: tuple[int, int] = (1, 2), start: tuple[int, int] = (1, 1)) -> None:
    """After two steps one layer is of degree 1 in x_1, and every network with two layers, whatever its parameters, of degree 2 (or 0 identically):
    h_2 = A ×1 h_1 ×2 (h_2 of layer 1), and both factors contain x_1. The function h_t = x_t h_(t-1) is not 0. The deeper network is run with all its parameters as variables."""
    proof.formally(
        "the kernel: no deeper network computes what some network of L layers does",
        "bilinear.deeper_is_not_more",
        differs="an ordered field for the reals; every n and L >= 1, with as many input channels as units; linear readouts; deeper networks of any width",
    )
    proof.formally("the kernel: what networks of two depths both compute is 0 from the second time on", "bilinear.depths_share_nothing")
    shallow, deep = depths
    copying = exact.zeros(2, 1, 2)
    copying[0, 0, 0] = copying[1, 0, 1] = fmpq(1)
    layers = [bilinear_layer(copying, exact.rationals(start))]
    if shallow == 2:
        layers = random_bilinear(Random(1), 2, 2)
    function = run(layers, variables(["x1", "x2"]))[-1]
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
        words={"second": any(entry != 0 for entry in function) and bool(one), "deeper": bool(two), "degrees": not one & two},
        minimal=f"n = 2, d = 1, L = {shallow}, T = 2; all n, d, L by new.bilinear.degrees",
    )
    proof.certificate("witness", "two layers do not compute h_t = x_t h_(t-1)", layers=network_data(layers), deeper=deep)


@claim(
    "lizaire26.thmA.7.1",
    place="Theorem 3 for 2RNNs, App. A.7.1",
    title="second-order RNNs, which have a linear term as well, compute strictly more with each layer",
    says=r"$\mathcal H_{2RNN}(n,L)\subsetneq\mathcal H_{2RNN}(n,L+1)$ for $n,L\ge1$: the layer $U=I$ hands states on, and $h^{(L)}_2$ has degree at most $L$ in $x_1$, which $L+1$ layers exceed.",
    reading="the heading says 'for linear BIRNNs', the text 2RNNs, which is meant; in the display of h_2 the factor U^(l) should be U^(k), inside the bracket",
    uses=("lizaire26.appA6",),
    sabotages={
        "a degree below L, which the kernel refutes": {"theorem": "second_order.second_order_networks_of_less_degree"},
        "the last layer is bilinear": {
            "last": lambda n: bilinear_layer(np.full((n, n, n), fmpq(1), dtype=object), exact.rationals([1] * n))
        },
        "the networks are all 0": {
            "network": lambda rng, n, depth: [bilinear_layer(a.A * 0, a.initial * 0) for a in random_bilinear(rng, n, depth)]
        },
        "the deeper networks are all 0": {
            "deeper": lambda n, depth: [bilinear_layer(a.A * 0, a.initial) for a in products_of_one_entry(n, depth)]
        },
    },
)
def an_identity_layer(
    proof: Proof,
    last=identity_layer,
    network=random_second_order,
    deeper=products_of_one_entry,
    theorem: str = "second_order.second_order_networks",
) -> None:
    r"""Inclusion by a layer that copies; strictness by a degree that one more layer raises.

    1. With $\mathcal A=0$, $V=0$, $b=0$, $U=I$ a layer's state is what it reads, so $L+1$ layers compute all that $L$ compute. [checked: "an identity layer changes nothing"]
    2. $h^{(l)}_1$ has degree at most 1 in $x_1$ for every $l$: the states before are constants, so each layer is affine in what it reads. Hence $h^{(l)}_2$, a sum of terms of degree at most
       $1+\deg h^{(l-1)}_2$, has degree at most $l$ in $x_1$. [prose] [checked: "the degree of h_2 in x_1 is at most L"]
    3. $L+1$ layers attain $x_1^{L+1}x_2$. [uses: lizaire26.abstract.degree] [checked: "L + 1 layers reach degree L + 1"]
    4. The random networks do depend on $x_1$, and with all parameters as variables the degree $L$ is attained, so the bound is no accident of zeros. [checked: "the networks depend on x_1"; "all parameters variables"]
    """
    proof.formally(
        "the kernel: a layer more computes strictly more",
        theorem,
        whole="every n, L, d >= 1",
        differs="an ordered field for the reals; times from 0; degree at most k in the first letter means along every line in it",
    )
    rng = Random(102)
    count = proof.pick(4, 10, 30)
    deepest = proof.pick(2, 3, 4)
    x = variables(["x1", "x2"])
    reached = set()
    for k in proof.each(f"{count} random second-order networks, n <= 2, L <= {deepest}, T = 2, seed 102", range(count)):
        n, depth = rng.randint(1, 2), 1 + k % deepest
        layers = network(rng, n, depth)
        states = run(layers, x)
        proof.exactly("an identity layer changes nothing", [list(h) for h in run([*layers, last(n)], x)], [list(h) for h in states])
        word = [samples.integers(Random(k), len(layers[0].A[0])) + i for i in range(3)]
        proof.exactly("a layer is a recurrence affine in its state", list(layers[0].recurrence().run(word)), list(run(layers[:1], word)))
        degrees = {d for entry in states[-1] for d in degrees_in(entry, 0)}
        proof.holds("the degree of h_2 in x_1 is at most L", all(d <= depth for d in degrees))
        reached.add((depth, max(degrees, default=0)))
        more = run(deeper(n, depth + 1), x)[-1]
        proof.holds("L + 1 layers reach degree L + 1", any(depth + 1 in degrees_in(entry, 0) for entry in more))
        if k < 6:
            proof.certificate("witness", f"n = {n}, L = {depth}", layers=network_data(layers))
    proof.holds("the networks depend on x_1", {depth for depth, d in reached if d == depth} == set(range(1, deepest + 1)))
    proof.exhibit("h_2 of two layers that one layer does not compute", h_2=[str(p) for p in run(products_of_one_entry(1, 2), x)[-1]])
    for depth in proof.each("all parameters variables, n = 1, d = 1, T = 2", range(1, deepest + 1)):
        state = generic_second_order(depth)
        proof.exactly("all parameters variables: the largest degree in x_1 is L", max(degrees_in(state, 0)), depth)


def generic_second_order(depth: int):
    """h_2 of a second-order RNN with n = d = 1 whose parameters and initial states are variables too; the inputs come first."""
    names = ["x1", "x2"] + [f"{name}{level}" for level in range(depth) for name in ("a", "v", "u", "b", "h")]
    x1, x2, *rest = variables(names)
    layers = []
    for level in range(depth):
        a, v, u, b, h = rest[5 * level : 5 * level + 5]
        layers.append(SecondOrderLayer(entries([a], 1, 1, 1), entries([v], 1, 1), entries([u], 1, 1), entries([b]), entries([h])))
    return run(layers, [x1, x2])[-1][0]


@claim(
    "lizaire26.thm3.residual",
    place="Theorem 3, App. A.7 (proof)",
    amends="lizaire26.thm3",
    title="with the residual connections that its proof uses, Theorem 3 is true",
    says=r"For BIRNNs whose layers $l\ge2$ are $h^{(l)}_t=\mathcal A^{(l)}\times_1h^{(l)}_{t-1}\times_2h^{(l-1)}_t+h^{(l-1)}_t$, $\mathcal H(n,L)\subsetneq\mathcal H(n,L+1)$ for all $n,L\ge1$.",
    sabotages={
        "no residual connections, which the kernel refutes": {"theorem": "second_order.residual_networks_without_connections"},
        "the last layer has no residual connection": {"connect": lambda layer: layer},
        "all tensors are 0": {
            "network": lambda rng, n, depth: [bilinear_layer(a.A * 0, a.initial) for a in random_bilinear(rng, n, depth)]
        },
    },
)
def residual_connections(proof: Proof, connect=residual, network=random_bilinear, theorem: str = "second_order.residual_networks") -> None:
    r"""A zero tensor with the connection hands states on; the connection is linear and raises no degree.

    1. With $\mathcal A^{(L+1)}=0$ the last layer's state is $h^{(L)}_t$: inclusion. [checked: "the zero tensor hands on"]
    2. These networks are second-order RNNs, so $h^{(L)}_2$ has degree at most $L$ in $x_1$. [uses: lizaire26.thmA.7.1] [checked: "the degree of h_2 in x_1 is at most L"]
    3. With positive tensors and initial states all coefficients are positive, nothing cancels, and the product of the layers' states reaches degree $L+1$ with $L+1$ layers.
       [prose] [checked: "L + 1 layers reach degree L + 1"]
    """
    proof.formally(
        "the kernel: a layer more computes strictly more",
        theorem,
        whole="every n, L, d >= 1",
        differs="an ordered field for the reals; times from 0",
    )
    rng = Random(103)
    count, deepest = proof.pick((4, 2), (8, 3), (20, 3))
    x = variables(["x1", "x2"])
    for k in proof.each(f"{count} random networks with positive integer tensors, n <= 2, L <= {deepest}, T = 2, seed 103", range(count)):
        n, depth = rng.randint(1, 2), rng.randint(1, deepest)
        first, *rest = network(rng, n, depth + 1)
        layers = [first, *map(residual, rest)]
        states = run(layers[:depth], x)
        nothing = bilinear_layer(exact.zeros(n, n, n), exact.zeros(n))
        proof.exactly("the zero tensor hands on", [list(h) for h in run([*layers[:depth], connect(nothing)], x)], [list(h) for h in states])
        proof.holds("the degree of h_2 in x_1 is at most L", all(d <= depth for entry in states[-1] for d in degrees_in(entry, 0)))
        proof.holds("L + 1 layers reach degree L + 1", any(depth + 1 in degrees_in(entry, 0) for entry in run(layers, x)[-1]))
        if k < 4:
            proof.certificate("witness", f"n = {n}, {depth} and {depth + 1} layers", layers=network_data(layers))


@claim(
    "lizaire26.appA6",
    place="App. A.6, the proposition",
    title="states of an L-layer BIRNN or second-order RNN up to time T are polynomials of degree at most Tᴸ; sharper, C(T+L-1, L)",
    says=r"$\deg h^{(L)}_t\le T^L$ for $t\le T$; sharper: at most $\binom{T+L-1}{L}$, which is $T^L$ only for $T=1$ or $L=1$.",
    remarks=("The bound does not depend on the hidden size n, as Sec. 3.2 notes.",),
    sabotages={
        "a smaller degree, which the kernel refutes": {"theorem": "counts.powers_bound_the_degree_strictly"},
        "the bound T L": {"grows": lambda T, L: (L + 1) / L},
        "degrees of a product are added with 1": {"extra": 1},
    },
)
def powers_bound_the_degree(proof: Proof, grows=lambda T, L: T, extra: int = 0, theorem: str = "counts.powers_bound_the_degree") -> None:
    r"""The bilinear term has the largest degree, so Pascal's rule bounds all; and each factor of the binomial coefficient is at most $T$.

    1. Let $h^{(l)}_{t-1}$ have degree at most $a$ and $h^{(l-1)}_t$ at most $b$. The terms of $h^{(l)}_t$ have degrees at most $a+b$, $a$, $b$ and 0, so at most $a+b$.
       [checked: "the bilinear term has degree a + b"; "no other term has a larger degree"] [prose]
    2. So $\deg h^{(l)}_t\le D(t,l)$ with $D(t,l)=D(t-1,l)+D(t,l-1)$, $D(t,0)=1$, $D(0,l)=0$, which is $\binom{t+l-1}l$. [checked: "Pascal's rule"; "the base t = 0"; "the base l = 0"] [prose]
    3. $D(T,L+1)=\frac{T+L}{L+1}D(T,L)$, and $T-\frac{T+L}{L+1}=\frac{L(T-1)}{L+1}\ge0$, with equality only for $T=1$ or $L=0$. So $D(T,L)\le T^L$ by induction over $L$ from $D(T,0)=1$, with equality only for $T=1$
       or $L\le1$; and $D$ grows with $t$, so it holds for all $t\le T$. [checked: "one layer more multiplies by (T+L)/(L+1)"; "T is at least that factor"; "the excess is nonnegative"; "D grows with t"] [prose]
    """
    proof.formally(
        "the kernel: the bounds at every time, and when they are the same",
        theorem,
        whole="every n, d, L, T and network",
        differs="an ordered field for the reals; degree at most k in all inputs means along every line of words; BIRNNs and second-order RNNs as layers whose next state is A x_1 h x_2 y + V h + U y + b; t = T suffices, as T is any",
    )
    a, b = sympy.symbols("a b", nonnegative=True)
    lam, u, v, A = sympy.symbols("lambda u v A", positive=True)
    proof.symbolically(
        "the bilinear term has degree a + b", A * (lam**a * u) * (lam**b * v) * lam**extra, lam ** (a + b) * A * u * v, "a, b, A, u, v"
    )
    proof.holds("no other term has a larger degree", all((a + b - other).is_nonnegative for other in (a, b, sympy.Integer(0))), free="a, b")
    t, level = sympy.symbols("T L", integer=True, positive=True)

    def D(time, layer):
        return binomial(time + layer - 1, layer)

    proof.symbolically("Pascal's rule", D(t, level), D(t - 1, level) + D(t, level - 1), "T, L")
    proof.symbolically("the base t = 0", D(sympy.Integer(0), level), 0, "L")
    proof.symbolically("the base l = 0", D(t, sympy.Integer(0)), 1, "T")
    factor = (t + level) / (level + 1)
    proof.symbolically("one layer more multiplies by (T+L)/(L+1)", D(t, level + 1) / D(t, level), factor, "T, L")
    # T = 1 + p
    p = sympy.Symbol("p", integer=True, nonnegative=True)
    excess = level * (t - 1) / (level + 1)
    proof.symbolically("T is at least that factor, by L (T-1)/(L+1)", grows(t, level) - factor, excess, "T, L")
    proof.holds("the excess is nonnegative", excess.subs(t, 1 + p).is_nonnegative, free="T >= 1, L")
    proof.symbolically("D grows with t: D(t+1, l)/D(t, l) - 1 = l/t", D(t + 1, level) / D(t, level) - 1, level / t, "T, L")
    rng = Random(104)
    for n, depth, steps in ((1, 2, 2), (2, 1, 3), (1, 2, 3), (2, 2, 2)):
        proof.certificate("witness", f"n = {n}, L = {depth}, T = {steps}", layers=network_data(random_second_order(rng, n, depth)), T=steps)


@claim(
    "lizaire26.appA6.display",
    place="App. A.6 (proof), the tensor T of one layer",
    flaw="misprint",
    quotes=("where the (t+ 2)th order tensor",),
    title="the tensor of one layer contains h₀, and is contracted with h₀ once more",
    says=r"$h^{(1)}_t=\mathcal T\times_1h^{(1)}_0\times_2x_1\cdots\times_{t+1}x_t$ with $\mathcal T_{i,j_1,\dots,j_t,k}=\sum_{r}(h^{(1)}_0)_i\mathcal A_{i,j_1,r_1}\mathcal A_{r_1,j_2,r_2}\cdots$.",
    reading="as printed, h_0 stands in the definition of the tensor and in both contractions; a slip of extraction cannot explain it. It may explain the indices",
    letter="In App. A.6 the tensor T should be defined without the factor (h_0)_i, as the two displays around contract it with h_0. For n = d = t = 1 the state is A h_0 x_1, and the printed one is A h_0^2 x_1. The last indices r_2, r_n and j_n should be r_(t-1) and j_t.",
    sabotages={"h_0 = 1, where it makes no difference": {"start": 1}},
)
def initial_state_counted_twice(proof: Proof, start: int = 2) -> None:
    """For n = d = 1, A = 1, h_0 = 2 and x_1 = 3 the state is h_1 = A h_0 x_1 = 6; the printed tensor is h_0 A = 2, and its contraction with h_0 and x_1 is 12."""
    A, h0, x1 = fmpq(1), fmpq(start), fmpq(3)
    h1, printed = run([bilinear_layer(entries([A], 1, 1, 1), entries([h0]))], [x1])[-1][0], (h0 * A) * h0 * x1
    given = {"n": 1, "d": 1, "A": A, "h_0": h0, "x_1": x1, "h_1": h1, "printed": printed}
    words = {"state": h1 == A * h0 * x1, "printed": printed != h1}
    proof.counterexample(given, words=words, minimal="n = d = t = 1", witness="A h_0 x_1")


@claim(
    "lizaire26.sec3.2.degree",
    place="Sec. 3.2, before Theorem 3",
    of="lizaire26.appA6",
    flaw="overstatement",
    quotes=("the maximum degree of the resulting polynomials grows exponentially with depth.",),
    weight="result",
    title="the largest degree does not grow exponentially with the depth: for a fixed length it is a polynomial in L",
    says="The maximum degree of the polynomials that BIRNNs compute grows exponentially with the depth.",
    reading="for a fixed length, as depth is what grows, and as T^L in App. A.6 grows; the degree is C(T+L-1, L), a polynomial in L of degree T - 1. If T and L grow together, T = L, it does grow exponentially",
    letter="Sec. 3.2 says that the maximum degree grows exponentially with depth. For a fixed length T it is exactly C(T+L-1, L). That is a polynomial in L of degree T - 1, and L + 1 for T = 2. The bound T^L of App. A.6 is attained for T = 1 or L = 1 only. If the length grows with the depth, the growth is exponential.",
    uses=("new.bilinear.degrees",),
    sabotages={"length and depth grow together": {"length": lambda depth: depth}},
)
def polynomial_growth(proof: Proof, length=lambda depth: 2) -> None:
    """For T = 2 the degree is L + 1: it goes up by one with each layer, 2, 3, 4, 5, 6, 7, where 2^L would be 2, 4, 8, 16, 32, 64."""
    degrees = []
    networks = [random_bilinear(Random(depth), 1, depth) for depth in range(1, 7)]
    for depth, layers in enumerate(networks, start=1):
        t = length(depth)
        if comb(t + depth - 1, depth) > 60:
            break
        state = run(layers, variables([f"x{s}" for s in range(1, t + 1)]))[-1]
        degrees.append(int(state[0].total_degree()))
    proof.counterexample(
        given={"n": 1, "T": 2, "L": list(range(1, len(degrees) + 1)), "degree": degrees},
        words={"depths": len(degrees) >= 3, "degree": degrees == [depth + 1 for depth in range(1, len(degrees) + 1)]},
        minimal="n = 1, T = 2",
    )
    proof.certificate("witness", "T = 2, L = 1 .. 6", networks=[network_data(layers) for layers in networks], T=2)
