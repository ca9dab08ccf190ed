"""The Rocq files share their models: each of these names is defined once, in ``models.v`` or ``classes.v``, and no line is longer than 120 columns."""

from __future__ import annotations

import re

import pytest
from lemmata.formal import seal

#: what a model is made of
NAMES = ("stack", "run", "layer", "state", "network", "step")

#: the classes of layers, and what their transitions are made of
CLASSES = (
    "diagonal_layer",
    "bistable_layer",
    "gh_layer",
    "bilinear_layer",
    "fixed_point_layer",
    "gh_class",
    "gh_factors",
    "dense_transition",
)

#: what the verified program computes: readers must agree with it alone, so it imports no other file
APART = "checker_network.v"

COMMANDS = "Definition|Fixpoint|CoFixpoint|Inductive|CoInductive|Variant|Record|Structure|Class|Notation|Let"

WIDEST = 120


def code(text: str) -> str:
    """A file without its comments, which may stand in each other."""
    out, depth = [], 0
    for piece in re.split(r"(\(\*|\*\))", text):
        depth += (piece == "(*") - (piece == "*)")
        out.append(piece if depth == 0 and piece != "*)" else "")
    return " ".join(out)


def definitions(text: str, name: str) -> int:
    """How often a command, or a field of a record, defines the name."""
    commands = re.findall(rf"(?:^|\.)\s*(?:Local |Global )?(?:{COMMANDS})\s+{name}\b(?!')", code(text), re.MULTILINE)
    fields = re.findall(rf"(?:Record|Structure)\b[^.]*?[{{;]\s*{name}\s*:(?!=)", code(text))
    return len(commands) + len(fields)


@pytest.fixture(scope="module")
def sources() -> dict[str, str]:
    return {name: (seal.FOLDER / name).read_text(encoding="utf-8") for name in seal.files()}


@pytest.mark.parametrize(("name", "home"), [(name, "models.v") for name in NAMES] + [(name, "classes.v") for name in CLASSES])
def test_each_name_of_a_model_or_class_is_defined_once(sources, name, home):
    found = {file: count for file, text in sources.items() if file != APART and (count := definitions(text, name))}
    assert found == {home: 1}


@pytest.mark.parametrize("home", ["models.v", "classes.v"])
def test_the_header_lists_what_the_file_defines(sources, home):
    """Every definition that other files can use stands in brackets in the file's first comment, alone or with its arguments."""
    header, text = sources[home].split("*)", 1)[0], code(sources[home])
    defined = re.findall(r"^(?:Definition|Fixpoint|Inductive) (\w+)", text, re.MULTILINE)
    listed = {word for bracket in re.findall(r"\[([^\]]*)\]", header) for word in bracket.split()}
    assert [name for name in defined if name not in listed] == []


def test_other_definitions_of_a_name_are_noticed():
    """Where a command or a field defines it; not in a comment, for another name, or for a local variable of a proof."""
    assert definitions("Local Notation state := (f x).", "state") == 1
    assert definitions("Record kind := Kind { layer : Type; run : layer -> nat }.", "run") == 1
    for text in (
        "(* Definition run := 1. (* nested *) *)",
        "Definition run_twice := 1.",
        "Proof. set run := f. Qed.",
        "Lemma run_ext x : run x = x.",
    ):
        assert definitions(text, "run") == 0


def test_lines_are_short(sources):
    long = [f"{file}:{i}" for file, text in sources.items() for i, line in enumerate(text.splitlines(), 1) if len(line) > WIDEST]
    assert not long
