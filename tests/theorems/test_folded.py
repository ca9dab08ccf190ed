"""Ids that were folded lead to the entry that took them in."""

from lemmata.theorems.ledger import current, entries, folded, ledger


def test_folded_ids_lead_to_an_entry_and_say_why():
    for id, fold in folded().items():
        assert id not in ledger()
        assert set(fold) == {"into", "why"}
        assert current(id) in ledger()
        assert fold["why"].endswith(".")
        assert [e.id for e in entries([id])] == [current(id)]
