"""Linear and second-order layers against the recurrence as printed, the tasks against their definitions, weights by hand, and the experiments in miniature."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the extra 'torch'")

import xarray as xr  # noqa: E402
from lemmata.constructions import bilinear  # noqa: E402
from lemmata.constructions.depth import copy_network  # noqa: E402
from lemmata.constructions.depth.errors import expected_error, impulse_response, lower_bound  # noqa: E402
from lemmata.constructions.tanh_units import counted_parity_error, recurrent_parity_error, recurrent_parity_layer, sine_error  # noqa: E402
from lemmata.experiments import depth, products  # noqa: E402
from lemmata.experiments.bilinear_layers import STACKS, DeepRNN, SecondOrder, Steps, parameters_counted  # noqa: E402
from lemmata.experiments.signals import OMEGA, copied, measure, signal_task, squared_error  # noqa: E402
from lemmata.experiments.training import Run  # noqa: E402
from lemmata.numerics.exact import as_float  # noqa: E402


def printed(stack, x):
    """Definition 2 (and 1, and Eq. 2), layer by layer and step by step, with loops over every index of the tensor, on NumPy arrays; x (T, d)."""
    below = list(x)
    for layer in stack.layers:
        weights = {name: p.detach().numpy() for name, p in layer.named_parameters()}
        n, h, out = layer.outputs, weights["initial"], []
        A = np.zeros((n, len(below[0]), n)) if layer.product == "none" else layer.tensor().detach().numpy()
        for u in below:
            new = np.array([sum(A[i, j, k] * h[i] * u[j] for i in range(n) for j in range(len(u))) for k in range(n)])
            if layer.linear:
                new = new + weights["V"] @ h + weights["U"] @ u + weights["bias"]
            h = np.tanh(new) if stack.tanh == "recurrence" else new
            out.append(np.tanh(h) if stack.tanh == "depth" else h)
        below = out
    return np.array(below) @ stack.readout.weight.detach().numpy().T + stack.readout.bias.detach().numpy()


@pytest.mark.parametrize("kind", STACKS)
def test_stacks_are_the_recurrence_as_printed_with_its_gradients(kind):
    torch.manual_seed(0)
    stack, x = DeepRNN(kind, 2, 2, 3, 2).double(), torch.randn(2, 5, 2, dtype=torch.float64)
    for word, said in zip(x, stack(x), strict=True):
        np.testing.assert_allclose(said.detach().numpy(), printed(stack, word.numpy()), rtol=1e-10, atol=1e-12)
    # finite differences, in the first layer's initial state and through both layers
    assert torch.autograd.gradcheck(
        lambda start: torch.func.functional_call(stack, {"layers.0.initial": start}, (x,)),
        stack.layers[0].initial.detach().requires_grad_(),
    )


@pytest.mark.parametrize("recurrent", [False, True])
def test_the_loop_has_the_gradient_of_all_its_weights(recurrent):
    draw = torch.Generator().manual_seed(3)
    drive, V, initial, gates, a, c = (
        torch.randn(*shape, dtype=torch.float64, generator=draw, requires_grad=True)
        for shape in ((4, 2, 3), (3, 3), (3,), (4, 2, 5), (3, 5), (3, 5))
    )
    assert torch.autograd.gradcheck(lambda *x: Steps.apply(*x[:3], recurrent, None, None, None), (drive, V, initial))
    assert torch.autograd.gradcheck(lambda *x: Steps.apply(*x[:3], recurrent, *x[3:]), (drive, V, initial, gates, a, c))


def test_a_second_order_layer_is_the_exact_one_of_the_theorems():
    torch.manual_seed(1)
    layer, x = SecondOrder(2, 3).double(), torch.randn(1, 4, 2, dtype=torch.float64)
    weights = [getattr(layer, name).detach().numpy().astype(object) for name in ("A", "V", "U", "bias", "initial")]
    states = bilinear.run([bilinear.SecondOrderLayer(*weights)], list(x[0].numpy().astype(object)))
    for scan in (True, False):
        np.testing.assert_allclose(layer(x, scan)[0].detach().numpy(), np.array(states, dtype=float), rtol=1e-12)
    cp = SecondOrder(2, 3, "cp").double()
    exact = bilinear.cp_tensor(*(w.detach().numpy() for w in (cp.a, cp.b, cp.c)))
    np.testing.assert_allclose(cp.tensor().detach().numpy(), exact, rtol=1e-12)


def test_other_layers_stacks_and_scans_are_refused():
    for arguments in (("some",), ("none", False)):
        with pytest.raises(ValueError, match="expected the product full or cp"):
            SecondOrder(2, 2, *arguments)
    with pytest.raises(ValueError, match="expected scan=False for tanh"):
        SecondOrder(2, 2, recurrent=True)(torch.zeros(1, 2, 2))
    with pytest.raises(ValueError, match="expected a stack among linear RNN"):
        DeepRNN("RNN", 1, 1, 2, 1)
    with pytest.raises(ValueError, match="expected at least one layer"):
        DeepRNN("2RNN", 1, 1, 2, 0)


def test_parameters_are_counted_as_in_the_paper():
    from lemmata.constructions.depth import parameters

    # U of the layers above the first is square, and the readout of d outputs comes on top
    assert parameters_counted(DeepRNN("linear RNN", 2, 2, 5, 3)) == parameters(5, 3, 2) + 2 * 5 + 2


def test_tasks_are_what_they_say():
    rng = np.random.default_rng
    x, y = copied(2, 3).sample(50, 7, rng(0))
    assert (y[:, :3] == 0).all()
    assert all(np.array_equal(y[:, t], x[:, t - 3]) for t in range(3, 7))
    x, y = signal_task("sinus", 2, 3).sample(50, 7, rng(0))
    np.testing.assert_allclose(y, np.sin(3 * x))
    x, y = signal_task("copy-sinus", 2, 3).sample(50, 7, rng(0))
    assert all(np.allclose(y[:, t], np.sin(3 * x[:, t - 3])) for t in range(3, 7))
    assert (y[:, :3] == 0).all()
    for name in ("parity", "products"):
        x, y = signal_task(name, 2, 0).sample(4000, 5, rng(0))
        assert all(np.allclose(y[0, t], [np.prod(x[0, : t + 1, c]) for c in (0, 1)]) for t in range(5))
        assert (x**2).mean() == pytest.approx(1, abs=0.01)
        assert abs(x.mean()) < 0.03
        assert (name == "parity") == bool((abs(x) == 1).all())
    assert np.array_equal(x, signal_task(name, 2, 0).sample(4000, 5, rng(0))[0])
    with pytest.raises(ValueError, match="expected a task among copy"):
        signal_task("sine", 1, 1)
    with pytest.raises(ValueError, match="expected a lag of at least 0"):
        copied(1, -1)


def with_weights(kind, width, weights, readout, offset, depth=1):
    """A stack with one channel and the weights given, per layer by name; the initial states are 0 if not given."""
    stack = DeepRNN(kind, 1, 1, width, depth).double()
    with torch.no_grad():
        for p in stack.parameters():
            p.zero_()
        for layer, given in zip(stack.layers, weights, strict=True):
            for name, value in given.items():
                getattr(layer, name).copy_(torch.as_tensor(np.array(value, dtype=float)))
        stack.readout.weight.copy_(torch.as_tensor(np.array(readout, dtype=float)))
        stack.readout.bias.fill_(offset)
    return stack


def test_the_weights_that_are_called_possible_do_it():
    draw = lambda name, lag, T: map(torch.from_numpy, signal_task(name, 1, lag).sample(3000, T, np.random.default_rng(3)))  # noqa: E731
    error = lambda stack, name, lag, T: float(((stack(x := next(d := draw(name, lag, T))) - next(d)) ** 2).mean().detach()) + 0 * len(x)  # noqa: E731
    # a second-order layer with one unit multiplies for ever
    one = {"A": [[[1.0]]], "initial": [1.0]}
    for name in ("parity", "products"):
        assert error(with_weights("2RNN", 1, [one], [[1.0]], 0.0), name, 0, 30) < 1e-12
        cp = {"a": [[1.0]], "b": [[1.0]], "c": [[1.0]], "initial": [1.0]}
        assert error(with_weights("CPRNN", 1, [cp], [[1.0]], 0.0), name, 0, 30) < 1e-12
    # two units with tanh in the recurrence do parity at every length, one with fewer terms does not
    V, U, b, h, w, c = recurrent_parity_layer()
    recurrent = with_weights("tanh in the recurrence", 2, [{"V": V, "U": U[:, None], "bias": b, "initial": h}], w[None], c)
    assert error(recurrent, "parity", 0, 60) < 1e-12
    assert recurrent_parity_error(60) < 1e-12
    assert recurrent_parity_error(60, steepness=1.0) > 0.1
    # a counter and one step of tanh for each sum
    T, s = 5, 20.0
    counter = {"V": np.eye(T), "U": -s / 2 * np.ones((T, 1)), "bias": np.full(T, s / 2), "initial": -s * (np.arange(T) + 0.5)}
    signs = (-1.0) ** (np.arange(T) + 1)
    counting = with_weights("tanh in depth", T, [counter], [signs], 1 + signs.sum())
    assert error(counting, "parity", 0, T) == pytest.approx(counted_parity_error(T, T), abs=1e-9)
    assert counted_parity_error(T - 1, T) > 0.01
    # a copy network in two layers
    network = copy_network(3, 2, 4)
    layers = [{"U": as_float(U), "V": as_float(V)} for U, V in network.layers]
    assert error(with_weights("linear RNN", 3, layers, as_float(network.readout), 0.0, 2), "copy", 4, 8) == 0


def test_the_expected_error_is_that_of_white_noise_and_lies_above_the_bound():
    torch.manual_seed(2)
    stack = DeepRNN("linear RNN", 2, 2, 3, 2).double()
    with torch.no_grad():
        for layer in stack.layers:
            layer.initial.zero_()
            layer.bias.zero_()
        stack.readout.bias.zero_()
    weights = [w.detach().numpy() for layer in stack.layers for w in (layer.U, layer.V)] + [stack.readout.weight.detach().numpy()]
    exact = expected_error(impulse_response(weights, 2, 2, 6), 3)
    x, y = map(torch.from_numpy, copied(2, 3).sample(20000, 6, np.random.default_rng(0)))
    assert float(((stack(x) - y) ** 2).mean().detach()) == pytest.approx(exact, rel=0.03)
    # eight units over time 3 carry at most that much
    assert exact >= lower_bound(6, 2, 3, 6) == 0
    assert exact >= lower_bound(2, 2, 3, 6) == 4 / 12


def test_sines_by_steps_of_tanh():
    errors = [sine_error(k, OMEGA) for k in range(8)]
    assert errors[0] == pytest.approx((1 - np.exp(-18)) / 2)
    assert errors == sorted(errors, reverse=True)
    assert errors[7] < 1e-3


def test_a_run_says_its_errors_and_its_size():
    run = Run("copy", "linear RNN", 0, 3, 2, 4, 4, depth=2)
    found = measure(run, None, None, None, 1, 2, [4, 8], 16)
    assert len(found["errors"]) == 2
    assert found["parameters"] == parameters_counted(DeepRNN("linear RNN", 1, 1, 3, 2))
    task = copied(1, 2)
    inputs, targets = map(torch.from_numpy, task.sample(16, 4, np.random.default_rng(0)))
    assert float(squared_error(lambda x: torch.zeros_like(x), task, inputs, targets)) == pytest.approx(float((targets**2).mean()))
    with pytest.raises(ValueError, match="expected at least one seed, got 0"):
        depth.EXPERIMENT.runs("quick", 0)
    with pytest.raises(ValueError, match="expected a scale among quick, desk, paper"):
        products.EXPERIMENT.runs("large")


def test_both_experiments_in_miniature():
    data = depth.EXPERIMENT.compute("smoke")
    assert dict(data.error.sizes) == {"task": 3, "depth": 2, "width": 2, "seed": 1}
    copied = data.sel(task="copy")
    assert bool((copied.floor <= copied.possible + 1e-12).all())
    assert data.possible.sel(task="sinus", depth=2).isnull().all()
    assert len(depth.draw(data).axes) == 3
    assert depth.EXPERIMENT.outcome(data).startswith(
        "'deeper models need a smaller width', copy (d = 1, lag 2, length 4, 2 steps): no (L = 1: -, L = 2: -; exact copies L = 1: 3, L = 2: 2)"
    )
    # the number of parameters that is said of an exact copy is that of the stack that would be trained
    assert data.cost.sel(task="copy", depth=1) == parameters_counted(DeepRNN("linear RNN", 1, 1, 3, 1))
    data = products.EXPERIMENT.compute("smoke")
    assert int(data.error.notnull().sum()) == 2 * (2 * 2 + 2)
    assert len(products.draw(data).axes) == 8
    assert "'tanh in the recurrence learns it with one layer': no" in products.EXPERIMENT.outcome(data)


def made_up_depth(error):
    wide = (2, 3, 4, 6, 8)
    parts = [depth.Part("copy", wide, 1, 1, 4, 8), depth.Part("sinus", wide, 1, 1, 0, 8), depth.Part("copy-sinus", wide, 1, 1, 4, 8)]
    over = ("task", "depth", "width")
    known = [[[depth.possible(part, n, k) for n in wide] for k in (1, 2, 4)] for part in parts]
    floor = [[0.25, 0.1, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]
    nothing = [[np.nan] * 3] * 2
    return xr.Dataset(
        {
            "error": ((*over, "seed"), np.broadcast_to(error, (3, 3, 5, 3)).copy()),
            "parameters": (over, np.broadcast_to([[20, 30, 40, 60, 80], [22, 33, 44, 66, 88], [24, 36, 48, 72, 96]], (3, 3, 5))),
            "possible": (over, known),
            "floor": (over, np.broadcast_to(floor, (3, 3, 5))),
            "needed": (over[:2], [[5, 3, 2], *nothing]),
            "cost": (over[:2], [[41, 40, 41], *nothing]),
            "silent": ("task", [depth.silent(part) for part in parts]),
            **{name: ("task", [getattr(part, name) for part in parts]) for name in ("learns", "d", "lag", "length", "steps")},
        },
        {"task": list(depth.KINDS), "depth": [1, 2, 4], "width": list(wide), "seed": [0, 1, 2]},
    )


def test_the_sentence_on_depth_follows_the_numbers():
    assert made_up_depth(1.0).silent.values == pytest.approx([0.5, 0.5, 0.25])
    nothing = depth.EXPERIMENT.outcome(made_up_depth(1.0))
    assert "'deeper models need a smaller width', copy (d = 1, lag 4, length 8, 1 steps): no (L = 1: -, L = 2: -, L = 4: -" in nothing
    assert "learnt at 0 of 11 sizes with exact copies, at 0 of 4 without" in nothing
    assert "one layer has weights but did not learn at widths [6, 8]" in nothing
    data = made_up_depth(1.0)
    needed = xr.DataArray([[6, 4, 2], [8, 6, 4], [8, 8, 4]], dims=("task", "depth"))
    data["error"] = data.error.where(data.width < needed, 0.0)
    said = depth.EXPERIMENT.outcome(data)
    assert "'deeper models need a smaller width', copy (d = 1, lag 4, length 8, 1 steps): yes (L = 1: 6, L = 2: 4, L = 4: 2" in said
    assert (
        "at the same parameters', copy (d = 1, lag 4, length 8, 1 steps): yes (L = 1: 60, L = 2: 44, L = 4: 24; exact copies L = 1: 41, L = 2: 40, L = 4: 41)"
        in said
    )
    assert "with one the deepest', copy-sinus (d = 1, lag 4, length 8, 1 steps): yes" in said
    assert "with one the deepest', sinus (d = 1, lag 0, length 8, 1 steps): no" in said
    assert "no linear network is below its bound, predicted by new.depth.finite-length, copy (d = 1, lag 4, length 8, 1 steps): yes" in said
    assert (
        "no linear network is below its bound, predicted by new.depth.finite-length, copy (d = 1, lag 4, length 8, 1 steps): no"
        in depth.EXPERIMENT.outcome(made_up_depth(0.0))
    )
    # the seeds' median decides
    data.error[0, 0, 3, 1:] = 1.0
    assert "'deeper models need a smaller width', copy (d = 1, lag 4, length 8, 1 steps): yes (L = 1: 8," in depth.EXPERIMENT.outcome(data)
    wide = made_up_depth(1.0)
    wide["error"] = wide.error + wide.depth
    assert "shallower models are better', copy (d = 1, lag 4, length 8, 1 steps): yes (at 7 of 7 pairs" in depth.EXPERIMENT.outcome(wide)


def test_the_sentence_on_products_follows_the_numbers():
    size = products.Size(1, 1, 1, 8, (1, 2, 8), (1, 2, 4), (), 1, 1)
    at = {"task": list(products.TASKS), "kind": list(products.KINDS), "depth": [1, 2, 4], "width": [1, 2, 8]}
    known = [[[products.possible(t, k, n, size) for n in (1, 2, 8)] for k in products.KINDS] for t in products.TASKS]
    error = np.ones((2, 4, 3, 3, 2))
    data = xr.Dataset(
        {
            "error": ((*at, "seed"), error),
            "longer": ((*at, "seed"), error * 2),
            "parameters": (tuple(at), np.broadcast_to([[3, 9, 70], [5, 20, 200], [9, 40, 400]], (2, 4, 3, 3))),
            "possible": (("task", "kind", "width"), known),
        },
        {**at, "seed": [0, 1]},
        {"d": 1, "length": 8, "steps": 1},
    )
    said = products.EXPERIMENT.outcome(data)
    assert "'tanh in depth fails with one and two layers and succeeds with four or more': no" in said
    assert (
        "'the parity cannot be done in depth only': no (one layer has weights at widths [8] for this length, not found by training at [8])"
        in said
    )
    assert "'linear second-order layers learn it at width d': no" in said
    data.error[:, 2:, 0, 0] = 0  # second order, one unit
    data.error[0, 1, :, 1] = 0  # in the recurrence, two units
    data.error[0, 0, 2, 2] = 0  # in depth, four layers
    said = products.EXPERIMENT.outcome(data)
    assert "'tanh in depth fails with one and two layers and succeeds with four or more': yes" in said
    assert "'tanh in the recurrence learns it with one layer': yes (from width L = 1: 2" in said
    assert "'tanh in the recurrence takes the fewest parameters in the shallowest': yes" in said
    assert "'linear second-order layers learn it at width d': yes (2RNN 0, CPRNN 0)" in said
    assert "0 of 5 came below 0.05; median error at twice the length, where the trained length was learnt: tanh in depth 2," in said
    data.error[1, 0, 0, 1] = 0  # a width below T
    assert "1 of 5 came below 0.05" in products.EXPERIMENT.outcome(data)
