"""Formulas and misprints of lizaire26 on products: the CP form (Eq. 5), and lists, indices and shapes in App. A.1.3 and A.7 to A.10."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import sympy
from flint import fmpq

from ...constructions.bilinear import SecondOrderLayer, bilinear_layer, cp_layer, degrees_in, run, variables
from ...numerics import exact
from ..claim import claim
from ..evidence import Proof
from .degrees import network_data, products_of_one_entry

# -- Definition 4 and Eq. 5 (App. A.1.3) ---------------------------------------------------------------------------------------------


@claim(
    "lizaire26.eq5",
    place="App. A.1.3, Eq. 5",
    title="with a CP decomposition the bilinear term is a product of three matrices, C diag(Aᵀ h) Bᵀ y",
    says=r"$[[A,B,C]]\times_1h\times_2y=C\operatorname{diag}(A^\top h)B^\top y$ for all sizes and every rank.",
    sabotages={
        "the two sides are added, which the kernel refutes": {"theorem": "ranks.three_matrices_added"},
        "the factors are added": {"combine": lambda p, q: p + q},
    },
)
def three_matrices(proof: Proof, combine: Callable[..., Any] = lambda p, q: p * q, theorem: str = "ranks.three_matrices") -> None:
    r"""An induction over the sizes: $P=\sum_ia_ih_i$ and $Q=\sum_jb_jy_j$ for one rank-one term, $c$ a component of its third vector.

    1. The term $\sum_{i,j}a_ib_jc\,h_iy_j$ is $PQc$ for empty sums. [checked: "no component"]
    2. A component more of $h$ adds $a\,h\,Q\,c$, and one more of $y$ adds $P\,b\,y\,c$. [checked: "a component more of h"; "a component more of y"] [prose]
    3. Both sides are sums over the rank-one terms. [prose]
    """
    proof.formally("the kernel: three matrices", theorem, whole="all sizes and every rank", differs="any field for the reals")
    P, Q, a, b, c, h, y = sympy.symbols("P Q a b c h y")
    proof.symbolically("no component", combine(0, 0) * c, 0, "c")
    proof.symbolically("a component more of h", combine(P + a * h, Q) * c, combine(P, Q) * c + a * h * Q * c, "P, Q, a, h, c")
    proof.symbolically("a component more of y", combine(P, Q + b * y) * c, combine(P, Q) * c + P * b * y * c, "P, Q, b, y, c")


@claim(
    "lizaire26.appA1.3.parameters",
    place="App. A.1.3, before Definition 4",
    title="factors of rank R have at most 3 R d numbers in place of up to d³; for d₁ = d₂ = d₃ these are fewer iff R < d²/3",
    says=r"$R(d_1+d_2+d_3)\le3Rd$ for $d=\max d_i$, and for $d_1=d_2=d_3=d$ it is less than $d^3$ iff $R<\frac{d^2}3$.",
    sabotages={
        "four factors, which the kernel refutes": {"theorem": "ranks.fewer_numbers_of_four"},
        "four factors": {"factors": 4},
    },
)
def fewer_numbers(proof: Proof, factors: int = 3, theorem: str = "ranks.fewer_numbers") -> None:
    r"""Count the entries of the three factors.

    1. With $d_i=d-p_i$, $p_i\ge0$: $3Rd-R(d_1+d_2+d_3)=R(p_1+p_2+p_3)\ge0$. [checked: "what is left of 3 R d"; "it is not negative"]
    2. $d^3-3Rd=3d\,(\frac{d^2}3-R)$, which has the sign of $\frac{d^2}3-R$. [checked: "the difference for equal sizes"]
    """
    proof.formally("the kernel: the counts", theorem, whole="all sizes and every rank", differs="3 R < d^2 for R < d^2 / 3")
    R, d = sympy.symbols("R d", positive=True)
    p = sympy.symbols("p1:4", nonnegative=True)
    left = 3 * R * d - R * sum(d - x for x in p)
    proof.symbolically("what is left of 3 R d", left, R * sum(p), "R, d, p")
    proof.holds("it is not negative", sympy.factor(left).is_nonnegative, free="R, p")
    proof.symbolically("the difference for equal sizes", d**3 - factors * R * d, 3 * d * (d**2 / 3 - R), "R, d")


@claim(
    "lizaire26.def4.shape",
    place="App. A.1.3, Definition 4",
    of="lizaire26.eq5",
    flaw="misprint",
    extracted=True,
    quotes=("A CP Recurrent Neural Network of depth L, hidden size n and rank R is parameterized by",),
    title="the first input matrix of Definition 4 has the shape d × n, and U x needs n × d",
    says=r"$U^{(1)}\in\mathbb R^{d\times n}$, and $U^{(1)}x_t\in\mathbb R^n$ for $x_t\in\mathbb R^d$.",
    reading="as printed; Definitions 1 and 2 have n x d. The extraction may have exchanged the exponents",
    letter="Definition 4 gives the first input matrix U^(1) the shape d x n. It should be n x d, as in Definitions 1 and 2, so that U^(1) x_t has n components.",
    sabotages={"n rows": {"shape": lambda n, d: (n, d)}},
)
def first_matrix_transposed(proof: Proof, shape: Callable[[int, int], tuple[int, int]] = lambda n, d: (d, n)) -> None:
    """For n = 2 and d = 1 a matrix of shape 1 x 2 cannot be applied to one number; applied to two it would give one."""
    n, d = 2, 1
    rows, columns = shape(n, d)
    proof.counterexample(
        given={"n": n, "d": d, "shape of U^(1)": (rows, columns)},
        words={"applies": columns != d, "returns": rows != n},
        minimal="n = 2, d = 1",
    )
    proof.certificate("witness", "n = 2, d = 1", n=n, d=d, matrix=exact.zeros(rows, columns) + 1)


# -- App. A.7 to A.10 ----------------------------------------------------------------------------------------------------------------


@claim(
    "lizaire26.thm3.list",
    place="App. A.7, A.7.1 and A.8 (strict inclusion)",
    flaw="misprint",
    extracted=True,
    quotes=(
        "Consider the function",
        "parameterized by",
    ),
    title="the network with L + 1 layers is listed with L: these reach degree L in x₁, not L + 1",
    says=r"The function with $\tilde h^{(L+1)}_2=\operatorname{diag}(x_1)^{L+1}x_2$ is parameterized by $\{\tilde{\mathcal A}^{(l)}_{ijk}=\delta_{ijk},\tilde h^{(l)}_0=(1,\dots,1)\}_{l=1}^L$.",
    reading="as printed at three places; the text around has L + 1 layers",
    letter="In App. A.7, A.7.1 and A.8 the parameters of the network with L + 1 layers are listed for l = 1, ..., L. They should run to L + 1. L layers give diag(x_1)^L x_2, for L = 1 the product x_1 x_2.",
    sabotages={"L + 1 layers": {"layers": 2}},
)
def one_layer_too_few(proof: Proof, layers: int = 1) -> None:
    """n = d = 1 and L = 1: the listed layer gives h_2 = x_1 x_2, of degree 1 in x_1; two layers give x_1^2 x_2."""
    depth = 1
    network = products_of_one_entry(1, layers)
    state = run(network, variables(["x1", "x2"]))[-1][0]
    degrees = degrees_in(state, 0)
    proof.counterexample(
        given={"n": 1, "L": depth, "layers listed": layers, "h_2": str(state), "degrees in x_1": sorted(degrees)},
        words={"listed": layers == depth, "degree": max(degrees) != depth + 1},
        minimal="n = L = 1",
    )
    proof.certificate("witness", "L = 1", layers=network_data(network))


@claim(
    "lizaire26.thmA.7.1.display",
    place="App. A.7.1, the display for the second time step",
    flaw="misprint",
    extracted=True,
    quotes=("In the second time step, Lemma 1 can similarly be used to obtain", "for linear BIRNNs."),
    title="the last product for the second state has U of layer l in each factor, where that of layer k belongs",
    says=r"$h^{(l)}_2=\dots+\sum_j\bigl(\prod_{k=j+1}^l(\mathcal A^{(k)}\times_1h^{(k)}_1)^\top+U^{(l)}\bigr)(V^{(j)}h^{(j)}_1+b^{(j)})$; and the theorem is stated for linear BIRNNs.",
    reading="as printed; the display for the first step has U^(k). The extraction may explain the index, hardly the name",
    letter="In App. A.7.1 the last product in the display for h_2^(l) has U^(l) where U^(k) is meant. With U^(2) = 2, U^(3) = 1, b^(1) = 1 and all else 0, layer 3 is in the state 2. The display gives 1. The theorem there says 'for linear BIRNNs' and means 2RNNs.",
    sabotages={"two layers": {"factors": (2,)}},
)
def one_matrix_in_each_factor(proof: Proof, factors: tuple[int, ...] = (2, 1)) -> None:
    """n = 1: layer 1 has b = 1, layers 2 and 3 multiply by 2 and by 1. The state of layer 3 is 2; with U^(3) in both factors it would be 1. With two layers k = l is the only factor."""
    zero, one = exact.zeros(1, 1), exact.rationals([1])
    weights = [fmpq(0), *map(fmpq, factors)]
    layers = [
        SecondOrderLayer(exact.zeros(1, 1, 1), zero, exact.rationals([[u]]), one if level == 0 else exact.zeros(1), exact.zeros(1))
        for level, u in enumerate(weights)
    ]
    x = exact.rationals([0])
    state = run(layers, [x, x])[-1][0]
    printed = weights[-1] ** len(factors)
    proof.counterexample(
        given={"n": 1, "U": weights, "b of layer 1": 1, "all else": 0, "h_2 of the last layer": state, "printed": printed},
        words={"first": bool(layers[0].b[0] == 1), "state": bool(state != printed)},
        minimal="n = 1, l = 3",
    )
    proof.certificate("witness", "three layers of one unit", layers=network_data(layers))


@claim(
    "lizaire26.thm4.columns",
    place="App. A.9 (inclusion; first display of the strict inclusion)",
    flaw="misprint",
    weight="proof",
    extracted=True,
    quotes=("For a CPBIRNN of rank R+ 1 computing", "and all other dimensions of"),
    title="the columns from R on are kept, where those up to R are meant",
    says=r"$\tilde A^{(l)}_{ij}=A^{(l)}_{ij}$, $\tilde B^{(l)}_{ij}=B^{(l)}_{ij}$, $\tilde C^{(l)}_{ij}=C^{(l)}_{ij}$ for $j\ge R$ and $0$ elsewhere give $\tilde h=h$.",
    reading="as printed, j >= R; the extraction may have turned the sign",
    letter="In App. A.9 the columns j <= R should be kept, not those with j >= R: a network of rank 2 would lose its first column. For l >= 2 the factor B^(l) has n rows, not d. In the display after it, h_0 should stand for h_(t-1), and 'dim' is missing before Im.",
    sabotages={"columns up to R": {"kept": lambda j, rank: j <= rank}},
)
def the_wrong_columns(proof: Proof, kept: Callable[[int, int], bool] = lambda j, rank: j >= rank) -> None:
    """n = 3, R = 2, d = L = 1, A = C = (e_1, e_2), B = (1, 1), h_0 = (1, 1, 1): h_1 = (x, x, 0). With the columns j >= 2 alone it is (0, x, 0)."""
    rank = 2
    A, B = exact.identity(3)[:, :rank], exact.rationals([[1, 1]])
    start, x = exact.rationals([1, 1, 1]), exact.rationals([1])

    def extended(factor: np.ndarray) -> np.ndarray:
        out = exact.zeros(len(factor), rank + 1)
        for j in range(1, rank + 1):
            if kept(j, rank):
                out[:, j - 1] = factor[:, j - 1]
        return out

    first = lambda A, B: run([cp_layer(A, B, A, start)], [x])[-1]  # noqa: E731
    state, printed = first(A, B), first(extended(A), extended(B))
    proof.counterexample(
        given={"n": 3, "R": rank, "A = C": A, "B": B, "h_0": start, "x_1": x, "h_1": state, "printed": printed},
        words={"rank": rank < len(A), "state": not np.array_equal(state, printed)},
        minimal="n = 3, R = 2, d = L = 1",
    )
    proof.certificate("witness", "rank 2", factors=[A, B, A], initial=start, x=x)


@claim(
    "lizaire26.thm5.display",
    place="App. A.10, Lemma 4 and Theorem 5 (proofs)",
    flaw="misprint",
    extracted=True,
    quotes=("with the computation at each time step being",),
    title="the bilinear step is printed without its transpose: by Definition 2 it is the transpose of A ×₂ x that acts",
    says=r"$f_t=(\mathcal A\times_2x_t)f_{t-1}$, and $f:(\mathbb R^d)^n\to\mathbb R^n$ takes $(x_1,\dots,x_T)$.",
    reading="with the contraction of Definition 2, over the first index of A, and matrices indexed as they stand; the extraction may have lost the sign of transposition",
    letter="App. A.10 writes the bilinear step as (A x_2 x_t) f_(t-1). By Definition 2 it is the transpose that acts, as in Lemma 1. For n = 2, d = 1 and A_(1,1,2) = 1 alone, f_0 = e_1 goes to e_2, and the printed product is 0. "
    "The domain (R^d)^n should be (R^d)^T.",
    sabotages={"the transpose": {"printed": lambda M, f: M.T @ f}},
)
def a_lost_transpose(proof: Proof, printed: Callable[..., np.ndarray] = lambda M, f: M @ f) -> None:
    """n = 2, d = 1, A_(1,1,2) = 1 and all other entries 0, f_0 = e_1, x_1 = 1: f_1 = e_2. The matrix A x_2 x_1 has its only entry in row 1 and column 2, and sends e_1 to 0."""
    A, start, x = exact.zeros(2, 1, 2), exact.unit_vector(2, 0), exact.rationals([1])
    A[0, 0, 1] = fmpq(1)
    state = run([bilinear_layer(A, start)], [x])[-1]
    product = printed(A[:, 0, :], start)
    proof.counterexample(
        given={"n": 2, "d": 1, "A": A, "f_0": start, "x_1": x, "f_1": state, "printed": product},
        words={"step": bool((state == exact.unit_vector(2, 1)).all()), "product": not np.array_equal(state, product)},
        minimal="n = 2, d = 1, one step",
    )
    proof.certificate("witness", "one step", tensor=list(A), initial=start, x=x)
