"""No numbered statement of a paper is forgotten, and the ledger is worth what it says."""

import ast
from pathlib import Path

import pytest
from lemmata.papers import papers
from lemmata.theorems.ledger import TOPICS, ledger
from lemmata.theorems.recheck import statements
from lemmata.theorems.recheck.registry import COVERS, DEMANDS

ENTRIES = ledger()

STATEMENTS = Path(statements.__file__).parent


@pytest.mark.parametrize("id", [f"{paper.key}.{place}" for paper in papers().values() for place in paper.statements])
def test_every_numbered_statement_has_an_entry(id):
    found = [e for e in ENTRIES.values() if e.id == id or e.id.startswith(f"{id}.")]
    assert [e.id for e in found if e.kind == "statement"]


def test_at_least_sixty_claims_are_proved():
    assert sum(e.verdict == "PROVED" for e in ENTRIES.values()) >= 60


def test_nearly_every_refutation_can_be_checked_by_others():
    refuted = [e for e in ENTRIES.values() if e.verdict == "REFUTED"]
    without = [e.id for e in refuted if not e.certificates]
    assert len(without) <= 0.05 * len(refuted), without


def test_two_thirds_of_all_claims_can_be_checked_by_others():
    assert sum(bool(e.certificates) for e in ENTRIES.values()) >= 2 / 3 * len(ENTRIES)


def test_the_demands_stand_in_a_file_or_a_folder_for_each_topic():
    assert sorted(path.stem for path in STATEMENTS.iterdir() if path.stem not in ("__init__", "__pycache__")) == sorted(TOPICS)


def test_the_demands_of_a_claim_stand_where_its_check_stands():
    for claim, demand in [*((claim, d) for (claim, _), d in DEMANDS.items()), *COVERS.items()]:
        topic = demand.__module__.partition(".statements.")[2].split(".")[0]
        assert topic == ledger()[claim].topic, claim


def test_no_file_of_demands_is_too_long_to_read():
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in STATEMENTS.rglob("*.py")}
    assert {path.name: n for path, n in lengths.items() if n > 500} == {}


def test_every_function_of_the_re_checker_has_a_complete_signature():
    for path in STATEMENTS.parent.rglob("*.py"):
        for f in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(f, ast.FunctionDef):
                arguments = [*f.args.posonlyargs, *f.args.args, *f.args.kwonlyargs, f.args.vararg, f.args.kwarg]
                assert all(a is None or a.annotation or a.arg == "self" for a in arguments), f"{path.name}: {f.name}"
                assert f.returns, f"{path.name}: {f.name}"
