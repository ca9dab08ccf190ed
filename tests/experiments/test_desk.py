"""Rows at desk scale: a row that is stopped goes on with the same numbers, its sides are what its plan says, and what is kept is judged anew."""

from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the extra 'torch'")

from lemmata.cli import reproduction  # noqa: E402
from lemmata.constructions.bistable.torch import LRU  # noqa: E402
from lemmata.experiments import desk, desk_sign, judged  # noqa: E402
from lemmata.experiments.bilinear_layers import STACKS  # noqa: E402
from lemmata.experiments.blocks import Blocks, Cells, LastOutput  # noqa: E402
from lemmata.experiments.certifying import UNKNOWN, certified  # noqa: E402
from lemmata.experiments.criteria import SEEDS  # noqa: E402
from lemmata.experiments.desk import Cell, Found, Plan  # noqa: E402
from lemmata.experiments.desk_blocks import normalised, stackable  # noqa: E402
from lemmata.experiments.desk_first import drawn  # noqa: E402
from lemmata.experiments.desk_sign import TRIES  # noqa: E402
from lemmata.experiments.desk_signals import InTurn, cell, learnt_from  # noqa: E402
from lemmata.experiments.layers import Model  # noqa: E402
from lemmata.experiments.once import AnsweredOnce, asked_once  # noqa: E402
from lemmata.experiments.reproduction import listed  # noqa: E402
from lemmata.experiments.stacked import Member, Networks, Recipe, Stack, freeze, train_stack  # noqa: E402
from lemmata.experiments.tasks import copy_first_input, task_named  # noqa: E402
from lemmata.experiments.training import TEST, loss_of  # noqa: E402
from lemmata.figures import rows  # noqa: E402
from lemmata.figures.kept import packed  # noqa: E402

ROW = desk.row_named("lizaire26.fig6")
NAMES = ("one layer of width 5", "four layers of width 5")
STORED = [row for row in listed().rows.values() if rows.stored(row.id)]


def small(name, offset=0.0, steps=4):
    """A cell whose networks are told apart by their weights, and a number that is known."""
    made = replace(cell("copy", 1, 2), name=name, recipe=Recipe(steps=steps, shortest=4, longest=4, batch=2), rates=(1e-2, 1e-3))

    def measured(network, member, use):
        weight = float(sum(p.detach().sum() for p in network.parameters()))
        return {"error": offset + member.seed + 100 * (member.rate == 1e-2) + (0.5 if use == TEST else 0), "weights": weight}

    return replace(made, measure=measured, guess={"error": 1.0, "weights": 0.0})


@pytest.fixture
def plan(monkeypatch):
    made = Plan(
        cells=lambda: [small("a"), small("b", 10.0, steps=5)],
        sides={NAMES[0]: lambda of: of("b", "error"), NAMES[1]: lambda of: of(of.best("a", "b"), "error")},
        findings={ROW.id: ("It does", "It does not")},
    )
    monkeypatch.setattr(desk, "plan", lambda row: made)
    return made


def test_the_rate_is_that_of_validation_words_and_sides_are_of_test_words(plan):
    data = desk.compute(ROW)
    of = Found(data)
    assert of.rate("a") == of.rate("b") == 1
    assert of("a", "error") == [0.5, 1.5, 2.5, 3.5, 4.5]
    assert of.best("a", "b") == "a"
    assert data.side.sel(named=NAMES[0]).values.tolist() == [10.5, 11.5, 12.5, 13.5, 14.5]
    assert data.sizes["number"] == 2
    verdicts = judged.judge(ROW, data)
    assert [v.judged is not None for v in verdicts] == [True, False, False, False, False]
    assert verdicts[0].judged.difference == pytest.approx(10)
    assert judged.reproduced(verdicts)
    swapped = data.assign(side=data.side[::-1].assign_coords(named=data.named))
    assert not judged.reproduced(judged.judge(ROW, swapped))


def test_the_largest_number_can_choose_the_rate(plan, monkeypatch):
    monkeypatch.setattr(plan.__class__, "of", lambda self, row: [replace(c, most=True) for c in self.cells()])
    of = Found(desk.compute(ROW))
    assert of.rate("a") == 0
    assert of.best("a", "b") == "b"


