"""Running mutants: a fresh process for each, forked from one that has the libraries but nothing of lemmata."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import json
import multiprocessing
import os
import signal
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from fractions import Fraction
from pathlib import Path
from typing import Any

from sample import Mutant


def run_all(mutants: list[Mutant], covered: dict[str, Any], kept: Path, jobs: int, seconds: float, bar: Any) -> dict[str, dict[str, Any]]:
    """name -> {"by": the claim that noticed or None, "asked": how many were asked, "void": nothing was changed}; what is in ``kept`` for the same sources is not run again, and what noticed a mutant in older ones is asked first."""
    results: dict[str, dict[str, Any]] = {}
    before: dict[str, str] = {}
    if kept.exists():
        for line in kept.read_text(encoding="utf-8").splitlines():
            one = json.loads(line)
            before[one["name"]] = one["by"]
            if one.get("fingerprint") == covered["fingerprint"]:
                results[one["name"]] = one
    todo = [m for m in mutants if m.name not in results]
    task = bar.add_task("mutants", total=len(todo))
    os.environ["OMP_NUM_THREADS"] = "1"
    _preload()
    with kept.open("a", encoding="utf-8") as file, ThreadPoolExecutor(jobs) as pool:
        futures = {pool.submit(_run, m, _askable(m, covered, before.get(m.name)), seconds): m for m in todo}
        for future in as_completed(futures):
            one = future.result() | {"name": futures[future].name, "fingerprint": covered["fingerprint"]}
            results[one["name"]] = one
            file.write(json.dumps(one) + "\n")
            file.flush()
            bar.advance(task)
    return results


def _askable(m: Mutant, covered: dict[str, Any], before: str | None) -> list[str]:
    """The claims that execute the line, cheapest first but for the one that noticed ``before``."""
    lines = covered["lines"].get(m.file, {})
    ids = set(lines.get(str(m.line), []))
    return sorted(ids, key=lambda id: (id != before, covered["seconds"][id]))


def _preload() -> None:
    import sympy  # noqa: F401


def _run(m: Mutant, ids: list[str], seconds: float) -> dict[str, Any]:
    """Fork, apply the mutant, ask the claims one after the other; the child reports each claim before it begins it."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=_child, args=(m, ids, there))
    child.start()
    there.close()
    asked, by, void = 0, None, False
    try:
        while True:
            if not here.poll(seconds):
                by = f"{ids[max(asked - 1, 0)]} (no end within {seconds:g} s)" if ids else None
                break
            message = here.recv()
            if message in ("done", "void"):
                void = message == "void"
                break
            if message == "next":
                asked += 1
            else:
                by = message
                break
    except EOFError:
        by = f"{ids[max(asked - 1, 0)]} (the process died)" if ids else None
    finally:
        if child.is_alive():
            os.kill(child.pid, signal.SIGKILL)
        child.join()
    return {"by": by, "asked": asked, "void": void}


def _child(m: Mutant, ids: list[str], pipe: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    try:
        if m.source is not None:
            sys.meta_path.insert(0, _Mutated(m.file, m.source))
        from lemmata.theorems import claims
        from lemmata.theorems.ledger import ledger
        from lemmata.theorems.records import record

        chosen = {c.id: c for c in claims(ids)}
        changed = [1]
        if m.sampler is not None:
            changed = _zero_sampler(m.sampler)
    except Exception as error:  # the package itself does not load any more
        pipe.send(f"import ({type(error).__name__})")
        return
    for id in ids:
        pipe.send("next")
        r = record(chosen[id], "quick")
        if (r.verdict, r.how) != (ledger()[id].verdict, ledger()[id].how):
            pipe.send(id)
            return
    pipe.send("done" if changed[0] else "void")


class _Mutated(importlib.abc.MetaPathFinder):
    """Imports one module of lemmata from a changed source."""

    def __init__(self, file: str, source: str):
        self.name, self.source = "lemmata." + file.removesuffix(".py").replace("/", ".").removesuffix(".__init__"), source

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:
        if fullname != self.name:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(fullname)
        assert spec is not None
        loader = spec.loader
        assert isinstance(loader, importlib.machinery.SourceFileLoader)
        text = self.source
        loader.get_code = lambda name: compile(text, loader.path, "exec")  # type: ignore[method-assign]
        return spec


def _zero_sampler(dotted: str) -> list[int]:
    """Put a version that returns zeros in place of a function, wherever it was imported; the list counts the numbers that changed."""
    module, _, name = dotted.rpartition(".")
    intact = getattr(sys.modules[module], name)
    changed = [0]

    def zeros(*args: Any, **kwargs: Any) -> Any:
        return _zero(intact(*args, **kwargs), changed)

    for loaded in list(sys.modules.values()):
        if getattr(loaded, "__name__", "").startswith("lemmata"):
            for key, value in list(vars(loaded).items()):
                if value is intact:
                    setattr(loaded, key, zeros)
                # ingredients of checks are default arguments
                check = getattr(value, "check", value)
                if getattr(check, "__defaults__", None) and any(x is intact for x in check.__defaults__):
                    check.__defaults__ = tuple(zeros if x is intact else x for x in check.__defaults__)
    return changed


def _zero(value: Any, changed: list[int]) -> Any:
    """The same shape, every number 0; objects that hold no plain numbers stay as they are."""
    import dataclasses

    import flint
    import numpy as np

    if isinstance(value, bool | str) or value is None:
        return value
    if isinstance(value, np.ndarray):
        if value.dtype == object:
            out = np.empty_like(value)
            for at in np.ndindex(value.shape):
                out[at] = _zero(value[at], changed)
            return out
        changed[0] += int(np.count_nonzero(value))
        return value * 0
    if isinstance(value, int | float | complex | Fraction | flint.fmpq | flint.fmpz | np.number) or hasattr(value, "to_text"):
        changed[0] += bool(value)
        return value * 0
    if isinstance(value, list | tuple):
        zeros = [_zero(x, changed) for x in value]
        return type(value)(*zeros) if hasattr(value, "_fields") else type(value)(zeros)
    if isinstance(value, dict):
        return {k: _zero(v, changed) for k, v in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.replace(value, **{f.name: _zero(getattr(value, f.name), changed) for f in dataclasses.fields(value) if f.init})
    return value
