"""How long a selective gate stays open, and what that says of memory (movahedi25, App. C.3 and F.3)."""

from __future__ import annotations

from itertools import pairwise

import sympy
from flint import acb, arb, fmpq

from ...constructions.gating import LEVEL, expected_run, logit, mean_gate, mean_log_gate, normal_cdf
from ...numerics.aliases import Exact
from ..claim import claim
from ..evidence import Proof

S, B, U, V, C = sympy.symbols("s b u v c", positive=True)


def _cdf(x: sympy.Expr) -> sympy.Expr:
    return (1 + sympy.erf(x / sympy.sqrt(2))) / 2


def sigmoid(u: sympy.Expr) -> sympy.Expr:
    return 1 / (1 + sympy.exp(-u))


# -- Theorem C.1 -----------------------------------------------------------------------------------------------------------


@claim(
    "movahedi25.thmC.1",
    place="Theorem C.1",
    quotes=(
        (
            r"We define the expected memory of the RNN model $\mathcal{M}(\omega,b)$ as the expected length of sequence $\mathcal{T}$ in which we have $\lambda_t > "
            "0.99$"
        ),
        r"Then we have: $\mathcal{M}(\omega,b) \propto \exp(||\omega||_2^2)^{-1}$",
    ),
    weight="result",
    title="the expected time for which a gate stays above 0.99 is proportional to exp(−|w|²)",
    says=r"For $\lambda_t=\sigma(\omega^\top x_t+b)$, $x_t\sim\mathcal N(0,I)$ independent and $b>0$, the expected length $\mathcal M(\omega,b)$ of the run with $\lambda_t>0.99$ is proportional to $\exp(-\|\omega\|_2^2)$.",
    letter="With independent inputs the expected run above 0.99 is Phi(-a)/Phi(a), a = (ln 99 - b)/|w|. It rises with |w| for b < ln 99 and equals 1 at b = ln "
    "99. For b > ln 99 it falls to 1, not to 0. For no bias is it proportional to exp(-|w|^2).",
    reading="the statement defines the gate twice; with the sigmoid, and independent inputs, as the proof has it. The text is the version that introduces the model Bedouin.",
    sabotages={"a memory as printed": {"memory": lambda b, size: (-(arb(size) ** 2)).exp(), "at_level": lambda s: sympy.exp(-(s**2))}},
)
def memory_falls_exponentially(proof: Proof, memory=expected_run, at_level=lambda s: _cdf(0 / s) / _cdf(-0 / s)) -> None:
    """False three ways, by the level ln 99 = logit(0.99) = 4.595 of the bias. Below it, selectivity is what opens the gate at all, and more of it opens it longer:
    for b = 1 the mean run is 0.0002 at |w| = 1 and 0.04 at |w| = 2. At ln 99 the gate is open with probability 1/2 for every w, and the mean run is 1.
    Above, the run does get shorter, but never shorter than 1 step in the mean."""
    one, two = memory(1, 1), memory(1, 2)
    proof.counterexample(
        given={"b": 1, "mean run for |w| = 1": one.str(8), "for |w| = 2": two.str(8), "quotient as printed": "exp(-3)"},
        words={"below": bool(logit(LEVEL) > 1), "longer": bool(two > one)},
        how="certified",
        minimal="b = 1",
    )
    proof.counterexample(
        given={"b": "ln 99", "mean run for |w| = s": str(sympy.simplify(at_level(S)))},
        words={"same": sympy.diff(at_level(S), S) == 0},
        how="symbolic",
        minimal="b = ln 99",
    )
    values = [memory(6, size) for size in (1, 4, 16)]
    proof.counterexample(
        given={"b": 6, "mean runs for |w| = 1, 4, 16": [x.str(8) for x in values], "quotients as printed": "exp(-15), exp(-240)"},
        words={
            "above": bool(logit(LEVEL) < 6),
            "one": all(bool(x > 1) for x in values),
            "quotients": all(bool(y > x * arb(-15).exp()) for x, y in pairwise(values)),
        },
        how="certified",
        minimal="b = 6",
    )
    for b, sizes in ((1, (1, 2)), ("ln 99", (1, 2)), (6, (1, 4)), (6, (4, 16))):
        proof.certificate("witness", f"b = {b}, |w| = {sizes[0]} and {sizes[1]}", b=b, sizes=list(sizes))


