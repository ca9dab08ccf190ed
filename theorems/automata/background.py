"""What Sec. 3.2, Sec. 4.3 and App. A of grazzi25 say beside the theorems: monoids, decoders, first tokens, columns; and slips there and in App. C.3, C.4 and Sec. 6."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations, product
from random import Random
from typing import Any

import numpy as np
import sympy
from flint import fmpq

from ...constructions import householder, samples
from ...constructions.automata import Automaton, compile_one_hot
from ...constructions.automata.read.families import all_automata, random_automaton
from ...numerics import exact
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof
from .groups import Images, generated

# -- Sec. 3.2 --------------------------------------------------------------------------------------------------------------


@claim(
    "grazzi25.sec3.2.monoid",
    place="Sec. 3.2, Finite State Automata and Regular Languages",
    title="the transition monoid is finite, and a group exactly if every letter permutes the states",
    says=r"$\mathcal T(\mathcal A)$ is closed under composition, holds the identity and has at most $|Q|^{|Q|}$ elements; it is a group of permutations iff $\delta(\cdot,w)$ is bijective for every letter $w$.",
    reading="'group' with the identity map as its unit, as the paper has it",
    sabotages={"the empty word is left out": {"elements": lambda letters: generated(letters) - {tuple(range(len(letters[0])))}}},
)
def transition_monoids(proof: Proof, elements: Callable[[Sequence[Images]], set[Images]] = generated) -> None:
    r"""Maps of a finite set into itself are finitely many.

    1. $\delta(\cdot,vw)=\delta(\cdot,w)\circ\delta(\cdot,v)$, so the maps of words are closed under composition; the empty word gives the identity. [checked: "closed"; "holds the identity"]
    2. There are $|Q|^{|Q|}$ maps of $Q$ into itself. [checked: "no more than n^n"]
    3. A bijection of a finite set has a power that is its inverse. If the monoid is a group, each letter has an inverse map, so it is bijective. [checked: "a group iff every letter is bijective"] [prose]
    """
    automata = (a for n in (1, 2, 3) for a in all_automata(n, 2))
    for a in proof.every("all automata with 1, 2, 3 states and two letters", automata):
        letters, one = list(a.table.values()), tuple(range(a.n))
        monoid = elements(letters)
        after = lambda g, h: tuple(g[i] for i in h)  # noqa: E731
        proof.holds("closed", all(after(g, h) in monoid for g in monoid for h in monoid))
        proof.holds("holds the identity", one in monoid)
        proof.holds("no more than n^n", len(monoid) <= a.n**a.n)
        group = all(any(after(g, h) == one for h in monoid) for g in monoid)
        proof.exactly("a group iff every letter is bijective", group, all(len(set(g)) == a.n for g in letters))


@claim(
    "grazzi25.sec3.2.decoder",
    place="Sec. 3.2, One LRNN Layer is an automaton, last part",
    title="a layer that implements an automaton from its start recognises the automaton's languages",
    says=r"If $g:\mathcal H\to Q$ is onto, $g(H_0)=q_0$ and $\delta(g(H),w)=g(A(w)H+B(w))$, then $\mathrm{dec}(H_t,w_t)=\mathbf1\{g(H_t)\in R\}$ tells after every word whether $\delta(q_0,\cdot)$ of it lies in $R$.",
    hypotheses=("g(H_0) = q_0",),
    reading="the definition of 'implements' does not ask for g(H_0) = q_0; the sentence on the decoder does. States lie in C^(n x d), as in Eq. 1, where R^(n x d) is printed",
    remarks=(
        "Without g(H_0) = q_0 'every language' fails: an automaton with three states is in the check. App. C.3 has it, with the states that no word reaches dropped.",
    ),
    sabotages={"the states are read off one place further": {"g": lambda H: (int(np.argmax(H[:, 0] == 1)) + 1) % len(H)}},
)
def implementing_is_recognising(proof: Proof, g: Callable[[Array], int] = lambda H: int(np.argmax(H[:, 0] == 1))) -> None:
    r"""$g$ of the layer's state is the automaton's state.

    1. $g(H_0)=q_0$, and $g(H_{t+1})=\delta(g(H_t),w_{t+1})$: by induction over the word $g(H_t)=\delta(q_0,w_1\dots w_t)$, for the one-hot layers of the scope on every state and letter.
       [checked: "g takes a step of the layer to a step of the automaton"; "and its start to the start"] [prose]
    2. So the decoder says whether that state lies in $R$. [prose]
    3. From another start it need not. Let $a$ act as $0\to1\to0$, $2\to0$ and $b$ as $0\to0$, $1\to1$, $2\to0$. From $2$ the words $aa$ and $ba$ lead to one state with one last letter, from $0$ to two.
       [checked: "from another start no decoder serves"]
    """
    automata = (a.reachable() for n in (1, 2, 3) for a in all_automata(n, 2))
    for a in proof.every("one-hot layers of all automata with 1, 2, 3 states and two letters", automata):
        (layer,) = compile_one_hot(a).layers
        proof.exactly("and its start to the start", g(layer.initial), a.start)
        one_hot = [exact.unit_vector(a.n, q)[:, None] for q in range(a.n)]
        steps = [(g(layer.step(H, x)), a.step(g(H), x)) for H in one_hot for x in a.letters]
        proof.exactly("g takes a step of the layer to a step of the automaton", [s for s, _ in steps], [t for _, t in steps])
    table = {"a": (1, 0, 0), "b": (0, 1, 0)}
    layer, meant = Automaton(table, 2), Automaton(table, 0)
    told = [tuple(machine.run(word)[-1] for word in ("aa", "ba")) for machine in (layer, meant)]
    for _ in proof.every("that automaton", [0], limited=False):
        proof.exactly("from another start no decoder serves", [x == y for x, y in told], [True, False])


@claim(
    "grazzi25.sec3.2.log-precision",
    place="Sec. 3.2, State-Tracking and Monoid Word Problems; Sec. 4.3, Discussion",
    title="parity is the word problem of S₂; what is said of S₅ and log-precision is known if TC⁰ ≠ NC¹",
    says=r"The parity automaton is that of the word problem of $S_2$. If $\mathsf{TC}^0\ne\mathsf{NC}^1$, no Transformer and no diagonal LRNN with a fixed number of layers and log-precision solves the word problem of $S_5$ at all lengths.",
    hypotheses=(r"$\mathsf{TC}^0\ne\mathsf{NC}^1$, which is open",),
    reading="the papers that are cited prove it under TC^0 != NC^1; the two sentences do not name that hypothesis, and should",
    sabotages={"S_3 instead of S_2": {"points": 3}},
)
def word_problems_and_circuits(proof: Proof, points: int = 2) -> None:
    r"""Two groups of two elements, and a theorem of others.

    1. $S_2$ has two elements, and products of them add up modulo $2$. [checked: "the word problem of S_2 is the sum modulo 2"]
    2. Log-precision Transformers and diagonal LRNNs of fixed depth lie in $\mathsf{TC}^0$, and the word problem of $S_5$ is complete for $\mathsf{NC}^1$.
       [cited: Merrill and Sabharwal (2023), Merrill, Petty and Sabharwal (2024), Barrington (1989)]
    """
    group = sorted(permutations(range(points)))
    table = [[group.index(tuple(g[i] for i in h)) for h in group] for g in group]
    for _ in proof.every("all pairs of elements", [0], limited=False):
        proof.exactly("the word problem of S_2 is the sum modulo 2", table, [[(i + j) % 2 for j in range(2)] for i in range(2)])
    proof.cites("Merrill and Sabharwal (2023) and Merrill, Petty and Sabharwal (2024), if TC^0 is not NC^1; Barrington (1989)")


@claim(
    "grazzi25.sec4.3.unsolvable",
    place="Sec. 4.3, Discussion",
    of="grazzi25.sec3.2.log-precision",
    flaw="misprint",
    quotes=("i.e. excluding groups isomorphic to S_n with $n \\geq 5$",),
    title="A₅ is not solvable either, and is no symmetric group: 'i.e.' should read 'e.g.'",
    says=r"A finite group is solvable unless it is isomorphic to some $S_n$ with $n\ge5$.",
    reading="'i.e.' as 'that is'",
    letter="In the Discussion, 'all groups are solvable, i.e. excluding groups isomorphic to S_n with n >= 5' should read 'e.g.'. A_5 is not solvable, and its order 60 is no factorial.",
    sabotages={"at most four points": {"most": 4}},
)
def another_unsolvable_group(proof: Proof, most: int = 5) -> None:
    """The commutators of A_5 generate A_5, so its derived series never ends; |A_5| = 60 is none of 1, 2, 6, 24, 120. A_3 and A_4 are solvable."""

    def perfect(n: int) -> bool:
        group = generated([(*range(i - 1), i, i + 1, i - 1, *range(i + 2, n)) for i in range(1, n - 1)])
        return len(group) > 1 and generated(_commutators(group)) == group

    found = proof.smallest("the alternating groups on 3, 4, 5 points", range(3, most + 1), perfect)
    if found:
        n = found[0]
        letters = [(*range(i - 1), i, i + 1, i - 1, *range(i + 2, n)) for i in range(1, n - 1)]
        group = generated(letters)
        proof.counterexample(
            given={"generators": letters, "order": len(group), "order of its commutator subgroup": len(generated(_commutators(group)))},
            words={"unsolvable": perfect(n), "symmetric": all(len(group) != sympy.factorial(k) for k in range(1, 7))},
            minimal=f"A_{n}, of order {len(group)}",
        )
        proof.certificate("witness", "generators", generators=[list(g) for g in letters])


def _commutators(group: set[Images]) -> list[Images]:
    """g h g^-1 h^-1 for all pairs."""
    inverse = {g: tuple(sorted(range(len(g)), key=g.__getitem__)) for g in group}
    of = lambda g, h: tuple(g[i] for i in h)  # noqa: E731
    return sorted({of(of(g, h), of(inverse[g], inverse[h])) for g in group for h in group})


# -- App. A.1 and A.3 ----------------------------------------------------------------------------------------------------------


def _denoted(letters: int) -> set[frozenset[int]]:
    """The languages over {1}, as sets of lengths, that expressions of that many letters at most denote: the empty set, the empty word, 1, unions, concatenations."""
    found = [{frozenset(), frozenset({0})}, {frozenset(), frozenset({0}), frozenset({1}), frozenset({0, 1})}]
    for m in range(2, letters + 1):
        pairs = [(a, b) for i in range(1, m) for a in found[i] for b in found[m - i]]
        joined = {a | b for a, b in pairs} | {frozenset(x + y for x in a for y in b) for a, b in pairs}
        found.append(joined | {a | {0} for a in joined} | found[-1])
    return found[letters]


@claim(
    "grazzi25.appA1.star-free",
    place="App. A.1, last sentence",
    of="grazzi25.sec1.regular",
    flaw="misprint",
    quotes=("A language is *star-free* if it can be expressed with a regular expression that does not contain the Kleene star.",),
    title="'star-free' lacks the words 'but may contain complements': as printed it means finite",
    says="A language is star-free iff a regular expression without Kleene star denotes it.",
    reading="'regular expression' of letters, unions and concatenations, as in the textbook that App. A.1 cites",
    letter="The definition of star-free in App. A.1 lacks complements. Without star and complement a regular expression denotes a finite language. Yet 1* is star-free, as the complement of the empty language.",
    sabotages={"a language of one word": {"loop": 1}},
)
def star_free_needs_complements(proof: Proof, loop: int = 0) -> None:
    """An expression of m letters without star and complement denotes no word longer than m, by induction over the expression: a union keeps the longer bound, and a concatenation adds two.

    All words over {1} are the complement of the empty language, hence star-free; they are accepted by one state that leads to itself."""
    automaton = Automaton({"1": (loop, loop) if loop else (0,)}, 0, frozenset({0}))
    accepted = automaton.reachable().accepting
    longest = {m: max((max(L) for L in _denoted(m) if L), default=0) for m in range(4)}
    lengths = [k for k in range(1, 9) if automaton.run("1" * k)[-1] in automaton.accepting]
    proof.counterexample(
        given={"language": "all words over {1}", "longest word of an expression with m = 0, 1, 2, 3 letters": list(longest.values())},
        words={
            "star-free": accepted == set(range(automaton.reachable().n)),
            "finite": all(longest[m] <= m for m in longest),
            "infinite": lengths == list(range(1, 9)),
        },
        minimal="one letter",
    )
    proof.certificate("witness", "an automaton of one state", letters=["1"], table=[[loop]])


@claim(
    "grazzi25.appA3.rnn",
    place="App. A.3, first paragraph",
    title="a recurrence of one real number with a free step computes any automaton: a polynomial step of degree below |Q| does",
    says=r"With the states $0,\dots,m-1\in\mathbb R$, $h_0=q_0$ and $g(\cdot,w)$ the polynomial of degree below $m$ with $g(q,w)=\delta(q,w)$, the recurrence $h_t=g(h_{t-1},w_t)$ is the automaton.",
    reading="'sufficiently expressive' as: takes these values on the states",
    sabotages={"one point too few": {"nodes": lambda m: range(max(m - 1, 1))}},
)
def any_step_is_any_automaton(proof: Proof, nodes: Callable[[int], range] = range) -> None:
    r"""Interpolation.

    1. $g(q,w)=\sum_p\delta(p,w)\prod_{r\ne p}\frac{q-r}{p-r}$ is $\delta(q,w)$ at all states $q$. [checked: "the polynomial steps as the automaton"]
    2. The states stay among $0,\dots,m-1$, so one step is all that has to be checked; by induction over the word $h_t$ is the automaton's state. [prose]
    """
    rng = Random(332)
    count = proof.pick(5, 20, 60)
    family = [*all_automata(2, 2), *(random_automaton(rng, 1 + i % 6, 2) for i in range(count))]
    for a in proof.each(f"all automata with 2 states and 2 letters, {count} random ones with up to 6 states, seed 332", family):
        for x, images in a.table.items():
            values = [sum((images[p] * _basis(q, p, nodes(a.n)) for p in nodes(a.n)), fmpq(0)) for q in range(a.n)]
            proof.exactly("the polynomial steps as the automaton", values, [a.step(q, x) for q in range(a.n)])


def _basis(q: int, p: int, nodes: range) -> fmpq:
    """Lagrange's polynomial of the node p at q."""
    out = fmpq(1)
    for r in nodes:
        out *= fmpq(q - r, p - r) if r != p else 1
    return out


