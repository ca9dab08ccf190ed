"""The words of a counterexample stand once, beside the demand; the check and the re-checker each decide every one of them.

For each refuted claim: where either side finds a word false, or is silent on it, the claim is refuted no more.
"""

import ast
import copy
from functools import cache, wraps
from pathlib import Path

import pytest
from lemmata.theorems import claims, decide, recheck
from lemmata.theorems.claim import evidence_for
from lemmata.theorems.evidence import Proof
from lemmata.theorems.ledger import ledger
from lemmata.theorems.recheck import Rejected
from lemmata.theorems.recheck.limits import metered
from lemmata.theorems.recheck.registry import COVERS, DEMANDS, WORDS, Words, check_certificates, heeded
from lemmata.theorems.recheck.statements.parity import examples

REFUTED = [id for id, e in ledger().items() if e.verdict == "REFUTED"]

THEOREMS = Path(recheck.__file__).parents[1]

#: words that no certificate holds; each new one makes the re-checker's refutation weaker
BEYOND = 1


class Recorded(Proof):
    """A proof that remembers how its counterexamples were recorded."""

    def counterexample(self, *args, **options):
        vars(self).setdefault("calls", []).append((args, options))
        super().counterexample(*args, **options)

    def again(self, change):
        """The same proof with each counterexample's words changed."""
        other = copy.copy(self)
        other.counterexamples = []
        for args, options in vars(self)["calls"]:
            Proof.counterexample(other, *args, **options | {"words": change(options["words"])})
        return other


@cache
def proved(id):
    (c,) = claims([id])
    proof = evidence_for(c, "standard", kind=Recorded)
    c.check(proof)
    return proof


def certificates(id):
    return [{"kind": c.kind, "data": c.data} for c in proved(id).certificates]


def checked(id):
    with metered():
        check_certificates(id, certificates(id))


def change_demands(monkeypatch, id, change):
    """Every demand of the claim decides its words as ``change`` makes of them."""

    def changed(demand):
        @wraps(demand)
        def decide(what):
            return change(demand(what) or {})

        return heeded(id, decide)

    for table, keys in ((DEMANDS, [key for key in DEMANDS if key[0] == id]), (COVERS, [id] if id in COVERS else [])):
        for key in keys:
            monkeypatch.setitem(table, key, changed(table[key].__wrapped__))


def negated(key):
    return lambda words: {k: not held if k == key else held for k, held in words.items()}


def without(key):
    return lambda words: {k: held for k, held in words.items() if k != key}


def test_the_refuted_claims_have_words_and_no_others_but_those_begun():
    assert sorted(id for id in WORDS if ledger()[id].verdict != "OPEN") == sorted(REFUTED)
    assert all(words.violates for words in WORDS.values())


@pytest.mark.parametrize("id", REFUTED)
def test_both_sides_decide_the_words(id):
    proof = proved(id)
    assert proof.verdict == "REFUTED"
    said = [sentence for c in proof.counterexamples for sentence in c.hypotheses | c.violates]
    assert set(said) == set(WORDS[id].all.values())
    checked(id)


@pytest.mark.parametrize("id", REFUTED)
def test_a_word_that_the_check_finds_false_or_forgets_leaves_the_claim_open(id):
    for key, sentence in WORDS[id].all.items():
        false, silent = proved(id).again(negated(key)), proved(id).again(without(key))
        assert false.verdict == silent.verdict == "OPEN"
        assert f"the counterexample fails: {sentence}" in false.reasons
        assert f"no counterexample decides: {sentence}" in silent.reasons


@pytest.mark.parametrize("id", REFUTED)
def test_a_word_that_the_demands_find_false_or_forget_is_rejected(id, monkeypatch):
    for key, sentence in WORDS[id].all.items():
        if key in WORDS[id].beyond:
            continue
        for change, why in ((negated(key), "the counterexample fails"), (without(key), "no demand decides")):
            with monkeypatch.context() as patch:
                change_demands(patch, id, change)
                with pytest.raises(Rejected) as refusal:
                    checked(id)
                assert str(refusal.value).startswith(Rejected(f"{why}: {sentence}").args[0].removesuffix("..."))


