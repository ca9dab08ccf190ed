"""What the claims of topic parity demand of their certificates."""

import itertools
from fractions import Fraction

from ..cyclotomic import cyclotomic_polynomial, field_matrix, field_times
from ..exact import (
    apply,
    cast,
    dot,
    freeze,
    is_positive_semidefinite,
    matrix,
    minus,
    natural,
    number,
    one,
    plus,
    points,
    require,
    square,
    times,
    vector,
)
from ..polynomials import count_real_roots
from ..registry import statement
from ..spectra import characteristic, has_negative_eigenvalue, spectrum_is_nonnegative, spectrum_is_real
from ..sums import check_jordan_form, power_entries, settled_values, sign_is_settled

# -- Lemma 1 ---------------------------------------------------------------------------------------------------------------


@statement("grazzi25.lemma1", "cast-of-sum")
def two_values(data):
    """A sum with a nonzero term, onto at least two points; with lambda >= 0 throughout the two values agree."""
    terms, (d, _) = [(number(x), natural(m), number(c)) for x, m, c in data["terms"]], points(data["D"])
    require(any(c for _, _, c in terms) and len(d) > 1, "a nonzero sum, onto more than one point")
    if all(x >= 0 for x, _, _ in terms):
        require(number(data["even"]) == number(data["odd"]), "one value if no lambda is negative")


@statement("grazzi25.lemma1")
def many_sums(certificates):
    """Among the sums: values that alternate, powers of k, lambda = 0, above and below 1, ties, and a first leader that is overtaken."""
    data = [d for _, d in certificates]
    terms = [[(number(x), m) for x, m, _ in d["terms"]] for d in data]
    require(len(data) >= 100, "at least a hundred sums")
    require(sum(number(d["even"]) != number(d["odd"]) for d in data) >= 10, "at least ten that alternate")
    for what, found in (
        ("m > 0", lambda x, m: m > 0),
        ("lambda = 0", lambda x, m: x == 0),
        ("|lambda| > 1", lambda x, m: abs(x) > 1),
        ("|lambda| = 1", lambda x, m: abs(x) == 1),
        ("|lambda| < 1", lambda x, m: 0 < abs(x) < 1),
    ):
        require(any(found(x, m) for t in terms for x, m in t), f"a term with {what}")


@statement("grazzi25.lemma1.quantifiers", "witness")
def not_two_periodic(data):
    """Every value lies in D, which is all that the printed conclusion says; the sequence with this period is not eventually 2-periodic."""
    (d, _), values = points(data["D"]), vector(data["period"])
    require(set(values) <= set(d), "a sequence in D")
    n = len(values)
    require(any(values[i] != values[(i + 2) % n] for i in range(n)), "the sequence is not 2-periodic")


@statement("grazzi25.lemma1.order", "witness")
def printed_order(data):
    """The terms (lambda, m) are in the printed order, lambda_i > lambda_j or equal and m_i > m_j for i > j; b_k = c_2 C(k, m_2) / (c_1 C(k, m_1)) does not fall."""
    ((x, m), (y, n)), (c, e) = [(number(x), natural(m)) for x, m in data["terms"]], vector(data["coefficients"])
    require(y > x or (y == x and n > m), "the printed order, i = 2 and j = 1")
    # for lambda_1 = lambda_2 and m_2 > m_1 the ratio grows by (k+1-m_1)/(k+1-m_2) > 1 in each step
    require(x == y > 0 and n > m and c and e, "a ratio that does not tend to 0")


# -- the displays of App. B ------------------------------------------------------------------------------------------------


