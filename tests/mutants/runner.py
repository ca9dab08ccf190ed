"""Running mutants: each in a process forked from one that has imported every claim; the change is made there, in place.

The parts of claims that run the changed line are asked, the cheapest and closest first, each up to its first failure, until one falls. A part that does not end within its limit,
or runs out of memory, has not noticed: it is passed over, and the next is asked.
"""

from __future__ import annotations

import ast
import gc
import json
import multiprocessing
import os
import resource
import sys
import time
import types
from collections.abc import Sequence
from dataclasses import is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

from drawing import OFF, Mutant, readers, source
from parts import Part, part, spoken, stands
from public import ROOT, tree
from tracing import module_of
from wrong import off

#: seconds by the clock after which a claim has not ended, however busy the machine is
PATIENCE = 600.0

#: seconds of a processor that each claim has at least; where machine code is made anew for each mutant
LEAST, COMPILED = 3.0, 60.0

#: how much later a part is asked that does not name the function, or met no such arguments, than its seconds say; what it costs to begin with one
FAR, LOST = 10.0, 0.02

#: bytes that a mutant may fill
MEMORY = 6 * 2**30


def outcomes(path: Path) -> list[dict[str, Any]]:
    """What became of mutants, a row for each run of one."""
    rows = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [json.loads(row) for row in rows]


def run(m: Mutant, trace: dict[str, Any], budget: float, first: Sequence[str] = ()) -> dict[str, Any]:
    """{"by": the claim that fell or None, "part", "effort", "state", "asked", "slow": parts that did not end}; ``first`` names parts to ask first.

    The state is "changed", "unreached" (no call met the condition), "refused" (each that met it raised an error of its own), "same" (no result could be changed) or "trouble" (the fault itself failed once).
    """
    rounds = rounds_of(m, trace, first)
    least = COMPILED if _is_compiled(m.file) else LEAST
    used, out, at, slow, state = 0.0, None, 0, [], "unreached"
    while at < len(rounds) and used < max(budget, least):
        context = multiprocessing.get_context("fork")
        here, there = context.Pipe(duplex=False)
        child = context.Process(target=_child, args=(m, rounds[at:], there))
        child.start()
        there.close()
        began = 0.0
        try:
            here.recv()
        except EOFError:  # an error of the change itself says nothing about claims
            raise RuntimeError(f"expected to change {m.title}, but its process died") from None
        try:
            while at < len(rounds):
                asked, effort = rounds[at]
                limit = min(max(least, 2 * _seconds(trace, asked, effort)), max(budget, least) - used - began)
                if not waited(here, child, began + limit):
                    slow.append(f"{asked} at {effort}")
                    at += 1
                    # what does not end with few instances does not end with more
                    rounds[at:] = [later for later in rounds[at:] if later[0] != asked]
                    break
                word, now, began = here.recv()
                state = max(state, now, key=("unreached", "refused", "same", "changed", "trouble").index)
                if word == "fell":
                    out = asked, effort
                    break
                at += 1
                if word == "too much":
                    slow.append(f"{asked} at {effort}")
                    break
        except EOFError:  # the process died: its claim has not come out as it should
            out = rounds[at]
        finally:
            used += processor_seconds(child) or began
            child.kill()
            child.join()
        if out is not None:
            break
    asked, effort = out or (None, None)
    return {
        "title": m.title, "kind": m.kind, "by": asked.claim if asked else None, "part": str(asked) if asked else None, "effort": effort,
        "state": "changed" if asked else state, "asked": len(rounds) if out is None else rounds.index(out) + 1, "rounds": len(rounds), "slow": slow,
        "unasked": max(0, len(rounds) - at) if out is None else 0, "seconds": round(used, 1),
    }  # fmt: skip


def rounds_of(m: Mutant, trace: dict[str, Any], first: Sequence[str] = ()) -> list[tuple[Part, str]]:
    """The parts that can notice a mutant, each with an effort, cheapest first; those that speak of the function, or of such arguments, count as cheaper."""
    texts = [text for text in asked_of(m, trace) if trace["parts"][text]["stands"].get("standard")]
    if m.text is not None:
        lines = _statement(m)
        texts = [text for text in texts if _runs(m.file, lines, trace["parts"][text])] or texts
    rounds = []
    for asked in map(part, texts):
        one = trace["parts"][str(asked)]
        cost = one["seconds"]
        weight = (
            FAR ** (m.function.split(".")[-1] not in spoken(asked))
            * FAR ** (not _meets(m, one["classes"].get(f"{m.file}: {m.function}")))
            / FAR ** (str(asked) in first)
        )
        if one["stands"].get("quick") and cost["quick"] < cost["standard"] / 2:
            rounds.append((weight * (LOST + cost["quick"]), asked, "quick"))
        rounds.append((weight * (LOST + cost["standard"]), asked, "standard"))
    return [(asked, effort) for _, asked, effort in sorted(rounds, key=lambda r: r[0])]


