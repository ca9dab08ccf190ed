"""State tracking by one layer without a gate: S_3, A_5 and S_N, exactly; and how many passes the iteration then needs (after movahedi25, Eq. 4)."""

from __future__ import annotations

from itertools import combinations, permutations, product
from math import comb
from random import Random

import numpy as np
import sympy
from flint import arb, ctx, fmpq, fmpq_poly

from ...constructions import householder, samples
from ...constructions.fixed_point import Token, dense_states, gated, iterate, ungated
from ...constructions.quaternions import (
    OCTAHEDRAL,
    CosetAction,
    axes,
    generated,
    icosahedral,
    left_multiplication,
    orthogonal_token,
    signed_s3,
)
from ...constructions.recurrence import Recurrence
from ...constructions.spin import clifford_generators, conjugated, exchange, three_cycle
from ...numerics import exact
from ...numerics.cyclotomic import Cyclotomic, root_of_unity
from ...numerics.exact import Array
from ..claim import claim
from ..closure import computes
from ..evidence import Proof
from .lipschitz import contraction_with_norm, decays

IDENTITY = (0, 1, 2)


def _squared_norm(token: Token) -> fmpq | None:
    """||I - Q||^2 where (I - Q)^T (I - Q) is a rational multiple of I; else None."""
    F = exact.identity(len(token.decay)) - token.mixer
    gram = F.T @ F
    value = gram[0, 0].polynomial.coeffs() if isinstance(gram[0, 0], Cyclotomic) else [gram[0, 0]]
    same = np.array_equal(gram, exact.identity(len(F)) * gram[0, 0])
    return (value[0] if value else fmpq(0)) if same and len(value) <= 1 else None


def _layer(proof: Proof, tokens: dict, matrices: dict[object, Array], start: Array, decode) -> Recurrence:
    """The dense recurrence of the tokens: checks Q A = Lambda and ||I - Q|| < 1 letter by letter."""
    for letter, token in proof.every("all letters", tokens.items(), limited=False):
        A, d = matrices[letter], len(token.decay)
        diagonal = np.where(np.eye(d) == 1, token.decay[:, None], fmpq(0))
        proof.exactly("Q A = Lambda", token.mixer @ A, diagonal)
        norm = _squared_norm(token)
        proof.holds("||I - Q|| < 1", norm is not None and norm < 1)
    table = {letter: (A, exact.zeros(len(A), 1)) for letter, A in matrices.items()}
    return Recurrence.from_table(table, start, decode)


# -- S_3 ---------------------------------------------------------------------------------------------------------------------


@claim(
    "new.fixed-point.s3",
    topic="fixed_point",
    place="after Eq. 4",
    kind="new",
    title="one layer of dimension 4 without a gate tracks S_3, with Lambda = c I > 0 and ||I - Q||^2 = 1/2 for transpositions",
    says=r"The binary octahedral group acts on $\mathbb R^4$ and maps onto $S_3$ so that elements of order 8, with eigenvalues $e^{\pm i\pi/4}$, go to transpositions. $A_t$ one of these, "
    r"$\Lambda=cI$, $Q_t=cA_t^\top$: $\|I-Q_t\|^2=1-\sqrt2c+c^2$, below 1 iff $0<c<\sqrt2$ and $\frac12$ at $c=\frac1{\sqrt2}$; the layer computes every product in $S_3$, at every length.",
    uses=("movahedi25.eq2", "new.fixed-point.finite"),
    construction="lemmata.constructions.quaternions.OCTAHEDRAL",
    sabotages={
        "a letter of order 4 in place of 8": {"letters": {(0, 2, 1): exact.unit_vector(4, 1), (1, 0, 2): OCTAHEDRAL[1, 0, 2]}},
        "Lambda = 3/2 I": {"scale": fmpq(3, 2)},
        "a decoder that forgets the order": {"decoder": lambda q: tuple(sorted(axes(q)))},
    },
)
def octahedral_tracking(proof: Proof, letters=OCTAHEDRAL, scale=None, decoder=axes) -> None:
    """|x - c A^T x|^2 = (1 - 2c cos 45 + c^2)|x|^2, least at c = cos 45. The 3-cycle is an element of order 6: c = 1/2, ||I - Q||^2 = 3/4.

    The state is the quaternion itself; its 48 values are closed under all letters, and conjugation permutes the axes i, j, k as the word does."""
    tokens, matrices = {}, {}
    for g, q in letters.items():
        A = left_multiplication(q)
        tokens[g] = orthogonal_token(A, np.array([scale or q[0]] * 4, dtype=object))
        matrices[g] = A
    layer = _layer(proof, tokens, matrices, exact.unit_vector(4, 0)[:, None], lambda H, x: decoder(H[:, 0]))
    found = computes(
        proof, "the product in S_3 at every length", layer, lambda g, x: householder.compose(x, g), IDENTITY, list(tokens), lambda g: g
    )
    proof.exactly("states of the layer", len(found.pairs), 48)
    c = sympy.Symbol("c")
    x, y = sympy.symbols("x y")
    turned = sympy.Matrix([x, y]) - c * sympy.rot_axis3(sympy.pi / 4)[:2, :2] * sympy.Matrix([x, y])
    proof.symbolically(
        "|x - c A^T x|^2 = (1 - sqrt(2) c + c^2)|x|^2", turned.dot(turned), (1 - sympy.sqrt(2) * c + c**2) * (x**2 + y**2), "c, x"
    )


