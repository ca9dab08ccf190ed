"""Networks that no float rounds: against a simulator that knows only the file, at the boundaries of sizes, and where they must fail."""

import json
from fractions import Fraction
from itertools import permutations
from math import inf
from random import Random

import numpy as np
import pytest
from flint import fmpq
from lemmata.constructions.automata import Automaton, compile_automaton, compile_group, krohn_rhodes
from lemmata.constructions.automata.cascade.cascade import Move
from lemmata.constructions.automata.compiler import narrower, proved
from lemmata.constructions.automata.layers.level_vectors import DIGITS, LevelVectors, block_systems, level_vectors, signed_matrices
from lemmata.constructions.automata.layers.registers import memory, register
from lemmata.constructions.automata.levels import numbered as module
from lemmata.constructions.automata.levels.numbered import MOST_NUMBERS, numbered_maps
from lemmata.constructions.automata.levels.stack import narrowest, unrounded_stack
from lemmata.constructions.automata.prove.closure import NotClosed
from lemmata.constructions.automata.read.families import full_transformations, random_automaton, random_cascades
from lemmata.constructions.automata.read.sources import named_group
from lemmata.constructions.automata.rounding.precision import guaranteed_lengths
from lemmata.numerics.floating_point import BFLOAT16
from lemmata.theorems.automata.unrounded import rounded_run, stored_steps
from lemmata.theorems.recheck.files import check_bytes


def simulated(document, word):
    """The states of the automaton as the file's own maps and decoders give them (docs/reference/formats.md), in fractions."""
    layers = document["layers"]
    number = {x: i for i, x in enumerate(document["letters"])}
    states = [[[Fraction(x) for (x,) in H] for H in layer["states"]] for layer in layers]
    decoders = [{(i, y): z for i, y, z in layer["decoder"]} for layer in layers]
    maps = [[([[Fraction(x) for x in row] for row in m["A"]], [Fraction(b) for (b,) in m["B"]]) for m in layer["maps"]] for layer in layers]
    now, said = [list(found[0]) for found in states], []
    for x in word:
        y = number[str(x)]
        for k, layer in enumerate(layers):
            A, B = maps[k][layer["letters"][y][3]]
            now[k] = [sum((a * h for a, h in zip(row, now[k], strict=True)), b) for row, b in zip(A, B, strict=True)]
            y = decoders[k][states[k].index(now[k]), y]
        said.append(y)
    return said


def never_rounded(document):
    return {n for row in guaranteed_lengths(document).values() for n in row.values()} == {inf}


SMALL = {
    "one state": Automaton({"a": (0,), "b": (0,)}),
    "one letter that does nothing": Automaton({"a": (0, 1)}, 1),
    "identities beside a swap": Automaton({"i": (0, 1), "s": (1, 0)}),
    "resets alone": Automaton({x: (i,) * 4 for i, x in enumerate("abcd")}),
    "resets, and nothing": Automaton({"a": (1, 1, 1), "b": (2, 2, 2), "i": (0, 1, 2)}),
    "one letter, a tail and a cycle": Automaton({"a": (1, 2, 3, 4, 2)}),
    "one letter, a sink": Automaton({"a": (1, 2, 2)}),
    "states that no word reaches": Automaton({"a": (1, 0, 0, 3), "b": (0, 1, 2, 2)}),
    "a start that no word returns to": Automaton({"a": (1, 1, 2), "b": (2, 1, 2)}),
    "counter modulo 1": Automaton({"+": (0,), "r": (0,)}),
    "counter modulo 2, reset": Automaton({"+": (1, 0), "r": (0, 0)}),
    "counter modulo 6, reset to 4": Automaton({"+": (1, 2, 3, 4, 5, 0), "r": (4,) * 6}),
    "three bits": Automaton({b: tuple((2 * q + b) % 8 for q in range(8)) for b in (0, 1)}),
    "letters of three kinds, the last two": Automaton({x: tuple(3 * (q % 3) + x for q in range(9)) for x in (0, 1, 2)}),
    "all maps of three points": full_transformations(3),
    "D4 on its points, and a reset": Automaton({"r": (1, 2, 3, 0), "s": (0, 3, 2, 1), "w": (2, 2, 2, 2)}),
}


