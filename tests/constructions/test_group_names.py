"""Names of groups by structure."""

import pytest
from lemmata.constructions.automata.algebra.group_names import element_orders, invariant_factors, structure
from lemmata.constructions.automata.read.sources import from_permutations, named_group
from sympy.combinatorics import Permutation, PermutationGroup

FROBENIUS = [(1, 2, 3, 4, 0), (0, 2, 4, 1, 3)]
QUATERNIONS = [(1, 2, 3, 0, 5, 6, 7, 4), (4, 7, 6, 5, 2, 1, 0, 3)]
#: SL(2, 3) on the eight non-zero vectors of a plane over three elements
VECTORS = [(x, y) for x in range(3) for y in range(3) if x or y]
SL23 = [tuple(VECTORS.index(((a * x + b * y) % 3, (c * x + d * y) % 3)) for x, y in VECTORS) for a, b, c, d in ((1, 1, 0, 1), (1, 0, 1, 1))]


def group(generators):
    return PermutationGroup([Permutation(list(g)) for g in generators])


@pytest.mark.parametrize("name", ["Z2", "Z3", "Z6", "Z12", "S3", "S4", "S5", "A4", "A5", "D4", "D5", "D6", "A6", "S7"])
def test_named_groups(name):
    assert structure(group(named_group(name).values())) == name


@pytest.mark.parametrize("name", ["S3", "S4", "A4", "D4", "D5", "A5", "S5"])
def test_the_same_group_on_its_own_elements(name):
    assert structure(group(from_permutations(named_group(name)).table.values())) == name


@pytest.mark.parametrize(
    ("generators", "name"),
    [
        ([(0, 1, 2)], "trivial"),
        ([(1, 0, 2, 3), (0, 1, 3, 2)], "Z2 x Z2"),
        ([(1, 0, 3, 4, 2)], "Z6"),
        ([(1, 0, 2, 3, 4, 5), (0, 1, 3, 4, 5, 2)], "Z2 x Z4"),
        (QUATERNIONS, "Q8"),
        ([(1, 0, 2, 3, 4), (1, 2, 0, 3, 4), (0, 1, 2, 4, 3)], "Z2 x S3"),
        ([(1, 0, 2, 3, 4, 5), (1, 2, 0, 3, 4, 5), (0, 1, 2, 4, 3, 5), (0, 1, 2, 4, 5, 3)], "S3 x S3"),
        (FROBENIUS, "order 20 (solvable)"),
        (SL23, "order 24 (solvable)"),
        ([(1, 2, 3, 4, 0, 5, 6), (1, 2, 0, 3, 4, 5, 6), (0, 1, 2, 3, 4, 6, 5)], "Z2 x A5"),
    ],
)
def test_other_groups(generators, name):
    assert structure(group(generators)) == name


def test_numbers_of_elements_by_their_order():
    assert dict(element_orders(4)) == {1: 1, 2: 9, 3: 8, 4: 6}
    assert dict(element_orders(5, even=True)) == {1: 1, 2: 15, 3: 20, 5: 24}
    assert invariant_factors([2, 4, 3]) == [2, 12]
