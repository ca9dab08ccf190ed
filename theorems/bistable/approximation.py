"""What Eqs. 8, 9 and 10 make of the hysteresis: where the fold goes, the line for the boundary, and the missing alpha >= 1 (degeeter26, Sec. 4.1, 4.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise, product
from random import Random
from typing import Any

import sympy
from flint import arb, fmpq

from ...constructions.bistable import (
    approximation,
    equilibria,
    fold_input,
    fold_state,
    gated,
    heaviside,
    sign,
    simplified,
    steady_input,
)
from ..claim import claim
from ..evidence import Proof
from .hysteresis import BETA, H, U, folds, input_of, number_of_equilibria


def grid(*values: Any) -> list[fmpq]:
    """Rationals from text such as "1/2"."""
    return [fmpq(*map(int, str(v).split("/"))) for v in values]


INPUTS = sorted({s * n * fmpq(1, d) for n in range(9) for d in (1, 2, 4) for s in (1, -1) if n <= 2 * d}, key=lambda q: (abs(q), q))


# -- the fold ------------------------------------------------------------------------------------------------------------------


@claim(
    "degeeter26.eq8.slope",
    topic="bistable",
    place="Sec. 4.1, before Eq. 8",
    title="the curve of equilibria has the slope -1/beta at the origin",
    says=r"$\frac{dh}{dx}=-\frac1\beta$ at $(0,0)$ on the solutions of Eq. 5.",
    sabotages={"feedback beta in place of beta + 1": {"steady": lambda h, beta: sympy.atanh(h) - beta * h}},
)
def slope_at_the_origin(proof: Proof, steady: Callable[..., Any] = input_of) -> None:
    """The inverse of X'(0) = 1 - (beta + 1)."""
    proof.symbolically("X(0) = 0", steady(0, BETA), 0, "beta")
    proof.symbolically("1 / X'(0) = -1/beta", 1 / sympy.diff(steady(H, BETA), H).subs(H, 0), -1 / BETA, "beta")


@claim(
    "degeeter26.sec4.1.qualitative",
    topic="bistable",
    place="Sec. 4.1, first paragraph; Fig. 3",
    title="the approximation keeps all qualitative properties of the implicit function",
    says=r"Eq. 8 with $\alpha=1$ is bistable for an input exactly when Eq. 5 is, and takes the same side.",
    sabotages={"inputs that both keep": {"inputs": grid("1/10", "1/2", "4/5")}, "inputs beyond both": {"inputs": grid("8/5", 2)}},
)
def kept_where_the_original_forgets(proof: Proof, inputs: Iterable[fmpq] = tuple(fmpq(n, 10) for n in range(1, 21))) -> None:
    """beta = 3/2, inputs n/10: between the fold and the threshold the only equilibrium is positive, but Eq. 8 keeps -1."""
    beta = fmpq(3, 2)
    found = proof.smallest(
        "beta = 3/2, x upwards",
        inputs,
        lambda x: number_of_equilibria(arb(beta), arb(x)) == 1 and approximation(fmpq(-1), x, beta, fmpq(1)) == -1,
    )
    if found:
        x = found[0]
        proof.counterexample(
            given={"beta": beta, "alpha": 1, "x": x, "fold of Eq. 5": fold_input(beta).str(8), "Eq. 8 from h = -1": -1}
            | {"solutions of Eq. 5": [h.str(8) for h in equilibria(x, beta)]},
            hypotheses={"beta > 0": beta > 0},
            violates={
                "Eq. 5 has one solution, by certified bisection": number_of_equilibria(arb(beta), arb(x)) == 1,
                "Eq. 8 keeps -1 and keeps 1": all(approximation(fmpq(s), x, beta, fmpq(1)) == s for s in (-1, 1)),
            },
            how="certified",
            minimal=f"beta = 3/2, x = {x}",
        )


