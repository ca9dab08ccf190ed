"""Numbers do not rot: a measured or computed number of a page stands beside a comment that names where it comes from, and there it is found.

``1,000<!-- source:key -->`` is found at a key of the source: a claim (``new.a.b:says``), a file of results (``benchmarks/results/x.json:rows[name=a].n``), a
constant (``lemmata.gpu.grid:PIECE``), ``:lines`` of files, or a function of this file (``computed:name``). Labels, places and constants in formulas are exempt.
"""

import json
import math
import re
from dataclasses import asdict
from fractions import Fraction
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from lemmata.constructions import reflections
from lemmata.theorems.ledger import TOPICS, ledger

pytest.importorskip("jinja2", reason="figures are listed for the site: needs the extra 'atlas'")
figures = import_module("lemmata.atlas.site.figures").figures

ROOT = Path(__file__).resolve().parents[1]

#: a number that somebody measured or computed: with a decimal point, of three digits or more, or with a unit
NUMBER = re.compile(
    r"(?<![\w.,/^_·:⁻=\[-])(\d{1,3}(?:,\d{3})+|\d+\.\d+|\d{3,}|\d+(?= (?:ms|s|[KMG]i?B|million|(?:core-)?hours?)\b| ?%))(?![\w^]|\.\d)"
)

#: a number with the comment that names its source
KEPT = re.compile(r"([\d,]*\d(?:\.\d+)?)<!-- ([\w./*-]+):([^>]+?) -->")

#: versions, years, editions, standards, names, ranges of a formula, places in a paper or a book
LABELS = re.compile(
    r"Apache-2\.0|MPL-2\.0|Python 3\.\d+|Coq \d[\d.]*|MathComp \d[\d.]*|fla-core [\d.]+|flash-linear-attention [\d.]+|IEEE 754|SHA-256|arXiv:? ?\d{4}\.\d{4,5}|\(?(?:19|20)\d\d\)?"
    r"|1, 11, 111|\b1{3,}|(?:Theorem|Lemma|Proposition|Corollary|Remark|Sec(?:tion)?|App|Eqs?|Figs?|Table|Figure)\.? ?(?:[A-Z]\.)?[\d.]+\d?(?:(?:,| and| to) [\d.]+\d)*"
)

#: limits in tables of these pages are held to the code by tests of their own: test_recheck_network, test_choice, test_sources; CONTRIBUTING by test_plain_english
HELD = {"certificates.md", "formats.md", "constructions.md", "inputs.md", "CONTRIBUTING.md"}

#: what a test beside the code holds a page to: test_delta_rule
TESTED = {"vectors.md": {"0.50001597", "0.50000072"}}

#: constants of the inputs or of the mathematics of a page
CONSTANTS = {
    "vectors.md": {"128", "1024", "0.5", "0.25", "4,096"},
    "sweeps.md": {"10", "256"},
    "deltanet-s5.md": {"120"},
    "atlas.md": {"5,000", "1,000"},
}


EXCEPTIONS = (TESTED, CONSTANTS)


def core_hours():
    """Of 10^9 cells of conditioning at N = L = 64."""
    rows = json.loads((ROOT / "benchmarks" / "results" / "sweeps.json").read_text(encoding="utf-8"))["ms per cell"]
    (cell,) = [r["cpu"] for r in rows if (r["kind"], r["basis"], r["N"], r["L"]) == ("conditioning", "all", 64, 64)]
    return 10**9 * cell / 1000 / 3600


def limit_of_thresholds():
    """Half of the least (l^2 + theta^2) / l over pi/3 < theta < pi/2, l = -ln(2 cos theta): r alpha_r tends to it."""
    angles = [math.pi / 3 + (math.pi / 6) * k / 10**5 for k in range(1, 10**5)]
    speeds = ((-math.log(2 * math.cos(theta)), theta) for theta in angles)
    return min((l * l + theta * theta) / l for l, theta in speeds) / 2


