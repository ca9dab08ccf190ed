"""When the iteration in depth contracts over sequences of every length (movahedi25, Theorem 2.1 and its proof, App. F.1)."""

from __future__ import annotations

from random import Random

import numpy as np
import sympy
from flint import fmpq

from ...constructions import samples
from ...constructions.fixed_point import Token, diagonal_layer, gated
from ...numerics import exact
from ...numerics.exact import Array
from ...numerics.peak_gain import norm_is_below, toeplitz
from ..claim import claim
from ..evidence import Proof


def diagonal(entries: Array) -> Array:
    """diag(entries), exactly."""
    return exact.block_diagonal(np.array([[x]], dtype=object) for x in entries)


def sharp_contraction(rng: Random, d: int, norm: fmpq) -> tuple[Array, Array]:
    """A rational matrix whose largest singular value is ``norm``, and a unit vector that it takes to one of length ``norm``."""
    values = [norm, *(norm * samples.fraction(rng) for _ in range(d - 1))]
    left, right = samples.orthogonal(rng, d), samples.orthogonal(rng, d)
    return exact.multiply(left, diagonal(exact.rationals(values)), right), right[0]


def contraction_with_norm(rng: Random, d: int, norm: fmpq) -> Array:
    """A rational matrix whose largest singular value is ``norm``: an orthogonal matrix, singular values, an orthogonal matrix."""
    return sharp_contraction(rng, d, norm)[0]


def decays(rng: Random, d: int, low: int = 0) -> Array:
    """Rationals in [low, 1), 0 and values near 1 (and near -1) included."""
    pool = [fmpq(0), fmpq(1, 3), fmpq(1, 2), fmpq(9, 10), fmpq(99, 100)]
    pool = pool if low == 0 else pool + [-x for x in pool]
    return np.array([rng.choice(pool) for _ in range(d)], dtype=object)


def loop_matrix(tokens: list[Token]) -> Array:
    """The linear part of h -> f(h) as one matrix, shape (T d, T d)."""
    d, length = len(tokens[0].decay), len(tokens)
    silent = [Token(t.decay, t.gate, t.mixer, t.drive * 0) for t in tokens]
    columns = [diagonal_layer(silent, exact.unit_vector(length * d, k).reshape(length, d)).reshape(-1) for k in range(length * d)]
    return np.array(columns, dtype=object).T


def first_order(proof: Proof, gate, gain, signs: tuple[int, ...] = (1, -1)) -> None:
    r"""Record the identities by which $s_t=\lambda s_{t-1}+gu_t$, $s_0=0$, has the gain g/(1 - m) over all lengths; lambda = sigma m, 0 <= m < 1.

    ``gate`` and ``gain`` map (lambda, m), SymPy expressions, to g and to what is claimed of g/(1 - m); ``signs`` are the sigma.
    With V_t = (1 - m) sum_(r <= t) s_r^2 + m s_t^2 - (1 - m) gain^2 sum_(r <= t) u_r^2: V_0 = 0 and V_t falls, so sum s^2 <= gain^2 sum u^2.
    And u_t = sigma^t gives s_t = gain sigma^t (1 - m^t), whose mean square over t <= T is at least gain^2 (1 - 2m/((1 - m) T)).
    """
    m, s, u = sympy.symbols("m s u", nonnegative=True)
    t = sympy.Symbol("t", integer=True, nonnegative=True)
    for sigma in signs:
        lam = sigma * m
        g, bound = gate(lam, m), gain(lam, m)
        growth = (lam * s + g * u) ** 2 - m * s**2 - bound**2 * (1 - m) * u**2
        proof.symbolically("V_t - V_(t-1) is minus a square", growth, -m / (1 - m) * ((1 - m) * s - sigma * g * u) ** 2, "lambda, s, u")
        after, before = (bound * sigma**k * (1 - m**k) for k in (t + 1, t))
        proof.symbolically("u_t = sigma^t gives s_t = gain sigma^t (1 - m^t)", after, lam * before + g * sigma ** (t + 1), "lambda, t")
    sums = [m * (1 - m**k) / (1 - m) for k in (t + 1, t)]
    proof.symbolically("sum of m^t up to T is m (1 - m^T)/(1 - m)", sums[0] - sums[1], m ** (t + 1), "m, T")