@claim(
    "degeeter26.sec4.1.qualitative.amended",
    topic="bistable",
    place="Sec. 4.1; Fig. 3",
    kind="amended",
    amends="degeeter26.sec4.1.qualitative",
    title="the unit overstates the memory region for every beta, by u - (1 - exp(-2u))/2 with u = arcsinh(sqrt(beta))",
    says=r"With $\beta=\sinh^2u$: $\beta-x_f=u-\frac12(1-e^{-2u})>0$, increasing in $\beta$, $\sim\frac12\ln4\beta-\frac12$; and $\frac{x_f}\beta=\coth u-\frac u{\sinh^2u}$ increases from $0$ "
    r"($\sim\frac23\sqrt\beta$) to $1$.",
    uses=("degeeter26.sec3.solutions.amended",),
    construction="lemmata.constructions.bistable.fold_input",
    sabotages={
        "the sign of arcsinh in x_f": {"fold": lambda beta: (arb(beta) * (arb(beta) + 1)).sqrt() + arb(beta).sqrt().asinh()},
        "sqrt(beta) = u": {"at_fold": lambda u: (u**2, sympy.tanh(u), sympy.sinh(u) * sympy.cosh(u) - u)},
    },
)
def the_fold_comes_first(proof: Proof, at_fold: Callable[..., Any] = folds, fold: Callable[..., Any] = fold_input) -> None:
    """The gap's derivative in u is 1 - exp(-2u) > 0, and the ratio's is 2 (u cosh u - sinh u) / sinh^3 u, where u cosh u - sinh u has derivative
    u sinh u > 0. Then balls over whole intervals of beta, on the formula that the code uses: no point is left out."""
    beta, _, x_f = at_fold(U)
    exp = lambda e: e.rewrite(sympy.exp)  # noqa: E731
    gap = beta - x_f
    proof.symbolically("the gap", exp(gap), U - (1 - sympy.exp(-2 * U)) / 2, "beta > 0")
    proof.symbolically("the gap increases", exp(sympy.diff(gap, U)), 1 - sympy.exp(-2 * U), "beta > 0")
    numerator = U * sympy.cosh(U) - sympy.sinh(U)
    proof.symbolically("the ratio's derivative", exp(sympy.diff(x_f / beta, U) * sympy.sinh(U) ** 3), exp(2 * numerator), "beta > 0")
    proof.symbolically("u cosh u - sinh u increases from 0", exp(sympy.diff(numerator, U)), exp(U * sympy.sinh(U)), "beta > 0")
    finest, reach = proof.pick((8, 10), (16, 20), (64, 30))
    edges = [arb(2) ** (arb(k) / finest) for k in range(-reach * finest, reach * finest + 1)]
    for low, high in proof.every(f"beta in [2^-{reach}, 2^{reach}], in intervals that cover it", list(pairwise(edges))):
        # both sides increase with beta, so the ends of an interval bound the gap inside from below
        proof.certified(
            "x_f < beta on the interval", bool(fold(high) < low) or bool(_gap(fold, low.union(high)) > 0), f"at beta = {low.str(6)}"
        )
        proof.certified("x_f / beta increases and stays below 1", bool(fold(low) / low < fold(high) / high) and bool(fold(high) < high))


def _gap(fold: Callable[..., Any], beta: arb) -> arb:
    """A ball for beta - x_f on an interval: its value at the middle, and the derivative d gap / d beta = 1 - sqrt(beta / (beta + 1)) for the rest."""
    middle = beta.mid()
    return middle - fold(arb(middle)) + (1 - fold_state(beta)) * (beta - middle)


@claim(
    "new.bistable.boundary",
    topic="bistable",
    place="after degeeter26 Eq. 8; Fig. 3",
    kind="new",
    title="the line h = -x/beta lies inside the true boundary for every beta and every x != 0",
    says=r"The middle branch satisfies $|h|>|x|/\beta$ for $0<|x|<x_f$: $X(h)+\beta h=\operatorname{artanh}h-h$. States between the line and the branch end on the other side than Eq. 8 says. "
    r"The upper branch lies in $(\sqrt{\beta/(\beta+1)},1)$, so $\alpha=1$ is off by less than $1-\sqrt{\beta/(\beta+1)}$, sharp at the fold.",
    uses=("degeeter26.sec3.solutions.amended", "degeeter26.sec3.convergence.amended"),
    sabotages={"the slope -1/(beta + 1)": {"line": lambda x, beta: -x / (beta + 1)}},
)
def the_line_is_too_flat(proof: Proof, line: Callable[..., Any] = lambda x, beta: -x / beta) -> None:
    """artanh h - h has derivative h^2 / (1 - h^2) >= 0. Certified instances: a state between line and branch, where Eq. 8 and the hysteresis differ."""
    proof.symbolically("X(h) + beta h = artanh h - h", input_of(H, BETA) + BETA * H, sympy.atanh(H) - H, "h, beta")
    proof.symbolically("which increases", sympy.diff(sympy.atanh(H) - H, H), H**2 / (1 - H**2), "h")
    betas = proof.pick((fmpq(1, 2), fmpq(3, 2)), grid("1/8", "1/2", 1, "3/2", 4), grid("1/100", "1/8", "1/2", 1, "3/2", 4, 10))
    ratios = grid("1/4", "1/2", "7/8")
    for beta, ratio in proof.each(f"{len(betas)} beta, x = x_f/4, x_f/2, 7 x_f/8", product(betas, ratios)):
        x = (fold_input(beta) * arb(ratio)).mid()
        _low, middle, high = equilibria(x, beta)
        between = ((middle + line(x, arb(beta))) / 2).mid()
        proof.certified("the line lies inside the branch", bool(abs(middle) > abs(line(x, arb(beta)))))
        proof.certified("between them Eq. 8 answers -", bool(between + x / beta < 0), f"h = {between.str(6)}")
        proof.certified("and the hysteresis +: the state lies above the middle equilibrium", bool(between > middle))
        proof.certified("the upper state lies between h_f and 1", bool(fold_state(beta) < high) and bool(high < 1))


