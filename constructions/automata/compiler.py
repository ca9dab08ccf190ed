"""From an automaton to a proved network."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass

from ..recurrence import Reachable, Recurrence, Stack, reachable_with
from .automaton import Automaton
from .cascade import Cascade, krohn_rhodes
from .layers import repaired_stack


@dataclass(frozen=True)
class Network:
    """A stack of linear recurrences that outputs the automaton's state, with the closure that proves it.

    ``proof`` lists every reachable state of the network beside the automaton's state, and every transition between them.
    """

    automaton: Automaton
    cascade: Cascade
    stack: Stack
    proof: Reachable

    @property
    def layers(self) -> tuple[Recurrence, ...]:
        return self.stack.layers

    @property
    def widths(self) -> list[int]:
        """The state dimension of each layer."""
        return [len(layer.initial) for layer in self.layers]

    def run(self, word: Iterable[Hashable]) -> list[tuple[int, bool]]:
        """(automaton state, accepted) after every letter, computed by the network."""
        states = self.stack.run(word)
        return [(q, q in self.automaton.accepting) for q in states]


def compile_automaton(automaton: Automaton) -> Network:
    """A network of n - 1 layers, widths n, n-1, ..., 2, for an automaton with n reachable states, proved at every length.

    The proof is exhaustive: all reachable states of the network, all letters, exact arithmetic. Raises ``ArithmeticError`` if
    it fails, so that no wrong network is ever returned.
    """
    reachable = automaton.reachable()
    cascade = krohn_rhodes(reachable)
    stack = repaired_stack(cascade)
    proof = reachable_with(stack, reachable.step, reachable.start, reachable.letters, lambda q: q)
    if not proof.closed or proof.mismatch is not None:
        raise ArithmeticError(f"expected the network to emulate the automaton, got a mistake after {proof.mismatch}")
    return Network(reachable, cascade, stack, proof)