@claim(
    "new.fixed-point.s3.signed",
    topic="fixed_point",
    place="after Eq. 4",
    kind="new",
    title="with signs in Lambda all six letters of S_3 are tracked in dimension 2, with ||I - Q||^2 <= 3/4",
    says=r"With $\Lambda_t=\frac12\operatorname{diag}(\pm1,\pm1)$ and $Q_t=\Lambda_tA_t^\top$, $A_t$ the symmetries of a triangle, $Q_t$ is half a rotation by at most $60^\circ$.",
    uses=("movahedi25.eq2", "new.fixed-point.finite"),
    construction="lemmata.constructions.quaternions.signed_s3",
    sabotages={"c = 1": {"scale": fmpq(1)}, "two letters exchanged": {"swap": True}},
)
def signed_tracking(proof: Proof, scale: fmpq = fmpq(1, 2), swap: bool = False) -> None:
    """The matrix [[cos, sin], [sin, -cos]] is diag(1, -1) times a rotation by the same angle; a half turn more is a sign."""
    letters = dict(signed_s3(scale))
    if swap:
        letters[0, 2, 1], letters[1, 0, 2] = letters[1, 0, 2], letters[0, 2, 1]
    matrices = {g: A for g, (A, _) in letters.items()}
    start = exact.rationals([[1], [0]])
    orbit = {exact.freeze(A @ start): g for g, (A, _) in signed_s3().items()}
    layer = _layer(proof, {g: t for g, (_, t) in letters.items()}, matrices, start, lambda H, x: orbit[exact.freeze(H)])
    found = computes(
        proof, "the product in S_3 at every length", layer, lambda g, x: householder.compose(x, g), IDENTITY, list(letters), lambda g: g
    )
    if found.mismatch is None:
        proof.exactly("states of the layer: a hexagon", len(found.pairs), 6)


