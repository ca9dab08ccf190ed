"""The fixed point is the dense recurrence; which transitions it reaches, and when the iteration finds it (movahedi25, Eq. 1 to 4)."""

from __future__ import annotations

from itertools import pairwise, permutations, product
from random import Random

import numpy as np
import sympy
from flint import fmpq, fmpq_poly

from ...constructions import householder, samples
from ...constructions.fixed_point import Token, dense_states, diagonal_layer, gated, has_mixer, iterate, mixer_for, ungated
from ...numerics import exact
from ...numerics.exact import Array
from ...numerics.peak_gain import gain_is_below
from ..claim import claim
from ..evidence import Proof
from .lipschitz import loop_matrix


def random_tokens(rng: Random, layer, d: int, length: int) -> list[Token]:
    """Tokens with small rational entries, decays of any size and sign, whose fixed-point equation is solvable at every time."""
    tokens = []
    while len(tokens) < length:
        decay = np.array([samples.fraction(rng, -2, 2) for _ in range(d)], dtype=object)
        token = layer(decay, samples.integers(rng, d, d, bound=2) / 2, samples.integers(rng, d))
        if exact.rank(exact.identity(d) - token.feedback) == d:
            tokens.append(token)
    return tokens


def _fixed_point_is_dense(proof: Proof, layer, states, seed: int) -> None:
    """h = f(h) at the dense states, and only there: where h first differs from them, by e at time t, h - f(h) is (I - G(I - Q)) e, not 0."""
    rng = Random(seed)
    count, longest = proof.pick((20, 4), (60, 6), (300, 10))
    for _ in proof.each(f"{count} rational sequences of tokens, d <= 4, T <= {longest}, initial states", range(count)):
        d, T = rng.randint(1, 4), rng.randint(1, longest)
        tokens, initial = random_tokens(rng, layer, d, T), samples.integers(rng, d)
        h = states(tokens, initial)
        proof.exactly("f(h) = h", diagonal_layer(tokens, h, initial), h)
        t, e = rng.randrange(T), samples.nonzero_vector(rng, d)
        moved = h.copy()
        moved[t] = moved[t] + e
        gap = (moved - diagonal_layer(tokens, moved, initial))[t]
        proof.exactly("h - f(h) at the first difference", gap, (exact.identity(d) - tokens[t].feedback) @ e)
        proof.holds("which is not 0", any(x != 0 for x in gap))


def _wrong_order(tokens: list[Token], initial: Array) -> Array:
    """Lambda Q^-1 in place of Q^-1 Lambda."""
    state, out = initial, []
    for t in tokens:
        state = t.decay * (exact.inverse(t.mixer) @ state) + t.drive
        out.append(state)
    return np.array(out)


def _ungated_states(tokens: list[Token], initial: Array) -> Array:
    """The dense recurrence with the transition Q^-1 Lambda and the input b, whatever the gate."""
    state, out = initial, []
    for t in tokens:
        state = exact.inverse(t.mixer) @ (t.decay * state) + t.drive
        out.append(state)
    return np.array(out)


@claim(
    "movahedi25.eq2",
    topic="fixed_point",
    place="Eq. 1 to 3",
    title="without a gate the only fixed point is the dense recurrence with A = Q^-1 Lambda and input B x",
    says=r"For invertible $Q_t$, $h=f_\theta(x,h)$ iff $h_t=Q_t^{-1}\Lambda_th_{t-1}+B_tx_t$ for all $t$.",
    construction="lemmata.constructions.fixed_point.ungated",
    sabotages={"the factors in the wrong order": {"states": _wrong_order}},
)
def ungated_fixed_point(proof: Proof, states=_ungated_states) -> None:
    """Move (I - Q) h to the left and multiply by Q^-1."""
    _fixed_point_is_dense(proof, ungated, states, 31)


