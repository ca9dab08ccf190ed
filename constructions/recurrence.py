"""The one recurrence type of the project: affine in its state, with transitions that may depend on the input.

    H_t = A(x_t) H_{t-1} + B(x_t),    y_t = dec(H_t, x_t)          (grazzi25, Eq. 1)

Architectures differ only in which A and B they allow; each is a small constructor of this type.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import lcm
from typing import Any, TypeVar

import numpy as np

from ..numerics.eventual import Eventually, eventual_states
from ..numerics.exact import freeze
from ..numerics.finite_precision import FiniteSet, cast_model_states, stepwise_states

Array = np.ndarray
Letter = Hashable
State = TypeVar("State", bound=Hashable)


@dataclass(frozen=True, repr=False)
class Recurrence:
    """One layer. ``transition(x)`` has shape (n, n), ``inputs(x)`` and ``initial`` have shape (n, d).

    ``decode(H, x)`` gives the output after reading x; for a stack it is the letter that the next layer reads.
    """

    transition: Callable[[Any], Array]
    inputs: Callable[[Any], Array]
    initial: Array
    decode: Callable[[Array, Any], Any]

    @classmethod
    def from_table(cls, table: dict[Any, tuple[Array, Array]], initial: Array, decode: Callable[[Array, Any], Any]) -> Recurrence:
        """A layer over a finite alphabet: ``table[letter] = (A, B)``. Reading another letter raises ``ValueError``."""
        initial = np.asarray(initial)
        for letter, (a, b) in table.items():
            n = len(initial)
            if np.shape(a) != (n, n) or np.shape(b) != initial.shape:
                raise ValueError(
                    f"expected A of shape {(n, n)} and B of shape {initial.shape} for the letter {letter!r}, "
                    f"got {np.shape(a)} and {np.shape(b)}"
                )

        def look_up(letter: Any, part: int) -> Array:
            if letter not in table:
                raise ValueError(f"expected a letter among {list(table)}, got {letter!r}")
            return table[letter][part]

        return cls(lambda x: look_up(x, 0), lambda x: look_up(x, 1), initial, decode)

    def __repr__(self) -> str:
        return f"Recurrence with states of shape {np.shape(self.initial)}"

    def step(self, state: Array, letter: Any) -> Array:
        """A(x) H + B(x)."""
        return self.transition(letter) @ state + self.inputs(letter)

    def states(self, word: Iterable[Any]) -> Iterator[Array]:
        """H_0, H_1, ..., computed step by step: exactly if the entries are exact."""
        state = self.initial
        yield state
        for letter in word:
            state = self.step(state, letter)
            yield state

    def run(self, word: Iterable[Any]) -> list[Any]:
        """The outputs y_1, y_2, ... after every letter."""
        outputs, state = [], self.initial
        for letter in word:
            state = self.step(state, letter)
            outputs.append(self.decode(state, letter))
        return outputs

    def steps(self, word: Iterable[Any]) -> Iterator[tuple[Array, Array]]:
        """The affine maps (A(x_t), B(x_t)) of a word, lazily."""
        return ((self.transition(x), self.inputs(x)) for x in word)

    def closed_form(self, word: Sequence[Any]) -> Array:
        """The last state, unrolled: sum_i A(x_k) ... A(x_{i+1}) B(x_i) + A(x_k) ... A(x_1) H_0."""
        tail, total = np.eye(len(self.initial), dtype=int).astype(object), 0
        for letter in reversed(word):
            total = total + tail @ self.inputs(letter)
            tail = tail @ self.transition(letter)
        return total + tail @ self.initial

    def cast_states(self, word: Iterable[Any], D: FiniteSet) -> Iterator[Array]:
        """The states in the paper's cast model: infinite precision, then rounded onto D (grazzi25, App. B.1)."""
        return cast_model_states(self.steps(word), self.initial, D)

    def eventual_states(self, before: Sequence[Any], period: Sequence[Any], D: FiniteSet) -> Eventually:
        """The states of the cast model for all times on the word ``before period period ...``, computed exactly."""
        return eventual_states(list(self.steps(before)), list(self.steps(period)), self.initial, D)

    def stepwise_states(self, word: Iterable[Any], D: FiniteSet) -> Iterator[Array]:
        """The states when every step is rounded onto D, as hardware does."""
        return stepwise_states(self.steps(word), self.initial, D)


@dataclass(frozen=True)
class TwoSteps:
    """A decoder in two steps: what ``seen`` reads off a state after a letter of some ``kind``, and what that ``means`` after the very letter.

    Equivalent to ``lambda H, x: means(seen(H, kind(x)), x)``. Letters are many and kinds are few, so that who decodes a state after many
    letters (``automata.closure``) need look at it only once for each kind; ``kind(x)`` is hashable.
    """

    kind: Callable[[Any], Hashable]
    seen: Callable[[Array, Any], Any]
    means: Callable[[Any, Any], Any]

    def __call__(self, H: Array, letter: Any) -> Any:
        return self.means(self.seen(H, self.kind(letter)), letter)


