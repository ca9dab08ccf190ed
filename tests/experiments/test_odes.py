"""Driven equations learned: the data against fixed-step Runge-Kutta, the model against the loop, the bound against fits, and the sentence both ways."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the extra 'torch'")

import xarray as xr  # noqa: E402
from lemmata.constructions.universality.maps import goes_up, slow_inputs  # noqa: E402
from lemmata.experiments import odes  # noqa: E402
from lemmata.experiments.training import TEST, TRAIN, Run, fresh, train  # noqa: E402

SMOKE = odes.SIZES["smoke"]


def runge_kutta(system, inputs, inner=40):
    """z_1 after every step, by the classical method of order four with ``inner`` fixed steps, the input held."""
    h, z, out = system.horizon / inputs.shape[1] / inner, np.repeat(np.array(system.start)[:, None], len(inputs), axis=1), []
    for v in inputs.T:
        for _ in range(inner):
            a = np.array(system.field(z, v))
            b = np.array(system.field(z + h / 2 * a, v))
            c = np.array(system.field(z + h / 2 * b, v))
            d = np.array(system.field(z + h * c, v))
            z = z + h / 6 * (a + 2 * b + 2 * c + d)
        out.append(z[0])
    return np.array(out).T


@pytest.mark.parametrize("name", odes.SYSTEMS)
def test_responses_are_what_a_fixed_step_gives(name):
    inputs, outputs = odes.responses(name, 3, 16, TEST)
    assert inputs.shape == outputs.shape == (3, 16)
    expected = runge_kutta(odes.SYSTEMS[name], inputs)
    size = np.abs(expected).max()
    assert np.abs(outputs - expected).max() < 1e-3 * size
    # an input that comes a step late is noticed
    late = runge_kutta(odes.SYSTEMS[name], np.roll(inputs, 1, axis=1), 10)
    assert np.abs(outputs - late).max() > 1e-2 * size
    # the two purposes have inputs of their own
    assert not np.allclose(inputs, odes.responses(name, 3, 16, TRAIN)[0])
    assert (inputs.min() < 0) == (name == "Lorenz")


def test_slow_inputs_are_sums_of_slow_cosines():
    v = slow_inputs(np.random.default_rng(0), 8, 40, 0.5)
    assert np.linalg.matrix_rank(v) == 6
    assert np.allclose(v.mean(axis=1), 0.5 * np.random.default_rng(0).standard_normal((8, 6))[:, 0] / 6**0.5)


def test_batches_are_pairs_that_belong_together():
    read, said = odes.response_task("Lorenz", SMOKE).sample(5, 99, np.random.default_rng(0))
    inputs, outputs = odes.responses("Lorenz", SMOKE.seen, SMOKE.length, TRAIN)
    assert read.shape == (5, SMOKE.length, 2)
    assert (read[..., 1] == 1).all()
    for x, y in zip(read[..., 0] * odes.SYSTEMS["Lorenz"].amplitude, said * outputs.std() + outputs.mean(), strict=True):
        assert np.allclose(outputs[np.abs(inputs - x).max(axis=1).argmin()], y)


def run(kind, width=3, steps=1):
    return Run("Lorenz", kind, 0, width, steps, SMOKE.length, SMOKE.length)


def model(kind, **more):
    return fresh(run(kind, **more), odes.response_task("Lorenz", SMOKE), lambda r, t: odes.build(r, t, 5))


@pytest.mark.parametrize("kind", odes.KINDS)
def test_the_model_and_its_gradients_are_those_of_the_loop_and_causal(kind):
    net, x = model(kind).double(), torch.randn(2, 7, 2, dtype=torch.float64)
    memory, head = net[0], net[1:]
    trained = [p for p in net.parameters() if p.requires_grad]
    assert len(list(net.parameters())) - len(trained) == (2 if kind == odes.FIXED else 0)
    h, gain, steps = torch.zeros(2, 3, dtype=torch.complex128), memory.log_gamma.exp(), []
    for t in range(7):
        h = memory.eigenvalues() * h + gain * (x[:, t].to(h.dtype) @ torch.complex(memory.B[0], memory.B[1]).T)
        steps.append(head(torch.cat([h.real, h.imag], dim=-1)))
    loop = torch.stack(steps, dim=1)
    torch.testing.assert_close(net(x), loop, rtol=1e-10, atol=1e-12)
    for ours, plain in zip(*(torch.autograd.grad((y**2).sum(), trained) for y in (net(x), loop)), strict=True):
        torch.testing.assert_close(ours, plain, rtol=1e-9, atol=1e-10)
    later = x.clone()
    later[:, 4:] += 1
    assert torch.equal(net(later)[:, :4], net(x)[:, :4])
    assert not torch.allclose(net(later)[:, 4], net(x)[:, 4])


@pytest.mark.parametrize(("kind", "move"), [(odes.HIDDEN, True), (odes.FIXED, False)])
def test_fixed_eigenvalues_stay_and_others_move(kind, move):
    trained = train(run(kind), task=odes.response_task("Lorenz", SMOKE), build=lambda r, t: odes.build(r, t, 5))
    before, after = model(kind), trained
    assert torch.equal(before[0].eigenvalues(), after[0].eigenvalues()) != move
    assert not torch.equal(before[0].B, after[0].B)


def test_no_affine_functional_is_below_the_bound():
    rng = np.random.default_rng(0)
    v = rng.standard_normal((60, 5))
    outputs = np.cumsum(v, axis=1) + 0.5 * np.cumsum(v**2, axis=1)
    bound = odes.affine_bound(v, outputs)
    assert 0.1 < bound < 1
    assert odes.affine_bound(v, v @ rng.standard_normal((5, 5)) + 3) < 1e-10
    assert odes.relative_error(np.broadcast_to(outputs.mean(axis=0), outputs.shape), outputs) == pytest.approx(1)
    # every linear filter with an offset, and the model with a linear head, are above it; what is not affine may be below
    for weights in rng.standard_normal((5, 5, 5)):
        assert odes.relative_error(v @ np.triu(weights) + 1, outputs) > bound
    tokens = torch.from_numpy(np.stack([v, np.ones_like(v)], axis=-1)).float()
    with torch.no_grad():
        found = model(odes.LINEAR)(tokens)[..., 0].double().numpy()
    fitted = np.polynomial.Polynomial.fit(found.ravel(), outputs.ravel(), 1)(found)
    assert odes.relative_error(fitted, outputs) > bound
    assert odes.relative_error(outputs, outputs) == 0


def test_no_linear_readout_is_below_the_bound_for_filters():
    rng = np.random.default_rng(1)
    v = rng.standard_normal((60, 5))
    # one filter and an offset at each step leave nothing; weights of their own at each step leave something
    c = rng.standard_normal(5)
    filtered = np.array([np.convolve(row, c)[:5] for row in v]) + rng.standard_normal(5)
    assert odes.filter_bound(v, filtered) < 1e-10
    assert odes.filter_bound(v, v * [1, 2, 3, 4, 5]) > 0.2
    assert odes.affine_bound(v, v * [1, 2, 3, 4, 5]) < 1e-10
    tokens = torch.from_numpy(np.stack([v, np.ones_like(v)], axis=-1)).double()
    with torch.no_grad():
        found = model(odes.LINEAR).double()(tokens)[..., 0].numpy()
    assert odes.filter_bound(v, found) < 1e-10


def test_the_way_of_an_output_is_its_sign_at_the_first_swing():
    assert goes_up(np.array([[-1.0, 3.0, -2.0], [1.0, -3.0, 2.0]])).tolist() == [True, False]


def test_the_linearised_saddle_says_which_way_lorenz_goes():
    share, error = odes.by_side(SMOKE)
    assert share > 0.9
    assert error < 1


def test_the_experiment_in_miniature():
    data = odes.EXPERIMENT.compute("smoke")
    assert dict(data.error.sizes) == {"task": 3, "kind": 3, "seed": 1}
    assert dict(data.model.sizes) == {"task": 3, "kind": 3, "seed": 1, "input": 2, "k": 16}
    assert (data.error.sel(kind=odes.LINEAR) >= data["filter"]).all()
    assert (data["filter"] >= data.bound - 1e-12).all()
    assert len(odes.draw(data).axes) == 6
    assert "the hidden layer does not" in odes.EXPERIMENT.outcome(data)
    with pytest.raises(ValueError, match="expected a scale among quick, desk, paper"):
        odes.EXPERIMENT.runs("large")
    with pytest.raises(ValueError, match="expected at least one seed, got 0"):
        odes.EXPERIMENT.runs("quick", 0)


def made_up(linear, hidden, fixed, bound):
    """Data with two seeds' errors for each system alike."""
    error = np.array([[linear, hidden, fixed]] * 3)
    return xr.Dataset(
        {
            "error": (("task", "kind", "seed"), error),
            "bound": ("task", [bound] * 3),
            "filter": ("task", [bound + 0.1] * 3),
            "right": (("kind", "seed"), 1 - error[0]),
        },
        {"task": list(odes.SYSTEMS), "kind": list(odes.KINDS), "seed": [0, 1]},
        {"side right": 0.99, "side error": 0.6, "unseen": 9, "steps": 7, "Lorenz steps": 8},
    )


