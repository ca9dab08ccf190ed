"""The ladder of classes that the page "Type a language" and the slide about a language draw: properties of this room, the largest class first."""

from __future__ import annotations

Rung = tuple[str, ...]

#: levels of rungs; a rung is the languages that have all of its properties. Each lies in a rung of the level above, and the first rung in the first one:
#: these first rungs are the one way up that a slide has room for
LADDER: tuple[tuple[Rung, ...], ...] = (
    ((),),
    (("solvable",),),
    (("periods-powers-of-2",), ("clocked",)),
    (("aperiodic",),),
    (("aperiodic", "stutter-invariant"), ("definite",), ("r-trivial",)),
    (("order-of-last-occurrences",),),
    (("last-letter",),),
)

#: the first rung of each level
WAY: tuple[Rung, ...] = tuple(level[0] for level in LADDER)