@pytest.mark.parametrize("name", SMALL)
def test_small_machines_by_a_simulator_of_the_file(name):
    automaton = SMALL[name].reachable()
    network = compile_automaton(SMALL[name])
    document = json.loads(network.to_json())
    assert never_rounded(document)
    check_bytes(json.dumps(document).encode())
    for seed in range(3):
        word = Random(seed).choices(automaton.letters, k=60)
        assert simulated(document, word) == automaton.run(word)


def test_random_cascades_by_a_simulator_of_the_file():
    positions = 0
    for automaton in list(random_cascades())[::25]:
        document = json.loads(compile_automaton(automaton).to_json())
        word = Random(5).choices(automaton.letters, k=100)
        assert simulated(document, word) == automaton.run(word)
        positions += len(word)
    assert positions == 1000


def test_in_bfloat16_by_the_loop_and_the_scan():
    torch = pytest.importorskip("torch", reason="needs the extra 'torch'")
    for automaton in (full_transformations(5), *list(random_cascades())[:3]):
        network = compile_automaton(automaton)
        letters = network.automaton.letters
        words = torch.tensor([Random(s).choices(range(len(letters)), k=200) for s in range(4)])
        wanted = torch.tensor([network.automaton.run([letters[i] for i in w]) for w in words.tolist()])
        module = network.to_torch(torch.bfloat16)
        assert torch.equal(module(words), wanted)
        assert torch.equal(module(words, scan=True), wanted)


def test_the_declared_sample():
    sample = list(random_cascades())
    assert len(sample) == 250
    assert {a.n for a in sample} == set(range(3, 9))
    assert all(any(len(set(images)) < a.n for images in a.table.values()) for a in sample)
    assert [a.table for a in random_cascades(3)] == [a.table for a in sample[:3]]


# -- old states as numbers ---------------------------------------------------------------------------------------------------------


def test_many_states_take_two_slots():
    one_hot = lambda m: LevelVectors(tuple({i: 1} for i in range(m)), m)  # noqa: E731
    widths = {m: narrowest(one_hot(m), 0, False).width for m in (2, 3, MOST_NUMBERS, MOST_NUMBERS + 1)}
    assert widths == {2: 3, 3: 4, 257: 258, 258: 516}
    # without permutations, numbers in two slots; at the end one
    assert narrowest(level_vectors(300, []), 0, False).width == 4
    assert narrowest(level_vectors(256, []), 0, True).width == 1
    assert narrowest(level_vectors(257, []), 0, True).width == 2


def test_258_numbers_are_too_many_for_the_delta_rule():
    for m in (MOST_NUMBERS, MOST_NUMBERS + 1):
        A, B = numbered_maps(Move(None, m - 1), m)
        numbers = A[m, :m].tolist()
        q, s = numbers.index(min(numbers)), max(numbers)
        H = [fmpq(int(i == q)) for i in range(m)] + [s]
        found = rounded_run(stored_steps(A, B, BFLOAT16), H, BFLOAT16)
        wanted = [*([fmpq(0)] * (m - 1)), fmpq(1), numbers[q]]
        # the difference of the outermost numbers is 257 units: rounded to 256, it leaves the old state one off
        assert (found == wanted) == (m <= MOST_NUMBERS)


def test_a_level_without_the_number_is_no_level(monkeypatch):
    automaton = full_transformations(4)
    proved(automaton, unrounded_stack(krohn_rhodes(automaton)))
    monkeypatch.setattr(
        module, "numbered_maps", lambda move, m: (numbered_maps(move, m)[0] * int(move.reset is None), numbered_maps(move, m)[1])
    )
    with pytest.raises(NotClosed):
        proved(automaton, unrounded_stack(krohn_rhodes(automaton)))