@statement("grazzi25.thm1.unrolled", "witness")
def unrolled(data):
    """Scalars: the printed sum of (prod_{j=i+1}^{k-1} A_j) B_i over i < k, with all of the A on H_0, differs from the recursion at k >= 1."""
    steps, h = [(number(a), number(b)) for a, b in data["steps"]], number(data["H0"])
    k = len(steps)
    require(k >= 1, "k >= 1")
    state = h
    for a, b in steps:
        state = a * state + b
    printed = product_of(a for a, _ in steps) * h + sum(product_of(a for a, _ in steps[i : k - 1]) * steps[i - 1][1] for i in range(1, k))
    require(printed != state, "the printed form equals the recursion")


def product_of(numbers):
    out = Fraction(1)
    for x in numbers:
        out *= x
    return out


def scalar_terms(data):
    """(cast(a^i b), cast(a^i h), cast) of a scalar layer, both from tau on with the periods of their settled values."""
    a, b, h = number(data["A"]), number(data["B"]), number(data["H0"])
    d, middles = points(data["D"])
    tau, k = natural(data["tau"]), natural(data["k"])
    require(tau <= 1000 and k <= 1000, "at most 1000 steps")
    settled = [settled_values({(a, 0): x}, d, middles, max(tau, 1)) for x in (b, h)]
    C, D = ([cast(a**i * x, d) for i in range(2 * k + tau + 2)] for x in (b, h))
    require(
        all(z[i] == s[i % 2] for z, s in ((C, settled[0]), (D, settled[1])) for i in range(tau, len(C))),
        "the casts are 2-periodic from tau on",
    )
    return C, D, lambda x: cast(x, d)


@statement("grazzi25.thm1.display", "witness")
def settled_state(data):
    """A scalar layer with casts constant from tau <= k on, whose state H_k is not the printed cast(sum_{i<tau} C_i + D + (1 - tau) C + k C)."""
    C, D, rounded = scalar_terms(data)
    tau, k = data["tau"], data["k"]
    require(number(data["A"]) >= 0 and tau <= k and len(set(C[tau:])) == len(set(D[tau:])) == 1, "casts constant from tau on")
    printed = rounded(sum(C[:tau]) + D[tau] + (1 - tau) * C[tau] + k * C[tau])
    require(printed != rounded(sum(C[:k]) + D[k]), "the display is the definition")


@statement("grazzi25.thm2.display", "witness")
def settled_states(data):
    """A scalar layer with casts 2-periodic from an even tau <= 2k on, whose state H_2k is not the printed one."""
    C, D, rounded = scalar_terms(data)
    tau, k = data["tau"], data["k"]
    require(tau % 2 == 0 and tau <= 2 * k, "tau is even and at most 2k")
    even, odd, half = C[tau], C[tau + 1], Fraction(tau, 2)
    printed = rounded(sum(C[1:tau]) + (k - half + 1) * even + (k - half) * odd + k * D[tau])
    require(printed != rounded(sum(C[: 2 * k]) + D[2 * k]), "the display is the definition")


# -- Theorems 1 and 2 --------------------------------------------------------------------------------------------------------


def least_period(word):
    n = len(word)
    return next(p for p in range(1, n + 1) if n % p == 0 and all(word[i] == word[i % p] for i in range(n)))


def reads_ones(data):
    """The first layer reads one letter for ever; D has more than one point; some transition or input is not 0."""
    d, _ = points(data["D"])
    first = data["layers"][0]
    require(not first["before"] and len(first["period"]) == 1, "the word 111...")
    require(len(d) > 1, "more than one point in D")


@statement("grazzi25.thm1.layer", "eventually-periodic")
@statement("grazzi25.sec4.1.counter", "eventually-periodic")
def one_layer_settles(data):
    """One layer on 111..., its transition with spectrum in [0, inf), and a cycle of one state."""
    reads_ones(data)
    (layer,) = data["layers"]
    require(spectrum_is_nonnegative(matrix(layer["maps"][layer["period"][0]]["A"])), "the spectrum lies in [0, inf)")
    require(least_period(layer["cycle"]) == 1, "the state is constant in the end")


