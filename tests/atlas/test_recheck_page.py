"""What the page that re-checks certificates is given: the checker as it is, certificates that fit, all of Pyodide's files."""

import json
import subprocess
import sys

import pytest

pytest.importorskip("latex2mathml", reason="needs the extra 'atlas'")

from lemmata.atlas.site.build import build
from lemmata.atlas.site.recheck import PYODIDE, certificate_files, checker, complete, pyodide_files
from lemmata.theorems import verify
from lemmata.theorems.certificates import write_certificates
from lemmata.theorems.ledger import ledger

CLAIM = "new.parity.half"


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    folder = tmp_path_factory.mktemp("certificates")
    write_certificates(verify([CLAIM])[0], folder)
    return folder


def test_the_packed_checker_runs_with_nothing_installed(certificates, tmp_path):
    for path, text in json.loads(checker()).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    command = [sys.executable, "-I", "-S", str(tmp_path / "theorems/recheck"), str(certificates)]
    said = subprocess.run(command, capture_output=True, text=True, check=True)
    assert said.stdout.startswith(f"{CLAIM}: ")


def test_certificates_must_fit_the_ledger(certificates, tmp_path):
    found = certificate_files(certificates)
    assert list(found) == [CLAIM]
    assert not complete(found)
    with pytest.raises(ValueError, match="found none"):
        certificate_files(tmp_path)
    document = (certificates / f"{CLAIM}.json").read_text(encoding="utf-8")
    for name, text, why in (
        ("grazzi25.thm1", document, "says another verdict"),
        ("mine", document, "the ledger does not know"),
        (CLAIM, document.replace(ledger()[CLAIM].verdict, "OPEN"), "says another verdict"),
        (CLAIM, "[]", "no file of certificates"),
        (CLAIM, "{", "not JSON"),
    ):
        (tmp_path / f"{name}.json").write_text(text, encoding="utf-8")
        with pytest.raises(ValueError, match=why):
            certificate_files(tmp_path)
        (tmp_path / f"{name}.json").unlink()


def test_pyodide_must_be_whole(tmp_path):
    package = tmp_path / "package"
    package.mkdir()
    for names in PYODIDE:
        with pytest.raises(ValueError, match=f"found no {names[0]}"):
            build(tmp_path / "out", pyodide=package)
        (package / names[0]).touch()
    assert [p.name for p in pyodide_files(package)] == [names[0] for names in PYODIDE]
    assert not (tmp_path / "out").exists()
