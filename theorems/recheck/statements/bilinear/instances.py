"""Of which instances the certificates of topic bilinear speak: automata and words gone through, networks drawn again from their seeds, and the examples that the claims print."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

from ... import families
from ...exact import apply, one, rank, require, vector
from ...registry import instances, statement
from ...typed import Certificates, Data

# -- degrees -----------------------------------------------------------------------------------------------------------------


@instances("new.bilinear.degrees", "witness")
def products_of_positive_tensors() -> Iterable[Data]:
    rng = Random(101)
    for n, depth, T in ((1, 2, 3), (2, 2, 2), (1, 3, 3), (2, 2, 3)):
        yield {"layers": families.bilinear_network(rng, n, depth), "T": T}


def corner(n: int, m: int) -> list[list[list[int]]]:
    """The tensor with 1 in its first entry and 0 elsewhere."""
    return [[[int(i == j == k == 0) for k in range(n)] for j in range(m)] for i in range(n)]


@instances("lizaire26.abstract.degree", "witness")
def products_of_one_entry() -> Iterable[Data]:
    for n, depth in ((1, 1), (1, 4), (2, 3), (3, 2)):
        layer = families.only_products(corner(n, n), one(n)[0])
        yield {"layers": [layer] * depth}


#: h_t = x_t h_(t-1) in two components
COPYING = families.only_products([[[1, 0]], [[0, 1]]], [1, 1])


@instances("lizaire26.thm3", "witness")
def one_layer_of_products() -> Iterable[Data]:
    yield {"layers": [COPYING], "deeper": 2}


@instances("lizaire26.cor1", "witness")
def one_layer_of_rank_two() -> Iterable[Data]:
    yield {"factors": [one(2), [[1, 1]], one(2)], "initial": [1, 1], "deeper": 2}


@instances("lizaire26.thmA.7.1", "witness")
def second_order_networks() -> Iterable[Data]:
    rng = Random(102)
    for k in range(6):
        n, depth = rng.randint(1, 2), 1 + k % 3
        yield {"layers": [families.second_order_layer(rng, n, n if level else 1) for level in range(depth)]}


@instances("lizaire26.thm3.residual", "witness")
def residual_networks() -> Iterable[Data]:
    rng = Random(103)
    for _ in range(4):
        n, depth = rng.randint(1, 2), rng.randint(1, 3)
        first, *rest = families.bilinear_network(rng, n, depth + 1)
        yield {"layers": [first, *map(families.handing_on, rest)]}


@instances("lizaire26.cor1.amended", "witness")
def networks_of_a_rank() -> Iterable[Data]:
    """Each network twice: with products alone, and with residual connections."""
    rng = Random(106)
    for _ in range(3):
        n, depth, R = rng.randint(1, 2), rng.randint(1, 3), rng.randint(1, 3)
        first, *rest = families.cp_network(rng, n, depth + 1, R)
        yield {"layers": [first, *rest], "rank": R}
        yield {"layers": [first, *map(families.handing_on, rest)], "rank": R}
        for _ in range(3):
            families.integers(rng, n, R)  # the factors to which the check adds a column of zeros


@instances("lizaire26.appA6", "witness")
def small_second_order_networks() -> Iterable[Data]:
    rng = Random(104)
    for n, depth, T in ((1, 2, 2), (2, 1, 3), (1, 2, 3), (2, 2, 2)):
        yield {"layers": [families.second_order_layer(rng, n, n if level else 1) for level in range(depth)], "T": T}


@instances("lizaire26.sec3.2.degree", "witness")
def one_unit_a_layer() -> Iterable[Data]:
    yield {"networks": [families.bilinear_network(Random(depth), 1, depth) for depth in range(1, 7)], "T": 2}


@instances("lizaire26.lemma1", "witness")
def networks_to_unroll() -> Iterable[Data]:
    rng = Random(105)
    for n, depth in ((1, 2), (2, 2), (2, 3)):
        layers = [families.second_order_layer(rng, n, n) for _ in range(depth)]
        yield {"layers": layers, "inputs": [families.nonzero_vector(rng, n) for _ in range(2)]}


@instances("lizaire26.lemma1.display", "witness")
def two_layers_that_do_not_commute() -> Iterable[Data]:
    nothing = families.only_products([[[0, 0]] * 2] * 2, [0, 0])
    yield {"layers": [{**nothing, "U": [[0, 1], [0, 0]]}, {**nothing, "U": [[0, 0], [1, 0]]}], "inputs": [[1, 2]]}


# -- ranks -------------------------------------------------------------------------------------------------------------------


@instances("lizaire26.thm4", "witness")
def diagonal_products() -> Iterable[Data]:
    """All n <= 3, L <= 3 and ranks R + 1 from 2 to n: the last layer multiplies by diag(1, ..., R + 1), those below hand 1 on."""
    for n, depth, R in product((1, 2, 3), (1, 2, 3), (2, 3)):
        if n < R:
            continue
        below = [families.only_products(corner(n, n if level else 1), one(n)[0]) for level in range(depth - 1)]
        columns = [row[:R] for row in one(n)]
        reads = [list(range(1, R + 1))] + [[0] * R] * (n - 1 if depth > 1 else 0)
        last = families.only_products(families.tensor_of_factors(columns, reads, columns), [int(i < R) for i in range(n)])
        yield {"layers": [*below, last], "rank": R}


@instances("lizaire26.thm4.proof", "witness")
def factors_of_full_rank() -> Iterable[Data]:
    yield {"layers": [{"A": one(2), "B": [[1, 1]], "C": one(2), "initial": [1, 1]}]}
    two = [row[:2] for row in one(3)]
    layer = {"A": two, "B": one(2), "C": two, "initial": [1, 1, 0]}
    yield {"layers": [layer, {**layer, "B": [[0, 1], [0, 0], [1, 0]]}]}


# -- activations in depth only -------------------------------------------------------------------------------------------------


@instances("lizaire26.thm5.remark", "witness")
def zigzag() -> Iterable[Data]:
    yield {
        "period": 4,
        "perturbation": [[0, Fraction(1, 4)], [1, 0], [2, Fraction(-1, 4)], [3, 0]],
        "scales": [2, 2],
        "initial": [0, 1],
        "readout": [4, -4],
        "offset": 4,
        "sine": {"amplitude": Fraction(1, 10), "scales": [2, 4], "initial": [1, 0], "readout": [10, -5], "offset": -10},
        "cosine": 2,
    }


@instances("lizaire26.thm5.proof", "witness")
def two_words() -> Iterable[Data]:
    yield {"words": [[2, 3], [3, 2]], "keep": 1, "read": 1}


def words(letters: int, longest: int, shortest: int = 1) -> list[tuple[int, ...]]:
    """All words of these lengths, short ones first."""
    return [w for length in range(shortest, longest + 1) for w in product(range(letters), repeat=length)]


def balanced(word: tuple[int, ...]) -> int:
    """1 if the word of brackets, 0 opening and 1 closing, is balanced."""
    depths = [sum(1 - 2 * x for x in word[:t]) for t in range(len(word) + 1)]
    return int(min(depths) >= 0 == depths[-1])


@instances("new.bilinear.finite-alphabet", "witness")
def functions_of_short_words() -> Iterable[Data]:
    """With phi(2s) = 2s + f/4 at the number s of a word, whose digits in base 3 are its letters plus 1, and phi(m) = m at the other m."""
    for f in (balanced, lambda w: int(w == w[::-1]), lambda w: 1 if len(w) in (2, 3) else -1):
        phi = [Fraction(m) for m in range(2 * 3**4)]
        for w in words(2, 4):
            phi[2 * sum((x + 1) * 3**i for i, x in enumerate(w[::-1]))] += Fraction(f(w), 4)
        yield {"k": 2, "table": [[w, f(w)] for w in words(2, 4)], "activation": phi}


def layers_of_full_rank() -> Iterator[tuple[list[dict[str, Any]], list[Fraction]]]:
    """(layers, input): of 25 layers, m <= 4, those among the first eight whose states keep m numbers."""
    rng = Random(108)
    for _ in range(8):
        m = rng.randint(1, 4)
        V, U, b = families.integers(rng, m, m), families.integers(rng, m, 1), families.integer_vector(rng, m)
        columns, reached = [], [row[0] for row in U]
        for _ in range(m + 1):
            columns.append(reached)
            reached = apply(V, reached)
        x = [Fraction(rng.choice((-3, -2, -1, 1, 2, 3))) for _ in range(m + 1)]
        if rank(columns) == m:
            yield [{"V": V, "U": U, "b": b, "initial": [0] * m, "knots": [], "slopes": [1]}], x


def piecewise_linear_networks() -> Iterator[tuple[list[dict[str, Any]], list[Fraction]]]:
    """(layers, input): networks with n, L <= 3, the first, third and fifth with homeomorphisms."""
    rng = Random(109)
    for k in range(5):
        n, depth = rng.randint(1, 3), rng.randint(1, 3)
        layers = families.piecewise_network(rng, n, depth, increasing=k % 2 == 0)
        yield layers, [Fraction(rng.choice((-1, 1)) * rng.randint(1, 50), 53) for _ in range(n * depth + 1)]


def require_inputs(certificates: Certificates, draws: Iterable[Any]) -> None:
    """The first of the two inputs is the one drawn; the second is the witness."""
    found = [vector(data["inputs"][0]) for _, data in certificates]
    require(found == [x for _, x in draws], "another first input than the one drawn")


@instances("lizaire26.lemma4", "collision")
def networks_of_one_layer() -> Iterable[Data]:
    return ({"layers": layers} for layers, _ in layers_of_full_rank())


@statement("lizaire26.lemma4")
def inputs_of_one_layer(certificates: Certificates) -> None:
    """Drawn with the layers."""
    require_inputs(certificates, layers_of_full_rank())


@instances("lizaire26.thm5.remark.amended", "collision")
def networks_of_several_layers() -> Iterable[Data]:
    return ({"layers": layers} for layers, _ in piecewise_linear_networks())


@statement("lizaire26.thm5.remark.amended")
def inputs_of_several_layers(certificates: Certificates) -> None:
    """Drawn with the networks."""
    require_inputs(certificates, piecewise_linear_networks())


@instances("new.bilinear.continuous", "witness")
def layers_that_remember() -> Iterable[Data]:
    """All n, L <= 3: diagonal V with the entries 1, 1/2, 1/3, ..., and every unit reads the first unit below."""
    for n, depth in product((1, 2, 3), repeat=2):
        layers = []
        for level in range(depth):
            V = [[Fraction(int(i == j), 1 + level * n + i) for j in range(n)] for i in range(n)]
            layers.append({"V": V, "U": [[1] + [0] * (n - 1 if level else 0)] * n})
        yield {"layers": layers}


@instances("new.bilinear.discontinuous", "witness")
def words_of_three_letters() -> Iterable[Data]:
    yield {"words": list(product((1, -2, 0, Fraction(1, 4), Fraction(-1, 2)), repeat=3))}


@instances("new.bilinear.beginning", "witness")
def states_after_short_words() -> Iterable[Data]:
    found = words(2, 4, shortest=0)
    yield {"states": [[w, Fraction(1, 3 ** len(w)), sum((Fraction(x, 3 ** (s + 1)) for s, x in enumerate(w)), Fraction(0))] for w in found]}


@instances("new.bilinear.late", "witness")
def automata_that_forget_late() -> Iterable[Data]:
    for delta in ([[0, 1], [0, 1]], [[1, 1], [1, 1]], [[1, 2], [1, 1], [2, 2]]):
        yield {"delta": delta}


@instances("new.bilinear.forgetting", "witness")
def sizes_of_automata() -> Iterable[Data]:
    for states, letters in ((1, 2), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2)):
        yield {"states": states, "letters": letters}


# -- misprints: the examples that the claims print ---------------------------------------------------------------------------


@instances("lizaire26.def4.shape", "witness")
def one_row() -> Iterable[Data]:
    yield {"n": 2, "d": 1, "matrix": [[1, 1]]}


def one_unit(A: int, U: int, b: int, initial: int) -> Data:
    """A layer of one unit with one input."""
    return {"A": [[[A]]], "V": [[0]], "U": [[U]], "b": [b], "initial": [initial]}


@instances("lizaire26.thm3.list", "witness")
def the_listed_layer() -> Iterable[Data]:
    yield {"layers": [one_unit(1, 0, 0, 1)]}


@instances("lizaire26.thmA.7.1.display", "witness")
def three_units() -> Iterable[Data]:
    yield {"layers": [one_unit(0, 0, 1, 0), one_unit(0, 2, 0, 0), one_unit(0, 1, 0, 0)]}


@instances("lizaire26.thm4.columns", "witness")
def rank_two() -> Iterable[Data]:
    unit = [[1, 0], [0, 1], [0, 0]]
    yield {"factors": [unit, [[1, 1]], unit], "initial": [1, 1, 1], "x": [1]}


@instances("lizaire26.thm5.display", "witness")
def one_entry() -> Iterable[Data]:
    yield {"tensor": [[[0, 1]], [[0, 0]]], "initial": [1, 0], "x": [1]}
