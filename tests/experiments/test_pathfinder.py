"""Pathfinder images: labels by following the curve, and what must say nothing about them."""

from math import hypot

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra 'torch'")

from lemmata.experiments.pathfinder import CURVE, DOT, Pathfinder, simple_numbers
from lemmata.experiments.tasks import UNASKED

KINDS = (
    Pathfinder(8, dashes=2, distractors=1),
    Pathfinder(12),
    Pathfinder(16, dashes=4, distractors=3),
    Pathfinder(9, 2, 0, dash=3, gap=0),
)


def followed(image, reach):
    """Whether one comes from a dot to the other by steps of at most ``reach`` rows and columns on lit pixels, and all that one comes to."""
    lit = set(map(tuple, np.argwhere(image > 0)))
    first, last = map(tuple, np.argwhere(image == DOT))
    seen, todo = {first}, [first]
    while todo:
        i, j = todo.pop()
        new = {p for p in lit - seen if max(abs(p[0] - i), abs(p[1] - j)) <= reach}
        seen |= new
        todo += new
    return int(last in seen), seen


@pytest.mark.parametrize("kind", KINDS)
def test_who_follows_the_curve_finds_the_label(kind):
    images, labels = kind.images(60, np.random.default_rng(1))
    lit = [kind.dashes * kind.dash, max(1, kind.dashes // 3) * kind.dash]
    for image, label in zip(images, labels, strict=True):
        found, seen = followed(image, kind.gap + 1)
        assert found == label
        assert len(seen) == lit[0]
        assert (image > 0).sum() == 2 * lit[0] + kind.distractors * lit[1]
        assert set(np.unique(image)) == {0, CURVE, DOT}


def test_the_gap_cannot_be_ignored():
    images, labels = KINDS[1].images(60, np.random.default_rng(1))
    # who takes only touching pixels for one curve sees no dots joined
    assert not any(followed(image, 1)[0] for image in images)
    assert {0, 1} == set(labels)


def test_simple_numbers_are_what_a_loop_finds():
    images, _ = KINDS[2].images(20, np.random.default_rng(5))
    for image, found in zip(images, simple_numbers(images), strict=True):
        rows, columns = np.nonzero(image)
        (a, b), (c, d) = np.argwhere(image == DOT)
        side = len(image)
        around = [(np.maximum(abs(rows - i), abs(columns - j)) <= 3).sum() for i, j in ((a, b), (c, d))]
        between = sum(hypot(i - (a + c) / 2, j - (b + d) / 2) <= hypot(a - c, b - d) / 2 for i, j in zip(rows, columns, strict=True))
        shape = [len(rows), (rows < side // 2).sum(), (columns < side // 2).sum(), rows.std(), columns.std()]
        border = [min(i, side - 1 - i) for i in (a, b, c, d)]
        np.testing.assert_allclose(found, [*shape, hypot(a - c, b - d), *border, *around, between])


@pytest.fixture(scope="module")
def many():
    return KINDS[1].images(3000, np.random.default_rng(2))


def test_counts_and_distances_say_nothing_and_all_simple_numbers_little(many):
    images, labels = many
    assert abs(labels.mean() - 0.5) < 0.03
    numbers, half = simple_numbers(images), len(labels) // 2

    def guessed(features):
        """The share of right answers of the best weighted sum, on the other half of the images."""
        features = np.column_stack([features, np.ones(len(features))])
        weights = np.linalg.lstsq(features[:half], 2.0 * labels[:half] - 1)[0]
        return ((features[half:] @ weights > 0) == labels[half:]).mean()

    assert guessed(numbers[:, :6]) < 0.54
    assert guessed(numbers) < 0.6
    # a number that tells is noticed
    assert guessed(np.column_stack([numbers, labels + np.random.default_rng(0).normal(0, 0.5, len(labels))])) > 0.75


def test_both_answers_have_the_same_distances(many):
    images, labels = many
    apart = np.rint(simple_numbers(images)[:, 5])
    for distance in np.unique(apart):
        some = labels[apart == distance]
        assert abs(some.sum() - len(some) / 2) <= 4 * np.sqrt(len(some)) / 2


def test_the_task_reads_an_image_row_by_row():
    kind = KINDS[0]
    task = kind.task()
    inputs, targets = task.sample(5, 64, np.random.default_rng(4))
    images, labels = kind.images(5, np.random.default_rng(4))
    assert inputs.shape == (5, 64, 1)
    assert inputs[2, 8 + 3, 0] == images[2, 1, 3] - 0.5
    assert (inputs[..., 0] == images.reshape(5, 64) - 0.5).all()
    assert (targets[:, -1] == labels).all()
    assert (targets[:, :-1] == UNASKED).all()
    again, _ = kind.images(5, np.random.default_rng(4))
    assert (again == images).all()
    with pytest.raises(ValueError, match="expected the length of an image, 64, got 63"):
        task.sample(5, 63, np.random.default_rng(4))


@pytest.mark.parametrize("wrong", [{"side": 7}, {"side": 33}, {"dashes": 1}, {"distractors": -1}, {"dash": 0}, {"gap": -1}])
def test_what_is_refused(wrong):
    with pytest.raises(ValueError, match=r"^expected "):
        Pathfinder(**wrong)


def test_curves_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="take fewer or shorter ones"):
        Pathfinder(8, dashes=9).images(1, np.random.default_rng(0))
