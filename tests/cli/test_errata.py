"""``lemmata errata``: Markdown and LaTeX for authors, and docs/reference/findings.md."""

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from lemmata.cli.documents import CLAIMS, FINDINGS, findings, kernel_claims, standing, table_of_verdicts
from lemmata.cli.latex import escaped, latex
from lemmata.cli.latex import inline as latex_inline
from lemmata.cli.letters import errata, first_page, plain
from lemmata.cli.markdown import inline, markdown
from lemmata.cli.places import at
from lemmata.theorems import entries
from lemmata.theorems.ledger import VERDICTS, papers_with_claims

THEIRS = papers_with_claims()


def test_a_page_first_then_by_weight_with_letter_numbers_and_repair(book, run):
    code, out, _ = run("errata", "lizaire26")
    assert code == 0
    heads = re.findall(r"^#+ (.*)", out, re.MULTILINE)
    assert heads == [
        "Errata for Lizaire et al., On the role of depth in the expressivity of RNNs",
        "What holds",
        "The numbered statements",
        "Theorem 1",
        "Lemma 1",
        "Theorem 2",
        "Theorem 3",
        "Theorem 4",
        "What changes a result",
        "Theorem 2: the title of lizaire26.thm2",
        "What changes a proof",
        "App. A: the title of lizaire26.thm1.proof",
        "Wording and misprints",
        "Theorem 1: the title of lizaire26.thm1.index",
        "What is new",
    ]
    false = out[out.index("What changes a result") : out.index("What changes a proof")]
    for part in (
        "**to the authors**: 100% of",
        "A = [ 1 -1/2 ]",
        "but: the norm is above 1",
        "**repaired**: For $n",
        "`lizaire26.thm2.amended`",
    ):
        assert part in false
    assert "checked on n ≤ 8; the general argument is prose" in out
    assert "follows from Banach's theorem, which is not checked here." in out
    assert "open; missing: a proof for n = 3." in out
    assert "1 result of ours: `lemmata list --paper new --topic depth`, and `docs/reference/findings.md`." in out


def test_the_printed_words_come_first_and_what_is_open_does_not_hold(book, run):
    page = markdown(first_page("lizaire26"))
    assert "Holding as printed: 3 (Lemma 1; Theorem 1, 3)." in page
    assert "Open as printed: 1 (Theorem 4)." in page
    assert "Wrong as printed: 1 (Theorem 2)." in page
    assert "5 statements of the paper" in page
    everything = entries()
    printed = replace(entries(["lizaire26.thm4"])[0], id="lizaire26.thm1.printed", place="Theorem 1")
    read = replace(entries(["lizaire26.lemma1"])[0], reading="the index $i$ is meant")
    book([*(e for e in everything if e.id != read.id), printed, read])
    page = markdown(first_page("lizaire26"))
    assert "Holding in our reading: 2 (Lemma 1)." in page
    assert "Open as printed: 2 (Theorem 1, 4)." in page
    letter = markdown(errata("lizaire26"))
    assert letter.index("`lizaire26.thm1.printed`): open") < letter.index("**in our reading**: the title of lizaire26.thm1 ")
    assert (
        "**our reading**: the index $i$ is meant\n- **in our reading**: the title of lizaire26.lemma1 (`lizaire26.lemma1`): proved (all n)."
        in letter
    )


def test_a_numbered_statement_that_only_overstates_is_listed(book):
    everything = entries()
    (false,) = entries(["lizaire26.thm2"])
    book([*(e for e in everything if e is not false), replace(false, flaw="overstatement")])
    page = markdown(first_page("lizaire26"))
    assert "Overstated as printed: 1 (Theorem 2)." in page
    assert "Wrong as printed" not in page
    assert "5 statements of the paper" in page
    assert "Resting on theorems of others, which we cite: 1 of those that hold." in page
    assert "(`lizaire26.thm2`): overstated as printed." in markdown(errata("lizaire26"))


def test_a_finding_shows_its_quote_its_answer_and_where_the_same_slip_stands(book):
    everything = entries()
    (gap,) = entries(["lizaire26.thm1.proof"])
    slip = replace(gap, id="lizaire26.thm2.again", place="App. B", root=gap.id)
    shown = replace(gap, quotes=["a phrase", "another *one*"], answers=["agreed, 2026-01-02: mended in version 2."], extracted=True)
    remark = replace(gap, id="lizaire26.thm2.word", flaw="remark")
    book([*(e for e in everything if e is not gap), shown, slip, remark])
    text = markdown(errata("lizaire26"))
    item = text[text.index("What changes a proof") : text.index("Wording and misprints")]
    for part in (
        r"> “a phrase” … “another \*one\*”",
        "**in our words, formulas our transcription**: For $n",
        "a gap in a proof, as extracted, not compared",
        "**the same slip**: App. B: the title",
        "**the authors**: agreed, 2026-01-02",
    ):
        assert part in item
    assert item.count("### ") == 1
    assert "lizaire26.thm2.word" not in text
    assert "We left out 1 remark on phrases" in text


@pytest.mark.parametrize(
    ("paper", "place", "first"),
    [
        ("grazzi25", "Theorem 3", "grazzi25.thm3"),
        ("grazzi25", "Thm. 1", "grazzi25.thm1"),
        ("grazzi25", "prop 1.1", "grazzi25.prop1.1"),
        ("grazzi25", "Proposition 1", "grazzi25.prop1"),
        ("orvieto24", "Appendix D", "orvieto24.appD"),
        ("degeeter26", "Theorem 1", "degeeter26.appB.thm1"),
    ],
)
def test_a_place_finds_its_entries(paper, place, first):
    assert at(paper, place)[0].id.startswith(first)


@pytest.mark.parametrize("place", ["", "Theorem 99", "."])
def test_a_place_at_which_nothing_stands(place):
    with pytest.raises(ValueError, match="expected a place of grazzi25"):
        at("grazzi25", place)


def test_a_letter_of_one_place(book, run):
    code, out, _ = run("errata", "lizaire26", "--place", "Theorem 2")
    assert code == 0
    assert "`lizaire26.thm2`" in out
    assert "lizaire26.thm1" not in out
    assert run("errata", "--all", "--place", "Theorem 2")[0] == 2
    assert run("errata", "lizaire26", "--place", "Theorem 9")[0] == 2


@pytest.mark.parametrize("paper", THEIRS)
def test_every_statement_and_finding_of_a_paper_is_in_its_errata(paper):
    text = markdown(errata(paper))
    for e in entries(papers=[paper]):
        if e.kind in ("statement", "finding") and e.fault != "remark":
            assert f"`{e.id}`" in text
        if e.letter and e.kind in ("statement", "finding") and e.wrong and e.root is None:
            assert inline(plain(e.letter)) in text


@pytest.mark.parametrize("paper", THEIRS)
def test_a_first_page_is_short(paper):
    assert len(markdown(first_page(paper)).split()) <= 450


@pytest.mark.parametrize("paper", THEIRS)
def test_a_letter_names_no_verdict(paper):
    # but where a hypothesis, a scope or a place of ours does
    assert not re.search(rf"\b({'|'.join(VERDICTS)})\b|[Ss]abotage", markdown(errata(paper)))


def test_what_is_checked_is_not_called_proved():
    for e in entries():
        assert standing(e).startswith("proved (") == (e.verdict == "PROVED")
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
    if paper != "all":
        # the first page is one page
        assert r"\newlabel{appendix}{{}{2}}" in (tmp_path / "errata.aux").read_text(encoding="utf-8")


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
