"""Which transitions an ungated layer has, and which of them its iteration finds (after movahedi25, Eq. 2 and 4)."""

from __future__ import annotations

from itertools import permutations, product
from random import Random

import numpy as np
import sympy
from flint import fmpq

from ...constructions import householder, samples
from ...constructions.fixed_point import has_mixer, mixer_for, rotated_decay
from ...numerics import exact
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof


def is_strict_contraction(M: Array) -> bool:
    """||M|| < 1, exactly."""
    return exact.is_positive_definite(exact.identity(M.shape[1]) - M.T @ M)


# -- which transitions -----------------------------------------------------------------------------------------------------


@claim(
    "new.fixed-point.transitions",
    topic="fixed_point",
    place="after Eq. 2",
    kind="new",
    title="A = Q^-1 Lambda with diagonal Lambda and invertible Q iff the nonzero columns of A are independent",
    says=r"$A\in\mathbb R^{d\times d}$ is $Q^{-1}\Lambda$ iff its nonzero columns are linearly independent; the all-ones matrix is not, for any $d\ge2$.",
    known="linear algebra of the first weeks; we know of no place that says which transitions the paper's 'large class' consists of",
    construction="lemmata.constructions.fixed_point.has_mixer",
    sabotages={"every matrix": {"test": lambda A: True}, "invertible ones only": {"test": lambda A: exact.rank(A) == len(A)}},
)
def independent_columns(proof: Proof, test=has_mixer) -> None:
    r"""$QA$ diagonal means that $Q$ takes the nonzero columns of $A$ to multiples of different unit vectors.

    1. If the nonzero columns are independent, complete them to a basis $P$, one vector in the place of each zero column, and put $Q=P^{-1}$: then $QA$ is diagonal, with entries 1 and 0.
       [checked: "Q A is diagonal"; "Q is invertible"]
    2. If they are not, $Av=0$ for some $v$ with $v_j\ne0$ and $Ae_j\ne0$. [checked: "A v = 0 with v_j != 0"]
    3. Were $QA=\Lambda$, then $\Lambda v=0$ would give $\lambda_j=0$ and $Ae_j=Q^{-1}\Lambda e_j=0$, a contradiction. [prose]
    4. The all-ones matrix has equal nonzero columns. [checked: "A v = 0 with v_j != 0"]
    """
    n = proof.pick(2, 3, 3)
    entries = proof.pick((-1, 0, 1), (0, 1), (-1, 0, 1))
    for rows in proof.every(f"all {n} x {n} matrices with entries in {set(entries)}", product(entries, repeat=n * n)):
        A = exact.rationals(np.array(rows, dtype=object).reshape(n, n))
        nonzero = [j for j in range(n) if any(x != 0 for x in A[:, j])]
        if test(A):
            Q = exact.inverse(_completed(A, nonzero)) if exact.rank(A) == len(nonzero) else exact.identity(n)
            image = Q @ A
            proof.exactly("Q A is diagonal", image, np.where(np.eye(n) == 1, image, fmpq(0)))
            proof.holds("Q is invertible", exact.rank(Q) == n)
        else:
            kernel = exact.nullspace(A)
            proof.holds(
                "A v = 0 with v_j != 0 for a nonzero column j", any(kernel[j, k] != 0 for j in nonzero for k in range(kernel.shape[1]))
            )
    ones = exact.rationals(np.ones((3, 3), dtype=int))
    for A in (exact.rationals([[0, 1], [0, 2]]), exact.rationals([[1, 0, 2], [0, 0, 1], [1, 0, 0]])):
        Q = exact.inverse(_completed(A, [j for j in range(len(A)) if any(x != 0 for x in A[:, j])]))
        proof.certificate("witness", "a transition with its mixer", A=A, Q=Q, kernel=[])
    proof.certificate("witness", "the all-ones matrix", A=ones, Q=[], kernel=exact.nullspace(ones)[:, 0])
    proof.exhibit("no mixer for the all-ones matrix: A v = 0, and every column is nonzero", A=ones, v=exact.nullspace(ones)[:, 0])


