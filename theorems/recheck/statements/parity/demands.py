"""What the claims of topic parity demand of their certificates."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from ...exact import cast, is_positive_semidefinite, matrix, minus, natural, number, one, points, require, times, vector
from ...registry import statement
from ...schema import Fields, Items, Matrix, Natural, Rational, Tuple, Vector
from ...spectra import characteristic, spectrum_is_nonnegative, spectrum_is_real
from ...sums import settled_values
from ...typed import Certificates, Data, Decided
from .instances import FAMILIES, require_single_layers, require_stacks

# -- Lemma 1 ---------------------------------------------------------------------------------------------------------------


@statement(
    "grazzi25.lemma1",
    "cast-of-sum",
    Fields(
        terms=Items(Tuple(Rational(4), Natural(0, 2), Rational(8)), 1, 4),
        D=Vector((2, 5), 4),
        threshold=Natural(1, 18),
        even=Rational(4),
        odd=Rational(4),
    ),
)
def two_values(data: Data) -> None:
    """A sum with a nonzero term, onto at least two points; with lambda >= 0 throughout the two values agree."""
    terms, (d, _) = [(number(x), natural(m), number(c)) for x, m, c in data["terms"]], points(data["D"])
    require(any(c for _, _, c in terms) and len(d) > 1, "a nonzero sum, onto more than one point")
    if all(x >= 0 for x, _, _ in terms):
        require(number(data["even"]) == number(data["odd"]), "one value if no lambda is negative")


@statement("grazzi25.lemma1")
def many_sums(certificates: Certificates) -> None:
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


@statement(
    "grazzi25.lemma1.quantifiers",
    "witness",
    Fields(D=Vector(2, 4), period=Vector(3, 4)),
    hypotheses={"printed": "the printed conclusion holds"},
    violates={"period": "no two values serve all large k: the sequence is not eventually 2-periodic"},
)
def not_two_periodic(data: Data) -> Decided:
    """Every value lies in D, which is all that the printed conclusion says; the sequence with this period is not eventually 2-periodic."""
    (d, _), values = points(data["D"]), vector(data["period"])
    n = len(values)
    return {"printed": set(values) <= set(d), "period": any(values[i] != values[(i + 2) % n] for i in range(n))}


@statement(
    "grazzi25.lemma1.order",
    "witness",
    Fields(terms=Items(Tuple(Rational(4), Natural(0, 4)), 2, 2), coefficients=Vector(2, 4)),
    hypotheses={"order": "the printed order holds"},
    violates={"grows": "b_k = k, which does not tend to 0"},
)
def printed_order(data: Data) -> Decided:
    """The terms (lambda, m) are in the printed order, lambda_i > lambda_j or equal and m_i > m_j for i > j; b_k = c_2 C(k, m_2) / (c_1 C(k, m_1)) does not fall."""
    ((x, m), (y, n)), (c, e) = [(number(x), natural(m)) for x, m in data["terms"]], vector(data["coefficients"])
    # for equal lambda, m_1 = 0 and m_2 = 1 the ratio is C(k, 1) / C(k, 0) = k times that of the coefficients
    return {"order": y > x or (y == x and n > m), "grows": x == y > 0 and (m, n) == (0, 1) and c == e != 0}


# -- the displays of App. B ------------------------------------------------------------------------------------------------


@statement(
    "grazzi25.thm1.unrolled",
    "witness",
    Fields(steps=Matrix((1, 5), 2, 4), H0=Rational(4)),
    hypotheses={"length": "k >= 1"},
    violates={"differ": "the two differ"} | {str(k): f"they also differ at k = {k} (A = 2, B = 1, H_0 = 0)" for k in range(1, 6)},
)
def unrolled(data: Data) -> Decided:
    """Scalars: the printed sum of (prod_{j=i+1}^{k-1} A_j) B_i over i < k, with all of the A on H_0, differs from the recursion at k >= 1."""
    steps, h = [(number(a), number(b)) for a, b in data["steps"]], number(data["H0"])
    k = len(steps)
    state = h
    for a, b in steps:
        state = a * state + b
    printed = product_of(a for a, _ in steps) * h + sum(product_of(a for a, _ in steps[i : k - 1]) * steps[i - 1][1] for i in range(1, k))
    return {"length": k >= 1, str(k) if (h, {*steps}) == (0, {(2, 1)}) else "differ": printed != state}


def product_of(numbers: Iterable[Any]) -> Fraction:
    out = Fraction(1)
    for x in numbers:
        out *= x
    return out


def scalar_terms(data: Data) -> tuple[list[Fraction], list[Fraction], Callable[..., Any], bool]:
    """(cast(a^i b), cast(a^i h), cast) of a scalar layer, and whether both have from tau on the periods of their settled values."""
    a, b, h = number(data["A"]), number(data["B"]), number(data["H0"])
    d, middles = points(data["D"])
    tau, k = natural(data["tau"]), natural(data["k"])
    require(tau <= 1000 and k <= 1000, "at most 1000 steps")
    settled = [settled_values({(a, 0): x}, d, middles, max(tau, 1)) for x in (b, h)]
    C, D = ([cast(a**i * x, d) for i in range(2 * k + tau + 2)] for x in (b, h))
    periodic = all(z[i] == s[i % 2] for z, s in ((C, settled[0]), (D, settled[1])) for i in range(tau, len(C)))
    return C, D, lambda x: cast(x, d), periodic


@statement(
    "grazzi25.thm1.display",
    "witness",
    Fields(A=Rational(4), B=Rational(4), H0=Rational(4), D=Vector(4, 4), tau=Natural(2, 2), k=Natural(2, 2)),
    hypotheses={"settled": "the casts are constant from tau on"},
    violates={"differ": "the display differs from the definition"},
)
def settled_state(data: Data) -> Decided:
    """A scalar layer with casts constant from tau <= k on, whose state H_k is not the printed cast(sum_{i<tau} C_i + D + (1 - tau) C + k C)."""
    C, D, rounded, periodic = scalar_terms(data)
    tau, k = data["tau"], data["k"]
    require(number(data["A"]) >= 0 and tau <= k, "a transition that is not negative, and tau <= k")
    printed = rounded(sum(C[:tau]) + D[tau] + (1 - tau) * C[tau] + k * C[tau])
    return {"settled": periodic and len(set(C[tau:])) == len(set(D[tau:])) == 1, "differ": printed != rounded(sum(C[:k]) + D[k])}


@statement(
    "grazzi25.thm2.display",
    "witness",
    Fields(A=Rational(4), B=Rational(4), H0=Rational(4), D=Vector(5, 4), tau=Natural(2, 2), k=Natural(3, 3)),
    hypotheses={"settled": "the casts are 2-periodic from the even tau on"},
    violates={"differ": "the display differs from the definition"},
)
def settled_states(data: Data) -> Decided:
    """A scalar layer with casts 2-periodic from an even tau <= 2k on, whose state H_2k is not the printed one."""
    C, D, rounded, periodic = scalar_terms(data)
    tau, k = data["tau"], data["k"]
    require(tau <= 2 * k, "tau is at most 2k")
    even, odd, half = C[tau], C[tau + 1], Fraction(tau, 2)
    printed = rounded(sum(C[1:tau]) + (k - half + 1) * even + (k - half) * odd + k * D[tau])
    return {"settled": periodic and tau % 2 == 0, "differ": printed != rounded(sum(C[: 2 * k]) + D[2 * k])}


# -- Theorems 1 and 2 --------------------------------------------------------------------------------------------------------


def stacks(depth: Any, points: Any, letters: Any) -> Any:
    """Up to so many layers of size 1 to 3 in the cast model on a set of 2 or more points, each reading so many letters at most; and the outputs."""
    size, word = (1, 3), Items(Natural(0, letters - 1), 1, 4)
    layer = Fields(
        maps=Items(Fields(A=Matrix(size, size, 12), B=Matrix(size, 1, 4)), 1, letters),
        H0=Matrix(size, 1, 4),
        before=Items(Natural(0, letters - 1), 0, 100),
        period=word,
        P=Matrix(size, size, 12),
        P_inverse=Matrix(size, size, 12),
        blocks=Items(Tuple(Rational(12), Natural(1, 3)), 1, 3),
        settled=Natural(1, 100),
        threshold=Natural(1, 200),
        cycle=Items(Matrix(size, 1, 4), 2, 8),
    )
    outputs = Fields(before=Vector((0, 200), 4), period=Vector((1, 8), 4))
    return Fields(D=Vector((2, points), 4), layers=Items(layer, 1, depth), outputs=outputs)


def least_period(word: Sequence[Any]) -> int:
    n = len(word)
    return next(p for p in range(1, n + 1) if n % p == 0 and all(word[i] == word[i % p] for i in range(n)))


def reads_ones(data: Data) -> None:
    """The first layer reads one letter for ever; D has more than one point; some transition or input is not 0."""
    d, _ = points(data["D"])
    first = data["layers"][0]
    require(not first["before"] and len(first["period"]) == 1, "the word 111...")
    require(len(d) > 1, "more than one point in D")


@statement(
    "grazzi25.thm1.layer",
    "eventually-periodic",
    Fields(
        D=Vector((2, 6), 4),
        layers=Items(
            Fields(
                maps=Items(Fields(A=Matrix((1, 4), (1, 4), 8), B=Matrix((1, 4), 1, 4)), 1, 1),
                H0=Matrix((1, 4), 1, 4),
                before=Items(Natural(0, 0), 0, 0),
                period=Items(Natural(0, 0), 1, 1),
                P=Matrix((1, 4), (1, 4), 8),
                P_inverse=Matrix((1, 4), (1, 4), 8),
                blocks=Items(Tuple(Rational(4), Natural(1, 4)), 1, 4),
                settled=Natural(2, 40),
                threshold=Natural(2, 40),
                cycle=Items(Matrix((1, 4), 1, 4), 2, 2),
            ),
            1,
            1,
        ),
    ),
)
@statement(
    "grazzi25.sec4.1.counter",
    "eventually-periodic",
    Fields(
        D=Vector((2, 5), 4),
        layers=Items(
            Fields(
                maps=Items(Fields(A=Matrix(1, 1, 4), B=Matrix(1, 1, 4)), 1, 1),
                H0=Matrix(1, 1, 4),
                before=Items(Natural(0, 0), 0, 0),
                period=Items(Natural(0, 0), 1, 1),
                P=Matrix(1, 1, 4),
                P_inverse=Matrix(1, 1, 4),
                blocks=Items(Tuple(Rational(4), Natural(1, 1)), 1, 1),
                settled=Natural(2, 2),
                threshold=Natural(2, 6),
                cycle=Items(Matrix(1, 1, 4), 2, 2),
            ),
            1,
            1,
        ),
    ),
)
def one_layer_settles(data: Data) -> None:
    """One layer on 111..., its transition with spectrum in [0, inf), and a cycle of one state."""
    reads_ones(data)
    (layer,) = data["layers"]
    require(spectrum_is_nonnegative(matrix(layer["maps"][layer["period"][0]]["A"])), "the spectrum lies in [0, inf)")
    require(least_period(layer["cycle"]) == 1, "the state is constant in the end")


@statement("grazzi25.thm1.layer")
def many_layers(certificates: Certificates) -> None:
    """Among the layers: Jordan blocks of size 2 and more at eigenvalues above 0, sizes up to 4, states that move, real and doubled complex ones."""
    require_single_layers(certificates)
    layers = [d["layers"][0] for _, d in certificates]
    require(len(layers) >= 40, "at least forty layers")
    require({len(y["H0"]) for y in layers} >= {1, 2, 3, 4}, "sizes 1 to 4")
    require(
        sum(any(size > 1 and number(x) > 0 for x, size in y["blocks"]) for y in layers) >= 10, "ten with a Jordan block of size 2 or more"
    )
    require(sum(y["threshold"] > 2 for y in layers) >= 20, "twenty thresholds above 2")


@statement("grazzi25.sec4.1.counter")
def counters(certificates: Certificates) -> None:
    """The counter h -> h + 1 from 0, for at least ten sets D."""
    for _, data in certificates:
        layer = data["layers"][0]
        require([matrix(layer["maps"][0][x]) for x in "AB"] == [[[1]], [[1]]] and matrix(layer["H0"]) == [[0]], "the counter")
    require(len({tuple(data["D"]) for _, data in certificates}) >= 10, "at least ten sets")


def settles(data: Data) -> None:
    """A stack on 111... all of whose transitions have spectra in [0, inf), with outputs that are constant in the end."""
    reads_ones(data)
    for layer in data["layers"]:
        for x in {*layer["before"], *layer["period"]}:
            require(spectrum_is_nonnegative(matrix(layer["maps"][x]["A"])), "all spectra lie in [0, inf)")
    require(data.get("outputs") and least_period(data["outputs"]["period"]) == 1, "the output is constant in the end")


for id, most in (("grazzi25.thm1", 6), ("grazzi25.abstract.parity", 5), ("new.parity.architectures", 5)):
    statement(id, "eventually-periodic", stacks(depth=3, points=most, letters=3))(settles)


@statement("grazzi25.thm1")
def many_stacks(certificates: Certificates) -> None:
    """Stacks of two and three layers, a fifth of which hand a word that is not constant to the second."""
    require_stacks(FAMILIES["grazzi25.thm1"](), certificates)
    stacks = [d["layers"] for _, d in certificates]
    require({2, 3} <= {len(s) for s in stacks} and len(stacks) >= 10, "at least ten stacks of two and three layers")
    moving = sum(len({*s[1]["before"], *s[1]["period"]}) > 1 for s in stacks)
    require(5 * moving >= len(stacks), "a fifth of the second layers read words that are not constant")


def is_diagonal(a: Any) -> Any:
    return all(i == j or not x for i, row in enumerate(a) for j, x in enumerate(row))


def is_delta(a: Any) -> Any:
    """I - beta k k^T with 0 <= beta |k|^2 <= 1: symmetric, of rank at most 1 away from I, with trace in [n - 1, n]."""
    difference = minus(one(len(a)), a)
    minors = all(
        difference[i][j] * difference[k][m] == difference[i][m] * difference[k][j]
        for i, k in itertools.combinations(range(len(a)), 2)
        for j, m in itertools.combinations(range(len(a)), 2)
    )
    return minors and is_positive_semidefinite(difference) and sum(difference[i][i] for i in range(len(a))) <= 1


def transitions_of(certificates: Certificates) -> Any:
    return [matrix(layer["maps"][x]["A"]) for _, d in certificates for layer in d["layers"] for x in {*layer["before"], *layer["period"]}]


@statement("grazzi25.abstract.parity")
def table_one(certificates: Certificates) -> None:
    """Every transition has positive eigenvalues only and is diagonal or I - beta k k^T, and both sorts occur."""
    require_stacks(FAMILIES["grazzi25.abstract.parity"](), certificates)
    found = transitions_of(certificates)
    require(all(characteristic(a)[0] for a in found), "no eigenvalue is 0")
    require(all(is_diagonal(a) or is_delta(a) for a in found), "transitions of Table 1")
    require(any(not is_diagonal(a) for a in found) and any(is_diagonal(a) and len(a) > 1 for a in found), "diagonal ones and others")


@statement("new.parity.architectures")
def in_use(certificates: Certificates) -> None:
    """Every transition is diagonal with entries in [0, 1] or I - beta k k^T with beta |k|^2 in [0, 1]; gates 0 and 1 occur beside entries between them."""
    require_stacks(FAMILIES["new.parity.architectures"](), certificates)
    found = transitions_of(certificates)
    for a in found:
        require(is_delta(a) or (is_diagonal(a) and all(0 <= a[i][i] <= 1 for i in range(len(a)))), "a transition of these layers")
    entries = {a[i][i] for a in found if is_diagonal(a) for i in range(len(a))}
    require({0, 1} <= entries and len(entries) > 2 and any(not is_diagonal(a) for a in found), "all sorts of transitions")


@statement("grazzi25.thm2", "eventually-periodic", stacks(depth=3, points=6, letters=4))
def powers_of_two(data: Data) -> None:
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
def stacks_that_alternate(certificates: Certificates) -> None:
    """Stacks of one, two and three layers, and for each number L one whose output has period 2^L, so that the bound is attained."""
    certificates = [(kind, d) for kind, d in certificates if kind == "eventually-periodic"]
    require_stacks(FAMILIES["grazzi25.thm2"](), certificates)
    found = {(len(d["layers"]), least_period(d["outputs"]["period"])) for _, d in certificates}
    require({(1, 2), (2, 4), (3, 8)} <= found and len(certificates) >= 20, "twenty stacks, and periods 2, 4 and 8 with 1, 2 and 3 layers")


@statement("grazzi25.abstract.modulo3", "eventually-periodic", stacks(depth=3, points=5, letters=3))
def triangular(data: Data) -> None:
    """A stack of layers with upper triangular transitions; its output on 111... has an eventual period that 3 does not divide."""
    powers_of_two(data)
    for layer in data["layers"]:
        for f in layer["maps"]:
            a = matrix(f["A"])
            require(all(not a[i][j] for i in range(len(a)) for j in range(i)), "upper triangular transitions")
    require(least_period(data["outputs"]["period"]) % 3, "a period that 3 does not divide")


@statement("grazzi25.abstract.modulo3")
def triangular_stacks(certificates: Certificates) -> None:
    """Some of the transitions are not diagonal, and some outputs alternate."""
    require_stacks(FAMILIES["grazzi25.abstract.modulo3"](), certificates)
    require(
        any(not is_diagonal(matrix(f["A"])) for _, d in certificates for y in d["layers"] for f in y["maps"]), "triangular, not diagonal"
    )
    require(any(least_period(d["outputs"]["period"]) > 1 for _, d in certificates), "an output that alternates")
