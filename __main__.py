"""``python -m lemmata``, and the command ``lemmata``."""

from __future__ import annotations

import os
import signal
import sys
from typing import Any


def stopped(*_: Any) -> None:
    """The handler of SIGINT while the command line is imported, when nothing is done that could be kept."""
    os._exit(130)


def main() -> None:
    """The command line; an interrupt before it is there ends the process without a word, exit code 130."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, stopped)
    from .cli import main as command_line

    sys.exit(command_line())


if __name__ == "__main__":
    main()
