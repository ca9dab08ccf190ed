"""Which models recognise a language: rows as data, answers that agree with the inclusions, networks that are built, words that are replayed."""

import json
import random
import shlex
import time
from collections import Counter
from itertools import product

import lemmata as lm
import pytest
from lemmata.api.languages import answer_of
from lemmata.api.question import Question
from lemmata.atlas.cells import answer as answer_of_table
from lemmata.atlas.inference import Place
from lemmata.atlas.knowledge import PRECISIONS, knowledge
from lemmata.atlas.knowledge import REGULAR as KEPT
from lemmata.atlas.languages import Asked, Table, family_says, subject_named, table
from lemmata.atlas.regular import written
from lemmata.atlas.undecided import before
from lemmata.cli.progress import stages
from lemmata.constructions.automata import Automaton, compile_automaton
from lemmata.constructions.automata.read.sources import from_permutations, from_regex, named_group
from lemmata.constructions.automata.read.tasks import TASKS
from lemmata.constructions.bistable.compiler import compile_bistable, compile_hybrid
from lemmata.constructions.languages import PROPERTIES, Witness, language_of
from lemmata.constructions.languages.properties import IMPLIES
from lemmata.constructions.languages.replay import replay
from lemmata.theorems.automata.pauses import with_pauses

EXPRESSIONS = [
    "a*b*",
    "(ab)*",
    "(aa)*",
    "(a|b)*aba(a|b)*",
    "(a|b)*a",
    "a(a|b)*",
    "b*(ab*ab*)*",
    "(aaa)*",
    "(abcabc)*",
    "(a|b)*a(a|b)(a|b)",
    "a*ba*(ba*)*",
]
GROUPS = ["C3", "C4", "S3", "D4", "S4", "A5"]


def machines():
    """At least 60 automata: at least five have each property, and at least five have it not."""
    yield from map(from_regex, EXPRESSIONS)
    yield from (make() for make in TASKS.values())
    yield from (from_permutations(named_group(name)) for name in GROUPS)
    yield from (from_permutations(named_group(name) | {"again": range(5)}) for name in ("A5", "S5"))
    yield Automaton({"x": (0, 0, 0), "y": (1, 1, 1), "z": (2, 2, 2)}, outputs=(0, 1, 2))
    for n in (6, 7, 8):
        # even permutations of five points that all states but five forget
        swap, cycle = [*(1, 0, 3, 2, 4), *range(5, n)], [*(1, 2, 3, 4, 0), *range(5, n)]
        yield Automaton({"s": swap, "c": cycle, "r": [0] * n}, 0, frozenset({0, n - 1}))
    rng = random.Random(2)
    for i in range(30):
        n = 2 + i % 3
        kinds = [
            range(n),
            [i % n] * n,
            rng.sample(range(n), n),
            [min(n - 1, q + 1) for q in range(n)],
            [rng.randrange(n) for _ in range(n)],
        ]
        yield Automaton({x: rng.choice(kinds) for x in "ab"}, 0, frozenset(q for q in range(n) if rng.random() < 0.5))


ASKED = [Asked(language_of(a)) for a in machines()]


def test_at_least_five_machines_have_each_property_and_five_have_it_not():
    assert len(ASKED) >= 60
    for id in PROPERTIES:
        values = [asked.has(id) for asked in ASKED]
        assert values.count(True) >= 5, id
        assert values.count(False) >= 5, id


def test_every_verdict_agrees_with_the_inclusions():
    ways = [(link.small, link.large, link.layers) for link in knowledge().inclusions]
    ways += [("transformer-fixed-precision", "transformer-hard", "many"), ("transformer-fixed-precision", "c-rasp", "many")]
    for asked in ASKED:
        for arithmetic in PRECISIONS:
            for small, large, layers in ways:
                one, two = asked.verdict(small, arithmetic), asked.verdict(large, arithmetic)
                assert (one.says, two.says) != ("yes", "no"), (small, large, arithmetic)
                assert layers == "many" or (one.one, two.one) != ("yes", "no"), (small, large, arithmetic)


