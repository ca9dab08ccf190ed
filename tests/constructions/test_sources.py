"""Machines from JSON, automata-lib and groups: what is read, and that everything else is refused in one line."""

import json
import re
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest
from automata.fa.dfa import DFA
from automata.fa.nfa import NFA
from lemmata.constructions.automata import Automaton, compile_dfa, compile_group, compile_regex, compiler
from lemmata.constructions.automata.layers.groups import block_matrices, cyclic_exponents
from lemmata.constructions.automata.read import machine_files
from lemmata.constructions.automata.read.machine_files import from_json
from lemmata.constructions.automata.read.sources import (
    all_elements,
    from_cycles,
    from_dfa,
    from_nfa,
    from_permutations,
    from_regex,
    named_group,
)
from lemmata.theorems.recheck.registry import RULES

# -- JSON -------------------------------------------------------------------------------------------------------------------


def read(data, **options):
    return from_json(json.dumps(data), **options)


def test_states_by_number():
    assert read({"table": {"a": [1, 0], "b": [0, 0]}}) == Automaton({"a": (1, 0), "b": (0, 0)})
    assert read({"table": {"a": [1, 0]}, "start": 1, "accepting": [0]}) == Automaton({"a": (1, 0)}, 1, frozenset({0}))


def test_states_by_name_and_1_and_text_1_apart():
    data = {"states": ["1", 1, "x"], "table": {"a": [1, "x", "1"]}, "start": 1, "accepting": ["1"]}
    assert read(data) == Automaton({"a": (1, 2, 0)}, 1, frozenset({0}), ("1", 1, "x"))


def test_moore_and_mealy_machines():
    moore = {"states": ["s", "t"], "table": {"a": ["t", "s"]}, "outputs": ["low", 3]}
    assert read(moore) == Automaton({"a": (1, 0)}, names=("s", "t"), outputs=("low", 3))
    mealy = read({"table": {"a": [1, 1], "b": [0, 0]}, "outputs": {"a": ["new", "same"], "b": ["same", "new"]}})
    assert [mealy.output(q) for q in mealy.run("aabab")] == ["new", "same", "new", "new", "new"]


def test_partial_machines_are_completed_on_request():
    partial = {"states": ["p", "q"], "table": {"a": ["q", None], "b": [None, "p"]}, "accepting": ["p"]}
    with pytest.raises(ValueError, match="expected a transition for every letter, got none for the letter 'a' in state 'q'"):
        read(partial)
    full = read(partial, complete=True)
    assert full == Automaton({"a": (1, 2, 2), "b": (2, 0, 2)}, 0, frozenset({0}), ("p", "q", "sink"))
    assert read(partial | {"outputs": ["x", "sink"]}, complete=True).outputs == ("x", "sink", "sink'")
    mealy = read({"table": {"a": [1, None]}, "outputs": {"a": ["go", None]}}, complete=True)
    assert [mealy.output(q) for q in mealy.run("aaa")] == ["go", "sink", "sink"]


def test_nondeterministic_machines():
    # some word of a and b that ends in ab, or the empty word
    data = {
        "states": ["any", "a", "end", "skip"],
        "table": {"a": [["any", "a"], [], [], []], "b": [["any"], ["end"], [], []]},
        "epsilon": [["skip"], [], [], []],
        "accepting": ["end"],
    }
    automaton = read(data)
    for w in ("".join(w) for n in range(1, 7) for w in product("ab", repeat=n)):
        assert (automaton.run(w)[-1] in automaton.accepting) == w.endswith("ab")
    assert read(data | {"accepting": ["skip"]}).start in read(data | {"accepting": ["skip"]}).accepting