def asked_of(m: Mutant, trace: dict[str, Any]) -> list[str]:
    """The parts that run the mutated function; for a module's constant, those that run a function that reads it."""
    keys = readers(m.file, m.function) if m.kind == "module constant" else [f"{m.file}: {m.function}"]
    return sorted({text for key in keys for text in trace["asked"].get(key, [])})


def _seconds(trace: dict[str, Any], asked: Part, effort: str) -> float:
    return trace["parts"][str(asked)]["seconds"][effort]


def _runs(file: str, lines: set[int], one: dict[str, Any]) -> bool:
    """Whether a part runs a line of these; always, for compiled code, which a tracer does not see."""
    return file not in one["lines"] or _is_compiled(file) or not lines.isdisjoint(one["lines"][file])


def _statement(m: Mutant) -> set[int]:
    """The lines of the innermost statement that a mutant changes; of one that holds others, those before them."""
    assert m.text is not None
    old, new = source(m.file).splitlines(), m.text.splitlines()
    at = next((i for i, (x, y) in enumerate(zip(old, new, strict=False)) if x != y), len(new) - 1) + 1
    found = set(range(1, len(old) + 1))
    for node in ast.walk(tree(m.file)):
        if isinstance(node, ast.stmt) and node.lineno <= at <= (node.end_lineno or 0):
            body = getattr(node, "body", None)
            end = body[0].lineno - 1 if body and body[0].lineno > node.lineno else node.end_lineno
            here = set(range(node.lineno, (end or 0) + 1)) if at <= (end or 0) else set(range(node.lineno, (node.end_lineno or 0) + 1))
            if len(here) < len(found):
                found = here
    return found


def _meets(m: Mutant, met: list[str] | None) -> bool:
    """Whether a fault was met in a trace; what no trace can say counts as met."""
    fault = m.fault
    if fault is None or met is None or fault.when == "always":
        return True
    if fault.when == "size":
        return any(c.startswith("size ") and int(c.split()[1]) >= fault.bound for c in met)
    return {"type": str(fault.bound), "negative": "negative", "steps": f"{fault.bound} steps"}[fault.when] in met


def _child(m: Mutant, rounds: list[tuple[Part, str]], pipe: Any) -> None:
    sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    changed = apply(m)
    pipe.send("changed")
    for asked, effort in rounds:
        try:
            word = "held" if stands(asked, effort) else "fell"
        except MemoryError:
            word = "too much"
        pipe.send((word, state_of(m, changed), time.process_time()))
        if word != "held":
            return


def waited(pipe: Any, child: Any, limit: float) -> bool:
    """Wait for a message; False if the process has used more than ``limit`` seconds of a processor. Other work on the machine does not count."""
    start = time.monotonic()
    while not pipe.poll(0.1):
        # a process that waits for ever uses no processor
        if (processor_seconds(child) or 0.0) > limit or time.monotonic() - start > PATIENCE:
            return pipe.poll()
    return True


