"""A closed product of a network and an automaton as plain data, for certificates and exported networks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..numerics.cyclotomic import Cyclotomic
from ..numerics.exact import Array
from .recurrence import Reachable, Stack


def closure_data(stack: Stack, found: Reachable, letters: Sequence[Any], output: Callable[[Any], Any]) -> dict[str, Any]:
    """The closed product as plain data: per layer the transitions by letter, per edge the letters read and states reached."""
    tables: list[dict[Any, int]] = [{} for _ in stack.layers]
    maps: list[list[dict[str, Any]]] = [[] for _ in stack.layers]
    edges = []
    for (i, letter), j in found.edges.items():
        read, x = [], letter
        for level, (layer, state) in enumerate(zip(stack.layers, found.pairs[i][0], strict=True)):
            if x not in tables[level]:
                tables[level][x] = len(maps[level])
                maps[level].append({"A": layer.transition(x), "B": layer.inputs(x)})
            read.append(tables[level][x])
            x = layer.decode(layer.step(state, x), x)
        edges.append([i, letters.index(letter), read, j])
    states = [[list(s) for s in network] for network, _ in found.pairs]
    return {
        "field": _field(found),
        "layers": maps,
        "states": states,
        "outputs": [str(output(q)) for _, q in found.pairs],
        "automaton": [str(q) for _, q in found.pairs],
        "letters": [str(x) for x in letters],
        "edges": edges,
    }


def _field(found: Reachable) -> int:
    """N of the field Q(zeta_N) that the entries lie in; 1 for rational networks."""
    orders = {x.order for network, _ in found.pairs for state in network for x in _entries(state) if isinstance(x, Cyclotomic)}
    return orders.pop() if orders else 1


def _entries(state: Array) -> list[Any]:
    return list(state.flat)
