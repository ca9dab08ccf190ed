"""Krohn-Rhodes and Theorem 4: every automaton as a cascade, and the cascade as a stack of layers (grazzi25, App. C.4, C.5)."""

from __future__ import annotations

from itertools import permutations, product
from random import Random

import numpy as np
from sympy.combinatorics import Permutation, PermutationGroup

from ...constructions import householder
from ...constructions.automata import Automaton, compile_automaton, excluded_states, krohn_rhodes
from ...constructions.automata.cascade import Cascade, Move
from ...constructions.automata.delays import delay_stack
from ...constructions.automata.delta_steps import delta_steps
from ...constructions.automata.families import all_automata, full_transformations, random_automaton
from ...constructions.automata.layers import Read, level_maps, old_and_new_state, printed_layer, repaired_layer, repaired_stack
from ...constructions.automata.skeleton import Skeleton, images, maximal_subsets
from ...constructions.recurrence import Recurrence, Stack, reachable_with
from ...numerics import exact
from ..claim import claim
from ..closure import closes_by_layers, computes, maps_used
from ..evidence import Proof


def _family(proof: Proof, rng: Random) -> tuple[str, list[Automaton]]:
    """All automata with up to 3 states and 2 letters, random larger ones, full transformation monoids."""
    largest, count, points = proof.pick((4, 6, 4), (5, 25, 5), (6, 60, 6))
    small = [a for n, letters in ((1, 1), (2, 1), (2, 2), (3, 1)) for a in all_automata(n, letters)]
    if proof.effort != "quick":
        small += list(all_automata(3, 2))
    random = [random_automaton(rng, rng.randint(4, largest), rng.randint(1, 3)) for _ in range(count)]
    full = [full_transformations(n) for n in range(2, points + 1)]
    letters = "1 letter" if proof.effort == "quick" else "2 letters"
    return (
        f"all automata with n <= 3 states and {letters}, {count} random ones with n <= {largest}, all maps of n <= {points} points",
        small + random + full,
    )


# -- Theorem 5 -------------------------------------------------------------------------------------------------------------


def _emulates(proof: Proof, cascade: Cascade, states, moves) -> None:
    """For every one of the cascade's ``states`` and every letter: W follows the automaton, and all actions are permutations or resets."""
    automaton = cascade.automaton
    right = proper = True
    for state in states:
        for letter in automaton.letters:
            found = moves(cascade, letter, state)
            after = tuple(m(i) for m, i in zip(found, state, strict=True))
            right = right and _stands_for(cascade, after) == automaton.step(cascade.emulated(state), letter)
            proper = proper and all(_permutation_or_reset(m, size) for m, size in zip(found, cascade.sizes, strict=True))
    proof.exactly("W(cascade step) = automaton step, for every cascade state and letter", right, True)
    proof.exactly("every level's action is a permutation or a reset", proper, True)
    proof.exactly("the start is emulated", cascade.emulated(cascade.start), automaton.start)


def _stands_for(cascade: Cascade, state) -> int | None:
    """W of a cascade state; None for positions that stand for no tile."""
    X = cascade.top
    for k, i in enumerate(state):
        if cascade.level(X) == k and i >= len(cascade.tiles(X)):
            return None
        X = cascade.chosen(k, X, i)
    return min(X)


def _permutation_or_reset(move: Move, m: int) -> bool:
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
    topic="automata",
    place="Theorem 5 (Krohn-Rhodes, App. C.4); conjecture at the end of Sec. 4.3",
    title="every automaton with n states is emulated by a cascade of n - 1 permutation-reset automata with n, n-1, ..., 2 states",
    says=r"For every automaton there are a cascade of permutation-reset automata with $|Q|,|Q|-1,\dots,2$ states, so $s=|Q|-1\le2^{|Q|}$ levels with $|Q_i|\le|Q|$, and a map "
    r"$\mathcal W$ with $\mathcal W(\delta^\times(q^\times,a))=\delta(\mathcal W(q^\times),a)$ for every cascade state and letter.",
    hypotheses=("levels read the states of the levels before them before the letter",),
    construction="lemmata.constructions.automata.cascade.excluded_states",
    sabotages=_BROKEN,
)
def excluded_states_emulate(proof: Proof, moves=Cascade.moves) -> None:
    """Level k remembers a state that the automaton is not in, among those that the levels before have not excluded.

    A letter maps what is left, X, into what is left afterwards, Y. If it does so bijectively the excluded state moves along: a
    permutation. If not, some state of Y is hit by none, and excluding it is a reset. After n - 1 levels one state is left, and
    the true state was never excluded, so it is the one.
    """
    describe, family = _family(proof, Random(71))
    for automaton in proof.each(describe, family):
        cascade = excluded_states(automaton)
        _emulates(proof, cascade, product(*(range(m) for m in cascade.sizes)), moves)
        proof.exactly("the levels have n, n-1, ..., 2 states", list(cascade.sizes), list(range(automaton.n, 1, -1)))


