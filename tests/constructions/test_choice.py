"""The choice among constructions: what is estimated before the proof is what comes out, and what does not fit is refused in a line."""

import re
import sys
from dataclasses import replace
from math import inf
from pathlib import Path
from random import Random
from typing import get_args

import numpy as np
import pytest
from automata.fa.dfa import DFA
from lemmata.cli import compile as command
from lemmata.constructions.automata import (
    Automaton,
    candidates,
    compile_automaton,
    compile_candidate,
    compile_cascade,
    compile_dfa,
    compile_one_hot,
    compile_regex,
    krohn_rhodes,
)
from lemmata.constructions.automata.choose import ways as choice
from lemmata.constructions.automata.choose.candidate import ranked
from lemmata.constructions.automata.choose.ways import choose
from lemmata.constructions.automata.read.families import all_automata, full_transformations, random_automaton
from lemmata.constructions.automata.read.sources import from_permutations, named_group
from lemmata.constructions.automata.read.tasks import TASKS
from lemmata.constructions.automata.rounding.layer import LayerNumbers
from lemmata.constructions.automata.rounding.precision import guaranteed_length, guaranteed_lengths
from lemmata.numerics.primes import prime_factors

PREFERENCES = ("exact", "shallow", "narrow")
#: what fits only letters that permute the states
OF_GROUPS = ("rotation", "signed", "permutation", "two-reflections", "addition", "dihedral", "solvable")
FROBENIUS = [(1, 2, 3, 4, 0), (0, 2, 4, 1, 3)]


def group(name):
    return from_permutations(named_group(name))


def points(name):
    """The group moving its own points instead of its elements."""
    return Automaton(named_group(name))


def word_for(automaton, seed=0, length=60):
    return Random(seed).choices(automaton.letters, k=length)


def check(candidate):
    """Compile a candidate and compare it with what it promised."""
    network = compile_candidate(candidate)
    document = network.document()
    assert network.construction == candidate.construction
    assert network.widths == list(candidate.widths)
    assert (candidate.depth, candidate.width) == (len(network.widths), max(network.widths))
    found = [LayerNumbers(layer, document["field"]) for layer in document["layers"]]
    assert all(p.contracts for p in found) or candidate.construction == "one-hot"
    # lower bounds, but for the last bits of a float
    assert candidate.margin <= min(p.margins.min() for p in found) * (1 + 1e-6)
    if candidate.exact:
        assert {n for row in guaranteed_lengths(document).values() for n in row.values()} == {inf}
    else:
        assert candidate.room <= min(p.margins.min() / np.linalg.norm(p.states, axis=1).max() for p in found) * (1 + 1e-6)
    word = word_for(candidate.automaton)
    assert [q for q, _ in network.run(word)] == [candidate.automaton.name(q) for q in candidate.automaton.run(word)]
    return network, document


INSTANCES = {
    **{name: make() for name, make in TASKS.items() if name != "modular-arithmetic"},
    "all maps of 4 points": full_transformations(4),
    "random": random_automaton(Random(3), 6, 2),
    "one state": Automaton({"a": (0,), "b": (0,)}),
    "one letter": Automaton({"a": (1, 2, 3, 4, 2)}),
    "one letter, one cycle": Automaton({"a": (1, 2, 3, 0)}),
    "unreachable states": Automaton({"a": (1, 0, 0), "b": (0, 1, 2)}),
    **{name: group(name) for name in ("Z1", "Z2", "Z8", "Z15", "S3", "D4", "D6", "A4", "S4", "A5")},
    **{f"{name} on points": points(name) for name in ("S3", "D5", "A4", "S4", "A5", "S5", "A6")},
    "F20": from_permutations(FROBENIUS),
    "Klein": Automaton({"a": (1, 0, 3, 2), "b": (2, 3, 0, 1)}),
}


@pytest.mark.parametrize("name", INSTANCES)
def test_every_candidate_keeps_what_it_promises(name):
    # a group's elements have far too many excluded states to prove, and wide layers take long to factorise
    for candidate in (c for c in candidates(INSTANCES[name].reachable()) if c.width <= 16 and c.reads_at_most(500)):
        check(candidate)


