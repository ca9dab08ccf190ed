"""Averages over words and over roundings, row by row: by listing all words, all outcomes, and every walk through a group."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random
from typing import Any

import numpy as np
from flint import fmpq, fmpq_poly

from .....constructions.automata.layers import perturbed
from .....constructions.automata.rounding import stochastic
from .....numerics import exact
from ....claim import tie
from ....evidence import Proof
from .. import POSITIVE, hold, hold_refusals, integers, matrix, rational


def transposed(A: Any) -> Any:
    return np.array([[A[i, j] for i in range(len(A))] for j in range(len(A[0]))], dtype=object)


def one_zero(n: int) -> Any:
    return exact.rationals([[int(i == j) for j in range(n)] for i in range(n)])


# -- roundings --------------------------------------------------------------------------------------------------------------------


def both_neighbours(x: fmpq, unit: fmpq) -> list[tuple[fmpq, fmpq]]:
    """The multiples of the unit beside x, the probability of each its distance from the other; only x, if it is one."""
    k = x.p * unit.q // (x.q * unit.p)
    below, above = k * unit, (k + 1) * unit
    return [(fmpq(1), x)] if below == x else [((above - x) / unit, below), ((x - below) / unit, above)]


def all_vectors(h: Any, unit: fmpq) -> list[tuple[fmpq, Any]]:
    found = [(fmpq(1), [])]
    for x in h[:, 0]:
        found = [(p * share, [*ys, [y]]) for p, ys in found for share, y in both_neighbours(x, unit)]
    return [(p, exact.rationals(ys)) for p, ys in found]


def _by_runs(maps: Sequence[Any], word: Sequence[int], start: Any, unit: fmpq, form: Any) -> tuple[fmpq, fmpq]:
    """Every run by itself, whether or not two meet: the error at the end, and the errors made on the way."""
    state = start
    for x in word:
        state = maps[x] @ state

    def goes_on(h: Any, left: Sequence[int]) -> tuple[fmpq, fmpq]:
        if not left:
            return ((h - state).T @ form @ (h - state))[0, 0], fmpq(0)
        moved = maps[left[0]] @ h
        total, local = fmpq(0), fmpq(0)
        for p, g in all_vectors(moved, unit):
            t, later = goes_on(g, left[1:])
            total, local = total + p * t, local + p * (((g - moved).T @ form @ (g - moved))[0, 0] + later)
        return total, local

    return goes_on(start, list(word))


@tie("new.automata.horizon")
def outcomes_of_rounding(proof: Proof) -> None:
    """Numbers of either sign, on the grid and off; vectors of up to five entries; all runs on words of four letters; nearest states."""
    rng = Random(671)
    units = [fmpq(1), fmpq(1, 8), fmpq(3, 2), fmpq(5)]
    rows = [(rational(rng, 30), unit) for unit in units for _ in range(12)] + [(k * unit, unit) for unit in units for k in (-13, -1, 0, 7)]
    hold(proof, "numbers of either sign, on four grids", stochastic.outcomes, both_neighbours, rows)
    vectors = [(matrix(rng, n, 1), unit) for n in (5, 4, 3, 2, 1) for unit in units[:3]]
    hold(
        proof,
        "vectors of one to five entries",
        lambda h, u: list(stochastic.rounded_vectors(h, u)),
        all_vectors,
        vectors,
        "rounded_vectors",
    )
    quarter, mirror = exact.rationals([[0, -1], [1, 0]]), exact.rationals([["3/5", "4/5"], ["4/5", "-3/5"]])
    turn = exact.rationals([["3/5", "-4/5"], ["4/5", "3/5"]])
    words = [(), (1,), (2, 1), (1, 1), (0, 2, 1), (2, 2, 1, 0), (1, 2, 2, 1)]
    runs = [([quarter, mirror, turn], word, exact.rationals([[3], [-1]]), fmpq(1, 2), one_zero(2) * 3) for word in words]
    runs += [
        ([exact.rationals([[-1]]), exact.rationals([["1/3"]])], (1, 0, 1, 1), exact.rationals([[5]]), unit, one_zero(1)) for unit in units
    ]
    hold(proof, "words of up to four letters", stochastic.error_moments, _by_runs, runs)
    places = [(rng.randint(1, 13), rng.randint(1, 13), rng.randint(1, 4)) for _ in range(20)]
    near = [(np.array(integers(rng, k, n, 9), dtype=float), np.array(integers(rng, q, n, 9), dtype=float)) for k, q, n in places]
    hold(proof, "1 to 13 states", lambda a, b: stochastic.nearest(a, b).tolist(), _nearest, near, "nearest")
    corners = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
    quarters = np.array([[[0.0, -1.0], [1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]]])
    # on the grid nothing is rounded; on a grid as wide as 8 a state is lost
    inputs = [(quarters, corners, 0.25, 30, 50, 3), (quarters[:1], corners, 1.0, 12, 20, 4), (quarters, corners, 8.0, 9, 40, 5)]
    inputs += [
        (turned(0.3), at_angles(0.3, 21), unit, length, 30, seed) for unit, length, seed in ((1e-6, 7, 1), (0.5, 13, 2), (0.2, 4, 9))
    ]
    hold(proof, "30 to 4 letters", stochastic.wrong_share, _wrong_share, inputs)


def turned(angle: float) -> np.ndarray:
    return np.array([[[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]] for a in (angle, 0.0)])


def at_angles(angle: float, count: int) -> np.ndarray:
    return np.array([[np.cos(k * angle), np.sin(k * angle)] for k in range(count)])


def _nearest(found: np.ndarray, states: np.ndarray) -> list[int]:
    return [min(range(len(states)), key=lambda q, h=h: (float(((h - states[q]) ** 2).sum()), q)) for h in found]


def _wrong_share(maps: np.ndarray, states: np.ndarray, unit: float, length: int, runs: int, seed: int) -> float:
    """Each run by itself, with the same random numbers: all letters first, then one number for each entry of each run."""
    rng = np.random.default_rng(seed)
    word = [int(x) for x in rng.integers(0, len(maps), size=length)]
    shares = [rng.random((runs, states.shape[1])) for _ in word]
    wrong = 0
    for run in range(runs):
        exact_state, rounded = states[0], states[0]
        for x, share in zip(word, shares, strict=True):
            exact_state = maps[x] @ exact_state
            rounded = np.floor((maps[x] @ rounded) / unit + share[run]) * unit
        wrong += _nearest(rounded[None], states) != _nearest(exact_state[None], states)
    return wrong / runs


# -- directions -------------------------------------------------------------------------------------------------------------------


def _over_all_words(maps: Sequence[Any], directions: Sequence[Any], start: Any, length: int) -> list[fmpq]:
    """The mean of |D_T|^2 over all words of T letters, D being the sum of what a word gives with the direction at one of its letters."""
    found = []
    for T in range(length + 1):
        total = fmpq(0)
        for word in product(range(len(maps)), repeat=T):
            D = start * 0
            for t in range(T):
                h = start
                for s, x in enumerate(word):
                    h = (directions if s == t else maps)[x] @ h
                D = D + h
            total += sum((x * x for x in D[:, 0]), fmpq(0))
        found.append(total / len(maps) ** T)
    return found


def drawn(rng: Random, n: int, letters: int) -> tuple[list[Any], list[Any], Any]:
    """Signed permutation matrices, directions of either sign, and a start."""
    maps = []
    for _ in range(letters):
        order = rng.sample(range(n), n)
        maps.append(exact.rationals([[rng.choice((1, -1)) * int(j == order[i]) for j in range(n)] for i in range(n)]))
    return maps, [matrix(rng, n, n) for _ in range(letters)], matrix(rng, n, 1)


@tie("new.automata.hessian")
def means_over_words(proof: Proof) -> None:
    """Second moments by all words of up to six letters; recurrences of up to 13 roots; what they grow like, drift and variance of one coordinate."""
    rng = Random(672)
    several = [drawn(rng, n, k) for n, k in ((3, 2), (2, 3), (2, 2), (1, 2), (1, 1), (3, 1))]
    several += [([np.array(M, dtype=object) for M in (matrix(rng, 2, 2), matrix(rng, 2, 2))], [matrix(rng, 2, 2)] * 2, matrix(rng, 2, 1))]
    lengths = {1: 10, 2: 6, 3: 4}
    rows = [(maps, directions, start, lengths[len(maps)]) for maps, directions, start in several] + [(*several[0], 0)]
    hold(proof, "words of up to ten letters", perturbed.second_moments, _over_all_words, rows)
    roots = [[rational(rng) for _ in range(n)] for n in POSITIVE for _ in range(2)] + [[fmpq(1)] * 5, [fmpq(-1), fmpq(1), fmpq(1)], []]
    rows = [(_sequence(given, 2 * (len(given) + extra)), given) for given in roots for extra in (1, 3)]
    hold(
        proof, "13 roots to none", lambda s, _: perturbed.least_recurrence(s), lambda _, given: _with_roots(given), rows, "least_recurrence"
    )
    hold(proof, "nothing but 0", perturbed.least_recurrence, lambda _: fmpq_poly([1]), [([fmpq(0)] * n,) for n in (2, 7, 12)])
    short = [(perturbed.least_recurrence, ([fmpq(x) for x in values],)) for values in ([1, 2], [0, 1, 1, 2], [1, 0, 0, 1, 5, 2])]
    hold_refusals(proof, "too few values", short)
    # one coordinate: D is the state times a sum of independent steps s of A^-1 X, so E D^2 = h^2 (T var s + T^2 mean^2)
    for signs, given in proof.tied("one coordinate, one to four letters", _of_one_coordinate(rng)):
        maps, directions, start = [exact.rationals([[s]]) for s in signs], [exact.rationals([[x]]) for x in given], exact.rationals([[-3]])
        steps = [s * x for s, x in zip(signs, given, strict=True)]
        mean = sum(steps, fmpq(0)) / len(steps)
        variance = sum(((s - mean) ** 2 for s in steps), fmpq(0)) / len(steps)
        degree = 2 if mean else 1 if variance else 0
        if mean or variance:
            proof.exactly("growth", perturbed.growth(maps, directions, start), (degree, True))
        found = perturbed.limits(maps, directions, start)
        proof.exactly("limits: drift", abs(found.drift.flat[0]), abs(3 * mean))
        proof.exactly("limits: variance", found.variance, 9 * variance)
    for maps, directions, start in proof.tied("one to three coordinates", several[:-1]):
        moments = perturbed.second_moments(maps, directions, start, 6 * len(start) ** 2 + 1)
        (k, _), found = perturbed.growth(maps, directions, start), perturbed.limits(maps, directions, start)
        square = sum((x * x for x in found.drift.flat), fmpq(0))
        proof.exactly("growth: by the drift", k == 2, square != 0)
        top, period = len(moments) - 1, 12
        # the second difference over whole periods is twice the leading coefficient, up to what dies away
        second = (moments[top] - 2 * moments[top - period] + moments[top - 2 * period]) / period**2 if top > 2 * period else None
        if second is not None:
            proof.closely("limits: twice the drift's square", abs(float(second - 2 * square)), 0.02 * max(1.0, float(square)))
    for n in proof.tied("keys of 1 to 13 entries", POSITIVE):
        for _ in range(3):
            k, u, A, Z = matrix(rng, n, 1), matrix(rng, n, 1), matrix(rng, n, n), matrix(rng, n, n)
            k[0, 0] = fmpq(2)
            size = sum((x * x for x in k[:, 0]), fmpq(0))
            across = u - k * (sum((x * y for x, y in zip(k[:, 0], u[:, 0], strict=True)), fmpq(0)) / size)
            outer = exact.rationals([[x * y for y in k[:, 0]] for x in k[:, 0]])
            proof.exactly("mirror", perturbed.mirror(k).tolist(), (one_zero(n) - 2 * outer / size).tolist())
            proof.exactly("step_size", perturbed.step_size(k).tolist(), (outer / -size).tolist())
            mixed = exact.rationals([[k[i, 0] * across[j, 0] + across[i, 0] * k[j, 0] for j in range(n)] for i in range(n)])
            proof.exactly("turned", perturbed.turned(k, across).tolist(), (-2 * mixed / size).tolist())
            wanted = [[sum((Z[i, l] * A[l, j] - A[i, l] * Z[l, j] for l in range(n)), fmpq(0)) for j in range(n)] for i in range(n)]
            proof.exactly("conjugated", perturbed.conjugated(A, Z).tolist(), wanted)
    hold_refusals(proof, "directions along the key", [(perturbed.turned, (one_zero(2)[:, :1], one_zero(2)[:, :1] * s)) for s in (1, -2)])


def _of_one_coordinate(rng: Random) -> list[tuple[list[int], list[fmpq]]]:
    return [([rng.choice((1, -1)) for _ in range(k)], [rational(rng) for _ in range(k)]) for k in (1, 2, 3, 4) for _ in range(3)] + [
        ([1, -1], [fmpq(2), fmpq(2)]),
        ([-1, -1], [fmpq(1), fmpq(1)]),
    ]


def _sequence(roots: Sequence[fmpq], length: int) -> list[fmpq]:
    """A sequence that no shorter recurrence has: its first values are 0, ..., 0, 1, what follows is read from the polynomial."""
    coefficients = list(reversed(_with_roots(roots).coeffs()))[1:]
    found = [fmpq(0)] * (len(roots) - 1) + [fmpq(1)] if roots else [fmpq(0)]
    while len(found) < length:
        found.append(-sum((c * found[-1 - i] for i, c in enumerate(coefficients)), fmpq(0)))
    return found[:length]


def _with_roots(roots: Sequence[fmpq]) -> fmpq_poly:
    found = fmpq_poly([1])
    for r in roots:
        found *= fmpq_poly([-r, 1])
    return found
