"""Triton's interpreter with bfloat16, and the table of implementations."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest
from lemmata.kernels import table
from lemmata.kernels.implementations import DTYPES, IMPLEMENTATIONS
from lemmata.kernels.interpreter import Counter, counters, is_patched, rounded, widened


def test_rounding_to_nearest_even():
    step = 2.0**-7
    numbers = [1 + step / 2, 1 + 3 * step / 2, -1 - step / 2, 1 + step / 2 + 2.0**-20, 3.4e38, -3.4e38, np.inf, np.nan, 2.0**-130, 0.0]
    expected = [1.0, 1 + 2 * step, -1.0, 1 + step, np.inf, -np.inf, np.inf, np.nan, 2.0**-130, 0.0]
    found = widened(rounded(np.array(numbers, dtype=np.float32)))
    assert np.array_equal(found, np.array(expected, dtype=np.float32), equal_nan=True)


def test_every_bfloat16_comes_back():
    bits = np.arange(2**16, dtype=np.uint32).astype(np.uint16)
    number = ~np.isnan(widened(bits))
    assert np.array_equal(rounded(widened(bits))[number], bits[number])
    assert np.isnan(widened(rounded(widened(bits[~number])))).all()


def test_counters():
    assert list(counters(3)) == [0, 1, 2]
    assert list(counters(1, 6, 2)) == [1, 3, 5]
    assert Counter(2).to("int64") == 2


def test_nothing_is_patched_by_itself():
    assert not is_patched()


# -- the table -----------------------------------------------------------------------------------------------------------------


def kept():
    return json.loads(table.FOUND.read_text(encoding="utf-8"))


def test_the_page_is_drawn_from_what_was_found():
    assert table.PAGE.read_text(encoding="utf-8") == table.page(), f"write it anew: {table.COMMAND}"


@pytest.mark.parametrize("rule", sorted({rule for _, rule in table.rows()}))
def test_the_vectors_are_those_of_the_table(rule):
    assert kept()["vectors"].get(rule) == table.digest(rule), f"run it anew: {table.COMMAND} --again ''"


def test_rows_are_of_known_implementations_in_three_formats():
    rows = kept()["rows"]
    names = {f"{one.name} {rule}" for one, rule in table.rows()}
    assert set(rows) <= names
    assert len(rows) >= 10
    assert {row.split(" ")[0].split(".")[0] for row in rows} >= {"lemmata", "fla", "transformers"}
    for row in rows.values():
        assert set(row["cells"]) == set(DTYPES)
    assert all(one.name == name for name, one in IMPLEMENTATIONS.items())


def test_nothing_loads_a_library_before_it_is_used():
    assert "fla" not in sys.modules
