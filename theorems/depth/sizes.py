"""Comparing sizes: the same units in one layer (Theorem 6), the number of parameters (Theorem 2) and from which width on (lizaire26, App. A.4, A.5)."""

from __future__ import annotations

from itertools import product
from random import Random

import sympy

from ...constructions.depth import DeepLinear, as_one_layer, parameters
from ...numerics import exact
from ..claim import claim
from ..evidence import Proof
from .copying import _least_parameters, random_network


@claim(
    "lizaire26.thm6",
    topic="depth",
    place="Theorem 6, App. A.4",
    title="for every L >= 1 one layer of width nL computes strictly more than the states of L layers of width n",
    says=r"$\mathcal H^{(\|)}_{RNN}(n,L)\subsetneq\mathcal H_{RNN}(nL,1)$ for all $n>1$, $L\ge1$.",
    sabotages={"two layers": {"depth": 2}},
)
def one_layer_is_one_layer(proof: Proof, depth: int = 1) -> None:
    """For L = 1 both are the same class by definition: joining the layers of a network with one layer returns that network."""
    network = random_network(Random(110), 2, depth)
    ((U, V),) = as_one_layer(network).layers
    proof.counterexample(
        given={"n": 2, "L": depth, "U": U, "V": V},
        hypotheses={"n > 1 and L >= 1": True},
        violates={"the layer of width nL is a layer of width n": len(V) == network.width and bool((network.layers[0][1] == V).all())},
        minimal="L = 1, every n",
    )


@claim(
    "lizaire26.thm6.proof",
    topic="depth",
    place="Theorem 6, App. A.4 (proof)",
    title="for any input dimension, parts of the input matrix of one wide layer can have the ranks 1 and 2",
    says=r"There is $\tilde U$ with blocks $\operatorname{rank}\tilde U_1=1$ and $\operatorname{rank}\tilde U_2=2$, which $U^{(1)}$ and $U^{(2)}U^{(1)}$ cannot have.",
    reading="for every d; Theorem 2, to which the comparison leads, has d = 1",
    sabotages={"two channels": {"d": 2}},
)
def one_channel_has_rank_one(proof: Proof, d: int = 1) -> None:
    """A block of the input matrix has d columns, so its rank is at most d: for d = 1 the proof has no function to offer. (A longer copy serves, see lizaire26.prop1.)"""
    n = 2
    block = exact.identity(max(n, d))[:n, :d]
    proof.counterexample(
        given={"n": n, "L": 2, "d": d, "a block of the largest rank": block},
        hypotheses={"n > 1, L > 1": True},
        violates={"no block has rank 2": exact.rank(block) < 2},
        minimal=f"d = {d}",
    )


@claim(
    "lizaire26.params",
    topic="depth",
    place="Theorem 2, Sec. 3.1 (note)",
    title="L layers of width n with one input channel have (2L - 1) n^2 + (L + 1) n parameters, initial states not counted",
    says=r"$\#\mathrm{params}(n,L)=(2L-1)n^2+(L+1)n$ for $d=1$; with $d$ channels $(2L-1)n^2+(L+d)n$.",
    construction="lemmata.constructions.depth.parameters",
    sabotages={"the biases are forgotten": {"biases": 0}},
)
def counting_parameters(proof: Proof, biases: int = 1) -> None:
    """The entries of U, V and b of a network, counted."""
    largest = proof.pick(5, 8, 12)
    for n, depth, d in proof.every(f"n, L <= {largest}, d <= 3", product(range(1, largest + 1), range(1, largest + 1), (1, 2, 3))):
        network = DeepLinear(
            tuple((exact.zeros(n, d if level == 0 else n), exact.zeros(n, n)) for level in range(depth)), exact.zeros(1, n)
        )
        entries = sum(U.size + V.size + biases * len(V) for U, V in network.layers)
        proof.exactly("the count", entries, parameters(n, depth, d))


