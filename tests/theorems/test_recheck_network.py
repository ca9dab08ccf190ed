"""Hand-made network files: each breaks one rule of docs/reference/formats.md, and is refused in one line, whatever its size."""

import copy
import json
import resource
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
from flint import fmpq
from lemmata.numerics.cyclotomic import cosine_and_sine
from lemmata.theorems import recheck
from lemmata.theorems.recheck import Rejected, effort, grammar
from lemmata.theorems.recheck.cyclotomic import LARGEST_FIELD
from lemmata.theorems.recheck.kinds.automaton import check_automaton
from lemmata.theorems.recheck.kinds.network import check_network
from lemmata.theorems.recheck.limits import BOUNDS
from lemmata.theorems.recheck.registry import RULES

from .network_files import MACHINES, document

DOCS = Path(__file__).parents[2] / "docs" / "reference"

SIGN, PENTAGON, CASCADE = "a sign", "a pentagon, in a cyclotomic field", "a cascade for a regular expression"


def refused(network, why):
    with pytest.raises(Rejected, match=why) as caught:
        check_network(network)
    assert len(str(caught.value).splitlines()) == 1


def changed(name, *path_and_value):
    """A document with another value at a path."""
    *path, last, value = path_and_value
    out = document(name)
    node = out
    for key in path:
        node = node[key]
    node[last] = value
    return out


@pytest.mark.parametrize("name", MACHINES)
def test_honest_networks_hold(name):
    check_network(document(name))


LAYER = ("layers", 0)
MAP = (*LAYER, "maps", 0)


