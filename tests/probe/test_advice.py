"""Answers about tasks and languages, by the row and by the layer's own range; advice, which is probed before it is said; assertions; the figure."""

import sys
from pathlib import Path

import lemmata as lm
import pytest
import torch

pytest.importorskip("torch", reason="needs the extra 'torch'")

from lemmata.constructions.languages import PROPERTIES
from lemmata.probe import advice as advising
from lemmata.probe.advice import advice
from lemmata.probe.asserting import assert_can, assert_reaches, assert_spectrum
from lemmata.probe.edits import DELTA, Edit, delayed, doubled, edits
from lemmata.probe.own_range import theorems
from lemmata.probe.report import SCOPES, findings
from lemmata.probe.rows import at_the_closure
from lemmata.probe.tasks import ARITHMETICS, Question, answer_in
from lemmata.theorems.ledger import ledger

sys.path.insert(0, str(Path(__file__).parent))
import layers

CASES = {
    "minGRU": (layers.MinGRU, {}),
    "signed": (layers.Signed, {}),
    "Delta": (layers.Delta, {}),
    "Delta, top 2": (layers.Delta, {"top": 2}),
    "Delta, clamped": (layers.Delta, {"top": 2, "clamp": 1.0}),
    "long keys": (layers.Delta, {"top": 2, "normalise": False}),
    "RWKV-7": (layers.RWKV7, {}),
}


@pytest.fixture(scope="module")
def found():
    known = {}

    def of(name):
        if name not in known:
            kind, options = CASES[name]
            torch.manual_seed(0)
            known[name] = lm.probe_step(kind(**options), kind.shape, 5)
        return known[name]

    return of


# -- answers ----------------------------------------------------------------------------------------------------------------------------


def test_a_task_is_answered_in_each_scope_and_arithmetic(found):
    asked = found("minGRU").ask("flip-flop")
    # 1 is a limit of the gates, and no gate is 1
    assert [asked.says(scope) for scope in SCOPES] == ["no", "no", "yes"]
    assert asked.says("closure", "margin") == "yes"
    assert asked.at("architecture").grade.verdict == "DERIVED"
    with pytest.raises(ValueError, match="scope"):
        asked.says("elsewhere")


def test_a_no_of_a_range_is_none_in_rounded_arithmetic(found):
    asked = found("Delta").ask("parity")
    assert [asked.says("closure", a) for a in ARITHMETICS] == ["no", "no", "not excluded"]
    assert "CHECKED, the table PROVED, kinds and nodes seen on 4 draws" in " ".join(str(asked).split())


def test_a_yes_of_the_row_is_the_layers_only_if_it_reaches_what_networks_use(found):
    assert found("Delta, top 2").ask("parity").says() == "yes"
    # the row of the closure has reflections, this layer none
    answer = found("RWKV-7").ask("parity").at()
    assert answer.says == "not decided"
    assert "in which -k k^T has no coefficient up to 2" in answer.reason
    never = lm.probe_step(lambda h, x: (0.5 + 0.5 * torch.sigmoid(x)) * h, 3, 3).ask("flip-flop").at("closure")
    assert never.says == "not decided"
    assert "which is not known to reach 0" in never.reason
    half = lm.probe_step(lambda h, x: 0.5 * h + x, 3, 3)
    assert (half.row, half.ask("flip-flop").says()) == ("open-diagonal", "no")


def test_languages_are_answered_by_their_procedures(found):
    assert found("Delta").ask(regex="(b*ab*a)*b*").says() == "no"
    assert found("Delta, top 2").ask(regex="(a|b)*aba(a|b)*").says() == "yes"
    for task, regex in ((None, None), ("parity", "a*")):
        with pytest.raises(ValueError, match="a task or a regular expression"):
            Question(task, regex)
    with pytest.raises(ValueError, match="expected"):
        Question("a*b*")


def test_where_no_row_is_known_the_layers_own_range_answers():
    """A factor of norm beyond 1 in the eigenbasis of a diagonal: real numbers above 1 are in no row."""
    grows = lm.probe_step(lambda h, x: (1 + torch.exp(x)) * h, 3, 3)
    assert grows.row is None
    answer = grows.ask("parity").at()
    assert (answer.says, answer.grade.verdict) == ("no", "PROVED")
    assert "by the layer's own range: new.automata.settled" in answer.reason
    # states that grow have no margin
    assert grows.ask("parity").says("closure", "margin") == "not decided"
    assert grows.ask(regex="(aa)*").says() == "no"
    assert grows.ask("S5").says() == "no"


