"""Compiled networks against the automaton itself: every construction by name, the files that they are written to, the names in them."""

from __future__ import annotations

import json
import re
from random import Random

import numpy as np
from automata.fa.dfa import DFA
from automata.fa.nfa import NFA

from ....constructions.automata.automaton import Automaton
from ....constructions.automata.choose.ways import choose
from ....constructions.automata.compiler import Network, compile_automaton, compile_cascade, compile_dfa, compile_regex
from ....constructions.automata.prove.document import texts
from ....constructions.automata.read import sources, tasks
from ....constructions.automata.rounding.layer import LayerNumbers
from ....constructions.automata.rounding.precision import guaranteed_lengths
from ...claim import tie
from ...evidence import Proof
from ...recheck.files import check_bytes
from .common import followed, machines, words


def written(proof: Proof, network: Network) -> None:
    """The file of a network: names, tables and sizes are the automaton's, and the re-checker, which knows neither, accepts it."""
    automaton, document = network.automaton, json.loads(network.to_json())
    found = document["automaton"]
    names = [str(automaton.name(q)) for q in range(automaton.n)]
    proof.exactly("the file: letters and names", (document["letters"], found["states"]), ([str(x) for x in automaton.letters], names))
    proof.exactly("the file: tables", found["table"], [list(automaton.table[x]) for x in automaton.letters])
    proof.exactly(
        "the file: start and what is accepted", (found["start"], found["accepting"]), (automaton.start, sorted(automaton.accepting))
    )
    said = None if automaton.outputs is None else [str(y) for y in automaton.outputs]
    proof.exactly("the file: what is said", found["outputs"], said)
    proof.exactly("the re-checker accepts the file", check_bytes(json.dumps(document).encode()), (f"a network for {automaton.n} states", 1))


@tie("grazzi25.sec1.regular")
def compiled_automata(proof: Proof) -> None:
    """By the best construction, by name and from other libraries' automata."""
    rng = Random(62)
    for automaton in proof.tied("automata of up to 12 states, words of up to 40 letters", machines().values()):
        followed(proof, "compile_automaton", compile_automaton(automaton), automaton, rng)
        network = compile_automaton(automaton, "holonomy")
        followed(proof, "holonomy", network, automaton, rng)
        if network.cascade is not None:
            followed(proof, "compile_cascade", compile_cascade(network.cascade), automaton, rng)
        proof.holds("widths are those of the layers", network.widths == [len(layer.initial) for layer in network.layers])
        written(proof, network)
    for n in proof.tied("counters up to 8: a layer for each number, words of up to 40 letters", (2, 5, 9)):
        counter = Automaton(
            {"a": tuple(min(q + 1, n - 1) for q in range(n)), "b": tuple(max(q - 1, 0) for q in range(n))}, 0, frozenset({0})
        )
        network = compile_automaton(counter, "holonomy")
        followed(proof, "counters", network, counter, rng)
        written(proof, network)
        proof.exactly("the layers of the stack, all of them", (len(network.layers), network.layers), (n - 1, network.stack.layers))
        proof.exactly("and in the file", len(network.document()["layers"]), n - 1)
    for text in proof.tied(
        "regular expressions of 1 to 26 characters", ("a", "ab", "a|b", "(a|b)*abb", "((a|b)(a|b))*", "(b|ab*a)*(ab|ba)(a|b)*abba")
    ):
        accepts = re.compile(text).fullmatch
        for construction in ("best", "holonomy"):
            network = compile_regex(text, "ab", construction)
            proof.exactly("compile_regex: its automaton", network.automaton == sources.from_regex(text, "ab").reachable(), True)
            for word in words(rng, "ab"):
                wanted = [accepts("".join(word[: t + 1])) is not None for t in range(len(word))]
                proof.exactly("compile_regex", [yes for _, yes in network.run(word)], wanted)
    states = {"p", "q", "r"}
    dfa = DFA(
        states=states,
        input_symbols={"0", "1"},
        transitions={"p": {"0": "q", "1": "p"}, "q": {"0": "r", "1": "p"}, "r": {"0": "r", "1": "p"}},
        initial_state="p",
        final_states={"r"},
    )
    for word in proof.tied("a DFA and an NFA of automata-lib, words of up to 40 letters", words(rng, "01")):
        accepted = [dfa.accepts_input("".join(word[: t + 1])) for t in range(len(word))]
        proof.exactly("compile_dfa accepts as automata-lib does", [yes for _, yes in compile_dfa(dfa).run(word)], accepted)
        for construction in ("holonomy", "unrounded"):
            network = compile_dfa(dfa, construction)
            proof.exactly("compile_dfa: by a construction", [yes for _, yes in network.run(word)], accepted)
            proof.exactly("compile_dfa: its automaton", network.automaton == sources.from_dfa(dfa), True)
        nfa = NFA(
            states=states,
            input_symbols={"0", "1"},
            transitions={"p": {"0": {"p", "q"}, "1": {"p"}}, "q": {"0": {"r"}, "": {"p"}}, "r": {}},
            initial_state="p",
            final_states={"r"},
        )
        accepted = [nfa.accepts_input("".join(word[: t + 1])) for t in range(len(word))]
        found = sources.from_nfa(nfa)
        proof.exactly("from_nfa accepts as automata-lib does", [q in found.accepting for q in found.run(word)], accepted)


