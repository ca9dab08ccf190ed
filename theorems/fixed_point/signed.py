"""Decays of any signs: which transitions a contractive mixer reaches, in given coordinates and in the best ones (after movahedi25, Eq. 4)."""

from __future__ import annotations

from random import Random

import numpy as np
import sympy
from flint import fmpq

from ...constructions import samples
from ...constructions.fixed_point import mixer_for
from ...constructions.fixed_point.bases import blocking_matrix, contraction_form, mixer_of_singular, reflection, reflection_decay
from ...numerics import exact
from ...numerics.aliases import Exact
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof
from .transitions import is_strict_contraction

KNOWN_LYAPUNOV = (
    "positive diagonal solutions of the Lyapunov inequality, and the dual X (Barker, Berman, Plemmons, Linear and Multilinear Algebra 5 (1978) 249; Kaszkurewicz and Bhaya, Matrix Diagonal "
    "Stability, 2000). New is that signed decays of the ungated layer are this problem"
)


def _diagonal(entries: Array) -> Array:
    zero: Exact = fmpq(0)
    return np.where(np.eye(len(entries)) == 1, entries[:, None], zero)


#: (what, A, decay): the decay is right up to a factor
REACHED = (
    ("a turn by 106 degrees", [["-7/25", "-24/25"], ["24/25", "-7/25"]], [-1, -1]),
    ("a mirror of the plane", [["-3/5", "4/5"], ["4/5", "3/5"]], [-1, 1]),
    ("-1", [[-1]], [-1]),
    ("no symmetry, three signs", [[2, 1, 0], [-1, -3, 1], [0, 2, 1]], [1, -1, 1]),
)