@pytest.mark.parametrize(
    ("path", "value", "why"),
    [
        # keys and types
        (("extra",), 0, "no keys but"),
        (("automaton", "final"), [], "no keys but"),
        ((*LAYER, "name"), "x", "no keys but"),
        ((*MAP, "C"), [["0"]], "no keys but"),
        ((*MAP, "steps", 0, "gamma"), "0", "no keys but"),
        (("version",), True, "another version"),
        (("version",), "3", "another version"),
        (("field",), True, "a number from 1"),
        (("field",), 0, "a number from 1"),
        (("field",), LARGEST_FIELD + 1, "a number from 1"),
        (("letters",), "0", "a list"),
        (("letters",), [0], "text"),
        (("letters",), ["\ud800"], "Unicode"),
        (("letters",), [], "1 or more"),
        (("automaton",), [], "an object"),
        (("automaton", "states"), "ab", "a list"),
        (("automaton", "states"), ["a", "a"], "two alike"),
        (("automaton", "outputs"), "ab", "a list"),
        (("automaton", "outputs"), ["a"], "a list of 2"),
        (("automaton", "accepting"), [1, 0], "increase"),
        (("automaton", "accepting"), [0, 0], "increase"),
        (("automaton", "accepting"), [True], "an index"),
        (("automaton", "table"), [[1, 0], [1, 0]], "a list of 1"),
        (("automaton", "table"), [[1, 0, 0]], "a list of 2"),
        (("automaton", "table"), [[-1, 0]], "an index"),
        (("automaton", "start"), 2, "an index"),
        (("automaton", "start"), "0", "an index"),
        (("layers",), {}, "a list"),
        (("layers",), [], "1 or more"),
        (("format",), "lemmata-networks", "the format"),
        # shapes
        ((*LAYER, "states"), [[["1", "0"]], [["-1", "0"]]], "a list of 1"),
        ((*LAYER, "states"), [[["1"]], [["-1"], ["0"]]], "a list of 1"),
        ((*LAYER, "states"), [[], []], "1 or more"),
        ((*LAYER, "states"), [["1"], ["-1"]], "a list"),
        ((*MAP, "A"), [["-1", "0"]], "a list of 1"),
        ((*MAP, "A"), "-1", "a list"),
        ((*MAP, "B"), [["0"], ["0"]], "a list of 1"),
        ((*MAP, "B"), ["0"], "a list"),
        ((*MAP, "steps"), {}, "a list"),
        ((*MAP, "steps", 0, "v"), ["1", "0"], "a list of 1"),
        ((*MAP, "steps", 0, "v"), "1", "a list"),
        ((*MAP, "steps", 0, "beta"), ["2"], "exact number"),
        # indices
        ((*LAYER, "letters"), [[-1, 0, 0, 0]], "an input letter"),
        ((*LAYER, "letters"), [[1, 0, 0, 0]], "an input letter"),
        ((*LAYER, "letters"), [[0, -1, 0, 0]], "a place: expected an index"),
        ((*LAYER, "letters"), [[0, 0, 10**30, 0]], "a place: expected an index"),
        ((*LAYER, "letters"), [[0, 0, 0, -1]], "an index"),
        ((*LAYER, "letters"), [[0, 0, 0, 1]], "an index"),
        ((*LAYER, "letters"), [[0, 0, 1, 0]], "in order"),
        ((*LAYER, "letters"), [[0, 0, 0]], "a list of 4"),
        ((*LAYER, "letters"), [[0, 0, 0, 0], [0, 0, 0, 0]], "two alike"),
        ((*LAYER, "decoder"), [[0, 0, 0], [1, 0, 1], [1, 0, 0]], "one entry"),
        ((*LAYER, "decoder"), [[0, 0, 0], [-1, 0, 1]], "an index"),
        ((*LAYER, "decoder"), [[0, 0, 0], [1, 0, 2]], "an index"),
        ((*LAYER, "decoder"), [[0, 0, 0], [1, 1, 1]], "a letter: expected an index"),
        ((*LAYER, "decoder"), [[0, 0, 0], [True, 0, 1]], "an index"),
        ((*LAYER, "decoder"), [[0, 0, 1], [1, 0, 0]], "another state"),
        ((*LAYER, "decoder"), [[0, 0, 0]], "it or its decoder does not list"),
        # nothing idle
        ((*LAYER, "states"), [[["1"]], [["-1"]], [["3"]]], "no word reaches"),
        ((*LAYER, "states"), [[["1"]], [["-1"]], [["2/2"]]], "two alike"),
        ((*LAYER, "maps"), [*document(SIGN)["layers"][0]["maps"] * 2], "a map that none has"),
        # steps
        ((*MAP, "steps"), [], "compose"),
        ((*MAP, "steps", 0, "v"), ["0"], "not 0"),
        ((*MAP, "steps", 0, "beta"), "5/2", "beta in"),
        ((*MAP, "steps", 0, "beta"), "-1", "beta in"),
        ((*MAP, "steps", 0, "beta"), "1", "= beta"),
        (
            (*MAP, "steps"),
            [*document(SIGN)["layers"][0]["maps"][0]["steps"], {"v": ["1"], "beta": "0", "scale": "0", "write": "1"}],
            "beta > 0",
        ),
    ],
)
def test_a_rule_broken(path, value, why):
    refused(changed(SIGN, *path, value), why)


NUMBERS = [
    "-1e0",
    " -1",
    "-1 ",
    "-1_0/10",
    "+1",
    "01",
    "-0",
    "0/3",
    "1/0",
    "1/01",
    "1/-1",
    "--1",
    "",
    "1.0",
    "\uff11",
    "1e999999999",
    "-1\n",
    "inf",
    "1/2/3",
]


@pytest.mark.parametrize("text", [*NUMBERS, "1" * (grammar.LONGEST_NUMBER + 1)])
def test_numbers_are_written_in_one_way(text):
    schema = json.loads((DOCS / "network.schema.json").read_text(encoding="utf-8"))
    for path in (
        (*LAYER, "states", 1, 0, 0),
        (*MAP, "A", 0, 0),
        (*MAP, "B", 0, 0),
        *((*MAP, "steps", 0, part) for part in ("beta", "scale", "write")),
        (*MAP, "steps", 0, "v", 0),
    ):
        network = changed(SIGN, *path, text)
        refused(network, "number")
        if not text.endswith("\n"):  # Python's "$" also matches before the last newline
            with pytest.raises(jsonschema.ValidationError):
                jsonschema.validate(network, schema)


@pytest.mark.parametrize("value", [1, True, None, 1.0, {}, [["1"]], ["1", "0"]])
def test_a_number_is_text(value):
    refused(changed(SIGN, *MAP, "A", 0, 0, value), "number|coefficients")


