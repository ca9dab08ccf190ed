"""The surrogate gradient (Eqs. 12, 13) and what passes through time (degeeter26, Secs. 4.2 and 4.3, Figs. 5 and 7)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import sympy
from flint import arb, fmpq

from ...constructions.bistable import gradients, heaviside, sign
from ..claim import claim
from ..evidence import Proof

X, A = sympy.Symbol("x", real=True), sympy.Symbol("alpha_surr", positive=True)


def eq12(x: Any, sharpness: Any) -> Any:
    """1 / (1 + (alpha_surr pi x)^2)."""
    return 1 / (1 + (sharpness * sympy.pi * x) ** 2)


def eq13(x: Any, sharpness: Any) -> Any:
    """atan(alpha_surr pi x) / (pi alpha_surr) + 1/2."""
    return sympy.atan(sharpness * sympy.pi * x) / (sympy.pi * sharpness) + sympy.Rational(1, 2)


def unscaled(x: Any, sharpness: Any) -> Any:
    """atan(alpha_surr pi x) / pi + 1/2."""
    return sympy.atan(sharpness * sympy.pi * x) / sympy.pi + sympy.Rational(1, 2)


@claim(
    "degeeter26.eq13",
    topic="bistable",
    place="Eqs. 12 and 13",
    title="Eq. 12 is the derivative of Eq. 13; for alpha_surr -> 0 it is 1, the straight-through estimator",
    says=r"$\frac{d}{dx}\bigl[\frac1{\pi a}\arctan(a\pi x)+\frac12\bigr]=\frac1{1+(a\pi x)^2}$; at $a=0$ the derivative is $1$ and the function's limit $x+\frac12$; half the height is reached at $|x|=\frac1{\pi a}$.",
    reading="Eq. 13 at alpha_surr = 0 is 0/0 as printed: its limit",
    construction="lemmata.constructions.bistable.surrogate_slope",
    sabotages={"no 1 / alpha_surr": {"function": unscaled}},
)
def derivative_of_the_surrogate(proof: Proof, function: Callable[..., Any] = eq13) -> None:
    """Differentiate, and take the limit."""
    proof.symbolically("the derivative", sympy.diff(function(X, A), X), eq12(X, A), "x, alpha_surr")
    proof.symbolically("the limit for alpha_surr -> 0", sympy.limit(function(X, A), A, 0), X + sympy.Rational(1, 2), "x")
    proof.symbolically("straight-through", eq12(X, 0), 1, "x")
    proof.symbolically("half the height at 1 / (pi alpha_surr)", eq12(1 / (sympy.pi * A), A), sympy.Rational(1, 2), "alpha_surr")


@claim(
    "degeeter26.eq13.heaviside",
    topic="bistable",
    place="Eq. 13, Fig. 5 (left)",
    title="the function of Eq. 13 is similar to the Heaviside function, the more so the larger alpha_surr",
    says=r"Eq. 13 approximates $H$ for every $\alpha_{surr}>0$.",
    reading="'similar to the non-differentiable ones', with a sharper peak for a larger parameter",
    sabotages={"the function without 1 / alpha_surr": {"function": unscaled}},
)
def shrinks_to_a_half(proof: Proof, function: Callable[..., Any] = eq13) -> None:
    """The values lie between 1/2 - 1/(2a) and 1/2 + 1/(2a): for a = 2 in (1/4, 3/4), for a -> inf it is 1/2 everywhere."""
    ends = [sympy.limit(function(X, 2), X, s * sympy.oo) for s in (-1, 1)]
    limit = sympy.limit(function(sympy.Integer(1), A), A, sympy.oo)
    proof.counterexample(
        given={"alpha_surr": 2, "f(-inf), f(inf)": [str(e) for e in ends], "f(1) for alpha_surr -> inf": str(limit)},
        hypotheses={},
        violates={
            "f stays a quarter away from H on either side": ends == [sympy.Rational(1, 4), sympy.Rational(3, 4)],
            "the limit at x = 1 is 1/2, not H(1) = 1": limit == sympy.Rational(1, 2),
        },
        how="symbolic",
        minimal="alpha_surr = 2",
    )


@claim(
    "degeeter26.eq13.heaviside.amended",
    topic="bistable",
    place="Eq. 13, Fig. 5 (left)",
    kind="amended",
    amends="degeeter26.eq13.heaviside",
    title="atan(a pi x)/pi + 1/2 runs from 0 to 1 and tends to H as a grows; its derivative is a times Eq. 12",
    says=r"$F(x)=\frac1\pi\arctan(a\pi x)+\frac12$ has $F'=a\cdot$ Eq. 12, total variation $1$, and $F\to H$ off $0$; it agrees with Eq. 13 only at $a=1$, and $\int$ Eq. 12 $=\frac1a$.",
    sabotages={"Eq. 13 itself": {"function": eq13}},
)
def the_normalised_surrogate(proof: Proof, function: Callable[..., Any] = unscaled) -> None:
    """Limits at both ends, and for a -> inf at x = +-y, y > 0 arbitrary."""
    y = sympy.Symbol("y", positive=True)
    proof.symbolically("F' = a times Eq. 12", sympy.diff(function(X, A), X), A * eq12(X, A), "x, a")
    for s, value in ((1, 1), (-1, 0)):
        proof.symbolically("the ends are 0 and 1", sympy.limit(function(X, A), X, s * sympy.oo), value, "a")
        proof.symbolically("F -> H off 0", sympy.limit(function(s * y, A), A, sympy.oo), value, "x != 0")
    proof.symbolically("a = 1 is Eq. 13", function(X, 1), eq13(X, 1), "x")


@claim(
    "degeeter26.sec4.3.jacobian",
    topic="bistable",
    place="Sec. 4.3, No vanishing nor exploding gradient",
    title="dh_t / dh_(t-1) is 1 where the state is kept and 0 where it is written, and so are its products over time",
    says=r"$\partial h_t/\partial h_{t-1}=1-z_t\in\{0,1\}$, with the surrogates too, since $z_t$ and $\hat h_t$ do not depend on $h_{t-1}$; $\partial h_T/\partial h_s=\prod_{s<t\le T}(1-z_t)\in\{0,1\}$.",
    sabotages={"a gate of 1/2": {"gates": (0, fmpq(1, 2), 1)}, "the keeping part is 2 - z": {"keep": lambda z: 2 - z}},
)
def zero_or_one(proof: Proof, gates: tuple[Any, ...] = (0, 1), keep: Callable[[Any], Any] = lambda z: 1 - z) -> None:
    """Differentiate; {0, 1} is closed under products."""
    h, z, written = sympy.symbols("h z w")
    proof.symbolically("the derivative", sympy.diff(z * written + keep(z) * h, h), 1 - z, "h, z, S alpha")
    factors = {1 - z for z in gates}
    for a, b in proof.every("both gates, all products of two", product(factors, repeat=2), limited=False):
        proof.holds("a product of two factors is 0 or 1", bool(a * b in (0, 1)))


def rational_slope(x: Any) -> fmpq:
    """Eq. 12 at alpha_surr = 1 / pi: 1 / (1 + x^2), which keeps rationals rational."""
    return 1 / (1 + fmpq(x) * x)


@claim(
    "degeeter26.fig7",
    topic="bistable",
    place="Sec. 4.3, Fig. 7",
    title="the gradient of h_T in the first candidate and threshold does not depend on T while nothing is written, and is 0 after a later write",
    says=r"For $|\hat h_t|<\beta_t$, $t>1$: $\partial h_T/\partial\hat h_1$ and $\partial h_T/\partial\beta_1$ are the same for all $T$; if $z_s=1$ for some $s>1$ they are $0$ for $T\ge s$.",
    uses=("degeeter26.sec4.3.jacobian",),
    construction="lemmata.constructions.bistable.gradients",
    sabotages={"the later inputs write": {"quiet": (fmpq(4, 3), fmpq(1))}},
)
def constant_in_time(proof: Proof, quiet: tuple[fmpq, fmpq] = (fmpq(1, 3), fmpq(1))) -> None:
    """After the first step the tangent is multiplied by 1 - z_t. Exact rationals, with alpha_surr = 1 / pi; autograd on the torch module, for other
    parameters, is in the tests and in Figure 7."""
    longest = proof.pick(10**3, 10**5, 10**6)
    sizes = [10**k for k in range(1, len(str(longest)))]
    loud, one = (fmpq(5), fmpq(1)), fmpq(1)
    cases = product((fmpq(2), fmpq(-3, 4)), (fmpq(1, 2), fmpq(4)), (one, -one))
    for x, beta, start in proof.each(f"T = 10 ... {longest}, 8 first steps, written or kept, alpha_surr = 1/pi", cases):
        first = gradients([x], [beta], start, one, rational_slope)
        for T in sizes:
            later = gradients([x] + [quiet[0]] * (T - 1), [beta] + [quiet[1]] * (T - 1), start, one, rational_slope)
            proof.exactly("the same for every T", later, first)
        candidates, thresholds = zip((x, beta), quiet, loud, quiet, strict=True)
        proof.exactly("0 after a later write", gradients(candidates, thresholds, start, one, rational_slope), (0, 0))


@claim(
    "degeeter26.fig7.nonzero",
    topic="bistable",
    place="Sec. 4.3, on Fig. 7",
    title="the gradient is nonzero if the memory was never updated after the first timestep",
    says=r"If $z_1=1$ and $z_t=0$ for $t>1$, then $\partial h_T/\partial\hat h_1\ne0$ and $\partial h_T/\partial\beta_1\ne0$.",
    sabotages={"the state before has the other sign": {"initials": (fmpq(-1),)}},
)
def thresholds_get_no_gradient(proof: Proof, initials: tuple[fmpq, ...] = (fmpq(-1), fmpq(1))) -> None:
    """The threshold acts through the gate alone, and the gate chooses between S alpha and h_0: where these agree, its derivative is exactly 0."""
    case = lambda start: gradients([fmpq(2), fmpq(0), fmpq(0)], [fmpq(1)] * 3, start, fmpq(1))  # noqa: E731
    found = proof.smallest("h_0 = -alpha, then alpha; h-hat_1 = 2, beta_1 = 1", initials, lambda start: case(start)[1] == 0)
    if found:
        start = found[0]
        by_candidate, by_threshold = case(start)
        proof.counterexample(
            given={"alpha": 1, "h_0": start, "candidates": [2, 0, 0], "thresholds": [1, 1, 1], "d h_3 / d beta_1": str(by_threshold)}
            | {"d h_3 / d h-hat_1": arb(by_candidate).str(8)},
            hypotheses={
                "the first step writes": heaviside(abs(2) - 1) == 1,
                "the others keep": heaviside(abs(0) - 1) == 0,
                "h_0 = +-alpha": abs(start) == 1,
            },
            violates={"d h_3 / d beta_1 = 0 exactly": by_threshold == 0},
            minimal="h_0 = S(h-hat_1) alpha",
        )


@claim(
    "degeeter26.fig7.nonzero.amended",
    topic="bistable",
    place="Sec. 4.3, on Fig. 7",
    kind="amended",
    amends="degeeter26.fig7.nonzero",
    title="for h_0 = +-alpha the candidate's gradient is never 0, and the threshold's if and only if the first write changes nothing",
    says=r"$\frac{\partial h_T}{\partial\hat h_1}=\bigl(\alpha-S(\hat h_1)h_0\bigr)f'(|\hat h_1|-\beta_1)+2\alpha f'(\hat h_1)$ and $\frac{\partial h_T}{\partial\beta_1}=-(S(\hat h_1)\alpha-h_0)f'(|\hat h_1|-\beta_1)$.",
    uses=("degeeter26.fig7",),
    sabotages={"S without a surrogate": {"of_sign": 0}},
)
def both_gradients(proof: Proof, of_sign: int = 2) -> None:
    """Product and chain rule, with S^2 = 1 and |x|' = S: compared with the code for symbolic slopes, then the signs in balls."""
    f, g, alpha = sympy.symbols("f g alpha")
    for x, start in proof.every("both signs of h-hat_1 and both of h_0 / alpha", product((2, -2), (1, -1)), limited=False):
        # slopes as symbols: f at |h-hat| - beta, g at h-hat
        found = gradients([x, 0, 0], [1, 1, 1], start * alpha, alpha, lambda v, x=x: g if v == x else f)
        proof.symbolically(
            "the candidate's", found[0], (alpha - sign(x) * start * alpha) * f + of_sign * alpha * g, "alpha, f', both signs"
        )
        proof.symbolically("the threshold's", found[1], -(sign(x) * alpha - start * alpha) * f, "alpha, f', both signs")
    for x, beta, start in proof.each(
        "h-hat_1 in {+-1, +-5/2}, beta_1 in {1/2, 1}, h_0 = +-1", product((1, -1, fmpq(5, 2), fmpq(-5, 2)), (fmpq(1, 2), 1), (1, -1))
    ):
        by_candidate, by_threshold = gradients([fmpq(x)], [fmpq(beta)], fmpq(start), fmpq(1))
        proof.certified("the candidate's is positive for alpha > 0", bool(arb(by_candidate) > 0))
        proof.certified(
            "the threshold's is 0 iff nothing changes",
            (by_threshold == 0) == (sign(x) == start) and (by_threshold == 0 or not arb(by_threshold).contains(0)),
        )


