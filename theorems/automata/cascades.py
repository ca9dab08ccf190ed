"""Cascades as stacks of layers: Theorem 4 of grazzi25 (App. C.5), its proof and its repairs, and what follows for languages and for the depth."""

from __future__ import annotations

import re
from itertools import permutations, product
from random import Random

import numpy as np

from ...constructions import householder
from ...constructions.automata import Automaton, compile_automaton, compile_regex, excluded_states, krohn_rhodes
from ...constructions.automata.cascade.cascade import Cascade, Move
from ...constructions.automata.layers.places import Read
from ...constructions.automata.levels.delays import delay_stack
from ...constructions.automata.levels.repaired import level_maps, old_and_new_state, printed_layer, repaired_layer, repaired_stack
from ...constructions.automata.prove.delta_steps import delta_steps
from ...constructions.automata.read.families import all_automata, full_transformations, random_automaton
from ...constructions.recurrence import Recurrence, Stack, reachable_with
from ...numerics import exact
from ..claim import claim
from ..closure import certify_closure, closes_by_layers, maps_used
from ..evidence import Proof
from .krohn_rhodes import family, permutation_or_reset


def _stack(cascade: Cascade, layer_of=repaired_layer) -> Stack:
    return Stack(tuple(layer_of(cascade, k) for k in range(len(cascade.sizes)))) if cascade.sizes else repaired_stack(cascade)