def test_layers_are_bounds_that_agree():
    for asked in ASKED:
        for arithmetic in PRECISIONS:
            for v in asked.verdicts(arithmetic):
                if v.says == "yes":
                    assert v.least is not None
                    assert v.most is None or v.least <= v.most, v
                    assert (v.one == "yes") == (v.most == 1)
                else:
                    assert v.most is None
                    assert (v.least is None) == (v.says == "no")


#: rows whose class of regular languages is not known with exact states
STILL_OPEN = {"fixed-point-nonnegative"}

#: the recurrent rows of the table that no short convolution, open range or missing gate sets apart
RECURRENT = before().recurrent


def test_with_exact_states_no_recurrent_model_of_the_table_is_open():
    # any number of layers; models whose theorems speak of one arithmetic stand in its table alone
    for asked in ASKED:
        assert {v.model for v in asked.verdicts("exact", RECURRENT) if v.says == "open"} == set()


def asked_about(machine):
    (kind, given), *options = machine.items()
    return answer_of(Question(kind, given), **dict(options)).asked


REGULAR = {t.id: t for t in knowledge().tasks.values() if t.machine is not None or t.family is not None}
OF_TASKS = {id: [asked_about(m) for m in ([t.machine] if t.machine else t.members)] for id, t in REGULAR.items()}


def derived(model, task, arithmetic):
    """What the procedures say of a task, by any number of layers and by one."""
    family = REGULAR[task].family
    if family is not None:
        return family_says(family, OF_TASKS[task], model, arithmetic)
    verdict = OF_TASKS[task][0].verdict(model, arithmetic)
    # a yes that takes several heads is none of the table's layers
    heads = verdict.one == "yes" and verdict.one_row.needs is not None
    return verdict.says, "open" if heads else verdict.one


def test_members_have_the_properties_of_their_family():
    assert len(REGULAR) == 26
    assert sum(t.machine is not None for t in REGULAR.values()) == 14
    for id, task in REGULAR.items():
        for asked in OF_TASKS[id]:
            assert all(asked.has(property) for property in task.family or ()), id


def test_what_a_property_implies():
    for asked in (*ASKED, *(a for found in OF_TASKS.values() for a in found)):
        for id, others in IMPLIES.items():
            assert asked.has(id) is not True or all(asked.has(other) for other in others), id


def test_the_kept_properties_of_regular_tasks_are_what_the_procedures_say():
    assert KEPT.read_text(encoding="utf-8") == written(), "write it anew: python -m lemmata.atlas.regular"


@pytest.mark.parametrize("argued", [False, True])
def test_cells_of_regular_tasks_are_what_the_procedures_say(argued, monkeypatch):
    # the table says all that rows with claims and publications say, and nothing against the others
    known = table()
    rows = [row for row in known.rows if argued or row.argument is None]
    fewer = Table(known.subjects, rows, known.publications, known.norm_one)
    monkeypatch.setattr("lemmata.atlas.languages.table", lambda: fewer)
    for task in REGULAR:
        for model in (m for m in knowledge().models.values() if m.own is None):
            for arithmetic in ("exact", "margin", "rounded"):
                for layers, said in zip(("many", "one"), derived(model.id, task, arithmetic), strict=True):
                    told = answer_of_table(Place(model.id, task, layers, arithmetic))[0]
                    assert said in (told, "open") or (argued and told == "open"), (model.id, task, layers, arithmetic, told, said)


@pytest.mark.parametrize(
    ("task", "u", "v", "w"),
    [
        ("flip-flop", "s", "r", "h"),
        ("two-ones", "", "1", "0"),
        ("dyck", "a", "a", "b"),
        ("copy-first", "", "b", "a"),
        ("copying", "a", "b", "b"),
        ("induction", "a", "b", "a"),
        ("arithmetic", "1", "1", "+1"),
    ],
)
def test_words_that_turns_do_not_tell_apart(task, u, v, w):
    # a stack of turns answers u v^n w as u w for some n >= 1, and for its multiples: the task answers them otherwise for every n >= 2
    said = OF_TASKS[task][0].language.machine
    end = lambda word: said.answers[said.end(0, [said.letters.index(x) for x in word])]  # noqa: E731
    assert all(end(u + v * n + w) != end(u + w) for n in range(2, 13))
    assert answer_of_table(Place("unitary-diagonal", task, "many", "exact"))[0] == "no"


