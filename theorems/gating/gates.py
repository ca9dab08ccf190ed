"""Floors of gates, and what Mamba's gate is (movahedi25, App. C.3 and D.1)."""

from __future__ import annotations

import sympy
from flint import arb, fmpq

from ...constructions.gating import LEVEL
from ..claim import claim
from ..evidence import Proof
from .runs import C, U, sigmoid


@claim(
    "movahedi25.appC.3.floor",
    place="App. C.3",
    title="Griffin's gate is at least exp(−c softplus(ω)), and comes that low",
    says=r"$\lambda=\exp(-c\,\mathrm{softplus}(\omega)\,\Delta)\ge\exp(-c\,\mathrm{softplus}(\omega))$ for $0\le\Delta\le1$, with equality iff $\Delta=1$; $2^{-c}$ at $\omega=0$.",
    hypotheses=("the temperature c is positive",),
    sabotages={"a negative temperature": {"temperature": sympy.Symbol("c", negative=True)}, "Delta above 1": {"delta": lambda q: 1 + q}},
)
def griffin_floor(proof: Proof, temperature=C, delta=lambda q: 1 / (1 + q)) -> None:
    r"""The quotient of the two is $\exp(c\,\mathrm{softplus}(\omega)(1-\Delta))$, with an exponent of at least $0$.

    1. Every $\Delta\in(0,1]$ is $1/(1+q)$ with $q\ge0$; gate over floor is $\exp(\mathrm{softplus}(\omega)\,cq/(1+q))$. [checked: "gate / floor"] [prose]
    2. $cq/(1+q)\ge0$, and it is $0$ for $q=0$ and positive for $q>0$; softplus is positive. [checked: "the exponent is not negative"; "equality at Delta = 1"; "no equality elsewhere"; "softplus is positive"] [prose]
    3. At $\Delta=0$ the gate is $1$, above the floor. [checked: "at Delta = 0"]
    4. $\mathrm{softplus}(0)=\ln2$. [checked: "the floor at omega = 0"]
    """
    q, omega = sympy.Symbol("q", nonnegative=True), sympy.Symbol("omega", real=True)
    softplus = sympy.log(1 + sympy.exp(omega))
    exponent = sympy.factor(sympy.together(temperature * (1 - delta(q))))  # times softplus > 0
    proof.symbolically(
        "gate / floor",
        sympy.exp(-temperature * softplus * delta(q)) / sympy.exp(-temperature * softplus),
        sympy.exp(exponent * softplus),
        free="omega, c, q",
    )
    proof.holds("the exponent is not negative", bool(exponent.is_nonnegative), free="c, q >= 0")
    proof.symbolically("equality at Delta = 1", exponent.subs(q, 0), 0, free="c")
    above = sympy.Symbol("q", positive=True)
    proof.holds("no equality elsewhere", bool(exponent.subs(q, above).is_positive), free="c, q > 0")
    e = sympy.Symbol("e", positive=True)  # exp(omega)
    proof.holds("softplus is positive", bool(sympy.log(1 + e).is_positive), free="omega")
    floor = -temperature * sympy.log(1 + e)
    low = bool(floor.is_negative) and floor * 0 == 0
    proof.holds("at Delta = 0 the gate is 1 and the exponent of the floor negative", low, free="omega, c")
    proof.symbolically("the floor at omega = 0", sympy.exp(-C * softplus.subs(omega, 0)), 2 ** (-C), free="c")


