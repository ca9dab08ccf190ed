"""Small honest networks, and an independent simulator of what a network file says: FLINT, no code of the checker."""

import copy
import random
from functools import cache

from flint import fmpq, fmpq_poly
from lemmata.constructions.automata import Automaton, compile_automaton, compile_group, compile_one_hot, compile_regex
from lemmata.numerics.cyclotomic import Cyclotomic

MACHINES = {
    "a cascade for a regular expression": lambda: compile_regex("(a|b)*abb", construction="holonomy"),
    "a shallow one, four letters": lambda: compile_regex("(ab|c)*d?"),
    "permutation matrices": lambda: compile_group({"swap": (1, 0, 2), "turn": (1, 2, 0)}),
    "a pentagon, in a cyclotomic field": lambda: compile_group([(1, 2, 3, 4, 0)], polygons=True),
    "a sign": lambda: compile_group([(1, 0)]),
    "all maps of three points": lambda: compile_automaton(Automaton({"s": (1, 0, 2), "c": (1, 2, 0), "r": (0, 0, 2)})),
    "one-hot states": lambda: compile_one_hot(Automaton({"x": (1, 2, 2), "y": (0, 0, 1)}, 0, frozenset({2}))),
    "a counter with reset that speaks": lambda: compile_automaton(
        Automaton({"+": (1, 2, 3, 0), "0": (0, 0, 0, 0)}, 0, frozenset({3}), outputs=("zero", "one", "two", "three"))
    ),
}


@cache
def _document(name):
    return MACHINES[name]().document()


def document(name):
    """A fresh copy of the exported network."""
    return copy.deepcopy(_document(name))


def element(x, field):
    """An entry of the file, exactly."""
    if isinstance(x, str):
        above, _, below = x.partition("/")
        return fmpq(int(above), int(below or 1))
    return Cyclotomic(field, fmpq_poly([element(c, field) for c in x]))


def column(h, field):
    return [element(x, field) for (x,) in h]


def moved(m, h, field):
    """A h + b, and the same by the steps if there are any."""
    rows = [[element(x, field) for x in row] for row in m["A"]]
    by_map = [sum((a * x for a, x in zip(row, h, strict=True)), element(b, field)) for row, (b,) in zip(rows, m["B"], strict=True)]
    by_steps = h
    for step in m["steps"] or ():
        v = [element(x, field) for x in step["v"]]
        along = sum((a * b for a, b in zip(v, by_steps, strict=True)), fmpq(0))
        change = element(step["write"], field) - element(step["scale"], field) * along
        by_steps = [a + b * change for a, b in zip(by_steps, v, strict=True)]
    return by_map, by_map if m["steps"] is None else by_steps


def computes(network, words=6, length=25, seed=0):
    """Whether the layers hand on the automaton's state after every letter of some random words, and the steps do what the maps do."""
    rng, field, table = random.Random(seed), network["field"], network["automaton"]["table"]
    states = [[column(h, field) for h in layer["states"]] for layer in network["layers"]]
    decoders = [{(i, y): z for i, y, z in layer["decoder"]} for layer in network["layers"]]
    for _ in range(words):
        now, q = [listed[0] for listed in states], network["automaton"]["start"]
        for _ in range(length):
            letter = y = rng.randrange(len(table))
            q = table[letter][q]
            for k, layer in enumerate(network["layers"]):
                now[k], by_steps = moved(layer["maps"][layer["letters"][y][3]], now[k], field)
                found = [i for i, h in enumerate(states[k]) if h == now[k]]
                if by_steps != now[k] or len(found) != 1 or (found[0], y) not in decoders[k]:
                    return False
                y = decoders[k][found[0], y]
            if y != q:
                return False
    return True