def _completed(A: Array, nonzero: list[int]) -> Array:
    """A with each zero column replaced so that all columns are independent."""
    P = A.copy()
    for j in range(len(A)):
        if j not in nonzero:
            others = [k for k in range(len(A)) if k < j or k in nonzero]
            units = (exact.unit_vector(len(A), i) for i in range(len(A)))
            P[:, j] = next(u for u in units if exact.rank(np.hstack([P[:, others], u[:, None]])) == len(others) + 1)
    return P


@claim(
    "new.fixed-point.permutations",
    topic="fixed_point",
    place="after Eq. 4",
    kind="new",
    title="in the coordinates of Lambda no permutation matrix but I is a transition of a convergent iteration, with any gate",
    says=r"If $(I-G(I-Q))^{-1}\Lambda$ is a permutation matrix $P\ne I$, with any diagonal $\Lambda$ and $G$, then $\rho(G(I-Q))\ge1$, so the iteration does not converge from all starts. In another "
    r"basis it may: `new.fixed-point.permutations.rotated`.",
    known="the trace of a matrix with zero diagonal; that diagonal scalings of such a matrix cannot be stable is folklore in the theory of D-stability (Fisher and Fuller, Proc. AMS 9 (1958) 417)",
    uses=("new.fixed-point.finite",),
    sabotages={"the identity included": {"skip": False}},
)
def cycles_have_trace_zero(proof: Proof, skip: bool = True) -> None:
    r"""On the coordinates of a cycle the matrix $I-G(I-Q)$ has the trace 0, so it has an eigenvalue with real part at most 0.

    1. $I-G(I-Q)=\Lambda P^{-1}$, a monomial matrix, maps the coordinates of a cycle of length $k\ge2$ to themselves. [checked: "the cycle's coordinates are mapped to themselves"]
    2. Its diagonal is 0 there: so the $k$ eigenvalues $z$ on them sum to 0, and one has $\operatorname{Re}z\le0$. [checked: "the eigenvalues of Q on them sum to 0"]
    3. $1-z$ is an eigenvalue of $G(I-Q)$, and $|1-z|\ge1$. The iteration converges from all starts only if this radius is below 1. [uses: new.fixed-point.finite]
    4. Steps 1 and 2 hold for every $n$: a cycle of length at least 2 has no fixed point. [prose]
    """
    largest = proof.pick(4, 5, 6)
    for n in range(1, largest + 1):
        decay = np.array(sympy.symbols(f"lambda_1:{n + 1}"), dtype=object)
        for p in proof.every(f"all permutations of n <= {largest} points", permutations(range(n))):
            if skip and list(p) == list(range(n)):
                continue
            P = householder.permutation_matrix(p)
            Q = decay[:, None] * exact.map_entries(int, P.T)
            moved = [c for c in householder.cycles(p) if len(c) > 1] or householder.cycles(p)
            cycle = list(moved[0])
            others = [i for i in range(n) if i not in cycle]
            block = Q[np.ix_(cycle, cycle)]
            proof.exactly("the cycle's coordinates are mapped to themselves", (Q[np.ix_(others, cycle)] == 0).all(), True)
            proof.exactly("the eigenvalues of Q on them sum to 0", sympy.simplify(sum(block[i, i] for i in range(len(cycle)))) == 0, True)
    for n in (2, 3, 4):
        moving = [p for p in permutations(range(n)) if p != tuple(range(n))]
        cycles = [next(c for c in householder.cycles(p) if len(c) > 1) for p in moving]
        proof.certificate("witness", f"all permutations of {n} points but the identity", permutations=moving, cycles=cycles)


def _basis() -> Array:
    """A rational orthogonal matrix of size 5, by Cayley's formula, none of whose conjugates of permutation matrices has a leading minor 0."""
    S = exact.rationals([[0, 1, 0, 1, 0], [-1, 0, -1, 1, -1], [0, 1, 0, 2, 2], [-1, -1, -2, 0, 1], [0, 1, -2, -1, 0]]) / 2
    return exact.inverse(exact.identity(5) + S) @ (exact.identity(5) - S)


