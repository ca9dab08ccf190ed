"""Which lines of constructions/ and numerics/, and which functions of theorems/, each claim executes, and how long it takes."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]

#: what is measured; tests' strategies and torch modules are no part of what claims stand on
ROOMS = ("constructions", "numerics", "theorems")


def fingerprint() -> str:
    """A digest of every source file: the map is made anew when one changes."""
    files = sorted(p for room in ROOMS for p in (ROOT / room).rglob("*.py"))
    return hashlib.sha256(b"".join(p.read_bytes() for p in files)).hexdigest()


def coverage_map(kept: Path, bar: Any) -> dict[str, Any]:
    """{"seconds": {claim: s}, "lines": {file: {line: [claims]}}}, from ``kept`` if no source changed since."""
    mark = fingerprint()
    if kept.exists():
        found = json.loads(kept.read_text(encoding="utf-8"))
        if found["fingerprint"] == mark:
            return found
    from lemmata.theorems import TOPICS

    task = bar.add_task("tracing claims", total=len(TOPICS))
    out: dict[str, Any] = {"fingerprint": mark, "seconds": {}, "lines": {}}
    with multiprocessing.get_context("spawn").Pool(2, maxtasksperchild=1) as pool:
        for part in pool.imap_unordered(_trace_topic, TOPICS):
            out["seconds"] |= part["seconds"]
            for file, lines in part["lines"].items():
                for line, ids in lines.items():
                    out["lines"].setdefault(file, {}).setdefault(line, []).extend(ids)
            bar.advance(task)
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps(out), encoding="utf-8")
    return out


def _trace_topic(topic: str) -> dict[str, Any]:
    import coverage
    from lemmata.theorems import claims, decide

    seconds: dict[str, float] = {}
    lines: dict[str, dict[str, list[str]]] = {}
    for c in claims(topics=[topic]):
        tracer = coverage.Coverage(data_file=None, include=[f"{ROOT}/{room}/*" for room in ROOMS])
        start = time.perf_counter()
        tracer.start()
        try:
            decide(c, "quick")
        finally:
            tracer.stop()
        seconds[c.id] = time.perf_counter() - start
        data = tracer.get_data()
        for file in data.measured_files():
            name = str(Path(file).relative_to(ROOT))
            for line in data.lines(file) or []:
                lines.setdefault(name, {}).setdefault(str(line), []).append(c.id)
    return {"seconds": seconds, "lines": lines}


sys.setrecursionlimit(10_000)
