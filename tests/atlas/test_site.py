"""The atlas: every page, every link, nothing from elsewhere, the same bytes each time."""

import gzip
import json
import re
from html import unescape
from html.parser import HTMLParser
from itertools import islice
from posixpath import dirname, join, normpath
from urllib.parse import unquote, urlsplit

import pytest

pytest.importorskip("latex2mathml", reason="needs the extra 'atlas'")

from lemmata.atlas.inference import answers
from lemmata.atlas.knowledge import PRECISIONS, knowledge
from lemmata.atlas.site import api, commands, figures, notebooks, pages, search
from lemmata.atlas.site.build import HERE, build, files, number_of_files
from lemmata.atlas.site.documents import documents
from lemmata.atlas.site.errata import errata_page
from lemmata.atlas.site.graph import HEIGHT, connections, drawing
from lemmata.atlas.site.recheck import certificate_files
from lemmata.atlas.site.schema import SCHEMA
from lemmata.atlas.site.text import docstring, heading, numbered_code, with_contents
from lemmata.cli.citing import citation, place_of
from lemmata.cli.where import ROOT
from lemmata.experiments import registered
from lemmata.papers import maps
from lemmata.theorems import entries
from lemmata.theorems.ledger import TOPICS, ledger, papers_with_claims

#: the claim with certificates, as conftest.py has it
CLAIM = "new.parity.half"

VOID = {"meta", "link", "br", "input", "img", "hr"}


class Page(HTMLParser):
    """The ids, links and loaded files of a page; tags that are not closed in order fail."""

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.links, self.loads, self.headings = [], [], [], [], []
        self.unnamed = 0
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        facts = dict(attrs)
        if tag not in VOID:
            self.open.append(tag)
        if "id" in facts:
            self.ids.append(facts["id"])
        if tag == "a":
            self.links.append(facts["href"])
        if tag in ("script", "img") and "src" in facts:
            self.loads.append(facts["src"])
        if tag == "img":
            self.unnamed += not (facts.get("alt") and facts.get("width") and facts.get("height"))
        if tag == "link" and facts.get("rel") == "stylesheet":
            self.loads.append(facts["href"])
        if tag in ("h1", "h2", "h3"):
            self.headings.append(int(tag[1]))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def pictures(atlas):
    return atlas / "figures"


@pytest.fixture(scope="module")
def site(atlas):
    """Path -> text or bytes of every file that is made, not copied."""
    folder = atlas / "site"
    made = [p for p in sorted(folder.rglob("*")) if p.is_file() and p.relative_to(folder).parts[0] not in ("certificates", "pyodide")]
    made = [p for p in made if p.parent.name != "static" or not (HERE / "static" / p.name).exists()]
    read = lambda p: p.read_text(encoding="utf-8") if p.suffix in (".html", ".json", ".js", ".css") else p.read_bytes()  # noqa: E731
    return {p.relative_to(folder).as_posix(): read(p) for p in made}


@pytest.fixture(scope="module")
def parsed(site):
    return {path: Page(text) for path, text in site.items() if path.endswith(".html")}


def test_a_page_for_everything(site, atlas):
    assert {f"claims/{e.id}.html" for e in entries()} <= site.keys()
    assert {f"can/{m}.html" for m in knowledge().models} <= site.keys()
    assert {f"tasks/{t}.html" for t in knowledge().tasks} <= site.keys()
    assert {d.page for d in documents()} <= site.keys()
    assert {f"topics/{t}.html" for t in TOPICS} <= site.keys()
    assert {f"papers/{p}-errata.html" for p in papers_with_claims()} <= site.keys()
    assert {f"api/{m}.html" for m in api.modules()} <= site.keys()
    assert len(site) == json.loads((atlas / "progress.json").read_text())["expected"]


def is_declared(address):
    """No address is made up: a paper's public page, an arXiv number that stands in our words, or an address in docs/."""
    places = {r["url"] for r in citation()["references"]}
    return (
        address in places or re.fullmatch(r"https://arxiv\.org/abs/\d{4}\.\d{4,5}", address) or any(address in d.text for d in documents())
    )


