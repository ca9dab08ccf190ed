"""The atlas in a real browser: headless Chromium, driven by Selenium.

The re-check wants the unpacked npm package ``pyodide``: its folder is named by the variable LEMMATA_PYODIDE.
"""

import functools
import hashlib
import http.server
import json
import os
import random
import shutil
import subprocess
import tarfile
import threading
import tomllib
from fractions import Fraction
from itertools import islice, repeat
from pathlib import Path

import pytest

pytest.importorskip("latex2mathml", reason="needs the extra 'atlas'")
pytest.importorskip("selenium", reason="needs selenium, of the extra 'browser'")

from lemmata.atlas.site.documents import documents
from lemmata.atlas.site.widgets import gallery
from lemmata.numerics import exact
from lemmata.numerics.finite_precision import FiniteSet, cast_model_states, stepwise_states
from lemmata.theorems import TOPICS, entries
from selenium.common.exceptions import JavascriptException
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

PYODIDE = os.environ.get("LEMMATA_PYODIDE")

CLAIM = "new.parity.half"


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format, *args):
        pass


@pytest.fixture(scope="module")
def site(atlas):
    """The site's folder, with one claim's certificates, and with Python for the browser if it is there."""
    return atlas / "site"


def text(driver, id):
    return driver.execute_script("return document.getElementById(arguments[0]).textContent", id)


def write(driver, id, value):
    """Types over what a field holds."""
    field = driver.find_element("id", id)
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys(value)


#: pages of every kind that differs
KINDS = (
    "index.html",
    "tables/rounded.html",
    "search.html?q=parity",
    "claims/index.html",
    "claims/grazzi25.thm1.html",
    "claims/grazzi25.fig2.monotone.amended.html",
    "can/diagonal-nonnegative.html",
    "tasks/S5.html",
    "papers/grazzi25-errata.html",
    "papers/orvieto24.html",
    "rocq/index.html",
    "rocq/householder.html",
    f"topics/{TOPICS[0]}.html",
    "glossary.html",
    "commands.html",
    "run/index.html",
    "language/index.html#regex=(aa)*",
    "language/index.html#letters=a,b&table=0.0.2-1.1.2&accepting=1",
)

#: axe-core, which finds what keeps people with a screen reader or a keyboard out: pinned, from npm
AXE = "axe-core@4.14.1"

DESKTOP, PHONE = (1440, 900), (390, 844)


@pytest.fixture(scope="session")
def axe(tmp_path_factory):
    """The source text of axe-core; where npm is missing or cannot fetch it, the test is skipped."""
    if not shutil.which("npm"):
        pytest.skip("needs npm, which fetches axe-core")
    folder = tmp_path_factory.mktemp("axe")
    fetched = subprocess.run(["npm", "pack", "--silent", AXE], cwd=folder, capture_output=True, text=True, timeout=120)
    if fetched.returncode:
        pytest.skip(f"npm could not fetch {AXE}")
    with tarfile.open(folder / fetched.stdout.strip()) as archive:
        archive.extract("package/axe.min.js", folder, filter="data")
    return (folder / "package" / "axe.min.js").read_text(encoding="utf-8")


def fits(driver):
    """Whether nothing is wider than the screen."""
    return driver.execute_script("return document.documentElement.scrollWidth <= document.documentElement.clientWidth")


#: contrast, which takes long, depends on the theme and not on the width; everything else on the width alone
RULES = {
    ("light", DESKTOP): {},
    ("light", PHONE): {"rules": {"color-contrast": {"enabled": False}}},
    ("dark", DESKTOP): {"runOnly": ["color-contrast"]},
    ("dark", PHONE): {"runOnly": ["scrollable-region-focusable"]},
}


