"""One layer for automata whose idempotents satisfy e f e = f e: the order of last uses of edges of a group's graph (new.automata.one-layer.norm.converse).

Letters are sent to permutations, which generate a group G; an edge is a pair (g, x), used when the letter x comes while the product of the letters
before it is g. If the last uses decide, a few questions do: which edge of a set T was used last? The answer stands in a coordinate for each translate
of T. Seen from the product so far, T is R = g^-1 T; the letter x moves the answer from R to x^-1 R, or overwrites it if (1, x) is in R. Beside
them stands a vector that signed permutation matrices move as G is multiplied. So transitions are signed partial permutation matrices.
``languages.single_layers.over_a_group`` has all questions of two edges; here they are chosen, as few as are found.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations, product
from typing import Any, NamedTuple

import numpy as np

from ....numerics import exact
from ....numerics.exact import Array
from ...householder import compose
from ...recurrence import Recurrence
from ..affine import key
from ..algebra.embedding import generated
from ..automaton import Automaton
from .level_vectors import signed_matrices

Images = tuple[int, ...]
#: an edge: the number of an element and of a letter's action
Edge = tuple[int, int]
Edges = frozenset[Edge]

#: an edge that is never used: with it, each element makes another translate of a set
MARK: Edge = (0, -1)

#: actions of letters; choices of permutations that are tried, and elements of their groups; products with orders of last uses
MOST_ACTIONS, MOST_CHOICES, MOST_ELEMENTS, MOST_ORDERS = 3, 600, 8, 4_000


@dataclass(frozen=True)
class Graph:
    """The elements of a group, the identity first, and ``after[g][a]``, the product of element number g and then the permutation of action a."""

    generators: tuple[Images, ...]
    elements: tuple[Images, ...]
    after: tuple[tuple[int, ...], ...]

    @cached_property
    def edges(self) -> list[Edge]:
        return list(product(range(len(self.elements)), range(len(self.generators))))

    def back(self, R: Edges, a: int) -> Edges:
        """x^-1 R for the permutation x of an action."""
        return self.seen_from(self.after[0][a], R)

    def seen_from(self, g: int, T: Edges) -> Edges:
        """g^-1 T: the edges (h, x) with (g h, x) in T."""
        return frozenset((self._divided[g][h], a) for h, a in T)

    @cached_property
    def _divided(self) -> list[list[int]]:
        """g^-1 h, by the numbers of g and h."""
        number = {g: i for i, g in enumerate(self.elements)}
        # first g, then h: words are read from the left, and compose applies its second argument first
        products = [[number[compose(h, g)] for h in self.elements] for g in self.elements]
        return [[row.index(h) for h in range(len(row))] for row in products]

    def translates(self, T: Edges) -> list[Edges]:
        """All sets that T becomes, T first."""
        found = {T: None}
        waiting = [T]
        for R in waiting:
            for a in range(len(self.generators)):
                if (moved := self.back(R, a)) not in found:
                    found[moved] = None
                    waiting.append(moved)
        return waiting


def graphs(actions: int) -> list[Graph]:
    """Groups that permutations of at most four points generate, one for each action, small groups first; of isomorphic choices the first."""
    found: dict[Any, Graph] = {}
    for degree in range(1, 5):
        some = list(permutations(range(degree)))
        for generators in product(some, repeat=actions) if len(some) ** actions <= MOST_CHOICES else ():
            elements = generated(generators, MOST_ELEMENTS)
            if elements is not None:
                number = {g: i for i, g in enumerate(elements)}
                after = tuple(tuple(number[compose(x, g)] for x in generators) for g in elements)
                found.setdefault(after, Graph(generators, tuple(elements), after))
    return sorted(found.values(), key=lambda graph: len(graph.elements))


class Reached(NamedTuple):
    """A product so far with the edges in the order of their last uses, the last one first, and the automaton's state there."""

    element: int
    order: tuple[Edge, ...]
    state: int


def reached(table: Sequence[Images], start: int, graph: Graph) -> list[Reached] | None:
    """All that words lead to; None if product and order do not determine the state, or there are too many."""
    state: dict[tuple[int, tuple[Edge, ...]], int] = {(0, ()): start}
    waiting = list(state)
    for g, order in waiting:
        for a, images in enumerate(table):
            used = (g, a)
            new = graph.after[g][a], (used, *(e for e in order if e != used))
            q = images[state[g, order]]
            if new not in state:
                if len(state) >= MOST_ORDERS:
                    return None
                state[new] = q
                waiting.append(new)
            elif state[new] != q:
                return None
    return [Reached(g, order, q) for (g, order), q in state.items()]


def one_sided(table: Sequence[Images]) -> bool:
    """Whether e f e = f e for the idempotent powers of all words of at most three letters: necessary, and quick."""
    words = [w for length in (1, 2, 3) for w in product(table, repeat=length)]
    idempotents = set()
    for word in words:
        f = tuple(range(len(word[0])))
        for images in word:
            f = compose(images, f)
        e = f
        while compose(e, e) != e:
            e = compose(f, e)
        idempotents.add(e)
    return all(compose(e, compose(f, e)) == compose(e, f) for e in idempotents for f in idempotents)


# -- questions ------------------------------------------------------------------------------------------------------------------


class Question(NamedTuple):
    """Which edge of a set was used last? ``translates`` are the sets that the first one becomes, a coordinate for each.

    A set of all edges of some actions is its only translate; if it ``turns``, the answer is a vector that is moved as the group is multiplied, so that
    it also tells what was multiplied since.
    """

    translates: list[Edges]
    turns: bool = False

    def width(self, turning: int) -> int:
        """How many coordinates it takes, if the vectors that are moved as the group is multiplied have ``turning``."""
        return turning if self.turns else len(self.translates)

    def labels(self, graph: Graph) -> list[dict[Edge, Any]]:
        """For each translate what the layer knows of its edges: the translate as seen from the edge, and the action; all of it if it turns."""
        return [{e: e if self.turns else (graph.seen_from(e[0], T), e[1]) for e in T if e[1] >= 0} for T in self.translates]


