"""``lemmata list`` and what it is made from."""

import json
import subprocess
import sys
from dataclasses import replace

import pytest
from lemmata.cli.order import arranged
from lemmata.theorems import entries
from lemmata.theorems.ledger import FLAWS, VERDICTS, tally


def test_most_serious_first_and_each_finding_below_its_statement(book):
    order = [(depth, e.id) for depth, e in arranged(entries())["lizaire26"]]
    assert order == [
        (0, "lizaire26.thm2"),
        (1, "lizaire26.thm2.amended"),
        (0, "lizaire26.thm1"),
        (1, "lizaire26.thm1.proof"),
        (1, "lizaire26.thm1.index"),
        (2, "lizaire26.thm1.index.amended"),
        (0, "lizaire26.lemma1"),
        (0, "lizaire26.thm3"),
        (0, "lizaire26.thm4"),
    ]


def test_every_entry_of_the_ledger_is_listed_once():
    listed = [e.id for rows in arranged(entries()).values() for _, e in rows]
    assert sorted(listed) == sorted(e.id for e in entries())


def test_a_finding_whose_statement_was_not_chosen_names_it(book, run):
    code, out, _ = run("list", "--flaw", "gap")
    assert code == 0
    assert "lizaire26.thm1.proof  of lizaire26.thm1" in out
    assert "lizaire26.thm2" not in out


def test_the_counts(book):
    row = tally(entries())["lizaire26"]
    assert row == {
        "PROVED": 1,
        "DERIVED": 0,
        "CHECKED": 1,
        "REFUTED": 1,
        "CITED": 1,
        "OPEN": 1,
        "false": 0,
        "gap": 1,
        "overstatement": 0,
        "misprint": 1,
        "remark": 0,
        "amended": 2,
    }
    assert tally(entries())["new"]["CHECKED"] == 1


def test_findings_of_one_slip_count_once_and_a_remark_beside_what_is_wrong(book):
    everything = entries()
    (gap,) = entries(["lizaire26.thm1.proof"])
    slip = replace(gap, id="lizaire26.thm2.again", root=gap.id)
    remark = replace(gap, id="lizaire26.thm2.word", flaw="remark")
    book([*everything, slip, remark])
    row = tally(entries())["lizaire26"]
    assert (row["gap"], row["remark"]) == (1, 1)
    assert (remark.fault, remark.wrong, slip.wrong) == ("remark", False, True)


def test_the_counts_are_of_all_entries_and_printed_in_markdown(run):
    assert sum(sum(row.values()) for row in tally(entries()).values()) == sum(e.root is None for e in entries())
    code, out, _ = run("list", "--markdown")
    assert code == 0
    head, _, *rows = out.splitlines()
    assert head == "| " + " | ".join(("paper", *VERDICTS, *FLAWS, "amended")) + " |"
    assert rows == [f"| {paper} | " + " | ".join(map(str, row.values())) + " |" for paper, row in tally(entries()).items()]


def test_80_columns_with_whole_ids_and_words(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    _, out, _ = run("list")
    assert max(map(len, out.splitlines())) <= 80
    words = set(out.split())
    for e in entries():
        assert e.id in words
        assert set(e.title.split()) <= words


def test_filters(run):
    for option, values in (("--verdict", VERDICTS), ("--flaw", FLAWS), ("--topic", ("parity", "depth")), ("--paper", ("new", "grazzi25"))):
        for value in values:
            code, out, err = run("list", option, value, "--json")
            if code:
                assert err == "lemmata: expected at least one claim, got none for this choice of papers, topics, flaws and verdicts\n"
            else:
                name = {"--flaw": "fault"}.get(option, option[2:])
                assert {e[name] for e in json.loads(out)} == {value}


def test_filters_are_repeatable_and_combine(run):
    code, out, _ = run("list", "--paper", "movahedi25", "--paper", "grazzi25", "--topic", "householder", "--json")
    assert code == 0
    assert {(e["paper"], e["topic"]) for e in json.loads(out)} == {("movahedi25", "householder"), ("grazzi25", "householder")}


def test_json_has_findings_and_repairs(book, run):
    _, out, _ = run("list", "--json")
    cards = {c["id"]: c for c in json.loads(out)}
    assert cards["lizaire26.thm1"]["findings"] == ["lizaire26.thm1.proof", "lizaire26.thm1.index"]
    assert cards["lizaire26.thm2"]["repairs"] == ["lizaire26.thm2.amended"]
    assert cards["lizaire26.thm2"]["fault"] == "false"


@pytest.fixture(scope="module")
def loaded():
    """The modules that an interpreter has loaded after list, show, witness, errata and --version."""
    some = entries()[0].id
    # the evidence that these show is stored
    assert [e.evidence for e in entries(papers=["grazzi25"]) if e.id == some or e.verdict in ("REFUTED", "CITED", "OPEN")]
    commands = [["--version"], ["list"], ["list", "--json"], ["show", some], ["witness", some], ["errata", "grazzi25"]]
    code = f"""
import contextlib, io, sys
from lemmata import cli
from lemmata.theorems import entries
for arguments in {commands!r}:
    sys.argv = ["lemmata", *arguments]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        cli.main()
print(*sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize("heavy", ["numpy", "scipy", "sympy", "flint", "matplotlib", "xarray", "torch", "networkx", "automata", "numba"])
def test_reading_the_ledger_imports_no_mathematics(loaded, heavy):
    assert "lemmata.cli.show" in loaded
    assert heavy not in loaded
