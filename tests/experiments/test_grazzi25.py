"""S_5, arithmetic and starting at compiled weights: tasks and measures against independent definitions, both outcomes on made-up data, all in miniature."""

from dataclasses import replace
from itertools import accumulate

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the extra 'torch'")

import xarray as xr  # noqa: E402
from lemmata.cli.train import predicted  # noqa: E402
from lemmata.experiments import arithmetic, grid, learnability, symmetric, words  # noqa: E402
from lemmata.experiments.experiment import Axis, Found, Picture  # noqa: E402
from lemmata.experiments.tasks import UNASKED, Task, spaced_word_problem, task_named, word_problem  # noqa: E402
from lemmata.experiments.training import Run, accuracy, fresh  # noqa: E402
from lemmata.figures.lengths import look  # noqa: E402
from lemmata.figures.trained import Drawn  # noqa: E402

CPU = torch.device("cpu")
S5, ARITHMETIC = symmetric.EXPERIMENT, arithmetic.EXPERIMENT


# -- tasks and measures ------------------------------------------------------------------------------------------------------


def test_spaced_words_are_asked_for_the_product_of_what_was_read_three_letters_before():
    task = spaced_word_problem("S3", 4)
    words, targets = task.sample(6, 14, np.random.default_rng(0))
    blank = len(task.letters) - 1
    assert all((words[:, t] == blank).all() == bool(t % 4) for t in range(14))
    matrix = {text: np.eye(3, dtype=int)[:, [int(i) for i in text.split()]] for text in task.answers}
    matrix["-"] = np.eye(3, dtype=int)
    for word, target in zip(words, targets, strict=True):
        products = list(accumulate((matrix[task.letters[x]] for x in word), lambda before, g: g @ before))
        expected = [np.eye(3)] * 3 + products[:-3]
        assert all(np.array_equal(matrix[task.answers[y]], P) for y, P in zip(target, expected, strict=True))


def test_one_token_an_element_is_the_word_problem_and_none_is_refused():
    spaced, plain = (task.sample(3, 5, np.random.default_rng(1)) for task in (spaced_word_problem("S3", 1), word_problem("S3")))
    assert all(np.array_equal(a, b) for a, b in zip(spaced, plain, strict=True))
    with pytest.raises(ValueError, match="expected at least 1 token for an element, got 0"):
        spaced_word_problem("S3", 0)


def test_the_answer_of_every_automaton_is_what_its_task_asks_for():
    for name in ("parity", "S3.swaps", "modular-arithmetic"):
        task = task_named(name)
        words, targets = task.sample(20, 9, np.random.default_rng(2))
        table = list(task.automaton.table.values())
        reached = [list(accumulate(word, lambda q, x, table=table: table[x][q], initial=task.automaton.start))[1:] for word in words]
        assert np.array_equal(np.array(task.said)[reached], targets)


def test_a_whole_word_is_right_until_its_first_wrong_answer():
    targets = np.array([[0, 0, 0, 0], [0, UNASKED, 0, 0]])
    task = Task("made up", ("a",), ("no", "yes"), lambda count, length, rng: (np.zeros_like(targets), targets))
    said = torch.tensor([[0, 1, 0, 0], [0, 1, 0, 1]])
    assert accuracy(lambda words: said, task, 4, 2).tolist() == [1, 0, 1, 0.5]
    assert accuracy(lambda words: said, task, 4, 2, whole=True).tolist() == [1, 0, 0.5, 0]


# -- starting at compiled weights --------------------------------------------------------------------------------------------


def start(task, variant, seed=0):
    run = next(r for r in learnability.EXPERIMENT.runs("smoke") if r.task == task and r.variant.startswith(f"{variant},"))
    return run, fresh(run, task_named(task), learnability.build)


@pytest.mark.parametrize("task", learnability.TASKS)
def test_a_model_that_starts_at_the_compiled_network_is_right_and_a_broken_one_is_not(task):
    run, model = start(task, "at")
    size = learnability.Size(1, 1, 40, 40, 60)
    found = learnability._measured(model, task_named(task), run, size)
    assert found["right"] == 40
    assert found["margin"] == pytest.approx(learnability.LEAD, abs=0.05)
    assert found["spectrum"] < 1e-4
    assert found["maps"] < 1e-4
    with torch.no_grad():
        layer = model.layers[0]
        layer.strength.weight[:, -1] *= -1  # the last letter reflects where it should not, and the other way round
    broken = learnability._measured(model, task_named(task), run, size)
    assert broken["right"] < 40
    assert broken["spectrum"] > 0.5


