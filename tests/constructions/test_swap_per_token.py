"""S_n in four layers with one factor per token."""

import pytest
from lemmata.constructions.automata.layers.swap_per_token import symmetric_by_swaps
from lemmata.constructions.automata.read.sources import from_permutations, named_group


@pytest.mark.parametrize("n", [2, 3, 5])
def test_a_long_word_is_followed(n):
    letters = named_group(f"S{n}")
    automaton, names = from_permutations(letters), list(letters)
    word = [names[(t * t + t // 3) % 7 % len(names)] for t in range(120)]
    q, expected = automaton.start, []
    for x in word:
        q = automaton.step(q, x)
        expected.append(q)
    assert symmetric_by_swaps(letters).run(word) == expected
    assert n == 2 or len(set(expected)) > n


def test_widths_and_what_is_refused():
    letters = named_group("S4")
    stack = symmetric_by_swaps(letters)
    assert [len(layer.initial) for layer in stack.layers] == [1, 2, 6, 4]
    with pytest.raises(ValueError, match="2 points"):
        symmetric_by_swaps({"a": (0,)})
