"""Late states: after long words a bounded network with activations in depth only keeps the beginning, the end and the time (after lizaire26, Sec. 3.3)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from ...constructions.activations import DepthOnly
from ...constructions.late_forgetting import late_memory, late_states, prefix_and_suffix_network
from ..claim import claim
from ..evidence import Proof
from .forgetting import Table, reached

#: has there been a 1?
ONCE: Table = [[0, 1], [1, 1]]
#: was the first letter a 1?
FIRST: Table = [[1, 2], [1, 1], [2, 2]]


def with_all_reached(states: int, letters: int) -> Iterator[Table]:
    """All automata on the states 0, 1, .. all of which words lead to from 0."""
    for entries in product(range(states), repeat=states * letters):
        delta = [list(entries[q * letters : (q + 1) * letters]) for q in range(states)]
        if len(reached(delta, 0)) == states:
            yield delta


def says_the_state(network: DepthOnly, delta: Table) -> bool:
    """Whether the network says the automaton's state, from 0, after every word: all pairs (states of all layers, state) are followed until no new one comes."""
    border = [(tuple(tuple(layer.initial) for layer in network.layers), 0)]
    seen = set(border)
    while border:
        states, q = border.pop()
        for a, after in enumerate(delta[q]):
            y, found = np.array([a], dtype=object), []
            for layer, h in zip(network.layers, states, strict=True):
                g, y = layer.step(np.array(h, dtype=object), y)
                found.append(tuple(g))
            if (network.readout @ y + network.offset)[0] != after:
                return False
            node = (tuple(found), after)
            if node not in seen:
                seen.add(node)
                border.append(node)
    return True


def meets_late(delta: Table) -> bool:
    """Whether two letters at a late state make states that all long words bring together: no pair of different states that they make comes back to itself."""
    pairs = {(x, y) for q in late_states(delta, 0) for x in delta[q] for y in delta[q] if x != y}
    while True:
        # a pair stays if one of its successors does: what is left in the end can be kept apart for ever
        graph, border = {}, list(pairs)
        while border:
            x, y = border.pop()
            if (x, y) not in graph:
                graph[x, y] = {(delta[x][a], delta[y][a]) for a in range(len(delta[0])) if delta[x][a] != delta[y][a]}
                border += graph[x, y]
        left = set(graph)
        while gone := {p for p in left if not graph[p] & left}:
            left -= gone
        return not left


