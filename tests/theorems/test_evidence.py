"""The verdict follows from the evidence, and only from it."""

import pytest
import sympy
from lemmata.theorems.claim import Claim
from lemmata.theorems.evidence import ROOM, Domain, Lost, Proof, shortened
from lemmata.theorems.records import record

x = sympy.Symbol("x")


def test_nothing_recorded_is_open():
    assert Proof().verdict == "OPEN"


def test_one_failed_instance_is_enough():
    proof = Proof()
    for n in proof.each("n <= 3", [1, 2, 3]):
        proof.exactly("n < 3", n < 3, True)
    assert proof.verdict == "OPEN"
    assert "at 3" in proof.reasons[0]


def test_an_empty_family_proves_nothing():
    proof = Proof()
    for n in proof.each("no instances", []):
        proof.exactly("never", n, n)
    assert proof.verdict == "OPEN"


def test_a_scope_is_short():
    assert shortened("") == ""
    assert shortened("x" * ROOM) == "x" * ROOM
    assert shortened("; ".join(["n <= 4"] * 99)) == "n <= 4"
    long = shortened("; ".join(f"n = {n}" for n in range(99)))
    assert len(long) <= ROOM
    assert long.startswith("n = 0; n = 1; ")
    assert long.endswith(f"; and {99 - long.count('n =')} more in the evidence")
    assert len(shortened("word " * 99)) <= ROOM
    proof = Proof()
    for n in proof.every("n of " + "many " * 60, [1, 2]):
        proof.exactly("n", n, n)
    assert (len(proof.scope) <= ROOM, proof.scope[-4:]) == (True, "ny …")


def test_how_is_the_weakest_and_scope_names_the_limits():
    proof = Proof()
    proof.symbolically("square", (x + 1) ** 2, x**2 + 2 * x + 1, "x")
    assert (proof.how, proof.scope) == ("symbolic", "all x")
    for n in proof.every("n <= 4", range(4)):
        proof.exactly("n", n, n)
    assert (proof.how, proof.scope) == ("exhaustive", "n <= 4")
    for n in proof.each("two random n", (7, 9)):
        proof.exactly("n", n, n)
    assert (proof.how, proof.scope) == ("exact", "n <= 4; two random n")
    proof.closely("pi", 1e-16, 1e-12)
    assert proof.how == "float"
    assert proof.verdict == "CHECKED"


def test_a_sample_inside_an_exhaustive_family_is_not_exhaustive():
    proof = Proof()
    for _ in proof.every("all", [0]):
        for n in proof.each("some", [1]):
            proof.exactly("n", n, n)
    assert proof.how == "exact"


def test_a_whole_that_is_closed_does_not_limit():
    proof = Proof()
    for n in proof.every("all words", [0], limited=False):
        proof.exactly("n", n, n)
    assert (proof.how, proof.scope) == ("exhaustive", "all words")


def test_refuted_needs_a_counterexample_that_stands():
    proof = Proof(claim="grazzi25.table1.norm")
    proof.counterexample({"beta": 1}, {"range": True, "negative": True, "norm": True})
    assert proof.verdict == "REFUTED"
    assert list(proof.counterexamples[0].hypotheses) == ["beta lies in (0, 1)"]
    proof.counterexample({"beta": 2}, {"range": False, "negative": True})
    assert proof.verdict == "OPEN"


def test_counterexamples_that_are_silent_on_a_word_refute_nothing():
    proof = Proof(claim="grazzi25.table1.norm")
    proof.counterexample({"beta": 1}, {"range": True, "negative": True})
    assert proof.verdict == "OPEN"
    assert proof.reasons == ["no counterexample decides: its modulus, the norm, exceeds 1"]
    proof.counterexample({"beta": 1}, {"norm": True})
    assert proof.verdict == "REFUTED"


def test_a_search_that_finds_nothing_is_open():
    proof = Proof()
    assert proof.smallest("numbers", [1, 2], lambda n: n > 5) is None
    assert proof.verdict == "OPEN"


def test_cited_and_missing():
    proof = Proof()
    proof.cites("Krohn and Rhodes (1965)")
    assert proof.verdict == "CITED"
    proof.lacks("a proof")
    assert proof.verdict == "OPEN"


@pytest.mark.parametrize("truthy", [1, "yes", [0]])
def test_truthy_is_not_true(truthy):
    proof = Proof()
    proof.holds("a Boolean", truthy)
    assert proof.verdict == "OPEN"


def test_a_float_check_that_is_nan_fails():
    proof = Proof()
    proof.closely("nan", float("nan"), 1.0)
    assert proof.verdict == "OPEN"


def test_a_check_that_crashes_is_open_and_says_why():
    def crash(proof):
        """Crash."""
        raise RuntimeError("no such luck")

    c = Claim("new.crash", place="", topic="parity", title="", says="", sabotages={}, check=crash)
    r = record(c, "quick")
    assert r.verdict == "OPEN"
    assert "no such luck" in r.reasons[0]
    assert not r.as_expected


def test_proved_needs_an_argument_that_the_machine_carries():
    def square(argument=(), rests_on=()):
        proof = Proof(argument=argument, rests_on=rests_on)
        proof.symbolically("square", (x + 1) ** 2, x**2 + 2 * x + 1, "x")
        return proof

    assert square().verdict == "CHECKED"
    assert square([("checked",)]).verdict == "PROVED"
    # words that join what was decided, or a step that nothing carries
    assert square([("checked",), ("checked", "prose")]).verdict == "DERIVED"
    assert square([("checked",), ()]).verdict == "DERIVED"
    # no more than what it uses
    assert square([("checked", "uses")], ["DERIVED", "PROVED"]).verdict == "DERIVED"
    assert square([("checked", "uses", "prose")], ["CHECKED"]).verdict == "CHECKED"


