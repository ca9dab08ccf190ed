"""What the calls of a function reached while claims were decided: lines, sides of branches, sizes, types of numbers, negative numbers, late steps.

A change that no call reaches cannot be noticed. So what is not reached is a debt, counted for all functions and not for a sample of changes.
"""

from __future__ import annotations

import ast
import gc
import types
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from drawing import STEPS, classes, refusals
from lists import reason_of
from public import ROOT, Function, files, functions, source
from wrong import Fault, is_array, is_negative, kinds, numbers, size

#: calls of a function that are looked at in a check, and again in each tie; what was not seen by then is seldom seen later, and looking costs time
LOOKED_AT = 30


@dataclass
class Seen:
    """The classes of arguments and results that one function met: "size 7", "float", "negative", "6 steps"."""

    function: types.FunctionType
    original: types.CodeType
    left: int = LOOKED_AT
    found: set[str] = field(default_factory=set)
    largest: int = 0

    def call(self, intact: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The result; what it was called with is noted, and after enough calls the function is as it was."""
        given = [*args, *kwargs.values()]
        here, largest = {kind for x in given for kind in kinds(x)}, max([0, *map(size, given)])
        if any(is_negative(y) for x in given for y in numbers(x)):
            here.add("negative")
        self.left -= 1
        if not self.left:
            self.function.__code__ = self.original
        try:
            result = intact(*args, **kwargs)
        except Exception:
            self.found |= {f"refused {c}" for c in here}
            raise
        self.found |= here
        self.largest = max(self.largest, largest)
        if isinstance(result, types.GeneratorType):
            return self._counted(result)
        self._took(len(result) if isinstance(result, list | tuple) else result.shape[0] if is_array(result) and len(result.shape) else 0)
        return result

    def _counted(self, items: Iterator[Any]) -> Iterator[Any]:
        for n, x in enumerate(items, start=1):
            self._took(n)
            yield x

    def _took(self, steps: int) -> None:
        self.found |= {f"{t} steps" for t in STEPS if steps > t}

    @property
    def classes(self) -> set[str]:
        return self.found | {f"size {self.largest}"}


class Watch:
    """Looks at the calls of all functions of the rooms, until each was called often enough."""

    def __init__(self) -> None:
        by_code = {(str(ROOT / f.file), f.name): f for file in files() for f in functions(file)}
        self.seen: dict[str, Seen] = {}
        for g in gc.get_objects():
            if isinstance(g, types.FunctionType):
                known = by_code.get((str(Path(g.__code__.co_filename)), g.__code__.co_qualname))
                if known is not None and "compiled" not in "".join(map(ast.unparse, known.node.decorator_list)):
                    self.seen[known.key] = Seen(g, g.__code__)
        self.codes = {key: _watching(one) for key, one in self.seen.items()}

    def again(self) -> None:
        """Look at the next calls of each function, whatever was seen before."""
        for key, one in self.seen.items():
            one.left, one.function.__code__ = LOOKED_AT, self.codes[key]

    def rest(self) -> None:
        """Every function is as it was."""
        for one in self.seen.values():
            one.function.__code__ = one.original

    def classes(self) -> dict[str, list[str]]:
        return {key: sorted(one.classes) for key, one in self.seen.items() if one.largest or one.found}


def _watching(one: Seen) -> types.CodeType:
    """The code of a function that reports its calls to ``one``. Defaults stay where they are: the intact function has them."""
    f = one.function
    intact = types.FunctionType(f.__code__, f.__globals__, f.__name__, f.__defaults__, f.__closure__)
    intact.__kwdefaults__ = f.__kwdefaults__
    f.__globals__.setdefault("__watched__", {})[f.__qualname__] = (one, intact)
    free = f.__code__.co_freevars
    maker = "def make({0}):\n def watched(*args, **kwargs):\n  if 0: {1}\n  one, intact = __watched__[{2!r}]\n  return one.call(intact, args, kwargs)\n return watched"
    scope: dict[str, Any] = {}
    exec(maker.format(", ".join(free), ", ".join(free) or "0", f.__qualname__), scope)
    return scope["make"](*free).__code__


# -- debts ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Debt:
    """What no claim reaches in one function: lines, sides of branches (from a line, to a line or -1), and classes of arguments or results."""

    function: Function
    lines: tuple[int, ...]
    sides: tuple[tuple[int, int], ...]
    classes: tuple[str, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many of each kind: lines, sides, sizes, types, negative, steps."""
        kinds = Counter(
            "sizes" if c.startswith("size") else "steps" if c.endswith("steps") else "negative" if c == "negative" else "types"
            for c in self.classes
        )
        return {
            "lines": len(self.lines),
            "sides": len(self.sides),
            **{kind: kinds[kind] for kind in ("sizes", "types", "negative", "steps")},
        }

    @property
    def words(self) -> list[str]:
        """What is not reached, a string each; lines by their text, which stays when others move."""
        file = self.function.file
        return [*(_of_line(file, a) for a in self.lines), *(_of_side(file, *side) for side in self.sides), *self.classes]

    def __str__(self) -> str:
        return f"{self.function.key}\n    " + "\n    ".join(self.words)


def debts(traced: dict[str, Any]) -> list[Debt]:
    """What the claims leave out, function by function, of those that some claim runs and that a tracer can see; not what survivors.toml says cannot be or changes nothing."""
    found = []
    for file in files():
        arcs = {(a, b) for a, b in traced["arcs"].get(file, [])}
        missing_lines, missing_arcs = _missing(file, arcs)
        for f in functions(file):
            if f.key not in traced["functions"] or f.key not in traced["classes"]:
                continue
            own = range(f.node.lineno, (f.node.end_lineno or 0) + 1)
            lines = tuple(x for x in sorted(missing_lines) if x in f.lines and not _is_excused(f, _of_line(file, x)))
            sides = tuple(
                (a, b) for a, b in sorted(missing_arcs) if a in own and b not in missing_lines and not _is_excused(f, _of_side(file, a, b))
            )
            seen = traced["classes"][f.key]
            largest = max((int(x.split()[1]) for x in seen if x.startswith("size ")), default=0)
            unmet = tuple(
                c
                for c in classes(f)
                if not (largest >= int(c.split()[1]) if c.startswith("size ") else c in seen or f"refused {c}" in seen)
                if not _is_excused(f, str(_fault(c)))
            )
            if lines or sides or unmet:
                found.append(Debt(f, lines, sides, unmet))
    return found


def _text(file: str, line: int) -> str:
    return source(file).splitlines()[line - 1].strip()


def _of_line(file: str, line: int) -> str:
    return f"not run: {_text(file, line)}"


def _of_side(file: str, a: int, b: int) -> str:
    return f"{_text(file, a)} ... never to: {_text(file, b) if b > 0 else 'the end'}"


def _is_excused(f: Function, words: str) -> bool:
    """Whether survivors.toml says why this cannot be reached, or changes nothing."""
    return (reason_of(f"{f.key}: {words}") or ("passed",))[0] != "passed"


def _fault(kind: str) -> Fault:
    """The fault that a class of calls would show."""
    words = kind.split()
    if kind == "negative":
        return Fault("off", "negative")
    if len(words) == 1:
        return Fault("off", "type", kind)
    return Fault("off", "size", int(words[1])) if words[0] == "size" else Fault("off", "steps", int(words[0]))


def _missing(file: str, arcs: set[tuple[int, int]]) -> tuple[set[int], set[tuple[int, int]]]:
    """Lines that were not run, and sides of ``if``, ``while`` and ``for`` that were not taken; refusals are left out."""
    from coverage.parser import PythonParser

    parser = PythonParser(text=source(file))
    parser.parse_source()
    ran = set(parser.translate_arcs(arcs))
    reached = {x for arc in ran for x in arc if x > 0}
    refused, branching = refusals(file), _branching(file)
    lines = {x for x in parser.statements if x not in reached and x not in refused}
    sides = {(a, b) for a, b in parser.arcs() if a in branching and a in reached and (a, b) not in ran and b not in refused}
    return lines, sides


@cache
def _branching(file: str) -> set[int]:
    """The lines of statements that branch; refusals are none."""
    return {x.lineno for x in ast.walk(ast.parse(source(file))) if isinstance(x, ast.If | ast.While | ast.For)} - refusals(file)