TABLE = '"table": {"a": [1, 0]}'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected JSON, got text with an error: Expecting value"),
        ("[]", "expected a JSON object with a table"),
        ("null", "expected a JSON object with a table"),
        ("{}", "expected a JSON object with a table"),
        ('{"table": {}}', "expected a JSON object with a table"),
        ('{"table": [[1, 0]]}', "expected a JSON object with a table"),
        ('{"table": {"a": 5}}', "expected a list of 1 to 20000 states, and rows of next states"),
        ('{"table": {"a": []}}', "expected a list of 1 to 20000 states"),
        ('{"table": {"": [0]}}', "expected at most 1000 letters, none of them empty"),
        ('{"table": {"a": [1, 0], "b": [0]}}', "expected a list of 2 next states for the letter 'b', one for each state, got [0]"),
        ('{"table": {"a": [1, 0], "a": [0, 1]}}', "expected different letters and keys, got 'a' twice"),
        ("{" + TABLE + "," + TABLE + "}", "expected different letters and keys, got 'table' twice"),
        ("{" + TABLE + ', "final": [0]}', "expected the keys states, table, epsilon, start, accepting, outputs, got 'final'"),
        ('{"table": {"a": [1]}}', "expected a state in 0 .. 0 (the row of 'a'), got 1"),
        ('{"table": {"a": [true, false]}}', "expected a state in 0 .. 1 (the row of 'a'), got True"),
        ('{"table": {"a": [1.0, 0]}}', "expected states and outputs as text or integers of at most 9 digits, got '1.0'"),
        ('{"table": {"a": [NaN]}}', "got 'NaN'"),
        ('{"table": {"a": [1e999]}}', "got '1e999'"),
        ('{"table": {"a": [' + "9" * 5000 + "]}}", "of at most 9 digits, got '99999"),
        ('{"table": {"a": ["0"]}}', "expected a state in 0 .. 0 (the row of 'a'), got '0'"),
        ('{"table": {"a": [{}]}}', "(the row of 'a'), got {}"),
        ("{" + TABLE + ', "start": "x"}', "expected a state in 0 .. 1 (start), got 'x'"),
        ("{" + TABLE + ', "start": true}', "expected a state in 0 .. 1 (start), got True"),
        ("{" + TABLE + ', "start": null}', "expected a state in 0 .. 1 (start), got None"),
        ("{" + TABLE + ', "start": [0]}', "expected a state in 0 .. 1 (start), got [0]"),
        ("{" + TABLE + ', "accepting": 1}', "expected a list of states (accepting), got 1"),
        ("{" + TABLE + ', "accepting": [false]}', "expected a state in 0 .. 1 (accepting), got False"),
        ("{" + TABLE + ', "accepting": [1, 1]}', "expected different states (accepting), got [1, 1]"),
        ("{" + TABLE + ', "states": ["x", "x"]}', "expected different states, got ['x', 'x']"),
        ("{" + TABLE + ', "states": [true, "x"]}', "expected states that are text or integers, got True"),
        ("{" + TABLE + ', "states": [["x"], "y"]}', "expected states that are text or integers, got ['x']"),
        ("{" + TABLE + ', "states": ["\\ud800", "y"]}', "expected states that are text or integers, got"),
        ("{" + TABLE + ', "states": ["x", "y"]}', "expected one of the states listed (the row of 'a'), got 1"),
        ("{" + TABLE + ', "states": 2}', "expected a list of 1 to 20000 states"),
        ("{" + TABLE + ', "states": [0]}', "expected a list of 1 next states for the letter 'a'"),
        ("{" + TABLE + ', "outputs": ["x"]}', "expected a list of 2 outputs, one for each state, got ['x']"),
        ("{" + TABLE + ', "outputs": [true, "x"]}', "expected outputs that are text or integers, got True"),
        ("{" + TABLE + ', "outputs": [null, "x"]}', "expected outputs that are text or integers, got None"),
        ("{" + TABLE + ', "outputs": null}', "expected a list of 2 outputs"),
        ("{" + TABLE + ', "outputs": {"b": ["x", "y"]}}', "expected outputs for the letters of the table, got ['b']"),
        ("{" + TABLE + ', "outputs": {"a": ["x"]}}', "expected a list of 2 outputs for the letter 'a'"),
        (
            "{" + TABLE + ', "outputs": {"a": ["x", null]}}',
            "expected an output for the letter 'a' where there is a next state, and there alone",
        ),
        ('{"table": {"a": [[0], 0]}}', "expected a list of states (the row of 'a'), got 0"),
        ('{"table": {"a": [[0], null]}}', "expected a list of states (the row of 'a'), got None"),
        ('{"table": {"a": [[0, 0]]}}', "expected different states (the row of 'a'), got [0, 0]"),
        ('{"table": {"a": [[0]]}, "outputs": ["x"]}', "expected no outputs in a nondeterministic automaton"),
        ('{"table": {"a": [[0]]}, "epsilon": [0]}', "expected a list of states (epsilon), got 0"),
        ('{"table": {"a": [[0]]}, "epsilon": []}', "expected a list of 1 lists of states (epsilon)"),
        ('{"table": {"a": [0]}, "epsilon": null}', "expected a list of 1 lists of states (epsilon)"),
        ("[" * 100_000, "expected JSON with a table {letter: [next states]}, got brackets that are nested too deeply"),
        (json.dumps({"table": {"a": list(range(20_001))}}), "expected a list of 1 to 20000 states"),
        (json.dumps({"table": {str(x): [0] for x in range(1001)}}), "expected at most 1000 letters"),
        (3, "expected JSON as text, got 3"),
        (None, "expected JSON as text, got None"),
        (b"{}", "expected JSON as text, got b'{}'"),
    ],
)
def test_json_that_is_refused(text, message):
    with pytest.raises(ValueError, match=re.escape(message)) as error:
        from_json(text)
    assert re.match("expected [^\n]*$", str(error.value))
    assert len(str(error.value)) < 300


