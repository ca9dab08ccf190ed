"""Layers with finitely many exact states, as instances beside arguments: random ones, their transition monoids, and identities of idempotents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Any

import sympy
from flint import fmpq

from ...constructions import samples
from ...numerics import exact
from ...numerics.exact import Array

#: what a letter does to the states: state number i goes to map[i]
Map = tuple[int, ...]
Letters = Sequence[tuple[Array, Array]]

#: directions of keys whose reflections and projections are often in one finite monoid
KEYS = ((1, 0), (0, 1), (1, 1), (1, -1))

#: layers with more states are drawn again
MOST_STATES = 40


@dataclass(frozen=True)
class Finite:
    """A layer whose words lead to these states, and what letters do to them."""

    letters: Letters
    states: Sequence[Array]
    maps: Sequence[Map]

    @property
    def elements(self) -> list[Map]:
        """What nonempty words do."""
        return closed(self.maps)


def then(f: Map, g: Map) -> Map:
    """f, and then g."""
    return tuple(g[i] for i in f)


def is_idempotent(f: Map) -> bool:
    return then(f, f) == f


def period(f: Map) -> int:
    """The period of the powers f, f f, ..."""
    powers = [f]
    while (new := then(powers[-1], f)) not in powers:
        powers.append(new)
    return len(powers) - powers.index(new)


def one_sided(elements: Sequence[Map]) -> bool:
    """Whether e f e = f e for all idempotents."""
    idempotents = [f for f in elements if is_idempotent(f)]
    return all(then(then(e, f), e) == then(f, e) for e, f in product(idempotents, repeat=2))


def finite(letters: Letters, start: Array, most: int = MOST_STATES) -> Finite | None:
    """The states that words lead to, the start among them, and what letters do; None if there are more than ``most``."""
    number = {exact.freeze(start): 0}
    states, rows = [start], [[] for _ in letters]
    for h in states:
        for row, (A, b) in zip(rows, letters, strict=True):
            new = A @ h + b
            i = number.setdefault(exact.freeze(new), len(number))
            if i == len(states):
                states.append(new)
            row.append(i)
        if len(states) > most:
            return None
    return Finite(letters, states, [tuple(row) for row in rows])


def delta_product(rng: Random, factors: int, betas: Sequence[Any]) -> tuple[Array, Array]:
    """A and b of that many steps h -> h - beta k (k . h - v) / |k|^2 one after the other, in the plane."""
    A, b = exact.identity(2), exact.zeros(2, 1)
    for _ in range(factors):
        k = exact.rationals([[x] for x in rng.choice(KEYS)])
        beta, v = fmpq(rng.choice(betas)), fmpq(rng.choice((0, 0, 1, -1)))
        length = (k.T @ k)[0, 0]
        factor = exact.identity(2) - (k @ k.T) * (beta / length)
        A, b = factor @ A, factor @ b + k * (beta * v / length)
    return A, b


def random_layers(
    seed: int, count: int, letters: int, draw: Callable[[Random], tuple[Array, Array]], most: int = MOST_STATES
) -> Iterator[Finite]:
    """``count`` layers with finitely many states, at least two, of the letters that ``draw`` makes; others are drawn again."""
    rng, draws = Random(seed), samples.tries("a layer with finitely many states")
    found = 0
    while found < count:
        next(draws)
        drawn = [draw(rng) for _ in range(letters)]
        start = exact.rationals([[rng.choice((0, 1, -1))] for _ in drawn[0][0]])
        layer = finite(drawn, start, most)
        if layer is not None and len(layer.states) > 1:
            found += 1
            yield layer


def collapsed(expression: Any, *idempotents: sympy.Symbol) -> sympy.Expr:
    """A polynomial in symbols that need not commute, with every power of an idempotent one replaced by itself."""
    rest = sympy.expand(expression)
    while True:
        new = sympy.expand(rest.replace(lambda e: e.is_Pow and e.base in idempotents, lambda e: e.base))
        if new == rest:
            return rest
        rest = new


def one_hot_columns(rng: Random) -> tuple[Array, Array]:
    """A matrix of width 3 with one 1 in each column, of norm 1 as sums of moduli go, and no input."""
    A = exact.zeros(3, 3)
    for j in range(3):
        A[rng.randrange(3), j] = fmpq(1)
    return A, exact.zeros(3, 1)


def random_stacks(
    seed: int, count: int, letters: int, draw: Callable[[Random], tuple[Array, Array]], most: int = 2 * MOST_STATES
) -> Iterator[tuple[Map, ...]]:
    """What letters do to the states of two layers together: the upper one reads the letter and the lower state before and after it, and has a map drawn for each."""
    rng, draws = Random(seed), samples.tries("a stack with finitely many states")
    lowers = random_layers(seed, 10_000, letters, draw, most=8)
    found = 0
    while found < count:
        next(draws)
        lower, table = next(lowers), {}
        start: tuple[int, Array] = (0, exact.zeros(len(lower.states[0]), 1))
        number, rows = {(0, exact.freeze(start[1])): 0}, [[] for _ in lower.maps]
        states: list[tuple[int, Array]] = [start]
        for i, h in states:
            for x, row in enumerate(rows):
                j = lower.maps[x][i]
                A, b = table.setdefault((x, i, j), draw(rng))
                new = A @ h + b
                place = number.setdefault((j, exact.freeze(new)), len(number))
                if place == len(states):
                    states.append((j, new))
                row.append(place)
            if len(states) > most:
                break
        if all(len(row) == len(states) for row in rows) and len(states) > len(lower.states):
            found += 1
            yield tuple(map(tuple, rows))


def closed(maps: Sequence[Map], most: int = 500) -> list[Map]:
    """What nonempty words do; the first elements of it, by the length of words, where they are more than ``most``."""
    found = dict.fromkeys(maps)
    for f in (queue := list(found)):
        for x in maps:
            if (g := then(f, x)) not in found:
                found[g] = None
                queue.append(g)
        if len(found) > most:
            break
    return queue
