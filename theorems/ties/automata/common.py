"""Automata, words and comparisons that ties of several files share."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Any

import numpy as np

from ....constructions.automata.automaton import Automaton
from ....constructions.automata.compiler import Network
from ....constructions.automata.read import tasks
from ...evidence import Proof


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


def followed(proof: Proof, what: str, network: Network, automaton: Automaton, rng: Random) -> None:
    for word in words(rng, automaton.letters):
        wanted = [(automaton.name(q), q in automaton.accepting) for q in automaton.run(word)]
        proof.exactly(f"{what}: the states and what is accepted", network.run(word), wanted)
        if automaton.outputs is not None:
            proof.exactly(f"{what}: what is said", network.outputs(word), [automaton.output(q) for q in automaton.run(word)])


def half_distance(points: np.ndarray) -> float:
    """Half the least distance of two rows, in the largest entry."""
    return min((float(np.abs(p - q).max()) for p, q in combinations(points, 2)), default=float("inf")) / 2
