"""Certificates of kind ``bistable``: stacks of bistable units, as ``lemmata compile --bmru`` writes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..effort import STEP, Effort
from ..exact import require
from ..grammar import expect, items, keys, shown, texts
from ..network_format import require_automaton
from ..registry import rule

VERSION = 1

#: of weights, in modulus: sums of what a layer reads stay small
LARGEST_WEIGHT = 2**31

#: numbers modulo which letters are counted
LARGEST_CLOCK = 1000


@rule("bistable")
def check_bistable(document: dict[str, Any]) -> None:
    """After every nonempty word exactly one number of the readout is positive: that of the automaton's state.

    A layer reads the letter one-hot, the number of letters modulo ``clock`` one-hot if that is more than 1, and the states of all layers below.
    Its units follow Eq. 11 of degeeter26: alpha times the sign of the candidate W_x v + b_x where its modulus is at least that of the threshold
    W_beta v + b_beta, else the old state. Every state of all units together, beside the automaton's, that words reach is visited with every letter.
    """
    require_format(document)
    effort, letters, clock = Effort(), len(document["letters"]), document["clock"]
    automaton, layers = document["automaton"], [units_of(layer) for layer in document["layers"]]
    readout = forms(document["readout"]["W"], document["readout"]["b"])
    sums = [f for layer in layers for unit in layer for f in unit[:2]] + readout
    one_step = STEP * (letters + clock + 2 * len(sums) + sum(len(weights) for weights, _ in sums))
    first = (tuple(h for layer in document["layers"] for h in layer["initial"]), automaton["start"], 0)
    seen, waiting = {first}, [first]
    for states, q, time in waiting:
        effort.spend(letters * one_step, "the states that words reach")
        later = (time + 1) % clock
        for a in range(letters):
            read = [int(x == a) for x in range(letters)] + ([int(t == later) for t in range(clock)] if clock > 1 else [])
            new = []
            for layer in layers:
                after = [stepped(unit, read, states[i]) for i, unit in enumerate(layer, start=len(new))]
                read += after
                new += after
            p = automaton["table"][a][q]
            positive = [i for i, form in enumerate(readout) if value(form, read) > 0]
            require(
                positive == [p],
                f"after a letter {shown(document['letters'][a])} the readout is positive for another state than the automaton's",
            )
            pair = (tuple(new), p, later)
            if pair not in seen:
                seen.add(pair)
                waiting.append(pair)


def stepped(unit: tuple[Any, ...], read: Sequence[int], old: int) -> int:
    """Eq. 11 for one unit."""
    candidate, threshold, up, down = unit
    h = value(candidate, read)
    return (up if h >= 0 else down) if abs(h) >= abs(value(threshold, read)) else old


def value(form: tuple[Sequence[tuple[int, int]], int], read: Sequence[int]) -> int:
    weights, constant = form
    return sum([w * read[j] for j, w in weights], constant)


def forms(W: Sequence[Sequence[int]], b: Sequence[int]) -> list[tuple[list[tuple[int, int]], int]]:
    """For each row ([(index, weight), ...] where the weight is not 0, constant)."""
    return [([(j, w) for j, w in enumerate(row) if w], c) for row, c in zip(W, b, strict=True)]


def units_of(layer: dict[str, Any]) -> list[Any]:
    """For each unit its candidate, its threshold, alpha and -alpha."""
    both = zip(forms(layer["W_x"], layer["b_x"]), forms(layer["W_beta"], layer["b_beta"]), layer["alpha"], strict=True)
    return [(candidate, threshold, alpha, -alpha) for candidate, threshold, alpha in both]


def require_format(document: dict[str, Any]) -> None:
    """Raise Rejected unless the document has the keys, types, shapes and ranges of the kind, before any arithmetic."""
    keys(document, ("format", "version", "letters", "automaton", "clock", "layers", "readout"), "the network")
    require(document["format"] == "lemmata-bistable", f"expected the format 'lemmata-bistable', got {shown(document['format'])}")
    require(type(document["version"]) is int and document["version"] == VERSION, f"is of another version, expected {VERSION}")
    letters = len(texts(document["letters"], "letters", least=1))
    states = require_automaton(document["automaton"], letters)
    clock = document["clock"]
    integers([clock], 1, "clock")
    require(1 <= clock <= LARGEST_CLOCK, f"clock: expected a number from 1 to {LARGEST_CLOCK}, got {shown(clock)}")
    reads = letters + (clock if clock > 1 else 0)
    for k, layer in enumerate(items(document["layers"], "layers", least=1), start=1):
        what = f"layer {k}"
        keys(layer, ("W_x", "b_x", "W_beta", "b_beta", "alpha", "initial"), what)
        units = len(items(layer["initial"], f"initial of {what}", least=1))
        for name in ("W_x", "W_beta"):
            for row in items(layer[name], f"{name} of {what}, a row for each unit", length=units):
                integers(row, reads, f"a row of {name} of {what}")
        for name in ("b_x", "b_beta", "alpha", "initial"):
            integers(layer[name], units, f"{name} of {what}")
        reads += units
    readout = document["readout"]
    keys(readout, ("W", "b"), "readout")
    for row in items(readout["W"], "W of the readout, a row for each state of the automaton", length=states):
        integers(row, reads, "a row of W of the readout")
    integers(readout["b"], states, "b of the readout")


def integers(x: Sequence[int], length: int, what: str) -> None:
    for entry in items(x, what, length=length):
        if type(entry) is not int or abs(entry) > LARGEST_WEIGHT:
            expect(what, f"integers of modulus at most {LARGEST_WEIGHT}", shown(entry))
