"""From dense to diagonal recurrences, and from encoded tokens back to tokens (orvieto24, Sec. 2 and 3.1)."""

from __future__ import annotations

import sympy

from ..claim import claim
from ..evidence import Proof


def towards(A: sympy.Matrix, e: sympy.Symbol) -> sympy.Matrix:
    """A + e (D - A) with D = diag(1, ..., N): A at e = 0, and N different eigenvalues at e = 1."""
    return A + e * (sympy.diag(*range(1, A.rows + 1)) - A)


def generic(n: int, m: int, name: str) -> sympy.Matrix:
    """An n x m matrix of symbols."""
    return sympy.Matrix(n, m, lambda i, j: sympy.Symbol(f"{name}{i}{j}"))


@claim(
    "orvieto24.sec2.diagonal",
    place="Sec. 2, Diagonal Linear RNNs, before and after Eq. 2",
    title="every matrix is a limit of diagonalisable ones, and the head can take in the basis, however ill-conditioned",
    says=r"For every $A$ all but finitely many $A+e(D-A)$, $D=\operatorname{diag}(1,\dots,N)$, are diagonalisable. With $A=Q\Lambda Q^{-1}$, $x_k=Ax_{k-1}+Bu_k$ is $Qz_k$ for $z_k=\Lambda z_{k-1}+Q^{-1}Bu_k$, so $g(x_k)=(g\circ Q)(z_k)$. "
    r"For $\begin{pmatrix}\lambda&1\\e&\lambda\end{pmatrix}$, columns of unit length, $\kappa(Q)\ge e^{-1/2}$.",
    reading="'without loss of generality' as: for the maps from inputs to outputs at a given length, up to any error; conditioning is not spoken of there",
    remarks=(
        "A delay line is not diagonalisable, and its diagonalisable neighbours have ill-conditioned eigenvectors; what that costs the head is orvieto24.prop2.penalty.",
    ),
    sabotages={
        "a line towards the identity": {"line": lambda A, e: A + e * (sympy.eye(A.rows) - A)},
        "the input is not changed to the new basis": {"drive": lambda Q, B: B},
        "well-conditioned eigenvectors": {"kappa": lambda r: sympy.Integer(1)},
    },
)
def diagonal_without_loss(proof: Proof, line=towards, drive=lambda Q, B: Q.inv() * B, kappa=lambda r: 1 / r) -> None:
    r"""The discriminant along a line through $A$ is a polynomial that is not $0$ at the other end.

    1. The discriminant of the characteristic polynomial of $A+e(D-A)$ is a polynomial in $e$; at $e=1$ it is $\prod_{i<j}(i-j)^2\ne0$. So it has finitely many zeros, and near $e=0$, $e\ne0$, all eigenvalues differ.
       [checked: "the discriminant at e = 1"] [prose]
    2. $Qz_k=Q\Lambda z_{k-1}+Bu_k=AQz_{k-1}+Bu_k$: by induction $x_k=Qz_k$. [checked: "a step in the basis of eigenvectors"] [prose]
    3. States of finitely many steps depend continuously on $A$. [prose]
    4. $\begin{pmatrix}\lambda&1\\r^2&\lambda\end{pmatrix}$ has the eigenvectors $(1,\pm r)$, which are orthogonal to $(r,\mp1)$; $Q=\begin{pmatrix}1&1\\r&-r\end{pmatrix}$ has the singular values $\sqrt2$ and $\sqrt2r$.
       [checked: "the eigenvectors"; "the singular values"] Both columns have one length, so scaling them alike changes no condition number. [prose]
    """
    e = sympy.Symbol("e")
    for n in proof.every("N = 2, 3, entries free", (2, 3), limited=True):
        x = sympy.Symbol("x")
        discriminant = sympy.discriminant(line(generic(n, n, "a"), e).subs(e, 1).charpoly(x).as_expr(), x)
        proof.exactly(
            "the discriminant at e = 1",
            sympy.simplify(discriminant),
            sympy.prod((i - j) ** 2 for i in range(n) for j in range(i)),
            free="A",
        )
    Q, L = generic(2, 2, "q"), sympy.diag(*sympy.symbols("l0 l1"))
    z, B, u = generic(2, 1, "z"), generic(2, 1, "b"), sympy.Symbol("u")
    step = Q * (L * z + drive(Q, B) * u) - (Q * L * Q.inv() * Q * z + B * u)
    proof.exactly("a step in the basis of eigenvectors", list(sympy.simplify(step)), [0, 0], free="Q, Lambda, z, B, u")
    r, lam = sympy.symbols("r lambda", positive=True)
    A, vectors = sympy.Matrix([[lam, 1], [r**2, lam]]), sympy.Matrix([[1, 1], [r, -r]])
    proof.exactly("the eigenvectors", list((A * vectors - vectors * sympy.diag(lam + r, lam - r)).expand()), [0] * 4, free="r, lambda")
    proof.exactly("the singular values", list((vectors * vectors.T).expand()), [2, 0, 0, 2 * r**2], free="r")
    proof.symbolically("their quotient", sympy.sqrt(2 / (2 * r**2)), kappa(r), free="r")


@claim(
    "orvieto24.sec3.1.encoder",
    place="Sec. 3.1, after Theorem 3",
    title="an injective encoder can be undone, and errors grow by at most the norm of its left inverse",
    says=r"For $e(v)=Ev+c$ with $\operatorname{rank}E=M$, $E^+=(E^\top E)^{-1}E^\top$: $v-v'=E^+(e(v)-e(v'))$, so $|v-v'|\le\|E^+\|\,|e(v)-e(v')|$, with equality for some pair.",
    reading="'as typically H >= M' as: for an injective encoder, which H >= M allows",
    remarks=("H >= M alone does not give it: the encoder 0 keeps nothing.",),
    sabotages={"the transpose for the inverse": {"left": lambda E: E.T}},
)
def tokens_from_codes(proof: Proof, left=lambda E: (E.T * E).inv() * E.T) -> None:
    r"""$E^+E=I$.

    1. $E^\top E$ is invertible for injective $E$, and $(E^\top E)^{-1}E^\top E=I$; the bias cancels in differences. [checked: "the left inverse"] [prose]
    2. Equality: a least singular vector $d$ has $|Ed|=|d|/\|E^+\|$. In the plane, $E=\operatorname{diag}(s,t)$, $s\le t$: $d=e_1$. [checked: "equality along the least singular vector"] [prose]
    """
    for h, m in proof.every("(H, M) = (1, 1), (2, 1), (2, 2), (3, 2), entries free", ((1, 1), (2, 1), (2, 2), (3, 2)), limited=True):
        E = generic(h, m, "e")
        proof.exactly("the left inverse", list(sympy.simplify(left(E) * E - sympy.eye(m))), [0] * (m * m), free="E of rank M")
    s, more = sympy.symbols("s more", positive=True)
    E = sympy.diag(s, s + more)
    d, inverse = sympy.Matrix([1, 0]), left(E)
    proof.symbolically("equality along the least singular vector", (inverse * E * d).norm(), inverse[0, 0] * (E * d).norm(), free="s, t")
