"""Where a compilation stands: the callback that everything that can take long is given.

Stages in order: ``automaton`` · (``clock`` ·) ``skeleton`` · ``cascade`` · ``layers`` · ``closing layer k of n`` · ``steps`` (of the delta rule) ·
``writing``. It is called often, so a listener has to be quick; an exception that it raises ends the compilation.
"""

from __future__ import annotations

from collections.abc import Callable

#: (stage, done, total): the stage in words, how much of it is done, out of how much; ``total`` is 0 as long as nobody knows
Advance = Callable[[str, int, int], None]


def unheard(stage: str, done: int = 0, total: int = 0) -> None:
    """The listener where nobody listens."""
