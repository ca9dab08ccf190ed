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
from .degrees import generic_network

ONES = exact.rationals([1, 1])


@claim(
    "lizaire26.cor1",
    topic="bilinear",
    place="Corollary 1, App. A.8",
    title="what a CPBIRNN of rank R computes, one of rank R' >= R with a layer more computes too",
    says=r"$\mathcal H_{CPBIRNN}(n,L,R)\subseteq\mathcal H_{CPBIRNN}(n,L+1,\tilde R)$ for $\tilde R\ge R>1$.",
    reading="as defined, with the product alone; for every rank of the deeper network",
    uses=("new.bilinear.degrees",),
    sabotages={"two layers against two": {"depths": (2, 2)}},
)
def depth_changes_the_degree_at_every_rank(proof: Proof, depths: tuple[int, int] = (1, 2)) -> None:
    """The tensor of h_t = x_t h_(t-1) has rank 2 for n = 2. Two layers, whatever their tensors and so whatever their ranks, have degree 2 in x_1 or vanish."""
    shallow, deep = depths
    A, B, C = exact.identity(2), exact.rationals([[1, 1]]), exact.identity(2)
    layers = [cp_layer(A, B, C, ONES)]
    if shallow == 2:
        layers.append(cp_layer(A, A, A, ONES))
    function = run(layers, variables(["x1", "x2"]))[-1]
    generic = generic_network(2, deep, 2)[-1]
    one, two = ({d for entry in state for d in degrees_in(entry, 0)} for state in (function, generic))
    proof.counterexample(
        given={"n": 2, "d": 1, "R": 2, "L": shallow, "A, B, C": (A, B, C), "h_2": [str(p) for p in function], "degrees in x_1": sorted(one)}
        | {f"degrees in x_1 of every monomial of h_2 for L = {deep}, all tensors": sorted(two)},
        hypotheses={"h_2 is not 0": any(entry != 0 for entry in function)},
        violates={"no monomial of the deeper network has a degree of the function": not one & two},
        minimal=f"n = 2, d = 1, L = {shallow}, R = 2, every R'",
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
    topic="bilinear",
    place="Corollary 1, App. A.8",
    kind="amended",
    amends="lizaire26.cor1",
    title="CPRNNs with their linear terms, or CPBIRNNs with residual connections, compute strictly more with each layer, at any rank R' >= R >= 1",
    says=r"$\mathcal H_{CPRNN}(n,L,R)\subsetneq\mathcal H_{CPRNN}(n,L+1,\tilde R)$ for $n,L\ge1$, $\tilde R\ge R\ge1$; likewise for CPBIRNNs with $h^{(l-1)}_t$ added to $h^{(l)}_t$, $l\ge2$.",
    uses=("lizaire26.thm3.amended", "lizaire26.thm3.residual"),
    sabotages={"the last layer is a product": {"last": lambda n: random_cp(Random(0), n, 1, 1, n)[0]}},
)
def ranks_do_not_matter_for_depth(proof: Proof, last=identity_layer) -> None:
    """Rank 0 hands states on by the linear part, zero columns raise a rank, and factors of rank 1 reach degree L + 1 already."""
    rng = Random(106)
    count, deepest = proof.pick((4, 2), (10, 3), (25, 3))
    x = variables(["x1", "x2"])
    for _ in proof.each(f"{count} random networks with positive integer factors, n <= 2, L <= {deepest}, R <= 3, T = 2", range(count)):
        n, depth, rank = rng.randint(1, 2), rng.randint(1, deepest), rng.randint(1, 3)
        first, *rest = random_cp(rng, n, depth + 1, rank)
        for layers in ([first, *rest], [first, *map(residual, rest)]):
            states = run(layers[:depth], x)
            proof.exactly("the last layer hands on", [list(h) for h in run([*layers[:depth], last(n)], x)], [list(h) for h in states])
            proof.holds("the degree of h_2 in x_1 is at most L", all(d <= depth for p in states[-1] for d in degrees_in(p, 0)))
            proof.holds("L + 1 layers reach degree L + 1", any(depth + 1 in degrees_in(p, 0) for p in run(layers, x)[-1]))


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
    topic="bilinear",
    place="Theorem 4, App. A.9",
    title="for R < n CPBIRNNs of rank R + 1 compute strictly more than those of rank R, at every depth and for every d >= 1",
    says=r"$\mathcal H_{CPBIRNN}(n,L,R)\subsetneq\mathcal H_{CPBIRNN}(n,L,R+1)$ for $R<n$: all $h^{(L)}_t$, $t\ge1$, lie in the column space of $C^{(L)}$, of dimension at most $R$, and rank $R+1$ fills $R+1$ dimensions.",
    construction="lemmata.constructions.bilinear.cp_layer",
    sabotages={
        "the initial state is a unit vector": {
            "filled": lambda n, depth, rank: [
                *full_span(n, depth, rank)[:-1],
                bilinear_layer(full_span(n, depth, rank)[-1].A, exact.unit_vector(n, 0)),
            ]
        }
    },
)
def states_span_the_columns(proof: Proof, filled=full_span) -> None:
    """The printed proof counts dimensions of the map x_1 -> h_1, which has rank at most d; over time one input channel is enough.

    A zero column raises the rank without changing the function, hence the inclusion."""
    widest, deepest = proof.pick((3, 2), (4, 3), (6, 4))
    for n, depth, rank in proof.every(
        f"n <= {widest}, L <= {deepest}, all R < n",
        [(m, k, r) for m, k in product(range(1, widest + 1), range(1, deepest + 1)) for r in range(m)],
    ):
        word = [1] * (rank + 1)
        proof.exactly("rank R + 1 fills R + 1 dimensions", _span(filled(n, depth, rank + 1), [word]), rank + 1)
    rng = Random(107)
    count = proof.pick(5, 20, 60)
    for _ in proof.each(f"{count} random CPBIRNNs, n <= 4, L <= 3, R <= 3, d <= 2", range(count)):
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
        proof.holds("rank R fills at most R", _span(layers, words) <= rank)
        A, B, C = (samples.integers(rng, n, rank) for _ in range(3))
        zero = exact.zeros(n, 1)
        wider = cp_tensor(*(np.hstack([M, zero]) for M in (A, B, C)))
        proof.exactly("a zero column changes nothing", wider, cp_tensor(A, B, C))


@claim(
    "lizaire26.thm4.proof",
    topic="bilinear",
    place="Theorem 4, App. A.9 (proof)",
    title="for full-rank factors of rank R + 1 the map from the first input to the first state has rank R + 1",
    says=r"If all $\operatorname{diag}(A^{(i)\top}h^{(i)}_0)$, $B^{(i)}$, $C^{(i)}$ have full rank, the image of $x_1\mapsto h^{(L)}_1$ has dimension $R+1$.",
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
            hypotheses={"all factors have full rank and A^T h_0 has no zero": full},
            violates={"the image has a smaller dimension": exact.rank(jacobian) < rank},
            minimal=f"d = {d}, n = {n}, L = {depth}, R + 1 = {rank}",
        )
