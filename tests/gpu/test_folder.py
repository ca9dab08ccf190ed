"""The folder of a sweep: damage is noticed and mended, sweeps are not mixed, nothing is lost."""

import errno
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from lemmata.gpu import devices
from lemmata.gpu.folder import Folder
from lemmata.gpu.sweeps import collect, compute, sweep

AXES = {"N": [4, 6], "rank": [1, 2], "words": ["1:1", ":12"], "draw": range(20)}
PIECES = 5


@pytest.fixture
def done(tmp_path):
    """A folder with a sweep, and the bytes of its results."""
    sweep("overlaps", AXES, tmp_path)
    return tmp_path, (tmp_path / "results.nc").read_bytes()


def flip(content):
    return content[:200] + bytes([content[200] ^ 1]) + content[201:]


def with_rows(change):
    def damage(path):
        rows = change(np.load(path))
        np.save(path, rows)

    return damage


DAMAGE = {
    "a flipped bit": lambda path: path.write_bytes(flip(path.read_bytes())),
    "cut short": lambda path: path.write_bytes(path.read_bytes()[:-100]),
    "empty": lambda path: path.write_bytes(b""),
    "NaN": with_rows(lambda rows: rows * np.nan),
    "float32": with_rows(lambda rows: rows.astype(np.float32)),
    "a row less": with_rows(lambda rows: rows[:-1]),
    "another piece": lambda path: path.write_bytes((path.parent / "piece-000001.npy").read_bytes()),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_is_noticed_and_mended(damage, done):
    folder, results = done
    DAMAGE[damage](folder / "piece-000003.npy")
    with pytest.raises(ValueError, match=r"expected all 5 pieces, got 0 absent and 1 damaged ones in .*, such as piece-000003.npy"):
        collect(folder)
    said = []
    sweep("overlaps", AXES, folder, tell=said.append)
    assert said == ["1 of 5 pieces are not as they were written, such as piece-000003.npy: computed again"]
    assert (folder / "results.nc").read_bytes() == results


def test_pieces_of_another_sweep_are_noticed(done, tmp_path):
    folder, results = done
    sweep("overlaps", AXES, tmp_path / "other", seed=1)
    (folder / "piece-000000.npy").write_bytes((tmp_path / "other" / "piece-000000.npy").read_bytes())
    sweep("overlaps", AXES, folder)
    assert (folder / "results.nc").read_bytes() == results


def test_sweeps_are_not_mixed(done, monkeypatch):
    folder, results = done
    for seed, axes, message in [
        (1, AXES, "another sweep in .*: seed 0 there, 1 requested"),
        (0, AXES | {"N": [4]}, "another sweep in .*: axes"),
    ]:
        with pytest.raises(ValueError, match=message):
            sweep("overlaps", axes, folder, seed)
    there = json.loads((folder / "sweep.json").read_text())["made with"]
    assert there["numpy"] == np.__version__
    assert {"code", "blas", "processor", "device"} < set(there)
    monkeypatch.setattr("lemmata.gpu.sweeps.made_with", lambda device: there | {"blas": "openblas 0 Other"})
    with pytest.raises(ValueError, match=re.escape(f"got blas {there['blas']!r} there, 'openblas 0 Other' here; finish it there")):
        sweep("overlaps", AXES, folder)
    # what was computed elsewhere may be collected anywhere
    collect(folder)
    assert (folder / "results.nc").read_bytes() == results


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"kind": "overlaps"}', '{"format": 2}', '{"format": 2, "kind": "overlaps", "axes": {}}'])
def test_a_spoilt_description_is_refused(text, done):
    (done[0] / "sweep.json").write_text(text)
    with pytest.raises(ValueError, match=r"expected .*sweep"):
        sweep("overlaps", AXES, done[0])
    with pytest.raises(ValueError, match=r"expected .*sweep"):
        collect(done[0])


def test_a_folder_without_a_sweep(tmp_path):
    with pytest.raises(ValueError, match=r"expected the folder of a sweep, got .* without sweep.json"):
        collect(tmp_path)


