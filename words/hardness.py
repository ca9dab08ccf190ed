"""What a shortcut would get right: the exact share of words whose label follows best from less than the word."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable
from fractions import Fraction

from ..constructions.automata.automaton import Automaton
from .counting import reached
from .drawing import targets

#: pairs of letter counts and state beyond which they are not gone through
MOST_COUNTED = 200_000

#: what a shortcut looks at
FEATURES = ("length", "last letter", "letter counts")


#: (what a feature is, last state) -> how many words; None where there are too many to go through
Ways = dict[tuple[Hashable, int], int] | None


def features(automaton: Automaton, length: int) -> dict[str, Ways]:
    """For each of ``FEATURES`` how many words of a length, at least 1, show what and end in which state."""
    return {
        "length": _by_length(automaton, length),
        "last letter": _by_last_letter(automaton, length),
        "letter counts": _by_counts(automaton, length),
    }


def shortcuts(
    automaton: Automaton,
    length: int,
    over: str = "words",
    label: Callable[[int], Hashable] | None = None,
    counted: dict[str, Ways] | None = None,
) -> dict[str, Fraction | None]:
    """The share of words of a length that the best guess from one feature gets right.

    Args:
        automaton: a total automaton.
        length: of the words, at least 1.
        over: how words are drawn (``drawing.OVER``).
        label: of the last state; the state itself by default.
        counted: from :func:`features`, so that several labels share the work.

    Returns:
        feature -> exact share; None where there are too many letter counts to go through.

    Raises:
        ValueError: for a length below 1, and where no word of this length is wanted.

    Example:
        >>> from lemmata.constructions.automata.read.tasks import parity
        >>> shortcuts(parity(), 3)
        {'length': Fraction(1, 2), 'last letter': Fraction(1, 2), 'letter counts': Fraction(1, 1)}
    """
    if length < 1:
        raise ValueError(f"expected a length of at least 1, got {length}")
    named = label or (lambda q: q)
    weight = _weights(automaton, length, over)
    return {
        feature: None if ways is None else _best(ways, weight, named) for feature, ways in (counted or features(automaton, length)).items()
    }


def _weights(automaton: Automaton, length: int, over: str) -> dict[int, Fraction]:
    """The probability of each word that ends in a state."""
    ways = reached(automaton, length)
    groups = targets(automaton, ways, over)
    if not groups:
        raise ValueError(f"expected words of length {length} to be {over}, got none or only one kind: take another length, or over words")
    return {q: Fraction(1, len(groups) * sum(ways[p] for p in group)) for group in groups for q in group}


def _best(ways: dict[tuple[Hashable, int], int], weight: dict[int, Fraction], named: Callable[[int], Hashable]) -> Fraction:
    """The probability of the likeliest label, summed over what the feature can be."""
    shares: dict[Hashable, dict[Hashable, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    for (feature, q), count in ways.items():
        if q in weight:
            shares[feature][named(q)] += count * weight[q]
    return sum((max(labels.values()) for labels in shares.values()), Fraction(0))


def _by_length(automaton: Automaton, length: int) -> dict[tuple[Hashable, int], int]:
    return {(None, q): count for q, count in enumerate(reached(automaton, length))}


def _by_last_letter(automaton: Automaton, length: int) -> dict[tuple[Hashable, int], int]:
    ways: dict[tuple[Hashable, int], int] = defaultdict(int)
    for p, count in enumerate(reached(automaton, length - 1)):
        for letter, images in automaton.table.items():
            ways[letter, images[p]] += count
    return ways


def _by_counts(automaton: Automaton, length: int) -> Ways:
    """How many words have these letter counts, as one number with a digit for each letter, and end in this state."""
    n = automaton.n
    # a key is the digits times n, and the state; a letter adds to it what its digit and the change of state add
    jumps = [[(length + 1) ** i * n + q - p for p, q in enumerate(images)] for i, images in enumerate(automaton.table.values())]
    ways: dict[int, int] = {automaton.start: 1}
    for _ in range(length):
        after: dict[int, int] = defaultdict(int)
        for key, count in ways.items():
            p = key % n
            for jump in jumps:
                after[key + jump[p]] += count
        if len(after) > MOST_COUNTED:
            return None
        ways = after
    return {divmod(key, n): count for key, count in ways.items()}  # type: ignore[return-value]
