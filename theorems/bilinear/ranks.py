"""BIRNNs whose tensors are given by a CP decomposition of rank R: Corollary 1 and Theorem 4 (lizaire26, App. A.8, A.9)."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
from flint import fmpq

from ...constructions import samples
from ...constructions.bilinear import (
    SecondOrderLayer,
    bilinear_layer,
    cp_layer,
    cp_tensor,
    degrees_in,
    entries,
    identity_layer,
    residual,
    run,
    variables,
)
from ...numerics import exact
from ..claim import claim
from ..evidence import Proof
from .degrees import generic_network, network_data

ONES = exact.rationals([1, 1])


@claim(
    "lizaire26.cor1",
    place="Corollary 1, App. A.8",
    quotes=(
        "as long as the rank is maintained at least at the same level, adding layers strictly increases the expressive capacity of the network.",
        "it suffices to add residual connections from the Lth layer",
    ),
    weight="result",
    title="what a CPBIRNN of rank R computes, one of rank R' ≥ R with a layer more computes too, and strictly more",
    says=r"$\mathcal H_{CPBIRNN}(n,L,R)\subsetneq\mathcal H_{CPBIRNN}(n,L+1,\tilde R)$ for $n>1$, $L\ge1$, $\tilde R\ge R>1$.",
    reading="as defined, with the product alone; for every rank of the deeper network",
    remarks=(
        "One root with Theorem 3 (lizaire26.thm3): the inclusion uses residual connections that the class lacks. With them, or with linear terms, it is right for every R >= 1.",
        "App. A.8 lists the cases n = d = R, n > d and R > d, and n < d or R < d. Those with n = d < R and n > d = R are missing, and go the same way.",
    ),
    letter="Corollary 1 inherits the inclusion of Theorem 3, with residual connections that CPBIRNNs as defined lack. For n = R = 2 and L = 1 no CPBIRNN of two layers computes h_t = x_t h_(t-1), whatever its rank. Its h_2 is of degree 1 in x_1, and theirs is of degree 2 or 0.",
    uses=("new.bilinear.degrees",),
    sabotages={"two layers against two": {"depths": (2, 2)}, "the function is 0": {"start": (0, 0)}},
)
def depth_changes_the_degree_at_every_rank(proof: Proof, depths: tuple[int, int] = (1, 2), start: tuple[int, int] = (1, 1)) -> None:
    """The tensor of h_t = x_t h_(t-1) has rank 2 for n = 2. Two layers, whatever their tensors and so whatever their ranks, have degree 2 in x_1 or vanish."""
    shallow, deep = depths
    A, B, C = exact.identity(2), exact.rationals([[1, 1]]), exact.identity(2)
    layers = [cp_layer(A, B, C, exact.rationals(start))]
    if shallow == 2:
        layers.append(cp_layer(A, A, A, ONES))
    function = run(layers, variables(["x1", "x2"]))[-1]
    generic = generic_network(2, deep, 2)[-1]
    one, two = ({d for entry in state for d in degrees_in(entry, 0)} for state in (function, generic))
    proof.counterexample(
        given={"n": 2, "d": 1, "R": 2, "L": shallow, "A, B, C": (A, B, C), "h_2": [str(p) for p in function], "degrees in x_1": sorted(one)}
        | {f"degrees in x_1 of every monomial of h_2 for L = {deep}, all tensors": sorted(two)},
        words={"second": any(entry != 0 for entry in function) and bool(one), "deeper": bool(two), "degrees": not one & two},
        minimal=f"n = 2, d = 1, L = {shallow}, R = 2, every R'",
    )
    proof.certificate(
        "witness", "two layers of any rank do not compute h_t = x_t h_(t-1)", factors=[A, B, C], initial=list(start), deeper=deep
    )


def random_cp(rng: Random, n: int, depth: int, rank: int, d: int = 1) -> list[SecondOrderLayer]:
    """Layers of a CPBIRNN with positive integer factors."""
    return [
        cp_layer(
            abs(samples.integers(rng, n, rank)) + 1,
            abs(samples.integers(rng, d if level == 0 else n, rank)) + 1,
            abs(samples.integers(rng, n, rank)) + 1,
            abs(samples.integers(rng, n)) + 1,
        )
        for level in range(depth)
    ]


@claim(
    "lizaire26.cor1.amended",
    place="Corollary 1, App. A.8",
    amends="lizaire26.cor1",
    title="CPRNNs with linear terms, or CPBIRNNs with residual connections, compute strictly more with each layer at any rank",
    says=r"$\mathcal H_{CPRNN}(n,L,R)\subsetneq\mathcal H_{CPRNN}(n,L+1,\tilde R)$ for $n,L\ge1$, $\tilde R\ge R\ge1$; likewise for CPBIRNNs with $h^{(l-1)}_t$ added to $h^{(l)}_t$, $l\ge2$.",
    sabotages={
        "rank 0, which the kernel refutes": {"theorem": "ranks.ranks_do_not_matter_from_zero"},
        "the last layer is a product": {"last": lambda n: random_cp(Random(0), n, 1, 1, n)[0]},
        "all factors are 0": {
            "network": lambda rng, n, depth, rank: [bilinear_layer(a.A * 0, a.initial) for a in random_cp(rng, n, depth, rank)]
        },
    },
)
def ranks_do_not_matter_for_depth(proof: Proof, last=identity_layer, network=random_cp, theorem: str = "ranks.ranks_do_not_matter") -> None:
    r"""Rank 0 hands states on by the linear part, zero columns raise a rank, and factors of rank 1 reach degree $L+1$ already.

    1. Zero factors with $U=I$, or with the residual connection, hand on what is read; a network of rank $R$ has rank $\tilde R\ge R$ with zero columns added. So the class grows with the depth.
       [checked: "the last layer hands on"; "a zero column changes nothing"]
    2. The shallower networks are second-order RNNs, so $h^{(L)}_2$ has degree at most $L$ in $x_1$. [uses: lizaire26.thmA.7.1] [checked: "the degree of h_2 in x_1 is at most L"]
    3. With positive factors, of rank 1 already, nothing cancels, and $L+1$ layers reach degree $L+1$. [prose] [uses: lizaire26.thm3.residual] [checked: "L + 1 layers reach degree L + 1"]
    """
    proof.formally(
        "the kernel: a layer more computes strictly more, at any rank",
        theorem,
        whole="every n, L, d >= 1 and 1 <= R <= R'",
        differs="an ordered field for the reals; times from 0",
    )
    rng = Random(106)
    count, deepest = proof.pick((4, 2), (10, 3), (25, 3))
    x = variables(["x1", "x2"])
    for k in proof.each(
        f"{count} random networks with positive integer factors, n <= 2, L <= {deepest}, R <= 3, T = 2, seed 106", range(count)
    ):
        n, depth, rank = rng.randint(1, 2), rng.randint(1, deepest), rng.randint(1, 3)
        first, *rest = network(rng, n, depth + 1, rank)
        for layers in ([first, *rest], [first, *map(residual, rest)]):
            states = run(layers[:depth], x)
            proof.exactly("the last layer hands on", [list(h) for h in run([*layers[:depth], last(n)], x)], [list(h) for h in states])
            proof.holds("the degree of h_2 in x_1 is at most L", all(d <= depth for p in states[-1] for d in degrees_in(p, 0)))
            proof.holds("L + 1 layers reach degree L + 1", any(depth + 1 in degrees_in(p, 0) for p in run(layers, x)[-1]))
            if k < 3:
                proof.certificate(
                    "witness", f"n = {n}, rank {rank}, {depth} and {depth + 1} layers", layers=network_data(layers), rank=rank
                )
        A, B, C = (samples.integers(rng, n, rank) for _ in range(3))
        proof.exactly("a zero column changes nothing", cp_tensor(*_with_zero_column(A, B, C)), cp_tensor(A, B, C))


def _with_zero_column(*factors: np.ndarray) -> list[np.ndarray]:
    return [np.hstack([M, exact.zeros(len(M), 1)]) for M in factors]


def full_span(n: int, depth: int, rank: int) -> list[SecondOrderLayer]:
    """A CPBIRNN of rank ``rank`` <= n, d = 1, whose last layer's states span that many dimensions on the word 1, 1, ...

    The lower layers are x_t h_(t-1) in their first component, constantly 1; the last one multiplies by diag(1, ..., rank)."""
    first = exact.unit_vector(n, 0)
    passing = [first[:, None], (exact.rationals([[1]]), first[:, None]), first[:, None]]
    layers = [cp_layer(passing[0], passing[1][level > 0], passing[2], first) for level in range(depth - 1)]
    columns = exact.identity(n)[:, :rank]
    reads = exact.zeros(1 if depth == 1 else n, rank)
    reads[0] = exact.rationals(range(1, rank + 1))
    start = columns @ exact.rationals([1] * rank)
    return [*layers, cp_layer(columns, reads, columns, start)]


def _span(layers: list[SecondOrderLayer], words: list[list]) -> int:
    """The dimension of the span of the last layer's states at all times >= 1 of some words."""
    states = [h for word in words for h in run(layers, word)]
    return exact.rank(np.array(states, dtype=object))


