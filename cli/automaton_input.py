"""The automaton or the group that ``lemmata compile`` is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..constructions.automata import Automaton


def group_of(group: str | None, generators: str | None, every: bool = False) -> dict[str, tuple[int, ...]] | None:
    """The generators of a group by name or in cycle notation, or every element of it; None if neither is given."""
    from ..constructions.automata.read.sources import all_elements, from_cycles, named_group

    if group is None and generators is None:
        return None
    found = named_group(group) if group is not None else from_cycles(generators or "")
    return all_elements(found) if every else found


def automaton_of(
    regex: str | None, alphabet: str | None, machine: Path | None, complete: bool, task: str | None, minimal: bool
) -> Automaton:
    """The automaton of an expression, a file or a task."""
    from ..constructions.automata.read.machine_files import from_json
    from ..constructions.automata.read.machines import minimise
    from ..constructions.automata.read.sources import from_regex
    from ..constructions.automata.read.tasks import TASKS

    if regex is not None:
        return from_regex(regex, alphabet)
    automaton = from_json(_text(machine), complete) if machine is not None else TASKS[require_task(task)]()
    return minimise(automaton) if minimal else automaton


def require_task(name: str | None) -> str:
    """The name of a task. Raises ``ValueError``, with the names of all tasks, if it is none of them."""
    from ..constructions.automata.read.tasks import TASKS

    if name is None or name not in TASKS:
        raise ValueError(f"expected a task among {', '.join(TASKS)}, got {name!r}")
    return name


def require_one_input(inputs: Mapping[str, object], only_with: dict[str, tuple[bool, str]]) -> None:
    """Exactly one input, and options only beside the inputs that they are for; ``only_with``: option -> (given, the inputs)."""
    given = [name for name, value in inputs.items() if value is not None]
    if len(given) != 1:
        *others, last = inputs
        raise ValueError(f"expected exactly one of {', '.join(others)} and {last}, got {' and '.join(given) or 'none'}")
    for option, (used, wanted) in only_with.items():
        if used and given[0] not in wanted.split():
            raise ValueError(f"expected {option} with {' or '.join(wanted.split())} only, got it with {given[0]}")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"expected a JSON file in UTF-8, got other bytes in {path}") from None
