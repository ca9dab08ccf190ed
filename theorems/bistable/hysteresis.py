"""Equilibria, folds, stability and basins of h -> (1 - c) h + c tanh(x + (beta + 1) h) (degeeter26, Sec. 3, Figs. 1 and 2)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import sympy
from flint import arb, fmpq

from ...constructions.bistable import count_zeros, equilibria, fold_input, fold_state, steady_input, update
from ...numerics.aliases import Exact
from ..claim import claim
from ..evidence import Proof

H, X, BETA, C, U = (
    sympy.Symbol("h", real=True),
    sympy.Symbol("x", real=True),
    sympy.Symbol("beta"),
    sympy.Symbol("c"),
    sympy.Symbol("u", positive=True),
)


def tick(h: Any, x: Any, beta: Any, c: Any) -> Any:
    """Eq. 4b in symbols."""
    return (1 - c) * h + c * sympy.tanh(x + (beta + 1) * h)


def input_of(h: Any, beta: Any) -> Any:
    """Eq. 5 solved for x, in symbols."""
    return sympy.atanh(h) - (beta + 1) * h


def folds(u: Any) -> tuple[Any, Any, Any]:
    """(beta, h_f, x_f) for sqrt(beta) = sinh u, u > 0: the state is tanh u and the input sinh u cosh u - u."""
    return sympy.sinh(u) ** 2, sympy.tanh(u), sympy.sinh(u) * sympy.cosh(u) - u


def number_of_equilibria(beta: Any, x: Any) -> int | None:
    """The number of solutions of Eq. 5, for every point of two balls."""

    def slope(h: arb) -> arb:
        t = (x + (beta + 1) * h).tanh()
        return 1 - (beta + 1) * (1 - t * t)

    return count_zeros(lambda h: h - (x + (beta + 1) * h).tanh(), slope, -2, 2)


def is_equilibrium(h: arb, x: Any, beta: Any) -> bool:
    """h - tanh(x + (beta + 1) h) certainly changes its sign across the ball, widened by 1e-10."""
    margin = arb(10) ** -10
    low, high = (e - (arb(x) + (arb(beta) + 1) * e).tanh() for e in (h.lower() - margin, h.upper() + margin))
    return bool(low < 0 and high > 0) or bool(low > 0 and high < 0)


def count_in_box(box: tuple[fmpq, ...], expected: int, x_of: Callable[[arb, arb], Any], most: int) -> str:
    """ "as stated" if Eq. 5 has ``expected`` solutions for every point of a box (beta from, to; ratio from, to), by halving; otherwise why not.

    ``x_of`` makes the input of beta and the ratio; at most ``most`` boxes are looked at.
    """
    boxes, todo = 0, [box]
    while todo:
        b0, b1, r0, r1 = todo.pop()
        boxes += 1
        beta = arb(b0).union(arb(b1))
        found = number_of_equilibria(beta, x_of(beta, arb(r0).union(arb(r1))))
        if found is not None and found != expected:
            return f"{found} solutions for beta in [{b0}, {b1}]"
        if found is None:
            if boxes > most:
                return "too many boxes"
            mb, mr = (b0 + b1) / 2, (r0 + r1) / 2
            # halve the longer side, that of beta on a logarithmic scale
            todo += [(b0, mb, r0, r1), (mb, b1, r0, r1)] if (b1 - b0) / abs(mb) > r1 - r0 else [(b0, b1, r0, mr), (b0, b1, mr, r1)]
    return "as stated"


# -- how many equilibria ---------------------------------------------------------------------------------------------------------


@claim(
    "degeeter26.sec3.solutions",
    place="Sec. 3, after Eq. 5; Fig. 2",
    title="one equilibrium for β ≤ 0; for β > 0 a memory region, up to the folds, with two stable ones, and an unstable one between",
    says=r"Eq. 5 is $x=X(h)=\operatorname{artanh}h-(\beta+1)h$. It has one solution for each $x$ iff $\beta\le0$. For $\beta>0$, $X$ turns round at $h^2=\frac{\beta}{\beta+1}$, "
    r"where $|x|=x_f=\sqrt{\beta(\beta+1)}-\operatorname{arcsinh}\sqrt\beta$: three solutions for $|x|<x_f$, two at $|x|=x_f$, one beyond. For $0<c\le1$ those with $h^2>\frac\beta{\beta+1}$ are "
    r"stable, the one with $h^2<\frac\beta{\beta+1}$ is not.",
    reading="'two solutions are possible' means two stable ones; Fig. 2 draws the third, unstable one dashed",
    construction="lemmata.constructions.bistable.fold_input",
    sabotages={
        "feedback beta in place of beta + 1": {"steady": lambda h, beta: sympy.atanh(h) - beta * h},
        "the threshold beta in place of the fold": {"at_fold": lambda u: (sympy.sinh(u) ** 2, sympy.tanh(u), sympy.sinh(u) ** 2)},
        "the fold in use 3 percent too small": {"fold": lambda beta: fold_input(beta) * fmpq(97, 100)},
        "a middle branch a tenth too low": {
            "solve": lambda x, beta: [h if i != 1 else h * arb(9) / 10 for i, h in enumerate(equilibria(x, beta))]
        },
    },
)
def equilibria_for_all_beta(
    proof: Proof,
    steady: Callable[..., Any] = input_of,
    at_fold: Callable[..., Any] = folds,
    fold: Callable[..., arb] = fold_input,
    solve: Callable[..., list[arb]] = equilibria,
) -> None:
    r"""Solve Eq. 5 for the input, and follow the curve $x=X(h)$.

    1. $X'(h)(1-h^2)=(\beta+1)h^2-\beta$, and $X$ runs from $-\infty$ to $\infty$ on $(-1,1)$ as $\operatorname{artanh}$ does. [checked: "X'(h) (1 - h^2)"; "X - artanh is linear"]
    2. $\beta\le0$: the right side is positive but for $h=0$ at $\beta=0$, so $X$ increases, and each $x$ has one solution. [prose]
    3. $\beta>0$: $X$ increases up to $-h_f$, decreases to $h_f$ and increases again, $h_f^2=\frac\beta{\beta+1}$. With $\sqrt\beta=\sinh u$: $h_f=\tanh u$ and $X(h_f)=u-\sinh u\cosh u=-x_f$; $x_f$ has the derivative
       $2\sinh^2u$ in $u$ and is $0$ at $u=0$. [checked: "h_f^2 = beta"; "artanh h_f = u"; "X(h_f) = -x_f"; "x_f increases from 0"; "x_f = 0 at beta = 0"]
    4. By the intermediate value theorem on the three pieces, $x$ has three solutions for $|x|<x_f$, two at $|x|=x_f$, and one beyond. [prose]
    5. At a solution $\tanh(\dots)=h$, so $f'(h)=1-c+c(\beta+1)(1-h^2)\ge1-c\ge0$ and $f'-1=c(\beta-(\beta+1)h^2)$: below $1$ on the outer pieces, above $1$ on the middle one. [checked: "f'(h) at an equilibrium"; "f' - 1 ="; "f' >= 1 - c"]
    6. The code's fold and solutions are these, and certified bisection, which knows nothing of them, counts as many. [checked: "the fold in use"; "the solutions in use"; "as many by certified bisection"]
    7. So it does for whole boxes of parameters, without a sampled point: a box is halved until interval arithmetic decides. [checked: "3 solutions in the whole box"; "1 solutions in the whole box"]
    """
    proof.symbolically(
        "X'(h) (1 - h^2) = (beta + 1) h^2 - beta", sympy.diff(steady(H, BETA), H) * (1 - H**2), (BETA + 1) * H**2 - BETA, "h, beta"
    )
    proof.symbolically(
        "X - artanh is linear, so X runs over the whole line as artanh does",
        sympy.diff(steady(H, BETA) - sympy.atanh(H), H, 2),
        0,
        "h, beta",
    )
    beta, h_f, x_f = at_fold(U)
    proof.symbolically("h_f^2 = beta / (beta + 1)", (h_f**2).rewrite(sympy.exp), (beta / (beta + 1)).rewrite(sympy.exp), "beta > 0")
    proof.symbolically("artanh h_f = u", sympy.tanh(U), h_f, "beta > 0")
    at = U - (beta + 1) * h_f  # X(h_f), with artanh(tanh u) = u
    proof.symbolically("X(h_f) = -x_f", (at + x_f).rewrite(sympy.exp), 0, "beta > 0")
    proof.symbolically(
        "x_f increases from 0", sympy.diff(x_f, U).rewrite(sympy.exp), (2 * sympy.sinh(U) ** 2).rewrite(sympy.exp), "beta > 0"
    )
    proof.symbolically("x_f = 0 at beta = 0", x_f.subs(U, 0), 0, "beta")
    slope = 1 - C + C * (BETA + 1) * (1 - H**2)
    proof.symbolically(
        "f'(h) at an equilibrium", sympy.diff(tick(H, X, BETA, C), H).subs(sympy.tanh(X + (BETA + 1) * H), H), slope, "h, beta, c"
    )
    proof.symbolically("f' - 1 = c (beta - (beta + 1) h^2)", slope - 1, C * (BETA - (BETA + 1) * H**2), "h, beta, c")
    proof.symbolically("f' >= 1 - c >= 0, so f' > -1", slope - (1 - C), C * (BETA + 1) * (1 - H**2), "h, beta, c")
    cases = [
        (b, r)
        for b in proof.pick((1,), (fmpq(1, 8), fmpq(3, 2), 4), (fmpq(1, 100), fmpq(1, 8), 1, fmpq(3, 2), 4, 20))
        for r in (0, fmpq(-1, 2), fmpq(9, 10), fmpq(11, 10))
    ]
    for b, r in proof.each(f"{len(cases)} pairs (beta, x / x_f), x / x_f in {{0, -1/2, 9/10, 11/10}}", cases):
        x = (fold_input(b) * arb(r)).mid()
        defect = steady_input(fold_state(b), b) + fold(b)
        found = solve(x, b)
        proof.certified("the fold in use is -X(h_f)", bool(abs(defect) < arb(10) ** -9))
        proof.certified("the solutions in use are solutions", all(is_equilibrium(h, x, b) for h in found))
        proof.certified("as many by certified bisection", number_of_equilibria(arb(b), x) == len(found) == (3 if abs(r) < 1 else 1))
    low, high, most = proof.pick((fmpq(1, 2), fmpq(2), 2000), (fmpq(1, 4), fmpq(8), 8000), (fmpq(1, 16), fmpq(32), 60000))
    boxes = [
        ((low, high, fmpq(0), fmpq(9, 10)), 3, lambda beta, r: r * fold(beta)),
        ((low, high, fmpq(11, 10), fmpq(2)), 1, lambda beta, r: r * fold(beta)),
        ((fmpq(-4), fmpq(-1, 10), fmpq(0), fmpq(4)), 1, lambda beta, x: x),
    ]
    covered = f"beta in [{low}, {high}], 0 <= x <= 9/10 x_f or 11/10 x_f <= x <= 2 x_f; beta in [-4, -1/10], 0 <= x <= 4"
    for box, expected, x_of in proof.every(covered, boxes):
        outcome = count_in_box(box, expected, x_of, most)
        proof.certified(f"{expected} solutions in the whole box", outcome == "as stated", outcome)
    for b, x, brackets in (
        ("3/2", "1/10", [["-99/100", "-9/10"], ["-1/2", "0"], ["9/10", "999/1000"]]),
        ("1/2", "0", [["-99/100", "-3/5"], ["-1/10", "1/10"], ["3/5", "99/100"]]),
        ("4", "-2", [["-99999999/100000000", "-9/10"], ["3/10", "7/10"], ["9/10", "9999/10000"]]),
    ):
        proof.certificate("witness", f"beta = {b}, x = {x}", beta=b, x=x, brackets=brackets)
    proof.exhibit("the three solutions at beta = 3/2, x = 1/10", solutions=[h.str(8) for h in equilibria(fmpq(1, 10), fmpq(3, 2))])


# -- stability ---------------------------------------------------------------------------------------------------------------------


@claim(
    "degeeter26.sec3.stability",
    place="Sec. 3, after Eq. 5 (stability property)",
    title="for 0 < c ≤ 1 and β > −2/c an equilibrium with df/dh < 1 is stable",
    says=r"Let $0<c\le1$ and $\beta>-\frac2c$. A solution $h^*$ of Eq. 5 with $\frac{df}{dh}(h^*)<1$ attracts all states nearby.",
    reading="for the cells of the paper, beta = +-1.5 and c = 0.01, and all others with beta > -2/c; the printed condition lacks a modulus (degeeter26.sec3.stability.modulus)",
    remarks=("The condition is not necessary: at beta = 0, x = 0 the derivative is 1, and |tanh h| < |h| draws every orbit to 0.",),
    sabotages={"feedback beta - 2/c": {"shift": -1}},
)
def below_one_is_enough(proof: Proof, shift: int = 1) -> None:
    r"""The derivative is bounded below by $-1$ from the start.

    1. With $s=1-\tanh^2(\dots)\in(0,1]$: $f'=1-c+c(\beta+1)s$. [checked: "f' = 1 - c"]
    2. For $\beta=-\frac2c+q$, $q>0$: $f'+1=(2-c)(1-s)+cqs>0$. [checked: "f' + 1 is (2 - c)(1 - s) + c q s"; "f' + 1 > 0"]
    3. So $f'<1$ means $|f'|<1$, and then $f$ brings all states near $h^*$ nearer by a factor below $1$ (mean value theorem, $f'$ continuous). [prose]
    """
    s, q = sympy.symbols("s q", positive=True)
    derivative: Exact = sympy.diff(tick(H, X, BETA, C), H).subs(sympy.tanh(X + (BETA + 1) * H) ** 2, 1 - s)
    proof.symbolically("f' = 1 - c + c (beta + 1) s", derivative, 1 - C + C * (BETA + 1) * s, "h, x, beta, c")
    above = (2 - C) * (1 - s) + C * q * s
    proof.symbolically("f' + 1 is (2 - c)(1 - s) + c q s", derivative.subs(BETA, shift * q - 2 / C) + 1, above, "s, c, q > 0")
    # c = 1/(1 + u) and s = 1/(1 + v) with u, v >= 0 are all numbers of (0, 1]
    u, v = sympy.symbols("u v", nonnegative=True)
    proof.holds("f' + 1 > 0", sympy.factor(above.subs({C: 1 / (1 + u), s: 1 / (1 + v)})).is_positive, free="c and s in (0, 1], q > 0")
    proof.certificate("witness", "c = 1/100, beta = 3/2, x = 1/10", c="1/100", beta="3/2", x="1/10", bracket=["97/100", "999/1000"])
    proof.certificate("witness", "c = 1, beta = -3/2, x = 1/2", c="1", beta="-3/2", x="1/2", bracket=["1/4", "2/5"])


@claim(
    "degeeter26.sec3.stability.modulus",
    place="Sec. 3, after Eq. 5 (stability property)",
    flaw="misprint",
    quotes=("This solution must also satisfy the stability property to ensure that it is a stable point:",),
    extracted=True,
    weight="hypothesis",
    letter="The stability condition after Eq. 5, df/dh < 1, lacks its modulus. For c = 1, beta = -3, x = 0 the derivative at the only equilibrium is -2. Orbits end in the 2-cycle +-0.9575. For 0 < c <= 1 and beta > -2/c, which covers all your cells, df/dh > -1 holds anyway.",
    title="df/dh < 1 does not make an equilibrium stable; the modulus is missing",
    says=r"A solution $h^*$ of Eq. 5 with $\frac{df}{dh}(h^*)<1$ is a stable point of the map $f$, for every $c\in(0,1]$ and every $\beta$.",
    reading="as printed, for all beta; in continuous time the condition would be right, and bars may have been lost in the extraction of the text",
    sabotages={"feedback that the condition does bound": {"betas": (1, 0, -1, -2)}},
)
def one_sided_condition(proof: Proof, betas: tuple[int, ...] = (1, 0, -1, -2, -3, -4)) -> None:
    """Below -1 the derivative makes orbits alternate: for c = 1, beta = -3 and x = 0 they end in the 2-cycle of r = tanh(2r), while f'(0) = -2 < 1."""
    cycle = lambda beta: count_zeros(lambda h: update(h, 0, beta, 1) + h, lambda h: _cycle_slope(h, beta), fmpq(1, 100), 1)  # noqa: E731
    found = proof.smallest("c = 1, x = 0, beta downwards", betas, lambda beta: 1 + beta < 1 and cycle(beta) == 1)
    if found:
        beta = found[0]
        low, high = fmpq(1, 100), fmpq(1)
        for _ in range(14):
            middle = (low + high) / 2
            low, high = (middle, high) if update(arb(middle), 0, beta, 1) + middle < 0 else (low, middle)
        proof.counterexample(
            given={
                "c": 1,
                "beta": beta,
                "x": 0,
                "h*": 0,
                "df/dh at h*": 1 + beta,
                "2-cycle": f"+-r with r in [{float(low.p) / float(low.q):.5f}, {float(high.p) / float(high.q):.5f}]",
            },
            words={
                "below": 1 + beta < 1,
                "leave": 1 + beta < -1,
                "two-cycle": bool(update(arb(low), 0, beta, 1) + low < 0) and bool(update(arb(high), 0, beta, 1) + high > 0),
            },
            how="certified",
            minimal="c = 1, beta = -3",
        )
        proof.certificate("witness", "a 2-cycle around an equilibrium", c="1", beta=fmpq(beta), x="0", h="0", cycle=[low, high])


def _cycle_slope(h: arb, beta: int) -> arb:
    """The derivative of f(h) + h for c = 1 and x = 0, whose zeros are the states of 2-cycles h -> -h."""
    t = ((beta + 1) * h).tanh()
    return 1 + (beta + 1) * (1 - t * t)


@claim(
    "degeeter26.sec3.stability.amended",
    place="Sec. 3, after Eq. 5 (stability property)",
    amends="degeeter26.sec3.stability.modulus",
    title="for 0 < c ≤ 1 every trajectory converges, whatever the input, if and only if β ≥ −2/c",
    says=r"Let $0<c\le1$. If $\beta\ge-\frac2c$, $f^n(h)$ converges for all $x$ and $h$; if $\beta<-\frac2c$ and $x=0$, the only equilibrium repels, with $f'(0)<-1$. $\beta\ge-1$: $f$ is nondecreasing. "
    r"$-\frac2c\le\beta\le-1$: $-1\le f'<1$ with $-1$ at one point at most.",
    sabotages={"c is forgotten before tanh": {"step": lambda h, x, beta, c: (1 - c) * h + sympy.tanh(x + (beta + 1) * h)}},
)
def convergence_for_all_inputs(proof: Proof, step: Callable[..., Any] = tick) -> None:
    r"""Monotone maps for $\beta\ge-1$, maps that bring points nearer for $-\frac2c\le\beta\le-1$.

    1. $f'=1-c+c(\beta+1)s$ with $s=\operatorname{sech}^2(\dots)\in(0,1]$. [checked: "f' = 1 - c"]
    2. $\beta=-1+p$, $p\ge0$: $f'=(1-c)+cps\ge0$; orbits of a nondecreasing map are monotone, and bounded as $|f(h)|\le(1-c)|h|+c$. So they converge. [checked: "beta = -1 + p"] [prose]
    3. $\beta=-\frac2c+q$, $q\ge0$: $f'+1=(2-c)(1-s)+cqs\ge0$, zero only if $q=0$ and $s=1$, that is at one $h$; and for $\beta=-1-w$, $1-f'=c(1+ws)>0$. So $|f(a)-f(b)|<|a-b|$ for $a\ne b$.
       [checked: "beta = -2/c + q"; "beta = -1 - w"]
    4. There is an equilibrium $h^*$. The distances $d_n=|f^n(h)-h^*|$ decrease to some $d\ge0$. Let $p$ be a limit point of the orbit; then $|p-h^*|=d$, and $f(p)$ is a limit point as well, so $|f(p)-h^*|=d$ too. By step 3 this
       forces $p=h^*$: $d=0$. [uses: degeeter26.sec3.solutions] [prose]
    5. $\beta=-\frac2c-q$, $q>0$, $x=0$: $f'(0)=-1-cq<-1$ at the only equilibrium, which repels; an orbit that does not fall on it does not converge. [checked: "beta = -2/c - q"] [prose]
    """
    s, p, q, w = sympy.symbols("s p q w", nonnegative=True)
    derivative: Exact = sympy.diff(step(H, X, BETA, C), H).subs(sympy.tanh(X + (BETA + 1) * H) ** 2, 1 - s)
    proof.symbolically("f' = 1 - c + c (beta + 1) s", derivative, 1 - C + C * (BETA + 1) * s, "h, x, beta, c")
    proof.symbolically("beta = -1 + p: f' = (1 - c) + c p s >= 0", derivative.subs(BETA, p - 1), (1 - C) + C * p * s, "s, c, p >= 0")
    proof.symbolically(
        "beta = -2/c + q: f' + 1 = (2 - c)(1 - s) + c q s >= 0",
        derivative.subs(BETA, q - 2 / C) + 1,
        (2 - C) * (1 - s) + C * q * s,
        "s, c, q >= 0",
    )
    proof.symbolically("beta = -1 - w: 1 - f' = c (1 + w s) > 0", 1 - derivative.subs(BETA, -1 - w), C * (1 + w * s), "s, c, w >= 0")
    proof.symbolically(
        "beta = -2/c - q: f'(0) + 1 = -c q < 0 at x = 0", sympy.diff(step(H, 0, -2 / C - q, C), H).subs(H, 0) + 1, -C * q, "c, q > 0"
    )
    proof.certificate(
        "witness", "c = 1, beta = -2 converges slowly, -3 does not", c="1", beta="-2", x="1/2", start="-1", ticks=60, below="-3"
    )


# -- convergence -------------------------------------------------------------------------------------------------------------------


@claim(
    "degeeter26.sec3.convergence",
    place="Sec. 3, first paragraphs; Figs. 1 and 2",
    title="off the folds the internal clock leads to a stable equilibrium from every state but the unstable one",
    says=r"Let $0<c\le1$, $\beta\ge-\frac1c$ and $|x|\ne x_f$. Every orbit of Eq. 4b is monotone, and ends at the next equilibrium in the direction of $\operatorname{sign}(x-X(h))$, a stable one unless the orbit starts in the middle "
    r"equilibrium: that is the boundary of the two basins.",
    reading="for every previous state but the unstable equilibrium, and every input but the two folds (degeeter26.sec3.convergence.unstable). In the display of f^n x stands once for x_t",
    construction="lemmata.constructions.bistable.update",
    sabotages={
        "a start on the other side": {"offset": fmpq(-1, 1000)},
        "a clock that runs for one tick": {"ticks": 1},
    },
)
def basins(proof: Proof, offset: fmpq = fmpq(1, 1000), ticks: int = 400) -> None:
    r"""An increasing map moves every state towards the next equilibrium, and cannot jump over it.

    1. With $A=x+(\beta+1)h$ and $h=\tanh t$: $\tanh A-\tanh t=(1-\tanh t\tanh A)\tanh(A-t)$ and $A-t=x-X(h)$. So $f(h)-h=c(\tanh A-h)$ has the sign of $x-X(h)$, and $f(h)>h$ iff $X(h)<x$. [checked: "tanh A - tanh t"]
    2. $\beta=-\frac1c+q$, $q\ge0$: $f'=(1-c)(1-s)+cqs\ge0$, so $f$ is nondecreasing; orbits are monotone and do not pass an equilibrium. [checked: "beta = -1/c + q"]
    3. So an orbit converges to the next equilibrium in its direction; by degeeter26.sec3.solutions that is an outer one, which is stable, unless it starts in the middle one. [uses: degeeter26.sec3.solutions] [prose]
    4. Orbits in balls from just above and just below the middle equilibrium. [checked: "the orbit comes within"; "which attracts"; "the middle one repels"; "solutions of Eq. 5"]
    """
    a, t = sympy.symbols("A t", real=True)
    proof.symbolically(
        "tanh A - tanh t = (1 - tanh t tanh A) tanh(A - t)",
        (sympy.tanh(a) - sympy.tanh(t)).rewrite(sympy.exp),
        ((1 - sympy.tanh(t) * sympy.tanh(a)) * sympy.tanh(a - t)).rewrite(sympy.exp),
        "A = x + (beta + 1) h, t = artanh h",
    )
    s, q = sympy.symbols("s q", nonnegative=True)
    derivative: Exact = sympy.diff(tick(H, X, BETA, C), H).subs(sympy.tanh(X + (BETA + 1) * H) ** 2, 1 - s)
    proof.symbolically("beta = -1/c + q: f' >= 0", derivative.subs(BETA, q - 1 / C), (1 - C) * (1 - s) + C * q * s, "s, c, q >= 0")
    betas = proof.pick((1, 3), (fmpq(1, 2), 1, fmpq(3, 2), 4), (fmpq(1, 8), fmpq(1, 2), 1, fmpq(3, 2), 4, 16))
    cases = list(product(betas, (fmpq(-3, 4), fmpq(0), fmpq(1, 3)), (fmpq(1, 2), fmpq(1))))
    for beta, ratio, c in proof.each(f"{len(cases)} triples (beta, x / x_f, c), x / x_f in {{-3/4, 0, 1/3}}, c in {{1/2, 1}}", cases):
        x = (fold_input(beta) * arb(ratio)).mid()
        low, middle, high = equilibria(x, beta)
        proof.certified("solutions of Eq. 5 lie in the balls", all(is_equilibrium(h, x, beta) for h in (low, middle, high)))
        for side, goal in ((1, high), (-1, low)):
            h = (middle + arb(offset) * side).mid()
            for _ in range(ticks):
                h = update(h, x, beta, c)
                if abs(h - goal) < arb(1) / 1000:
                    break
                # the map is increasing: an orbit that lags behind may stand for the whole ball
                h = h.lower() if side > 0 else h.upper()
            proof.certified(
                "the orbit comes within 1/1000 of the equilibrium on its side", bool(abs(h - goal) < arb(1) / 1000), f"h = {h.str(6)}"
            )
            proof.certified("which attracts", bool(1 - c + c * (beta + 1) * (1 - goal * goal) < 1))
        proof.certified("the middle one repels", bool(1 - c + c * (beta + 1) * (1 - middle * middle) > 1))
    for start, goal in (("-1/20", ["97/100", "999/1000"]), ("-2/25", ["-999/1000", "-9/10"])):
        proof.certificate("witness", f"from {start}", c="1", beta="3/2", x="1/10", start=start, ticks=25, goal=goal)


@claim(
    "degeeter26.sec3.convergence.unstable",
    place="Sec. 3, first paragraphs",
    flaw="overstatement",
    quotes=(
        "Letting the internal clock to loop an infinite number of times",
        "ensures that the RNN has converged towards a stable equilibrium between two time steps.",
    ),
    weight="wording",
    letter="Sec. 3 says that an infinite internal clock leads to a stable equilibrium. From an unstable one it does not. For beta > 0 and the input 0 that is the state 0, the usual start of an RNN. At the two fold inputs an interval of states ends in an equilibrium that repels on one side. Elsewhere the sentence is right.",
    title="the internal clock does not leave an unstable equilibrium that it starts in",
    says=r"With $N\to\infty$ the unit reaches a stable equilibrium $h_t$ from every $h_{t-1}$, for every input.",
    sabotages={"beta = -1, with one equilibrium": {"beta": -1}},
)
def not_from_the_unstable_one(proof: Proof, beta: int = 1) -> None:
    """At x = 0 the state 0 stays 0, which repels for beta > 0. At a fold a whole interval of states ends in an equilibrium that repels from one side:
    X has a minimum there, so f(h) < h on both sides of h_f."""
    h_f = sympy.sqrt(sympy.Rational(max(beta, 0), beta + 1)) if beta > -1 else sympy.Integer(0)
    proof.counterexample(
        given={"c": "any c in (0, 1]", "beta": beta, "x": 0, "h": 0, "f'(0)": f"1 + {beta} c"},
        words={"fixed": bool(tick(0, 0, beta, C) == 0), "slope": beta > 0},
        minimal="x = 0, h = 0",
    )
    second = sympy.simplify(sympy.diff(input_of(H, beta), H, 2).subs(H, h_f))
    proof.counterexample(
        given={"beta": beta, "x": "-x_f(beta)", "h": "any state above h_f", "limit": f"h_f = {h_f}"},
        words={"critical": bool(sympy.simplify(sympy.diff(input_of(H, beta), H).subs(H, h_f)) == 0), "repels": bool(second > 0)},
        how="symbolic",
        minimal="at the folds, from an interval of states",
    )
    proof.certificate("witness", "x = 0, h = 0", c="1/2", beta=fmpq(int(beta)), x="0", h="0")
