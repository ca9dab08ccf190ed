"""How many passes the iteration needs to carry a state (after movahedi25, Eq. 4 and Sec. 3.1)."""

from __future__ import annotations

from itertools import product
from math import comb
from random import Random

import numpy as np
import sympy
from flint import fmpq, fmpq_poly

from ...constructions import samples
from ...constructions.fixed_point import gated, iterate, ungated
from ...numerics import exact
from ..claim import claim
from ..evidence import Proof
from .equality import tokens_data
from .lipschitz import contraction_with_norm, decays, first_order


def one_bit_error(c: fmpq, length: int, passes: int) -> fmpq:
    """1 - h_T after ``passes`` passes, for A = 1 (Lambda = Q = c) and the input 1, 0, 0, ...; the dense state is 1."""
    tokens = [ungated([c], exact.rationals([[c]]), [fmpq(int(t == 0))]) for t in range(length)]
    return 1 - iterate(tokens, passes)[-1, 0]


@claim(
    "new.fixed-point.passes",
    place="after Eq. 4; Sec. 3.1",
    title="remembering one bit without a gate: after l passes the error at time T is P(at least l failures before T successes)",
    says=r"For $\Lambda=Q=c\in(0,1)$, so $A=1$, and one input at time 1, the relative error of $h_T$ after $\ell$ passes is $\Pr(N\ge\ell)$, $N$ the failures before the $T$-th success of "
    r"probability $c$ (mean $T(1-c)/c$). For $c=\frac12$ it is exactly $\frac12$ at $\ell=T$.",
    known="the negative binomial distribution; the iteration as a walk in time and depth is ours",
    uses=("movahedi25.eq2",),
    sabotages={
        "one success fewer": {"paths": lambda T, k: sympy.binomial(T - 2 + k, k)},
        "failures of probability c": {"failure": lambda c: c},
    },
)
def walk_in_time_and_depth(proof: Proof, paths=lambda T, k: sympy.binomial(T - 1 + k, k), failure=lambda c: 1 - c) -> None:
    r"""The error satisfies the recursion of the waiting time, conditioned on its first trial.

    1. Let $e(T,\ell)$ be the error of $h_T$ after $\ell$ passes; $h^*_t=1$. $h^\ell_t=ch^\ell_{t-1}+cb_t+(1-c)h^{\ell-1}_t$ gives $e(T,\ell)=c\,e(T-1,\ell)+(1-c)e(T,\ell-1)$, with $e(T,0)=1$ for
       $T\ge1$ and $e(0,\ell)=0$ (at $T=1$ the input $b_1=1$ takes the place of $h_0=1$). [checked: "e(T, l) = c e(T-1, l) + (1 - c) e(T, l-1)"] [prose]
    2. $F(T,\ell)=\Pr(N<\ell)=\sum_{k<\ell}\binom{T-1+k}kc^T(1-c)^k$ satisfies $F(T,\ell)=cF(T-1,\ell)+(1-c)F(T,\ell-1)$: compare the terms with $(1-c)^k$; it is Pascal's rule
       $\binom{T-1+k}k=\binom{T-2+k}k+\binom{T-2+k}{k-1}$. [checked: "Pascal's rule for the terms of F"] [prose]
    3. $F(T,0)=0$, and $F(0,\ell)=1$ for $\ell\ge1$, since $\binom{k-1}k$ is 1 for $k=0$ and 0 for $k\ge1$. So $e=1-F$, by induction over $T+\ell$. [checked: "binom(k - 1, k) at T = 0"] [prose]
    4. $c=\frac12$: $G(T,\ell)=F(T,\ell)+F(\ell,T)$ satisfies $G(T,\ell)=\frac12G(T-1,\ell)+\frac12G(T,\ell-1)$ and is 1 where $T=0$ or $\ell=0$ (not both); so $G=1$, and $F(T,T)=\frac12$.
       [checked: "the recursion of G"] [prose]
    5. The failures before one success have a mean $\mu$ with $\mu=(1-c)(1+\mu)$, so $\mu=(1-c)/c$, and $T$ successes wait $T$ times as long. [checked: "the mean of one waiting time"] [prose]
    """
    c, h, g, _b = sympy.symbols("c h g b")
    q = failure(c)
    # 1 - (c h + c b + (1 - c) g) with b = 0, and the input at time 1 in place of h
    proof.symbolically("e(T, l) = c e(T-1, l) + (1 - c) e(T, l-1)", 1 - (c * h + (1 - c) * g), c * (1 - h) + q * (1 - g), "c, h, g")
    T, k = sympy.symbols("T k", integer=True, positive=True)
    pascal = (paths(T, k) - paths(T - 1, k)) / sympy.binomial(T - 2 + k, k - 1)
    proof.symbolically("Pascal's rule for the terms of F", sympy.combsimp(pascal.rewrite(sympy.gamma)), 1, "T, k >= 1")
    ends = [paths(sympy.Integer(0), j) for j in (sympy.Integer(0), k)]
    proof.exactly("binom(k - 1, k) at T = 0: 1 for k = 0, 0 for k >= 1", [sympy.simplify(x) for x in ends], [1, 0], free="k >= 1")
    mean = (1 - c) / c
    proof.symbolically("the mean of one waiting time", (1 - c) * (1 + mean), mean, "c")
    F = sympy.Function("F")
    l = sympy.Symbol("l")
    half = sympy.Rational(1, 2)

    def recursion(x, y):
        return half * F(x - 1, y) + half * F(x, y - 1)

    def G(x, y):
        return F(x, y) + F(y, x)

    proof.symbolically("the recursion of G", recursion(T, l) + recursion(l, T), half * G(T - 1, l) + half * G(T, l - 1), "T, l")
    for value in (fmpq(1, 3), fmpq(1, 2), fmpq(9, 10)):
        table = [[one_bit_error(value, t, n) for n in range(8)] for t in range(1, 6)]
        proof.certificate("witness", f"c = {value}", c=value, errors=table)


