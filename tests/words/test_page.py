"""The page "Data with exact labels": every command and every line of Python on it is run, and what it prints is compared."""

import doctest
import re
import shlex
from pathlib import Path

import pytest
from lemmata.words import comparing

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "data.md"
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def test_what_the_page_says_is_what_happens(run, tmp_path, monkeypatch, capsys):
    pytest.importorskip("torch", reason="needs the extra 'torch'")
    pytest.importorskip("pyarrow", reason="needs the extra 'data'")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    names: dict = {}
    commands = 0
    for language, code in re.findall(r"^```(\w+)\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE):
        if language == "pycon":
            test = doctest.DocTestParser().get_doctest(code, names, PAGE.name, str(PAGE), 0)
            assert doctest.DocTestRunner(optionflags=FLAGS).run(test, clear_globs=False).failed == 0
            names = test.globs
            continue
        assert language == "console"
        line, _, expected = code.removeprefix("$ ").partition("\n")
        words = shlex.split(line)
        if words[0] == "lemmata":
            status, out, _ = run(*words[1:])
            assert status == 0
        else:
            assert words[:3] == ["python", "-m", "lemmata.words.comparing"]
            capsys.readouterr()
            comparing.main(Path(words[3]))
            out = capsys.readouterr().out
        assert doctest.OutputChecker().check_output(expected, out, FLAGS), f"{line}\n{out}"
        commands += 1
    assert commands == 3
    assert "| model | answer | layers | one layer |" in (tmp_path / "s4-words" / "README.md").read_text(encoding="utf-8")
