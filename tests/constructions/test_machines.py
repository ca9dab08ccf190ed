"""Moore and Mealy machines, partial and nondeterministic automata, the fewest states; what networks and torch modules say."""

import json
from itertools import combinations, product
from pathlib import Path
from random import Random

import jsonschema
import numpy as np
import pytest
from automata.fa.dfa import DFA
from automata.fa.nfa import NFA
from hypothesis import given, settings
from hypothesis import strategies as st
from lemmata.constructions.automata import Automaton, compile_automaton, compile_one_hot
from lemmata.constructions.automata.read.families import all_automata, random_automaton
from lemmata.constructions.automata.read.machine_files import from_json
from lemmata.constructions.automata.read.machines import completed, from_mealy, minimise
from lemmata.constructions.automata.read.sources import from_dfa, from_nfa, from_regex
from lemmata.constructions.automata.read.tasks import TASKS, cycle_navigation, modular_arithmetic
from lemmata.theorems.recheck.registry import RULES

ROOT = Path(__file__).parents[2]
WORDS = ["".join(w) for n in range(6) for w in product("ab", repeat=n)]
states_and_outputs = st.integers(1, 6).flatmap(
    lambda n: st.tuples(
        st.tuples(*[st.lists(st.integers(0, n - 1), min_size=n, max_size=n)] * 2),
        st.frozensets(st.integers(0, n - 1)),
        st.lists(st.sampled_from("xyz"), min_size=n, max_size=n),
    )
)


def machine(facts):
    """A Moore machine on the letters a and b."""
    (a, b), accepting, outputs = facts
    return Automaton({"a": a, "b": b}, 0, accepting, None, tuple(outputs))


def after(automaton, word):
    return (automaton.run(word) or [automaton.start])[-1]


def observed(automaton, word):
    q = after(automaton, word)
    return q in automaton.accepting, automaton.outputs and automaton.outputs[q]


# -- the fewest states ------------------------------------------------------------------------------------------------------


@given(states_and_outputs)
def test_minimising_keeps_what_is_observed_and_nothing_else(facts):
    automaton = machine(facts)
    smaller = minimise(automaton)
    assert all(observed(automaton, w) == observed(smaller, w) for w in WORDS)
    # two of at most six states are told apart by a word of at most five letters
    shapes = [[observed(Automaton(smaller.table, q, smaller.accepting, None, smaller.outputs), w) for w in WORDS] for q in range(smaller.n)]
    assert all(s != t for s, t in combinations(shapes, 2))
    assert minimise(smaller).table == smaller.table


@given(states_and_outputs)
def test_minimising_an_acceptor_agrees_with_automata_lib(facts):
    (a, b), accepting, _ = facts
    dfa = DFA(
        states=set(range(len(a))),
        input_symbols={"a", "b"},
        transitions={q: {"a": a[q], "b": b[q]} for q in range(len(a))},
        initial_state=0,
        final_states=accepting,
    )
    assert minimise(from_dfa(dfa)).n == len(dfa.to_complete().minify(retain_names=False).to_complete().states)


def test_outputs_keep_states_apart_that_acceptance_does_not():
    table = {"a": (1, 2, 0)}
    assert minimise(Automaton(table)).n == 1
    assert minimise(Automaton(table, outputs=(0, 0, 1))).n == 3
    assert minimise(Automaton(table, 0, frozenset({2}))).n == 3
    merged = minimise(Automaton({"a": (1, 2, 2), "b": (0, 0, 0)}, 0, frozenset({1, 2}), ("start", "once", "often")))
    assert merged.names == ("start", "once")


def test_a_counter_of_5000_states_is_minimal():
    n = 5000
    automaton = Automaton({"a": [(q + 1) % n for q in range(n)]}, 0, frozenset({0}))
    assert minimise(automaton).n == n
    assert minimise(Automaton({"a": [(q + 1) % n for q in range(n)]}, 0, frozenset(range(0, n, 2)))).n == 2


# -- partial and nondeterministic -------------------------------------------------------------------------------------------


