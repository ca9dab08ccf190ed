"""What the claims on layers that count by rounding, of topic parity, demand of their certificates."""

from __future__ import annotations

from fractions import Fraction

from ...counting_steps import RULES, Machine, Way, ways
from ...exact import natural, number, require, vector
from ...floating import FORMATS, nearest
from ...registry import statement
from ...schema import Fields, Items, Natural, Rational, Text, Vector
from ...typed import Certificates, Data

NAMES = ("bfloat16", "float16", "float32")
MODULI = (3, 5, 7, 11, 13)


@statement(
    "new.parity.float.counts",
    "witness",
    Fields(name=Text(*NAMES), modulus=Natural(3, 13), k=Vector(3, 24), beta=Rational(24), v=Rational(24), start=Vector(3, 24)),
)
def counts_where_the_middle_is_not_last(data: Data) -> None:
    """A key of length 1 up to rounding, the eigenvalue in (0, 1); in 16 of the 24 evaluations a cycle of m states from the start, in all others rest."""
    name, modulus = data["name"], natural(data["modulus"])
    k, start = vector(data["k"]), vector(data["start"])
    beta, v = number(data["beta"]), number(data["v"])
    require(len(k) == len(start) == 3, "width 3")
    require(all(nearest(x, *FORMATS[name]) == x for x in (*k, *start, beta, v)), "every stored number is one of the format")
    square = sum(x * x for x in k)
    require(abs(square - 1) <= Fraction(2) ** (1 - FORMATS[name][0]), "a key of length 1 up to rounding")
    require(Fraction(1, 2) <= beta <= 1 and 0 < 1 - beta * square < 1, "1/2 <= beta <= 1 and the eigenvalue in (0, 1)")
    machine = Machine(name, k, beta, v)
    for way in ways():
        counts = way.sum in ("separate", "fused") and way.order[-1] != 1
        for states, length in machine.orbits(start, way, 40):
            if counts:
                require(len(states) == length == modulus, f"a cycle of {modulus} states, the start the first, in {way}")
            else:
                require(length == 1, f"rest in {way}")


@statement("new.parity.float.counts")
def three_formats_five_moduli(certificates: Certificates) -> None:
    """One layer for each format and modulus."""
    seen = sorted((data["name"], data["modulus"]) for _, data in certificates)
    require(seen == sorted((name, m) for name in NAMES for m in MODULI), "one layer for each format and modulus")


def stored(name: str, k: list[Fraction], beta: Fraction, v: Fraction, start: list[Fraction]) -> None:
    """Numbers of the format, width 2, and an eigenvalue in (0, 1)."""
    require(len(k) == len(start) == 2 and all(nearest(x, *FORMATS[name]) == x for x in (*k, *start, beta, v)), "stored numbers, width 2")
    require(0 < 1 - beta * sum(x * x for x in k) < 1, "the eigenvalue in (0, 1)")


@statement(
    "new.parity.float.counts.width-two",
    "witness",
    Fields(name=Text("bfloat16", "float8_e4m3fn", "float8_e5m2"), k=Vector(2, 24), beta=Rational(24), v=Rational(24), start=Vector(2, 24)),
)
def counts_in_width_two(data: Data) -> None:
    """A cycle of three states from the start, with both products rounded and then their sum; ties to even alone in E5M2."""
    name, k, start = data["name"], vector(data["k"]), vector(data["start"])
    beta, v = number(data["beta"]), number(data["v"])
    stored(name, k, beta, v, start)
    machine = Machine(name, k, beta, v)
    for fused in (False, True):
        for rule in RULES[:1] if name == "float8_e5m2" else RULES:
            states, length = machine.orbit(start, Way("products", (0, 1), fused), rule, 20)
            require(len(states) == length == 3, "a cycle of three states")


@statement("new.parity.float.counts.width-two")
def in_three_formats(certificates: Certificates) -> None:
    """Three formats."""
    require(sorted(data["name"] for _, data in certificates) == ["bfloat16", "float8_e4m3fn", "float8_e5m2"], "one layer for each format")


@statement(
    "new.parity.float.counts.letters",
    "witness",
    Fields(period=Natural(2, 7), start=Vector(2, 24), letters=Items(Fields(k=Vector(2, 24), beta=Rational(24), v=Rational(24)), 2, 2)),
)
def two_letters_return(data: Data) -> None:
    """(ab)^k comes back to its start after so many times, A h + b exact and rounded once in bfloat16, by every rule."""
    start, letters = vector(data["start"]), [(vector(x["k"]), number(x["beta"]), number(x["v"])) for x in data["letters"]]
    for k, beta, v in letters:
        stored("bfloat16", k, beta, v, start)
    for rule in RULES:

        def after(h: list[Fraction], letter: tuple[list[Fraction], Fraction, Fraction], rule: str = rule) -> list[Fraction]:
            k, beta, v = letter
            u = beta * (v - sum(x * y for x, y in zip(k, h, strict=True)))
            return [nearest(x + u * y, *FORMATS["bfloat16"], rule) for x, y in zip(h, k, strict=True)]

        h, times = start, 0
        while times == 0 or h != start:
            require(times < data["period"], "it comes back in time")
            h, times = after(after(h, letters[0]), letters[1]), times + 1
        require(times == data["period"], "after exactly so many times")


@statement("new.parity.float.counts.letters")
def periods_two_four_seven(certificates: Certificates) -> None:
    """Periods 2, 4 and 7, and 2 again with keys of length near 1."""
    require(sorted(data["period"] for _, data in certificates) == [2, 2, 4, 7], "periods 2, 2, 4 and 7")

    def near_one(data: Data) -> bool:
        return all(9 <= 10 * sum(x * x for x in vector(letter["k"])) <= 11 for letter in data["letters"])

    require(any(data["period"] == 2 and near_one(data) for _, data in certificates), "one of the pairs has |k|^2 in [0.9, 1.1]")