@claim(
    "movahedi25.thmC.1.proof",
    place="App. F.3",
    flaw="gap",
    quotes=(
        "Given the distribution of",
        "can be written as the integration of a quadratic exponential function w.r.t. the denominator of its argument",
    ),
    title="1 / Φ counts the step that ends the run, and w'x has standard deviation |w|, not |w|²",
    letter="In App. F.3, 1/P counts the step that ends the run: a gate open with probability 1/2 stays open for one step on average, not two. The standard "
    "deviation of w'x is |w|, not |w|^2. The last step is no argument, since |w| stands in the limit of the integral.",
    says=r"$\mathcal M(\omega,b)=P(\omega^\top x+b\le\sigma^{-1}(0.99))^{-1}$, and that probability is $\Phi\big((\sigma^{-1}(0.99)-b)/\|\omega\|_2^2\big)$.",
    sabotages={"the run with the step that ends it, and |w|": {"printed": lambda a, size: 1 / normal_cdf(a / size), "steps": 1}},
)
def printed_formula(proof: Proof, printed=lambda a, size: 1 / normal_cdf(a / size**2), steps: int = 0) -> None:
    """Two slips. 1/P counts the step that ends the run, which is not in it: a gate that is open with probability 1/2 stays open for 1/2 + 1/4 + ... = 1 step.
    And w'x has the standard deviation |w|, not its square: 2x + 3 <= ln 99 means x <= (ln 99 - 3)/2."""
    n = sympy.symbols("n", integer=True, positive=True)
    once: Exact = sympy.summation(sympy.Rational(1, 2) ** n, (n, 1, sympy.oo))
    half = once + steps
    at_level = printed(arb(0), arb(1))
    proof.counterexample(
        given={"b": "ln 99", "w": 1, "E[run] = sum over n of P(run >= n)": str(half), "printed": at_level.str(6)},
        words={"value": not at_level.contains(arb(int(half)))},
        how="certified",
        minimal="b = ln 99, |w| = 1",
    )
    a = logit(LEVEL) - 3
    true, wrong = 1 / normal_cdf(a / 2) - 1 + steps, printed(a, arb(2))
    proof.counterexample(
        given={"b": 3, "w": 2, "E[run]": true.str(8), "printed, less the step that ends it": (wrong - 1).str(8)},
        words={"deviation": not true.overlaps(wrong - 1 + steps)},
        how="certified",
        minimal="b = 3, |w| = 2",
    )
    for b, size in ((3, 2), (5, 3)):
        proof.certificate("witness", f"b = {b}, |w| = {size}", b=b, size=size)