@claim(
    "new.fixed-point.a5",
    topic="fixed_point",
    place="after Eq. 4; the task of Figures 1 to 3",
    kind="new",
    title="one layer of dimension 4 without a gate tracks A_5 on the letters 3-cycle and 5-cycle",
    says=r"The binary icosahedral group covers $A_5$; a 3-cycle is an element with real part $\frac12$, a 5-cycle one with real part $\cos36^\circ$: with $c$ the real part, "
    r"$\|I-Q\|=\sin60^\circ$ and $\sin36^\circ$. The two letters generate $A_5$, and the layer is right at every length.",
    uses=("movahedi25.eq2", "new.fixed-point.finite"),
    construction="lemmata.constructions.quaternions.icosahedral",
    sabotages={"the cosets of a cyclic group": {"subgroup": ("b",)}, "-b in place of b": {"sign": -1}},
)
def icosahedral_tracking(proof: Proof, subgroup=("a", "i"), sign: int = 1) -> None:
    """120 states, closed under both letters. A_5 acts on the five cosets of the binary tetrahedral group, which is how a state is read."""
    letters = icosahedral()
    letters["b"] = letters["b"] * sign
    group = generated(list(letters.values()))
    elements = {**letters, "i": exact.unit_vector(4, 1)}
    action = CosetAction(group, generated([elements[s] for s in subgroup]))
    matrices = {x: left_multiplication(q) for x, q in letters.items()}
    for x, q in proof.every("all letters", letters.items(), limited=False):
        # (I - Q)^T (I - Q) = (1 - 2 c Re q + c^2) I, and c = Re q
        token = orthogonal_token(matrices[x], np.array([q[0]] * 4, dtype=object))
        F = exact.identity(4) - token.mixer
        proof.exactly("(I - Q)^T (I - Q) = (1 - (Re q)^2) I", F.T @ F, exact.identity(4) * (1 - q[0] * q[0]))
        proof.exactly("Q A = Lambda", token.mixer @ matrices[x], exact.identity(4) * q[0])
        ball = (q[0] * root_of_unity(5, 0)).ball().real
        proof.certified("0 < Re q < 1, so ||I - Q|| < 1", bool(ball > 0) and bool(ball < 1))
    table = {x: (A, exact.zeros(4, 1)) for x, A in matrices.items()}
    layer = Recurrence.from_table(table, exact.unit_vector(4, 0)[:, None], lambda H, x: action.permutation(H[:, 0]))
    wanted = {x: action.permutation(q) for x, q in letters.items()}
    start = tuple(range(len(action.representatives)))
    found = computes(
        proof,
        "the product in A_5 at every length",
        layer,
        lambda g, x: householder.compose(wanted[x], g),
        start,
        list(letters),
        lambda g: g,
    )
    proof.exactly(
        "states of the layer, and permutations of five points",
        (len(found.pairs), len({q for _, q in found.pairs}), len(start)),
        (120, 60, 5),
    )


# -- S_N ---------------------------------------------------------------------------------------------------------------------


@claim(
    "new.fixed-point.symmetric",
    topic="fixed_point",
    place="after Eq. 4; the tasks of Figures 1 to 3",
    kind="new",
    title="for every N one layer without a gate tracks S_N on all transpositions and 3-cycles, with Lambda = c I and ||I - Q||^2 = 1/2 and 3/4",
    says=r"Let $g_1,\dots,g_N$ anticommute, $g_i^2=1$. $A=(1+g_jg_k)/\sqrt2$, $\Lambda=I/\sqrt2$, $Q=(1-g_jg_k)/2$ stand for $(j\,k)$, and $A=\frac12(1+g_ig_j)(1+g_jg_k)$ with $\Lambda=\frac12I$ for "
    r"a 3-cycle: the state $H_t=A_t\cdots A_1$ satisfies $H_tg_iH_t^\top=\pm g_{\pi(i)}$ with the product $\pi$ of the letters, at every length.",
    hypotheses=("matrix states, H_0 = I; dimension 2^(N-1)",),
    uses=("movahedi25.eq2", "new.fixed-point.finite"),
    construction="lemmata.constructions.spin.exchange",
    sabotages={
        "commuting generators": {"generators": lambda n: [np.diag([(-1) ** (i >> k & 1) for i in range(2 ** (n - 1))]) for k in range(n)]},
        "half the angle left out: g_j g_k itself": {"swap": lambda g, j, k: g[j] @ g[k]},
    },
)
def majorana_exchange(proof: Proof, generators=clifford_generators, swap=exchange) -> None:
    """(1 + g_j g_k) g_j (1 - g_j g_k) = -2 g_k and so on: conjugation permutes the lines of the g_i as the word does, by induction over its letters.

    (I - Q)^T (I - Q) = (1 - 2c cos theta + c^2) I with c = cos theta for the angles 45 and 60 degrees. Integer matrices; the scales are 2 and 4."""
    largest = proof.pick(5, 6, 7)
    for n in proof.every(f"N <= {largest}", range(2, largest + 1)):
        g = generators(n)
        one = np.eye(len(g[0]), dtype=int)
        for j, k in combinations(range(n), 2):
            A = swap(g, j, k)  # sqrt 2 times the transition
            wanted = _transposition(n, j, k)
            proof.exactly("A is orthogonal", A @ A.T, 2 * one)
            proof.exactly("it stands for the transposition", conjugated(g, A, 2), wanted)
            # Q = A^T / sqrt 2 of the transition is A.T / 2, and Q A = Lambda
            F = 2 * one - A.T
            proof.exactly("4 (I - Q)^T (I - Q) = 2 I", F.T @ F, 2 * one)
        for i, j, k in permutations(range(n), 3):
            A = three_cycle(g, i, j, k)  # twice the transition
            wanted = householder.compose(_transposition(n, i, j), _transposition(n, j, k))
            proof.exactly("it stands for the 3-cycle", conjugated(g, A, 4), wanted)
            F = 4 * one - A.T
            proof.exactly("16 (I - Q)^T (I - Q) = 12 I", F.T @ F, 12 * one)


