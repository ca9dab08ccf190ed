"""What the claims of topic bilinear on activations in depth only demand of their certificates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

from ...exact import apply, determinant, dot, matrix, natural, number, rank, require, transpose, vector
from ...registry import statement
from ...schema import Either, Fields, Items, Matrix, Natural, Rational, Tuple, Vector
from ...typed import Certificates, Data

# -- units for inputs -----------------------------------------------------------------------------------------------------------


def sizes(data: Data) -> tuple[int, int]:
    """(n, L) of layers of one width whose first reads one number."""
    layers = data["layers"]
    n = len(layers[0]["V"])
    for level, layer in enumerate(layers):
        V, U = matrix(layer["V"]), matrix(layer["U"])
        require(len(V) == len(U) == n and all(len(row) == n for row in V), "layers of one width")
        require(all(len(row) == (n if level else 1) for row in U), "U reads one number, or the layer below")
    return n, len(layers)


@statement(
    "new.bilinear.continuous", "witness", Fields(layers=Items(Fields(V=Matrix((1, 3), (1, 3), 4), U=Matrix((1, 3), (1, 3), 4)), 1, 3))
)
def states_tell_as_many_inputs(data: Data) -> None:
    """Layers without activations, each V invertible; after nL inputs the states are an injective function of these."""
    n, depth = sizes(data)
    require(all(determinant(matrix(layer["V"])) != 0 for layer in data["layers"]), "all V are invertible")
    columns = []
    for s in range(n * depth):
        states = [[Fraction(0)] * n for _ in range(depth)]
        for t in range(n * depth):
            y = [Fraction(int(t == s))]
            for k, layer in enumerate(data["layers"]):
                y = states[k] = [a + b for a, b in zip(apply(matrix(layer["V"]), states[k]), apply(matrix(layer["U"]), y), strict=True)]
        columns.append([x for h in states for x in h])
    require(rank(transpose(columns)) == n * depth, "the states tell nL inputs")


# -- the product, discontinuous --------------------------------------------------------------------------------------------------


def exponent(x: Fraction) -> Fraction:
    """k for x = 2^k."""
    p, q = x.numerator, x.denominator
    require(p > 0 and p & (p - 1) == 0 and q & (q - 1) == 0, "a power of 2")
    return Fraction(p.bit_length() - q.bit_length())


def power(u: Fraction) -> Fraction:
    """2^u for an integer u."""
    require(u.denominator == 1, "an integer exponent")
    return Fraction(2) ** u.numerator


def sign_of(m: int) -> Fraction:
    """The product of 1, -1, 0 over the digits 0, 1, 2 of m in base 3."""
    sign = 1
    while m:
        m, digit = divmod(m, 3)
        sign *= (1, -1, 0)[digit]
    return Fraction(sign)


def third(u: Fraction) -> Fraction:
    """2^u for u > 0; |1 + u| down to -2; the sign of m at -2 - m."""
    if u > 0:
        return power(u)
    if u >= -2:
        return abs(1 + u)
    require(u.denominator == 1, "an integer below -2")
    return sign_of(-2 - u.numerator)


ACTIVATIONS = (
    lambda u: Fraction(0) if u == 0 else exponent(abs(u)) + (u < 0),
    lambda u: u if u > 0 else power(u) - 1,
    third,
    lambda u: u * u,
)


@statement(
    "new.bilinear.discontinuous",
    "witness",
    Fields(
        layers=Items(Fields(V=Matrix(2, 2, 4), U=Matrix(2, (1, 2), 4), b=Vector(2, 4)), 4, 4),
        readout=Matrix(1, 2, 4),
        words=Matrix(125, 3, 4),
    ),
)
def multiplies_words(data: Data) -> None:
    """Four layers of width 2 from states 0, with the activations of the claim: after every input the output is the product. The words have zeros and negative numbers."""
    layers = [(matrix(layer["V"]), matrix(layer["U"]), vector(layer["b"])) for layer in data["layers"]]
    (readout,) = matrix(data["readout"])
    require(len(layers) == 4 and all(len(V) == len(U) == len(b) == 2 for V, U, b in layers), "four layers of width 2")
    words = [vector(word) for word in data["words"]]
    require(any(x < 0 for w in words for x in w) and any(w[0] == 0 and len(w) >= 2 for w in words), "negative numbers, and words after a 0")
    for word in words:
        states, expected = [[Fraction(0)] * 2 for _ in layers], Fraction(1)
        for x in word:
            y, expected = [x], expected * x
            for k, ((V, U, b), phi) in enumerate(zip(layers, ACTIVATIONS, strict=True)):
                states[k] = [p + q + r for p, q, r in zip(apply(V, states[k]), apply(U, y), b, strict=True)]
                y = [phi(u) for u in states[k]]
            require(dot(readout, y) == expected, "the output is the product")


# -- the beginning, in bounded states --------------------------------------------------------------------------------------------


@statement("new.bilinear.beginning", "witness", Fields(states=Items(Tuple(Items(Natural(0, 1), 0, 4), Rational(4), Rational(8)), 31, 31)))
def every_letter_is_kept(data: Data) -> None:
    """Clock 3^-t and sum of 3^-s x_s for all words up to a length of 3 at least: bounded by 1/2, and no two words alike."""
    table = {tuple(natural(x) for x in w): (number(clock), number(total)) for w, clock, total in data["states"]}
    longest = max(map(len, table))
    require(longest >= 3 and len(table) == 2 ** (longest + 1) - 1, "all words")
    require(all(x in (0, 1) for w in table for x in w), "letters 0 and 1")
    for w, (clock, total) in table.items():
        m, r = Fraction(0), Fraction(1)
        for x in w:
            r /= 3
            m += max(x + r - 1, Fraction(0))
        require((clock, total) == (r, m) and total <= Fraction(1, 2), "the states of the network, bounded")
    require(len(set(table.values())) == len(table), "no two words have the same states")


# -- automata that forget -----------------------------------------------------------------------------------------------------


def table_of(data: Data) -> list[list[int]]:
    """Next states, of at least two states and letters."""
    delta = [[natural(q) for q in row] for row in data["delta"]]
    require(len(delta) >= 2 and all(len(row) == len(delta[0]) >= 2 and max(row) < len(delta) for row in delta), "an automaton")
    return delta


#: a pair of states q.au, q.bu that v leads back to itself
KEPT_APART = Fields(
    delta=Items(Items(Natural(0, 2), 2, 3), 2, 3),
    q=Natural(0, 2),
    a=Natural(0, 2),
    b=Natural(0, 2),
    u=Items(Natural(0, 2), 0, 9),
    v=Items(Natural(0, 2), 1, 9),
)

#: a layer that says the state
FOLLOWED = Fields(
    delta=Items(Items(Natural(0, 2), 1, 3), 1, 3),
    V=Items(Items(Natural(0, 4), 2, 5), 2, 5),
    U=Items(Items(Natural(0, 1), 1, 1), 2, 5),
    initial=Items(Natural(0, 2), 2, 5),
    values=Items(Natural(0, 2), 1, 8),
)


@statement(
    "new.bilinear.forgetting",
    "witness",
    Fields(states=Natural(1, 3), letters=Natural(1, 3), automata=Items(Either(KEPT_APART, FOLLOWED), 1, 296)),
)
def all_of_one_size(data: Data) -> None:
    """Every strongly connected automaton with these numbers of states and letters, in the order of its table: the one or the other holds."""
    found = [automaton["delta"] for automaton in data["automata"]]
    require(
        found == list(strongly_connected(natural(data["states"]), natural(data["letters"]))), "all strongly connected automata, in order"
    )
    for automaton in data["automata"]:
        follows_or_is_kept_apart(automaton)


def strongly_connected(states: int, letters: int) -> Iterator[list[list[int]]]:
    """All tables of next states from which every state leads to every other, in lexical order."""
    for entries in product(range(states), repeat=states * letters):
        delta = [list(entries[q * letters : (q + 1) * letters]) for q in range(states)]
        if all(reached(delta, q) == set(range(states)) for q in range(states)):
            yield delta


def reached(delta: Sequence[Sequence[int]], start: int) -> set[int]:
    """The states that words lead to."""
    seen, border = {start}, [start]
    while border:
        new = set(delta[border.pop()]) - seen
        seen |= new
        border += new
    return seen


def follows_or_is_kept_apart(data: Data) -> None:
    """Either a pair of states q.au, q.bu, not one state, that v leads back to itself; or a layer of finitely many states that says the automaton's state after every word, from state 0."""
    delta = data["delta"]
    if "v" in data:
        pair = [natural(data["q"])] * 2
        a, b, u, v = natural(data["a"]), natural(data["b"]), [natural(c) for c in data["u"]], [natural(c) for c in data["v"]]
        require(pair[0] < len(delta) and max(a, b, *u, *v) < len(delta[0]), "states and letters of the automaton")
        pair = [delta[pair[0]][a], delta[pair[1]][b]]
        for c in u:
            pair = [delta[q][c] for q in pair]
        start = pair
        for c in v:
            pair = [delta[q][c] for q in pair]
        require(v and start[0] != start[1] and pair == start, "a pair of states comes back")
        return
    V, U, values = matrix(data["V"]), matrix(data["U"]), [natural(q) for q in data["values"]]
    require(len(V) == len(U) == len(data["initial"]) and all(len(row) == len(V) for row in V), "a layer that reads one number")
    border = [(tuple(vector(data["initial"])), 0)]
    seen = set(border)
    while border:
        h, q = border.pop()
        for letter, after in enumerate(delta[q]):
            g = tuple(x + row[0] * letter for x, row in zip(apply(V, h), U, strict=True))
            code = g[-1]
            require(code.denominator == 1 and 0 <= code < len(values) and values[int(code)] == after, "the layer says the state")
            if (g, after) not in seen:
                require(len(seen) < 1000, "finitely many states")
                seen.add((g, after))
                border.append((g, after))


