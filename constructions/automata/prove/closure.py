"""The proof that a stack computes an automaton's state at every length: layer by layer, closed under everything it can read.

A layer's letters are the arrows of a graph of *places*: the place after one letter is the place before the next. The first graph has
one place and an arrow for every input letter. A layer multiplies the graph by its own states, and what it hands on names the place
before and after the letter in the next graph. In the last graph the places are the automaton's states, and every arrow must be one
of its transitions. Each step visits all (place, state) pairs that can be reached, every letter, in exact arithmetic. So every
word, of any length, is a walk through every graph, and the outputs along it are the automaton's states.

The graphs are quotients of the product of all layers, which can be factorially larger.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ....numerics.exact import Array
from ....numerics.progress import Progress, silent
from ...recurrence import Recurrence, Stack, TwoSteps
from ..affine import Orbit
from ..automaton import Automaton

#: proofs that visit more transitions, in all layers together, are refused: they would take gigabytes
LARGEST_CLOSURE = 2_000_000


class NotClosed(ArithmeticError):
    """The stack was not proved to compute the automaton."""


class Arrow(NamedTuple):
    """A letter of a layer, the input letter behind it, and the places that it goes between."""

    read: Any
    letter: Hashable
    before: Hashable
    after: Hashable


@dataclass(eq=False)
class LayerClosure:
    """All that one layer can meet. Letters, places, maps and states are numbered in order of discovery; the initial ones are 0.

    ``arrows[y]`` is letter y, which goes between the places ``ends[y]``, and ``map_of[y]`` its affine map in ``maps``, pairs (A, B).
    ``move[i, f]`` is the state after map f in state i, ``decoder[i, y]`` what is handed on in state i after letter y, ``place[p, i]`` the
    place in the next graph of the pair of place p and state i.
    """

    layer: Recurrence
    arrows: list[Arrow]
    start: Hashable
    ends: list[tuple[int, int]] = field(default_factory=list)
    map_of: list[int] = field(default_factory=list)
    move: dict[tuple[int, int], int] = field(default_factory=dict)
    decoder: dict[tuple[int, int], Any] = field(default_factory=dict)
    place: dict[tuple[int, int], Hashable] = field(default_factory=dict)
    transitions: int = 0

    def __post_init__(self) -> None:
        self._orbit = Orbit(self.layer.initial)
        # most layers hand out the same arrays again and again; those met are kept here, so that an address means one array
        met: dict[tuple[int, int], tuple[int, Array, Array]] = {}
        number: dict[Hashable, int] = {self.start: 0}
        for arrow in self.arrows:
            A, B = self.layer.transition(arrow.read), self.layer.inputs(arrow.read)
            if (id(A), id(B)) not in met:
                met[id(A), id(B)] = self._orbit.number_of(A, B), A, B
            self.map_of.append(met[id(A), id(B)][0])
            self.ends.append((number.setdefault(arrow.before, len(number)), number.setdefault(arrow.after, len(number))))
        #: the letters that leave each place
        self.leaving: list[list[int]] = [[] for _ in number]
        for y, (p, _) in enumerate(self.ends):
            self.leaving[p].append(y)
        self._decode = _once_for_each_kind(self.layer.decode, self)

    @property
    def maps(self) -> list[tuple[Array, Array]]:
        return self._orbit.maps

    @property
    def states(self) -> list[Array]:
        return self._orbit.states

    def after(self, i: int, y: int) -> int:
        """The state after letter y in state i."""
        f = self.map_of[y]
        if (i, f) not in self.move:
            self.move[i, f] = self._orbit.after(i, f)
        return self.move[i, f]

    def decoded(self, j: int, y: int) -> Any:
        """What the layer hands on in state j after letter y."""
        if (j, y) not in self.decoder:
            self.decoder[j, y] = self._decode(j, y)
        return self.decoder[j, y]

    def close(
        self,
        follow: Callable[[Arrow, Hashable, Any], tuple[Hashable, Hashable]],
        visited: Callable[[int], None] = lambda pairs: None,
        room: int = LARGEST_CLOSURE,
    ) -> None:
        """Visit every reachable (place, state) and letter. ``follow(arrow, place before, handed on)`` names the places before and after.

        Raises :class:`NotClosed` if one pair would get two places, or for more than ``room`` transitions.
        """
        waiting, place = [(0, 0)], self.place
        for done, here in enumerate(waiting):
            visited(done)
            p, i = here
            for y in self.leaving[p]:
                j = self.after(i, y)
                before, after = follow(self.arrows[y], place.get(here), self.decoded(j, y))
                there = self.ends[y][1], j
                new = there not in place and there != (0, 0)
                if place.setdefault(here, before) != before or place.setdefault(there, after) != after:
                    raise NotClosed(f"expected one place for each state of a layer, got two after the letter {self.arrows[y].letter!r}")
                if new:
                    waiting.append(there)
            self.transitions += len(self.leaving[p])
            if self.transitions > room:
                raise NotClosed(f"expected a proof of at most {LARGEST_CLOSURE:,} transitions, got more")


def _once_for_each_kind(decode: Callable[[Array, Any], Any], closure: LayerClosure) -> Callable[[int, int], Any]:
    """``decode`` by the numbers of a state and a letter; of a decoder in two steps the first is done once for a state and a kind of letter."""
    letters = [arrow.read for arrow in closure.arrows]
    if not isinstance(decode, TwoSteps):
        return lambda j, y: decode(closure.states[j], letters[y])
    number: dict[Hashable, int] = {}
    kinds: list[Hashable] = []
    kind_of = []
    for x in letters:
        kind = decode.kind(x)
        kind_of.append(number.setdefault(kind, len(number)))
        if len(kinds) < len(number):
            kinds.append(kind)
    seen: dict[tuple[int, int], Any] = {}

    def decoded(j: int, y: int) -> Any:
        at = j, kind_of[y]
        if at not in seen:
            seen[at] = decode.seen(closure.states[j], kinds[at[1]])
        return decode.means(seen[at], letters[y])

    return decoded


def close_by_layers(stack: Stack, automaton: Automaton, progress: Progress = silent) -> list[LayerClosure]:
    """The closure of every layer, which together prove that the stack outputs the automaton's state after every nonempty word.

    What a layer but the last hands on has the input ``letter`` and the places ``before`` and ``after`` it (``places.Read``).
    ``progress`` counts the pairs that are visited. Raises :class:`NotClosed` if that fails for some layer.
    """

    def next_place(arrow: Arrow, known: Hashable, handed: Any) -> tuple[Hashable, Hashable]:
        if handed is None or handed.letter != arrow.letter:
            raise NotClosed(f"expected a layer to hand on the letter {arrow.letter!r}, got {handed!r}")
        return handed.before, handed.after

    def automaton_state(arrow: Arrow, known: Hashable, handed: Any) -> tuple[Hashable, Hashable]:
        before: Any = automaton.start if known is None else known
        after = automaton.step(before, arrow.letter)
        if handed != after:
            raise NotClosed(f"expected the state {after} after the letter {arrow.letter!r} in state {before}, got {handed!r}")
        return before, after

    arrows, start, closures = [Arrow(a, a, None, None) for a in automaton.letters], None, []
    for k, layer in enumerate(stack.layers, start=1):
        closure = LayerClosure(layer, arrows, start)
        stage = f"closing layer {k} of {len(stack.layers)}"
        room = LARGEST_CLOSURE - sum(done.transitions for done in closures)
        closure.close(next_place if k < len(stack.layers) else automaton_state, lambda pairs, stage=stage: progress(stage, pairs, 0), room)
        closures.append(closure)
        start = closure.place[0, 0]
        if k < len(stack.layers):
            arrows = [Arrow(y, *y) for y in dict.fromkeys(closure.decoder.values())]
    return closures
