"""What commands write: refused targets before any work, standard output, interrupts; and what they say meanwhile."""

import importlib
import json
import os
import re
import threading

import pytest
from lemmata.cli.network_files import weights_of
from lemmata.cli.progress import stages

# the functions hide the modules of the same name
compile_module = importlib.import_module("lemmata.cli.compile")
api_module = importlib.import_module("lemmata.api.compile")
progress_module = importlib.import_module("lemmata.cli.progress")


def refused(result):
    code, out, err = result
    # with --json the failure is an object
    assert (code, out if out == "" else list(json.loads(out))) in ((2, ""), (2, ["error"]))
    assert err.startswith("lemmata: expected")
    assert err.count("\n") == 1
    return err


@pytest.fixture
def no_work(monkeypatch):
    """Compiling, checking and drawing fail the test."""

    def work(*_, **__):
        pytest.fail("work was begun before the target was refused")

    monkeypatch.setattr(api_module, "compiled", work)
    monkeypatch.setattr("lemmata.theorems.verify", work)
    monkeypatch.setattr("lemmata.theorems.records.record", work)
    monkeypatch.setattr("lemmata.cli.letters.errata", work)
    monkeypatch.setattr("lemmata.figures.load", work)
    pytest.importorskip("xarray", reason="sweeps need xarray")
    monkeypatch.setattr("lemmata.gpu.sweeps.sweep", work)


COMMANDS = [
    ("net.json", ("compile", "--task", "parity", "--out", "{folder}/net.json")),
    ("net.json.pt", ("compile", "--task", "parity", "--out", "{folder}/net.json")),
    ("net.svg", ("compile", "--task", "parity", "--draw", "{folder}/net.svg")),
    ("letter.md", ("errata", "lizaire26", "--out", "{folder}/letter.md")),
    ("grazzi25.thm1.json", ("verify", "grazzi25.thm1", "--certificates", "{folder}")),
    ("grazzi25.fig2.svg", ("figures", "grazzi25.fig2", "--out", "{folder}")),
    ("grazzi25.fig2.txt", ("figures", "grazzi25.fig2", "--out", "{folder}")),
    ("results.nc", ("sweep", "conditioning", "--r-min", "0", "-N", "2", "-L", "2", "--out", "{folder}", "--device", "cpu", "--json")),
    (
        "streamed.nc",
        ("sweep", "conditioning", "--r-min", "0", "-N", "2", "-L", "2", "--out", "{folder}/streamed.nc", "--device", "cpu", "--json"),
    ),
    ("piece-000000.npy", ("sweep", "conditioning", "--r-min", "0", "-N", "2", "-L", "2", "--out", "{folder}", "--device", "cpu", "--json")),
]


@pytest.mark.parametrize(("name", "command"), COMMANDS)
@pytest.mark.parametrize("kind", ["link", "pipe", "read-only file"])
@pytest.mark.skipif(os.name != "posix", reason="pipes and permissions of POSIX")
def test_every_command_refuses_what_is_no_regular_file(run, tmp_path, no_work, kind, name, command):
    folder = tmp_path / "folder"
    folder.mkdir()
    path = folder / name
    if kind == "link":
        path.symlink_to(tmp_path / "elsewhere")
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.touch(mode=0o444)
    before = path.lstat().st_ino, path.lstat().st_mode, path.lstat().st_size
    err = refused(run(*(word.format(folder=folder) for word in command)))
    assert {"link": "a symbolic link", "pipe": "a pipe", "read-only file": "read-only"}[kind] in err
    assert (path.lstat().st_ino, path.lstat().st_mode, path.lstat().st_size) == before
    assert [p.name for p in folder.iterdir()] == [name]


@pytest.mark.parametrize("command", [("verify", "grazzi25.thm1", "--certificates"), ("figures", "grazzi25.fig2", "--out")])
def test_a_file_is_no_folder(run, tmp_path, no_work, command):
    (tmp_path / "file").write_text("kept")
    assert "expected a folder" in refused(run(*command, str(tmp_path / "file")))
    assert "expected a folder" in refused(run(*command, "-"))
    assert (tmp_path / "file").read_text() == "kept"


@pytest.mark.parametrize(
    "arguments",
    [
        ("--out", "{}/one.svg", "--draw", "{}/one.svg"),
        ("--out", "{}/ONE.SVG", "--draw", "{}/one.svg"),
        ("--out", "{}/y.pt"),
        ("--out", "{}/y.PT"),
        ("--out", "-", "--json"),
        ("--out", "{}"),
        ("--draw", "-"),
    ],
)
def test_outputs_that_are_in_each_others_way(run, tmp_path, no_work, arguments):
    refused(run("compile", "--task", "parity", *(word.format(tmp_path) for word in arguments)))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("option", ["--out", "--draw"])
def test_the_automaton_that_is_read_is_not_overwritten(run, tmp_path, no_work, option):
    source = tmp_path / "dfa.svg"
    source.write_text('{"table": {"a": [1, 0]}}', encoding="utf-8")
    assert "the one that is read" in refused(run("compile", "--dfa", str(source), option, str(tmp_path / "DFA.svg")))
    assert source.read_text(encoding="utf-8") == '{"table": {"a": [1, 0]}}'


