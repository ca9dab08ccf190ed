"""The files of papers: read, in order, and wrong ones refused."""

import re

import pytest
from lemmata import papers as room
from lemmata.cli.citation import with_references
from lemmata.cli.papers import COUNTED, standing
from lemmata.papers import FOLDER, Paper, papers
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
        assert found["findings"] == sum(e.kind == "finding" for e in theirs)
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