def test_a_file_has_at_most_so_many_characters(monkeypatch):
    text = '{"table": {"a": [0]}}'
    monkeypatch.setattr(machine_files, "LARGEST_FILE", len(text))
    assert from_json(text).n == 1
    with pytest.raises(ValueError, match=f"expected at most {len(text)} characters of JSON, got {len(text) + 1}"):
        from_json(text + " ")


GOOD = [
    {"table": {"a": [1, 0], "b": [0, 0]}, "start": 0, "accepting": [1]},
    {
        "states": ["x", "1", 1],
        "table": {"a": ["1", 1, "x"], "b": ["x", None, 1]},
        "start": "x",
        "accepting": ["1"],
        "outputs": ["p", "q", 3],
    },
    {"table": {"a": [1, 0]}, "outputs": {"a": ["p", "q"]}},
    {"table": {"a": [[1], [0, 1]], "b": [[], [0]]}, "epsilon": [[1], []], "accepting": [1]},
]
PIECES = [None, True, False, 0, 1, 2, -1, 10**9, 1.5, "", "a", "x", "1", "\ud800", [], [0], ["x"], [[0]], {}, {"a": [0]}, {"a": 0}]


def changed(rng, value):
    """The value with one place of its tree replaced, dropped, doubled or renamed."""
    if isinstance(value, dict | list) and value and rng.random() < 0.8:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        key = rng.choice(keys)
        copy = dict(value) if isinstance(value, dict) else list(value)
        match rng.randrange(4):
            case 0:
                del copy[key]
            case 1 if isinstance(copy, dict):
                copy[rng.choice([*"ab", "table", "epsilon", "outputs", "more"])] = copy[key]
            case 1:
                copy.append(copy[key])
            case _:
                copy[key] = changed(rng, copy[key])
        return copy
    return rng.choice(PIECES)


@pytest.mark.parametrize("seed", range(8))
def test_changed_files_are_machines_or_one_line(seed):
    rng, read_well = Random(seed), 0
    for _ in range(500):
        data = rng.choice(GOOD)
        for _ in range(rng.randint(1, 3)):
            data = changed(rng, data)
        text = json.dumps(data)
        if rng.random() < 0.3:
            i = rng.randrange(len(text))
            text = text[:i] + rng.choice(["", "{", "]", '"', ",", ":", "\n", "9", "e", "\\", text[: rng.randrange(20)]]) + text[i + 1 :]
        try:
            automaton, refusal = from_json(text, complete=rng.random() < 0.5), None
        except ValueError as error:
            automaton, refusal = None, str(error)
        if automaton is None:
            assert re.match("expected [^\n]*$", refusal)
        else:
            # valid: every word has a state, and every name can be written
            assert "".join(map(str, [*automaton.letters, *(automaton.names or ()), *(automaton.outputs or ())])).encode()
            assert automaton.run(automaton.letters)[-1] < automaton.n
            read_well += 1
    assert 20 < read_well < 400


