"""Is a trained network right at every length? Its maps are rounded to exact numbers, and the product of all layers is closed.

The decoders stay as training left them: a layer's scores are linear in its state, so their largest one in an exact state is decided with a
rigorous bound, and how far the state could be off before another would be largest is the margin. Layers are rounded one after the other, each by
the guesses of ``rounding_weights``, best first; what closes and is right is a proof about the rounded weights, whichever guess it was.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import inf, log
from typing import Protocol

import numpy as np
from flint import fmpq

from ....numerics.cyclotomic import Cyclotomic
from ....numerics.exact import Array
from ....numerics.progress import Progress, silent
from ..affine import Orbit
from ..automaton import Automaton
from ..prove.document import micro_steps
from ..rounding.bounds import SLACK, Growth
from .reached_states import mean_states, reached_roundings
from .rounding_weights import Rounding, roundings
from .trained_weights import Decision, TrainedNetwork, Undecided

#: guesses that are closed before giving up, all layers together
ATTEMPTS = 24
#: states of an automaton, times letters remembered, that guide a basis
MOST_GUIDED = 400
#: changes by rounding that are told apart
CLOSE = 1e-6
#: words that weights are run on as they are, all of one length
MOST_WORDS = 4096
#: states that a first round allows
FIRST = 1000
#: states whose numerators and denominators are longer do not close: numbers grow
LARGEST_BITS = 1024


class NotClosed(ArithmeticError):
    """The states of a rounded network are more than there is room for."""


@dataclass(eq=False)
class Machine:
    """The first layers of a network as a finite machine: ``table[node][x]`` is (node after, what is handed on) for input letter x; 0 is the start."""

    table: list[list[tuple[int, int]]]


@dataclass(eq=False)
class ClosedLayer:
    """A rounded layer and all that it meets.

    ``letters[z]`` is the number of letter z among those rounded, ``map_of[z]`` its map in ``orbit``; ``decision[j, z]`` what is decided in state j
    after letter z.
    """

    layer: Layer
    rounding: Rounding
    letters: dict[int, int]
    orbit: Orbit
    map_of: dict[int, int] = field(default_factory=dict)
    floats: list[np.ndarray] = field(default_factory=list)
    decision: dict[tuple[int, int], Decision] = field(default_factory=dict)
    _after: dict[tuple[int, int], int] = field(default_factory=dict)
    _contracting: dict[int, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for z, i in self.letters.items():
            self.map_of[z] = self.orbit.number_of(self.rounding.A[i], self.rounding.B[i])

    def after(self, i: int, z: int) -> int:
        """The state after letter z in state i. Raises :class:`NotClosed` where numbers grow."""
        f = self.map_of[z]
        if (i, f) not in self._after:
            j = self._after[i, f] = self.orbit.after(i, f)
            if _bits(self.orbit.states[j]) > LARGEST_BITS:
                raise NotClosed(f"numbers of more than {LARGEST_BITS:,} bits")
        return self._after[i, f]

    def decide(self, j: int, z: int) -> Decision:
        """What the decoder says in state j after letter z."""
        if (j, z) not in self.decision:
            while len(self.floats) <= j:
                self.floats.append(self.rounding.states(self.orbit.states[len(self.floats)]))
            self.decision[j, z] = self.layer.decide(self.floats[j], z)
        return self.decision[j, z]

    @property
    def margin(self) -> float:
        """Every entry of the state may be off by less than this before another answer scores most; inf if there is one answer."""
        return min(d.entry for d in self.decision.values())

    def unrounded(self) -> float:
        """So many letters the weights as they were are right, in exact arithmetic, as long as all that is read is; inf if at every length.

        An error e of the state becomes at most ||A|| e + ||A' - A|| (|h| + e) + |B' - B| in one step, from rounded A and B to A' and B' as trained.
        """
        radius = max(float(np.linalg.norm(H)) for H in self.floats) * (1 + SLACK)
        excess = added = 0.0
        # what float64 leaves of the exact maps; in a basis of reached states its condition comes in
        spare = 2.0**-40 if self.rounding.basis is None else 2.0**-28
        for z, i in self.letters.items():
            A, B = self.rounding.floats(i)
            norm = 1.0 if self._contracts(z) else float(np.linalg.norm(A, 2)) * (1 + SLACK)
            moved = float(np.linalg.norm(self.layer.A[z] - A)) * (1 + SLACK) + spare
            shifted = float(np.linalg.norm(self.layer.B[z] - B)) * (1 + SLACK) + spare
            excess, added = max(excess, norm - 1 + moved), max(added, moved * radius + shifted)
        start = float(np.linalg.norm(self.layer.initial - self.floats[0])) * (1 + SLACK) + 2.0**-40
        return Growth(excess, added).steps_below(start, min(d.euclidean for d in self.decision.values()) * (1 - SLACK))

    def _contracts(self, z: int) -> bool:
        f = self.map_of[z]
        if self.rounding.basis is not None:
            return False
        if f not in self._contracting:
            self._contracting[f] = micro_steps(*self.orbit.maps[f]) is not None
        return self._contracting[f]


@dataclass(eq=False)
class Certificate:
    """What became of a rounding. ``verdict``: "right" at every length, "wrong" on ``word``, "open" (does not close, or nothing exact is near: ``why``).

    ``layers`` are the rounded layers as far as they closed, ``machine`` their product. ``word`` is a shortest one on which the rounded weights
    are wrong at its end: they say ``says`` where ``expected`` is right. ``labels[q]`` is the right answer in state q, -1 where nothing is asked.
    """

    verdict: str
    automaton: Automaton
    layers: list[ClosedLayer]
    machine: Machine | None = None
    why: str = ""
    word: list[Hashable] | None = None
    says: int | None = None
    expected: int | None = None
    labels: tuple[int, ...] = ()

    @property
    def margin(self) -> float:
        return min((layer.margin for layer in self.layers), default=inf)

    @property
    def change(self) -> float:
        """The largest change of an entry by rounding."""
        return max((layer.rounding.change for layer in self.layers), default=0.0)

    @property
    def unrounded(self) -> float | None:
        """A length up to which the weights as they were are right on every word, in exact arithmetic; None unless the rounded ones are right."""
        return min(layer.unrounded() for layer in self.layers) if self.verdict == "right" else None


@dataclass(frozen=True)
class Trial:
    """The weights as they are, run in float64 on all words of ``short`` letters and some random ones of ``long``.

    ``word`` is one on which they are wrong at the end, the shortest if it is not longer than ``short``; None if they were right throughout.
    """

    short: int
    long: int
    word: list[Hashable] | None = None
    says: int | None = None
    expected: int | None = None


def tried(network: TrainedNetwork, automaton: Automaton, long: int = 256, count: int = 64) -> Trial:
    """Run the weights as they are on all words up to a length, 4096 words at most, and on ``count`` random ones of length ``long``, seeded."""
    automaton, size = automaton.reachable(), network.letters
    short = max(1, int(log(MOST_WORDS) / log(size) + 1e-9)) if size > 1 else 1
    for words in (np.indices((size,) * short).reshape(short, -1).T, np.random.default_rng(0).integers(size, size=(count, long))):
        says, expected = network.run(words), _expected(automaton, words)
        wrong = says != expected
        if wrong.any():
            t = int(wrong.any(0).argmax())
            i = int(wrong[:, t].argmax())
            word = [automaton.letters[x] for x in words[i, : t + 1]]
            return Trial(short, long, word, int(says[i, t]), int(expected[i, t]))
    return Trial(short, long)


def _expected(automaton: Automaton, words: np.ndarray) -> np.ndarray:
    table = np.array(list(automaton.table.values()))
    states, q = np.empty_like(words), np.full(len(words), automaton.start)
    for t in range(words.shape[1]):
        states[:, t] = q = table[words[:, t], q]
    return states


class Layer(Protocol):
    """What is rounded: the map of each letter, ``A`` (letters, n, n) and ``B`` (letters, n), a first state (n,), and what a decoder says."""

    A: np.ndarray
    B: np.ndarray
    initial: np.ndarray

    @property
    def width(self) -> int: ...

    def decide(self, state: np.ndarray, letter: int) -> Decision: ...


def certify(
    network: TrainedNetwork, automaton: Automaton, tolerance: float = 0.25, limit: int = 10_000, progress: Progress = silent
) -> Certificate:
    """Round ``network`` and close it: is it right for ``automaton``, whose reachable states are the network's answers, at every length?

    ``tolerance`` bounds the change of an entry of a map or a first state, ``limit`` the states of the product. The first guess that is right
    counts; if none is, the first that closes, which is wrong on some word. Raises ``ValueError`` if letters or states are not as many.
    """
    automaton = automaton.reachable()
    if (network.letters, network.states) != (len(automaton.letters), automaton.n):
        raise ValueError(
            f"expected weights for {len(automaton.letters)} letters and {automaton.n} states, got {network.letters} and {network.states}: "
            "another task, or other letters?"
        )
    task = Task(network.layers, network.answers, automaton, tuple(range(automaton.n)), tolerance)
    return rounded(task, Machine([[(0, x) for x in range(network.letters)]]), limit, progress)


@dataclass(frozen=True)
class Task:
    """Layers, the answer ``answers[pair]`` of each pair of the last one's decoder, and what is right: ``labels[q]`` in state q."""

    layers: Sequence[Layer]
    answers: np.ndarray
    automaton: Automaton
    labels: tuple[int, ...]
    tolerance: float


