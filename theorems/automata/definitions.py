"""What implementing an automaton means (grazzi25, Sec. 2 and 3.2), and one layer for any automaton (App. A.3)."""

from __future__ import annotations

from itertools import product
from random import Random

from ...constructions import samples
from ...constructions.automata import Automaton, compile_one_hot
from ...constructions.automata.families import all_automata, random_automaton
from ...constructions.bilinear import weighted_automaton
from ...constructions.householder import boolean_transition
from ...constructions.recurrence import Recurrence, Stack
from ...numerics import exact
from ..claim import claim
from ..closure import closes_by_layers
from ..evidence import Proof


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


# -- word problems ---------------------------------------------------------------------------------------------------------


def monoids(n: int):
    """Every monoid on 0 .. n-1 with identity 0, as tables ``table[a][b]`` = a b; isomorphic ones are repeated."""
    for entries in product(range(n), repeat=(n - 1) ** 2):
        table = [list(range(n))] + [[a, *entries[(a - 1) * (n - 1) : a * (n - 1)]] for a in range(1, n)]
        if all(table[table[a][b]][c] == table[a][table[b][c]] for a in range(n) for b in range(n) for c in range(n)):
            yield table


def _printed_step(table, state: int, letter: int) -> int:
    """delta(m_1, m_2) = m_2 m_1, as printed."""
    return table[letter][state]


@claim(
    "grazzi25.sec2.word-problem",
    topic="automata",
    place="Sec. 2, State-tracking and monoid word problems",
    title="the automaton (M, M, e, delta) with delta(m1, m2) = m2 m1 sends m1 ... mt to the product m1 m2 ... mt",
    says=r"With $\delta(m_1,m_2)=m_2\cdot m_1$ the state after $m_1\dots m_t$ is $m_1\cdot m_2\cdots m_t$.",
    reading="delta's first argument is the state and its second the letter, as in the paper's definition of an automaton",
    sabotages={"the letter is multiplied from the right": {"step": lambda table, state, letter: table[state][letter]}},
)
def products_are_reversed(proof: Proof, step=_printed_step) -> None:
    """delta prepends: after m_1 m_2 the state is m_2 (m_1 e), the product in reverse order, which differs as soon as M does not commute.

    (delta(m_1, m_2) = m_1 m_2 repairs it; or the product is meant as a composition of maps, the first letter innermost.)"""

    def wrong(table):
        return [(a, b) for a in range(len(table)) for b in range(len(table)) if step(table, step(table, 0, a), b) != table[a][b]]

    found = proof.smallest("monoids with 1, 2, 3 elements", (table for n in (1, 2, 3) for table in monoids(n)), wrong)
    if found:
        table, ((a, b), *_) = found
        proof.counterexample(
            given={"products a b (row a, column b)": table, "m1": a, "m2": b, "m1 m2": table[a][b], "state after m1 m2": table[b][a]},
            hypotheses={"0 is the identity": all(table[0][x] == x == table[x][0] for x in range(len(table)))},
            violates={"the state is not the product": step(table, step(table, 0, a), b) != table[a][b]},
            minimal=f"a monoid with {len(table)} elements, a word of length 2",
        )


# -- one layer without a bound on the norm ------------------------------------------------------------------------------------


