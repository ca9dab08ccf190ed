"""A training that is stopped goes on with the same numbers; bad input is refused in one line; the experiment from end to end, in miniature."""

import sys
from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the extra 'torch'")

import xarray as xr  # noqa: E402
from lemmata import cli, experiments  # noqa: E402
from lemmata.cli.train import observations, predicted  # noqa: E402
from lemmata.experiments import ranges  # noqa: E402
from lemmata.experiments.tasks import task_named  # noqa: E402
from lemmata.experiments.training import Run, accuracy, device_named, loss_of, train  # noqa: E402
from lemmata.figures.trained import Drawn  # noqa: E402

RANGES = ranges.EXPERIMENT
RUN = Run("parity", "DeltaNet [-1, 1]", seed=1, width=2, steps=4, shortest=2, longest=5, batch=4)


class Killed(Exception):
    pass


def test_a_killed_run_goes_on_with_the_same_numbers(tmp_path):
    losses, parts = [], []
    whole = train(RUN, progress=lambda stage, done, total: losses.append(stage))

    def stop_after_two(stage, done, total):
        parts.append(stage)
        if done == 2:
            raise Killed

    with pytest.raises(Killed):
        train(RUN, tmp_path, stop_after_two, pause=0)
    torch.randn(3)  # the caller's random numbers do not matter
    resumed = train(RUN, tmp_path, lambda stage, done, total: parts.append(stage), pause=0)
    assert parts == losses
    assert all(torch.equal(a, b) for a, b in zip(whole.state_dict().values(), resumed.state_dict().values(), strict=True))
    assert [p.suffix for p in tmp_path.iterdir()] == [".pt"]
    # once done, it is done
    train(RUN, tmp_path, lambda stage, done, total: pytest.fail("trained again"))


def test_steps_move_every_weight_and_seeds_differ():
    first, other = train(RUN), train(replace(RUN, seed=2))
    fresh = train(replace(RUN, steps=1))
    assert all(not torch.equal(a, b) for a, b in zip(first.state_dict().values(), fresh.state_dict().values(), strict=True))
    assert not torch.equal(first.state_dict()["layers.0.initial"], other.state_dict()["layers.0.initial"])


def test_mixed_precision_rounds_the_forward_pass_and_keeps_the_weights_whole():
    losses = {}
    for mixed in (False, True):
        found = losses.setdefault(mixed, [])
        model = train(
            replace(RUN, mixed=mixed), progress=lambda stage, done, total, found=found: found.append(float(stage.split("loss ")[1]))
        )
        assert all(p.dtype == torch.float32 for p in model.parameters())
    assert losses[True] != losses[False]
    assert losses[True] == pytest.approx(losses[False], rel=0.05)


def test_a_real_task_trains_on_the_squared_error_where_something_is_asked():
    task = task_named("copy-first-input")
    model = train(Run("copy-first-input", "BMRU", seed=0, width=3, steps=2, shortest=3, longest=3, batch=4))
    inputs, targets = map(torch.from_numpy, task.sample(4, 3, np.random.default_rng(0)))
    said = model(inputs.float())[:, -1, 0]
    torch.testing.assert_close(loss_of(model, task, inputs, targets), ((said - targets[:, -1].float()) ** 2).mean())


def test_accuracy_is_counted_where_something_is_asked():
    task = task_named("modular-arithmetic")
    always = accuracy(lambda words: torch.full_like(words, 3), task, 5, 2000)
    assert np.isnan(always[[1, 3]]).all()
    assert always[0] == pytest.approx(0.2, abs=0.04)


@pytest.mark.parametrize("other", [{"width": 3}, {"seed": 1, "steps": 5}])
def test_a_checkpoint_of_another_run_is_refused_in_one_line(tmp_path, other):
    train(RUN, tmp_path)
    with pytest.raises(ValueError, match="expected a checkpoint of") as refusal:
        train(replace(RUN, **other), tmp_path)
    assert "\n" not in str(refusal.value)


def test_what_is_no_checkpoint_is_refused_in_one_line(tmp_path):
    (tmp_path / f"{RUN.name}.pt").write_bytes(b"nothing of the kind")
    with pytest.raises(ValueError, match="expected a checkpoint, got another kind of file"):
        train(RUN, tmp_path)


