"""Krohn-Rhodes: every automaton as a cascade of permutation-reset automata (grazzi25, Theorem 5, App. C.4)."""

from __future__ import annotations

from itertools import product
from random import Random

from sympy.combinatorics import Permutation, PermutationGroup

from ...constructions.automata import Automaton, excluded_states, krohn_rhodes
from ...constructions.automata.cascade.cascade import Cascade, Move
from ...constructions.automata.cascade.skeleton import Skeleton, images, maximal_subsets
from ...constructions.automata.read.families import all_automata, full_transformations, random_automaton
from ..claim import claim
from ..evidence import Proof


def family(proof: Proof, seed: int) -> tuple[str, list[Automaton]]:
    """All automata with up to 3 states and 2 letters, random larger ones, full transformation monoids."""
    rng = Random(seed)
    largest, count, points = proof.pick((4, 6, 4), (5, 25, 5), (6, 60, 6))
    small = [a for n, letters in ((1, 1), (2, 1), (2, 2), (3, 1)) for a in all_automata(n, letters)]
    if proof.effort != "quick":
        small += list(all_automata(3, 2))
    random = [random_automaton(rng, rng.randint(4, largest), rng.randint(1, 3)) for _ in range(count)]
    full = [full_transformations(n) for n in range(2, points + 1)]
    proof.exactly("all maps of three points are among the letters' products", len(_products(full[1])), 27)
    proof.holds(
        "the random automata differ, and have more than one state",
        len({str(a.table) for a in random}) == count and min(a.n for a in random) > 1,
    )
    proof.holds(
        "some letters permute two states or more, and some merge them",
        {len(set(x)) == a.n > 1 for a in small for x in a.table.values()} == {True, False},
    )
    letters = "1 letter" if proof.effort == "quick" else "2 letters"
    return (
        f"all automata with n <= 3 states and {letters}, {count} random ones with n <= {largest} (seed {seed}), all maps of n <= {points} points",
        small + random + full,
    )


def _products(automaton: Automaton) -> set[tuple[int, ...]]:
    """All maps that words make, the empty one included."""
    found = [tuple(range(automaton.n))]
    for f in found:
        for moved in automaton.table.values():
            after = tuple(moved[q] for q in f)
            if after not in found:
                found.append(after)
    return set(found)


def _emulates(proof: Proof, cascade: Cascade, states, moves) -> None:
    """For every one of the cascade's ``states`` and every letter: W follows the automaton, and all actions are permutations or resets."""
    automaton = cascade.automaton
    right = proper = True
    for state in states:
        for letter in automaton.letters:
            found = moves(cascade, letter, state)
            after = tuple(m(i) for m, i in zip(found, state, strict=True))
            right = right and _stands_for(cascade, after) == automaton.step(cascade.emulated(state), letter)
            proper = proper and all(permutation_or_reset(m, size) for m, size in zip(found, cascade.sizes, strict=True))
    proof.exactly("W(cascade step) = automaton step, for every cascade state and letter", right, True)
    proof.exactly("every level's action is a permutation or a reset", proper, True)
    proof.exactly("the start is emulated", cascade.emulated(cascade.start), automaton.start)


def _stands_for(cascade: Cascade, state) -> int | None:
    """W of a cascade state; None for positions that stand for no tile."""
    X = cascade.top
    for k, i in enumerate(state):
        if cascade.level(X) == k and not 0 <= i - cascade.first(X) < len(cascade.tiles(X)):
            return None
        X = cascade.chosen(k, X, i)
    return min(X)


def permutation_or_reset(move: Move, m: int) -> bool:
    if move.permutation is not None:
        return sorted(move.permutation) == list(range(m)) and move.reset is None
    return move.reset is not None and 0 <= move.reset < m


def _resets_to_zero(cascade: Cascade, letter, state) -> list[Move]:
    """A broken cascade: a reset always goes to position 0, whatever tile holds the image."""
    return [move if move.permutation is not None else Move(None, 0) for move in cascade.moves(letter, state)]


def _inverted(cascade: Cascade, letter, state) -> list[Move]:
    moves = cascade.moves(letter, state)
    return [m if m.permutation is None else Move(tuple(m.permutation.index(i) for i in range(len(m.permutation))), None) for m in moves]


