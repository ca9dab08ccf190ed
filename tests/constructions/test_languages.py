"""constructions/languages: each procedure against its definition, each witness replayed, the conventions, and what is beyond the bounds."""

import random
import sys
from dataclasses import replace
from functools import reduce
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from lemmata.constructions.automata import Automaton
from lemmata.constructions.automata.read.machine_files import from_json
from lemmata.constructions.automata.read.sources import from_permutations, from_regex, named_group
from lemmata.constructions.automata.read.tasks import TASKS, modular_arithmetic
from lemmata.constructions.bistable.compiler import NotBistable, compile_bistable
from lemmata.constructions.languages import PROPERTIES, Undecided, language_of
from lemmata.constructions.languages import images as images_module
from lemmata.constructions.languages import monoid as monoid_module
from lemmata.constructions.languages.clocked import least_clock
from lemmata.constructions.languages.machine import ANY, machine_of
from lemmata.constructions.languages.properties import decided
from lemmata.constructions.languages.replay import CHECKS, Runner, replay

sys.path.insert(0, str(Path(__file__).parents[1] / "languages"))
from by_definition import DEFINITIONS, Semigroup, separates_all, tables

#: the four examples and others, with the properties that they have
EXAMPLES = {
    "a*b*": {
        "stutter-invariant",
        "cubed-letters",
        "c-rasp",
        "r-trivial",
        "r-infinity",
        "r-and-groups",
        "aperiodic",
        "clocked",
        "absorbed-idempotents",
    },
    "(ab)*": {"constant-powers", "c-rasp", "r-infinity", "r-and-groups", "aperiodic", "clocked", "efe-is-fe", "absorbed-idempotents"},
    "(aa)*": {
        "length-and-last-letter",
        "quasi-definite",
        "late",
        "cubed-letters",
        "group",
        "counts-mod-2",
        "counts-mod-m",
        "r-and-groups",
        "clocked",
        "efe-is-fe",
        "absorbed-idempotents",
    },
    "(a|b)*aba(a|b)*": {"aperiodic", "clocked"},
    "(a|b)*a": {
        "last-letter",
        "length-and-last-letter",
        "definite",
        "quasi-definite",
        "late",
        "stutter-invariant",
        "order-of-last-occurrences",
    }
    | {"cubed-letters", "constant-powers", "counts-mod-2", "counts-mod-m", "aperiodic", "clocked", "efe-is-fe", "absorbed-idempotents"},
}
#: what a language with a group of odd order, or a 2-group, has beside
GROUPS = {"periods-powers-of-2", "solvable"}


def has(language):
    return {id for id in PROPERTIES if decided(language, id) is None}


@pytest.mark.parametrize("expression", EXAMPLES)
def test_the_examples(expression):
    assert has(language_of(from_regex(expression))) == EXAMPLES[expression] | GROUPS


def agree(automaton, answers):
    """The procedures, the definitions and the replay on one machine."""
    language = language_of(automaton)
    semigroup = Semigroup(automaton.table, answers)
    for id in PROPERTIES:
        found = decided(language, id)
        assert not isinstance(found, Undecided)
        holds = DEFINITIONS[id](semigroup) if id in DEFINITIONS else separates_all(Runner(automaton))
        assert (found is None) == holds, (id, automaton, str(found))
        assert found is None or replay(automaton, found), (id, automaton, str(found))


def test_all_machines_of_two_states_and_two_letters():
    for n in (1, 2):
        for table in tables(n, 2):
            for accepting in range(2**n):
                agree(Automaton(table, 0, frozenset(q for q in range(n) if accepting >> q & 1)), [accepting >> q & 1 for q in range(n)])


def test_machines_of_three_states_are_decided_as_by_the_definitions():
    # a share of what tests/languages runs in full
    for i, table in enumerate(tables(3, 2)):
        accepting = i % 7 + 1
        if i % 5 == 0:
            agree(Automaton(table, 0, frozenset(q for q in range(3) if accepting >> q & 1)), [accepting >> q & 1 for q in range(3)])


