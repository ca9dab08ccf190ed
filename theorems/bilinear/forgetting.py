"""Which automata networks with activations in depth only track in bounded states: those that forget (after lizaire26, Sec. 3.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from ...constructions.activations import DepthOnly
from ...constructions.depth.only import forgetful_network, memory_length
from ..claim import claim
from ..evidence import Proof

Table = list[list[int]]

PARITY: Table = [[0, 1], [1, 0]]
#: letters for 0, 1 and hold
LATCH: Table = [[0, 1, 0], [0, 1, 1]]


def reached(delta: Table, start: int) -> set[int]:
    """The states that words lead to from a state."""
    seen, border = {start}, [start]
    while border:
        new = set(delta[border.pop()]) - seen
        seen |= new
        border += new
    return seen


def strongly_connected(states: int, letters: int) -> Iterator[Table]:
    """All strongly connected automata on the states 0, 1, .. with these letters, as tables of next states."""
    for entries in product(range(states), repeat=states * letters):
        delta = [list(entries[q * letters : (q + 1) * letters]) for q in range(states)]
        if all(len(reached(delta, q)) == states for q in range(states)):
            yield delta


def run(delta: Table, state: int, word: Sequence[int]) -> int:
    """The state after a word."""
    for a in word:
        state = delta[state][a]
    return state


def follows(network: DepthOnly, delta: Table, start: int) -> bool:
    """Whether the network of one layer says the automaton's state after every word: all pairs (state of the layer, state) are followed until no new one comes."""
    (layer,) = network.layers
    first = (tuple(layer.initial), start)
    seen, border = {first}, [first]
    while border:
        h, q = border.pop()
        for a, r in enumerate(delta[q]):
            g, y = layer.step(np.array(h, dtype=object), np.array([a], dtype=object))
            if (network.readout @ y + network.offset)[0] != r:
                return False
            if (tuple(g), r) not in seen:
                seen.add((tuple(g), r))
                border.append((tuple(g), r))
    return True


def kept_apart(delta: Table) -> tuple[int, int, int, list[int], list[int]] | None:
    """(q, a, b, u, v): the pair of states q.au, q.bu is not one state, and v leads it back to itself. None if there is none."""
    for q, row in enumerate(delta):
        for b in range(len(row)):
            for a in range(b):
                stack: list[tuple[list[tuple[int, int]], list[int]]] = [([(row[a], row[b])], [])]
                tried = set()
                while stack:
                    pairs, word = stack.pop()
                    x, y = pairs[-1]
                    if x == y:
                        continue
                    if (x, y) in pairs[:-1]:
                        first = pairs.index((x, y))
                        return q, a, b, word[:first], word[first:]
                    if (x, y) not in tried:
                        tried.add((x, y))
                        stack += [([*pairs, (delta[x][c], delta[y][c])], [*word, c]) for c in range(len(row))]
    return None


@claim(
    "new.bilinear.forgetting",
    place="after lizaire26, Sec. 3.3 and 4.2",
    title="bounded states and Lipschitz activations in depth track just those strongly connected automata that forget",
    says=r"For a strongly connected finite automaton with states numbered by integers the following are equivalent. (a) Some network with activations in depth only, Lipschitz on bounded sets, whose states stay bounded over all words, and a continuous readout are within $\frac13$ of the state after each word. "
    r"(b) There is $i$ with $q\cdot az=q\cdot bz$ for all states $q$, letters $a,b$ and words $z$ with $|z|\ge i$. (c) One layer with a piecewise linear activation says the state exactly, with finitely many states.",
    reading="finite alphabets; exact real numbers; any depth and width in (a)",
    known="Automata with (b) and without a clock are the definite ones of Perles, Rabin and Shamir (1963). For arithmetic of fixed width, where sums saturate, Alsmann, Noori and Lange (arXiv 2601.19467) place time-invariant state space models among temporal logics. "
    "That a gate which may depend on the input is needed for a latch is folklore; for deep time-invariant networks with any Lipschitz activations we know of no proof.",
    construction="lemmata.constructions.depth.only.forgetful_network",
    sabotages={
        "another start": {"network": lambda delta, start: forgetful_network(delta, (start + 1) % len(delta))},
        "every automaton is said to forget": {"memory": lambda delta: 1},
    },
)
def a_register_and_a_clock(proof: Proof, network=forgetful_network, memory=memory_length) -> None:
    r"""What is tracked must forget, and what forgets is a register and a clock.

    1. (a) implies (b). [uses: new.bilinear.bounded] (c) implies (a). [prose]
    2. (b) is decided on pairs of states: $\{q\cdot a,q\cdot b\}$ and what letters make of it. Either all pairs have become one state after $i$ letters, or a pair comes back to itself. [checked: "a pair comes back"; "i letters make one state"]
    3. Let (b) hold, $u$ lead from the start $q_0$ to itself, $|u|=\ell$, and $e$ be a letter. For $|z|\ge i$, letters before $z$ may be exchanged one by one: $q_0\cdot wz=q_0\cdot e^{|w|}z$. And $q_0\cdot e^nz=q_0\cdot u e^nz=q_0\cdot e^{n+\ell}z$. So the state after $w$ is that after
       $u^Kw$, for $K\ell\ge i$, and depends only on the last $i$ letters of $u^Kw$ and on the length modulo $\ell$. [prose]
    4. A register of $i$ letters and a clock, a permutation matrix of size $\ell$, are linear; a further unit writes both as one of $k^i\ell$ integers, and a piecewise linear activation looks the state up. [checked: "the network says the state after every word"]
    5. So neither parity nor a latch is tracked. [checked: "parity and a latch do not forget"]
    """
    sizes = proof.pick(((1, 2), (2, 1), (2, 2)), ((1, 2), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2)), ((2, 3), (2, 4), (3, 2), (3, 3), (4, 2)))
    proof.exactly("parity and a latch do not forget", [memory_length(PARITY), memory_length(LATCH)], [None, None])
    forgetful, shown = 0, {size: [] for size in sizes}
    automata = (delta for states, letters in sizes for delta in strongly_connected(states, letters))
    for delta in proof.every(f"all strongly connected automata with (states, letters) in {sizes}", automata):
        i, back = memory(delta), kept_apart(delta)
        if i is None:
            q, a, b, u, v = back or (0, 0, 0, [], [])
            one, other = run(delta, q, [a, *u]), run(delta, q, [b, *u])
            proof.holds("a pair comes back", one != other and v != [] and (run(delta, one, v), run(delta, other, v)) == (one, other))
            shown[len(delta), len(delta[0])].append({"delta": delta, "q": q, "a": a, "b": b, "u": u, "v": v})
            continue
        letters = range(len(delta[0]))
        merged = all(len({run(delta, q, (a, *z)) for a in letters}) == 1 for q in range(len(delta)) for z in product(letters, repeat=i))
        proof.holds("i letters make one state", merged)
        built = network(delta, 0) if back is None else None
        proof.holds("the network says the state after every word", built is not None and follows(built, delta, 0))
        forgetful += 1
        if built is not None:
            (layer,) = built.layers
            values = [int(layer.activation(u)) for u in range(len(delta[0]) ** i * (len(layer.V) - i - 1))]
            network_data = {"V": layer.V, "U": layer.U, "initial": layer.initial, "values": values}
            shown[len(delta), len(delta[0])].append({"delta": delta, **network_data})
    for (states, letters), found in shown.items():
        proof.certificate("witness", f"{states} states, {letters} letters", states=states, letters=letters, automata=found)
    proof.exhibit("how many forget", automata=sizes, forgetful=forgetful)
