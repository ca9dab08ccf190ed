"""Solvable groups by rounding: stacks of DeltaNet [0, 1] layers whose rounding errors count."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product as tuples

from flint import fmpq

from ...constructions.automata.layers.counter_stacks import (
    SERIES,
    RoundedStack,
    States,
    added,
    element,
    generated,
    levels,
    moved,
    product,
    rounded_stack,
)
from ...constructions.rounded_counts import COUNTERS, COUNTING, SETTLING, counter, cycle
from ..claim import claim
from ..evidence import Proof


def reached(
    stack: RoundedStack, letters: list[tuple[int, ...]], after: Callable[[RoundedStack, States, tuple[int, ...]], States]
) -> tuple[int, bool]:
    """How many states of all heads are reached by words of the ``letters``, and whether what is counted afterwards is always the product."""
    seen, todo, right = {stack.start}, [stack.start], element(stack.stack, stack.places(stack.start)) == tuple(range(len(letters[0])))
    while todo:
        states = todo.pop()
        g = element(stack.stack, stack.places(states))
        for x in letters:
            found = after(stack, states, x)
            right = right and element(stack.stack, stack.places(found)) == product(g, x)
            if found not in seen:
                seen.add(found)
                todo.append(found)
    return len(seen), right


def reads(stack: RoundedStack, letters: list[tuple[int, ...]]) -> list[list[str]]:
    """For each layer and letter, what is added where the layers below count (q_1, ..., q_i) after it: one digit for each, in lexicographic order."""
    moduli = [level.modulus for level in stack.stack]
    return [["".join(str(added(stack.stack, x, q)) for q in tuples(*map(range, moduli[:i]))) for x in letters] for i in range(len(moduli))]


@claim(
    "new.automata.rounded.solvable",
    place="after grazzi25 Theorem 4 (finite precision)",
    title="rounding tracks S₄, and every solvable group over the primes 2, 3, 5, 7, 11 and 13, in stacks of DeltaNet [0, 1]",
    says=r"Let $G$ be a finite solvable group whose order has no prime factors but 2, 3, 5, 7, 11 and 13, and let $r$ be their number, each as often as it occurs. In bfloat16, float16 and float32, with every operation rounded in one of the 16 evaluations "
    r"of new.parity.float.counts, a stack of $r$ layers of DeltaNet heads of width 3, with $\bigl||k|^2-1\bigr|\le2^{1-p}$ and $0<1-\beta|k|^2<1$ where $\beta\ne0$ ($p$ the precision), tracks $G$ with all its elements as letters at every length. A layer with the prime $p$ has $p-1$ heads. "
    r"For $S_4$: four layers with 1, 2, 1 and 1 heads; their 72 states are listed.",
    hypotheses=(
        "rounding to nearest, with any of five rules for ties",
        "a layer reads the letter and any function of the states of the layers below after it",
        "layers are run step by step",
    ),
    known="in exact arithmetic products of reflections track every group (grazzi25, Theorem 3) and factors in [0, 1] with finitely many exact states none (new.automata.stacks.semidefinite). That composition series make cascades of counters is Krohn and Rhodes. "
    "Shakerinava et al. (2603.01959) have solvable groups by complex diagonals at finite precision; Chung, Choi, Kim (2605.07755) exclude correction of errors for affine trackers without rounding. From memory.",
    construction="lemmata.constructions.automata.layers.counter_stacks.rounded_stack",
    remarks=("Beyond these primes OPEN; a group with another prime needs one more counter.",),
    sabotages={
        "layers read what is counted before the letter": {"after": lambda s, states, x: _too_early(s, states, x)},
        "one counter for both increments modulo 3": {"after": lambda s, states, x: _one_counter(s, states, x)},
        "the middle term is added last": {"ways": lambda: SETTLING[:8]},
    },
)
def rounded_counters_track_solvable_groups(
    proof: Proof,
    after: Callable[[RoundedStack, States, tuple[int, ...]], States] = RoundedStack.after,
    ways: Callable = lambda: COUNTING,
) -> None:
    r"""A composition series, one counter for each increment, and the count before the letter by undoing the letter.

    1. In each of the formats and evaluations there are heads of width 3 that count modulo 2, 3, 5, 7, 11 and 13: the letter 1 runs through $p$ states, the letter 0 keeps them. [uses: new.parity.float.counts, new.parity.float.unit-key] [checked: "modulo 2: two states"]
    2. Let $G=G_0>G_1>\dots>G_r=1$ with $G_i$ normal in $G_{i-1}$ and of prime index $p_i$, and $t_i\in G_{i-1}\setminus G_i$. Each $g\in G_{i-1}$ is $g't_i^q$ for one $g'\in G_i$ and one $0\le q<p_i$. So $g=t_r^{q_r}\cdots t_1^{q_1}$. [prose]
    3. For $x\in G_{i-1}$ of class $d$ modulo $G_i$: $t_i^qx=x't_i^{q'}$ with $q'=q+d$ modulo $p_i$ and $x'=t_i^qxt_i^{-q'}\in G_i$. So $g\mapsto gx$ adds $d$ to $q_i$ and multiplies $g'$ by $x'$, which depends on $x$ and $q'$, as $q=q'-d$. By induction on $i$ all layers are counters that read the letter and the counts below after it.
       [checked: "counts of five groups follow the product"] [prose]
    4. Modulo $p$ the number $q_i$ is $\sum_ddN_d$, where $N_d$ counts the letters that add $d$: one head for each $d=1,\dots,p-1$, with $\beta=0$ at all other letters. [prose]
    5. For $S_4$ all states of the five heads are listed, in three formats, each step rounded. [checked: "S_4: 72 states"; "S_4: the counts stand for the product"]
    """
    for format in proof.every("three formats, 16 evaluations", COUNTERS, limited=False):
        pair = counter(format, 2)
        unit = abs(pair.k @ pair.k - 1) <= fmpq(2) ** (1 - format.precision)
        proof.holds("modulo 2: 0 < 1 - beta |k|^2 < 1 and | |k|^2 - 1 | <= 2^(1 - p)", 0 < pair.eigenvalue < 1 and unit)
        for how in ways():
            for modulus in (2, 3):
                states, length = cycle(counter(format, modulus), how, format.round)
                proof.holds(f"modulo {modulus}: {('two', 'three')[modulus - 2]} states in a cycle", len(states) == length == modulus)
    how = next(iter(ways()))
    for format in proof.every("S_4 in three formats, all letters", COUNTERS, limited=False):
        stack = rounded_stack("S_4", format, how)
        letters = sorted(generated(SERIES["S_4"], 4))
        number, right = reached(stack, letters, after) if all(len(c) == m for m, c in stack.cycles.items()) else (0, False)
        proof.exactly("S_4: 72 states of all heads", number, 2 * 3**2 * 2 * 2)
        proof.holds("S_4: the counts stand for the product of all letters", right)
        elements = ["".join(map(str, element(stack.stack, q))) for q in tuples(*(range(level.modulus) for level in stack.stack))]
        heads = [{"modulus": m, "k": c.k, "beta": c.beta, "v": c.v, "start": c.start} for m, c in sorted(stack.counters.items())]
        shown = ["".join(map(str, x)) for x in letters]
        moduli = [level.modulus for level in stack.stack]
        proof.certificate(
            "witness",
            format.name,
            name=format.name,
            moduli=moduli,
            heads=heads,
            letters=shown,
            elements=elements,
            reads=reads(stack, letters),
        )
    with proof.beside():
        for name in proof.every("S_4, D_5, C_7 : C_3, C_11 : C_5, C_13 : C_3, every count, the generators as letters", SERIES):
            stack = levels(SERIES[name])
            letters = SERIES[name]
            for q in tuples(*(range(level.modulus) for level in stack)):
                g = element(stack, q)
                proof.holds(
                    "counts of five groups follow the product", all(element(stack, moved(stack, x, q)) == product(g, x) for x in letters)
                )


def _too_early(stack: RoundedStack, states: States, x: tuple[int, ...]) -> States:
    """Every layer reads what the layers below counted before the letter, as if it were after it."""
    places = stack.places(states)
    return tuple(
        tuple(stack.head(level.modulus, h, int(added(stack.stack, x, places[:i]) == j)) for j, h in enumerate(heads, 1))
        for i, (level, heads) in enumerate(zip(stack.stack, states, strict=True))
    )


def _one_counter(stack: RoundedStack, states: States, x: tuple[int, ...]) -> States:
    """The first head counts every letter that adds anything."""
    done: States = ()
    for level, heads in zip(stack.stack, states, strict=True):
        d = added(stack.stack, x, stack.places(done))
        done = (*done, tuple(stack.head(level.modulus, h, int(d > 0 and j == 1)) for j, h in enumerate(heads, 1)))
    return done
