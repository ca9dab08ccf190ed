"""Counting modulo 3 and 6 with every operation rounded: a rotation that no format wears down (after grazzi25, Theorem 2)."""

from __future__ import annotations

import sympy
from flint import fmpq

from ...constructions import rounded_turns
from ...constructions.rounded_turns import Turn, bits, height, orbit
from ...numerics.floating_point import FORMATS
from ..claim import claim
from ..evidence import Proof

#: 1.7320508 < sqrt 3 < 1.7320509
LOW, HIGH = fmpq(17320508, 10**7), fmpq(17320509, 10**7)


@claim(
    "new.parity.float.turns",
    place="after grazzi25 Theorem 2",
    title="without fused multiply-adds, a rounded complex unit has exact orbits of length 3 and 6, for every precision p ≥ 3",
    says=r"Let $p\ge3$ and let every product and every sum be rounded to nearest with $p$ bits. There are numbers $t$ (the one nearest to $\frac{\sqrt3}2$), $c$ and $s$ of $p$ bits such that the complex unit $h\mapsto ah$, $h_0=c$, "
    r"runs through $3$ states in a cycle for $a=-\frac12+it$ and through $6$ for $a=\frac12+it$, for ever, and keeps them for $a=1$. So it counts the ones of a word modulo $3$ or $6$ at every length, for any rule for ties; modulo $2$ and $4$ "
    r"it does by $a=-1$ and $a=i$, which round nothing.",
    hypotheses=(
        "a complex product is four real ones and two sums, each rounded (no fused multiply-add)",
        "an exponent range that holds the numbers from 1/4 to 2",
    ),
    known="that rounded rotations are eventually periodic, and invertible ones on lattices for few angles (Diamond, Kloeden, Kozyakin, Pokrovskii, J. Nonlinear Science 5 (1995) 419; Lowenstein and Vivaldi): here period "
    "and states are those of the exact rotation. That affine networks cannot correct errors between the states that they tell apart: Chung, Choi, Kim (2605.07755); here rounding does it. No layer is known to us that was built so",
    construction="lemmata.constructions.rounded_turns.turn",
    sabotages={
        "c = 1, whatever the precision": {"turn": lambda p: Turn(height(p), fmpq(1), height(p))},
        "the next number above t": {"turn": lambda p: _raised(rounded_turns.turn(p))},
        "eight candidates for c": {"candidates": 8},
        "c between 1 and 2": {"largest": fmpq(2)},
    },
)
def turns_that_come_back(proof: Proof, turn=rounded_turns.turn, candidates: int = 15, largest: fmpq = fmpq(7, 5)) -> None:
    r"""Only two products are rounded, $tc$ and $ts$; $c$ is chosen so that the second error undoes the first and that of $t$.

    1. Let $s$ be $tc$ rounded, and $\frac34c$ be $ts$ rounded. With $a=-\frac12+it$ the states $(c,0)$, $(-\frac c2,s)$, $(-\frac c2,-s)$ follow one another, with $a=\frac12+it$ these and their negatives: all products but $tc$, $ts$ and their halves and negatives
       are by powers of two, and the sums $\frac c4\pm\frac34c$, $\frac s2\pm\frac s2$ are numbers of the format. [checked: "a = -1/2 + i t: three states in a cycle"; "a = 1/2 + i t: six"] [prose]
    2. Let $u=2^{-p}$, $p\ge12$, $t=\frac{\sqrt3}2+\theta u$ with $|\theta|\le\frac12$, and $c=8uK$ with an integer $K$, $\frac43\le c<\frac75$. Then $c$, $tc$ and $\frac34c$ lie in $[1,2)$, where the numbers are the multiples of $2u$, and $\frac34c=6uK$ is one. [checked: "c, t c and 3c/4 lie in [1, 2)"] [prose]
    3. With $tc+eu$ for the rounded $tc$, $|e|\le1$: $ts-\frac34c=u\,(d+te)$, $d=\sqrt3\theta c+\theta^2uc$. [checked: "t s - 3c/4"] For $\theta\ge0$ it is $d\in[0,\frac{122}{100}]$; then every $e\in(-1,-\frac3{10})$ has $|d+te|<1$, so that $ts$ is rounded to $\frac34c$, and neither
       product is a tie. For $\theta\le0$ the same with the opposite signs. [checked: "d is at most 122/100"; "d + t e lies in (-1, 1)"] [prose]
    4. $K\to K+2$ moves $\frac{tc}u$ by $16t=14-\delta$, $\delta=14-8\sqrt3-16\theta u$, so $e$ by $\delta$ modulo $2$, up to sign. Fifteen points with the step $\delta$ on a circle of length $2$ leave no gap of $\frac7{10}$: each of the first fourteen gaps is $\delta$, and the last at most $2-14\delta$, if that is positive.
       They fit: from the first multiple of $8u$ above $\frac43$ on, $c$ stays below $\frac75$. [checked: "delta < 7/10"; "2 - 14 delta < 7/10"; "all candidates lie below 7/5"] [prose]
    5. So for $p\ge12$ one of fifteen candidates will do. For $3\le p\le11$ the numbers are found by trying all; from $12$ to $64$ they are computed as well, an illustration.
       [checked: "in p bits: the conditions"; "in p bits: three states"; "in p bits: six states"] [prose]
    6. In the formats of machines $t$, $c$, $s$ and all results are numbers. [checked: "in the format itself"] Products by $0$, $1$ and $-1$ and their sums with $0$ round nothing, so $a=1$ keeps every state and $a=-1$, $a=i$ have $2$ and $4$. [checked: "in p bits: 1, -1 and i"] [prose]
    """
    _cycles(proof)
    u, theta, e, c, root = sympy.symbols("u theta e c r")
    t = root / 2 + theta * u
    proof.symbolically(
        "t s - 3c/4 for s = t c + e u, r^2 = 3",
        sympy.expand(t * (t * c + e * u) - sympy.Rational(3, 4) * c).subs(root**2, 3),
        sympy.expand(u * (root * theta * c + theta**2 * u * c + t * e)).subs(root**2, 3),
        "t, c, e",
    )
    half, d, window = fmpq(1, 2), fmpq(122, 100), (fmpq(-1), fmpq(-3, 10))
    gap = window[1] - window[0]
    # each bound is monotone in u = tiny and in the ends of the interval that holds sqrt 3, so that these decide for every p >= 12
    for low, high, tiny in proof.every("the ends of the ranges of sqrt 3 and u", [(LOW, HIGH, fmpq(1, 2**12))], limited=False):
        proof.holds("1.7320508 < sqrt 3 < 1.7320509", low**2 < 3 < high**2)
        least_t, most_t = low / 2 - half * tiny, high / 2 + half * tiny
        smallest = fmpq(4, 3)
        inside = all(1 <= x < 2 for x in (smallest, largest, least_t * smallest, most_t * largest, 3 * smallest / 4, 3 * largest / 4))
        proof.holds("c, t c and 3c/4 lie in [1, 2)", inside)
        proof.holds("d is at most 122/100", half * high * largest + half**2 * tiny * largest <= d)
        proof.holds("d + t e lies in (-1, 1) for 0 <= d <= 122/100 and e in (-1, -3/10)", most_t < 1 and d + least_t * window[1] < 1)
        deltas = (14 - 8 * high - 8 * tiny, 14 - 8 * low + 8 * tiny)
        proof.holds("delta < 7/10", deltas[0] > 0 and deltas[1] < gap)
        proof.holds("2 - 14 delta < 7/10: the last gap", 2 - (candidates - 1) * deltas[0] < gap)
        proof.holds("all candidates lie below 7/5", smallest + 8 * tiny + 16 * tiny * (candidates - 1) < largest)
    for p in proof.every("p from 3 to 11", range(3, 12), limited=False):
        _in_bits(proof, p, turn(p))
    with proof.beside():
        for p in proof.every("p from 12 to 64", range(12, 65)):
            _in_bits(proof, p, turn(p))
    for format in proof.every("six formats", FORMATS, limited=False):
        found = turn(format.precision)
        proof.holds("in the format itself: all are numbers of it", found is not None and all(x in format for x in _numbers(found)))
        if found is not None:
            data = {"precision": format.precision, "lowest": format.lowest, "largest": format.largest}
            proof.certificate("witness", format.name, name=format.name, format=data, t=found.height, c=found.size)


