"""Compiled networks with parameters: right at initialisation, trainable, padded, exported."""

from functools import cache
from importlib.util import find_spec
from random import Random

import pytest
from lemmata.constructions.automata import compile_automaton, compile_cyclic, compile_group, compile_one_hot, compile_regex
from lemmata.constructions.automata.read.sources import from_regex, named_group
from lemmata.constructions.automata.read.tasks import TASKS

torch = pytest.importorskip("torch", reason="needs the extra 'torch'")

from lemmata.constructions.automata.run.trainable import DeltaMaps, TrainableNetwork  # noqa: E402

NETWORKS = {
    "S5": compile_group(named_group("S5")),
    "Z7": compile_group(named_group("Z7")),
    "arithmetic": compile_automaton(TASKS["modular-arithmetic"]()),
    "regex": compile_regex("(ab|c)*d?"),
    "parity": compile_cyclic(TASKS["parity"]()),
}


def words_of(network, count, length):
    """Random words as letter indices, and the automaton's states."""
    letters = network.automaton.letters
    words = [[Random(seed).randrange(len(letters)) for _ in range(length)] for seed in range(count)]
    return torch.tensor(words), torch.tensor([network.automaton.run([letters[i] for i in word]) for word in words])


@pytest.mark.parametrize("parametrisation", ["dense", "delta"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("network", NETWORKS.values(), ids=NETWORKS)
def test_right_at_initialisation(network, dtype, parametrisation):
    words, expected = words_of(network, 3, 150)
    model = network.to_torch(dtype, trainable=True, parametrisation=parametrisation)
    for scan in (False, True):
        assert torch.equal(model.predict(words, scan), expected)


def test_what_the_layers_hand_on_is_one_hot_exactly():
    network = NETWORKS["regex"]
    model = TrainableNetwork(network.document())
    words, _ = words_of(network, 2, 30)
    handed, there = model.embedding[words], torch.ones_like(words, dtype=torch.bool)
    for layer in model.layers:
        handed = layer(handed, there)
        assert set(handed.detach().unique().tolist()) == {0.0, 1.0}
        assert torch.equal(handed.sum(-1), torch.ones(words.shape))


@pytest.mark.parametrize("parametrisation", ["dense", "delta"])
def test_every_parameter_has_a_gradient_and_training_repairs_a_disturbed_layer(parametrisation):
    network = compile_group(named_group("S3"))
    words, expected = words_of(network, 48, 10)
    model = network.to_torch(torch.float64, trainable=True, parametrisation=parametrisation)
    noise = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for p in model.parameters():
            p += 0.1 * torch.randn(p.shape, generator=noise, dtype=p.dtype)
    optimiser = torch.optim.Adam(model.parameters(), lr=0.01)
    losses = []
    for _ in range(60):
        loss = torch.nn.functional.cross_entropy(model(words).flatten(0, 1), expected.flatten())
        optimiser.zero_grad()
        loss.backward()
        assert all(p.grad is not None and p.grad.isfinite().all() and p.grad.any() for p in model.parameters()) or losses
        optimiser.step()
        losses.append(loss.item())
    assert losses[0] > 0.3
    assert losses[-1] < losses[0] / 10
    assert torch.equal(model.predict(words), expected)


def test_delta_maps_contract_whatever_their_parameters():
    layer = NETWORKS["arithmetic"].document()["layers"][1]
    maps = DeltaMaps(layer["maps"], 1, torch.float64)
    noise = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for p in maps.parameters():
            p += 3 * torch.randn(p.shape, generator=noise, dtype=p.dtype)
    A, _ = maps(torch.randn(5, len(layer["maps"]), generator=noise, dtype=torch.float64))
    assert (torch.linalg.matrix_norm(A, 2) <= 1 + 1e-12).all()


def test_transitions_that_are_no_contraction_need_dense_maps():
    network = compile_one_hot(from_regex("ab*"))
    words, expected = words_of(network, 2, 40)
    assert torch.equal(network.to_torch(trainable=True).predict(words), expected)
    with pytest.raises(ValueError, match="parametrisation='dense'"):
        network.to_torch(trainable=True, parametrisation="delta")
    with pytest.raises(ValueError, match="'dense' or 'delta'"):
        network.to_torch(trainable=True, parametrisation="sparse")


@pytest.mark.parametrize("scan", [False, True])
def test_padding_on_either_side_and_gaps_change_nothing(scan):
    network = NETWORKS["regex"]
    model = network.to_torch(trainable=True)
    (word,), (expected,) = words_of(network, 1, 6)
    padded = torch.full((3, 11), -1)
    padded[0, :6], padded[1, -6:], padded[2, :11:2] = word, word, word
    found = model.predict(padded, scan)
    for row, there in zip(found, padded >= 0, strict=True):
        assert torch.equal(row[there], expected)
        assert (row[~there] == -1).all()
    assert not model(padded)[padded < 0].any()
    assert torch.equal(model.predict(word, scan), expected)
    assert model(torch.zeros((2, 0), dtype=torch.long)).shape == (2, 0, network.automaton.n)


@pytest.mark.parametrize(
    "words", [torch.tensor([[9]]), torch.tensor([[-2]]), torch.tensor([[0.5]]), torch.tensor(3), torch.zeros((1, 1, 1), dtype=torch.long)]
)
def test_what_is_no_word_is_refused(words):
    with pytest.raises(ValueError, match=r"expected .*letter indices"):
        NETWORKS["regex"].to_torch(trainable=True)(words)


def test_vmap():
    network = NETWORKS["regex"]
    model = network.to_torch(torch.float64, trainable=True)
    words, _ = words_of(network, 4, 9)
    assert torch.equal(torch.vmap(model)(words), model(words))


@cache
def exported(parametrisation):
    """A network of two layers, and its graph, traced with words of one length."""
    network = compile_regex("a*b")
    words, _ = words_of(network, 2, 5)
    model = network.to_torch(trainable=True, parametrisation=parametrisation).eval()
    with torch.no_grad():
        return network, torch.export.export(model, (words,), dynamic_shapes=({1: torch.export.Dim("length")},), strict=False)


# PyTorch's own, while it traces
@pytest.mark.programs
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("parametrisation", ["dense", "delta"])
def test_an_exported_graph_takes_words_of_any_length(parametrisation):
    network, graph = exported(parametrisation)
    words, expected = words_of(network, 2, 33)
    assert torch.equal(graph.module()(words).argmax(-1), expected)


@pytest.mark.programs
@pytest.mark.filterwarnings("ignore")
@pytest.mark.skipif(not all(map(find_spec, ("onnx", "onnxscript", "onnxruntime"))), reason="needs the extra 'onnx'")
def test_an_onnx_graph_takes_words_of_any_length(tmp_path):
    import onnxruntime

    network, graph = exported("dense")
    words, expected = words_of(network, 2, 33)
    torch.onnx.export(graph, dynamo=True, verbose=False).save(tmp_path / "network.onnx")
    session = onnxruntime.InferenceSession(tmp_path / "network.onnx")
    (logits,) = session.run(None, {session.get_inputs()[0].name: words.numpy()})
    assert logits.argmax(-1).tolist() == expected.tolist()
