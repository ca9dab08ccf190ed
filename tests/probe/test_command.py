"""``lemmata probe``: what it prints, and its exit codes."""

import json

import pytest

pytest.importorskip("torch", reason="needs the extra 'torch'")

CODE = """
import torch

class Gate(torch.nn.Module):
    def __init__(self, low=0.0):
        super().__init__()
        self.low, self.gate = low, torch.nn.Linear(2, 3)

    def forward(self, h, x):
        return (self.low + (1 - self.low) * self.gate(x).sigmoid()) * h + x[0]

class Dense(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a = torch.nn.Linear(2, 9)

    def forward(self, h, x):
        return self.a(x).view(3, 3) @ h

class Count(torch.nn.Module):
    steps = 0

    def forward(self, h, x):
        self.steps += 1
        return h
"""


@pytest.fixture
def probe(run, tmp_path, monkeypatch):
    (tmp_path / "gates.py").write_text(CODE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return lambda name, *options: run("probe", f"gates:{name}", "--state", "3", "--input", "2", *options)


def test_exit_codes(probe):
    assert probe("Gate")[0] == 0
    assert probe("Gate", "--set", "low=-1", "--task", "parity")[0] == 0
    code, out, _ = probe("Gate", "--task", "parity")
    assert code == 1
    assert "parity, any number of layers of Gate" in out
    assert "advice: put 2 a - 1 in place of the diagonal entries" in out
    code, _, err = probe("Count")
    assert code == 2
    assert "changes steps" in err
    assert probe("Dense", "--task", "parity")[0] == 3


@pytest.mark.programs
def test_a_language_as_json_and_a_figure(probe, tmp_path):
    code, out, _ = probe("Gate", "--regex", "(aa)*", "--json", "--draw", "seen.png")
    data = json.loads(out)
    assert code == 1
    assert (tmp_path / "seen.png").read_bytes()[1:4] == b"PNG"
    assert data["asked"]["answer"] == "no"
    assert {(a["scope"], a["arithmetic"]) for a in data["asked"]["answers"]} >= {("closure", "exact"), ("these weights", "rounded")}
    assert data["advice"]["row"] == "diagonal-signed"


@pytest.mark.parametrize(
    "options", [("--task", "parity", "--regex", "a*"), ("--task", "no such task"), ("--regex", "(("), ("--draw", "seen.txt")]
)
def test_questions_that_cannot_be_asked_are_refused(probe, options):
    assert probe("Gate", *options)[0] == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("gates:Gates", "--state", "3", "--input", "2"), "in gates, got none (did you mean Gate?)"),
        (("gate:Gate", "--state", "3", "--input", "2"), "expected a module that can be imported from here, got 'gate'"),
        (("gates", "--state", "3", "--input", "2"), "expected MODULE:CLASS, fla:CLASS, a folder or --zoo, got gates"),
        (("gates:Gate", "--input", "2"), "expected --state and --input"),
        (("gates:Gate", "--state", "3", "--input", "2", "--set", "lo=1"), "unexpected keyword argument 'lo'"),
        (
            ("gates:Gate", "--state", "3", "--input", "5"),
            "a state of shape (3,) and an input of shape (5,), got RuntimeError in Gate, gates.py line 10",
        ),
        (("gates:Dense", "--state", "4", "--input", "2"), "got RuntimeError in Dense, gates.py line 18"),
        ((".",), "expected a folder with config.json"),
    ],
)
def test_slips_are_named_in_a_line(run, probe, words, said):
    code, _, err = run("probe", *words)
    assert code == 2
    assert said in " ".join(err.split())


@pytest.mark.programs
def test_an_option_that_a_library_would_drop_is_refused(run, monkeypatch):
    monkeypatch.setenv("TRITON_INTERPRET", "1")
    pytest.importorskip("fla", reason="needs the extra 'fla'")
    code, _, err = run("probe", "fla:DeltaNet", "--set", "num_haeds=2")
    assert code == 2
    assert "got num_haeds (did you mean num_heads?)" in " ".join(err.split())


def test_a_row_names_the_command_that_says_more(probe):
    assert "lemmata can --model open-diagonal" in " ".join(probe("Gate")[1].split())