# -- Eq. 8 to Eq. 9 --------------------------------------------------------------------------------------------------------------


def _differences(
    alpha: fmpq, beta: fmpq, left: Callable[..., Any] = approximation, right: Callable[..., Any] = simplified
) -> Iterable[tuple]:
    """(h, x) with h = +-alpha, |x| < beta on the grid, where the two rules differ."""
    return ((h, x) for x in INPUTS for h in (alpha, -alpha) if abs(x) < beta and left(h, x, beta, alpha) != right(h, x, beta, alpha))


@claim(
    "degeeter26.eq9",
    topic="bistable",
    place="Eq. 8 to Eq. 9",
    title="with states +-alpha Eq. 8 simplifies to Eq. 9",
    says=r"For $h_{t-1}=\pm\alpha$ and $|x_t|<\beta$, $\alpha S(h_{t-1}+x_t/\beta)=h_{t-1}$.",
    reading="alpha as in Eq. 8 and Eq. 11, without a condition",
    sabotages={"alpha >= 1 only": {"alphas": grid(1, 2)}},
)
def needs_alpha_at_least_one(proof: Proof, alphas: Iterable[fmpq] = tuple(grid("1/2", "1/4"))) -> None:
    """For alpha < 1 an input x in (-beta, -alpha beta) turns +alpha to -alpha; for alpha < 0 every step flips the state."""
    beta = fmpq(1)
    candidates = ((alpha, h, x) for alpha in alphas for x in INPUTS for h in (alpha, -alpha) if abs(x) < beta)
    found = proof.smallest(
        "alpha as given, beta = 1, then |x|",
        candidates,
        lambda c: approximation(c[1], c[2], beta, c[0]) != simplified(c[1], c[2], beta, c[0]),
    )
    if found:
        alpha, h, x = found[0]
        new = approximation(h, x, beta, alpha)
        proof.counterexample(
            given={"alpha": alpha, "beta": beta, "h_(t-1)": h, "x_t": x, "Eq. 8": new, "Eq. 9": simplified(h, x, beta, alpha)},
            hypotheses={"h = +-alpha": abs(h) == alpha, "|x| < beta": abs(x) < beta},
            violates={"Eq. 8 changes the state": new == -h},
            minimal="alpha = 1/2, beta = 1",
        )
        proof.counterexample(
            given={
                "alpha": -1,
                "beta": beta,
                "x_t": 0,
                "Eq. 8 from -1 and from 1": [approximation(fmpq(s), fmpq(0), beta, fmpq(-1)) for s in (-1, 1)],
            },
            hypotheses={"|x| < beta": beta > 0},
            violates={"it flips at every step": all(approximation(fmpq(s), fmpq(0), beta, fmpq(-1)) == -s for s in (1, -1))},
            minimal="alpha = -1, x = 0",
        )