@claim(
    "grazzi25.thm4",
    place="Theorem 4, App. C.5",
    title="every automaton with m states is computed, at every length, by s ≤ 2ᵐ layers: n ≤ m, d = 1, A in Mₙⁿ([−1, 1]), B in ℕⁿ",
    says=r"Every automaton is implemented by a stack of $s\le2^{|Q|}$ layers of widths $n_i\le|Q|$ with $d=1$, $A^{(i)}(w)\in\mathcal M^{n_i}_{n_i}([-1,1])$, $B^{(i)}(w)\in\mathbb N^{n_i}$ and finitely many rational states.",
    reading="'implements', for a stack: its output after every nonempty word is the automaton's state; what a layer hands up is one of finitely many values, so any p >= 1 serves. In the matrices of App. C.5 delta is delta^(i)",
    hypotheses=("states not reached from the start are dropped", "one state: one silent layer of width 1"),
    remarks=(
        "A is not the printed one (grazzi25.thm4.proof says why), and not of entries 0 and 1; grazzi25.thm4.delays has such entries in more layers.",
        "App. A.4 says that Theorem 4 uses a linear decoder; the theorem does not ask for one, and ours is a table. Linear ones suffice (grazzi25.appA4.linear).",
    ),
    construction="lemmata.constructions.automata.compiler.compile_automaton",
    sabotages={
        "a layer less, which the kernel refutes": {"theorem": "false_variants.every_automaton_is_a_shorter_stack"},
        "states are handed up after the letter, as printed": {"layer_of": lambda cascade, k: _handing_up_new_states(cascade, k)},
        "one factor less": {"allowance": -1},
        "a reset writes no code of the old state": {"maps": lambda move, m: _forgetting(move, m)},
        "a vertex is written, as a rational vector": {"maps": lambda move, m: _centred(move, m)},
    },
)
def old_states_in_a_spare_coordinate(
    proof: Proof, layer_of=repaired_layer, allowance: int = 0, maps=level_maps, theorem: str = "automata.every_automaton_is_a_stack"
) -> None:
    r"""A cascade level is a layer if the layer hands up its state *before* the letter, and with $A$ chosen well that state stays readable.

    1. By Theorem 5 it suffices to turn a cascade of permutation-reset automata with $n_i\le|Q|$ states into a stack: level $i$ must hand up the letter and its states before and after it. [uses: grazzi25.thm5, new.automata.holonomy]
    2. Write $\mathbf1=(1,\dots,1)$ and $v_q=e_q-\frac1m\mathbf1$. Level states are kept as $v_q+s\mathbf1$ with a spare number $s$; the start is $e_q=v_q+\frac1m\mathbf1$. [prose]
    3. A permutation acts as $P(I-\frac1m\mathbf1\mathbf1^\top)$, $B=0$: it makes $v_{P(q)}$ of $v_q+s\mathbf1$. The old state is the inverse image of the new one, and the decoder knows the letter.
       [checked: "the new and the old state are read off"]
    4. A reset to $r$ acts as $\mathbf1w^\top$, $w\perp\mathbf1$ with different entries and $m|w|^2<1$, and $B=e_r$: it makes $v_r+(\frac1m+w_q)\mathbf1$ of $v_q+s\mathbf1$. The spare number tells $q$. [checked: "the new and the old state are read off"]
    5. Both matrices are products of at most $m$ factors with $1-\beta\in[-1,1]$: the projection across $\mathbf1$ and $m-1$ swaps at most for the one, one factor that turns $\mathbf1$ into a multiple of $w$ and $m-1$ projections
       for the other; along these factors the writes add up to $B\in\{0,1\}^m$.
       [checked: "the factors multiply to A"; "and their writes add up to B"; "every 1 - beta lies in [-1, 1]"; "there are at most m"; "B is a vector of natural numbers"]
    6. Each layer's states are finitely many and closed under all that it can read, and the last layer's output is the automaton's state: every word of every length. [checked: "the output is the automaton's state"; "at most |Q| wide"; "at most 2^|Q| layers"]
    7. Steps 2 to 5 are the same for all $m$, and step 6 for all automata; the machine goes through those of the scope. [prose]
    """
    proof.formally(
        "the kernel: every automaton is a stack of |Q| - 1 such layers",
        theorem,
        whole="every automaton, every word",
        differs="an ordered field for the reals (over the rationals all states are rational); states are exact, and not cast as in Theorem 1; one state takes no layer; states that are not reached may stay",
    )
    proof.formally(
        "the kernel: with square roots these factors have unit vectors, as printed",
        "classes.gh_factors_are_the_class",
        differs="a real closed field for the reals; n >= 1",
    )
    describe, automata = family(proof, 72)
    for automaton in proof.each(f"{describe}; every word of every length by closure", automata):
        reachable = automaton.reachable()
        cascade = krohn_rhodes(reachable)
        stack = _stack(cascade, layer_of)
        closes_by_layers(proof, "the output is the automaton's state (layer by layer)", stack, reachable)
        proof.holds("at most |Q| wide", max(len(H) for H in stack.initial) <= reachable.n)
        proof.holds("at most 2^|Q| layers", len(stack.layers) <= 2**reachable.n)
        if reachable.n <= 4:
            found = reachable_with(stack, reachable.step, reachable.start, reachable.letters, lambda q: q)
            outcome = found.mismatch if found.closed else "not closed"
            proof.exactly("the output is the automaton's state (product of all layers)", outcome, None)
    largest = proof.pick(3, 5, 6)
    for m in proof.every(f"all permutations and resets of m <= {largest} states", range(2, largest + 1)):
        for move in [Move(p, None) for p in permutations(range(m))] + [Move(None, r) for r in range(m)]:
            A, B = maps(move, m)
            proof.holds("B is a vector of natural numbers", all(x.q == 1 and x >= 0 for x in B.flat))
            found = [old_and_new_state(A @ (exact.unit_vector(m, q)[:, None] + spare) + B, move) for q in range(m) for spare in (0, -1)]
            proof.exactly("the new and the old state are read off", found, [(q, move(q)) for q in range(m) for _ in (0, 1)])
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
        closes_by_layers(
            proof, "the output is the automaton's state (layer by layer)", _stack(krohn_rhodes(full), layer_of), full, certify=True
        )
    compiled = compile_automaton(full_transformations(3), "holonomy")
    proof.exactly("compile_automaton returns that stack", compiled.widths, [3, 2])
    A, B = maps(Move(None, 1), 3)
    proof.exhibit(
        "a reset of a level with three states to state 1, from e_0",
        A=A,
        B=B[:, 0],
        start=exact.unit_vector(3, 0),
        after=(A @ exact.unit_vector(3, 0)[:, None] + B)[:, 0],
        vectors=[s.factor.v for s in delta_steps(A, B)],
        betas=[s.factor.beta for s in delta_steps(A, B)],
    )


