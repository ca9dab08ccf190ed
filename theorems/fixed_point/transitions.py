"""Which transitions an ungated layer has, and which of them its iteration finds (after movahedi25, Eq. 2 and 4)."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import sympy

from ...constructions import householder
from ...numerics import exact
from ...numerics.aliases import Exact
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof


def is_strict_contraction(M: Array) -> bool:
    """||M|| < 1, exactly."""
    return exact.is_positive_definite(exact.identity(M.shape[1]) - M.T @ M)


# -- which transitions -----------------------------------------------------------------------------------------------------


@claim(
    "new.fixed-point.permutations",
    place="after Eq. 4",
    title="in the coordinates of Λ no permutation matrix but I is a transition of a convergent iteration, with any gate",
    says=r"If $(I-G(I-Q))^{-1}\Lambda$ is a permutation matrix $P\ne I$, with any diagonal $\Lambda$ and $G$, then $\rho(G(I-Q))\ge1$, so the iteration does not converge from all starts. In another "
    r"basis it may: `new.fixed-point.any-letters`.",
    known="the trace of a matrix with zero diagonal; that diagonal scalings of such a matrix cannot be stable is folklore in the theory of D-stability (Fisher and Fuller, Proc. AMS 9 (1958) 417)",
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
            block: Exact = Q[np.ix_(cycle, cycle)]
            proof.exactly("the cycle's coordinates are mapped to themselves", (Q[np.ix_(others, cycle)] == 0).all(), True)
            trace: Exact = sum(block[i, i] for i in range(len(cycle)))
            proof.exactly("the eigenvalues of Q on them sum to 0", sympy.simplify(trace) == 0, True)
    for n in range(2, largest + 1):
        moving = [p for p in permutations(range(n)) if p != tuple(range(n))]
        cycles = [next(c for c in householder.cycles(p) if len(c) > 1) for p in moving]
        proof.certificate("witness", f"all permutations of {n} points but the identity", permutations=moving, cycles=cycles)