@claim(
    "new.fixed-point.signed-decay",
    place="after Eq. 4",
    title="with diagonal Λ of any signs the mixer of A contracts iff Λ A + Aᵀ Λ − Λ² is positive definite",
    says=r"For invertible $A$ and diagonal $\Lambda$: $\|I-\Lambda A^{-1}\|<1$ iff $\Lambda A+A^\top\Lambda-\Lambda^2$ is positive definite. So some $\Lambda$ does iff some $\Lambda$ makes "
    r"$\Lambda A+A^\top\Lambda$ positive definite; then $\lambda_i$ has the sign of $a_{ii}\ne0$. None does iff $\operatorname{diag}(AX)=0$ for a positive semidefinite $X\ne0$. A singular $A$ is $Q^{-1}\Lambda$ with "
    r"$\|I-Q\|<1$ iff its part $A_{SS}$ can be had so, $S$ the places of its nonzero columns.",
    known=KNOWN_LYAPUNOV,
    remarks=(
        "For Lambda = c I, c > 0, the criterion is that A + A^T - c I is positive definite: some c does iff A + A^T is positive definite, and for an orthogonal A iff all its angles are below 90 degrees.",
    ),
    construction="lemmata.constructions.fixed_point.bases.contraction_form",
    sabotages={
        "without Lambda^2": {"form": lambda A, lam: lam[:, None] * A + (lam[:, None] * A).T},
        "decays of one sign": {"sign": abs},
        "X = I": {"dual": lambda u: exact.identity(len(u))},
    },
)
def signed_decays(proof: Proof, form=contraction_form, sign=lambda s: s, dual=blocking_matrix) -> None:
    r"""The length that $I-Q$ takes from a vector is a quadratic form, and diagonal decays enter it row by row.

    1. $(I-Q)Ax=(A-\Lambda)x$. With $y=Ax$, $z=\Lambda x$: $|y|^2-|y-z|^2=2y\cdot z-|z|^2=x\cdot(\Lambda A+A^\top\Lambda-\Lambda^2)x$, and $y$ runs through all vectors as $x$ does. A form that is positive on the unit sphere has a
       positive least value there. [checked: "|y|^2 - |y - z|^2 = 2 y.z - |z|^2"; "2 (Lambda x).(A x) is the form of Lambda A + A^T Lambda"] [cited: a continuous function on a compact set attains its least value] [prose]
    2. If the form of $\Lambda$ is positive definite, so is $\Lambda A+A^\top\Lambda$, which is larger by $\Lambda^2\ge0$. If that is at least $\mu>0$ and $|\lambda_i|\le\ell$, then $t\Lambda$ has a form at least $t\mu-t^2\ell^2>0$ for small
       $t>0$, such as $t=\mu/(2\ell^2)$. [checked: "t mu - t^2 l^2 > 0"] [prose]
    3. A positive definite matrix has a positive diagonal: $2\lambda_ia_{ii}>0$. [prose]
    4. $\operatorname{tr}\bigl((\Lambda A+A^\top\Lambda)X\bigr)=2\sum_i\lambda_i(AX)_{ii}$. If the left matrix is positive definite and $X\ne0$ positive semidefinite, the trace is positive; if $\operatorname{diag}(AX)=0$, it is $0$. Conversely, if
       the subspace of all $\Lambda A+A^\top\Lambda$ misses the open convex cone of positive definite matrices, some $X\ne0$ has trace $0$ with the subspace and trace at least $0$ with the cone: it is positive semidefinite. [cited: separation of convex sets]
       [checked: "the trace is twice the sum of lambda_i (A X)_ii"] [prose]
    5. $A$ singular. $QA=\Lambda$ makes $\lambda_j=0$ where column $j$ is $0$; so $F=I-Q$ has to take $A_Sx$ to $(A-\Lambda)_Sx$ for $x\in\mathbb R^S$, and $|A_Sx|^2-|(A-\Lambda)_Sx|^2=x\cdot(\Lambda_SA_{SS}+A_{SS}^\top\Lambda_S-\Lambda_S^2)x$ as in
       step 1. If this is positive definite, $\Lambda_SA_{SS}$ is invertible, the columns $A_S$ are independent, and $F$, put to $0$ on the complement of their span, has norm below $1$; then $Q$ is invertible.
       [checked: "|y|^2 - |y - z|^2 = 2 y.z - |z|^2"; "2 (Lambda x).(A x) is the form of Lambda A + A^T Lambda"] [prose]

    Beside the argument the machine goes through regular, blocked and singular matrices.
    """
    yy, yz, zz = sympy.symbols("yy yz zz")
    proof.symbolically("|y|^2 - |y - z|^2 = 2 y.z - |z|^2", yy - (yy - 2 * yz + zz), 2 * yz - zz, "y, z of any size")
    li, lj, aij, aji, xi, xj, x = sympy.symbols("lambda_i lambda_j a_ij a_ji x_i x_j x_ij")  # X is symmetric: x_ij = x_ji
    proof.symbolically(
        "2 (Lambda x).(A x) is the form of Lambda A + A^T Lambda: its terms at (i, j) and (j, i)",
        2 * (li * xi * aij * xj + lj * xj * aji * xi),
        xi * (li * aij + aji * lj) * xj + xj * (lj * aji + aij * li) * xi,
        "entries at any pair i, j; with i = j too",
    )
    mu, size = sympy.symbols("mu l", positive=True)
    t = mu / (2 * size**2)
    proof.holds("t mu - t^2 l^2 > 0 at t = mu/(2 l^2)", (t * mu - t**2 * size**2).is_positive is True, free="mu, l > 0")
    proof.symbolically(
        "the trace is twice the sum of lambda_i (A X)_ii: its terms at (i, j) and (j, i)",
        (li * aij + aji * lj) * x + (lj * aji + aij * li) * x,
        2 * (li * aij * x + lj * aji * x),
        "entries at any pair i, j; with i = j too",
    )
    with proof.beside():
        _matrices_of_each_kind(proof, form, sign, dual)
    u = exact.rationals([1, 1, 1])
    proof.exhibit("no Lambda for this mirror, by X", A=reflection(u), X=dual(u))


