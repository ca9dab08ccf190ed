"""Every symmetric group in four layers with one reflection per token, as in Siems et al., DeltaProduct (arXiv 2502.10297).

Time is cut into blocks of m = n - 1 tokens, since m swaps make any permutation of n points. Layers 1 and 2 count the position modulo 2m by
reflections (grazzi25, Theorem 6); layer 3 keeps the last 2m tokens, each written into a slot of its own; layer 4 applies the product of the
block before, one swap per token, while the tokens of this block wait. Built from the theorem's statement and its table of 2m |letters|^2m
entries; the paper's own proof was not at hand.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import permutations
from typing import Any, NamedTuple

from ....numerics import exact
from ....numerics.aliases import Key
from ....numerics.exact import Array, freeze
from ...householder import compose, permutation_matrix, swaps
from ...parity import scalar
from ...recurrence import Recurrence, Stack
from ..read.sources import from_permutations
from .reflections import mirror

Images = tuple[int, ...]


class Read(NamedTuple):
    """What a layer reads: the input letter and what the layers below hold before and after it."""

    letter: Hashable
    before: Any
    after: Any


def symmetric_by_swaps(letters: Mapping[Key, Sequence[int]]) -> Stack:
    """Four layers of widths 1, 2, 2m and n, every transition one factor: -1, a reflection, a projection, a swap or 1.

    ``letters`` are permutations of 0 .. n-1, n >= 2; the output is the state of their word problem (``sources.from_permutations``).
    Raises ``ValueError`` for a single point.
    """
    images = {x: tuple(g) for x, g in letters.items()}
    n = len(next(iter(images.values())))
    if n < 2:
        raise ValueError(f"expected permutations of 2 points at least, got {n}")
    return Stack((_parity(), _position(2 * n - 2), _window(list(images), 2 * n - 2), _one_swap_each(images, n)))


def _parity() -> Recurrence:
    """1 and 0 in turn; hands on Read(letter, parity before, parity after)."""
    minus, one = scalar(-1), scalar(1)
    return Recurrence(lambda x: minus, lambda x: one, scalar(0), lambda H, x: Read(x, 1 - int(H[0, 0]), int(H[0, 0])))


def _position(period: int) -> Recurrence:
    """The number of tokens modulo an even period: it adds 1 by a reflection, as ``reflections.addition_by_reflections`` does."""
    start = mirror(period, 0)[:, :1]
    turn = {odd: mirror(period, -1 if odd else 3) for odd in (0, 1)}
    corner = {freeze(mirror(period, 1 - 2 * i if i % 2 else 2 * i)[:, :1]): i for i in range(period)}

    def decode(H: Array, read: Read) -> Read | None:
        i = corner.get(freeze(H))
        return None if i is None else Read(read.letter, (i - 1) % period, i)

    return Recurrence(lambda read: turn[read.after], lambda read: start * 0, start, decode)


def _window(letters: Sequence[Hashable], size: int) -> Recurrence:
    """Token t into slot t mod size, A = I - e e^T. Hands on (position, the last size - 1 tokens) before and after, the latest first."""
    erase = [exact.identity(size) for _ in range(size)]
    for i, A in enumerate(erase):
        A[i, i] *= 0
    code = {x: number for number, x in enumerate(letters, start=1)}
    write = {(i, x): exact.unit_vector(size, i)[:, None] * number for i in range(size) for x, number in code.items()}
    token = {number: x for x, number in code.items()} | {0: None}

    def decode(H: Array, read: Read) -> Read:
        i: int = read.after
        latest = tuple(token[int(H[(i - age) % size, 0])] for age in range(size))
        return Read(read.letter, (read.before, latest[1:]), (i, latest[:-1]))

    return Recurrence(lambda read: erase[read.after], lambda read: write[read.after, read.letter], exact.zeros(size, 1), decode)


def _one_swap_each(letters: Mapping[Key, Images], n: int) -> Recurrence:
    """One of the m swaps of the block before for each token; the decoder adds the rest of them and the tokens of this block."""
    m, identity = n - 1, tuple(range(n))
    start = exact.rationals([[i + 1] for i in range(n)])
    element = {freeze(permutation_matrix(g) @ start): g for g in permutations(range(n))}
    state = {g: q for q, g in enumerate(from_permutations(letters).names or ())}
    parts: dict[Images, list[Images]] = {g: _swaps(g, m) for g in element.values()}
    matrix = {g: permutation_matrix(g) for g in {s for swapped in parts.values() for s in swapped}}

    def product(tokens: Sequence[Hashable]) -> Images:
        """The latest token first; None stands for the time before the first."""
        found = identity
        for x in reversed(tokens):
            found = found if x is None else compose(letters[x], found)
        return found

    def block(read: Read) -> tuple[int, Images, Images]:
        """(tokens of this block so far, the product of them, the product of the block before)."""
        (_, earlier), (i, _) = read.before, read.after
        tokens, j = (read.letter, *earlier), (i - 1) % m + 1
        return j, product(tokens[:j]), product(tokens[j : j + m])

    def decode(H: Array, read: Read) -> int | None:
        done, (j, current, before) = element.get(freeze(H)), block(read)
        if done is None:
            return None
        for swap in parts[before][j:]:
            done = compose(swap, done)
        return state.get(compose(current, done))

    def transition(read: Read) -> Array:
        j, _, before = block(read)
        return matrix[parts[before][j - 1]]

    return Recurrence(transition, lambda read: start * 0, start, decode)


def _swaps(g: Images, m: int) -> list[Images]:
    """m swaps, or identities, whose product is g, the first to act first."""
    n = len(g)
    found = []
    for factor in reversed(swaps(g)):
        i, j = (k for k in range(n) if factor.v[k])
        images = list(range(n))
        images[i], images[j] = j, i
        found.append(tuple(images))
    return found + [tuple(range(n))] * (m - len(found))
