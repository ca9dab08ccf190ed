"""Other input gates, and none: the exact Lipschitz constant over all lengths (after movahedi25, Theorem 2.1; App. D.2)."""

from __future__ import annotations

from random import Random

import sympy
from flint import fmpq

from ...constructions.fixed_point import Token, gated, gated_by_modulus, ungated
from ...numerics import exact
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof
from .lipschitz import first_order, gain_certificate, loop_matrix, sharp_contraction

KNOWN_GAIN = (
    "the gain of a stable first-order filter is the largest modulus of its transfer function on the circle, or the sum of its impulse response where that has one sign "
    "(Young; Zhou, Doyle, Glover, Robust and Optimal Control, Ch. 4): new is what it says of this iteration"
)


def _scaled(c: fmpq, d: int) -> Array:
    return exact.identity(d) * c


def _token(decay: list, gate: list, F: Array) -> Token:
    d = len(F)
    return Token(exact.rationals(decay), exact.rationals(gate), exact.identity(d) - F, exact.zeros(d))


@claim(
    "new.fixed-point.signed-gain",
    place="after Theorem 2.1",
    title="for decays of any sign the constant is at most max (1 − λ)/(1 − |λ|) ‖I − Q‖, and some Q attains it",
    says=r"For $\|\Lambda\|<1$ the Lipschitz constant over all lengths is at most $\max_i\frac{1-\lambda_i}{1-|\lambda_i|}\,\|I-Q\|$, with equality for $I-Q=\gamma I$; "
    r"so $\lambda=-0.9$, $\|I-Q\|=0.95$ amplify $18.05$ times.",
    known=KNOWN_GAIN,
    sabotages={
        "decays below 0, which the kernel refutes": {"theorem": "gates.signed_gate_contracts"},
        "the factor of lambda >= 0": {"factor": lambda x, m: 1 + 0 * x},
        "1/(1 - |lambda|)": {"factor": lambda x, m: 1 / (1 - m)},
    },
)
def signed_decays(proof: Proof, factor=lambda x, m: (1 - x) / (1 - m), theorem: str = "gates.signed_gate_bound") -> None:
    r"""The gate $1-\lambda$ exceeds 1 for negative $\lambda$, and differences that alternate in sign meet no cancellation.

    1. Write $\lambda=\sigma m$ with $m=|\lambda|$, and $c=\frac{1-\lambda}{1-m}$. With $V_t=(1-m)\sum_{r\le t}s_r^2+ms_t^2-(1-m)c^2\sum_{r\le t}u_r^2$ one has $V_0=0$ and
       $V_t-V_{t-1}=-\frac m{1-m}\bigl((1-m)s_{t-1}-\sigma(1-\lambda)u_t\bigr)^2\le0$. [checked: "V_t - V_(t-1) is minus a square"]
    2. So each channel has $\sum s_t^2\le c^2\sum u_t^2$, and the map at most $\max c_i\,\|I-Q\|$. [checked: "the kernel: the bound"] [uses: movahedi25.thm2.1.amended]
    3. For $I-Q=\gamma I$ take differences $\sigma^te_i$ in the worst channel: $s_t=c\gamma\sigma^t(1-m^t)$, with mean square tending to $(c\gamma)^2$.
       [checked: "u_t = sigma^t gives s_t = gain sigma^t (1 - m^t)"; "sum of m^t up to T"] [prose]
    4. $\lambda=-\frac9{10}$ gives $c=\frac{19/10}{1/10}=19$. [checked: "19 times 0.95 is 18.05"]
    """
    proof.formally("the kernel: the bound", theorem, differs="not that it is attained")
    first_order(proof, lambda lam, m: 1 - lam, factor)
    for tenth in proof.every("lambda = -9/10, ||I - Q|| = 19/20", [sympy.Rational(9, 10)], limited=False):
        proof.exactly("19 times 0.95 is 18.05", factor(-tenth, tenth) * sympy.Rational(19, 20), sympy.Rational(361, 20))
    for decay, norm, T in (([fmpq(-1, 2)], fmpq(1, 2), 9), ([fmpq(1, 3), fmpq(-1, 3)], fmpq(3, 4), 6), ([fmpq(-9, 10)], fmpq(19, 20), 24)):
        d, worst = len(decay), min(range(len(decay)), key=lambda i: decay[i])
        bound = max((1 - x) / (1 - abs(x)) for x in decay) * norm
        token = gated(exact.rationals(decay), exact.identity(d) - _scaled(norm, d), exact.zeros(d))
        gain_certificate(proof, "differences of alternating sign", [token] * T, bound, exact.unit_vector(d, worst))


