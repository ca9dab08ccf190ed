"""A proved network of one layer as what a layer of flash-linear-attention does at each token: keys, values and whether the state is emptied first.

The state of a head has a row for each coordinate and copy (:mod:`.root_keys`), and a column for each size of entry other than 0: entry v of the
network's state is sign(v) in column |v|. (Where that confuses states and no sign is needed, each entry has a column.) So every row has one entry, or none, and the norm that the layers apply to a row only scales it. One head
asks for one coordinate. A state's score adds up, over the heads, the entry where that state has its own: the right one has the largest.

A value is written by a key e and strength 2, which adds 2 e (v - e^T S): half the entry is asked of a row that is empty.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from flint import fmpq

from ....numerics.exact import Array
from ..prove.closure import LayerClosure
from .root_keys import RootKeys, exact_keys, root_keys, signed_permutation

if TYPE_CHECKING:
    from ..compiler import Network

#: strength of every micro-step
STRENGTH = fmpq(2)
#: larger layers would have more than 256 entries in a key, or compare millions of pairs of states
LARGEST_WIDTH, LARGEST_STATES = 128, 2_000


class MicroStep(NamedTuple):
    """One update with strength 2: the unit key, shape (rows,), and the column into which half an entry is written, or None for a reflection."""

    key: Array
    column: int | None


@dataclass(frozen=True, eq=False)
class LayerPlan:
    """What a layer does.

    ``tokens[y]`` are the micro-steps of letter y, ``start`` those that write the first state, and ``resets`` the letters before which the state is
    emptied. ``vectors`` (states, n) are the network's states in the signs that are stored: entry +-(c + 1) is +-1 in column c, 0 an empty row; the
    first one is the first state. ``move[i, y]`` is the state after letter y, from the network's proof. Score i is that of state ``read[i]``, which
    stands for the automaton's state ``answers[i]``.
    """

    letters: tuple[Hashable, ...]
    keys: RootKeys
    tokens: tuple[tuple[MicroStep, ...], ...]
    start: tuple[MicroStep, ...]
    resets: frozenset[int]
    vectors: np.ndarray
    move: np.ndarray
    read: tuple[int, ...]
    answers: tuple[int, ...]

    @property
    def columns(self) -> int:
        return int(np.abs(self.vectors).max(initial=1))

    @property
    def factors(self) -> int:
        """The most micro-steps of a letter."""
        return max(map(len, self.tokens))

    @cached_property
    def exact(self) -> bool:
        """Whether all keys together meet the criterion (:func:`.root_keys.exact_keys`)."""
        different = {tuple(step.key): step.key for steps in (*self.tokens, self.start) for step in steps}
        return exact_keys(list(different.values()), [STRENGTH] * len(different))

    @cached_property
    def matrices(self) -> np.ndarray:
        """What the heads read in each state: (states, n, columns), entries 0, 1 and -1."""
        return np.array([_matrix(v, self.columns) for v in self.vectors])


def plan_of(network: Network) -> LayerPlan:
    """The plan of a network of one layer whose letters permute its coordinates up to signs, or forget the state.

    Raises:
        ValueError: for other networks, with what is in the way.

    Example:
        >>> from lemmata.constructions.automata import compile_group
        >>> plan = plan_of(compile_group([(1, 0, 2), (1, 2, 0)]))
        >>> plan.factors, plan.columns, len(plan.start), plan.exact
        (3, 3, 6, True)
    """
    if len(network.proof) != 1:
        raise ValueError(
            f"expected a network of one layer, got {len(network.proof)}: between layers a decoder hands on symbols, "
            "which no projection of such a layer computes"
        )
    [closure] = network.proof
    if len(closure.states[0]) > LARGEST_WIDTH or len(closure.states) > LARGEST_STATES:
        size = f"width {len(closure.states[0])} and {len(closure.states)} states"
        raise ValueError(f"expected at most width {LARGEST_WIDTH} and {LARGEST_STATES} states, got {size}")
    values, answers = _values(closure), _answers(closure)
    maps = [closure.maps[closure.map_of[y]] for y in range(len(closure.arrows))]
    moves, resets = [], {}
    for y, (A, B) in enumerate(maps):
        move = signed_permutation(A)
        if move is not None and not any(x != 0 for x in B.flat):
            moves.append((y, move))
        elif not any(x != 0 for x in A.flat):
            resets[y] = B
        else:
            raise ValueError(
                f"expected letters that permute the coordinates up to signs, or forget the state, got another map for the letter {closure.arrows[y].letter!r}"
            )
    n = len(closure.states[0])
    keys = root_keys([move for _, move in moves] or [tuple(range(1, n + 1))])
    read = sorted(answers, key=lambda i: (answers[i], i))
    stored = _by_size(values) * np.array(keys.signs)
    if not _apart(stored[read]) and all(x > 0 for _, move in moves for x in move):
        stored = _by_value(values) * np.array(keys.signs)
    if not _apart(stored[read]):
        raise ValueError("expected states of which none contains another, got two that a linear readout confuses")
    tokens: list[tuple[MicroStep, ...]] = [()] * len(maps)
    for (y, _), word in zip(moves, keys.words, strict=True):
        tokens[y] = tuple(MicroStep(key, None) for key in keys.keys(word))
    number = {tuple(v): i for i, v in enumerate(values)}
    for y, B in resets.items():
        # what a letter writes is a state that it leads to
        tokens[y] = _written(keys, stored[number[tuple(fmpq(x) for x in B.flat)]])
    return LayerPlan(
        tuple(arrow.letter for arrow in closure.arrows),
        keys,
        tuple(tokens),
        _written(keys, stored[0]),
        frozenset(resets),
        stored,
        np.array([[closure.after(i, y) for y in range(len(maps))] for i in range(len(closure.states))]),
        tuple(read),
        tuple(answers[i] for i in read),
    )


def _values(closure: LayerClosure) -> list[list[fmpq]]:
    """The states' entries. Raises ``ValueError`` for entries that are no rationals."""
    if any(not isinstance(x, int | fmpq) for state in closure.states for x in state.flat):
        raise ValueError("expected a layer with rational entries, got a rotation: lemmata.compile without prefer takes signed permutations")
    return [[fmpq(x) for x in state.flat] for state in closure.states]


