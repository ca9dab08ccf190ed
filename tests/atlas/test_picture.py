"""The picture of the table's core."""

import re
from xml.etree import ElementTree

from lemmata.atlas import picture
from lemmata.atlas.cells import short
from lemmata.cli.where import ROOT

KEPT = ROOT / "docs" / "reference" / "expressivity.svg"


def test_the_picture_is_the_tables(run):
    assert run("can", "--svg")[1] == KEPT.read_text(encoding="utf-8"), "write it anew: python -m lemmata.cli.reference"
    assert f"digest {picture.digest()}" in KEPT.read_text(encoding="utf-8")
    assert len(picture.cells()) == len(picture.MODELS) == len(picture.TASKS) == 8
    assert picture.cells()[0][0][0] == short(picture.MODELS[0], picture.TASKS[0], "exact")[0]


def test_the_picture_is_valid_and_follows_the_reader():
    root = ElementTree.fromstring(picture.svg())
    drawn = [x for x in root.iter() if x.tag.endswith("rect")]
    assert len(drawn) == 64
    assert "prefers-color-scheme: dark" in picture.svg()
    assert not re.search(r"\w_\w", " ".join(x.text or "" for x in root.iter() if x.tag.endswith("text")))
    assert {x.get("class") for x in drawn} <= {"one", "many", "no", "open"}


def test_the_digest_notices_a_change(monkeypatch):
    before = picture.digest()
    monkeypatch.setattr(picture, "TASKS", (*picture.TASKS[:-1], "arithmetic"))
    assert picture.digest() != before