def _transposition(n: int, j: int, k: int) -> tuple[int, ...]:
    return tuple(k if i == j else j if i == k else i for i in range(n))


# -- how many passes -----------------------------------------------------------------------------------------------------------


def _error(c: fmpq, length: int, passes: int) -> fmpq:
    """1 - h_T after ``passes`` passes, for A = 1 (Lambda = Q = c) and the input 1, 0, 0, ...; the dense state is 1."""
    tokens = [ungated([c], exact.rationals([[c]]), [fmpq(int(t == 0))]) for t in range(length)]
    return 1 - iterate(tokens, passes)[-1, 0]


@claim(
    "new.fixed-point.passes",
    topic="fixed_point",
    place="after Eq. 4; Sec. 3.1",
    kind="new",
    title="remembering one bit without a gate: after l passes the relative error at time T is P(at least l failures before T successes)",
    says=r"For $\Lambda=Q=c\in(0,1)$, so $A=1$, and one input at time 1, the relative error of $h_T$ after $\ell$ passes is $\Pr(N\ge\ell)$, $N$ the failures before the $T$-th success of "
    r"probability $c$. For $c=\frac12$ it is exactly $\frac12$ at $\ell=T$; the mean of $N$, and so the passes needed, grow like $T(1-c)/c$.",
    uses=("movahedi25.eq2",),
    sabotages={"one success fewer": {"successes": lambda T: T - 1}},
)
def walk_in_time_and_depth(proof: Proof, successes=lambda T: T) -> None:
    """Unroll h^l_t = c h^l_(t-1) + (1 - c) h^(l-1)_t + input: a walk from (T, l) goes back one step of time with probability c and one pass with 1 - c,
    and finds the input iff it gets back T steps before it has used l passes. For c = 1/2 time and depth are symmetric at l = T."""
    longest = proof.pick(5, 8, 14)
    cs = [fmpq(1, 3), fmpq(1, 2), fmpq(9, 10)]
    for T, passes, c in proof.every(
        f"T <= {longest}, l <= {2 * longest}, c in {{1/3, 1/2, 9/10}}", product(range(1, longest + 1), range(2 * longest + 1), cs)
    ):
        T_ = successes(T)
        found = sum((comb(T_ - 1 + k, k) * c**T_ * (1 - c) ** k for k in range(passes)), fmpq(0)) if T_ else fmpq(int(passes > 0))
        proof.exactly("error = P(N >= l)", _error(c, T, passes), 1 - found)
        if passes == T and c == fmpq(1, 2):
            proof.exactly("c = 1/2, l = T: one half", _error(c, T, T), fmpq(1, 2))


