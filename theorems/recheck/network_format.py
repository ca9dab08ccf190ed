"""The format of an exported network, docs/reference/formats.md: checked whole, before any arithmetic."""

from __future__ import annotations

from typing import Any

from .cyclotomic import LARGEST_FIELD
from .exact import require
from .grammar import Numbers, index, indices, items, keys, shown, texts
from .ring import phi

VERSION = 3


def require_format(document: dict[str, Any], canonical: bool = False) -> None:
    """Raise Rejected unless the document has the keys, types, shapes, ranges and numbers of a network, ``canonical`` in a certificate."""
    keys(document, ("format", "version", "field", "letters", "automaton", "layers"), "the network")
    require(document["format"] == "lemmata-network", f"expected the format 'lemmata-network', got {shown(document['format'])}")
    require(type(document["version"]) is int and document["version"] == VERSION, f"is of another version, expected {VERSION}")
    letters = texts(document["letters"], "letters", least=1)
    states = require_automaton(document["automaton"], len(letters))
    layers, numbers = items(document["layers"], "layers", least=1), Numbers(degree_of(document["field"]), canonical)
    for k, layer in enumerate(layers, start=1):
        keys(layer, ("states", "maps", "letters", "decoder"), f"layer {k}")
    for k, layer in enumerate(layers, start=1):
        following = len(items(layers[k]["letters"], f"letters of layer {k + 1}")) if k < len(layers) else states
        require_layer(layer, numbers, len(letters), following, f"layer {k}")
    first = [y[:3] for y in layers[0]["letters"]]
    require(
        first == [[x, 0, 0] for x in range(len(letters))],
        "the letters of layer 1: expected the alphabet in order, between place 0 and place 0",
    )
    if canonical:
        require_field(document["field"], numbers)


def degree_of(field: int) -> int:
    """The degree of Q(zeta_field)."""
    require(type(field) is int and 1 <= field <= LARGEST_FIELD, f"field: expected a number from 1 to {LARGEST_FIELD}, got {shown(field)}")
    return phi(field)


def require_field(field: int, numbers: Numbers) -> None:
    """Rational numbers lie in every field: a certificate says 1."""
    require(field == 1 or not numbers.all_rational, f"field: expected 1, since all numbers are rational, got {shown(field)}")


def require_automaton(automaton: dict[str, Any], letters: int) -> int:
    """The number of its states."""
    keys(automaton, ("states", "table", "start", "accepting", "outputs"), "automaton")
    n = len(texts(automaton["states"], "states of the automaton", least=1))
    for row in items(automaton["table"], "rows of the table, one for each letter", length=letters):
        indices(row, n, "a row of the table, a state for each state", length=n)
    index(automaton["start"], n, "start")
    indices(automaton["accepting"], n, "accepting")
    require(
        all(p < q for p, q in zip(automaton["accepting"], automaton["accepting"][1:], strict=False)),
        "accepting: expected states that increase",
    )
    if automaton["outputs"] is not None:
        texts(automaton["outputs"], "outputs, one for each state", length=n, differ=False)
    return n


def require_layer(layer: dict[str, Any], numbers: Numbers, letters: int, following: int, what: str) -> None:
    """``letters`` is the size of the alphabet, ``following`` of what the layer may hand on."""
    n = len(items(items(layer["states"], f"states of {what}", least=1)[0], f"a state of {what}", least=1))
    for h in layer["states"]:
        numbers.matrix(h, n, 1, f"a state of {what}, {n} x 1")
    for f, m in enumerate(items(layer["maps"], f"maps of {what}", least=1)):
        name = f"map {f} of {what}"
        keys(m, ("A", "B", "steps"), name)
        numbers.matrix(m["A"], n, n, f"A in {name}, {n} x {n}")
        numbers.matrix(m["B"], n, 1, f"B in {name}, {n} x 1")
        for step in items(m["steps"], f"steps of {name}") if m["steps"] is not None else ():
            require_step(step, numbers, n, f"a step of {name}")
    require_arrows(layer, letters, what)
    states, read, pairs = len(layer["states"]), len(layer["letters"]), set()
    for entry in items(layer["decoder"], f"decoder of {what}", least=1):
        i, y, z = items(entry, f"decoder of {what}: [state, letter, next]", length=3)
        index(i, states, f"decoder of {what}, a state")
        index(y, read, f"decoder of {what}, a letter")
        index(z, following, f"decoder of {what}, what is handed on")
        pairs.add((i, y))
    require(len(pairs) == len(layer["decoder"]), f"decoder of {what}: expected one entry for a state and letter, got two")


def require_step(step: dict[str, Any], numbers: Numbers, n: int, what: str) -> None:
    keys(step, ("v", "beta", "scale", "write"), what)
    for x in items(step["v"], f"v in {what}", length=n):
        numbers.element(x, f"v in {what}")
    numbers.rational(step["beta"], f"beta in {what}")
    numbers.element(step["scale"], f"scale in {what}")
    numbers.element(step["write"], f"write in {what}")


def require_arrows(layer: dict[str, Any], letters: int, what: str) -> None:
    """A layer's letters: arrows that differ between places without a gap, and every map belongs to one."""
    arrows, maps = items(layer["letters"], f"letters of {what}", least=1), len(layer["maps"])
    for arrow in arrows:
        letter, before, after, f = items(arrow, f"letters of {what}: [letter, before, after, map]", length=4)
        index(letter, letters, f"letters of {what}, an input letter")
        index(before, 2 * len(arrows), f"letters of {what}, a place")
        index(after, 2 * len(arrows), f"letters of {what}, a place")
        index(f, maps, f"letters of {what}, a map")
    require(len({tuple(y[:3]) for y in arrows}) == len(arrows), f"letters of {what}: expected letters that differ, got two alike")
    places = {p for y in arrows for p in y[1:3]}
    require(places == set(range(len(places))), f"letters of {what}: expected places 0, 1, ... without a gap")
    require({y[3] for y in arrows} == set(range(maps)), f"maps of {what}: expected a letter for each, got a map that none has")