_BROKEN = {
    "a reset goes to a fixed position": {"moves": _resets_to_zero},
    "permutations are inverted": {"moves": _inverted},
}


@claim(
    "grazzi25.thm5",
    place="Theorem 5 (Krohn-Rhodes, App. C.4)",
    title="every automaton with n states is emulated by a permutation-reset cascade; n − 1 levels of n, …, 2 states do",
    says=r"For every automaton there are a cascade of permutation-reset automata with $|Q|,|Q|-1,\dots,2$ states, so $s=|Q|-1\le2^{|Q|}$ levels with $|Q_i|\le|Q|$, and a map "
    r"$\mathcal W$ with $\mathcal W(\delta^\times(q^\times,a))=\delta(\mathcal W(q^\times),a)$ for every cascade state and letter.",
    reading="the cascade product of Definition 1 for several levels: a level reads the states of the levels before it, before the letter (the second delta of Definition 1 is printed without its prime)",
    hypotheses=("an automaton with one state needs no level; Theorem 5 then takes a level with one state",),
    remarks=(
        "A classical theorem, which the paper cites; the cascade of |Q| - 1 levels is the classical decomposition of the full transformation monoid (Zeiger, Ginzburg, Eilenberg).",
    ),
    construction="lemmata.constructions.automata.cascade.cascade.excluded_states",
    sabotages={"a level less, which the kernel refutes": {"theorem": "false_variants.every_automaton_is_a_shorter_cascade"}, **_BROKEN},
)
def excluded_states_emulate(proof: Proof, moves=Cascade.moves, theorem: str = "automata.every_automaton_is_a_cascade") -> None:
    r"""Level $k$ remembers a state that the automaton is *not* in, among those that the levels before have not excluded.

    1. Before the letter $a$ the levels $1,\dots,k-1$ have excluded $k-1$ states; let $X$ be the rest, $|X|=n-k+1$, and $Y$ the rest after the letter, as the levels before leave it. By induction on $k$, $Xa\subseteq Y$: at $k=1$ both
       are $Q$. [prose]
    2. If $a$ maps $X$ onto $Y$, it does so bijectively, since $|X|=|Y|$: level $k$ excludes $xa$ where it excluded $x$, a permutation of $n-k+1$ positions. [checked: "every level's action is a permutation or a reset"]
    3. If not, some $y\in Y$ is no image of a state in $X$: level $k$ excludes $y$, whatever it held, a reset. [checked: "every level's action is a permutation or a reset"]
    4. Either way what is left, $X\setminus\{x\}$, is mapped into what is left of $Y$, which is step 1 for $k+1$. After $n-1$ levels one state is left, the true one was never excluded, so $\mathcal W$ is that state and follows $\delta$.
       [checked: "W(cascade step) = automaton step"; "the start is emulated"]
    5. The levels have $n,n-1,\dots,2$ states, and $n-1\le2^n$. [checked: "the levels have n, n-1, ..., 2 states"]
    """
    proof.formally(
        "the kernel: every automaton is a cascade of |Q| - 1 levels",
        theorem,
        whole="every automaton",
        differs="levels read the states below them before the letter, as in the paper's cascade; any set of letters",
    )
    describe, automata = family(proof, 71)
    permuting = sum(any(len(set(images)) == a.n > 1 for images in a.table.values()) for a in automata)
    proof.holds("a quarter of them have a letter that permutes two states or more", 4 * permuting >= len(automata))
    for automaton in proof.each(describe, automata):
        cascade = excluded_states(automaton)
        _emulates(proof, cascade, product(*(range(m) for m in cascade.sizes)), moves)
        proof.exactly("the levels have n, n-1, ..., 2 states", list(cascade.sizes), list(range(automaton.n, 1, -1)))
        if automaton.n in (2, 3) and len(automaton.letters) == 3:
            _certify(proof, f"all maps of {automaton.n} points", cascade, moves)


