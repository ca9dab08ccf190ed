"""Sentences on heads, on run time and on where the iteration starts (movahedi25, Sec. 1, 2.1, 4 and App. D.3.2)."""

from __future__ import annotations

from functools import reduce
from itertools import permutations
from random import Random

import numpy as np
from sympy import ZZ
from sympy.combinatorics import Permutation
from sympy.polys.rings import ring

from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof


def sign(order: tuple[int, ...]) -> int:
    """1 for an even order, -1 for an odd one."""
    return Permutation(list(order)).signature()


def standard_polynomial(matrices: list[Array], signed=sign) -> Array:
    """The sum over all orders of the product, each with the sign of its order."""
    total = matrices[0] * 0
    for order in permutations(range(len(matrices))):
        total = total + signed(order) * reduce(np.matmul, [matrices[i] for i in order])
    return total


def generic(count: int, sizes: tuple[int, ...]) -> list[Array]:
    """Matrices of different symbols in blocks of the sizes given, 0 between the blocks: polynomials, which are compared by their coefficients."""
    size = sum(sizes)
    polynomials, *symbols = ring([f"a{k}" for k in range(count * size * size)], ZZ)
    free = iter(symbols)
    block = np.repeat(range(len(sizes)), sizes)
    return [
        np.array([[next(free) if block[i] == block[j] else polynomials.zero for j in range(size)] for i in range(size)], dtype=object)
        for _ in range(count)
    ]


