"""A progress bar on standard error."""

from __future__ import annotations

from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from .console import err


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
        return self.advance

    def advance(self, name: str, completed: float | None = None, total: int | None = None) -> None:
        """One more step done, or ``completed`` of them altogether, out of ``total`` if that is known only now."""
        step = {"advance": 1} if completed is None else {"completed": completed}
        step |= {} if total is None else {"total": total}
        self.bar.update(self.task, description=f"{self.what} {name}", **step)

    def __exit__(self, *exception: object) -> None:
        self.bar.stop()
