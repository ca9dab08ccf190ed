"""Word problems (grazzi25, Sec. 3.2), one layer for any automaton (App. A.3), and weighted automata (lizaire26, Sec. 3.3)."""

from __future__ import annotations

from itertools import product
from random import Random

import sympy

from ...constructions import samples
from ...constructions.automata import Automaton, compile_one_hot
from ...constructions.automata.read.families import all_automata, random_automaton
from ...constructions.bilinear import weighted_automaton
from ...constructions.householder import boolean_transition
from ...constructions.recurrence import Recurrence, Stack
from ...numerics import exact
from ...numerics.exact import Array
from ..claim import claim
from ..closure import closes_by_layers
from ..evidence import Proof

# -- word problems ---------------------------------------------------------------------------------------------------------


def monoids(n: int):
    """Every monoid on 0 .. n-1 with identity 0, as tables ``table[a][b]`` = a b; isomorphic ones are repeated."""
    for entries in product(range(n), repeat=(n - 1) ** 2):
        table = [list(range(n))] + [[a, *entries[(a - 1) * (n - 1) : a * (n - 1)]] for a in range(1, n)]
        if all(table[table[a][b]][c] == table[a][table[b][c]] for a in range(n) for b in range(n) for c in range(n)):
            yield table


@claim(
    "grazzi25.sec3.2.word-problem",
    place="Sec. 3.2, State-Tracking and Monoid Word Problems",
    title="the word problem of every finite monoid M is solved by an automaton with the elements of M as states and letters",
    says=r"For a finite monoid $M$ the automaton $(M,M,e,\delta)$ with $\delta(m_1,m_2)=m_1\cdot m_2$ is in the state $m_1\cdot m_2\cdots m_t$ after the word $m_1\dots m_t$.",
    reading="delta(m_1, m_2) = m_1 m_2, the state on the left, where m_2 m_1 is printed (grazzi25.sec3.2.word-problem.order)",
    sabotages={
        "from the left, which the kernel refutes": {"theorem": "recurrences.products_of_letters_from_the_left"},
        "the letter is multiplied from the left": {"step": lambda state, letter: letter * state},
    },
)
def products_of_letters(proof: Proof, step=lambda state, letter: state * letter, theorem: str = "recurrences.products_of_letters") -> None:
    r"""Induction over the word, in a free monoid.

    1. After one letter the state is $\delta(e,m_1)=e\,m_1=m_1$. [checked: "the first letter"]
    2. If the state is $P=m_1\cdots m_t$, the next is $\delta(P,m)=P\,m$, the product of the longer word; associativity makes it independent of brackets, $(P m)m'=P(m m')$. [checked: "one letter more"; "brackets"]
    3. Induction over the word joins the two. What holds in a free monoid holds in every monoid, as letters may stand for any elements. [prose]
    """
    proof.formally("the kernel: the state is the product", theorem, whole="every finite monoid and word")
    P, m, n = sympy.symbols("P m m'", commutative=False)
    proof.symbolically("the first letter", step(sympy.S.One, m), m, free="m")
    proof.symbolically("one letter more", step(P, m), P * m, free="P, m, which need not commute")
    proof.symbolically("brackets", step(step(P, m), n), P * (m * n), free="P, m, m'")
    for size in (2, 3):
        table = next(t for t in monoids(size) if size == 2 or t[1][2] != t[2][1])
        proof.certificate(
            "witness", f"a monoid with {size} elements", table=table, delta=table, words=[list(w) for w in product(range(size), repeat=3)]
        )


def _nonzero_slices(rng: Random, n: int) -> list:
    """Two n x n matrices of integers, drawn again until an entry is not 0."""
    draws = samples.tries("an entry that is not 0")
    while True:
        next(draws)
        slices = [samples.integers(rng, n, n) for _ in range(2)]
        if any(x != 0 for A in slices for x in A.flat):
            return slices


def _printed_step(table, state: int, letter: int) -> int:
    """delta(m_1, m_2) = m_2 m_1, as printed."""
    return table[letter][state]


@claim(
    "grazzi25.sec3.2.word-problem.order",
    place="Sec. 3.2, State-Tracking and Monoid Word Problems",
    flaw="misprint",
    extracted=True,
    quotes=(r"the transition function is $\delta(m_1, m_2) = m_2 \cdot m_1$",),
    title="with δ(m1, m2) = m2 m1, as printed, the automaton computes the product in reverse order",
    says=r"With $\delta(m_1,m_2)=m_2\cdot m_1$ the state after $m_1\dots m_t$ is $m_1\cdot m_2\cdots m_t$.",
    reading="delta's first argument is the state and its second the letter, as in the paper's definition of an automaton",
    letter="In Sec. 3.2 the automaton for the word problem should have delta(m_1, m_2) = m_1 m_2. With m_2 m_1 its state is the product in reverse order, unless products are read as compositions of maps.",
    sabotages={"the letter is multiplied from the right": {"step": lambda table, state, letter: table[state][letter]}},
)
def products_are_reversed(proof: Proof, step=_printed_step) -> None:
    """delta prepends: after m_1 m_2 the state is m_2 (m_1 e), the product in reverse order, which differs as soon as M does not commute.

    The smallest monoid that does not commute has three elements: e and two that answer every product by its first factor."""

    def wrong(table):
        return [(a, b) for a in range(len(table)) for b in range(len(table)) if step(table, step(table, 0, a), b) != table[a][b]]

    found = proof.smallest("monoids with 1, 2, 3 elements", (table for n in (1, 2, 3) for table in monoids(n)), wrong)
    if found:
        table, ((a, b), *_) = found
        proof.counterexample(
            given={"products a b (row a, column b)": table, "m1": a, "m2": b, "m1 m2": table[a][b], "state after m1 m2": table[b][a]},
            words={
                "identity": all(table[0][x] == x == table[x][0] for x in range(len(table))),
                "product": step(table, step(table, 0, a), b) != table[a][b],
            },
            minimal=f"a monoid with {len(table)} elements, a word of length 2",
        )
        proof.certificate("witness", "a monoid, and a word of two letters", table=table, word=[a, b])