@claim(
    "movahedi25.thm2.1.dense",
    topic="fixed_point",
    place="Theorem 2.1 beside Eq. 2",
    title="the RNN of Theorem 2.1 has the dense RNN of Eq. 2 as its fixed point, with the same Lambda and Q",
    says=r"The fixed point of $f_\theta(x,h)_t=\Lambda f_\theta(x,h)_{t-1}+(I-\Lambda)(QBx_t+(I-Q)h_t)$ has the transition $Q^{-1}\Lambda$.",
    reading="App. D.3.2 chooses mixers for the gated layer by A = Q^-1 Lambda 'as in Eq. 2'",
    sabotages={"the layer without a gate": {"layer": ungated}},
)
def gate_changes_the_transition(proof: Proof, layer=gated) -> None:
    """The gate multiplies the mixer too: (Lambda + (I - Lambda) Q)^-1 Lambda."""
    grid = [fmpq(1, n) for n in (2, 3)]
    cases = list(product(grid, grid))

    def transition(c) -> fmpq:
        return layer([c[0]], exact.rationals([[c[1]]]), [0]).dense()[0][0, 0]

    found = proof.smallest("d = 1, Lambda and Q in {1/2, 1/3}", cases, lambda c: transition(c) != c[0] / c[1])
    if found:
        (decay, mixer), _ = found
        value = transition((decay, mixer))
        proof.counterexample(
            given={"Lambda": decay, "Q": mixer, "transition at the fixed point": value, "Q^-1 Lambda": decay / mixer},
            hypotheses={"|Lambda| < 1 and |1 - Q| < 1": abs(decay) < 1 and abs(1 - mixer) < 1},
            violates={"the transitions differ": value != decay / mixer},
            minimal="d = 1",
        )


def _gated_states(tokens: list[Token], initial: Array, gate_inputs: bool = True) -> Array:
    """(Lambda + (I - Lambda) Q)^-1 (Lambda h + (I - Lambda) Q b)."""
    state, out = initial, []
    for t in tokens:
        gate = 1 - t.decay
        left = exact.block_diagonal(np.array([[x]], dtype=object) for x in t.decay) + gate[:, None] * t.mixer
        state = exact.inverse(left) @ (t.decay * state + (gate if gate_inputs else 1) * (t.mixer @ t.drive))
        out.append(state)
    return np.array(out)


@claim(
    "movahedi25.thm2.1.dense.amended",
    topic="fixed_point",
    place="Theorem 2.1 beside Eq. 2",
    kind="amended",
    amends="movahedi25.thm2.1.dense",
    title="the gated layer's fixed point has A = (Lambda + (I - Lambda) Q)^-1 Lambda; with the mixer (I - Lambda)^-1 (Q - Lambda) it is Eq. 2",
    says=r"The fixed point is $h_t=(\Lambda_t+(I-\Lambda_t)Q_t)^{-1}(\Lambda_th_{t-1}+(I-\Lambda_t)Q_tB_tx_t)$. If no $\lambda_i=1$, the gated mixer $Q'=(I-\Lambda)^{-1}(Q-\Lambda)$ gives "
    r"the transition $Q^{-1}\Lambda$, and $I-Q'=(I-\Lambda)^{-1}(I-Q)$.",
    construction="lemmata.constructions.fixed_point.gated",
    sabotages={"the input is not gated": {"states": lambda tokens, initial: _gated_states(tokens, initial, gate_inputs=False)}},
)
def gated_fixed_point(proof: Proof, states=_gated_states) -> None:
    """I - (I - Lambda)(I - Q) = Lambda + (I - Lambda) Q; put Q' for Q and it is Q again."""
    _fixed_point_is_dense(proof, gated, states, 32)
    rng = Random(33)
    for _ in proof.each("20 rational Lambda and Q, d <= 4", range(20)):
        d = rng.randint(1, 4)
        decay = np.array([samples.fraction(rng, -1, 1, 5) / 2 for _ in range(d)], dtype=object)
        Q = samples.basis(rng, d)
        L = exact.block_diagonal(np.array([[x]], dtype=object) for x in decay)
        other = (Q - L) / (1 - decay)[:, None]
        A = gated(decay, other, exact.zeros(d)).dense()[0]
        proof.exactly("the mixer Q' gives Q^-1 Lambda", A, ungated(decay, Q, exact.zeros(d)).dense()[0])
        proof.exactly("(I - Lambda)(I - Q') = I - Q", (1 - decay)[:, None] * (exact.identity(d) - other), exact.identity(d) - Q)


