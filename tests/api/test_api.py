"""``import lemmata as lm``: every public name works, is documented with an example that runs, and loads nothing before it is used."""

import doctest
import importlib
import inspect
import json
import re
import subprocess
import sys
import time
from html import unescape
from io import StringIO
from pathlib import Path
from random import Random

import lemmata as lm
import pytest
from lemmata.api.within import is_within
from lemmata.cli.console import SafeConsole
from lemmata.cli.where import ROOT

NAMES = [name for name in lm.__all__ if not name.startswith("_")]

#: folders with packages of their own, installed or not
PACKAGES = sorted(folder.parent.name for folder in ROOT.glob("*/__init__.py"))


@pytest.mark.parametrize("name", NAMES)
def test_the_example_runs(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    function = getattr(lm, name)
    (test,) = doctest.DocTestFinder(recurse=False).find(function, name, globs={})
    assert test.examples, f"lemmata.{name} has no example"
    failed = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test).failed
    assert failed == 0


@pytest.mark.parametrize("name", NAMES)
def test_the_docstring_says_what_goes_in_what_comes_out_and_what_can_go_wrong(name):
    function = getattr(lm, name)
    doc = inspect.getdoc(function) or ""
    for part in ("Args:", "Returns:", "Raises:", "Example:"):
        assert f"\n{part}\n" in doc, part
    assert _documented(doc) == set(inspect.signature(function).parameters)


def _documented(doc):
    """The names below Args; a line may document several."""
    rows = re.findall(r"^    (\w+(?:, \w+)*): ", doc.split("Args:\n")[1].split("\n\n")[0], re.MULTILINE) if "Args:\n" in doc else []
    return {name for row in rows for name in row.split(", ")}


@pytest.mark.parametrize("name", NAMES)
def test_methods_of_results_say_what_goes_in(name):
    function = getattr(lm, name)
    kind = getattr(importlib.import_module(function.__module__), str(inspect.signature(function).return_annotation), None)
    for base in kind.__mro__ if inspect.isclass(kind) else ():
        for method, body in vars(base).items() if base.__module__.startswith("lemmata.") else ():
            if not method.startswith("_") and inspect.isfunction(body):
                doc = inspect.getdoc(body) or ""
                assert doc, f"{base.__name__}.{method}"
                assert _documented(doc) == set(inspect.signature(body).parameters) - {"self"}, f"{base.__name__}.{method}"


@pytest.mark.parametrize("name", NAMES)
def test_every_signature_is_typed(name):
    function = getattr(lm, name)
    annotated = {k for k, p in inspect.signature(function).parameters.items() if p.annotation is not inspect.Parameter.empty}
    assert annotated == set(inspect.signature(function).parameters)
    assert inspect.signature(function).return_annotation is not inspect.Signature.empty


def test_no_public_name_is_a_rooms():
    assert not set(NAMES) & set(PACKAGES)
    rooms = [room for room in PACKAGES if room not in ("tests", "benchmarks")]
    for room in rooms:
        importlib.import_module(f"lemmata.{room}")
    for name in NAMES:
        assert callable(getattr(lm, name)), name
        assert not inspect.ismodule(getattr(lm, name)), name


def test_editors_see_every_name():
    assert set(NAMES) <= set(dir(lm))
    text = (ROOT / "__init__.py").read_text(encoding="utf-8")
    lines = re.findall(r"^    from \.[\w.]+ import ([\w, ]+)$", text.split("if TYPE_CHECKING:")[1].split("__version__")[0], re.MULTILINE)
    imported = [name for line in lines for name in line.split(", ")]
    assert sorted(imported) == sorted(NAMES)
    with pytest.raises(AttributeError, match="has no attribute 'prove'"):
        _ = lm.prove


def test_importing_loads_nothing():
    code = "import sys, lemmata; print(*sys.modules)"
    loaded = set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())
    assert not loaded & {"torch", "numpy", "sympy", "flint", "rich", "typer"}
    assert not {m for m in loaded if m.startswith("lemmata.")}


def test_reading_the_ledger_needs_no_mathematics():
    code = (
        "import sys, lemmata as lm; str(lm.show('grazzi25.thm2')); str(lm.claims()); str(lm.can('S5', model='DeltaNet')); "
        "str(lm.witness('grazzi25.thm2')); str(lm.errata('grazzi25')); print(*sys.modules)"
    )
    # the evidence that these show is stored
    assert str(lm.witness("grazzi25.thm2"))
    assert str(lm.errata("grazzi25"))
    loaded = set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())
    assert not loaded & {"torch", "numpy", "sympy", "flint", "scipy", "matplotlib"}


