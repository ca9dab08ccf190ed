"""Networks tested on words a hundred times as long as in training: what is measured of them, and what is said."""

import numpy as np
import pytest
import xarray as xr

torch = pytest.importorskip("torch")

from lemmata.experiments import generalising  # noqa: E402
from lemmata.experiments.generalising import EXPERIMENT, LONGER, NETWORKS, TASKS  # noqa: E402
from lemmata.experiments.stacked import Member  # noqa: E402
from lemmata.experiments.tasks import parity, repeat, task_named  # noqa: E402


def fresh(name, task, seed=0):
    torch.manual_seed(seed)
    return generalising.build(name, Member(name, seed, 0.01), task_named(task))


@pytest.mark.parametrize("task", TASKS)
def test_compiled_weights_are_right_and_broken_ones_are_not(task, monkeypatch):
    monkeypatch.setitem(generalising.DENSE, "dense, from near", 0.0)
    network = fresh("dense, from near", task)
    words, targets = task_named(task).sample(16, 60, np.random.default_rng(1))
    assert (generalising.first_wrong(network, words, targets) == 61).all()
    with torch.no_grad():
        network.A[-1] = torch.eye(len(network.initial))  # the last letter does nothing
    assert (generalising.first_wrong(network, words, targets) < 61).any()


def test_noise_moves_compiled_weights():
    exact, _, _ = generalising.compiled("parity")
    moved = fresh("dense, from near", "parity").A.detach().numpy() - exact
    assert 0 < abs(moved).max() < 0.15


def test_compiled_maps_lie_on_the_circle_and_random_ones_do_not(monkeypatch):
    monkeypatch.setitem(generalising.DENSE, "dense, from near", 0.0)
    assert generalising.off_the_circle(fresh("dense, from near", "toggle"), task_named("toggle")) < 1e-6
    assert generalising.off_the_circle(fresh("dense", "toggle"), task_named("toggle")) > 1e-3
    assert np.isnan(generalising.off_the_circle(fresh("tanh", "C3"), task_named("C3")))


def test_the_tanh_layer_is_pytorchs():
    network = fresh("tanh", "C3")
    words = torch.randint(3, (4, 9), generator=torch.Generator().manual_seed(0))
    torch.testing.assert_close(network.as_rnn()(words), network(words))


def test_the_first_wrong_answer_is_counted_from_one():
    network = fresh("dense, from near", "latch")
    words = np.zeros((1, 5), dtype=int)
    said = network(torch.from_numpy(words)).argmax(-1).numpy()
    assert generalising.first_wrong(network, words, said).tolist() == [6]
    said[0, 2] = 1 - said[0, 2]
    assert generalising.first_wrong(network, words, said).tolist() == [3]


def test_targets_of_given_words():
    assert parity().targets(np.array([[1, 0, 1, 1]])).tolist() == [[1, 1, 0, 1]]
    with pytest.raises(ValueError, match="expected a task that an automaton decides, got 'repeat'"):
        repeat().targets(np.zeros((1, 2), dtype=int))


def data(random, alone, weights, word):
    """One task and two networks with these numbers of four members each."""
    shape = {"task": ["latch"], "network": list(NETWORKS[:2]), "seed": [0], "member": range(4)}
    rows = {
        "random": random,
        "alone": alone,
        "weights": weights,
        "word": word,
        "exact": [3.0] * 4,
        "off": [0.1] * 4,
        "away": [np.nan] * 4,
        "letter": [0.0] * 4,
    }
    variables = {name: (tuple(shape), np.broadcast_to(np.array(row, float), (1, 2, 1, 4))) for name, row in rows.items()}
    return xr.Dataset(variables, shape, {"longest": 1, "steps": 2, "words": 3})


def test_outcomes_follow_the_numbers_and_are_one_for_each_network():
    longer = LONGER + 1.0
    found = data([longer, longer, longer, 7], [longer, 5, longer, 9], [0, 3, 3, 1], [np.nan, np.nan, np.nan, 30])
    kinds = generalising.outcomes(found)
    assert (sum(kind.astype(int) for kind in kinds.values()) == 1).all()
    assert [int(kind.sum()) for kind in kinds.values()] == [2, 2, 2, 2]
    said = generalising.counted(found)
    assert said == "6 of 8 networks right on random words, 2 of them wrong on another word, the shortest with 5 letters, 2 proved right"
    assert "at every length, dense: no" in EXPERIMENT.outcome(found)
    assert "dense 1, dense, from near 1 of 4 each" in generalising.rest(found)
    lasting = data([longer] * 4, [longer] * 4, [0, 0, 3, 3], [np.nan] * 4)
    assert "at every length, dense: yes" in EXPERIMENT.outcome(lasting)
    failed = data([7.0] * 4, [7.0] * 4, [1] * 4, [7.0] * 4)
    assert "at every length, dense: no such network (0 of 4" in EXPERIMENT.outcome(failed)


def test_in_miniature(tmp_path):
    run = generalising.run(EXPERIMENT.sizes["smoke"], 0, "latch", "tanh")
    found = generalising.measure(run, tmp_path, None, None, EXPERIMENT.sizes["smoke"])
    assert set(found) == set(EXPERIMENT.found)
    assert {len(values) for values in found.values()} == {2}
    assert (tmp_path / f"{run.name}.pt").exists()
