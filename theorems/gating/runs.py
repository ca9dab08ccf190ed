"""How long a selective gate stays open, and what that says of memory (movahedi25, App. C.3 and F.3)."""

from __future__ import annotations

from itertools import pairwise

import sympy
from flint import arb, fmpq

from ...constructions.gating import LEVEL, expected_run, logit, mean_gate, mean_log_gate, normal_cdf
from ..claim import claim
from ..evidence import Proof

S, B, U, V, C = sympy.symbols("s b u v c", positive=True)


def _cdf(x: sympy.Expr) -> sympy.Expr:
    return (1 + sympy.erf(x / sympy.sqrt(2))) / 2


def _sigmoid(u: sympy.Expr) -> sympy.Expr:
    return 1 / (1 + sympy.exp(-u))


# -- Theorem C.1 -----------------------------------------------------------------------------------------------------------


@claim(
    "movahedi25.thmC.1",
    topic="gating",
    place="Theorem C.1",
    title="the expected time for which a gate stays above 0.99 is proportional to exp(-|w|^2)",
    says=r"For $\lambda_t=\sigma(\omega^\top x_t+b)$, $x_t\sim\mathcal N(0,I)$ independent and $b>0$, the expected length $\mathcal M(\omega,b)$ of the run with $\lambda_t>0.99$ is proportional to $\exp(-\|\omega\|_2^2)$.",
    reading="the statement defines the gate twice; with the sigmoid, and independent inputs, as the proof has it",
    sabotages={"a memory as printed": {"memory": lambda b, size: (-(arb(size) ** 2)).exp(), "at_level": lambda s: sympy.exp(-(s**2))}},
)
def memory_falls_exponentially(proof: Proof, memory=expected_run, at_level=lambda s: _cdf(0 / s) / _cdf(-0 / s)) -> None:
    """False three ways, by the level ln 99 = logit(0.99) of the bias. Below it, selectivity is what opens the gate at all, and more of it opens it longer.
    At ln 99 the gate is open with probability 1/2 for every w. Above, the run does get shorter, but never shorter than 1 step in the mean."""
    one, two = memory(1, 1), memory(1, 2)
    proof.counterexample(
        given={"b": 1, "mean run for |w| = 1": one.str(8), "for |w| = 2": two.str(8), "quotient as printed": "exp(-3)"},
        hypotheses={"0 < b < ln 99": bool(logit(LEVEL) > 1)},
        violates={"the run gets longer with |w|": bool(two > one)},
        how="certified",
        minimal="b = 1",
    )
    proof.counterexample(
        given={"b": "ln 99", "mean run for |w| = s": str(sympy.simplify(at_level(S)))},
        hypotheses={},
        violates={"the run does not depend on |w|": sympy.diff(at_level(S), S) == 0},
        how="symbolic",
        minimal="b = ln 99",
    )
    values = [memory(6, size) for size in (1, 4, 16)]
    proof.counterexample(
        given={"b": 6, "mean runs for |w| = 1, 4, 16": [x.str(8) for x in values], "quotients as printed": "exp(-15), exp(-240)"},
        hypotheses={"b > ln 99": bool(logit(LEVEL) < 6)},
        violates={
            "all are above 1": all(bool(x > 1) for x in values),
            "their quotients are above exp(-15)": all(bool(y > x * arb(-15).exp()) for x, y in pairwise(values)),
        },
        how="certified",
        minimal="b = 6",
    )


@claim(
    "movahedi25.thmC.1.proof",
    topic="gating",
    place="App. F.3",
    title="the expected run is 1 / Phi((logit(0.99) - b) / |w|^2)",
    says=r"$\mathcal M(\omega,b)=P(\omega^\top x+b\le\sigma^{-1}(0.99))^{-1}$, and that probability is $\Phi\big((\sigma^{-1}(0.99)-b)/\|\omega\|_2^2\big)$.",
    sabotages={"the run with the step that ends it, and |w|": {"printed": lambda a, size: 1 / normal_cdf(a / size), "steps": 1}},
)
def printed_formula(proof: Proof, printed=lambda a, size: 1 / normal_cdf(a / size**2), steps: int = 0) -> None:
    """Two slips. 1/P counts the step that ends the run, which is not in it: a gate that is open with probability 1/2 stays open for 1/2 + 1/4 + ... = 1 step.
    And w'x has the standard deviation |w|, not its square: 2x + 3 <= ln 99 means x <= (ln 99 - 3)/2."""
    n = sympy.symbols("n", integer=True, positive=True)
    half = sympy.summation(sympy.Rational(1, 2) ** n, (n, 1, sympy.oo)) + steps
    at_level = printed(arb(0), arb(1))
    proof.counterexample(
        given={"b": "ln 99", "w": 1, "E[run] = sum over n of P(run >= n)": str(half), "printed": at_level.str(6)},
        hypotheses={},
        violates={"the printed value is another": not at_level.contains(arb(int(half)))},
        how="certified",
        minimal="b = ln 99, |w| = 1",
    )
    a = logit(LEVEL) - 3
    true, wrong = 1 / normal_cdf(a / 2) - 1 + steps, printed(a, arb(2))
    proof.counterexample(
        given={"b": 3, "w": 2, "E[run]": true.str(8), "printed, less the step that ends it": (wrong - 1).str(8)},
        hypotheses={},
        violates={"the standard deviation is wrong too": not true.overlaps(wrong - 1 + steps)},
        how="certified",
        minimal="b = 3, |w| = 2",
    )


