"""Decays without signs and no gate: turns below a right angle, resets and delays, and what stacks of them recognise (after movahedi25, Eq. 4)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy

from ...constructions.recurrence import Recurrence, reachable_with
from ...numerics import exact
from ...numerics.cyclotomic import root_of_unity
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof


def counter(m: int, order: int) -> Recurrence:
    """One complex unit of modulus 1: letter j of 0, ..., m - 1 turns it by j / ``order`` of a full turn, and its power modulo m is said."""
    zeta = root_of_unity(order)
    powers = [zeta * 0 + 1]
    while len(powers) < order:
        powers.append(powers[-1] * zeta)

    def scalar(value: Any) -> Array:
        a = exact.zeros(1, 1)
        a[0, 0] = value
        return a

    table = {j: (scalar(powers[j % order]), exact.zeros(1, 1)) for j in range(m)}
    return Recurrence.from_table(table, scalar(powers[0]), lambda H, x: powers.index(H[0, 0]) % m)


@claim(
    "new.fixed-point.nonnegative",
    place="after Eq. 4",
    title="ungated layers with Λ ≥ 0: turns below 90°, resets and delays, so stacks have every language with solvable groups",
    says=r"Let $\Lambda\ge0$ and let the iteration converge, $\rho(I-Q)<1$. (a) For $|\theta|<90°$ the turn $R(\theta)$ is $Q^{-1}\Lambda$ with $\Lambda=\cos\theta\,I$, $Q=\cos\theta\,R(-\theta)$ and $\|I-Q\|=|\sin\theta|$. (b) The delay $e_2e_1^\top$ is $Q^{-1}\Lambda$ with $(I-Q)^2=0$. "
    r"(c) So with finitely many exact states stacks of such layers recognise every language all of whose groups are solvable, and one layer counts modulo every $m$ and tracks every finite abelian group.",
    hypotheses=("states may be any real numbers; decoders are any functions of the new state and the letter",),
    known="the iteration for one orthogonal transition is new.fixed-point.signed-decay; that signs are not needed for groups was not found",
    remarks=(
        "One reflection is not had: eigenvalues of Q lie in the disc with centre 1 and radius 1, so det Q > 0 and det A is not negative.",
        "The delay's iteration converges without contracting: its I - Q is nilpotent and longer than 1.",
    ),
    sabotages={
        "the decay is 1": {"decay": lambda c: sympy.S.One},
        "another mixer for the delay": {"mixer": ((2, 1), (1, 0))},
        "the turns close too early": {"order": lambda m: 4 * m - 1},
    },
)
def nonnegative_decays(
    proof: Proof,
    decay: Callable[[Any], Any] = lambda c: c,
    mixer: tuple[tuple[int, int], ...] = ((2, 1), (-1, 0)),
    order: Callable[[int], int] = lambda m: 4 * m,
) -> None:
    r"""A count modulo $4m$ by letters below a quarter turn tells the count modulo $m$.

    1. With $c=\cos\theta$, $s=\sin\theta$ and $Q=\lambda R(-\theta)$ the transition is $Q^{-1}\lambda I=R(\theta)$, and $(I-Q)^\top(I-Q)=(1-2\lambda c+\lambda^2)I$, which is $s^2I$ for $\lambda=c$. For $|\theta|<90°$ this is below $1$, and $\lambda>0$. [checked: "the transition is the turn"; "the squared norm"] [prose]
    2. With $\Lambda=\operatorname{Diag}(1,0)$ and $Q=(2,1;-1,0)$: $Q\,e_2e_1^\top=\Lambda$ and $(I-Q)^2=0$. [checked: "the mixer takes the delay to the decays"; "its iteration ends"]
    3. $Q=I$ has every $\Lambda\ge0$: $1$ holds and $0$ overwrites. [prose]
    4. A letter $j<m$ turns by $j/(4m)$ of a full turn, less than a quarter: the state counts modulo $4m$, which tells the count modulo $m$. Cyclic factors stand side by side. [checked: "the unit counts"] [prose]
    5. Stacks of resets, bistable units, a clock and roots of unity recognise every language all of whose groups are solvable. There each turn by an $m$-th root of unity is chosen by the letter and what is read below; as in step 4 a turn below a quarter of a full turn takes its place, and the clock $h\mapsto-h$ is such a count modulo $2$. [uses: new.automata.stacks.diagonal.converse] [prose]
    """
    t = sympy.Symbol("t", real=True)
    c, s = (1 - t**2) / (1 + t**2), 2 * t / (1 + t**2)
    # the plane as complex numbers: R(theta) multiplies by c + i s
    turn, back = c + sympy.I * s, c - sympy.I * s
    lam = decay(c)
    proof.symbolically("the transition is the turn", sympy.simplify(lam * back * turn), lam, "t = tan(theta / 2)")
    proof.symbolically("the squared norm", sympy.simplify((1 - lam * back) * (1 - lam * turn)), sympy.simplify(s**2), "t = tan(theta / 2)")
    M, delay = exact.rationals([list(row) for row in mixer]), exact.rationals([[0, 0], [1, 0]])
    for _ in proof.every("the delay", [M], limited=False):
        proof.exactly("the mixer takes the delay to the decays", M @ delay, exact.rationals([[1, 0], [0, 0]]))
        rest = exact.identity(2) - M
        proof.exactly("its iteration ends", rest @ rest, exact.zeros(2, 2))
    largest = proof.pick(3, 5, 7)
    with proof.beside():
        for m in proof.every(f"counts modulo m, 1 <= m <= {largest}", range(1, largest + 1)):
            found = reachable_with(counter(m, order(m)), lambda q, j, m=m: (q + j) % m, 0, tuple(range(m)), lambda q: q, 10_000)
            proof.exactly("the unit counts", (found.closed, found.mismatch), (True, None))
