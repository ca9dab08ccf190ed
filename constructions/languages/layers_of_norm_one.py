"""A lower bound on the layers of norm at most 1 that track a machine, for every machine, and the words that force it.

The network: layers h -> A(x) h + b(x) with |A| <= 1 in one inner product for each layer; A and b are functions of the letter and of what the layers below
hand up. Either the whole stack has finitely many exact states, or states are bounded and each layer hands up finitely many values with a margin.

The lemma: let f_1, ..., f_k act idempotently on layer 1, and let z be an idempotent power of their product. Then s u z = s z on layer 1 for every product u of the
f_i, since the linear part of z is the orthogonal projection onto the intersection of their images. So after z, layer 1 stands still under the words u z, and the other
layers must track what these words do to the states X z.

With finitely many exact states the lemma holds for every product z of idempotent words as it stands: their linear parts commute, so that z is idempotent on layer 1, if
not on the automaton. The f_i are then all idempotents that have an idempotent factor of z as a multiple: the content of z.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from .machine import Array, Machine
from .monoid import Monoid
from .undecided import Undecided

Numbers = tuple[int, ...]

#: monoids with more elements, and searches with more products, are given up
MOST_ELEMENTS, MOST_PRODUCTS = 2_000, 12_000_000


@dataclass(frozen=True)
class Level:
    """After the word ``z`` the layer below stands still, and the layers above must still tell the states ``points`` apart; at the end ``u z`` and z differ."""

    z: Numbers
    points: tuple[int, ...]
    u: Numbers | None = None


@dataclass(frozen=True)
class Bound:
    """At least ``layers`` layers, and the levels that force them; ``idempotents`` if the last layer is forced by e f e != f e alone."""

    layers: int
    levels: tuple[Level, ...] = ()
    idempotents: bool = False


@dataclass
class _Budget:
    left: int = field(default=MOST_PRODUCTS)

    def affords(self, products: int) -> bool:
        """Whether a search that may end early is to go on; it leaves a third of the budget to others."""
        return self.left - products > MOST_PRODUCTS // 3

    def spend(self, products: int) -> None:
        self.left -= products
        if self.left < 0:
            raise Undecided(f"the bound on layers takes more than {MOST_PRODUCTS:,} products")


def bound(machine: Machine, monoid: Monoid, exact: bool) -> Bound:
    """The bound with finitely many ``exact`` states, or else with a margin. Raises :class:`Undecided` for more than 2,000 elements."""
    if (machine.delta == machine.delta[:, :1]).all():
        return Bound(0)
    if not monoid.complete or len(monoid) > MOST_ELEMENTS:
        raise Undecided(f"bound not computed: the transition monoid has more than {MOST_ELEMENTS:,} elements")
    maps = monoid.maps.astype(np.intp)
    words = [monoid.word(i) for i in range(len(monoid))]
    return _need(maps, words, np.arange(machine.n), exact, _Budget())


def _need(maps: Array, words: Sequence[Numbers], names: Array, exact: bool, budget: _Budget) -> Bound:
    """Of a monoid that does something, given by its elements with words; ``names`` are the states that its points stand for."""
    idempotents = np.flatnonzero((np.take_along_axis(maps, maps, axis=1) == maps).all(axis=1))
    products = _Products(maps, idempotents, budget)
    best = Bound(1)
    if exact and not _one_sided(maps[idempotents], budget):
        best = Bound(2, idempotents=True)
    word_of = _words(maps, words)
    seen: dict[tuple[tuple[int, ...], bytes], None] = {}
    for z, above in _chosen(products, exact, budget):
        acting = products.maps[z]
        points = np.unique(acting)
        # layers for all maps of these points are enough above the first
        if len(points) <= best.layers:
            continue
        u = products.generated(above)
        budget.spend(len(u))
        after = acting[products.maps[u]]
        place = np.full(maps.shape[1], -1)
        place[points] = np.arange(len(points))
        # the word z itself is a letter of the layers above; an idempotent one leaves its points alone
        moved = np.concatenate([acting[None], after])
        small, first = np.unique(place[moved[:, points]], axis=0, return_index=True)
        key = (tuple(points.tolist()), small.tobytes())
        other = np.flatnonzero((after != acting).any(axis=1))
        if key in seen and (len(small) > 1 or not len(other)):
            continue
        seen[key] = None
        level = Level(word_of(acting), tuple(names[points].tolist()))
        if len(small) > 1:
            inner = [word_of(moved[i]) for i in first.tolist()]
            deeper = _need(small, inner, names[points], exact, budget)
        else:
            deeper = Bound(1 if len(other) else 0)
            if len(other):
                level = Level(level.z, level.points, word_of(products.maps[u[other[0]]]))
        if 1 + deeper.layers > best.layers:
            best = Bound(1 + deeper.layers, (level, *deeper.levels), deeper.idempotents)
    return best


def _chosen(products: _Products, exact: bool, budget: _Budget) -> Iterator[tuple[int, Array]]:
    """Products z, with the idempotents of which they are multiples: an idempotent z of each class, and with exact states all others with their contents.

    Every choice gives a bound. So the second search may end where the budget does.
    """
    yield from products.classes()
    if exact:
        yield from products.contents(budget)


def _words(maps: Array, words: Sequence[Numbers]):
    number = {row.tobytes(): i for i, row in enumerate(np.ascontiguousarray(maps))}
    return lambda f: words[number[np.ascontiguousarray(f).tobytes()]]


def _one_sided(E: Array, budget: _Budget) -> bool:
    """Whether e f e = f e for all idempotents."""
    budget.spend(len(E) ** 2)
    return all((e[E] == e[E[:, e]]).all() for e in E)


class _Products:
    """The products of idempotents, with multiplication by idempotents on both sides."""

    def __init__(self, maps: Array, idempotents: Array, budget: _Budget):
        E = maps[idempotents]
        number = {row.tobytes(): i for i, row in enumerate(E)}
        known, right, left, done = list(E), [], [], 0
        while done < len(known):
            block = np.array(known[done:])
            budget.spend(2 * len(block) * len(E))
            # first a product, then an idempotent; and the other way round
            for table, both in ((right, np.stack([e[block] for e in E], axis=1)), (left, block[:, E])):
                for row in both:
                    table.append([])
                    for f in row:
                        i = number.setdefault(f.tobytes(), len(number))
                        if i == len(known):
                            known.append(f)
                        table[-1].append(i)
            done += len(block)
        self.maps, self.right, self.count = np.array(known), np.array(right), len(E)
        size = len(known)
        tails = np.repeat(np.arange(size), 2 * len(E))
        heads = np.concatenate([self.right, np.array(left)], axis=1).ravel()
        edges = coo_array((np.ones(len(tails), dtype=np.int32), (tails, heads)), shape=(size, size)).tocsr()
        _, self.part = connected_components(edges, connection="strong")
        self.back = edges.T.tocsr()

    def classes(self):
        """An idempotent z of each class of products that divide one another, largest images first, and the idempotents that z is a multiple of.

        One z is enough: a conjugate acts alike.
        """
        squares = (np.take_along_axis(self.maps, self.maps, axis=1) == self.maps).all(axis=1)
        ranks = np.array([len(set(f.tolist())) for f in self.maps])
        seen: set[int] = set()
        for z in sorted(np.flatnonzero(squares).tolist(), key=lambda i: -ranks[i]):
            if int(self.part[z]) not in seen:
                seen.add(int(self.part[z]))
                yield z, self._above(z)

    def _above(self, z: int) -> Array:
        """The idempotents that some product to z has as a factor."""
        seen = np.zeros(len(self.maps), dtype=bool)
        seen[z] = True
        frontier = np.array([z])
        while frontier.size:
            before = np.unique(np.concatenate([self.back.indices[self.back.indptr[i] : self.back.indptr[i + 1]] for i in frontier]))
            frontier = before[~seen[before]]
            seen[frontier] = True
        return np.flatnonzero(seen[: self.count])

    def contents(self, budget: _Budget) -> Iterator[tuple[int, Array]]:
        """Each product of idempotents that is not idempotent, with its largest contents, largest images first; not all of them if the budget ends.

        The content of an idempotent is what it is a multiple of, and that of a product the union of its factors'. Contents are sets as bits.
        """
        own = [sum(1 << int(f) for f in self._above(z)) for z in range(self.count)]
        largest: dict[int, list[int]] = {}
        queue: list[tuple[int, int]] = []

        def meet(z: int, content: int) -> None:
            known = largest.setdefault(z, [])
            if any(content | other == other for other in known):
                return
            largest[z] = [*(other for other in known if content | other != content), content]
            queue.append((z, content))

        for z in range(self.count):
            meet(z, own[z])
        for z, content in queue:
            if content not in largest[z]:
                continue
            if not budget.affords(self.count):
                break
            budget.spend(self.count)
            for g, new in enumerate(self.right[z].tolist()):
                meet(new, content | own[g])
        squares = (np.take_along_axis(self.maps, self.maps, axis=1) == self.maps).all(axis=1)
        ranks = np.array([len(set(f.tolist())) for f in self.maps])
        for z in sorted((z for z in largest if not squares[z]), key=lambda z: -ranks[z]):
            for content in largest[z]:
                if not budget.affords(len(self.maps)):
                    return
                yield z, np.array([f for f in range(self.count) if content >> f & 1])

    def generated(self, idempotents: Array) -> Array:
        """The numbers of all products of these idempotents."""
        seen = np.zeros(len(self.maps), dtype=bool)
        seen[idempotents] = True
        frontier = idempotents
        while frontier.size:
            new = np.unique(self.right[frontier][:, idempotents])
            frontier = new[~seen[new]]
            seen[frontier] = True
        return np.flatnonzero(seen)
