"""``lemmata errata``: Markdown and LaTeX for authors, and docs/reference/findings.md."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from lemmata.cli.documents import CLAIMS, FINDINGS, errata, findings, kernel_claims, standing, table_of_verdicts
from lemmata.cli.latex import escaped, latex
from lemmata.cli.latex import inline as latex_inline
from lemmata.cli.markdown import inline, markdown
from lemmata.theorems import entries
from lemmata.theorems.ledger import papers_with_claims

THEIRS = papers_with_claims()


def test_most_serious_first_with_letter_numbers_and_repair(book, run):
    code, out, _ = run("errata", "lizaire26")
    assert code == 0
    heads = re.findall(r"^#+ (.*)", out, re.MULTILINE)
    assert heads == [
        "Errata for Lizaire et al., On the role of depth in the expressivity of RNNs",
        "What is false",
        "Theorem 2: the title of lizaire26.thm2",
        "Gaps in proofs",
        "App. A: the title of lizaire26.thm1.proof",
        "Misprints",
        "Theorem 1: the title of lizaire26.thm1.index",
        "What was confirmed, and what is open",
        "What is new",
    ]
    false = out[out.index("What is false") : out.index("Gaps in proofs")]
    for part in (
        "**to the authors**: 100% of",
        "A = [ 1 -1/2 ]",
        "but: the norm is above 1",
        "**repaired**: For $n",
        "`lizaire26.thm2.amended`",
    ):
        assert part in false
    assert "checked (exact) on: n <= 8; the general argument is prose" in out
    assert "Rests on Banach's theorem, which is not checked here." in out
    assert "Open; missing: a proof for n = 3." in out
    assert "Known: Scherk 1950" in out


@pytest.mark.parametrize("paper", THEIRS)
def test_every_statement_and_finding_of_a_paper_is_in_its_errata(paper):
    text = markdown(errata(paper))
    for e in entries(papers=[paper]):
        if e.kind in ("statement", "finding"):
            assert f"`{e.id}`" in text
        if e.letter and e.kind in ("statement", "finding") and e.wrong:
            assert inline(e.letter) in text


def test_what_is_checked_is_not_called_proved():
    for e in entries():
        assert ("for all of the claim" in standing(e)) == (e.verdict == "PROVED")
        assert ("the general argument is prose" in standing(e)) == (e.verdict == "CHECKED")


def test_marks_are_escaped_in_markdown_and_formulas_are_not():
    assert inline(r"a *b* <x> _c_ d_e [f](g), n < 3: $h_t^*<1$ `x_*`") == r"a \*b* \<x> \_c_ d_e [f\](g), n < 3: $h_t^*<1$ `x_*`"


def test_words_are_escaped_in_latex_and_formulas_are_not():
    assert latex_inline("5% of $h_t$ & `new.x_y`") == r"5\% of $h_t$ \& \texttt{new.\allowbreak{}x\_\allowbreak{}y}"
    assert latex_inline("``a`` and $$x_1$$") == r"\texttt{a} and $$x_1$$"
    assert re.search(r"lambda", escaped("λ"))
    assert escaped("ₜ𝔻").isascii()
    # scripts that LaTeX has no character for
    assert escaped("r¹⁻ᵏ, νᵟ, MMᵀ, xᵢ") == (
        r"r\ensuremath{^{1-k}}, \ensuremath{\nu}\ensuremath{^{\delta}}, MM\ensuremath{^{T}}, x\ensuremath{_{i}}"
    )


def test_the_latex_of_every_paper_is_ascii_and_balanced():
    for paper in THEIRS:
        text = latex(errata(paper))
        assert text.isascii()
        assert text.count(r"\begin{") == text.count(r"\end{")


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
@pytest.mark.parametrize("paper", [*THEIRS, "all"])
def test_the_latex_compiles(paper, tmp_path):
    (tmp_path / "errata.tex").write_text(latex(findings() if paper == "all" else errata(paper)), encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-draftmode", "errata.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False)
    assert done.returncode == 0, "\n".join(line for line in done.stdout.splitlines() if line.startswith(("!", "l.")))


def test_the_findings_page_is_the_ledgers():
    assert FINDINGS.read_text(encoding="utf-8") == markdown(findings()), (
        "write it anew: lemmata pin, or lemmata errata --all --out docs/reference/findings.md"
    )


def test_the_page_of_kernel_proofs_is_the_ledgers():
    assert CLAIMS.read_text(encoding="utf-8") == markdown(kernel_claims()), "write it anew: lemmata pin"


def test_the_findings_page_names_whatever_is_wrong_or_new():
    text = markdown(findings())
    assert all(f"`{e.id}`" in text for e in entries() if (e.wrong or e.kind == "new"))
    assert markdown([table_of_verdicts(entries())]) in text


def test_files(book, run, tmp_path):
    for name in ("a.md", "a.tex"):
        assert run("errata", "lizaire26", "--out", str(tmp_path / name))[0] == 0
    assert (tmp_path / "a.md").read_text(encoding="utf-8") == run("errata", "lizaire26")[1]
    assert (tmp_path / "a.tex").read_text(encoding="utf-8").startswith(r"\documentclass")
    assert run("errata", "--all", "--out", str(tmp_path / "all.md"))[0] == 0
    assert "\n# Findings\n" in Path(tmp_path / "all.md").read_text(encoding="utf-8")
