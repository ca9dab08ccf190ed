"""The checker's demands on rounding inside a step: false and trivial certificates are rejected."""

import copy

import pytest
from lemmata.theorems import verify
from lemmata.theorems.recheck import Rejected
from lemmata.theorems.recheck.registry import COVERS, DEMANDS

FLOATING = ("new.parity.float.underflow", "new.parity.float.scalar", "new.parity.float.unit-key")
STEPWISE = ("new.parity.stepwise.monotone", "new.parity.stepwise.triangular", "new.parity.stepwise.minors")


@pytest.fixture(scope="module")
def certificates():
    return {r.id: [c.data for c in r.certificates] for r in verify([*FLOATING, *STEPWISE], effort="quick")}


@pytest.mark.parametrize("claim", [*FLOATING, *STEPWISE])
def test_what_was_written_holds(certificates, claim):
    assert certificates[claim]
    for data in certificates[claim]:
        DEMANDS[claim, "witness"](copy.deepcopy(data))


@pytest.mark.parametrize("claim", FLOATING)
@pytest.mark.parametrize(
    ("why", "change"),
    [
        ("the state after", lambda d: {"beta": "1/1024"}),
        ("eigenvalue", lambda d: {"beta": "2"}),
        ("eigenvalue", lambda d: {"beta": "0"}),
        ("known format", lambda d: {"name": "float12"}),
        ("what its name says", lambda d: {"format": d["format"] | {"lowest": -1}}),
        ("one of the format", lambda d: {"v": "1/3"}),
        ("two states", lambda d: {"odd": d["even"]}),
        ("two states", lambda d: {"odd": [*d["odd"], "0"]}),
    ],
)
def test_a_bent_layer_is_rejected(certificates, claim, why, change):
    data = certificates[claim][-1]
    with pytest.raises(Rejected, match=why):
        DEMANDS[claim, "witness"](data | change(data))


@pytest.mark.parametrize("claim", FLOATING)
def test_a_layer_of_another_claim_is_rejected(certificates, claim):
    for other in FLOATING:
        if other != claim:
            with pytest.raises(Rejected):
                DEMANDS[claim, "witness"](certificates[other][0])


@pytest.mark.parametrize("claim", FLOATING)
def test_every_format_must_be_there(certificates, claim):
    data = [("witness", d) for d in certificates[claim]]
    COVERS[claim](data)
    with pytest.raises(Rejected, match="each format"):
        COVERS[claim](data[1:])


@pytest.mark.parametrize(
    ("why", "change"),
    [
        ("positive weights", lambda d: {"weights": ["0"] * len(d["weights"])}),
        ("blocks and", lambda d: {"blocks": [len(d["A"]), 1]}),
        ("semidefinite blocks", lambda d: {"A": [["-1" if i == j else "0" for j in range(len(d["A"]))] for i in range(len(d["A"]))]}),
        ("nondecreasing", lambda d: {"rounding": [r | {"values": r["values"][::-1]} for r in d["rounding"]]}),
        ("moves and settles", lambda d: {"orbit": d["orbit"][-2:]}),
        ("after", lambda d: {"orbit": d["orbit"][::-1]}),
    ],
)
def test_a_bent_orbit_is_rejected(certificates, why, change):
    data = certificates["new.parity.stepwise.monotone"][0]
    with pytest.raises(Rejected, match=why):
        DEMANDS["new.parity.stepwise.monotone", "witness"](data | change(data))


@pytest.mark.parametrize(
    ("why", "change"),
    [
        ("negative", lambda d: {"A": [["1" if i == j else "0" for j in range(len(d["A"]))] for i in range(len(d["A"]))]}),
        ("indices", lambda d: {"minor": []}),
        ("two states", lambda d: {"orbit": [d["orbit"][0]] * 3}),
        ("after", lambda d: {"b": ["100"] * len(d["b"])}),
    ],
)
def test_a_bent_cycle_is_rejected(certificates, why, change):
    data = certificates["new.parity.stepwise.minors"][0]
    with pytest.raises(Rejected, match=why):
        DEMANDS["new.parity.stepwise.minors", "witness"](data | change(data))
