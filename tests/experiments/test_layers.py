"""Layers by the scan against their recurrences step by step, outputs and gradients in float64; the delta layers also against the delta rule itself."""

from math import log

import pytest

torch = pytest.importorskip("torch", reason="needs the extra 'torch'")

from lemmata.constructions.automata.run.delta_rule import delta_rule  # noqa: E402
from lemmata.constructions.torch_recurrence import EntrywiseLoop, entrywise_recurrence  # noqa: E402
from lemmata.experiments import flash_layers  # noqa: E402
from lemmata.experiments.affine_layers import FullMatrix  # noqa: E402
from lemmata.experiments.decay import FIRST_STEPS, begin_slowly  # noqa: E402
from lemmata.experiments.layers import FLASH, KINDS, Delta, Diagonal, GatedDelta, Mamba, Model  # noqa: E402
from lemmata.experiments.recurrences import MatrixLoop, matrix_recurrence  # noqa: E402


def layer_and_input(kind, T=7):
    torch.manual_seed(0)
    return KINDS[kind].build(3, 4).double(), torch.randn(2, T, 3, dtype=torch.float64)


@pytest.mark.parametrize("kind", KINDS)
def test_the_scan_gives_the_states_of_the_loop_and_their_gradients(kind):
    layer, x = layer_and_input(kind)
    weights = torch.randn(2, 7, KINDS[kind].outputs(4), dtype=torch.float64)
    outputs, gradients = [], []
    for scan in (True, False):
        y = layer(x, scan)
        assert y.shape == weights.shape
        outputs.append(y)
        gradients.append(torch.autograd.grad((y * weights).sum(), list(layer.parameters())))
    torch.testing.assert_close(*outputs, rtol=1e-12, atol=1e-12)
    for by_scan, by_loop in zip(*gradients, strict=True):
        torch.testing.assert_close(by_scan, by_loop, rtol=1e-10, atol=1e-12)
    assert all(g.abs().max() > 0 for g in gradients[0])


@pytest.mark.parametrize("values", ["positive", "signed", "complex"])
def test_a_diagonal_layer_is_the_recurrence_that_its_coefficients_say(values):
    torch.manual_seed(1)
    layer, x = Diagonal(3, 4, values).double(), torch.randn(2, 5, 3, dtype=torch.float64)
    a, b, h = layer.coefficients(x)
    assert (a.abs() <= 1).all()
    assert values == "complex" or bool((a < 0).any()) == (values == "signed")
    for t in range(5):
        h = a[:, t] * h + b[:, t]
    seen = layer(x)[:, -1]
    torch.testing.assert_close(torch.complex(*seen.chunk(2, -1)) if values == "complex" else seen, h)


@pytest.mark.parametrize("factors", [1, 2])
@pytest.mark.parametrize("least", [0, -1])
def test_a_delta_layer_is_the_delta_rule_with_eigenvalues_in_its_range(factors, least):
    torch.manual_seed(2)
    layer, x = Delta(3, 4, columns=2, factors=factors, least=least).double(), 4 * torch.randn(2, 6, 3, dtype=torch.float64)
    with torch.no_grad():
        # inputs this large take beta to both ends of its range
        eigenvalues = 1 - layer.micro_steps(100 * x)[2]
    assert eigenvalues.min() == pytest.approx(least, abs=0.01)
    assert eigenvalues.max() == pytest.approx(1, abs=0.01)
    k, v, beta = layer.micro_steps(x)
    torch.testing.assert_close(k.norm(dim=-1), torch.ones_like(beta))
    # one long word of micro-steps, one head; the state is read off at the end
    steps = [z.flatten(1, 2)[:, :, None] for z in (k, v, beta)]
    _, state = delta_rule(steps[0], *steps, scale=1.0, initial_state=layer.initial.expand(2, 1, -1, -1))
    torch.testing.assert_close(layer(x)[:, -1], state[:, 0].flatten(1))
    # one letter's transition is that product of generalized Householder factors
    A, B = layer.maps(x)
    product = torch.eye(4, dtype=torch.float64)
    for j in range(factors):
        product = (torch.eye(4) - beta[0, 0, j] * torch.outer(k[0, 0, j], k[0, 0, j])) @ product
    torch.testing.assert_close(A[0, 0], product)
    assert B.shape == (2, 6, 4, 2)
    if factors == 1:
        expected = torch.cat([1 - beta[0, 0], torch.ones(3)])
        torch.testing.assert_close(layer.spectrum(x)[0, 0].real.sort().values, expected.sort().values)