def test_a_fraction_need_not_be_in_lowest_terms():
    check_network(changed(SIGN, *MAP, "A", 0, 0, "-3/3"))


def test_zeros_at_the_end_of_an_element_change_nothing():
    network = document(PENTAGON)
    (x,) = network["layers"][0]["states"][0][1]
    assert x == "0"
    network["layers"][0]["states"][0][1] = [["0"] * 8]
    check_network(network)
    network["layers"][0]["states"][0][1] = [["0"] * 9]
    refused(network, "at most 8 coefficients")


def test_real_layers_have_real_entries():
    """In Q(i) the map H -> i H counts modulo 4 in one dimension, if states may be complex; a real layer cannot."""
    i = ["0", "1"]
    network = {
        "format": "lemmata-network",
        "version": 3,
        "field": 4,
        "letters": ["x"],
        "automaton": {"states": ["0", "1", "2", "3"], "table": [[1, 2, 3, 0]], "start": 0, "accepting": [], "outputs": None},
        "layers": [
            {
                "states": [[["1"]], [[i]], [["-1"]], [[["0", "-1"]]]],
                "maps": [{"A": [[i]], "B": [["0"]], "steps": None}],
                "letters": [[0, 0, 0, 0]],
                "decoder": [[q, 0, q] for q in range(4)],
            }
        ],
    }
    refused(network, "real numbers, got a complex one")
    for part in ("v", "scale", "write"):
        bent = document(PENTAGON)
        bent["layers"][0]["maps"][0]["steps"] = [{**bent["layers"][0]["maps"][0]["steps"][0], part: [i, i] if part == "v" else i}]
        refused(bent, "complex")


def test_what_no_word_meets_is_not_listed():
    """A letter, and an entry of a decoder, that would be unproved."""
    network = document(CASCADE)
    layer = network["layers"][1]
    met = {(i, y) for i, y, _ in layer["decoder"]}
    idle = next((i, y) for i in range(len(layer["states"])) for y in range(len(layer["letters"])) if (i, y) not in met)
    layer["decoder"].append([*idle, 0])
    refused(network, "no word meets")
    network = document(CASCADE)
    arrows = network["layers"][1]["letters"]
    arrows.append([0, 1 + max(p for y in arrows for p in y[1:3]), 0, 0])
    refused(network, "never read")


def test_a_layer_hands_on_the_letter_that_it_read():
    """A layer in front of a sign that exchanges the letters: every layer by itself could still be walked through."""
    network = {
        "format": "lemmata-network",
        "version": 3,
        "field": 1,
        "letters": ["stay", "flip"],
        "automaton": {"states": ["+", "-"], "table": [[0, 1], [1, 0]], "start": 0, "accepting": [], "outputs": None},
        "layers": [
            {
                "states": [[["0"]]],
                "maps": [{"A": [["0"]], "B": [["0"]], "steps": None}],
                "letters": [[0, 0, 0, 0], [1, 0, 0, 0]],
                "decoder": [[0, 0, 0], [0, 1, 1]],
            },
            {
                "states": [[["1"]], [["-1"]]],
                "maps": [{"A": [["1"]], "B": [["0"]], "steps": None}, {"A": [["-1"]], "B": [["0"]], "steps": None}],
                "letters": [[0, 0, 0, 0], [1, 0, 0, 1]],
                "decoder": [[0, 0, 0], [1, 0, 1], [0, 1, 0], [1, 1, 1]],
            },
        ],
    }
    check_network(network)
    network["layers"][0]["decoder"] = [[0, 0, 1], [0, 1, 0]]
    refused(network, "another letter")


def test_places_have_no_gap():
    network = document(CASCADE)
    for arrow in network["layers"][1]["letters"]:
        arrow[1:3] = [2 * p for p in arrow[1:3]]
    refused(network, "without a gap")


# -- the kind automaton ----------------------------------------------------------------------------------------------------

