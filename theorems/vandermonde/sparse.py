"""Inputs from a subspace of dimension P: how many units are needed, and how well they recall (orvieto24, Sec. 3.1.2, 4.1, App. E.2)."""

from __future__ import annotations

from itertools import combinations, product
from random import Random

import numpy as np
import sympy
from flint import arb, arb_mat, ctx, fmpq, nmod_mat

from ...constructions import samples
from ...constructions.vandermonde import diagonal_recurrence, recall_matrix
from ...numerics import exact
from ...numerics.cyclotomic import realify
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof
from .recall import pairs, random_nodes


def _generic_determinant(basis: Array) -> sympy.Poly:
    """det(V Psi) as a polynomial in P nodes."""
    length, p = basis.shape
    x = sympy.symbols(f"x1:{p + 1}")
    rows = [[sum(int(basis[j, c]) * x[i] ** (length - 1 - j) for j in range(length)) for c in range(p)] for i in range(p)]
    return sympy.Poly(sympy.Matrix(rows).det(method="berkowitz"), *x)


def _small_bases(length: int, width: int):
    """All 0/1 matrices Psi of full column rank with at most ``length`` rows and ``width`` columns."""
    for p in range(1, width + 1):
        for n in range(p, length + 1):
            columns = [c for c in product((0, 1), repeat=n) if any(c)]
            for chosen in combinations(columns, p):
                basis = np.array(chosen, dtype=object).T * fmpq(1)
                if exact.rank(basis) == p:
                    yield basis


