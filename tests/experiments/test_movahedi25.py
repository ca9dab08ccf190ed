"""Fixed-point layers against the exact construction, the dense recurrence and their gradients; copying; what the experiments say on made-up data."""

from dataclasses import replace
from functools import cache
from math import log

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the extra 'torch'")

from lemmata.constructions import fixed_point  # noqa: E402
from lemmata.constructions.bedouin import BedouinToken, bedouin_pass  # noqa: E402
from lemmata.experiments import copying, groups, iterations  # noqa: E402
from lemmata.experiments.bedouin_layer import PARTS, Bedouin  # noqa: E402
from lemmata.experiments.bedouin_loop import Solved  # noqa: E402
from lemmata.experiments.fixed_point_layers import (  # noqa: E402
    FixedPoint,
    iterate,
    propagator,
    reflected,
    reflections,
    settle,
    strengths,
)
from lemmata.experiments.queried_delta import QueriedDelta  # noqa: E402
from lemmata.experiments.tasks import UNASKED, task_named  # noqa: E402
from lemmata.theorems.ledger import ledger  # noqa: E402
from torch.nn import functional  # noqa: E402

GATES = [("none", 0), ("complement", 2), ("griffin", 3), ("griffin", 0)]

#: roundings to an entry of a pass of these small layers, at most, and by how much passes of theirs contract at least
ROUNDINGS, CONTRACTION = 200, 19 / 20
#: a pass is off by 200 x 2^-53 of the largest entry, and passes sum that up as a geometric series; below twice this change they may go round in circles
SETTLED = 2 * ROUNDINGS * 2.0**-53 / (1 - CONTRACTION)
#: passes until a change that small, if they contract so
PASSES = log(SETTLED) / log(CONTRACTION)
#: how far from the fixed point, in parts of its largest entry, passes are that stop there
AWAY = SETTLED / (1 - CONTRACTION)


def near(found, expected, bound):
    """Whether arrays agree to ``bound`` times the largest entry of all that is expected."""
    largest = max(x.detach().abs().max() for x in expected)
    return all(bool((a - b).detach().abs().max() <= bound * largest) for a, b in zip(found, expected, strict=True))


def layer_and_words(gate, mixer, columns=2, T=5):
    torch.manual_seed(0)
    layer = FixedPoint(3, 4, columns, gate, mixer).double()
    layer.most, layer.tolerance = 2000, SETTLED
    with torch.no_grad():
        layer.drive.normal_()
    words = torch.randint(3, (2, T))
    return layer, words, functional.one_hot(words, 3).double()


@pytest.mark.parametrize(("gate", "mixer"), GATES)
def test_passes_settle_at_the_dense_recurrence_with_its_gradients(gate, mixer):
    layer, _, x = layer_and_words(gate, mixer)
    weights = torch.randn(2, 5, 8, dtype=torch.float64)
    outputs, gradients = [], []
    for scan in (True, False):
        outputs.append(layer(x, scan))
        gradients.append(torch.autograd.grad((outputs[-1] * weights).sum(), list(layer.parameters())))
    assert 1 < layer.passes < PASSES
    assert near(outputs[:1], outputs[1:], AWAY)
    # a gradient is made of the states and of the adjoint, both AWAY from theirs; its derivative by either is below 50
    assert near(*gradients, 100 * AWAY)
    # the gradient of the last pass alone is another one
    layer.implicit = False
    last = torch.autograd.grad((layer(x) * weights).sum(), list(layer.parameters()))
    assert any((a - b).abs().max() > 1e-3 for a, b in zip(last, gradients[0], strict=True))


@pytest.mark.parametrize(("gate", "mixer"), GATES)
def test_a_bounded_number_of_passes_is_that_of_the_exact_construction(gate, mixer):
    layer, words, x = layer_and_words(gate, mixer, columns=1)
    layer.most = 3
    with torch.no_grad():
        found = layer(x)[0].numpy()
        decay, F, _ = (v.numpy() for v in layer.tokens())
        Q, drive = layer.mixers().numpy(), layer.drive[..., 0].numpy()
    assert not layer.settled
    gates = {"none": np.ones_like(decay), "complement": 1 - decay}.get(gate, layer.decay.sigmoid().detach().numpy())
    tokens = [fixed_point.Token(decay[i], gates[i], Q[i], drive[i]) for i in words[0].tolist()]
    np.testing.assert_allclose(tokens[0].feedback, F[words[0, 0]], atol=1e-13)
    np.testing.assert_allclose(found, fixed_point.iterate(tokens, 3, layer.initial[:, 0].detach().numpy()), atol=1e-12)


