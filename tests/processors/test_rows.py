"""What make test-kernels runs in its rows."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

#: tests that once failed under another kernel than ours
ONCE_FAILED = ("tests/experiments/test_movahedi25.py::test_what_is_solved_token_after_token_is_where_passes_settle_with_its_gradients",)


@pytest.fixture(scope="module")
def rows():
    spec = spec_from_file_location("processors", Path(__file__).with_name("__main__.py"))
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["processors"] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_what_one_kernel_decides_exists(rows):
    for name in rows.ONE_KERNEL:
        path, _, test = name.partition("::")
        assert (ROOT / path).exists()
        assert not test or f"def {test}(" in (ROOT / path).read_text(encoding="utf-8")


def test_what_once_failed_runs_in_every_row(rows):
    for name in ONCE_FAILED:
        path, _, test = name.partition("::")
        assert f"def {test}(" in (ROOT / path).read_text(encoding="utf-8")
        assert not name.startswith(tuple(rows.ONE_KERNEL))


def test_a_row_is_whole_and_one_has_two_threads(rows):
    settings = rows.settings()
    assert [s.name.split(",")[0] for s in settings if s.everything] == ["Prescott"]
    assert [s.threads for s in settings] == [1] * (len(settings) - 1) + [2]
    assert settings[-1].environment["OPENBLAS_NUM_THREADS"] == "2"
