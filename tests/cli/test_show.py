"""``lemmata show`` and ``lemmata witness``: one claim, all of it."""

import json
import re
from dataclasses import replace

import pytest
from lemmata.api.show import Shown
from lemmata.cli.formulas import MATH, formula, readable
from lemmata.cli.show import page
from lemmata.cli.where import where
from lemmata.cli.witness import exhibited
from lemmata.theorems import entries
from lemmata.theorems.ledger import FLAWS, Evidence
from rich.cells import cell_len

ENTRIES = entries()


@pytest.mark.parametrize(
    ("latex", "plain"),
    [
        (r"$h_t=A h_{t-1}+x_t^\top$", "hₜ = Ahₜ₋₁+xₜᵀ"),
        (r"every $M\in\mathbb R^{n\times n}$ with $\|M\|\le1$", "every M ∈ ℝ^(n×n) with ‖M‖ ≤ 1"),
        (r"$\frac{\Delta}{1-e^{-k\Delta}}\gamma\ne\tfrac12$", "Δ/(1-e^(-kΔ)) γ ≠ ½"),
        (r"$\operatorname{rank}(M-I)\le k$, $\max_w|w|$, $2\ln n$", "rank(M-I) ≤ k, max_w |w|, 2 ln n"),
        (r"$\begin{pmatrix}1&\lambda\\0&1\end{pmatrix}$", "(1, λ; 0, 1)"),
        (r"$\sqrt{12a+1}$, $\sqrt N$, $\hat h_t$, $f''$, $\{0,1\}$", "√(12a+1), √N, ĥₜ, f'', {0, 1}"),
        (r"$\bigl\lfloor 3n/2\bigr\rfloor$, $\mathrm{cast}(x)$, $a\bmod m$, $\not\subset$", "⌊3n/2⌋, cast(x), a mod m, ⊄"),
        (r"$w:=L/n$, $f:A\to B$", "w := L/n, f:A → B"),
        ("see ``new.a.b`` and `c`, $$x^2$$", "see new.a.b and c, x²"),
        ("no formula: |D| = 2_x", "no formula: |D| = 2_x"),
    ],
)
def test_formulas_are_readable(latex, plain):
    assert readable(latex) == plain


@pytest.mark.parametrize("topic", sorted({e.topic for e in ENTRIES}))
def test_no_latex_is_left_in_any_entry(topic):
    for e in ENTRIES:
        if e.topic == topic:
            for text in (e.says, e.argument, e.reading, e.letter, e.known, *e.hypotheses, *e.remarks):
                assert not re.search(r"\$|\\[A-Za-z,;!|{}]", readable(text or "")), (e.id, text)
                for first, second in MATH.findall(text or ""):
                    assert not re.search(r"[\^_]\{|\\", formula(first or second)), (e.id, first or second)


def test_the_head_of_a_page(book, run):
    code, out, _ = run("show", "lizaire26.thm1")
    assert code == 0
    assert out.splitlines()[:2] == ["lizaire26.thm1", "CHECKED, exact; n <= 8"]


def test_a_statement_shows_its_findings_its_argument_and_where_it_lives(book, run):
    _, out, _ = run("show", "lizaire26.thm1", "--full")
    words = " ".join(out.split())
    assert "gap lizaire26.thm1.proof" in words
    assert "misprint lizaire26.thm1.index" in words
    assert "repaired in lizaire26.thm1.index.amended" in words
    assert "prose carries steps 3" in words
    assert "2. The step: hₜ = ∑ᵢ₌₁ᵗ Aᵗ⁻ⁱxᵢ. uses: lizaire26.lemma1 cited: Banach's theorem" in words
    assert "machine: the base of it; exact; n <= 8" in words
    assert "2 of kind witness" in words
    assert "the smallest network w = (1, 2)" in words
    assert re.search(r"theorems/ledger\.py:\d+", out)
    assert re.search(r"recheck/files\.py:\d+", out)


def test_a_refuted_statement_shows_its_numbers_its_letter_and_its_repair(book, run):
    _, out, _ = run("show", "lizaire26.thm2", "--full")
    words = " ".join(out.split())
    assert "REFUTED (false), exact; n <= 8" in words
    assert "A = [ 1 -1/2 ]" in words
    assert "letter 100% of *these* fail" in words
    assert "repaired in lizaire26.thm2.amended PROVED" in words


def test_a_finding_shows_its_statement_and_a_repair_what_it_repairs(book, run):
    assert "about  lizaire26.thm1  CHECKED" in run("show", "lizaire26.thm1.proof", "--full")[1]
    assert "repairs  lizaire26.thm2  REFUTED (false)" in run("show", "lizaire26.thm2.amended", "--full")[1]
    assert "known  Scherk 1950" in run("show", "new.depth.one", "--full")[1]


def test_the_short_form_is_the_statement_the_verdict_and_three_lines_of_why(book, run):
    _, out, _ = run("show", "lizaire26.thm1")
    words = " ".join(out.split())
    assert "CHECKED, exact; n <= 8" in words
    assert "statement For n ≥ 1" in words
    assert "why 3 steps, 1 of them with prose. Induction on n." in words
    assert "gap in lizaire26.thm1.proof misprint in lizaire26.thm1.index" in words
    assert "the base of it" not in words
    assert "why a counterexample: the norm is above 1" in " ".join(run("show", "lizaire26.thm2")[1].split())
    assert "why it rests on Banach's theorem" in " ".join(run("show", "lizaire26.thm3")[1].split())
    assert "why missing: a proof for n = 3" in " ".join(run("show", "lizaire26.thm4")[1].split())
    assert "repairs lizaire26.thm2" in " ".join(run("show", "lizaire26.thm2.amended")[1].split())
    # what a machine reads is always complete
    assert json.loads(run("show", "lizaire26.thm1", "--json")[1])["steps"]


