"""Which mutants: a seeded draw from all (function, kind of change) pairs, and from the constants at the top of modules.

Kinds are a changed line (operators of cosmic-ray: comparisons, arithmetic, boundaries), a constant off by 1 %, a returned zero, a dropped last element, and a wrong result: on one path,
from a size on, for one type of numbers, for negative numbers, after some steps.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Any

from public import Function, files, functions, source, tree
from wrong import Fault

#: left out: annotations and caches change nothing that runs; variables need names
SKIPPED = ("RemoveDecorator", "VariableReplacer", "VariableInserter", "ExceptionReplacer")

#: left out: CPython gives equal small numbers, short texts and None one identity, so that these change nothing that a claim could be about
SAME = ("_Eq_Is", "_NotEq_IsNot", "_Is_Eq", "_IsNot_NotEq")

#: sizes and numbers of steps from which a result is wrong; a number that a function compares with is drawn too, from it on and beyond it
SIZES = (3, 5, 7, 9, 12)
STEPS = (3, 6, 9)

#: how often each kind is drawn for a function
KINDS = {"line": 4, "constant": 6, "zero": 1, "dropped": 1, "path": 1, "size": 2, "type": 1, "negative": 1, "steps": 1}

#: the name under which the runner puts ``wrong.off`` into a module
OFF = "__off__"


@dataclass(frozen=True)
class Mutant:
    """A change of one function: of its file's text (``text``), or of what it returns (``fault``). Without a function, of a module's constant ``name``."""

    title: str
    kind: str
    file: str
    function: str
    text: str | None = None
    fault: Fault | None = None


def draw(ran: dict[str, list[str]], lines: dict[str, list[int]], count: int, seed: int) -> list[Mutant]:
    """``count`` mutants of functions that claims run, private ones included.

    Lots are drawn by names, so that an edit changes the sample where it changed the code and nowhere else. Refusals (an ``if`` that raises) and text for people
    are left to the unit tests.
    """
    tickets: list[tuple[bytes, Any, str]] = [
        (_lot(f"{seed}: {f.key}: {kind} {i}"), f, kind)
        for file in files()
        for f in functions(file)
        if f.key in ran and not _is_text(f)
        for kind, often in KINDS.items()
        for i in range(often)
    ]
    tickets += [
        (_lot(f"{seed}: {file}: {name}: {i}"), (file, name), "module constant")
        for file in files()
        for name in _constants(file)
        for i in range(KINDS["constant"])
    ]
    out: dict[str, Mutant] = {}
    for lot, place, kind in sorted(tickets, key=lambda t: t[0]):
        made = _make(place, kind, lot, lines) if isinstance(place, Function) else _constant_of_module(*place)
        if made is not None and speakers(made, ran):
            out.setdefault(made.title, made)
        if len(out) == count:
            break
    return list(out.values())


def _lot(text: str) -> bytes:
    return sha256(text.encode()).digest()


def _pick(choices: list[Any], lot: bytes) -> Any:
    return choices[int.from_bytes(lot[-4:]) % len(choices)] if choices else None


def _is_text(f: Function) -> bool:
    name = f.name.split(".")[-1]
    return name in ("__repr__", "__str__", "to_text") or name.startswith("_repr_")


def _make(f: Function, kind: str, lot: bytes, lines: dict[str, list[int]]) -> Mutant | None:
    """One mutant of a kind, or None where the kind does not apply."""
    if kind not in ("line", "constant") and any("compiled" in ast.unparse(d) for d in f.node.decorator_list):
        return None  # what Numba compiles cannot call Python
    if kind in ("line", "constant", "path"):
        return {"line": _line, "constant": _constant, "path": _path}[kind](f, lot, lines)
    choices = _bounds(f, kind)
    if not choices:
        return None
    fault = Fault(kind, "always") if kind in ("zero", "dropped") else Fault("off", kind, _pick(choices, lot))
    return Mutant(f"{f.key}: {fault}", kind, f.file, f.name, fault=fault)


def _bounds(f: Function, kind: str) -> list[Any]:
    """What a fault of a kind may depend on: sizes, types, numbers of steps; None where it depends on nothing else. Empty where the kind does not apply."""
    returns, arguments = ast.unparse(f.node.returns) if f.node.returns else "Any", _annotations(f)
    if returns in ("None", "NoReturn") or f.node.name == "__init__":
        return []
    if kind == "dropped":
        return [None] if re.search(r"list|tuple|dict|set|Array|ndarray|Sequence|Any|str|Tensor", returns) else []
    if kind == "size":
        sized = re.search(r"int|Array|ndarray|Sequence|list|tuple|Iterable|dict|str|Any|Tensor|self", _sized(f, arguments))
        return [*SIZES, *_compared(f)] if sized else []
    if kind == "type" and re.search(r"Array|ndarray|Any|float|complex|Tensor", arguments):
        exact_only = re.search(r"fmpq|to_flint|exact\.|arb|acb|Cyclotomic", ast.unparse(f.node))
        return ["exact"] if exact_only else ["torch"] if "Tensor" in arguments else ["float", "complex", "exact"]
    if kind == "negative":
        return [None] if re.search(r"int|float|Array|ndarray|Sequence|Any|fmpq|Tensor", arguments) else []
    if kind == "steps" and _is_sequence(returns):
        return list(STEPS)
    return [None] if kind == "zero" else []


def classes(f: Function) -> list[str]:
    """The classes of calls that a fault of some kind singles out in a function: "size 7", "complex", "negative", "6 steps"."""
    if _is_text(f):
        return []
    sizes, steps = sorted(set(_bounds(f, "size"))), _bounds(f, "steps")
    return [
        *(f"size {k}" for k in sizes),
        *_bounds(f, "type"),
        *(["negative"] if _bounds(f, "negative") else []),
        *(f"{t} steps" for t in steps),
    ]


def _annotations(f: Function) -> str:
    a = f.node.args
    return " ".join(ast.unparse(x.annotation) if x.annotation else x.arg for x in (*a.posonlyargs, *a.args, *a.kwonlyargs))


def _is_sequence(returns: str) -> bool:
    """Whether a result can have late steps: a list, an iterator, an array, a tuple of any length, or one of these or something else. A pair, a dictionary and a function have none."""
    return any(map(_has_steps, _members(ast.parse(returns, mode="eval").body)))


def _members(annotation: ast.expr) -> list[ast.expr]:
    """The types that ``|`` joins."""
    if isinstance(annotation, ast.BinOp):
        return [*_members(annotation.left), *_members(annotation.right)]
    return [annotation]


def _has_steps(annotation: ast.expr) -> bool:
    name, _, inside = ast.unparse(annotation).partition("[")
    if name == "tuple":
        return inside.endswith("...]")
    return name.rpartition(".")[2] in ("list", "Iterator", "Iterable", "Sequence", "Array", "ndarray", "NDArray", "Tensor")


def _sized(f: Function, arguments: str) -> str:
    """The annotations without ``self`` where that has no fields that the fault could measure: a class that is no dataclass and no tuple."""
    name = f.name.rpartition(".")[0]
    owner = next((x for x in ast.walk(tree(f.file)) if isinstance(x, ast.ClassDef) and x.name == name), None)
    has_fields = owner is not None and (
        any("dataclass" in ast.unparse(d) for d in owner.decorator_list) or "NamedTuple" in map(ast.unparse, owner.bases)
    )
    return arguments if has_fields else re.sub(r"\bself\b", "", arguments)


def _compared(f: Function) -> list[int]:
    """The integers of comparisons in a function, and the next ones: boundaries at which it may switch."""
    found = {
        x.value
        for node in ast.walk(f.node)
        if isinstance(node, ast.Compare)
        for x in (node.left, *node.comparators)
        if isinstance(x, ast.Constant) and type(x.value) is int and x.value > 2
    }
    return sorted(found | {x + 1 for x in found})


# -- changes of the text --------------------------------------------------------------------------------------------------


def _line(f: Function, lot: bytes, lines: dict[str, list[int]]) -> Mutant | None:
    from cosmic_ray.mutating import mutate_code

    here = (f.lines & set(lines.get(f.file, []))) - refusals(f.file)
    first = f.node.lineno
    choices = [one for (line, _), many in sorted(_places(_own_text(f)).items()) if line + first - 1 in here for one in many]
    if not choices:
        return None
    operator, occurrence = _pick(choices, lot)
    changed = mutate_code(_own_text(f), _operators()[operator], occurrence)
    if changed is None:
        return None
    rows = source(f.file).splitlines(keepends=True)
    rows[first - 1 : f.node.end_lineno] = [textwrap.indent(changed, " " * f.node.col_offset)]
    return _textual(f, "line", "".join(rows))


def _own_text(f: Function) -> str:
    """The text of a function without its decorators, at the margin."""
    rows = source(f.file).splitlines(keepends=True)
    return textwrap.dedent("".join(rows[f.node.lineno - 1 : f.node.end_lineno]))


def _constant(f: Function, lot: bytes, lines: dict[str, list[int]]) -> Mutant | None:
    floats = [
        x
        for x in ast.walk(f.node)
        if isinstance(x, ast.Constant) and isinstance(x.value, float) and x.value and x.lineno == x.end_lineno
        if x.lineno not in refusals(f.file)
    ]
    chosen = _pick(floats, lot)
    return _textual(f, "constant", _spliced(f.file, chosen, repr(chosen.value * 1.01))) if chosen else None


def _path(f: Function, lot: bytes, lines: dict[str, list[int]]) -> Mutant | None:
    values = [x.value for x in ast.walk(f.node) if isinstance(x, ast.Return) and x.value is not None]
    values = [b for x in values for b in ((x.body, x.orelse) if isinstance(x, ast.IfExp) else (x,))]
    if len(values) < 2:
        return None
    chosen = _pick([x for x in values if not _is_inert(x)], lot)
    if chosen is None:
        return None
    return _textual(f, "path", _spliced(f.file, chosen, f"{OFF}({ast.get_source_segment(source(f.file), chosen)})"))


def _is_inert(x: ast.expr) -> bool:
    """Whether nothing can be wrong about a result: None, no number or infinity."""
    return ast.unparse(x) in ("None", "NotImplemented", "inf", "arb('nan')")


def _spliced(file: str, node: Any, new: str) -> str:
    """The file's text with one expression replaced. Columns count bytes."""
    rows = [row.encode() for row in source(file).splitlines(keepends=True)]
    before, after = rows[node.lineno - 1][: node.col_offset], rows[node.end_lineno - 1][node.end_col_offset :]
    rows[node.lineno - 1 : node.end_lineno] = [before + new.encode() + after]
    return b"".join(rows).decode()


