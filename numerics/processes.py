"""Worker processes that end with their parent: Ctrl-C is the parent's alone, and a worker that died is reported in a line."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children, get_context
from time import sleep
from typing import Any

#: a fresh interpreter each, which is safe whatever threads or GPU contexts the caller has
CONTEXT = get_context("spawn")


#: processes at most, on a machine with few cores; with more cores, four to a core
MOST_JOBS = 64


def require_jobs(jobs: int) -> int:
    """``jobs``, if so many processes can be started. Raises ``ValueError`` for fewer than 1 and more than 64 or four to a core."""
    most = max(MOST_JOBS, 4 * (os.cpu_count() or 1))
    if jobs < 1:
        raise ValueError(f"expected at least 1 job, got {jobs}")
    if jobs > most:
        raise ValueError(
            f"expected at most {most} jobs on this machine, got {jobs}: take about one for each of its {os.cpu_count() or 1} cores"
        )
    return jobs


@contextmanager
def workers(jobs: int, begin: Callable[..., None] | None = None, *arguments: Any) -> Iterator[Executor]:
    """``jobs`` processes, for a ``with`` block; ``begin(*arguments)`` runs first in each of them, and may be given what ``CONTEXT`` shares.

    If the block is left by an exception they are ended at once. Raises ``ValueError`` as :func:`require_jobs`, and if a worker dies.
    """
    require_jobs(jobs)
    others = set(active_children())
    pool = ProcessPoolExecutor(jobs, mp_context=CONTEXT, initializer=_begin, initargs=(begin, arguments))
    try:
        yield pool
    except BrokenExecutor:
        raise ValueError(
            "expected workers that live, got one that died (killed, or out of memory); finished work is stored: run the same command again, or with fewer --jobs"
        ) from None
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        # the pool's own thread first forgets what was cancelled, or it complains when the workers are gone
        sleep(0.2)
        for worker in set(active_children()) - others:
            worker.terminate()
        raise
    finally:
        pool.shutdown()


def _begin(begin: Callable[..., None] | None, arguments: tuple[Any, ...]) -> None:
    """Ctrl-C reaches every process of a terminal; only the parent acts on it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if begin is not None:
        begin(*arguments)