@claim(
    "movahedi25.thmC.1.amended",
    topic="gating",
    place="Theorem C.1",
    kind="amended",
    amends="movahedi25.thmC.1",
    title="the expected run is Phi(-a)/Phi(a), a = (ln 99 - b)/|w|: it falls with |w| exactly for b > ln 99, from infinity to 1",
    says=r"$\mathbb E[\mathcal T]=\frac{\Phi(-a)}{\Phi(a)}$ with $a=\frac{\ln99-b}{\|\omega\|}$: strictly increasing in $\|\omega\|$ from $0$ to $1$ for $b<\ln99$, constantly $1$ at $b=\ln99$, strictly decreasing from $\infty$ to $1$ for $b>\ln99$. "
    r"At $\omega=0$ it is $0$ for $b\le\ln99$ and infinite above.",
    construction="lemmata.constructions.gating.expected_run",
    sabotages={
        "the run counts the step that ends it": {"run": lambda p: 1 / (1 - p)},
        "the variance in place of the standard deviation": {"spread": lambda s: s**2},
        "below and above are exchanged": {"sign": -1},
    },
)
def closed_form(proof: Proof, run=lambda p: p / (1 - p), spread=lambda s: s, sign: int = 1) -> None:
    """Independent steps, each open with probability p = Phi(-a), so E = p (1 + E), E = p/(1 - p). The derivative in |w| has the sign of ln 99 - b."""
    p, z = sympy.symbols("p", positive=True), sympy.symbols("z", real=True)
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
    for name, k, least in (("b < ln 99: no run as |w| -> 0", C, 0), ("b > ln 99: runs without end as |w| -> 0", -C, sympy.oo)):
        limit = sympy.limit(_cdf(-k / S) / _cdf(k / S), S, 0, "+")
        proof.exactly(name, limit, least)
    sizes = [fmpq(k, 4) for k in range(1, proof.pick(9, 17, 41))]
    for b in proof.each(f"b = 1, 4, 5, 8; |w| = 1/4 .. {sizes[-1]}", (1, 4, 5, 8)):
        rising = bool(logit(LEVEL) > b) == (sign > 0)
        values = [expected_run(b, s) for s in sizes]
        proof.certified("rises below ln 99 and falls above", all(bool(x < y if rising else x > y) for x, y in pairwise(values)), f"b = {b}")
        proof.certified("on one side of 1", all(bool((x < 1) if rising else (x > 1)) for x in values), f"b = {b}")


@claim(
    "movahedi25.appC.3.zero",
    topic="gating",
    place="App. C.3, after Theorem C.1",
    title="weights of the selective component must start at 0 for gates near 1",
    says=r"To have $\lambda_t\approx1$ for all $t$ the map from $x_t$ to the selective component must be initialised to $0$.",
    reading="for the gate of Theorem C.1 and its own measure, the expected run above 0.99",
    sabotages={"a bias above ln 99": {"b": 6}},
)
def zero_weights(proof: Proof, b: int = 1) -> None:
    """With w = 0 every gate is sigma(b). For b <= ln 99 it is never open, and any other w opens it now and then; w = 0 is best for b > ln 99 alone."""
    run = expected_run(b, 1)
    proof.counterexample(
        given={"b": b, "w": 0, "gate": "1/(1 + 1/e) = 0.731, never above 0.99, so the run is 0", "mean run for |w| = 1": run.str(8)},
        hypotheses={"b > 0": b > 0},
        violates={"at w = 0 the gate is closed": bool(arb(b) < logit(LEVEL)), "for |w| = 1 the mean run is positive": bool(run > 0)},
        how="certified",
        minimal="b = 1",
    )


