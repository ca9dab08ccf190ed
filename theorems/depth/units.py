"""The same units in one layer: Proposition 1 and Theorem 6 (lizaire26, Sec. 3.1, App. A.4)."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import sympy
from flint import fmpq

from ...constructions.depth import DeepLinear, as_one_layer, copy_network
from ...numerics import exact
from ..claim import claim
from ..evidence import Proof
from .copying import copies, network_data, random_network


def states(network: DeepLinear, word: list) -> list[list]:
    """The states of all layers, one above the other, after every letter."""
    stack = network.stack()
    current, out = stack.initial, []
    for x in word:
        current, _ = stack.step(current, np.atleast_1d(np.asarray(x, dtype=object))[:, None] * fmpq(1))
        out.append([h for state in current for h in state[:, 0]])
    return out


@claim(
    "lizaire26.prop1",
    place="Proposition 1",
    title="one layer of width nL has all states of L layers of width n, and for L > 1 remembers longer",
    says=r"The states of $L$ layers of width $n$, one above the other, are those of one layer of width $nL$; for $L>1$ the converse fails: one layer copies $nL-1>L(n-1)$ steps.",
    reading="the informal statement; Theorem 6 is its formal one",
    construction="lemmata.constructions.depth.as_one_layer",
    sabotages={
        "one layer copies nL steps, which the kernel refutes": {"theorem": "joined.one_layer_has_all_states_and_copies_more"},
        "layers read the one below a step late": {"joined": lambda network: _one_step_late(network)},
        "the lowest unit is rescaled": {"joined": lambda network: _rescaled(network)},
        "random networks are silent": {"draw": lambda rng, n, depth: _silent(random_network(rng, n, depth))},
    },
)
def joint_states(proof: Proof, joined=as_one_layer, draw=random_network, theorem: str = "joined.one_layer_has_all_states") -> None:
    r"""All layers together take one step that is affine in all their states and the input.

    1. By `lizaire26.cor2` $h^{(l)}_t=P_{l,0}x_t+\sum_{j\le l}P_{l,j}(V^{(j)}h^{(j)}_{t-1}+b^{(j)})$: one layer whose transition is block triangular, with blocks $P_{l,j}V^{(j)}$.
       [uses: lizaire26.cor2] [checked: "second opinion: all states agree"] [prose]
    2. One layer of width $nL$ copies $nL-1$ steps, since $nL-1=1\cdot(nL-1)$. [uses: lizaire26.lemma2] [checked: "registers of n L units"]
    3. $nL-1$ exceeds $L(n-1)$ by $L-1>0$, and $L$ layers of width $n$ copy no more than $L(n-1)$. [uses: lizaire26.lemma3] [checked: "more than L layers can"]
    """
    proof.formally(
        "the kernel: the joint states by one layer, and what it copies",
        theorem,
        whole="every n >= 1, L, d >= 1 and network",
        differs="any field for the reals; times from 0; the converse fails for the states themselves too",
    )
    n, depth = sympy.symbols("n L")
    proof.symbolically("more than L layers can, by L - 1", (n * depth - 1) - depth * (n - 1), depth - 1, free="n, L")
    with proof.beside():
        rng = Random(96)
        pairs = []
        for _ in range(30):
            network = draw(rng, rng.randint(1, 3), rng.randint(1, 3))
            word = [rng.choice((-2, -1, 1, 2)) for _ in range(6)]
            pairs.append((states(network, word), states(joined(network), word)))
        proof.exactly(
            "second opinion: all states agree for 30 random networks, n, L <= 3, 6 steps",
            [right for _, right in pairs],
            [left for left, _ in pairs],
        )
        proof.holds("and none of them is silent", all(any(x != 0 for state in left for x in state) for left, _ in pairs))
        sizes = [(w, k) for w in range(1, 5) for k in (2, 3)]
        proof.exactly(
            "registers of n L units copy n L - 1 steps, n <= 4",
            [copies(copy_network(w * k, 1, w * k - 1), w * k - 1) for w, k in sizes],
            [True] * len(sizes),
        )
    fixed = Random(196)
    for width, layers in product((1, 2, 3), (2, 3)):
        network = random_network(fixed, width, layers)
        ((U, V),) = as_one_layer(network).layers
        proof.certificate("witness", f"n = {width}, L = {layers}", layers=network_data(network)["layers"], U=U, V=V)


def _one_step_late(network: DeepLinear) -> DeepLinear:
    """The joint recurrence without the part of the layer below that is of the same time."""
    joint = as_one_layer(network)
    ((U, V),) = joint.layers
    late = U * 1
    late[network.width :] = late[network.width :] * 0
    return DeepLinear(((late, V),), joint.readout)


def _rescaled(network: DeepLinear) -> DeepLinear:
    """The joint recurrence with its first unit doubled: the outputs are the same."""
    joint = as_one_layer(network)
    ((U, V),) = joint.layers
    scale = exact.identity(len(V))
    scale[0, 0] = fmpq(2)
    return DeepLinear(((scale @ U, scale @ V @ exact.inverse(scale)),), joint.readout @ exact.inverse(scale))


def _silent(network: DeepLinear) -> DeepLinear:
    return DeepLinear(tuple((U * 0, V) for U, V in network.layers), network.readout)


@claim(
    "lizaire26.thm6",
    place="Theorem 6, App. A.4",
    title="for L > 1 one layer of width nL computes strictly more than the states of L layers of width n, for every n and d",
    says=r"$\mathcal H^{(\|)}_{RNN}(n,L)\subsetneq\mathcal H_{RNN}(nL,1)$ for all $n\ge1$, $L>1$ and $d\ge1$: not in the first class is the function whose states are $0$ in the first block and $(x_t)_1e_1$ in the second.",
    reading="L > 1, as in Proposition 1; for L = 1, which is printed, both classes are the same. The paper has n > 1",
    sabotages={
        "L = 1, which the kernel refutes": {"theorem": "joined.one_wide_layer_of_one"},
        "the first block holds the input too": {"first": lambda x: x},
        "layers read the input as well": {"second": lambda U, g, V, h, b, x: U * g + V * h + b + x},
    },
)
def one_wide_layer(
    proof: Proof,
    first=lambda x: 0,
    second=lambda U, g, V, h, b, x: U * g + V * h + b,
    theorem: str = "joined.one_wide_layer",
) -> None:
    r"""Joined layers are one layer; but a second block can follow an input that the first does not show only in one layer.

    1. Inclusion: the joint states of $L$ layers obey $h^{(l)}_t=P_{l,0}x_t+\sum_{j\le l}P_{l,j}(V^{(j)}h^{(j)}_{t-1}+b^{(j)})$, a single layer of width $nL$. [uses: lizaire26.cor2] [prose]
    2. The layer with $V=0$, $b=0$, $h_0=0$ and $U$ with the entry $1$ in row $n+1$ and column $1$, and $0$ elsewhere, has the states $0$ in the first block and $(x_t)_1e_1$ in the second.
       [checked: "its first block does not change"] [prose]
    3. Suppose that $L$ layers have these states. For inputs $x,x'$ the first states $h^{(1)}_1=U^{(1)}x+V^{(1)}h^{(1)}_0+b^{(1)}$ are equal, both $0$, and then
       $h^{(2)}_1(x)-h^{(2)}_1(x')=U^{(2)}\big(h^{(1)}_1(x)-h^{(1)}_1(x')\big)=0$. [checked: "what the second layer sees"] [prose]
    4. But the second block differs by $(x-x')_1e_1$, which is not $0$ for $x'=0$, $x=e_1$: a contradiction. [checked: "the second block does"] [prose]
    """
    proof.formally(
        "the kernel: one wide layer computes strictly more than the joint states",
        theorem,
        whole="every n >= 1, L > 1 and d >= 1",
        differs="any field for the reals; times from 0",
    )
    U, V, b, g, f, h, x, y = sympy.symbols("U V b g f h x y", commutative=False)
    proof.symbolically("its first block does not change", first(x) - first(y), 0, free="x, x'")
    proof.symbolically(
        "what the second layer sees is the first", second(U, g, V, h, b, x) - second(U, f, V, h, b, y), U * (g - f), free="U, V, b, states"
    )
    with proof.beside():
        wide = exact.unit_vector(4, 2)
        proof.exactly("the second block does: n = 2, inputs 1 and 0", [list(wide * fmpq(v)) for v in (1, 0)], [[0, 0, 1, 0], [0, 0, 0, 0]])
    proof.certificate("witness", "n = 2, L = 2, d = 1", n=2, U=wide[:, None], V=exact.zeros(4, 4), inputs=[[1], [0]])
    proof.certificate(
        "witness", "n = 1, L = 3, d = 2", n=1, U=exact.rationals([[0, 0], [1, 0], [0, 0]]), V=exact.zeros(3, 3), inputs=[[1, 0], [0, 0]]
    )
    proof.exhibit(
        "n = 2, L = 2, d = 1: a layer of four units that no two layers of two have as states", U=wide[:, None], V=exact.zeros(4, 4)
    )


@claim(
    "lizaire26.thm6.one",
    place="Theorem 6, App. A.4",
    flaw="misprint",
    quotes=("For any n > 1 and L ≥ 1",),
    extracted=True,
    weight="hypothesis",
    title="for L = 1 the inclusion of Theorem 6 is an equality",
    says=r"$\mathcal H^{(\|)}_{RNN}(n,L)\subsetneq\mathcal H_{RNN}(nL,1)$ for all $n>1$ and $L\ge1$.",
    letter="Theorem 6 is printed for L >= 1. It needs L > 1, as Proposition 1 has it: for L = 1 both classes are the same by definition.",
    sabotages={"two layers": {"depth": 2}},
)
def one_layer_is_one_layer(proof: Proof, depth: int = 1) -> None:
    r"""For $L=1$ joining the layers of a network with one layer returns that network, and $nL=n$."""
    network = random_network(Random(110), 2, depth)
    ((U, V),) = as_one_layer(network).layers
    proof.counterexample(
        given={"n": 2, "L": depth, "U": U, "V": V},
        words={
            "sizes": network.width > 1 and depth >= 1 and bool((V != 0).any()),
            "same": len(V) == network.width and bool((network.layers[0][1] == V).all()),
        },
        minimal="L = 1, every n",
    )
    proof.certificate("witness", "n = 2, L = 1", layers=network_data(network)["layers"], U=U, V=V)


@claim(
    "lizaire26.thm6.proof",
    place="Theorem 6, App. A.4 (proof)",
    flaw="gap",
    quotes=("block parameterized as in Eq. 9 with", "for at least one l"),
    title="for one input channel the proof's blocks of rank 1 and 2 do not exist",
    says=r"There is $\tilde U\in\mathbb R^{nL\times d}$ with blocks $\operatorname{rank}\tilde U_1=1$ and $\operatorname{rank}\tilde U_l=2$, which $U^{(1)}$ and $U^{(2)}U^{(1)}$ cannot have.",
    reading="for every d, as the theorem; Theorem 2, to which the comparison leads, has d = 1",
    letter="The proof of Theorem 6 takes blocks of the input matrix of ranks 1 and 2. Blocks have d columns, so for d = 1, the case of Theorem 2, none has rank 2. Ranks 0 and 1 serve for every d: if the states of the first block are always 0, the second layer cannot follow the input.",
    sabotages={"two channels": {"d": 2}},
)
def one_channel_has_rank_one(proof: Proof, d: int = 1) -> None:
    r"""A block of the input matrix has $d$ columns, so its rank is at most $d$: for $d=1$ the proof has no function to offer. (Ranks 0 and 1 do it, see `lizaire26.thm6`.)"""
    n, L, block = 2, 2, exact.identity(max(2, d))[:2, :d]
    given = {"n": n, "L": L, "d": d, "a block of the largest rank": block}
    words = {"sizes": n > 1 and L > 1, "rank": exact.rank(block) < 2 and block.shape[1] < 2}
    proof.counterexample(given, words=words, minimal=f"d = {d}", witness="n L d")
