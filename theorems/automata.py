"""Topic automata: regular languages by stacks of layers (grazzi25, Sec. 3.2, Theorems 4 to 6, App. C.4, C.5, D)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product
from random import Random

import numpy as np

from ..constructions import householder
from ..constructions.automata import Automaton, addition_by_reflections, compile_automaton, krohn_rhodes, mirror
from ..constructions.automata.cascade import Cascade, Move
from ..constructions.automata.layers import level_maps, old_and_new_state, printed_layer, repaired_layer, repaired_stack
from ..constructions.automata.reflections import dihedral_by_reflections, dihedral_step
from ..constructions.recurrence import Recurrence, Stack, reachable_with
from ..numerics import exact
from .claim import claim
from .closure import computes
from .evidence import Proof


def all_automata(n: int, letters: int) -> Iterator[Automaton]:
    """Every automaton with n states and that many letters, started in 0."""
    functions = list(product(range(n), repeat=n))
    for images in product(functions, repeat=letters):
        yield Automaton(dict(zip("abc", images, strict=False)))


def random_automaton(rng: Random, n: int, letters: int) -> Automaton:
    """Uniform transitions and start; unreachable states do occur."""
    return Automaton({x: tuple(rng.randrange(n) for _ in range(n)) for x in "abc"[:letters]}, rng.randrange(n))


def full_transformations(n: int) -> Automaton:
    """Generators of all maps of n >= 2 points: a cycle, a swap, a collapse."""
    return Automaton({"cycle": tuple((i + 1) % n for i in range(n)), "swap": (1, 0, *range(2, n)), "collapse": (0, 0, *range(2, n))})


# -- the definition ------------------------------------------------------------------------------------------------------


def _is_onto_for_some_start(automaton: Automaton) -> bool:
    """Some state reaches every state."""
    return any(Automaton(automaton.table, q).reachable().n == automaton.n for q in range(automaton.n))


@claim(
    "grazzi25.sec3.2.implements",
    topic="automata",
    place="Sec. 3.2, 'implements'",
    title="every automaton can be implemented: a surjective g from the layer's states with delta(g(H), w) = g(A(w) H + B(w))",
    says=r"For every automaton there are a layer and a surjective $g:\mathcal H\to Q$ with $\delta(g(H),w)=g(A(w)H+B(w))$.",
    reading="the definition as printed: g onto all of Q, and no condition g(H_0) = q_0",
    sabotages={"only automata in which some state reaches all": {"admissible": _is_onto_for_some_start}},
)
def unreachable_states_cannot_be_implemented(proof: Proof, admissible=lambda automaton: True) -> None:
    """The layer's states are those reached from H_0, so g(H) is always reached from g(H_0): g is onto only if one state of the
    automaton reaches all the others."""
    candidates = (a for n in (1, 2) for a in all_automata(n, 1) if admissible(a))
    found = proof.smallest("automata with one letter, n = 1, 2", candidates, lambda a: not _is_onto_for_some_start(a))
    if found:
        automaton, _ = found
        reached = {q: [p for p in range(automaton.n) if p in _closure(automaton, q)] for q in range(automaton.n)}
        proof.counterexample(
            given={
                "delta": {x: list(images) for x, images in automaton.table.items()},
                "states reached from each q": list(reached.values()),
            },
            hypotheses={"the automaton is total": all(len(images) == automaton.n for images in automaton.table.values())},
            violates={"no state reaches all, so no g is onto": all(len(r) < automaton.n for r in reached.values())},
            minimal=f"|Q| = {automaton.n}, one letter",
        )


def _closure(automaton: Automaton, q: int) -> set[int]:
    seen = {q}
    while True:
        more = seen | {images[p] for images in automaton.table.values() for p in seen}
        if more == seen:
            return seen
        seen = more


# -- Krohn-Rhodes, with linear depth ---------------------------------------------------------------------------------------


def _family(proof: Proof, rng: Random) -> tuple[str, list[Automaton]]:
    """All automata with up to 3 states and 2 letters, random larger ones, full transformation monoids."""
    largest, count, monoids = proof.pick((4, 6, 4), (5, 25, 5), (6, 60, 6))
    small = [a for n, letters in ((1, 1), (2, 1), (2, 2), (3, 1)) for a in all_automata(n, letters)]
    if proof.effort != "quick":
        small += list(all_automata(3, 2))
    random = [random_automaton(rng, rng.randint(4, largest), rng.randint(1, 3)) for _ in range(count)]
    full = [full_transformations(n) for n in range(2, monoids + 1)]
    letters = 1 if proof.effort == "quick" else 2
    return (
        f"all automata with n <= 3 states and {letters} letter{'s' * (letters - 1)}, {count} random ones with n <= {largest}, all maps of n <= {monoids} points",
        small + random + full,
    )


def _resets_to_zero(cascade: Cascade, letter, before) -> Move:
    """A broken cascade: a reset always goes to position 0, hit or not."""
    move = cascade.move(letter, before)
    return move if move.permutation is not None else Move(None, 0)


@claim(
    "grazzi25.thm5",
    topic="automata",
    place="Theorem 5 (Krohn-Rhodes, App. C.4); conjecture at the end of Sec. 4.3",
    title="every automaton with n states is emulated by a cascade of n - 1 permutation-reset automata with n, n-1, ..., 2 states",
    says=r"For every automaton there are a cascade of permutation-reset automata with $|Q|,|Q|-1,\dots,2$ states, so $s=|Q|-1\le2^{|Q|}$ levels with $|Q_i|\le|Q|$, and a map "
    r"$\mathcal W$ with $\mathcal W(\delta^\times(q^\times,a))=\delta(\mathcal W(q^\times),a)$ for every cascade state and letter.",
    hypotheses=("levels read the states of the levels before them before the letter",),
    construction="lemmata.constructions.automata.cascade.krohn_rhodes",
    sabotages={
        "a reset goes to a fixed position, hit or not": {"move": _resets_to_zero},
        "permutations are inverted": {"move": lambda c, x, before: _inverted(c.move(x, before))},
    },
)
def excluded_states(proof: Proof, move=Cascade.move) -> None:
    """Level k remembers a state that the automaton is not in, among those that the levels before have not excluded.

    A letter maps what is left, R, into what is left afterwards, R'. If it does so bijectively the excluded state moves along: a
    permutation. If not, some state of R' is hit by none, and excluding it is a reset. After n - 1 levels one state is left, and
    the true state was never excluded, so it is the one.
    """
    describe, family = _family(proof, Random(71))
    for automaton in proof.each(describe, family):
        cascade = krohn_rhodes(automaton)
        states = list(product(*(range(m) for m in cascade.sizes)))
        right = proper = True
        for state in states:
            for letter in automaton.letters:
                moves = [move(cascade, letter, state[:k]) for k in range(len(state))]
                after = tuple(m(i) for m, i in zip(moves, state, strict=True))
                right = right and cascade.emulated(after) == automaton.step(cascade.emulated(state), letter)
                proper = proper and all(_permutation_or_reset(m, size) for m, size in zip(moves, cascade.sizes, strict=True))
        proof.exactly("W(cascade step) = automaton step, for every cascade state and letter", right, True)
        proof.exactly("every level's action is a permutation or a reset", proper, True)
        proof.exactly("the levels have n, n-1, ..., 2 states", cascade.sizes, list(range(automaton.n, 1, -1)))
        proof.exactly("the start is emulated", cascade.emulated(cascade.start), automaton.start)


def _permutation_or_reset(move: Move, m: int) -> bool:
    if move.permutation is not None:
        return sorted(move.permutation) == list(range(m)) and move.reset is None
    return move.reset is not None and 0 <= move.reset < m


def _inverted(move: Move) -> Move:
    if move.permutation is None:
        return move
    return Move(tuple(move.permutation.index(i) for i in range(len(move.permutation))), None)


# -- Theorem 4 -------------------------------------------------------------------------------------------------------------

_MOVES_OF_TWO = [Move((0, 1), None), Move((1, 0), None), Move(None, 0), Move(None, 1)]


def _cascade_step(first: Move, second: dict[int, Move], state: tuple[int, int]) -> tuple[int, int]:
    """Two levels of two states and one letter: the second acts by the first one's state before the letter (Definition 1)."""
    return first(state[0]), second[state[0]](state[1])


