"""When the inputs can be told from the state of a diagonal recurrence, and by which map (orvieto24, Sec. 3.1.1, App. C, E.1)."""

from __future__ import annotations

from itertools import combinations_with_replacement
from random import Random

import numpy as np
import sympy
from flint import fmpq

from ...constructions.vandermonde import blockwise, clock_and_memory, complex_rank, diagonal_recurrence, recall_matrix
from ...numerics import exact
from ...numerics.cyclotomic import Cyclotomic, gaussian, parts
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


def random_inputs(rng: Random, count: int) -> list[Cyclotomic]:
    """Gaussian integers, none of them 0."""
    return [gaussian(rng.choice((-3, -2, -1, 1, 2, 3)), rng.randint(-3, 3)) for _ in range(count)]


def adjoint(matrix: Array) -> Array:
    """The conjugate transpose."""
    return np.array([[x.conjugate() for x in row] for row in matrix], dtype=object).reshape(matrix.shape).T


def pairs(values) -> list:
    """Gaussian rationals as [real part, imaginary part], for ``lemmata recheck``; nested lists stay nested."""
    return [
        pairs(x) if isinstance(x, list | tuple | np.ndarray) else [p[0, 0] for p in parts(np.array([[x]], dtype=object))] for x in values
    ]


def power(x, k, j):
    """The entry of V_k in the row of the node x and the column of the j-th input: x^(k-j)."""
    return x ** (k - j)


# -- the state -------------------------------------------------------------------------------------------------------------


@claim(
    "orvieto24.eq4",
    place="Eq. 3 and 4",
    title="the state of a diagonal recurrence after k inputs is the Vandermonde matrix of its eigenvalues times the inputs",
    says=r"$x_k=\Lambda x_{k-1}+\mathbf 1u_k$, $x_0=0$ gives $x_k=V_ku_{1:k}$, $V_k$ with the rows $(\lambda_i^{k-1},\dots,\lambda_i,1)$.",
    construction="lemmata.constructions.vandermonde.diagonal_recurrence",
    sabotages={
        "the powers ascend": {"entry": lambda x, k, j: x ** (j - 1)},
        "the matrix of the code is reversed": {"matrix": lambda nodes, k: recall_matrix(nodes, k)[:, ::-1]},
        "powers that ascend, which the kernel refutes": {"theorem": "recall.states_are_ascending"},
    },
)
def states_are_vandermonde(proof: Proof, entry=power, matrix=recall_matrix, theorem: str = "recall.states_are_vandermonde") -> None:
    r"""The state is linear in the inputs, and the coefficient of $u_j$ in unit $i$ is $\lambda_i^{k-j}$, by induction over $k$.

    1. After one input the coefficient is $1=\lambda^{1-1}$. [checked: "after one input"]
    2. A step multiplies the coefficients of old inputs by $\lambda$: $\lambda\cdot\lambda^{k-j}=\lambda^{(k+1)-j}$. [checked: "an old input"]
    3. The new input enters with the coefficient $1=\lambda^{(k+1)-(k+1)}$. [checked: "the new input"]
    4. The recurrence of the code has these states. [checked: "second opinion"]
    """
    proof.formally(
        "the kernel: the state is V_k u",
        theorem,
        whole="every N, k, nodes and inputs",
        differs="any field; times from 0, so that V_k has the powers k - 1 - j",
    )
    x, k, j = sympy.symbols("lambda k j")
    proof.symbolically("after one input", entry(x, 1, 1), 1, free="lambda")
    proof.symbolically("an old input", x * entry(x, k, j), entry(x, k + 1, j), free="lambda, k, j")
    proof.symbolically("the new input", entry(x, k + 1, k + 1), 1, free="lambda, k")
    rng = Random(81)
    states, products, distinct = [], [], False
    for _ in range(30):
        nodes, k = random_nodes(rng, rng.randint(1, 4)), rng.randint(2, 6)
        u = random_inputs(rng, k)
        distinct = distinct or (len(set(nodes)) > 2 and len(set(u)) > 2)
        states.append(list(diagonal_recurrence(nodes).run(u)[-1].reshape(-1)))
        products.append(list(matrix(nodes, k) @ np.array(u, dtype=object)))
        if len(proof.certificates) < 6:
            proof.certificate("witness", f"N = {len(nodes)}, k = {k}", nodes=pairs(nodes), inputs=pairs(u), state=pairs(states[-1]))
    proof.holds(
        "second opinion: x_k = V_k u for 30 random recurrences, N <= 4, k <= 6",
        states == products and distinct,
    )


