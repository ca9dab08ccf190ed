"""No numbered statement of the five papers is forgotten, and the ledger is worth what it says."""

import pytest
from lemmata.theorems.ledger import PAPERS, ledger

#: what each paper numbers; definitions count where a claim hangs on them. A statement in parts has an entry for each part ("grazzi25.prop1.3").
NUMBERED = {
    "grazzi25": ("thm1", "thm2", "thm3", "thm4", "thm5", "thm6", "prop1", "lemma1"),
    "orvieto24": ("thm1", "thm2", "thm3", "thm4", "thm5", "thm6", "thm7", "thm8", "prop1", "prop2", "rmk1", "rmk2"),
    "movahedi25": ("thm2.1", "thm2.2", "thmC.1", "thmD.1", "thmD2", "propG.2", "rmkG.3", "rmkG.4"),
    "degeeter26": ("appB.thm1", "appB.thm2", "appB.thm3"),
    "lizaire26": (
        *("thm1", "thm2", "thm3", "thmA.7.1", "thm4", "thm5", "thm6"),
        *("prop1", "prop2", "cor1", "cor2", "lemma1", "lemma2", "lemma3", "lemma4"),
    ),
}

ENTRIES = ledger()


@pytest.mark.parametrize("id", [f"{paper}.{place}" for paper, places in NUMBERED.items() for place in places])
def test_every_numbered_statement_has_an_entry(id):
    found = [e for e in ENTRIES.values() if e.id == id or e.id.startswith(f"{id}.")]
    assert [e.id for e in found if e.kind == "statement"]


@pytest.mark.parametrize("paper", [p for p in PAPERS if p != "new"])
def test_every_paper_has_headlines(paper):
    places = [e.place.lower() for e in ENTRIES.values() if e.paper == paper and e.kind == "statement"]
    assert any(word in place for place in places for word in ("abstract", "introduction", "sec. 1"))


def test_at_least_sixty_claims_are_proved():
    assert sum(e.verdict == "PROVED" for e in ENTRIES.values()) >= 60


def test_nearly_every_refutation_can_be_checked_by_others():
    refuted = [e for e in ENTRIES.values() if e.verdict == "REFUTED"]
    without = [e.id for e in refuted if not e.certificates]
    assert len(without) <= 0.05 * len(refuted), without


def test_two_thirds_of_all_claims_can_be_checked_by_others():
    assert sum(bool(e.certificates) for e in ENTRIES.values()) >= 2 / 3 * len(ENTRIES)