@claim(
    "grazzi25.appA3.layer",
    topic="automata",
    place="App. A.3",
    title="one layer with one-hot states and 0/1 transitions, of norm above 1 unless they are permutations, computes any automaton",
    says=r"With $n=|Q|$, $H_0=e_{q_0}$, $B=0$ and $A(w)_{q'q}=\mathbf 1\{\delta(q,w)=q'\}$ one layer outputs the automaton's state after every letter.",
    hypotheses=("H_0 is the unit vector of the start, which the paper numbers first",),
    uses=("grazzi25.appA3.amended",),
    construction="lemmata.constructions.automata.compiler.compile_one_hot",
    sabotages={"the transposed transitions": {"transition": lambda images: boolean_transition(images).T}},
)
def one_hot_layer(proof: Proof, transition=boolean_transition) -> None:
    """A(w) e_q = e_{delta(q, w)}: the state is the unit vector of the automaton's state."""
    count, largest = proof.pick((10, 5), (40, 8), (100, 12))
    rng = Random(73)
    family = [*all_automata(2, 2), *(random_automaton(rng, rng.randint(1, largest), rng.randint(1, 3)) for _ in range(count))]
    for automaton in proof.each(f"all automata with 2 states and 2 letters, {count} random ones with n <= {largest}", family):
        start = exact.unit_vector(automaton.n, automaton.start)[:, None]
        table = {x: (transition(images), start * 0) for x, images in automaton.table.items()}
        state = {exact.freeze(exact.unit_vector(automaton.n, q)): q for q in range(automaton.n)}
        layer = Recurrence.from_table(table, start, lambda H, x, state=state: state.get(exact.freeze(H)))
        closes_by_layers(proof, "the output is the automaton's state, on all words", Stack((layer,)), automaton)
    collapse = compile_one_hot(Automaton({"a": (0, 0, 1), "b": (1, 2, 0)}))
    norms = [exact.is_contraction(A) for A, _ in collapse.proof[0].maps]
    proof.exactly("a permutation is a contraction, a collapse is not", norms, [False, True])
    closes_by_layers(proof, "compile_one_hot returns that layer", collapse.stack, collapse.automaton, certify=True)


@claim(
    "new.automata.birnn",
    topic="automata",
    place="after lizaire26, Sec. 2 (BIRNNs); grazzi25 App. A.3",
    kind="new",
    title="a linear BIRNN on one-hot letters is a weighted automaton, and every automaton is one: exact at every length",
    says=r"For one-hot letters $x_t=e_w$ the bilinear recurrence $h_t=\mathcal B(h_{t-1},x_t)$ is $h_t=A_wh_{t-1}$ with the slices $A_w=\mathcal B(\cdot,e_w)$: the weight "
    r"$\gamma^\top A_{w_t}\cdots A_{w_1}\alpha$ of a weighted automaton; with 0/1 slices any deterministic one.",
    hypotheses=("one linear readout; letters are one-hot",),
    construction="lemmata.constructions.bilinear.weighted_automaton",
    sabotages={"the letters of the word are read backwards": {"order": lambda word: word[::-1]}},
)
def bilinear_layers_are_weighted_automata(proof: Proof, order=tuple) -> None:
    """The bilinear form is linear in the letter, so a one-hot letter selects a slice. Both sides are computed: the tensor contracted
    with h and x, and the product of the weighted automaton's matrices."""
    rng = Random(74)
    count, longest = proof.pick((5, 4), (15, 6), (30, 8))
    for _ in proof.each(
        f"{count} random weighted automata with n <= 4 states and 2 letters, all words up to length {longest}", range(count)
    ):
        n = rng.randint(1, 4)
        matrices = [samples.integers(rng, n, n) for _ in range(2)]
        alpha, gamma = samples.integers(rng, n), samples.integers(rng, n)
        layer = weighted_automaton(alpha, matrices)
        weights = {(): alpha}
        states = {(): alpha}
        for length in range(1, longest + 1):
            for word in product((0, 1), repeat=length):
                weights[word] = matrices[word[-1]] @ weights[word[:-1]]
                states[word] = layer.step(states[word[:-1]], exact.unit_vector(2, order(word)[-1]))
        proof.exactly(
            "bilinear state and weighted automaton agree", [gamma @ h for h in states.values()], [gamma @ h for h in weights.values()]
        )
    for automaton in proof.each("random automata with n <= 6", [random_automaton(rng, rng.randint(1, 6), 2) for _ in range(count)]):
        letters = automaton.letters
        start = exact.unit_vector(automaton.n, automaton.start)
        slices = weighted_automaton(start, [boolean_transition(automaton.table[x]) for x in letters]).recurrence()
        state = {exact.freeze(exact.unit_vector(automaton.n, q)[:, None]): q for q in range(automaton.n)}
        layer = Recurrence(
            lambda x, slices=slices, letters=letters: slices.transition(exact.unit_vector(len(letters), letters.index(x))),
            lambda x, start=start: start[:, None] * 0,
            start[:, None],
            lambda H, x, state=state: state.get(exact.freeze(H)),
        )
        closes_by_layers(proof, "0/1 slices give the automaton's state, on all words", Stack((layer,)), automaton)