def _matrices_of_each_kind(proof: Proof, form, sign, dual) -> None:
    """Instances: matrices that are reached, a mirror that is not, singular matrices."""
    for what, rows, signs in REACHED:
        A, lam = exact.rationals(rows), exact.rationals([sign(s) for s in signs])
        verdicts = [is_strict_contraction(exact.identity(len(A)) - mixer_for(A, t * lam)) for t in (fmpq(1, 20), fmpq(2))]
        for t, contracts in zip((fmpq(1, 20), fmpq(2)), verdicts, strict=True):
            proof.exactly("contracts iff the form is positive definite", contracts, exact.is_positive_definite(form(A, t * lam)))
        proof.holds("a small multiple contracts, a large one not", verdicts[0] and not (len(A) > 1 and verdicts[1]))
        proof.holds("the diagonal of the form: lambda_i a_ii > 0", all(lam[i] * A[i, i] > 0 for i in range(len(A))))
        proof.certificate("witness", what, A=A, decay=lam / 20, blocked=[])
    u = exact.rationals([1, 1, 1])
    blocked, X = reflection(u), dual(u)
    proof.holds("X is positive semidefinite, not 0", exact.is_positive_semidefinite(X) and exact.rank(X) > 0)
    proof.exactly("diag(A X) = 0, though no a_ii is 0", np.diag(blocked @ X), exact.zeros(3))
    proof.certificate("witness", "the mirror along (1, 1, 1)", A=blocked, decay=[], blocked=X)
    for rows, lam in (([[0, 5], [0, -3]], [0, -2]), ([[0, 0], [0, 0]], [0, 0]), ([[2, 0, 1], [4, 0, 0], [1, 0, 2]], [1, 0, 1])):
        A, lam = exact.rationals(rows), exact.rationals(lam)
        Q = mixer_of_singular(A, lam)
        proof.exactly("Q A = Lambda for a singular A", Q @ A, _diagonal(lam))
        proof.holds("its mixer contracts", is_strict_contraction(exact.identity(len(A)) - Q))


# -- the best coordinates ------------------------------------------------------------------------------------------------------


def _in_small_blocks(epsilon: fmpq) -> tuple[Array, Array]:
    """(J, signs): eigenvalues 1/5 +- i twice, coupled by epsilon, and -1/5 twice, coupled by epsilon."""
    J = exact.zeros(6, 6)
    turn = exact.rationals([["1/5", -1], [1, "1/5"]])
    J[:2, :2], J[2:4, 2:4], J[:2, 2:4] = turn, turn, exact.identity(2) * epsilon
    J[4, 4] = J[5, 5] = fmpq(-1, 5)
    J[4, 5] = epsilon
    return J, exact.rationals([1, 1, 1, 1, -1, -1])


