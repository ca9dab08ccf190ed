"""What contraction costs: the transition of the gated layer, the state that must fade, and no parity (after movahedi25, Theorem 2.1)."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import sympy
from flint import fmpq

from ...constructions import samples
from ...constructions.fixed_point import Token, gated, gated_by_modulus, ungated
from ...numerics import exact
from ...numerics.cyclotomic import gaussian, realify
from ...numerics.exact import Array
from ...numerics.peak_gain import gain_is_below, is_stable
from ..claim import claim
from ..evidence import Proof
from .lipschitz import contraction_with_norm, decays


def diameter(decay: Array, norm: fmpq) -> fmpq:
    """rho = lambda / (lambda + (1 - ||I - Q||)(1 - lambda)) for the largest decay lambda: below 1."""
    largest = max(decay)
    return largest / (largest + (1 - norm) * (1 - largest))


def odds(decay: Array) -> Array:
    """D = Lambda (I - Lambda)^-1, as a diagonal matrix: the metric in which gated transitions contract."""
    return exact.block_diagonal(np.array([[x / (1 - x)]], dtype=object) for x in decay)


def _random_layer(rng: Random, layer) -> tuple[Token, fmpq]:
    """A token with 0 <= Lambda < 1 and the norm of its I - Q."""
    d, norm = rng.randint(1, 3), fmpq(rng.randint(0, 9), 10)
    return layer(decays(rng, d), exact.identity(d) - contraction_with_norm(rng, d, norm), exact.zeros(d)), norm


@claim(
    "new.fixed-point.gated.disc",
    topic="fixed_point",
    place="after Theorem 2.1",
    kind="new",
    title="for 0 <= Lambda < 1 the gated transition has its eigenvalues in the disc with diameter [0, rho], rho < 1: none is negative",
    says=r"For $0\le\Lambda<1$ and $\|I-Q\|\le\gamma<1$ every eigenvalue $z$ of $A=(\Lambda+(I-\Lambda)Q)^{-1}\Lambda$ has $|z|^2\le\rho\operatorname{Re}z$ with "
    r"$\rho=\lambda/(\lambda+(1-\gamma)(1-\lambda))<1$, $\lambda=\max\lambda_i$; $Q=(1-\gamma)I$, $\Lambda=\lambda I$ attains $\rho$.",
    uses=("movahedi25.thm2.1.dense.amended",),
    sabotages={"no input gate": {"layer": ungated}, "gamma squared": {"radius": lambda decay, norm: diameter(decay, norm * norm)}},
)
def open_disc(proof: Proof, layer=gated, radius=diameter) -> None:
    """With D = Lambda (I - Lambda)^-1 the fixed point reads D v = D u + Q u for u = A v. So u.Dv = u.Du + u.Qu, where u.Qu >= (1 - gamma)|u|^2
    >= (1 - gamma) u.Du (1 - lambda)/lambda: A^T D A <= rho (A^T D + D A)/2. For an eigenvector v that is |z|^2 <= rho Re z."""
    lam, gamma = sympy.symbols("lambda gamma", positive=True)
    rho = lam / (lam + (1 - gamma) * (1 - lam))
    proof.symbolically("1 + (1 - gamma)(1 - lambda)/lambda = 1/rho", 1 + (1 - gamma) * (1 - lam) / lam, 1 / rho, "lambda, gamma")
    rng, count = Random(41), proof.pick(25, 80, 400)
    for _ in proof.each(f"{count} rational Lambda (zeros among them) and Q, d <= 3, ||I - Q|| known", range(count)):
        token, norm = _random_layer(rng, layer)
        A, D = token.dense()[0], odds(token.decay)
        rho = radius(token.decay, norm)
        inner = D @ A
        gap = (inner + inner.T) * rho / 2 - A.T @ D @ A
        proof.holds("rho (A^T D + D A)/2 - A^T D A is positive semidefinite", exact.is_positive_semidefinite(gap))
    for lam, norm in proof.each(
        "lambda, ||I - Q|| in {0, 1/4, 1/2, 3/4}: the bound is attained", product([fmpq(k, 4) for k in range(4)], repeat=2)
    ):
        A = layer([lam], exact.rationals([[1 - norm]]), [0]).dense()[0]
        proof.exactly("rho is the eigenvalue for Q = (1 - gamma) I", A[0, 0], radius([lam], norm))


@claim(
    "new.fixed-point.gated.disc.filled",
    topic="fixed_point",
    place="after Theorem 2.1",
    kind="new",
    title="and every point of the open disc |z - 1/2| < 1/2 is an eigenvalue of a gated transition in dimension 2",
    says=r"For $|z-\frac12|<\frac12$ put $w=1/z-1$, $p=\operatorname{Re}w/|w|^2$, $\Lambda=\frac{p}{1+p}I$, $Q=pw$ (as a real $2\times2$ matrix): then $A=z$ and $\|I-Q\|<1$.",
    uses=("new.fixed-point.gated.disc",),
    sabotages={"no input gate": {"layer": ungated}},
)
def disc_is_filled(proof: Proof, layer=gated) -> None:
    """Lambda + (I - Lambda) Q = p (1 + w)/(1 + p) = Lambda / z, and |1 - p w|^2 = 1 - 2p Re w + p^2 |w|^2 = 1 - (Re w)^2/|w|^2."""
    n = proof.pick(8, 16, 32)
    inside = [(fmpq(a, n), fmpq(b, n)) for a in range(1, n) for b in range(-n, n + 1) if a * a + b * b < a * n]
    for x, y in proof.every(f"all z in the open disc with denominator {n}", inside):
        z = gaussian(x, y)
        w = 1 / z - 1
        real = (w + w.conjugate()) / 2
        p = real / (w * w.conjugate())
        decay = (p / (1 + p)).polynomial.coeffs()[0]
        Q = realify(np.array([[p * w]], dtype=object))
        A = layer([decay, decay], Q, [0, 0]).dense()[0]
        proof.exactly("A is multiplication by z", A, realify(np.array([[z]], dtype=object)))
        F = exact.identity(2) - Q
        proof.holds("||I - Q|| < 1, 0 < Lambda < 1", exact.is_positive_definite(exact.identity(2) - F.T @ F) and 0 < decay < 1)


@claim(
    "new.fixed-point.gated.fades",
    topic="fixed_point",
    place="after Theorem 2.1",
    kind="new",
    title="one gate for all tokens: whatever the mixers and inputs, two states approach by rho per token; so no permutation is tracked, parity least of all",
    says=r"Let $0\le\Lambda<1$ be the same for all tokens, $\|I-Q_t\|\le\gamma<1$ and $D=\Lambda(I-\Lambda)^{-1}$. Then $\|A_T\cdots A_1v\|_D\le\rho^T\|v\|_D$: words that end alike end in states "
    r"that no decoder with a margin tells apart.",
    uses=("new.fixed-point.gated.disc",),
    sabotages={"a gate for each token": {"same_gate": False}, "no input gate": {"layer": ungated}},
)
def states_merge(proof: Proof, layer=gated, same_gate: bool = True) -> None:
    """|u|_D^2 <= rho u.Dv <= rho |u|_D |v|_D for u = A_t v: A_t is the resolvent of D^-1 Q_t, which is monotone in the metric D, the same for all t.

    Parity: the words 1 0^T and 0^(T+1) differ in parity and, after T equal letters, by rho^T in the state."""
    rng = Random(42)
    count, longest = proof.pick((20, 5), (60, 8), (300, 16))
    for _ in proof.each(f"{count} products of gated transitions with rational Q_t, one Lambda each, d <= 3, T <= {longest}", range(count)):
        d, T, norm = rng.randint(1, 3), rng.randint(1, longest), fmpq(rng.randint(1, 9), 10)
        decay, P = decays(rng, d), exact.identity(d)
        for _ in range(T):
            step = decay if same_gate else rng.choice([decay, decays(rng, d)])
            P = layer(step, exact.identity(d) - contraction_with_norm(rng, d, norm), exact.zeros(d)).dense()[0] @ P
        D, rho = odds(decay), diameter(decay, norm)
        proof.holds("rho^(2T) D - P^T D P is positive semidefinite", exact.is_positive_semidefinite(D * rho ** (2 * T) - P.T @ D @ P))


@claim(
    "new.fixed-point.gated.parity",
    topic="fixed_point",
    place="after Theorem 2.1",
    kind="new",
    title="one gated layer, gates free to depend on the input: the states after 1^k and 1^(k+1) approach geometrically, so no decoder with a margin finds the parity",
    says=r"For a token with $0\le\Lambda<1$ and $\|I-Q\|\le\gamma<1$, repeated, $\|h_{k+1}-h_k\|_D\le\rho^k\|h_1-h_0\|_D$ in the metric of its own gate, whatever the input and $h_0$; and "
    r"$h_k$ converges. Without a gate the scalar $\Lambda=-c$, $Q=c$ has the transition $-1$ and a contractive mixer.",
    uses=("new.fixed-point.gated.disc",),
    sabotages={"no input gate, and a decay of -1/2": {"layer": lambda decay, Q, b: ungated(decay * 0 - fmpq(1, 2), Q, b)}},
)
def parity_is_lost(proof: Proof, layer=gated) -> None:
    """h_(k+1) - h_k = A (h_k - h_(k-1)), and |A v|_D <= rho |v|_D. With every decay 0 the state is the last input."""
    rng, (count, longest) = Random(44), proof.pick((20, 5), (60, 8), (300, 20))
    for _ in proof.each(f"{count} rational tokens and initial states, d <= 3, k <= {longest}", range(count)):
        plain, norm = _random_layer(rng, gated)
        d = len(plain.decay)
        token = layer(plain.decay, plain.mixer, samples.integers(rng, d))
        A, c = token.dense()
        D, rho = odds(plain.decay), diameter(plain.decay, norm)
        state = samples.integers(rng, d)
        first = previous = A @ state + c - state
        for k in range(1, longest + 1):
            state = state + previous
            previous = A @ state + c - state
            proof.holds("|h_(k+1) - h_k|_D <= rho^k |h_1 - h_0|_D", previous @ D @ previous <= rho ** (2 * k) * (first @ D @ first))
    half = fmpq(1, 2)
    flip = ungated([-half], exact.rationals([[half]]), [0])
    proof.exactly("without a gate: A = -1 and |I - Q| = 1/2", (flip.dense()[0][0, 0], 1 - flip.mixer[0, 0]), (fmpq(-1), half))


def alternating_tokens(scale: fmpq = fmpq(1, 24)) -> dict[str, Token]:
    """Two gated tokens, d = 2, each with eigenvalues in the disc, whose product has the eigenvalue -1; b is a conjugated by a quarter turn."""
    turn = exact.rationals([[0, 1], [-1, 0]])
    Q = exact.rationals([["1/2", -4], [4, 8]]) * scale
    metric = np.array([scale, 16 * scale], dtype=object)
    decay = metric / (1 + metric)
    return {"a": gated(decay, Q, [0, 0]), "b": gated(decay[::-1], turn @ Q @ turn.T, [0, 0])}


@claim(
    "new.fixed-point.gated.alternating",
    topic="fixed_point",
    place="after Theorem 2.1",
    kind="new",
    title="gates that depend on the input: every single token fades, but two in turn can flip the state for ever",
    says=r"There are two gated tokens, $0<\Lambda<1$, $\|I-Q\|<1$, $d=2$, with $A_bA_av=-v$: on $(ab)^k$ the layer counts $k$ modulo 2 and never fades, though $A_a^k\to0$ and $A_b^k\to0$.",
    uses=("new.fixed-point.gated.disc",),
    sabotages={"the same token twice": {"second": "a"}},
)
def two_gates_in_turn(proof: Proof, second: str = "b") -> None:
    """The metric D in which a gated transition contracts depends on its gate. A = (I + M)^-1 with M = D^-1 Q may be long in another metric."""
    tokens = alternating_tokens()
    first, other = tokens["a"], tokens[second]
    for token in proof.each("d = 2, entries of Q with denominator 48", (first, other)):
        F = exact.identity(2) - token.mixer
        proof.holds(
            "||I - Q|| < 1 and 0 < Lambda < 1",
            exact.is_positive_definite(exact.identity(2) - F.T @ F) and all(0 < x < 1 for x in token.decay),
        )
        proof.holds("its powers tend to 0", is_stable(token.dense()[0]))
    P = other.dense()[0] @ first.dense()[0]
    proof.exactly("-1 is an eigenvalue of the product", exact.determinant(P + exact.identity(2)), fmpq(0))
    kernel = exact.nullspace(P + exact.identity(2))
    if kernel.shape[1]:
        v = kernel[:, 0]
        proof.exactly("A_b A_a v = -v", P @ v, -v)
        proof.certificate("eigenvector", "two tokens flip the state", matrix=P, eigenvalue=fmpq(-1), vector=v)


@claim(
    "new.fixed-point.contraction-fades",
    topic="fixed_point",
    place="after Theorem 2.1",
    kind="new",
    title="whatever gate and decays: if the iteration contracts over all lengths, the dense transition has spectral radius below 1",
    says=r"Let $\|\Lambda\|<1$, $K=G(I-Q)$. If $h\mapsto f(h)$ has Lipschitz constant below 1 over all lengths then every eigenvalue of $A=(I-K)^{-1}\Lambda$ has modulus below 1: "
    r"a letter that is repeated wipes out the state, with a gate or without.",
    sabotages={"a constant below 2": {"limit": fmpq(4)}},
)
def contraction_or_memory(proof: Proof, limit: fmpq = fmpq(1)) -> None:
    """The transfer function G(z) = (I - z Lambda)^-1 K is shorter than 1 for |z| <= 1 (maximum principle), so I - G(z) is invertible there; but
    (I - z Lambda)(I - G(z)) = I - K - z Lambda = (I - K)(I - zA). Uniform contraction and lossless memory exclude each other."""
    K, L, A = sympy.symbols("K Lambda A", commutative=False)
    z = sympy.Symbol("z")
    factored = sympy.expand((1 - K) * (1 - z * A)).subs(K * A, A - L)  # (I - K) A = Lambda
    proof.symbolically(
        "I - K - z Lambda = (I - K)(I - zA), where (I - K) A = Lambda", 1 - K - z * L, factored, "Lambda, K, z (noncommuting)"
    )
    rng, wanted = Random(43), proof.pick(30, 100, 400)
    found = []
    while len(found) < wanted:
        layer, d = rng.choice([ungated, gated, gated_by_modulus]), rng.randint(1, 3)
        norm = fmpq(rng.randint(1, 15), 10)
        token = layer(
            decays(rng, d, -1) * fmpq(rng.randint(1, 10), 10), exact.identity(d) - contraction_with_norm(rng, d, norm), exact.zeros(d)
        )
        diagonal = exact.block_diagonal(np.array([[x]], dtype=object) for x in token.decay)
        if gain_is_below(diagonal, token.feedback, limit) and exact.rank(exact.identity(d) - token.feedback) == d:
            found.append(token)
    for token in proof.each(f"{wanted} rational layers with three kinds of gate whose gain is below 1 (Sturm), d <= 3", found):
        proof.holds("A is stable (Stein)", is_stable(token.dense()[0]))