class Stopped(Exception):
    """What ends a training in the middle."""


def test_a_row_that_is_stopped_goes_on_with_the_same_numbers(plan, tmp_path):
    whole = desk.compute(ROW)

    def stop(stage, done, total):
        if done == 6:
            assert total == 9
            raise Stopped

    with pytest.raises(Stopped):
        desk.compute(ROW, tmp_path, stop, pause=0.0)
    assert {path.name for path in tmp_path.iterdir()} == {"a.pt", "a.csv", "a.json", "b.pt", "b.csv"}
    seen = []
    again = desk.compute(ROW, tmp_path, lambda stage, done, total: seen.append(done))
    assert seen == [7, 8, 9]
    for name in ("value", "validation", "loss", "side"):
        np.testing.assert_array_equal(again[name], whole[name])
    assert packed(again.drop_vars("minutes")) == packed(desk.compute(ROW, tmp_path).drop_vars("minutes"))


def test_numbers_of_another_cell_are_refused(plan, tmp_path, monkeypatch):
    desk.compute(ROW, tmp_path)
    monkeypatch.setattr(plan.__class__, "of", lambda self, row: [replace(small("a"), facts={"width": 3})])
    with pytest.raises(ValueError, match="numbers of the cell 'a'"):
        desk.compute(ROW, tmp_path)


def test_networks_that_diverge_have_the_number_of_one_that_guesses(plan, monkeypatch):
    lost = replace(small("a"), measure=lambda network, member, use: {"error": float("nan") if member.seed == 2 else 3.0, "weights": 0.0})
    monkeypatch.setattr(plan.__class__, "of", lambda self, row: [lost, small("b")])
    assert Found(desk.compute(ROW))("a", "error") == [3.0, 3.0, 1.0, 3.0, 3.0]


def test_rows_without_a_plan_are_refused(monkeypatch):
    monkeypatch.delitem(desk.MODULES, "arena")
    with pytest.raises(ValueError, match="expected a row among"):
        desk.row_named("nobody99.fig1")
    with pytest.raises(ValueError, match="expected a row that can be trained"):
        desk.plan(desk.row_named("lizaire26.table1"))


@pytest.mark.parametrize("row", desk.trainable())
def test_every_deciding_side_is_planned(row):
    made, asked = desk.plan(desk.row_named(row)), desk.row_named(row).deciding
    assert {name for s in asked for name in judged.names_of(s)} <= set(made.sides)
    assert len({c.name for c in made.of(row)}) == len(made.of(row)) > 0
    assert all(len(title) <= 120 for title in made.findings[row])
    named = {
        name
        for r in listed().rows.values()
        if r.training == desk.row_named(row).training
        for s in r.sentences
        for name in judged.names_of(s)
    }
    assert set(made.sides) <= named


def off(made, task, build):
    """How far scores and gradients of a stack are from those of its networks alone, in float64."""
    networks = Networks(made, task, build, torch.float64)
    inputs, targets = made.words(task, 0)
    scores, (_, gradient) = networks.scores(inputs), networks.gradient(task, inputs, targets)
    found = 0.0
    for i in range(len(made.members)):
        model = Networks(made, task, build, torch.float64).models[i].double()
        given = inputs[i].double() if networks.real else inputs[i]
        own = torch.autograd.grad(loss_of(model, task, given, targets[i]), list(model.parameters()))
        alone = torch.cat([model(given).flatten(), *(g.flatten() for g in own)])
        both = torch.cat([scores[i].flatten(), gradient[i]])
        found = max(found, float(((alone - both).norm() / alone.norm()).detach()))
    return found


@pytest.mark.parametrize("kind", [kind for kind, stack in STACKS.items() if stack.product != "full"])
@pytest.mark.parametrize("depth", [1, 3])
def test_recurrent_layers_say_in_a_stack_what_they_say_alone(kind, depth):
    made = Stack("made", tuple(Member(kind, seed, 1.0) for seed in (0, 1, 2)), Recipe(steps=1, shortest=7, longest=7, batch=3))
    assert off(made, learnt_from("sinus"), lambda member, task: InTurn(kind, 3, 4, depth)) < 1e-10


