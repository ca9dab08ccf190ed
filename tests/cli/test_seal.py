"""The seal: each change to what a verdict of the kernel rests on, made to a copy, is noticed. Nothing here needs Rocq."""

import json
import shutil
import stat
from dataclasses import replace

import pytest
from lemmata.constructions.automata import compile_regex
from lemmata.formal import seal
from lemmata.formal.verified import build
from lemmata.theorems.ledger import ledger


@pytest.fixture
def room(tmp_path, monkeypatch):
    """A copy of the folder ``formal`` that the commands read instead of it."""
    copy = tmp_path / "formal"
    shutil.copytree(seal.FOLDER, copy, ignore=shutil.ignore_patterns("_build", "__pycache__"))
    monkeypatch.setattr(seal, "FOLDER", copy)
    seal.forget()
    yield copy
    monkeypatch.undo()
    seal.forget()


def source(name, before, after):
    """A change of one place in a source."""

    def change(room):
        text = (room / name).read_text(encoding="utf-8")
        assert text.count(before) == 1
        (room / name).write_text(text.replace(before, after), encoding="utf-8")

    return change


def table(name, *keys, to):
    """A change of one value in a table; ``to`` makes the new value from the old one, None removes it."""

    def change(room):
        content = place = json.loads((room / name).read_text(encoding="utf-8"))
        for key in keys[:-1]:
            place = place[key]
        new = to(place.pop(keys[-1]))
        if new is not None:
            place[keys[-1]] = new
        (room / name).write_text(json.dumps(content), encoding="utf-8")

    return change


def without(what):
    """A text with one part of it left out."""

    def shorter(text):
        assert text.count(what) == 1
        return text.replace(what, "")

    return shorter


def recorded_anew(room):
    """Another proof, compiled and recorded by ``make formal``, which ``coqchk`` has not read."""
    source("few_factors.v", "Theorem gh_product_contracts", "(* another proof *)\nTheorem gh_product_contracts")(room)
    seal.forget()
    table("record.json", "sources", "few_factors.v", to=lambda _: seal.digest("few_factors.v"))(room)


def statement(name, to):
    return table("record.json", "theorems", name, "statement", to=to)


