"""The atlas: every page, every link, nothing from elsewhere, the same bytes each time."""

from html import unescape
from html.parser import HTMLParser
from posixpath import dirname, join, normpath
from urllib.parse import unquote, urlsplit

import pytest

pytest.importorskip("latex2mathml", reason="needs the extra 'atlas'")

from lemmata.atlas.knowledge import knowledge
from lemmata.atlas.site.build import HERE, build, files, number_of_files
from lemmata.atlas.site.text import formula, inline, plain
from lemmata.theorems import entries

VOID = {"meta", "link", "br", "input", "img", "hr"}


class Page(HTMLParser):
    """The ids, links and loaded files of a page; tags that are not closed in order fail."""

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.links, self.loads, self.headings, self.labelled = [], [], [], [], [], set()
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
        if tag == "link" and facts.get("rel") == "stylesheet":
            self.loads.append(facts["href"])
        if tag in ("h1", "h2", "h3"):
            self.headings.append(int(tag[1]))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def site():
    return dict(files())


@pytest.fixture(scope="module")
def parsed(site):
    return {path: Page(text) for path, text in site.items() if path.endswith(".html")}


def test_a_page_for_everything(site):
    assert {f"claims/{e.id}.html" for e in entries()} <= site.keys()
    assert {f"can/{m}.html" for m in knowledge().models} <= site.keys()
    assert len(site) == number_of_files()


def test_every_link_leads_somewhere(site, parsed):
    there = site.keys() | {f"static/{p.name}" for p in (HERE / "static").iterdir()}
    for path, page in parsed.items():
        assert len(page.ids) == len(set(page.ids)), path
        for href in page.links:
            parts = urlsplit(href)
            assert not parts.scheme, f"{path} links to {href}"
            target = normpath(join(dirname(path), unquote(parts.path))) if parts.path else path
            assert target in there, f"{path} links to {href}"
            if parts.fragment:
                assert parts.fragment in parsed[target].ids, f"{path} links to {href}"


def test_nothing_is_loaded_from_elsewhere(site, parsed):
    there = site.keys() | {f"static/{p.name}" for p in (HERE / "static").iterdir()}
    for path, page in parsed.items():
        for source in page.loads:
            assert normpath(join(dirname(path), source)) in there


def test_pages_can_be_read_by_machines(parsed):
    for path, page in parsed.items():
        assert page.headings[0] == 1, path
        assert page.headings.count(1) == 1, path
        assert all(b <= a + 1 for a, b in zip(page.headings, page.headings[1:], strict=False)), path


def test_verdict_how_and_scope_stand_on_the_page(site):
    for e in entries():
        page = site[f"claims/{e.id}.html"]
        assert f'class="verdict {e.verdict}"' in page
        assert e.how == "" or f">{e.how}</abbr>" in page


def test_the_home_page_is_small(site):
    assert len(site["index.html"].encode()) < 300_000


def test_written_whole_and_the_same_each_time(site, tmp_path):
    told = []
    assert build(tmp_path / "out", told.append) == len(site) + len(list((HERE / "static").iterdir()))
    assert told == list(range(1, len(site) + 1))
    assert {p: (tmp_path / "out" / p).read_bytes() for p in site} == {p: x.encode() if isinstance(x, str) else x for p, x in site.items()}
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_a_folder_with_something_in_it_is_left_alone(tmp_path):
    (tmp_path / "mine").write_text("precious")
    with pytest.raises(ValueError, match="new or empty folder"):
        build(tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["mine"]


def test_a_build_that_fails_leaves_nothing(tmp_path):
    def stop(done):
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(tmp_path / "out", stop)
    assert list(tmp_path.iterdir()) == []


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
