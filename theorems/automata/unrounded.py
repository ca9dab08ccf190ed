"""Cascades as stacks of layers none of whose numbers is ever rounded: what the compiler builds unless it is asked for something else."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import permutations, product
from math import inf
from random import Random
from typing import NamedTuple

import numpy as np
from flint import fmpq

from ...constructions.automata import krohn_rhodes
from ...constructions.automata.cascade.cascade import Cascade, Move
from ...constructions.automata.layers.level_vectors import LevelVectors, level_vectors
from ...constructions.automata.levels.numbered import MOST_NUMBERS, numbered_maps, numbered_positions, old_numbers
from ...constructions.automata.levels.repaired import repaired_stack
from ...constructions.automata.levels.stack import unrounded_stack
from ...constructions.automata.prove.closure import close_by_layers
from ...constructions.automata.prove.delta_steps import delta_steps
from ...constructions.automata.prove.document import network_document
from ...constructions.automata.read.families import full_transformations
from ...constructions.automata.rounding.precision import guaranteed_lengths
from ...constructions.recurrence import Stack
from ...numerics import exact
from ...numerics.exact import Array
from ...numerics.floating_point import BFLOAT16, Format
from ..claim import claim
from ..closure import closes_by_layers
from ..evidence import Proof
from .krohn_rhodes import family

Maps = Callable[[Move, int], tuple[Array, Array]]


@claim(
    "new.automata.unrounded",
    place="after grazzi25 Theorem 4 (App. C.5)",
    title="one coordinate more per level: every automaton is a stack whose numbers no float rounds, in bfloat16 too",
    says=r"Every automaton is implemented by a stack with a layer for each level of a cascade: width $m$ for the last level of $m$ states, at most $m+1$ for the others, transitions that are products of at most as many GH factors as the layer is wide. "
    r"In $AH+B$, and in every composition of maps in any bracketing, no sum has two terms other than 0. In bfloat16 no micro-step of a letter rounds what it keeps, for $m\le257$. So every state is exact, by the loop, the scan, the delta rule and in float32 kernels.",
    hypotheses=(
        "the decoder reads the letter and the states of the layers before it, as in Theorem 4",
        "a letter's micro-steps run one after the other; chunked kernels are not meant",
        "levels of more than 257 states keep two slots, of twice their width",
    ),
    known="That permutation matrices and 0/1 resets are exact is immediate; Theorem 4 (grazzi25) has width m, and resets that floats round.",
    construction="lemmata.constructions.automata.levels.stack.unrounded_stack",
    sabotages={
        "two old states have one number": {"maps": lambda move, m: _changed(move, m, lambda u, r: _merged(u, r))},
        "the number of the new state is not 0": {"maps": lambda move, m: _changed(move, m, lambda u, r: u + old_numbers(m, r)[1])},
        "a reset reads the number too": {"maps": lambda move, m: _reading(move, m)},
        "levels of 258 states": {"largest": MOST_NUMBERS + 1},
        "vectors without signs": {"vectors": lambda m, moves: _unsigned(level_vectors(m, moves))},
        "layers of Theorem 4": {"stack": repaired_stack},
    },
)
def no_sum_has_two_terms(
    proof: Proof,
    maps: Maps = numbered_maps,
    largest: int = MOST_NUMBERS,
    vectors: Callable[[int, Iterable[tuple[int, ...]]], LevelVectors] = level_vectors,
    stack: Callable[[Cascade], Stack] = unrounded_stack,
) -> None:
    r"""The old state has an axis $e$ of its own, which every letter clears or overwrites.

    1. States of a level are $e_q+se$. A permutation is $P+0$, $B=0$; a reset to $r$ is $A=eu^\top$, $B=e_r$, with $u\perp e$, distinct dyadic entries, $u_r=0$ and $|u|\le1$. The new state and the number tell the old state.
       [checked: "the new and the old state are read off"]
    2. Both are products of at most $m+1$ factors: swaps and the projection across $e$; or one factor that turns $e$ into $u$, and $m$ projections, of which the one across $e_r$ writes $e_r$. [checked: "the factors multiply to A"; "and their writes add up to B"; "there are at most m + 1"]
    3. $P_2P_1+0$, $e(P_1^\top u)^\top$ and $0$ are all products, with inputs $0$, $e_r$ or $e_r+ce$: $(P+0)e=0$, and $u^\top e=0$ so that a reset forgets the number. In each entry of $A_2A_1$ and of $A_2B_1+B_2$ one term at most is not 0, since columns of $A_1$ have one entry,
       a row of $A_2$ meets one entry of $B_1$ other than in $e$, and where $B_2\ne0$ the row of $A_2$ is 0. [checked: "one term at most"] [prose]
    4. Entries of products are those of $P$ and $u$ and their products with 0 and 1: a format that has $u$ rounds nothing, in the loop and in the scan. [checked: "entries are old ones"] [prose]
    5. Micro-steps of a reset: $S\leftarrow S-f(f^\top S)$, $f=e-u$, makes the number $s-(s-u_q)=u_q$. Numbers are $c\,2^{-k}$ with $|c|\le m/2$, and $|s-u_q|\le(m-1)2^{-k}$ has 8 bits for $m\le257$. Other coordinates may be rounded, but are then projected away; the $r$-th is not touched, as $u_r=0$.
       [checked: "differences of numbers have 8 bits"; "258 states have one that has not"; "micro-steps in bfloat16 end in the exact state"]
    6. The last level hands up nothing: a reset is $A=0$. Then, and for two slots, states may be any integer vectors that signed permutation matrices move alike: a block system of an orbit gives a coordinate for each block, or for each pair of blocks with a sign.
       [checked: "the matrix moves the vectors"; "vectors differ"; "signed permutation matrices"; "never wider than the level"]
    7. Each layer's states are finitely many and closed under all that it can read, and the last layer's output is the automaton's state. [uses: new.automata.holonomy] [checked: "the output is the automaton's state"; "at most |Q| + 1 wide"; "every length on every path"]
    8. Steps 1 to 6 are the same for all $m$, and step 7 for all automata; the machine goes through those of the scope. [prose]
    """
    _levels(proof, maps)
    _products(proof, maps)
    _numbers(proof, maps, largest)
    _vectors(proof, vectors)
    describe, automata = family(proof, 81)
    for automaton in proof.each(f"{describe}; every word of every length by closure", automata):
        reachable = automaton.reachable()
        layers = stack(krohn_rhodes(reachable))
        of_four = reachable.table == full_transformations(4).table
        closes_by_layers(proof, "the output is the automaton's state", layers, reachable, certify=of_four)
        proof.holds("at most |Q| + 1 wide", max(len(H) for H in layers.initial) <= reachable.n + 1)
        if reachable.n > 3:
            lengths = guaranteed_lengths(network_document(reachable, close_by_layers(layers, reachable)))
            proof.exactly("every length on every path in every format", {n for row in lengths.values() for n in row.values()}, {inf})


def _moves(m: int) -> list[Move]:
    return [Move(p, None) for p in permutations(range(m))] + [Move(None, r) for r in range(m)]


def _levels(proof: Proof, maps: Maps) -> None:
    """Step 1 and 2: maps, what is read off, factors."""
    most = proof.pick(3, 4, 5)
    for m in proof.every(f"all permutations and resets of m <= {most} states", range(2, most + 1)):
        for move in _moves(m):
            A, B = maps(move, m)
            states = [exact.unit_vector(m + 1, q)[:, None] + _axis(m) * s for q in range(m) for s in (0, old_numbers(m, 0)[0][1])]
            found = [numbered_positions(A @ H + B, move) for H in states]
            proof.exactly("the new and the old state are read off", found, [(q, move(q)) for q in range(m) for _ in (0, 1)])
            steps = delta_steps(A, B)
            H, shift = exact.identity(m + 1), B * 0
            for step in steps:
                H, shift = step.factor.apply(H), step.apply(shift)
            proof.exactly("the factors multiply to A", H, A)
            proof.exactly("and their writes add up to B", shift, B)
            proof.holds("there are at most m + 1", len(steps) <= m + 1 and all(0 <= s.factor.beta <= 2 for s in steps))


def _axis(m: int) -> Array:
    return exact.unit_vector(m + 1, m)[:, None]


def _products(proof: Proof, maps: Maps) -> None:
    """Steps 3 and 4: every two compositions of maps, whatever they are made of."""
    most = proof.pick(3, 4, 4)
    for m in proof.every(f"all compositions of two products, m <= {most} states", range(2, most + 1)):
        # multiples of the least unit, as integers
        unit = int(min(old_numbers(m, r)[1] for r in range(m)).q)
        letters = [(_integers(A, unit), _integers(B[:, 0], unit)) for A, B in (maps(move, m) for move in _moves(m))]
        A, B = _closed(letters, unit)
        terms = (A[:, None, :, :, None] != 0) & (A[None, :, None, :, :] != 0)
        proof.holds("one term at most in each entry of a product of transitions", bool((terms.sum(3) <= 1).all()))
        added = ((A[:, None] != 0) & (B[None, :, None, :] != 0)).sum(3) + (B != 0)[:, None, :]
        proof.holds("one term at most in each entry of an input", bool((added <= 1).all()))
        old = {int(x) for a, b in letters for x in (*a.flat, *b.flat)}
        proof.holds("entries are old ones", {int(x) for x in (*A.flat, *B.flat)} <= old)


def _integers(x: Array, unit: int) -> np.ndarray:
    return np.array([int((y * unit).p) for y in x.flat], dtype=np.int64).reshape(x.shape)


def _closed(letters: list[tuple[np.ndarray, np.ndarray]], unit: int) -> tuple[np.ndarray, np.ndarray]:
    """All compositions, numbers in units: A_2 A_1 and A_2 B_1 + B_2, exact as long as what is divided by the unit is a multiple of it."""
    found = {(a.tobytes(), b.tobytes()): (a, b) for a, b in letters}
    waiting = list(found.values())
    for a, b in waiting:
        for c, d in letters:
            # where a sum has one term that is a product with a unit, the division is exact; else the entry is no old one, which is found
            after = (c @ a) // unit, (c @ b) // unit + d
            key = after[0].tobytes(), after[1].tobytes()
            if key not in found and len(found) < 5000:
                found[key] = after
                waiting.append(after)
    return np.array([a for a, _ in found.values()]), np.array([b for _, b in found.values()])


def _numbers(proof: Proof, maps: Maps, largest: int) -> None:
    """Step 5: what is subtracted has few bits, and micro-steps rounded one operation after the other."""
    sizes = proof.pick((*range(2, 18), largest), range(2, largest + 1), range(2, largest + 1))
    for m in proof.every(f"levels of {'2 to 17 and' if len(sizes) < 20 else '2 to'} {largest} states", sizes):
        numbers, unit = old_numbers(m, 0)
        multiples = sorted(int((x / unit).p) for x in numbers)
        proof.exactly("distinct multiples of a power of two", (multiples, int(unit.q) & (int(unit.q) - 1)), (_around(m), 0))
        proof.holds("|u| is at most 1", sum(x * x for x in numbers) <= 1)
        differences = {x - y for x in (0, *multiples) for y in (multiples[0], multiples[-1])} | set(multiples)
        proof.holds("differences of numbers have 8 bits", all(fmpq(abs(x)) * unit in BFLOAT16 for x in differences))
    multiples = _around(largest + 1)
    proof.holds("258 states have one that has not", fmpq(multiples[-1] - multiples[0]) not in BFLOAT16)
    most = proof.pick(4, 6, 9)
    for m in proof.every(f"resets of levels of 2 to {most} states, every state and number", range(2, most + 1)):
        marks = sorted({x for r in range(m) for x in old_numbers(m, r)[0]})
        for r in range(m):
            A, B = maps(Move(None, r), m)
            steps = stored_steps(A, B, BFLOAT16)
            for q, s in product(range(m), marks):
                _runs(proof, A, B, steps, q, s)
    ends_of = proof.pick((16,), (16, 59, largest), (16, 59, largest))
    for m in proof.each(f"resets of {', '.join(map(str, ends_of))} states, states and numbers at the ends", ends_of):
        for r in (m - 1,) if m > 59 else (0, m // 3, m - 1):
            A, B = maps(Move(None, r), m)
            steps, ends = stored_steps(A, B, BFLOAT16), old_numbers(m, r)[0].tolist()
            for q in {0, m - 1, ends.index(max(ends)), ends.index(min(ends))}:
                for s in (max(ends), min(ends), fmpq(0)):
                    _runs(proof, A, B, steps, q, s)


def _runs(proof: Proof, A: Array, B: Array, steps: list[Micro], q: int, s: fmpq) -> None:
    H = exact.unit_vector(len(A), q) + exact.unit_vector(len(A), len(A) - 1) * s
    # A is sparse but for its last row
    wanted = [A[i, q] + A[i, -1] * s + B[i, 0] for i in range(len(A))]
    proof.exactly("micro-steps in bfloat16 end in the exact state", rounded_run(steps, H.tolist(), BFLOAT16), wanted)


def _around(m: int) -> list[int]:
    """m integers about 0."""
    return list(range(-((m - 1) // 2), m // 2 + 1))


class Micro(NamedTuple):
    """h + k (beta (v - k.h)), as it is stored: the key's entries other than 0."""

    key: dict[int, fmpq]
    strength: fmpq
    value: fmpq


