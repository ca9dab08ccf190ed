"""What the pages of the site are made of: formulas, citations, figures of a claim, what would make a model able. No site is built."""

import hashlib
import re
from html import unescape

import pytest

pytest.importorskip("latex2mathml", reason="needs the extra 'atlas'")

from lemmata.atlas.knowledge import knowledge
from lemmata.atlas.site import figures, pages
from lemmata.atlas.site.build import HERE
from lemmata.atlas.site.documents import documents, pictures
from lemmata.atlas.site.text import formula, inline, plain
from lemmata.cli import citing
from lemmata.cli.citing import claim_entry, paper_entry, place_of
from lemmata.papers import maps
from lemmata.theorems.ledger import PAPERS, ledger


def test_words_and_formulas():
    html = inline(r"see new.bistable.stutter. For $x<1$: `a < b`", "../")
    assert '<a href="../claims/new.bistable.stutter.html">new.bistable.stutter</a>.' in html
    assert "<math" in html
    assert "ℝ" in unescape(formula(r"\mathbb R^n"))
    assert "&lt;" in html
    assert "<code>a &lt; b</code>" in html
    assert plain(r"$x\le1$ and more") == "x ≤ 1 and more"
    with pytest.raises(ValueError, match="expected a formula"):
        formula(r"x^a^b")


def test_documents_show_their_pictures_and_tables_that_are_moved_sideways():
    shown = {path for path, svg in pictures() if svg.startswith("<svg")}
    (page,) = (d for d in documents() if d.name == "reference/reproduction/lizaire26.fig6")
    assert "docs/reference/reproduction/lizaire26.fig6.svg" in shown
    assert '<img src="lizaire26.fig6.svg"' in page.html
    assert page.html.count("<table>") == page.html.count('<div class="scroll"') == 4
    assert page.html.count("of this page") == len(set(re.findall(r'aria-label="([^"]*)"', page.html)))


def test_which_figures_a_claim_names():
    known = ledger()
    assert [f.name for f in figures.of_claim(known["orvieto24.sec4.1.sparse"])] == ["orvieto24.fig9"]  # which shows Figure 12 too
    assert {f.name for f in figures.of_claim(known["new.depth.finite-length"])} == {"lizaire26.fig6", "lizaire26.fig7"}
    assert {f.name for f in figures.of_claim(known["movahedi25.abstract.tracking"])} == {
        "movahedi25.fig1",
        "movahedi25.copying",
        "movahedi25.groups",
        "movahedi25.iterations",
    }
    assert [f.name for f in figures.of_claim(known["movahedi25.thmC.1.amended"])] == ["movahedi25.thmC1"]
    assert figures.of_claim(known["grazzi25.thm2"]) == []


def test_a_paper_sentence_by_sentence():
    """Each place that is judged, in the paper's order, with its entries; nothing for what has no map."""
    assert pages.sentences("new") is None
    mapped = [paper for paper in PAPERS if maps.read(paper)]
    assert mapped
    for paper in mapped:
        kept, shown = maps.read(paper), pages.sentences(paper)
        assert shown["counts"] == kept.counts()
        total = {mark: sum(dict(s["counts"]).get(mark, 0) for s in shown["sections"]) for mark in shown["counts"]}
        assert total == kept.counts()
        places = [place for s in shown["sections"] for place in s["places"]]
        listed = [i for place in places for i in range(place["first"], place["last"] + 1)]
        assert listed == [i for i, row in enumerate(kept.rows) if row.mark in ("judged", "step", "unjudged")]
        for place in places:
            for i in range(place["first"], place["last"] + 1):
                assert tuple(e.id for e in place["entries"]) == kept.rows[i].ids
        assert len({s["id"] for s in shown["sections"]}) == len(shown["sections"])


def test_who_is_cited():
    """BibTeX with authors and years: of lemmata for the claim, of the paper for its statement."""
    ours = claim_entry(ledger()["grazzi25.thm1"])
    assert ours.startswith("@misc{lemmata:grazzi25.thm1,\n  author = {{The lemmata authors}},")
    assert re.search(r"claim \\texttt\{grazzi25\.thm1\} with digest [0-9a-f]{12}: PROVED", ours)
    for paper in PAPERS:
        if paper != "new":
            entry = paper_entry(paper)
            assert entry.startswith(f"@misc{{{paper},\n  author = {{")
            assert f"year = {{20{paper[-2:]}}}" in entry
            assert entry.count("{") == entry.count("}")
            # the key is the first author's family name
            assert entry.split("author = {")[1].split(",")[0].lower().replace(" ", "") == paper[:-2]
    assert 'Franke, J{\\"o}rg K.H. and Hutter' in paper_entry("grazzi25")
    assert "De Geeter, Florent and" in paper_entry("degeeter26")
    assert "Cirone, Nicola Mu{\\c{c}}a" in paper_entry("movahedi25")


def test_a_place_that_is_not_arxiv(monkeypatch):
    references = [
        {"notes": "smith27 in the ledger", "url": "https://example.org/paper"},
        {"notes": "jones27", "doi": "10.1000/182"},
        {"notes": "roe27"},
    ]
    monkeypatch.setattr(citing, "citation", lambda: {"references": references, "repository-code": "https://example.org/lemmata"})
    assert (place_of("smith27").name, place_of("jones27").name) == ("example.org", "doi:10.1000/182")
    assert place_of("roe27") is None
    assert place_of("nobody27") is None
    assert citing.repository() == "https://example.org/lemmata"


def test_what_would_make_a_model_able():
    """The nearest classes that contain it and can; of numbers the ones with which it can itself."""
    tasks = knowledge().tasks
    found = {x["precision"]: [m.id for m, _ in x["models"]] for x in pages.abler("diagonal-nonnegative", tasks["parity"])}
    assert found["exact"] == ["diagonal-signed", "fixed-point-nonnegative"]  # the first is in every class with signs
    (star_free,) = pages.abler("diagonal-nonnegative", tasks["star-free"])
    assert (star_free["precision"], star_free["precisions"]) == ("exact", ["margin", "rounded", "reals"])
    assert pages.abler("nonlinear", tasks["parity"]) == []
    assert pages.abler("dense", tasks["S5"]) == []


def test_minisearch_is_the_published_file():
    """MiniSearch 7.2.0, dist/umd/index.js of the npm package, with its licence."""
    digest = hashlib.sha256((HERE / "static" / "minisearch.js").read_bytes()).hexdigest()
    assert digest == "03c27931eb603af1d3358579e9885eafdb6a2f5fa9929557b3e77d7e99d06d03"
    assert "Permission is hereby granted" in (HERE / "static" / "minisearch.LICENSE.txt").read_text()