def test_other_bad_input():
    with pytest.raises(ValueError, match="expected a device among auto, cpu and cuda"):
        device_named("tpu")
    if not torch.cuda.is_available():
        with pytest.raises(ValueError, match="expected a CUDA device"):
            device_named("cuda")
    with pytest.raises(ValueError, match="at least one for steps"):
        replace(RUN, steps=0)
    with pytest.raises(ValueError, match="expected at least one seed, got 0"):
        RANGES.runs("quick", 0)
    with pytest.raises(ValueError, match="expected a scale among quick, desk, paper"):
        RANGES.runs("large")
    with pytest.raises(ValueError, match="expected an experiment among"):
        experiments.load("grazzi25.nothing")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["grazzi25.nothing"], f"expected an experiment among {', '.join(experiments.registered())}, got 'grazzi25.nothing'"),
        (["grazzi25.ranges", "--seeds", "0"], "expected at least one seed, got 0"),
        (["grazzi25.ranges", "--jobs", "0"], "expected at least 1 job, got 0"),
        (["grazzi25.ranges", "--mnist", "."], "expected no --mnist for an experiment without images, got '.'"),
        (["grazzi25.ranges", "--text", "a.txt"], "expected no --text for an experiment without text, got 'a.txt'"),
        (["lizaire26.fig9", "--text", "a.txt"], "expected a text, or a folder with .txt files, got 'a.txt'"),
        (["grazzi25.ranges", "--scale", "desk", "--redraw", "--seeds", "2"], "expected --redraw without --seeds, --mnist and --text"),
        (["grazzi25.ranges", "--scale", "smoke", "--redraw"], "expected stored data among"),
        (["grazzi25.ranges", "--scale", "huge"], "expected a scale among quick, desk, paper, got 'huge'"),
    ],
)
def test_the_command_refuses_in_one_line_and_makes_nothing(tmp_path, monkeypatch, capsys, arguments, message):
    monkeypatch.setattr(sys, "argv", ["lemmata", "train", *arguments, "--out", str(tmp_path / "new")])
    with pytest.raises(SystemExit, match="2"):
        cli.main()
    said, complaint = capsys.readouterr()
    assert said == ""
    assert complaint.startswith(f"lemmata: {message}")
    assert complaint.count("\n") == 1
    assert not (tmp_path / "new").exists()


def test_an_outcome_is_a_line_for_each_observation():
    assert observations("'a': yes (b; c [0, 1]); d; e") == ["'a': yes (b; c [0, 1])", "d", "e"]


# -- eigenvalues in [0, 1] against [-1, 1] -----------------------------------------------------------------------------------


def test_the_table_predicts_what_the_theorems_say():
    said = {t: [predicted(RANGES, t, layer) for layer in ranges.MODELS] for t in ranges.ASKED}
    assert said == {
        "parity": ["no", "yes", "no", "yes", "yes"],
        "S3.swaps": ["no", "open", "no", "yes", "yes"],
        "S3": ["no", "no", "no", "no", "yes"],
    }


def test_the_experiment_in_miniature_is_labelled_drawn_and_put_into_words(tmp_path):
    heard = []
    data = RANGES.compute("smoke", folder=tmp_path, progress=lambda said, done, total: heard.append((said, done, total)))
    assert heard[-1][0].startswith("S3, DeltaProduct_2 [-1, 1], seed 0, loss ")
    assert heard[-1][1:] == (30, 30)
    assert dict(data.accuracy.sizes) == {"task": 3, "layer": 5, "seed": 1, "length": 6}
    nonnegative = ["diagonal [0, 1]", "DeltaNet [0, 1]"]
    assert (data.least >= -1).all()
    assert ((data.least.min(("task", "seed")) < 0) == ~data.layer.isin(nonnegative)).all()
    # the compiled networks have not been trained, and are right
    assert (data.compiled == 1).all()
    data["predicted"] = (("task", "layer"), [[predicted(RANGES, t, layer) for layer in ranges.MODELS] for t in ranges.ASKED])
    panels = Drawn(RANGES).draw(data).axes
    assert [len(ax.lines) for ax in panels] == [7, 7, 7]  # a line for each layer, the compiled network, where training stopped
    labels = [text.get_text() for text in panels[1].get_legend().get_texts()]
    assert labels[:3] == ["compiled weights, not trained", "diagonal [0, 1]: impossible", "diagonal [-1, 1]: open"]
    assert RANGES.outcome(data).startswith("'parity is learnt with eigenvalues in [-1, 1] and not in [0, 1]': no (right up to length: ")


def test_the_sentence_follows_the_numbers():
    at = [1, 2, 4, 6, 8]
    predicted_ = [["no", "yes", "no", "yes", "yes"]] * 3
    accuracy_ = np.ones((3, 5, 2, 5))
    accuracy_[:, [0, 2], :, 1:] = 0.2  # [0, 1]: right at length 1 only
    accuracy_[1, [0, 1, 2, 4], :, 2] = 0.2  # on the swaps DeltaNet [-1, 1] alone
    accuracy_[:, :, 1] = 0  # the other seed is never right
    data = xr.Dataset(
        {"accuracy": (("task", "layer", "seed", "length"), accuracy_), "predicted": (("task", "layer"), predicted_)},
        {"task": list(ranges.ASKED), "layer": list(ranges.MODELS), "seed": [0, 1], "length": at},
        {"longest": 4, "width": 2, "steps": 3},
    ).assign(compiled=(("task", "length"), np.ones((3, 5))), least=(("task", "layer", "seed"), np.full((3, 5, 2), -0.5)))
    assert ranges.reach(data).sel(task="S3.swaps").values.tolist() == [1, 2, 1, 8, 2]
    said = RANGES.outcome(data)
    assert said.startswith("'parity is learnt with eigenvalues in [-1, 1] and not in [0, 1]': yes (right up to length: diagonal [0, 1] 1, ")
    assert "'of single layers only DeltaNet [-1, 1] learns the swaps of Sₙ': yes" in said
    assert "not learnt 2 (diagonal [-1, 1] on S3.swaps; DeltaProduct_2 [-1, 1] on S3.swaps)" in said
    data.accuracy[0, 2, 0] = 1
    assert RANGES.outcome(data).startswith("'parity is learnt with eigenvalues in [-1, 1] and not in [0, 1]': no")
    assert "right past the trained length all the same 1 (DeltaNet [0, 1] on parity)" in RANGES.outcome(data)