@statement(
    "new.bilinear.late",
    "witness",
    Fields(
        delta=Items(Items(Natural(0, 2), 2, 2), 2, 3),
        layers=Items(
            Fields(
                V=Items(Items(Natural(0, 4), 3, 10), 3, 10),
                U=Items(Items(Natural(0, 48), 1, 10), 3, 10),
                b=Items(Natural(-2, 0), 3, 10),
                initial=Items(Natural(0, 1), 3, 10),
            ),
            2,
            2,
        ),
        values=Items(Natural(0, 2), 20, 56),
    ),
)
def two_layers_follow(data: Data) -> None:
    """Two layers, ReLU between them, of finitely many states; after every word the last unit of the second is the number of a value that is the automaton's state, from state 0."""
    delta, values = table_of(data), [natural(q) for q in data["values"]]
    layers = [(matrix(layer["V"]), matrix(layer["U"]), vector(layer["b"])) for layer in data["layers"]]
    require(len(layers) == 2, "two layers")
    border = [(tuple(tuple(vector(layer["initial"])) for layer in data["layers"]), 0)]
    require(all(len(V) == len(U) == len(b) == len(h) for (V, U, b), h in zip(layers, border[0][0], strict=True)), "states of one size")
    seen = set(border)
    while border:
        states, q = border.pop()
        for letter, after in enumerate(delta[q]):
            y, found = [Fraction(letter)], []
            for (V, U, b), h in zip(layers, states, strict=True):
                found.append(tuple(p + r + c for p, r, c in zip(apply(V, h), apply(U, y), b, strict=True)))
                y = [max(p, Fraction(0)) for p in found[-1]]
            code = found[-1][-1]
            require(code.denominator == 1 and 0 <= code < len(values) and values[int(code)] == after, "the layers say the state")
            node = (tuple(found), after)
            if node not in seen:
                require(len(seen) < 1000, "finitely many states")
                seen.add(node)
                border.append(node)


@statement("new.bilinear.late")
def the_first_letter_is_kept(certificates: Certificates) -> None:
    """One of the automata keeps the first letter for ever: different next states of 0 that no letter leaves."""
    tables = [table_of(data) for _, data in certificates]
    require(any(d[0][0] != d[0][1] and all(set(d[q]) == {q} for q in d[0]) for d in tables), "an automaton that keeps the first letter")
