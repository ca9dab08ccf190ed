"""Layers that are made to fool a probe, and each way in which a prototype was fooled. What must be answered was written down before it was tried."""

import sys
from fractions import Fraction
from pathlib import Path

import lemmata as lm
import numpy as np
import pytest
import torch
from flint import arb, ctx, fmpq

pytest.importorskip("torch", reason="needs the extra 'torch'")

from lemmata.probe.graph import traced
from lemmata.probe.intervals import EVERYTHING, increasing, point
from lemmata.probe.ranges import draws
from lemmata.probe.steps import Refused, step_of
from lemmata.probe.structure import blocks
from lemmata.probe.witness import samples

sys.path.insert(0, str(Path(__file__).parent))
import layers

REFUSED = "refused"
SEEN_ONLY = "affine in the state within rounding, on the states tried"

#: by the trick: the layer, options of the probe, whether it is refused or the row, and words that must be said
TRICKS = {
    "a clamp beyond 10^4": (layers.FarClamp, {}, None, [SEEN_ONLY, "does not show that the step is affine"]),
    "a branch on the first number": (layers.Branch, {}, REFUSED, ["without a branch on a value"]),
    "a branch on one token": (layers.Token, {"input": "tokens"}, REFUSED, ["without a branch on a value"]),
    "a branch that NumPy takes": (layers.Aside, {}, REFUSED, ["expected a step that its traced graph repeats"]),
    "a counter in an attribute": (layers.Count, {}, REFUSED, ["a call of Count that changes steps"]),
    "a counter in a private object": (layers.Hidden, {}, REFUSED, ["a call of Hidden that changes _clock.ticks"]),
    "a counter of the class": (layers.Shared, {}, REFUSED, ["a call of Shared that changes Shared.ticks"]),
    "a counter in an iterator": (layers.Iterated, {}, REFUSED, ["a call of Iterated that changes count"]),
    "state in a buffer": (layers.Buffer, {}, REFUSED, ["a call of Buffer that changes memory"]),
    "weights that drift": (layers.Drifting, {}, REFUSED, ["a call of Drifting that changes a"]),
    "noise": (layers.Noise, {}, REFUSED, ["without random numbers"]),
    "noise by NumPy": (layers.Rare, {}, REFUSED, ["without random numbers"]),
    "noise by a generator": (layers.Own, {}, REFUSED, ["a call of Own that changes generator.state"]),
    "a false derivative": (layers.Lying, {}, None, ["the derivative that PyTorch gives is off by 1.5", "-1, closure: weights were found"]),
    "h + 1e-9 sin h, float32": (layers.Ripple, {"dtype": "float32"}, None, [SEEN_ONLY, "does not show that the step is affine"]),
    "h + 1e-9 sin h, float64": (layers.Ripple, {}, "nonlinear", ["nonlinear in the state"]),
    "dropout in train mode": (layers.Dropped, {}, REFUSED, ["without random numbers", "in train mode? try eval()"]),
    "keys longer than 1": (
        layers.Delta,
        {"top": 2, "normalise": False},
        None,
        ["row of the table: none", "beta in (0, 2)", "|k|^2 in [0, inf)"],
    ),
    "a state that is overwritten": (layers.Overwriting, {}, "open-diagonal", ["real, in (0, 1)"]),
}

TOKENS = lambda generator: torch.randint(0, 100, (5,), generator=generator)  # noqa: E731


def said(name):
    kind, options, *_ = TRICKS[name]
    options = dict(options)
    dtype, tokens = options.pop("dtype", "float64"), options.pop("input", None)
    return lm.probe_step(kind(**options), kind.shape, TOKENS if tokens else 5, dtype=dtype)


@pytest.mark.parametrize("name", TRICKS)
def test_a_trick_is_answered_as_the_table_allows(name):
    _, _, row, words = TRICKS[name]
    if row == REFUSED:
        with pytest.raises(Refused) as why:
            said(name)
        text = str(why.value)
    else:
        found = said(name)
        text = " ".join(str(found).split())
        assert found.row == row
    for word in words:
        assert word in text


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("kind", [layers.MLSTM, layers.RWKV7])
def test_a_huge_input_term_makes_no_eigenvalue(kind, dtype):
    """f(e) - f(0) cancels where the input term is e^40: an eigenvalue 2 was seen that is not there."""
    step = step_of(kind(), kind.shape, 5, getattr(torch, dtype))
    drawn = samples(step, these=False)
    assert len(drawn) > 30
    assert max(np.abs(s.eigenvalues).max() for s in drawn) <= 1 + 1e-5


