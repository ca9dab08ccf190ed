"""The Python in the README and in docs/ runs as it stands."""

import re
from pathlib import Path

import pytest
from lemmata.cli.documents import table_of_verdicts
from lemmata.cli.markdown import markdown
from lemmata.theorems import entries


def test_the_formats_page_runs():
    pytest.importorskip("torch", reason="needs the extra 'torch'")
    text = (Path(__file__).parents[1] / "docs" / "reference" / "formats.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    names: dict = {}
    exec(block, names)
    assert names["module"](names["module"].encode("aabb"))[0].tolist() == names["network"].automaton.run("aabb")


def test_the_examples_run():
    pytest.importorskip("torch", reason="needs the extra 'torch'")
    text = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(blocks) >= 2
    names: dict = {}
    for block in blocks:
        exec(block, names)
    assert names["network"].run("aabba")[-1][1] is True
    assert names["module"](names["module"].encode([0])).shape == (1, 1)


def test_the_table_of_verdicts_is_the_ledgers():
    text = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    assert markdown([table_of_verdicts(entries())]) in text, "write it anew: lemmata list --markdown"
