"""A pause after every letter: what cannot count repetitions then needs not."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np

from ...constructions.automata import Automaton
from ...constructions.languages import Language, language_of
from ..claim import claim
from ..evidence import Proof
from .one_layer import has, languages

PAUSE = "#"


def with_pauses(language: Language, waits: bool = True) -> Automaton:
    """The states of a machine that reads a letter and does it at the next pause: pairs of a state and the letter that waits, or none.

    ``waits=False``: the letter is done at once, and the pause does nothing.
    """
    m = language.machine
    pairs = list(product(range(m.n), range(m.k + 1)))
    number = {pair: i for i, pair in enumerate(pairs)}
    table: dict[str, list[int]] = {
        str(x): [number[(q, a + 1) if waits else (int(m.delta[a, q]), 0)] for q, _ in pairs] for a, x in enumerate(m.letters)
    }
    table[PAUSE] = [number[q if not a else int(m.delta[a - 1, q]), 0] for q, a in pairs]
    return Automaton(table)


@claim(
    "new.automata.pauses",
    place="after grazzi25 Sec. 4.3 (tokens)",
    title="a pause after every letter makes every star-free language star-free and stutter-invariant",
    says=r"Let $L\subseteq A^*$ be star-free and $\#\notin A$. There is a star-free stutter-invariant language $K$ over $A\cup\{\#\}$ with $x_1\#x_2\#\cdots x_n\#\in K$ if and only if $x_1\cdots x_n\in L$. "
    r"So a model that recognises the star-free stutter-invariant languages recognises all star-free ones if each letter comes as two tokens, itself and a pause.",
    hypotheses=("words that are not of this form are answered as one likes",),
    known="that stuttering is what such units miss is new.bistable.languages; padding against it is folklore.",
    sabotages={"the letter is done at once": {"build": lambda language: with_pauses(language, waits=False)}},
)
def pauses_make_letters_different(proof: Proof, build: Callable[[Language], Automaton] = with_pauses) -> None:
    r"""A machine with the letter that waits: a letter twice waits as one does, and a pause twice finds nothing to do.

    1. The states are pairs $(q,a)$ of a state $q$ for $L$ and a waiting letter $a$, or none. A letter $x$ leads $(q,a)$ to $(q,x)$; a pause leads $(q,a)$ to $(qa,\text{none})$. So after $x_1\#\cdots x_n\#$ it is in $(q_0x_1\cdots x_n,\text{none})$. [prose]
    2. $xx$ acts as $x$, and $\#\#$ as $\#$. [checked: "a letter twice acts as once"] [prose]
    3. A word without a pause is idempotent. Let $w$ have one. After one $w$ the waiting letter is the same whatever came before, so in each further $w$ the letters that are done form one word $v$: $w^{k+1}$ acts as $w$ and then $v^k$ on the state. The language is star-free, so $v^k$ and $v^{k+1}$ act alike for some $k$. [checked: "no word permutes states"] [prose]
    4. Beside the argument, all automata with at most three states and two letters: with pauses they are stutter-invariant, and star-free if they were. [checked: "a letter twice acts as once"; "no word permutes states"; "the state after words with pauses"] [prose]
    """
    repeating = 0
    for language in proof.every("all star-free automata with at most 3 states and 2 letters", languages(3)):
        if not has(language, "aperiodic"):
            continue
        built, m = build(language), language.machine
        padded = language_of(built, tracked=True)
        for row in built.table.values():
            proof.exactly("a letter twice acts as once", [row[p] for p in row], list(row))
        proof.holds("no word permutes states", has(padded, "aperiodic"))
        ends = [
            built.run([y for a in word for y in (str(m.letters[a]), PAUSE)])[-1] == m.end(0, word) * (m.k + 1)
            for n in range(1, 4)
            for word in product(range(m.k), repeat=n)
        ]
        proof.holds("the state after words with pauses", bool(np.all(ends)))
        repeating += not has(language, "stutter-invariant")
    proof.holds("some count repetitions without a pause", repeating > 0)
