"""What the claims on the fewest reflections per letter demand of their certificates."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ...cyclotomic import field_plus, field_times
from ...exact import matrix, minus, one, rank, require
from ...registry import statement
from ...typed import Certificates, Data
from .demands import compose, computes, field_one, generated, negated, network_layers, permutation


def one_layer(data: Data, most: int) -> None:
    """One layer of rational maps with B = 0, each of them I and a matrix of rank ``most`` at most."""
    require(data["field"] == 1 and len(data["layers"]) == 1, "one layer of rational numbers")
    for f in data["layers"][0]:
        a = matrix(f["A"])
        require(not any(x for row in matrix(f["B"]) for x in row), "B = 0")
        require(rank(minus(a, one(len(a)))) <= most, f"{most} factors at most for a letter")


def products(data: Data) -> list[tuple[int, ...]]:
    """The letters, permutations whose products the automaton outputs."""
    letters = [permutation([int(i) for i in x.strip("()").split(",")]) for x in data["letters"]]
    computes(data, tuple(range(len(letters[0]))), lambda g, x: compose(x, g), letters)
    return letters


def of_order_2(g: Any) -> Any:
    return compose(g, g) == tuple(range(len(g))) != g


@statement("new.automata.fewest-reflections", "automaton")
def by_covers(data: Data) -> None:
    """S_4 by two swaps and two disjoint swaps, one factor each; or the quaternion group, all elements, three at most."""
    letters = products(data)
    group = generated(letters)
    if len(letters) == 3:
        require(letters == [(0, 1, 3, 2), (0, 2, 1, 3), (1, 0, 3, 2)] and len(group) == 24, "S_4 by (2 3), (1 2), (0 1)(2 3)")
        one_layer(data, 1)
    else:
        require(set(letters) == group and len(group) == 8, "a group of order 8, all elements as letters")
        require(sum(of_order_2(g) for g in group) == 1, "a single element of order 2")
        require(any(compose(g, h) != compose(h, g) for g in group for h in group), "elements that do not commute")
        one_layer(data, 3)


@statement("new.automata.fewest-reflections")
def both_covers(certificates: Certificates) -> None:
    require([len(d["letters"]) for _, d in certificates] == [3, 8], "S_4 and the quaternion group")


@statement("new.automata.fewest-reflections.symmetric", "automaton")
def symmetric(data: Data) -> None:
    """S_4, all elements as letters, two factors; S_5 by a 5-cycle and another letter, four."""
    letters = products(data)
    if len(letters[0]) == 4:
        require(set(letters) == generated(letters) and len(letters) == 24, "all of S_4")
        one_layer(data, 2)
    else:
        require(letters == [(1, 0, 2, 3, 4), (1, 2, 3, 4, 0)] and len(generated(letters)) == 120, "S_5 by a swap and a 5-cycle")
        one_layer(data, 4)


@statement("new.automata.fewest-reflections.symmetric")
def both_groups(certificates: Certificates) -> None:
    require([len(d["letters"]) for _, d in certificates] == [24, 2], "S_4 and S_5")


def commute(group: set[Any]) -> bool:
    return all(compose(g, h) == compose(h, g) for g in group for h in group)


@statement("new.automata.fewest-reflections.abelian", "automaton")
def abelian(data: Data) -> None:
    """An abelian group that is not cyclic, all elements but 1 as letters: two factors a letter, one if all squares are 1."""
    letters = products(data)
    group, nothing = generated(letters), tuple(range(len(letters[0])))
    require(set(letters) == group - {nothing} and commute(group), "all elements but 1 of an abelian group")
    require(not cyclic(group), "a group that is not cyclic")
    one_layer(data, 1 if all(compose(g, g) == nothing for g in group) else 2)


def cyclic(group: set[Any]) -> bool:
    return any(generated([g]) == group for g in group)


@statement("new.automata.fewest-reflections.abelian")
def two_abelian_groups(certificates: Certificates) -> None:
    require([len(d["letters"]) for _, d in certificates] == [3, 7], "groups of order 4 and 8")
    require(any(compose(g, g) != tuple(range(len(g))) for g in products(certificates[1][1])), "the second is Z_2 x Z_4, not Z_2^3")


@statement("new.automata.four-layers", "network")
def four_layers(document: dict[str, Any]) -> None:
    """S_3 by a swap and a 3-cycle: four layers of widths 1, 2, 4, 3, each map I and a matrix of rank 1 at most; the table multiplies permutations."""
    modulus, layers = network_layers(document)
    require([width for width, _ in layers] == [1, 2, 4, 3], "widths 1, 2, 2m, n")
    for width, maps in layers:
        for a, _, _ in maps:
            require(rank_at_most_one(minus_one(a, width, modulus), modulus), "one factor at most for a letter")
    table, start = document["automaton"]["table"], document["automaton"]["start"]
    letters, state = [(1, 0, 2), (1, 2, 0)], {(0, 1, 2): start}
    require(len(table) == len(letters), "two letters")
    waiting = [(0, 1, 2)]
    for g in waiting:
        for x, row in zip(letters, table, strict=True):
            new = compose(x, g)
            if new not in state:
                waiting.append(new)  # pyright: ignore[reportArgumentType]
            require(state.setdefault(new, row[state[g]]) == row[state[g]], "the automaton multiplies by the letter")  # pyright: ignore[reportArgumentType, reportCallIssue]
    require(len(set(state.values())) == len(state) == 6, "six elements, six states")


def minus_one(a: Sequence[Sequence[tuple[Fraction, ...]]], n: int, modulus: Sequence[int]) -> list[list[tuple[Fraction, ...]]]:
    return field_plus(a, negated(field_one(n, modulus), modulus))


def rank_at_most_one(a: Sequence[Sequence[tuple[Fraction, ...]]], modulus: Sequence[int]) -> bool:
    """All minors of size 2 vanish."""
    n = len(a)
    return all(
        field_times([[a[i][k]]], [[a[j][l]]], modulus) == field_times([[a[i][l]]], [[a[j][k]]], modulus)
        for i in range(n)
        for j in range(i)
        for k in range(n)
        for l in range(k)
    )
