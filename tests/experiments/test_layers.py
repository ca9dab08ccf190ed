"""Layers by the scan against their recurrences step by step, outputs and gradients in float64; the delta layers also against the delta rule itself."""

import pytest

torch = pytest.importorskip("torch", reason="needs the extra 'torch'")

from lemmata.constructions.automata.delta_rule import delta_rule  # noqa: E402
from lemmata.experiments.layers import KINDS, Delta, Diagonal, Model  # noqa: E402


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