def gain_certificate(proof: Proof, title: str, tokens: list[Token], bound: fmpq, vector: Array, **more) -> None:
    """Hand over one constant layer: decays, gate, I - Q, what its Lipschitz constant is, and differences that come near it."""
    token = tokens[0]
    proof.certificate(
        "witness",
        title,
        decay=token.decay,
        gate=token.gate,
        F=exact.identity(len(token.decay)) - token.mixer,
        bound=bound,
        vector=vector,
        length=len(tokens),
        **more,
    )


# -- Theorem 2.1 ----------------------------------------------------------------------------------------------------------


@claim(
    "movahedi25.thm2.1",
    place="Theorem 2.1",
    quotes=(
        r"If $\Lambda$ and $\mathbf{I} - \mathbf{Q}$ are contractive (i.e. $\|\cdot\|_2 < 1$), then $f_{\theta}(x,h)$ has a Lipschitz constant < 1 in $h$",
    ),
    weight="hypothesis",
    title="with the input gate I − Λ, contractive Λ and I − Q make f contract in h",
    says=r"If $\|\Lambda\|<1$ and $\|I-Q\|<1$ then $h\mapsto f_\theta(x,h)$ has Lipschitz constant below 1.",
    reading="places and numbers are those of the version with the title 'Fixed-point RNNs: from diagonal to dense in a few iterations'; a later one exists under another "
    "title. The theorem asks of Lambda only that it be diagonal and contractive, so its entries may be negative",
    letter="Theorem 2.1 needs 0 <= Lambda. With d = T = 1, Lambda = -2/3 and Q = 1/3 the map multiplies differences by (1 - Lambda)(1 - Q) = 10/9. For 0 <= "
    "Lambda < 1 it is true, with the constant |I - Q|, which is sharp over all lengths. For decays of any sign the gate I - |Lambda| restores it.",
    construction="lemmata.constructions.fixed_point.gated",
    sabotages={"decays that are not negative": {"sign": 1}},
)
def negative_decays_amplify(proof: Proof, sign: int = -1) -> None:
    r"""With $d=T=1$ the map is $h\mapsto(1-\lambda)(1-q)h+\dots$, and $1-\lambda>1$ for negative $\lambda$.

    By hand: $\lambda=-\frac23$, $q=\frac13$ give $\frac53\cdot\frac23=\frac{10}9$."""
    grid = [(sign * fmpq(a, n), 1 - fmpq(b, n)) for n in range(2, 5) for a in range(n) for b in range(n)]
    found = proof.smallest(
        "d = T = 1, Lambda and 1 - Q with denominators 2, 3, 4", grid, lambda c: loop_matrix([gated([c[0]], [[c[1]]], [0])])[0, 0] >= 1
    )
    if found:
        (decay, mixer), _ = found
        factor = loop_matrix([gated([decay], exact.rationals([[mixer]]), [0])])[0, 0]
        proof.counterexample(
            given={"Lambda": decay, "Q": mixer, "f(h) - f(h') over h - h'": factor},
            words={"decay": abs(decay) < 1, "mixer": abs(1 - mixer) < 1, "lipschitz": abs(factor) >= 1},
            minimal="d = T = 1",
        )
        proof.certificate("witness", "f lengthens differences", decay=[decay], Q=[[mixer]], difference=[1])


def _input_gate(lam, m):
    """Theorem 2.1: I - Lambda."""
    return 1 - lam


