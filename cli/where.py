"""Where something in the package is written: found in the source text, without importing it."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

#: the package's rooms, in the order in which they are shown; a test compares them with the folders
ROOMS = (
    "api",
    "papers",
    "numerics",
    "constructions",
    "theorems",
    "formal",
    "words",
    "kernels",
    "probe",
    "experiments",
    "figures",
    "gpu",
    "atlas",
    "cli",
)


def where(dotted: str) -> tuple[Path, int] | None:
    """(file, line) of a function, class or constant such as "lemmata.constructions.householder.reflections"; None if it is not there.

    Names that a module imports from elsewhere in the package are followed.
    """
    parts = dotted.split(".")[1:]
    for cut in range(len(parts), -1, -1):
        module = ROOT.joinpath(*parts[:cut])
        for file in (module / "__init__.py", module.with_suffix(".py")):
            if file.is_file():
                return _find(file, parts[:cut], parts[cut:])
    return None


@cache
def parsed(file: Path) -> ast.Module:
    """The syntax tree of a file of the package."""
    return ast.parse(file.read_text(encoding="utf-8"))


def _find(file: Path, module: list[str], names: list[str]) -> tuple[Path, int] | None:
    tree = parsed(file)
    body = with_typing(tree)
    if not names:
        return file, 1
    for node in body:
        if isinstance(node, ast.ImportFrom) and node.level:
            for alias in node.names:
                if (alias.asname or alias.name) == names[0]:
                    package = module if file.name == "__init__.py" else module[:-1]
                    home = package[: len(package) - (node.level - 1)] + (node.module.split(".") if node.module else [])
                    return where(".".join(["lemmata", *home, alias.name, *names[1:]]))
    line = 0
    for name in names:
        node = next((x for x in body if name in _names(x)), None)
        if node is None:  # a check that another function makes
            node = next((x for x in ast.walk(tree) if isinstance(x, ast.FunctionDef) and x.name == name), None)
        if node is None:
            return None
        body, line = getattr(node, "body", []), node.lineno
    return file, line


def with_typing(tree: ast.Module) -> list[ast.stmt]:
    """The statements of a module, those for type checkers alone among them: a package that imports lazily names its parts there."""
    return [x for node in tree.body for x in (node.body if isinstance(node, ast.If) else [node])]


def _names(node: ast.stmt) -> list[str]:
    """What a statement defines."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [x.id for x in targets if isinstance(x, ast.Name)]