def test_models_read_letters_or_numbers_and_refuse_other_kinds():
    torch.manual_seed(0)
    assert Model("DeltaNet [-1, 1]", letters=2, answers=3, width=4)(torch.tensor([[0, 1, 1]])).shape == (1, 3, 3)
    assert Model("BMRU", letters=0, answers=0, width=4, features=2)(torch.randn(5, 7, 2)).shape == (5, 7, 1)
    with pytest.raises(ValueError, match="expected a layer among diagonal"):
        Model("DeltaNet", 2, 2, 4)
    with pytest.raises(ValueError, match="expected the values positive"):
        Diagonal(2, 2, "negative")
    with pytest.raises(ValueError, match="expected eigenvalues from 0 or from -1"):
        Delta(2, 2, least=1)


# -- recurrences with matrices ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("loop", "recurrence", "shapes", "dtype"),
    [
        (MatrixLoop, matrix_recurrence, [(2, 4, 3, 3), (2, 4, 3, 2), (3, 2)], torch.float64),
        (EntrywiseLoop, entrywise_recurrence, [(2, 4, 3), (2, 4, 3), (2, 3)], torch.float64),
        (EntrywiseLoop, entrywise_recurrence, [(2, 4, 3, 2), (2, 4, 3, 2), (2, 3, 2)], torch.complex128),
    ],
)
def test_a_loop_has_the_states_of_the_scan_and_the_gradient_of_finite_differences(loop, recurrence, shapes, dtype):
    torch.manual_seed(3)
    A, B, h = (torch.randn(*shape, dtype=dtype, requires_grad=True) for shape in shapes)
    # so few states are run by the scan
    torch.testing.assert_close(loop.apply(A, B, h), recurrence(A, B, h), rtol=1e-12, atol=1e-12)
    assert torch.autograd.gradcheck(loop.apply, (A, B, h))
    with torch.no_grad():
        H = h
        for t in range(4):
            H = (A[:, t] @ H if loop is MatrixLoop else A[:, t] * H) + B[:, t]
    torch.testing.assert_close(loop.apply(A, B, h)[:, -1], H)


