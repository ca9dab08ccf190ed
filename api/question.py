"""What a question is about: a task, a group, a regular expression or an automaton, given by keyword or as one string."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..cli.automaton_input import automaton_of, group_of, require_one_input

if TYPE_CHECKING:
    from ..constructions.automata import Automaton

#: what a question can be about, by the name of its keyword
KINDS = ("task", "group", "regex", "automaton", "generators")


@dataclass(frozen=True)
class Question:
    """``kind`` is one of ``KINDS``; ``given`` is what the caller wrote."""

    kind: str
    given: Any

    def __str__(self) -> str:
        return f"{self.kind} {self.given}" if isinstance(self.given, str | Path) else self.kind


def question(text: str | None, is_task: Callable[[str], bool], tasks: Iterable[str], **given: Any) -> Question | None:
    """The one input among ``text`` and the keywords; None if there is none.

    A bare string is a task if ``is_task`` says so, else a group if it names one, else a regular expression, unless it is a slip for one of the ``tasks``.

    Raises:
        ValueError: Two inputs are given, or a task is misspelt.
    """
    named = [Question(kind, value) for kind, value in given.items() if value is not None]
    if text is not None:
        named.insert(0, Question("task" if is_task(text) else "group" if is_group(text) else "regex", text))
    if len(named) > 1:
        raise ValueError(f"expected one input, got {' and '.join(q.kind for q in named)}")
    if text is not None and named[0].kind == "regex" and (near := slip_for(text, tasks)):
        raise ValueError(
            f"expected a task, a group or a regular expression, got {text} (did you mean {near}?): regex= takes it as an expression"
        )
    return named[0] if named else None


def slip_for(text: str, tasks: Iterable[str]) -> str | None:
    """The task for which ``text`` is probably a slip: only words of five letters or more are, never expressions."""
    if len(text) < 5 or not text.replace("-", "").replace(" ", "").isalpha():
        return None
    return next(iter(get_close_matches(text.lower(), tasks, 1, 0.75)), None)


def is_group(text: str) -> bool:
    """Whether ``text`` names a group, such as S5 or C2xC6. Groups are built to find that out; the largest has 500 points."""
    from ..constructions.automata.read.sources import named_group

    try:
        named_group(text)
    except ValueError:
        return False
    return True


def machine_of(
    asked: Question, *, alphabet: str | None = None, elements: bool = False, complete: bool = False, minimise: bool = False
) -> dict[str, tuple[int, ...]] | Automaton:
    """The automaton of a question; of a group its letters as permutations.

    Raises:
        ValueError: An option does not belong to this kind of input, or the input cannot be read.
    """
    given: dict[str, Any] = dict.fromkeys(KINDS) | {asked.kind: asked.given}
    require_one_input(
        given,
        {
            "alphabet": (alphabet is not None, "regex"),
            "elements": (elements, "group generators"),
            "complete": (complete, "automaton"),
            "minimise": (minimise, "automaton task"),
        },
    )
    if asked.kind == "automaton" and not isinstance(asked.given, str | Path):
        from ..constructions.automata.read import machines

        return machines.minimise(asked.given) if minimise else asked.given
    path = None if given["automaton"] is None else Path(given["automaton"])
    found = group_of(given["group"], given["generators"], elements)
    return found or automaton_of(given["regex"], alphabet, path, complete, given["task"], minimise)
