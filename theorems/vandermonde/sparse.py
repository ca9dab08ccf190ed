"""Inputs from a subspace of dimension P: how many units are needed (orvieto24, Sec. 3.1.2, App. E.2)."""

from __future__ import annotations

from itertools import combinations, product
from random import Random

import numpy as np
import sympy
from flint import fmpq, nmod_mat

from ...constructions import samples
from ...constructions.vandermonde import recall_matrix
from ...numerics import exact
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof


@claim(
    "orvieto24.thm3.sparse",
    topic="vandermonde",
    place="Theorem 3; Sec. 3.1.2 and 4.1, 'width N = P'",
    title="for inputs from a subspace of dimension P a recurrence with P distinct eigenvalues recalls all of them",
    says=r"If $\dim\mathcal V=P$ and $N=P$ eigenvalues are distinct, $V_k\Psi_k$ has full rank and the inputs are recovered.",
    reading="for every choice of distinct eigenvalues; the paper assumes full rank on the way",
    sabotages={"generic eigenvalues (2 instead of 1/2)": {"choices": (fmpq(2), fmpq(3))}},
)
def a_subspace_can_hide(proof: Proof, choices=(fmpq(0), fmpq(1), fmpq(-1), fmpq(1, 2))) -> None:
    """A subspace may lie in the kernel of V: one unit with lambda = 1/2 does not see the inputs (1, -1/2)."""
    directions = [(fmpq(1), fmpq(b)) for b in ("-1/2", "1/2")]
    cases = [(x, np.array([[a], [b]], dtype=object)) for x in choices for a, b in directions]
    found = proof.smallest("one unit, L = 2, P = 1", cases, lambda c: exact.rank(recall_matrix([c[0]], 2) @ c[1]) < 1)
    if found:
        (x, basis), _ = found
        state = recall_matrix([x], 2) @ basis
        proof.counterexample(
            given={"N = P": 1, "L": 2, "node": x, "inputs": basis[:, 0], "state": state[:, 0]},
            hypotheses={"the inputs span one dimension": exact.rank(basis) == 1},
            violates={"the state is 0, as for no input": all(s == 0 for s in state[:, 0])},
            minimal="N = P = 1, L = 2",
        )
    wide = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]], dtype=object) * fmpq(1)
    if found:
        V = recall_matrix([fmpq(1), fmpq(-1)], 4)
        proof.counterexample(
            given={"N = P": 2, "L": 4, "nodes": [1, -1], "basis of the inputs": wide.T, "V Psi": V @ wide},
            hypotheses={"the nodes are distinct": exact.rank(V) == 2, "the inputs span two dimensions": exact.rank(wide) == 2},
            violates={"V Psi = 0": not any(x != 0 for x in (V @ wide).flat)},
            minimal="N = P = 2, L = 4",
        )


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
    "orvieto24.thm3.sparse.amended",
    topic="vandermonde",
    place="Theorem 3; Sec. 3.1.2",
    kind="amended",
    amends="orvieto24.thm3.sparse",
    title="for every subspace of dimension P almost all choices of P eigenvalues recall it; no fewer do (complex inputs)",
    says=r"For $\Psi\in\mathbb C^{L\times P}$ of rank $P$ the polynomial $\det(V\Psi)$ in $\lambda_1,\dots,\lambda_P$ is not $0$: by Cauchy and Binet it is $\prod_{i<j}(\lambda_i-\lambda_j)$ times a combination of "
    r"Schur polynomials, which are independent, with the maximal minors of $\Psi$ as coefficients.",
    uses=("orvieto24.det",),
    sabotages={"a dependent column": {"spoil": lambda basis: np.hstack([basis[:, :1]] * basis.shape[1])}},
)
def generic_eigenvalues(proof: Proof, spoil=lambda basis: basis) -> None:
    """det(V Psi) is a sum over P rows of Psi, each minor of V a Vandermonde determinant times the Schur polynomial of its partition.

    Different rows have different partitions, and Schur polynomials are a basis, so one minor of Psi that is not 0 suffices. The determinants are
    written out for all small 0/1 matrices, and evaluated at random rational nodes for larger ones."""
    length, width = proof.pick((3, 2), (4, 2), (4, 3))
    for basis in proof.every(f"all 0/1 matrices Psi of full rank, L <= {length}, P <= {width}", _small_bases(length, width)):
        psi = spoil(basis) if basis.shape[1] > 1 else basis
        proof.holds("det(V Psi) is not the zero polynomial", not _generic_determinant(psi).is_zero)
    rng = Random(86)
    count = proof.pick(10, 40, 100)
    for _ in proof.each(f"{count} random integer Psi, L <= 12, P <= 5, at random rational nodes", range(count)):
        length = rng.randint(1, 12)
        p = rng.randint(1, min(length, 5))
        basis = samples.integers(rng, length, p)
        if exact.rank(basis) < p:
            continue
        nodes: set[fmpq] = set()
        while len(nodes) < p:
            nodes.add(fmpq(rng.randint(-99, 99), 100))
        V = recall_matrix(sorted(nodes), length)
        proof.exactly("V Psi has rank P", exact.rank(V @ (spoil(basis) if p > 1 else basis)), p)
        if p > 1:
            proof.holds("P - 1 nodes cannot do it", exact.rank(V[1:] @ basis) < p)


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
    while len(found) < count:
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


@claim(
    "orvieto24.appE2.width",
    topic="vandermonde",
    place="App. E.2, Figures 10 and 11",
    title="with eigenvalues from the ring of radii 0.95 and 1 about N = 256 units are needed to recall inputs from 32 Haar wavelets",
    says=r"For $L=4096$ inputs in the span of $P=32$ Haar wavelets and $\lambda_i\in\mathbb T(0.95,1)$ perfect reconstruction needs about $N=256$ units.",
    reading="'needed' as a statement about the recurrence, not about a pseudoinverse in double precision",
    uses=("new.vandermonde.half-width",),
    sabotages={"15 units": {"units": 15}},
)
def sixteen_units_suffice(proof: Proof, units: int = 16) -> None:
    """16 complex units hold 32 real numbers. The real and imaginary parts of V Psi have rank 32 modulo a prime, so over the rationals: the inputs
    are determined by the state. What fails at small widths is the plain transpose in the printed pseudoinverse, and double precision."""
    length = proof.pick(256, 1024, 4096)
    prime = 2**61 - 1
    nodes, basis = ring_nodes(units, Random(87)), haar_basis(length, 32)
    rank = _rank_modulo(nodes, basis, length, prime)
    proof.counterexample(
        given={
            "L": length,
            "P": 32,
            "N": units,
            "nodes * 1000": [f"{a} + {b}i" for a, b in nodes],
            "prime": prime,
            "rank modulo the prime": rank,
        },
        hypotheses={
            "the nodes lie in the ring": all(0.95**2 * 10**6 <= a * a + b * b <= 10**6 for a, b in nodes),
            "they are different": len(set(nodes)) == units,
        },
        violates={"(Re V Psi, Im V Psi) has rank 32, so 16 units suffice": rank == 32},
        minimal=f"N = {units} units, L = {length}",
    )
