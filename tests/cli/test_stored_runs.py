"""What the checker of stored numbers accepts, run in torch: the states are bit for bit those of a simulation in exact fractions, the outputs the automaton's."""

import json
import random
from fractions import Fraction
from math import inf

import pytest
import torch
from lemmata.cli import verified
from lemmata.constructions.automata import Automaton, compile_group, compile_regex
from lemmata.constructions.automata.compiler import compile_automaton
from lemmata.constructions.automata.read.sources import named_group
from lemmata.constructions.automata.rounding.precision import guaranteed_lengths
from lemmata.constructions.automata.rounding.stored_numbers import STORED, stored_numbers
from lemmata.constructions.automata.run.torch_module import TorchNetwork

from .test_verified import needs_program

pytestmark = [pytest.mark.programs, needs_program]

#: words at a time, and their letters: 10^5 letters
WORDS, LENGTH = 10, 10_000
#: precision, least exponent and the exponent of the infinities
FORMATS = {"float32": (24, -149, 128), "float16": (11, -24, 16), "bfloat16": (8, -133, 128)}

NAMED = {
    "parity": lambda: compile_regex("(b|ab*a)*"),
    "S3": lambda: compile_group(named_group("S3")),
    "(a|b)*abb": lambda: compile_regex("(a|b)*abb", construction="holonomy"),
    "turns of five": lambda: compile_group(named_group("Z5"), polygons=True),
}


def drawn(seed):
    """A network of a random automaton of three to five states over two letters, by default or by holonomy; or the turns of a polygon."""
    chance = random.Random(seed)
    if seed % 4 == 3:
        return compile_group(named_group(f"Z{chance.choice((5, 7, 8, 9, 10, 11, 12))}"), polygons=True)
    size = chance.randint(3, 5)
    machine = Automaton({letter: [chance.randrange(size) for _ in range(size)] for letter in "ab"}).reachable()
    return compile_automaton(machine, construction="holonomy" if seed % 4 == 2 else "best")


def rounded(x, dtype):
    """The number of the format that is nearest to x, the even one of two."""
    precision, least, top = FORMATS[dtype]
    if x == 0:
        return Fraction(0)
    exponent = max(abs(x).numerator.bit_length() - x.denominator.bit_length() - precision - 1, least)
    while abs(x) >= Fraction(2) ** (exponent + precision):
        exponent += 1
    result = round(x / Fraction(2) ** exponent) * Fraction(2) ** exponent
    assert abs(result) < Fraction(2) ** top
    return result


def value(number):
    return Fraction(number[0]) * Fraction(2) ** number[1]


class Simulated:
    """A stored layer in exact fractions, each operation rounded: its states by number, and what its maps make of them."""

    def __init__(self, layer, dtype):
        self.dtype, self.layer = dtype, layer
        self.maps = [
            {
                "A": [[value(x) for x in row] for row in m["A"]],
                "B": [value(x) for x in m["B"]],
                "codes": [[Fraction(x) * Fraction(2) ** m["unit"] for x in code] for code in m["codes"]],
            }
            for m in layer["maps"]
        ]
        self.states = [tuple(value(x) for x in layer["start"])]
        self.numbers, self.moved, self.told = {self.states[0]: 0}, {}, {}

    def run(self, letters):
        """States by number and what is handed on, after each letter of a word."""
        state, states, handed = 0, [], []
        for y in letters:
            f = self.layer["letters"][y][3]
            if (state, f) not in self.moved:
                self.moved[state, f] = self.number(self.after(self.states[state], self.maps[f]))
            state = self.moved[state, f]
            if (state, f) not in self.told:
                distances = [max(abs(a - b) for a, b in zip(code, self.states[state], strict=True)) for code in self.maps[f]["codes"]]
                assert distances.count(min(distances)) == 1
                self.told[state, f] = distances.index(min(distances))
            states.append(state)
            handed.append(self.layer["following"][y][self.told[state, f]])
        return states, handed

    def after(self, h, m):
        """A h + B as affine_step computes it."""
        found = []
        for row, b in zip(m["A"], m["B"], strict=True):
            total, *others = [rounded(a * x, self.dtype) for a, x in zip(row, h, strict=True)]
            for product in others:
                total = rounded(total + product, self.dtype)
            found.append(rounded(total + b, self.dtype))
        return tuple(found)

    def number(self, h):
        self.states += [h] if h not in self.numbers else []
        return self.numbers.setdefault(h, len(self.numbers))


def runs_bit_for_bit(document, stored, dtype, seed):
    """Torch's states are the simulated ones, and the outputs the automaton's states."""
    module = TorchNetwork(document, getattr(torch, dtype))
    words = torch.randint(len(document["letters"]), (WORDS, LENGTH), generator=torch.Generator().manual_seed(seed))
    letters = words
    with torch.no_grad():
        for layer, described in zip(module.layers, stored["layers"], strict=True):
            simulated = Simulated(described, dtype)
            expected = [simulated.run(word) for word in letters.tolist()]
            numbers = torch.tensor([states for states, _ in expected])
            table = torch.tensor([[float(x) for x in h] for h in simulated.states], dtype=torch.float64)
            H = layer.states(letters, scan=False)
            assert torch.equal(H.double(), table[numbers])
            letters = layer.decode(H, letters)
            assert letters.tolist() == [handed for _, handed in expected]
    table, state = document["automaton"]["table"], [document["automaton"]["start"]] * WORDS
    for t, column in enumerate(words.T.tolist()):
        state = [table[x][q] for x, q in zip(column, state, strict=True)]
        assert letters[:, t].tolist() == state


def test_twenty_four_networks_run_in_torch_as_they_were_proved(tmp_path):
    networks = {name: make() for name, make in NAMED.items()} | {f"seed {seed}": drawn(seed) for seed in range(21)}
    program, path = verified.require_program(), tmp_path / "stored.json"
    accepted = deep = rounding = entries = 0
    for i, (name, network) in enumerate(networks.items()):
        document, dtype = network.document(), STORED[i % 3]
        lengths = guaranteed_lengths(document)
        for way in ("loop", "delta", "fused", "scan"):
            stored = stored_numbers(document, dtype)
            path.write_text(json.dumps(stored), encoding="utf-8")
            holds, words = verified.stored_verdict(program, path, dtype, way)
            # wherever Python says every length, so does the kernel's checker, but for its limits
            assert holds or lengths[way][dtype] != inf or "compositions" in words or "limit" in words, (name, dtype, way, words)
            if way == "loop" and holds:
                runs_bit_for_bit(document, stored, dtype, i)
                accepted += i > 3
                deep += len(stored["layers"]) > 1 and i > 3
                rounding += "that rounds" in words and i > 3
                numbers = [x for layer in stored["layers"] for m in layer["maps"] for row in [*m["A"], m["B"]] for x in row]
                entries += any(abs(value(x)) not in (0, 1) for x in numbers) and i > 3
    assert accepted >= 20
    assert (deep >= 4, rounding >= 3, entries >= 6) == (True, True, True)
