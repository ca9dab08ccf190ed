"""What the claims of topic fixed_point on gated layers for automata demand of their certificates."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ...exact import apply, freeze, matrix, minus, natural, number, one, rank, require, square, times, vector
from ...registry import statement
from ...schema import Fields, Items, Matrix, Natural, Rational, Vector
from ...typed import Certificates, Data
from .demands import is_strict, square_of_size
from .states import gated_transition


def unit(n: int, i: int) -> list[Fraction]:
    return [Fraction(i == j) for j in range(n)]


def moves_of(data: Data) -> tuple[list[list[int]], int]:
    """Maps of the states 0, 1, ..., each with a constant power."""
    moves = [[natural(q) for q in move] for move in data["moves"]]
    states = len(moves[0])
    for move in moves:
        require(len(move) == states and all(q < states for q in move), "maps of one set of states")
        image = set(range(states))
        for _ in range(states):
            image = {move[q] for q in image}
        require(len(image) == 1, "every letter has a constant power")
    return moves, states


@statement(
    "new.fixed-point.gated.automata",
    "witness",
    Fields(
        moves=Items(Items(Natural(0, 3), 3, 4), 2, 3),
        tokens=Items(Fields(decay=Vector((9, 24), 4), Q=Matrix((9, 24), (9, 24), 12), b=Vector((9, 24), 4)), 2, 3),
        initial=Vector((9, 24), 4),
    ),
)
def tracks(data: Data) -> None:
    """Gated tokens, 0 <= Lambda < 1 and ||I - Q|| < 1, whose first |Q| channels are largest at the automaton's state, after every word of up to five letters."""
    moves, states = moves_of(data)
    initial = vector(data["initial"])
    maps = []
    for token in data["tokens"]:
        decay, b = vector(token["decay"]), vector(token["b"])
        q = square_of_size(token["Q"], len(initial))
        require(len(decay) == len(b) == len(initial) and is_strict(minus(one(len(q)), q)), "||I - Q|| < 1")
        a = gated_transition(decay, q)
        source = [(1 - x) * y for x, y in zip(decay, apply(q, b), strict=True)]
        n = [[x * (i == j) + (1 - x) * q[i][j] for j in range(len(q))] for i, x in enumerate(decay)]
        maps.append((a, solve(n, source)))
    require(len(maps) == len(moves) >= 2 and states >= 3, "a token for each letter")
    require(any(len(set(move)) > 1 for move in moves), "a letter that is no reset")
    level = [(initial, 0)]
    for _ in range(5):
        level = [
            ([x + y for x, y in zip(apply(a, h), c, strict=True)], move[q])
            for h, q in level
            for (a, c), move in zip(maps, moves, strict=True)
        ]
        for h, q in level:
            require(all(h[q] > Fraction(1, 2) > h[p] for p in range(states) if p != q), "the state is read")


def solve(n: Sequence[Sequence[Fraction]], v: Sequence[Fraction]) -> list[Fraction]:
    """x with n x = v, by Gauss and Jordan."""
    rows = [[*row, y] for row, y in zip(n, v, strict=True)]
    for j in range(len(rows)):
        pivot = next((i for i in range(j, len(rows)) if rows[i][j] != 0), None)
        require(pivot is not None, "one fixed point")
        assert pivot is not None  # said once more, for the type checker
        rows[j], rows[pivot] = rows[pivot], rows[j]
        rows[j] = [x / rows[j][j] for x in rows[j]]
        for i in range(len(rows)):
            if i != j and rows[i][j] != 0:
                rows[i] = [x - rows[i][j] * y for x, y in zip(rows[i], rows[j], strict=True)]
    return [row[-1] for row in rows]


@statement(
    "new.fixed-point.gated.groups",
    "witness",
    Fields(
        permutations=Items(Items(Natural(0, 4), 5, 5), 2, 2),
        letters=Items(Fields(decay=Rational(4), reading=Matrix(11, 11, 4), target=Vector(11, 4), scale=Rational(8)), 3, 3),
    ),
)
def multiplies(data: Data) -> None:
    """A transposition and a 5-cycle, each followed by the way back: from every point the beliefs are the unit vectors of the points that the words lead to.

    A letter with decay e, reading R, target f and mixer scale q has Lambda = (e, 0) and I - Q = ((0, 0), (q R, 1 - q)), R once for each of the three other
    blocks: of norm below 1 as 3 q^2 |R|_F^2 + (1 - q)^2 < 1. Its fixed point is z' = e z on its own block, and f + R z' on the others.
    """
    permutations = [[natural(x) for x in p] for p in data["permutations"]]
    require([sum(i != x for i, x in enumerate(p)) for p in permutations] == [2, 5], "a transposition and a 5-cycle")
    require(all(sorted(p) == list(range(5)) for p in permutations) and order(permutations[1]) == 5, "on five points")
    letters = []
    for letter in data["letters"]:
        e, q, reading, f = number(letter["decay"]), number(letter["scale"]), matrix(letter["reading"]), vector(letter["target"])
        size = sum((x * x for row in reading for x in row), Fraction(0))
        require(0 <= e < 1 and q > 0 and 3 * q * q * size + (1 - q) ** 2 < 1, "0 <= Lambda < 1 and ||I - Q|| < 1")
        require(len(reading) == len(f) == 11 and all(len(row) == 11 for row in reading), "11 states")
        letters.append((e, reading, f))
    require(len(letters) == 3, "two permutations and the way back")

    def step(blocks: Sequence[Sequence[Fraction]], c: int) -> list[list[Fraction]]:
        e, reading, f = letters[c]
        own = [e * x for x in blocks[1 + c]]
        belief = [x + y for x, y in zip(f, apply(reading, own), strict=True)]
        return [own if i == 1 + c else belief for i in range(4)]

    for start in range(5):
        todo, seen = [([unit(11, start)] * 4, start)], {}
        while todo:
            blocks, point = todo.pop()
            if seen.setdefault(freeze(blocks), point) != point or len(seen) > 100:
                require(False, "few states, each at one point")
            for g, p in enumerate(permutations):
                after = step(step(blocks, g), 2)
                require(after[0] == unit(11, p[point]), "the belief is the image of the point")
                if freeze(after) not in seen:
                    todo.append((after, p[point]))