@claim(
    "orvieto24.thm3",
    place="Theorem 3; Sec. 3.1.2 and 4.1",
    title="N = L units recall all inputs, and almost all choices of N = P units those from a space of dimension P",
    says=r"With $H=1$: $N\ge L$ distinct eigenvalues determine $u_{1:k}$ from $x_k$ for every $k\le L$. For inputs $u=\Psi\alpha$, $\Psi\in\mathbb C^{L\times P}$ of rank $P$, almost all choices of $P$ eigenvalues do, for "
    r"every $k\le L$, since $\operatorname{rank}V_k\Psi_k=\operatorname{rank}\Psi_k$; for $k=L$ no fewer do. With $H>1$ input dimensions, $H$ blocks of $L$ units determine all.",
    reading="complex inputs and a complex decoder; for real ones half as many units suffice (new.vandermonde.half-width). Psi_k is the first k rows of Psi, where columns are printed",
    remarks=(
        "Not every choice of P distinct eigenvalues serves: one unit with lambda = 1/2 does not see the inputs (1, -1/2). The paper assumes full rank of V_k Psi_k in so many words, and Section 4.1's "
        "'width N = P achieves perfect recall' is to be read with it.",
    ),
    sabotages={
        "a dependent column": {"spoil": lambda basis: np.hstack([basis[:, :1]] * basis.shape[1])},
        "every choice of distinct eigenvalues, which the kernel refutes": {"theorem": "subspaces.theorem3_every_choice"},
    },
)
def generic_eigenvalues(proof: Proof, spoil=lambda basis: basis, theorem: str = "subspaces.theorem3_subspace") -> None:
    r"""$\det(V\Psi)$ is a polynomial in the eigenvalues, and not the polynomial $0$.

    The kernel's proof takes another way, one eigenvalue after the other: as long as some input of the space is not seen, a further unit sees it unless its eigenvalue is a root of the input's polynomial.

    1. Without assumptions on the inputs this is Proposition 1, block by block. [uses: orvieto24.prop1, orvieto24.appC]
    2. Let $\Psi\in\mathbb C^{L\times P}$ have rank $P$. By Cauchy and Binet $\det(V\Psi)$ is the sum over $P$ rows of $\Psi$ of a maximal minor of $\Psi$ times a minor of $V$, and that minor is
       $\prod_{i<j}(\lambda_i-\lambda_j)$ times the Schur polynomial of a partition, a different one for different rows. Schur polynomials are linearly independent and some minor of $\Psi$ is not $0$, so
       $\det(V\Psi)$ is not the polynomial $0$. [uses: orvieto24.det] [cited: Cauchy and Binet; Jacobi's formula for Schur polynomials] [checked: "det(V Psi) is not"]
    3. So it vanishes on a set of measure $0$ only. For $k<L$ let $r=\operatorname{rank}\Psi_k\le P$; the same for a basis of the range of $\Psi_k$ and $r$ of the eigenvalues shows that $V_k$ is injective on this range
       for almost all choices; finitely many $k$ together exclude a set of measure $0$. [prose] [checked: "rank V_k Psi_k = rank Psi_k"]
    4. Where $V_k\Psi_k$ has the rank of $\Psi_k$, $u_{1:k}=\Psi_k(V_k\Psi_k)^+x_k$. Fewer than $P$ rows have a rank below $P$. [checked: "the inputs come back"; "P - 1 nodes"]
    """
    proof.formally("the kernel: N >= L units recall all inputs", "subspaces.theorem3_any_inputs")
    proof.formally("the kernel: no fewer than P units do for k = L", "subspaces.theorem3_no_fewer")
    proof.formally("the kernel: a grid with more numbers a side than the degree has such a choice", "almost_all.good_on_grids")
    proof.formally("the kernel: H blocks recall all inputs of H dimensions", "subspaces.theorem3_blocks")
    proof.formally(
        "the kernel: almost all choices of P eigenvalues keep all ranks, and recall",
        theorem,
        whole="every L, P, H, Psi and k <= L",
        differs="an infinite field; 'almost all': all but the zeros of a polynomial in the eigenvalues, not 0 everywhere and of degree at most P L (L - 1) / 2, so over C all but a set of measure 0",
    )
    length, width = proof.pick((3, 2), (4, 2), (4, 3))
    tried = 0
    for basis in proof.every(f"all 0/1 matrices Psi of full rank, L <= {length}, P <= {width}", _small_bases(length, width)):
        psi = spoil(basis) if basis.shape[1] > 1 else basis
        polynomial, nodes = _generic_determinant(psi), [fmpq(i + 2, 2 * i + 1) for i in range(psi.shape[1])]
        value = exact.determinant(recall_matrix(nodes, len(psi)) @ psi)
        proof.holds(
            "det(V Psi) is not the zero polynomial, and right at one place",
            not polynomial.is_zero and sympy.Rational(str(value)) == polynomial(*(sympy.Rational(str(x)) for x in nodes)),
        )
        tried += 1
    proof.holds("there are at least 30 of them", tried >= 30)
    rng = Random(86)
    count = proof.pick(8, 25, 60)
    for _ in proof.each(f"{count} random integer Psi, L <= 10, P <= 5, at random rational nodes, seed 86", range(count)):
        length = rng.randint(2, 10)
        p = rng.randint(1, min(length, 5))
        basis = samples.integers(rng, length, p)
        while exact.rank(basis) < p:
            basis = samples.integers(rng, length, p)
        nodes = [fmpq(x, 100) for x in sorted(rng.sample(range(-99, 100), p))]
        psi = spoil(basis) if p > 1 else basis
        V = recall_matrix(nodes, length)
        ranks = [exact.rank(V[:, length - k :] @ psi[:k]) for k in range(1, length + 1)]
        proof.exactly("rank V_k Psi_k = rank Psi_k for all k", ranks, [exact.rank(basis[:k]) for k in range(1, length + 1)])
        if ranks[-1] == p:
            u = psi @ samples.nonzero_vector(rng, p)
            state = diagonal_recurrence(nodes).run(list(u))[-1][:, 0]
            gram = (V @ psi).T @ (V @ psi)
            back = psi @ exact.inverse(gram) @ (V @ psi).T @ state
            proof.exactly("the inputs come back from the state", back, u)
        if p > 1:
            proof.holds("P - 1 nodes cannot do it", exact.rank(V[1:] @ basis) < p)
        if len(proof.certificates) < 5:
            proof.certificate("witness", f"L = {length}, P = {p}", nodes=nodes, basis=basis)