def _raised(found: Turn | None) -> Turn | None:
    """With the next number above t, for up to 64 bits."""
    if found is None:
        return None
    return Turn(found.height + fmpq(1, int(found.height.q)), found.size, found.other)


def _numbers(found: Turn) -> list[fmpq]:
    """All numbers that the unit meets, up to signs."""
    t, c, s = found.height, found.size, found.other
    return [t, fmpq(1, 2), c, c / 2, c / 4, 3 * c / 4, s, s / 2]


def _cycles(proof: Proof) -> None:
    """Record step 1: products with t by their table, all others exact."""
    c, s, t = sympy.symbols("c s t", positive=True)
    three_quarters = 3 * c / 4
    table = {c: s, c / 2: s / 2, s: three_quarters, sympy.Integer(0): sympy.Integer(0)}

    def product(x: sympy.Expr, y: sympy.Expr) -> sympy.Expr:
        if x != t:
            return x * y
        return table[y] if y in table else -table[-y]

    half = sympy.Rational(1, 2)
    start = (c, sympy.Integer(0))
    for what, real, states in (
        ("a = -1/2 + i t: three states in a cycle", -half, [start, (-c / 2, s), (-c / 2, -s)]),
        ("a = 1/2 + i t: six", half, [start, (c / 2, s), (-c / 2, s), (-c, sympy.Integer(0)), (-c / 2, -s), (c / 2, -s)]),
    ):
        after = [rounded_turns.times((real, t), h, product, lambda x: x) for h in states]
        proof.exactly(what, after, [*states[1:], states[0]], free="t, c, s")


def _in_bits(proof: Proof, p: int, found: Turn | None) -> None:
    """Record step 5 for one precision, with its own rounding."""
    proof.holds("in p bits: there is a turn", found is not None)
    if found is None:
        return
    format, (t, c, s) = bits(p), (found.height, found.size, found.other)
    proof.exactly("in p bits: the conditions", [format.round(t * c), format.round(t * s)], [s, 3 * c / 4])
    proof.holds("in p bits: no tie", not format.is_tie(t * c) and not format.is_tie(t * s))
    zero = fmpq(0)
    cycle = [(c, zero), (-c / 2, s), (-c / 2, -s)]
    proof.exactly("in p bits: three states", orbit(found.unit(3), (c, zero), format.round, 3), [*cycle, cycle[0]])
    one = fmpq(1)
    units = ((one, zero), (-one, zero), (zero, one))
    kept = [orbit(a, h, format.round, 4) for a, h in zip(units, ((c / 2, s), (c, zero), (c, zero)), strict=True)]
    proof.exactly("in p bits: 1, -1 and i have one, two and four states", [len(set(o)) for o in kept], [1, 2, 4])
    six = [(c, zero), (c / 2, s), (-c / 2, s), (-c, zero), (-c / 2, -s), (c / 2, -s)]
    proof.exactly("in p bits: six states", orbit(found.unit(6), (c, zero), format.round, 6), [*six, six[0]])
