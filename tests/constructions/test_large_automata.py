"""Large automata: integers instead of fractions, tables instead of matrices, and what is refused before it is built."""

from random import Random

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from lemmata.constructions import householder
from lemmata.constructions.automata import (
    Automaton,
    affine,
    compile_automaton,
    compile_cascade,
    compile_cyclic,
    compile_group,
    compile_one_hot,
    excluded_states,
    krohn_rhodes,
)
from lemmata.constructions.automata.affine import Orbit, integral, key
from lemmata.constructions.automata.cascade.cascade import Cascade, Move
from lemmata.constructions.automata.cascade.subsets import Family
from lemmata.constructions.automata.layers.groups import cyclic_exponents
from lemmata.constructions.automata.levels import repaired as layers
from lemmata.constructions.automata.levels.repaired import level_maps, old_and_new_state, repaired_stack, spare_code, vertex
from lemmata.constructions.automata.prove import closure
from lemmata.constructions.automata.prove.closure import NotClosed, close_by_layers
from lemmata.constructions.automata.prove.delta_steps import delta_steps
from lemmata.constructions.automata.read.families import full_transformations, random_automaton
from lemmata.constructions.automata.read.sources import named_group
from lemmata.constructions.automata.rounding import orbits as precision_orbits
from lemmata.constructions.automata.rounding.layer import FORMATS, LayerNumbers
from lemmata.constructions.automata.rounding.orbits import loop_step
from lemmata.constructions.recurrence import Recurrence, Stack, TwoSteps
from lemmata.numerics import exact
from lemmata.numerics.cyclotomic import Cyclotomic, root_of_unity


def counter(n):
    """Counts modulo n, with a reset."""
    return Automaton({"next": [(q + 1) % n for q in range(n)], "reset": [0] * n, "stay": range(n)}, 0, frozenset({0}))


def rational_matrices(rows, columns):
    entries = st.fractions(-3, 3, max_denominator=6)
    return st.lists(st.lists(entries, min_size=columns, max_size=columns), min_size=rows, max_size=rows).map(exact.rationals)


# -- affine maps on integers ----------------------------------------------------------------------------------------------


@given(rational_matrices(3, 3), rational_matrices(3, 1), rational_matrices(3, 1))
def test_maps_on_integers_are_the_maps(A, B, H):
    orbit = Orbit(H)
    f = orbit.number_of(A, B)
    i = orbit.after(orbit.after(0, f), f)
    assert np.array_equal(orbit.states[i], A @ (A @ H + B) + B)
    assert key(orbit.states[i]) == integral(A @ (A @ H + B) + B).key


@given(rational_matrices(2, 2), rational_matrices(2, 2))
def test_keys_are_equal_for_equal_matrices_only(A, B):
    assert (key(A) == key(B)) == np.array_equal(A, B)
    assert key(A) == key(A * fmpq(1))
    # 1/2 is not 1: the denominator counts
    assert A.any() == 0 or key(A) != key(A / 2)


def test_one_cyclotomic_number_takes_the_general_way():
    turn = np.array([[root_of_unity(5), fmpq(0)], [fmpq(0), fmpq(1)]], dtype=object)
    orbit = Orbit(exact.rationals([[1], [1]]))
    f = orbit.number_of(turn, exact.zeros(2, 1))
    reached = [0]
    for _ in range(5):
        reached.append(orbit.after(reached[-1], f))
    assert reached == [0, 1, 2, 3, 4, 0]


def test_hashes_of_cyclotomic_numbers_agree_with_equality():
    random = Random(1)
    numbers = [root_of_unity(15, random.randrange(15)) * fmpq(random.randrange(-3, 4), random.randrange(1, 4)) for _ in range(60)]
    numbers += [x + y - y for x, y in zip(numbers, reversed(numbers), strict=True)]
    for x in numbers:
        for y in numbers:
            assert (x != y) or hash(x) == hash(y)
    assert len({hash(x) for x in numbers}) == len(set(numbers))
    third = root_of_unity(15, 0) * fmpq(1, 3)
    assert isinstance(third, Cyclotomic)
    assert hash(third) == hash(fmpq(1, 3))


