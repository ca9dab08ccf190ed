"""Which involutions lift to reflections: components, homomorphisms, generating sets."""

from itertools import combinations

from lemmata.constructions.automata.algebra import reflection_lifts as lifts

SWAPS = [(1, 0, 2, 3), (0, 2, 1, 3), (0, 1, 3, 2)]


def test_the_table_multiplies_permutations():
    table, elements = lifts.table_of(SWAPS)
    assert len(elements) == 24
    for g, h in combinations(range(24), 2):
        assert elements[table[g, h]] == tuple(elements[g][i] for i in elements[h])


def test_components_are_those_that_do_not_commute():
    table, elements = lifts.table_of(SWAPS)
    a, b, c = (elements.index(g) for g in SWAPS)
    assert lifts.components(table, [a, c, 0]) == [frozenset({a}), frozenset({c})]
    assert lifts.components(table, [a, b, c]) == [frozenset({a, b, c})]
    assert len(lifts.conjugates(table, [a, b, c])) == 6
    assert lifts.order_of_product(table, a, b) == 3


def test_all_involutions_of_the_symmetric_group_on_four_points_lift():
    table, _ = lifts.table_of(SWAPS)
    assert lifts.largest_liftable(table) == [frozenset(lifts.involutions(table))]
    assert lifts.obstruction(table, lifts.involutions(table), lifts.largest_liftable(table)) is None


def test_the_products_of_transpositions_of_five_points_lift_only_if_they_are_even():
    table, elements = lifts.table_of([(1, 0, 2, 3, 4), (1, 2, 3, 4, 0)])
    largest = lifts.largest_liftable(table, ["A_3", "B_3", "H_3"])
    double = [i for i, g in enumerate(elements) if sum(g[j] != j for j in range(5)) == 4 and g[g[0]] == 0 and i in lifts.involutions(table)]
    assert len(double) == 15
    assert lifts.obstruction(table, double, largest) is None
    assert lifts.obstruction(table, lifts.involutions(table), largest) is not None
