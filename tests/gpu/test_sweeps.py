"""Sweeps: resumed runs end with the same bytes, and cells do not depend on the grid around them."""

import json
import sys

import numpy as np
import pytest
import xarray as xr
from lemmata import cli
from lemmata.constructions.signature import overlap_moment
from lemmata.gpu import grid
from lemmata.gpu.devices import CPU, choose, why_no_cuda
from lemmata.gpu.grid import Grid, grid_of
from lemmata.gpu.sweeps import sweep

AXES = {"r_min": [0.0, 0.9], "N": [6, 12], "L": [6], "draw": range(20)}
OVERLAPS = {"N": [6, 12], "rank": [2, 5], "words": ["1:1", ":12"], "draw": range(20)}


@pytest.mark.parametrize(("kind", "axes"), [("conditioning", AXES), ("reconstruction", AXES), ("overlaps", OVERLAPS)])
def test_a_resumed_sweep_ends_with_the_same_bytes(kind, axes, tmp_path):
    whole = sweep(kind, axes, tmp_path / "whole")

    class Killed(Exception):
        pass

    def kill(stage, done, total):
        if done > total // 2:
            raise Killed

    with pytest.raises(Killed):
        sweep(kind, axes, tmp_path / "killed", progress=kill)
    assert not (tmp_path / "killed" / "results.nc").exists()
    kept = sorted((tmp_path / "killed").glob("piece-*.npy"))
    assert kept
    stamps = [p.stat().st_mtime_ns for p in kept]
    again = sweep(kind, axes, tmp_path / "killed")
    assert [p.stat().st_mtime_ns for p in kept] == stamps
    assert again.identical(whole)
    assert (tmp_path / "killed" / "results.nc").read_bytes() == (tmp_path / "whole" / "results.nc").read_bytes()
    assert xr.load_dataset(tmp_path / "whole" / "results.nc").equals(whole)


def test_cells_do_not_depend_on_the_grid_or_the_batch(tmp_path, monkeypatch):
    whole = sweep("conditioning", AXES, tmp_path / "whole")
    part = sweep("conditioning", AXES | {"r_min": [0.9], "draw": range(5, 15)}, tmp_path / "part")
    assert np.array_equal(whole.log10_kappa.sel(r_min=[0.9], draw=list(range(5, 15))), part.log10_kappa)
    monkeypatch.setattr(grid, "BATCH_BYTES", 1)
    monkeypatch.setattr(grid, "PIECE", 7)
    assert sweep("conditioning", AXES, tmp_path / "small").identical(whole)
    sparse = AXES | {"L": [8], "basis": ["all", "haar4"]}
    one_by_one = sweep("reconstruction", sparse, tmp_path / "one by one")
    monkeypatch.undo()
    assert sweep("reconstruction", sparse, tmp_path / "batches").identical(one_by_one)
    other = sweep("conditioning", AXES, tmp_path / "other", seed=1)
    assert not np.isclose(other.log10_kappa, whole.log10_kappa).any()


def test_overlaps_do_not_depend_on_the_batch_and_meet_their_means(tmp_path, monkeypatch):
    whole = sweep("overlaps", {"N": [8], "rank": [3], "words": ["1:1", "12:12", "1:111"], "draw": range(2000)}, tmp_path / "whole")
    monkeypatch.setattr(grid, "BATCH_BYTES", 1)
    part = sweep("overlaps", {"N": [8], "rank": [3], "words": ["12:12"], "draw": range(100, 140)}, tmp_path / "part")
    assert np.allclose(part.overlap.values, whole.overlap.sel(words=[b"12:12"], draw=range(100, 140)).values, rtol=1e-12)
    for words, (I, J) in (("1:1", ((1,), (1,))), ("12:12", ((1, 2), (1, 2))), ("1:111", ((1,), (1, 1, 1)))):
        draws = whole.overlap.sel(words=words.encode()).values.ravel()
        spread = float(overlap_moment(I, J, 2).at(8, 3) - overlap_moment(I, J).at(8, 3) ** 2) ** 0.5
        assert abs(draws.mean() - float(overlap_moment(I, J).at(8, 3))) < 5 * spread / len(draws) ** 0.5
        assert np.allclose(whole.squared_error.sel(words=words.encode()).values.ravel(), (draws - (I == J)) ** 2)


def test_data_are_labelled(tmp_path):
    data = sweep("conditioning", AXES, tmp_path)
    assert data.log10_kappa.dims == ("r_min", "r_max", "N", "L", "basis", "draw")
    for variable in [*data.data_vars.values(), *data.coords.values()]:
        assert variable.attrs["long_name"]
        assert variable.attrs["units"]
    # better on the circle than in the disc, on average
    assert data.log10_kappa.sel(r_min=0.9, N=12).mean() < data.log10_kappa.sel(r_min=0.0, N=12).mean()


