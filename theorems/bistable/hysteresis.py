"""Equilibria, folds, stability and basins of h -> (1 - c) h + c tanh(x + (beta + 1) h) (degeeter26, Sec. 3, Figs. 1 and 2)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import sympy
from flint import arb, fmpq

from ...constructions.bistable import count_zeros, equilibria, fold_input, update
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


# -- how many equilibria ---------------------------------------------------------------------------------------------------------


@claim(
    "degeeter26.sec3.solutions",
    topic="bistable",
    place="Sec. 3, after Eq. 5 (beta = 1.5)",
    title="for beta = 1.5 Eq. 5 has a region of inputs with two solutions",
    says=r"For $\beta=1.5$ there is a memory region of inputs $x$ for which Eq. 5 has two solutions $h$.",
    reading="solutions of Eq. 5, as printed; two of three are stable",
    sabotages={"beta = -1.5": {"beta": fmpq(-3, 2)}},
)
def three_solutions(proof: Proof, beta: fmpq = fmpq(3, 2)) -> None:
    """There are three inside the region and one outside; two only at the two fold inputs."""
    inside, outside = (number_of_equilibria(arb(beta), arb(x)) for x in (fmpq(1, 10), fmpq(1)))
    proof.counterexample(
        given={
            "beta": beta,
            "x": fmpq(1, 10),
            "solutions of Eq. 5": [h.str(8) for h in equilibria(fmpq(1, 10), beta)],
            "solutions at x = 1": outside,
        },
        hypotheses={"beta > 0": beta > 0},
        violates={"three solutions, by certified bisection": inside == 3, "one at x = 1": outside == 1},
        how="certified",
        minimal="beta = 3/2, x = 1/10",
    )


@claim(
    "degeeter26.sec3.solutions.amended",
    topic="bistable",
    place="Sec. 3, after Eq. 5; Fig. 2",
    kind="amended",
    amends="degeeter26.sec3.solutions",
    title="one equilibrium for beta <= 0; for beta > 0 three inside |x| < x_f, the outer two stable, two at the folds, one beyond",
    says=r"Eq. 5 is $x=X(h)=\operatorname{artanh}h-(\beta+1)h$. It has one solution for each $x$ iff $\beta\le0$. For $\beta>0$, $X$ turns round at $h^2=\frac{\beta}{\beta+1}$, "
    r"where $|x|=x_f=\sqrt{\beta(\beta+1)}-\operatorname{arcsinh}\sqrt\beta$: three solutions for $|x|<x_f$, two at $|x|=x_f$, one beyond. For $0<c\le1$ those with $h^2>\frac\beta{\beta+1}$ are "
    r"stable, the one with $h^2<\frac\beta{\beta+1}$ is not.",
    construction="lemmata.constructions.bistable.fold_input",
    sabotages={
        "feedback beta in place of beta + 1": {"steady": lambda h, beta: sympy.atanh(h) - beta * h},
        "the threshold beta in place of the fold": {"at_fold": lambda u: (sympy.sinh(u) ** 2, sympy.tanh(u), sympy.sinh(u) ** 2)},
    },
)
def equilibria_for_all_beta(proof: Proof, steady: Callable[..., Any] = input_of, at_fold: Callable[..., Any] = folds) -> None:
    """X' (1 - h^2) = (beta + 1) h^2 - beta has no zero inside (-1, 1) for beta < 0, a double one at 0 for beta = 0, and the two zeros +-h_f for
    beta > 0. X runs from -inf to inf and X(-h_f) = x_f > 0 > X(h_f), so intermediate values give the numbers. With sqrt(beta) = sinh u everything is
    hyperbolic: x_f = sinh u cosh u - u has derivative 2 sinh^2 u. At an equilibrium tanh' = 1 - h^2."""
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


