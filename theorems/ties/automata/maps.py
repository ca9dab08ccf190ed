"""Maps of layers: exact affine maps, micro-steps of the delta rule, layers as printed."""

from __future__ import annotations

from math import lcm
from random import Random
from typing import Any

import numpy as np
from flint import fmpq

from ....constructions.automata import affine
from ....constructions.automata.cascade.cascade import Move
from ....constructions.automata.levels.delays import two_slot_maps
from ....constructions.automata.levels.repaired import level_maps, one_hot_maps, printed_layer
from ....constructions.automata.prove.delta_steps import delta_steps
from ....constructions.householder import cycles, exact_rotation
from ....numerics import exact
from ...claim import tie
from ...evidence import Proof


@tie("grazzi25.sec1.regular")
def exact_maps(proof: Proof) -> None:
    """Affine maps on integers over a common denominator, and the states that they lead to, against A H + B entry by entry."""
    rng = Random(67)

    def drawn(rows: int, columns: int) -> exact.Array:
        return exact.rationals([[fmpq(rng.randrange(-9, 10), rng.randrange(1, 7)) for _ in range(columns)] for _ in range(rows)])

    for n in proof.tied("widths 1 to 13, negative entries among them", range(1, 14)):
        A, B, H = drawn(n, n), drawn(n, 1), drawn(n, 1)
        parts = [part for M in (A, B, H) if (part := affine.integral(M)) is not None]
        for M, part in zip((A, B, H), parts, strict=True):
            proof.exactly("integers over their least denominator", lcm(*(int(x.q) for x in M.flat)), int(part.denominator))
            proof.exactly("the numerators", list(map(int, part.numerators.entries())), [int(x * fmpq(part.denominator)) for x in M.flat])
            proof.exactly("the matrix back", part.array().tolist(), M.tolist())
        moved = [[sum((A[i, j] * H[j, 0] for j in range(n)), fmpq(0)) + B[i, 0]] for i in range(n)]
        proof.exactly("A H + B on integers", affine.apply(*parts).array().tolist(), moved)
        proof.exactly("equal matrices have equal keys", affine.key(A + A - A), affine.key(A))
        proof.holds("different matrices have different keys", affine.key(A) != affine.key(A + fmpq(1, 7)))
        turn = exact_rotation(5, 1)
        for cyclotomic in (False, True):
            # a cycle of n coordinates and a sign; in a field, a turn beside it
            cycle = exact.rationals([[(-1 if j == n - 1 else 1) if i == (j + 1) % n else 0 for j in range(n)] for i in range(n)])
            start = exact.rationals([[i + 1] for i in range(n)])
            if cyclotomic:
                cycle, start = exact.block_diagonal([cycle * turn[0, 0] ** 0, turn]), np.concatenate([start, turn[:, :1]])
            shift = start * 0
            orbit, q, state = affine.Orbit(start), 0, start
            f = orbit.number_of(cycle, shift)
            proof.exactly("a map has one number", orbit.number_of(cycle.copy(), shift.copy()), f)
            for _ in range(n + 3):
                q, state = orbit.after(q, f), cycle @ state + shift
                proof.exactly("the state after the map", orbit.states[q].tolist(), state.tolist())
    for m in proof.tied("rotations by 2 pi / m, m = 3, 5, 7", (3, 5, 7)):
        proof.exactly("no integers for cyclotomic numbers", affine.integral(exact_rotation(m, 1)), None)


@tie("grazzi25.thm4")
def micro_steps(proof: Proof) -> None:
    """Micro-steps of the delta rule compose to the map itself; permutations take swaps of two coordinates."""
    rng = Random(68)
    moves = [(m, Move(tuple(rng.sample(range(m), m)), None)) for m in range(2, 11)]
    resets = [(m, Move(None, rng.randrange(m))) for m in range(2, 11)]
    maps = [build(move, m) for m, move in moves + resets for build in (level_maps, two_slot_maps) if m <= 6 or build is level_maps]
    maps += [one_hot_maps(move, m) for m, move in moves]
    maps += [(exact.rationals([[fmpq(k, 4)]]), exact.rationals([[b]])) for k in range(-4, 4) for b in (0, -1, 2)]
    for A, B in proof.tied("the maps of levels of up to 10 states, permutations of up to 10 points, scalars in [-1, 1)", maps):
        n = len(A)
        steps = delta_steps(A, B)
        for H in (exact.zeros(n, 1), *(exact.unit_vector(n, i)[:, None] for i in range(n))):
            after = H
            for step in steps:
                after = step.apply(after)
            proof.exactly("the steps compose to A H + B", after.tolist(), (A @ H + B).tolist())
        proof.holds("eigenvalues lie in [-1, 1]", all(0 <= step.factor.beta <= 2 for step in steps))
    for m, move in proof.tied("permutations of 2 to 10 points", moves):
        steps = delta_steps(*one_hot_maps(move, m))
        proof.exactly("a swap for each point of a cycle but one", len(steps), m - len(cycles(move.permutation)))
        found = [(sorted(step.factor.v), step.factor.beta, step.write) for step in steps]
        swap = ([-1, *[0] * (m - 2), 1], 2, 0)
        proof.exactly("each step swaps two coordinates", found, [swap] * len(steps))
        centred = delta_steps(*level_maps(move, m))
        found = [(sorted(step.factor.v), step.factor.beta, step.write) for step in centred]
        proof.exactly("on the simplex one projection comes before them", found, [([1] * m, 1, 0), *[swap] * len(steps)])


@tie("grazzi25.thm4.proof")
def printed_levels(proof: Proof) -> None:
    """The layer as printed hands up the state after each letter, and the letter."""
    rng = Random(69)
    for m in proof.tied("levels of 1 to 10 states, words of 25 letters", range(1, 11)):
        actions = {"p": Move(tuple(rng.sample(range(m), m)), None), "q": Move(tuple(rng.sample(range(m), m)), None)}
        actions |= {"r": Move(None, rng.randrange(m)), "s": Move(None, m - 1)}
        start = rng.randrange(m)
        q: Any = start
        word, wanted = [rng.choice("pqrs") for _ in range(25)], []
        for x in word:
            permutation, reset = actions[x]
            q = permutation[q] if permutation is not None else reset
            wanted.append((q, x))
        proof.exactly("the state after the letter", printed_layer(actions, m, start).run(word), wanted)
