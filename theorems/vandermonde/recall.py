"""When the inputs can be told from the state of a diagonal recurrence, and by which map (orvieto24, Sec. 3.1.1, App. C)."""

from __future__ import annotations

from itertools import combinations_with_replacement
from random import Random

import numpy as np
import sympy
from flint import fmpq

from ...constructions.vandermonde import (
    blockwise,
    clock_and_memory,
    complex_rank,
    diagonal_recurrence,
    half_circle,
    real_and_imaginary,
    recall_matrix,
)
from ...numerics import exact
from ...numerics.cyclotomic import Cyclotomic, gaussian, parts, root_of_unity
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof

#: nodes to try: 0, the units, both sides of the circle, and conjugates
GAUSSIAN = [gaussian(*z) for z in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), ("1/2", 0), ("3/5", "4/5"), ("3/5", "-4/5"))]


def random_nodes(rng: Random, count: int) -> list[Cyclotomic]:
    """Gaussian rationals, sometimes repeated."""
    return [
        rng.choice(GAUSSIAN) if rng.random() < 0.4 else gaussian(fmpq(rng.randint(-5, 5), rng.randint(1, 6)), rng.randint(-2, 2))
        for _ in range(count)
    ]


def adjoint(matrix: Array) -> Array:
    """The conjugate transpose."""
    return np.array([[x.conjugate() for x in row] for row in matrix], dtype=object).reshape(matrix.shape).T


# -- the state -------------------------------------------------------------------------------------------------------------


@claim(
    "orvieto24.eq4",
    topic="vandermonde",
    place="Eq. 3 and 4",
    title="the state of a diagonal recurrence after k inputs is the Vandermonde matrix of its eigenvalues times the inputs",
    says=r"$x_k=\Lambda x_{k-1}+\mathbf 1u_k$, $x_0=0$ gives $x_k=V_ku_{1:k}$, $V_k$ with the rows $(\lambda_i^{k-1},\dots,\lambda_i,1)$.",
    construction="lemmata.constructions.vandermonde.diagonal_recurrence",
    sabotages={"the powers ascend": {"matrix": lambda nodes, k: recall_matrix(nodes, k)[:, ::-1]}},
)
def states_are_vandermonde(proof: Proof, matrix=recall_matrix) -> None:
    """Unrolled, u_j has been multiplied by lambda k - j times."""
    rng = Random(81)
    count = proof.pick(10, 30, 100)
    for _ in proof.each(f"{count} random recurrences, N <= 4 Gaussian-rational eigenvalues, k <= 6", range(count)):
        nodes, k = random_nodes(rng, rng.randint(1, 4)), rng.randint(1, 6)
        u = [gaussian(rng.randint(-3, 3), rng.randint(-3, 3)) for _ in range(k)]
        states = diagonal_recurrence(nodes).run(u)
        proof.exactly("x_k = V_k u", states[-1][:, 0], matrix(nodes, k) @ np.array(u, dtype=object))


@claim(
    "orvieto24.det",
    topic="vandermonde",
    place="Sec. 3.1.1, before Proposition 1",
    title="det V_k is the product of the differences of the nodes, the earlier minus the later",
    says=r"For $N=k$, $\det V_k=\prod_{i<j}(\lambda_i-\lambda_j)$.",
    sabotages={"the differences are reversed": {"sign": -1}},
)
def vandermonde_determinant(proof: Proof, sign: int = 1) -> None:
    """Both sides are polynomials in the nodes; expanded, they agree. (With ascending powers the differences are reversed.)"""
    largest = proof.pick(3, 4, 5)
    for k in range(1, largest + 1):
        x = sympy.symbols(f"x1:{k + 1}")
        V = sympy.Matrix(k, k, lambda i, j, x=x, k=k: x[i] ** (k - 1 - j))
        differences = sympy.prod([sign * (x[i] - x[j]) for i in range(k) for j in range(i + 1, k)])
        proof.symbolically(
            f"det V_{k} = product of differences", V.det(method="berkowitz"), differences, free="nodes", up_to=f"k <= {largest}"
        )


