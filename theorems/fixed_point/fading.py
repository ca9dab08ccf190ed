"""What contraction costs: the transition of the gated layer, the state that must fade, and no permutation letter (after movahedi25, Theorem 2.1)."""

from __future__ import annotations

from random import Random

import numpy as np
import sympy
from flint import fmpq

from ...constructions import samples
from ...constructions.fixed_point import Token, gated, gated_by_modulus, ungated
from ...numerics import exact
from ...numerics.aliases import Exact
from ...numerics.exact import Array
from ...numerics.peak_gain import gain_is_below, is_stable
from ..claim import claim
from ..evidence import Proof
from .lipschitz import contraction_with_norm, decays


def diameter(lam, gamma):
    """rho = lambda / (lambda + (1 - gamma)(1 - lambda)) for the largest decay lambda and gamma = ||I - Q||: below 1."""
    return lam / (lam + (1 - gamma) * (1 - lam))


def odds(decay: Array) -> Array:
    """D = Lambda (I - Lambda)^-1, as a diagonal matrix: the metric in which gated transitions contract."""
    return exact.block_diagonal(np.array([[x / (1 - x)]], dtype=object) for x in decay)


def _resolvent(proof: Proof, layer, radius) -> None:
    r"""Record that u = A v, A the transition of the layer, has |u|_D^2 <= rho u.Dv with D = Lambda (I - Lambda)^-1.

    ``layer`` maps (Lambda, R, Q) with R = I - Lambda to the matrix N with N A = Lambda; ``radius`` is rho.
    """
    R, Q, v, u = sympy.symbols("R Q v u", commutative=False)
    L, D = 1 - R, R**-1 - 1  # D = (I - Lambda)^-1 - I = (I - Lambda)^-1 Lambda
    left, right = R**-1 * (layer(L, R, Q) * u - L * v), (D + Q) * u - D * v
    proof.symbolically(
        "(I - Lambda)^-1 (N u - Lambda v) = (D + Q) u - D v", sympy.expand(left), sympy.expand(right), "Lambda, Q, u, v of any size"
    )
    g, uu, uf, ff = sympy.symbols("gamma uu uF FF", positive=True)
    proof.symbolically(
        "u.Qu - (1 - gamma)|u|^2, for F = I - Q, as squares",
        (uu - uf) - (1 - g) * uu,
        ((g**2 * uu - 2 * g * uf + ff) + (g**2 * uu - ff)) / (2 * g),
        "u, Q of any size, gamma > 0",
    )
    lam, x, gamma = sympy.symbols("lambda x gamma", positive=True)
    proof.symbolically("1 - x (1 - lambda)/(lambda (1 - x))", 1 - x / (1 - x) * (1 - lam) / lam, (lam - x) / (lam * (1 - x)), "lambda, x")
    proof.symbolically(
        "1 + (1 - gamma)(1 - lambda)/lambda = 1/rho", 1 + (1 - gamma) * (1 - lam) / lam, 1 / radius(lam, gamma), "lambda, gamma"
    )


def _gated_form(L, R, Q):
    """N = Lambda + (I - Lambda) Q, so that N A = Lambda."""
    return L + R * Q


def _ungated_form(L, R, Q):
    """Without a gate N = Q."""
    return Q


def _random_gated(rng: Random) -> tuple[Token, fmpq]:
    """A token with 0 <= Lambda < 1 and the norm of its I - Q."""
    d, norm = rng.randint(1, 3), fmpq(rng.randint(1, 9), 10)
    return gated(decays(rng, d), exact.identity(d) - contraction_with_norm(rng, d, norm), exact.zeros(d)), norm