@claim(
    "movahedi25.appC.3.zero.amended",
    topic="gating",
    place="App. C.3, after Theorem C.1",
    kind="amended",
    amends="movahedi25.appC.3.zero",
    title="zero weights are best for a bias above ln 99, and only there: all gates are then open for ever",
    says=r"At $\omega=0$ the run above $0.99$ is infinite if $b>\ln99$ and $0$ if not; for $\omega\ne0$ its mean is finite and positive.",
    uses=("movahedi25.thmC.1.amended",),
    sabotages={"the level 0.9": {"level": fmpq(9, 10)}},
)
def when_zero_weights_help(proof: Proof, level: fmpq = LEVEL) -> None:
    """sigma(b) > 0.99 iff b > ln 99, since sigma(ln 99) = 0.99 and sigma increases; and 0 < Phi(a) < 1."""
    c = sympy.Rational(int(level.p), int(level.q))
    proof.exactly("sigma(ln 99) = 0.99", _sigmoid(sympy.log(99)), c)
    u = sympy.symbols("u", real=True)
    proof.symbolically("sigma' = sigma (1 - sigma), positive", sympy.diff(_sigmoid(u), u), _sigmoid(u) * (1 - _sigmoid(u)), free="u")
    for b in proof.each("b = -2, 1, 4, 5, 8; |w| = 1/2, 1, 4", (-2, 1, 4, 5, 8)):
        proof.certified(
            "the run is finite and positive",
            all(bool(expected_run(b, s) > 0) and expected_run(b, s).is_finite() for s in (fmpq(1, 2), 1, 4)),
        )


# -- what remains true of the recency bias ---------------------------------------------------------------------------------

SIZES = tuple(fmpq(k, 2) for k in range(9))


@claim(
    "new.gating.mean",
    topic="gating",
    place="after movahedi25, Theorem C.1",
    kind="new",
    title="for b > 0 the mean weight of an input k steps ago, (E gate)^k, does fall with |w|: the total memory from 1 + e^b to 2",
    says=r"For $b>0$ and independent inputs $\mathbb E\prod_{j\le k}\lambda_j=(\mathbb E\lambda)^k$ is strictly decreasing in $\|\omega\|$, and $\sum_k(\mathbb E\lambda)^k=\frac1{1-\mathbb E\lambda}$ decreases from $1+e^b$ to $2$. For $b<0$ it increases, at $b=0$ it is constant.",
    construction="lemmata.constructions.gating.mean_gate",
    sabotages={"a negative bias": {"biases": (-1, 2)}, "a gate without curvature": {"gate": lambda u: u / 8 + sympy.Rational(1, 2)}},
)
def mean_memory(proof: Proof, biases: tuple = (fmpq(1, 2), 1, 3, 6), gate=_sigmoid) -> None:
    """The density of b + sZ solves the heat equation, so d/ds E sigma = s E sigma''. As sigma'' is odd, and negative for u > 0, that is the integral over u > 0 of
    sigma''(u) (phi_s(u - b) - phi_s(u + b)), whose second factor is positive for b > 0."""
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
    proof.symbolically("sigma(-u) = 1 - sigma(u): for -b the mean is 1 minus that for b", _sigmoid(-U), 1 - _sigmoid(U), free="u")
    proof.symbolically("the total at w = 0", 1 / (1 - _sigmoid(B)), 1 + sympy.exp(B), free="b")
    for b in proof.each(f"b = {', '.join(map(str, biases))}; |w| = 0 .. 4 and 1000", biases):
        means = [mean_gate(b, s) for s in SIZES]
        proof.certified("the mean falls", all(bool(x > y) for x, y in pairwise(means)), f"b = {b}")
        proof.certified("to 1/2", bool(abs(mean_gate(b, 1000) - arb("0.5")) < arb("0.01")) and bool(means[-1] > arb("0.5")), f"b = {b}")