@pytest.mark.parametrize("name", INSTANCES)
def test_the_preferred_one_is_the_best_of_all(name):
    found = list(candidates(INSTANCES[name].reachable()))
    best = {prefer: choose(INSTANCES[name], prefer=prefer) for prefer in PREFERENCES}
    for prefer, fit in (("exact", [c for c in found if c.exact]), ("shallow", found)):
        # no larger than twice what is needed
        fit = [c for c in fit if c.size <= 2 * min(c.size for c in fit)]
        assert best[prefer].depth == min(c.depth for c in fit)
        assert best[prefer].size == min(c.size for c in fit if c.depth == best[prefer].depth)
    assert best["exact"].exact
    assert best["narrow"].width == min(c.width for c in found)
    assert best["narrow"].depth == min(c.depth for c in found if c.width == best["narrow"].width)


def test_all_small_automata_are_never_deeper_than_by_holonomy():
    for automaton in [a for n, letters in ((2, 2), (3, 1)) for a in all_automata(n, letters)] + list(all_automata(3, 2))[::11]:
        network = compile_automaton(automaton)
        assert len(network.widths) <= len(compile_cascade(krohn_rhodes(automaton.reachable())).widths)


def test_where_each_preference_wins():
    # a counter modulo 12 with a reset: cycles of 4 and 3 states without rounding, or a polygon
    counter = Automaton({"+": tuple((i + 1) % 12 for i in range(12)), "r": (0,) * 12})
    assert [(choose(counter, prefer=p).construction, choose(counter, prefer=p).widths) for p in PREFERENCES] == [
        ("unrounded", (5,)),
        ("rotation", (2,)),
        ("rotation", (2,)),
    ]
    # layers of the levels' own widths are narrower than levels with a number for the old state
    maps = full_transformations(4)
    assert [choose(maps, prefer=p).widths for p in PREFERENCES] == [(5, 4, 1), (4, 3, 2), (4, 3, 2)]
    assert guaranteed_length(compile_automaton(maps).document(), "bfloat16", "fused") == inf
    assert guaranteed_length(compile_automaton(maps, prefer="narrow").document(), "bfloat16", "fused") < 100  # type: ignore[operator]
    # and numbers are narrower than sets of states
    assert {compile_regex("(a|b)*abb(a|b)*", prefer=p).construction for p in PREFERENCES} == {"unrounded"}


def test_states_may_be_larger_for_the_sake_of_fewer_layers_but_not_much():
    wide, deep = (replace(choose(full_transformations(3)), widths=widths, room=inf) for widths in ((20, 5), (5, 4, 3)))
    narrow = replace(deep, widths=(4, 4, 4, 4))
    assert ranked([wide, deep, narrow], "exact") == [deep, narrow, wide]
    just = replace(wide, widths=(20, 4))
    assert ranked([deep, just], "shallow") == [just, deep]
    assert ranked([wide, deep, narrow], "narrow") == [narrow, deep, wide]
    rounded = replace(narrow, widths=(3,), room=1.0)
    assert ranked([rounded, wide, deep], "exact") == [deep, wide, rounded]


def test_more_tiles_than_states():
    # letters whose images are seven of the ten pairs of five states
    pairs = [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (2, 4)]
    automaton = Automaton({f"{p}{q}": (p, q, p, q, p) for p, q in pairs})
    found = {c.construction: c.widths for c in candidates(automaton) if c.construction not in ("unrounded", "preimages")}
    assert found == {"holonomy": (5, 5, 2, 2), "wide-holonomy": (7, 2, 2), "disjoint": (7, 2, 8), "excluded": (5, 4, 3, 2)}
    # divisions stand for the last two levels; where nothing permutes a level's states, they are numbered
    chosen = choose(automaton)
    assert (check(chosen)[0].construction, chosen.widths) == ("preimages", (2, 4))
    assert choose(automaton, "unrounded").widths == (2, 2, 1)