@claim(
    "movahedi25.sec2.1.attracts",
    place="Sec. 2, 'guaranteed to have an attracting fixed-point'; Sec. 2.1, last sentence",
    title="the gated layer has one fixed point, which attracts from every start, and no iterate on the way explodes",
    says=r"For $0\le\Lambda<1$, $\gamma=\|I-Q\|<1$ and the gate $I-\Lambda$ there is one $h^*=f(h^*)$ at every length, the iteration tends to it from every start, and from $h^0=0$ every iterate has "
    r"$\|h^\ell\|\le\frac{1-\gamma^\ell}{1-\gamma}\|h^1\|$ with $\|h^1\|\le\|QBx\|$.",
    reading="with the decays in [0, 1), for which Theorem 2.1 is true; Lambda and Q do not depend on the input",
    sabotages={
        "no gate": {"gate": lambda lam, m: 1 + 0 * lam},
        "a sum that stops a pass early": {"total": lambda g, n: (1 - g ** (n - 1)) / (1 - g)},
    },
)
def attracts(proof: Proof, gate=lambda lam, m: 1 - lam, total=lambda g, n: (1 - g**n) / (1 - g)) -> None:
    r"""Banach's theorem, and the geometric series of the changes.

    1. A pass has Lipschitz constant at most $\gamma<1$ at every length; so there is one fixed point, and the iteration tends to it from every start. [uses: movahedi25.thm2.1.amended]
       [cited: Banach's theorem] [checked: "V_t - V_(t-1) is minus a square"] [prose]
    2. $\|h^{\ell+1}-h^\ell\|\le\gamma^\ell\|h^1\|$, so $\|h^\ell\|\le\sum_{k<\ell}\gamma^k\|h^1\|=\frac{1-\gamma^\ell}{1-\gamma}\|h^1\|$, by induction. [checked: "one pass more adds gamma^l";
       "after one pass: 1"] [prose]
    3. $h^1$ is the gated mean of $QBx$, channel by channel, which step 1's computation bounds by $\|QBx\|$. [checked: "V_t - V_(t-1) is minus a square"] [prose]
    """
    first_order(proof, gate, lambda lam, m: sympy.Integer(1), signs=(1,))
    g, n = sympy.Symbol("gamma", positive=True), sympy.Symbol("l", integer=True, positive=True)
    proof.symbolically("one pass more adds gamma^l", total(g, n + 1) - total(g, n), g**n, "gamma, l")
    proof.symbolically("after one pass: 1", total(g, sympy.Integer(1)), 1, "gamma")
    rng = Random(54)
    for T in (2, 4):
        norm = fmpq(rng.randint(1, 9), 10)
        mixer, decay = exact.identity(2) - contraction_with_norm(rng, 2, norm), decays(rng, 2)
        tokens = [gated(decay, mixer, samples.nonzero_vector(rng, 2)) for _ in range(T)]
        proof.certificate("witness", f"{T} tokens, four passes", tokens=tokens_data(tokens), gamma=norm, passes=4)


