"""The scripts that a letter's first page promises: short, with the standard library alone, in an empty folder."""

import subprocess
import sys

import pytest
from lemmata.papers import papers

SCRIPTS = {id: path for paper in papers().values() for id, path in paper.checks.items()}


@pytest.mark.parametrize("id", SCRIPTS)
def test_a_script_fits_a_letter(id):
    lines = SCRIPTS[id].read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 15
    assert max(map(len, lines)) <= 100
    assert any(line.lstrip().startswith("assert ") for line in lines), "it must be able to fail"


@pytest.mark.parametrize("id", SCRIPTS)
def test_a_script_shows_its_finding_in_an_empty_folder(id, tmp_path):
    # -I and -S: no package is in reach; -W error: nothing is passed over
    command = [sys.executable, "-I", "-S", "-W", "error", "-c", SCRIPTS[id].read_text(encoding="utf-8")]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip()
    assert list(tmp_path.iterdir()) == []
