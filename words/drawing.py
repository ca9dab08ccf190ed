"""Words of one length, drawn uniformly: over all words, over those with a given last state, or over accepted or rejected words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import pairwise

import numpy as np

from ..constructions.automata.automaton import Automaton
from .counting import reached, transitions, words_to

#: what is uniform: the word; the last state; the word among accepted ones; acceptance, half of the words each way
OVER = ("words", "states", "accepted", "balanced")

#: words that are drawn are thrown away if at least one in so many is wanted
MOST_REJECTED = 8

#: words that are drawn at a time
ROWS = 2**16

#: words that run side by side: their states stay in the cache
BLOCK = 2**12

#: up to so many words a word is drawn by its number, in 64-bit integers and exactly
MOST_NUMBERED = 2**62


def run(automaton: Automaton, letters: np.ndarray) -> np.ndarray:
    """The state after every letter.

    Args:
        automaton: a total automaton.
        letters: indices of letters, shape (count, length).

    Returns:
        States, of the same shape.

    Example:
        >>> from lemmata.constructions.automata.read.tasks import parity
        >>> run(parity(), np.array([[1, 0, 1]])).tolist()
        [[1, 1, 0]]
    """
    states = np.empty(letters.shape, dtype=transitions(automaton).dtype)
    for i in range(0, len(letters), BLOCK):
        for t, q in enumerate(_steps(automaton, letters[i : i + BLOCK])):
            states[i : i + BLOCK, t] = q
    return states


def last_states(automaton: Automaton, letters: np.ndarray) -> np.ndarray:
    """The state after each word, shape (count,)."""
    last = np.full(len(letters), automaton.start, dtype=np.intp)
    for i in range(0, len(letters), BLOCK):
        for q in _steps(automaton, letters[i : i + BLOCK]):
            last[i : i + BLOCK] = q
    return last


def _steps(automaton: Automaton, letters: np.ndarray) -> Iterator[np.ndarray]:
    """The states of all words after one letter, after two, and so on."""
    flat, q = transitions(automaton).astype(np.intp).ravel(), np.full(len(letters), automaton.start, dtype=np.intp)
    for column in np.ascontiguousarray(letters.T):
        q = flat[column * np.intp(automaton.n) + q]
        yield q


def draw(automaton: Automaton, length: int, count: int, rng: np.random.Generator, over: str = "words") -> np.ndarray:
    """``count`` independent words of a length; a word may come twice.

    Over "states" each last state that some word of this length reaches is equally likely, and each word that ends there. Over "balanced" acceptance
    and rejection are equally likely.

    Args:
        automaton: a total automaton.
        length: at least 0.
        count: at least 0.
        rng: the source of randomness.
        over: one of ``OVER``.

    Returns:
        Indices of letters, shape (count, length).

    Raises:
        ValueError: where no word of this length is wanted, naming what is missing.
    """
    groups = targets(automaton, reached(automaton, length), over)
    if not groups:
        raise ValueError(f"expected words of length {length} to be {over}, got none or only one kind: take another length, or over words")
    shares = np.bincount(rng.integers(len(groups), size=count), minlength=len(groups))
    parts = ending_in_each(automaton, groups, length, shares.tolist(), rng)
    return np.concatenate(parts)[rng.permutation(count)]


def ending_in_each(
    automaton: Automaton, groups: list[set[int]], length: int, counts: list[int], rng: np.random.Generator
) -> list[np.ndarray]:
    """:func:`ending_in` for disjoint groups of states, so many words for each; what is drawn for one is not thrown away if it serves another."""
    ways = reached(automaton, length)
    total, sizes = sum(ways), [sum(ways[q] for q in group) for group in groups]
    # so many draws for each word that is wanted, at most
    cost = max((Fraction(n * total, size) for n, size in zip(counts, sizes, strict=True) if n), default=Fraction(0)) / max(sum(counts), 1)
    if len(groups) == 1 or total <= MOST_NUMBERED or cost > MOST_REJECTED:
        return [ending_in(automaton, group, length, n, rng) for group, n in zip(groups, counts, strict=True)]
    group_of = np.full(automaton.n, -1)
    for g, group in enumerate(groups):
        group_of[list(group)] = g
    found: list[list[np.ndarray]] = [[_empty(automaton, 0, length)] for _ in groups]
    missing = list(counts)
    while any(missing):
        words = _any(automaton, length, min(ROWS, 2 * sum(missing) + 16), rng)
        where = group_of[last_states(automaton, words)]
        for g, n in enumerate(missing):
            if n:
                found[g].append(words[np.flatnonzero(where == g)[:n]])
                missing[g] -= len(found[g][-1])
    return [np.concatenate(parts) for parts in found]


def targets(automaton: Automaton, ways: list[int], over: str) -> list[set[int]]:
    """The sets of last states that are equally likely, where ``ways`` words end in each state; none if acceptance or rejection is wanted and missing.

    Raises ``ValueError`` for an unknown choice.
    """
    if over not in OVER:
        raise ValueError(f"expected one of {', '.join(OVER)}, got {over!r}")
    live = {q for q, count in enumerate(ways) if count}
    accepted, rejected = live & automaton.accepting, live - automaton.accepting
    if over == "words":
        return [live]
    if over == "states":
        return [{q} for q in sorted(live)]
    wanted = [accepted] if over == "accepted" else [accepted, rejected]
    return wanted if all(wanted) else []


def ending_in(automaton: Automaton, wanted: Iterable[int], length: int, count: int, rng: np.random.Generator) -> np.ndarray:
    """Independent uniform words among those that end in a set of states, shape (count, length).

    Exact where there are at most 2^62 of them, and where they are a good share of all words; else the probability of each letter, given those
    before it, is right to 2^-40.
    """
    wanted = frozenset(wanted)
    ways = reached(automaton, length)
    there, total = sum(ways[q] for q in wanted), sum(ways)
    if not count:
        return _empty(automaton, 0, length)
    if there <= MOST_NUMBERED:
        return numbered(automaton, words_to(automaton, wanted, length), rng.integers(there, size=count))
    if there == total:
        return _any(automaton, length, count, rng)
    if there * MOST_REJECTED >= total:
        return _by_rejection(automaton, wanted, length, count, rng)
    return _by_shares(automaton, words_to(automaton, wanted, length), count, rng)


def numbered(automaton: Automaton, left: list[list[int]], numbers: np.ndarray) -> np.ndarray:
    """The words with these numbers, in the order of the dictionary, among those that ``left`` counts (:func:`counting.words_to`)."""
    table = np.array([automaton.table[x] for x in automaton.letters])
    letters = _empty(automaton, len(numbers), len(left) - 1)
    q, rest = np.full(len(numbers), automaton.start, dtype=np.intp), numbers.astype(np.int64)
    for t, after in enumerate(reversed(left[:-1])):
        # counts beyond the limit belong to states that no wanted word meets here
        ahead = np.array([min(c, MOST_NUMBERED) for c in after], dtype=np.int64)[table].T
        below = np.zeros_like(ahead)
        np.cumsum(ahead[:, :-1], axis=1, out=below[:, 1:])
        x = np.zeros(len(numbers), dtype=np.intp)
        for letter in range(1, len(table)):
            x += rest >= below[q, letter]
        # of letters that leave no word the last one stands at the same count: step back to the one that leaves some
        while (stuck := ahead[q, x] == 0).any():
            x[stuck] -= 1
        rest = rest - below[q, x]
        letters[:, t] = x
        q = table[x, q]
    return letters


def _any(automaton: Automaton, length: int, count: int, rng: np.random.Generator) -> np.ndarray:
    """Independent uniform words."""
    return rng.integers(len(automaton.letters), size=(count, length), dtype=_empty(automaton, 0, 0).dtype)


def _by_rejection(automaton: Automaton, wanted: frozenset[int], length: int, count: int, rng: np.random.Generator) -> np.ndarray:
    """Uniform words until enough of them end in a wanted state."""
    parts, missing, good = [], count, np.isin(np.arange(automaton.n), list(wanted))
    while missing:
        words = _any(automaton, length, min(ROWS, 2 * missing + 16), rng)
        parts.append(words[good[last_states(automaton, words)]][:missing])
        missing -= len(parts[-1])
    return np.concatenate(parts)


def _by_shares(automaton: Automaton, left: list[list[int]], count: int, rng: np.random.Generator) -> np.ndarray:
    """Each letter with the share of the words that it leaves possible, as a floating-point number."""
    table = np.array([automaton.table[x] for x in automaton.letters])
    letters, n = _empty(automaton, count, len(left) - 1), automaton.n
    q = np.full(count, automaton.start, dtype=np.intp)
    for t, (here, after) in enumerate(pairwise(reversed(left))):
        shares = np.array([[after[p] / here[s] if here[s] else 0.0 for p in table[:, s]] for s in range(n)])
        steps = np.cumsum(shares, axis=1)
        # from the last letter that leaves a word on, the distribution function is 1
        last = len(table) - 1 - np.argmax(shares[:, ::-1] > 0, axis=1)
        steps[np.arange(len(table)) >= last[:, None]] = 1.0
        # the states' distribution functions one above the other, so that one search serves all words
        flat = (steps + np.arange(n)[:, None]).ravel()
        u = rng.random(count) * (1 - 2.0**-40)
        x = np.searchsorted(flat, u + q, side="right") - q * len(table)
        letters[:, t] = x
        q = table[x, q]
    return letters


def _empty(automaton: Automaton, count: int, length: int) -> np.ndarray:
    return np.empty((count, length), dtype=np.min_scalar_type(len(automaton.letters) - 1))