def test_blocks_of_two_or_three_coordinates_are_called_dense():
    """Each of them is diagonal plus rank one; a 2 x 2 block that is not symmetric has no a and no beta either."""
    rng = np.random.default_rng(0)
    for n in (2, 3):
        assert [b.kind for b in blocks(rng.normal(size=(n, n)), 1e-11)] == ["dense"]


def test_momentum_is_not_diagonal_plus_a_low_rank():
    """S takes a fraction of a momentum that reads S: coordinates of both are coupled in pairs, and by the key."""
    rng = np.random.default_rng(0)
    k = rng.normal(size=8)
    write = 0.7 * np.outer(k, k) / (k @ k)
    A = np.block([[0.9 * np.eye(8) - write, 0.5 * np.eye(8)], [-write, 0.5 * np.eye(8)]])
    assert [b.kind for b in blocks(A, 1e-11)] == ["dense"]


@pytest.mark.parametrize("turned", [False, True])
def test_a_companion_matrix_is_known_in_any_order_of_its_coordinates(turned):
    C, p = np.diag(np.ones(4), 1), np.random.default_rng(1).permutation(5)
    C[-1] = [0.5, -0.25, 0.125, 0.3, 0.2]
    C = C[np.ix_(p, p)]
    (block,) = blocks(C.T if turned else C, 1e-11)
    assert block.kind == "companion"
    C[C == 1] = 0.9
    assert [b.kind for b in blocks(C, 1e-11)] != ["companion"]


def test_ends_are_rounded_outwards():
    """Each end of a sigmoid's values at rational numbers is on the outer side of the value with 300 bits."""
    sigmoid = lambda t: 1 / (1 + (-t).exp())  # noqa: E731
    for x in (Fraction(1, 3), Fraction(-7, 5), Fraction(40)):
        found = increasing(sigmoid, point(x), Fraction(0), Fraction(1))
        before, ctx.prec = ctx.prec, 300
        try:
            exact = sigmoid(arb(fmpq(x.numerator, x.denominator)))
            assert arb(fmpq(found.low.numerator, found.low.denominator)) < exact < arb(fmpq(found.high.numerator, found.high.denominator))
        finally:
            ctx.prec = before
        assert found.high - found.low < Fraction(1, 2**90)


def test_an_operation_without_a_rule_may_give_anything():
    step = step_of(lambda h, x: torch.special.bessel_j0(x) * h, 3, 3)
    graph = traced(step)
    assert graph.unknown == ["special_bessel_j0"]
    assert graph.direct.factor == EVERYTHING


def test_a_node_that_is_the_number_on_the_draws_alone_gives_no_range():
    """For inputs beyond 50 another gate takes its place; on the draws the two are one."""
    step = step_of(lambda h, x: torch.where(x > 50, 3 * torch.ones_like(x), torch.sigmoid(x)) * h, 2, 2)
    for found, _ in draws(step, traced(step)):
        assert max(np.abs(b.eigenvalues).max() for b in found) < 1
    assert (
        lm.probe_step(lambda h, x: torch.where(x > 50, 3 * torch.ones_like(x), torch.sigmoid(x)) * h, 2, 2).findings.spectrum.real.high == 3
    )


def test_a_clamp_that_all_draws_reach_makes_no_constant():
    """beta is 1 on all draws, as a is; for other weights it is anything below."""

    def step(S, x):
        k = torch.nn.functional.normalize(x[1:], dim=-1)
        return S - (x[0] + 40).clamp(max=1) * k * (k @ S)

    found = lm.probe_step(step, 6, 7)
    assert [b.facts["beta"] for b in found.findings.blocks] == [pytest.approx(1)]
    assert {r.name: str(r.interval) for r in found.findings.ranges}["beta"] == "(-inf, 1]"
    plain = lm.probe_step(lambda S, x: S - torch.nn.functional.normalize(x, dim=-1) * (torch.nn.functional.normalize(x, dim=-1) @ S), 6, 6)
    assert {r.name: str(r.interval) for r in plain.findings.ranges or []}.get("beta") in ("[1, 1]", None)


@pytest.mark.programs
def test_the_gradient_finds_what_draws_do_not():
    """One of sixteen channels has to be written with its whole weight for an eigenvalue -1."""
    torch.manual_seed(0)
    layer = layers.RWKV7(top=2.0, width=16)
    assert min(s.least for s in samples(step_of(layer, (16, 2), 5), these=False)) > -1
    found = lm.probe_step(layer, (16, 2), 5)
    assert found.reaches(-1) == "yes"
    assert found.findings.warnings[0].startswith("below -1")
