"""Which kind of rounding saves Theorem 1 of grazzi25: one nondecreasing rounding of every entry per step; and which matrices have 2-cycles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, product
from random import Random

import numpy as np
import sympy
from flint import fmpq

from ...constructions import rounded_delta, samples
from ...numerics import exact
from ...numerics.exact import Array
from ...numerics.finite_precision import FiniteSet
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
    topic="parity",
    place="after grazzi25 Theorem 1",
    kind="new",
    title="one nondecreasing rounding per entry and step saves Theorem 1 where A is symmetric positive semidefinite, or triangular",
    says=r"Let $A$ be block triangular with diagonal blocks $A_j$ such that $W_jA_j$ is symmetric positive semidefinite for a diagonal $W_j>0$, let $b$ be any vector and $\rho_1,\dots,\rho_n$ nondecreasing functions with "
    r"finitely many values. Then every orbit of $h\mapsto\rho(Ah+b)$ ($\rho_i$ on entry $i$, $Ah+b$ exact) is eventually constant, so that no decoder tells odd $k$ from even $k$ on $1^k$.",
    hypotheses=("A h + b exact, then one rounding per entry, the same function at every step",),
    known="For the rounding to the nearest element and one symmetric block new.parity.stepwise.symmetric, by the energy of Goles and Olivos (1980). That gradients of convex functions are cyclically monotone is "
    "Rockafellar's (1966); that a composition of two of them has no cycles but fixed points is, for networks of sigmoids, in Marcus and Westervelt (1989) by an energy.",
    remarks=(
        "Nondecreasing are all rounding modes of IEEE 754, with saturation, and with subnormal numbers flushed to zero; each entry may have its own.",
        "It covers a diagonal or triangular A >= 0 on the diagonal, and I - beta k k^T with 0 <= beta |k|^2 <= 1: Mamba, GLA, DeltaNet [0, 1], and stacks of them layer by layer.",
        "One more rounding, of k . h, and parity is possible: new.parity.float.scalar. Rounding that depends on the step, or on chance, is not covered: see the sabotage.",
    ),
    sabotages={
        "a rounding that falls somewhere": {"rounding": lambda rng: lambda x: fmpq(int(x <= 0))},
        "an indefinite block": {"diagonal": lambda rng, n: (-exact.identity(n), exact.rationals([1] * n))},
        "a quarter turn, whose symmetric part is 0": {
            "diagonal": lambda rng, n: (exact.rationals([[0, -1], [1, 0]]) if n == 2 else exact.identity(n), exact.rationals([1] * n))
        },
        "A = 0": {"diagonal": lambda rng, n: (exact.zeros(n, n), exact.rationals([1] * n)), "below": 0},
    },
)
def one_monotone_rounding(proof: Proof, rounding: Callable = random_staircase, diagonal: Callable = symmetrizable, below: int = 1) -> None:
    r"""Along a cycle a monotone rounding turns one way and a semidefinite matrix the other.

    First one block, $Q=WA$. States are finite in number after one step, so the orbit ends in a cycle $x_0,\dots,x_{m-1}$ (indices modulo $m$); write $y_t=Ax_t+b$, so that $x_{t+1}=\rho(y_t)$.

    1. Let $U\subseteq\mathbb R$ be an up-set, $y_0,\dots,y_{m-1}$ real. Then $\sum_{t:y_t\in U}(y_t-y_{t+1})\ge0$, and $>0$ unless all or none of the $y_t$ are in $U$: the $t$ with $y_t\in U$ form runs, the sum over a run telescopes
       to its first element minus the first element after it, which is not in $U$ and so smaller. [checked: "runs: the sum is >= 0"; "runs: it is > 0"] [prose]
    2. A nondecreasing $\rho_i$ with finitely many values is a constant plus a sum of positive multiples of indicators of up-sets, so $\sum_t\rho_i(y_{t,i})(y_{t,i}-y_{t+1,i})\ge0$, and $>0$ if $\rho_i$ is not constant along the cycle.
       With the weights $w_i>0$: $S=\sum_tx_{t+1}\cdot W(y_t-y_{t+1})\ge0$, and $>0$ unless the $x_t$ are all equal. [checked: "S >= 0, and > 0 unless"] [prose]
    3. $W(y_t-y_{t+1})=Q(x_t-x_{t+1})$, and for symmetric $Q$ one has $\sum_tx_{t+1}\cdot Q(x_t-x_{t+1})=-\frac12\sum_t(x_{t+1}-x_t)\cdot Q(x_{t+1}-x_t)\le0$. [checked: "the sum over a cycle is minus half"]
    4. Hence all $x_t$ are equal: $m=1$. [prose]
    5. Several blocks: the entries of the first block do not depend on the others and are constant in the end; from then on they are a part of $b$ for the next block, and so on. [checked: "the state is constant in the end"] [prose]
    6. Floating point: the layers of new.parity.float, whose states are exchanged for ever if $k\cdot h$ is rounded first, settle if the step is rounded once. [checked: "rounded once per step, the layers"]
    """
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
    for n in proof.each(
        f"{count} random block triangular A, n <= 5, random staircases for the entries", [rng.randint(2, 5) for _ in range(count)]
    ):
        a, blocks = block_triangular(rng, n, diagonal)
        if not below:
            a = exact.zeros(n, n)
        for block, w in blocks:
            q = exact.rationals([[w[i] * block[i, j] for j in range(len(w))] for i in range(len(w))])
            proof.holds("W A is symmetric positive semidefinite", np.array_equal(q, q.T) and exact.is_positive_semidefinite(q))
        b, rho = samples.integers(rng, n) / 2, [rounding(rng) for _ in range(n)]
        start = exact.rationals([r(samples.fraction(rng, -4, 4)) for r in rho])
        states = orbit(a, b, start, lambda y, _, rho=rho: exact.rationals([r(z) for r, z in zip(rho, y, strict=True)]))
        proof.exactly("the state is constant in the end", states[-1], states[-2])
        _turns_one_way(proof, rng, rho[0])
        moving += len(states) > 3
        coupled += any(a[i, j] != 0 for i in range(n) for j in range(n) if i != j)
        if len(states) > 3 and len(proof.certificates) < 12 and rounding is random_staircase:
            steps = [{"at": [y for y, _ in r.steps], "closed": [int(c) for _, c in r.steps], "values": r.values} for r in rho]
            sizes, weights = [len(w) for _, w in blocks], [x for _, w in blocks for x in w]
            proof.certificate("witness", "an orbit that settles", A=a, b=b, blocks=sizes, weights=weights, rounding=steps, orbit=states)
    proof.holds("a quarter of the orbits move for two steps or more", 4 * moving > count)
    proof.holds("nine tenths of the transitions are not diagonal", 10 * coupled > 9 * count)
    for format in proof.each("six formats", FORMATS):
        layer = rounded_delta.unit_key(format)
        a, b = exact.identity(2) - layer.beta * np.outer(layer.k, layer.k), layer.beta * layer.v * layer.k
        proof.holds("I - beta k k^T is positive semidefinite", exact.is_positive_semidefinite(a))
        states = orbit(a, b, layer.even, lambda y, _, format=format: exact.map_entries(format.round, y))
        proof.exactly("rounded once per step, the layers of new.parity.float settle", states[-1], states[-2])


def _turns_one_way(proof: Proof, rng: Random, rho: Rounding) -> None:
    """Step 2 on a random cycle of numbers."""
    ys = [samples.fraction(rng, -4, 4) for _ in range(rng.randint(2, 5))]
    total = sum((rho(y) * (y - z) for y, z in zip(ys, [*ys[1:], ys[0]], strict=True)), fmpq(0))
    proof.holds("S >= 0, and > 0 unless all values are equal", total > 0 or (total == 0 and len({rho(y) for y in ys}) == 1))


# -- which matrices have 2-cycles at all -----------------------------------------------------------------------------------


def principal_minors(a: Array) -> Iterator[tuple[tuple[int, ...], fmpq]]:
    """(indices, minor), the smallest index sets first."""
    n = len(a)
    for size in range(1, n + 1):
        for chosen in combinations(range(n), size):
            yield chosen, exact.determinant(a[np.ix_(chosen, chosen)])


def reversed_vector(a: Array, chosen: tuple[int, ...]) -> Array | None:
    """A rational d with d_i (A d)_i < 0 wherever d_i != 0, near the eigenvector of a negative eigenvalue of A on the indices ``chosen``."""
    block = a[np.ix_(chosen, chosen)]
    values, vectors = np.linalg.eig(np.array([[float(x.p) / float(x.q) for x in row] for row in block]))
    real = [i for i in range(len(values)) if abs(values[i].imag) < 1e-9 and values[i].real < 0]
    for i in sorted(real, key=lambda i: values[i].real):
        direction = np.real(vectors[:, i] / max(vectors[:, i], key=abs))
        for digits in (1, 2, 4, 8, 12):
            d = exact.zeros(len(a))
            for index, x in zip(chosen, direction, strict=True):
                d[index] = fmpq(round(float(x) * 10**digits), 10**digits)
            if reverses(a, d):
                return d
    return None


def reverses(a: Array, d: Array) -> bool:
    """d is not 0, and A d has the opposite sign of d wherever d is not 0."""
    image = a @ d
    return any(x != 0 for x in d) and all(x == 0 or x * y < 0 for x, y in zip(d, image, strict=True))


def cycle_from(a: Array, d: Array) -> tuple[FiniteSet, Array, Array, Array]:
    """(D, b, p, q) with q = cast(A p + b) and p = cast(A q + b), from a vector whose signs A reverses: each entry gets two numbers of its own."""
    apart = 1 + 2 * max(abs(x) for x in [*d, *(a @ d)])
    centre = exact.rationals([apart * i for i in range(len(d))])
    p, q = centre + d / 2, centre - d / 2
    return FiniteSet([*p, *q]), centre - a @ centre, p, q


@claim(
    "new.parity.stepwise.minors",
    topic="parity",
    place="after grazzi25 Theorem 1",
    kind="new",
    title="rounding once per step can alternate for ever for some b and D exactly if a principal minor of A is negative",
    says=r"For $A\in\mathbb R^{n\times n}$ there are $b$, a finite $\mathbb D$ and states $p\ne q$ in $\mathbb D^n$ with $q=\mathrm{cast}(Ap+b)$, $p=\mathrm{cast}(Aq+b)$ if and only if a principal minor of $A$ is negative. "
    r"If none is, no nondecreasing roundings $\rho_1,\dots,\rho_n$ of the entries have such a pair. So what decides is not the spectrum, but the minors ($P_0$-matrices).",
    hypotheses=("A h + b exact, then rounded once per step",),
    known="That A reverses the signs of a vector exactly if a principal minor is negative is in Fiedler and Ptak (1966) on P_0-matrices; both directions are shown here. "
    "That 2-cycles of rounded recurrences are decided by it is new to us.",
    remarks=(
        "It explains new.parity.stepwise.two-cycle: those matrices have nonnegative spectra and a negative diagonal entry.",
        "It is about period 2 alone: without a negative minor there may be longer cycles (a turn by a small angle); for symmetric A there are none (new.parity.stepwise.monotone).",
    ),
    sabotages={
        "only the determinant is looked at": {"minors": lambda a: list(principal_minors(a))[-1:]},
        "the diagonal alone": {"minors": lambda a: list(principal_minors(a))[: len(a)]},
        "b = 0 and all entries share two numbers": {"built": lambda a, d: (FiniteSet([*(d / 2), *(-d / 2)]), 0 * d, d / 2, -d / 2)},
    },
)
def minors_decide(proof: Proof, minors: Callable = principal_minors, built: Callable = cycle_from) -> None:
    r"""A 2-cycle is a vector whose signs $A$ reverses, and such a vector is a negative minor.

    1. Let $p\ne q$ be such a pair for nondecreasing $\rho_i$, $d=p-q$. If $d_i>0$ then $\rho_i((Ap+b)_i)=q_i<p_i=\rho_i((Aq+b)_i)$, so $(Ap+b)_i<(Aq+b)_i$ and $(Ad)_i<0$; likewise for $d_i<0$. So $d_i(Ad)_i<0$ wherever $d_i\ne0$. [prose]
    2. Let $T$ be the support of $d$ and $e_i=-(Ad)_i/d_i>0$. Then $(A_T+\mathrm{diag}(e))d_T=0$, and $0=\det(A_T+\mathrm{diag}(e))=\sum_{S\subseteq T}\det A_S\prod_{i\in T\setminus S}e_i$. The term of $S=\emptyset$ is positive,
       so some $\det A_S<0$. [checked: "det(A + diag(e)) is the sum"; "no vector is reversed"]
    3. Conversely let $\det A_T<0$. Nonreal eigenvalues come in pairs with a positive product, so $A_T$ has an eigenvalue $\lambda<0$; its eigenvector, extended by zeros, is a $d$ with $d_i(Ad)_i=\lambda d_i^2<0$ wherever $d_i\ne0$.
       [checked: "a negative minor gives a vector"] [prose]
    4. Let $c_i=iM$ with $M>2\max_i(|d_i|,|(Ad)_i|)$, $p=c+\frac d2$, $q=c-\frac d2$, $\mathbb D$ the set of their entries, $b=c-Ac$. Then $Ap+b=c+\frac12Ad$; entry $i$ lies nearest to $c_i\pm\frac{d_i}2$, and on the side of $-d_i$:
       its cast is $q_i$. Likewise $\mathrm{cast}(Aq+b)=p$. [checked: "cast(A p + b) = q"; "cast(A q + b) = p"] [prose]
    """
    for n in range(1, proof.pick(3, 4, 5)):
        a = sympy.Matrix(n, n, lambda i, j: sympy.Symbol(f"a{i}{j}"))
        e = sympy.symbols(f"e0:{n}")
        expansion = sum(
            (a.extract(list(s), list(s)).det() if s else 1) * sympy.prod(e[i] for i in range(n) if i not in s)
            for size in range(n + 1)
            for s in combinations(range(n), size)
        )
        proof.symbolically(
            "det(A + diag(e)) is the sum over S", (a + sympy.diag(*e)).det(method="berkowitz"), expansion, "A, e", f"n <= {n}"
        )
    vectors = [exact.rationals(d) for d in product(range(-4, 5), repeat=2) if any(d)]
    largest = proof.pick(1, 2, 3)
    matrices = (exact.rationals([m[:2], m[2:]]) for m in product(range(-largest, largest + 1), repeat=4))
    for a in proof.every(f"all integer 2 x 2 matrices with entries up to {largest}", matrices):
        _decide(proof, a, minors, built, vectors)
    rng = Random(16)
    count = proof.pick(20, 100, 1000)
    for n in proof.each(f"{count} random integer matrices, n = 3 or 4", [rng.randint(3, 4) for _ in range(count)]):
        a = samples.integers(rng, n, n, bound=2) + rng.randint(0, 3) * exact.identity(n)
        _decide(proof, a, minors, built, [samples.nonzero_vector(rng, n) for _ in range(20)])
    proof.holds("some have nonnegative minors and are not symmetric", any(e["what"] == "without a 2-cycle" for e in proof.exhibits))


def _decide(proof: Proof, a: Array, minors: Callable, built: Callable, vectors: list[Array]) -> None:
    negative = [chosen for chosen, minor in minors(a) if minor < 0]
    if not negative:
        proof.holds("no vector is reversed where no minor is negative", not any(reverses(a, d) for d in vectors))
        if not np.array_equal(a, a.T) and not any(e["what"] == "without a 2-cycle" for e in proof.exhibits):
            proof.exhibit("without a 2-cycle", A=a)
        return
    d = reversed_vector(a, negative[0])
    proof.holds("a negative minor gives a vector whose signs are reversed", d is not None)
    if d is None:
        return
    D, b, p, q = built(a, d)
    proof.exactly("cast(A p + b) = q", D.cast(a @ p + b), q)
    proof.exactly("cast(A q + b) = p", D.cast(a @ q + b), p)
    if len(a) > 2 and len(proof.certificates) < 12:
        proof.certificate("witness", "a 2-cycle from a negative minor", A=a, b=b, D=D, minor=list(negative[0]), orbit=[p, q, p])
