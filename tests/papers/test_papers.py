"""The files of papers: read, in order, and wrong ones refused."""

import re

import pytest
from lemmata import papers as room
from lemmata.cli.citation import with_references
from lemmata.cli.markdown import inline
from lemmata.cli.papers import COUNTED, standing
from lemmata.papers import FOLDER, Paper, maps, papers
from lemmata.theorems.ledger import PAPERS, entries, papers_with_claims

PLAIN = 'title = "On one thing: and more"\nauthors = [["Ada", "Byron"]]\nyear = 2027\nlink = "https://arxiv.org/abs/2701.00001"\nabout = "One thing."\n'


def read(tmp_path, monkeypatch, text, name="byron27.toml"):
    (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(room, "FOLDER", tmp_path)
    return room.papers.__wrapped__()


def test_every_file_is_a_paper_and_the_oldest_stands_first():
    assert {p.stem for p in FOLDER.glob("*.toml")} == set(papers())
    assert [p.year for p in papers().values()] == sorted(p.year for p in papers().values())
    assert list(PAPERS) == [*papers(), "new"]


@pytest.mark.parametrize("paper", papers().values(), ids=lambda p: p.key)
def test_what_a_paper_says(paper):
    family = paper.authors[0][1].lower().replace(" ", "")
    assert paper.key == f"{family}{paper.year % 100}"
    assert re.fullmatch(r"https://\S+", paper.link)
    assert all(len(sentence.split()) <= 25 for sentence in paper.about.split(". "))
    assert len(set(paper.statements)) == len(paper.statements)


def test_the_plainest_paper(tmp_path, monkeypatch):
    (paper,) = read(tmp_path, monkeypatch, PLAIN).values()
    assert (paper.key, paper.name, paper.people, paper.statements) == ("byron27", "Byron, On one thing: and more", "Byron", ())
    assert standing(paper) == dict.fromkeys((*COUNTED, "findings"), 0)


def test_which_text_was_read():
    mapped = [paper for paper in papers().values() if maps.read(paper.key)]
    assert mapped
    for paper in mapped:
        assert paper.read
        assert paper.read.text == maps.read(paper.key).digest
        sentences = re.split(r"[.;] ", paper.read.line)
        assert all(len(sentence.split()) <= 25 for sentence in sentences)
        # an arXiv number or a date would need a source in the text
        assert not re.search(r"\d{4}\.\d{4}|\b20\d\d\b", paper.read.version + paper.read.later)


def test_a_letter_opens_with_the_text_that_was_read(run):
    for key in papers_with_claims():
        code, out, _ = run("errata", key)
        assert code == 0
        heading, first, *_ = [line for line in out.splitlines() if line.strip() and not line.startswith("<!--")]
        assert heading.startswith("# Errata for ")
        assert first == inline(papers()[key].read.line)


def test_a_paper_without_a_text_and_one_with_a_wrong_digest(tmp_path, monkeypatch):
    (paper,) = read(tmp_path, monkeypatch, PLAIN).values()
    assert paper.read is None
    text = PLAIN + '[read]\ntext = "' + "a" * 64 + '"\nversion = "It names none."\nlater = "None was looked at."\n'
    (paper,) = read(tmp_path, monkeypatch, text).values()
    assert paper.read.line == f"The text that was read has a SHA-256 digest that begins with {'a' * 12}. It names none. None was looked at."
    for bad in ("a" * 63, "A" * 64, "g" * 64, ""):
        with pytest.raises(ValueError, match="expected the 64 digits"):
            read(tmp_path, monkeypatch, text.replace("a" * 64, bad))
    with pytest.raises(ValueError, match=r"papers/byron27.toml.*'later'"):
        read(tmp_path, monkeypatch, text.replace("later =", "# later ="))


def test_names_of_one_two_and_three():
    facts = {"key": "x", "title": "T", "year": 1, "link": "", "about": ""}
    people = (("A", "One"), ("B", "Two"), ("C", "Three"))
    found = [Paper(authors=people[:n], **facts) for n in (1, 2, 3)]
    assert [p.people for p in found] == ["One", "One and Two", "One, Two and Three"]
    assert [p.name for p in found] == ["One, T", "One et al., T", "One et al., T"]


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (PLAIN + "yaer = 2027\n", "unexpected keyword argument 'yaer'"),
        (PLAIN.replace("year = 2027\n", ""), "'year'"),
        (PLAIN.replace('[["Ada", "Byron"]]', "[]"), "at least one author"),
    ],
)
def test_a_wrong_file_is_refused(tmp_path, monkeypatch, bad, why):
    with pytest.raises(ValueError, match=f"papers/byron27.toml.*{why}|{why}.*papers/byron27.toml"):
        read(tmp_path, monkeypatch, bad)


def test_a_citation_without_references_is_refused():
    with pytest.raises(ValueError, match="expected a line 'references:'"):
        with_references("title: x\n")


def test_the_table_counts_what_the_ledger_has():
    for key in papers_with_claims():
        theirs = [e for e in entries(papers=[key]) if e.kind in ("statement", "finding")]
        found = standing(papers()[key])
        assert found["findings"] == sum(e.kind == "finding" and e.wrong and e.root is None for e in theirs)
        assert found["PROVED"] == sum(e.kind == "statement" and e.verdict == "PROVED" for e in theirs)


def test_the_command_prints_people_markdown_and_json(run):
    code, out, _ = run("papers")
    assert code == 0
    assert all(p.link in out and p.about in " ".join(out.split()) for p in papers().values())
    code, out, _ = run("papers", "--markdown")
    assert out.count("\n") == 2 + len(papers())
    assert "`grazzi25`: [Unlocking" in out
    code, out, _ = run("papers", "--json")
    assert '"key": "orvieto24"' in out


def test_nothing_says_how_many_papers_there_are():
    rooms = [
        p
        for name in ("cli", "atlas", "theorems", "figures", "experiments", "constructions", "tests")
        for p in (FOLDER.parent / name).rglob("*")
        if p.suffix in (".py", ".html", ".toml", ".md")
    ]
    number = re.compile(r"\b(?:five|5|six|6) " + r"papers\b", re.IGNORECASE)
    assert not [str(p) for p in rooms if number.search(p.read_text(encoding="utf-8"))]