@claim(
    "grazzi25.appA3.order",
    place="App. A.3, the entries of A(w)",
    of="grazzi25.appA3.layer",
    flaw="misprint",
    quotes=(r"being the matrix with entries $A(w)_{q',q} = \mathbf{1}\{\delta(w, q) = q'\}$",),
    title="δ(w, q) is printed for δ(q, w) in the one-hot transitions",
    says=r"With $A(w)_{q'q}=\mathbf1\{\delta(w,q)=q'\}$ the one-hot layer of an automaton with numbers for states and letters is in the state of the automaton.",
    reading="delta takes the state first, as Sec. 3.2 defines it",
    extracted=True,
    letter="In App. A.3 the entries of A(w) should read 1{delta(q, w) = q'}. Elsewhere delta takes the state first and the letter second.",
    sabotages={"the state first": {"arguments": lambda q, w: (q, w)}},
)
def letter_before_state(proof: Proof, arguments: Callable[[int, int], tuple[int, int]] = lambda q, w: (w, q)) -> None:
    """Where states and letters are the same numbers, delta(w, q) and delta(q, w) both make sense and differ; elsewhere the first makes none."""

    def differs(delta: tuple) -> list[tuple[int, int]]:
        return [(q, w) for q, w in product((0, 1), repeat=2) if delta[arguments(q, w)[0]][arguments(q, w)[1]] != delta[q][w]]

    tables = product(product((0, 1), repeat=2), repeat=2)
    found = proof.smallest("automata with states 0, 1 and letters 0, 1, as tables delta[q][w]", tables, differs)
    if found:
        delta, ((q, w), *_) = found
        proof.counterexample(
            given={"delta (row: state, column: letter)": delta, "q": q, "w": w, "delta(q, w)": delta[q][w], "delta(w, q)": delta[w][q]},
            words={"table": all(x in (0, 1) for row in delta for x in row), "differ": delta[q][w] != delta[w][q]},
            minimal="two states, two letters",
        )
        proof.certificate("witness", "a table, a state and a letter", delta=delta, q=q, w=w)