@claim(
    "new.fixed-point.permutations.rotated",
    topic="fixed_point",
    place="after Eq. 4",
    kind="new",
    title="in one rotated basis of R^5 all 120 permutation matrices are transitions of convergent iterations without a gate",
    says=r"For a rational orthogonal $O$ of size 5 every permutation matrix $P$ has a diagonal $\Lambda$ such that with $Q=\Lambda(OPO^\top)^{-1}$ all eigenvalues of $I-Q$ lie in $[0,1)$: the ungated "
    r"iteration converges at every length to a layer that tracks $S_5$ on all of its letters.",
    hypotheses=("convergence at each finite length, not a contraction: some eigenvalues are very near 1, and so many passes are needed",),
    known="Fisher and Fuller (1958): a matrix with nonzero leading principal minors has a diagonal scaling with positive simple eigenvalues; so in a generic basis any finite set of invertible "
    "transitions is reached. New is only that it answers what `new.fixed-point.permutations` leaves open",
    construction="lemmata.constructions.fixed_point.rotated_decay",
    uses=("movahedi25.eq2", "new.fixed-point.finite"),
    sabotages={
        "the standard basis, equal decays": {"basis": lambda: exact.identity(5), "decay": lambda M: exact.rationals(["1/5"] * 5)},
        "the same decays for all letters": {"decay": lambda M: rotated_decay(exact.identity(5))},
    },
)
def permutations_in_a_rotated_basis(proof: Proof, basis=_basis, decay=rotated_decay) -> None:
    r"""Decays that fall off quickly enough separate the eigenvalues of $\Lambda M$, $M=(OPO^\top)^{-1}$, and leading minors give their signs.

    1. $O$ is orthogonal, so the 120 matrices $OPO^\top$ multiply like the permutations. [checked: "O is orthogonal"]
    2. With $\lambda_k=\frac{D_{k-1}}{D_k}\varepsilon^{k-1}$, $D_k$ the leading principal minors of $M$ and $\varepsilon$ a small power of $\frac12$, all five eigenvalues of $\Lambda M$ are real, by Sturm's
       theorem, and positive, as the characteristic polynomial alternates in sign. [checked: "Q has five positive eigenvalues"]
    3. Divided by their sum they lie in $(0,1]$, so those of $I-Q$ lie in $[0,1)$. [checked: "their sum is 1"]
    4. Then the iteration converges at every length, to the transitions $Q^{-1}\Lambda=OPO^\top$. [uses: new.fixed-point.finite, movahedi25.eq2] [checked: "Q A = Lambda"]
    """
    O = basis()
    proof.exactly("O is orthogonal", O @ O.T, exact.identity(5))
    found = []
    for p in proof.every("all permutations of five points", list(permutations(range(5))), limited=False):
        A = exact.multiply(O, householder.permutation_matrix(p), O.T)
        lam = decay(A.T)
        Q = lam[:, None] * A.T
        chi = exact.characteristic_polynomial(Q)
        signs = [c * (-1) ** (5 - k) > 0 for k, c in enumerate(chi.coeffs())]
        proof.exactly("Q has five positive eigenvalues", (exact.count_real_roots(chi), all(signs)), (5, True))
        proof.exactly("their sum is 1", sum(Q[i, i] for i in range(5)), fmpq(1))
        proof.exactly("Q A = Lambda", Q @ A, np.where(np.eye(5) == 1, lam[:, None], fmpq(0)))
        found.append(lam)
    proof.whole("all 120 letters are gone through, in exact arithmetic")
    proof.certificate("witness", "a basis, and a Lambda for each permutation in lexicographic order", basis=O, decays=found)
    proof.exhibit(
        "the basis, and Lambda for the cycle 0 -> 1 -> 2 -> 3 -> 4", O=O, Lambda=found[list(permutations(range(5))).index((1, 2, 3, 4, 0))]
    )