def _answers(labels: Sequence[Mapping[Edge, Any]], order: Sequence[Edge]) -> tuple[Any, ...]:
    """What is known of the last edge of each translate."""
    return tuple([next((known[e] for e in order if e in known), None) for known in labels])


def _questions(graph: Graph) -> Iterator[Question]:
    """Unions of actions, then one edge and two: all of these tell the order of last uses."""
    seen: set[Edges] = set()
    elements, actions = range(len(graph.elements)), range(len(graph.generators))
    for size in actions:
        for some in combinations(actions, size + 1):
            T = frozenset(product(elements, some))
            seen.add(T)
            yield Question([T])
            if len(elements) > 1:
                yield Question([T], turns=True)
    small = (frozenset(some) for size in (1, 2) for some in combinations(graph.edges, size))
    for T in small:
        if T not in seen:
            translates = graph.translates(T)
            seen.update(translates)
            yield Question(translates)
            if len(translates) < len(elements):
                yield Question(graph.translates(T | {MARK}))


def _conflicts(classes: Mapping[Any, Mapping[int, int]]) -> int:
    """Pairs of one class with different states."""
    return sum(sum(c.values()) ** 2 - sum(n * n for n in c.values()) for c in classes.values())


def chosen_questions(graph: Graph, turning: int, met: Sequence[Reached]) -> list[Question] | None:
    """Questions whose answers, with the product, determine the state: one after the other, what tells most for its coordinates."""
    offered = []
    for question in _questions(graph):
        labels = question.labels(graph)
        number: dict[Any, int] = {}
        offered.append((question, [number.setdefault(_answers(labels, r.order), len(number)) for r in met]))
    taken: list[int] = []

    def left(*more: int) -> int:
        labels = zip(*([r.element for r in met], *(offered[i][1] for i in more)), strict=True)
        classes: dict[Any, dict[int, int]] = defaultdict(lambda: defaultdict(int))
        for r, c in zip(met, labels, strict=True):
            classes[c][r.state] += 1
        return _conflicts(classes)

    while (now := left(*taken)) > 0:
        gain, i = max(((now - left(*taken, i)) / question.width(turning), -i) for i, (question, _) in enumerate(offered))
        if gain <= 0:
            return None
        taken.append(-i)
    for i in list(taken):
        if not left(*(rest := [j for j in taken if j != i])):
            taken = rest
    return [offered[i][0] for i in taken]


# -- the layer ------------------------------------------------------------------------------------------------------------------


def copies_layer(automaton: Automaton) -> tuple[int, Recurrence] | None:
    """(width, layer) of the first group that serves; None if none is found."""
    kinds = list(dict.fromkeys(map(tuple, automaton.table.values())))
    if len(kinds) > MOST_ACTIONS or not one_sided(kinds):
        return None
    for graph in graphs(len(kinds)):
        met = reached(kinds, automaton.start, graph)
        if met is None:
            continue
        turning = _turning(graph)
        questions = chosen_questions(graph, len(turning[1]), met)
        if questions is not None:
            return _layer(automaton, kinds, graph, turning, questions)
    return None


def _turning(graph: Graph) -> tuple[list[Array], Array]:
    """(matrices of the actions, start): vectors that are moved as the group is multiplied, of width 0 for the group of one element."""
    if len(graph.elements) == 1:
        return [exact.zeros(0, 0) for _ in graph.generators], exact.zeros(0, 1)
    matrices, start = signed_matrices(dict(enumerate(graph.generators)))
    return [matrices[a] for a in range(len(graph.generators))], start


def _layer(
    automaton: Automaton, kinds: Sequence[Images], graph: Graph, turning: tuple[list[Array], Array], questions: Sequence[Question]
) -> tuple[int, Recurrence] | None:
    matrices, start = turning
    maps = [_map(graph, a, matrices[a], start, questions) for a in range(len(kinds))]
    initial = np.concatenate([start, exact.zeros(len(maps[0][0]) - len(start), 1)])
    state, waiting = {key(initial): automaton.start}, [initial]
    for H in waiting:
        for images, (A, B) in zip(kinds, maps, strict=True):
            after, q = A @ H + B, images[state[key(H)]]
            if key(after) not in state:
                state[key(after)] = q
                waiting.append(after)
            elif state[key(after)] != q or len(state) > 2 * MOST_ORDERS:
                return None
    named = {x: maps[kinds.index(tuple(f))] for x, f in automaton.table.items()}
    return len(initial), Recurrence.from_table(named, initial, lambda H, x: state.get(key(H)))


def _map(graph: Graph, a: int, turn: Array, start: Array, questions: Sequence[Question]) -> tuple[Array, Array]:
    """(A, B) of an action: the product so far, and the answer to each question."""
    blocks = [(turn, start * 0)]
    for question in questions:
        if question.turns:
            used = (0, a) in question.translates[0]
            blocks.append((turn * 0, turn @ start * (1 + a)) if used else (turn, start * 0))
            continue
        place = {R: i for i, R in enumerate(question.translates)}
        A, B = exact.zeros(len(place), len(place)), exact.zeros(len(place), 1)
        for R, i in place.items():
            to = place[graph.back(R, a)]
            if (0, a) in R:
                B[to, 0] = exact.rational(1 + a + len(graph.generators) * i)
            else:
                A[to, i] = exact.rational(1)
        blocks.append((A, B))
    return exact.block_diagonal([A for A, _ in blocks]), np.concatenate([B for _, B in blocks])
