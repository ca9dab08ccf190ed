"""The Bedouin iteration: what Eq. 6 and 9 say, and when it converges (movahedi25, Sec. 2.3, 3, App. D)."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product
from random import Random

import numpy as np
import sympy
from flint import fmpq, fmpq_poly

from ...constructions import samples
from ...constructions.bedouin import BedouinToken, bedouin_fixed_point, bedouin_pass, loop_matrix
from ...numerics import exact
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof
from .lipschitz import contraction_with_norm
from .selective import fractions, unit
from .transitions import is_strict_contraction


def random_sequence(rng: Random, longest: int) -> list[BedouinToken]:
    """At most ``longest`` tokens with unit B and C, decays and Delta in (0, 1), and mixers with ||I - Q|| < 1."""
    n, d = rng.randint(1, 3), rng.randint(1, 3)
    mixers = (exact.identity(d) - contraction_with_norm(rng, d, fmpq(rng.randint(1, 9), 10)) for _ in range(rng.randint(1, longest)))
    return [BedouinToken(fractions(rng, n, d), fractions(rng, d), unit(rng, n), unit(rng, n), Q, samples.integers(rng, d)) for Q in mixers]


def still(rng: Random, longest: int) -> list[BedouinToken]:
    """Tokens that do not mix."""
    return [replace(t, mixer=exact.identity(len(t.x))) for t in random_sequence(rng, longest)]


def silent(rng: Random, longest: int) -> list[BedouinToken]:
    """Tokens without inputs."""
    return [replace(t, x=t.x * 0) for t in random_sequence(rng, longest)]


def are_telling(sequences: list[list[BedouinToken]]) -> bool:
    """At least half of the sequences have decays, mixing, inputs, and B and C that differ or are of size 1."""
    telling = [
        any((t.decay != 0).any() for t in s)
        and any((t.mixer != exact.identity(len(t.x))).any() for t in s)
        and any((t.x != 0).any() for t in s)
        and (len(s[0].B) == 1 or any((t.B != t.C).any() for t in s))
        for s in sequences
    ]
    return 2 * sum(telling) >= len(telling) > 0


def _expanded(token: BedouinToken, h: Array) -> tuple[Array, Array]:
    """Eq. 6 in two parts: what does not depend on the pass before, and B C^T h (I - Q)^T Delta, which does."""
    I_minus_Q = exact.identity(len(token.x)) - token.mixer
    fixed = np.outer(token.B, token.delta * (token.mixer @ token.x))
    return fixed, np.outer(token.B, token.C) @ h @ I_minus_Q.T * token.delta


@claim(
    "movahedi25.eq9",
    place="Eq. 6, 8 and 9, and the display before Eq. 9",
    title="a pass of Eq. 6 is Mamba on the inputs Q (x − y) + y; it mixes by B Cᵀ on one side, by (I − Q)ᵀ Δ on the other",
    says=r"Eq. 6 equals Eq. 8 with $\tilde x=Q(x-y)+y$; its part that depends on the previous pass is $B_tC_t^\top h_t(I-Q_t)^\top\Delta_t$.",
    construction="lemmata.constructions.bedouin.bedouin_pass",
    remarks=(
        "Sec. 2.3 calls Eq. 5 an implicit factorisation of the fourth-order mixer. Read as this display it is one; read to the letter, one mixer in both of its places, it holds if "
        "C^T B = 1 or Q = I only (with id - Q = B C^T (.) (I - Q)^T the part in x would be B x^T - (C^T B) B ((I - Q) x)^T).",
    ),
    sabotages={
        "Delta forgotten in the mixed part": {"parts": lambda t, h: (_expanded(t, h)[0], _expanded(t, h)[1] / t.delta)},
        "tokens that do not mix": {"draw": still},
        "no inputs": {"draw": silent},
    },
)
def mamba_with_other_inputs(proof: Proof, parts=_expanded, draw=random_sequence) -> None:
    r"""Both are the same linear map, written once in $y$ and once in $h$.

    1. $\Delta Qx+\Delta(I-Q)y=\Delta(Q(x-y)+y)$: Eq. 6 and Eq. 9 have the same input. [checked: "Delta Q x + Delta (I - Q) y = Delta (Q (x - y) + y)"]
    2. With $y^\top=C^\top h$: $B\bigl(\Delta(I-Q)y\bigr)^\top=By^\top(I-Q)^\top\Delta=BC^\top h(I-Q)^\top\Delta$, since $\Delta$ is diagonal. Entry $(i,j)$ of both is the sum over $k,l$ of the same term,
       with $F=I-Q$ and $y_l=\sum_kC_kh_{kl}$. [checked: "the term of entry (i, j) at (k, l)"] [prose]

    Beside the argument the machine goes through rational sequences.
    """
    D, Q, x, y = sympy.symbols("Delta Q x y", commutative=False)
    proof.symbolically(
        "Delta Q x + Delta (I - Q) y = Delta (Q (x - y) + y)", D * Q * x + D * (1 - Q) * y, D * (Q * (x - y) + y), "Delta, Q, x, y"
    )
    B, C, F, delta, h = sympy.symbols("B_i C_k F_jl Delta_j h_kl")
    proof.symbolically("the term of entry (i, j) at (k, l)", B * (delta * (F * (C * h))), (B * C) * h * F * delta, "entries, any sizes")
    with proof.beside():
        _passes_in_both_forms(proof, parts, draw)


def _passes_in_both_forms(proof: Proof, parts, draw) -> None:
    """Instances: a pass of Eq. 6, and the same pass in two parts."""
    rng, seen = Random(71), []
    count, longest = proof.pick((15, 3), (50, 4), (200, 8))
    for k in proof.each(f"{count} rational sequences, n <= 3, d <= 3, T <= {longest}, frozen parameters, seed 71", range(count)):
        tokens = draw(rng, longest)
        seen.append(tokens)
        n, d = tokens[0].decay.shape
        before = samples.integers(rng, len(tokens), n, d)
        outputs = np.array([t.C @ h for t, h in zip(tokens, before, strict=True)])
        state, wanted = exact.zeros(n, d), []
        for t, h in zip(tokens, before, strict=True):
            fixed, mixed = parts(t, h)
            state = t.decay * state + fixed + mixed
            wanted.append(state)
        passed = bedouin_pass(tokens, outputs)[0]
        proof.exactly("Eq. 6 expanded = Eq. 9", passed, np.array(wanted))
        if k < 3:
            proof.certificate(
                "witness", f"{len(tokens)} tokens, {n} x {d} states", tokens=[as_data(t) for t in tokens], before=before, after=passed
            )
    proof.holds("half of the sequences have decays, mixing, inputs and C other than B", are_telling(seen))


def as_data(t: BedouinToken) -> dict[str, Array]:
    """One token as named values."""
    return {"decay": t.decay, "delta": t.delta, "B": t.B, "C": t.C, "Q": t.mixer, "x": t.x}


# -- convergence --------------------------------------------------------------------------------------------------------------


@claim(
    "movahedi25.eq6",
    place="Eq. 6 and the sentence after Eq. 9",
    title="if ‖I − Q‖ < 1 the iteration converges at every finite length, to a dense recurrence in the matrix state",
    says=r"With frozen parameters $y_t$ solves $(I-(C_t^\top B_t)\Delta_t(I-Q_t))y_t=(\lambda_t\odot h_{t-1})^\top C_t+(C_t^\top B_t)\Delta_tQ_tx_t$, and the iteration converges to it from "
    r"every start if $|C^\top B|\le1$, $0\le\Delta<1$, $\|I-Q\|\le1$.",
    reading="parameters that do not depend on the iterates; convergence at a given length, which is all that a finite sequence needs, not a contraction over all lengths",
    construction="lemmata.constructions.bedouin.bedouin_fixed_point",
    sabotages={
        "C.B is taken for 1": {"overlap": lambda t: fmpq(1)},
        "C.B is taken for 0": {"overlap": lambda t: fmpq(0)},
        "tokens that do not mix": {"draw": still},
        "C = B": {"draw": lambda rng, longest: [replace(t, C=t.B) for t in random_sequence(rng, longest)]},
    },
)
def matrix_fixed_point(proof: Proof, overlap=lambda t: t.C @ t.B, draw=random_sequence) -> None:
    r"""Contract Eq. 6 with $C$: the map $y\mapsto y$ is block lower triangular in time, with small blocks on its diagonal.

    1. Entry $j$ of $C_t^\top\bigl(B_t(\Delta_tv)^\top\bigr)$ is $(C_t^\top B_t)\Delta_jv_j$. [checked: "the term of entry j at i"] So $y_t=(\lambda_t\odot h_{t-1})^\top C_t+(C_t^\top B_t)\Delta_t(Q_tx_t+(I-Q_t)y_t)$ at a fixed point; move the part in $y_t$
       to the left. [checked: "left - right of the fixed point's equation"] [prose]
    2. A pass makes $y_t$ from $y_1,\dots,y_t$. For two runs with the same earlier states it takes the difference $e$ at time $t$ to $K_te$, $K_t=(C_t^\top B_t)\Delta_t(I-Q_t)$. [checked: "the difference of two runs at time t"]
       So its linear part is block lower triangular in time, with the eigenvalues of the $K_t$. [prose]
    3. $\|K_t\|\le|C_t^\top B_t|\max\Delta_t\|I-Q_t\|<1$, so the spectral radius is below 1, whatever the $\lambda_t$: the powers of the linear part tend to 0. [prose]

    Beside the argument the machine goes through rational sequences: fixed points, and the spectrum of a whole pass.
    """
    B, C, delta, v = sympy.symbols("B_i C_i Delta_j v_j")
    proof.symbolically("the term of entry j at i", C * (B * (delta * v)), (C * B) * delta * v, "entries, any sizes")
    c = sympy.Symbol("c")  # C.B
    D, Q, x, y, z, p = sympy.symbols("Delta Q x y z p", commutative=False)  # p = (lambda * h_(t-1))^T C
    pass_of = lambda output: p + c * D * (Q * x + (1 - Q) * output)  # noqa: E731
    proof.symbolically(
        "left - right of the fixed point's equation",
        sympy.expand(y - pass_of(y)),
        sympy.expand((1 - c * D * (1 - Q)) * y - p - c * D * Q * x),
        "Delta, Q, x, y, p of any size, C.B",
    )
    proof.symbolically(
        "the difference of two runs at time t",
        sympy.expand(pass_of(y) - pass_of(z)),
        sympy.expand(c * D * (1 - Q) * (y - z)),
        "Delta, Q, x, y, p of any size, C.B",
    )
    with proof.beside():
        _fixed_points_and_spectra(proof, overlap, draw)


def _fixed_points_and_spectra(proof: Proof, overlap, draw) -> None:
    """Instances: one pass keeps the fixed point, and a whole pass has the spectrum of its blocks."""
    rng, seen = Random(72), []
    count, longest = proof.pick((15, 3), (40, 4), (200, 6))
    for k in proof.each(f"{count} rational sequences, n <= 3, d <= 3, T <= {longest}, frozen parameters, seed 72", range(count)):
        tokens = draw(rng, longest)
        seen.append(tokens)
        y = bedouin_fixed_point(tokens)
        proof.exactly("one pass keeps y", bedouin_pass(tokens, y)[1], y)
        spectrum, one = fmpq_poly([1]), exact.identity(len(tokens[0].x))
        for t in tokens:
            K = overlap(t) * (t.delta[:, None] * (one - t.mixer))
            spectrum = spectrum * exact.characteristic_polynomial(K)
            proof.holds("||K_t|| < 1", is_strict_contraction(K))
        loop = exact.characteristic_polynomial(loop_matrix(tokens))
        proof.exactly("the loop has the spectrum of its diagonal blocks", (loop == spectrum, loop.degree()), (True, y.size))
        if k < 4:
            proof.certificate("witness", f"{len(tokens)} tokens", tokens=[as_data(t) for t in tokens], y=y)
    proof.holds("half of the sequences have decays, mixing, inputs and C other than B", are_telling(seen))


@claim(
    "movahedi25.eq6.alpha",
    place="App. D.3.2, after Eq. 10, with Eq. 6",
    flaw="overstatement",
    quotes=("remains contractive and stabilizes the fixed-point iteration",),
    weight="hypothesis",
    title="the iteration (6) can diverge for mixers of Eq. 10 with 0 < α < 1",
    says=r"For $\|B\|=\|C\|=1$, $0<\Delta<1$ and $Q=\prod(I-2\alpha uu^\top)$, $0<\alpha<1$, the iteration (6) converges to a fixed point.",
    reading="'stabilizes the fixed-point iteration' for all alpha that Eq. 10 allows",
    letter="The iteration (6) can diverge for mixers of Eq. 10. With d = 1 and alpha = Delta = 3/4 each pass multiplies the error by 9/8, since |I - Q| = 2 "
    "alpha. Sum alpha_i < 1/2 restores convergence at every length.",
    uses=("movahedi25.eq6",),
    sabotages={"alpha below 1/2": {"alphas": ("1/4", "1/3")}},
)
def reflections_diverge(proof: Proof, alphas=("1/4", "1/2", "3/4")) -> None:
    r"""In one dimension $I-Q=2\alpha$, and the error is multiplied by $2\alpha\Delta$ in every pass: $2\cdot\frac34\cdot\frac34=\frac98$."""
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
            given={
                "alpha": c[0],
                "u = B = C = x": 1,
                "Delta": c[1],
                "Q": t.mixer[0, 0],
                "y^0": 0,
                "outputs of the passes": outputs,
                "fixed point": target,
            },
            words={"rates": 0 < exact.rational(c[0]) < 1 and 0 < c[1] < 1, "grows": all(b > a for a, b in pairwise(errors))},
            minimal="n = d = T = 1",
        )
        proof.certificate("witness", "the error grows", alpha=exact.rational(c[0]), u=[1], delta=[c[1]], B=[1], C=[1], x=[1], passes=6)
