"""Certificates of kind ``network``."""

from ..cyclotomic import cyclotomic_polynomial, element, field_column, field_map, field_plus, field_times, reduce
from ..exact import freeze, natural, number, require
from ..registry import rule


@rule("network")
def check_network(document):
    """The stack of layers outputs the automaton's state after every nonempty word.

    Each layer's letters are arrows between places. A layer multiplies the graph of its places by its states, and what it hands on
    gives every (place, state) one place in the next layer's graph, the automaton's state for the last layer. Every reachable pair
    and every arrow is visited. Where a map lists ``steps``, they compose to it, with every beta in [0, 2].
    """
    modulus = cyclotomic_polynomial(natural(document["field"]))
    automaton, layers, alphabet = document["automaton"], document["layers"], document["letters"]
    table, n = automaton["table"], len(automaton["states"])
    require(len(table) == len(alphabet) > 0 and layers, "one row of the table for each letter, and a layer")
    require(len(set(alphabet)) == len(alphabet) and len(set(automaton["states"])) == n, "letters and states with names that differ")
    require(all(len(row) == n and all(natural(q) < n for q in row) for row in table), "a total automaton")
    require(all(natural(q) < n for q in [automaton["start"], *automaton["accepting"]]), "states of the automaton")
    require([y[0] for y in layers[0]["letters"]] == list(range(len(table))), "the first layer reads the alphabet")
    require(all(y[1] == y[2] == 0 for y in layers[0]["letters"]), "the first layer has one place")
    for k, layer in enumerate(layers, start=1):
        maps = [field_map(m, len(layer["states"][0]), modulus) for m in layer["maps"]]
        for (a, b), m in zip(maps, layer["maps"], strict=True):
            require(m["steps"] is None or composes(m["steps"], a, b, modulus), f"the steps of a map of layer {k} compose to it")
        above = layers[k]["letters"] if k < len(layers) else None
        place = walk(layer, maps, above, table, automaton["start"], f"layer {k}", modulus)
        require(above is None or place[0, 0] == 0, "the start's place is numbered 0")


def walk(layer, maps, above, table, start, name, modulus):
    """The place in the next graph of each (place, state) that can be reached; the next graph is the automaton if ``above`` is None."""
    states = [field_column(h, len(layer["states"][0]), modulus) for h in layer["states"]]
    numbers = {h: i for i, h in enumerate(states)}
    require(len(numbers) == len(states), "states that differ")
    decoder = {(natural(i), natural(y)): natural(z) for i, y, z in layer["decoder"]}
    require(len(decoder) == len(layer["decoder"]), f"{name} decodes every state and letter once")
    require(all(i < len(states) and y < len(layer["letters"]) for i, y in decoder), f"{name} decodes states and letters of its own")
    require(len({tuple(y[:3]) for y in layer["letters"]}) == len(layer["letters"]), f"letters of {name} that differ")
    leaving = {}
    for y, (letter, before, after, f) in enumerate(layer["letters"]):
        require(natural(letter) < len(table) and natural(f) < len(maps), f"letters and maps of {name}")
        leaving.setdefault(natural(before), []).append((y, letter, natural(after), f))
    place, seen, waiting, moved = {}, {(0, 0)}, [(0, 0)], {}
    if above is None:
        place[0, 0] = start
    for p, i in waiting:
        for y, letter, after, f in leaving.get(p, []):
            if (i, f) not in moved:
                a, b = maps[f]
                moved[i, f] = numbers.get(freeze(field_plus(field_times(a, states[i], modulus), b)))
            j = moved[i, f]
            require(j is not None and (j, y) in decoder, f"{name} lists every state that it reaches, and decodes it")
            z = decoder[j, y]
            if above is None:
                require(table[letter][place[p, i]] == z, f"the output of {name} is the automaton's state")
                target = z
            else:
                require(z < len(above), f"{name} hands on a letter of the layer above")
                letter_above, source, target, _ = above[z]
                require(letter_above == letter and place.setdefault((p, i), source) == source, f"{name} hands on the letter from its place")
            require(place.setdefault((after, j), target) == target, f"{name} gives every pair one place")
            if (after, j) not in seen:
                seen.add((after, j))
                waiting.append((after, j))
    return place


def composes(steps, a, b, modulus):
    """The steps H -> H - scale v (v^T H) + write v, in turn, are H -> A H + B, and scale v^T v = beta lies in [0, 2]."""
    n = len(a)
    one = [[element(int(i == j), modulus) for j in range(n)] for i in range(n)]
    h = [[*list(row), ()] for row in one]
    for step in steps:
        v = [[element(x, modulus)] for x in step["v"]]
        scale, write, beta = element(step["scale"], modulus), element(step["write"], modulus), number(step["beta"])
        require(len(v) == n and 0 <= beta <= 2, "vectors of the layer's width and 0 <= beta <= 2")
        row = [[x[0] for x in v]]
        length = field_times(row, v, modulus)[0][0]
        require(field_times([[scale]], [[length]], modulus) == [[element(str(beta), modulus)]], "scale v^T v = beta")
        along = field_times([[scale]], field_times(row, h, modulus), modulus)
        minus = field_times(v, [[reduce([-c for c in x], modulus) for x in along[0]]], modulus)
        h = field_plus(h, minus)
        added = field_times(v, [[write]], modulus)
        h = [[*r[:-1], x] for r, x in zip(h, [field_plus([[r[-1]]], [s])[0][0] for r, s in zip(h, added, strict=True)], strict=True)]
    return freeze([r[:-1] for r in h]) == freeze(a) and freeze([[r[-1]] for r in h]) == freeze(b)
