"""Expected products of traces of real Gaussian matrices, as exact polynomials in their sizes (Isserlis' theorem, also called Wick's).

The expectation of a product of centred Gaussians is a sum over all ways to pair them up. In a product of traces every pairing glues the
indices into loops, and a loop over an index of size n contributes a factor n; so the expectation is the sum over the pairings of the
product of the sizes of their loops: a polynomial in the sizes with nonnegative integer coefficients that sum to the number of pairings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

#: a product of sizes, sorted by name; the size "1" is left out
Monomial = tuple[str, ...]


class Gaussian(NamedTuple):
    """A matrix of independent standard Gaussian entries; equal names mean the same matrix. ``rows`` and ``columns`` name its sizes ("1" is one)."""

    name: str
    rows: str
    columns: str
    transposed: bool = False

    @property
    def T(self) -> Gaussian:
        return self._replace(transposed=not self.transposed)

    @property
    def shape(self) -> tuple[str, str]:
        return (self.columns, self.rows) if self.transposed else (self.rows, self.columns)


Trace = tuple[Gaussian, ...]


def moment(*traces: Sequence[Gaussian]) -> Counter[Monomial]:
    """E[tr(w_1) tr(w_2) ...] for words w_i of Gaussian matrices, as {monomial in the sizes: number of pairings with these loops}.

    The first matrix X is paired with each other X in turn (the loop equations): tr(X a X' b) -> tr(a) tr(b), tr(X a X b) -> tr(a b'),
    tr(X a) tr(X' b) -> tr(a b) and tr(X a) tr(X b) -> tr(a b'), a prime for the transpose. What is left is again a product of traces,
    and equal products are computed once. Raises ``ValueError`` where neighbouring shapes do not fit.
    """
    for trace in traces:
        require_fitting(trace)
    return Counter(dict(_moment(_canonical(traces))))


def require_fitting(trace: Sequence[Gaussian]) -> None:
    """Raises ``ValueError`` unless the shapes of the matrices fit, the last to the first."""
    if not trace:
        raise ValueError("expected at least one matrix in every trace, got an empty one, whose size is unknown")
    for i, (left, right) in enumerate(zip(trace, [*trace[1:], trace[0]], strict=True)):
        if left.shape[1] != right.shape[0]:
            raise ValueError(
                f"expected shapes that fit, got {left.name} with {left.shape[1]} columns before {right.name} with {right.shape[0]} rows"
                f" at place {i + 1}"
            )


@lru_cache(maxsize=200_000)
def _moment(traces: tuple[Trace, ...]) -> tuple[tuple[Monomial, int], ...]:
    if not traces:
        return (((), 1),)
    (first, *rest), *others = traces
    total: Counter[Monomial] = Counter()
    for i, partner in enumerate(rest):
        if partner.name == first.name:
            a, b = tuple(rest[:i]), tuple(rest[i + 1 :])
            if partner.transposed != first.transposed:
                glued = [(a, first.shape[1]), (b, first.shape[0])]
            else:
                # b carries the index of a's end; transposed it closes the loop through a
                glued = [(a + _transpose(b), first.shape[1])]
            _add(total, glued, others)
    for k, other in enumerate(others):
        remaining = others[:k] + others[k + 1 :]
        for i, partner in enumerate(other):
            if partner.name == first.name:
                b = other[i + 1 :] + other[:i]
                closed = tuple(rest) + (b if partner.transposed != first.transposed else _transpose(b))
                _add(total, [(closed, first.shape[1])], remaining)
    return tuple(total.items())


def _add(total: Counter[Monomial], glued: list[tuple[Trace, str]], others: Sequence[Trace]) -> None:
    """Adds the moment of the glued traces and the others; an empty trace is a closed loop and counts its size."""
    loops = [size for trace, size in glued if not trace and size != "1"]
    for monomial, count in _moment(_canonical([trace for trace, _ in glued if trace] + list(others))):
        total[tuple(sorted([*monomial, *loops]))] += count


def _transpose(trace: Trace) -> Trace:
    return tuple(x._replace(transposed=not x.transposed) for x in reversed(trace))


def _canonical(traces: Sequence[Sequence[Gaussian]]) -> tuple[Trace, ...]:
    """The same for all rotations and transposes of the traces and all orders of them."""
    return tuple(sorted(_least(tuple(t)) for t in traces))


@lru_cache(maxsize=200_000)
def _least(trace: Trace) -> Trace:
    return min(t[i:] + t[:i] for t in (trace, _transpose(trace)) for i in range(len(trace)))


# -- the definition, for small sizes ---------------------------------------------------------------------------------------


def pairings(items: Sequence[int]) -> Iterator[tuple[tuple[int, int], ...]]:
    """All ways to pair up the items: (2k - 1)!! for 2k of them, none for an odd number, the empty one for none."""
    if not items:
        yield ()
        return
    first, rest = items[0], items[1:]
    for i, partner in enumerate(rest):
        for others in pairings([*rest[:i], *rest[i + 1 :]]):
            yield ((first, partner), *others)


def moment_by_pairings(*traces: Sequence[Gaussian]) -> Counter[Monomial]:
    """``moment`` by its definition: every pairing in turn, its index loops counted by merging indices. Grows like (2k - 1)!!."""
    places = [(t, i) for t, trace in enumerate(traces) for i in range(len(trace))]
    matrices = [traces[t][i] for t, i in places]
    # matrix k of a trace has its left index at place k and its right one at the next
    ends = []
    for (t, i), x in zip(places, matrices, strict=True):
        left, right = (t, i), (t, (i + 1) % len(traces[t]))
        ends.append((right, left) if x.transposed else (left, right))
    sizes = {place: x.shape[0] for place, x in zip(places, matrices, strict=True)}
    groups = [[k for k, x in enumerate(matrices) if x.name == name] for name in dict.fromkeys(x.name for x in matrices)]
    total: Counter[Monomial] = Counter()
    for pairing in _products([list(pairings(g)) for g in groups]):
        parent = {p: p for p in places}
        for a, b in pairing:
            for p, q in zip(ends[a], ends[b], strict=True):
                parent[_root(parent, p)] = _root(parent, q)
        total[tuple(sorted(sizes[p] for p in places if parent[p] == p and sizes[p] != "1"))] += 1
    return total


def _products(choices: list[list[tuple]]) -> Iterator[tuple]:
    """One choice from each list, joined."""
    if not choices:
        yield ()
        return
    for first in choices[0]:
        for rest in _products(choices[1:]):
            yield first + rest


def _root(parent: dict, p: tuple[int, int]) -> tuple[int, int]:
    while parent[p] != p:
        p = parent[p]
    return p