@claim(
    "new.fixed-point.passes.contractive",
    place="after Theorem 2.1; Sec. 3.1",
    title="with a gate the passes needed do not grow with the length: the error falls by ‖I − Q‖ per pass",
    says=r"For $0\le\Lambda<1$ and $\|I-Q\|=\gamma$, $\|h^\ell-h^*\|\le\gamma^\ell\|h^*\|$ over the whole sequence, for every $T$; so $\|h^\ell\|\le(1+\gamma^\ell)\|h^*\|$ throughout.",
    known="Banach's theorem, which the paper cites; new is that Theorem 2.1, amended, gives one factor for all lengths",
    sabotages={
        "decays below 0, which the kernel refutes": {"theorem": "gates.signed_gate_contracts"},
        "no gate": {"gate": lambda lam, m: 1 + 0 * lam},
        "the gate 1 - lambda^2": {"gate": lambda lam, m: 1 - lam**2},
    },
)
def gate_bounds_the_passes(proof: Proof, gate=lambda lam, m: 1 - lam, theorem: str = "gates.passes_converge") -> None:
    r"""Banach: the map contracts by $\gamma$ in the Euclidean norm of sequences, whatever their length.

    1. One pass has Lipschitz constant at most $\gamma$. [uses: movahedi25.thm2.1.amended] [checked: "V_t - V_(t-1) is minus a square"]
    2. $h^{\ell+1}-h^*=f(h^\ell)-f(h^*)$ and $h^0=0$, so $\|h^\ell-h^*\|\le\gamma^\ell\|h^*\|$ by induction over $\ell$. [checked: "the kernel: passes converge at the rate gamma"]
    3. $\|h^\ell\|\le\|h^*\|+\|h^\ell-h^*\|$. [cited: the triangle inequality] [prose]
    """
    proof.formally(
        "the kernel: passes converge at the rate gamma",
        theorem,
        differs="an ordered field for the reals; squared lengths; not the last clause, a triangle inequality",
    )
    first_order(proof, gate, lambda lam, m: sympy.Integer(1), signs=(1,))
    rng = Random(51)
    for T in (2, 4, 6):
        d, norm = rng.randint(1, 2), fmpq(rng.randint(1, 9), 10)
        mixer, decay = exact.identity(d) - contraction_with_norm(rng, d, norm), decays(rng, d)
        tokens = [gated(decay, mixer, samples.integers(rng, d)) for _ in range(T)]
        proof.certificate("witness", f"{T} tokens, three passes", tokens=tokens_data(tokens), gamma=norm, passes=3)


