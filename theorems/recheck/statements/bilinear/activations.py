"""What the claims of topic bilinear on activations between the layers demand of their certificates."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from math import prod

from ...exact import dot, matrix, natural, number, require, vector
from ...registry import refuted, statement
from ...schema import Fields, Items, Matrix, Natural, Rational, Tuple, Vector
from ...typed import Data, Decided

# -- activations in depth only ------------------------------------------------------------------------------------------------


@statement(
    "lizaire26.thm5.remark",
    "witness",
    Fields(
        period=Natural(4, 4),
        perturbation=Items(Tuple(Natural(0, 3), Rational(4)), 4, 4),
        scales=Items(Natural(2, 2), 2, 2),
        initial=Items(Natural(0, 1), 2, 2),
        readout=Items(Natural(-4, 4), 2, 2),
        offset=Natural(4, 4),
        sine=Fields(
            amplitude=Rational(4),
            scales=Items(Natural(0, 4), 2, 2),
            initial=Items(Natural(0, 4), 2, 2),
            readout=Items(Natural(-10, 10), 2, 2),
            offset=Natural(-10, 10),
        ),
        cosine=Natural(1, 4),
    ),
    hypotheses={
        "slopes": "the activation is strictly increasing: slopes 3/4 and 5/4 (quarters of two periods)",
        "shift": "phi(u + 4) = phi(u) + 4",
        "sine-slope": "u + sin(u)/10 has a slope of at least 9/10 (symbolic)",
    },
    violates={
        "sign": "the output is (-1)^s for s = 0, 1, and so for every s",
        "sine": "so it is for u + sin(u)/10 and two units, every integer s (symbolic)",
        "cosine": "and for cos and one unit (symbolic)",
        "words": "and on 10^6 random letters",
    },
    # 10^6 letters of NumPy's generator, in floats: "sign" decides every count, so nothing rests on them
    beyond=("words",),
)
def parity_at_every_length(data: Data) -> Decided:
    """h = initial + scales s for the count s, phi(u) = u + g(u), g of the period given and linear between its values at 0, 1, ..., period - 1.

    phi increases strictly; w phi(h) + offset is (-1)^s for s = 0 .. p - 1, where p makes every unit move by whole periods, and w . scales = 0. So it is (-1)^s for every integer s.
    The states of the layers with sin and cos are counted in quarters of a turn, pi/2.
    """
    period = natural(data["period"])
    knots = {natural(k): number(v) for k, v in data["perturbation"]}
    require(period >= 1 and sorted(knots) == list(range(period)), "a value of g at each integer of one period")
    slopes = {1 + knots[(k + 1) % period] - knots[k] for k in range(period)}
    scales, initial, readout = vector(data["scales"]), vector(data["initial"]), vector(data["readout"])
    require(all(x.denominator == 1 for x in scales + initial), "the states are integers")
    require(dot(readout, scales) == 0, "the growing parts cancel")

    def output(s: int) -> Fraction:
        units = [h + a * s for h, a in zip(initial, scales, strict=True)]
        return dot(readout, [u + knots[int(u) % period] for u in units]) + number(data["offset"])

    return {
        "slopes": slopes == {Fraction(3, 4), Fraction(5, 4)},
        "shift": period == 4,
        "sign": all(output(s) == (-1) ** s for s in range(2 * period)),
        # the slope is 1 + amplitude cos(u)
        "sine-slope": 1 - abs(number(data["sine"]["amplitude"])) >= Fraction(9, 10),
        "sine": wave_is_parity(data["sine"]),
        "cosine": all(quarter_sine(natural(data["cosine"]) * s + 1) == (-1) ** s for s in range(4)),
    }


def quarter_sine(quarters: int) -> int:
    """sin(quarters pi/2)."""
    return (0, 1, 0, -1)[quarters % 4]


def wave_is_parity(data: Data) -> bool:
    """w phi(h) + offset with phi(u) = u + amplitude sin(u) is (-1)^s for h = initial + scales s: the linear part is 0, and the waves have period 4 in s."""
    scales, initial, readout = data["scales"], data["initial"], data["readout"]
    if dot(readout, scales) != 0 or dot(readout, initial) + data["offset"] != 0:
        return False

    def output(s: int) -> Fraction:
        waves = [Fraction(quarter_sine(h + a * s)) for h, a in zip(initial, scales, strict=True)]
        return number(data["amplitude"]) * dot(readout, waves)

    return number(data["amplitude"]) == Fraction(1, 10) and all(output(s) == (-1) ** s for s in range(4))


@refuted(
    "lizaire26.lemma4.proof",
    {"computes": "one unit with the identity computes the sum"},
    {"same": "its states after (x, y) and (y, x) are equal", "differ": "x is not y"},
    x=1,
    y=2,
)
def one_sum_two_words(x: int, y: int) -> Decided:
    """h_t = h_(t-1) + x_t from 0."""
    states = []
    for word in ((x, y), (y, x)):
        h = 0
        for letter in word:
            h += letter
        states.append(h)
    return {"computes": states == [x + y] * 2, "same": states[0] == states[1], "differ": x != y}


@statement(
    "lizaire26.thm5.proof",
    "witness",
    Fields(words=Items(Items(Natural(2, 3), 2, 2), 2, 2), keep=Natural(0, 2), read=Natural(0, 2)),
    hypotheses={"positive": "the outputs are a, ab, abc for all positive a, b, c"},
    violates={"states": "the states agree", "second": "x_2 differs", "first": "f_1 differs"},
)
def one_product_two_words(data: Data) -> Decided:
    """h = keep h + read log(x), with the output exp(h): on two words of positive numbers the states agree, and the first and last letters do not.

    A state is a sum of logarithms, held as how often each letter is in it; exp(state) is the product of the letters so often.
    """
    one_word, other = [vector(w) for w in data["words"]]
    keep, read = natural(data["keep"]), natural(data["read"])
    require(len(one_word) == len(other) >= 2 and all(x > 0 for x in one_word + other), "words of positive numbers")

    def states(length: int) -> list[list[int]]:
        state, found = [0] * length, []
        for t in range(length):
            state = [keep * times + read * (letter == t) for letter, times in enumerate(state)]
            found.append(state)
        return found

    last = states(len(one_word))[-1]
    first, second = (prod((x**times for x, times in zip(word, last, strict=True)), start=Fraction(1)) for word in (one_word, other))
    return {
        "positive": states(3) == [[1, 0, 0], [1, 1, 0], [1, 1, 1]],
        "states": first == second,
        "second": one_word[1] != other[1],
        "first": one_word[0] != other[0],
    }


@statement(
    "new.bilinear.finite-alphabet",
    "witness",
    Fields(k=Natural(2, 2), table=Items(Tuple(Items(Natural(0, 1), 1, 4), Natural(-1, 1)), 30, 30), activation=Vector(162, 8)),
)
def every_word_has_its_number(data: Data) -> None:
    """All words up to the longest listed: 4 phi(2s) - 4 phi(2s + 1) + 4 = f at the number s of the word, with slopes of phi in [3/4, 5/4]."""
    k, phi = natural(data["k"]), vector(data["activation"])
    table = {tuple(natural(x) for x in w): number(v) for w, v in data["table"]}
    longest = max(map(len, table))
    require(longest >= 3 and set(table) == {w for n in range(1, longest + 1) for w in product(range(k), repeat=n)}, "all words")
    require(all(abs(v) <= 1 for v in table.values()) and len(set(table.values())) >= 2, "values in [-1, 1], not all the same")
    require(all(Fraction(3, 4) <= b - a <= Fraction(5, 4) for a, b in pairwise(phi)), "slopes in [3/4, 5/4]")
    numbers = set()
    for word, value in table.items():
        s = 0
        for x in word:
            s = (k + 1) * s + x + 1
        numbers.add(s)
        require(2 * s + 1 < len(phi) and 4 * phi[2 * s] - 4 * phi[2 * s + 1] + 4 == value, f"the output after {word}")
    require(len(numbers) == len(table), "words have different numbers")


@statement(
    "lizaire26.lemma4",
    "collision",
    Fields(
        layers=Items(
            Fields(
                V=Matrix((1, 3), (1, 3), 4),
                U=Matrix((1, 3), 1, 4),
                b=Vector((1, 3), 4),
                initial=Vector((1, 3), 4),
                knots=Items(Natural(0, 0), 0, 0),
                slopes=Vector(1, 4),
            ),
            1,
            1,
        ),
        inputs=Matrix(2, (2, 4), 8),
    ),
)
def one_layer_collides(data: Data) -> None:
    """One layer of width m with the identity as activation, which reads its input, and two words of m + 1 inputs; the rule says that the states agree and the products differ."""
    (layer,) = data["layers"]
    require(layer["knots"] == [] and [number(x) for x in layer["slopes"]] == [1], "no activation before the readout")
    require(any(any(row) for row in matrix(layer["U"])), "the layer reads its input")
    require(len(data["inputs"][0]) == len(layer["initial"]) + 1, "a word longer than the width")
    require(all(number(x) for x in data["inputs"][0]), "inputs that are not 0")


@statement(
    "lizaire26.thm5.remark.amended",
    "collision",
    Fields(
        layers=Items(
            Fields(
                V=Matrix((1, 2), (1, 2), 4),
                U=Matrix((1, 2), (1, 2), 4),
                b=Vector((1, 2), 4),
                initial=Vector((1, 2), 4),
                knots=Vector((1, 3), 8),
                slopes=Vector((2, 4), 4),
            ),
            1,
            3,
        ),
        inputs=Matrix(2, (3, 5), 16),
    ),
)
def deep_layers_collide(data: Data) -> None:
    """L layers of one width n, activations that are not constant, and two words of nL + 1 inputs."""
    layers = data["layers"]
    n = len(layers[0]["initial"])
    for layer in layers:
        V, U = matrix(layer["V"]), matrix(layer["U"])
        require(len(V) == len(V[0]) == len(U) == len(layer["initial"]) == n, "layers of one width")
        require(
            any(any(row) for row in U) and any(number(x) for x in layer["slopes"]), "each layer reads, and its activation is not constant"
        )
    require(len(data["inputs"][0]) == n * len(layers) + 1, "nL + 1 inputs")
    require(all(number(x) for x in data["inputs"][0]), "inputs that are not 0")
