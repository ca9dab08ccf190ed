"""One deterministic Hypothesis profile for everyone: the same examples on every machine. Which tests are float tests. Commands run in this process."""

import gc
import os
import re
import sys
from functools import cache
from pathlib import Path

import pytest
from flint import ctx
from hypothesis import HealthCheck, settings

# evidence that tests look at: that of tests/theorems/test_claims.py, which runs every check anyway
os.environ.setdefault("LEMMATA_EVIDENCE", "quick")

from lemmata import cli

settings.register_profile("fixed", derandomize=True, deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("fixed")

#: the rooms that compute with floats
ROOMS = ("constructions", "experiments", "gpu", "kernels", "numerics", "test_figures.py")
#: what a module that compares floats cannot do without: a tolerance, or torch, or the word
FLOATS = re.compile(r"approx\(|allclose|isclose|assert_close|[0-9]e-[0-9]|torch|float")


def pytest_configure(config):
    config.addinivalue_line("markers", "floats: what make test-kernels runs under every kernel; given by tests/conftest.py, never by hand")
    config.addinivalue_line("markers", "exact: in a module with floats, a test that compares none")


#: fixtures that start another program or build the whole site, which takes longer than what is tested with it
PROGRAMS = {"chromium", "flash", "atlas"}


def pytest_collection_modifyitems(items):
    # the checks come first: they store the evidence that others read
    items.sort(key=lambda item: not item.name.startswith("test_verdict_and_words_are_the_pinned_ones"))
    for item in items:
        if PROGRAMS & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.programs)
        if is_float_test(item.path) and item.get_closest_marker("exact") is None:
            item.add_marker(pytest.mark.floats)


def pytest_collection_finish():
    """What is loaded by now stays: the collector of garbage need not look at it after every few tests."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)


@cache
def is_float_test(path: Path) -> bool:
    """Whether a module of tests is in a room that computes with floats, and mentions one."""
    room = path.relative_to(Path(__file__).parent).parts[0] if path.is_relative_to(Path(__file__).parent) else ""
    return room in ROOMS and FLOATS.search(path.read_text(encoding="utf-8")) is not None


@pytest.fixture(autouse=True)
def flint_precision():
    """A test leaves FLINT's precision as it was: a higher one would make every later ball slow."""
    before = ctx.prec
    yield
    left, ctx.prec = ctx.prec, before
    assert left == before, f"expected FLINT's precision to stay at {before} bits, got {left}"


@pytest.fixture
def run(capsys, monkeypatch):
    """Run ``lemmata ...`` in this process: (exit code, standard output, standard error)."""

    def go(*arguments):
        monkeypatch.setattr(sys, "argv", ["lemmata", *arguments])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        captured = capsys.readouterr()
        return stop.value.code or 0, captured.out, captured.err

    return go