@claim(
    "orvieto24.thm3.eq7",
    place="Sec. 3.1.2, Eq. 7",
    flaw="gap",
    quotes=(r"Under the assumption that $\Gamma_k := V_k \Psi_k$ is full rank",),
    weight="hypothesis",
    root="orvieto24.eq7",
    title="for the first P − 1 steps the matrix that Eq. 7 inverts is singular, whatever the eigenvalues",
    says=r"$\Omega_k=\Psi_k(\Gamma_k^\top\Gamma_k)^{-1}\Gamma_k^\top$ with $\Gamma_k=V_k\Psi_k\in\mathbb C^{N\times P}$ recovers $v_{1:k}$ for every $k\le L$.",
    reading="'full rank' of Gamma_k as full column rank, which the inverse needs",
    letter="Gamma_k = V_k Psi_k has rank at most k. So for the first P - 1 steps Gamma_k^T Gamma_k is singular, whatever the eigenvalues. The pseudoinverse "
    "repairs Eq. 7: v_(1:k) = Psi_k Gamma_k^+ x_k, for every k and almost all eigenvalues.",
    sabotages={"as many steps as functions": {"steps": 2}},
)
def too_few_steps(proof: Proof, steps: int = 1) -> None:
    r"""$\Gamma_k=V_k\Psi_k$ has rank at most $k$: for $P=2$ and $k=1$, with $\Psi=I$ and the nodes $1/2$, $-1/2$, $\Gamma_1=\begin{pmatrix}1&0\\1&0\end{pmatrix}$ and $\Gamma_1^\top\Gamma_1=\operatorname{diag}(2,0)$."""
    nodes, basis = [fmpq(1, 2), fmpq(-1, 2)], exact.identity(2)
    gamma = recall_matrix(nodes, steps) @ basis[:steps]
    proof.counterexample(
        given={"N = P = L": 2, "k": steps, "nodes": nodes, "Psi": basis, "Gamma_k": gamma, "Gamma_k^T Gamma_k": gamma.T @ gamma},
        words={
            "nodes": len(set(nodes)) == 2,
            "rank": exact.rank(recall_matrix(nodes, 2) @ basis) == 2,
            "singular": exact.rank(gamma.T @ gamma) < 2,
        },
        minimal="P = 2, k = 1, every N",
    )
    proof.certificate("witness", "P = 2, k = 1", nodes=nodes, basis=basis, steps=steps)


# -- conditioning ------------------------------------------------------------------------------------------------------------


def _reconstruction(V: Array, psi: Array) -> Array:
    """Omega = Psi (V Psi)^+ for real V Psi of full column rank."""
    gamma = V @ psi
    return psi @ exact.inverse(gamma.T @ gamma) @ gamma.T


def _rational(vector) -> Array:
    """A vector near ``vector``, with denominators 1000."""
    return np.array([fmpq(round(float(x) * 1000), 1000) for x in vector], dtype=object)


def _towards_the_largest(gram: Array) -> Array:
    """A vector near an eigenvector of the largest eigenvalue: a column of gram^128, in thousandths of its largest entry.

    In the real form every eigenvalue is double, and a library of linear algebra chooses eigenvectors by its kernel; this is the same everywhere.
    """
    power = gram
    for _ in range(7):
        power = power @ power
    diagonal = list(np.diag(power))
    column = power[:, diagonal.index(max(diagonal))]
    return _rational(column / max(map(abs, column)))