@claim(
    "new.bistable.equilibria",
    topic="bistable",
    place="after degeeter26 Eq. 5",
    kind="new",
    title="the numbers of equilibria for whole boxes of (beta, x / x_f), by certified bisection alone",
    says=r"For every $\beta\in[\frac14,8]$ Eq. 5 has three solutions if $|x|\le0.9\,x_f(\beta)$ and one if $1.1\,x_f\le|x|\le2x_f$; for every $\beta\in[-4,-\frac1{10}]$ and $|x|\le4$ one.",
    uses=("degeeter26.sec3.solutions.amended",),
    construction="lemmata.constructions.bistable.count_zeros",
    sabotages={"the threshold beta in place of the fold": {"fold": lambda beta: beta}},
)
def boxes_of_parameters(proof: Proof, fold: Callable[[Any], Any] = fold_input) -> None:
    """Branch and bound: a box of parameters is a pair of balls; where they do not decide it is halved. No point is sampled."""
    low, high, most = proof.pick((fmpq(1, 2), fmpq(2), 2000), (fmpq(1, 4), fmpq(8), 8000), (fmpq(1, 16), fmpq(32), 60000))
    cases = [
        ((low, high, fmpq(0), fmpq(9, 10)), 3, lambda beta, r: r * fold(beta)),
        ((low, high, fmpq(11, 10), fmpq(2)), 1, lambda beta, r: r * fold(beta)),
        ((fmpq(-4), fmpq(-1, 10), fmpq(0), fmpq(4)), 1, lambda beta, x: x),
    ]
    for box, expected, x_of in proof.every(f"beta in [{low}, {high}] or [-4, -1/10], x as stated (x < 0 by symmetry)", cases):
        boxes, todo, outcome = 0, [box], "as stated"
        while todo and outcome == "as stated":
            b0, b1, r0, r1 = todo.pop()
            boxes += 1
            beta = arb(b0).union(arb(b1))
            found = number_of_equilibria(beta, x_of(beta, arb(r0).union(arb(r1))))
            if found is None:
                mb, mr = (b0 + b1) / 2, (r0 + r1) / 2
                # halve the longer side, that of beta on a logarithmic scale
                todo += [(b0, mb, r0, r1), (mb, b1, r0, r1)] if (b1 - b0) / abs(mb) > r1 - r0 else [(b0, b1, r0, mr), (b0, b1, mr, r1)]
                outcome = "too many boxes" if boxes > most else outcome
            elif found != expected:
                outcome = f"{found} solutions for beta in [{b0}, {b1}]"
        proof.certified(f"{expected} solutions in the whole box", outcome == "as stated", outcome)


# -- stability ---------------------------------------------------------------------------------------------------------------------


@claim(
    "degeeter26.sec3.stability",
    topic="bistable",
    place="Sec. 3, after Eq. 5 (stability property)",
    title="an equilibrium is stable if, and only if, df/dh < 1",
    says=r"A solution $h^*$ of Eq. 5 with $\frac{df}{dh}(h^*)<1$ is a stable point, and a stable point must satisfy this.",
    reading="c is any number in (0, 1], beta any real number",
    sabotages={"feedback that the condition does bound": {"betas": (1, 0, -1, -2)}},
)
def one_sided_condition(proof: Proof, betas: tuple[int, ...] = (1, 0, -1, -2, -3, -4)) -> None:
    """Below -1 the derivative makes orbits alternate: for c = 1, beta = -3 and x = 0 they end in the 2-cycle of r = tanh(2r), while f'(0) = -2 < 1.

    And at the cusp beta = 0, x = 0 the derivative is 1, not below it, but |tanh h| < |h| draws every orbit to 0."""
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
            hypotheses={"df/dh < 1": 1 + beta < 1},
            violates={
                "df/dh < -1: nearby orbits leave": 1 + beta < -1,
                "f(r) + r changes its sign in the interval, so f(r) = -r somewhere": bool(update(arb(low), 0, beta, 1) + low < 0)
                and bool(update(arb(high), 0, beta, 1) + high > 0),
            },
            how="certified",
            minimal="c = 1, beta = -3",
        )
        shrinks = sympy.simplify(sympy.diff(H - sympy.tanh(H), H) - sympy.tanh(H) ** 2) == 0
        proof.counterexample(
            given={"c": 1, "beta": 0, "x": 0, "h*": 0, "df/dh at h*": 1},
            hypotheses={"h - tanh h increases, so 0 < tanh h < h for h > 0, and every orbit converges to 0": shrinks},
            violates={"df/dh < 1 fails": tick(sympy.Symbol("t"), 0, 0, 1).diff().subs(sympy.Symbol("t"), 0) == 1},
            how="symbolic",
            minimal="beta = 0",
        )


def _cycle_slope(h: arb, beta: int) -> arb:
    """The derivative of f(h) + h for c = 1 and x = 0, whose zeros are the states of 2-cycles h -> -h."""
    t = ((beta + 1) * h).tanh()
    return 1 + (beta + 1) * (1 - t * t)


@claim(
    "degeeter26.sec3.stability.amended",
    topic="bistable",
    place="Sec. 3, after Eq. 5 (stability property)",
    kind="amended",
    amends="degeeter26.sec3.stability",
    title="for 0 < c <= 1 every trajectory converges, whatever the input, if and only if beta >= -2/c; then df/dh < 1 does imply stability",
    says=r"Let $0<c\le1$. If $\beta\ge-\frac2c$, $f^n(h)$ converges for all $x$ and $h$; if $\beta<-\frac2c$ and $x=0$, the only equilibrium repels. $\beta\ge-1$: $f$ is nondecreasing. "
    r"$-\frac2c\le\beta\le-1$: $-1\le f'<1$ with $-1$ at one point at most.",
    sabotages={"c is forgotten before tanh": {"step": lambda h, x, beta, c: (1 - c) * h + sympy.tanh(x + (beta + 1) * h)}},
)
def convergence_for_all_inputs(proof: Proof, step: Callable[..., Any] = tick) -> None:
    """f' = 1 - c + c (beta + 1) s with s = sech^2 in (0, 1]. Nondecreasing bounded maps have monotone orbits. A map of a compact interval that brings any two
    points nearer has convergent orbits (Edelstein 1962). At x = 0 and beta < -2/c, f'(0) = 1 + c beta < -1 at the only equilibrium."""
    s, p, q, w = sympy.symbols("s p q w", nonnegative=True)
    derivative = sympy.diff(step(H, X, BETA, C), H).subs(sympy.tanh(X + (BETA + 1) * H) ** 2, 1 - s)
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