@claim(
    "new.fixed-point.passes.linear",
    place="after Eq. 4; Sec. 3.1",
    title="decays at most c < 1: a state that does not fade needs passes in proportion to the length, whatever the mixers",
    says=r"If $|\Lambda_t|\le c<1$ and $\|G_t(I-Q_t)\|\le\gamma$, then after $\ell$ passes $h_0$ moves $h_T$ by at most $c^T\sum_{k<\ell}\binom{T-1+k}k\gamma^k$ of its length. For $\gamma\le1$ that "
    r"is at most $\binom{T+\ell-1}{T}c^T$, which tends to 0 with $\ell\le\kappa T$ as long as $(1+\kappa)^{1+\kappa}\kappa^{-\kappa}<1/c$: $\kappa=\frac14$ for $c=\frac12$.",
    known="counting lattice paths; the paper sees the growth on A_5 (Sec. 3.1) and asks for an analysis in Sec. 4",
    uses=("new.fixed-point.passes",),
    sabotages={"one path for each number of passes": {"paths": lambda T, k: 1}, "a larger decay than c": {"largest_decay": fmpq(3, 2)}},
)
def passes_carry_the_state(proof: Proof, paths=lambda T, k: comb(T - 1 + k, k), largest_decay: fmpq = fmpq(1)) -> None:
    r"""Unroll the iteration into walks in time and depth, and count them.

    1. $h_T$ after $\ell$ passes is a sum over walks from $(T,\ell)$ back to time 0: $T$ steps of time, each shorter by $c$, and $k<\ell$ of depth, each at most $\gamma$; there are $\binom{T-1+k}k$
       walks with $k$ steps of depth, as the last step is one of time. [prose]
    2. So $|h_T|\le c^T\sum_{k<\ell}\binom{T-1+k}k\gamma^k|h_0|$ (no inputs). [prose]
    3. The sum over $k<\ell$ of $\binom{T-1+k}k$ is $\binom{T+\ell-1}T$: both are 0 for $\ell=0$, and one more term adds as much. [checked: "C(T+l, T) - C(T+l-1, T) = C(T-1+l, l)"; "no term"] [prose]
    4. $\binom{T+\ell}\ell p^T(1-p)^\ell\le1$ with $p=T/(T+\ell)$, a binomial probability; for $\ell=\kappa T$ it says that $\binom{T+\ell}\ell^{1/T}\le(1+\kappa)^{1+\kappa}\kappa^{-\kappa}$. The right side grows with $\kappa$,
       as the derivative of its logarithm is $\ln(1+\kappa)-\ln\kappa>0$. [checked: "p^-T (1 - p)^-l at l = kappa T"; "derivative of the logarithm"] [prose]
    5. For $\kappa=\frac14$ its fourth power is $4(\frac54)^5=\frac{3125}{256}<2^4$. [checked: "4 (5/4)^5 = 3125/256 < 2^4"]

    Beside the argument the machine goes through rational sequences, one channel that attains the bound, and lengths up to 80.
    """
    n, l, k = sympy.symbols("T l kappa", positive=True)
    added = (sympy.binomial(n + l, n) - sympy.binomial(n + l - 1, n)) / sympy.binomial(n - 1 + l, l)
    proof.symbolically("C(T+l, T) - C(T+l-1, T) = C(T-1+l, l)", sympy.combsimp(added.rewrite(sympy.gamma)), 1, "T, l >= 1")
    length = sympy.Symbol("T", integer=True, positive=True)
    proof.exactly("no term: C(T-1, T) = 0", sympy.simplify(sympy.binomial(length - 1, length)), 0, free="T >= 1")
    root = (1 + k) * sympy.log(1 + k) - k * sympy.log(k)  # ln of (1 + kappa)^(1 + kappa) kappa^-kappa
    p = 1 / (1 + k)
    logarithm = -sympy.log(p) - k * sympy.expand_log(sympy.log(k) - sympy.log(1 + k))
    proof.symbolically(
        "p^-T (1 - p)^-l at l = kappa T, its T-th root", sympy.expand_log(logarithm, force=True), sympy.expand(root), "kappa > 0"
    )
    proof.symbolically("derivative of the logarithm", sympy.diff(root, k), sympy.log(1 + k) - sympy.log(k), "kappa > 0")
    for base in proof.every("kappa = 1/4, c = 1/2", [fmpq(4) * fmpq(5, 4) ** 5], limited=False):
        proof.holds("4 (5/4)^5 = 3125/256 < 2^4", base == fmpq(3125, 256) and base < 16)
    with proof.beside():
        _walks_of_sequences(proof, paths, largest_decay)


