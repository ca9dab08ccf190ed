"""The acceptance table, and changes of a layer that must change its report. Layers of flash-linear-attention: marker programs."""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import lemmata as lm
import pytest
import torch

pytest.importorskip("torch", reason="needs the extra 'torch'")

sys.path.insert(0, str(Path(__file__).parent))
import acceptance
import layers

#: rows of own layers that take less than half a second; the rest runs with the programs
QUICK = ("minGRU", "LSTM", "GRU", "sin(h / 1000)", "angle and state")


@pytest.mark.parametrize("row", [r for r in acceptance.TABLE if r.name in QUICK], ids=lambda row: row.name)
def test_the_table(row):
    assert not acceptance.wrong(row, acceptance.said(row))


@pytest.mark.programs
def test_the_whole_table_is_printed_with_seconds():
    if not all(map(find_spec, ("fla", "triton"))):
        pytest.skip("needs the extra 'fla'")
    command = [sys.executable, "-W", "ignore", str(Path(acceptance.__file__))]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"OMP_NUM_THREADS": "1"}, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    assert done.stdout.count(": as it must") == len(acceptance.TABLE)


def test_a_row_that_is_not_as_it_must_is_named():
    row = acceptance.TABLE[0]
    data = {"text": "beta in (0, 2)", "row": "delta-signed", "fails": "", "seconds": 21.0}
    assert len(acceptance.wrong(row, data)) == 5


#: by the name: the layer, a change of it, and what the report must say after it in place of before
MUTATIONS = {
    "the factor 2 is dropped": (layers.Delta, {"top": 2.0}, {"top": 1.0}, "beta in (0, 2)", "beta in (0, 1)"),
    "keys are not normalised": (layers.Delta, {"top": 2.0}, {"top": 2.0, "normalise": False}, "|k|^2 in [0, 1]", "|k|^2 in [0, inf)"),
    "exp(+) for exp(-)": (layers.Mamba2, {}, {"sign": 1}, "real, in (0, 1)", "real, in (1, inf)"),
    "a clamp against the comment": (layers.Delta, {"top": 2.0}, {"top": 2.0, "clamp": 1.0}, "beta in (0, 2)", "beta in (0, 1] (node clamp"),
    "the stabiliser reads the memory": (
        layers.Stabilised,
        {},
        {"gate": True},
        "driven by a scalar block",
        "driven by a block of 2 coordinates",
    ),
}


#: those that take longer run with the programs
SHORT = ("exp(+) for exp(-)", "a clamp against the comment")


@pytest.mark.parametrize("name", [pytest.param(m, marks=() if m in SHORT else pytest.mark.programs) for m in MUTATIONS])
def test_a_change_of_a_layer_changes_the_report(name):
    kind, before, after, was, now = MUTATIONS[name]
    said = [" ".join(str(lm.probe_step(kind(**options), kind.shape, 5)).split()) for options in (before, after)]
    assert was in said[0]
    assert now not in said[0]
    assert now in said[1]
    assert was not in said[1]


def test_an_update_in_place_changes_the_state_that_is_read_after_it():
    """S is scaled before the delta rule reads it, not after: the eigenvalue along the key is a - beta, not a (1 - beta)."""

    def step(in_place):
        def run(S, x):
            read = S if in_place else S.clone()
            S.mul_(0.5)
            return S - 0.75 * torch.ones_like(S) * read.mean(0)

        return run

    values = [
        sorted({round(float(v.real), 9) for b in lm.probe_step(step(p), 4, 1).findings.blocks for v in b.eigenvalues})
        for p in (True, False)
    ]
    assert values == [[0.125, 0.5], [-0.25, 0.5]]


def test_the_eigenvalues_of_a_layer_with_a_driver_are_those_of_the_rest():
    found = lm.probe_step(layers.Scaled(), 4, 5)
    assert found.findings.driver.coordinates == (3,)
    assert (found.row, found.why_no_row) == (None, "no row has layers whose state has a driver")
    # the driver's state was drawn: no witness
    assert {a for r in found.findings.reaches for a in r.answers.values()} == {"not decided"}
    assert json.loads(json.dumps(found.data))["driver"]["coordinates"] == [3]
