"""The hysteresis against what Eq. 8 makes of it: where the fold goes, the line for the boundary, the unit without an approximation (degeeter26, Sec. 4.1)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise, product
from random import Random
from typing import Any

import sympy
from flint import arb, fmpq

from ...constructions.bistable import approximation, equilibria, fold_input, fold_state, simplified, steady_input, update
from ..claim import claim
from ..evidence import Proof
from .cases import Free, inside, outside
from .hysteresis import BETA, H, U, folds, input_of, is_equilibrium, number_of_equilibria


def grid(*values: Any) -> list[fmpq]:
    """Rationals from text such as "1/2"."""
    return [fmpq(*map(int, str(v).split("/"))) for v in values]


@claim(
    "degeeter26.eq8.slope",
    place="Sec. 4.1, before Eq. 8",
    title="the curve of equilibria has the slope −1/β at the origin",
    says=r"$\frac{dh}{dx}=-\frac1\beta$ at $(0,0)$ on the solutions of Eq. 5, for $\beta\neq0$.",
    sabotages={"feedback beta in place of beta + 1": {"steady": lambda h, beta: sympy.atanh(h) - beta * h}},
)
def slope_at_the_origin(proof: Proof, steady: Callable[..., Any] = input_of) -> None:
    r"""Eq. 5 solved for the input is $X(h)=\operatorname{artanh}h-(\beta+1)h$; invert its derivative.

    1. $X(0)=0$: the origin lies on the curve. [checked: "X(0) = 0"]
    2. $X'(0)=1-(\beta+1)=-\beta$, so the inverse function has the slope $\frac{dh}{dx}=-\frac1\beta$. [checked: "1 / X'(0) = -1/beta"] [prose]
    """
    proof.symbolically("X(0) = 0", steady(0, BETA), 0, "beta")
    proof.symbolically("1 / X'(0) = -1/beta", 1 / sympy.diff(steady(H, BETA), H).subs(H, 0), -1 / BETA, "beta")


@claim(
    "degeeter26.sec4.1.qualitative",
    place="Sec. 4.1, first paragraph; Eq. 8; Fig. 3",
    title="Eq. 8 keeps the qualitative picture: two stable states of both signs near x = 0, one of the input's sign beyond β",
    says=r"Let $\beta>0$, $\alpha=1$. For $|x|<x_f$ Eq. 5 has two stable solutions, one of each sign, and Eq. 8 keeps $1$ and $-1$; for $|x|\ge\beta$ Eq. 5 has one solution, of the sign of $x$, and Eq. 8 gives $S(x)$. "
    r"In both pictures the boundary goes through the origin with slope $-\frac1\beta$.",
    remarks=(
        "Between the fold and the threshold, x_f < |x| < beta, Eq. 8 keeps two states where Eq. 5 has one, as Fig. 3 draws it: at beta = 3/2 from |x| = 0.9048 on (new.bistable.gap says how much).",
        "For 0 < |x| < x_f the line h = -x/beta of Eq. 8 lies strictly inside the true boundary, the middle branch: states between the two end on the other side than Eq. 8 says.",
    ),
    construction="lemmata.constructions.bistable.approximation",
    sabotages={
        "the sign of x is lost": {"rule": lambda h, x, beta, alpha: approximation(h, abs(x), beta, alpha)},
        "inputs between fold and threshold": {"ratios": grid("21/20")},
        "the line of slope -1/(beta + 1)": {"line": lambda x, beta: -x / (beta + 1)},
    },
)
def the_same_picture(
    proof: Proof,
    rule: Callable[..., Any] = approximation,
    ratios: tuple[fmpq, ...] = tuple(grid("-19/20", "-1/2", 0, "1/3", "19/20")),
    line: Callable[[Any, Any], Any] = lambda x, beta: -x / beta,
) -> None:
    r"""Compare the two bifurcation diagrams region by region.

    1. Eq. 8, by the orders of $x$, $0$ and $\pm\beta$: it gives $\pm1$ from $\pm1$ for $|x|<\beta$, and $S(x)$ from both for $|x|\ge\beta$. [checked: "Eq. 8 keeps both"; "Eq. 8 takes the sign"]
    2. Eq. 5: for $|x|<x_f$ the outer two of three solutions are stable and lie beyond $\pm\sqrt{\beta/(\beta+1)}$, so they have both signs. [uses: degeeter26.sec3.solutions] [checked: "Eq. 5 has three"]
    3. As $x_f<\beta$, there is one solution for $|x|\ge\beta$, on the outer branch of the input's side. [uses: new.bistable.gap] [checked: "Eq. 5 has one"]
    4. Both boundaries have the slope $-1/\beta$ at the origin. [uses: degeeter26.eq8.slope]
    5. They part at once. $X(h)+\beta h=\operatorname{artanh}h-h$ increases and vanishes at $0$, so $|x|<\beta|h|$ on the middle branch. A state between line and branch goes up by the hysteresis and down by Eq. 8 if $x>0$.
       [uses: degeeter26.sec3.convergence] [checked: "X(h) + beta h"; "which increases"; "the line lies inside the branch"; "between them the two rules"]
    """
    proof.symbolically("X(h) + beta h = artanh h - h", input_of(H, BETA) + BETA * H, sympy.atanh(H) - H, "h, beta")
    proof.symbolically("which increases", sympy.diff(sympy.atanh(H) - H, H), H**2 / (1 - H**2), "h")
    for s, (_, x, beta) in proof.every("all |x| < beta", product((1, -1), inside()), limited=False):
        proof.exactly("Eq. 8 keeps both states", rule(Free(s), x, beta, Free(1)), Free(s))
    for s, (_, x, beta) in proof.every("all |x| >= beta", product((1, -1), outside()), limited=False):
        proof.exactly("Eq. 8 takes the sign of x", rule(Free(s), x, beta, Free(1)), Free(1 if x >= 0 else -1))
    betas = proof.pick(grid("1/2", "3/2"), grid("1/8", "1/2", 1, "3/2", 4), grid("1/100", "1/8", "1/2", 1, "3/2", 4, 20))
    for beta in proof.each(f"beta in {{{', '.join(map(str, betas))}}}, inputs at -19/20 ... 19/20 of the fold, and beta, 2 beta", betas):
        for ratio in ratios:
            x = (fold_input(beta) * arb(ratio)).mid()
            found = equilibria(x, beta)
            proof.certified(
                "Eq. 5 has three solutions, the outer two of both signs",
                number_of_equilibria(arb(beta), x) == 3 and len(found) == 3 and bool(found[0] < 0) and bool(found[2] > 0),
            )
            if ratio and len(found) == 3:
                between = ((found[1] + line(x, arb(beta))) / 2).mid()
                proof.certified("the line lies inside the branch", bool(abs(found[1]) > abs(line(x, arb(beta)))))
                # the side of the middle branch says where the hysteresis goes, the side of the true line what Eq. 8 answers
                disagree = (between > found[1]) and (between + x / beta < 0) if x > 0 else (between < found[1]) and (between + x / beta > 0)
                proof.certified("between them the two rules part", bool(disagree))
        for x in (arb(beta), 2 * arb(beta)):
            (only,) = equilibria(x, beta)
            proof.certified("Eq. 5 has one solution, of the input's sign", number_of_equilibria(arb(beta), x) == 1 and bool(only > 0))
    brackets = [["-99/100", "-9/10"], ["-1/2", "0"], ["9/10", "999/1000"]]
    data = {"beta": fmpq(3, 2), "inner": "1/10", "brackets": brackets, "between": "-667/10000", "outer": "2"}
    proof.certificate("witness", "beta = 3/2, x = 1/10 and x = 2, and a state between line and branch", **data)


@claim(
    "new.bistable.gap",
    place="after degeeter26 Sec. 4.1; Fig. 3",
    title="the unit overstates the memory region for every β, by u − (1 − exp(−2u))/2 with u = arcsinh √β",
    says=r"With $\beta=\sinh^2u$: $\beta-x_f=u-\frac12(1-e^{-2u})>0$, increasing in $\beta$, $\sim\frac12\ln4\beta-\frac12$; and $\frac{x_f}\beta=\coth u-\frac u{\sinh^2u}$ increases from $0$ "
    r"($\sim\frac23\sqrt\beta$) to $1$.",
    known="degeeter26 Fig. 3 draws the gap; the formula for the fold of tanh feedback is textbook bifurcation theory, the size of the gap for all beta we have not found",
    uses=("degeeter26.sec3.solutions",),
    construction="lemmata.constructions.bistable.fold_input",
    sabotages={
        "the sign of arcsinh in x_f": {"fold": lambda beta: (arb(beta) * (arb(beta) + 1)).sqrt() + arb(beta).sqrt().asinh()},
        "sqrt(beta) = u": {"at_fold": lambda u: (u**2, sympy.tanh(u), sympy.sinh(u) * sympy.cosh(u) - u)},
        "a fold 3 percent too small": {"fold": lambda beta: fold_input(beta) * fmpq(97, 100)},
    },
)
def the_fold_comes_first(proof: Proof, at_fold: Callable[..., Any] = folds, fold: Callable[..., Any] = fold_input) -> None:
    r"""With $\sqrt\beta=\sinh u$ everything is hyperbolic, and $x_f=\sinh u\cosh u-u$.

    1. $\beta-x_f=\sinh^2u-\sinh u\cosh u+u=u-\frac12(1-e^{-2u})$, which is $0$ at $u=0$ and has the derivative $1-e^{-2u}>0$. [checked: "the gap"; "the gap increases"; "the gap starts at 0"]
    2. $\frac{x_f}\beta$ has the derivative $\frac{2(u\cosh u-\sinh u)}{\sinh^3u}$, and $u\cosh u-\sinh u$ has the derivative $u\sinh u>0$ and starts at $0$.
       [checked: "the ratio's derivative"; "u cosh u - sinh u increases"]
    3. The limits: $\frac{x_f}{\beta}\to1$ and $x_f/\beta^{3/2}\to\frac23$. [checked: "the ratio's limits"]
    4. The formula in use is $-X(h_f)$, and both inequalities hold on intervals that cover many powers of 2. [checked: "the fold in use is -X(h_f)"; "x_f < beta on the interval"; "x_f / beta increases"]
    """
    beta, _, x_f = at_fold(U)
    exp = lambda e: e.rewrite(sympy.exp)  # noqa: E731
    gap = beta - x_f
    proof.symbolically("the gap", exp(gap), U - (1 - sympy.exp(-2 * U)) / 2, "beta > 0")
    proof.symbolically("the gap increases", exp(sympy.diff(gap, U)), 1 - sympy.exp(-2 * U), "beta > 0")
    numerator = U * sympy.cosh(U) - sympy.sinh(U)
    proof.symbolically("the ratio's derivative", exp(sympy.diff(x_f / beta, U) * sympy.sinh(U) ** 3), exp(2 * numerator), "beta > 0")
    proof.symbolically("u cosh u - sinh u increases from 0", exp(sympy.diff(numerator, U)), exp(U * sympy.sinh(U)), "beta > 0")
    proof.symbolically("the gap starts at 0", gap.subs(U, 0), 0, "the object itself")
    limits = [sympy.limit((x_f / beta).rewrite(sympy.exp), U, sympy.oo), sympy.limit(x_f / U**3, U, 0, "+")]
    proof.exactly("the ratio's limits", limits, [1, sympy.Rational(2, 3)])
    finest, reach = proof.pick((8, 10), (16, 20), (64, 30))
    edges = [arb(2) ** (arb(k) / finest) for k in range(-reach * finest, reach * finest + 1)]
    for low, high in proof.every(f"beta in [2^-{reach}, 2^{reach}], in intervals that cover it", list(pairwise(edges))):
        defect = steady_input(fold_state(low), low) + fold(low)
        proof.certified("the fold in use is -X(h_f)", bool(abs(defect) < low / 10**6), f"at beta = {low.str(6)}")
        # both sides increase with beta, so the ends of an interval bound the gap inside from below
        proof.certified(
            "x_f < beta on the interval", bool(fold(high) < low) or bool(_gap(fold, low.union(high)) > 0), f"at beta = {low.str(6)}"
        )
        proof.certified("x_f / beta increases and stays below 1", bool(fold(low) / low < fold(high) / high) and bool(fold(high) < high))
    proof.certificate("witness", "increasing beta", betas=grid("1/1000", "1/10", "1/2", 1, "3/2", 4, 20, 1000))
    proof.exhibit("the memory region of Eq. 5 against that of the unit", beta="3/2", fold=fold_input(fmpq(3, 2)).str(8), threshold="3/2")


def _gap(fold: Callable[..., Any], beta: arb) -> arb:
    """A ball for beta - x_f on an interval: its value at the middle, and the derivative d gap / d beta = 1 - sqrt(beta / (beta + 1)) for the rest."""
    middle = beta.mid()
    return middle - fold(arb(middle)) + (1 - fold_state(beta)) * (beta - middle)


# -- the hysteresis without an approximation ----------------------------------------------------------------------------------------


@claim(
    "new.bistable.exact-scan",
    place="after degeeter26 Eqs. 7 and 9",
    known="degeeter26 has it for the approximation (Eq. 9, Theorem 3), and says of Eq. 7 that h_(t-1) selects among solutions that are found in parallel",
    title="for constant β the convergent RNN itself is a flip-flop, Eq. 9 with the fold for β: a scan without approximation",
    says=r"Let $0<c\le1$, $\beta>0$ and $|x_t|\ne x_f$. From an equilibrium of the upper (lower) branch the limit for the input $x_t$ lies on the upper branch if $x_t>x_f$, on the lower if $x_t<-x_f$, and on the same branch otherwise: "
    r"the outer branches lie beyond $\pm\sqrt{\beta/(\beta+1)}$ for every input, the middle one between.",
    hypotheses=("beta is constant: with a beta that grows the old state may lie below the new middle branch",),
    construction="lemmata.constructions.bistable.fold_input",
    sabotages={
        "the threshold beta": {"threshold": lambda beta: arb(beta)},
        "twice the fold": {"threshold": lambda beta: 2 * fold_input(beta)},
        "a clock that stops at once": {"ticks": 1},
        "a map with the threshold's feedback": {"tick": lambda h, x, beta, c: update(h, x, beta - 1, c)},
    },
)
def sides_are_flip_flops(
    proof: Proof, threshold: Callable[..., Any] = fold_input, tick: Callable[..., arb] = update, ticks: int = 2000
) -> None:
    r"""The branches do not overlap as sets of states, so the side is all that the next step needs.

    1. $X'(1-h^2)=(\beta+1)(h^2-h_f^2)$ with $h_f=\sqrt{\beta/(\beta+1)}$: the outer branches lie beyond $\pm h_f$ and the middle one between, for every input. [checked: "X' (1 - h^2)"]
    2. The middle branch separates the basins. An old state of the upper branch lies above every state of the middle branch, so for $|x_t|<x_f$ it goes to the upper branch. [uses: degeeter26.sec3.convergence] [prose]
    3. For $|x_t|>x_f$ there is one equilibrium, on the side of $x_t$, and every orbit goes there. [uses: degeeter26.sec3.solutions, degeeter26.sec3.convergence]
    4. Words of inputs: the map of Eq. 4b itself is applied, to both ends of an interval that holds the state, until it has settled; it increases, so the ends bound every orbit between them. The side is that of Eq. 9
       with $x_f$ for $\beta$. [checked: "the orbit settles"; "the side is that"]
    5. With a $\beta_t$ that grows step 2 fails. [checked: "x = -5/2 lies inside"; "but the old upper state"]
    """
    rng = Random(331)
    proof.symbolically(
        "X' (1 - h^2) = (beta + 1)(h^2 - h_f^2)",
        sympy.diff(input_of(H, BETA), H) * (1 - H**2),
        (BETA + 1) * (H**2 - BETA / (BETA + 1)),
        "h, beta",
    )
    count, length = proof.pick((4, 8), (10, 12), (40, 20))
    for _ in proof.each(f"{count} words of {length} inputs n/16 up to 2 beta, beta in {{1/2, 1, 3/2, 3}}, seed 331", range(count)):
        beta = rng.choice(grid("1/2", 1, "3/2", 3))
        state, side, inputs, sides = equilibria(0, beta)[-1], 1, [], []
        for _ in range(length):
            x = fmpq(rng.randint(-int(32 * beta), int(32 * beta)), 16)
            state, side = _settled(state, x, beta, tick, ticks), simplified(side, arb(x), threshold(beta), 1)
            proof.certified(
                "the orbit settles at a solution of Eq. 5", is_equilibrium(state, x, beta), f"x = {x}, beta = {beta}, h = {state.str(6)}"
            )
            proof.certified(
                "the side is that of Eq. 9 with the fold as threshold",
                bool(state * side > fold_state(beta)),
                f"x = {x}, beta = {beta}, h = {state.str(6)}",
            )
            inputs.append(x)
            sides.append(side)
        proof.certificate("witness", f"beta = {beta}, {length} inputs", beta=beta, inputs=inputs, sides=sides)
    proof.certificate(
        "witness", "beta = 3/2, six inputs", beta=fmpq(3, 2), inputs=grid(2, "-1/2", "-4/5", "-1", "1/2", "1"), sides=[1, 1, 1, -1, -1, 1]
    )
    old = equilibria((fold_input(fmpq(1, 10)) * -9 / 10).mid(), fmpq(1, 10))[-1]
    for _ in proof.each("beta from 1/10 to 4, x from -9/10 of the fold to -5/2", ["a beta that grows"]):
        proof.certified("x = -5/2 lies inside the memory region of beta = 4", bool(fold_input(4) > fmpq(5, 2)))
        proof.certified(
            "but the old upper state lies below the new middle one, so that the side is lost", bool(old < equilibria(fmpq(-5, 2), 4)[1])
        )


def _settled(h: arb, x: fmpq, beta: fmpq, tick: Callable[..., arb], ticks: int) -> arb:
    """A ball that holds the orbit of h from some tick on (c = 1), by the map itself on both ends, widened so that the equilibrium lies inside."""
    low, high = h.lower(), h.upper()
    for _ in range(ticks):
        below, above = tick(low, x, beta, 1).lower(), tick(high, x, beta, 1).upper()
        moved = max(abs(float(below - low)), abs(float(above - high)))
        low, high = below, above
        if moved < 1e-13:
            break
    return (low - arb(10) ** -9).union(high + arb(10) ** -9)