def _printed_outputs(first: Move, second: dict[int, Move], length: int) -> list[tuple[int, int]]:
    """The states that the two layers of App. C.5 output on 1^length: layer 2 reads layer 1's state after the letter."""
    stack = Stack((printed_layer({1: first}, 2), printed_layer({(q, 1): second[q] for q in (0, 1)}, 2)))
    return [(below[0], q) for q, below in stack.run([1] * length)]


def _emulates(first: Move, second: dict[int, Move], outputs=_printed_outputs, length: int = 4) -> bool:
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
    found = proof.smallest("two levels of two states, one letter", candidates, lambda c: not _emulates(*c))
    if found:
        (first, second), _ = found
        state = _cascade_step(first, second, (0, 0))
        printed = _printed_outputs(first, second, 1)[0]
        proof.counterexample(
            given={
                "level 1": _words(first),
                "level 2 at q1 = 0": _words(second[0]),
                "level 2 at q1 = 1": _words(second[1]),
                "start": [0, 0],
                "cascade after one letter": list(state),
                "layers of App. C.5 after one letter": list(printed),
            },
            hypotheses={"both levels are permutation-reset": all(_permutation_or_reset(m, 2) for m in (first, *second.values()))},
            violates={"the layers' states are not the cascade's": printed != state},
            minimal="two levels of two states, one letter, word of length 1",
        )