def _answers(closure: LayerClosure) -> dict[int, int]:
    """The automaton's state for each state of the layer that a letter leads to. Raises ``ValueError`` if the letter decides too."""
    found: dict[int, int] = {}
    for (i, _), q in closure.decoder.items():
        if found.setdefault(i, q) != q:
            raise ValueError("expected a layer whose state names the automaton's state, got one that needs the last letter too")
    return found


def _by_size(values: Sequence[Sequence[fmpq]]) -> np.ndarray:
    """A column for each size of entry, and none for 0: signs of the network are signs of the layer."""
    sizes = sorted({abs(x) for vector in values for x in vector if x != 0})
    return np.array([[(sizes.index(abs(x)) + 1) * (1 if x > 0 else -1) if x != 0 else 0 for x in v] for v in values], dtype=int)


def _by_value(values: Sequence[Sequence[fmpq]]) -> np.ndarray:
    """A column for each entry, 0 too: for networks that negate no coordinate."""
    different = sorted({x for vector in values for x in vector})
    return np.array([[different.index(x) + 1 for x in v] for v in values], dtype=int)


def _written(keys: RootKeys, vector: Sequence[int] | np.ndarray) -> tuple[MicroStep, ...]:
    """Micro-steps that write a stored vector into an empty state; a negative entry is written and negated, for values have no sign."""
    return tuple(
        step
        for i, x in enumerate(vector)
        if x != 0
        for unit in keys.units(i)
        for step in (MicroStep(unit, abs(int(x)) - 1), *([MicroStep(unit, None)] if x < 0 else []))
    )


def _matrix(vector: np.ndarray, columns: int) -> np.ndarray:
    out = np.zeros((len(vector), columns), dtype=int)
    for i, x in enumerate(vector):
        if x:
            out[i, abs(x) - 1] = np.sign(x)
    return out


def _apart(vectors: np.ndarray) -> bool:
    """Whether each state has a higher score in itself than every other one: the score counts equal entries less opposite ones."""
    columns = int(np.abs(vectors).max(initial=1))
    flat = np.array([_matrix(v, columns).ravel() for v in vectors])
    scores = flat @ flat.T
    own = scores.diagonal().copy()
    np.fill_diagonal(scores, own - 1)
    return bool((scores.max(axis=1) < own).all())