@claim(
    "lizaire26.thm4",
    place="Theorem 4, App. A.9",
    title="for R < n CPBIRNNs of rank R + 1 compute strictly more than those of rank R, at every depth and for every d ≥ 1",
    says=r"$\mathcal H_{CPBIRNN}(n,L,R)\subsetneq\mathcal H_{CPBIRNN}(n,L,R+1)$ for $R<n$: all $h^{(L)}_t$, $t\ge1$, lie in the column space of $C^{(L)}$, of dimension at most $R$, and rank $R+1$ fills $R+1$ dimensions.",
    reading="R <= R_max holds by itself for R < n; in the inclusion of App. A.9 columns j <= R are meant where j >= R stands (extraction may explain it)",
    remarks=("The printed proof counts dimensions after one step, which works only for R + 1 <= d (lizaire26.thm4.proof).",),
    construction="lemmata.constructions.bilinear.cp_layer",
    sabotages={
        "R = n, which the kernel refutes": {"theorem": "ranks.a_rank_more_always"},
        "the initial state is a unit vector": {
            "filled": lambda n, depth, rank: [
                *full_span(n, depth, rank)[:-1],
                bilinear_layer(full_span(n, depth, rank)[-1].A, exact.unit_vector(n, 0)),
            ]
        },
    },
)
def states_span_the_columns(proof: Proof, filled=full_span, theorem: str = "ranks.a_rank_more") -> None:
    r"""Count the dimensions that the states span over time, not those of the first state.

    1. A zero column in $A$, $B$, $C$ raises the rank and leaves the tensor as it is: inclusion. [checked: "a zero column changes nothing"]
    2. With rank $R$, $h^{(L)}_t=C^{(L)}\big(\operatorname{diag}(A^{(L)\top}h^{(L)}_{t-1})B^{(L)\top}h^{(L-1)}_t\big)$ lies in the span of the $R$ columns of $C^{(L)}$, for every input and every $t\ge1$.
       [prose] [checked: "rank R fills at most R"]
    3. With rank $R+1\le n$ and one input channel: let the lower layers hand on $x_t=1$ in their first component, and the last one be $h_t=\operatorname{diag}(1,\dots,R+1)h_{t-1}x_t$ from
       $(1,\dots,1)$ on $R+1$ coordinates. Then $h_t=(1,2^t,\dots,(R+1)^t)$, and $h_1,\dots,h_{R+1}$ are independent (Vandermonde). [prose] [checked: "rank R + 1 fills R + 1 dimensions"]
    4. So that function is computed with rank $R+1$, and not with rank $R$. [checked: "rank R + 1 fills R + 1 dimensions"; "rank R fills at most R"]
    """
    proof.formally(
        "the kernel: a rank more computes strictly more",
        theorem,
        whole="every R < n, L and d >= 1",
        differs="any field for the reals; times from 0, so that t >= 1 there is every time here",
    )
    widest, deepest = proof.pick((3, 2), (4, 3), (6, 4))
    for n, depth, rank in proof.every(
        f"n <= {widest}, L <= {deepest}, all R < n",
        [(m, k, r) for m, k in product(range(1, widest + 1), range(1, deepest + 1)) for r in range(m)],
    ):
        word = [1] * (rank + 1)
        network = filled(n, depth, rank + 1)
        proof.exactly("rank R + 1 fills R + 1 dimensions", _span(network, [word]), rank + 1)
        if rank >= 1 and n <= 3:
            title = f"n = {n}, L = {depth}: rank {rank + 1} fills as many dimensions"
            proof.certificate("witness", title, layers=network_data(network), rank=rank + 1)
    rng = Random(107)
    count, full = proof.pick(8, 20, 60), 0
    for _ in proof.each(f"{count} random CPBIRNNs, n <= 4, L <= 3, R <= 3, d <= 2, seed 107", range(count)):
        n, depth, rank, d = rng.randint(1, 4), rng.randint(1, 3), rng.randint(1, 3), rng.randint(1, 2)
        layers = [
            cp_layer(
                samples.integers(rng, n, rank),
                samples.integers(rng, d if k == 0 else n, rank),
                samples.integers(rng, n, rank),
                samples.integers(rng, n),
            )
            for k in range(depth)
        ]
        words = [[samples.integers(rng, d) for _ in range(3)] for _ in range(3)]
        span = _span(layers, words)
        full += span == rank
        proof.holds("rank R fills at most R", span <= rank)
        A, B, C = (samples.integers(rng, n, rank) for _ in range(3))
        proof.exactly("a zero column changes nothing", cp_tensor(*_with_zero_column(A, B, C)), cp_tensor(A, B, C))
    proof.holds("rank R fills R for some of them", full > 0)
    proof.exhibit("rank 3 on the word 1, 1, 1: states of a single layer that span R^3", states=run(filled(3, 1, 3), [1, 1, 1]))


