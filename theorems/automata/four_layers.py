"""S_n in four layers with one reflection per token (after Siems et al., DeltaProduct), closed at every length, beside one layer and beside solvable stacks."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import combinations, permutations

from ...constructions import householder
from ...constructions.automata import Automaton, compile_automaton
from ...constructions.automata.choose.ways import Construction
from ...constructions.automata.layers.covers import Images
from ...constructions.automata.layers.swap_per_token import symmetric_by_swaps
from ...constructions.automata.prove.closure import LayerClosure, NotClosed, close_by_layers
from ...constructions.automata.prove.document import network_document
from ...constructions.automata.read.sources import from_permutations, named_group
from ...constructions.recurrence import Recurrence, Stack
from ...numerics import exact
from ...numerics.aliases import Key
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof


def window_table(n: int, letters: int) -> int:
    """What layer 4 can read: a position modulo 2m and the last 2m letters, m = n - 1, or all of fewer than 2m letters."""
    window = 2 * n - 2
    return window * letters**window + sum(letters**t for t in range(1, window))


def _instances(proof: Proof) -> list[tuple[str, Mapping[Key, Images]]]:
    found: dict[str, Mapping[Key, Images]] = {}
    for n in proof.pick((2, 3), (2, 3, 4), (2, 3, 4, 5)):
        found[f"S_{n}"] = named_group(f"S{n}") if n > 2 else {"swap": (1, 0)}
    if proof.effort == "thorough":
        found["S_3, all elements"] = {str(g): g for g in permutations(range(3))}
    return list(found.items())


@claim(
    "new.automata.four-layers",
    place="after grazzi25 Sec. 4.3 and Theorem 6",
    title="Sₙ in four layers with one factor per letter: a table of 2m k²ᵐ windows, m = n − 1, k letters; beside other stacks",
    says=r"Let $\Sigma$ generate $S_n$, $n\ge2$, $k=|\Sigma|$, $m=n-1$. Four layers of widths $1,2,2m,n$, each transition at most one factor $I-\beta vv^\top$, output the product of the letters at every length. Layer 4 reads $2mk^{2m}+k+k^2+\dots+k^{2m-1}$ different letters: a position and a window. "
    r"For $S_3$, $S_4$ with all elements as letters these are $5442$ and more than $10^9$, where three and five layers of width $\le2$, also with one factor, have $108$ and $2160$ entries in all their decoders, and one layer with two factors $36$ and $576$; for $S_5$ more than $3\cdot10^{17}$, one layer with four factors $14400$.",
    known="Siems et al., DeltaProduct (arXiv 2502.10297): the four layers for every n, with a table of 2m (n!)^2m entries. Their proof was not at hand: the layers are built anew from that statement. New is the closure at every length, and the count beside other stacks.",
    construction="lemmata.constructions.automata.layers.swap_per_token.symmetric_by_swaps",
    sabotages={
        "the swaps are not applied": {"stack_of": lambda letters: _without_swaps(letters)},
        "the parity stands still": {"stack_of": lambda letters: _without_clock(letters)},
        "a window of half the size is counted": {
            "table": lambda n, k: window_table(n, k) - (2 * n - 2) * k ** (2 * n - 2) + (2 * n - 2) * k ** (n - 1)
        },
    },
)
def four_layers(proof: Proof, stack_of=symmetric_by_swaps, table=window_table) -> None:
    r"""A permutation of $n$ points is $m$ swaps; while $m$ letters arrive, the product of the $m$ letters before them is applied, one swap at a time.

    1. Layers 1 and 2 count the position $t$ modulo $2m$ by one reflection each: $A=-1$, and reflections of the plane. [uses: grazzi25.thm6]
    2. Layer 3 has $2m$ slots: $A=I-ee^\top$, $B=\operatorname{code}(x_t)\,e$ with $e=e_{t\bmod 2m}$. After $t$ letters it holds the last $2m$, each in the slot of its position, and layer 2 says which is which. [prose]
    3. Let $t=bm+j$, $1\le j\le m$, and $s_m\cdots s_1$ the product of the block of letters $(b-1)m+1,\dots,bm$, in swaps or identities. These letters and the $j$ that follow are in the window, as $m+j\le2m$. Layer 4 multiplies its state $H$ by the matrix of $s_j$. By induction on $t$, $H=P(s_j\cdots s_1g)\,(1,\dots,n)^\top$ with $g$ the product of the first $(b-1)m$ letters:
       at $j=m$ this is the product of the first $bm$. The output is $x_t\cdots x_{bm+1}\cdot s_m\cdots s_{j+1}\cdot s_j\cdots s_1g$, the product of all. [prose]
    4. The machine closes all four layers, over every word. [checked: "the output is the product, on all words"; "one factor at most"; "widths 1, 2, 2m, n"]
    5. Layer 4 reads the position and the window: $k^{2m}$ windows at each of $2m$ positions, all of them reached after $2m$ letters or more, and $k^t$ words of length $t<2m$. [checked: "what layer 4 reads"; "S_3, all elements: what layer 4 would read"; "S_4, S_5, all elements: more than 10^9"]
    6. Decoders of the other stacks, all elements as letters: pairs of a state and a letter that are met, summed over the layers. [uses: new.automata.solvable] [checked: "S_3: entries"; "S_4: entries"]
       For $S_5$ one layer has $120\cdot120$; no layer with fewer than four factors exists. [uses: new.automata.fewest-reflections.symmetric]
    """
    for name, letters in proof.each("S_2, S_3 and S_4 by generators", _instances(proof)):
        automaton = from_permutations(letters)
        n, stack = len(next(iter(letters.values()))), stack_of(letters)
        closures, outcome = _closed(stack, automaton)
        for _ in proof.every("all words", [f"{automaton.n} states"], limited=False):
            proof.exactly(f"the output is the product, on all words of {name}", outcome, "right")
        proof.exactly("widths 1, 2, 2m, n", [len(layer.initial) for layer in stack.layers], [1, 2, 2 * n - 2, n])
        maps = [A for closure in closures for A, _ in closure.maps]
        proof.holds("one factor at most: rank(A - I) <= 1", all(map(_one_factor, maps)))
        if closures:
            proof.exactly("what layer 4 reads", len(closures[-1].arrows), table(n, len(letters)))
            if n == 3 and len(letters) == 2:
                proof.certificate("network", "S_3 by a swap and a 3-cycle, in four layers", **network_document(automaton, closures))
    proof.exactly("S_3, all elements: what layer 4 would read", table(3, 6), 5442)
    proof.holds("S_4, S_5, all elements: more than 10^9, and 3 10^17", table(4, 24) > 10**9 and table(5, 120) > 3 * 10**17)
    entries: dict[str, list[tuple[Construction, int, int]]] = {
        "S_3": [("solvable", 108, 3), ("two-reflections", 36, 1)],
        "S_4": [("two-reflections", 576, 1)],
    }
    if proof.effort != "quick":
        entries["S_4"].append(("solvable", 2160, 5))
    for name in entries:
        for construction, expected, layers in entries[name]:
            found = _entries(int(name[2:]), construction)
            proof.exactly(f"{name}: entries of all decoders, and layers, by {construction}", found, (expected, layers))
    proof.exhibit(
        "what layer 4 reads, all elements as letters", **{f"S_{n}": table(n, len(list(permutations(range(n))))) for n in (2, 3, 4, 5)}
    )


@cache
def _entries(n: int, construction: Construction) -> tuple[int, int]:
    """(pairs of a state and a letter that the decoders meet, layers) of a stack for S_n, all elements as letters."""
    network = compile_automaton(from_permutations({str(g): g for g in permutations(range(n))}), construction=construction)
    return sum(len(closure.decoder) for closure in network.proof), len(network.layers)


def _one_factor(A: Array) -> bool:
    """rank(A - I) <= 1, whatever field the entries lie in: all minors of size 2 vanish."""
    D = A - exact.identity(len(A))
    corners = list(combinations(range(len(A)), 2))
    return all(D[i, k] * D[j, l] == D[i, l] * D[j, k] for i, j in corners for k, l in corners)


def _closed(stack: Stack, automaton: Automaton) -> tuple[list[LayerClosure], str]:
    try:
        return close_by_layers(stack, automaton), "right"
    except NotClosed as why:
        return [], str(why)


def _without_swaps(letters: Mapping[Key, Images]) -> Stack:
    *first, last = symmetric_by_swaps(letters).layers
    one = exact.identity(len(last.initial))
    return Stack((*first, Recurrence(lambda read: one, last.inputs, last.initial, last.decode)))


def _without_clock(letters: Mapping[Key, Images]) -> Stack:
    first, *others = symmetric_by_swaps(letters).layers
    return Stack(
        (Recurrence(lambda x: householder.permutation_matrix((0,)), lambda x: first.initial, first.initial, first.decode), *others)
    )
