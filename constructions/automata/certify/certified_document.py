"""A certified network as plain data (docs/reference/formats.md), with places that prove it layer by layer, as the re-checker wants it.

A decoder knows the state after a letter, and names the places before and after it for the next layer. So two states that one letter takes to one
state, from one place, must share a place. With the fewest such mergings every layer is closed under all walks that they allow.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ....numerics import exact
from ....numerics.exact import Array
from ..prove.document import exact_steps, texts
from .certifying import Certificate, ClosedLayer, NotClosed

Node = tuple[int, int]


class Letter(NamedTuple):
    """A letter of a layer: the input letter, the places it goes between, and all that is handed on so from the layer below."""

    letter: int
    before: int
    after: int
    handed: frozenset[int]


def certified_document(certificate: Certificate, answers: Sequence[int]) -> dict[str, Any]:
    """The network of a certificate that says "right"; ``answers[pair]`` is what a pair of the last decoder says (``TrainedNetwork.answers``).

    Raises :class:`NotClosed` where the format's proof, which allows more walks than words take, does not close.
    """
    automaton, fields = certificate.automaton, {layer.rounding.field for layer in certificate.layers} - {1}
    if len(fields) > 1:
        raise NotClosed("turns of different layers lie in different fields")
    letters = [Letter(x, 0, 0, frozenset({x})) for x in range(len(automaton.letters))]
    layers = []
    for layer in certificate.layers:
        last = layer is certificate.layers[-1]
        walked = _Walked(layer, letters)
        places = walked.states_of_automaton(certificate) if last else walked.merged()
        decoder, above = [], {}
        for (j, y), (before, after) in walked.arrows(places).items():
            pairs = {layer.decide(j, z).pair for z in letters[y].handed}
            if last and certificate.labels[after] >= 0 and {answers[pair] for pair in pairs} != {certificate.labels[after]}:
                raise NotClosed("a walk that no word takes is answered otherwise")
            arrow = (letters[y].letter, before, after)
            above.setdefault(arrow, set()).update(pairs)
            decoder.append([walked.states[j], y, after if last else list(above).index(arrow)])
        number = {f: i for i, f in enumerate(dict.fromkeys(walked.maps))}
        layers.append(
            {
                "states": exact.as_text([layer.orbit.states[j] for j in walked.states]),
                "maps": [_map(*layer.orbit.maps[f]) for f in number],
                "letters": [[x, p, q, number[f]] for (x, p, q, _), f in zip(letters, walked.maps, strict=True)],
                "decoder": decoder,
            }
        )
        letters = [Letter(x, before, after, frozenset(pairs)) for (x, before, after), pairs in above.items()]
    return {
        "format": "lemmata-network",
        "version": 3,
        "field": fields.pop() if fields else 1,
        "letters": [str(x) for x in automaton.letters],
        "automaton": {
            "states": texts([automaton.name(q) for q in range(automaton.n)]),
            "table": [list(automaton.table[x]) for x in automaton.letters],
            "start": automaton.start,
            "accepting": sorted(automaton.accepting),
            "outputs": None if automaton.outputs is None else texts(automaton.outputs),
        },
        "layers": layers,
    }


class _Walked:
    """All nodes (place, state) of a layer and the steps between them, under every walk that its letters allow."""

    def __init__(self, layer: ClosedLayer, letters: list[Letter]):
        leaving: dict[int, list[int]] = {}
        #: the map of each letter
        self.maps: list[int] = []
        for y, letter in enumerate(letters):
            maps = {layer.map_of.get(z) for z in letter.handed}
            f = maps.pop()
            if maps or f is None:
                raise NotClosed("a walk that no word takes reads another letter")
            self.maps.append(f)
            leaving.setdefault(letter.before, []).append(y)
        self.letters = letters
        self.steps: dict[tuple[Node, int], Node] = {}
        found: dict[Node, None] = {(0, 0): None}
        waiting = list(found)
        for p, i in waiting:
            for y in leaving.get(p, ()):
                after = letters[y].after, layer.after(i, next(iter(letters[y].handed)))
                self.steps[(p, i), y] = after
                if after not in found:
                    found[after] = None
                    waiting.append(after)
        self.nodes = list(found)
        #: states by their number in the orbit, renumbered in order of discovery
        self.states = {j: n for n, j in enumerate(dict.fromkeys(j for _, j in found))}

    def merged(self) -> dict[Node, int]:
        """A place for each node: one for nodes that a letter takes from one place to one state, and so on."""
        parent = {node: node for node in self.nodes}

        def root(node: Node) -> Node:
            while parent[node] != node:
                parent[node] = node = parent[parent[node]]
            return node

        came: dict[tuple[int, int], Node] = {}
        for (before, y), (_, j) in self.steps.items():
            parent[root(before)] = root(came.setdefault((y, j), before))
        numbers: dict[Node, int] = {root((0, 0)): 0}
        return {node: numbers.setdefault(root(node), len(numbers)) for node in self.nodes}

    def states_of_automaton(self, certificate: Certificate) -> dict[Node, int]:
        """The automaton's state of each node of the last layer. Raises :class:`NotClosed` if it has two."""
        automaton = certificate.automaton
        found = {(0, 0): automaton.start}
        for (before, y), after in self.steps.items():
            q = automaton.table[automaton.letters[self.letters[y].letter]][found[before]]
            if found.setdefault(after, q) != q:
                raise NotClosed("a place is shared by states that the automaton tells apart")
        return found

    def arrows(self, places: dict[Node, int]) -> dict[tuple[int, int], tuple[int, int]]:
        """{(state after, letter): (place before, place after)}, the first that is met."""
        found: dict[tuple[int, int], tuple[int, int]] = {}
        for (before, y), after in self.steps.items():
            found.setdefault((after[1], y), (places[before], places[after]))
        return found


def _map(A: Array, B: Array) -> dict[str, Any]:
    return {"A": exact.as_text(A), "B": exact.as_text(B), "steps": exact_steps(A, B)}
