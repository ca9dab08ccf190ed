"""Faults: exact vectors name the right feature for a share of them, the right kernel has none, and the table is the one that was recorded."""

from __future__ import annotations

import json

import numpy as np
import pytest
from chunked import kernel
from lemmata.kernels import VECTORS, check, vector
from lemmata.kernels.chunked import Chunked
from lemmata.kernels.faults import FAULTS
from lemmata.kernels.finding import PAGE, RESULTS, SUITES, by_suites, drawn, fingerprint, in_float64, named, page, shortened
from lemmata.kernels.writing import save

SAID = json.loads(RESULTS.read_text(encoding="utf-8"))["rows"]

#: a share of the vectors: one feature after the other, of the two rules with most faults
FEATURES = {
    "gated-delta": ("packed sequences", "scale", "initial state"),
    "delta": ("swap", "negative eigenvalue"),
}

#: faults that these show
SHARE = [name for name, found in FAULTS.items() if found.exact and set(found.names) <= set(FEATURES.get(found.rule, ()))]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("faults")
    for rule, features in FEATURES.items():
        for feature in features:
            save(shortened(vector(rule, feature)), path)
    return path


def test_a_fault_is_named_with_its_first_step(folder):
    (line,) = check(kernel("delta", fault="beta clamped"), folder, "delta", splits=False)[:1]
    assert line.startswith("negative eigenvalue: first wrong at ")


def test_there_are_as_many_as_promised():
    assert len(FAULTS) >= 25
    assert sum(bool(found.theirs) for found in FAULTS.values()) >= 12
    assert len(SHARE) >= 15


@pytest.mark.parametrize("rule", FEATURES)
def test_the_right_kernel_has_none(folder, rule):
    assert named(None, folder, rule) == []


@pytest.mark.parametrize("name", SHARE)
def test_a_fault_is_named(folder, name):
    found = FAULTS[name]
    got = named(found, folder, found.rule)
    assert set(found.names) <= set(got)
    assert not found.alone or set(got) == set(found.names)
    # what was recorded holds here too
    assert got == [feature for feature in SAID[name]["named"] if feature in FEATURES[found.rule]]


@pytest.mark.parametrize("name", FAULTS)
def test_what_was_recorded_is_what_the_fault_promises(name):
    found, got = FAULTS[name], SAID[name]["named"]
    assert bool(got) is found.exact
    assert set(found.names) <= set(got)
    assert not found.alone or set(got) == set(found.names)
    assert {(found.rule, feature) for feature in got} <= set(VECTORS)
    # a fault that is no wrong result in exact arithmetic is not counted among those of logic
    assert found.exact or not found.logic


def test_nothing_was_recorded_for_the_right_kernel():
    assert SAID["none"] == {"named": [], "suites": {suite.name: 0 for suite in SUITES}}


def test_suites_find_what_was_recorded():
    """One seed of the shortest suite, for some faults."""
    some = [None, FAULTS["lost key"], FAULTS["heads tiled"], FAULTS["beta clamped"]]
    found = {fault.name for fault, _, _ in by_suites(some, (1,), SUITES[:1])}
    assert found == {"lost key"}
    assert [SAID[fault.name]["suites"]["plain"] for fault in some[1:]] == [5, 0, 0]


def test_the_recurrence_of_the_suites_is_that_of_the_vectors():
    made = shortened(vector("gated-delta", "packed sequences"))
    x = made.arrays
    o, states = in_float64(
        *(x[name] for name in ("q", "k", "v", "beta", "g", "h0")), made.scale, x["cu_seqlens"], made.micro, made.normalise
    )
    assert np.array_equal(o, x["o"])
    assert np.array_equal(states, x["states"][-1])


def test_inputs_of_a_suite_are_the_same_every_time():
    one, two = (drawn(SUITES[-1], 3, None) for _ in range(2))
    assert all(np.array_equal(one[name], two[name]) for name in ("q", "k", "v", "beta", "g", "h0"))


def test_the_table_is_fresh():
    said = json.loads(RESULTS.read_text(encoding="utf-8"))
    assert said["fingerprint"] == fingerprint(), "run: python -m lemmata.kernels.finding"
    assert PAGE.read_text(encoding="utf-8") == page(said)


def test_every_fault_says_what_it_does():
    for found in FAULTS.values():
        assert found.what.endswith(".")
        assert found.kernel is not Chunked
        for thread in found.theirs:
            assert thread.number > 0
            assert thread.says.endswith((".", "padding of the last chunk.")), thread
            assert len(thread.says.split()) <= 25
