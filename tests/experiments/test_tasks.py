"""Every generator against a definition of its own, that does not use the automata."""

import re
from itertools import accumulate, permutations

import numpy as np
import pytest
from lemmata.experiments.tasks import TASKS, UNASKED, delayed_copy, repeat, task_named, word_problem


def drawn(name, length, count=40, seed=0):
    task = task_named(name)
    words, targets = task.sample(count, length, np.random.default_rng(seed))
    return task, words, targets


@pytest.mark.parametrize("name", TASKS)
def test_batches_have_the_shape_that_was_asked_for_and_depend_on_the_seed_alone(name):
    task, words, targets = drawn(name, 12)
    assert words.shape == ((40, 12) if task.letters else (40, 12, task.features))
    assert targets.shape == (40, 12)
    again = task_named(name).sample(40, 12, np.random.default_rng(0))
    assert np.array_equal(words, again[0])
    assert np.array_equal(targets, again[1], equal_nan=not task.answers)
    assert not np.array_equal(words, task.sample(40, 12, np.random.default_rng(1))[0])
    if task.letters:
        assert 0 <= words.min() <= words.max() < len(task.letters)
        assert UNASKED <= targets.min() <= targets.max() < len(task.answers)


def test_parity_counts_the_ones():
    task, words, targets = drawn("parity", 17)
    assert np.array_equal(targets, words.cumsum(1) % 2)
    assert task.letters == ("0", "1")
    assert task.scaled(0.5) == 0


@pytest.mark.parametrize(
    ("name", "points", "letters"),
    [("S3", 3, 6), ("S3.swaps", 3, 4), ("A5", 5, 60), ("S5", 5, 120), ("S5.swaps", 5, 11), ("S5.threes", 5, 31)],
)
def test_word_problems_multiply_permutation_matrices(name, points, letters):
    task, words, targets = drawn(name, 9, count=8)
    assert len(task.letters) == letters
    matrix = {text: np.eye(points, dtype=int)[:, [int(i) for i in text.split()]] for text in task.answers}
    assert len(matrix) == (60 if name == "A5" else len(list(permutations(range(points)))))
    for word, target in zip(words, targets, strict=True):
        products = accumulate((matrix[task.letters[x]] for x in word), lambda before, g: g @ before)
        assert all(np.array_equal(matrix[task.answers[y]], P) for y, P in zip(target, products, strict=True))


def test_modular_arithmetic_is_what_python_says_after_every_digit():
    task, words, targets = drawn("modular-arithmetic", 11)
    assert len(task.letters) == 8
    for word, target in zip(words, targets, strict=True):
        text = "".join(task.letters[x] for x in word)
        assert re.fullmatch(r"\d([-+*]\d)*", text)
        for t, y in enumerate(target):
            assert y == (UNASKED if t % 2 else eval(text[: t + 1]) % 5)


@pytest.mark.parametrize("length", [1, 2, 3, 4, 5, 8, 23])
def test_bracketed_arithmetic_is_what_python_says_at_the_end(length):
    task, words, targets = drawn("bracketed-arithmetic", length)
    assert (targets[:, :-1] == UNASKED).all()
    texts = ["".join(task.letters[x] for x in word) for word in words]
    assert [eval(text) % 5 for text in texts] == targets[:, -1].tolist()
    assert length < 5 or {op for text in texts for op in text if op in "+-*"} == set("+-*")


def test_copies_are_of_the_right_letter():
    _, words, targets = drawn("copy-4", 10)
    assert (targets[:, :4] == UNASKED).all()
    assert all(targets[:, t].tolist() == words[:, t - 4].tolist() for t in range(4, 10))
    _, words, targets = drawn("repeat", 10)
    assert (words[:, 5:] == 4).all()
    assert (targets[:, :5] == UNASKED).all()
    assert np.array_equal(words[:, :5], targets[:, 5:])
    assert (delayed_copy(3).sample(2, 2, np.random.default_rng(0))[1] == UNASKED).all()


def test_the_first_input_is_flagged_and_asked_for_at_the_end():
    _, inputs, targets = drawn("copy-first-input", 6)
    assert np.array_equal(targets[:, -1], inputs[:, 0, 0])
    assert np.isnan(targets[:, :-1]).all()
    assert np.array_equal(inputs[:, :, 1], np.tile([1, 0, 0, 0, 0, 0], (40, 1)))


def test_what_is_refused():
    with pytest.raises(ValueError, match="expected a task among parity"):
        task_named("parities")
    with pytest.raises(ValueError, match="expected the letters all, or swaps, threes or generators"):
        word_problem("A5", "swaps")
    with pytest.raises(ValueError, match="expected an even length"):
        repeat().sample(2, 5, np.random.default_rng(0))
    with pytest.raises(ValueError, match="expected a delay"):
        delayed_copy(-1)