@claim(
    "movahedi25.thmC.1.amended",
    place="Theorem C.1",
    amends="movahedi25.thmC.1",
    title="the expected run is Φ(−a)/Φ(a), a = (ln 99 − b)/|w|: it falls with |w| exactly for b > ln 99, from infinity to 1",
    says=r"$\mathbb E[\mathcal T]=\frac{\Phi(-a)}{\Phi(a)}$ with $a=\frac{\ln99-b}{\|\omega\|}$: strictly increasing in $\|\omega\|$ from $0$ to $1$ for $b<\ln99$, constantly $1$ at $b=\ln99$, strictly decreasing from $\infty$ to $1$ for $b>\ln99$. "
    r"At $\omega=0$ it is $0$ for $b\le\ln99$ and infinite above.",
    remarks=(
        "The kernel of truth of Theorem C.1: for b > ln 99, |w|^2 ln E[T] -> (b - ln 99)^2 / 2 as |w| -> 0 (step 5). So the run is exponential in 1/|w|^2, which 'exp(|w|^2)^(-1)' may have been meant to say; "
        "it is an asymptotic statement for small |w|, and no proportionality.",
    ),
    construction="lemmata.constructions.gating.expected_run",
    sabotages={
        "the run counts the step that ends it": {"run": lambda p: 1 / (1 - p)},
        "the variance in place of the standard deviation": {"spread": lambda s: s**2},
        "below and above are exchanged": {"sign": -1},
        "the level 0.985": {"expected": lambda b, s: expected_run(b, s, fmpq(985, 1000))},
        "runs of no length": {"expected": lambda b, s: arb(0)},
    },
)
def closed_form(proof: Proof, run=lambda p: p / (1 - p), spread=lambda s: s, sign: int = 1, expected=expected_run) -> None:
    r"""Independent steps, each open with the same probability $p$; then the calculus of $\Phi(-a)/\Phi(a)$.

    1. $\lambda_t>0.99$ iff $\omega^\top x_t>\ln99-b$, since $\sigma(\ln99)=0.99$ and $\sigma$ increases. $\omega^\top x_t$ is Gaussian with mean $0$ and variance $\|\omega\|^2$, so the gate is open with
       probability $p=\Phi(-a)$. [checked: "the level is sigma(ln 99)"; "w'x has the variance |w|^2"] [prose]
    2. The steps are independent: $P(\mathcal T\ge n)=p^n$, and $\mathbb E[\mathcal T]=\sum_{n\ge1}p^n=p/(1-p)$, which also solves the equation $E=p(1+E)$ of the first step. [checked: "by the first step"] [prose]
    3. With $c=\ln99-b$ and $s=\|\omega\|$ the derivative of $\Phi(-c/s)/\Phi(c/s)$ in $s$ is $c\,\varphi(c/s)/(s\,\Phi(c/s))^2$: it has the sign of $c$. [checked: "the derivative is a positive number times ln 99 - b"]
    4. For $s\to\infty$ the run tends to $1$, for $s\to0$ to $0$ if $c>0$ and to $\infty$ if $c<0$; for $c=0$ it is $1$. [checked: "the limit for |w| -> infinity"; "b < ln 99: no run"; "b > ln 99: runs without end"; "b = ln 99"]
       At $\omega=0$ every gate is $\sigma(b)$, which is above $0.99$ iff $b>\ln99$. [prose]
    5. (Remark.) For $c<0$, $s^2\ln\mathbb E[\mathcal T]\to c^2/2$ as $s\to0$, because $\varphi(x)(\frac1x-\frac1{x^3})\le\Phi(-x)\le\varphi(x)/x$ for $x>0$. [prose]

    Beside the argument stand rigorous values on both sides of $\ln99=4.5951\dots$, as near as $4.59$ and $4.6$.
    """
    p, z = sympy.symbols("p", positive=True), sympy.symbols("z", real=True)
    for level in proof.every("the level 0.99", [LEVEL], limited=False):
        proof.exactly("the level is sigma(ln 99), so that a gate is open iff its argument exceeds ln 99", level / (1 - level), 99)
    proof.symbolically("by the first step: E = p (1 + E)", run(p), p * (1 + run(p)), free="p")
    density = sympy.exp(-(z**2) / 2) / sympy.sqrt(2 * sympy.pi)
    proof.symbolically(
        "w'x has the variance |w|^2", sympy.integrate((S * z) ** 2 * density, (z, -sympy.oo, sympy.oo)), spread(S) ** 2, free="s = |w|"
    )
    c = sympy.symbols("c", real=True)  # ln 99 - b
    M = _cdf(-c / S) / _cdf(c / S)
    slope = c * density.subs(z, c / S) / (S**2 * _cdf(c / S) ** 2)
    proof.symbolically("the derivative is a positive number times ln 99 - b", sympy.diff(M, S), slope, free="s > 0, b")
    proof.symbolically("the limit for |w| -> infinity", sympy.limit(M, S, sympy.oo), 1, free="b")
    proof.symbolically("b = ln 99: the run is 1", M.subs(c, 0), 1, free="s > 0")
    for name, k, least in (("b < ln 99: no run as |w| -> 0", C, 0), ("b > ln 99: runs without end as |w| -> 0", -C, sympy.oo)):
        limit = sympy.limit(_cdf(-k / S) / _cdf(k / S), S, 0, "+")
        proof.exactly(name, limit, least, free="c > 0")
    with proof.beside():
        _rigorous_runs(proof, sign, expected)


