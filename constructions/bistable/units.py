"""A cascade of resets as bistable units: what each unit reads, and its weights in Eq. 11 of degeeter26. No unit needs a decoder below it.

A level of the cascade is a number, kept in binary by units (:class:`Bit`). A letter resets it to r or leaves it alone, and which of the two
depends on the levels before it, as they were *before* the letter. A bistable layer sees them after it, which is often enough. Where it is not,
a unit that follows a bit except while the letter is x (:class:`Before`) still holds, at x, what the bit was before this block of x's. "And" of
literals is a unit that always writes (:class:`All`). So every unit reads letters and other units linearly, through skip connections, and all
weights are small integers.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...numerics.aliases import Key
from ..automata.cascade.cascade import Cascade, CascadeState
from .cell import BMRU

Array = np.ndarray

#: cascades with more situations, pairs of a state and a letter, are refused
MOST_SITUATIONS = 4_000


@dataclass(frozen=True)
class Letter:
    """1 if this letter is read, else 0."""

    letter: Hashable


@dataclass(frozen=True)
class Time:
    """1 if so many letters were read, this one included, modulo the period of the clock; else 0. For hybrids with a linear layer."""

    time: int


@dataclass(frozen=True)
class Bit:
    """A bit of the state of a level, after the letter."""

    level: int
    bit: int


@dataclass(frozen=True)
class Before:
    """A bit as it was before the last block of letters (or times) ``block``; while another is read, it follows the bit."""

    block: Letter | Time
    of: Bit


@dataclass(frozen=True)
class All:
    """All literals hold now."""

    literals: tuple[tuple[Source, bool], ...]


Source = Letter | Time | Bit | Before | All
Literal = tuple[Source, bool]
Term = tuple[Literal, ...]


# -- what a level does, as a short list of conditions ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """One situation: the letter (and the time) that is read, bits before it and after it, and what follows."""

    heads: tuple[Letter | Time, ...]
    bits: Mapping[Key, bool]  # by Bit or Before
    value: int | None


def bits_of(cascade: Cascade, state: Sequence[int]) -> dict[Bit, bool]:
    """The binary digits of the levels' states; for a state of the first levels only, theirs."""
    return {Bit(k, b): bool(i >> b & 1) for k, (i, size) in enumerate(zip(state, cascade.sizes, strict=False)) for b in range(width(size))}


def width(size: int) -> int:
    """The number of bits for so many states."""
    return (size - 1).bit_length()


Situations = Sequence[tuple[CascadeState, Hashable, tuple[Letter | Time, ...]]]


def level_rows(cascade: Cascade, k: int, situations: Situations) -> list[Row]:
    """What level k does in each situation that differs for it: the state it is reset to, or None if it keeps its own."""
    rows: dict[tuple, Row] = {}
    for state, letter, heads in situations:
        move = cascade.moves(letter, state)[k]
        if move.permutation is not None and move.permutation != tuple(range(cascade.sizes[k])):
            raise ArithmeticError(f"expected a cascade of resets, got a permutation {list(move.permutation)} on level {k + 1}")
        if (heads, state[:k]) not in rows:
            before = {Before(heads[-1], bit): value for bit, value in bits_of(cascade, state[:k]).items()}
            after = bits_of(cascade, cascade.step(state, letter)[:k])
            rows[heads, state[:k]] = Row(heads, before | after, move.reset)
    return list(rows.values())


def terms_for(rows: Sequence[Row], value: int | None) -> list[Term]:
    """Conjunctions of literals, one of which at least holds in every row with that value, and none in any other row.

    Literals are dropped one after another as long as no other row fits, those first that need a unit to remember them.
    """
    others, left, found = [row for row in rows if row.value != value], [row for row in rows if row.value == value], []
    while left:
        row = left[0]
        kept: list[Literal] = [*((h, True) for h in row.heads), *row.bits.items()]
        for literal in (*row.bits.items(), *((h, True) for h in row.heads)):
            fewer = [other for other in kept if other != literal]
            if not any(_fits(other, fewer) for other in others) and not _remembers(fewer, literal[0]):
                kept = fewer
        found.append(tuple(kept))
        left = [other for other in left[1:] if not _fits(other, kept)]  # the first one fits
    return found


def _fits(row: Row, literals: Iterable[Literal]) -> bool:
    return all(s in row.heads if isinstance(s, Letter | Time) else row.bits.get(s) == v for s, v in literals)


def _remembers(literals: Iterable[Literal], block: Source) -> bool:
    """Whether some literal is about what was before this block: outside the block it says something else."""
    return any(isinstance(s, Before) and s.block == block for s, _ in literals)


# -- units ---------------------------------------------------------------------------------------------------------------------------


