"""What the probe says of layers as people write them, and that it is not fooled."""

import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import lemmata as lm
import numpy as np
import pytest
import torch

pytest.importorskip("torch", reason="needs the extra 'torch'")

from lemmata.atlas.knowledge import PRECISIONS, knowledge
from lemmata.probe.asserting import assert_can, assert_reaches, assert_spectrum
from lemmata.probe.grades import CARRIED, of_ranges
from lemmata.probe.graph import traced
from lemmata.probe.report import findings
from lemmata.probe.rows import row_of
from lemmata.probe.spectrum import BLOCKS, FACTOR, FACTORS, GATE_FIRST, MINUS_RANK_ONE, READ_FIRST, TURNED, TWO_FACTORS
from lemmata.probe.steps import ROTARY, SHIFT, SHORT, Earlier, Refused, step_of
from lemmata.probe.values import Value
from lemmata.theorems.ledger import HOLDS, ledger

sys.path.insert(0, str(Path(__file__).parent))
import layers

CASES = {
    "Delta": (layers.Delta, {}, "real, in (0, 1]", "delta-nonnegative"),
    "Delta, top 2": (layers.Delta, {"top": 2}, "real, in (-1, 1]", "delta-signed"),
    "Delta, clamped": (layers.Delta, {"top": 2, "clamp": 1.0}, "real, in [0, 1]", "delta-nonnegative"),
    "Delta, epsilon": (layers.Epsilon, {"top": 2}, "real, in (-1, 1]", "delta-signed"),
    "gated": (layers.Delta, {"top": 2, "gate": True}, "real, in (-1, 1)", "gated-delta-signed"),
    "gated, nonnegative": (layers.Delta, {"gate": True}, "real, in (0, 1)", "gated-delta-nonnegative"),
    "KDA": (layers.Channels, {}, "real, in (0, 1)", "channel-gated-delta"),
    "KDA, top 2": (layers.Channels, {"top": 2}, "real, in (-1, 1)", "diagonal-minus-rank-one"),
    "RWKV-7": (layers.RWKV7, {}, "real, in (-0.454761, 1)", "rwkv-7-released"),
    "RWKV-7, top 2": (layers.RWKV7, {"top": 2}, "real, in (-1.45476, 1)", "diagonal-minus-rank-one"),
    "Mamba-2": (layers.Mamba2, {}, "real, in (0, 1)", "open-diagonal"),
    "Mamba-2, exp(+)": (layers.Mamba2, {"sign": 1}, "real, in (1, inf)", None),
    "minGRU": (layers.MinGRU, {}, "real, in (0, 1)", "open-diagonal"),
    "mLSTM": (layers.MLSTM, {}, "real, in (0, 1)", "open-diagonal"),
    "signed": (layers.Signed, {}, "real, in (-1, 1)", "diagonal-signed"),
    "rotating": (layers.Rotating, {}, "complex, of modulus in (0, 1)", "diagonal-complex"),
    "one-hot": (layers.OneHot, {}, "complex, of modulus in [0, 1)", "permutation-diagonal"),
}


def probed(kind, **options):
    return lm.probe_step(kind(**options), kind.shape, 5)


@pytest.fixture(scope="module")
def found():
    known = {}

    def of(name):
        if name not in known:
            kind, options, *_ = CASES[name]
            known[name] = probed(kind, **options)
        return known[name]

    return of


@pytest.mark.parametrize("name", CASES)
def test_spectrum_and_row(name, found):
    kind, _, spectrum, row = CASES[name]
    result = found(name)
    assert result.findings.for_all_weights
    assert str(result.findings.spectrum) == spectrum
    assert result.row == row
    printed = str(result)
    assert printed.startswith(f"{kind.__name__}, state")
    assert f"eigenvalues: {spectrum}. " in printed
    assert (f"row of the table: {row}" if row else "row of the table: none, ") in printed


@pytest.mark.parametrize("name", CASES)
def test_every_value_of_the_graph_lies_in_its_interval(name):
    """At weights and inputs of all sizes; and no eigenvalue leaves the spectrum."""
    kind, options, *_ = CASES[name]
    step = step_of(kind(**options), kind.shape, 5)
    graph = traced(step)
    generator = torch.Generator().manual_seed(3)
    for scale in (0.1, 1, 10):
        weights, x = step.drawn_weights(generator, scale), step.draw(generator)
        for node, value in graph.run(weights, torch.zeros(step.size, dtype=step.dtype), x).items():
            known = graph.values[node]
            if isinstance(known, Value) and value.numel():
                # rounding may attain an open end
                slack = 1e-12 * max(1.0, float(value.abs().max()))
                assert float(value.min()) >= known.entries.low - slack, node
                assert float(value.max()) <= known.entries.high + slack, node
                if known.length is not None:
                    assert float(value.norm(dim=-1).max()) <= known.length.high + 1e-12, node