def test_sparse_inputs(tmp_path):
    axes = {"r_min": [0.9], "N": [8, 16], "L": [16], "basis": ["haar4", "haar8", "all"], "draw": range(6)}
    data = sweep("reconstruction", axes, tmp_path / "r").median("draw").error.squeeze(("r_min", "r_max", "L"))
    # 8 complex units tell 16 real inputs, and 8 wavelets all the better
    assert (data.sel(N=8) < 1e-6).all()
    found = sweep("conditioning", axes | {"N": [16]}, tmp_path / "c").median("draw").log10_kappa.values.ravel()
    assert found[0] < found[1] < found[2]
    assert list(xr.load_dataset(tmp_path / "c" / "results.nc").basis.values) == [b"haar4", b"haar8", b"all"]


@pytest.mark.parametrize(
    ("kind", "axes", "message"),
    [
        (
            "conditioning",
            AXES | {"draw": range(10**9)},
            r"at most 10,000,000 cells in one folder, got 4,000,000,000 \(about 128.0 GB of results\)",
        ),
        ("conditioning", AXES | {"N": [10**6], "L": [10**6]}, "cells that fit in .* of memory, got one of about 128,000 GB"),
        ("conditioning", AXES | {"N": [2**31]}, "whole numbers N >= 1, at most 2147483647"),
        ("conditioning", AXES | {"N": [True]}, "whole numbers N >= 1"),
        ("conditioning", AXES | {"N": [6, 6]}, "different values of N, got 6 twice"),
        ("conditioning", AXES | {"draw": [-1]}, "whole numbers draw >= 0"),
        ("conditioning", AXES | {"rank": [2]}, "axes among .* for conditioning, got rank"),
        ("conditioning", AXES | {"r_max": [float("inf")]}, "finite numbers r_max, got inf"),
        ("reconstruction", AXES | {"r_max": [10.0], "L": [301]}, "r_max.L below 1e300"),
        ("overlaps", OVERLAPS | {"words": [3]}, "two words of the letters 1 to 9"),
        ("speed", AXES, "a sweep among conditioning, reconstruction, overlaps"),
        ("overlaps", OVERLAPS | {"rank": [0]}, "whole numbers rank >= 1"),
        ("overlaps", OVERLAPS | {"words": ["1,2"]}, "two words of the letters 1 to 9 such as 12:12, got '1,2'"),
        ("conditioning", AXES | {"N": []}, "at least one value of N"),
        ("conditioning", AXES | {"L": [0]}, "whole numbers L >= 1"),
        ("conditioning", AXES | {"r_min": [1.5]}, "r_min <= r_max"),
        ("conditioning", AXES | {"basis": ["haar2"]}, "L a power of two, got 'haar2' for N = 6, L = 6"),
        ("conditioning", AXES | {"L": [8], "basis": ["haar7"]}, "P <= N"),
        ("conditioning", AXES | {"basis": ["sine"]}, "a basis all or haarP"),
    ],
)
def test_bad_sweeps(kind, axes, message, tmp_path):
    with pytest.raises(ValueError, match=message):
        sweep(kind, axes, tmp_path / "new")
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("seed", [-1, 2**31, 0.5, True, "one"])
def test_bad_seeds(seed, tmp_path):
    with pytest.raises(ValueError, match="a seed from 0 to 2147483647"):
        sweep("conditioning", AXES, tmp_path / "new", seed)
    assert not (tmp_path / "new").exists()


def test_long_words_stay_whole(tmp_path):
    words = "121212121212:121212121212"
    assert sweep("overlaps", {"N": [4], "rank": [1], "words": [words], "draw": [0]}, tmp_path).words.values == [words.encode()]
    assert xr.load_dataset(tmp_path / "results.nc").words.values == [words.encode()]


def test_what_overflows_is_infinite_by_svd_alone(tmp_path):
    data = sweep("conditioning", {"r_min": [3.0], "r_max": [3.0], "N": [2], "L": [1000], "draw": [0, 1]}, tmp_path)
    assert np.isfinite(data.log10_kappa).all()
    assert np.isinf(data.log10_kappa_lapack).all()


def test_a_million_cells_make_thousands_of_files():
    large = grid_of("overlaps", {"N": [8], "rank": [2], "words": ["1:1", ":"], "draw": range(500_000)}, 0)
    assert (large.cells, large.piece, large.pieces) == (10**6, 245, 4082)
    assert sum(large.size(i) for i in range(large.pieces)) == large.cells
    assert len(json.dumps(large.to_json())) < 1000
    (cell,) = large.cells_of(large.pieces - 1)[-1:]
    assert cell == {"N": 8, "rank": 2, "words": ":", "draw": 499_999}
    assert Grid.from_json(large.to_json()) == large


def test_a_folder_keeps_one_sweep(tmp_path):
    sweep("conditioning", AXES, tmp_path)
    with pytest.raises(ValueError, match="another sweep"):
        sweep("conditioning", AXES, tmp_path, seed=1)


def test_devices():
    assert choose("cpu") is CPU
    with pytest.raises(ValueError, match="expected a device among"):
        choose("tpu")
    if why_no_cuda():
        assert choose("auto").name == "cpu"
        with pytest.raises(ValueError, match="expected a CUDA device, got none"):
            choose("cuda")