@claim(
    "orvieto24.det",
    place="Sec. 3.1.1, before Proposition 1",
    title="det Vₖ is the product of the differences of the nodes, the earlier minus the later",
    says=r"For $N=k$, $\det V_k=\prod_{i<j}(\lambda_i-\lambda_j)$, which is not $0$ iff the nodes are distinct.",
    sabotages={
        "the differences are reversed": {"difference": lambda x, y: y - x},
        "the powers ascend": {"entry": lambda x, k, j: x ** (j - 1)},
        "reversed differences, which the kernel refutes": {"theorem": "recall.determinant_reversed"},
    },
)
def vandermonde_determinant(proof: Proof, difference=lambda x, y: x - y, entry=power, theorem: str = "recall.determinant") -> None:
    r"""Column operations make the last row $(0,\dots,0,1)$ and leave a smaller matrix of the same kind, its rows multiplied by the differences to the last node.

    1. $\det V_1=1$, the empty product. [checked: "one node"]
    2. In $V_k$ with the last node $y$ subtract from column $j<k$ the $y$-fold of column $j+1$, from left to right; the determinant stays. The entry in the row of $x$ becomes
       $x^{k-j}-y\,x^{k-j-1}=(x-y)\,x^{(k-1)-j}$. [checked: "an entry of the reduced matrix"]
    3. In the last row that is $0$ (take $x=y$), and the last entry is $1$, at the place $(k,k)$ of sign $+$. Expanding along this row leaves $V_{k-1}$ of the other nodes, its rows multiplied by
       $\lambda_i-y$: $\det V_k=\prod_{i<k}(\lambda_i-\lambda_k)\det V_{k-1}$, and the formula follows by induction. [checked: "the last entry"; "the last row"]
    4. A product of numbers is $0$ iff one of them is. Written out, the formula agrees. [checked: "second opinion"]
    """
    proof.formally("the kernel: the determinant is the product of the differences", theorem)
    proof.formally(
        "the kernel: not 0 iff the nodes are distinct", "recall.determinant_nonzero", whole="every k and nodes", differs="any field"
    )
    x, y, k, j = sympy.symbols("x y k j")
    proof.symbolically("one node", entry(x, 1, 1), 1, free="x")
    proof.symbolically(
        "an entry of the reduced matrix", entry(x, k, j) - y * entry(x, k, j + 1), difference(x, y) * entry(x, k - 1, j), free="x, y, k, j"
    )
    proof.symbolically("the last row", difference(y, y), 0, free="y")
    proof.symbolically("the last entry", entry(y, k, k), 1, free="y, k")
    chosen = [fmpq(v) for v in (2, -1, "1/2", 3, "-1/3")]
    for size in range(1, 6):
        V, nodes = recall_matrix(chosen[:size], size), chosen[:size]
        product = np.prod(np.array([difference(a, b) for i, a in enumerate(nodes) for b in nodes[i + 1 :]] or [fmpq(1)], dtype=object))
        proof.exactly("second opinion: nodes 2, -1, 1/2, 3, -1/3", exact.determinant(V), product)
    proof.certificate("witness", "five nodes", nodes=chosen)


@claim(
    "orvieto24.appE1",
    place="App. E.1, first paragraph",
    title="under random initialization any L rows of V (N × L) are independent, almost surely: N ≥ L units recall L inputs",
    says=r"If the $\lambda_i$ are independent and $P(\lambda_i=\lambda)=0$ for every $\lambda$, then almost surely every $L\times L$ minor of $V_L$ is different from $0$.",
    reading="different from 0 where 'positive' is printed (see the finding), and rows where 'columns' is: V_L has N rows and L columns",
    sabotages={"a node is drawn twice": {"draw": lambda nodes: [*nodes[:-1], nodes[0]]}},
)
def minors_do_not_vanish(proof: Proof, draw=lambda nodes: nodes) -> None:
    r"""A minor vanishes only where two nodes coincide, which has probability 0.

    1. Any $L$ rows form the square Vandermonde matrix of their nodes, with the determinant $\prod_{i<j}(\lambda_i-\lambda_j)$. [uses: orvieto24.det] [checked: "every minor is a product of differences"]
    2. Two independent nodes coincide with probability $\int P(\lambda_i=\lambda)\,dP_j(\lambda)=0$, and there are finitely many pairs. [prose]
    3. Where no minor vanishes the inputs are recalled. [uses: orvieto24.prop1]
    """
    rng = Random(80)
    count = proof.pick(6, 20, 60)
    for _ in proof.each(f"{count} draws of 4 nodes from the grid of denominator 1000 in the disc, L = 3, seed 80", range(count)):
        drawn = [gaussian(fmpq(rng.randint(-700, 700), 1000), fmpq(rng.randint(-700, 700), 1000)) for _ in range(4)]
        nodes = draw(drawn)
        for left in range(4):
            rows = [x for i, x in enumerate(nodes) if i != left]
            a, b, c = rows
            V = recall_matrix(rows, 3)
            minor = sum((V[0, i] * (V[1, j] * V[2, k] - V[1, k] * V[2, j]) for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1))), gaussian(0))
            proof.holds("every minor is a product of differences, and not 0", minor == (a - b) * (a - c) * (b - c) and minor != 0)
        if len(proof.certificates) < 4:
            proof.certificate("witness", "four nodes", nodes=pairs(nodes), length=3)