@claim(
    "movahedi25.thm2.1.amended",
    place="Theorem 2.1",
    amends="movahedi25.thm2.1",
    title="for 0 ≤ Λ < 1 the least Lipschitz constant over all lengths is exactly ‖I − Q‖",
    says=r"For $0\le\Lambda<1$ and every $T$ the Lipschitz constant of $f_\theta$ in $h$ is at most $\|I-Q\|$, and the supremum over $T$ is $\|I-Q\|$.",
    hypotheses=("Lambda and Q do not depend on the input",),
    construction="lemmata.constructions.fixed_point.gated",
    sabotages={
        "decays below 0, which the kernel refutes": {"theorem": "gates.signed_gate_contracts"},
        "no input gate": {"gate": lambda lam, m: 1 + 0 * lam},
        "Lambda down to -1": {"signs": (1, -1)},
        "a constant of half the size": {"gain": lambda lam, m: sympy.Rational(1, 2)},
    },
)
def gain_is_the_norm(
    proof: Proof,
    gate=_input_gate,
    gain=lambda lam, m: sympy.Integer(1),
    signs: tuple[int, ...] = (1,),
    theorem: str = "gates.gain_is_the_norm",
) -> None:
    r"""Each channel is a gated mean, which cannot lengthen a sequence, and passes constants in the long run; what is left is $I-Q$.

    1. Let $\delta_t=h_t-h'_t$, $u_t=(I-Q)\delta_t$ and $s_t$ the difference of $f$; a channel with decay $\lambda$ has $s_t=\lambda s_{t-1}+(1-\lambda)u_t$, $s_0=0$. Put
       $V_t=(1-\lambda)\sum_{r\le t}s_r^2+\lambda s_t^2-(1-\lambda)\sum_{r\le t}u_r^2$. Then $V_0=0$ and
       $V_t-V_{t-1}=s_t^2-\lambda s_{t-1}^2-(1-\lambda)u_t^2=-\lambda(1-\lambda)(s_{t-1}-u_t)^2\le0$. [checked: "V_t - V_(t-1) is minus a square"]
    2. So $\sum_ts_t^2\le\sum_tu_t^2$ in every channel and for every $T$, by induction over $t$; summed over the channels this is
       $\|s\|^2\le\sum_t|(I-Q)\delta_t|^2\le\|I-Q\|^2\|\delta\|^2$. [checked: "V_t - V_(t-1) is minus a square"]
    3. It is attained in the limit: let $\delta_t=v$ for all $t\le T$, with $|(I-Q)v|=\|I-Q\||v|$. The channels are $s_t=(1-\lambda^t)u$.
       [checked: "u_t = sigma^t gives s_t = gain sigma^t (1 - m^t)"]
    4. $(1-\lambda^t)^2\ge1-2\lambda^t$ and $\sum_{t\le T}\lambda^t\le\lambda/(1-\lambda)$, so the mean square of $s_t$ is at least $|u|^2\bigl(1-\frac{2\lambda}{(1-\lambda)T}\bigr)$ with
       the largest $\lambda$, which tends to $\|I-Q\|^2|v|^2$. [checked: "sum of m^t up to T"]
    """
    proof.formally(
        "the kernel: the constant over all lengths is the norm of I - Q",
        theorem,
        whole="every d and T",
        differs="an archimedean ordered field; 'at most c for every T iff c bounds I - Q' for a supremum",
    )
    first_order(proof, gate, gain, signs)
    rng = Random(21)
    for k in range(4):
        d, norm, T = k % 3 + 1, fmpq(rng.randint(1, 9), 10), 5
        F, v = sharp_contraction(rng, d, norm)
        decay = np.array([rng.choice([fmpq(0), fmpq(1, 3), fmpq(1, 2), fmpq(2, 3)]) for _ in range(d)], dtype=object)
        gain_certificate(
            proof, f"a layer of {d} channels over {T} steps", [gated(decay, exact.identity(d) - F, exact.zeros(d))] * T, norm, v
        )
    proof.exhibit(
        "two channels, any length", Lambda=exact.rationals(["1/2", "9/10"]), I_minus_Q=[["3/5", "0"], ["0", "1/2"]], constant=fmpq(3, 5)
    )


# -- the printed proof ----------------------------------------------------------------------------------------------------


def _powers(decay: list[fmpq], t: int) -> list[fmpq]:
    """The diagonal of sum_{tau <= t} Lambda^(t - tau)."""
    return [sum((x**k for k in range(t + 1)), fmpq(0)) for x in decay]


