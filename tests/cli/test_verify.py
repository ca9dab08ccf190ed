"""``lemmata verify``, ``recheck`` and ``pin``: checks against the ledger."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from lemmata.cli.verify import summary
from lemmata.theorems import claims, entries, ledger
from lemmata.theorems.records import Record, record

#: two claims whose checks take no time, one that stands and one that does not
PARITY = entries(topics=["parity"])
STANDS = "grazzi25.thm1.converse"
FALLS = next(e.id for e in PARITY if e.verdict == "REFUTED")


@pytest.fixture(autouse=True)
def nothing_is_stored(monkeypatch):
    """Some records here are made up."""
    monkeypatch.setattr("lemmata.theorems.records.keep", lambda record, effort: None)


def test_verdict_class_how_and_scope_of_each_claim(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    code, out, _ = run("verify", STANDS, FALLS)
    assert code == 0
    words = " ".join(out.split())
    for e in entries([STANDS, FALLS]):
        assert f"{e.verdict} {e.id}" in words
        # the class stands in the left column, between the words of the title
        assert set(f"{e.how}; {e.scope} {e.fault or ''} {e.title}".split()) <= set(out.split())
    assert "all as expected" in out
    assert max(map(len, out.splitlines())) <= 80


def a_record(verdict, flaw=None):
    names = ("id", "paper", "topic", "title", "how", "scope", "expected_how")
    kind = "finding" if flaw else "statement"
    return Record(
        **dict.fromkeys(names, "x"), kind=kind, flaw=flaw, verdict=verdict, expected=verdict, expected_scope="x", seconds=0.5, sabotages={}
    )


def test_the_summary_counts_refutations_by_class():
    records = [a_record("PROVED"), a_record("REFUTED"), a_record("REFUTED", "gap"), a_record("REFUTED", "gap"), a_record("CHECKED")]
    assert summary(records) == "5 claims: 1 PROVED, 1 CHECKED, 3 REFUTED (1 false, 2 gap); all as expected; 2.5 s"


def test_json_is_strict_and_nothing_else(run):
    code, out, _ = run("verify", FALLS, "--json", "--sabotage")

    def refuse(word):
        raise AssertionError(f"{word} is no JSON")

    (record,) = json.loads(out, parse_constant=refuse)["records"]
    assert code == 0
    assert set(record) >= {"id", "paper", "topic", "verdict", "fault", "expected", "how", "scope", "seconds", "sabotages"}
    assert all(record["sabotages"].values())


def test_json_has_the_form_of_its_schema(run):
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((Path(__file__).parent / "verify.schema.json").read_text(encoding="utf-8"))
    document = json.loads(run("verify", STANDS, FALLS, "--effort", "quick", "--json")[1])
    jsonschema.validate(document, schema)
    assert document["header"]["effort"] == "quick"
    assert {r["id"] for r in document["records"]} == {STANDS, FALLS}
    for part in ("header", "records"):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({k: v for k, v in document.items() if k != part}, schema)


def test_what_was_not_compared_is_listed(run, monkeypatch):
    monkeypatch.setattr("lemmata.theorems.evidence.find_spec", lambda name: None)
    code, out, _ = run("verify", "degeeter26.eq13", "--effort", "quick")
    assert code == 0
    assert "not compared: needs torch (degeeter26.eq13)" in out


def test_comparisons_of_implementations_are_counted(run):
    code, out, _ = run("verify", "new.bistable.depth", "--effort", "quick")
    assert code == 0
    count = sum(step["count"] for step in record(*claims(["new.bistable.depth"]), "quick").compared)
    assert count > 0
    assert f"\n{count} comparisons of implementations with exact references" in out


def test_json_of_records_has_no_infinities(run, monkeypatch):
    monkeypatch.setattr(
        "lemmata.theorems.records.record", lambda *a: replace(a_record("CHECKED"), id=STANDS, steps=[{"margin": float("inf")}])
    )
    (record,) = json.loads(run("verify", STANDS, "--json")[1])["records"]
    assert record["steps"] == [{"margin": "inf"}]


@pytest.mark.parametrize("name", ["verdict", "how", "scope"])
def test_what_is_not_as_pinned_exits_with_one(run, monkeypatch, name):
    pinned = replace(ledger.ledger()[STANDS], **{name: {"verdict": "REFUTED", "how": "float", "scope": "another scope"}[name]})
    monkeypatch.setattr("lemmata.theorems.records.ledger", lambda: {STANDS: pinned})
    code, out, err = run("verify", STANDS)
    assert code == 1
    assert "1 NOT as expected" in out
    assert err.startswith(f"{STANDS}: pinned as {pinned.verdict}, {pinned.how}, scope {pinned.scope!r}; came out as ")


def test_a_missed_sabotage_exits_with_one(run, monkeypatch):
    monkeypatch.setattr("lemmata.theorems.records.is_caught", lambda *a: False)
    code, out, err = run("verify", STANDS, "--sabotage")
    assert code == 1
    assert "sabotages: 0/" in out
    assert "sabotage not noticed" in err


def test_certificates_are_written_at_standard_effort_only(run, tmp_path):
    code, _, err = run("verify", STANDS, "--effort", "quick", "--certificates", str(tmp_path / "c"))
    assert (code, err.count("\n"), (tmp_path / "c").exists()) == (2, 1, False)
    (tmp_path / "x").write_text("", encoding="utf-8")
    assert run("verify", STANDS, "--certificates", str(tmp_path / "x"))[0] == 2


def test_certificates_and_recheck(run, tmp_path):
    e = next(e for e in PARITY if e.certificates)
    code, out, _ = run("verify", e.id, "--certificates", str(tmp_path))
    assert code == 0
    assert f"{len(e.certificates)} certificates in {tmp_path}" in out
    (tmp_path / f"{e.id}.json").write_text("{", encoding="utf-8")
    code, out, err = run("recheck", str(tmp_path))
    assert (code, err) == (2, f"REJECTED {e.id}.json is not JSON in UTF-8\n")
    assert out.endswith("0 certificates in 1 file: 1 file rejected\n")


@pytest.mark.parametrize("arguments", [[""], [".", "--limits", "\uff12"], [".", "--limits", "0"], [".", "--limits", "many"]])
def test_recheck_refuses_an_empty_path_and_strange_limits(run, arguments):
    code, out, err = run("recheck", *arguments)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1


def test_recheck_all_misses_what_is_not_there(run, tmp_path):
    target = tmp_path / "n.json"
    assert run("compile", "--task", "parity", "--out", str(target))[0] == 0
    assert run("recheck", str(target))[0] == 0
    code, out, err = run("recheck", str(target), "--all")
    absent = [e.id for e in entries() if e.certificates]
    assert code == 2
    assert err.count("MISSING ") == len(absent)
    assert f"{len(absent)} claims missing" in out
    assert set(json.loads(run("recheck", str(target), "--all", "--json")[1])["missing"]) == set(absent)


def test_pin_writes_the_topics_and_the_findings(run, monkeypatch, tmp_path):
    # the topics are handed on together, since claims of one may use claims of another
    monkeypatch.setattr("lemmata.theorems.records.pin", lambda topics, on_record: [Path(f"{topic}.json") for topic in topics])
    monkeypatch.setattr("lemmata.cli.documents.write_findings", lambda: [Path("findings.md")])
    monkeypatch.setattr("lemmata.cli.documents.write_claims", lambda: [Path("CLAIMS.md")])
    monkeypatch.setattr("lemmata.cli.reference.write_pages", lambda: [Path("README.md")])
    monkeypatch.setattr("lemmata.theorems.records.pin_statements", lambda: {"parity.no_parity": "forall n, n = n"})
    lines = [line.strip() for line in run("pin", "--topic", "parity", "--topic", "gating")[1].splitlines()]
    assert lines == [
        "pinned parity.no_parity",
        "forall n, n = n",
        "",
        "parity.json",
        "gating.json",
        "findings.md",
        "CLAIMS.md",
        "README.md",
    ]
    assert run("pin", "--topic", "nope")[0] == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("verify", "nope"),
        ("verify", "--topic", "nope"),
        ("verify", "--paper", "orvieto24", "--topic", "parity"),
        ("show", "nope"),
        ("witness", "nope"),
        ("list", "--flaw", "nope"),
        ("errata",),
        ("errata", "nope"),
        ("errata", "new"),
        ("errata", "lizaire26", "--out", "errata.pdf"),
        ("recheck", "/does/not/exist"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_two(run, arguments):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("lemmata: expected")
    assert err.count("\n") == 1


#: two claims with certificates: one is decided within a second, the other takes many
AT_ONCE_AND_LATER = ("grazzi25.lemma1.quantifiers", "grazzi25.thm2")


@pytest.mark.skipif(os.name != "posix", reason="sends signals")
@pytest.mark.parametrize(
    ("sent", "jobs", "code"),
    [(signal.SIGINT, 1, 130), pytest.param(signal.SIGTERM, 2, 143, marks=pytest.mark.programs)],
)
def test_stopped_it_keeps_what_was_done_and_leaves_no_workers(tmp_path, sent, jobs, code):
    command = [
        sys.executable,
        "-m",
        "lemmata",
        "verify",
        *AT_ONCE_AND_LATER,
        "--sabotage",
        "--jobs",
        str(jobs),
        "--certificates",
        str(tmp_path),
    ]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    # a session of its own: whoever is left in its process group is a worker
    with subprocess.Popen(command, start_new_session=True, **pipes) as process:
        deadline = time.monotonic() + 60
        while not list(tmp_path.glob("*.json")) and time.monotonic() < deadline:
            time.sleep(0.02)
        process.send_signal(sent)
        out, err = process.communicate(timeout=60)
    assert process.returncode == code
    assert ("interrupted" if code == 130 else "terminated") in err
    assert "Traceback" not in err
    assert re.search(r"\d claims?: ", out)
    assert list(tmp_path.glob("*.json"))
    assert not list(tmp_path.glob(".unfinished-*"))
    assert wait_until_gone(process.pid)


def wait_until_gone(group: int) -> bool:
    """True once a process group is empty."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


def test_an_interrupt_that_a_library_swallows_is_not_lost(monkeypatch, run):
    from lemmata.cli import verify as command
    from lemmata.theorems import records

    decided, left = records.record, []

    def swallowing(c, *arguments, **options):
        # as a bare except would
        with contextlib.suppress(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
        return decided(c, *arguments, **options)

    monkeypatch.setattr(records, "record", swallowing)
    monkeypatch.setattr(command.os, "_exit", lambda code: left.append(code))
    _, _, err = run("verify", "grazzi25.prop1.3", "grazzi25.thm1.converse")
    assert left == [130]
    assert "interrupted: 0 of 2 claims were decided" in err