@claim(
    "new.gating.floor",
    place="after movahedi25, App. C.3",
    title="with w ≠ 0, runs of Griffin's gate above 0.99 never end iff ω ≤ ln(q − 1), q the c-th root of 1/0.99; −6.68 for c = 8",
    says=r"Let $w\ne0$, $c>0$ and $0<\theta<1$. $\exp(-c\,\mathrm{softplus}(\omega)\,\sigma(w^\top x+b))>\theta$ for all $x$ iff $\omega\le\omega^*=\ln(\theta^{-1/c}-1)$; above $\omega^*$ runs are finite, with mean $\Phi(a)/\Phi(-a)$, $a=(\mathrm{logit}(q)-b)/\|w\|$, $q=\frac{\ln(1/\theta)}{c\,\mathrm{softplus}(\omega)}<1$.",
    hypotheses=("w is not 0: for w = 0 every gate is the same number",),
    known="De et al. (2024) introduce the gate for its lower bound; the threshold is a line of algebra from it, which we have not seen in print.",
    sabotages={"Mamba's softplus for sigma": {"selective": lambda u: sympy.log(1 + sympy.exp(u))}, "c = 4": {"temperature": 4}},
)
def endless_runs(proof: Proof, selective=sigmoid, temperature: int = 8) -> None:
    r"""$\sigma<1$ comes as near to $1$ as one likes, so the infimum of the gate is its floor, and is not attained.

    1. For $w\ne0$ the argument $w^\top x+b$ takes every real value, and $\sigma$ every value in $(0,1)$: the infimum of the gate is the floor $\exp(-c\,\mathrm{softplus}(\omega))$, which
       it never reaches. [uses: movahedi25.appC.3.floor] [checked: "the selective component tends to 1"] [prose]
    2. The floor falls with $\omega$ and is $\theta$ at $\omega^*$. So for $\omega\le\omega^*$ every gate exceeds $\theta$, and for $\omega>\omega^*$ some gates lie below. [checked: "the floor at omega* is theta"; "the floor falls"] [prose]
    3. Above $\omega^*$ a gate exceeds $\theta$ iff $\sigma(w^\top x+b)<q$, that is $w^\top x<\mathrm{logit}(q)-b$, with probability $\Phi(a)$; the steps are independent, as in the closed form of the run.
       [checked: "sigma(logit(q)) = q"] [uses: movahedi25.thmC.1.amended] [prose]
    4. $c=8$, $\theta=0.99$. [checked: "omega* for c = 8"]
    """
    theta, u = sympy.symbols("theta u", positive=True)
    at = sympy.log(theta ** (-1 / C) - 1)
    proof.symbolically("the floor at omega* is theta", sympy.exp(-C * sympy.log(1 + sympy.exp(at))), theta, free="theta in (0, 1), c > 0")
    proof.exactly("the selective component tends to 1", sympy.limit(selective(u), u, sympy.oo), 1, free="u")
    e = sympy.Symbol("e", positive=True)  # exp(omega)
    proof.holds("the floor falls as omega grows", bool(sympy.diff(-C * sympy.log(1 + e), e).is_negative), free="omega, c")
    # Delta < q as a condition on u = w'x + b
    q = sympy.symbols("q", positive=True)
    proof.symbolically("sigma(logit(q)) = q", sympy.simplify(sigmoid(sympy.log(q / (1 - q)))), q, free="q in (0, 1)")
    star = (arb(LEVEL) ** (arb(-1) / temperature) - 1).log()
    for value in proof.every("c = 8, theta = 0.99", [star], limited=False):
        proof.certified("omega* for c = 8", bool(abs(value - arb("-6.679")) < arb("0.0001")), value.str(8))
    with proof.beside():
        for shift in proof.each("omega* - 1/10, omega* + 1/10, c = 8", (-1, 1)):
            floor = (-8 * (1 + (star + arb(shift) / 10).exp()).log()).exp()
            above = bool(floor > arb(LEVEL)) if shift < 0 else bool(floor < arb(LEVEL))
            proof.certified("the floor is on the right side of 0.99", above, str(shift))
    proof.certificate("witness", "c = 8", c=8, level=fmpq(99, 100), below=fmpq(-6680, 1000), above=fmpq(-6678, 1000))


@claim(
    "movahedi25.appC.3.mamba",
    place="App. C.3 and D.1",
    title="Mamba's gate has no floor: for weights other than 0 it comes as near to 0 as one likes",
    says=r"$\inf_x\exp(-e^{\omega}\,\mathrm{softplus}(w^\top x+b))=0$ for every $\omega$, $b$ and $w\ne0$.",
    remarks=(
        "The sentence before it prefers exponentials of negative numbers to the sigmoid 'due to the saturation of the sigmoid'; Mamba's exponential is a power of a sigmoid (new.gating.sigmoid).",
    ),
    sabotages={"Griffin's Delta": {"selective": sigmoid}},
)
def no_floor(proof: Proof, selective=lambda u: sympy.log(1 + sympy.exp(u))) -> None:
    r"""softplus is unbounded.

    1. The gate is an exponential, so it is positive. [checked: "the gate is positive"]
    2. For $w\ne0$ the argument $w^\top x+b$ takes every real value, and as it grows the gate tends to $0$. [checked: "the limit for w'x -> infinity"] [prose]
    """
    omega = sympy.symbols("omega", real=True)
    gate = sympy.exp(-sympy.exp(omega) * selective(U))
    proof.holds("the gate is positive", bool(gate.is_positive), free="omega, w'x + b")
    proof.symbolically("the limit for w'x -> infinity", sympy.limit(gate, U, sympy.oo), 0, free="omega")


