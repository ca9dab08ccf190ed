"""What is known of a program and an automaton: every way to look at it, and one verdict.

The weights as they are come first: closed exactly, enclosed with every order of sums, boxed, rounded in one named order. Then exact weights near by. And the
network is run, which can show that it is wrong and no more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from math import log

import numpy as np
from flint import arb

from ....numerics.progress import Progress, silent
from .certifying import MOST_WORDS, Certificate, Machine, Task, rounded
from .enclosing import BITS, Enclosed, decided, precision
from .invariant_boxes import boxed
from .nearby_programs import NearbyProgram, near
from .program_orbits import ONE_ORDER, Finding, Target, closed, closed_in_order, exact_answer, format_of
from .programs import CURVES, Program, affine_maps
from .trained_weights import Decision, Undecided

#: answers (batch, length) after every letter of words (batch, length) of letter numbers, as the module itself gives them
Run = Callable[[np.ndarray], np.ndarray]

#: where a run says nothing, as a module that answers after the last letter alone
UNSAID = -2
#: radii of balls around a state, in powers of two, among which the margin is found
RADII = range(4, -25, -1)
#: words of one letter are run so far
LONG_RUN = 4096


@dataclass(eq=False)
class ProgramLayer:
    """An affine program as a layer that can be rounded: ``certifying.Layer``."""

    program: Program
    A: np.ndarray
    B: np.ndarray
    initial: np.ndarray

    def __post_init__(self) -> None:
        self._enclosed = Enclosed(self.program, None)

    @property
    def width(self) -> int:
        return len(self.initial)

    def decide(self, state: np.ndarray, letter: int) -> Decision:
        """The answer in a state that is given within a relative 2^-52 or 2^-60, and how far the state may be off: a power of two."""
        with precision(BITS):
            best = self._answer(state, letter, np.abs(state) * 2.0**-52 + 2.0**-60)
            if best is None:
                raise Undecided("two answers score alike")
            free, bound = 0, len(RADII)
            # the largest radius that leaves the answer, by bisection
            while free < bound:
                middle = (free + bound) // 2
                free, bound = (
                    (free, middle)
                    if self._answer(state, letter, np.full(len(state), 2.0 ** RADII[middle])) == best
                    else (middle + 1, bound)
                )
            room = 2.0 ** RADII[free] if free < len(RADII) else 0.0
        return Decision(best, room, room)

    def _answer(self, state: np.ndarray, letter: int, radius: np.ndarray) -> int | None:
        ball = [arb(float(x)) + arb(0, float(r)) for x, r in zip(state, radius, strict=True)]
        return decided(self._enclosed.scores(ball, letter))


@dataclass(frozen=True)
class Ran:
    """A network run on all words of ``short`` letters, random ones of ``long``, and long runs of one letter; ``word`` is one on which it is wrong."""

    of: str
    short: int
    long: int
    word: tuple[int, ...] | None = None
    says: int | None = None
    expected: int | None = None


@dataclass
class Verdicts:
    """All that was found. ``nearby`` is what became of exact weights near by, None if the next state is neither affine in the state nor a ReLU of that."""

    program: Program
    target: Target
    findings: list[Finding] = field(default_factory=list)
    runs: list[Ran] = field(default_factory=list)
    nearby: Certificate | NearbyProgram | None = None

    def verdict(self, of: str = "all") -> str:
        """ "wrong" on a word, "right" at every length, or "open".

        Of all: wrong if anything shows the weights as they are to be wrong; else right if something closes. Of "nearby" exact weights, or of the "weights"
        as they are, only what is about them counts.
        """
        near = "open" if self.nearby is None else self.nearby.verdict
        if of == "nearby":
            return near
        if self.wrong() is not None:
            return "wrong"
        right = any(f.verdict == "right" for f in self.findings) or (of == "all" and near == "right")
        return "right" if right else "open"

    def wrong(self) -> Finding | Ran | None:
        """What shows that the weights as they are are wrong on a word; the shortest word."""
        found = [x for x in (*self.findings, *self.runs) if x.word is not None]
        return min(found, key=lambda x: len(x.word or ()), default=None)

    @property
    def proved(self) -> Finding | None:
        """What says most: the first way in which the weights as they are are right at every length."""
        return next((f for f in self.findings if f.verdict == "right"), None)

    @property
    def right_to(self) -> int:
        """Letters up to which the weights as they are are right on every word, proved in exact arithmetic or with every order of sums."""
        lengths = [f.right_to for f in self.findings if f.way != ONE_ORDER]
        if isinstance(self.nearby, Certificate) and self.nearby.verdict == "right" and self.nearby.unrounded is not None:
            lengths.append(int(min(self.nearby.unrounded, 10**18)))
        return max(lengths, default=0)


def certified(
    program: Program, target: Target, tolerance: float = 0.25, limit: int = 10_000, run: Run | None = None, progress: Progress = silent
) -> Verdicts:
    """Look at a program in every way, until the weights as they are are known to be right or wrong.

    ``run`` is the module itself. Raises ``ValueError`` if the target has other letters or more answers.
    """
    letters, answers = len(target.automaton.letters), program.answers
    if program.letters != letters or not -1 <= max(target.labels) < answers:
        raise ValueError(
            f"expected weights for {letters} letters and {max(target.labels) + 1} answers, got {program.letters} and {answers}: another task, or other letters?"
        )
    found, form = Verdicts(program, target), format_of(program)
    progress("running", 0, 0)
    found.runs.append(ran(program.run, target, "what was read of the weights, in float64"))
    if run is not None:
        found.runs.append(ran(run, target, f"the module itself, in {program.dtype}"))
    wrong = found.wrong()
    ways: list[Callable[[], Finding | None]] = [lambda: closed(program, target, form, limit, progress)]
    if not any(op.name in CURVES for op in program.ops):
        ways.append(lambda: closed(program, target, None, limit, progress))
    affine = affine_maps(program)
    if affine is None or _forgets(affine[0]):
        ways += [lambda: boxed(program, target, form, progress), lambda: boxed(program, target, None, progress)]
    ways.append(lambda: closed_in_order(program, target, form, limit, progress))
    # a word on which exact arithmetic is wrong leaves nothing to prove
    for way in ways if wrong is None or exact_answer(program, wrong.word or (), None) != wrong.says else ():
        finding = way()
        if finding is not None:
            found.findings.append(finding)
            if finding.verdict != "open":
                break
    # what rounds exactly needs no other weights
    if found.proved is None:
        rounded_cell = near if affine is None else partial(_nearby, affine)
        found.nearby = rounded_cell(program, target, tolerance, limit, progress)
    return found


def _forgets(A: np.ndarray) -> bool:
    """Whether every letter makes errors smaller in the end: no boxes hold what keeps them."""
    return bool(np.isfinite(A).all()) and float(np.abs(np.linalg.eigvals(A)).max()) < 1 - 1e-7


def _nearby(
    maps: tuple[np.ndarray, np.ndarray], program: Program, target: Target, tolerance: float, limit: int, progress: Progress
) -> Certificate | None:
    layer = ProgramLayer(program, *maps, program.first)
    if not all(np.isfinite(x).all() for x in maps):
        return None
    try:
        layer.decide(program.first, 0)
    except ValueError:
        # scores that read the state before the letter are no decoder's
        return None
    except Undecided:
        pass
    task = Task([layer], np.arange(program.answers), target.automaton, target.labels, tolerance)
    return rounded(task, Machine(program.front), limit, progress)


def ran(run: Run, target: Target, of: str, long: int = 256, count: int = 64) -> Ran:
    """Run a network on all words up to a length, some random ones, and words of one letter up to ``LONG_RUN``, seeded; the first on which it is wrong."""
    rows, labels = np.array(target.rows), np.array(target.labels)
    size = len(rows)
    short = max(1, int(log(MOST_WORDS) / log(size) + 1e-9)) if size > 1 else 1
    rng = np.random.default_rng(0)
    families = [
        np.indices((size,) * short).reshape(short, -1).T,
        rng.integers(size, size=(count, long)),
        np.repeat(np.arange(size)[:, None], LONG_RUN, axis=1)[: min(size, 16)],
    ]
    for words in families:
        expected, q = np.empty_like(words), np.full(len(words), target.automaton.start)
        for t in range(words.shape[1]):
            q = rows[words[:, t], q]
            expected[:, t] = labels[q]
        says = run(words)
        wrong = (says != expected) & (expected >= 0) & (says != UNSAID)
        if wrong.any():
            t = int(wrong.any(0).argmax())
            i = int(wrong[:, t].argmax())
            return Ran(of, short, long, tuple(map(int, words[i, : t + 1])), int(says[i, t]), int(expected[i, t]))
    return Ran(of, short, long)


def standing(program: Program, word: tuple[int, ...], says: int | None) -> str:
    """How far an answer after a word stands: in exact arithmetic, with every order of sums, or only where it was run."""
    found = []
    if len(word) <= LONG_RUN:
        if exact_answer(program, word, None) == says:
            found.append("in exact arithmetic")
        if exact_answer(program, word, format_of(program)) == says:
            found.append(f"in {program.dtype} with every order of sums")
    return " and ".join(found)