# -- which transitions -----------------------------------------------------------------------------------------------------


@claim(
    "new.fixed-point.transitions",
    topic="fixed_point",
    place="after Eq. 2",
    kind="new",
    title="A = Q^-1 Lambda with diagonal Lambda and invertible Q iff the nonzero columns of A are independent",
    says=r"$A\in\mathbb R^{d\times d}$ is $Q^{-1}\Lambda$ iff its nonzero columns are linearly independent; the all-ones matrix is not, for any $d\ge2$.",
    construction="lemmata.constructions.fixed_point.has_mixer",
    sabotages={"every matrix": {"test": lambda A: True}, "invertible ones only": {"test": lambda A: exact.rank(A) == len(A)}},
)
def independent_columns(proof: Proof, test=has_mixer) -> None:
    """If so, complete the nonzero columns to a basis P and put Q = P^-1, so that Q A is diagonal. If not, A v = 0 for some v with v_j != 0, A e_j != 0;
    then Lambda v = Q A v = 0 gives lambda_j = 0, so A e_j = Q^-1 Lambda e_j = 0, a contradiction."""
    n = proof.pick(2, 3, 3)
    entries = proof.pick((-1, 0, 1), (0, 1), (-1, 0, 1))
    for rows in proof.every(f"all {n} x {n} matrices with entries in {set(entries)}", product(entries, repeat=n * n)):
        A = exact.rationals(np.array(rows, dtype=object).reshape(n, n))
        nonzero = [j for j in range(n) if any(x != 0 for x in A[:, j])]
        if test(A):
            Q = exact.inverse(_completed(A, nonzero)) if exact.rank(A) == len(nonzero) else exact.identity(n)
            image = Q @ A
            proof.exactly("Q A is diagonal", image, np.where(np.eye(n) == 1, image, fmpq(0)))
            proof.holds("Q is invertible", exact.rank(Q) == n)
        else:
            kernel = exact.nullspace(A)
            proof.holds(
                "A v = 0 with v_j != 0 for a nonzero column j", any(kernel[j, k] != 0 for j in nonzero for k in range(kernel.shape[1]))
            )


def _completed(A: Array, nonzero: list[int]) -> Array:
    """A with each zero column replaced so that all columns are independent."""
    P = A.copy()
    for j in range(len(A)):
        if j not in nonzero:
            others = [k for k in range(len(A)) if k < j or k in nonzero]
            units = (exact.unit_vector(len(A), i) for i in range(len(A)))
            P[:, j] = next(u for u in units if exact.rank(np.hstack([P[:, others], u[:, None]])) == len(others) + 1)
    return P


@claim(
    "new.fixed-point.permutations",
    topic="fixed_point",
    place="after Eq. 4",
    kind="new",
    title="no permutation matrix but I is a transition of an iteration that converges, with any gate: one-hot state tracking is out of reach",
    says=r"If $(I-G(I-Q))^{-1}\Lambda$ is a permutation matrix $P\ne I$, with any diagonal $\Lambda$ and $G$, then $\rho(G(I-Q))\ge1$, so the iteration does not converge from all starts.",
    uses=("new.fixed-point.finite",),
    sabotages={"the identity included": {"skip": False}},
)
def cycles_have_trace_zero(proof: Proof, skip: bool = True) -> None:
    """I - G (I - Q) = Lambda P^-1 (which is Q without a gate) maps the coordinates of a cycle of length k >= 2 to themselves, with zeros on its diagonal there. Its
    eigenvalues on them sum to 0, so one has real part <= 0 and |1 - z| >= 1; and 1 - z is an eigenvalue of G (I - Q)."""
    largest = proof.pick(4, 5, 6)
    for n in range(1, largest + 1):
        decay = np.array(sympy.symbols(f"lambda_1:{n + 1}"), dtype=object)
        for p in proof.every(f"all permutations of n <= {largest} points", permutations(range(n))):
            if skip and list(p) == list(range(n)):
                continue
            P = householder.permutation_matrix(p)
            Q = decay[:, None] * exact.map_entries(int, P.T)
            moved = [c for c in householder.cycles(p) if len(c) > 1] or householder.cycles(p)
            cycle = list(moved[0])
            others = [i for i in range(n) if i not in cycle]
            block = Q[np.ix_(cycle, cycle)]
            proof.exactly("the cycle's coordinates are mapped to themselves", (Q[np.ix_(others, cycle)] == 0).all(), True)
            proof.exactly("the eigenvalues of Q on them sum to 0", sympy.simplify(sum(block[i, i] for i in range(len(cycle)))) == 0, True)