# -- tables ---------------------------------------------------------------------------------------------------------------


@given(st.integers(1, 5), st.integers(0, 2**16), st.sampled_from([krohn_rhodes, excluded_states]))
def test_the_tables_run_like_the_recurrences(n, seed, decompose):
    random = Random(seed)
    automaton = random_automaton(random, n, 2) if n > 1 else Automaton({"a": [0], "b": [0]})
    network = compile_cascade(decompose(automaton.reachable()))
    word = [random.choice(automaton.letters) for _ in range(40)]
    assert [network.automaton.name(q) for q in network.stack.run(word)] == [name for name, _ in network.run(word)]


def test_a_wrong_table_is_noticed():
    network = compile_group(named_group("S3"))
    word = ["swap", "cycle", "cycle", "swap"]
    row = network._tables.layers[0][0]
    y = network._tables.letters["swap"]
    row[y] = (0, row[y][1])
    assert [network.automaton.name(q) for q in network.stack.run(word)] != [name for name, _ in network.run(word)]


def test_a_long_word_multiplies_no_matrix(monkeypatch):
    networks = compile_group(named_group("S4")), compile_automaton(random_automaton(Random(3), 9, 2))

    def refuse(*_):
        raise AssertionError("a matrix was looked for")

    for name in ("step", "run", "states"):
        monkeypatch.setattr(Recurrence, name, refuse)
    for network in networks:
        word = Random(2).choices(network.automaton.letters, k=20_000)
        assert [name for name, _ in network.run(word)] == [network.automaton.name(q) for q in network.automaton.run(word)]


def test_tables_refuse_letters_outside_the_alphabet():
    with pytest.raises(ValueError, match=r"expected a letter among \['swap', 'cycle'\], got 'turn'"):
        compile_group(named_group("S3")).run(["swap", "turn"])


# -- closed forms ---------------------------------------------------------------------------------------------------------


@given(st.integers(1, 9).flatmap(lambda n: st.permutations(range(n))))
def test_swaps_are_the_reflections_of_a_permutation_matrix(p):
    found, expected = householder.swaps(p), householder.reflections(householder.permutation_matrix(p))
    assert [(f.v.tolist(), f.beta) for f in found] == [(f.v.tolist(), f.beta) for f in expected]


@pytest.mark.parametrize("m", [1, 2, 3, 7, 24])
def test_micro_steps_of_a_level_compose_to_its_maps(m):
    random = Random(m)
    moves = [Move(tuple(random.sample(range(m), m)), None) for _ in range(3)]
    moves += [Move(None, random.randrange(m)) for _ in range(2 * (m > 1))]
    for move in moves:
        A, B = level_maps(move, m)
        steps = delta_steps(A, B)
        assert len(steps) <= m
        for H in (*(vertex(m, q) for q in range(m)), exact.rationals([[q * q + 1] for q in range(m)])):
            after = H
            for step in steps:
                after = step.apply(after)
            assert np.array_equal(after, A @ H + B)


@pytest.mark.parametrize("m", [2, 3, 6])
def test_what_is_no_state_of_a_level_is_read_as_none(m):
    stay, reset = Move(tuple(range(m)), None), Move(None, m - 1)
    A, B = level_maps(reset, m)
    for old in range(m):
        H = A @ vertex(m, old) + B
        assert old_and_new_state(H, reset) == (old, m - 1)
        assert old_and_new_state(H + fmpq(1, 7 * m), reset) is None
        assert old_and_new_state(H * 2, stay) is None
    assert old_and_new_state(exact.zeros(m, 1), stay) is None
    assert len(set(spare_code(m))) == m