def test_what_is_reached_by_scope(found):
    signed = found("Delta, top 2")
    assert [signed.reaches(-1, s) for s in ("architecture", "closure")] == ["no", "yes"]
    assert [signed.reaches(1, s) for s in ("these weights", "architecture", "closure")] == ["yes"] * 3
    assert signed.reaches(0) == "yes"
    assert found("Delta").reaches(-1) == "no"
    assert found("Delta, clamped").reaches(-1) == "no"
    assert found("RWKV-7").reaches(-1) == "no"
    assert found("RWKV-7, top 2").reaches(-1) == "yes"
    assert found("mLSTM").reaches(1) == "yes"
    assert found("minGRU").reaches(1, "architecture") == "no"
    with pytest.raises(ValueError, match="expected -1, 0 or 1"):
        signed.reaches(2)


def test_several_factors_have_no_range_yet(found):
    result = probed(layers.Delta, top=2, factors=2)
    assert result.findings.kinds == {"a (I - rank r)"}
    assert result.row is None
    assert result.reaches(-1) == "yes"
    assert result.reaches(-1, "architecture") == "not decided"
    assert "no range is known for a (I - rank r)" in str(result)


def test_keys_that_are_not_normalised_bound_nothing():
    result = probed(layers.Delta, top=2, normalise=False)
    assert result.row is None
    assert result.findings.spectrum is None or result.findings.spectrum.real.low == -np.inf


@pytest.mark.parametrize("kind", [layers.Wave, layers.Ripple])
def test_nonlinear_steps_are_seen(kind):
    result = probed(kind)
    assert not result.findings.is_affine
    assert result.row == "nonlinear"
    assert str(result).splitlines()[1].startswith("nonlinear in the state")


def test_a_ripple_is_hidden_by_the_rounding_of_float32():
    result = lm.probe_step(layers.Ripple(), 3, 5, dtype="float32")
    assert result.findings.is_affine
    assert not result.findings.for_all_weights
    assert "within rounding, on the states tried" in str(result)


def test_what_only_the_states_tried_show_is_no_range():
    result = probed(layers.FarClamp)
    assert result.findings.is_affine
    assert not result.findings.for_all_weights
    assert result.findings.ranges is None
    assert result.row is None


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        (layers.Branch, "without a branch on a value"),
        (layers.Count, "a call of Count that changes steps"),
        (layers.Buffer, "a call of Buffer that changes memory"),
        (layers.Noise, "without random numbers"),
        (layers.Dropped, "without random numbers"),
    ],
)
def test_what_is_no_function_of_state_and_input_is_refused(kind, why):
    with pytest.raises(Refused, match=why):
        probed(kind)


def test_a_function_that_remembers_is_refused():
    seen = []

    def step(h, x):
        seen.append(float(x[0]))
        return 0.5 * h + len(seen) * x

    with pytest.raises(Refused, match="changes seen"):
        lm.probe_step(step, 3, 3)


def test_coefficients_that_remember_are_refused():
    seen = []

    def coefficients(x):
        seen.append(float(x[0]))
        return torch.sigmoid(x), len(seen) * x

    with pytest.raises(Refused, match=r"changes coefficients\.seen"):
        lm.probe_scan(coefficients, 3, 3)


def test_dropout_that_is_off_is_a_step():
    assert lm.probe_step(layers.Dropped().eval(), 3, 5).findings.is_affine


def test_a_false_derivative_does_not_mislead():
    result = probed(layers.Lying)
    assert pytest.approx(-np.eye(3)) == result.findings.affine.A
    assert result.findings.affine.derivative == pytest.approx(1.5)
    assert result.reaches(-1, "these weights") == "yes"


def test_another_basis_changes_no_eigenvalue():
    torch.manual_seed(0)
    inner, T = layers.Signed().double(), torch.randn(4, 4, dtype=torch.float64)
    back = torch.linalg.inv(T)
    plain = lm.probe_step(inner, 4, 5)
    turned = lm.probe_step(lambda h, x: T @ inner(back @ h, x), 4, 5, name="turned")
    values = [np.sort(np.concatenate([b.eigenvalues.real for b in f.findings.blocks])) for f in (plain, turned)]
    assert values[0] == pytest.approx(values[1])
    assert turned.row is None


