"""Results that are streamed: those made in memory, with the same bytes whatever the pieces' order, and never more than a chunk at once."""

import json
import os
import sys

import numpy as np
import pytest
import xarray as xr
from hypothesis import given
from hypothesis import strategies as st
from lemmata import cli
from lemmata.gpu import results
from lemmata.gpu.grid import Grid, grid_of
from lemmata.gpu.results import chunk_shape
from lemmata.gpu.sweeps import collect, compute, places, sweep

pytest.importorskip("h5netcdf", reason="needs the extra 'stream'")

AXES = {"N": [4, 6], "rank": [1, 2], "words": ["1:1", ":12", "1:2"], "draw": range(20)}


def streamed(path, chunk, monkeypatch, **options):
    monkeypatch.setattr(results, "CHUNK", chunk)
    sweep("overlaps", AXES, path, **options).close()
    return path.read_bytes()


@pytest.mark.parametrize("chunk", [7, 45, 10**6])
def test_what_is_streamed_is_what_is_made_in_memory(chunk, tmp_path, monkeypatch):
    whole = sweep("overlaps", AXES, tmp_path / "folder")
    streamed(tmp_path / "file.nc", chunk, monkeypatch)
    with xr.open_dataset(tmp_path / "file.nc") as data:
        assert list(data.words.values) == AXES["words"]
        assert data.assign_coords(words=whole.words).equals(whole)
        assert data.attrs == whole.attrs
        for name in [*whole.data_vars, *whole.coords]:
            assert data[name].attrs == whole[name].attrs


def test_boxes_that_consecutive_cells_do_not_fill_would_be_noticed(tmp_path, monkeypatch):
    whole = sweep("overlaps", AXES, tmp_path / "folder")
    monkeypatch.setattr(results, "chunk_shape", lambda shape, most: (2, 1, 1, 20))
    streamed(tmp_path / "file.nc", 40, monkeypatch)
    with xr.open_dataset(tmp_path / "file.nc") as data:
        assert not np.array_equal(data.overlap, whole.overlap)


@given(st.lists(st.integers(1, 6), min_size=1, max_size=4), st.integers(1, 60))
def test_chunks_are_filled_by_consecutive_cells(shape, most):
    chunk = chunk_shape(shape, most)
    assert np.prod(chunk) <= most
    cells = np.arange(np.prod(shape)).reshape(shape)
    visited = [cells[box].ravel() for box in results._chunks(shape, chunk)]
    assert np.array_equal(np.concatenate(visited), np.arange(cells.size))
    # no other has more cells: one value more along the axis that is cut would be too many
    cut = max((k for k in range(len(shape)) if chunk[k] < shape[k]), default=None)
    assert cut is None or np.prod(chunk) // chunk[cut] * (chunk[cut] + 1) > most


def test_flags_and_shards_and_bytes(tmp_path):
    axes = {"r_min": [0.0, 0.9], "N": [6], "L": [8], "basis": ["all", "haar4"], "draw": range(20)}
    for part in (3, 1, 2):
        compute("conditioning", axes, tmp_path / "a.nc", shard=(part, 3))
    collect(tmp_path / "a.nc").close()
    # a killed process leaves what it had begun; the next one takes it away
    folder = places(tmp_path / "b.nc")[0]
    compute("conditioning", axes, tmp_path / "b.nc")
    (folder / ".b.nc.0-of-0.0123456789abcdef.part").write_bytes(b"half of it")
    with collect(tmp_path / "b.nc") as data:
        assert data.method.dtype == np.int8
        assert data.method.attrs["flag_meanings"].startswith("lagrange lapack")
    assert not list(folder.glob(".*.part"))
    assert (tmp_path / "a.nc").read_bytes() == (tmp_path / "b.nc").read_bytes()


def test_nothing_is_streamed_before_all_is_there(tmp_path):
    compute("overlaps", AXES, tmp_path / "a.nc", shard=(1, 2))
    with pytest.raises(ValueError, match=r"expected all 8 pieces, got 4 absent and 0 damaged ones in '.*a.nc.pieces'"):
        collect(tmp_path / "a.nc")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.nc.pieces"]


def test_a_thousand_million_cells_are_found_by_number():
    large = grid_of("overlaps", {"N": [8], "rank": [2], "words": ["1:1", ":"], "draw": range(500_000_000)}, 0, streamed=True)
    assert (large.cells, large.piece, large.pieces) == (10**9, 16384, 61036)
    assert large.size(large.pieces - 1) == 10**9 - 61035 * 16384
    assert large.cells_of(large.pieces - 1)[-1] == {"N": 8, "rank": 2, "words": ":", "draw": 499_999_999}
    assert Grid.from_json(large.to_json(), streamed=True) == large
    with pytest.raises(ValueError, match=r"at most 10,000,000 cells in one folder, .*--out FILE.nc takes up to 10,000,000,000"):
        Grid.from_json(large.to_json())
    with pytest.raises(ValueError, match=r"at most 10,000,000,000 cells in one file, got 20,000,000,000 .*; a cell does not"):
        grid_of("overlaps", {"N": range(1, 41), "rank": [2], "words": ["1:1"], "draw": range(500_000_000)}, 0, streamed=True)
    with pytest.raises(ValueError, match="whole numbers draw >= 0, at most 2147483647, got 2999999999"):
        grid_of("overlaps", {"N": [8], "rank": [2], "words": ["1:1"], "draw": range(3_000_000_000)}, 0, streamed=True)


def test_the_command_line(tmp_path, monkeypatch, capsys):
    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["lemmata", "sweep", *arguments])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        return stop.value.code or 0, *capsys.readouterr()

    grid = ["overlaps", "-N", "8", "--rank", "2", "--words", "1:1", "--draws", "40", "--device", "cpu", "--json"]
    file = str(tmp_path / "x.nc")
    code, whole, _ = run(*grid, "--out", file)
    assert (code, json.loads(whole)["results"]) == (0, file)
    os.remove(file)
    assert run("collect", file, "--json") == (0, whole, "")
    # too many to be summed up
    monkeypatch.setattr("lemmata.gpu.grid.MOST", 39)
    assert json.loads(run("collect", file, "--json")[1]) == {"results": file}
    monkeypatch.setattr(results, "find_spec", lambda name: None)
    code, _, err = run(*grid, "--out", str(tmp_path / "y.nc"))
    assert (code, err.count("\n"), "expected h5netcdf and h5py to write netCDF 4 (extra stream)" in err) == (2, 1, True)
    assert not (tmp_path / "y.nc.pieces").exists()


@pytest.mark.skipif(os.name != "posix", reason="limits of POSIX")
@pytest.mark.parametrize("room", [100, 12_000])
def test_a_full_disk_is_one_line_and_loses_nothing(room, tmp_path, monkeypatch):
    import resource

    whole = streamed(tmp_path / "whole.nc", 40, monkeypatch)
    compute("overlaps", AXES, tmp_path / "a.nc")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        with pytest.raises(OSError, match="File too large; finished pieces are stored, and the same command resumes") as caught:
            collect(tmp_path / "a.nc")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert caught.value.filename == str(tmp_path / "a.nc")
    assert not list(places(tmp_path / "a.nc")[0].glob(".*.part"))
    assert not (tmp_path / "a.nc").exists()
    collect(tmp_path / "a.nc").close()
    assert (tmp_path / "a.nc").read_bytes() == whole