@claim(
    "grazzi25.thm5.holonomy",
    topic="automata",
    place="Theorem 5 (Krohn-Rhodes, App. C.4)",
    title="the holonomy cascade emulates every automaton, with at most n states per level and groups that divide its monoid",
    says=r"The levels are the heights of the family of images $\{Q\cdot s\}\cup\{\{q\}\}$ under subduction, enlarged where a set has more than $|Q|$ tiles. $\mathcal W$ follows the automaton "
    r"on every reachable cascade state; $|Q_i|\le|Q|$, $s\le2^{|Q|}$; the permutations of a class's tiles form its holonomy group, the image of a group in the monoid.",
    hypotheses=(
        "cascade states that words reach (others stand for no state)",
        "classes of equal height share a level; one level for each class keeps the groups apart",
    ),
    construction="lemmata.constructions.automata.cascade.krohn_rhodes",
    sabotages=_BROKEN | {"tiles are numbered by size instead of carried along words": {"group_of": lambda skeleton: _uncarried(skeleton)}},
)
def holonomy(proof: Proof, moves=Cascade.moves, group_of=Skeleton.groups) -> None:
    """A level's set X goes into Y. If X a = Y the two sets are equivalent, a permutes the tiles, and since tiles were numbered along
    words it does so by an element of the holonomy group. Otherwise X a is a smaller member of the family inside Y, so it lies in
    a tile: a reset.

    The holonomy group of a representative is what words that return to it do to its tiles: found here from the words themselves, up to
    a length at which nothing new appears, and from the letters of the whole class, as the construction has it."""
    describe, family = _family(proof, Random(75))
    for automaton in proof.each(describe, family):
        # one level for each class multiplies the states of the cascade: up to 5 states here
        for cascade in [krohn_rhodes(automaton), *([krohn_rhodes(automaton, one_level_per_class=True)] if automaton.n <= 5 else [])]:
            _emulates(proof, cascade, cascade.reachable(), moves)
            proof.holds("at most n states on every level", all(m <= automaton.n for m in cascade.sizes))
            proof.holds("at most 2^n levels", len(cascade.sizes) <= 2**automaton.n)
    for automaton in proof.each(
        "all automata with 2 states and 2 letters, all maps of 3 points", [*all_automata(2, 2), full_transformations(3)]
    ):
        found = krohn_rhodes(automaton).skeleton
        for representative, group in group_of(found).items():
            proof.exactly("the holonomy group is what returning words do", set(_elements(group)), _returning(found, representative))
    many = automaton_with_many_tiles()
    top = frozenset(range(many.n))
    unlimited = maximal_subsets(top, images(many, [top, *(frozenset({q}) for q in top)]))
    proof.holds("five states with seven maximal images", len(unlimited) == 7)
    proof.holds("one-point-smaller sets instead keep the width at five", max(krohn_rhodes(many).sizes) <= many.n)


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


# -- Theorem 4 -------------------------------------------------------------------------------------------------------------

_MOVES_OF_TWO = [Move((0, 1), None), Move((1, 0), None), Move(None, 0), Move(None, 1)]


def _cascade_step(first: Move, second: dict[int, Move], state: tuple[int, int]) -> tuple[int, int]:
    """Two levels of two states and one letter: the second acts by the first one's state before the letter (Definition 1)."""
    return first(state[0]), second[state[0]](state[1])


def _printed_outputs(first: Move, second: dict[int, Move], length: int) -> list[tuple[int, int]]:
    """The states that the two layers of App. C.5 output on 1^length: layer 2 reads layer 1's state after the letter."""
    stack = Stack((printed_layer({1: first}, 2), printed_layer({(q, 1): second[q] for q in (0, 1)}, 2)))
    return [(below[0], q) for q, below in stack.run([1] * length)]


def _follows(first: Move, second: dict[int, Move], outputs=_printed_outputs, length: int = 4) -> bool:
    state, expected = (0, 0), []
    for _ in range(length):
        state = _cascade_step(first, second, state)
        expected.append(state)
    return outputs(first, second, length) == expected


