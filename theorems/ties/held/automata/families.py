"""Families of automata and orders of letters, row by row: up to 13 states and letters, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice, product
from random import Random
from typing import Any

from flint import fmpq

from .....constructions.automata.layers import transitive
from .....constructions.automata.levels import repaired as layers
from .....constructions.automata.read import families, sources, tasks
from ....claim import tie
from ....evidence import Proof
from .. import hold, hold_refusals, plain


@tie("grazzi25.sec1.regular")
def families_by_definition(proof: Proof) -> None:
    """All automata in order, drawn ones, all maps of n points; up to 13 states and letters."""
    alphabet = "abcdefghijklm"
    for n, k in proof.tied(
        "up to 5 states, the first thirty automata; up to 13 letters", [(1, 1), (1, 13), (2, 1), (2, 2), (3, 1), (4, 1), (5, 1)]
    ):
        found = [a.table for a in islice(families.all_automata(n, k), 30)]
        maps = list(islice(product(range(n), repeat=n), 30)) if n**n > 30 else list(product(range(n), repeat=n))
        tables = [
            dict(zip(alphabet[:k], (*[maps[0]] * (k - len(last)), *last), strict=True))
            for last in islice(product(maps, repeat=min(k, 2)), 30)
        ]
        proof.exactly("all_automata", plain(found[: len(tables)]), plain(tables[: len(found)]))
        counted = sum(1 for _ in families.all_automata(n, k)) if n ** (n * k) <= 300 else n ** (n * k)
        proof.exactly("all_automata: how many", counted, n ** (n * k))
    for n, k in proof.tied("drawn ones with up to 13 states and letters", [(1, 1), (2, 3), (5, 2), (9, 13), (12, 7), (13, 1)]):
        drawn, again = families.random_automaton(Random(9), n, k), Random(9)
        table = {x: tuple(again.randrange(n) for _ in range(n)) for x in alphabet[:k]}
        proof.exactly("random_automaton", plain((drawn.table, drawn.start)), plain((table, again.randrange(n))))
    for n, k in proof.tied("full transformations of up to 13 points", [(2, 3), (3, 3), (3, 4), (4, 5), (7, 7), (12, 12), (13, 13)]):
        table = families.full_transformations(n, k).table
        swaps = [tuple(j + 1 if j == i else j - 1 if j == i + 1 else j for j in range(n)) for i in range(max(1, k - 2))]
        wanted = [tuple((j + 1) % n for j in range(n)), swaps[0], tuple(max(j, 1) if j != 0 else 1 for j in range(n))]
        collapse = tuple(0 if j < 2 else j for j in range(n))
        proof.exactly("full_transformations", [tuple(f) for f in table.values()], [wanted[0], wanted[1], collapse, *swaps[1:]])
    calls: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [(families._alphabet, (k,)) for k in (-1, 0, 27)]
    calls += [
        (f, (n, k))
        for f in (families.all_automata, lambda n, k: families.random_automaton(Random(0), n, k))
        for n, k in ((2, 0), (2, -2), (-3, -2))
    ]
    calls += [(families.full_transformations, (-2,)), (tasks.tomita, (-2,)), (tasks.tomita, (0,)), (tasks.tomita, (8,))]
    calls += [(layers.vertex, (-2, 0)), (transitive.dihedral_matrices, (-2,)), (transitive._between, (-2,))]
    calls += [
        (sources.from_regex, (text,)) for text in ("\\", "\\a", "ε", "a\\", "(", ")", "a{2", "a{3,1}", "[b-a]", "[", "*a", "a|*", "a&", "")
    ]
    calls += [(sources._sorted_letters, (x,)) for x in ([1, "a"], [1.0, 1], [1j, -1j], [(1,), 1])]
    hold_refusals(proof, "sizes and letters out of range, expressions that are none", calls)
    kinds: list[list[Any]] = [
        [3, -1, 2, 12],
        [0.5, -2.0, 13.0],
        [fmpq(1, 2), fmpq(-3)],
        ["b", "a", "abcdefghijklm"],
        [(1, 2), (0, 9)],
        list(range(13, -1, -1)),
    ]
    hold(
        proof,
        "letters of one type",
        lambda i: sources._sorted_letters(kinds[i]),
        lambda i: sorted(kinds[i]),
        ((i,) for i in range(len(kinds))),
        "_sorted_letters",
    )
