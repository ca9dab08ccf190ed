"""From Eq. 8 to Eqs. 9 and 10, proved by cases for all numbers, and the condition on alpha that the step needs (degeeter26, Secs. 4.1, 4.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Any

from flint import fmpq

from ...constructions.bistable import approximation, gated, heaviside, sign, simplified
from ..claim import claim
from ..evidence import Proof
from .cases import ALPHA, FRACTION, STATE, A, B, D, E, Free, G, M, inside, outside

LARGE = (Free(1), Free(1 + M))


def with_states(alphas: Iterable[Free]) -> Iterator[tuple[Free, Free]]:
    """(alpha, h) with h = +-alpha."""
    return ((alpha, s * alpha) for alpha in alphas for s in (1, -1))


@claim(
    "degeeter26.eq9",
    place="Eq. 8 to Eq. 9",
    title="with states ±α, α ≥ 1, Eq. 8 simplifies to Eq. 9",
    says=r"For $\alpha\ge1$, $h_{t-1}=\pm\alpha$ and all $x_t$, $\beta\ge0$, Eq. 8 gives what Eq. 9 gives.",
    reading="alpha = 1 as in Fig. 3, or larger; the paper puts no condition on alpha (degeeter26.eq9.alpha)",
    remarks=(
        "The states are +-alpha from the first write on; before it the simplification needs h_0 = +-alpha, which the paper leaves open. From h_0 = 0 Eq. 9 stays at 0 until the first write, Eq. 8 does not.",
    ),
    construction="lemmata.constructions.bistable.approximation",
    sabotages={
        "every alpha, which the kernel refutes": {"theorem": "bistable.eq8_keeps_for_every_alpha"},
        "all positive alpha": {"alphas": (Free(1), Free(FRACTION))},
        "a line twice as flat": {"rule": lambda h, x, beta, alpha: alpha * sign(x) if abs(x) >= beta else alpha * sign(h + 2 * x / beta)},
    },
)
def the_line_is_never_crossed(
    proof: Proof, alphas: tuple[Free, ...] = LARGE, rule: Callable[..., Any] = approximation, theorem: str = "bistable.eq8_is_eq9"
) -> None:
    r"""$x/\beta$ has modulus below $1\le\alpha$, so it cannot change the sign of $\pm\alpha$.

    1. For $|x|<\beta$ and $\alpha\ge1$: $\alpha+\frac x\beta>0$ and $-\alpha+\frac x\beta<0$, so $\alpha S(\pm\alpha+\frac x\beta)=\pm\alpha=h_{t-1}$; by cases for $x$ positive, zero and negative and $\alpha=1$, $\alpha>1$.
       [checked: "inside the memory region"]
    2. For $|x|\ge\beta$ both rules are $\alpha S(x)$. [checked: "outside the memory region"]
    """
    proof.formally(
        "the kernel: Eq. 8 gives what Eq. 9 gives", theorem, whole="all alpha >= 1, x and beta", differs="an ordered field for the reals"
    )
    for (alpha, h), (_, x, beta) in proof.every("all alpha >= 1, |x| < beta", product(with_states(alphas), inside()), limited=False):
        proof.exactly("inside the memory region", _or_undecided(rule, h, x, beta, alpha), simplified(h, x, beta, alpha))
    for (alpha, h), (_, x, beta) in proof.every("all alpha >= 1, |x| >= beta", product(with_states(alphas), outside()), limited=False):
        proof.exactly("outside the memory region", rule(h, x, beta, alpha), simplified(h, x, beta, alpha))
    for alpha, beta, x in (("1", "3/2", "-7/5"), ("5/4", "1/2", "1/3"), ("2", "1", "-1/2")):
        proof.certificate("witness", f"alpha = {alpha}", alpha=alpha, beta=beta, x=x)


def _or_undecided(rule: Callable[..., Any], *given: Free) -> Any:
    """The rule's value, or the comparison that its parameters leave open, as text: then the rule has more than one value in this case."""
    try:
        return rule(*given)
    except ArithmeticError as why:
        return str(why)


