"""The Bedouin iteration: what Eq. 5, 6 and 9 say, when it converges, and what its normalisation guarantees (movahedi25, Sec. 2.3, 3, App. D)."""

from __future__ import annotations

from itertools import pairwise, product
from random import Random

import numpy as np
import sympy
from flint import arb, fmpq, fmpq_poly

from ...constructions import samples
from ...constructions.bedouin import BedouinToken, bedouin_fixed_point, bedouin_pass, loop_matrix
from ...numerics import exact
from ...numerics.exact import Array
from ...numerics.peak_gain import gain_is_below, norm_is_below
from ..claim import claim
from ..evidence import Proof
from .lipschitz import contraction_with_norm


def _unit(rng: Random, n: int) -> Array:
    """A rational unit vector."""
    return samples.orthogonal(rng, n)[:, 0]


def _fractions(rng: Random, *shape: int) -> Array:
    """Rationals strictly between 0 and 1."""
    return exact.map_entries(lambda _: fmpq(rng.randint(1, 9), 10), np.zeros(shape))


def random_token(rng: Random, n: int, d: int, mixer: Array, decay: Array | None = None, delta: Array | None = None) -> BedouinToken:
    """Unit B and C, decays and Delta in (0, 1) unless given."""
    decay = _fractions(rng, n, d) if decay is None else decay
    delta = _fractions(rng, d) if delta is None else delta
    return BedouinToken(decay, delta, _unit(rng, n), _unit(rng, n), mixer, samples.integers(rng, d))


def _sequence(rng: Random, longest: int) -> list[BedouinToken]:
    n, d = rng.randint(1, 3), rng.randint(1, 3)
    mixers = (exact.identity(d) - contraction_with_norm(rng, d, fmpq(rng.randint(1, 9), 10)) for _ in range(rng.randint(1, longest)))
    return [random_token(rng, n, d, Q) for Q in mixers]


# -- Eq. 5, 6 and 9 ------------------------------------------------------------------------------------------------------------


@claim(
    "movahedi25.eq9",
    topic="fixed_point",
    place="Eq. 9 and the display before it",
    title="one pass of Eq. 6 is Mamba on the inputs Q (x - y) + y, and mixes with B C^T on one side and (I - Q)^T Delta on the other",
    says=r"Eq. 6 equals Eq. 8 with $\tilde x=Q(x-y)+y$; its part that depends on the previous pass is $B_tC_t^\top h_t(I-Q_t)^\top\Delta_t$.",
    construction="lemmata.constructions.bedouin.bedouin_pass",
    sabotages={"Delta forgotten in the mixed part": {"scale": 0}},
)
def mamba_with_other_inputs(proof: Proof, scale: int = 1) -> None:
    """Delta Q x + Delta (I - Q) y = Delta (Q (x - y) + y)."""
    rng = Random(71)
    count, longest = proof.pick((15, 3), (50, 4), (200, 8))
    for _ in proof.each(f"{count} rational sequences, n <= 3, d <= 3, T <= {longest}, frozen parameters", range(count)):
        tokens = _sequence(rng, longest)
        n, d = tokens[0].decay.shape
        before = samples.integers(rng, len(tokens), n, d)
        y = np.array([t.C @ h for t, h in zip(tokens, before, strict=True)])
        state, wanted = exact.zeros(n, d), []
        for t, h in zip(tokens, before, strict=True):
            I_minus_Q = exact.identity(d) - t.mixer
            fixed = np.outer(t.B, t.delta * (t.mixer @ t.x))
            mixed = np.outer(t.B, t.C) @ h @ I_minus_Q.T * (t.delta if scale else 1)
            state = t.decay * state + fixed + mixed
            wanted.append(state)
        proof.exactly("Eq. 6 expanded = Eq. 9", bedouin_pass(tokens, y)[0], np.array(wanted))


