"""Why no stack of bistable layers recognises a language: words that such a stack cannot tell apart, and the language does.

Two things can be wrong with a minimal automaton, and nothing else (new.bistable.languages): a letter counts when it is repeated, or a word
permutes some states.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ..automata.automaton import Automaton
from ..automata.cascade.skeleton import Skeleton, States

Word = tuple[Hashable, ...]


@dataclass(frozen=True)
class Stutter:
    """``before letter after`` and ``before letter letter after`` are told apart: the language is not invariant under stuttering."""

    before: Word
    letter: Hashable
    after: Word
    said: tuple[str, str]

    @property
    def words(self) -> tuple[Word, Word]:
        return (*self.before, self.letter, *self.after), (*self.before, self.letter, self.letter, *self.after)

    def __str__(self) -> str:
        one, two = self.words
        return (
            f"expected a language that is invariant under stuttering, got one with {spelt(one)} {self.said[0]} and {spelt(two)} "
            f"{self.said[1]}: bistable layers do not notice that a letter is repeated"
        )


@dataclass(frozen=True)
class Period:
    """``before word^i after`` for i = 1, 2, ... is answered with period ``len(said)`` > 1, for ever: the language is not star-free."""

    before: Word
    word: Word
    after: Word
    said: tuple[str, ...]

    def __str__(self) -> str:
        parts = [spelt(self.before)] * bool(self.before) + [f"({spelt(self.word)})^i"] + [spelt(self.after)] * bool(self.after)
        answers = ", ".join(self.said)
        return (
            f"expected a star-free language, got one with {' '.join(parts)} {answers} for i = 1, ..., {len(self.said)}, and so on with period "
            f"{len(self.said)}: bistable layers count modulo nothing"
        )


def spelt(word: Sequence[Hashable]) -> str:
    """A word as text in quotation marks, letters apart if some have several characters."""
    texts = [str(x) for x in word]
    return "'" + ("" if all(len(t) == 1 for t in texts) else " ").join(texts) + "'"


def said(automaton: Automaton, q: int) -> str:
    """What a machine answers in state q, in words."""
    verdict = "accepted" if q in automaton.accepting else "rejected"
    if automaton.outputs is None:
        return verdict
    return f"answered {automaton.outputs[q]!s}" + (f" and {verdict}" if automaton.accepting else "")


def stutter(automaton: Automaton) -> Stutter | None:
    """The first letter that acts otherwise when it is repeated, in a *minimal* automaton; None if all letters act idempotently."""
    for q, before in reaching(automaton).items():
        for x, images in automaton.table.items():
            once, twice = images[q], images[images[q]]
            if once != twice:
                after = telling(automaton, once, twice)
                ends = (end(automaton, once, after), end(automaton, twice, after))
                return Stutter(before, x, after, (said(automaton, ends[0]), said(automaton, ends[1])))
    return None


def period(automaton: Automaton, found: Skeleton) -> Period | None:
    """A word that permutes states of a *minimal* automaton, from its skeleton; None if it is aperiodic."""
    for members in found.classes:
        X = members[0]
        for word in sorted(loops(found, members), key=len):
            q = next((q for q in sorted(X) if end(automaton, q, word) != q), None)
            if q is None:
                continue
            cycle = [end(automaton, q, word)]
            # the word permutes X: after at most |X| times it is back
            for _ in range(len(X) - 1):
                if cycle[-1] != q:
                    cycle.append(end(automaton, cycle[-1], word))
            after = telling(automaton, q, cycle[0])
            return Period(reaching(automaton)[q], word, after, tuple(said(automaton, end(automaton, p, after)) for p in cycle))
    return None


def loops(found: Skeleton, members: tuple[States, ...]) -> Iterable[Word]:
    """Words that carry the representative of a class to itself, enough of them to generate its holonomy group."""
    home, inside = members[0], set(members)
    there: dict[States, Word] = {home: ()}
    for X in (queue := [home]):
        for a, Y in found.image[X].items():
            if Y in inside and Y not in there:
                there[Y] = (*there[X], a)
                queue.append(Y)
    into: dict[States, list[tuple[Hashable, States]]] = {}
    for X in queue:
        for a, Y in found.image[X].items():
            into.setdefault(Y, []).append((a, X))
    back: dict[States, Word] = {home: ()}
    for Y in (homeward := [home]):
        for a, X in into.get(Y, ()):
            if X not in back:
                back[X] = (a, *back[Y])
                homeward.append(X)
    for X in queue:
        for a, Y in found.image[X].items():
            if Y in inside:
                yield (*there[X], a, *back[Y])
                yield (*there[Y], *back[Y])


def reaching(automaton: Automaton) -> dict[int, Word]:
    """A shortest word to each reachable state."""
    words: dict[int, Word] = {automaton.start: ()}
    for q in (queue := [automaton.start]):
        for x, images in automaton.table.items():
            if images[q] not in words:
                words[images[q]] = (*words[q], x)
                queue.append(images[q])
    return words


def telling(automaton: Automaton, p: int, q: int) -> Word:
    """A shortest word after which two states of a minimal automaton answer differently."""
    words: dict[tuple[int, int], Word] = {(p, q): ()}
    for pair in (queue := [(p, q)]):
        if len({(r in automaton.accepting, None if automaton.outputs is None else automaton.outputs[r]) for r in pair}) == 2:
            return words[pair]
        for x, images in automaton.table.items():
            after = (images[pair[0]], images[pair[1]])
            if after not in words:
                words[after] = (*words[pair], x)
                queue.append(after)
    raise ValueError(f"expected a minimal automaton, got one whose states {p} and {q} answer alike")


def end(automaton: Automaton, q: int, word: Iterable[Hashable]) -> int:
    """The state after a word from state q."""
    for x in word:
        q = automaton.table[x][q]
    return q


# -- with a clock ------------------------------------------------------------------------------------------------------------------

#: transformations that are looked at, all lengths together
MOST_ELEMENTS = 100_000

Map = tuple[int, ...]


@dataclass(frozen=True)
class SameLength:
    """``before x_1 ... x_m after`` with each x_i ``word`` or ``other``, which are equally long, is answered by the number of ``word``s modulo ``len(said)``.

    ``said[i]`` is the answer for i + 1 of them.
    """

    before: Word
    word: Word
    other: Word
    after: Word
    said: tuple[str, ...]

    def __str__(self) -> str:
        around = " ".join([spelt(self.before)] * bool(self.before) + ["..."] + [spelt(self.after)] * bool(self.after))
        place = f" in {around}" if self.before or self.after else ""
        return (
            f"expected a language that is star-free but for the length of words (regular in AC0), got one that counts {spelt(self.word)} and not "
            f"{spelt(self.other)}{place}: {', '.join(self.said)} for 1, ..., {len(self.said)} of them, and so on with period {len(self.said)}; "
            "no clock tells words of one length apart"
        )


@dataclass(frozen=True)
class Lengths:
    """What words of each length do to the states: ``maps[t - 1]`` those of length t, each with a word; that of length ``len(maps) + 1`` is again ``maps[again]``."""

    maps: tuple[Mapping[Map, Word], ...]
    again: int

    def permutes(self, N: int) -> bool:
        """Whether some word of a length divisible by N has a cycle of two states or more."""
        T, period = len(self.maps), len(self.maps) - self.again
        multiples = range(N, T + period * N + 1, N)
        seen = {t - 1 if t <= T else self.again + (t - 1 - self.again) % period for t in multiples}
        return any(self._cyclic[i] for i in seen)

    @cached_property
    def _cyclic(self) -> list[bool]:
        return [any(map(_cycles, maps)) for maps in self.maps]


def by_length(automaton: Automaton) -> Lengths:
    """What words of each length do. Raises ``ArithmeticError`` if that is too much to look at."""
    letters: dict[Map, Word] = {tuple(row): (x,) for x, row in reversed(list(automaton.table.items()))}
    found, seen, size = [letters], {frozenset(letters): 0}, len(letters)
    while True:
        longer: dict[Map, Word] = {}
        for f, word in found[-1].items():
            for g, letter in letters.items():
                longer.setdefault(tuple(g[q] for q in f), word + letter)
        size += len(longer)
        if size > MOST_ELEMENTS:
            raise ArithmeticError(f"expected words of each length to act in at most {MOST_ELEMENTS:,} ways, all lengths together, got more")
        if frozenset(longer) in seen:
            return Lengths(tuple(found), seen[frozenset(longer)])
        seen[frozenset(longer)] = len(found)
        found.append(longer)


def same_length(automaton: Automaton, lengths: Lengths) -> SameLength | None:
    """Two words of one length, the first of which permutes states that the second leaves alone, in a *minimal* automaton; None if there are none."""
    for words in lengths.maps:
        cycles: dict[frozenset[int], tuple[list[int], Word]] = {}
        for f, word in words.items():
            for cycle in _cycles(f):
                cycles.setdefault(frozenset(cycle), (cycle, word))
        for cycle, word in cycles.values():
            still = next((w for g, w in words.items() if all(g[q] == q for q in cycle)), None)
            if still is not None:
                q = cycle[-1]
                after = telling(automaton, q, cycle[0])
                answers = tuple(said(automaton, end(automaton, p, after)) for p in cycle)
                return SameLength(reaching(automaton)[q], word, still, after, answers)
    return None


def _cycles(f: Map) -> list[list[int]]:
    """The cycles of two states or more, each from the successor of its least state to that state."""
    found = []
    for q in range(len(f)):
        path = [f[q]]
        while path[-1] > q and len(path) <= len(f):
            path.append(f[path[-1]])
        if path[-1] == q and len(path) > 1:
            found.append(path)
    return found


def least_clock(lengths: Lengths) -> int:
    """The least N for which no word of a length divisible by N permutes states; given that :func:`same_length` found nothing, there is one."""
    return next(N for N in range(1, 2 * len(lengths.maps) + 1) if not lengths.permutes(N))
