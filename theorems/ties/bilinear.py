"""Second-order layers and causal functions: every size from 1 on, on integers, complex numbers and polynomials."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
from flint import fmpq

from ...constructions import samples
from ...constructions.activations import causal_function, parity_by_tent
from ...constructions.bilinear import SecondOrderLayer
from ...constructions.depth.only import keep_the_beginning
from ...constructions.late_forgetting import late_memory, late_states, prefix_and_suffix_network
from ..claim import tie
from ..evidence import Proof


def random_layer(rng: Random, n: int, m: int) -> SecondOrderLayer:
    draw = lambda *shape: samples.integers(rng, *shape)  # noqa: E731
    return SecondOrderLayer(draw(n, m, n), draw(n, n), draw(n, m), draw(n), draw(n))


@tie("lizaire26.lemma1")
@tie("lizaire26.appA6")
@tie("lizaire26.lemma4")
@tie("lizaire26.abstract.degree")
@tie("new.bilinear.degrees")
def second_order_steps(proof: Proof) -> None:
    """A step is Definition 1 written out, and the step of the layer as a recurrence with transitions A(x)."""
    rng = Random(45)
    for n, m in proof.tied("n, m <= 8", [*product(range(1, 5), range(1, 5)), (5, 3), (8, 2), (2, 8)]):
        layer = random_layer(rng, n, m)
        h, x = samples.integers(rng, n), samples.integers(rng, m)
        written = [
            layer.b[k]
            + sum((layer.V[k, i] * h[i] for i in range(n)), fmpq(0))
            + sum((layer.U[k, j] * x[j] for j in range(m)), fmpq(0))
            + sum((layer.A[i, j, k] * h[i] * x[j] for i in range(n) for j in range(m)), fmpq(0))
            for k in range(n)
        ]
        proof.exactly("a step is Definition 1", list(layer.step(h, x)), written)
        proof.exactly("the recurrence takes the same step", list(layer.recurrence().step(h[:, None], x)[:, 0]), written)


@tie("new.bilinear.finite-alphabet")
def causal_functions(proof: Proof) -> None:
    """Functions that every letter matters to, on long words."""
    rng = Random(47)
    for length, k in proof.tied("words of up to 40 letters over 1 to 5", product((1, 2, 7, 8, 9, 10, 12, 20, 40), range(1, 6))):
        word = [rng.randrange(k) for _ in range(length)]
        f = lambda w: fmpq(sum((i + 1) * x for i, x in enumerate(w)) % 11 - 5, 5)  # noqa: E731
        proof.exactly("the outputs are f", list(causal_function(f, k).run(word)), [f(tuple(word[: t + 1])) for t in range(length)])
    for length in proof.tied("words of up to 200 integers", (1, 2, 9, 200)):
        word = [rng.randrange(-3, 4) for _ in range(length)]
        outputs = [(-1) ** sum(word[: t + 1]) for t in range(length)]
        proof.exactly("parity_by_tent", [fmpq(y) if isinstance(y, int) else y for y in parity_by_tent().run(word)], outputs)
    for base in proof.tied("other values", [np.array([0, 1, 1, 0])]):
        proof.exactly("a constant", list(causal_function(lambda w: fmpq(-1), 2).run(list(base))), [fmpq(-1)] * 4)


@tie("new.bilinear.beginning")
def fading_sums(proof: Proof) -> None:
    """The sum of decay^t x_t, for every decay in [0, 1]."""
    rng = Random(55)
    decays = (fmpq(0), fmpq(1, 7), fmpq(1, 3), fmpq(1, 2), fmpq(1))
    for decay, length in proof.tied("decays from 0 to 1, words of up to 30 letters", product(decays, (1, 2, 7, 30))):
        word = [rng.randrange(2) for _ in range(length)]
        sums = [sum((decay ** (s + 1) * x for s, x in enumerate(word[: t + 1])), fmpq(0)) for t in range(length)]
        outputs = keep_the_beginning(decay).run([fmpq(x) for x in word])
        proof.exactly("keep_the_beginning: the sums so far", outputs, sums)


def forgetful(n: int, cycle: int, letters: int) -> tuple[list[list[int]], int]:
    """(table, start): n states that lead nowhere, two that tell the first letter, then a cycle of this length; the start leads to it."""
    first, again = n, n + letters
    table = [[q] * letters for q in range(n)]
    table += [[again] * letters for _ in range(letters)]
    table += [[again + (i + 1) % cycle] * letters for i in range(cycle)]
    table.append([first + a for a in range(letters)])
    return table, len(table) - 1


@tie("new.bilinear.late")
def clocks_and_registers(proof: Proof) -> None:
    """Automata with long cycles behind many states that lead nowhere; the clock's period is that of the cycle."""
    cases = [(0, 1, 1), (0, 7, 1), (9, 5, 1), (12, 6, 1), (0, 2, 2)]
    for idle, cycle, letters in proof.tied("up to 20 states, one or two letters", cases):
        delta, start = forgetful(idle, cycle, letters)
        word = [(t * t + t // 3) % letters for t in range(3 * len(delta) + 2 * cycle + 3)]
        q, states = start, []
        for a in word:
            q = delta[q][a]
            states.append(q)
        proof.exactly(
            "late_states are those of the cycle", sorted(late_states(delta, start)), list(range(idle + letters, idle + letters + cycle))
        )
        proof.exactly("late_memory", late_memory(delta, start), 0)
        network = prefix_and_suffix_network(delta, start)
        proof.exactly("the network gives the states", network.run(word), states)
        width = 2 * len(delta) + cycle + len(delta)
        proof.exactly("a clock of this period, and one unit for each first letter", len(network.layers[0].V), width)