@claim(
    "new.gating.sigmoid",
    place="after movahedi25, App. C.3, first sentence, and App. D.1",
    title="Mamba's gate is a power of a sigmoid: σ(−v) to the power exp(ω)",
    says=r"$\exp(-e^{\omega}\,\mathrm{softplus}(v))=\sigma(-v)^{e^{\omega}}$: $1$ minus it is asymptotic to $e^{\omega+v}$ for $v\to-\infty$, and it is asymptotic to $e^{-e^\omega v}$ for $v\to\infty$.",
    known="For omega = 0 it is Theorem 1 of Gu and Dao (2023), where the discretisation with softplus turns into a sigmoid gate; the power is one line more.",
    sabotages={"the sign of v": {"sign": 1}, "exp for softplus": {"selective": sympy.exp}},
)
def powers_of_thesigmoid(proof: Proof, sign: int = -1, selective=lambda v: sympy.log(1 + sympy.exp(v))) -> None:
    r"""$\mathrm{softplus}(v)=-\ln\sigma(-v)$.

    1. $\exp(-p\,\mathrm{softplus}(v))/\sigma(-v)^p=1$ for $p=e^\omega>0$. [checked: "ln(gate / sigma(-v)^p)"]
    2. $(1-\text{gate})/e^{v}\to p$ as $v\to-\infty$, and $\text{gate}\cdot e^{pv}\to1$ as $v\to\infty$. [checked: "(1 - gate) / e^v"; "gate e^(pv)"]
    """
    v, power = sympy.symbols("v", real=True), sympy.symbols("p", positive=True)
    gate = sympy.exp(-power * selective(v))
    proof.symbolically(
        "ln(gate / sigma(-v)^p)",
        sympy.simplify(sympy.expand_log(sympy.log(gate / sigmoid(sign * v) ** power), force=True)),
        0,
        free="v, p = e^omega",
    )
    proof.symbolically(
        "(1 - gate) / e^v for v -> -infinity", sympy.limit((1 - gate.subs(v, -U)) * sympy.exp(U), U, sympy.oo), power, free="p"
    )
    # ln(gate) + p v = -p ln(1 + e^-v) for softplus(v) = v + ln(1 + e^-v)
    proof.symbolically("gate e^(pv) for v -> infinity", sympy.limit(sympy.exp(-power * (selective(U) - U)), U, sympy.oo), 1, free="p")


@claim(
    "movahedi25.thmC.1.gate",
    place="Theorem C.1, first sentence",
    flaw="misprint",
    quotes=(
        r"define a 1-dimensional RNN parameterized by $\omega$, b as $\lambda_t = \omega^\top x_t + b$",
        r"and the gate be parameterized as $\lambda_t = \sigma(\omega^\top x_t + b)$",
    ),
    title="the gate of Theorem C.1 is defined twice, without and with the sigmoid",
    says=r"$\lambda_t=\omega^\top x_t+b$ and $\lambda_t=\sigma(\omega^\top x_t+b)$.",
    reading="the second is meant, as the proof has it; the input is a vector of independent standard Gaussian entries, since |w| is a norm",
    letter="Theorem C.1 defines the gate twice, as w'x_t + b and as sigma(w'x_t + b). At w = 0 and b = 2 the first is 2 and the second below 1. The proof takes the second. For x_t ~ N(0, 1) read N(0, I), since w is a vector.",
    sabotages={"a bias of 0": {"b": 0}},
)
def two_definitions(proof: Proof, b: int = 2) -> None:
    """At w = 0 the two gates are b and sigma(b) < 1."""
    gate = arb(b).exp() / (1 + arb(b).exp())
    proof.counterexample(
        given={"w": 0, "b": b, "without sigma": b, "with sigma": gate.str(5, radius=False)},
        words={"positive": b > 0, "differ": bool(gate < 1) and b >= 1},
        how="certified",
        minimal="w = 0, b = 2",
    )
    proof.certificate("witness", "the bias", b=b)


@claim(
    "movahedi25.appD3.decay",
    place="App. D.3.1, first display; App. C.1 and Table 2",
    flaw="misprint",
    of="movahedi25.eq9",
    extracted=True,
    quotes=(
        "We refer the reader to Sec. D.3 for the exact formulation of the dependence",
        r"Specifically, we adopt the definition of $\lambda_t$ from Griffin",
    ),
    title="App. D.3 gives λₜ no dependence on the output before, which App. C.1 and half of the rows of Table 2 say it has",
    says=r"$\lambda_t=\exp(-c\,\lambda_{\log}\,\Delta_t)$ with $\Delta_t=\sigma(W_\Delta^xx_t+b_\Delta)$.",
    reading="a term W_Δ^y y_{t-1} in Δₜ is probably meant, as in Bₜ, in Cₜ and in the reflections of Qₜ",
    letter="App. C.1 lets lambda_t depend on the state before, Table 2 has rows with that, and Sec. D.3 is named for the formula. But in D.3.1 "
    "lambda_t depends on x_t alone, through Delta_t; B_t, C_t, G_t and the reflections have a term in y_(t-1). "
    "Is sigma(W_Delta^x x_t + W_Delta^y y_(t-1) + b_Delta) meant?",
    sabotages={"the output before is added": {"of_decay": lambda x, y: x + y}, "equal outputs before": {"before": (fmpq(1), fmpq(1))}},
)
def decay_without_output(proof: Proof, of_decay=lambda x, y: x, before: tuple[fmpq, fmpq] = (fmpq(0), fmpq(1))) -> None:
    """With all weights 1 and biases 0 two outputs before the same token give two B and the same argument of the sigmoid, so the same decay."""
    x = 1
    decays, gates = [of_decay(x, y) for y in before], [x + y for y in before]
    proof.counterexample(
        given={"x": x, "y": list(before), "the argument of sigma in Delta": decays, "B": gates},
        words={"before": bool(before[0] != before[1]), "B": bool(gates[0] != gates[1]), "decay": bool(decays[0] == decays[1])},
        minimal="one channel, weights 1, biases 0",
        witness="x y",
    )