@claim(
    "new.fixed-point.signed-decay.basis",
    place="after Eq. 4",
    title="in some coordinates A has a contractive mixer iff it has no imaginary eigenvalue, 0 aside where semisimple",
    says=r"There are an invertible $T$ and a diagonal $\Lambda$ such that $TAT^{-1}=Q^{-1}\Lambda$ with $\|I-Q\|<1$ iff $A$ has no eigenvalue $i\omega\ne0$, $\omega$ real, and $0$ is no eigenvalue or a semisimple one. So a quarter "
    r"turn, and a letter that permutes four states in a cycle in its representation on $\mathbb R^3$, contract in no coordinates.",
    known="Ostrowski and Schneider (J. Math. Anal. Appl. 4 (1962) 72): SA + A^T S > 0 for some symmetric S iff A has no imaginary eigenvalue; in coordinates that diagonalise S this is the Lambda",
    construction="lemmata.constructions.fixed_point.bases.contraction_form",
    sabotages={
        "couplings as large as the real parts": {"epsilon": fmpq(1)},
        "a turn by 60 degrees as a quarter turn": {"cycle": lambda: exact.rationals([[1, -1, 0], [1, 0, 0], [0, 0, -1]])},
    },
)
def best_coordinates(
    proof: Proof, epsilon: fmpq = fmpq(1, 10), cycle=lambda: exact.rationals([[0, 0, -1], [1, 0, -1], [0, 1, -1]])
) -> None:
    r"""An imaginary eigenvalue makes the form vanish in every coordinates; without one, Jordan's form with small couplings makes it positive.

    1. Let $Aa=-\omega b$, $Ab=\omega a$ for real $a,b$, not both $0$, and $S$ symmetric. $a\cdot(SA+A^\top S)a+b\cdot(SA+A^\top S)b=-2\omega\,a\cdot Sb+2\omega\,b\cdot Sa=0$. So $SA+A^\top S$ is not positive definite; for invertible $A$ take
       $S=T^\top\Lambda T$, whose form is that of $TAT^{-1}$ in other coordinates. [checked: "the form is 0 on an imaginary pair"] [uses: new.fixed-point.signed-decay] [prose]
    2. The $4$-cycle on $\mathbb R^3=\{x:\sum x_i=0\}$ has the characteristic polynomial $(x^2+1)(x+1)$, a quarter turn $x^2+1$. [checked: "the 4-cycle has the eigenvalues i, -i, -1"; "a quarter turn has the eigenvalues i, -i"]
    3. Conversely let $T$ bring $A$ to real Jordan blocks with couplings $\varepsilon$, and $\Lambda$ be the sign of the block's real part $r$. On a block $v_1,\dots,v_m$ of numbers or pairs the form is $2r\sum|v_k|^2+2\varepsilon\sum v_k\cdot v_{k+1}$ up to that sign; $2v_k\cdot v_{k+1}\ge-|v_k|^2-|v_{k+1}|^2$, and
       each $v_k$ is in two couplings at most: so it is at least $2(|r|-\varepsilon)|v|^2$, positive for $\varepsilon<|r|$. A small multiple of $\Lambda$ contracts. [cited: the real Jordan form] [checked: "a coupling is bounded below"] [uses: new.fixed-point.signed-decay] [prose]
    4. $A$ singular. If $TAT^{-1}=Q^{-1}\Lambda$, its nonzero columns $S$ are independent and the block on $S$ is invertible; the other columns are $0$, so $0$ has as many eigenvectors as zero columns, which is its multiplicity, and the other eigenvalues are those of the block.
       Conversely a semisimple $0$ splits off as a block of zeros. [uses: new.fixed-point.signed-decay] [prose]

    Beside the argument the machine goes through one matrix of size 6 with small couplings.
    """
    w, s, ai, aj, bi, bj = sympy.symbols("omega s_ij a_i a_j b_i b_j")  # S is symmetric: s_ij = s_ji
    a_part = 2 * s * (ai * (-w * bj) + aj * (-w * bi))  # 2 a.S(A a), its terms at (i, j) and (j, i)
    b_part = 2 * s * (bi * (w * aj) + bj * (w * ai))
    proof.symbolically(
        "the form is 0 on an imaginary pair: its terms at (i, j) and (j, i)", a_part, -b_part, "omega, entries at any pair i, j"
    )
    C = cycle()
    for A in proof.every("the 4-cycle", [C], limited=False):
        chi = list(exact.characteristic_polynomial(A).coeffs())
        proof.exactly("the 4-cycle has the eigenvalues i, -i, -1", chi, [fmpq(1), fmpq(1), fmpq(1), fmpq(1)])
    for A in proof.every("the quarter turn", [exact.rationals([[0, -1], [1, 0]])], limited=False):
        chi = list(exact.characteristic_polynomial(A).coeffs())
        proof.exactly("a quarter turn has the eigenvalues i, -i", chi, [fmpq(1), fmpq(0), fmpq(1)])
    v, w = sympy.symbols("v w")  # entries of v_k and v_(k+1)
    proof.symbolically(
        "a coupling is bounded below: v^2 + w^2 + 2 v w is a square", v**2 + w**2 + 2 * v * w, (v + w) ** 2, "v, w, entry by entry"
    )
    J, signs = _in_small_blocks(epsilon)
    form = signs[:, None] * J
    with proof.beside():
        proof.holds("the form of the blocks is positive definite", exact.is_positive_definite(form + form.T))
    T = samples.basis(Random(5), 6)
    A = exact.multiply(exact.inverse(T), J, T)
    F = exact.identity(6) - mixer_for(exact.multiply(T, A, exact.inverse(T)), signs / 20)
    with proof.beside():
        proof.holds("a small multiple contracts, in the coordinates of T", is_strict_contraction(F))
    proof.certificate("witness", "eigenvalues 1/5 +- i twice and -1/5 twice, coupled", A=A, basis=T, decay=signs / 20, pair=[], omega=0)
    proof.certificate("witness", "a 4-cycle: A a = b, A b = -a", A=C, basis=[], decay=[], pair=[[1, 1, 0], [0, 1, 1]], omega=-1)