def rounded(task: Task, start: Machine, limit: int, progress: Progress = silent) -> Certificate:
    """Round layers that read what ``start`` hands on, and close them; see :func:`certify`."""
    failures: list[Certificate] = []
    # a bad guess takes all the room there is: most good ones take little
    for room in (FIRST, limit) if limit > FIRST else (limit,):
        failures = []
        for found in islice(_attempts(task, room, start, [], progress), ATTEMPTS):
            if found.verdict == "right":
                return found
            failures.append(found)
        if all(f.verdict == "wrong" for f in failures):
            break
    return next((f for f in failures if f.verdict == "wrong"), failures[0])


def _attempts(task: Task, limit: int, below: Machine, done: list[ClosedLayer], progress: Progress) -> Iterator[Certificate]:
    """What becomes of every guess for the layers above those ``done``, depth first."""
    k, layer, automaton = len(done), task.layers[len(done)], task.automaton
    met = sorted({z for row in below.table for _, z in row})
    guesses = _guesses(layer, met, automaton if len(below.table) == 1 else None, task.tolerance)
    if not guesses:
        yield Certificate("open", automaton, done, why=f"layer {k + 1} has no exact numbers within {task.tolerance:g} of its weights")
    for guess in guesses:
        closed = ClosedLayer(layer, guess, {z: i for i, z in enumerate(met)}, Orbit(guess.initial))
        try:
            machine = _product(below, closed, limit, progress)
        except (NotClosed, Undecided) as why:
            yield Certificate("open", automaton, [*done, closed], why=f"layer {k + 1}, rounded to {guess.says}: {why}")
            continue
        if k + 1 < len(task.layers):
            yield from _attempts(task, limit, machine, [*done, closed], progress)
        else:
            yield _judged(machine, [*done, closed], task)