@claim(
    "new.gating.typical",
    topic="gating",
    place="after movahedi25, Theorem C.1",
    kind="new",
    title="the typical decay rate of memory, -E ln(gate), grows with |w| for every bias: selectivity does bias towards the recent past",
    says=r"$\frac1k\ln\prod_{j\le k}\lambda_j\to\mathbb E\ln\lambda$ almost surely, and $\mathbb E\ln\sigma(b+\|\omega\|Z)$ is strictly decreasing in $\|\omega\|$ for every $b\in\mathbb R$.",
    construction="lemmata.constructions.gating.mean_log_gate",
    sabotages={"an exponential gate": {"gate": sympy.exp}, "the mean of the gate itself, negative bias": {"mean": mean_gate}},
)
def typical_memory(proof: Proof, gate=_sigmoid, mean=mean_log_gate) -> None:
    """ln sigma is strictly concave: its second derivative is -sigma (1 - sigma). So by the heat equation d/ds E ln sigma(b + sZ) = s E (ln sigma)'' < 0."""
    u = sympy.symbols("u", real=True)
    bend = sympy.diff(sympy.log(gate(u)), u, 2)
    proof.symbolically("(ln sigma)'' = -sigma (1 - sigma)", bend, -_sigmoid(u) * (1 - _sigmoid(u)), free="u")
    for b in proof.each("b = -3, 0, 1, 6; |w| = 0 .. 4", (-3, 0, 1, 6)):
        means = [mean(b, s) for s in SIZES]
        proof.certified("the mean of ln sigma falls", all(bool(x > y) for x, y in pairwise(means)), f"b = {b}")


# -- App. C.3 --------------------------------------------------------------------------------------------------------------


@claim(
    "movahedi25.appC.3.floor",
    topic="gating",
    place="App. C.3",
    title="Griffin's gate is at least exp(-c softplus(omega)), and comes that low",
    says=r"$\lambda=\exp(-c\,\mathrm{softplus}(\omega)\,\Delta)\ge\exp(-c\,\mathrm{softplus}(\omega))$ for $0\le\Delta\le1$, with equality iff $\Delta=1$; $2^{-c}$ at $\omega=0$.",
    hypotheses=("the temperature c is positive",),
    sabotages={"a negative temperature": {"temperature": sympy.Symbol("c", negative=True)}, "Delta above 1": {"delta": lambda q: 1 + q}},
)
def griffin_floor(proof: Proof, temperature=C, delta=lambda q: 1 / (1 + q)) -> None:
    """The quotient of the two is exp(c softplus(omega) (1 - Delta)), with an exponent of at least 0. Delta = 1/(1 + q), q >= 0, is every value in (0, 1]; at Delta = 0 the gate is 1."""
    q, omega = sympy.Symbol("q", nonnegative=True), sympy.Symbol("omega", real=True)
    softplus = sympy.log(1 + sympy.exp(omega))
    exponent = sympy.factor(sympy.together(temperature * (1 - delta(q))))  # times softplus > 0
    proof.symbolically(
        "gate / floor",
        sympy.exp(-temperature * softplus * delta(q)) / sympy.exp(-temperature * softplus),
        sympy.exp(exponent * softplus),
        free="omega, c, q",
    )
    proof.holds("the exponent is not negative", bool(exponent.is_nonnegative))
    proof.symbolically("equality at Delta = 1", exponent.subs(q, 0), 0, free="c")
    proof.symbolically("the floor at omega = 0", sympy.exp(-C * softplus.subs(omega, 0)), 2 ** (-C), free="c")


@claim(
    "new.gating.floor",
    topic="gating",
    place="after movahedi25, App. C.3",
    kind="new",
    title="with Griffin's gate runs above 0.99 never end, whatever the selective weights, iff omega <= ln(0.99^(-1/c) - 1), which is -6.68 for c = 8",
    says=r"$\exp(-c\,\mathrm{softplus}(\omega)\,\sigma(w^\top x+b))>\theta$ for all $x$ iff $\omega\le\omega^*=\ln(\theta^{-1/c}-1)$; above $\omega^*$, for $w\ne0$, runs are finite, with mean $\Phi(a)/\Phi(-a)$, $a=(\mathrm{logit}(q)-b)/\|w\|$, $q=\frac{\ln(1/\theta)}{c\,\mathrm{softplus}(\omega)}<1$.",
    uses=("movahedi25.appC.3.floor", "movahedi25.thmC.1.amended"),
    sabotages={"Mamba's softplus for sigma": {"selective": lambda u: sympy.log(1 + sympy.exp(u))}, "c = 4": {"temperature": 4}},
)
def endless_runs(proof: Proof, selective=_sigmoid, temperature: int = 8) -> None:
    """sigma < 1 comes as near to 1 as one likes, so the infimum of the gate is its floor, and is not attained: at omega* itself all gates are still above theta."""
    theta, u = sympy.symbols("theta u", positive=True)
    at = sympy.log(theta ** (-1 / C) - 1)
    proof.symbolically("the floor at omega* is theta", sympy.exp(-C * sympy.log(1 + sympy.exp(at))), theta, free="theta in (0, 1), c > 0")
    proof.exactly("the selective component tends to 1", sympy.limit(selective(u), u, sympy.oo), 1)
    # Delta < q as a condition on u = w'x + b
    q = sympy.symbols("q", positive=True)
    proof.symbolically("sigma(logit(q)) = q", sympy.simplify(_sigmoid(sympy.log(q / (1 - q)))), q, free="q in (0, 1)")
    star = (arb(LEVEL) ** (arb(-1) / temperature) - 1).log()
    proof.certified("omega* for c = 8", bool(abs(star - arb("-6.679")) < arb("0.0001")), star.str(8))
    for shift in proof.each("omega* - 1/10, omega* + 1/10, c = 8", (-1, 1)):
        floor = (-8 * (1 + (star + arb(shift) / 10).exp()).log()).exp()
        proof.certified(
            "the floor is on the right side of 0.99", bool(floor > arb(LEVEL)) if shift < 0 else bool(floor < arb(LEVEL)), str(shift)
        )


