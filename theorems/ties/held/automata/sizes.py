"""Functions at sizes beyond those of their claims, row by row: up to 13 heads, letters, points, entries and elements, by their definitions."""

from __future__ import annotations

from itertools import combinations, permutations, product
from math import gcd, prod
from random import Random
from typing import Any

import numpy as np
from flint import fmpq

from .....constructions.automata.algebra import permuting, reflection_lifts
from .....constructions.automata.automaton import Automaton
from .....constructions.automata.cascade.cascade import Move
from .....constructions.automata.layers import copies, covers, level_vectors, swap_per_token
from .....constructions.automata.layers.metacyclic import Metacyclic
from .....constructions.automata.levels import numbered, repaired
from .....constructions.automata.rounding import stochastic, terms
from .....constructions.languages import paired_heads, width
from .....numerics.primes import prime_factors
from ....claim import tie
from ....evidence import Proof
from .. import POSITIVE, SIZES, hold
from .common import after, inversions
from .over_groups import classes_of, orders_of, told_apart


@tie("new.automata.one-layer.two-factor-heads")
def heads_of_two_factors(proof: Proof) -> None:
    """Classes of two heads in one, up to 13 letters; all families of classes for up to three; what heads tell, by listing orders; up to 13 heads and factors."""
    rng = Random(421)

    def two_in_one(m: int) -> list[tuple[tuple[int, ...], ...]]:
        heads = [classes_of(m)[c] for c in range(m)]
        sets = [tuple(tuple(x for x in range(m) if head[x] == c) for c in range(max(head) + 1)) for head in heads]
        return [(*sets[i], *(sets[i + 1] if i + 1 < m else ())) for i in range(0, m, 2)]

    def families(m: int, factors: int) -> list[Any]:
        sets = [s for k in range(1, m + 1) for s in combinations(range(m), k)]
        some = (f for k in range(len(sets) + 1) for f in combinations(sets, k))
        return sorted(f for f in some if all(sum(x in s for s in f) <= factors for x in range(m)))

    def told(m: int, heads: list[Any]) -> bool:
        known: dict[Any, Any] = {}
        rows = ((p, (p[-1], *(max([p.index(x) for x in c if x in p], default=-1) for head in heads for c in head))) for p in orders_of(m))
        # places in the order are read as letters
        return all(known.setdefault((row[0], *(p[i] if i >= 0 else None for i in row[1:])), p) == p for p, row in rows)

    hold(proof, "1 to 13 letters", paired_heads.heads_of_two_factors, two_in_one, [(m,) for m in POSITIVE])
    given = [(m, f) for m in (0, 1, 2, 3) for f in (0, 1, 2, 3)] + [(2, 13), (1, 7), (2, 5)]
    hold(proof, "up to 3 letters, 13 factors", lambda m, f: sorted(paired_heads.all_classes(m, f)), families, given, "all_classes")
    heads = {m: families(m, 2) for m in (1, 2, 3)}
    some = [(m, [rng.choice(heads[m]) for _ in range(k)]) for m in (1, 2, 3) for k in (0, 1, 1, 2, 3, 13)]
    some += [(m, two_in_one(m)[:k]) for m in (4, 5) for k in range(4)] + [(2, [((0,), (1,))] * 13)]
    hold(proof, "up to 5 letters, 13 heads", paired_heads.classes_separate, told, some)


