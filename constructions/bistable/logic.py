"""Stacks of bistable units as formulas: one unit is one "since" of past temporal logic, read off the states of the layers below at the same time.

    s_t = psi_t or (phi_t and s_(t-1)), s_0 false:   set where psi holds, else reset where phi fails, else keep.

Formulas are nested tuples: ("is", letter), ("not", f), ("and", f, g), ("or", f, g), ("since", f, g). There is no "yesterday".
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Any

from ..recurrence import Recurrence, Stack
from .cell import flip_flops

Formula = tuple
Letter = Hashable

TRUE = ("or", ("is", None), ("not", ("is", None)))


def once(f: Formula) -> Formula:
    """f held at some time up to now."""
    return ("since", TRUE, f)


def always(f: Formula) -> Formula:
    """f held at all times up to now."""
    return ("not", once(("not", f)))


def any_of(formulas: Iterable[Formula]) -> Formula:
    """The disjunction; of none, false."""
    out = ("not", TRUE)
    for i, f in enumerate(formulas):
        out = f if i == 0 else ("or", out, f)
    return out


@cache
def height(f: Formula) -> int:
    """The nesting depth of "since": the number of layers."""
    inside = [height(g) for g in f[1:] if isinstance(g, tuple)] if f[0] != "is" else []
    return max(inside, default=0) + (f[0] == "since")


def memories(f: Formula) -> list[Formula]:
    """The distinct "since" formulas inside, the inner ones first: one unit each."""
    if f[0] == "is":
        return []
    inside = [m for g in f[1:] for m in memories(g)] + ([f] if f[0] == "since" else [])
    return sorted(dict.fromkeys(inside), key=height)


def value(f: Formula, letter: Letter, held: Mapping[Formula, bool]) -> bool:
    """Truth now, from the letter and the truth of the "since" formulas inside."""
    if f in held:
        return held[f]
    if f[0] == "is":
        return letter == f[1]
    parts = [value(g, letter, held) for g in f[1:]]
    return {"not": lambda a: not a, "and": lambda a, b: a and b, "or": lambda a, b: a or b}[f[0]](*parts)


def holds(f: Formula, word: Sequence[Letter]) -> bool:
    """Truth at the end of a nonempty word, by the definition: f since g if g held at some time and f ever after."""
    if f[0] == "is":
        return word[-1] == f[1]
    if f[0] == "since":
        n = len(word)
        return any(holds(f[2], word[:s]) and all(holds(f[1], word[:r]) for r in range(s + 1, n + 1)) for s in range(1, n + 1))
    parts = [holds(g, word) for g in f[1:]]
    return {"not": lambda a: not a, "and": lambda a, b: a and b, "or": lambda a, b: a or b}[f[0]](*parts)


def compile_formula(f: Formula, letters: Sequence[Letter]) -> Stack:
    """A stack of BMRU layers whose output after every nonempty word is the truth of f at its end; as many layers as "since" is nested.

    The units of a layer read, one-hot, the letter and the states of the layers below; alpha = 1 and all start at -1 (false).
    """
    goal = f if height(f) else ("since", ("not", TRUE), f)
    units = memories(goal)
    by_layer = [[m for m in units if height(m) == k] for k in range(1, height(goal) + 1)]
    layers, below = [], []
    for k, mine in enumerate(by_layer):
        alphabet = [(x, bits) for x in letters for bits in product((False, True), repeat=len(below))]
        actions = {}
        for x, bits in alphabet:
            held = dict(zip(below, bits, strict=True))
            actions[(x, bits) if k else x] = [_action(m, x, held) for m in mine]
        below = [*below, *mine]
        last = _truth(goal, below) if mine is by_layer[-1] else None
        layers.append(flip_flops(actions, [-1] * len(mine), _handing_on(k > 0, last)))
    return Stack(tuple(layers))


def _action(m: Formula, x: Letter, held: Mapping[Formula, bool]) -> int:
    _, keeps, sets = m
    return 1 if value(sets, x, held) else 0 if value(keeps, x, held) else -1


def _truth(f: Formula, units: Sequence[Formula]) -> Any:
    """The truth of f from the letter and the states of the units."""
    return lambda x, bits: value(f, x, dict(zip(units, bits, strict=True)))


def _handing_on(above: bool, last: Any) -> Any:
    """What a layer hands on: the letter and all states so far, or at the top the formula's truth."""

    def decode(H: Any, letter: Any) -> Any:
        x, bits = letter if above else (letter, ())
        bits = (*bits, *(bool(h > 0) for h in H[:, 0]))
        return last(x, bits) if last else (x, bits)

    return decode


def formula_step(f: Formula) -> tuple[Any, tuple[bool, ...]]:
    """(delta, start) of the automaton whose states are the truths of ``memories(f)`` and of f itself."""
    units = memories(f)

    def delta(state: tuple[bool, ...], x: Letter) -> tuple[bool, ...]:
        held: dict[Formula, bool] = {}
        for m, before in zip(units, state, strict=False):
            held[m] = value(m[2], x, held) or (value(m[1], x, held) and before)
        return (*held.values(), value(f, x, held))

    return delta, (False,) * (len(units) + 1)


# -- from stacks to formulas -----------------------------------------------------------------------------------------------------


def unit_stack(tables: Sequence[Mapping[Any, int]], initial: Sequence[int], layer: Any = flip_flops) -> Stack:
    """A stack with one unit a layer: ``tables[k]`` gives the action +1, -1 or 0 by the letter (k = 0), or by (letter, states of the layers below).

    The output is the tuple of all states as truths.
    """
    layers: list[Recurrence] = []
    for k, (table, start) in enumerate(zip(tables, initial, strict=True)):
        top = (lambda x, bits: bits) if k == len(tables) - 1 else None
        layers.append(layer({y: [a] for y, a in table.items()}, [start], _handing_on(k > 0, top)))
    return Stack(tuple(layers))


def unit_formulas(tables: Sequence[Mapping[Any, int]], initial: Sequence[int]) -> list[Formula]:
    """A formula for the state of each unit of ``unit_stack``: (not reset) since set, or the same turned round if the unit starts true."""
    found: list[Formula] = []
    for k, (table, start) in enumerate(zip(tables, initial, strict=True)):
        reads = {y: _reads(y if k else (y, ()), found) for y in table}
        sets = any_of(reads[y] for y, a in table.items() if a > 0)
        resets = any_of(reads[y] for y, a in table.items() if a < 0)
        found.append(("since", ("not", resets), sets) if start < 0 else ("not", ("since", ("not", sets), resets)))
    return found


def _reads(letter: Any, found: Sequence[Formula]) -> Formula:
    x, bits = letter
    out: Formula = ("is", x)
    for f, bit in zip(found, bits, strict=True):
        out = ("and", out, f if bit else ("not", f))
    return out