# -- convergence -----------------------------------------------------------------------------------------------------------


def _spectrum_of_tokens(tokens: list[Token]) -> fmpq_poly:
    """The product of the characteristic polynomials of G_t (I - Q_t)."""
    out = fmpq_poly([1])
    for t in tokens:
        out = out * exact.characteristic_polynomial(t.feedback)
    return out


@claim(
    "new.fixed-point.finite",
    topic="fixed_point",
    place="after Eq. 4",
    kind="new",
    title="for every finite T the iteration converges from all starts iff each G_t (I - Q_t) has spectral radius below 1, whatever the decays are",
    says=r"The iteration's linear part is block lower triangular in time with $G_t(I-Q_t)$ on its diagonal. So (4) converges for every start iff $\rho(G_t(I-Q_t))<1$ for all $t\le T$; "
    r"$\|I-Q_t\|<1$ suffices without a gate, whatever $\Lambda_t$.",
    sabotages={
        "the decays gate the mixers": {
            "spectrum": lambda tokens: _spectrum_of_tokens([Token(t.decay, t.decay, t.mixer, t.drive) for t in tokens])
        }
    },
)
def block_triangular(proof: Proof, spectrum=_spectrum_of_tokens) -> None:
    """f(h)_t depends on h_1, ..., h_t, and on h_t through G_t (I - Q_t) only. With nilpotent blocks the iteration ends, exactly."""
    rng = Random(34)
    count, longest = proof.pick((15, 3), (40, 4), (200, 6))
    for layer in (ungated, gated):
        for _ in proof.each(f"{count} rational sequences of tokens with and without gate, d <= 3, T <= {longest}", range(count)):
            tokens = random_tokens(rng, layer, rng.randint(1, 3), rng.randint(1, longest))
            loop = exact.characteristic_polynomial(loop_matrix(tokens))
            proof.exactly("the spectra agree, with multiplicity", loop == spectrum(tokens), True)
    for _ in proof.each(f"{count} sequences with nilpotent I - Q_t and decays up to 2, d <= 3, T <= {longest}", range(count)):
        d, T = rng.randint(1, 3), rng.randint(1, longest)
        tokens = []
        for _ in range(T):
            strict = np.triu(samples.integers(rng, d, d), 1) * fmpq(1)
            decay = np.array([samples.fraction(rng, -2, 2) for _ in range(d)], dtype=object)
            tokens.append(ungated(decay, exact.identity(d) - strict, samples.integers(rng, d)))
        proof.exactly("d T passes give the dense states", iterate(tokens, d * T), dense_states(tokens))


@claim(
    "new.fixed-point.no-uniform-contraction",
    topic="fixed_point",
    place="after Eq. 4",
    kind="new",
    title="without a gate ||I - Q|| < 1 contracts over all lengths only if ||I - Q|| < 1 - lambda: else the Lipschitz constant passes 1 as T grows",
    says=r"Ungated, with $\Lambda=\lambda I$, $0\le\lambda<1$, the least Lipschitz constant over all lengths is $\|I-Q\|/(1-\lambda)$.",
    uses=("new.fixed-point.finite",),
    sabotages={"||I - Q|| itself": {"constant": lambda norm, decay: norm}},
)
def ungated_gain(proof: Proof, constant=lambda norm, decay: norm / (1 - decay)) -> None:
    """|1 - z lambda| >= 1 - lambda, with equality at z = 1."""
    rng = Random(35)
    count = proof.pick(15, 50, 200)
    for _ in proof.each(f"{count} rational lambda and Q, d <= 3, ||I - Q|| known; all T by Sturm", range(count)):
        d, norm, decay = rng.randint(1, 3), fmpq(rng.randint(1, 9), 10), fmpq(rng.randint(1, 9), 10)
        F = exact.multiply(samples.orthogonal(rng, d), samples.orthogonal(rng, d)) * norm
        A, squared = exact.identity(d) * decay, constant(norm, decay) ** 2
        proof.holds("the gain is below the constant times 1 + 10^-9", gain_is_below(A, F, squared * (1 + fmpq(1, 10**9))))
        proof.holds("and not below it", not gain_is_below(A, F, squared))


