"""Which functions and lines of constructions/ and numerics/ each part of a claim executes at standard effort, and how long it takes.

Each part runs in a process of its own, forked from one that has all claims: nothing that an earlier one kept in a cache hides a call.
"""

from __future__ import annotations

import gc
import json
import multiprocessing
import os
import sys
import time
from contextlib import suppress
from importlib import import_module
from typing import Any

from parts import Part, part, parts, stands
from public import ROOT, files, fingerprint, functions
from reach import Watch

KEPT = ROOT / "build" / "mutants" / "trace.json"

#: seconds after which a claim is no longer traced; the functions seen until then count
LIMIT = 900.0

#: seconds between two times that the trace is written down
BETWEEN = 30.0


def prepare() -> None:
    """Import every claim, and all modules that may be changed; nothing is decided or compiled yet. Modules that need a package that is missing stay out."""
    os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
    sys.setrecursionlimit(10_000)
    for name in ("coverage", "numba.core.registry"):  # imported here, and not again in each fork
        with suppress(ModuleNotFoundError):
            import_module(name)
    from lemmata.theorems import claims
    from lemmata.theorems.ledger import ledger

    claims()
    ledger()
    for file in files():
        try:
            import_module(module_of(file))
        except ModuleNotFoundError as missing:
            print(f"{file}: not loaded, needs {missing.name}", file=sys.stderr)


def module_of(file: str) -> str:
    return "lemmata." + file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")


def trace(bar: Any, only: list[str] | None = None) -> dict[str, Any]:
    """What the parts of claims run, from what is kept if no source changed; ``only`` names claims to trace anew, the rest is kept as it is.

    {"parts": {part: {"seconds": {effort: s}, "stands": {effort: as pinned}, "functions", "lines", "classes"}}, "functions": {key: [claims]},
    "asked": {key: [parts]}, "lines": {file: [lines]}, "arcs": {file: [pairs of lines]}, "classes": {key: [classes of calls]}}
    """
    mark = fingerprint()
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else None
    if kept is not None and only is None and kept["fingerprint"] == mark:
        return kept
    prepare()
    from lemmata.theorems import claims

    chosen, watch, written = [c.id for c in claims(only)], Watch(), time.monotonic()
    gc.freeze()
    under_way = f"under way: {mark}"
    found: dict[str, Any] = {"parts": {}}
    if kept is not None and kept["fingerprint"] == under_way:
        found = kept
    elif kept is not None and only is not None:
        found["parts"] = {text: one for text, one in kept["parts"].items() if part(text).claim not in chosen}
    todo = [asked for id in chosen for asked in parts(id) if str(asked) not in found["parts"]]
    task = bar.add_task("tracing claims", total=len(todo))
    for asked in todo:
        found["parts"][str(asked)] = _in_a_fork(asked, watch)
        bar.advance(task)
        if time.monotonic() - written > BETWEEN:
            _keep(found | {"fingerprint": under_way})
            written = time.monotonic()
    found = {"parts": found["parts"], "fingerprint": mark, **_together(found["parts"])}
    _keep(found)
    return found


def _together(by_part: dict[str, Any]) -> dict[str, Any]:
    """What all parts ran: lines, arcs, classes of calls, and for each function the parts and the claims that run it."""
    out: dict[str, dict[str, set[Any]]] = {name: {} for name in ("lines", "arcs", "classes", "asked", "functions")}
    for text, one in by_part.items():
        for name in ("lines", "arcs", "classes"):
            for key, values in one[name].items():
                out[name].setdefault(key, set()).update(tuple(x) if isinstance(x, list) else x for x in values)
        for key in one["functions"]:
            out["asked"].setdefault(key, set()).add(text)
            out["functions"].setdefault(key, set()).add(part(text).claim)
    return {name: {key: sorted(values) for key, values in sorted(table.items())} for name, table in out.items()}


def _keep(found: dict[str, Any]) -> None:
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    KEPT.write_text(json.dumps(found), encoding="utf-8")


def compiled_functions() -> list[str]:
    """Functions that Numba compiled, or loaded, in this process: a tracer does not see them. Those that call each other count together."""
    from numba.core.registry import CPUDispatcher

    found = []
    for module in [m for m in list(sys.modules.values()) if getattr(m, "__name__", "").startswith("lemmata.numerics.")]:
        own = [x.py_func for x in vars(module).values() if isinstance(x, CPUDispatcher) and x.py_func.__module__ == module.__name__]
        if any(x.signatures for x in vars(module).values() if isinstance(x, CPUDispatcher)):
            file = str(module.__file__).removeprefix(f"{ROOT}/")
            found += [f"{file}: {f.__qualname__}" for f in own]
    return found


def _in_a_fork(asked: Part, watch: Watch) -> dict[str, Any]:
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=_trace_one, args=(asked, watch, there))
    child.start()
    there.close()
    nothing: dict[str, Any] = {"functions": [], "lines": {}, "arcs": {}, "classes": {}}
    try:
        return here.recv() if here.poll(LIMIT) else {"seconds": dict.fromkeys(_efforts(asked), LIMIT), "stands": {}, **nothing}
    except EOFError:
        raise RuntimeError(f"expected a trace of {asked}, but its process died") from None
    finally:
        child.kill()
        child.join()


def _efforts(asked: Part) -> tuple[str, ...]:
    """A tie is the same at each effort."""
    return ("standard",) if asked.name.startswith("tie") else ("standard", "quick")


def _trace_one(asked: Part, watch: Watch, pipe: Any) -> None:
    import coverage

    watch.again()
    tracer = coverage.Coverage(
        data_file=None, messages=False, branch=True, include=[f"{ROOT}/{room}/*" for room in ("constructions", "numerics")]
    )
    seconds, as_pinned = {}, {}
    for effort in _efforts(asked):
        start = time.process_time()
        if effort == "standard":
            tracer.start()
        as_pinned[effort] = stands(asked, effort)
        if effort == "standard":
            tracer.stop()
            watch.rest()
        seconds[effort] = time.process_time() - start
    data, ran, lines, arcs = tracer.get_data(), compiled_functions(), {}, {}
    for path in data.measured_files():
        file = str(path).removeprefix(f"{ROOT}/")
        lines[file], arcs[file] = sorted(data.lines(path) or []), data.arcs(path) or []
        ran += [f.key for f in functions(file) if f.lines & set(lines[file])]
    pipe.send({"seconds": seconds, "stands": as_pinned, "functions": ran, "lines": lines, "arcs": arcs, "classes": watch.classes()})