def partial_dfa():
    return DFA(
        states={"even", "odd", "sink"},
        input_symbols={"0", "1"},
        transitions={"even": {"0": "even", "1": "odd"}, "odd": {"1": "even"}, "sink": {"0": "sink"}},
        initial_state="even",
        final_states={"odd"},
        allow_partial=True,
    )


def test_a_partial_dfa_is_completed_on_request():
    with pytest.raises(ValueError, match="got none for the letter '0' in state 'odd'; ask to complete it with a sink"):
        from_dfa(partial_dfa())
    full = from_dfa(partial_dfa(), complete=True)
    assert full.names == ("even", "odd", "sink", "sink'")
    for w in ("".join(w) for n in range(7) for w in product("01", repeat=n)):
        assert (after(full, w) in full.accepting) == partial_dfa().accepts_input(w)


def test_a_total_table_gets_no_sink():
    assert completed({"a": (0,)}, ["q"], None, complete=True) == ({"a": (0,)}, ("q",), None)
    assert completed({"a": (None,)}, ["q"], ["x"], complete=True) == ({"a": (1, 1)}, ("q", "sink"), ("x", "sink"))


@given(st.integers(0, 10**6))
def test_nondeterministic_automata_by_subsets(seed):
    rng = Random(seed)
    n = rng.randint(1, 5)
    some = lambda: {q for q in range(n) if rng.random() < 0.3}  # noqa: E731
    nfa = NFA(
        states=set(range(n)),
        input_symbols={"a", "b"},
        transitions={q: {x: some() for x in ("a", "b", "")} for q in range(n)},
        initial_state=rng.randrange(n),
        final_states=some(),
    )
    automaton = from_nfa(nfa)
    assert all((after(automaton, w) in automaton.accepting) == nfa.accepts_input(w) for w in WORDS)
    assert minimise(automaton).n == automaton.n


def test_too_many_subsets_are_refused():
    last = 17
    nfa = NFA(
        states=set(range(last + 1)),
        input_symbols={"a", "b"},
        transitions={0: {"a": {0, 1}, "b": {0}}} | {q: {"a": {q + 1}, "b": {q + 1}} for q in range(1, last)},
        initial_state=0,
        final_states={last},
    )
    with pytest.raises(ValueError, match="expected a deterministic automaton of at most 20000 states, got more"):
        from_nfa(nfa)
    many = {str(q) for q in range(1001)}
    with pytest.raises(ValueError, match="expected a nondeterministic automaton of at most 1000 states, got 1001"):
        from_nfa(NFA(states=many, input_symbols={"a"}, transitions={"0": {}}, initial_state="0", final_states=set()))


# -- Mealy machines ---------------------------------------------------------------------------------------------------------


@given(states_and_outputs, st.data())
def test_a_mealy_machine_says_the_same_as_a_moore_machine(facts, data):
    (a, b), accepting, _ = facts
    n = len(a)
    said = {x: data.draw(st.lists(st.sampled_from("xy"), min_size=n, max_size=n)) for x in "ab"}
    moore = from_mealy({"a": a, "b": b}, said, 0, accepting)
    mealy = Automaton({"a": a, "b": b}, 0, accepting)
    for w in WORDS[1:]:
        before = after(mealy, w[:-1])
        assert moore.output(after(moore, w)) == said[w[-1]][before]
        assert (after(moore, w) in moore.accepting) == (after(mealy, w) in accepting)
        assert moore.name(after(moore, w)) == (after(mealy, w), said[w[-1]][before])
    assert moore.n <= 2 * n + 1


def test_the_start_of_a_mealy_machine_costs_no_state_if_a_letter_leads_back():
    # says whether the letter differs from the one before
    differs = from_mealy({"a": (0, 0), "b": (1, 1)}, {"a": ("same", "new"), "b": ("new", "same")})
    assert sorted(differs.names) == [(0, "new"), (0, "same"), (1, "new"), (1, "same")]
    assert compile_automaton(differs).outputs("abbab") == ["same", "new", "same", "new", "new"]
    # an unreachable state that leads to the start does not choose its output
    assert from_mealy({"a": (1, 1, 0)}, {"a": ("x", "x", "y")}).n == 2


