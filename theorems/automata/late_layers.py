"""Two time-invariant diagonal layers, bounded states and a margin: the beginning, the end and the length."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product

import sympy
from flint import fmpq

from ...constructions.languages import Language
from ..claim import claim
from ..evidence import Proof
from .counting_layers import last_letters
from .one_layer import has, languages


def beginning(word: Sequence[int], letters: int, first: int, keeps: fmpq | int = 1) -> list[int]:
    """The letters that the second layer holds: a sum s -> keeps s + (j + 1) (letters + 1)^(t - 1) at time t <= first, read by its digits.

    The first layer tells the time so long: a scalar from 1 that is halved at each letter is 2^-t.
    """
    held, time = fmpq(0), fmpq(1)
    for j in word:
        time /= 2
        t = int(time.q).bit_length() - 1
        held = held * keeps + ((j + 1) * (letters + 1) ** (t - 1) if t <= first else 0)
    whole, digits = int(held.p // held.q), []
    while whole:
        digits.append(whole % (letters + 1) - 1)
        whole //= letters + 1
    return digits


def told(
    language: Language, first: int, last: int, period: int, longest: int, keep: Callable = beginning, read: Callable = last_letters
) -> bool:
    """Whether the first letters, the last letters and the length modulo the period tell the state after every word to a length."""
    m = language.machine
    for word in (w for n in range(1, longest + 1) for w in product(range(m.k), repeat=n)):
        h = fmpq(0)
        for j in word:
            h = h / (3 * m.k) + j + 1
        start, end, t = keep(word, m.k, first), read(h, m.k, last), len(word)
        if t < first + last:
            guess = [*start, *end[len(start) + len(end) - t :]]
        else:
            # the clock tells the length modulo the period: letters between, as many as there are states at least
            guess = [*start, *[0] * ((t - len(start) - len(end)) % period + period * m.n), *end]
        if any(j < 0 for j in guess) or m.end(0, guess) != m.end(0, word):
            return False
    return True


def served(language: Language, longest: int, sizes: Iterable[int], **changed: Callable) -> bool:
    """Whether some numbers of first and last letters and some period serve."""
    n = language.machine.n
    return any(told(language, size, size, period, longest, **changed) for size in sizes for period in range(1, n + 1))


@claim(
    "new.automata.margin.late",
    place="after lizaire26 Sec. 3 (stacks)",
    title="two time-invariant diagonal layers, bounded states and a margin have every language of beginning, end and length",
    says=r"Let $A$ be one diagonal matrix for each layer, $|\lambda|\le1$, with bounded states and a margin. Two layers recognise every language for which some $i$ and $N$ have: the first $i$ letters, the last $i$ letters and the length modulo $N$ decide the answer to every word of at least $2i$ letters. "
    r"Enough are $h\mapsto h/(3q)+d$ for $q$ letters as digits $d$, a root of unity, and $v\mapsto v/2$ from $1$ in the first layer, and a sum in the second.",
    hypotheses=(
        "states are bounded, and each layer hands up finitely many values that agree on states closer than some δ > 0",
        "the second layer reads the letter and what the first hands up",
    ),
    known="stacks of such layers have no other languages (new.bilinear.late), and one layer has the quasi-definite ones (new.automata.margin.time-invariant).",
    sabotages={
        "the sum forgets": {"keep": lambda word, letters, first: beginning(word, letters, first, fmpq(1, 2))},
        "one letter of the end is read": {"read": lambda h, q, window: last_letters(h, q, 1)},
    },
)
def two_layers_know_the_beginning(proof: Proof, keep: Callable = beginning, read: Callable = last_letters) -> None:
    r"""The first layer tells the time as long as it is early; a sum of what comes so long stays for ever.

    1. In the first layer the scalar $h\mapsto h/(3q)+d$ tells the last $i$ letters, and shorter words whole. [uses: new.automata.margin.definite]
    2. A root of unity of order $N$, turned at each letter, tells the length modulo $N$: its states are $N$ points. [prose]
    3. The scalar $v\mapsto v/2$ from $1$ is $2^{-t}$. It tells every $t\le T$, and that $t>T$, with a margin of $2^{-T-1}$. [checked: "neighbouring times"] [prose]
    4. The second layer adds $(d)(q+1)^{t-1}$ at the times $t\le i$ and $0$ afterwards. It has finitely many states, and their digits are the first $i$ letters. Its transition is $1$, for all letters. [prose]
    5. So with $T=2i$ the stack tells words of fewer than $2i$ letters by the sum, the time and the scalar, and of longer ones what decides. [prose]
    6. Beside the argument, all automata with at most three states and two letters, on all words to a length: with the property the numbers tell the state. [checked: "the beginning, the end and the length tell the state"] [prose]
    """
    T = sympy.Symbol("T", positive=True)
    proof.symbolically("neighbouring times", sympy.powsimp(2**-T - 2 ** (-T - 1)) / 2 ** (-T - 1), 1, "T")
    longest = proof.pick(7, 8, 9)
    more = 0
    with proof.beside():
        for language in proof.every("all automata with at most 3 states and 2 letters that are late", languages(3)):
            if not has(language, "late"):
                continue
            proof.holds("the beginning, the end and the length tell the state", served(language, longest, (1, 2, 3), keep=keep, read=read))
            more += not has(language, "quasi-definite")
        proof.holds("some are not quasi-definite", more > 0)
