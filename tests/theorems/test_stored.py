"""Words and evidence that are generated and stored: they are those of the sources, and any number of processes may share them."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from lemmata.theorems import claims, declared, stored
from lemmata.theorems import ledger as module
from lemmata.theorems.ledger import TOPICS, ledger, read_pins, written_pins

#: a refuted claim whose check takes no time
ID = "grazzi25.prop1.3"


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A folder of its own for what is stored."""
    monkeypatch.setenv("LEMMATA_CACHE", str(tmp_path / "cache"))
    forget = stored.home.cache_clear
    forget()
    yield tmp_path / "cache"
    forget()


def fresh(id=ID):
    """An entry that has not looked at its evidence."""
    return replace(ledger()[id])


@pytest.mark.parametrize("topic", TOPICS)
def test_the_words_read_from_the_text_are_those_that_running_it_gives(topic):
    filled = lambda words: {name: value for name, value in words.items() if value}  # noqa: E731
    found = {id: filled(words) for id, words in declared.declared(topic).items()}
    assert found == {c.id: filled(c.words) for c in claims(topics=[topic])}


@pytest.mark.parametrize(
    "argument", ["title=words()", "title=NOTHING", 'title=f"{1:>3}"', 'title="a" * 2', "sabotages=made()", "sabotages={**NOTHING}"]
)
def test_what_cannot_be_read_without_running_it_is_refused(tmp_path, argument):
    (tmp_path / "made.py").write_text(f'@claim("new.made", {argument})\ndef made(proof):\n    """Words."""\n', encoding="utf-8")
    with pytest.raises(ValueError, match=r"expected .* in a claim of made\.py"):
        list(declared.Module(tmp_path / "made.py").claims())


def test_pins_are_written_as_they_are_read():
    for topic in TOPICS:
        pins = read_pins(topic)
        assert written_pins(pins) == (stored.FOLDER / "pins" / f"{topic}.json").read_text(encoding="utf-8")
    assert read_pins("nothing") == {}


def test_pins_are_small():
    texts = [path.read_text(encoding="utf-8") for path in (stored.FOLDER / "pins").glob("*.json")]
    assert sum(text.count("\n") for text in texts) <= 6000
    assert sum(map(len, texts)) <= 500_000


def test_evidence_is_generated_once_and_says_so(home, capsys):
    first = fresh().evidence
    assert capsys.readouterr().err == f"lemmata: no evidence of {ID} is stored for these sources; running its check, once\n"
    assert first.counterexamples or first.steps
    assert fresh().evidence == first
    assert capsys.readouterr().err == ""
    assert {"evidence", "locks"} <= {path.name for path in home.iterdir()}


def test_what_comes_from_other_sources_or_a_lower_effort_does_not_count(home, monkeypatch):
    assert fresh().steps
    path = home / "evidence" / f"{ID}.json"
    kept = json.loads(path.read_text(encoding="utf-8"))
    assert stored.stored_evidence(fresh()) is not None
    monkeypatch.setattr(stored, "EFFORT", "standard")
    assert stored.stored_evidence(fresh()) is None
    path.write_text(json.dumps(kept | {"effort": "standard"}), encoding="utf-8")
    assert stored.stored_evidence(fresh()) is not None
    monkeypatch.setattr(stored, "EFFORT", "quick")
    assert stored.stored_evidence(fresh()) is not None
    path.write_text(json.dumps(kept | {"sources": "others"}), encoding="utf-8")
    assert stored.stored_evidence(fresh()) is None