# -- App. A.4.1 ------------------------------------------------------------------------------------------------------------------


@claim(
    "grazzi25.appA4.bos",
    place="App. A.4.1, first paragraph",
    title="a first token can set the initial state: from H₀ = 0, B of the token takes its part",
    says=r"A layer with $H_0=0$ and $B(\vdash)=H_0'$ is, after $\vdash w_1\dots w_t$, in the state of the layer with $H_0=H_0'$ after $w_1\dots w_t$, whatever $A(\vdash)$ is. The same for each layer of a stack.",
    hypotheses=("in a stack each layer hands up a sign of the token, so that the next layer can set its own state",),
    sabotages={"the state before the token is not 0": {"start": sympy.Symbol("h", commutative=False)}},
)
def first_token_sets_the_state(proof: Proof, start: Any = 0) -> None:
    r"""One step from $0$.

    1. $H_1=A(\vdash)\cdot0+B(\vdash)=H_0'$. [checked: "A 0 + B = B"]
    2. From there on both layers read the same letters by the same maps, so their states agree by induction. In a stack the decoders hand up a sign of the token, and step 1 holds in each layer. [prose]
    """
    A, B = sympy.symbols("A B", commutative=False)
    proof.symbolically("A 0 + B = B", A * start + B, B, "A, B")