def test_every_link_leads_somewhere(site, parsed):
    there = site.keys() | {f"static/{p.name}" for p in (HERE / "static").iterdir()} | {f"certificates/{CLAIM}.json"}
    for path, page in parsed.items():
        assert len(page.ids) == len(set(page.ids)), path
        for href in page.links:
            parts = urlsplit(href)
            if parts.scheme:
                assert is_declared(href), f"{path} links to {href}"
                continue
            target = normpath(join(dirname(path), unquote(parts.path))) if parts.path else path
            assert target in there, f"{path} links to {href}"
            if parts.fragment:
                # on the page of the re-check a script takes the certificate of that claim
                taken = target == "recheck/index.html" and f"certificates/{parts.fragment}.json" in there
                assert taken or parts.fragment in parsed[target].ids, f"{path} links to {href}"


def test_nothing_is_loaded_from_elsewhere(site, parsed):
    there = site.keys() | {f"static/{p.name}" for p in (HERE / "static").iterdir()} | {f"certificates/{CLAIM}.json"}
    for path, page in parsed.items():
        for source in page.loads:
            assert normpath(join(dirname(path), source)) in there


def test_pages_can_be_read_by_machines(parsed):
    for path, page in parsed.items():
        assert page.headings[0] == 1, path
        assert page.headings.count(1) == 1, path
        assert all(b <= a + 1 for a, b in zip(page.headings, page.headings[1:], strict=False)), path
        assert page.unnamed == 0, path


def test_verdict_how_and_scope_stand_on_the_page(site):
    for e in entries():
        page = site[f"claims/{e.id}.html"]
        assert f'class="verdict {e.verdict}"' in page
        assert e.how == "" or f">{e.how}</abbr>" in page


def test_the_home_page_is_small(site):
    page = site["index.html"].encode()
    assert len(page) < 400_000
    assert len(gzip.compress(page)) < 30_000


def test_every_arithmetic_has_its_table_once(site):
    """Two stand on the home page, the others on pages of their own, each with every cell that is answered."""
    home, elsewhere = set(pages.HOME), set(PRECISIONS) - set(pages.HOME)
    assert home
    assert elsewhere == {p.removeprefix("tables/").removesuffix(".html") for p in site if p.startswith("tables/")}
    for precision in PRECISIONS:
        page = (
            site["index.html"].split(f'id="tab-{precision}"')[1].split('id="tab-')[0]
            if precision in home
            else site[f"tables/{precision}.html"]
        )
        cells = [c for k in pages.table_of(precision)["kinds"] for _, row in k["rows"] for c in row]
        assert page.count('class="cell ') - page.split("</details>")[0].count('class="cell ') * (precision in elsewhere) == sum(
            c["answer"] != "open" for c in cells
        )


def test_written_whole_and_the_same_each_time(site, atlas, pictures):
    reported = json.loads((atlas / "progress.json").read_text())
    assert reported["written"] == list(range(1, len(site) + 1))
    assert reported["count"] == sum(p.is_file() for p in (atlas / "site").rglob("*"))
    assert sorted(p.name for p in atlas.iterdir()) == ["certificates", "figures", "progress.json", "site"]
    evidence = certificate_files(atlas / "certificates")
    again = files(pictures, pyodide=(atlas / "site" / "pyodide").exists(), certificates=evidence)
    for path, content in islice(again, 40):
        assert site[path] == content


def test_a_folder_with_something_in_it_is_left_alone(tmp_path):
    (tmp_path / "mine").write_text("precious")
    with pytest.raises(ValueError, match="new or empty folder"):
        build(tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["mine"]


def test_a_build_that_fails_leaves_nothing(tmp_path):
    def stop(*done):
        if 3 in done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(tmp_path / "out", stop)
    assert list(tmp_path.iterdir()) == []


def test_figures_stand_on_the_pages_they_belong_to(site, pictures):
    assert site["figures/grazzi25.fig2.png"] == (pictures / "grazzi25.fig2.png").read_bytes()
    said = "Cast onto a finite set, the state settles if a(1) ≥ 0; with a(1) = −1 it alternates with the parity"
    for page in ("topics/parity.html", "claims/grazzi25.fig2.monotone.html", "claims/grazzi25.thm1.fig2.html"):
        assert f'src="../figures/grazzi25.fig2.png" alt="{said}" width="1" height="1"' in site[page]
        assert "grazzi25.fig2 as txt" in site[page]
        assert 'href="../figures/grazzi25.fig2.csv" download' in site[page]
    assert "figures/degeeter26.fig7.svg" not in site["topics/bistable.html"]
    assert "lemmata figures lizaire26.fig4 --out FOLDER" in site["topics/depth.html"]
    assert "grazzi25.fig2" not in site["topics/householder.html"]


def test_every_experiment_has_a_topic_and_says_how_it_is_drawn(site):
    assert {r.topic for r in registered().values()} <= set(TOPICS)
    assert {f.name for f in figures.figures()} >= set(registered())
    assert "lemmata train lizaire26.fig7 --scale desk --redraw --out FOLDER" in site["topics/depth.html"]


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda folder: None, "which is none"),
        (lambda folder: folder.mkdir(), "got none in"),
        (lambda folder: _spoil(folder), "other bytes"),
    ],
)
def test_a_folder_without_figures(make, said, tmp_path):
    make(tmp_path / "drawn")
    with pytest.raises(ValueError, match=said) as error:
        build(tmp_path / "out", figures=tmp_path / "drawn")
    assert "\n" not in str(error.value)
    assert not (tmp_path / "out").exists()


