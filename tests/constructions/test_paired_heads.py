"""Heads of one factor in [0, 1]: what they keep, how many are needed, and the layer."""

from itertools import product

from lemmata.constructions.languages import paired_heads as heads


def test_a_head_keeps_the_last_letter_of_each_class():
    assert heads.memory((0, 1, 0), (0, 1)) == (0, 1)
    assert heads.memory((0, 1, 0), (0, 1, 2)) == (2, 1)
    assert heads.memory((-1, 0, 0), (0,)) == (-1,)


def test_the_heads_separate_and_none_is_left_over():
    for m in range(1, 6):
        found = heads.paired_heads(m)
        assert heads.separate(m, found)
        if m > 2:
            assert not any(heads.separate(m, [*found[:i], *found[i + 1 :]]) for i in range(m))
    assert [heads.fewest_heads(m, 3) for m in (1, 2, 3)] == [0, 1, 3]
    assert len(list(heads.all_heads(3))) == 15


def test_the_layer_tells_the_order():
    layer = heads.layer_of_heads(3, heads.paired_heads(3))
    for word in product(range(3), repeat=4):
        order = ()
        for x, output in zip(word, layer.run(word), strict=True):
            order = heads.order_after(order, x)
            assert output == order