def stored_steps(A: Array, B: Array, form: Format) -> list[Micro]:
    """The micro-steps of a map in a format: keys are vectors of integers times a power of two, of squared length in (1/2, 2]."""
    found = []
    for step in delta_steps(A, B):
        entries = {i: x * fmpq(1) for i, x in enumerate(step.factor.v) if x != 0}
        least = min(map(abs, entries.values()))
        common = fmpq(max(int((x / least).q) for x in entries.values())) / least
        while sum((x * common) ** 2 for x in entries.values()) > 2:
            common /= 2
        key = {i: x * common for i, x in entries.items()}
        beta = step.factor.beta * fmpq(1) / sum(x * x for x in key.values())
        found.append(Micro({i: form.round(x) for i, x in key.items()}, form.round(beta), form.round(fmpq(step.write) / common / beta)))
    return found


def rounded_run(steps: list[Micro], H: list[fmpq], form: Format) -> list[fmpq]:
    """H after the micro-steps, each operation rounded; a product with 0 is 0, and adding it changes nothing."""
    H = [*H]
    for key, strength, value in steps:
        total = fmpq(0)
        for i, x in key.items():
            total = form.round(total + form.round(x * H[i])) if H[i] != 0 else total
        w = form.round(strength * form.round(value - total))
        for i, x in key.items():
            H[i] = form.round(H[i] + form.round(x * w))
    return H


