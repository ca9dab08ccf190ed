"""A delay that a layer keeps in its state is a window of its inputs, and is named."""

import lemmata as lm
import pytest
import torch

pytest.importorskip("torch", reason="needs the extra 'torch'")

from lemmata.probe.delays import without_delay
from lemmata.probe.steps import step_of


class Window(torch.nn.Module):
    """A gate that reads the last tokens, which the state keeps beside three numbers."""

    def __init__(self, back=1):
        super().__init__()
        self.back, self.gate = back, torch.nn.Linear(2 * (back + 1), 3)

    def forward(self, state, x):
        window = torch.cat([state[3:], x])
        return torch.cat([self.gate(window).sigmoid() * state[:3] + window[0], window[2:]])


@pytest.mark.parametrize("back", [1, 2])
def test_a_delay_in_the_state_is_a_window(back):
    found = lm.probe_step(Window(back), 3 + 2 * back, 2)
    assert (found.row, str(found.findings.spectrum)) == ("open-diagonal-convolution", "real, in (0, 1)")
    assert f"the step reads a window of {back + 1} tokens, by a delay in the state" in " ".join(str(found).split())
    assert f"{2 * back} of {3 + 2 * back} coordinates of the state are a delay" in " ".join(str(found).split())


def test_the_step_of_the_rest_is_the_layers():
    """Run over a text, the rest of the state is that of the layer."""
    torch.manual_seed(0)
    layer = Window(2).double()
    rest = without_delay(step_of(layer, 7, 2))
    text = torch.randn(6, 2, dtype=torch.float64)
    whole, part = torch.zeros(7, dtype=torch.float64), None
    with torch.no_grad():
        for t, x in enumerate(text):
            if t >= 2:
                part = rest(rest.weights, whole[:3] if part is None else part, text[t - 2 : t + 1])
            whole = layer(whole, x)
    assert torch.allclose(part, whole[:3], rtol=0, atol=1e-14)


def test_what_only_these_weights_forget_is_no_delay():
    """At these weights relu(w) = 0; the graph does not show that it always is."""

    class Seldom(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.w = torch.nn.Parameter(torch.tensor(-1.0))

        def forward(self, h, x):
            return torch.cat([0.5 * h[:1] + h[1:], x[:1] + torch.relu(self.w) * h[:1]])

    assert without_delay(step_of(Seldom(), 2, 2)) is None


def test_a_state_that_is_all_delay_or_none_stays_whole():
    for step in (lambda h, x: 0 * h + x, lambda h, x: torch.sigmoid(x) * h, lambda h, x: torch.cat([h[1:], x])):
        assert without_delay(step_of(step, 2, 2 if step(torch.zeros(2), torch.zeros(2)).numel() == 2 else 1)) is None
