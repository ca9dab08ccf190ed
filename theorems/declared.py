"""The words of claims as they stand in the sources: read from the text of ``@claim(...)`` and the docstrings below, without importing anything.

A word is a string, a tuple or list of strings, a name that a module gives to one, a sum of them or a formatted string of them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from .argument import steps_of
from .ledger import Words, inferred

FOLDER = Path(__file__).parent

#: what a claim says besides, as the names of its sabotages and its argument
FIELDS = tuple(f.name for f in fields(Words))


def declared(topic: str) -> dict[str, dict[str, Any]]:
    """The claims of a topic, in the order of its files: id -> its words, ``argument``, ``check`` and the names of its ``sabotages``.

    Raises ``ValueError`` for an argument of ``@claim`` that is no word.
    """
    return {id: words for path in sorted((FOLDER / topic).glob("*.py")) for id, words in module(path).claims()}


@cache
def module(path: Path) -> Module:
    """A module of this folder, parsed once."""
    return Module(path)


@dataclass(frozen=True)
class Module:
    """The text of a module."""

    path: Path

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.path.read_text(encoding="utf-8"))

    @cached_property
    def names(self) -> dict[str, tuple[Module, ast.expr]]:
        """What the module gives a name, or imports from another module of this folder: name -> where it stands, and as what."""
        found: dict[str, tuple[Module, ast.expr]] = {}
        for node in self.tree.body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                found[node.targets[0].id] = self, node.value
            if isinstance(node, ast.ImportFrom) and 0 < node.level < 3 and node.module:
                other = self.path.parents[node.level - 1].joinpath(*node.module.split(".")).with_suffix(".py")
                if other.is_file():
                    found |= {a.asname or a.name: (module(other), ast.Name(a.name)) for a in node.names}
        return found

    def claims(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """(id, its words) of each check that a call of ``claim`` decorates."""
        for check in (node for node in self.tree.body if isinstance(node, ast.FunctionDef)):
            for call in check.decorator_list:
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "claim":
                    yield self.claim(check, call)

    def claim(self, check: ast.FunctionDef, call: ast.Call) -> tuple[str, dict[str, Any]]:
        """(id, its words) of one check."""
        given = dict(zip(FIELDS, map(self.word, call.args), strict=False))
        given |= {k.arg: list(self.keys(k.value)) if k.arg == "sabotages" else self.word(k.value) for k in call.keywords if k.arg}
        argument = ast.get_docstring(check) or ""
        marked = [id for step in steps_of(argument) for id in step.uses]
        given["uses"] = list(dict.fromkeys((*marked, *given.get("uses", ()))))
        home = f"{__package__}.{self.path.parent.name}.{self.path.stem}"
        given = inferred(given["id"], given.get("flaw")) | given
        return given["id"], given | {"argument": argument, "check": f"{home}.{check.name}"}

    def word(self, node: ast.expr) -> Any:
        """The value of an expression that is a word. Raises ``ValueError`` for any other."""
        match node:
            case ast.Constant(value):
                return value
            case ast.Tuple(parts) | ast.List(parts):
                return [self.word(part) for part in parts]
            case ast.BinOp(left, ast.Add(), right):
                return self.word(left) + self.word(right)
            case ast.JoinedStr(parts):
                return "".join(self.word(part) for part in parts)
            case ast.FormattedValue(value, -1, None):
                return str(self.word(value))
            case ast.Name(name) if name in self.names:
                home, value = self.names[name]
                return home.word(value)
        raise ValueError(f"expected words in a claim of {self.path.name}, got {ast.unparse(node)}, which cannot be read without running it")

    def keys(self, node: ast.expr) -> Iterator[str]:
        """The keys of a dictionary that is written out, or put together of such."""
        match node:
            case ast.Dict(keys, values):
                for key, value in zip(keys, values, strict=True):
                    yield from [self.word(key)] if key else self.keys(value)
            case ast.BinOp(left, ast.BitOr(), right):
                yield from self.keys(left)
                yield from self.keys(right)
            case ast.Name(name) if name in self.names:
                home, value = self.names[name]
                yield from home.keys(value)
            case _:
                raise ValueError(f"expected a dictionary in a claim of {self.path.name}, got {ast.unparse(node)}")
