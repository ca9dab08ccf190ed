"""Rules of operations that routed, normalised and preconditioned layers use, and ranges of transitions that write along a multiple of the key."""

import lemmata as lm
import pytest
import torch

pytest.importorskip("torch", reason="needs the extra 'torch'")

from lemmata.probe.graph import traced
from lemmata.probe.rules import RULES, TOPICS
from lemmata.probe.steps import step_of
from torch.nn.functional import normalize

#: by the name: the factor of the state, from an input of 4 numbers, and where it lies
FACTORS = {
    "the largest of some gates": (lambda x: x.sigmoid().topk(4).values, "(0, 1)"),
    "gates at the places of the largest": (lambda x: x.sigmoid().gather(0, x.topk(4).indices), "(0, 1)"),
    "gates that are 0 elsewhere": (lambda x: torch.zeros_like(x).scatter(0, x.topk(2).indices, x.sigmoid().topk(2).values), "[0, 1)"),
    "a sum of all scattered values": (lambda x: torch.ones_like(x).scatter(0, x.argsort(), x.sigmoid(), reduce="add"), "(-inf, inf)"),
    "a share of a log-sum-exp": (lambda x: (x - torch.logaddexp(x, x.flip(0))).exp(), "(0, 1)"),
    "a share of a maximum": (lambda x: (x - torch.maximum(x, x.flip(0))).exp(), "(0, 1]"),
    "another number's share": (lambda x: (x.flip(0) - torch.logaddexp(x, x + 1)).exp(), "(0, inf)"),
    "a softsign": (lambda x: x / (1 + x.abs()), "(-1, 1)"),
    "a quotient by another size": (lambda x: x / (1 + x.flip(0).abs()), "(-inf, inf)"),
    "a quotient by two and the size": (lambda x: x / (0.5 + x.abs()), "(-inf, inf)"),
}


@pytest.mark.filterwarnings("ignore:The reduce argument of torch.scatter")
@pytest.mark.parametrize("name", FACTORS)
def test_the_factor_of_a_state_lies_where_its_rules_say(name):
    factor, where = FACTORS[name]
    graph = traced(step_of(lambda h, x: factor(x) * h, 4, 4))
    assert str(graph.direct.factor) == where
    low, high = graph.direct.factor.low, graph.direct.factor.high
    values = factor(torch.randn(4, generator=torch.Generator().manual_seed(0), dtype=torch.float64))
    assert low <= float(values.min())
    assert float(values.max()) <= high


def test_each_topic_registers_rules():
    """No rule is registered elsewhere, and none twice by two modules."""
    by_module = {rule.__module__ for rule in RULES.values()}
    assert by_module == {topic.__name__ for topic in TOPICS}


def written(sign, wide):
    """S erased along a unit key and written along m k, m = sign times a number in (1/2, 3/2); with a gate for each entry or one for all."""

    def step(S, x):
        k = normalize(x[0], dim=-1)
        m = sign * (x[1].sigmoid() + 0.5)
        S = (x[2].sigmoid() if wide else x[2, 0].sigmoid()) * S
        return S - x[3, 0].sigmoid() * (m * k) * (k * S).sum()

    return step


@pytest.mark.parametrize(
    ("wide", "kind", "claim"), [(False, "a (I - u v^T)", "read-first"), (True, "diagonal plus rank one", "gate-before-factor")]
)
def test_a_state_that_is_written_along_a_multiple_of_its_key_has_a_range(wide, kind, claim):
    found = lm.probe_step(written(1, wide), 6, (4, 6)).findings
    assert found.kinds == {kind}
    assert {r.name: str(r.interval) for r in found.ranges}["p.k"] == "[0, 1.5)"
    assert (str(found.spectrum), found.spectrum.claims) == ("real, in (-0.5, 1)", (f"new.householder.layers.{claim}",))
    # the row of this kind has equal keys on both sides
    assert found.row is None


def test_a_negative_multiple_gives_no_range():
    assert lm.probe_step(written(-1, wide=True), 6, (4, 6)).findings.spectrum is None
