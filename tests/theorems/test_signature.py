"""What the proof of Proposition G.2 computes: its bounds against direct sums and exact moments."""

import numpy as np
import pytest
import sympy
from flint import arb, fmpq
from lemmata.constructions.signature import overlap_moment, squared_error, word_pairs, words
from lemmata.numerics import exact
from lemmata.numerics.low_rank import sample, states
from lemmata.theorems.signature.entries import SKEW, leading_patterns, moment_by_patterns, pattern_sum, second_moment_by_law
from lemmata.theorems.signature.expressivity import failure_bound, long_words, norm_squared, short_words, sufficient_size
from lemmata.theorems.signature.moments import double_factorial, limit_at_rank, pairings_of


@pytest.mark.parametrize(("length", "L"), [(0, 1), (1, fmpq(1, 2)), (2, 3)])
def test_long_words_bound_the_terms_beyond(length, L):
    after = int(100 * L) + 1
    terms = [(n * (50 * arb(L)).log() - arb(n + 1).lgamma()).exp() * arb(50) ** (length + 1) for n in range(after + 1, after + 300)]
    assert sum(terms, arb(0)) <= long_words(length, fmpq(L), after)
    assert long_words(length, fmpq(L), after + 10) < long_words(length, fmpq(L), after)
    with pytest.raises(ValueError, match="do not shrink by half"):
        long_words(length, fmpq(L), after - 10)


def test_short_words():
    x = fmpq(1, 3)
    direct = sum(x**n / fmpq(f) * double_factorial(2 * (2 + n) - 1) for n, f in enumerate((1, 1, 2, 6)))
    assert short_words(2, x, 3).contains(arb(direct))


def test_the_size_found_suffices_and_a_tenth_does_not():
    case, small = (1, 1, fmpq(1)), fmpq(1, 100)
    after, digits = sufficient_size(*case, small, small)
    assert failure_bound(*case, 10**digits, small, after) <= arb(small)
    assert failure_bound(*case, 10 ** (digits - 1), small, after) > arb(small)
    # too few words: the bound says nothing
    assert failure_bound(*case, 10**digits, small, 101) == 1


@pytest.mark.parametrize(("N", "r"), [(30, 6), (8, 8), (5, 20), (1, 1)])
def test_samples_obey_the_bound_for_all_words(N, r):
    W, M, Y = sample(11, 50, 2, N, r)
    known = states(W, M, Y, words(2, 5))
    for word, state in known.items():
        assert ((state**2).sum(axis=-1) / N <= 50.0 ** (2 * len(word) + 1)).all()
    assert (np.linalg.norm(W, 2, axis=(-2, -1)) <= 5 * (N + r) ** 0.5).all()


def test_norms_are_enclosed():
    matrix = exact.rationals([[1, 2, 0], [0, "1/3", 5]])
    assert abs(float(norm_squared(matrix)) - np.linalg.norm(exact.as_float(matrix), 2) ** 2) < 1e-9


def test_all_squared_errors_are_below_pairings_over_size():
    for total in range(4):
        for I, J in word_pairs(total):
            for N, r in ((1, 1), (3, 2), (2, 40), (50, 7)):
                assert squared_error(I, J).at(N, r) <= fmpq(pairings_of(I, J, 2), min(N, r))


def test_one_letter_is_the_worst_word():
    """Every pairing of a word is one of the word with all letters equal."""
    for word in words(2, 2):
        same = (1,) * len(word)
        assert all(overlap_moment(word, word, 2).at(N, r) <= overlap_moment(same, same, 2).at(N, r) for N, r in ((1, 1), (4, 2)))


def test_limits_at_fixed_rank():
    assert limit_at_rank((1,), (1, 1, 1)) == {1: 1}
    assert limit_at_rank((1,), (2,)) == {}
    # large N
    assert abs(float(overlap_moment((1, 1), (1, 1)).at(10**9, 3)) - sum(c / 3**b for b, c in limit_at_rank((1, 1), (1, 1)).items())) < 1e-6


def test_random_signs_at_one_unit():
    # X = y^2 for signs w, m and N = r = 1
    assert second_moment_by_law(1, 1) == 3


def test_a_skew_law_at_one_unit():
    # X = (w m y)^2, and E w^4 = 13/4
    assert [sum(p * v**k for v, p in SKEW) for k in (0, 1, 2, 3)] == [1, 0, 1, fmpq(3, 2)]
    assert second_moment_by_law(1, 1, SKEW) == 3 * fmpq(13, 4) ** 2


def test_leading_patterns_by_all_patterns():
    """The patterns with the most groups whose entries all occur twice or more, found among all patterns, are as many as ``leading_patterns`` says."""
    N, R = sympy.symbols("N r", positive=True)
    for total in range(1, 4):
        for I, J in word_pairs(total):
            kept = pattern_sum(I, J, 1, lambda uses: sympy.Integer(all(k >= 2 for k in uses.values())))
            top = sympy.Poly(kept, N, R).coeff_monomial(N ** (1 + total // 2) * R ** (total // 2)) if total % 2 == 0 else 0
            assert top == leading_patterns(I, J, 1) == (I == J)


def test_the_third_moment_enters_for_longer_words_only():
    t = sympy.Symbol("t", real=True)
    assert not moment_by_patterns((1,), (1,), 2).has(t)