# -- automata-lib and regular expressions -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: compile_dfa(None), "expected an automata.fa.dfa.DFA, got None"),
        (lambda: compile_dfa("a"), "expected an automata.fa.dfa.DFA, got 'a'"),
        (lambda: from_dfa(NFA.from_regex("a")), "use from_nfa"),
        (lambda: from_nfa(None), "expected an automata.fa.nfa.NFA, got None"),
        (lambda: compile_regex(3), "expected a regular expression as text, got 3"),
        (lambda: compile_group(None), "expected permutations as lists of images, got None"),
        (lambda: compile_group("S5"), "expected permutations as lists of images, got 'S5'"),
        (lambda: compile_group([5]), "expected permutations of 0 .. n-1 of one degree n >= 1, got 5"),
        (lambda: compile_group([(True, False)]), "expected permutations of 0 .. n-1"),
        (lambda: compile_group([(1.0, 0.0)]), "expected permutations of 0 .. n-1"),
        (lambda: compile_group({"a": (1, 0), "b": (0,)}), "expected permutations of 0 .. n-1 of one degree"),
        (lambda: named_group(5), "expected a group such as"),
        (lambda: from_dfa(mixed_letters()), "expected letters of one type, got int and str"),
    ],
)
def test_errors_are_sentences(call, message):
    with pytest.raises(ValueError, match=re.escape(message)) as error:
        call()
    assert "\n" not in str(error.value)


def mixed_letters():
    return DFA(states={0}, input_symbols={1, "1"}, transitions={0: {1: 0, "1": 0}}, initial_state=0, final_states=set())


def test_dfas_with_letters_that_are_numbers():
    dfa = DFA(states={0, 1}, input_symbols={2, 10}, transitions={0: {2: 1, 10: 0}, 1: {2: 0, 10: 1}}, initial_state=0, final_states={1})
    assert from_dfa(dfa) == Automaton({2: (1, 0), 10: (0, 1)}, 0, frozenset({1}), (0, 1))


def test_states_1_and_text_1_of_a_dfa_are_two_in_a_settled_order():
    dfa = DFA(states={1, "1"}, input_symbols={"a"}, transitions={1: {"a": "1"}, "1": {"a": 1}}, initial_state="1", final_states={1})
    assert from_dfa(dfa) == Automaton({"a": (1, 0)}, 1, frozenset({0}), (1, "1"))


# -- groups -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "order", "exact", "polygons"),
    [
        ("C12", 12, 5, 2),
        ("z4", 4, 2, 2),
        ("Q8", 8, 4, 8),
        ("D3", 6, 3, 3),
        ("S3xC4", 24, 5, 5),
        ("S3 × C2", 12, 4, 4),
        ("C3xC4", 12, 5, 2),
        ("C4xC4", 16, 4, 4),
        ("C2xC2xC2", 8, 3, 3),
        ("D4xA4", 96, 6, 8),
        ("C1xS3", 6, 3, 3),
        ("C3xS3", 18, 6, 5),
        ("C1xC1", 1, 1, 1),
    ],
)
def test_named_groups_and_products(name, order, exact, polygons):
    for turned, width in ((False, exact), (True, polygons)):
        network = compile_group(named_group(name), polygons=turned)
        assert (network.automaton.n, network.widths) == (order, [width])
        assert all(layer["maps"] and all(m["steps"] is not None for m in layer["maps"]) for layer in network.document()["layers"])
        RULES["network"](network.document())


def test_m11_is_the_mathieu_group_of_order_7920():
    generators = named_group("M11")
    automaton = from_permutations(generators)
    assert automaton.n == 7920
    # sharply 4-transitive on 11 points
    assert len({g[:4] for g in automaton.names}) == 11 * 10 * 9 * 8
    assert all(len(set(g)) == 11 for g in automaton.names)


