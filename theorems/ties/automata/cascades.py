"""Skeletons and cascades, against what words do to sets of states."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product
from random import Random
from typing import Any

from ....constructions.automata.automaton import Automaton
from ....constructions.automata.cascade.cascade import Cascade, excluded_states, krohn_rhodes
from ....constructions.automata.cascade.skeleton import Skeleton, carried_tiles, classes, heights, images, maximal_subsets, skeleton
from ....constructions.automata.cascade.subsets import Family
from ....constructions.automata.read.sources import from_permutations
from ...claim import tie
from ...evidence import Proof
from ..shared import spread
from .common import random_automaton, words

States = frozenset[int]


def pairs_of(n: int) -> Automaton:
    """A letter onto each pair of n states: more maximal subsets than states from n = 4 on."""
    return Automaton({f"{i}{j}": tuple(i if q <= i else j for q in range(n)) for i, j in combinations(range(n), 2)}, 0)


def automata() -> list[Automaton]:
    """Random automata of up to 7 states, groups, resets, ranks of 2."""
    rng = Random(86)
    found = [random_automaton(rng, n, k) for n, k in ((1, 1), (2, 1), (2, 3), (3, 2), (4, 2), (5, 2), (6, 2), (7, 2))]
    found += [from_permutations({"a": [1, 2, 0], "b": [1, 0, 2]}), from_permutations({"a": [1, 2, 3, 4, 0]})]
    found += [Automaton({f"to {q}": [q] * n for q in range(n)} | {"stay": list(range(n))}, n - 1) for n in (2, 4)]
    # permutations of three states and a letter that merges two of them
    found += [Automaton({"a": [1, 2, 0, 3], "b": [1, 0, 2, 3], "c": [3, 3, 2, 2]}, 0), Automaton({"a": [1, 2, 3, 0], "c": [0, 0, 2, 3]}, 2)]
    return [*found, pairs_of(5)]


def closed(automaton: Automaton, family: set[States]) -> dict[States, dict[Any, States]]:
    """The family with all images under letters, and where each letter takes each set."""
    step = lambda X: {a: frozenset(row[q] for q in X) for a, row in automaton.table.items()}  # noqa: E731
    return {X: step(X) for X in spread(list(family), lambda X: step(X).values())}


def below(image: dict[States, dict[Any, States]]) -> dict[States, set[States]]:
    """The sets that words make of each set."""
    return {X: set(spread([X], lambda Y: image[Y].values())) for X in image}


def maximal(X: States, family: Any) -> set[States]:
    inside = [Y for Y in family if Y < X]
    return {Y for Y in inside if not any(Y < Z for Z in inside)}


@tie("new.automata.holonomy")
def skeletons(proof: Proof) -> None:
    """Families, classes, tiles, heights and holonomy groups by going through all sets."""
    for automaton in proof.tied("automata of 1 to 7 states", automata()):
        top = frozenset(range(automaton.n))
        start = {top, *(frozenset({q}) for q in top)}
        family = closed(automaton, start)
        found = images(automaton, start)
        proof.exactly("images", found, family)
        reached = below(family)
        mutual = {X: frozenset(Y for Y in reached[X] if X in reached[Y]) for X in family}
        grouped = classes(found)
        proof.exactly("classes: all members", set(map(frozenset, grouped)), set(mutual.values()))
        proof.exactly("each once", len(grouped), len(set(mutual.values())))
        first = [(-len(members[0]), sorted(members[0])) for members in grouped]
        proof.holds("largest sets first", first == sorted(first) and all(list(m) == sorted_sets(m) for m in grouped))
        for X in family:
            proof.exactly("maximal subsets", maximal_subsets(X, family), tuple(sorted_sets(maximal(X, family))))
        tiles: dict[States, tuple[States, ...]] = {}
        for members in grouped:
            carried = carried_tiles(found, members, Family(found))
            proof.exactly(
                "tiles of every set of the class", {X: set(T) for X, T in carried.items()}, {X: maximal(X, family) for X in members}
            )
            proof.exactly(
                "along the first letters that lead there",
                carried,
                along_a_tree(found, members, tuple(sorted_sets(maximal(members[0], family)))),
            )
            tiles |= carried
        height = heights(found, tiles, grouped)
        longest = longest_chains(family, tiles, mutual)
        proof.exactly("heights", height, longest)
        for whole in (False, True):
            check_skeleton(proof, skeleton(automaton, whole), automaton, whole)


def along_a_tree(image: Any, members: Any, first: tuple[States, ...]) -> dict[States, tuple[States, ...]]:
    """The tiles of the first member, in their order, and their images along the shortest words, letters in their order."""
    tiles, row = {members[0]: first}, [members[0]]
    while row:
        steps = [(Y, tuple(image[T][a] for T in tiles[X])) for X in row for a, Y in image[X].items() if Y in members]
        new = {Y: T for Y, T in reversed(steps) if Y not in tiles}
        row = list(dict.fromkeys(Y for Y, _ in steps if Y in new))
        tiles |= new
    return tiles


def sorted_sets(members: Any) -> list[States]:
    return sorted(members, key=lambda X: (len(X), sorted(X)))


def longest_chains(family: Any, tiles: Any, mutual: Any) -> dict[States, int]:
    """0 for single states, else one more than the highest class that a letter or a tile leads down to."""
    height: dict[States, int] = {}

    def of(X: States) -> int:
        if X not in height:
            inside = {Y for Z in mutual[X] for Y in (*family[Z].values(), *tiles[Z])} - mutual[X]
            height.update(dict.fromkeys(mutual[X], 0 if len(X) == 1 else 1 + max(of(Y) for Y in inside)))
        return height[X]

    return {X: of(X) for X in family}


def check_skeleton(proof: Proof, found: Skeleton, automaton: Automaton, whole: bool) -> None:
    family = closed(automaton, set(found.image))
    proof.exactly("a skeleton is closed", found.image, family)
    proof.holds("at most as many tiles as states, or all of them", whole or all(len(T) <= automaton.n for T in found.tiles.values()))
    proof.exactly("tiles are maximal", {X: set(T) for X, T in found.tiles.items()}, {X: maximal(X, family) for X in family})
    reached = below(family)
    mutual = {X: frozenset(Y for Y in reached[X] if X in reached[Y]) for X in family}
    proof.exactly("its heights", found.height, longest_chains(family, found.tiles, mutual))
    groups = found.groups()
    proof.exactly("a group for each class with tiles", set(groups), {m[0] for m in found.classes if len(found.tiles[m[0]]) > 1})
    for X in family:
        for a in automaton.letters:
            Y = family[X][a]
            moved = tuple(found.tiles[Y].index(family[T][a]) for T in found.tiles[X]) if Y in mutual[X] else None
            proof.exactly("permutation of tiles by a letter", found.permutation(X, a), moved)
    for X, group in groups.items():
        if group.order() > 24:
            continue
        # words that come back to X, by what they make of its tiles
        step = lambda at: [(family[at[0]][a], tuple(family[T][a] for T in at[1])) for a in automaton.letters]  # noqa: E731
        seen = spread([(X, found.tiles[X])], lambda at: [there for there in step(at) if there[0] in mutual[X]])  # noqa: B023
        wanted = {tuple(found.tiles[X].index(T) for T in carried) for Y, carried in seen if Y == X}
        elements: list[Any] = list(group.elements)
        proof.exactly("the holonomy group", {tuple(g.array_form) for g in elements}, wanted)


def decompositions(automaton: Automaton) -> list[Cascade]:
    kinds = [krohn_rhodes(automaton, parallel, whole) for parallel, whole in product(("shared", "disjoint", "levels"), (False, True))]  # type: ignore[arg-type]
    return [*kinds, excluded_states(automaton)]


def all_states(cascade: Cascade) -> list[tuple[int, ...]]:
    """Positions that stand for tiles, level by level."""
    found: list[tuple[tuple[int, ...], States]] = [((), frozenset(range(cascade.automaton.n)))]
    for k, size in enumerate(cascade.sizes):
        found = [((*s, i), Y) for s, X in found for i in range(size) for Y in [narrowed(cascade, k, X, i)] if Y is not None]
    return [s for s, _ in found]


def narrowed(cascade: Cascade, k: int, X: States, i: int) -> States | None:
    """What position i of level k leaves of X; None if it stands for no tile."""
    if cascade.level(X) != k:
        return X
    tiles, first = cascade.tiles(X), cascade.first(X)
    return tiles[i - first] if first <= i < first + len(tiles) else None


def by_definition(
    cascade: Cascade, state: tuple[int, ...], letter: Any
) -> tuple[list[Callable[[int], int]], list[tuple[States, States]], tuple[int, ...]]:
    """(actions, what each level looks at before and after, the state after)."""
    row = cascade.automaton.table[letter]
    X = Y = frozenset(range(cascade.automaton.n))
    actions, seen, after = [], [], []
    for k, i in enumerate(state):
        seen.append((X, Y))
        image = frozenset(row[q] for q in X)
        if cascade.level(Y) != k:
            action = lambda j: j  # noqa: E731
        else:
            tiles, first = cascade.tiles(Y), cascade.first(Y)
            if image == Y and cascade.level(X) == k:
                own, start = cascade.tiles(X), cascade.first(X)
                to = {start + j: first + tiles.index(frozenset(row[q] for q in T)) for j, T in enumerate(own)}
                action = lambda j, to=to: to.get(j, j)  # noqa: E731
            else:
                reset = first + next(j for j, T in enumerate(tiles) if image <= T)
                action = lambda j, reset=reset: reset  # noqa: E731
        actions.append(action)
        after.append(action(i))
        left, right = narrowed(cascade, k, X, i), narrowed(cascade, k, Y, after[-1])
        assert left is not None
        assert right is not None
        X, Y = left, right
    return actions, seen, tuple(after)


@tie("new.automata.holonomy")
def cascades(proof: Proof) -> None:
    """Steps, reads and groups of every state of a cascade, by the definition of its levels."""
    rng = Random(87)
    small = [a for a in automata() if a.n <= 4 and len(a.letters) <= 4]
    for automaton in proof.tied("automata of 1 to 4 states, seven ways to choose tiles", small):
        for cascade in decompositions(automaton):
            states = all_states(cascade)
            reads, moves = set(), [{tuple(range(size))} for size in cascade.sizes]
            for state, letter in product(states, automaton.letters):
                actions, seen, after = by_definition(cascade, state, letter)
                found = cascade.moves(letter, state)
                positions = [range(size) for size in cascade.sizes]
                for k, (move, action, (X, Y)) in enumerate(zip(found, actions, seen, strict=True)):
                    standing = [i for i in positions[k] if cascade.stands(k, X, i)]
                    proof.exactly("what a letter does to a level", [move(i) for i in standing], [action(i) for i in standing])
                    reads.add((k, letter, X, Y))
                    if move.permutation is not None:
                        moves[k].add(move.permutation)
                proof.exactly("the state after a letter", cascade.step(state, letter), after)
                q = cascade.emulated(state)
                proof.exactly("it emulates the automaton", cascade.emulated(after), automaton.table[letter][q])
                proof.exactly("by a descending chain", cascade.chain(state), [*(X for X, _ in seen), frozenset({q})])
            proof.exactly("everything that levels read", set(cascade.reads()), reads)
            count = len(reads)
            proof.exactly(
                "and how much",
                [cascade.reads_at_most(b) for b in (0, count - 1, count, count + 1)],
                [count == 0, False, True, True],
            )
            proof.exactly("groups of the levels", [g.order() for g in cascade.level_groups()], [len(group_of(m)) for m in moves])
            for k, X, i in product(range(len(cascade.sizes)), {X for _, _, X, _ in reads}, range(max(cascade.sizes, default=0))):
                stands = narrowed(cascade, k, X, i) is not None
                proof.exactly(
                    "stands, and chosen",
                    (cascade.stands(k, X, i), cascade.chosen(k, X, i) if stands else None),
                    (stands, narrowed(cascade, k, X, i)),
                )
            word = words(rng, automaton.letters, (30,))[0]
            state = cascade.start
            proof.exactly("the start", cascade.emulated(state), automaton.start)
            for x, q in zip(word, automaton.run(word), strict=True):
                state = cascade.step(state, x)
                proof.exactly("words", cascade.emulated(state), q)
            reached = reachable(cascade)
            proof.exactly("what words reach, in order", list(cascade.reachable().items()), reached)


def reachable(cascade: Cascade) -> list[tuple[tuple[int, ...], int]]:
    """The states that words reach, breadth first, and what they emulate."""
    found = spread([cascade.start], lambda state: [by_definition(cascade, state, x)[2] for x in cascade.automaton.letters])
    return [(state, next(iter(cascade.chain(state)[-1]))) for state in found]


def group_of(generators: set[tuple[int, ...]]) -> list[tuple[int, ...]]:
    return spread(list(generators), lambda g: [tuple(g[i] for i in h) for h in generators])


@tie("new.automata.holonomy")
def sizes_of_levels(proof: Proof) -> None:
    """One level to a height, or to a class; positions shared or apart; n, n - 1, ..., 2 where states are excluded."""
    for automaton in proof.tied("automata of 1 to 7 states", automata()):
        found = skeleton(automaton)
        split = [(found.height[m[0]], len(found.tiles[m[0]])) for m in found.classes if len(m[0]) > 1]
        used = sorted({h for h, _ in split}, reverse=True)
        by_height = [[tiles for h, tiles in split if h == height] for height in used]
        proof.exactly("shared", krohn_rhodes(automaton).sizes, tuple(map(max, by_height)))
        proof.exactly("disjoint", krohn_rhodes(automaton, "disjoint").sizes, tuple(map(sum, by_height)))
        proof.exactly("levels", sorted(krohn_rhodes(automaton, "levels").sizes), sorted(tiles for _, tiles in split))
        excluded = excluded_states(automaton)
        proof.exactly("excluded states", excluded.sizes, tuple(range(automaton.n, 1, -1)))
        for X in map(frozenset, ({0}, range(automaton.n), range(0, automaton.n, 2))):
            proof.exactly(
                "tiles that lack a state", (excluded.tiles(X), excluded.level(X)), (tuple(X - {q} for q in sorted(X)), automaton.n - len(X))
            )