# -- one reflection ------------------------------------------------------------------------------------------------------------


@claim(
    "new.fixed-point.reflections",
    place="after Eq. 4",
    title="a reflection has a contractive mixer iff its normal is less than 45 degrees from an axis; the least norm, exactly",
    says=r"For $|u|=1$, $A=I-2uu^\top$, $Q=\Lambda A^{-1}$: some diagonal $\Lambda$ has $\|I-Q\|<1$ iff $u_i^2>\frac12$ for some $i$; then the least $\|I-Q\|$ is $2|u_i|\sqrt{1-u_i^2}$, at $\Lambda=(2u_i^2-1)(I-2e_ie_i^\top)$. "
    r"If all $u_i^2\le\frac12$, then $\operatorname{diag}(AX)=0$ for $X=\bigl(u_ju_k(1+q_j\cdot q_k)\bigr)$, $q_j$ the directions of a closed polygon with sides $u_j^2$.",
    known=KNOWN_LYAPUNOV + "; that the sides of a closed polygon are those none of which exceeds the others together is classical",
    construction="lemmata.constructions.fixed_point.bases.reflection_decay",
    sabotages={
        "decays of one sign": {"decay": lambda u: abs(reflection_decay(u))},
        "all q equal": {"dual": lambda u: np.outer(u, u) * fmpq(2)},
    },
)
def near_an_axis(proof: Proof, decay=reflection_decay, dual=blocking_matrix) -> None:
    r"""A sign at one axis turns the reflection into a rotation by twice the angle between axis and normal.

    1. $A$ is orthogonal, so $\|I-Q\|=\|(I-Q)A\|=\|A-\Lambda\|$. Column $i$ of $A-\Lambda$ has $\sum_{j\ne i}4u_i^2u_j^2=4u_i^2(1-u_i^2)$ outside the diagonal, whatever $\Lambda$ is: the norm is at least $2|u_i|\sqrt{1-u_i^2}$.
       [checked: "column i outside the diagonal"] [prose]
    2. Let $u_i=\cos\varphi$, $D=I-2e_ie_i^\top$, $c=\cos2\varphi=2u_i^2-1>0$, $\Lambda=cD$. On the plane of $e_i$ and $u$, $DA$ is a rotation by $\pm2\varphi$, and $|(DA-c)x|^2=(1-2c\cos2\varphi+c^2)|x|^2=(1-c^2)|x|^2$; on its complement $DA=1$ and
       $(1-c)^2\le1-c^2$. So the norm is $\sqrt{1-c^2}=2|u_i|\sqrt{1-u_i^2}$. [checked: "on the plane the square is 1 - c^2"; "on its complement it is less"; "1 - c^2 = 4 p (1 - p)"] [prose]
    3. If no $p_j=u_j^2$ exceeds $\frac12=\frac12\sum p_k$, there is a closed polygon with sides $p_j$: unit $q_j$ with $\sum p_jq_j=0$. For put the $p_j$ into three groups, the middle one with the single
       $p_j$ at which their running sum passes $\frac12$: no group has more than $\frac12$, so the sums are sides of a triangle, and each group takes one direction. [checked: "the triangle closes"] [prose] $X$ is the Gram matrix of the vectors $u_j(s+q_j)$, $s$ a unit vector orthogonal to all $q_j$,
       and $(AX)_{jj}=2p_j-2p_j\sum_kp_k(1+q_j\cdot q_k)=2p_j-2p_j(1+0)=0$. [checked: "(A X)_jj = 0"]
    4. Such an $X$ forbids every $\Lambda$. [uses: new.fixed-point.signed-decay]

    Beside the argument the machine goes through mirrors on both sides of $45^\circ$.
    """
    p, t = sympy.symbols("p t")
    proof.symbolically(
        "column i outside the diagonal: 4 p sum of the other p_j", 4 * p * (1 - p), 1 - (1 - 2 * p) ** 2, "p = u_i^2; the sum is 1 - p"
    )
    u = sympy.Matrix([1 - t**2, 2 * t]) / (1 + t**2)  # every unit vector but one, t = tan(phi/2)
    c = 2 * u[0] ** 2 - 1
    F = sympy.eye(2) - 2 * u * u.T - c * sympy.diag(-1, 1)
    for i, j in ((0, 0), (0, 1), (1, 1)):
        entry = sympy.cancel((F.T * F)[i, j])
        proof.symbolically(
            "on the plane the square is 1 - c^2", entry, sympy.cancel((1 - c**2) * int(i == j)), "normals (1 - t^2, 2 t)/(1 + t^2)"
        )
    k = sympy.Symbol("c")
    proof.symbolically("on its complement it is less: 1 - c^2 - (1 - c)^2 = 2 c (1 - c)", 1 - k**2 - (1 - k) ** 2, 2 * k * (1 - k), "c")
    proof.symbolically("1 - c^2 = 4 p (1 - p) for c = 2 p - 1", 1 - (2 * p - 1) ** 2, 4 * p * (1 - p), "p")
    p1, p2, p3 = sympy.symbols("p1:4")  # the sides of a triangle; coordinates in one group share a direction
    inner = p1 + p2 * (p3**2 - p1**2 - p2**2) / (2 * p1 * p2) + p3 * (p2**2 - p1**2 - p3**2) / (2 * p1 * p3)  # q_1 . sum p_k q_k
    proof.symbolically("the triangle closes: q_j . sum p_k q_k = 0", inner, sympy.Integer(0), "sides p_k")
    proof.symbolically(
        "(A X)_jj = 0", 2 * p - 2 * p * (p1 + p2 + p3 + inner).subs(p3, 1 - p1 - p2), sympy.Integer(0), "p_j; sides p_k of sum 1"
    )
    with proof.beside():
        _mirrors_on_both_sides(proof, decay, dual)
    proof.exhibit(
        "half of u.u in one coordinate is not enough: X forbids every Lambda",
        u=exact.rationals([3, 2, 2, 1]),
        X=dual(exact.rationals([3, 2, 2, 1])),
    )


