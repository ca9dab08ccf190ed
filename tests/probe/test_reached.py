"""All states that a layer reaches at its weights in a rounded format, and what they decide where a range decides nothing."""

import json

import lemmata as lm
import pytest
import torch

pytest.importorskip("torch", reason="needs the extra 'torch'")

from lemmata.constructions.automata.read.tasks import TASKS
from lemmata.constructions.languages.machine import machine_of
from lemmata.probe.reached import reached
from lemmata.probe.steps import Refused, step_of

#: a layer of the claim new.parity.float.unit-key, by the format: k, beta at the letter 1, v, and the state of even parity
UNIT_KEYS = {
    "bfloat16": ((89 / 128, 23 / 32), 45 / 64, 151 / 64, (81 / 64, 131 / 64)),
    "float16": ((-19 / 32, 103 / 128), 1993 / 2048, -1783 / 1024, (1453 / 2048, -1679 / 1024)),
    "float32": (
        (11360085 / 2**24, 12345989 / 2**24),
        15654617 / 2**24,
        -4171021 / 2**22,
        (-13442325 / 2**24, -10303469 / 2**24),
    ),
}


class UnitKey(torch.nn.Module):
    """The delta rule with beta from 0 to 1, at the letters 0 and 1 as unit vectors."""

    def __init__(self, k, beta, v):
        super().__init__()
        self.k, self.beta, self.v = (torch.nn.Parameter(torch.tensor(x, dtype=torch.float64)) for x in (k, beta, v))

    def forward(self, S, x):
        u = (x[1] * self.beta).clamp(0, 1) * (self.v - (self.k * S).sum())
        return S + u * self.k


@pytest.mark.parametrize("format", UNIT_KEYS)
def test_rounded_layers_keep_what_a_range_forbids(format):
    """No eigenvalue is negative, so no exact state tells the parity; the rounded states, of which there are two, do."""
    k, beta, v, even = UNIT_KEYS[format]
    found = lm.probe_step(UnitKey(k, beta, v), 2, 2)
    closed = found.closure(format, "parity", start=torch.tensor(even, dtype=torch.float64))
    assert (len(closed.reached.moves), closed.reached.periods, closed.says()) == (2, (1, 2), "yes")
    cell = found.ask("parity", closed=closed).at("these weights", "rounded")
    assert (cell.says, cell.grade.verdict, cell.grade.precision) == ("yes", "CHECKED", ("rounded",))
    assert "2 states" in cell.reason


@pytest.mark.parametrize(
    ("weights", "states", "periods", "says"), [(UNIT_KEYS["bfloat16"][:3], 8, (1, 2), "yes"), (((1.0, 0.0), 0.5, 1.0), 10, (1, 1), "no")]
)
def test_from_zeros_it_depends_on_the_weights(weights, states, periods, says):
    """The first layer comes to its cycle of two states; the second comes to rest, where words of both parities end."""
    found = lm.probe_step(UnitKey(*weights), 2, 2)
    closed = found.closure("bfloat16", "parity")
    assert (len(closed.reached.moves), closed.reached.periods, closed.says()) == (states, periods, says)
    if closed.alike is not None:
        assert {word.count("1") % 2 for word in closed.alike} == {0, 1}
    assert found.ask("parity").says("these weights", "rounded") == "not decided"
    # one layer that fails says nothing of several
    assert (found.ask("parity", closed=closed).says("these weights", "rounded") == "yes") == (says == "yes")


def test_two_words_in_one_state_are_those_that_the_step_confuses():
    step = step_of(lambda h, x: torch.where(x[1] > 0, 0.5 * h + 1, h), 1, 2)
    found = reached(step, list(torch.eye(2, dtype=torch.float64)), "float16")
    assert found.is_all
    machine = machine_of(TASKS["parity"]())
    words = found.words_alike(machine)
    ends = []
    for word in words:
        h = torch.zeros(1, dtype=torch.float16)
        for a in word:
            h = 0.5 * h + 1 if a else h
        ends.append(h)
    assert torch.equal(*ends)
    assert sum(words[0]) % 2 != sum(words[1]) % 2


def test_a_search_that_does_not_end_decides_nothing():
    counter = lm.probe_step(lambda h, x: h + x[1], 1, 2)
    closed = counter.closure("float64", "parity", most=10)
    assert (closed.reached.is_all, closed.says(), closed.alike) == (False, "not decided", None)
    assert "not decided" in str(closed)
    assert counter.ask("parity", closed=closed).says("these weights", "rounded") == counter.ask("parity").says("these weights", "rounded")


def test_a_sign_of_zero_is_a_state_of_its_own():
    step = step_of(lambda h, x: -h, 1, 1)
    assert len(reached(step, [torch.ones(1)], "float32").moves) == 2
    assert reached(step, [torch.ones(1)], "float32").periods == (2,)


def test_what_cannot_be_closed_is_refused():
    found = lm.probe_step(lambda h, x: 4 * h + x[1], 1, 2)
    with pytest.raises(Refused, match="expected finite states"):
        found.closure("float16")
    with pytest.raises(ValueError, match="expected an input for each of 2 letters, got 1"):
        found.closure("float32", "parity", letters=[torch.ones(2)])
    driven = lambda s, x: torch.stack([torch.tanh(s[0] + x[0]), torch.tanh(s[0]) * s[1] + x[1]])  # noqa: E731
    with pytest.raises(Refused, match="got one with a driver"):
        lm.probe_step(driven, 2, 2).closure("float64")
    with pytest.raises(ValueError, match="unit vectors have one axis"):
        lm.probe_step(lambda h, x: h, 1, (2, 2)).closure()


def test_the_command_follows_letters(run, tmp_path, monkeypatch):
    (tmp_path / "turned_over.py").write_text(
        "import torch\n\nclass Flip(torch.nn.Module):\n    def forward(self, h, x):\n        return torch.where(x[1] > 0, 1 - h, h)\n"
    )
    monkeypatch.chdir(tmp_path)
    words = ("probe", "turned_over:Flip", "--state", "1", "--input", "2", "--closure", "bfloat16", "--task", "parity")
    _, out, _ = run(*words, "--json")
    data = json.loads(out)
    assert data["closure"] | {"layer": ""} == {
        "layer": "",
        "format": "bfloat16",
        "letters": 2,
        "states": 2,
        "all states": True,
        "periods": [1, 2],
        "asked": "parity",
        "answer": "yes",
        "two words in one state": None,
    }
    assert {"scope": "these weights", "arithmetic": "rounded", "says": "yes"}.items() <= data["asked"]["answers"][2].items()
    assert "2 letters reach 2 states, and no others" in " ".join(run(*words)[1].split())