def test_the_quaternion_group():
    automaton = from_permutations(named_group("Q8"))
    compose = lambda g, h: tuple(g[i] for i in h)  # noqa: E731
    one, i, j = automaton.names[0], *named_group("Q8").values()
    minus = compose(i, i)
    assert minus == compose(j, j) != one == compose(minus, minus)
    assert compose(i, j) == compose(minus, compose(j, i))


def test_letters_of_products():
    assert list(named_group("S3xC4")) == ["S3 swap", "S3 cycle", "C4 turn"]
    assert list(named_group("C2xc2")) == ["C2.1 turn", "C2.2 turn"]
    assert named_group("C2xC3") == {"C2 turn": (1, 0, 2, 3, 4), "C3 turn": (0, 1, 3, 4, 2)}
    assert named_group("C5") == named_group("Z5")


@pytest.mark.parametrize("bad", ["x", "S3x", "xS3", "S3xQ7", "S3xx", "S³", "S٣", "C501", "M12", "S-3", "S3.5", ""])
def test_names_of_no_group(bad):
    with pytest.raises(ValueError, match="expected a group such as"):
        named_group(bad)


def test_products_that_are_too_large():
    with pytest.raises(ValueError, match="expected a product of groups on at most 500 points, got 600"):
        named_group("C300xC300")
    with pytest.raises(ValueError, match="expected a group of at most 10000 elements, got more"):
        from_permutations(named_group("C101xC100"))


