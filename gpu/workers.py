"""Who computes a sweep: this process, some processes of this machine, or a Dask cluster. Each gives an ``Executor``, or None for this process."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children, get_context


@contextmanager
def processes(jobs: int) -> Iterator[Executor | None]:
    """``jobs`` processes, none but this one if jobs = 1. Raises ``ValueError`` for jobs < 1, and if a worker dies."""
    if jobs < 1:
        raise ValueError(f"expected at least 1 job, got {jobs}")
    if jobs == 1:
        yield None
        return
    others = set(active_children())
    # spawn: a fresh interpreter each, which is safe whatever threads or GPU contexts the caller has
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_ignore_interrupts)
    try:
        yield pool
    except BrokenExecutor:
        raise ValueError(
            "expected workers that live, got one that died (killed, or out of memory); what is done is kept: run the same command again, or with fewer --jobs"
        ) from None
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for worker in set(active_children()) - others:
            worker.terminate()
        raise
    finally:
        pool.shutdown()


def _ignore_interrupts() -> None:
    """Ctrl-C reaches every process of a terminal; only the parent acts on it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