@claim(
    "new.fixed-point.gated.disc",
    place="after Theorem 2.1",
    title="for 0 ≤ Λ < 1 the gated transition has its eigenvalues in the disc with diameter [0, ρ], ρ < 1",
    says=r"For $0\le\Lambda<1$ and $\|I-Q\|\le\gamma<1$ every eigenvalue $z$ of $A=(\Lambda+(I-\Lambda)Q)^{-1}\Lambda$ has $|z|^2\le\rho\operatorname{Re}z$ with "
    r"$\rho=\lambda/(\lambda+(1-\gamma)(1-\lambda))<1$, $\lambda=\max\lambda_i$; $Q=(1-\gamma)I$, $\Lambda=\lambda I$ attains $\rho$. So none is negative.",
    known="A is the resolvent (I + M)^-1 of the strongly monotone M = D^-1 Q in the metric D: such resolvents are firmly nonexpansive (Minty; Bauschke and Combettes, Ch. 23). New is that "
    "the gate of Theorem 2.1 makes one",
    sabotages={"no input gate": {"layer": _ungated_form}, "gamma squared": {"radius": lambda lam, gamma: diameter(lam, gamma**2)}},
)
def open_disc(proof: Proof, layer=_gated_form, radius=diameter) -> None:
    r"""With $D=\Lambda(I-\Lambda)^{-1}$ the fixed point reads $Dv=Du+Qu$ for $u=Av$, and $Q$ is bounded below.

    1. $u=Av$ means $(\Lambda+(I-\Lambda)Q)u=\Lambda v$; multiplied by $(I-\Lambda)^{-1}$ this is $(D+Q)u=Dv$. [uses: movahedi25.thm2.1.dense.amended]
       [checked: "(I - Lambda)^-1 (N u - Lambda v) = (D + Q) u - D v"]
    2. With $F=I-Q$, $|Fu|\le\gamma|u|$: $u\cdot Qu-(1-\gamma)|u|^2=\gamma|u|^2-u\cdot Fu=\frac1{2\gamma}\bigl(|\gamma u-Fu|^2+\gamma^2|u|^2-|Fu|^2\bigr)\ge0$ (for $\gamma=0$, $F=0$).
       [checked: "u.Qu - (1 - gamma)|u|^2, for F = I - Q, as squares"]
    3. $|u|^2-\frac{1-\lambda}\lambda u\cdot Du=\sum_iu_i^2\bigl(1-\frac{1-\lambda}\lambda\frac{\lambda_i}{1-\lambda_i}\bigr)=\sum_iu_i^2\frac{\lambda-\lambda_i}{\lambda(1-\lambda_i)}\ge0$.
       [checked: "1 - x (1 - lambda)/(lambda (1 - x))"]
    4. So $u\cdot Dv=u\cdot Du+u\cdot Qu\ge\bigl(1+(1-\gamma)\frac{1-\lambda}\lambda\bigr)u\cdot Du=\frac1\rho u\cdot Du$: $\rho\frac{A^\top D+DA}2-A^\top DA$ is positive semidefinite.
       For $\lambda=0$, $A=0$. [checked: "1 + (1 - gamma)(1 - lambda)/lambda = 1/rho"] [prose]
    5. For $Av=zv$, $v$ complex, that form is $(\rho\operatorname{Re}z-|z|^2)\,v^*Dv\ge0$; if $v^*Dv=0$ then $\Lambda v=0$ and $z=0$. [checked: "the form at an eigenvector"] [prose]
    6. $\Lambda=\lambda I$, $Q=(1-\gamma)I$ have $A=\rho I$. [checked: "rho is attained"]
    """
    _resolvent(proof, layer, radius)
    lam, gamma, x, y, rho, q = sympy.symbols("lambda gamma x y rho q", real=True)
    z = x + sympy.I * y
    form = rho * (z + sympy.conjugate(z)) / 2 * q - z * sympy.conjugate(z) * q
    proof.symbolically("the form at an eigenvector", form, (rho * x - x**2 - y**2) * q, "z, rho, v*Dv")
    proof.symbolically("rho is attained", lam / layer(lam, 1 - lam, 1 - gamma), radius(lam, gamma), "lambda, gamma")
    rng = Random(41)
    for _ in range(6):
        token, norm = _random_gated(rng)
        proof.certificate("witness", f"{len(token.decay)} channels", decay=token.decay, Q=token.mixer, gamma=norm)