def _walks_of_sequences(proof: Proof, paths, largest_decay: fmpq) -> None:
    """Instances: rational sequences, one channel that attains the bound, lengths up to 80."""
    rng, mixing, (count, longest) = Random(53), 0, proof.pick((20, 4), (60, 6), (300, 10))
    for n in proof.each(
        f"{count} rational sequences of ungated tokens, decays of both signs, d <= 3, T <= {longest}, l <= {2 * longest}, seed 53",
        range(count),
    ):
        d, T, passes = rng.randint(1, 3), rng.randint(1, longest), rng.randint(1, 2 * longest)
        c, gamma = fmpq(rng.randint(1, 9), 10), fmpq(rng.randint(1, 12), 10)
        tokens = []
        for _ in range(T):
            decay = np.array([c * largest_decay * rng.choice([-1, 1, 1, 1]) for _ in range(d)], dtype=object)
            tokens.append(ungated(decay, exact.identity(d) - contraction_with_norm(rng, d, gamma), exact.zeros(d)))
        mixing += any(x != 0 for t in tokens for x in t.feedback.flat)
        initial = samples.nonzero_vector(rng, d)
        h = iterate(tokens, passes, initial)[-1]
        bound = c**T * sum((paths(T, k) * gamma**k for k in range(passes)), fmpq(0))
        proof.holds("|h_T| <= c^T sum of C(T-1+k, k) gamma^k |h_0|", h @ h <= bound**2 * (initial @ initial))
        if n < 4:
            proof.certificate(
                "witness", f"T = {T}, l = {passes}", tokens=tokens_data(tokens), initial=initial, c=c, gamma=gamma, passes=passes
            )
    proof.holds("half of the sequences mix", 2 * mixing >= count)
    # one channel, Lambda = c, 1 - Q = gamma: every walk counts, and the bound is attained
    for T, passes in proof.every("T <= 6, l <= 8, d = 1, c = 1/2, 1 - Q = 1/3", product(range(1, 7), range(1, 9))):
        token = ungated(["1/2"], exact.rationals([["2/3"]]), [0])
        wanted = fmpq(1, 2**T) * sum((paths(T, k) * fmpq(1, 3**k) for k in range(passes)), fmpq(0))
        proof.exactly("one channel of positive sign: equality", iterate([token] * T, passes, exact.rationals([1]))[-1, 0], wanted)
    for T in proof.every("T <= 80, l = floor(T/4), c = 1/2", range(4, 81)):
        passes = T // 4
        proof.exactly(
            "sum over k < l of C(T-1+k, k) = C(T+l-1, T)", sum(comb(T - 1 + k, k) for k in range(passes)), comb(T + passes - 1, T)
        )
        proof.holds("C(T+l-1, T)^4 <= (4 (5/4)^5)^T", comb(T + passes - 1, T) ** 4 <= fmpq(3125, 256) ** T)


