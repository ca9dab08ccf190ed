"""An end of a diagonal's range that the graph shows to be a limit is proved; what may cancel, or has no bias, is seen in floats alone."""

import sys
from pathlib import Path

import lemmata as lm
import pytest
import torch
from torch import nn

pytest.importorskip("torch", reason="needs the extra 'torch'")

from lemmata.probe.graph import traced
from lemmata.probe.limits import sharp
from lemmata.probe.steps import step_of

sys.path.insert(0, str(Path(__file__).parent))
import layers


class Gate(nn.Module):
    """sigmoid of a linear map times the state, in some ways of writing."""

    def __init__(self, way, bias=True):
        super().__init__()
        self.way, self.a = way, nn.Linear(2, 2, bias=bias)

    def forward(self, h, x):
        match self.way:
            case "twice":
                y = self.a(x).sigmoid() * h
                return y - 0.5 * y
            case "cancelled":
                return (self.a.bias + x - self.a.bias).sigmoid() * h
            case "clamped":
                return self.a(x).sigmoid().clamp(max=0.5) * h
            case "one of two":
                return torch.where(x > 0, self.a(x).sigmoid() * h, 0.5 * h)
        return 3 * self.a(x).tanh() * h


def test_an_end_that_a_bias_comes_near_is_proved():
    found = lm.probe_step(layers.MinGRU(), 4, 5)
    limits = {r.target: str(r.grades["closure"]) for r in found.findings.reaches if r.answers["closure"] == "yes"}
    assert limits == dict.fromkeys((0, 1), "PROVED, a limit in a bias, by the graph")
    # the end itself is not attained
    assert found.reaches(1, "architecture") == "no"


@pytest.mark.parametrize("way", ["twice", "cancelled", "clamped", "one of two", "without"])
def test_what_may_cancel_is_not_proved(way):
    assert sharp(traced(step_of(Gate(way, bias=way != "without"), 2, 2))) is None


def test_the_ends_are_those_of_the_whole_factor():
    assert str(sharp(traced(step_of(Gate("scaled"), 2, 2)))) == "(-3, 3)"


def test_no_limit_is_proved_of_other_kinds():
    assert sharp(traced(step_of(layers.Delta(), (6, 2), 5))) is None
