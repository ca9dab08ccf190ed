"""The demands on the number of factors reject other matrices, other numbers and vectors that are too long."""

import copy

import pytest
from lemmata.theorems import claims, decide
from lemmata.theorems.recheck.exact import Rejected
from lemmata.theorems.recheck.registry import DEMANDS

NUMBER, BETWEEN, FOUR, NEAR = (f"new.householder.{name}" for name in ("number", "between", "four", "near"))


@pytest.fixture(scope="module")
def certificates():
    return {claim.id: [c.data for c in decide(claim, "quick").certificates] for claim in claims([NUMBER, BETWEEN, FOUR, NEAR])}


def demand(id, data):
    return DEMANDS[id, "witness"](data)


def test_they_hold(certificates):
    for id, listed in certificates.items():
        assert listed
        for data in listed:
            demand(id, data)


def test_a_vector_that_is_too_long_or_nonreal_zeros_are_rejected(certificates):
    (five,) = [data for data in certificates[FOUR] if "W" in data]
    for W, C, why in (
        ([[2], [0], [8], [0]], [[11]], ">= 0"),
        ([[0], [0], [0], [0]], [[1]], "only real zeros"),
        (five["W"], [[0]], "C \\+ C"),
    ):
        with pytest.raises(Rejected, match=why):
            demand(FOUR, five | {"W": W, "C": C})


def test_a_triangulation_with_a_gap_or_of_another_pair_is_rejected(certificates):
    (five,) = [data for data in certificates[FOUR] if "W" in data]
    for data in (data for data in certificates[FOUR] if "pieces" in data):
        with pytest.raises(Rejected, match="cover all weights"):
            demand(FOUR, data | {"pieces": data["pieces"][1:]})
        with pytest.raises(Rejected, match="overlap"):
            demand(FOUR, data | {"pieces": data["pieces"][:1] + data["pieces"]})
        with pytest.raises(Rejected, match="nearer to the real line"):
            demand(FOUR, data | {"nu": five["nu"]})
        path, z, _, along = data["pieces"][0]
        with pytest.raises(Rejected, match="on the same vertical line"):
            demand(FOUR, data | {"pieces": [[path, z, z, along]]})


def test_a_criterion_of_other_factors_is_rejected(certificates):
    for data in certificates[NUMBER]:
        with pytest.raises(Rejected):
            demand(NUMBER, data | {"factors": data["factors"] + data["factors"][:1]})


def test_other_numbers_are_rejected(certificates):
    with_pairs = [data for data in certificates[BETWEEN] if data["pairs"]]
    assert with_pairs
    for data in with_pairs:
        with pytest.raises(Rejected, match="these eigenvalues"):
            demand(BETWEEN, data | {"pairs": data["pairs"][1:]})
        broken = copy.deepcopy(data)
        n = len(data["matrix"])
        broken["factors"] += [{"v": [1] + [0] * (n - 1), "beta": 2}] * (2 * n)
        with pytest.raises(Rejected, match="n \\+ g"):
            demand(BETWEEN, broken)


def test_a_large_neighbourhood_is_rejected(certificates):
    (data,) = certificates[NEAR]
    with pytest.raises(Rejected, match="five factors fail"):
        demand(NEAR, data | {"radius": "1/150"})
