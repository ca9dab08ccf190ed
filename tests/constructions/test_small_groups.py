"""All groups of small order are groups, none twice, and as many as there are."""

import itertools

import numpy as np
import pytest
from lemmata.constructions.automata.read.small_groups import LARGEST_ORDER, NUMBERS, isomorphic, small_group, small_groups
from lemmata.constructions.automata.read.sources import named_group
from sympy.combinatorics import Permutation, PermutationGroup


def test_as_many_as_are_known():
    assert tuple(len(small_groups(n)) for n in range(1, LARGEST_ORDER + 1)) == NUMBERS


@pytest.mark.parametrize("order", [1, 2, 8, 16, 24, 27])
def test_tables_are_of_groups_and_no_two_alike(order):
    tables = small_groups(order)
    for t in tables:
        assert np.array_equal(t[t], t[:, t])  # (g h) k = g (h k)
        assert all(sorted(row) == list(range(order)) for row in (*t.tolist(), *t.T.tolist()))
    assert not any(isomorphic(a, b) for a, b in itertools.combinations(tables, 2))


@pytest.mark.parametrize(("order", "number"), [(1, 1), (6, 1), (6, 2), (16, 7), (24, 15), (31, 1)])
def test_generators_generate(order, number):
    generators = [Permutation(list(images)) for images in small_group(order, number).values()]
    assert PermutationGroup(generators).order() == order


def test_isomorphic_tells_apart_what_orders_of_elements_do_not():
    """Z_4 x Z_4 and the group with the same orders of elements are among the 14 of order 16."""
    assert not isomorphic(small_groups(4)[0], small_groups(4)[1])
    assert isomorphic(small_groups(4)[0], small_groups(4)[0])


@pytest.mark.parametrize("name", ["16.15", "32.1", "0.1", "8.0"])
def test_what_is_not_there_is_refused(name):
    with pytest.raises(ValueError, match="expected"):
        named_group(name)


def test_psl_2_7():
    assert PermutationGroup([Permutation(list(images)) for images in named_group("PSL(2,7)").values()]).order() == 168
