"""One layer for each class of languages that one layer of a kind recognises; its output is the state of the language's machine.

``last_occurrences`` overwrites or holds scalars · ``counts`` also turns them · ``window_and_clock`` is time-invariant · ``over_a_group`` keeps a copy of
``last_occurrences`` for each element of a group. A layer is right if the language has the property; otherwise it is some other layer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations_with_replacement, product
from typing import Any

from ...numerics import exact
from ...numerics.cyclotomic import root_of_unity
from ..recurrence import Recurrence
from .machine import Array, Machine

Permutation = tuple[int, ...]
#: what a letter does to a scalar: h -> a h + b
Action = tuple[Any, Any]

HOLD: Action = (1, 0)


def _diagonal(letters: Sequence[Any], units: Sequence[Callable[[Any], Action]], start: Sequence[Any], decode: Callable) -> Recurrence:
    """The layer of these scalars; ``decode`` reads the list of their values."""
    table = {}
    for x in letters:
        actions = [unit(x) for unit in units]
        A, B = exact.zeros(len(units), len(units)), exact.zeros(len(units), 1)
        for i, (a, b) in enumerate(actions):
            A[i, i], B[i, 0] = a, b
        table[x] = (A, B)
    initial = exact.zeros(len(units), 1)
    initial[:, 0] = start
    return Recurrence.from_table(table, initial, lambda H, x: decode(list(H[:, 0])))


def _pairs(letters: Sequence[Any]) -> list[tuple[int, int]]:
    return list(combinations_with_replacement(range(len(letters)), 2))


def _last_of(letters: Sequence[Any], i: int, j: int) -> Callable[[Any], Action]:
    """The scalar that holds 1 or 2 as letter i or j came last, and 0 before."""

    def unit(x: Any) -> Action:
        return (0, 1) if x == letters[i] else (0, 2) if x == letters[j] else HOLD

    return unit


def _order(values: Sequence[Any], letters: Sequence[Any]) -> list[Any]:
    """The letters that have come, the last one first, from the scalars of all pairs."""
    last = dict(zip(_pairs(letters), values, strict=True))
    came = [i for i in range(len(letters)) if last[i, i] != 0]
    later = {i: sum(last[min(i, j), max(i, j)] == (1 if i < j else 2) for j in came if j != i) for i in came}
    return [letters[i] for i in sorted(came, key=lambda i: -later[i])]


def last_occurrences(machine: Machine) -> Recurrence:
    """k (k + 1) / 2 scalars for k letters, each held or overwritten: for every two letters, which came last. A delta rule with beta 0 or 1, a head for each.

    Right for a language in which the order of last occurrences decides.
    """
    letters = machine.letters
    units = [_last_of(letters, i, j) for i, j in _pairs(letters)]

    def decode(values: list[Any]) -> int:
        return machine.end(0, [letters.index(x) for x in reversed(_order(values, letters))])

    return _diagonal(letters, units, [0] * len(units), decode)


def counts(machine: Machine, m: int) -> Recurrence:
    """The scalars of ``last_occurrences``, and for letters y and z one that y sets to 1 and z turns by an m-th root of unity; and the same since the start.

    Entries are rational for m <= 2, and otherwise lie in the field of m-th roots of unity. Right for a language in which the order of last occurrences and
    counts modulo m decide. Raises ``ValueError`` for m < 1.
    """
    if m < 1:
        raise ValueError(f"expected a modulus m >= 1, got {m}")
    letters = machine.letters
    turn: Any = exact.rational(1 if m == 1 else -1) if m <= 2 else root_of_unity(m)
    one = turn * 0 + 1
    powers = [one]
    while len(powers) < m:
        powers.append(powers[-1] * turn)
    # since the start, None, or since a letter
    turning = list(product((None, *letters), letters))

    def counter(since: Any, counted: Any) -> Callable[[Any], Action]:
        return lambda x: (0 * one, one) if x == since else (turn, 0 * one) if x == counted else HOLD

    units = [_last_of(letters, i, j) for i, j in _pairs(letters)] + [counter(*both) for both in turning]
    held = len(_pairs(letters))

    def decode(values: list[Any]) -> int:
        order = _order(values[:held], letters)
        count = {both: powers.index(h) for both, h in zip(turning, values[held:], strict=True)}
        word: list[Any] = []
        # a word with the same summary: between the last occurrences of two letters come those that come again, then the second of the two
        for place in reversed(range(len(order))):
            since = order[place + 1] if place + 1 < len(order) else None
            for z in order[:place]:
                word += [z] * ((count[since, z] - count[order[place], z]) % m)
            word += [order[place]] * ((count[since, order[place]] - 1) % m + 1)
        return machine.end(0, [letters.index(x) for x in word])

    return _diagonal(letters, units, [0] * held + [one] * len(turning), decode)


def window_and_clock(machine: Machine, window: int, period: int) -> Recurrence:
    """Time-invariant: a register of the last ``window`` letters, 0 where none came, and a clock of ``period`` coordinates.

    Right for a language in which, once the register is full, the last ``window`` letters and the length modulo ``period`` decide. Raises ``ValueError`` for a
    window or a period below 1.
    """
    if window < 1 or period < 1:
        raise ValueError(f"expected a window and a period of at least 1, got {window} and {period}")
    letters = machine.letters
    A = exact.zeros(window + period, window + period)
    for i in range(1, window):
        A[i, i - 1] = exact.rational(1)
    for i in range(period):
        A[window + (i + 1) % period, window + i] = exact.rational(1)
    initial = exact.zeros(window + period, 1)
    initial[window, 0] = exact.rational(1)

    def inputs(x: Any) -> Array:
        b = exact.zeros(window + period, 1)
        b[0, 0] = exact.rational(1 + letters.index(x))
        return b

    def decode(H: Array, x: Any) -> int:
        register, clock = H[:window, 0], list(H[window:, 0])
        word = [int(value.p) - 1 for value in reversed(register) if value != 0]
        # any letters, as many as bring the length to what the clock says, once the register is full
        before = (clock.index(1) - len(word)) % period if len(word) == window else 0
        return machine.end(0, [0] * (before + period * machine.n if len(word) == window else 0) + word)

    return Recurrence(lambda x: A, inputs, initial, decode)


def generated(permutations: Mapping[Any, Permutation]) -> list[Permutation]:
    """All products of the permutations, the identity first."""
    found = [tuple(range(len(next(iter(permutations.values())))))]
    for g in found:
        found += [h for p in permutations.values() if (h := tuple(p[i] for i in g)) not in found]
    return found


def over_a_group(machine: Machine, permutations: Mapping[Any, Permutation]) -> Recurrence:
    """A block for each element of the group that the letters' ``permutations`` generate. Letter x moves block g to block g x, and acts on it as ``last_occurrences``
    acts on the letter (g, x). One coordinate of each block says from where it was moved.

    So transitions are partial permutation matrices. Right for a language in which the element and the order of last occurrences of the letters (g, x) decide.
    """
    elements, letters = generated(permutations), machine.letters
    number = {g: i for i, g in enumerate(elements)}
    moves = {x: [number[tuple(permutations[x][i] for i in g)] for g in elements] for x in letters}
    edges = list(product(range(len(elements)), letters))
    units = [_last_of(edges, i, j) for i, j in _pairs(edges)]
    size = 1 + len(units)
    table = {}
    for x in letters:
        A, B = exact.zeros(size * len(elements), size * len(elements)), exact.zeros(size * len(elements), 1)
        for g, to in enumerate(moves[x]):
            A[to * size, g * size] = exact.rational(1)
            for i, unit in enumerate(units, 1):
                A[to * size + i, g * size + i], B[to * size + i, 0] = map(exact.rational, unit((g, x)))
        table[x] = (A, B)
    initial = exact.zeros(size * len(elements), 1)
    for g in range(len(elements)):
        initial[g * size, 0] = exact.rational(1 + g)

    def decode(H: Array, x: Any) -> int:
        here = next(g for g in range(len(elements)) if H[g * size, 0] == 1)
        order = _order(list(H[here * size + 1 : (here + 1) * size, 0]), edges)
        return machine.end(0, _path(order, moves, letters))

    return Recurrence.from_table(table, initial, decode)


def _path(order: Sequence[tuple[int, Any]], moves: Mapping[Any, Sequence[int]], letters: Sequence[Any]) -> list[int]:
    """A word whose path from the identity uses its edges last in this order, the last one first, and ends there."""
    path: list[int] = []
    here = 0
    for place in reversed(range(len(order))):
        g, x = order[place]
        # older edges come no more
        path += [letters.index(y) for y in _way(here, g, order[: place + 1], moves)] + [letters.index(x)]
        here = moves[x][g]
    return path


def _way(here: int, goal: int, allowed: Sequence[tuple[int, Any]], moves: Mapping[Any, Sequence[int]]) -> list[Any]:
    """A word from one element to another along the allowed edges."""
    words: dict[int, list[Any]] = {here: []}
    for g in (queue := [here]):
        for h, x in allowed:
            if h == g and moves[x][g] not in words:
                words[moves[x][g]] = [*words[g], x]
                queue.append(moves[x][g])
    return words[goal]