@claim(
    "orvieto24.appE1.positive",
    place="App. E.1, first paragraph",
    flaw="misprint",
    quotes=("since under random initialization the determinant of any set of $L$ columns of $V_L$ is positive",),
    title="the determinant of L rows is different from 0 almost surely, not positive: exchanging two nodes changes its sign",
    says=r"For random $\lambda_i$ the determinant of any set of $L$ rows of $V_L$ is almost surely positive.",
    reading="rows, where 'columns' is printed: V_L has N rows and L columns",
    letter="In App. E.1 the determinant of any L rows ('columns' is printed) is different from 0 almost surely, not positive. Exchanging two eigenvalues changes "
    "its sign, and complex eigenvalues make it complex.",
    sabotages={"the same order twice": {"orders": ((0, 1), (0, 1))}},
)
def determinants_have_signs(proof: Proof, orders=((0, 1), (1, 0))) -> None:
    r"""For $\lambda=(1/2,1/4)$ the determinant is $1/4$, for $(1/4,1/2)$ it is $-1/4$; independent nodes of one distribution are as likely to come in either order, so the determinant is
    positive with probability at most one half."""
    nodes = (fmpq(1, 2), fmpq(1, 4))
    minors = [exact.determinant(recall_matrix([nodes[i] for i in order], 2)) for order in orders]
    proof.counterexample(
        given={"nodes": [[nodes[i] for i in order] for order in orders], "determinants": minors},
        words={
            "nodes": nodes[0] != nodes[1] and all(abs(x) <= 1 for x in nodes),
            "order": sorted(orders[0]) == sorted(orders[1]),
            "opposite": minors[0] == -minors[1] != 0,
        },
        minimal="N = L = 2",
    )
    proof.certificate("witness", "two orders", nodes=[[nodes[i] for i in order] for order in orders])


@claim(
    "orvieto24.complex.disk",
    place="Abstract; Sec. 4.1, Comparison with FFT; App. E.1, second paragraph",
    flaw="misprint",
    quotes=("employing complex eigenvalues near unit disk", "equally-spaced eigenvalues on the disk", "moving closer to the unit disk"),
    title="the unit circle is meant where the unit disk is printed: eigenvalues that lose inputs lie in the disk too",
    says=r"Eigenvalues near the unit disk keep the reconstruction well conditioned.",
    reading="the disk as |lambda| <= 1, as App. E.1 uses it where it samples 'inside the unit disk'; Secs. 1 and 4.1 say 'unit circle' elsewhere",
    letter="The abstract says 'near unit disk', App. E.1 'closer to the unit disk', and Sec. 4.1 has equally spaced eigenvalues 'on the disk'. The unit circle is meant: "
    "App. E.1 samples inside the disk. For two inputs the eigenvalues 1/10 and -1/10, which lie in it, have the condition number 10. For 1 and -1 it is 1.",
    sabotages={"nodes on the circle": {"small": fmpq(1)}, "nodes outside the disk": {"small": fmpq(2)}},
)
def the_disk_holds_all_stable_nodes(proof: Proof, small: fmpq = fmpq(1, 10)) -> None:
    r"""For the nodes $\pm a$ the columns of $V_2$ are orthogonal, of lengths $|a|\sqrt2$ and $\sqrt2$: the condition number is $1/|a|$ for $0<|a|\le1$."""
    nodes = [[small, -small], [fmpq(1), fmpq(-1)]]
    squares = [_squared_condition(recall_matrix(pair, 2)) for pair in nodes]
    proof.counterexample(
        given={"nodes": nodes, "squared condition numbers": squares},
        words={"disk": all(abs(x) <= 1 for pair in nodes for x in pair), "worse": squares[0] > squares[1]},
        minimal="N = L = 2",
    )
    proof.certificate("witness", "two pairs of nodes", nodes=nodes)