def _words(move: Move) -> str:
    return f"permutation {list(move.permutation)}" if move.permutation is not None else f"reset to {move.reset}"


@claim(
    "grazzi25.thm4.amended",
    topic="automata",
    place="Theorem 4, App. C.5",
    kind="amended",
    amends="grazzi25.thm4",
    title="every automaton with n states is computed at every length by n - 1 layers of widths n, ..., 2, each transition <= n GH factors",
    says=r"Every automaton is implemented by a stack of $|Q|-1$ layers of widths $|Q|,\dots,2$ with $d=1$, rational entries, and "
    r"$A^{(i)}(w)\in\mathcal M^{n_i}_{n_i}([-1,1])$: linear depth, as the paper conjectures.",
    hypotheses=(
        "states not reached from the start are dropped",
        "B has rational entries, not natural ones",
        "one state: one silent layer of width 1",
    ),
    uses=("grazzi25.thm5", "new.householder.n-factors"),
    construction="lemmata.constructions.automata.compiler.compile_automaton",
    sabotages={
        "states are handed up after the letter, as printed": {"stack_of": lambda cascade: _handing_up_new_states(cascade)},
        "one factor less": {"allowance": -1},
    },
)
def old_states_in_a_spare_coordinate(proof: Proof, stack_of=repaired_stack, allowance: int = 0) -> None:
    """The state v_q + s 1 has a vertex of the simplex across 1 and a spare coordinate along it. A permutation P (I - 11^T/m) can be
    inverted by the decoder; a reset 1 w^T clears the vertex but writes w . v_q, different for every old state. Either way the
    layer hands up its state before the letter, which is what the next level of the cascade reads."""
    describe, family = _family(proof, Random(72))
    for automaton in proof.each(f"{describe}; every word of every length by closure", family):
        reachable = automaton.reachable()
        stack = stack_of(krohn_rhodes(reachable))
        found = _closed(stack, reachable)
        proof.exactly("the output is the automaton's state", found, None)
        proof.exactly(
            "n - 1 layers of widths n .. 2 (one of width 1 for n = 1)",
            [len(H) for H in stack.initial],
            list(range(reachable.n, 1, -1)) or [1],
        )
    largest = proof.pick(3, 5, 6)
    for m in proof.every(f"all permutations and resets of m <= {largest} states", range(2, largest + 1)):
        moves = [Move(p, None) for p in permutations(range(m))] + [Move(None, r) for r in range(m)]
        for move in moves:
            A, _ = level_maps(move, m)
            factors = householder.fewest_contraction_factors(A)
            proof.exactly("the factors multiply to A", householder.product(factors, m), A)
            proof.holds("every 1 - beta lies in [-1, 1]", all(0 <= f.beta <= 2 for f in factors))
            proof.holds("there are at most m", len(factors) <= m + allowance)
    for n in (2, 3, 4):
        full = full_transformations(n)
        computes(proof, f"all maps of {n} points", repaired_stack(krohn_rhodes(full)), full.step, 0, full.letters, lambda q: q)
    compiled = compile_automaton(full_transformations(3))
    proof.exactly("compile_automaton returns that stack", compiled.widths, [3, 2])


