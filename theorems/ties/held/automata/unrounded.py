"""Levels that no float rounds and registers, row by row: every map on every state of up to 13, what is read off and what is not, cut-offs from both sides."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
from flint import fmpq

from .....constructions.automata.automaton import Automaton
from .....constructions.automata.cascade.cascade import Cascade, Move, krohn_rhodes
from .....constructions.automata.layers import registers
from .....constructions.automata.layers.level_vectors import LevelVectors, level_vectors
from .....constructions.automata.levels.forgetful import forgetful
from .....constructions.automata.levels.level import Level
from .....constructions.automata.levels.numbered import numbered, numbered_maps, numbered_positions, old_numbers
from .....constructions.automata.levels.stack import unrounded_levels, unrounded_stack
from .....constructions.automata.levels.two_slots import two_slots
from .....constructions.automata.prove import delta_steps
from .....constructions.automata.rounding import terms as precision_terms
from .....constructions.automata.rounding.layer import LayerNumbers
from .....numerics import exact
from ....claim import tie
from ....evidence import Proof
from .. import POSITIVE, hold
from .common import Images


def turn(n: int, k: int = 1) -> Images:
    return tuple((i + k) % n for i in range(n))


def one_hot(m: int) -> LevelVectors:
    return LevelVectors(tuple({i: 1} for i in range(m)), m)


def made(way: Callable[[LevelVectors, int, bool], Level | None], vectors: LevelVectors, start: int, last: bool) -> Level:
    level = way(vectors, start, last)
    assert level is not None
    return level


def moves_of(m: int) -> list[Move]:
    """Turns, and resets to each state."""
    return [Move(turn(m, k), None) for k in {0, 1 % m, m // 2}] + [Move(None, r) for r in range(m)]


def run_level(proof: Proof, name: str, level: Level, m: int, start: int, forgets: bool) -> None:
    """A reset and a turn, then each map: the new state, and the old one where the level keeps it."""
    H: Any = level.start
    q = start
    for before, move in product([*moves_of(m)[1:3], *moves_of(m)[-2:]], moves_of(m)):
        for one in (before, move):
            A, B = level.maps(one)
            H, old, q = A @ H + B, q, one(q)
        proof.exactly(f"{name}: what is read off", level.positions(H, move), (None if forgets else old, q))
    proof.exactly(f"{name}: nothing is read off no state", level.positions(H * 0 + 300, moves_of(m)[-1]), None)
    proof.exactly(f"{name}: width", len(H), level.width)


@tie("new.automata.unrounded")
def levels(proof: Proof) -> None:
    """The three ways to realise a level of 1 to 13 states, and which of them is taken."""
    for m in proof.tied("levels of 1 to 13 states that turn", POSITIVE):
        for start in {0, m - 1}:
            for vectors in (level_vectors(m, [turn(m), turn(m, m // 2)]), one_hot(m)):
                run_level(proof, "forgetful", made(forgetful, vectors, start, True), m, start, True)
                if m > 1:
                    slots = two_slots(vectors, start, False)
                    run_level(proof, "two_slots", slots, m, start, False)
                    proof.exactly("two_slots: half the least distance, its width", (slots.margin, slots.width), (0.5, 2 * vectors.width))
            level = made(numbered, one_hot(m), start, False)
            run_level(proof, "numbered", level, m, start, False)
            numbers = [old_numbers(m, r)[0].tolist() for r in range(m)]
            apart = [abs(x - y) for u in numbers for x, y in product(u, u) if x != y]
            proof.exactly("numbered: half the least distance", level.margin, min([0.5, *(float(x) / 2 for x in apart)]))
        for r in range(m):
            u, unit = old_numbers(m, r)
            multiples = [int((x / unit).p) for x in u]
            around = [x for x in range(-m, m) if -m < 2 * x <= m]
            proof.exactly("old_numbers: all multiples about 0", sorted(multiples), around)
            proof.exactly(
                "old_numbers: in a circle from r on",
                multiples[r:] + multiples[:r],
                [x for x in around if x >= 0] + [x for x in around if x < 0],
            )
            squares = sum(x * x for x in multiples)
            proof.exactly(
                "old_numbers: the largest unit", (squares * unit**2 <= 1, unit == 1 or squares * (2 * unit) ** 2 > 1), (True, True)
            )
    for m in proof.tied("what no level of 1 to 13 states encodes", POSITIVE):
        stays, reset = Move(tuple(range(m)), None), Move(None, m - 1)
        for q in range(m):
            column = exact.unit_vector(m + 1, q)[:, None]
            kinds = [column, exact.as_float(column), exact.as_float(column).astype(complex)]
            proof.exactly("numbered_positions: exact, float, complex", [numbered_positions(H, stays) for H in kinds], [(q, q)] * 3)
            wrong = [
                column * 2,
                column - exact.unit_vector(m + 1, (q + 1) % m)[:, None],
                column + exact.unit_vector(m + 1, m)[:, None] * fmpq(1, 3),
            ]
            proof.exactly("numbered_positions: none", [numbered_positions(H, reset) for H in wrong], [None] * 3)
    for last, m in proof.tied("where a way does not serve", [(False, 1), (False, 13), (True, 257), (True, 258)]):
        ways = [forgetful(one_hot(m), 0, last) is None, numbered(one_hot(m), 0, last) is None]
        proof.exactly("forgetful below others, numbered beyond 257 states: none", ways, [not last, m > 257])
    asked: list[int] = []
    looked = lambda most: asked.append(most) or False  # noqa: E731
    for sizes in proof.tied("cascades that read too much, of 1 to 12 levels", [(3,), (1, 2), (3, 2, 4), (258, 3), (257, 3), (2,) * 12]):
        cascade = SimpleNamespace(sizes=sizes, start=tuple(m - 1 for m in sizes), automaton=SimpleNamespace(n=7), reads_at_most=looked)
        found = unrounded_levels(cast(Cascade, cascade))
        wanted = [m + 1 if 1 < m <= 257 else 2 * m for m in sizes[:-1]] + [sizes[-1]]
        proof.exactly("unrounded_levels: widths", [level.width for level in found], wanted)
        starts = [level.start[:m, 0].tolist() for level, m in zip(found, sizes, strict=True)]
        proof.exactly("unrounded_levels: starts", starts, [[fmpq(int(i == m - 1)) for i in range(m)] for m in sizes])
    proof_of = {*asked}
    for most in proof.tied("reads times states", proof_of):
        proof.exactly("unrounded_levels: how far it looks", most, 200_000 // 7)


def argument_holds(A: np.ndarray, B: np.ndarray, start: np.ndarray) -> bool:
    """The sentence of ``adds_nothing``, entry by entry."""
    maps, n = range(len(A)), len(start)
    rows = lambda M: [{j for j in range(len(M)) if M[i][j]} for i in range(len(M))]  # noqa: E731
    is_signed = lambda M: all(len(x) <= 1 for x in (*rows(M), *rows(M.T))) and set(M.flat) <= {0, 1, -1}  # noqa: E731
    if all(is_signed(A[g]) and not any(B[g][i] and rows(A[g])[i] for i in range(n)) for g in maps):
        return True
    inner = [j for j in range(n) if A[:, :, j].any()]
    for g in maps:
        written, moved = {i for i in range(n) if B[g][i]}, A[g][np.ix_(inner, inner)]
        one_each = all(np.count_nonzero(A[g][:, j]) <= 1 for j in range(n))
        if not (one_each and is_signed(moved) and written <= set(inner) and len(written) <= 1 and set(B[g]) <= {0, 1, -1}):
            return False
        if written and moved.any():
            return False
    return set(start[inner]) <= {0, 1, -1} and bool(np.count_nonzero(start[inner]) <= 1)


@tie("new.automata.unrounded")
def sums(proof: Proof) -> None:
    """Where the argument holds that no sum has two terms: levels with numbers, and with one entry changed, by its sentence."""
    rng, said = Random(613), {True: 0, False: 0}
    for m in proof.tied("levels of 1 to 13 states with numbers, as they are and with an entry changed", POSITIVE):
        maps = [numbered_maps(move, m) for move in moves_of(m)[:6] + moves_of(m)[-1:]]
        A, B = (np.array([exact.as_float(x) for x in part]) for part in zip(*maps, strict=True))
        start = np.eye(m + 1)[0]
        for change in range(30):
            a, b, s = A.copy(), B[:, :, 0].copy(), start.copy()
            if change:
                part = (a, a, b, b, s)[change % 5]
                part[tuple(rng.randrange(k) for k in part.shape)] = rng.choice((0.0, 1.0, -1.0, 0.5))
            layer = LayerNumbers.__new__(LayerNumbers)
            layer.A, layer.B, layer.states = a, b, s[None]
            found = argument_holds(a, b, s)
            said[found] += 1
            proof.exactly("adds_nothing", precision_terms.adds_nothing(layer), found)
            proof.exactly(
                "_keeps_numbers, or signed and apart", precision_terms._keeps_numbers(layer) or precision_terms._moves(a, b), found
            )
    for count in proof.tied("layers of which it holds, and of which not", said.values()):
        proof.holds("are some", count >= 20)
    drawn = [
        np.array([[rng.choice((0, 0, 0, 1, -1, 0.5)) for _ in range(n)] for _ in range(n)])[None] for n in (1, 2, 3) for _ in range(20)
    ]
    drawn += [np.eye(n)[list(turn(n))][None] * sign for n in POSITIVE for sign in (1.0, -1.0, 0.5)]
    few = lambda A: all(np.count_nonzero(line) <= 1 for M in A for line in (*M, *M.T)) and set(A.flat) <= {0, 1, -1}  # noqa: E731
    hold(proof, "matrices of 1 to 13 rows", precision_terms._signed, few, [(A,) for A in drawn])


def window_automaton(letters: int, length: int) -> Automaton:
    """The last letters as digits of a number."""
    n = letters**length
    return Automaton({b: tuple((letters * q + b) % n for q in range(n)) for b in range(letters)}, 0)


def countdown(n: int) -> Automaton:
    """A letter that goes one state on, to the last one."""
    return Automaton({-1: tuple(min(q + 1, n - 1) for q in range(n))}, 0)


@tie("new.automata.unrounded")
def windows(proof: Proof) -> None:
    """Registers: how far back a state reaches, numbers of letters, cut-offs; what stands in no register is no state. Projections that write."""
    machines = [(window_automaton(b, k), k) for b, k in ((1, 1), (2, 1), (2, 3), (3, 2), (5, 1), (13, 1))]
    machines += [(countdown(n), max(n - 1, 1)) for n in (1, 2, 3, 7, 13)]
    machines += [(Automaton({-2.5: (1, 1, 1), "b": (2, 2, 2), 1j: (1, 1, 1)}, 2), 1), (Automaton({-3: (0, 0), -4: (1, 1)}, 1), 1)]
    for automaton, k in proof.tied("definite automata that reach 1 to 12 letters back", machines):
        found = registers.register(automaton)
        actions = [automaton.table[x] for x in automaton.letters]
        proof.exactly("memory", (registers.memory(automaton), found and found.length), (k, k))
        if found is None:
            continue
        alike = all(
            (found.numbers[x] == found.numbers[y]) == (automaton.table[x] == automaton.table[y])
            for x, y in product(automaton.letters, repeat=2)
        )
        silent = {x for x in automaton.letters if automaton.table[x][automaton.start] == automaton.start}
        least = {found.numbers[x] for x in silent} if len({automaton.table[x] for x in silent}) == 1 else {0}
        proof.exactly("register: letters that act alike share a number", (alike, least <= {0}), (True, True))
        wanted = range(len(set(actions))) if silent else range(1, 1 + len(set(actions)))
        proof.exactly(
            "register: numbers from 0 on, or 1 where no letter keeps the start", sorted(set(found.numbers.values())), list(wanted)
        )
        layer = registers.register_layer(automaton, found)
        words = [w for length in (0, 1, 2, 3) for w in product(automaton.letters[:3], repeat=length)] + [(automaton.letters[-1],) * 14]
        for word in words:
            proof.exactly("register_layer", layer.run(list(word)), automaton.run(list(word)))
        proof.exactly(
            "register_layer: no letter's number", [layer.decode(layer.initial * 0 + x, None) for x in (-1, 300, fmpq(1, 2))], [None] * 3
        )
        states = {number: x for x, number in found.numbers.items()}
        for window in product([0, *states], repeat=k) if k < 4 and len(states) < 6 else ():
            read = [states[number] for number in reversed(window) if number in states]
            q = automaton.run(read)[-1] if read else automaton.start
            proof.exactly("register_layer: every window", layer.decode(exact.rationals([[x] for x in window]), None), q)
    constants = lambda n, k: Automaton({x: (x,) * n for x in range(k)}, 0)  # noqa: E731
    cut_offs = [
        ("numbers of letters", constants(256, 256), True), ("numbers of letters", constants(257, 257), False),
        ("windows", countdown(13), True), ("windows", countdown(14), False), ("no end", Automaton({"a": (1, 0)}), False),
        ("no end", Automaton({"a": (0, 0, 1, 1), "b": (2, 2, 3, 3)}), True), ("no end", Automaton({"a": (1, 1, 2), "b": (0, 2, 2)}), False),
    ]  # fmt: skip
    for what, automaton, is_one in proof.tied("both sides of each cut-off", cut_offs):
        proof.exactly(f"register: {what}", registers.register(automaton) is not None, is_one)
    rows = [
        (images,)
        for n in POSITIVE
        for images in (turn(n), (0,) * n, tuple(min(q + 1, n - 1) for q in range(n)), tuple(q // 2 for q in range(n)))
    ]
    left = lambda images: len({q for q in range(len(images)) if any(_power(images, k, q) == q for k in range(1, len(images) + 1))})  # noqa: E731
    hold(proof, "maps of 1 to 13 states", registers._settled, left, rows)
    for n in proof.tied("a permutation of some coordinates of 2 to 13, and an input", POSITIVE[1:]):
        moved = {j: ((j + 1) % n, -1 if j % 2 else 1) for j in range(n - 1)}
        A, free = exact.zeros(n, n), exact.unit_vector(n, 0) * 3
        for j, (i, sign) in moved.items():
            A[i, j] = fmpq(sign)
        steps = delta_steps._moves_and_writes(moved, free)
        H, shift = exact.identity(n), exact.zeros(n, 1)
        for step in steps or []:
            H, shift = step.factor.apply(H), step.apply(shift)
        proof.exactly("_moves_and_writes: the map", H, A)
        proof.exactly("_moves_and_writes: the input", shift[:, 0], free)
        proof.exactly(
            "_moves_and_writes: an input where a coordinate moves to",
            delta_steps._moves_and_writes(moved, exact.unit_vector(n, n - 1)),
            None,
        )


def _power(images: Images, k: int, q: int) -> int:
    for _ in range(k):
        q = images[q]
    return q


@tie("new.automata.unrounded")
def stacks_of_levels(proof: Proof) -> None:
    """Stacks of 13 states to one on random words: a layer for each level, and one silent layer where there is none."""
    rng = Random(594)
    for n in proof.tied("13 states to one", POSITIVE[::-1]):
        up, down = tuple(min(q + 1, n - 1) for q in range(n)), tuple(max(q - 1, 0) for q in range(n))
        for rows in ({"up": up, "down": down}, {"keep": tuple(range(n)), "reset": (n // 2,) * n}):
            automaton = Automaton(rows, n - 1)
            cascade = krohn_rhodes(automaton)
            stack, word = unrounded_stack(cascade), [rng.choice(automaton.letters) for _ in range(30)]
            proof.exactly("unrounded_stack: layers", len(stack.layers), max(1, len(cascade.sizes)))
            proof.exactly("unrounded_stack", stack.run(word), automaton.run(word))
