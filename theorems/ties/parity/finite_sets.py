"""States in a finite set: casts, what settles, and states rounded at every step."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from math import comb
from random import Random

import numpy as np
from flint import fmpq, fmpz

from ....constructions import samples
from ....numerics import exact
from ....numerics.cyclotomic import gaussian
from ....numerics.eventual import eventual_states
from ....numerics.exponential_sums import ExponentialSum
from ....numerics.finite_precision import FiniteSet, cast_model_states, stepwise_states
from ...claim import tie
from ...evidence import Proof
from .numbers import SIZES


def nearest(values: list[fmpq], x: fmpq) -> fmpq:
    """The nearest of these numbers, the smaller one at a tie."""
    return min(values, key=lambda v: (abs(v - x), v))


@tie("grazzi25.thm2")
@tie("grazzi25.thm1.layer")
def finite_sets(proof: Proof) -> None:
    """Casts by trying all elements: ties, both ends, integers of all types, Gaussian rationals."""
    rng = Random(74)
    for size in proof.tied("sets of 1 to 16 elements, numbers from -15 to 15", SIZES):
        values = sorted({fmpq(rng.randint(-24, 24), 2) for _ in range(size)})
        D = FiniteSet([str(v) for v in values[::-1]])
        proof.exactly("its elements", (D.values, len(D)), (values, len(values)))
        whole = list(range(-15, 16))
        wanted = [nearest(values, fmpq(k)) for k in whole]
        for kind in (int, fmpz, fmpq, Fraction, np.int64):
            proof.exactly(f"cast_scalar: {kind.__name__}", [D.cast_scalar(kind(k)) for k in whole], wanted)
        parts_of_eight = samples.integers(rng, 5, size, bound=120) / fmpq(8)
        rounded = [[nearest(values, x) for x in row] for row in parts_of_eight]
        proof.exactly("cast: arrays", D.cast(parts_of_eight).tolist(), rounded)
        # halves of sums of two neighbours are ties
        middles = [(a + b) / 2 for a, b in pairwise(values)]
        proof.exactly("at a tie the smaller", [D.cast_scalar(x) for x in middles], values[:-1])
        for x, y in zip(parts_of_eight[0], parts_of_eight[1], strict=True):
            proof.exactly("Gaussian rationals", D.cast_scalar(gaussian(x, y)), gaussian(nearest(values, x), nearest(values, y)))


@tie("grazzi25.thm2")
def settled_casts(proof: Proof) -> None:
    """From the threshold on the cast of a sum of powers is the announced value, at each of the next 40 steps."""
    rng = Random(75)
    for terms, size in proof.tied("1 to 8 terms, sets of 1 to 9 elements", product(range(1, 9), (1, 2, 5, 9))):
        places = [(fmpq(k, 2), m) for k in range(-3, 4) for m in range(3)]
        sequence = ExponentialSum({place: fmpq(rng.choice((-5, -2, 1, 3)), 2) for place in rng.sample(places, terms)})
        D = FiniteSet([fmpq(rng.randint(-8, 8), 2) for _ in range(size)])
        threshold, values = D.settles(sequence)
        by_hand = lambda k: sum((c * comb(k, m) * x ** (k - m) for (x, m), c in sequence.terms.items() if k >= m), fmpq(0))  # noqa: B023, E731
        later = range(threshold, threshold + 40)
        proof.exactly("settles", [nearest(D.values, by_hand(k)) for k in later], [values[k % 2] for k in later])


@tie("grazzi25.thm2")
def states_for_ever(proof: Proof) -> None:
    """What a period of letters leads to, against as many steps of the cast model, one after the other."""
    rng = Random(78)
    D = FiniteSet([fmpq(k, 2) for k in range(-2, 4)])
    cases = [(1, 0, 1), (1, 3, 13), (1, 1, 7), (2, 0, 2), (3, 1, 1)]
    for n, head, p in proof.tied("states of up to 3 rows, periods of up to 13 letters, 2 periods beyond the threshold", cases):

        def drawn(n: int = n) -> tuple[np.ndarray, np.ndarray]:
            diagonal = [rng.choice((fmpq(1, 2), fmpq(-1), fmpq(1), fmpq(0), fmpq(-1, 3))) for _ in range(n)]
            A = np.triu(samples.integers(rng, n, n, bound=1), 1) / fmpq(2)
            for i, x in enumerate(diagonal):
                A[i, i] = x
            return A, samples.integers(rng, n, 1, bound=1) / fmpq(2)

        before, period = [drawn() for _ in range(head)], [drawn() for _ in range(p)]
        start = samples.integers(rng, n, 1, bound=2)
        found = eventual_states(before, period, start, D)
        whole = exact.identity(n)
        for A, _ in period:
            whole = exact.multiply(A, whole)
        for j in range(n):
            entries = found.monodromy.power_entries(exact.identity(n), exact.unit_vector(n, j)[:, None])
            powers = [[x(k) for x in entries.flat] for k in range(3)]
            wanted = [list(exact.identity(n)[:, j]), list(whole[:, j]), list((whole @ whole)[:, j])]
            proof.exactly("powers of the product over a period", powers, wanted)
        last = found.threshold + 2 * p
        steps = [*before, *period * (last // p + 1)][:last]
        wanted = [H.tolist() for H in cast_model_states(steps, start, D)]
        proof.exactly("eventual_states", [found.state(t).tolist() for t in range(last + 1)], wanted[: last + 1])
        q = found.period
        ended = [wanted[found.threshold + t] for t in range(2 * p)]
        proof.exactly("the least period", [ended[t:] == ended[: len(ended) - t] for t in range(1, q + 1)], [False] * (q - 1) + [True])


@tie("new.parity.half")
def rounded_states(proof: Proof) -> None:
    """States of both models of rounding, for up to 12 steps, from the sums of the text."""
    rng = Random(76)
    for n, steps in proof.tied("states of 1 to 5 entries, 0 to 12 steps", product((1, 2, 3, 5), (0, 1, 5, 12))):
        D = FiniteSet([fmpq(k, 2) for k in range(-12, 13)])
        word = [(samples.integers(rng, n, n, bound=2) / fmpq(3), samples.integers(rng, n, 1) / fmpq(4)) for _ in range(steps)]
        start = samples.integers(rng, n, 1) / fmpq(3)
        round_all = lambda M: np.array([[nearest(D.values, x) for x in row] for row in M], dtype=object)  # noqa: B023, E731
        cast_model, stepwise = [round_all(start)], [round_all(start)]
        for t in range(1, steps + 1):
            total = exact.zeros(n, 1)
            for i in range(t + 1):
                term = start if i == 0 else word[i - 1][1]
                for A, _ in word[i:t]:
                    term = A @ term
                total = total + round_all(term)
            cast_model.append(round_all(total))
            stepwise.append(round_all(word[t - 1][0] @ stepwise[-1] + word[t - 1][1]))
        as_lists = lambda states: [H.tolist() for H in states]  # noqa: E731
        proof.exactly("cast_model_states", as_lists(cast_model_states(word, start, D)), as_lists(cast_model))
        proof.exactly("stepwise_states", as_lists(stepwise_states(word, start, D)), as_lists(stepwise))