def test_blocks_of_both_units_that_read_both_ways_say_in_a_stack_what_they_say_alone():
    task = asked_once(copy_first_input())
    made = Stack("made", tuple(Member("both", seed, 1.0) for seed in (0, 1)), Recipe(steps=1, shortest=7, longest=7, batch=3))
    cells = Cells(bistable=3, linear=2, positions=True)
    assert off(made, task, lambda member, task: stackable(Blocks(cells, 2, 1, 4, 2, mean=True, both_ways=True))) < 1e-10


def test_weights_that_are_frozen_are_not_trained():
    made = Stack("made", (Member("first", 0, 1e-2),), Recipe(steps=2, shortest=5, longest=5, batch=3))
    task = asked_once(copy_first_input())

    def build(member, task):
        layer = LastOutput(LRU(2, 3), 6)
        freeze(layer.layer)
        return AnsweredOnce(layer)

    networks, _ = train_stack(made, task, build)
    first = Networks(made, task, build)
    assert networks.names == ["model.readout.weight", "model.readout.bias"]
    assert not torch.equal(networks.theta, first.theta)
    torch.testing.assert_close(networks.network(0).model.layer.nu, first.network(0).model.layer.nu, atol=0, rtol=0)
    assert off(made, task, build) < 1e-10


def test_of_spread_thresholds_the_last_are_passed_by_the_flagged_step_and_seldom_by_noise():
    task = copy_first_input()
    torch.manual_seed(0)
    model = stackable(Blocks(Cells(bistable=16), 2, 1, 16, 1)).model
    (block,) = model.blocks
    y = block.norm(model.encoder(torch.from_numpy(task.sample(64, 100, np.random.default_rng(0))[0]).float()).mT).mT
    writes = (block.onward.bistable.candidate(y).abs() >= block.onward.bistable.threshold(y).abs()).double().mean(0)
    noise, flagged = writes[1:].mean(0), writes[0]
    assert noise[:4].mean() > 0.1
    assert flagged[8:].mean() > 10 * noise[8:].mean()


def test_of_several_first_weights_the_best_on_validation_words_counts():
    import xarray as xr

    # seed s learns at its try s, at the second rate alone; a test number names its network
    validation = np.ones((2, SEEDS, TRIES))
    validation[1, range(SEEDS), range(SEEDS)] = 0.0
    over = ("cell", "rate", "seed")
    data = xr.Dataset(
        {
            "validation": (over, validation.reshape(1, 2, -1)),
            "value": ((*over, "number"), np.arange(validation.size).reshape(1, 2, -1, 1)),
        },
        {"cell": ["LRU"], "number": ["error at 100"]},
    )
    chosen = [SEEDS * TRIES + TRIES * seed + seed for seed in range(SEEDS)]
    assert desk_sign.linear(Found(data), 100) == chosen


@pytest.mark.programs
@pytest.mark.parametrize("row", desk.trainable())
def test_the_networks_of_a_row_say_in_a_stack_what_they_say_alone(row):
    for c in desk.plan(desk.row_named(row)).of(row)[:: max(1, len(desk.plan(desk.row_named(row)).of(row)) - 1)]:
        made = replace(c, recipe=replace(c.recipe, shortest=5, longest=5, first=None, batch=3), seeds=2, rates=(1e-2,))
        assert off(made.stack, c.task, c.build) < 1e-10


@pytest.mark.programs
def test_a_block_normalises_by_the_moments_of_training():
    (c, *_) = desk.plan(desk.row_named("degeeter26.fig9")).of("degeeter26.fig9")
    network = Networks(replace(c, seeds=1).stack, c.task, c.build).network(0)
    assert isinstance(network, AnsweredOnce)
    model, (x, _) = normalised(network, drawn(0, 50)), c.task.sample(512, 50, np.random.default_rng(9))
    x = torch.from_numpy(x).float()
    with torch.no_grad():
        # of many words the moments of the batch are nearly those of training
        torch.testing.assert_close(model(x), network.model(x), atol=0.1, rtol=0.1)
        alone = torch.cat([model(x[i : i + 1]) for i in range(3)])
        torch.testing.assert_close(alone, model(x)[:3], atol=1e-4, rtol=1e-3)


