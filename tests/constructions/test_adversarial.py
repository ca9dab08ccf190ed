"""Nothing false is accepted: random automata against a simulator that shares no code, forged files, and weights made to deceive."""

import copy
import json
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from lemmata.constructions.automata import Automaton

torch = pytest.importorskip("torch", reason="needs the extra 'torch'")

import lemmata as lm  # noqa: E402
from lemmata.constructions.automata.certify.program_orbits import Target  # noqa: E402
from lemmata.constructions.automata.certify.reading_modules import read_module  # noqa: E402
from lemmata.constructions.automata.certify.verdicts import certified  # noqa: E402
from lemmata.constructions.automata.read.tasks import TASKS  # noqa: E402
from lemmata.experiments.certified import dense, linear, relu_parity, tanh_parity  # noqa: E402

PARITY = Target(TASKS["parity"](), (0, 1))


class Simulator:
    """A network of rationals, run by docs/reference/formats.md alone: Python's fractions, and nothing of lemmata's. ``run`` gives the automaton's state after every letter."""

    def __init__(self, document):
        if document["field"] != 1:
            raise ValueError("rationals only")
        self.layers = [Layer(layer) for layer in document["layers"]]

    def run(self, word):
        at, said = [0] * len(self.layers), []
        for y in word:
            for k, layer in enumerate(self.layers):
                at[k], y = layer.step(at[k], y)
            said.append(y)
        return said


class Layer:
    """One layer: what a letter makes of a state is computed once."""

    def __init__(self, layer):
        self.states = [tuple(Fraction(x) for (x,) in state) for state in layer["states"]]
        self.number = {state: i for i, state in enumerate(self.states)}
        self.maps = [([[Fraction(x) for x in row] for row in m["A"]], [Fraction(x) for (x,) in m["B"]]) for m in layer["maps"]]
        self.map_of = [letter[3] for letter in layer["letters"]]
        self.next = {(i, y): z for i, y, z in layer["decoder"]}
        self.known = {}

    def step(self, i, y):
        if (i, y) not in self.known:
            A, B = self.maps[self.map_of[y]]
            H = tuple(sum(a * h for a, h in zip(row, self.states[i], strict=True)) + b for row, b in zip(A, B, strict=True))
            j = self.number[H]
            self.known[i, y] = j, self.next[j, y]
        return self.known[i, y]


def random_automaton(rng):
    n, letters = rng.randint(1, 7), "abcd"[: rng.randint(1, 4)]
    return Automaton({x: [rng.randrange(n) for _ in range(n)] for x in letters}, rng.randrange(n), frozenset({0}))


def wrong_positions(automata, words, length, seed):
    """(positions compared, wrong ones) of compiled random automata, run by the simulator on random words."""
    rng, compared, wrong = Random(seed), 0, 0
    for _ in range(automata):
        automaton = random_automaton(rng)
        document = json.loads(lm.compile(automaton=automaton).network.to_json())
        assert document["field"] == 1
        simulator, table = Simulator(document), automaton.table
        for _ in range(words):
            word = [rng.randrange(len(table)) for _ in range(length)]
            q, expected = automaton.start, []
            for y in word:
                q = table[automaton.letters[y]][q]
                expected.append(q)
            said = simulator.run(word)
            names = document["automaton"]["states"]
            compared += length
            wrong += sum(names[s] != str(automaton.name(e)) for s, e in zip(said, expected, strict=True))
    return compared, wrong


def test_compiled_automata_are_right_by_a_simulator_that_shares_no_code():
    assert wrong_positions(6, 2, 500, 0) == (6_000, 0)


@pytest.mark.programs
def test_a_million_positions_are_right():
    assert wrong_positions(200, 5, 1000, 1) == (1_000_000, 0)


def mutated(document, rng):
    """A file with one number or index changed."""
    changed = copy.deepcopy(document)
    layer = rng.choice(changed["layers"])
    kind = rng.choice(["states", "A", "B", "decoder", "letters", "table", "start"])
    if kind == "table":
        row = rng.choice(changed["automaton"]["table"])
        row[rng.randrange(len(row))] = rng.randrange(len(row))
    elif kind == "start":
        changed["automaton"]["start"] = rng.randrange(len(changed["automaton"]["states"]))
    elif kind in ("decoder", "letters"):
        row = rng.choice(layer[kind])
        row[rng.randrange(len(row))] = rng.randrange(4)
    else:
        matrix = rng.choice(layer["states"]) if kind == "states" else rng.choice(layer["maps"])[kind]
        row = rng.choice(matrix)
        row[rng.randrange(len(row))] = rng.choice(["0", "1", "-1", "1/2"])
    return changed


