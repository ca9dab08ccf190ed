"""The package's own words about itself: modules, names, signatures and docstrings, read from the source text without importing it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from textwrap import dedent

from ...cli.docstrings import sections
from ...cli.where import ROOMS as FOLDERS
from ...cli.where import ROOT, parsed, where, with_typing

#: the package itself with its public functions, then its rooms
ROOMS = ("lemmata", *FOLDERS)

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True)
class Named:
    """A public name of a module or class: ``signature`` as it is written, ``doc`` its docstring, or the comment above a constant."""

    name: str
    signature: str
    doc: str
    line: int
    members: tuple[Named, ...] = ()


@dataclass(frozen=True)
class Module:
    """A public module; ``file`` is its path below the package's root, ``exports`` the names that a package takes from its own modules."""

    name: str
    file: str
    doc: str
    names: tuple[Named, ...]
    exports: tuple[str, ...] = ()

    @property
    def room(self) -> str:
        """Where it lives: the folder, or "lemmata" for the package itself."""
        return f"{self.name}.lemmata".split(".")[1]

    @property
    def summary(self) -> str:
        """The first paragraph of its docstring."""
        return self.doc.split("\n\n")[0]


@dataclass(frozen=True)
class Source:
    """The source text of a name: ``file`` below the root, the number of its first line."""

    file: str
    first: int
    text: str

    @property
    def last(self) -> int:
        """The number of its last line."""
        return self.first + self.text.count("\n")


@cache
def modules() -> dict[str, Module]:
    """All public modules of the rooms by dotted name, packages before what is in them."""
    files = [file for room in ROOMS[1:] for file in sorted((ROOT / room).rglob("*.py"), key=_dotted) if not _is_private(file)]
    found = [_module(file) for file in (ROOT / "__init__.py", *files)]
    return {m.name: m for m in found}


def page_of(dotted: str) -> str | None:
    """The address below the site's folder of the documentation of a name such as "lemmata.numerics.exact.identity"; None if it has none."""
    found = where(dotted)
    module = modules().get(_dotted(found[0])) if found else None
    if found is None or module is None:
        return None
    name = dotted.rsplit(".", 1)[-1]
    return f"api/{module.name}.html" + (f"#{module.name}.{name}" if any(n.name == name for n in module.names) else "")


def source(dotted: str, with_docstring: bool = True) -> Source | None:
    """The lines that define a function, class or constant; None if it is not there.

    Without its docstring the text begins below it: for a check, whose signature and docstring a page shows as well.
    """
    found = where(dotted)
    node = _statements(found[0]).get(found[1]) if found else None
    if found is None or node is None:
        return None
    first, last = node.lineno, node.end_lineno or node.lineno
    if not with_docstring and isinstance(node, Definition) and ast.get_docstring(node, clean=False) is not None and len(node.body) > 1:
        first = (node.body[0].end_lineno or first) + 1
    lines = _lines(found[0])[first - 1 : last]
    return Source(_below(found[0]), first, dedent("\n".join(lines)))


def _is_private(file: Path) -> bool:
    return file.stem.startswith("_") and file.stem != "__init__"


def _below(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def _dotted(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(["lemmata", *(parts[:-1] if parts[-1] == "__init__" else parts)])


@cache
def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").split("\n")


@cache
def _statements(file: Path) -> dict[int, ast.stmt]:
    """Line -> what is defined there, on whatever level."""
    out: dict[int, ast.stmt] = {}
    bodies = [parsed(file).body]
    while bodies:
        for node in bodies.pop():
            if isinstance(node, (*Definition.__args__, ast.Assign, ast.AnnAssign)):
                out[node.lineno] = node
            bodies += [part for part in (getattr(node, "body", None), getattr(node, "orelse", None)) if isinstance(part, list)]
    return out


def _module(file: Path) -> Module:
    tree = parsed(file)
    taken = [node for node in with_typing(tree) if isinstance(node, ast.ImportFrom) and node.level == 1 and node.module]
    exports = [alias.name for node in taken for alias in node.names] if file.name == "__init__.py" else []
    names = tuple(_named(tree.body, _lines(file)))
    return Module(_dotted(file), _below(file), ast.get_docstring(tree) or "", names, tuple(x for x in exports if not x.startswith("_")))


def _named(body: list[ast.stmt], lines: list[str]) -> Iterator[Named]:
    """The public names that statements define; of constants those with a comment that begins with #: above them."""
    for node in body:
        if isinstance(node, Definition):
            if not node.name.startswith("_") and not _repeats(node):
                members = tuple(_named(node.body, lines)) if isinstance(node, ast.ClassDef) else ()
                yield Named(node.name, _signature(node), _documented(node), node.lineno, members)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            comment = _comment_above(lines, node.lineno)
            if isinstance(target, ast.Name) and not target.id.startswith("_") and comment:
                kind = f": {ast.unparse(node.annotation)}" if isinstance(node, ast.AnnAssign) else ""
                yield Named(target.id, target.id + kind, comment, node.lineno)


def _repeats(node: Definition) -> bool:
    """Whether a name is defined elsewhere too: a property's setter, or one of a function's overloads."""
    return any(ast.unparse(d) == "overload" or ast.unparse(d).endswith(".setter") for d in node.decorator_list)


def _documented(node: Definition) -> str:
    """A docstring as Markdown; one with sections for arguments and examples as lists and code."""
    doc = ast.get_docstring(node) or ""
    return sections(doc) if re.search(r"^(?:Args|Attributes|Returns|Raises|Example):$", doc, re.MULTILINE) else doc


def _signature(node: Definition) -> str:
    if isinstance(node, ast.ClassDef):
        bases = ", ".join(ast.unparse(b) for b in node.bases)
        fields = [ast.unparse(x) for x in node.body if isinstance(x, ast.AnnAssign)]
        return "\n    ".join([f"class {node.name}{f'({bases})' if bases else ''}:", *fields]).removesuffix(":" if not fields else "")
    returned = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    decorators = [f"@{ast.unparse(d)}\n" for d in node.decorator_list if isinstance(d, ast.Name)]
    return f"{''.join(decorators)}def {node.name}({ast.unparse(node.args)}){returned}"


def _comment_above(lines: list[str], line: int) -> str:
    """The lines above that begin with #: as text."""
    above = []
    for text in reversed(lines[: line - 1]):
        if not text.lstrip().startswith("#:"):
            break
        above.insert(0, text.lstrip()[2:].strip())
    return " ".join(above)
