"""The Rocq files share their models: each of these names, and a type of stacks, is defined once, in ``models.v`` or ``classes.v``.

All files import ``models.v`` but for those listed. No line is longer than 120 columns.
"""

from __future__ import annotations

import re
import tomllib

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

#: types that are built up as stacks are, but not of layers: Theorem 5's cascades of automata, which become stacks there
OTHER_STACKS = {"automata.v": ["cascade"]}

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


def stacks(text: str) -> list[str]:
    """The inductive types with a constructor that takes one value of the type, what is below, and something on top of it."""
    found = []
    for name, sort, body in re.findall(r"\b(?:Co)?Inductive\s+(\w+)((?:(?!:=).)*):=(.*?)\.(?=\s|$)", code(text), re.DOTALL):
        if not re.search(r"\bProp\s*$", sort) and any(is_on_top(name, one) for one in body.split("|")):
            found.append(name)
    return found


def is_on_top(name: str, constructor: str) -> bool:
    """Whether a constructor takes one value of the type of this name, and something else."""
    depth, pieces = 0, [""]
    for sign in re.findall(r"->|[()&]|\bof\b|:|\w+|\S|\s", constructor):
        depth += (sign == "(") - (sign == ")")
        if (sign == "(" and depth == 1) or (depth == 0 and sign in ("->", "&", "of", ":")):
            pieces.append("")
        pieces[-1] += sign
    # the name of the constructor comes first, the type of what it makes last if it is written
    taken = [piece for piece in pieces[1:] if re.search(r"\w", piece.removeprefix("of"))]
    if re.search(r"^\s*(:|->)", pieces[-1]) and taken:
        taken.pop()
    below = [piece for piece in taken if re.search(rf"\b{name}\b", piece)]
    return len(below) == 1 and len(taken) > 1


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


def test_there_is_one_type_of_stacks(sources):
    assert {file: found for file, text in sources.items() if (found := stacks(text))} == {"models.v": ["stack"]} | OTHER_STACKS


@pytest.mark.parametrize(
    "text",
    [
        "Inductive tower (T : eqType) : eqType -> Type :=\n| Bottom S of layer T S : tower T S\n| On S U of tower T S & layer S U : tower T U.",
        "Inductive tower : Type -> Type :=\n| Low (Q Z : Type) (act : L -> Q) : tower Z\n| On (M Z : Type) (below : tower M) (act : M -> Z) : tower Z.",
        "Inductive tower := Bottom | On of tower & layer.",
        "Inductive tower := Bottom : tower | On : layer -> tower -> tower.",
        "Inductive tower := Bottom | On (below : tower) (l : layer).",
    ],
)
def test_other_stacks_are_noticed(text):
    assert stacks(text) == ["tower"]


@pytest.mark.parametrize(
    "text",
    [
        "Inductive tree := Leaf of T | Node of tree & tree.",
        "Inductive move (m : nat) := Permute of 'S_m | Reset of 'I_m.",
        "Inductive span : 'cV_m -> Prop := Zero : span 0 | Add v a of span v & F : span (v + a).",
        "(* Inductive tower := Bottom | On of tower & layer. *)",
    ],
)
def test_trees_and_predicates_are_no_stacks(text):
    assert stacks(text) == []


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
