"""The demands on gaps between nodes, on maps that vary in time and on printed slips refuse what does not hold."""

import copy

import pytest
from lemmata.theorems import claims, decide
from lemmata.theorems.recheck.exact import Rejected
from lemmata.theorems.recheck.registry import DEMANDS
from lemmata.theorems.recheck.statements.universality import price as universality_price
from lemmata.theorems.recheck.statements.universality import vectors as universality_vectors
from lemmata.theorems.recheck.statements.vandermonde import gaps as vandermonde_gaps

CHANGES = {
    "a node in the gap": ("new.vandermonde.gap", vandermonde_gaps.gap_is_felt, lambda d: d["cosines"].__setitem__(2, "1")),
    "another polynomial": ("new.vandermonde.gap", vandermonde_gaps.gap_is_felt, lambda d: d["polynomial"].__setitem__(0, "0")),
    "a window that is not concentrated": (
        "new.vandermonde.gap",
        vandermonde_gaps.gap_is_felt,
        lambda d: d.__setitem__("window", ["1"] + ["0"] * (len(d["window"]) - 1)),
    ),
    "a related value": ("new.universality.price", universality_price.unrelated_values, lambda d: d["heads"][0].__setitem__("offset", "2")),
    "a step less": ("new.universality.price", universality_price.unrelated_values, lambda d: d["head"]["bias"].pop()),
    "another threshold": (
        "new.universality.clocks",
        universality_price.thresholds_on_schedule,
        lambda d: d["inner"][0].__setitem__(0, "7"),
    ),
    "another form": ("new.universality.clocks", universality_price.thresholds_on_schedule, lambda d: d["direction"].__setitem__(0, "0")),
    "half of the neurons": ("new.universality.clocks", universality_price.thresholds_on_schedule, lambda d: d.__setitem__("n", 1)),
    "a node of the lower half": (
        "new.universality.vectors",
        universality_vectors.two_inputs_and_outputs,
        lambda d: d["nodes"].__setitem__(0, ["1"]),
    ),
    "another step of the filter": (
        "new.universality.vectors",
        universality_vectors.two_inputs_and_outputs,
        lambda d: d["filter"]["bias"].__setitem__(0, "3"),
    ),
    "another block": ("new.universality.exchange", universality_price.blocks_of_steps, lambda d: d["head"]["inner"][1].__setitem__(0, "0")),
    "another shape": ("new.universality.exchange", universality_price.blocks_of_steps, lambda d: d["values"].reverse()),
    "a small bias": (
        "new.universality.bias.subspace",
        universality_price.as_many_units_as_dimensions,
        lambda d: d.__setitem__("beta", "1"),
    ),
    "a shift forgotten": (
        "new.universality.bias.subspace",
        universality_price.as_many_units_as_dimensions,
        lambda d: d["head"]["outer"].__setitem__(-1, "0"),
    ),
    "no bias": ("new.universality.bias.head", universality_price.paired_copies, lambda d: d.__setitem__("beta", "1")),
    "another bias": ("new.universality.bias.head", universality_price.paired_copies, lambda d: d.__setitem__("beta", "7")),
    "a copy that weighs more": (
        "new.universality.bias.head",
        universality_price.paired_copies,
        lambda d: d["head"]["outer"].__setitem__(0, "50"),
    ),
}


@pytest.fixture(scope="module")
def certificates():
    return {id: decide(claims([id])[0], effort="quick").certificates[0].data for id in {id for id, *_ in CHANGES.values()}}


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_witness_is_rejected(certificates, name):
    id, demand, change = CHANGES[name]
    demand(certificates[id])
    data = copy.deepcopy(certificates[id])
    change(data)
    with pytest.raises(Rejected):
        demand(data)


