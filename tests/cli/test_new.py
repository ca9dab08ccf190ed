"""``lemmata new``: each scaffold is begun in a copy of the tree, whose tests of that room pass; wrong words are refused before anything is written.

Tests that run others in a copy of the tree are those of the stage scaffolds in .ci/run.
"""

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from lemmata.cli.new import with_module

sys.path.insert(0, str(Path(__file__).parents[1] / "scaffolds"))

from begun import CLAIM, EXPERIMENT, FINDING, MODEL, NEW_CLAIM, NOTEBOOK, PAPER, copied, go


@pytest.fixture
def tree(tmp_path):
    return copied(tmp_path)


def tidy(tree, path):
    """The linter and the formatter have nothing to say, where they are installed."""
    if find_spec("ruff"):
        go(tree, "ruff", "check", path)
        go(tree, "ruff", "format", "--check", path)


def passes(tree, *arguments):
    """The tests pass, and some were run."""
    said = go(tree, "pytest", "-n", "0", "-p", "no:cacheprovider", *arguments)
    assert " passed" in said or "." in said.splitlines()[0]


@pytest.mark.scaffolds
def test_a_paper(tree):
    said = go(tree, "lemmata", *PAPER)
    assert said.split()[:2] == ["papers/byron43.toml", "CITATION.cff"]
    assert "Federico Menabrea" in (tree / "CITATION.cff").read_text(encoding="utf-8")
    passes(tree, "tests/papers", "tests/test_house.py", "tests/cli/test_errata.py::test_the_findings_page_is_the_ledgers")


@pytest.mark.scaffolds
@pytest.mark.parametrize(("before", "claim"), [([PAPER], CLAIM), ([], NEW_CLAIM)], ids=["of a new paper", "new"])
def test_a_claim(tree, before, claim):
    for command in before:
        go(tree, "lemmata", *command)
    said = go(tree, "lemmata", *claim)
    id = claim[2]
    assert f"theorems/gating/{id.replace('.', '_')}.py" in said
    assert "it is OPEN" in said
    # what is kept by hand: the module, and its name in the topic
    kept = [path for path in said.splitlines() if path.endswith(".py")]
    assert len(kept) == 2
    assert len([line for line in (tree / kept[0]).read_text(encoding="utf-8").splitlines() if line.strip()]) <= 20
    assert "OPEN" in go(tree, "lemmata", "verify", id, "--sabotage")
    pages = ("findings_page", "page_of_kernel_proofs", "in_its_errata", "ledger_pins_every_claim", "links_between_claims")
    chosen = " or ".join([f"{claim[4]}/{id}", *pages])
    passes(tree, "tests/theorems/test_claims.py", "tests/theorems/test_words.py", "tests/cli/test_errata.py", "-k", chosen)
    tidy(tree, "theorems/gating")


@pytest.mark.scaffolds
def test_a_refutation(tree):
    said = go(tree, "lemmata", *FINDING)
    id = FINDING[2]
    module = f"{id.replace('.', '_')}.py"
    kept = [path for path in said.splitlines() if path.endswith(".py")]
    # what is written by hand: the check, and what the re-checker demands; the topic imports the module
    assert kept == [f"theorems/gating/{module}", f"theorems/recheck/statements/gating/{module}", "theorems/gating/__init__.py"]
    lines = [line for path in kept[:2] for line in (tree / path).read_text(encoding="utf-8").splitlines() if line.strip()]
    assert len([line for line in lines if "proof.lacks" not in line]) <= 20
    assert "OPEN" in go(tree, "lemmata", "verify", id, "--sabotage", "--certificates", "made-out")
    assert f"holds  {id}" in go(tree, "lemmata", "recheck", "made-out")
    tests = [f"tests/theorems/test_{name}.py" for name in ("claims", "words", "counterexamples", "recheck", "schemas", "statements")]
    chosen = "gating or no_demand_is_idle or page_is_fresh or have_words or ledger_pins_every_claim or links_between"
    passes(tree, *tests, "-k", chosen)
    tidy(tree, "theorems/gating")
    tidy(tree, "theorems/recheck/statements/gating")


@pytest.mark.scaffolds
def test_a_model(tree):
    said = go(tree, "lemmata", *MODEL)
    assert "docs/reference/expressivity.md" in said
    assert "delta rule, 0 or 1" in go(tree, "lemmata", "can", "parity", "--model", "binary DeltaNet", code=1)
    passes(tree, "tests/atlas/test_inference.py", "tests/atlas/test_built.py", "-k", "not stored_is_what and not decided_by_entries")