@statement("grazzi25.thm1.layer")
def many_layers(certificates):
    """Among the layers: Jordan blocks of size 2 and more at eigenvalues above 0, sizes up to 4, states that move, real and doubled complex ones."""
    layers = [d["layers"][0] for _, d in certificates]
    require(len(layers) >= 40, "at least forty layers")
    require({len(y["H0"]) for y in layers} >= {1, 2, 3, 4}, "sizes 1 to 4")
    require(
        sum(any(size > 1 and number(x) > 0 for x, size in y["blocks"]) for y in layers) >= 10, "ten with a Jordan block of size 2 or more"
    )
    require(sum(y["threshold"] > 2 for y in layers) >= 20, "twenty thresholds above 2")


@statement("grazzi25.sec4.1.counter")
def counters(certificates):
    """The counter h -> h + 1 from 0, for at least ten sets D."""
    for _, data in certificates:
        layer = data["layers"][0]
        require([matrix(layer["maps"][0][x]) for x in "AB"] == [[[1]], [[1]]] and matrix(layer["H0"]) == [[0]], "the counter")
    require(len({tuple(data["D"]) for _, data in certificates}) >= 10, "at least ten sets")


def settles(data):
    """A stack on 111... all of whose transitions have spectra in [0, inf), with outputs that are constant in the end."""
    reads_ones(data)
    for layer in data["layers"]:
        for x in {*layer["before"], *layer["period"]}:
            require(spectrum_is_nonnegative(matrix(layer["maps"][x]["A"])), "all spectra lie in [0, inf)")
    require(data.get("outputs") and least_period(data["outputs"]["period"]) == 1, "the output is constant in the end")


for id in ("grazzi25.thm1", "grazzi25.abstract.parity", "new.parity.architectures"):
    statement(id, "eventually-periodic")(settles)


@statement("grazzi25.thm1")
def many_stacks(certificates):
    """Stacks of two and three layers, a fifth of which hand a word that is not constant to the second."""
    stacks = [d["layers"] for _, d in certificates]
    require({2, 3} <= {len(s) for s in stacks} and len(stacks) >= 10, "at least ten stacks of two and three layers")
    moving = sum(len({*s[1]["before"], *s[1]["period"]}) > 1 for s in stacks)
    require(5 * moving >= len(stacks), "a fifth of the second layers read words that are not constant")


def is_diagonal(a):
    return all(i == j or not x for i, row in enumerate(a) for j, x in enumerate(row))


def is_delta(a):
    """I - beta k k^T with 0 <= beta |k|^2 <= 1: symmetric, of rank at most 1 away from I, with trace in [n - 1, n]."""
    difference = minus(one(len(a)), a)
    minors = all(
        difference[i][j] * difference[k][m] == difference[i][m] * difference[k][j]
        for i, k in itertools.combinations(range(len(a)), 2)
        for j, m in itertools.combinations(range(len(a)), 2)
    )
    return minors and is_positive_semidefinite(difference) and sum(difference[i][i] for i in range(len(a))) <= 1


def transitions_of(certificates):
    return [matrix(layer["maps"][x]["A"]) for _, d in certificates for layer in d["layers"] for x in {*layer["before"], *layer["period"]}]


@statement("grazzi25.abstract.parity")
def table_one(certificates):
    """Every transition has positive eigenvalues only and is diagonal or I - beta k k^T, and both sorts occur."""
    found = transitions_of(certificates)
    require(all(characteristic(a)[0] for a in found), "no eigenvalue is 0")
    require(all(is_diagonal(a) or is_delta(a) for a in found), "transitions of Table 1")
    require(any(not is_diagonal(a) for a in found) and any(is_diagonal(a) and len(a) > 1 for a in found), "diagonal ones and others")


