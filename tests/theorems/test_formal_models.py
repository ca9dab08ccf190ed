"""The Rocq files share their models: each of these names is defined once, in ``models.v``, which all files import but for those listed.

No line is longer than 120 columns.
"""

from __future__ import annotations

import re
import tomllib

import pytest
from lemmata.formal import seal

#: what a model is made of
NAMES = ("stack", "run", "layer", "state", "network", "step")

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


@pytest.mark.parametrize("name", NAMES)
def test_each_name_of_a_model_is_defined_once(sources, name):
    found = {file: count for file, text in sources.items() if file != APART and (count := definitions(text, name))}
    assert found == {"models.v": 1}


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


def listed_apart() -> list[str]:
    """The files that ``apart.toml`` lists, group after group; each group has a reason in one line."""
    groups = tomllib.loads((seal.FOLDER / "apart.toml").read_text(encoding="utf-8"))["group"]
    assert all(set(group) == {"reason", "files"} and group["reason"] and "\n" not in group["reason"] for group in groups)
    return [name for group in groups for name in group["files"]]


def wrongly_apart(closures: dict[str, list[str]], listed: list[str]) -> dict[str, list[str]]:
    """What is wrong with a list of exceptions, for files with all that each imports, itself among them."""
    imported = {name for name, sources in closures.items() if "models.v" in sources}
    return {
        "not listed": sorted(closures.keys() - imported - set(listed)),
        "imports models.v": sorted(set(listed) & imported),
        "does not exist": sorted(set(listed) - closures.keys()),
        "listed twice": sorted({name for name in listed if listed.count(name) > 1}),
    }


def test_every_file_imports_the_models_or_is_listed():
    wrong = wrongly_apart({name: seal.sources_of(name) for name in seal.files()}, listed_apart())
    assert not any(wrong.values()), wrong


def test_wrong_lists_are_noticed():
    closures = {"models.v": ["models.v"], "a.v": ["a.v", "models.v"], "b.v": ["b.v", "a.v", "models.v"], "c.v": ["c.v"]}
    none = {"not listed": [], "imports models.v": [], "does not exist": [], "listed twice": []}
    assert wrongly_apart(closures, ["c.v"]) == none
    assert wrongly_apart(closures, []) == none | {"not listed": ["c.v"]}
    assert wrongly_apart(closures, ["b.v", "c.v"]) == none | {"imports models.v": ["b.v"]}
    assert wrongly_apart(closures, ["c.v", "d.v"]) == none | {"does not exist": ["d.v"]}
    assert wrongly_apart(closures, ["c.v", "c.v"]) == none | {"listed twice": ["c.v"]}


def test_lines_are_short(sources):
    long = [f"{file}:{i}" for file, text in sources.items() for i, line in enumerate(text.splitlines(), 1) if len(line) > WIDEST]
    assert not long
