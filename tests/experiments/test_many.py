"""Many runs: kept when done, the same numbers in any number of processes; data that are kept come back as they were."""

import json
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the extra 'torch'")

import xarray as xr  # noqa: E402
from lemmata.experiments import many  # noqa: E402
from lemmata.experiments.many import measure_all  # noqa: E402
from lemmata.experiments.training import Run, train  # noqa: E402
from lemmata.figures.kept import file_name, kept, packed, unpacked  # noqa: E402

RUNS = [Run("parity", "diagonal [-1, 1]", seed, width=2, steps=2, shortest=2, longest=4, batch=2) for seed in range(3)]


def weights(run, folder, progress, device):
    return {"weights": [float(p.detach().double().sum()) for p in train(run, folder, progress, device).parameters()]}


def test_numbers_are_kept_and_a_killed_experiment_goes_on(tmp_path):
    measured = []

    def measure(run, folder, progress, device):
        measured.append(run.seed)
        if len(measured) == 2:
            raise KeyboardInterrupt
        return weights(run, folder, progress, device)

    with pytest.raises(KeyboardInterrupt):
        measure_all(RUNS, measure, tmp_path)
    reported = []
    found = measure_all(RUNS, measure, tmp_path, progress=lambda stage, done, total: reported.append((done, total)))
    assert measured == [0, 1, 1, 2]
    assert reported == [(3, 6), (4, 6), (5, 6), (6, 6)]
    assert found == measure_all(RUNS, weights)
    assert found[0] != found[1]


@pytest.mark.programs
def test_two_processes_find_the_same_numbers(tmp_path, monkeypatch):
    # the other process looks for this file's function as pytest names it
    monkeypatch.syspath_prepend(Path(__file__).parents[2])
    reported = []
    found = measure_all(RUNS[:2], weights, tmp_path, progress=lambda *report: reported.append(report), jobs=2)
    assert found == measure_all(RUNS[:2], weights)
    assert reported[-1] == ("2 of 2 runs", 4, 4)


def test_kept_numbers_of_another_run_and_names_that_clash_are_refused(tmp_path):
    many.measure_one(RUNS[0], weights, tmp_path, None, None)
    path = tmp_path / f"{RUNS[0].name}.json"
    known = json.loads(path.read_text())
    path.write_text(json.dumps({"run": known["run"] | {"width": 3}, "found": known["found"]}))
    with pytest.raises(ValueError, match="expected the numbers of"):
        measure_all(RUNS[:1], weights, tmp_path)
    with pytest.raises(ValueError, match="expected runs of different names"):
        measure_all(RUNS[:1] * 2, weights)
    with pytest.raises(ValueError, match="expected at least 1 job, got 0"):
        measure_all(RUNS, weights, jobs=0)


def test_kept_data_come_back_labelled_and_short(tmp_path):
    data = xr.Dataset(
        {"a": (("x", "kind"), np.array([[1 / 3, np.nan], [2.0, np.inf]]), {"units": "1"})},
        {"x": [1, 2], "kind": ["one", "two"]},
        {"scale": "desk"},
    )
    again = unpacked(packed(data))
    xr.testing.assert_allclose(again, data, rtol=1e-8)
    assert again.attrs == data.attrs
    assert again.a.attrs == data.a.attrs
    (tmp_path / file_name("paper.what", "desk")).write_bytes(packed(data))
    xr.testing.assert_identical(kept("paper.what", "desk", tmp_path), again)
    with pytest.raises(ValueError, match=r"expected stored data among paper\.what\.desk, got paper\.what\.paper"):
        kept("paper.what", "paper", tmp_path)
    with pytest.raises(ValueError, match="expected data as lemmata keeps them"):
        unpacked(b"something else")
