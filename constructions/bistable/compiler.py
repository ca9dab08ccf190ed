"""From an automaton to a proved stack of bistable layers, or to the words that show that there is none.

The stages: minimise · refuse, with words · the holonomy cascade, whose levels are resets · conditions, units and layers
(``bistable/units``) · the proof: every state of all layers together that a word reaches, and every letter.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...numerics.progress import Progress, silent
from ..automata.automaton import Automaton
from ..automata.cascade.cascade import Cascade, CascadeState, by_holonomy
from ..automata.cascade.skeleton import skeleton
from ..automata.prove.document import automaton_document
from ..automata.read.machines import minimise
from ..recurrence import Recurrence, Stack
from . import refusals
from .cell import BMRU
from .closure import Closure, close
from .units import (
    MOST_SITUATIONS,
    Affine,
    Layer,
    Letter,
    Row,
    Situations,
    Time,
    bits_of,
    in_layers,
    level_rows,
    matrix_of,
    one_literal,
    terms_for,
    units_for,
)

Array = np.ndarray


class NotBistable(ValueError):
    """No stack of bistable layers recognises the language; ``why`` has the words."""

    def __init__(self, why: refusals.Stutter | refusals.Period | refusals.SameLength):
        super().__init__(str(why))
        self.why = why


@dataclass(frozen=True, eq=False)
class BistableNetwork:
    """Bistable layers with skip connections, and a linear readout with one number for each state of the automaton: the positive one is right.

    ``automaton`` is minimal. Layer k reads the letter, one-hot, and the states of all layers below, linearly. With ``clock`` > 1 the network is
    a hybrid: below all lies a linear layer that turns at every letter, whatever it is, and its one-hot state is read too. ``readout`` is
    (W, b) on the letter, the clock and all units. ``proof`` counts what was visited to prove it right at every length.
    """

    automaton: Automaton
    layers: tuple[Layer, ...]
    readout: tuple[Array, Array]
    clock: int
    cascade: Cascade
    proof: Closure

    @property
    def widths(self) -> list[int]:
        """The number of units of each layer."""
        return [len(layer.start) for layer in self.layers]

    @property
    def stack(self) -> Stack:
        """The same as layers of the project's one recurrence type, from letters to the automaton's state (None if not one readout is positive)."""
        letters = self.automaton.letters
        one_hot = {x: np.eye(len(letters), dtype=int)[i].astype(object) for i, x in enumerate(letters)}
        W, b = self.readout

        def answer(read: Array) -> int | None:
            positive = np.flatnonzero(W @ read + b > 0)
            return int(positive[0]) if len(positive) == 1 else None

        def onward(H: Array, read: Array) -> Array:
            return np.concatenate([read, H[:, 0]])

        turn = np.roll(np.eye(self.clock, dtype=int), 1, axis=0).astype(object)
        still = np.zeros((self.clock, 1), dtype=object)
        recurrences = [Recurrence(lambda x: turn, lambda x: still, turn[:, -1:].copy(), lambda H, x: onward(H, one_hot[x]))]
        recurrences += [layer.unit.recurrence(layer.start, onward) for layer in self.layers]
        if self.clock == 1:  # no linear layer: the first layer reads the letter itself
            recurrences[:1] = []
            recurrences[0] = _reading(recurrences[0], one_hot)
        last = recurrences[-1]
        recurrences[-1] = Recurrence(last.transition, last.inputs, last.initial, lambda H, x: answer(last.decode(H, x)))
        return Stack(tuple(recurrences))

    def run(self, word: Iterable[Hashable]) -> list[tuple[Hashable, bool]]:
        """(name of the automaton's state, accepted) after every letter, computed by the network."""
        return [(self.automaton.name(q), q in self.automaton.accepting) for q in self.stack.run(word)]

    def document(self) -> dict[str, Any]:
        """The network as plain data, as docs/reference/formats.md describes it."""
        weights = ("W_x", "b_x", "W_beta", "b_beta", "alpha")
        return {
            "format": "lemmata-bistable",
            "version": 1,
            **automaton_document(self.automaton),
            "clock": self.clock,
            "layers": [
                {name: getattr(layer.unit, name).tolist() for name in weights} | {"initial": layer.start.tolist()} for layer in self.layers
            ],
            "readout": {"W": self.readout[0].tolist(), "b": self.readout[1].tolist()},
        }

    def to_json(self) -> str:
        """The network with its integer weights: enough to simulate and to re-check it without lemmata (docs/reference/formats.md)."""
        return json.dumps(self.document(), ensure_ascii=False)

    def to_torch(self, dtype: Any = None) -> Any:
        """A ``torch.nn.Module`` of BMRU layers on batches of words, float32 unless ``dtype`` says otherwise; needs the ``torch`` extra."""
        import torch

        from .module import BistableModule

        return BistableModule(self.document(), self.automaton.letters, dtype or torch.float32)

    def __repr__(self) -> str:
        return f"BistableNetwork of {len(self.layers)} layers, widths {self.widths}, for {self.automaton.n} states"


def _reading(layer: Recurrence, code: dict[Hashable, Array]) -> Recurrence:
    """The layer on letters instead of their codes."""
    return Recurrence(
        lambda x: layer.transition(code[x]), lambda x: layer.inputs(code[x]), layer.initial, lambda H, x: layer.decode(H, code[x])
    )


def compile_bistable(automaton: Automaton, clock: int = 1, progress: Progress = silent) -> BistableNetwork:
    """A stack of bistable layers for what an automaton accepts and says, proved at every length.

    Raises :class:`NotBistable` if there is none: exactly if a letter of the minimal automaton does not act idempotently, or a word permutes
    some of its states. With ``clock`` N > 1 the units also read the number of letters modulo N, from a linear layer, and only words of
    lengths divisible by N must not permute states. Raises ``ArithmeticError`` for what is too large.
    """
    smallest = minimise(automaton)
    progress("skeleton", 0, 0)
    if clock == 1:
        offence = refusals.stutter(smallest)
        if offence is not None:
            raise NotBistable(offence)
    found = skeleton(timed(smallest, clock))
    offence = refusals.period(smallest, found) if clock == 1 else None
    if offence is not None:
        raise NotBistable(offence)
    progress("cascade", 0, 0)
    cascade = by_holonomy(found)
    happens, answers = situations(smallest, cascade, clock)
    progress("layers", 0, 0)
    layers, readout = built(smallest, cascade, happens, answers, clock)
    return BistableNetwork(smallest, tuple(layers), readout, clock, cascade, close(smallest, layers, readout, clock, progress))


def one_unit_a_layer(network: BistableNetwork, progress: Progress = silent) -> BistableNetwork:
    """The same network with one unit in each layer, proved anew: a transition of width 1 is one Householder factor with eigenvalue 0 or 1."""
    layers: list[Layer] = []
    for layer in network.layers:
        for j, source in enumerate(layer.sources):
            # units of the same layer are now below, and are not read
            W_x, W_beta = (np.hstack([W[j : j + 1], np.zeros((1, j), dtype=W.dtype)]) for W in (layer.unit.W_x, layer.unit.W_beta))
            b_x, b_beta, alpha = (x[j : j + 1] for x in (layer.unit.b_x, layer.unit.b_beta, layer.unit.alpha))
            layers.append(Layer(BMRU(W_x, b_x, W_beta, b_beta, alpha), (source,), layer.start[j : j + 1]))
    proof = close(network.automaton, layers, network.readout, network.clock, progress)
    return BistableNetwork(network.automaton, tuple(layers), network.readout, network.clock, network.cascade, proof)


def compile_hybrid(automaton: Automaton, progress: Progress = silent) -> BistableNetwork:
    """:func:`compile_bistable`, with the least clock that serves if it does not do without: at least 2, so that no state is read twice.

    Raises :class:`NotBistable` exactly if two words of one length differ in that the first permutes states that the second leaves alone.
    """
    smallest = minimise(automaton)
    progress("clock", 0, 0)
    lengths = refusals.by_length(smallest)
    offence = refusals.same_length(smallest, lengths)
    if offence is not None:
        raise NotBistable(offence)
    least = refusals.least_clock(lengths)
    without = least == 1 and refusals.stutter(smallest) is None
    return compile_bistable(smallest, 1 if without else max(least, 2), progress)


def timed(automaton: Automaton, clock: int) -> Automaton:
    """The automaton on pairs (letter, number of letters modulo the clock), if there is one: its own states, or a sink once the numbers are not in order."""
    if clock == 1:
        return automaton
    n = automaton.n * clock
    table = {}
    for x, row in automaton.table.items():
        for t in range(clock):
            table[x, t] = [row[q] * clock + t if (s + 1) % clock == t else n for q in range(automaton.n) for s in range(clock)] + [n]
    return Automaton(table, automaton.start * clock).reachable()


def situations(automaton: Automaton, cascade: Cascade, clock: int) -> tuple[Situations, dict[CascadeState, int]]:
    """All (cascade's state, letter, what is then read of it), and the automaton's state by the cascade's after every nonempty word."""
    start = (cascade.start, 0, automaton.start)
    seen: set[tuple[CascadeState, int, int]] = {start}
    answers, found = {}, []
    for state, time, q in (waiting := list(seen)):
        later = (time + 1) % clock
        for x in automaton.letters:
            letter, heads = ((x, later), (Letter(x), Time(later))) if clock > 1 else (x, (Letter(x),))
            found.append((state, letter, heads))
            after = (cascade.step(state, letter), later, automaton.step(q, x))
            answers[after[0]] = after[2]
            if after not in seen:
                seen.add(after)
                waiting.append(after)
        if len(found) > MOST_SITUATIONS:
            raise ArithmeticError(f"expected a cascade of at most {MOST_SITUATIONS:,} pairs of a state and a letter, got more")
    return found, answers


def built(
    automaton: Automaton, cascade: Cascade, happens: Situations, answers: dict[CascadeState, int], clock: int
) -> tuple[list[Layer], tuple[Array, Array]]:
    """The layers, and the readout (W, b)."""
    level_terms = []
    for k in range(len(cascade.sizes)):
        rows = level_rows(cascade, k, happens)
        level_terms.append({r: terms_for(rows, r) for r in sorted({row.value for row in rows if row.value is not None})})
    rows = [Row((), bits_of(cascade, state), q) for state, q in answers.items()]
    forms = []
    for q in range(automaton.n):
        forms.append(Affine({}))
        for term in terms_for(rows, q):
            forms[-1].constant += 1
            if term:
                forms[-1].add(one_literal(term))
            else:
                forms[-1].constant += 1
    units = units_for(forms, level_terms, bits_of(cascade, cascade.start))
    inputs = [*map(Letter, automaton.letters), *(Time(t) for t in range(clock if clock > 1 else 0))]
    layers = in_layers(units, inputs)
    number = {s: i for i, s in enumerate([*inputs, *(s for layer in layers for s in layer.sources)])}
    return layers, matrix_of(forms, number)