@claim(
    "degeeter26.eq9.alpha",
    place="Eq. 8 to Eq. 9; Eq. 11",
    flaw="gap",
    quotes=(
        "The convergence condition ensures that",
        "for all timesteps, which permits to further simplify equation (8) for",
    ),
    weight="hypothesis",
    letter="The step from Eq. 8 to Eq. 9 needs alpha >= 1, which is not said; Eq. 11 learns alpha freely. For alpha = 1/2, beta = 1, h = 1/2, x = -3/4 Eq. 8 gives -1/2 and Eq. 9 keeps 1/2. For alpha < 0 and the input 0 Eq. 8 flips the state every step. With alpha S(h/alpha + x/beta) in Eq. 8 the step holds for all alpha but 0.",
    title="Eq. 8 does not simplify to Eq. 9 for 0 < α < 1",
    says=r"For every learnable $\alpha$, $h_{t-1}=\pm\alpha$ and $|x_t|<\beta$: $\alpha S(h_{t-1}+x_t/\beta)=h_{t-1}$.",
    reading="alpha as in Eqs. 8 and 11, without a condition; no slip of extraction: alpha stands outside S in Eq. 8, and not inside",
    sabotages={"alpha >= 1 only": {"alphas": (fmpq(1), fmpq(2))}},
)
def needs_alpha_at_least_one(proof: Proof, alphas: Iterable[fmpq] = (fmpq(1, 2), fmpq(1, 4))) -> None:
    """For alpha < 1 an input x in (-beta, -alpha beta) turns +alpha to -alpha: 1/2 - 3/4 < 0. For alpha < 0 and x = 0 every step flips the state, as S(alpha) = -1."""
    beta = fmpq(1)
    inputs = sorted({s * n * fmpq(1, d) for n in range(9) for d in (1, 2, 4) for s in (1, -1)}, key=lambda q: (abs(q), q))
    # no ties: S is not asked at 0
    candidates = ((alpha, h, x) for alpha in alphas for x in inputs for h in (alpha, -alpha) if abs(x) < beta and h + x / beta != 0)
    found = proof.smallest(
        "alpha as given, beta = 1, then |x|",
        candidates,
        lambda c: bool(approximation(c[1], c[2], beta, c[0]) != simplified(c[1], c[2], beta, c[0])),
    )
    if found:
        alpha, h, x = found[0]
        new = approximation(h, x, beta, alpha)
        proof.counterexample(
            given={"alpha": alpha, "beta": beta, "h_(t-1)": h, "x_t": x, "Eq. 8": new, "Eq. 9": simplified(h, x, beta, alpha)},
            words={"start": bool(abs(h) == alpha), "weak": bool(abs(x) < beta), "changes": bool(new == -h)},
            minimal="alpha = 1/2, beta = 1",
        )
        proof.certificate("witness", "0 < alpha < 1", alpha=alpha, beta=beta, h=h, x=x)
        flipped = [approximation(fmpq(s), fmpq(0), beta, fmpq(-1)) for s in (-1, 1)]
        proof.counterexample(
            given={"alpha": -1, "beta": beta, "x_t": 0, "Eq. 8 from -1 and from 1": flipped},
            words={"weak": bool(beta > 0), "flips": bool(flipped == [1, -1])},
            minimal="alpha = -1, x = 0",
        )
        for h in ("-1", "1"):
            proof.certificate("witness", "alpha < 0", alpha="-1", beta=beta, h=h, x="0")


def repaired_line(h: Any, x: Any, beta: Any, alpha: Any) -> Any:
    """Eq. 8 with alpha S(h / alpha + x / beta) in the memory region."""
    return alpha * sign(x) if abs(x) >= beta else alpha * sign(h / alpha + x / beta)