def processor_seconds(child: Any) -> float | None:
    """The seconds of a processor that a process has used, as Linux counts them; None once it has ended."""
    try:
        fields = Path(f"/proc/{child.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class OnPath:
    """What a changed path hands out; counts how often it was taken, and how often that differs."""

    def __init__(self) -> None:
        self.taken = self.happened = 0

    def __call__(self, result: Any) -> Any:
        changed = off(result)
        self.taken += 1
        self.happened += changed is not result
        return changed


def state_of(m: Mutant, changed: bool) -> str:
    if m.fault is not None and m.fault.trouble:
        return "trouble"
    if m.fault is not None:
        reached = "refused" if m.fault.is_refused else "same" if m.fault.is_without_effect else "unreached"
        return "changed" if m.fault.happened else "same" if m.fault.when == "always" else reached
    if m.kind == "path":
        return "changed" if ON_PATH.happened else "same" if ON_PATH.taken else "unreached"
    return "changed" if changed else "same"


#: of the one mutant of this process
ON_PATH = OnPath()


# -- making the change ----------------------------------------------------------------------------------------------------


def apply(m: Mutant) -> bool:
    """Change the loaded code; False if nothing changed yet (what a result becomes shows when the function is called). Raises ``LookupError`` if no such code is loaded."""
    module = sys.modules[module_of(m.file)]
    if _is_compiled(m.file):
        forget_compiled()
    if m.kind == "module constant":
        return _shift_constant(module, m.function)
    targets = loaded().get((module.__file__ or "", m.function), [])
    if not targets:
        raise LookupError(f"expected {m.function} among the functions of {m.file} that are loaded")
    for f in targets:
        if m.fault is not None:
            _wrap(f, m)
        else:
            _replace(f, module, m)
    return m.fault is None


def _is_compiled(file: str) -> bool:
    return "kept_on_disk" in source(file)


def forget_compiled() -> None:
    """Numba keeps machine code on disk, by the code but not its constants: this process neither reads nor writes it."""
    from numba.core.caching import NullCache
    from numba.core.registry import CPUDispatcher

    for module in list(sys.modules.values()):
        if getattr(module, "__name__", "").startswith("lemmata."):
            for x in vars(module).values():
                if isinstance(x, CPUDispatcher):
                    x._cache = NullCache()


@cache
def loaded() -> dict[tuple[str, str], list[types.FunctionType]]:
    """(path, dotted name) -> the functions made from that code, of all that is loaded. What is looked at then stays out of the collector's way in each fork."""
    gc.unfreeze()  # what a trace in this process put out of sight
    found: dict[tuple[str, str], list[types.FunctionType]] = {}
    for f in gc.get_objects():
        if isinstance(f, types.FunctionType) and str(f.__module__).startswith("lemmata"):
            found.setdefault((f.__code__.co_filename, f.__code__.co_qualname), []).append(f)
    gc.freeze()
    return found


def _wrap(f: types.FunctionType, m: Mutant) -> None:
    """The function calls what it was, and hands out what the fault makes of that."""
    intact = types.FunctionType(f.__code__, f.__globals__, f.__name__, f.__defaults__, f.__closure__)
    intact.__kwdefaults__ = f.__kwdefaults__
    fault = m.fault
    assert fault is not None
    f.__globals__["__faulty__"] = lambda args, kwargs: fault.call(intact, args, kwargs)
    free = f.__code__.co_freevars
    # a method that uses super() has a free variable, and its new code must have it too
    maker = "def make({0}):\n def faulty(*args, **kwargs):\n  if 0: {1}\n  return __faulty__(args, kwargs)\n return faulty"
    scope: dict[str, Any] = {}
    exec(maker.format(", ".join(free), ", ".join(free) or "0"), scope)
    f.__defaults__ = f.__kwdefaults__ = None
    f.__code__ = scope["make"](*free).__code__


def _replace(f: types.FunctionType, module: Any, m: Mutant) -> None:
    """The function gets the code, and the defaults, that the changed text gives it."""
    assert m.text is not None
    f.__globals__[OFF] = ON_PATH
    whole = compile(m.text, f.__code__.co_filename, "exec")
    f.__code__ = next(c for c in _codes(whole) if c.co_qualname == m.function)
    old, new = (_definition(parsed, m.function).args for parsed in (tree(m.file), ast.parse(m.text)))
    if ast.dump(old) != ast.dump(new) and f.__defaults__:
        f.__defaults__ = tuple(eval(ast.unparse(x), f.__globals__) for x in new.defaults)


def _codes(code: types.CodeType) -> list[types.CodeType]:
    return [c for x in code.co_consts if isinstance(x, types.CodeType) for c in (x, *_codes(x))]


def _definition(parsed: ast.Module, name: str) -> ast.FunctionDef:
    node: Any = parsed
    for step in name.split("."):
        node = next(x for x in node.body if getattr(x, "name", None) == step)
    return node


def _shift_constant(module: Any, name: str) -> bool:
    """A module's constant, or the first number in it, off by 1 %, wherever it was imported or became a default."""
    old = getattr(module, name, None)
    new = _shifted(old)
    if new is old:
        return False
    for other in list(sys.modules.values()):
        if getattr(other, "__name__", "").startswith("lemmata"):
            for key, value in list(vars(other).items()):
                if value is old and (other is module or key == name):
                    setattr(other, key, new)
    for f in [f for same in loaded().values() for f in same]:
        if f.__defaults__ and any(x is old for x in f.__defaults__):
            f.__defaults__ = tuple(new if x is old else x for x in f.__defaults__)
    return True


def _shifted(x: Any) -> Any:
    from fractions import Fraction

    import flint
    import numpy as np

    if isinstance(x, bool):
        return x
    if isinstance(x, int):
        return x + max(1, abs(x) // 100)
    if isinstance(x, float | complex):
        return x * 1.01 if x else x
    if isinstance(x, flint.fmpq | Fraction):
        return x * type(x)(101, 100) if x else x
    if hasattr(x, "to_text") and not is_dataclass(x):
        return x * flint.fmpq(101, 100)
    if isinstance(x, np.ndarray) and x.size:
        at = next((i for i in np.ndindex(x.shape) if x[i] != 0), None)
        old = None if at is None else x[at].item() if isinstance(x[at], np.generic) else x[at]
        new = _shifted(old)
        if at is None or new is old:
            return x
        changed = np.array(x)
        changed[at] = new
        return changed
    if isinstance(x, list | tuple):
        for i, y in enumerate(x):
            changed = _shifted(y)
            if changed is not y:
                return type(x)([*x[:i], changed, *x[i + 1 :]]) if not hasattr(x, "_fields") else type(x)(*x[:i], changed, *x[i + 1 :])
    if isinstance(x, dict):
        for key, y in x.items():
            changed = _shifted(y)
            if changed is not y:
                return {**x, key: changed}
    return x


assert ROOT.exists()