def test_many_letters_are_mixed_as_few_are():
    torch.manual_seed(6)
    layer = FixedPoint(6, 4, 2).double()
    words, h = torch.randint(3, (2, 5)), torch.randn(4, 2, 2, 5, dtype=torch.float64)
    F = layer.tokens()[1]
    # the same words over an alphabet of 3 letters and of 6, more than the 4 units
    few, many = (layer._mixing(F[:n], functional.one_hot(words, n).double())(h) for n in (3, 6))
    torch.testing.assert_close(few, many)
    torch.testing.assert_close(many[:, 1, :, 2], F[words[1, 2]] @ h[:, 1, :, 2])


def test_a_nonlinear_fixed_point_has_the_gradient_of_many_unrolled_passes():
    torch.manual_seed(1)
    W, b = 0.2 * torch.randn(4, 4, dtype=torch.float64), torch.randn(4, dtype=torch.float64, requires_grad=True)

    def step(h):
        return torch.tanh(W @ h + b)

    start = torch.zeros(4, dtype=torch.float64)
    # ||W|| < 0.6 and about 10 roundings to an entry: 2 x 10 x 2^-53 / (1 - 0.6) is below 1e-14
    assert torch.linalg.matrix_norm(W, 2) < 0.6
    h, passes = settle(step, start, 1e-14, 500)
    (found,) = torch.autograd.grad(h.square().sum(), b)
    for _ in range(100):
        start = step(start)
    (expected,) = torch.autograd.grad(start.square().sum(), b)
    torch.testing.assert_close(found, expected, rtol=1e-10, atol=1e-12)
    assert 1 < passes < 100
    # one that doubles never settles
    assert iterate(lambda h: 2 * h + 1, torch.zeros(1), 1e-3, 7) == (torch.tensor([127.0]), 7)


def test_mixers_are_products_of_reflections_and_contract_only_in_the_contractive_range():
    torch.manual_seed(2)
    raw, u = 4 * torch.randn(50, 3, dtype=torch.float64), torch.randn(50, 3, 4, dtype=torch.float64)
    alpha = strengths(raw, "contractive")
    Q = reflections(alpha, u)
    expected = np.eye(4)
    for a, v in zip(alpha[0].numpy(), u[0].numpy(), strict=True):
        expected = expected @ (np.eye(4) - 2 * a * np.outer(v, v) / (v @ v))
    np.testing.assert_allclose(Q[0], expected, atol=1e-14)
    v = torch.randn(50, 4, dtype=torch.float64)
    torch.testing.assert_close(reflected(alpha, functional.normalize(u, dim=-1), v), (Q @ v[..., None])[..., 0])
    one = torch.eye(4, dtype=torch.float64)
    assert alpha.sum(-1).max() < 0.5
    assert torch.linalg.matrix_norm(one - Q, 2).max() < 1
    assert torch.linalg.matrix_norm(one - reflections(strengths(raw, "paper"), u), 2).max() > 1
    with pytest.raises(ValueError, match="expected the range paper or contractive"):
        FixedPoint(2, 2, mixer=1, range_="any")
    with pytest.raises(ValueError, match="expected the gate complement"):
        FixedPoint(2, 2, gate="open")


def test_the_propagator_is_the_recurrence():
    torch.manual_seed(3)
    a, c = torch.randn(3, 6, dtype=torch.float64), torch.randn(3, 6, dtype=torch.float64)
    h, states = torch.zeros(3, dtype=torch.float64), []
    for t in range(6):
        h = a[:, t] * h + c[:, t]
        states.append(h)
    torch.testing.assert_close((c[:, None] @ propagator(a))[:, 0], torch.stack(states, -1))