@claim(
    "degeeter26.sec3.convergence",
    topic="bistable",
    place="Sec. 3, first paragraphs; Fig. 1",
    title="the internal clock leads to a stable equilibrium from every previous state",
    says=r"With $N\to\infty$ the unit reaches a stable equilibrium $h_t$ from every $h_{t-1}$, for every input.",
    sabotages={"beta = -1, with one equilibrium": {"beta": -1}},
)
def not_from_the_unstable_one(proof: Proof, beta: int = 1) -> None:
    """At x = 0 the state 0 stays 0, which repels for beta > 0. At a fold a whole interval of states ends in an equilibrium that repels from one side:
    X has a minimum there, so f(h) < h on both sides of h_f."""
    h_f = sympy.sqrt(sympy.Rational(max(beta, 0), beta + 1)) if beta > -1 else sympy.Integer(0)
    proof.counterexample(
        given={"c": "any c in (0, 1]", "beta": beta, "x": 0, "h": 0, "f'(0)": f"1 + {beta} c"},
        hypotheses={"0 stays 0": tick(0, 0, beta, C) == 0},
        violates={"f'(0) > 1": beta > 0},
        minimal="x = 0, h = 0",
    )
    second = sympy.simplify(sympy.diff(input_of(H, beta), H, 2).subs(H, h_f))
    proof.counterexample(
        given={"beta": beta, "x": "-x_f(beta)", "h": "any state above h_f", "limit": f"h_f = {h_f}"},
        hypotheses={"X'(h_f) = 0": sympy.simplify(sympy.diff(input_of(H, beta), H).subs(H, h_f)) == 0},
        violates={"X''(h_f) > 0, so states just below h_f move away": bool(second > 0)},
        how="symbolic",
        minimal="at the folds, from an interval of states",
    )


@claim(
    "degeeter26.sec3.convergence.amended",
    topic="bistable",
    place="Sec. 3; Figs. 1 and 2",
    kind="amended",
    amends="degeeter26.sec3.convergence",
    title="for 0 < c <= 1 and |x| < x_f the middle equilibrium separates the basins: above it to the upper one, below it to the lower one",
    says=r"$f(h)-h=c\,(1-h\tanh(x+(\beta+1)h))\tanh(x-X(h))$, and $f$ is increasing for $\beta\ge0$: orbits are monotone and end at the next equilibrium in the direction of "
    r"$\operatorname{sign}(x-X(h))$, which attracts unless $|x|=x_f$ or the orbit starts in the middle one.",
    uses=("degeeter26.sec3.solutions.amended",),
    sabotages={"a start on the other side": {"offset": fmpq(-1, 1000)}},
)
def basins(proof: Proof, offset: fmpq = fmpq(1, 1000)) -> None:
    """tanh A - h = tanh(A - artanh h)(1 - h tanh A) gives the direction. Then orbits in balls, from just above and just below the middle equilibrium."""
    a, t = sympy.symbols("A t", real=True)
    proof.symbolically(
        "tanh A - tanh t = (1 - tanh t tanh A) tanh(A - t)",
        (sympy.tanh(a) - sympy.tanh(t)).rewrite(sympy.exp),
        ((1 - sympy.tanh(t) * sympy.tanh(a)) * sympy.tanh(a - t)).rewrite(sympy.exp),
        "A = x + (beta + 1) h, t = artanh h",
    )
    betas = proof.pick((1, 3), (fmpq(1, 2), 1, fmpq(3, 2), 4), (fmpq(1, 8), fmpq(1, 2), 1, fmpq(3, 2), 4, 16))
    cases = list(product(betas, (fmpq(-3, 4), fmpq(0), fmpq(1, 3)), (fmpq(1, 2), fmpq(1))))
    for beta, ratio, c in proof.each(f"{len(cases)} triples (beta, x / x_f, c)", cases):
        x = (fold_input(beta) * arb(ratio)).mid()
        low, middle, high = equilibria(x, beta)
        for side, goal in ((1, high), (-1, low)):
            h = (middle + arb(offset) * side).mid()
            for _ in range(400):
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