@claim(
    "degeeter26.eq9.amended",
    topic="bistable",
    place="Eq. 8 to Eq. 9",
    kind="amended",
    amends="degeeter26.eq9",
    title="Eq. 8 is Eq. 9 on states +-alpha if and only if alpha >= 1; writing alpha S(h + alpha x / beta) repairs it for all alpha > 0",
    says=r"$S(\pm\alpha+x/\beta)=\pm1$ for all $|x|<\beta$ iff $\alpha\ge1$. With $S(\pm\alpha+\alpha x/\beta)=S(\pm1+x/\beta)$ it holds for every $\alpha>0$.",
    sabotages={
        "alpha = 3/4 among those at least 1": {"large": grid(1, "3/4", 2)},
        "no alpha inside S": {"repaired": approximation},
    },
)
def exactly_from_one_on(
    proof: Proof,
    large: Iterable[fmpq] = tuple(grid(1, "5/4", 2, 7)),
    repaired: Callable[..., Any] = lambda h, x, beta, alpha: alpha * sign(x) if abs(x) >= beta else alpha * sign(h + alpha * x / beta),
) -> None:
    """With y = x / beta in (-1, 1): alpha + y > alpha - 1 >= 0 and -alpha + y < 1 - alpha <= 0. For 0 < alpha < 1 take y in (-1, -alpha)."""
    betas = grid("1/4", 1, "3/2", 2)
    for a, beta in proof.each("alpha >= 1 and beta from a grid, all inputs n/d with d in {1, 2, 4}", product(large, betas)):
        proof.exactly("Eq. 8 is Eq. 9", list(_differences(a, beta)), [])
    for a, beta in proof.each(
        "0 < alpha < 1 and beta from a grid, the input -beta (1 + alpha)/2", product(grid("1/4", "1/2", "3/4", "99/100"), betas)
    ):
        x = -beta * (1 + a) / 2
        proof.holds("Eq. 8 is not Eq. 9", approximation(a, x, beta, a) != simplified(a, x, beta, a))
        proof.exactly("the repaired line is Eq. 9", list(_differences(a, beta, repaired)), [])


@claim(
    "new.bistable.small-alpha",
    topic="bistable",
    place="after degeeter26 Eq. 9",
    kind="new",
    title="for 0 < alpha < 1 Eq. 8 is Eq. 9 with the threshold alpha beta, but for one tie: at x = -alpha beta it keeps +alpha, since S(0) = 1",
    says=r"On states $\pm\alpha$, $0<\alpha<1$: Eq. 8 writes $+\alpha$ iff $x\ge\alpha\beta$ and $-\alpha$ iff $x<-\alpha\beta$, so the memory region is $[-\alpha\beta,\alpha\beta)$.",
    uses=("degeeter26.eq9.amended",),
    sabotages={"the tie is overlooked": {"ties": ()}},
)
def a_smaller_threshold(proof: Proof, ties: tuple[int, ...] = (-1,)) -> None:
    """alpha S(alpha + x / beta) = -alpha iff x < -alpha beta, and alpha S(-alpha + x / beta) = alpha iff x >= alpha beta."""
    alphas, betas = grid("1/4", "1/2", "3/4"), grid("1/2", 1, 2)
    for a, beta in proof.each("alpha in {1/4, 1/2, 3/4}, beta in {1/2, 1, 2}, x on a grid that holds +-alpha beta", product(alphas, betas)):
        inputs = sorted({*INPUTS, a * beta, -a * beta})
        different = {x for x in inputs for h in (a, -a) if approximation(h, x, beta, a) != simplified(h, x, a * beta, a)}
        proof.exactly("they differ at x = -alpha beta alone", sorted(different), sorted(s * a * beta for s in ties))


@claim(
    "degeeter26.eq9.initial",
    topic="bistable",
    place="after Eq. 8 (h_(t-1) = +-alpha for all t)",
    title="the previous state is +-alpha at every step",
    says=r"$h_{t-1}=\pm\alpha$ for all timesteps, so Eq. 8 may be simplified at each of them.",
    reading="with the usual initial state h_0 = 0",
    sabotages={"h_0 = alpha": {"initial": fmpq(1)}, "h_0 = -alpha": {"initial": fmpq(-1)}},
)
def the_first_step(proof: Proof, initial: fmpq = fmpq(0)) -> None:
    """h_0 is not the outcome of a step. From 0, Eq. 8 takes the side of x in the memory region as well; Eq. 9 stays at 0 until the first write."""
    alpha, beta, x = fmpq(1), fmpq(1), fmpq(1, 2)
    first, second = approximation(initial, x, beta, alpha), simplified(initial, x, beta, alpha)
    proof.counterexample(
        given={"alpha": alpha, "beta": beta, "h_0": initial, "x_1": x, "Eq. 8": first, "Eq. 9": second},
        hypotheses={"alpha >= 1, |x| < beta": alpha >= 1 and abs(x) < beta},
        violates={"h_1 differs": first != second, "in Eq. 9 it is not +-alpha": abs(second) != alpha},
        minimal="h_0 = 0, one step",
    )