@claim(
    "new.bilinear.late",
    place="after lizaire26, Sec. 3.3 and 4.2",
    title="bounded states with Lipschitz activations in depth track exactly the generalised definite automata, up to a clock",
    says=r"For a finite automaton with states numbered by integers, all reached from the start, the following are equivalent. (a) Some network with activations in depth only, Lipschitz on bounded sets, whose states stay bounded over all words, and a continuous readout are within $\frac13$ of the state after each word. "
    r"(b) There is $i$ with $q\cdot az=q\cdot bz$ for all letters $a,b$, words $z$ with $|z|\ge i$ and all states $q$ to which arbitrarily long words lead. (c) Two layers with piecewise linear activations say the state exactly, with finitely many states.",
    reading="finite alphabets; exact real numbers; any depth and width in (a). So 'has there been a 1' is not tracked, and 'was the first letter a 1' is",
    known="Automata with (b) and without a clock are the generalized definite ones (Ginzburg 1966). The almost periodic part is Bohr's theorem on bounded sums; for arithmetic of fixed width, where sums saturate and 'has there been a 1' is easy, see Alsmann, Noori and Lange (arXiv 2601.19467).",
    construction="lemmata.constructions.late_forgetting.prefix_and_suffix_network",
    sabotages={
        "every automaton is said to forget": {"memory": lambda delta, start: 1},
        "the automaton is run from another state": {"network": lambda delta, start: prefix_and_suffix_network(delta, len(delta) - 1)},
    },
)
def beginning_end_and_time(proof: Proof, network=prefix_and_suffix_network, memory=late_memory) -> None:
    r"""As in new.bilinear.bounded a letter that is not forgotten is exchanged again and again, but now at every limit of states after long words: instead of a minimal set, almost periodic runs bring the states back.

    1. Let $\Lambda$ be the set of limits of $s(w_j)$, $|w_j|\to\infty$: compact, and each $s\in\Lambda$ is $s'\cdot y$ with $s'\in\Lambda$ and $|y|$ as large as one likes. Go through the coordinates $m_t=\lambda m_{t-1}+g_t$ of the layers as in new.bilinear.bounded; $\pi$ are those
       before $m$. Suppose (F): $|\pi(s\cdot az)-\pi(s\cdot bz)|\le C\rho^{|z|}$ on $\Lambda$; and (AP): for each word $P$ and all $x_r\in\Lambda$, $r\in\mathbb Z$, with $x_{r+1}=x_r\cdot P$, $\pi(x_r)$ is almost periodic in $r$. [prose]
    2. (AP) for $m$: $m(x_{r+1})=\lambda^{|P|}m(x_r)+\Gamma_r$ with $\Gamma_r$ almost periodic, and $m$ is bounded on $\mathbb Z$. For $|\lambda|\ne1$ it is a uniformly convergent series of these, for $|\lambda|=1$ a bounded sum, up to the factor $\lambda^{r|P|}$, hence almost periodic. [cited: Bohr's theorem on bounded sums]
    3. (F) for $m$, $|\lambda|=1$: given $s$, $a$, $b$, $z$, $|z|=i$, let $y$ be the last $i$ letters before $s$ and $P=azy$. Exchange all letters before these for $..PPP$, from states further and further back: in the limit there are $x_r$ as in (AP), and by (F)
       $|\pi(s\cdot w)-\pi(x_0\cdot w)|\le C\rho^{i+|w|}/(1-\rho)$ for all $w$. By (AP) $\pi(x_r)$ comes back to $\pi(x_0)$, as near and as often as one likes; in these blocks exchange $a$ for $b$. As in new.bilinear.bounded $m(x_0\cdot az)-m(x_0\cdot bz)$
       is at most a constant times $\rho^i$, and so is that at $s$. Other $\lambda$ as there. [uses: new.bilinear.bounded] [prose]
    4. (a) implies (b): take limits of $(s(w),q(w))$ along words that lead to $q$, and long $z$, as in new.bilinear.forgetting. [uses: new.bilinear.forgetting] [prose]
    5. (b) implies (c): after $n$ letters, as many as there are states, the state is late; from then on the last $i$ letters, the time and the state at time $n$ tell it, and this is told by the first $n$ letters. A register and a clock that first counts and then goes round are
       linear; $\operatorname{ReLU}(x_t-k(1-e_s(t)))$ is $x_s$ at time $s$, where $e_s$ is the clock's unit, and $0$ else, and sums above keep it. A unit writes all as one integer. [checked: "the network says the state after every word"] [prose]
    6. (b) is decided on pairs of states. [checked: "two ways to decide agree"]
    7. 'Has there been a 1' fails (b), 'was the first letter a 1' does not. [checked: "has there been a 1, was the first letter a 1"]
    """
    sizes = proof.pick(((1, 2), (2, 1), (2, 2)), ((1, 2), (2, 1), (2, 2), (3, 1), (2, 3), (3, 2)), ((2, 3), (2, 4), (3, 2), (4, 1)))
    proof.exactly("has there been a 1, was the first letter a 1", [late_memory(ONCE, 0), late_memory(FIRST, 0)], [None, 0])
    automata = (delta for states, letters in sizes for delta in with_all_reached(states, letters))
    for delta in proof.every(f"all automata with (states, letters) in {sizes} whose states are all reached", automata):
        forgets = memory(delta, 0) is not None
        proof.exactly("two ways to decide agree", forgets, meets_late(delta))
        if forgets:
            built = network(delta, 0) if meets_late(delta) else None
            proof.holds("the network says the state after every word", built is not None and says_the_state(built, delta))
            if built is not None and delta in ([[1, 1], [1, 1]], [[0, 1], [0, 1]], FIRST):
                first, second = built.layers
                i, n, k = late_memory(delta, 0) or 0, len(delta), len(delta[0])
                values = [int(second.activation(u)) for u in range(k ** (n + i) * (len(first.V) - i - n))]
                layers = [{"V": layer.V, "U": layer.U, "b": layer.b, "initial": layer.initial} for layer in built.layers]
                proof.certificate("witness", f"a network for {delta}", delta=delta, layers=layers, values=values)
    proof.cites(
        "Bohr's theorem: a bounded sum of an almost periodic sequence is almost periodic (Bohr 1925; Fink, Almost Periodic Differential Equations, 1974)"
    )