def test_four_states_and_three_letters_sampled():
    rng = random.Random(7)
    for _ in range(60):
        n, k = rng.choice([(3, 3), (4, 2)])
        table = {x: [rng.randrange(n) for _ in range(n)] for x in "abc"[:k]}
        accepting = frozenset(q for q in range(n) if rng.random() < 0.5)
        language, semigroup = language_of(Automaton(table, 0, accepting)), Semigroup(table, [q in accepting for q in range(n)])
        for id in set(DEFINITIONS) - {"counts-mod-m"}:
            assert (decided(language, id) is None) == DEFINITIONS[id](semigroup), (id, table, accepting)


def test_witnesses_of_larger_machines_hold():
    rng = random.Random(11)
    replayed = 0
    for _ in range(12):
        n = rng.randint(5, 30)
        automaton = Automaton(
            {x: [rng.randrange(n) for _ in range(n)] for x in "ab"}, 0, frozenset(q for q in range(n) if rng.random() < 0.5)
        )
        language = language_of(automaton)
        for id in PROPERTIES:
            found = decided(language, id)
            if found is not None and not isinstance(found, Undecided):
                assert replay(automaton, found), (id, str(found))
                replayed += 1
    assert replayed > 100


def test_a_witness_that_is_changed_is_refused():
    refused = kept = 0
    for expression in ("a*b*", "(aa)*", "(a|b)*aba(a|b)*", "(aaa)*b", "((a|b)(a|b))*a"):
        automaton = from_regex(expression)
        for id in PROPERTIES:
            found = decided(language_of(automaton), id)
            if found is None:
                continue
            for name, word in found.words.items():
                for other in ((), (*word, "a"), word[:-1]):
                    if other != word:
                        broken = replace(found, words=dict(found.words) | {name: other})
                        try:
                            good = replay(automaton, broken)
                        except ValueError:
                            good = False
                        refused, kept = refused + (not good), kept + good
    # some changed words are witnesses too
    assert refused > 3 * kept > 0


def test_no_witness_holds_against_a_language_that_has_the_property():
    other = from_regex("(a|b)*a")
    for expression in ("a*b*", "(ab)*", "(a|b)*aba(a|b)*", "((a|b)(a|b))*a", "(b*ab*ab*a)*b*"):
        language = language_of(from_regex(expression, "ab"))
        for id in EXAMPLES["(a|b)*a"]:
            found = decided(language, id)
            assert found is None or not replay(other, found), (id, expression)


def test_every_property_has_a_replay_and_is_refused_somewhere():
    assert set(CHECKS) == set(PROPERTIES)
    refused = set()
    for automaton in (*(from_regex(x) for x in EXAMPLES), from_permutations(named_group("A5")), modular_arithmetic(5)):
        refused |= set(PROPERTIES) - has(language_of(automaton))
    assert refused == set(PROPERTIES)


# -- conventions -----------------------------------------------------------------------------------------------------------------


def test_the_answer_to_the_empty_word_does_not_matter():
    # (ab)* with and without the empty word
    for with_empty, without in (("(ab)*", "ab(ab)*"), ("a*", "aa*"), ("(aa)*", "aa(aa)*"), ("a*b*", "a*b*&(a|b)(a|b)*")):
        one, two = machine_of(from_regex(with_empty)), machine_of(from_regex(without))
        assert (one.delta == two.delta).all()
        assert [x for x in one.answers if x != ANY].__len__() == [x for x in two.answers if x != ANY].__len__()


def test_machines_are_the_functions_of_nonempty_words():
    # 729 + 16 + 1 tables track 206 different functions of nonempty words; of words that may be empty, 229
    distinct, seen = {}, {}
    words = [w for length in range(1, 7) for w in product("ab", repeat=length)]
    for table in (table for n in (1, 2, 3) for table in tables(n, 2)):
        machine = machine_of(Automaton(table), tracked=True)
        states: dict[int, int] = {}
        tracked = tuple(states.setdefault(q, len(states)) for q in (reduce(lambda q, x: table[x][q], w, 0) for w in words))
        assert seen.setdefault(tracked, machine.delta.tobytes()) == machine.delta.tobytes()
        distinct[machine.n, machine.delta.tobytes()] = tracked
    assert len(distinct) == len(set(distinct.values())) == len(seen) == 206