@claim(
    "new.bistable.stack-gradient",
    topic="bistable",
    place="after degeeter26 Sec. 4.3",
    kind="new",
    title="in a stack of two layers the surrogate gradient in the first candidate grows in proportion to T, although nothing is written",
    says=r"Let layer 1 write at $t=1$ and keep, and layer 2 keep throughout with $S(\hat h^{(2)})\alpha\ne h^{(2)}$. Then $\partial h^{(2)}_T/\partial\hat h^{(1)}_1=T\cdot w\,\gamma$ with $\gamma\neq0$: the gate's surrogate adds one "
    r"equal term at every step.",
    uses=("degeeter26.fig7",),
    sabotages={"layer 2 already holds what it would write": {"upper": 1}},
)
def linear_growth(proof: Proof, upper: int = -1) -> None:
    """h2_T' = sum_t f'(|h-hat2| - beta2) S (S alpha - h2) w h1_t', and h1_t' is the same for all t (Fig. 7). Forward mode, slopes as symbols."""
    w, f1, g1, f2 = sympy.symbols("w f1 g1 f2")
    for T in proof.each("T = 1 ... 12, alpha = 1, candidates 2 (layer 1) and 1/2 (layer 2), thresholds 1", range(1, 13)):
        below, _ = gradients([2] + [0] * (T - 1), [1] * T, -1, 1, lambda v: g1 if v == 2 else f1)
        candidate, top, tangent = sympy.Rational(1, 2), sympy.Integer(upper), sympy.Integer(0)
        for _ in range(T):
            z = heaviside(abs(candidate) - 1)
            tangent = (1 - z) * tangent + f2 * sign(candidate) * (sign(candidate) - top) * w * below
        proof.symbolically("T equal terms", tangent, T * 2 * f2 * w * (2 * f1 + 2 * g1), "w and slopes", "T <= 12")
