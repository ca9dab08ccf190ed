"""Running mutants: each in a process forked from one that has imported every claim; the change is made there, in place.

Claims that run the mutated function are decided, cheapest first, at quick effort and then at standard effort, until one falls. A claim that does not end within its limit has
not noticed: it is passed over, and the next is asked.
"""

from __future__ import annotations

import ast
import gc
import json
import multiprocessing
import os
import sys
import time
import types
from pathlib import Path
from typing import Any

from drawing import OFF, Mutant, source, speakers
from public import ROOT
from tracing import module_of
from wrong import off

#: seconds by the clock after which a claim has not ended, however busy the machine is
PATIENCE = 600.0

#: seconds of a processor that each claim has at least; where machine code is made anew for each mutant
LEAST, COMPILED = 5.0, 60.0


def outcomes(path: Path) -> dict[str, dict[str, Any]]:
    """title -> what became of a mutant when it was last run."""
    rows = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {one["title"]: one for one in map(json.loads, rows)}


def run(m: Mutant, trace: dict[str, Any], budget: float, before: str | None = None, quick: frozenset[str] = frozenset()) -> dict[str, Any]:
    """{"by": the claim that fell or None, "effort", "state", "asked", "slow": claims that did not end}; ``quick`` names the claims that can be asked at quick effort.

    The state is "changed", "unreached" (no call met the condition), "refused" (each that met it raised an error of its own), "same" (no result could be changed) or "trouble" (the fault itself failed once).
    """
    ids = speakers(m, trace["functions"])
    seconds = trace["seconds"]
    rounds = [(id, "quick") for id in ids if id in quick] + [(id, "standard") for id in ids]
    rounds.sort(key=lambda r: (r[1] != "quick", r[0] != before, seconds[r[0]][r[1]]))
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
            while at < len(rounds):
                id, effort = rounds[at]
                limit = min(max(least, 2 * seconds[id]["standard"]), max(budget, least) - used - began)
                if not waited(here, child, began + limit):
                    slow.append(f"{id} at {effort}")
                    at += 1
                    break
                word, now, began = here.recv()
                state = max(state, now, key=("unreached", "refused", "same", "changed", "trouble").index)
                if word == "fell":
                    out = id, effort
                    break
                at += 1
        except EOFError:  # the process died: its claim has not come out as it should
            out = rounds[at]
        finally:
            used += processor_seconds(child) or began
            child.kill()
            child.join()
        if out is not None:
            break
    by, effort = out or (None, None)
    asked = len(rounds) if out is None else rounds.index(out) + 1
    return {
        "title": m.title, "kind": m.kind, "by": by, "effort": effort, "state": "changed" if by else state, "asked": asked, "claims": len(ids), "slow": slow,
        "unasked": max(0, len(rounds) - at) if out is None else 0, "seconds": round(used, 1),
    }  # fmt: skip


def _child(m: Mutant, rounds: list[tuple[str, str]], pipe: Any) -> None:
    sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    from lemmata.theorems import claims
    from lemmata.theorems.records import record

    by_id = {c.id: c for c in claims()}
    changed = apply(m)
    for id, effort in rounds:
        fell = not record(by_id[id], effort).as_expected
        pipe.send(("fell" if fell else "held", state_of(m, changed), time.process_time()))
        if fell:
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


def state_of(m: Mutant, changed: bool) -> str:
    if m.fault is not None and m.fault.trouble:
        return "trouble"
    if m.fault is not None:
        reached = "refused" if m.fault.is_refused else "same" if m.fault.is_without_effect else "unreached"
        return "changed" if m.fault.happened else "same" if m.fault.when == "always" else reached
    return "changed" if changed else "same"


# -- making the change ----------------------------------------------------------------------------------------------------


def apply(m: Mutant) -> bool:
    """Change the loaded code; False if nothing changed yet (what a result becomes shows when the function is called)."""
    module = sys.modules[module_of(m.file)]
    if m.kind == "module constant":
        return _shift_constant(module, m.function)
    targets = [f for f in gc.get_objects() if isinstance(f, types.FunctionType) and _is(f, module, m)]
    if not targets:
        return False
    if _is_compiled(m.file):
        forget_compiled()
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


def _is(f: types.FunctionType, module: Any, m: Mutant) -> bool:
    code = f.__code__
    return code.co_qualname == m.function and Path(code.co_filename) == Path(module.__file__ or "")


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
    f.__globals__[OFF] = off
    whole = compile(m.text, f.__code__.co_filename, "exec")
    f.__code__ = next(c for c in _codes(whole) if c.co_qualname == m.function)
    old, new = (_definition(text, m.function).args for text in (source(m.file), m.text))
    if ast.dump(old) != ast.dump(new) and f.__defaults__:
        f.__defaults__ = tuple(eval(ast.unparse(x), f.__globals__) for x in new.defaults)


def _codes(code: types.CodeType) -> list[types.CodeType]:
    return [c for x in code.co_consts if isinstance(x, types.CodeType) for c in (x, *_codes(x))]


def _definition(text: str, name: str) -> ast.FunctionDef:
    node: Any = ast.parse(text)
    for part in name.split("."):
        node = next(x for x in node.body if getattr(x, "name", None) == part)
    return node


def _shift_constant(module: Any, name: str) -> bool:
    """A module's constant, or the first number in it, off by 1 %, wherever it was imported or became a default."""
    old = getattr(module, name, None)
    new = _shifted(old)
    if new is old:
        return False
    for loaded in list(sys.modules.values()):
        if getattr(loaded, "__name__", "").startswith("lemmata"):
            for key, value in list(vars(loaded).items()):
                if value is old and (loaded is module or key == name):
                    setattr(loaded, key, new)
    for f in gc.get_objects():
        if (
            isinstance(f, types.FunctionType)
            and f.__module__.startswith("lemmata")
            and f.__defaults__
            and any(x is old for x in f.__defaults__)
        ):
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
        return x * 1.01
    if isinstance(x, flint.fmpq | Fraction):
        return x * type(x)(101, 100)
    if isinstance(x, np.ndarray) and x.size:
        changed = np.array(x)
        at = next((i for i in np.ndindex(x.shape) if x[i] != 0), None)
        if at is None:
            return x
        changed[at] = _shifted(x[at].item() if isinstance(x[at], np.generic) else x[at])
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
