"""Rocq sources as sentences, and the driver that records goals: against a stand-in for coqidetop, and against the real one where it is."""

import json
import shutil
import stat
import sys

import pytest
from lemmata.formal import goals, script, seal

TEXT = """(* A comment. "with . a string" (* and one inside. *) *)
Section Some.
Variable n : nat.
Notation "x <. .. <. y" := (f x .. (g y) ..).
Record pair := Pair { left : nat; right : nat }.
Lemma conjugate (x : C) : (x^*) = x.
Proof.
- by [].
2: { exact: I. }
(* because. *)
rewrite a.1 b...
Qed.
End Some.
Definition two := 2.
"""


@pytest.fixture
def room(tmp_path, monkeypatch):
    """A folder with one source of three proof sentences, in the place of ``formal``."""
    (tmp_path / "formal").mkdir()
    (tmp_path / "formal" / "_CoqProject").write_text("-Q . lemmata\none.v\n", encoding="utf-8")
    (tmp_path / "formal" / "one.v").write_text("Lemma one (n : nat) : n = n.\nProof.\nmove: n.\n- trivial.\nQed.\n", encoding="utf-8")
    monkeypatch.setattr(seal, "FOLDER", tmp_path / "formal")
    forget()
    yield tmp_path / "formal"
    monkeypatch.undo()
    forget()


def forget():
    for one in (seal, goals, script):
        one.forget()


def test_sentences_end_at_their_dots():
    found = [s.text for s in script.sentences(TEXT)]
    assert found == [
        "Section Some.",
        "Variable n : nat.",
        'Notation "x <. .. <. y" := (f x .. (g y) ..).',
        "Record pair := Pair { left : nat; right : nat }.",
        "Lemma conjugate (x : C) : (x^*) = x.",
        "Proof.",
        "-",
        "by [].",
        "2: {",
        "exact: I.",
        "}",
        "rewrite a.1 b...",
        "Qed.",
        "End Some.",
        "Definition two := 2.",
    ]
    assert [s.line for s in script.sentences(TEXT)][:2] == [2, 3]


def test_items_know_their_section_and_their_proof(room):
    (room / "one.v").write_text(TEXT, encoding="utf-8")
    forget()
    items = script.items("one")
    assert list(items) == ["pair", "conjugate", "two"]
    assert (items["conjugate"].proof, items["conjugate"].assumed) == (range(5, 13), (1, 2))
    assert (items["two"].proof, items["two"].assumed) == (range(0), ())
    assert script.item("one.Pair") is script.item("one.left") is items["pair"]
    assert script.item("one.three") is None
    assert "(* because. *)" in script.gap("one", 10)


def stand_in(folder, monkeypatch, fails=False):
    """A coqidetop that gives each sentence a state, and after ``Proof.``, ``move`` and ``trivial`` two goals, one and none."""
    answer = '<value val="fail"><state_id val="0"/><richpp>No such thing.</richpp></value>' if fails else ""
    program = folder / goals.PROGRAM
    program.write_text(
        f"""#!{sys.executable}
import os, re
GOAL = '<goal><string>1</string><list>%s</list><richpp><_>%s</_></richpp><option val="none"/></goal>'
STATES = [GOAL % ('<richpp>n&nbsp;:&nbsp;nat</richpp>', 'n = n') + GOAL % ('', 'x' * 999), GOAL % ('', 'forall n : nat, n &lt; n'), '']
state, asked, heard = 1, 0, b""
while True:
    part = os.read(0, 65536)
    if not part:
        break
    heard += part
    while b"</call>" in heard:
        call, _, heard = heard.partition(b"</call>")
        if b'"Goal"' in call:
            said = {answer!r} or '<value val="good"><option val="some"><goals><list>' + STATES[asked] + '</list></goals></option></value>'
            asked += 1
        else:
            state += b'"Add"' in call
            said = '<value val="good"><pair><state_id val="%d"/></pair></value>' % state
        # in two parts, with a report before
        os.write(1, b'<feedback><state_id val="9"/></feedback>' + said.encode()[:20])
        os.write(1, said.encode()[20:])
""",
        encoding="utf-8",
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(folder))


def test_goals_are_compact_and_bound_to_their_source(room, tmp_path, monkeypatch):
    stand_in(tmp_path, monkeypatch)
    found = goals.recorded("one.v", room)
    assert found == {
        1: goals.Goals(2, ("n : nat",), "n = n", ("x" * goals.WIDEST["other"] + goals.CUT,)),
        2: goals.Goals(1, (), "forall n : nat, n < n", ()),
        4: goals.Goals(0, (), "", ()),
    }
    goals.write("one.v", found)
    assert goals.goals("one") == found
    assert goals.is_current("one.v")
    table = json.loads(goals.path_of("one.v").read_text(encoding="utf-8"))
    goals.path_of("one.v").write_text(json.dumps(table | {"digest": "0" * 64}), encoding="utf-8")
    goals.forget()
    assert goals.goals("one") == {}


def test_a_sentence_that_fails_is_said(room, tmp_path, monkeypatch):
    stand_in(tmp_path, monkeypatch, fails=True)
    with pytest.raises(goals.Refused, match="No such thing"):
        goals.recorded("one.v", room)


def test_without_rocq_it_says_what_is_missing(room, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert goals.main([]) == 2
    assert capsys.readouterr().err == "formal.goals: expected coqidetop.opt, which Debian's package coq has, found none\n"
    assert not (room / "goals").exists()


@pytest.mark.skipif(shutil.which(goals.PROGRAM) is None, reason="needs coqidetop.opt (Debian: coq)")
def test_the_goals_that_rocq_shows(room):
    (room / "one.v").write_text("Lemma one (n : nat) : n = n.\nProof.\nrevert n.\neasy.\nQed.\n", encoding="utf-8")
    forget()
    assert goals.main([]) == 0
    assert goals.goals("one") == {
        1: goals.Goals(1, ("n : nat",), "n = n", ()),
        2: goals.Goals(1, (), "forall n : nat, n = n", ()),
        3: goals.Goals(0, (), "", ()),
    }
    # goals of what is no longer there go
    (room / "goals" / "gone.json").write_text("{}")
    assert goals.main([]) == 0
    assert [path.name for path in (room / "goals").iterdir()] == ["one.json"]
