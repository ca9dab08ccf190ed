"""Real inputs need half as many complex units (after orvieto24, Sec. 3.1.1 and 4.1)."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
import sympy
from flint import fmpq

from ...constructions.vandermonde import half_circle, real_and_imaginary, recall_matrix
from ...numerics import exact
from ...numerics.cyclotomic import root_of_unity
from ..claim import claim
from ..evidence import Proof
from .recall import GAUSSIAN, adjoint, pairs


def geometric_sums(proof: Proof) -> None:
    """1 + q + ... + q^(m-1) = (1 - q^m) / (1 - q) by induction, and q^N = 1 for q = exp(2 pi i d / N)."""
    q = sympy.symbols("q")
    m, d = sympy.symbols("m d", integer=True)
    proof.symbolically("a geometric sum, base: one term", (1 - q) / (1 - q), 1, free="q other than 1")
    proof.symbolically("a geometric sum, step", (1 - q**m) / (1 - q) + q**m, (1 - q ** (m + 1)) / (1 - q), free="q other than 1, m")
    proof.symbolically("exp(2 pi i d) = 1", sympy.exp(2 * sympy.pi * sympy.I * d), 1, free="integers d")
    t = sympy.symbols("t", real=True)
    away = sympy.expand((1 - sympy.exp(2 * sympy.I * t)) * (1 - sympy.exp(-2 * sympy.I * t))).rewrite(sympy.cos)
    proof.symbolically("|1 - exp(2 i t)|^2 = 4 sin^2 t, not 0 for 0 < t < pi", away, 4 * sympy.sin(t) ** 2, free="t")


@claim(
    "new.vandermonde.half-width",
    place="after orvieto24, Proposition 1",
    title="real inputs can be read off the real and imaginary parts of half as many complex units, and of no fewer",
    says=r"For real inputs and a real-linear decoder of $(\operatorname{Re}x,\operatorname{Im}x)$, recall of $k$ inputs is possible iff the nodes and their conjugates are at least $k$ different numbers; "
    r"so $N\ge\lceil k/2\rceil$ units are needed, and suffice.",
    known="S4 and its successors store one of each conjugate pair for the same reason (Gu et al. 2022); the count for recall is elementary",
    sabotages={
        "conjugates are not counted": {"closed": lambda nodes: set(nodes)},
        "real parts alone": {"halves": lambda x, y: ((x + y) / 2, (x + y) / 2)},
    },
)
def conjugates_come_free(
    proof: Proof,
    closed=lambda nodes: {*nodes, *(x.conjugate() for x in nodes)},
    halves=lambda x, y: ((x + y) / 2, (x - y) / (2 * sympy.I)),
) -> None:
    r"""$\operatorname{Re}x$ and $\operatorname{Im}x$ hold the same as $x$ and its conjugate, which is $\bar Vu$ for real $u$. Small multisets are gone through beside it.

    1. $(\operatorname{Re}x,\operatorname{Im}x)$ is an invertible linear image of $(x,\bar x)$. [checked: "real and imaginary part"]
    2. For real $u$, $\bar x=\bar Vu$ is the state for the conjugate nodes. So the rank of $(\operatorname{Re}V,\operatorname{Im}V)$ is that of the Vandermonde matrix of the nodes and their conjugates,
       $\min(k,\#)$ with $\#$ the number of different ones. [uses: orvieto24.prop1.amended] [prose]
    3. Recall means rank $k$, and $\#\le2N$, with equality for $N$ different nodes in the open upper half plane. [prose]
    """
    x, y = sympy.symbols("x y")
    columns = sympy.Matrix([[sympy.expand(part).coeff(v) for v in (x, y)] for part in halves(x, y)])
    proof.symbolically("real and imaginary part from x and its conjugate: the determinant is i/2", columns.det(), sympy.I / 2, free="x")
    with proof.beside():
        multisets = [chosen for n in range(1, 4) for chosen in combinations_with_replacement(GAUSSIAN[:7], n)]
        ranks = [exact.rank(real_and_imaginary(recall_matrix(nodes, k))) for nodes in multisets for k in range(1, 7)]
        expected = [min(k, len(closed(nodes))) for nodes in multisets for k in range(1, 7)]
        proof.exactly("second opinion: the real rank of all multisets of up to 3 of 7 Gaussian rationals, k <= 6", ranks, expected)
    for nodes, k in (
        (GAUSSIAN[3:6:2], 4),
        (GAUSSIAN[:3], 3),
        ([GAUSSIAN[3], GAUSSIAN[4]], 3),
        ([GAUSSIAN[5], GAUSSIAN[8], GAUSSIAN[7]], 5),
    ):
        proof.certificate("witness", f"N = {len(nodes)}, k = {k}", nodes=pairs(nodes), length=k, rank=min(k, len(closed(nodes))))


@claim(
    "new.vandermonde.half-circle",
    place="after orvieto24, Sec. 4.1",
    title="exp(i π (2j+1)/L), j < L/2, recall L real inputs with condition number 1 for even L, √2 for odd L > 1",
    says=r"With $\lambda_j=e^{i\pi(2j+1)/L}$, $j<\lceil L/2\rceil$, the real matrix $M$ of $(\operatorname{Re}V,\operatorname{Im}V)$ satisfies $M^\top M=\tfrac L2I$ for even $L$, and "
    r"$\tfrac L2I+\tfrac12ww^\top$, $w=(\pm1)$, for odd $L$: a real node counts once where a pair counts twice, unless its input weight is $1/\sqrt2$.",
    known="that the roots of z^L = -1 have a unitary Vandermonde matrix up to a factor is the odd-frequency Fourier transform (Gautschi 1975; Cordova, Gautschi, Ruscheweyh 1990); halving it for real inputs is new to us",
    uses=("new.vandermonde.half-width",),
    construction="lemmata.constructions.vandermonde.half_circle",
    sabotages={
        "the full circle's roots of 1": {"nodes_of": lambda length: [root_of_unity(2 * length, 2 * j) for j in range((length + 1) // 2)]},
        "angles without the 1": {"angle": lambda j, length: 2 * j / length},
    },
)
def half_of_a_circle(proof: Proof, nodes_of=half_circle, angle=lambda j, length: (2 * j + 1) / length) -> None:
    r"""$M^\top M$ has the entries $\sum_j\operatorname{Re}\lambda_j^d$, $d$ the difference of two columns; the nodes with their conjugates are all roots of $z^L=-1$, whose powers are orthogonal.

    1. The conjugate of $e^{i\pi(2j+1)/L}$ is the one with $L-1-j$ for $j$; the real one, for odd $L$, is $-1$, at $j=(L-1)/2$. [checked: "conjugates"; "the real node"]
    2. So $\sum_{j<\lceil L/2\rceil}\operatorname{Re}\lambda_j^d=\frac12\sum_{j<L}e^{i\pi(2j+1)d/L}$, plus $\frac12(-1)^d$ for odd $L$, where $-1$ is its own conjugate and counts once on the left.
       [checked: "conjugates"; "the real node"] [prose]
    3. For $0<|d|<L$ the full sum is $e^{i\pi d/L}$ times a geometric sum of $q=e^{2\pi id/L}\ne1$ with $q^L=1$, so $0$; for $d=0$ it is $L$.
       [checked: "a geometric sum"; "exp(2 pi i d) = 1"; "|1 - exp(2 i t)|^2"] [prose]
    4. Hence $M^\top M=\frac L2I$, plus $\frac12ww^\top$ with $w_a=(-1)^a$ for odd $L$, whose eigenvalues are $\frac L2$ and $\frac L2+\frac12|w|^2=L$: condition $\sqrt2$. [checked: "the eigenvalues"; "second opinion"] [prose]
    """
    geometric_sums(proof)
    j, L = sympy.symbols("j L", integer=True, positive=True)
    turn = lambda a: sympy.exp(sympy.I * sympy.pi * a)  # noqa: E731
    proof.symbolically("conjugates: j and L - 1 - j have opposite angles", turn(angle(L - 1 - j, L) + angle(j, L)), 1, free="j, L")
    proof.symbolically("the real node has j = (L - 1)/2", turn(angle((L - 1) / 2, L)), -1, free="L")
    proof.symbolically("the eigenvalues for odd L have the ratio 2", (L / 2 + L / 2) / (L / sympy.Integer(2)), 2, free="L")
    with proof.beside():
        seen, expected = [], []
        for length in range(1, 13):
            V = recall_matrix(nodes_of(length), length)
            gram = adjoint(V) @ V
            seen.append([[(x + x.conjugate()) / 2 for x in row] for row in gram])
            w = np.array([fmpq((-1) ** i) for i in range(length)], dtype=object)
            expected.append((exact.identity(length) * fmpq(length, 2) + (np.outer(w, w) / 2 if length % 2 else 0)).tolist())
        proof.exactly("second opinion: M^T M for L <= 12", [a == b for a, b in zip(seen, expected, strict=True)], [True] * 12)
        proof.exactly(
            "second opinion: the number of units",
            [len(nodes_of(length)) for length in range(1, 13)],
            [(length + 1) // 2 for length in range(1, 13)],
        )
    for length in (2, 5, 8):
        proof.certificate("witness", f"L = {length}", field=2 * length, nodes=[x.coefficients for x in nodes_of(length)], length=length)
    proof.exhibit("L = 4: two units read four real inputs", nodes=["exp(i pi / 4)", "exp(3 i pi / 4)"], M="(Re V, Im V) with M^T M = 2 I")
