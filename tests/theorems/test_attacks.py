"""The searches for counterexamples: a small share of each breaks nothing, and a false claim is broken."""

import pytest
from lemmata.theorems.attacks import ATTACKS, reflections
from lemmata.theorems.ledger import ledger

SIZE = 6


@pytest.mark.parametrize("name", ATTACKS)
def test_a_small_share_breaks_nothing(name):
    assert ATTACKS[name].claim in ledger()
    found = ATTACKS[name].search(SIZE)
    assert found.cases > 0
    assert not found.broken


def test_a_lift_that_exists_is_found(monkeypatch):
    table, elements = reflections.lifts.table_of([(1, 0, 2, 3), (0, 2, 1, 3), (0, 1, 3, 2)])
    letters = tuple(elements.index(g) for g in [(1, 0, 2, 3), (0, 2, 1, 3), (0, 1, 3, 2)])
    monkeypatch.setattr(reflections, "sets_said_not_to_lift", lambda: [(24, table, letters)])
    assert reflections.lifts_in_larger_groups(60).broken