@claim(
    "new.fixed-point.gated.disc.filled",
    place="after Theorem 2.1",
    title="every point of the open disc |z − 1/2| < 1/2 is an eigenvalue of a gated transition in dimension 2",
    says=r"For $|z-\frac12|<\frac12$ put $w=1/z-1$, $p=\operatorname{Re}w/|w|^2$, $\Lambda=\frac{p}{1+p}I$, $Q=pw$ (as a real $2\times2$ matrix): then $0<\Lambda<1$, $\|I-Q\|<1$ and $A=z$.",
    known="the converse of the inclusion for firmly nonexpansive maps, here with the layer's own parameters",
    sabotages={"no input gate": {"layer": _ungated_form}, "Q = w": {"scale": lambda re, square: sympy.Integer(1)}},
)
def disc_is_filled(proof: Proof, layer=_gated_form, scale=lambda re, square: re / square) -> None:
    r"""$\Lambda+(I-\Lambda)Q=p(1+w)/(1+p)=\Lambda/z$.

    1. $\frac14-|z-\frac12|^2=\operatorname{Re}z-|z|^2=|z|^2\operatorname{Re}w$, as $z=1/(1+w)$. So in the disc (where $z\ne0$) $\operatorname{Re}w>0$, hence $p>0$ and $0<\frac p{1+p}<1$.
       [checked: "1/4 - |z - 1/2|^2 = |z|^2 Re w"; "Re w > 0 in the disc"; "0 < p/(1 + p) < 1"]
    2. $\Lambda+(I-\Lambda)Q=\Lambda(1+w)$, and $(1+w)z=1$, as real $2\times2$ matrices, so $A$ is the multiplication by $z$. [checked: "Lambda + (I - Lambda) Q = Lambda (1 + w)"; "(1 + w) z = 1"]
       [uses: movahedi25.thm2.1.dense.amended]
    3. $F=I-Q$ is the multiplication by $1-pw$: $I-F^\top F=\frac{(\operatorname{Re}w)^2}{|w|^2}I$, and that is positive. [checked: "I - F^T F = (Re w)^2 / |w|^2"; "(Re w)^2 / |w|^2 > 0"]
    """
    a, b = sympy.symbols("a b", real=True)  # w = a + ib
    slack, modulus, positive = sympy.symbols("slack |z|^2 a", positive=True)  # slack = 1/4 - |z - 1/2|^2, a = Re w
    square = a**2 + b**2
    p = scale(a, square)
    size = 1 / ((1 + a) ** 2 + b**2)  # |z|^2
    x, y = (1 + a) * size, -b * size
    half = sympy.Rational(1, 2)
    proof.symbolically("1/4 - |z - 1/2|^2 = |z|^2 Re w", sympy.cancel(half**2 - (x - half) ** 2 - y**2 - size * a), 0, "w")
    proof.holds("Re w > 0 in the disc", (slack / modulus).is_positive is True, free="z in the disc")
    decay = sympy.factor((p / (1 + p)).subs(a, positive))
    proof.holds("0 < p/(1 + p) < 1", decay.is_positive is True and sympy.factor(1 - decay).is_positive is True, free="w with Re w > 0")
    one, W, Z = sympy.eye(2), sympy.Matrix([[a, -b], [b, a]]), sympy.Matrix([[x, -y], [y, x]])
    L = one * p / (1 + p)
    N = layer(L, one - L, p * W)
    for entry in N - L * (one + W):
        proof.symbolically("Lambda + (I - Lambda) Q = Lambda (1 + w)", sympy.cancel(entry), 0, "w")
    for entry in (one + W) * Z - one:
        proof.symbolically("(1 + w) z = 1", sympy.cancel(entry), 0, "w")
    F = one - p * W
    for entry in one - F.T * F - one * a**2 / square:
        proof.symbolically("I - F^T F = (Re w)^2 / |w|^2", sympy.cancel(entry), 0, "w")
    proof.holds("(Re w)^2 / |w|^2 > 0", (a**2 / square).subs(a, positive).is_positive is True, free="w with Re w > 0")
    for z in ((fmpq(1, 2), fmpq(1, 3)), (fmpq(1, 10), fmpq(-1, 4)), (fmpq(9, 10), fmpq(1, 5))):
        u, v = complex_fraction(*z)
        q = u / (u * u + v * v)
        proof.certificate("witness", "a point of the disc", z=list(z), decay=q / (1 + q), Q=[[q * u, -q * v], [q * v, q * u]])


