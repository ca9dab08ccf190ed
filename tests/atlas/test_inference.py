"""The expressivity table: what is put in, what follows, and that nothing contradicts."""

from dataclasses import replace
from pathlib import Path

import lemmata as lm
import pytest
from lemmata.atlas.cells import answer, asked_in, cell, chain, model_named, open_cells, places, sentence, short, shown_in, task_named
from lemmata.atlas.inference import DEPTHS, Place, answers, close, place_of
from lemmata.atlas.knowledge import PRECISIONS, Fact, Inclusion, Knowledge, Reduction, knowledge, stale, undecided
from lemmata.atlas.undecided import open_groups
from lemmata.cli.expressivity import expressivity
from lemmata.cli.markdown import markdown
from lemmata.theorems.ledger import HOLDS, ledger, require_known


def cells():
    known = knowledge()
    return [Place(m, t, depth, precision) for m in known.models for t in known.tasks for depth in DEPTHS for precision in PRECISIONS]


def closed_slowly(known: Knowledge) -> tuple[set[Place], set[Place]]:
    """The same closure by its definition: go through all pairs of cells and links until nothing is new."""
    everywhere = cells()
    below: dict[Place, list[Place]] = {}
    for p in everywhere:
        down = [p._replace(model=x.small) for x in known.inclusions if x.large == p.model and (x.layers == "one" or p.depth == "many")]
        down += [p._replace(task=x.harder) for x in known.reductions if x.easier == p.task]
        down += [p._replace(depth="one")] if p.depth == "many" else []
        down += [p._replace(precision={"margin": "exact", "reals": "margin"}[p.precision])] if p.precision in ("margin", "reals") else []
        below[p] = down
    yes, no = ({place_of(f) for f in known.facts if f.can is can} for can in (True, False))
    while True:
        more_yes = {p for p in everywhere if any(q in yes for q in below[p])} - yes
        more_no = {q for p in no for q in below[p]} - no
        if not more_yes and not more_no:
            return yes, no
        yes |= more_yes
        no |= more_no


def test_no_cell_is_both():
    assert answers().contradictions() == []


def test_the_closure_is_whole():
    yes, no = closed_slowly(knowledge())
    assert set(answers().yes) == yes
    assert set(answers().no) == no


def test_every_claim_that_could_decide_a_cell_does_or_says_why_not():
    assert undecided() == []
    assert stale() == []


def test_a_false_fact_is_a_contradiction():
    known = knowledge()
    wrong = Fact(can=True, model="bistable", task="parity", layers="3", precision="exact", claims=["degeeter26.eq11"])
    found = close(replace(known, facts=[*known.facts, wrong])).contradictions()
    assert Place("bistable", "parity", "many", "exact") in found


def test_every_claim_of_a_chain_holds_and_grades_are_those_of_the_weakest():
    entries = ledger()
    for found in (answers().yes, answers().no):
        for reason in found.values():
            verdicts = [entries[id].verdict for id in reason.claims] + ["CITED"] * len(reason.fact.cites)
            expected = max(verdicts, key=HOLDS.index, default="PROVED")
            assert reason.grade == expected


@pytest.mark.parametrize(
    ("model", "task", "depth", "precision", "said"),
    [
        ("DeltaNet [0, 1]", "parity", "many", "exact", "no"),
        ("DeltaNet [0, 1]", "parity", "one", "rounded", "yes"),
        ("DeltaNet [-1, 1]", "parity", "one", "exact", "yes"),
        ("DeltaNet [-1, 1]", "S3", "one", "exact", "no"),
        ("DeltaNet [-1, 1]", "S_3", "many", "exact", "yes"),
        ("DeltaProduct_2", "S5", "one", "exact", "no"),
        ("DeltaProduct_4", "S5", "one", "exact", "yes"),
        ("Mamba without convolution", "star-free", "many", "margin", "yes"),
        ("Mamba without convolution", "star-free", "many", "exact", "no"),
        ("diagonal-nonnegative-convolution", "star-free", "many", "exact", "yes"),
        ("KDA without convolution", "two-ones", "many", "exact", "no"),
        ("KDA", "two-ones", "many", "exact", "yes"),
        ("KDA", "parity", "many", "exact", "no"),
        ("RWKV-6", "copying", "many", "exact", "yes"),
        ("RWKV-6", "flip-flop", "many", "exact", "no"),
        ("linear attention", "flip-flop", "many", "exact", "no"),
        ("linear attention", "even-length", "many", "exact", "no"),
        ("Jamba", "A5", "many", "log", "no"),
        ("Jamba", "parity", "many", "log", "yes"),
        ("RWKV-7 without token shift", "flip-flop", "many", "exact", "no"),
        ("FP-RNN without gate [nonnegative]", "flip-flop", "many", "exact", "yes"),
        ("FP-RNN without gate [signed]", "parity", "one", "exact", "yes"),
        ("masked hard-attention transformer", "star-free", "many", "exact", "yes"),
        ("transformer with fixed precision", "parity", "many", "rounded", "no"),
        ("transformer with chain of thought", "S5", "many", "log", "yes"),
        ("mamba-3", "A5", "many", "exact", "no"),
        ("BMRU", "two-ones", "many", "exact", "no"),
        ("pd ssm", "regular", "one", "rounded", "yes"),
        ("transformer", "S5", "many", "log", "no"),
        ("GRU", "regular", "one", "exact", "yes"),
        ("sLSTM", "parity", "many", "rounded", "open"),
    ],
)
def test_what_people_ask(model, task, depth, precision, said):
    assert answer(Place(model_named(model).id, task_named(task).id, depth, precision))[0] == said


