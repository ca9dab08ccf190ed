"""Certificates of kind ``automaton``."""

from __future__ import annotations

from ..effort import STEP, Effort
from ..exact import consistent, require
from ..grammar import Numbers, index, indices, items, keys, texts
from ..moves import Moves
from ..network_format import degree_of, require_field
from ..registry import rule
from ..typed import Data


@rule("automaton")
def check_automaton(data: Data) -> None:
    """A stack of layers H -> A H + B, started in pair 0, outputs, after every nonempty word, what the automaton of ``edges`` outputs.

    Every pair (network state, automaton state) of the list has one edge for every letter, back into the list; states move by
    the layers' maps; and what a layer reads depends only on the state and letter of the layer below, the output only on the
    state and letter of the last layer, so decoders with these tables exist.
    """
    require_format(data)
    automaton, outputs, layers, effort = data["automaton"], data["outputs"], data["layers"], Effort()
    require(consistent({}, zip(automaton, outputs, strict=True)), "the output is a function of the automaton's state")
    effort.spend(10 * STEP * len(data["edges"]) * len(layers), "the edges")
    moves = []
    for level, maps in enumerate(layers):
        listed, pairs = [network[level] for network in data["states"]], [(f["A"], f["B"]) for f in maps]
        moves.append(Moves(data["field"], listed, pairs, effort, f"layer {level + 1}", real=False))
    states = [m.first for m in moves]
    require(len(set(zip(*states, automaton, strict=True))) == len(automaton), "pairs that differ")
    reads, delta, emits, seen, reached = {}, {}, {}, set(), {0}
    for i, letter, read, j in data["edges"]:
        require((i, letter) not in seen, f"one edge for {i, letter}")
        seen.add((i, letter))
        reached.add(j)
        require(consistent(delta, [((automaton[i], letter), automaton[j])]), "the automaton is deterministic")
        source = ("input", letter)
        for level, f in enumerate(read):
            require(consistent(reads, [((level, source), f)]), f"layer {level + 1} reads a function of what lies below")
            new = moves[level].after(states[level][i], f)
            require(new == states[level][j], f"layer {level + 1} moves to another state than listed on edge {i, letter}")
            source = (new, f)
        require(consistent(emits, [(source, outputs[j])]), "the output is a function of the last layer")
    require(len(seen) == len(automaton) * len(data["letters"]), "an edge for every pair and letter")
    require(reached == set(range(len(automaton))), "every pair but the first lies behind an edge")
    used = {(level, f) for _, _, read, _ in data["edges"] for level, f in enumerate(read)}
    require(len(used) == sum(map(len, layers)), "every map is read on an edge")


def require_format(data: Data) -> None:
    """Raise Rejected unless the data have the keys, types, shapes, ranges and numbers of the kind, before any arithmetic."""
    # what else a claim may need to say of its automaton is read by its demand
    keys(data, ("field", "layers", "states", "automaton", "outputs", "letters", "edges"), "data", optional=("regex", "formula"))
    numbers, letters = Numbers(degree_of(data["field"]), canonical=True), texts(data["letters"], "letters", least=1)
    pairs = len(texts(data["automaton"], "automaton, a state for each pair", least=1, differ=False))
    texts(data["outputs"], "outputs, one for each pair", length=pairs, differ=False)
    layers, states = items(data["layers"], "layers", least=1), items(data["states"], "states, one for each pair", length=pairs)
    for network in states:
        items(network, "states, one for each layer", length=len(layers))
    for level, maps in enumerate(layers):
        what = f"layer {level + 1}"
        n = len(items(states[0][level], f"a state of {what}", least=1))
        for network in states:
            numbers.matrix(network[level], n, 1, f"a state of {what}, {n} x 1")
        for f in items(maps, f"maps of {what}", least=1):
            keys(f, ("A", "B"), f"a map of {what}")
            numbers.matrix(f["A"], n, n, f"A in {what}, {n} x {n}")
            numbers.matrix(f["B"], n, 1, f"B in {what}, {n} x 1")
    for edge in items(data["edges"], "edges, one for each pair and letter", length=pairs * len(letters)):
        i, letter, read, j = items(edge, "an edge: [pair, letter, maps, pair]", length=4)
        indices([i, j], pairs, "an edge, a pair")
        index(letter, len(letters), "an edge, a letter")
        for f, maps in zip(items(read, "an edge, a map for each layer", length=len(layers)), layers, strict=True):
            index(f, len(maps), "an edge, a map")
    require_field(data["field"], numbers)
