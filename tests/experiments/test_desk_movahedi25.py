"""The tasks and numbers of movahedi25's rows at desk scale: streams of copies, passes that settle, fixed points found in two ways."""

from math import log10

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the extra 'torch'")

from lemmata.experiments import desk_brackets, desk_copying, desk_tracking  # noqa: E402
from lemmata.experiments.stacked import Member  # noqa: E402
from lemmata.experiments.tasks import UNASKED, task_named  # noqa: E402


def test_marked_copies_ask_for_all_letters():
    words, targets = desk_copying.marked(2).sample(3, 2, np.random.default_rng(0))
    assert words.shape == targets.shape == (3, 12)
    for row, asked in zip(words.tolist(), targets.tolist(), strict=True):
        for at in (0, 6):
            a, b = row[at : at + 2]
            assert row[at : at + 6] == [a, b, desk_copying.LETTERS, a, b, desk_copying.LETTERS + 1]
            assert asked[at : at + 6] == [UNASKED, UNASKED, a, b, UNASKED, UNASKED]


def test_the_letters_of_copies_are_counted():
    copying = torch.nn.Module()
    # says of every letter that the same follows
    copying.forward = lambda words: torch.nn.functional.one_hot(words, desk_copying.LETTERS + 2).float()
    found = desk_copying.right(copying, 6, 0)
    assert 0 < found < 0.1


def test_mamba_and_delta_net_have_about_as_many_parameters():
    task = desk_copying.marked(3)
    four, mamba = (
        desk_brackets.parameters(desk_copying.build(Member(kind, 0, 1.0), task)) for kind in (desk_copying.FOUR, desk_copying.MAMBA)
    )
    assert abs(mamba / four - 1) < 0.1
    task = task_named("bracketed-arithmetic")
    two, delta = (
        desk_brackets.parameters(desk_brackets.build(Member(kind, 0, 1.0), task))
        for kind in (desk_brackets.BEDOUIN, desk_brackets.DELTANET)
    )
    assert abs(delta / two - 1) < 0.1


@pytest.mark.programs
def test_settling_layers_take_no_more_passes_than_they_may():
    torch.manual_seed(0)
    network = desk_brackets.TwoBedouins(10, 5)
    words = torch.randint(10, (3, 9))
    with torch.no_grad():
        trained = network(words)
        network.settling(desk_brackets.BOUND)
        for layer in network.bedouins():
            layer.tolerance = 0.0
        torch.testing.assert_close(network(words), trained)
    assert [layer.passes for layer in network.bedouins()] == [desk_brackets.BOUND] * 2


def test_fixed_points_found_in_two_ways_are_apart_by_what_passes_leave(monkeypatch):
    monkeypatch.setattr(desk_tracking, "WORDS", 8)
    torch.manual_seed(0)
    network = desk_tracking.build(Member("16 passes", 0, 1.0), task_named("A5.generators"))
    before = desk_tracking.apart(network, 0)
    network.layer.tolerance = 1e-5
    assert desk_tracking.apart(network, 0) < before - 1
    assert before < log10(0.5)
    assert network.layer.bound == 16


def test_mamba_has_about_as_many_parameters_as_the_lstm_and_more_than_the_layer_with_passes():
    for group, name in desk_tracking.GROUPS.items():
        kinds = (desk_tracking.on(layer, group) for layer in (desk_tracking.BEDOUIN, desk_tracking.LSTM, desk_tracking.MAMBA))
        passes, lstm, mamba = (desk_brackets.parameters(desk_tracking.build(Member(kind, 0, 1.0), task_named(name))) for kind in kinds)
        assert abs(mamba / lstm - 1) < 0.1
        assert mamba > passes


def test_both_layers_must_solve_both_groups_and_mamba_neither():
    on, sides = desk_tracking.on, desk_tracking.PLAN.sides
    numbers = {on(layer, group): [0.9, 0.8] for layer in (desk_tracking.LSTM, desk_tracking.BEDOUIN) for group in desk_tracking.GROUPS}
    numbers |= {on("LSTM", "S₅"): [0.5, 1.0], on(desk_tracking.MAMBA, "A₅"): [0.1, 0.2], on(desk_tracking.MAMBA, "S₅"): [0.95, 0.1]}
    of = lambda name, what: numbers[name]  # noqa: E731
    assert sides["LSTM and Bedouin of four reflections"](of) == [0.5, 0.8]
    assert sides["Mamba, two layers"](of) == [0.95, 0.2]


def test_an_answer_at_the_last_letter_is_counted_for_fig_3():
    task = task_named("S5.generators")
    network = torch.nn.Module()
    network.forward = lambda words: torch.nn.functional.one_hot(torch.from_numpy(task.targets(words.numpy())), len(task.answers))
    assert desk_tracking.solved(network, Member("LSTM, on S₅", 0, 1.0), 1, "S₅") == {"last letter": 1.0, "half the letters": 1.0}