def test_where_theory_says_eigenvalues_lie_they_lie():
    """The disc of the gated layer, the right half-plane of contracting mixers, positive numbers for one reflection while its passes settle."""
    torch.manual_seed(4)
    settled = []
    for gate, mixer, range_ in (("complement", 3, "contractive"), ("griffin", 3, "contractive"), ("griffin", 1, "paper")):
        layer = FixedPoint(200, 4, 1, gate, mixer, range_).double()
        with torch.no_grad():
            layer.decay.mul_(3)
            layer.alpha.mul_(3)
        z, radius = layer.spectrum().detach(), torch.linalg.eigvals(layer.tokens()[1]).abs().amax(-1)
        if gate == "complement":
            assert ((z - 0.5).abs() < 0.5 + 1e-9).all()
        elif range_ == "contractive":
            assert (z.real > 0).all()
        else:
            assert z.imag.abs().max() < 1e-6
            settled = (radius < 1).tolist()
            assert settled == (z.real > 0).all(-1).tolist()
    assert 0 < sum(settled) < 200


@pytest.mark.parametrize("task", groups.GENERATORS)
def test_exact_weights_contract_and_compute_the_group_in_float64(task):
    layer = groups.exact_layer(task)
    A = layer.maps()[0].detach().numpy()
    assert torch.linalg.matrix_norm(layer.tokens()[1], 2).max() < 1
    group, seen = [np.eye(4)], {(0.0 + np.eye(4)).tobytes()}
    for g in group:
        # rounded, and without -0
        for name, p in ((np.round(a @ g, 6) + 0.0, a @ g) for a in A):
            if name.tobytes() not in seen:
                seen.add(name.tobytes())
                group.append(p)
    # the double cover of A_5, and S_5
    assert len(group) == 120


def test_generators_make_the_groups():
    for tasks in (groups.GENERATORS, groups.ELEMENTS):
        for name, order in zip(tasks, (60, 120), strict=True):
            assert len(task_named(name).answers) == order
    assert len(task_named("S5").letters) == 120


def test_copying_asks_for_the_word_after_the_delimiter():
    for length in (8, 9):
        words, targets = copying.copying().sample(20, length, np.random.default_rng(0))
        assert words.shape == targets.shape == (20, length)
        assert (words[:, 4] == copying.LETTERS).all()
        assert np.array_equal(targets[:, 4:8], words[:, :4])
        assert (np.delete(targets, range(4, 8), axis=1) == UNASKED).all()
        assert np.array_equal(words[:, 5:], words[:, : length - 5])
    with pytest.raises(ValueError, match="expected a length of at least 2"):
        copying.copying().sample(1, 1, np.random.default_rng(0))


def test_a_bedouin_pass_is_that_of_the_exact_construction_and_sees_the_output_before():
    torch.manual_seed(5)
    layer = Bedouin(3, 2, 4, r=2).double()
    x, y = torch.randn(1, 5, 3, dtype=torch.float64), torch.randn(1, 5, 4, dtype=torch.float64)

    def tokens(layer, y):
        return layer.tokens(layer.seen(x) + functional.pad(y, (0, 0, 1, 0))[:, :-1] @ layer.hearing(), layer.rate())

    with torch.no_grad():
        decay, delta, alpha, u, B, C = (v[0].numpy() for v in tokens(layer, y))
        Q = reflections(*(torch.from_numpy(v) for v in (alpha, u))).numpy()
        inputs = layer.embed(x)[0].numpy()
        exact = [BedouinToken(*v) for v in zip(decay, delta, B, C, Q, inputs, strict=True)]
        np.testing.assert_allclose(layer.one_pass(x, y)[0], bedouin_pass(exact, y[0].numpy())[1], atol=1e-12)
        changed = y.clone()
        changed[0, 2] += 1
        for depends in ((), PARTS, *((part,) for part in PARTS)):
            one = Bedouin(3, 2, 4, depends=depends).double()
            for part, before, after in zip(
                ("decay", "decay", "mixer", "mixer", "write", "read"), tokens(one, y), tokens(one, changed), strict=True
            ):
                moved = (before != after).flatten(2).any(-1)[0].tolist()
                assert moved == [False, False, False, part in depends, False], (part, depends)
    with pytest.raises(ValueError, match="expected parts among decay"):
        Bedouin(3, 2, 4, depends=("Q",))
    with pytest.raises(ValueError, match="expected one reflection to solve for the fixed point, got 2"):
        layer(x, scan=False)


