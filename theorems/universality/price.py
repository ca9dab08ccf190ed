"""What a map that varies in time costs: neurons, or units that know the time (after orvieto24, Theorem 2)."""

from __future__ import annotations

from itertools import pairwise, product
from math import factorial
from random import Random

import numpy as np
import sympy
from flint import fmpq, fmpz_mat

from ...constructions.universality.clocks import clock_states, exchanged_head, levels, residue, schedule, scheduled_model
from ...constructions.universality.maps import sequence_model
from ...constructions.universality.networks import Network, ridge, staircase
from ...constructions.vandermonde import recall_matrix
from ...numerics import exact
from ...numerics.cyclotomic import root_of_unity
from ..claim import claim
from ..evidence import Proof
from .sequences import as_data, positive_nodes, same_on_cube
from .uniform import _largest_error

# -- values that nothing relates ---------------------------------------------------------------------------------------------------


def powers(count: int) -> list[int]:
    """1, q, q^2, ... with q = 2 (count - 1)! + 1: no relation with integers up to (count - 1)!."""
    q = 2 * factorial(max(count - 1, 0)) + 1
    return [q**i for i in range(count)]


def relation(bits: list[list[int]]) -> list[int]:
    """Integers z, not all 0, of greatest common divisor 1, with z B = 0 for the matrix with rows (1, bits); there are fewer columns than rows."""
    B = fmpz_mat([[1, *row] for row in bits])
    kernel, _ = B.transpose().nullspace()
    z = [int(kernel[i, 0]) for i in range(len(bits))]
    common = int(np.gcd.reduce(z))
    return [x // common for x in z]


@claim(
    "new.universality.price",
    place="after orvieto24, Theorem 2",
    title="staircases of Dₖ steps with unrelated values need ∑ (Dₖ + 1) − 1 steps in one head, on the states of any recurrence",
    says=r"For all $L$ and $D_1,\dots,D_L\ge0$ there are staircases $T_k$ of $D_k$ steps in the newest token that one head of $\sum_k(D_k+1)-1$ steps on $(k,V_kv)$ computes at every step, and no head with fewer steps, on the states of any recurrence whatever, "
    r"comes within $1/M!$ at $M=\sum_k(D_k+1)$ inputs. So new.universality.waiting cannot be improved.",
    known="D steps and an offset give values in a space of dimension D + 1, for each of finitely many patterns; such counts are standard for piecewise constant functions.",
    remarks=(
        "It is about values: where the values of different steps are multiples of one number a rich clock shares the neurons, new.universality.clocks.",
    ),
    sabotages={
        "values in arithmetic progression": {"values": lambda count: list(range(count))},
        "two inputs with the same value": {"values": lambda count: [1, *powers(count)[:-1]]},
    },
)
def values_are_not_shared(proof: Proof, values=powers) -> None:
    r"""$D$ steps and an offset give, at $M$ inputs, a vector $Bw$ with $B\in\{0,1\}^{M\times(D+1)}$; if $D+1<M$ its entries satisfy a relation with small integers.

    1. If $r=\operatorname{rank}B<M$, choose $r$ independent columns and $r+1$ rows, $r$ of them independent there: the cofactors are integers $z_i$ with $zB=0$, not all $0$, and $|z_i|\le r!\le(M-1)!=h$ as determinants of order $r$ of zeros and ones. [prose] [checked: "a relation with small integers"]
    2. For $y_i=q^i$, $q=2h+1$: the largest $t$ with $z_t\ne0$ gives $|\sum z_iy_i|\ge q^t-h\frac{q^t-1}{q-1}=\frac{q^t+1}2\ge1$. [checked: "the largest power wins"; "the values do not satisfy it"]
    3. If $|y_i-(Bw)_i|\le e$ for all $i$, then $1\le|\sum z_i(y_i-(Bw)_i)|\le Mhe$, so $e\ge1/M!$. [prose]
    4. Let $T_k$ take the next $D_k+1$ of the values on as many intervals of the newest token, and take the inputs $(0,\dots,0,s)$ with one $s$ in each. Each $T_k$ is a head of $D_k$ steps; they combine. [uses: new.universality.waiting] [checked: "sum (D_k + 1) - 1 steps"; "and all values"]
    """
    q, h, t = sympy.symbols("q h t", positive=True)
    proof.symbolically(
        "the largest power wins", (q**t - h * (q**t - 1) / (q - 1)).subs(h, (q - 1) / 2), (q**t + 1) / 2, free="q = 2 h + 1, t"
    )
    most = proof.pick(4, 4, 5)
    for M in proof.every(f"M <= {most}, all patterns of M - 2 steps at M inputs", range(2, most + 1)):
        y = values(M)
        for flat in product((0, 1), repeat=M * (M - 2)):
            z = relation([list(flat[i * (M - 2) : (i + 1) * (M - 2)]) for i in range(M)])
            proof.holds("a relation with small integers", any(z) and max(map(abs, z)) <= factorial(M - 1))
            proof.holds("the values do not satisfy it", sum(a * b for a, b in zip(z, y, strict=True)) != 0)
    for widths in proof.each("(D_1, ..., D_L) = (0, 0, 0), (1, 0, 2), (2, 3), all inputs (0, ..., 0, s)", ((0, 0, 0), (1, 0, 2), (2, 3))):
        M, L = sum(widths) + len(widths), len(widths)
        y = [fmpq(v) for v in values(M)]
        heads, wanted, points = [], [], []
        for k, D in enumerate(widths, 1):
            own, y = y[: D + 1], y[D + 1 :]
            cuts = [fmpq(2 * i, D + 1) - 1 for i in range(1, D + 1)]
            heads.append(ridge(exact.unit_vector(k, k - 1), staircase(cuts, own)))
            wanted += own
            points += [[fmpq(0)] * (k - 1) + [fmpq(2 * i + 1, D + 1) - 1] for i in range(D + 1)]
        model = sequence_model(positive_nodes(L), heads, 1)
        proof.exactly("sum (D_k + 1) - 1 steps", model.head.width, M - 1)
        proof.exactly("and all values", [model.run(v)[-1][0] for v in points], wanted)
        if any(widths):
            proof.certificate(
                "shared-head",
                f"D_k = {widths}",
                nodes=positive_nodes(L),
                largest=1,
                head=as_data(model.head),
                heads=[as_data(g) for g in heads],
            )


# -- Lipschitz maps -----------------------------------------------------------------------------------------------------------


def cut_by_lines(points: list[tuple[int, int]]) -> set[frozenset[int]]:
    """All subsets of different points of the plane that a line cuts off, the empty set and all of them included. A line can be turned until it almost meets two points."""
    found = {frozenset(), frozenset(range(len(points)))}
    for p, r in product(points, repeat=2):
        if p != r:
            d = (r[0] - p[0], r[1] - p[1])
            side = [d[0] * (y - p[1]) - d[1] * (x - p[0]) for x, y in points]
            along = [d[0] * x + d[1] * y for x, y in points]
            for cut in {a for a, s in zip(along, side, strict=True) if s == 0}:
                left = frozenset(i for i, s in enumerate(side) if s > 0 or (s == 0 and along[i] >= cut))
                found |= {left, frozenset(range(len(points))) - left}
    return found


def cells(M, d):
    """The number of signs that affine functions of d variables have at M points in general position: 2 sum of C(M - 1, i), i <= d."""
    return 2 * sum(sympy.binomial(M - 1, i) for i in range(d + 1))


@claim(
    "new.universality.price.lipschitz",
    place="after orvieto24, Theorem 2",
    title="with a clock of one unit Lipschitz maps that vary in time need L / ε steps, up to a logarithm",
    says=r"Let the state at step $k$ be $(c_k,V_kv)$, $c_k\in\mathbb R^Q$, $Q\ge1$, $n\ge1$, $M=L(n+1)$. For some $T_k(v_{1:k})=\tau_k(v_k)$, $|\tau_k|\le1$ and 1-Lipschitz on $[-1,1]$, every head of $D$ steps with an error below $\epsilon=1/n$ at all steps has "
    r"$D\ge\frac{M-1}{(Q+2)\log_2M}$. For every such $T$, $Ln-1$ steps have an error of at most $\epsilon$ with $c_k=k$. For a time-invariant $T$ $n-1$ are enough.",
    known="Counting the cells of arrangements against the functions to be approximated is Warren's method (1968), used for networks since Goldberg and Jerrum; for recurrences with a clock we know of no such bound.",
    sabotages={
        "lines cut less": {"bound": lambda M: M * (M - 1) // 2 + 1},
        "bumps that are too steep": {"height": lambda n: fmpq(2, n)},
    },
)
def signs_are_counted(proof: Proof, bound=lambda M: M * M - M + 2, height=lambda n: fmpq(1, n)) -> None:
    r"""There are $2^M$ ways to choose signs at the inputs $(0,\dots,0,s_j)$, $s_j=-1+2j/n$, $j\le n$, of each step; heads of $D$ steps have too few.

    1. For any signs, $\tau_k$ with $\tau_k(s_j)=\pm1/n$ and linear between is 1-Lipschitz; an error below $1/n$ leaves the signs right. [checked: "the bumps are 1-Lipschitz"] [prose]
    2. $m$ hyperplanes through $0$ in $\mathbb R^{d+1}$ leave at most $R(m,d)=2\sum_{i\le d}\binom{m-1}i$ cells: one more is cut by the others into at most $R(m,d-1)$, and $R(m+1,d)=R(m,d)+R(m,d-1)$ (Schlaefli). $R(m,d)\le m^d$ for $d,m\ge2$: $R(m,2)=m^2-m+2$, and $m^d+m^{d-1}\le(m+1)^d$. [prose] [checked: "cells add up"; "R(m, 2) = m^2 - m + 2"; "lines cut off no more of a grid"; "R(m, d) <= m^d"]
    3. At these inputs the state is $(c_k,s_j,\dots,s_j)$, so a neuron is an affine function of $Q+1$ variables: at most $R(M,Q+1)\le M^{Q+1}$ patterns of $0$ and $1$. [prose]
    4. Given the patterns of $D$ neurons, the outputs are a linear image of $D+1$ numbers: at most $R(M,D)\le2M^D$ choices of signs. So $2^M\le M^{(Q+1)D}\cdot2M^D$. [prose] [checked: "two by two: one step misses the two crossed patterns"; "R(m, d) <= m^d"]
    5. Heads of $n-1$ steps err by $\frac2{2n}$ for one step; they combine; for a time-invariant $T$ one is enough. [uses: new.universality.interval, new.universality.waiting, new.universality.invariant]
    """
    m, i = sympy.symbols("m i", integer=True, positive=True)
    pascal = sympy.binomial(m, i) - sympy.binomial(m - 1, i) - sympy.binomial(m - 1, i - 1)
    proof.symbolically("cells add up, by Pascal's rule", sympy.combsimp(pascal), 0, free="m, i")
    proof.symbolically("R(m, 2) = m^2 - m + 2", sympy.expand_func(cells(m, 2)), m * m - m + 2, free="m")
    for d in proof.every("m <= 12, 2 <= d <= 6", range(2, 7)):
        proof.holds(
            "R(m, d) <= m^d, and R(m, 1) = 2 m",
            all(cells(sympy.Integer(k), d) <= k**d and cells(sympy.Integer(k), 1) == 2 * k for k in range(2, 13)),
        )
    for rows, columns in proof.each("grids of 2 x 2, 2 x 3, 2 x 4, 3 x 3 inputs", ((2, 2), (2, 3), (2, 4), (3, 3))):
        grid = list(product(range(rows), range(columns)))
        cuts = cut_by_lines(grid)
        proof.holds("lines cut off no more of a grid", len(cuts) <= bound(len(grid)))
        if len(grid) == 4:
            # points (0,0), (0,1), (1,0), (1,1)
            proof.exactly("two by two: one step misses the two crossed patterns", {frozenset(s) for s in ((0, 3), (1, 2))} & cuts, set())
            proof.exactly("and no other", len(cuts), 14)
    rng = Random(152)
    for n in proof.each("n = 1, ..., 6, random signs, seed 152", range(1, 7)):
        s = [fmpq(2 * j, n) - 1 for j in range(n + 1)]
        y = [rng.choice((-1, 1)) * height(n) for _ in s]
        y[0], y[1] = height(n), -height(n)
        proof.holds(
            "the bumps are 1-Lipschitz, and bounded by 1",
            all(abs(b - a) <= y_ - x_ for (x_, y_), (a, b) in zip(pairwise(s), pairwise(y), strict=True)) and max(map(abs, y)) <= 1,
        )


# -- a clock of L units -----------------------------------------------------------------------------------------------------------


def random_lipschitz(rng: Random) -> tuple[list[fmpq], list[fmpq]]:
    """(corners, values) of a piecewise linear function on [-1, 1], bounded by 1 and 1-Lipschitz; exact."""
    corners = sorted({fmpq(-1), fmpq(1), *(fmpq(rng.randint(-11, 11), 12) for _ in range(5))})
    values = [fmpq(rng.randint(-6, 6), 6)]
    for x, y in pairwise(corners):
        move = rng.choice((-1, 1, 1, fmpq(1, 2))) * (y - x)
        values.append(max(min(values[-1] + move, fmpq(1)), fmpq(-1)))
    return corners, values


@claim(
    "new.universality.clocks",
    place="after orvieto24, Theorem 2",
    title="with L units that read the constant 1, 4 / ε steps serve Lipschitz maps of one linear form that vary in time",
    says=r"Let $T_k(v_{1:k})=\tau_k(\langle a,(0,\dots,0,v_{1:k})\rangle)$ for $k\le L$, $|v_i|\le1$, $\|a\|_1\le1$, $|\tau_k|\le1$ and 1-Lipschitz on $[-1,1]$. A diagonal recurrence with $L$ units that read the tokens and $L$ that read the constant $1$ (distinct nodes), and one head of $4n$ steps, "
    r"have an error of at most $1/n$ at every step, over all tokens. With a clock of one unit about $Ln/\log(Ln)$ steps are needed.",
    known="That a bias or a constant input makes a hidden layer's thresholds functions of time is plain; we know of no use for Theorem 2, whose proof has a clock of one unit and a factor L in the head.",
    construction="lemmata.constructions.universality.clocks.scheduled_model",
    sabotages={
        "the thresholds come a step late": {"order": lambda plans: [plans[0], *plans[:-1]]},
        "half of the units of the clock are equal": {"clocks": lambda nodes: [nodes[0]] * len(nodes)},
        "a quarter of the error is believed": {"believed": 4},
    },
)
def clocks_for_neurons(proof: Proof, order=lambda plans: plans, clocks=lambda nodes: nodes, believed: int = 1) -> None:
    r"""The neurons have the same weights $\pm1/n$ at all steps; the clock moves their thresholds.

    1. With $n\tau$ followed by integers that move by one where $n\tau$ reaches the next, the error is at most $1/n$; the jumps are at most $2n$, since $\tau$ moves by $1/n$ between them (by $\frac1{2n}$ before the first) and by no more than $2$ in all. [prose] [checked: "the largest error of each step is at most 1/n"; "at most 2 n jumps"]
    2. A start at height $h>0$ takes $h$ steps that are always on; with $u\le n-h+d$ ups and $u+d\le2n$, $h+u\le\frac{3n+h}2\le2n$. So $2n$ steps up and $2n$ down are enough, the rest is never on. [prose] [checked: "4 n steps"]
    3. The clock's states $c_k=\sum_{j<k}\mu^j$ have differences $c_k-c_{k-1}=\mu^{k-1}$, a Vandermonde matrix: $c_1,\dots,c_L$ are independent, and for any thresholds $\theta_k$ some $\alpha$ has $\langle\alpha,c_k\rangle=-\theta_k$ for all $k$. [checked: "differences of the clock are powers"; "the clock is invertible"; "the thresholds of every step"]
    4. One row on the memory reads $\langle a,p\rangle$, $p=(0,\dots,0,v_{1:k})$, at every step. [uses: new.universality.prefix] [checked: "the linear form of every step"]
    5. With one unit the width is more. [uses: new.universality.price.lipschitz]
    """
    x, k = sympy.symbols("x k", positive=True)
    proof.symbolically(
        "differences of the clock are powers", ((1 - x**k) - (1 - x ** (k - 1))) / (1 - x), x ** (k - 1), free="x other than 1, k"
    )
    rng = Random(153)
    for L, n in proof.each(
        "random piecewise linear tau_k, (L, n) = (1, 1), (2, 3), (4, 2), (6, 5), seed 153; all tokens in [-1, 1]",
        ((1, 1), (2, 3), (4, 2), (6, 5)),
    ):
        nodes = positive_nodes(L)
        direction = [fmpq(rng.choice((-1, 1)), 2 ** (j + 1)) for j in range(L)][::-1]
        maps = [random_lipschitz(rng) for _ in range(L)]
        found = [levels(*tau, n) for tau in maps]
        proof.holds("some map moves", L == 1 or any(jumps for _, jumps in found))
        plans = [schedule(start, jumps, n) for start, jumps in found]
        C = clock_states(clocks(nodes), L)
        proof.exactly("the clock is invertible", exact.rank(C), L)
        model = scheduled_model(nodes, direction, order(plans), n)
        head = model.head
        proof.exactly("4 n steps", head.width, 4 * n)
        for step in range(1, L + 1):
            corners, values = maps[step - 1]
            proof.holds("at most 2 n jumps", len(found[step - 1][1]) <= 2 * n)
            thresholds = -(head.inner[:, :L] @ C[step - 1])
            proof.exactly("the thresholds of every step", thresholds, exact.rationals(plans[step - 1]))
            read = head.inner[:, L:] @ recall_matrix(exact.rationals(nodes), step)
            proof.exactly("the linear form of every step", read, exact.rationals([direction[L - step :]] * (4 * n)))
            profile = Network(exact.rationals([[1]] * (4 * n)), -thresholds, head.outer, head.offset)
            worst = _largest_error(corners, values, profile)
            proof.holds("the largest error of each step is at most 1/n", bool(worst <= fmpq(1, n * believed)))
        tokens = [fmpq(rng.randint(-10, 10), 10) for _ in range(L)]
        outputs = model.run(tokens)
        read = [sum((a * v for a, v in zip(direction[L - step :], tokens, strict=False)), fmpq(0)) for step in range(1, L + 1)]
        wanted = [fmpq(start + sum(sign for place, sign in jumps if place <= u), n) for (start, jumps), u in zip(found, read, strict=True)]
        proof.exactly("a run is what the staircases say", outputs, wanted)
        if L > 1:
            proof.certificate(
                "witness",
                f"L = {L}, n = {n}",
                nodes=nodes,
                direction=direction,
                n=n,
                corners=[c for c, _ in maps],
                values=[v for _, v in maps],
                inner=head.inner,
                outer=head.outer,
            )


@claim(
    "new.universality.exchange",
    place="after orvieto24, Theorem 2",
    title="a clock of Q units and ceil(L / Q) (4 / ε + 1) − 1 steps serve Lipschitz maps that vary in time, for every Q",
    says=r"Let $T_k(v_{1:k})=\tau_k(\langle a,(0,\dots,0,v_{1:k})\rangle)$ for $k\le L$, $|v_i|\le1$, $\|a\|_1\le1$, $|\tau_k|\le1$ and 1-Lipschitz on $[-1,1]$, $\epsilon=1/n$, $Q\le L$. Units with the $Q$-th roots of unity as eigenvalues that read the constant $1$, a memory, and one head of $\lceil L/Q\rceil(4n+1)-1$ steps err by at most $1/n$ at every step $k\le L$, over all tokens. "
    r"For a clock of $Q$ real entries $\frac{L(n+1)-1}{(Q+2)\log_2(L(n+1))}$ steps are needed: neurons and units of the clock are exchanged one for the other, up to a logarithm.",
    known="A clock with a period beside a counter is how positions are encoded in transformers; for recurrences with a head we know of no such exchange.",
    construction="lemmata.constructions.universality.clocks.exchanged_head",
    sabotages={
        "another period": {"build": lambda a, plans, n, Q: exchanged_head(a, [*plans[1:], plans[0]], n, Q)},
        "the residues of k": {"remainder": lambda k, Q: k % Q},
    },
)
def blocks_wait(proof: Proof, build=exchanged_head, remainder=lambda k, Q: (k - 1) % Q) -> None:
    r"""Blocks of $Q$ steps: within a block the clock moves the thresholds, and the neurons of a block wait for it.

    1. The unit with the eigenvalue $z=e^{2\pi is/Q}\ne1$ has the state $(1-z^k)/(1-z)$, so affine functions of these $Q-1$ states are all functions of $k$ modulo $Q$: $\frac1Q\sum_sz_s^{k-1-r}$ is $1$ if $k-1\equiv r$, else $0$. The unit with $z=1$ counts. Units and conjugates hold $Q$ real numbers. [checked: "the states show the residue"] [prose]
    2. In a block every neuron has any threshold at every step. [uses: new.universality.clocks] [checked: "the neurons that are left at step k"]
    3. The number of the block is $(k-1-r)/Q$, affine in the clock's states, so the heads of $4n$ steps of the blocks wait for each other, with one shift for each but the first. [uses: new.universality.waiting, new.universality.prefix] [checked: "ceil(L / Q) (4 n + 1) - 1 steps"; "the neurons that are left at step k"]
    4. What is needed. [uses: new.universality.price.lipschitz]
    """
    for Q in proof.every("Q = 1, ..., 6, k <= 2 Q + 1", range(1, 7)):
        for k in range(1, 2 * Q + 2):
            states = [sum((root_of_unity(Q, s * j) for j in range(k)), root_of_unity(Q, 0) * 0) for s in range(1, Q)]
            shown = [residue(states, Q, r) == 1 for r in range(Q)]
            proof.exactly("the states show the residue", shown, [r == remainder(k, Q) for r in range(Q)])
            proof.exactly(
                "the states show the residue, and 0 for all others", [residue(states, Q, r) == 0 for r in range(Q)], [not x for x in shown]
            )
    rng = Random(157)
    for L, Q, n in proof.each(
        "random piecewise linear tau_k, (L, Q, n) = (3, 1, 1), (5, 2, 2), (6, 3, 1), (4, 4, 2), seed 157; all tokens in [-1, 1]",
        ((3, 1, 1), (5, 2, 2), (6, 3, 1), (4, 4, 2)),
    ):
        direction = [fmpq(rng.choice((-1, 1)), 2 ** (j + 1)) for j in range(L)][::-1]
        maps = [random_lipschitz(rng) for _ in range(L)]
        found = [levels(*tau, n) for tau in maps]
        plans = [schedule(start, jumps, n) for start, jumps in found]
        head = build(direction, plans, n, Q)
        proof.exactly("ceil(L / Q) (4 n + 1) - 1 steps", head.width, -(-L // Q) * (4 * n + 1) - 1)
        for k in range(1, L + 1):
            clock = exact.rationals([k, *(int(r == remainder(k, Q)) for r in range(Q))])
            shown = Network(head.inner[:, Q + 1 + L - k :], head.bias + head.inner[:, : Q + 1] @ clock, head.outer, head.offset)
            start, jumps = found[k - 1]
            row = exact.rationals([direction[L - k :]] * len(jumps)).reshape(len(jumps), k)
            wanted = Network(
                row, exact.rationals([-place for place, _ in jumps]), exact.rationals([fmpq(sign, n) for _, sign in jumps]), fmpq(start, n)
            )
            same_on_cube(proof, "the neurons that are left at step k are its staircase, for all tokens", shown, wanted)
        proof.certificate(
            "witness",
            f"L = {L}, Q = {Q}, n = {n}",
            period=Q,
            direction=direction,
            n=n,
            corners=[c for c, _ in maps],
            values=[v for _, v in maps],
            head=as_data(head),
        )