def test_every_claim_takes_at_most_24_lines_of_80_columns(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    for e in ENTRIES:
        # the lines do not depend on evidence, which has three at most
        lines = str(Shown(replace(e, given=Evidence(reasons=["x " * 300], citations=["x " * 300])), there=tuple(ENTRIES[:9]))).splitlines()
        assert len(lines) <= 24, e.id
        assert max(map(cell_len, lines)) <= 80, e.id


def test_the_short_form_with_everything_beside_it(book, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    (one,) = entries(["lizaire26.thm1"])
    long = replace(one, says="word " * 500, title="word " * 24, hypotheses=["word " * 99], scope="word " * 40, quotes=["word " * 40])
    many = [replace(one, id=f"lizaire26.thm1.{k}", of=one.id, flaw="gap", amends=one.id) for k in range(30)]
    book([*(e for e in entries() if e.id != one.id), long, *many])
    lines = str(Shown(long, there=tuple(many))).splitlines()
    assert len(lines) <= 24
    text = " ".join(" ".join(lines).split())
    for part in (
        "the paper “word",
        "statement word word",
        "hypotheses word",
        "why 3 steps",
        "wrong beside it gap in",
        "stands there too",
        "lemmata witness",
    ):
        assert part in text


def test_a_place_is_shown_by_its_nearest_entry_which_names_the_others(book, run):
    _, out, _ = run("show", "lizaire26", "Theorem 1")
    assert out.startswith("lizaire26.thm1\n")
    assert "stands there too  lizaire26.thm1.index" in out
    assert run("show", "lizaire26", "Theorem 9")[0] == 2
    assert run("show", "lizaire26.thm1", "Theorem 1")[0] == 2


@pytest.mark.parametrize(
    ("said", "advice"),
    [
        ("Theorem 4", "as in grazzi25 'Theorem 4'; it stands in grazzi25, orvieto24, lizaire26"),
        ("grazzi25", "lemmata list --paper grazzi25"),
        ("new", "expected a known claim id"),
        ("", "expected a known claim id"),
    ],
)
def test_a_place_without_a_paper_and_a_paper_without_a_place(run, said, advice):
    code, _, err = run("show", said)
    assert code == 2
    assert advice in err


@pytest.mark.parametrize("command", ["show", "witness"])
def test_80_columns_with_whole_ids(run, command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    for e in ENTRIES[::24]:
        code, out, err = run(command, e.id, *(["--full"] if command == "show" else []))
        assert code == 0
        # where nothing is stored yet, a line says that the check runs first
        assert all("no evidence of" in line for line in err.splitlines())
        assert max(map(cell_len, out.splitlines())) <= 80
        assert e.id in out
        if command == "show":
            assert {*e.uses, *([e.amends] if e.amends else [])} <= set(out.split())


def test_every_claim_has_a_page_and_a_witness():
    for e in ENTRIES:
        assert len(list(page(e))) > 5
        assert list(exhibited(e))


def test_every_claim_has_a_place_in_the_source():
    for e in ENTRIES:
        found = where(e.check)
        assert found, e.check
        file, line = found
        assert f"def {e.check.rpartition('.')[2]}(" in file.read_text(encoding="utf-8").splitlines()[line - 1]
        if e.construction:
            assert where(e.construction), e.construction
    assert where("lemmata.theorems.nothing") is None


def test_fresh_evidence(run):
    e = next(e for e in ENTRIES if e.topic == "parity" and e.verdict == "REFUTED")
    code, out, _ = run("show", e.id, "--fresh", "--json")
    assert (code, json.loads(out)["verdict"]) == (0, "REFUTED")
    assert run("show", e.id, "--effort", "quick")[0] == 2


def test_show_json(book, run):
    shown = json.loads(run("show", "lizaire26.thm2", "--json")[1])
    assert shown["repairs"] == ["lizaire26.thm2.amended"]
    assert shown["counterexamples"][0]["minimal"] == "n = 2"


def test_the_numbers_of_a_refuted_claim(book, run):
    _, out, _ = run("witness", "lizaire26.thm2")
    assert "  A = [ 1 -1/2 ]\n      [ 0   12 ]\n  x = (3, 4)\n  by letter: a: (0, 1)\n" in out
    assert "given ✓ A is triangular" in out
    assert json.loads(run("witness", "lizaire26.thm2", "--json")[1])["fault"] in FLAWS


def test_a_verified_claim_shows_what_it_exhibits_or_what_was_checked(book, run):
    assert "the smallest network" in run("witness", "lizaire26.thm1")[1]
    code, out, _ = run("witness", "lizaire26.thm3")
    assert code == 0
    assert "no instance is kept" in out


def test_what_the_kernel_says_of_given_numbers(run):
    _, out, _ = run("show", "--full", "grazzi25.prop1.3")
    told = " ".join(out.split())
    assert "of the real or complex numbers: reals.product_eigenvalues formal/reals.v:" in told
    assert "axioms: epsilon_statement, functional_extensionality_dep, sig_forall_dec" in told
    assert "of the algebraic numbers: reals.product_eigenvalues_algebraic formal/reals.v:" in told
    assert "; no axiom" in told