def two_rounded_gates():
    """exp(2 ln 1/2), where ln 1/2 is rounded to float16 before, and the result after."""
    return float(np.float16(np.exp(2 * np.float64(np.float16(math.log(0.5))))))


#: numbers of titles and letters that stand neither in the statement nor in the evidence: computed here
OF_CLAIMS = {
    ("new.gating.floor", "6.68"): lambda: -math.log(0.99 ** (-1 / 8) - 1),
    ("new.fixed-point.equal-reflections.thresholds", "0.2610"): lambda: reflections.threshold(4),
    ("new.fixed-point.equal-reflections.thresholds", "0.2215"): lambda: reflections.threshold(5),
    ("new.fixed-point.equal-reflections.thresholds", "1.4394"): limit_of_thresholds,
}

#: orders of groups, tolerances of the papers and chosen probabilities in titles and letters
GIVEN = {"grazzi25.thm3.count": {"120"}, "new.vandermonde.random": {"0.9"}, "movahedi25.appC1.gap": {"0.1"}}

#: parameters in titles and captions of figures
PARAMETERS = {"orvieto24.fig10": {"4096"}, "movahedi25.thmC1": {"0.99"}, "degeeter26.fig1": {"0.01", "1.5"}, "degeeter26.fig2": {"1.5"}}

COMPUTED = {
    "core hours of a large sweep": core_hours,
    "two rounded gates of one half": two_rounded_gates,
    "pieces of a large sweep": lambda: math.ceil(10**9 / import_module("lemmata.gpu.grid").LARGEST_PIECE),
}


def value(source, key):
    """What stands at the key of a source, as text or as a number."""
    if source == "computed":
        return COMPUTED[key]()
    if source.endswith(".json"):
        return at(json.loads((ROOT / source).read_text(encoding="utf-8")), key)
    if key == "lines":
        return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in ROOT.glob(source))
    if source.startswith("lemmata."):
        return getattr(import_module(source), key)
    e = ledger()[source]
    return at(vars(e) if hasattr(e, key) else asdict(e.evidence), key)


def at(data, key):
    """``rows[name=a;size=2].n``: of the list under a name the one item that has these values."""
    for name, wanted in re.findall(r"([^.\[\]]+)(?:\[([^\]]*)\])?", key):
        data = data[int(name) if isinstance(data, list) else name]
        if wanted:
            pairs = [pair.split("=") for pair in wanted.split(";")]
            (data,) = [row for row in data if all(str(row[k]) == v for k, v in pairs)]
    return data


def agrees(number, found, roughly=False):
    """True if a number is what was found, rounded to its digits; roughly: to the digits before its last zeros. In a text it stands as it is."""
    plain = number.replace(",", "")
    if isinstance(found, str):
        return plain in re.findall(r"\d+(?:\.\d+)?", found.replace(",", "").replace("{}", ""))
    places = len(plain.partition(".")[2])
    zeros = len(plain) - len(plain.rstrip("0")) if roughly and not places else 0
    return round(found, places - zeros) == float(plain)


def measured(text):
    """The numbers of a page that need a source: outside code, formulas, links, labels and generated parts."""
    text = re.sub(r"\A\+\+\+\n.*?\n\+\+\+\n|```.*?```|\$\$.*?\$\$", " ", text, flags=re.DOTALL)
    text = re.sub(r"<!-- (?:written by|generated).*?<!-- end -->", " ", text, flags=re.DOTALL)
    text = re.sub(r"``.+?``|`[^`]+`|\$[^$]+\$|\]\([^)]*\)", " ", text)
    text = KEPT.sub(" ", LABELS.sub(" ", text))
    return [found[1] for found in NUMBER.finditer(text)]