def test_a_limit_takes_the_verdict_down():
    proof = Proof(argument=[("checked",)])
    proof.symbolically("square", (x + 1) ** 2, x**2 + 2 * x + 1, "x")
    for n in proof.every("n <= 4", range(4)):
        proof.exactly("n", n, n)
    assert proof.verdict == "CHECKED"
    assert proof.limits == ["n: n <= 4"]


def test_what_stands_outside_a_loop_is_one_instance():
    for decide in (lambda p: p.exactly("1", 1, 1), lambda p: p.holds("true", True), lambda p: p.certified("true", True)):
        proof = Proof(argument=[("checked",)])
        decide(proof)
        assert (proof.verdict, proof.scope, proof.limits[0][-12:]) == ("CHECKED", "the instances shown", "one instance")
    proof = Proof(argument=[("checked",)])
    proof.holds("n + 1 > n", True, free="n")
    assert (proof.verdict, proof.how, proof.scope) == ("PROVED", "symbolic", "all n")
    proof = Proof(argument=[("checked",)])
    proof.certified("sin x <= x", True, free="x in [0, 1]")
    assert (proof.verdict, proof.how, proof.scope) == ("PROVED", "certified", "all x in [0, 1]")


def test_free_parameters_in_a_loop_over_some_sizes_are_limited_to_these():
    for decide in (lambda p: p.symbolically("square", (x + 1) ** 2, x**2 + 2 * x + 1, "x"), lambda p: p.holds("true", True, free="x")):
        proof = Proof(argument=[("checked",)])
        for _ in proof.each("n <= 3", (1, 2, 3)):
            decide(proof)
        assert (proof.verdict, proof.scope) == ("CHECKED", "n <= 3; all x")
        proof = Proof(argument=[("checked",)])
        for _ in proof.every("both signs", (1, -1), limited=False):
            decide(proof)
        assert (proof.verdict, proof.scope) == ("PROVED", "all x")


def test_instances_beside_a_proof_limit_nothing_and_must_hold():
    proof = Proof(argument=[("checked",)])
    with proof.beside():
        proof.exactly("1", 1, 1)
    assert proof.verdict == "CHECKED", "illustrations alone carry nothing"
    proof.symbolically("square", (x + 1) ** 2, x**2 + 2 * x + 1, "x")
    assert (proof.verdict, proof.how, proof.scope) == ("PROVED", "symbolic", "all x")
    with proof.beside():
        proof.exactly("1", 1, 2)
    assert proof.verdict == "OPEN"


def test_the_domain_is_counted():
    proof = Proof()
    for n in (1, 2):
        for k in proof.every("k <= n", range(n)):
            proof.exactly("k", k, k)
    for k in proof.each("some", (1, 2)):
        proof.exactly("k", k, k)
    assert proof.domain == [Domain("all cases", True, 3), Domain("instances", True, 2)]
    assert proof.decided == {"exhaustive, limited": 3, "exact, limited": 2}


def test_floats_prove_nothing():
    proof = Proof(argument=[("checked",)])
    proof.closely("pi", 1e-16, 1e-12)
    assert proof.verdict == "CHECKED"


def test_a_failed_step_is_not_proved():
    proof = Proof()
    proof.exactly("no", 1, 2)
    assert proof.verdict == "OPEN"


def test_a_kernel_proof_of_the_whole_is_the_strongest_evidence():
    proof = Proof()
    proof.formally("no parity", "parity.no_parity", whole="every n and depth")
    for n in proof.each("two n", (7, 9)):
        proof.exactly("n", n, n)
    assert (proof.verdict, proof.how, proof.scope) == ("PROVED", "formal", "every n and depth")
    assert proof.formal[0]["file"] == "formal/parity.v"


def test_a_kernel_proof_of_a_part_leaves_the_rest_to_be_checked():
    proof = Proof()
    proof.formally("no parity", "parity.no_parity")
    for n in proof.each("two n", (7, 9)):
        proof.exactly("n", n, n)
    assert (proof.verdict, proof.how) == ("CHECKED", "exact")


def test_what_the_kernel_has_not_checked_is_no_evidence(monkeypatch):
    proof = Proof()
    proof.formally("parity", "parity.parity_is_easy", whole="every n")
    assert proof.verdict == "OPEN"
    monkeypatch.setattr("lemmata.formal.seal.digest", lambda name: "another source")
    proof = Proof()
    proof.formally("no parity", "parity.no_parity", whole="every n")
    assert proof.verdict == "OPEN"
    assert "changed" in proof.reasons[0]


def test_a_proof_that_stops_ends_at_the_first_failure_and_not_before():
    proof = Proof(stops=True)
    proof.exactly("right", 1, 1)
    proof.holds("right too", True)
    with pytest.raises(Lost, match="wrong: got 1, expected 2"):
        proof.exactly("wrong", 1, 2)
    assert proof.verdict == "OPEN"
    # a proof that does not stop records all of them
    whole = Proof()
    whole.exactly("wrong", 1, 2)
    whole.exactly("right", 1, 1)
    assert (whole.verdict, len(whole.steps)) == ("OPEN", 2)
