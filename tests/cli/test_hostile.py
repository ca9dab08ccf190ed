"""Hostile input and early ends: one line that says what was expected, what came and what to do; nothing of a file steers the terminal."""

import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest
from lemmata.cli import verified
from lemmata.cli.console import NARROWEST, json_text, printable
from lemmata.cli.console import out as console

SWEEP = ("sweep", "conditioning", "--r-min", "0", "-N", "2", "-L", "2", "--device", "cpu")
OVERLAPS = ("sweep", "overlaps", "-N", "2", "--rank", "1", "--device", "cpu")
#: ESC [ 31 m, the same in one character, a bell, a return, and text that runs backwards
NASTY = "a\x1b[31mb\x9b31m\x07\r\u202etxt"


def refused(result):
    """The one line of a refusal."""
    code, out, err = result
    assert (code, out) == (2, "")
    assert re.fullmatch(r"lemmata: expected .*, got .*\n", err), err
    return err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("verify", "grazzi25.thm1", "--jobs", "1000000000000000000000"), "expected at most"),
        (("verify", "grazzi25.thm1", "--jobs", "65536"), "about one for each"),
        (("train", "grazzi25.ranges", "--jobs", "1000000000000000000000", "--out", "{}"), "expected at most"),
        ((*SWEEP, "--out", "{}", "--jobs", "1000000000000000000000"), "expected at most"),
        ((*SWEEP, "--out", "{}", "--draws", "99999999999999999999"), "cells in one folder"),
        ((*SWEEP, "--out", "{}", "--first-draw", "99999999999999999999"), "expected whole numbers draw"),
        ((*SWEEP, "--out", "{}", "--shard", "１/２"), "expected --shard I/N"),
        ((*SWEEP, "--out", "{}", "--shard", ""), "expected --shard I/N"),
        ((*SWEEP, "--out", "{}", "--shard", "1/" + "9" * 5000), "expected --shard I/N"),
        ((*OVERLAPS, "--out", "{}", "--words", "1" * 3000 + ":1"), "at most 1,000 letters"),
        ((*OVERLAPS, "--out", "{}", "--words", "x" * 3000), "two words of the letters 1 to 9"),
    ],
)
def test_numbers_and_words_beyond_reason_are_refused_in_one_line(run, tmp_path, arguments, said):
    if arguments[0] == "train":
        pytest.importorskip("torch", reason="needs the extra 'torch'")
    assert said in refused(run(*(word.replace("{}", str(tmp_path)) for word in arguments)))
    assert not list(tmp_path.glob("*.nc"))


def test_the_longest_words_are_swept(run, tmp_path):
    code, _, _ = run(*OVERLAPS, "--out", str(tmp_path), "--words", "12" * 500 + ":1", "--draws", "1")
    assert code == 0


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
def test_a_pipe_is_no_checkpoint(run, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert "which is a pipe" in refused(run("certify", str(tmp_path / "pipe"), "--task", "parity"))
    assert "which is a directory" in refused(run("certify", str(tmp_path), "--task", "parity"))


@pytest.mark.parametrize("kind", ["expanded", "sparse", "complex"])
def test_tensors_that_a_checkpoint_does_not_hold_are_refused(run, tmp_path, kind):
    torch = pytest.importorskip("torch", reason="needs the extra 'torch'")
    tensor = {
        # 10^13 entries, of which one is there
        "expanded": torch.as_strided(torch.zeros(1), (10**6, 10**7), (0, 0)),
        "sparse": torch.eye(2).to_sparse(),
        "complex": torch.ones(2, dtype=torch.complex64),
    }[kind]
    torch.save({"embedding": tensor}, tmp_path / "model.pt")
    assert "for 'embedding': save" in refused(run("certify", str(tmp_path / "model.pt"), "--task", "parity"))


def test_names_of_weights_do_not_steer_the_terminal(run, tmp_path):
    torch = pytest.importorskip("torch", reason="needs the extra 'torch'")
    for name in (NASTY, f"layers.0.maps.A{NASTY}\n"):
        torch.save({"embedding": torch.zeros(1), name: torch.zeros(1)}, tmp_path / "model.pt")
        err = refused(run("certify", str(tmp_path / "model.pt"), "--task", "parity"))
        assert printable(err) == err
        assert "\\x1b" in err or "\\u202e" in err


def test_letters_and_outputs_of_a_file_do_not_steer_the_terminal(run, tmp_path):
    machine = {"table": {NASTY: [1, 0], "b": [0, 0]}, "outputs": ["off", NASTY]}
    (tmp_path / "machine.json").write_text(json.dumps(machine), encoding="utf-8")
    code, out, err = run("compile", "--automaton", str(tmp_path / "machine.json"))
    assert code == 0
    assert printable(out + err) == out + err
    code, out, err = run("compile", "--automaton", str(tmp_path / "machine.json"), "--out", "-")
    assert printable(out) == out
    assert NASTY in json.loads(out)["letters"]


def test_what_is_printable_stays():
    for text in ("λ ≤ ½\t\n", "語", "e\u0301", "\U0001f600"):
        assert printable(text) == text
    assert printable("\x1b\x00\x7f\x9b\ud800") == r"\x1b\x00\x7f\x9b\ud800"
    assert json.loads(json_text({NASTY: "\x9b\u2028"})) == {NASTY: "\x9b\u2028"}


@pytest.mark.parametrize("columns", ["0", "1", "2", "17"])
@pytest.mark.parametrize("command", [("list",), ("show", "lizaire26.thm1"), ("witness", "lizaire26.thm2"), ("verify", "grazzi25.fig3")])
def test_a_terminal_of_one_column(run, book, monkeypatch, command, columns):
    if command[0] == "verify":
        monkeypatch.undo()
    monkeypatch.setitem(console._environ, "COLUMNS", columns)
    monkeypatch.setattr(console, "_width", None)
    monkeypatch.setenv("COLUMNS", columns)
    assert console.width >= NARROWEST
    code, out, _ = run(*command)
    assert code == 0
    assert out


# -- JSON, also of failures ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("show", "nope", "--json"), "expected an id"),
        (("verify", "nope", "--json"), "expected"),
        (("list", "--verdict", "nope", "--json"), "expected"),
        (("recheck", "/does/not/exist", "--json"), "expected"),
        (("compile", "--json"), "expected"),
        (("verify", "--jobs", "0", "--json"), "--jobs"),
        (("verify", "--jbos", "--json"), "--jbos"),
    ],
)
def test_a_failure_is_json_too(run, command, said):
    code, out, err = run(*command)
    assert code == 2
    ((key, why),) = json.loads(out).items()
    assert key == "error"
    assert said.split()[0] in why
    assert err


# -- early ends ---------------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("after", [0.0, 0.1, 0.2])
def test_an_interrupt_while_modules_are_imported_is_quiet(after):
    # the interpreter's own start, before any code of ours, is not ours to answer for: wait until the module runs
    code = "import sys, runpy; sys.argv = ['lemmata', 'list']; print('here', flush=True); runpy.run_module('lemmata', run_name='__main__')"
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "here\n"
    time.sleep(0.02 + after)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode in (0, 130)
    assert err in ("", "lemmata: interrupted\n")


# -- advice -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("checkout", [True, False])
def test_advice_fits_the_installation(monkeypatch, tmp_path, checkout):
    monkeypatch.setattr(verified.seal, "FOLDER", tmp_path)
    monkeypatch.setattr(verified, "CHECKOUT", checkout)
    with pytest.raises(ValueError, match="run: make verified" if checkout else "an installed package cannot build it"):
        verified.require_program()