@tie("new.automata.one-layer.one-factor-heads")
def many_heads(proof: Proof) -> None:
    """Up to 13 heads for few letters; how many ways there are to write for up to 9 letters, which are Bell's numbers."""
    ways = {
        m: [h for h in product(range(-1, m), repeat=m) if list(dict.fromkeys(c for c in h if c >= 0)) == list(range(max([-1, *h]) + 1))]
        for m in (2, 3)
    }
    some = [(m, (ways[m] * 13)[:k]) for m in (2, 3) for k in (7, 9, 13)] + [(2, [(0, 0)] * 13), (3, [(0, 0, 0)] * 9), (3, [(0, 1, 1)] * 13)]
    hold(proof, "7 to 13 heads", paired_heads.separate, told_apart, some)
    for m, heads in proof.tied("7 to 13 heads in one layer", some):
        layer = paired_heads.layer_of_heads(m, heads)
        proof.exactly("layer_of_heads: width", len(layer.initial), sum(max([-1, *head]) + 1 for head in heads))
        outputs = {p: layer.run(p)[-1] for p in orders_of(m)}
        proof.exactly("layer_of_heads: all orders, if they are told apart", all(y == p for p, y in outputs.items()), told_apart(m, heads))
    bells = [1]
    rows = [1]
    for _ in range(10):
        new = [rows[-1]]
        for x in rows:
            new.append(new[-1] + x)
        rows = new
        bells.append(rows[0])
    for m in proof.tied("0 to 9 letters", (0, 1, 2, 3, 5, 7, 9)):
        heads = list(paired_heads.all_heads(m))
        proof.exactly(
            "all_heads", (len(heads), len(set(heads)), heads[0], heads[-1]), (bells[m + 1], bells[m + 1], (-1,) * m, tuple(range(m)))
        )
    hold(proof, "two letters, up to 13 heads", paired_heads.fewest_heads, lambda m, most: 1, [(2, most) for most in (3, 5, 7, 9, 13)])


