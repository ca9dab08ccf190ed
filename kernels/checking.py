"""A kernel held to the vectors of a rule in memory: what :func:`lemmata.check` runs, and what the table of implementations is made of."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ..numerics.progress import Progress, silent
from .exact_vectors import difference, runs
from .vectors import VECTORS, vector
from .writing import contents

#: (q, k, v, beta, g, h0, scale, cu_seqlens, micro, normalise) -> (outputs, final state or None); see ``exact_vectors``
Kernel = Callable[..., tuple[Any, Any]]


class NotTaken(NotImplementedError):
    """The interface of an implementation has no place for an input."""


@dataclass(frozen=True)
class Feature:
    """What one vector showed.

    ``runs`` calls were made and compared; in ``states`` of them the kernel returned a final state. ``wrong`` says what is wrong, with the earliest
    wrong step over all calls, ``step`` is that step (None for a final state, a shape or an error), ``size`` the largest error, ``where`` the call.
    ``untaken`` says why nothing was run.
    """

    name: str
    required: bool
    runs: int = 0
    states: int = 0
    wrong: str = ""
    step: int | None = None
    size: float = 0.0
    where: str = ""
    untaken: str = ""

    @property
    def line(self) -> str:
        """The fault in a line."""
        return f"{self.name}: {self.wrong}{f' ({self.where})' if self.where else ''}"


def chosen(rule: str, dtype: str, features: Iterable[str] | None = None, stress: bool = False) -> list[tuple[str, bool]]:
    """The features of a rule to be run, and whether each is required in a format."""
    known = {feature: dtype in plan.formats for (of, feature), plan in VECTORS.items() if of == rule}
    if features is None:
        return [(name, required) for name, required in known.items() if required or stress]
    return [(name, known[name]) for name in known if name in set(features)]


def checked(
    kernel: Kernel,
    rule: str,
    dtype: str,
    features: Iterable[str] | None = None,
    *,
    stress: bool = False,
    splits: bool = True,
    lengths: Collection[int] | None = None,
    progress: Progress = silent,
) -> Iterator[Feature]:
    """Run a kernel on the vectors of a rule, feature by feature.

    With ``lengths``: only calls of that many steps, and a state handed on after that many if no more than the largest of them are left. Packed
    sequences are run in any case.
    """
    asked = chosen(rule, dtype, features, stress)
    for done, (name, required) in enumerate(asked, 1):
        yield _feature(kernel, _contents(rule, name), name, required, splits, lengths)
        progress(f"{rule}, {name}", done, len(asked))


@lru_cache(maxsize=24)
def _contents(rule: str, feature: str) -> dict[str, Any]:
    """A vector's arrays, kept while a rule is run in several formats."""
    return contents(vector(rule, feature))


def _feature(kernel: Kernel, x: dict[str, Any], name: str, required: bool, splits: bool, lengths: Collection[int] | None) -> Feature:
    count = states = 0
    worst: tuple[tuple[str, int | None, float], str] | None = None
    untaken = "no call of these lengths"
    for where, first, inputs, wanted, final in runs(x, splits):
        if lengths is not None and inputs["cu_seqlens"] is None and not _asked(first, wanted.shape[1], lengths):
            continue
        try:
            o, state = kernel(**inputs)
        except NotImplementedError as why:
            untaken = str(why) or "not implemented"
            continue
        except Exception as error:
            # an error is a fault like any other: it is told, and the other features are still run
            return Feature(
                name, required, count, states, wrong=f"raises {type(error).__name__}: {_one_line(error)}", size=float("inf"), where=where
            )
        count, states = count + 1, states + (state is not None)
        wrong = difference(o, state, wanted, final, first)
        if wrong and (worst is None or _earlier(wrong[1], worst[0][1])):
            worst = wrong, where
    if not count:
        return Feature(name, required, untaken=untaken)
    if worst is None:
        return Feature(name, required, count, states)
    (what, step, size), where = worst
    return Feature(name, required, count, states, what, step, size, where)


def _asked(first: int, steps: int, lengths: Collection[int]) -> bool:
    return (first in lengths and steps <= max(lengths)) if first else steps in lengths


def _earlier(step: int | None, other: int | None) -> bool:
    return step is not None and (other is None or step < other)


def _one_line(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text if len(text) <= 120 else f"{text[:117]}..."


def diagnosis(found: Iterable[Feature]) -> str | None:
    """The most telling fault in a line; None if there is none.

    A chunk's border: no fault before some multiple of 16, one at that step, and every other within the 16 steps from there, since a query need not
    read at once what is wrong. Otherwise the plainest feature: a kernel that fails on a plain write fails on most others too.
    """
    wrong = [f for f in found if f.wrong]
    if not wrong:
        return None
    steps = [f.step for f in wrong if f.step is not None]
    if len(steps) == len(wrong) > 1 and min(steps) > 0 and min(steps) % 16 == 0 and max(steps) < min(steps) + 16:
        border = min((f for f in wrong if f.step == min(steps)), key=lambda f: f.name != "chunk border")
        return f"chunk border: {border.wrong}; all {len(wrong)} faults begin at steps {min(steps)} to {max(steps)}"
    return min(wrong, key=lambda f: PLAIN.index(f.name) if f.name in PLAIN else len(PLAIN)).line


#: features of a kernel from the plainest on; the others need most of these
PLAIN = (
    "write",
    "hold",
    "swap",
    "negative eigenvalue",
    "long keys",
    "unit keys",
    "gate 1",
    "gate 0",
    "gate one half",
    "scale",
    "initial state",
    "norm in the kernel",
    "batch",
    "grouped heads",
    "packed sequences",
    "several tiles",
    "left padding",
    "chunk border",
    "long",
)
