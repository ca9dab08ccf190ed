"""Proof that a network computes an automaton's output at every length: exact closure of the reachable product."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..constructions.automata import Automaton
from ..constructions.automata.prove.closure import NotClosed, close_by_layers
from ..constructions.automata.prove.document import network_document
from ..constructions.recurrence import Reachable, Recurrence, Stack, reachable_with
from ..numerics import exact
from ..numerics.cyclotomic import Cyclotomic
from ..numerics.exact import Array
from .evidence import Proof


def computes(
    proof: Proof,
    what: str,
    network: Stack | Recurrence,
    delta: Callable[[Any, Any], Any],
    start: Any,
    letters: Sequence[Any],
    output: Callable[[Any], Any],
    certify: bool = True,
) -> Reachable:
    """Record that ``network`` outputs ``output(delta(start, word))`` after every nonempty word, and certify it (unless told not to)."""
    stack = network if isinstance(network, Stack) else Stack((network,))
    found = reachable_with(stack, delta, start, letters, output, limit=5000)
    alphabet = "{" + ", ".join(map(str, letters)) + "}" if len(letters) <= 12 else f"{len(letters)} letters"
    outcome = "right" if found.mismatch is None else f"wrong after the word {found.mismatch}"
    for _ in proof.every(f"all words over {alphabet}", [f"{len(found.pairs)} reachable pairs"], limited=False):
        proof.exactly(what, outcome if found.closed else f"more than {len(found.pairs)} reachable states", "right")
    if certify and found.closed and found.mismatch is None:
        proof.certificate("automaton", what, **closure_data(stack, found, letters, output))
    return found


def closes_by_layers(proof: Proof, what: str, stack: Stack, automaton: Automaton, certify: bool = False) -> None:
    """Record that ``stack`` outputs the automaton's state after every nonempty word, by ``close_by_layers``; certify it if asked."""
    try:
        closures = close_by_layers(stack, automaton)
        outcome = "right" if len(closures) == len(stack.layers) else f"{len(closures)} of {len(stack.layers)} layers closed"
    except NotClosed as why:
        closures, outcome = [], str(why)
    for _ in proof.every("all words", [f"{len(stack.layers)} layers"], limited=False):
        proof.exactly(what, outcome, "right")
    if closures and certify:
        proof.certificate("network", what, **network_document(automaton, closures))


def certify_closure(
    proof: Proof,
    title: str,
    stack: Stack,
    delta: Callable[[Any, Any], Any],
    start: Any,
    letters: Sequence[Any],
    output: Callable[[Any], Any] = lambda q: q,
) -> None:
    """Keep the closed product as a certificate: an instance, for the checker, of what was shown in another way.

    It must close, but this carries nothing.
    """
    found = reachable_with(stack, delta, start, letters, output, limit=5000)
    closes = found.closed and found.mismatch is None
    with proof.beside():
        proof.exactly("second opinion: the networks of the code compute it", closes, True)
    if closes:
        proof.certificate("automaton", title, **closure_data(stack, found, letters, output))


def maps_used(stack: Stack, found: Reachable) -> list[tuple[Array, Array]]:
    """The affine maps (A, B) of all layers that a closed product meets, each once."""
    used = {}
    for (i, letter), _ in found.edges.items():
        x = letter
        for layer, H in zip(stack.layers, found.pairs[i][0], strict=True):
            A, B = layer.transition(x), layer.inputs(x)
            used[exact.freeze(A), exact.freeze(B)] = (A, B)
            x = layer.decode(A @ H + B, x)
    return list(used.values())


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
                maps[level].append({"A": written(layer.transition(x)), "B": written(layer.inputs(x))})
            read.append(tables[level][x])
            x = layer.decode(layer.step(state, x), x)
        edges.append([i, letters.index(letter), read, j])
    states = [[written(s) for s in network] for network, _ in found.pairs]
    matrices = [s for network in states for s in network] + [M for layer in maps for f in layer for M in f.values()]
    return {
        "field": _field(matrices),
        "layers": maps,
        "states": states,
        "outputs": [str(output(q)) for _, q in found.pairs],
        "automaton": [str(q) for _, q in found.pairs],
        "letters": [str(x) for x in letters],
        "edges": edges,
    }


def _field(matrices: Sequence[Array]) -> int:
    """N of the field Q(zeta_N) that the entries lie in; 1 if all are rational."""
    orders = {x.order for M in matrices for x in M.flat if isinstance(x, Cyclotomic) and len(x.coefficients) > 1}
    return orders.pop() if orders else 1


def written(matrix: Array) -> Array:
    """Integers as rationals: a certificate writes every number of a network as text."""
    return exact.map_entries(lambda x: exact.rational(x) if isinstance(x, int | np.integer) else x, matrix)
