"""Texts cut into units, and maps: each unit has a mark, each mark makes sense, and the papers' own texts agree where they are at hand."""

import os
from pathlib import Path

import pytest
from lemmata.papers import maps, papers
from lemmata.papers.maps import CLAIMS, MARKS, QUESTIONS, Second, blank, read, second, sha256
from lemmata.papers.units import digest, plain, units
from lemmata.theorems.ledger import ledger

KEYS = [key for key in papers() if read(key)]
TEXT = "1 On sums\n\nOne holds, see Fig. 2 of Ada et al. (2020). Two follows:\n\n$$x. Y = 1.$$\n\nwhere x is small.\n\nProof. Clear.\n\nReferences\n\n- A. Byron. On it. 1840.\n\n- B. None.\n\nA More\n\nThree?"


def pieces(text):
    return [text[u.start : u.end] for u in units(text)]


def test_units_of_a_text():
    assert pieces(TEXT) == [
        "1 On sums",
        "One holds, see Fig. 2 of Ada et al. (2020).",
        "Two follows:\n\n$$x. Y = 1.$$\n\nwhere x is small.",
        "Proof.",
        "Clear.",
        "References\n\n- A. Byron. On it. 1840.\n\n- B. None.",
        "A More",
        "Three?",
    ]
    assert "".join(map(plain, pieces(TEXT))) == plain(TEXT)


@pytest.mark.parametrize(
    ("text", "expected"), [("", []), ("\n\n", []), ("...", []), ("a", ["a"]), ("No end", ["No end"]), ("A.\n\n$$", ["A.\n\n$$"])]
)
def test_units_at_the_edges(text, expected):
    assert pieces(text) == expected


def test_words_are_found_in_another_rendering():
    assert plain("The ﬁrst non-\nlinear <|CUT|> *one*") == plain("the first nonlinear one")
    assert digest("A<sup>2</sup>") == digest("a2")
    assert digest("a2") != digest("a3")
    assert blank("x", TEXT).found_in(TEXT.replace("One holds", "One  *holds*").replace("Three?", "Four?")) == 7
    assert blank("x", "Yes. Yes. No.").found_in("Yes.") == 1


@pytest.mark.parametrize(
    "bad",
    [
        (9, "other", "", ""),
        (-1, "other", "", ""),
        (0, "", "", ""),
        (0, "others", "", ""),
        (0, "judged", "", ""),
        (0, "other", "a.b", ""),
        (0, "step", "a.b", ""),
    ],
)
def test_a_mark_without_sense_is_refused(bad):
    with pytest.raises(ValueError, match="expected"):
        blank("x", TEXT).marked([bad])


def test_marks_are_kept_as_they_were_given(tmp_path, monkeypatch):
    monkeypatch.setattr(maps, "FOLDER", tmp_path)
    one = blank("x", TEXT).marked([(0, "other", "", ""), (1, "judged", "a.b, a.c", ""), (3, "step", "a.b", "read: no more")])
    one.write()
    assert read("x") == one
    assert one.unmarked == [2, 4, 5, 6, 7]
    assert one.counts() == {"judged": 1, "step": 1, "other": 1, "unmarked": 5}
    assert one.places() == {"a.b": [1, 3], "a.c": [1]}
    read.cache_clear()


def test_sections_hold_every_unit_once():
    bare = blank("x", TEXT)
    assert bare.sections() == [("", range(8))]
    two = bare.marked([(0, "other", "", "heading: Sec. 1"), (6, "other", "", "heading: App. A")])
    assert two.sections() == [("Sec. 1", range(6)), ("App. A", range(6, 8))]
    late = bare.marked([(7, "other", "", "heading: App. B")])
    assert late.sections() == [("", range(7)), ("App. B", range(7, 8))]
    assert blank("x", "").sections() == []
    for key in KEYS:
        names = [name for name, _ in read(key).sections()]
        assert len(names) == len(set(names))
        assert [i for _, numbers in read(key).sections() for i in numbers] == list(range(len(read(key).rows)))


@pytest.mark.parametrize("key", KEYS)
def test_each_unit_of_a_paper_has_its_place(key):
    kept = read(key)
    assert kept.unmarked == []
    assert kept.remarked() == kept
    ids = {id for row in kept.rows for id in row.ids}
    assert ids <= set(ledger()), ids - set(ledger())
    ends = [0, *(edge for row in kept.rows for edge in (row.unit.start, row.unit.end))]
    assert ends == sorted(ends)
    assert set(kept.counts()) <= set(MARKS)


@pytest.mark.parametrize("key", KEYS)
def test_the_text_is_the_one_that_was_mapped(key):
    """Needs the texts: the folder that LEMMATA_PAPERS names holds them as files."""
    folder = os.environ.get("LEMMATA_PAPERS")
    if not folder:
        pytest.skip("needs the papers' texts: LEMMATA_PAPERS names their folder")
    kept = read(key)
    texts = [path.read_text(encoding="utf-8") for path in sorted(Path(folder).glob("*.txt"))]
    (text,) = [text for text in texts if sha256(text) == kept.digest]
    assert [row.unit for row in kept.rows] == units(text)
    # what compares or quantifies is no motivation without a reason
    bare = [i for i, r in enumerate(kept.rows) if r.mark == "motivation" and not r.note and CLAIMS.search(text[r.unit.start : r.unit.end])]
    assert bare == []


def test_each_map_was_read_a_second_time(run):
    assert set(second()) == set(KEYS)
    for key, reading in second().items():
        assert reading.drawn == 60
        assert reading.changed <= len(read(key).rows)
        code, out, _ = run("map", key)
        assert code == 0
        assert f"a second reading of 60 units disagreed in {reading.disagreements}, " in " ".join(out.split())


def test_the_question_of_a_mark_is_printed_with_its_units(run, tmp_path, monkeypatch):
    monkeypatch.setattr(maps, "FOLDER", tmp_path)
    key, text = KEYS[0], tmp_path / "text"
    text.write_text(TEXT, encoding="utf-8")
    blank(key, TEXT).marked([(0, "unreadable", "", ""), (1, "related", "", "")]).write()
    printed = " ".join(run("map", key, "--text", str(text), "--only", "related")[1].split())
    assert QUESTIONS["related"] in printed
    assert "One holds" in printed
    without = run("map", key, "--text", str(text), "--only", "unreadable")[1]
    assert "On sums" in without
    assert "?" not in without
    assert set(QUESTIONS) < set(MARKS)
    assert all(question.endswith("?") for question in QUESTIONS.values())
    read.cache_clear()


@pytest.mark.parametrize("bad", [(60, 61, 0, 0), (60, 2, 3, 3), (60, 2, 2, 1), (60, 2, -1, 0)])
def test_numbers_of_a_second_reading_that_cannot_be(bad):
    with pytest.raises(ValueError, match="expected corrected <= disagreements <= drawn"):
        Second(drawn=bad[0], disagreements=bad[1], corrected=bad[2], changed=bad[3])


@pytest.mark.parametrize(("numbers", "end"), [((60, 0, 0, 0), "in 0, "), ((60, 60, 60, 60), "in 60, ")])
def test_numbers_of_a_second_reading_at_the_edges(numbers, end):
    names = ("drawn", "disagreements", "corrected", "changed")
    assert end in str(Second(**dict(zip(names, numbers, strict=True))))
