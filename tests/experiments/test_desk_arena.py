"""S4D by depth at desk scale: as many parameters at each depth, and nothing is tested that training or the choice of a rate has seen."""

from itertools import pairwise

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra 'torch'")

from lemmata.experiments import desk_arena, desk_paths
from lemmata.experiments.arena import counted
from lemmata.experiments.bistable_paths import drawn
from lemmata.experiments.desk import VALIDATION
from lemmata.experiments.training import TEST


@pytest.mark.parametrize(("of", "depth"), desk_arena.SHAPES)
def test_stacks_have_as_many_parameters(of, depth):
    name = desk_arena.QUESTIONS[of].name
    goal, n = counted(name, desk_arena.BASE, 2), desk_arena.width(name, depth)
    assert abs(counted(name, n, depth) - goal) <= min(abs(counted(name, n + k, depth) - goal) for k in (-1, 1))
    assert abs(counted(name, n, depth) - goal) < 0.02 * goal


def images(pixels):
    return {row.tobytes() for row in np.asarray(pixels, dtype=float).reshape(len(pixels), -1)}


def test_digits_of_training_choice_and_test_differ():
    train, choose, test = desk_arena.digits()
    assert [len(labels) for _, labels in (train, choose, test)] == [9 * 1311, 187, 299]
    assert not images(train[0]) & images(choose[0])
    assert not images(train[0]) & images(test[0])
    assert not images(choose[0]) & images(test[0])
    # a digit is what it is wherever it is shifted to
    assert (train[1].reshape(9, -1) == train[1][:1311]).all()


def test_curves_that_choose_and_that_test_are_drawn_apart(monkeypatch):
    few = 20
    monkeypatch.setattr(desk_paths, "WORDS", few)
    chosen, tested = (desk_arena.curves(use)[0] for use in (VALIDATION, TEST))
    assert len(chosen) == len(tested) == few
    seen = drawn(desk_paths.SIZE.images, few, 0)[0]
    assert all(not images(a) & images(b) for a, b in pairwise((seen, chosen, tested, seen)))


def test_expressions_have_several_lengths_and_one_answer():
    parts = {use: desk_arena.unseen("listops", use) for use in (VALIDATION, TEST)}
    for part in parts.values():
        assert [words.shape for words, _ in part] == [(500, n) for n in (10, 20, 30, 40)]
        assert all(set(answers) == set(range(10)) for _, answers in part)
    assert not np.array_equal(parts[TEST][0][0], parts[VALIDATION][0][0])


def test_a_gain_is_that_of_each_seed():
    numbers = {"ListOps, six layers": [0.5, 0.25], "ListOps, two layers": [0.25, 0.5]}
    assert desk_arena.gain(lambda cell, number: numbers[cell], "ListOps") == [0.25, -0.25]
