"""Exact weights near those of a cell h' = relu(A[x] h + b[x]): rounded to multiples of a power of two, and closed in exact arithmetic.

A ReLU commutes with positive factors of its units. So the units are rescaled first, by what random words reach: all of a unit's largest value, or of its
least one that is not 0, becomes 1. What closes is the cell in these units; the decoder reads them times the factors, so nothing but A, b and the first
state is changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from ....numerics.progress import Progress, silent
from .program_orbits import Finding, Target, closed
from .programs import Op, Program, affine_maps
from .rounding_weights import FIT

#: denominators that are tried
DENOMINATORS = tuple(2**k for k in range(7))
#: entries that are smaller than this part of the largest one count as 0 where units are rescaled
NOTHING = 1 / 16
#: roundings that are closed, and states of each
ATTEMPTS, STATES = 6, 2000


@dataclass(frozen=True)
class NearbyProgram:
    """Rounded weights and what is found of them. ``changes`` are the largest changes of A, b and the first state, in the cell's own units."""

    program: Program
    finding: Finding
    says: str
    changes: tuple[float, float, float]

    @property
    def verdict(self) -> str:
        """ "right" at every length, "wrong" on a word, or "open"."""
        return self.finding.verdict


@dataclass(frozen=True)
class _Cell:
    """h' = relu(A[z] h + b[z]) from ``initial``."""

    A: np.ndarray
    b: np.ndarray
    initial: np.ndarray


def near(program: Program, target: Target, tolerance: float, limit: int, progress: Progress = silent) -> NearbyProgram | None:
    """The first rounding that is right at every length, else one that is wrong, else the first one.

    None unless the next state is a ReLU of an affine map of the state, and some rounding is within ``tolerance``: in other units, and in the
    cell's own, where an entry above 1 in size may lose that part of itself.
    """
    cell = _cell(program)
    if cell is None:
        return None
    failures: list[NearbyProgram] = []
    for rounded, says, changes in islice(_roundings(program, cell, tolerance), ATTEMPTS):
        found = NearbyProgram(rounded, closed(rounded, target, None, min(limit, STATES), progress), says, changes)
        if found.verdict == "right":
            return found
        failures.append(found)
    return next((f for f in failures if f.verdict == "wrong"), failures[0] if failures else None)


def _cell(program: Program) -> _Cell | None:
    op = program.ops[program.after]
    if op.name != "relu":
        return None
    inner = replace(program, after=op.of[0])
    affine = affine_maps(inner)
    if affine is None or not all(np.isfinite(x).all() for x in affine) or not _reads_after(program):
        return None
    return _Cell(*affine, program.first)


def _reads_after(program: Program) -> bool:
    """Whether the scores read letters and the state after them alone."""
    known = {program.after}
    for i, op in enumerate(program.ops):
        if op.name != "state" and all(j in known for j in op.of):
            known.add(i)
    return program.scores in known


def _roundings(program: Program, cell: _Cell, tolerance: float) -> Iterator[tuple[Program, str, tuple[float, float, float]]]:
    """(program, what its numbers are, changes) of each scale and denominator that fit."""
    tried = set()
    for scale in _scales(program):
        A, b, start = cell.A * scale / scale[:, None], cell.b / scale, cell.initial / scale
        for d in DENOMINATORS:
            near = tuple(np.rint(x * d) / d for x in (A, b, start))
            off = [np.abs(x - y) for x, y in zip((A, b, start), near, strict=True)]
            # a large unit that is measured by its largest value hides what its weights lose
            own = off[0] * scale[:, None] / scale, off[1] * scale, off[2] * scale
            lost = max(
                float((x / np.maximum(1, np.abs(y))).max(initial=0)) for x, y in zip(own, (cell.A, cell.b, cell.initial), strict=True)
            )
            changes = tuple(float(x.max(initial=0)) for x in own)
            key = b"".join(x.tobytes() for x in (*near, scale))
            if max(x.max(initial=0) for x in off) > min(tolerance, FIT / d) or lost > tolerance or key in tried:
                continue
            tried.add(key)
            says = "integers" if d == 1 else f"multiples of 1/{d}"
            says += "" if (scale == 1).all() else ", in rescaled units"
            yield _program(program, *near, scale), says, changes  # type: ignore[misc]


def _scales(program: Program) -> Iterator[np.ndarray]:
    """A positive factor for each unit: 1, or its largest or its least value on random words that is not about 0."""
    ones = np.ones(program.width)
    yield ones
    values, H = [], np.tile(program.first, (64, 1))
    at, front = np.zeros(64, dtype=np.int64), np.array(program.front)
    rng = np.random.default_rng(0)
    with np.errstate(all="ignore"):
        for _ in range(32):
            at, z = front[at, rng.integers(program.letters, size=64)].T
            H = program.step(H, z)[0]
            values.append(H)
    reached = np.concatenate(values)
    largest = reached.max(0)
    if not np.isfinite(reached).all():
        return
    there = largest > 0
    yield np.where(there, largest, 1.0)
    yield np.where(there, np.where(reached > NOTHING * largest, reached, np.inf).min(0), 1.0)


def _program(program: Program, A: np.ndarray, b: np.ndarray, start: np.ndarray, scale: np.ndarray) -> Program:
    """The rounded cell in rescaled units, and the program's own decoder on its states times the factors."""
    made = Program(start, program.letters, front=program.front, dtype="float64", says=program.says)
    after = made.after = made.add("relu", made.add("maps", made.add("state"), numbers=[A, b]))
    known = {program.after: made.add("linear", after, numbers=[np.diag(scale), np.zeros((0, len(scale)))])}
    for i, op in enumerate(program.ops):
        if i not in known and op.name != "state" and all(j in known for j in op.of):
            known[i] = len(made.ops)
            made.ops.append(Op(op.name, tuple(known[j] for j in op.of), op.numbers))
    made.scores = known[program.scores]
    return made