#: parity by a sign
PARITY = {
    "field": 1,
    "layers": [[{"A": [["1"]], "B": [["0"]]}, {"A": [["-1"]], "B": [["0"]]}]],
    "states": [[[["1"]]], [[["-1"]]]],
    "automaton": ["even", "odd"],
    "outputs": ["0", "1"],
    "letters": ["0", "1"],
    "edges": [[0, 0, [0], 0], [0, 1, [1], 1], [1, 0, [0], 1], [1, 1, [1], 0]],
}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"extra": 0}, "no keys but"),
        ({"field": 10**9}, "a number from 1"),
        ({"letters": "01"}, "a list"),
        ({"letters": ["0", "0"]}, "two alike"),
        ({"automaton": "ab"}, "a list"),
        ({"outputs": ["0", 1]}, "text"),
        ({"outputs": ["0", "0", "1"]}, "a list of 2"),
        ({"states": [[[["1"]]], [[["-1", "0"]]]]}, "a list of 1"),
        ({"states": [[[["1"]]], [[["-1e0"]]]]}, "exact number"),
        ({"states": [[[["1"]]], [[[True]]]]}, "exact number"),
        # one spelling for each number
        ({"states": [[[["1"]]], [[[-1]]]]}, "as text"),
        ({"states": [[[["1"]]], [[["-2/2"]]]]}, "lowest terms"),
        ({"states": [[[["1"]]], [[["-1/1"]]]]}, "lowest terms"),
        ({"states": [[[["1"]]], [[[["-1"]]]]]}, "not rational"),
        ({"layers": [[{"A": [["1"]], "B": [[[]]]}, PARITY["layers"][0][1]]]}, "not rational"),
        ({"field": 4}, "expected 1, since all numbers are rational"),
        ({"field": 4, "states": [[[["1"]]], [[[["-1", "0"]]]]]}, "not rational"),
        ({"states": [[[["1"]]], [[["1"]]]]}, "another state"),
        ({"states": [[[["1"]]]]}, "a list of 2"),
        ({"layers": [[]]}, "1 or more"),
        ({"layers": []}, "1 or more"),
        ({"edges": PARITY["edges"][1:]}, "a list of 4"),
        ({"edges": [*PARITY["edges"][1:], PARITY["edges"][1]]}, "one edge"),
        ({"edges": [[0, 0, [-1], 0], *PARITY["edges"][1:]]}, "an index"),
        ({"edges": [[0, 0, [2], 0], *PARITY["edges"][1:]]}, "an index"),
        ({"edges": [[0, 0, [1], 0], *PARITY["edges"][1:]]}, "another state"),
        ({"edges": [[0, 0, 0, 0], *PARITY["edges"][1:]]}, "a list"),
        ({"edges": [[False, 0, [0], 0], *PARITY["edges"][1:]]}, "an index"),
    ],
)
def test_certificates_of_automata_obey_the_same_grammar(change, why):
    check_automaton(PARITY)
    with pytest.raises(Rejected, match=why):
        check_automaton({**PARITY, **change})


@pytest.mark.parametrize(
    ("name", "path", "value", "why"),
    [
        (SIGN, (*MAP, "B", 0, 0), [], "not rational"),
        (SIGN, (*MAP, "B", 0, 0), ["0"], "not rational"),
        (SIGN, (*MAP, "steps", 0, "write"), [], "not rational"),
        (SIGN, (*MAP, "A", 0, 0), "-3/3", "lowest terms"),
        (SIGN, ("field",), 10_000, "expected 1, since all numbers are rational"),
        (PENTAGON, (*LAYER, "states", 0, 1, 0), ["0", "0"], "not rational"),
    ],
)
def test_a_certificate_spells_a_number_in_one_way_where_an_exported_network_need_not(name, path, value, why):
    RULES["network"](document(name))
    network = changed(name, *path, value)
    check_network(network)
    with pytest.raises(Rejected, match=why):
        RULES["network"](network)


# -- bounds ----------------------------------------------------------------------------------------------------------------


def one_state(**layer):
    """The network of one state, letter and layer."""
    zero = {"states": [[["0"]]], "maps": [{"A": [["0"]], "B": [["0"]], "steps": None}], "letters": [[0, 0, 0, 0]], "decoder": [[0, 0, 0]]}
    automaton = {"states": ["q"], "table": [[0]], "start": 0, "accepting": [], "outputs": None}
    return {"format": "lemmata-network", "version": 3, "field": 1, "letters": ["a"], "automaton": automaton, "layers": [zero | layer]}


