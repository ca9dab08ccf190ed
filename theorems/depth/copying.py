"""Copying an input p steps forward: how many layers and units it takes (lizaire26, Lemmas 2 and 3)."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import sympy
from flint import fmpq, fmpq_poly

from ...constructions import samples
from ...constructions.depth import (
    DeepLinear,
    copy_network,
    impulse_response,
    least_width,
    near_copy,
    parameters,
    printed_copy_network,
    resolvent,
)
from ...numerics import exact
from ..claim import claim
from ..evidence import Proof
from .frontier import cheapest_shape


def delay(p: int) -> fmpq_poly:
    """z^p."""
    return fmpq_poly([0] * p + [1])


def copies(network: DeepLinear, p: int) -> bool:
    """The transfer function is exactly z^p I: the network copies every input sequence, of any length."""
    numerator, denominator = network.transfer()
    d = numerator.shape[1]
    return all(numerator[i, j] == (delay(p) * denominator if i == j else 0) for i in range(d) for j in range(d))


def network_data(network: DeepLinear) -> dict:
    """A network for ``lemmata recheck``."""
    return {"layers": [{"U": U, "V": V} for U, V in network.layers], "readout": network.readout}


def random_network(rng: Random, n: int, depth: int, d: int = 1, nilpotent: float = 0.3) -> DeepLinear:
    """Integer matrices, with the given probability a nilpotent V in a layer; its first responses are not all 0."""
    draws = samples.tries("a network that is not silent", 1000)
    while True:
        next(draws)
        layers = []
        for level in range(depth):
            V = samples.integers(rng, n, n, bound=2)
            if rng.random() < nilpotent:
                V = np.triu(V, 1) * fmpq(1)
            layers.append((samples.integers(rng, n, d if level == 0 else n, bound=2), V))
        network = DeepLinear(tuple(layers), samples.integers(rng, d, n, bound=2))
        if any(x != 0 for c in range(d) for y in responses(network, c, n * depth + 1) for x in y):
            return network


def responses(network: DeepLinear, channel: int, steps: int) -> list:
    """The outputs after a unit impulse in one channel and then zeros."""
    d = network.layers[0][0].shape[1]
    return network.run([exact.unit_vector(d, channel), *[exact.unit_vector(d, channel) * 0] * (steps - 1)])


def registers(n: int, p: int) -> DeepLinear:
    """The network printed for Lemma 2, with ceil(p / (n - 1)) layers, read at the component 1 + L (n - 1) - p."""
    depth = -(-p // (n - 1))
    network = printed_copy_network(n, depth)
    return DeepLinear(network.layers, exact.unit_vector(n, depth * (n - 1) - p)[None, :])


# -- Lemma 2 ---------------------------------------------------------------------------------------------------------------


@claim(
    "lizaire26.lemma2",
    place="Lemma 2, App. A.3",
    title="ceil(p / (n − 1)) layers of width n > 1 copy the first input component p steps forward",
    says=r"$f_p\in\mathcal L_{n,1}\circ\mathcal H_{RNN}(n,\lceil p/(n-1)\rceil)$ for $n>1$, $p\ge1$: with $U^{(1)}=e_n$, $U^{(l)}=e_ne_1^\top$, $V^{(l)}$ the shift $h\mapsto(h_2,\dots,h_n,0)$, "
    r"component $1+L(n-1)-p$ of $h^{(L)}_t$ is $x_{t-p}$.",
    reading="the readout of the text, component 1 + L(n - 1) - p; the last line of the proof prints component 1",
    construction="lemmata.constructions.depth.printed_copy_network",
    sabotages={
        "the first component, which the kernel refutes": {"theorem": "rnn.first_component_copies"},
        "the first component is read": {"component": lambda n, depth, p: 1},
        "the registers are read a step late": {"index": lambda n, t, level, i: t - level * (n - 1) + i},
    },
)
def registers_pass_it_on(
    proof: Proof,
    component=lambda n, depth, p: 1 + depth * (n - 1) - p,
    index=lambda n, t, level, i: t - level * (n - 1) + i - 1,
    theorem: str = "rnn.registers_copy",
) -> None:
    r"""Each layer is a shift register of $n$ consecutive inputs, and hands its oldest one on: component $i$ of $h^{(l)}_t$ is $x_s$ with $s=t-l(n-1)+i-1$, where $x_s=0$ for $s\le0$.

    1. At $t=0$ all states are $0$, as they should be: the largest index there, at $i=n$, is $-(l-1)(n-1)\le0$. [checked: "at time 0"]
    2. The shift puts component $i+1$ of time $t-1$ into component $i$: both have the same index $s$. [checked: "a register moves up"]
    3. $U^{(l)}=e_ne_1^\top$ puts the first component of the layer below into the last: the same index again; in the first layer it is $x_t$ itself. So the formula holds for all $t$ and
       $l$ by induction. [checked: "the last component"; "in the first layer"]
    4. Component $1+L(n-1)-p$ of the last layer has $s=t-p$. For $L=\lceil p/(n-1)\rceil$, that is $p=(L-1)(n-1)+r$ with $1\le r\le n-1$, it is component $n-r$, which exists. [checked: "the component that is read"; "its number"]
    5. The matrices of the code do it, as rational functions: the transfer function is $z^p$. [checked: "the networks themselves"]
    """
    proof.formally(
        "the kernel: the registers copy",
        theorem,
        whole="every n, p, number of channels and field",
        differs="any field; times from 0; U^(1) is e_n e_1^T for several channels",
    )
    n, t, level, i, p, depth, r = sympy.symbols("n t l i p L r", integer=True)
    proof.symbolically("at time 0 the last index is -(l - 1)(n - 1)", index(n, 0, level, n), -(level - 1) * (n - 1), free="n, l")
    proof.symbolically("a register moves up", index(n, t, level, i), index(n, t - 1, level, i + 1), free="n, t, l, i")
    proof.symbolically(
        "the last component is the first of the layer below", index(n, t, level, n), index(n, t, level - 1, 1), free="n, t, l"
    )
    proof.symbolically("in the first layer it is the input", index(n, t, 1, n), t, free="n, t")
    proof.symbolically("the component that is read holds x_(t-p)", index(n, t, depth, component(n, depth, p)), t - p, free="n, t, L, p")
    proof.symbolically("its number for p = (L - 1)(n - 1) + r", component(n, depth, (depth - 1) * (n - 1) + r), n - r, free="n, L, r")
    sizes = [(width, steps) for width in range(2, 6) for steps in range(1, 9)]
    proof.exactly(
        "the networks themselves copy, n <= 5, p <= 8", [copies(registers(*size), size[1]) for size in sizes], [True] * len(sizes)
    )
    for width, steps in [(2, 1), (2, 3), (3, 1), (3, 3), (4, 5)]:
        proof.certificate("copy", f"n = {width}, p = {steps}", **network_data(registers(width, steps)), p=steps)
    small = registers(3, 3)
    proof.exhibit(
        "two layers of width 3 copy 3 steps", U1=small.layers[0][0], V=small.layers[0][1], U2=small.layers[1][0], readout=small.readout
    )


@claim(
    "lizaire26.lemma2.readout",
    place="Lemma 2, App. A.3 (last line)",
    flaw="misprint",
    quotes=(
        "One can verify that by composing h with the linear map",
        "we obtain fp, which verifies the statement of the lemma.",
    ),
    extracted=True,
    weight="proof",
    title="read at its first component, the printed network copies L (n − 1) steps, not p, unless n − 1 divides p",
    says=r"With $w(h)=[h]_1$, $w\circ h=f_p$ for every $p\ge1$.",
    letter="The last line of the proof of Lemma 2 reads the first component, [h]_1. It should be component 1 + L(n - 1) - p, as the text before says. They agree only if n - 1 divides p. The smallest other case is n = 3, p = 1.",
    sabotages={"p a multiple of n - 1": {"pairs": ((2, 1), (2, 2), (3, 2), (3, 4))}},
)
def first_component(proof: Proof, pairs=((2, 1), (2, 2), (3, 1), (3, 2))) -> None:
    r"""The first component is the oldest input of the register, $x_{t-L(n-1)}$. For $n=3$ and $p=1$ one layer has it two steps late: the inputs 1, 2, 3, 4 give 0, 0, 1, 2."""
    found = proof.smallest("n, then p", pairs, lambda c: not copies(printed_copy_network(c[0], -(-c[1] // (c[0] - 1))), c[1]))
    if found:
        (n, p), _ = found
        depth = -(-p // (n - 1))
        network = printed_copy_network(n, depth)
        outputs = [y[0] for y in network.run([1, 2, 3, 4])]
        proof.counterexample(
            given={"n": n, "p": p, "L": depth, "inputs": [1, 2, 3, 4], "printed readout": outputs, "f_p": [0] * p + [1, 2, 3, 4][: 4 - p]},
            words={"sizes": n > 1 and p >= 1, "output": outputs != [0] * p + [1, 2, 3, 4][: 4 - p]},
            minimal=f"n = {n}, p = {p}, L = {depth}",
        )
        proof.certificate("witness", f"n = {n}, p = {p}", **network_data(network), p=p, inputs=[1, 2, 3, 4])


# -- Lemma 3 ---------------------------------------------------------------------------------------------------------------


@claim(
    "lizaire26.lemma3",
    place="Lemma 3, App. A.3",
    title="L layers of width n copy at most L (n − 1) steps",
    says=r"If $f_p\in\mathcal L_{n,1}\circ\mathcal H_{RNN}(n,L)$, then $p\le L(n-1)$.",
    remarks=("The printed proof counts components; it has a gap (see the finding), which the degrees of polynomials close.",),
    sabotages={
        "one step more, which the kernel refutes": {"theorem": "rnn.copies_one_step_more"},
        "one degree less": {"bound": lambda n, depth: depth * (n - 1) - 1},
        "the recursion forgets a coefficient": {"following": lambda V, M, c: V * M},
        "random networks are silent": {"draw": lambda rng, n, depth: DeepLinear(random_network(rng, n, depth).layers, exact.zeros(1, n))},
    },
)
def degrees_of_transfer_functions(
    proof: Proof,
    bound=lambda n, depth: depth * (n - 1),
    following=lambda V, M, c: V * M + c,
    draw=random_network,
    theorem: str = "rnn.copies_at_most",
) -> None:
    r"""The transfer function of $L$ layers is $N(z)/D(z)$ with $\deg N\le L(n-1)$ and $D(0)=1$; a copy has $N=z^pD$.

    1. Take the difference of two runs, on an input word and on the word $0$, on which $f_p$ is $0$: biases and initial states cancel, so the differences of the states obey
       $h_t=Vh_{t-1}+Ug_t$ from $0$, layer by layer, and give the same output $f_p$. [checked: "biases cancel in the difference"]
    2. Write sequences as power series, $h(z)=\sum_{t\ge1}h_tz^t$. Then $(I-zV)h=Ug$. [checked: "a layer as power series"]
    3. Let $\det(I-zV)=\sum_{k\le n}c_kz^k$, $c_0=1$, $M_0=I$ and $M_{k+1}=VM_k+c_{k+1}I$. Then $\big(\sum_{k<m}M_kz^k\big)(I-zV)=\sum_{k\le m}c_kz^k-z^mM_m$ for every $m$, by induction: base and step
       are identities (the $M_k$ are polynomials in $V$, so they commute with it). [checked: "base of the recursion"; "its step"]
    4. $M_n=0$, since it is the characteristic polynomial of $V$ at $V$. So $A(z)=\sum_{k<n}M_kz^k$, of degree at most $n-1$, has $A(z)(I-zV)=\det(I-zV)I$. [cited: Cayley and Hamilton] [checked: "second opinion: adj(I - zV)"]
    5. Layer after layer, the output is $\big(\prod_l\det(I-zV_l)\big)^{-1}\,wA_LU_L\cdots A_1U_1\,x(z)$: $N/D$ with $\deg N\le L(n-1)$, a sum of $L$ degrees of at most $n-1$, and $D(0)=1$. [checked: "the degrees add up"; "second opinion: 40 random networks"]
    6. For an impulse in the first channel the output of $f_p$ is $z^p$ times it, so $N=z^pD$ for that column. The coefficient of $z^p$ in $z^pD$ is $D(0)=1$, not $0$, so $p\le\deg N\le L(n-1)$. [checked: "the coefficient of z^p"]
    """
    proof.formally(
        "the kernel: p <= L (n - 1)",
        theorem,
        whole="every n, L, number of channels and field",
        differs="any field; times from 0; biases, initial states and several channels included",
    )
    V, U, h, k, g, f, b = sympy.symbols("V U h k g f b", commutative=False)
    n, depth, m, z, c, W, M, C = sympy.symbols("n L m z c W M C")
    proof.symbolically(
        "biases cancel in the difference", (V * h + U * g + b) - (V * k + U * f + b), V * (h - k) + U * (g - f), free="U, V, b, states"
    )
    proof.symbolically("a layer as power series: the coefficient of z^t in (I - zV) h", (V * k + U * g) - V * k, U * g, free="U, V, states")
    # W stands for V: polynomials in one matrix commute
    proof.symbolically(
        "base of the recursion, m = 1: M_0 (I - zV) = 1 + c_1 z - z M_1", 1 - z * W, 1 + c * z - z * following(W, 1, c), free="V, z"
    )
    proof.symbolically(
        "its step from m to m + 1, where S_m (I - zV) = C_m - z^m M_m",
        (C - z**m * M) + z**m * M * (1 - z * W),
        C + c * z ** (m + 1) - z ** (m + 1) * following(W, M, c),
        free="V, M, C, c, z, m",
    )
    proof.symbolically("the degrees add up", depth * (n - 1), bound(n, depth), free="n, L")
    proof.symbolically("the coefficient of z^p in z^p D, D = 1 + z C, at z = 0", (1 + z * c).subs(z, 0), 1, free="C")
    rng = Random(95)
    seen = [_degrees(draw(rng, rng.randint(1, 4), rng.randint(1, 3)), bound) for _ in range(40)]
    proof.exactly(
        "second opinion: 40 random networks have D(0) = 1, N / D as responses, not all 0, and deg N <= L (n - 1)",
        [x[:3] for x in seen],
        [(True, True, True)] * 40,
    )
    proof.holds("and some of them reach the degree", any(x[3] for x in seen))
    squares = [samples.integers(Random(size), size, size) for size in range(1, 7)]
    proof.holds(
        "second opinion: adj(I - zV) (I - zV) = det(I - zV) I for matrices up to 6 x 6 that are not 0",
        all(bool((A != 0).any()) and _is_resolvent(A) for A in squares),
    )
    fixed = Random(195)
    for width, layers in product((1, 2, 3), (1, 2)):
        network = random_network(fixed, width, layers)
        numerator, denominator = network.transfer()
        proof.certificate(
            "witness", f"n = {width}, L = {layers}", **network_data(network), N=[numerator[0, 0].coeffs()], D=denominator.coeffs()
        )


def _degrees(network: DeepLinear, bound) -> tuple[bool, bool, bool, bool]:
    """D(0) = 1; N / D gives the responses, which are not 0; deg N is at most the bound; and equal to it."""
    n, depth = network.width, len(network.layers)
    numerator, denominator = network.transfer()
    run = [y[0] for y in responses(network, 0, 2 * n * depth + 2)]
    degree = numerator[0, 0].degree()
    right = impulse_response(numerator[0, 0], denominator, len(run)) == run and any(x != 0 for x in run)
    return denominator[0] == 1, right, degree <= bound(n, depth), degree == bound(n, depth)


def _is_resolvent(V) -> bool:
    """adj(I - zV) (I - zV) = det(I - zV) I as polynomials, with entries of degree at most n - 1."""
    n = len(V)
    adjugate, determinant = resolvent(V)
    left = adjugate @ exact.map_entries(lambda x: fmpq_poly([x]), exact.identity(n))
    left = left - adjugate @ exact.map_entries(lambda x: fmpq_poly([0, x]), V)
    small = all(x.degree() < n for x in adjugate.flat)
    return small and all(left[i, j] == (determinant if i == j else 0) for i in range(n) for j in range(n))


@claim(
    "lizaire26.lemma3.proof",
    place="Lemma 3, App. A.3 (proof and its footnote)",
    flaw="gap",
    quotes=(
        "for the information of xi to have been propagated through this path without loss of information, xi must have appeared as one of the components (neuron) of each of the hidden state appearing on this path",
    ),
    title="a copied input need not appear as a component of the hidden states on its way",
    says=r"If $x_i$ flows through $h^{(l)}_t$ without loss, $x_i$ is one of the components of $h^{(l)}_t$ (or, by the footnote, the construction is wasteful).",
    reading="a component up to a factor",
    letter="The proof of Lemma 3 counts components, and its footnote says that spreading x_i over several neurons wastes some. It need not: h = (x_t + x_(t-1), x_t - x_(t-1)) copies one step with two neurons, and neither is an input. The lemma is true. The transfer function is N(z)/D(z) with deg N <= L(n - 1) and D(0) = 1, and a copy has N = z^p D.",
    sabotages={"the register itself": {"basis": ((1, 0), (0, 1))}},
)
def mixed_components(proof: Proof, basis=((1, 1), (1, -1))) -> None:
    r"""The register $(x_{t-1},x_t)$ in the basis $(x_t+x_{t-1},\,x_t-x_{t-1})$ copies one step with two units, none wasted, and neither component is a multiple of one input.

    So what flows through a layer cannot be counted by components; by ranks, or by degrees as in `lizaire26.lemma3`, it can."""
    register, M = copy_network(2, 1, 1), exact.rationals(basis)
    ((U, V),) = register.layers
    inverse = exact.inverse(M)
    network = DeepLinear(((M @ U, M @ V @ inverse),), register.readout @ inverse)
    components = [[row[0], row[1]] for row in M]
    proof.counterexample(
        given={
            "U": network.layers[0][0],
            "V": network.layers[0][1],
            "readout": network.readout,
            "components of h_t in (x_t, x_(t-1))": components,
        },
        words={"copies": copies(network, 1), "component": all(a != 0 and b != 0 for a, b in components)},
        minimal="n = 2, L = 1, p = 1",
    )
    proof.certificate("witness", "a register in another basis", **network_data(network), p=1)


# -- several channels --------------------------------------------------------------------------------------------------------


@claim(
    "new.depth.channels",
    place="after lizaire26, Lemmas 2 and 3",
    title="L layers of width n copy d channels p steps forward if and only if p d ≤ L (n − d)",
    says=r"There are a linear RNN of width $n$ and depth $L$ and a linear readout with transfer function $z^pI_d$ iff $pd\le L(n-d)$. The bound needs only that the copy is exact at one length $T\ge p+1$.",
    remarks=(
        "Let p >= 3d + 5 and (p, d) other than (8, 1). Of all n and L with p d <= L (n - d), n = 2d and L = p alone have the fewest parameters, 8 p d^2 + 2 p d - 2 d^2.",
        "For p = 8 and d = 1 also n = 3 and L = 4 have 78 parameters. Initial states and the readout are not counted.",
    ),
    known="for d = 1 it is Lemmas 2 and 3; degrees of determinants (zeros at infinity) are a standard tool of linear systems theory, and registers are folklore. We know of no place with the count for deep networks",
    uses=("lizaire26.lemma2", "lizaire26.lemma3"),
    construction="lemmata.constructions.depth.copy_network",
    sabotages={
        "one step more, which the kernel refutes": {"theorem": "rnn.copies_one_step_more"},
        "one delay is lost": {"steps": lambda p: p + 1},
        "one degree less": {"bound": lambda n, depth, d: depth * (n - d) - 1},
        "random networks are silent": {
            "draw": lambda rng, n, depth, d: DeepLinear(random_network(rng, n, depth, d).layers, exact.zeros(d, n))
        },
        "layers of 2d + 1 units are the cheapest": {"cheapest": lambda d: 2 * d + 1},
        "p from 3d + 4 on": {"least": lambda d: 3 * d + 4},
        "U and V are counted once for two layers": {"cost": lambda n, depth, d: (depth - 1) * n**2 + (depth + d) * n},
    },
)
def channels(
    proof: Proof,
    steps=lambda p: p,
    bound=lambda n, depth, d: depth * (n - d),
    draw=random_network,
    theorem: str = "rnn.copies_at_most",
    cheapest=lambda d: 2 * d,
    least=lambda d: 3 * d + 5,
    cost=parameters,
) -> None:
    r"""Registers show that it suffices; the determinant of the transfer function shows that it is needed.

    1. Let $pd\le L(n-d)$. In each layer every channel passes through a register; $d$ units hold current values and $n-d$ delay, and the $pd$ delays are dealt out over the layers.
       [checked: "the transfer function is z^p I"; "a word is copied"]
    2. Conversely let $G=w(I-zV_L)^{-1}U_L\cdots(I-zV_1)^{-1}U_1$, a $d\times d$ matrix. By Cauchy and Binet $\det G$ is a sum of products of $d\times d$ minors of the factors, and such a minor of
       $(I-zV)^{-1}$ is, up to sign, the complementary minor of $I-zV$, of size $n-d$, over $\det(I-zV)$ (Jacobi). So $\det G=N_d/D$ with $D=\prod_l\det(I-zV_l)$, $D(0)=1$ and $\deg N_d\le L(n-d)$.
       [checked: "D^(d-1) divides det N"; "the degree of det N / D^(d-1)"; "N / D is the impulse response"] [cited: Cauchy and Binet; Jacobi]
    3. If the responses up to time $p$ are those of a copy, $G=z^p(I+zR)$ with a power series $R$, so $\det G=z^{pd}(1+\dots)$, and $N_d=D\det G$ has the coefficient $D(0)=1$ at $z^{pd}$. Hence $pd\le\deg N_d\le L(n-d)$. [prose]
    4. So what step 1 builds cannot be bettered. [checked: "p d <= L (n - d)"]
    5. The cheapest of these shapes is found by the difference to any other, whose sign follows from polynomials with positive coefficients and concavity. [checked: "the difference"; "F is negative"; "F is concave"; "it is positive"; "so it is positive too"; "the least number"]
    """
    proof.formally("the kernel: the bound for one copied channel", theorem, differs="d = 1, every length")
    widest, deepest = proof.pick((3, 2), (5, 4), (7, 5))
    cases = [
        (n, depth, p, d)
        for n, depth in product(range(1, widest + 1), range(1, deepest + 1))
        for d in range(1, n + 1)
        for p in range(depth * (n - d) // d + 1)
    ]
    for n, depth, p, d in proof.every(f"n <= {widest}, L <= {deepest}, all d <= n and p d <= L (n - d)", cases):
        network = copy_network(n, depth, p, d)
        proof.exactly("the transfer function is z^p I", copies(network, steps(p)), True)
        word = [[fmpq(t * d + c + 1) for c in range(d)] for t in range(p + 3)]
        proof.exactly("a word is copied", [list(y) for y in network.run(word)], [[fmpq(0)] * d] * p + word[:3])
        largest = p == depth * (n - d) // d
        proof.holds(
            "p d <= L (n - d), and not for p + 1 where p is the largest",
            p * d <= bound(n, depth, d) and largest == ((p + 1) * d > bound(n, depth, d)),
        )
    count = proof.pick(6, 20, 60)
    rng = Random(95)
    for _ in proof.each(f"{count} random integer networks, n <= 4, L <= 2, d = 2, seed 95", range(count)):
        n, depth, d = rng.randint(2, 4), rng.randint(1, 2), 2
        network = draw(rng, n, depth, d)
        numerator, denominator = network.transfer()
        length = 2 * n * depth + 2
        expected = [[impulse_response(numerator[i, j], denominator, length) for j in range(d)] for i in range(d)]
        runs = [responses(network, j, length) for j in range(d)]
        seen = [[[y[i] for y in runs[j]] for j in range(d)] for i in range(d)]
        proof.exactly("N / D is the impulse response, which is not 0", (seen, bool(np.any(np.array(seen) != 0))), (expected, True))
        # the determinant of the transfer matrix over D, not D^d: D^(d-1) divides the determinant of N
        quotient, rest = divmod(numerator[0, 0] * numerator[1, 1] - numerator[0, 1] * numerator[1, 0], denominator)
        proof.exactly("D^(d-1) divides det N", rest == 0, True)
        proof.holds("the degree of det N / D^(d-1) is at most L (n - d)", quotient.degree() <= bound(n, depth, d))
    for n, depth, d in product((2, 3, 4, 5), (1, 2, 3), (1, 2)):
        if (p := depth * (n - d) // d) >= 1:
            proof.certificate("copy", f"n = {n}, L = {depth}, d = {d}, p = {p}", **network_data(copy_network(n, depth, p, d)), p=p)
    small = copy_network(3, 2, 1, 2)
    proof.exhibit(
        "two channels, one step, two layers of width 3", layers=[{"U": U, "V": V} for U, V in small.layers], readout=small.readout
    )
    cheapest_shape(proof, cheapest, least, cost)


# -- finite lengths ----------------------------------------------------------------------------------------------------------


@claim(
    "new.depth.finite-length",
    place="after lizaire26, Lemma 3 and Sec. 4.1 (Figure 6)",
    title="at lengths T ≤ 2p one layer of width p copies p steps as nearly as one likes; fewer than d min(p, T − p) units do not",
    says=r"For $n=p$, $d=1$, $V$ the cyclic shift with one entry $1/\varepsilon$ and $w=\varepsilon e_1^\top$, the responses are $\varepsilon,0,\dots,0,1$ at $k=p$ and $0$ up to $k=2p-1$. For any network "
    r"the squared errors of the responses from times $\le p$ to times $>p$ add up to at least $md-nL$, $m=\min(p,T-p)$.",
    reading="the paper's experiment has T = 2p = 16; Lemma 3 is about exact copies, which need a width above p at every length T > p",
    known="the lower bound is the Eckart and Young theorem for a Hankel block; that approximation needs fewer states than exactness is familiar from partial realisation",
    uses=("new.depth.channels",),
    construction="lemmata.constructions.depth.near_copy",
    sabotages={
        "one step more": {"horizon": lambda p: 2 * p + 1},
        "a bound one higher": {"excess": 1},
        "random networks are silent": {
            "draw": lambda rng, n, depth, d: DeepLinear(random_network(rng, n, depth, d).layers, exact.zeros(d, n))
        },
    },
)
def nearly_copies(proof: Proof, horizon=lambda p: 2 * p, excess: int = 0, draw=random_network) -> None:
    r"""The unwanted responses are $\varepsilon$ at $0$ and $1/\varepsilon$ at $2p$, which a word of length $2p$ does not show; a rank bounds how few units can do.

    1. An impulse enters at the first of $p$ units, is read at once with weight $\varepsilon$, moves around the cycle in $p$ steps, is multiplied by $1/\varepsilon$ and read as $1$; the next time around it is
       read as $1/\varepsilon$, at time $2p$. [checked: "only the first response"]
    2. Exact copies need the width $p+1$. [checked: "fewer units than exactness needs"] [uses: lizaire26.lemma3]
    3. What inputs up to time $p$ do to outputs after it passes through the $nL$ numbers of the states at time $p$: that map has rank at most $nL$. [checked: "the rank of the map across time p"]
    4. The copy's map has $md$ singular values $1$ and no others, $m=\min(p,T-p)$, so by Eckart and Young a map of rank $nL$ differs from it by at least $md-nL$ in squared Frobenius norm.
       [checked: "squared errors of at least"] [cited: Eckart and Young]
    """
    longest = proof.pick(4, 8, 16)
    for p, e in proof.every(f"p <= {longest}, epsilon = 1/10, 1/1000", product(range(1, longest + 1), (10, 1000))):
        network = near_copy(p, fmpq(1, e))
        seen = [y[0] for y in network.run([1] + [0] * (horizon(p) - 1))]
        proof.exactly("only the first response is wrong, by epsilon", seen, [fmpq(1, e)] + [int(k == p) for k in range(1, horizon(p))])
        proof.exactly("fewer units than exactness needs, by one", network.width + 1, least_width(p, 1))
    rng = Random(97)
    count = proof.pick(5, 15, 40)
    sizes = [(rng.randint(1, 3), rng.randint(1, 3), 1 + k % 2) for k in range(count)]
    networks = [(draw(rng, max(n, d), depth, d), p, T) for n, depth, d in sizes for p, T in ((1, 2), (3, 5), (4, 8))]
    networks += [(near_copy(p, fmpq(1, 10)), p, 2 * p) for p in (1, 2, 4)]
    for network, p, T in proof.each(
        f"{count} random integer networks, n, L <= 3, d <= 2, seed 97, and the copies above; (p, T) = (1, 2), (3, 5), (4, 8)", networks
    ):
        d, units = len(network.readout), network.width * len(network.layers)
        block = _across(network, p, T)
        proof.holds("the rank of the map across time p is at most nL", exact.rank(block) <= units)
        error = block - _across(copy_network(d * (p + 1), 1, p, d), p, T)
        if network.width == p and d == 1 and 2 * p == T and len(network.layers) == 1 and network.readout[0, 0] == fmpq(1, 10):
            proof.exactly(
                "the near copies have rank nL across time p, and no error there: the bound is attained",
                (exact.rank(block), (error * error).sum()),
                (p, 0),
            )
        proof.holds("squared errors of at least m d - nL", (error * error).sum() >= min(p, T - p) * d - units + excess)
        proof.holds(
            "the networks do respond", any(x != 0 for y in responses(network, 0, T) + responses(network, d - 1, 2 * T + 8) for x in y)
        )
    for p in (1, 2, 5):
        proof.certificate("witness", f"p = {p}, epsilon = 1/1000", **network_data(near_copy(p, fmpq(1, 1000))), p=p, error="1/1000")
    proof.exhibit(
        "p = 3 units copy 3 steps at length 6 with an error of 1/1000",
        V=near_copy(3, fmpq(1, 1000)).layers[0][1],
        readout=near_copy(3, fmpq(1, 1000)).readout,
    )


def _across(network: DeepLinear, p: int, T: int) -> np.ndarray:
    """The map from the inputs at times 1 .. p to the outputs at times p + 1 .. T, shape ((T - p) d, p d)."""
    d = len(network.readout)
    seen = [responses(network, c, T) for c in range(d)]
    rows = [[seen[c][t - s][i] for s in range(1, p + 1) for c in range(d)] for t in range(p + 1, T + 1) for i in range(d)]
    return np.array(rows, dtype=object)