@pytest.mark.parametrize("outputs", [None, {}, {"a": ("x",)}, {"a": ("x", "y"), "b": ("x", "y")}, {"a": "xy"}, {"a": ("x", "y", "z")}])
def test_outputs_of_another_shape(outputs):
    with pytest.raises(ValueError, match=r"expected (2 )?outputs"):
        from_mealy({"a": (1, 0)}, outputs)


# -- what networks say ------------------------------------------------------------------------------------------------------


def test_a_network_says_what_its_machine_says():
    network = compile_automaton(cycle_navigation(5))
    assert [accepted for _, accepted in network.run("++0-0-")] == [False] * 5 + [True]
    assert network.outputs("++0+-") == [1, 2, 2, 3, 2]
    with pytest.raises(ValueError, match="expected a machine with outputs, got an acceptor"):
        compile_automaton(TASKS["parity"]()).outputs("01")


@given(st.integers(2, 5), st.lists(st.sampled_from("01234+-*"), max_size=10))
def test_modular_arithmetic_says_the_value(m, tokens):
    automaton, text = modular_arithmetic(m), "".join(t for t in tokens if t in "+-*" or int(t) < m)
    for t in range(1, len(text) + 1):
        prefix, said = text[:t], automaton.output(after(automaton, text[:t]))
        digits = prefix.replace("-", "+").replace("*", "+").split("+")
        if all(len(d) == 1 for d in digits):
            assert said == eval(prefix) % m
        elif all(len(d) == 1 for d in digits[:-1]) and digits[-1] == "":
            assert said == "incomplete"
        else:
            assert said == "error"
    assert automaton.output(automaton.start) == "incomplete"
    assert automaton.accepting == {q for q, said in enumerate(automaton.outputs) if said == 0}


@settings(max_examples=12)
@given(states_and_outputs)
def test_exported_machines_fit_the_schema_and_the_checker(facts):
    document = compile_one_hot(machine(facts)).document()
    reachable = machine(facts).reachable()
    assert document["automaton"]["outputs"] == list(reachable.outputs)
    jsonschema.validate(document, json.loads((ROOT / "docs" / "reference" / "network.schema.json").read_text(encoding="utf-8")))
    RULES["network"](document)


def test_names_and_outputs_that_look_alike_are_told_apart():
    document = compile_automaton(Automaton({"a": (1, 0)}, names=(1, "1"), outputs=("x", 5))).document()["automaton"]
    assert (document["states"], document["outputs"]) == (["1", "'1'"], ["x", "5"])
    assert compile_automaton(Automaton({"a": (1, 0)}, outputs=("5", 5))).document()["automaton"]["outputs"] == ["'5'", "5"]


# -- torch modules ----------------------------------------------------------------------------------------------------------


def test_a_torch_module_names_states_accepts_and_says():
    torch = pytest.importorskip("torch", reason="needs the extra 'torch'")
    network = compile_automaton(modular_arithmetic(3))
    module = network.to_torch()
    words = ["1+2*2", "2*2*2", "1++12"]
    tokens = torch.cat([module.encode(w) for w in words])
    for scan in (False, True):
        named = [[module.state_names[q] for q in row] for row in module(tokens, scan).tolist()]
        assert named == [[str(name) for name, _ in network.run(w)] for w in words]
        assert module.accepts(tokens, scan).tolist() == [[accepted for _, accepted in network.run(w)] for w in words]
        said = [[module.output_names[y] for y in row] for row in module.outputs(tokens, scan).tolist()]
        assert said == [[str(y) for y in network.outputs(w)] for w in words]
    assert said[0] == ["1", "incomplete", "0", "incomplete", "2"]
    # weights are as docs/reference/formats.md lists them, and no more
    assert {key.rsplit(".", 1)[-1] for key in module.state_dict()} == {"A", "B", "initial", "map_of", "codes", "following"}
    assert module.to("meta").accepting.is_meta


def test_a_torch_module_of_an_acceptor_has_no_outputs():
    pytest.importorskip("torch", reason="needs the extra 'torch'")
    module = compile_automaton(from_regex("(a|b)*abb")).to_torch()
    assert module.output_names is None
    assert module.accepts(module.encode("aabba")).tolist() == [[False, False, False, True, False]]
    with pytest.raises(ValueError, match="expected a machine with outputs, got an acceptor"):
        module.outputs(module.encode("ab"))


