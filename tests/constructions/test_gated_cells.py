"""GRU and LSTM cells in boxes, exact weights near ReLU cells, and stacks of an experiment's layers: right where they are, and never falsely."""

import copy
from fractions import Fraction

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the extra 'torch'")

import lemmata as lm  # noqa: E402
from lemmata.constructions.automata.certify.invariant_boxes import boxed  # noqa: E402
from lemmata.constructions.automata.certify.nearby_programs import near  # noqa: E402
from lemmata.constructions.automata.certify.program_orbits import Target  # noqa: E402
from lemmata.constructions.automata.certify.reading_modules import read_module  # noqa: E402
from lemmata.constructions.automata.certify.zonotopes import Stepped, box  # noqa: E402
from lemmata.constructions.automata.read.sources import from_regex  # noqa: E402
from lemmata.constructions.automata.read.tasks import TASKS  # noqa: E402
from lemmata.constructions.automata.rounding.layer import FORMATS  # noqa: E402
from lemmata.experiments import certified  # noqa: E402
from lemmata.experiments.exporting import program_of  # noqa: E402
from lemmata.experiments.layers import Model  # noqa: E402
from torch import nn  # noqa: E402

PARITY = Target(TASKS["parity"](), (0, 1))
FLOAT = FORMATS["float32"]


LATCH = from_regex(certified.LATCH).reachable()
ON = Target(LATCH, tuple(int(q in LATCH.accepting) for q in range(LATCH.n)))
#: the token of each letter, in the machine's order, and the letter of each token
TOKENS = [certified.LATCH_TOKENS[str(x)] for x in LATCH.letters]


def read(net, letters, begin=()):
    return read_module(net, letters, begin)


# -- GRU and LSTM -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["GRU, a latch", "ReLU layer, disturbed in other units", pytest.param("GRU", marks=pytest.mark.programs)])
def test_rows_say_what_is_declared(name):
    row = next(r for r in certified.ROWS if r.name == name)
    ((_, found),) = certified.table((row,))
    assert certified.codes(found) == row.codes


@pytest.mark.parametrize("core", [nn.GRU, nn.LSTM])
def test_boxes_hold_every_point_of_a_step(core):
    """A step on boxes beside steps of points of these boxes, in float64."""
    torch.manual_seed(1)
    program, _ = read(certified.Read(torch.randn(2, 2).tolist(), core(2, 3, batch_first=True), nn.Linear(3, 2)), [0, 1])
    rng = np.random.default_rng(2)
    center, radius = rng.normal(size=(6, program.width)), rng.uniform(0, 0.5, size=(6, program.width))
    z = np.array([0, 1, 0, 1, 0, 1])
    after, scores = Stepped(program, FLOAT).step(box(center, radius), z)
    for corner in (-1.0, 0.0, 1.0, *rng.uniform(-1, 1, size=(50, 6, program.width))):
        H, said = program.step(center + corner * radius, z)
        assert (np.abs(H - after.c) <= after.radius).all()
        assert (np.abs(said - scores.c) <= scores.radius).all()


@pytest.mark.parametrize(("keep", "form"), [(40.0, FLOAT), pytest.param(8.0, None, marks=pytest.mark.programs)])
def test_a_latch_that_fades_slowly_is_never_right(keep, form):
    """With nothing that restores it the state shrinks at each k: right for up to millions of letters, or in float32 for ever, and wrong in the end."""
    program, _ = read(certified.gru_latch(keep, 0.0), TOKENS, [2])
    assert boxed(program, ON, form).verdict == "open"


def test_a_latch_for_the_opposite_machine_is_wrong():
    net = certified.gru_latch()
    with torch.no_grad():
        net.head.get_parameter("weight").neg_()
    found = lm.certify(net, certified.LATCH, tokens=certified.LATCH_TOKENS)
    assert (found.verdict, len(found.report["wrong"]["word"])) == ("wrong", 1)


def test_gates_that_open_a_little_are_never_called_right_wrongly():
    """Whatever is called right is right on long words as PyTorch runs it."""
    keep, on = TOKENS.index(0), TOKENS.index(1)
    words, right = np.random.default_rng(9).integers(3, size=(16, 300)), 0
    words[0], words[1], words[1, 0] = keep, keep, on
    last = words.copy()
    for t in range(1, last.shape[1]):
        last[:, t] = np.where(words[:, t] == keep, last[:, t - 1], words[:, t])
    for restore in (2.0, 0.5):
        program, run = read(certified.gru_latch(3.0, restore), TOKENS)
        if boxed(program, ON, FLOAT).verdict == "right":
            right += 1
            assert np.array_equal(run(words), (last == on).astype(int))
    # at slope 1 no fixed point of the sign + is left
    assert right == 1


# -- exact weights near a ReLU cell -----------------------------------------------------------------------------------------------


def fractions(program, word):
    """The answers of a rounded cell in Python's fractions: relu(A h + b), and the program's own decoder, which reads two numbers."""
    maps, scaled, head = program.ops[1].numbers, program.ops[3].numbers[0], program.ops[-1].numbers
    exact = np.vectorize(Fraction, otypes=[object])
    h, said = exact(program.initial), []
    for x in word:
        h = np.maximum(exact(maps[0][x]) @ h + exact(maps[1][x]), 0)
        score = exact(head[0]) @ (exact(scaled) @ h) + exact(head[1].sum(0))
        said.append(int(score[0] > 0))
    return said


