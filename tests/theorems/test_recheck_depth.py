"""What the checker demands of copies, near copies and delayed links is broken by every small change."""

import json
from copy import deepcopy
from pathlib import Path

import pytest
from lemmata.theorems import verify
from lemmata.theorems.certificates import write_certificates
from lemmata.theorems.recheck.exact import Rejected
from lemmata.theorems.recheck.statements.depth import near as depth_near

DEMANDS = {
    "new.depth.approximate-copies": depth_near.nearly_a_copy_in_layers,
    "new.depth.delayed-links": depth_near.a_copy_with_delayed_links,
}


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("depth")
    for record in verify(list(DEMANDS)):
        write_certificates(record, folder)
    return {
        id: [c["data"] for c in json.loads((Path(folder) / f"{id}.json").read_text(encoding="utf-8"))["certificates"]] for id in DEMANDS
    }


@pytest.mark.parametrize("id", DEMANDS)
def test_what_is_written_is_accepted(data, id):
    for found in data[id]:
        DEMANDS[id](found)


def spoilt(data):
    """Each a copy of the data with one thing wrong."""
    for change in (
        lambda d: d.update(p=d["p"] + 1),
        lambda d: d.update(readout=[["2" if x != "0" else x for x in row] for row in d["readout"]]),
        lambda d: d["layers"].pop(),
        lambda d: d["layers"][-1]["V"][0].__setitem__(-1, "7"),
        lambda d: d["layers"][0]["U"][0].__setitem__(0, "0"),
    ):
        bad = deepcopy(data)
        change(bad)
        yield bad


@pytest.mark.parametrize("id", ["new.depth.approximate-copies", "new.depth.delayed-links"])
def test_networks_with_one_thing_wrong_are_rejected(data, id):
    for found in data[id]:
        for bad in spoilt(found):
            with pytest.raises(Rejected):
                DEMANDS[id](bad)