def complex_fraction(x: fmpq, y: fmpq) -> tuple[fmpq, fmpq]:
    """1/z - 1 for z = x + iy, real and imaginary part."""
    size = x * x + y * y
    return x / size - 1, -y / size


KNOWN_MONOTONE = "products of firmly nonexpansive maps in one metric; the paper's own limit is Merrill et al. (2024) for diagonal layers"


@claim(
    "new.fixed-point.gated.fades",
    place="after Theorem 2.1",
    title="one gate for all tokens: whatever the mixers and inputs, two states approach each other by ρ per token",
    says=r"Let $0\le\Lambda<1$ be the same for all tokens, $\|I-Q_t\|\le\gamma<1$ and $D=\Lambda(I-\Lambda)^{-1}$. Then $\|A_T\cdots A_1v\|_D\le\rho^T\|v\|_D$: the states after words that end alike "
    r"come arbitrarily close, so no decoder with a margin tells such words apart.",
    known=KNOWN_MONOTONE,
    sabotages={"no input gate": {"layer": _ungated_form}, "rho squared": {"radius": lambda lam, gamma: diameter(lam, gamma) ** 2}},
)
def states_merge(proof: Proof, layer=_gated_form, radius=diameter) -> None:
    r"""Each transition contracts in the metric $D$, and $D$ is the same for all of them.

    1. For $u=A_tv$: $|u|_D^2\le\rho\,u\cdot Dv$. [uses: new.fixed-point.gated.disc] [checked: "(I - Lambda)^-1 (N u - Lambda v) = (D + Q) u - D v"; "u.Qu - (1 - gamma)|u|^2";
       "1 - x (1 - lambda)/(lambda (1 - x))"; "1 + (1 - gamma)(1 - lambda)/lambda = 1/rho"]
    2. $\rho^2|v|_D^2-|u|_D^2=|\rho v-u|_D^2+2(\rho\,u\cdot Dv-|u|_D^2)\ge0$. [checked: "rho^2 |v|^2 - |u|^2, as nonnegative terms"]
    3. So $|A_tv|_D\le\rho|v|_D$ for every token, and by induction $|A_T\cdots A_1v|_D\le\rho^T|v|_D$; $v$ is the difference of two states before $T$ common tokens, whose inputs cancel.
       Where $D$ is singular, the channels without decay follow one token later, as $A_tv$ depends on $\Lambda v$ only. [prose]
    """
    _resolvent(proof, layer, radius)
    _contracts(proof)
    rng = Random(42)
    for T in (1, 2, 3, 4):
        d, norm = rng.randint(2, 3), fmpq(rng.randint(1, 9), 10)
        mixers = [exact.identity(d) - contraction_with_norm(rng, d, norm) for _ in range(T)]
        proof.certificate("witness", f"{T} tokens, one gate", decay=decays(rng, d), mixers=mixers, gamma=norm)


def _contracts(proof: Proof) -> None:
    """Record that |u|^2 <= rho u.v gives |u| <= rho |v|, in any inner product."""
    uu, uv, vv, rho = sympy.symbols("uu uv vv rho")
    proof.symbolically(
        "rho^2 |v|^2 - |u|^2, as nonnegative terms",
        rho**2 * vv - uu,
        (rho**2 * vv - 2 * rho * uv + uu) + 2 * (rho * uv - uu),
        "u, v, rho, any inner product",
    )


