"""The figures: written whole, the same bytes again, and data that show what the title says."""

import csv
import os
from functools import wraps
from inspect import signature

import numpy as np
import pytest
from lemmata import figures
from lemmata.constructions.depth import least_width, parameters
from lemmata.constructions.householder import permutation_matrix
from lemmata.figures.points import measure_points
from lemmata.numerics.exact import as_float


def rows(name: str, folder) -> list[dict[str, str]]:
    _, _, table, *_ = figures.make(name, folder, "smoke")
    with table.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


#: figures, with and without random numbers, that are computed twice
QUICK = ("grazzi25.fig2", "grazzi25.fig3", "orvieto24.fig9", "degeeter26.fig5")


def remembered(monkeypatch, module, function: str) -> list:
    """What ``module.function`` returns from now on."""
    returned, original = [], getattr(module, function)

    @wraps(original)
    def remembering(*arguments, **options):
        returned.append(original(*arguments, **options))
        return returned[-1]

    monkeypatch.setattr(module, function, remembering)
    return returned


#: what figures computed in this process, by name and scale
COMPUTED: dict = {}


def data_of(name: str, scale: str = "quick"):
    """The data of a figure, computed once in a process."""
    if (name, scale) not in COMPUTED:
        compute = figures.load(name).compute
        COMPUTED[name, scale] = compute(**({"scale": scale} if "scale" in signature(compute).parameters else {}))
    return COMPUTED[name, scale]


@pytest.mark.programs
@pytest.mark.exact
@pytest.mark.parametrize("name", list(figures.FIGURES))
def test_three_files_with_labelled_data_and_the_same_bytes_again(name, tmp_path, monkeypatch):
    module = figures.load(name)
    # a PNG of few dots is as good a witness, and of most figures the SVG is enough: it is the same drawing
    monkeypatch.setattr(figures, "DPI", 40)
    saved = figures.saved
    if name not in QUICK:
        monkeypatch.setattr(figures, "saved", lambda drawn, suffix: b"\x89PNG" if suffix == "png" else saved(drawn, suffix))
    computed, drawn = remembered(monkeypatch, module, "compute"), remembered(monkeypatch, module, "draw")
    paths = figures.make(name, tmp_path / "new" / "folder", "smoke")
    COMPUTED[name, "smoke" if "smoke" in getattr(module, "SIZES", ()) else "quick"] = data = computed[0]
    suffixes = ["png", "svg", "csv", *(["txt"] if hasattr(module, "outcome") else [])]
    assert [p.name for p in paths] == [f"{name}.{suffix}" for suffix in suffixes]
    assert sorted(paths[0].parent.iterdir()) == sorted(paths)
    png, svg, table = (p.read_bytes() for p in paths[:3])
    assert png.startswith(b"\x89PNG")
    assert b"</svg>" in svg
    assert table.count(b"\n") > 1
    # the same bytes again: of the file that tells all that is drawn, and where computing is quick of all files, written over old ones
    if name in QUICK:
        (tmp_path / f"{name}.csv").write_text("old")
        again = figures.make(name, tmp_path, "smoke")
        assert [p.read_bytes() for p in again] == [p.read_bytes() for p in paths]
    else:
        assert saved(figures.drawing(module, data), "svg") == svg
    # the data are labelled, and the title is the finding
    for variable in [*data.data_vars.values(), *data.coords.values()]:
        assert variable.attrs["long_name"]
    assert all("units" in variable.attrs for variable in data.data_vars.values())
    assert "\n" not in module.FINDING
    assert drawn[0].get_suptitle() == module.FINDING


