"""The kept table of the zoo names the pinned versions and all declared layers, and its ranges lie in those of the rows it names."""

import re
from fractions import Fraction
from pathlib import Path

import pytest
from lemmata.atlas.knowledge import knowledge
from lemmata.probe.animals import FLASH, ZOO
from lemmata.probe.asserting import interval
from lemmata.probe.zoo import PACKAGES

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "reference" / "zoo.md").read_text(encoding="utf-8")
#: of each library, after the two lines of the header
ROWS = [
    cells
    for line in PAGE.splitlines()
    if line.startswith("| ") and (cells := [cell.strip() for cell in line.strip("|").split(" | ")])[0] not in ("layer", "---")
]

#: where the eigenvalues of a row's transitions lie
EIGENVALUES = {
    "open-diagonal": "(0, 1)",
    "diagonal-signed": "[-1, 1]",
    "gated-delta-nonnegative": "[0, 1]",
    "gated-delta-signed": "[-1, 1]",
    "open-diagonal-convolution": "(0, 1)",
    "diagonal-nonnegative": "[0, 1]",
    "linear-attention": "[1, 1]",
    "delta-nonnegative-convolution": "[0, 1]",
    "delta-signed-convolution": "[-1, 1]",
    "gated-delta-nonnegative-convolution": "[0, 1]",
    "gated-delta-signed-convolution": "[-1, 1]",
    "channel-gated-delta-convolution": "[0, 1]",
    "rwkv-7-shift": "(-1, 1)",
    "diagonal-minus-rank-one-convolution": "[-2, 1]",
    # of moduli
    "diagonal-complex": "[0, 1]",
    "gated-householder-2-convolution": "[0, 1]",
}


def test_the_table_is_of_the_pinned_versions():
    """Write it anew: ``make zoo``."""
    pins = dict(re.findall(r"^([\w-]+)==(\S+)$", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE))
    (told,) = re.findall(r"^Versions: (.*)\.$", PAGE, re.MULTILINE)
    named = {name: found.partition("+")[0] for name, found in (part.split(" ") for part in told.split(", "))}
    assert named == {p: pins[p].partition("+")[0] for p in PACKAGES}


def test_all_declared_layers_are_in_the_table():
    assert [row[0] for row in ROWS] == [animal.title for animal in ZOO]


@pytest.mark.parametrize("row", [r for r in ROWS if len(r) > 5 and r[5] not in ("none", "nonlinear", "")], ids=lambda row: row[0])
def test_the_range_of_a_layer_lies_in_that_of_its_row(row):
    assert row[5] in knowledge().models
    found, wanted = interval(row[2].removeprefix("real, in ").removeprefix("complex, of modulus in ")), interval(EIGENVALUES[row[5]])
    assert wanted.low <= found.low
    assert found.high <= wanted.high
    for end in (found.low, found.high):
        assert end in wanted or end not in found


def test_what_is_refused_says_why():
    refused = [row for row in ROWS if row[1].startswith("refused")]
    assert refused
    assert all(len(row[1]) > len("refused: ") + 20 for row in refused)
    assert Fraction(len(refused), len(ROWS)) < Fraction(1, 2)
    # in plain words, not those of an exception
    assert not [row for row in refused if "Error" in row[1]]


def test_a_reason_is_of_a_layer_that_is_refused():
    given = {animal.title for animal in ZOO if animal.reason}
    assert {row[0] for row in ROWS if row[1].startswith("refused")} == given


def test_enough_layers_have_a_structure_and_a_range():
    flash = ROWS[: sum(animal.library == FLASH for animal in ZOO)]
    structure = {row[0].partition(",")[0] for row in flash if not row[1].startswith(("refused", "nonlinear"))}
    ranged = {row[0].partition(",")[0] for row in flash if row[2] not in ("", "not decided")}
    assert len(structure) >= 21
    assert len(ranged) >= 9


def test_remarks_stand_beside_their_layers():
    assert [row[8] if len(row) > 8 else "" for row in ROWS] == [animal.remark for animal in ZOO]


def test_every_affine_layer_has_an_advice_or_none():
    """An edit of layers without a negative eigenvalue makes parity possible; where a driver or no row stands in the way, none is known."""
    advice = {row[0]: row[7] for row in ROWS if len(row) > 7 and row[3]}
    assert all(advice.values())
    assert advice["DeltaNet"].startswith("set allow_neg_eigval=True. Becomes a yes: parity, any number of layers")
    assert sum(a != "none" for a in advice.values()) >= 25
    # each layer of the delta rule without negative eigenvalues has one
    assert not [
        layer for layer, row in ((r[0], r[5]) for r in ROWS if len(r) > 7) if "delta-nonnegative" in row and advice[layer] == "none"
    ]