@dataclass
class Affine:
    """weights . (what is read) + constant, in integers; a literal counts 1 if it holds and -1 if not."""

    weights: dict[Source, int]
    constant: int = 0

    def add(self, literal: Literal, times: int = 1) -> None:
        source, holds = literal
        sign = times if holds else -times
        if isinstance(source, Letter | Time):  # these are 0 or 1
            self.weights[source] = self.weights.get(source, 0) + 2 * sign
            self.constant -= sign
        else:
            self.weights[source] = self.weights.get(source, 0) + sign


@dataclass(frozen=True)
class Unit:
    """A unit's candidate and threshold (before the modulus), and whether it starts at +1."""

    candidate: Affine
    threshold: Affine
    start: bool

    def reads(self) -> list[Source]:
        """Each once, in the order of the weights: a set of sources would have another order in every process."""
        return list(self.candidate.weights | self.threshold.weights)


def one_literal(term: Term) -> Literal:
    """A term as a literal: itself, or that of the unit that computes it."""
    return term[0] if len(term) == 1 else (All(term), True)


def bit_unit(bit: Bit, terms: Mapping[int, Sequence[Term]], start: bool) -> Unit:
    """Candidate: 2 for each term that holds, with the sign of the bit that it writes; threshold 1, so that it keeps where none holds."""
    candidate = Affine({})
    for target, found in terms.items():
        sign = 1 if target >> bit.bit & 1 else -1
        for term in found:
            candidate.constant += sign
            if term:
                candidate.add(one_literal(term), sign)
            else:
                candidate.constant += sign
    return Unit(candidate, Affine({}, 1), start)


def before_unit(before: Before, start: bool) -> Unit:
    """Candidate: the bit, +-1; threshold 2 in the block and 0 outside."""
    return Unit(Affine({before.of: 1}), Affine({before.block: 2}), start)


def all_unit(every: All) -> Unit:
    """Candidate: the sum of the literals minus their number, plus 1; threshold 0, so that its sign is always written."""
    candidate = Affine({}, 1 - len(every.literals))
    for literal in every.literals:
        candidate.add(literal)
    return Unit(candidate, Affine({}), False)


def units_for(
    readout: Sequence[Affine], level_terms: Sequence[Mapping[int, Sequence[Term]]], start: Mapping[Bit, bool]
) -> dict[Source, Unit]:
    """The units that the readout needs, and those that they need."""
    units: dict[Source, Unit] = {}
    waiting = [s for form in readout for s in form.weights]
    for source in waiting:
        if source in units or isinstance(source, Letter | Time):
            continue
        if isinstance(source, Bit):
            unit = bit_unit(source, level_terms[source.level], start[source])
        elif isinstance(source, Before):
            unit = before_unit(source, start[source.of])
        else:
            unit = all_unit(source)
        units[source] = unit
        waiting += unit.reads()
    # nothing to remember: one unit that keeps its start
    return units or {Bit(0, 0): Unit(Affine({}), Affine({}, 1), False)}


# -- layers --------------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Layer:
    """Bistable units in parallel, what each is for, and their states at the start, +-1."""

    unit: BMRU
    sources: tuple[Source, ...]
    start: Array


def in_layers(units: Mapping[Source, Unit], inputs: Sequence[Letter | Time]) -> list[Layer]:
    """The units as layers, each in the lowest that it can be in; a layer reads the inputs and all units below it, in this order."""
    depth: dict[Source, int] = dict.fromkeys(inputs, 0)

    def depth_of(source: Source) -> int:
        if source not in depth:
            depth[source] = 1 + max(map(depth_of, units[source].reads()), default=0)
        return depth[source]

    layers: list[Layer] = []
    below: list[Source] = list(inputs)
    for d in range(1, max(map(depth_of, units), default=0) + 1):
        mine = tuple(s for s in units if depth_of(s) == d)
        number = {s: i for i, s in enumerate(below)}
        W_x, b_x = matrix_of([units[s].candidate for s in mine], number)
        W_beta, b_beta = matrix_of([units[s].threshold for s in mine], number)
        start = np.array([1 if units[s].start else -1 for s in mine])
        layers.append(Layer(BMRU(W_x, b_x, W_beta, b_beta, np.ones(len(mine), dtype=int)), mine, start))
        below += mine
    return layers


def matrix_of(forms: Sequence[Affine], number: Mapping[Any, int]) -> tuple[Array, Array]:
    """Weights (forms, what is read) and constants (forms,), integers."""
    W = np.zeros((len(forms), len(number)), dtype=int)
    for i, form in enumerate(forms):
        for source, weight in form.weights.items():
            W[i, number[source]] = weight
    return W, np.array([form.constant for form in forms], dtype=int)