GH = "Definition gh v c : 'M[F]_n := 1%:M - c *: (v *m v^T)."
CAST = "(z : F) : F :=\n  value [seq (y < z, y <= z) | y <- ys]."
CLAIMS = {
    "a definition in an imported file": (
        source("householder.v", GH, "Definition gh v c : 'M[F]_n := 0."),
        ("grazzi25.prop1.1", "grazzi25.thm4", "grazzi25.prop1.2.permutation"),
        "formal/householder.v",
    ),
    "the cast of Theorem 1": (
        source("models.v", CAST, "(z : F) : F :=\n  0."),
        ("grazzi25.thm1", "grazzi25.abstract.modulo3"),
        "formal/models.v",
    ),
    "a proof script": (
        source("few_factors.v", "Theorem gh_product_contracts", "(* another proof *)\nTheorem gh_product_contracts"),
        ("grazzi25.prop1.1",),
        "formal/few_factors.v",
    ),
    "an imported file is gone": (lambda room: (room / "householder.v").unlink(), ("grazzi25.prop1.1",), "formal/householder.v"),
    "an import is gone": (
        source("few_factors.v", "From lemmata Require Import models householder classes.", ""),
        ("grazzi25.prop1.1",),
        "formal/few_factors.v",
    ),
    "a recorded statement": (
        statement("few_factors.gh_product_contracts", lambda text: "True"),
        ("grazzi25.prop1.1",),
        "the record's statement of few_factors.gh_product_contracts",
    ),
    "a recorded hypothesis": (
        statement("few_factors.gh_product_contracts", lambda text: text.replace("->", "-> False ->", 1)),
        ("grazzi25.prop1.1",),
        "the record's statement of few_factors.gh_product_contracts",
    ),
    "the text without notations": (
        table("closed.json", "few_factors.gh_product_contracts", "text", to=lambda text: "True"),
        ("grazzi25.prop1.1",),
        "its text without notations",
    ),
    "a recorded definition": (
        table("closed.json", "householder.gh", "text", to=lambda text: "householder.gh = 0"),
        ("grazzi25.prop1.1", "grazzi25.thm4"),
        "the definition of householder.gh differs",
    ),
    "a recorded definition is gone": (
        table("closed.json", "householder.gh", to=lambda entry: None),
        ("grazzi25.prop1.1",),
        "closed.json lacks householder.gh",
    ),
    "what a statement unfolds to": (
        table("closed.json", "few_factors.gh_product_contracts", "uses", to=lambda names: names[1:]),
        ("grazzi25.prop1.1",),
        "is not the pinned one",
    ),
    "the version of Coq": (table("record.json", "coq", to=lambda version: "8.17.0"), ("grazzi25.prop1.1",), "the record names coq 8.17.0"),
    "the version of MathComp": (table("record.json", "mathcomp", to=lambda version: "2.2.0"), ("grazzi25.prop1.1",), "mathcomp 2.2.0"),
    "an axiom": (
        table("record.json", "theorems", "few_factors.gh_product_contracts", "axioms", to=lambda axioms: ["functional_extensionality"]),
        ("grazzi25.prop1.1",),
        "rests on axioms: functional_extensionality",
    ),
    "a theorem is gone": (
        table("record.json", "theorems", "few_factors.gh_product_contracts", to=lambda entry: None),
        ("grazzi25.prop1.1",),
        "the kernel has no proof",
    ),
    "a proof that coqchk has not read": (recorded_anew, ("grazzi25.prop1.1",), "coqchk has not accepted formal/few_factors.v as it is now"),
    "what coqchk read": (
        table("coqchk.json", "accepted", "few_factors.v", to=lambda digest: digest[::-1]),
        ("grazzi25.prop1.1",),
        "coqchk has not accepted formal/few_factors.v",
    ),
    "with what coqchk read it": (
        table("coqchk.json", "mathcomp", to=lambda version: "1.14.0"),
        ("grazzi25.prop1.1",),
        "coqchk has not accepted formal/few_factors.v",
    ),
    "coqchk was not run": (lambda room: (room / "coqchk.json").unlink(), ("grazzi25.prop1.1",), "coqchk has not accepted"),
    "a pin is gone": (
        table("pins.json", "theorems", "few_factors.gh_product_contracts", to=lambda entry: None),
        ("grazzi25.prop1.1",),
        "is not pinned",
    ),
}


def test_in_an_unchanged_copy_each_claim_keeps_its_grade(run, room):
    assert run("verify", "--effort", "quick", *sorted({id for _, ids, _ in CLAIMS.values() for id in ids}))[0] == 0


@pytest.mark.parametrize("name", CLAIMS)
def test_a_claim_loses_its_grade(run, room, name):
    change, ids, words = CLAIMS[name]
    change(room)
    seal.forget()
    for id in ids:
        code, _, err = run("verify", "--effort", "quick", id)
        assert code == 1
        assert words in err


def test_a_claim_that_asks_for_another_theorem_is_noticed(run, monkeypatch):
    e = ledger()["grazzi25.prop1.1"]
    monkeypatch.setattr("lemmata.theorems.records.ledger", lambda: {e.id: replace(e, theorems={"few_factors.stronger": ""})})
    code, _, err = run("verify", e.id)
    assert code == 1
    assert "pinned with the theorems few_factors.stronger; came out with few_factors.gh_product_contracts" in " ".join(err.split())


