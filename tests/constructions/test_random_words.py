"""Random words through a network's last layer: a layer that no rounding touches, and what is refused."""

import numpy as np
import pytest
from lemmata.constructions.automata import Automaton, compile_automaton
from lemmata.constructions.automata.read.sources import from_permutations, named_group
from lemmata.constructions.automata.rounding.random_words import error_sizes, first_errors, turned_letters, walk_of
from lemmata.constructions.rounded_counts import counter, states_near
from lemmata.numerics.floating_point import BFLOAT16


def test_signs_are_never_rounded_and_a_turn_is():
    signs = walk_of(compile_automaton(from_permutations(named_group("Z2"))).proof[-1])
    assert (first_errors(signs, 2.0**-4, 50, 5, 1) == 51).all()
    turn = walk_of(compile_automaton(from_permutations(named_group("Z60")), prefer="narrow").proof[-1])
    assert turn.margin == pytest.approx(np.sin(np.pi / 60))
    assert (first_errors(turn, turn.margin / 2, 2000, 5, 1) <= 2000).all()


def test_a_turned_angle_adds_up_and_a_common_scale_too():
    turn = walk_of(compile_automaton(from_permutations(named_group("Z60")), prefer="narrow").proof[-1])
    for directions in (turned_letters(turn, 1), turn.maps):
        assert error_sizes(turn, directions, 1e-7, (8, 64), 3, 2) == pytest.approx([8, 64], rel=1e-4)


def test_layers_that_write_are_refused():
    writes = compile_automaton(Automaton({"a": (0, 0), "b": (1, 1), "c": (0, 1)}))
    with pytest.raises(ValueError, match="without inputs"):
        walk_of(writes.proof[-1])


def test_states_near_a_start_are_numbers_of_the_format():
    near = [tuple(h) for h in states_near(counter(BFLOAT16, 3), BFLOAT16)]
    assert len(set(near)) == 125
    assert tuple(counter(BFLOAT16, 3).start) in near
    assert all(x in BFLOAT16 for h in near for x in h)