@claim(
    "orvieto24.appE1.positive",
    topic="vandermonde",
    place="App. E.1, first paragraph",
    title="under random initialization the determinant of any L rows of V_L is positive",
    says=r"For random $\lambda_i$ the determinant of any set of $L$ rows of $V_L$ is positive.",
    reading="rows, where 'columns' is printed: V_L has N rows and L columns; positive as printed, where nonzero is needed and true",
    sabotages={"larger nodes first": {"nodes": (fmpq(2), fmpq(1))}},
)
def determinants_have_signs(proof: Proof, nodes=(fmpq(1), fmpq(2))) -> None:
    """det V is the product of the differences of the nodes: exchanging two of them changes its sign, and complex nodes make it complex."""
    found = proof.smallest("two rows, L = 2", [nodes], lambda x: exact.determinant(recall_matrix(x, 2)) <= 0)
    if found:
        V = recall_matrix(nodes, 2)
        proof.counterexample(
            given={"nodes": list(nodes), "V_2": V, "det": exact.determinant(V)},
            hypotheses={"the nodes are distinct, so the determinant is not 0": exact.determinant(V) != 0},
            violates={"det V < 0": exact.determinant(V) < 0},
            minimal="N = L = 2",
        )


@claim(
    "orvieto24.prop1",
    topic="vandermonde",
    place="Proposition 1",
    title="for distinct eigenvalues and N >= L the map from k inputs to the state is bijective, for each k <= L",
    says=r"If $N\ge L$ and the $\lambda_i$ are distinct, $R^k:(u_i)_{i\le k}\mapsto x_k\in\mathbb R^N$ is bijective for every $k\in[L]$.",
    sabotages={"the state has as many entries as there are inputs": {"sizes": ((1, 1), (2, 2))}},
)
def not_onto(proof: Proof, sizes=((1, 1), (2, 1), (2, 2))) -> None:
    """k inputs span k dimensions of the N: for N > k some states are not reached. (Injective is what is meant, and needed.)"""

    def breaks(case):
        n, k = case
        V = recall_matrix([fmpq(i + 1) for i in range(n)], k)
        return [(V, i) for i in range(n) if exact.rank(np.hstack([V, exact.unit_vector(n, i)[:, None]])) > exact.rank(V)]

    found = proof.smallest("N, then k, nodes 1, 2", sizes, breaks)
    if found:
        (n, k), ((V, i), *_) = found
        e = exact.unit_vector(n, i)[:, None]
        proof.counterexample(
            given={"N": n, "L": k, "k": k, "nodes": list(range(1, n + 1)), "V_k": V, "state not reached": e[:, 0]},
            hypotheses={"the nodes are distinct": len(set(range(1, n + 1))) == n, "N >= L": n >= k},
            violates={"rank of (V_k, state) exceeds rank of V_k": exact.rank(np.hstack([V, e])) > exact.rank(V)},
            minimal=f"N = {n}, k = {k}",
        )


@claim(
    "orvieto24.prop1.amended",
    topic="vandermonde",
    place="Proposition 1",
    kind="amended",
    amends="orvieto24.prop1",
    title="the map from k inputs to the state is injective if and only if at least k eigenvalues are distinct; onto iff all N are, and N <= k",
    says=r"$\operatorname{rank}V_k=\min(k,\#\{\lambda_i\})$: $R^k$ is injective iff $\#\{\lambda_i\}\ge k$.",
    uses=("orvieto24.eq4", "orvieto24.det"),
    sabotages={"repeated nodes are counted": {"distinct": len}},
)
def distinct_nodes_count(proof: Proof, distinct=lambda nodes: len(set(nodes))) -> None:
    """Equal nodes have equal rows; of distinct nodes any k give a square block whose determinant is a product of differences, not 0."""
    size, length = proof.pick((3, 3), (4, 4), (5, 5))
    choices = GAUSSIAN[: proof.pick(4, 5, 6)]
    multisets = [m for n in range(1, size + 1) for m in combinations_with_replacement(choices, n)]
    for nodes in proof.every(f"all multisets of up to {size} of {len(choices)} Gaussian rationals, k <= {length}", multisets):
        for k in range(1, length + 1):
            proof.exactly("rank V_k = min(k, number of distinct nodes)", complex_rank(recall_matrix(nodes, k)), min(k, distinct(nodes)))
    rng = Random(82)
    count = proof.pick(10, 40, 100)
    for _ in proof.each(f"{count} random recurrences with up to 6 nodes", range(count)):
        nodes, k = random_nodes(rng, rng.randint(1, 6)), rng.randint(1, 6)
        proof.exactly("rank V_k = min(k, number of distinct nodes)", complex_rank(recall_matrix(nodes, k)), min(k, distinct(nodes)))


