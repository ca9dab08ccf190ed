"""What the certificates of topic automata speak of: automata and groups built again here, examples by their parameters, and random layers drawn again."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from random import Random
from typing import Any

from ...exact import apply, require
from ...matrix_families import once
from ...registry import instances, statement
from ...typed import Certificates, Data
from .demands import compose
from .stacks import is_monoid

# -- automata by their tables --------------------------------------------------------------------------------------------------------------


def all_maps(n: int) -> list[list[int]]:
    """A cycle, a swap and a collapse of n points, which generate all maps."""
    return [[(i + 1) % n for i in range(n)], [1, 0, *range(2, n)], [0, 0, *range(2, n)]]


@instances("grazzi25.thm5", "witness")
def maps_of_two_and_three() -> Iterable[Data]:
    """All maps of two and three points, followed from state 0."""
    yield from ({"table": all_maps(n)} for n in (2, 3))


def automata(claim: Any, *expected: Any) -> None:
    """The rational networks of the claim compute these automata (letters, states, table, accepting states), from state 0, in this order."""

    def demand(certificates: Certificates) -> None:
        documents = [d for _, d in certificates]
        found = [(d["letters"], *(d["automaton"][name] for name in ("states", "table", "accepting"))) for d in documents]
        require(found == list(expected), f"the automata of the claim, {len(expected)} of them")
        require(all(d["automaton"]["start"] == 0 and d["field"] == 1 for d in documents), "started in 0, with rational entries")

    statement(claim)(demand)


def numbered(letters: str, table: Sequence[Sequence[int]]) -> tuple[Any, ...]:
    """An automaton whose states are called 0, 1, ..., and of which none is accepting."""
    return letters.split(), [str(q) for q in range(len(table[0]))], table, []


def mapping(n: Any) -> Any:
    return numbered("cycle swap collapse", all_maps(n))


automata("grazzi25.thm4", *(mapping(n) for n in (2, 3, 4)))
automata("new.automata.unrounded", mapping(4))
automata("new.automata.preimages", numbered("a b", [[3, 3, 3, 1], [0, 2, 1, 2]]))
automata("new.automata.copies", numbered("a b", [[1, 1, 3, 2], [2, 3, 1, 0]]))
automata("grazzi25.sec4.3.depth", mapping(2), mapping(3), numbered("on back", [[1, 2, 3, 3], [0, 0, 1, 2]]))


def some_automata() -> Iterator[Any]:
    """(table, start) of all automata with two states and two letters, of 40 random ones with 1 to 8 states and 1 to 3 letters, seed 73, and of one with a collapse and a cycle."""
    yield from (([list(row) for row in rows], 0) for rows in itertools.product(itertools.product(range(2), repeat=2), repeat=2))
    rng = Random(73)
    for i in range(40):
        n, letters = 1 + i % 8, rng.randint(1, 3)
        table = [[rng.randrange(n) for _ in range(n)] for _ in range(letters)]
        yield table, rng.randrange(n)
    yield [[0, 0, 1], [1, 2, 0]], 0


@statement("grazzi25.appA3.layer")
def one_hot_layers(certificates: Certificates) -> None:
    """These automata, in this order; where a letter merges p and q, e_p + e_q has length sqrt 2 and its image length 2, so that the norm is above 1."""
    found = [(d["letters"], *(d["automaton"][name] for name in ("states", "table", "accepting", "start"))) for _, d in certificates]
    expected = once((*numbered(" ".join("abc"[: len(table)]), table), start) for table, start in some_automata())
    require(found == expected, f"the automata of the claim, {len(expected)} of them")
    merging = [any(len(set(row)) < len(row) for row in table) for _, _, table, _, _ in found]
    require(set(merging) == {True, False}, "letters that merge two states, and automata without one")


def on_pairs(n: Any) -> Any:
    """The n-cycle and a swap, as they move the pairs of n points."""
    pairs = list(itertools.combinations(range(n), 2))
    letters = [(i + 1) % n for i in range(n)], [1, 0, *range(2, n)]
    return [[pairs.index(tuple(sorted((g[i], g[j])))) for i, j in pairs] for g in letters]  # pyright: ignore[reportArgumentType]


automata("grazzi25.thm3", *(numbered("0 1", on_pairs(n)) for n in (4, 5)))


def group(**letters: Any) -> tuple[list[str], list[str], list[list[int]], list[int]]:
    """The automaton of the group that named permutations generate: its elements, as words reach them, times each letter; it accepts 1."""
    named = list(letters.values())
    elements = [tuple(range(len(named[0])))]
    for g in elements:
        elements += [new for x in named if (new := compose(x, g)) not in elements]
    return list(letters), [str(g) for g in elements], [[elements.index(compose(x, g)) for g in elements] for x in named], [0]


automata(
    "grazzi25.thm3.amended",
    group(swap=(1, 0, 2), cycle=(1, 2, 0)),
    group(swap=(1, 0, 2, 3), cycle=(1, 2, 3, 0)),
    group(turn=(1, 2, 3, 0), flip=(0, 3, 2, 1)),
    group(turn=(1, 2, 3, 4, 0), flip=(0, 4, 3, 2, 1)),
    group(**{"(0 1 2)": (1, 2, 0, 3), "(0 1 3)": (1, 3, 2, 0)}),
)


@statement("new.automata.four-layers")
def symmetric_group_of_three(certificates: Certificates) -> None:
    """S_3 by a swap and a 3-cycle; its element 1 is the start, and accepted."""
    ((_, document),) = certificates
    named, automaton = document["letters"], document["automaton"]
    found = (named, automaton["states"], automaton["table"], automaton["accepting"])
    require(found == group(swap=(1, 0, 2), cycle=(1, 2, 0)), "S_3 by a swap and a 3-cycle, which accepts 1")
    require(automaton["start"] == 0, "starts in 1")


# -- examples ------------------------------------------------------------------------------------------------------------------------------


@instances("grazzi25.thm4.proof", "witness")
def a_swap_below_another() -> Iterable[Data]:
    """Level 1 swaps its states; level 2 stands still or swaps as level 1 is in 0 or 1."""
    yield {"first": [1, 0], "second": [[0, 1], [1, 0]]}


@instances("grazzi25.thm3.count", "witness")
def two_actions_of_four_elements() -> Iterable[Data]:
    """Z_2 x Z_2 on itself, and by two disjoint swaps."""
    yield {"on_Q": [[1, 0, 3, 2], [2, 3, 0, 1]], "on_points": [[0, 1, 3, 2], [1, 0, 2, 3]]}


@instances("grazzi25.thm6.display", "witness")
def least_modulus() -> Iterable[Data]:
    yield {"m": 1, "x": 0, "y": 0}


@instances("grazzi25.thm6.eq7", "witness")
def modulus_three() -> Iterable[Data]:
    yield {"m": 3, "i": 0, "j": 1}


@instances("grazzi25.thm6.sum", "witness")
def three_letters_modulo_two() -> Iterable[Data]:
    yield {"m": 2, "word": [0, 0, 1]}


@instances("grazzi25.sec4.3.tokens.display", "witness")
def one_letter_and_minus_one() -> Iterable[Data]:
    yield {"k": 1, "t": 3, "A": -1}


def monoids(n: int) -> Iterator[list[list[int]]]:
    """The tables of the monoids on 0 .. n - 1 with identity 0, in order."""
    for rows in itertools.product(itertools.product(range(n), repeat=n - 1), repeat=n - 1):
        table = [list(range(n)), *([x, *row] for x, row in enumerate(rows, start=1))]
        if is_monoid(table):
            yield table


def first_that_does_not_commute() -> list[list[int]]:
    return next(t for t in monoids(3) if t[1][2] != t[2][1])


@instances("grazzi25.sec3.2.word-problem", "witness")
def two_monoids() -> Iterable[Data]:
    """The first monoid with two elements, and the first with three that does not commute; all words of three letters."""
    for table in (next(monoids(2)), first_that_does_not_commute()):
        yield {"table": table, "delta": table, "words": list(itertools.product(range(len(table)), repeat=3))}


@instances("grazzi25.sec3.2.word-problem.order", "witness")
def two_letters_that_do_not_commute() -> Iterable[Data]:
    yield {"table": first_that_does_not_commute(), "word": [1, 2]}


@instances("lizaire26.sec3.3.weighted-automata", "witness")
def two_weighted_automata() -> Iterable[Data]:
    """Two pairs of slices, each with an entry that is no permutation's; the start (1, -1) and the word 0 1 1 0 1."""
    for slices in ([[[0, 1], [1, 0]], [[1, 0], [1, 1]]], [[[1, 2], [0, 1]], [[0, -1], [1, 1]]]):
        yield {"slices": slices, "start": [1, -1], "word": [0, 1, 1, 0, 1]}