@claim(
    "grazzi25.thm4",
    topic="automata",
    place="App. C.5, proof of Theorem 4",
    title="the stack of App. C.5 outputs the states of the cascade",
    says=r"Feeding each layer's state $\delta^{(i)}(q_0^{(i)},w)$ and its letter to the next layer, the outputs are the states of the cascade product.",
    reading="Definition 1 (cascade product) with the state before the letter, as printed; dec hands up the state after it, as printed",
    sabotages={"the first level never changes (old and new states agree)": {"firsts": (Move((0, 1), None),)}},
)
def post_transition_states(proof: Proof, firsts=tuple(_MOVES_OF_TWO)) -> None:
    """Definition 1 lets the upper automaton read (q, w) with q before the letter; the layer above gets q after it."""
    candidates = ((f, {0: g, 1: h}) for f in firsts for g, h in product(_MOVES_OF_TWO, repeat=2))
    found = proof.smallest("two levels of two states, one letter", candidates, lambda c: not _follows(*c))
    if found:
        (first, second), _ = found
        state = _cascade_step(first, second, (0, 0))
        printed = _printed_outputs(first, second, 1)[0]
        proof.counterexample(
            given={
                "level 1": str(first),
                "level 2 at q1 = 0": str(second[0]),
                "level 2 at q1 = 1": str(second[1]),
                "start": [0, 0],
                "cascade after one letter": list(state),
                "layers of App. C.5 after one letter": list(printed),
            },
            hypotheses={"both levels are permutation-reset": all(_permutation_or_reset(m, 2) for m in (first, *second.values()))},
            violates={"the layers' states are not the cascade's": printed != state},
            minimal="two levels of two states, one letter, word of length 1",
        )


@claim(
    "grazzi25.thm4.amended",
    topic="automata",
    place="Theorem 4, App. C.5",
    kind="amended",
    amends="grazzi25.thm4",
    title="every automaton with n states is computed at every length by n - 1 layers of widths n, ..., 2, each transition <= n GH factors",
    says=r"Every automaton is implemented by a stack of $|Q|-1$ layers of widths $|Q|,\dots,2$ with $d=1$, rational entries, and "
    r"$A^{(i)}(w)\in\mathcal M^{n_i}_{n_i}([-1,1])$: linear depth, as the paper conjectures. Any cascade of permutation-reset automata becomes a stack in the same way.",
    hypotheses=(
        "states not reached from the start are dropped",
        "B has rational entries, not natural ones",
        "one state: one silent layer of width 1",
    ),
    uses=("grazzi25.thm5", "grazzi25.thm5.holonomy"),
    construction="lemmata.constructions.automata.compiler.compile_automaton",
    sabotages={
        "states are handed up after the letter, as printed": {"layer_of": lambda cascade, k: _handing_up_new_states(cascade, k)},
        "one factor less": {"allowance": -1},
    },
)
def old_states_in_a_spare_coordinate(proof: Proof, layer_of=repaired_layer, allowance: int = 0) -> None:
    """The state v_q + s 1 has a vertex of the simplex across 1 and a spare coordinate along it. A permutation P (I - 11^T/m) can be
    inverted by the decoder; a reset 1 w^T clears the vertex but writes w . v_q, different for every old state. Either way the
    layer hands up its state before the letter, which is what the next level of the cascade reads.

    With every layer the states that it can meet are closed over all it can read (``closes_by_layers``); for the smaller cascades also
    the product of all layers. A reset is one factor that turns 1 into a multiple of w and m - 1 projections that keep only 1."""

    def stack_of(cascade: Cascade) -> Stack:
        return Stack(tuple(layer_of(cascade, k) for k in range(len(cascade.sizes)))) if cascade.sizes else repaired_stack(cascade)

    describe, family = _family(proof, Random(72))
    for automaton in proof.each(f"{describe}; every word of every length by closure", family):
        reachable = automaton.reachable()
        for decompose in (excluded_states, krohn_rhodes):
            cascade = decompose(reachable)
            stack = stack_of(cascade)
            closes_by_layers(proof, "the output is the automaton's state (layer by layer)", stack, reachable)
            proof.exactly("the layers are as wide as the levels have states", [len(H) for H in stack.initial], list(cascade.sizes) or [1])
            if reachable.n <= 4:
                found = reachable_with(stack, reachable.step, reachable.start, reachable.letters, lambda q: q)
                outcome = found.mismatch if found.closed else "not closed"
                proof.exactly("the output is the automaton's state (product of all layers)", outcome, None)
    largest = proof.pick(3, 5, 6)
    for m in proof.every(f"all permutations and resets of m <= {largest} states", range(2, largest + 1)):
        for move in [Move(p, None) for p in permutations(range(m))] + [Move(None, r) for r in range(m)]:
            A, B = level_maps(move, m)
            steps = delta_steps(A, B)
            H = exact.identity(m)
            for step in steps:
                H = step.factor.apply(H)
            proof.exactly("the factors multiply to A", H, A)
            H = B * 0
            for step in steps:
                H = step.apply(H)
            proof.exactly("and their writes add up to B", H, B)
            proof.holds("every 1 - beta lies in [-1, 1]", all(0 <= s.factor.beta <= 2 for s in steps))
            proof.holds("there are at most m", len(steps) <= m + allowance)
    for n in proof.each("certified: all maps of 2, 3, 4 points", (2, 3, 4)):
        full = full_transformations(n)
        closes_by_layers(proof, "the output is the automaton's state (layer by layer)", stack_of(krohn_rhodes(full)), full, certify=True)
    compiled = compile_automaton(full_transformations(3))
    proof.exactly("compile_automaton returns that stack", compiled.widths, [3, 2])