def _rigorous_runs(proof: Proof, sign: int, expected) -> None:
    """Instances: runs in balls, below and above ln 99."""
    for x in proof.each("x = -2, 1/2, 3", (-2, fmpq(1, 2), 3)):
        integral = acb.integral(lambda t, _: (-t * t / 2).exp() / (2 * acb.pi()).sqrt(), -20, acb(x)).real
        proof.certified("Phi is the integral of the Gaussian density", bool(abs(integral - normal_cdf(arb(x))) < arb("1e-12")))
    sizes = [fmpq(k, 4) for k in range(1, proof.pick(9, 17, 41))]
    biases = (1, 4, fmpq(459, 100), fmpq(46, 10), 5, 8)
    for b in proof.each(f"b = 1, 4, 4.59, 4.6, 5, 8; |w| = 1/4 .. {sizes[-1]}", biases):
        below = bool(arb(99).log() > arb(b))
        rising = below == (sign > 0)
        values = [expected(b, s) for s in sizes]
        proof.certified("rises below ln 99 and falls above", all(bool(x < y if rising else x > y) for x, y in pairwise(values)), f"b = {b}")
        proof.certified("on one side of 1", all(bool((x < 1) if rising else (x > 1)) for x in values), f"b = {b}")
        # Phi(x) + Phi(-x) = 1: the mean run is p / (1 - p) for the probability p = P(w'x > ln 99 - b)
        open_gate = [normal_cdf((arb(b) - arb(99).log()) / arb(s)) for s in sizes]
        proof.certified("it is p / (1 - p)", all((x * (1 - q)).overlaps(q) for x, q in zip(values, open_gate, strict=True)), f"b = {b}")
        proof.certificate("witness", f"b = {b}", b=fmpq(b), sizes=[s for s in sizes if s >= fmpq(1, 2)])
    small = fmpq(1, 50)
    for b in proof.each("b = 5, 6, 8; |w| = 1/50", (5, 6, 8)):
        limit = (arb(b) - arb(99).log()) ** 2 / 2
        near = expected(b, small).log() * small**2 if bool(expected(b, small) > 0) else arb(0)
        proof.certified("|w|^2 ln E[T] is near (b - ln 99)^2 / 2", bool(abs(near - limit) < limit / 20), near.str(6))


@claim(
    "movahedi25.appC.3.zero",
    place="App. C.3, after Theorem C.1",
    of="movahedi25.thmC.1",
    flaw="remark",
    quotes=(
        r"the weights mapping an input $x_t$ to $\Delta_t$ need to be initialized to 0 in order facilitate $\lambda_t \approx \mathbf{1} \ \forall t$",
    ),
    letter="A remark: zero weights are best by the mean of the gate, for every positive bias. By the measure of Theorem C.1, the run above 0.99, they are best "
    "only for a bias above ln 99. At b = 1 and w = 0 the gate is 0.73 for ever and the run is 0.",
    title="by the measure of Theorem C.1 zero weights are best only for a bias above ln 99; by the mean, for every bias above 0",
    says=r"By the measure of Theorem C.1, the expected run above $0.99$, $\omega=0$ is the best choice for every bias $b>0$.",
    reading="for the gate of Theorem C.1 and its own measure, the expected run above 0.99",
    remarks=(
        (
            "By the mean of the gate, or of a product of gates, zero weights are best for every positive bias (new.gating.mean): at b = 1 the mean is 0.731 for w "
            "= 0, and 0.697 and 0.591 for |w| = 1 and 4. So the advice of App. C.3 is right by the mean; what fails is only that Theorem C.1's own measure "
            "supports it."
        ),
    ),
    sabotages={"a bias above ln 99": {"b": 6}},
)
def zero_weights(proof: Proof, b: int = 1) -> None:
    """With w = 0 every gate is sigma(b). For b <= ln 99 it is never open, and any other w opens it now and then; w = 0 is best for b > ln 99 alone."""
    run = expected_run(b, 1)
    proof.counterexample(
        given={"b": b, "w": 0, "gate": "1/(1 + 1/e) = 0.731, never above 0.99, so the run is 0", "mean run for |w| = 1": run.str(8)},
        words={"positive": b > 0, "closed": bool(arb(b) < logit(LEVEL)), "run": bool(run > 0)},
        how="certified",
        minimal="b = 1",
    )
    proof.certificate("witness", "b = 1", b=b, size=1)