@claim(
    "grazzi25.appA4.initial",
    place="App. A.4.1, second sentence; App. C.3, the cyclic case",
    of="grazzi25.appA4.bos",
    flaw="misprint",
    quotes=(
        r"$\mathbf{H}_0 \subseteq \mathbb{C}^{n \times d}$ to be learnable",
        r"if for simplicity we assume $\Sigma \in \{0, \dots, m - 1\}$",
    ),
    title="'element of' and 'subset of' are exchanged at H₀ and at Σ",
    says=r"$H_0\subseteq\mathbb C^{n\times d}$, and $\Sigma\in\{0,\dots,m-1\}$.",
    extracted=True,
    letter="In App. A.4.1 H_0 is an element of C^(n x d), not a subset. In App. C.3 Sigma is a subset of {0, ..., m - 1}, not an element.",
    sabotages={"an alphabet of numbers that are sets of smaller ones": {"residues": lambda m: [frozenset(range(m))]}},
)
def element_and_subset(proof: Proof, residues: Callable[[int], list[Any]] = lambda m: list(range(m))) -> None:
    """For m = 1 the alphabet {0} is a subset of {0} and no element of it. The state (0) of n = d = 1 has the element 0, which is no matrix."""
    m = 1
    alphabet, H = frozenset(range(m)), [[0]]
    proof.counterexample(
        given={"m": m, "Sigma": list(alphabet), "H_0": H},
        words={
            "subset": alphabet <= set(range(m)),
            "element": alphabet not in residues(m),
            "rows": all(len(H) == 1 and row != H for row in H),
        },
        minimal="m = n = d = 1",
    )
    proof.certificate("witness", "an alphabet and a state", m=m, H0=H)


