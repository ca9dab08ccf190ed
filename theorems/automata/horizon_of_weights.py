"""Weights that are slightly off: how far a state of isometries drifts on every word, and on random words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import sympy

from ...constructions.automata import compile_automaton
from ...constructions.automata.read.sources import from_permutations, named_group
from ...constructions.automata.rounding.random_words import Walk, error_sizes, turned_letters, walk_of
from ..claim import claim
from ..evidence import Proof

LENGTHS = (64, 256, 1024)


def walks() -> dict[str, Walk]:
    """The last layers of A_5, S_5 and Z_60 as ``compile --prefer narrow`` builds them: rotations of space above nothing or a sign, and a turn of the plane."""
    return {
        name: walk_of(compile_automaton(from_permutations(named_group(name)), prefer="narrow").proof[-1]) for name in ("A5", "S5", "Z60")
    }


def turned(walk: Walk) -> np.ndarray:
    """Each letter turned on its own."""
    return turned_letters(walk, 72)


@claim(
    "new.automata.horizon.weights",
    place="after grazzi25 Theorem 3",
    title="weights off by δ: tracking lasts at least log(1 + m/r)/log(1 + δ) letters, and a common scale ends it then",
    says=r"Let $A(x)$ keep lengths, $B=0$, and let a layer from the same $h_0$, $|h_0|=r$, have $A(x)+E(x)$ with $\|E(x)\|\le\delta$. After $T$ letters its state is at most $((1+\delta)^T-1)r$ away, and at most $T\delta r$ if $A(x)+E(x)$ keep lengths too. "
    r"So a decoder with margin $m$ is right for all words of less than $\log(1+m/r)/\log(1+\delta)$ letters. For $E(x)=\delta A(x)$ the distance is $((1+\delta)^T-1)r$ after every word. "
    r"If the $A(x)$ generate a finite group, then on independent uniform letters, with $E(x)=\delta X_x$ and $\delta\to0$, the mean square distance over $\delta^2$ is of order $T^2$ if $\bar f\ne0$ in new.automata.hessian, and of order $T$ or bounded if $\bar f=0$.",
    hypotheses=("exact arithmetic; start and decoder are not off",),
    known="Chung, Choi, Kim (arXiv 2605.07755, abstract read): affine trackers do not correct errors, so horizons are finite; the two orders on random words are the two laws of new.automata.hessian.",
    remarks=(
        "Each letter of the narrow networks of A_5 and S_5 turned on its own: the root mean square grows as the square root of the length. For Z_60 it grows as the length, on random words too.",
        "So random words of A_5 and S_5 last of order (m/δ)² letters, and the worst words of order m/δ.",
        "Stochastic rounding to multiples of an eighth of the margin m: the median first error comes after 18 (m/u)² letters for A_5, 5 for S_5, 4 for Z_60, in 40 runs each.",
    ),
    construction="lemmata.constructions.automata.rounding.random_words.error_sizes",
    sabotages={
        "errors do not grow themselves": {"bound": lambda d, T: d * T},
        "all letters scaled alike": {"directions": lambda walk: walk.maps},
    },
)
def weights_that_are_off(
    proof: Proof,
    bound: Callable[[Any, Any], Any] = lambda d, T: (1 + d) ** T - 1,
    directions: Callable[[Walk], np.ndarray] = turned,
) -> None:
    r"""The distance obeys a recurrence.

    1. With $e_t$ the difference of the states, $e_{t+1}=(A+E)e_t+Eh_t$ and $|h_t|=r$: $|e_{t+1}|\le(1+\delta)|e_t|+\delta r$, which $((1+\delta)^t-1)r$ meets with equality. [checked: "the difference after a letter"; "the recurrence of the bound"]
    2. If $A+E$ keeps lengths, $|e_{t+1}|\le|e_t|+\delta r$. [prose]
    3. For $E=\delta A$ the state is $(1+\delta)^th_t$. [checked: "a common scale attains it"]
    4. $e_T/\delta$ tends to the derivative $D_T$, with bounded second differences for fixed $T$. [uses: new.automata.hessian]
    5. Beside the argument: three compiled networks. [checked: "16 times the length, 4 times the error"; "16 times the length, 16 times the error"] [prose]
    """
    A, E, h, e = sympy.symbols("A E h e", commutative=False)
    proof.symbolically(
        "the difference after a letter", sympy.expand((A + E) * (h + e) - A * h), sympy.expand((A + E) * e + E * h), free="A, E, h, e"
    )
    d, T, r = sympy.symbols("d T r", positive=True)
    proof.symbolically("the recurrence of the bound", bound(d, T + 1), (1 + d) * bound(d, T) + d, free="d, T")
    proof.symbolically("a common scale attains it", ((1 + d) ** T - 1) * r, bound(d, T) * r, free="d, T, r")
    runs = proof.pick(40, 60, 300)
    with proof.beside():
        for name, walk in proof.each(f"A_5, S_5, Z_60 by --prefer narrow, {runs} random words of 64, 256, 1,024 letters", walks().items()):
            sizes = error_sizes(walk, directions(walk), 1e-7, LENGTHS, runs, 73)
            growth = float(sizes[2] / sizes[0])
            if name == "Z60":
                proof.holds("16 times the length, 16 times the error", growth > 12)
            else:
                proof.holds("16 times the length, 4 times the error", growth < 6)
