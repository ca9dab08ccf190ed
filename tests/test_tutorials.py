"""The tutorials run as they stand: each Python block after the one before, each command, and what it prints."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from lemmata.cli import app
from typer.testing import CliRunner

TUTORIALS = sorted((Path(__file__).parents[1] / "docs" / "tutorials").glob("*.md"))


def blocks(path: Path) -> list[tuple[str, str]]:
    """(language, text) of the fenced blocks, in order."""
    return re.findall(r"```(\w+)\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL)


def commands(block: str) -> list[tuple[str, list[str]]]:
    """Each command of a console block, and the lines that are shown below it."""
    return [(part.split("\n")[0], part.rstrip().split("\n")[1:]) for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]


def shows(printed: str, expected: list[str]) -> bool:
    """True if the lines were printed one after the other; "..." stands for any number of lines."""
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(line.rstrip()) + r" *\n" for line in expected)
    return re.match(pattern, printed) is not None


@pytest.mark.parametrize("path", TUTORIALS, ids=lambda path: path.stem)
def test_a_tutorial_runs_from_top_to_bottom(path, tmp_path, monkeypatch):
    pytest.importorskip("torch", reason="needs the extra 'torch'")
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    for language, text in blocks(path):
        if language == "python":
            exec(text, names)
        for command, expected in commands(text) if language == "console" else []:
            program, *arguments = shlex.split(command)
            if program == "make":
                continue
            done = CliRunner().invoke(app, arguments, env={"COLUMNS": "80", "NO_COLOR": "1"})
            assert done.exit_code == 0, f"{command}: {done.output}"
            assert shows(done.stdout, expected), f"{command} printed\n{done.stdout}"


def test_a_line_that_is_not_printed_is_noticed():
    assert shows("a\nb\nc\n", ["a", "...", "c"])
    assert not shows("a\nb\nc\n", ["a", "c"])
    assert not shows("a\nb\n", ["...", "d"])
    assert commands("$ x y\nout\n\nmore\n$ z\n") == [("x y", ["out", "", "more"]), ("z", [])]


def test_there_are_three_of_300_to_600_words():
    lengths = {path.stem: len(path.read_text(encoding="utf-8").split()) for path in TUTORIALS}
    assert lengths.keys() == {"engineer", "reviewer", "student"}
    assert all(300 <= length <= 600 for length in lengths.values()), lengths