def test_cycle_notation():
    assert from_cycles("(0 1)(2 3), (0 1 2)") == {"(0 1)(2 3)": (1, 0, 3, 2), "(0 1 2)": (1, 2, 0, 3)}
    assert from_cycles(" ( 0  1 ) ") == {"(0 1)": (1, 0)}
    assert from_cycles("()") == {"()": (0,)}
    assert from_permutations(from_cycles("(0 1)(2 3), (0 1 2)")).n == 12


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ("", "expected permutations in cycle notation"),
        ("0 1", "expected permutations in cycle notation"),
        ("(0 1", "expected permutations in cycle notation"),
        ("(0,1)", "expected permutations in cycle notation"),
        ("(0 1),", "expected permutations in cycle notation"),
        ("(0 -1)", "expected permutations in cycle notation"),
        ("(0 x)", "expected permutations in cycle notation"),
        ("(0 ١)", "expected permutations in cycle notation"),
        ("(0 1)(1 2)", "expected disjoint cycles"),
        ("(0 0)", "expected disjoint cycles"),
        ("(0 500)", "expected disjoint cycles of points 0 .. 499"),
        ("(0 1), (0 1)", "expected different generators, got (0 1) twice"),
    ],
)
def test_cycle_notation_that_is_none(bad, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        from_cycles(bad)


def test_numpy_permutations():
    assert from_permutations([np.array([1, 2, 0])]) == from_permutations([(1, 2, 0)])


@pytest.mark.parametrize(
    ("maps", "cyclic"),
    [
        ([(1, 2, 3, 0)], True),
        ([(2, 3, 0, 1)], False),  # order 2, two orbits
        ([(1, 0, 3, 2), (2, 3, 0, 1)], False),  # Klein's group
        ([(1, 2, 0, 4, 5, 3), (3, 4, 5, 0, 1, 2)], True),  # orders 3 and 2, neither a cycle of 6
        ([(1, 0, 2), (0, 2, 1)], False),  # does not commute
        ([(0, 0)], False),
        ([(0,)], True),
    ],
)
def test_powers_of_one_cycle_of_all_states(maps, cyclic):
    automaton = Automaton(dict(enumerate(maps)))
    exponents = cyclic_exponents(automaton)
    assert (exponents is not None) == cyclic
    if cyclic:
        n = automaton.n
        by_exponent = {k: maps[x] for x, k in exponents.items()}
        # additive: the word x y acts as the sum of its exponents, and a word is the identity exactly if that is 0 modulo n
        for x, y in product(exponents, repeat=2):
            both = tuple(maps[y][q] for q in maps[x])
            total = (exponents[x] + exponents[y]) % n
            assert by_exponent.get(total, both) == both
            assert (both == tuple(range(n))) == (total == 0)


def test_blocks_of_a_product_share_one_field():
    matrices, start = block_matrices(named_group("C5xC3"))
    assert start.shape == (4, 1)
    assert {A.shape for A in matrices.values()} == {(4, 4)}
    assert not np.any(matrices["C5 turn"][:2, 2:]) or all(x == 0 for x in matrices["C5 turn"][:2, 2:].flat)
    assert len({x.order for A in matrices.values() for x in A.flat if hasattr(x, "order")}) == 1


def test_products_of_long_cycles_are_permutations():
    """23 x 29 corners would need a field of degree over 600."""
    matrices, start = block_matrices(named_group("C23xC29"))
    assert start.shape == (52, 1)
    assert {x for A in matrices.values() for x in A.flat} == {0, 1}


def test_a_wrong_block_is_noticed(monkeypatch):
    """If both factors turn the first block, only part of the group is seen."""

    def one_block(generators):
        matrices, start = block_matrices(generators)
        return dict.fromkeys(matrices, next(iter(matrices.values()))), start

    monkeypatch.setattr(compiler, "block_matrices", one_block)
    with pytest.raises(ValueError, match="only the identity fixes"):
        compile_group(named_group("C4xC2"), polygons=True)


# -- the page about them ------------------------------------------------------------------------------------------------------

INPUTS = (Path(__file__).parents[2] / "docs" / "reference" / "inputs.md").read_text(encoding="utf-8")


def test_the_machines_of_the_page_are_read():
    blocks = re.findall(r"```json\n(.*?)```", INPUTS, re.DOTALL)
    acceptor, partial, nfa, moore, mealy = (from_json(block, complete=True) for block in blocks)
    assert acceptor.names == ("even", "odd")
    assert partial.names == (0, 1, "sink")
    with pytest.raises(ValueError, match="got none for the letter 'open' in state 1"):
        from_json(blocks[1])
    assert nfa.run("aab")[-1] in nfa.accepting
    assert [moore.output(q) for q in moore.run("++-+")] == ["east", "west", "east", "west"]
    assert [mealy.output(q) for q in mealy.run("abbab")][1:] == ["new", "same", "new", "new"]


def test_the_python_of_the_page_runs():
    pytest.importorskip("torch", reason="needs the extra 'torch'")
    (block,) = re.findall(r"```python\n(.*?)```", INPUTS, re.DOTALL)
    names: dict = {}
    exec(block, names)
    assert names["network"].outputs("1+2*3") == [1, "incomplete", 3, "incomplete", 2]
    said = names["module"].outputs(names["tokens"])[0].tolist()
    assert [names["module"].output_names[y] for y in said] == ["1", "incomplete", "3", "incomplete", "2"]


def test_the_expressions_of_the_page_are_read_or_refused():
    assert from_regex(r"[^a]*a{2,3}\.", "abc.").n > 2
    for text in ("a**", "a+?", "a|", r"\d", r"\n", "a{,3}", "[]", "[a-]", "a b", "^a", "a$", "ε"):
        with pytest.raises(ValueError, match="expected a regular expression, got"):
            from_regex(text)
    for operator in r"|&*+?(){}[].\^$- ":
        if operator == "-":
            assert from_regex("a-").letters == ["-", "a"]
        assert from_regex(f"a\\{operator}").letters == sorted(["a", operator])


def test_all_elements_as_letters():
    """Each element once, named as ``from_cycles`` reads it, and the word problem of the same group."""
    letters = all_elements(named_group("S3"))
    assert letters == {"()": (0, 1, 2), **from_cycles("(0 1), (0 2), (1 2), (0 1 2), (0 2 1)")}
    a4 = all_elements(named_group("A4"))
    assert len(set(a4.values())) == len(a4) == from_permutations(a4).n == 12
    assert all(a4[name] == g for name, g in from_cycles(", ".join(a4)).items())
    with pytest.raises(ValueError, match="at most 500 elements to have all of them as letters, got 720"):
        all_elements(named_group("S6"))