@pytest.mark.scaffolds
def test_an_experiment(tree):
    pytest.importorskip("torch", reason="needs the extra 'torch'")
    said = go(tree, "lemmata", *EXPERIMENT)
    assert said.split()[:2] == ["experiments/new_made.py", "docs/reference/experiments.md"]
    passes(tree, "tests/experiments/test_declared.py", "-k", "table or order or a_module_is")
    made = go(tree, "lemmata", "train", "new.made", "--scale", "smoke", "--out", "train-out")
    assert "'with eigenvalues in [-1, 1] the parity is learnt': no" in made
    assert (tree / "train-out" / "new.made.png").is_file()
    tidy(tree, "experiments/new_made.py")


@pytest.mark.scaffolds
def test_a_notebook(tree):
    assert go(tree, "lemmata", *NOTEBOOK).split() == ["notebooks/gating_made.ipynb"]
    passes(tree, "tests/test_notebooks.py", "-k", "gating_made")


@pytest.mark.parametrize(
    ("command", "change", "why"),
    [
        (PAPER, {"byron43": "grazzi43"}, "expected the first author's family name and two digits"),
        (PAPER, {"Ada Byron": "Ada"}, "expected a given and a family name"),
        (PAPER, {"https://arxiv.org/abs/4301.00001": "arxiv"}, "expected a link"),
        (CLAIM, {}, "expected a known paper"),
        (NEW_CLAIM, {"gating": "gates"}, "expected a known topic"),
        (NEW_CLAIM, {"new.gating.double": "new"}, "expected a new id"),
        (NEW_CLAIM[:-2], {}, "expected --known for what is new"),
        (FINDING, {"misprint": "slip"}, "expected a known flaw"),
        (FINDING, {"grazzi25.thm1.doubled": "grazzi25.doubled"}, "expected a known statement"),
        (FINDING[:-2], {}, "expected --flaw and --letter together"),
        (MODEL, {"delta-nonnegative": "delta"}, "expected a known model"),
        (MODEL, {"binary DeltaNet": "Mamba"}, "expected names that no model has, got Mamba"),
        (MODEL, {"factors == 0 or factors == 1 and beta == 1": "width < 3"}, "for the model delta-binary"),
        (EXPERIMENT, {"new.made": "new.learnability"}, "expected a new name"),
        (EXPERIMENT, {"parity": "party"}, "expected a known topic"),
        (NOTEBOOK, {"gating_made": "gatings"}, "expected a name that begins with a topic"),
        (NOTEBOOK, {"gating_made": "gating"}, "expected no file notebooks/gating.ipynb"),
    ],
)
def test_wrong_words_are_refused(run, command, change, why):
    code, out, err = run(*(change.get(word, word) for word in command))
    assert (code, out) == (2, "")
    assert why in err
    assert err.count("\n") == 1


def test_an_installed_package_has_no_place_for_them(run, tmp_path, monkeypatch):
    monkeypatch.setattr("lemmata.cli.new.ROOT", tmp_path)
    assert "expected a checkout" in run(*NOTEBOOK)[2]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('from . import a, c\n\n__all__ = ["a", "c"]\n', 'from . import a, b, c\n\n__all__ = ["a", "b", "c"]\n'),
        (
            'from . import c, a  # noqa: I001 (order)\n\n__all__ = ["a", "c"]\n',
            'from . import c, a, b  # noqa: I001 (order)\n\n__all__ = ["a", "b", "c"]\n',
        ),
        (
            '"""Words."""\n\nfrom . import (\n    a,\n    c,\n)\n\n__all__ = [\n    "a",\n    "c",\n]\n',
            '"""Words."""\n\nfrom . import a, b, c\n\n__all__ = ["a", "b", "c"]\n',
        ),
    ],
)
def test_a_module_is_imported_where_the_order_wants_it(before, after):
    assert with_module(before, "b") == after


def test_long_lists_are_wrapped_and_packages_without_a_list_refused():
    names = [f"a_long_name_of_a_module_{i}" for i in range(9)]
    text = with_module(f"from . import {', '.join(names)}\n\n__all__ = {names!r}\n", "b")
    assert text.startswith("from . import (\n    a_long_name_of_a_module_0,\n")
    assert text.endswith('    "b",\n]\n')
    with pytest.raises(ValueError, match="expected a package"):
        with_module("from . import a\n", "b")
