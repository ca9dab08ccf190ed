"""Layers that keep the old state in a slot of their own, their micro-steps, and stacks of reflections made ready for the proof."""

from itertools import permutations
from math import inf

import numpy as np
import pytest
from lemmata.constructions.automata import Automaton, krohn_rhodes
from lemmata.constructions.automata.cascade.cascade import Move
from lemmata.constructions.automata.compiler import proved
from lemmata.constructions.automata.layers.places import with_places
from lemmata.constructions.automata.layers.reflections import solvable_by_reflections
from lemmata.constructions.automata.levels import delays as module
from lemmata.constructions.automata.levels.delays import two_slot_maps, two_slot_stack
from lemmata.constructions.automata.prove.closure import NotClosed
from lemmata.constructions.automata.prove.delta_steps import delta_steps
from lemmata.constructions.automata.read.families import full_transformations
from lemmata.constructions.automata.read.sources import from_permutations, named_group
from lemmata.constructions.automata.rounding.precision import guaranteed_lengths
from lemmata.numerics import exact
from lemmata.numerics.exact import rationals


def composed(steps, n):
    """(A, B) of the affine map that micro-steps make."""
    A, B = exact.identity(n), exact.zeros(n, 1)
    for step in steps:
        A, B = step.factor.apply(A), step.apply(B)
    return A, B


@pytest.mark.parametrize("m", [1, 2, 3, 4])
def test_two_slots_are_products_of_twice_as_many_factors(m):
    for move in [Move(p, None) for p in permutations(range(m))] + [Move(None, r) for r in range(m)]:
        A, B = two_slot_maps(move, m)
        steps = delta_steps(A, B)
        assert exact.is_contraction(A)
        assert len(steps) <= 2 * m
        assert all(0 <= step.factor.beta <= 2 for step in steps)
        assert all(np.array_equal(x, y) for x, y in zip(composed(steps, 2 * m), (A, B), strict=True))
        for old in range(m):
            H = A @ exact.unit_vector(2 * m, old)[:, None] + B
            assert H[:m, 0].tolist().index(1) == move(old)
            assert H[m:, 0].tolist() == ([int(q == old) for q in range(m)] if move.permutation is None else [0] * m)


@pytest.mark.parametrize(
    ("A", "B"),
    [
        ([[0, 0, 0], [0, 0, 0], [0, 0, 0]], [0, 1, 0]),
        ([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [1, 0, 0]),
        ([[0, 0, 1], [0, 0, 0], [0, 0, 0]], [0, 0, 0]),
        ([[-1]], [1]),
        ([[0]], [1]),
        ([["1/2"]], ["1/3"]),
        ([[1]], [0]),
    ],
)
def test_micro_steps_of_permutation_matrices_without_some_ones_and_of_numbers(A, B):
    A, B = rationals(A), rationals(B)[:, None]
    steps = delta_steps(A, B)
    assert len(steps) <= len(A)
    assert all(np.array_equal(x, y) for x, y in zip(composed(steps, len(A)), (A, B), strict=True))


def test_delays_are_right_at_every_length_in_every_float():
    automaton = full_transformations(4)
    cascade = krohn_rhodes(automaton)
    document = proved(automaton, two_slot_stack(cascade), cascade).document()
    assert [layer["states"][0] and len(layer["states"][0]) for layer in document["layers"]] == [8, 6, 4]
    lengths = guaranteed_lengths(document)
    assert {n for path in ("loop", "scan") for n in lengths[path].values()} == {inf}
    with pytest.raises(ValueError, match="at least two states"):
        two_slot_stack(krohn_rhodes(Automaton({"a": (0,)})))


def test_a_reset_that_forgets_the_old_state_is_noticed(monkeypatch):
    def forgetful(move, m):
        A, B = two_slot_maps(move, m)
        return (A if move.permutation is not None else A * 0), B

    monkeypatch.setattr(module, "two_slot_maps", forgetful)
    automaton = full_transformations(3)
    with pytest.raises(NotClosed):
        proved(automaton, two_slot_stack(krohn_rhodes(automaton)))


def test_reflections_are_proved_layer_by_layer():
    generators = named_group("S4")
    automaton = from_permutations(generators)
    number = {g: q for q, g in enumerate(automaton.names)}
    same = {x: x for x in generators}
    network = proved(automaton, with_places(solvable_by_reflections(generators), same, number.get))
    assert network.widths == [1, 1, 2, 1, 1]
    # two letters exchanged: the proof does not close
    swapped = dict(zip(generators, reversed(generators), strict=True))
    with pytest.raises(NotClosed):
        proved(automaton, with_places(solvable_by_reflections(generators), swapped, number.get))
