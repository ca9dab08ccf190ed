"""From automata to networks, and from networks to modules: every route and every backend against the automaton itself, on long words."""

from __future__ import annotations

import json
import re
from itertools import product
from random import Random
from typing import Any

import numpy as np
from automata.fa.dfa import DFA
from automata.fa.nfa import NFA

from ...constructions.automata import small_groups, sources, tasks
from ...constructions.automata.automaton import Automaton
from ...constructions.automata.choice import choose
from ...constructions.automata.compiler import (
    Network,
    compile_automaton,
    compile_cascade,
    compile_cyclic,
    compile_dfa,
    compile_group,
    compile_representation,
)
from ...constructions.automata.group_names import structure
from ...constructions.automata.machines import from_mealy
from ...constructions.automata.precision_layer import LayerNumbers
from ...numerics import exact
from ..claim import tie
from ..evidence import Proof
from ..recheck.files import check_bytes


def words(rng: Random, letters: Any, lengths: tuple[int, ...] = (1, 2, 9, 40)) -> list[list[Any]]:
    return [[rng.choice(list(letters)) for _ in range(n)] for n in lengths]


def random_automaton(rng: Random, n: int, k: int) -> Automaton:
    table = {x: tuple(rng.randrange(n) for _ in range(n)) for x in "abcd"[:k]}
    return Automaton(table, 0, frozenset(q for q in range(n) if rng.random() < 0.5), tuple(f"q{q}" for q in range(n)))


def machines() -> dict[str, Automaton]:
    """Automata of up to 12 states: random ones, the usual tasks, Moore machines."""
    rng = Random(61)
    found = {f"random, {n} states, {k} letters": random_automaton(rng, n, k) for n, k in ((1, 1), (2, 2), (3, 2), (4, 3), (6, 2))}
    found |= {
        "parity": tasks.parity(),
        "even pairs": tasks.even_pairs(),
        "cycle of 7": tasks.cycle_navigation(7),
        "arithmetic": tasks.modular_arithmetic(2),
    }
    return found


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


def followed(proof: Proof, what: str, network: Network, automaton: Automaton, rng: Random) -> None:
    for word in words(rng, automaton.letters):
        wanted = [(automaton.name(q), q in automaton.accepting) for q in automaton.run(word)]
        proof.exactly(f"{what}: the states and what is accepted", network.run(word), wanted)
        if automaton.outputs is not None:
            proof.exactly(f"{what}: what is said", network.outputs(word), [automaton.output(q) for q in automaton.run(word)])


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
def tasks_by_hand(proof: Proof) -> None:
    """The tasks as their definitions have them."""
    rng = Random(63)
    for word in proof.tied("words of up to 40 letters", words(rng, "01")):
        automaton = tasks.parity()
        proof.exactly(
            "parity", [q in automaton.accepting for q in automaton.run(word)], [word[: t + 1].count("1") % 2 == 1 for t in range(len(word))]
        )
    for word in proof.tied("words of up to 40 letters", words(rng, "ab")):
        automaton = tasks.even_pairs()
        proof.exactly("even pairs", [q in automaton.accepting for q in automaton.run(word)], [word[0] == x for x in word])
    for m, word in proof.tied("m <= 9, words of up to 40 letters", product((1, 2, 5, 9), words(rng, "-0+"))):
        automaton = tasks.cycle_navigation(m)
        sums = np.cumsum(["-0+".index(x) - 1 for x in word])
        proof.exactly("cycle navigation", [automaton.output(q) for q in automaton.run(word)], [int(s % m) for s in sums])
    for m in proof.tied("m <= 10, expressions of up to 9 digits", (2, 3, 5, 10)):
        automaton = tasks.modular_arithmetic(m)
        for terms in range(1, 10):
            text = "".join(f"{rng.randrange(m)}{rng.choice('+-*')}" for _ in range(terms - 1)) + str(rng.randrange(m))
            proof.exactly("modular arithmetic", automaton.output(automaton.run(text)[-1]), eval(text) % m)
            proof.exactly("modular arithmetic, incomplete", automaton.output(automaton.run(text + "+")[-1]), "incomplete")
            proof.exactly("modular arithmetic, no expression", automaton.output(automaton.run(text + "+*")[-1]), "error")
    languages = [tasks.tomita(number) for number in range(1, 8)]
    for word in proof.tied(
        "Tomita's languages, all words of up to 9 letters", ["".join(w) for n in range(1, 10) for w in product("01", repeat=n)]
    ):
        blocks = [(run[0], len(run) % 2) for run in re.findall("1+|0+", word)]
        third = any(x == ("1", 1) and ("0", 1) in blocks[i:] for i, x in enumerate(blocks))
        wanted = [
            "0" not in word,
            re.fullmatch("(10)*", word) is not None,
            not third,
            "000" not in word,
            word.count("0") % 2 == word.count("1") % 2 == 0,
            (word.count("0") - word.count("1")) % 3 == 0,
            re.fullmatch("0*1*0*1*", word) is not None,
        ]
        found = [automaton.run(word)[-1] in automaton.accepting for automaton in languages]
        proof.exactly("Tomita's languages", found, wanted)
    for word in proof.tied("a Mealy machine, words of up to 40 letters", words(rng, "ab")):
        moore = from_mealy({"a": (1, 2, 0), "b": (0, 0, 1)}, {"a": ("x", "y", "x"), "b": ("z", "z", "x")})
        q, said = 0, []
        for letter in word:
            said.append({"a": ("x", "y", "x"), "b": ("z", "z", "x")}[letter][q])
            q = {"a": (1, 2, 0), "b": (0, 0, 1)}[letter][q]
        proof.exactly("from_mealy says the same", [moore.output(q) for q in moore.run(word)], said)