@statement("new.parity.architectures")
def in_use(certificates):
    """Every transition is diagonal with entries in [0, 1] or I - beta k k^T with beta |k|^2 in [0, 1]; gates 0 and 1 occur beside entries between them."""
    found = transitions_of(certificates)
    for a in found:
        require(is_delta(a) or (is_diagonal(a) and all(0 <= a[i][i] <= 1 for i in range(len(a)))), "a transition of these layers")
    entries = {a[i][i] for a in found if is_diagonal(a) for i in range(len(a))}
    require({0, 1} <= entries and len(entries) > 2 and any(not is_diagonal(a) for a in found), "all sorts of transitions")


@statement("grazzi25.thm2", "eventually-periodic")
def powers_of_two(data):
    """On 111... layer i reads a word of eventual period dividing 2^(i-1), the products of 2^(i-1) of its transitions have real spectra, and the output has a period dividing 2^L."""
    reads_ones(data)
    depth = len(data["layers"])
    require(depth <= 3, "at most three layers: the products are gone through one by one")
    for i, layer in enumerate(data["layers"]):
        require(2**i % least_period(layer["period"]) == 0, "layer i reads a word of period dividing 2^(i-1)")
        maps = [matrix(layer["maps"][x]["A"]) for x in sorted({*layer["before"], *layer["period"]})]
        require(len(maps) <= 4, "at most four letters")
        products = maps
        for _ in range(2**i - 1):
            products = [times(p, a) for p in products for a in maps]
        require(all(map(spectrum_is_real, products)), "the products of 2^(i-1) transitions have real spectra")
    require(data.get("outputs") and 2**depth % least_period(data["outputs"]["period"]) == 0, "the output has a period dividing 2^L")


@statement("grazzi25.thm2")
def stacks_that_alternate(certificates):
    """Stacks of one, two and three layers, and for each number L one whose output has period 2^L, so that the bound is attained."""
    found = {(len(d["layers"]), least_period(d["outputs"]["period"])) for _, d in certificates}
    require({(1, 2), (2, 4), (3, 8)} <= found and len(certificates) >= 20, "twenty stacks, and periods 2, 4 and 8 with 1, 2 and 3 layers")


@statement("grazzi25.abstract.modulo3", "eventually-periodic")
def triangular(data):
    """A stack of layers with upper triangular transitions; its output on 111... has an eventual period that 3 does not divide."""
    powers_of_two(data)
    for layer in data["layers"]:
        for f in layer["maps"]:
            a = matrix(f["A"])
            require(all(not a[i][j] for i in range(len(a)) for j in range(i)), "upper triangular transitions")
    require(least_period(data["outputs"]["period"]) % 3, "a period that 3 does not divide")


@statement("grazzi25.abstract.modulo3")
def triangular_stacks(certificates):
    """Some of the transitions are not diagonal, and some outputs alternate."""
    require(
        any(not is_diagonal(matrix(f["A"])) for _, d in certificates for y in d["layers"] for f in y["maps"]), "triangular, not diagonal"
    )
    require(any(least_period(d["outputs"]["period"]) > 1 for _, d in certificates), "an output that alternates")


# -- automata ----------------------------------------------------------------------------------------------------------------


def adds_modulo(data, m, letters):
    """The automaton is addition modulo m from 0 on these letters, and the outputs are its states."""
    names = [str(x) for x in letters]
    require(
        data["letters"] == names and data["automaton"][0] == "0" and data["outputs"] == data["automaton"],
        "outputs the state, from 0, of these letters",
    )
    require(set(data["automaton"]) == {str(q) for q in range(m)}, f"all states modulo {m}")
    for i, letter, _, j in data["edges"]:
        require((number(data["automaton"][i]) + letters[letter] - number(data["automaton"][j])) % m == 0, f"addition modulo {m}")


def scalar_layers(data, *maps):
    """Every layer is rational and 1 x 1, and its maps (A, B) are among these."""
    found = [(matrix(f["A"]), matrix(f["B"])) for layer in data["layers"] for f in layer]
    require(data["field"] == 1 and all((a, b) in [([[x]], [[y]]) for x, y in maps] for a, b in found), "scalar layers with these maps")