def alphabet(size):
    """Letters that leave one state alone."""
    automaton = {"states": ["q"], "table": [[0]] * size, "start": 0, "accepting": [], "outputs": None}
    return {"letters": [str(k) for k in range(size)], "automaton": automaton}


def odd(c):
    """A real element of Q(zeta_8192) with all coefficients but two: the sum of c (zeta^k + zeta^-k) for k < 2048, where zeta^-k = -zeta^(4096 - k)."""
    return ["0", *[str(c)] * 2047, "0", *[str(-c)] * 2047]


HOSTILE = {
    "a number with an exponent": (json.dumps(one_state(states=[[["1e999999999"]]])), "exact number"),
    "digits": (json.dumps(one_state(states=[[["9" * 30_000_000]]])), "at most 1000 characters"),
    "an integer of many digits": ('{"format":"lemmata-network","version":' + "9" * 10_000_000 + "}", "digits"),
    "a float of many digits": ('{"format":"lemmata-network","version":' + "9" * 10_000_000 + ".5}", "floats"),
    "a large field": (json.dumps({**one_state(), "field": 10**100}), "a number from 1"),
    "a long list": ("[" + "0," * 10_000_000 + "0]", "values"),
    "a list within the bound": ("[" + "0," * (BOUNDS["values"][0] - 2) + "0]", "no JSON object"),
    "lists within the bound": ("[" + "[]," * (BOUNDS["values"][0] // 2 - 2) + "0]", "no JSON object"),
    "a large file": (" " * (BOUNDS["bytes"][0] + 1), "bytes"),
    "deep": ("[" * (BOUNDS["values"][0] - 1), "nested"),
    "a key twice": ('{"format":"lemmata-network","format":"lemmata-network"}', "twice"),
    "minus zero": ('{"format":"lemmata-network","version":-0}', "-0"),
    "no text": (b"\xff\xfe", "UTF-8"),
    "a long key": ('{"format":"lemmata-network","' + "x\\n" * 1_000_000 + '":0}', "expected"),
    "steps without end": (
        json.dumps(
            one_state(maps=[{"A": [["1"]], "B": [["0"]], "steps": [{"v": ["1"], "beta": "0", "scale": "0", "write": "0"}] * 100_000}])
        ),
        "too much work",
    ),
    "many products of long elements": (
        json.dumps(
            {
                **one_state(
                    states=[[[odd(k)]] for k in range(1, 50)],
                    maps=[{"A": [[odd(1)]], "B": [["0"]], "steps": None}] * 50,
                    letters=[[k, 0, 0, k] for k in range(50)],
                ),
                **alphabet(50),
                "field": 8192,
            }
        ),
        "too much work",
    ),
    "numbers without a common denominator": (
        json.dumps(one_state(states=[[[f"1/{2 * k + 1}"]] for k in range(10_000)])),
        "common denominator",
    ),
    "walks": (
        json.dumps(
            {**one_state(states=[[[str(k)]] for k in range(2_000)], letters=[[k, 0, 0, 0] for k in range(2_000)]), **alphabet(2_000)}
        ),
        "too much work",
    ),
}


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """(exit code, lines printed) of the checker alone, in 1 GiB, on all hostile files."""
    folder = tmp_path_factory.mktemp("hostile")
    for name, (text, _) in HOSTILE.items():
        (folder / f"{name}.json").write_bytes(text if isinstance(text, bytes) else text.encode())
    run = subprocess.run(
        [sys.executable, "-I", "-S", str(Path(recheck.__file__).parent), str(folder)],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30)),
    )
    return run.returncode, run.stdout, run.stderr.splitlines()


def test_hostile_files_are_refused_one_line_each(hostile):
    code, printed, lines = hostile
    assert code == 2
    assert printed == ""
    assert len(lines) == len(HOSTILE)
    assert all(len(line) < 500 for line in lines)
    for name, (_, why) in HOSTILE.items():
        (line,) = (line for line in lines if line.startswith(f"{name}.json"))
        assert why in line