def test_more_noise_is_further_away_and_random_weights_furthest():
    size = learnability.Size(1, 1, 4, 4, 4)
    starts = [start("S3", s) for s in learnability.STARTS]
    spectrum = [learnability._measured(model, task_named("S3"), run, size)["spectrum"] for run, model in starts]
    assert spectrum == sorted(spectrum)


def test_eigenvalues_are_compared_in_any_basis_and_order():
    rng = np.random.default_rng(0)
    A, S = np.diag([1.0, -1.0, 0.5]), rng.standard_normal((3, 3))
    assert learnability.spectral_distance(A, S @ A @ np.linalg.inv(S)) < 1e-9
    assert learnability.spectral_distance(A, np.diag([0.5, 1.0, -0.8])) == pytest.approx(0.2)


def kept_or_not(at, random):
    """Data in which every seed that began at the compiled network is right up to ``at`` letters afterwards, at random weights up to ``random``."""
    dims = ("task", "start", "rate", "seed", "when")
    coords = {"task": list(learnability.TASKS), "start": list(learnability.STARTS), "rate": list(learnability.RATES), "seed": [0, 1]}
    right = np.full((3, 5, 2, 2, 2), 1)
    right[:, 0, ..., 0] = 64
    right[:, 0, ..., 1], right[:, -1, ..., 1] = at, random
    return xr.Dataset({"right": (dims, right)}, coords | {"when": ["before", "after"]}, {"tested": 64, "longest": 8, "steps": 5})


def test_what_was_kept_and_found_follows_the_numbers():
    said = learnability.EXPERIMENT.outcome(kept_or_not(64, 2))
    assert "right up to 64 letters as before: every seed in 6 of 6 cells" in said
    assert "from random ones: every seed in 0 of 6 cells" in said
    other = learnability.EXPERIMENT.outcome(kept_or_not(63, 9))
    assert "right up to 64 letters as before: every seed in 0 of 6 cells" in other
    assert "from random ones: every seed in 6 of 6 cells" in other
    assert "compiled weights, S3, rate 0.001: no; " in other
    assert "random ones, S3, rate 0.001: yes (letters before and after: at: 64 to 63, " in other
    one = kept_or_not(64, 8)
    one.right.loc[{"task": "A5", "start": "at", "rate": 0.01, "seed": 1, "when": "after"}] = 10
    assert "in 5 of 6 cells" in learnability.EXPERIMENT.outcome(one)
    assert "compiled weights, A5, rate 0.01: by 1 of 2 seeds" in learnability.EXPERIMENT.outcome(one)


def test_learnability_in_miniature(tmp_path, monkeypatch):
    monkeypatch.setattr(learnability, "TASKS", {"S3": "DeltaProduct_2 [-1, 1]"})
    monkeypatch.setattr(learnability, "STARTS", {"at": 1e-6, "random": None})
    data = learnability.EXPERIMENT.compute("smoke", folder=tmp_path, device=CPU)
    assert dict(data.right.sizes) == {"task": 1, "start": 2, "rate": 2, "seed": 1, "when": 2}
    assert (data.right.sel(start="at", when="before") == 8).all()
    # the same start, whatever the rate
    before = data.sel(when="before")
    assert before.isel(rate=0, drop=True).identical(before.isel(rate=1, drop=True))
    assert (data.maps.sel(when="after") != data.maps.sel(when="before")).all()
    assert len(learnability.draw(data).axes) == 2


# -- S_5 and arithmetic ------------------------------------------------------------------------------------------------------


def test_the_table_predicts_what_the_theorems_say_of_s5():
    said = {t: [predicted(S5, t, layer) for layer in symmetric.MODELS] for t in symmetric.ASKED}
    # Mamba in both ranges, DeltaNet in both, two factors, four, four again, any matrix
    assert said == {
        "S5.swaps": ["no", "open", "no", "yes", "yes", "yes", "yes", "yes"],
        "S5.threes": ["no", "no", "no", "no", "yes", "yes", "yes", "yes"],
        "S5.tokens4": ["no", "open", "no", "open", "open", "open", "open", "yes"],
        "S5": ["no", "no", "no", "no", "no", "yes", "yes", "yes"],
        "C60": ["no", "no", "no", "no", "yes", "yes", "yes", "yes"],
        "C60.tokens2": ["no", "open", "no", "open", "open", "open", "open", "yes"],
    }


def test_words_with_several_tokens_for_an_element_are_as_many_times_as_long():
    longest = {run.task: (run.shortest, run.longest) for run in S5.runs("desk")}
    assert longest["S5"] == longest["C60"] == (2, 6)
    assert longest["S5.tokens4"] == (8, 24)
    assert longest["C60.tokens2"] == (4, 12)