@claim(
    "movahedi25.appC.3.zero.amended",
    place="App. C.3, after Theorem C.1",
    amends="movahedi25.appC.3.zero",
    title="zero weights are best for a bias above ln 99, and only there: all gates are then open for ever",
    says=r"At $\omega=0$ the run above $0.99$ is infinite if $b>\ln99$ and $0$ if not; for $\omega\ne0$ its mean is finite and positive.",
    sabotages={"the level 0.9": {"level": fmpq(9, 10)}},
)
def when_zero_weights_help(proof: Proof, level: fmpq = LEVEL) -> None:
    r"""At $\omega=0$ all gates are $\sigma(b)$; for $\omega\ne0$ the closed form is a quotient of two numbers in $(0,1)$.

    1. $\sigma(\ln99)=0.99$, and $\sigma$ increases, as $\sigma'=\sigma(1-\sigma)>0$: so $\sigma(b)>0.99$ iff $b>\ln99$, and the run at $\omega=0$ is infinite or $0$. [checked: "sigma(ln 99) = 0.99"; "sigma' = sigma (1 - sigma)"; "sigma (1 - sigma) > 0"] [prose]
    2. For $\omega\ne0$ the mean is $\Phi(-a)/\Phi(a)$ with a finite $a$, and $0<\Phi<1$. [uses: movahedi25.thmC.1.amended] [prose]

    Beside the argument stand rigorous values.
    """
    c = sympy.Rational(int(level.p), int(level.q))
    for value in proof.every("the level 0.99", [c], limited=False):
        proof.exactly("sigma(ln 99) = 0.99", sigmoid(sympy.log(99)), value)
    u = sympy.symbols("u", real=True)
    proof.symbolically("sigma' = sigma (1 - sigma), positive", sympy.diff(sigmoid(u), u), sigmoid(u) * (1 - sigmoid(u)), free="u")
    e = sympy.Symbol("e", positive=True)  # exp(-u)
    slope = sympy.factor(1 / (1 + e) * (1 - 1 / (1 + e)))
    proof.holds("sigma (1 - sigma) > 0", slope.is_positive is True, free="u")
    with proof.beside():
        for b in proof.each("b = -2, 1, 4, 5, 8; |w| = 1/2, 1, 4", (-2, 1, 4, 5, 8)):
            proof.certified(
                "the run is finite and positive",
                all(bool(expected_run(b, s) > 0) and expected_run(b, s).is_finite() for s in (fmpq(1, 2), 1, 4)),
            )


def _mean(f, b, size) -> arb:
    """E f(b + size Z) once more, as the integral of f against the density of that Gaussian, over 20 standard deviations on either side."""
    b, size = acb(b), acb(size)

    def integrand(u: acb, analytic: bool) -> acb:
        return f(u, analytic) * (-((u - b) ** 2) / (2 * size**2)).exp() / (size * (2 * acb.pi()).sqrt())

    return acb.integral(integrand, b - 20 * size, b + 20 * size).real


# -- what remains true of the recency bias ---------------------------------------------------------------------------------

SIZES = tuple(fmpq(k, 2) for k in range(9))


