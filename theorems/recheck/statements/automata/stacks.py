"""What the claims of topic automata demand, continued: cascades and their stacks, small groups, one-hot layers, words."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ...cyclotomic import element, field_matrix, field_times
from ...exact import apply, cast, is_positive_semidefinite, matrix, natural, number, require, vector
from ...registry import statement
from ...schema import Fields, Items, Matrix, Natural, Rational, Tuple, Vector
from ...typed import Certificates, Data, Decided
from .demands import (
    all_zero,
    columns,
    compose,
    computes,
    field_one,
    is_orthogonal,
    is_reflection,
    layers_of,
    moved,
    negated,
    network_layers,
    permutation,
    reachable,
    transitions,
)

# -- Theorems 4 and 5 ------------------------------------------------------------------------------------------------------


def is_natural(x: tuple[Fraction, ...]) -> bool:
    """An element of Q(zeta_N) that is a natural number."""
    return len(x) == 0 or (len(x) == 1 and x[0] >= 0 and x[0].denominator == 1)


def like_theorem_4(document: dict[str, Any]) -> list[int]:
    """Widths of a stack whose transitions are n factors at most with 1 - beta in [-1, 1], B in N^n, n <= |Q|, at most 2^|Q| layers, all states reached."""
    table, start = document["automaton"]["table"], document["automaton"]["start"]
    n = len(table[0])
    require(n >= 2 and reachable(table, start) == set(range(n)), "two states at least, all reached")
    _, layers = network_layers(document)
    require(len(layers) <= 2**n, "at most 2^|Q| layers")
    for width, maps in layers:
        require(width <= n, "n <= |Q|")
        require(all(steps is not None and len(steps) <= width for _, _, steps in maps), "each A is a product of n factors at most")
        require(all(is_natural(row[0]) for _, b, _ in maps for row in b), "B is a vector of natural numbers")
    return [width for width, _ in layers]


@statement("grazzi25.thm4", "network")
def stack_of_theorem_4(document: dict[str, Any]) -> None:
    """Theorem 4 for one automaton; the rule of the kind shows that the stack outputs its state."""
    like_theorem_4(document)


@statement("grazzi25.sec4.3.depth", "network")
def linear_depth(document: dict[str, Any]) -> None:
    """|Q| - 1 layers of widths |Q|, ..., 2."""
    n = len(document["automaton"]["states"])
    require(like_theorem_4(document) == list(range(n, 1, -1)), "layers of widths |Q|, ..., 2")


@statement("new.automata.unrounded", "network")
def no_sum_of_two_terms(document: dict[str, Any]) -> None:
    """At most |Q| + 1 wide, with as many factors at most; in every row of A h + B at most one term is not 0, for every map and state of a layer."""
    table, start = document["automaton"]["table"], document["automaton"]["start"]
    n = len(table[0])
    require(n == 4 and reachable(table, start) == set(range(n)), "four states, all reached")
    modulus, layers = network_layers(document)
    for (width, maps), layer in zip(layers, document["layers"], strict=True):
        require(width <= n + 1, "at most |Q| + 1 wide")
        states = [field_matrix(h, modulus) for h in layer["states"]]
        for a, b, steps in maps:
            require(steps is not None and len(steps) <= width, "a product of as many factors at most as the layer is wide")
            for h in states:
                terms = [sum(bool(x) and bool(y) for x, (y,) in zip(row, h, strict=True)) + bool(c) for row, (c,) in zip(a, b, strict=True)]
                require(max(terms) <= 1, "no sum has two terms other than 0")


def reads(text: str, word: str) -> bool:
    return re.fullmatch(text, word) is not None


@statement("grazzi25.sec1.regular", "network")
def recognises(document: dict[str, Any]) -> None:
    """The automaton accepts exactly the words of one of two languages.

    Both languages have automata with four states at most, and automata with n and m states that agree on all words of at most n + m - 2 letters are equivalent.
    """
    like_theorem_4(document)
    require(language_of(document) is not None, "the language of one of the two expressions")


LANGUAGES = ["(a|b)*abb(a|b)*", "((a|b)(a|b)(a|b))*"]


@statement("grazzi25.sec1.regular")
def both_languages(certificates: Certificates) -> None:
    require([language_of(d) for _, d in certificates] == LANGUAGES, "both expressions")


def language_of(document: dict[str, Any]) -> Any:
    """The expression that agrees with the automaton on all words of n + 2 letters at most; None if there is none."""
    table, start = document["automaton"]["table"], document["automaton"]["start"]
    accepting, n = set(document["automaton"]["accepting"]), len(table[0])
    require(document["automaton"]["states"] == [str(q) for q in range(n)], "states called 0, 1, ...")
    require(document["letters"] == ["a", "b"], "the letters a and b")
    verdicts = {}
    for length in range(n + 3):
        for word in itertools.product(range(2), repeat=length):
            q = start
            for x in word:
                q = table[x][q]
            verdicts["".join("ab"[x] for x in word)] = q in accepting
    return next((text for text in LANGUAGES if all(reads(text, w) == v for w, v in verdicts.items())), None)


def permutation_or_reset(images: Sequence[int]) -> bool:
    return len(set(images)) in (1, len(images))


@statement(
    "grazzi25.thm4.proof",
    "witness",
    Fields(first=Items(Natural(0, 1), 2, 2), second=Items(Items(Natural(0, 1), 2, 2), 2, 2)),
    hypotheses={"reset": "both levels are permutation-reset"},
    violates={"differ": "the layers' states are not the cascade's"},
)
def handed_up_too_late(data: Data) -> Decided:
    """App. C.5: the layers' states are the cascade's; refuted by two levels of two states and one letter, run once from (0, 0)."""
    first, second = data["first"], data["second"]
    require(len(first) == len(second) == 2 and all(len(row) == 2 for row in second), "two levels of two states")
    require(all(natural(q) < 2 for row in [first, *second] for q in row), "states 0 and 1")
    cascade = (first[0], second[0][0])
    after = first[0]
    printed = (after, second[after][0])
    return {"reset": all(permutation_or_reset(row) for row in [first, *second]), "differ": printed != cascade}


@statement("grazzi25.thm4.delays", "automaton")
def delayed(data: Data) -> None:
    """2s - 1 layers, s >= 1, with A and B of entries 0 and 1, at most one 1 in each row and column of A, so norm at most 1; all states are told apart."""
    modulus, layers = layers_of(data)
    require(len(layers) % 2 == 1 and data["field"] == 1, "2s - 1 layers, rational")
    zero_or_one = (element(0, modulus), element(1, modulus))
    for a, b in itertools.chain(*layers):
        require(all(x in zero_or_one for row in (*a, *b) for x in row), "entries 0 and 1")
        require(all(sum(map(len, row)) <= 1 for row in (*a, *columns(a))), "norm at most 1")
    start, edges, outputs = transitions(data)
    require(len(set(outputs.values())) == len(outputs) >= 2, "each state is output by its own name")
    tables = {"parity and the last letter": {"a": (1, 0, 1), "b": (2, 2, 0)}, "reset or stay": {"a": (1, 1), "b": (0, 0), "c": (0, 1)}}
    known = [{(str(q), x): str(p) for x, row in t.items() for q, p in enumerate(row)} for t in tables.values()]
    require(start == "0" and edges in known, "one of the two automata, started in 0")


@statement("grazzi25.thm4.delays")
def two_automata(certificates: Certificates) -> None:
    require({len(d["letters"]) for _, d in certificates} == {2, 3}, "both automata")


@statement(
    "grazzi25.thm5",
    "witness",
    Fields(
        table=Items(Items(Natural(0, 2), 2, 3), 3, 3),
        start=Tuple(Natural(0, 2), Items(Natural(0, 2), 1, 2)),
        sizes=Items(Natural(2, 3), 1, 2),
        states=Items(Items(Natural(0, 2), 1, 2), 2, 6),
        emulated=Items(Natural(0, 2), 2, 6),
        steps=Items(Items(Items(Natural(0, 2), 1, 2), 3, 3), 2, 6),
    ),
)
def emulation(data: Data) -> None:
    """Theorem 5 for one automaton: W follows it from every state of the cascade, each level acts by the levels before it, a permutation or a reset."""
    table, sizes = data["table"], [natural(m) for m in data["sizes"]]
    n, states = len(table[0]), [tuple(s) for s in data["states"]]
    require(sizes == list(range(n, 1, -1)) and n >= 2, "levels of n, ..., 2 states, so n - 1 of them")
    require(all(len(row) == n and all(natural(q) < n for q in row) for row in table), "a total automaton")
    require(states == list(itertools.product(*(range(m) for m in sizes))), "all states of the cascade")
    require(len(data["emulated"]) == len(data["steps"]) == len(states), "lists of one length")
    emulated = dict(zip(states, data["emulated"], strict=True))
    first, start = data["start"]
    require(emulated[tuple(start)] == natural(first), "the start is emulated")
    require(set(emulated.values()) == set(range(n)), "every state of the automaton is emulated")
    for x, row in enumerate(table):
        step = {s: tuple(found[x]) for s, found in zip(states, data["steps"], strict=True)}
        require(all(emulated[step[s]] == row[emulated[s]] for s in states), "W(step) = step of W")
        for k, m in enumerate(sizes):
            actions = {}
            for s in states:
                require(actions.setdefault((s[:k], s[k]), step[s][k]) == step[s][k], "a level reads the levels before it")
            for before in {s[:k] for s in states}:
                require(permutation_or_reset([actions[before, q] for q in range(m)]), "a permutation or a reset")


# -- groups ----------------------------------------------------------------------------------------------------------------

A5 = [(1, 2, 3, 4, 0), (1, 2, 0, 3, 4)]
S5 = [(1, 2, 3, 4, 0), (1, 0, 2, 3, 4)]


@statement("new.automata.a5", "automaton")
def small_dimensions(data: Data) -> None:
    """A_5 by one layer of width 3, S_5 by layers of widths 1 and 3; every A of size 3 is a rotation, so two reflections at most, every scalar a sign; B = 0."""
    modulus, layers = layers_of(data)
    group = {1: A5, 2: S5}[len(layers)]
    states = computes(data, (0, 1, 2, 3, 4), lambda g, x: compose(x, g), group)
    require(len(states) == (60 if group is A5 else 120), "60 or 120 elements")
    require([len(layer[0][0]) for layer in layers] == ([3] if group is A5 else [1, 3]), "widths 3, or 1 and 3")
    for a, b in itertools.chain(*layers):
        require(all_zero(b) and is_orthogonal(a, modulus), "orthogonal transitions, B = 0")
        if len(a) == 3:
            require(fixes_an_axis(a, modulus), "a rotation: the determinant is 1")


def fixes_an_axis(a: Any, modulus: Any) -> Any:
    """The determinant of a 3 x 3 matrix is 1."""
    one = element(1, modulus)
    terms = []
    for p in itertools.permutations(range(3)):
        odd = sum(p[i] > p[j] for i in range(3) for j in range(i + 1, 3)) % 2
        product = [[one]]
        for i in range(3):
            product = field_times(product, [[a[i][p[i]]]], modulus)
        terms.append(negated(product, modulus)[0][0] if odd else product[0][0])
    ones = [[one] for _ in terms]
    return field_times([terms], ones, modulus)[0][0] == one


@statement("new.automata.a5")
def both_groups(certificates: Certificates) -> None:
    require(sorted(len(d["layers"]) for _, d in certificates) == [1, 2], "A_5 in one layer and S_5 in two")


@statement(
    "grazzi25.sec4.3.tokens", "witness", Fields(permutation=Items(Natural(0, 3), 1, 4), swaps=Items(Items(Natural(0, 3), 2, 2), 0, 3))
)
def swaps(data: Data) -> None:
    """A permutation that displaces j >= 1 points is the product of the swaps given, the last to act first, j - 1 at most."""
    g = permutation(data["permutation"])
    product = tuple(range(len(g)))
    require(len(data["swaps"]) <= max(moved(g) - 1, 0), "one less than the displaced points")
    for i, j in data["swaps"]:
        require(natural(i) != natural(j) and max(i, j) < len(g), "a swap of two points")
        swap = list(range(len(g)))
        swap[i], swap[j] = j, i
        product = compose(product, swap)
    require(product == g, "the swaps multiply to the permutation")


@statement("grazzi25.sec4.3.tokens")
def every_permutation(certificates: Certificates) -> None:
    found = [tuple(d["permutation"]) for _, d in certificates]
    require(found == [g for n in range(1, 5) for g in itertools.permutations(range(n))], "all permutations of 1 to 4 points")


@statement(
    "grazzi25.sec4.3.tokens.display",
    "witness",
    Fields(k=Natural(1, 50), t=Natural(1, 50), A=Rational(4)),
    hypotheses={"gh": "A is a GH matrix with eigenvalue in [-1, 1]"},
    violates={"state": "H_3 differs"},
)
def one_factor_too_many(data: Data) -> Decided:
    """H_t = C H_{t-k} with k + 1 factors; refuted by a scalar A = 1 - beta with |A| <= 1 and one letter."""
    k, t, a = natural(data["k"]), natural(data["t"]), number(data["A"])
    require(1 <= k <= t <= 50, "a time after k letters")
    state = [a**i for i in range(t + 1)]
    return {"gh": -1 <= a <= 1, "state": a ** (k + 1) * state[t - k] != state[t]}


@statement("grazzi25.sec5.2.four-tokens", "automaton")
def swaps_of_five(data: Data) -> None:
    """S_5 by swaps of two of five points and the identity, in one layer: single reflections, B = 0; and products of four letters are all elements."""
    swap = {"none": (0, 1, 2, 3, 4)}
    for i in range(5):
        for j in range(i):
            swap[f"{i}{j}"] = tuple(j if x == i else i if x == j else x for x in range(5))  # pyright: ignore[reportArgumentType]
    order = {}
    states = computes(data, (0, 1, 2, 3, 4), lambda g, x: compose(swap[x], g), list(swap), lambda g: str(order.setdefault(g, len(order))))
    require(len(states) == 120, "120 elements")
    modulus, layers = layers_of(data)
    require(len(layers) == 1 and data["field"] == 1, "one rational layer")
    require(all(len(a) == 5 and all_zero(b) for a, b in layers[0]), "width 5, B = 0")
    require(all(a == field_one(5, modulus) or is_reflection(a, modulus) for a, _ in layers[0]), "one reflection or none")
    products = {(0, 1, 2, 3, 4)}
    for _ in range(4):
        products = {compose(x, g) for g in products for x in swap.values()}
    require(len(products) == 120, "four letters spell every element")


SOLVABLE = {
    "Q8": {"i": (1, 2, 3, 0, 5, 6, 7, 4), "j": (4, 7, 6, 5, 2, 1, 0, 3)},
    "F20": {"turn": (1, 2, 3, 4, 0), "double": (0, 2, 4, 1, 3)},
    "S3": {"swap": (1, 0, 2), "cycle": (1, 2, 0)},
    "S4": {"swap": (1, 0, 2, 3), "cycle": (1, 2, 3, 0)},
    "A4": {"(0 1 2)": (1, 2, 0, 3), "(0 1 3)": (1, 3, 2, 0)},
}

#: order -> the number of prime factors, with multiplicity
LENGTH = {6: 2, 8: 3, 12: 3, 20: 3, 24: 4}


@statement("new.automata.solvable", "automaton")
def one_reflection_each(data: Data) -> None:
    """A solvable group by r + 1 layers of width 2 at most, one reflection or the identity per letter and layer, B = 0; r prime factors of the order."""
    named = [
        g for g in SOLVABLE.values() if list(g) == data["letters"] and len(next(iter(g.values()))) == data["automaton"][0].count(",") + 1
    ]
    require(len(named) == 1, "the letters of one of five groups")
    letters = named[0]
    identity = tuple(range(len(next(iter(letters.values())))))
    states = computes(data, identity, lambda g, x: compose(letters[x], g), list(letters))
    modulus, layers = layers_of(data)
    require(len(layers) == LENGTH[len(states)] + 1, "r + 1 layers")
    for a, b in itertools.chain(*layers):
        require(len(a) <= 2 and all_zero(b), "width 2 at most, B = 0")
        require(a == field_one(len(a), modulus) or is_reflection(a, modulus), "one reflection or the identity")


@statement("new.automata.solvable")
def five_groups(certificates: Certificates) -> None:
    require(sorted(len(set(d["automaton"])) for _, d in certificates) == sorted(LENGTH), "S_3, Q_8, A_4, F_20 and S_4")


# -- one-hot layers, words, weights ----------------------------------------------------------------------------------------


@statement("grazzi25.appA3.layer", "network")
def one_hot(document: dict[str, Any]) -> None:
    """One layer with one-hot states: A(w) e_q = e_delta(q, w), B = 0, H_0 = e_start."""
    modulus, layers = network_layers(document)
    table, start = document["automaton"]["table"], document["automaton"]["start"]
    require(len(layers) == 1, "one layer")
    n, maps = layers[0]
    one = field_one(n, modulus)
    require(n == len(table[0]), "as wide as the automaton has states")
    require(field_matrix(document["layers"][0]["states"][0], modulus) == [[x] for x in one[start]], "H_0 = e_start")
    for row, (_, _, _, f) in zip(table, document["layers"][0]["letters"], strict=True):
        a, b, _ = maps[f]
        require(columns(a) == [one[q] for q in row] and all_zero(b), "column q is the unit vector of delta(q, w), and B = 0")


def is_monoid(table: Sequence[Sequence[int]]) -> bool:
    n = range(len(table))
    require(all(len(row) == len(table) and all(natural(x) < len(table) for x in row) for row in table), "a table of products")
    identity = all(table[0][x] == x == table[x][0] for x in n)
    return identity and all(table[table[a][b]][c] == table[a][table[b][c]] for a in n for b in n for c in n)


def product_of(table: Sequence[Sequence[int]], word: Sequence[int]) -> int:
    """m_1 (m_2 (m_3 ...)): from the right, so not as the automaton multiplies."""
    out = 0
    for m in reversed(word):
        out = table[m][out]
    return out


@statement(
    "grazzi25.sec3.2.word-problem",
    "witness",
    Fields(
        table=Items(Items(Natural(0, 2), 2, 3), 2, 3),
        delta=Items(Items(Natural(0, 2), 2, 3), 2, 3),
        words=Items(Items(Natural(0, 2), 3, 3), 8, 27),
    ),
)
def word_problem(data: Data) -> None:
    """The automaton with ``delta`` sends each word to the product of its letters, in a monoid with identity 0."""
    table, delta = data["table"], data["delta"]
    require(len(table) >= 2 and is_monoid(table), "a monoid with identity 0")
    words = [tuple(w) for w in data["words"]]
    require(set(words) == set(itertools.product(range(len(table)), repeat=3)), "all words of three letters")
    for word in words:
        state = 0
        for m in word:
            state = delta[state][m]
        require(state == product_of(table, word), "the state is the product")


@statement(
    "grazzi25.sec3.2.word-problem.order",
    "witness",
    Fields(table=Items(Items(Natural(0, 2), 3, 3), 3, 3), word=Items(Natural(1, 2), 2, 2)),
    hypotheses={"identity": "0 is the identity"},
    violates={"product": "the state is not the product"},
)
def reversed_product(data: Data) -> Decided:
    """delta(m1, m2) = m2 m1 sends a word to its product; refuted in a monoid with identity 0."""
    table, word = data["table"], [natural(m) for m in data["word"]]
    require(is_monoid(table) and word, "a monoid, and a word")
    state = 0
    for m in word:
        state = table[m][state]
    return {"identity": all(table[0][m] == m == table[m][0] for m in range(len(table))), "product": state != product_of(table, word)}


@statement(
    "lizaire26.sec3.3.weighted-automata",
    "witness",
    Fields(
        slices=Items(Items(Items(Natural(-1, 2), 2, 2), 2, 2), 2, 2),
        start=Items(Natural(-1, 1), 2, 2),
        word=Items(Natural(0, 1), 5, 5),
        states=Matrix(5, 2, 4),
    ),
)
def weighted(data: Data) -> None:
    """The bilinear form T_ijk = (A_k)_ij, contracted with h and a one-hot letter, moves as the product of the slices: each state listed."""
    slices, h = [matrix(a) for a in data["slices"]], vector(data["start"])
    word, states = [natural(x) for x in data["word"]], [vector(s) for s in data["states"]]
    require(len(word) == len(states) >= 3 and len(set(word)) > 1 and any(h), "a word of several letters, from a start that is not 0")
    require(all(any(any(row) for row in a) for a in slices), "slices that are not 0")
    product = h
    for x, state in zip(word, states, strict=True):
        one_hot = [int(k == x) for k in range(len(slices))]
        n = range(len(h))
        contracted = [sum(slices[k][i][j] * product[j] * one_hot[k] for j in n for k in range(len(slices))) for i in n]
        product = apply(slices[x], product)
        require(contracted == product == state, "the contraction is the slice applied to the state")


@statement(
    "new.automata.bistable-band",
    "witness",
    Fields(gates=Items(Items(Natural(0, 1), 2, 3), 2, 3), candidates=Items(Items(Natural(-1, 1), 2, 3), 2, 3)),
)
def band(data: Data) -> None:
    """Words of up to three letters over the letters given act on a layer of keep-or-overwrite units as they do twice, from every start."""
    gates, candidates = [vector(r) for r in data["gates"]], [vector(r) for r in data["candidates"]]
    width = len(gates[0])
    require(len(gates) == len(candidates) >= 2 and all(len(r) == width for r in (*gates, *candidates)), "letters for one layer")
    require(
        all(g in (0, 1) for r in gates for g in r) and all(c != 0 for r in candidates for c in r),
        "gates 0 and 1, candidates that are not 0",
    )

    def after(state: tuple[Any, ...], word: tuple[int, ...]) -> tuple[Any, ...]:
        for x in word:
            state = tuple(c if g else h for g, c, h in zip(gates[x], candidates[x], state, strict=True))
        return state

    for length in (1, 2, 3):
        for word in itertools.product(range(len(gates)), repeat=length):
            for start in itertools.product((-1, 1), repeat=width):
                once = after(start, word)
                require(after(once, word) == once, "twice is once")


# -- nonnegative eigenvalues ----------------------------------------------------------------------------------------------------------


@statement(
    "new.automata.settled", "witness", Fields(letters=Items(Fields(A=Matrix(2, 2, 8), b=Vector(2, 8)), 3, 3), states=Matrix((2, 16), 2, 8))
)
def settled(data: Data) -> None:
    """A layer with symmetric positive semidefinite transitions and a finite set of states that its letters do not leave: each letter acts as it does twice."""
    letters = [(matrix(x["A"]), vector(x["b"])) for x in data["letters"]]
    states = [vector(h) for h in data["states"]]
    require(letters and len(states) > 1, "letters and states")
    require(all(is_positive_semidefinite(a) for a, _ in letters), "transitions are symmetric, their eigenvalues at least 0")
    step = lambda letter, h: [x + y for x, y in zip(apply(letter[0], h), letter[1], strict=True)]  # noqa: E731
    require(all(step(x, h) in states for x in letters for h in states), "the states are closed under the letters")
    require(any(step(x, h) != h for x in letters for h in states), "some letter writes")
    require(all(step(x, step(x, h)) == step(x, h) for x in letters for h in states), "a letter acts as it does twice")


@statement("new.automata.settled.cast", "witness", Fields(a=Rational(4), D=Vector(3, 4), intervals=Matrix(3, 2, 4)))
def settled_cast(data: Data) -> None:
    """Three half-open intervals: [0 .. ), those of 01 and of 11; a h and a h + 1 move between them, and one reading holds on each."""
    a, readings = number(data["a"]), vector(data["D"])
    zero, one, two = ((number(low), number(high)) for low, high in data["intervals"])
    require(0 <= a <= 1, "an eigenvalue in [0, 1]")
    require(zero[0] <= 0 < zero[1], "the start is in the first interval")
    for source, x, target in [(i, 0, zero) for i in (zero, one, two)] + [(zero, 1, one), (one, 1, two), (two, 1, two)]:
        require(target[0] <= a * source[0] + x and a * source[1] + x <= target[1], "the letters move between the intervals")
    require(
        [cast(end, readings) for i in (zero, one, two) for end in i] == [0, 0, 1, 1, number("3/2"), number("3/2")], "one reading on each"
    )