def _vectors(proof: Proof, vectors: Callable[[int, Iterable[tuple[int, ...]]], LevelVectors]) -> None:
    """Step 6: vectors of a level's states for every two permutations, and for cycles."""
    most = proof.pick(3, 4, 5)
    pairs = [(m, pair) for m in range(1, most + 1) for pair in product(permutations(range(m)), repeat=2)]
    cycles = [(m, [tuple((i + 1) % m for i in range(m))]) for m in range(1, proof.pick(13, 37, 121))]
    rng = Random(82)
    several = [(m, [_shuffled(rng, m) for _ in range(2)]) for m in (7, 9, 12) for _ in range(proof.pick(2, 10, 40))]
    for m, moves in proof.every(f"every two permutations of {most} states at most", pairs):
        _moved_alike(proof, m, list(moves), vectors)
    for m, moves in proof.each(f"one cycle of up to {cycles[-1][0]} states; pairs that keep thirds apart, seed 82", cycles + several):
        _moved_alike(proof, m, moves, vectors)


def _moved_alike(
    proof: Proof, m: int, moves: list[tuple[int, ...]], vectors: Callable[[int, Iterable[tuple[int, ...]]], LevelVectors]
) -> None:
    found = vectors(m, moves)
    proof.exactly("vectors differ", len({found.vector(i) for i in range(m)}), m)
    proof.holds("never wider than the level", found.width <= m)
    for p in (tuple(range(m)), *moves):
        M = _integers(found.matrix(p), 1)
        points = np.array([found.vector(i) for i in range(m)])
        proof.holds("the matrix moves the vectors", np.array_equal(points @ M.T, points[list(p)]))
        proof.holds("signed permutation matrices", bool(np.isin(M, (-1, 0, 1)).all()) and np.array_equal(M.T @ M, np.eye(len(M))))


def _shuffled(rng: Random, m: int) -> tuple[int, ...]:
    """A permutation that keeps the first third of the states in place among themselves, and moves the next two alike."""
    third = m // 3
    p = rng.sample(range(third), third)
    return (*p, *(third + i for i in p), *range(2 * third, m))


def _changed(move: Move, m: int, change: Callable[[Array, int], Array]) -> tuple[Array, Array]:
    A, B = (x.copy() for x in numbered_maps(move, m))
    if move.reset is not None:
        A[m, :m] = change(A[m, :m], move.reset)
    return A, B


def _merged(u: Array, r: int) -> Array:
    u = u.copy()
    u[(r + 1) % len(u)] = fmpq(0)
    return u


def _reading(move: Move, m: int) -> tuple[Array, Array]:
    """A reset whose row reads the number too, so that products grow."""
    A, B = (x.copy() for x in numbered_maps(move, m))
    if move.reset is not None:
        A[m, m] = old_numbers(m, 0)[1]
    return A, B


def _unsigned(found: LevelVectors) -> LevelVectors:
    return LevelVectors(tuple({c: abs(x) for c, x in one.items()} for one in found.entries), found.width)
