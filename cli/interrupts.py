"""Ctrl-C that cannot get lost."""

from __future__ import annotations

import signal
from types import FrameType
from typing import Any


class interrupts:
    """Remembers an interrupt, for a ``with`` block: a library with a bare ``except`` can swallow ``KeyboardInterrupt`` and compute on, wrongly."""

    def __enter__(self) -> interrupts:
        self.came = False
        self.before: Any = signal.signal(signal.SIGINT, self._heard)
        return self

    def __exit__(self, *exception: object) -> None:
        signal.signal(signal.SIGINT, self.before)

    def again(self) -> None:
        """Raise ``KeyboardInterrupt`` if one came."""
        if self.came:
            raise KeyboardInterrupt

    def _heard(self, number: int, frame: FrameType | None) -> None:
        self.came = True
        raise KeyboardInterrupt
