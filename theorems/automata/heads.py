"""What one layer of Householder factors has: heads of width 1 and 2, and registers and counters of one head with several factors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

import sympy
from flint import fmpq

from ...constructions import householder
from ...constructions.automata import Automaton
from ...constructions.householder import GeneralizedHouseholder
from ...constructions.languages import Language, language_of
from ...constructions.languages.single_layers import counts
from ...constructions.recurrence import Recurrence
from ...numerics import exact
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof
from .exact_stacks import halved_delay
from .one_layer import AFTER, CLOSED, EXACT, LETTER_ALONE, UNIT_KEYS, has, languages, outcome

# -- heads of width 1 and 2 ------------------------------------------------------------------------------------------------------


def is_a_head(a: Any, b: Any) -> bool:
    """Whether h -> a h + b is h - beta (h - v) with beta 0, 1 or 2: held, overwritten, or turned about 0."""
    return (a == 1 and b == 0) or a == 0 or (a == -1 and b == 0)


def sign_layer(language: Language, turn: int = -1) -> Recurrence:
    """One head with beta = 2 for every letter and no write; the decoder knows the length modulo 2 and the last letter."""
    m = language.machine
    A, b = exact.rationals([[turn]]), exact.zeros(1, 1)

    def decode(H: Array, x: Any) -> int:
        last = m.letters.index(x)
        return m.end(0, [last] if H[0, 0] == -1 else [0, last])

    return Recurrence(lambda x: A, lambda x: b, exact.rationals([[1]]), decode)


def mirrored(angle: Any) -> sympy.Matrix:
    """The reflection across the line at half this angle: beta = 2."""
    return sympy.Matrix([[sympy.cos(angle), sympy.sin(angle)], [sympy.sin(angle), -sympy.cos(angle)]])


@claim(
    "new.automata.one-layer.heads",
    place="after grazzi25 Theorem 2",
    title="one layer of the delta rule in [−1, 1] with heads of width 1 counts modulo 2 as one signed diagonal layer does",
    says=r"One layer of heads $h\mapsto h-\beta(h-v)$, $\beta\in\{0,1,2\}$, recognises every language in which the order of last occurrences and counts modulo $2$ decide, with $\frac32k(k+1)$ heads for $k$ letters; with $\beta\in\{0,1\}$, $\frac12k(k+1)$ heads, those in which the order decides. "
    r"One head with $\beta=2$ is enough where the length modulo $2$ and the last letter decide, as for $(aa)^*$. With two factors in $[-1,1]$ and heads of width $2$, counts modulo any $m$.",
    hypotheses=("A and b are functions of the letter alone", AFTER, CLOSED, UNIT_KEYS, "a layer has several heads"),
    known="that β = 2 counts modulo 2 is grazzi25's; that two reflections make a rotation, and so modular counters, is its Theorem 6. That whole classes of one diagonal layer follow head by head is elementary.",
    remarks=("More than these languages may have one layer: heads of larger width turn about several centres.",),
    sabotages={
        "counts modulo 3": {"modulus": 3},
        "the head holds": {"turn": 1},
        "one reflection": {"second": lambda angle: sympy.eye(2)},
    },
)
def heads_have_diagonal_layers(
    proof: Proof, modulus: int = 2, turn: int = -1, second: Callable[[Any], Any] = lambda angle: mirrored(0)
) -> None:
    r"""A scalar that is held, overwritten or turned is a head.

    1. With $k=1$ the head is $h\mapsto(1-\beta)h+\beta v$: $\beta=0$ holds, $\beta=1$ overwrites with $v$, and $\beta=2$ with $v=0$ turns by $-1$. [checked: "a head of width 1"] [prose]
    2. The layers of new.automata.one-layer.counts for $m=2$ consist of such scalars: $\frac12k(k+1)$ tell the order, and $k(k+1)$ count a letter since another or since the start. [uses: new.automata.one-layer.counts, new.automata.one-layer.last-occurrences]
    3. If the length modulo $2$ and the last letter decide, one scalar that is turned by every letter tells the first, and the decoder reads the second. [prose]
    4. In the plane two reflections turn by any angle, the identity holds, and projections across two orthogonal keys overwrite with any vector. So a complex scalar that is turned by a root of unity is a head with two factors. [checked: "two reflections turn"; "two projections overwrite"] [prose]
    5. Beside the argument, all automata with at most three states and two letters with these properties, at every length. [checked: "every scalar is a head"; "the number of heads"; "the sign outputs the state"] [prose]
    """
    h, v, w, beta, s, t = sympy.symbols("h v w beta s t", real=True)
    for value, result in ((0, h), (1, v)):
        proof.symbolically("a head of width 1", (h - beta * (h - v)).subs(beta, value), result, "h, v")
    proof.symbolically("a head of width 1 turns", (h - beta * (h - v)).subs({beta: 2, v: 0}), turn * h, "h")
    rotation = mirrored(t) * second(t)
    wanted = sympy.Matrix([[sympy.cos(t), -sympy.sin(t)], [sympy.sin(t), sympy.cos(t)]])
    for i, j in product(range(2), repeat=2):
        proof.symbolically("two reflections turn", rotation[i, j], wanted[i, j], "angle t")
    # across (1, 0) with v, then across (0, 1) with w, from (h, s)
    proof.symbolically("two projections overwrite, first entry", h - (h - v), v, "h, v")
    proof.symbolically("two projections overwrite, second entry", s - (s - w), w, "s, w")
    signs = 0
    with proof.beside():
        for language in proof.every("all automata with at most 3 states and 2 letters", languages(3)):
            k = language.machine.k
            if has(language, "counts-mod-2"):
                layer = counts(language.machine, modulus)
                maps = [(layer.transition(x), layer.inputs(x)) for x in language.machine.letters]
                proof.holds("every scalar is a head", all(is_a_head(A[i, i], b[i, 0]) for A, b in maps for i in range(len(A))))
                proof.exactly("the number of heads", len(layer.initial), 3 * k * (k + 1) // 2)
            if has(language, "length-and-last-letter") and has(language, "cubed-letters"):
                proof.exactly("the sign outputs the state", outcome(sign_layer(language, turn), language), "right")
                signs += not has(language, "last-letter")
        proof.holds("some signs tell more than the last letter", signs > 0)


# -- registers and counters of one head --------------------------------------------------------------------------------------------


def shift_factors(n: int) -> list[GeneralizedHouseholder]:
    """n factors, the first one applied first: swaps that move every coordinate on, and the projection that forgets the first."""

    def unit(i: int, j: int | None = None) -> Array:
        k = exact.zeros(n)
        k[i] = fmpq(1)
        if j is not None:
            k[j] = fmpq(-1)
        return k

    return [GeneralizedHouseholder(unit(i, i + 1), fmpq(2)) for i in reversed(range(n - 1))] + [GeneralizedHouseholder(unit(0), fmpq(1))]


def shift(n: int, factors: Callable[[int], Sequence[GeneralizedHouseholder]] = shift_factors) -> Array:
    """The product of the factors."""
    return householder.product(list(reversed(factors(n))), n)


def register(machine_of: Language, A: Array) -> Recurrence:
    """The last letters, as many as A is wide, newest first: 0 where none came."""
    m, n = machine_of.machine, len(A)

    def inputs(x: Any) -> Array:
        b = exact.zeros(n, 1)
        b[0, 0] = exact.rational(1 + m.letters.index(x))
        return b

    return Recurrence(
        lambda x: A, inputs, exact.zeros(n, 1), lambda H, x: m.end(0, [int(value.p) - 1 for value in reversed(list(H[:, 0])) if value != 0])
    )


def counter(n: int, A: Array) -> Recurrence:
    """How many ones have come, up to n: zeros hold, a one moves every coordinate on and writes 1 into the first."""
    b = exact.zeros(n, 1)
    b[0, 0] = fmpq(1)
    ones = {"1": (A, b), "0": (exact.identity(n), exact.zeros(n, 1))}
    return Recurrence.from_table(ones, exact.zeros(n, 1), lambda H, x: sum(1 for value in H[:, 0] if value != 0))


def saturating(n: int) -> Language:
    """The automaton that counts ones up to n."""
    return language_of(Automaton({"0": tuple(range(n + 1)), "1": (*range(1, n + 1), n)}), tracked=True)


def definite_of_window(most: int) -> Iterator[tuple[int, Language]]:
    """All automata with at most three states and two letters in which the last letters decide, with how many are needed, up to ``most``."""
    for language in languages(3):
        if has(language, "definite"):
            n = next(i for i in range(1, most + 1) if all(len(set(f)) == 1 for f in _words(language, i)))
            yield n, language


def _words(language: Language, length: int) -> Iterator[tuple[int, ...]]:
    """What the words of a length do to the states."""
    for word in product(range(language.machine.k), repeat=length):
        yield tuple(language.machine.end(q, word) for q in range(language.machine.n))


@claim(
    "new.automata.one-layer.registers",
    place="after grazzi25 Proposition 1.3",
    title="one head with n factors in [−1, 1] is a register of n letters, or counts up to n and stays",
    says=r"The product of $n-1$ swaps and one projection is the nilpotent shift $e_i\mapsto e_{i+1}$, $e_n\mapsto0$, and its last key is $e_1$. With a write along $e_1$ one layer of DeltaProduct$_n$ of width $n$ holds the last $n$ letters, or counts ones up to $n$ and stays there; "
    r"``at least two ones'' takes one layer of two factors in $[-1,1]$, or of three in $[0,1]$, of width $2$.",
    hypotheses=(EXACT, LETTER_ALONE, AFTER, CLOSED, UNIT_KEYS, "DeltaProduct ties its writes to the keys; this one is along its last key"),
    known="nilpotent shifts are the standard registers; that three projections make one is new.automata.stacks.three-factors.",
    sabotages={
        "no projection": {"factors": lambda n: shift_factors(n)[:-1]},
        "the swaps in the other order": {"factors": lambda n: [*reversed(shift_factors(n)[:-1]), shift_factors(n)[-1]]},
    },
)
def shifts_are_registers(proof: Proof, factors: Callable[[int], Sequence[GeneralizedHouseholder]] = shift_factors) -> None:
    r"""A cycle of the coordinates and a projection shift.

    1. The swaps of neighbours, the last pair first, take $e_i$ to $e_{i+1}$ for $i<n$ and $e_n$ to $e_1$: only one of them moves $e_i$ for $i<n$, to $e_{i+1}$, which later swaps leave alone. The projection across $e_1$ then takes this $e_1$ to $0$. [checked: "the factors shift"] [prose]
    2. So $h\mapsto Ah+xe_1$ is $(x_t,x_{t-1},\dots,x_{t-n+1})$, and $h\mapsto Ah+e_1$, read for ones alone, from $0$ is $e_1+\dots+e_{\min(t,n)}$. The write is along the last key. [checked: "the last key is the axis that is written"] [prose]
    3. For $n=2$ these are two factors. In $[0,1]$ three projections give $\frac12e_2e_1^\top$, and $h\mapsto\frac12e_2e_1^\top h+e_1$ is at $0$, $e_1$, $e_1+\frac12e_2$, and stays. [checked: "the product of the three projections"] [checked: "from the second one on, the counter stays"]
    4. Beside the argument: counters, and registers for all automata with at most three states and two letters in which the last letters decide, at every length. [checked: "the counter outputs the number"; "the register outputs the state"] [prose]
    """
    a = sympy.Symbol("a")
    twice = sympy.Matrix([1, a])
    after = sympy.Matrix([[0, 0], [a, 0]]) * twice + sympy.Matrix([1, 0])
    for i in range(2):
        proof.symbolically("from the second one on, the counter stays", after[i], twice[i], "a, which is 1 or 1/2")
    halved = exact.rationals([[0, 0], [fmpq(1, 2), 0]])
    for _ in proof.every("the three projections", [halved], limited=False):
        proof.exactly("the product of the three projections", halved_delay(), halved)
    largest = proof.pick(4, 6, 8)
    with proof.beside():
        for n in proof.every(f"n from 2 to {largest}", range(2, largest + 1)):
            A = shift(n, factors)
            wanted = exact.zeros(n, n)
            for i in range(1, n):
                wanted[i, i - 1] = fmpq(1)
            proof.exactly("the factors shift", A, wanted)
            proof.exactly("there are n", len(factors(n)), n)
            proof.exactly("the last key is the axis that is written", list(factors(n)[-1].v), [1] + [0] * (n - 1))
            proof.exactly("the counter outputs the number", outcome(counter(n, A), saturating(n)), "right")
        proof.exactly("two ones by three projections: the counter outputs the number", outcome(counter(2, halved), saturating(2)), "right")
        longer = 0
        for n, language in proof.every("all definite automata with at most 3 states and 2 letters", definite_of_window(4)):
            if n > 1:
                proof.exactly("the register outputs the state", outcome(register(language, shift(n, factors)), language), "right")
                longer += 1
        proof.holds("some registers are longer than one letter", longer > 0)
