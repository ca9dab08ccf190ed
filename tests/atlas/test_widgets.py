"""The data of the page on which things run."""

import json

import pytest

pytest.importorskip("latex2mathml", reason="needs the extra 'atlas'")

from lemmata.atlas.site.widgets import TRIED, gallery, networks
from lemmata.theorems.ledger import ledger


def test_the_gallery_is_small_and_rational():
    """Widgets know no cyclotomic numbers; a page should not be heavy."""
    script = networks()
    assert len(script.encode()) < 100_000
    items = json.loads(script.removeprefix("const NETWORKS = ").removesuffix(";\n"))
    assert [x["network"]["field"] for x in items] == [1] * len(items)
    assert len(items) == len(list(gallery()))


def test_claims_that_can_be_tried_are_claims():
    assert TRIED.keys() <= ledger().keys()