@tie("grazzi25.thm3")
def groups(proof: Proof) -> None:
    """Groups of small orders, their names, and networks that track them."""
    for order in proof.tied("orders 1 to 12", range(1, 13)):
        tables = small_groups.small_groups(order)
        proof.exactly("there are as many groups as there should be", len(tables), small_groups.NUMBERS[order - 1])
        for number, table in enumerate(tables, 1):
            proof.holds(
                "a table is associative", all((table[table[g, h]] == table[g][table[h]]).all() for g in range(order) for h in range(order))
            )
            powers = [[0] for _ in range(order)]
            for g in range(order):
                while (after := int(table[powers[g][-1], g])) != 0:
                    powers[g].append(after)
            proof.exactly("orders of elements", [small_groups.order_of(table, g) for g in range(order)], [len(p) for p in powers])
            proof.holds(
                "automorphisms keep products", all((s[table] == table[np.ix_(s, s)]).all() for s in small_groups.automorphisms(table))
            )
            proof.exactly(
                "only a group itself is isomorphic to it",
                [small_groups.isomorphic(table, other) for other in tables],
                [k == number for k in range(1, len(tables) + 1)],
            )
            generated = sources.from_permutations(small_groups.small_group(order, number))
            proof.exactly("the generators generate it", generated.n, order)
            proof.exactly("its elements as letters", len(sources.all_elements(small_groups.small_group(order, number))), order)
    names = {"S4": "S4", "A5": "A5", "C6": "Z6", "Q8": "Q8", "D5": "D5", "S3xC4": "Z4 x S3", "A4": "A4", "C2xC2": "Z2 x Z2"}
    from sympy.combinatorics import Permutation, PermutationGroup

    for name, wanted in proof.tied("orders up to 60", names.items()):
        group = PermutationGroup([Permutation(list(g)) for g in sources.named_group(name).values()])
        proof.exactly("names by structure", structure(group), wanted)
    rng = Random(64)
    for name in proof.tied("orders up to 24, words of up to 40 letters", ("C1", "C2", "C7", "S3", "D4", "Q8", "A4", "S3xC2", "S4")):
        generators = sources.named_group(name)
        network, automaton = compile_group(generators), sources.from_permutations(generators)
        followed(proof, "compile_group", network, automaton, rng)
        cyclic = compile_cyclic(automaton)
        proof.holds("compile_cyclic builds cyclic groups alone", (cyclic is not None) == (name[0] == "C"))
        if cyclic is not None:
            followed(proof, "compile_cyclic", cyclic, automaton, rng)
    for text in proof.tied("cycles", ["(0 1)(2 3), (0 1 2)", "(0 4 1), ()", "(9 2)"]):
        found = sources.from_cycles(text)
        for letter, images in found.items():
            moved = {
                i: j
                for cycle in letter.strip("()").split(")(")
                for points in [[int(x) for x in cycle.split()]]
                for i, j in zip(points, points[1:] + points[:1], strict=True)
            }
            proof.exactly("from_cycles", images, tuple(moved.get(i, i) for i in range(len(images))))
    for word in proof.tied("signed permutation matrices, words of up to 40 letters", words(rng, "ab")):
        matrices = {"a": exact.rationals([[0, -1], [1, 0]]), "b": exact.rationals([[1, 0], [0, -1]])}
        network = compile_representation(matrices, exact.rationals([[1], [2]]))
        H, seen = exact.identity(2), []
        for x in word:
            H = matrices[x] @ H
            seen.append(H.tolist())
        states = [name for name, _ in network.run(word)]
        proof.exactly(
            "compile_representation tells products apart",
            [[a == b for b in states] for a in states],
            [[a == b for b in seen] for a in seen],
        )


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
        (plain, ("holonomy", "wide-holonomy", "disjoint", "excluded", "delays", "one-hot")),
        (cyclic, ("rotation", "permutation", "two-reflections", "addition", "one-hot")),
        (dihedral, ("permutation", "dihedral", "solvable")),
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
        rooms = [
            float(p.margins.min() / np.linalg.norm(p.states, axis=1).max())
            for p in found
            if any((x != np.round(x)).any() for x in (p.A, p.B, p.states))
        ]
        proof.certified("and as much room", bool(candidate.room <= min(rooms, default=float("inf")) * (1 + 1e-9)))
        proof.certified("by contractions", name == "one-hot" or all(p.contracts for p in found))