@claim(
    "new.fixed-point.scalar-decay",
    topic="fixed_point",
    place="after Eq. 4",
    kind="new",
    title="with Lambda = c I, c > 0, the mixer of an invertible A contracts iff c is below the least eigenvalue of A + A^T",
    says=r"For $A$ invertible and $c>0$: $\|I-cA^{-1}\|<1$ iff $A+A^\top-cI$ is positive definite. So some $c>0$ does iff $A+A^\top$ is positive definite; for orthogonal $A$ iff all its angles are "
    r"below $90^\circ$.",
    known="that A^-1 is a multiple of something near I iff A is accretive is standard (preconditioned Richardson iteration); decays of any signs: `new.fixed-point.signed-decay`, "
    "of which this is the case Lambda = c I",
    construction="lemmata.constructions.fixed_point.mixer_for",
    sabotages={
        "all of positive determinant": {"criterion": lambda A, c: exact.determinant(A) > 0},
        "c up to twice that eigenvalue": {"criterion": lambda A, c: exact.is_positive_definite(A + A.T - exact.identity(len(A)) * c / 2)},
    },
)
def accretive_transitions(proof: Proof, criterion=lambda A, c: exact.is_positive_definite(A + A.T - exact.identity(len(A)) * c)) -> None:
    r"""Both sides are the same quadratic form, divided by $c$.

    1. Put $y=A^{-1}x$. $|x|^2-|x-cy|^2=2c\,x\cdot y-c^2|y|^2$ with $x=Ay$. [checked: "|x|^2 - |x - c y|^2 = c (2 x.y - c |y|^2)"]
    2. $2x\cdot y-c|y|^2=y\cdot(A+A^\top-cI)y$. So $|x-cA^{-1}x|<|x|$ for all $x\ne0$ iff the form is positive for all $y\ne0$, and then, on the unit sphere, the norm is below 1.
       [checked: "contracts iff A + A^T - c I > 0"]
    3. A small $c>0$ exists iff $A+A^\top$ is positive definite. An orthogonal $A$ has $A+A^\top=2\cos\theta$ on the plane of an angle $\theta$. [prose]
    """
    xx, xy, yy, c_ = sympy.symbols("xx xy yy c")
    proof.symbolically(
        "|x|^2 - |x - c y|^2 = c (2 x.y - c |y|^2)", xx - (xx - 2 * c_ * xy + c_**2 * yy), c_ * (2 * xy - c_ * yy), "x, y of any size, c"
    )
    rng, seen = Random(36), set()
    count = proof.pick(30, 100, 500)
    turn = exact.rationals([["3/5", "-4/5"], ["4/5", "3/5"]])
    family = [
        turn,
        turn @ turn,
        exact.rationals([[1]]),
        exact.rationals([[-1]]),
        exact.rationals([[0, 1], [1, 0]]),
        exact.rationals([[0, -1], [1, 0]]),
    ]
    family += [samples.basis(rng, rng.randint(1, 3)) for _ in range(count)]
    for k, A in enumerate(
        proof.each(f"{len(family)} rational matrices, d <= 3; rotations by 53 and 106 degrees, -1, a swap, a quarter turn", family)
    ):
        d, n = len(A), exact.identity(len(A))
        # the largest 2^-k below the least eigenvalue of A + A^T, if that is positive, and fixed ones besides
        small = next((fmpq(4, 2**j) for j in range(40) if exact.is_positive_definite(A + A.T - n * fmpq(4, 2**j))), fmpq(1))
        for c in sorted({small, 3 * small, fmpq(1, 2), fmpq(2)}):
            contracts = is_strict_contraction(n - mixer_for(A, [c] * d))
            proof.exactly("contracts iff A + A^T - c I > 0", contracts, criterion(A, c))
            seen.add(contracts)
            if k in (0, 1, 4, 5, 7) and c == small:
                proof.certificate("witness", f"a matrix of size {d}", A=A, c=c, contracts=int(contracts))
    proof.exactly("both cases occur", seen, {False, True})
