"""The demands on gaps between nodes and on maps that vary in time refuse what does not hold."""

import copy

import pytest
from lemmata.theorems import claims, decide
from lemmata.theorems.recheck.exact import Rejected
from lemmata.theorems.recheck.statements.universality import price as universality_price
from lemmata.theorems.recheck.statements.universality import vectors as universality_vectors
from lemmata.theorems.recheck.statements.vandermonde import gaps as vandermonde_gaps

CHANGES = {
    "a node in the gap": ("new.vandermonde.gap", vandermonde_gaps.gap_is_felt, lambda d: d["cosines"].__setitem__(2, "1")),
    "another polynomial": ("new.vandermonde.gap", vandermonde_gaps.gap_is_felt, lambda d: d["polynomial"].__setitem__(0, "0")),
    "a window that is not concentrated": (
        "new.vandermonde.gap",
        vandermonde_gaps.gap_is_felt,
        lambda d: d.__setitem__("window", ["1"] + ["0"] * (len(d["window"]) - 1)),
    ),
    "a related value": ("new.universality.price", universality_price.unrelated_values, lambda d: d["heads"][0].__setitem__("offset", "2")),
    "a step less": ("new.universality.price", universality_price.unrelated_values, lambda d: d["head"]["bias"].pop()),
    "another threshold": (
        "new.universality.clocks",
        universality_price.thresholds_on_schedule,
        lambda d: d["inner"][0].__setitem__(0, "7"),
    ),
    "another form": ("new.universality.clocks", universality_price.thresholds_on_schedule, lambda d: d["direction"].__setitem__(0, "0")),
    "half of the neurons": ("new.universality.clocks", universality_price.thresholds_on_schedule, lambda d: d.__setitem__("n", 1)),
    "a node of the lower half": (
        "new.universality.vectors",
        universality_vectors.two_inputs_and_outputs,
        lambda d: d["nodes"].__setitem__(0, ["1"]),
    ),
    "another step of the filter": (
        "new.universality.vectors",
        universality_vectors.two_inputs_and_outputs,
        lambda d: d["filter"]["bias"].__setitem__(0, "3"),
    ),
    "another block": ("new.universality.exchange", universality_price.blocks_of_steps, lambda d: d["head"]["inner"][1].__setitem__(0, "0")),
    "another shape": ("new.universality.exchange", universality_price.blocks_of_steps, lambda d: d["values"].reverse()),
    "a small bias": (
        "new.universality.bias.subspace",
        universality_price.as_many_units_as_dimensions,
        lambda d: d.__setitem__("beta", "1"),
    ),
    "a shift forgotten": (
        "new.universality.bias.subspace",
        universality_price.as_many_units_as_dimensions,
        lambda d: d["head"]["outer"].__setitem__(-1, "0"),
    ),
    "no bias": ("new.universality.bias.head", universality_price.paired_copies, lambda d: d.__setitem__("beta", "1")),
    "another bias": ("new.universality.bias.head", universality_price.paired_copies, lambda d: d.__setitem__("beta", "7")),
    "a copy that weighs more": (
        "new.universality.bias.head",
        universality_price.paired_copies,
        lambda d: d["head"]["outer"].__setitem__(0, "50"),
    ),
}


@pytest.fixture(scope="module")
def certificates():
    return {id: decide(claims([id])[0], effort="quick").certificates[0].data for id in {id for id, *_ in CHANGES.values()}}


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_witness_is_rejected(certificates, name):
    id, demand, change = CHANGES[name]
    demand(certificates[id])
    data = copy.deepcopy(certificates[id])
    change(data)
    with pytest.raises(Rejected):
        demand(data)
