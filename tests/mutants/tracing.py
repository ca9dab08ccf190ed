"""Which functions of constructions/ and numerics/ each claim executes at standard effort, and how long it takes.

Each claim runs in a process of its own, forked from one that has all claims: nothing that an earlier claim kept in a cache hides a call.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
import time
from functools import wraps
from importlib import import_module
from typing import Any

from public import ROOT, files, fingerprint, functions
from reach import Watch

KEPT = ROOT / "build" / "mutants" / "trace.json"

#: seconds after which a claim is no longer traced; the functions seen until then count
LIMIT = 900.0


def prepare() -> None:
    """Import every claim, and all modules that may be changed; nothing is decided or compiled yet. Modules that need a package that is missing stay out."""
    os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
    sys.setrecursionlimit(10_000)
    from lemmata.theorems import claims

    claims()
    for file in files():
        try:
            import_module(module_of(file))
        except ModuleNotFoundError as missing:
            print(f"{file}: not loaded, needs {missing.name}", file=sys.stderr)


def module_of(file: str) -> str:
    return "lemmata." + file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")


def trace(bar: Any, only: list[str] | None = None) -> dict[str, Any]:
    """{"seconds": {claim: {effort: s}}, "functions": {key: [claims]}, "lines": {file: [lines]}, "arcs": {file: [pairs of lines]}, "classes": {key: [classes of calls]}, "quick": {claim: as pinned at quick effort}}, from what is kept if no source changed.

    ``only`` names claims to trace anew, the rest is kept as it is.
    """
    mark = fingerprint()
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else None
    if kept is not None and only is None and kept["fingerprint"] == mark:
        return kept
    prepare()
    from lemmata.theorems import claims

    found: dict[str, Any] = (
        kept if kept is not None and only is not None else {"seconds": {}, "ran": {}, "lines": {}, "arcs": {}, "classes": {}, "quick": {}}
    )
    chosen, watch = [c.id for c in claims(only)], Watch()
    task = bar.add_task("tracing claims", total=len(chosen))
    for id in chosen:
        one = _in_a_fork(id, watch)
        found["seconds"][id], found["ran"][id], found["quick"][id] = one["seconds"], one["functions"], one["quick"]
        for file, lines in one["lines"].items():
            found["lines"][file] = sorted({*found["lines"].get(file, []), *lines})
        for file, arcs in one["arcs"].items():
            found["arcs"][file] = sorted({*map(tuple, found["arcs"].get(file, [])), *map(tuple, arcs)})
        for key, met in one["classes"].items():
            found["classes"][key] = sorted({*found["classes"].get(key, []), *met})
        bar.advance(task)
        _keep(found | {"fingerprint": "under way"})
    found |= {"fingerprint": mark, "functions": _by_function(found["ran"])}
    _keep(found)
    return found


def _keep(found: dict[str, Any]) -> None:
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    KEPT.write_text(json.dumps(found), encoding="utf-8")


def _by_function(ran: dict[str, list[str]]) -> dict[str, list[str]]:
    out: dict[str, list[str]] = {}
    for id, keys in ran.items():
        for key in keys:
            out.setdefault(key, []).append(id)
    return {key: sorted(ids) for key, ids in sorted(out.items())}


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


def _in_a_fork(id: str, watch: Watch) -> dict[str, Any]:
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=_trace_one, args=(id, watch, there))
    child.start()
    there.close()
    empty: dict[str, Any] = {
        "seconds": {"quick": LIMIT, "standard": LIMIT},
        "functions": [],
        "lines": {},
        "arcs": {},
        "classes": {},
        "quick": False,
    }
    try:
        return here.recv() if here.poll(LIMIT) else empty
    except EOFError:
        raise RuntimeError(f"expected a trace of {id}, but its process died") from None
    finally:
        child.kill()
        child.join()


def _trace_one(id: str, watch: Watch, pipe: Any) -> None:
    import coverage
    from lemmata.theorems import claims, decide
    from lemmata.theorems.claim import _TIES
    from lemmata.theorems.records import record

    (c,) = claims([id])
    # each tie is looked at anew: it comes after a check, which may have called a function often
    ties = _TIES.get(id, [])
    _TIES[id] = [_looked_at(watch, held) for held in ties]
    watch.again()
    start = time.process_time()
    tracer = coverage.Coverage(
        data_file=None, messages=False, branch=True, include=[f"{ROOT}/{room}/*" for room in ("constructions", "numerics")]
    )
    tracer.start()
    decide(c, "standard")
    tracer.stop()
    standard = time.process_time() - start
    met, _TIES[id] = watch.classes(), ties
    watch.rest()
    data, ran, lines, arcs = tracer.get_data(), compiled_functions(), {}, {}
    for path in data.measured_files():
        file = str(path).removeprefix(f"{ROOT}/")
        lines[file], arcs[file] = sorted(data.lines(path) or []), data.arcs(path) or []
        ran += [f.key for f in functions(file) if f.lines & set(lines[file])]
    start = time.process_time()
    stands = record(c, "quick").as_expected
    quick = time.process_time() - start
    pipe.send(
        {"seconds": {"quick": quick, "standard": standard}, "functions": ran, "lines": lines, "arcs": arcs, "classes": met, "quick": stands}
    )


def _looked_at(watch: Watch, held: Any) -> Any:
    """The tie, with the calls it makes looked at anew."""

    @wraps(held)
    def tie(proof: Any) -> None:
        watch.again()
        held(proof)

    return tie
