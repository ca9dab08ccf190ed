"""The pages for practitioners: the snippets run, the commands print what is shown."""

import shlex
import sys

import pytest
from lemmata import cli

pytest.importorskip("latex2mathml", reason="needs the extra 'atlas'")

from lemmata.atlas.site.questions import questions
from lemmata.atlas.site.text import ID


@pytest.mark.parametrize("q", questions(), ids=lambda q: q.id)
def test_the_snippets_run(q):
    pytest.importorskip("torch", reason="needs the extra 'torch'")
    assert q.code("python")
    names: dict = {}
    for snippet in q.code("python"):
        assert "assert " in snippet
        exec(snippet, names)


@pytest.mark.parametrize("q", questions(), ids=lambda q: q.id)
def test_the_commands_print_what_is_shown(q, capsys, monkeypatch):
    """All but those that read a file which is not there."""
    (console,) = q.code("console")
    command, *shown = console.splitlines()
    arguments = shlex.split(command.removeprefix("$ "))
    assert arguments[0] == "lemmata"
    assert arguments[1] in {name for c in cli.app.registered_commands if (name := c.name)}
    if "model.pt" in arguments:
        assert not shown
        return
    monkeypatch.setattr(sys, "argv", arguments)
    with pytest.raises(SystemExit) as stop:
        cli.main()
    # can exits with its answer: 1 is no, 3 is not decided
    assert stop.value.code in {"can": (None, 0, 1, 3)}.get(arguments[1], (None, 0))
    printed = " ".join(capsys.readouterr().out.split())
    for line in shown:
        assert " ".join(line.split()) in printed


def test_the_claims_that_are_named_are_those_listed():
    for q in questions():
        named = {x.rstrip(".") for kind, text in q.parts if kind == "text" for x in ID.findall(text)}
        assert named == {e.id for e in q.claims}, q.id