def _textual(f: Function, kind: str, after: str | None) -> Mutant | None:
    """The mutant, or None if its code is the same but for annotations and docstrings, or no code at all."""
    before = source(f.file)
    try:
        if after is None or _bare(after) == _bare(before):
            return None
    except SyntaxError:
        return None
    old, new = before.splitlines(), after.splitlines()
    at = next((i for i, (x, y) in enumerate(zip(old, new, strict=False)) if x != y), len(new) - 1)
    if old[at].replace("strict=True", "strict=False") == new[at]:
        return None
    return Mutant(f"{f.key}: {old[at].strip()} => {new[at].strip()}", kind, f.file, f.name, text=after)


@cache
def _bare(text: str) -> str:
    tree = ast.parse(text)
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
def refusals(file: str) -> set[int]:
    """The lines of refusals: an ``if`` that raises."""
    out: set[int] = set()
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.If) and all(isinstance(x, ast.Raise) for x in node.body):
            out |= set(range(node.lineno, (node.body[-1].end_lineno or 0) + 1))
        if isinstance(node, ast.Raise):
            out |= set(range(node.lineno, (node.end_lineno or 0) + 1))
    return out


@cache
def _operators() -> dict[str, Any]:
    from cosmic_ray.plugins import get_operator, operator_names

    return {
        name: get_operator(name)()
        for name in sorted(operator_names())
        if not name.endswith(SKIPPED + SAME) and not get_operator(name).arguments()
    }