@tie("grazzi25.sec1.regular")
def networks_in_torch(proof: Proof) -> None:
    """Modules, step by step and by the scan, in float32 and float64, with padding; trainable ones at initialisation; the delta rule."""
    for torch in proof.extra("torch"):
        from ...constructions.automata.delta_rule import delta_rule, run_delta_rule

        rng = Random(66)
        for name, automaton in machines().items():
            network = compile_automaton(automaton, "holonomy")
            letters = {x: i for i, x in enumerate(automaton.letters)}
            batch = [[letters[x] for x in word] for word in words(rng, automaton.letters, (33, 33, 33))]
            wanted = [network.automaton.run([automaton.letters[i] for i in word]) for word in batch]
            padded = torch.tensor([[-1, *word[:20], -1, *word[20:]] for word in batch])
            expected = torch.tensor([[-1, *states[:20], -1, *states[20:]] for states in wanted])
            for dtype in (torch.float32, torch.float64):
                module = network.to_torch(dtype)
                for scan in (False, True):
                    proof.exactly("torch: the states, step by step and by the scan", module(torch.tensor(batch), scan).tolist(), wanted)
                    proof.exactly("torch: with padding before and within", module(padded, scan).tolist(), expected.tolist())
                    accepted = [[q in network.automaton.accepting for q in states] for states in wanted]
                    proof.exactly("torch: what is accepted", module.accepts(torch.tensor(batch), scan).tolist(), accepted)
                    if automaton.outputs is not None:
                        said = [[module.output_names[y] for y in row] for row in module.outputs(torch.tensor(batch), scan).tolist()]
                        proof.exactly(
                            "torch: what is said", said, [[str(network.automaton.output(q)) for q in states] for states in wanted]
                        )
            word = [automaton.letters[i] for i in batch[0]]
            proof.exactly("torch: words as letters", network.to_torch()(network.to_torch().encode(word)).tolist(), [wanted[0]])
            proof.holds(f"torch: the margin of {name} is positive", network.to_torch().margin > 0)
            for parametrisation in ("dense", "delta"):
                model = network.to_torch(trainable=True, parametrisation=parametrisation)
                proof.exactly(
                    f"torch: trainable, {parametrisation}, at initialisation", model.predict(torch.tensor(batch)).tolist(), wanted
                )
            kernel = lambda q, k, v, beta, scale, initial_state: delta_rule(q, k, v, beta, scale, initial_state)  # noqa: E731
            proof.exactly(
                "torch: by the delta rule, in float32", run_delta_rule(network.document(), torch.tensor(batch), kernel).tolist(), wanted
            )
