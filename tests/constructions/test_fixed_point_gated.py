"""One gated layer for automata whose letters have constant powers."""

from random import Random

import pytest
from flint import fmpq
from lemmata.constructions.fixed_point import Token, iterate
from lemmata.constructions.fixed_point.one_gate import (
    alternation,
    cascade,
    constant_power,
    counter,
    fading_rates,
    gated_layer,
    interpolation,
    reading_of,
    transition,
)
from lemmata.numerics import exact


def test_constant_powers_of_small_maps():
    assert constant_power((0,)) == 1
    assert constant_power((2, 2, 2)) == 1
    assert constant_power((1, 2, 2)) == 2
    assert [constant_power(move) for move in ((0, 1), (1, 0), (1, 1))] == [None, None, 1]


def test_interpolation_tells_short_runs_apart():
    rates = fading_rates(3)
    V = interpolation(rates)
    for m in (1, 2, 3):
        told = V @ [x**m for x in rates]
        assert list(told) == [int(k == m) for k in (1, 2, 3)]


def test_the_reading_of_a_short_run_is_exact():
    move = (1, 2, 3, 3)
    rates = fading_rates(2)
    R, f = reading_of(move, rates)
    M, y = transition(move), exact.unit_vector(4, 0)
    once, twice = (f + R @ exact.rationals([x**m * v for x in rates for v in y]) for m in (1, 2))
    assert list(once) == list(M @ y)
    assert list(twice) == list(M @ M @ y)


@pytest.mark.parametrize(
    "moves",
    [counter(4), alternation({"a": (1, 2, 0), "b": (1, 0, 2)}, 3), {"r": (1, 1)}, {"only": (0,)}],
    ids=["counter", "S_3 in two letters", "a reset", "one state"],
)
def test_long_random_words_are_tracked(moves):
    layer, rng = gated_layer(moves), Random(5)
    dense = {c: tuple(exact.as_float(x) for x in token.dense()) for c, token in layer.tokens.items()}
    h, q = exact.as_float(layer.initial), 0
    for _ in range(300):
        c = rng.choice(list(moves))
        # runs of every length up to six
        for _ in range(rng.randint(1, 6)):
            h, q = dense[c][0] @ h + dense[c][1], moves[c][q]
            assert layer.decode(h) == q


def test_the_iteration_in_depth_finds_the_state():
    # dense() is used everywhere else; here the passes over the sequence themselves, slow as the mixers contract weakly
    layer = gated_layer(counter(3))
    word = ["up"]
    tokens = [Token(*(exact.as_float(x) for x in (t.decay, t.gate, t.mixer, t.drive))) for t in (layer.tokens[c] for c in word)]
    h = iterate(tokens, 6_000, exact.as_float(layer.initial))
    assert abs(h[-1] - exact.as_float(layer.run(word))).max() < 1e-6
    assert layer.decode(h[-1]) == 1


def test_the_width_is_as_promised():
    for moves in (counter(3), counter(5), {"r": (1, 1, 1), "s": (1, 2, 2)}):
        powers = [constant_power(m) for m in moves.values()]
        assert len(gated_layer(moves).initial) == len(next(iter(moves.values()))) * (1 + sum(n - 1 for n in powers))


def test_a_letter_that_permutes_is_refused():
    with pytest.raises(ValueError, match="no gated layer tracks it"):
        gated_layer({"hold": (0, 1)})


def test_rates_leave_room_for_the_margin():
    for count in range(8):
        assert sum(fading_rates(count), fmpq(0)) < fmpq(1, 4)


def test_a_cascade_runs_both():
    first = counter(3)
    second = {(c, p): (1, 1) if p == 2 else (0, 0) for c in first for p in range(3)}
    both = cascade(first, second)
    p = q = state = 0
    for c in ("up", "up", "down", "up", "down", "down"):
        p = first[c][p]
        q = second[c, p][q]
        state = both[c][state]
        assert state == p + 3 * q