@claim(
    "new.fixed-point.modulus-gate",
    place="after Theorem 2.1",
    title="the input gate I − |Λ| contracts for decays of any sign: the constant is at most ‖I − Q‖",
    says=r"For $\|\Lambda\|<1$ and the gate $I-|\Lambda|$ the Lipschitz constant over all lengths is at most $\|I-Q\|$, and equal to it for one decay $\Lambda=\lambda I$.",
    known=KNOWN_GAIN,
    construction="lemmata.constructions.fixed_point.gated_by_modulus",
    sabotages={
        "the gate I - Lambda, which the kernel refutes": {"theorem": "gates.signed_gate_contracts"},
        "the gate I - Lambda": {"gate": lambda lam, m: 1 - lam},
        "half the constant": {"gain": lambda lam, m: sympy.Rational(1, 2)},
    },
)
def modulus_gate(
    proof: Proof,
    gate=lambda lam, m: 1 - m,
    gain=lambda lam, m: sympy.Integer(1),
    theorem: str = "gates.modulus_gate_contracts",
) -> None:
    r"""$|\lambda|s^2+(1-|\lambda|)u^2$ is at least the square of $\lambda s+(1-|\lambda|)u$, whatever the sign of $\lambda$.

    1. With $m=|\lambda|$ and $V_t=(1-m)\sum_{r\le t}s_r^2+ms_t^2-(1-m)\sum_{r\le t}u_r^2$: $V_0=0$, $V_t-V_{t-1}=-m(1-m)(s_{t-1}-\sigma u_t)^2\le0$.
       [checked: "V_t - V_(t-1) is minus a square"]
    2. So no channel lengthens, and the map has at most the norm of $I-Q$, as in Theorem 2.1. [uses: movahedi25.thm2.1.amended]
    3. For $\Lambda=\lambda I$ the differences $\sigma^tv$, $v$ a top singular vector of $I-Q$, attain it in the limit.
       [checked: "u_t = sigma^t gives s_t = gain sigma^t (1 - m^t)"; "sum of m^t up to T"]
    """
    proof.formally(
        "the kernel: the gate I - |Lambda|",
        theorem,
        whole="every d and T",
        differs="an ordered field for the reals; Q may depend on the time",
    )
    proof.formally(
        "the kernel: one decay of either sign attains it",
        "gates.modulus_gate_attains",
        differs="an archimedean ordered field for the reals; 'a constant serves every length iff it serves I - Q' for 'the supremum is the norm of I - Q'",
    )
    first_order(proof, gate, gain)
    rng = Random(23)
    for lam in (fmpq(-1, 2), fmpq(1, 3), fmpq(-2, 3)):
        d, norm = rng.randint(1, 2), fmpq(rng.randint(1, 9), 10)
        F, v = sharp_contraction(rng, d, norm)
        gain_certificate(proof, f"decay {lam}", [gated_by_modulus([lam] * d, exact.identity(d) - F, exact.zeros(d))] * 6, norm, v)


