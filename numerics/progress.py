"""How far a long computation is: the one callback that everything that can take long accepts, as an argument named ``progress``.

It is called as ``progress(stage, done, total)``: the stage in words, how much of it is done, out of how much; ``total`` is 0 as long as nobody knows.
It is called often, so it has to be quick. An exception that it raises ends the computation.

A compilation has the stages ``automaton`` · (``clock`` ·) ``skeleton`` · ``cascade`` · ``layers`` · ``closing layer k of n`` · ``steps`` (of the delta
rule) · ``writing``.
"""

from __future__ import annotations

from collections.abc import Callable

#: (stage, done, total)
Progress = Callable[[str, int, int], None]


def silent(stage: str, done: int = 0, total: int = 0) -> None:
    """The callback that reports to nobody."""
