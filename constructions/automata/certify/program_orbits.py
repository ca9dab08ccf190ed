"""Is a program, as its weights are, right at every length? Its states are gone through, exactly or with every order of rounded sums.

A node is a state with the automaton's state beside it. Where no step rounds, equal states are one node, and if finitely many are reached the network
is right at every length, or wrong on a shortest word. Where steps round, a ball holds whatever some order of sums leaves; balls of different words stay
apart, so words are gone through as long as there is room, and the answer is right up to a length.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from flint import arb

from ....numerics.progress import Progress, silent
from ..automaton import Automaton
from ..rounding.layer import FORMATS, Format
from .enclosing import Balls, Enclosed, decided, precision
from .in_order import InOrder
from .programs import Program

#: bits that exact states may take
LARGEST_BITS = 2048
#: states in balls, which are never merged
MOST_BALLS = 600


#: what a verdict on the weights as they are is of
EXACT, EVERY_ORDER, ONE_ORDER = "exact arithmetic", "every order", "one order"


def said(way: str, form: Format | None) -> str:
    """What a verdict is of, in words."""
    if way == EXACT or form is None:
        return "the weights as they are, in exact arithmetic"
    if way == EVERY_ORDER:
        return f"the weights as they are, in exact arithmetic and in {form.name} with every order of sums"
    return f"the weights as they are, in {form.name} by columns from the left"


class Target(NamedTuple):
    """What a network should say: ``labels[q]`` is the answer in state q of ``automaton``, -1 where nothing is asked."""

    automaton: Automaton
    labels: tuple[int, ...]

    @property
    def rows(self) -> list[tuple[int, ...]]:
        """The automaton's table by the number of a letter."""
        return [tuple(self.automaton.table[x]) for x in self.automaton.letters]


@dataclass(frozen=True)
class Finding:
    """What one way to look at a network found.

    Attributes:
        way: What the verdict is of: ``EXACT``, ``EVERY_ORDER`` or ``ONE_ORDER``.
        of: What the verdict is of, such as "the weights as they are, in exact arithmetic".
        verdict: "right" at every length, "wrong" on ``word``, or "open".
        why: Why it is open, or what closed.
        right_to: So many letters are right on every word, whatever the verdict.
        word: A word, by numbers of letters, on which the network is wrong at the end.
        says: The answer there, -1 for none.
        expected: The right answer.
        states: How many states closed.
    """

    way: str
    of: str
    verdict: str
    why: str = ""
    right_to: int = 0
    word: tuple[int, ...] | None = None
    says: int | None = None
    expected: int | None = None
    states: int | None = None


class _Node(NamedTuple):
    front: int
    state: int
    q: int


def closed(program: Program, target: Target, form: Format | None, limit: int = 10_000, progress: Progress = silent) -> Finding:
    """The states that the weights reach as they are, in exact arithmetic (``form`` None) or in a format with every order of sums.

    ``limit`` is the most nodes.
    """
    with precision(LARGEST_BITS):
        return _Walk(program, target, form, limit, progress).found()


