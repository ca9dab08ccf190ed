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