def _handing_up_new_states(cascade: Cascade, k: int) -> Recurrence:
    """The repaired layer with the printed decoder's mistake: it hands up its state after the letter."""
    right = repaired_layer(cascade, k)

    def decode(H, letter):
        read: Read = letter if k else Read(letter, cascade.top, cascade.top)
        states = old_and_new_state(H, cascade.act(k, read.letter, read.before, read.after))
        handed = right.decode(H, letter)
        if states is None or not isinstance(handed, Read):
            return handed
        return Read(handed.letter, handed.after, handed.after)

    return Recurrence(right.transition, right.inputs, right.initial, decode)


def _forgetting(move: Move, m: int):
    """Resets as printed: A = 0, so that nothing of the old state is left."""
    A, B = level_maps(move, m)
    return (A, B) if move.permutation is not None else (A * 0, B)


def _centred(move: Move, m: int):
    """Resets that write v_r, a rational vector, and not e_r."""
    A, B = level_maps(move, m)
    return (A, B) if move.permutation is not None else (A, B - sum(B[:, 0]) / m)


@claim(
    "grazzi25.sec1.regular",
    place="Sec. 1, contribution 2; Theorem 4, first sentence",
    title="stacks whose transitions are products of GH matrices with eigenvalues in [−1, 1] recognise every regular language",
    says=r"For every regular language there is a stack as in Theorem 4 whose output after each nonempty word tells whether the word lies in the language.",
    reading="'can learn' as 'can represent'; a language is given by a regular expression",
    construction="lemmata.constructions.automata.compiler.compile_regex",
    sabotages={
        "the words are read backwards": {"order": lambda word: word[::-1]},
        "everything is accepted": {"accepts": lambda network, word: True},
    },
)
def regular_languages(proof: Proof, order=lambda word: word, accepts=lambda network, word: network.run(word)[-1][1]) -> None:
    r"""A regular language has a finite automaton, and the stack outputs its state.

    1. The states of the minimal automaton that accept are a set $R$, and the last layer's decoder outputs $\mathbf 1\{q\in R\}$. [uses: grazzi25.thm4]
    2. Here the languages come from regular expressions, and the stack's answers are compared with Python's own matcher, which knows nothing of automata of ours, on all short words. [checked: "the stack accepts what the expression matches"]
    """
    expressions = ["(a|b)*abb(a|b)*", "(aa)*b?", "a(ba)*|b", "((a|b)(a|b)(a|b))*", "(b*ab*a)*b*", "(ab|ba)*aa?", "b*(ab+)*"]
    longest = proof.pick(5, 7, 9)
    for text in proof.each(f"{len(expressions)} expressions, all words of 1 to {longest} letters", expressions):
        network = compile_regex(text, "ab")
        words = ["".join(w) for n in range(1, longest + 1) for w in product("ab", repeat=n)]
        found = [accepts(network, order(w)) for w in words]
        proof.exactly("the stack accepts what the expression matches", found, [re.fullmatch(text, w) is not None for w in words])
    for text in ("(a|b)*abb(a|b)*", "((a|b)(a|b)(a|b))*"):
        proof.certificate("network", text, **compile_regex(text, "ab").document())