def open_cells(models, layers):
    places = [Place(m, t, layers, "exact") for m in models for t in REGULAR]
    return [(p.model, p.task) for p in places if answer_of_table(p)[0] == "open"]


def test_with_exact_states_no_regular_task_of_a_recurrent_model_is_open():
    recurrent = [m.id for m in knowledge().models.values() if m.own is None and m.id not in STILL_OPEN]
    assert open_cells(recurrent, "many") == []
    # one layer, of the rows and tasks that the table had before: at most 103 of 550 were to stay open
    earlier = before()
    assert set(earlier.regular) < set(REGULAR)
    found = [(m, t) for m, t in open_cells(RECURRENT, "one") if t in earlier.regular]
    assert earlier.still_open == {"many": 0, "one": len(found)}
    assert len(found) == 29


@pytest.mark.parametrize("expression", ["a*b*", "(ab)*", "(aa)*", "(a|b)*aba(a|b)*", "(a|b)*a"])
def test_a_command_that_is_named_builds_a_proved_network(expression, run):
    answer = lm.can(regex=expression)
    commands = {c for v in answer.verdicts if (c := answer.builds(v))}
    assert len(commands) >= 2
    for command in commands:
        code, out, err = run(*shlex.split(command)[1:])
        assert code == 0, err
        assert "proved" in out


def test_a_command_for_permutations_is_named_where_it_fits():
    for expression, named in (("(aa)*", True), ("(aa)+", False)):
        answer = lm.can(regex=expression, model="DeltaNet [-1, 1]")
        (verdict,) = answer.verdicts
        assert verdict.one == "yes"
        assert (answer.builds(verdict) is not None) is named


def proved(automaton, build):
    """The network of a command's options, which is returned only if it is proved."""
    if build.startswith("--bmru"):
        return compile_hybrid(automaton) if "--hybrid" in build else compile_bistable(automaton)
    return compile_automaton(automaton, build.removeprefix("--construction").strip() or "best")


@pytest.mark.programs
def test_every_answer_about_sixty_automata_is_checked():
    seen = Counter()
    for automaton, asked in zip(machines(), ASKED, strict=True):
        replayed = {id: replay(automaton, w) for id in PROPERTIES if isinstance(w := asked.witness(id), Witness)}
        assert all(replayed.values()), replayed
        networks = set()
        for arithmetic in PRECISIONS:
            for v in asked.verdicts(arithmetic):
                seen[v.says] += 1
                if v.says == "no":
                    # each alternative of the row is refused by words that were replayed
                    assert len(v.against) == len(v.row.alternatives)
                    assert all(replayed[id] for id in v.against)
                elif v.says == "yes":
                    assert v.row.claims or (v.row.cites and v.row.place) or v.row.argument
                    if v.built is not None and automaton.n <= 8:
                        networks.add((v.built.build, v.built.swaps))
        for build, swaps in networks:
            reached = automaton.reachable()
            if swaps is not None and any(len(set(row)) < reached.n for row in reached.table.values()):
                continue
            network = proved(automaton, build)
            seen[build] += 1
            for word in (w for length in (1, 2, 3) for w in product(automaton.letters, repeat=length)):
                assert network.run(word)[-1][1] == (automaton.run(word)[-1] in automaton.accepting)
    assert (
        min(seen[key] for key in ("yes", "no", "", "--bmru", "--bmru --hybrid", "--construction one-hot", "--construction permutation"))
        >= 5
    )


def test_a_yes_with_few_layers_is_no_fewer_than_what_is_built():
    for expression in ("a*b*", "(ab)*", "(a|b)*aba(a|b)*"):
        answer = lm.can(regex=expression, model="DeltaProduct")
        (verdict,) = answer.verdicts
        built = lm.compile(regex=expression, construction="excluded").network
        assert verdict.least <= len(built.widths)


