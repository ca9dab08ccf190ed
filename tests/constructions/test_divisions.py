"""One layer of divisions of the states, or of copies for a group's elements; last levels merged; simple rivals beat no default."""

import sys
from math import inf
from pathlib import Path
from random import Random

import pytest
from lemmata.constructions.automata import Automaton, candidates, compile_automaton
from lemmata.constructions.automata.choose.ways import choose
from lemmata.constructions.automata.layers.copies import copies_layer, graphs, one_sided
from lemmata.constructions.automata.layers.preimages import divided, held, one_place, with_last_letter
from lemmata.constructions.automata.read.families import random_automaton, random_cascades
from lemmata.constructions.automata.read.sources import from_regex
from lemmata.constructions.automata.read.tasks import TASKS
from lemmata.constructions.automata.rounding.precision import guaranteed_lengths
from lemmata.constructions.languages.width import rational_width, width_of_one_layer

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from rivals import beaten_by, random_machines

sys.path.pop(0)


def is_right(automaton, network):
    """The network's outputs on random words, and its lengths."""
    rng = Random(1)
    for _ in range(5):
        word = rng.choices(automaton.letters, k=30)
        assert [q for q, _ in network.run(word)] == [automaton.name(q) for q in automaton.run(word)]
        assert network.stack.run(word) == list(automaton.run(word))
    assert {n for row in guaranteed_lengths(network.document()).values() for n in row.values()} == {inf}


@pytest.mark.parametrize(
    ("table", "construction", "widths"),
    [
        # a tail of three states and a cycle of two: three flags and a sign
        ({"a": (1, 2, 3, 4, 3)}, "preimages", [4]),
        # a start that no word leads back to, then parity
        ({"a": (1, 2, 1)}, "preimages", [2]),
        # the parity of the length and, where it is even, the last letter: no divisions of the states alone
        ({"a": (1, 2, 1), "b": (1, 0, 1)}, "preimages", [2]),
        # partial one-to-one maps, and a sink
        ({"a": (1, 3, 3, 3), "b": (3, 2, 0, 3)}, "preimages", [3]),
        # a circle of four, and a letter that merges two states
        ({"a": (1, 1, 3, 2), "b": (2, 3, 1, 0)}, "copies", [6]),
        ({"a": (1, 0, 0, 2), "b": (2, 0, 3, 2)}, "copies", [3]),
    ],
)
def test_one_layer_where_cascades_take_several(table, construction, widths):
    automaton = Automaton(table).reachable()
    network = compile_automaton(automaton)
    assert (network.construction, network.widths) == (construction, widths)
    assert network.widths[0] >= width_of_one_layer(automaton)
    is_right(automaton, network)


def test_the_last_levels_of_a_cascade_are_one_layer():
    found = []
    for automaton in [TASKS["tomita-7"](), *random_cascades(30)]:
        automaton = automaton.reachable()
        merged = [c for c in candidates(automaton) if c.construction == "preimages" and c.depth > 1]
        for candidate in merged:
            assert candidate.cascade is not None
            assert candidate.depth <= len(candidate.cascade.sizes)
        found += merged
    assert len(found) > 3
    network = compile_automaton(TASKS["tomita-7"]())
    assert network.widths == [2, 2]
    is_right(TASKS["tomita-7"](), network)


def test_digits_share_a_coordinate():
    last = Automaton({x: (i,) * 5 for i, x in enumerate("abcde")})
    found = held(one_place(last))
    assert found is not None
    assert (found.width, len(found.bundles), len(found.bundles[0].others)) == (1, 1, 2)
    assert len({found.value(0, found.bundles[0].first[0], q) for q in range(5)}) == 5


def test_what_has_no_such_layer():
    # the first letter: a resets to one state, b to another, and later letters change nothing
    first = Automaton({"a": (1, 1, 2), "b": (2, 1, 2)})
    assert held(one_place(first)) is None
    assert held(with_last_letter(first)) is None
    assert not one_sided([(1, 1, 2), (2, 1, 2)])
    assert copies_layer(first) is None
    assert len(compile_automaton(first).widths) == 2
    assert len(compile_automaton(from_regex("a*b*")).widths) == 2


def test_parts_have_the_first_point():
    assert (divided(0b011, 3), divided(0b100, 3)) == ((0b011, 1), (0b011, -1))


def test_groups_are_listed_once():
    for actions in (1, 2):
        found = graphs(actions)
        assert len({graph.after for graph in found}) == len(found)
        assert [len(graph.elements) for graph in found] == sorted(len(graph.elements) for graph in found)


def test_rational_widths():
    assert [rational_width(p) for p in (1, 2, 3, 4, 5, 6, 8, 10, 12, 60)] == [0, 1, 2, 2, 4, 2, 4, 4, 4, 8]
    with pytest.raises(ValueError, match="at least 1, got 0"):
        rational_width(0)
    assert width_of_one_layer(Automaton({"a": (0,)})) == 0


def test_no_rival_beats_the_default():
    rng = Random(6)
    drawn = [*list(random_machines(15)), *(random_automaton(rng, rng.randint(2, 4), rng.randint(1, 2)).reachable() for _ in range(40))]
    for automaton in drawn:
        chosen = choose(automaton)
        assert beaten_by(automaton, (chosen.depth, chosen.size)) == []
    # and a worse network is beaten
    assert "shift_register" in beaten_by(Automaton({"a": (0, 0), "b": (1, 1)}), (1, 2))