def test_a_shape_that_is_not_the_states_is_refused():
    with pytest.raises(Refused, match="expected a step that returns a state of shape"):
        lm.probe_step(lambda h, x: x, 3, 4)
    with pytest.raises(Refused, match="at least one number"):
        lm.probe_step(lambda h, x: h, 0, 4)


def test_scans():
    assert lm.probe_scan(lambda x: (torch.tanh(x), x), 3, 3).row == "diagonal-signed"
    turn = torch.tensor([[0.0, -1.0], [1.0, 0.0]], dtype=torch.float64)
    found = lm.probe_scan(lambda x: (turn * torch.sigmoid(x[0]), x), 2, 2)
    # the node that meets the state holds the modulus with both signs
    assert str(found.findings.spectrum) == "complex, of modulus in [0, 1)"


def test_assertions_say_what_bounds(found, monkeypatch):
    # what to change is looked for in test_advice.py
    monkeypatch.setattr("lemmata.probe.advice.edits", lambda _: [])
    assert_reaches(found("Delta, top 2"), -1)
    with pytest.raises(AssertionError, match=r"got no: eigenvalues are real, in \[0, 1\].*beta in \(0, 1\] \(node clamp\)"):
        assert_reaches(found("Delta, clamped"), -1)
    assert_spectrum(found("Mamba-2"), "(0, 1)")
    assert_spectrum(found("Mamba-2"), "[0, 1]")
    with pytest.raises(AssertionError, match=r"expected real eigenvalues in \(0, 1\)"):
        assert_spectrum(found("Delta"), "(0, 1)")
    assert_can(found("Delta, top 2"), "parity")
    with pytest.raises(AssertionError, match="expected Delta to do parity, got no: delta-nonnegative does not"):
        assert_can(found("Delta"), "parity")
    with pytest.raises(ValueError, match="expected an interval"):
        assert_spectrum(found("Delta"), "0, 1")


def test_the_report_is_data(found):
    data = found("Delta, top 2").data
    assert data["ranges"][0] == {"kind": "a (I - beta k k^T)", "name": "a", "range": "[1, 1]", "node": "", "by graph": False}
    least = data["reaches"][0]
    assert least["eigenvalue"] == -1
    # these weights depend on what ran before; the other scopes do not
    assert least["answers"]["these weights"] in ("yes", "not decided")
    assert (least["answers"]["architecture"], least["answers"]["closure"]) == ("no", "yes")
    assert Fraction(data["bound"]) > 0


@pytest.mark.parametrize(
    ("name", "back", "by", "row"),
    [
        ("minGRU", 3, (SHORT,), "open-diagonal-convolution"),
        ("minGRU", 1, (SHIFT,), "open-diagonal-convolution"),
        ("Delta", 3, (SHORT,), "delta-nonnegative-convolution"),
        ("gated", 3, (SHORT,), "gated-delta-signed-convolution"),
        ("KDA", 3, (SHORT,), "channel-gated-delta-convolution"),
        ("RWKV-7", 1, (SHIFT,), "rwkv-7-shift"),
        ("RWKV-7", 3, (SHORT, SHIFT), "rwkv-7-shift"),
        ("RWKV-7, top 2", 1, (SHIFT,), "diagonal-minus-rank-one-convolution"),
        ("signed", 3, (SHORT,), "diagonal-signed-convolution"),
        ("minGRU", 3, (), None),
        ("minGRU", 0, (ROTARY,), None),
        ("minGRU", 1, (SHIFT, "a filter"), None),
    ],
)
def test_a_layer_that_reads_earlier_tokens_is_in_a_row_of_such_layers_or_in_none(name, back, by, row, found):
    known = found(name).findings
    assert row_of(known.kinds, known.ranges, known.spectrum, (Earlier(back, by),)) == row
    assert row is None or row in knowledge().models


def test_each_kind_of_matrix_has_a_lemma_that_is_a_claim(found):
    """The claim that a spectrum names holds, and is printed; the lemmas of the kinds that no layer here has are looked up as well."""
    for name in ("Delta", "KDA", "RWKV-7", "rotating", "one-hot", "minGRU"):
        spectrum = found(name).findings.spectrum
        assert spectrum.claims
        assert spectrum.claims[0] in " ".join(str(found(name)).split())
    for claim in (BLOCKS, FACTOR, READ_FIRST, MINUS_RANK_ONE, GATE_FIRST, TURNED, TWO_FACTORS, FACTORS):
        assert ledger()[claim].verdict in HOLDS