@claim(
    "degeeter26.eq10",
    topic="bistable",
    place="Eq. 10",
    title="the gated form is Eq. 9",
    says=r"$z=H(|x|-\beta)$, $h_t=zS(x)\alpha+(1-z)h_{t-1}$ is Eq. 9, for every $h_{t-1}$.",
    reading="H(0) = 1; the paper gives S(0) but not H(0), and any other value fails at |x| = beta",
    construction="lemmata.constructions.bistable.gated",
    sabotages={"H(0) = 0": {"gate": lambda v: int(v > 0)}, "H(0) = 1/2": {"gate": lambda v: fmpq(1, 2) if v == 0 else int(v > 0)}},
)
def gates_are_cases(proof: Proof, gate: Callable[[Any], Any] = heaviside) -> None:
    """z is 0 or 1 and picks one of the two lines; all orders of x, 0 and +-beta occur."""
    cases = product(INPUTS, grid(0, "1/4", 1), grid(-1, "1/2", 2), grid(-1, 0, "1/3"))
    for x, beta, alpha, h in proof.each("x on a grid with all orders of x, 0, beta and -beta, ties included", cases):
        proof.exactly("Eq. 10 is Eq. 9", gated(h, x, beta, alpha, gate), simplified(h, x, beta, alpha))


# -- the hysteresis without an approximation ----------------------------------------------------------------------------------------


@claim(
    "new.bistable.exact-scan",
    topic="bistable",
    place="after degeeter26 Eqs. 7 and 9",
    kind="new",
    title="for a constant beta the convergent RNN itself is a flip-flop, Eq. 9 with x_f in place of beta: it can be scanned without an approximation",
    says=r"Let $0<c\le1$, $\beta>0$ and $|x_t|\ne x_f$. From an equilibrium of the upper (lower) branch the limit for the input $x_t$ lies on the upper branch if $x_t>x_f$, on the lower if $x_t<-x_f$, and on the same branch otherwise: "
    r"the outer branches lie beyond $\pm\sqrt{\beta/(\beta+1)}$ for every input, the middle one between.",
    hypotheses=("beta is constant: with a beta that grows the old state may lie below the new middle branch",),
    uses=("degeeter26.sec3.solutions.amended", "degeeter26.sec3.convergence.amended"),
    construction="lemmata.constructions.bistable.fold_input",
    sabotages={
        "the threshold beta": {"threshold": lambda beta: arb(beta)},
        "twice the fold": {"threshold": lambda beta: 2 * fold_input(beta)},
    },
)
def sides_are_flip_flops(proof: Proof, threshold: Callable[..., Any] = fold_input) -> None:
    """X' > 0 beyond h_f and X' < 0 between: the branches do not overlap as states, so the middle branch, which separates the basins, never meets an outer one. Then words of
    inputs, run to convergence in balls from the equilibrium before."""
    rng = Random(331)
    proof.symbolically(
        "X' (1 - h^2) = (beta + 1)(h^2 - h_f^2)",
        sympy.diff(input_of(H, BETA), H) * (1 - H**2),
        (BETA + 1) * (H**2 - BETA / (BETA + 1)),
        "h, beta",
    )
    count, length = proof.pick((4, 8), (10, 12), (40, 20))
    for _ in proof.each(f"{count} words of {length} inputs n/16 up to 2 beta, beta in {{1/2, 1, 3/2, 3}}", range(count)):
        beta = rng.choice(grid("1/2", 1, "3/2", 3))
        state, side = equilibria(0, beta)[-1], 1
        for _ in range(length):
            x = fmpq(rng.randint(-int(32 * beta), int(32 * beta)), 16)
            state, side = _settle(state, x, beta), simplified(side, arb(x), threshold(beta), 1)
            proof.certified(
                "the side is that of Eq. 9 with the fold as threshold",
                bool(state * side > fold_state(beta)),
                f"x = {x}, beta = {beta}, h = {state.str(6)}",
            )
    old = equilibria((fold_input(fmpq(1, 10)) * -9 / 10).mid(), fmpq(1, 10))[-1]
    for _ in proof.each("beta from 1/10 to 4, x from -9/10 of the fold to -5/2", ["a beta that grows"]):
        proof.certified("x = -5/2 lies inside the memory region of beta = 4", bool(fold_input(4) > fmpq(5, 2)))
        proof.certified(
            "but the old upper state lies below the new middle one, so that the side is lost", bool(old < equilibria(fmpq(-5, 2), 4)[1])
        )


def _settle(h: arb, x: fmpq, beta: fmpq) -> arb:
    """The equilibrium that the orbit of h ends in (c = 1): the next one in the direction of x - X(h); the map is increasing."""
    found = equilibria(x, beta)
    if any(h.overlaps(e) for e in found):
        return next(e for e in found if h.overlaps(e))
    rising = arb(x) > steady_input(h, beta)
    return next(e for e in found if e > h) if rising else next(e for e in reversed(found) if e < h)