@claim(
    "new.fixed-point.passes.contractive",
    topic="fixed_point",
    place="after Theorem 2.1; Sec. 3.1",
    kind="new",
    title="with a gate the passes needed do not grow with the length: the error after l passes is at most ||I - Q||^l times the first",
    says=r"For $0\le\Lambda<1$ and $\|I-Q\|=\gamma$, $\|h^\ell-h^*\|\le\gamma^\ell\|h^*\|$ over the whole sequence, for every $T$.",
    uses=("movahedi25.thm2.1.amended",),
    sabotages={"no gate": {"gate": False}},
)
def gate_bounds_the_passes(proof: Proof, gate: bool = True) -> None:
    """Banach: the map contracts by gamma in the Euclidean norm of sequences, whatever their length."""
    layer = gated if gate else ungated
    rng, (count, longest, most) = Random(51), proof.pick((8, 8, 3), (25, 16, 4), (100, 40, 6))
    for _ in proof.each(f"{count} rational layers and inputs, d <= 3, T <= {longest}, l <= {most}", range(count)):
        d, T, norm = rng.randint(1, 3), rng.randint(1, longest), fmpq(rng.randint(1, 9), 10)
        decay, mixer = decays(rng, d), exact.identity(d) - contraction_with_norm(rng, d, norm)
        tokens = [layer(decay, mixer, samples.integers(rng, d)) for _ in range(T)]
        target = dense_states(tokens)
        size = (target * target).sum()
        for passes in range(1, most + 1):
            error = iterate(tokens, passes) - target
            proof.holds("|h^l - h*| <= ||I - Q||^l |h*|", (error * error).sum() <= norm ** (2 * passes) * size)


@claim(
    "new.fixed-point.passes.linear",
    topic="fixed_point",
    place="after Eq. 4; Sec. 3.1",
    kind="new",
    title="decays bounded away from 1: a state that does not fade needs passes in proportion to the length, whatever the mixers, gates and inputs",
    says=r"If $|\Lambda_t|\le c<1$ and $\|G_t(I-Q_t)\|\le\gamma$, then after $\ell$ passes $h_0$ moves $h_T$ by at most $c^T\sum_{k<\ell}\binom{T-1+k}k\gamma^k$ of its length. For $\gamma\le1$ that "
    r"is at most $\binom{T+\ell-1}{T}c^T$, which tends to 0 with $\ell\le\kappa T$ as long as $(1+\kappa)^{1+\kappa}\kappa^{-\kappa}<1/c$: $\kappa=\frac14$ for $c=\frac12$.",
    uses=("new.fixed-point.passes",),
    sabotages={"one path for each number of passes": {"paths": lambda T, k: 1}, "a larger decay than c": {"largest_decay": fmpq(3, 2)}},
)
def passes_carry_the_state(proof: Proof, paths=lambda T, k: comb(T - 1 + k, k), largest_decay: fmpq = fmpq(1)) -> None:
    """Unroll: h_T after l passes is a sum over walks from (T, l) back to time 0, T steps of time, each shorter by c, and k < l of depth, each at most gamma;
    there are C(T-1+k, k) walks with k steps of depth. And C(T + l, l) p^T (1 - p)^l <= 1 for p = T/(T + l)."""
    rng, (count, longest) = Random(53), proof.pick((20, 4), (60, 6), (300, 10))
    for _ in proof.each(
        f"{count} rational sequences of ungated tokens, decays of both signs, d <= 3, T <= {longest}, l <= {2 * longest}", range(count)
    ):
        d, T, passes = rng.randint(1, 3), rng.randint(1, longest), rng.randint(1, 2 * longest)
        c, gamma = fmpq(rng.randint(1, 9), 10), fmpq(rng.randint(1, 12), 10)
        tokens = []
        for _ in range(T):
            decay = np.array([c * largest_decay * rng.choice([-1, 1, 1, 1]) for _ in range(d)], dtype=object)
            tokens.append(ungated(decay, exact.identity(d) - contraction_with_norm(rng, d, gamma), exact.zeros(d)))
        initial = samples.nonzero_vector(rng, d)
        h = iterate(tokens, passes, initial)[-1]
        bound = c**T * sum((paths(T, k) * gamma**k for k in range(passes)), fmpq(0))
        proof.holds("|h_T| <= c^T sum of C(T-1+k, k) gamma^k |h_0|", h @ h <= bound**2 * (initial @ initial))
    for T in proof.every("T <= 80, l = floor(T/4), c = 1/2", range(4, 81)):
        passes = T // 4
        proof.exactly(
            "sum over k < l of C(T-1+k, k) = C(T+l-1, T)", sum(comb(T - 1 + k, k) for k in range(passes)), comb(T + passes - 1, T)
        )
        proof.holds("C(T+l-1, T)^4 <= (4 (5/4)^5)^T", comb(T + passes - 1, T) ** 4 <= fmpq(3125, 256) ** T)
    proof.holds("4 (5/4)^5 = 3125/256 < 2^4", fmpq(3125, 256) < 16)