def test_the_sources_of_a_topic_are_its_own_those_it_imports_and_the_shared_ones(tmp_path, monkeypatch):
    assert stored.folders("parity") == ("parity",)
    assert stored.folders("householder") == ("householder", "parity")
    before = {topic: (stored.sources_of_words(topic), stored.sources_of_evidence(topic)) for topic in ("parity", "depth")}
    monkeypatch.setattr(stored, "ROOT", tmp_path)
    monkeypatch.setattr(stored, "FOLDER", tmp_path / "theorems")
    stored.forget()
    modules = [f"theorems/{name}.py" for name in stored.MODULES]
    for name in ("theorems/parity/a.py", "theorems/depth/a.py", "numerics/a.py", "theorems/ties/parity.py", *modules):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("", encoding="utf-8")

    def digests():
        stored.forget()
        return [(stored.sources_of_words(topic), stored.sources_of_evidence(topic)) for topic in ("parity", "depth")]

    for name, changed in (
        ("theorems/parity/a.py", (True, True, False, False)),
        ("numerics/a.py", (False, True, False, True)),
        ("theorems/ties/parity.py", (False, True, False, False)),
        ("theorems/claim.py", (False, True, False, True)),
    ):
        old = digests()
        (tmp_path / name).write_text("# changed\n", encoding="utf-8")
        new = digests()
        assert tuple(a != b for x, y in zip(old, new, strict=True) for a, b in zip(x, y, strict=True)) == changed, name
    monkeypatch.undo()
    stored.forget()
    assert before == {topic: (stored.sources_of_words(topic), stored.sources_of_evidence(topic)) for topic in ("parity", "depth")}


def test_what_checks_import_beside_their_topics_is_among_the_sources():
    paths = [path for topic in TOPICS for name in stored.folders(topic) for path in [*stored._modules(name), *stored._ties(name)]]
    beside = {name for path in paths for name in stored.imported_by(path) if (stored.FOLDER / f"{name}.py").is_file()}
    assert "evidence" in beside <= set(stored.MODULES)
    rooms = {name for path in paths for name in stored.imported_by(path, stored.ROOT)}
    assert "constructions" in rooms <= set(stored.SHARED)


def test_a_record_that_is_not_as_pinned_is_not_stored(home, monkeypatch, capsys):
    monkeypatch.setattr("lemmata.theorems.records.ledger", lambda: {ID: replace(ledger()[ID], verdict="OPEN")})
    assert fresh().evidence
    assert "and not as it is pinned" in capsys.readouterr().err
    assert not (home / "evidence").exists()


def test_where_nothing_can_be_written_evidence_is_generated_all_the_same(monkeypatch, capsys):
    monkeypatch.setattr(stored, "home", lambda: None)
    monkeypatch.setattr(stored, "SHIPPED", Path("nowhere"))
    assert stored.words("gating").keys() == read_pins("gating").keys()
    assert fresh().evidence
    stored.gather([fresh()])
    assert capsys.readouterr().err.count("running its check") == 1


def test_several_are_gathered_at_once(home):
    told = []
    chosen = [fresh(id) for id in (ID, "grazzi25.thm1.converse")]
    stored.gather(chosen, lambda *told_of: told.append(told_of))
    assert told == [("evidence", done, 2) for done in (0, 1, 2)]
    assert all(stored.stored_evidence(e) is not None for e in chosen)
    stored.gather(chosen, lambda *told_of: told.append(told_of))
    assert len(told) == 3


@pytest.fixture
def small(monkeypatch, home, tmp_path):
    """A ledger of two claims of one topic, at standard effort, and a folder for what is shipped."""
    chosen = {id: fresh(id) for id in (ID, "grazzi25.thm1.converse")}
    monkeypatch.setattr(stored, "ledger", lambda: chosen)
    monkeypatch.setattr(stored, "TOPICS", ["householder"])
    monkeypatch.setattr(stored, "EFFORT", "standard")
    monkeypatch.setattr(stored, "SHIPPED", tmp_path / "shipped")
    return tmp_path / "shipped"


