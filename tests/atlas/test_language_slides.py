"""The slide about a language: its rung, the word that forbids the one below, and sizes that survive halving."""

from itertools import pairwise

import lemmata as lm
import pytest
from lemmata.constructions.languages.properties import implied
from lemmata.figures.languages import LADDER, SMALL, drawn, forbidding, lit, slide, title

#: an expression or a group on each rung, the largest class first
ON = [
    {"group": "A5"},
    {"group": "S3"},
    {"regex": "(aa)*"},
    {"regex": "(a|b)*aba(a|b)*"},
    {"regex": "a*b*"},
    {"regex": "[hrs]*sh*"},
    {"regex": "(a|b)*a"},
]
ANSWERS = [lm.can(**asked) for asked in ON]


def test_each_rung_lies_in_the_one_before():
    for large, small in pairwise(LADDER):
        assert set(large.properties) <= implied(small.properties)
        assert set(large.properties) != set(small.properties)


@pytest.mark.parametrize("i", range(len(ON)))
def test_the_rung_says_who_can_and_who_cannot(i):
    answer = ANSWERS[i]
    assert lit(answer) == i
    for j, rung in enumerate(LADDER):
        assert {answer.says(model) for model in rung.models} <= {"yes" if j <= i else "no"}
    witness = forbidding(answer)
    assert (witness is None) == (i == len(LADDER) - 1)
    assert witness is None or answer.check()[witness.refutes]
    assert LADDER[i].able in title(answer) or i == len(LADDER) - 1


def test_one_layer_of_these_is_one_layer():
    (order,) = (rung for rung in LADDER if not rung.models)
    above = LADDER[LADDER.index(order) - 1]
    for answer, says in ((ANSWERS[4], "no"), (ANSWERS[5], "yes")):
        assert {answer.says(model, layers="one") for model in above.models} == {says}


def test_a_slide_of_16_to_9_that_is_legible_at_half_size():
    for answer in (ANSWERS[0], ANSWERS[3], ANSWERS[6]):
        figure = slide(answer)
        width, height = figure.get_size_inches()
        assert width / height == pytest.approx(16 / 9)
        words = [*figure.texts, *(t for ax in figure.axes for t in ax.texts if t.get_text())]
        assert len(words) > 10
        assert all(t.get_fontsize() >= SMALL for t in words)
    assert drawn(ANSWERS[4], "svg") == drawn(lm.can(regex="a*b*"), "svg")


def test_the_title_about_one_model():
    for model, says in (
        ("BMRU", "The language (ab)*: no number of layers of BMRU can"),
        ("PD-SSM", "The language (ab)*: 1 layer of PD-SSM can"),
    ):
        assert title(lm.can(regex="(ab)*", model=model)) == says
    assert "is not decided" in title(lm.can(group="A5", model="fixed-point-nonnegative"))


def test_files(run, tmp_path):
    file = tmp_path / "slide.png"
    assert run("can", "--regex", "a*b*", "--model", "BMRU", "--draw", str(file))[0] == 0
    assert file.read_bytes().startswith(b"\x89PNG")
    for arguments in (
        ["--regex", "a*b*", "--draw", str(tmp_path / "slide.pdf")],
        ["--regex", "a*b*", "--precision", "margin", "--draw", str(tmp_path / "other.png")],
        ["parity", "--draw", str(tmp_path / "other.png")],
    ):
        code, out, err = run("can", *arguments)
        assert code != 0
        assert (out, err.count("\n")) == ("", 1)
    assert list(tmp_path.iterdir()) == [file]