@claim(
    "new.fixed-point.overshoot",
    topic="fixed_point",
    place="after Eq. 4",
    kind="new",
    title="tracking a rotation by theta without a gate, the iterates first grow by (1/cos theta)^T, then converge",
    says=r"For $A$ orthogonal with eigenvalues $e^{\pm i\theta}$, $\Lambda=cI$, $Q=cA^\top$ and one input at time 1, pass $k+1$ changes $h_T$ by the factor $\binom{T-1+k}{k}c^T\|I-Q\|^k$ "
    r"exactly; its sum over $k$ is $(c/(1-\|I-Q\|))^T\ge\cos^{-T}\theta$. So the iteration converges for every $T$, past iterates that grow exponentially with $T$ (for $\cos\theta=c=\frac35$ a change of $3^T/(12\sqrt T)$).",
    uses=("new.fixed-point.s3", "new.fixed-point.passes"),
    sabotages={"without the powers of c": {"power": 0}, "theta = 0": {"growth": lambda c, norm: fmpq(1)}},
)
def overshoot(proof: Proof, power: int = 1, growth=lambda c, norm: c / (1 - norm)) -> None:
    """h^l is the sum over k < l of C(T-1+k, k) c^T (I - Q)^k x; (I - Q) is ||I - Q|| times a rotation. And |1 - c e^(i theta)| >= 1 - c cos theta.

    Rational case: cos theta = 3/5, c = 3/5, so I - Q = I - 9/25 + ... has ||I - Q|| = 4/5 and c/(1 - ||I - Q||) = 3."""
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


@claim(
    "new.fixed-point.s3.converges",
    topic="fixed_point",
    place="after Eq. 4",
    kind="new",
    title="the S_3 layer's iteration converges on every word, though no uniform contraction holds; the passes grow with the length",
    says=r"For words of transpositions and 3-cycles of length $T$ the iteration of the octahedral layer reaches the group element's quaternion to $10^{-6}$ in finitely many passes; "
    r"its Lipschitz constant over all lengths is at least $\|I-Q\|/(1-c)>1$.",
    uses=("new.fixed-point.s3", "new.fixed-point.finite", "new.fixed-point.no-uniform-contraction"),
    sabotages={"one pass for each letter": {"budget": lambda T: T}},
)
def s3_iteration(proof: Proof, budget=lambda T: 100 + 80 * T) -> None:
    """Ball arithmetic; the start is the initial state."""
    rng, count = Random(52), proof.pick(2, 5, 20)
    longest = proof.pick(3, 6, 10)
    for g, q in proof.every("the three letters", OCTAHEDRAL.items(), limited=False):
        c = (q[0] * root_of_unity(8, 0)).ball().real
        proof.certified("||I - Q||/(1 - c) > 1, as ||I - Q|| = sqrt(1 - c^2)", bool((1 - c * c).sqrt() / (1 - c) > 1), f"for {g}")
    saved = ctx.prec
    try:
        for _ in proof.each(f"{count} random words, T <= {longest}", range(count)):
            T = rng.randint(2, longest)
            ctx.prec = 256 + 8 * budget(T)  # every pass widens the balls by a factor
            word = [rng.choice(list(OCTAHEDRAL)) for _ in range(T)]
            tokens, state, states = [], exact.unit_vector(4, 0), []
            for g in word:
                q = OCTAHEDRAL[g]
                token = orthogonal_token(left_multiplication(q), np.array([q[0]] * 4, dtype=object))
                tokens.append(Token(*(_balls(part) for part in (token.decay, token.gate, token.mixer, token.drive))))
                state = left_multiplication(q) @ state
                states.append(_balls(state))
            h = iterate(tokens, budget(T), _balls(exact.unit_vector(4, 0)))
            proof.certified(
                "within 10^-6 of the group elements", all(bool(abs(x) < arb("1e-6")) for x in (h - np.array(states)).flat), f"word {word}"
            )
    finally:
        ctx.prec = saved


def _balls(array: Array) -> Array:
    return exact.map_entries(lambda x: x.ball().real if isinstance(x, Cyclotomic) else arb(x), array)