def _squared_condition(V: Array) -> fmpq:
    """Of a matrix with two orthogonal columns."""
    (a, zero), (_, b) = V.T @ V
    if zero != 0:
        raise ValueError(f"expected orthogonal columns, got an inner product of {zero}")
    return max(a, b) / min(a, b)


@claim(
    "orvieto24.prop1",
    place="Proposition 1",
    title="for distinct eigenvalues and N ≥ L the state after k ≤ L inputs determines them, by a linear map",
    says=r"If $N\ge L$ and the $\lambda_i$ are distinct, $R^k:(u_i)_{i\le k}\mapsto x_k$ is injective for every $k\in[L]$, and has a linear left inverse.",
    reading="injective where 'bijective' is printed; the states may be complex, where R^N is printed",
    sabotages={
        "two nodes coincide": {"distinct": lambda nodes: [nodes[0], *nodes[:-1]]},
        "nodes may coincide, which the kernel refutes": {"theorem": "recall.proposition1_repeated"},
    },
)
def distinct_nodes_recall(proof: Proof, distinct=lambda nodes: nodes, theorem: str = "recall.proposition1") -> None:
    r"""Any $k$ rows of $V_k$ are invertible.

    1. $x_k=V_ku$. [uses: orvieto24.eq4] [checked: "second opinion"]
    2. The first $k\le N$ rows of $V_k$ are the square matrix of $k$ distinct nodes, with the determinant $\prod_{i<j}(\lambda_i-\lambda_j)\ne0$. [uses: orvieto24.det] [checked: "a square block"]
    3. So $W=(\text{inverse of that block},0)$ has $WV_k=I$: it is linear, and $R^k$ is injective. [checked: "second opinion"]
    """
    proof.formally(
        "the kernel: injective, with a linear left inverse",
        theorem,
        whole="every N, L, k <= L and distinct nodes",
        differs="any field, and inputs from it",
    )
    x, k, j = sympy.symbols("x k j")
    proof.symbolically("a square block: its entries depend on the node and the column only", power(x, k, j), x ** (k - j), free="x, k, j")
    rng = Random(79)
    cases = []
    for _ in range(20):
        nodes = distinct([fmpq(v, 7) for v in rng.sample(range(-9, 10), rng.randint(2, 6))])
        k = rng.randint(2, len(nodes))
        V = recall_matrix(nodes, k)
        invertible = exact.rank(V[:k]) == k
        W = np.hstack([exact.inverse(V[:k]), exact.zeros(k, len(nodes) - k)]) if invertible else exact.zeros(k, len(nodes))
        u = np.array([fmpq(v) for v in rng.sample(range(1, 20), k)], dtype=object)
        state = diagonal_recurrence(nodes).run(list(u))[-1][:, 0]
        cases.append(invertible and np.array_equal(W @ V, exact.identity(k)) and np.array_equal(W @ state, u))
        if invertible and len(proof.certificates) < 5:
            proof.certificate("witness", f"N = {len(nodes)}, k = {k}", nodes=nodes, length=k, inverse=W)
    proof.exactly("second opinion: W V_k = I and W x_k = u for 20 random sets of nodes, N <= 6", cases, [True] * 20)


@claim(
    "orvieto24.prop1.bijective",
    place="Proposition 1",
    flaw="misprint",
    quotes=(r"If $N \geq L$, $R_{\Lambda, B}^k$ is bijective",),
    title="for N > k the map from k inputs to the state is injective, not bijective",
    says=r"If $N\ge L$ and the $\lambda_i$ are distinct, $R^k:(u_i)_{i\le k}\mapsto x_k\in\mathbb R^N$ is bijective for every $k\in[L]$.",
    letter="In Proposition 1 the map from k inputs to N > k numbers is injective, not bijective. Its linear inverse is defined on its image only. Injectivity is "
    "what is used.",
    sabotages={"the state has as many entries as there are inputs": {"sizes": ((1, 1), (2, 2))}},
)
def not_onto(proof: Proof, sizes=((1, 1), (2, 1), (2, 2))) -> None:
    r"""$k$ inputs span $k$ dimensions of the $N$: with the nodes 1 and 2 and one input all states are $(u,u)$, and $(1,0)$ is not reached."""

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
            words={"nodes": len(set(range(1, n + 1))) == n, "wide": n >= k, "rank": exact.rank(np.hstack([V, e])) > exact.rank(V)},
            minimal=f"N = {n}, k = {k}",
        )
        proof.certificate("witness", f"N = {n}, k = {k}", nodes=list(range(1, n + 1)), length=k, state=e[:, 0])