@claim(
    "new.fixed-point.root-gate",
    place="App. D.2, 'normalization term'",
    title="Griffin's input gate √(1 − λ²) does not contract: the constant is √((1 + λ)/(1 − λ)) ‖I − Q‖",
    says=r"For one decay $0\le\lambda<1$ and the gate $\sqrt{1-\lambda^2}$ the Lipschitz constant over all lengths is $\sqrt{\frac{1+\lambda}{1-\lambda}}\,\|I-Q\|$; at $\lambda=0.9$ it needs "
    r"$\|I-Q\|<1/\sqrt{19}<0.23$.",
    known=KNOWN_GAIN,
    sabotages={
        "decays below 0, which the kernel refutes": {"theorem": "gates.signed_gate_contracts"},
        "the constant of the gate 1 - lambda": {"gain": lambda lam, m: sympy.Integer(1)},
    },
)
def root_gate(proof: Proof, gain=lambda lam, m: sympy.sqrt(1 - m**2) / (1 - m), theorem: str = "gates.gate_bounds_the_gain") -> None:
    r"""The gate keeps the variance of white noise, not the size of a constant: that it multiplies by $\sqrt{1-\lambda^2}/(1-\lambda)$.

    1. With $g=\sqrt{1-\lambda^2}$ and $c=g/(1-\lambda)=\sqrt{(1+\lambda)/(1-\lambda)}$ [checked: "c^2 = (1 + lambda)/(1 - lambda)"] the quantity $(1-\lambda)\sum s_r^2+\lambda s_t^2-(1-\lambda)c^2\sum u_r^2$ starts at 0 and changes by
       minus a square. [checked: "V_t - V_(t-1) is minus a square"]
    2. So the constant is at most $c\|I-Q\|$, [checked: "the kernel: the bound"] [uses: movahedi25.thm2.1.amended]
    3. and constant differences along a top singular vector of $I-Q$ attain it in the limit.
       [checked: "u_t = sigma^t gives s_t = gain sigma^t (1 - m^t)"; "sum of m^t up to T"] [prose]
    4. At $\lambda=\frac9{10}$, $c^2=19$. [checked: "lambda = 9/10: contractive iff"]
    """
    proof.formally("the kernel: the bound", theorem, differs="not that it is attained")
    first_order(proof, lambda lam, m: sympy.sqrt(1 - m**2), gain, signs=(1,))
    lam = sympy.Symbol("lambda", nonnegative=True)
    proof.symbolically("c^2 = (1 + lambda)/(1 - lambda)", gain(lam, lam) ** 2, (1 + lam) / (1 - lam), "lambda")
    for nine in proof.every("lambda = 9/10", [sympy.Rational(9, 10)], limited=False):
        squared = gain(nine, nine) ** 2
        proof.holds(
            "lambda = 9/10: contractive iff ||I - Q||^2 < 1/19, and 1/19 < 0.23^2", bool(squared == 19) and 19 * 23**2 > 10000 > 19 * 22**2
        )
    rng = Random(77)
    for a, b, c in ((3, 4, 5), (4, 3, 5), (5, 12, 13)):
        d, norm = rng.randint(1, 2), fmpq(rng.randint(1, 9), 10)
        F, v = sharp_contraction(rng, d, norm)
        token = _token([fmpq(a, c)] * d, [fmpq(b, c)] * d, F)
        gain_certificate(proof, f"lambda = {a}/{c}", [token] * 12, norm * fmpq(b, c - a), v)