def _certify(proof: Proof, title: str, cascade: Cascade, moves) -> None:
    """The automaton, and of every state of the cascade what it stands for and where the letters take it."""
    states = list(product(*(range(m) for m in cascade.sizes)))
    automaton = cascade.automaton
    steps = [[[m(i) for m, i in zip(moves(cascade, x, s), s, strict=True)] for x in automaton.letters] for s in states]
    proof.certificate(
        "witness",
        title,
        table=[list(automaton.table[x]) for x in automaton.letters],
        start=[automaton.start, list(cascade.start)],
        sizes=list(cascade.sizes),
        states=[list(s) for s in states],
        emulated=[cascade.emulated(s) for s in states],
        steps=steps,
    )


@claim(
    "new.automata.holonomy",
    place="after grazzi25 Theorem 5 (Krohn-Rhodes, App. C.4)",
    title="the holonomy cascade emulates every automaton, with at most n states per level and groups that divide its monoid",
    says=r"The levels are the heights of the family of images $\{Q\cdot s\}\cup\{\{q\}\}$ under subduction, enlarged where a set has more than $|Q|$ tiles. $\mathcal W$ follows the automaton "
    r"on every reachable cascade state; $|Q_i|\le|Q|$, $s\le2^{|Q|}$; the permutations of a class's tiles form its holonomy group, the image of a group in the monoid.",
    known="The holonomy decomposition is known (Zeiger 1967; Eilenberg 1976; Egri-Nagy and Nehaniv, arXiv 1508.06345). Ours is only the width of at most n, by one-point-smaller sets where a set has more tiles.",
    hypotheses=(
        "cascade states that words reach (others stand for no state)",
        "classes of equal height share a level; positions of their own, or one level for each class, keep the groups apart",
    ),
    construction="lemmata.constructions.automata.cascade.cascade.krohn_rhodes",
    sabotages=_BROKEN
    | {
        "tiles are numbered by size instead of carried along words": {"group_of": lambda skeleton: _uncarried(skeleton)},
        "classes of equal height share positions": {"apart": lambda automaton: krohn_rhodes(automaton)},
    },
)
def holonomy(proof: Proof, moves=Cascade.moves, group_of=Skeleton.groups, apart=lambda a: krohn_rhodes(a, "disjoint")) -> None:
    r"""A level's set $X$ goes into $Y$; either the letter carries it there, and permutes tiles, or the image is smaller and lies in one tile.

    1. If $Xa=Y$ the two sets are equivalent, $a$ permutes the tiles, and since tiles were numbered along words it does so by an element of the holonomy group. [checked: "every level's action is a permutation or a reset"]
    2. Otherwise $Xa$ is a smaller member of the family inside $Y$, so it lies in a tile: a reset. [checked: "W(cascade step) = automaton step"]
    3. The holonomy group of a representative is what words that return to it do to its tiles: found from the words themselves, by a search until nothing new appears, and from the letters of the whole class.
       [checked: "the holonomy group is what returning words do"]
    4. Where a set has more than $n$ maximal images, one-point-smaller sets take their place, at most $n$. [checked: "at most n states on every level"; "at most 2^n levels"; "five states with seven maximal images"]
    5. Classes of equal height that share positions can generate a group that the monoid has not; with positions of their own a letter permutes the tiles of one class and nothing else, so that a level's group
       lies in the direct product of holonomy groups. [checked: "shared positions generate S_3"; "a permutation of positions is one of a class's holonomy group, and moves no others"]
    6. The same steps hold for every automaton. [prose]
    """
    describe, automata = family(proof, 75)
    for automaton in proof.each(describe, automata):
        # one level for each class multiplies the states of the cascade: up to 5 states here
        for cascade in [krohn_rhodes(automaton), *([krohn_rhodes(automaton, parallel="levels")] if automaton.n <= 5 else [])]:
            _emulates(proof, cascade, cascade.reachable(), moves)
            proof.holds("at most n states on every level", all(m <= automaton.n for m in cascade.sizes))
            proof.holds("at most 2^n levels", len(cascade.sizes) <= 2**automaton.n)
        _keeps_apart(proof, apart(automaton), moves)
    twisted = Automaton({"a": (3, 3, 3, 1), "b": (0, 2, 1, 2)})
    squares = [f for f in _products(twisted) if _power(f, 4) == f]
    proof.holds("four states, two letters: no group of the monoid has an element of order 3", all(_power(f, 3) == f for f in squares))
    proof.exactly("shared positions generate S_3", int(krohn_rhodes(twisted).level_groups()[1].order()), 6)
    _keeps_apart(proof, apart(twisted), moves)
    for automaton in proof.each(
        "all automata with 2 states and 2 letters, all maps of 3 points", [*all_automata(2, 2), full_transformations(3)]
    ):
        found = krohn_rhodes(automaton).skeleton
        assert found is not None
        for representative, group in group_of(found).items():
            proof.exactly("the holonomy group is what returning words do", set(_elements(group)), _returning(found, representative))
    many = automaton_with_many_tiles()
    top = frozenset(range(many.n))
    unlimited = maximal_subsets(top, images(many, [top, *(frozenset({q}) for q in top)]))
    proof.holds("five states with seven maximal images", len(unlimited) == 7)
    proof.holds("one-point-smaller sets instead keep the width at five", max(krohn_rhodes(many).sizes) <= many.n)


