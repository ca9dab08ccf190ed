"""The denominator: every public function and method of constructions/ and numerics/, read from the source."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = ("constructions", "numerics")

#: rooms on whose text an outcome depends
SOURCES = (*ROOMS, "theorems")


@dataclass(frozen=True)
class Function:
    """A function or method: its file, its dotted name within the file, its syntax tree and the lines of its body."""

    file: str
    name: str
    node: ast.FunctionDef
    lines: frozenset[int]

    @property
    def key(self) -> str:
        return f"{self.file}: {self.name}"

    @property
    def public(self) -> bool:
        """No part of the name begins with an underscore."""
        return not any(part.startswith("_") for part in self.name.split("."))


@cache
def source(file: str) -> str:
    return (ROOT / file).read_text(encoding="utf-8")


@cache
def tree(file: str) -> ast.Module:
    """The syntax tree of a file, to be read and not changed."""
    return ast.parse(source(file))


@cache
def functions(file: str) -> tuple[Function, ...]:
    """The functions and methods at the top of a file and of its classes, private ones included; nested functions belong to theirs."""
    return tuple(_functions(file, tree(file), ""))


def _functions(file: str, parent: ast.AST, prefix: str) -> Iterator[Function]:
    for node in ast.iter_child_nodes(parent):
        if isinstance(node, ast.ClassDef):
            yield from _functions(file, node, f"{prefix}{node.name}.")
        elif isinstance(node, ast.FunctionDef):
            body = node.body[1:] if ast.get_docstring(node) is not None else node.body
            lines = frozenset(range(body[0].lineno, (node.end_lineno or 0) + 1)) if body else frozenset()
            yield Function(file, prefix + node.name, node, lines)


def snapshot() -> None:
    """Read every source file now: what changes on disk during a run is not what runs."""
    for path in sorted(p for room in SOURCES for p in (ROOT / room).rglob("*.py")):
        source(str(path.relative_to(ROOT)))


@cache
def fingerprint() -> str:
    """A digest of every source file on which an outcome may depend."""
    return sha256(
        "".join(source(str(p.relative_to(ROOT))) for room in SOURCES for p in sorted((ROOT / room).rglob("*.py"))).encode()
    ).hexdigest()


def files() -> list[str]:
    return [str(p.relative_to(ROOT)) for room in ROOMS for p in sorted((ROOT / room).rglob("*.py"))]


def public() -> dict[str, Function]:
    """key -> function, for all public functions and methods; the denominator."""
    return {f.key: f for file in files() for f in functions(file) if f.public}