@pytest.mark.parametrize(
    ("table", "cyclic"),
    [
        ({"a": [1, 2, 3, 0], "b": [2, 3, 0, 1]}, True),
        ({"a": [1, 0, 3, 2], "b": [2, 3, 0, 1]}, False),
        ({"a": [1, 0, 3, 4, 2]}, False),
        ({"a": [2, 3, 4, 5, 0, 1], "b": [3, 4, 5, 0, 1, 2]}, True),
        ({"a": [1, 2, 0], "b": [0, 2, 1]}, False),
        ({"a": [0, 0, 1]}, False),
    ],
)
def test_which_letters_are_powers_of_one_cycle(table, cyclic):
    exponents = cyclic_exponents(Automaton(table))
    assert (exponents is not None) == cyclic
    if exponents:
        # x = c^k for one map c: k determines every letter
        assert all(table[x] == table[y] for x in table for y in table if exponents[x] == exponents[y])
        network = compile_cyclic(Automaton(table))
        word = Random(0).choices(list(table), k=50)
        assert [name for name, _ in network.run(word)] == Automaton(table).run(word)


# -- large ones -----------------------------------------------------------------------------------------------------------


def test_a_counter_with_reset_meets_each_state_and_map_once():
    network = compile_cascade(krohn_rhodes(counter(60)))
    (layer,) = network.proof
    assert len(layer.states) == 121
    assert len(layer.move) == layer.transitions == 3 * 121
    assert [len(m["steps"]) for m in network.document()["layers"][0]["maps"]] == [60, 60, 1]


def test_a_state_is_read_once_for_each_kind_of_letter(monkeypatch):
    reads = []
    monkeypatch.setattr(layers, "old_and_new_state", lambda H, move: reads.append((id(H), move)) or old_and_new_state(H, move))
    network = compile_cascade(krohn_rhodes(random_automaton(Random(1), 9, 3).reachable()))
    # the same arrays and moves are never looked at twice, and far less often than there are pairs of a state and a letter
    assert len(reads) == len(set(reads)) > 0
    assert 5 * len(reads) < sum(len(met.decoder) for met in network.proof)
    # and every pair of a state and a letter that the proof meets has what the layer's own decoder says
    for met in network.proof:
        assert all(met.layer.decode(met.states[j], met.arrows[y].read) == said for (j, y), said in met.decoder.items())


def test_a_decoder_whose_kinds_are_too_coarse_is_noticed():
    cascade = krohn_rhodes(full_transformations(3))
    right = repaired_stack(cascade)

    def coarse(layer):
        steps = layer.decode
        moves = {}
        # every letter is taken for the first one that was met
        kind = lambda x: moves.setdefault(0, steps.kind(x))  # noqa: E731
        return Recurrence(layer.transition, layer.inputs, layer.initial, TwoSteps(kind, steps.seen, steps.means))

    close_by_layers(right, cascade.automaton)
    with pytest.raises(NotClosed):
        close_by_layers(Stack((coarse(right.layers[0]), *right.layers[1:])), cascade.automaton)


def test_levels_read_what_they_pass_over_once(monkeypatch):
    cascade = krohn_rhodes(random_automaton(Random(2), 10, 3).reachable())
    calls = []
    monkeypatch.setattr(Cascade, "_narrowed", lambda *key, narrowed=Cascade._narrowed: calls.append(key) or narrowed(*key))
    reads = list(cascade.reads())
    # one look at each triple that a level reads, but the last level's
    assert len(calls) == sum(k < len(cascade.sizes) - 1 for k, *_ in reads)
    for k, letter, X, Y in reads[:200]:
        below = list(cascade._narrowed(k, letter, X, Y))
        assert len(below) == (len(cascade.tiles(X)) if cascade.level(X) == k else 1)
    # counting goes on where it stopped
    calls.clear()
    assert not cascade.reads_at_most(10)
    assert cascade.reads_at_most(len(reads))
    assert not cascade.reads_at_most(len(reads) - 1)
    assert len(calls) == sum(k < len(cascade.sizes) - 1 for k, *_ in reads)