def test_a_chain_starts_with_claims_and_ends_at_the_cell():
    lines = list(chain(Place("delta-nonnegative", "S5", "many", "exact")))
    assert "new.automata.settled" in lines[0]
    assert "grazzi25.thm1" in lines[-1]
    assert lines[-1].startswith("so it is even if exact states are cast")
    assert list(chain(Place("lti-diagonal", "product", "one", "rounded"))) == []
    first, *_ = chain(Place("delta-signed", "S4", "many", "exact"))
    assert "can do solvable groups (layers: r + 1, r the length of a composition series; width: at most 2): new.automata.solvable" in first


def test_a_cell_as_data():
    data = cell(Place("householder-4", "S5", "one", "exact"))
    assert data["answer"] == "yes"
    assert data["command"] == "lemmata compile --group S5 --elements"
    (built,) = data["built"]
    assert (built["layers"], built["widths"], built["run"]) == (1, [5], "delta")
    assert set(built["right up to"]["delta"].values()) == {"every length"}
    assert "bfloat16" in data["length"]
    assert data["grade"] == ledger()["new.automata.fewest-reflections.symmetric"].verdict
    assert cell(places("nonlinear", "parity")[4])["answer"] == "open"


def test_a_condition_is_said():
    assert "unless TC^0 = NC^1" in sentence(Place("transformer", "S5", "many", "log"))
    assert short("transformer", "S5", "log") == ("no*", "CITED")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"facts": [Fact(can=True, model="mamba", task="parity", layers="1", precision="exact", claims=["grazzi25.thm1"])]},
            "model, got 'mamba'",
        ),
        (
            {"facts": [Fact(can=True, model="dense", task="par", layers="1", precision="exact", claims=["grazzi25.thm1"])]},
            "task, got 'par'",
        ),
        ({"facts": [Fact(can=True, model="dense", task="parity", layers="1", precision="exact")]}, "claim or a publication"),
        (
            {"facts": [Fact(can=False, model="dense", task="parity", layers="2", precision="exact", claims=["grazzi25.thm1"])]},
            "layers 1 or any",
        ),
        (
            {"facts": [Fact(can=True, model="dense", task="parity", layers="1", precision="exact", claims=["grazzi25.thm3.printed"])]},
            "which is OPEN",
        ),
        ({"inclusions": [Inclusion(small="dense", large="denser", because="")]}, "got 'denser'"),
        ({"reductions": [Reduction(harder="S5", easier="S6", because="")]}, "got 'S6'"),
    ],
)
def test_what_is_put_in_must_be_known(change, message):
    with pytest.raises(ValueError, match=message):
        replace(knowledge(), **change)


def test_a_task_that_asks_for_real_numbers_stands_in_their_table_alone():
    assert [p for p in PRECISIONS if "product" in {t.id for t in asked_in(p)}] == ["reals"]
    assert {c["precision"] for c in lm.can("product").data} == {"reals"}
    assert lm.can("product", model="BIRNN").says(layers="one") == "yes"


def test_open_cells_are_those_that_the_tables_mark():
    for precision in PRECISIONS:
        marked = {
            (m.id, t.id) for m in shown_in(precision) for t in asked_in(precision) if short(m.id, t.id, precision)[0] in ("?", "not 1")
        }
        assert {(p.model, p.task) for p in open_cells(precision, "many")} == marked


def test_every_open_cell_has_a_reason_and_every_reason_a_cell():
    groups = open_groups()
    for precision in PRECISIONS:
        mine = [g for g in groups if g.arithmetic == precision]
        for depth, counts in (("many", [g.many for g in mine]), ("one", [g.one for g in mine])):
            assert sum(counts) == len(open_cells(precision, depth))
        for g in mine:
            require_known("model", g.models, knowledge().models)
            # a model that is named has an open cell: no reason outlives its cells
            assert set(g.models) <= {p.model for p in open_cells(precision, "one")}, g.name
            assert g.one > 0


def test_one_entry_may_state_several_facts():
    spread = [f for f in knowledge().facts if f.cites == ["rabin59"] and f.precision == "exact"]
    assert len(spread) == 5 * 4
    assert len({(f.model, f.task) for f in spread}) == len(spread)


def test_the_page_is_the_tables():
    page = Path(__file__).parents[2] / "docs" / "reference" / "expressivity.md"
    assert page.read_text(encoding="utf-8") == markdown(expressivity()), (
        "write it anew: lemmata can --markdown > docs/reference/expressivity.md"
    )
