"""What a layer does at its weights in a rounded format: all states that letters reach, and whether they tell what a task asks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from rich.text import Text

from .result import Result

if TYPE_CHECKING:
    import torch

    from ..constructions.languages.machine import Machine
    from ..probe.reached import Reached
    from ..probe.steps import Step

COLOURS = {"yes": "green", "no": "red"}


@dataclass(frozen=True, repr=False, eq=False)
class Closed(Result):
    """The states that a layer reaches at these weights, as a format rounds.

    Attributes:
        name: What the layer is called.
        reached: The states, and the moves between them.
        asked: The task or the expression, or None.
        machine: The minimal machine of what is asked, or None.
    """

    name: str
    reached: Reached
    asked: str | None = None
    machine: Machine | None = None

    @property
    def alike(self) -> tuple[str, str] | None:
        """Two words with different answers after which the layer is in one state; None without a question, or if there are none."""
        if self.machine is None or not self.reached.is_all:
            return None
        words = self.reached.words_alike(self.machine)
        return None if words is None else (_spelled(self.machine, words[0]), _spelled(self.machine, words[1]))

    def says(self) -> str:
        """Whether one such layer, with any function of its state as output, answers after every word: "yes", "no" or "not decided"."""
        if self.machine is None or not self.reached.is_all:
            return "not decided"
        return "yes" if self.alike is None else "no"

    @property
    def data(self) -> dict[str, Any]:
        return {
            "layer": self.name,
            "format": self.reached.format,
            "letters": self.reached.letters,
            "states": len(self.reached.moves),
            "all states": self.reached.is_all,
            "periods": list(self.reached.periods) if self.reached.is_all else None,
            "asked": self.asked,
            "answer": self.says(),
            "two words in one state": self.alike,
        }

    def parts(self) -> Iterator[RenderableType]:
        r, n = self.reached, len(self.reached.moves)
        if not r.is_all:
            yield Text(f"at these weights, in {r.format}: {r.letters} letters reach more than {n} states; not decided", "yellow")
            return
        yield Text(
            f"at these weights, in {r.format} as PyTorch rounds on this machine: {r.letters} letters reach {n} states, and no others"
        )
        yield Text("period of each letter, repeated: " + ", ".join(map(str, r.periods)))
        if self.machine is not None:
            why = (
                "the state tells the answer after every word"
                if self.alike is None
                else f"the words {self.alike[0]} and {self.alike[1]} lead to one state and have different answers"
            )
            yield Text(f"{self.asked}, one such layer with any output of its state: {self.says()}, CHECKED: {why}", COLOURS[self.says()])


def closure(
    step: Step, format: str, task: str | None, regex: str | None, letters: list[torch.Tensor] | None, start: torch.Tensor | None, most: int
) -> Closed:
    """The states that letters reach: the unit vectors of the input, as many as the task has letters, or those given."""
    import torch

    from ..constructions.automata.read.sources import from_permutations
    from ..constructions.automata.read.tasks import TASKS
    from ..constructions.languages.machine import machine_of
    from ..probe.reached import FORMATS, reached
    from ..theorems.ledger import require_known
    from .question import machine_of as automaton_of
    from .question import question

    require_known("format", [format], list(FORMATS))
    asked = question(task, TASKS.__contains__, TASKS, regex=regex)
    found = None if asked is None else automaton_of(asked)
    machine = None if found is None else machine_of(from_permutations(found) if isinstance(found, dict) else found)
    if letters is None:
        x = step.draw(torch.Generator().manual_seed(0))
        if x.ndim != 1:
            raise ValueError(f"expected letters for an input of shape {tuple(x.shape)}, got none: unit vectors have one axis")
        letters = list(torch.eye(len(x), dtype=step.dtype)[: len(x) if machine is None else machine.k])
    if machine is not None and machine.k != len(letters):
        raise ValueError(f"expected an input for each of {machine.k} letters, got {len(letters)}")
    return Closed(step.name, reached(step, letters, format, start, most), None if asked is None else str(asked.given), machine)


def _spelled(machine: Machine, word: tuple[int, ...]) -> str:
    names = [str(x) for x in machine.spelled(word)]
    return ("" if all(len(x) == 1 for x in names) else " ").join(names)
