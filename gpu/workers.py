"""Who computes a sweep: this process, some processes of this machine, or a Dask cluster. Each gives an ``Executor``, or None for this process.

Workers import this module and what computes, but not what reads and writes, which takes as long again.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping
from concurrent.futures import CancelledError, Executor
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from typing import Any

import numpy as np

from ..numerics.processes import require_jobs, workers
from .devices import choose, made_with, stay_on_one_thread
from .grid import Grid


def rows_of(grid: Grid, index: int, device: str, made: Mapping[str, str]) -> np.ndarray:
    """A piece, in a worker. Raises ``ValueError`` if the worker is another kind of machine than the one that began the sweep."""
    stay_on_one_thread(device)
    on = choose(device)
    here = made_with(on)
    if here != made:
        differing = "; ".join(f"{name} {made.get(name)!r} there, {here[name]!r} here" for name in here if here[name] != made.get(name))
        raise ValueError(f"expected workers with the code, versions, processor and device that began the sweep, got {differing}")
    return grid.rows(index, on)


@contextmanager
def processes(jobs: int) -> Iterator[Executor | None]:
    """``jobs`` processes, none but this one if jobs = 1. Raises ``ValueError`` as ``require_jobs``, and if a worker dies."""
    if jobs == 1:
        yield None
        return
    with workers(jobs) as pool:
        yield pool


@contextmanager
def dask(address: str, jobs: int | None = None) -> Iterator[Executor]:
    """The workers of the Dask scheduler at ``address``, or of a cluster of this machine for "local": ``jobs`` of one thread each, or one for each core.

    What a dead worker had is done by another one. Raises ``ValueError`` if distributed is not installed, the scheduler cannot be reached or is lost,
    or pieces kill one worker after another.
    """
    if find_spec("distributed") is None:
        raise ValueError("expected the package distributed, which is not installed (extra dask); --jobs N takes processes of this machine")
    if address != "local" and jobs is not None:
        raise ValueError(f"expected --jobs for this machine's workers only, got {jobs} with --dask {address}")
    from distributed import Client, KilledWorker, LocalCluster

    stored = "finished pieces are stored: run the same command again"
    with ExitStack() as stack:
        # what goes wrong is reported in one line below
        for handler in logging.getLogger("distributed").handlers:
            stack.callback(handler.setLevel, handler.level)
            handler.setLevel(logging.CRITICAL)
        if address == "local":
            n = require_jobs(jobs or os.cpu_count() or 1)
            nowhere: Any = None  # Dask documents None for no dashboard, which its default value does not show
            local = LocalCluster(n_workers=n, threads_per_worker=1, processes=True, dashboard_address=nowhere)
            scheduler = stack.enter_context(local)
        else:
            scheduler = address
        try:
            client = stack.enter_context(Client(scheduler, timeout="10s", set_as_default=False))
        except (OSError, ValueError) as error:
            raise ValueError(f"expected a Dask scheduler such as tcp://HOST:8786, or local, got {address!r} ({error})") from None
        try:
            yield client.get_executor(pure=False)
        except KilledWorker as error:
            raise ValueError(
                f"expected workers that live, got some that died, one after another (out of memory?); {stored} ({error})"
            ) from None
        except CancelledError:
            raise ValueError(f"expected the Dask scheduler {address!r} to live, got none any more; {stored}") from None