@pytest.mark.programs
def test_a_state_that_is_read_before_its_gate_comes_to_no_reflection():
    """Comba's transition comes near -1 where its gate is 0, and then keeps nothing else: the row's networks are not its own."""
    found = lm.probe_step(layers.ReadFirst(), 6, 5)
    assert (found.row, found.reaches(-1)) == ("rwkv-7-released", "yes")
    assert found.ask("S3").says() == "not decided"


@pytest.mark.programs
def test_what_follows_from_ranges_names_claims_that_hold(found):
    seen = {(name, scope): {t.property for t in theorems(found(name).findings, scope)} for name in CASES for scope in SCOPES}
    assert seen["minGRU", "architecture"] == {
        "constant-powers",
        "last-letter",
        "stutter-invariant",
        "aperiodic",
        "periods-powers-of-2",
        "solvable",
    }
    assert seen["minGRU", "closure"] == {"stutter-invariant", "aperiodic", "periods-powers-of-2", "solvable"}
    assert seen["Delta", "closure"] == {"stutter-invariant", "aperiodic"}
    assert seen["Delta, top 2", "closure"] == seen["long keys", "architecture"] == set()
    assert seen["RWKV-7", "architecture"] == {"constant-powers"}
    for name in CASES:
        for t in theorems(found(name).findings, "architecture"):
            assert ledger()[t.claim].verdict in ("PROVED", "DERIVED", "CHECKED")
            assert t.property in PROPERTIES


def test_a_window_leaves_what_its_theorems_allow(found):
    step = found("minGRU").findings.step
    windowed = findings(delayed(step, (5,)))
    assert {t.property for t in theorems(windowed, "architecture")} >= {"definite", "aperiodic"}
    assert "stutter-invariant" not in {t.property for t in theorems(windowed, "closure")}


def test_a_driver_and_positions_leave_nothing():
    driven = lm.probe_step(layers.Angle(), 5, 5).findings
    assert driven.driver is not None
    assert not list(theorems(driven, "closure"))


@pytest.mark.parametrize(("kind", "state", "says"), [(torch.nn.LSTMCell, (2, 3), "yes"), (layers.Wave, 3, "not decided")])
def test_only_known_nonlinear_cells_do_what_their_row_does(kind, state, says):
    layer = kind(5, 3) if kind is torch.nn.LSTMCell else kind()
    assert lm.probe_step(layer, state, 5).ask("parity").says() == says


# -- advice -----------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "edit", "row"),
    [
        ("minGRU", "put 2 a - 1 in place of the diagonal entries a (node rsub)", "diagonal-signed"),
        pytest.param("Delta", "multiply beta by 2 (node mul)", "delta-signed", marks=pytest.mark.programs),
        pytest.param("Delta, clamped", "drop the bound of beta (node clamp)", "delta-signed", marks=pytest.mark.programs),
        pytest.param("long keys", "divide the keys by their norm", "delta-signed", marks=pytest.mark.programs),
        pytest.param("RWKV-7", "multiply a by 2", "diagonal-minus-rank-one", marks=pytest.mark.programs),
        pytest.param("Delta, top 2", "take one more factor", "householder-2", marks=pytest.mark.programs),
    ],
)
def test_the_smallest_edit_that_changes_a_cell(name, edit, row, found):
    said = found(name).advice()
    assert said.edit.startswith(edit)
    assert said.after.row == row
    assert said.cells[0] == ("parity, any number of layers" if name != "Delta, top 2" else "S3, one layer")
    assert str(said).startswith(
        f"{said.edit}. The edited copy, probed again: {said.after.spectrum}, row {row}. Becomes a yes: {said.cells[0]}"
    )
    assert said.data["row"] == row


def test_an_edit_that_changes_nothing_is_not_said(found, monkeypatch):
    before = found("Delta").findings
    monkeypatch.setattr(advising, "edits", lambda _: [Edit("hope", lambda: before.step)])
    assert advice(before) is None
    assert advice(before, Question("parity")) is None
    assert found("Delta, top 2").advice("parity") is None