def staircase(m: int) -> list[Array]:
    """The 2m matrix units e_11, e_12, e_22, e_23, ... of size m + 1: one order alone has a product other than 0."""
    places = [(k // 2, (k + 1) // 2) for k in range(2 * m)]
    return [np.array([[int((i, j) == at) for j in range(m + 1)] for i in range(m + 1)], dtype=object) for at in places]


@claim(
    "movahedi25.sec1.heads",
    place="Sec. 1, before Eq. 1; App. D.3.2, Comparison to DeltaNet",
    title="mixing within heads stays within heads: size m ≤ 2 obeys an identity that one head of size m + 1 breaks",
    says=r"A product of block-diagonal matrices is block diagonal. For $m\le2$, blocks of size $m$, any number of them, and any $2m$ letters $\sum_\sigma\operatorname{sgn}(\sigma)A_{\sigma(1)}\cdots A_{\sigma(2m)}=0$; "
    r"for suitable matrices of size $m+1$ the sum is not $0$.",
    reading="one layer, the transition alone, without the driving term; 'reduces expressivity' as: some maps from words to states are lost",
    remarks=(
        "For every m this is the theorem of Amitsur and Levitzki (1950), named here from memory. All channels still meet in B x and between layers.",
    ),
    sabotages={
        "orders without their signs": {"signed": lambda order: 1},
        "heads of twice the size": {"size": lambda m: 2 * m},
        "one head for all channels": {"heads": lambda m: (2 * m,)},
        "too small a matrix breaks nothing": {"dense": lambda m: [M[:m, :m] for M in staircase(m)]},
    },
)
def within_heads(proof: Proof, signed=sign, size=lambda m: m, heads=lambda m: (m, m), dense=staircase) -> None:
    r"""The standard polynomial in $2m$ letters vanishes on matrices of size $m$, and block by block on block-diagonal ones.

    1. The entries between blocks of a product of two block-diagonal matrices are $0$, so those of every product are; written out for two blocks of size $m$. [checked: "the product has no entry between heads"] [prose]
    2. The signed sum over all orders is $0$ for matrices of size $m$ with free entries, $m=1,2$. Of block-diagonal matrices it is taken block by block, so any number of heads may stand.
       [checked: "m = 1: the signed sum"; "m = 2: the signed sum"] [prose]
    3. On $e_{11},e_{12},e_{22},e_{23},\dots$ the given order alone contributes: the sum is $e_{1,m+1}$. [checked: "one head of size m + 1"]
    """
    for m in proof.every("m = 1, 2", (1, 2), limited=False):
        first, second = generic(2, heads(m))
        between = (first @ second)[:m, m:]
        proof.exactly("the product has no entry between heads", list(between.ravel()), [0] * between.size, free="entries")
        total = standard_polynomial(generic(2 * m, (size(m),)), signed)
        proof.exactly(f"m = {m}: the signed sum over all orders is 0", list(total.ravel()), [0] * total.size, free="entries")
        corner = standard_polynomial(dense(m), signed)
        proof.exactly("one head of size m + 1: the sum is e_(1, m+1)", [corner[0, -1], np.abs(corner).sum()], [1, 1])


@claim(
    "movahedi25.sec4.runtime",
    place="Sec. 4, 'quadratic runtime'",
    title="T passes over T tokens can be needed and suffice if a token sees the pass before at earlier times: T² steps",
    says=r"Let $h^\ell_t=F_t(h^\ell_{t-1},h^{\ell-1}_{t-1})$. Then $h^\ell_t=h^*_t$ for $t\le\ell$; and for $F_t(a,b)=b$ with $h_0=1$, $h^0_t=0$, $h^\ell_t\ne h^*_t$ for every $t>\ell$.",
    reading="'behaves like a traditional RNN, with quadratic runtime': the T steps are sequential as there, and the T passes over T tokens make T^2 of them",
    remarks=("A traditional RNN itself takes T steps, in O(T); read of that model the sentence would be wrong, and so it is not read.",),
    sabotages={
        "a token sees itself in the pass before": {"seen": 0},
        "a delay that is ready at once": {"delay": lambda now, before: 1},
    },
)
def passes_of_a_causal_iteration(proof: Proof, seen: int = 1, delay=lambda now, before: before) -> None:
    r"""Induction over the passes: what a token reads was right one pass and one token before.

    1. $h_0$ is given. If $h^{\ell-1}_{t-1}$ and $h^\ell_{t-1}$ are right for $t\le\ell$, then $h^\ell_t=F_t(h^*_{t-1},h^*_{t-1})=h^*_t$. [checked: "right up to the number of the pass"] [prose]
    2. Each pass of the delay moves the one by one token, so $T$ passes are needed. [checked: "the delay is right no earlier"]
    3. $T$ passes over $T$ tokens are $T\cdot T$ token steps. [prose]
    """
    rng = Random(301)
    for T in proof.each("T = 1, ..., 9; ten random F on three states for each, seed 301", range(1, 10)):
        for _ in range(10):
            tables = [[[rng.randrange(3) for _ in range(3)] for _ in range(3)] for _ in range(T)]
            right, every = _passes(T, lambda t, now, before, f=tables: f[t][now][before], 0, seen)
            proof.holds("right up to the number of the pass", all(row[: n + 1] == right[: n + 1] for n, row in enumerate(every)))
        right, every = _passes(T, lambda t, now, before: delay(now, before), 1, 1)
        late = all(row[t] != right[t] for n, row in enumerate(every) for t in range(n + 1, T))
        proof.holds("the delay is right no earlier: not before pass T", late and every[-1] == right)


def _passes(T: int, step, start: int, seen: int) -> tuple[list[int], list[list[int]]]:
    """The states of the loop, and those after each of T passes from 0; ``seen`` is how far back a token looks into the pass before."""
    loop, old, every = [], [0] * T, []
    for t in range(T):
        state = loop[-1] if loop else start
        loop.append(step(t, state, state))
    for _ in range(T):
        new: list[int] = []
        for t in range(T):
            before = old[t - seen] if t >= seen else start
            new.append(step(t, new[-1] if new else start, before))
        old = new
        every.append(new)
    return loop, every


@claim(
    "movahedi25.sec2.1.start",
    place="Sec. 2.1, before Eq. 4",
    of="movahedi25.sec2.1.attracts",
    flaw="misprint",
    quotes=(r"one can start from $h_t^{\ell} = 0$ and compute",),
    extracted=True,
    title="the iteration starts from the iterate number 0, not from a general one: h⁰ = 0",
    says=r"One starts from $h_t^\ell=0$, for the current pass $\ell$.",
    letter="Before Eq. 4 one starts from h_t^l = 0; h_t^0 = 0 is meant. With d = T = 1 and Q = B = x = 1 the first pass gives 1.",
    sabotages={"no input": {"x": 0}},
)
def start_at_pass_zero(proof: Proof, x: int = 1) -> None:
    """Eq. 4 with d = T = 1 and Q = B = 1 gives h^l = x, whatever Lambda is."""
    proof.counterexample(
        given={"d = T": 1, "Q = B": 1, "x": x, "h_0": 0, "h^1 by Eq. 4": x},
        words={"zero": x != 0},
        minimal="d = T = 1",
    )
    proof.certificate("witness", "one token", Q=1, B=1, x=x)
