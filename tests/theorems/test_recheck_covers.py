"""The demands on the fewest reflections reject layers of more factors, and other groups."""

import copy

import pytest
from lemmata.theorems import claims, decide
from lemmata.theorems.recheck.exact import Rejected
from lemmata.theorems.recheck.registry import DEMANDS

ID = "new.automata.fewest-reflections"
IDS = (ID, f"{ID}.symmetric", f"{ID}.abelian")


@pytest.fixture(scope="module")
def certificates():
    found = {}
    for id in IDS:
        (claim,) = claims([id])
        found[id] = [c.data for c in decide(claim, "quick").certificates]
    return found


def demand(id, data):
    return DEMANDS[id, "automaton"](data)


@pytest.mark.parametrize("id", IDS)
def test_they_hold(certificates, id):
    assert len(certificates[id]) == 2
    for data in certificates[id]:
        demand(id, data)


@pytest.mark.parametrize("id", IDS)
def test_a_map_of_full_rank_is_rejected(certificates, id):
    for data in certificates[id]:
        broken = copy.deepcopy(data)
        A = broken["layers"][0][0]["A"]
        broken["layers"][0][0]["A"] = [[-2 * int(i == j) for j in range(len(A))] for i in range(len(A))]
        with pytest.raises(Rejected, match="factors at most"):
            demand(id, broken)


def test_another_product_is_rejected(certificates):
    broken = copy.deepcopy(certificates[ID][0])
    state = broken["automaton"][1]
    broken["outputs"] = ["another" if q == state else y for q, y in zip(broken["automaton"], broken["outputs"], strict=True)]
    with pytest.raises(Rejected, match="outputs"):
        demand(ID, broken)


def test_inputs_that_are_not_0_are_rejected(certificates):
    broken = copy.deepcopy(certificates[ID][1])
    broken["layers"][0][0]["B"][0][0] = 1
    with pytest.raises(Rejected, match="B = 0"):
        demand(ID, broken)


def test_a_cyclic_group_is_no_instance(certificates):
    data = copy.deepcopy(certificates[f"{ID}.abelian"][0])
    swap = data["letters"][0]
    kept = [i for i, q in enumerate(data["automaton"]) if q in (data["automaton"][0], swap)]
    data = data | {"letters": [swap], "edges": [e for e in data["edges"] if e[0] in kept and e[1] == 0]}
    with pytest.raises(Rejected):
        demand(f"{ID}.abelian", data)


# -- S_n in four layers ------------------------------------------------------------------------------------------------------

FOUR = "new.automata.four-layers"


@pytest.fixture(scope="module")
def in_four_layers():
    (claim,) = claims([FOUR])
    (found,) = decide(claim, "quick").certificates
    return found.data


def test_four_layers_hold(in_four_layers):
    DEMANDS[FOUR, "network"](in_four_layers)


def test_four_layers_with_two_factors_are_rejected(in_four_layers):
    broken = copy.deepcopy(in_four_layers)
    A = broken["layers"][3]["maps"][0]["A"]
    A[:] = [["0", "0", "1"], ["1", "0", "0"], ["0", "1", "0"]]
    with pytest.raises(Rejected, match="one factor"):
        DEMANDS[FOUR, "network"](broken)


def test_four_layers_of_another_group_are_rejected(in_four_layers):
    broken = copy.deepcopy(in_four_layers)
    table = broken["automaton"]["table"]
    table[0], table[1] = table[1], table[0]
    with pytest.raises(Rejected):
        DEMANDS[FOUR, "network"](broken)