@claim(
    "movahedi25.sec2.1.diverge",
    topic="fixed_point",
    place="Sec. 2.1, after Eq. 4",
    title="without further conditions the iteration can diverge although the dense recurrence exists",
    says=r"There are an invertible $Q$, $|\Lambda|<1$ and an input for which the iteration (4) from $h^0=0$ diverges.",
    uses=("movahedi25.eq2",),
    sabotages={"a mixer near 1": {"mixer": fmpq(1, 2)}},
)
def invertible_is_not_enough(proof: Proof, mixer: fmpq = fmpq(-1)) -> None:
    """With Q = -1 the factor of the iteration is 2: the error doubles in every pass."""
    token = ungated([fmpq(1, 2)], exact.rationals([[mixer]]), [1])
    target = dense_states([token])[0, 0]
    errors = [iterate([token], k)[0, 0] - target for k in range(12)]
    for before, after in proof.each("Q = -1, Lambda = 1/2, B x = 1, twelve passes", pairwise(errors)):
        proof.exactly("the error is multiplied by 1 - Q", after, (1 - mixer) * before)
    proof.holds("|1 - Q| > 1 and the error is not 0", abs(1 - mixer) > 1 and errors[0] != 0)


@claim(
    "new.fixed-point.scalar-decay",
    topic="fixed_point",
    place="after Eq. 4",
    kind="new",
    title="with Lambda = c I every A with positive definite symmetric part is reached by a contractive mixer, and no other",
    says=r"For $A$ invertible there is $c>0$ with $\|I-cA^{-1}\|<1$ iff $A+A^\top$ is positive definite; orthogonal $A$: iff all its angles are below $90^\circ$.",
    construction="lemmata.constructions.fixed_point.mixer_for",
    sabotages={"all of positive determinant": {"criterion": lambda A: exact.determinant(A) > 0}},
)
def accretive_transitions(proof: Proof, criterion=lambda A: exact.is_positive_definite(A + A.T)) -> None:
    """|x - c A^-1 x|^2 = |x|^2 - 2c x.A^-1 x + c^2 |A^-1 x|^2, and x.A^-1 x = y.A y for x = A y. If y.A y <= 0 no c helps; if A + A^T > 0 a small c does."""
    rng = Random(36)
    count = proof.pick(30, 100, 500)
    turn = exact.rationals([["3/5", "-4/5"], ["4/5", "3/5"]])
    family = [
        turn,
        turn @ turn,
        exact.rationals([[1]]),
        exact.rationals([[-1]]),
        exact.rationals([[0, 1], [1, 0]]),
        exact.rationals([[0, -1], [1, 0]]),
    ]
    family += [samples.basis(rng, rng.randint(1, 3)) for _ in range(count)]
    for A in proof.each(f"{len(family)} rational matrices, d <= 3; rotations by 53 and 106 degrees, -1, a swap, a quarter turn", family):
        d, n = len(A), exact.identity(len(A))
        # c below (smallest y.Ay) / |y|^2: half of 2^-k, for the first k at which the symmetric part exceeds 2^-k
        small = next((fmpq(1, 2**k) for k in range(40) if exact.is_positive_definite((A + A.T) / 2 - n * fmpq(1, 2**k))), None)
        proof.exactly("a small c exists iff A + A^T > 0", small is not None, criterion(A))
        cs = [small] if small is not None else [fmpq(16, 2**k) for k in range(16)]
        contractive = [c for c in cs if exact.is_positive_definite(n - (n - mixer_for(A, [c] * d)).T @ (n - mixer_for(A, [c] * d)))]
        proof.exactly("||I - Q|| < 1 for it", bool(contractive), criterion(A))
