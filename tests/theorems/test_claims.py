"""Every claim has its pinned verdict, every sabotage destroys it, and the ledger is complete."""

import importlib

import pytest
from lemmata.theorems import claims, decide, verify
from lemmata.theorems.claim import claim
from lemmata.theorems.records import expected_verdicts, is_caught

CLAIMS = claims()
SABOTAGES = [(c, name) for c in CLAIMS for name in c.sabotages]


@pytest.mark.parametrize("c", CLAIMS, ids=lambda c: c.id)
def test_verdict_is_the_pinned_one(c):
    proof = decide(c, "quick")
    assert (proof.verdict, proof.how) == expected_verdicts()[c.id], proof.reasons


@pytest.mark.parametrize(("c", "sabotage"), SABOTAGES, ids=[f"{c.id}: {name}" for c, name in SABOTAGES])
def test_sabotage_is_noticed(c, sabotage):
    assert is_caught(c, sabotage, "quick")


def test_the_ledger_pins_every_claim_and_nothing_else():
    assert set(expected_verdicts()) == {c.id for c in CLAIMS}


def test_links_between_claims_and_to_constructions_are_alive():
    ids = {c.id for c in CLAIMS}
    for c in CLAIMS:
        assert set(c.uses) <= ids, c.id
        assert c.amends is None or c.amends in ids, c.id
        assert (c.kind == "amended") == (c.amends is not None), c.id
        assert c.argument, c.id
        if c.construction:
            module, _, name = c.construction.rpartition(".")
            found = (
                getattr(importlib.import_module(module), name, None) if not _is_class(module) else getattr(_attribute(module), name, None)
            )
            assert found is not None or importlib.import_module(c.construction), c.construction


def _is_class(dotted):
    return dotted.rpartition(".")[2][0].isupper()


def _attribute(dotted):
    module, _, name = dotted.rpartition(".")
    return getattr(importlib.import_module(module), name)


def test_a_claim_that_uses_a_refuted_one_would_be_wrong():
    verdict = {id: v for id, (v, _) in expected_verdicts().items()}
    for c in CLAIMS:
        if verdict[c.id] == "VERIFIED":
            assert all(verdict[used] == "VERIFIED" for used in c.uses), c.id


def test_refuted_and_amended_stand_together():
    verdict = {id: v for id, (v, _) in expected_verdicts().items()}
    for c in CLAIMS:
        if c.amends:
            assert verdict[c.amends] == "REFUTED", c.id
            assert verdict[c.id] == "VERIFIED", c.id


@pytest.mark.parametrize("bad", [{"id": "grazzi25.thm1"}, {"id": "nobody.thm1"}, {"sabotages": {}}, {"kind": "folklore"}])
def test_registration_refuses(bad):
    facts = {"id": "new.test", "topic": "parity", "place": "", "title": "", "says": "", "sabotages": {"x": {}}} | bad
    with pytest.raises(ValueError, match="expected"):
        claim(facts.pop("id"), **facts)(lambda proof: None)


@pytest.mark.parametrize(
    "bad", [{"ids": ["grazzi25.thm"]}, {"papers": ["grazzi"]}, {"topics": ["pariti"]}, {"effort": "huge"}, {"jobs": 0}]
)
def test_verify_refuses(bad):
    with pytest.raises(ValueError, match="expected"):
        verify(**bad)


def test_records_say_what_the_json_says():
    (r,) = verify("grazzi25.thm1.converse", effort="quick")
    facts = r.to_json()
    for name in ("id", "paper", "topic", "verdict", "expected", "how", "scope", "seconds", "sabotages"):
        assert name in facts
    assert r.as_expected
    assert (r.paper, r.topic, r.verdict, r.how) == ("grazzi25", "parity", "VERIFIED", "exhaustive")
    assert "VERIFIED" in r._repr_html_()
    assert repr(r) == "<grazzi25.thm1.converse: VERIFIED, exhaustive; scope: all words over {0, 1}>"
    assert claims([r.id])[0]._repr_markdown_().startswith("**grazzi25.thm1.converse**")


def test_two_processes_give_the_same_records():
    ids = ["grazzi25.thm1.converse", "grazzi25.fig3", "grazzi25.prop1.3"]
    seen = []
    several = verify(ids, effort="quick", jobs=2, sabotage=True, on_record=lambda r: seen.append(r.id))
    alone = verify(ids, effort="quick", sabotage=True)
    assert sorted(seen) == sorted(ids)
    strip = lambda r: {k: v for k, v in r.to_json().items() if k != "seconds"}  # noqa: E731
    assert [strip(r) for r in several] == [strip(r) for r in alone]
    assert all(all(r.sabotages.values()) for r in alone)