def test_the_edited_copy_shares_nothing_with_the_layer(found):
    before = found("Delta").findings
    x = before.step.draw(torch.Generator().manual_seed(0))
    state = torch.ones(before.step.size, dtype=torch.float64)
    with torch.no_grad():
        was = before.step(before.step.weights, state, x).clone()
        for edit in edits(before):
            made = edit.step()
            made(made.weights, state, made.draw(torch.Generator().manual_seed(0)))
        assert torch.equal(before.step(before.step.weights, state, x), was)


def test_one_more_factor_is_a_product_of_two(found):
    step = doubled(found("Delta, top 2").findings.step)
    assert len(step.factors) == 2
    assert step.weights["first.key.weight"] is not step.weights["second.key.weight"]
    assert not torch.equal(step.weights["first.key.weight"], step.weights["second.key.weight"])
    assert found("Delta, top 2").findings.kinds == {DELTA}


def test_a_delay_is_read(found):
    step = delayed(found("minGRU").findings.step, (5,))
    assert [e.back for e in step.earlier] == [1]
    assert findings(step).row == "open-diagonal-convolution"
    deaf = lm.probe_step(lambda h, x: 0.5 * h, 3, 5).findings.step
    assert delayed(deaf, (5,)).earlier == ()


# -- assertions -------------------------------------------------------------------------------------------------------------------------


def test_an_assertion_says_what_to_change(found):
    with pytest.raises(
        AssertionError, match=r"got no: .*node clamp.*What to change: drop the bound of beta \(node clamp\); the edited copy"
    ):
        assert_reaches(found("Delta, clamped"), -1)


@pytest.mark.programs
def test_each_assertion_says_what_to_change(found):
    with pytest.raises(AssertionError, match=r"to do parity, got no: .*What to change: put 2 a - 1"):
        assert_can(found("minGRU"), "parity")
    with pytest.raises(AssertionError, match=r"expected real eigenvalues in \[0, 1\], got real, in \(-1, 1\].*What to change: halve beta"):
        assert_spectrum(found("Delta, top 2"), "[0, 1]")


def test_an_assertion_that_no_edit_mends_says_what_was_tried():
    with pytest.raises(AssertionError, match=r"got no: .*Edits that were tried and do not mend it: .*put 2 a - 1"):
        assert_can(lambda h, x: torch.sigmoid(x) * h, "S5", state=3, input=3)
    with pytest.raises(AssertionError, match="What to change: the node tanh, the first that bends the state"):
        assert_reaches(lambda h, x: torch.tanh(h + x), -1, state=3, input=3)


def test_assertions_take_a_step_with_its_shapes():
    assert_spectrum(lambda h, x: torch.sigmoid(x) * h, "(0, 1)", state=3, input=3)
    with pytest.raises(ValueError, match="expected the shapes of the state and the input"):
        assert_reaches(torch.nn.Linear(3, 3), -1)
    with pytest.raises(ValueError, match="expected an eigenvalue among"):
        assert_reaches(lambda h, x: h, -1, "elsewhere", state=3, input=3)


# -- rows and the figure ----------------------------------------------------------------------------------------------------------------


def test_the_closure_of_an_open_row():
    assert at_the_closure("open-diagonal-convolution") == "diagonal-nonnegative-convolution"
    assert at_the_closure(None) is None
    assert lm.probe_step(lambda h, x: h + x, 3, 3).row == "linear-attention"
    assert answer_in(lm.probe_step(lambda h, x: h + x, 3, 3).findings, Question("flip-flop")).says == "no"


def test_the_figure(found, tmp_path):
    probed = found("minGRU")
    path = probed.draw(tmp_path / "a.svg")
    assert path.read_bytes() == probed.draw(tmp_path / "b.svg").read_bytes()
    assert b"unit circle" in path.read_bytes() or path.stat().st_size > 10_000
    with pytest.raises(ValueError, match=r"\.png or \.svg"):
        probed.draw(tmp_path / "a.txt")
    with pytest.raises(ValueError, match="affine"):
        lm.probe_step(torch.nn.GRUCell(2, 2), 2, 2).draw(tmp_path / "c.png")