def test_the_answer_for_a_model_begins_with_a_sentence_that_names_everything(run):
    code, out, _ = run("can", "--regex", "(ab)*", "--model", "BMRU")
    said = " ".join(out.split())
    assert code == 1
    assert said.startswith(
        "The language (ab)* is recognised by no number of layers of bistable units (BMRU), without a convolution, "
        "with finitely many states, held exactly: it is not “stutter-invariant” (new.bistable.languages; CHECKED)."
    )
    assert "'ab' and 'aab' are answered differently" in said


def test_with_at_most_so_many_layers(run):
    # a*b*: two layers with exact states, where one head of DeltaNet does it with a margin
    for layers, precision, said in ((1, "exact", "no"), (2, "exact", "yes"), (1, "margin", "open"), (2, "margin", "yes")):
        answer = lm.can(regex="a*b*", model="DeltaProduct", layers=layers).at(precision)
        assert answer.says() == said, (layers, precision)
        assert [w.says for w in answer.within] == [said]
    # four points: three layers for all maps, and two are too few, in both arithmetics
    full = Automaton({"c": (1, 2, 3, 0), "s": (1, 0, 2, 3), "m": (0, 0, 2, 3)})
    for layers, said in ((1, "no"), (2, "no"), (3, "yes"), (4, "yes")):
        assert [lm.can(automaton=full, model="householder", layers=layers).says(precision=p) for p in ("exact", "margin")] == [said] * 2
    assert lm.can("S3", model="DeltaNet [-1, 1]", layers=1).says() == "no"
    assert lm.can("S3", model="DeltaProduct_2", layers=1).says() == lm.can("S3", model="DeltaProduct_2").says(layers="one") == "yes"
    # S5 has 120 letters that take up to four swaps; swaps alone are one reflection each
    assert [lm.can("S5", model=m, layers=1).says() for m in ("DeltaProduct_2", "DeltaProduct_4")] == ["open", "yes"]
    assert lm.can(generators="(0 1), (1 2), (2 3), (3 4)", model="DeltaNet [-1, 1]", layers=1).says() == "yes"
    assert lm.can("parity", model="BMRU", layers=9).says() == "no"
    out = " ".join(run("can", "--regex", "(aa)*", "--model", "DeltaNet [-1, 1]", "--layers", "1")[1].split())
    assert "delta rule, [−1, 1] yes 1 is enough" in out
    data = json.loads(run("can", "--regex", "a*b*", "--layers", "2", "--json")[1])
    assert data["at most"] == 2
    assert {w["answer"] for w in data["within"]} == {"yes", "no", "open"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["star-free", "--layers", "2"], "expected one language with layers"),
        (["--layers", "2"], "expected one language with layers"),
        (["mqar", "--layers", "1"], "expected one language with layers"),
        (["--regex", "a*b*", "--layers", "0"], "expected at least 1 layer, got 0"),
        (["parity", "--layers", "-1"], "expected at least 1 layer, got -1"),
    ],
)
def test_wrong_numbers_of_layers(arguments, said, run):
    code, out, err = run("can", *arguments)
    assert code != 0
    assert (out, err.count("\n")) == ("", 1)
    assert said in err


def test_one_reflection_for_each_token(run):
    # four points: a permutation takes at most three swaps
    assert "with 3 tokens a letter one layer does it (grazzi25.sec4.3.tokens" in " ".join(
        run("can", "--group", "S4", "--elements", "--model", "DeltaNet [-1, 1]")[1].split()
    )
    # a token of two factors takes two swaps, and one of four all three
    tokens = {}
    for model in ("DeltaProduct_2", "DeltaProduct_4"):
        answer = lm.can(group="S4", elements=True, model=model)
        (verdict,) = answer.verdicts
        tokens[model] = answer.with_tokens(verdict)
    assert tokens["DeltaProduct_2"].startswith("with 2 tokens a letter one layer does it")
    assert tokens["DeltaProduct_4"] is None
    (verdict,) = lm.can(group="S3", elements=True, model="DeltaNet [0, 1]").verdicts
    assert lm.can(group="S3", elements=True).with_tokens(verdict) is None
    assert lm.can(regex="a*b*").asked.swaps is None


