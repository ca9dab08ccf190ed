"""Attacks on the depth by foldings and by loops: random stacks that have fewer layers than the bound, and automata that get both two layers and the bound three."""

from __future__ import annotations

from random import Random

from ...constructions.automata import Automaton
from ...constructions.languages import Undecided
from ...constructions.languages.folded_layers import folded_bound
from ...constructions.languages.two_layers import two_layers
from ..automata.finite_layers import Map, random_layers, random_stacks
from ..automata.one_layer import any_factors
from .attack import Outcome, attack


@attack(
    "new.automata.depth.foldings",
    "random stacks of one and two layers with finitely many exact states, against both bounds for their own states",
)
def stacks_below_the_bound(size: int) -> Outcome:
    """``size`` / 3 single layers and half as many stacks of two layers, of two letters; those with more than 300 elements are passed over."""
    made: list[tuple[int, tuple[Map, ...]]] = []
    for seed in range(max(size // 30, 1)):
        made += [(1, tuple(layer.maps)) for layer in random_layers(70 + seed, 10, 2, any_factors, most=12)]
        made += [(2, maps) for maps in random_stacks(7000 + seed, 5, 2, any_factors, most=16)]
    cases, broken = 0, []
    for layers, maps in made:
        for exact in (True, False):
            try:
                least = folded_bound(maps, exact)
            except Undecided:
                continue
            cases += 1
            if least > layers and any(len(set(f)) > 1 for f in maps):
                broken.append(f"{layers} layers, bound {least}, {'exact states' if exact else 'a margin'}: {maps}")
    return Outcome(cases, broken)


@attack(
    "new.automata.depth.two-layers",
    "random automata of three to five states that have two layers by loops and a bound of three by foldings",
)
def two_layers_above_the_bound(size: int) -> Outcome:
    """``size`` automata of two letters, permutations among them; those with more than 300 elements are passed over."""
    rng, cases, broken = Random(71), 0, []
    for _ in range(size):
        n = rng.choice((3, 4, 4, 5))
        letters = [rng.sample(range(n), n) if rng.random() < 0.3 else [rng.randrange(n) for _ in range(n)] for _ in range(2)]
        automaton = Automaton(dict(enumerate(letters))).reachable()
        maps = list(automaton.table.values())
        try:
            least = folded_bound(maps, exact=True)
        except Undecided:
            continue
        cases += 1
        if least > 2 and two_layers(automaton, 2) is not None:
            broken.append(f"bound {least}, and two layers: {maps}")
    return Outcome(cases, broken)
