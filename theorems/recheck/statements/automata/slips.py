"""What the slips of Sec. 4.3 to 6, App. A and App. C.4 (grazzi25) demand of their counterexamples, each of which is the smallest and the only one."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from math import factorial

from ...exact import natural, require
from ...registry import instances, statement
from ...schema import Fields, Items, Natural, Text
from ...typed import Data, Decided
from .demands import compose, generated, inverse, permutation, reachable


@instances("grazzi25.sec4.3.unsolvable", "witness")
def alternating_five() -> Iterable[Data]:
    yield {"generators": [[1, 2, 0, 3, 4], [0, 2, 3, 1, 4], [0, 1, 3, 4, 2]]}


@statement(
    "grazzi25.sec4.3.unsolvable",
    "witness",
    Fields(generators=Items(Items(Natural(0, 4), 5, 5), 3, 3)),
    violates={
        "unsolvable": "its commutators generate the whole group, which is not trivial: it is not solvable",
        "symmetric": "its order is none of 1!, ..., 6!: it is no symmetric group on at most six points, and too small for more",
    },
)
def perfect_and_not_symmetric(data: Data) -> Decided:
    """The group of the generators is its own commutator subgroup, and of an order that is no factorial."""
    group = generated([permutation(g) for g in data["generators"]])
    commutators = {compose(compose(g, h), compose(inverse(g), inverse(h))) for g in group for h in group}
    perfect = len(group) > 1 and generated(sorted(commutators)) == group
    return {"unsolvable": perfect, "symmetric": len(group) < factorial(7) and all(len(group) != factorial(k) for k in range(1, 7))}


@instances("grazzi25.appA1.star-free", "witness")
def one_state() -> Iterable[Data]:
    yield {"letters": ["1"], "table": [[0]]}


@statement(
    "grazzi25.appA1.star-free",
    "witness",
    Fields(letters=Items(Text("1"), 1, 1), table=Items(Items(Natural(0, 0), 1, 1), 1, 1)),
    hypotheses={"star-free": "every state accepts: the language is the complement of the empty one"},
    violates={
        "finite": "an expression of m <= 3 letters without star and complement denotes no word longer than m",
        "infinite": "the words of all lengths are accepted",
    },
)
def longer_than_any_expression(data: Data) -> Decided:
    """The start 0 is the one accepting state, and each letter leads back to it. Languages of expressions are sets of lengths."""
    states = reachable(data["table"], 0)
    languages = [{frozenset(), frozenset({0})}, {frozenset(), frozenset({0}), frozenset({1}), frozenset({0, 1})}]
    for m in (2, 3):
        pairs = [(a, b) for i in range(1, m) for a in languages[i] for b in languages[m - i]]
        joined = {a | b for a, b in pairs} | {frozenset(x + y for x in a for y in b) for a, b in pairs}
        languages.append(joined | {a | {0} for a in joined} | languages[-1])
    bounded = all(x <= m for m, found in enumerate(languages) for a in found for x in a)
    return {"star-free": states == {0}, "finite": bounded, "infinite": data["table"][0][0] == 0}


@instances("grazzi25.appA3.order", "witness")
def not_symmetric() -> Iterable[Data]:
    yield {"delta": [[0, 0], [1, 0]], "q": 0, "w": 1}


@statement(
    "grazzi25.appA3.order",
    "witness",
    Fields(delta=Items(Items(Natural(0, 1), 2, 2), 2, 2), q=Natural(0, 1), w=Natural(0, 1)),
    hypotheses={"table": "states and letters are 0 and 1"},
    violates={"differ": "delta(w, q) is not delta(q, w)"},
)
def transposed_table(data: Data) -> Decided:
    """``delta[state][letter]`` differs from its transpose at the state and the letter."""
    delta, q, w = data["delta"], natural(data["q"]), natural(data["w"])
    return {"table": {natural(x) for row in delta for x in row} <= {0, 1}, "differ": delta[q][w] != delta[w][q]}


@instances("grazzi25.appA4.initial", "witness")
def one_letter_one_entry() -> Iterable[Data]:
    yield {"m": 1, "H0": [[0]]}


@statement(
    "grazzi25.appA4.initial",
    "witness",
    Fields(m=Natural(1, 1), H0=Items(Items(Natural(0, 0), 1, 1), 1, 1)),
    hypotheses={"subset": "the alphabet {0, ..., m - 1} is a subset of the residues"},
    violates={"element": "it is not one of the residues", "rows": "the rows of H_0 are not matrices of its shape"},
)
def no_element(data: Data) -> Decided:
    """A set of numbers is none of these numbers, and a row of numbers is no list of rows."""
    residues = list(range(natural(data["m"])))
    alphabet = frozenset(residues)
    return {
        "subset": alphabet.issubset(residues),
        "element": all(alphabet != r for r in residues),
        "rows": all(not isinstance(x, list) for row in data["H0"] for x in row),
    }


@instances("grazzi25.def1.transition", "witness")
def one_state_each() -> Iterable[Data]:
    yield {"sizes": [1, 1, 1]}


@statement(
    "grazzi25.def1.transition",
    "witness",
    Fields(sizes=Items(Natural(1, 1), 3, 3)),
    hypotheses={"upper": "(q', (q, w)) lies in Q' x (Q x Sigma), where delta' is defined"},
    violates={"outside": "it does not lie in Q x Sigma, where delta is defined"},
)
def outside_its_domain(data: Data) -> Decided:
    """With these numbers of states, upper states and letters, all counted from 0."""
    states, upper, letters = (range(natural(k)) for k in data["sizes"])
    lower = list(itertools.product(states, letters))
    argument = (0, (0, 0))
    return {"upper": argument in list(itertools.product(upper, lower)), "outside": argument not in lower}


@instances("grazzi25.sec6.z3", "witness")
def modulo_two() -> Iterable[Data]:
    yield {"m": 2}


@statement(
    "grazzi25.sec6.z3",
    "witness",
    Fields(m=Natural(2, 2)),
    violates={"sizes": "there are not three sums modulo m, and Z_3 has three elements"},
)
def not_three_sums(data: Data) -> Decided:
    """The number of residues is that of the word problem's states."""
    m = natural(data["m"])
    require(m > 0, "a modulus")
    return {"sizes": len({x % m for x in range(3 * m)}) != 3}
