"""What depth adds to the memory of a linear recurrent network: Theorem 1 and the headlines (lizaire26, Sec. 3.1)."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import sympy
from flint import fmpq

from ...constructions.depth import DeepLinear, copy_network, hankel_rank, parameters
from ...numerics import exact
from ...numerics.aliases import Exact
from ..claim import claim
from ..evidence import Proof
from .copying import copies, network_data, random_network, responses


def _cascade(n: int, depth: int) -> DeepLinear:
    """Layers with n different poles each, all different, every unit fed from all units below and the readout their sum."""
    layers = []
    for level in range(depth):
        poles: Exact = [fmpq(1, level * n + i + 2) for i in range(n)]
        V = np.diag(poles) + exact.zeros(n, n)
        U = np.full((n, 1 if level == 0 else n), fmpq(1), dtype=object)
        layers.append((U, V))
    return DeepLinear(tuple(layers), np.full((1, n), fmpq(1), dtype=object))


def _response(network: DeepLinear, steps: int) -> list:
    return [y[0] for y in responses(network, 0, steps)]


@claim(
    "lizaire26.thm1",
    place="Theorem 1",
    title="one more layer of the same width computes more",
    says=r"$\mathcal H_{RNN}(n,L)\subsetneq\mathcal H_{RNN}(n,L+1)$ for all $n>1$ and $L\ge1$.",
    remarks=("It holds for n = 1 too, where copies do not show it: see new.depth.ranks.",),
    sabotages={
        "a step more in the same depth, which the kernel refutes": {"theorem": "rnn.copies_one_step_more"},
        "the further layer has a memory": {"further": lambda h, before: h + before},
        "a copy of L (n - 1) steps": {"lag": lambda n, depth: depth * (n - 1)},
    },
)
def a_layer_more(
    proof: Proof,
    further=lambda h, before: 1 * h + 0 * before,
    lag=lambda n, depth: (depth + 1) * (n - 1),
    theorem: str = "rnn.deeper_computes_more",
) -> None:
    r"""A further layer can hand the states on, and it can remember $n-1$ steps more.

    1. Inclusion: a layer with $U=I$, $V=0$, $b=0$, $h_0=0$ has the states of the layer below. [checked: "an identity layer"]
    2. Let $p=(L+1)(n-1)$. As $\lceil p/(n-1)\rceil=L+1$, there are $L+1$ layers of width $n$ and a readout $w$ with $w\circ h=f_p$. [uses: lizaire26.lemma2] [checked: "L + 1 layers are as many as"; "the networks copy"]
    3. $p$ exceeds $L(n-1)$ by $n-1>0$, so no $L$ layers of width $n$ and no readout do that. [uses: lizaire26.lemma3] [checked: "more than L layers can"]
    4. So the states $h$ of step 2 are not those of $L$ layers: else $w\circ h=f_p$ with $L$ layers. [checked: "more than L layers can"]
    """
    proof.formally(
        "the kernel: the classes grow, and strictly",
        theorem,
        whole="every n > 1, L, number of channels and field",
        differs="any field; times from 0",
    )
    n, depth = sympy.symbols("n L")
    h, before = sympy.symbols("h k", commutative=False)
    proof.symbolically("an identity layer changes nothing", further(h, before), h, free="states")
    proof.symbolically("L + 1 layers are as many as Lemma 2 needs: p = (L + 1) (n - 1)", lag(n, depth), (depth + 1) * (n - 1), free="n, L")
    proof.symbolically("more than L layers can, by n - 1", lag(n, depth) - depth * (n - 1), n - 1, free="n, L")
    sizes = [(2, 1), (2, 3), (3, 1), (3, 2), (4, 2)]
    proof.exactly(
        "the networks copy, for five sizes",
        [copies(copy_network(w, k + 1, (k + 1) * (w - 1)), lag(w, k)) for w, k in sizes],
        [True] * len(sizes),
    )
    for w, k in sizes:
        proof.certificate(
            "copy", f"n = {w}, {k + 1} layers", **network_data(copy_network(w, k + 1, (k + 1) * (w - 1))), p=(k + 1) * (w - 1)
        )


@claim(
    "new.depth.ranks",
    place="after lizaire26, Theorem 1",
    title="Theorem 1 holds for n = 1 too: L layers of width n have Hankel ranks up to n L, and no more",
    says=r"The responses of $L$ layers of width $n\ge1$, with any linear readout, have Hankel rank at most $nL$, and some reach it; so $\mathcal H_{RNN}(n,L)\subsetneq\mathcal H_{RNN}(n,L+1)$ for all $n\ge1$.",
    known="the Hankel rank is the least number of states (Kronecker; Ho and Kalman 1966); the cascade that reaches nL at every width, and so n = 1, is what we add",
    sabotages={
        "the readout is 0": {"network": lambda n, depth: DeepLinear(_cascade(n, depth).layers, exact.zeros(1, n))},
        "a layer is left out": {"network": lambda n, depth: _cascade(n, max(depth - 1, 1))},
        "random networks are silent": {"draw": lambda rng, n, depth: DeepLinear(random_network(rng, n, depth).layers, exact.zeros(1, n))},
    },
)
def hankel_ranks(proof: Proof, network=_cascade, draw=random_network) -> None:
    r"""The Hankel matrix $(g_{i+j+1})_{i,j\ge0}$ of the responses $g_0,g_1,\dots$ to an impulse factors through the states, and a cascade of layers with different poles fills them.

    1. The states of all layers together are $nL$ numbers $s_t$ with $s_t=As_{t-1}+Bx_t$, so $g_{i+j+1}=wA^{i}\cdot A^{j+1}B$ (with $w$ reading the last layer) is a product of a matrix with
       $nL$ columns and one with $nL$ rows: the rank is at most $nL$. [uses: lizaire26.cor2] [checked: "no network exceeds it"]
    2. Take layers with $V^{(l)}=\operatorname{diag}(1/q)$ for $n$ consecutive integers $q=(l-1)n+2,\dots,ln+1$, all entries of $U^{(l)}$ and of the readout $1$. The transfer function is $\prod_lF_l(z)$ with
       $F_l(z)=\sum_q\frac1{1-z/q}=\sum_q\frac q{q-z}$, since each unit of a layer multiplies the sum of the outputs below by $1/(1-z/q)$. [prose]
    3. None of the $nL$ poles $q$ cancels: $F_l'=\sum_qq/(q-z)^2>0$, so between neighbouring poles $F_l$ rises from $-\infty$ to $\infty$, and the $n-1$ zeros of its numerator lie strictly between
       neighbouring integers (they interlace the poles); no zero of one layer is a pole of another. [checked: "F_l rises"; "the zeros of a layer lie between its poles"]
    4. So $g_k=\sum_qc_qq^{-k}$ with $nL$ different $q$ and all $c_q\ne0$ (each $F_l$ vanishes at infinity, so there is no polynomial part), and the Hankel matrix is a Vandermonde matrix times a diagonal times a
       Vandermonde matrix, of rank $nL$. [checked: "a network with L layers and Hankel rank n L"]
    5. With $L+1$ layers the rank $n(L+1)$ is reached, with $L$ it is not, and an identity layer gives the inclusion: the classes differ. [checked: "an identity layer changes nothing"]
    """
    z, q = sympy.symbols("z q")
    proof.symbolically("F_l rises: (q / (q - z))' = q / (q - z)^2", sympy.diff(q / (q - z), z), q / (q - z) ** 2, free="q, z")
    widest, deepest = proof.pick((2, 2), (3, 3), (4, 4))
    for n, depth in proof.every(f"n <= {widest}, L <= {deepest}", product(range(1, widest + 1), range(1, deepest + 1))):
        steps = 2 * n * (depth + 1) + 3
        response = _response(network(n, depth), steps)
        proof.exactly("a network with L layers and Hankel rank n L", hankel_rank(response), n * depth)
        numerator, _ = DeepLinear(network(n, depth).layers[:1], network(n, depth).readout).transfer()
        proof.holds(
            "the zeros of a layer lie between its poles", all(numerator[0, 0](q) * numerator[0, 0](q + 1) < 0 for q in range(2, n + 1))
        )
        identity = DeepLinear((*network(n, depth).layers, (exact.identity(n), exact.zeros(n, n))), network(n, depth).readout)
        proof.exactly("an identity layer changes nothing", _response(identity, steps), response)
    rng = Random(101)
    count = proof.pick(10, 30, 80)
    for _ in proof.each(f"{count} random integer networks, n, L <= 3, seed 101", range(count)):
        n, depth = rng.randint(1, 3), rng.randint(1, 3)
        random = _response(draw(rng, n, depth), 2 * n * depth + 5)
        proof.holds("no network exceeds it, and these are not silent", any(random) and hankel_rank(random) <= n * depth)
    for n, depth in product((1, 2, 3), (1, 2)):
        proof.certificate("witness", f"n = {n}, {depth + 1} layers", **network_data(_cascade(n, depth + 1)))


@claim(
    "lizaire26.memory",
    place="Abstract; Sec. 1, contributions",
    title="depth adds memory: width n and depth L remember exactly L (n − 1) steps, and for n ≥ 4 at the least cost in parameters",
    says=r"The largest $p$ for which $f_p\in\mathcal L_{n,1}\circ\mathcal H_{RNN}(n,L)$ is $L(n-1)$: each further layer adds $n-1>0$ steps. For $n\ge4$ no shallower network that remembers as much has as few parameters.",
    sabotages={
        "width 3, which the kernel refutes": {"theorem": "rnn.deep_copies_are_cheap_for_three"},
        "a layer fewer": {"steps": lambda n, depth: (depth - 1) * (n - 1)},
    },
)
def memory_of_depth(proof: Proof, steps=lambda n, depth: depth * (n - 1), theorem: str = "rnn.memory_of_depth") -> None:
    r"""Lemmas 2 and 3 meet at $L(n-1)$.

    1. $p=L(n-1)$ is reached, by $L=\lceil p/(n-1)\rceil$ layers. [uses: lizaire26.lemma2] [checked: "L layers are as many as"; "the networks copy"]
    2. No more is. [uses: lizaire26.lemma3] [checked: "L layers are as many as"]
    3. A layer adds $(L+1)(n-1)-L(n-1)=n-1$ steps. [checked: "what a layer adds"]
    4. Fewer layers cost more parameters for the same memory. [uses: lizaire26.thm2] [checked: "one layer costs more"]
    """
    proof.formally(
        "the kernel: L (n - 1) is the largest, and cheapest in L layers",
        theorem,
        whole="every n > 1 and L (the parameters: n >= 4)",
        differs="any field; times from 0",
    )
    n, depth = sympy.symbols("n L")
    proof.symbolically("L layers are as many as Lemma 2 needs, and Lemma 3 allows", steps(n, depth), depth * (n - 1), free="n, L")
    proof.symbolically("what a layer adds", steps(n, depth + 1) - steps(n, depth), n - 1, free="n, L")
    sizes = list(product(range(2, 6), range(1, 5)))
    proof.exactly(
        "the networks copy, n <= 5, L <= 4",
        [copies(copy_network(*size, size[1] * (size[0] - 1)), steps(*size)) for size in sizes],
        [True] * len(sizes),
    )
    deep = [(w, k) for w, k in sizes if w >= 4 and k > 1]
    proof.holds("one layer costs more, n = 4, 5", all(parameters(k * (w - 1) + 1, 1) > parameters(w, k) for w, k in deep))
    for w, k in ((2, 1), (2, 4), (4, 2), (5, 3)):
        proof.certificate("copy", f"n = {w}, L = {k}", **network_data(copy_network(w, k, k * (w - 1))), p=k * (w - 1))