def test_a_second_process_is_refused_and_a_dead_one_forgotten(tmp_path):
    def second(stage, done, total):
        if done == total:
            with pytest.raises(ValueError, match=rf"where process {os.getpid()} on .* is at it; wait for it, or take --shard i/n"):
                sweep("overlaps", AXES, tmp_path)
            # another sweep is refused for what it is
            with pytest.raises(ValueError, match="another sweep"):
                sweep("overlaps", AXES, tmp_path, seed=1)

    sweep("overlaps", AXES, tmp_path, progress=second)
    # as a killed process leaves it
    (tmp_path / ".1-of-1.holder").write_text("process 1 on elsewhere")
    (tmp_path / ".piece-000001.npy.1-of-1.0123456789abcdef.part").write_bytes(b"half")
    (tmp_path / ".piece-000001.npy.1-of-2.0123456789abcdef.part").write_bytes(b"half, of a shard that may be at work")
    sweep("overlaps", AXES, tmp_path)
    assert [p.name for p in tmp_path.glob(".*.part")] == [".piece-000001.npy.1-of-2.0123456789abcdef.part"]
    assert not (tmp_path / ".1-of-1.holder").exists()


def test_a_full_disk_is_one_line_and_loses_nothing(tmp_path, monkeypatch):
    whole, write = Path.write_bytes, []

    def full(path, content):
        write.append(path)
        if len(write) > 3:
            whole(path, content[: len(content) // 2])
            raise OSError(errno.ENOSPC, "No space left on device")
        return whole(path, content)

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space left on device; finished pieces are stored, and the same command resumes") as caught:
        sweep("overlaps", AXES, tmp_path)
    assert caught.value.filename == str(tmp_path / "piece-000002.npy")
    monkeypatch.undo()
    assert [p.name for p in sorted(tmp_path.glob("*.npy"))] == ["piece-000000.npy", "piece-000001.npy"]
    assert not list(tmp_path.glob(".*.part"))
    sweep("overlaps", AXES, tmp_path)


def test_the_digest_depends_on_what_the_pieces_are_for(tmp_path):
    rows = np.zeros((3, 2))
    Folder(tmp_path, {"seed": 0}).write_piece(4, rows, (1, 1))
    assert np.array_equal(Folder(tmp_path, {"seed": 0}).read(4, (3, 2)), rows)
    assert np.array_equal(np.load(tmp_path / "piece-000004.npy"), rows)
    assert Folder(tmp_path, {"seed": 0}).read(5, (3, 2)) is None
    with pytest.raises(ValueError, match="not as it was written"):
        Folder(tmp_path, {"seed": 1}).read(4, (3, 2))
    with pytest.raises(ValueError, match="another shape"):
        Folder(tmp_path, {"seed": 0}).read(4, (2, 2))


def test_the_code_that_decides_the_numbers_is_named():
    root = Path(devices.__file__).parents[1]
    assert all((root / file).is_file() for file in devices.CODE)


KILLED = """
import os, signal
from lemmata import cli
from lemmata.gpu import folder
whole = folder.Folder.write_piece
def write_piece(self, index, rows, shard):
    if index == 2:
        (self.path / f".{self.name(index)}.1-of-1.00.part").write_bytes(b"half of it")
        os.kill(os.getpid(), signal.SIGKILL)
    whole(self, index, rows, shard)
folder.Folder.write_piece = write_piece
cli.main()
"""


@pytest.mark.skipif(os.name != "posix", reason="kills a process")
def test_a_killed_command_goes_on(tmp_path):
    grid = ["-N", "4", "-N", "6", "--rank", "1", "--rank", "2", "--words", "1:1", "--words", ":12", "--draws", "20", "--device", "cpu"]
    killed = subprocess.run([sys.executable, "-c", KILLED, "sweep", "overlaps", *grid, "--out", str(tmp_path / "a")], capture_output=True)
    assert killed.returncode == -9
    assert [p.name for p in sorted((tmp_path / "a").glob("*.npy"))] == ["piece-000000.npy", "piece-000001.npy"]
    sweep("overlaps", AXES, tmp_path / "b")
    compute("overlaps", AXES, tmp_path / "a")
    collect(tmp_path / "a")
    assert (tmp_path / "a" / "results.nc").read_bytes() == (tmp_path / "b" / "results.nc").read_bytes()
    assert not list((tmp_path / "a").glob(".*.part"))