@pytest.mark.parametrize(
    ("automaton", "construction", "widths"),
    [
        (points("S3"), "dihedral", [2, 2]),
        (group("D6"), "two-reflections", [2]),
        (group("S4"), "solvable", [1, 1, 2, 1, 1]),
        (group("A5"), "two-reflections", [3]),
        (points("S5"), "two-reflections", [1, 3]),
        (group("Z7"), "two-reflections", [2]),
        (group("Z7"), "addition", [1, 2]),
        (group("S4"), "permutation", [4]),
        (group("Z6"), "rotation", [2]),
        (group("Z6"), "signed", [3]),
        (Automaton({"+": (1, 2, 3, 4, 0), "r": (2,) * 5}), "rotation", [2]),
        (full_transformations(3), "unrounded", [4, 1]),
        (Automaton({x: (i,) * 5 for i, x in enumerate("abcde")}), "register", [1]),
        (Automaton({b: tuple((2 * q + b) % 16 for q in range(16)) for b in (0, 1)}), "register", [4]),
        # letters that act alike are one; the start is reached by no letter
        (Automaton({"a": (1, 1, 1), "b": (2, 2, 2), "c": (1, 1, 1)}), "register", [1]),
        (Automaton({"a": (0,), "b": (0,)}), "register", [1]),
        (group("Z6"), "one-hot", [6]),
        (full_transformations(3), "delays", [6, 4]),
        (full_transformations(3), "disjoint", [3, 2]),
        (full_transformations(3), "excluded", [3, 2]),
    ],
)
def test_named_constructions(automaton, construction, widths):
    network = check(choose(automaton, construction))[0]
    assert (network.construction, network.widths) == (construction, widths)


@pytest.mark.parametrize("construction", ["addition", "dihedral", "solvable", "two-reflections"])
def test_reflections_a_letter(construction):
    automaton = {"addition": group("Z5"), "two-reflections": group("A4")}.get(construction, group("D5"))
    document = compile_automaton(automaton, construction).document()
    most = max(len(m["steps"]) for layer in document["layers"] for m in layer["maps"])
    assert most == (2 if construction == "two-reflections" else 1)


@pytest.mark.parametrize(
    ("automaton", "construction", "message"),
    [
        (
            full_transformations(3),
            "solvable",
            "expected letters that generate a solvable group .*, got 3 states, some of which the letter 'collapse' merges",
        ),
        (group("A5"), "solvable", "got letters that generate the group A5 on 60 states"),
        (group("S4"), "rotation", "expected letters that generate a cyclic group.*, got letters that generate the group S4 on 24 states"),
        (group("A4"), "dihedral", "the group A4 on 12 states"),
        (
            points("A6"),
            "two-reflections",
            "expected letters that generate a cyclic or dihedral group, A4, S4, A5 or S5 .*, got .* A6 on 6 states",
        ),
        (group("S3"), "addition", "the group S3 on 6 states"),
        (Automaton({"a": (0,)}), "delays", "at least two states"),
        (full_transformations(3), "register", "depends on a few last letters alone"),
        (group("S3"), "magic", "expected one of best, holonomy, .*, got 'magic'"),
    ],
)
def test_what_does_not_fit_is_refused(automaton, construction, message):
    with pytest.raises(ValueError, match=message) as caught:
        compile_automaton(automaton, construction)
    assert "\n" not in str(caught.value)


def test_preferences_are_named():
    with pytest.raises(ValueError, match="expected one of exact, shallow, narrow, got 'deep'"):
        compile_automaton(group("S3"), prefer="deep")


def all_subsets(n):
    """All subsets of n states are images."""
    return Automaton({"turn": tuple((i + 1) % n for i in range(n)), "swap": (1, 0, *range(2, n)), "drop": (0, 0, *range(2, n))})