def test_compiling_a_group_needs_no_scipy_and_no_sympy():
    code = "import sys, lemmata as lm; made = lm.compile(group='S5'); str(made); print(*sys.modules)"
    loaded = set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())
    assert not loaded & {"torch", "sympy", "scipy", "matplotlib"}


@pytest.mark.parametrize(
    ("arguments", "limit"),
    [
        (["-c", "import lemmata"], 0.2),
        (["--help"], 0.3),
        (["list"], 0.5),
        (["show", "grazzi25.thm2"], 0.5),
        (["can"], 0.5),
        (["can", "--model", "DeltaNet"], 0.5),
    ],
)
def test_commands_that_read_answer_at_once(arguments, limit):
    """Whole processes, in seconds of this processor, the best of three; a busy machine takes longer by the clock."""
    import resource

    taken = []
    while len(taken) < 3 and not (taken and taken[-1] < 2 * limit):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *(["-m", "lemmata"] if arguments[0] != "-c" else []), *arguments], capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken.append(after.ru_utime - before.ru_utime)
        time.sleep(0.01)
    # twice the limit: processors differ, and the tests run on all cores at once
    assert min(taken) < 2 * limit


# -- what a string is taken to be ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "took"),
    [
        ("parity", "task parity"),
        ("S5", "group S5"),
        ("C2xC6", "group C2xC6"),
        ("16.7", "group 16.7"),
        ("(a|b)*abb", "regex (a|b)*abb"),
        ("ab", "regex ab"),
    ],
)
def test_a_string_is_a_task_a_group_or_an_expression(text, took):
    assert lm.compile(text).took == took


@pytest.mark.parametrize(
    ("text", "took"), [("C7", "group C7, of which one generator is the letter"), ("(ab)*", "regex (ab)*"), ("abba", "regex abba")]
)
def test_a_bare_text_that_is_no_task_is_another_language(text, took):
    answer = lm.can(text)
    assert answer.took == took
    assert answer.precision == "exact"


@pytest.mark.parametrize("function", [lm.can, lm.compile])
def test_a_task_that_is_misspelt_is_no_expression(function):
    with pytest.raises(ValueError, match=r"got partiy \(did you mean parity\?\)") as error:
        function("partiy")
    assert "\n" not in str(error.value)
    assert function(regex="partiy").took == "regex partiy"


def test_a_name_is_a_row_and_a_group_by_its_generators_a_language():
    assert lm.can("S5").task == lm.can("s_5").task == "S5"
    assert lm.can(group="S5").took == "group S5, of which 2 generators are the letters"
    assert lm.can(group="S3", elements=True).took == "group S3, of which every element is a letter"
    assert lm.can("(aa)*").took == "task (aa)*"
    assert lm.can(regex="(ab)*").took == "regex (ab)*"


@pytest.mark.parametrize("function", [lm.compile, lm.can, lambda *a, **k: lm.certify("model.pt", *a, **k)])
def test_two_inputs_are_refused(function):
    with pytest.raises(ValueError, match="expected one input, got task and regex"):
        function("parity", regex="a*")


def test_options_of_a_language_are_refused_about_a_task():
    for options in ({"alphabet": "ab"}, {"elements": True}, {"complete": True}):
        with pytest.raises(ValueError, match=f"expected {next(iter(options))} with regex"):
            lm.can("parity", **options)


def test_an_input_is_asked_for():
    for function in (lm.compile, lambda: lm.certify("model.pt")):
        with pytest.raises(ValueError, match="expected one of task, regex, automaton, group and generators, got none"):
            function()


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"group": "S3", "alphabet": "ab"}, "expected alphabet with regex only, got it with group"),
        ({"regex": "a", "elements": True}, "expected elements with group or generators only, got it with regex"),
        ({"task": "parity", "complete": True}, "expected complete with automaton only, got it with task"),
        ({"task": "parity", "hybrid": True}, "expected hybrid with bmru only"),
        ({"task": "parity", "bmru": True, "prefer": "narrow"}, "expected bmru without construction and prefer"),
    ],
)
def test_options_without_their_input_are_refused(options, why):
    with pytest.raises(ValueError, match=why):
        lm.compile(**options)