def _mirrors_on_both_sides(proof: Proof, decay, dual) -> None:
    """Instances: normals less than 45 degrees from an axis, and others."""
    for entries in ([4, 2, 2, 1], [2, 1], [-3], [1, 0, 0], [1, -5, 3]):
        u = exact.rationals(entries)
        A, lam = reflection(u), decay(u)
        share = max(x * x for x in u) / (u @ u)
        room = exact.identity(len(u)) * (4 * share * (1 - share)) - (A - _diagonal(lam)).T @ (A - _diagonal(lam))
        attained = exact.is_positive_semidefinite(room) and exact.rank(room) < len(u)
        proof.holds("the norm is attained, and below 1", attained and 4 * share * (1 - share) < 1)
        proof.certificate("witness", f"the mirror along {entries}", u=u, decay=lam, X=[])
    for entries in ([1, 1], [1, 1, 1], [3, 2, 2, 1], [-1, 2, 0, 3, 2, 1]):
        u = exact.rationals(entries)
        X = dual(u)
        proof.holds("X is positive semidefinite, not 0", exact.is_positive_semidefinite(X) and exact.rank(X) > 0)
        proof.exactly("diag(A X) = 0", np.diag(reflection(u) @ X), exact.zeros(len(u)))
        proof.certificate("witness", f"the mirror along {entries}", u=u, decay=[], X=X)