@cache
def _places(text: str) -> dict[tuple[int, int], list[tuple[str, int]]]:
    """position -> the (operator, occurrence) that change the text there."""
    from cosmic_ray.ast import Visitor, get_ast

    class Collect(Visitor):
        def __init__(self, operator: Any):
            self.operator, self.found = operator, []

        def visit(self, node: Any) -> Any:
            self.found += [start for start, _ in self.operator.mutation_positions(node)]
            return node

    tree = get_ast(text)
    out: dict[tuple[int, int], list[tuple[str, int]]] = {}
    for name, operator in _operators().items():
        collect = Collect(operator)
        collect.walk(tree)
        for occurrence, position in enumerate(collect.found):
            out.setdefault(tuple(position), []).append((name, occurrence))
    return out


# -- constants of modules -------------------------------------------------------------------------------------------------


@cache
def _constants(file: str) -> tuple[str, ...]:
    """Names that a module binds, at its top, to something with a number in it."""
    return tuple(_constant_names(tree(file)))


def _constant_names(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        value = getattr(node, "value", None)
        has_number = value is not None and any(isinstance(x, ast.Constant) and type(x.value) in (int, float) for x in ast.walk(value))
        if has_number and not isinstance(value, ast.Lambda):
            for target in targets:
                yield from (x.id for x in ast.walk(target) if isinstance(x, ast.Name))


def _constant_of_module(file: str, name: str) -> Mutant:
    return Mutant(f"{file}: {name}: off by 1 %", "module constant", file, name)


def speakers(m: Mutant, ran: dict[str, list[str]]) -> list[str]:
    """The claims that run the mutated function; for a module's constant, those that run a function that reads it."""
    if m.kind != "module constant":
        return ran.get(f"{m.file}: {m.function}", [])
    return sorted({id for key in readers(m.file, m.function) for id in ran.get(key, [])})


@cache
def readers(file: str, name: str) -> tuple[str, ...]:
    """The keys of the functions that read a module's constant: in its own file, and in those that import it. All of its file where none does: claims may read it themselves."""
    found = tuple(f.key for other in files() for f in functions(other) if known_as(file, name, other) & _names(f))
    return found or tuple(f.key for f in functions(file))


def known_as(file: str, name: str, other: str) -> set[str]:
    """What a module's constant is called in another file, "name" or "module.name"; by its name in its own file."""
    if file == other:
        return {name}
    stem = file.removesuffix("/__init__.py").removesuffix(".py").rpartition("/")[2]
    direct = {known for module, given, known in _imported(other) if (module, given) == (stem, name)}
    return direct | {f"{known}.{name}" for _, given, known in _imported(other) if given == stem}


@cache
def _imported(file: str) -> frozenset[tuple[str, str, str]]:
    """(last part of a module, name in it, name here) of what a file imports."""
    nodes = [node for node in ast.walk(tree(file)) if isinstance(node, ast.ImportFrom)]
    return frozenset(((node.module or "").rpartition(".")[2], x.name, x.asname or x.name) for node in nodes for x in node.names)


@cache
def _names(f: Function) -> set[str]:
    """The names, and the names with one dot, that a function reads."""
    nodes = list(ast.walk(f.node))
    return {x.id for x in nodes if isinstance(x, ast.Name)} | {
        f"{x.value.id}.{x.attr}" for x in nodes if isinstance(x, ast.Attribute) and isinstance(x.value, ast.Name)
    }
