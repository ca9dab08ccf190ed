"""Streams: terminals without Unicode, square brackets, strict JSON, the entry points."""

import contextlib
import io
import json
import os
import signal
import subprocess
import sys

import pytest
from lemmata import __version__, cli
from lemmata.cli.console import err, finite, spelled
from lemmata.cli.formulas import readable
from lemmata.cli.interrupts import remember
from lemmata.cli.progress import progress, stages
from lemmata.theorems import entries
from lemmata.theorems.ledger import papers_with_claims


@pytest.mark.parametrize(
    ("text", "ascii_text"),
    [
        ("n ≤ 3, λ ∈ Λ", "n <= 3, lambda in Lambda"),
        ("hₜ₋₁ᵀ = x²", "h_(t-1)^T = x^2"),
        ("ℝ, 𝒲, ½, ẑ, “a”…", 'R, W, 1/2, z, "a"...'),
        ("plain |D| = 2_x", "plain |D| = 2_x"),
        ("語", "?"),
    ],
)
def test_signs_are_spelled_where_there_is_no_unicode(text, ascii_text):
    assert spelled(text) == ascii_text


def test_every_sign_of_the_ledger_has_a_spelling():
    words = {
        w
        for e in entries()
        for w in (e.title, e.says, e.argument, e.scope, e.reading, e.known, e.letter, *(s["what"] for s in e.steps))
        if w
    }
    signs = set().union(*map(readable, words))
    assert len(signs) > 150
    assert {sign for sign in signs - {"?"} if "?" in spelled(sign) or not spelled(sign).isascii()} == set()


@pytest.mark.parametrize("arguments", [["show"], ["witness"], ["list"], ["list", "--json"], ["show", "--json"]])
def test_an_ascii_locale(arguments, book, monkeypatch):
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", stream)
    name = [] if arguments[0] == "list" else ["lizaire26.thm2"]
    monkeypatch.setattr(sys, "argv", ["lemmata", *arguments, *name])
    with pytest.raises(SystemExit) as stop:
        cli.main()
    stream.flush()
    out = stream.buffer.getvalue().decode("ascii")
    assert not stop.value.code
    if "--json" in arguments:
        assert json.loads(out)
    elif arguments == ["show"]:
        assert "For n >= 1 and M in R^(n x n), ||M|| <= 1/(n+1)." in " ".join(out.split()).replace("nxn", "n x n")


def test_square_brackets_are_printed(capsys):
    err.print("install lemmata[torch]")
    assert capsys.readouterr().err == "install lemmata[torch]\n"


def test_infinities_become_words():
    assert finite({"a": [float("inf"), float("-inf"), 1.5], "b": float("nan")}) == {"a": ["inf", "-inf", 1.5], "b": "nan"}


def test_version_and_help(run):
    assert run("--version")[:2] == (0, f"lemmata {__version__}\n")
    code, out, _ = run("--help")
    assert code == 0
    for command in ("list", "show", "witness", "errata", "papers", "verify", "recheck", "compile", "sweep", "figures", "pin"):
        assert f"\n  {command} " in out


def test_the_module_runs_and_a_pipe_that_closes_is_no_error():
    command = f"{sys.executable} -m lemmata list | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, env=os.environ | {"NO_COLOR": "1"}, check=True)
    assert done.stdout.startswith(f"{papers_with_claims()[0]}  ")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("report", [lambda: stages()("closing", 1, 2), lambda: progress("drawing", 2)("one")])
def test_a_report_of_progress_raises_a_lost_interrupt(report):
    before = remember()
    try:
        report()
        with contextlib.suppress(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            report()
        # the next command begins anew
        remember()
        report()
    finally:
        remember()
        signal.signal(signal.SIGINT, before)
