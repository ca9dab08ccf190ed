"""The kept page of what a probe must say has the tables as they are, and names tests that are there."""

import re
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="needs the extra 'torch'")

sys.path.insert(0, str(Path(__file__).parent))
import acceptance
import page
from test_tricks import TRICKS

TESTS = Path(__file__).resolve().parents[1]
KEPT = (TESTS.parent / "docs" / "reference" / "probe.md").read_text(encoding="utf-8")


def test_the_kept_page_has_the_tables_as_they_are():
    """Only seconds may differ from what ``page.py`` prints."""
    seconds = [float(s) for s in re.findall(r"\| (\d+\.\d) \|$", KEPT, re.MULTILINE)]
    assert len(seconds) == len(acceptance.TABLE)
    assert max(seconds) < acceptance.MOST
    said = [
        {"text": " ".join(r.words), "row": r.row, "fails": r.fails, "seconds": s} for r, s in zip(acceptance.TABLE, seconds, strict=True)
    ]
    assert "\n".join(page.lines(list(zip(acceptance.TABLE, said, strict=True)))) == KEPT.rstrip("\n")


@pytest.mark.parametrize("mode", page.MODES, ids=lambda mode: mode[0])
def test_each_way_of_being_fooled_has_a_test(mode):
    _, _, path, test = mode
    assert re.search(rf"^def {test}\(", (TESTS / path).read_text(encoding="utf-8"), re.MULTILINE)


def test_there_are_at_least_ten_tricks():
    assert len(TRICKS) >= 10
