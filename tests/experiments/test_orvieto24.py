"""Decoders of the last state: the state against the layer's own recurrence, the bound against the components themselves, and the sentence both ways."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the extra 'torch'")

import xarray as xr  # noqa: E402
from lemmata.experiments import decoders  # noqa: E402
from lemmata.experiments.decoders import Recall, image_task, principal_error, squared_error  # noqa: E402
from lemmata.experiments.digits import coarse  # noqa: E402
from sklearn.datasets import load_digits  # noqa: E402


def test_the_last_state_and_its_gradients_are_those_of_the_recurrence():
    torch.manual_seed(0)
    model, x = Recall("linear", 3, 6, 4).double(), torch.randn(2, 6, dtype=torch.float64)
    found = []
    for state in (model.last_state(x), model.memory(x[..., None], scan=False)[:, -1]):
        found.append((state, *torch.autograd.grad((state**2).sum(), list(model.memory.parameters()))))
    for ours, loop in zip(*found, strict=True):
        torch.testing.assert_close(ours, loop, rtol=1e-10, atol=1e-12)
    assert model(x).shape == (2, 6)
    assert sum(p.numel() for p in Recall("hidden layer", 3, 6, 4).decoder.parameters()) == (6 + 1) * 4 + (4 + 1) * 6


def test_no_linear_decoder_is_below_the_bound():
    rng = np.random.default_rng(0)
    x = rng.standard_normal((30, 8)) @ rng.standard_normal((8, 8))
    for numbers in (1, 4, 7):
        bound = principal_error(x, numbers)
        # the code by components attains it, a random one does not
        for code, attains in ((np.linalg.svd(x - x.mean(0))[2][:numbers].T, True), (rng.standard_normal((8, numbers)), False)):
            state = np.column_stack([x @ code, np.ones(30)])
            error = np.sqrt(((x - state @ np.linalg.lstsq(state, x, rcond=None)[0]) ** 2).mean())
            assert error >= bound - 1e-12
            assert (error == pytest.approx(bound)) == attains
    assert principal_error(x, 8) == pytest.approx(0, abs=1e-12)


def test_images_are_given_back():
    sequences = np.arange(12.0).reshape(4, 3)
    inputs, targets = image_task(sequences).sample(5, 99, np.random.default_rng(0))
    assert np.array_equal(inputs, targets)
    assert all(row.tolist() in sequences.tolist() for row in inputs)
    silent = squared_error(lambda x: 0 * x, image_task(sequences), torch.from_numpy(inputs), torch.from_numpy(targets))
    assert float(silent) == pytest.approx((targets**2).mean())


def test_both_kinds_of_images_have_as_many_pixels():
    read = decoders.sequences(decoders.Size(1, 1, 30, (2,), 2))
    digits = load_digits().images[:30] / 16
    assert np.array_equal(read["digits"].reshape(-1, 8, 8), digits)
    assert read["paths"].shape == (30, 64)
    assert set(np.unique(read["paths"])) == {0, 0.5, 1}
    assert all(paths.side == side for side, paths in decoders.PATHS.items())
    assert np.allclose(coarse(digits, 3)[:, 1, 0], digits[:, 3:6, :3].mean((1, 2)))
    assert coarse(digits, 3).shape == (30, 2, 2)


def test_the_experiment_in_miniature():
    data = decoders.EXPERIMENT.compute("smoke")
    assert dict(data.error.sizes) == {"task": 2, "kind": 2, "width": 2, "seed": 1}
    assert data.attrs["length"] == 64
    assert len(decoders.draw(data).axes) == 2
    assert decoders.EXPERIMENT.outcome(data).startswith("'the error vanishes as the state grows', digits: no")
    assert "; 'the error vanishes as the state grows', paths: no" in decoders.EXPERIMENT.outcome(data)
    with pytest.raises(ValueError, match="expected a scale among quick, desk, paper"):
        decoders.EXPERIMENT.runs("large")
    with pytest.raises(ValueError, match="expected at least one seed, got 0"):
        decoders.EXPERIMENT.runs("quick", 0)


def test_the_sentence_on_decoders_follows_the_numbers():
    error = np.array([[[0.2, 0.2], [0.1, 0.1], [0.01, 0.01]], [[0.1, 0.1], [0.08, 0.08], [0.015, 0.3]]])
    data = xr.Dataset(
        {
            "error": (("task", "kind", "width", "seed"), error[None]),
            "bound": (("task", "width"), [[0.15, 0.05, 0.0]]),
            "spread": ("task", [0.25]),
        },
        {"task": ["digits"], "kind": list(decoders.DECODERS), "width": [2, 8, 32], "seed": [0, 1]},
        {"length": 64, "steps": 1, "digits": "small"},
    )
    said = decoders.EXPERIMENT.outcome(data)
    assert (
        "'at small N the decoder has to be non-linear', digits: yes (better at N in [2, 8]; below what any linear decoder of 2 N numbers can do at N in [2])"
        in said
    )
    assert "'at the largest N linear is best', digits: yes; no linear run is below the bound for linear decoders: yes" in said
    assert "2 N >= L = 64: N in [32]" in said
    data["error"] = data.error[:, ::-1].assign_coords(kind=list(decoders.DECODERS))
    said = decoders.EXPERIMENT.outcome(data)
    assert "'at small N the decoder has to be non-linear', digits: no" in said
    assert "below the bound for linear decoders: no" in said
    flat = data.assign(error=data.error * 0 + 0.01)
    assert decoders.EXPERIMENT.outcome(flat).startswith("'the error vanishes as the state grows', digits: no")
    falling = data.assign(error=data.error * 0 + xr.DataArray([0.2, 0.1, 0.01], dims="width"))
    assert decoders.EXPERIMENT.outcome(falling).startswith("'the error vanishes as the state grows', digits: yes")