@pytest.mark.parametrize(("kind", "loop"), [("DeltaProduct_2 [-1, 1]", MatrixLoop), ("Mamba [-1, 1]", EntrywiseLoop)])
def test_many_states_at_each_letter_are_run_step_by_step_with_the_same_numbers(monkeypatch, kind, loop):
    torch.manual_seed(4)
    model, words = Model(kind, 5, 3, 4).double(), torch.randint(5, (64, 6))
    found, calls = [], []
    monkeypatch.setattr(loop, "apply", lambda *args, plain=loop.apply: calls.append(1) or plain(*args))
    for scan in (True, False):
        y = model(words, scan)
        found.append([y, *torch.autograd.grad(y.square().sum(), list(model.parameters()))])
    assert calls == [1]
    for fast, slow in zip(*found, strict=True):
        torch.testing.assert_close(fast, slow, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("kind", ["DeltaNet [-1, 1]", "Gated DeltaNet [0, 1]", "full matrix"])
def test_maps_made_once_for_each_letter_give_what_maps_of_each_place_give(kind):
    torch.manual_seed(5)
    layer, words = KINDS[kind].build(4, 3).double(), torch.randint(4, (3, 6))
    letters = torch.eye(4, dtype=torch.float64)
    torch.testing.assert_close(layer.of_letters(words, letters), layer(letters[words]), rtol=1e-12, atol=1e-12)


def test_a_full_matrix_layer_hands_on_products_from_the_identity_in_the_unit_ball():
    torch.manual_seed(6)
    layer = FullMatrix(3, 4).double()
    letters = torch.eye(3, dtype=torch.float64)
    A = layer.maps(letters[None])[0][0]
    # at first orthogonal, drawn in float32, so that the norm of every product is 2
    torch.testing.assert_close(A @ A.mT, torch.eye(4, dtype=torch.float64).expand(3, 4, 4), rtol=0, atol=1e-5)
    torch.testing.assert_close(layer(letters[[0, 1, 2]][None])[0, -1], (A[2] @ A[1] @ A[0]).flatten() / 2, rtol=0, atol=1e-5)
    with torch.no_grad():
        layer.transition.weight.mul_(0.1)
    torch.testing.assert_close(layer(letters[[0, 1]][None])[0, -1], (A[1] @ A[0]).flatten() / 100)


# -- gates ------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("factors", [1, 2])
@pytest.mark.parametrize("least", [0, -1])
def test_a_gated_delta_layer_scales_the_state_before_the_delta_rule(factors, least):
    torch.manual_seed(7)
    layer, x = GatedDelta(3, 4, 2, factors, least).double(), 3 * torch.randn(2, 5, 3, dtype=torch.float64)
    g, (k, v, beta) = layer.forgotten(x), layer.micro_steps(x)
    assert ((g > 0) & (g < 1)).all()
    eye = torch.eye(4, dtype=torch.float64)
    H = layer.initial
    for t in range(5):
        H = g[0, t] * H
        for j in range(factors):
            b, column = beta[0, t, j], k[0, t, j, :, None]
            H = (eye - b * column @ column.mT) @ H + b * column @ v[0, t, j, None]
    torch.testing.assert_close(layer(x)[0, -1], H.flatten())
    if factors == 1:
        # g (I - beta k k^T) has the eigenvalues g (1 - beta) and g
        expected = torch.cat([(g * (1 - beta[..., 0]))[..., None], g[..., None].expand(-1, -1, 3)], dim=-1)
        torch.testing.assert_close(layer.spectrum(x).real.sort().values, expected.sort().values)
        far = layer.forgotten(x)[..., None] * (1 - layer.micro_steps(100 * x)[2])
        assert far.abs().max() <= 1
        assert bool((far < -0.5).any()) == (least == -1)


@pytest.mark.parametrize("least", [0, -1])
def test_a_mamba_layer_is_its_equations_letter_by_letter(least):
    torch.manual_seed(8)
    layer, x = Mamba(3, 4, states=5, least=least).double(), 2 * torch.randn(1, 7, 3, dtype=torch.float64)
    W, H, said = layer.log_rate, torch.zeros(4, 5, dtype=torch.float64), []
    entered = [layer.enter.weight @ x[0, t] for t in range(7)]
    past = [torch.zeros(4, dtype=torch.float64)] * 3
    for entry in entered:
        past = [*past, entry[:4]][-4:]
        u = sum(layer.convolution.weight[:, 0, j] * past[j] for j in range(4)) + layer.convolution.bias
        u = u * u.sigmoid()
        step = torch.log1p(torch.exp(layer.step.weight @ u + layer.step.bias))
        A = torch.exp(-step[:, None] * W.exp())
        H = (A if least == 0 else 2 * A - 1) * H + torch.outer(step * u, layer.key.weight @ u)
        z = entry[4:]
        said.append((H @ (layer.query.weight @ u) + layer.skip * u) * z * z.sigmoid())
    torch.testing.assert_close(layer(x)[0], torch.stack(said), rtol=1e-12, atol=1e-12)


def test_mamba_reads_no_later_letter_and_its_eigenvalues_fill_the_range():
    for least in (0, -1):
        torch.manual_seed(9)
        layer, x = Mamba(3, 6, least=least).double(), torch.randn(2, 8, 3, dtype=torch.float64)
        other = x.clone()
        other[:, 5:] = 1
        torch.testing.assert_close(layer(x)[:, :5], layer(other)[:, :5], rtol=0, atol=0)
        assert (layer(x)[:, 5] != layer(other)[:, 5]).all()
        with torch.no_grad():
            layer.step.weight.mul_(100)
            seen = layer.spectrum(10 * x)
        assert seen.min() == pytest.approx(least, abs=0.01)
        assert seen.max() == pytest.approx(1, abs=0.01)
    with pytest.raises(ValueError, match="expected eigenvalues from 0 or from -1 on, got 1"):
        Mamba(3, 4, least=1)


def test_decays_begin_slowly():
    torch.manual_seed(10)
    first = torch.nn.functional.softplus(begin_slowly(torch.nn.Linear(2, 2000)).bias.detach())
    low, high = FIRST_STEPS
    assert first.min() == pytest.approx(low, rel=0.05)
    assert first.max() == pytest.approx(high, rel=0.05)
    assert first.log().mean() == pytest.approx(log(low * high) / 2, abs=0.1)


# -- flash-linear-attention ---------------------------------------------------------------------------------------------------------


def test_flash_layers_without_a_device_or_the_package_are_one_line(monkeypatch):
    line = "expected a CUDA device and the package flash-linear-attention \\(extra fla\\) for its GatedDeltaNet, got no CUDA device and "
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    for found, package in (("spec", "the"), (None, "no")):
        monkeypatch.setattr(flash_layers, "find_spec", lambda name, found=found: found)
        with pytest.raises(ValueError, match=f"{line}{package} package$"):
            Model("fla GatedDeltaNet [-1, 1]", letters=2, answers=2, width=4)
    # a device, but the model was left on the processor
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    with pytest.raises(ValueError, match=r"got no CUDA device and no package$"):
        flash_layers.require("GatedDeltaNet", torch.device("cpu"))
    assert not set(FLASH) & set(KINDS)