@claim(
    "new.gating.mean",
    place="after movahedi25, Theorem C.1",
    title="for b > 0 the mean weight of an input k steps ago, (E gate)ᵏ, does fall with |w|: the total memory from 1 + eᵇ to 2",
    says=r"For $b>0$ and independent inputs $\mathbb E\prod_{j\le k}\lambda_j=(\mathbb E\lambda)^k$ is strictly decreasing in $\|\omega\|$, and $\sum_k(\mathbb E\lambda)^k=\frac1{1-\mathbb E\lambda}$ decreases from $1+e^b$ to $2$. For $b<0$ it increases, at $b=0$ it is constant.",
    known="Differentiating a Gaussian mean in its scale by the heat equation is standard (Price's theorem). What is said is special to this gate.",
    construction="lemmata.constructions.gating.mean_gate",
    sabotages={
        "a gate that stands still": {"mean": lambda b, s: arb("0.75")},
        "a negative bias": {"biases": (-1, 2)},
        "a gate without curvature": {"gate": lambda u: u / 8 + sympy.Rational(1, 2)},
    },
)
def mean_memory(proof: Proof, biases: tuple = (fmpq(1, 2), 1, 3, 6), gate=sigmoid, mean=mean_gate) -> None:
    r"""The density of $b+sZ$ solves the heat equation, which turns the derivative in $s$ into the mean of $\sigma''$, and $\sigma''$ is odd.

    1. For independent inputs $\mathbb E\prod_{j\le k}\lambda_j=(\mathbb E\lambda)^k$ with $\mathbb E\lambda=\mathbb E\,\sigma(b+sZ)$, $s=\|\omega\|$. [prose]
    2. The density $\varphi_s$ of $sZ$ satisfies $\partial_s\varphi_s=s\,\partial_u^2\varphi_s$; two integrations by parts give $\frac d{ds}\mathbb E\,\sigma(b+sZ)=s\,\mathbb E\,\sigma''(b+sZ)$. [checked: "heat equation"] [prose]
    3. $\sigma''(u)=-\sinh(u/2)/(4\cosh^3(u/2))$ is odd, and negative for $u>0$. So $\mathbb E\,\sigma''(b+sZ)=\int_0^\infty\sigma''(u)(\varphi_s(u-b)-\varphi_s(u+b))\,du$. [checked: "sigma'' = -sinh(u/2)"] [prose]
    4. $\varphi_s(u-b)-\varphi_s(u+b)$ is $\varphi_s(u)e^{-b^2/2s^2}2\sinh(ub/s^2)$, positive for $u,b>0$: the mean falls for $b>0$; by $\sigma(-u)=1-\sigma(u)$ it rises for $b<0$ and is $\frac12$ for $b=0$.
       [checked: "phi_s(u - b) - phi_s(u + b)"; "sigma(-u) = 1 - sigma(u)"] [prose]
    5. At $\omega=0$ the total $1/(1-\sigma(b))$ is $1+e^b$; as $s\to\infty$ the gate tends to $0$ or $1$ by the sign of $Z$, and its mean to $\frac12$. [checked: "the total at w = 0"] [prose]

    Beside the argument stand rigorous integrals.
    """
    phi = sympy.exp(-(U**2) / (2 * S**2)) / (S * sympy.sqrt(2 * sympy.pi))
    proof.symbolically("heat equation", sympy.diff(phi, S), S * sympy.diff(phi, U, 2), free="u, s > 0")
    bend = sympy.diff(gate(U), U, 2)
    proof.symbolically(
        "sigma'' = -sinh(u/2) / (4 cosh(u/2)^3)",
        bend.rewrite(sympy.exp),
        (-sympy.sinh(U / 2) / (4 * sympy.cosh(U / 2) ** 3)).rewrite(sympy.exp),
        free="u",
    )
    apart = phi.subs(U, U - B) - phi.subs(U, U + B)
    proof.symbolically(
        "phi_s(u - b) - phi_s(u + b)",
        apart.rewrite(sympy.exp),
        (phi * sympy.exp(-(B**2) / (2 * S**2)) * 2 * sympy.sinh(U * B / S**2)).rewrite(sympy.exp),
        free="u, b, s > 0",
    )
    proof.symbolically("sigma(-u) = 1 - sigma(u): for -b the mean is 1 minus that for b", sigmoid(-U), 1 - sigmoid(U), free="u")
    proof.symbolically("the total at w = 0", 1 / (1 - sigmoid(B)), 1 + sympy.exp(B), free="b")
    with proof.beside():
        _rigorous_means(proof, biases, mean)


