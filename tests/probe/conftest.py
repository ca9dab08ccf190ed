"""The command chooses Triton's interpreter for its process; tests share theirs with others."""

import pytest


@pytest.fixture(autouse=True)
def _interpreter_as_before(monkeypatch):
    # set first, so that the end puts back that it was absent
    monkeypatch.setenv("TRITON_INTERPRET", "1")
    monkeypatch.delenv("TRITON_INTERPRET")
