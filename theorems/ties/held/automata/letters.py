"""Letters and names of states of every type, row by row: negative numbers, floats, complex numbers, rationals; every construction, up to 13 states and letters."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
from flint import fmpq

from .....constructions.automata import automaton as automata
from .....constructions.automata.automaton import Automaton, explored
from .....constructions.automata.cascade.cascade import krohn_rhodes
from .....constructions.automata.choose.given import Given
from .....constructions.automata.choose.ways import candidates, choose
from .....constructions.automata.compiler import compile_automaton
from .....constructions.automata.layers import groups
from .....constructions.automata.levels import delays
from .....constructions.automata.levels import repaired as layers
from .....constructions.automata.levels.delays import delay_stack
from .....constructions.automata.prove.tables import Tables
from .....constructions.automata.read import families, sources, tasks
from .....numerics import exact
from ....claim import tie
from ....evidence import Proof
from ...automata.common import half_distance
from .. import POSITIVE, hold, hold_refusals
from .common import Images, after

#: letters and names, no two of them equal
MIXED = (-1, 0.5, 2j, fmpq(-1, 3), -2.5, (-7, "x"), -3, 1j, 12.25, "a", -12, fmpq(5, 2), -0.125, 13)


def renamed(table: Sequence[Sequence[int]], start: int = 0) -> Automaton:
    """The automaton whose letters and states have names of every type; it accepts the states of odd number."""
    n = len(table[0])
    return Automaton(
        dict(zip(MIXED, table, strict=False)),
        start,
        frozenset(range(1, n, 2)),
        tuple(reversed(MIXED[:n])),
        tuple(MIXED[q // 2] for q in range(n)),
    )


def walked(table: Sequence[Sequence[int]], start: int, word: Sequence[int]) -> list[int]:
    """The states after every letter, from the rows alone."""
    q, states = start, []
    for a in word:
        q = table[a][q]
        states.append(q)
    return states


def turn(n: int, k: int = 1) -> Images:
    return tuple((i + k) % n for i in range(n))


#: construction -> rows of an automaton that it fits, with as many states and letters as it takes in a moment
FITS: dict[str, list[list[Images]]] = {
    "holonomy": [[turn(4), (0, 0, 2, 3), (3,) * 4], [(q,) * 13 for q in range(13)]],
    "wide-holonomy": [[turn(4), (0, 0, 2, 3), (3,) * 4]],
    "disjoint": [[(1, 0, 2, 2), (0, 0, 3, 3), (2, 2, 1, 0)]],
    "excluded": [[turn(3), (0, 0, 2)], [(0, 0, 2, 1), (3,) * 4]],
    "delays": [[turn(4), (0, 0, 2, 3), (3,) * 4], [(q,) * 13 for q in range(0, 13, 3)]],
    "one-hot": [[turn(13), (5,) * 13, tuple(max(q - 1, 0) for q in range(13))]],
    "rotation": [[turn(5), turn(5, 3)], [turn(12, k) for k in range(12)]],
    "permutation": [[turn(13), turn(13, 6)], [(1, 0, 2, 3), turn(4)]],
    "two-reflections": [[turn(7), tuple(-i % 7 for i in range(7))]],
    "addition": [[turn(5), turn(5, 2)]],
    "dihedral": [[turn(4), (0, 3, 2, 1)]],
    "solvable": [[turn(3), (1, 0, 2)], [turn(4), (0, 3, 2, 1)]],
}


@tie("grazzi25.sec1.regular")
def every_construction(proof: Proof) -> None:
    """Names and verdicts after every letter, whatever letters and states are called; what the network says; its tables."""
    rng = Random(411)
    for name, table in proof.tied(
        "twelve constructions, up to 13 states and letters", [(name, rows) for name, all_rows in FITS.items() for rows in all_rows]
    ):
        n = len(table[0])
        automaton = renamed(table, n - 1)
        network = compile_automaton(automaton, name)  # type: ignore[arg-type]
        word = [rng.randrange(len(table)) for _ in range(24)]
        letters, states = [MIXED[a] for a in word], walked(table, n - 1, word)
        wanted = [(MIXED[n - 1 - q], q % 2 == 1) for q in states]
        proof.exactly(f"{name}: names and what is accepted", network.run(letters), wanted)
        proof.exactly(f"{name}: what is said", network.outputs(letters), [MIXED[q // 2] for q in states])
        by_matrices = [network.automaton.name(q) for q in network.stack.run(letters)]
        proof.exactly(f"{name}: by the matrices", by_matrices, [x for x, _ in wanted])
        proof.exactly(
            "layers, widths", (len(network.layers), network.widths), (len(network.proof), [c.states[0].shape[0] for c in network.proof])
        )
        numbered = [network.automaton.name(q) for q in Tables(network.proof).run(letters)]
        proof.exactly("by the tables", numbered, [x for x, _ in wanted])
        document = network.document()
        said = [document["automaton"]["states"], document["automaton"]["outputs"], document["letters"]]
        reached = network.automaton
        proof.exactly(
            "as text",
            said,
            [
                [str(reached.name(q)) for q in range(reached.n)],
                [str(reached.output(q)) for q in range(reached.n)],
                [str(x) for x in reached.letters],
            ],
        )
    network = compile_automaton(renamed([turn(2), (0, 0)]))
    hold_refusals(proof, "letters that are none", [(network.run, ([x],)) for x in (7, -1.5, 3j, None)])


@tie("new.automata.holonomy")
def cascades_of_names(proof: Proof) -> None:
    """Cascades, their levels and delay stacks: the same whatever letters and states are called."""
    rng = Random(412)
    tables = [[turn(4), (0, 0, 2, 3), (3,) * 4], [(q,) * 13 for q in range(13)], [turn(7), (2,) * 7]]
    for table in proof.tied("4 to 13 states, 2 to 13 letters of every type", tables):
        n = len(table[0])
        cascade = krohn_rhodes(renamed(table, n - 1))
        word = [rng.randrange(len(table)) for _ in range(16)]
        letters, states = [MIXED[a] for a in word], walked(table, n - 1, word)
        stacks = [layers.repaired_stack(cascade), delay_stack(cascade), delays.two_slot_stack(cascade)]
        proof.exactly("three stacks", [stack.run(letters) for stack in stacks], [states] * 3)
        state, found = cascade.start, []
        for x in letters:
            state = cascade.step(state, x)
            sets = cascade.chain(state)
            chosen = [cascade.chosen(k, X, i) for k, (X, i) in enumerate(zip(sets, state, strict=False))]
            stands = all(cascade.stands(k, X, i) for k, (X, i) in enumerate(zip(sets, state, strict=False)))
            proof.exactly("chosen, stands", (chosen, stands), (sets[1:], True))
            found.append(cascade.emulated(state))
        proof.exactly("the cascade itself", found, states)
        proof.exactly("reads", len(list(cascade.reads())) <= 10**6 and cascade.reads_at_most(10**6), True)
        nothing = [stack.layers[0].decode(stack.layers[0].initial * 0, letters[0]) for stack in stacks]
        proof.exactly("a state that encodes nothing", nothing, [None] * 3)


@tie("grazzi25.sec1.regular")
def entries_of_tables(proof: Proof) -> None:
    """Automata from lists of each type of number: integers in range are kept, everything else is refused, and said where."""
    for n in proof.tied("1 to 13 states", POSITIVE):
        numbers: list[Any] = [list(range(n)), tuple(range(n)), np.arange(n), np.arange(n, dtype=np.int8)]
        for images in numbers:
            made = Automaton({-1: images, 0.5: [0] * n, 2j: [n - 1] * n}, n - 1, frozenset({n - 1}))
            proof.exactly("its table", [made.table[x] for x in (-1, 0.5, 2j)], [tuple(range(n)), (0,) * n, (n - 1,) * n])
            proof.exactly("start, accepting, n", (made.start, made.accepting, made.n), (n - 1, {n - 1}, n))
        values = [MIXED[i] for i in range(n)]
        proof.exactly("one for each state", automata._one_each(n, "names", values), tuple(values))
        for bad in (-1, n, 0.0, 1j, True, fmpq(0), "0", None):
            row = [*range(n - 1), bad]
            text = f"expected a state in 0 .. {n - 1} for the letter {bad!r} in state {n - 1}, got {bad!r}"
            proof.exactly("what is wrong with a row", automata._refusal(bad, row, n), text)
        text = f"expected a state in 0 .. {n} for the letter 'x' in state {n}, got nothing"
        proof.exactly("what a short row lacks", automata._refusal("x", list(range(n)), n + 1), text)
        calls: list[tuple[Any, tuple[Any, ...]]] = [(automata._row, (-1, [*range(n - 1), bad], n)) for bad in (-1, n, 0.0, 1j, True)]
        calls += [(automata._state_in, (n, bad)) for bad in (-1, n, 0.0, 1j, True, None)]
        calls += [(automata._one_each, (n, "names", bad)) for bad in ([0.5] * (n + 1), [1j] * (n - 1), "a" * n, [[-1]] * n)]
        hold_refusals(proof, "numbers that are no states", calls)
        cycle = explored(-1.0, MIXED[:3], lambda q, x, n=n: (q + 2) % n - 1.0, lambda q: q == -1, lambda q: q * 1j)
        proof.exactly("explored: its states", cycle.names, tuple(k - 1.0 for k in range(n)))
        proof.exactly("explored: outputs, accepting", (cycle.outputs, cycle.accepting), (tuple((k - 1.0) * 1j for k in range(n)), {0}))
        proof.exactly("output", [cycle.output(q) for q in range(cycle.n)], [(k - 1.0) * 1j for k in range(n)])
    hold_refusals(proof, "sizes of tasks", [(f, (m,)) for f in (tasks.cycle_navigation, tasks.modular_arithmetic) for m in (-2, 0)])


@tie("grazzi25.thm3")
def groups_in_two_layers(proof: Proof) -> None:
    """All permutations of five points as a sign and a rotation: the states, the margin and the room that are promised."""
    rng = Random(413)
    letters = {-1: (1, 0, 2, 3, 4), 0.5: turn(5)}
    automaton = sources.from_permutations(letters)
    for candidate in proof.tied("S_5, 120 elements", [choose(automaton, "two-reflections")]):
        stack = candidate.stack()
        word = [rng.choice(list(letters)) for _ in range(12)]
        product_of, wanted = turn(5, 0), []
        for x in word:
            product_of = after(letters[x], product_of)
            wanted.append(product_of)
        names = candidate.automaton.names or ()
        proof.exactly("the product of the letters", [names[q] for q in stack.run(word)], wanted)
        start = exact.as_float(stack.layers[1].initial)[:, 0]
        points = [exact.as_float(R) @ start for R in groups.even_permutations_as_rotations().values()]
        proof.closely("the margin", abs(candidate.margin - min(1, half_distance(np.array(points)))), 1e-9)
        proof.closely(
            "the room: the lesser of a sign's and a rotation's", abs(candidate.room - candidate.margin / float(np.linalg.norm(start))), 1e-9
        )
        proof.exactly("widths", (candidate.widths, candidate.cost("narrow")[:2], candidate.reads_at_most(0)), ((1, 3), (3, 2), True))
    for name in proof.tied("a group without two layers of this kind", ["A4xC2"]):
        found = list(candidates(sources.from_permutations(sources.named_group(name)), "two-reflections"))
        proof.exactly("two-reflections", found, [])
    acts = ((0, 1), (1, 0), (0, 0))
    for large in proof.tied("30,001 letters", [Automaton({i: acts[i % 3] for i in range(30_001)})]):
        found = choose(large, "excluded")
        bounds = [found.reads_at_most(bound) for bound in (30_000, 100_000)]
        proof.exactly("choose: more than few reads, and not too many", (found.construction, bounds), ("excluded", [False, True]))
    crowded = families.full_transformations(15)
    hold(
        proof,
        "more sets of states than are looked at",
        lambda: list(Given(crowded).cascades),
        lambda: ["excluded"],
        [()],
        "cascades",
    )