SEEN = "CHECKED, kinds and nodes seen on 4 draws"


def test_an_answer_has_the_grade_of_the_weakest_it_rests_on(found):
    graph = found("Mamba-2")
    assert {r["grades"]["architecture"] for r in graph.data["reaches"]} == {"PROVED, by the graph for all weights"}
    assert {str(g) for g in found("Delta").findings.reaches[0].grades.values()} == {SEEN}
    # a = 1 is proved, the kind of block is not
    always = found("Delta, top 2").findings.reaches[2]
    assert always.reasons["closure"] == "every transition of the kinds seen has it"
    assert {str(g) for g in always.grades.values()} == {SEEN}
    assert f"1, closure: every transition of the kinds seen has it ({SEEN})" in " ".join(str(found("Delta, top 2")).split())
    assert f"row of the table: delta-signed ({SEEN})" in " ".join(str(found("Delta, top 2")).split())
    kept = lm.probe_step(lambda h, x: h + x, 3, 3).findings.reaches[2]
    assert (kept.reasons["closure"], kept.grades["closure"].verdict) == ("every transition has it", "PROVED")
    assert of_ranges(graph.findings.ranges, "S + k v^T").rests_on[-1] == "if the contract holds"
    assert of_ranges(graph.findings.ranges, "S + k v^T").verdict == "CHECKED"


def test_a_range_excludes_nothing_in_rounded_arithmetic(found):
    least = found("Delta").findings.reaches[0]
    assert set(CARRIED) <= set(PRECISIONS)
    assert set(least.answers.values()) == {"no"}
    assert {g.precision for g in least.grades.values()} == {("exact", "margin")}
    assert set(least.rounded.values()) == {"not excluded"}
    signed = found("Delta, top 2").data["reaches"][0]
    assert signed["rounded"]["architecture"] == "not excluded"
    assert signed["grades"]["closure"] == "CHECKED, seen in float64"


def test_a_gate_that_large_inputs_replace_is_no_range():
    """On the draws the earlier node is the gate; the later one, which meets the state, is not bounded by it."""
    replaced = lm.probe_step(lambda h, x: torch.where(x > 50, -torch.ones_like(x), torch.sigmoid(x)) * h, 2, 2)
    assert str(replaced.findings.spectrum) == "real, in [-1, 1)"
    assert replaced.reaches(-1) != "no"
    one = lm.probe_step(lambda h, x: torch.where(x > 50, -torch.ones_like(x), torch.ones_like(x)) * h, 2, 2)
    assert one.reaches(-1) != "no"


def test_states_that_are_no_numbers_are_refused():
    with pytest.raises(Refused, match="expected finite states"):
        lm.probe_step(lambda h, x: h / 0, 2, 2)


def test_constants_that_are_no_whole_numbers_have_a_range():
    half = lm.probe_step(lambda h, x: 0.5 * h + x, 3, 3)
    assert str(half.findings.spectrum) == "real, in [0.5, 0.5]"
    assert half.row == "open-diagonal"
    assert half.reaches(1) == half.reaches(0) == "no"
    decays = torch.tensor([0.25, 0.5, 0.75], dtype=torch.float64)
    assert str(lm.probe_step(lambda h, x: h * decays + x, 3, 3).findings.spectrum) == "real, in [0.25, 0.75]"


def test_gates_that_add_up_to_one_on_the_draws_alone_are_no_constant():
    """For inputs above 50 the sum is -1; a tensor of ones beside them is not what meets the state."""

    def gates(x):
        z = torch.sigmoid(x)
        return z, torch.where(x > 50, -1 - z, 1 - z)

    def added(h, x):
        z, rest = gates(x)
        return z * h + rest * h + torch.ones_like(x)

    def delta(h, x):
        z, rest = gates(x[:1])
        k = torch.nn.functional.normalize(x[1:], dim=-1)
        return z * h + rest * h - z * k * (k @ h) + torch.ones_like(h)

    for step, shapes in ((added, (3, 3)), (delta, (5, 6))):
        found = lm.probe_step(step, *shapes)
        assert "no" not in found.findings.reaches[0].answers.values()
        assert not any(r.reasons["closure"].startswith("every transition") for r in found.findings.reaches)