@claim(
    "orvieto24.prop1.amended",
    place="Proposition 1",
    amends="orvieto24.prop1.bijective",
    title="the map from k inputs to the state is injective iff k eigenvalues are distinct, and onto iff all N are and N ≤ k",
    says=r"$\operatorname{rank}V_k=\min(k,\#\{\lambda_i\})$: $R^k$ is injective iff $\#\{\lambda_i\}\ge k$, and onto iff $N=\#\{\lambda_i\}\le k$.",
    sabotages={
        "repeated nodes are counted": {"distinct": len},
        "onto whenever the nodes are distinct, which the kernel refutes": {"theorem": "recall.proposition1_bijective"},
    },
)
def distinct_nodes_count(proof: Proof, distinct=lambda nodes: len(set(nodes)), theorem: str = "recall.onto_iff") -> None:
    r"""Equal nodes have equal rows; distinct ones have a square block that is invertible.

    1. $V_k$ has $k$ columns, and at most $\#\{\lambda_i\}$ different rows, so its rank is at most $m=\min(k,\#\{\lambda_i\})$. [checked: "second opinion"]
    2. The last $m$ columns in $m$ rows with distinct nodes are $V_m$ of these nodes: the entry in column $k-m+j$ is $x^{m-j}$. [checked: "the last m columns"]
    3. $\det V_m\ne0$, so the rank is $m$. [uses: orvieto24.det]
    4. Injective means rank $k$, onto means rank $N$. [uses: orvieto24.eq4]
    """
    proof.formally("the kernel: the rank", "recall.rank_vandermonde")
    proof.formally("the kernel: injective iff k nodes differ", "recall.injective_iff")
    proof.formally(
        "the kernel: onto iff all nodes differ and N <= k", theorem, whole="every N, k and nodes", differs="any field, and inputs from it"
    )
    x, k, m, j = sympy.symbols("x k m j")
    proof.symbolically("the last m columns", power(x, k, k - m + j), power(x, m, j), free="x, k, m, j")
    multisets = [chosen for n in range(1, 5) for chosen in combinations_with_replacement(GAUSSIAN[:4], n)]
    found = [complex_rank(recall_matrix(nodes, k)) for nodes in multisets for k in range(1, 5)]
    expected = [min(k, distinct(nodes)) for nodes in multisets for k in range(1, 5)]
    proof.exactly("second opinion: all multisets of up to 4 of 4 Gaussian rationals, k <= 4", found, expected)
    for nodes, k in ((GAUSSIAN[:3], 3), ([*GAUSSIAN[:3], GAUSSIAN[0]], 4), ([GAUSSIAN[3]] * 3, 2), (GAUSSIAN[1:6], 2)):
        proof.certificate("witness", f"N = {len(nodes)}, k = {k}", nodes=pairs(nodes), length=k, rank=min(k, distinct(nodes)))


# -- time and several dimensions -------------------------------------------------------------------------------------------