def test_first_reflections_are_nearly_orthogonal_and_other_first_weights_are_not():
    def distance(kind):
        run = next(run for run in S5.runs("desk") if (run.task, run.kind) == ("S5.swaps", kind))
        task = task_named(run.task)
        model = fresh(run, task, symmetric.build)
        A = model.layers[0].maps(torch.eye(len(task.letters))[None])[0]
        return float((A @ A.mT - torch.eye(run.width)).detach().abs().max())

    assert distance(symmetric.REFLECTING) < 0.3
    assert distance("DeltaProduct_4 [-1, 1]") > 0.9
    assert distance("full matrix") < 1e-5


def test_the_sentence_on_s5_follows_the_numbers():
    tasks, layers = list(symmetric.ASKED), list(symmetric.MODELS)
    accuracy_ = xr.DataArray(
        np.zeros((len(tasks), len(layers), 2, 4)),
        {"task": tasks, "layer": layers, "seed": [0, 1], "length": [1, 2, 4, 8]},
        ("task", "layer", "seed", "length"),
    )
    accuracy_.loc["S5.swaps", "DeltaNet [-1, 1]", 0] = 1  # one of two seeds
    data = xr.Dataset(
        {
            "accuracy": accuracy_,
            "predicted": (("task", "layer"), [["no"] * len(layers)] * len(tasks)),
            "trained": ("task", [16 if "4" in task else 4 for task in tasks]),
        },
        attrs={"longest": 4, "width": 2, "steps": 3},
    )
    said = S5.outcome(data)
    paper = "Mamba [0, 1] 0, Mamba [-1, 1] 0, DeltaNet [0, 1] 0, DeltaNet [-1, 1] 8"
    assert f"DeltaNet [0, 1] and Mamba do not': yes (right up to length: {paper})" in said
    assert "it goes less far': yes" in said
    assert "a full matrix should be able to learn S₅ however the letters move': no" in said
    assert "best of 2 seeds" in said
    # eight tokens are two elements; on all letters as far as on swaps
    data.accuracy.loc["S5.tokens4", "DeltaNet [-1, 1]"] = 1
    said = S5.outcome(data)
    assert "it goes less far': yes (in elements: S5.threes 0, S5.tokens4 2, S5 0)" in said
    data.accuracy.loc["S5.swaps", "Mamba [-1, 1]"] = data.accuracy.loc["S5", "DeltaNet [-1, 1]"] = 1
    data.accuracy.loc[["S5.swaps", "S5.threes", "S5", "C60"], "full matrix"] = 1
    said = S5.outcome(data)
    assert "Mamba do not': no" in said
    assert "it goes less far': no" in said
    assert "a full matrix should be able to learn S₅ however the letters move': yes" in said
    assert "right past the trained length all the same 7" in said
    assert ", one seed; width" in S5.outcome(data.isel(seed=[0]))
    assert "best of 2 seeds; width" in said
    data.accuracy.loc["C60", :, 1] = np.nan
    assert "best of 2 seeds (C60: one); width" in S5.outcome(data)


def test_tasks_that_take_long_have_one_seed_unless_more_are_asked_for():
    def seeds(planned):
        return {task: sorted({run.seed for run in planned if run.task == task}) for task in symmetric.ASKED}

    assert seeds(S5.runs("desk"))["S5.swaps"] == seeds(S5.runs("paper"))["S5"] == [0, 1, 2]
    assert seeds(S5.runs("desk"))["S5.tokens4"] == [0]
    assert seeds(S5.runs("desk", 2)) == {task: [0, 1] for task in symmetric.ASKED}


def test_numbers_of_seeds_that_a_task_lacks_are_missing(monkeypatch):
    monkeypatch.setattr(grid, "_compiled", lambda task, size, whole: np.ones(size.tested))

    def make(size, seed, task, layer):
        return Run(task, layer, seed, 1, 1, 1, 2)

    def measure(run, *_, size):
        return {"accuracy": [order.index(run.name)] * 4, "least": -order.index(run.name)}

    made = grid.word_table(
        "new.made",
        topic="parity",
        place="nowhere",
        finding="",
        tasks=("parity", "S3"),
        layers=("BMRU", "LRU"),
        sizes={"quick": grid.Size(2, 1, 2, 4, 1, 1)},
        run=make,
        measure=measure,
        numbers={"least": Found("least", "1")},
        once=lambda scale, task, layer: task == "parity",
        picture=Picture({}),
    )
    order = [run.name for run in made.runs()]
    data = made.compute()
    assert np.array_equal(data.accuracy[..., 0], [[[0, np.nan], [1, np.nan]], [[2, 3], [4, 5]]], equal_nan=True)
    assert np.array_equal(data.least, -data.accuracy[..., 0], equal_nan=True)
    assert made.compute(seeds=1).accuracy.notnull().all()
    assert len(made.runs(seeds=2)) == 8