# -- time and several dimensions -------------------------------------------------------------------------------------------


@claim(
    "orvieto24.clock",
    topic="vandermonde",
    place="Sec. 3.1.1, after Proposition 1",
    title="with the input (1, v) and one more eigenvalue 1 the first entry of the state counts the steps",
    says=r"With $u_k=(1,v_k)$, $\lambda_0=1$ and $B$ splitting the two inputs, $x_{k,0}=k$ and the other entries are $V_kv_{1:k}$.",
    reading="B with N + 1 rows and two columns; it is printed transposed",
    construction="lemmata.constructions.vandermonde.clock_and_memory",
    sabotages={"the clock forgets": {"rate": fmpq(1, 2)}},
)
def counting_the_steps(proof: Proof, rate=None) -> None:
    """A sum of k ones; the other units do not see the constant."""
    rng = Random(83)
    count = proof.pick(5, 20, 50)
    for _ in proof.each(f"{count} random recurrences, N <= 4, 6 steps", range(count)):
        nodes = [fmpq(rng.randint(-4, 4), rng.randint(1, 3)) for _ in range(rng.randint(1, 4))]
        layer = clock_and_memory(nodes)
        if rate is not None:
            slow = layer.transition(0) * 1
            slow[0, 0] = rate
            layer = type(layer)(lambda v, slow=slow: slow, layer.inputs, layer.initial, layer.decode)
        v = [fmpq(rng.randint(-3, 3)) for _ in range(6)]
        states = layer.run(v)
        proof.exactly("the first entry is k", [H[0, 0] for H in states], [fmpq(k) for k in range(1, 7)])
        proof.exactly("the others are V_k v", states[-1][1:, 0], recall_matrix(nodes, 6) @ np.array(v, dtype=object))


@claim(
    "orvieto24.appC",
    topic="vandermonde",
    place="App. C",
    title="with one block of units for each of M input dimensions the state is diag(V_1, ..., V_M) vec(v): rank and recall block by block",
    says=r"With $\Lambda=\operatorname{diag}(\Lambda_1,\dots,\Lambda_M)$ and block $j$ reading $v_j$, $x_k=\operatorname{diag}(V_{k,1},\dots,V_{k,M})\operatorname{vec}(v_{1:k})$; "
    r"injective iff every block has $k$ distinct nodes.",
    reading=r"without the entry 1 that the printed display puts on top of vec(v): diag(V_k,j) has kM columns, and (1, vec(v)) has kM + 1 entries",
    construction="lemmata.constructions.vandermonde.blockwise",
    sabotages={"all blocks read the first input": {"entry": 0}},
)
def blocks_of_units(proof: Proof, entry: int | None = None) -> None:
    """The blocks do not interact."""
    rng = Random(84)
    count = proof.pick(5, 20, 50)
    for _ in proof.each(f"{count} random recurrences, M <= 3 inputs, k <= 4", range(count)):
        m, k = rng.randint(2, 3), rng.randint(1, 4)
        nodes = [random_nodes(rng, rng.randint(1, 4)) for _ in range(m)]
        v = [[gaussian(rng.randint(-3, 3)) for _ in range(m)] for _ in range(k)]
        read = v if entry is None else [[x[entry]] * m for x in v]
        state = blockwise(nodes).run(read)[-1][:, 0]
        blocks = exact.block_diagonal([recall_matrix(block, k) for block in nodes])
        vec = np.array([v[t][j] for j in range(m) for t in range(k)], dtype=object)
        proof.exactly("x_k = diag(V) vec(v)", state, blocks @ vec)
        injective = all(len(set(block)) >= k for block in nodes)
        proof.exactly("injective iff every block has k distinct nodes", complex_rank(blocks) == k * m, injective)