@claim(
    "lizaire26.thm4.proof",
    place="Theorem 4, App. A.9 (proof)",
    flaw="gap",
    quotes=(
        "It suffices to consider any CPBIRNNs such that",
        "are full rank weight matrices.",
    ),
    title="full-rank factors of rank R + 1 do not give the map from the first input to the first state rank R + 1",
    says=r"If all $\operatorname{diag}(A^{(i)\top}h^{(i)}_0)$, $B^{(i)}$, $C^{(i)}$ have full rank, the image of $x_1\mapsto h^{(L)}_1$ has dimension $R+1$.",
    letter="In App. A.9 the map x_1 -> h_1 has rank at most d, so for R + 1 > d it cannot reach R + 1. For two layers B_2^T C_1 may be singular although all factors have full rank. The theorem holds all the same. For rank R all h_t lie in the span of C^(L), and over time one input channel fills R + 1 dimensions.",
    sabotages={"one layer and d = 3": {"cases": ((3, 3, 1),)}},
)
def one_step_is_not_enough(proof: Proof, cases=((1, 2, 1), (2, 3, 2))) -> None:
    """Two reasons: with d <= R inputs the map has rank at most d; and with two layers B_2^T C_1 may be singular, although both factors have full rank.

    First d = 1, n = R + 1 = 2, L = 1; then d = 2, n = 3, R + 1 = 2, L = 2."""
    for d, n, depth in cases:
        rank = 2
        C, A = exact.identity(n)[:, :rank], exact.identity(n)[:, :rank]
        first_B = exact.identity(d)[:, :rank] if d >= rank else exact.rationals([[1, 1]])
        start = A @ ONES
        layers = [(A, first_B, C, start)]
        if depth == 2:
            layers.append((A, exact.identity(n)[:, [2, 0]], C, start))
        x = variables([f"x{i}" for i in range(d)])
        state = run([cp_layer(*layer) for layer in layers], [entries(x)])[-1]
        jacobian = np.array([[p.derivative(i)(*[fmpq(0)] * d) for i in range(d)] for p in state], dtype=object)
        full = all(exact.rank(M) == min(M.shape) and all(A.T @ start) for A, B, C, start in layers for M in (B, C))
        proof.counterexample(
            given={
                "d": d,
                "n": n,
                "R + 1": rank,
                "L": depth,
                "factors of the layers (A, B, C, h_0)": layers,
                "h_1": [str(p) for p in state],
            },
            words={"rank": full, "dimension": exact.rank(jacobian) < rank},
            minimal=f"d = {d}, n = {n}, L = {depth}, R + 1 = {rank}",
        )
        factors = [{"A": A, "B": B, "C": C, "initial": start} for A, B, C, start in layers]
        proof.certificate("witness", f"d = {d}, L = {depth}", layers=factors)
