"""What the claims of topic gating demand of their certificates."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from fractions import Fraction

from ...exact import natural, number, rank, require, vector
from ...intervals import divided, exact, exp, log, minus, negated, normal_cdf, times
from ...registry import instances, refuted, statement
from ...schema import Either, Fields, Items, Matrix, Natural, Rational, Text, Vector
from ...typed import Data, Decided

#: the bias at which the gate is above 0.99 half of the time
AT_LEVEL = "ln 99"

# -- runs of a gate (intervals) ----------------------------------------------------------------------------------------------


def level() -> tuple[Fraction, Fraction]:
    """ln 99 = logit(0.99)."""
    return log(exact(99))


def expected_run(b: Fraction, size: Fraction) -> tuple[Fraction, Fraction]:
    """Phi(-a) / Phi(a) with a = (ln 99 - b) / |w|."""
    return run_above(minus(level(), exact(b)), size)


def run_above(distance: tuple[Fraction, Fraction], size: Fraction) -> tuple[Fraction, Fraction]:
    """Phi(-a) / Phi(a) with a = distance / |w|, the distance being that of the bias below ln 99."""
    a = divided(distance, exact(size))
    return divided(normal_cdf(negated(a)), normal_cdf(a))


def apart(x: tuple[Fraction, Fraction], y: tuple[Fraction, Fraction]) -> bool:
    return x[1] < y[0] or y[1] < x[0]


@statement(
    "movahedi25.thmC.1",
    "witness",
    Fields(b=Either(Natural(1, 6), Text(AT_LEVEL)), sizes=Items(Natural(1, 16), 2, 2)),
    hypotheses={"below": "0 < b < ln 99", "above": "b > ln 99"},
    violates={
        "longer": "the run gets longer with |w|",
        "same": "the run does not depend on |w|",
        "one": "all are above 1",
        "quotients": "their quotients are above exp(-15)",
    },
)
def runs_are_not_proportional(data: Data) -> Decided:
    """For b > 0 the mean runs M(s), M(t) would satisfy M(t) / M(s) = exp(s^2 - t^2); they do not."""
    s, t = vector(data["sizes"])
    require(0 < s < t, "two different norms")
    if data["b"] == AT_LEVEL:
        # b is ln 99 itself, so that a = 0 / |w| = 0 and both runs are Phi(0) / Phi(0)
        zero = exact(0)
        runs = [run_above(zero, size) for size in (s, t)]
        return {"same": divided(zero, exact(s)) == divided(zero, exact(t)) == zero and all(low <= 1 <= high for low, high in runs)}
    b = number(data["b"])
    first, second = expected_run(b, s), expected_run(b, t)
    quotient = divided(second, first)
    require(apart(quotient, exp(exact(s * s - t * t))), "the runs are proportional to exp(-|w|^2)")
    if b <= level()[1]:
        return {"below": 0 < b < level()[0], "longer": first[1] < second[0]}
    require(second[1] < first[0], "the run falls")
    return {"above": b > level()[1], "one": first[0] > 1 and second[0] > 1, "quotients": quotient[0] > exp(exact(-15))[1]}


@instances("movahedi25.thmC.1", "witness")
def one_bias_below_and_one_above() -> Iterable[Data]:
    """The printed pairs of norms: b = 1, b = ln 99, and b = 6 twice."""
    for b, sizes in ((1, (1, 2)), (AT_LEVEL, (1, 2)), (6, (1, 4)), (6, (4, 16))):
        yield {"b": b, "sizes": sizes}


@statement(
    "movahedi25.thmC.1.proof",
    "witness",
    Fields(b=Natural(3, 5), size=Natural(2, 3)),
    violates={"value": "the printed value is another", "deviation": "the standard deviation is wrong too"},
)
def printed_run(data: Data) -> Decided:
    """1 / Phi((ln 99 - b) / |w|^2) is not the expected run, nor is it with the step that ends the run taken off."""
    b, size = number(data["b"]), number(data["size"])
    require(b > 0 and size > 0, "b > 0 and |w| > 0")
    printed = divided(exact(1), normal_cdf(divided(minus(level(), exact(b)), exact(size * size))))
    true = expected_run(b, size)
    return {"value": apart(printed, true), "deviation": apart(minus(printed, exact(1)), true)}


@instances("movahedi25.thmC.1.proof", "witness")
def printed_values() -> Iterable[Data]:
    """b = 3 and |w| = 2; b = 5 and |w| = 3."""
    yield {"b": 3, "size": 2}
    yield {"b": 5, "size": 3}


@statement("movahedi25.thmC.1.amended", "witness", Fields(b=Rational(8), sizes=Vector(15, 4)))
def runs_rise_or_fall(data: Data) -> None:
    """For these norms, in ascending order, the run rises and stays below 1 if b < ln 99, and falls and stays above 1 if b > ln 99."""
    b, sizes = number(data["b"]), vector(data["sizes"])
    require(len(sizes) >= 3 and sizes[0] > 0 and all(s < t for s, t in itertools.pairwise(sizes)), "ascending norms")
    runs = [expected_run(b, s) for s in sizes]
    if b < level()[0]:
        require(all(x[1] < y[0] for x, y in itertools.pairwise(runs)) and all(x[0] > 0 and x[1] < 1 for x in runs), "rises from 0 to 1")
    else:
        require(b > level()[1] and all(y[1] < x[0] for x, y in itertools.pairwise(runs)) and all(x[0] > 1 for x in runs), "falls to 1")


@instances("movahedi25.thmC.1.amended", "witness")
def six_biases() -> Iterable[Data]:
    """b = 1, 4, 4.59, 4.6, 5, 8; |w| = 1/2, 3/4, ..., 4."""
    for b in (1, 4, Fraction(459, 100), Fraction(46, 10), 5, 8):
        yield {"b": b, "sizes": [Fraction(k, 4) for k in range(2, 17)]}


@statement(
    "movahedi25.appC.3.zero",
    "witness",
    Fields(b=Natural(1, 1), size=Natural(1, 1)),
    hypotheses={"positive": "b > 0"},
    violates={"closed": "at w = 0 the gate is closed", "run": "for |w| = 1 the mean run is positive"},
)
def closed_at_zero(data: Data) -> Decided:
    """At w = 0 and this positive bias the gate sigma(b) is below 0.99 for ever; for this |w| the expected run is positive."""
    b, size = number(data["b"]), number(data["size"])
    return {"positive": b > 0, "closed": exp(exact(b))[1] < 99, "run": size == 1 and expected_run(b, size)[0] > 0}


@instances("movahedi25.appC.3.zero", "witness")
def bias_one() -> Iterable[Data]:
    """b = 1 and |w| = 1."""
    yield {"b": 1, "size": 1}


@statement("new.gating.floor", "witness", Fields(c=Natural(8, 8), level=Rational(8), below=Rational(8), above=Rational(12)))
def floor_of_griffins_gate(data: Data) -> None:
    """The floor (1 + e^omega)^(-c) is above the level at ``below`` and below it at ``above``, which are near each other: omega* lies between them."""
    c, theta = number(data["c"]), number(data["level"])
    low, high = number(data["below"]), number(data["above"])
    require(c == 8 and theta == Fraction(99, 100) and 0 < high - low <= Fraction(1, 100), "c = 8, the level 0.99, two near values of omega")
    floors = [exp(times(exact(-c), log((1 + exp(exact(x))[0], 1 + exp(exact(x))[1])))) for x in (low, high)]
    require(floors[0][0] > theta > floors[1][1], "omega* lies between them")
    require(low < Fraction(-668, 100) + Fraction(1, 200) and high > Fraction(-668, 100) - Fraction(1, 200), "omega* is -6.68, rounded")


@instances("new.gating.floor", "witness")
def around_the_root() -> Iterable[Data]:
    """-6.68 and -6.678, on the two sides of omega*."""
    yield {"c": 8, "level": Fraction(99, 100), "below": Fraction(-668, 100), "above": Fraction(-6678, 1000)}


# -- position encodings --------------------------------------------------------------------------------------------------------


@statement(
    "movahedi25.appC.2", "witness", Fields(length=Natural(2, 4), tokens=Natural(2, 4), sequences=Items(Items(Natural(1, 4), 2, 4), 2, 24))
)
def encodings_vanish(data: Data) -> None:
    """All sequences of ``length`` different tokens: p_t = p_(t + length) throughout forces every coefficient of every p_t to be 0."""
    length, tokens = natural(data["length"]), natural(data["tokens"])
    require(2 <= length <= tokens <= 5, "2 <= delta <= number of tokens <= 5")
    wanted = {tuple(x) for x in itertools.permutations(range(1, tokens + 1), length)}
    require({tuple(x) for x in data["sequences"]} == wanted and len(data["sequences"]) == len(wanted), "all sequences")
    size = tokens + 1
    conditions, encodings = set(), set()
    for chosen in wanted:
        word = [*chosen, 0, *chosen[:-1]]  # 0 is the delimiter
        # the coefficient of token y in p_t: how often y was read, times the unknown G(x_t, y)
        p = [[{(x, y): word[: t + 1].count(y)} for y in range(size)] for t, x in enumerate(word)]
        for t in range(length):
            for y in range(size):
                conditions.add(form(p[t][y], p[t + length][y]))
        encodings.update(form(c, {}) for q in p for c in q)
    columns = [(x, y) for x in range(size) for y in range(size)]
    rows = [[Fraction(dict(f).get(key, 0)) for key in columns] for f in sorted(conditions)]
    more = [[Fraction(dict(f).get(key, 0)) for key in columns] for f in sorted(encodings)]
    require(rank(rows) == rank(rows + more) > 0, "every encoding vanishes")


@instances("movahedi25.appC.2", "witness")
def small_sizes() -> Iterable[Data]:
    """2 <= delta <= tokens <= 4, all sequences of different tokens."""
    for tokens in range(2, 5):
        for length in range(2, tokens + 1):
            yield {"length": length, "tokens": tokens, "sequences": list(itertools.permutations(range(1, tokens + 1), length))}


def form(plus: dict[tuple[int, int], int], minus: dict[tuple[int, int], int]) -> tuple[tuple[tuple[int, int], int], ...]:
    """The difference of two linear forms, as sorted (unknown, coefficient)."""
    total = {key: plus.get(key, 0) - minus.get(key, 0) for key in {*plus, *minus}}
    return tuple(sorted((key, c) for key, c in total.items() if c))


@statement(
    "movahedi25.appC.2.copy",
    "witness",
    Fields(length=Natural(1, 4), tokens=Natural(3, 3), chosen=Items(Natural(1, 2), 1, 4), outputs=Matrix((1, 4), 3, 4)),
)
def second_layer_copies(data: Data) -> None:
    """Linear attention with keys and queries the positions, less the current token, gives the tokens chosen back at t = delta + 1, ..., 2 delta."""
    length, tokens, chosen = natural(data["length"]), natural(data["tokens"]), data["chosen"]
    require(
        1 <= length == len(chosen) and all(isinstance(x, int) and 1 <= x < tokens for x in chosen),
        "tokens 1, 2, ..., and 0 as the delimiter",
    )
    word = [*chosen, 0, *chosen[:-1]]
    state, outputs = [[0] * tokens for _ in range(length)], []
    for t, x in enumerate(word):
        state[t % length][x] += 1
        outputs.append([c - (y == x) for y, c in enumerate(state[t % length])])
    require([vector(y) for y in data["outputs"]] == outputs[length:], "the outputs of the layer")
    require(outputs[length:] == [[int(y == x) for y in range(tokens)] for x in chosen], "the tokens come out")


@instances("movahedi25.appC.2.copy", "witness")
def short_words() -> Iterable[Data]:
    """All words of up to four letters on two tokens."""
    for length in range(1, 5):
        for chosen in itertools.product((1, 2), repeat=length):
            yield {"length": length, "tokens": 3, "chosen": chosen}


@statement(
    "movahedi25.thmC.1.gate",
    "witness",
    Fields(b=Natural(2, 2)),
    hypotheses={"positive": "b > 0"},
    violates={"differ": "the two gates differ"},
)
def gate_without_sigmoid(data: Data) -> Decided:
    """At w = 0 the gates are b and sigma(b), and sigma(b) < 1 for every b."""
    b = natural(data["b"])
    return {"positive": b > 0, "differ": b >= 1}


@instances("movahedi25.thmC.1.gate", "witness")
def bias_of_two() -> Iterable[Data]:
    """b = 2."""
    yield {"b": 2}


@refuted(
    "movahedi25.appD3.decay",
    {"before": "the outputs before the token differ", "B": "so do the two B, which have a term in them"},
    {"decay": "the two decays are the same"},
    x=1,
    y=Vector(2, 2),
)
def decays_of_one_token(x: Fraction, y: list[Fraction]) -> Decided:
    """With weights 1 and biases 0 the sigmoid of Delta takes x, and B is x + y; the decay is a function of the first."""
    arguments, inputs = [x for _ in y], [x + before for before in y]
    return {"before": y[0] != y[1], "B": inputs[0] != inputs[1], "decay": arguments[0] == arguments[1]}
