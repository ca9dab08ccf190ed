"""Which kind of rounding saves Theorem 1 of grazzi25: one nondecreasing rounding of every entry per step."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random

import numpy as np
import sympy
from flint import fmpq

from ...constructions import rounded_delta, samples
from ...numerics import exact
from ...numerics.exact import Array
from ...numerics.floating_point import FORMATS
from ..claim import claim
from ..evidence import Proof

Rounding = Callable[[fmpq], fmpq]


class Staircase:
    """A nondecreasing function with finitely many values: ``values[j]`` above the j-th threshold, the threshold itself on the side ``closed[j]`` says."""

    def __init__(self, thresholds: list[fmpq], closed: list[bool], values: list[fmpq]):
        self.steps = list(zip(thresholds, closed, strict=True))
        self.values = values

    def __call__(self, x: fmpq) -> fmpq:
        return self.values[sum(x > y or (closed and x == y) for y, closed in self.steps)]


def random_staircase(rng: Random) -> Staircase:
    count = rng.randint(1, 5)
    thresholds = sorted({samples.fraction(rng, -4, 4) for _ in range(count)})
    values = sorted(samples.fraction(rng, -4, 4) for _ in range(len(thresholds) + 1))
    return Staircase(thresholds, [rng.random() < 0.5 for _ in thresholds], values)


def symmetrizable(rng: Random, n: int) -> tuple[Array, Array]:
    """(A, w): diag(w) A is symmetric positive semidefinite, w > 0."""
    q, w = samples.positive_semidefinite(rng, n), exact.rationals([fmpq(rng.randint(1, 3)) for _ in range(n)])
    return exact.rationals([[q[i, j] / w[i] for j in range(n)] for i in range(n)]), w


def block_triangular(rng: Random, n: int, diagonal: Callable = symmetrizable) -> tuple[Array, list[tuple[Array, Array]]]:
    """A block lower triangular matrix of width ``n`` and its diagonal blocks (A_j, w_j)."""
    a, blocks, start = samples.integers(rng, n, n), [], 0
    while start < n:
        size = rng.randint(1, n - start)
        block, w = diagonal(rng, size)
        a[start : start + size, start : start + size] = block
        a[start : start + size, start + size :] = 0 * a[start : start + size, start + size :]
        blocks.append((block, w))
        start += size
    return a, blocks


def orbit(a: Array, b: Array, start: Array, rounding: Callable[[Array, int], Array], longest: int = 400) -> list[Array]:
    """States of h -> rounding(A h + b, step) until one repeats its predecessor, or ``longest`` of them."""
    states = [start, rounding(a @ start + b, 1)]
    while not np.array_equal(states[-1], states[-2]) and len(states) < longest:
        states.append(rounding(a @ states[-1] + b, len(states)))
    return states


@claim(
    "new.parity.stepwise.monotone",
    place="after grazzi25 Theorem 1",
    title="one nondecreasing rounding per entry and step saves Theorem 1 where A is symmetric positive semidefinite",
    says=r"Let $WA$ be symmetric positive semidefinite for a diagonal $W>0$, let $b$ be any vector and $\rho_1,\dots,\rho_n$ nondecreasing functions with "
    r"finitely many values. Then every orbit of $h\mapsto\rho(Ah+b)$ ($\rho_i$ on entry $i$, $Ah+b$ exact) is eventually constant, so that no decoder tells odd $k$ from even $k$ on $1^k$.",
    hypotheses=("A h + b exact, then one rounding per entry, the same function at every step",),
    known="For the rounding to the nearest element and one symmetric block, orbits of symmetric threshold networks have period at most 2 (Goles and Olivos 1980); semidefinite weights leave no 2-cycle of two levels (Goles, Fogelman and Pellegrin 1985; Bruck and Goodman 1988). That gradients of convex functions are cyclically monotone is "
    "Rockafellar's (1966). Marcus and Westervelt (1989) exclude 2-cycles of symmetric networks of sigmoids whose least eigenvalue exceeds -1/gain, by an energy; staircases have infinite gain. "
    "Goles (Complex Systems 3 (1989) 173; abstract read): for symmetric A and f a subgradient of a convex function, x + f(Ax + b) ends in fixed points or 2-cycles. "
    "Goles and Martinez, Neural and Automata Networks (1990; from memory), have period at most 2 for symmetric A and cyclically monotone maps. New are period 1 for semidefinite W A, any staircases, and the kernel.",
    remarks=(
        "Nondecreasing are all rounding modes of IEEE 754, with saturation, and with subnormal numbers flushed to zero; each entry may have its own.",
        "It covers I - beta k k^T with 0 <= beta |k|^2 <= 1 and every diagonal A >= 0: DeltaNet [0, 1], Mamba, GLA, and stacks of them layer by layer. For triangular A see new.parity.stepwise.triangular.",
        "One letter at a time. With two letters in turn orbits of period 2 occur: in bfloat16 DeltaNet steps with k = (-1/2, 3/8), beta = 17/8, v = -119 and k = (-1/4, -5/8), beta = 35/16, v = 127 exchange (66, -230) and (131/2, -229). "
        "Both transitions are positive semidefinite.",
        "One more rounding, of k . h, and parity is possible: new.parity.float.scalar. Rounding that depends on the step, or on chance, is not covered: see the sabotage.",
    ),
    sabotages={
        "a rounding that falls somewhere": {"rounding": lambda rng: lambda x: fmpq(int(x <= 0))},
        "an indefinite block": {"diagonal": lambda rng, n: (-exact.identity(n), exact.rationals([1] * n))},
        "a quarter turn, whose symmetric part is 0": {
            "diagonal": lambda rng, n: (exact.rationals([[0, -1], [1, 0]]) if n == 2 else exact.identity(n), exact.rationals([1] * n))
        },
        "A = 0": {"diagonal": lambda rng, n: (exact.zeros(n, n), exact.rationals([1] * n))},
        "a symmetric matrix that is not semidefinite, which the kernel refutes": {"theorem": "false_variants.symmetric_matrices_settle"},
    },
)
def one_monotone_rounding(
    proof: Proof,
    rounding: Callable = random_staircase,
    diagonal: Callable = symmetrizable,
    theorem: str = "rounding.one_monotone_rounding_settles",
) -> None:
    r"""Along a cycle a monotone rounding turns one way and a semidefinite matrix the other.

    Let $Q=WA$. States are finite in number after one step, so the orbit ends in a cycle $x_0,\dots,x_{m-1}$ (indices modulo $m$); write $y_t=Ax_t+b$, so that $x_{t+1}=\rho(y_t)$.

    1. Let $U\subseteq\mathbb R$ be an up-set, $y_0,\dots,y_{m-1}$ real. Then $\sum_{t:y_t\in U}(y_t-y_{t+1})\ge0$, and $>0$ unless all or none of the $y_t$ are in $U$: the $t$ with $y_t\in U$ form runs, the sum over a run telescopes
       to its first element minus the first element after it, which is not in $U$ and so smaller. [checked: "runs: the sum is >= 0"; "runs: it is > 0"] [prose]
    2. A nondecreasing $\rho_i$ with finitely many values is a constant plus a sum of positive multiples of indicators of up-sets, so $\sum_t\rho_i(y_{t,i})(y_{t,i}-y_{t+1,i})\ge0$, and $>0$ if $\rho_i$ is not constant along the cycle.
       With the weights $w_i>0$: $S=\sum_tx_{t+1}\cdot W(y_t-y_{t+1})\ge0$, and $>0$ unless the $x_t$ are all equal. [checked: "S >= 0, and > 0 unless"] [prose]
    3. $W(y_t-y_{t+1})=Q(x_t-x_{t+1})$, and for symmetric $Q$ one has $\sum_tx_{t+1}\cdot Q(x_t-x_{t+1})=-\frac12\sum_t(x_{t+1}-x_t)\cdot Q(x_{t+1}-x_t)\le0$. [checked: "the sum over a cycle is minus half"]
    4. Hence all $x_t$ are equal: $m=1$. [prose]
    5. Instances. [checked: "the state is constant in the end"]
    6. Floating point: the layers of new.parity.float, whose states are exchanged for ever if $k\cdot h$ is rounded first, settle if the step is rounded once. [checked: "rounded once per step, the layers"]
    """
    proof.formally(
        "the kernel: every orbit settles",
        theorem,
        whole="every n, A, W, b, start and nondecreasing roundings",
        differs="an ordered field for the reals; the values of the roundings lie in one finite list",
    )
    for m in range(2, proof.pick(4, 6, 7)):
        x = [sympy.symbols(f"x{t}_1:3") for t in range(m)]
        q11, q12, q22 = sympy.symbols("q11 q12 q22")

        def form(u, v, q=(q11, q12, q22)):
            return q[0] * u[0] * v[0] + q[1] * (u[0] * v[1] + u[1] * v[0]) + q[2] * u[1] * v[1]

        def difference(u, v):
            return tuple(a - b for a, b in zip(u, v, strict=True))

        ahead = [x[(t + 1) % m] for t in range(m)]
        left = sum(form(v, difference(u, v)) for u, v in zip(x, ahead, strict=True))
        right = -sum(form(difference(v, u), difference(v, u)) for u, v in zip(x, ahead, strict=True)) / 2
        proof.symbolically("the sum over a cycle is minus half of the sum of squares", left, right, "symmetric Q, x", f"n = 2, m <= {m}")
    for ys in proof.every("all cycles of length <= 5 in {0, 1, 2, 3}", (c for m in range(1, 6) for c in product(range(4), repeat=m))):
        for u in range(1, 4):
            total = sum(y - z for y, z in zip(ys, (*ys[1:], ys[0]), strict=True) if y >= u)
            proof.holds("runs: the sum is >= 0", total >= 0)
            proof.holds("runs: it is > 0 unless all or none are in U", total > 0 or len({y >= u for y in ys}) == 1)
    rng = Random(15)
    count = proof.pick(40, 150, 1500)
    moving, coupled = 0, 0
    for n in proof.each(f"{count} random A, n <= 5, and staircases, seed 15", [rng.randint(1, 5) for _ in range(count)]):
        a, w = diagonal(rng, n)
        _turns_one_way(proof, rng, rounding(rng))
        states = _settles(proof, rng, a, [(a, w)], rounding)
        moving += len(states) > 3
        coupled += any(a[i, j] != 0 for i in range(n) for j in range(n) if i != j)
    proof.holds("a tenth of the orbits move for two steps or more", 10 * moving > count)
    proof.holds("half of the transitions are not diagonal", 2 * coupled > count)
    for format in proof.each("six formats", FORMATS):
        layer = rounded_delta.unit_key(format)
        a, b = exact.identity(2) - layer.beta * np.outer(layer.k, layer.k), layer.beta * layer.v * layer.k
        proof.holds("I - beta k k^T is positive semidefinite", exact.is_positive_semidefinite(a))
        states = orbit(a, b, layer.even, lambda y, _, format=format: exact.map_entries(format.round, y))
        proof.exactly("rounded once per step, the layers of new.parity.float settle", states[-1], states[-2])


def _settles(proof: Proof, rng: Random, a: Array, blocks: list[tuple[Array, Array]], rounding: Callable) -> list[Array]:
    """An orbit under random roundings, down to where it stands still; ``blocks`` are the diagonal blocks of ``a`` with their weights."""
    n = len(a)
    for block, w in blocks:
        q = exact.rationals([[w[i] * block[i, j] for j in range(len(w))] for i in range(len(w))])
        proof.holds("W A is symmetric positive semidefinite", np.array_equal(q, q.T) and exact.is_positive_semidefinite(q))
    b, rho = samples.integers(rng, n) / 2, [rounding(rng) for _ in range(n)]
    start = exact.rationals([r(samples.fraction(rng, -4, 4)) for r in rho])
    states = orbit(a, b, start, lambda y, _: exact.rationals([r(z) for r, z in zip(rho, y, strict=True)]))
    proof.exactly("the state is constant in the end", states[-1], states[-2])
    if len(states) > 3 and n > 1 and len(proof.certificates) < 12 and rounding is random_staircase:
        steps = [{"at": [y for y, _ in r.steps], "closed": [int(c) for _, c in r.steps], "values": r.values} for r in rho]
        sizes, weights = [len(w) for _, w in blocks], [x for _, w in blocks for x in w]
        proof.certificate("witness", "an orbit that settles", A=a, b=b, blocks=sizes, weights=weights, rounding=steps, orbit=states)
    return states


def _turns_one_way(proof: Proof, rng: Random, rho: Rounding) -> None:
    """Step 2 on a random cycle of numbers."""
    ys = [samples.fraction(rng, -4, 4) for _ in range(rng.randint(2, 5))]
    total = sum((rho(y) * (y - z) for y, z in zip(ys, [*ys[1:], ys[0]], strict=True)), fmpq(0))
    proof.holds("S >= 0, and > 0 unless all values are equal", total > 0 or (total == 0 and len({rho(y) for y in ys}) == 1))


@claim(
    "new.parity.stepwise.triangular",
    place="after grazzi25 Theorem 1",
    title="one nondecreasing rounding saves Theorem 1 for triangular A with a nonnegative diagonal too, and for blocks",
    says=r"Let $A$ be block lower triangular with diagonal blocks $A_j$ such that $W_jA_j$ is symmetric positive semidefinite for a diagonal $W_j>0$ (blocks of size 1: any $A_j\ge0$), $b$ any vector and $\rho_1,\dots,\rho_n$ nondecreasing "
    r"functions with finitely many values. Then every orbit of $h\mapsto\rho(Ah+b)$ is eventually constant.",
    hypotheses=("A h + b exact, then one rounding per entry, the same function at every step",),
    known="In exact arithmetic and in the cast model it is grazzi25's Theorem 1, since the spectrum is nonnegative; with rounding at every step not every such matrix settles (new.parity.stepwise.two-cycle).",
    sabotages={
        "a block with a negative eigenvalue": {"diagonal": lambda rng, n: (-exact.identity(n), exact.rationals([1] * n))},
        "a rounding that falls somewhere": {"rounding": lambda rng: lambda x: fmpq(int(x <= 0))},
        "one block": {"build": lambda rng, n, diagonal: (lambda x: (x[0], [x]))(diagonal(rng, n))},
        "a symmetric block that is not semidefinite, which the kernel refutes": {"theorem": "false_variants.symmetric_matrices_settle"},
    },
)
def block_after_block(
    proof: Proof,
    rounding: Callable = random_staircase,
    diagonal: Callable = symmetrizable,
    build: Callable = block_triangular,
    theorem: str = "stepwise.block_triangular_settles",
) -> None:
    r"""One block after the other.

    1. The entries of the first block do not depend on the others: they are an orbit of $h\mapsto\rho(A_1h+b_1)$ and constant in the end. [uses: new.parity.stepwise.monotone] [prose]
    2. From then on they add a constant to the input of the second block, which is an orbit of the same kind with another $b$ and another start; and so on. [uses: new.parity.stepwise.monotone] [prose]
    3. Instances. [checked: "the state is constant in the end"; "half of them have two blocks"]
    """
    proof.formally(
        "the kernel: every orbit settles",
        theorem,
        whole="every n, A, levels of the blocks, W, b, start and nondecreasing roundings",
        differs="an ordered field for the reals; the values of the roundings lie in one finite list",
    )
    rng = Random(18)
    count = proof.pick(40, 150, 1500)
    moving, blocky = 0, 0
    for n in proof.each(f"{count} random block triangular A, n <= 5, and staircases, seed 18", [rng.randint(2, 5) for _ in range(count)]):
        a, blocks = build(rng, n, diagonal)
        moving += len(_settles(proof, rng, a, blocks, rounding)) > 3
        blocky += len(blocks) > 1 and any(a[i, j] != 0 for i in range(n) for j in range(i))
    proof.holds("a quarter of the orbits move for two steps or more", 4 * moving > count)
    proof.holds("half of them have two blocks or more that are coupled", 2 * blocky > count)