@claim(
    "grazzi25.sec4.3.depth",
    place="Sec. 4.3, Discussion (conjecture)",
    title="the number of layers in Theorem 4 can be linear in |Q|, as the paper conjectures: |Q| − 1 layers of widths |Q|, …, 2",
    says=r"Every automaton with $|Q|\ge2$ states is implemented by a stack as in Theorem 4 with $|Q|-1$ layers, of widths $|Q|,|Q|-1,\dots,2$.",
    remarks=(
        "The cascade is the classical decomposition of the full transformation monoid (Zeiger, Ginzburg, Eilenberg); what settles the conjecture is that each of its levels is one layer.",
        "The Discussion says 'exponential width'; Theorem 4 itself has n <= |Q| and p <= s.",
    ),
    construction="lemmata.constructions.automata.cascade.cascade.excluded_states",
    sabotages={
        "a layer less, which the kernel refutes": {"theorem": "false_variants.every_automaton_is_a_shorter_stack"},
        "states are handed up after the letter, as printed": {"layer_of": lambda cascade, k: _handing_up_new_states(cascade, k)},
        "the holonomy cascade instead": {"decompose": krohn_rhodes},
    },
)
def linear_depth(
    proof: Proof, layer_of=repaired_layer, decompose=excluded_states, theorem: str = "automata.every_automaton_is_a_stack"
) -> None:
    r"""The cascade that remembers excluded states has $|Q|-1$ levels, and a level is one layer.

    1. Theorem 5's cascade has levels with $|Q|,|Q|-1,\dots,2$ states. [uses: grazzi25.thm5] [checked: "the layers have |Q|, ..., 2 coordinates"]
    2. Each level is a layer as wide as it has states, by the construction of Theorem 4, which takes any cascade. [uses: grazzi25.thm4]
    3. The stacks are closed layer by layer: all words. [checked: "the output is the automaton's state"]
    4. The same for every automaton. [prose]
    """
    proof.formally(
        "the kernel: |Q| - 1 layers of widths |Q|, ..., 2",
        theorem,
        whole="every automaton, every word",
        differs="an ordered field for the reals; one state takes no layer",
    )
    describe, automata = family(proof, 72)
    for automaton in proof.each(f"{describe}; every word of every length by closure", automata):
        reachable = automaton.reachable()
        if reachable.n == 1:
            continue
        stack = _stack(decompose(reachable), layer_of)
        closes_by_layers(proof, "the output is the automaton's state", stack, reachable)
        proof.exactly("the layers have |Q|, ..., 2 coordinates", [len(H) for H in stack.initial], list(range(reachable.n, 1, -1)))
    for n in proof.each("certified: all maps of 2, 3 points, and four states in a row", (2, 3, 4)):
        automaton = full_transformations(n) if n < 4 else Automaton({"on": (1, 2, 3, 3), "back": (0, 0, 1, 2)})
        closes_by_layers(proof, "the output is the automaton's state", _stack(decompose(automaton), layer_of), automaton, certify=True)


# -- the printed proof -----------------------------------------------------------------------------------------------------------

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
    "grazzi25.thm4.proof",
    place="App. C.5, proof of Theorem 4",
    flaw="gap",
    quotes=(
        "setting the output of each layer as the input to the next",
        r"the first s elements of $y_t^{(s)}$ are exactly the output of the cascade FSA $\mathcal{C}$",
    ),
    title="App. C.5 hands up each level's state after the letter, where the cascade product of Definition 1 reads the one before it",
    says=r"Feeding each layer's state $\delta^{(i)}(q_0^{(i)},w)$ and its letter to the next layer, the outputs are the states of the cascade product.",
    reading="Definition 1 (cascade product) with the state before the letter, as printed; dec hands up the state after it, as printed",
    letter="In App. C.5 each layer hands up the state that it reaches with the letter. In Definition 1 the upper automaton reads the state before the letter. Already after one letter the two can differ, and behind a reset (A = 0) the old state is lost. Theorem 4 is true as stated, with other matrices, from which the decoder can read the old state too.",
    sabotages={"the first level never changes (old and new states agree)": {"firsts": (Move((0, 1), None),)}},
)
def post_transition_states(proof: Proof, firsts=tuple(_MOVES_OF_TWO)) -> None:
    """Definition 1 lets the upper automaton read (q, w) with q before the letter; the layer above gets q after it.

    Level 1 swaps its two states, level 2 does another thing in each of them: after one letter the cascade has acted by level 1's
    state 0, the layers of App. C.5 by its state 1."""
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
            words={"reset": all(permutation_or_reset(m, 2) for m in (first, *second.values())), "differ": printed != state},
            minimal="two levels of two states, one letter, word of length 1",
        )
        proof.certificate(
            "witness",
            "two levels: the images of 0 and 1 under level 1, and under level 2 at each state of level 1",
            first=[first(0), first(1)],
            second=[[second[q](0), second[q](1)] for q in (0, 1)],
        )


