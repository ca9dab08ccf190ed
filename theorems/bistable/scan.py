"""The parallel scan of linear recurrences and of BMRU: associativity, work and depth, and what floating point makes of it (degeeter26, App. B)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import floor, log2
from random import Random
from typing import Any

import numpy as np
import sympy
from flint import fmpq

from ...constructions import samples
from ...numerics import exact
from ...numerics.scan import associative_scan, bracketings, compose_affine, evaluate, sequential_scan
from ..claim import claim
from ..evidence import Proof
from .magmas import Scan, all_arrays, hillis_steele
from .unit import random_unit

# -- linear recurrences --------------------------------------------------------------------------------------------------------------


@claim(
    "degeeter26.appB.thm2",
    topic="bistable",
    place="App. B, Theorem 2",
    title="the operator on pairs (a, b) is associative, and its scan holds the states of h_t = a_t h_(t-1) + b_t",
    says=r"$[a,b]\circledast[a',b']=[aa',a'b+b']$ is associative; the second parts of the scan of $[a_t,b_t]$, $0\le t<T$, are $h_0=b_0$, $h_t=a_th_{t-1}+b_t$.",
    reading="0 <= t < T; the printed array runs to c_T, for which no state is defined",
    construction="lemmata.numerics.scan.compose_affine",
    sabotages={
        "a in place of a'": {"op": lambda c, d: (c[0] * d[0], c[0] * c[1] + d[1])},
        "b' is forgotten": {"op": lambda c, d: (c[0] * d[0], d[0] * c[1])},
    },
)
def affine_maps_compose(proof: Proof, op: Callable[..., Any] = compose_affine) -> None:
    """Composition of the maps h -> a h + b, the first applied first; then every bracketing on free symbols, and the scan itself."""
    a = sympy.symbols("a0:5")
    b = sympy.symbols("b0:5")
    pairs = list(zip(a, b, strict=True))
    left, right = op(op(pairs[0], pairs[1]), pairs[2]), op(pairs[0], op(pairs[1], pairs[2]))
    for i, part in enumerate(("product", "sum")):
        proof.symbolically(f"associative: the {part}", left[i], right[i], "a, b")
    for n in range(1, 6):
        h, y = b[0], a[0]
        for t in range(1, n):
            h, y = a[t] * h + b[t], a[t] * y
        for tree in bracketings(n):
            found = evaluate(tree, op, pairs)
            proof.symbolically("every bracketing gives y_t", found[0], y, "a, b", "T <= 5")
            proof.symbolically("and h_t", found[1], h, "a, b", "T <= 5")


@claim(
    "degeeter26.appB.thm3",
    topic="bistable",
    place="App. B, Theorem 3",
    title="the states of a BMRU layer are the scan of [1 - z_t, z_t S(h-hat_t) alpha], with [., h_0] in front",
    says=r"With $c_0=[1,h_0]$ and $c_t=[1-z_t,\,z_t\odot S(\hat h_t)\odot\alpha]$ the second parts of the scan are $h_0,h_1,\dots,h_T$.",
    reading="c_0 holds h_0, not z_0 S(h-hat_0) alpha as Eq. 16b would have it",
    uses=("degeeter26.eq11", "degeeter26.appB.thm2"),
    construction="lemmata.numerics.scan.associative_scan",
    sabotages={"h_0 is left out": {"first": lambda start: start * 0}},
)
def layers_by_scan(proof: Proof, first: Callable[[Any], Any] = lambda start: start) -> None:
    """Exact rationals: the generic scan on object arrays against the recurrence step by step."""
    rng = Random(321)
    count = proof.pick(10, 40, 200)
    for _ in proof.each(f"{count} random integer layers, n <= 4, T <= 20", range(count)):
        n, m, T = rng.randint(1, 4), rng.randint(1, 3), rng.randint(0, 20)
        unit, start = random_unit(rng, n, m), samples.integers(rng, n)
        word = [samples.integers(rng, m, bound=2) for _ in range(T)]
        a = np.array([exact.zeros(n) + 1, *(1 - unit.gate(x) for x in word)], dtype=object)
        b = np.array([first(start), *(unit.gate(x) * unit.written(x) for x in word)], dtype=object)
        states = np.array([tuple(start), *unit.recurrence(start).run(word)], dtype=object)
        proof.exactly("the states", associative_scan(compose_affine, (a, b))[1], states)


@claim(
    "degeeter26.appB.complexity",
    topic="bistable",
    place="Sec. 4.3, Compatibility with parallel scan; App. B",
    title="the scan applies the operator fewer than 2n times, and at most 2 log2(n) times one after another",
    says=r"For $n\ge1$ elements: fewer than $2n$ applications in at most $2\lfloor\log_2n\rfloor$ batched calls, against $n-1$ calls of the loop: $O(n/p+\log p)$ on $p$ processors, by Brent's argument.",
    sabotages={"the scan of Hillis and Steele": {"scan": hillis_steele}, "the loop": {"scan": sequential_scan}},
)
def work_and_depth(proof: Proof, scan: Scan = associative_scan) -> None:
    """Counted while scanning: each call adds its number of positions to the work."""
    longest = proof.pick(130, 600, 3000)
    for n in proof.every(f"n <= {longest}", range(1, longest + 1)):
        calls: list[int] = []

        def op(a: np.ndarray, b: np.ndarray, calls: list[int] = calls) -> np.ndarray:
            calls.append(a.shape[-1])
            return a + b

        scan(op, np.ones(n, dtype=np.int64), axis=0)
        proof.holds("work below 2n", sum(calls) < 2 * n)
        proof.holds("at most 2 log2(n) calls", len(calls) <= 2 * floor(log2(n)))


# -- bit by bit --------------------------------------------------------------------------------------------------------------------------


def letters_in_float(alpha: float) -> np.ndarray:
    """The four pairs (1 - z, z S alpha) in float32: keep with S = 1 and with S = -1 (which writes -0.0), set, reset."""
    z, s = np.float32([0, 0, 1, 1]), np.float32([1, -1, 1, -1])
    return np.stack([1 - z, z * s * np.float32(alpha)])


def loop_states(a: np.ndarray, b: np.ndarray, start: np.ndarray) -> np.ndarray:
    """h_t = b_t + a_t h_(t-1) as Eq. 11d computes it, along the last axis."""
    h, states = start, []
    for t in range(a.shape[-1]):
        h = b[..., t] + a[..., t] * h
        states.append(h)
    return np.stack(states, axis=-1)


def last_write(gates: np.ndarray, written: np.ndarray, start: np.ndarray) -> np.ndarray:
    """h_t = what was written at the last s <= t with z_s = 1, or h_0: one running maximum of integers and one look-up, along the last axis."""
    T = gates.shape[-1]
    last = np.maximum.accumulate(np.where(gates != 0, np.arange(1, T + 1), 0), axis=-1)
    values = np.concatenate([np.broadcast_to(start[..., None], (*gates.shape[:-1], 1)), written], axis=-1)
    return np.take_along_axis(values, last, axis=-1)


def _bits(x: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(x, dtype=np.float32).view(np.int32)


@claim(
    "new.bistable.bit-equal",
    topic="bistable",
    place="after degeeter26 App. B",
    kind="new",
    title="scan and loop of a BMRU layer agree bit for bit in float32, for every bracketing",
    says=r"Products of $0$s and $1$s are exact, and in $a'b+b'$ one of the two terms is a zero whenever the other is not: nothing is ever rounded; signed zeros included.",
    hypotheses=("alpha and h_0 are finite, alpha is not 0 (with alpha = 0 the sign of a zero can differ)",),
    uses=("degeeter26.appB.thm3",),
    sabotages={
        "a keeping step adds 1/3": {"pairs": lambda alpha: letters_in_float(0.1) + np.float32([[0] * 4, [1 / 3, 1 / 3, 0, 0]])},
        "gates of 1/3": {"pairs": lambda alpha: np.float32([[2 / 3] * 4, [1 / 3, -1 / 3, 1 / 7, 1]])},
    },
)
def nothing_is_rounded(proof: Proof, pairs: Callable[[float], np.ndarray] = letters_in_float) -> None:
    """All sequences over keep (S = 1), keep (S = -1), set, reset; all bracketings; several alpha and h_0, the smallest number and zeros of both signs among them.

    Then long random sequences through the scan in use."""
    longest = proof.pick(5, 7, 8)
    alphas, starts = (1.0, 0.1, -3e38, 1e-45), np.array([1, -0.1, 0.0, -0.0], dtype=np.float32)
    for n in proof.every(f"all sequences of length <= {longest}, all bracketings, 4 alpha, 4 initial states", range(1, longest + 1)):
        words = all_arrays(4, n)
        for alpha in alphas if n < longest else alphas[1:2]:
            a, b = pairs(alpha)[:, words]
            elements = [(a[:, t], b[:, t]) for t in range(n)]
            expected = [_bits(loop_states(a, b, np.broadcast_to(h, len(words)))[:, -1]) for h in starts]
            for tree in bracketings(n):
                products, sums = evaluate(tree, compose_affine, elements)
                for h, right in zip(starts, expected, strict=True):
                    proof.holds("the same bits", bool((_bits(products * h + sums) == right).all()))
    rng = np.random.default_rng(322)
    T, batch = proof.pick((3000, 4), (20000, 4), (200000, 8))
    for _ in proof.each(f"{batch} random sequences of length {T}", range(1)):
        a, b = pairs(0.1)[:, rng.integers(0, 4, (batch, T))]
        products, sums = associative_scan(compose_affine, (a, b), axis=1)
        proof.holds(
            "the same bits after the scan",
            bool((_bits(products * np.float32(0.1) + sums) == _bits(loop_states(a, b, np.full(batch, 0.1, np.float32)))).all()),
        )


@claim(
    "new.bistable.last-write",
    topic="bistable",
    place="after degeeter26 App. B",
    kind="new",
    title="a BMRU layer needs no linear recurrence: the state is what was written last, one running maximum of integers",
    says=r"$h_t=v_{m_t}$ with $m_t=\max\{s\le t:z_s=1\}$ (or $0$) and $v_0=h_0$, $v_s=S(\hat h_s)\alpha$: equal to the loop, bit for bit where $\alpha\ne0$; $\max$ is associative in any arithmetic.",
    uses=("degeeter26.eq11",),
    sabotages={
        "the first write in place of the last": {"form": lambda z, v, start: last_write(np.where(np.cumsum(z, -1) > 1, 0, z), v, start)}
    },
)
def running_maximum(proof: Proof, form: Callable[..., np.ndarray] = last_write) -> None:
    """All sequences again, and a long one."""
    longest = proof.pick(6, 8, 9)
    for n in proof.every(f"all sequences of length <= {longest}, 3 alpha, 2 initial states", range(1, longest + 1)):
        words = all_arrays(4, n)
        for alpha, start in product((1.0, 0.1, -3e38), np.float32([1, -0.1])):
            a, b = letters_in_float(alpha)[:, words]
            h = np.broadcast_to(start, len(words))
            proof.holds("the same bits as the loop", bool((_bits(form(1 - a, b, h)) == _bits(loop_states(a, b, h))).all()))


@claim(
    "new.bistable.scan-error",
    topic="bistable",
    place="after degeeter26 App. B",
    kind="new",
    title="in float32 scan and loop of a general linear recurrence differ from length 2 on, within (1+u)^(t+d) - 1 and (1+u)^(2t) - 1 times that of moduli",
    says=r"Each term $b_i\prod_{j>i}a_j$ of $h_t$ is rounded at most $t$ times by products and, by sums, at most $t$ times in the loop and $d\le2\log_2T+1$ times in the scan: "
    r"$|\hat h_t-h_t|\le((1+u)^{t+d}-1)\sum_i|b_i|\prod_{j>i}|a_j|$, $u=2^{-24}$, without under- or overflow.",
    sabotages={
        "u = 2^-30": {"unit": fmpq(1, 2**30)},
        "rounding that adds nothing: a and b of BMRU": {"numbers": lambda rng, shape: rng.choice(np.float32([0, 1]), shape)},
    },
)
def error_of_the_scan(
    proof: Proof,
    unit: fmpq = fmpq(1, 2**24),
    numbers: Callable[..., np.ndarray] = lambda rng, shape: rng.uniform(-1.2, 1.2, shape).astype(np.float32),
) -> None:
    """Float32 results as exact rationals against the recurrence in exact rationals. That they differ is shown by the first length where they do."""
    rng = np.random.default_rng(323)
    count, T = proof.pick((4, 24), (12, 48), (40, 96))
    depth = 2 * floor(log2(T)) + 1
    different = 0
    for _ in proof.each(f"{count} random recurrences in float32, a, b in [-1.2, 1.2], T = {T}", range(count)):
        a, b = numbers(rng, (2, T))
        start = numbers(rng, ())
        products, sums = associative_scan(compose_affine, (a, b))
        by_scan, by_loop = products * start + sums, loop_states(a, b, start)
        different += int((by_scan != by_loop).any())
        h, size = _rational(start), abs(_rational(start))
        for t in range(T):
            h = _rational(a[t]) * h + _rational(b[t])
            size = abs(_rational(a[t])) * size + abs(_rational(b[t]))
            for values, roundings, name in ((by_scan, t + 1 + depth, "the scan"), (by_loop, 2 * (t + 1), "the loop")):
                proof.holds(f"{name} is within its bound", bool(abs(_rational(values[t]) - h) <= ((1 + unit) ** roundings - 1) * size))
    proof.holds("scan and loop do differ", different > 0)
    shortest = proof.smallest("length", range(1, 9), lambda n: _differs(n, numbers))
    proof.exactly("the shortest length at which they do", shortest and shortest[0], 2)


def _differs(n: int, numbers: Callable[..., np.ndarray]) -> bool:
    rng = np.random.default_rng(324)
    for _ in range(200):
        a, b = numbers(rng, (2, n))
        start = numbers(rng, ())
        products, sums = associative_scan(compose_affine, (a, b))
        if (products * start + sums != loop_states(a, b, start)).any():
            return True
    return False


def _rational(x: Any) -> fmpq:
    return fmpq(*float(x).as_integer_ratio())
