"""docs/how-to/vectors.md: every command and every piece of code is run, and what is printed is compared."""

from __future__ import annotations

import re
import runpy
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from lemmata.kernels import checking, vectors, writing
from lemmata.kernels.writing import CHECKER

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "vectors.md").read_text(encoding="utf-8")
CODE = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
COMMANDS = re.findall(r"```console\n\$ lemmata (.*?)\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    Path("mine.py").write_text(CODE[0], encoding="utf-8")
    return tmp_path


def agrees(shown: str, printed: str) -> bool:
    """Whether lines are printed in this order; "..." stands for any lines."""
    pattern = "".join(r"(?:.*\n)*" if line == "..." else re.escape(line) + r"\n" for line in shown.splitlines())
    return re.fullmatch(pattern, printed) is not None


def test_the_page_has_the_parts_that_are_run_here():
    assert len(CODE) == 3
    assert [command.split()[0] for command, _ in COMMANDS] == ["check", "check", "vectors"]
    assert len(re.findall(r"^\$ ", PAGE, re.MULTILINE)) == len(COMMANDS)
    assert agrees("a\n...\n", "a\nb\nc\n")
    assert not agrees("a\n", "a\nb\n")


@pytest.mark.parametrize(("command", "shown"), COMMANDS, ids=["right", "clamped", "files"])
def test_commands_print_what_the_page_shows(command, shown, here, run, monkeypatch):
    # the same features, files and audit, of fewer steps
    most = 66 if command.startswith("vectors") else 130
    short = {key: replace(plan, T=min(plan.T, most)) for key, plan in vectors.VECTORS.items()}
    monkeypatch.setattr(vectors, "VECTORS", short)
    monkeypatch.setattr(writing, "VECTORS", short)
    monkeypatch.setattr(checking, "_contents", checking._contents.__wrapped__)
    code, out, _ = run(*shlex.split(command))
    assert code == int("clamped" in command)
    lines = "".join(f"{line.rstrip()}\n" for line in out.splitlines())
    assert agrees(shown, lines), lines


def test_the_assertion_holds(here, monkeypatch):
    monkeypatch.syspath_prepend(here)
    Path("test_mine.py").write_text(CODE[1], encoding="utf-8")
    runpy.run_path("test_mine.py")
    sys.modules.pop("mine", None)


def test_the_files_need_numpy_alone(here):
    for feature in ("packed sequences", "grouped heads", "norm in the kernel"):
        writing.save(vectors.vector("delta", feature), here)
    (here / CHECKER.name).write_bytes(CHECKER.read_bytes())
    code = f"import sys; sys.path.insert(0, '.')\n{CODE[2]}\nassert not any(m.startswith('lemmata') for m in sys.modules)"
    done = subprocess.run([sys.executable, "-I", "-c", code], cwd=here, capture_output=True, text=True, check=False)
    assert done.stdout == "[]\n", done.stderr