class _Walk:
    """Nodes in order of discovery, so by the length of words."""

    def __init__(self, program: Program, target: Target, form: Format | None, limit: int, progress: Progress):
        self.program, self.target, self.limit, self.progress = program, target, limit, progress
        self.way = EXACT if form is None else EVERY_ORDER
        self.of = said(self.way, form)
        self.enclosed = Enclosed(program, form)
        start = self.enclosed.start()
        self.states: list[Balls] = [start]
        self.numbers: dict[Hashable, int] = {_key(start): 0}
        self.inexact = 0
        self.moved: dict[tuple[int, int], tuple[int, int | None] | None] = {}

    def found(self) -> Finding:
        rows = self.target.rows
        nodes = {_Node(0, 0, self.target.automaton.start): 0}
        came: list[tuple[int, int]] = [(-1, -1)]
        level, depth, stop = list(nodes), 0, ""
        while level and not stop:
            following: list[_Node] = []
            for node in level:
                for x, row in enumerate(rows):
                    front, z = self.program.front[node.front][x]
                    after = self.after(node.state, z)
                    if after is None:
                        return self._open("numbers are not finite", depth)
                    j, answer = after
                    q = row[node.q]
                    expected = self.target.labels[q]
                    if expected >= 0 and answer != expected:
                        if answer is None:
                            return self._open("answers score alike, or rounding could decide between them", depth)
                        word = (*_word(came, nodes[node]), x)
                        return Finding(self.way, self.of, "wrong", "", depth, word, answer, expected)
                    there = _Node(front, j, q)
                    if there not in nodes:
                        nodes[there] = len(came)
                        came.append((nodes[node], x))
                        following.append(there)
                if len(nodes) > self.limit or self.inexact > MOST_BALLS:
                    stop = (
                        f"more than {self.limit:,} states"
                        if len(nodes) > self.limit
                        else "sums are rounded, so words are gone through one by one"
                    )
                    break
                self.progress("closing the weights as they are", nodes[node], 0)
            else:
                depth += 1
            level = following
        if stop:
            return self._open(stop, depth)
        return Finding(self.way, self.of, "right", f"{len(self.states):,} states close", states=len(self.states))

    def _open(self, why: str, depth: int) -> Finding:
        return Finding(self.way, self.of, "open", why, depth)

    def after(self, i: int, z: int) -> tuple[int, int | None] | None:
        """(number of the state after letter z, its answer); None if numbers are not finite."""
        if (i, z) not in self.moved:
            state, scores = self.enclosed.step(self.states[i], z)
            self.moved[i, z] = (self._number(state), decided(scores)) if all(x.is_finite() for x in state) else None
        return self.moved[i, z]

    def _number(self, state: Balls) -> int:
        key = _key(state)
        if key is None:
            self.inexact += 1
        elif key in self.numbers:
            return self.numbers[key]
        else:
            self.numbers[key] = len(self.states)
        self.states.append(state)
        return len(self.states) - 1


def _key(state: Balls) -> Hashable:
    """Equal for equal exact states; None for others."""
    if not all(x.is_exact() for x in state):
        return None
    return tuple(tuple(map(int, x.mid().man_exp())) for x in state)


def _word(came: list[tuple[int, int]], i: int) -> tuple[int, ...]:
    letters = []
    while i > 0:
        i, x = came[i]
        letters.append(x)
    return tuple(reversed(letters))


def closed_in_order(program: Program, target: Target, form: Format, limit: int = 10_000, progress: Progress = silent) -> Finding | None:
    """The same in one named order of evaluation, which is ``in_order``'s; None if the program has functions that a library computes."""
    of = said(ONE_ORDER, form)
    order = InOrder(program, form) if InOrder.takes(program) else None
    if order is None:
        return None
    rows, start = np.array(target.rows), order.start
    nodes = {(0, order.key(start), target.automaton.start): 0}
    came: list[tuple[int, int]] = [(-1, -1)]
    at = np.array([[0, target.automaton.start]])
    H, numbers, depth = start[None], np.zeros(1, dtype=np.int64), 0
    front, labels = np.array(program.front), np.array(target.labels)
    while len(H):
        # all letters of all nodes of a level at once
        which, x = (a.ravel() for a in np.indices((len(H), len(rows))))
        to, z = front[at[which, 0], x].T
        after, answers = order.step(H[which], z)
        q = rows[x, at[which, 1]]
        wrong = (labels[q] >= 0) & (answers != labels[q])
        if wrong.any():
            i = int(wrong.argmax())
            word = (*_word(came, int(numbers[which[i]])), int(x[i]))
            return Finding(ONE_ORDER, of, "wrong", "", depth, word, int(answers[i]), int(labels[q[i]]))
        depth += 1
        new = []
        for i in range(len(which)):
            key = int(to[i]), order.key(after[i]), int(q[i])
            if key not in nodes:
                nodes[key] = len(came)
                came.append((int(numbers[which[i]]), int(x[i])))
                new.append(i)
        progress("closing the rounded weights as they are", len(nodes), 0)
        if len(nodes) > limit:
            return Finding(ONE_ORDER, of, "open", f"more than {limit:,} states", depth)
        at, H = np.stack([to[new], q[new]], axis=1), after[new]
        numbers = np.arange(len(came) - len(new), len(came))
    return Finding(ONE_ORDER, of, "right", f"{len(nodes):,} states close", states=len(nodes))


def format_of(program: Program) -> Format:
    """The format that the module computes in."""
    return FORMATS[program.dtype]


def exact_answer(program: Program, word: tuple[int, ...], form: Format | None) -> int | None:
    """The answer after a word, in balls: what every order says; None if they might differ."""
    with precision(LARGEST_BITS):
        enclosed, at, scores = Enclosed(program, form), 0, [arb(0)]
        state = enclosed.start()
        for x in word:
            at, z = program.front[at][x]
            state, scores = enclosed.step(state, z)
        return decided(scores)
