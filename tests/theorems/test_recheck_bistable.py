"""The checker's kind ``bistable``: compiled bistable layers hold, and what is changed in them is rejected."""

import copy
import json
from itertools import product
from typing import Any

import numpy as np
import pytest
from lemmata.constructions.automata import Automaton
from lemmata.constructions.automata.read.sources import from_regex
from lemmata.constructions.bistable import BMRU
from lemmata.constructions.bistable.closure import close
from lemmata.constructions.bistable.compiler import compile_bistable, compile_hybrid
from lemmata.constructions.bistable.hybrids import sandwich
from lemmata.constructions.bistable.units import Bit, Layer
from lemmata.theorems import recheck
from lemmata.theorems.bistable import hybrids
from lemmata.theorems.bistable.hybrids import joint_automaton, middle_matrix
from lemmata.theorems.recheck import limits
from lemmata.theorems.recheck.exact import Rejected
from lemmata.theorems.recheck.kinds.bistable import check_bistable
from lemmata.theorems.recheck.registry import COVERS, DEMANDS, INSTANCES
from lemmata.theorems.recheck.statements.bistable.languages import clocked_maps, permutes


@pytest.fixture(scope="module")
def document():
    return compile_bistable(from_regex("a+b+", "ab")).document()


def changed(document, change):
    broken = copy.deepcopy(document)
    change(broken)
    return broken


def test_a_file_holds_and_is_rechecked(document, tmp_path):
    path = tmp_path / "bistable.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    assert recheck.check_file(path) == ("a network for 4 states", 1)
    hybrid = compile_hybrid(from_regex("((a|b)(a|b)(a|b))*a", "ab")).document()
    check_bistable(hybrid)
    with pytest.raises(Rejected, match="readout is positive for another state"):
        check_bistable(changed(hybrid, lambda d: d["automaton"]["table"][0].reverse()))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.update(version=2), "another version"),
        (lambda d: d.update(format="lemmata-network"), "the format"),
        (lambda d: d.update(clock=0), "clock"),
        (lambda d: d.update(clock=True), "integers"),
        (lambda d: d.update(clock=2), "a list of 4"),
        (lambda d: d.update(more=1), "no keys but"),
        (lambda d: d["layers"][0].pop("alpha"), "the key 'alpha'"),
        (lambda d: d["layers"][0].update(alpha=["1", 1]), "integers"),
        (lambda d: d["layers"][0]["W_x"][0].append(0), "a list of 2"),
        (lambda d: d["layers"][0]["W_x"][0].__setitem__(0, 2**40), "integers of modulus"),
        (lambda d: d["readout"]["W"].pop(), "a list of 4"),
        (lambda d: d["readout"]["b"].__setitem__(0, 5), "readout is positive"),
        (lambda d: d["layers"][5].update(initial=[-h for h in d["layers"][5]["initial"]]), "readout is positive"),
        (lambda d: d["layers"][1].update(W_beta=[[0] * len(row) for row in d["layers"][1]["W_beta"]]), "readout is positive"),
        (lambda d: d["layers"][2].update(alpha=[-a for a in d["layers"][2]["alpha"]]), "readout is positive"),
        (lambda d: d["automaton"].update(start=1), "readout is positive"),
        (lambda d: d["automaton"]["table"][0].__setitem__(0, 0), "readout is positive"),
    ],
)
def test_what_is_changed_is_rejected(document, change, message):
    with pytest.raises(Rejected, match=message):
        check_bistable(changed(document, change))


def test_too_much_work_is_refused(document, monkeypatch):
    monkeypatch.setitem(limits.BOUNDS, "work", (10_000, "operations"))
    with pytest.raises(Rejected, match="too much work"):
        check_bistable(document)


def test_a_claim_takes_its_own_languages_only(document):
    demand = DEMANDS["new.bistable.compiler", "bistable"]
    demand(document)
    other = compile_bistable(from_regex("(a+b+)+", "ab")).document()
    check_bistable(other)
    with pytest.raises(Rejected, match="one of the claim's languages"):
        demand(other)
    with pytest.raises(Rejected, match="all languages"):
        COVERS["new.bistable.compiler"]([("bistable", document)])
    with pytest.raises(Rejected, match="the clock"):
        DEMANDS["new.bistable.hybrid", "bistable"](compile_bistable(from_regex("(0|1)*11", "01"), 4).document())


def test_refusals_must_have_words_that_offend():
    demand = DEMANDS["new.bistable.languages", "witness"]
    demand({"regex": "(0|1)*11", "uxv": ["1"], "uxxv": ["1", "1"]})
    for data, message in (
        ({"regex": "(0|1)*11", "uxv": ["1", "1"], "uxxv": ["1", "1", "1"]}, "in the language"),
        ({"regex": "(0|1)*11", "uxv": ["0"], "uxxv": ["1", "1"]}, "repeats a letter"),
        ({"regex": "(11)*", "uxv": ["1"], "uxxv": ["1", "1"]}, "of the claim"),
        ({"regex": "(a+b+a+b+)*", "u": ["a"], "v": ["b"], "w": [], "period": 2}, "with the period"),
    ):
        with pytest.raises(Rejected, match=message):
            demand(data)


