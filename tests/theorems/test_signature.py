"""What the proof of Proposition G.2 computes: its bounds against direct sums and exact moments."""

import pytest
from flint import arb, fmpq
from lemmata.constructions.signature import overlap_moment, squared_error, word_pairs, words
from lemmata.theorems.signature.entries import second_moment_by_signs
from lemmata.theorems.signature.expressivity import overlap_bound, readout_bound, short_words, sufficient_size, tail
from lemmata.theorems.signature.moments import double_factorial, limit_at_rank, pairings_of


@pytest.mark.parametrize(("x", "digits"), [(1, 5), (1, 9), (fmpq(1, 2), 5), (2, 9)])
def test_the_tail_bounds_the_terms_beyond(x, digits):
    after, s = int(1300 * x), fmpq(10**digits)
    direct = sum(
        ((n * arb(x).log() - arb(n + 1).lgamma()).exp() * overlap_bound(n, s).sqrt() for n in range(after + 1, after + 400)), arb(0)
    )
    assert direct <= tail(fmpq(x), s, after)
    assert tail(fmpq(x), s, after + 100) < tail(fmpq(x), s, after)


@pytest.mark.parametrize(("s", "after"), [(10**9, 10), (100, 2000)])
def test_tails_that_do_not_shrink_are_refused(s, after):
    with pytest.raises(ValueError, match="expected more terms"):
        tail(fmpq(1), fmpq(s), after)


def test_short_words():
    x = fmpq(1, 3)
    direct = sum(x**n / double_factorial(1) / fmpq(f) * double_factorial(2 * (2 + n) - 1) for n, f in enumerate((1, 1, 2, 6)))
    assert short_words(x, 2, 3).contains(arb(direct))


def test_the_size_found_suffices_and_a_tenth_of_a_tenth_does_not():
    after, digits = sufficient_size(fmpq(1), 1, fmpq(1, 100))
    assert readout_bound(fmpq(1), 1, 10**digits, after) <= arb("0.01")
    assert readout_bound(fmpq(1), 1, 10 ** (digits - 2), after) > arb("0.01")


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
    assert second_moment_by_signs(1, 1) == 3
