"""Random words and perturbed layers in float64, row by row: run by run, word by word, each sum written out."""

from __future__ import annotations

from itertools import combinations, product
from math import dist, sqrt

import numpy as np

from .....constructions.automata.layers import perturbed_floats
from .....constructions.automata.rounding import random_words
from .....constructions.automata.rounding.random_words import Walk
from ....claim import tie
from ....evidence import Proof
from .. import hold_closely


def walks() -> list[Walk]:
    """A turn of up to 13 states with two letters, at one place or two: permutation matrices."""
    found = []
    for n in (13, 9, 5, 3, 2):
        turns = [np.roll(np.eye(n), k, axis=0) for k in range(n)]
        found.append(Walk(np.array(turns), np.eye(n), np.array([[1, n - 1]]), np.array([[0, 0]])))
        found.append(Walk(np.array(turns), np.eye(n) * 2, np.array([[1, n - 1], [0, 1]]), np.array([[1, 0], [0, 1]])))
        # the same turns with a sign, on the states and their negatives
        found.append(Walk(-np.array(turns), np.vstack([np.eye(n), -np.eye(n)]), np.array([[1, n - 1]]), np.array([[0, 0]])))
    return found


def _nearest(x: list[float], states: list[list[float]]) -> int:
    return min(range(len(states)), key=lambda q: (sum((a - b) ** 2 for a, b in zip(x, states[q], strict=True)), q))


@tie("new.automata.horizon.weights")
def walks_run_by_run(proof: Proof) -> None:
    """Errors after random words, run by run with the same draws; directions that keep maps orthogonal; half the least distance; up to 13 coordinates."""
    for walk in proof.tied("turns of up to 13 states at one place or two", walks()):
        maps, states = walk.maps.tolist(), walk.states.tolist()
        n = len(states[0])
        proof.exactly("margin", abs(walk.margin - min(dist(p, q) for p, q in combinations(states, 2)) / 2) < 1e-12, True)
        directions = random_words.turned_letters(walk, 7)
        skew = [
            [float(np.abs(A.T @ D + D.T @ A).max()) < 1e-12, abs(float(np.linalg.norm(D, 2)) - 1) < 1e-12]
            for A, D in zip(walk.maps, directions, strict=True)
        ]
        proof.exactly("turned_letters", (directions.shape, skew), (walk.maps.shape, [[True, True]] * len(maps)))
        runs, lengths, delta = 13, [1, 2, 4, 5, 8, 9, 11, 12, 13, 15, 16], 0.01
        rng = np.random.default_rng(3)
        true, off, place, wanted = [list(states[0]) for _ in range(runs)], [list(states[0]) for _ in range(runs)], [0] * runs, []
        for t in range(1, 17):
            for r, letter in enumerate(rng.integers(0, len(walk.map_of[0]), size=runs)):
                k = int(walk.map_of[place[r], letter])
                place[r] = int(walk.after[place[r], letter])
                moved = [[maps[k][i][j] + delta * float(directions[k, i, j]) for j in range(n)] for i in range(n)]
                true[r], off[r] = ([sum(row[j] * h[j] for j in range(n)) for row in A] for A, h in ((maps[k], true[r]), (moved, off[r])))
            if t in lengths:
                wanted.append(sqrt(sum(dist(a, b) ** 2 for a, b in zip(true, off, strict=True)) / runs) / delta)
        given = [(walk, directions, delta, lengths, runs, 3)]
        hold_closely(proof, "16 letters", random_words.error_sizes, lambda *_, w=wanted: np.array(w), given, 1e-9)
        for unit, most in ((1.0, 5), (0.9, 9), (0.6, 12)):
            rng = np.random.default_rng(5)
            exact_, rounded = [list(states[0]) for _ in range(runs)], [[round(x / unit) * unit for x in states[0]] for _ in range(runs)]
            place, first = [0] * runs, [most + 1] * runs
            for t in range(1, most + 1):
                letters = rng.integers(0, len(walk.map_of[0]), size=runs)
                draws = rng.random((runs, n))
                for r in range(runs):
                    k = int(walk.map_of[place[r], letters[r]])
                    place[r] = int(walk.after[place[r], letters[r]])
                    exact_[r] = [sum(row[j] * exact_[r][j] for j in range(n)) for row in maps[k]]
                    there = [sum(row[j] * rounded[r][j] for j in range(n)) for row in maps[k]]
                    rounded[r] = [float(np.floor(x / unit + u)) * unit for x, u in zip(there, draws[r].tolist(), strict=True)]
                    if _nearest(rounded[r], states) != _nearest(exact_[r], states):
                        first[r] = min(first[r], t)
                if max(first) <= most:
                    break
            proof.exactly("first_errors", random_words.first_errors(walk, unit, most, runs, 5).tolist(), first)


