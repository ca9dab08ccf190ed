"""Layers and stacks of the topic, against sums, parities and matrices."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import lcm
from random import Random
from typing import Any

import numpy as np
import sympy
from flint import fmpq

from ....constructions import architectures, samples
from ....constructions.architectures import gla, mamba
from ....constructions.parity import counter, counting_stack, power_recurrence, scalar, sign_flip
from ....constructions.recurrence import Recurrence, Stack, reachable_with
from ....numerics import exact
from ...claim import tie
from ...evidence import Proof
from ..shared import refuses


@tie("grazzi25.table1")
def diagonals_of_architectures(proof: Proof) -> None:
    """Transitions of Table 1, entry by entry, from exact numbers and from floats."""
    rng = Random(79)
    for n in proof.tied("1 to 9 channels, exact numbers and floats", range(1, 10)):
        for exactly in (True, False):
            quarters = lambda: [rng.randint(-6, 6) for _ in range(n)]  # noqa: B023, E731
            drawn: list[list[Any]] = [[fmpq(x, 4) if exactly else x / 4 for x in quarters()] for _ in range(3)]
            alpha, k, (beta, *_) = drawn
            delta, w = [0.25 + rng.random() for _ in range(n)], [rng.uniform(-2, 2) for _ in range(n)]
            for found in (gla(np.array(alpha, dtype=object)), architectures.bmru(np.array(alpha, dtype=object))):
                proof.exactly("diagonal", found.tolist(), [[alpha[i] if i == j else 0 for j in range(n)] for i in range(n)])
            found = architectures.delta_rule(beta, np.array(k, dtype=object))
            proof.exactly("DeltaNet", found.tolist(), [[(i == j) - beta * k[i] * k[j] for j in range(n)] for i in range(n)])
            for convert in (float, lambda x: sympy.Rational(*x.as_integer_ratio())):
                found = mamba(np.array([convert(x) for x in delta], dtype=object), np.array([convert(x) for x in w], dtype=object))
                wanted = np.diag(np.exp(-np.array(delta) * np.exp(np.array(w))))
                proof.closely("Mamba", float(np.abs(found.astype(float) - wanted).max()), 1e-14)


@tie("grazzi25.abstract.triangular")
def reachable_pairs(proof: Proof) -> None:
    """The product of a network and an automaton: as many pairs as there are, the shortest word that is answered wrongly, giving up at the limit."""
    for n, m in proof.tied(
        "a network that counts modulo n <= 9 beside an automaton that counts modulo m <= 9", product((1, 2, 3, 7, 9), (1, 2, 3, 6, 9))
    ):
        shift = exact.rationals([[int(i == (j + 1) % n) for j in range(n)] for i in range(n)])
        table = {"+": (shift, exact.zeros(n, 1)), "0": (exact.identity(n), exact.zeros(n, 1))}
        silent = Recurrence.from_table(table, exact.unit_vector(n, 0)[:, None], lambda H, x: "same")
        counts = Recurrence.from_table(table, exact.unit_vector(n, 0)[:, None], lambda H, x: int(np.argmax(H[:, 0] == 1)))
        delta = lambda q, x, m=m: (q + (x == "+")) % m  # noqa: E731
        found = reachable_with(silent, delta, 0, "+0", lambda q: "same")
        proof.exactly("all pairs", (len(found.pairs), found.mismatch, found.closed), (lcm(n, m), None, True))
        place = {q: i for i, q in enumerate((int(np.argmax(H[:, 0] == 1)), q) for (H,), q in found.pairs)}
        steps = {(i, x): place[(h + (x == "+")) % n, delta(q, x)] for (h, q), i in place.items() for x in "+0"}
        proof.exactly("each once, and the edges between them", (len(place), found.edges), (lcm(n, m), steps))
        if lcm(n, m) > 1:
            proof.exactly("too many pairs", reachable_with(silent, delta, 0, "+0", lambda q: "same", lcm(n, m) - 1).closed, False)
        wrong = reachable_with(Stack((counts,)), delta, 0, "0+", lambda q: q).mismatch
        proof.exactly("the shortest word that is answered wrongly", wrong, None if n == m else ("+",) * min(n, m))


@tie("grazzi25.abstract.triangular")
def states_of_recurrences(proof: Proof) -> None:
    """States, outputs and the unrolled sum against H = A H + B, entry by entry."""
    rng = Random(75)
    cases = [(1, 1, 0), (1, 2, 1), (2, 1, 6), (3, 2, 7), (5, 1, 9), (7, 1, 12), (9, 2, 8), (2, 2, 60)]
    for n, d, length in proof.tied("states of up to 9 rows, words of up to 60 letters", cases):
        table = {x: (samples.integers(rng, n, n, bound=1), samples.integers(rng, n, d)) for x in "abc"}
        start, word = samples.integers(rng, n, d), [rng.choice("abc") for _ in range(length)]
        layer = Recurrence.from_table(table, start, lambda H, x: (x, H.tolist()))
        H = [[start[i, j] for j in range(d)] for i in range(n)]
        wanted = [H]
        for x in word:
            A, B = table[x]
            H = [[sum((A[i, k] * H[k][j] for k in range(n)), B[i, j]) for j in range(d)] for i in range(n)]
            wanted.append(H)
        proof.exactly("Recurrence.states", [state.tolist() for state in layer.states(word)], wanted)
        proof.exactly("Recurrence.run", layer.run(word), list(zip(word, wanted[1:], strict=True)))
        proof.exactly("Recurrence.closed_form", layer.closed_form(word).tolist(), wanted[-1])
        proof.exactly(
            "Recurrence.steps",
            [(A.tolist(), B.tolist()) for A, B in layer.steps(word)],
            [tuple(M.tolist() for M in table[x]) for x in word],
        )


@tie("grazzi25.sec4.1.counter")
@tie("grazzi25.thm1.converse")
def parities(proof: Proof) -> None:
    """Parities by a sign and by counting, and the states behind them."""
    rng = Random(78)
    lengths = [[rng.choice((0, 1, 1)) for _ in range(n)] for n in (0, 1, 2, 9, 40)] + [[1] * 200]
    for word in proof.tied("words of up to 200 letters", lengths):
        ones = [sum(word[: t + 1]) for t in range(len(word))]
        for layer in (sign_flip(), counter()):
            proof.exactly("parities", layer.run(word), [k % 2 for k in ones])
        states = [int(H[0, 0]) for H in counter().states(word)]
        proof.exactly("the states of the counter", states, [0, *ones])
        proof.exactly("the states of the sign", [int(H[0, 0]) for H in sign_flip().states(word)], [0, *(k % 2 for k in ones)])


@tie("grazzi25.thm2")
def counting_stacks(proof: Proof) -> None:
    """Counts modulo 2^p by scalar layers, and the maps of each."""
    for p in proof.tied("1 to 8 layers, 2^p + 3 letters", range(1, 9)):
        word = [1, 0] + [1] * (2**p + 1)
        stack = counting_stack(p)
        proof.exactly("counts modulo 2^p", stack.run(word), [sum(word[: t + 1]) % 2**p for t in range(len(word))])
        handed, maps = word, set()
        for layer in stack.layers:
            maps |= {(int(layer.transition(y)[0, 0]), int(layer.inputs(y)[0, 0])) for y in handed}
            handed = layer.run(handed)
        proof.exactly("transitions 1 and -1, no inputs", maps, {(1, 0), (-1, 0)})
    for x in proof.tied("numbers of all kinds", (-3, 0, fmpq(-1, 7), Fraction(5, 2), "3/4")):
        wanted = fmpq(*map(int, str(x).split("/"))) if "/" in str(x) else fmpq(int(x))
        proof.exactly("scalar", scalar(x).tolist(), [[wanted]])
    for p in proof.tied("fewer layers than one", (0, -1)):
        proof.holds("are refused", refuses(counting_stack, p))


@tie("grazzi25.thm1.display")
def powers_of_one_map(proof: Proof) -> None:
    """States of one affine map, applied again and again."""
    rng = Random(81)
    for n, d in proof.tied("up to 9 rows, 9 steps, with inputs and without", product((1, 2, 5, 9), (1, 2))):
        A, H, B = samples.integers(rng, n, n, bound=1), samples.integers(rng, n, d), samples.integers(rng, n, d)
        for inputs in (None, B):
            states, wanted = H, []
            for _ in range(9):
                states = [
                    [sum((A[i, k] * states[k][j] for k in range(n)), fmpq(0)) + (B[i, j] if inputs is not None else 0) for j in range(d)]
                    for i in range(n)
                ]
                wanted.append(tuple(x for row in states for x in row))
            proof.exactly("power_recurrence", power_recurrence(A, H, inputs).run([1] * 9), wanted)