# -- vectors -------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "moves", "width"),
    [
        (1, [], 1),
        (5, [], 1),
        (DIGITS, [], 1),
        (DIGITS + 1, [], 2),
        (2, [(1, 0)], 1),
        (3, [(1, 0, 2)], 1),
        (4, [(1, 0, 2, 3)], 2),
        (4, [(1, 0, 3, 2)], 1),
        (4, [(1, 0, 2, 3), (0, 1, 3, 2)], 2),
        (4, [(1, 2, 3, 0)], 2),
        (4, [(1, 2, 3, 0), (2, 1, 0, 3)], 2),
        (4, [(1, 2, 3, 0), (1, 0, 2, 3)], 4),
        (6, [(1, 2, 0, 4, 5, 3)], 3),
        (6, [(1, 2, 0, 5, 3, 4)], 3),
        (6, [(1, 2, 3, 4, 5, 0)], 3),
        (60, [tuple((i + 1) % 60 for i in range(60))], 10),
    ],
)
def test_vectors_of_levels(size, moves, width):
    found = level_vectors(size, moves)
    assert found.width == width
    points = np.array([found.vector(i) for i in range(size)])
    assert len({tuple(p) for p in points}) == size
    for p in moves:
        M = found.matrix(p).astype(float)
        assert np.array_equal(points @ M.T, points[list(p)])
        assert np.array_equal(M.T @ M, np.eye(width))


def test_block_systems_of_small_groups():
    # S3 on itself: three subgroups of order 2, one of order 3, and the single points
    elements = list(permutations(range(3)))
    acting = [tuple(elements.index(tuple(g[h[i]] for i in range(3))) for h in elements) for g in ((1, 0, 2), (1, 2, 0))]
    assert sorted(max(b) + 1 for b in block_systems(6, acting)) == [2, 3, 3, 3, 6]
    assert sorted(max(b) + 1 for b in block_systems(12, [tuple((i + 1) % 12 for i in range(12))])) == [2, 3, 4, 6, 12]
    assert block_systems(4, [(1, 2, 3, 0), (1, 0, 2, 3)]) == [(0, 1, 2, 3)]


@pytest.mark.parametrize("name", ["Z1", "Z2", "Z12", "D4", "S4", "C2xC2", "S3xC2"])
def test_groups_by_signed_permutations(name):
    generators = named_group(name)
    matrices, start = signed_matrices(generators)
    assert all({abs(x) for x in A.flat} <= {0, 1} for A in matrices.values())
    network = compile_group(generators)
    assert network.widths == [len(start)]
    assert never_rounded(network.document())


# -- registers, and what is narrower ------------------------------------------------------------------------------------------------------


def test_how_far_a_state_reaches_back():
    shift = lambda n: Automaton({b: tuple((2 * q + b) % 2**n for q in range(2**n)) for b in (0, 1)})  # noqa: E731
    assert [memory(shift(n)) for n in (1, 2, 5)] == [1, 2, 5]
    assert memory(Automaton({"a": (0,)})) == 1
    assert memory(Automaton({"a": (1, 0)})) is None
    assert memory(Automaton({"a": (1, 1), "b": (0, 1)})) is None
    assert register(shift(12)) is not None
    assert register(shift(13)) is None
    # every automaton whose words of some length reset, by their images alone
    for seed in range(40):
        automaton = random_automaton(Random(seed), 3, 2).reachable()
        k = memory(automaton)
        images = [{tuple(range(automaton.n))}]
        for _ in range(9):
            images.append({tuple(row[q] for q in f) for f in images[-1] for row in automaton.table.values()})
        found = next((k for k in range(1, 10) if all(len(set(f)) == 1 for f in images[k])), None)
        assert k == found


def test_what_is_narrower_is_less_than_half_as_wide():
    assert narrower(compile_group(named_group("Z60"))).widths == [2]
    assert narrower(compile_group(named_group("Z5"))).widths == [2]
    assert narrower(compile_group(named_group("Z4"))) is None
    assert narrower(compile_group(named_group("S5"))) is None
    assert narrower(compile_automaton(full_transformations(3))) is None