@pytest.mark.skipif(why_no_cuda() is not None, reason=f"needs CUDA: {why_no_cuda()}")
def test_the_gpu_gives_the_same(tmp_path):
    there = sweep("conditioning", AXES, tmp_path / "cuda", device=choose("cuda"))
    assert np.allclose(there.log10_kappa, sweep("conditioning", AXES, tmp_path / "cpu").log10_kappa, rtol=1e-12, atol=1e-12)
    there = sweep("reconstruction", AXES, tmp_path / "reconstruction-cuda", device=choose("cuda"))
    assert np.allclose(there.error, sweep("reconstruction", AXES, tmp_path / "reconstruction-cpu").error, rtol=0, atol=1e-8)
    there = sweep("overlaps", OVERLAPS, tmp_path / "overlaps-cuda", device=choose("cuda"))
    assert np.allclose(there.overlap, sweep("overlaps", OVERLAPS, tmp_path / "overlaps-cpu").overlap, rtol=1e-10, atol=1e-10)


def test_the_command_line(tmp_path, monkeypatch, capsys):
    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["lemmata", "sweep", *arguments, "--device", "cpu"])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        return stop.value.code or 0, *capsys.readouterr()

    grid = ["-N", "8", "-N", "16", "--rank", "2", "--words", "1:1", "--words", "1:111", "--draws", "50"]
    code, out, _ = run("overlaps", *grid, "--out", str(tmp_path / "a"), "--json")
    assert code == 0
    rows = json.loads(out)["means"]
    assert [(row["N"], row["words"]) for row in rows] == [(8, "1:1"), (8, "1:111"), (16, "1:1"), (16, "1:111")]
    data = xr.load_dataset(tmp_path / "a" / "results.nc")
    for row in rows:
        draws = data.overlap.sel(N=row["N"], rank=2, words=row["words"].encode())
        assert row["overlap"] == pytest.approx(float(draws.mean()))
    code, out, _ = run("conditioning", "--r-min", "0.5", "-N", "6", "-L", "4", "--draws", "5", "--out", str(tmp_path / "b"))
    assert code == 0
    assert "medians of 5 draws" in out
    # split over folders
    assert run("overlaps", *grid[:-2], "--first-draw", "30", "--draws", "20", "--out", str(tmp_path / "late"))[0] == 0
    late = xr.load_dataset(tmp_path / "late" / "results.nc")
    assert np.array_equal(late.overlap, data.overlap.sel(draw=late.draw))
    assert list(late.draw) == list(range(30, 50))
    code, _, err = run("overlaps", "-N", "8", "--out", str(tmp_path / "c"))
    assert (code, "expected at least one value of rank, got none" in err) == (2, True)
    code, _, err = run("conditioning", "--r-min", "0", "-N", "6", "-L", "4", "--draws", "1000000000", "--out", str(tmp_path / "d"))
    assert (code, err.count("\n"), "at most 10,000,000 cells in one folder, got 1,000,000,000" in err) == (2, 1, True)
    code, _, err = run("conditioning", "--r-min", "0", "-N", "6", "-L", "4", "--rank", "2", "--out", str(tmp_path / "e"))
    assert (code, "for conditioning, got rank" in err) == (2, True)
    code, _, err = run("overlaps", *grid)
    assert (code, "expected a folder or file for the results: --out DIR, or --out FILE.nc" in err) == (2, True)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a", "b", "late"]


def test_shards_on_the_command_line(tmp_path, monkeypatch, capsys):
    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["lemmata", "sweep", *arguments])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        return stop.value.code or 0, *capsys.readouterr()

    grid = ["overlaps", "-N", "8", "--rank", "2", "--words", "1:1", "--words", "1:111", "--draws", "50", "--device", "cpu"]
    shards = str(tmp_path / "shards")
    assert run(*grid, "--out", shards, "--shard", "2/3")[::2] == (
        0,
        f"on CPU (NumPy)\nshard 2/3 is done; when all are: lemmata sweep collect {shards}\n",
    )
    code, out, err = run("collect", shards)
    assert (code, out, "expected all 4 pieces, got 3 absent and 0 damaged ones" in err) == (2, "", True)
    assert run(*grid, "--out", shards, "--shard", "3/3", "--json") == (0, "", "")
    assert run(*grid, "--out", shards, "--shard", "1/3")[0] == 0
    code, collected, _ = run("collect", shards, "--json")
    assert code == 0
    code, whole, _ = run(*grid, "--out", str(tmp_path / "whole"), "--json")
    assert json.loads(whole)["means"] == json.loads(collected)["means"]
    assert (tmp_path / "shards" / "results.nc").read_bytes() == (tmp_path / "whole" / "results.nc").read_bytes()
    for wrong in ("0/3", "4/3", "1", "a/b", "1/0", "-1/3"):
        code, _, err = run(*grid, "--out", shards, f"--shard={wrong}")
        assert (code, "expected --shard I/N with 1 <= I <= N, such as 3/16" in err) == (2, True)
    assert "expected lemmata sweep collect OUT" in run("collect")[2]
    assert "expected the folder of a sweep" in run("collect", str(tmp_path))[2]