def violations(driver, axe, options):
    """What axe finds, each with an example; of long tables and lists it sees the first rows, which are as all others."""
    driver.execute_script(axe)
    script = """
      const done = arguments[1], rest = ["tbody tr:nth-child(n+13)", "#claims > li:nth-child(n+41)", "#results > li:nth-child(n+13)"];
      axe.run({exclude: rest}, {preload: false, resultTypes: ["violations"], ...arguments[0]}).then(x => done(x.violations))"""
    return [(x["id"], x["nodes"][0]["html"][:200]) for x in driver.execute_async_script(script, options)]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pages_fit_and_keep_nobody_out(theme, page, chromium, axe):
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": theme}]})
    for path in KINDS:
        for size in (DESKTOP, PHONE):
            driver = page(path, *size)
            assert fits(driver), (path, size)
            assert driver.execute_script("return document.querySelectorAll('h1').length") == 1, path
            assert driver.get_log("browser") == [], path
            assert violations(driver, axe, RULES[theme, size]) == [], (path, size)
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_pages_of_every_topic_and_verdict_fit_a_phone(page):
    claims = {e.topic: e.id for e in entries()} | {e.verdict: e.id for e in entries()}
    others = ["recheck/index.html", "papers/grazzi25.html", "schema.html", "docs/index.html", documents()[0].page, "notebooks/parity.html"]
    for path in [*others, *(f"claims/{id}.html" for id in sorted(set(claims.values())))]:
        assert fits(page(path, *PHONE)), path


def test_the_table_begins_on_the_first_screen_and_its_heads_stay(page):
    top = "return document.querySelector('.tab table').getBoundingClientRect().top"
    for size in (DESKTOP, PHONE):
        assert page("index.html", *size).execute_script(top) < 0.75 * size[1]
    # rows: down the page on a wide screen, in its own frame on a phone; there columns stay too
    head = "return document.querySelector('.tab thead th:nth-child(2)').getBoundingClientRect().top"
    driver = page("index.html", *DESKTOP)
    driver.execute_script("scrollTo(0, 700)")
    assert driver.execute_script(head) == 0
    driver = page("index.html", *PHONE)
    frame = "document.querySelector('.tab .heads')"
    driver.execute_script(f"{frame}.scrollTo(120, 300)")
    assert driver.execute_script(f"return {frame}.scrollLeft") > 0
    assert driver.execute_script(head) == driver.execute_script(f"return {frame}.getBoundingClientRect().top")
    row = "return document.querySelector('.tab tbody th').getBoundingClientRect().left"
    assert driver.execute_script(row) == driver.execute_script(f"return {frame}.getBoundingClientRect().left")


#: what only a screen needs, with a page that has it
FOR_THE_SCREEN = {
    "header": "tasks/S5.html",
    ".find": "tasks/S5.html",
    ".precision": "tasks/S5.html",
    ".key": "index.html",
    "#filters": "claims/index.html",
    ".contents": "papers/degeeter26-errata.html",
    ".here": "papers/degeeter26-errata.html",
}