@instances("new.automata.bistable-band", "witness")
def two_layers_of_units() -> Iterable[Data]:
    """Two units that are written in turn; three units of which a letter writes two, another two, the last none. Candidates alternate."""
    for gates in ([[0, 1], [1, 0]], [[1, 1, 0], [0, 1, 1], [0, 0, 0]]):
        yield {"gates": gates, "candidates": [[(-1) ** (i + j) for j in range(len(row))] for i, row in enumerate(gates)]}


@instances("new.automata.settled.cast", "witness")
def one_third() -> Iterable[Data]:
    """The eigenvalue 1/3, read on 0, 1, 3/2."""
    yield {"a": Fraction(1, 3), "D": [0, 1, Fraction(3, 2)]}


# -- random DeltaNet stacks --------------------------------------------------------------------------------------------------------------

ANGLES = [(Fraction(1), Fraction(0)), (Fraction(3, 5), Fraction(4, 5)), (Fraction(-5, 13), Fraction(12, 13))]


def rule_of(
    rng: Random,
    basis: tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]],
    table: dict[str | tuple[str, tuple[Fraction, Fraction]], Any],
    letter: str | tuple[str, tuple[Fraction, Fraction]],
) -> tuple[list[list[Fraction]], list[Fraction]]:
    """A and b of a letter: (I - beta k k^T) h + beta v k with a key k of the basis, beta in {0, 1}, v in {-1, 0, 1}, drawn when first read."""
    if letter not in table:
        k, beta, v = rng.choice(basis), rng.choice((0, 1)), rng.choice((-1, 0, 1))
        table[letter] = [[int(i == j) - beta * k[i] * k[j] for j in (0, 1)] for i in (0, 1)], [beta * v * x for x in k]
    return table[letter]


