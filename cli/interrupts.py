"""Ctrl-C that cannot get lost: a library with a bare ``except`` can swallow ``KeyboardInterrupt`` and compute on, wrongly."""

from __future__ import annotations

import signal
from types import FrameType
from typing import Any

#: whether one came since the command began
_came = False


def remember() -> Any:
    """From now on interrupts are remembered, and none has come; the handler of SIGINT until now, for who wants it back."""
    global _came
    _came = False
    return signal.signal(signal.SIGINT, _heard)


def came() -> bool:
    """Whether one came since :func:`remember`."""
    return _came


def again() -> None:
    """Raise ``KeyboardInterrupt`` if one came: called before a result is stored, and at every report of progress."""
    if _came:
        raise KeyboardInterrupt


def _heard(number: int, frame: FrameType | None) -> None:
    global _came
    _came = True
    raise KeyboardInterrupt


class Terminated(BaseException):
    """The signal SIGTERM: like an interrupt, it stops the workers and keeps what was done."""


def terminated(*_: Any) -> None:
    """The handler of SIGTERM."""
    raise Terminated
