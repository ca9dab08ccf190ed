"""The surrogate gradient (Eqs. 12, 13) and what passes through time (degeeter26, Secs. 4.2 and 4.3, Figs. 5 and 7)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import sympy
from flint import arb, fmpq

from ...constructions.bistable import approximation, equilibria, fold_state, gradients, heaviside, sign, simplified, surrogate_slope
from ...numerics.aliases import Exact
from ..claim import claim
from ..evidence import Proof
from .hysteresis import is_equilibrium

X, A = sympy.Symbol("x", real=True), sympy.Symbol("alpha_surr", positive=True)


def eq13(x: Any, sharpness: Any) -> Any:
    """atan(alpha_surr pi x) / (pi alpha_surr) + 1/2."""
    return sympy.atan(sharpness * sympy.pi * x) / (sympy.pi * sharpness) + sympy.Rational(1, 2)


@claim(
    "degeeter26.eq13",
    place="Eqs. 12 and 13",
    title="Eq. 12 is the derivative of Eq. 13; for αₛᵤᵣᵣ → 0 it is 1, the straight-through estimator",
    says=r"$\frac{d}{dx}\bigl[\frac1{\pi a}\arctan(a\pi x)+\frac12\bigr]=\frac1{1+(a\pi x)^2}$; at $a=0$ the derivative is $1$ and the function's limit $x+\frac12$; half the height is reached at $|x|=\frac1{\pi a}$.",
    reading="Eq. 13 at alpha_surr = 0 is 0/0 as printed: its limit",
    remarks=(
        "Eq. 13 runs from 1/2 - 1/(2 alpha_surr) to 1/2 + 1/(2 alpha_surr), so of the curves of Fig. 5 only that of alpha_surr = 1 runs from 0 to 1; without its factor 1/alpha_surr it would tend to H, with a slope alpha_surr times Eq. 12.",
    ),
    construction="lemmata.constructions.bistable.surrogate_slope",
    sabotages={
        "no 1 / alpha_surr": {"function": lambda x, a: sympy.atan(a * sympy.pi * x) / sympy.pi + sympy.Rational(1, 2)},
        "a slope without pi": {"slope": lambda x, a, pi: 1 / (1 + (a * x) ** 2)},
        "a Gaussian slope": {"slope": lambda x, a, pi: sympy.exp(-((a * pi * x) ** 2))},
    },
)
def derivative_of_the_surrogate(proof: Proof, function: Callable[..., Any] = eq13, slope: Callable[..., Any] = surrogate_slope) -> None:
    r"""Differentiate, and take the limits; the slope is the one that the code uses.

    1. The derivative of Eq. 13 is Eq. 12. [checked: "the derivative of Eq. 13"]
    2. For $a\to0$ the function tends to $x+\frac12$ and the slope to $1$. [checked: "the limit for alpha_surr -> 0"; "straight-through"]
    3. Half the height is reached at $\pm\frac1{\pi a}$, and the integral of the slope is $\frac1a$. [checked: "half the height"; "the integral"]
    """
    proof.symbolically(
        "the derivative of Eq. 13 is the slope in use", sympy.diff(function(X, A), X), slope(X, A, sympy.pi), "x, alpha_surr"
    )
    proof.symbolically("the slope in use is Eq. 12", slope(X, A, sympy.pi), 1 / (1 + (A * sympy.pi * X) ** 2), "x, alpha_surr")
    proof.symbolically("the limit for alpha_surr -> 0", sympy.limit(function(X, A), A, 0), X + sympy.Rational(1, 2), "x")
    proof.symbolically("straight-through", slope(X, sympy.Integer(0), sympy.pi), 1, "x")
    for side in (1, -1):
        half = slope(side / (sympy.pi * A), A, sympy.pi)
        proof.symbolically("half the height at +-1 / (pi alpha_surr)", half, sympy.Rational(1, 2), "alpha_surr")
    ends = [sympy.limit(function(X, A), X, s * sympy.oo) for s in (1, -1)]
    proof.symbolically("the integral is 1 / alpha_surr", ends[0] - ends[1], 1 / A, "alpha_surr")


@claim(
    "degeeter26.sec4.3.jacobian",
    place="Sec. 4.3, No vanishing nor exploding gradient",
    title="dhₜ / dhₜ₋₁ of Eq. 11 is 1 where the state is kept and 0 where it is written, and so are its products over time",
    says=r"$\partial h_t/\partial h_{t-1}=1-z_t\in\{0,1\}$, with the surrogates too, since $z_t$ and $\hat h_t$ do not depend on $h_{t-1}$; $\partial h_T/\partial h_s=\prod_{s<t\le T}(1-z_t)\in\{0,1\}$.",
    reading="of Eqs. 9 to 11 as functions of a real h_(t-1); degeeter26.sec4.3.jacobian.rewriting says what hangs on that",
    sabotages={
        "the keeping part 2 - z, which the kernel refutes": {"theorem": "bistable_gradients.jacobian_of_another_keeping_part"},
        "a gate of 1/2": {"gates": (0, fmpq(1, 2), 1)},
        "the keeping part is 2 - z": {"keep": lambda z: 2 - z},
    },
)
def zero_or_one(
    proof: Proof,
    gates: tuple[Any, ...] = (0, 1),
    keep: Callable[[Any], Any] = lambda z: 1 - z,
    theorem: str = "bistable_gradients.jacobian_is_zero_or_one",
) -> None:
    r"""Differentiate one step, multiply.

    1. $\partial_h\,[zS\alpha+(1-z)h]=1-z$, as $z$, $S$ and $\alpha$ are free of $h$. [checked: "the derivative"]
    2. $z\in\{0,1\}$, so the factor is $0$ or $1$; a product of two such factors is one, and by induction on $T$ all products are. [checked: "a factor is 0 or 1"; "a product of two factors"]
    """
    proof.formally(
        "the kernel: 1 - z for a step, their product over steps, and both are 0 or 1",
        theorem,
        whole="every length, state and input, any surrogate",
        differs="an ordered field for the reals; derivatives by forward differentiation, with any function as the surrogate's slope",
    )
    h, z, written = sympy.symbols("h z w")
    proof.symbolically("the derivative", sympy.diff(z * written + keep(z) * h, h), 1 - z, "h, z, S alpha")
    factors = [1 - z for z in gates]
    for a in proof.every("both gates", factors, limited=False):
        proof.holds("a factor is 0 or 1", bool(a in (0, 1)))
    for a, b in proof.every("both gates, all products of two", product(factors, repeat=2), limited=False):
        proof.holds("a product of two factors is 0 or 1", bool(a * b in (0, 1)))


@claim(
    "degeeter26.sec4.3.jacobian.rewriting",
    place="Sec. 4.3, No vanishing nor exploding gradient; Eqs. 7 to 9",
    flaw="remark",
    remarks=("Sec. 4.3 claims the derivative for the BMRU alone, so nothing printed is wrong: a remark, which counts nowhere.",),
    quotes=("When the previous state is kept, the derivative of the new state with respect to the previous one is 1.",),
    letter="Sec. 4.3 is right for Eq. 11. One remark: on the states +-alpha Eqs. 8 and 9 are the same map, but as functions of a real h_(t-1) they have the derivatives 0 and 1 there. So the constant gradient comes from writing the map as Eq. 9, a choice like the one of Eq. 12. Saying so would help readers who start from another MRU.",
    title="the derivative 1 in the memory region comes from rewriting Eq. 8 as Eq. 9: Eq. 8 itself has derivative 0",
    says=r"Where the state is kept, $\partial h_t/\partial h_{t-1}=1$.",
    reading="of the same unit as a function of a real h_(t-1), written as Eq. 8 or as the convergent RNN of Eq. 7; of Eqs. 9 to 11, which Sec. 4.3 speaks of, it is right (degeeter26.sec4.3.jacobian)",
    sabotages={
        "Eq. 9 in both places": {"rule": simplified},
        "a state at the boundary": {"state": fmpq(-1, 2)},
        "an interval around the unstable equilibrium": {"branch": 1},
    },
)
def the_gradient_is_made_by_the_rewriting(
    proof: Proof, rule: Callable[..., Any] = approximation, state: fmpq = fmpq(1), branch: int = 2
) -> None:
    """At alpha = beta = 1, x = 1/2, Eq. 8 is alpha S(h + 1/2), which is 1 for all h > -1/2: derivative 0 at h = 1. Eq. 9 is h: derivative 1. Both send 1 to 1 and -1 to -1. The convergent RNN sends all
    states near its upper equilibrium to that equilibrium, so its derivative is 0 there as well."""
    alpha, beta, x, radius = fmpq(1), fmpq(1), fmpq(1, 2), fmpq(1, 4)
    around = [state - radius, state, state + radius]
    eighth, ninth = ([f(h, x, beta, alpha) for h in around] for f in (rule, simplified))
    proof.counterexample(
        given={"alpha": alpha, "beta": beta, "x": x, "h_(t-1)": around, "Eq. 8": eighth, "Eq. 9": ninth},
        words={
            "ranges": bool(alpha >= 1 and abs(x) < beta),
            "agree": all(bool(rule(s * alpha, x, beta, alpha) == s * alpha) for s in (1, -1)),
            "flat": len({str(v) for v in eighth}) == 1,
            "identity": bool(ninth == around),
        },
        minimal="alpha = beta = 1, x = 1/2",
    )
    b, u = fmpq(3, 2), fmpq(1, 10)
    found = equilibria(u, b)
    h = found[branch]
    low, high = h.lower() - arb(1) / 100, h.upper() + arb(1) / 100
    proof.counterexample(
        given={"c": 1, "beta": b, "x": u, "states": f"within 1/100 of {h.str(6)}", "the limit of them all": h.str(6)},
        words={"solves": is_equilibrium(h, u, b), "limit": bool(low > fold_state(b)) and bool(high < 1)},
        how="certified",
        minimal="the convergent RNN at beta = 3/2, x = 1/10",
    )
    proof.certificate("witness", "Eqs. 8 and 9 at one state", alpha=alpha, beta=beta, x=x, h=state, radius=radius)
    proof.certificate("witness", "the convergent RNN", beta=b, x=u, low="97/100", high="199/200")


# -- through time ------------------------------------------------------------------------------------------------------------------


def rational_slope(x: Any) -> fmpq:
    """Eq. 12 at alpha_surr = 1 / pi: 1 / (1 + x^2), which keeps rationals rational."""
    return 1 / (1 + fmpq(x) * x)


class _Slope(sympy.Function):
    """The surrogate slope, as a symbol."""


class _Gate(sympy.Function):
    """H, with the surrogate for its derivative."""

    def fdiff(self, argindex: int = 1) -> Any:
        return _Slope(self.args[0])


class _Sign(sympy.Function):
    """S, with twice the surrogate for its derivative."""

    def fdiff(self, argindex: int = 1) -> Any:
        slope: Exact = _Slope(self.args[0])
        return 2 * slope


class _Modulus(sympy.Function):
    """|x|, with S for its derivative (the convention |x|' = 1 at 0)."""

    def fdiff(self, argindex: int = 1) -> Any:
        return _Sign(self.args[0])


def keeps_derivative(proof: Proof) -> None:
    """Record that a later step, whose gate and candidate do not contain the parameter p, multiplies dh/dp by 1 - z."""
    p, z, written = sympy.symbols("p z w")
    h = sympy.Function("h")(p)
    proof.symbolically(
        "a later step multiplies by 1 - z", sympy.diff(z * written + (1 - z) * h, p), (1 - z) * sympy.diff(h, p), "h, z, S alpha"
    )


def by_chain_rule(T: int) -> Callable[..., tuple[Any, Any]]:
    """SymPy's derivative of Eq. 11 after T steps in the first candidate and the first threshold, as a function of (candidates, thresholds, h_0, alpha)."""
    xs, betas = sympy.symbols(f"x1:{T + 1}", real=True), sympy.symbols(f"b1:{T + 1}")
    h0, alpha = sympy.symbols("h0 alpha")
    h: Exact = h0
    for x, beta in zip(xs, betas, strict=True):
        modulus: Exact = _Modulus(x)
        z: Exact = _Gate(modulus - beta)
        h = z * _Sign(x) * alpha + (1 - z) * h
    derivatives = [sympy.diff(h, v) for v in (xs[0], betas[0])]
    names = {"_Gate": heaviside, "_Sign": sign, "_Slope": rational_slope, "_Modulus": abs}
    return sympy.lambdify([xs, betas, h0, alpha], derivatives, modules=[names], cse=False)


@claim(
    "degeeter26.fig7",
    place="Sec. 4.3, Fig. 7",
    title="the gradient of the last state in the first candidate and threshold stays constant while nothing is written, then is 0",
    says=r"For $|\hat h_t|<\beta_t$, $t>1$: $\partial h_T/\partial\hat h_1$ and $\partial h_T/\partial\beta_1$ are the same for all $T$; if $z_s=1$ for some $s>1$ they are $0$ for $T\ge s$.",
    construction="lemmata.constructions.bistable.gradients",
    sabotages={
        "through later writes, which the kernel refutes": {"theorem": "bistable_gradients.gradients_are_constant_through_writes"},
        "the later inputs write": {"quiet": (fmpq(4, 3), fmpq(1))},
        "the written value's gradient without the factor z": {"differentiate": lambda *given: _without_gate(*given)},
        "the gate's part alone": {
            "differentiate": lambda *given: tuple(v - w for v, w in zip(gradients(*given), _without_gate(*given), strict=True))
        },
    },
)
def constant_in_time(
    proof: Proof,
    quiet: tuple[fmpq, fmpq] = (fmpq(1, 3), fmpq(1)),
    differentiate: Callable[..., tuple[Any, Any]] = gradients,
    theorem: str = "bistable_gradients.gradients_are_constant_in_time",
) -> None:
    r"""After the first step the derivative is only multiplied.

    1. $\hat h_t$ and $\beta_t$ for $t>1$ do not contain $\hat h_1$ or $\beta_1$, so $dh_t=(1-z_t)\,dh_{t-1}$: equal while $z_t=0$, and $0$ from the first $z_s=1$ on. [uses: degeeter26.sec4.3.jacobian] [checked: "a later step multiplies"]
    2. The algorithm in use agrees with SymPy's chain rule through Eqs. 11c and d, with $H'$ and $S'$ replaced by the surrogates, for all combinations of kept and written steps of length up to $3$. [checked: "the chain rule through all steps"]
    3. It gives the same numbers at every length, and $0$ after a later write, in exact rationals ($\alpha_{surr}=1/\pi$). [checked: "the same for every T"; "0 after a later write"]
    """
    proof.formally(
        "the kernel: both gradients are the same for every T, and 0 after a later write",
        theorem,
        whole="every T, inputs, thresholds, alpha and h_0, any surrogate",
        differs="an ordered field for the reals; derivatives by forward differentiation, with any function as the surrogate's slope",
    )
    keeps_derivative(proof)
    steps = [(fmpq(2), fmpq(1, 2)), (fmpq(-3, 4), fmpq(1, 2)), (fmpq(2), fmpq(4)), (fmpq(-3, 4), fmpq(4))]
    lengths = range(1, proof.pick(2, 3, 5) + 1)
    for T in proof.every(f"all words over 4 steps, length <= {lengths[-1]}, h_0 = +-1, alpha = 1 and -3/2", lengths):
        expected = by_chain_rule(T)
        for word in product(steps, repeat=T):
            xs, betas = zip(*word, strict=True)
            for start, alpha in ((fmpq(1), fmpq(1)), (fmpq(-1), fmpq(1)), (fmpq(1), fmpq(-3, 2))):
                found = differentiate(xs, betas, start, alpha, rational_slope)
                proof.exactly("the chain rule through all steps", list(found), expected(xs, betas, start, alpha))
    longest = proof.pick(10**3, 10**4, 10**6)
    sizes = [10**k for k in range(1, len(str(longest)))]
    loud, one = (fmpq(5), fmpq(1)), fmpq(1)
    cases = product((fmpq(2), fmpq(-3, 4)), (fmpq(1, 2), fmpq(4)), (one, -one))
    for x, beta, start in proof.each(f"T = 10 ... {longest}, 8 first steps, written or kept, alpha_surr = 1/pi", cases):
        first = differentiate([x], [beta], start, one, rational_slope)
        for T in sizes:
            later = differentiate([x] + [quiet[0]] * (T - 1), [beta] + [quiet[1]] * (T - 1), start, one, rational_slope)
            proof.exactly("the same for every T", later, first)
        candidates, thresholds = zip((x, beta), quiet, loud, quiet, strict=True)
        proof.exactly("0 after a later write", differentiate(candidates, thresholds, start, one, rational_slope), (0, 0))
    for x, beta in ((fmpq(2), fmpq(1, 2)), (fmpq(-3, 4), fmpq(1, 2)), (fmpq(2), fmpq(4))):
        given = {"alpha": one, "h_0": -one, "candidates": [x] + [quiet[0]] * 9, "thresholds": [beta] + [quiet[1]] * 9}
        proof.certificate(
            "witness", "ten steps, quiet after the first", **given, gradient=differentiate([x], [beta], -one, one, rational_slope)
        )


def _without_gate(candidates: Any, thresholds: Any, initial: Any, alpha: Any, slope: Any) -> tuple[Any, Any]:
    """The gradients with z_1 = 1 in the term of the written value."""
    by_candidate, by_threshold = gradients(candidates, thresholds, initial, alpha, slope)
    pairs = list(zip(candidates, thresholds, strict=True))
    kept = all(heaviside(abs(x) - beta) == 0 for x, beta in pairs)
    return by_candidate + (2 * alpha * slope(candidates[0]) if kept else 0), by_threshold


@claim(
    "degeeter26.fig7.nonzero",
    place="Sec. 4.3, on Fig. 7",
    flaw="overstatement",
    quotes=("or a non-zero value if the memory was never updated after the first timestep.",),
    weight="hypothesis",
    letter="On Fig. 7: the gradient in the threshold can be zero although the memory was never updated after the first timestep. If the first step writes the value that h_0 already has, the derivative of h_T in beta_1 is exactly 0: the threshold chooses between two equal values. The gradient in the candidate is never 0.",
    title="the gradient of a memory that was never updated can be zero",
    says=r"If $z_1=1$ and $z_t=0$ for $t>1$, then $\partial h_T/\partial\hat h_1\ne0$ and $\partial h_T/\partial\beta_1\ne0$.",
    sabotages={"the state before has the other sign": {"initials": (fmpq(-1),)}},
)
def thresholds_get_no_gradient(proof: Proof, initials: tuple[fmpq, ...] = (fmpq(-1), fmpq(1))) -> None:
    """The threshold acts through the gate alone, and the gate chooses between S alpha and h_0: where these agree, its derivative is exactly 0. With h_0 = alpha = 1, candidates 2, 0, 0 and thresholds 1 the
    derivative of h_3 in beta_1 is -(1 - 1) f'(1) = 0."""
    case = lambda start: gradients([fmpq(2), fmpq(0), fmpq(0)], [fmpq(1)] * 3, start, fmpq(1))  # noqa: E731
    found = proof.smallest("h_0 = -alpha, then alpha; h-hat_1 = 2, beta_1 = 1", initials, lambda start: bool(case(start)[1] == 0))
    if found:
        start = found[0]
        by_candidate, by_threshold = case(start)
        proof.counterexample(
            given={
                "alpha": 1,
                "alpha_surr": 1,
                "h_0": start,
                "candidates": [2, 0, 0],
                "thresholds": [1, 1, 1],
                "d h_3 / d beta_1": str(by_threshold),
            }
            | {"d h_3 / d h-hat_1": arb(by_candidate).str(8)},
            words={
                "writes": heaviside(abs(2) - 1) == 1,
                "keep": heaviside(abs(0) - 1) == 0,
                "start": bool(abs(start) == 1),
                "gradient": bool(by_threshold == 0),
            },
            minimal="h_0 = S(h-hat_1) alpha",
        )
        proof.certificate("witness", "h_0 = alpha", alpha="1", h_0=start, candidates=["2", "0", "0"], thresholds=["1"] * 3)


@claim(
    "degeeter26.fig7.nonzero.amended",
    place="Sec. 4.3, on Fig. 7",
    amends="degeeter26.fig7.nonzero",
    title="for h₀ = ±α ≠ 0 the candidate's gradient is never 0, the threshold's iff the first write changes nothing",
    says=r"For $z_1=1$, $z_t=0$ later: $\frac{\partial h_T}{\partial\hat h_1}=\bigl(\alpha-S(\hat h_1)h_0\bigr)f'(|\hat h_1|-\beta_1)+2\alpha f'(\hat h_1)$ and $\frac{\partial h_T}{\partial\beta_1}=-(S(\hat h_1)\alpha-h_0)f'(|\hat h_1|-\beta_1)$, with $f'>0$.",
    hypotheses=("alpha is not 0: with alpha = 0 all gradients are 0",),
    uses=("degeeter26.fig7",),
    sabotages={
        "the threshold's gradient is never 0, which the kernel refutes": {"theorem": "bistable_gradients.threshold_gradient_is_nonzero"},
        "S without a surrogate": {"of_sign": 0},
        "alpha = 0": {"size": 0},
    },
)
def both_gradients(proof: Proof, of_sign: int = 2, size: int = 1, theorem: str = "bistable_gradients.gradients_of_a_kept_write") -> None:
    r"""Product and chain rule, with $S^2=1$ and $|x|'=S$.

    1. $dh_1=(S\alpha-h_0)\,dz_1+z_1\alpha\,dS$ with $dz_1=f'(|\hat h_1|-\beta_1)(S\,d\hat h_1-d\beta_1)$ and $dS=2f'(\hat h_1)\,d\hat h_1$; later steps keep it. In the code, with both slopes as symbols, for both signs of $\hat h_1$ and
       of $h_0/\alpha$. [checked: "the candidate's"; "the threshold's"; "a later step multiplies"]
    2. $\alpha-Sh_0$ is $0$ or $2\alpha$, so the candidate's gradient is $\alpha$ times a positive number. [uses: degeeter26.eq13] [checked: "slopes are positive"; "never 0"]
    3. The threshold's is $0$ iff $S\alpha=h_0$, that is, iff the write changes nothing. [checked: "0 iff nothing changes"]
    """
    proof.formally(
        "the kernel: both gradients, their signs, and where they vanish",
        theorem,
        whole="every T, inputs, thresholds, alpha and h_0",
        differs="an ordered field for the reals; Eq. 12 with any number for pi alpha_surr; derivatives by forward differentiation",
    )
    f, g, alpha = sympy.Symbol("f", positive=True), sympy.Symbol("g", positive=True), sympy.Symbol("alpha", nonzero=True)
    keeps_derivative(proof)
    proof.holds("slopes are positive", surrogate_slope(X, A, sympy.pi).is_positive)
    for x, start in proof.every("both signs of h-hat_1 and both of h_0 / alpha", product((2, -2), (1, -1)), limited=False):
        # slopes as symbols: f at |h-hat| - beta, g at h-hat
        found = gradients([x, 0, 0], [1, 1, 1], start * size * alpha, size * alpha, lambda v, x=x: g if v == x else f)
        proof.symbolically(
            "the candidate's", found[0], (alpha - sign(x) * start * alpha) * f + of_sign * alpha * g, "alpha, f', both signs"
        )
        proof.symbolically("the threshold's", found[1], -(sign(x) * alpha - start * alpha) * f, "alpha, f', both signs")
        proof.holds("never 0: alpha times a positive number", sympy.simplify(found[0] / alpha).is_positive)
        proof.exactly("0 iff nothing changes", bool(sympy.simplify(found[1]) == 0), sign(x) == start)
    for x, start in product((2, fmpq(-5, 2)), (1, -1)):
        proof.certificate(
            "witness",
            f"h-hat_1 = {x}, h_0 = {start} alpha",
            alpha="-2/3",
            h_0=fmpq(-2, 3) * start,
            candidates=[fmpq(x), "0", "1/2"],
            thresholds=["3/2", "1", "1"],
        )