@statement("grazzi25.thm1.converse", "automaton")
def parity_by_a_sign(data):
    """One layer with a(0) = 1, b(0) = 0, a(1) = -1, b(1) = 1, from 0, outputs the parity, which is its state."""
    adds_modulo(data, 2, (0, 1))
    scalar_layers(data, (1, 0), (-1, 1))
    require(
        len(data["layers"]) == 1 and [[[number(x) for x in row] for row in h] for (h,) in data["states"]] == [[[0]], [[1]]],
        "two states, 0 and 1",
    )
    require(all(number(q) == number(h[0][0]) for (h,), q in zip(data["states"], data["automaton"], strict=True)), "the state is the parity")


@statement("grazzi25.thm1.fig2", "automaton")
def parity_without_negative_eigenvalues(data):
    """A layer computes the parity, and no transition has a negative eigenvalue."""
    adds_modulo(data, 2, (0, 1))
    require(data["field"] == 1 and len(data["layers"]) == 1, "one rational layer")
    require(not any(has_negative_eigenvalue(matrix(f["A"])) for f in data["layers"][0]), "no negative eigenvalue")


@statement("grazzi25.appE4", "automaton")
def running_sign(data):
    """Letters 1 and -1: the output is (-1)^(number of letters -1 read)."""
    require(data["letters"] == ["1", "-1"] and data["automaton"] == ["0", "1"] and data["outputs"] == ["1", "-1"], "signs of two states")
    require(
        all((int(data["automaton"][i]) + letter - int(data["automaton"][j])) % 2 == 0 for i, letter, _, j in data["edges"]),
        "parity of the letters -1",
    )
    scalar_layers(data, (1, 0), (-1, 0))


@statement("new.parity.index", "automaton")
def adds_with_odd_products_real(data):
    """Two layers add modulo 3; single transitions of the first, and products of three of the second, square to I."""
    adds_modulo(data, 3, (0, 1, 2))
    modulus = cyclotomic_polynomial(data["field"])
    first, second = ([field_matrix(f["A"], modulus) for f in layer] for layer in data["layers"])
    for a in [*first, *(field_times(field_times(x, y, modulus), z, modulus) for x in second for y in second for z in second)]:
        identity = field_matrix([[int(i == j) for j in range(len(a))] for i in range(len(a))], modulus)
        require(freeze(field_times(a, a, modulus)) == freeze(identity), "the product squares to I")


@statement("new.parity.powers-of-two", "automaton")
def binary_counter(data):
    """p scalar layers with transitions 1 and -1 and no inputs output the number of ones modulo 2^p."""
    adds_modulo(data, 2 ** len(data["layers"]), (0, 1))
    scalar_layers(data, (1, 0), (-1, 0))


@statement("new.parity.powers-of-two")
def binary_counters(certificates):
    """p = 1, ..., 6."""
    require([len(data["layers"]) for _, data in certificates] == [1, 2, 3, 4, 5, 6], "one counter for each p up to 6")


@statement("grazzi25.thm2.discussion", "automaton")
def counts_modulo_two(data):
    """Layers with real diagonal transitions count modulo some m >= 2: here scalar ones, modulo 2."""
    adds_modulo(data, 2, (0, 1))
    scalar_layers(data, (1, 0), (-1, 0))


@statement("grazzi25.abstract.triangular", "automaton")
def complex_scalar(data):
    """A layer of 1 x 1, hence triangular, transitions counts modulo 3."""
    adds_modulo(data, 3, (0, 1))
    require(
        len(data["layers"]) == 1 and all(len(f["A"]) == len(f["A"][0]) == 1 for f in data["layers"][0]), "one layer of 1 x 1 transitions"
    )


# -- single matrices and orbits ------------------------------------------------------------------------------------------------


