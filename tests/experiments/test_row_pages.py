"""The page and the picture of each of the papers' trained figures: written from the list and the stored data, whole, and legible."""

import re
from xml.etree import ElementTree

import pytest

pytest.importorskip("xarray", reason="needs the extra 'figures'")

from lemmata.cli import reference, reproduction_rows
from lemmata.cli.reproduction import result
from lemmata.experiments.criteria import Order, Same, Threshold, Values
from lemmata.experiments.judged import Verdict, judge, names_of
from lemmata.experiments.reproduction import SETTINGS, UNSAID, listed
from lemmata.figures import rows

FOLDER = reference.ROOT / "docs" / "reference" / "reproduction"
ROWS = list(listed().rows.values())
STORED = [row for row in ROWS if rows.stored(row.id)]
each_stored = pytest.mark.parametrize("row", STORED, ids=lambda row: row.id)


def test_pages_and_pictures_are_what_the_list_and_the_data_give():
    made = reproduction_rows.files()
    assert {path.name for path in FOLDER.iterdir()} == set(made)
    assert set(made) == {f"{row.id}.md" for row in ROWS} | {f"{row.id}.svg" for row in STORED}
    for name, text in made.items():
        assert (FOLDER / name).read_text(encoding="utf-8") == (reference.MARK if name.endswith(".md") else "") + text, name


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_a_page_has_the_papers_picture_in_words_ours_the_criteria_the_settings_and_the_command(row):
    page = reproduction_rows.page(row, result(row))
    assert row.picture in page
    assert all(f"“{' '.join(s.words.split())}”" in page.replace(r"\<", "<").replace(r"\|", "|") for s in row.sentences)
    assert page.count("| yes |") == len(row.deciding)
    assert all(f"| {title} |" in page for title in SETTINGS.values())
    assert page.count(f"| {UNSAID} |") == sum(s.paper == UNSAID for s in row.training.settings.values())
    assert (f"({row.id}.svg)" in page) == (row in STORED) == ("Not run at this scale yet" not in page)
    assert row.tried in page
    assert (f"lemmata reproduce {row.id} --redraw" in page) == (row.id in rows.findings())


@each_stored
def test_a_picture_shows_both_sides_of_every_judged_sentence_in_letters_that_survive_halving(row):
    verdicts = judge(row, rows.kept_row(row.id))
    judged = [v for v in verdicts if v.judged is not None]
    text = rows.draw(row, verdicts)
    root = ElementTree.fromstring(text)
    words = [e.text or "" for e in root.iter("{http://www.w3.org/2000/svg}text")]
    shown = " ".join(words).replace("\N{NO-BREAK SPACE}", " ")
    for v in judged:
        assert v.sides is not None
        assert all(name in shown for name in names_of(v.sentence))
    # a mark for each seed of a side, and one at its name
    assert text.count("<circle") == sum(1 + len(v.sides[0]) for v in judged if v.sides)
    assert text.count("<rect") == sum(1 + len(v.sides[1]) for v in judged if v.sides)
    assert text.count('class="bar') == text.count('class="mean') == 2 * len(judged)
    assert min(int(size) for size in re.findall(r"(\d+)px", text)) >= 15
    inside = [float(x) for x in re.findall(r' (?:x|x1|x2|cx)="(-?[\d.]+)"', text)]
    assert 0 <= min(inside) <= max(inside) <= rows.WIDTH
    assert len(text) < 30_000


def test_the_findings_are_those_of_the_plans():
    desk = pytest.importorskip("lemmata.experiments.desk", reason="needs the extra 'torch'")
    plans = {name: desk.plan(desk.row_named(name)).findings[name] for name in desk.trainable()}
    assert rows.findings() == plans


def test_nothing_is_drawn_of_a_row_without_a_judged_sentence():
    row = STORED[0]
    with pytest.raises(ValueError, match="expected a sentence of"):
        rows.draw(row, [Verdict(s, None, None) for s in row.sentences])


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(0.0, 1.0, [0, 0.2, 0.4, 0.6, 0.8, 1]), (-0.06, 0.13, [-0.05, 0, 0.05, 0.1]), (2.44, 2.55, [2.44, 2.46, 2.48, 2.5, 2.52, 2.54])],
)
def test_ticks_are_round(low, high, expected):
    assert rows.ticks(low, high) == pytest.approx(expected)


def test_what_is_needed_is_said_of_each_kind():
    assert rows.needed(Values("a", "b", (0.9, 0.1), 0.1)) == "needed: 0.4"
    assert rows.needed(Order("a", "b", 0.2)) == "needed: 0.2, and an interval above 0"
    assert rows.needed(Threshold("a", "b", 0.9, 0.5)) == "needed: medians of at least 0.9 and at most 0.5 (dotted)"
    assert rows.needed(Threshold("a", "b", 0.1, 0.5)) == "needed: medians of at most 0.1 and at least 0.5 (dotted)"
    assert rows.needed(Same("a", "b", 0.05)) == "needed: an interval within 0.05 of 0"
    assert [rows.signed(x) for x in (0.12345, -0.5, 0.0, -0.0)] == ["0.123", "−0.5", "0", "-0"]
