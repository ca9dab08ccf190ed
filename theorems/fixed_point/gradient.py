"""Gradients taken at the fixed point only (movahedi25, Sec. 2.2, App. B and F.2)."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import sympy
from flint import fmpq

from ...constructions import samples
from ...constructions.fixed_point import Token, dense_states, diagonal_layer
from ...constructions.householder import GeneralizedHouseholder
from ...numerics import exact
from ...numerics.aliases import Exact
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof
from .equality import are_telling, random_tokens, still, tokens_data
from .lipschitz import contraction_with_norm, diagonal, gated, loop_matrix
from .transitions import is_strict_contraction


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
    place="App. B, Eq. 7",
    title="the Jacobian of the fixed point is (I − Jₕ)⁻¹ Jₓ, and likewise for the parameters",
    says=r"$\frac{\partial h^*}{\partial x}=(I-J_h)^{-1}J_x$ and $\frac{\partial h^*}{\partial\theta}=(I-J_h)^{-1}J_\theta$, Jacobians of one pass taken at $h^*$.",
    remarks=(
        "App. B calls I - J_h positive definite: of a matrix that need not be symmetric that is to be read of its symmetric part, and is then right.",
    ),
    sabotages={
        "one term of the Neumann series": {"left": lambda J, M: M},
        "tokens that do not mix": {"draw": still},
    },
)
def implicit_jacobian(proof: Proof, left=lambda J, M: M - J @ M, draw=random_tokens) -> None:
    r"""Differentiate $h^*=f(\theta,h^*)$, where $f$ is affine in $h$.

    1. A pass is $f(\theta,h)=J(\theta)h+c(\theta)$ with $\theta$ any entry of $x$ or any parameter, and $J_h=J$. Its derivative by $\theta$ at a fixed $h$ is $J_\theta=J'h+c'$ (for the inputs $J_x$).
       The derivative of $h^*-Jh^*-c=0$ is $(I-J)\,\partial h^*-J_\theta=0$. [checked: "derivative of h - J h - c = (I - J) dh - J_theta"]
    2. $\|J_h\|<1$, or only that 1 is no eigenvalue, makes $I-J_h$ invertible; then $h^*=(I-J)^{-1}c$ is differentiable where $J$ and $c$ are. [prose]

    Beside the argument $h^*$ comes from the dense recurrence, which knows nothing of the iteration: by $x$ on rational sequences, by the parameters in symbols for $d=1$, $T\le2$.
    """
    theta = sympy.Symbol("theta")
    h, J, c = (sympy.Function(name, commutative=False)(theta) for name in ("h", "J", "c"))
    by_theta = J.diff(theta) * h + c.diff(theta)
    proof.symbolically(
        "derivative of h - J h - c = (I - J) dh - J_theta",
        sympy.expand((h - J * h - c).diff(theta)),
        sympy.expand((1 - J) * h.diff(theta) - by_theta),
        "J, c, h of any size, differentiable in theta",
    )
    with proof.beside():
        _against_the_dense_recurrence(proof, left, draw)


def _against_the_dense_recurrence(proof: Proof, left, draw) -> None:
    """Instances: the Jacobians of the dense recurrence, by the inputs and by two parameters."""
    rng, seen = Random(61), []
    count, longest = proof.pick((10, 3), (30, 4), (150, 6))
    for n in proof.each(f"{count} rational sequences of gated tokens, d <= 3, T <= {longest}, seed 61", range(count)):
        d, T = rng.randint(1, 3), rng.randint(1, longest)
        tokens, columns = draw(rng, gated, d, T), []
        seen.append(tokens)
        for k in range(T * d):
            b = exact.unit_vector(T * d, k).reshape(T, d)
            columns.append(dense_states([Token(t.decay, t.gate, t.mixer, b[s]) for s, t in enumerate(tokens)]).reshape(-1))
        jacobian = np.array(columns, dtype=object).T
        proof.exactly("(I - J_h) dh*/dx = J_x", left(loop_matrix(tokens), jacobian), _source_matrix(tokens))
        if n < 4:
            proof.certificate("witness", f"{T} tokens of {d} channels", tokens=tokens_data(tokens), jacobian=jacobian)
    proof.holds("half of the sequences have decays, mixing and inputs", are_telling(seen))
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


@claim(
    "movahedi25.thm2.2",
    place="Theorem 2.2",
    quotes=(
        (
            r"then the gradient $\nabla_{\theta} \mathcal{L}(f_{\theta}(x,h),y)$ computed at the fixed point $h = h^*$ will be a descent direction of "
            r"$\mathcal{L}(f_{\theta}(x,h^*),y)$"
        ),
    ),
    weight="result",
    title="if Jₓ = Jₕ the parameter gradient of one pass at the fixed point is a descent direction",
    says=r"If $J_x=J_h$ and $\|J_h\|<1$, then $\nabla_\theta\mathcal L$ through one pass at $h^*$ has a nonnegative inner product with the true gradient.",
    reading="as stated, for theta; the proof in App. F.2 treats the gradient by x, for which it is true (`.amended`). The layer is Eq. 3 with J_x = J_h for every theta near 0",
    letter="Theorem 2.2 speaks of the gradient by theta; App. F.2 proves it for x. For theta it fails. Take T = 1, Q = diag(1/2 - theta, 1 + theta), B = Q^-1 - I "
    "and x = (1, 1). Let the loss be |h - y|^2 / 2 with y = (1/2, -3/2). At theta = 0 the one-pass derivative is -1/2, the true one 1/2.",
    uses=("movahedi25.appB.eq7",),
    sabotages={"J_theta proportional to J": {"slopes": ((1, 0), (0, 0))}},
)
def parameters_can_ascend(proof: Proof, slopes=((1, 1), (1, -1))) -> None:
    r"""The true gradient weighs the first entry of $\delta$ by $(1-\frac12)^{-1}=2$, the pass by 1.

    By hand: $x+h^*=(2,1)$, so the pass has the derivative $(2,-1)$ and the truth $(4,-1)$; with $\delta=h^*-y=(\frac12,\frac32)$ that is $1-\frac32=-\frac12$ against $2-\frac32=\frac12$.
    $d=T=1$ cannot fail: there the two gradients differ by the positive factor $1/(1-J)$."""
    x, Q = exact.rationals([1, 1]), diagonal(exact.rationals(["1/2", 1]))
    B = exact.inverse(Q) - exact.identity(2)
    token = Token(exact.rationals(["1/2", "1/2"]), exact.rationals([1, 1]), Q, B @ x)
    J = loop_matrix([token])
    J_x = _source_matrix([token]) @ B
    h = dense_states([token])[0]
    targets = sorted(product(range(-3, 4), repeat=2), key=lambda y: (max(map(abs, y)), y))
    cases = [(s, (fmpq(a, 2), fmpq(b, 2))) for a, b in targets for s in slopes]

    def gradients(c) -> tuple[fmpq, fmpq]:
        once = diagonal(exact.rationals(c[0])) @ (x + h)  # f = (I - Q(theta))(x + h), and I - Q has the derivative diag(c[0])
        true = exact.inverse(exact.identity(2) - J) @ once
        delta = h - np.array(c[1], dtype=object)
        return delta @ once, delta @ true

    found = proof.smallest(
        "d = 2, T = 1, I - Q = diag(1/2, 0) at theta = 0, x = (1, 1), targets in halves",
        cases,
        lambda c: gradients(c)[0] * gradients(c)[1] < 0,
    )
    if found:
        c, _ = found
        once, true = gradients(c)
        proof.counterexample(
            given={
                "Lambda": token.decay,
                "Q at theta = 0": Q,
                "derivative of I - Q": list(c[0]),
                "B = Q^-1 - I at theta = 0": B,
                "x": x,
                "h*": h,
                "y": list(c[1]),
                "loss": "|h - y|^2 / 2",
                "one pass": once,
                "true": true,
            },
            words={"equal": np.array_equal(J_x, J), "below": is_strict_contraction(J), "opposite": once * true < 0},
            minimal="d = 2, T = 1, one parameter; d = T = 1 cannot fail",
        )
        proof.certificate(
            "witness", "a parameter", Q=Q, B=B, slope=diagonal(exact.rationals(c[0])), x=x, y=exact.rationals([str(v) for v in c[1]])
        )


def angle(proof: Proof, bound=lambda g: 1 - g * g) -> None:
    """Record (g.g*)^2 - (1 - gamma^2)|g|^2 |g*|^2 for g = g* - u, u = J^T g*, as nonnegative terms, in the inner products a = |g*|^2, b = u.g*, c = |u|^2."""
    a, b, c, gamma = sympy.symbols("a b c gamma")
    inner, size = a - b, a - 2 * b + c
    slack = gamma**2 * a - c
    proof.symbolically(
        "(g.g*)^2 - (1 - gamma^2)|g|^2 |g*|^2, as nonnegative terms",
        inner**2 - bound(gamma) * size * a,
        (b - gamma**2 * a) ** 2 + (1 - gamma**2) * a * slack,
        "J, g of any size, gamma",
    )


@claim(
    "movahedi25.thm2.2.amended",
    place="Theorem 2.2, App. F.2",
    amends="movahedi25.thm2.2",
    title="for the gradient by x it holds, with an angle: cos ≥ √(1 − ‖J‖²), and this is sharp",
    says=r"If $J_x=J_h=J$, $\|J\|=\gamma<1$, the gradients $g=J^\top\delta$ (one pass) and $g^*=(I-J)^{-\top}g$ (true) have $\cos\angle(g,g^*)\ge\sqrt{1-\gamma^2}$ unless $g=0$; "
    r"$J=\gamma R$ with a rotation by $\arccos\gamma$ attains it.",
    sabotages={
        "an angle of 0, which the kernel refutes": {"theorem": "gradients.one_pass_gradient_is_parallel"},
        "the bound 1 - gamma^2 / 2 on the squared cosine": {"bound": lambda g: 1 - g * g / 2},
        "a rotation by another angle": {"cosine": lambda g: g / 2},
    },
)
def sharp_angle(proof: Proof, bound=lambda g: 1 - g * g, cosine=lambda g: g, theorem: str = "gradients.one_pass_gradient") -> None:
    r"""$g=g^*-J^\top g^*$ lies in a ball around $g^*$ that is seen from the origin under the angle $\arcsin\gamma$.

    1. The true gradient is $\bigl((I-J)^{-1}J\bigr)^\top\delta=(I-J)^{-\top}J^\top\delta$, as $J$ commutes with $(I-J)^{-1}$. [uses: movahedi25.appB.eq7] [checked: "J (I - J) = (I - J) J"]
    2. Put $u=J^\top g^*$, $a=|g^*|^2$, $b=u\cdot g^*$, $c=|u|^2\le\gamma^2a$. Then $g=g^*-u$, $g\cdot g^*=a-b$ and
       $(g\cdot g^*)^2-(1-\gamma^2)|g|^2|g^*|^2=(b-\gamma^2a)^2+(1-\gamma^2)a(\gamma^2a-c)\ge0$. [checked: "(g.g*)^2 - (1 - gamma^2)|g|^2 |g*|^2, as nonnegative terms"]
    3. $g\cdot g^*=a-b\ge(1-\gamma)a>0$ for $g\ne0$: $(1+\gamma^2)a-2b=|g^*-u|^2+(\gamma^2a-c)\ge0$ gives $b\le\frac{1+\gamma^2}2a<a$. So the cosine is positive. [checked: "(1 + gamma^2) a - 2 b, as nonnegative terms"] [prose]
    4. For $J=\gamma R$, $R$ the rotation by $\arccos\gamma$: $c=\gamma^2a$ and $b=\gamma^2a$, and both terms of step 2 vanish. [checked: "the rotation: c = gamma^2 a"; "the rotation: b = gamma^2 a"]
    """
    proof.formally(
        "the kernel: the cosine of the angle is at least sqrt(1 - gamma^2)",
        theorem,
        whole="every size, J and delta",
        differs="a real closed field for the reals; row vectors; gamma bounds the norm of J",
    )
    proof.formally(
        "the kernel: a rotation attains it for every g",
        "gradients.one_pass_gradient_attained",
        differs="the rotation by the angle whose cosine is gamma, with sqrt(1 - gamma^2) as its sine",
    )
    J = sympy.Symbol("J", commutative=False)
    proof.symbolically("J (I - J) = (I - J) J", J * (1 - J), sympy.expand((1 - J) * J), "J of any size")
    angle(proof, bound)
    a, b, c = sympy.symbols("a b c")
    gamma = sympy.Symbol("gamma", positive=True)
    proof.symbolically(
        "(1 + gamma^2) a - 2 b, as nonnegative terms",
        (1 + gamma**2) * a - 2 * b,
        (a - 2 * b + c) + (gamma**2 * a - c),
        "J, g of any size, gamma",
    )
    x, y = sympy.symbols("x y", real=True)
    cos = cosine(gamma)
    sin = sympy.sqrt(1 - cos**2)
    g = sympy.Matrix([x, y])
    u: Exact = gamma * sympy.Matrix([[cos, sin], [-sin, cos]]) * g
    proof.symbolically("the rotation: c = gamma^2 a", u.dot(u), gamma**2 * g.dot(g), "gamma, g*")
    proof.symbolically("the rotation: b = gamma^2 a", u.dot(g), gamma**2 * g.dot(g), "gamma, g*")
    rng = Random(62)
    for d in (2, 3, 4):
        norm = fmpq(rng.randint(1, 9), 10)
        proof.certificate(
            "witness", f"J of size {d}", J=contraction_with_norm(rng, d, norm), gamma=norm, delta=samples.nonzero_vector(rng, d), sharp=0
        )
    gamma_ = fmpq(3, 5)
    turned = exact.rationals([["3/5", "4/5"], ["-4/5", "3/5"]]) * gamma_
    proof.certificate("witness", "equality for gamma = 3/5", J=turned, gamma=gamma_, delta=exact.rationals([1, 2]), sharp=1)
    proof.exhibit("gamma = 3/5: the sharp case", J=turned)


def _shared_parameters() -> tuple[Array, Array]:
    """(J_theta, J_h) at the fixed point of d = 1, T = 3, lambda = q = 1/2, B = 1, inputs 1, 0, 0; theta = (lambda, q, b), the same at all times."""
    inputs, length = [1, 0, 0], 3
    lam, q, b = sympy.symbols("lambda q b")
    point = {lam: sympy.Rational(1, 2), q: sympy.Rational(1, 2), b: sympy.Integer(1)}
    h, state, out, dense = [], sympy.Integer(0), [], sympy.Integer(0)
    for t in range(length):
        dense = (lam * dense + (1 - lam) * q * b * inputs[t]) / (lam + (1 - lam) * q)
        h.append(dense.subs(point))
        state = lam * state + (1 - lam) * (q * b * inputs[t] + (1 - q) * h[t])
        out.append(state)
    values = sympy.Matrix(out).jacobian([lam, q, b]).subs(point)
    J_theta = exact.rationals([[str(values[i, j]) for j in range(3)] for i in range(length)])
    half = fmpq(1, 2)
    return J_theta, exact.rationals([[half ** (t - s + 2) if s <= t else fmpq(0) for s in range(length)] for t in range(length)])


@claim(
    "movahedi25.thm2.2.amended.parameters",
    place="Theorem 2.2",
    amends="movahedi25.thm2.2",
    title="for parameters it holds if J Jᵀ is well conditioned, which needs as many parameters as outputs (J the Jacobian)",
    says=r"With $\kappa$ the condition number of $S=J_\theta J_\theta^\top$ and $\bigl(\frac{\kappa-1}{\kappa+1}\bigr)^2+\|J_h\|^2<1$ the one-pass gradient is a descent direction for every loss.",
    remarks=(
        "For parameters shared over time the condition is nearly void: S is of size T d and of rank at most the number of parameters, so it is singular as soon as T d exceeds that. And the conclusion "
        "fails: d = 1, T = 3, theta = (lambda, q, b) = (1/2, 1/2, 1), inputs 1, 0, 0 (where J_x = J_h) and the loss gradient (-2, 7, -5) give the inner product -73/2916.",
    ),
    sabotages={
        "below 3/2 in place of 1": {"limit": fmpq(3, 2)},
        "J_theta = J_h": {"shared": lambda: (_shared_parameters()[1], _shared_parameters()[1])},
    },
)
def well_conditioned_parameters(proof: Proof, limit: fmpq = fmpq(1), shared=_shared_parameters) -> None:
    r"""A positive definite $S$ turns a vector by a limited angle, and so does $(I-J)^{-\top}$; together by less than a right angle.

    1. The one-pass gradient is $J_\theta^\top\delta$, the true one $J_\theta^\top(I-J)^{-\top}\delta$; their product is $\delta^\top S(I-J)^{-\top}\delta$. [uses: movahedi25.appB.eq7]
    2. $S$ turns a vector by at most $\arcsin\frac{\kappa-1}{\kappa+1}$: for its extreme eigenvalues $m$, $M$ one has $|Sv-\frac{M+m}2v|\le\frac{M-m}2|v|$. And $(I-J)^{-\top}$ turns by at most $\arcsin\|J\|$.
       [checked: "(g.g*)^2 - (1 - gamma^2)|g|^2 |g*|^2, as nonnegative terms"] [prose]
    3. Two angles with $\sin^2\alpha+\sin^2\beta<1$ sum to less than a right angle, so the symmetric part of $S(I-J)^{-\top}$ is positive definite. [prose]
    4. With fewer parameters than outputs $S$ is singular; three shared ones and three steps are enough for the inner product to be negative.
       [checked: "three shared parameters, T = 3: S is singular"; "and the inner product is -73/2916"] [prose]

    Beside the argument the machine goes through rational $S$ and $J$ within the condition, and one pair beyond it.
    """
    angle(proof)
    with proof.beside():
        _within_and_beyond_the_condition(proof, limit)
    for J_theta, J in proof.every("three shared parameters, T = 3", [shared()], limited=False):
        S = exact.multiply(J_theta, J_theta.T)
        proof.holds("three shared parameters, T = 3: S is singular", exact.rank(S) < 3)
        delta = exact.rationals([-2, 7, -5])
        inner = delta @ S @ exact.inverse(exact.identity(3) - J).T @ delta
        proof.exactly("and the inner product is -73/2916", inner, fmpq(-73, 2916))


def _within_and_beyond_the_condition(proof: Proof, limit: fmpq) -> None:
    """Instances: S and J that satisfy the condition, and a pair that does not."""
    rng, wanted = Random(63), proof.pick(40, 100, 500)
    found, draws = [], samples.tries("norms and condition numbers within the condition", 100 * wanted)
    while len(found) < wanted:
        next(draws)
        d, norm, kappa = rng.randint(2, 3), fmpq(rng.randint(1, 9), 10), fmpq(rng.randint(1, 12))
        if ((kappa - 1) / (kappa + 1)) ** 2 + norm**2 < limit:
            values = [fmpq(1), kappa, rng.choice([fmpq(1), kappa])][:d]
            found.append((samples.orthogonal(rng, d), values, contraction_with_norm(rng, d, norm), norm))
    for k, (U, values, J, norm) in enumerate(
        proof.each(f"{wanted} rational S and J, d <= 3, kappa <= 12, ||J|| <= 9/10 within the condition, seed 63", found)
    ):
        S = exact.multiply(U, diagonal(exact.rationals(values)), U.T)
        product_ = S @ exact.inverse(exact.identity(len(J)) - J).T
        proof.holds("the symmetric part of S (I - J)^-T is positive definite", exact.is_positive_definite((product_ + product_.T) / 2))
        if k < 4:
            proof.certificate("witness", f"S and J of size {len(J)}", U=U, values=values, J=J, gamma=norm)
    proof.holds("half of the J are not 0", 2 * sum(any(x != 0 for x in J.flat) for _, _, J, _ in found) >= wanted)
    quarter = exact.rationals([[0, -1], [1, 0]]) * fmpq(9, 10)
    beyond = diagonal(exact.rationals([1, 12])) @ exact.inverse(exact.identity(2) - quarter).T
    proof.exactly(
        "beyond the condition it fails: kappa = 12, J nine tenths of a quarter turn", exact.is_positive_definite(beyond + beyond.T), False
    )


@claim(
    "movahedi25.appF2.eigenvalues",
    place="App. F.2, last sentences",
    of="movahedi25.thm2.2",
    flaw="gap",
    quotes=(r"which means $(\mathbf{I}-\mathbf{J})$ has strictly positive eigenvalues. This completes our proof",),
    title="in the proof: ‖J‖ < 1 does not give I − J positive eigenvalues, nor do these give w.(I − J)⁻¹ w > 0",
    says=r"(a) $\|J\|<1$ implies that $I-J$ has strictly positive eigenvalues; (b) a matrix with strictly positive eigenvalues has $\omega^\top M^{-1}\omega>0$.",
    reading="(b) is the step that the proof takes from (a); the conclusion is right, since the symmetric part of I - J is positive definite",
    letter="At the end of App. F.2 positive eigenvalues are neither given nor enough. I - J can have complex eigenvalues, as for J half a quarter turn. The "
    "matrix (1, -4; 0, 1) has the eigenvalues 1 and no positive form. What closes the proof: for |J| < 1 the symmetric part of I - J is positive definite, "
    "hence that of its inverse.",
    sabotages={"symmetric matrices": {"J": ((0, "1/2"), ("1/2", 0)), "M": ((1, 0), (0, 1))}},
)
def complex_and_skew(proof: Proof, J=((0, "-1/2"), ("1/2", 0)), M=((1, -4), (0, 1))) -> None:
    r"""Half a quarter turn has $I-J$ with the eigenvalues $1\pm\frac i2$; the shear $M$ with $-4$ has $\omega\cdot M^{-1}\omega=1-4+1=-2$ at $\omega=(1,-1)$."""
    J, M = exact.rationals(J), exact.rationals(M)
    p = exact.characteristic_polynomial(exact.identity(2) - J)
    form = exact.inverse(M)
    w = exact.rationals([1, -1])
    proof.counterexample(
        given={"J": J, "characteristic polynomial of I - J": str(p), "real eigenvalues of I - J": exact.count_real_roots(p)},
        words={"below": is_strict_contraction(J), "complex": exact.count_real_roots(p) == 0},
        minimal="d = 2",
    )
    proof.counterexample(
        given={"M": M, "w": w, "w.M^-1 w": w @ form @ w},
        words={"ones": exact.rational_eigenvalues(M) == {fmpq(1): 2}, "negative": bool(w @ form @ w < 0)},
        minimal="d = 2",
    )
    proof.certificate("witness", "a rotation and a shear", J=J, M=M, w=w)


@claim(
    "movahedi25.appF2.strict",
    place="App. F.2, before the last two sentences",
    of="movahedi25.thm2.2",
    flaw="misprint",
    extracted=True,
    quotes=(r"we need to show that $\delta^{\top}\mathbf{J}(\mathbf{I}-\mathbf{J})^{-1}\mathbf{J}^{\top}\delta > 0$ for all $\delta$",),
    title="in the proof: the inner product is at least 0, not above 0 for every δ; it is 0 wherever Jᵀ δ = 0",
    says=r"$\delta^\top J(I-J)^{-1}J^\top\delta>0$ for all $\delta$, if $\|J\|<1$.",
    reading="the sentence itself speaks of semidefiniteness, for which at least 0 is enough, and App. F.2 begins with it",
    letter="In App. F.2 '> 0 for all delta' should read '>= 0'. It is 0 for delta = 0, and wherever J' delta = 0, as for J = diag(1/2, 0) and delta = (0, 1). "
    "There the gradient is 0 as well, so the theorem for x is not touched. In the next sentence the comparison with 0 is missing.",
    sabotages={"an invertible J": {"J": (("1/2", 0), (0, "1/3"))}},
)
def not_strict(proof: Proof, J=(("1/2", 0), (0, 0)), delta=(0, 1)) -> None:
    r"""A delta in the kernel of $J^\top$ makes $\omega=J^\top\delta$ zero, and with it the inner product."""
    J, delta = exact.rationals(J), exact.rationals(delta)
    w = J.T @ delta
    value = w @ exact.inverse(exact.identity(2) - J) @ w
    proof.counterexample(
        given={"J": J, "delta": delta, "J' delta": w, "the inner product": value},
        words={"below": is_strict_contraction(J), "nonzero": any(delta), "zero": not value > 0},
        minimal="d = 2, delta = (0, 1)",
    )
    proof.certificate("witness", "a singular J", J=J, delta=delta)


# -- whether the model meets the hypothesis ----------------------------------------------------------------------------------


@claim(
    "movahedi25.eq6.descent",
    place="Sec. 2.2, last paragraph, with Eq. 6 and 10",
    of="movahedi25.thm2.2",
    flaw="overstatement",
    quotes=(
        "In practice, we compute the gradients at the fixed-point instead of unrolling the backward pass",
        "adhering to this condition speeds-up the convergence",
    ),
    weight="hypothesis",
    title="for the Bedouin iteration the gradient of one pass at the fixed point can point uphill",
    says=r"With $J_x=\Delta Q$, $J_h=\Delta(I-Q)$, $0<\Delta<1$, $Q$ as in Eq. 10 and $\|I-Q\|<1$ the gradient by $x$ through one pass has a nonnegative inner product with the true one.",
    reading="'in practice, we compute the gradients at the fixed-point ... adhering to this condition': the condition J_x = J_h as it stands in Eq. 6; parameters frozen, C^T B = 1, one token",
    letter="Eq. 6 has J_x = Delta Q and J_h = Delta (I - Q), equal only for Q = I/2. So Theorem 2.2 does not cover it. For one token, take u = (5, 12)/13, alpha "
    "= 9/20, Delta = diag(1/2, 9/10) and the loss gradient (1, 1). The inner product with the true gradient by x is -584/102775. It suffices that J_x and "
    "J_h commute.",
    uses=("movahedi25.appB.eq7",),
    sabotages={"the same Delta for both channels": {"deltas": (("1/2", "1/2"), ("9/10", "9/10"))}},
)
def bedouin_can_ascend(proof: Proof, deltas=(("1/2", "1/2"), ("1/2", "9/10"), ("9/10", "1/2"))) -> None:
    r"""$\delta^\top J_xJ_x^\top(I-J_h)^{-\top}\delta$ for one reflection; with $\Delta=cI$ it is $c^2\delta^\top QQ^\top(I-cF^\top)^{-1}\delta$, which is positive."""
    u, alpha, one = exact.rationals([5, 12]), fmpq(9, 20), exact.identity(2)
    Q = GeneralizedHouseholder(u, 2 * alpha).matrix()
    cases = [(dl, v) for dl in deltas for v in ((1, 0), (0, 1), (1, 1), (1, -1), (2, 1), (1, 2))]

    def gradients(c) -> tuple[Array, Array]:
        D = diagonal(exact.rationals(c[0]))
        once = (D @ Q).T @ exact.rationals(c[1])
        return once, (D @ Q).T @ (exact.inverse(one - D @ (one - Q)).T @ exact.rationals(c[1]))

    found = proof.smallest(
        "d = 2, r = 1, u = (5, 12)/13, alpha = 9/20, Delta in {1/2, 9/10}^2, loss gradients with entries up to 2",
        cases,
        lambda c: gradients(c)[0] @ gradients(c)[1] < 0,
    )
    if found:
        c, _ = found
        once, true = gradients(c)
        proof.counterexample(
            given={
                "u": [fmpq(5, 13), fmpq(12, 13)],
                "alpha": alpha,
                "Delta": list(c[0]),
                "B = C": 1,
                "J_x, J_h": "Delta Q, Delta (I - Q)",
                "loss gradient": c[1],
                "one pass": once,
                "true": true,
                "inner product": once @ true,
            },
            words={
                "rate": all(0 < exact.rational(x) < 1 for x in c[0]),
                "mixer": is_strict_contraction(one - Q),
                "negative": bool(once @ true < 0),
            },
            minimal="d = 2, r = 1, n = T = 1",
        )
        proof.certificate(
            "witness", "an ascent direction", u=[fmpq(5, 13), fmpq(12, 13)], alpha=alpha, Delta=exact.rationals(c[0]), delta=list(c[1])
        )


@claim(
    "movahedi25.eq6.descent.amended",
    place="Theorem 2.2 and Sec. 2.2, last paragraph",
    amends="movahedi25.eq6.descent",
    title="Jₓ = Jₕ is not needed: it suffices that Jₓ and Jₕ commute, as for one mixer and one scalar decay and gate",
    says=r"If $J_xJ_h=J_hJ_x$ and $\|J_h\|=\gamma<1$, the one-pass gradient by $x$ and the true one have $\cos\ge\sqrt{1-\gamma^2}$. So it is for $\Lambda=\lambda I$, $\Delta=cI$ and one $Q$, at every length.",
    sabotages={"a decay for each channel": {"commutes": False}, "a squared cosine of 1 - gamma^2 / 2": {"bound": lambda g: 1 - g * g / 2}},
)
def commuting_jacobians(proof: Proof, commutes: bool = True, bound=lambda g: 1 - g * g) -> None:
    r"""Then $(I-J_h)^{-1}J_x=J_x(I-J_h)^{-1}$, and the true gradient is $(I-J_h)^{-\top}g$ with $g=J_x^\top\delta$, as in Theorem 2.2.

    1. $(I-J_h)J_x=J_x(I-J_h)$ iff $J_xJ_h=J_hJ_x$; so $J_x$ commutes with the inverse. [checked: "(I - J) X - X (I - J) = X J - J X"] [prose]
    2. The rest is the computation for Theorem 2.2, which uses $g=g^*-J_h^\top g^*$ and $\|J_h\|=\gamma$ only. [uses: movahedi25.thm2.2.amended]
       [checked: "(g.g*)^2 - (1 - gamma^2)|g|^2 |g*|^2, as nonnegative terms"]
    3. One mixer, $\Lambda=\lambda I$, $\Delta=cI$: with $S$ the shift in time, which commutes with what acts on channels, $J_x=c(1-\lambda S)^{-1}Q$ and $J_h=c(1-\lambda S)^{-1}(I-Q)$ commute.
       [checked: "one mixer, scalar decay and gate: X J = J X"] [prose]
    """
    J, X, Q = sympy.symbols("J X Q", commutative=False)
    proof.symbolically("(I - J) X - X (I - J) = X J - J X", (1 - J) * X - X * (1 - J), X * J - J * X, "X, J of any size")
    angle(proof, bound)
    W = sympy.Symbol("W", commutative=commutes)  # c (1 - lambda S)^-1
    proof.symbolically(
        "one mixer, scalar decay and gate: X J = J X", W * Q * W * (1 - Q), sympy.expand(W * (1 - Q) * W * Q), "Q of any size, lambda, c, T"
    )
    rng = Random(64)
    for T in (1, 2, 3):
        d, norm = 2, fmpq(rng.randint(1, 9), 10)
        proof.certificate(
            "witness",
            f"one mixer, {T} tokens",
            F=contraction_with_norm(rng, d, norm),
            decay=fmpq(rng.randint(0, 9), 10),
            length=T,
            gamma=norm,
            delta=samples.nonzero_vector(rng, d * T),
        )
