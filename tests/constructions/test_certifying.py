"""Trained weights, rounded and closed: noise is certified, errors are found, nothing is certified that is wrong."""

import json

import numpy as np
import pytest
from lemmata.constructions.automata import compile_automaton, compile_group, compile_regex
from lemmata.constructions.automata.certify.certified_document import certified_document
from lemmata.constructions.automata.certify.certifying import certify, tried
from lemmata.constructions.automata.certify.rounding_weights import as_floats, roundings
from lemmata.constructions.automata.read.sources import from_permutations, named_group
from lemmata.constructions.automata.read.tasks import TASKS
from lemmata.theorems.recheck.kinds.network import check_network

torch = pytest.importorskip("torch", reason="needs the extra 'torch'")

from lemmata.constructions.automata.certify.trained_weights import TrainedNetwork  # noqa: E402

NETWORKS = {
    "S5": compile_group(named_group("S5")),
    "Z7": compile_group(named_group("Z7")),
    "parity": compile_automaton(TASKS["parity"]()),
    "regex": compile_regex("(ab|c)*d?"),
    "arithmetic": compile_automaton(TASKS["modular-arithmetic"]()),
    "S4": compile_automaton(from_permutations(named_group("S4")), "solvable"),
}


def noisy(network, noise, parametrisation="delta"):
    """A model whose every parameter is disturbed."""
    model, generator = network.to_torch(trainable=True, parametrisation=parametrisation), torch.Generator().manual_seed(0)
    with torch.no_grad():
        for p in model.parameters():
            p += noise * torch.randn(p.shape, generator=generator)
    return model


def trained(model):
    return TrainedNetwork({name: x.double().numpy() for name, x in model.state_dict().items()})


@pytest.mark.parametrize(
    ("name", "noise", "parametrisation"),
    [
        ("S5", 1e-3, "dense"),
        ("S5", 1e-3, "delta"),
        ("Z7", 0.02, "dense"),
        ("regex", 1e-3, "dense"),
        ("arithmetic", 1e-5, "delta"),
        ("S4", 1e-3, "dense"),
    ],
)
def test_small_noise_is_certified_and_what_is_written_is_accepted(name, noise, parametrisation):
    network, weights = NETWORKS[name], trained(noisy(NETWORKS[name], noise, parametrisation))
    found = certify(weights, network.automaton)
    assert found.verdict == "right"
    assert 0 < found.change < 100 * noise
    assert found.margin > 0
    assert found.unrounded is not None
    document = json.loads(json.dumps(certified_document(found, weights.answers.tolist())))
    check_network(document)
    assert document["automaton"] == network.document()["automaton"]


@pytest.mark.parametrize("name", ["S5", "Z7", "regex"])
def test_the_weights_run_as_the_module_does(name):
    model, size = noisy(NETWORKS[name], 0.05).double(), len(NETWORKS[name].automaton.letters)
    words = np.random.default_rng(1).integers(size, size=(8, 20))
    assert np.array_equal(trained(model).run(words), model.predict(torch.from_numpy(words)).numpy())


def test_swapped_answers_are_wrong_on_a_shortest_word():
    network = NETWORKS["S5"]
    model = network.to_torch(trainable=True)
    (pair,) = (i for i, row in enumerate(model.layers[0].read_letter.tolist()) if row[0] > 0 and model.layers[0].following[i, 7] == 1)
    with torch.no_grad():
        model.layers[0].following[pair] = torch.eye(120)[8]
    found = certify(trained(model), network.automaton)
    assert (found.verdict, found.says, found.expected) == ("wrong", 8, 7)
    assert network.automaton.run(found.word)[-1] == 7
    # by breadth first search: no shorter word ends with this letter in this state
    level, length = {network.automaton.start}, 0
    while not any(network.automaton.step(q, "swap") == 7 for q in level):
        level, length = {network.automaton.step(q, x) for q in level for x in network.automaton.letters}, length + 1
    assert len(found.word) == length + 1
    trial = tried(trained(model), network.automaton)
    assert len(trial.word) == len(found.word)


def test_another_task_is_wrong_on_one_letter():
    weights = trained(noisy(NETWORKS["parity"], 0))
    turned = type(NETWORKS["parity"].automaton)({"0": (1, 0), "1": (0, 1)})
    found = certify(weights, turned)
    assert (found.verdict, len(found.word)) == ("wrong", 1)
    with pytest.raises(ValueError, match="another task"):
        certify(weights, NETWORKS["S5"].automaton)


def test_a_drifting_state_does_not_close():
    model = NETWORKS["parity"].to_torch(trainable=True)
    with torch.no_grad():
        model.layers[0].maps.A *= 0.75
    found = certify(trained(model), NETWORKS["parity"].automaton, tolerance=0.05, limit=50)
    assert found.verdict == "open"
    assert "more than 50 states" in found.why or "alike" in found.why


def test_large_noise_is_never_certified_as_something_else():
    for name in ("S5", "regex"):
        found = certify(trained(noisy(NETWORKS[name], 0.05)), NETWORKS[name].automaton, limit=500)
        assert found.verdict in ("wrong", "open")


def test_how_far_the_weights_as_they_are_go():
    """The bound never promises more than what running shows."""
    for noise in (1e-3, 0.02):
        weights = trained(noisy(NETWORKS["parity"], noise))
        found, trial = certify(weights, NETWORKS["parity"].automaton), tried(weights, NETWORKS["parity"].automaton, long=300)
        assert found.verdict == "right"
        assert found.unrounded is not None
        assert 1 <= found.unrounded < (len(trial.word) if trial.word else 10**4)


def test_the_smallest_grid_that_fits_comes_first():
    rng = np.random.default_rng(0)
    for d in (1, 3, 8, 25):
        exact = rng.integers(-d, d + 1, (4, 3, 3)) / d
        exact[0, 0, 0] = 1 / d
        best, *_ = roundings(exact + rng.normal(size=exact.shape) * 5e-4, np.zeros((4, 3)), np.array([1.0, 0, 0]), 0.1)
        assert best.field == 1
        assert np.array_equal(np.array([as_floats(a) for a in best.A]), exact)
    turns = 2 * np.pi * np.array([3, 5]) / 11
    rotations = np.array([[[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]] for t in turns])
    best, *_ = roundings(rotations + 1e-4, np.zeros((2, 2)), np.array([1.0, 0]), 0.1)
    assert best.field == 44
    assert max(abs(as_floats(a) - r).max() for a, r in zip(best.A, rotations, strict=True)) < 1e-12
    assert roundings(np.full((1, 1, 1), np.pi / 10), np.zeros((1, 1)), np.ones(1), 0.0) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda w: w.pop("scale"), "without scale"),
        (lambda w: w.update(more=np.ones(1)), "with 'more'"),
        (lambda w: w.update({"layers.0.initial": np.ones((3, 1))}), r"layers.0.maps.keys of shape"),
        (lambda w: w.update({"layers.0.read_bias": np.full(4, np.nan)}), "finite weights"),
        (lambda w: w.update({"layers.0.codes": np.ones(1)}), "certify the JSON file"),
    ],
)
def test_what_is_no_such_state_dict_is_refused(change, said):
    weights = {name: x.double().numpy() for name, x in noisy(NETWORKS["parity"], 0).state_dict().items()}
    change(weights)
    with pytest.raises(ValueError, match=said):
        TrainedNetwork(weights)