def test_a_network_in_a_model_or_none():
    assert lm.compile("S4", elements=True, model="DeltaProduct_4").network.widths == [4]
    with pytest.raises(ValueError, match=r"expected a network of the model delta rule, \[0, 1\], got one of: four Householder factors"):
        lm.compile("S4", elements=True, model="DeltaNet [0, 1]")
    assert lm.compile("parity", model="DeltaNet").network.widths == [1]  # of DeltaNet [-1, 1], one of the rows of that name
    with pytest.raises(ValueError, match="did you mean DeltaNet"):
        lm.compile("S5", model="DeltaNett")


def test_an_automaton_from_python_or_a_file(tmp_path):
    made = lm.compile(regex="(ab)*")
    again = lm.compile(automaton=made.network.automaton)
    assert again.took == "automaton"
    assert [yes for _, yes in again.run("abab")] == [yes for _, yes in made.run("abab")] == [False, True, False, True]
    (tmp_path / "dfa.json").write_text('{"table": {"a": [1, 0]}, "accepting": [0]}', encoding="utf-8")
    assert [yes for _, yes in lm.compile(automaton=tmp_path / "dfa.json").run("aaa")] == [False, True, False]


def test_a_network_is_saved_with_its_weights_and_rechecked(tmp_path):
    torch = pytest.importorskip("torch", reason="needs the extra 'torch'")
    made = lm.compile("S3")
    files = made.save(tmp_path / "s3.json", draw=tmp_path / "s3.svg")
    assert [f.name for f in files] == ["s3.json", "s3.json.pt", "s3.svg"]
    assert lm.recheck(tmp_path / "s3.json").holds
    module = made.to_torch(torch.float32)
    assert module(module.encode(["swap", "cycle"])).shape == (1, 2)
    with pytest.raises(ValueError, match="expected another name"):
        made.save(tmp_path / "s3.pt")
    (tmp_path / "s3.json").write_text("{}", encoding="utf-8")
    found = lm.recheck(tmp_path / "s3.json")
    assert not found.holds
    assert "REJECTED s3.json" in str(found)


def test_trained_weights_are_certified_and_saved(tmp_path):
    torch = pytest.importorskip("torch", reason="needs the extra 'torch'")
    torch.save(lm.compile("S3").to_torch(trainable=True).state_dict(), tmp_path / "model.pt")
    found = lm.certify(tmp_path / "model.pt", "S3")
    assert (found.verdict, found.took) == ("right", "group S3")
    assert lm.recheck(found.save(tmp_path / "exact.json")).holds
    for tolerance, limit in ((0.6, 10), (-0.1, 10), (0.2, 0)):
        with pytest.raises(ValueError, match=r"expected a tolerance from 0 to 0\.5 and a limit of at least 1"):
            lm.certify(tmp_path / "model.pt", "S3", tolerance=tolerance, limit=limit)


# -- how results print --------------------------------------------------------------------------------------------------------


