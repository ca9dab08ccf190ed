"""Blocks of bistable and linear units against their recurrences step by step, the experiments made of them in miniature, and their sentences both ways."""

from math import erf, sqrt
from pathlib import Path

import numpy as np
import pytest
import xarray as xr

torch = pytest.importorskip("torch", reason="needs the extra 'torch'")

from lemmata import experiments  # noqa: E402
from lemmata.experiments import bistable_copy, bistable_images, bistable_paths, bistable_persistence  # noqa: E402
from lemmata.experiments.blocks import (  # noqa: E402
    Blocks,
    Cells,
    LastOutput,
    by_hand,
    doubled_thresholds,
    loss_at_the_end,
    positions,
    predictions,
)
from lemmata.experiments.pathfinder import Pathfinder  # noqa: E402
from lemmata.experiments.tasks import UNASKED, copy_first_input  # noqa: E402
from torch.nn import functional  # noqa: E402

EXPERIMENTS = (bistable_persistence, bistable_copy, bistable_images, bistable_paths)
KINDS = (Cells(bistable=3), Cells(linear=3), Cells(bistable=2, linear=3, positions=True))


def model_and_input(cells, both_ways=False, T=9):
    torch.manual_seed(0)
    model = Blocks(cells, features=2, answers=3, dim=4, depth=2, mean=both_ways, both_ways=both_ways).double()
    # statistics and thresholds that let something be written
    model(torch.randn(20, T, 2, dtype=torch.float64))
    return model, torch.randn(5, T, 2, dtype=torch.float64)


@pytest.mark.parametrize("cells", KINDS)
def test_blocks_are_the_recurrence_of_the_paper_step_by_step(cells):
    model, x = model_and_input(cells)
    model.eval()
    y = model.encoder(x)
    for block in model.blocks:
        pair, normed = block.onward, block.norm(y.flatten(0, 1)).reshape(y.shape)
        h = torch.zeros(5, cells.linear, dtype=torch.complex128)
        kept = -torch.ones(5, cells.bistable, dtype=torch.float64)
        outputs = []
        for t in range(x.shape[1]):
            read, u = normed[:, t], []
            if pair.bistable is not None:
                seen = torch.cat([read, positions(t, 1, read).expand(5, -1)], -1) if cells.positions else read
                candidate, threshold = pair.bistable.candidate(seen), pair.bistable.threshold(seen).abs()
                kept = torch.where(candidate.abs() >= threshold, torch.where(candidate >= 0, 1.0, -1.0), kept)
                u.append(kept)
            if pair.linear is not None:
                h = pair.linear.eigenvalues() * h + pair.linear.drive(read)
                u += [h.real, h.imag]
            value, gate = block.out(torch.cat(u, -1)).chunk(2, -1)
            outputs.append(y[:, t] + value * gate.sigmoid())
        y = torch.stack(outputs, 1)
    torch.testing.assert_close(model(x), model.decoder(y[:, -1]))


