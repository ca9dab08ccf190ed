"""ListOps against an evaluator of its own, what the experiment on depth at one number of parameters reads, and its sentence with made-up numbers."""

from random import Random
from statistics import median

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the extra 'torch'")

import xarray as xr  # noqa: E402
from lemmata.experiments import arena  # noqa: E402
from lemmata.experiments.listops import ARGUMENTS, LETTERS, expression, listops  # noqa: E402


def value(text):
    """What an expression comes to, by a stack; every argument list has at least two."""
    stack = [[]]
    for x in text:
        if x.startswith("["):
            stack.append([x])
        elif x == "]":
            operator, *values = stack.pop()
            assert 2 <= len(values) <= ARGUMENTS
            middle = int(median(values))
            stack[-1].append({"[MIN": min(values), "[MAX": max(values), "[MED": middle, "[SM": sum(values) % 10}[operator])
        else:
            stack[-1].append(int(x))
    ((result,),) = stack
    return result


def test_expressions_come_to_what_they_say_at_every_length():
    rng = Random(0)
    for length in [1, *range(4, 60)] * 5:
        text, said = expression(length, rng)
        assert len(text) == length
        assert value(text) == said
    for length in (0, 2, 3):
        with pytest.raises(ValueError, match="expected a length of 1 or at least 4"):
            expression(length, rng)
    # all operators, all numbers of arguments, and nesting
    texts = [expression(30, rng)[0] for _ in range(50)]
    assert {x for text in texts for x in text} == set(LETTERS)
    assert max(max(np.cumsum([x.startswith("[") - (x == "]") for x in text])) for text in texts) > 4


def test_listops_asks_at_the_end_and_is_seeded():
    words, targets = listops().sample(40, 17, np.random.default_rng(5))
    assert words.shape == targets.shape == (40, 17)
    assert (targets[:, :-1] == -1).all()
    assert [value([LETTERS[i] for i in word]) for word in words] == targets[:, -1].tolist()
    assert np.array_equal(words, listops().sample(40, 17, np.random.default_rng(5))[0])


def test_depths_have_as_many_parameters():
    for task in arena.TASKS:
        goal = arena.counted(task, 64, 1)
        for depth in (2, 3, 6):
            n = arena.width_of(task, 64, depth)
            assert abs(arena.counted(task, n, depth) - goal) <= abs(arena.counted(task, n + 1, depth) - goal)
            assert abs(arena.counted(task, n, depth) - goal) < 0.06 * goal


def test_what_is_trained_on_is_not_the_test():
    read = arena.sequences(arena.SIZES["smoke"])
    assert list(read) == list(arena.TASKS)
    for name in ("images", "pathfinder"):
        task, ((inputs, answers),) = read[name]
        trained, targets = task.sample(60, inputs.shape[1], np.random.default_rng(0))
        assert trained.shape[1:] == inputs.shape[1:]
        assert set(targets[:, -1]) | set(answers) <= set(range(len(task.answers)))
        assert not (trained[:, None] == inputs[None]).all((2, 3)).any()
        with pytest.raises(ValueError, match="expected the length of an image, 64, got 5"):
            task.sample(2, 5, np.random.default_rng(0))


def test_depth_at_one_number_of_parameters_in_miniature():
    data = arena.EXPERIMENT.compute("smoke")
    assert dict(data.accuracy.sizes) == {"task": 3, "depth": 2, "seed": 1}
    assert float(abs(data.parameters / data.parameters.isel(depth=0) - 1).max()) < 0.1
    assert len(arena.draw(data).axes) == 3
    assert "no claim predicts these accuracies" in arena.EXPERIMENT.outcome(data)
    # a scale may have fewer seeds of a task, unless a number is asked for
    assert len(arena.EXPERIMENT.runs("desk", 3)) == 36 > len(arena.EXPERIMENT.runs("desk"))


def test_the_sentence_on_depth_at_one_number_of_parameters_follows_the_numbers():
    def made_up(*by_task):
        return xr.Dataset(
            {
                "accuracy": (("task", "depth", "seed"), np.repeat(np.array(by_task)[..., None], 3, axis=2)),
                "guess": ("task", [0.1, 0.12, 0.5]),
                "parameters": (("task", "depth"), np.full((3, 4), 1000)),
            },
            {"task": list(arena.TASKS), "depth": [1, 2, 3, 6], "seed": [0, 1, 2]},
            {"longest": 40, "side": 8, "images": "digits", "pixels": 64},
        )

    paper = made_up([0.8, 0.9, 0.95, 0.95], [0.4, 0.5, 0.55, 0.54], [0.6, 0.7, 0.8, 0.9])
    assert [arena.gains(paper, task) for task in arena.TASKS] == ["saturates", "saturates", "goes on"]
    assert arena.EXPERIMENT.outcome(paper).count("': yes (L = 1") == 3
    other = made_up([0.8, 0.81, 0.81, 0.7], [0.4, 0.5, 0.6, 0.7], [0.5, 0.51, 0.52, 0.53])
    assert [arena.gains(other, task) for task in arena.TASKS] == ["none", "goes on", "not learnt"]
    said = arena.EXPERIMENT.outcome(other)
    assert "'listops: more layers help, up to a point': no, goes on" in said
    assert "'pathfinder: every layer more helps': not reproduced at this scale" in said
    # one seed of three does not decide
    paper.accuracy[2, 3, 0] = 0.0
    assert arena.gains(paper, "pathfinder") == "goes on"