CHECK = "Definition check (net : network (list Q)) : bool :="
SOUND = "checker_field.checked_networks_are_right"
PROGRAM = {
    "the checker": (source("checker.v", CHECK, f"{CHECK} true.\n{CHECK.replace('check', 'checked')}"), "formal/checker.v"),
    "what a network is": (source("checker_network.v", "From Coq", "\nFrom Coq"), "formal/checker_network.v"),
    "the program around it": (
        lambda room: (room / "verified" / "main.ml").write_text('let () = print_endline "holds 1"\n'),
        "formal/verified/main.ml",
    ),
    "what is extracted": (source("verified/extract.v", "Extraction Language", "\nExtraction Language"), "formal/verified/extract.v"),
    "another file of the program": (lambda room: (room / "verified" / "more.ml").write_text("let x = 1\n"), "formal/verified/more.ml"),
    "a theorem about it is gone": (table("record.json", "theorems", SOUND, to=lambda entry: None), SOUND),
    "a theorem about it says less": (statement(SOUND, lambda text: "True"), SOUND),
    "the definition of check in the record": (
        table("closed.json", "checker.check", "text", to=lambda text: "checker.check = fun _ => true"),
        "the definition of checker.check differs",
    ),
    "a theorem about it has an axiom": (table("record.json", "theorems", SOUND, "axioms", to=lambda axioms: ["classic"]), "classic"),
    "coqchk's answer": (table("coqchk.json", "accepted", "checker_field.v", to=lambda digest: None), "formal/checker_field.v"),
    "the proof of a theorem about it": (
        source("checker_field.v", f"Theorem {SOUND.split('.')[1]}", f"\nTheorem {SOUND.split('.')[1]}"),
        "formal/checker_field.v",
    ),
}


def program(room, sources):
    """A stand-in for the program, which says that it was built from ``sources``, and accepts all."""
    path = room / "verified" / "_build" / "lemmata-verified"
    path.parent.mkdir(exist_ok=True)
    lines = "".join(f"echo '{digest}  {name}'\n" for name, digest in sources.items())
    path.write_text(f'#!/bin/sh\nif [ "$1" = --sources ]; then\n:\n{lines}exit 0\nfi\necho holds 6\n', encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.fixture
def recheck(run, room, tmp_path):
    """``lemmata recheck --verified`` on a network, by a program built from given sources."""
    network = tmp_path / "network.json"
    network.write_text(json.dumps(compile_regex("(b|ab*a)*", construction="holonomy").document()), encoding="utf-8")

    def by(sources):
        program(room, sources)
        return run("recheck", "--verified", str(network))

    return by


@pytest.mark.parametrize("name", PROGRAM)
def test_no_verified_checker_is_built_or_run(room, recheck, name, capsys):
    before = {one: seal.digest(one) for one in seal.program_sources()}
    assert recheck(before)[0] == 0
    change, words = PROGRAM[name]
    change(room)
    seal.forget()
    code, _, err = recheck(before)
    assert code == 2
    assert words in err
    capsys.readouterr()
    assert build.main() == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("make verified: ")
    assert words in line


def test_the_exact_checker_may_use_no_axiom_even_if_the_list_has_it(room):
    (room / "axioms.json").write_text('{"checker_field.v": ["classic"], "rounding.v": ["classic"]}', encoding="utf-8")
    assert seal.forbidden("checker_field.x", ["classic"]) == ["classic"]
    assert seal.forbidden("rounding.x", ["classic", "epsilon"]) == ["epsilon"]
    assert seal.forbidden("parity.x", ["classic"]) == ["classic"]


def test_a_program_of_other_sources_is_not_run(recheck):
    sources = {one: seal.digest(one) for one in seal.program_sources()}
    for wrong, words in (
        (sources | {"checker.v": "0" * 64}, "another checker.v"),
        ({one: digest for one, digest in sources.items() if one != "checker.v"}, "another checker.v"),
        (sources | {"more.v": "0" * 64}, "another more.v"),
        ({}, "another program"),
    ):
        code, _, err = recheck(wrong)
        assert code == 2
        assert words in err
