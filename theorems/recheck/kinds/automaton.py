"""Certificates of kind ``automaton``."""

from ..cyclotomic import cyclotomic_polynomial, field_matrix, field_plus, field_times
from ..exact import consistent, freeze, natural, require
from ..registry import rule


@rule("automaton")
def check_automaton(data):
    """A stack of layers H -> A H + B outputs, after every nonempty word, what the automaton of ``edges`` outputs.

    Every pair (network state, automaton state) of the list has an edge for every letter, back into the list; states move by
    the layers' maps; and what a layer reads depends only on the state and letter of the layer below, the output only on the
    state and letter of the last layer, so decoders with these tables exist.
    """
    field = natural(data["field"])
    modulus = cyclotomic_polynomial(field)
    layers = [[(field_matrix(f["A"], modulus), field_matrix(f["B"], modulus)) for f in layer] for layer in data["layers"]]
    states = [tuple(freeze(field_matrix(h, modulus)) for h in network) for network in data["states"]]
    automaton, outputs, letters = data["automaton"], data["outputs"], data["letters"]
    require(len(states) == len(automaton) == len(outputs) and states and letters, "lists of one length")
    require(all(len(s) == len(layers) for s in states), "one state for each layer")
    reads, delta, emits, seen = {}, {}, {}, set()
    require(consistent({}, zip(automaton, outputs, strict=True)), "the output is a function of the automaton's state")
    for i, letter, read, j in data["edges"]:
        require(0 <= i < len(states) and 0 <= j < len(states) and 0 <= letter < len(letters), "an edge within the lists")
        require(len(read) == len(layers), "one letter for each layer")
        seen.add((i, letter))
        require(consistent(delta, [((automaton[i], letter), automaton[j])]), "the automaton is deterministic")
        source = ("input", letter)
        for level, (layer, index) in enumerate(zip(layers, read, strict=True)):
            require(consistent(reads, [((level, source), index)]), f"layer {level + 1} reads a function of what lies below")
            require(0 <= index < len(layer), "a letter of the layer's table")
            a, b = layer[index]
            new = field_plus(field_times(a, states[i][level], modulus), b)
            require(freeze(new) == states[j][level], f"layer {level + 1} moves to another state than listed on edge {i, letter}")
            source = (freeze(new), index)
        require(consistent(emits, [(source, outputs[j])]), "the output is a function of the last layer")
    require(seen == {(i, x) for i in range(len(states)) for x in range(len(letters))}, "an edge for every pair and letter")