@claim(
    "orvieto24.appE2.fewer",
    place="App. E.2, on Figure 9: 'the condition number also decreases as P decreases'",
    title="with fewer functions of one basis V Ψ is never worse conditioned",
    says=r"For every $V$ and $\Psi'=(\Psi,\psi)$ with $V\Psi'$ injective, $\kappa(V\Psi)\le\kappa(V\Psi')$.",
    reading="the P functions are the first of the P + 1, as with wavelets from coarse to fine; for each V, not on average",
    remarks=(
        "Nothing of the kind holds for the width N: the nodes 1 and -1 have kappa(V) = 1 for L = 2, and with the third node 0 it is more. The figure shows averages over random nodes.",
    ),
    sabotages={
        "the functions are scaled": {"first": lambda basis: basis[:, :-1] * 2},
        "a third node that repeats one": {"third": fmpq(1)},
    },
)
def fewer_functions_are_no_worse(proof: Proof, first=lambda basis: basis[:, :-1], third=fmpq(0)) -> None:
    r"""The Gram matrix of $V\Psi$ is a block of that of $V\Psi'$.

    1. $|V\Psi a|=|V\Psi'(a,0)|$ and $|a|=|(a,0)|$. So $|V\Psi a|/|a|$ lies between the least and the largest singular value of $V\Psi'$. [checked: "the Gram matrix of V Psi is a block"] [prose]
    2. For $V\Psi'$ injective all singular values count, and $\kappa$ is the quotient of the largest and the least. [prose]
    """
    rng = Random(91)
    count = proof.pick(4, 12, 40)
    for _ in proof.each(f"{count} random sets of 4 Gaussian-rational nodes, L = 4, P = 1, 2, seed 91", range(count)):
        V = realify(recall_matrix(random_nodes(rng, 4), 4))
        basis = samples.basis(rng, 8)[:, : rng.randint(2, 3)]
        gram, block = (B.T @ V.T @ V @ B for B in (basis, first(basis)))
        proof.exactly("the Gram matrix of V Psi is a block of that of V Psi'", block, gram[:-1, :-1])
    with proof.beside():
        grams = [W.T @ W for W in (recall_matrix(nodes, 2) for nodes in ([fmpq(1), fmpq(-1)], [fmpq(1), fmpq(-1), third]))]
        proof.holds(
            "a third node makes two worse",
            bool(grams[0][0, 0] == grams[0][1, 1] and grams[1][0, 0] != grams[1][1, 1] and not grams[1][0, 1]),
        )


@claim(
    "orvieto24.sec4.1.sparse",
    place="Sec. 4.1, Sparseness improves conditioning; App. E.2, Figure 12",
    title="for inputs from a subspace the reconstruction map is never worse conditioned than V, whatever the basis (N ≥ L)",
    says=r"Let $V=V_L$ be injective and $\Psi\in\mathbb R^{L\times P}$ of full column rank. $\Omega_L=\Psi(V\Psi)^+$ depends on the range of $\Psi$ only, and $\kappa(\Omega_L)\le\kappa(V)$, where $\kappa$ is the quotient of the "
    r"largest and the least singular value that is not $0$.",
    reading="Omega_L with conjugate transposes or, what is the same, the pseudoinverse",
    remarks=(
        "App. E.2 measures Omega = V Psi itself, which does depend on the basis: with the nodes 1 and -1, kappa(V) = 1, and kappa(V Psi) = kappa(Psi) is 2.6 for Psi = ((1, 1), (0, 1)). "
        "Its wavelets are orthonormal, and then kappa(V Psi) = kappa(Omega_L).",
    ),
    sabotages={
        "the map V Psi instead": {"reconstruction": lambda V, psi: (V @ psi).T},
        "a basis of another space": {"rebased": lambda psi, change: psi @ change + psi[::-1] * 0 + np.eye(*psi.shape, dtype=int)},
    },
)
def subspaces_are_no_worse(proof: Proof, reconstruction=_reconstruction, rebased=lambda psi, change: psi @ change) -> None:
    r"""A change of basis cancels in $\Omega_L$, and for an orthonormal basis $V\Psi$ stretches no more and no less than $V$ does.

    1. For invertible $G$, $V\Psi G$ has full column rank, so $(V\Psi G)^+=G^{-1}(V\Psi)^+$ and $\Psi G(V\Psi G)^+=\Psi(V\Psi)^+$. [checked: "Omega_L does not depend on the basis"]
    2. Take $\Psi$ orthonormal. Then $\Omega_L=\Psi(V\Psi)^+$ has the singular values of $(V\Psi)^+$ (and $0$), so $\kappa(\Omega_L)=\kappa(V\Psi)$. [checked: "it recalls the subspace"]
    3. $|V\Psi a|$ lies between $\sigma_{\min}(V)|a|$ and $\sigma_{\max}(V)|a|$, since $|\Psi a|=|a|$: so $\kappa(V\Psi)\le\kappa(V)$. [checked: "kappa(Omega_L)^2 <= b/a <= kappa(V)^2"]
    4. The machine computes both sides for random nodes and subspaces; the steps are general. [prose]
    """
    rng = Random(90)
    count = proof.pick(6, 20, 60)
    for _ in proof.each(
        f"{count} random sets of N <= 6 Gaussian-rational nodes, L = 3, 4, subspaces of dimension 1 to L - 1, and bases, seed 90",
        range(count),
    ):
        length = rng.randint(3, 4)
        nodes, draws = [], samples.tries("different nodes")
        while len(set(nodes)) < length:
            next(draws)
            nodes = random_nodes(rng, rng.randint(length, 6))
        p = rng.randint(1, length - 1)
        # the real form of V, and of the subspace
        V, Q = realify(recall_matrix(nodes, length)), samples.orthogonal(rng, length, reflections=length)[:, :p]
        Q = exact.block_diagonal([Q, Q])
        change = samples.basis(rng, 2 * p)
        omega = reconstruction(V, Q)
        proof.exactly("Omega_L does not depend on the basis", _reconstruction(V, rebased(Q, change)), omega)
        proof.exactly("it recalls the subspace", omega @ V @ Q, Q)
        gram = V.T @ V
        values = np.linalg.eigvalsh(exact.as_float(Q.T @ gram @ Q))
        low, high = _rational([values[0] * (1 - 1e-6) - 5e-4])[0], _rational([values[-1] * (1 + 1e-6) + 5e-4])[0]
        one = exact.identity(2 * p)
        inside = (
            low > 0
            and exact.is_positive_semidefinite(Q.T @ gram @ Q - one * low)
            and exact.is_positive_semidefinite(one * high - Q.T @ gram @ Q)
        )
        x, y = _towards_the_largest(gram), _towards_the_largest(exact.inverse(gram))
        spread = (x @ gram @ x) * (y @ y) * low >= (y @ gram @ y) * (x @ x) * high
        proof.holds("kappa(Omega_L)^2 <= b/a <= kappa(V)^2 for rational a, b between", bool(inside and spread))
        if len(proof.certificates) < 4:
            proof.certificate(
                "witness",
                f"N = {len(nodes)}, L = {length}, P = {p}",
                nodes=pairs(nodes),
                length=length,
                orthonormal=Q,
                basis=Q @ change,
                low=low,
                high=high,
                x=x,
                y=y,
            )


