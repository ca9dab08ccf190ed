"""No numbered statement of a paper is forgotten, and the ledger is worth what it says."""

import pytest
from lemmata.papers import papers
from lemmata.theorems.ledger import ledger

ENTRIES = ledger()


@pytest.mark.parametrize("id", [f"{paper.key}.{place}" for paper in papers().values() for place in paper.statements])
def test_every_numbered_statement_has_an_entry(id):
    found = [e for e in ENTRIES.values() if e.id == id or e.id.startswith(f"{id}.")]
    assert [e.id for e in found if e.kind == "statement"]


def test_at_least_sixty_claims_are_proved():
    assert sum(e.verdict == "PROVED" for e in ENTRIES.values()) >= 60


def test_nearly_every_refutation_can_be_checked_by_others():
    refuted = [e for e in ENTRIES.values() if e.verdict == "REFUTED"]
    without = [e.id for e in refuted if not e.certificates]
    assert len(without) <= 0.05 * len(refuted), without


def test_two_thirds_of_all_claims_can_be_checked_by_others():
    assert sum(bool(e.certificates) for e in ENTRIES.values()) >= 2 / 3 * len(ENTRIES)