@claim(
    "movahedi25.eq5.factor",
    topic="fixed_point",
    place="Sec. 2.3, sentence after Eq. 5",
    title="Eq. 5 is the matrix-state recurrence for a fourth-order mixer that factorizes",
    says=r"For some $\mathbf Q$ on matrices, Eq. 5 is $h^\ell_t=\lambda_t\odot h^\ell_{t-1}+\mathbf Q(B_tx_t^\top)+(\mathrm{id}-\mathbf Q)h_t^{\ell-1}$.",
    sabotages={"C = B": {"C": (1, 0)}},
)
def no_such_mixer(proof: Proof, C=("3/5", "4/5")) -> None:
    """Compare the parts in h and in x: id - Q must be h -> B C^T h (I - Q)^T, so Q(B x^T) = B x^T - (C.B) B ((I - Q) x)^T, where Eq. 5 has B (Q x)^T."""
    B, C, Q, x = exact.rationals([1, 0]), exact.rationals(C), exact.rationals([["1/2"]]), exact.rationals([1])
    inner = C @ B
    forced = np.outer(B, x) - inner * np.outer(B, x - Q @ x)
    proof.counterexample(
        given={"B": B, "C": C, "Q": Q[0, 0], "x": x[0], "what id - Q forces for x": forced[:, 0], "Eq. 5": np.outer(B, Q @ x)[:, 0]},
        hypotheses={"B and C are unit vectors": B @ B == 1 and C @ C == 1},
        violates={"they differ": not np.array_equal(forced, np.outer(B, Q @ x))},
        minimal="n = 2, d = T = 1",
    )


@claim(
    "movahedi25.eq5.factor.amended",
    topic="fixed_point",
    place="Sec. 2.3, sentence after Eq. 5",
    kind="amended",
    amends="movahedi25.eq5.factor",
    title="it is, exactly when C.B = 1 or Q = I: for unit vectors, when C = B",
    says=r"Eq. 5 is the recurrence with $\mathbf Q=\mathrm{id}-BC^\top(\cdot)(I-Q)^\top$ iff $(1-C^\top B)(I-Q)=0$.",
    sabotages={"C.B = -1 as well": {"criterion": lambda inner, F: inner**2 == 1 or not F.any()}},
)
def overlap_one(proof: Proof, criterion=lambda inner, F: inner == 1 or not F.any()) -> None:
    """B x^T - (C.B) B ((I - Q) x)^T = B (Q x)^T for all x iff (1 - C.B)(I - Q) = 0."""
    rng, count = Random(73), proof.pick(40, 150, 600)
    for _ in proof.each(f"{count} rational B, C, Q with n, d <= 3; C = B, C = -B and Q = I among them", range(count)):
        n, d = rng.randint(1, 3), rng.randint(1, 3)
        B = _unit(rng, n)
        C = rng.choice([B, -B, _unit(rng, n)])
        Q = exact.identity(d) if rng.random() < 0.2 else samples.integers(rng, d, d) / 4
        forced = [np.outer(B, x) - (C @ B) * np.outer(B, x - Q @ x) for x in exact.identity(d)]
        printed = [np.outer(B, Q @ x) for x in exact.identity(d)]
        same = all(np.array_equal(f, p) for f, p in zip(forced, printed, strict=True))
        proof.exactly("equal iff C.B = 1 or Q = I", same, bool(criterion(C @ B, exact.identity(d) - Q)))


# -- convergence and contraction ---------------------------------------------------------------------------------------------


