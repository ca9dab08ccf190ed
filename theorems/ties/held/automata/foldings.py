"""Semigroups, foldings and machines below machines, row by row: products of all maps, partitions that are merged, words of both machines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from math import gcd
from random import Random
from typing import Any

from .....constructions.automata.automaton import Automaton
from .....constructions.languages import folded_layers, two_layers
from .....constructions.languages.undecided import Undecided
from ....claim import tie
from ....evidence import Proof
from .. import POSITIVE, hold
from .common import Images, after


def products(maps: Iterable[Images]) -> set[Images]:
    """All products of one map or more."""
    letters, found = list(maps), set(maps)
    waiting = list(found)
    for f in waiting:
        for g in letters:
            if (new := after(g, f)) not in found:
                found.add(new)
                waiting.append(new)
    return found


def semigroups() -> list[list[Images]]:
    """Turns, constants, chains, and what was drawn: up to 13 points, up to 60 elements."""
    rng = Random(411)
    found = [[tuple((i + 1) % n for i in range(n))] for n in POSITIVE] + [[(k,) * n for k in range(n)] for n in POSITIVE]
    found += [[tuple(max(i - 1, 0) for i in range(n))] for n in POSITIVE] + [[(*range(1, n), n // 2)] for n in POSITIVE]
    found += [[(1, 0, 2), (0, 0, 1)], [(1, 2, 0), (0, 1, 1)], [(0, 0, 1, 2), (1, 2, 3, 1)]]
    found += [[tuple(rng.randrange(n) for _ in range(n)) for _ in range(k)] for n, k in ((3, 2), (3, 2), (4, 2), (3, 3), (4, 1), (2, 3))]
    return [letters for letters in found if len(products(letters)) <= 60]


def _merged(edges: Sequence[tuple[int, int, int]], joined: Sequence[tuple[int, int]], size: int) -> list[set[int]]:
    """The finest partition that joins these pairs and the ends of edges of one letter with one other end."""
    parts = [{p} for p in range(size)]
    pairs = list(joined)
    while pairs:
        for p, q in pairs:
            one, two = (next(s for s in parts if x in s) for x in (p, q))
            if one is not two:
                parts = [s for s in parts if s is not one and s is not two] + [one | two]
        where = {p: i for i, s in enumerate(parts) for p in s}
        out: dict[Any, int] = {}
        pairs = []
        for p, a, q in edges:
            for key, end in (((0, where[p], a), q), ((1, where[q], a), p)):
                if where[out.setdefault(key, end)] != where[end]:
                    pairs.append((out[key], end))
    return parts


@tie("new.automata.depth.foldings")
def semigroups_and_foldings(proof: Proof) -> None:
    """Elements and tables by all products, folded graphs by merging, words over 1 by the definition; turns, constants and chains of up to 13 points."""
    rng = Random(412)
    for letters in proof.tied("semigroups of up to 60 elements", semigroups()):
        found = folded_layers.Semigroup(letters)
        maps = [tuple(f) for f in found.elements]
        proof.exactly(
            "elements",
            (set(maps), len(found), maps[: len(set(letters))]),
            (products(letters), len(set(maps)), list(dict.fromkeys(letters))),
        )
        table = [[maps.index(after(g, f)) for g in maps] for f in maps]
        proof.exactly("table", (found.table.tolist(), found.maps.tolist()), (table, [list(f) for f in maps]))
        idempotents = [i for i, f in enumerate(maps) if after(f, f) == f]
        proof.exactly("idempotents", found.idempotents, idempotents)
        for some in [{0}, set(range(len(maps))), {rng.randrange(len(maps)) for _ in range(2)}]:
            spread = {maps.index(f) for f in products([maps[i] for i in some])}
            proof.exactly("generated", found.generated(frozenset(some)), frozenset(spread))
            proof.exactly("over_the_identity", folded_layers.over_the_identity(found, frozenset(spread)), _over(table, spread))
        nodes = folded_layers.contents(found)
        values = {z: folded_layers.over_the_identity(found, folded_layers.closed_values(found, z)) for z in idempotents}
        rank = {z: len(set(maps[z])) for z in idempotents}
        proof.exactly("contents", dict(nodes), values)
        proof.exactly("contents: their order", [z for z, _ in nodes], sorted(values, key=lambda z: (-rank[z], -len(values[z]), z)))
        for z in idempotents:
            closed = folded_layers.closed_values(found, z)
            proof.exactly("closed_values", closed, _closed(found, maps, letters, z))
        chosen = folded_layers._generators(set(maps))
        one, rest = products(chosen), [f for f in maps if f not in {after(g, h) for g in maps for h in maps}]
        proof.exactly("_generators", (one, sorted(chosen), set(rest) <= set(chosen)), (set(maps), list(chosen), True))
        for q in range(len(maps[0])):
            reached = {q} | {f[q] for f in maps}
            proof.exactly("_reached", folded_layers._reached({q}, letters), sorted(reached))
        chains_above(proof, found, nodes)
        hold_bound(proof, letters)
    for size in proof.tied("graphs of 13 vertices to 1", POSITIVE[::-1]):
        for count in (0, size, 2 * size):
            edges = [(rng.randrange(size), rng.randrange(3), rng.randrange(size)) for _ in range(count)]
            joined = [(rng.randrange(size), rng.randrange(size))]
            place = folded_layers._folded(edges, joined, size)
            wanted = _merged(edges, joined, size)
            found_parts = [{p for p in range(size) if place(p) == c} for c in {place(p) for p in range(size)}]
            proof.exactly("_folded", sorted(map(sorted, found_parts)), sorted(map(sorted, wanted)))
    turn = tuple((i + 1) % 13 for i in range(13))
    for most in proof.tied("as many elements as are allowed, and one more", (13, 12)):
        try:
            seen = len(folded_layers.Semigroup([turn], most))
        except Undecided:
            seen = 0
        proof.exactly("Semigroup: up to so many elements", seen, 13 if most == 13 else 0)
    chains = [(z, frozenset(U), frozenset(acting)) for z, U, acting in product((0, 5, 12), ([3, 1], [2]), ([], [7, 4]))]
    hold(proof, "chains", folded_layers._in_order, lambda c: (c[0], sorted(c[1]), sorted(c[2])), [(c,) for c in chains])


class _Noted:
    """What the layers above are asked, without the layers: u z for u in U, z, and what acted before."""

    def __init__(self, table: Sequence[Sequence[int]], best: int):
        self.table, self.best = table, best

    def stand(self, z: int, U: Iterable[int], acting: frozenset[int]) -> frozenset[int]:
        return frozenset({z, *(self.table[u][z] for u in U), *acting})


def chains_above(proof: Proof, found: Any, nodes: Sequence[tuple[int, frozenset[int]]]) -> None:
    """One factor more in front of each chain; which words act above; none once the bound cannot grow."""
    table = found.table.tolist()
    noted = _Noted(table, -len(table[0]))
    chains = [(z, U, noted.stand(z, U, frozenset())) for z, U in nodes[:4]]
    for z, U, acting in chains:
        for before in (frozenset[int](), acting, frozenset({0})):
            search = folded_layers._Above(found, True)
            proof.exactly("stand", search.stand(z, U, before), noted.stand(z, U, before))
    wanted = set()
    for z, U, acting in chains:
        for first, above in nodes:
            product_ = table[first][z]
            both = U | above
            more = frozenset(both) if above <= U else _generated(table, both)
            if (product_, more) != (z, U):
                wanted.add((product_, more, noted.stand(product_, more, acting)))
    kinds: Any = noted
    proof.exactly("_longer", folded_layers._longer(found, kinds, list(nodes), list(chains)), wanted)
    kinds = _Noted(table, found.maps.shape[1] - 2)
    proof.exactly("_longer: the bound cannot grow", folded_layers._longer(found, kinds, list(nodes), list(chains)), set())


def _generated(table: Sequence[Sequence[int]], some: Iterable[int]) -> frozenset[int]:
    found = set(some)
    while not (new := {table[a][b] for a in found for b in found}) <= found:
        found |= new
    return frozenset(found)


def hold_bound(proof: Proof, letters: Sequence[Images]) -> None:
    """No layer for constants, one for a group, three for the published example."""
    maps = products(letters)
    if all(len(set(f)) == 1 for f in maps) or len(maps) == 1:
        proof.exactly("folded_bound: none", [folded_layers.folded_bound(letters, exact) for exact in (True, False)], [0, 0])
    elif all(len(set(f)) == len(f) for f in maps):
        proof.exactly("folded_bound: of a group", [folded_layers.folded_bound(letters, exact) for exact in (True, False)], [1, 1])
    elif list(letters) == [(0, 0, 1, 2), (1, 2, 3, 1)]:
        proof.exactly("folded_bound: of the example", folded_layers.folded_bound(letters, True), 3)
    else:
        repeated = [list(f) for f in (*letters, *letters[::-1])]
        both = [[folded_layers.folded_bound(x, exact) for exact in (True, False)] for x in (letters, repeated)]
        proof.exactly("folded_bound: 1 or more, letters said twice", (both[0], min(both[0]) >= 1), (both[1], True))


def _closed(found: Any, maps: Sequence[Images], letters: Sequence[Images], z: int) -> frozenset[int]:
    """The values of words that the folded graph of the words with value z closes: vertices are values, and one more for the empty word."""
    first, start = list(dict.fromkeys(letters)), len(maps)
    step = [[maps.index(after(g, f)) for g in first] for f in maps] + [list(range(len(first)))]
    useful = {p for p in range(start + 1) if z in _after(p, step) or p in (z, start)}
    edges = [(p, a, q) for p in useful for a, q in enumerate(step[p]) if q in useful]
    parts = _merged(edges, [(start, z)], start + 1)
    where = {p: i for i, s in enumerate(parts) for p in s}
    leads = {(where[p], a): where[q] for p, a, q in edges}
    seen = {(where[start], start)}
    waiting, values = list(seen), set()
    for place, value in waiting:
        for a, new in enumerate(step[value]):
            if (place, a) in leads:
                pair = (leads[place, a], new)
                values |= {new} if pair[0] == where[start] else set()
                if pair not in seen:
                    seen.add(pair)
                    waiting.append(pair)
    return frozenset(values)


def _after(p: int, step: Sequence[Sequence[int]]) -> set[int]:
    found = set(step[p])
    for q in (waiting := list(found)):
        for r in step[q]:
            if r not in found:
                found.add(r)
                waiting.append(r)
    return found


def _over(table: Sequence[Sequence[int]], V: set[int]) -> frozenset[int]:
    """The least set with the idempotents of V, products, and x k y and y k x where y x y = y."""
    found = {e for e in V if table[e][e] == e}
    pairs = [(x, y) for x in V for y in V if table[table[y][x]][y] == y]
    while True:
        new = {table[a][b] for a in found for b in found}
        new |= {table[table[p][k]][q] for k in found for x, y in pairs for p, q in ((x, y), (y, x))}
        if new <= found:
            return frozenset(found)
        found |= new


@tie("new.automata.depth.two-layers")
def machines_above_machines(proof: Proof) -> None:
    """Last uses, fibres and what words do to them by listing words of both machines; the first turns that serve, up to three points; states up to 13."""
    rng = Random(413)
    shapes = [(3, 2), (2, 2), (5, 1), (4, 1), (3, 1), (2, 3), (13, 1), (1, 1)]
    drawn = [{"abc"[a]: tuple(rng.randrange(n) for _ in range(n)) for a in range(k)} for n, k in shapes]
    drawn += [{"a": (1, 0, 2), "b": (0, 0, 1)}, {"a": (1, 2, 0), "b": (0, 0, 2)}]
    for table in proof.tied("machines of up to 13 states", drawn):
        automaton = Automaton(table, 0, frozenset({0}))
        served = None
        for points in (1, 2, 3):
            for turns in product(range(points), repeat=len(table)):
                moves = {x: tuple((i + turn) % points for i in range(points)) for x, turn in zip(table, turns, strict=True)}
                if gcd(points, *turns) > 1 or len(table) + points > 4:
                    continue
                start, step = two_layers.last_uses(moves)
                place, order = (0, ()), []
                for x in [rng.choice(list(table)) for _ in range(9)]:
                    used, place = (place[0], x), step(place, x)
                    order = [u for u in order if u != used] + [used]
                    proof.exactly("last_uses", place, (moves[x][used[0]], tuple(order)))
                proof.exactly("last_uses: its start", start, (0, ()))
                pairs = _listed({(0, start)}, lambda s, step=step, table=table: [(table[x][s[0]], step(s[1], x)) for x in table])
                wanted = {p: tuple(sorted(q for q, r in pairs if r == p)) for p in {p for _, p in pairs}}
                found = two_layers.fibres(automaton, start, step)
                proof.exactly("fibres", found, wanted)
                fine = True
                for p, fibre in wanted.items():
                    first = (fibre, p)
                    all_of = _listed(
                        {first}, lambda s, step=step, table=table: [(tuple(table[x][q] for q in s[0]), step(s[1], x)) for x in table]
                    )
                    words = list(two_layers.words_from(automaton, step, p, fibre))
                    proof.exactly("words_from", (set(words), len(words)), (all_of - {first}, len(all_of) - 1))
                    loops = [images for images, end in all_of - {first} if end == p]
                    kept = [dict(zip(fibre, e, strict=True)) for e in loops]
                    kept = [e for e in kept if all(e[e[q]] == e[q] for q in fibre)]
                    fine = fine and all(e[f[e[q]]] == e[f[q]] for e in kept for f in kept for q in fibre)
                proof.exactly("upper_layer_exists", two_layers.upper_layer_exists(automaton, start, step), fine)
                if fine and served is None:
                    served = moves
        if len(table) < 3:
            proof.exactly("two_layers", two_layers.two_layers(automaton, 4 - len(table)), served)
    maps = [tuple(rng.randrange(n) for _ in range(n)) for n in (1, 2, 3, 3, 3) for _ in range(4)] + [
        (0, 0, 2),
        (0, 1, 1),
        (2, 1, 2),
        (0,) * 13,
    ]
    hold(
        proof,
        "maps of up to 13 points",
        two_layers._one_sided,
        lambda e, f: after(e, after(f, e)) == after(e, f),
        [(e, f) for e in maps for f in maps if len(e) == len(f)],
    )


def _listed(start: set[Any], steps: Any) -> set[Any]:
    found = set(start)
    for s in (waiting := list(found)):
        for new in steps(s):
            if new not in found:
                found.add(new)
                waiting.append(new)
    return found
