"""What the claims of topic automata on rounded stacks demand of their certificates."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

from ...counting_steps import Machine, Way
from ...exact import natural, number, require, vector
from ...floating import FORMATS, nearest
from ...registry import statement
from ...schema import Fields, Items, Natural, Rational, Text, Vector, Words
from ...typed import Certificates, Data
from ..householder.instances import fixed

NAMES = ("bfloat16", "float16", "float32")
MODULI = (2, 3, 2, 2)


def counting_head(name: str, head: Data) -> list[tuple[Fraction, ...]]:
    """The states of a head that counts: its cycle from the start, products and sums rounded in order."""
    modulus, k, start = natural(head["modulus"]), vector(head["k"]), vector(head["start"])
    beta, v = number(head["beta"]), number(head["v"])
    require(len(k) == len(start) == 3 and all(nearest(x, *FORMATS[name]) == x for x in (*k, *start, beta, v)), "stored numbers, width 3")
    square = sum(x * x for x in k)
    require(0 < 1 - beta * square < 1, "the eigenvalue in (0, 1)")
    require(abs(square - 1) <= Fraction(2) ** (1 - FORMATS[name][0]), "a key of length 1 up to rounding")
    states, length = Machine(name, k, beta, v).orbit(start, Way("separate", (0, 1, 2), False), "even", 20)
    require(len(states) == length == modulus, f"a cycle of {modulus} states")
    return states


@statement(
    "new.automata.rounded.solvable",
    "witness",
    Fields(
        name=Text(*NAMES),
        moduli=Items(Natural(2, 3), 4, 4),
        heads=Items(Fields(modulus=Natural(2, 3), k=Vector(3, 24), beta=Rational(24), v=Rational(24), start=Vector(3, 24)), 2, 2),
        letters=Items(Words("0123", 4), 24, 24),
        elements=Items(Words("0123", 4), 24, 24),
        reads=Items(Items(Words("012", 12), 24, 24), 4, 4),
    ),
)
def stack_of_the_symmetric_group(data: Data) -> None:
    """All elements of S_4 are letters; from the start every reached state of the five heads stands for the product of the letters read."""
    every = {"".join(p) for p in itertools.permutations("0123")}
    letters, elements, reads = data["letters"], data["elements"], data["reads"]
    require(set(letters) == every and set(elements) == every, "all 24 permutations, as letters and as values")
    require(tuple(map(natural, data["moduli"])) == MODULI, "moduli 2, 3, 2, 2")
    require([natural(head["modulus"]) for head in data["heads"]] == [2, 3], "a head modulo 2 and one modulo 3")
    for head in data["heads"]:
        counting_head(data["name"], head)
    sizes = [1, 2, 6, 12]
    require(
        all(len(row) == size for rows, size in zip(reads, sizes, strict=True) for row in rows),
        "an entry for each count of the layers below",
    )
    require(all(int(c) < m for rows, m in zip(reads, MODULI, strict=True) for row in rows for c in row), "increments below the modulus")
    # the letter 1 moves a head to the next state of its cycle: a state is its number N_d in each head
    start = tuple((0,) * (m - 1) for m in MODULI)
    seen, todo = {start}, [start]
    require(elements[place(start)] == "0123", "the start stands for the identity")
    while todo:
        counts = todo.pop()
        value = elements[place(counts)]
        for i, x in enumerate(letters):
            after = read(counts, reads, i)
            require(elements[place(after)] == "".join(value[int(c)] for c in x), "the value is the product")
            if after not in seen:
                seen.add(after)
                todo.append(after)
    require(len(seen) == 72, "72 states")


def place(counts: tuple[Any, ...]) -> int:
    """The number of (q_1, ..., q_i) in lexicographic order, q the sum of d N_d."""
    index = 0
    for heads, modulus in zip(counts, MODULI, strict=False):
        index = index * modulus + sum(d * n for d, n in enumerate(heads, 1)) % modulus
    return index


def read(counts: tuple[Any, ...], reads: Any, letter: int) -> tuple[Any, ...]:
    """The counts after a letter, layer by layer."""
    after: tuple[Any, ...] = ()
    for heads, rows, modulus in zip(counts, reads, MODULI, strict=True):
        d = int(rows[letter][place(after)])
        after = (*after, tuple((n + (d == j)) % modulus for j, n in enumerate(heads, 1)))
    return after


@statement("new.automata.rounded.solvable")
def stack_in_three_formats(certificates: Certificates) -> None:
    """Three formats."""
    require(sorted(data["name"] for _, data in certificates) == sorted(NAMES), "one stack for each format")


fixed("new.automata.rounded.solvable", "witness", *({"name": name} for name in NAMES))