def test_networks_never_share_their_weights(run, tmp_path):
    pytest.importorskip("torch", reason="needs the extra 'torch'")
    names = ["net.v1.0", "net.v1.1", "net", "net.json", "other.json"]
    assert len({weights_of(tmp_path / name) for name in names} | {tmp_path / name for name in names}) == 2 * len(names)
    for name in names[:2]:
        code, out, _ = run("compile", "--task", "parity", "--out", str(tmp_path / name))
        assert code == 0
        assert f"written to {tmp_path / name}.pt" in out
    assert sorted(p.name for p in tmp_path.iterdir()) == ["net.v1.0", "net.v1.0.pt", "net.v1.1", "net.v1.1.pt"]


def test_a_second_network_replaces_the_first_and_keeps_its_permissions(run, tmp_path):
    target = tmp_path / "net.json"
    run("compile", "--task", "parity", "--out", str(target))
    target.chmod(0o600)
    assert run("compile", "--group", "Z3", "--prefer", "narrow", "--out", str(target))[0] == 0
    assert json.loads(target.read_text(encoding="utf-8"))["field"] == 12
    assert target.stat().st_mode & 0o777 == 0o600


def test_a_dash_prints_the_network_alone(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, err = run("compile", "--regex", "(ab|c)*", "--out", "-", "--draw", "net.svg")
    assert code == 0
    (tmp_path / "net.json").write_text(out, encoding="utf-8")
    assert json.loads(out)["format"] == "lemmata-network"
    assert "right at every length" in err
    assert "written to net.svg" in err
    assert sorted(p.name for p in tmp_path.iterdir()) == ["net.json", "net.svg"]
    assert run("recheck", str(tmp_path / "net.json"))[0] == 0
    assert run("errata", "lizaire26", "--out", "-")[1] == run("errata", "lizaire26")[1]


def test_an_interrupt_is_one_line_and_leaves_nothing(run, tmp_path, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    summary_module = importlib.import_module("lemmata.cli.network_summary")
    for module, place in ((api_module, "compiled"), (summary_module, "summary_of"), (compile_module, "write_network")):
        with monkeypatch.context() as patch:
            patch.setattr(module, place, interrupted)
            code, out, err = run("compile", "--task", "parity", "--out", str(tmp_path / "net.json"))
        assert (code, out, err) == (130, "", "lemmata: interrupted\n")
        assert list(tmp_path.iterdir()) == []


def test_what_is_too_large_is_refused_with_what_would_work(run, tmp_path):
    # all subsets of 16 states are images
    n = 16
    table = {"turn": [(i + 1) % n for i in range(n)], "swap": [1, 0, *range(2, n)], "drop": [0, 0, *range(2, n)]}
    (tmp_path / "dfa.json").write_text(json.dumps({"table": table}), encoding="utf-8")
    code, out, err = run("compile", "--dfa", str(tmp_path / "dfa.json"))
    assert (code, out) == (2, "")
    # stages may stand above it on a slow machine
    assert re.fullmatch("lemmata: expected .*; --construction one-hot takes one layer of width 16, of norm above 1", err.splitlines()[-1])
    assert run("compile", "--dfa", str(tmp_path / "dfa.json"), "--construction", "one-hot")[0] == 0


# -- progress -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def said(monkeypatch):
    """What is printed on standard error, and an event for each line."""
    lines, new = [], threading.Semaphore(0)

    def say(line, **_):
        lines.append(line)
        new.release()

    monkeypatch.setattr(progress_module.err, "print", say)
    return lines, new


def test_a_quick_command_says_nothing(said):
    with stages(patience=3600) as advance:
        advance("automaton")
        advance("closing layer 1 of 1", 5, 10)
    assert said[0] == []


def test_a_long_command_says_each_stage(said):
    lines, new = said
    with stages(patience=0, pause=3600) as advance:
        for stage in ("automaton", "closing layer 1 of 2", "closing layer 2 of 2"):
            advance(stage)
            # the thread that prints looks four times a second; the first line may be about the time before the first stage
            while not lines or not lines[-1].startswith(stage):
                assert new.acquire(timeout=30)
    assert [line.split(",")[0] for line in lines if not line.startswith("starting")] == [
        "automaton",
        "closing layer 1 of 2",
        "closing layer 2 of 2",
    ]


def test_how_far_and_for_how_much_longer(monkeypatch):
    advance, now = stages(), [0.0]
    monkeypatch.setattr(progress_module, "monotonic", lambda: now[0])
    advance("steps", 0, 40)
    now[0] = 6.0
    assert str(advance) == "steps, 6 s"
    advance("steps", 30, 40)
    assert str(advance) == "steps: 30 of 40, 6 s, about 2 s left"
    advance("closing layer 1 of 2", 1234)
    now[0] = 8.0
    assert str(advance) == "closing layer 1 of 2: 1,234 so far, 2 s"
