"""The script that waits for a GPU runs in small without one, and says in a line what is missing."""

import importlib.util
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from lemmata.gpu.devices import why_no_cuda

pytest.importorskip("torch", reason="needs the extra 'torch'")

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "on_device.py"


@pytest.fixture
def script(monkeypatch):
    monkeypatch.syspath_prepend(str(SCRIPT.parent))
    spec = importlib.util.spec_from_file_location("on_device", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # dataclasses look their module up
    monkeypatch.setitem(sys.modules, "on_device", module)
    spec.loader.exec_module(module)
    return module


@pytest.mark.filterwarnings("ignore:Triton is not supported")
def test_sweeps_and_networks_are_rehearsed(script):
    rows = script.sweeps(script.REHEARSAL)
    assert [(row["kind"], row["on"].endswith("(torch)")) for row in rows] == [
        (kind, torch) for kind in ("conditioning", "conditioning", "reconstruction") for torch in (False, True)
    ]
    assert all(row["apart"] < 1e-9 for row in rows if "apart" in row)
    rows = script.networks(replace(script.REHEARSAL, length=20))
    assert {(row["dtype"], row["path"]) for row in rows} == {
        (d, p) for d in ("float64", "float32", "float16", "bfloat16") for p in ("loop", "scan")
    }
    assert all(row["right up to"] == 20 for row in rows)


def test_a_broken_guarantee_is_noticed(script):
    script.require_kept(20, 100.0, 20)
    script.require_kept(3, None, 20)
    for promised in (4, float("inf")):
        with pytest.raises(AssertionError, match="got one that is up to 3"):
            script.require_kept(3, promised, 20)


def test_a_part_that_fails_stops_no_other(script, monkeypatch, tmp_path, capsys):
    def broken(scale):
        raise ArithmeticError("wrong")

    for part in ("tests", "networks", "kernel"):
        monkeypatch.setattr(script, part, lambda scale: "done")
        getattr(script, part).__name__ = part
    monkeypatch.setattr(script, "sweeps", broken)
    broken.__name__ = "sweeps"
    monkeypatch.setattr(sys, "argv", ["on_device.py", "--cpu", "--out", str(tmp_path / "x.json")])
    monkeypatch.setenv("TRITON_INTERPRET", "1")
    with pytest.raises(SystemExit, match="failed: sweeps"):
        script.main()
    text = (tmp_path / "x.json").read_text()
    assert "ArithmeticError: wrong" in text
    assert '"kernel": "done"' in text


@pytest.mark.skipif(why_no_cuda() is None, reason="CUDA is there")
def test_no_device_is_one_line(script, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["on_device.py"])
    with pytest.raises(SystemExit, match=r"^expected a CUDA device for CuPy and torch, got none: .*; --cpu rehearses all of it in small$"):
        script.main()
