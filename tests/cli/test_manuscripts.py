"""The manuscripts: their claims stand as they say, their numbers have sources, their tables hold what they should, and LaTeX takes them."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from lemmata.atlas.languages import table
from lemmata.cli.manuscript_audit import body, faults, listed, numbers
from lemmata.cli.manuscript_tables import ARITHMETICS, CLASSES, census, classes, cycle_of_three, depths, first_open, machines
from lemmata.cli.manuscripts import MANUSCRIPTS, STATEMENT, WRITERS, cited, measured, said, shortened, source
from lemmata.constructions.languages import PROPERTIES
from lemmata.theorems.ledger import ledger

each_manuscript = pytest.mark.parametrize("name", MANUSCRIPTS)


@each_manuscript
def test_every_claim_and_every_number_has_its_source(name):
    assert faults(name) == []
    assert len(cited(source(name))) >= 15


@each_manuscript
def test_a_wrong_verdict_a_claim_that_is_not_and_a_number_from_nowhere_are_noticed(name):
    text = source(name)
    (id, verdict, method), *_ = cited(text)
    stated = rf"\ledger{{{id}}}{{{verdict}}}{{{method}}}"
    wrong = {
        stated.replace(verdict, "CITED"): f"{id} is {verdict}, {method}; the text says CITED, {method}",
        stated.replace(method, "sampled"): f"the text says {verdict}, sampled",
        stated.replace(id, "new.no.claim"): "no claim new.no.claim",
        "": "names no claim",
        stated + r" We tried 4711 layers.": "number 4711 stands in the words",
        stated + r" It is at most $0.815$.": "number 0.815 is not listed",
        stated + r" There are $\measured{nothing}$.": "no number nothing",
        stated + r" \rows{nowhere}": "no file nowhere",
        stated + r" See \cmd{new.not.there}.": "no claim new.not.there",
    }
    for instead, fault in wrong.items():
        assert any(fault in found for found in faults(name, text.replace(stated, instead))), fault


def test_listed_numbers_that_are_gone_are_noticed():
    assert "listed number 3213 is not there" in faults("languages", source("languages").replace("3213", "0122"))


def test_what_counts_as_a_number():
    text = r"\begin{document}In bfloat16, step 2, 17 of $\frac12+\frac{13}{256}$, \ref{thm:9} % 99" + "\n" + r"\begin{thebibliography} 1965"
    assert numbers(text) == (["17"], ["13", "256"])
    assert "1965" not in body(text)
    picture = r"\begin{tikzpicture}[x=9mm] \draw (0.5,1)--(2,3); \node[left] at (7,8) {$h=41$ of 52}; \end{tikzpicture}"
    assert numbers(picture) == (["52"], ["41"])


def test_the_table_of_depths():
    lines = {line.split(" & ")[0]: line.removesuffix(r" \\").split(" & ")[1:] for line in depths().splitlines()}
    assert set(lines) == set(machines())
    # n - 1 for all maps and all order-preserving maps of n points, in both arithmetics
    for name, (states, _, exact, margin) in lines.items():
        if name.endswith("points"):
            assert int(exact) == int(margin) == int(states) - 1
    assert lines["$a^*b^*$"][2:] == ["2", "1"]
    assert lines["letters $0122$, $3213$, $0312$"][2:] == ["3", "2"]


def test_the_table_of_classes_has_every_exact_row():
    rows = [row for row in table().rows if row.exactly is not None and row.arithmetic in ARITHMETICS]
    assert set(CLASSES) <= set(PROPERTIES)
    lines = classes().splitlines()
    assert len(lines) == len(rows)
    assert {line.split(" & ")[1] for line in lines} == {"E", "M"}


def test_every_statement_has_its_row():
    for name in MANUSCRIPTS:
        ids = [id for statement in STATEMENT.finditer(source(name)) for id, *_ in cited(statement[0])]
        made = WRITERS[f"reproduce-{name}.tex"]()
        assert re.findall(r"\\cmd\{([^}]+)\}", made) == ids
        assert [line.split(" & ")[2] for line in made.splitlines()] == [ledger()[id].verdict for id in ids]


def test_the_table_of_small_automata_adds_up():
    lines = [line.removesuffix(r" \\").replace("{,}", "").split(" & ") for line in census().splitlines()]
    assert {line[0] for line in lines} == {"E", "M"}
    # what is neither decided nor open has no bound
    assert all(int(decided) + int(still) <= int(number) for *_, number, decided, still in lines)
    assert re.fullmatch(r"(\$[a-z]:\d+\\mapsto\d+\$( and )?)+%\n", first_open())


def test_the_cycle_of_three_returns():
    lines = [line.split(" & ") for line in cycle_of_three().splitlines()]
    assert [line[0] for line in lines] == ["$h_0$", "$h_1$", "$h_2$"]
    assert len({tuple(line[1:4]) for line in lines}) == 3


def test_a_number_must_be_said_once():
    assert said("new.automata.rounded.solvable", r"their ([\d,]+) states").value == "72"
    with pytest.raises(ValueError, match="expected one number"):
        said("new.automata.rounded.solvable", r"([\d,]+)")


def test_every_number_is_printed():
    used = {key for name in MANUSCRIPTS for key in re.findall(r"\\measured\{(\w+)\}", source(name))}
    assert used == set(measured())


def test_long_scopes_are_shortened_at_a_part():
    assert shortened("a; b") == "a; b"
    assert shortened("one part; " + "x" * 200) == "one part; ..."


def test_lists_are_of_the_manuscripts():
    assert set(listed()) == set(MANUSCRIPTS)
    assert all(reason for name in MANUSCRIPTS for reason in listed()[name]["numbers"].values())
    for name in MANUSCRIPTS:
        assert all(phrase in source(name) for phrase in listed()[name]["phrases"])


@pytest.mark.programs
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
def test_both_papers_are_built(tmp_path):
    ran = subprocess.run(
        [sys.executable, "-P", "-m", "lemmata.cli.manuscripts", "--build", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert [Path(line).name for line in ran.stdout.split()] == ["languages.pdf", "rounding.pdf"]
    for name in MANUSCRIPTS:
        log = (tmp_path / f"{name}.log").read_text(encoding="utf-8", errors="replace")
        assert "undefined" not in log
        (pages,) = re.findall(r"\((\d+) pages", log)
        assert 8 <= int(pages) <= 40
