"""The slide about a language: its rung, the word that forbids the one below, and sizes that survive halving."""

from itertools import pairwise

import lemmata as lm
import pytest
from lemmata.constructions.automata import Automaton
from lemmata.constructions.languages.ladder import WAY
from lemmata.constructions.languages.properties import implied
from lemmata.figures.languages import NAMES, SMALL, drawn, forbidding, lit, rungs, slide, title

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
    for large, small in pairwise(WAY):
        assert set(large) <= implied(small)
        assert set(large) != set(small)


@pytest.mark.parametrize("precision", ["exact", "margin", "rounded"])
@pytest.mark.parametrize("i", range(len(ON)))
def test_the_rung_says_who_can_and_who_cannot(i, precision):
    answer = ANSWERS[i].at(precision)
    assert lit(answer) == i
    ladder = rungs(answer)
    for j, rung in enumerate(ladder):
        for model in rung.models:
            said = answer.says(model, "one" if rung.one else "many")
            assert said == ("yes" if j <= i else "no"), (rung.name, model)
    witness = forbidding(answer)
    assert (witness is None) == (i == len(WAY) - 1)
    assert witness is None or answer.check()[witness.refutes]
    can = [rung for rung in ladder[: i + 1] if rung.models]
    assert can[-1].able in title(answer) or i == len(WAY) - 1


def test_the_classes_of_each_arithmetic():
    """With a margin a delay is free: Mamba without its convolution stands a rung higher than with exact states."""
    place = {
        p: next(r.name for r in rungs(ANSWERS[4].at(p)) if "Mamba without convolution" in r.models) for p in ("exact", "margin", "rounded")
    }
    assert place == {"exact": "star-free, stutter-invariant", "margin": "star-free", "rounded": "star-free"}
    one = {r.name: r.models for r in rungs(ANSWERS[4]) if r.one}
    assert list(one) == ["order of last occurrences"]
    assert "DeltaNet [0, 1]" in one["order of last occurrences"]
    assert len(NAMES) == len(WAY)


def test_what_was_not_decided_is_not_denied():
    """Beyond the bounds on the monoid a slide says who can, and of nobody that it cannot."""
    n = 60
    many = lm.can(automaton=Automaton({"a": [*range(1, n), 0], "b": [1, 0, *range(2, n)], "c": [0, 0, *range(2, n)]}))
    for answer in (many, many.at("margin")):
        assert (" cannot" in title(answer)) == (forbidding(answer) is not None)


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
        ["parity", "--draw", str(tmp_path / "other.png")],
    ):
        code, out, err = run("can", *arguments)
        assert code != 0
        assert (out, err.count("\n")) == ("", 1)
    assert list(tmp_path.iterdir()) == [file]