@pytest.mark.parametrize("model", ["BMRU", "DeltaNet [0, 1]", "Mamba without convolution"])
def test_a_pause_after_each_letter(model):
    """Where a model only takes letters twice for once it does the language with pauses, which the procedures decide anew; where it lacks more, it does not."""
    for expression, paused in (("(ab)*", True), ("0*10*1[01]*", True), ("(aa)*", False), ("a*b*", False)):
        answer = lm.can(regex=expression, model=model)
        (verdict,) = answer.verdicts
        said = answer.with_tokens(verdict)
        assert (said is not None) is paused, (expression, said)
        assert said is None or said.startswith("with 2 tokens a letter, itself and a pause, it does (new.automata.pauses")
        if verdict.says == "no":
            again = Asked(language_of(with_pauses(answer.asked.language), tracked=True))
            assert (again.verdict(verdict.model, "exact").says == "yes") is paused


def test_what_is_within_agrees_with_verdicts_and_grows_with_layers():
    for asked in ASKED[::3]:
        for arithmetic in ("exact", "margin"):
            for model in RECURRENT[::2]:
                verdict = asked.verdict(model, arithmetic)
                said = [asked.within(model, arithmetic, k).says for k in range(1, 9)]
                assert said[0] == verdict.one or verdict.one == "open", (model, arithmetic)
                assert said == sorted(said, key=("no", "open", "yes").index)
                assert ("yes" in said) <= (verdict.says == "yes")
                assert (said[-1] == "no") >= (verdict.says == "no")


def test_a_bare_name_prints_all_rows_that_it_may_mean():
    assert [s.id for s in subject_named("DeltaNet")] == [
        "delta-nonnegative", "delta-nonnegative-convolution", "delta-signed", "delta-signed-convolution",
    ]  # fmt: skip
    assert [s.id for s in subject_named("Mamba-3")] == ["diagonal-complex"]
    with pytest.raises(ValueError, match="did you mean DeltaNet"):
        subject_named("DeltaNett")
    with pytest.raises(ValueError, match="expected one model, got delta-nonnegative, delta-nonnegative-convolution"):
        lm.can(regex="a*b*", model="DeltaNet").says()


def test_check_replays_every_word(run):
    code, out, _ = run("can", "--regex", "(a|b)*aba(a|b)*", "--check")
    assert code == 0
    assert "witnesses hold, replayed by the automaton alone" in out
    assert "FAILS" not in out
    checked = json.loads(run("can", "--group", "A5", "--check", "--json")[1])["checked"]
    assert checked["solvable"] is True
    assert all(checked.values())


def test_a_witness_that_does_not_hold_is_an_error(run, monkeypatch):
    monkeypatch.setattr("lemmata.api.languages.replay", lambda *given: False)
    code, out, err = run("can", "--regex", "(ab)*", "--check")
    assert code != 0
    assert "FAILS" in out
    assert "expected every witness to hold" in err


def test_a_long_answer_says_how_far_it_is(run, monkeypatch):
    monkeypatch.setattr("lemmata.cli.can_language.stages", lambda: stages(patience=0))
    code, out, err = run("can", "--regex", "(a|b)*aba(a|b){5}", "--model", "BMRU")
    assert code == 1
    assert "is recognised by no number of layers" in out
    assert err.startswith(("starting, ", "deciding: "))
    told = []
    Asked(language_of(from_regex("a*b*"))).decide(lambda *step: told.append(step))
    assert [(done, total) for _, done, total in told] == [(i, len(PROPERTIES) + 2) for i in range(len(PROPERTIES) + 2)]


def test_data(run):
    data = json.loads(run("can", "--regex", "(aa)*", "--json")[1])
    assert (data["states"], data["elements"], data["arithmetic"]) == (2, 2, "exact")
    properties = {p["id"]: p for p in data["properties"]}
    assert properties["aperiodic"]["has"] is False
    assert properties["aperiodic"]["witness"]["words"]["w"] == ["a"]
    models = {m["model"]: m for m in data["models"]}
    assert models["lti-diagonal"]["answer"] == "yes"
    assert models["lti-diagonal"]["most"] == 1
    assert models["bistable"]["against"] == ["aperiodic"]