def _keeps_apart(proof: Proof, cascade: Cascade, moves) -> None:
    """With positions of their own for classes of equal height: what every level can do, by an element of one class's holonomy group."""
    _emulates(proof, cascade, cascade.reachable(), moves)
    assert cascade.skeleton is not None
    groups = {X: set(_elements(g)) for X, g in cascade.skeleton.groups().items()}
    of = {X: groups[members[0]] for members in cascade.skeleton.classes for X in members if members[0] in groups}
    inside = True
    for k, letter, X, Y in cascade.reads():
        permutation = cascade.act(k, letter, X, Y).permutation
        if permutation is not None and cascade.level(Y) == k:
            slot = range(cascade.first(Y), cascade.first(Y) + len(cascade.tiles(Y)))
            inside = inside and tuple(permutation[i] - slot.start for i in slot) in of[Y]
            inside = inside and all(permutation[i] == i for i in range(cascade.sizes[k]) if i not in slot)
    proof.exactly("a permutation of positions is one of a class's holonomy group, and moves no others", inside, True)
    slots = [(cascade.level(X), cascade.first(X) + i) for X in groups for i in range(len(cascade.tiles(X)))]
    proof.exactly("no two classes have a position in common", len(slots), len(set(slots)))


def _power(f: tuple[int, ...], k: int) -> tuple[int, ...]:
    found = tuple(range(len(f)))
    for _ in range(k):
        found = tuple(f[q] for q in found)
    return found


def automaton_with_many_tiles() -> Automaton:
    """Five states and letters whose images are seven of the ten pairs: more maximal images than states."""
    pairs = [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (2, 4)]
    return Automaton({f"{p}{q}": (p, q, p, q, p) for p, q in pairs})


def _elements(group) -> list[tuple[int, ...]]:
    return [tuple(g.array_form) for g in group.elements]


def _returning(skeleton: Skeleton, X) -> set[tuple[int, ...]]:
    """The permutations of the tiles of X by words that return to X, by breadth-first search over maps of X."""
    automaton = skeleton.automaton
    tiles = skeleton.tiles[X]
    seen = {tuple(sorted(X))}
    waiting = list(seen)
    found = set()
    points = sorted(X)
    for successors in waiting:
        if frozenset(successors) == X:
            moved = dict(zip(points, successors, strict=True))
            found.add(tuple(tiles.index(frozenset(moved[q] for q in T)) for T in tiles))
        for a in automaton.letters:
            after = tuple(automaton.step(q, a) for q in successors)
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return found


def _uncarried(skeleton: Skeleton) -> dict:
    """Groups found with tiles numbered by their members, so that letters between sets need not act by group elements."""
    groups = {}
    for members in skeleton.classes:
        moves = set()
        for X in members:
            for a in skeleton.automaton.letters:
                Y = skeleton.image[X][a]
                if len(skeleton.tiles[X]) > 1 and skeleton.height[Y] == skeleton.height[X]:
                    order = sorted(skeleton.tiles[Y], key=sorted)
                    moves.add(tuple(order.index(skeleton.image[T][a]) for T in sorted(skeleton.tiles[X], key=sorted, reverse=True)))
        if moves:
            groups[members[0]] = PermutationGroup([Permutation(m) for m in sorted(moves)])
    return groups