@dataclass(frozen=True)
class Stack:
    """Layers in series: each layer's outputs are the letters of the next."""

    layers: tuple[Recurrence, ...]

    def run(self, word: Iterable[Any]) -> list[Any]:
        """The outputs of the last layer after every letter."""
        outputs = list(word)
        for layer in self.layers:
            outputs = layer.run(outputs)
        return outputs

    def step(self, states: tuple[Array, ...], letter: Any) -> tuple[tuple[Array, ...], Any]:
        """(states of all layers, output) after one more letter."""
        new = []
        for layer, state in zip(self.layers, states, strict=True):
            state = layer.step(state, letter)
            letter = layer.decode(state, letter)
            new.append(state)
        return tuple(new), letter

    @property
    def initial(self) -> tuple[Array, ...]:
        return tuple(layer.initial for layer in self.layers)

    def eventual_outputs(self, period: Sequence[Any], D: FiniteSet) -> list[LayerTrace]:
        """What every layer does for ever in the cast model when the input repeats ``period``.

        Each layer's outputs are eventually periodic, so the next one reads a word of the same kind, whose beginning is the
        transient of the layers below.
        """
        traces: list[LayerTrace] = []
        before, repeat = [], list(period)
        for layer in self.layers:
            states = layer.eventual_states(before, repeat, D)
            traces.append(LayerTrace(before, repeat, states))
            cycle = lcm(len(repeat), len(states.cycle))
            settled = max(states.threshold, len(before) + 1)
            outputs = [layer.decode(states.state(t), traces[-1].letter(t)) for t in range(1, settled + cycle)]
            before, repeat = outputs[: settled - 1], outputs[settled - 1 :]
        traces.append(LayerTrace(before, repeat, None))
        return traces


@dataclass(frozen=True)
class LayerTrace:
    """A layer's input, the word ``before`` then ``period`` for ever, and its states; the last trace holds outputs only."""

    before: list[Any]
    period: list[Any]
    states: Eventually | None

    def letter(self, t: int) -> Any:
        """The letter read at time t >= 1."""
        beyond = t - 1 - len(self.before)
        return self.before[t - 1] if beyond < 0 else self.period[beyond % len(self.period)]

    @property
    def least_period(self) -> int:
        """The least period of the repeating part."""
        n = len(self.period)
        return next(p for p in range(1, n + 1) if n % p == 0 and self.period == self.period[:p] * (n // p))


@dataclass(frozen=True)
class Reachable:
    """The states that a stack can reach, each beside the state of an automaton that reads the same word.

    ``pairs`` lists (network states, automaton state) in order of discovery; ``edges[i, letter]`` is the index reached from
    i. ``mismatch`` is the shortest word after which the output is wrong, or None; ``closed`` is False if the search gave up.
    """

    pairs: list[tuple[tuple[Array, ...], Any]]
    edges: dict[tuple[int, Any], int]
    mismatch: tuple[Any, ...] | None
    closed: bool = True


def reachable_with(
    stack: Stack | Recurrence,
    delta: Callable[[State, Any], State],
    start: State,
    letters: Sequence[Any],
    output: Callable[[State], Any],
    limit: int = 100_000,
) -> Reachable:
    """Breadth-first over the product of a network and an automaton, in the network's own (exact) arithmetic.

    If it closes and ``mismatch`` is None, the network's output equals ``output(automaton state)`` after every nonempty word of every
    length: the reachable product is finite and was visited whole. Gives up (``closed`` False) beyond ``limit`` pairs.
    """
    stack = stack if isinstance(stack, Stack) else Stack((stack,))
    pairs: list[tuple[tuple[Array, ...], Any]] = [(stack.initial, start)]
    index = {_key(*pairs[0]): 0}
    words: list[tuple[Any, ...]] = [()]
    edges: dict[tuple[int, Any], int] = {}
    i = 0
    while i < len(pairs):
        states, q = pairs[i]
        for letter in letters:
            new, y = stack.step(states, letter)
            after = delta(q, letter)
            if y != output(after):
                return Reachable(pairs, edges, (*words[i], letter))
            key = _key(new, after)
            if key not in index:
                if len(pairs) >= limit:
                    return Reachable(pairs, edges, None, closed=False)
                index[key] = len(pairs)
                pairs.append((new, after))
                words.append((*words[i], letter))
            edges[i, letter] = index[key]
        i += 1
    return Reachable(pairs, edges, None)


def _key(states: tuple[Array, ...], q: Any) -> tuple:
    return tuple(freeze(s) for s in states), q
