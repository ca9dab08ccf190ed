"""What ties of several topics share: no construction, no reference of one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any


def refuses(function: Any, *given: Any) -> bool:
    """Whether a call raises ``ValueError``."""
    try:
        function(*given)
    except ValueError:
        return True
    return False


def spread(start: list[Any], after: Callable[[Any], Iterable[Any]]) -> list[Any]:
    """What steps reach from some starts, breadth first, each once."""
    found = dict.fromkeys(start)
    waiting = list(found)
    for x in waiting:
        for y in after(x):
            if y not in found:
                found[y] = None
                waiting.append(y)
    return waiting