# -- the experiment of App. E.2 ---------------------------------------------------------------------------------------------


def haar_basis(length: int, count: int) -> list[list[int]]:
    """The first ``count`` Haar wavelets on ``length`` = 2^m points, not normalised: entries 0, 1, -1; shape (length, count)."""
    rows = [[1] * length]
    width = length
    while len(rows) < count:
        for start in range(0, length, width):
            half = width // 2
            rows.append([0] * start + [1] * half + [-1] * half + [0] * (length - start - width))
        width //= 2
    return [list(column) for column in zip(*rows[:count], strict=True)]


def ring_nodes(count: int, rng: Random, low: float = 0.95) -> list[tuple[int, int]]:
    """(a, b) with low <= |a + bi| / 1000 <= 1: different Gaussian rationals in the ring, denominators 1000."""
    found: set[tuple[int, int]] = set()
    draws = samples.tries("nodes in the ring", 1000 * count)
    while len(found) < count:
        next(draws)
        a, b = rng.randint(-999, 999), rng.randint(1, 999)
        if low <= abs(complex(a, b)) / 1000 <= 1:
            found.add((a, b))
    return sorted(found)


def _rank_modulo(nodes, basis, length: int, prime: int) -> int:
    """The rank modulo a prime of the real and imaginary parts of V Psi for the nodes (a + bi)/1000: at most the rank over Q."""
    thousandth = pow(1000, -1, prime)
    rows = []
    for a, b in nodes:
        re, im, real, imaginary = 1, 0, [0] * len(basis[0]), [0] * len(basis[0])
        x, y = a * thousandth % prime, b * thousandth % prime
        for j in range(length - 1, -1, -1):
            for c, entry in enumerate(basis[j]):
                if entry:
                    real[c] += entry * re
                    imaginary[c] += entry * im
            re, im = (re * x - im * y) % prime, (re * y + im * x) % prime
        rows += [real, imaginary]
    return int(nmod_mat(len(rows), len(basis[0]), [v % prime for row in rows for v in row], prime).rank())