def _spoil(folder):
    folder.mkdir()
    (folder / "grazzi25.fig2.png").write_text("not a picture")


@pytest.mark.parametrize("topic", TOPICS)
def test_the_graph_shows_every_claim_and_connection(topic, site):
    graph = drawing(topic)
    ids = [b.entry.id for b in graph.boxes]
    assert sorted([*(id for id in ids if ledger()[id].topic == topic), *(e.id for e in graph.alone)]) == sorted(
        e.id for e in entries(topics=[topic])
    )
    assert len(graph.arrows) == len(connections(topic))
    assert site[f"topics/{topic}.html"].count("<rect ") == len(ids) == len(set(ids))
    for i, a in enumerate(graph.boxes):
        assert 0 <= a.x <= a.x + a.width <= graph.width
        assert 0 <= a.y <= a.y + HEIGHT <= graph.height
        assert all(a.x + a.width <= b.x or b.x + b.width <= a.x or abs(a.y - b.y) >= HEIGHT for b in graph.boxes[:i])
    # what is used stands to the left, but for the arrow that closes a circle
    at = {b.entry.id: b.x for b in graph.boxes}
    back = [(a, b) for a, b in connections(topic) if at[a] >= at[b]]
    assert len(back) <= 1 + len(at) // 10


def test_notebooks_stand_with_their_outputs(site):
    assert notebooks.topics() == list(TOPICS)
    page = site["notebooks/householder.html"]
    assert "3 reflections; rank(Q - I) = 3" in page
    assert site["notebooks/householder-1.png"][1:4] == b"PNG"
    assert 'src="householder-1.png" alt="Drawn by the cell above:' in page
    assert '<a href="../notebooks/householder.html">' in site["topics/householder.html"]


def test_an_installed_package_has_no_notebooks(tmp_path, monkeypatch):
    with_them = number_of_files()
    monkeypatch.setattr(notebooks, "FOLDER", tmp_path)
    assert notebooks.topics() == []
    assert pages.topic_page("parity")["notebook"] is None
    assert number_of_files() < with_them


def test_refuted_and_amended_stand_side_by_side(site):
    for id in ("grazzi25.fig2.monotone", "grazzi25.fig2.monotone.amended"):
        page = site[f"claims/{id}.html"]
        pair = page[page.index('<div class="pair">') : page.index("<dl>")]
        assert pair.index("Printed") < pair.index("Amended")
        assert pair.count('class="statement') == 2


def test_the_code_of_a_claim_is_what_stands_in_the_source(site):
    found = api.source("lemmata.theorems.parity.converse.one_negative_scalar", with_docstring=False)
    lines = (ROOT / found.file).read_text(encoding="utf-8").split("\n")
    assert found.text.split("\n") == [line.removeprefix("    ") for line in lines[found.first - 1 : found.last]]
    assert found.text.startswith("proof.formally(")
    page = site["claims/grazzi25.thm1.converse.html"]
    assert f'id="check-{found.first}"' in page
    assert f'id="check-{found.last}"' in page
    assert 'href="../api/lemmata.constructions.parity.html#lemmata.constructions.parity.sign_flip"' in page
    assert "lemmata:grazzi25.thm1.converse" in page
    # a token of several lines is closed on each
    assert numbered_code('x = """a\nb"""', 7, "check").count("</span>") == 2 + 2


