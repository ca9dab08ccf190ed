"""What the checker demands of networks with activations in depth only is broken by every small change."""

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from lemmata.theorems import verify
from lemmata.theorems.certificates import write_certificates
from lemmata.theorems.recheck.exact import Rejected
from lemmata.theorems.recheck.statements.bilinear import depth_only as demands

DEMANDS: dict[str, Callable[[Any], None]] = {
    "new.bilinear.continuous": demands.states_tell_as_many_inputs,
    "new.bilinear.discontinuous": demands.multiplies_words,
    "new.bilinear.beginning": demands.every_letter_is_kept,
    "new.bilinear.forgetting": demands.follows_or_is_kept_apart,
    "new.bilinear.late": demands.two_layers_follow,
}

WRONG: list[tuple[str, Callable[[Any], object]]] = [
    ("new.bilinear.continuous", lambda d: d["layers"][0]["V"][0].__setitem__(0, "0")),
    ("new.bilinear.continuous", lambda d: d["layers"].append(deepcopy(d["layers"][-1]))),
    ("new.bilinear.continuous", lambda d: d["layers"][0].update(U=[["0"] for _ in d["layers"][0]["U"]])),
    ("new.bilinear.discontinuous", lambda d: d["layers"][1]["V"][1].__setitem__(1, "2")),
    ("new.bilinear.discontinuous", lambda d: d["layers"][0]["U"][1].__setitem__(0, "-4")),
    ("new.bilinear.discontinuous", lambda d: d.update(words=[["1", "4"]])),
    ("new.bilinear.discontinuous", lambda d: d["layers"].pop()),
    ("new.bilinear.late", lambda d: d["values"].reverse()),
    ("new.bilinear.late", lambda d: d["layers"][1]["V"][0].__setitem__(0, "0")),
    ("new.bilinear.late", lambda d: d.update(delta=[[0, 1], [1, 1]])),
    ("new.bilinear.forgetting", lambda d: d["values"].reverse()),
    ("new.bilinear.forgetting", lambda d: d["initial"].reverse()),
    ("new.bilinear.forgetting", lambda d: d.update(delta=[[0, 1], [1, 0]])),
    ("new.bilinear.beginning", lambda d: d["states"].pop()),
    ("new.bilinear.beginning", lambda d: d["states"][5].__setitem__(2, "1/5")),
]


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("depth_only")
    for record in verify(list(DEMANDS)):
        write_certificates(record, folder)
    found = {
        id: [c["data"] for c in json.loads((Path(folder) / f"{id}.json").read_text(encoding="utf-8"))["certificates"]] for id in DEMANDS
    }
    # one by one, the largest networks last
    automata = [automaton for sizes in found["new.bilinear.forgetting"] for automaton in sizes["automata"]]
    return found | {"new.bilinear.forgetting": sorted(automata, key=lambda d: len(d.get("values", [])))}


@pytest.mark.parametrize("id", DEMANDS)
def test_what_is_written_is_accepted(data, id):
    for found in data[id]:
        DEMANDS[id](found)


@pytest.mark.parametrize(("id", "change"), WRONG)
def test_one_thing_wrong_is_rejected(data, id, change):
    spoilt = deepcopy(data[id][-1])
    change(spoilt)
    with pytest.raises(Rejected):
        DEMANDS[id](spoilt)


def test_all_automata_of_a_size_are_demanded():
    whole = {"states": 2, "letters": 1, "automata": [{"delta": [[1], [0]], "V": [[0, 1, 0], [1, 0, 0], [0, 1, 0]], "U": [[0]] * 3}]}
    whole["automata"][0] |= {"initial": [1, 0, 0], "values": [0, 1]}
    with pytest.raises(Rejected, match="all strongly connected automata"):
        demands.all_of_one_size(whole | {"automata": whole["automata"] * 2})
    with pytest.raises(Rejected, match="all strongly connected automata"):
        demands.all_of_one_size(whole | {"letters": 2})


@pytest.mark.parametrize("change", [{"v": []}, {"u": [0], "delta": [[0, 0], [0, 0]]}, {"b": 0}])
def test_states_that_meet_are_no_obstacle(data, change):
    (parity, *_) = (d for d in data["new.bilinear.forgetting"] if "v" in d)
    with pytest.raises(Rejected):
        DEMANDS["new.bilinear.forgetting"](deepcopy(parity) | change)
