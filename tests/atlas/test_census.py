"""The census of layers: small rows anew, and against the monoids by hand."""

from pathlib import Path

import pytest
from lemmata.atlas.census import FAMILIES, counted, document, machines
from lemmata.cli.markdown import markdown

pytestmark = pytest.mark.programs

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "layers.md"


def rows(text):
    return [line for line in text.splitlines() if line.startswith("| all with") and "3 letters" not in line]


def test_small_rows_are_those_of_the_page():
    kept = rows(PAGE.read_text(encoding="utf-8"))
    anew = rows(markdown(document(FAMILIES[:2])))
    assert len(anew) == 4
    # columns that only larger machines have are 0
    assert [[cell for cell in row.split("|") if cell.strip() != "0"] for row in anew] == [
        [cell for cell in row.split("|") if cell.strip() != "0"] for row in kept
    ]
    assert PAGE.read_text(encoding="utf-8").splitlines()[:5] == markdown(document([])).splitlines()[:5]


def test_up_to_three_states_every_machine_is_decided_with_exact_states():
    for family in FAMILIES[:2]:
        found = counted(family)
        assert (found["exact"].open, found["exact"].uncomputed) == (0, 0)
        assert found["exact"].counts.total() == found["margin"].counts.total() == sum(1 for _ in machines(family))
        assert all(least <= most for known in found.values() for least, most in known.counts)
        # the margin is the kinder arithmetic
        assert found["margin"].bounded(2) <= found["exact"].bounded(2)
