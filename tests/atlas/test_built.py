"""Networks that commands build for the table: what is stored is what the commands give, and is in the models that it is said to be in."""

import copy
import json

import pytest
from lemmata.atlas.building import asked, bistable_lengths, document_of, measured, rounded_down
from lemmata.atlas.built import FORMATS, PATHS, above, built_for, networks
from lemmata.atlas.cells import answer
from lemmata.atlas.inference import DEPTHS, Place
from lemmata.atlas.knowledge import EVERY, MEASURED, PRECISIONS, Model, knowledge
from lemmata.atlas.membership import BY_INCLUSION, NEVER, Facts, has_whole_numbers, is_member, models_of

STORED = {b["command"]: b for b in json.loads(MEASURED.read_text(encoding="utf-8"))}

#: of each kind of number and of network one that takes milliseconds
CHEAP = [
    "lemmata compile --task parity",
    "lemmata compile --regex '(aaa)*' --prefer narrow",
    "lemmata compile --group S3 --elements",
    "lemmata compile --bmru --regex '(a|b|c)*ac*'",
    "lemmata compile --bmru --hybrid --regex '0*10*1[01]*'",
    "lemmata compile --regex '(ab|c)*d?' --construction one-hot",
]


def test_every_command_is_measured_and_no_other():
    assert [(b.task, b.instance, b.command) for b in networks()] == [(x["task"], x["instance"], x["command"]) for x in asked()]
    for b in networks():
        assert b.task in knowledge().tasks
        assert set(b.models) <= set(knowledge().models)
        assert set(b.right_up_to) <= set(PATHS)
        assert all(set(row) <= set(FORMATS) for row in b.right_up_to.values())


@pytest.mark.parametrize("command", CHEAP)
def test_what_is_stored_is_what_the_command_builds(command):
    found = measured(command)
    assert found == {name: STORED[command][name] for name in found}


def test_a_network_contradicts_no_cell_and_whole_numbers_decide():
    """In exact arithmetic every cell of a network is a yes; with rounding at every step none is a no."""
    checked = 0
    for m in knowledge().models:
        for t in knowledge().tasks:
            for depth in DEPTHS:
                for b in built_for(m, t, depth):
                    said = {precision: answer(Place(m, t, depth, precision))[0] for precision in PRECISIONS}
                    if b.instance is None:
                        assert {said["exact"], said["margin"]} == {"yes"}, (m, t, depth, b.command)
                        if b.at_every_length(m):
                            assert said["rounded"] != "no", (m, t, depth, b.command)
                        if STORED[b.command]["whole numbers"] and all(n == EVERY for row in b.right_up_to.values() for n in row.values()):
                            assert said["rounded"] == "yes", (m, t, depth, b.command)
                        checked += 1
    assert checked > 200


def test_one_layer_means_one_layer():
    for m in ("delta-signed", "gated-delta-signed"):
        assert built_for(m, "S3", "one") == ()
        assert built_for(m, "S3", "many")[0].layers == 2
    assert {b.layers for m in knowledge().models for t in knowledge().tasks for b in built_for(m, t, "one")} == {1}