# -- the automata themselves ------------------------------------------------------------------------------------------------


def test_numpy_integers_become_pythons():
    automaton = Automaton({"a": np.array([1, 0]), "b": (np.int64(1), 1)}, np.int32(1), frozenset({np.uint8(1)}), outputs=("x", "y"))
    assert automaton == Automaton({"a": (1, 0), "b": (1, 1)}, 1, frozenset({1}), outputs=("x", "y"))
    assert {type(q) for images in automaton.table.values() for q in images} | {type(automaton.start)} == {int}
    assert json.loads(compile_automaton(automaton).to_json())["automaton"]["table"] == [[1, 0], [0, 0]]


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ((None,), r"expected a table \{letter: \[next states\]\}, got None"),
        ((["a"],), "expected a table"),
        ((np.array([[1], [0]]),), r"got array\(\[\[1\], \[0\]\]\)"),
        (({"a" * 10_000: 5},), "for the letter 'aaa.*aaa', got 5"),
        (({"a": 5},), "expected a list of next states for the letter 'a', got 5"),
        (({"a": {0, 1}},), "expected a list of next states"),
        (({"a": "01"},), "expected a state in 0 .. 1 for the letter 'a' in state 0, got '0'"),
        (({"a": (True, False)},), "expected a state in 0 .. 1 for the letter 'a' in state 0, got True"),
        (({"a": np.array([True, False])},), "in state 0, got"),
        (({"a": (0.0,)},), "in state 0, got 0.0"),
        (({"a": (0,)}, True), "expected a start and accepting states in 0 .. 0, got True"),
        (({"a": (0,)}, 0, 3), "expected a set of accepting states, got 3"),
        (({"a": (0,)}, 0, {False}), "expected a start and accepting states in 0 .. 0, got False"),
        (({"a": (0,)}, None), "got None"),
        (({"a": (0, 1)}, 0, (), ("x",)), "expected 2 names, one for each state"),
        (({"a": (0, 1)}, 0, (), ("x", "x")), "expected 2 different names"),
        (({"a": (0, 1)}, 0, (), "xy"), "expected 2 names, one for each state, got 'xy'"),
        (({"a": (0, 1)}, 0, (), ([], [])), "expected names that can be told apart"),
        (({"a": (0, 1)}, 0, (), None, ("x",)), "expected 2 outputs, one for each state"),
        (({"a": (0, 1)}, 0, (), None, ({}, {})), "expected outputs that can be told apart"),
    ],
)
def test_automata_that_are_none(facts, message):
    with pytest.raises(ValueError, match=message) as error:
        Automaton(*facts)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 200


def test_reachable_states_are_found_once_each():
    """One look-up of each state and letter, however many states there are."""

    class Counted(tuple):
        looked_up = 0

        def __getitem__(self, q):
            Counted.looked_up += 1
            return super().__getitem__(q)

    n = 3000
    automaton = Automaton({"a": [(q + 1) % n for q in range(n)], "b": [0] * n})
    object.__setattr__(automaton, "table", {x: Counted(images) for x, images in automaton.table.items()})
    assert automaton.reachable().n == n
    assert Counted.looked_up <= 6 * n


def test_families_have_as_many_letters_as_asked_for():
    assert len(random_automaton(Random(0), 3, 5).letters) == 5
    assert len({tuple(a.table.values()) for a in all_automata(1, 4)}) == 1
    assert next(all_automata(2, 4)).letters == list("abcd")
    with pytest.raises(ValueError, match="expected 1 to 26 letters, got 27"):
        random_automaton(Random(0), 2, 27)


def test_machines_from_files_and_from_python_agree():
    text = '{"table": {"a": [1, 0], "b": [1, 1]}, "outputs": {"a": ["x", "y"], "b": ["y", "y"]}}'
    assert from_json(text) == from_mealy({"a": (1, 0), "b": (1, 1)}, {"a": ("x", "y"), "b": ("y", "y")})
