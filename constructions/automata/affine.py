"""Exact affine maps H -> A H + B, applied to many states: on integers over a common denominator where all is rational."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property
from typing import NamedTuple

from flint import fmpq, fmpq_mat, fmpz, fmpz_mat

from ...numerics import exact
from ...numerics.exact import Array

#: layers with more numbers in their maps and states are refused: about 1 GB with the text that is written
LARGEST_LAYER = 20_000_000


def require_room(width: int, maps: int, states: int) -> None:
    """Raise ``ArithmeticError`` for a layer that would not fit."""
    numbers = width * width * maps + width * states
    if numbers > LARGEST_LAYER:
        raise ArithmeticError(
            f"expected a layer of at most {LARGEST_LAYER:,} numbers, got {numbers:,}: {maps:,} maps and {states:,} states of width {width:,}"
        )


class Integral(NamedTuple):
    """A rational matrix as integers over their least common denominator: equal matrices have equal parts."""

    numerators: fmpz_mat
    denominator: fmpz

    @property
    def key(self) -> Hashable:
        """What a state is looked up by."""
        return int(self.denominator), tuple(map(int, self.numerators.entries()))

    def array(self) -> Array:
        """The same matrix, shape (rows, columns), with entries in the rationals."""
        return exact.from_flint(fmpq_mat(self.numerators) / self.denominator)


def integral(matrix: Array) -> Integral | None:
    """None if some entry is not rational, such as a cyclotomic number."""
    if not all(isinstance(x, fmpq | int) for x in matrix.flat):
        return None
    return Integral(*exact.to_flint(matrix).numer_denom())


def key(matrix: Array) -> Hashable:
    """What an exact matrix is looked up by, for matrices of one shape: equal keys for equal matrices of rationals, and for equal others."""
    part = integral(matrix)
    return exact.freeze(matrix) if part is None else part.key


def apply(A: Integral, B: Integral, H: Integral) -> Integral:
    """A H + B."""
    moved = A.denominator * H.denominator
    total = A.numerators * H.numerators * B.denominator + B.numerators * moved
    return Integral(*(fmpq_mat(total) / (moved * B.denominator)).numer_denom())


class Orbit:
    """Affine maps and the states that they lead to from an initial one, each numbered in order of discovery.

    ``maps[f]`` is (A, B), shapes (n, n) and (n, 1), ``states[i]`` has shape (n, 1) and ``states[0]`` is the initial one. More of them than
    there is room for raise ``ArithmeticError``.
    """

    def __init__(self, initial: Array):
        self.maps: list[tuple[Array, Array]] = []
        self.states = [initial]
        self._map_numbers: dict[Hashable, int] = {}
        self._integral_maps: list[tuple[Integral | None, Integral | None]] = []
        self._integral_states: list[Integral] = []
        self._state_numbers: dict[Hashable, int] = {}

    def number_of(self, A: Array, B: Array) -> int:
        """The number of a map; all maps come before the first state that they lead to."""
        f = self._map_numbers.setdefault((key(A), key(B)), len(self.maps))
        if f == len(self.maps):
            require_room(len(A), f + 1, 1)
            self.maps.append((A, B))
            self._integral_maps.append((integral(A), integral(B)))
        return f

    @cached_property
    def _rational(self) -> bool:
        """All on integers: no map and no state has an entry that is not rational."""
        start = integral(self.states[0])
        if start is None or any(part is None for parts in self._integral_maps for part in parts):
            self._state_numbers[exact.freeze(self.states[0])] = 0
            return False
        self._integral_states.append(start)
        self._state_numbers[start.key] = 0
        return True

    def after(self, i: int, f: int) -> int:
        """The number of the state after map f in state i."""
        if self._rational:
            H = apply(*self._integral_maps[f], self._integral_states[i])  # type: ignore[arg-type]
            j = self._state_numbers.setdefault(H.key, len(self.states))
            if j == len(self.states):
                require_room(len(self.states[0]), len(self.maps), j + 1)
                self._integral_states.append(H)
                self.states.append(H.array())
            return j
        A, B = self.maps[f]
        moved = A @ self.states[i] + B
        j = self._state_numbers.setdefault(exact.freeze(moved), len(self.states))
        if j == len(self.states):
            self.states.append(moved)
        return j
