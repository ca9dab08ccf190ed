"""Windows of the last letters below one number: the networks that layers with a short convolution, and gates or steps of the delta rule, hold."""

from collections import Counter
from itertools import product
from random import Random

import pytest
from lemmata.api.within import is_within
from lemmata.constructions.automata import Automaton, compile_automaton
from lemmata.constructions.automata.compiler import proved
from lemmata.constructions.automata.layers.windows import window_stack
from lemmata.constructions.automata.read.sources import from_regex

ROW = "diagonal-nonnegative-convolution"
#: rows with a convolution whose ranges hold gates 0 and 1, and those that hold -1 too
UNSIGNED = (
    ROW,
    "delta-nonnegative-convolution",
    "gated-delta-nonnegative-convolution",
    "channel-gated-delta-convolution",
    "Griffin",
    "Mamba",
)
SIGNED = ("diagonal-signed-convolution", "delta-signed-convolution", "gated-delta-signed-convolution", "DeltaNet [-1, 1] with convolution")
OPEN = ("open-diagonal-convolution", "rwkv-7-shift")


@pytest.mark.parametrize(
    ("expression", "length", "widths"),
    [("(a|b)*aba(a|b)*", 2, [3, 1]), ("(ab)*", 1, [2, 1]), ("a*b*", 1, [2, 1]), ("(a|b)*abab(a|b)*", 3, [4, 1])],
)
def test_a_window_and_a_memory(expression, length, widths):
    automaton = from_regex(expression).reachable()
    assert length == 1 or window_stack(automaton, length - 1) is None
    stack = window_stack(automaton, length)
    assert stack is not None
    network = proved(automaton, stack)
    assert network.widths == widths
    document = network.document()
    assert all(is_within(document, row) for row in (*UNSIGNED, *SIGNED))
    assert not any(is_within(document, row) for row in OPEN)
    # the window itself is no diagonal transition
    assert not is_within(document, "diagonal-nonnegative")
    assert not is_within(document, "delta-signed")
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


def test_the_number_turns_where_signs_are_allowed():
    """Whether ab occurs an even number of times; -1 is in no range of nonnegative entries."""
    automaton = from_regex("b*(a+b+a+b+)*a*").reachable()
    assert window_stack(automaton, 1) is None
    network = proved(automaton, window_stack(automaton, 1, signed=True))
    document = network.document()
    assert network.widths == [2, 1]
    assert all(is_within(document, row) for row in SIGNED)
    assert not any(is_within(document, row) for row in (*UNSIGNED, *OPEN))
    for word in product(automaton.letters, repeat=7):
        assert [q for q, _ in network.run(word)] == [automaton.name(q) for q in automaton.run(word)]


def test_a_window_alone_needs_no_state():
    network = compile_automaton(from_regex("(a|b)*abb"), construction="register")
    assert all(is_within(network.document(), row) for row in (*UNSIGNED, *SIGNED, *OPEN))
    assert not is_within(network.document(), "open-diagonal")


def test_random_windows_are_right_and_of_their_rows():
    rng, found = Random(0), Counter()
    for _ in range(120):
        n = rng.randint(2, 4)
        automaton = Automaton({x: [rng.randrange(n) for _ in range(n)] for x in "ab"}).reachable()
        for length, signed in product((1, 2), (False, True)):
            stack = window_stack(automaton, length, signed)
            if stack is None:
                continue
            found[signed] += 1
            network = proved(automaton, stack)
            assert is_within(network.document(), SIGNED[1])
            assert signed or is_within(network.document(), UNSIGNED[1])
            word = [rng.choice(automaton.letters) for _ in range(40)]
            assert [q for q, _ in network.run(word)] == [automaton.name(q) for q in automaton.run(word)]
    assert min(found.values()) > 50


@pytest.mark.parametrize("change", [{"A": [["1/2"]]}, {"A": [["2"]]}, {"A": [["-1"]]}])
def test_an_altered_gate_leaves_its_rows(change):
    """A gate of 1/2 is diagonal and needs no smaller range; 2 is in no row, and -1 in the signed ones alone."""
    automaton = from_regex("(a|b)*aba(a|b)*").reachable()
    document = proved(automaton, window_stack(automaton, 2)).document()
    altered = next(m for m in document["layers"][1]["maps"] if m["A"] == [["1"]])
    altered.update(change, steps=[{"v": ["1"], "beta": "2", "scale": "2", "write": "0"}] if change["A"] == [["-1"]] else None)
    rows = {row for row in ("diagonal-nonnegative-convolution", "diagonal-signed-convolution") if is_within(document, row)}
    assert rows == {"1/2": {ROW, "diagonal-signed-convolution"}, "2": set(), "-1": {"diagonal-signed-convolution"}}[change["A"][0][0]]
    assert not is_within(document, "delta-nonnegative-convolution")
