"""Modules and state dicts as programs, certified as they are: cells that close, boxes, and what is refused."""

import subprocess
import sys

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the extra 'torch'")

import lemmata as lm  # noqa: E402
from lemmata.constructions.automata.certify.invariant_boxes import boxed  # noqa: E402
from lemmata.constructions.automata.certify.program_orbits import Target, closed, closed_in_order  # noqa: E402
from lemmata.constructions.automata.certify.reading_modules import read_module  # noqa: E402
from lemmata.constructions.automata.read.tasks import TASKS  # noqa: E402
from lemmata.constructions.automata.rounding.layer import FORMATS  # noqa: E402
from lemmata.experiments import certified  # noqa: E402
from torch import nn  # noqa: E402

PARITY = Target(TASKS["parity"](), (0, 1))


class Net(nn.Module):
    """An embedding, a recurrent layer and a head."""

    def __init__(self, core, head, embedding):
        super().__init__()
        self.embed = nn.Embedding.from_pretrained(torch.tensor(embedding), freeze=False)
        self.rnn, self.head = core, head

    def forward(self, words):
        return self.head(self.rnn(self.embed(words))[0])


class Loop(Net):
    """The same with a cell, letter by letter."""

    def forward(self, words):
        h, out = torch.zeros(len(words), self.rnn.hidden_size), []
        for x in self.embed(words).unbind(1):
            h = self.rnn(x, h)
            out.append(self.head(h))
        return torch.stack(out, dim=1)


def filled(module, **parameters):
    with torch.no_grad():
        for name, entries in parameters.items():
            getattr(module, name).copy_(torch.tensor(entries))
    return module


def linear(weight, bias):
    return filled(nn.Linear(len(weight[0]), len(weight)), weight=weight, bias=bias)


def first_map(program):
    """The matrix of the first linear map."""
    return next(op.numbers[0] for op in program.ops if op.name == "linear")


def relu_parity(cell=False):
    """The sum s = u - 2 v of the letter and the old parity, with u = relu(s), v = relu(s - 1)."""
    suffix = "" if cell else "_l0"
    kind = nn.RNNCell(1, 2, nonlinearity="relu") if cell else nn.RNN(1, 2, nonlinearity="relu", batch_first=True)
    core = filled(
        kind,
        **{
            f"weight_ih{suffix}": [[1.0], [1.0]],
            f"weight_hh{suffix}": [[1.0, -2.0], [1.0, -2.0]],
            f"bias_ih{suffix}": [0.0, -1.0],
            f"bias_hh{suffix}": [0.0, 0.0],
        },
    )
    return (Loop if cell else Net)(core, linear([[1.0, -2.0]], [-0.5]), [[0.0], [1.0]])


def tanh_parity(size=4.0):
    """h = tanh of size times (letter + parity - 1, letter + parity + 1), both as -1 or 1; the parity is h_2 - h_1 - 1."""
    core = filled(
        nn.RNN(1, 2, batch_first=True),
        weight_ih_l0=[[size], [size]],
        weight_hh_l0=[[-size, size], [-size, size]],
        bias_ih_l0=[-2 * size, 0.0],
        bias_hh_l0=[0.0, 0.0],
    )
    return Net(
        core,
        nn.Sequential(linear([[-1.0, 1.0], [1.0, -1.0]], [-1.0, 1.0]), nn.ReLU(), linear([[0.0, 1.0], [1.0, 0.0]], [0.0, 0.0])),
        [[-1.0], [1.0]],
    )


@pytest.mark.parametrize("cell", [False, True])
def test_a_relu_cell_closes_exactly_in_every_order(cell):
    found = lm.certify(relu_parity(cell), "parity")
    assert (found.verdict, found.report["right up to"]) == ("right", "every length")
    assert "every order of sums" in found.of
    assert "3 states close" in found.lines[0]


def test_a_relu_cell_that_is_wrong_has_a_shortest_word():
    net = relu_parity()
    net.head.bias.data += 1
    found = lm.certify(net, "parity")
    assert (found.verdict, found.report["wrong"]["word"]) == ("wrong", ["0"])
    assert "every order" in found.report["wrong"]["stands"]


def test_a_tanh_network_has_boxes_that_no_step_leaves():
    found = lm.certify(tanh_parity(), "parity")
    assert found.verdict == "right"
    assert "boxes that no" in found.lines[0]
    assert "library functions within" in found.of