@instances("new.automata.settled", "witness")
def first_layers() -> Iterable[Data]:
    """Of 12 stacks of two layers drawn with seed 20 the first three whose first layer moves: its three letters, and its states as words reach them."""
    rng, found = Random(20), []
    for _ in range(12):
        bases = [rng.choice([((c, s), (-s, c)) for c, s in ANGLES]) for _ in range(2)]
        tables = {}, {}
        start = (Fraction(0),) * 2
        waiting, lows = [(start, start)], [start]
        for low, high in waiting:
            for x in "abc":
                a, b = rule_of(rng, bases[0], tables[0], x)
                new = moved(a, b, low)
                a, b = rule_of(rng, bases[1], tables[1], (x, new))
                if (pair := (new, moved(a, b, high))) not in waiting:
                    waiting.append(pair)
                    lows += [new] if new not in lows else []
        letters = [dict(zip("Ab", tables[0][x], strict=True)) for x in "abc"]
        if any(moved(x["A"], x["b"], h) != h for x in letters for h in lows):
            found.append({"letters": letters, "states": lows})
    return found[:3]


def moved(a: Sequence[Sequence[Fraction]], b: Sequence[Fraction], h: tuple[Any, ...]) -> tuple[Any, ...]:
    """A h + b."""
    return tuple(x + y for x, y in zip(apply(a, h), b, strict=True))
