"""The command line as its users meet it."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from lemmata import cli


@pytest.fixture
def run(capsys, monkeypatch):
    """Run ``lemmata ...`` in this process: (exit code, standard output, standard error)."""

    def go(*arguments):
        monkeypatch.setattr(sys, "argv", ["lemmata", *arguments])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        captured = capsys.readouterr()
        return stop.value.code or 0, captured.out, captured.err

    return go


def test_verify_prints_a_ledger_and_exits_with_zero(run):
    code, out, _ = run("verify", "--topic", "parity", "--effort", "quick")
    assert code == 0
    assert "all as expected" in out
    assert "REFUTED" in out


def test_paper_and_topic_are_repeatable(run):
    code, out, _ = run("verify", "--paper", "movahedi25", "--paper", "grazzi25", "--topic", "householder", "--effort", "quick", "--json")
    assert code == 0
    papers = {r["paper"] for r in json.loads(out)}
    assert papers == {"movahedi25", "grazzi25"}


def test_json_is_json_and_nothing_else(run):
    code, out, _ = run("verify", "grazzi25.thm1.converse", "--json", "--sabotage")
    (record,) = json.loads(out)
    assert code == 0
    assert set(record) >= {"id", "paper", "topic", "verdict", "expected", "how", "scope", "seconds", "sabotages"}
    assert all(record["sabotages"].values())


def test_a_verdict_that_is_not_the_pinned_one_exits_with_one(run, monkeypatch):
    monkeypatch.setattr("lemmata.theorems.records.expected_verdicts", lambda: {"grazzi25.thm1.converse": ("REFUTED", "exact")})
    code, out, err = run("verify", "grazzi25.thm1.converse")
    assert code == 1
    assert "1 NOT as expected" in out
    assert "pinned as REFUTED" in err


def test_a_missed_sabotage_exits_with_one(run, monkeypatch):
    monkeypatch.setattr("lemmata.theorems.records.is_caught", lambda *a: False)
    code, out, err = run("verify", "grazzi25.fig3", "--sabotage")
    assert code == 1
    assert "0/2 caught" in out
    assert "not noticed" in err


def test_show(run):
    code, out, _ = run("show", "grazzi25.thm1", "--effort", "quick")
    assert code == 0
    for word in ("statement", "hypotheses", "scope", "uses", "construction", "eventual.py", "evidence", "held", "sabotages"):
        assert word in out


def test_witness(run):
    code, out, _ = run("witness", "new.parity.stepwise.two-cycle")
    assert code == 0
    assert "A(1) = [ -1 -1 ]" in out
    code, out, _ = run("witness", "grazzi25.lemma1.order", "--json")
    assert json.loads(out)["verdict"] == "REFUTED"


def test_list(run):
    code, out, _ = run("list", "--topic", "householder", "--json")
    assert code == 0
    assert any(c["id"] == "new.householder.minimum" for c in json.loads(out))
    assert run("list")[0] == 0


def test_certificates_and_recheck(run, tmp_path):
    target = tmp_path / "c"
    assert run("verify", "grazzi25.fig3", "--effort", "quick", "--certificates", str(target))[0] == 0
    code, out, _ = run("recheck", str(target))
    assert (code, "0 files rejected" in out) == (0, True)
    (target / "grazzi25.fig3.json").write_text("{", encoding="utf-8")
    code, _, err = run("recheck", str(target))
    assert code == 2
    assert err.strip() == "REJECTED grazzi25.fig3.json is not JSON"


@pytest.mark.parametrize(
    "arguments",
    [
        ("verify", "nope"),
        ("show", "nope"),
        ("witness", "nope"),
        ("witness", "grazzi25.thm1"),
        ("recheck", "/does/not/exist"),
        ("verify", "--topic", "nope"),
        ("figures", "nope"),
        ("compile",),
        ("compile", "--regex", "a", "--group", "S3"),
        ("compile", "--regex", "(a"),
        ("compile", "--group", "Q8"),
        ("compile", "--group", "S3", "--construction", "holonomy"),
        ("compile", "--task", "chess"),
        ("compile", "--task", "parity", "--draw", "picture.gif"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_two(run, arguments):
    code, out, err = run(*arguments)
    assert code == 2
    assert out == ""
    assert err.startswith("lemmata: expected")
    assert err.count("\n") == 1


def test_a_missing_extra_is_one_line(run, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.datasets", None)
    code, _, err = run("figures", "orvieto24.fig8", "--out", str(tmp_path))
    assert code == 2
    assert err == "lemmata: expected the package sklearn.datasets, which is not installed: see the extras figures, torch and gpu\n"


def test_compile(run, tmp_path):
    target = tmp_path / "n" / "network.json"
    code, out, _ = run("compile", "--regex", "(ab|c)*", "--out", str(target))
    assert code == 0
    assert "right at every length" in out
    assert json.loads(target.read_text(encoding="utf-8"))["format"] == "lemmata-network"
    assert target.stat().st_mode & 0o777 == 0o666 & ~current_umask()
    assert run("recheck", str(target))[0] == 0
    assert "120 reachable states" in run("compile", "--group", "S5")[1]
    (tmp_path / "dfa.json").write_text('{"table": {"a": [1, 0]}, "accepting": [0]}', encoding="utf-8")
    assert run("compile", "--dfa", str(tmp_path / "dfa.json"))[0] == 0


def current_umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_compile_writes_weights_for_pytorch(run, tmp_path):
    torch = pytest.importorskip("torch", reason="needs the extra 'torch'")
    assert run("compile", "--task", "parity", "--out", str(tmp_path / "parity.json"))[0] == 0
    weights = torch.load(tmp_path / "parity.pt", weights_only=True)
    assert weights["layers.0.A"].tolist() == [[[1.0]], [[-1.0]]]


@pytest.mark.parametrize("task", ["parity", "even-pairs", "cycle-navigation", "modular-arithmetic"])
@pytest.mark.parametrize("construction", ["best", "holonomy", "one-hot"])
def test_tasks(run, task, construction):
    code, out, _ = run("compile", "--task", task, "--construction", construction, "--json")
    assert code == 0
    summary = json.loads(out)
    assert all(layer["contracting"] for layer in summary["layers"]) == (construction != "one-hot" or task in ("parity", "cycle-navigation"))
    assert summary["right_up_to"]["float64"] == "every length" or summary["right_up_to"]["float64"] > 10**12


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_drawings(run, tmp_path, suffix):
    for arguments in (("--regex", "(ab|c)*d?"), ("--group", "Z7"), ("--task", "parity"), ("--regex", "a*", "--construction", "excluded")):
        target = tmp_path / f"drawing.{suffix}"
        assert run("compile", *arguments, "--draw", str(target))[0] == 0
        assert target.stat().st_size > 5000
        target.unlink()


def test_a_compile_that_fails_writes_nothing(run, tmp_path):
    # all 2^16 subsets are images: too many for holonomy
    n = 16
    table = {"turn": [(i + 1) % n for i in range(n)], "swap": [1, 0, *range(2, n)], "drop": [0, 0, *range(2, n)]}
    (tmp_path / "dfa.json").write_text(json.dumps({"table": table}), encoding="utf-8")
    code, _, err = run("compile", "--dfa", str(tmp_path / "dfa.json"), "--out", str(tmp_path / "network.json"))
    assert (code, err.count("\n")) == (2, 1)
    assert [p.name for p in tmp_path.iterdir()] == ["dfa.json"]


def test_certificates_into_a_file_are_refused(run, tmp_path):
    (tmp_path / "x").write_text("", encoding="utf-8")
    assert run("verify", "grazzi25.fig3", "--certificates", str(tmp_path / "x"))[0] == 2


@pytest.mark.skipif(os.name != "posix", reason="sends an interrupt signal")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupt_keeps_what_was_done(tmp_path, jobs):
    command = [
        sys.executable,
        "-m",
        "lemmata",
        "verify",
        "--topic",
        "parity",
        "--effort",
        "thorough",
        "--jobs",
        jobs,
        "--certificates",
        str(tmp_path),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 60
        while not list(tmp_path.glob("*.json")) and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted" in err
    assert "Traceback" not in err
    assert "claims:" in out
    assert list(tmp_path.glob("*.json"))
    assert not list(tmp_path.glob(".unfinished-*"))
