"""Stored networks in chunks of the WY form, at seven lengths: what benchmarks/chunk_words.py and chunk_kernels.py kept, and a few words anew."""

import importlib
import json
from pathlib import Path

import pytest
import torch
from lemmata.cli import verified

from .test_verified import needs_program

FOLDER = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def benchmark(monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)
    return importlib.import_module("chunk_words")


def kept(name):
    return json.loads((FOLDER / "results" / f"{name}.json").read_text(encoding="utf-8"))["rows"]


def test_what_is_accepted_was_equal(benchmark):
    rows = kept("chunk_words")
    assert [(r["network"], r["dtype"]) for r in rows] == [(name, dtype) for name in benchmark.VARIANTS for dtype in benchmark.STORED]
    refused = {"turns of five", "parity beside powers of 2"}
    assert {r["network"] for r in rows if not r["accepted"]} == refused
    for r in rows:
        assert list(r["equal"]) == [str(size) for size in benchmark.CHUNKS]
        assert not r["accepted"] or (all(r["equal"].values()) and r["letters"] == 100_000)
    # the control rounds at every length, and powers of 2 overflow in the longest chunk of float16
    assert not any(any(r["equal"].values()) for r in rows if r["network"] == "turns of five")
    assert [(r["dtype"], size) for r in rows[-3:] for size, equal in r["equal"].items() if not equal] == [("float16", "128")]
    for r in kept("chunk_kernels"):
        assert r["accepted"] == (r["network"] not in refused)
        assert (r["equals exact"], r["equals ours"]) == ((False, False) if r["network"] == "turns of five" else (True, True))


@needs_program
def test_a_few_words_anew(benchmark, monkeypatch):
    program = verified.require_program()
    for name in ("S₅, unit keys and β = 2", "(a|b)*abb, three layers"):
        row = benchmark.compared(name, "bfloat16", program, 2, 20)
        assert (row["accepted"], set(row["equal"].values())) == (True, {True})
    # an inverse that ignores what blocks do to each other
    monkeypatch.setattr(benchmark, "inverse", lambda A, stored, depth=0: torch.eye(A.shape[-1]) - A)
    with pytest.raises(ArithmeticError, match="expected no difference from exact arithmetic"):
        benchmark.compared("S₅", "bfloat16", program, 1, 20)
    with pytest.raises(ArithmeticError, match="expected a verdict"):
        benchmark.accepted(Path("/bin/false"), benchmark.stored_variant("parity", "bfloat16"), "bfloat16")