def test_boxes_are_not_found_for_what_is_wrong_far_out():
    """A parity that forgets very slowly is right on short words, and no box holds it."""
    program, _ = read_module(relu_parity(), [0, 1])
    first_map(program)[:, 1:] *= 1 - 2.0**-7
    assert boxed(program, PARITY, FORMATS["float32"]).verdict == "open"
    assert closed(program, PARITY, None, limit=300).verdict in ("open", "wrong")


def test_every_order_says_less_than_one_order():
    """Weights that are no small fractions: sums are rounded, one order closes, and in every order words are gone through one by one."""
    program, _ = read_module(relu_parity(), [0, 1])
    first_map(program)[:] *= 1 + 2.0**-23
    assert closed_in_order(program, PARITY, FORMATS["float32"]).verdict == "right"


@pytest.mark.parametrize("prefix", ["module._orig_mod."])
def test_prefixes_of_wrappers_are_taken_away(prefix, tmp_path):
    torch.save({prefix + name: x for name, x in relu_parity().state_dict().items()}, tmp_path / "model.pt")
    found = lm.certify(tmp_path / "model.pt", "parity", nonlinearity="relu")
    assert found.verdict == "right"
    with pytest.raises(ValueError, match="relu or tanh"):
        lm.certify(tmp_path / "model.pt", "parity")


def test_wrapped_modules_are_read_without_their_wrappers():
    class DistributedDataParallel(nn.Module):
        def __init__(self, module):
            super().__init__()
            self.module = module

        def forward(self, words):
            return self.module(words)

    assert lm.certify(DistributedDataParallel(relu_parity()), "parity").verdict == "right"


@pytest.mark.programs
def test_compiled_modules_are_read_without_their_wrappers():
    assert lm.certify(torch.compile(relu_parity(), backend="eager"), "parity").verdict == "right"


def test_letters_are_tokens_by_a_map():
    net = relu_parity()
    net.embed = nn.Embedding.from_pretrained(torch.tensor([[9.0], [1.0], [7.0], [0.0]]))
    assert lm.certify(net, "parity", tokens={"0": 3, "1": 1}).verdict == "right"
    assert lm.certify(net, "parity", tokens={"0": 1, "1": 3}).verdict == "wrong"
    # one more 1 before every word
    assert lm.certify(net, regex="0*(10*10*)*", tokens={"0": 3, "1": 1}, begin=[1]).verdict == "right"
    with pytest.raises(ValueError, match="got none for 1"):
        lm.certify(net, "parity", tokens={"0": 3})


def test_a_module_that_does_more_than_is_read_is_refused():
    class More(Net):
        def forward(self, words):
            x = self.embed(words)
            return self.head(self.rnn(x)[0].flip(1))

    net = relu_parity()
    with pytest.raises(ValueError, match="expected"):
        lm.certify(More(net.rnn, net.head, [[0.0], [1.0]]), "parity")


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_weights_that_are_no_numbers_are_refused(bad):
    net = relu_parity()
    with torch.no_grad():
        net.get_parameter("rnn.weight_hh_l0")[0, 0] = bad
    with pytest.raises(ValueError, match="finite weights"):
        lm.certify(net, "parity")


@pytest.mark.parametrize("core", [nn.GRU, nn.LSTM, nn.RNN])
def test_programs_run_as_the_modules_do(core):
    torch.manual_seed(0)
    net = Net(
        core(1, 3, num_layers=2, batch_first=True),
        nn.Sequential(nn.LayerNorm(3), nn.Linear(3, 4), nn.SiLU(), nn.Linear(4, 2)),
        [[0.0], [1.0]],
    )
    program, run = read_module(net, [0, 1])
    words = np.random.default_rng(0).integers(2, size=(16, 20))
    assert (program.run(words) == run(words)).mean() > 0.99


FAST = ("S₃", "A₅", "C₂ × C₂", "ReLU layer, another")


@pytest.mark.parametrize("row", [r for r in certified.ROWS if r.name.startswith(FAST)], ids=lambda r: r.name)
def test_the_table_says_what_is_declared(row):
    ((_, found),) = certified.table((row,))
    assert certified.codes(found) == row.codes
    # a network of the format is accepted by the independent checker
    if row.codes[1] == 0:
        assert found.document()["format"] == "lemmata-network"


@pytest.mark.programs
def test_the_whole_table_says_what_is_declared():
    """In a process of its own: Triton cannot be loaded twice, with a driver and without."""
    done = subprocess.run([sys.executable, "-P", "-m", "lemmata.experiments.certified"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n| ") == len(certified.ROWS)