@claim(
    "degeeter26.eq9.amended",
    place="Eq. 8 to Eq. 9",
    amends="degeeter26.eq9.alpha",
    title="Eq. 8 is Eq. 9 on ±α iff α ≥ 1 or α = 0; α S(h/α + x/β) repairs it for all α ≠ 0",
    says=r"$\alpha S(\pm\alpha+x/\beta)=\pm\alpha$ for all $|x|<\beta$ iff $\alpha\ge1$ or $\alpha=0$. And $\alpha S(h/\alpha+x/\beta)=h$ for $h=\pm\alpha$, every $\alpha\ne0$ and all $|x|<\beta$.",
    sabotages={
        "every alpha, which the kernel refutes": {"theorem": "bistable.eq8_keeps_for_every_alpha"},
        "all positive alpha": {"equal": (Free(1), Free(FRACTION))},
        "no division by alpha": {"repaired": approximation},
        "alpha = 2 among those that fail": {"different": ((Free(2), Free(-E)),)},
        "the tie is overlooked": {"ties": ()},
        "the threshold beta": {"factor": Free(1)},
    },
)
def exactly_from_one_on(
    proof: Proof,
    equal: tuple[Free, ...] = (*LARGE, Free(0)),
    different: tuple[tuple[Free, Free], ...] = ((Free(FRACTION), Free(-(1 + FRACTION) / 2 * E)), (Free(-A), Free(0))),
    repaired: Callable[..., Any] = repaired_line,
    ties: tuple[Free, ...] = (Free(-FRACTION * E),),
    factor: Free = Free(FRACTION),
    theorem: str = "bistable.eq8_keeps_iff",
) -> None:
    r"""The line is crossed if it can be.

    1. $\alpha\ge1$ is degeeter26.eq9; $\alpha=0$ leaves one state, $0$, and both rules give $0$. [uses: degeeter26.eq9] [checked: "equal for alpha >= 1 and alpha = 0"]
    2. $0<\alpha<1$: take $x=-\frac{1+\alpha}2\beta$, inside the memory region as $\frac{1+\alpha}2<1$; from $+\alpha$, $\alpha+\frac x\beta=\frac{\alpha-1}2<0$, so Eq. 8 gives $-\alpha$. [checked: "different for"]
    3. $\alpha<0$: at $x=0$, $S(\alpha)=-1$ and Eq. 8 gives $-\alpha\ne\alpha$. [checked: "different for"]
    4. $h/\alpha=\pm1$ has modulus $1$, and $|x/\beta|<1$: the sum has the sign of $h/\alpha$. [checked: "the repaired line"]
    5. What a learned $0<\alpha<1$ makes of the cell: Eq. 8 is Eq. 9 with the threshold $\alpha\beta$. The one exception is $x=-\alpha\beta$ from $+\alpha$, where $S(0)=1$ keeps the state and Eq. 9 writes. The inputs are $0$, $\pm$ a number of
       $(0,\alpha\beta)$, $\pm\alpha\beta$, $\pm$ a number of $(\alpha\beta,\beta)$, $\pm\beta$ and $\pm$ a number beyond. [checked: "equal but for the tie"]
    """
    proof.formally(
        "the kernel: the states are kept iff alpha >= 1 or alpha = 0, and the repaired line keeps them",
        theorem,
        whole="all alpha, and every beta > 0",
        differs="an ordered field for the reals; one beta > 0 at a time",
    )
    for (alpha, h), (_, x, beta) in proof.every("all alpha >= 1 and 0, |x| < beta", product(with_states(equal), inside()), limited=False):
        proof.exactly("equal for alpha >= 1 and alpha = 0", _or_undecided(approximation, h, x, beta, alpha), h)
    for alpha, x in proof.every("all 0 < alpha < 1 and all alpha < 0, all beta", different, limited=False):
        proof.holds("inside the memory region", not abs(x) >= Free(E))
        proof.exactly("different for 0 < alpha < 1 and alpha < 0", approximation(alpha, x, Free(E), alpha), -alpha)
    for (alpha, h), (_, x, beta) in proof.every(
        "all alpha != 0, |x| < beta", product(with_states((Free(A), Free(-A))), inside()), limited=False
    ):
        proof.exactly("the repaired line is Eq. 9", _or_undecided(repaired, h, x, beta, alpha), h)
    alpha, beta, part = Free(FRACTION), Free(E), B / (B + G)
    sizes = [FRACTION * E * part, FRACTION * E, (FRACTION + (1 - FRACTION) * part) * E, E, E + D]
    inputs = [Free(0), *(Free(s * size) for size in sizes for s in (1, -1))]
    for x, s in proof.every("all 0 < alpha < 1, beta > 0, all x", product(inputs, (1, -1)), limited=False):
        h = s * alpha
        agree = approximation(h, x, beta, alpha) == simplified(h, x, beta * factor, alpha)
        proof.exactly("equal but for the tie at x = -alpha beta", agree, not (s == 1 and x in ties))
    proof.certificate("witness", "alpha = 3/4", alpha="3/4", beta="2", x="-7/4")
    proof.certificate("witness", "alpha = -1/2", alpha="-1/2", beta="1", x="0")


@claim(
    "degeeter26.eq10",
    place="Eq. 10",
    title="the gated form is Eq. 9",
    says=r"$z=H(|x|-\beta)$, $h_t=zS(x)\alpha+(1-z)h_{t-1}$ is Eq. 9, for all $h_{t-1}$, $\alpha$, $x$ and $\beta\ge0$.",
    remarks=(
        "Sec. 6 knows no other architecture whose update gate can be 0. Skip RNN (Campos et al., ICLR 2018) has one: a binary gate that copies the previous state where it is 0.",
    ),
    reading="H(0) = 1; the paper gives S(0) but not H(0), and any other value fails at |x| = beta",
    construction="lemmata.constructions.bistable.gated",
    sabotages={
        "H(0) = 0, which the kernel refutes": {"theorem": "bistable.eq10_with_another_heaviside"},
        "H(0) = 0": {"gate": lambda v: int(not -v >= 0)},
        "H(0) = 1/2": {"gate": lambda v: fmpq(1, 2) if v == 0 else heaviside(v)},
    },
)
def gates_are_cases(proof: Proof, gate: Callable[[Any], Any] = heaviside, theorem: str = "bistable.eq10_is_eq9") -> None:
    r"""$z$ is $0$ or $1$ and picks one of the two lines.

    1. $|x|\ge\beta$: $z=1$, and what is left is $S(x)\alpha$. [checked: "written"]
    2. $|x|<\beta$: $z=0$, and what is left is $h_{t-1}$. [checked: "kept"]
    """
    proof.formally(
        "the kernel: Eq. 10 is Eq. 9", theorem, whole="all h, alpha, x and beta", differs="an ordered field for the reals; beta < 0 too"
    )
    alpha, h = Free(ALPHA), Free(STATE)
    for _, x, beta in proof.every("all |x| >= beta", outside(), limited=False):
        proof.exactly("written", gated(h, x, beta, alpha, gate), simplified(h, x, beta, alpha))
        proof.exactly("written", simplified(h, x, beta, alpha), alpha * sign(x))
    for _, x, beta in proof.every("all |x| < beta", inside(), limited=False):
        proof.exactly("kept", gated(h, x, beta, alpha, gate), simplified(h, x, beta, alpha))
        proof.exactly("kept", simplified(h, x, beta, alpha), h)
    for x in ("-3/2", "-1", "-1/2", "0", "1"):
        proof.certificate("witness", f"x = {x}", h="1/3", x=x, beta="1", alpha="-2")