def test_cells_say_which_network_a_command_builds(site):
    home, page = site["index.html"], site["can/householder-4.html"]
    number = home.split('href="can/householder-4.html#S5" data-n="')[1].split('"')[0]
    said = json.loads(home.split("const BUILT = ")[1].split("; for")[0])[int(number)]
    assert said.startswith("lemmata compile --group S5 --elements: 1 layer of width 5, right at every length in float64, float32")
    part = page.split('<section id="S5">')[1].split("</section>")[0]
    assert "<pre" in part
    assert "lemmata compile --group S5 --elements" in part
    assert part.count('<td class="number">every length</td>') == 16
    assert "no command builds it" not in part.lower()
    assert "No command builds it" in site["can/nonlinear.html"].split('<section id="S5">')[1].split("</section>")[0]
    assert 'data-n="' not in home.split('href="can/nonlinear.html#S5"')[1].split(">")[0]


def test_the_package_documents_itself(site):
    page = site["api/lemmata.numerics.exact.html"]
    assert '<span class="k">def</span> <span class="d">rank</span>(' in page
    assert "_sturm_chain" not in page
    assert "about 1 GB with the text" in site["api/lemmata.constructions.automata.affine.html"]  # the comment above a constant
    home = api.page_of("lemmata.constructions.householder.GeneralizedHouseholder")  # wherever the package keeps it
    assert home.endswith(".GeneralizedHouseholder")
    assert f'id="{home.split("#")[1]}.apply"' in site[home.split("#")[0]]
    # what a package takes from its modules is linked
    assert 'html#lemmata.constructions.automata.cascade.cascade.krohn_rhodes"' in site["api/lemmata.constructions.automata.html"]
    assert "The check of" in site["api/lemmata.theorems.parity.converse.html"]
    assert (
        docstring("``a_b`` and :func:`c_d`, x_1*y and *well*") == "<p><code>a_b</code> and <code>c_d</code>, x_1*y and <em>well</em></p>\n"
    )


def test_words_are_explained_where_a_finger_reaches(site, parsed):
    for word in ("PROVED", "gap", "exact", "scope", "sabotage"):
        assert word in parsed["glossary.html"].ids
    page = site["claims/grazzi25.thm1.fig2.html"]
    assert 'href="../glossary.html#REFUTED"' in page
    assert 'href="../glossary.html#overstatement"' in page


def test_a_paper_shows_its_map(site):
    for paper in papers_with_claims():
        page = site[f"papers/{paper}.html"]
        kept = maps.read(paper)
        assert ('<h2 id="sentences">' in page) == (kept is not None)
        if kept:
            part = page[page.index('<h2 id="sentences">') :]
            for mark, n in kept.counts().items():
                assert f'<th scope="row">{mark}</th><td class="number">{n}</td>' in part
            for id in kept.places():
                assert f'<a href="../claims/{id}.html"><code>{id}</code></a> <span class="verdict {ledger()[id].verdict}"' in part
            assert [h for h in re.findall(r'<h3 id="[^"]*">([^<]*)</h3>', part) if h != "Before the first heading"] == [
                name for name, _ in kept.sections() if name
            ]


def test_errata_have_anchors_that_stay(parsed):
    for paper in papers_with_claims():
        wrong = {e.id for e in entries(papers=[paper]) if e.wrong and e.kind in ("statement", "finding") and e.root is None}
        assert wrong <= set(parsed[f"papers/{paper}-errata.html"].ids)
    assert errata_page("grazzi25")["parts"][0]["kind"] == "paragraph"


def test_the_data_are_what_the_schema_says(site):
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert json.loads(site["ledger.schema.json"]) == SCHEMA
    data = json.loads(site["ledger.json"])
    some = {**data, "claims": data["claims"][::8], "cells": data["cells"][::60]}
    validator = jsonschema.Draft202012Validator(SCHEMA)
    validator.validate(some)
    for spoiled in (
        {"verdict": "TRUE"},
        {"sabotages": []},
        {"uses": ["nobody.knows"]},
        {"more": 1},
    ):
        assert not validator.is_valid({**some, "claims": [{**some["claims"][0], **spoiled}]})


def test_the_title_is_the_heading_and_what_links_show(site):
    for e in entries()[::20]:
        page = site[f"claims/{e.id}.html"]
        assert unescape(page.split("<h1>")[1].split("</h1>")[0]) == heading(e.title)
        assert unescape(page.split('property="og:title" content="')[1].split('"')[0]) == heading(e.title)
        assert f'<p class="id"><code>{e.id}</code></p>' in page
        assert 'property="og:image" content="../static/card.png"' in page
    assert heading("one layer does") == "One layer does"
    assert heading("a stack does") == "A stack does"
    # symbols and functions stay small
    assert [heading(x) for x in ("c times a turn", "det V is", "k = 2", "cast(a) is")] == [
        "c times a turn",
        "det V is",
        "k = 2",
        "cast(a) is",
    ]