# -- the map back ------------------------------------------------------------------------------------------------------------


def _transposed_gram(V: Array) -> Array:
    return V.T @ V


@claim(
    "orvieto24.pseudoinverse",
    topic="vandermonde",
    place="Sec. 4.1 and footnote 9; Eq. 7",
    title="for distinct nodes and N >= L the matrix V^T V is invertible, and (V^T V)^-1 V^T is the pseudoinverse",
    says=r"If the $\lambda_i$ are distinct and $N\ge L$, $V_L^\top V_L\in\mathbb C^{L\times L}$ is invertible, because $V_L$ has full column rank.",
    reading="transposes without conjugation, as printed; footnote 9 takes x^T V^T V x for |V x|^2, which is false for complex V x",
    sabotages={"conjugate transposes": {"gram": lambda V: adjoint(V) @ V}},
)
def transposes_without_conjugation(proof: Proof, gram=_transposed_gram) -> None:
    """x^T x can be 0 for a complex x that is not. For the cube roots of 1 the powers sum to 0, and so do their squares."""

    def breaks(case):
        n, length = case
        V = recall_matrix([root_of_unity(n, k) for k in range(n)], length)
        G = gram(V)
        # a row of zeros is enough here
        return [G] if any(all(x == 0 for x in row) for row in G) else []

    cases = [(n, length) for n in range(1, 5) for length in range(1, n + 1)]
    found = proof.smallest("n-th roots of unity, n, then L", cases, breaks)
    if found:
        (n, length), (G,) = found
        V = recall_matrix([root_of_unity(n, k) for k in range(n)], length)
        minor = V[0, 0] * V[1, 1] - V[0, 1] * V[1, 0]
        proof.counterexample(
            given={"nodes": [root_of_unity(n, k) for k in range(n)], "L": length, "V^T V": G},
            hypotheses={"V has full column rank: a 2 x 2 minor is not 0": minor != 0, "N >= L": n >= length},
            violates={"V^T V has a row of zeros": any(all(x == 0 for x in row) for row in G)},
            minimal=f"N = {n}, L = {length}",
        )


def _inverse(G: Array) -> Array:
    """The inverse of an invertible matrix over Q(i), by its real form."""
    real, imaginary = parts(G)
    inverse = exact.inverse(np.block([[real, -imaginary], [imaginary, real]]))
    n = len(G)
    return np.array([[gaussian(inverse[i, j], inverse[n + i, j]) for j in range(n)] for i in range(n)], dtype=object).reshape(n, n)


@claim(
    "orvieto24.pseudoinverse.amended",
    topic="vandermonde",
    place="Sec. 4.1; Eq. 5 and 7",
    kind="amended",
    amends="orvieto24.pseudoinverse",
    title="(V* V)^-1 V* with conjugate transposes is the pseudoinverse and recovers the inputs; with plain transposes, where it exists, a left inverse only",
    says=r"If at least $L$ nodes are distinct, $V^*V$ is invertible and $(V^*V)^{-1}V^*=V^+$: all four Penrose conditions hold. If $V^\top V$ is invertible, $(V^\top V)^{-1}V^\top$ is a left inverse, "
    r"and in general another one.",
    uses=("orvieto24.prop1.amended",),
    sabotages={"plain transposes": {"star": lambda V: V.T}},
)
def conjugate_transposes(proof: Proof, star=adjoint) -> None:
    """W = (V* V)^-1 V* gives W V = 1, so V W V = V and W V W = W; V W is Hermitian since V* V is."""
    rng = Random(85)
    count = proof.pick(6, 20, 60)
    for _ in proof.each(f"{count} random sets of N <= 5 Gaussian-rational nodes, L <= 3", range(count)):
        nodes: list[Cyclotomic] = []
        while len(set(nodes)) < 3:
            nodes = random_nodes(rng, rng.randint(3, 5))
        V = recall_matrix(nodes, rng.randint(1, 3))
        W = _inverse(star(V) @ V) @ star(V) if complex_rank(star(V) @ V) == V.shape[1] else star(V) * 0
        proof.exactly("W V = 1", W @ V, exact.identity(V.shape[1]))
        proof.exactly("V W is Hermitian", V @ W, adjoint(V @ W))
    nodes = [gaussian(0, 1), gaussian(1), gaussian(2)]
    V = recall_matrix(nodes, 2)
    plain = _inverse(V.T @ V) @ V.T
    proof.exactly("for the nodes i, 1, 2 the plain one is a left inverse", plain @ V, exact.identity(2))
    proof.holds("but not the pseudoinverse: V W is not Hermitian", not np.array_equal(V @ plain, adjoint(V @ plain)))