@claim(
    "grazzi25.appA4.columns",
    place="App. A.4.1, second paragraph",
    title="a layer with finitely many states needs one column: d = 1 serves with the same A",
    says=r"If a layer has finitely many states in $\mathbb R^{n\times d}$, there is $c\in\mathbb Z^d$ such that $H\mapsto Hc$ is one-to-one on them; the layer with $A$, $Bc$ and $H_0c$ has these states.",
    hypotheses=("finitely many states, as in Theorems 3, 4 and 6",),
    reading="'no theoretical advantage' for what finitely many states can do; the cost of a step is another matter",
    sabotages={"the columns are added up": {"weights": lambda states: np.array([exact.rational(1)] * states[0].shape[1])}},
)
def one_column_serves(proof: Proof, weights: Callable[[list[Array]], Array] | None = None) -> None:
    r"""A generic combination of the columns tells finitely many states apart.

    1. $(A H+B)c=A(Hc)+Bc$. [checked: "(A H + B) c"]
    2. Take $c=(1,t,\dots,t^{d-1})$. For $H\ne H'$ some row of $(H-H')c$ is a polynomial in $t$ that is not $0$, with $d-1$ roots at most. So some $t$ among $0,\dots,(d-1)\binom N2$ tells $N$ states apart.
       [checked: "as many states with one column"; "t is as small as said"]
    3. So the states of the two layers correspond, letter by letter. [checked: "and they move alike"]
    4. Steps 1 and 2 hold for every such layer; the machine goes through the layers of the scope. [prose]
    """
    A, H, B, c = sympy.symbols("A H B c", commutative=False)
    proof.symbolically("(A H + B) c = A (H c) + B c", (A * H + B) * c, A * (H * c) + B * c, "A, H, B, c")
    rng = Random(333)
    count = proof.pick(4, 15, 40)
    opposite = exact.rationals([[0, 1], [1, 0]]), exact.rationals([[1, -1], [2, -2]]), exact.rationals([[3, -3], [4, -4]])
    layers = [opposite, *(_permutation_and_writes(rng) for _ in range(count))]
    for P, initial, written in proof.each(
        f"two columns of opposite sign, {count} random layers of n <= 4 rows and d <= 3 columns, seed 333", layers
    ):
        n, d = initial.shape
        letters = [(P, exact.zeros(n, d)), (exact.zeros(n, n), written)]
        states = _states(letters, initial)
        t = next(t for t in range(1 + (d - 1) * len(states) ** 2) if len({exact.freeze(s @ _powers(t, d)) for s in states}) == len(states))
        proof.holds("t is as small as said", t <= (d - 1) * len(states) * (len(states) - 1) // 2)
        chosen = _powers(t, d) if weights is None else weights(states)
        narrow = _states([(A, (B @ chosen)[:, None]) for A, B in letters], (initial @ chosen)[:, None])
        proof.exactly("as many states with one column", len(narrow), len(states))
        moved = [exact.freeze((A @ s + B) @ chosen) for s in states for A, B in letters]
        proof.exactly("and they move alike", moved, [exact.freeze(A @ (s @ chosen) + B @ chosen) for s in states for A, B in letters])


def _permutation_and_writes(rng: Random) -> tuple[Array, Array, Array]:
    """A permutation matrix, a first state and one that a reset writes."""
    n, d = rng.randint(2, 4), rng.randint(2, 3)
    g = rng.sample(range(n), n)
    return householder.permutation_matrix(g), samples.integers(rng, n, d), samples.integers(rng, n, d)


def _powers(t: int, d: int) -> Array:
    return exact.rationals([t**i for i in range(d)])


def _states(letters: Sequence[tuple[Array, Array]], initial: Array) -> list[Array]:
    """All states that words reach."""
    found, seen = [initial], {exact.freeze(initial)}
    for H in found:
        for A, B in letters:
            after = A @ H + B
            if exact.freeze(after) not in seen:
                seen.add(exact.freeze(after))
                found.append(after)
    return found


# -- slips of App. C.4 and Sec. 6 ----------------------------------------------------------------------------------------------


@claim(
    "grazzi25.def1.transition",
    place="App. C.4, Definition 1 and Theorem 5",
    of="grazzi25.thm5",
    flaw="misprint",
    quotes=(r"$(\delta(q, w), \delta(q', (q, w)))$", "(i.e. a permutation over Q)"),
    title="δ is printed for δ′ in the cascade product, and Q for the level's own states in Theorem 5",
    says=r"In the cascade product of $\mathcal A=(\Sigma,Q,q_0,\delta)$ and $\mathcal B=(Q\times\Sigma,Q',q_0',\delta')$ the upper state moves to $\delta(q',(q,w))$.",
    extracted=True,
    letter="In Definition 1 the second component should read delta'(q', (q, w)), since delta reads letters of Sigma only. In Theorem 5 'over Q' should read 'over Q^(i)', and the last delta lacks its index (i).",
    sabotages={"delta' of the upper automaton": {"domain": lambda low, up: up}},
)
def delta_for_delta_prime(proof: Proof, domain: Callable[[set, set], set] = lambda low, up: low) -> None:
    """delta is defined on Q x Sigma, and (q', (q, w)) has a pair for its letter. Already with one state each and one letter it lies outside."""
    low = {(q, w) for q in range(1) for w in range(1)}
    up = {(p, pair) for p in range(1) for pair in low}
    proof.counterexample(
        given={"Q": [0], "Q'": [0], "Sigma": [0], "q, q', w": (0, 0, 0), "delta is defined on": sorted(low), "argument": (0, (0, 0))},
        words={"upper": (0, (0, 0)) in up, "outside": (0, (0, 0)) not in domain(low, up)},
        minimal="one state each, one letter",
    )
    proof.certificate("witness", "sizes of Q, Q' and Sigma", sizes=[1, 1, 1])


@claim(
    "grazzi25.sec6.z3",
    place="Sec. 6, Limitations and Future work",
    of="grazzi25.thm6",
    flaw="misprint",
    quotes=(r"addition modulo m (in Appendix D) which is equivalent to the $\mathbb{Z}_3$ group word problem",),
    title="ℤ₃ is printed for ℤₘ: addition modulo m is the word problem of ℤₘ",
    says=r"For every $m$, addition modulo $m$ is the word problem of $\mathbb Z_3$.",
    extracted=True,
    letter="In Sec. 6 addition modulo m is called equivalent to the word problem of Z_3. The group is Z_m, as in App. D.",
    sabotages={"modulo 3": {"modulus": 3}},
)
def group_of_three(proof: Proof, modulus: int = 2) -> None:
    """Modulo 2 there are two sums, and 1 + 1 = 0; the group Z_3 has three elements, and 1 + 1 = 2."""
    sums = {x % modulus for x in range(6)}
    proof.counterexample(
        given={"m": modulus, "sums modulo m": sorted(sums), "elements of Z_3": [0, 1, 2]},
        words={"sizes": len(sums) != 3},
        minimal=f"m = {modulus}",
    )
    proof.certificate("witness", "a modulus", m=modulus)
