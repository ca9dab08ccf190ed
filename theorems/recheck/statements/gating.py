"""What the claims of topic gating demand of their certificates."""

import itertools
from fractions import Fraction

from ..exact import natural, number, rank, require, vector
from ..intervals import divided, exact, exp, log, minus, negated, normal_cdf, times
from ..registry import statement
from ..schema import Either, Fields, Items, Matrix, Natural, Rational, Vector

# -- runs of a gate (intervals) ----------------------------------------------------------------------------------------------


def level():
    """ln 99 = logit(0.99)."""
    return log(exact(99))


def expected_run(b, size):
    """Phi(-a) / Phi(a) with a = (ln 99 - b) / |w|."""
    a = divided(minus(level(), exact(b)), exact(size))
    return divided(normal_cdf(negated(a)), normal_cdf(a))


def apart(x, y):
    return x[1] < y[0] or y[1] < x[0]


@statement("movahedi25.thmC.1", "witness", Fields(b=Natural(1, 6), sizes=Items(Natural(1, 16), 2, 2)))
def runs_are_not_proportional(data):
    """For b > 0 the mean runs M(s), M(t) would satisfy M(t) / M(s) = exp(s^2 - t^2); they do not."""
    b, (s, t) = number(data["b"]), vector(data["sizes"])
    require(b > 0 and 0 < s < t, "b > 0 and two different norms")
    quotient = divided(expected_run(b, t), expected_run(b, s))
    require(apart(quotient, exp(exact(s * s - t * t))), "the runs are proportional to exp(-|w|^2)")


@statement("movahedi25.thmC.1")
def three_ways(certificates):
    """Below ln 99 the run rises with |w|; above it falls, and stays above 1."""
    below = [d for _, d in certificates if number(d["b"]) < level()[0]]
    above = [d for _, d in certificates if number(d["b"]) > level()[1]]
    require(below and above, "biases on both sides of ln 99")
    for data in below:
        s, t = (expected_run(number(data["b"]), x) for x in vector(data["sizes"]))
        require(s[1] < t[0], "the run rises")
    for data in above:
        s, t = (expected_run(number(data["b"]), x) for x in vector(data["sizes"]))
        require(t[0] > 1 and t[1] < s[0], "the run falls, and stays above 1")


@statement("movahedi25.thmC.1.proof", "witness", Fields(b=Natural(3, 5), size=Natural(2, 3)))
def printed_run(data):
    """1 / Phi((ln 99 - b) / |w|^2) is not the expected run, nor is it with the step that ends the run taken off."""
    b, size = number(data["b"]), number(data["size"])
    require(b > 0 and size > 0, "b > 0 and |w| > 0")
    printed = divided(exact(1), normal_cdf(divided(minus(level(), exact(b)), exact(size * size))))
    true = expected_run(b, size)
    require(apart(printed, true) and apart(minus(printed, exact(1)), true), "the printed formula is right")


@statement("movahedi25.thmC.1.amended", "witness", Fields(b=Either(Natural(1, 8), Rational(8)), sizes=Vector(15, 4)))
def runs_rise_or_fall(data):
    """For these norms, in ascending order, the run rises and stays below 1 if b < ln 99, and falls and stays above 1 if b > ln 99."""
    b, sizes = number(data["b"]), vector(data["sizes"])
    require(len(sizes) >= 3 and sizes[0] > 0 and all(s < t for s, t in itertools.pairwise(sizes)), "ascending norms")
    runs = [expected_run(b, s) for s in sizes]
    if b < level()[0]:
        require(all(x[1] < y[0] for x, y in itertools.pairwise(runs)) and all(x[0] > 0 and x[1] < 1 for x in runs), "rises from 0 to 1")
    else:
        require(b > level()[1] and all(y[1] < x[0] for x, y in itertools.pairwise(runs)) and all(x[0] > 1 for x in runs), "falls to 1")


@statement("movahedi25.thmC.1.amended")
def both_sides(certificates):
    """Biases within 1/100 of ln 99 on both sides."""
    biases = [number(d["b"]) for _, d in certificates]
    low, high = level()
    require(any(low - Fraction(1, 100) < b < low for b in biases) and any(high < b < high + Fraction(1, 100) for b in biases), "near ln 99")


@statement("movahedi25.appC.3.zero", "witness", Fields(b=Natural(1, 1), size=Natural(1, 1)))
def closed_at_zero(data):
    """At w = 0 and this positive bias the gate sigma(b) is below 0.99 for ever; for this |w| the expected run is positive."""
    b, size = number(data["b"]), number(data["size"])
    require(b > 0 and size > 0 and exp(exact(b))[1] < 99, "the gate sigma(b) is below 0.99")
    require(expected_run(b, size)[0] > 0, "the run for this norm is 0")


@statement("new.gating.floor", "witness", Fields(c=Natural(8, 8), level=Rational(8), below=Rational(8), above=Rational(12)))
def floor_of_griffins_gate(data):
    """The floor (1 + e^omega)^(-c) is above the level at ``below`` and below it at ``above``, which are near each other: omega* lies between them."""
    c, theta = number(data["c"]), number(data["level"])
    low, high = number(data["below"]), number(data["above"])
    require(c == 8 and theta == Fraction(99, 100) and 0 < high - low <= Fraction(1, 100), "c = 8, the level 0.99, two near values of omega")
    floors = [exp(times(exact(-c), log((1 + exp(exact(x))[0], 1 + exp(exact(x))[1])))) for x in (low, high)]
    require(floors[0][0] > theta > floors[1][1], "omega* lies between them")
    require(low < Fraction(-668, 100) + Fraction(1, 200) and high > Fraction(-668, 100) - Fraction(1, 200), "omega* is -6.68, rounded")


# -- position encodings --------------------------------------------------------------------------------------------------------


@statement(
    "movahedi25.appC.2", "witness", Fields(length=Natural(2, 4), tokens=Natural(2, 4), sequences=Items(Items(Natural(1, 4), 2, 4), 2, 24))
)
def encodings_vanish(data):
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


def form(plus, minus):
    """The difference of two linear forms, as sorted (unknown, coefficient)."""
    total = {key: plus.get(key, 0) - minus.get(key, 0) for key in {*plus, *minus}}
    return tuple(sorted((key, c) for key, c in total.items() if c))


@statement("movahedi25.appC.2")
def small_alphabets(certificates):
    """All pairs 2 <= delta <= tokens <= 4."""
    pairs = sorted((d["length"], d["tokens"]) for _, d in certificates)
    require(pairs == sorted((k, n) for n in range(2, 5) for k in range(2, n + 1)), "all sizes up to 4")


@statement(
    "movahedi25.appC.2.copy",
    "witness",
    Fields(length=Natural(1, 4), tokens=Natural(3, 3), chosen=Items(Natural(1, 2), 1, 4), outputs=Matrix((1, 4), 3, 4)),
)
def second_layer_copies(data):
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


@statement("movahedi25.appC.2.copy")
def all_short_sequences(certificates):
    """All sequences of up to 4 of 2 tokens."""
    found = sorted(tuple(d["chosen"]) for _, d in certificates)
    require(found == sorted(x for n in range(1, 5) for x in itertools.product((1, 2), repeat=n)), "all sequences")
