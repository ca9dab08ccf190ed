"""Selective diagonal layers with gates in [0, 1], every operation rounded: which languages their stacks recognise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from random import Random
from typing import Any

import sympy
from flint import fmpq

from ...numerics.floating_point import FORMATS, Format
from ..claim import claim
from ..evidence import Proof
from .finite_layers import Map, period

STEP_BY_STEP = "layers are run step by step; a parallel scan is no machine with states"
MONOTONE = "a h + b is evaluated by nondecreasing operations: product and sum rounded, in any format and by any rule of ties, or fused and rounded once"
NO_NAN = "no step is NaN: 0 times an infinity does not occur"


def nondecreasing(rng: Random, size: int) -> Map:
    """A random nondecreasing map of a chain."""
    return tuple(sorted(rng.randrange(size) for _ in range(size)))


def any_map(rng: Random, size: int) -> Map:
    """A random map of a chain."""
    return tuple(rng.randrange(size) for _ in range(size))


def delayed(letters: Sequence[int], number: Format, factor: fmpq = fmpq(1, 4)) -> list[fmpq]:
    """The states of h -> RN(RN(h / 4) + x), from 0."""
    h, states = fmpq(0), []
    for x in letters:
        h = number.round(number.round(h * factor) + x)
        states.append(h)
    return states


def before(h: Any) -> int:
    """The letter before the last one, 0 or 1, by where the state lies."""
    return int(h - (1 if h >= fmpq(1, 2) else 0) >= fmpq(1, 6))


@claim(
    "new.automata.rounded.diagonal",
    place="after grazzi25 Theorem 1 (finite precision)",
    title="rounded diagonal layers with gates in [0, 1], run step by step: exactly the star-free languages",
    says=r"Let every layer be diagonal with gates $a\in[0,1]$, run step by step, every operation rounded in some format. Stacks of any depth, with windows or without, recognise star-free languages only. "
    r"In every format with at least $8$ bits of significand, and with no window, they recognise all of them: $a=1$ holds, $a=0$ overwrites, and $h\mapsto h/4+x$ with $x\in\{0,1\}$ keeps the letter before.",
    hypotheses=(MONOTONE, NO_NAN, STEP_BY_STEP, "a layer reads the letter and what the layers below hand up; decoders are any functions"),
    known="for exact or averaged precision Sarrof, Veitsman, Hahn (arXiv 2405.17394). That rounding, whatever it does, adds no counting to such layers was not found; for the delta rule it does (new.parity.stepwise.delta).",
    remarks=("Rounded in another order, as by a scan, no such statement is made.",),
    sabotages={
        "steps need not be nondecreasing": {"draw": any_map},
        "the old letter weighs 1/2": {"factor": fmpq(1, 2)},
        "the gate is negative": {"gate": sympy.Symbol("a", negative=True)},
    },
)
def rounded_diagonals_are_star_free(
    proof: Proof,
    draw: Callable[[Random, int], Map] = nondecreasing,
    factor: fmpq = fmpq(1, 4),
    gate: Any = sympy.Symbol("a", nonnegative=True),
) -> None:
    r"""A nondecreasing map of a finite chain comes to rest.

    1. For $g\le h$ and $a\ge0$, $ag\le ah$, and rounding keeps the order: a coordinate's step is a nondecreasing map of the finite chain of its numbers, infinities among them. So is every word, while the layers below are at rest. [checked: "a gate keeps the order"] [prose]
    2. If $h\le f(h)$ then $f(h)\le f(f(h))$ and so on, and the same for $\ge$: in a finite chain $f^{k+1}(h)=f^k(h)$ for large $k$. [prose]
    3. By induction on the layers, while a word is read again and again every layer reads, in the end, one word again and again, and comes to rest. Windows hold copies of it. So $v^{k+1}$ and $v^k$ act alike: every recognised language is aperiodic. [cited: Schützenberger: aperiodic = star-free] [prose]
    4. *If.* Bistable units hold and overwrite whole numbers, which no format rounds, and with the state before the letter their stacks have all star-free languages. [uses: new.bistable.delay]
    5. The state before is kept bit by bit. Exactly, $h=x_t+\frac14x_{t-1}+r$ with $0\le r\le\frac1{12}$, so the four cases lie at least $\frac16$ apart. States are at most $\frac43$, and each step adds at most $\frac43\cdot2u$ to a quarter of the old error, $u\le2^{-8}$: at most $\frac{32}9u<\frac1{24}$ in all, and underflow adds less. [checked: "what older letters add is a fixed point"; "the error stays below"] [prose]
    6. Beside the argument: all words to a length in four formats, and cascades of nondecreasing maps. [checked: "the letter before is read"; "no word permutes states of two layers"] [prose]
    """
    a, g, d = gate, sympy.Symbol("g", real=True), sympy.Symbol("d", nonnegative=True)
    proof.holds("a gate keeps the order", (a * (g + d) - a * g).expand().is_nonnegative is True, "a >= 0, g <= h = g + d")
    q = sympy.Symbol("q")
    older = q**2 / (1 - q)
    proof.symbolically("what older letters add is a fixed point", q * (q + older), older, "q, which is 1/4")
    u = sympy.Symbol("u", positive=True)
    # e = e / 4 + (4/3) (2 u)
    rest = sympy.Rational(8, 3) * u / (1 - sympy.Rational(1, 4))
    proof.symbolically("the error stays below its fixed point", rest / 4 + sympy.Rational(8, 3) * u, rest, "u")
    longest, count = proof.pick((8, 60), (10, 200), (12, 800))
    with proof.beside():
        for number in proof.every(f"all words of 0 and 1 of {longest} letters, four formats", [f for f in FORMATS if f.precision >= 8]):
            right = all(
                all(before(h) == (word[t - 1] if t else 0) for t, h in enumerate(delayed(word, number, factor)))
                for word in product((0, 1), repeat=longest)
            )
            proof.holds("the letter before is read", right)
        rng = Random(71)
        for _ in proof.each(f"{count} random cascades of two chains of three numbers, one letter, seed 71", range(count)):
            low, high = draw(rng, 3), [draw(rng, 3) for _ in range(3)]
            both = tuple(3 * low[i] + high[i][j] for i in range(3) for j in range(3))
            proof.holds("no word permutes states of two layers", period(both) == 1)
