"""What the re-checker says of a forged file: which stage refuses it, or that it is accepted; within bounded time and memory."""

from __future__ import annotations

import resource
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from lemmata.theorems.recheck.exact import Rejected
from lemmata.theorems.recheck.files import MALFORMED
from lemmata.theorems.recheck.limits import metered
from lemmata.theorems.recheck.registry import RULES, stages
from lemmata.theorems.recheck.schema import parsed

SECONDS, BYTES = 10, 2**30


class OverTimeError(Exception):
    """The file was not settled in time."""


@contextmanager
def bounded(seconds: float = SECONDS) -> Iterator[None]:
    """Raise OverTimeError after so many seconds of processor time."""

    def stop(*_: Any) -> None:
        raise OverTimeError

    old = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, old)


def limit_memory() -> None:
    """At most 1 GiB more than the process has now."""
    with open("/proc/self/statm", encoding="ascii") as file:
        now = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + BYTES, resource.RLIM_INFINITY))


def outcome(claim: str, certificates: list[dict[str, Any]]) -> tuple[str, str, float]:
    """(the stage that refuses, "accepted", "time" or "memory"; why; seconds)."""
    begin = time.process_time()
    name, why = "schema", ""
    try:
        with bounded(), metered():
            for name, ask in stages(claim, certificates):  # noqa: B007  which stage it was, is asked below
                ask()
        name = "accepted"
    except Rejected as error:
        why = str(error)
    except OverTimeError:
        name, why = "time", f"{name} is not settled within {SECONDS} s"
    except MemoryError:
        name, why = "memory", f"{name} needs more than {BYTES // 2**20} MiB"
    except MALFORMED as error:
        why = f"malformed: {type(error).__name__}"
    return name, why, time.process_time() - begin


def passes_rules(certificates: list[dict[str, Any]]) -> bool:
    """Whether the data of every certificate prove what its kind says, whatever the claim demands."""
    try:
        with bounded(2), metered():
            for c in certificates:
                RULES[c["kind"]](c["data"])
    except (Rejected, OverTimeError, MemoryError, *MALFORMED):
        return False
    return True


def same(one: list[dict[str, Any]], other: list[dict[str, Any]]) -> bool:
    """The same data in any order: no forgery."""

    def contents(certificates: list[dict[str, Any]]) -> list[str]:
        return sorted(repr((c["kind"], parsed(c["data"]))) for c in certificates)

    try:
        return contents(one) == contents(other)
    except RecursionError:
        return False
