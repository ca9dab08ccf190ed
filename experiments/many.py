"""Many runs: each is trained and measured once, its numbers are stored, and several processes may share them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch

from ..numerics.processes import CONTEXT, require_jobs, workers
from ..numerics.progress import Progress
from .training import Run

#: (run, folder for its checkpoint, what its steps report to, device) -> numbers, in lists and dictionaries as JSON has them
Measure = Callable[[Run, Path | None, Progress | None, torch.device | None], Any]

#: in a worker: how many steps each run has done
_done: Any = None


def measure_all(
    planned: Sequence[Run],
    measure: Measure,
    folder: Path | None = None,
    device: torch.device | None = None,
    progress: Progress | None = None,
    jobs: int = 1,
) -> list[Any]:
    """What ``measure`` finds for every run, in order; with a ``folder`` it is stored there, beside the checkpoints, and not measured again.

    The numbers do not depend on ``jobs``, the number of processes; for more than one, ``measure`` is a function of a module.
    Raises ``ValueError`` as ``require_jobs``, for runs of the same name, and for kept numbers of another run.
    """
    require_jobs(jobs)
    if len({run.name for run in planned}) < len(planned):
        raise ValueError("expected runs of different names, got some that share one: their checkpoints would mix")
    found = {i: kept for i, run in enumerate(planned) if (kept := _kept(run, folder)) is not None}
    todo = [i for i in range(len(planned)) if i not in found]
    total = sum(run.steps for run in planned)
    before = sum(planned[i].steps for i in found)
    if jobs == 1 or len(todo) < 2:
        for i in todo:
            run = planned[i]
            of_all = None if progress is None else _shifted(progress, before, total)
            found[i] = measure_one(run, measure, folder, of_all, device)
            before += run.steps
    else:
        found |= _in_processes({i: planned[i] for i in todo}, measure, folder, device, progress, jobs, before, total)
    return [found[i] for i in range(len(planned))]


def _shifted(progress: Progress, before: int, total: int) -> Progress:
    """A run's progress as that of all runs, ``before`` of whose steps are done."""
    return lambda stage, done, _: progress(stage, before + done, total)


def measure_one(run: Run, measure: Measure, folder: Path | None, progress: Progress | None, device: torch.device | None) -> Any:
    """What ``measure`` finds for one run, through JSON as if it had been stored; with a folder it is."""
    text = json.dumps({"run": asdict(run), "found": measure(run, folder, progress, device)})
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        unfinished = folder / f".{run.name}.{os.getpid()}.part"
        unfinished.write_text(text, encoding="utf-8")
        os.replace(unfinished, folder / f"{run.name}.json")
    return json.loads(text)["found"]


def _kept(run: Run, folder: Path | None) -> Any:
    path = None if folder is None else folder / f"{run.name}.json"
    if path is None or not path.exists():
        return None
    kept = json.loads(path.read_text(encoding="utf-8"))
    if kept["run"] != asdict(run):
        raise ValueError(f"expected the numbers of {asdict(run)} in {str(path)!r}, got {kept['run']}: use another folder, or remove it")
    return kept["found"]


def _in_processes(
    todo: dict[int, Run],
    measure: Measure,
    folder: Path | None,
    device: torch.device | None,
    progress: Progress | None,
    jobs: int,
    before: int,
    total: int,
) -> dict[int, Any]:
    done = CONTEXT.Array("q", max(todo) + 1)
    with workers(min(jobs, len(todo)), _begin, done) as pool:
        futures: dict[Future[Any], int] = {pool.submit(_work, i, run, measure, folder, device): i for i, run in todo.items()}
        pending = set(futures)
        while pending:
            over, pending = wait(pending, timeout=0.5, return_when=FIRST_COMPLETED)
            for future in over:
                future.result()
            if progress is not None:
                progress(f"{len(futures) - len(pending)} of {len(futures)} runs", before + sum(done[:]), total)
        return {i: future.result() for future, i in futures.items()}


def _begin(done: Any) -> None:
    """Each network gets one thread."""
    global _done
    _done = done
    torch.set_num_threads(1)


def _work(i: int, run: Run, measure: Measure, folder: Path | None, device: torch.device | None) -> Any:
    def count(stage: str, done: int, total: int) -> None:
        _done[i] = done

    found = measure_one(run, measure, folder, count, device)
    _done[i] = run.steps
    return found