def _guesses(layer: Layer, met: list[int], automaton: Automaton | None, tolerance: float) -> list[Rounding]:
    """Exact maps near a layer's, in its own basis and in that of reached states; those that change least first.

    The states of ``automaton``, whose letters the layer reads in order, guide what counts as one reached state.
    """
    A, B = layer.A[met], layer.B[met]
    guides = []
    if automaton is not None:
        table = np.array(list(automaton.table.values()))
        guides = [
            mean_states(A, B, layer.initial, table, memory) for memory in range(3) if table.size * len(table) ** memory <= MOST_GUIDED
        ]
    found = [*roundings(A, B, layer.initial, tolerance), *reached_roundings(A, B, layer.initial, tolerance, guides)]
    least = min((guess.change for guess in found), default=0.0)
    return sorted(found, key=lambda guess: guess.change > 4 * least + CLOSE)


def _product(below: Machine, closed: ClosedLayer, limit: int, progress: Progress) -> Machine:
    """The machine with one layer more; its nodes in order of discovery, so by the length of words. Raises :class:`NotClosed`."""
    nodes, order, depth, table = {(0, 0): 0}, [(0, 0)], [0], []
    for number, (m, i) in enumerate(order):
        row = []
        for after, z in below.table[m]:
            try:
                j = closed.after(i, z)
            except NotClosed as why:
                raise NotClosed(f"{why} after {_letters(depth[number] + 1)}") from None
            node = nodes.setdefault((after, j), len(order))
            if node == len(order):
                order.append((after, j))
                depth.append(depth[number] + 1)
                if len(order) > limit:
                    raise NotClosed(f"more than {limit:,} states after words of {_letters(depth[-1])}")
            row.append((node, closed.decide(j, z).pair))
        table.append(row)
        progress("closing", number, 0)
    return Machine(table)


def _letters(count: int) -> str:
    return f"{count} letter{'s' if count > 1 else ''}"


def _judged(machine: Machine, layers: list[ClosedLayer], task: Task) -> Certificate:
    """Right, or wrong on the shortest word on which the machine and the automaton differ."""
    automaton, labels = task.automaton, task.labels
    letters = automaton.letters
    came: dict[tuple[int, int], tuple[tuple[int, int], int] | None] = {(0, automaton.start): None}
    waiting = list(came)
    for at in waiting:
        for x, (node, pair) in enumerate(machine.table[at[0]]):
            q, says = automaton.table[letters[x]][at[1]], int(task.answers[pair])
            if says != labels[q] and labels[q] >= 0:
                word, step = [x], came[at]
                while step is not None:
                    word.append(step[1])
                    step = came[step[0]]
                named = [letters[y] for y in reversed(word)]
                return Certificate("wrong", automaton, layers, machine, word=named, says=says, expected=labels[q], labels=labels)
            if (node, q) not in came:
                came[node, q] = at, x
                waiting.append((node, q))
    return Certificate("right", automaton, layers, machine, labels=labels)


def _bits(H: Array) -> int:
    """The length of the largest numerator or denominator of a state."""
    parts = []
    for x in H.flat:
        coefficients = x.polynomial.coeffs() if isinstance(x, Cyclotomic) else [x * fmpq(1)]
        parts += [p for c in coefficients for p in (int(c.p), int(c.q))]
    return max((p.bit_length() for p in parts), default=0)
