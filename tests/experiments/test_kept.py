"""What is kept in figures/data belongs to a figure or an experiment, is labelled, and its sentence can be said anew."""

from importlib import import_module

import pytest

pytest.importorskip("torch", reason="needs the extra 'torch'")

from lemmata import experiments, figures
from lemmata.cli.train import with_prediction
from lemmata.figures.kept import FOLDER, kept

FILES = [tuple(path.name.removesuffix(".json.xz").rsplit(".", 1)) for path in sorted(FOLDER.glob("*.json.xz"))]


def test_something_is_kept():
    assert FILES


@pytest.mark.parametrize(("name", "scale"), FILES)
def test_kept_data_are_labelled_and_put_into_words(name, scale):
    assert scale in ("desk", "paper")
    data = kept(name, scale)
    assert all(variable.attrs["long_name"] for variable in data.variables.values())
    if name in experiments.EXPERIMENTS:
        experiment = experiments.load(name)
        assert data.attrs["scale"] == scale
        figure = import_module(f"lemmata.figures.trained_{experiments.EXPERIMENTS[name]}")
        assert figure.FINDING
        assert len(experiment.outcome(with_prediction(experiment, data))) > 40
    else:
        assert len(figures.load(name).outcome(data)) > 40