@claim(
    "movahedi25.eq6.converges",
    topic="fixed_point",
    place="App. D.2 and D.3.2",
    title="with unit B and C, 0 < Delta < 1 and mixers of Eq. 10 the iteration converges",
    says=r"For $\|B\|=\|C\|=1$, $0<\Delta<1$ and $Q=\prod(I-2\alpha u u^\top)$, $0<\alpha<1$, the iteration (6) converges to a fixed point.",
    uses=("movahedi25.eq10.contractive",),
    sabotages={"alpha below 1/2": {"alphas": ("1/4", "1/3")}},
)
def reflections_diverge(proof: Proof, alphas=("1/4", "1/2", "3/4")) -> None:
    """In one dimension I - Q = 2 alpha, and the error is multiplied by 2 alpha Delta in every pass."""
    deltas = [fmpq(1, 2), fmpq(3, 4)]

    def token(c) -> BedouinToken:
        alpha, delta = exact.rational(c[0]), c[1]
        one = exact.rationals([1])
        return BedouinToken(exact.rationals([["1/2"]]), np.array([delta], dtype=object), one, one, exact.rationals([[1 - 2 * alpha]]), one)

    found = proof.smallest(
        "n = d = T = 1, alpha in {1/4, 1/2, 3/4}, Delta in {1/2, 3/4}",
        product(alphas, deltas),
        lambda c: loop_matrix([token(c)])[0, 0] >= 1,
    )
    if found:
        c, _ = found
        t = token(c)
        y, outputs = exact.zeros(1, 1), []
        for _ in range(6):
            y = bedouin_pass([t], y)[1]
            outputs.append(y[0, 0])
        target = bedouin_fixed_point([t])[0, 0]
        errors = [abs(v - target) for v in outputs]
        proof.counterexample(
            given={"alpha": c[0], "Delta": c[1], "Q": t.mixer[0, 0], "outputs of the passes": outputs, "fixed point": target},
            hypotheses={"0 < alpha < 1, 0 < Delta < 1": 0 < exact.rational(c[0]) < 1 and 0 < c[1] < 1},
            violates={"the error grows with every pass": all(b > a for a, b in pairwise(errors))},
            minimal="n = d = T = 1",
        )


@claim(
    "movahedi25.eq6.converges.amended",
    topic="fixed_point",
    place="Eq. 6 and the sentence after Eq. 9",
    kind="amended",
    amends="movahedi25.eq6.converges",
    title="it converges at every finite length if ||I - Q|| < 1, to a dense recurrence in the matrix state; sum alpha < 1/2 suffices",
    says=r"With frozen parameters $y_t$ solves $(I-(C_t^\top B_t)\Delta_t(I-Q_t))y_t=(\lambda_t\odot h_{t-1})^\top C_t+(C_t^\top B_t)\Delta_tQ_tx_t$; $|C^\top B|\le1$, $\Delta<1$, $\|I-Q\|<1$ suffice.",
    uses=("movahedi25.eq10.amended",),
    construction="lemmata.constructions.bedouin.bedouin_fixed_point",
    sabotages={"C.B is taken for 1": {"overlap": False}},
)
def matrix_fixed_point(proof: Proof, overlap: bool = True) -> None:
    """Contract Eq. 6 with C. The map y -> y is block lower triangular in time with C.B Delta (I - Q) on its diagonal, of norm below 1."""
    rng = Random(72)
    count, longest = proof.pick((15, 3), (40, 4), (200, 6))
    for _ in proof.each(f"{count} rational sequences, n <= 3, d <= 3, T <= {longest}, frozen parameters", range(count)):
        tokens = _sequence(rng, longest)
        y = bedouin_fixed_point(tokens)
        proof.exactly("one pass keeps y", bedouin_pass(tokens, y)[1], y)
        spectrum = fmpq_poly([1])
        for t in tokens:
            inner = t.C @ t.B if overlap else fmpq(1)
            spectrum = spectrum * exact.characteristic_polynomial(inner * (t.delta[:, None] * (exact.identity(len(t.x)) - t.mixer)))
        proof.exactly(
            "the loop has the spectrum of its diagonal blocks", exact.characteristic_polynomial(loop_matrix(tokens)) == spectrum, True
        )


