"""Every claim has its pinned verdict, every sabotage destroys it, and the ledger is complete."""

import ast
import importlib
import inspect
import json
from dataclasses import replace
from pathlib import Path

import pytest
from lemmata.theorems import claims, verify
from lemmata.theorems.claim import _REGISTRY, claim, evidence_for
from lemmata.theorems.ledger import TOPICS, USUAL_WEIGHT, digest_of_words, ledger, read_pins
from lemmata.theorems.recheck.registry import DEMANDS
from lemmata.theorems.records import entry_of, evidence_of, is_caught, pin_of, record
from lemmata.theorems.stored import keep

from .blank_labels import Shadowed, data_of

ROOT = Path(__file__).parents[2]
CLAIMS = claims()
SABOTAGES = [(c, name) for c in CLAIMS for name in c.sabotages]


@pytest.mark.parametrize("c", CLAIMS, ids=[f"{c.topic}/{c.id}" for c in CLAIMS])
def test_verdict_and_words_are_the_pinned_ones(c, monkeypatch):
    kept = []

    def evidence(c, effort):
        kept.append(evidence_for(c, effort, kind=Shadowed))
        return kept[-1]

    monkeypatch.setattr("lemmata.theorems.claim.evidence_for", evidence)
    r = record(c, "quick")
    # no label and no sentence carries anything
    (proof,) = kept
    # the tests' environment has every extra that a tie compares
    assert not proof.not_compared
    assert proof.relabelled() == [data_of(proof)] * 2
    pinned = ledger()[c.id]
    assert (r.verdict, r.how) == (pinned.verdict, pinned.how), r.reasons
    assert r.same_words, f"its words were changed and not pinned: lemmata pin --topic {c.topic}"
    assert r.as_expected
    json.dumps(r.to_json(), allow_nan=False)
    keep(r, "quick")


@pytest.mark.parametrize(("c", "sabotage"), SABOTAGES, ids=[f"{c.topic}/{c.id}: {name}" for c, name in SABOTAGES])
def test_sabotage_is_noticed(c, sabotage):
    assert is_caught(c, sabotage, "quick")


def test_the_ledger_pins_every_claim_and_nothing_else():
    assert [id for topic in TOPICS for id in read_pins(topic)] == [c.id for c in CLAIMS]


def test_links_between_claims_and_to_constructions_are_alive():
    ids = {c.id for c in CLAIMS}
    for c in CLAIMS:
        assert set(c.uses) <= ids, c.id
        assert c.amends is None or c.amends in ids, c.id
        assert c.of is None or c.of in ids, c.id
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


def declared(module="lemmata.theorems.parity.made", argument="", **facts):
    """A claim that is registered for as long as it takes to look at it."""

    def check(proof):
        pass

    check.__module__, check.__doc__ = module, argument
    facts = {"id": "new.made", "place": "", "title": "", "says": "", "sabotages": {"x": {}}} | facts
    claim(facts.pop("id"), **facts)(check)
    return _REGISTRY.pop("new.made")


@pytest.mark.parametrize(
    "bad",
    [
        {"id": "grazzi25.thm1"},
        {"id": "nobody.thm1"},
        {"sabotages": {}},
        {"flaw": "gap"},
        {"of": "grazzi25.thm1"},
        {"of": "grazzi25.thm1", "flaw": "folklore"},
        {"of": "grazzi25.thm1", "flaw": "gap", "amends": "grazzi25.thm1"},
        {"of": "grazzi25.thm1", "flaw": "gap", "weight": "heavy"},
        {"of": "grazzi25.thm1", "flaw": "gap", "root": "new.made"},
        {"of": "grazzi25.thm1", "flaw": "gap", "root": "lizaire26.thm1.proof"},
        {"root": "new.other"},
        {"quotes": ("one two " * 20, "three")},
        {"answers": ("agreed, in version 2", "perhaps")},
        {"module": "lemmata.theorems.closure"},
        {"module": "lemmata.constructions.parity"},
        {"module": "mine"},
    ],
)
def test_registration_refuses(bad):
    declared()
    with pytest.raises(ValueError, match="expected"):
        declared(**bad)
    assert "new.made" not in _REGISTRY


