"""Train and test words: of given lengths, none in both, none twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ..constructions.automata.automaton import Automaton
from .counting import reached_by_length, words_to
from .drawing import MOST_NUMBERED, ending_in, ending_in_each, numbered, run, targets

#: rows whose hashes are computed at a time
ROWS = 2**12


@dataclass(frozen=True)
class Part:
    """Words by length: ``letters[n]`` and ``states[n]``, the state after each letter, have shape (count, n)."""

    letters: dict[int, np.ndarray] = field(default_factory=dict)
    states: dict[int, np.ndarray] = field(default_factory=dict)

    def __len__(self) -> int:
        return sum(map(len, self.letters.values()))


@dataclass(frozen=True)
class Split:
    """Train and test words of an automaton.

    ``prefixed`` is the share of test words that begin with a train word, nan without test words; ``uneven`` names the lengths at which some group
    (a last state, acceptance) has fewer words than its share, or none.
    """

    automaton: Automaton
    over: str
    train: Part
    test: Part
    prefixed: float
    uneven: list[int]


def split(
    automaton: Automaton,
    train: tuple[Sequence[int], int],
    test: tuple[Sequence[int], int],
    seed: int,
    over: str = "words",
    repeat: bool = False,
) -> Split:
    """Words for training and for testing, none of them in both, none twice.

    Each length has the same share of the words; a short length with fewer words gives all it has, and the others more. So have the groups of words
    of one length that are to be equally many: last states, accepted and rejected words.

    Args:
        automaton: a total automaton.
        train: lengths, and how many words in all.
        test: the same for the test words.
        seed: the same words every time.
        over: what is uniform (``drawing.OVER``).
        repeat: a train word may come twice. Test words differ from each other and from all train words all the same.

    Returns:
        The words with the state after each letter.

    Raises:
        ValueError: for more words than there are, with the exact number; for negative lengths and counts.
    """
    for lengths, count in (train, test):
        if count < 0 or min(lengths, default=0) < 0:
            raise ValueError(f"expected lengths and a count of at least 0, got {count} words of lengths {list(lengths)[:3]}")
    wanted = sorted({*train[0], *test[0]})
    ways = {n: row for n, row in zip(range(max(wanted, default=0) + 1), reached_by_length(automaton), strict=False) if n in set(wanted)}
    groups = {n: targets(automaton, row, over) for n, row in ways.items()}
    sizes = {n: [sum(ways[n][q] for q in group) for group in groups[n]] for n in wanted}
    tests = _by_length(sizes, test, "test")
    free = {n: sum(sizes[n]) - tests.get(n, 0) for n in wanted}
    trains = _by_length({n: [train[1] if repeat and free[n] else free[n]] for n in wanted}, train, "train")
    parts, uneven = (Part(), Part()), []
    for n in wanted:
        few, many = tests.get(n, 0), trains.get(n, 0)
        shares = _quotas(sizes[n], few)
        left = [(many if repeat and size > share else size - share) for size, share in zip(sizes[n], shares, strict=True)]
        shares = shares, _quotas(left, many)
        if any(max(share) - min(share) > 1 for share in shares if share) or not groups[n]:
            uneven.append(n)
        if few or many:
            # a generator for each length: what one length needs does not change the words of another
            found = _of_length(automaton, groups[n], sizes[n], n, shares, np.random.default_rng([seed, n]), repeat)
            for part, letters in zip(parts, found, strict=True):
                if len(letters):
                    part.letters[n], part.states[n] = letters, run(automaton, letters)
    return Split(automaton, over, *parts, _prefixed(*parts), uneven)


def _by_length(sizes: dict[int, list[int]], wanted: tuple[Sequence[int], int], what: str) -> dict[int, int]:
    """How many words of each length."""
    lengths, count = sorted(set(wanted[0])), wanted[1]
    there = [sum(sizes[n]) for n in lengths]
    if count > sum(there):
        hint = "ask for fewer, for longer words" + (", or --repeat train words" if what == "train" else "")
        raise ValueError(f"expected at most {sum(there)} different {what} words of these lengths, got a request for {count}: {hint}")
    return dict(zip(lengths, _quotas(there, count), strict=True))


def _of_length(
    automaton: Automaton,
    groups: list[set[int]],
    sizes: list[int],
    length: int,
    shares: tuple[list[int], list[int]],
    rng: np.random.Generator,
    repeat: bool,
) -> tuple[np.ndarray, np.ndarray]:
    """(train, test) words of one length; ``shares`` says how many test and train words of each group."""
    first, second = [], []
    pools = _distinct(automaton, groups, length, [few if repeat else few + many for few, many in zip(*shares, strict=True)], sizes, rng)
    for group, words, few, many in zip(groups, pools, *shares, strict=True):
        second.append(words[:few])
        first.append(_others(automaton, group, length, many, words, rng) if repeat else words[few:])
    return _shuffled(first, rng), _shuffled(second, rng)


def _shuffled(parts: Sequence[np.ndarray], rng: np.random.Generator) -> np.ndarray:
    words = np.concatenate(parts)
    return words if len(parts) == 1 else words[rng.permutation(len(words))]


def _quotas(sizes: Sequence[int], count: int) -> list[int]:
    """``count`` shared out evenly, none above its size: small ones give all they have, and the rest is shared out among the others."""
    quotas, left = [0] * len(sizes), count
    order = sorted(range(len(sizes)), key=lambda i: sizes[i])
    for place, i in enumerate(order):
        # the larger ones come last and take what does not come out even
        quotas[i] = min(sizes[i], left // (len(order) - place))
        left -= quotas[i]
    return quotas


def _distinct(
    automaton: Automaton, groups: list[set[int]], length: int, counts: list[int], sizes: list[int], rng: np.random.Generator
) -> list[np.ndarray]:
    """For each group different uniform words that end in it, in random order."""
    if max(sizes) <= MOST_NUMBERED:
        return [
            numbered(automaton, words_to(automaton, group, length), _different_numbers(size, count, rng))
            for group, size, count in zip(groups, sizes, counts, strict=True)
        ]
    pools = ending_in_each(automaton, groups, length, counts, rng)
    for g, (group, count) in enumerate(zip(groups, counts, strict=True)):
        while len(first := np.unique(hashes(pools[g]), return_index=True)[1]) < count:
            pools[g] = np.concatenate([pools[g][np.sort(first)], ending_in(automaton, group, length, count - len(first), rng)])
    return pools


def _different_numbers(size: int, count: int, rng: np.random.Generator) -> np.ndarray:
    """Different uniform numbers below ``size``, in random order."""
    if size <= 4 * count:
        return rng.permutation(size)[:count]
    found = np.empty(0, dtype=np.int64)
    while len(found) < count:
        drawn = np.concatenate([found, rng.integers(size, size=count - len(found))])
        found = drawn[np.sort(np.unique(drawn, return_index=True)[1])]
    return found


def _others(automaton: Automaton, group: set[int], length: int, count: int, forbidden: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Uniform words that end in a group, repeats allowed, none of them forbidden."""
    taken, parts, missing = hashes(forbidden), [], count
    while missing:
        words = ending_in(automaton, group, length, missing, rng)
        parts.append(words[~np.isin(hashes(words), taken)])
        missing -= len(parts[-1])
    return np.concatenate(parts) if parts else forbidden[:0]


