"""The ledger's words: every entry says what it is, and says no more than its evidence."""

import re
from pathlib import Path

import pytest
from lemmata.theorems import entries, verify
from lemmata.theorems.argument import steps_of
from lemmata.theorems.evidence import WORDS
from lemmata.theorems.ledger import HOLDS, TOPICS, ledger

ENTRIES = entries()
ROOT = Path(__file__).parents[2]


def each(condition):
    """One test for a topic, which goes through its entries: most of them are decided in less time than a test takes to begin."""

    def decorate(test):
        @pytest.mark.parametrize("topic", TOPICS)
        def of_a_topic(topic):
            for e in ENTRIES:
                if e.topic == topic and condition(e):
                    try:
                        test(e)
                    except AssertionError as error:
                        error.add_note(f"of {e.id}")
                        raise

        of_a_topic.__name__ = test.__name__
        return of_a_topic

    return decorate


@each(lambda e: e.kind == "finding")
def test_a_finding_is_shown_and_hangs_on_a_statement(e):
    # lemmata new claim begins one that is OPEN
    assert e.verdict == "REFUTED" or e.reasons == ["numbers that refute the statement"]
    assert ledger()[e.of].kind == "statement"
    assert ledger()[e.of].paper == e.paper


@each(lambda e: e.fault is not None)
def test_whatever_is_wrong_has_a_letter_to_the_authors(e):
    assert e.letter
    assert len(e.letter) > 40


@each(lambda e: e.kind == "amended")
def test_an_amended_entry_repairs_a_refuted_one(e):
    assert ledger()[e.amends].verdict == "REFUTED"
    assert e.verdict in HOLDS


@each(lambda e: e.verdict in HOLDS)
def test_what_it_uses_stands_as_well_as_it_says(e):
    # a kernel's theorem is whole without the claims that its argument for the reader names
    most = e.verdict if e.how != "formal" else "CHECKED"
    carrying = {used for step in steps_of(e.argument) for used in step.uses}
    assert all(ledger()[used].verdict in HOLDS[: HOLDS.index(most) + 1] for used in carrying)


@each(lambda e: e.verdict in ("DERIVED", "CHECKED"))
def test_what_words_carry_has_a_numbered_argument_with_marks(e):
    steps = steps_of(e.argument)
    assert [s.number for s in steps] == list(range(1, len(steps) + 1)) != []
    assert all(s.marks for s in steps)


@each(lambda e: e.argument)
def test_marks_point_at_what_was_recorded(e):
    quotes = [quoted for step in steps_of(e.argument) for quoted in step.checked]
    missing = [quoted for quoted in quotes if not any(s["what"].startswith(quoted) for s in e.steps)]
    if missing:
        # few instances may not go so far
        (found,) = verify(e.id)
        assert [quoted for quoted in missing if not any(s["what"].startswith(quoted) for s in found.steps)] == []
    for step in steps_of(e.argument):
        assert set(step.uses) <= set(e.uses)


@each(lambda e: e.verdict == "PROVED")
def test_a_proved_claim_leaves_nothing_to_prose(e):
    # what a kernel checked needs no prose; the argument beside it is for the reader
    assert e.how == "formal" or all(s.marks and not WORDS & set(s.marks) for s in steps_of(e.argument))
    assert e.how == "formal" or all(s.get("beside") or not s["limited"] for s in e.steps)


@each(lambda e: e.verdict == "DERIVED")
def test_a_derived_claim_is_limited_nowhere_and_joined_by_words(e):
    words = any(WORDS & set(s.marks) for s in steps_of(e.argument))
    assert words or any(ledger()[used].verdict == "DERIVED" for used in e.uses)
    assert all(s.get("beside") or not s["limited"] for s in e.steps)


@each(lambda e: e.verdict in ("PROVED", "DERIVED") and e.how != "formal")
def test_no_step_rests_on_illustrations_alone(e):
    for step in steps_of(e.argument):
        found = [s for quoted in step.checked for s in e.steps if s["what"].startswith(quoted)]
        illustrated = bool(found) and all(s.get("beside") for s in found)
        assert not illustrated or {"prose", "cited", "uses"} & set(step.marks), step.text


@each(lambda e: e.how == "formal")
def test_what_a_kernel_proved_can_be_read(e):
    assert e.formal
    for proof in e.formal:
        text = (ROOT / proof["file"]).read_text(encoding="utf-8").splitlines()[proof["line"] - 1]
        assert text.startswith(f"Theorem {proof['theorem'].partition('.')[2]}")


@each(lambda e: True)
def test_a_title_is_one_plain_line(e):
    assert not re.search(r"[\\$\n]", e.title)
    assert len(e.title) <= 120


@each(lambda e: e.kind == "new")
def test_a_new_claim_says_what_is_known_beside_it(e):
    assert e.known