@claim(
    "orvieto24.clock",
    place="Sec. 3.1.1, after Proposition 1",
    title="with the input (1, v) and one more eigenvalue 1 the first entry of the state counts the steps",
    says=r"With $u_k=(1,v_k)$, $\lambda_0=1$ and $B$ splitting the two inputs, $x_{k,0}=k$ and the other entries are $V_kv_{1:k}$.",
    reading="B as it is printed, the transpose of the rows (1, 0, ..., 0) and (0, 1, ..., 1): N + 1 rows and two columns",
    construction="lemmata.constructions.vandermonde.clock_and_memory",
    sabotages={
        "the clock forgets": {"rate": fmpq(1, 2)},
        "a clock with the eigenvalue 0, which the kernel refutes": {"theorem": "recall.clock_forgets"},
    },
)
def counting_the_steps(proof: Proof, rate: fmpq = fmpq(1), theorem: str = "recall.clock") -> None:
    r"""A sum of $k$ ones; the other units do not see the constant.

    1. $x_{0,0}=0$ and $1\cdot k+1=k+1$. [checked: "a step of the clock"]
    2. The other units read $v$ alone, so they are the recurrence of Equation 4. [uses: orvieto24.eq4] [checked: "second opinion: the others"]
    """
    proof.formally(
        "the kernel: the clock is k, the others are V_k v", theorem, whole="every N, k, nodes and inputs", differs="any field; times from 0"
    )
    k = sympy.symbols("k")
    proof.symbolically("a step of the clock", sympy.Rational(str(rate)) * k + 1, k + 1, free="k")
    rng = Random(83)
    clocks, others = [], []
    for _ in range(20):
        nodes = [fmpq(rng.randint(-4, 4), rng.randint(1, 3)) for _ in range(rng.randint(1, 4))]
        v = [fmpq(rng.choice((-3, -2, -1, 1, 2, 3))) for _ in range(6)]
        states = clock_and_memory(nodes).run(v)
        clocks.append([H[0, 0] for H in states])
        others.append(np.array_equal(states[-1][1:, 0], recall_matrix(nodes, 6) @ np.array(v, dtype=object)))
        if len(proof.certificates) < 3:
            proof.certificate("witness", f"N = {len(nodes)}", nodes=nodes, inputs=v, state=states[-1][:, 0])
    proof.exactly("second opinion: the clock of 20 random recurrences", clocks, [[fmpq(k) for k in range(1, 7)]] * 20)
    proof.exactly("second opinion: the others are V_k v", others, [True] * 20)


@claim(
    "orvieto24.appC",
    place="App. C",
    title="with a block of units for each of M input dimensions the state is diag(V₁, V₂, …) vec(v): recall block by block",
    says=r"With $\Lambda=\operatorname{diag}(\Lambda_1,\dots,\Lambda_M)$ and block $j$ reading $v_j$, $x_k=\operatorname{diag}(V_{k,1},\dots,V_{k,M})\operatorname{vec}(v_{1:k})$; "
    r"injective iff every block has $k$ distinct nodes.",
    reading=r"without the entry 1 that the printed display puts on top of vec(v): diag(V_k,j) has kM columns, and (1, vec(v)) has kM + 1 entries",
    construction="lemmata.constructions.vandermonde.blockwise",
    sabotages={
        "all blocks read the first input": {"entry": 0},
        "all inputs from blocks that read one, which the kernel refutes": {"theorem": "recall.blocks_read_one_input"},
    },
)
def blocks_of_units(proof: Proof, entry: int | None = None, theorem: str = "recall.blocks_injective_iff") -> None:
    r"""The blocks do not interact.

    1. Block $j$ is the recurrence of Equation 4 with the inputs $v_j$, so its state is $V_{k,j}v_{j,1:k}$. [uses: orvieto24.eq4] [checked: "x_k = diag(V) vec(v)"]
    2. A block diagonal matrix is injective iff its blocks are. [uses: orvieto24.prop1.amended] [checked: "injective iff"]
    3. The instances illustrate both; the kernel has them for all sizes. [checked: "the kernel"]
    """
    proof.formally("the kernel: the state is diag(V_1, ..., V_M) vec(v)", "recall.blocks_are_vandermonde")
    proof.formally(
        "the kernel: injective iff every block has k distinct nodes",
        theorem,
        whole="every M, block sizes, k, nodes and inputs",
        differs="any field; times from 0",
    )
    rng = Random(84)
    count = proof.pick(5, 20, 50)
    for _ in proof.each(f"{count} random recurrences, M <= 3 inputs, k <= 4, seed 84", range(count)):
        m, k = rng.randint(2, 3), rng.randint(1, 4)
        nodes = [random_nodes(rng, rng.randint(1, 4)) for _ in range(m)]
        v = [random_inputs(rng, m) for _ in range(k)]
        read = v if entry is None else [[x[entry]] * m for x in v]
        state = blockwise(nodes).run(read)[-1].reshape(-1)
        blocks = exact.block_diagonal([recall_matrix(block, k) for block in nodes])
        vec = np.array([v[t][j] for j in range(m) for t in range(k)], dtype=object)
        proof.exactly("x_k = diag(V) vec(v), not 0", (list(state), bool(np.any(state != 0))), (list(blocks @ vec), True))
        injective = all(len(set(block)) >= k for block in nodes)
        proof.exactly("injective iff every block has k distinct nodes", complex_rank(blocks) == k * m, injective)
        if len(proof.certificates) < 4:
            proof.certificate("witness", f"M = {m}, k = {k}", nodes=pairs(nodes), inputs=pairs(v), state=pairs(state))