def test_models_are_decided_by_entries():
    turn = document_of("lemmata compile --regex '(aaa)*' --prefer narrow")
    assert {"lti-diagonal", "diagonal-complex", "householder-2"} <= set(models_of(turn))
    assert not {"diagonal-signed", "delta-signed", "permutation-diagonal"} & set(models_of(turn))
    assert not has_whole_numbers(turn)
    skewed = copy.deepcopy(turn)
    skewed["layers"][0]["maps"][0]["A"][0][1] = "0"
    assert not {"lti-diagonal", "diagonal-complex"} & set(models_of(skewed))
    flip = document_of("lemmata compile --task parity")
    assert {"diagonal-signed", "delta-signed"} <= set(models_of(flip))
    assert not {"diagonal-nonnegative", "delta-nonnegative", "lti-diagonal"} & set(models_of(flip))
    for change, lost in (({"beta": "3"}, "householder"), ({"beta": "3/2"}, "delta-nonnegative")):
        wrong = copy.deepcopy(flip)
        for m in wrong["layers"][0]["maps"]:
            m["steps"] = [{**step, **change} for step in m["steps"]]
        assert lost not in models_of(wrong)
    halved = copy.deepcopy(flip)
    halved["layers"][0]["states"][0] = [["1/2"]]
    assert has_whole_numbers(flip)
    assert not has_whole_numbers(halved)
    two = copy.deepcopy(flip)
    two["layers"][0]["maps"].append({"A": [["1"]], "B": [["0"]], "steps": [{"v": ["1"], "beta": "2", "scale": "2", "write": "0"}] * 2})
    assert "delta-signed" not in models_of(two)
    assert "householder-2" in models_of(two)


def test_bistable_sums_that_could_be_rounded_promise_nothing():
    latch = document_of("lemmata compile --bmru --regex '(a|b|c)*ac*'")
    assert set(bistable_lengths(latch)["loop"]) == set(FORMATS)
    latch["readout"]["W"][0][0] = 2**12
    assert set(bistable_lengths(latch)["loop"]) == {"float64", "float32"}


def test_inclusions_keep_the_layers():
    assert "householder-4" in above("delta-signed")
    assert "delta-signed" not in above("diagonal-signed")  # several layers for one


def test_lengths_are_rounded_down():
    assert [rounded_down(x) for x in (41.0, 1000.0, 55_052.0, 588_838_004_628_401.0, float("inf"))] == [
        41,
        1000,
        55_000,
        580_000_000_000_000,
        EVERY,
    ]


def test_every_model_says_how_networks_are_of_it():
    """A formula; or a smaller model, of which some network is one; or never, and no smaller model has a formula."""
    for m in knowledge().models.values():
        smaller = {s.id for s in knowledge().models.values() if s.id != m.id and m.id in above(s.id)}
        with_formula = {s for s in smaller if knowledge().models[s].holds not in (BY_INCLUSION, NEVER)}
        assert (m.holds == BY_INCLUSION) <= bool(with_formula), m.id
        assert (m.holds == NEVER) <= (not with_formula), m.id
        is_member(m, Facts())


def test_every_stored_network_is_of_some_model_with_a_formula():
    assert all(b.models for b in networks())
    decided = {m.id for m in knowledge().models.values() if m.holds not in (BY_INCLUSION, NEVER)}
    assert {m for b in networks() for m in b.models} <= decided


def made(formula):
    return Model(id="made", name="made", transition="", says="", names=[], holds=formula)


@pytest.mark.parametrize(
    "bad", ["factors <", "width == 1", "__import__('os')", "factors + 1", "'a' == 'a'", "factors in (1, 2)", "factors.real == 1"]
)
def test_a_formula_of_anything_else_is_refused(bad):
    with pytest.raises(ValueError, match="for the model made"):
        is_member(made(bad), Facts())


def test_formulas_are_read_as_written():
    facts = Facts(diagonal=True, least=-1, largest=1, factors=2, beta=2)
    for formula, value in {
        "-1 <= least and largest <= 1": True,
        "0 <= least or factors > 2": False,
        "not (factors < infinity)": False,
        "0 <= beta <= 1": False,
        "beta == 2 and diagonal": True,
    }.items():
        assert is_member(made(formula), facts) is value, formula


def test_the_empty_product_is_every_class_of_factors():
    """The identity alone: no factor, diagonal with entries 1, the same for every letter."""
    still = {"format": "lemmata-network", "field": 1, "layers": [{"maps": [{"A": [["1"]], "B": [["0"]], "steps": []}]}]}
    assert {"lti-diagonal", "diagonal-nonnegative", "delta-nonnegative", "householder", "permutation-diagonal", "dense"} <= set(
        models_of(still)
    )
