"""One layer by divisions of the states, or by copies for the elements of a group; and how wide a layer has to be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, product
from math import inf, lcm
from random import Random
from typing import Any

import sympy
from flint import fmpz

from ...constructions.automata import Automaton, Candidate, candidates, compile_candidate
from ...constructions.automata.choose.given import Given
from ...constructions.automata.choose.preimages import copies, preimages
from ...constructions.automata.layers.copies import Edges, Graph, graphs
from ...constructions.automata.layers.preimages import Held, held, one_place, preimage
from ...constructions.automata.levels.merged import held_layer
from ...constructions.automata.read.families import all_automata, random_automaton
from ...constructions.automata.read.sources import from_regex
from ...constructions.automata.rounding.precision import guaranteed_lengths
from ...constructions.languages.width import rational_width, width_of_one_layer
from ...constructions.recurrence import Recurrence, Stack
from ...numerics.exact import Array
from ..claim import claim
from ..closure import closes_by_layers
from ..evidence import Proof
from .finite_layers import closed, delta_product, one_sided, random_layers
from .one_layer import EXACT

#: no places to tell apart: the layer's state alone tells the automaton's
STATE_ALONE = "the decoder reads the layer's state alone, not the last letter"

#: shared positions of its cascade make a group that no group of its monoid covers; one layer of three divisions holds it
TWISTED = Automaton({"a": (3, 3, 3, 1), "b": (0, 2, 1, 2)})

#: one letter permutes four states in a circle, the other merges two: a layer of copies for a group of four
NEEDS_A_GROUP = Automaton({"a": (1, 1, 3, 2), "b": (2, 3, 1, 0)})


def serves(divisions: Sequence[int], automaton: Automaton) -> bool:
    """Whether a set of divisions is closed, has different preimages, and tells all states apart; by sets of states."""
    n = automaton.n
    parts = [frozenset(q for q in range(n) if part >> q & 1) for part in divisions]
    sides = {p: i for i, part in enumerate(parts) for p in (part, frozenset(range(n)) - part)}
    for f in automaton.table.values():
        befores = [frozenset(q for q in range(n) if f[q] in part) for part in parts]
        kept = [before for before in befores if 0 < len(before) < n]
        if any(before not in sides for before in kept) or len({sides[before] for before in kept}) < len(kept):
            return False
    return len({tuple(q in part for part in parts) for q in range(n)}) == n


def some_divisions_serve(automaton: Automaton) -> bool:
    """Whether some set of divisions does, of all sets."""
    every = range(1, (1 << automaton.n) - 1, 2)
    return any(serves(chosen, automaton) for size in range(len(every) + 1) for chosen in combinations(every, size))


def moves_and_writes(A: Array, B: Array) -> bool:
    """Whether A is a partial permutation matrix with signs, and B is 0 in the rows that it fills."""
    lines = (*A, *A.T)
    return (
        all(x in (0, 1, -1) for x in A.flat)
        and all(sum(x != 0 for x in line) <= 1 for line in lines)
        and not any(any(x != 0 for x in row) and b != 0 for row, b in zip(A, B[:, 0], strict=True))
    )


def layer_of(automaton: Automaton, found: Held) -> Recurrence:
    """The layer that the compiler builds of divisions."""
    return held_layer(automaton, found)


def undivided(automaton: Automaton, found: Held) -> Recurrence:
    """The layer with the last of its coordinates never copied."""
    layer = held_layer(automaton, found)

    def transition(x: Any) -> Array:
        A = layer.transition(x).copy()
        A[-1] = A[-1] * 0
        return A

    return Recurrence(transition, layer.inputs, layer.initial, layer.decode)


def _is_unrounded(proof: Proof, candidate: Candidate) -> None:
    """What is recorded of a network that floats round nowhere."""
    network = compile_candidate(candidate)
    document = network.document()
    lengths = guaranteed_lengths(document)
    proof.exactly("every length on every path in every format", {n for row in lengths.values() for n in row.values()}, {inf})
    fewest = all(len(m["steps"]) <= width for width, layer in zip(network.widths, document["layers"], strict=True) for m in layer["maps"])
    proof.holds("as many GH factors at most as the layer is wide", fewest)


@claim(
    "new.automata.preimages",
    place="after grazzi25 Theorem 4 (App. C.5)",
    title="divisions with different preimages: one layer of signed partial permutation matrices, which no float rounds",
    says=r"Let a set $\mathcal D$ of divisions of an automaton's states into two parts tell all states apart. For each letter, let the preimage of each $D\in\mathcal D$ be undivided or in $\mathcal D$, and let preimages in $\mathcal D$ of different $D$ differ. "
    r"Then one layer of width $|\mathcal D|$ tracks the automaton: entries 0 and $\pm1$, $\|A\|\le1$, at most $|\mathcal D|$ GH factors a letter, and no sum of two terms other than 0 in any composition. So each state is exact in every format. "
    r"Such a $\mathcal D$ exists if and only if the states are told apart by all those sets with the property that are generated by one division. The same holds for a layer above others, with divisions at each place that the layers below tell.",
    hypotheses=("the divisions are of the automaton's own states; of what the last letter adds to them nothing is said",),
    known="A register of the last letters, a diagonal of signs, and permutation matrices are examples. Reading a language backwards by preimages is Brzozowski's; that injective ones make contractions was not found.",
    remarks=(
        "lemmata compile builds it if it has the fewest layers; where several families serve, few coordinates are chosen greedily.",
        "By new.automata.one-layer.norm idempotents of such an automaton satisfy efe = fe; the converse fails for divisions of its own states.",
    ),
    construction="lemmata.constructions.automata.layers.preimages.held",
    sabotages={
        "a coordinate is not copied": {"layer": undivided},
        "preimages may be alike": {"wanted": lambda automaton: len(set(automaton.table)) > 0},
        "a division is left out": {"found": lambda automaton: _without_one(held(one_place(automaton)))},
    },
)
def divisions_make_one_layer(
    proof: Proof,
    layer: Callable[[Automaton, Held], Recurrence] = layer_of,
    wanted: Callable[[Automaton], bool] = some_divisions_serve,
    found: Callable[[Automaton], Held | None] = lambda automaton: held(one_place(automaton)),
) -> None:
    r"""What a division says after a letter, its preimage said before.

    1. Give $D$ the coordinate $s_D(q)=1$ in the part of state 0 and $-1$ in the other. After the letter $x$ it is $s_D(q.x)=\pm s_{D'}(q)$, where $D'$ is the preimage, or a constant if that has one part: the letter copies one coordinate with a sign, or writes. [checked: "a coordinate after a letter"]
    2. So a row of $A$ has one entry at most, $\pm1$, and an input only if it has none. A column has one at most, since different divisions have different preimages: $A$ is a partial permutation matrix with signs. [checked: "signed partial permutations, inputs in empty rows"]
    3. Such maps are closed under composition, and no sum in it has two terms other than 0: $A_2$ maps rows that $A_1$ fills, and rows that $B_1$ fills, one to one, and $B_2$ lies in rows that $A_2$ leaves empty. So a format that has 1 rounds nothing. [checked: "every length on every path in every format"] [prose]
    4. Projections along forgotten coordinates, which write, and then reflections: at most one factor for each coordinate. [checked: "as many GH factors at most"]
    5. The layer's states are the vectors of the automaton's states, which differ. [checked: "the output is the automaton's state"]
    6. The closure of one $D\in\mathcal D$ under preimages is in $\mathcal D$, so it has the property. Conversely of several sets with the property each gets coordinates of its own. So all divisions decide. [checked: "a layer is found exactly if some set of divisions serves"] [prose]
    7. A layer above others reads the places that they tell, before and after the letter. A division at the place after has a preimage at the place before; steps 1 to 5 are the same. [checked: "above a cascade's first levels"]
    8. Steps 1 to 5 hold for every such $\mathcal D$ by the same words; the machine goes through those of the scope. [prose]
    """
    largest = 3
    every = [a for n in range(2, largest + 1) for a in all_automata(n, 2)]
    for automaton in proof.every(f"all automata with 2 to {largest} states and 2 letters, from the first state", every):
        # whatever words reach: the layer starts anywhere
        proof.exactly("a layer is found exactly if some set of divisions serves", found(automaton) is not None, wanted(automaton))
    rng = Random(91)
    drawn = [random_automaton(rng, rng.randint(4, 6), rng.randint(1, 2)).reachable() for _ in range(proof.pick(60, 300, 1200))]
    serving = [a for a in [TWISTED, *(a.reachable() for a in every[:: proof.pick(9, 5, 1)]), *drawn] if a.n > 1 and found(a) is not None]
    for automaton in proof.each(
        f"{len(serving)} automata with such divisions, of all with 2 or 3 states and random ones with up to 6, seed 91", serving
    ):
        divisions = found(automaton)
        assert divisions is not None
        _copies_and_writes(proof, divisions)
        built = layer(automaton, divisions)
        maps = [(built.transition(x), built.inputs(x)) for x in automaton.letters]
        proof.holds("signed partial permutations, inputs in empty rows", all(moves_and_writes(A, B) for A, B in maps))
        closes_by_layers(proof, "the output is the automaton's state", Stack((built,)), automaton, certify=automaton is TWISTED)
        _is_unrounded(proof, Candidate("preimages", automaton, (divisions.width,), 1.0, inf, lambda built=built: Stack((built,))))
    merged = [
        candidate
        for automaton in [from_regex("(a|b)*aab*(a|b)*b"), *drawn]
        if automaton.n > 2
        for candidate in preimages(Given(automaton.reachable()))
        if candidate.cascade is not None
    ][: proof.pick(3, 8, 30)]
    for candidate in proof.each(f"{len(merged)} stacks whose last layer stands for several levels", merged):
        closes_by_layers(proof, "above a cascade's first levels, the output is the state", candidate.stack(), candidate.automaton)
        _is_unrounded(proof, candidate)


def _copies_and_writes(proof: Proof, divisions: Held) -> None:
    """Step 1 for each letter, division and state."""
    (place,) = divisions.places.states
    for arrow in divisions.places.arrows:
        for bundle, division in divisions.coordinates[place]:
            before, sign = preimage(arrow, division[1])
            for q, after in enumerate(arrow.images):
                was = divisions.value(bundle, before, q) * sign if before else divisions.value(bundle, division, arrow.images[0])
                proof.exactly("a coordinate after a letter", divisions.value(bundle, division, after), was)


def _without_one(found: Held | None) -> Held | None:
    """One bundle less, if there are two."""
    if found is None or len(found.bundles) < 2:
        return found
    fewer = {p: {key: c for key, c in here.items() if key[0] > 0} for p, here in found.coordinates.items()}
    return Held(found.places, fewer, found.bundles, found.width)


# -- copies for the elements of a group ---------------------------------------------------------------------------------------------


def one_layer_of(automaton: Automaton) -> list[Candidate]:
    """The layers that the compiler finds: of divisions, or of copies where there are none."""
    given = Given(automaton)
    return list(preimages(given) if given.held else copies(given))


def has_one_sided_idempotents(automaton: Automaton) -> bool:
    """Whether e f e = f e for all idempotents, by multiplying maps."""
    elements = closed([tuple(f) for f in automaton.table.values()])
    return one_sided(elements)


@claim(
    "new.automata.copies",
    place="after grazzi25 Theorem 4",
    title="one layer for a group's graph: for each chosen set of edges, which was used last, in a coordinate for each translate",
    says=r"Let letters $x$ be sent to elements of a finite group $G$, so that the product $g$ of the letters so far and the order of last uses of edges $(g,x)$ determine an automaton's state. Then it does with a few sets $T\subseteq G\times X$ of one or two edges: $g$, and which edge of each $hT$ was used last. "
    r"One layer holds this in $d+\sum|\{hT\}|$ coordinates, where $G$ has a faithful representation by signed permutations of size $d$. Its transitions are partial permutation matrices with signs, inputs stand in empty rows, and no float rounds. "
    r"For all automata with at most three states and two letters, such a layer or one of divisions is found if and only if $efe=fe$.",
    hypotheses=(EXACT, STATE_ALONE),
    known="new.automata.one-layer.norm.converse has all sets of one and two edges at once, in a block for each element; that a group exists is cited there.",
    remarks=(
        "Of a set that a group element keeps, translates are counted once if the coarser answer is enough.",
        "The search goes through groups of order 8 at most, that permutations of four points generate: no decision.",
    ),
    construction="lemmata.constructions.automata.layers.copies.copies_layer",
    sabotages={
        "answers stay where they are": {"back": lambda graph, R, a: R},
        "automata without the property": {"wanted": lambda automaton: True},
    },
)
def copies_make_one_layer(
    proof: Proof,
    back: Callable[[Graph, Edges, int], Edges] = Graph.back,
    wanted: Callable[[Automaton], bool] = has_one_sided_idempotents,
) -> None:
    r"""Seen from the product so far, a set of edges is another one, and letters permute these.

    1. For $U=hT$ write $R=g^{-1}U$. The edge $(g,x)$ is in $U$ if and only if $(1,x)\in R$. After the letter $x$ the set is $x^{-1}R$. So the answer to $U$ moves from the coordinate $R$ to $x^{-1}R$, or is overwritten there. [checked: "the letter moves R to x^-1 R"; "the edge is in U if (1, x) is in R"]
    2. $R\mapsto x^{-1}R$ permutes the translates: transitions are partial permutation matrices with signs. [checked: "signed partial permutations, inputs in empty rows"]
    3. What is written names $R$ and $x$, so with $U=gR$ known it names $g$ up to those elements that keep $T$. Two edges tell which of them was used later, if a mark that is never used makes all translates different. All pairs of edges tell the order of last uses. [prose]
    4. The layer's states are finitely many, and its output is the automaton's state. [checked: "the output is the automaton's state"; "every length on every path in every format"; "as many GH factors at most"]
    5. Conversely one layer needs $efe=fe$. [uses: new.automata.one-layer.norm] [checked: "one layer is found exactly if e f e = f e"]
    6. Steps 1 to 4 hold for every group by the same words; the machine goes through those of the scope. [prose]
    """
    graphs_of_two = [graph for graph in graphs(2) if len(graph.elements) <= proof.pick(3, 4, 8)]
    for graph in proof.each(f"{len(graphs_of_two)} groups of two generators, all sets of one and two edges", graphs_of_two):
        sets = [frozenset(chosen) for size in (1, 2) for chosen in combinations(graph.edges, size)]
        for T in sets[:: proof.pick(5, 2, 1)]:
            for g, a in product(range(len(graph.elements)), range(2)):
                R = graph.seen_from(g, T)
                proof.exactly("the letter moves R to x^-1 R", graph.seen_from(graph.after[g][a], T), back(graph, R, a))
                proof.exactly("the edge is in U if (1, x) is in R", (g, a) in T, (0, a) in R)
    largest, step = 3, proof.pick(5, 1, 1)
    every = [a.reachable() for n in range(2, largest + 1) for a in all_automata(n, 2)]
    every = [a for a in every if a.n > 1 and any(len(set(f)) < a.n for f in a.table.values())][::step]
    for automaton in proof.every(
        f"{'every fifth of ' * (step > 1)}all automata with 2 to {largest} states that words reach and 2 letters, some of which merge states",
        every,
    ):
        proof.exactly("one layer is found exactly if e f e = f e", bool(one_layer_of(automaton)), wanted(automaton))
    rng = Random(92)
    drawn = [random_automaton(rng, rng.randint(3, 5), 2).reachable() for _ in range(proof.pick(50, 150, 2000))]
    copied = [c for a in (NEEDS_A_GROUP, *drawn) for c in one_layer_of(a) if c.construction == "copies"][: proof.pick(2, 4, 40)]
    describe = f"{len(copied)} automata, of 3 to 5 states, random, seed 92, and a first one, by copies"
    for number, candidate in enumerate(proof.each(describe, copied)):
        stack = candidate.stack()
        maps = [(stack.layers[0].transition(x), stack.layers[0].inputs(x)) for x in candidate.automaton.letters]
        proof.holds("signed partial permutations, inputs in empty rows", all(moves_and_writes(A, B) for A, B in maps))
        closes_by_layers(proof, "the output is the automaton's state", stack, candidate.automaton, certify=not number)
        _is_unrounded(proof, candidate)


# -- how wide -------------------------------------------------------------------------------------------------------------------------


@claim(
    "new.automata.one-layer.width",
    place="after grazzi25 Theorem 3",
    title="one exact layer with rational entries: t states and then a cycle of p need width t + ψ(p)",
    says=r"Let $\psi(p)$ be the sum of $\varphi(q)$ over the prime powers $q$ that divide $p$ exactly, without $q=2$ if $p\ne2$. Let a layer $h\mapsto A(x)h+b(x)$ with rational entries, of any norm, have finitely many states, which tell an automaton's states apart. "
    r"If some word, repeated, leads from a state through $t$ states, each once, and then round a cycle of $p$ states, the layer has width at least $t+\psi(p)$. This is sharp: a register of width $t$ and a matrix of width $\psi(p)$.",
    hypotheses=(EXACT, STATE_ALONE, "entries are rational, as those of every layer in floating point are that rounds nothing"),
    known="the least size of an integer matrix of order p is the crystallographic restriction (Hiller 1985, from memory); the rest is linear algebra.",
    remarks=(
        "Of norm at most 1 more may be needed: modulo 5 the bound is 4, and the compiler has 5.",
        "For stacks it bounds no layer: a layer above may count what one below repeats.",
    ),
    construction="lemmata.constructions.languages.width.width_of_one_layer",
    sabotages={
        "one more": {"width": lambda automaton: width_of_one_layer(automaton) + 1},
        "2 costs one beside an odd prime too": {"least": lambda p: rational_width(p) + (p % 4 == 2 and p > 2)},
    },
)
def tails_and_cycles_need_width(
    proof: Proof,
    width: Callable[[Automaton], int] = width_of_one_layer,
    least: Callable[[int], int] = rational_width,
) -> None:
    r"""The nilpotent part of a matrix makes the tail, and roots of unity the cycle.

    1. Let $h\mapsto Ah+b$ be what the word does, $h_0,h_1,\dots$ the states when it is repeated. There are finitely many, so they end in a cycle; let $c$ be the mean of the cycle. Then $Ac+b=c$, and $h_k-c=A^k(h_0-c)$. [checked: "the mean of the cycle is fixed"] [prose]
    2. Split the space into $\ker A^n$ and $\operatorname{im}A^n$. The part of $h_0-c$ in the second is in a cycle from the start, so the part in the first is killed by $A^s$ and not by $A^{s-1}$, where $s\ge t$ is the number of the layer's states before its cycle: $\ker A^n$ has dimension $t$ at least. [prose]
    3. The layer's cycle has $p'$ states, a multiple of $p$. On the span of the other part's orbit, the minimal polynomial of $A$ divides $x^{p'}-1$ and no $x^m-1$ with $m<p'$: it is a product of different cyclotomic polynomials $\Phi_m$ with least common multiple $p'$ of the $m$, of degree $\varphi(m)$. [prose]
    4. The least sum of $\varphi(m)$ over such sets is $\psi(p')$, and $\psi(p)\le\psi(p')$. [checked: "the least degree with that least common multiple"; "a multiple needs no less"]
    5. Beside the argument: random layers with finitely many states are as wide as their own states need; all letters alike, the compiler's layer is a register and a cycle. [checked: "no wider than the layer"; "the compiler's layers are no narrower"] [prose]
    """
    largest = proof.pick(30, 120, 400)
    fewest = least_degrees(largest)
    for p in proof.every(f"p <= {largest}", range(1, largest + 1)):
        proof.exactly("the least degree with that least common multiple", least(p), fewest[p])
        proof.holds("a multiple needs no less", all(fewest[p] <= fewest[m] for m in range(p, largest + 1, p)))
    A, c, b = sympy.symbols("A c b")
    mean = sympy.expand((A * c + b - c).subs(b, c - A * c))
    proof.symbolically("the mean of the cycle is fixed, so that b = c - A c", mean, 0, "A, c")
    count = proof.pick(30, 60, 600)
    with proof.beside():
        describe = f"{count} random layers in the plane with finitely many states, two letters of up to three factors with writes, seed 93"
        for layer in proof.each(describe, random_layers(93, count, 2, lambda rng: delta_product(rng, rng.randint(0, 3), (0, 1, 2)))):
            proof.holds("no wider than the layer", width(Automaton({"ab"[i]: f for i, f in enumerate(layer.maps)})) <= 2)
        rng = Random(94)
        for automaton in proof.each(
            f"{count} random automata with up to 6 states, compiled, seed 94",
            [random_automaton(rng, rng.randint(2, 6), rng.randint(1, 2)).reachable() for _ in range(count)],
        ):
            widths = [c.width for c in candidates(automaton) if c.depth == 1 and c.exact]
            proof.holds("the compiler's layers are no narrower", all(width(automaton) <= w for w in widths))


def least_degrees(largest: int) -> list[float]:
    """For each p the least sum of phi(m) over sets of m > 1 whose least common multiple is p, by going through divisors; 0 for p = 1."""
    found: list[float] = [0, 0] + [inf] * (largest - 1)
    for p in range(2, largest + 1):
        divisors = [m for m in range(2, p + 1) if p % m == 0]
        best: dict[int, float] = {1: 0}
        for m in divisors:
            for reached, degree in list(best.items()):
                more = degree + int(fmpz(m).euler_phi())
                joint = lcm(reached, m)
                best[joint] = min(best.get(joint, inf), more)
        found[p] = best[p]
    return found