@claim(
    "movahedi25.appF1.neumann",
    place="App. F.1, the display after the Neumann series",
    of="movahedi25.thm2.1",
    flaw="gap",
    quotes=(r"Assuming $\Lambda$ is contractive, we use the Neumann series",),
    title="in the proof: ‖∑ Λᵏ‖ ‖I − Λ‖ ≤ 1 fails for Λ = diag(0, ½), whose two norms belong to different channels",
    says=r"$\bigl\|\sum_{\tau\le t}\Lambda^{t-\tau}\bigr\|\cdot\|I-\Lambda\|\le1$ whenever $\|\Lambda\|<1$.",
    reading="entries in [0, 1), where the theorem is true. The bound that is printed for the series itself is movahedi25.appF1.inverse",
    letter="After the Neumann series of App. F.1 the two norms belong to different channels. For Lambda = diag(0, 1/2) and t = 1 their product is 3/2, not at "
    "most 1. For 0 <= Lambda < 1 each channel is a mean with weights that sum to at most 1. Bounding the channels one by one closes the gap.",
    sabotages={"equal entries": {"entries": ((0, 0), ("1/2", "1/2"))}},
)
def norms_of_factors(proof: Proof, entries=((0,), ("1/2",), (0, 0), (0, "1/2"))) -> None:
    r"""The two norms are attained by different channels; only the product taken channel by channel is at most 1.

    By hand: $\Lambda=\operatorname{diag}(0,\frac12)$, $t=1$: $\|I+\Lambda\|=\frac32$ and $\|I-\Lambda\|=1$."""
    cases = [(exact.rationals(e).tolist(), t) for e in entries for t in range(3)]
    found = proof.smallest("Lambda, then t", cases, lambda c: max(_powers(*c)) * max(1 - x for x in c[0]) > 1)
    if found:
        (decay, t), _ = found
        value = max(_powers(decay, t)) * max(1 - x for x in decay)
        channels = [p * (1 - x) for p, x in zip(_powers(decay, t), decay, strict=True)]
        proof.counterexample(
            given={"Lambda": f"diag({', '.join(map(str, decay))})", "t": t, "the product of norms": value, "channel by channel": channels},
            words={"decay": all(0 <= x < 1 for x in decay), "norms": value > 1},
            minimal="d = 2, t = 1",
        )
        proof.certificate("witness", "a product of norms above 1", decay=decay, t=t)


@claim(
    "movahedi25.appF1.pointwise",
    place="App. F.1, Eq. 11",
    of="movahedi25.thm2.1",
    flaw="gap",
    quotes=("in order to prove the theorem, we need to show that",),
    title="in the proof: a bound on every single f(h)ₜ by the norm of the whole sequence does not make f a contraction",
    says=r"If $\|f(h)_t-f(h')_t\|<\|h-h'\|$ for every $t$, the map on sequences contracts.",
    reading="the proof says that the pointwise bound is what the theorem needs",
    letter="App. F.1 bounds each f(h)_t by the norm of the whole sequence h - h'. That does not bound the sequence f(h). Without a gate, Lambda = 1/2 and I - Q = "
    "3/4 satisfy the bound at every length. Yet at T = 3 constant differences come out longer. Summing the squares over t proves the theorem.",
    sabotages={"a smaller 1 - Q": {"norm": fmpq(1, 4)}},
)
def time_by_time(proof: Proof, norm: fmpq = fmpq(3, 4)) -> None:
    r"""What must be below 1 is the norm of the map from sequences to sequences; all its $T$ block rows may be short while it is long.

    Without a gate, $\Lambda=\frac12$ and $1-Q=\frac34$: every row is shorter than $\frac34/\sqrt{1-\frac14}<1$, and $(1,1,1)$ goes to $\frac34(1,\frac32,\frac74)$, which is longer than it."""
    A, K = exact.rationals([["1/2"]]), exact.rationals([[norm]])
    found = proof.smallest("T = 1, 2, ..., 6", range(1, 7), lambda T: not norm_is_below(toeplitz(A, K, T), fmpq(1)))
    if found:
        T, _ = found
        M = toeplitz(A, K, T)
        rows = [sum((x * x for x in row), fmpq(0)) for row in M]
        proof.counterexample(
            given={
                "Lambda": A[0, 0],
                "1 - Q": norm,
                "gate": "none: h_t -> Lambda f_(t-1) + (1 - Q) h_t",
                "h - h'": [1] * T,
                "f(h) - f(h')": M @ exact.rationals([1] * T),
                "squared norms of the rows": rows,
            },
            words={"rows": norm * norm / (1 - A[0, 0] ** 2) < 1 and max(rows) < 1, "norm": not norm_is_below(M, fmpq(1))},
            minimal=f"d = 1, T = {T}",
        )
        proof.certificate("witness", "the map on sequences does not contract", decay=A[0, 0], F=norm, differences=[1] * T)