def _closed(stack: Stack, automaton: Automaton):
    """None if the network computes the automaton's state at every length, else the shortest mistake."""
    found = reachable_with(stack, automaton.step, automaton.start, automaton.letters, lambda q: q)
    return found.mismatch if found.closed else "not closed"


def _handing_up_new_states(cascade: Cascade) -> Stack:
    """The repaired layers with the printed decoder's mistake: each hands up its state after the letter."""

    def layer(k: int) -> Recurrence:
        right = repaired_layer(cascade, k)

        def decode(H, letter):
            x, before = letter if k else (letter, ())
            states = old_and_new_state(H, cascade.move(x, before))
            so_far = (*before, None if states is None else states[1])
            return cascade.automaton.step(cascade.emulated(so_far), x) if k == len(cascade.sizes) - 1 else (x, so_far)

        if k:
            return Recurrence(right.transition, right.inputs, right.initial, decode)
        return Recurrence(lambda x: right.transition((x, ())), lambda x: right.inputs((x, ())), right.initial, decode)

    return Stack(tuple(layer(k) for k in range(len(cascade.sizes)))) if cascade.sizes else repaired_stack(cascade)


# -- Theorem 6 -------------------------------------------------------------------------------------------------------------


@claim(
    "grazzi25.thm6",
    topic="automata",
    place="Theorem 6, App. D",
    title="two layers of reflections add modulo m at every length, with 2m states at least 2 sin(pi/2m) apart",
    says=r"With $A=-1$ in the first layer and reflections of the plane in the second, the stack outputs $\sum_ix_i\bmod m$; its $2m$ states in $\mathbb R^2$ are at "
    r"pairwise distances at least $2\sin(\pi/2m)$.",
    construction="lemmata.constructions.automata.reflections.addition_by_reflections",
    sabotages={"the sum is taken modulo m + 1": {"modulus": lambda m: m + 1}},
)
def addition_with_reflections(proof: Proof, modulus=lambda m: m) -> None:
    """Closure in exact cyclotomic numbers; all points are multiples of pi/m on the circle."""
    largest = proof.pick(5, 12, 24)
    for m in proof.every(f"m <= {largest}", range(1, largest + 1)):
        stack = addition_by_reflections(m)
        found = computes(
            proof, "the output is the sum modulo m", stack, lambda q, x, m=m: (q + x) % modulus(m), 0, tuple(range(m)), lambda q: q
        )
        proof.exactly("2m states of the second layer are reached", len({exact.freeze(states[1]) for states, _ in found.pairs}), 2 * m)
        one = exact.identity(2)
        proof.exactly(
            "every transition of layer 2 is a reflection",
            [np.array_equal(mirror(m, k) @ mirror(m, k), one) for k in (1 - 2 * m, 1, 1 + 2 * m)],
            [True] * 3,
        )
        points = [mirror(m, k)[:, 0] for k in range(2 * m)]
        # (2 sin(pi/2m))^2 = 2 - 2 cos(pi/m), and mirror(m, 1) holds cos(pi/m)
        least = 2 - 2 * mirror(m, 1)[0, 0]
        gaps = [sum(x * x for x in points[0] - q) for q in points[1:]]
        proof.exactly("neighbours are 2 sin(pi/2m) apart", [gaps[0] == least, gaps[-1] == least], [True, True])
        proof.certified("all others are farther apart", all(bool((g - least).ball().real > 0) for g in gaps[1:-1]), f"m = {m}")


