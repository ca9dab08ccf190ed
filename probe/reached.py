"""All states that a step reaches from one state by finitely many letters, as a format rounds: then what a range leaves open is decided at these weights."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING

import torch

from .steps import Refused, Step, in_format

if TYPE_CHECKING:
    from ..constructions.languages.machine import Machine

#: formats that PyTorch computes in on a processor
FORMATS = ("float64", "float32", "bfloat16", "float16")

#: states after which the search ends
MOST = 4096


@dataclass(frozen=True)
class Reached:
    """The states that words of letters reach, each as the bits that the format keeps.

    Attributes:
        format: The format that the step computes in.
        moves: ``moves[q][a]`` is the state after letter a in state q; states are numbered in order of discovery, 0 is the first.
        is_all: Whether every state has all its moves: no word reaches another one.
    """

    format: str
    moves: tuple[tuple[int, ...], ...]
    is_all: bool

    @property
    def letters(self) -> int:
        """How many letters there are."""
        return len(self.moves[0])

    @cached_property
    def periods(self) -> tuple[int, ...]:
        """For each letter the least common multiple of the lengths of its cycles: repeated for ever, it comes back to where it was after so many."""
        return tuple(lcm(*_cycles([row[a] for row in self.moves])) for a in range(self.letters))

    def words_alike(self, machine: Machine) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """Two words that reach one state, and whose answers a machine tells apart; None if the state after a word tells the answer.

        Raises ``ValueError`` for a machine with another number of letters, or if not all states are known.
        """
        if not self.is_all or machine.k != self.letters:
            raise ValueError(
                f"expected {machine.k} letters and all states that they reach, got {self.letters} and {len(self.moves)} states"
            )
        came: dict[tuple[int, int], tuple[int, ...]] = {}
        first: dict[int, tuple[int, int]] = {}
        waiting: deque[tuple[tuple[int, int], tuple[int, ...]]] = deque([((0, 0), ())])
        while waiting:
            (q, p), word = waiting.popleft()
            for a in range(self.letters):
                pair = (self.moves[q][a], int(machine.delta[a, p]))
                if pair in came:
                    continue
                came[pair] = (*word, a)
                other = first.setdefault(pair[0], pair)
                if machine.answers[other[1]] != machine.answers[pair[1]]:
                    return came[other], came[pair]
                waiting.append((pair, came[pair]))
        return None


def reached(
    step: Step, letters: Sequence[torch.Tensor], format: str = "float32", start: torch.Tensor | None = None, most: int = MOST
) -> Reached:
    """The states that words of letters reach from a first state, zeros by default, in the step's own arithmetic in a format.

    Raises :class:`~.steps.Refused` for a step that stands for a fused kernel, whose rounding a contract does not give, or if a state is no number.
    """
    if step.contract or step.is_black_box:
        raise Refused(f"expected a step in PyTorch, whose rounding is its own, got one that stands for a fused kernel: {step.name}")
    step = in_format(step, getattr(torch, format))
    inputs = [x.to(step.dtype) if x.is_floating_point() else x for x in letters]
    at = torch.zeros(step.size) if start is None else start.reshape(-1)
    states, moves = [at.to(step.dtype)], []
    number = {_bits(states[0]): 0}
    with torch.no_grad():
        for state in states:
            row = []
            for x in inputs:
                after = step(step.weights, state, x)
                if not bool(torch.isfinite(after).all()):
                    raise Refused(f"expected finite states, got others after {len(states)} states in {format}: {step.name}")
                if _bits(after) not in number:
                    number[_bits(after)] = len(states)
                    states.append(after)
                row.append(number[_bits(after)])
            moves.append(tuple(row))
            if len(states) > most:
                break
    known = len(moves)
    if known == len(states):
        return Reached(format, tuple(moves), is_all=True)
    # moves to states that were not gone through are left out
    return Reached(format, tuple(tuple(q if q < known else -1 for q in row) for row in moves), is_all=False)


def _bits(state: torch.Tensor) -> bytes:
    """What tells two states apart: 0 and -0 are two, as a step may tell them."""
    return state.contiguous().view(torch.uint8).numpy().tobytes()


def _cycles(after: Sequence[int]) -> list[int]:
    """The lengths of the cycles of a map."""
    seen: dict[int, int] = {}
    lengths, clock = [1], 0
    for q in range(len(after)):
        begun = clock
        while q not in seen:
            seen[q], clock = clock, clock + 1
            q = after[q]
        if seen[q] >= begun:
            lengths.append(clock - seen[q])
    return lengths
