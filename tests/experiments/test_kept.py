"""What is kept in figures/data belongs to a figure or an experiment, is labelled, its sentence can be said anew, and it is redrawn in small files."""

from math import prod

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
    if name in experiments.registered():
        experiment = experiments.load(name)
        assert data.attrs["scale"] == scale
        assert experiment.finding == experiments.registered()[name].finding
        assert data.attrs.get("source", experiment.source) == experiment.source
        assert len(experiment.outcome(with_prediction(experiment, data))) > 40
    else:
        assert len(figures.load(name).outcome(data)) > 40


#: bytes of a file that a redraw writes, at most
LARGEST = 20_000_000


@pytest.mark.parametrize(("name", "scale"), FILES)
def test_the_table_of_a_redraw_is_small_and_holds_no_value_twice(name, scale):
    data = kept(name, scale)
    if name in experiments.registered():
        data = with_prediction(experiments.load(name), data)
    table = figures.table(data)
    shapes = {variable.dims: prod(variable.shape) for variable in data.data_vars.values()}
    assert len(table.splitlines()) == 1 + sum(shapes.values())
    assert len(table) <= LARGEST


def test_the_largest_redraw_writes_small_files(run, tmp_path):
    assert run("train", "movahedi25.groups", "--scale", "desk", "--redraw", "--out", str(tmp_path))[0] == 0
    sizes = {path.name: path.stat().st_size for path in tmp_path.iterdir()}
    assert set(sizes) == {f"movahedi25.groups.{suffix}" for suffix in ("png", "svg", "csv", "txt")}
    assert max(sizes.values()) <= LARGEST


def test_every_figure_stored_at_the_papers_scale_is_redrawn(run, tmp_path, monkeypatch):
    drawable = {name for name, scale in FILES if scale == "paper"}
    drawable |= {name for name, shown in figures.ALSO.items() if shown in drawable}
    assert len(drawable) > 8
    # what the drawings look like, other tests see
    monkeypatch.setattr(figures, "drawing", lambda figure, data: None)
    monkeypatch.setattr(figures, "saved", lambda drawn, suffix: b"drawn")
    code, out, _ = run("figures", *sorted(drawable), "--scale", "paper", "--redraw", "--out", str(tmp_path))
    assert code == 0
    for name in drawable:
        assert f"{name}.png" in out
        assert 0 < (tmp_path / f"{name}.csv").stat().st_size <= LARGEST
