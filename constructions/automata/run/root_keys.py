"""Signed permutations as reflections whose keys have no negative entry: what layers that pass their keys through a SiLU and a norm hold exactly.

Coordinate i of the state stands in two rows, (i, 0) and (i, 1), and is stored with a sign of its own. In the signs chosen

* exchange(i, j): e_i -> -e_j, e_j -> -e_i is the reflection along (e_i0 + e_i1 + e_j0 + e_j1) / 2, a swap where the two signs differ
* negate(i): e_i -> -e_i is the reflections along e_i0 and e_i1

All keys have length 1 and entries 0, 1/2, 1, and twice the inner product of any two is an integer. So the WY form of any chunk is exact
(new.householder.chunk, new.householder.chunk.bits). One row for each coordinate is enough where no letter moves a coordinate to another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import ceil
from random import Random

from flint import fmpq

from ....numerics import exact
from ....numerics.exact import Array
from ...householder import chunk_criterion

#: a signed permutation: entry i is s (j + 1) if e_i goes to s e_j
Signed = tuple[int, ...]
#: a reflection: ``(i, j)`` exchanges two coordinates, ``(i,)`` negates one
Move = tuple[int, ...]

#: up to so many coordinates all signs are tried, beyond that halves and a sample
ALL_SIGNS = 8
SAMPLED_SIGNS = 200


@dataclass(frozen=True)
class RootKeys:
    """Signs of the coordinates, rows for each of them, and for each letter the reflections that make it, the first one first.

    ``factors`` is the largest number of keys for a letter.
    """

    signs: tuple[int, ...]
    copies: int
    words: tuple[tuple[Move, ...], ...]

    @property
    def factors(self) -> int:
        return max((len(self.keys(word)) for word in self.words), default=0)

    @property
    def rows(self) -> int:
        """Rows of the state."""
        return self.copies * len(self.signs)

    def keys(self, moves: Iterable[Move]) -> list[Array]:
        """The unit keys, each with strength 2, of reflections one after the other."""
        return [key for move in moves for key in self._keys(move)]

    def units(self, i: int) -> list[Array]:
        """The unit vectors of the rows of coordinate i."""
        return [exact.unit_vector(self.rows, copy * len(self.signs) + i) * fmpq(1) for copy in range(self.copies)]

    def _keys(self, move: Move) -> list[Array]:
        if len(move) == 1:
            return self.units(move[0])
        return [sum((e for i in move for e in self.units(i)), exact.zeros(self.rows)) / 2]


def signed_permutation(A: Array) -> Signed | None:
    """The signed permutation whose matrix is ``A`` (n, n), entries 0, 1 and -1; None for other matrices."""
    n, found = len(A), [0] * len(A)
    for i in range(n):
        rows = [j for j in range(n) if A[j, i] != 0]
        if len(rows) != 1 or A[rows[0], i] not in (1, -1):
            return None
        found[i] = int(A[rows[0], i]) * (rows[0] + 1)
    return tuple(found) if len({abs(x) for x in found}) == n else None


def root_keys(letters: Sequence[Signed]) -> RootKeys:
    """Keys for signed permutations of n coordinates, with the signs for which the longest letter has the fewest.

    Args:
        letters: the permutations; at least one, of n >= 1 coordinates.

    Raises:
        ValueError: if no signs were found for which every letter is a product of such reflections.

    Example:
        >>> keys = root_keys([(2, 1, 3), (2, 3, 1)])
        >>> keys.signs, keys.factors
        ((1, -1, 1), 2)
    """
    n = len(letters[0])
    if all(abs(x) == i + 1 for g in letters for i, x in enumerate(g)):
        return RootKeys((1,) * n, 1, tuple(tuple((i,) for i, x in enumerate(g) if x < 0) for g in letters))
    ranked = sorted(_signs(n), key=lambda signs: _costs(letters, signs))
    for signs in ranked:
        words = [_word(_stored(g, signs)) for g in letters]
        if None not in words:
            return RootKeys(signs, 2, tuple(word for word in words if word is not None))
    raise ValueError(f"expected signed permutations that are products of reflections with keys of one sign, got none for {n} coordinates")


def exact_keys(keys: Sequence[Array], strengths: Sequence[fmpq]) -> bool:
    """Whether keys are held exactly by every format and meet the criterion of new.householder.chunk, so that T is integer in every chunk.

    Twice each key is an integer vector of length at most 2, as new.householder.chunk.bits asks with strengths beta / 4. Sufficient, not necessary.
    """
    live = [(k, beta) for k, beta in zip(keys, strengths, strict=True) if beta != 0]
    if not live:
        return True
    whole = all(fmpq(2 * x).q == 1 for k, _ in live for x in k) and all(k @ k == 1 for k, _ in live)
    return whole and chunk_criterion(exact.rationals([list(k) for k, _ in live]), exact.rationals([beta for _, beta in live]))


def chunk_needs(chunk: int = 64) -> tuple[int, int]:
    """(bits of every stored number, bits of every sum) at most, in the chunked form with such keys: the bounds of new.householder.chunk.bits.

    With keys 2 k and strengths beta / 4 = 1/2 values are 1 or 0 and states 0, 1 or -1; queries are unit vectors. No gate is 1/2.
    """
    kappa, r, s, p, f = 2, 1, 1, 1, 1
    stored = max(2 * r + 2 * s + 2 ** (f + 2) * s, 2 * kappa, p * kappa, p * s) << f
    summed = (chunk * kappa * max(4 * kappa, 4 * r, 2 * p * (r + s)) + p * s + 2 ** (f + 2) * s) << f
    return (stored - 1).bit_length(), (summed - 1).bit_length()


def _signs(n: int) -> Iterator[tuple[int, ...]]:
    """Signs to try; the first one is 1, for all signs reversed are the same keys."""
    if n <= ALL_SIGNS:
        yield from ((1, *rest) for rest in product((1, -1), repeat=n - 1))
        return
    yield tuple(1 if 2 * i < n else -1 for i in range(n))
    yield tuple(1 - 2 * (i % 2) for i in range(n))
    yield (1,) * n
    rng = Random(0)
    for _ in range(SAMPLED_SIGNS):
        yield (1, *(rng.choice((1, -1)) for _ in range(n - 1)))


def _stored(g: Signed, signs: Sequence[int]) -> Signed:
    """What a signed permutation does to the coordinates with the signs that they are stored with."""
    return tuple(x * signs[i] * signs[abs(x) - 1] for i, x in enumerate(g))


def _costs(letters: Sequence[Signed], signs: Sequence[int]) -> tuple[int, int]:
    costs = [_cost(_stored(g, signs)) for g in letters]
    return max(costs), sum(costs)


def _cost(g: Signed) -> int:
    """Keys that g needs: one less than its length for a cycle, and two more for what an exchange has to join first.

    A cycle is odd if its signs multiply to -1, and plain if it is longer than 1 and has no sign: an exchange puts two signs on a cycle. Two plain
    cycles are joined, or two odd ones of which one is longer than 1; two negated coordinates are negated, or joined to a plain cycle. Two
    coordinates alone need four more to be swapped. The tests hold this to a search for up to four coordinates.
    """
    total, odd, plain, negated = 0, 0, 0, 0
    seen: set[int] = set()
    for start in range(len(g)):
        if start in seen:
            continue
        length, negative, i = 0, 0, start
        while i not in seen:
            seen.add(i)
            length, negative, i = length + 1, negative + (g[i] < 0), abs(g[i]) - 1
        total += length - 1
        plain += length > 1 and not negative
        if negative % 2:
            odd, negated = odd + (length > 1), negated + (length == 1)
    together = min(odd, negated)
    alone = 2 if len(g) == 2 and plain else 0
    left = negated - together
    rest = min(2 * (left - 2 * joined) + 2 * joined + 2 * ceil((plain + joined) / 2) for joined in range(left // 2 + 1))
    return total + 2 * (together + ceil((odd - together) / 2)) + rest + alone


def _word(g: Signed) -> tuple[Move, ...] | None:
    """Reflections that make g, the first one first: each brings it closer to the identity by what it costs. None if none does."""
    moves: list[Move] = []
    left = _cost(g)
    while left:
        for move in [*combinations(range(len(g)), 2), *((i,) for i in range(len(g)))]:
            after, price = _after(g, move), 1 if len(move) == 2 else 2
            if (cost := _cost(after)) == left - price:
                g, left = after, cost
                moves.append(move)
                break
        else:
            return None
    return tuple(reversed(moves))


def _after(g: Signed, move: Move) -> Signed:
    """The move after g."""
    image = {move[0] + 1: -(move[-1] + 1), move[-1] + 1: -(move[0] + 1)}
    return tuple((1 if x > 0 else -1) * image.get(abs(x), abs(x)) for x in g)
