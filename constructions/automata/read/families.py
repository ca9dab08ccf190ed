"""Families of automata to try things on: all small ones, random ones, full transformation monoids."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random
from string import ascii_lowercase

from ..automaton import Automaton


def all_automata(n: int, letters: int) -> Iterator[Automaton]:
    """Every automaton with n states and that many letters (a, b, ...), started in 0."""
    alphabet, functions = _alphabet(letters), list(product(range(n), repeat=n))
    for images in product(functions, repeat=letters):
        yield Automaton(dict(zip(alphabet, images, strict=True)))


def random_automaton(rng: Random, n: int, letters: int) -> Automaton:
    """Uniform transitions and start; unreachable states do occur."""
    return Automaton({x: tuple(rng.randrange(n) for _ in range(n)) for x in _alphabet(letters)}, rng.randrange(n))


def random_cascades(count: int = 250, seed: int = 250) -> Iterator[Automaton]:
    """The declared sample of random automata that need a cascade: 3 to 8 states that words reach, 1 to 3 letters, some of which merge states."""
    rng = Random(seed)
    while count:
        automaton = random_automaton(rng, rng.randint(3, 8), rng.randint(1, 3)).reachable()
        if automaton.n >= 3 and any(len(set(images)) < automaton.n for images in automaton.table.values()):
            count -= 1
            yield automaton


def full_transformations(n: int, letters: int = 3) -> Automaton:
    """All maps of n >= 2 points, by a cycle, a swap and a collapse, and up to n letters by further swaps of neighbours."""
    table = {"cycle": tuple((i + 1) % n for i in range(n)), "swap": (1, 0, *range(2, n)), "collapse": (0, 0, *range(2, n))}
    for i in range(1, letters - 2):
        table[f"swap {i}"] = (*range(i), i + 1, i, *range(i + 2, n))
    return Automaton(table)


def _alphabet(letters: int) -> str:
    if not 1 <= letters <= len(ascii_lowercase):
        raise ValueError(f"expected 1 to {len(ascii_lowercase)} letters, got {letters}")
    return ascii_lowercase[:letters]