@claim(
    "new.fixed-point.gated.letters",
    place="after Theorem 2.1",
    title="one gated layer, gates free to depend on the input, tracks no automaton with a letter that permutes two or more states",
    says=r"For a token with $0\le\Lambda<1$ and $\|I-Q\|\le\gamma<1$, repeated, any two states approach: $\|h_k-h'_k\|_D\le\rho^k\|h_0-h'_0\|_D$ in the metric of its own gate, and $h_k$ converges. So if a letter "
    r"permutes a set of reachable states with $q\ne q'$ in it (keeping them included), the runs that reached $q$ and $q'$ come arbitrarily close while the automaton's states stay different: no decoder with a margin "
    r"separates them. Parity is the case of two states. Without a gate the scalar $\Lambda=-c$, $Q=c$ has the transition $-1$ and a contractive mixer.",
    reading="a decoder with a margin: words that lead to different states of the automaton have layer states at a distance bounded below",
    known="for diagonal layers with eigenvalues in [0, 1) the same is in Merrill et al. (2024) and Grazzi et al. (2025), App. B; here the transition is dense and of the paper's gated form. The principle is general: "
    "that the powers of a linear averaged map converge is Baillon, Bruck and Reich's theorem (1978; as stated by Bauschke and Gao, arXiv 2404.04402)",
    sabotages={"no input gate": {"layer": _ungated_form}, "the flip without a gate has no sign": {"flip": fmpq(1)}},
)
def letters_forget(proof: Proof, layer=_gated_form, radius=diameter, flip: fmpq = fmpq(-1)) -> None:
    r"""A letter that is repeated contracts in the metric of its own gate, whatever the other letters do.

    1. $h_k=A_ah_{k-1}+c_a$: the difference $e_k=h_k-h'_k$ of two runs has $e_k=A_ae_{k-1}$. [checked: "two runs: the inputs cancel"]
    2. $|e_k|_D\le\rho|e_{k-1}|_D$ with $D=\Lambda_a(I-\Lambda_a)^{-1}$, so $|e_k|_D\le\rho^k|e_0|_D$. [uses: new.fixed-point.gated.disc] [checked: "(I - Lambda)^-1 (N u - Lambda v) = (D + Q) u - D v";
       "u.Qu - (1 - gamma)|u|^2"; "1 - x (1 - lambda)/(lambda (1 - x))"; "1 + (1 - gamma)(1 - lambda)/lambda = 1/rho"; "rho^2 |v|^2 - |u|^2, as nonnegative terms"] [prose]
    3. Where $D$ is singular, $e_{k+1}=(\Lambda+(I-\Lambda)Q)^{-1}\Lambda e_k$ depends on the channels with $\lambda_i>0$ only, so $e_{k+1}\to0$ in every norm. The case $h'_0=h_1$ says that $h_k$ is a Cauchy sequence.
       [uses: movahedi25.thm2.1.dense.amended] [prose]
    4. If the letter permutes a set of states with $q\ne q'$ in it, then after $k$ more letters the automaton is in $\pi^k(q)\ne\pi^k(q')$, while $e_k\to0$.
       [prose]
    5. Without a gate $\Lambda=-\frac12$, $Q=\frac12$: $A=-1$ and $|1-Q|=\frac12$. [checked: "without a gate: A = -1 and |I - Q| = 1/2"]
    """
    A, h, g, c = sympy.symbols("A h g c", commutative=False)
    proof.symbolically("two runs: the inputs cancel", (A * h + c) - (A * g + c), sympy.expand(A * (h - g)), "A, h, h', c of any size")
    _resolvent(proof, layer, radius)
    _contracts(proof)
    half = fmpq(1, 2)
    token = ungated([flip * half], exact.rationals([[half]]), [0])
    for example in proof.every("the scalar without a gate", [token], limited=False):
        values = (example.dense()[0][0, 0], 1 - example.mixer[0, 0])
        proof.exactly("without a gate: A = -1 and |I - Q| = 1/2", values, (fmpq(-1), half))
    rng = Random(44)
    for _ in range(3):
        plain, norm = _random_gated(rng)
        d = len(plain.decay)
        with proof.beside():
            proof.holds("the certified letters mix, by a known amount", norm > 0 and not np.array_equal(plain.mixer, exact.identity(d)))
        proof.certificate(
            "witness",
            "one letter, two starts",
            decay=plain.decay,
            Q=plain.mixer,
            b=samples.integers(rng, d),
            gamma=norm,
            starts=[exact.zeros(d), samples.nonzero_vector(rng, d)],
            steps=6,
        )