def order(p: Sequence[int]) -> int:
    """The length of the cycle of 0."""
    n, i = 1, p[0]
    while i != 0:
        n, i = n + 1, p[i]
    return n


@statement("new.fixed-point.gated.automata")
def more_than_resets(certificates: Certificates) -> None:
    longest = []
    for _, data in certificates:
        moves, states = moves_of(data)
        for move in moves:
            image, n = set(range(states)), 0
            while len(image) > 1:
                image, n = {move[q] for q in image}, n + 1
            longest.append(n)
    require(len(longest) >= 5 and max(longest) >= 3, "five letters, with n_c up to 3")


@statement(
    "new.fixed-point.gated.one-gate",
    "witness",
    Fields(moves=Items(Items(Natural(0, 2), 3, 3), 2, 2), order=Natural(2, 2), decay=Rational(4)),
)
def last_letters(data: Data) -> None:
    """Every word of ``order`` letters is constant; h' = lambda h + (1 - lambda) e_c keeps words of up to 6 letters that lead to different states apart by the margin."""
    decay, order, states = number(data["decay"]), natural(data["order"]), len(data["moves"][0])
    moves = [[natural(q) for q in move] for move in data["moves"]]
    require(len(moves) == 2 and all(len(move) == states > max(move) for move in moves), "two maps of the states")
    require(0 < decay < Fraction(1, 2) and 1 <= order <= 6, "a decay below 1/2")
    images = [set(range(states))]
    for _ in range(order):
        images = [{move[q] for q in image} for image in images for move in moves]
    require(all(len(image) == 1 for image in images), "the last letters decide")
    level, seen = [([Fraction(0), Fraction(0)], 0)], []
    for _ in range(7):
        seen += level
        level = [([decay * x + (1 - decay) * (i == c) for i, x in enumerate(h)], moves[c][q]) for h, q in level for c in range(2)]
    margin = decay ** (order - 1) * (1 - 2 * decay)
    for h, q in seen:
        for g, p in seen:
            require(q == p or max(abs(x - y) for x, y in zip(h, g, strict=True)) >= margin, "the margin")
    require({q for _, q in seen} == set(range(states)), "every state is reached")


@statement(
    "new.fixed-point.gated.sets",
    "witness",
    Fields(
        matrices=Items(Matrix(2, 2, 8), 2, 2),
        S=Matrix((3, 4), 2, 8),
        tokens=Items(Fields(decay=Vector((3, 4), 12), Q=Matrix((3, 4), (3, 4), 24)), 2, 2),
    ),
)
def common(data: Data) -> None:
    """Gated tokens whose transitions A have A S = S B, with one injective S, for two matrices B."""
    s, matrices = matrix(data["S"]), [matrix(b) for b in data["matrices"]]
    require(len(matrices) == len(data["tokens"]) == 2 and matrices[0] != matrices[1], "two matrices, and a token for each")
    require(all(len(b) == len(square(b)) == len(s[0]) for b in matrices) and rank(s) == len(s[0]), "an injective S")
    for b, token in zip(matrices, data["tokens"], strict=True):
        decay, q = vector(token["decay"]), square_of_size(token["Q"], len(s))
        require(len(decay) == len(s) and is_strict(minus(one(len(q)), q)), "||I - Q|| < 1")
        require(times(gated_transition(decay, q), s) == times(s, b), "A S = S B")


def comes_to_rest(move: Sequence[int]) -> bool:
    image = set(move)
    for _ in move:
        image = {move[q] for q in image}
    return len(image) == 1


@statement(
    "new.fixed-point.gated.depth",
    "witness",
    Fields(first=Items(Items(Natural(0, 2), 3, 3), 2, 2), second=Items(Items(Natural(0, 2), 3, 3), 6, 6)),
)
def in_series(data: Data) -> None:
    """Two automata on two letters, every letter with a constant power, the second on the pairs (letter, new state of the first): so has every letter of both."""
    first, second = ([[natural(q) for q in move] for move in data[key]] for key in ("first", "second"))
    states = len(first[0])
    require(
        len(first) == 2 and len(second) == 2 * states and all(len(move) == states > max(move) for move in first + second), "two automata"
    )
    require(all(comes_to_rest(move) for move in first + second), "every letter has a constant power")
    for c, move in enumerate(first):
        pairs = [(p, q) for p in range(states) for q in range(states)]
        both = [pairs.index((move[p], second[states * c + move[p]][q])) for p, q in pairs]
        require(comes_to_rest(both), "so has the letter of both")