def test_mealy_machines_say_what_their_moore_machines_say():
    mealy = from_json('{"table": {"a": [1, 0], "b": [0, 1]}, "outputs": {"a": ["odd", "even"], "b": ["even", "odd"]}}')
    assert has(language_of(mealy)) == has(language_of(from_regex("b*(ab*ab*)*", "ab")))


def test_one_state_and_constant_answers():
    for automaton in (from_regex("a*"), from_regex("(a|b)*"), Automaton({"a": [0]})):
        language = language_of(automaton)
        assert language.machine.n == 1
        assert has(language) == set(PROPERTIES)


def test_bistable_answers_are_those_of_the_compiler():
    rng = random.Random(5)
    for _ in range(60):
        n = rng.randint(1, 4)
        table = {x: [rng.randrange(n) if rng.random() < 0.5 else q for q in range(n)] for x in "ab"}
        automaton = Automaton(table, 0, frozenset(q for q in range(n) if rng.random() < 0.5))
        language = language_of(automaton)
        mine = decided(language, "aperiodic") is None and decided(language, "stutter-invariant") is None
        try:
            compile_bistable(automaton)
            theirs = True
        except NotBistable:
            theirs = False
        # the compiler answers the empty word too, which can only cost it; a start that no letter leads to is no matter
        assert theirs == mine, automaton


def test_the_least_clock():
    for expression, N in (("(aa)*", 2), ("(aaa)*", 3), ("((a|b)(a|b)(a|b)(a|b))*", 4), ("(ab)*", 1), ("(b*ab*a)*b*", None)):
        assert least_clock(language_of(from_regex(expression))) == N


# -- bounds ----------------------------------------------------------------------------------------------------------------------


def random_machine(n=50, k=2, seed=3):
    rng = random.Random(seed)
    return Automaton({x: [rng.randrange(n) for _ in range(n)] for x in "abc"[:k]}, 0, frozenset(q for q in range(n) if rng.random() < 0.5))


def test_beyond_the_bounds_nothing_is_guessed(monkeypatch):
    monkeypatch.setattr(monoid_module, "MOST_ELEMENTS", 50)
    language = language_of(from_regex("(a|b)*a(a|b){5}"))
    object.__setattr__(language, "monoid", monoid_module.monoid_of(language.machine, 50))
    assert not language.monoid.complete
    assert decided(language, "definite") is None
    for id in ("clocked", "efe-is-fe", "r-and-groups"):
        assert isinstance(decided(language, id), Undecided) or decided(language, id) is not None
    assert isinstance(decided(language, "clocked"), Undecided)


def test_an_orbit_that_is_cut_off_gives_witnesses_and_no_yes():
    language = language_of(from_regex("(a|b)*a(a|b){5}"))
    object.__setattr__(language, "images", images_module.images_of(language.machine, 5))
    with pytest.raises(Undecided, match="different images"):
        PROPERTIES["aperiodic"].decide(language)
    language = language_of(from_permutations(named_group("S5")))
    object.__setattr__(language, "images", images_module.images_of(language.machine, 0))
    assert decided(language, "aperiodic") is not None


def test_the_bound_on_pairs():
    n = 501
    automaton = Automaton({"a": [(q + 1) % n for q in range(n)]}, 0, frozenset({0}))
    assert isinstance(decided(language_of(automaton), "definite"), Undecided)
    assert decided(language_of(automaton), "aperiodic") is not None


def test_products_of_the_monoid_are_those_of_words():
    language = language_of(TASKS["tomita-3"]())
    m, monoid = language.machine, language.monoid
    for i in range(len(monoid)):
        assert [m.end(q, monoid.word(i)) for q in range(m.n)] == monoid.maps[i].tolist()
        for a in range(m.k):
            assert (m.delta[a][monoid.maps[i]] == monoid.maps[monoid.right[i, a]]).all()
    assert len(np.unique(monoid.maps, axis=0)) == len(monoid)
