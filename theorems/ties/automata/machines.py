"""Machines made from machines, against simulation and against the definition of equivalence."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import product
from random import Random
from typing import Any

from ....constructions.automata.automaton import Automaton
from ....constructions.automata.read.machines import completed, from_mealy, minimise
from ...claim import tie
from ...evidence import Proof
from ..shared import refuses, spread
from .common import words

#: numbers of states and of letters
SHAPES = ((1, 1), (1, 3), (2, 1), (2, 2), (3, 2), (5, 3), (7, 2), (9, 2), (12, 3))


@tie("grazzi25.sec1.regular")
def mealy_machines(proof: Proof) -> None:
    """States are the pairs (state, what was said last) that words reach; the start needs one of its own only where no letter leads back to it."""
    rng = Random(80)
    for (n, k), start_first, named in proof.tied(
        "1 to 12 states, 1 to 3 letters, outputs -1 and others", product(SHAPES, (True, False), (True, False))
    ):
        letters = list(range(-1, k - 1))
        table = {x: [rng.randrange(n) for _ in range(n)] for x in letters}
        said = {x: [rng.choice((-1, 0, "x", None)) for _ in range(n)] for x in letters}
        start, accepting = 0 if start_first else n - 1, {q for q in range(n) if rng.random() < 0.5}
        names: list[Hashable] = [f"state {q}" for q in range(n)] if named else list(range(n))
        moore = from_mealy(table, said, start, accepting, names if named else None)
        for word in words(rng, letters):
            q, wanted = start, []
            for x in word:
                y, q = said[x][q], table[x][q]
                wanted.append((y, q in accepting, (names[q], y)))
            found = moore.run(word)
            proof.exactly("outputs, acceptance, names", [(moore.output(q), q in moore.accepting, moore.name(q)) for q in found], wanted)
        reached = {(images[q], said[x][q]) for q in discovered(table, start) for x, images in table.items()}
        back = [y for q, y in reached if q == start]
        proof.exactly("no state too many", moore.n, len(reached) + (not back))
        proof.exactly("the start comes first", moore.start, 0)
        proof.holds("and says what some letter says", moore.output(0) in (back or said[letters[0]][start : start + 1]))
        first = next(
            (y for q in discovered(table, start) for x in letters for y in [said[x][q]] if table[x][q] == start), said[letters[0]][start]
        )
        proof.exactly("the first that is said on the way into it", moore.output(0), first)


@tie("grazzi25.sec1.regular")
def no_mealy_machines(proof: Proof) -> None:
    """Outputs are one for each letter and each state."""
    table = {"a": [1, 0], "b": [1, 1]}
    for said in proof.tied(
        "2 states, 2 letters", [{}, {"a": "xy"}, {"a": [1, 2], "b": [1]}, {"a": [1, 2], "b": "xy"}, {"a": [1, 2], "b": [1, 2], "c": [1, 2]}]
    ):
        proof.holds("what is not is refused", refuses(from_mealy, table, said))


def discovered(table: Mapping[Any, Sequence[int]], start: int) -> list[int]:
    """The states that words reach, breadth first, letters in order."""
    return spread([start], lambda q: [images[q] for images in table.values()])


@tie("grazzi25.sec1.regular")
def partial_machines(proof: Proof) -> None:
    """A sink takes what is missing; it is called and says what nothing else is called or says."""
    rng = Random(81)
    for (n, k), missing, taken in proof.tied(
        "1 to 12 states, none to all transitions missing", product(SHAPES, (0.0, 0.3, 1.0), (0, 1, 2))
    ):
        table = {x: [None if rng.random() < missing else rng.randrange(n) for _ in range(n)] for x in range(-1, k - 1)}
        names: list[Hashable] = [-q - 1 for q in range(n)]
        for i, name in enumerate(["sink", "sink'"][:taken]):
            names[i % n] = name
        outputs = [f"y{q}" for q in range(n - 1)] + ["sink"]
        lacking = any(None in row for row in table.values())
        fresh = next(s for s in ("sink", "sink'", "sink''") if s not in names)
        rows = {x: tuple([n if q is None else q for q in row] + [n] * lacking) for x, row in table.items()}
        extra = (fresh,) if lacking else ()
        proof.exactly(
            "with outputs",
            repr(completed(table, names, outputs, True)),
            repr((rows, (*names, *extra), (*outputs, *(["sink'"] if lacking else [])))),
        )
        proof.exactly("an acceptor", repr(completed(table, names, None, True)), repr((rows, (*names, *extra), None)))
        proof.exactly("refused where none is asked for", refuses(completed, table, names, None, False), lacking)
        if not lacking:
            proof.exactly("nothing to complete", repr(completed(table, names, outputs, False)), repr((rows, tuple(names), tuple(outputs))))


@tie("grazzi25.sec1.regular")
def fewest_states(proof: Proof) -> None:
    """Classes of states that no word tells apart, by marking pairs until nothing changes."""
    rng = Random(82)
    for (n, k), copies, moore in proof.tied("1 to 12 states, each once or up to three times", product(SHAPES, (1, 2, 3), (False, True))):
        # the states q, q + n, q + 2 n do the same
        size = n * copies
        table = {x: [rng.randrange(n) for _ in range(n)] for x in range(-1, k - 1)}
        blown = {x: tuple(row[q % n] + n * rng.randrange(copies) for q in range(size)) for x, row in table.items()}
        chosen = {q for q in range(n) if rng.random() < 0.4}
        outputs = tuple(rng.choice((-1, "y")) for _ in range(n)) if moore else None
        automaton = Automaton(
            blown,
            rng.randrange(size),
            frozenset(q for q in range(size) if q % n in chosen),
            tuple(-q for q in range(size)),
            None if outputs is None else outputs * copies,
        )
        states = discovered(automaton.table, automaton.start)
        apart = told_apart(states, automaton)
        classes: list[list[int]] = []
        for q in states:
            mine = next((c for c in classes if (c[0], q) not in apart), None)
            classes.append([q]) if mine is None else mine.append(q)
        number = {q: i for i, c in enumerate(classes) for q in c}
        found = minimise(automaton)
        proof.exactly("a state for each class, named by its first", found.names, tuple(-c[0] for c in classes))
        proof.exactly("the table", found.table, {x: tuple(number[row[c[0]]] for c in classes) for x, row in automaton.table.items()})
        proof.exactly(
            "start and acceptance",
            (found.start, found.accepting),
            (0, frozenset(i for i, c in enumerate(classes) if c[0] in automaton.accepting)),
        )
        proof.exactly("outputs", found.outputs, None if automaton.outputs is None else tuple(automaton.outputs[c[0]] for c in classes))


def told_apart(states: list[int], automaton: Automaton) -> set[tuple[int, int]]:
    """The pairs of states that some word tells apart by acceptance or output."""
    seen = {q: (q in automaton.accepting, None if automaton.outputs is None else automaton.outputs[q]) for q in states}
    apart = {(p, q) for p in states for q in states if seen[p] != seen[q]}
    while True:
        more = {
            (p, q)
            for p in states
            for q in states
            if (p, q) not in apart and any((row[p], row[q]) in apart for row in automaton.table.values())
        }
        if not more:
            return apart
        apart |= more