def test_too_large_for_a_cascade(monkeypatch):
    # all 2^16 subsets occur: no skeleton, and excluded states read too much
    monkeypatch.setattr(choice, "FEW_READS", 1000)
    monkeypatch.setattr(choice, "MANY_READS", 1000)
    monkeypatch.setattr(sys.modules["lemmata.constructions.automata.cascade.skeleton"], "LARGEST_FAMILY", 1000)
    with pytest.raises(ArithmeticError, match="got 16 states, some of which the letter 'drop' merges"):
        compile_automaton(all_subsets(16))
    with pytest.raises(ArithmeticError, match="expected at most 1000 sets"):
        compile_automaton(all_subsets(16), "holonomy")
    assert compile_automaton(all_subsets(16), "one-hot").widths == [16]


def test_the_next_candidate_where_the_best_reads_too_much(monkeypatch):
    # excluded states are one level fewer than holonomy, but read much more
    automaton = random_automaton(Random(1), 6, 2)
    assert choose(automaton).widths == (2, 6, 5, 4, 1)
    monkeypatch.setattr(choice, "FEW_READS", 150)
    assert not choose(automaton, "excluded").reads_at_most(150)
    assert choose(automaton).widths == (2, 2, 2, 2, 4, 1)
    monkeypatch.setattr(choice, "FEW_READS", 10)
    # nothing is small, so the bound is the larger one
    assert choose(automaton).widths == (2, 6, 5, 4, 1)
    monkeypatch.setattr(choice, "MANY_READS", 10)
    with pytest.raises(ArithmeticError, match="expected a cascade small enough to be proved, got 6 states"):
        choose(automaton)


def test_dfas_and_expressions_take_the_same_arguments():
    facts = {"states": {"even", "odd"}, "input_symbols": {"0", "1"}, "initial_state": "even", "final_states": {"odd"}}
    dfa = DFA(transitions={"even": {"0": "even", "1": "odd"}, "odd": {"0": "odd", "1": "even"}}, **facts)
    # a rotation by 180 degrees, not a cascade
    assert compile_dfa(dfa).construction == compile_regex("(aa)*").construction == "rotation"
    assert compile_dfa(dfa, "holonomy").widths == compile_regex("(aa)*", construction="holonomy").widths == [2]
    assert compile_dfa(dfa, prefer="narrow").run("110") == [("odd", True), ("even", False), ("even", False)]


def test_the_callback_hears_of_the_work():
    heard = []
    compile_regex("(ab|c)*d?", progress=lambda stage, done, total: heard.append(stage))
    assert heard[0] == "cascade"
    assert any(stage.startswith("closing layer") for stage in heard)


def test_groups_only_fit_letters_that_permute():
    assert not {c.construction for c in candidates(full_transformations(3))} & set(OF_GROUPS)
    assert {"rotation", "permutation", "addition", "solvable"} <= {c.construction for c in candidates(group("Z6"))}


def test_one_hot_is_taken_only_if_asked_for():
    assert compile_one_hot(full_transformations(4)).construction == "one-hot"
    assert "one-hot" not in {c.construction for c in candidates(full_transformations(4))}


@pytest.mark.parametrize("wrong", [None, "ab*", {"a": (0, 1)}, DFA])
def test_what_is_no_automaton_is_refused(wrong):
    with pytest.raises(ValueError, match="expected an Automaton, got "):
        compile_automaton(wrong)


def test_the_page_on_compiling_runs():
    text = (Path(__file__).parents[2] / "docs" / "how-to" / "compiling.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert blocks
    for block in blocks:
        exec(block, {})
    # every construction is explained
    listed = (Path(__file__).parents[2] / "docs" / "reference" / "constructions.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in listed for name in choice.WAYS)


def test_the_names_of_constructions_are_those_of_the_table():
    assert set(get_args(choice.Construction)) == {"best", *choice.WAYS} == {x.value for x in command.Construction}


def test_prime_factors():
    assert [prime_factors(n) for n in (1, 2, 12, 60)] == [[], [2], [2, 3], [2, 3, 5]]
    for n in (0, -2):
        with pytest.raises(ValueError, match="expected a positive integer"):
            prime_factors(n)