def test_forged_files_are_refused_or_really_right(tmp_path):
    rng, path, accepted = Random(2), tmp_path / "forged.json", 0
    for regex in ("(a|b)*ab", "(aa)*"):
        document = json.loads(lm.compile(regex=regex).network.to_json())
        for _ in range(30):
            forged = mutated(document, rng)
            path.write_text(json.dumps(forged))
            try:
                found = lm.certify(path, regex=regex)
            except ValueError:
                continue
            if found.verdict != "right":
                continue
            accepted += 1
            word = [rng.randrange(len(document["letters"])) for _ in range(300)]
            yes = [q in forged["automaton"]["accepting"] for q in Simulator(forged).run(word)]
            right = [q in document["automaton"]["accepting"] for q in Simulator(document).run(word)]
            assert yes == right
    # some changes change nothing
    assert accepted < 30


@pytest.mark.parametrize("make", [relu_parity, pytest.param(tanh_parity, marks=pytest.mark.programs)])
def test_disturbed_networks_are_never_called_right_wrongly(make):
    """Whatever is called right is right on long words as PyTorch runs it, in float32 and in float64."""
    words = np.random.default_rng(9).integers(2, size=(64, 400))
    words[0], words[1] = 1, 0
    generator, right = torch.Generator().manual_seed(3), 0
    for noise in (0.0, 1e-3, 0.03, 0.3):
        net = make()
        with torch.no_grad():
            for p in net.parameters():
                p += noise * torch.randn(p.shape, generator=generator)
        program, run = read_module(net, [0, 1])
        found = certified(program, PARITY, limit=400, run=run)
        assert (found.wrong() is not None) <= (found.verdict() == "wrong")
        if found.verdict() == "right":
            right += 1
            for answers in (run(words), program.run(words)):
                assert np.array_equal(answers, words.cumsum(1) % 2)
    assert right >= 1


def counting(step, bound):
    """Right until the letters 1 fill a counter: the state (parity, count), the answer turns where step times count passes the bound."""
    A = [np.diag([1.0, 1.0, 1.0]), np.array([[-1.0, 0, 0], [0, 1.0, step], [0, 0, 1.0]])]
    return dense(A, [1.0, 0.0, 1.0], [[1.0, bound, 0.0], [-1.0, 0.0, 0.0]], [0.0, 0.0])


@pytest.mark.parametrize(
    "step", [2.0**-6, pytest.param(2.0**-12, marks=pytest.mark.programs), pytest.param(2.0**-20, marks=pytest.mark.programs), 1e-45]
)
def test_right_for_long_and_then_wrong_is_not_called_right(step):
    """A count that steers the answer at last; the last step is a subnormal number of float32."""
    found = lm.certify(counting(step, 1.0), "parity", limit=500)
    assert found.verdict != "right" or found.of == "nearby exact weights"
    assert not any(way["verdict"] == "right" for way in found.report["ways"] if "exact arithmetic" in way["of"])
    assert lm.certify(counting(step, 1.0), "parity", limit=500, of="weights").verdict != "right"


def test_negative_zero_is_zero():
    net = relu_parity()
    with torch.no_grad():
        net.embed.weight[0] = -0.0
        net.core.bias_hh_l0.fill_(-0.0)
    assert lm.certify(net, "parity").verdict == "right"


def test_a_tie_is_no_answer():
    net = relu_parity()
    net.head = linear([[0, 0]], [0])
    found = lm.certify(net, "parity")
    assert (found.verdict, found.report["wrong"]["says"]) == ("wrong", "nothing")


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -float("inf")])
def test_no_numbers_are_refused_in_dictionaries_too(bad):
    weights = counting(0.5, 1.0)
    weights["A"][0, 0, 0] = bad
    with pytest.raises(ValueError, match="finite weights"):
        lm.certify(weights, "parity")