def test_a_failing_write_leaves_nothing_behind(tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError("no")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(OSError, match="no"):
        figures.make("grazzi25.fig3", tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", figures.ALSO)
def test_figures_that_another_one_shows(name):
    assert figures.load(name) is figures.load(figures.ALSO[name])


@pytest.mark.parametrize("name", ["", "grazzi25.fig99", "../fig2"])
def test_unknown_names_are_refused(name, tmp_path):
    with pytest.raises(ValueError, match=r"^expected a figure among .*grazzi25\.fig2, grazzi25\.fig3, .*, got ") as error:
        figures.make(name, tmp_path / "untouched")
    assert "\n" not in str(error.value)
    assert not (tmp_path / "untouched").exists()


def test_figure_two_settles_or_alternates(tmp_path):
    table = rows("grazzi25.fig2", tmp_path)
    series = {a: [r for r in table if r["a"] == a] for a in ("3/2", "1", "1/2", "-1")}
    assert [float(r["state"]) for r in series["1"]] == list(range(13))
    assert [float(r["state"]) for r in series["-1"]] == [t % 2 for t in range(13)]
    assert [float(r["state"]) for r in series["1/2"]] == [2 - 2.0 ** (1 - t) for t in range(13)]
    assert float(series["3/2"][-1]["state"]) == 2 * (1.5**12 - 1)
    for a, one in series.items():
        cast = [float(r["cast_state"]) for r in one]
        period, start = int(one[0]["period"]), int(one[0]["periodic_from"])
        assert period == (2 if a == "-1" else 1)
        assert cast[start:-period] == cast[start + period :]
        # the start is the first one possible
        assert start == 0 or cast[start - 1] != cast[start - 1 + period]
        # after the start the parity can be read from the cast state of the last layer and of no other
        assert (set(cast[start::2]).isdisjoint(cast[start + 1 :: 2])) == (a == "-1")


def test_figure_three_is_a_product_of_swaps(tmp_path):
    matrices = {}
    for r in rows("grazzi25.fig3", tmp_path):
        matrices.setdefault(r["matrix"], np.zeros((3, 3)))[int(r["row"]) - 1, int(r["column"]) - 1] = float(r["entry"])
    first, second, both = matrices["H_2"], matrices["H_1"], matrices["H_1 H_2"]
    assert np.array_equal(second @ first, both)
    assert np.array_equal(both, as_float(permutation_matrix([1, 2, 0])))
    for v, matrix in (((0, 1, -1), first), ((1, -1, 0), second)):
        assert np.array_equal(matrix, np.eye(3) - np.outer(v, v))
        assert np.array_equal(matrix @ matrix, np.eye(3))
    assert not np.array_equal(both @ both, np.eye(3))
    assert np.array_equal(both @ both @ both, np.eye(3))


def test_drawing_leaves_the_callers_settings_alone():
    import matplotlib

    before = dict(matplotlib.rcParams)
    module = figures.load("grazzi25.fig3")
    module.draw(module.compute())
    assert dict(matplotlib.rcParams) == before


def write_idx(path, array):
    import struct

    data = b"\x00\x00\x08\x03" + struct.pack(">III", *array.shape) + array.astype(np.uint8).tobytes()
    path.write_bytes(data)


def test_figures_of_memory_from_other_images(tmp_path):
    write_idx(tmp_path / "train-images-idx3-ubyte", np.random.default_rng(0).integers(0, 256, (120, 4, 4)))
    *_, told = figures.make("orvieto24.fig8", tmp_path / "out", mnist=tmp_path)
    assert "'perfect with the roots of unity at N = L': error" in told.read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="expected a scale among smoke, quick, paper"):
        figures.make("orvieto24.fig8", tmp_path / "out", scale="huge")


def test_what_the_memory_figures_say_is_so():
    data = data_of("orvieto24.fig8")
    length = data.attrs["L"]
    assert float(data.error.sel(nodes="roots of unity", N=length)) < 1e-12
    assert float(data.error.sel(nodes="r_min = 0.999", N=length // 2)) > 0.1
    # 32 complex units hold 64 real numbers
    assert float(data.error.sel(nodes="r_min = 0.999, real decoder", N=length // 2)) < 1e-3
    conditions = data_of("orvieto24.fig2").log10_kappa.median("draw")
    assert conditions[-1, 1] < 2 < 5 < conditions[-1, 0]


def test_fewer_units_with_a_real_decoder():
    module = figures.load("orvieto24.fig10")
    data = data_of("orvieto24.fig10", "smoke")
    for r in module.R_MIN:
        real, complex_ = (module.needed(data, r, decoder) for decoder in ("real decoder", "pseudoinverse"))
        assert 16 <= real <= complex_
        # steps of which some come before the whole basis is seen
        assert [module.needed(data, r, d, "worst") for d in ("real decoder", "pseudoinverse")] == [real, complex_]
    assert (data.worst >= data.error).all()
    assert data.sizes["k"] > 15


def test_depth_pays_in_parameters():
    data = data_of("lizaire26.fig4")
    # n = 3, L = 2, p = 4: one layer of width 5 has 35 parameters, two layers of width 3 have 36
    assert data.parameters.sel(lag=4, depth=[1, 2]).values.tolist() == [35, 36]
    assert int(data.parameters.sel(lag=60).argmin("depth")) > 0
    assert data.lag_same_units.values[0] == 23


def test_stopped_measurements_go_on(tmp_path):
    keep, asked, reported = tmp_path / "new" / "points", [], []

    def measure(x, name):
        asked.append(x)
        if len(asked) == 3:
            raise KeyboardInterrupt
        return [x * x, len(name)]

    points = [(x, "ab") for x in range(5)]
    with pytest.raises(KeyboardInterrupt):
        measure_points(points, measure, keep)
    # the last line was cut off while it was written
    keep.write_text(keep.read_text(encoding="utf-8")[:-3], encoding="utf-8")
    assert measure_points(points, measure, keep, lambda *done: reported.append(done)) == [[x * x, 2] for x in range(5)]
    assert asked == [0, 1, 2, 1, 2, 3, 4]
    assert reported == [("points", done, 5) for done in range(1, 6)]


def test_the_best_copies_lie_between_the_bounds():
    data = data_of("lizaire26.fig6", "smoke")
    low, high = data.lower, data.copied
    assert bool((low <= data.best + 1e-9).all())
    assert bool((data.best <= high + 1e-9).all())
    enough = data.needed <= data.n
    assert float(data.best.where(enough).max()) < 1e-9
    # two units copy one channel two steps at length 4 as nearly as one likes, not exactly
    assert 0 < float(data.best.sel(n=2, depth=1)) < float(data.best.sel(n=1, depth=1))
    # and so do two layers of one unit: built, not found, with the error 10^-2 at once, so 10^-4 squared
    assert float(data.near.sel(n=1, depth=2)) == pytest.approx(1e-4)
    assert bool((data.best <= data.near).all())


def test_the_text_counts_the_copies_that_are_built():
    module = figures.load("lizaire26.fig6")
    data = data_of("lizaire26.fig6", "smoke")
    said = module.outcome(data)
    assert "of 3 smaller sizes 1 have too few units for an error below 1e-3 (a bound), 2 reach an error of 1e-04 or less" in said
    # a search that finds nothing is said to miss them, and a silent construction is not said to reach anything
    assert "stays above 1e-3 at 2 of these, up to 0.5" in module.outcome(data.assign(found=data.found * 0 + 0.5))
    assert "2 sizes are open" in module.outcome(data.assign(near=data.near * 0 + 0.5, found=data.found * 0 + 0.5))


def test_sizes_with_copies_but_for_one_response():
    module = figures.load("lizaire26.fig6")
    assert module.near_error(4, 2, 2, 4, 8) == pytest.approx(1e-8)
    assert module.near_error(2, 4, 2, 4, 8) == pytest.approx(1e-8)
    # five channels in layers of five units would need more than two real poles in one channel: four are copied
    assert module.near_error(5, 8, 5, 8, 16) == pytest.approx(0.1)
    # a step later the response 10^p shows
    assert module.near_error(4, 2, 2, 4, 9) > 1e6


def test_the_frontier_is_the_cheapest_network():
    data = data_of("new.depth.frontier")
    for (lag, d), cost in data.cheapest.stack(point=("lag", "channels")).to_pandas().items():
        assert cost == min(parameters(least_width(lag, depth, d), depth, d) for depth in range(1, lag + 1))


def test_gates_do_not_close_as_printed():
    module = figures.load("movahedi25.thmC1")
    data = data_of("movahedi25.thmC1")
    steps = data.run.diff("size")
    assert (steps.sel(b=3.0) > 0).all()
    assert abs(data.run.sel(b=module.BIASES[1]) - 1).max() < 1e-12
    assert (steps.sel(b=[5.5, 7.0]) < 0).all()
    assert (data.total.diff("size") < 0).all()
    assert (data.total > 2).all()
    assert float((abs(data.run_simulated - data.run) / data.run_error).max()) < 5


def test_bounded_ranks_do_not_settle():
    data = data_of("movahedi25.eq15")
    one = data.sel(pair="X_1,1")
    assert np.allclose(one.rms.sel(rank="N") ** 2, (1 + 2 / one.N) ** 3 - 1)
    assert np.allclose(one.rms.isel(N=-1).sel(rank=["1", "2", "4"]), [2**0.5, 1, 0.5**0.5], rtol=1e-4)
    assert np.allclose(data["mean"].sel(pair="X_1,111", rank=["1", "2", "4"]).isel(N=-1), [1, 0.5, 0.25], rtol=1e-4)
    assert float((abs(data.mean_simulated - data["mean"]) / data.mean_error).max()) < 5


def test_errors_stay_within_their_bounds():
    module = figures.load("orvieto24.thm2")
    data = data_of("orvieto24.thm2")
    assert (data.error <= data.bound * (1 + 1e-9)).all()
    assert (data.error.diff("budget") < 0).all()
    assert all(module.slope(data, name) < -0.5 for name in module.MAPS)


def test_the_side_of_the_saddle_is_the_linearisation_and_decides():
    from scipy.linalg import expm

    module = figures.load("orvieto24.fig13")
    rate, left = module.unstable(26.0)
    # the origin's flow with an input held over each step, in the plane of z_1 and z_2
    J = np.array([[-10.0, 10.0], [26.0, -1.0]])
    step = expm(J * module.DT)
    v, z = np.random.default_rng(0).standard_normal(40), np.array(module.LORENZ_START[:2])
    for value in v:
        z = step @ z + np.linalg.solve(J, (step - np.eye(2)) @ [0.0, value])
    assert left @ z == pytest.approx(np.exp(rate * module.DT * 40) * module.saddle_coordinate(v[None], 26.0, module.DT)[0])
    data = module.compute()
    assert "'by the butterfly effect': no" in module.outcome(data)
    # where outputs split at the chaotic parameter only, it says otherwise
    calm = data.assign(output=data.output.where(data.r == 26, 1.0))
    assert "'by the butterfly effect': yes, 100% go up at r = 12" in module.outcome(calm)
    assert "its linearisation is right for 0%" in module.outcome(data.assign(side=-data.side))


def test_the_unit_overstates_its_memory_and_its_gradient_stays():
    fold = data_of("degeeter26.fig3")
    assert bool((fold.fold < fold.feedback).all())
    switching = data_of("degeeter26.fig4")
    assert bool(((switching.state.diff("t") == 0) | switching.written.isel(t=slice(1, None))).all())
    gradient = data_of("degeeter26.fig7").gradient
    first, again = (gradient.sel(case=c) for c in gradient.case.values)
    assert bool((first == first.isel(T=0)).all())
    assert bool((again.isel(T=slice(1, None)) == 0).all())
    # the first write changes nothing: no gradient for the threshold
    assert bool((first.sel(of="threshold", start=1.0) == 0).all())
    assert bool((first.sel(of="candidate") > 0).all())