def test_a_network_of_one_layer_is_refuted_by_a_word():
    task = task_named("parity")
    torch.manual_seed(0)
    network = Model("diagonal [-1, 1]", 2, 2, 2)
    said = certified(network, task, limit=20)
    assert said["certify"] == 1
    assert 0 < said["wrong word"] < 20
    assert set(said) == set(UNKNOWN)


def test_what_certify_says_is_counted():
    import xarray as xr

    def data(codes, words, regular):
        value = np.array([[[[c, w] for c, w in zip(codes, words, strict=True)]], [[[np.nan] * 2] * len(codes)]])
        return xr.Dataset(
            {
                "value": (("cell", "rate", "seed", "number"), value),
                "validation": (("cell", "rate", "seed"), np.zeros(value.shape[:3])),
                "regular": ("cell", regular),
            },
            {"number": ["certify", "wrong word"]},
        )

    found = judged.certified(data([0, 1, 1], [0, 7, 60], [True, True]))
    assert found == "1 right at every length; 2 wrong on a word; the shortest of these words has 7 letters, the longest 60; 3 not certified"
    assert judged.certified(data([1], [7], [True, False])).startswith("1 wrong on a word")
    assert judged.certified(data([1], [7], [False, False]).drop_sel(number="certify")) == "-"


def test_something_is_stored():
    assert STORED


@pytest.mark.parametrize("row", STORED, ids=lambda row: row.id)
def test_stored_rows_are_small_and_of_their_plan(row):
    data = rows.kept_row(row.id)
    made = desk.plan(row).of(row.id)
    assert data.cell.values.tolist() == [c.name for c in made]
    assert data.attrs["steps"] == [c.recipe.steps for c in made]
    for c in made:
        rates = data.tried.sel(cell=c.name).values
        assert rates[np.isfinite(rates)].tolist() == list(c.rates)
    np.testing.assert_allclose(desk.with_sides(row, data.drop_vars(["side", "named"])).side, data.side, rtol=1e-6)
    assert (rows.FOLDER / f"{row.id}.{rows.SCALE}.json.xz").stat().st_size < 100_000
    assert all(v.attrs["long_name"] for v in data.data_vars.values())
    assert judged.reproduced(judged.judge(row, data)) or row.tried


def test_results_stand_on_the_page():
    page = reproduction.overview()
    for row in STORED:
        found = reproduction.result(row)
        assert found is not None
        assert f"| {found.said}" in page, row.id


def test_a_stored_row_is_redrawn(run, tmp_path):
    row = STORED[0]
    code, out, _ = run("reproduce", row.id, "--redraw", "--out", str(tmp_path))
    assert code == 0
    assert f"{row.id}: " in out
    assert {path.name for path in tmp_path.iterdir()} == {f"{row.id}.{suffix}" for suffix in ("svg", "csv")}


def test_without_names_all_stored_rows_are_redrawn(monkeypatch, run, tmp_path):
    # the others can be trained, and are left alone
    kept = [row.id for row in STORED][-2:]
    monkeypatch.setattr(rows, "stored", lambda name: name in kept)
    code, _, err = run("reproduce", "--redraw", "--out", str(tmp_path))
    assert (code, err) == (0, "")
    assert {path.stem for path in tmp_path.iterdir()} == set(kept)


def test_nothing_is_drawn_of_a_row_without_data(run, tmp_path, monkeypatch):
    monkeypatch.setattr(rows, "FOLDER", tmp_path)
    code, _, err = run("reproduce", ROW.id, "--redraw", "--out", str(tmp_path))
    assert code == 2
    assert "expected" in err


def test_a_row_is_trained_by_the_command(plan, run, tmp_path):
    assert isinstance(plan.cells()[0], Cell)
    code, out, _ = run("reproduce", ROW.id, "--out", str(tmp_path))
    assert code == 0
    assert f"{ROW.id}: reproduced" in out
    assert (tmp_path / f"{ROW.id}.desk.json.xz").stat().st_size > 0