@statement("grazzi25.table1.norm", "witness")
def eigenvalue_in_unit_interval(data):
    """For 0 < beta < 1 the eigenvalue 1 - beta |k|^2 along k lies in [0, 1]; refuted by a key for which it does not."""
    k, beta = vector(data["k"]), number(data["beta"])
    require(0 < beta < 1, "the hypothesis 0 < beta < 1")
    require(not 0 <= 1 - beta * dot(k, k) <= 1, "the eigenvalue lies in [0, 1]")


@statement("grazzi25.fig2.monotone", "witness")
def rises_and_falls(data):
    """A upper triangular with diagonal in [0, 1): the first entry of A^k H_0 converges to 0, but rises and falls."""
    a, h = square(matrix(data["A"])), vector(data["H0"])
    n = len(a)
    require(all(0 <= a[i][i] < 1 for i in range(n)) and not any(a[i][j] for i in range(n) for j in range(i)), "eigenvalues in [0, 1)")
    entries = []
    for _ in range(7):
        entries.append(h[0])
        h = apply(a, h)
    require(
        any(x < y for x, y in itertools.pairwise(entries)) and any(x > y for x, y in itertools.pairwise(entries)), "the entry is monotone"
    )


@statement("grazzi25.fig2.monotone.amended", "witness")
def monotone_in_the_end(data):
    """Spectrum in [0, inf); from the threshold on every entry of H_{k+1} - H_k = A^k ((A - I) H_0 + B) has the sign listed, and not all are 0."""
    a, b, h = square(matrix(data["A"])), matrix(data["B"]), matrix(data["H0"])
    require(
        spectrum_is_nonnegative(a) and any(data["signs"]) and natural(data["threshold"]) <= 10_000,
        "a spectrum in [0, inf), and states that move",
    )
    step = plus(times(minus(a, one(len(a))), h), b)
    entries = power_entries(check_jordan_form(a, data), one(len(a)), step)
    signs = [[sign_is_settled(row[0], Fraction(0), data["threshold"], parity) for parity in (0, 1)] for row in entries]
    require(signs == [[s, s] for s in data["signs"]], "the signs of the differences")


@statement("new.parity.not-sufficient", "witness")
def third_turn(data):
    """A^3 = I, I + A + A^2 = 0, and no eigenvalue is real."""
    a = square(matrix(data["A"]))
    b = times(a, a)
    require(times(a, b) == one(len(a)) and not any(map(any, plus(one(len(a)), plus(a, b)))), "A^3 = I and I + A + A^2 = 0")
    require(count_real_roots(characteristic(a)) == 0, "no real eigenvalue")


@statement("new.parity.half", "eventually-periodic")
def half_in_the_cast_model(data):
    """D = {-1, 1}, h -> -h/2 + 1 from -1: the cast state has period 2 from the start."""
    reads_ones(data)
    (layer,) = data["layers"]
    half_layer(data, matrix(layer["maps"][0]["A"]), [number(x) for x in layer["maps"][0]["B"][0]], Fraction(1))
    require(matrix(layer["H0"]) == [[-1]] and least_period(layer["cycle"]) == 2, "from -1, with period 2")


@statement("new.parity.half", "stepwise-orbit")
def half_rounded_at_every_step(data):
    """D = {-1, 1}, h -> cast(-h/2) from 1: an orbit of two states."""
    half_layer(data, matrix(data["A"]), [number(x) for x in data["b"]], Fraction(0))
    require([[number(x) for x in h] for h in data["orbit"]] == [[1], [-1], [1]], "1, -1, 1")


def half_layer(data, a, b, expected):
    require(
        points(data["D"])[0] == [-1, 1] and a == [[Fraction(-1, 2)]] and b == [expected], "D = {-1, 1}, the transition -1/2 and this input"
    )


@statement("new.parity.half")
def both_models(certificates):
    """One certificate of each sort."""
    require(sorted(kind for kind, _ in certificates) == ["eventually-periodic", "stepwise-orbit"], "both models")