def test_weights_near_a_relu_cell_are_right_by_fractions():
    program, _ = read(certified.disturbed(), [0, 1])
    found = near(program, PARITY, 0.25, 1000)
    assert (found.verdict, found.says, found.finding.states) == ("right", "multiples of 1/2, in rescaled units", 3)
    assert 0 < max(found.changes) < 0.25
    word = np.random.default_rng(4).integers(2, size=300)
    assert fractions(found.program, word) == (word.cumsum() % 2).tolist()


@pytest.mark.parametrize("tolerance", [0.25, 0.0])
def test_a_relu_cell_with_another_threshold_is_not_called_right(tolerance):
    net = certified.disturbed(0.0)
    with torch.no_grad():
        net.head.get_parameter("bias").add_(1.0)
    program, _ = read(net, [0, 1])
    found = near(program, PARITY, tolerance, 1000)
    assert found is None or found.verdict != "right"


def test_a_relu_cell_that_counts_does_not_close():
    """Right for the first words: a unit counts the letters 1, and the answer turns when it is large."""
    net = certified.relu_parity()
    core = certified.filled(
        nn.RNN(1, 3, nonlinearity="relu", batch_first=True),
        weight_ih_l0=[[1], [1], [1]],
        weight_hh_l0=[[1, -2, 0], [1, -2, 0], [0, 0, 1]],
        bias_ih_l0=[0, -1, 0],
        bias_hh_l0=[0, 0, 0],
    )
    program, _ = read(certified.Read([[0.0], [1.0]], core, certified.linear([[1, -2, 2.0**-16]], [-0.5])), [0, 1])
    found = near(program, PARITY, 0.25, 300)
    assert found is None or found.verdict == "open"
    assert near(read(net, [0, 1])[0], PARITY, 0.25, 300).verdict == "right"


def test_nothing_is_near_a_tanh_cell():
    assert near(read(certified.tanh_parity(), [0, 1])[0], PARITY, 0.25, 100) is None


# -- stacks of an experiment's layers -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["diagonal [0, 1]", "diagonal [-1, 1]", "DeltaNet [-1, 1]", "DeltaProduct_2 [-1, 1]"])
@pytest.mark.parametrize("depth", [1, 3])
def test_stacks_run_as_the_model_does(kind, depth):
    torch.manual_seed(0)
    model = Model(kind, 3, 2, 3, hidden=8, depth=depth)
    program, words = program_of(copy.deepcopy(model)), np.random.default_rng(0).integers(3, size=(5, 9))
    with torch.no_grad():
        expected = model.double()(torch.from_numpy(words)).numpy()
    H = np.tile(program.first, (5, 1))
    for t in range(words.shape[1]):
        H, scores = program.step(H, words[:, t])
        np.testing.assert_allclose(scores, expected[:, t], atol=1e-12)


@pytest.mark.parametrize("kind", ["Gated DeltaNet [-1, 1]", "diagonal complex", "BMRU"])
def test_layers_that_are_not_read_are_refused(kind):
    with pytest.raises(ValueError, match=r"expected .* layer"):
        program_of(Model(kind, 3, 2, 3, hidden=8, depth=2))


def two_layers(memory=-1.1):
    """(a|b)*ab: the first layer keeps about a third of its past, the second the sign of whether the last letters are ab."""
    model = Model("diagonal [0, 1]", 2, 2, 1, hidden=2, depth=2)
    first, second, between = model.layers[0], model.layers[1], model.between[0]
    with torch.no_grad():
        for p in model.parameters():
            p.zero_()
        first.gate.bias.fill_(memory)
        first.drive.weight.copy_(torch.tensor([[1.0, 0.0]]))
        # 100 times (state - 1/6), far below 0 after a letter a
        between.mix[0].weight.copy_(torch.tensor([[100.0, -1000.0, 0.0], [-100.0, 1000.0, 0.0]]))
        between.mix[0].bias.copy_(torch.tensor([-100 / 6, 100 / 6]))
        between.mix[2].weight.copy_(torch.tensor([[1.0, -1.0], [-1.0, 1.0]]))
        between.norm.weight.fill_(1.0)
        second.gate.bias.fill_(-16.0)
        second.drive.weight.copy_(torch.tensor([[1.0, 0.0]]))
        model.decoder[0].weight.copy_(torch.tensor([[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]))
        model.decoder[2].weight.copy_(torch.eye(2))
    return model


def test_a_stack_of_two_layers_is_right_at_every_length():
    found = lm.certify(two_layers(), "(a|b)*ab")
    assert (found.verdict, found.report["right up to"]) == ("right", "every length")
    assert "boxes that no" in found.lines[0]
    assert "Diagonal" in found.report["read"]


def test_a_stack_that_remembers_too_much_is_wrong_on_a_word():
    found = lm.certify(two_layers(memory=1.0), "(a|b)*ab")
    assert (found.verdict, "".join(found.report["wrong"]["word"])) == ("wrong", "abb")
