"""Which letters have which transitions at trained weights, and what certify says of these."""

import json

import lemmata as lm
import numpy as np
import pytest
import torch
from lemmata.cli import app
from lemmata.probe.letters import Letters, letter, of_checkpoint, of_units
from lemmata.probe.steps import step_of
from typer.testing import CliRunner


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A network that was right, after a few steps of training."""
    path = tmp_path_factory.mktemp("trained") / "parity.pt"
    torch.manual_seed(0)
    model = lm.compile("parity").to_torch(trainable=True, parametrisation="delta")
    optimiser = torch.optim.SGD(model.parameters(), lr=1e-3)
    for _ in range(3):
        words = torch.randint(0, 2, (4, 6))
        loss = torch.nn.functional.cross_entropy(model(words).flatten(0, 1), (words.sum(1, keepdim=True) % 2).expand(4, 6).flatten())
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    torch.save(model.state_dict(), path)
    return path


@pytest.mark.parametrize(
    ("A", "kinds", "text"),
    [
        (np.array([[0.0]]), ("diagonal",), "from 0 to 0"),
        (np.diag([1.0, -1.0]), ("diagonal",), "from -1 to 1"),
        (np.array([[0.0, -1.0], [1.0, 0.0]]), ("rotation",), "of modulus up to 1"),
        (np.eye(3) - 2 * np.ones((3, 3)) / 3, ("a (I - beta k k^T)",), "from -1 to 1"),
    ],
)
def test_a_letter_by_its_transition(A, kinds, text):
    found = letter("a", A)
    assert found.kinds == kinds
    assert text in str(found)


def test_the_ends_are_those_of_all_letters():
    two = Letters("layer", (letter("a", np.diag([0.5, 0.25])), letter("b", np.diag([-0.75, 0.0]))), span="real, in (-1, 1)")
    assert two.went == "eigenvalues at these weights: real, from -0.75 to 0.5; for all weights: real, in (-1, 1)"
    turned = Letters("layer", (letter("a", np.array([[0.0, -2.0], [2.0, 0.0]])),))
    assert "of modulus 2 to 2" in turned.went


def test_unit_vectors_are_letters():
    step = step_of(lambda h, x: x[0] * h - x[2] * h + x[1], 2, 3)
    values = [x.eigenvalues for x in of_units(step, 3, "any").letters]
    assert values == [(1, 1), (0, 0), (-1, -1)]


def test_a_trained_network_of_ours(trained):
    (layer,) = of_checkpoint(trained)
    assert len(layer.letters) == 2
    assert layer.span == "of modulus at most 1"
    low = [x.eigenvalues[0].real for x in layer.letters]
    # the letter 1 turns the state over, the letter 0 keeps it
    assert low[1] == pytest.approx(-1, abs=0.1)
    assert low[0] == pytest.approx(1, abs=0.1)


@pytest.mark.parametrize(
    ("task", "code", "says"),
    [(None, 0, "not certified: name what"), ("parity", 0, "right"), ("even-pairs", 3, "not certified: "), ("(a|b)*b", 1, "certify: wrong")],
)
def test_the_command_calls_certify(trained, task, code, says):
    done = CliRunner().invoke(app, ["probe", "--weights", str(trained), *(("--task", task) if task else ())])
    assert done.exit_code == code, done.output
    assert says in done.output
    assert "letter 1: diagonal" in done.output


def test_a_module_with_weights_is_not_certified(trained, tmp_path, monkeypatch):
    (tmp_path / "flips.py").write_text(
        "import torch\n\nclass Flip(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.gate = torch.nn.Linear(3, 2)\n\n"
        "    def forward(self, h, x):\n        return torch.tanh(self.gate(x)) * h\n"
    )
    monkeypatch.chdir(tmp_path)
    torch.save({"gate.weight": torch.eye(2, 3), "gate.bias": torch.zeros(2)}, tmp_path / "flip.pt")
    done = CliRunner().invoke(
        app, ["probe", "flips:Flip", "--state", "2", "--input", "3", "--weights", "flip.pt", "--task", "parity", "--json"]
    )
    found = json.loads(done.output)
    assert found["certificate"][0].startswith("not certified: ")
    assert [x["letter"] for x in found["letters"]["letters"]] == ["letter 0", "letter 1", "letter 2"]
    assert found["letters"]["letters"][0]["eigenvalues"] == pytest.approx(np.array([[0, 0], [np.tanh(1), 0]]))


def test_weights_without_a_layer_take_no_shapes(trained):
    with pytest.raises(ValueError, match="expected a layer for --state"):
        CliRunner().invoke(app, ["probe", "--weights", str(trained), "--state", "3"], catch_exceptions=False)