@pytest.mark.parametrize("both_ways", [False, True])
@pytest.mark.parametrize("cells", KINDS)
def test_the_scan_gives_the_gradients_of_the_loop(cells, both_ways):
    model, x = model_and_input(cells, both_ways)
    gradients = [torch.autograd.grad((model(x, scan) ** 2).sum(), list(model.parameters())) for scan in (True, False)]
    for by_scan, by_loop in zip(*gradients, strict=True):
        torch.testing.assert_close(by_scan, by_loop, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("cells", KINDS)
def test_sequences_in_pieces_end_like_whole_ones(cells):
    model, x = model_and_input(cells)
    model.eval()
    torch.testing.assert_close(predictions(model, [x[:, :4], x[:, 4:5], x[:, 5:]]), model(x))
    assert not torch.allclose(predictions(model, [x[:, 5:]]), model(x))


def test_a_model_that_reads_both_ways_sees_the_end_first():
    model, x = model_and_input(KINDS[2], both_ways=True)
    first = model.blocks[0]
    read = first(model.encoder(x))[0]
    later = x.clone()
    later[:, -1] += 5
    assert not torch.allclose(first(model.encoder(later))[0][:, 0], read[:, 0], atol=1e-3)
    with pytest.raises(ValueError, match="expected at least one block and one unit"):
        Blocks(Cells(), 1, 1, 2, 1)


def test_doubled_thresholds_write_nothing_but_zeros_until_training_moves_them():
    model, x = model_and_input(Cells(bistable=3, doubled=True))
    _, states = model._read(100 * x, True, [None, None], 0)
    assert all((s == -1).all() for s in states)
    loss_at_the_end(model, copy_first_input(), x, x[..., 0]).backward()
    assert all(block.onward.bistable.threshold.weight.grad.abs().max() > 0 for block in model.blocks)


def test_positions_are_sines_and_cosines_of_the_step():
    found = positions(7, 2, torch.zeros(1, dtype=torch.float64))
    assert found.shape == (2, 16)
    assert found[1, 0].item() == pytest.approx(np.sin(8))
    assert found[0, 9].item() == pytest.approx(np.cos(7 / 10_000 ** (1 / 8)))


def test_the_loss_is_that_of_the_last_step():
    images = bistable_images.permuted(square=4)
    inputs, targets = map(torch.from_numpy, images.sample(6, 4, np.random.default_rng(0)))
    scores = torch.randn(6, 10)

    class Says(torch.nn.Linear):
        def forward(self, x):
            return scores[:, : self.out_features]

    expected = -torch.stack([functional.log_softmax(scores[i], -1)[targets[i, -1]] for i in range(6)]).mean()
    torch.testing.assert_close(loss_at_the_end(Says(1, 10), images, inputs, targets), expected)
    goal = torch.randn(6, 4)
    torch.testing.assert_close(loss_at_the_end(Says(1, 1), copy_first_input(), inputs, goal), ((scores[:, 0] - goal[:, -1]) ** 2).mean())


def test_weights_by_hand_need_no_training():
    # whatever the noise, the same error at every length: half a step of the grid at most for |r| < 3.5
    errors = bistable_copy.errors_at(by_hand(15), [3, 50, 6000], 100.0, 8)
    assert errors == [errors[0]] * 3
    assert errors[0] < (3.5 / 16) ** 2
    spoilt = by_hand(15)
    with torch.no_grad():
        spoilt.layer.threshold.weight[:, 0] = 0.9  # below the candidate's: noise writes
    assert bistable_copy.errors_at(spoilt, [3, 50], 100.0, 8)[1] > 0.5


def test_writes_of_noise_are_counted_as_often_as_the_quadratic_says():
    model, _ = model_and_input(Cells(bistable=4))
    model = model.float().eval()
    size = bistable_copy.Size(1, 1, (1, 2), (1,), 1, 4, 4)
    counted = bistable_copy.writing(model, sqrt(0.5), size)[0]
    with torch.no_grad():
        block = model.blocks[0]
        ends = block.norm(model.encoder(torch.tensor([[0.0, 0.0], [1.0, 0.0]])))
        (b, b_w), (c, c_v) = (f(ends).double().tolist() for f in (block.onward.bistable.candidate, block.onward.bistable.threshold))

    def below(x):
        return (1 + erf(x / sqrt(0.5) / sqrt(2))) / 2

    for share, w, b_, v, c_ in zip(counted, np.subtract(b_w, b), b, np.subtract(c_v, c), c, strict=True):
        # (w r + b)^2 - (v r + c)^2 >= 0 between its roots, or outside of them
        low, high = sorted(np.roots([w * w - v * v, 2 * (w * b_ - v * c_), b_ * b_ - c_ * c_]).real)
        between = below(high) - below(low)
        assert share == pytest.approx(1 - between if w * w > v * v else between, abs=0.03)


def test_pieces_of_noise_are_one_sequence_with_one_flag(monkeypatch):
    monkeypatch.setattr(bistable_copy, "PIECE", 4)
    pieces = list(bistable_copy._pieces([3, 9], 2.0, 5, np.random.default_rng(0)))
    assert [first for first, _ in pieces] == [0, 3, 4, 8]
    whole = np.concatenate([x for _, x in pieces], axis=1)
    assert whole.shape == (5, 9, 2)
    assert whole[..., 1].tolist() == [[1] + [0] * 8] * 5


def test_digits_are_in_one_order_with_black_pixels_at_the_end():
    (pixels, labels), _ = bistable_images.sequences()
    inputs, targets = bistable_images.permuted().sample(3, 70, np.random.default_rng(0))
    assert (inputs[:, 64:] == -0.5).all()
    assert (targets[:, :-1] == UNASKED).all()
    for image, digit in zip(inputs[:, :64, 0], targets[:, -1], strict=True):
        assert digit in labels[(pixels == image).all(1)]
    # an order of places: means over all pixels stay, and so do those over squares
    assert np.allclose(np.sort(pixels.mean(0)), np.sort((bistable_images.labelled()[0][0] - 0.5).mean(0).ravel()))
    coarse = bistable_images.sequences(square=4)[0][0]
    assert coarse.shape == (1498, 4)
    assert np.allclose(coarse.mean(1), pixels.mean(1))
    with pytest.raises(ValueError, match="expected at least 64 steps"):
        bistable_images.permuted().sample(3, 63, np.random.default_rng(0))


def test_black_pixels_at_the_test_include_those_of_training():
    assert bistable_images.EXPERIMENT.size("desk", mnist=Path("somewhere")).padding == [0, 1, 10, 76, 1000]
    assert [run.longest for run in bistable_images.EXPERIMENT.runs("desk", 1, mnist=Path("somewhere"))[:2]] == [49, 125]
    assert bistable_images.EXPERIMENT.runs("desk", 1)[0].task == "digits, 4 x 4, permuted"


def test_one_layer_by_hand_keeps_every_pixel():
    images, _ = Pathfinder(9, 2, 2).images(20, np.random.default_rng(0))
    assert bistable_paths.kept(images) == 1
    layer = bistable_paths.keeper(9)
    noise = torch.rand(4, 81, 1, generator=torch.Generator().manual_seed(0), dtype=torch.float64) - 0.5
    states = layer.last_state(torch.cat([noise, positions(0, 81, noise).expand(4, -1, -1)], -1), None)
    assert torch.equal(states[:, :81] > 0, noise[..., 0] >= -0.25)
    assert torch.equal(states[:, 81:] > 0, noise[..., 0] >= 0.25)
    # a unit that is written once more is noticed
    with torch.no_grad():
        layer.threshold.bias[5] += 100
    assert not torch.equal(layer.last_state(torch.cat([noise, positions(0, 81, noise).expand(4, -1, -1)], -1), None), states)


def test_simple_numbers_are_judged_on_unseen_images():
    images, labels = Pathfinder(8, 2, 1).images(400, np.random.default_rng(0))
    flipped = 1 - labels
    right = bistable_paths.best_sum(images[:200], labels[:200], images[200:], labels[200:])
    assert right == pytest.approx(1 - bistable_paths.best_sum(images[:200], labels[:200], images[200:], flipped[200:]))
    assert right > 0.6


def test_paths_are_drawn_from_the_images_of_training():
    size = bistable_paths.SIZES["smoke"]
    inputs, targets = bistable_paths.paths(size).sample(6, 64, np.random.default_rng(0))
    images, labels = bistable_paths.drawn(size.images, size.seen, 0)
    for image, answer in zip(inputs[..., 0] + 0.5, targets[:, -1], strict=True):
        assert answer in labels[(images.reshape(-1, 64) == image).all(1)]
    assert not (bistable_paths.drawn(size.images, size.seen, 1)[0] == images).all()


@pytest.mark.parametrize("scan", [True, False])
def test_a_linear_unit_goes_on_from_a_state(scan):
    torch.manual_seed(0)
    layer, x = bistable_persistence.LRU(2, 3).double(), torch.randn(4, 8, 2, dtype=torch.float64)
    torch.testing.assert_close(layer(x[:, 5:], scan, layer(x[:, :5])[:, -1]), layer(x)[:, 5:])


@pytest.mark.parametrize("module", EXPERIMENTS)
def test_each_experiment_from_end_to_end_in_miniature(module, tmp_path):
    heard, experiment = [], module.EXPERIMENT
    data = experiment.compute("smoke", folder=tmp_path, progress=lambda said, done, total: heard.append((done, total)))
    assert heard[-1] == (sum(run.steps for run in experiment.runs("smoke")),) * 2
    assert all("long_name" in v.attrs and "units" in v.attrs for v in data.data_vars.values())
    assert len(module.draw(data).axes) in (3, 4)
    assert experiment.outcome(data)
    with pytest.raises(ValueError, match="expected at least one seed, got 0"):
        experiment.runs("quick", 0)
    with pytest.raises(ValueError, match="expected a scale among quick, desk, paper, got 'huge'"):
        experiment.runs("huge")
    assert module.__name__.rpartition(".")[2] in {r.module for r in experiments.registered().values()}


def test_the_unit_that_keeps_a_sign():
    task = bistable_persistence.first_sign()
    inputs, targets = task.sample(50, 4, np.random.default_rng(0))
    assert (inputs[:, 1:] == 0).all()
    assert set(inputs[:, 0, 0]) == {-1.0, 1.0}
    assert np.array_equal(targets[:, -1], inputs[:, 0, 0])
    # (r + 0.5)^2 - (r - 0.5)^2 = 2 r: it writes at r >= 0, and at 0 it does
    layer = doubled_thresholds(bistable_persistence.BMRU(1, 1))
    assert torch.equal(layer.threshold.weight, 2 * layer.candidate.weight)
    model = LastOutput(layer, 1)
    assert model(torch.from_numpy(inputs).float()).shape == (50, 1)


# -- the sentences ------------------------------------------------------------------------------------------------------------


def test_the_sentence_on_signs_follows_the_errors():
    data = bistable_persistence.EXPERIMENT.compute("smoke", seeds=2)
    data["error"].values[:2], data["error"].values[2] = 1e-9, [1e-9, 1.0]
    assert bistable_persistence.EXPERIMENT.outcome(data).startswith("'BMRU keeps the sign for ever, LRU fades': yes")
    assert "by BMRU 2, BMRU, doubled 2, LRU 2 of 2 seeds" in bistable_persistence.EXPERIMENT.outcome(data)
    data["error"].values[0, 0, -1] = 0.5  # a bistable unit that forgets
    assert bistable_persistence.EXPERIMENT.outcome(data).startswith("'BMRU keeps the sign for ever, LRU fades': no")
    assert "predicted by degeeter26.sec4.3.stationarity: no" in bistable_persistence.EXPERIMENT.outcome(data)
    data["error"].values[:] = 1e-9  # a linear unit that does not
    assert bistable_persistence.EXPERIMENT.outcome(data).startswith("'BMRU keeps the sign for ever, LRU fades': no")


def test_the_sentence_on_copies_follows_the_errors():
    data = bistable_copy.EXPERIMENT.compute("smoke", seeds=2)
    data["error"].values[:] = np.array([[0.1, 0.2], [0.3, 0.1], [0.01, 1.0], [0.02, 0.02]])[:, :, None]
    data["longer"].values[:], data["longer"].values[2] = 0.1, 1.0
    data["written"].values[:] = 0.5
    data["written"].values[0, :, :, 1] = 0
    said = bistable_copy.EXPERIMENT.outcome(data)
    assert "'for the longer duration only BMRU learns': yes (error below 0.5;" in said
    assert "'LRU does not generalise to longer sequences': yes; 'BMRU is unaffected if the noise is low': yes (BMRU at T" in said
    assert "variance 1: BMRU 0% and 100%, BMRU, doubled 0% and 0%" in said
    data["error"].values[2] = 0.01
    data["longer"].values[:2, :, :, -1], data["longer"].values[2] = 0.2, 0.1
    said = bistable_copy.EXPERIMENT.outcome(data)
    assert "only BMRU learns': no" in said
    assert "longer sequences': no; 'BMRU is unaffected if the noise is low': no (BMRU at T" in said


def test_the_sentence_on_digits_follows_the_accuracies():
    data = bistable_images.EXPERIMENT.compute("smoke")
    plain, black = (np.array([0.8, 0.9, 0.9, 0.3]), np.array([0.8, 0.5, 0.9, 0.3]))
    assert data.trained.values.tolist() == [0, 6]
    data["accuracy"].values[:, 0, 0, :, :] = plain[:, None, None]
    data["accuracy"].values[:, 0, 1, :, :] = black[:, None, None]
    data["same"].values[:] = 1
    observations = (
        "LRU is better without black pixels",
        "BMRU keeps its performance better with them",
        "BMRU + LRU does not lose, and is best",
    )
    said = bistable_images.EXPERIMENT.outcome(data)
    assert all(f"'{observation}', 1 blocks: yes" in said for observation in observations)
    assert "predicted by new.bistable.settling: yes" in said
    # each number of blocks has its own
    worse = data.assign_coords(depth=[2]).copy(deep=True)
    worse["accuracy"].values[:] = 0.5
    worse["same"].values[3, ..., -1] = 0.99
    said = bistable_images.EXPERIMENT.outcome(worse)
    assert all(f"'{observation}', 2 blocks: no" in said for observation in observations)
    assert "predicted by new.bistable.settling: no" in said
    both = bistable_images.EXPERIMENT.outcome(xr.concat([data, worse], "depth"))
    assert "without black pixels', 1 blocks: yes" in both
    assert "without black pixels', 2 blocks: no" in both


def test_the_sentence_on_paths_follows_the_accuracies():
    data = bistable_paths.EXPERIMENT.compute("smoke", seeds=2)
    data["accuracy"].values[0] = np.array([[0.5, 0.7], [0.5, 0.7]])[:, :, None]
    data["accuracy"].values[1, :, 0] = np.array([[0.6], [0.8]])
    said = bistable_paths.EXPERIMENT.outcome(data)
    assert "'BMRU learns it': yes; 'BMRU learns it with one block': yes (70%); 'width matters more than depth': yes" in said
    assert "'more layers hurt': no; 'LRU gains with depth': yes (+20.0%)" in said
    data["accuracy"].values[0] = np.array([[0.5, 0.5], [0.7, 0.7]])[:, :, None]
    said = bistable_paths.EXPERIMENT.outcome(data)
    assert "'BMRU learns it with one block': no (50%); 'width matters more than depth': no" in said
    data["accuracy"].values[0] = np.array([[0.7, 0.8], [0.5, 0.6]])[:, :, None]
    assert "'width matters more than depth': no" in bistable_paths.EXPERIMENT.outcome(data)
    assert "'more layers hurt': yes" in bistable_paths.EXPERIMENT.outcome(data)
    # where depth was not trained nothing is said of it
    data["accuracy"].values[1, 0] = np.nan
    assert "'LRU gains with depth': was not trained with one block" in bistable_paths.EXPERIMENT.outcome(data)
    data["accuracy"].values[:] = 0.5
    assert (
        "'BMRU learns it': no; 'BMRU learns it with one block': no (50%); 'width matters more than depth': cannot be said"
        in bistable_paths.EXPERIMENT.outcome(data)
    )