def alternating_tokens(scale: fmpq = fmpq(1, 24)) -> dict[str, Token]:
    """Two gated tokens, d = 2, each with eigenvalues in the disc, whose product has the eigenvalue -1; b is a conjugated by a quarter turn."""
    turn = exact.rationals([[0, 1], [-1, 0]])
    Q = exact.rationals([["1/2", -4], [4, 8]]) * scale
    metric = np.array([scale, 16 * scale], dtype=object)
    decay = metric / (1 + metric)
    return {"a": gated(decay, Q, [0, 0]), "b": gated(decay[::-1], turn @ Q @ turn.T, [0, 0])}


@claim(
    "new.fixed-point.gated.alternating",
    place="after Theorem 2.1",
    title="gates that depend on the input: every single token fades, but two in turn can flip the state for ever",
    says=r"There are two gated tokens, $0<\Lambda<1$, $\|I-Q\|<1$, $d=2$, with $A_bA_av=-v$: on $(ab)^k$ the layer counts $k$ modulo 2 and never fades, though $A_a^k\to0$ and $A_b^k\to0$.",
    known="products of stable matrices need not be stable (the joint spectral radius)",
    sabotages={"the same token twice": {"second": "a"}, "entries that are not small": {"scale": fmpq(1, 2)}},
)
def two_gates_in_turn(proof: Proof, second: str = "b", scale: fmpq = fmpq(1, 24)) -> None:
    r"""The metric $D$ in which a gated transition contracts depends on its gate; $A=(I+D^{-1}Q)^{-1}$ may be long in another metric.

    1. Both tokens satisfy the hypotheses, and the powers of each transition tend to 0. [checked: "||I - Q|| < 1 and 0 < Lambda < 1"; "its powers tend to 0"]
    2. $-1$ is an eigenvalue of $A_bA_a$, with an explicit eigenvector. [checked: "-1 is an eigenvalue of the product"; "A_b A_a v = -v"]
    """
    tokens = alternating_tokens(scale)
    first, other = tokens["a"], tokens[second]
    for token in proof.every("the two tokens, d = 2", (first, other), limited=False):
        F = exact.identity(2) - token.mixer
        proof.holds(
            "||I - Q|| < 1 and 0 < Lambda < 1",
            exact.is_positive_definite(exact.identity(2) - F.T @ F) and all(0 < x < 1 for x in token.decay),
        )
        proof.holds("its powers tend to 0", is_stable(token.dense()[0]))
    P = other.dense()[0] @ first.dense()[0]
    kernel = exact.nullspace(P + exact.identity(2))
    for _ in proof.every("the two tokens in turn", [P], limited=False):
        proof.exactly("-1 is an eigenvalue of the product", exact.determinant(P + exact.identity(2)), fmpq(0))
    for v in proof.every("the eigenvector", kernel.T, limited=False):
        proof.exactly("A_b A_a v = -v", P @ v, -v)
        data = [{"decay": t.decay, "Q": t.mixer} for t in (first, other)]
        proof.certificate("witness", "two tokens flip the state", tokens=data, vector=v)
        proof.exhibit("two tokens", a=data[0], b=data[1], v=v)


