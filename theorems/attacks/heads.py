"""Attacks on the number of heads: random single heads with finitely many states, and all heads for four letters."""

from __future__ import annotations

from itertools import permutations
from random import Random

from flint import fmpq

from ...constructions.languages.paired_heads import fewest_heads
from ...numerics import exact
from ...numerics.exact import freeze
from .attack import Outcome, attack


@attack("new.automata.one-layer.one-factor-heads", "single heads of width at most 3, three letters, that would tell all orders apart")
def single_heads(size: int) -> Outcome:
    """``size`` heads with small integer keys and writes of any direction, beta = 1 or a fraction; those with at most 200 states are compared on all orders."""
    rng, cases, broken = Random(37), 0, []
    for _ in range(max(size, 30)):
        n = rng.randint(1, 3)
        axes = [exact.rationals([[rng.randint(-1, 1)] for _ in range(n)]) for _ in range(2)]
        maps = []
        for _ in range(3):
            k = rng.choice(axes)
            norm = (k.T @ k)[0, 0]
            strength = rng.choice((fmpq(1), fmpq(1), fmpq(1, 2)))
            A = exact.identity(n) - (k @ k.T * (strength / norm) if norm else k @ k.T)
            maps.append((A, k * rng.randint(-3, 3)))
        start = exact.rationals([[rng.randint(-3, 3)] for _ in range(n)])
        states, waiting = {freeze(start)}, [start]
        for h in waiting:
            for A, b in maps:
                after = A @ h + b
                if freeze(after) not in states and len(states) <= 200:
                    states.add(freeze(after))
                    waiting.append(after)
        if len(states) > 200:
            continue
        cases += 1
        told = set()
        for order in [p for k in (1, 2, 3) for p in permutations(range(3), k)]:
            h = start
            for x in order:
                h = maps[x][0] @ h + maps[x][1]
            told.add((order[-1], freeze(h)))
        if len(told) == 15:
            broken.append(f"{[(freeze(A), freeze(b)) for A, b in maps]} from {freeze(start)}")
    return Outcome(cases, broken)


@attack("new.automata.one-layer.one-factor-heads", "three heads for four letters, all of them")
def heads_for_four_letters(size: int) -> Outcome:
    """All sets of at most three heads, from size 5000 on; of at most two below."""
    most = 3 if size >= 5000 else 2
    found = fewest_heads(4, most)
    return Outcome(sum((1, 52, 1326, 22100)[: most + 1]), [] if found is None else [f"{found} heads suffice"])