@claim(
    "lizaire26.params.initial",
    topic="depth",
    place="Theorem 2, Sec. 3.1 (note)",
    title="counting initial states as well, nL more, does not change Theorem 2 for copies and n >= 4",
    says=r"With $p=L(n-1)$, $n\ge4$: if $L'<L$ layers of width $n'$ copy $p$ steps, $(2L'-1)n'^2+(2L'+1)n'>(2L-1)n^2+(2L+1)n$.",
    uses=("lizaire26.thm2",),
    sabotages={"widths from 3 on": {"least": 3}},
)
def initial_states_do_not_matter(proof: Proof, least: int = 4) -> None:
    """The shallower network may have fewer units, by L - L' at most (n'L' >= L(n - 1) + L'), so this needs a look: at n = 3, L = 2 it is 40 against 42."""
    largest = proof.pick(12, 40, 120)
    for n in proof.every(f"4 <= n <= {largest}, L <= {largest}, all L' < L", range(least, largest + 1)):
        cheaper = []
        for depth in range(2, largest + 1):
            for shallow in range(1, depth):
                width = -(-depth * (n - 1) // shallow) + 1
                if _least_parameters(n, depth, shallow) + shallow * width <= parameters(n, depth) + depth * n:
                    cheaper.append((depth, shallow))
        proof.exactly("no shallower network is as small", cheaper, [])


@claim(
    "lizaire26.appA5.1",
    topic="depth",
    place="App. A.5.1",
    title="the width from which on a copy costs more parameters in fewer layers is 1 + L'(1 + sqrt(12a + 1)) / 2a, largest for L = 2, L' = 1",
    says=r"$\#(\tfrac L{L'}(n-1)+1,L')-\#(n,L)=\tfrac{L-L'}{L'^2}(an^2+bn+c)$ with $a=2LL'-L-L'$, $b=-2a-L'$, $c=a-L'(3L'-1)$; the larger root falls in $L$ and, at $L=L'+1$, in $L'$; its maximum is $(3+\sqrt{13})/2<4$.",
    uses=("lizaire26.params",),
    sabotages={"b = -2a + L'": {"middle": lambda a, k: -2 * a + k}},
)
def critical_width(proof: Proof, middle=lambda a, k: -2 * a - k) -> None:
    """Identities in n, L and L'. Both derivatives of the root have one sign: the paper's in L, and at L = L' + 1 the one in L', whose
    numerator is -(4 L'^2 + 2) S - (52 L'^2 - 22) with S = sqrt(24 L'^2 - 11) > 0."""
    n, big, k = sympy.symbols("n L k", positive=True)
    a = 2 * big * k - big - k
    b, c = middle(a, k), a - k * (3 * k - 1)

    def params(width, depth):
        return (2 * depth - 1) * width**2 + (depth + 1) * width

    difference = params(big / k * (n - 1) + 1, k) - params(n, big)
    proof.symbolically("the difference", difference, (big - k) / k**2 * (a * n**2 + b * n + c), free="n, L, L'")
    root = 1 + k * (1 + sympy.sqrt(12 * a + 1)) / (2 * a)
    proof.symbolically("the larger root", a * root**2 + b * root + c, 0, free="L, L'")
    derivative = -(6 * a + sympy.sqrt(12 * a + 1) + 1) * k * (2 * k - 1) / (2 * a**2 * sympy.sqrt(12 * a + 1))
    proof.symbolically("its derivative in L", sympy.diff(root, big), derivative, free="L, L'")
    edge = root.subs(big, k + 1)
    proof.symbolically("at L = L' + 1", edge, 1 + k * (1 + sympy.sqrt(24 * k**2 - 11)) / (4 * k**2 - 2), free="L'")
    S = sympy.sqrt(24 * k**2 - 11)
    falling = (-(4 * k**2 + 2) * S - (52 * k**2 - 22)) / ((4 * k**2 - 2) ** 2 * S)
    proof.symbolically("its derivative in L'", sympy.diff(edge, k), falling, free="L'")
    m = sympy.symbols("m")
    for positive in (24 * k**2 - 11, 52 * k**2 - 22):
        proof.holds("positive for L' = 1 + m, m >= 0", all(x > 0 for x in sympy.Poly(positive.subs(k, 1 + m), m).all_coeffs()))
    proof.exactly("the maximum, at L' = 1", sympy.simplify(edge.subs(k, 1) - (3 + sympy.sqrt(13)) / 2) == 0, True)
    proof.holds("it is below 4", bool(sympy.sqrt(13) < 5))
