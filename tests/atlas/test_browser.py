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
import threading
from fractions import Fraction
from itertools import islice, repeat

import pytest

pytest.importorskip("latex2mathml", reason="needs the extra 'atlas'")
pytest.importorskip("selenium", reason="needs selenium, of the extra 'browser'")

from lemmata.atlas.site.widgets import gallery
from lemmata.numerics import exact
from lemmata.numerics.finite_precision import FiniteSet, cast_model_states, stepwise_states
from lemmata.theorems import TOPICS, entries
from selenium import webdriver
from selenium.common.exceptions import JavascriptException
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
PYODIDE = os.environ.get("LEMMATA_PYODIDE")
pytestmark = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="needs Chromium and its driver (Debian: chromium, chromium-driver)")

CLAIM = "new.parity.half"
OPTIONS = (
    "headless=new",
    "no-sandbox",
    "disable-gpu",
    "disable-quic",
    "no-first-run",
    "disable-background-networking",
    "force-prefers-reduced-motion",
)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format, *args):
        pass


@pytest.fixture(scope="module")
def site(atlas):
    """The site's folder, with one claim's certificates, and with Python for the browser if it is there."""
    return atlas / "site"


@pytest.fixture(scope="module")
def chromium():
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for option in (*OPTIONS, "disable-component-update", "disable-sync"):
        options.add_argument(f"--{option}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture
def page(site, chromium):
    """Opens a page from its file; what the console says in the meantime fails the test."""

    def open_page(path, width=1280):
        chromium.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        )
        # away first: a new fragment alone would not load the page again
        chromium.get("about:blank")
        chromium.get((site / path.partition("#")[0]).as_uri() + "".join(path.partition("#")[1:]))
        return chromium

    chromium.get_log("browser")
    yield open_page
    assert chromium.get_log("browser") == []


def text(driver, id):
    return driver.execute_script("return document.getElementById(arguments[0]).textContent", id)


def write(driver, id, value):
    """Types over what a field holds."""
    field = driver.find_element("id", id)
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys(value)


def sample():
    """A page of every template, and a claim of every topic and verdict."""
    claims = {e.topic: e.id for e in entries()} | {e.verdict: e.id for e in entries()}
    lists = ["papers/grazzi25.html", f"topics/{TOPICS[0]}.html", "can/delta-signed.html", "schema.html"]
    return [
        "index.html",
        "claims/index.html",
        "run/index.html",
        "recheck/index.html",
        *lists,
        *(f"claims/{id}.html" for id in sorted(set(claims.values()))),
    ]


def test_pages_load_in_silence_and_fit_a_narrow_screen(page):
    for path in sample():
        driver = page(path, width=400)
        assert driver.execute_script("return document.documentElement.scrollWidth") <= 400, path
        assert driver.execute_script("return document.querySelectorAll('h1').length") == 1, path
        assert driver.get_log("browser") == [], path


def test_search_and_filters(page):
    driver = page("claims/index.html")
    found = "return [...document.querySelectorAll('#claims > li')].filter(x => !x.hidden).map(x => x.querySelector('code').textContent)"
    assert len(driver.execute_script(found)) == len(entries())
    write(driver, "words", "eventually constant grazzi25")
    assert "grazzi25.thm1" in driver.execute_script(found)
    assert len(driver.execute_script(found)) < 60
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
    assert driver.execute_script(shown) == ["tab-states"]
    driver.find_element("id", "p-states").send_keys(Keys.ARROW_RIGHT)
    assert driver.execute_script(shown) == ["tab-cast"]
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
