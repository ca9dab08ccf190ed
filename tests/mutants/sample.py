"""Which mutants: one change a site, drawn by seed from the lines that claims execute; and every sampler, zeroed."""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Any

from coverage_map import ROOT

#: left out: annotations and caches change nothing that runs; variables need names to be told
SKIPPED = ("RemoveDecorator", "VariableReplacer", "VariableInserter", "ExceptionReplacer")


@dataclass(frozen=True)
class Mutant:
    """A change of one file (``source`` is its new text), or of one ``sampler`` (its dotted name), whose numbers all become 0."""

    name: str
    group: str
    file: str
    line: int
    source: str | None = None
    sampler: str | None = None


def sample(covered: dict[str, Any], count: int, seed: int) -> list[Mutant]:
    """``count`` mutants of constructions/ and numerics/: a place is drawn, then one of the changes that are possible there.

    Lots are drawn by the *text* of a place (its function, its line, its column), so that an edit changes the sample where it changed the code and nowhere else.
    Left to the unit tests are refusals (an ``if`` that raises), text for people (``__repr__`` and the like) and ``strict`` in ``zip``: no claim can go wrong by them.
    """
    places: list[tuple[bytes, str, int, list[tuple[str, int]]]] = []
    for file in sorted(f for f in covered["lines"] if f.startswith(("constructions/", "numerics/"))):
        lines = {int(x) for x in covered["lines"][file]} - _beside_the_point(file)
        for (line, key), choices in _named_places(file).items():
            if line in lines:
                places.append((sha256(f"{seed}: {file}: {key}".encode()).digest(), file, line, choices))
    out: dict[str, Mutant] = {}
    for lot, file, line, choices in sorted(places):
        mutant = _mutant(file, line, *choices[int.from_bytes(lot[-4:]) % len(choices)])
        if mutant is not None:
            out.setdefault(mutant.name, mutant)
        if len(out) == count:
            break
    return list(out.values())


@cache
def _beside_the_point(file: str) -> set[int]:
    """The lines of refusals and of text for people."""
    out: set[int] = set()
    for node in ast.walk(ast.parse((ROOT / file).read_text(encoding="utf-8"))):
        if isinstance(node, ast.If) and all(isinstance(x, ast.Raise) for x in node.body):
            out |= set(range(node.lineno, (node.body[-1].end_lineno or 0) + 1))
        if isinstance(node, ast.FunctionDef) and (node.name in ("__repr__", "__str__", "to_text") or node.name.startswith("_repr_")):
            out |= set(range(node.lineno, (node.end_lineno or 0) + 1))
    return out


@cache
def _operators() -> dict[str, Any]:
    from cosmic_ray.plugins import get_operator, operator_names

    return {
        name: get_operator(name)() for name in sorted(operator_names()) if not name.endswith(SKIPPED) and not get_operator(name).arguments()
    }


@cache
def _places(file: str) -> dict[tuple[int, int], list[tuple[str, int]]]:
    """position -> the (operator, occurrence) that change the code there."""
    from cosmic_ray.ast import Visitor, get_ast

    class Collect(Visitor):
        def __init__(self, operator: Any):
            self.operator, self.found = operator, []

        def visit(self, node: Any) -> Any:
            self.found += [start for start, _ in self.operator.mutation_positions(node)]
            return node

    tree = get_ast((ROOT / file).read_text(encoding="utf-8"))
    out: dict[tuple[int, int], list[tuple[str, int]]] = {}
    for name, operator in _operators().items():
        collect = Collect(operator)
        collect.walk(tree)
        for occurrence, position in enumerate(collect.found):
            out.setdefault(tuple(position), []).append((name, occurrence))
    return out


@cache
def _named_places(file: str) -> dict[tuple[int, str], list[tuple[str, int]]]:
    """The same by line and by words that outlive edits elsewhere: function, text of the line, column in it, how many such came before."""
    source = (ROOT / file).read_text(encoding="utf-8")
    text = source.splitlines()
    seen: Counter[str] = Counter()
    out = {}
    for (line, column), choices in sorted(_places(file).items()):
        stripped = text[line - 1].strip()
        key = f"{_enclosing(source, line)}: {stripped}: {column - text[line - 1].index(stripped)}"
        out[line, f"{key}: {seen[key]}"] = choices
        seen[key] += 1
    return out


def _mutant(file: str, line: int, operator: str, occurrence: int) -> Mutant | None:
    """The mutant, or None if its code is the same but for annotations and docstrings, or no code at all."""
    from cosmic_ray.mutating import mutate_code

    before = (ROOT / file).read_text(encoding="utf-8")
    after = mutate_code(before, _operators()[operator], occurrence)
    if after is None:
        return None
    try:
        if _bare(after) == _bare(before):
            return None
    except SyntaxError:
        return None
    old, new = before.splitlines(), after.splitlines()
    at = next((i for i, (x, y) in enumerate(zip(old, new, strict=False)) if x != y), len(new) - 1)
    if old[at].replace("strict=True", "strict=False") == new[at]:
        return None
    function = _enclosing(before, at + 1)
    # the names of code must outlive edits elsewhere in the file: text, not numbers
    return Mutant(f"{file}: {function}: {old[at].strip()} => {new[at].strip()}", "code", file, line, source=after)


def _bare(source: str) -> str:
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
        if isinstance(node, ast.arg):
            node.annotation = None
        if isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(0)
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            body[0].value.value = ""
    return ast.dump(tree)


@cache
def _nodes(source: str) -> list[ast.AST]:
    return list(ast.walk(ast.parse(source)))


def _enclosing(source: str, line: int) -> str:
    found = [n for n in _nodes(source) if isinstance(n, ast.FunctionDef | ast.ClassDef) and n.lineno <= line <= (n.end_lineno or 0)]
    return ".".join(n.name for n in sorted(found, key=lambda n: n.lineno)) or "module"


def instances(covered: dict[str, Any]) -> list[Mutant]:
    """Every function that takes a random generator and that a claim executes, returning zeros."""
    out = []
    for file in sorted(f for f in covered["lines"] if f.startswith(("constructions/", "theorems/"))):
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and any(a.arg in ("rng", "generator") for a in node.args.args):
                first = node.body[1].lineno if len(node.body) > 1 else node.body[0].lineno
                if str(first) in covered["lines"][file]:
                    dotted = "lemmata." + file.removesuffix(".py").replace("/", ".")
                    out.append(Mutant(f"{file}: {node.name} returns zeros", "instances", file, first, sampler=f"{dotted}.{node.name}"))
    return out
