"""The checker's kinds and demands of topics parity and gating: false and trivial certificates are rejected, whatever their form."""

from fractions import Fraction
from statistics import NormalDist

import pytest
from lemmata.theorems.recheck import Rejected, intervals
from lemmata.theorems.recheck.registry import DEMANDS, RULES

#: h -> h from 1, D = {0, 1}: constant
CONSTANT = {
    "maps": [{"A": [[1]], "B": [[0]]}],
    "H0": [[1]],
    "before": [],
    "period": [0],
    "P": [[1]],
    "P_inverse": [[1]],
    "blocks": [[1, 1]],
    "settled": 1,
    "threshold": 1,
    "cycle": [[[1]], [[1]]],
}


def rejected(claim, kind, why, **data):
    """The rule of the kind or the demand of the claim refuses the data, whatever their schema and their instances are."""
    with pytest.raises(Rejected, match=why):
        check(claim, kind, **data)


def check(claim, kind, **data):
    """The rule of the kind and the demand of the claim, without what all certificates of the claim must cover."""
    RULES[kind](data)
    DEMANDS[claim, kind](data)


def test_states_have_no_entries_beside_those_that_are_checked():
    check("grazzi25.thm1.layer", "eventually-periodic", D=[0, 1], layers=[CONSTANT])
    longer = CONSTANT | {"cycle": [[[1], [0]], [[1], [1]]]}
    outputs = {"before": [], "period": [0, 1]}
    rejected("grazzi25.thm1.layer", "eventually-periodic", "states of one size", D=[0, 1], layers=[longer], outputs=outputs)


def test_outputs_are_functions_of_the_state():
    outputs = {"before": [], "period": [0, 1]}
    rejected("grazzi25.thm2", "eventually-periodic", "is a function of state and letter", D=[0, 1], layers=[CONSTANT], outputs=outputs)


@pytest.mark.parametrize("change", [{"threshold": 10**9}, {"settled": 2}, {"blocks": [[2, 1]]}, {"period": [1]}, {"H0": [[1, 1]]}])
def test_a_bent_layer_is_rejected(change):
    with pytest.raises((Rejected, IndexError, ValueError)):
        check("grazzi25.thm1.layer", "eventually-periodic", D=[0, 1], layers=[CONSTANT | change])


def test_an_orbit_has_the_size_of_its_matrix():
    orbit = {"A": [["-1/2", 0], [0, 0]], "b": [0], "D": [-1, 1], "orbit": [[1], [-1], [1]], "eigenvalues": ["-1/2", 0]}
    rejected("new.parity.half", "stepwise-orbit", "of size n", **orbit)


def test_sums_that_keep_the_checker_busy_are_refused():
    from lemmata.theorems.recheck.registry import RULES

    for term, why in (([1, 9000, 1], "at most 1000"), (["9" * 999, 0, 1], "fewer than")):
        with pytest.raises(Rejected, match=why):
            RULES["cast-of-sum"]({"terms": [term], "D": [0, 1], "threshold": 9000, "even": 0, "odd": 0})


def test_trivial_data_show_nothing():
    rejected("grazzi25.lemma1", "cast-of-sum", "a nonzero sum", terms=[], D=[0, 1], threshold=1, even=0, odd=0)
    rejected("grazzi25.lemma1.quantifiers", "witness", "2-periodic", D=[0, 1], period=[0])
    rejected("grazzi25.table1.norm", "witness", "the eigenvalue is negative", k=[1], beta="1/2")
    one = {"at": ["0"], "closed": [0], "values": ["0", "1"]}
    orbit = {"orbit": [["1", "1"], ["0", "0"], ["0", "0"]], "rounding": [one, one]}
    zero = {"A": [["0", "0"], ["0", "0"]], "b": ["0", "0"], "blocks": [2], "weights": ["1", "1"]}
    rejected("new.parity.stepwise.monotone", "witness", "A not 0", **zero, **orbit)
    rejected("new.parity.stepwise.delta", "witness", "0 < beta", k=[0, 0], beta=1, D=[0, 1], even=[0, 0], odd=[1, 1])
    rejected("movahedi25.thmC.1", "witness", "two different norms", b=1, sizes=[0, 0])
    rejected("movahedi25.appC.2", "witness", "2 <= delta", length=0, tokens=0, sequences=[])


@pytest.mark.parametrize("x", [Fraction(-9), Fraction(-359, 100), Fraction(0), Fraction(1, 2), Fraction(3), Fraction(8)])
def test_the_gaussian_distribution_in_rational_intervals(x):
    low, high = intervals.normal_cdf((x, x))
    assert low <= high
    assert high - low < Fraction(1, 10**20)
    assert float(low) == pytest.approx(NormalDist().cdf(float(x)), rel=1e-9, abs=1e-15)
