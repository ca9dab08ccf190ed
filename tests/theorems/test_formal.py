"""``make formal`` with bad input, by a stand-in for Rocq; and the sabotages of what the kernel proved."""

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from lemmata.theorems import claims, formal, ledger

ROOM = Path(formal.ROOM)

GOOD_VERSION = "The Coq Proof Assistant, version 8.16.1"


@pytest.fixture
def room(tmp_path):
    """A copy of the sources and of the record."""
    copy = tmp_path / "formal"
    copy.mkdir()
    for path in [*ROOM.glob("*.v"), ROOM / "_CoqProject", ROOM / "record.json", ROOM / "check.py"]:
        shutil.copy(path, copy / path.name)
    return copy


def stand_in(folder: Path, version: str, compile_error: str | None = None) -> dict[str, str]:
    """An environment whose only programs are a coqc and a coqchk that say what they are told to."""
    programs = folder / "programs"
    programs.mkdir()
    fails = f"echo '{compile_error}' >&2; exit 1" if compile_error else "exit 0"
    for name in ("coqc", "coqchk"):
        path = programs / name
        path.write_text(f'#!/bin/sh\nif [ "$1" = --version ]; then echo "{version}"; exit 0; fi\n{fails}\n', encoding="utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return os.environ | {"PATH": str(programs)}


def check(room: Path, environment: dict[str, str]) -> str:
    """The one line that the refused check says; the record stays as it was."""
    before = (room / "record.json").read_bytes()
    done = subprocess.run([sys.executable, room / "check.py"], env=environment, capture_output=True, text=True, check=False)
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
    assert "formal/householder.v does not compile: File" in line


def test_without_mathcomp_it_says_what_to_install(room, tmp_path):
    error = "Error: Cannot find a physical path bound to logical path all_ssreflect with prefix mathcomp."
    assert "expected Mathematical Components" in check(room, stand_in(tmp_path, GOOD_VERSION, error))


def test_a_missing_file_is_named(room, tmp_path):
    (room / "parity.v").unlink()
    assert "parity.v" in check(room, stand_in(tmp_path, GOOD_VERSION))


def test_a_compiler_that_proves_nothing_makes_no_record(room, tmp_path):
    assert "cannot be examined" in check(room, stand_in(tmp_path, GOOD_VERSION))


def test_what_the_kernel_proved_has_a_false_variant_that_it_refutes():
    """The sabotage asks for X, and the kernel has proved not_X."""
    theorems = formal.record()["theorems"]
    entries = ledger.ledger()
    formal_ones = [c for c in claims() if entries[c.id].how == "formal"]
    assert len(formal_ones) > 20
    for c in formal_ones:
        asked = [
            x.split(".") for ingredients in c.sabotages.values() for x in ingredients.values() if isinstance(x, str) and x.count(".") == 1
        ]
        assert any(f"{module}.not_{name}" in theorems for module, name in asked), f"{c.id}: no sabotage asks for what the kernel refutes"