# -- one layer without a bound on the norm ------------------------------------------------------------------------------------


@claim(
    "grazzi25.appA3.layer",
    place="App. A.3",
    title="one layer with one-hot states and 0/1 transitions computes any automaton; their norm can exceed 1",
    says=r"With $n=|Q|$, $H_0=e_{q_0}$, $B=0$ and $A(w)_{q'q}=\mathbf 1\{\delta(q,w)=q'\}$ one layer outputs the automaton's state after every letter; $\|A(w)\|>1$ where two states are merged.",
    reading="delta(q, w) where the formula prints delta(w, q); the start is numbered first",
    hypotheses=("H_0 is the unit vector of the start, which the paper numbers first",),
    remarks=(
        "App. A.3 says that *enabling* norms above 1 can make the recurrence unstable. It can; these transitions themselves stay bounded, since their products are again 0/1 matrices with one 1 in each column.",
        "The construction is standard (the paper cites Liu et al. 2023 and Merrill et al. 2024); PD-SSM (arXiv 2509.22284) makes a trained layer of it.",
    ),
    construction="lemmata.constructions.automata.compiler.compile_one_hot",
    sabotages={"the transposed transitions": {"transition": lambda images: boolean_transition(images).T}},
)
def one_hot_layer(proof: Proof, transition=boolean_transition) -> None:
    r"""Column $q$ of $A(w)$ is the unit vector of $\delta(q,w)$.

    1. $\sum_q\mathbf 1\{\delta(q,w)=q'\}\mathbf 1\{q=p\}=\mathbf 1\{\delta(p,w)=q'\}$, so $A(w)e_p=e_{\delta(p,w)}$ and the state is the unit vector of the automaton's state. [checked: "A(w) e_p = e_delta(p, w)"]
    2. The layer is closed for all automata with two states and two letters, and random ones: all words. [checked: "the output is the automaton's state, on all words"]
    3. If $\delta(p,w)=\delta(q,w)$ for $p\ne q$, then $|A(w)(e_p+e_q)|=2>\sqrt2$. [checked: "a merged pair is lengthened"; "a permutation is a contraction, a collapse is not"]
    4. The same for every automaton. [prose]
    """
    proof.formally("the kernel: one layer of one-hot states", "automata.one_layer_one_hot", differs="any ring; not the norm")
    proof.formally(
        "the kernel: one-hot states tell the automaton's states apart", "automata.one_hot_tells_states", differs="any ring with 1 != 0"
    )
    q, p, i = sympy.symbols("q p i", integer=True)
    image = sympy.Function("delta")
    column = sympy.Sum(sympy.KroneckerDelta(i, image(q)) * sympy.KroneckerDelta(q, p), (q, -sympy.oo, sympy.oo)).doit()
    proof.symbolically("A(w) e_p = e_delta(p, w)", column, sympy.KroneckerDelta(i, image(p)), free="states and transitions")
    count, largest = proof.pick((10, 5), (40, 8), (100, 12))
    rng = Random(73)
    family = [*all_automata(2, 2), *(random_automaton(rng, 1 + i % largest, rng.randint(1, 3)) for i in range(count))]
    proof.holds("letters permute and merge, up to the largest size", {a.n for a in family} == set(range(1, largest + 1)) | {2})
    for automaton in proof.each(f"all automata with 2 states and 2 letters, {count} random ones with n <= {largest}, seed 73", family):
        start = exact.unit_vector(automaton.n, automaton.start)[:, None]
        table = {x: (transition(images), start * 0) for x, images in automaton.table.items()}
        state = {exact.freeze(exact.unit_vector(automaton.n, q)): q for q in range(automaton.n)}
        layer = Recurrence.from_table(table, start, lambda H, x, state=state: state.get(exact.freeze(H)))
        closes_by_layers(proof, "the output is the automaton's state, on all words", Stack((layer,)), automaton, certify=True)
        for images in automaton.table.values():
            merged = [(a, b) for a in range(automaton.n) for b in range(a) if images[a] == images[b]]
            A = transition(images)
            lengths = [sum(x * x for x in A[:, a] + A[:, b]) for a, b in merged]
            proof.exactly("a merged pair is lengthened from sqrt 2 to 2", lengths, [4] * len(merged))
    collapse = compile_one_hot(Automaton({"a": (0, 0, 1), "b": (1, 2, 0)}))
    norms = [exact.is_contraction(A) for A, _ in collapse.proof[0].maps]
    proof.exactly("a permutation is a contraction, a collapse is not", norms, [False, True])
    closes_by_layers(proof, "compile_one_hot returns that layer", collapse.stack, collapse.automaton, certify=True)