RESULTS = {
    "can": lambda: lm.can("S5", model="DeltaNet [0, 1]"),
    "a row": lambda: lm.can(model="BMRU").at("rounded"),
    "the table": lm.can,
    "show": lambda: lm.show("grazzi25.thm2"),
    "show all": lambda: lm.show("grazzi25.thm2", full=True),
    "witness": lambda: lm.witness("grazzi25.thm2.display"),
    "cite": lambda: lm.cite("new.depth.finite-length"),
    "claims": lambda: lm.claims(paper="degeeter26"),
    "compile": lambda: lm.compile("parity"),
    "a bistable network": lambda: lm.compile("a*b+", bmru=True),
    "verify": lambda: lm.verify("grazzi25.prop1.3", sabotage=True),
}


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_prints_the_same_in_a_terminal_and_in_a_notebook(name, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    found = RESULTS[name]()
    text, html = str(found), found._repr_html_()
    assert text == repr(found)
    assert "\x1b" not in text + html
    assert html.startswith("<pre ")
    shown = unescape(re.sub(r"<[^>]+>", "", html))
    assert [line.rstrip() for line in shown.rstrip().splitlines()] == text.splitlines()
    json.dumps(found.data, default=str)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("can", ["can", "S5", "--model", "DeltaNet [0, 1]"]),
        ("the table", ["can"]),
        ("show", ["show", "grazzi25.thm2"]),
        ("show all", ["show", "grazzi25.thm2", "--full"]),
        ("witness", ["witness", "grazzi25.thm2.display"]),
        ("cite", ["cite", "new.depth.finite-length"]),
        ("claims", ["list", "--paper", "degeeter26"]),
        ("compile", ["compile", "--task", "parity"]),
        ("a bistable network", ["compile", "--regex", "a*b+", "--bmru"]),
    ],
)
def test_the_command_line_prints_the_same(run, name, arguments, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    out = run(*arguments)[1]
    assert [line.rstrip() for line in out.rstrip().splitlines()] == str(RESULTS[name]()).splitlines()


def test_a_letter_is_markdown_and_a_figure_a_picture(tmp_path):
    letter = lm.errata("lizaire26")
    assert letter._repr_markdown_() == letter.markdown
    assert letter._repr_html_ is None
    with pytest.raises(ValueError, match=r"ends in \.md or \.tex"):
        letter.save(tmp_path / "letter.txt")
    drawn = lm.draw("grazzi25.fig2", tmp_path)
    assert drawn._repr_html_().startswith('<img alt="grazzi25.fig2"')
    assert drawn.outcome in str(drawn)
    assert {Path(f).suffix for f in drawn.data} >= {".png", ".svg", ".csv"}


def test_an_answer_names_its_arithmetic():
    answer = lm.can("parity", model="DeltaNet [0, 1]")
    assert (answer.says(), answer.says(precision="rounded")) == ("no", "yes")
    with pytest.raises(ValueError, match="did you mean exact"):
        answer.at("exat")
    with pytest.raises(ValueError, match="expected a question about one model and one task"):
        lm.can("parity").says()
    assert {c["precision"] for c in lm.can("parity").at("rounded").data} == {"rounded"}
    assert len(lm.claims()) == len(lm.claims()[:]) == len(lm.claims().ids)


def test_bistable_layers_have_no_picture(tmp_path):
    with pytest.raises(ValueError, match="linear layers for a picture"):
        lm.compile("a*b+", bmru=True).save(tmp_path / "network.json", draw=tmp_path / "network.svg")
    assert list(tmp_path.iterdir()) == []


def test_a_result_that_is_printed_in_a_notebook_is_one_text(monkeypatch):
    """Rich shows what it prints in Jupyter by itself, part by part; a result is shown once, by the notebook."""
    shell = type("ZMQInteractiveShell", (), {})()
    shown = []
    monkeypatch.setattr("builtins.get_ipython", lambda: shell, raising=False)
    monkeypatch.setattr("rich.jupyter.display", lambda *parts: shown.append(parts))
    SafeConsole(file=StringIO()).print("noticed")
    assert len(shown) == 1
    answer = lm.can("a*b*", model="BMRU")
    assert len(str(answer).splitlines()) > 5
    assert answer._repr_html_().startswith("<pre ")
    assert len(shown) == 1


@pytest.mark.parametrize(
    ("task", "model", "widths"),
    [
        # a group's default is one layer of more factors; no automaton of another class is built where the first one is within
        ("S3", "DeltaNet [-1, 1]", [2, 2]),
        ("C4", "diagonal-signed", [1, 1, 1]),
        ("(a|b|c)*ac*", "DeltaNet [0, 1]", [1]),
        ("a*b*", "diagonal-nonnegative", [1, 2, 1, 1, 3, 1, 1]),
        ("(a|b)*aba(a|b)*", "diagonal-nonnegative-convolution", [3, 1]),
        ("(a|b)*aba(a|b)*", "DeltaNet [0, 1] with convolution", [3, 1]),
        ("b*(a+b+a+b+)*a*", "Mamba [-1, 1]", [2, 1]),
        ("(a|b)*abb", "open-diagonal-convolution", [3]),
        ("a*b*", "delta-nonnegative", [1] * 10),
    ],
)
def test_a_network_within_a_model_is_looked_for(task, model, widths):
    made = lm.compile(task, model=model)
    assert made.network.widths == widths
    assert is_within(made.document, model)
    rng = Random(0)
    letters = made.network.automaton.letters
    word = [rng.choice(letters) for _ in range(60)]
    assert [q for q, _ in made.run(word)] == [made.network.automaton.name(q) for q in made.network.automaton.run(word)]


def test_where_no_network_is_within_a_model():
    with pytest.raises(ValueError, match="none exists: lemmata can says why"):
        lm.compile("S3", model="DeltaNet [0, 1]")
    with pytest.raises(ValueError, match="none of the constructions gives one"):
        lm.compile("(aab|ba)*", model="diagonal-nonnegative-convolution")
    # a construction that is named is only checked
    with pytest.raises(ValueError, match=r"got one of: [^;]*$"):
        lm.compile("S3", construction="signed", model="DeltaNet [-1, 1]")
