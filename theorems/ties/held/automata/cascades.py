"""Cascades, row by row: up to 13 states, along words, each way to build them."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from .....constructions.automata.automaton import Automaton
from .....constructions.automata.cascade.cascade import excluded_states, krohn_rhodes
from .....constructions.automata.read import families
from ....claim import tie
from ....evidence import Proof


def machines(rng: Random) -> list[Automaton]:
    """Up to 13 states: drawn ones where they are few, and turns, resets and merging maps where they are many."""
    small = [families.random_automaton(rng, n, k) for n, k in ((1, 1), (2, 2), (3, 2), (4, 2), (5, 2), (6, 1))]
    large = []
    for n in (7, 9, 12, 13):
        turn, reset = tuple((i + 1) % n for i in range(n)), (rng.randrange(n),) * n
        large.append(Automaton({"turn": turn, "reset": reset}, rng.randrange(n)))
        large.append(Automaton({"down": tuple(max(i - 1, 0) for i in range(n)), "up": tuple(min(i + 2, n - 1) for i in range(n))}, n - 1))
    return [*small, *large]


@tie("new.automata.holonomy")
def cascades_along_words(proof: Proof) -> None:
    """Each way to build a cascade: what it emulates is where the automaton is, and its sets shrink to that state."""
    rng = Random(301)
    for automaton in proof.tied("1 to 13 states; shared, disjoint and separate levels, all tiles, excluded states", machines(rng)):
        letters = list(automaton.letters)
        built = [
            krohn_rhodes(automaton, "shared"),
            krohn_rhodes(automaton, "disjoint"),
            krohn_rhodes(automaton, "levels"),
            krohn_rhodes(automaton, all_tiles=True),
        ]
        for cascade in [*built, excluded_states(automaton)]:
            state, q = cascade.start, automaton.start
            proof.exactly("the start", cascade.emulated(state), q)
            for x in [rng.choice(letters) for _ in range(16)]:
                moves = cascade.moves(x, state)
                wanted = tuple(
                    move.permutation[i] if move.permutation is not None else move.reset for move, i in zip(moves, state, strict=True)
                )
                state, q = cascade.step(state, x), automaton.table[x][q]
                sets = cascade.chain(state)
                nested = all(Y <= X for X, Y in pairwise(sets)) and sets[0] == set(range(automaton.n))
                proof.exactly("a step: the moves of all levels", (state, len(moves)), (wanted, len(cascade.sizes)))
                proof.exactly(
                    "a step: the state emulated, and sets from all states to it",
                    (cascade.emulated(state), nested, sets[-1]),
                    (q, True, {q}),
                )
                proof.exactly("positions stand for tiles", all(0 <= i < size for i, size in zip(state, cascade.sizes, strict=True)), True)