@claim(
    "movahedi25.appC.3.mamba",
    topic="gating",
    place="App. C.3 and D.1",
    title="Mamba's gate has no floor: for weights other than 0 it comes as near to 0 as one likes",
    says=r"$\inf_x\exp(-e^{\omega}\,\mathrm{softplus}(w^\top x+b))=0$ for every $\omega$, $b$ and $w\ne0$.",
    sabotages={"Griffin's Delta": {"selective": _sigmoid}},
)
def no_floor(proof: Proof, selective=lambda u: sympy.log(1 + sympy.exp(u))) -> None:
    """softplus is unbounded."""
    omega = sympy.symbols("omega", real=True)
    gate = sympy.exp(-sympy.exp(omega) * selective(U))
    proof.symbolically("the limit for w'x -> infinity", sympy.limit(gate, U, sympy.oo), 0, free="omega")


@claim(
    "movahedi25.appC.3.sigmoid",
    topic="gating",
    place="App. C.3, first sentence; App. D.1",
    title="exponentials of negative numbers are parametrisations other than the sigmoid, and do not saturate as it does",
    says=r"$\lambda=\exp(-e^{\omega}\,\mathrm{softplus}(v))$ is chosen as opposed to a sigmoid, because the sigmoid saturates.",
    reading="Mamba's gate of App. D.1, with $v=w^\\top x+b$",
    sabotages={"exp for softplus": {"selective": sympy.exp}},
)
def the_sigmoid_again(proof: Proof, selective=lambda u: sympy.log(1 + sympy.exp(u))) -> None:
    """exp(-softplus(v)) = 1/(1 + e^v) = sigma(-v): with omega = 0 Mamba's gate is the sigmoid, saturation and all."""
    u = sympy.symbols("u", real=True)
    gate = sympy.exp(-selective(u))
    proof.counterexample(
        given={"omega": 0, "gate": str(sympy.simplify(gate)), "sigmoid of -v": str(_sigmoid(-u))},
        hypotheses={},
        violates={"they are the same function of v": sympy.simplify(gate - _sigmoid(-u)) == 0},
        how="symbolic",
        minimal="omega = 0",
    )


@claim(
    "movahedi25.appC.3.sigmoid.amended",
    topic="gating",
    place="App. C.3, first sentence; App. D.1",
    kind="amended",
    amends="movahedi25.appC.3.sigmoid",
    title="Mamba's gate is a power of a sigmoid: sigma(-v)^(e^omega)",
    says=r"$\exp(-e^{\omega}\,\mathrm{softplus}(v))=\sigma(-v)^{e^{\omega}}$: it tends to $1$ as $e^{\omega+v}$ does to $0$, as slowly as a sigmoid, and falls like $e^{-e^\omega v}$.",
    sabotages={"the sign of v": {"sign": 1}},
)
def powers_of_the_sigmoid(proof: Proof, sign: int = -1) -> None:
    """softplus(v) = -ln sigma(-v)."""
    v, power = sympy.symbols("v", real=True), sympy.symbols("p", positive=True)
    gate = sympy.exp(-power * sympy.log(1 + sympy.exp(v)))
    proof.symbolically(
        "gate / sigma(-v)^p",
        sympy.simplify(sympy.expand_log(sympy.log(gate / _sigmoid(sign * v) ** power), force=True)),
        0,
        free="v, p = e^omega",
    )
    proof.symbolically(
        "(1 - gate) / e^v for v -> -infinity", sympy.limit((1 - gate.subs(v, -U)) * sympy.exp(U), U, sympy.oo), power, free="p"
    )
