"""The notebooks run from top to bottom, each in a fresh shell of IPython in this process: a kernel of its own takes as long to start as most of them to run."""

import json
from pathlib import Path

import matplotlib
import pytest
from IPython.core.interactiveshell import InteractiveShell
from lemmata.cli.notebooks import COMMAND, is_fresh, text_of
from matplotlib import pyplot
from traitlets.config import Config

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))


class Shell(InteractiveShell):
    """A shell without windows: figures are drawn inline, as in a kernel."""

    def enable_gui(self, gui=None):
        assert gui is None


@pytest.fixture
def shell():
    """A shell that remembers nothing and writes no history, gone afterwards, with the figures that were drawn in it."""
    before = matplotlib.get_backend()
    yield Shell.instance(user_ns={}, config=Config({"HistoryManager": {"enabled": False}}))
    Shell.clear_instance()
    pyplot.close("all")
    pyplot.switch_backend(before)


def test_there_is_a_notebook_for_every_topic():
    assert len(NOTEBOOKS) >= 11


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_outputs_are_marked_and_those_of_the_code_beside_them(path):
    book = json.loads(path.read_text(encoding="utf-8"))
    assert is_fresh(book), f"write them anew: {COMMAND} {path.stem}"


def test_stale_outputs_are_noticed():
    cells = [{"cell_type": "code", "source": ["1 + 1"], "outputs": [{"text": "2"}]}]
    book = {"cells": cells, "metadata": {}}
    assert not is_fresh(book)
    assert is_fresh({"cells": [cells[0] | {"outputs": []}], "metadata": {}})
    fresh = json.loads(text_of(book))
    assert is_fresh(fresh)
    fresh["cells"][0]["source"] = ["1 + 2"]
    assert not is_fresh(fresh)


@pytest.mark.programs
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_from_top_to_bottom(path, shell, monkeypatch):
    monkeypatch.chdir(path.parent)
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            shell.run_cell("".join(cell["source"])).raise_error()
