"""Every phrase that an entry quotes stands in the paper, word for word. Needs the papers' texts: LEMMATA_PAPERS names the folder that holds them as files."""

import os
from functools import cache
from pathlib import Path

import pytest
from lemmata.papers import papers
from lemmata.papers.maps import sha256
from lemmata.papers.units import plain
from lemmata.theorems.ledger import ledger


@cache
def words_of(paper):
    """The letters and digits of the text that was read; None where it is not at hand."""
    read, folder = papers()[paper].read, os.environ.get("LEMMATA_PAPERS")
    texts = [path.read_text(encoding="utf-8") for path in Path(folder).glob("*.txt")] if folder and read else []
    return next((plain(text) for text in texts if sha256(text) == read.text), None)


@pytest.mark.parametrize("paper", [key for key, paper in papers().items() if paper.read])
def test_every_quote_stands_in_the_paper(paper):
    if not os.environ.get("LEMMATA_PAPERS"):
        pytest.skip("needs the papers' texts: LEMMATA_PAPERS names their folder")
    text = words_of(paper)
    assert text, f"the folder of LEMMATA_PAPERS holds no text with the digest of papers/{paper}.toml"
    missing = [(e.id, quote) for e in ledger().values() if e.paper == paper for quote in e.quotes if plain(quote) not in text]
    assert missing == []


def test_a_quote_has_words():
    assert [(e.id, quote) for e in ledger().values() for quote in e.quotes if not plain(quote)] == []


def test_what_is_new_quotes_nothing():
    assert [e.id for e in ledger().values() if e.quotes and e.kind in ("new", "amended")] == []