def pages():
    """The hand-written pages; what is generated takes its numbers from data."""
    found = [
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        *sorted((ROOT / "docs").rglob("*.md")),
        *sorted((ROOT / "atlas" / "questions").glob("*.md")),
    ]
    return [page for page in found if not re.search("generated by|written by `", page.read_text(encoding="utf-8")[:400], re.IGNORECASE)]


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_every_measured_number_has_a_source(page):
    text = page.read_text(encoding="utf-8")
    # numbers of code on the page: tests run it
    ran = {n.replace("_", "") for n in re.findall(r"\d[\d_]*(?:\.\d+)?", " ".join(re.findall(r"```.*?```", text, flags=re.DOTALL)))}
    known = set().union(*(exceptions.get(page.name, set()) for exceptions in EXCEPTIONS))
    bare = [n for n in measured(text) if n not in known and n.replace(",", "") not in ran]
    assert page.name in HELD or bare == []


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_every_source_has_the_number(page):
    text = page.read_text(encoding="utf-8")
    for found in KEPT.finditer(text):
        number, source, key = found.groups()
        roughly = bool(re.search(r"\b(?:some|about) $", text[: found.start()], re.IGNORECASE))
        assert agrees(number, value(source, key), roughly), (found.group(), value(source, key))


def test_lists_of_exceptions_hold_only_what_is_there():
    texts = {page.name: page.read_text(encoding="utf-8") for page in pages()}
    for exceptions in EXCEPTIONS:
        for name, numbers in exceptions.items():
            assert numbers <= set(measured(texts[name])), name


@pytest.mark.parametrize("topic", TOPICS)
def test_numbers_of_titles_and_letters_come_from_the_claim(topic):
    for e in (e for e in ledger().values() if e.topic == topic):
        for number in {*measured(e.title), *measured(e.letter or "")} - GIVEN.get(e.id, set()):
            if (e.id, number) in OF_CLAIMS:
                assert agrees(number, OF_CLAIMS[e.id, number]()), (e.id, number)
                continue
            stated = any(agrees(number, text) for text in (e.says, *e.hypotheses, *e.quotes))
            assert stated or in_evidence(number, e), (e.id, number)


def in_evidence(number, e):
    """True if a number of the evidence, or a fraction there, is this one, rounded to its digits."""
    found = re.findall(r"\d+(?:\.\d+|/[1-9]\d*)?", json.dumps(asdict(e.evidence)))
    return any(agrees(number, float(Fraction(n))) for n in found)


def test_lists_of_numbers_of_claims_hold_only_what_is_there():
    listed = {*OF_CLAIMS, *((id, number) for id, numbers in GIVEN.items() for number in numbers)}
    assert [(id, n) for id, n in listed if n not in measured(f"{ledger()[id].title} {ledger()[id].letter}")] == []


def test_figures_have_only_parameters_in_their_titles():
    found = {f.name: set(measured(f"{f.finding} {f.says}")) for f in figures()}
    assert {name: numbers for name, numbers in found.items() if numbers} == PARAMETERS


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("it takes 0.4 s, or 12 MB, for 1,024 cells of 300", ["0.4", "12", "1,024", "300"]),
        ("Python 3.11, arXiv 2502.10297, Theorem 2.1, `0.5` and $0.5$, 2023, x^100, 25 words, n = 8", []),
        ("kept 0.4<!-- a.json:b --> s", []),
        ("```\n0.4\n```", []),
    ],
)
def test_what_is_measured(text, found):
    assert measured(text) == found


def test_what_agrees():
    assert agrees("0.44", 0.4361)
    assert not agrees("0.43", 0.4361)
    assert agrees("1,024", 1024)
    assert not agrees("1,000", 1024)
    assert agrees("1,000", 1024, roughly=True)
    assert agrees("400", 391, roughly=True)
    assert not agrees("400", 391)
    assert agrees("46,198", "46,198")
    assert not agrees("46", "46,198")
    assert at({"rows": [{"a": 1, "b": {"c": 2}}, {"a": 3}]}, "rows[a=1].b.c") == 2
    with pytest.raises(ValueError, match="not enough values"):
        at({"rows": [{"a": 1}]}, "rows[a=2].a")