def test_the_picture_has_the_size_that_links_show(site):
    assert notebooks.size_of(site["static/card.png"][:24]) == (1200, 630)


def test_papers_are_linked_where_they_are_published(site):
    assert place_of("grazzi25").name == "arXiv:2411.12537"
    for page in ("papers/grazzi25.html", "claims/grazzi25.thm1.html", "index.html"):
        assert '<a href="https://arxiv.org/abs/2411.12537" rel="external">' in site[page]
    # what cells cite
    decided = answers()
    cited = {(place.model, key) for place, reason in (decided.yes | decided.no).items() for key in reason.fact.cites}
    numbers = {(model, number) for model, key in cited if (number := knowledge().publications[key].arxiv)}
    assert len(numbers) > 10
    for model, number in numbers:
        assert f'<a href="https://arxiv.org/abs/{number}" rel="external">' in site[f"can/{model}.html"]


def test_no_repository_is_invented(site):
    assert ("repository-code" in citation()) == (">Repository</a>" in site["index.html"])


def test_long_pages_have_contents(site, parsed):
    page = site["claims/grazzi25.thm1.html"]
    listed = page.split('aria-label="On this page"')[1].split("</nav>")[0]
    assert re.findall(r'href="#([^"]+)">([^<]*)</a>', listed)[:2] == [("says", "Statement"), ("beside", "Beside it")]
    for path, text in site.items():
        if path.endswith(".html") and len(re.findall(r'<h2 id="', text)) >= 5:
            assert 'aria-label="On this page"' in text, path
    short = "<h1>x</h1><h2 id='a'>a</h2>"
    assert with_contents(short) == short


def test_cells_of_a_task_are_those_of_its_models(site):
    page = site["tasks/S5.html"]
    for m in knowledge().models.values():
        for precision in PRECISIONS:
            c = pages.table_cell(m.id, knowledge().tasks["S5"], precision)
            assert f'<td data-in="{precision}"><a class="cell {c["answer"]} {c["grade"]}" href="../can/{m.id}.html#S5"' in page
    assert "lemmata compile --group S5" in page
    assert '<a href="A5.html">' in page


def test_the_search_knows_every_page(site):
    found = [r.page for r in search.records()]
    assert len(found) == len(set(found))
    groups = ("claims/", "tasks/", "can/", "papers/", "topics/", "docs/", "questions/", "notebooks/", "api/")
    wanted = {p for p in site if p.startswith(groups) and p.endswith(".html") and not p.endswith(("/index.html", "-errata.html"))}
    folded = {p for p in wanted if "is now part of" in site[p]}
    assert wanted - folded == {p for p in found if p.startswith(groups)}
    assert {f"commands.html#{c.name}" for c in commands.commands()} <= set(found)
    assert search.SYNONYMS.keys() <= set(found)
    assert {r.kind for r in search.records()} <= search.KINDS.keys()


def test_commands_are_those_of_the_command_line(site, parsed):
    assert {c.name for c in commands.commands()} <= set(parsed["commands.html"].ids)
    can = next(c for c in commands.commands() if c.name == "can")
    assert any(name.startswith("--model") for name, _ in can.options)
    assert "lemmata compile" in site["commands.html"]


def test_pages_of_the_documentation_keep_their_links(site):
    (atlas,) = (d for d in documents() if d.name.split("/")[-1] == "atlas")
    page = site[atlas.page]
    assert f'href="{atlas.root}index.html#table"' in page
    assert re.search(r'href="(\.\./)+docs/[\w/-]+\.html"', page)
    assert re.search(r'<h2 id="[a-z-]+">', page)


def test_every_verdict_has_its_colour_and_its_words(site):
    """Distinguished by frames as well as by colours."""
    style, more = ((HERE / "static" / name).read_text() for name in ("style.css", "pages.css"))
    for verdict in ("PROVED", "DERIVED", "CHECKED", "REFUTED", "CITED", "OPEN"):
        assert verdict in pages.TERMS
        assert f".verdict.{verdict} {{" in style
        assert f".graph .{verdict} rect" in more
    frames = [re.findall(rf"\.cell\.{grade} {{ border: 2px (\w+)", style) for grade in ("DERIVED", "CHECKED", "CITED")]
    assert frames == [["solid"], ["dashed"], ["dotted"]]
    for grade in ("PROVED", "DERIVED", "CHECKED", "CITED"):
        assert f'<span class="cell yes {grade}">' in site["index.html"]
