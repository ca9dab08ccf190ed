"""The list of the papers' trained figures: whole, quoted word for word, with settings and criteria that make sense, and on its page."""

import copy
import os
import tomllib
from pathlib import Path

import pytest
from lemmata.cli import reference, reproduction
from lemmata.experiments import registered
from lemmata.experiments.reproduction import FILE, listed, read
from lemmata.papers import maps, papers
from lemmata.papers.units import plain

FACTS = tomllib.loads(FILE.read_text(encoding="utf-8"))
KEYS = list(dict.fromkeys(row.paper for row in listed().rows.values()))


def changed(change):
    facts = copy.deepcopy(FACTS)
    change(facts)
    return facts


@pytest.mark.parametrize("paper", KEYS)
def test_every_reported_measurement_is_quoted_or_out_of_scope(paper):
    marks = [row.mark for row in maps.read(paper).rows]
    named = listed().units(paper)
    assert len(set(named)) == len(named)
    assert {i for i, mark in enumerate(marks) if mark == "measurement"} <= set(named)
    assert {marks[i] for i in named} <= {"measurement", "judged", "opinion", "setup"}


def test_a_measurement_that_is_left_out_is_noticed():
    fewer = read(changed(lambda facts: facts["outside"].pop()))
    assert not {i for i, r in enumerate(maps.read("orvieto24").rows) if r.mark == "measurement"} <= set(fewer.units("orvieto24"))


@pytest.mark.parametrize("paper", KEYS)
def test_every_quote_stands_in_its_unit(paper):
    """Needs the papers' texts: the folder that LEMMATA_PAPERS names holds them as files."""
    folder, kept = os.environ.get("LEMMATA_PAPERS"), maps.read(paper)
    if not folder:
        pytest.skip("needs the papers' texts: LEMMATA_PAPERS names their folder")
    texts = [path.read_text(encoding="utf-8") for path in sorted(Path(folder).glob("*.txt"))]
    (text,) = [text for text in texts if maps.sha256(text) == kept.digest]
    units = [row.unit for row in kept.rows]
    sentences = [s for row in listed().rows.values() if row.paper == paper for s in row.sentences]
    assert [s.words for s in sentences if plain(s.words) not in plain(text[units[s.unit].start : units[s.unit].end])] == []
    assert all(plain(s.words) for s in sentences)


def test_the_rows_are_the_trained_figures_and_tables():
    assert len(listed().rows) == 22
    assert set(KEYS) == set(papers()) - {"new"}
    assert [b.experiment for b in listed().beside] == ["new.learnability"]
    assert any("language models" in o.what for o in listed().outside)
    assert sum(row.training.long for row in listed().rows.values()) == 4


def test_experiments_are_registered_or_not_written_yet():
    known = set(registered())
    assert {t.experiment for t in listed().training.values()} - known == {"movahedi25.brackets"}
    assert {b.experiment for b in listed().beside} <= known


WRONG = {
    "a quote that is too long": lambda f: f["row"][0]["sentence"][0].update(words="word " * 41),
    "a quote without words": lambda f: f["row"][0]["sentence"][0].update(words=" "),
    "an unknown kind": lambda f: f["row"][0]["sentence"][0].update(kind="ordered"),
    "an effect of nothing": lambda f: f["row"][0]["sentence"][0].update(least=0),
    "values the other way round": lambda f: f["row"][0]["sentence"][0].update(paper=[0.1, 0.9]),
    "a statistic that is none": lambda f: f["row"][0]["sentence"][0].update(of="worst"),
    "a field that no criterion has": lambda f: f["row"][0]["sentence"][0].update(margin=0.1),
    "an empty description": lambda f: f["row"][0].update(picture=" "),
    "a long description": lambda f: f["row"][0].update(picture="word " * 91),
    "a row that nothing decides": lambda f: [s.pop("decides", None) for s in f["row"][0]["sentence"]],
    "a sentence that decides and cannot": lambda f: f["row"][0]["sentence"][0].update(cannot="no data"),
    "a paper that is none": lambda f: f["row"][0].update(id="nobody99.fig1"),
    "two rows of one name": lambda f: f["row"][1].update(id=f["row"][0]["id"]),
    "an unknown training": lambda f: f["row"][0].update(training="nothing"),
    "a training without a row": lambda f: f["training"].update(more=copy.deepcopy(f["training"]["sign"])),
    "a setting that is missing": lambda f: f["training"]["sign"].pop("seeds"),
    "a setting more": lambda f: f["training"]["sign"].update(colour={"paper": "red", "place": "Sec. 1"}),
    "a setting without its place": lambda f: f["training"]["sign"]["width"].pop("place"),
    "a silence with a place": lambda f: f["training"]["sign"]["batch"].update(place="Sec. 1"),
    "a silence that we fill with nothing": lambda f: f["training"]["sign"]["batch"].pop("desk"),
    "a difference without a reason": lambda f: f["training"]["sign"]["width"].update(desk="2"),
    "a reason without a difference": lambda f: f["training"]["sign"]["width"].update(why="time"),
    "a difference that is none": lambda f: f["training"]["sign"]["width"].update(desk="1", why="time"),
    "too many minutes": lambda f: f["training"]["sign"].update(minutes=61),
    "too many minutes of a long one": lambda f: f["training"]["digits"].update(minutes=181),
    "too many long ones": lambda f: f["training"]["sign"].update(long=True),
}


@pytest.mark.parametrize("change", WRONG.values(), ids=list(WRONG))
def test_a_list_without_sense_is_refused(change):
    with pytest.raises(ValueError, match=r"expected|unexpected"):
        read(changed(change))


def test_the_page_has_every_row_with_a_link_to_its_own():
    page = reproduction.overview()
    assert (reference.ROOT / "docs" / "reference" / "reproduction.md").read_text(encoding="utf-8") == reference.MARK + page
    assert all(f"[`{name}`](reproduction/{name}.md)" in page for name in listed().rows)