@claim(
    "new.fixed-point.contraction-fades",
    place="after Theorem 2.1",
    title="whatever the gate: an iteration that contracts over all lengths has a dense transition of spectral radius below 1",
    says=r"Let $\|\Lambda\|<1$, $K=G(I-Q)$. If $h\mapsto f(h)$ has Lipschitz constant below 1 over all lengths then every eigenvalue of $A=(I-K)^{-1}\Lambda$ has modulus below 1: "
    r"a letter that is repeated wipes out the state, with a gate or without.",
    known="the small-gain theorem (Zames 1966) read backwards",
    sabotages={"a constant below 2": {"limit": fmpq(4)}, "layers that do not mix": {"draw": lambda rng, d, norm: exact.zeros(d, d)}},
)
def contraction_or_memory(proof: Proof, limit: fmpq = fmpq(1), draw=contraction_with_norm) -> None:
    r"""An eigenvalue of $A$ outside the disc would be a point at which the transfer function has the eigenvalue 1.

    1. The Lipschitz constant over all lengths is the largest norm of $G(z)=(I-z\Lambda)^{-1}K$ on the unit circle, [cited: Parseval; Zhou, Doyle, Glover, Ch. 4]
       and so, $\Lambda$ being stable, on the disc. [cited: maximum principle] [prose]
    2. If it is below 1, $I-G(z)$ is invertible for $|z|\le1$. $(I-z\Lambda)(I-G(z))=I-K-z\Lambda=(I-K)(I-zA)$, so $I-zA$ is too, and $A$ has no eigenvalue of modulus 1 or more.
       [checked: "I - K - z Lambda = (I - K)(I - zA)"] [prose]

    Beside the argument both sides are decided on rational layers, by Sturm's and Stein's theorems. Where the constant is 1, the state can be kept: $\Lambda=Q=\frac12$ without a gate has $A=1$.
    """
    K, L, A = sympy.symbols("K Lambda A", commutative=False)
    z = sympy.Symbol("z")
    factored = sympy.expand((1 - K) * (1 - z * A)).subs(K * A, A - L)  # (I - K) A = Lambda
    proof.symbolically(
        "I - K - z Lambda = (I - K)(I - zA), where (I - K) A = Lambda", 1 - K - z * L, factored, "Lambda, K, z (noncommuting)"
    )
    with proof.beside():
        _stable_where_the_gain_is_small(proof, limit, draw)


def _stable_where_the_gain_is_small(proof: Proof, limit: fmpq, draw) -> None:
    """Instances: rational layers whose gain is below 1, and scalars on both sides of it."""
    rng, wanted = Random(43), proof.pick(30, 100, 400)
    found, draws = [], samples.tries("layers whose gain is below 1", 100 * wanted)
    while len(found) < wanted:
        next(draws)
        layer, d = rng.choice([ungated, gated, gated_by_modulus]), rng.randint(1, 3)
        norm = fmpq(rng.randint(1, 15), 10)
        token = layer(decays(rng, d, -1) * fmpq(rng.randint(1, 10), 10), exact.identity(d) - draw(rng, d, norm), exact.zeros(d))
        diagonal = exact.block_diagonal(np.array([[x]], dtype=object) for x in token.decay)
        if gain_is_below(diagonal, token.feedback, limit) and exact.rank(exact.identity(d) - token.feedback) == d:
            found.append(token)
    zero: Exact = fmpq(0)
    for token in proof.each(f"{wanted} rational layers with three kinds of gate whose gain is below 1 (Sturm), d <= 3, seed 43", found):
        dense = token.dense()[0]
        proof.holds("A is stable (Stein)", is_stable(dense))
        proof.exactly("(I - K) A = Lambda", dense - token.feedback @ dense, np.where(np.eye(len(dense)) == 1, token.decay[:, None], zero))
    half = exact.rationals([["1/2"]])
    for a, squared in ((fmpq(1, 2), fmpq(101, 100)), (fmpq(-1, 2), fmpq(101, 100)), (fmpq(3, 4), fmpq(401, 100)), (fmpq(0), fmpq(26, 100))):
        # y_t = a y_(t-1) + u_t / 2 has the gain (1/2) / (1 - |a|)
        below = [gain_is_below(half * 2 * a, half, s) for s in (squared, fmpq(1, 4) / (1 - abs(a)) ** 2)]
        proof.exactly("a scalar's gain is what the geometric series says", below, [True, False])
    keeps = ungated(half[0], half, [0]).dense()[0]
    proof.exactly(
        "Lambda = Q = 1/2, no gate: the gain is not below 1, A = 1", (gain_is_below(half, half, fmpq(1)), is_stable(keeps)), (False, False)
    )
    telling = sum(any(x != 0 for x in t.feedback.flat) and any(x != 0 for x in t.decay) for t in found)
    proof.holds("half of the layers have decays and mixing", 2 * telling >= len(found))
