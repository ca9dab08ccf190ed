"""Machines read from JSON: acceptors, partial and nondeterministic ones, Moore and Mealy machines (docs/reference/inputs.md)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from automata.fa.nfa import NFA

from ..automaton import LARGEST_AUTOMATON, Automaton, brief, is_integer
from .machines import SINK, completed, from_mealy
from .sources import from_nfa

#: bounds on what is read, beside the number of states: characters, letters
LARGEST_FILE, LARGEST_ALPHABET = 10_000_000, 1000

KEYS = ("states", "table", "epsilon", "start", "accepting", "outputs")


def from_json(text: str, complete: bool = False) -> Automaton:
    """The machine of ``{"states": names, "table": {letter: [next state, ...]}, "start": q, "accepting": [q, ...], "outputs": ...}``.

    Without ``states`` these are 0 .. n-1. A next state is null where there is none (``complete`` then adds a sink), and a list in a
    nondeterministic automaton, which may have ``epsilon`` moves. ``outputs`` is a list for a Moore machine, an object like the table for a
    Mealy machine. docs/reference/inputs.md has the rules. Raises ``ValueError``, in one line, for everything else.
    """
    data = _read(text)
    if not isinstance(data, dict) or not isinstance(data.get("table"), dict) or not data["table"]:
        _refuse("a JSON object with a table {letter: [next states]}", data)
    if unknown := [key for key in data if key not in KEYS]:
        _refuse(f"the keys {', '.join(KEYS)}", unknown[0])
    letters, rows = list(data["table"]), list(data["table"].values())
    if len(letters) > LARGEST_ALPHABET or not all(x and _is_name(x) for x in letters):
        _refuse(f"at most {LARGEST_ALPHABET} letters, none of them empty", letters)
    names = _names(data, rows)
    for x, row in zip(letters, rows, strict=True):
        _one_each(row, names, f"next states for the letter {brief(x)}")
    number = _Numbers(names)
    start = number(data.get("start", names[0]), "start")
    accepting = frozenset(number.each(data.get("accepting", []), "accepting"))
    if "epsilon" in data or any(isinstance(after, list) for row in rows for after in row):
        if "outputs" in data:
            raise ValueError("expected no outputs in a nondeterministic automaton: after a word it is in several states")
        return _nondeterministic(data, names, number, start, accepting)
    partial = {x: number.row(row, f"the row of {brief(x)}") for x, row in zip(letters, rows, strict=True)}
    outputs = data.get("outputs")
    if isinstance(outputs, dict):
        return _mealy(partial, outputs, names, start, accepting, complete)
    if "outputs" in data:
        _said(outputs, names, "outputs")
    table, states, said = completed(partial, names, outputs, complete)
    return Automaton(table, start, accepting, states if "states" in data or len(states) > len(names) else None, said)


def _read(text: str) -> Any:
    if not isinstance(text, str):
        _refuse("JSON as text", text)
    if len(text) > LARGEST_FILE:
        raise ValueError(f"expected at most {LARGEST_FILE} characters of JSON, got {len(text)}")
    try:
        return json.loads(text, object_pairs_hook=_object, parse_int=_integer, parse_float=_no_number, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise ValueError(f"expected JSON, got text with an error: {error}") from None
    except RecursionError:
        raise ValueError("expected JSON with a table {letter: [next states]}, got brackets that are nested too deeply") from None


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))
        raise ValueError(f"expected different letters and keys, got {brief(twice)} twice")
    return data


def _integer(digits: str) -> int:
    if len(digits) > 9:
        _no_number(digits)
    return int(digits)


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"expected states and outputs as text or integers of at most 9 digits, got {brief(text)}")


def _refuse(expected: str, got: object) -> NoReturn:
    raise ValueError(f"expected {expected}, got {brief(got)}")


def _is_name(x: object) -> bool:
    """Text that can be written as UTF-8, or an integer."""
    return is_integer(x) or (isinstance(x, str) and not any("\ud800" <= c <= "\udfff" for c in x))


def _names(data: dict[str, Any], rows: Sequence[Any]) -> list[Any]:
    """The names of the states: as listed, or 0 .. n-1 with n the length of the rows."""
    if "states" not in data:
        n = max(len(row) for row in rows) if all(isinstance(row, list) for row in rows) else 0
        names: Any = list(range(n))
    else:
        names = data["states"]
    if not isinstance(names, list) or not 1 <= len(names) <= LARGEST_AUTOMATON:
        _refuse(f"a list of 1 to {LARGEST_AUTOMATON} states, and rows of next states", names or rows)
    if bad := [name for name in names if not _is_name(name)]:
        _refuse("states that are text or integers", bad[0])
    if len(set(names)) < len(names):
        _refuse("different states", names)
    return names


def _one_each(row: object, names: Sequence[Any], what: str) -> None:
    if not isinstance(row, list) or len(row) != len(names):
        _refuse(f"a list of {len(names)} {what}, one for each state", row)


def _said(row: object, names: Sequence[Any], what: str, null: bool = False) -> None:
    """Require outputs, one for each state; ``null`` where nothing is said."""
    _one_each(row, names, what)
    if bad := [y for y in row if not _is_name(y) and not (null and y is None)]:  # type: ignore[union-attr]
        _refuse("outputs that are text or integers", bad[0])


class _Numbers:
    """The number of a state by its name."""

    def __init__(self, names: Sequence[Any]):
        self.of = {name: q for q, name in enumerate(names)}
        self.known = f"a state in 0 .. {len(names) - 1}" if list(names) == list(range(len(names))) else "one of the states listed"

    def __call__(self, name: Any, where: str) -> int:
        # by its type: a Boolean would be found as the number 0 or 1
        if type(name) not in (int, str) or name not in self.of:
            _refuse(f"{self.known} ({where})", name)
        return self.of[name]

    def row(self, names: Sequence[Any], where: str) -> list[int | None]:
        """The next states of a row, None where there is none."""
        return [None if name is None else self(name, where) for name in names]

    def each(self, names: Any, where: str) -> list[int]:
        if not isinstance(names, list):
            _refuse(f"a list of states ({where})", names)
        found = [self(name, where) for name in names]
        if len(set(found)) < len(found):
            _refuse(f"different states ({where})", names)
        return found


def _nondeterministic(data: dict[str, Any], names: Sequence[Any], number: _Numbers, start: int, accepting: Iterable[int]) -> Automaton:
    rows = dict(data["table"])
    if "epsilon" in data:
        _one_each(data["epsilon"], names, "lists of states (epsilon)")
        rows[""] = data["epsilon"]
    transitions = {
        q: {x: set(number.each(row[q], f"the row of {brief(x)}" if x else "epsilon")) for x, row in rows.items()} for q in range(len(names))
    }
    return from_nfa(
        NFA(
            states=set(transitions),
            input_symbols=set(data["table"]),
            transitions=transitions,
            initial_state=start,
            final_states=set(accepting),
        )
    )


def _mealy(
    partial: dict[str, list[int | None]],
    outputs: dict[str, Any],
    names: Sequence[Any],
    start: int,
    accepting: frozenset[int],
    complete: bool,
) -> Automaton:
    if set(outputs) != set(partial):
        _refuse("outputs for the letters of the table", list(outputs))
    table, states, _ = completed(partial, names, None, complete)
    said = {}
    for x, row in outputs.items():
        _said(row, names, f"outputs for the letter {brief(x)}", null=True)
        if any((y is None) != (after is None) for y, after in zip(row, partial[x], strict=True)):
            _refuse(f"an output for the letter {brief(x)} where there is a next state, and there alone", row)
        said[x] = [SINK if y is None else y for y in row] + [SINK] * (len(states) - len(names))
    return from_mealy(table, said, start, accepting, states)