@claim(
    "new.automata.dihedral",
    topic="automata",
    place="after grazzi25 Theorem 6; open question at the end of Sec. 6",
    kind="new",
    title="S_3, and every dihedral group, in two layers with one reflection per letter each: DeltaNet [-1, 1] solves them",
    says=r"For every $m$ a stack of two layers of width $2$, each transition one reflection, outputs the product of the letters in $D_m$; $D_3\cong S_3$.",
    construction="lemmata.constructions.automata.reflections.dihedral_by_reflections",
    sabotages={"reflections are taken for rotations": {"step": lambda m, g, x: dihedral_step(m, g, ("r", x[1]))}},
)
def dihedral_groups(proof: Proof, step=dihedral_step) -> None:
    """With r^theta s^epsilon the state, phi = eta theta is negated by every letter, up to a shift, if eta changes sign at rotations.

    Layer 1 keeps eta and (-1)^epsilon, one flip per letter; layer 2 flips phi at an axis that the letter and eta choose."""
    largest = proof.pick(4, 8, 12)
    for m in proof.every(f"m <= {largest}", range(1, largest + 1)):
        letters = [(kind, a) for kind in "rs" for a in range(m)]
        stack = dihedral_by_reflections(m)
        found = computes(proof, "the output is the product in D_m", stack, lambda g, x, m=m: step(m, g, x), (0, 0), letters, lambda g: g)
        proof.exactly("every element of D_m is reached", len({g for _, g in found.pairs}), 2 * m)
        one = exact.identity(2)
        reads = [(x, eta, epsilon) for x in letters for eta in (1, -1) for epsilon in (0, 1)]
        used = [stack.layers[0].transition(x) for x in letters] + [stack.layers[1].transition(y) for y in reads]
        proof.holds("every transition is a reflection: A = A^T, A^2 = I, trace 0", all(_is_reflection(A, one) for A in used))


def _is_reflection(A, one) -> bool:
    return np.array_equal(A, A.T) and np.array_equal(A @ A, one) and A[0, 0] + A[1, 1] == 0


@claim(
    "grazzi25.thm6.display",
    topic="automata",
    place="App. D, display of h_{i+1} in the induction",
    title="the induction's display: at odd i, H(theta(x, 1)) c_y = c_{x+y}",
    says=r"For odd $i$, $h_{i+1}=H(\theta(x_{i+1},1))c_{y_i}=c_{x_{i+1}+y_i}$.",
    reading="as printed; Eq. 6 and 7 give H(theta(x, 0)) c_y = d_{x+y} there",
    sabotages={"the labels of Eq. 7": {"odd": 0, "target": lambda m, s: mirror(m, 2 * s)[:, :1]}},
)
def induction_display(proof: Proof, odd: int = 1, target=lambda m, s: mirror(m, 1 - 2 * s)[:, :1]) -> None:
    """c_i and d_i as images of (1, 0); the smallest modulus already differs."""

    def differs(case: tuple[int, int, int]) -> bool:
        m, x, y = case
        c = mirror(m, 1 - 2 * y)[:, :1]
        image = mirror(m, 1 - 2 * x if odd else 1 + 2 * x) @ c
        return not np.array_equal(image, target(m, x + y))

    cases = [(m, x, y) for m in range(1, 5) for x in range(m) for y in range(m)]
    found = proof.smallest("m, then x, y below m", cases, differs)
    if found:
        m, x, y = found[0]
        c = mirror(m, 1 - 2 * y)[:, :1]
        image = mirror(m, 1 - 2 * x) @ c
        proof.counterexample(
            given={"m": m, "x": x, "y": y, "c_y": c[:, 0], "H(theta(x, 1)) c_y": image[:, 0], "c_{x+y}": target(m, x + y)[:, 0]},
            hypotheses={"x and y lie below m": x < m and y < m},
            violates={"the two sides differ": not np.array_equal(image, target(m, x + y))},
            minimal=f"m = {m}",
        )