@tie("grazzi25.sec1.regular")
def constructions_by_name(proof: Proof) -> None:
    """Each construction, on an automaton that it fits."""
    rng = Random(65)
    plain, cyclic, dihedral = (
        machines()["random, 4 states, 3 letters"],
        tasks.cycle_navigation(5),
        sources.from_permutations(sources.named_group("D4")),
    )
    fits = [
        (plain, ("holonomy", "wide-holonomy", "disjoint", "excluded", "delays", "unrounded", "one-hot")),
        (cyclic, ("rotation", "signed", "permutation", "two-reflections", "addition", "one-hot")),
        (dihedral, ("signed", "permutation", "dihedral", "solvable")),
        (Automaton({"+": (1, 2, 3, 4, 0), "-": (4, 0, 1, 2, 3), "r": (3,) * 5}), ("unrounded", "rotation")),
        (Automaton({b: tuple((2 * q + b) % 8 for q in range(8)) for b in (0, 1)}), ("register",)),
        (Automaton({"a": (1, 1, 1), "b": (2, 2, 2), "c": (1, 1, 1)}), ("register",)),
    ]
    cases = [(automaton, name) for automaton, names in fits for name in names]
    for automaton, name in proof.tied("automata of 4 to 8 states, words of up to 40 letters", cases):
        network, candidate = compile_automaton(automaton, name), choose(automaton, name)
        followed(proof, f"by {name}", network, automaton, rng)
        written(proof, network)
        document = network.document()
        found = [LayerNumbers(layer, document["field"]) for layer in document["layers"]]
        proof.exactly("widths as they were promised", network.widths, list(candidate.widths))
        least = min(float(p.margins.min()) for p in found)
        proof.certified("states at least as far apart as they were promised", bool(candidate.margin <= least * (1 + 1e-9)))
        if candidate.exact:
            lengths = {n for row in guaranteed_lengths(document).values() for n in row.values() if n is not None}
            proof.exactly("and never rounded", lengths, {float("inf")})
        else:
            rooms = [float(p.margins.min() / np.linalg.norm(p.states, axis=1).max()) for p in found]
            proof.certified("and as much room", bool(candidate.room <= min(rooms) * (1 + 1e-9)))
        proof.certified("by contractions", name == "one-hot" or all(p.contracts for p in found))


@tie("grazzi25.sec1.regular")
def names_as_text(proof: Proof) -> None:
    """Names of states in a file: as text where that tells them apart, as Python writes them elsewhere."""
    for n in proof.tied("1 to 40 names", (1, 2, 11, 12, 13, 40)):
        proof.exactly("names as text", texts(range(-1, n - 1)), [str(i) for i in range(-1, n - 1)])
        mixed = [x for i in range(n) for x in (i, str(i))]
        proof.exactly("names that look alike", texts(mixed), [repr(x) for x in mixed])
        network = compile_automaton(tasks.cycle_navigation(n))
        proof.exactly("names in the file", network.document()["automaton"]["states"], [str(network.automaton.name(q)) for q in range(n)])