def last_letter(candidates, threshold):
    """One unit that holds whether the last letter was a, if it is written at every letter: its candidates at a and b."""
    unit = {"W_x": [candidates], "b_x": [0], "W_beta": [[0, 0]], "b_beta": [threshold], "alpha": [1], "initial": [-1]}
    automaton = {"states": ["b", "a"], "table": [[1, 1], [0, 0]], "start": 0, "accepting": [1], "outputs": None}
    return {
        "format": "lemmata-bistable",
        "version": 1,
        "letters": ["a", "b"],
        "automaton": automaton,
        "clock": 1,
        "layers": [unit],
        "readout": {"W": [[0, 0, -1], [0, 0, 1]], "b": [0, 0]},
    }


def closes(document):
    (unit,) = document["layers"]
    weights = (np.array(unit[name]) for name in ("W_x", "b_x", "W_beta", "b_beta", "alpha"))
    layer = Layer(BMRU(*weights), (Bit(0, 0),), np.array(unit["initial"]))
    automaton = Automaton({"a": (1, 1), "b": (0, 0)}, accepting=frozenset({1}))
    return close(automaton, [layer], (np.array(document["readout"]["W"]), np.array(document["readout"]["b"])))


@pytest.mark.parametrize(("candidates", "threshold"), [([1, -1], 1), ([1, -1], -1), ([0, -1], 0)])
def test_ties_are_written_and_the_sign_of_zero_is_plus(candidates, threshold):
    document = last_letter(candidates, threshold)
    check_bistable(document)
    assert closes(document).states == 2


@pytest.mark.parametrize(("candidates", "threshold"), [([1, -1], 2), ([1, -1], -2), ([0, -1], 1)])
def test_below_the_threshold_the_state_is_kept(candidates, threshold):
    document = last_letter(candidates, threshold)
    with pytest.raises(Rejected, match="after a letter 'a'"):
        check_bistable(document)
    with pytest.raises(ArithmeticError, match="after the letter 'a'"):
        closes(document)


# -- instances drawn again ------------------------------------------------------------------------------------------------------------


def drawn(claim, take):
    """The fields that the re-checker draws for the instance of this number."""
    return list(INSTANCES[claim, "witness"]())[take]


def test_a_side_that_is_not_the_scan_s_is_refused():
    demand = DEMANDS["new.bistable.exact-scan", "witness"]
    data = {"beta": "3/2", "inputs": ["2", "-1/2", "-4/5", "-1", "1/2", "1"], "sides": [1, 1, 1, -1, -1, 1]}
    demand(data)
    for sides in ([1, 1, -1, -1, -1, 1], [1, 1, 1, -1, 1, 1]):
        with pytest.raises(Rejected, match="the side is the listed one"):
            demand({**data, "sides": sides})
    with pytest.raises(Rejected, match="both sides occur"):
        demand({**data, "inputs": ["2"] * 6, "sides": [1] * 6})


def test_an_interval_that_repels_is_refused():
    """At beta = 1 and x = 0 the state 0 is unstable; the intervals around it hold a solution, and the start stands on it."""
    demand = DEMANDS["new.bistable.varying-scan", "witness"]
    data = {"inputs": ["0"] * 4, "betas": ["-1/2", "1", "-1/2", "1"], "start": "0", "ticks": 3, "brackets": [["-1/2000", "1/2000"]] * 4}
    with pytest.raises(Rejected, match="go inwards"):
        demand(data)
    demand({**data, "betas": ["-1/2", "-1/3", "-1/2", "-1/3"]})


def test_a_word_with_a_cycle_is_noticed():
    assert permutes((1, 0, 2))
    assert permutes((1, 2, 0, 0))
    assert not permutes((0, 0, 1))
    assert not permutes(())


def test_the_stacks_with_a_clock_are_those_of_the_check():
    """The states that words reach, counted by the project's own closure."""
    data = drawn("new.bistable.hybrid", 3)
    period, lower = data["period"], {x: [a] for x, a in zip("ab", data["lower"], strict=True)}
    upper = dict(zip(product("ab", range(period), (1, -1), (1, -1)), data["upper"], strict=True))
    stack = sandwich(lower, lambda x: middle_matrix(period, 1), lambda y: upper[hybrids._read(y, period)], period)
    table = joint_automaton(stack, "ab").table
    assert [tuple(table[x]) for x in "ab"] == clocked_maps(period, data["lower"], data["upper"])
    DEMANDS["new.bistable.hybrid", "witness"](data)


def test_stacks_that_stand_still_say_nothing():
    cover = COVERS["new.bistable.settling"]
    data = {key: as_numbers(value) for key, value in drawn("new.bistable.settling", 0).items()}
    still = {
        **data,
        "stack": [
            {**layer, "W_x": [["0"] * len(row) for row in layer["W_x"]], "b_x": ["0"] * len(layer["b_x"])} for layer in data["stack"]
        ],
    }
    still["stack"] = [{**layer, "W_beta": layer["W_x"], "b_beta": ["1"] * len(layer["b_x"])} for layer in still["stack"]]
    DEMANDS["new.bistable.settling", "witness"](still)
    with pytest.raises(Rejected, match="some stack changes its states"):
        cover([("witness", still)])


def as_numbers(value: Any) -> Any:
    """Nested lists and objects of numbers as certificates hold them."""
    if isinstance(value, dict):
        return {key: as_numbers(x) for key, x in value.items()}
    return [as_numbers(x) for x in value] if isinstance(value, list) else str(value)
