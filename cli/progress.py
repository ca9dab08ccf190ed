"""How far a command is, on standard error."""

from __future__ import annotations

import threading
from time import monotonic
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from .console import err
from .interrupts import again

#: a command that is done within so many seconds prints no stage
PATIENCE = 2.0

#: where standard error is no terminal: at most one line in so many seconds
PAUSE = 10.0


class progress:
    """A progress bar with ETA on standard error, for the time of a ``with`` block; silent if standard error is no terminal."""

    def __init__(self, what: str, total: int):
        text = TextColumn("{task.description}", markup=False)
        columns = (text, BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
        self.bar = Progress(*columns, console=err, transient=True, disable=not err.is_terminal)
        self.task = self.bar.add_task(what, total=total)
        self.what = what

    def __enter__(self) -> Any:
        self.bar.start()
        return self

    def __call__(self, stage: str, done: float | None = None, total: int = 0) -> None:
        """A ``Progress`` of ``numerics.progress``; without ``done`` one more step, without ``total`` out of as many as before."""
        again()
        step: dict[str, Any] = {"advance": 1} if done is None else {"completed": done}
        step |= {"total": total} if total else {}
        self.bar.update(self.task, description=f"{self.what} {stage}", **step)

    def __exit__(self, *exception: object) -> None:
        self.bar.stop()


class stages:
    """The stage that a command is in, how far, and for how much longer, on standard error: from the third second on, for a ``with`` block.

    A line that is rewritten on a terminal; elsewhere a line for each new stage and every ten seconds. It is a ``Progress`` of
    ``numerics.progress`` that only remembers; a thread of its own prints, also between two calls.
    """

    def __init__(self, patience: float = PATIENCE, pause: float = PAUSE):
        self.patience, self.pause = patience, pause
        self.stage, self.done, self.total, self.since = "starting", 0, 0, monotonic()
        self.over = threading.Event()
        self.printer = threading.Thread(target=self._print, daemon=True)

    def __enter__(self) -> stages:
        self.printer.start()
        return self

    def __call__(self, stage: str, done: int = 0, total: int = 0) -> None:
        again()
        if stage != self.stage:
            self.since = monotonic()
        self.stage, self.done, self.total = stage, done, total

    def __exit__(self, *exception: object) -> None:
        self.over.set()
        self.printer.join()

    def __str__(self) -> str:
        stage, done, total, seconds = self.stage, self.done, self.total, monotonic() - self.since
        if not done:
            return f"{stage}, {seconds:.0f} s"
        if not 0 < done <= total:
            return f"{stage}: {done:,} so far, {seconds:.0f} s"
        return f"{stage}: {done:,} of {total:,}, {seconds:.0f} s, about {seconds * (total - done) / done:.0f} s left"

    def _print(self) -> None:
        if self.over.wait(self.patience):
            return
        if err.is_terminal:
            with err.status(str(self)) as line:
                while not self.over.wait(0.25):
                    line.update(str(self))
            return
        printed, at = None, 0.0
        while True:
            if self.stage != printed or monotonic() - at >= self.pause:
                err.print(str(self), soft_wrap=True)
                printed, at = self.stage, monotonic()
            if self.over.wait(0.25):
                return
