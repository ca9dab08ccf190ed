"""Layers that track a group through a cover, and the group that a layer carries."""

import pytest
from lemmata.constructions.automata.layers import covers
from lemmata.constructions.automata.layers.covers import by_matrices, carried, cover_layer, signed_permutation_matrix, with_memory
from lemmata.constructions.householder import compose, permutation_matrix
from lemmata.numerics import exact


def product_of(word, identity):
    g = identity
    for x in word:
        g = compose(x, g)
    return g


@pytest.mark.parametrize("tracked", [covers.cube_by_mirrors(), covers.quaternions_by_cover()])
def test_a_cover_computes_products(tracked):
    letters = sorted(tracked.elements.values())
    word = [letters[(5 * t * t + t // 3) % len(letters)] for t in range(60)]
    outputs = cover_layer(tracked).run(word)
    assert outputs == [product_of(word[: t + 1], tracked.identity) for t in range(60)]
    assert len(set(outputs)) > 4


def test_the_group_of_a_layer_with_a_memory_is_that_of_the_layer_without():
    bare = covers.cube_by_mirrors()
    larger = with_memory(bare)
    assert len(larger.start) == len(bare.start) + 2
    assert len(larger.states()[0]) > len(bare.states()[0]) == 48
    found = carried(larger)
    assert len(found.points) == 48
    assert all(sorted(lift) == list(range(48)) for lift in found.lifts.values())
    ranks = [(found.rank(found.linear[x]), exact.rank(A - exact.identity(5))) for x, (A, _) in larger.maps.items()]
    assert ranks == [(1, 3)] * 3


def test_without_the_idempotent_letters_do_not_permute():
    found = carried(with_memory(covers.cube_by_mirrors()), word_of=lambda moves: [])
    assert any(len(set(lift)) < len(lift) for lift in found.lifts.values())


def test_a_layer_with_infinitely_many_states_is_refused():
    counter = by_matrices({(1, 0): exact.rationals([[2]])}, exact.rationals([[1]]), {(1, 0): (1, 0)})
    with pytest.raises(ValueError, match="expected a layer of at most"):
        counter.states()


def test_the_sign_of_odd_permutations():
    swap = signed_permutation_matrix((1, 0, 2, 3))
    assert (swap.T @ swap == exact.identity(4)).all()
    assert [exact.rank(signed_permutation_matrix(g) - exact.identity(4)) for g in ((1, 0, 2, 3), (1, 2, 3, 0), (1, 2, 0, 3))] == [2, 2, 2]
    assert exact.rank(permutation_matrix((1, 2, 3, 0)) - exact.identity(4)) == 3


@pytest.mark.parametrize("orders", [(2, 2, 2), (2, 4), (6,)])
def test_abelian_groups_turn_one_plane_per_letter(orders):
    tracked = covers.abelian_by_cover(orders)
    letters = list(tracked.maps)
    word = [letters[(t * t + 2 * t // 3) % len(letters)] for t in range(40)]
    assert cover_layer(tracked).run(word) == [product_of(word[: t + 1], tracked.identity) for t in range(40)]
    ranks = {exact.rank(A - exact.identity(len(A))) for A, _ in tracked.maps.values()}
    assert max(ranks) == (1 if max(orders) == 2 else 2)


def test_turns_of_other_orders_are_refused():
    with pytest.raises(ValueError, match="expected an order 2, 3, 4 or 6"):
        covers.turn(5)
