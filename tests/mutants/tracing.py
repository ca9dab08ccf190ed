"""Which functions of constructions/ and numerics/ each claim executes at standard effort, and how long it takes.

Each claim runs in a process of its own, forked from one that has all claims: nothing that an earlier claim kept in a cache hides a call.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
import time
from typing import Any

from public import ROOT, fingerprint, functions

KEPT = ROOT / "build" / "mutants" / "trace.json"

#: seconds after which a claim is no longer traced; the functions seen until then count
LIMIT = 900.0


def prepare() -> None:
    """Import every claim; nothing is decided or compiled yet."""
    os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
    sys.setrecursionlimit(10_000)
    from lemmata.theorems import claims

    claims()


def trace(bar: Any, only: list[str] | None = None) -> dict[str, Any]:
    """{"seconds": {claim: {effort: s}}, "functions": {key: [claims]}, "lines": {file: [lines]}, "quick": {claim: as pinned at quick effort}}, from what is kept if no source changed.

    ``only`` names claims to trace anew, the rest is kept as it is.
    """
    mark = fingerprint()
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else None
    if kept is not None and only is None and kept["fingerprint"] == mark:
        return kept
    prepare()
    from lemmata.theorems import claims

    found: dict[str, Any] = kept if kept is not None and only is not None else {"seconds": {}, "ran": {}, "lines": {}, "quick": {}}
    chosen = [c.id for c in claims(only)]
    task = bar.add_task("tracing claims", total=len(chosen))
    for id in chosen:
        one = _in_a_fork(id)
        found["seconds"][id], found["ran"][id], found["quick"][id] = one["seconds"], one["functions"], one["quick"]
        for file, lines in one["lines"].items():
            found["lines"][file] = sorted({*found["lines"].get(file, []), *lines})
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


def _in_a_fork(id: str) -> dict[str, Any]:
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=_trace_one, args=(id, there))
    child.start()
    there.close()
    empty: dict[str, Any] = {"seconds": {"quick": LIMIT, "standard": LIMIT}, "functions": [], "lines": {}, "quick": False}
    try:
        return here.recv() if here.poll(LIMIT) else empty
    except EOFError:
        raise RuntimeError(f"expected a trace of {id}, but its process died") from None
    finally:
        child.kill()
        child.join()


def _trace_one(id: str, pipe: Any) -> None:
    import coverage
    from lemmata.theorems import claims, decide
    from lemmata.theorems.records import record

    (c,) = claims([id])
    start = time.process_time()
    tracer = coverage.Coverage(data_file=None, messages=False, include=[f"{ROOT}/{room}/*" for room in ("constructions", "numerics")])
    tracer.start()
    decide(c, "standard")
    tracer.stop()
    standard = time.process_time() - start
    data, ran, lines = tracer.get_data(), compiled_functions(), {}
    for path in data.measured_files():
        file = str(path).removeprefix(f"{ROOT}/")
        lines[file] = sorted(data.lines(path) or [])
        ran += [f.key for f in functions(file) if f.lines & set(lines[file])]
    start = time.process_time()
    stands = record(c, "quick").as_expected
    quick = time.process_time() - start
    pipe.send({"seconds": {"quick": quick, "standard": standard}, "functions": ran, "lines": lines, "quick": stands})
