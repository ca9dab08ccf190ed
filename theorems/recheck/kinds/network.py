"""Certificates of kind ``network``: exported networks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..delta_steps import require_composition
from ..effort import STEP, Effort
from ..exact import require
from ..moves import Moves
from ..network_format import require_format
from ..registry import rule


@rule("network")
def check_certificate(document: dict[str, Any]) -> None:
    """:func:`check_network` of a document that spells each number in one way only."""
    require_format(document, canonical=True)
    check_network(document)


def check_network(document: dict[str, Any]) -> None:
    """The stack of layers outputs the automaton's state after every nonempty word.

    Each layer's letters are arrows between places. A layer multiplies the graph of its places by its states, and what it hands on
    gives every (place, state) one place in the next layer's graph, the automaton's state for the last layer. Every reachable pair
    and every arrow is visited, and nothing else is listed. Where a map lists ``steps``, they compose to it, with every beta in [0, 2].
    """
    require_format(document)
    effort, automaton, layers = Effort(), document["automaton"], document["layers"]
    for k, layer in enumerate(layers, start=1):
        name = f"layer {k}"
        moves = Moves(document["field"], layer["states"], [(m["A"], m["B"]) for m in layer["maps"]], effort, name)
        require(len(moves.number) == len(layer["states"]), f"the states of {name}: expected states that differ, got two alike")
        for f, m in enumerate(layer["maps"]):
            if m["steps"] is not None:
                require_composition(m["steps"], m["A"], m["B"], moves.used, document["field"], effort, f"the steps of map {f} of {name}")
        effort.spend(10 * STEP * len(layer["letters"]) * len(layer["states"]), f"the walks through {name}")
        above = layers[k]["letters"] if k < len(layers) else None
        place = walk(layer, moves, above, automaton["table"], automaton["start"], name)
        require(above is None or place[0, 0] == 0, f"the start is not place 0 of layer {k + 1}")


def walk(
    layer: dict[str, Any], moves: Moves, above: Sequence[Sequence[int]] | None, table: Sequence[Sequence[int]], start: int, name: str
) -> dict[tuple[int, int], int]:
    """The place in the next graph of each (place, state) that can be reached; the next graph is the automaton if ``above`` is None."""
    decoder, leaving = {(i, y): z for i, y, z in layer["decoder"]}, {}
    for y, (letter, before, after, f) in enumerate(layer["letters"]):
        leaving.setdefault(before, []).append((y, letter, after, f))
    place, seen, waiting, met = {}, {(0, 0)}, [(0, 0)], set()
    unlisted = f"{name} reaches a state, after a letter, that it or its decoder does not list"
    wrong, other = f"{name} outputs another state than the automaton's", f"{name} hands on another letter than it read"
    two = f"{name} gives a pair of place and state two places in the next layer"
    if above is None:
        place[0, 0] = start
    for p, i in waiting:
        for y, letter, after, f in leaving.get(p, []):
            j = moves.after(i, f)
            require((j, y) in decoder, unlisted)
            met.add((j, y))
            z = decoder[j, y]
            if above is None:
                require(table[letter][place[p, i]] == z, wrong)
                target = z
            else:
                letter_above, source, target, _ = above[z]
                require(letter_above == letter, other)
                require(place.setdefault((p, i), source) == source, two)
            require(place.setdefault((after, j), target) == target, two)
            if (after, j) not in seen:
                seen.add((after, j))
                waiting.append((after, j))
    require(len(met) == len(decoder), f"the decoder of {name} lists a state and letter that no word meets")
    require(len({y for _, y in met}) == len(layer["letters"]), f"{name} lists a letter that is never read")
    require(len({j for j, _ in met} | {0}) == len(layer["states"]), f"{name} lists a state that no word reaches")
    return place