# -- real inputs need half as many units -----------------------------------------------------------------------------------


@claim(
    "new.vandermonde.half-width",
    topic="vandermonde",
    place="after orvieto24, Proposition 1",
    kind="new",
    title="real inputs can be read off the real and imaginary parts of half as many complex units, and of no fewer",
    says=r"For real inputs and a real-linear decoder of $(\operatorname{Re}x,\operatorname{Im}x)$, recall of $k$ inputs is possible iff the nodes and their conjugates are at least $k$ different numbers; "
    r"so $N\ge\lceil k/2\rceil$ units are needed, and suffice.",
    uses=("orvieto24.prop1.amended",),
    sabotages={"conjugates are not counted": {"closed": lambda nodes: set(nodes)}},
)
def conjugates_come_free(proof: Proof, closed=lambda nodes: {*nodes, *(x.conjugate() for x in nodes)}) -> None:
    """Re x and Im x span the same as x and its conjugate, which is V u for the conjugate nodes, u being real."""
    choices = GAUSSIAN[: proof.pick(6, 8, 10)]
    size, length = proof.pick((2, 4), (3, 6), (3, 6))
    multisets = [m for n in range(1, size + 1) for m in combinations_with_replacement(choices, n)]
    for nodes in proof.every(f"all multisets of up to {size} of {len(choices)} Gaussian rationals, k <= {length}", multisets):
        for k in range(1, length + 1):
            rank = exact.rank(real_and_imaginary(recall_matrix(nodes, k)))
            proof.exactly("real rank = min(k, number of distinct nodes and conjugates)", rank, min(k, len(closed(nodes))))


@claim(
    "new.vandermonde.half-circle",
    topic="vandermonde",
    place="after orvieto24, Sec. 4.1",
    kind="new",
    title="the nodes exp(i pi (2j+1)/L), j < L/2, recall L real inputs with condition number exactly 1 for even L, and sqrt 2 for odd L > 1",
    says=r"With $\lambda_j=e^{i\pi(2j+1)/L}$, $j<\lceil L/2\rceil$, the real matrix $M$ of $(\operatorname{Re}V,\operatorname{Im}V)$ satisfies $M^\top M=\tfrac L2I$ for even $L$, and "
    r"$\tfrac L2I+\tfrac12ww^\top$, $w=(\pm1)$, for odd $L$: a real node counts once where a pair counts twice, unless its input weight is $1/\sqrt2$.",
    uses=("new.vandermonde.half-width",),
    construction="lemmata.constructions.vandermonde.half_circle",
    sabotages={
        "the full circle's roots of 1": {"nodes_of": lambda length: [root_of_unity(2 * length, 2 * j) for j in range((length + 1) // 2)]}
    },
)
def half_of_a_circle(proof: Proof, nodes_of=half_circle) -> None:
    """M^T M is the real part of V* V, and the nodes with their conjugates are all roots of z^L = -1, whose powers are orthogonal."""
    largest = proof.pick(7, 12, 20)
    for length in proof.every(f"L <= {largest}", range(1, largest + 1)):
        V = recall_matrix(nodes_of(length), length)
        gram = adjoint(V) @ V
        real = np.array([[(x + x.conjugate()) / 2 for x in row] for row in gram], dtype=object)
        expected = exact.identity(length) * fmpq(length, 2)
        if length % 2:
            w = np.array([fmpq((-1) ** j) for j in range(length)], dtype=object)
            expected = expected + np.outer(w, w) / 2
        proof.exactly("M^T M", real, expected)
        proof.exactly("units", len(nodes_of(length)), (length + 1) // 2)