def test_the_bounds_are_those_that_the_pages_state():
    formats, certificates = ((DOCS / page).read_text(encoding="utf-8") for page in ("formats.md", "certificates.md"))
    bounds = {name: most for name, (most, _) in BOUNDS.items()}
    for bound in (grammar.LONGEST_NUMBER, bounds["values"], LARGEST_FIELD, effort.LONGEST_DENOMINATOR, bounds["work"]):
        assert f"| {bound:,} |".replace(",", " ") in formats
    for bound in (bounds["claim values"], bounds["digits"], bounds["natural"], bounds["work"], bounds["depth"]):
        assert f"| {bound:,} |".replace(",", " ") in certificates
    assert f"| {bounds['bytes'] // 2**20} MiB |" in formats
    assert f"| {bounds['claim bytes'] // 2**20} MiB |" in certificates
    assert f"| {bounds['bits'] // 2**23} MiB |" in formats


class Counted(effort.Effort):
    spent = 0

    def spend(self, work, what):
        Counted.spent += work
        super().spend(work, what)


def polygon(m):
    """The network that compile_cyclic makes of the counter modulo m, without steps."""
    points = [cosine_and_sine(m, k) for k in range(m)]
    c, s = points[1]
    network = one_state(
        states=[[[x.to_text()], [y.to_text()]] for x, y in points],
        maps=[{"A": [[c.to_text(), (-s).to_text()], [s.to_text(), c.to_text()]], "B": [["0"], ["0"]], "steps": None}],
        decoder=[[q, 0, q] for q in range(m)],
    )
    automaton = {
        "states": [str(q) for q in range(m)],
        "table": [[(q + 1) % m for q in range(m)]],
        "start": 0,
        "accepting": [0],
        "outputs": None,
    }
    return {**network, "field": points[0][0].order, "automaton": automaton}


def reflections(m):
    """The dihedral group of the m-gon by permutation matrices, m - 1 reflections for the turn."""
    turn, flip = [(i + 1) % m for i in range(m)], [-i % m for i in range(m)]
    elements = [tuple(range(m))]
    for g in elements:
        elements += [h for h in dict.fromkeys((tuple(x[i] for i in g)) for x in (turn, flip)) if h not in elements]
    number = {g: q for q, g in enumerate(elements)}
    table = [[number[tuple(x[i] for i in g)] for g in elements] for x in (turn, flip)]

    def step(i, j):
        return {"v": [str((k == i) - (k == j)) for k in range(m)], "beta": "2", "scale": "1", "write": "0"}

    def matrix(x):
        return [[str(int(x[j] == i)) for j in range(m)] for i in range(m)]

    swaps = [[step(i, i + 1) for i in reversed(range(m - 1))], [step(i, -i % m) for i in range(m) if i < -i % m]]
    network = one_state(
        # entry g[i] of the state is i + 1
        states=[[[str(g.index(i) + 1)] for i in range(m)] for g in elements],
        maps=[{"A": matrix(x), "B": [["0"]] * m, "steps": s} for x, s in zip((turn, flip), swaps, strict=True)],
        letters=[[0, 0, 0, 0], [1, 0, 0, 1]],
        decoder=[[q, y, q] for q in range(2 * m) for y in range(2)],
    )
    automaton = {"states": [str(g) for g in elements], "table": table, "start": 0, "accepting": [0], "outputs": None}
    return {**network, "letters": ["turn", "flip"], "automaton": automaton}


@pytest.mark.parametrize(("network", "share"), [(polygon(97), fmpq(1, 100)), (polygon(180), fmpq(1, 100)), (reflections(40), fmpq(1, 100))])
def test_honest_networks_stay_far_below_the_bound(monkeypatch, network, share):
    monkeypatch.setattr("lemmata.theorems.recheck.kinds.network.Effort", Counted)
    monkeypatch.setattr(Counted, "spent", 0)
    check_network(network)
    assert 0 < Counted.spent < share * BOUNDS["work"][0]
    bent = copy.deepcopy(network)
    bent["layers"][0]["states"][-1][0] = ["7"]
    refused(bent, "does not list")
