"""Layers that count by rounding: NumPy's own float16 and float32 run them too, and the tables of small formats agree with exact rounding."""

import numpy as np
import pytest
from flint import fmpq
from lemmata.constructions import rounded_census, rounded_counts
from lemmata.constructions.automata.layers import counter_stacks, diagonal_stacks
from lemmata.numerics.exact import rationals
from lemmata.numerics.floating_point import BINARY16, BINARY32, TIES
from lemmata.theorems.recheck.floating import FORMATS, nearest


@pytest.mark.parametrize(("format", "dtype"), [(BINARY16, np.float16), (BINARY32, np.float32)])
@pytest.mark.parametrize("modulus", rounded_counts.MODULI)
def test_numpy_counts_the_ones_of_a_word(format, dtype, modulus):
    x = [dtype(float.fromhex(part)) for part in rounded_counts.COUNTERS[format][modulus].split()]
    k, beta, v, h = x[:3], x[3], x[4], x[5:]
    states, ones = [tuple(h)], 0
    for letter in np.random.default_rng(modulus).integers(0, 2, 400):
        s = dtype(dtype(k[0] * h[0]) + dtype(k[1] * h[1])) + dtype(k[2] * h[2])
        u = dtype(beta if letter else 0) * dtype(dtype(v if letter else 0) - s)
        h = [a + b * u for a, b in zip(h, k, strict=True)]
        ones += int(letter)
        if len(states) < modulus and ones == len(states):
            states.append(tuple(h))
        assert tuple(h) == states[ones % modulus]
    assert len(set(states)) == modulus


def test_there_are_24_evaluations_and_16_of_them_count():
    assert len(set(map(str, rounded_counts.EVALUATIONS))) == 24
    assert len(rounded_counts.COUNTING) == 16
    assert len(rounded_counts.SETTLING) == 12


@pytest.mark.parametrize("bits", [(1, 3), (2, 2), (3, 1), (2, 1)])
def test_tables_round_as_the_format_does(bits):
    format = rounded_census.small_format(*bits)
    tables, least = rounded_census.Tables(format), fmpq(2) ** format.lowest
    for x in range(-120, 121):
        exact = x * least * least
        if abs(exact) <= format.largest:
            assert int(tables.numbers[tables.rounded(np.array([x]))[0]]) * least == format.round(exact)
    far = np.array([10**6])
    assert tables.numbers[tables.rounded(far)[0]] * least == format.largest


def test_rules_for_ties_agree_with_the_checker():
    for x in (fmpq(1) + fmpq(1, 2048), fmpq(-1) - fmpq(1, 2048), fmpq(1, 2**25), fmpq(-3, 2**25), fmpq(1, 3)):
        for rule in TIES:
            assert str(BINARY16.round(x, rule)) == str(nearest(_fraction(x), *FORMATS["float16"], rule))


def _fraction(x):
    from fractions import Fraction

    return Fraction(int(x.p), int(x.q))


def test_a_layer_that_is_the_identity_has_a_cycle_of_one():
    still = rounded_counts.Counter(rationals([0, 0, 0]), fmpq(1), fmpq(0), rationals([1, 2, 3]))
    assert rounded_counts.cycle(still, rounded_counts.COUNTING[0], BINARY32.round) == ([(1, 2, 3)], 1)


def test_sequences_that_are_not_polycyclic_are_refused():
    with pytest.raises(ValueError, match="normal"):
        counter_stacks.levels([(1, 2, 0), (1, 0, 2)])
    with pytest.raises(ValueError, match="prime"):
        counter_stacks.levels([(1, 2, 3, 0)])
    assert counter_stacks.levels([(1, 0)])[0].modulus == 2


def test_a_diagonal_stack_multiplies_permutations():
    stack, letters = diagonal_stacks.diagonal_stack("S_4")
    word = [letters[i] for i in (5, 17, 2, 23, 11)]
    value = tuple(range(4))
    for x, output in zip(word, stack.run(word), strict=True):
        value = counter_stacks.product(value, x)
        assert output == value