@claim(
    "movahedi25.appF1.cauchy",
    place="App. F.1, the display after Eq. 11",
    of="movahedi25.thm2.1",
    flaw="gap",
    quotes=("From the Cauchy-Schwarz inequality, we can upper-bound the LHS of (11) as",),
    title="in the proof: the display is no Cauchy–Schwarz inequality, and fails for a negative decay",
    says=r"$\bigl\|\sum_{\tau\le t}\Lambda^{t-\tau}u_\tau\bigr\|\le\bigl\|\sum_{\tau\le t}\Lambda^{t-\tau}\bigr\|\cdot\|u_{\le t}\|$ for contractive diagonal $\Lambda$.",
    reading="without the factors I - Lambda and I - Q, which stand on both sides alike for d = 1",
    letter="The display after Eq. 11 does not follow from Cauchy-Schwarz, which has the root of the sum of squares in place of |sum Lambda^k|. For Lambda = -1/2 and the differences 1, -1 its left side is 3/2 and its right side less than 1. "
    "For 0 <= Lambda < 1 it is right.",
    sabotages={"a positive decay": {"sign": 1}},
)
def sum_of_powers(proof: Proof, sign: int = -1) -> None:
    r"""Powers of a negative decay cancel on the right, and not on the left: $|{-\frac12}\cdot1+(-1)|=\frac32$, against $|1-\frac12|\sqrt2$."""
    grid = [(sign * fmpq(1, n), [1, s]) for n in (2, 3, 4) for s in (1, -1)]

    def sides(case) -> tuple[fmpq, fmpq]:
        """Both sides, squared, at t = 1."""
        decay, u = case
        return (decay * u[0] + u[1]) ** 2, (1 + decay) ** 2 * (u[0] ** 2 + u[1] ** 2)

    found = proof.smallest("d = 1, t = 1, |Lambda| = 1/2, 1/3, 1/4, differences 1, 1 and 1, -1", grid, lambda c: sides(c)[0] > sides(c)[1])
    if found:
        case, _ = found
        left, right = sides(case)
        proof.counterexample(
            given={"Lambda": case[0], "t": 1, "h - h'": case[1], "left side, squared": left, "right side, squared": right},
            words={"decay": abs(case[0]) < 1, "longer": left > right},
            minimal="d = 1, t = 1",
        )
        proof.certificate("witness", "a negative decay", decay=case[0], differences=case[1])


@claim(
    "movahedi25.appF1.inverse",
    place="App. F.1, the Neumann series",
    of="movahedi25.thm2.1",
    flaw="misprint",
    quotes=(r"we use the Neumann series $\sum_{\tau=0}^t \Lambda^{t-\tau} \leq \mathbf{I} - \Lambda$",),
    extracted=True,
    title="the partial sums of the Neumann series are bounded by the inverse of I − Λ, not by I − Λ",
    says=r"$\sum_{\tau\le t}\Lambda^{t-\tau}\le I-\Lambda$ for contractive $\Lambda$.",
    reading="a lost exponent -1, which extraction may explain",
    letter="In App. F.1 the Neumann series is bounded by (I - Lambda)^(-1), for 0 <= Lambda; the exponent is missing. For Lambda = 1/2 and t = 0 the sum is 1, and I - Lambda is 1/2.",
    sabotages={"the inverse": {"bound": lambda lam: 1 / (1 - lam)}},
)
def lost_exponent(proof: Proof, bound=lambda lam: 1 - lam) -> None:
    """At t = 0 the sum is 1 already."""
    lam = fmpq(1, 2)
    proof.counterexample(
        given={"Lambda": lam, "t": 0, "the sum": 1, "I - Lambda": bound(lam)},
        words={"decay": 0 < lam < 1, "larger": bool(bound(lam) < 1)},
        minimal="d = 1, t = 0",
    )
    proof.certificate("witness", "the first term", decay=lam, t=0)
