"""``make formal`` with bad input, by a stand-in for Rocq; the record and the pins; the sabotages of what the kernel proved."""

import json
import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from lemmata.formal import check as checking
from lemmata.formal import compiled, coqchk, seal, toolchain
from lemmata.theorems import claims, ledger
from lemmata.theorems.records import pin_statements

ROOM = Path(seal.FOLDER)

GOOD_VERSION = "The Coq Proof Assistant, version 8.16.1"


@pytest.fixture
def room(tmp_path):
    """A copy of the sources and of the record."""
    copy = tmp_path / "formal"
    copy.mkdir()
    for pattern in ("*.v", "*.json", "*.py", "_CoqProject"):
        for path in ROOM.glob(pattern):
            shutil.copy(path, copy / path.name)
    return copy


def stand_in(
    folder: Path, version: str, compile_error: str | None = None, libraries: tuple[str, ...] = toolchain.LIBRARIES
) -> dict[str, str]:
    """An environment whose only programs say what they are told to: coqc, coqchk and coqdep, with libraries of one source each."""
    programs = folder / "programs"
    programs.mkdir()
    fails = f"echo '{compile_error}' >&2; exit 1" if compile_error else "exit 0"
    for library in libraries:
        source = folder / "user-contrib" / "mathcomp" / library / "one.v"
        source.parent.mkdir(parents=True)
        source.write_text("", encoding="utf-8")
    flocq = folder / "user-contrib" / "Flocq" / "Version.v"
    flocq.parent.mkdir()
    flocq.write_text('parse "4.1.0"', encoding="utf-8")
    says = f'if [ "$1" = --version ]; then echo "{version}"; exit 0; fi\nif [ "$1" = -where ]; then echo "{folder}"; exit 0; fi\n'
    for name, does in (("coqc", fails), ("coqchk", fails), ("coqdep", "exit 0")):
        path = programs / name
        path.write_text(f"#!/bin/sh\n{says}{does}\n", encoding="utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return os.environ | {"PATH": str(programs)}


def check(room: Path, environment: dict[str, str]) -> str:
    """The one line that the refused check says; the record stays as it was."""
    before = (room / "record.json").read_bytes()
    done = subprocess.run(
        [sys.executable, "-m", "formal.check"], cwd=room.parent, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert (room / "record.json").read_bytes() == before
    (line,) = done.stderr.splitlines()
    assert line.startswith("make formal: ")
    assert line.endswith("formal/record.json stays as it was")
    return line


def test_without_coq_it_says_what_to_install(room, tmp_path):
    assert "apt-get install coq libcoq-mathcomp" in check(room, os.environ | {"PATH": str(tmp_path)})


@pytest.mark.parametrize("version", ["The Coq Proof Assistant, version 8.15.2", "The Rocq Prover, version 9.0.0", ""])
def test_other_versions_are_refused(room, tmp_path, version):
    assert "expected Coq 8.16 to 8.20 (tested: 8.16.1), got" in check(room, stand_in(tmp_path, version))


def test_a_file_that_does_not_compile_is_named(room, tmp_path):
    line = check(room, stand_in(tmp_path, GOOD_VERSION, 'File "./householder.v", line 3, characters 0-5: Error: Syntax error'))
    assert re.search(r"formal/\w+\.v does not compile: File", line)


def test_without_mathcomp_it_says_what_to_install(room, tmp_path):
    error = "Error: Cannot find a physical path bound to logical path all_ssreflect with prefix mathcomp."
    assert "expected Mathematical Components" in check(room, stand_in(tmp_path, GOOD_VERSION, error))


@pytest.mark.parametrize("absent", toolchain.LIBRARIES)
def test_without_a_part_of_mathcomp_it_says_what_to_install(room, tmp_path, absent):
    environment = stand_in(tmp_path, GOOD_VERSION, libraries=tuple(x for x in toolchain.LIBRARIES if x != absent))
    assert f"expected Mathematical Components with {absent}, found none; on Debian" in check(room, environment)


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_make_rocq_fails_where_a_part_is_missing_and_cannot_be_installed(tmp_path):
    environment = stand_in(tmp_path, GOOD_VERSION, libraries=("ssreflect",))
    command = [shutil.which("make"), "--silent", "rocq", f"PYTHON={sys.executable}"]
    done = subprocess.run(command, cwd=ROOM.parent, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "make formal: expected Mathematical Components with fingroup, found none" in done.stderr


def test_another_mathcomp_is_noticed(room, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", stand_in(tmp_path, GOOD_VERSION)["PATH"])
    assert toolchain.require_mathcomp().startswith("unknown, with sources ")
    monkeypatch.setattr(seal, "record", lambda: json.loads((ROOM / "record.json").read_text()) | {"mathcomp": toolchain.require_mathcomp()})
    assert all("and mathcomp 1.15.0 is pinned" in fault for fault in checking.faults())


def test_imports_that_coqdep_finds_and_the_text_has_not_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(toolchain, "run", lambda *_: "parity.vo parity.glob: parity.v householder.vo\n")
    with pytest.raises(toolchain.Refused, match="coqdep differs on householder"):
        toolchain.require_imports(["parity.v"], tmp_path)


SOURCES = {
    "a.v": "",
    "b.v": "From lemmata Require Import a.\n",
    "c.v": "From lemmata Require Import a.\n(* the longer one *)\n",
    "d.v": "From lemmata Require Import b c.\n",
}
VERSIONS = {"coq": "8.16.1", "mathcomp": "1.15.0", "flocq": "4.1.0"}


@pytest.fixture
def small(tmp_path, monkeypatch):
    """A room of four files, and the list of what is compiled, by a stand-in that writes a text where Rocq would write a compiled file."""
    folder = tmp_path / "formal"
    folder.mkdir()
    for name, text in SOURCES.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "_CoqProject").write_text("\n".join(SOURCES), encoding="utf-8")
    done = []

    def run(command, build, _):
        done.append(command[-1])
        (build / f"{command[-1]}o").write_bytes((build / command[-1]).read_bytes())

    monkeypatch.setattr(seal, "FOLDER", folder)
    monkeypatch.setattr(compiled, "run", run)
    monkeypatch.setattr(compiled, "require_imports", lambda *_: None)
    seal.forget()
    yield folder, done
    monkeypatch.undo()
    seal.forget()


def compiled_again(small, change=None, versions=VERSIONS):
    """What is compiled after a change of one file's text."""
    folder, done = small
    if change:
        (folder / change).write_text(f"{SOURCES[change]}(* changed *)", encoding="utf-8")
    seal.forget()
    done.clear()
    compiled.compile_all(versions, 1)
    return list(done)


def test_a_file_is_compiled_after_its_imports_and_again_if_one_of_them_changed(small):
    assert compiled_again(small) == ["a.v", "c.v", "b.v", "d.v"]
    assert compiled_again(small) == []
    assert compiled_again(small, "d.v") == ["d.v"]
    assert compiled_again(small, "b.v") == ["b.v", "d.v"]
    assert len(compiled_again(small, "a.v")) == 4
    assert len(compiled_again(small, versions=VERSIONS | {"flocq": "4.2.0"})) == 4


def test_a_compiled_file_that_was_altered_is_compiled_again_and_one_that_is_not_listed_is_removed(small):
    compiled_again(small)
    build = small[0].parent / "build" / "formal"
    (build / "c.vo").write_text("altered")
    (build / "e.vo").write_text("from another list")
    assert compiled_again(small) == ["c.v"]
    assert not (build / "e.vo").exists()


def test_files_that_import_each_other_are_refused(small):
    (small[0] / "a.v").write_text("From lemmata Require Import d.\n", encoding="utf-8")
    with pytest.raises(toolchain.Refused, match="expected no circle of imports, got "):
        compiled_again(small)


def test_the_first_error_ends_the_compilation(small, monkeypatch):
    def fails(command, *_):
        raise toolchain.Refused(f"{command[-1]} does not compile")

    monkeypatch.setattr(compiled, "run", fails)
    with pytest.raises(toolchain.Refused, match=r"a\.v does not compile"):
        compiled_again(small)


def test_two_files_at_a_time_give_the_same(small):
    seal.forget()
    compiled.compile_all(VERSIONS, 2)
    done = small[1]
    assert sorted(done) == list(SOURCES)
    assert (done[0], done[-1]) == ("a.v", "d.v")


def accept(tmp_path: Path, monkeypatch, *options: str, code: int = 0) -> int:
    """``make coqchk`` on the small room, by a stand-in for Rocq's second checker that writes down what it is asked."""
    program = tmp_path / "programs" / "coqchk"
    if not program.exists():
        monkeypatch.setenv("PATH", stand_in(tmp_path, GOOD_VERSION)["PATH"])
        monkeypatch.setattr(coqchk, "versions", lambda: VERSIONS)
        monkeypatch.setattr(seal, "record", lambda: VERSIONS)
    program.write_text(f'#!/bin/sh\n[ -f "$PWD/a.vo" ] || exit 3\necho "$@" > {tmp_path}/asked\nexit {code}\n', encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["coqchk", *options])
    forget_sources()
    return coqchk.main()


def forget_sources():
    """Forget what was read, but for the record, which is a stand-in here."""
    for reader in (seal.coqchk, seal.digest, seal.imports, seal.closure):
        reader.cache_clear()


def test_what_coqchk_accepts_is_written_with_all_that_it_imports(small, tmp_path, monkeypatch, capsys):
    assert accept(tmp_path, monkeypatch) == 0
    assert (tmp_path / "asked").read_text().split()[4:] == ["lemmata.a", "lemmata.b", "lemmata.c", "lemmata.d"]
    forget_sources()
    assert seal.coqchk() == VERSIONS | {"accepted": {name: seal.closure(name) for name in SOURCES}}
    assert "4 files accepted" in capsys.readouterr().out
    # an import changed since
    (small[0] / "b.v").write_text(f"{SOURCES['b.v']}(* changed *)", encoding="utf-8")
    forget_sources()
    assert seal.not_checked_again() == ["b.v", "d.v"]
    with pytest.raises(LookupError, match=r"coqchk has not accepted formal/d\.v as it is now"):
        seal.require_checked_again("d.v")
    assert accept(tmp_path, monkeypatch, "--changed") == 0
    assert (tmp_path / "asked").read_text().split()[4:] == ["-norec", "lemmata.b", "-norec", "lemmata.d"]
    forget_sources()
    assert seal.not_checked_again() == []


def test_what_coqchk_refuses_is_not_written(small, tmp_path, monkeypatch, capsys):
    assert accept(tmp_path, monkeypatch, code=1) == 2
    assert not (small[0] / "coqchk.json").exists()
    assert capsys.readouterr().err.startswith("make coqchk: coqchk does not accept the compiled files")


def test_where_nothing_changed_coqchk_is_not_asked(small, tmp_path, monkeypatch):
    assert accept(tmp_path, monkeypatch) == 0
    (tmp_path / "asked").unlink()
    assert accept(tmp_path, monkeypatch, "--changed") == 0
    assert not (tmp_path / "asked").exists()


def test_under_another_version_coqchk_reads_everything(small, tmp_path, monkeypatch):
    assert accept(tmp_path, monkeypatch) == 0
    monkeypatch.setattr(coqchk, "versions", lambda: VERSIONS | {"mathcomp": "1.16.0"})
    assert accept(tmp_path, monkeypatch, "--changed") == 0
    assert (tmp_path / "asked").read_text().split()[4:] == ["lemmata.a", "lemmata.b", "lemmata.c", "lemmata.d"]


def test_imports_are_read_off_the_text_without_its_comments(room, monkeypatch):
    text = "(* From lemmata Require Import a. (* nested *) *)\nFrom lemmata Require Import b\n  c.\nFrom lemmata Require d.\nFrom mathcomp Require Import e.\n"
    (room / "one.v").write_text(text, encoding="utf-8")
    (room / "b.v").write_text("From lemmata Require Export f.\n", encoding="utf-8")
    monkeypatch.setattr(seal, "FOLDER", room)
    assert seal.imports("one.v") == ("b.v", "c.v", "d.v")
    assert seal.sources_of("one.v") == ["one.v", "b.v", "c.v", "d.v", "f.v"]


def test_the_record_is_of_these_sources_and_the_pins_are_of_this_record():
    assert seal.record()["sources"] == {name: seal.digest(name) for name in seal.files()}
    assert seal.pins()["program"] == {name: seal.digest(name) for name in seal.program()}
    assert set(seal.files()) == {path.name for path in ROOM.glob("*.v")}
    assert checking.faults() == []
    assert seal.not_checked_again() == []
    assert pin_statements() == {}


def test_pinning_shows_what_is_new_and_what_changed(room, monkeypatch):
    pins = json.loads((room / "pins.json").read_text(encoding="utf-8"))
    del pins["theorems"]["rounding.one_monotone_rounding_settles"]
    pins["theorems"]["parity.no_parity"]["statement"] = "True"
    pins["theorems"]["parity.gone"] = {"statement": "False", "seal": ""}
    pins["theorems"]["few_factors.gh_product_contracts"]["seal"] = pins["definitions"]["householder.gh"] = ""
    pins["coq"] = "8.15"
    pins["program"] = {"verified/extract.v": "", "verified/gone.ml": ""}
    (room / "pins.json").write_text(json.dumps(pins), encoding="utf-8")
    monkeypatch.setattr(seal, "FOLDER", room)
    seal.forget()
    shown = pin_statements()
    assert set(shown) == {
        "rounding.one_monotone_rounding_settles",
        "parity.no_parity",
        "parity.gone",
        "few_factors.gh_product_contracts",
        "coq",
        "formal/verified/extract.v",
        "formal/verified/gone.ml",
    }
    assert shown["parity.no_parity"].endswith("\nbefore:\nTrue")
    assert shown["rounding.one_monotone_rounding_settles"].endswith("\nnew")
    assert shown["few_factors.gh_product_contracts"].endswith("changed: householder.gh")
    assert shown["coq"].endswith("before: 8.15")
    assert pin_statements() == {}
    monkeypatch.undo()
    seal.forget()


def test_a_missing_file_is_named(room, tmp_path):
    (room / "parity.v").unlink()
    assert "parity.v" in check(room, stand_in(tmp_path, GOOD_VERSION))


def test_a_compiler_that_proves_nothing_makes_no_record(room, tmp_path):
    assert "cannot be examined" in check(room, stand_in(tmp_path, GOOD_VERSION))


def test_what_the_kernel_proved_has_a_false_variant_that_it_refutes():
    """The sabotage asks for X, and the kernel has proved not_X."""
    theorems = seal.record()["theorems"]
    entries = ledger.ledger()
    formal_ones = [c for c in claims() if entries[c.id].how == "formal"]
    assert len(formal_ones) > 20
    for c in formal_ones:
        asked = [
            x.split(".") for ingredients in c.sabotages.values() for x in ingredients.values() if isinstance(x, str) and x.count(".") == 1
        ]
        assert any(f"{module}.not_{name}" in theorems for module, name in asked), f"{c.id}: no sabotage asks for what the kernel refutes"


def test_every_theorem_is_used():
    """By a claim, by the verified checker or as an instance; a lemma on the way to one is called a lemma, and a false variant ``not_...``."""
    used = {proof["theorem"] for e in ledger.ledger().values() for proof in e.formal} | set(seal.SOUNDNESS)
    used |= {name for general, names in seal.instances().items() if general in used for name in names}
    theorems = {name for name in seal.record()["theorems"] if not name.partition(".")[2].startswith("not_")}
    assert theorems == used


def test_the_statements_of_given_numbers_are_instances():
    """Each has the name of the theorem that it instantiates; those of the algebraic numbers rest on no axiom, and the others on granted ones."""
    granted = {axiom.rpartition(".")[2] for axiom in seal.allowed_axioms()["reals.v"]}
    for general, names in seal.instances().items():
        for name in names:
            assert name.partition(".")[2].removesuffix("_algebraic") == general.partition(".")[2]
            axioms = set(seal.axioms_of([name]))
            assert axioms == set() if name.endswith("_algebraic") else set() < axioms <= granted
    assert seal.instances()["parity.no_parity"] == ["reals.no_parity"]


def test_each_clause_of_a_whole_claim_is_tied_to_what_says_it():
    whole = {e.id: e for e in ledger.ledger().values() if e.how == "formal"}
    assert set(seal.clauses()) == set(whole)
    for id, e in whole.items():
        words = " ".join([e.says, *e.hypotheses])
        statements = [" ".join(proof["statement"].split()) for proof in e.formal]
        rest = e.says
        # longest first: a clause may hold another
        for clause, part in sorted(seal.clauses()[id], key=lambda pair: -len(pair[0])):
            assert clause in words, (id, clause)
            said = part.removeprefix("differs: ")
            told = [proof["differs"] for proof in e.formal] if said != part else statements
            assert any(said in one for one in told), (id, part)
            rest = rest.replace(clause, "")
        assert "$" not in rest, (id, rest)
