"""Certificates of kind ``automaton``."""

from ..cyclotomic import cyclotomic_polynomial, field_column, field_map, field_plus, field_times
from ..exact import consistent, freeze, natural, require
from ..registry import rule


@rule("automaton")
def check_automaton(data):
    """A stack of layers H -> A H + B, started in pair 0, outputs, after every nonempty word, what the automaton of ``edges`` outputs.

    Every pair (network state, automaton state) of the list has one edge for every letter, back into the list; states move by
    the layers' maps; and what a layer reads depends only on the state and letter of the layer below, the output only on the
    state and letter of the last layer, so decoders with these tables exist.
    """
    modulus = cyclotomic_polynomial(natural(data["field"]))
    automaton, outputs, letters = texts(data["automaton"]), texts(data["outputs"]), texts(data["letters"])
    require(data["layers"] and all(data["layers"]), "a layer at least, with a map at least")
    require(len(data["states"]) == len(automaton) == len(outputs) > 0 and letters, "lists of one length")
    require(len(set(letters)) == len(letters), "letters that differ")
    require(all(len(s) == len(data["layers"]) for s in data["states"]), "one state for each layer")
    widths = [len(h) for h in data["states"][0]]
    states = [tuple(field_column(h, n, modulus) for h, n in zip(network, widths, strict=True)) for network in data["states"]]
    layers = [[field_map(f, n, modulus) for f in layer] for layer, n in zip(data["layers"], widths, strict=True)]
    require(len(set(zip(states, automaton, strict=True))) == len(states), "pairs that differ")
    reads, delta, emits, seen, reached = {}, {}, {}, set(), {0}
    require(consistent({}, zip(automaton, outputs, strict=True)), "the output is a function of the automaton's state")
    for i, letter, read, j in data["edges"]:
        require(natural(i) < len(states) and natural(j) < len(states) and natural(letter) < len(letters), "an edge within the lists")
        require(len(read) == len(layers), "one letter for each layer")
        require((i, letter) not in seen, f"one edge for {i, letter}")
        seen.add((i, letter))
        reached.add(j)
        require(consistent(delta, [((automaton[i], letter), automaton[j])]), "the automaton is deterministic")
        source = ("input", letter)
        for level, (layer, index) in enumerate(zip(layers, read, strict=True)):
            require(consistent(reads, [((level, source), index)]), f"layer {level + 1} reads a function of what lies below")
            require(natural(index) < len(layer), "a letter of the layer's table")
            a, b = layer[index]
            new = field_plus(field_times(a, states[i][level], modulus), b)
            require(freeze(new) == states[j][level], f"layer {level + 1} moves to another state than listed on edge {i, letter}")
            source = (freeze(new), index)
        require(consistent(emits, [(source, outputs[j])]), "the output is a function of the last layer")
    require(seen == {(i, x) for i in range(len(states)) for x in range(len(letters))}, "an edge for every pair and letter")
    require(reached == set(range(len(states))), "every pair but the first lies behind an edge")


def texts(names):
    require(isinstance(names, list) and all(isinstance(x, str) for x in names), "expected a list of names")
    return names