@claim(
    "new.fixed-point.overshoot",
    place="after Eq. 4",
    title="tracking a rotation by θ without a gate, the iterates first grow exponentially with T, then converge",
    says=r"For $A$ orthogonal with eigenvalues $e^{\pm i\theta}$, $\Lambda=cI$, $Q=cA^\top$ and one input at time 1, pass $k+1$ changes $h_T$ by the factor $\binom{T-1+k}{k}c^T\|I-Q\|^k$ "
    r"exactly; its sum over $k$ is $(c/(1-\|I-Q\|))^T\ge\cos^{-T}\theta$. So the iteration converges for every $T$, past iterates that grow exponentially with $T$ (for $\cos\theta=c=\frac35$ a change of $3^T/(12\sqrt T)$).",
    known="transient growth of nonnormal iterations (Trefethen and Embree, Spectra and Pseudospectra, Ch. 1 and 30)",
    sabotages={"without the powers of c": {"power": 0}, "theta = 0": {"growth": lambda c, norm: fmpq(1)}},
)
def overshoot(proof: Proof, power: int = 1, growth=lambda c, norm: c / (1 - norm)) -> None:
    r"""All walks with $k$ steps of depth contribute the same vector, so they add up in length.

    1. $h^\ell_T=\sum_{k<\ell}\binom{T-1+k}kc^T(I-Q)^kx$ for the input $x$ at time 1, and $I-Q$ is $\|I-Q\|$ times a rotation. [uses: new.fixed-point.passes] [checked: "squared length of the change";
       "(I - Q)^T (I - Q) = (4/5)^2 I"]
    2. $\sum_k\binom{T-1+k}kx^k=(1-x)^{-T}$, so the changes sum to $(c/(1-\|I-Q\|))^T$. [checked: "sum over k of C(T-1+k, k) x^k = (1 - x)^-T"]
    3. $\|I-Q\|=|1-ce^{i\theta}|\ge1-c\cos\theta$ gives $c/(1-\|I-Q\|)\ge1/\cos\theta$. [checked: "c/(1 - ||I - Q||) >= 1/cos theta > 1"]
    4. $\cos\theta=c=\frac35$: $\|I-Q\|=\frac45$ and the base is 3; the largest of the changes is at least $3^T/(12\sqrt T)$. [checked: "one change is longer than 3^T / (12 sqrt T)"]
    5. Step 1 for other angles and step 4 for every $T$ (Stirling) are the same computation. [prose]
    """
    A = exact.rationals([["3/5", "-4/5"], ["4/5", "3/5"]])
    c, norm, cosine = fmpq(3, 5), fmpq(4, 5), fmpq(3, 5)
    F = exact.identity(2) - c * A.T
    proof.exactly("(I - Q)^T (I - Q) = (4/5)^2 I", F.T @ F, exact.identity(2) * norm**2)
    longest = proof.pick(4, 6, 10)
    for T, passes in proof.every(
        f"rotation by arccos 3/5, c = 3/5, T <= {longest}, l <= {2 * longest}", product(range(1, longest + 1), range(2 * longest + 1))
    ):
        x = exact.rationals([1, 0])
        tokens = [ungated([c, c], c * A.T, A @ x if t == 0 else x * 0) for t in range(T)]
        # B x = A x at time 1, so that the dense states are A^t x, as from h_0 = x
        change = (iterate(tokens, passes + 1) - iterate(tokens, passes))[-1]
        wanted = comb(T - 1 + passes, passes) * c ** (T * power) * norm**passes
        proof.exactly("squared length of the change", change @ change, wanted**2)
    proof.holds("c/(1 - ||I - Q||) >= 1/cos theta > 1", growth(c, norm) >= 1 / cosine > 1)
    for T in proof.every("T <= 12", range(1, 13)):
        terms = [comb(T - 1 + k, k) * norm**k for k in range(20 * T)]
        inverse = fmpq_poly([1, -1]) ** T * fmpq_poly([comb(T - 1 + k, k) for k in range(20 * T)])
        proof.exactly("sum over k of C(T-1+k, k) x^k = (1 - x)^-T, up to x^20T", inverse.truncate(20 * T) == 1, True)
        change = max(terms) * c**T
        proof.holds("one change is longer than 3^T / (12 sqrt T)", 144 * T * change**2 >= growth(c, norm) ** (2 * T))
    for T in (1, 3, 5):
        proof.certificate("witness", f"rotation by arccos 3/5, T = {T}", A=A, c=c, length=T, passes=8)
