"""Proof that a network computes an automaton's output at every length: exact closure of the reachable product."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..constructions.closure import closure_data
from ..constructions.recurrence import Reachable, Recurrence, Stack, reachable_with
from .evidence import Proof


def computes(
    proof: Proof,
    what: str,
    network: Stack | Recurrence,
    delta: Callable[[Any, Any], Any],
    start: Any,
    letters: Sequence[Any],
    output: Callable[[Any], Any],
) -> Reachable:
    """Record that ``network`` outputs ``output(delta(start, word))`` after every nonempty word, and certify it."""
    stack = network if isinstance(network, Stack) else Stack((network,))
    found = reachable_with(stack, delta, start, letters, output, limit=5000)
    alphabet = "{" + ", ".join(map(str, letters)) + "}"
    outcome = "right" if found.mismatch is None else f"wrong after the word {found.mismatch}"
    for _ in proof.every(f"all words over {alphabet}", [f"{len(found.pairs)} reachable pairs"], limited=False):
        proof.exactly(what, outcome if found.closed else f"more than {len(found.pairs)} reachable states", "right")
    if found.closed and found.mismatch is None:
        proof.certificate("automaton", what, **closure_data(stack, found, letters, output))
    return found
