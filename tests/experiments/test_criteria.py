"""Criteria hold where they should, and fail when sides are swapped, a difference is put in, a side is missed, or seeds are too few."""

import numpy as np
import pytest
from lemmata.experiments.criteria import Order, Same, Threshold, Values, resampled, welch
from scipy import stats

HIGH, LOW = [0.95, 0.9, 0.97, 0.99, 0.2], [0.0, 0.1, 0.05, 0.02, 0.01]
TIED = [0.5] * 5


def test_an_interval_is_welchs():
    test = stats.ttest_ind(HIGH, LOW, equal_var=False)
    assert welch(HIGH, LOW) == pytest.approx((np.mean(HIGH) - np.mean(LOW), *test.confidence_interval(0.95)))
    assert welch(LOW, HIGH) == pytest.approx([-x for x in (welch(HIGH, LOW)[0], *welch(HIGH, LOW)[:0:-1])])
    assert welch(TIED, TIED) == (0, 0, 0)
    assert welch(TIED, [*TIED, 1.5])[1] < welch(TIED, [*TIED, 1.5])[0] < 0


def test_the_best_and_the_median_have_intervals():
    assert resampled(HIGH, LOW, "best")[0] == pytest.approx(0.89)
    difference, low, high = resampled(HIGH, LOW, "median")
    assert difference == pytest.approx(0.93)
    assert low < difference < high
    assert resampled(TIED, TIED, "median") == (0, 0, 0)


@pytest.mark.parametrize(("seeds", "match"), [([1.0] * 4, "at least 5"), ([[1.0]] * 5, "shape"), ([*LOW[:4], np.nan], "finite"), ([], "5")])
def test_too_few_seeds_and_numbers_that_are_none_are_refused(seeds, match):
    for pair in ((seeds, LOW), (LOW, seeds)):
        with pytest.raises(ValueError, match=match):
            Order("a", "b", 0.1).judge(*pair)


def test_ordered_with_values_needs_half_of_the_effect():
    for of in ("mean", "median", "best"):
        criterion = Values("a", "b", (0.9, 0.1), 0.1, of)
        assert criterion.needed == pytest.approx(0.4)
        assert criterion.judge(HIGH, LOW).holds
        assert not criterion.judge(LOW, HIGH).holds
        assert not criterion.judge(np.add(LOW, 0.39), LOW).holds
        assert criterion.judge(np.add(TIED, 0.4375), TIED).holds
    # the smallest effect counts where half of the paper's is less
    assert Values("a", "b", (0.2, 0.1), 0.3).needed == 0.3
    assert not Values("a", "b", (0.9, 0.1), 0.1).judge(TIED, TIED).holds


def test_ordered_needs_an_interval_and_an_effect():
    criterion = Order("a", "b", 0.3)
    assert criterion.judge(HIGH, LOW).holds
    assert not criterion.judge(LOW, HIGH).holds
    assert not criterion.judge(TIED, TIED).holds
    # a large difference of seeds that scatter
    assert not criterion.judge([0, 0, 0, 1, 1], LOW).holds
    # a sure difference that is small
    assert not criterion.judge(np.add(LOW, 0.29), LOW).holds
    assert criterion.judge(np.add(TIED, 0.5), TIED).holds


@pytest.mark.parametrize(("sign", "enough", "short"), [(1, 0.9, 0.6), (-1, 0.1, 0.4)])
def test_a_threshold_passes_on_one_side_and_fails_on_the_other(sign, enough, short):
    passes, fails = (HIGH, LOW) if sign > 0 else ([1 - x for x in HIGH], [1 - x for x in LOW])
    criterion = Threshold("a", "b", enough, short)
    assert criterion.sign == sign
    assert criterion.judge(passes, fails).holds
    assert not criterion.judge(fails, passes).holds
    assert not criterion.judge(passes, passes).holds
    assert not criterion.judge(fails, fails).holds
    assert criterion.judge([enough] * 5, [short] * 5).holds
    assert not criterion.judge([enough - 0.01 * sign] * 5, [short] * 5).holds
    assert not criterion.judge([enough] * 5, [short + 0.01 * sign] * 5).holds


def test_no_difference_notices_one_that_is_put_in():
    criterion = Same("a", "b", 0.1)
    assert criterion.judge(LOW, LOW[::-1]).holds
    for injected in (0.1, -0.1, 0.5):
        judged = criterion.judge(np.add(LOW, injected), LOW)
        assert not judged.holds
        assert judged.low > 0 or judged.high < 0
    assert criterion.judge(TIED, TIED).holds
    # an interval that is wider than the margin shows nothing
    assert not criterion.judge(HIGH, HIGH).holds


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Values("a", "b", (0.1, 0.9), 0.1),
        lambda: Values("a", "b", (0.1, 0.1), 0.1),
        lambda: Values("a", "b", (0.9, 0.1), 0),
        lambda: Values("a", "b", (0.9, 0.1), 0.1, "worst"),
        lambda: Order("a", "b", -0.1),
        lambda: Threshold("a", "b", 0.5, 0.5),
        lambda: Same("a", "b", 0),
    ],
)
def test_a_criterion_without_sense_is_refused(wrong):
    with pytest.raises(ValueError, match="expected"):
        wrong()