def test_the_sentence_on_driven_equations_follows_the_numbers():
    said = odes.EXPERIMENT.outcome(made_up([0.8, 0.9], [0.1, 0.12], [0.2, 0.3], 0.5))
    assert all(
        f"{name}: yes (linear 85.0 %, any linear readout at least 60.0 %, any linear functional at least 50.0 %, hidden layer 11.0 %, below that bound in 2 of 2"
        in said
        for name in odes.SYSTEMS
    )
    assert "below the bound for linear readouts: yes" in said
    assert "linearisation of the saddle 99.0 %, linear 15.0 %, hidden layer 89.0 %" in said
    assert "'there is huge variation across seeds': no (worst error over best, hidden layer: protein 1.2" in said
    assert said.count("eigenvalues helps'") == said.count("yes (25.0 % to 11.0 %)") == 3
    said = odes.EXPERIMENT.outcome(made_up([0.05, 0.9], [0.3, 0.7], [0.2, 0.8], 0.1))
    assert "protein: no, a linear functional can and the hidden layer does not" in said
    assert "below the bound for linear readouts: no" in said
    assert "'there is huge variation across seeds': yes" in said
    assert "eigenvalues helps', Lorenz: no" in said


@pytest.mark.parametrize(("hidden", "bound", "why"), [(0.2, 0.2, "a linear functional can"), (0.4, 0.5, "the hidden layer does not")])
def test_either_half_of_the_sentence_may_fail(hidden, bound, why):
    assert f"Lorenz: no, {why} (" in odes.EXPERIMENT.outcome(made_up([0.9, 0.9], [hidden, hidden], [1.0, 1.0], bound))
