"""Ties and comparisons that need an extra: they stand apart from the verdict, and take it away when they fail."""

import sys

import pytest
from lemmata.theorems import claim, claims, decide
from lemmata.theorems.evidence import Lost, Proof
from lemmata.theorems.records import record


def stands():
    proof = Proof()
    for n in proof.each("n <= 2", (1, 2)):
        proof.exactly("one", n, n)
    return proof


def facts(proof):
    return proof.verdict, proof.how, proof.scope, [(s.what, s.scope, s.count) for s in proof.steps]


def test_a_tie_adds_nothing_to_the_verdict_or_its_scope():
    proof = stands()
    before = facts(proof)
    for n in proof.tied("n <= 9", range(1, 10)):
        proof.closely("a twin", 0.0 * n, 1.0)
    assert facts(proof) == before
    assert [(s.what, s.how, s.scope, s.count) for s in proof.compared] == [("a twin", "float", "n <= 9", 9)]


def test_a_tie_that_fails_takes_the_verdict_away():
    proof = stands()
    for n in proof.tied("n <= 9", range(1, 10)):
        proof.exactly("a twin", n, min(n, 7))
    assert proof.verdict == "OPEN"
    assert proof.reasons == ["a twin: got 8, expected 7 at 8"]


def test_a_tie_ends_where_its_loop_ends():
    proof = stands()
    for _ in proof.tied("n <= 9", range(9)):
        proof.exactly("a twin", 1, 1)
        break
    proof.exactly("after it", 1, 1)
    assert [s.what for s in proof.steps] == ["one", "after it"]


def test_an_extra_that_is_there_is_compared():
    proof = stands()
    before = facts(proof)
    for json in proof.extra("json"):
        proof.exactly("a twin", json.loads("1"), 1)
    assert facts(proof) == before
    assert [s.what for s in proof.compared] == ["a twin"]
    assert proof.not_compared == []


def test_an_extra_that_is_missing_is_listed():
    proof = stands()
    before = facts(proof)
    for _ in proof.extra("a_package_that_nobody_wrote"):
        raise AssertionError
    assert facts(proof) == before
    assert (proof.compared, proof.not_compared) == ([], ["needs a_package_that_nobody_wrote"])


def test_a_proof_that_stops_stops_at_a_tie():
    proof = Proof(stops=True)
    for _ in proof.tied("one", [1]):
        with pytest.raises(Lost):
            proof.exactly("a twin", 1, 2)


@pytest.fixture
def broken(monkeypatch):
    """A claim with a tie that fails."""

    def fails(proof):
        for _ in proof.tied("one", [1]):
            proof.exactly("a twin", 1, 2)

    monkeypatch.setitem(claim._TIES, "grazzi25.thm1.fig2", [fails])
    return next(c for c in claims(["grazzi25.thm1.fig2"]))


def test_a_claim_falls_by_its_tie(broken):
    found = record(broken, "quick")
    assert (found.verdict, found.as_expected) == ("OPEN", False)
    assert found.reasons == ["a twin: got 1, expected 2 at 1"]


def test_ties_belong_to_the_check_and_not_to_a_broken_one(broken):
    name = next(iter(broken.sabotages))
    assert not decide(broken, "quick", **broken.sabotages[name]).compared


def test_every_tie_names_a_claim():
    """That each holds, and compares something, is part of its claim's verdict: test_claims."""
    assert set(claim._TIES) <= {c.id for c in claims()}


@pytest.mark.parametrize("tie", [lambda proof: None, lambda proof: proof.exactly("beside a loop", 1, 1)], ids=["nothing", "a step"])
def test_a_tie_that_compares_nothing_takes_the_verdict_away(tie, monkeypatch):
    monkeypatch.setitem(claim._TIES, "grazzi25.thm1.fig2", [tie])
    (c,) = claims(["grazzi25.thm1.fig2"])
    assert record(c, "quick").verdict == "OPEN"


def test_without_extras_verdict_scope_and_counts_are_the_same(monkeypatch):
    """What is recorded of the claims that compare torch does not depend on whether it is installed."""
    # every sixth: what an extra adds is recorded by one method
    ids = sorted({id for id, ties in claim._TIES.items() for tie in ties if "extra" in tie.__code__.co_names})[::6]
    with_extras = {id: record(c, "quick") for id in ids for c in claims([id])}
    monkeypatch.setattr("lemmata.theorems.evidence.find_spec", lambda name: None)
    for id, before in with_extras.items():
        after = record(claims([id])[0], "quick")
        assert (after.verdict, after.how, after.scope, after.as_expected) == (before.verdict, before.how, before.scope, True)
        assert [(s["what"], s["count"]) for s in after.steps] == [(s["what"], s["count"]) for s in before.steps]
        assert any("torch" in x or "array_api_strict" in x for x in after.not_compared)
    assert "torch" in sys.modules
