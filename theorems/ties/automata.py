"""From automata to networks, and from networks to modules: every route and every backend against the automaton itself, on long words."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from functools import partial
from itertools import combinations, permutations, product
from math import factorial, frexp, lcm, ldexp
from random import Random
from typing import Any

import numpy as np
from automata.fa.dfa import DFA
from automata.fa.nfa import NFA
from flint import fmpq

from ...constructions.automata import affine, small_groups, sources, tasks
from ...constructions.automata.automaton import Automaton
from ...constructions.automata.cascade import Move
from ...constructions.automata.choice import Candidate, candidates, choose, level_margin
from ...constructions.automata.compiler import (
    Network,
    compile_automaton,
    compile_cascade,
    compile_cyclic,
    compile_dfa,
    compile_group,
    compile_representation,
)
from ...constructions.automata.delays import two_slot_maps
from ...constructions.automata.delta_steps import delta_steps
from ...constructions.automata.derivatives import Terms
from ...constructions.automata.document import texts
from ...constructions.automata.embedding import generated
from ...constructions.automata.group_names import structure
from ...constructions.automata.layers import level_maps, one_hot_maps, printed_layer, vertex
from ...constructions.automata.machines import from_mealy
from ...constructions.automata.metacyclic import Metacyclic
from ...constructions.automata.permuting import least_distance, orbit
from ...constructions.automata.precision import guaranteed_length
from ...constructions.automata.precision_layer import FORMATS, LayerNumbers
from ...constructions.automata.subsets import Family
from ...constructions.automata.swap_per_token import symmetric_by_swaps
from ...constructions.householder import cycles, exact_rotation
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
    for n in proof.tied("counters up to 8: a layer for each number, words of up to 40 letters", (2, 5, 9)):
        counter = Automaton(
            {"a": tuple(min(q + 1, n - 1) for q in range(n)), "b": tuple(max(q - 1, 0) for q in range(n))}, 0, frozenset({0})
        )
        network = compile_automaton(counter, "holonomy")
        followed(proof, "counters", network, counter, rng)
        proof.exactly("the layers of the stack, all of them", (len(network.layers), network.layers), (n - 1, network.stack.layers))
        proof.exactly("and in the file", len(network.document()["layers"]), n - 1)
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
            elements = sources.all_elements(small_groups.small_group(order, number))
            proof.exactly("its elements as letters", len(elements), order)
            for letter, images in elements.items():
                spelt = sources.from_cycles(letter) if letter != "()" else {letter: ()}
                moved = spelt[letter]
                proof.exactly("each spelt by its cycles", (*moved, *range(len(moved), len(images))), tuple(images))
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
                        apart = module.outputs(padded, scan)
                        proof.exactly("torch: nothing is said at padding", (apart == -1).tolist(), (padded == -1).tolist())
                        proof.exactly(
                            "torch: and elsewhere the same",
                            apart[padded >= 0].tolist(),
                            module.outputs(torch.tensor(batch), scan).flatten().tolist(),
                        )
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


def refuses(function: Any, *given: Any) -> bool:
    """Whether a call raises ``ValueError``."""
    try:
        function(*given)
    except ValueError:
        return True
    return False


@tie("grazzi25.sec1.regular")
def rooms(proof: Proof) -> None:
    """What is refused as too large: more numbers than there is room for, counted in matrices and states."""
    for width, maps in proof.tied("widths 1 to 300, 1 to 40 maps, on both sides of the limit", product((1, 2, 9, 300), (1, 3, 40))):
        most = (affine.LARGEST_LAYER - width * width * maps) // width
        for states in (0, most, most + 1):
            try:
                affine.require_room(width, maps, states)
                refused = False
            except ArithmeticError:
                refused = True
            proof.exactly("require_room", refused, width * width * maps + width * states > affine.LARGEST_LAYER)


@tie("grazzi25.sec1.regular")
def exact_maps(proof: Proof) -> None:
    """Affine maps on integers over a common denominator, and the states that they lead to, against A H + B entry by entry."""
    rng = Random(67)

    def drawn(rows: int, columns: int) -> exact.Array:
        return exact.rationals([[fmpq(rng.randrange(-9, 10), rng.randrange(1, 7)) for _ in range(columns)] for _ in range(rows)])

    for n in proof.tied("widths 1 to 13, negative entries among them", range(1, 14)):
        A, B, H = drawn(n, n), drawn(n, 1), drawn(n, 1)
        parts = [part for M in (A, B, H) if (part := affine.integral(M)) is not None]
        for M, part in zip((A, B, H), parts, strict=True):
            proof.exactly("integers over their least denominator", lcm(*(int(x.q) for x in M.flat)), int(part.denominator))
            proof.exactly("the numerators", list(map(int, part.numerators.entries())), [int(x * fmpq(part.denominator)) for x in M.flat])
            proof.exactly("the matrix back", part.array().tolist(), M.tolist())
        moved = [[sum((A[i, j] * H[j, 0] for j in range(n)), fmpq(0)) + B[i, 0]] for i in range(n)]
        proof.exactly("A H + B on integers", affine.apply(*parts).array().tolist(), moved)
        proof.exactly("equal matrices have equal keys", affine.key(A + A - A), affine.key(A))
        proof.holds("different matrices have different keys", affine.key(A) != affine.key(A + fmpq(1, 7)))
        turn = exact_rotation(5, 1)
        for cyclotomic in (False, True):
            # a cycle of n coordinates and a sign; in a field, a turn beside it
            cycle = exact.rationals([[(-1 if j == n - 1 else 1) if i == (j + 1) % n else 0 for j in range(n)] for i in range(n)])
            start = exact.rationals([[i + 1] for i in range(n)])
            if cyclotomic:
                cycle, start = exact.block_diagonal([cycle * turn[0, 0] ** 0, turn]), np.concatenate([start, turn[:, :1]])
            shift = start * 0
            orbit, q, state = affine.Orbit(start), 0, start
            f = orbit.number_of(cycle, shift)
            proof.exactly("a map has one number", orbit.number_of(cycle.copy(), shift.copy()), f)
            for _ in range(n + 3):
                q, state = orbit.after(q, f), cycle @ state + shift
                proof.exactly("the state after the map", orbit.states[q].tolist(), state.tolist())
    for m in proof.tied("rotations by 2 pi / m, m = 3, 5, 7", (3, 5, 7)):
        proof.exactly("no integers for cyclotomic numbers", affine.integral(exact_rotation(m, 1)), None)


@tie("grazzi25.thm4")
def micro_steps(proof: Proof) -> None:
    """Micro-steps of the delta rule compose to the map itself; permutations take swaps of two coordinates."""
    rng = Random(68)
    moves = [(m, Move(tuple(rng.sample(range(m), m)), None)) for m in range(2, 11)]
    resets = [(m, Move(None, rng.randrange(m))) for m in range(2, 11)]
    maps = [build(move, m) for m, move in moves + resets for build in (level_maps, two_slot_maps) if m <= 6 or build is level_maps]
    maps += [one_hot_maps(move, m) for m, move in moves]
    maps += [(exact.rationals([[fmpq(k, 4)]]), exact.rationals([[b]])) for k in range(-4, 4) for b in (0, -1, 2)]
    for A, B in proof.tied("the maps of levels of up to 10 states, permutations of up to 10 points, scalars in [-1, 1)", maps):
        n = len(A)
        steps = delta_steps(A, B)
        for H in (exact.zeros(n, 1), *(exact.unit_vector(n, i)[:, None] for i in range(n))):
            after = H
            for step in steps:
                after = step.apply(after)
            proof.exactly("the steps compose to A H + B", after.tolist(), (A @ H + B).tolist())
        proof.holds("eigenvalues lie in [-1, 1]", all(0 <= step.factor.beta <= 2 for step in steps))
    for m, move in proof.tied("permutations of 2 to 10 points", moves):
        steps = delta_steps(*one_hot_maps(move, m))
        proof.exactly("a swap for each point of a cycle but one", len(steps), m - len(cycles(move.permutation)))
        found = [(sorted(step.factor.v), step.factor.beta, step.write) for step in steps]
        swap = ([-1, *[0] * (m - 2), 1], 2, 0)
        proof.exactly("each step swaps two coordinates", found, [swap] * len(steps))
        centred = delta_steps(*level_maps(move, m))
        found = [(sorted(step.factor.v), step.factor.beta, step.write) for step in centred]
        proof.exactly("on the simplex one projection comes before them", found, [([1] * m, 1, 0), *[swap] * len(steps)])


@tie("grazzi25.thm4.proof")
def printed_levels(proof: Proof) -> None:
    """The layer as printed hands up the state after each letter, and the letter."""
    rng = Random(69)
    for m in proof.tied("levels of 1 to 10 states, words of 25 letters", range(1, 11)):
        actions = {"p": Move(tuple(rng.sample(range(m), m)), None), "q": Move(tuple(rng.sample(range(m), m)), None)}
        actions |= {"r": Move(None, rng.randrange(m)), "s": Move(None, m - 1)}
        start = rng.randrange(m)
        word, q, wanted = [rng.choice("pqrs") for _ in range(25)], start, []
        for x in word:
            move = actions[x]
            q = move.reset if move.permutation is None else move.permutation[q]
            wanted.append((q, x))
        proof.exactly("the state after the letter", printed_layer(actions, m, start).run(word), wanted)


@tie("new.automata.float-length")
def promised_margins(proof: Proof) -> None:
    """Margins and rooms that the compiler compares, against distances and norms of all states; distances for each type of numbers."""
    rng = Random(70)
    for m in proof.tied("levels of 2 to 12 states", range(2, 13)):
        corners = [vertex(m, q) for q in range(m)]
        starts = [exact.unit_vector(m, q)[:, None] for q in range(m)]
        for resets in (False, True):
            # what a map leads to: corners after a permutation; after a reset to 0 what that writes of each old state
            A, B = level_maps(Move(None, 0), m)
            written = [A @ H + B for H in corners] if resets else []
            groups = [np.array([exact.as_float(H)[:, 0] for H in found]) for found in (corners, written) if found]
            margin = min(half_distance(found) for found in groups)
            norm = max(float(np.linalg.norm(exact.as_float(H))) for H in (*starts, *corners, *written))
            proof.closely("the margin of a level", abs(level_margin(m, resets)[0] - margin), 1e-12)
            proof.closely("the room of a level", abs(level_margin(m, resets)[1] - margin / norm), 1e-12)
    for name in proof.tied("groups in the plane and in space, of 6 to 60 elements", ("D3", "D4", "D5", "D7", "A4", "S4", "A5")):
        candidate = choose(sources.from_permutations(sources.named_group(name)), "two-reflections")
        (layer,) = candidate.stack().layers
        states, seen = [layer.initial], {exact.freeze(layer.initial)}
        for H in states:
            for x in candidate.automaton.letters:
                after = layer.transition(x) @ H
                if exact.freeze(after) not in seen:
                    seen.add(exact.freeze(after))
                    states.append(after)
        points = np.array([exact.as_float(H)[:, 0] for H in states])
        whole = bool((points == np.round(points)).all())
        room = float("inf") if whole else half_distance(points) / float(np.linalg.norm(points, axis=1).max())
        proof.closely("the margin of a group", abs(candidate.margin - half_distance(points)), 1e-9)
        proof.holds("the room of a group", candidate.room == room or abs(candidate.room - room) < 1e-9)
    for n in proof.tied("1 to 13 points, as integers, exact numbers and floats", range(1, 14)):
        points = [rng.sample(range(-20, 20), 3) for _ in range(n)]
        wanted = min((max(abs(a - b) for a, b in zip(p, q, strict=True)) for p, q in combinations(points, 2)), default=float("inf"))
        for array in (np.array(points), np.array(points, dtype=float), exact.rationals(points), np.array(points, dtype=complex)):
            proof.exactly("the least distance", least_distance(array), float(wanted))


def half_distance(points: np.ndarray) -> float:
    """Half the least distance of two rows, in the largest entry."""
    return min((float(np.abs(p - q).max()) for p, q in combinations(points, 2)), default=float("inf")) / 2


@tie("grazzi25.sec1.regular")
def costs_of_candidates(proof: Proof) -> None:
    """Widths, depths and costs of candidates from up to 13 layers; which groups of what order are tried, and which cascades."""
    rng = Random(74)
    automaton = tasks.parity()
    for depth in proof.tied("1 to 13 layers of widths up to 40", range(1, 14)):
        widths = tuple(rng.randrange(1, 41) for _ in range(depth))
        margin, room = rng.random(), rng.choice((rng.random(), float("inf")))
        one = Candidate("any", automaton, widths, margin, room, lambda: None)  # type: ignore[arg-type,return-value]
        widest, cramped = sorted(widths)[-1], -round(room, 12)
        proof.exactly("depth and width", (one.depth, one.width), (depth, widest))
        proof.exactly(
            "what it costs",
            [one.cost(prefer) for prefer in ("shallow", "narrow", "margin")],
            [(depth, widest, cramped), (widest, depth, cramped), (cramped, depth, widest)],
        )
        proof.exactly("without a cascade nothing is read", one.reads_at_most(0), True)
    for n in proof.tied("cyclic groups of 2 to 12 elements, and automata of 2 to 7 states with resets", range(2, 13)):
        found = {c.construction: (c.widths, c.automaton.n) for c in candidates(tasks.cycle_navigation(n), "addition")}
        proof.exactly("what fits a cycle, its widths", found["addition"], ((1, 2), n))
        if n <= 7:
            table = {"a": tuple((q + 1) % n for q in range(n)), "b": (0,) * n}
            for c in candidates(Automaton(table, 0, frozenset()), "holonomy"):
                if c.construction in ("excluded", "holonomy", "delays"):
                    factor, margin = (2, 0.5) if c.construction == "delays" else (1, 1.5 / max(c.cascade.sizes) ** 2)
                    proof.exactly(f"{c.construction}: widths", list(c.widths), [factor * m for m in c.cascade.sizes])
                    proof.closely(f"{c.construction}: margin", abs(c.margin - margin), 1e-12)
                    proof.exactly(f"{c.construction}: layers", [len(H) for H in c.stack().initial], list(c.widths))


@tie("grazzi25.sec1.regular")
def families_of_sets(proof: Proof) -> None:
    """Which sets lie inside which, and the largest of them, by comparing all pairs."""
    rng = Random(78)
    for n, count in proof.tied("sets of up to 12 states, families of up to 60", product((1, 2, 3, 7, 12), (1, 2, 6, 7, 8, 60))):
        sets = {frozenset(q for q in range(n) if rng.random() < 0.6) | {rng.randrange(n)} for _ in range(count)}
        family = Family(sets)
        proof.exactly("its sets, larger ones first", [len(X) for X in family.sets], sorted(map(len, sets), reverse=True))
        proof.exactly("all of them", set(family.sets), sets)
        for X in family.sets:
            within = {Y for Y in sets if Y < X}
            found = family.inside(X)
            proof.exactly("inside", {Y for i, Y in enumerate(family.sets) if found >> i & 1}, within)
            largest = family.maximal_subsets(X)
            proof.exactly("maximal_subsets", set(largest), {Y for Y in within if not any(Y < Z for Z in within)})
            proof.exactly("smallest first", [len(Y) for Y in largest], sorted(map(len, largest)))


@tie("new.automata.float-length")
def formats(proof: Proof) -> None:
    """What a format stores of a number: the nearest, ties to even, half precision by way of float32."""
    rng = Random(77)
    drawn = [rng.choice((-1, 1)) * ldexp(rng.uniform(0.5, 1), rng.randint(-12, 14)) for _ in range(60)]
    numbers = [0.0, 1.0, -1.0, 1 / 3, 1 + 2.0**-24, 1 + 3 * 2.0**-24, 1 + 2.0**-11, 1 + 2.0**-8, 1 + 2.0**-9, 1 + 3 * 2.0**-9, *drawn]
    for name, bits in proof.tied("four formats, 70 numbers", {"float64": 53, "float32": 24, "float16": 11, "bfloat16": 8}.items()):
        form = FORMATS[name]
        rounds = [bits] if name in ("float64", "float32") else [24, bits]
        wanted = []
        for x in numbers:
            for b in rounds:
                x = float(to_bits(x, b))
            wanted.append(x)
        proof.exactly(f"{name}: stored", [float(x) for x in form.stored(np.array(numbers))], wanted)
        proof.exactly(f"{name}: the unit", form.unit, 2.0**-bits)
        of_sums = form.rounded(np.array(numbers, dtype=form.carrier))
        proof.exactly(f"{name}: rounded", [float(x) for x in form.stored(of_sums.astype(float))], [float(x) for x in of_sums])


def to_bits(x: float, bits: int) -> Fraction:
    """The nearest number of so many bits, ties to even; in the normal range."""
    if x == 0:
        return Fraction(0)
    exponent = frexp(x)[1] - bits
    return Fraction(round(Fraction(x) / Fraction(2) ** exponent)) * Fraction(2) ** exponent


@tie("new.automata.float-length")
def lengths_by_path(proof: Proof) -> None:
    """Step by step every network runs, and its length is that of the layer that fails first; the delta rule runs contractions alone."""
    automaton, formats = machines()["random, 4 states, 3 letters"], ("float64", "float32", "float16", "bfloat16")
    documents = {name: compile_automaton(automaton, name).document() for name in ("one-hot", "holonomy", "delays")}
    for document, dtype in proof.tied(
        "a network that is no contraction and two that are, four formats", product(documents.values(), formats)
    ):
        apart = [guaranteed_length(document | {"layers": [layer]}, dtype) for layer in document["layers"]]
        found = guaranteed_length(document, dtype)
        proof.exactly("the length of the layer that fails first", found, min(x for x in apart if x is not None))
        proof.holds("a length is positive", found is not None and found > 0)
    for path, dtype in proof.tied("the delta rule's two paths, four formats", product(("delta", "fused"), formats)):
        proof.exactly("closed to what is no contraction", guaranteed_length(documents["one-hot"], dtype, path), None)


@tie("new.automata.float-length")
def orbits(proof: Proof) -> None:
    """The vectors that a group moves the start to, in exact numbers, integers, floats and complex numbers."""
    kinds = {"exact": exact.rationals, "integers": np.array, "floats": lambda rows: np.array(rows, dtype=float)}
    for n in proof.tied("cyclic groups of 1 to 10 elements", range(1, 11)):
        automaton = tasks.cycle_navigation(n)
        shift = [[1 if i == (j + 1) % n else 0 for j in range(n)] for i in range(n)]
        for kind, make in kinds.items():
            matrices = {"-": make(shift).T, "0": make(shift) @ make(shift).T, "+": make(shift)}
            found = orbit(automaton, matrices, make([[i] for i in range(n)]))
            assert found is not None
            moved = sorted([(i - k) % n for i in range(n)] for k in range(n))
            proof.exactly(f"the vectors of an orbit, {kind}", sorted([int(x) for x in H[:, 0].tolist()] for H in found.states), moved)
            proof.exactly("the layer of an orbit", found.layer.run("+-0++"), automaton.run("+-0++"))
        constant = orbit(automaton, {x: exact.identity(1) for x in "-0+"}, exact.identity(1))
        proof.holds("no layer where one vector would be two states", (constant is None) == (n > 1))
    for n in proof.tied("powers of the imaginary unit", (1, 2, 4)):
        automaton, root = tasks.cycle_navigation(n), {1: 1, 2: -1, 4: 1j}[n]
        matrices = {x: np.array([[complex(root) ** k]]) for x, k in zip("-0+", (n - 1, 0, 1), strict=True)}
        found = orbit(automaton, matrices, np.array([[1 + 2j]]))
        assert found is not None
        turned = {(1 + 2j) * root**k for k in range(n)}
        proof.exactly("the vectors of an orbit, complex", ({H.item() for H in found.states}, len(found.states)), (turned, n))
        proof.exactly("the layer of an orbit, complex", found.layer.run("+-0++"), automaton.run("+-0++"))


@tie("grazzi25.thm3")
def groups_as_blocks(proof: Proof) -> None:
    """Cyclic groups turn one polygon however they are given; groups of exactly as many elements as a limit allows."""
    for lengths in proof.tied(
        "cyclic groups of up to 30 elements, as one cycle or several", ((1,), (2,), (3,), (9,), (2, 3), (3, 4), (2, 3, 5))
    ):
        images: list[int] = []
        for m in lengths:
            images += [len(images) + (i + 1) % m for i in range(m)]
        network, order = compile_group({"turn": images}), lcm(*lengths)
        proof.exactly("as many states as elements", network.automaton.n, order)
        proof.exactly("one polygon, or a sign", network.widths, [2 if order > 2 else 1])
    for n in proof.tied("symmetric groups on 2 to 6 points", range(2, 7)):
        swap, cycle = (1, 0, *range(2, n)), (*range(1, n), 0)
        order = factorial(n)
        proof.exactly("no group above the limit", generated([swap, cycle], order - 1), None)
        proof.exactly("a group at the limit", sorted(generated([swap, cycle], order) or []), sorted(permutations(range(n))))


@tie("grazzi25.thm3")
def metacyclic_products(proof: Proof) -> None:
    """Products by the relations alone, one letter a or b at a time."""
    groups = [
        (1, 1, 1, 0),
        (1, 5, 1, 0),
        (3, 2, 2, 0),
        (4, 2, 3, 2),
        (5, 4, 2, 0),
        (7, 3, 2, 0),
        (11, 5, 3, 0),
        (12, 2, 5, 6),
        (13, 4, 5, 0),
        (16, 2, 7, 8),
        (11, 10, 2, 0),
        (1, 13, 0, 0),
    ]
    for m, s, u, t in proof.tied("groups of order 1 to 110, m up to 16, s up to 13", groups):
        group = Metacyclic(m, s, u, t)

        def by_relations(g: tuple[int, int], h: tuple[int, int], m: int = m, s: int = s, u: int = u, t: int = t) -> tuple[int, int]:
            i, j = g
            for _ in range(h[0]):
                i = (i + u**j) % m  # b^j a = a^(u^j) b^j
            for _ in range(h[1]):
                i, j = (i, j + 1) if j + 1 < s else ((i + t) % m, 0)
            return i, j

        elements = group.elements
        proof.exactly("elements", elements, [(i, j) for j in range(s) for i in range(m)])
        proof.exactly(
            "products", [group.times(g, h) for g in elements for h in elements], [by_relations(g, h) for g in elements for h in elements]
        )
        power, order = (0, 1 % s) if s > 1 else (t % m, 0), 1
        b = power
        while power != (0, 0):
            power, order = by_relations(power, b), order + 1
        proof.exactly("the order of b", group.period, order)


@tie("grazzi25.sec1.regular")
def expressions_and_subsets(proof: Proof) -> None:
    """Regular expressions against Python's, and nondeterministic automata with empty moves against automata-lib's."""
    rng = Random(71)

    def expression(depth: int) -> str:
        if depth == 0:
            return rng.choice(["a", "b", "c", ".", "[ab]", "[^b]"])
        kind = rng.randrange(4)
        if kind == 0:
            return f"({expression(depth - 1)}|{expression(depth - 1)})"
        if kind == 1:
            return f"({expression(depth - 1)}){rng.choice(['*', '+', '?', '{2}', '{1,3}', '{2,}'])}"
        return expression(depth - 1) + expression(depth - 1)

    short = ["".join(w) for n in range(5) for w in product("abc", repeat=n)]
    for text in proof.tied("40 expressions, all words of up to 4 letters", [expression(rng.randrange(4)) for _ in range(40)]):
        automaton = sources.from_regex(text, "abc")
        found = [([automaton.start, *automaton.run(word)])[-1] in automaton.accepting for word in short]
        proof.exactly("what an expression matches", found, [re.fullmatch(text, word) is not None for word in short])
    for n in proof.tied("automata of 1 to 8 states with empty moves, words of up to 9 letters", range(1, 9)):
        for _ in range(4):
            transitions = {
                q: {x: {rng.randrange(n) for _ in range(rng.randrange(1, 3))} for x in ("0", "1", "") if rng.random() < 0.5}
                for q in range(n)
            }
            # a chain of empty moves from the start, so that states are reached by several of them
            for q in range(n - 1):
                if rng.random() < 0.6:
                    transitions[q].setdefault("", set()).add(q + 1)
            final = {n - 1} | {q for q in range(n) if rng.random() < 0.2}
            nfa = NFA(states=set(range(n)), input_symbols={"0", "1"}, transitions=transitions, initial_state=0, final_states=final)
            automaton = sources.from_nfa(nfa)
            drawn = ["", *("".join(rng.choice("01") for _ in range(length)) for length in range(1, 10))]
            found = [([automaton.start, *automaton.run(word)])[-1] in automaton.accepting for word in drawn]
            proof.exactly("what it accepts", found, [nfa.accepts_input(word) for word in drawn])


@tie("new.automata.four-layers")
def four_layers(proof: Proof) -> None:
    """One swap a token: the states of the word problem, over many blocks of tokens."""
    rng = Random(79)
    for n in proof.tied("symmetric groups on 2 to 5 points, words of up to 40 letters", range(2, 6)):
        letters = {"turn": (*range(1, n), 0), "swap": (1, 0, *range(2, n)), "rest": tuple(range(n)), "back": (n - 1, *range(n - 1))}
        stack, automaton = symmetric_by_swaps(letters), sources.from_permutations(letters)
        proof.exactly("four layers, 1, 2, 2m and n wide", [len(H) for H in stack.initial], [1, 2, 2 * n - 2, n])
        for word in words(rng, letters):
            proof.exactly("the states", stack.run(word), automaton.run(word))


@tie("grazzi25.thm4")
def derivatives(proof: Proof) -> None:
    """Words by partial derivatives, letter by letter, for expressions whose words are known; sets of terms as sets."""
    for n in proof.tied("powers, optional letters and unions of up to 9 terms, words of up to 12 letters", range(1, 10)):
        terms = Terms()
        a, b, other = terms.letter("a"), terms.letter("b"), terms.letter("a", negated=True)
        wanted = {
            "a^n": (terms.repeat(a, n, n), lambda w, n=n: w == "a" * n),
            "a^n b": (terms.cat(terms.repeat(a, n, n), b), lambda w, n=n: w == "a" * n + "b"),
            "at least n": (terms.repeat(a, n, None), lambda w, n=n: len(w) >= n and set(w) <= {"a"}),
            "up to n": (terms.repeat(other, 0, n), lambda w, n=n: len(w) <= n and "a" not in w),
            "either": (terms.either([terms.repeat(a, k, k) for k in range(n)]), lambda w, n=n: len(w) < n and set(w) <= {"a"}),
            "both": (terms.both([terms.repeat(terms.either([a, b]), n, n), terms.repeat(a, 0, None)]), lambda w, n=n: w == "a" * n),
            "chain": (
                terms.cat(terms.repeat(a, 0, None), terms.cat(terms.repeat(b, 0, None), b)),
                lambda w: re.fullmatch("a*b*b", w) is not None,
            ),
        }
        words = [letter * k + end for k in {0, 1, n - 1, n, n + 1, 12} for letter in "ab" for end in ("", "a", "b")]
        for name, (term, accepts) in wanted.items():
            for word in words:
                mask = terms.mask(term)
                for x in word:
                    mask = terms.after(mask, x)
                proof.exactly(f"words by derivatives: {name}", bool(mask & terms.nullable), accepts(word))
            several = terms.mask(term) | terms.mask(a) | terms.mask(b)
            proof.exactly("a set of terms is that of its members", sum({terms.mask(x) for x in terms.members(several)}), several)


@tie("grazzi25.sec1.regular")
def names_as_text(proof: Proof) -> None:
    """Names of states in a file: as text where that tells them apart, as Python writes them elsewhere."""
    for n in proof.tied("1 to 40 names", (1, 2, 11, 12, 13, 40)):
        proof.exactly("names as text", texts(range(-1, n - 1)), [str(i) for i in range(-1, n - 1)])
        mixed = [x for i in range(n) for x in (i, str(i))]
        proof.exactly("names that look alike", texts(mixed), [repr(x) for x in mixed])
        network = compile_automaton(tasks.cycle_navigation(n))
        proof.exactly("names in the file", network.document()["automaton"]["states"], [str(network.automaton.name(q)) for q in range(n)])


def whole_numbers(rng: Random, *shape: int) -> np.ndarray:
    """An array of integers from -3 to 3."""
    return np.array([rng.randrange(-3, 4) for _ in range(int(np.prod(shape)))], dtype=object).reshape(shape)


def keys_of_powers_of_two(rng: Random, batch: int, steps: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """(k, beta) with 1, 2 or 4 entries 1 or -1 and beta k^T k <= 2: denominators stay powers of two, which every data type holds."""
    k, beta = np.zeros((batch, steps, 1, n), dtype=object), np.zeros((batch, steps, 1), dtype=object)
    for i, t in product(range(batch), range(steps)):
        entries = rng.sample(range(n), rng.choice([size for size in (1, 2, 4) if size <= n]))
        for j in entries:
            k[i, t, 0, j] = rng.choice((-1, 1))
        beta[i, t, 0] = Fraction(rng.choice((0, 1, 2)), len(entries))
    return k, beta


def delta_rule_by_entries(q: Any, k: Any, v: Any, beta: Any, scale: Fraction, initial: Any) -> tuple[list[Any], list[Any]]:
    """S <- S + beta k (v^T - k^T S) and scale S^T q for one word, in rationals: outputs [step][column] and the last state [row][column]."""
    S, outputs = [list(row) for row in initial], []
    rows, columns = range(len(S)), range(len(S[0]))
    for query, key, value, strength in zip(q, k, v, beta, strict=True):
        told = [sum(key[a] * S[a][c] for a in rows) for c in columns]
        S = [[S[a][c] + strength * key[a] * (value[c] - told[c]) for c in columns] for a in rows]
        outputs.append([float(scale * sum(query[a] * S[a][c] for a in rows)) for c in columns])
    return outputs, [[float(x) for x in row] for row in S]


@tie("grazzi25.sec1.regular")
def delta_rule_in_torch(proof: Proof) -> None:
    """The delta rule against rationals, for each width, number of columns, scale and data type; what the kernel is asked for."""
    rng = Random(72)
    shapes = ((1, 1, 1, 0), (1, 1, 1, 4), (2, 1, 3, 7), (4, 3, 2, 5), (6, 2, 1, 9), (9, 1, 2, 6), (3, 6, 6, 3))
    for torch in proof.extra("torch"):
        from ...constructions.automata.delta_rule import delta_rule, run_delta_rule

        for n, columns, batch, steps in shapes:
            k, beta = keys_of_powers_of_two(rng, batch, steps, n)
            q, v, S = (whole_numbers(rng, *shape) for shape in ((batch, steps, 1, n), (batch, steps, 1, columns), (batch, 1, n, columns)))
            for scale, dtype in product((Fraction(1), Fraction(1, 2), Fraction(-2)), (torch.float32, torch.float64)):
                tensors = [torch.tensor(x.astype(float), dtype=dtype) for x in (q, k, v, beta, S)]
                outputs, last = delta_rule(*tensors[:4], float(scale), tensors[4])
                for i in range(batch):
                    wanted = delta_rule_by_entries(q[i, :, 0], k[i, :, 0], v[i, :, 0], beta[i, :, 0], scale, S[i, 0])
                    proof.exactly("the delta rule: outputs and the last state", (outputs[i, :, 0].tolist(), last[i, 0].tolist()), wanted)
        for construction in ("permutation", "rotation"):
            network = compile_automaton(tasks.cycle_navigation(5), construction)
            asked: list[float] = []
            kernel = partial(recorded, asked, delta_rule)
            word = [rng.randrange(3) for _ in range(30)]
            found = run_delta_rule(network.document(), torch.tensor([word]), kernel)
            wanted = network.automaton.run([network.automaton.letters[i] for i in word])
            proof.exactly("by the delta rule: states of a cycle", found.tolist(), [wanted])
            proof.exactly("the kernel is asked for states that are not scaled", asked, [1.0] * len(network.layers))


def recorded(asked: list[float], kernel: Any, *given: Any, scale: float, initial_state: Any) -> Any:
    """What the kernel computes; the scale is kept."""
    asked.append(scale)
    return kernel(*given, scale, initial_state)


@tie("grazzi25.sec1.regular")
def batches(proof: Proof) -> None:
    """Batches of words, with and without padding, for each type of integers, and what they refuse."""
    for torch in proof.extra("torch"):
        from ...constructions.automata.words import as_batch

        for letters, dtype in product((1, 2, 7, 20), (torch.int8, torch.int16, torch.int32, torch.int64)):
            rows = [[-1, *range(letters), -1], [*range(letters), -1, letters - 1]]
            for words, batch in ((rows, rows), (rows[0], rows[:1]), ([[]], [[]]), ([], [[]])):
                indices, there = as_batch(torch.tensor(words, dtype=dtype), letters)
                proof.exactly("indices, 0 for no letter", indices.tolist(), [[max(i, 0) for i in row] for row in batch])
                proof.exactly("where there is a letter", there.tolist(), [[i >= 0 for i in row] for row in batch])
            for wrong in ([[0, letters]], [[-2, 0]], [letters], [[[0]]]):
                proof.holds("what is no batch of letters is refused", refuses(as_batch, torch.tensor(wrong, dtype=dtype), letters))
            proof.holds("floats are refused", refuses(as_batch, torch.zeros(1, 3), letters))
