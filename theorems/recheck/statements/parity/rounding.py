"""What the claims on rounding inside a step, of topic parity, demand of their certificates."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from ...exact import cast, characteristic_polynomial, is_positive_semidefinite, natural, number, points, require, square, vector
from ...exact import matrix as rows_of
from ...floating import FORMATS, nearest, steps
from ...registry import statement
from ...schema import Fields, Items, Matrix, Natural, Rational, Text, Vector
from ...typed import Certificates, Data


def parity_layer(data: Data, residual: bool = False) -> tuple[Any, ...]:
    """(k, beta, v, even, odd, results): a layer of stored numbers with 0 < 1 - beta |k|^2 < 1 whose states the letter 1 exchanges and the letter 0 keeps."""
    name = data["name"]
    require(name in FORMATS, "a known format")
    precision, lowest, largest = FORMATS[name]
    said = {key: number(data["format"][key]) for key in ("precision", "lowest", "largest")}
    require(said == {"precision": precision, "lowest": lowest, "largest": largest}, "the format is what its name says")
    k, even, odd = (vector(data[key]) for key in ("k", "even", "odd"))
    beta, v = number(data["beta"]), number(data["v"])
    require(len(k) == len(even) == len(odd) and even != odd, "two states of the width of the key")
    require(all(nearest(x, *FORMATS[name]) == x for x in (*k, *even, *odd, beta, v)), "every stored number is one of the format")
    require(0 < 1 - beta * sum(x * x for x in k) < 1, "the eigenvalue 1 - beta |k|^2 lies in (0, 1)")
    results = [*k, *even, *odd, beta, v]
    for h, other in ((even, odd), (odd, even)):
        for strength, write, expected in ((beta, v, other), (Fraction(0), Fraction(0), h)):
            after, found = steps(name, k, strength, write, h, residual)
            require(all(g == expected for g in after), f"the state after {h} with beta = {strength}")
            results += found
    return k, beta, v, even, odd, results


def all_formats(certificates: Certificates, names: dict[str, Any] | Sequence[str]) -> None:
    require(sorted(data["name"] for _, data in certificates) == sorted(names), "one layer for each format")


@statement(
    "new.parity.float.underflow",
    "witness",
    Fields(
        format=Fields(precision=Natural(3, 53), lowest=Natural(-1074, -9), largest=Rational(384)),
        k=Vector(1, 4),
        beta=Rational(4),
        v=Rational(4),
        even=Vector(1, 384),
        odd=Vector(1, 384),
        name=Text("bfloat16", "float16", "float32", "float64", "float8_e4m3fn", "float8_e5m2"),
    ),
)
def sign_of_the_least_number(data: Data) -> None:
    """k = 7/4, beta = 5/16, v = 0 exchange the least positive number and its negative, in every evaluation, v - k h fused or not."""
    k, beta, v, even, odd, _ = parity_layer(data, residual=True)
    eta = Fraction(2) ** FORMATS[data["name"]][1]
    require(
        (k, beta, v) == ([Fraction(7, 4)], Fraction(5, 16), 0) and [even, odd] == [[eta], [-eta]], "these weights, and the least number"
    )


@statement("new.parity.float.underflow")
def in_every_format(certificates: Certificates) -> None:
    """Six formats."""
    all_formats(certificates, FORMATS)


@statement(
    "new.parity.float.scalar",
    "witness",
    Fields(
        format=Fields(precision=Natural(8, 53), lowest=Natural(-1074, -24), largest=Rational(384)),
        k=Vector(1, 4),
        beta=Rational(4),
        v=Rational(48),
        even=Vector(1, 48),
        odd=Vector(1, 48),
        name=Text("bfloat16", "float16", "float32", "float64"),
    ),
)
def two_neighbours_below_two(data: Data) -> None:
    """k = 9/8, beta = 3/4, v = 9/4 - 18 eps exchange 2 - 17 eps and 2 - 15 eps, eps = 2^(1-p), p >= 8, without subnormal numbers."""
    k, beta, v, even, odd, results = parity_layer(data)
    precision, lowest, _ = FORMATS[data["name"]]
    eps = Fraction(2) ** (1 - precision)
    require(precision >= 8 and (k, beta, v) == ([Fraction(9, 8)], Fraction(3, 4), Fraction(9, 4) - 18 * eps), "these weights")
    require([even, odd] == [[2 - 17 * eps], [2 - 15 * eps]], "these states")
    require(all(x == 0 or abs(x) >= Fraction(2) ** (lowest + precision - 1) for x in results), "no subnormal number")


@statement("new.parity.float.scalar")
def in_formats_of_eight_bits_or_more(certificates: Certificates) -> None:
    """The four formats with p >= 8."""
    all_formats(certificates, [name for name, (precision, _, _) in FORMATS.items() if precision >= 8])


@statement(
    "new.parity.float.unit-key",
    "witness",
    Fields(
        format=Fields(precision=Natural(3, 53), lowest=Natural(-1074, -9), largest=Rational(384)),
        k=Vector(2, 48),
        beta=Rational(48),
        v=Rational(48),
        even=Vector(2, 48),
        odd=Vector(2, 48),
        name=Text("bfloat16", "float16", "float32", "float64", "float8_e4m3fn", "float8_e5m2"),
    ),
)
def key_of_length_one(data: Data) -> None:
    """Width 2, | |k|^2 - 1 | <= 2^(1-p), 1/2 <= beta <= 1; the states are exchanged in all ten evaluations, without subnormal numbers."""
    k, beta, _, _, _, results = parity_layer(data)
    precision, lowest, _ = FORMATS[data["name"]]
    require(len(k) == 2 and all(k) and abs(sum(x * x for x in k) - 1) <= Fraction(2) ** (1 - precision), "a key of length 1 up to rounding")
    require(Fraction(1, 2) <= beta <= 1, "1/2 <= beta <= 1")
    require(all(x == 0 or abs(x) >= Fraction(2) ** (lowest + precision - 1) for x in results), "no subnormal number")


@statement("new.parity.float.unit-key")
def in_six_formats(certificates: Certificates) -> None:
    """Six formats."""
    all_formats(certificates, FORMATS)


def staircase(data: Data) -> Callable[..., Any]:
    """A nondecreasing function with finitely many values."""
    at, closed, values = vector(data["at"]), [natural(c) for c in data["closed"]], vector(data["values"])
    require(at == sorted(set(at)) and values == sorted(values) and len(closed) == len(at) == len(values) - 1, "a nondecreasing staircase")
    return lambda x: values[sum(x > y or (c == 1 and x == y) for y, c in zip(at, closed, strict=True))]


def settling_blocks(data: Data) -> list[int]:
    """The sizes: A is block lower triangular, the blocks symmetric positive semidefinite after a positive diagonal; h -> rho(A h + b) moves, and settles."""
    a, b, weights = square(rows_of(data["A"])), vector(data["b"]), vector(data["weights"])
    n, sizes = len(a), [natural(s) for s in data["blocks"]]
    require(sum(sizes) == n == len(weights) == len(b) and all(sizes) and all(w > 0 for w in weights), "blocks and positive weights")
    start = 0
    for size in sizes:
        inside = range(start, start + size)
        require(not any(a[i][j] for i in inside for j in range(start + size, n)), "block lower triangular")
        require(is_positive_semidefinite([[weights[i] * a[i][j] for j in inside] for i in inside]), "semidefinite blocks")
        start += size
    rho, orbit = [staircase(r) for r in data["rounding"]], [vector(h) for h in data["orbit"]]
    require(len(rho) == n and all(len(h) == n for h in orbit) and any(map(any, a)), "a rounding for each entry, A not 0")
    for h, after in itertools.pairwise(orbit):
        require(
            [r(sum(x * y for x, y in zip(row, h, strict=True)) + c) for r, row, c in zip(rho, a, b, strict=True)] == after, f"after {h}"
        )
    require(len(orbit) > 3 and orbit[-1] == orbit[-2] != orbit[-3], "an orbit that moves and settles")
    return sizes


@statement(
    "new.parity.stepwise.monotone",
    "witness",
    Fields(
        A=Matrix((2, 5), (2, 5), 8),
        b=Vector((2, 5), 4),
        blocks=Items(Natural(2, 5), 1, 1),
        weights=Vector((2, 5), 4),
        rounding=Items(Fields(at=Vector((1, 5), 8), closed=Items(Natural(0, 1), 1, 5), values=Vector((2, 6), 8)), 2, 5),
        orbit=Matrix((4, 5), (2, 5), 8),
    ),
)
def monotone_settles(data: Data) -> None:
    """One block: W A is symmetric positive semidefinite, and an orbit under nondecreasing roundings moves and settles."""
    require(len(settling_blocks(data)) == 1 < len(data["A"]), "one block, of size 2 or more")


@statement(
    "new.parity.stepwise.triangular",
    "witness",
    Fields(
        A=Matrix((2, 5), (2, 5), 8),
        b=Vector((2, 5), 4),
        blocks=Items(Natural(1, 5), 1, 3),
        weights=Vector((2, 5), 4),
        rounding=Items(Fields(at=Vector((1, 5), 8), closed=Items(Natural(0, 1), 1, 5), values=Vector((2, 6), 8)), 2, 5),
        orbit=Matrix((4, 5), (2, 5), 8),
    ),
)
def triangular_settles(data: Data) -> None:
    """The same for a block triangular A."""
    settling_blocks(data)


@statement("new.parity.stepwise.triangular")
def several_blocks(certificates: Certificates) -> None:
    """Some have more than one block."""
    require(any(len(data["blocks"]) > 1 for _, data in certificates), "more than one block")


@statement(
    "new.parity.stepwise.minors",
    "witness",
    Fields(
        A=Matrix((3, 4), (3, 4), 4), b=Vector((3, 4), 8), D=Vector((4, 6), 8), minor=Items(Natural(0, 3), 1, 2), orbit=Matrix(3, (3, 4), 8)
    ),
)
def cycle_of_a_negative_minor(data: Data) -> None:
    """The principal minor of A on the listed indices is negative, and h -> cast(A h + b) exchanges two states of D^n."""
    a, b, (d, _) = square(rows_of(data["A"])), vector(data["b"]), points(data["D"])
    chosen, orbit = [natural(i) for i in data["minor"]], [vector(h) for h in data["orbit"]]
    require(chosen and chosen == sorted(set(chosen)) and chosen[-1] < len(a), "indices of a principal minor")
    require((-1) ** len(chosen) * characteristic_polynomial([[a[i][j] for j in chosen] for i in chosen])[-1] < 0, "the minor is negative")
    require(len(orbit) == 3 and orbit[0] == orbit[2] != orbit[1], "an orbit of two states")
    require(len(b) == len(a) and all(len(h) == len(a) and set(h) <= set(d) for h in orbit), "states in D^n")
    for h, after in itertools.pairwise(orbit):
        image = [cast(sum(x * y for x, y in zip(row, h, strict=True)) + c, d) for row, c in zip(a, b, strict=True)]
        require(image == after, f"the state after {h}")


@statement(
    "new.parity.float.turns",
    "witness",
    Fields(
        name=Text("bfloat16", "float16", "float32", "float64", "float8_e4m3fn", "float8_e5m2"),
        format=Fields(precision=Natural(3, 53), lowest=Natural(-1074, -9), largest=Rational(384)),
        t=Rational(48),
        c=Rational(32),
    ),
)
def turns_back(data: Data) -> None:
    """h -> a h with every product and sum rounded: three states in a cycle for a = -1/2 + i t, six for 1/2 + i t, no rounding a tie; t is nearest to sqrt(3)/2."""
    name, t, c = data["name"], number(data["t"]), number(data["c"])
    require(name in FORMATS, "a known format")
    precision, lowest, largest = FORMATS[name]
    said = {key: number(data["format"][key]) for key in ("precision", "lowest", "largest")}
    require(said == {"precision": precision, "lowest": lowest, "largest": largest}, "the format is what its name says")
    half_unit = Fraction(1, 2 ** (precision + 1))
    require(c > 0 and (t - half_unit) ** 2 < Fraction(3, 4) < (t + half_unit) ** 2, "t is next to sqrt(3)/2")

    def fl(x: Any) -> Fraction:
        found = nearest(x, *FORMATS[name])
        # a tie would be as far from a neighbour on the other side
        require(found == x or nearest(2 * x - found, *FORMATS[name]) != 2 * x - found, f"{x} is a tie")
        return found

    require(fl(t) == t and fl(c) == c, "t and c are numbers of the format")
    for real, states in ((Fraction(-1, 2), 3), (Fraction(1, 2), 6)):
        seen, (x, y) = [], (c, Fraction(0))
        while (x, y) not in seen and len(seen) <= states:
            seen.append((x, y))
            x, y = fl(fl(real * x) - fl(t * y)), fl(fl(real * y) + fl(t * x))
        require(len(seen) == states and (x, y) == seen[0], f"a cycle of {states}")


@statement("new.parity.float.turns")
def turns_in_every_format(certificates: Certificates) -> None:
    """Six formats."""
    all_formats(certificates, FORMATS)