def _handing_up_new_states(cascade: Cascade, k: int) -> Recurrence:
    """The repaired layer with the printed decoder's mistake: it hands up its state after the letter."""
    right = repaired_layer(cascade, k)

    def decode(H, letter):
        read = letter if k else Read(letter, cascade.top, cascade.top)
        states = old_and_new_state(H, cascade.act(k, *read))
        handed = right.decode(H, letter)
        if states is None or not isinstance(handed, Read):
            return handed
        return Read(handed.letter, handed.after, handed.after)

    return Recurrence(right.transition, right.inputs, right.initial, decode)


@claim(
    "grazzi25.thm4.delays",
    topic="automata",
    place="Theorem 4, App. C.5",
    kind="amended",
    amends="grazzi25.thm4",
    title="with a delay layer behind each level, 2s - 1 layers with entries 0 and 1 compute every automaton, as the printed levels would",
    says=r"A cascade of $s\ge1$ permutation-reset levels becomes $2s-1$ layers with $A\in\{0,1\}^{n\times n}$, $\|A\|\le1$ and $B\in\{0,1\}^n$: the printed levels, a clock of two coordinates "
    r"in the first, and delays of width $2|Q_i|$ whose two slots are written in turn.",
    hypotheses=(
        "at least two reachable states",
        r"widths $|Q_i|$, $|Q_1|+2$ for the first level, and $2|Q_i|$ for the delays, beyond the theorem's $n\le|Q|$",
    ),
    uses=("grazzi25.thm5", "grazzi25.thm5.holonomy"),
    construction="lemmata.constructions.automata.delays.delay_stack",
    sabotages={"the clock stands still": {"clock": lambda layer: _still(layer)}},
)
def delayed_states(proof: Proof, clock=lambda layer: layer) -> None:
    """While one slot takes the level's new state the other still holds the one before the letter. Which slot is next has to be known
    by the letter, not by the state, or the step would not be affine: the clock of the first layer says it."""
    count = proof.pick(4, 15, 40)
    rng = Random(76)
    small = [a for a in all_automata(2, 2) if a.reachable().n > 1]
    random = [a for a in (random_automaton(rng, rng.randint(2, 4), rng.randint(1, 2)) for _ in range(count)) if a.reachable().n > 1]
    for automaton in proof.each(
        f"all automata with 2 states and 2 letters, up to {count} random ones with n <= 4; every word by closure", small + random
    ):
        reachable = automaton.reachable()
        cascade = krohn_rhodes(reachable)
        stack = delay_stack(cascade)
        stack = Stack((clock(stack.layers[0]), *stack.layers[1:]))
        found = reachable_with(stack, reachable.step, reachable.start, reachable.letters, lambda q: q)
        proof.exactly("the output is the automaton's state", found.mismatch if found.closed else "not closed", None)
        proof.exactly("2s - 1 layers", len(stack.layers), 2 * len(cascade.sizes) - 1)
        used = maps_used(stack, found)
        proof.holds("all entries are 0 or 1", all(x in (0, 1) for A, B in used for x in (*A.flat, *B.flat)))
        proof.holds("||A|| <= 1", all(exact.is_contraction(A) for A, _ in used))
    parity_then_store = Automaton({"a": (1, 0, 1), "b": (2, 2, 0)})
    computes(
        proof,
        "an automaton with three states (certified)",
        delay_stack(krohn_rhodes(parity_then_store)),
        parity_then_store.step,
        0,
        parity_then_store.letters,
        lambda q: q,
    )


def _still(layer: Recurrence) -> Recurrence:
    """The first layer with a clock that never moves: the same slot is written every time."""

    def transition(x):
        A = np.array(layer.transition(x))
        A[-2:, -2:] = householder.permutation_matrix((0, 1))
        return A

    return Recurrence(transition, layer.inputs, layer.initial, layer.decode)
