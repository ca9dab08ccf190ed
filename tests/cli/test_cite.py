"""``lemmata cite``: what to credit first, the claim in LaTeX, and BibTeX."""

import json
import re
import shutil
import subprocess
from dataclasses import replace

import pytest
from lemmata import __version__
from lemmata.cli.citing import BEFORE, ENVIRONMENTS, claim_entry, digest, prior, theorem
from lemmata.cli.latex import inline
from lemmata.theorems import entries
from lemmata.theorems.ledger import HOLDS, VERDICTS, ledger

#: a document with one claim after another
HEAD = "\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage{amsmath,amssymb,amsthm,textcomp}" + "".join(
    f"\\newtheorem{{{name}}}{{{name}}}" for name in dict.fromkeys(ENVIRONMENTS.values())
)


def test_what_is_printed(book, run):
    code, out, _ = run("cite", "new.depth.one")
    assert code == 0
    assert out.startswith("% Credit first:\n%   Scherk 1950\n")
    assert "\\begin{observation}[{\\cite{lemmata:new.depth.one}}]\nChecked on n \\ensuremath{\\leq} 8" in out
    assert "@misc{lemmata:new.depth.one," in out
    assert f"Version {__version__}" in out
    assert "url" not in out
    data = json.loads(run("cite", "lizaire26.thm3", "--json")[1])
    assert (data["release"], data["verdict"]) == (__version__, "CITED")
    assert data["prior"] == ["Lizaire, Rizvi-Martel, Dupuis and Rabusseau (2026), Theorem 3", "Banach's theorem"]
    assert data["bibtex"].count("@misc") == 2
    assert run("cite", "nothing")[0] == 2


def test_what_does_not_hold_is_no_theorem():
    assert {verdict for verdict, environment in ENVIRONMENTS.items() if environment == "theorem"} == set(HOLDS) - {"CHECKED"}
    assert set(VERDICTS) == set(ENVIRONMENTS) == {*BEFORE, "PROVED", "DERIVED", "CITED"}


def test_all_hypotheses_and_the_reading_are_there():
    for e in ledger().values():
        text = theorem(e)
        assert text.count(r"\item") >= len(e.hypotheses)
        assert inline(e.says) in text
        assert ("% read as follows" in text) == bool(e.reading)
        assert digest(e) in claim_entry(e)


def test_other_words_have_another_digest(book):
    (e,) = entries(["new.depth.one"])
    assert digest(replace(e, words_digest="0" * 64)) == "0" * 12
    assert prior(replace(e, known=None)) == []


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
def test_every_claim_compiles(tmp_path):
    body = "\n\n".join(theorem(e) for e in ledger().values())
    (tmp_path / "all.tex").write_text(f"{HEAD}\\begin{{document}}\n{body}\n\\end{{document}}\n", encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-draftmode", "all.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False)
    assert done.returncode == 0, re.findall(r"^(?:!|l\.).*", done.stdout, re.MULTILINE)