@tie("new.automata.copies")
def graphs_of_many_elements(proof: Proof) -> None:
    """Edges, quotients and translates of cyclic groups of up to 13 elements; how many graphs there are; answers by looking them up."""
    rng = Random(422)
    for n in proof.tied("13 elements to 1", POSITIVE[::-1]):
        elements = tuple(tuple((i + k) % n for i in range(n)) for k in range(n))
        steps = [1 % n, (n - 1) % n]
        graph = copies.Graph(tuple(elements[s] for s in steps), elements, tuple(tuple((g + s) % n for s in steps) for g in range(n)))
        proof.exactly("edges", graph.edges, [(g, a) for g in range(n) for a in range(2)])
        proof.exactly("_divided", graph._divided, [[(h - g) % n for h in range(n)] for g in range(n)])
        T = frozenset({(0, 0), (n // 2, 1)})
        moved = [frozenset(((h - g) % n, a) for h, a in T) for g in range(n)]
        proof.exactly("seen_from", [graph.seen_from(g, T) for g in range(n)], moved)
        proof.exactly("back", [graph.back(T, a) for a in range(2)], [moved[s] for s in steps])
        translates = graph.translates(T)
        proof.exactly("translates", (translates[0], set(translates), len(translates)), (T, set(moved), len(set(moved))))
        question = copies.Question(translates)
        wanted = [{e: (frozenset(((h - e[0]) % n, a) for h, a in R), e[1]) for e in R} for R in translates]
        proof.exactly("labels", question.labels(graph), wanted)
        proof.exactly("width", [question.width(n), copies.Question([T], True).width(n)], [len(translates), n])
        order = rng.sample(graph.edges, min(2 * n, 11))
        labels: list[dict[Any, Any]] = [
            dict.fromkeys(rng.sample(graph.edges, min(3, 2 * n)), x) for x in (1, -2, 0.5, 2j, fmpq(1, 3), *range(n))
        ]
        answers = []
        for known in labels:
            last = [known[e] for e in order if e in known]
            answers.append(last[0] if last else None)
        proof.exactly("_answers", copies._answers(labels, order), tuple(answers))
        classes = {k: {q: rng.randint(1, 4) for q in rng.sample(range(13), rng.randint(1, n))} for k in range(n)}
        apart = sum(c[p] * c[q] for c in classes.values() for p in c for q in c if p != q)
        proof.exactly("_conflicts", copies._conflicts(classes), apart)
    for actions in proof.tied("13 to 5 actions, of which at most one swap each is tried", (13, 9, 7, 5)):
        # of the swaps of two points, some or none for each action; for none, a group of one element
        found = copies.graphs(actions)
        proof.exactly("graphs", [len(g.elements) for g in found], [1] + [2] * (2**actions - 1 if actions < 10 else 0))


@tie("grazzi25.sec1.regular")
def points_and_blocks(proof: Proof) -> None:
    """Orbits, blocks by their labels, maps of orbits, generators without those that are products; up to 13 points, labels of either sign."""
    rng = Random(423)
    for n in proof.tied("13 points to 1", POSITIVE[::-1]):
        parts = [x % max(n // 2, 1) for x in range(n)]
        turned = [next(j for j in [*range(i + 1, n), *range(n)] if parts[j] == parts[i]) for i in range(n)]
        for moves, wanted in (
            ([], [[i] for i in range(n)]),
            ([tuple(turned)], [[i for i in range(n) if parts[i] == c] for c in sorted(set(parts))]),
            ([tuple((i + 1) % n for i in range(n))], [list(range(n))]),
        ):
            proof.exactly("_orbits", level_vectors._orbits(n, moves), wanted)
        labels = [rng.randint(-3, 3) for _ in range(n)]
        met = list(dict.fromkeys(labels))
        proof.exactly("_numbered", level_vectors._numbered(labels), tuple(met.index(x) for x in labels))
        # two circles of n points that turn by 1 and by s: alike if s is 1, or if n is 1
        for s in (1, n - 1, 2):
            move = tuple([(i + 1) % n for i in range(n)] + [n + (i + s) % n for i in range(n)])
            found = level_vectors._alike(list(range(n)), list(range(n, 2 * n)), [move])
            if gcd(s, n) > 1:
                proof.exactly("_alike: none", found, None)
            else:
                proof.exactly(
                    "_alike",
                    found is not None and (len(set(found.values())), all(found[move[i]] == move[found[i]] for i in found)),
                    (n, True),
                )
        proof.exactly(
            "_alike: other lengths",
            level_vectors._alike([0], list(range(1, n + 2)), [(0, *range(2, n + 2), 1)]) if n > 1 else None,
            None,
        )
        g, h = tuple(rng.sample(range(n), n)), tuple(rng.sample(range(n), n))
        proof.exactly("is_odd", [covers.is_odd(g), covers.is_odd(h)], [inversions(g) % 2 == 1, inversions(h) % 2 == 1])
        chosen = swap_per_token._swaps(g, n + 1)
        together = tuple(range(n))
        for f in chosen:
            together = after(f, together)
        proof.exactly(
            "_swaps", (together, len(chosen), all(sum(i != j for i, j in enumerate(f)) in (0, 2) for f in chosen)), (g, n + 1, True)
        )
    six, three = (1, 2, 3, 4, 5, 0), (2, 3, 4, 5, 0, 1)
    swap, cycle = (1, 0, 2, 3), (1, 2, 3, 0)
    rows = [
        ({"a": six, "b": three}, [six]),
        ({"b": three, "a": six}, [three, six]),
        ({"a": swap, "b": swap, "c": cycle, "d": (2, 3, 0, 1)}, [swap, cycle]),
        ({"a": (0, 2, 1), "b": (1, 2, 0), "c": (1, 0, 2)}, [(0, 2, 1), (1, 2, 0)]),
    ]
    for letters, wanted in proof.tied("letters of four groups", rows):
        found_group = permuting.permuting(Automaton(letters, 0))
        proof.exactly("generators", found_group is not None and [tuple(g) for g in found_group.generators], wanted)
    numbers = [(prod(p),) for p in ([2, 3, 5, 7, 11], [2, 3, 5, 7, 11, 13, 17, 19, 23, 29], [2, 2, 3], [97], [4, 9, 25, 49])] + [
        (1,),
        (2,),
        (360,),
    ]

    def divided(n: int) -> list[int]:
        primes, p = [], 2
        while n > 1:
            if n % p == 0:
                primes.append(p)
            while n % p == 0:
                n //= p
            p += 1
        return primes

    hold(proof, "products of up to ten primes", prime_factors, divided, numbers)


@tie("new.automata.unrounded")
def levels_of_many_states(proof: Proof) -> None:
    """Maps of one-hot states with a number, and what is read off them; vertices of a simplex; up to 13 states."""
    rng = Random(424)
    for m in proof.tied("13 states to 2", (13, 12, 9, 7, 5, 3, 2)):
        g, r = tuple(rng.sample(range(m), m)), rng.randrange(m)
        vertex = [repaired.vertex(m, q)[:, 0].tolist() for q in range(m)]
        proof.exactly("vertex", vertex, [[fmpq(int(i == q)) - fmpq(1, m) for i in range(m)] for q in range(m)])
        A, B = numbered.numbered_maps(Move(g, None), m)
        proof.exactly(
            "numbered_maps: permutation",
            (A.tolist(), B[:, 0].tolist()),
            ([[fmpq(int(j < m and i < m and g[j] == i)) for j in range(m + 1)] for i in range(m + 1)], [fmpq(0)] * (m + 1)),
        )
        u = numbered.old_numbers(m, r)[0].tolist()
        A, B = numbered.numbered_maps(Move(None, r), m)
        proof.exactly(
            "numbered_maps: reset",
            (A.tolist(), B[:, 0].tolist()),
            ([[fmpq(0)] * (m + 1)] * m + [[*u, fmpq(0)]], [fmpq(int(i == r)) for i in range(m + 1)]),
        )
        for q in range(m):
            one = np.array([[fmpq(int(i == q))] for i in range(m)] + [[fmpq(0)]], dtype=object)
            proof.exactly("numbered_positions: permutation", numbered.numbered_positions(one, Move(g, None)), (g.index(q), q))
            reset = np.array([[fmpq(int(i == r))] for i in range(m)] + [[u[q]]], dtype=object)
            proof.exactly("numbered_positions: reset", numbered.numbered_positions(reset, Move(None, r)), (q, r))
        none = np.array([[fmpq(1)]] * 2 + [[fmpq(0)]] * (m - 1), dtype=object)
        proof.exactly("numbered_positions: no state", numbered.numbered_positions(none, Move(g, None)), None)


@tie("new.automata.float-length")
def signed_partial_permutations(proof: Proof) -> None:
    """Which maps move entries, with signs, and write into empty rows alone: one entry of a matrix changed at a time; up to 13 rows."""
    rng = Random(425)
    for n in proof.tied("13 rows to 1", POSITIVE[::-1]):
        for _ in range(4):
            A, B, images = np.zeros((2, n, n)), np.zeros((2, n)), rng.sample(range(n), n)
            for j in range(n):
                if rng.random() < 0.7:
                    A[1, images[j], j] = rng.choice((-1, 1))
            for i in range(n):
                B[1, i] = rng.choice((0, 2)) if not A[1, i].any() else 0
            proof.exactly("_signed, _moves", (terms._signed(A), terms._moves(A, B)), (True, True))
            i, j = rng.randrange(n), rng.randrange(n)
            changed, written = A.copy(), B.copy()
            changed[1, i, j] = rng.choice((1, -1, 2, 0.5, 0))
            written[1, i] = 1
            entries = changed[1].tolist()
            fine = all(x in (-1, 0, 1) for row in entries for x in row) and all(
                sum(x != 0 for x in row) <= 1 for row in [*entries, *zip(*entries, strict=True)]
            )
            apart = lambda M, N, n=n: all(not N[1, k] or not M[1, k].any() for k in range(n))  # noqa: E731
            proof.exactly("_signed", terms._signed(changed), fine)
            proof.exactly("_moves", [terms._moves(changed, B), terms._moves(A, written)], [fine and apart(changed, B), apart(A, written)])


@tie("new.automata.horizon")
def roundings_of_long_vectors(proof: Proof) -> None:
    """All roundings of up to 13 entries, three of them off the grid; errors after up to 13 letters of one coordinate, by all runs."""
    rng = Random(426)

    def neighbours(h: Any, unit: fmpq) -> list[Any]:
        found: list[tuple[fmpq, list[fmpq]]] = [(fmpq(1), [])]
        for x in h[:, 0]:
            below = unit * int((x / unit).floor())
            both = [(fmpq(1), x)] if below == x else [((below + unit - x) / unit, below), ((x - below) / unit, below + unit)]
            found = [(p * share, [*row, y]) for p, row in found for share, y in both]
        return [(p, [[y] for y in row]) for p, row in found]

    rows = []
    for n in SIZES[1:]:
        column = [[fmpq(rng.randint(-5, 5))] for _ in range(n)]
        for i in rng.sample(range(n), min(n, 3)):
            column[i][0] += fmpq(1, 3)
        rows.append((np.array(column, dtype=object), fmpq(1)))
    plainly = lambda h, unit: [(p, g.tolist()) for p, g in stochastic.rounded_vectors(h, unit)]  # noqa: E731
    hold(proof, "1 to 13 entries", plainly, neighbours, rows, "rounded_vectors")
    for length in proof.tied("words of up to 13 letters, one coordinate", (13, 12, 9, 7, 5, 3, 1, 0)):
        signs = [np.array([[fmpq(s)]], dtype=object) for s in (1, -1)]
        half = np.array([[fmpq(1, 2)]], dtype=object)
        word = [0] * max(length - 1, 0) + [2] * min(length, 1)
        found = stochastic.error_moments(
            [*signs, half], word, np.array([[fmpq(3)]], dtype=object), fmpq(1), np.array([[fmpq(2)]], dtype=object)
        )
        # 3/2 is rounded to 1 or 2: an error of 1/2 either way, and the form is 2
        proof.exactly("error_moments", found, (fmpq(1, 2), fmpq(1, 2)) if length else (fmpq(0), fmpq(0)))


@tie("new.automata.one-factor.census")
def parts_that_commute(proof: Proof) -> None:
    """The elements of cyclic groups of up to 13 elements each by themselves, those of a symmetric group together, of a product in two parts."""
    for n in proof.tied("13 elements to 1", POSITIVE[::-1]):
        table = np.add.outer(np.arange(n), np.arange(n)) % n
        proof.exactly("components: cyclic", reflection_lifts.components(table, range(n)), [frozenset({x}) for x in range(1, n)])
    three = sorted(permutations(range(3)))
    table = np.array([[three.index(after(g, h)) for h in three] for g in three])
    for letters in proof.tied("letters of S3", [range(6), [1, 2], [3, 4], [1], [0]]):
        wanted = (
            [frozenset({1, 2, 3, 4, 5})]
            if letters == range(6)
            else [frozenset({3}), frozenset({4})]
            if letters == [3, 4]
            else [frozenset(letters) - {0}]
            if letters != [0]
            else []
        )
        proof.exactly("components: S3", reflection_lifts.components(table, letters), wanted)


@tie("new.automata.fewest-reflections.metacyclic")
def multiplication_in_order(proof: Proof) -> None:
    """Multiplication from the left on the elements in order, by moving each b past the powers of a; cyclic and dihedral groups of up to 26 elements."""
    for m, s, u in proof.tied(
        "up to 13 turns", [(13, 2, 12), (9, 2, 8), (7, 3, 2), (12, 1, 1), (5, 4, 2), (3, 2, 2), (1, 13, 0), (2, 2, 1)]
    ):
        group = Metacyclic(m, s, u % m, 0)
        elements = [(i, j) for j in range(s) for i in range(m)]
        for g in elements:
            wanted = [((g[0] + h[0] * u ** g[1]) % m, (g[1] + h[1]) % s) for h in elements]
            proof.exactly("permutation", [elements[k] for k in group.permutation(g)], wanted)


@tie("new.automata.one-layer.width")
def widths_by_walking(proof: Proof) -> None:
    """Steps to a cycle and its length by walking, and the least width for both, maps of up to 13 points."""
    rng = Random(427)

    def walked(f: list[int]) -> tuple[list[int], list[int]]:
        tails, periods = [], []
        for q in range(len(f)):
            path = [q]
            while f[path[-1]] not in path:
                path.append(f[path[-1]])
            tails.append(path.index(f[path[-1]]))
            periods.append(len(path) - tails[-1])
        return tails, periods

    def least(period: int) -> int:
        parts = [x for x in range(2, period + 1) if period % x == 0 and gcd(x, period // x) == 1 and len(prime_divisors(x)) == 1]
        total = sum(sum(gcd(i, x) == 1 for i in range(x)) for x in parts if x != 2 or len(parts) == 1)
        return total if period > 1 else 0

    def prime_divisors(x: int) -> list[int]:
        return [p for p in range(2, x + 1) if x % p == 0 and all(p % d for d in range(2, p))]

    maps = [[rng.randrange(n) for _ in range(n)] for n in POSITIVE for _ in range(3)]
    maps += [[min(i + 1, n - 1) for i in range(n)] for n in POSITIVE] + [[(i + 1) % n for i in range(n)] for n in POSITIVE]
    maps += [[1, 2, 3, 4, 2], [1, 2, 3, 4, 5, 6, 7, 2], [1, 2, 3, 1], [1, 0, 3, 4, 2, 0]]
    hold(proof, "up to 13 points", width._paths, walked, [(f,) for f in maps])
    hold(
        proof,
        "up to 13 points",
        width._of_a_map,
        lambda f: max(t + least(p) for t, p in zip(*walked(f), strict=True)),
        [(f,) for f in maps],
    )
    hold(proof, "periods of 1 to 30", width.rational_width, least, [(p,) for p in range(1, 31)])