@claim(
    "new.fixed-point.no-uniform-contraction",
    place="after Eq. 4",
    title="without a gate the constant over all lengths is ‖I − Q‖/(1 − λ): it contracts only if ‖I − Q‖ < 1 − λ",
    says=r"Ungated, with $\Lambda=\lambda I$, $0\le\lambda<1$, the least Lipschitz constant over all lengths is $\|I-Q\|/(1-\lambda)$.",
    known=KNOWN_GAIN,
    sabotages={"||I - Q|| itself": {"gain": lambda lam, m: sympy.Integer(1)}},
)
def ungated_gain(proof: Proof, gain=lambda lam, m: 1 / (1 - m)) -> None:
    r"""Without a gate a constant difference piles up to $1/(1-\lambda)$ times itself, and nothing piles up more.

    1. $(1-\lambda)\sum s_r^2+\lambda s_t^2-\frac1{1-\lambda}\sum u_r^2$ starts at 0 and changes by minus a square. [checked: "V_t - V_(t-1) is minus a square"]
    2. So the constant is at most $\|I-Q\|/(1-\lambda)$, [uses: movahedi25.thm2.1.amended] [prose]
    3. and constant differences along a top singular vector attain it in the limit.
       [checked: "u_t = sigma^t gives s_t = gain sigma^t (1 - m^t)"; "sum of m^t up to T"] [prose]
    """
    first_order(proof, lambda lam, m: sympy.Integer(1), gain, signs=(1,))
    rng = Random(35)
    for lam in (fmpq(0), fmpq(1, 2), fmpq(2, 3)):
        d, norm = rng.randint(1, 2), fmpq(rng.randint(1, 9), 10)
        F, v = sharp_contraction(rng, d, norm)
        gain_certificate(proof, f"lambda = {lam}", [ungated([lam] * d, exact.identity(d) - F, exact.zeros(d))] * 8, norm / (1 - lam), v)


# -- Delta in place of 1 - lambda (App. D.2) ------------------------------------------------------------------------------------


@claim(
    "movahedi25.appD2.delta",
    place="App. D.2, Delta in place of 1 - lambda",
    of="movahedi25.eq6",
    flaw="overstatement",
    quotes=(
        r"we replace the normalization term $(\mathbf{1} - \lambda_t)$ with $\Delta_t$ to stay compatible with the Mamba implementation",
    ),
    weight="hypothesis",
    title="with Δ for 1 − λ the Lipschitz constant of Theorem 2.1 is lost",
    says=r"For $\lambda=e^{-8s\Delta}$, $s>0$, $0<\Delta<1$ and $\|I-Q\|<1$ one pass has Lipschitz constant below 1.",
    reading="constant scalar parameters, B = C = 1; s = softplus(omega). For every Delta each lambda in (0, 1) occurs, so the witness names lambda itself",
    letter="With Delta in place of 1 - lambda Theorem 2.1 no longer applies. With Delta = 1/2, lambda = 19/20 and |I - Q| = 1/2 constant differences grow towards "
    "5 times their length. With Delta one needs |I - Q| <= 1 - exp(-8 softplus(omega)), which is small where lambda may come near 1.",
    sabotages={"the gate 1 - lambda": {"gate": lambda delta, decay: 1 - decay}},
)
def delta_is_no_gate(proof: Proof, gate=lambda delta, decay: delta) -> None:
    r"""Constant differences: after many steps the factor is $\Delta\|I-Q\|/(1-\lambda)$, here $\frac12\cdot\frac12/\frac1{20}=5$.

    After $t$ steps the difference of the states is $5(1-(\frac{19}{20})^t)$."""
    delta, norm, decay = fmpq(1, 2), fmpq(1, 2), fmpq(19, 20)

    def lengthened(T: int) -> bool:
        M = loop_matrix([_token([decay], [gate(delta, decay)], exact.rationals([[norm]]))] * T)
        out = M @ exact.rationals([1] * T)
        return bool(out @ out > T)

    found = proof.smallest(
        "Delta = 1/2, lambda = 19/20, ||I - Q|| = 1/2, constant differences, T = 1, 2, ..., 40", range(1, 41), lengthened
    )
    if found:
        T, _ = found
        proof.counterexample(
            given={"Delta": delta, "lambda": decay, "||I - Q||": norm, "T": T, "differences": [1] * T},
            words={"rates": 0 < decay < 1 and 0 < delta < 1, "mixer": norm < 1, "longer": lengthened(T)},
            minimal=f"n = d = 1, T = {T}",
        )
        proof.certificate("witness", "constant differences are lengthened", delta=delta, decay=decay, F=norm, differences=[1] * T)