@pytest.mark.parametrize("depends", [(), ("write",), ("decay", "read"), PARTS])
def test_what_is_solved_token_after_token_is_where_passes_settle_with_its_gradients(depends):
    torch.manual_seed(7)
    layer = Bedouin(3, 2, 4, depends=depends).double()
    layer.most, layer.tolerance, layer.implicit = 2000, SETTLED, True
    x, weights = torch.randn(2, 5, 3, dtype=torch.float64), torch.randn(2, 5, 4, dtype=torch.float64)
    outputs, gradients = [], []
    for scan in (True, False):
        outputs.append(layer(x, scan))
        gradients.append(torch.autograd.grad((outputs[-1] * weights).sum(), list(layer.parameters())))
    assert 1 < layer.passes < PASSES
    assert near(outputs[:1], outputs[1:], AWAY)
    # as above: made of the outputs and of the adjoint
    assert near(*gradients, 100 * AWAY)
    with torch.no_grad():
        torch.testing.assert_close(layer(x, scan=False), outputs[1])


def test_the_solution_has_the_gradients_of_finite_differences():
    torch.manual_seed(8)
    layer = Bedouin(3, 2, 3).double()
    x = torch.randn(2, 3, 3, dtype=torch.float64)
    arguments = [v.detach().requires_grad_() for v in (layer.embed(x), layer.seen(x), 3 * layer.hearing(), layer.rate())]
    assert torch.autograd.gradcheck(Solved.apply, arguments)


def test_gated_deltanet_reads_by_a_query_and_sees_four_letters():
    torch.manual_seed(9)
    layer, x = QueriedDelta(3, 4, 2).double(), torch.randn(1, 6, 3, dtype=torch.float64)
    with torch.no_grad():
        seen = torch.cat([torch.zeros(3, 3, dtype=torch.float64), x[0]])

        def short(module, t):
            weight, bias = module.convolution.weight[:, 0], module.convolution.bias
            return functional.silu(sum(weight[:, i] * module.linear(seen[t + i]) for i in range(4)) + bias)

        H = layer.initial
        for t in range(6):
            k, v, q = (short(m, t) for m in (layer.key, layer.value, layer.query))
            k, q = k / k.norm(), q / q.norm()
            H = layer.forgotten(x)[0, t] * H
            H = H + layer.strength(x)[0, t].sigmoid() * torch.outer(k, v - k @ H)
            torch.testing.assert_close(layer(x)[0, t], q @ H)
        words = torch.tensor([[0, 2, 1]])
        letters = torch.eye(3, dtype=torch.float64)
        torch.testing.assert_close(layer.of_letters(words, letters), layer(letters[words]))


@pytest.mark.parametrize("claim", sorted({c for p in groups.LAYERS.values() for c in p.claims}))
def test_predictions_rest_on_claims_that_hold(claim):
    assert ledger()[claim].verdict in ("PROVED", "DERIVED", "CHECKED")


def test_a_killed_training_with_drawn_passes_goes_on_with_the_same_numbers(tmp_path):
    run = replace(iterations.EXPERIMENT.runs("smoke")[-2], steps=4)
    assert iterations.BOUNDS[run.variant].passes == -1

    def trained(folder, progress=None):
        return iterations.train(
            run, folder, progress, pause=0.0, task=task_named(run.task), build=iterations.bounded, loss=iterations.drawing
        )

    def killed(stage, done, total):
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        trained(tmp_path, killed)
    whole, again = trained(None), trained(tmp_path)
    assert all(torch.equal(a, b) for a, b in zip(whole.parameters(), again.parameters(), strict=True))


@pytest.mark.parametrize("experiment", [groups, iterations, copying])
def test_experiments_run_end_to_end_and_refuse_bad_sizes(experiment):
    data = smoke(experiment)
    assert len(experiment.draw(data).axes) >= 2
    assert experiment.EXPERIMENT.outcome(data)
    with pytest.raises(ValueError, match="expected a scale among quick, desk, paper, got 'huge'"):
        experiment.EXPERIMENT.runs("huge")
    with pytest.raises(ValueError, match="expected at least one seed, got 0"):
        experiment.EXPERIMENT.runs("quick", 0)