def test_paper_has_no_controls_and_nothing_folded_or_cut(page, chromium):
    def media(name):
        chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": name})

    shown = "return [...document.querySelectorAll(arguments[0])].filter(x => x.checkVisibility()).length"
    folded = "main details:not(.key, .contents *) > :not(summary)"
    cut = "return [...document.querySelectorAll('.heads, .scroll, pre')].filter(x => getComputedStyle(x).overflowX !== 'visible').length"
    after = "return getComputedStyle(document.querySelector('main a[rel=external]'), '::after').content"
    unfolded = 0
    # the claim last: it has a link that leads away
    for path in [*sorted(set(FOR_THE_SCREEN.values())), "claims/grazzi25.thm1.html"]:
        driver = page(path)
        wanted = [selector for selector, place in FOR_THE_SCREEN.items() if place == path]
        assert all(driver.execute_script(shown, selector) for selector in wanted), path
        media("print")
        assert [x for x in FOR_THE_SCREEN if driver.execute_script(shown, x)] == [], path
        assert driver.execute_script(shown, "h1") == 1, path
        count = len(driver.find_elements("css selector", folded))
        assert driver.execute_script(shown, folded) == count, path
        unfolded += count
        assert driver.execute_script(cut) == 0, path
        # whoever reads in the dark prints black on white
        ink = "return ['--paper', '--ink', '--soft', '--string'].map(x => getComputedStyle(document.documentElement).getPropertyValue(x))"
        light = driver.execute_script(ink)
        driver.execute_script("document.documentElement.dataset.theme = 'dark'")
        assert driver.execute_script(ink) == light
        assert driver.execute_script("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        media("")
        assert driver.execute_script(ink) != light
        driver.execute_script("delete document.documentElement.dataset.theme")
    assert unfolded > 0
    assert chromium.execute_script(after) == "none"
    media("print")
    assert "https://arxiv.org/abs/" in chromium.execute_script(after)
    media("")


def test_the_arithmetic_lives_in_the_address_and_links_keep_it(page):
    driver = page("index.html")
    driver.find_element("id", "p-exact").send_keys(Keys.ARROW_RIGHT)
    assert driver.execute_script("return location.search") == "?precision=margin"
    driver.find_element("css selector", "#tab-margin a[href*='can/diagonal-nonnegative.html'][href$='#parity']").click()
    assert driver.execute_script("return location.search + location.hash") == "?precision=margin#parity"
    shown = "return [...document.querySelectorAll('#star-free [data-in]')].filter(x => x.offsetHeight).every(x => x.dataset.in.split(' ').includes('margin'))"
    assert driver.execute_script(shown)
    assert not driver.find_element("css selector", "thead [data-in=exact]").is_displayed()
    driver.find_element("css selector", "#parity h2 a").click()
    assert (
        driver.execute_script("return location.pathname.split('/').slice(-2).join('/') + location.search")
        == "tasks/parity.html?precision=margin"
    )
    driver.find_element("css selector", "label[for=p-all]").click()
    assert driver.execute_script("return location.search") == ""
    # a table that has a page of its own is found there, by way of the home page as well
    page("index.html?precision=rounded")
    ending = "return location.pathname.split('/').slice(-2).join('/')"
    assert driver.execute_script(ending) == "tables/rounded.html"
    driver.find_element("css selector", "#table a[href*='tasks/parity.html']").click()
    assert driver.execute_script("return location.search") == "?precision=rounded"
    assert driver.find_element("id", "p-rounded").is_selected()
    driver.find_element("css selector", "label[for=p-all]").click()
    # nothing follows a link to a page that has no such choice
    assert driver.execute_script("return document.querySelector('header a[href*=claims]').search") == ""


def test_the_search_finds_first_what_is_meant(page):
    wanted = tomllib.loads((Path(__file__).parent / "queries.toml").read_text(encoding="utf-8"))["first"]
    assert len(wanted) == 35
    driver = page("search.html")
    first = "return arguments[0].map(q => (Search.find(q)[0] || {}).page)"
    assert dict(zip(wanted, driver.execute_script(first, list(wanted)), strict=True)) == wanted


def test_the_page_of_results(page):
    driver = page("index.html")
    driver.find_element("css selector", "header input[name=q]").send_keys("krohn-rhodes", Keys.ENTER)
    assert driver.execute_script("return location.pathname.split('/').pop() + location.search") == "search.html?q=krohn-rhodes"
    first = "return document.querySelector('#results a').getAttribute('href')"
    assert driver.execute_script(first) == "claims/grazzi25.thm5.html"
    write(driver, "query", "zzzyx")
    assert text(driver, "found") == "Nothing found."
    write(driver, "query", "S5")
    driver.find_element("id", "kind").send_keys("Model")
    assert driver.execute_script(first) == "can/open-lti-diagonal.html"  # the S5 layer
    assert driver.execute_script("return location.search") == "?q=S5&kind=model"


def test_search_and_filters(page):
    driver = page("claims/index.html")
    found = "return [...document.querySelectorAll('#claims > li')].filter(x => !x.hidden).map(x => x.querySelector('code').textContent)"
    assert len(driver.execute_script(found)) == len(entries())
    write(driver, "words", "eventually constant grazzi25")
    assert "grazzi25.thm1" in driver.execute_script(found)
    assert len(driver.execute_script(found)) < 60
    write(driver, "words", "Theorem 3")
    assert driver.execute_script(found)[0] == "grazzi25.thm3"
    write(driver, "words", "zzzyx")
    assert driver.execute_script(found) == []
    assert text(driver, "found") == "0 claims"
    driver = page("claims/index.html#verdict=REFUTED&class=gap")
    assert driver.execute_script(found) == [e.id for e in entries() if e.verdict == "REFUTED" and e.fault == "gap"]
    driver.find_element("id", "f-class").send_keys("misprint")
    assert driver.execute_script(found) == [e.id for e in entries() if e.verdict == "REFUTED" and e.fault == "misprint"]
    assert driver.execute_script("return location.hash") == "#verdict=REFUTED&class=misprint"


def test_tabs_and_theme_by_keyboard(page):
    driver = page("index.html")
    shown = "return [...document.querySelectorAll('.tab')].filter(x => x.offsetHeight).map(x => x.id)"
    assert driver.execute_script(shown) == ["tab-exact"]
    driver.find_element("id", "p-exact").send_keys(Keys.ARROW_RIGHT)
    assert driver.execute_script(shown) == ["tab-margin"]
    paper = "return getComputedStyle(document.documentElement).backgroundColor"
    before = driver.execute_script(paper)
    driver.find_element("id", "theme").send_keys(Keys.ENTER)
    after = driver.execute_script(paper)
    assert before != after
    driver.refresh()
    assert driver.execute_script(paper) == after
    driver.find_element("id", "theme").send_keys(Keys.ENTER)
    assert driver.execute_script(paper) == before


def test_eigenvalues(page):
    driver = page("run/index.html")
    assert text(driver, "eigenvalues-answer").startswith("Missed")
    for button in driver.find_elements("css selector", "[data-preset]"):
        button.click()
        wanted = {"a sign": "Found", "−1/2 without 0": "Found", "−1/2, rounded": "Found", "a decay, exact": "Not one"}
        assert text(driver, "eigenvalues-answer").startswith(wanted.get(button.text, "Missed")), button.text
    driver.find_elements("css selector", "[data-preset]")[0].click()
    driver.find_element("id", "slide1").send_keys(Keys.ARROW_LEFT * 30)
    assert driver.find_element("id", "a1").get_property("value") == "-1"
    assert text(driver, "eigenvalues-answer").startswith("Found")
    write(driver, "D", "1/0")
    assert "expected" in text(driver, "eigenvalues-answer")


def test_verdicts_on_parity_are_those_of_the_package(page):
    """Random scalar units: 30 states as the package computes them, and a verdict that fits them."""
    draw, cases, seen = random.Random(0), [], set()
    for _ in range(40):
        a, b, h = (str(Fraction(draw.randint(-8, 8), draw.choice([1, 2, 4, 5]))) for _ in range(3))
        cases.append((a, b, h, sorted({Fraction(draw.randint(-6, 6), 2) for _ in range(4)}), draw.choice(["cast", "rounded"])))
    script = """return arguments[0].map(([a, b, h, D, model]) => {
      const v = Parity.verdict([{a: Q.read(a), b: Q.read(b), h0: Q.read(h)}], D.map(Q.read), model);
      return {apart: v.apart, from: v.from, states: Array.from({length: 30}, (_, k) => v.key(k + 1).replace("−", "-"))};
    })"""
    said = page("run/index.html").execute_script(script, [(a, b, h, [str(y) for y in D], model) for a, b, h, D, model in cases])
    for (a, b, h, D, model), verdict in zip(cases, said, strict=True):
        A, B, H = (exact.rationals([[Fraction(x)]]) for x in (a, b, h))
        states = (cast_model_states if model == "cast" else stepwise_states)(repeat((A, B)), H, FiniteSet(D))
        held = [str(H[0, 0]) for H in islice(states, 1, 31)]
        assert verdict["states"] == held, (a, b, h, D, model)
        assert verdict["from"] <= 28, "the instance says nothing about for ever"
        assert verdict["apart"] == set(held[0::2]).isdisjoint(held[1::2])
        seen.add(verdict["apart"])
    assert seen == {True, False}


def test_hysteresis(page):
    driver = page("run/index.html")
    slide = driver.find_element("id", "x")
    assert text(driver, "hysteresis-answer").startswith("The unit keeps −1")
    slide.send_keys(Keys.ARROW_RIGHT * 32)
    assert "keeps −1" in text(driver, "hysteresis-answer")
    assert "they differ" in text(driver, "hysteresis-answer")
    slide.send_keys(Keys.ARROW_RIGHT * 8)
    assert "writes +1" in text(driver, "hysteresis-answer")
    slide.send_keys(Keys.ARROW_LEFT * 79)
    assert "keeps +1" in text(driver, "hysteresis-answer")
    slide.send_keys(Keys.ARROW_LEFT)
    assert "writes −1" in text(driver, "hysteresis-answer")


def test_networks_step_through_words(page):
    driver = page("run/index.html")
    assert "accepted" in text(driver, "network-answer")
    write(driver, "word", "aab")
    assert "not accepted" in text(driver, "network-answer")
    assert text(driver, "position-is") == "3 of 3: b"
    driver.find_element("id", "position").send_keys(Keys.ARROW_LEFT)
    assert text(driver, "position-is") == "2 of 3: a"
    write(driver, "word", "abc")
    assert "“c” is no letter" in text(driver, "network-answer")
    draw = random.Random(1)
    script = "return Network.run(Network.load(NETWORKS[arguments[0]].network), arguments[1]).map(t => t.state)"
    for i, (_, _, _, network) in enumerate(gallery()):
        letters = network.automaton.letters
        word = [draw.randrange(len(letters)) for _ in range(40)]
        state, states = network.automaton.start, []
        for y in word:
            state = network.automaton.table[letters[y]][state]
            states.append(state)
        assert driver.execute_script(script, i, word) == states
    broken = (
        "const n = structuredClone(NETWORKS[0].network); n.layers[0].maps[0].A[0][0] = '7/5'; Network.run(Network.load(n), [0, 1, 0, 1])"
    )
    with pytest.raises(JavascriptException, match="decoder lacks"):
        driver.execute_script(broken)


def test_without_a_server_the_recheck_says_what_it_needs(page):
    driver = page("recheck/index.html")
    assert "python -m http.server" in driver.find_element("id", "main").text


@pytest.mark.skipif(not PYODIDE, reason="needs npm's package pyodide, unpacked, in the folder LEMMATA_PYODIDE")
def test_certificates_are_rechecked_in_the_browser(site, chromium, tmp_path):
    """A claim's own certificates hold; with a number changed they do not, even under a new digest."""
    chromium.get_log("browser")
    document = json.loads((site / "certificates" / f"{CLAIM}.json").read_text())
    document["certificates"][0]["data"]["D"] = ["-1", "0", "1"]
    body = {k: v for k, v in document.items() if k != "sha256"}
    digest = hashlib.sha256(json.dumps(body, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
    (tmp_path / "tampered.json").write_text(json.dumps(body | {"sha256": digest}))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=site)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            chromium.get(f"http://127.0.0.1:{server.server_port}/claims/{CLAIM}.html")
            chromium.find_element("partial link text", "re-check in your browser").click()
            assert finished(chromium).startswith("All of it holds: 1 passed")
            assert CLAIM in text(chromium, "results")
            chromium.find_element("id", "file").send_keys(str(tmp_path / "tampered.json"))
            assert finished(chromium).startswith("Not all of it holds: 0 passed, 1 failed")
            assert "tampered.json" in text(chromium, "results")
        finally:
            server.shutdown()
    assert chromium.get_log("browser") == []


def finished(driver):
    """What the page says when the checker is through, which is waited for."""
    said = WebDriverWait(driver, 90, poll_frequency=0.05)
    return said.until(lambda d: next((words for words in [text(d, "state")] if "passed" in words or "could not" in words), None))
