"""Keys of layers as people use them: fewest factors, exact micro-steps, and every stored number of the chunked form, without flash-linear-attention."""

from heapq import heappop, heappush
from itertools import combinations

import numpy as np
import pytest
from flint import fmpq
from lemmata.constructions.automata import Automaton, compile_automaton, compile_group, compile_regex
from lemmata.constructions.automata.read.sources import named_group
from lemmata.constructions.automata.run.fla_plan import STRENGTH, plan_of
from lemmata.constructions.automata.run.root_keys import chunk_needs, exact_keys, root_keys, signed_permutation
from lemmata.kernels.layer_cases import emulated
from lemmata.numerics import exact

RESETS = Automaton({"p": (1, 2, 0, 3), "q": (1, 0, 2, 3), "s": (1, 2, 3, 0), "r": (2, 2, 2, 2), "t": (0, 0, 0, 0)})
HELD = Automaton({"h": (0, 1, 2), "q": (1, 1, 1), "s": (0, 0, 0), "t": (2, 2, 2)}, start=1)
NETWORKS = {
    "parity": lambda: compile_group([(1, 0)]),
    "one element": lambda: compile_group([(0,)]),
    "S3": lambda: compile_group(named_group("S3")),
    "S5": lambda: compile_group(named_group("S5")),
    "Q8": lambda: compile_group(named_group("Q8")),
    "C60": lambda: compile_group(named_group("C60")),
    "permutations and resets": lambda: compile_automaton(RESETS),
    "registers": lambda: compile_automaton(HELD),
}


def reflected(n, move):
    """The signed permutation of a reflection: two coordinates exchanged with signs, or one negated."""
    image = {i + 1: i + 1 for i in range(n)} | {move[0] + 1: -move[-1] - 1, move[-1] + 1: -move[0] - 1}
    return lambda g: tuple((1 if x > 0 else -1) * image[abs(x)] for x in g)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_words_of_reflections_are_as_short_as_can_be(n):
    from lemmata.constructions.automata.run.root_keys import _cost, _word

    moves = [*combinations(range(n), 2), *((i,) for i in range(n))]
    one = tuple(range(1, n + 1))
    best, waiting = {one: 0}, [(0, one)]
    while waiting:
        cost, g = heappop(waiting)
        for move in moves if cost == best[g] else ():
            after, more = reflected(n, move)(g), cost + 3 - len(move)
            if more < best.get(after, 99):
                best[after] = more
                heappush(waiting, (more, after))
    assert len(best) == 2**n * np.prod(range(1, n + 1))
    assert all(_cost(g) == cost for g, cost in best.items())
    for g, cost in best.items():
        word, made = _word(g), one
        assert sum(3 - len(move) for move in word) == cost
        for move in word:
            made = reflected(n, move)(made)
        assert made == g


def test_signs_make_few_factors():
    assert root_keys([(2, 1, 3, 4, 5), (2, 3, 4, 5, 1)]).factors == 4
    assert root_keys([(2, 1)]).signs == (1, -1)
    # nothing moves: a row for each coordinate is enough
    assert (root_keys([(-1, 2), (1, -2)]).copies, root_keys([(1,)]).factors) == (1, 0)
    # more coordinates than all signs are tried for
    assert root_keys([(*range(2, 13), 1)]).factors == 11


def test_what_is_no_signed_permutation():
    assert signed_permutation(exact.rationals([[0, -1], [1, 0]])) == (2, -1)
    for rows in ([[1, 1], [0, 0]], [[1, 0], [0, 2]], [[1, 0], [0, 0]]):
        assert signed_permutation(exact.rationals(rows)) is None


@pytest.mark.parametrize("name", NETWORKS)
def test_micro_steps_do_what_the_letters_do(name):
    plan = plan_of(NETWORKS[name]())
    assert plan.exact
    copies = plan.keys.copies

    def applied(S, steps):
        for key, column in steps:
            value = exact.zeros(1, plan.columns)
            if column is not None:
                value[0, column] = fmpq(1, 2)
            S = S + STRENGTH * key[:, None] * (value - key[None] @ S)
        return S

    def state(i):
        return exact.rationals(np.tile(plan.matrices[i], (copies, 1)).tolist())

    empty = exact.zeros(plan.keys.rows, plan.columns)
    assert (applied(empty, plan.start) == state(0)).all()
    for i in range(min(12, len(plan.vectors))):
        for y, steps in enumerate(plan.tokens):
            assert (applied(empty if y in plan.resets else state(i), steps) == state(plan.move[i, y])).all()


@pytest.mark.parametrize("name", ["S5", "Q8", "permutations and resets"])
def test_the_chunked_form_needs_no_more_bits_than_the_claim_says(name):
    found = emulated(plan_of(NETWORKS[name]()), 100)
    stored, summed = chunk_needs()
    assert max(found.stored.values()) <= stored <= 8
    assert max(found.summed.values()) <= summed <= 24
    assert "bfloat16" in found.formats


def test_usual_keys_do_not_meet_the_criterion():
    half, one = fmpq(1, 2), fmpq(1)
    key = exact.rationals([half, half, half, half])
    assert exact_keys([key], [STRENGTH])
    assert exact_keys([], [])
    # no unit vector; entries 1/2 that meet in three places; a strength that halves
    assert not exact_keys([exact.rationals([one, -one])], [one])
    shifted = [exact.rationals([half, half, half, half, 0]), exact.rationals([0, half, half, half, half])]
    assert not exact_keys(shifted, [STRENGTH, STRENGTH])
    assert not exact_keys([key], [half])
    # a reset of strength 1 against an entry 1/2
    assert not exact_keys([exact.unit_vector(4, 0) * one, key], [one, STRENGTH])


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: compile_regex("a*b*"), "expected a network of one layer, got "),
        (lambda: compile_automaton(Automaton({"a": (1, 2, 3, 4, 0)}), "rotation"), "expected a layer with rational entries"),
        (
            lambda: compile_regex("(a|b)*ab(a|b)", construction="register"),
            "expected letters that permute the coordinates up to signs, or forget",
        ),
    ],
)
def test_networks_that_do_not_fit_are_refused(make, said):
    with pytest.raises(ValueError, match="expected") as error:
        plan_of(make())
    assert str(error.value).startswith(said), error.value