def test_the_sentence_on_arithmetic_follows_the_numbers():
    layers = list(arithmetic.LAYERS)
    assert layers[:4] == ["DeltaNet [0, 1]", "DeltaNet [-1, 1]", "Mamba [0, 1]", "Mamba [-1, 1]"]
    # of three seeds: the best and the median go different ways for DeltaNet
    seeds = [[[0.3, 0.3, 0.3], [0.4, 0.1, 0.0]], [[0.1] * 3, [0.11] * 3], [[0.2] * 3, [0.0, 0.1, 0.0]]]
    beyond = np.array([np.reshape(seeds, (6, 3)), np.reshape(seeds[::-1], (6, 3))])
    data = xr.Dataset(
        {
            "beyond": (("task", "layer", "seed"), beyond),
            "within": (("task", "layer", "seed"), -beyond),
            "compiled": (("task", "length"), np.ones((2, 2))),
        },
        {"task": list(arithmetic.TASKS), "layer": layers, "length": [1, 2], "seed": [0, 1, 2]},
        {"longest": 1, "width": 2, "steps": 3, "depth": 3},
    )
    said = ARITHMETIC.outcome(data)
    past, up_to = (f"eigenvalues in [-1, 1] do better {where} the trained length than in [0, 1]'" for where in ("past", "up to"))
    assert f"'without brackets, {past}, DeltaNet: yes, median no (best: [0, 1] 0.3, [-1, 1] 0.4; median: [0, 1] 0.3, [-1, 1] 0.1)" in said
    assert f"'without brackets, {past}, Mamba: alike, median alike" in said
    assert f"'without brackets, {past}, diagonal: no, median no" in said
    assert f"'without brackets, {up_to}, DeltaNet: yes, median yes" in said
    assert f"'with brackets, {past}, DeltaNet: no, median no" in said
    assert "best and median of 3 seeds" in said
    assert said.endswith("the compiled network: 100% at worst")


@pytest.mark.parametrize("scale", ["quick", "desk", "paper"])
def test_arithmetic_is_reported_where_something_is_asked(scale):
    at = grid.lengths(arithmetic.SIZES[scale], arithmetic.ODD)
    assert all(n % 2 for n in at)
    assert at[-1] >= arithmetic.SIZES[scale].tested - 1
    _, targets = task_named("modular-arithmetic").sample(2, at[-1], np.random.default_rng(0))
    assert all((targets[:, n - 1] != UNASKED).all() for n in at)
    # the paper's sizes are even, and nothing is asked after an even number of letters
    assert all((targets[:, n - 1] == UNASKED).all() for n in grid.lengths(grid.Size(1, 1, 40, at[-1], 1, 1)) if n % 2 == 0)


def test_seeds_are_counted_in_words():
    assert [words.of_seeds("best", n) for n in (1, 2)] == ["one seed", "best of 2 seeds"]
    assert [words.in_seeds(n) for n in (0, 1, 5)] == ["0 seeds", "1 seed", "5 seeds"]


@pytest.mark.parametrize(("module", "layers"), [(symmetric, symmetric.MODELS), (arithmetic, arithmetic.LAYERS)])
def test_every_layer_of_a_picture_looks_different(module, layers):
    looks = [tuple(look(layer).values()) for layer in layers]
    assert len(set(looks)) == len(looks)


def test_s5_and_arithmetic_in_miniature(tmp_path, monkeypatch):
    compiled = grid._compiled(task_named("modular-arithmetic"), arithmetic.SIZES["smoke"], False)
    assert np.array_equal(compiled, [1, np.nan] * 3, equal_nan=True)
    # compiling S_5 takes long, and the experiment on ranges compiles
    monkeypatch.setattr(grid, "_compiled", lambda task, size, whole: np.ones(size.tested))
    small = {"task": Axis(("S5.swaps", "S5.tokens4"), "task"), "layer": Axis(("DeltaNet [-1, 1]",), "layer")}
    for experiment, panels in ((replace(S5, axes=small), 2), (ARITHMETIC, 2)):
        data = experiment.compute("smoke", folder=tmp_path, device=CPU)
        assert dict(data.accuracy.sizes)["task"] == panels
        assert ((data.accuracy >= 0) & (data.accuracy <= 1) | data.accuracy.isnull()).all()
        assert len(Drawn(experiment).draw(data).axes) == panels
    # brackets are asked for at the end: each length was tested by its own words
    assert data.accuracy.sel(task="bracketed-arithmetic").notnull().all()