def test_arithmetics_differ_where_they_should():
    # one DeltaNet layer and a*b*: no with exact states, not with a margin; two ones and Mamba: no with exact states, yes with a margin
    answer = lm.can(regex="a*b*", model="delta-signed")
    assert answer.says(layers="one") == "no"
    assert answer.says(layers="one", precision="margin") != "no"
    answer = lm.can(regex="0*10*1[01]*", model="diagonal-nonnegative")
    assert [answer.says(precision=p) for p in ("exact", "margin", "rounded")] == ["no", "yes", "yes"]
    with pytest.raises(ValueError, match="expected a known precision"):
        answer.at("states")


def test_errors_are_one_line(run, tmp_path):
    for arguments in (
        ["--regex", "(a"],
        ["--regex", "a", "--group", "S3"],
        ["--group", "S0"],
        ["--automaton", str(tmp_path / "none.json")],
        ["--regex", "a*", "--elements"],
        ["--regex", "a*", "--precision", "cast"],
        ["parity", "--regex", "a*"],
        ["--regex", "a*", "--svg"],
        ["parity", "--check"],
        ["--alphabet", "ab"],
    ):
        code, out, err = run("can", *arguments)
        assert code != 0
        assert (out, err.count("\n")) == ("", 1), arguments


def test_an_automaton_without_answers_is_tracked(tmp_path, run):
    path = tmp_path / "m.json"
    path.write_text('{"table": {"a": [1, 0], "b": [0, 0]}}')
    code, out, _ = run("can", "--automaton", str(path))
    assert code == 0
    assert "is tracked by" in " ".join(out.split())


def test_the_larger_bound_on_layers_is_printed(tmp_path, run):
    path = tmp_path / "m.json"
    path.write_text('{"table": {"a": [0, 0, 1, 2], "b": [1, 2, 3, 1]}, "start": 3}')
    for precision, contents in (("exact", "new.automata.depth.exact"), ("margin", "new.automata.depth.margin")):
        out = " ".join(run("can", "--automaton", str(path), "--precision", precision)[1].split())
        assert "at least 3, by foldings (new.automata.depth.foldings; DERIVED)" in out
        assert f"by contents at least 2 ({contents}), as follows" in out
    asked = Asked(language_of(Automaton({"a": (0, 0, 1, 2), "b": (1, 2, 3, 1)}, 3), tracked=True))
    assert (v := asked.verdict("householder", "exact")).least == v.most == 3
    assert "at least 1, by contents" in " ".join(run("can", "--regex", "(aa)*")[1].split())
    data = json.loads(run("can", "--automaton", str(path), "--json")[1])
    assert (data["layers of norm at most 1"]["margin"], data["bounded by"]["margin"]) == (3, "new.automata.depth.foldings")


def test_rows_are_held_to_the_ledger():
    known = table()
    row = known.rows[0]
    for wrong, said in (
        ({"models": ["S4"]}, "known model"),
        ({"arithmetic": "cast"}, "known arithmetic"),
        ({"exactly": [["definit"]]}, "known property"),
        ({"claims": ["grazzi25.thm99"]}, "known claim"),
        ({"claims": [], "argument": None}, "expected claims, publications"),
        ({"cites": ["li25"]}, "expected claims, publications"),
        ({"claims": ["new.automata.settled"], "joins": "prose"}, "less than PROVED"),
    ):
        broken = type(row)(**{**vars(row), **wrong})
        with pytest.raises(ValueError, match=said):
            Table(known.subjects, [broken], known.publications, known.norm_one)


def test_fifty_states_take_less_than_a_second():
    rng = random.Random(1)
    accepting = frozenset(range(0, 50, 3))
    lm.can(regex="a*b*").data  # noqa: B018  # reads the ledger, once
    # a random machine, which exceeds the bound on elements, and a counter that stops at both ends, with 40,475 of them
    for rows in (
        {x: [rng.randrange(50) for _ in range(50)] for x in "abc"},
        {"u": [min(q + 1, 49) for q in range(50)], "d": [max(q - 1, 0) for q in range(50)]},
    ):
        began = time.process_time()
        answer = lm.can(automaton=Automaton(rows, 0, accepting))
        assert answer.verdicts
        assert answer.at("margin").verdicts
        # measured 0.6 s; processors differ
        assert time.process_time() - began < 2
