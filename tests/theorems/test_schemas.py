"""Every certificate has a declared schema, and the page that lists them is fresh."""

from pathlib import Path

import pytest
from lemmata.theorems.recheck import schema
from lemmata.theorems.recheck.exact import Rejected
from lemmata.theorems.recheck.registry import DEMANDS, SCHEMAS, WHOLE
from lemmata.theorems.recheck.schemas import markdown

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "schemas.md"


def test_every_demand_declares_its_data():
    assert not sorted(key for key in DEMANDS if key not in SCHEMAS and key[1] not in WHOLE)


def test_page_is_fresh():
    assert PAGE.read_text(encoding="utf-8") == markdown(), "python -m lemmata.theorems.recheck.schemas > docs/reference/schemas.md"


@pytest.mark.parametrize("text", ["2/4", "4/2", "3/1", "+1", "01", "-0", "1e3", "1.5", " 1", "1/0", "٣", "--1", "", 1, True, None])
def test_other_spellings_are_refused(text):
    with pytest.raises(Rejected):
        schema.Rational(12).check(text, "x")


@pytest.mark.parametrize("text", ["0", "-1", "10", "-3/4", "1/2"])
def test_canonical_numbers_pass(text):
    schema.Rational(12).check(text, "x")


@pytest.mark.parametrize(
    ("declared", "good", "bad"),
    [
        (schema.Natural(1, 4), [1, 4], [0, 5, "1", True, 1.0, None]),
        (schema.Truth(), [True, False], [0, 1, "true", None]),
        (schema.Truth(only=False), [False], [True, 0, 1, "false", None]),
        (schema.Text("a", "b"), ["a"], ["c", "", 1, None]),
        (schema.Words("ab", 3), ["", "aba"], ["abab", "c", 1]),
        (schema.Items(schema.Natural(0, 1), 1, 2), [[0], [1, 0]], [[], [0, 0, 0], [2], {}, None, "0"]),
        (schema.Tuple(schema.Natural(0, 1), schema.Truth()), [[0, True]], [[0], [True, 0], [0, True, 0]]),
        (
            schema.Fields(a=schema.Null(), optional={"b": schema.Truth()}),
            [{"a": None}, {"a": None, "b": True}],
            [{}, {"a": 1}, {"a": None, "c": 1}],
        ),
        (schema.Table(schema.Words("x", 2), schema.Truth(), 1, 2), [{"x": True}], [{}, {"y": True}, {"x": 1}, []]),
        (schema.Either(schema.Null(), schema.Truth()), [None, True], [1, "x"]),
        (schema.Matrix((1, 2), 2, 4), [[["1", "0"]]], [[], [["1"]], [[1, 0]], [["1", "0"]] * 3]),
        (schema.Vector(2, 3), [["1", "1/2"]], [["1"], ["1", "1/22"], ["1", "2/4"]]),
    ],
    ids=lambda x: type(x).__name__,
)
def test_schemas_take_what_they_say_and_nothing_else(declared, good, bad):
    assert declared.describe()
    for x in good:
        declared.check(x, "x")
    for x in bad:
        with pytest.raises(Rejected):
            declared.check(x, "x")
