"""Compiled networks as PyTorch modules, in three data types and on long words."""

import json
from random import Random

import pytest
from lemmata.constructions.automata import Automaton, compile_automaton, compile_group, compile_regex
from lemmata.constructions.automata.read.sources import named_group
from lemmata.constructions.automata.read.tasks import TASKS

torch = pytest.importorskip("torch", reason="needs the extra 'torch'")

from lemmata.constructions.automata.run.torch_module import TorchNetwork  # noqa: E402

PARITY = Automaton({"0": (0, 1), "1": (1, 0)}, 0, frozenset({1}))


def word_of(network, length, seed=0):
    rng = Random(seed)
    return [rng.choice(network.automaton.letters) for _ in range(length)]


@pytest.mark.parametrize("length", [1, 10, 1000, 5_000])
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_s5_is_right_at_every_position_in_every_data_type(length, dtype):
    """Permutation matrices move small integers about: no rounding at all, also in bfloat16."""
    network = compile_group(named_group("S5"))
    module = network.to_torch(dtype)
    word = word_of(network, length)
    assert module(module.encode(word))[0].tolist() == network.automaton.run(word)


@pytest.mark.parametrize(
    ("network", "length"),
    [
        (compile_automaton(PARITY), 5_000),
        (compile_group(named_group("A5")), 5_000),
        (compile_group(named_group("Z60")), 5_000),
        (compile_regex("(a|b)*abb(a|b)*"), 5_000),
    ],
    ids=["parity", "A5", "Z60", "abb"],
)
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_long_words(network, length, dtype):
    module = network.to_torch(dtype)
    word = word_of(network, length)
    assert module(module.encode(word))[0].tolist() == network.automaton.run(word)


def test_batches():
    network = compile_regex("(ab|c)*d?")
    module = network.to_torch()
    words = [word_of(network, 40, seed) for seed in range(8)]
    batch = torch.cat([module.encode(w) for w in words])
    assert module(batch).tolist() == [network.automaton.run(w) for w in words]


@pytest.mark.parametrize("network", [compile_group(named_group("Z60")), compile_regex("(ab|c)*d?")], ids=["Z60", "regex"])
def test_a_scan_gives_the_same_states(network):
    module = network.to_torch()
    word = word_of(network, 777)
    assert module(module.encode(word), scan=True)[0].tolist() == network.automaton.run(word)
    assert module(module.encode([]), scan=True).tolist() == [[]]


def test_a_module_from_the_exported_file():
    network = compile_regex("(a|b)*abb")
    saved = network.to_torch().state_dict()
    module = TorchNetwork(json.loads(network.to_json()))
    module.load_state_dict(saved)
    word = "abbabab" * 30
    assert module(module.encode(word))[0].tolist() == network.automaton.run(word)


def test_margin_is_half_the_distance_of_codes_that_must_be_told_apart():
    assert compile_group(named_group("S5")).to_torch().margin == 0.5
    # vertices (1/2, -1/2) and (-1/2, 1/2), told apart by any entry
    assert compile_automaton(PARITY, "holonomy").to_torch().margin == 0.5


def test_letters_outside_the_alphabet():
    with pytest.raises(ValueError, match="expected a letter"):
        compile_automaton(PARITY).to_torch().encode("2")


@pytest.mark.parametrize("scan", [False, True])
def test_padding_and_single_words(scan):
    network = compile_automaton(TASKS["modular-arithmetic"]())
    module = network.to_torch()
    rng = Random(8)
    word = torch.tensor([rng.randrange(len(network.automaton.letters)) for _ in range(7)])
    expected = torch.tensor(network.automaton.run([network.automaton.letters[i] for i in word.tolist()]))
    assert torch.equal(module(word, scan), expected)
    padded = torch.full((3, 13), -1)
    padded[0, :7], padded[1, -7:], padded[2, ::2] = word, word, word
    there = padded >= 0
    for row, here in zip(module(padded, scan), there, strict=True):
        assert torch.equal(row[here], expected)
        assert (row[~here] == -1).all()
    said, accepted = module.outputs(padded, scan), module.accepts(padded, scan)
    assert (said[~there] == -1).all()
    assert not accepted[~there].any()
    assert torch.equal(said[1, -7:], module.outputs(word, scan))
    assert accepted[1, -7:].tolist() == [q in network.automaton.accepting for q in expected.tolist()]


@pytest.mark.parametrize("words", [torch.tensor([[99]]), torch.tensor([[-2]]), torch.tensor([0.5]), torch.tensor(0)])
def test_indices_outside_the_alphabet_are_refused(words):
    with pytest.raises(ValueError, match=r"expected .*letter indices"):
        compile_automaton(TASKS["parity"]()).to_torch()(words)


# PyTorch's own, while it traces
@pytest.mark.programs
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("network", "dtype"), [(compile_group(named_group("S5")), torch.bfloat16), (compile_regex("a*b"), torch.float64)])
def test_an_exported_graph_takes_words_of_any_length(network, dtype):
    module = network.to_torch(dtype)
    shapes = ({1: torch.export.Dim("length")},)
    graph = torch.export.export(module, (torch.zeros((2, 5), dtype=torch.long),), dynamic_shapes=shapes, strict=False)
    for length in (1, 33, 3_000):
        words = torch.randint(-1, len(network.automaton.letters), (2, length), generator=torch.Generator().manual_seed(length))
        assert torch.equal(graph.module()(words), module(words))