def hashes(words: np.ndarray) -> np.ndarray:
    """64 bits for each word, shape (count,): equal words have equal ones, and different ones have them hardly ever."""
    wide = -(-words.shape[1] * words.itemsize // 8) * 8
    raw = np.zeros((len(words), wide), dtype=np.uint8)
    raw[:, : words.shape[1] * words.itemsize] = np.ascontiguousarray(words).view(np.uint8).reshape(len(words), -1) if words.size else 0
    chunks = raw.view(np.uint64)
    return (chunks * _factors(chunks.shape[1])).sum(axis=1, dtype=np.uint64)


def beginnings(words: np.ndarray, lengths: Sequence[int]) -> np.ndarray:
    """64 bits for the beginnings of these lengths of each word, shape (count, lengths)."""
    out = np.empty((len(words), len(lengths)), dtype=np.uint64)
    for i in range(0, len(words), ROWS):
        terms = (words[i : i + ROWS].astype(np.uint64) + np.uint64(1)) * _factors(words.shape[1])
        sums = np.concatenate([np.zeros((len(terms), 1), dtype=np.uint64), np.cumsum(terms, axis=1, dtype=np.uint64)], axis=1)
        out[i : i + ROWS] = sums[:, list(lengths)]
    return out


def _factors(count: int) -> np.ndarray:
    """Odd numbers, the same ones every time; fewer of them are the first of more."""
    return np.random.default_rng(0).integers(2**63, size=count, dtype=np.uint64) * np.uint64(2) + np.uint64(1)


def _prefixed(train: Part, test: Part) -> float:
    """The share of test words of which a train word is a beginning."""
    if not len(test):
        return float("nan")
    known = {n: np.sort(beginnings(words, [n])[:, 0]) for n, words in train.letters.items()}
    count = 0
    for n, words in test.letters.items():
        shorter = [m for m in known if m <= n]
        if shorter:
            begins = beginnings(words, shorter)
            count += int(np.any([np.isin(begins[:, i], known[m]) for i, m in enumerate(shorter)], axis=0).sum())
    return count / len(test)
