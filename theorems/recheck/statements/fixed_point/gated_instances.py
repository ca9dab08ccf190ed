"""Which gated layers the certificates of topic fixed_point speak of: drawn again from the claims' seeds, and the automata that they track."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from fractions import Fraction
from random import Random
from typing import Any

from ... import layer_families as layers
from ...families import integer_vector, nonzero_vector
from ...registry import instances
from ...typed import Data
from .instances import HALF, rationals

# -- what contraction costs --------------------------------------------------------------------------------------------------------


def random_gated(rng: Random) -> dict[str, Any]:
    d, norm = rng.randint(1, 3), layers.tenths(rng)
    return {"decay": layers.decays(rng, d), "Q": layers.contractive_mixer(rng, d, norm), "gamma": norm}


@instances("new.fixed-point.gated.disc", "witness")
def six_tokens() -> Iterable[Data]:
    """Seed 41: six tokens, d <= 3."""
    rng = Random(41)
    for _ in range(6):
        yield random_gated(rng)


@instances("new.fixed-point.gated.disc.filled", "witness")
def three_points() -> Iterable[Data]:
    """1/2 + i/3, 1/10 - i/4, 9/10 + i/5."""
    for z in ((HALF, Fraction(1, 3)), (Fraction(1, 10), Fraction(-1, 4)), (Fraction(9, 10), Fraction(1, 5))):
        yield {"z": z}


@instances("new.fixed-point.gated.fades", "witness")
def one_gate_for_all() -> Iterable[Data]:
    """Seed 42: T = 1, 2, 3, 4, d = 2, 3."""
    rng = Random(42)
    for length in (1, 2, 3, 4):
        d, norm = rng.randint(2, 3), layers.tenths(rng)
        mixers = [layers.contractive_mixer(rng, d, norm) for _ in range(length)]
        yield {"decay": layers.decays(rng, d), "mixers": mixers, "gamma": norm}


@instances("new.fixed-point.gated.letters", "witness")
def three_letters() -> Iterable[Data]:
    """Seed 44: three letters, d <= 3, six steps each."""
    rng = Random(44)
    for _ in range(3):
        letter = random_gated(rng)
        d = len(letter["decay"])
        b = integer_vector(rng, d)
        yield {**letter, "b": b, "starts": [[0] * d, nonzero_vector(rng, d)], "steps": 6}


@instances("new.fixed-point.gated.automata", "witness")
def two_automata() -> Iterable[Data]:
    """Up and down on three states, and three maps of four states, from the first state in every block of a layer of the claim's width."""
    for moves in ([[1, 2, 2], [0, 0, 1]], [[1, 2, 3, 3], [2, 0, 2, 1], [3, 3, 1, 3]]):
        states = len(moves[0])
        blocks = 1 + sum(next(n for n in range(1, states) if len(set(image(move, n))) == 1) - 1 for move in moves)
        yield {"moves": moves, "initial": [1, *[0] * (states - 1)] * blocks}


@instances("new.fixed-point.gated.groups", "witness")
def generators_of_s5() -> Iterable[Data]:
    """A transposition and a 5-cycle."""
    yield {"permutations": [[1, 0, 2, 3, 4], [1, 2, 3, 4, 0]]}


@instances("new.fixed-point.gated.one-gate", "witness")
def two_definite_automata() -> Iterable[Data]:
    """Two automata of three states for which the last two letters decide."""
    for moves in ([[1, 1, 1], [0, 2, 0]], [[1, 2, 2], [0, 0, 0]]):
        yield {"moves": moves, "order": 2, "decay": Fraction(1, 3)}


@instances("new.fixed-point.gated.depth", "witness")
def last_cascade() -> Iterable[Data]:
    """Seed 67: the last of 150 cascades of automata of three states, each letter a rooted tree."""
    rng, trees = Random(67), [move for move in itertools.product(range(3), repeat=3) if len(set(image(move, 3))) == 1]
    cascades = [{"first": [rng.choice(trees) for _ in range(2)], "second": [rng.choice(trees) for _ in range(6)]} for _ in range(150)]
    yield cascades[-1]


def image(move: Sequence[int], power: int) -> list[int]:
    """The images of all states under a power of the map."""
    states = list(range(len(move)))
    for _ in range(power):
        states = [move[q] for q in states]
    return states


@instances("new.fixed-point.gated.sets", "witness")
def three_pairs() -> Iterable[Data]:
    """Three pairs of transitions: a product with the eigenvalue -1, one that grows, and one with a kernel."""
    for pair in (
        ((("0", "-1/64"), ("1", "1/4")), (("1/4", "1"), ("-1/64", "0"))),
        ((("1/2", "1"), ("0", "1/2")), (("1/2", "0"), ("5", "1/2"))),
        ((("1/2", "3"), ("0", "0")), (("1/2", "-1/3"), ("1/3", "1/2"))),
    ):
        yield {"matrices": [rationals(rows) for rows in pair]}