#: (finding, numbers near its witness that refute nothing, the word that fails)
NEAR = [
    ("grazzi25.lemma1.order", {"terms": [[1, 1], [1, 0]], "coefficients": [1, 1]}, "the printed order holds"),
    ("grazzi25.thm1.unrolled", {"steps": [[1, 0]], "H0": 0}, "the two differ"),
    ("grazzi25.lemma1.cases", {"terms": [[1, 0, 1], ["1/2", 0, -1]], "D": [0]}, "for k >= 2"),
    ("grazzi25.thm2.case", {"m": 3, "n": 1, "d": 2, "k": 7}, "= 1"),
    ("grazzi25.thm1.jordan", {"A": [[2, 1], [0, 2]]}, "not real"),
    ("grazzi25.appA2.index", {"A": 0, "B": 1}, "is not H_1"),
    ("grazzi25.prop1.2.permutation.display", {"P": [[1, 0], [0, 1]]}, "P is not the identity"),
    ("grazzi25.prop1.2.swap", {"permutation": [1, 0, 2]}, "another determinant"),
    ("grazzi25.appA3.order", {"delta": [[0, 1], [1, 0]], "q": 0, "w": 1}, "is not delta"),
    ("grazzi25.sec6.z3", {"m": 3}, "not three sums"),
    ("grazzi25.sec4.3.tokens.display", {"k": 1, "t": 3, "A": 1}, "H_3 differs"),
    ("grazzi25.prop1.2.range", {"omega": [[-1, -1], ["1/2", 1]], "x": "-1/2"}, "every number"),
    ("grazzi25.prop1.2.range", {"omega": [[0, 1]], "x": "-1/2"}, "every number"),
    ("grazzi25.prop1.2.range", {"omega": [[-1, 0], [0, 1]], "x": "-1/2"}, "not in Omega"),
    ("orvieto24.sec3.1.3.squares", {"coefficients": [0, 1]}, "not the sum"),
    ("orvieto24.sec3.1.3.squares", {"coefficients": [0, 2]}, "nor is the error"),
    ("orvieto24.complex.disk", {"nodes": [[1, -1], [1, -1]]}, "above that of the others"),
    ("orvieto24.complex.disk", {"nodes": [[2, -2], [1, -1]]}, "in the unit disk"),
    ("orvieto24.appE1.positive", {"nodes": [["1/2", "1/4"]] * 2}, "determinants are opposite"),
    ("degeeter26.eq9.alpha", {"alpha": 1, "beta": 1, "h": 1, "x": "-3/4"}, "the rules differ"),
    ("degeeter26.appB.thm1.only-if", {"table": [[0, 0, 0]] * 3}, "not associative"),
    ("degeeter26.sec2.linear.index", {"A": 1, "start": 1}, "moves the state"),
    ("degeeter26.eq9.greater", {"alpha": 1, "beta": 1, "x": 1, "start": 1}, "updates the state"),
    ("degeeter26.eq9.greater", {"alpha": 1, "beta": 1, "x": 2, "start": -1}, "is the threshold"),
    ("movahedi25.appF1.neumann", {"decay": ["1/2", "1/2"], "t": 1}, "exceeds 1"),
    ("movahedi25.appF1.cauchy", {"decay": "1/2", "differences": [1, -1]}, "exceeds the right side"),
    ("movahedi25.appF1.inverse", {"decay": 0, "t": 0}, "0 < Lambda < 1"),
    ("movahedi25.sec2.1.start", {"Q": 1, "B": 1, "x": 0}, "the first pass is not 0"),
    ("movahedi25.appF2.eigenvalues", {"J": [[0, 0]] * 2, "M": [[1, -4], [0, 1]], "w": [1, -1]}, "are not real"),
    ("movahedi25.appF2.strict", {"J": [["1/2", 0], [0, "1/3"]], "delta": [0, 1]}, "not above 0"),
    ("movahedi25.appF2.strict", {"J": [["1/2", 0], [0, 0]], "delta": [0, 0]}, "delta is not 0"),
    ("movahedi25.appD3.decay", {"x": 1, "y": [1, 1]}, "the outputs before the token differ"),
    ("movahedi25.thmC.1.gate", {"b": 0}, "b > 0"),
]


@pytest.mark.parametrize(("id", "data", "word"), NEAR)
def test_numbers_near_a_witness_refute_nothing(id, data, word):
    with pytest.raises(Rejected, match=word):
        DEMANDS[id, "witness"](data)