def test_rounding_is_computed_once_for_a_state_and_a_map(monkeypatch):
    document = compile_automaton(random_automaton(Random(1), 9, 3), "holonomy").document()
    numbers, form, rows, asked = LayerNumbers(document["layers"][2], document["field"]), FORMATS["float16"], [], []
    step, after = loop_step(numbers, form), precision_orbits._FloatOrbit.after

    def counting(H, f):
        rows.extend((h.tobytes(), m) for h, m in zip(H, f.tolist(), strict=True))
        return step(H, f)

    monkeypatch.setattr(
        precision_orbits._FloatOrbit, "after", lambda self, states, maps, true: asked.extend(maps) or after(self, states, maps, true)
    )
    precision_orbits.right_at_every_length(numbers, counting, form.stored(numbers.states[0]))
    assert len(rows) == len(set(rows)) > 0
    assert len(rows) < len(asked)


def test_a_contraction_is_not_looked_for_where_a_row_is_too_long(monkeypatch):
    # 300 states in a row: semidefiniteness of a 300 x 300 matrix would take minutes
    monkeypatch.setattr(exact, "is_positive_semidefinite", lambda _: pytest.fail("it was"))
    n = 300
    chain = compile_one_hot(Automaton({"a": [min(q + 1, n - 1) for q in range(n)]}, 0, frozenset({n - 2})))
    assert chain.document()["layers"][0]["maps"][0]["steps"] is None
    assert chain.run("a" * n)[-3:] == [(n - 2, True), (n - 1, False), (n - 1, False)]


def test_a_layer_without_room_is_refused_before_it_is_built(monkeypatch):
    monkeypatch.setattr(exact, "zeros", lambda *_: pytest.fail("a matrix was built"))
    with pytest.raises(
        ArithmeticError, match="expected a layer of at most 20,000,000 numbers, got 50,000,000: 1 maps and 5,000 states of width 5,000"
    ):
        compile_one_hot(Automaton({"a": [(q + 1) % 5000 for q in range(5000)]}))


def test_maps_and_states_without_room_are_refused(monkeypatch):
    monkeypatch.setattr(affine, "LARGEST_LAYER", 400)
    with pytest.raises(ArithmeticError, match="expected a layer of at most 400 numbers"):
        compile_cascade(krohn_rhodes(counter(12)))


def test_proofs_that_are_too_long_are_refused(monkeypatch):
    cascade = krohn_rhodes(random_automaton(Random(0), 6, 2).reachable())
    needed = sum(layer.transitions for layer in compile_cascade(cascade).proof)
    monkeypatch.setattr(closure, "LARGEST_CLOSURE", needed)
    compile_cascade(cascade)
    monkeypatch.setattr(closure, "LARGEST_CLOSURE", needed - 1)
    with pytest.raises(NotClosed, match="expected a proof of at most"):
        compile_cascade(cascade)


def test_every_stage_is_heard_and_may_stop_the_compilation():
    heard = []
    network = compile_cascade(krohn_rhodes(counter(6)), lambda *stage: heard.append(stage))
    network.document(lambda *stage: heard.append(stage))
    layers = len(network.layers)
    assert {stage for stage, *_ in heard} >= {f"closing layer {k} of {layers}" for k in range(1, layers + 1)} | {"steps"}
    # once for every pair of place and state, so that an interrupt is never far away
    assert sum(stage.startswith("closing") for stage, *_ in heard) == sum(len(layer.place) for layer in network.proof)
    assert all(0 <= done < total for stage, done, total in heard if stage == "steps")

    def interrupt(stage, done, total):
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        compile_cascade(krohn_rhodes(counter(6)), interrupt)


@given(st.sets(st.frozensets(st.integers(0, 5), min_size=1), max_size=20), st.frozensets(st.integers(0, 6), min_size=1))
def test_maximal_subsets_as_they_are_defined(family, X):
    inside = [Y for Y in family if X > Y]
    expected = [Y for Y in inside if not any(Y < T for T in inside)]
    found = Family(family).maximal_subsets(X)
    assert list(found) == sorted(expected, key=lambda Y: (len(Y), sorted(Y)))