@tie("new.automata.hessian.icosahedron")
def moments_word_by_word(proof: Proof) -> None:
    """Second moments and losses over all words of up to six letters, by the product rule; descent by its steps; the mirrors of the icosahedron by angles."""
    rng = np.random.default_rng(6)
    for keys in proof.tied("the 15 mirrors of the icosahedron", [perturbed_floats.icosahedral_keys()]):
        golden = (1 + sqrt(5)) / 2
        angles = sorted({round(abs(float(a @ b)), 9) for a, b in combinations(keys, 2)})
        wanted = sorted(round(x, 9) for x in (0, 1 / (2 * golden), 1 / 2, golden / 2))
        proof.exactly("icosahedral_keys", (keys.shape, [round(float(k @ k), 9) for k in keys], angles), ((15, 3), [1.0] * 15, wanted))
        mirrors = [np.eye(3) - 2 * np.outer(k, k) for k in keys]
        closed = all(any(np.abs(M @ k - s * q).max() < 1e-9 for q in keys for s in (1, -1)) for M in mirrors for k in keys)
        proof.exactly("icosahedral_keys: each mirror permutes them", closed, True)
    for n, letters, length in proof.tied(
        "up to 12 coordinates, 3 letters, 6 steps", [(1, 1, 6), (2, 2, 5), (3, 3, 4), (5, 2, 3), (12, 2, 2), (3, 2, 0), (2, 13, 1)]
    ):
        maps = np.array([np.linalg.qr(rng.normal(size=(n, n)))[0] for _ in range(letters)])
        directions, start = rng.normal(size=(letters, n, n)) / 8, rng.normal(size=n)
        squares = []
        for t in range(length + 1):
            total = 0.0
            for word in product(range(letters), repeat=t):
                h, d = start, np.zeros(n)
                for x in word:
                    h, d = maps[x] @ h, maps[x] @ d + directions[x] @ h
                total += float(d @ d)
            squares.append(total / letters**t)
        given = [(maps, directions, start, length)]
        hold_closely(proof, "by words", perturbed_floats.moments_in_floats, lambda *_, s=squares: np.array(s), given, 1e-9)

        def loss(others: np.ndarray, maps: np.ndarray = maps, start: np.ndarray = start, length: int = length) -> float:
            total = 0.0
            for word in product(range(len(maps)), repeat=length):
                one, two = start, start
                for x in word:
                    one, two = maps[x] @ one, others[x] @ two
                total += float((one - two) @ (one - two))
            return total / len(maps) ** length

        others = maps + rng.normal(size=maps.shape) / 4
        hold_closely(
            proof, "by words", perturbed_floats.mean_loss, lambda m, o, s, t, loss=loss: loss(o), [(maps, others, start, length)], 1e-9
        )
        for step, first, steps in ((0.01, 0.5, 3), (0.05, -0.25, 1), (0.02, 0.125, 5)):
            e = first
            for _ in range(steps):
                h = abs(e) / 8
                e -= step * (loss(maps + (e + h) * directions) - loss(maps + (e - h) * directions)) / (2 * h)
            given_ = [(maps, directions, start, length, step, first, steps)]
            hold_closely(proof, "by steps", perturbed_floats.distance_left, lambda *_, e=e, f=first: np.array(abs(e) / f), given_, 1e-6)
