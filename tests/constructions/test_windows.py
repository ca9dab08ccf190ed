"""Windows of the last letters below one memory: the networks that layers with a short convolution and gates 0 and 1 hold."""

from itertools import product

import pytest
from lemmata.api.within import is_within
from lemmata.constructions.automata import Automaton
from lemmata.constructions.automata.compiler import proved
from lemmata.constructions.automata.layers.windows import window_stack
from lemmata.constructions.automata.read.sources import from_regex

ROW = "diagonal-nonnegative-convolution"


@pytest.mark.parametrize(
    ("expression", "length", "widths"),
    [("(a|b)*aba(a|b)*", 2, [3, 2]), ("(ab)*", 1, [2, 2]), ("a*b*", 1, [2, 2]), ("(a|b)*abab(a|b)*", 3, [4, 2])],
)
def test_a_window_and_a_memory(expression, length, widths):
    automaton = from_regex(expression).reachable()
    assert length == 1 or window_stack(automaton, length - 1) is None
    stack = window_stack(automaton, length)
    assert stack is not None
    network = proved(automaton, stack)
    assert network.widths == widths
    document = network.document()
    assert is_within(document, ROW)
    # the window itself is no diagonal transition
    assert not is_within(document, "diagonal-nonnegative")
    assert not is_within(document, "DeltaNet")
    for word in product(automaton.letters, repeat=6):
        assert [q for q, _ in network.run(word)] == [automaton.name(q) for q in automaton.run(word)]


def test_what_one_memory_does_not_tell():
    # a parity is neither held nor overwritten, and of one state nothing is to be told
    assert window_stack(from_regex("(aa)*").reachable(), 3) is None
    stack = window_stack(Automaton({"a": (0,)}), 1)
    assert stack is not None
    assert proved(Automaton({"a": (0,)}), stack).widths == [2, 1]
    with pytest.raises(ValueError, match="at least one letter"):
        window_stack(Automaton({"a": (0,)}), 0)


def test_windows_alone_are_no_rows_of_other_networks():
    from lemmata.constructions.automata import compile_regex

    assert not is_within(compile_regex("(a|b)*aba(a|b)*").document(), ROW)