def test_each_micro_step_has_its_own_gate():
    """A gate is written to the first of two places: the token has it once, so 1 is never attained."""

    def step(h, x):
        gates = torch.zeros(4, 2, 1, dtype=h.dtype)
        gates[:, 0] = torch.nn.functional.logsigmoid(x)
        both = gates.reshape(8, 1)
        return h * both[6].exp() * both[7].exp()

    found = lm.probe_step(step, 3, (4, 1))
    assert str(found.findings.spectrum) == "real, in (0, 1)"
    assert found.reaches(1, "architecture") == "no"


def test_a_state_that_is_moved_is_not_taken_for_one_in_its_place():
    for step in (lambda h, x: 0.5 * (h + h.flip(0)), lambda h, x: 0.5 * h.T + 0 * x, lambda h, x: h.sum(0, keepdim=True) + 0 * h):
        found = lm.probe_step(step, (2, 2), 1)
        assert found.findings.spectrum is None or "no" not in found.findings.reaches[2].answers.values()


def test_a_state_that_is_read_before_its_gate_acts():
    """a and a - beta p.k: in (-1, 1) if p is a nonnegative multiple of k; else p.k may be negative, and the state grow."""
    found = probed(layers.ReadFirst)
    assert str(found.findings.spectrum) == "real, in (-1, 1)"
    assert (found.row, found.reaches(-1, "architecture")) == ("rwkv-7-released", "no")
    turned = probed(layers.ReadFirst, signed=True).findings.spectrum
    assert turned is None or turned.real.high >= 2


def test_a_gate_for_each_channel_that_erases_is_not_a_scalar_one():
    """Its range is that of (I - u u^T) Diag(w); it is in the row of RWKV-7, not in that of scalar gates."""
    found = probed(layers.Erased)
    assert {r.name for r in found.findings.ranges} == {"w", "b", "|k|^2"}
    assert (str(found.findings.spectrum), found.row) == ("real, in (0, 1)", "rwkv-7-released")


@pytest.mark.parametrize(("kind", "options"), [(layers.Delta, {"top": 2.0}), (layers.RWKV7, {})])
def test_a_layer_in_float32_has_the_ranges_of_float64(kind, options):
    """Rounding of float32 is far above what tells kinds apart in float64: a delta layer was called dense."""
    found = [lm.probe_step(kind(**options), kind.shape, 5, dtype=dtype).findings for dtype in ("float64", "float32")]
    assert found[0].kinds == found[1].kinds
    assert [(r.name, r.interval, r.node) for r in found[0].ranges] == [(r.name, r.interval, r.node) for r in found[1].ranges]
    assert found[0].row == found[1].row


def test_code_that_takes_another_way_in_float64_is_looked_at_in_float32():
    def step(h, x):
        return (x.sigmoid() if h.dtype == torch.float32 else 3 * x) * h

    assert str(lm.probe_step(step, 4, 4, dtype="float32").findings.spectrum) == "real, in (0, 1)"

    def nearly(h, x):
        return (x.sigmoid() + torch.finfo(h.dtype).eps) * h

    assert lm.probe_step(nearly, 4, 4, dtype="float32").findings.spectrum.real.high == 1 + 2**-23


@pytest.mark.parametrize(
    ("gate", "by", "spectrum", "row"),
    [
        (lambda x: x[:, :1].sigmoid(), (ROTARY,), "complex, of modulus in (0, 1)", "diagonal-complex"),
        (lambda x: x[:, :1].sigmoid(), (ROTARY, SHORT), "complex, of modulus in (0, 1)", None),
        (lambda x: x[:, :1].exp(), (ROTARY,), "complex, of modulus in (0, inf)", None),
        # a gate for each channel does not commute with turns
        (lambda x: x.sigmoid(), (ROTARY,), "real, in (0, 1)", None),
    ],
)
def test_keys_that_turn_make_a_gate_of_a_head_a_complex_diagonal(gate, by, spectrum, row):
    step = replace(step_of(lambda S, x: gate(x) * S + x, (2, 4), (2, 4)), earlier=(Earlier(0, by),))
    known = findings(step)
    assert (str(known.spectrum), known.row) == (spectrum, row)
    is_turned = spectrum.startswith("complex")
    assert (TURNED in known.spectrum.claims) == is_turned
    # an eigenvalue 1 that was seen is not one of the turned layer; the size of an eigenvalue is
    reaches = {r.target: r.answers["closure"] for r in known.reaches}
    assert reaches[0] == "yes"
    assert reaches[1] == ("not decided" if is_turned else "yes")
