"""What hangs on findings beside their words: the finding of which one is the same slip, and those with which a letter begins."""

import pytest
from lemmata.papers import FOLDER, Paper, papers
from lemmata.theorems.evidence import ROOM
from lemmata.theorems.ledger import ledger

ENTRIES = ledger()


def test_a_root_is_a_finding_that_has_none_itself():
    roots = {e.id: ENTRIES[e.root] for e in ENTRIES.values() if e.root}
    assert {id: root.id for id, root in roots.items() if root.kind != "finding" or root.root is not None} == {}


def test_a_scope_fits_a_few_lines():
    assert [e.id for e in ENTRIES.values() if len(e.scope) > ROOM] == []


def test_what_is_wrong_is_quoted_and_weighed():
    assert [e.id for e in ENTRIES.values() if e.wrong and not (e.quotes and e.weight)] == []
    assert [e.id for e in ENTRIES.values() if e.kind == "finding" and not e.quotes] == []


def test_a_letter_on_a_finding_is_short():
    assert [e.id for e in ENTRIES.values() if e.wrong and len((e.letter or "").split()) > 75] == []


@pytest.mark.parametrize("paper", papers().values(), ids=lambda paper: paper.key)
def test_a_letter_begins_with_three_things_that_are_wrong(paper):
    found = [ENTRIES[id] for id in paper.first_page]
    assert all(e.wrong and e.root is None and not e.extracted for e in found)
    assert all(path.is_file() for path in paper.checks.values())


def test_every_script_shows_a_finding_of_some_first_page():
    shown = {path.name for paper in papers().values() for path in paper.checks.values()}
    assert {path.name for path in FOLDER.glob("checks/*.py")} == shown


@pytest.mark.parametrize("ids", [("made26.a",), ("made26.a", "made26.b", "other26.c")])
def test_a_first_page_has_three_findings_of_its_paper(ids):
    with pytest.raises(ValueError, match="three of findings of made26"):
        Paper(key="made26", title="", authors=(("A", "B"),), year=2026, link="", about="", first_page=ids)