def _log10_condition_at_least(nodes, basis, length: int) -> float:
    """A certified lower bound for log10 of the condition number of (Re V Psi, Im V Psi), Psi with normalised columns: largest entries of it and its inverse."""
    saved, ctx.prec = ctx.prec, 3000
    try:
        lengths = [arb(sum(row[c] ** 2 for row in basis)).sqrt() for c in range(len(basis[0]))]
        rows = []
        for a, b in nodes:
            x, y, re, im = arb(a) / 1000, arb(b) / 1000, arb(1), arb(0)
            real, imaginary = [arb(0)] * len(basis[0]), [arb(0)] * len(basis[0])
            for j in range(length - 1, -1, -1):
                for c, entry in enumerate(basis[j]):
                    if entry:
                        real[c] += re * entry
                        imaginary[c] += im * entry
                re, im = re * x - im * y, re * y + im * x
            rows += [[v / size for v, size in zip(row, lengths, strict=True)] for row in (real, imaginary)]
        M = arb_mat(rows)
        largest, inverse = (max(abs(v).lower() for v in m.entries()) for m in (M, M.inv()))
        return float((largest * inverse).log().lower() / arb(10).log())
    finally:
        ctx.prec = saved


@claim(
    "new.vandermonde.haar",
    place="after orvieto24, App. E.2, Figures 10 and 11",
    title="16 units determine 4096 inputs from 32 Haar wavelets, but at a condition number above 10⁵⁰",
    says=r"For 16 listed eigenvalues in the ring $0.95\le|\lambda|\le1$, $L=4096$ and $\Psi$ the first $32$ Haar wavelets, the $32\times32$ matrix $(\operatorname{Re}V\Psi,\operatorname{Im}V\Psi)$ is invertible, with a condition "
    r"number above $10^{50}$.",
    known="App. E.2 reconstructs from such states in floating point and finds that about 256 units are needed in this ring (64 in T(0.99, 1)); that is a statement about double precision, "
    "to which this is no contradiction: in exact arithmetic 16 units do, in double precision no decoder can use them",
    reading="the listed eigenvalues are a witness: one draw from the ring, with seed 87",
    uses=("new.vandermonde.half-width",),
    sabotages={"15 units": {"units": 15}, "the same unit twice": {"repeat": True}},
)
def sixteen_units_suffice(proof: Proof, units: int = 16, repeat: bool = False) -> None:
    r"""16 complex units hold 32 real numbers, and no more are to be recalled.

    1. The $2\cdot16$ real and imaginary parts of $V\Psi$ have rank $32$ modulo a prime that divides no denominator, so over the rationals: $\alpha\in\mathbb R^{32}$, and with it the inputs, are determined by the state.
       [checked: "the rank modulo a prime"]
    2. In balls of 3000 bits the largest entries of the matrix (columns normalised) and of its inverse multiply to more than $10^{50}$, a lower bound for the condition number. [checked: "the condition number"]
    3. The eigenvalues are different and lie in the ring. [checked: "16 different nodes"]
    """
    length, prime = 4096, 2**61 - 1
    nodes, basis = ring_nodes(units, Random(87)), haar_basis(length, 32)
    if repeat:
        nodes = [*nodes[:-1], nodes[0]]
    for listed in proof.every("the 16 listed eigenvalues", [nodes], limited=False):
        proof.holds(
            "16 different nodes in the ring",
            len(set(listed)) == units and all(0.95**2 * 10**6 <= a * a + b * b <= 10**6 for a, b in listed),
        )
        rank = _rank_modulo(listed, basis, length, prime)
        proof.exactly(
            "the rank modulo a prime is 32, and for 15 of the units 30", (rank, _rank_modulo(listed[:15], basis, length, prime)), (32, 30)
        )
        if rank == 32:
            proof.certified("the condition number is above 10^50", _log10_condition_at_least(listed, basis, length) > 50)
    proof.certificate("witness", "16 nodes, times 1000", nodes=[list(x) for x in nodes], length=length, modulus=prime)