smoke = cache(lambda experiment: experiment.EXPERIMENT.compute("smoke"))


def made_up(experiment, **filled):
    data = smoke(experiment)
    return data.assign({name: data[name].copy(data=np.broadcast_to(value, data[name].shape)) for name, value in filled.items()})


def test_the_sentence_on_groups_follows_the_data():
    layer = np.array(list(groups.LAYERS))
    right = np.isin(layer, [groups.FREE, "LSTM"])[None, :, None, None].astype(float)
    inside = {"re": 0.5, "im": 0.0, "radius": 0.5}
    said = groups.EXPERIMENT.outcome(made_up(groups, accuracy=right, **inside))
    assert "diagonal ones do not': yes (learnt on both: no gate" in said
    assert "10 of 10 cells" in said
    assert "S5 as letters all elements, learnt (and at twice the length): no gate, any contracting mixer yes (yes), LSTM yes (yes)" in said
    assert "disc |z - 1/2| ≤ 1/2: yes" in said
    assert "in 0 of 2 runs" in said
    said = groups.EXPERIMENT.outcome(made_up(groups, accuracy=1 - right, re=-0.5, im=0.0, radius=1.5))
    assert "diagonal ones do not': no" in said
    assert "0 of 10 cells, not: diagonal" in said
    assert "diagonal [-1, 1] yes (yes), gate Delta, alpha in (0, 1), r = 4 yes (yes), no gate, any contracting mixer no (no)" in said
    assert "disc |z - 1/2| ≤ 1/2: no" in said
    assert "positive real parts: no" in said
    assert "in 2 of 2 runs" in said
    # right up to the trained length alone; and what was not trained is not learnt
    data = smoke(groups)
    short = (data.length <= data.longest).transpose("task", "length").values[:, None, None].astype(float)
    assert "6 of 10 cells" in groups.EXPERIMENT.outcome(made_up(groups, accuracy=short))
    assert not groups.learnt(data.assign(accuracy=data.accuracy * np.nan)).any()


def test_the_sentence_on_passes_follows_the_data():
    few = np.array([0 < b.passes < 4 for b in iterations.BOUNDS.values()])[:, None, None]
    said = iterations.EXPERIMENT.outcome(made_up(iterations, accuracy=1.0 - few))
    assert "fewer than the training length': yes" in said
    assert "generalise at the fixed point': yes" in said
    said = iterations.EXPERIMENT.outcome(made_up(iterations, accuracy=0.5 * few))
    assert "fewer than the training length': no" in said
    assert "not at this scale" in said


def test_the_sentence_on_copying_follows_the_data():
    both = np.array([{"write", "read"} <= set(row.depends) for row in copying.ROWS.values()])[:, None, None]
    all_four = np.array([set(row.depends) == set(PARTS) for row in copying.ROWS.values()])[:, None, None]
    said = copying.EXPERIMENT.outcome(made_up(copying, accuracy=0.8 * both + 0.2 * all_four, passes=7.0))
    assert "in single runs: 1 of 4 with B and C, 0 of 4 without" in said
    assert "crucial for copying', at twice the trained length: yes" in said
    assert "crucial for copying', at the trained length: yes" in said
    assert "best, at twice the length': yes" in said
    assert "passes, tolerance 0.1: 7 to 7 at the trained length" in said
    assert "in 0 of 16 tests" in said
    said = copying.EXPERIMENT.outcome(made_up(copying, accuracy=0.5 - 0.1 * all_four, passes=np.nan))
    assert "crucial for copying', at twice the trained length: not reproduced at this scale" in said
    assert "crucial for copying', at the trained length: no" in said
    assert "best, at twice the length': no" in said
    assert "in single runs: 0 of 4 with B and C, 0 of 4 without" in said
    assert "in 16 of 16 tests" in said


def test_table_2_has_its_eight_rows():
    assert [copying.ROWS[name].paper for name in copying.TABLE] == [0.11, 0.53, 0.45, 0.55, 0.81, 0.88, 0.86, 0.94]
    assert len({frozenset(copying.ROWS[name].depends) for name in copying.TABLE}) == 8