@claim(
    "movahedi25.appD2.delta.amended",
    place="App. D.2",
    amends="movahedi25.appD2.delta",
    title="with Δ for 1 − λ one pass contracts for every Δ in (0, 1) iff ‖I − Q‖ ≤ 1 − exp(−8s), the lowest decay",
    says=r"For constant $\lambda=e^{-k\Delta}$, $k=8s$, the Lipschitz constant over all lengths is $\frac{\Delta}{1-e^{-k\Delta}}\gamma$, $\gamma=\|I-Q\|>0$, increasing in $\Delta$; so it is below 1 for "
    r"all $\Delta\in(0,1)$ iff $\gamma\le1-e^{-k}$: the closer $\lambda$ may come to 1 for all $\Delta$, the smaller $I-Q$ must be.",
    sabotages={"a bound twice as large": {"factor": 2}, "the gate 1 - lambda": {"gain": lambda delta, m: sympy.Integer(1)}},
)
def lowest_decay(proof: Proof, factor: int = 1, gain=lambda delta, m: delta / (1 - m)) -> None:
    r"""The constant is $\gamma/k$ times $u/(1-e^{-u})$ at $u=k\Delta$, and that function increases.

    1. A channel $s_t=\lambda s_{t-1}+\Delta u_t$ has the gain $\Delta/(1-\lambda)$ over all lengths, attained by constants. [checked: "V_t - V_(t-1) is minus a square";
       "u_t = sigma^t gives s_t = gain sigma^t (1 - m^t)"; "sum of m^t up to T"] [uses: movahedi25.thm2.1.amended] [prose]
    2. $\frac{d}{du}\frac u{1-e^{-u}}=\frac{1-e^{-u}(1+u)}{(1-e^{-u})^2}$. [checked: "derivative of u/(1 - e^-u), times (1 - e^-u)^2"]
    3. The numerator is 0 at 0 and has the derivative $ue^{-u}>0$, so it is positive for $u>0$. [checked: "derivative of 1 - e^-u (1 + u)"; "1 - e^-u (1 + u) = 0 at 0"] [prose]
    4. So the supremum over $\Delta<1$ is the value at $\Delta=1$, $\gamma/(1-e^{-k})$, which is not attained: all constants are below 1 iff $\gamma\le1-e^{-k}$.
       [checked: "at Delta = 1 and gamma = 1 - e^-k the constant is 1"] [prose]
    """
    delta, k = sympy.symbols("Delta k", positive=True)
    first_order(proof, lambda lam, m: delta, lambda lam, m: gain(delta, m), signs=(1,))
    u = sympy.Symbol("u", positive=True)
    numerator = sympy.diff(u / (1 - sympy.exp(-u)), u) * (1 - sympy.exp(-u)) ** 2
    proof.symbolically("derivative of u/(1 - e^-u), times (1 - e^-u)^2", numerator, 1 - sympy.exp(-u) * (1 + u), "u > 0")
    inner = 1 - sympy.exp(-u) * (1 + u)
    proof.symbolically("derivative of 1 - e^-u (1 + u)", sympy.diff(inner, u), u * sympy.exp(-u), "u > 0")
    at_zero = inner.subs(u, 0) == 0
    proof.holds("1 - e^-u (1 + u) = 0 at 0 and u e^-u > 0", at_zero and bool((u * sympy.exp(-u)).is_positive), free="u > 0")
    largest = gain(sympy.Integer(1), sympy.exp(-k)) * factor * (1 - sympy.exp(-k))
    proof.symbolically("at Delta = 1 and gamma = 1 - e^-k the constant is 1", largest, 1, "k > 0")
    for rate in (fmpq(1, 10), fmpq(1), fmpq(3, 2)):
        # k - k^2/2 < 1 - e^-k < k
        proof.certificate("witness", "below the bound, and above it", k=rate, below=rate - rate**2 / 2, above=rate, Delta=fmpq(9, 10))
