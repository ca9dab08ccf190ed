"""The parallel scan of linear recurrences and of BMRU: associativity, work and depth, and what floating point makes of it (degeeter26, App. B)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import floor, log2
from random import Random
from typing import Any

import numpy as np
import sympy
from flint import fmpq

from ...constructions import samples
from ...numerics.scan import associative_scan, bracketings, compose_affine, evaluate, sequential_scan
from ..claim import claim
from ..evidence import Proof
from .magmas import Scan, all_arrays, hillis_steele
from .unit import random_unit, tells, weights

# -- linear recurrences --------------------------------------------------------------------------------------------------------------


@claim(
    "degeeter26.appB.thm2",
    place="App. B, Theorem 2",
    title="the operator on pairs (a, b) is associative, and its scan holds the states of hₜ = aₜ hₜ₋₁ + bₜ",
    says=r"$[a,b]\circledast[a',b']=[aa',a'b+b']$ is associative; the second parts of the scan of $[a_t,b_t]$, $0\le t<T$, are $h_0=b_0$, $h_t=a_th_{t-1}+b_t$, and the first parts $y_0=a_0$, $y_t=a_ty_{t-1}$.",
    reading="0 <= t < T; the printed array runs to c_T, for which no state is defined",
    construction="lemmata.numerics.scan.compose_affine",
    sabotages={
        "a b + b' in place of a' b + b', which the kernel refutes": {"theorem": "scan.other_pairing_is_associative"},
        "a in place of a'": {"op": lambda c, d: (c[0] * d[0], c[0] * c[1] + d[1])},
        "b' is forgotten": {"op": lambda c, d: (c[0] * d[0], d[0] * c[1])},
    },
)
def affine_maps_compose(proof: Proof, op: Callable[..., Any] = compose_affine, theorem: str = "scan.scanned_pairs_are_states") -> None:
    r"""$[a,b]$ stands for $h\mapsto ah+b$, and $\circledast$ for composition, the first applied first.

    1. Both parts of $(c\circledast c')\circledast c''$ and $c\circledast(c'\circledast c'')$ agree, for six free symbols; $\odot$ acts entry by entry, so vectors are no more than that. [checked: "associative: the product"; "associative: the sum"]
    2. The scan's first element is $[a_0,b_0]=[y_0,h_0]$. If element $t-1$ is $[y,h]$, element $t$ is $[y,h]\circledast[a_t,b_t]=[a_ty,a_th+b_t]=[y_t,h_t]$: induction on $t$. [checked: "the step: y_t"; "the step: h_t"]
    3. By step 1 every bracketing of a prefix has this value, so the parallel scan has it. [cited: general associativity]
    """
    proof.formally(
        "the kernel: the operator is associative, and every scan holds products and states",
        theorem,
        whole="every T, a and b in any ring",
        differs="any ring, that of vectors with entrywise products included; the loop's scan, and the three parallel ones",
    )
    (a0, b0), (a1, b1), (a2, b2) = (sympy.symbols(f"a{i} b{i}") for i in range(3))
    left, right = op(op((a0, b0), (a1, b1)), (a2, b2)), op((a0, b0), op((a1, b1), (a2, b2)))
    for i, part in enumerate(("product", "sum")):
        proof.symbolically(f"associative: the {part}", left[i], right[i], "a, b")
    y, h, a, b = sympy.symbols("y h a b")
    proof.symbolically("the step: y_t = a_t y_(t-1)", op((y, h), (a, b))[0], a * y, "y, h, a, b")
    proof.symbolically("the step: h_t = a_t h_(t-1) + b_t", op((y, h), (a, b))[1], a * h + b, "y, h, a, b")
    proof.certificate("witness", "six pairs", a=["1/2", "0", "-3", "1", "2/5", "7"], b=["1", "-1/3", "2", "0", "5", "1/7"])
    proof.exhibit("three maps and their product", maps=[["1/2", "1"], ["0", "-1/3"], ["-3", "2"]], product=["0", "3"])


@claim(
    "degeeter26.appB.thm3",
    place="App. B, Theorem 3; Abstract; Sec. 4.3, Compatibility with parallel scan",
    title="the states of a BMRU layer are the scan of [1 − zₜ, zₜ S(ĥₜ) α], with [., h₀] in front",
    says=r"With $c_0=[1,h_0]$ and $c_t=[1-z_t,\,z_t\odot S(\hat h_t)\odot\alpha]$, which do not contain the states, the second parts of the scan are $h_0,h_1,\dots,h_T$ of Eq. 11.",
    reading="c_0 holds h_0, not z_0 S(h-hat_0) alpha as Eq. 16b would have it; T inputs make T + 1 pairs",
    remarks=(
        "This is what the abstract means by compatible with the parallel scan algorithm. That the library's scan gives the states of layers is part of degeeter26.eq11.",
    ),
    construction="lemmata.numerics.scan.associative_scan",
    sabotages={
        "without h_0 in front, which the kernel refutes": {"theorem": "bistable.layer_by_scan_without_start"},
        "h_0 is left out": {"first": lambda start: (sympy.Integer(1), start * 0)},
        "the gate keeps what it should write": {"pair": lambda z, s, alpha: (z, z * s * alpha)},
    },
)
def layers_by_scan(
    proof: Proof,
    first: Callable[[Any], Any] = lambda start: (sympy.Integer(1), start),
    pair: Callable[..., Any] = lambda z, s, alpha: (1 - z, z * s * alpha),
    theorem: str = "bistable.layer_by_scan",
) -> None:
    r"""Eq. 11d is a first-order linear recurrence, so Theorem 2 applies.

    1. $z_t$, $S(\hat h_t)$ and $\alpha$ do not contain $h_{t-1}$ (Eqs. 11a to c), so the pairs do not. [checked: "the pairs are free of the state"] [uses: degeeter26.eq11]
    2. The scan starts with $[1,h_0]$. [checked: "the base"]
    3. If its element $t-1$ has the second part $h_{t-1}$, element $t$ has $(1-z_t)h_{t-1}+z_tS(\hat h_t)\alpha$, which is Eq. 11d: induction, with all letters free, entry by entry. [checked: "the step is Eq. 11d"] [uses: degeeter26.appB.thm2]
    """
    proof.formally(
        "the kernel: the second parts of the scan are the states",
        theorem,
        whole="every layer, T and h_0",
        differs="an ordered field for the reals; unit by unit",
    )
    h, y, z, s, alpha, start = sympy.symbols("h y z s alpha h_0")
    proof.exactly("the pairs are free of the state", sorted(str(v) for part in pair(z, s, alpha) for v in part.free_symbols & {h, y}), [])
    proof.symbolically("the base", first(start)[1], start, "h_0")
    proof.symbolically(
        "the step is Eq. 11d", compose_affine((y, h), pair(z, s, alpha))[1], z * s * alpha + (1 - z) * h, "y, h, z, S, alpha"
    )
    rng = Random(321)
    for _ in range(100):
        n, m = rng.randint(1, 3), rng.randint(1, 2)
        unit, start = random_unit(rng, n, m), samples.integers(rng, n)
        word = [samples.integers(rng, m, bound=2) for _ in range(8)]
        if tells(unit, word) and len(proof.certificates) < 3:
            proof.certificate(
                "witness", f"{n} units, 8 steps", **weights(unit), start=start, word=word, states=unit.recurrence(start).run(word)
            )


@claim(
    "degeeter26.appB.complexity",
    place="Sec. 4.3, Compatibility with parallel scan; App. B",
    title="the scan applies the operator fewer than 2n times, and at most 2 log2(n) times one after another",
    says=r"For $n\ge1$ elements: fewer than $2n$ applications in at most $2\lfloor\log_2n\rfloor$ batched calls, against $n-1$ calls of the loop: $O(n/p+\log p)$ on $p$ processors, by Brent's argument.",
    sabotages={
        "fewer applications than elements, which the kernel refutes": {"theorem": "scan.fewer_applications_than_elements"},
        "the scan of Hillis and Steele": {"scan": hillis_steele},
        "the loop": {"scan": sequential_scan},
    },
)
def work_and_depth(proof: Proof, scan: Scan = associative_scan, theorem: str = "scan.cost_of_pairs_first") -> None:
    r"""Pair neighbours, scan the pairs, fill in the rest.

    1. The work satisfies $W(1)=0$, $W(n)=W(\lfloor\frac n2\rfloor)+n-1$ for $n\ge2$, and the number of calls $C(2)=C(3)-1=1$, $C(n)=C(\lfloor\frac n2\rfloor)+2$ beyond; by induction $W(n)<2n$ and $C(n)\le2\lfloor\log_2n\rfloor$. [prose]
    2. Counted while scanning. [checked: "work below 2n"; "at most 2 log2(n) calls"; "the work is W(n)"]
    3. On $p$ processors a call of $m$ applications takes $\lceil m/p\rceil$ rounds; add up. [cited: Brent 1974]
    """
    proof.formally("the kernel: the loop's calls", "scan.cost_of_the_loop")
    proof.formally(
        "the kernel: the scan's applications, calls, and rounds on p processors",
        theorem,
        whole="every n and p",
        differs="O(n/p + log p) is 4 n/p + 2 (floor(log2 p) + 1); a call of no applications is none",
    )
    longest = proof.pick(130, 600, 3000)
    work = {1: 0}
    for n in proof.every(f"n <= {longest}", range(1, longest + 1)):
        calls: list[int] = []

        def op(a: np.ndarray, b: np.ndarray, calls: list[int] = calls) -> np.ndarray:
            calls.append(a.shape[-1])
            return a + b

        scan(op, np.ones(n, dtype=np.int64), axis=0)
        work[n] = work[n // 2] + n - 1 if n > 1 else 0
        proof.holds("work below 2n", sum(calls) < 2 * n)
        proof.exactly("the work is W(n)", sum(calls), work[n])
        proof.holds("at most 2 log2(n) calls", len(calls) <= 2 * floor(log2(n)))


# -- bit by bit --------------------------------------------------------------------------------------------------------------------------


def single(values: Sequence[Any]) -> np.ndarray:
    """Numbers in float32."""
    return np.array(values, dtype=np.float32)


def letters_in_float(alpha: float) -> np.ndarray:
    """The four pairs (1 - z, z S alpha) in float32: keep with S = 1 and with S = -1 (which writes -0.0), set, reset."""
    z, s = single([0, 0, 1, 1]), single([1, -1, 1, -1])
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
    place="after degeeter26 App. B",
    title="scan and loop of a BMRU layer agree bit for bit in float32, for every bracketing",
    says=r"Products of $0$s and $1$s are exact, and in $a'b+b'$ one of the two terms is a zero whenever the other is not: nothing is ever rounded; signed zeros included.",
    hypotheses=("alpha and h_0 are finite, alpha is not 0 (with alpha = 0 the sign of a zero can differ)",),
    known="that products with 0 and 1 are exact is elementary; that signed zeros and all bracketings agree we have not found",
    uses=("degeeter26.appB.thm3",),
    sabotages={
        "a keeping step adds 1/3": {"pairs": lambda alpha: letters_in_float(0.1) + single([[0] * 4, [1 / 3, 1 / 3, 0, 0]])},
        "gates of 1/3": {"pairs": lambda alpha: single([[2 / 3] * 4, [1 / 3, -1 / 3, 1 / 7, 1]])},
    },
)
def nothing_is_rounded(proof: Proof, pairs: Callable[[float], np.ndarray] = letters_in_float) -> None:
    r"""Nothing is rounded, because of two numbers that are multiplied one is $0$ or $1$, and of two that are added one is a zero.

    1. The $a$ of a product of pairs is $0$ or $1$, exactly, however it is bracketed. [checked: "the same bits"]
    2. In $a'b+b'$: if the later block writes, $a'=0$, and the sum is $\pm0+b'=b'$, as $b'\ne0$; if it keeps, $b'=\pm0$, and the sum is $b+(\pm0)=b$ for $b\ne0$, and a zero for a zero $b$. [prose]
    3. Signs of zeros: a block that keeps has $b=\pm0$, and the last step $1\cdot h_0+(\pm0)$ gives the loop's bits for $h_0\ne0$ and for zeros of both signs; all short sequences over keep ($S=1$), keep ($S=-1$), set and reset, all bracketings, several $\alpha$ and $h_0$, the
       smallest number among them. [checked: "the same bits"]
    4. Long random sequences through the scan in use. [checked: "the same bits after the scan"]
    """
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
    for _ in proof.each(f"{batch} random sequences of length {T}, NumPy seed 322", range(1)):
        a, b = pairs(0.1)[:, rng.integers(0, 4, (batch, T))]
        products, sums = associative_scan(compose_affine, (a, b), axis=1)
        proof.holds(
            "the same bits after the scan",
            bool((_bits(products * np.float32(0.1) + sums) == _bits(loop_states(a, b, np.full(batch, 0.1, np.float32)))).all()),
        )


@claim(
    "new.bistable.last-write",
    place="after degeeter26 App. B",
    known="not new as an idea: a flip-flop holds its last write, and last-write is a textbook associative scan (a segmented copy; Blelloch 1990); here for Eq. 11, with the bits of the loop",
    title="a BMRU layer needs no linear recurrence: the state is what was written last, one running maximum of integers",
    says=r"$h_t=v_{m_t}$ with $m_t=\max\{s\le t:z_s=1\}$ (or $0$) and $v_0=h_0$, $v_s=S(\hat h_s)\alpha$: equal to the loop, bit for bit where $\alpha\ne0$ and $h_0$ is not $-0$; $\max$ is associative in any arithmetic.",
    sabotages={
        "the first write, which the kernel refutes": {"theorem": "bistable.state_is_the_first_write"},
        "the first write in place of the last": {"form": lambda z, v, start: last_write(np.where(np.cumsum(z, -1) > 1, 0, z), v, start)},
    },
)
def running_maximum(proof: Proof, form: Callable[..., np.ndarray] = last_write, theorem: str = "bistable.state_is_the_last_write") -> None:
    r"""Eq. 11d copies either the new value or the old state.

    1. If $z_t=1$, $h_t=v_t$ and $m_t=t$; if $z_t=0$, $h_t=h_{t-1}=v_{m_{t-1}}$ and $m_t=m_{t-1}$: induction on $t$ from $h_0=v_0$. [uses: degeeter26.eq11] [prose]
    2. $m_t$ is the running maximum of $sz_s$. In float32 the bits are the loop's, by all sequences up to a length; in rationals as well. [checked: "the same bits as the loop"]
    3. A start of $-0$ that is kept becomes $1\cdot(-0)+0\cdot v=+0$ in the loop: equal as numbers, not as bits. [checked: "a start of -0"]
    """
    proof.formally("the kernel: the state is the last write", theorem, differs="in exact arithmetic, one unit")
    longest = proof.pick(6, 8, 9)
    for n in proof.every(f"all sequences of length <= {longest}, 3 alpha, 2 initial states", range(1, longest + 1)):
        words = all_arrays(4, n)
        for alpha, start in product((1.0, 0.1, -3e38), single([1, -0.1])):
            a, b = letters_in_float(alpha)[:, words]
            h = np.broadcast_to(start, len(words))
            proof.holds("the same bits as the loop", bool((_bits(form(1 - a, b, h)) == _bits(loop_states(a, b, h))).all()))
        if n == 1:
            a, b = letters_in_float(1.0)[:, :1]
            zero: Any = np.float32(-0.0)
            proof.holds(
                "a start of -0 that is kept has other bits",
                not np.signbit(loop_states(a, b, zero)).any() and np.signbit(form(1 - a, b, zero)).all(),
            )
    proof.certificate(
        "witness", "ten steps", gates=[0, 1, 0, 0, 1, 1, 0, 1, 0, 0], signs=[1, -1, 1, -1, -1, 1, -1, 1, 1, -1], alpha="1/10", start="-3/7"
    )


@claim(
    "new.bistable.scan-error",
    place="after degeeter26 App. B",
    known="standard rounding analysis (Higham, Accuracy and stability of numerical algorithms, Secs. 3 and 4: the error of a sum by a tree); written out for this operator, with the depth of this scan",
    title="in float32 scan and loop of a general linear recurrence differ from length 2 on; each stays within a forward bound",
    says=r"Each term $b_i\prod_{j>i}a_j$ of $h_t$ is rounded at most $t$ times by products and, by sums, at most $t$ times in the loop and $d\le2\log_2T+1$ times in the scan: "
    r"$|\hat h_t-h_t|\le((1+u)^{t+d}-1)\sum_i|b_i|\prod_{j>i}|a_j|$, $u=2^{-24}$, without under- or overflow.",
    sabotages={
        "u = 2^-30": {"unit": fmpq(1, 2**30)},
        "rounding that adds nothing: a and b of BMRU": {"numbers": lambda rng, shape: rng.choice(single([0, 1]), shape)},
    },
)
def error_of_the_scan(
    proof: Proof,
    unit: fmpq = fmpq(1, 2**24),
    numbers: Callable[..., np.ndarray] = lambda rng, shape: rng.uniform(-1.2, 1.2, shape).astype(np.float32),
) -> None:
    r"""Follow one term through the tree.

    1. $h_t$ is a sum of terms $b_i\prod_{j>i}a_j$ (with $b_0=h_0$ in front); a computed term carries a factor $\prod(1+\delta)$, $|\delta|\le u$, with one $\delta$ for each operation that it goes through. [prose]
    2. In the loop these are at most $t$ products and $t$ sums; in the scan at most $t$ products and as many sums as the tree is deep. [prose]
    3. So the error is at most $(1+u)^{k}-1$ times the same sum of moduli, $k=2t$ and $k=t+d$; float32 results as exact rationals against the recurrence in exact rationals. [checked: "the scan is within"; "the loop is within"]
    4. That they differ: at length 2 in some instance, and the bounds are not empty. [checked: "scan and loop do differ"; "the shortest length"]
    """
    rng = np.random.default_rng(323)
    count, T = proof.pick((4, 24), (12, 48), (40, 96))
    depth = 2 * floor(log2(T)) + 1
    different = 0
    for _ in proof.each(f"{count} random recurrences in float32, a, b in [-1.2, 1.2], T = {T}, NumPy seed 323", range(count)):
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