@claim(
    "grazzi25.thm4.delays",
    place="App. C.5, proof of Theorem 4",
    amends="grazzi25.thm4.proof",
    title="with a delay layer behind each printed level, 2s − 1 layers with entries 0 and 1 compute every automaton",
    says=r"A cascade of $s\ge1$ permutation-reset levels becomes $2s-1$ layers with $A\in\{0,1\}^{n\times n}$, $\|A\|\le1$ and $B\in\{0,1\}^n$: the printed levels, a clock of two coordinates "
    r"in the first, and delays of width $2|Q_i|$ whose two slots are written in turn.",
    hypotheses=(
        "at least two reachable states",
        r"widths $|Q_i|$, $|Q_1|+2$ for the first level, and $2|Q_i|$ for the delays, beyond the theorem's $n\le|Q|$",
    ),
    construction="lemmata.constructions.automata.levels.delays.delay_stack",
    sabotages={"the clock stands still": {"clock": lambda layer: _still(layer)}},
)
def delayed_states(proof: Proof, clock=lambda layer: layer) -> None:
    r"""While one slot takes the level's new state, the other still holds the one before the letter.

    1. The levels are the printed ones: permutation matrices, or $A=0$ and $B=e_r$. [checked: "all entries are 0 or 1"; "||A|| <= 1"]
    2. A delay layer keeps two one-hot states of the level below. Each letter clears one slot and writes the new state there; the other slot holds the state before the letter, which the next level reads. [prose]
    3. Which slot is next has to be known by the letter, not by the state, or the step would not be affine: a clock of two coordinates in the first layer says it. [checked: "2s - 1 layers"]
    4. The product of all layers and the automaton is closed: all words. [checked: "the output is the automaton's state"]
    5. The construction is the same for every cascade. [uses: grazzi25.thm5, new.automata.holonomy] [prose]
    """
    count = proof.pick(4, 15, 40)
    rng = Random(76)
    small = [a for a in all_automata(2, 2) if a.reachable().n > 1]
    random = [a for a in (random_automaton(rng, rng.randint(2, 4), rng.randint(1, 2)) for _ in range(count)) if a.reachable().n > 1]
    for automaton in proof.each(
        f"all automata with 2 states and 2 letters, up to {count} random ones with n <= 4 (seed 76); every word by closure", small + random
    ):
        reachable = automaton.reachable()
        cascade = krohn_rhodes(reachable)
        stack = delay_stack(cascade)
        stack = Stack((clock(stack.layers[0]), *stack.layers[1:]))
        found = reachable_with(stack, reachable.step, reachable.start, reachable.letters, lambda q: q)
        proof.exactly("the output is the automaton's state", found.mismatch if found.closed else "not closed", None)
        proof.exactly("2s - 1 layers", len(stack.layers), 2 * len(cascade.sizes) - 1)
        used = maps_used(stack, found)
        proof.holds("every layer has maps", len(used) >= len(stack.layers))
        proof.holds("all entries are 0 or 1", all(x in (0, 1) for A, B in used for x in (*A.flat, *B.flat)))
        proof.holds("||A|| <= 1", all(exact.is_contraction(A) for A, _ in used))
    parity_then_store = Automaton({"a": (1, 0, 1), "b": (2, 2, 0)})
    for name, a in (
        ("parity and the last letter", parity_then_store),
        ("reset or stay", Automaton({"a": (1, 1), "b": (0, 0), "c": (0, 1)})),
    ):
        certify_closure(proof, name, delay_stack(krohn_rhodes(a)), a.step, 0, a.letters)


def _still(layer: Recurrence) -> Recurrence:
    """The first layer with a clock that never moves: the same slot is written every time."""

    def transition(x):
        A = np.array(layer.transition(x))
        A[-2:, -2:] = householder.permutation_matrix((0, 1))
        return A

    return Recurrence(transition, layer.inputs, layer.initial, layer.decode)
