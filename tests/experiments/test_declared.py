"""Experiments are registered by their declarations, which are read without importing; the table in the documents is theirs."""

import re
import subprocess
import sys

import pytest
from lemmata import experiments
from lemmata.cli.experiments import PAGE, PAGES, holds, pages, table_of_experiments, with_table
from lemmata.experiments import registered
from lemmata.papers import papers
from lemmata.theorems.ledger import ledger


def test_every_declaration_is_what_was_read_of_it():
    pytest.importorskip("torch", reason="needs the extra 'torch'")
    for name, r in registered().items():
        e = experiments.load(name)
        assert (e.name, e.topic, e.finding, e.place) == (name, r.topic, r.finding, r.place)
        assert name.split(".")[0] in {*papers(), "new"}
        assert e.runs("smoke")
        if e.asked is not None and not callable(e.picture):
            assert set(e.picture.titles) == set(e.asked)
        assert e.observations
        # what theory says of an observation is a claim's, or the claim alone
        for o in e.observations:
            assert not o.theory or set(re.findall(r"\b(?:new|[a-z]+\d\d)\.[\w.-]*\w", o.theory)) <= set(ledger())


def test_reading_them_imports_no_torch():
    code = "import sys; from lemmata.experiments import registered; registered(); sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_order_is_that_of_the_papers_and_numbers_count():
    names = list(registered())
    order = [name.split(".")[0] for name in names]
    assert list(dict.fromkeys(order)) == [p for p in (*papers(), "new") if p in order]
    assert names.index("degeeter26.fig6") < names.index("degeeter26.fig8") < names.index("degeeter26.fig10")


def declare(tmp_path, monkeypatch, *texts):
    for k, text in enumerate(texts):
        (tmp_path / f"made{k}.py").write_text(text, encoding="utf-8")
    monkeypatch.setattr(experiments, "FOLDER", tmp_path)
    return experiments.registered.__wrapped__()


ONE = '"""Says."""\nEXPERIMENT = Experiment("new.made", topic="parity", place="p", finding="f", planned=None)\n'


def test_a_module_is_registered_by_its_declaration(tmp_path, monkeypatch):
    found = declare(tmp_path, monkeypatch, ONE, "EXPERIMENTS = 1\n")
    assert list(found) == ["new.made"]
    assert (found["new.made"].module, found["new.made"].says) == ("made0", "Says.")


def test_two_of_one_name_and_a_declaration_that_is_none_are_refused(tmp_path, monkeypatch):
    with pytest.raises(ValueError, match="different names"):
        declare(tmp_path, monkeypatch, ONE, ONE)
    with pytest.raises(ValueError, match=r"experiments/made0\.py"):
        declare(tmp_path, monkeypatch, "EXPERIMENT = 3\n")


def test_the_table_and_the_pages_in_the_documents_are_the_declarations_and_the_data():
    pytest.importorskip("torch", reason="needs the extra 'torch'")
    for path, made in pages().items():
        assert path.read_text(encoding="utf-8") == made, "write it anew: lemmata pin"
    assert {path.name for path in pages()} == {path.name for path in PAGES.glob("*.md")}
    text = PAGE.read_text(encoding="utf-8")
    assert with_table(text) == text, "write it anew: lemmata pin"
    assert len(re.findall(r"^\| `", table_of_experiments(), re.MULTILINE)) == 1 + len(registered())
    with pytest.raises(ValueError, match="expected the lines"):
        with_table("no place")


@pytest.mark.parametrize(
    ("answer", "counts"), [("yes", True), ("yes (+3%)", True), ("yes, median no", False), ("alike, median yes", False), ("no", False)]
)
def test_only_a_plain_yes_counts(answer, counts):
    assert holds(answer) == counts