def test_what_a_release_ships_is_read_and_nothing_is_run(small, monkeypatch, capsys):
    (small / "evidence").mkdir(parents=True)
    (small / "evidence" / "new.gone.json").write_text("{}", encoding="utf-8")
    assert stored.ship() == 2
    names = {path.relative_to(small).as_posix() for path in small.rglob("*.json")}
    assert names == {"words/householder.json", f"evidence/{ID}.json", "evidence/grazzi25.thm1.converse.json"}
    assert "no evidence of 2 claims" in capsys.readouterr().err
    # an installation without a folder to write into
    monkeypatch.setattr(stored, "home", lambda: None)
    monkeypatch.setattr(declared, "declared", lambda topic: pytest.fail("the words were read from the text"))
    assert fresh().steps
    assert stored.words("householder").keys() == read_pins("householder").keys()
    assert capsys.readouterr().err == ""
    with pytest.raises(ValueError, match="expected a folder"):
        stored.ship()


def test_a_release_has_what_is_pinned_or_is_none(small, monkeypatch, capsys):
    monkeypatch.setattr(stored, "keep", lambda *a: None)
    monkeypatch.setattr("lemmata.theorems.records.keep", lambda *a: None)
    with pytest.raises(ValueError, match=f"expected {ID} to come out as it is pinned"):
        stored.ship()
    assert not small.exists()


def test_a_wheel_takes_what_is_shipped():
    patterns = tomllib.loads((stored.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["package-data"]["lemmata"]
    for name in ("words", "evidence"):
        assert f"{(stored.SHIPPED / name).relative_to(stored.ROOT).as_posix()}/*.json" in patterns
    assert "theorems/pins/*.json" in patterns


def test_a_folder_that_cannot_be_written_is_passed_over(monkeypatch, tmp_path):
    monkeypatch.delenv("LEMMATA_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "pyproject.toml").write_text("", encoding="utf-8")
    monkeypatch.setattr(stored, "ROOT", tmp_path)
    found = stored.home.__wrapped__
    assert found() == tmp_path / ".lemmata-cache"
    (tmp_path / "pyproject.toml").unlink()
    assert found() == tmp_path / "lemmata" / stored.__version__
    monkeypatch.setattr(stored.os, "access", lambda path, mode: False)
    assert found() is None


ASK = f"from lemmata.theorems.ledger import ledger; print(len(ledger()[{ID!r}].evidence.steps))"


def asking(home, code=ASK):
    if (known := stored.home()) is not None and not (home / "words").exists():
        assert ledger()
        shutil.copytree(known / "words", home / "words")
    environment = os.environ | {"LEMMATA_CACHE": str(home)}
    return subprocess.Popen([sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.programs
def test_two_processes_run_a_check_once(tmp_path):
    both = [asking(tmp_path), asking(tmp_path)]
    said = [process.communicate(timeout=120) for process in both]
    assert said[0][0] == said[1][0] != ""
    assert sorted(err.count("running its check") for _, err in said) == [0, 1]


@pytest.mark.programs
def test_a_killed_process_leaves_nothing_broken(tmp_path):
    """It holds the lock, and half of a file is written."""
    stuck = asking(
        tmp_path,
        "import os, time; whole = os.replace\n"
        f"os.replace = lambda part, target: time.sleep(600) if 'evidence' in str(target) else whole(part, target)\n{ASK}",
    )
    while not list((tmp_path / "evidence").glob(".unfinished-*")):
        assert stuck.poll() is None
        time.sleep(0.05)
    stuck.send_signal(signal.SIGKILL)
    stuck.communicate(timeout=60)
    out, _ = asking(tmp_path).communicate(timeout=120)
    assert out.strip().isdigit()
    assert (tmp_path / "evidence" / f"{ID}.json").is_file()


def test_a_claim_that_is_pinned_and_no_longer_declared_is_no_entry(monkeypatch):
    pins = read_pins("gating")
    monkeypatch.setattr(module, "read_pins", lambda topic: pins | {"new.gone": next(iter(pins.values()))})
    assert module._read.__wrapped__("gating").keys() == pins.keys()