def test_broken_arithmetic_of_one_side_leaves_the_other(monkeypatch):
    (c,) = claims(["grazzi25.table1.norm"])
    for broken in c.sabotages.values():
        assert decide(c, **broken).verdict == "OPEN"
    checked(c.id)
    monkeypatch.setattr(examples, "dot", lambda v, w: 1)
    with pytest.raises(Rejected, match="the eigenvalue is negative"):
        checked(c.id)
    assert decide(c).verdict == "REFUTED"


@pytest.mark.parametrize("held", [1, "yes", None, 0])
def test_a_demand_decides_by_true_alone(held):
    with pytest.raises(Rejected, match="the counterexample fails: beta lies in"):
        heeded("grazzi25.table1.norm", lambda data: {"range": held})({})


@pytest.mark.parametrize("id", ["grazzi25.table1.norm", "grazzi25.thm1"])
def test_a_key_without_a_word_is_refused_on_either_side(id):
    with pytest.raises(ValueError, match="got \\['other'\\]"):
        Proof(claim=id).counterexample({}, words={"other": True})
    with pytest.raises(Rejected, match="under no word"):
        heeded(id, lambda data: {"other": True})({})


def test_a_word_is_changed_on_both_sides_at_once(monkeypatch):
    id = "grazzi25.table1.norm"
    monkeypatch.setitem(WORDS, id, Words({"range": "beta is small"}, WORDS[id].violates))
    proof = proved(id).again(negated("range"))
    assert "the counterexample fails: beta is small" in proof.reasons
    change_demands(monkeypatch, id, negated("range"))
    with pytest.raises(Rejected, match="beta is small"):
        checked(id)


def test_a_word_that_no_certificate_holds_is_decided_by_no_demand():
    assert sum(len(words.beyond) for words in WORDS.values()) <= BEYOND
    for id, words in WORDS.items():
        assert set(words.beyond) <= set(words.all)
        assert set(words.violates) - set(words.beyond), id
        decided = set()
        for c in certificates(id):
            decided |= DEMANDS[id, c["kind"]](c["data"])
        assert not decided & set(words.beyond), id


SINE = {"amplitude": "1/10", "scales": [2, 4], "initial": [1, 0], "readout": [10, -5], "offset": -10}


@pytest.mark.parametrize(
    ("id", "key", "changed"),
    [
        ("lizaire26.thm5.remark", "sine-slope", {"sine": SINE | {"amplitude": "1/5"}}),
        ("lizaire26.thm5.remark", "sine", {"sine": SINE | {"initial": [0, 0], "offset": 0}}),
        ("lizaire26.thm5.remark", "cosine", {"cosine": 1}),
        ("lizaire26.thm5.proof", "positive", {"keep": 0}),
        ("lizaire26.thm5.proof", "positive", {"read": 2}),
        ("orvieto24.prop2.penalty", "head", {"tokens": [["1", "-1"]] * 2, "states": [["1999", "-2000"]] * 2, "bias": ["0", "0"]}),
        ("orvieto24.thm1", "sigmoid", {"spikes": ["1", "3/10", "1/7", "1/20", "1/51"]}),
        ("degeeter26.sec3.convergence.unstable", "critical", {"beta": "-1/2"}),
    ],
)
def test_a_demand_decides_a_word_by_the_numbers_of_the_certificate(id, key, changed):
    data = certificates(id)[0]["data"] | changed
    decided = DEMANDS[id, "witness"].__wrapped__(data)
    assert decided[key] is False


@pytest.mark.parametrize("key", ["repels", "slope"])
def test_without_a_fold_nothing_repels(key):
    data = {"c": "1/2", "beta": "-1/2", "x": "0", "h": "0"}
    assert DEMANDS["degeeter26.sec3.convergence.unstable", "witness"].__wrapped__(data)[key] is False


def test_words_are_data():
    """They are literals beside the demand, and no check repeats them where it decides them."""
    for path in THEOREMS.glob("*/*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "counterexample":
                (words,) = [k.value for k in node.keywords if k.arg == "words"]
                keys = [k.value for part in ast.walk(words) if isinstance(part, ast.Dict) for k in part.keys if isinstance(k, ast.Constant)]
                assert not [key for key in keys if " " in key], path
