"""Gradients taken at the fixed point only (movahedi25, Sec. 2.2, App. B and F.2)."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import sympy
from flint import fmpq

from ...constructions import samples
from ...constructions.fixed_point import Token, dense_states, diagonal_layer
from ...numerics import exact
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof
from .equality import random_tokens
from .lipschitz import contraction_with_norm, gated, loop_matrix, ungated


def _source_matrix(tokens: list[Token]) -> Array:
    """J_x: the linear map from the inputs b_1, ..., b_T to f(0), shape (T d, T d)."""
    d, length = len(tokens[0].decay), len(tokens)
    columns = []
    for k in range(length * d):
        b = exact.unit_vector(length * d, k).reshape(length, d)
        driven = [Token(t.decay, t.gate, t.mixer, b[s]) for s, t in enumerate(tokens)]
        columns.append(diagonal_layer(driven, b * 0).reshape(-1))
    return np.array(columns, dtype=object).T


@claim(
    "movahedi25.appB.eq7",
    topic="fixed_point",
    place="App. B, Eq. 7",
    title="the Jacobian of the fixed point is (I - J_h)^-1 J_x, and likewise for the parameters",
    says=r"$\frac{\partial h^*}{\partial x}=(I-J_h)^{-1}J_x$ and $\frac{\partial h^*}{\partial\theta}=(I-J_h)^{-1}J_\theta$, Jacobians of one pass taken at $h^*$.",
    sabotages={"one term of the Neumann series": {"solve": lambda J, M: M}},
)
def implicit_jacobian(proof: Proof, solve=lambda J, M: exact.inverse(exact.identity(len(J)) - J) @ M) -> None:
    """The left side from the dense recurrence, which knows nothing of the iteration; the right side from one diagonal pass.

    Parameters in symbols: d = 1, T <= 2, derivatives by lambda and q."""
    rng = Random(61)
    count, longest = proof.pick((10, 3), (30, 4), (150, 6))
    for layer in (ungated, gated):
        for _ in proof.each(f"{count} rational sequences of tokens with and without gate, d <= 3, T <= {longest}", range(count)):
            d, T = rng.randint(1, 3), rng.randint(1, longest)
            tokens, columns = random_tokens(rng, layer, d, T), []
            for k in range(T * d):
                b = exact.unit_vector(T * d, k).reshape(T, d)
                columns.append(dense_states([Token(t.decay, t.gate, t.mixer, b[s]) for s, t in enumerate(tokens)]).reshape(-1))
            proof.exactly("dh*/dx", np.array(columns, dtype=object).T, solve(loop_matrix(tokens), _source_matrix(tokens)))
    lam, q, *b = sympy.symbols("lambda q b_1:3")
    for T in (1, 2):
        h, dense = [], sympy.Integer(0)
        for t in range(T):
            dense = (lam * dense + (1 - lam) * q * b[t]) / (lam + (1 - lam) * q)
            h.append(dense)
        frozen = sympy.symbols(f"h_1:{T + 1}")
        out, state = [], sympy.Integer(0)
        for t in range(T):
            state = lam * state + (1 - lam) * (q * b[t] + (1 - q) * frozen[t])
            out.append(state)
        J = sympy.Matrix(out).jacobian(frozen)
        for parameter in (lam, q):
            one_pass = sympy.Matrix([sympy.diff(o, parameter) for o in out]).subs(dict(zip(frozen, h, strict=True)))
            gap = (sympy.eye(T) - J) * sympy.Matrix([sympy.diff(x, parameter) for x in h]) - one_pass
            for entry in gap:
                proof.symbolically(f"(I - J_h) dh*/d{parameter} = J_{parameter}", sympy.cancel(entry), 0, "lambda, q, b", "d = 1, T <= 2")


# -- Theorem 2.2 -----------------------------------------------------------------------------------------------------------


def _jacobians(J: Array, slope: Array, x: Array) -> tuple[Array, Array, Array]:
    """h*, the one-pass and the true derivative by theta for f(x, h) = J(theta)(x + h), where J has the derivative ``slope``; so J_x = J_h = J."""
    inverse = exact.inverse(exact.identity(len(J)) - J)
    h = inverse @ (J @ x)
    once = slope @ (x + h)
    return h, once, inverse @ once


@claim(
    "movahedi25.thm2.2",
    topic="fixed_point",
    place="Theorem 2.2",
    title="if J_x = J_h the parameter gradient of one pass at the fixed point is a descent direction",
    says=r"If $J_x=J_h$ and $\|J_h\|<1$, then $\nabla_\theta\mathcal L$ through one pass at $h^*$ has a nonnegative inner product with the true gradient.",
    reading="as stated, for theta; the proof in App. F.2 treats x",
    sabotages={"J_theta proportional to J": {"slopes": ((1, 0), (0, 0))}},
)
def parameters_can_ascend(proof: Proof, slopes=((1, 1), (1, -1))) -> None:
    """f = J(theta)(x + h) with J = diag(1/2, 0) + theta diag(slope): the true gradient weighs the first entry of delta twice as much as the pass does.

    d = T = 1 cannot fail: there the two gradients differ by the positive factor 1/(1 - J)."""
    J, x = exact.rationals([["1/2", 0], [0, 0]]), exact.rationals([1, 1])
    targets = sorted(product(range(-3, 4), repeat=2), key=lambda y: (max(map(abs, y)), y))
    cases = [(s, (fmpq(a, 2), fmpq(b, 2))) for a, b in targets for s in slopes]

    def gradients(c) -> tuple[fmpq, fmpq]:
        h, once, true = _jacobians(J, exact.block_diagonal(exact.rationals([[v]]) for v in c[0]), x)
        delta = h - np.array(c[1], dtype=object)
        return delta @ once, delta @ true

    found = proof.smallest(
        "d = 2, T = 1, J = diag(1/2, 0), x = (1, 1), targets in halves", cases, lambda c: gradients(c)[0] * gradients(c)[1] < 0
    )
    if found:
        c, _ = found
        once, true = gradients(c)
        proof.counterexample(
            given={
                "J at theta = 0": J,
                "its derivative": c[0],
                "x": x,
                "y": list(c[1]),
                "loss": "|h - y|^2 / 2",
                "one pass": once,
                "true": true,
            },
            hypotheses={"||J|| < 1": exact.is_positive_definite(exact.identity(2) - J.T @ J)},
            violates={"the two derivatives by theta have opposite signs": once * true < 0},
            minimal="d = 2, T = 1, one parameter; d = T = 1 cannot fail",
        )


@claim(
    "movahedi25.thm2.2.amended",
    topic="fixed_point",
    place="Theorem 2.2, App. F.2",
    kind="amended",
    amends="movahedi25.thm2.2",
    title="for x it holds, with an angle: cos >= sqrt(1 - ||J||^2), and this is sharp",
    says=r"If $J_x=J_h=J$, $\|J\|=\gamma<1$, the gradients $g=J^\top\delta$ (one pass) and $g^*=(I-J)^{-\top}g$ (true) have $\cos\angle(g,g^*)\ge\sqrt{1-\gamma^2}$ unless $g=0$; "
    r"$J=\gamma R$ with a rotation by $\arccos\gamma$ attains it.",
    sabotages={"the bound 1 - gamma^2 / 2 on the squared cosine": {"bound": lambda g: 1 - g * g / 2}},
)
def sharp_angle(proof: Proof, bound=lambda g: 1 - g * g) -> None:
    """g = g* - J^T g*, and |J^T g*| <= gamma |g*|: g lies in a ball around g* that is seen under the angle arcsin gamma. The touching ray is attained
    when J^T g* is orthogonal to g."""
    rng, count = Random(62), proof.pick(30, 100, 500)
    for _ in proof.each(f"{count} rational J with known norm, d <= 4, and g", range(count)):
        d, norm = rng.randint(1, 4), fmpq(rng.randint(1, 9), 10)
        J, g = contraction_with_norm(rng, d, norm), samples.nonzero_vector(rng, d)
        true = exact.inverse(exact.identity(d) - J.T) @ g
        inner = g @ true
        proof.holds("g.g* > 0 and (g.g*)^2 >= (1 - gamma^2)|g|^2 |g*|^2", inner > 0 and inner**2 >= bound(norm) * (g @ g) * (true @ true))
    for a, b, c in proof.each("gamma = 3/5, 5/13, 8/17: equality", ((3, 4, 5), (5, 12, 13), (8, 15, 17))):
        gamma = fmpq(a, c)
        J = exact.rationals([[fmpq(a, c), fmpq(b, c)], [-fmpq(b, c), fmpq(a, c)]]) * gamma
        g = exact.rationals([1, 2])
        true = exact.inverse(exact.identity(2) - J.T) @ g
        proof.exactly("(g.g*)^2 = (1 - gamma^2)|g|^2 |g*|^2", (g @ true) ** 2, bound(gamma) * (g @ g) * (true @ true))


@claim(
    "movahedi25.thm2.2.amended.parameters",
    topic="fixed_point",
    place="Theorem 2.2",
    kind="amended",
    amends="movahedi25.thm2.2",
    title="for parameters it holds if J_theta J_theta^T is well enough conditioned: ((kappa - 1)/(kappa + 1))^2 + ||J||^2 < 1",
    says=r"With $\kappa$ the condition number of $S=J_\theta J_\theta^\top$ and $\bigl(\frac{\kappa-1}{\kappa+1}\bigr)^2+\|J_h\|^2<1$ the one-pass gradient is a descent direction for every loss.",
    sabotages={"below 3/2 in place of 1": {"limit": fmpq(3, 2)}},
)
def well_conditioned_parameters(proof: Proof, limit: fmpq = fmpq(1)) -> None:
    """A positive definite S turns a vector by at most arcsin((kappa - 1)/(kappa + 1)) (Kantorovich), (I - J)^-T by at most arcsin ||J||; the two stay
    within 90 degrees of each other iff the squared sines add up to less than 1. Exactly: the symmetric part of S (I - J)^-T is positive definite."""
    rng, wanted = Random(63), proof.pick(40, 100, 500)
    found = []
    while len(found) < wanted:
        d, norm, kappa = rng.randint(2, 3), fmpq(rng.randint(1, 9), 10), fmpq(rng.randint(1, 12))
        if ((kappa - 1) / (kappa + 1)) ** 2 + norm**2 < limit:
            values = [fmpq(1), kappa, *([rng.choice([fmpq(1), kappa])] * (d - 2))]
            found.append((samples.orthogonal(rng, d), values, contraction_with_norm(rng, d, norm)))
    for U, values, J in proof.each(f"{wanted} rational S and J, d <= 3, kappa <= 12, ||J|| <= 9/10 within the condition", found):
        S = exact.multiply(U, exact.block_diagonal(exact.rationals([[v]]) for v in values), U.T)
        product_ = S @ exact.inverse(exact.identity(len(J)) - J).T
        proof.holds("the symmetric part of S (I - J)^-T is positive definite", exact.is_positive_definite((product_ + product_.T) / 2))


@claim(
    "movahedi25.appF2.eigenvalues",
    topic="fixed_point",
    place="App. F.2, last sentences",
    title="||J|| < 1 gives I - J strictly positive eigenvalues, and therefore w.(I - J)^-1 w > 0",
    says=r"(a) $\|J\|<1$ implies that $I-J$ has strictly positive eigenvalues; (b) a matrix with strictly positive eigenvalues has $\omega^\top M^{-1}\omega>0$.",
    reading="(b) is the step that the proof takes from (a); what holds is that the symmetric part of I - J is positive definite",
    sabotages={"symmetric matrices": {"J": ((0, "1/2"), ("1/2", 0)), "M": ((1, 0), (0, 1))}},
)
def complex_and_skew(proof: Proof, J=((0, "-1/2"), ("1/2", 0)), M=((1, -4), (0, 1))) -> None:
    """Half a quarter turn; and a shear."""
    J, M = exact.rationals(J), exact.rationals(M)
    p = exact.characteristic_polynomial(exact.identity(2) - J)
    form = exact.inverse(M)
    w = exact.rationals([1, -1])
    proof.counterexample(
        given={"J": J, "characteristic polynomial of I - J": str(p), "real eigenvalues of I - J": exact.count_real_roots(p)},
        hypotheses={"||J|| < 1": exact.is_positive_definite(exact.identity(2) - J.T @ J)},
        violates={"the eigenvalues of I - J are not real": exact.count_real_roots(p) == 0},
        minimal="d = 2",
    )
    proof.counterexample(
        given={"M": M, "w": w, "w.M^-1 w": w @ form @ w},
        hypotheses={"the eigenvalues of M are 1, 1": exact.rational_eigenvalues(M) == {fmpq(1): 2}},
        violates={"w.M^-1 w < 0": w @ form @ w < 0},
        minimal="d = 2",
    )


# -- whether the model meets the hypothesis ----------------------------------------------------------------------------------


@claim(
    "movahedi25.eq6.equal-jacobians",
    topic="fixed_point",
    place="Sec. 2.2, last sentence, with Eq. 5 and 6",
    title="the Bedouin iteration, as printed in Eq. 6, adheres to J_x = J_h",
    says=r"In Eq. 6 one pass depends on $x$ and on $y$ in the same way.",
    reading="Sec. 2.2 reports that adhering to the condition helps; parameters frozen, C^T B = 1, one token: J_x = Delta Q, J_h = Delta (I - Q)",
    sabotages={"Q = I/2": {"mixers": ((("1/2", 0), (0, "1/2")),)}},
)
def only_half_the_identity(proof: Proof, mixers=((("1/2", 0), (0, "1/2")), (("1/2", 0), (0, 1)))) -> None:
    """Q = I - Q forces Q = I/2: the condition of Theorem 2.2 and channel mixing exclude each other in Eq. 6."""
    found = proof.smallest(
        "Q = I/2, then one reflection with alpha = 1/4", mixers, lambda m: not np.array_equal(2 * exact.rationals(m), exact.identity(2))
    )
    if found:
        Q = exact.rationals(found[0])
        proof.counterexample(
            given={"Q": Q, "I - Q": exact.identity(2) - Q},
            hypotheses={
                "||I - Q|| < 1": exact.is_positive_definite(exact.identity(2) - (exact.identity(2) - Q).T @ (exact.identity(2) - Q))
            },
            violates={"J_x differs from J_h for every Delta > 0": not np.array_equal(Q, exact.identity(2) - Q)},
            minimal="d = 2; J_x = J_h only for Q = I/2",
        )


@claim(
    "movahedi25.eq6.descent",
    topic="fixed_point",
    place="Sec. 2.2, last paragraph, with Eq. 6",
    title="for the Bedouin iteration the gradient of one pass at the fixed point is a descent direction",
    says=r"With $J_x=\Delta Q$, $J_h=\Delta(I-Q)$, $0<\Delta<1$ and $\|I-Q\|<1$ the gradient by $x$ through one pass has a nonnegative inner product with the true one.",
    reading="parameters frozen; C^T B = 1, one token",
    sabotages={"the same Delta for both channels": {"deltas": (("1/2", "1/2"), ("9/10", "9/10"))}},
)
def bedouin_can_ascend(proof: Proof, deltas=(("1/2", "1/2"), ("1/2", "9/10"), ("9/10", "1/2"))) -> None:
    """delta.J_x J_x^T (I - J_h)^-T delta for delta on the integer grid. With Delta = c I it is delta.c^2 Q Q^T (I - c F^T)^-1 delta."""
    mixers = [((1, 0), (0, 1)), (("3/2", "1/2"), ("1/2", "1/4"))]
    grid = sorted(product(range(-6, 7), repeat=2), key=lambda v: (max(map(abs, v)), v))
    cases = [(dl, m, v) for dl in deltas for m in mixers for v in grid]
    one = exact.identity(2)

    def gradients(c) -> tuple[Array, Array]:
        D, Q = exact.block_diagonal(exact.rationals([[x]]) for x in c[0]), exact.rationals(c[1])
        once = (D @ Q).T @ exact.rationals(c[2])
        return once, (D @ Q).T @ (exact.inverse(one - D @ (one - Q)).T @ exact.rationals(c[2]))

    found = proof.smallest(
        "d = 2, Delta in {1/2, 9/10}^2, two mixers, delta in [-6, 6]^2", cases, lambda c: gradients(c)[0] @ gradients(c)[1] < 0
    )
    if found:
        c, _ = found
        once, true = gradients(c)
        Q = exact.rationals(c[1])
        proof.counterexample(
            given={"Delta": list(c[0]), "Q": Q, "delta": c[2], "one pass": once, "true": true, "inner product": once @ true},
            hypotheses={"||I - Q|| < 1": exact.is_positive_definite(one - (one - Q).T @ (one - Q))},
            violates={"the inner product is negative": once @ true < 0},
            minimal="d = 2, n = T = 1",
        )


@claim(
    "movahedi25.eq6.descent.amended",
    topic="fixed_point",
    place="Theorem 2.2 and Sec. 2.2, last paragraph",
    kind="amended",
    amends="movahedi25.eq6.descent",
    title="J_x = J_h is not needed: it suffices that J_x and J_h commute, as for one mixer and one scalar decay and gate",
    says=r"If $J_xJ_h=J_hJ_x$ and $\|J_h\|=\gamma<1$, the one-pass gradient by $x$ and the true one have $\cos\ge\sqrt{1-\gamma^2}$. So it is for $\Lambda=\lambda I$, $\Delta=cI$ and one $Q$, at every length.",
    uses=("movahedi25.thm2.2.amended",),
    sabotages={"a decay for each channel": {"same": False}},
)
def commuting_jacobians(proof: Proof, same: bool = True) -> None:
    """Then dh*/dx = (I - J_h)^-1 J_x = J_x (I - J_h)^-1, so the true gradient is (I - J_h)^-T g with g = J_x^T delta, as in Theorem 2.2."""
    rng = Random(64)
    count, longest = proof.pick((15, 3), (40, 4), (150, 6))
    for _ in proof.each(f"{count} rational layers with one mixer, decay and gate, d <= 3, T <= {longest}, and delta", range(count)):
        d, T, norm = rng.randint(2, 3), rng.randint(1, longest), fmpq(rng.randint(1, 9), 10)
        Q = exact.identity(d) - contraction_with_norm(rng, d, norm)
        decay = exact.rationals([fmpq(rng.randint(0, 9), 10)] * d) if same else exact.rationals([fmpq(k, 4) for k in range(d)])
        tokens = [gated(decay, Q, exact.zeros(d)) for _ in range(T)]
        J, Jx = loop_matrix(tokens), _source_matrix(tokens)
        proof.exactly("J_x J_h = J_h J_x", Jx @ J, J @ Jx)
        delta = samples.nonzero_vector(rng, d * T)
        once, true = Jx.T @ delta, (exact.inverse(exact.identity(d * T) - J) @ Jx).T @ delta
        proof.exactly("the true gradient is (I - J_h)^-T g", true - J.T @ true, once)
        proof.holds(
            "(g.g*)^2 >= (1 - gamma^2)|g|^2 |g*|^2, g.g* >= 0",
            once @ true >= 0 and (once @ true) ** 2 >= (1 - norm**2) * (once @ once) * (true @ true),
        )