@claim(
    "movahedi25.appD2.delta",
    topic="fixed_point",
    place="App. D.2, Delta in place of 1 - lambda",
    title="with Delta for 1 - lambda the iteration still contracts as by Theorem 2.1",
    says=r"For $\lambda=e^{-8s\Delta}$, $s>0$, $0<\Delta<1$ and $\|I-Q\|<1$ one pass has Lipschitz constant below 1.",
    reading="constant scalar parameters, B = C = 1; s = softplus(omega), so that e^(-8s) is the paper's lower bound on lambda; 0.9 is in Griffin's usual range",
    sabotages={"the gate 1 - lambda": {"gate": lambda delta, decay: 1 - decay}},
)
def delta_is_no_gate(proof: Proof, gate=lambda delta, decay: delta) -> None:
    """Constant differences: after many steps the factor is Delta ||I - Q||/(1 - lambda), about ||I - Q||/(8 s) for small s. In balls."""
    delta, norm, lowest, length = arb(1) / 2, arb(1) / 2, arb("0.9"), 100
    decay = lowest**delta
    state, total = arb(0), arb(0)
    for _ in range(length):
        state = decay * state + gate(delta, decay) * norm
        total += state * state
    factor = (total / length).sqrt()
    proof.counterexample(
        given={
            "e^(-8s)": "0.9",
            "Delta": "1/2",
            "lambda": str(decay),
            "||I - Q||": "1/2",
            "T": length,
            "|f(1, ..., 1)| / |(1, ..., 1)|": str(factor),
        },
        hypotheses={"0 < lambda < 1": bool(decay > 0) and bool(decay < 1)},
        violates={"a difference comes out more than four times as long": bool(factor > 4)},
        how="certified",
        minimal="n = d = 1, T = 100",
    )


@claim(
    "movahedi25.appD2.delta.amended",
    topic="fixed_point",
    place="App. D.2",
    kind="amended",
    amends="movahedi25.appD2.delta",
    title="with Delta for 1 - lambda one pass contracts for every Delta in (0, 1) iff ||I - Q|| <= 1 - exp(-8s), the lowest decay",
    says=r"For constant $\lambda=e^{-k\Delta}$, $k=8s$, the Lipschitz constant over all lengths is $\frac{\Delta}{1-e^{-k\Delta}}\gamma$, increasing in $\Delta$; so it is below 1 for all $\Delta\in(0,1)$ "
    r"iff $\gamma\le1-e^{-k}$: the closer $\lambda$ may come to 1 for all $\Delta$, the smaller $I-Q$ must be.",
    uses=("movahedi25.thm2.1.amended",),
    sabotages={"a bound twice as large": {"factor": 2}},
)
def lowest_decay(proof: Proof, factor: int = 1) -> None:
    """u = k Delta: the derivative of u/(1 - e^-u) has the sign of 1 - e^-u (1 + u), which is 0 at 0 and has the derivative u e^-u > 0."""
    u = sympy.Symbol("u", positive=True)
    numerator = sympy.diff(u / (1 - sympy.exp(-u)), u) * (1 - sympy.exp(-u)) ** 2
    proof.symbolically("derivative of u/(1 - e^-u), times (1 - e^-u)^2", numerator, 1 - sympy.exp(-u) * (1 + u), "u > 0")
    inner = 1 - sympy.exp(-u) * (1 + u)
    proof.symbolically("derivative of 1 - e^-u (1 + u)", sympy.diff(inner, u), u * sympy.exp(-u), "u > 0")
    proof.holds("1 - e^-u (1 + u) = 0 at 0 and u e^-u > 0", inner.subs(u, 0) == 0 and bool((u * sympy.exp(-u)).is_positive))
    for k, j in proof.each("k in {1/100, 1/10, 1, 5}, Delta = j/20; gamma = 1 - e^-k", product(("0.01", "0.1", "1", "5"), range(1, 20))):
        delta, gamma = arb(j) / 20, (1 - (-arb(k)).exp()) * factor
        proof.certified("the constant is below 1", bool(delta * gamma / (1 - (-arb(k) * delta).exp()) < 1), f"k = {k}, Delta = {j}/20")
    for k in proof.each("k in {1/100, 1/10, 1, 5}, gamma 0.1 percent larger, Delta = 9999/10000", ("0.01", "0.1", "1", "5")):
        delta, gamma = arb("0.9999"), (1 - (-arb(k)).exp()) * arb("1.001")
        proof.certified("the constant is above 1", bool(delta * gamma / (1 - (-arb(k) * delta).exp()) > 1), f"k = {k}")