def _rigorous_means(proof: Proof, biases: tuple, mean) -> None:
    """Instances: means of the gate in balls."""
    for b in proof.each(f"b = {', '.join(map(str, biases))}; |w| = 0 .. 4 and 1000", biases):
        means = [mean(b, s) for s in SIZES]
        twice = _mean(lambda u, _: 1 / (1 + (-u).exp()), b, 2)
        proof.certified(
            "it is the mean of sigma under the law of w'x + b, |w| = 2", bool(abs(twice - mean(b, 2)) < arb("1e-9")), f"b = {b}"
        )
        proof.certified("at w = 0 the gate is sigma(b)", means[0].overlaps(1 / (1 + (-arb(b)).exp())), f"b = {b}")
        proof.certified("the mean falls", all(bool(x > y) for x, y in pairwise(means)), f"b = {b}")
        proof.certified("to 1/2", bool(abs(mean(b, 1000) - arb("0.5")) < arb("0.01")) and bool(means[-1] > arb("0.5")), f"b = {b}")


@claim(
    "new.gating.typical",
    place="after movahedi25, Theorem C.1",
    title="the typical decay rate of memory, -E ln(gate), grows with |w| for every bias",
    says=r"$\frac1k\ln\prod_{j\le k}\lambda_j\to\mathbb E\ln\lambda$ almost surely, and $\mathbb E\ln\sigma(b+\|\omega\|Z)$ is strictly decreasing in $\|\omega\|$ for every $b\in\mathbb R$.",
    known="Jensen's inequality gives the comparison with w = 0; the strict monotonicity follows from concavity by the heat equation (a Gaussian of larger variance is a mean-preserving spread).",
    construction="lemmata.constructions.gating.mean_log_gate",
    sabotages={"an exponential gate": {"gate": sympy.exp}, "the mean of the gate itself, negative bias": {"mean": mean_gate}},
)
def typical_memory(proof: Proof, gate=sigmoid, mean=mean_log_gate) -> None:
    r"""$\ln\sigma$ is strictly concave, and a Gaussian of larger variance is more spread.

    1. The weight of an input $k$ steps ago is a product of $k$ independent gates, whose logarithms have a finite mean ($|\ln\sigma(u)|\le1+|u|$); so the first assertion is the law of large numbers. [prose]
    2. As in new.gating.mean, $\frac d{ds}\mathbb E\,f(b+sZ)=s\,\mathbb E\,f''(b+sZ)$ for $f=\ln\sigma$. [prose]
    3. $(\ln\sigma)''=-\sigma(1-\sigma)<0$, so the mean falls strictly for every $b$. [checked: "(ln sigma)'' = -sigma (1 - sigma)"] [prose]

    Beside the argument stand rigorous integrals.
    """
    u = sympy.symbols("u", real=True)
    bend = sympy.diff(sympy.log(gate(u)), u, 2)
    proof.symbolically("(ln sigma)'' = -sigma (1 - sigma)", bend, -sigmoid(u) * (1 - sigmoid(u)), free="u")
    with proof.beside():
        _rigorous_logarithms(proof, mean)


def _rigorous_logarithms(proof: Proof, mean) -> None:
    """Instances: means of the gate's logarithm in balls."""
    for b in proof.each("b = -3, 0, 1, 6; |w| = 0 .. 4", (-3, 0, 1, 6)):
        means = [mean(b, s) for s in SIZES]
        twice = _mean(lambda u, analytic: -(1 + (-u).exp()).log(analytic=analytic), b, 2)
        proof.certified(
            "it is the mean of ln sigma under the law of w'x + b, |w| = 2", bool(abs(twice - mean(b, 2)) < arb("1e-9")), f"b = {b}"
        )
        proof.certified("the mean of ln sigma falls", all(bool(x > y) for x, y in pairwise(means)), f"b = {b}")
