"""README and the pages of the library do what they say: every command and every line of Python on them is run, and what it prints is compared."""

import doctest
import re
import shlex
from pathlib import Path

import pytest
from lemmata.cli.documents import table_of_verdicts
from lemmata.cli.markdown import markdown
from lemmata.cli.reference import BLOCK, MARK, pages, readme
from lemmata.theorems import entries
from lemmata.theorems.ledger import ledger

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE

#: commands that change the machine or take minutes
NOT_RUN = ("python3", "pip", "make")


def blocks(page: Path) -> list[tuple[str, str]]:
    """(language, code) of each block of code."""
    return re.findall(r"^```(\w+)\n(.*?)^```$", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def commands(code: str) -> list[tuple[list[str], str]]:
    """Each command of a console block, as words, and what it prints."""
    parts = re.split(r"^\$ ", code, flags=re.MULTILINE)
    assert parts[0] == ""
    return [(shlex.split(part.partition("\n")[0]), part.partition("\n")[2]) for part in parts[1:]]


@pytest.mark.parametrize("page", [README, ROOT / "docs" / "reference" / "library.md"], ids=lambda page: page.name)
def test_what_the_page_says_is_what_happens(page, run, tmp_path, monkeypatch):
    pytest.importorskip("torch", reason="needs the extra 'torch'")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    names: dict = {}
    checked = 0
    for language, code in blocks(page):
        if language == "pycon":
            test = doctest.DocTestParser().get_doctest(code, names, page.name, str(page), 0)
            assert doctest.DocTestRunner(optionflags=FLAGS).run(test, clear_globs=False).failed == 0
            names = test.globs
            checked += len(test.examples)
        else:
            assert language == "console", language
            for words, expected in commands(code):
                if words[0] in NOT_RUN:
                    assert not expected
                    continue
                assert words[0] == "lemmata"
                code_of_exit, out, _ = run(*words[1:])
                assert code_of_exit == 0
                assert doctest.OutputChecker().check_output(expected, out, FLAGS), f"{words}\n{out}"
                checked += 1
    assert checked >= 8


def test_the_formats_page_runs():
    pytest.importorskip("torch", reason="needs the extra 'torch'")
    text = (Path(__file__).parents[1] / "docs" / "reference" / "formats.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    names: dict = {}
    exec(block, names)
    assert names["module"](names["module"].encode("aabb"))[0].tolist() == names["network"].automaton.run("aabb")


def test_a_wrong_line_is_noticed(run):
    out = run("show", "grazzi25.thm2")[1]
    (expected,) = [e for _, code in blocks(README) if "$ lemmata show" in code for _, e in commands(code)]
    assert doctest.OutputChecker().check_output(expected, out, FLAGS)
    assert not doctest.OutputChecker().check_output(expected.replace("PROVED", "CHECKED"), out, FLAGS)


def test_readme_is_short_and_has_a_picture():
    text = README.read_text(encoding="utf-8")
    assert len(text.split()) <= 900
    assert re.search(r"^!\[.+\]\(docs/\S+\.svg\)$", text, re.MULTILINE)


def test_the_findings_link_to_their_checks():
    found = re.findall(r"\[`([^`]+)`\]\(([^)]+\.py)\)", README.read_text(encoding="utf-8"))
    assert len(found) == 4
    for id, file in found:
        module, _, check = ledger()[id].check.removeprefix("lemmata.").rpartition(".")
        assert file == module.replace(".", "/") + ".py"
        assert f"def {check}(" in (ROOT / file).read_text(encoding="utf-8")


def test_the_results_name_claims_of_the_ledger():
    text = (ROOT / "docs" / "reference" / "results.md").read_text(encoding="utf-8")
    ids = re.findall(r"`(new\.[^`]+)`", text)
    assert len(ids) > 8
    assert not [id for id in ids if id not in ledger()]


# -- what is generated --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_generated_pages_are_fresh(page):
    assert page.read_text(encoding="utf-8") == pages()[page], "write it anew: python -m lemmata.cli.reference"


def test_generated_pages_say_so():
    for page, text in pages().items():
        assert text.startswith(MARK) or page.suffix == ".svg" or page == README, page
    assert len(BLOCK.findall(README.read_text(encoding="utf-8"))) == 2


def test_a_generated_part_that_was_edited_is_noticed():
    text = README.read_text(encoding="utf-8")
    edited = text.replace("| `grazzi25` |", "| `grazzi` |")
    assert edited != text
    assert readme(edited) == text


def test_links_within_a_page_lead_to_a_heading():
    found = 0
    for page in (ROOT / "docs").rglob("*.md"):
        text = page.read_text(encoding="utf-8")
        headings = {re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-") for h in re.findall(r"^#+ (.*)$", text, re.MULTILINE)}
        anchors = re.findall(r"\]\(#([^)]+)\)", text)
        assert set(anchors) <= headings, page.name
        # a link that is escaped leads nowhere
        assert not re.search(r"\\\]\((?:#|[\w./-]+\.md)", text), page.name
        found += len(anchors)
    assert found


def test_the_table_of_verdicts_is_the_ledgers():
    text = (ROOT / "docs" / "reference" / "counts.md").read_text(encoding="utf-8")
    assert markdown([table_of_verdicts(entries())]) in text