def test_what_a_finding_quotes_and_weighs_is_taken():
    words = {"of": "new.other", "flaw": "misprint", "weight": "wording", "root": "new.third", "extracted": True}
    made = declared(**words, quotes=("one two " * 20,), answers=("disputed, 2026-01-02: no",))
    assert {name: getattr(made, name) for name in words} == words
    assert made.words["quotes"] == ["one two " * 20]


def declarations():
    """(path, the call of ``claim``, the function that it decorates) of every claim."""
    for path in (ROOT / "theorems").glob("*/*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            for call in getattr(node, "decorator_list", []):
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "claim":
                    yield path, call, node


def test_what_follows_is_not_declared():
    """``of`` and ``weight`` are written only where they are not what the id and the flaw say."""
    for _, call, _ in declarations():
        words = {k.arg: k.value.value for k in call.keywords if isinstance(k.value, ast.Constant)}
        id = call.args[0].value
        assert words.get("of") != id.rpartition(".")[0], id
        assert words.get("weight") is None or words["weight"] != USUAL_WEIGHT.get(words.get("flaw")), id


@pytest.mark.parametrize("id", ["lizaire26.thm2.sketch", "lizaire26.thm6.proof", "lizaire26.prop2.bias"])
def test_a_small_refutation_takes_20_lines_in_two_files(id):
    (check,) = [node for _, call, node in declarations() if call.args[0].value == id]
    demand = inspect.getsource(DEMANDS[id, "witness"]).strip().splitlines()
    assert check.end_lineno - check.decorator_list[0].lineno + 1 + len(demand) <= 20


def test_a_field_that_no_claim_has_is_refused():
    with pytest.raises(TypeError, match="tittle"):
        declared(tittle="a slip")


def test_topic_kind_and_uses_follow():
    kinds = {"new": {}, "finding": {"of": "grazzi25.thm1", "flaw": "gap"}, "amended": {"amends": "grazzi25.thm1"}}
    for kind, facts in kinds.items():
        assert declared(**facts).kind == kind
    assert declared("lemmata.theorems.depth.made").topic == "depth"
    marks = "As before.\n\n1. So it is. [uses: new.a, new.b] [prose]\n2. And so. [uses: new.a]\n"
    assert declared(argument=marks).uses == ("new.a", "new.b")
    assert declared(argument=marks, uses=("new.c", "new.b")).uses == ("new.a", "new.b", "new.c")
    assert declared().uses == ()


def test_the_ledger_holds_each_word_under_its_name():
    c = replace(declared(letter="L", remarks=("R",)), id="new.made")
    entry = entry_of(c, record(c, "quick"))
    assert (entry.paper, entry.kind, entry.letter, entry.remarks, entry.title) == ("new", "new", "L", ["R"], "")
    assert entry.evidence == evidence_of(record(c, "quick"))
    assert entry.words_digest == digest_of_words(c.words) != digest_of_words(replace(c, letter="M").words)


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
    assert (r.paper, r.topic, r.verdict, r.how) == ("grazzi25", "parity", "PROVED", "formal")
    assert r.verdict in r._repr_html_()
    assert repr(r) == "<grazzi25.thm1.converse: PROVED, formal; scope: every word>"
    assert claims([r.id])[0]._repr_markdown_().startswith("**grazzi25.thm1.converse**")


@pytest.mark.programs
def test_two_processes_give_the_same_records():
    ids = ["grazzi25.thm1.converse", "grazzi25.fig3", "grazzi25.prop1.3"]
    seen = []
    several = verify(ids, effort="quick", jobs=2, sabotage=True, on_record=lambda r: seen.append(r.id))
    alone = verify(ids, effort="quick", sabotage=True)
    assert sorted(seen) == sorted(ids)
    strip = lambda r: {k: v for k, v in r.to_json().items() if k != "seconds"}  # noqa: E731
    assert [strip(r) for r in several] == [strip(r) for r in alone]
    assert all(all(r.sabotages.values()) for r in alone)


def test_a_check_that_ends_in_an_error_is_not_pinned(monkeypatch):
    def crashes(*given):
        raise RuntimeError("a part is gone")

    monkeypatch.setattr("lemmata.theorems.records.decide", crashes)
    c = claims(["grazzi25.thm1"])[0]
    found = record(c, "quick")
    assert found.verdict == "OPEN"
    with pytest.raises(ValueError, match=r"expected a check of grazzi25\.thm1 that comes to its end, got .*a part is gone"):
        pin_of(c, found)