@claim(
    "lizaire26.sec3.3.weighted-automata",
    place="Sec. 3.3, first paragraph",
    title="linear BIRNNs on one-hot letters are weighted automata, which hold every deterministic automaton: exact at every length",
    says=r"For one-hot letters $x_t=e_w$ the bilinear recurrence $h_t=\mathcal B(h_{t-1},x_t)$ is $h_t=A_wh_{t-1}$ with the slices $A_w=\mathcal B(\cdot,e_w)$: the weight "
    r"$\gamma^\top A_{w_t}\cdots A_{w_1}\alpha$ of a weighted automaton; with 0/1 slices any deterministic one.",
    reading="the equivalence that the paper cites (Li et al. 2022; Rabusseau, Li, Precup 2019), for one layer",
    hypotheses=("one linear readout; letters are one-hot",),
    construction="lemmata.constructions.bilinear.weighted_automaton",
    sabotages={"the letters of the word are read backwards": {"order": lambda word: word[::-1]}},
)
def bilinear_layers_are_weighted_automata(proof: Proof, order=tuple) -> None:
    r"""The bilinear form is linear in the letter, so a one-hot letter selects a slice.

    1. $\mathcal B(h,e_w)_i=\sum_{j,k}T_{ijk}h_j(e_w)_k=\sum_jT_{ijw}h_j$: the slice $A_w$ applied to $h$. [checked: "a one-hot letter selects a slice"]
    2. So the state is $A_{w_t}\cdots A_{w_1}\alpha$ and the readout the weight of the word, and every choice of slices is a BIRNN: the tensor contracted with $h$ and $x$ agrees with the product of matrices. [checked: "bilinear state and weighted automaton agree"]
    3. With 0/1 slices the state is the unit vector of a deterministic automaton's state: closed, all words. [checked: "0/1 slices give the automaton's state"]
    4. The same for every number of states and letters. [prose]
    """
    j, k, w, i = sympy.symbols("j k w i", integer=True)
    T, h = sympy.Function("T"), sympy.Function("h")
    inner = sympy.Sum(T(i, j, k) * h(j) * sympy.KroneckerDelta(k, w), (k, -sympy.oo, sympy.oo)).doit()
    proof.symbolically("a one-hot letter selects a slice", inner, T(i, j, w) * h(j), free="T, h, i, j, w; summed over j")
    rng = Random(74)
    count, longest = proof.pick((5, 4), (15, 6), (30, 8))
    for _ in proof.each(
        f"{count} random weighted automata with n <= 4 states and 2 letters, seed 74, all words up to length {longest}", range(count)
    ):
        n = rng.randint(1, 4)
        matrices = _nonzero_slices(rng, n)
        alpha, gamma = samples.nonzero_vector(rng, n), samples.nonzero_vector(rng, n)
        layer = weighted_automaton(alpha, matrices)
        proof.holds(
            "the slices and the start are not all zero", bool(any(x != 0 for A in matrices for x in A.flat)) and any(x != 0 for x in alpha)
        )
        weights: dict[tuple[int, ...], Array] = {(): alpha}
        states: dict[tuple[int, ...], Array] = {(): alpha}
        for length in range(1, longest + 1):
            for word in product((0, 1), repeat=length):
                weights[word] = matrices[word[-1]] @ weights[word[:-1]]
                states[word] = layer.step(states[word[:-1]], exact.unit_vector(2, order(word)[-1]))
        proof.exactly(
            "bilinear state and weighted automaton agree", [gamma @ h for h in states.values()], [gamma @ h for h in weights.values()]
        )
    deterministic = [random_automaton(rng, 1 + i % 6, 2) for i in range(count)]
    proof.holds("automata of several sizes", len({a.n for a in deterministic}) > 2)
    for automaton in proof.each(f"{count} random automata with n <= 6, seed 74", deterministic):
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
    for A, B in ([[[0, 1], [1, 0]], [[1, 0], [1, 1]]], [[[1, 2], [0, 1]], [[0, -1], [1, 1]]]):
        layer = weighted_automaton(exact.rationals([1, -1]), [exact.rationals(A), exact.rationals(B)])
        h = exact.rationals([1, -1])
        visited = []
        for x in (0, 1, 1, 0, 1):
            h = layer.step(h, exact.unit_vector(2, order((0, x))[-1]))
            visited.append(h)
        proof.certificate("witness", "two letters", slices=[A, B], start=[1, -1], word=[0, 1, 1, 0, 1], states=visited)