def rounded_steps(data):
    """(A, D, orbit) with h -> cast(A h + b) from each state of the orbit to the next; b = 0 if it is not given."""
    a, (d, _) = square(matrix(data["A"])), points(data["D"])
    b = vector(data["b"]) if "b" in data else [Fraction(0)] * len(a)
    orbit = [vector(h) for h in data["orbit"]]
    require(all(len(h) == len(a) and set(h) <= set(d) for h in orbit) and len(b) == len(a), "states in D^n")
    for h, after in itertools.pairwise(orbit):
        require([cast(x + y, d) for x, y in zip(apply(a, h), b, strict=True)] == after, f"the state after {h}")
    return a, d, orbit


@statement("new.parity.stepwise.two-cycle", "witness")
def alternates(data):
    """Rounded at every step, h -> cast(A h) exchanges two states, though A is an integer 2 x 2 matrix with spectrum in [0, inf)."""
    a, _, orbit = rounded_steps(data)
    require(len(a) == 2 and all(x.denominator == 1 for row in a for x in row) and spectrum_is_nonnegative(a), "spectrum in [0, inf)")
    require(len(orbit) == 3 and orbit[0] == orbit[2] != orbit[1], "an orbit of two states")


@statement("new.parity.stepwise.two-cycle")
def three_examples(certificates):
    """D = {-1, 1}; D = {-1, 0, 1}; and D = {-1, 0, 1} with both eigenvalues positive."""
    require([points(data["D"])[0] for _, data in certificates] == [[-1, 1], [-1, 0, 1], [-1, 0, 1]], "the three sets D")
    require(characteristic(matrix(certificates[2][1]["A"]))[0] > 0, "positive eigenvalues in the third")


@statement("new.parity.stepwise.scalar", "witness")
def scalar_settles(data):
    """n = 1 and a >= 0: the orbit ends where it stands still, after more than two different states."""
    a, _, orbit = rounded_steps(data)
    require(
        len(a) == 1 and a[0][0] >= 0 and orbit[-1] == orbit[-2] and len({h[0] for h in orbit}) > 2,
        "a >= 0, and an orbit that moves and settles",
    )


@statement("new.parity.stepwise.symmetric", "witness")
def semidefinite_settles(data):
    """A symmetric positive semidefinite and not 0: the orbit moves, and ends where it stands still."""
    a, _, orbit = rounded_steps(data)
    require(len(a) > 1 and is_positive_semidefinite(a) and any(map(any, a)), "A is symmetric positive semidefinite, not 0")
    require(len(orbit) > 3 and orbit[-1] == orbit[-2] != orbit[-3], "an orbit that moves and settles")


@statement("new.parity.stepwise.delta", "witness")
def rounding_computes_parity(data):
    """0 < beta |k|^2 <= 1, yet s = cast(k.h), u = cast(-beta s), h' = cast(h + u k) exchanges two states of D^n; beta = 0 keeps them."""
    (d, _), k, beta = points(data["D"]), vector(data["k"]), number(data["beta"])
    even, odd = vector(data["even"]), vector(data["odd"])
    require(0 < beta * dot(k, k) <= 1 and even != odd and set(even) | set(odd) <= set(d), "0 < beta |k|^2 <= 1, two states in D^n")
    for h, after in ((even, odd), (odd, even)):
        for strength, expected in ((beta, after), (Fraction(0), h)):
            u = cast(-strength * cast(dot(k, h), d), d)
            require([cast(x + u * y, d) for x, y in zip(h, k, strict=True)] == expected, f"the state after {h}")
            s = Fraction(0)
            for x, y in zip(k, h, strict=True):
                s = cast(s + cast(x * y, d), d)
            v = cast(-strength * s, d)
            require(
                [cast(x + cast(v * y, d), d) for x, y in zip(h, k, strict=True)] == expected,
                f"the state after {h}, every product and sum rounded",
            )
