"""``lemmata list --numbered``, and the page that says what the others need."""

import json
from dataclasses import replace
from pathlib import Path

from lemmata.cli.numbered import by_the_kernel, numbered_data, numbered_statements
from lemmata.theorems.ledger import ledger

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "formal.md"


def test_the_papers_number_43_theorems_propositions_corollaries_and_lemmas():
    assert {paper: len(groups) for paper, groups in numbered_statements().items()} == {
        "grazzi25": 10,
        "lizaire26": 14,
        "movahedi25": 6,
        "orvieto24": 10,
        "degeeter26": 3,
    }


def test_each_part_is_needed_and_details_are_none():
    found = numbered_statements()["grazzi25"]
    assert {e.id for e in found["Proposition 1.2"]} == {f"grazzi25.prop1.2.{x}" for x in ("contraction", "orthogonal", "permutation")}
    assert [e.id for e in found["Theorem 3"]] == ["grazzi25.thm3"]
    whole = [replace(e, how="formal") for e in found["Proposition 1.2"]]
    assert by_the_kernel(whole)
    assert not by_the_kernel([replace(whole[0], how="exact"), *whole[1:]])


def test_a_repair_counts_for_what_it_repairs():
    assert ledger()["lizaire26.cor1"].how != "formal"
    assert by_the_kernel([ledger()["lizaire26.cor1"]])
    assert not by_the_kernel([ledger()["orvieto24.thm7"]])


def test_the_page_names_each_that_the_kernel_has_not():
    section = PAGE.read_text(encoding="utf-8").partition("## Numbered statements")[2].partition("\n## ")[0]
    rows = [line.split("|")[1:3] for line in section.splitlines() if line.startswith("| ")][1:]
    named = {(paper.strip(), name.strip()) for paper, name in rows}
    assert {(paper, name) for paper, groups in numbered_data().items() for name, row in groups.items() if not row["kernel"]} == named


def test_it_is_printed_and_is_data(run):
    code, out, _ = run("list", "--numbered")
    assert code == 0
    assert "together" in out
    assert json.loads(run("list", "--numbered", "--json")[1]) == numbered_data()
