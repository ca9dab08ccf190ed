"""Characters of permutation groups modulo a prime."""

import pytest
from lemmata.constructions.automata.read.sources import named_group
from lemmata.constructions.householder import cycles, permutation_matrix
from lemmata.numerics import exact
from lemmata.numerics.characters import Characters, fewest_by_own


def of(name):
    return Characters(list(named_group(name).values()))


@pytest.mark.parametrize(
    ("name", "dimensions"),
    [
        ("S4", [1, 1, 2, 3, 3]),
        ("A5", [1, 3, 3, 4, 5]),
        ("Q8", [1, 1, 1, 1, 4]),
        ("Z5", [1, 2, 2]),
        ("A4", [1, 2, 3]),
        ("D4", [1, 1, 1, 1, 2]),
    ],
)
def test_dimensions_of_real_representations(name, dimensions):
    assert sorted(rho.dimension for rho in of(name).real) == dimensions


def test_the_standard_representation_is_among_them():
    group = of("S5")
    standard = tuple(5 - len(cycles(c[0])) for c in group.classes)
    assert standard == tuple(exact.rank(permutation_matrix(c[0]) - exact.identity(5)) for c in group.classes)
    assert (4, standard) in [(rho.dimension, rho.ranks) for rho in group.real]


def test_indicators():
    group = of("Q8")
    assert sorted((row[0], group.indicator(row)) for row in group.table) == [(1, 1)] * 4 + [(2, -1)]
    assert sorted(of("Z3").indicator(row) for row in of("Z3").table) == [0, 0, 1]


@pytest.mark.parametrize(("name", "fewest"), [("Z2", 1), ("S4", 2), ("S5", 4), ("A5", 2), ("Q8", 4), ("Z2xZ2xZ2", 3), ("Z3xZ3", 4)])
def test_fewest_reflections(name, fewest):
    assert fewest_by_own(of(name).real)[0] == fewest