@claim(
    "movahedi25.appD2.delta.amended.gate",
    topic="fixed_point",
    place="App. D.2, 'to limit the Lipschitz constant'",
    kind="amended",
    amends="movahedi25.appD2.delta",
    title="with decays that do not depend on the input and the gate 1 - lambda, input-dependent unit B, C and mixers contract by max ||I - Q_t||",
    says=r"For constant $0\le\lambda<1$ (one for each channel), $\Delta=1-\lambda$, any unit $B_t,C_t$ and any $Q_t$ one pass $y\mapsto y$ has Lipschitz constant at most $\max_t\|I-Q_t\|$, for every $T$.",
    uses=("movahedi25.thm2.1.amended",),
    sabotages={"B and C of length 2": {"length": 2}, "Delta = 1": {"gate": False}},
)
def unit_vectors_suffice(proof: Proof, length: int = 1, gate: bool = True) -> None:
    """The kernel of channel i is (1 - lambda_i) lambda_i^(t-s) C_t.B_s, at most the gated kernel in modulus; and that has norm at most 1."""
    rng = Random(74)
    count, longest = proof.pick((12, 3), (40, 4), (150, 6))
    for _ in proof.each(f"{count} rational sequences, n <= 3, d <= 3, T <= {longest}", range(count)):
        n, d, norm = rng.randint(1, 3), rng.randint(1, 3), fmpq(rng.randint(1, 9), 10)
        decay = _fractions(rng, d)
        tokens = []
        for _ in range(rng.randint(1, longest)):
            Q = exact.identity(d) - contraction_with_norm(rng, d, norm)
            t = random_token(rng, n, d, Q, np.array([decay] * n), 1 - decay if gate else decay * 0 + 1)
            tokens.append(BedouinToken(t.decay, t.delta, t.B * length, t.C * length, t.mixer, t.x))
        proof.holds("the norm of y -> y is at most max ||I - Q_t||", norm_is_below(loop_matrix(tokens), norm * norm * (1 + fmpq(1, 10**9))))


@claim(
    "new.fixed-point.root-gate",
    topic="fixed_point",
    place="App. D.2, 'normalization term'",
    kind="new",
    title="Griffin's input gate sqrt(1 - lambda^2) does not contract either: the constant is sqrt((1 + lambda)/(1 - lambda)) ||I - Q||",
    says=r"For the gate $\sqrt{1-\lambda^2}$, $0\le\lambda<1$, the Lipschitz constant over all lengths is $\sqrt{\frac{1+\lambda}{1-\lambda}}\,\|I-Q\|$; at $\lambda=0.9$ it needs $\|I-Q\|<1/\sqrt{19}<0.23$.",
    uses=("movahedi25.thm2.1.amended",),
    sabotages={"the constant of the gate 1 - lambda": {"squared": lambda x: fmpq(1)}},
)
def root_gate(proof: Proof, squared=lambda x: (1 + x) / (1 - x)) -> None:
    """At z = 1 the gate passes sqrt(1 - lambda^2)/(1 - lambda), its largest gain; decays with a rational root, one decay for all channels."""
    rng, count = Random(77), proof.pick(12, 40, 150)
    triples = [(3, 4, 5), (4, 3, 5), (5, 12, 13), (12, 5, 13), (15, 8, 17), (63, 16, 65)]
    for _ in proof.each(f"{count} rational mixers with known norm, d <= 3, decays from Pythagorean triples, all T by Sturm", range(count)):
        (a, b, c), d, norm = rng.choice(triples), rng.randint(1, 3), fmpq(rng.randint(1, 9), 10)
        K = contraction_with_norm(rng, d, norm) * fmpq(b, c)
        A, bound = exact.identity(d) * fmpq(a, c), squared(fmpq(a, c)) * norm**2
        proof.holds("the gain is below the constant times 1 + 10^-9", gain_is_below(A, K, bound * (1 + fmpq(1, 10**9))))
        proof.holds("and not below it", not gain_is_below(A, K, bound))
    proof.holds(
        "lambda = 9/10: contractive iff ||I - Q||^2 < 1/19",
        1 / squared(fmpq(9, 10)) == fmpq(1, 19) and fmpq(23, 100) ** 2 > fmpq(1, 19) > fmpq(22, 100) ** 2,
    )
