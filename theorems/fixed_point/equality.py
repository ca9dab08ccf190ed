"""The fixed point is the dense recurrence; which transitions it reaches, and when the iteration finds it (movahedi25, Eq. 1 to 4)."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import sympy
from flint import fmpq, fmpq_poly

from ...constructions import samples
from ...constructions.fixed_point import Token, dense_states, gated, iterate, ungated
from ...numerics import exact
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof
from .lipschitz import loop_matrix


def random_tokens(rng: Random, layer, d: int, length: int) -> list[Token]:
    """Tokens with small rational entries, decays of any size and sign, whose fixed-point equation is solvable at every time."""
    tokens, draws = [], samples.tries("a solvable equation")
    while len(tokens) < length:
        next(draws)
        decay = np.array([samples.fraction(rng, -2, 2) for _ in range(d)], dtype=object)
        token = layer(decay, samples.integers(rng, d, d, bound=2) / 2, samples.integers(rng, d))
        if exact.rank(exact.identity(d) - token.feedback) == d:
            tokens.append(token)
    return tokens


def still(rng: Random, layer, d: int, length: int) -> list[Token]:
    """Tokens that do not mix."""
    return [layer(t.decay, exact.identity(d), t.drive) for t in random_tokens(rng, layer, d, length)]


def silent(rng: Random, layer, d: int, length: int) -> list[Token]:
    """Tokens without inputs."""
    return [layer(t.decay, t.mixer, t.drive * 0) for t in random_tokens(rng, layer, d, length)]


def forgetful(rng: Random, layer, d: int, length: int) -> list[Token]:
    """Tokens whose decays are 0."""
    return [layer(t.decay * 0, t.mixer, t.drive) for t in random_tokens(rng, layer, d, length)]


def are_telling(sequences: list[list[Token]]) -> bool:
    """At least half of the sequences have decays, mixing and inputs other than 0."""
    telling = [all(any(x != 0 for t in s for x in part(t).flat) for part in _PARTS) for s in sequences]
    return 2 * sum(telling) >= len(telling) > 0


_PARTS = (lambda t: t.decay, lambda t: t.feedback, lambda t: t.source)


def tokens_data(tokens: list[Token]) -> list[dict[str, Array]]:
    """Tokens as named values."""
    return [{"decay": t.decay, "gate": t.gate, "Q": t.mixer, "b": t.drive} for t in tokens]


def _certify_states(proof: Proof, layer, seed: int) -> None:
    """Hand over sequences of tokens with the states of the dense recurrence, which a pass must keep."""
    rng = Random(seed)
    for _ in range(4):
        tokens = random_tokens(rng, layer, rng.randint(2, 3), rng.randint(2, 4))
        initial = samples.integers(rng, len(tokens[0].decay))
        states = dense_states(tokens, initial)
        proof.certificate("witness", f"{len(tokens)} tokens", tokens=tokens_data(tokens), initial=initial, states=states)


def _eq2(L, Q):
    """Q A for the transition A = Q^-1 Lambda."""
    return L


@claim(
    "movahedi25.eq2",
    place="Abstract; Eq. 1 to 3",
    title="without a gate the only fixed point is the dense recurrence with A = Q⁻¹ Λ and input B x",
    says=r"For invertible $Q_t$, $h=f_\theta(x,h)$ iff $h_t=Q_t^{-1}\Lambda_th_{t-1}+B_tx_t$ for all $t$.",
    reading="the claim of the abstract, 'a dense linear RNN as the fixed point of a diagonal one', for any time-varying parameters",
    construction="lemmata.constructions.fixed_point.ungated",
    remarks=(
        "App. D.3.2 says of circulant matrices that they do not add expressivity, being co-diagonalizable; that is right for circulant transitions A beside complex diagonal ones. For a "
        "circulant mixer Q the transitions Q^-1 Lambda need not commute.",
        "A matrix A is Q^-1 Lambda iff its nonzero columns are linearly independent: Q takes them to multiples of different unit vectors. So the all-ones matrix is no such transition for d >= 2.",
    ),
    sabotages={
        "the input as it is, which the kernel refutes": {"theorem": "fixed_point.ungated_fixed_point_of_raw_inputs"},
        "the factors in the wrong order": {"QA": lambda L, Q: Q * L * Q**-1},
        "the mixed input taken for B x": {"source": lambda Q, b: b},
    },
)
def ungated_fixed_point(proof: Proof, QA=_eq2, source=lambda Q, b: Q * b, theorem: str = "fixed_point.ungated_fixed_point") -> None:
    r"""Move $(I-Q)h$ to the left and multiply by $Q^{-1}$.

    1. Let $h=f(h)$. Then $f(h)_{t-1}=h_{t-1}$, so $h$ is a fixed point iff $h_t=\Lambda_th_{t-1}+Q_tB_tx_t+(I-Q_t)h_t$ for all $t$.
       Left minus right is $Q_t(h_t-A_th_{t-1}-B_tx_t)$ with $Q_tA_t=\Lambda_t$. [checked: "left - right = Q (h - A p - b)"]
    2. $Q_t$ is invertible, so the equation at time $t$ holds iff $h_t=A_th_{t-1}+B_tx_t$; by induction over $t$ the states are determined by $h_0$.
       [checked: "left - right = Q (h - A p - b)"]
    """
    proof.formally(
        "the kernel: the fixed point is the dense recurrence",
        theorem,
        whole="every d and T",
        differs="any field, and any matrices for diagonal Lambda_t",
    )
    proof.formally(
        "the kernel: A is such a transition iff its columns other than 0 are independent",
        "classes.transitions_of_passes",
        differs="any field",
    )
    proof.formally("the kernel: the all-ones matrix is none", "classes.all_ones_are_no_transition", differs="any field")
    h, p, b, L, Q = sympy.symbols("h p b Lambda Q", commutative=False)
    residual = h - (L * p + source(Q, b) + (1 - Q) * h)
    proof.symbolically("left - right = Q (h - A p - b)", residual, Q * h - QA(L, Q) * p - Q * b, "Lambda, Q, h, p, b of any size")
    _certify_states(proof, ungated, 31)


@claim(
    "movahedi25.thm2.1.dense",
    place="App. D.3.2, 'as in equation 2', beside Theorem 2.1",
    of="movahedi25.eq2",
    flaw="remark",
    quotes=(r"where $\mathbf{A}_t = \mathbf{Q}_t^{-1} \Lambda_t$ as in equation 2",),
    title="the gated RNN of Theorem 2.1 has another transition at its fixed point than the dense RNN of Eq. 2",
    says=r"The fixed point of $f_\theta(x,h)_t=\Lambda f_\theta(x,h)_{t-1}+(I-\Lambda)(QBx_t+(I-Q)h_t)$ has the transition $Q^{-1}\Lambda$.",
    reading="App. D.3.2 chooses mixers for the gated layer by A = Q^-1 Lambda 'as in equation 2'; Theorem 2.1 has the gate on the input, Eq. 2 has none",
    letter="A remark beside App. D.3.2, which is right for Eq. 2. The gate of Theorem 2.1 multiplies the mixer too. Its fixed point has the transition (Lambda + "
    "(I - Lambda) Q)^-1 Lambda. With Lambda = Q = 1/2 that is 2/3, where Q^-1 Lambda = 1.",
    remarks=(
        "App. D.3.2 speaks of Eq. 2, for which A = Q^-1 Lambda is right. Only a reader who takes the gate of Theorem 2.1 along is misled, so this is a remark.",
    ),
    sabotages={"the layer without a gate": {"layer": ungated}},
)
def gate_changes_the_transition(proof: Proof, layer=gated) -> None:
    r"""The gate multiplies the mixer too: $(\Lambda+(I-\Lambda)Q)^{-1}\Lambda$. By hand: $\Lambda=Q=\frac12$ give $\frac12/(\frac12+\frac14)=\frac23$ against $1$."""
    proof.formally("the kernel: the transitions differ at Lambda = Q = 1/2", "fixed_point.gate_changes_the_transition")
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
            words={"below": abs(decay) < 1 and abs(1 - mixer) < 1, "differ": value != decay / mixer},
            minimal="d = 1",
        )
        proof.certificate("witness", "two transitions", decay=[decay], Q=[[mixer]])


@claim(
    "movahedi25.thm2.1.dense.amended",
    place="Theorem 2.1 beside Eq. 2",
    amends="movahedi25.thm2.1.dense",
    title="the gated layer's fixed point has A = (Λ + (I − Λ) Q)⁻¹ Λ; mixer (I − Λ)⁻¹ (Q − Λ): Eq. 2",
    says=r"The fixed point is $h_t=(\Lambda_t+(I-\Lambda_t)Q_t)^{-1}(\Lambda_th_{t-1}+(I-\Lambda_t)Q_tB_tx_t)$ where the inverse exists. If no $\lambda_i=1$, the gated mixer "
    r"$Q'=(I-\Lambda)^{-1}(Q-\Lambda)$ gives the transition $Q^{-1}\Lambda$, and $I-Q'=(I-\Lambda)^{-1}(I-Q)$.",
    construction="lemmata.constructions.fixed_point.gated",
    sabotages={
        "the mixer unchanged, which the kernel refutes": {"theorem": "fixed_point.gated_transition_is_dense"},
        "the input is not gated": {"source": lambda R, Q, b: Q * b},
        "Q' = Q": {"other": lambda R, Q: Q},
    },
)
def gated_fixed_point(
    proof: Proof,
    source=lambda R, Q, b: R * Q * b,
    other=lambda R, Q: R**-1 * (Q - 1 + R),
    theorem: str = "fixed_point.gated_mixer",
) -> None:
    r"""$I-(I-\Lambda)(I-Q)=\Lambda+(I-\Lambda)Q$; put $Q'$ for $Q$ and it is $Q$ again. Write $R=I-\Lambda$.

    1. A fixed point has $h_t=\Lambda_th_{t-1}+R_t(Q_tB_tx_t+(I-Q_t)h_t)$; left minus right is $(\Lambda_t+R_tQ_t)h_t-\Lambda_th_{t-1}-R_tQ_tB_tx_t$, and the factor of $h_t$ is
       invertible, so the states are determined one after the other. [checked: "left - right = (Lambda + R Q) h - Lambda p - R Q b"]
    2. $\Lambda+RQ'=\Lambda+Q-\Lambda=Q$, so the transition with $Q'$ is $Q^{-1}\Lambda$. [checked: "Lambda + R Q' = Q"]
    3. $R(I-Q')=I-\Lambda-Q+\Lambda=I-Q$. [checked: "R (I - Q') = I - Q"]
    """
    proof.formally("the kernel: the gated fixed point", "fixed_point.gated_fixed_point")
    proof.formally(
        "the kernel: the mixer that gives Q^-1 Lambda",
        theorem,
        whole="every d and T",
        differs="any field and matrices; that the block, and I - Lambda, are invertible is assumed",
    )
    h, p, b, Q, R = sympy.symbols("h p b Q R", commutative=False)
    L = 1 - R
    residual = h - (L * p + source(R, Q, b) + R * (1 - Q) * h)
    proof.symbolically(
        "left - right = (Lambda + R Q) h - Lambda p - R Q b",
        residual,
        (L + R * Q) * h - L * p - R * Q * b,
        "Lambda, Q, h, p, b of any size",
    )
    proof.symbolically("Lambda + R Q' = Q", L + sympy.expand(R * other(R, Q)), Q, "Lambda, Q of any size, R invertible")
    proof.symbolically("R (I - Q') = I - Q", R - sympy.expand(R * other(R, Q)), 1 - Q, "Lambda, Q of any size, R invertible")
    _certify_states(proof, gated, 32)


# -- convergence -----------------------------------------------------------------------------------------------------------


def _spectrum_of_tokens(tokens: list[Token]) -> fmpq_poly:
    """The product of the characteristic polynomials of G_t (I - Q_t)."""
    out = fmpq_poly([1])
    for t in tokens:
        out = out * exact.characteristic_polynomial(t.feedback)
    return out


@claim(
    "new.fixed-point.finite",
    place="after Eq. 4",
    title="at a finite length T all starts converge to one limit iff each Gₜ (I − Qₜ) has spectral radius below 1",
    says=r"The iteration's linear part is block lower triangular in time with $G_t(I-Q_t)$ on its diagonal. So (4) converges to one limit from every start iff $\rho(G_t(I-Q_t))<1$ for all $t\le T$, whatever the decays; "
    r"$\|I-Q_t\|<1$ suffices without a gate.",
    known="the spectrum of a block triangular matrix (waveform relaxation on finite intervals: Miekkala and Nevanlinna, 1987)",
    sabotages={
        "blocks that are not invertible, which the kernel refutes": {"theorem": "fixed_point.one_fixed_point_for_any_blocks"},
        "the decays gate the mixers": {
            "spectrum": lambda tokens: _spectrum_of_tokens([Token(t.decay, t.decay, t.mixer, t.drive) for t in tokens])
        },
        "the first token alone": {"spectrum": lambda tokens: _spectrum_of_tokens(tokens[:1])},
        "tokens that do not mix": {"draw": still},
        "decays of 0": {"draw": forgetful},
    },
)
def block_triangular(proof: Proof, spectrum=_spectrum_of_tokens, draw=random_tokens, theorem: str = "fixed_point.one_fixed_point") -> None:
    r"""A pass makes $f(h)_t$ from $h_1,\dots,h_t$, and from $h_t$ through $G_t(I-Q_t)$ only.

    1. Two runs with the same inputs differ by $e$, and a pass takes $e$ to $e'_t=\Lambda_te'_{t-1}+G_t(I-Q_t)e_t$, $e'_0=0$. [checked: "the difference of two runs after a pass"]
    2. So the linear part $M$ of the pass, as a matrix on sequences, is block lower triangular: the decays stand below the diagonal. Its characteristic polynomial is the product of those of
       its diagonal blocks $G_t(I-Q_t)$. [prose]
    3. The difference of two starts after $\ell$ passes is $M^\ell$ times the difference before. It tends to 0 for all starts iff all eigenvalues of $M$ have modulus below 1.
       [cited: powers of a matrix tend to 0 iff its spectral radius is below 1] [prose]
    4. Then $1$ is no eigenvalue of any block, so there is one fixed point $h^*$, [checked: "the kernel: one fixed point"] and $h^\ell-h^*=M^\ell(h^0-h^*)$ tends to 0. [prose]
    5. With nilpotent blocks the iteration even ends, after at most $dT$ passes. [checked: "the kernel: nilpotent blocks end the iteration"]
    6. Without a gate $G_t=I$, and a spectral radius is at most a norm. [prose]

    Beside the argument the machine compares spectra and goes through nilpotent iterations, on instances.
    """
    proof.formally(
        "the kernel: one fixed point",
        theorem,
        differs="uniqueness; not the convergence under a spectral radius below 1",
    )
    proof.formally(
        "the kernel: nilpotent blocks end the iteration",
        "fixed_point.nilpotent_passes_end",
        differs="the case of spectral radius 0; any field and decays",
    )
    h, g, p, q, s, K, L = sympy.symbols("h g p q s K Lambda", commutative=False)
    proof.symbolically(
        "the difference of two runs after a pass",
        (L * p + s + K * h) - (L * q + s + K * g),
        sympy.expand(L * (p - q) + K * (h - g)),
        "Lambda, K, s and the states, of any size",
    )
    with proof.beside():
        _spectra_and_nilpotent_blocks(proof, spectrum, draw)


def _spectra_and_nilpotent_blocks(proof: Proof, spectrum, draw) -> None:
    """Instances: the characteristic polynomial of a whole pass, and iterations that end."""
    rng, seen = Random(34), []
    count, longest = proof.pick((15, 3), (40, 4), (200, 6))
    for layer in (ungated, gated):
        for k in proof.each(f"{count} rational sequences of tokens with and without gate, d <= 3, T <= {longest}, seed 34", range(count)):
            tokens = draw(rng, layer, rng.randint(1, 3), rng.randint(1, longest))
            seen.append(tokens)
            M = loop_matrix(tokens)
            loop = exact.characteristic_polynomial(M)
            proof.exactly("the spectra agree, with multiplicity", (loop == spectrum(tokens), loop.degree()), (True, len(M)))
            if k < 3:
                proof.certificate("witness", f"{len(tokens)} tokens", tokens=tokens_data(tokens), loop=M)
    for _ in proof.each(f"{count} sequences with nilpotent I - Q_t and decays up to 2, d <= 3, T <= {longest}, seed 34", range(count)):
        d, T = rng.randint(1, 3), rng.randint(1, longest)
        tokens = []
        for _ in range(T):
            strict = np.triu(samples.integers(rng, d, d), 1) * fmpq(1)
            decay = np.array([samples.fraction(rng, -2, 2) for _ in range(d)], dtype=object)
            tokens.append(ungated(decay, exact.identity(d) - strict, samples.integers(rng, d)))
        proof.exactly("d T passes give the dense states", iterate(tokens, d * T), dense_states(tokens))
    proof.holds("half of the sequences have decays, mixing and inputs", are_telling(seen))


def _scan(tokens: list[Token], inputs: Array) -> Array:
    """Each channel by itself: h_t = lambda_t h_(t-1) + inputs_t, shape (T, d)."""
    out = np.zeros_like(inputs)
    for i in range(inputs.shape[1]):
        state = fmpq(0)
        for t, token in enumerate(tokens):
            state = token.decay[i] * state + inputs[t, i]
            out[t, i] = state
    return out


def _powers_of_mixing(tokens: list[Token], passes: int) -> Array:
    """sum over k < passes of (L F)^k L s: L the scan of all channels, F the mixing by G_t (I - Q_t), s the inputs G_t Q_t b_t."""
    term = total = _scan(tokens, np.array([t.source for t in tokens]))
    for _ in range(passes - 1):
        term = _scan(tokens, np.array([t.feedback @ h for t, h in zip(tokens, term, strict=True)]))
        total = total + term
    return total


@claim(
    "movahedi25.abstract.interpolates",
    place="Title; Sec. 1, Summary; Sec. 4, 'gradually transforms a diagonal RNN into a dense RNN'",
    title="one pass is a diagonal RNN, l passes mix the channels up to l − 1 times, and the passes tend to the dense RNN",
    says=r"From $h^0=0$ the iteration (4) gives $h^\ell=\sum_{k<\ell}(LF)^kLs$ with $L$ the diagonal recurrence of all channels, $F$ the mixing by $I-Q_t$ and $s_t=Q_tB_tx_t$; so $h^1$ is a diagonal RNN, "
    r"and if $\rho(I-Q_t)<1$ for all $t$ then $h^\ell\to h^*$, the dense RNN.",
    reading="as a statement about the map from inputs to states at a fixed length, with input-dependent parameters that do not depend on the iterate",
    remarks=(
        "How many are 'a few': with a gate a number that does not depend on the length (`new.fixed-point.passes.contractive`); for a state that must not fade a number in proportion to the length "
        "(`new.fixed-point.passes.linear`), as the paper sees on A_5 (Sec. 3.1).",
    ),
    sabotages={
        "one mixing too many": {"closed": lambda tokens, l: _powers_of_mixing(tokens, l + 1)},
        "tokens that do not mix": {"draw": still},
        "decays of 0": {"draw": forgetful},
        "no inputs": {"draw": silent},
    },
)
def from_diagonal_to_dense(proof: Proof, closed=_powers_of_mixing, draw=random_tokens) -> None:
    r"""Unroll $h^\ell=Ls+LFh^{\ell-1}$.

    1. A pass is $h\mapsto L(s+Fh)$, affine in $h$. The first one gives $h^1=Ls$ from $h^0=0$. If $h^\ell=h^{\ell-1}+(LF)^{\ell-1}Ls$, then $h^{\ell+1}=h^\ell+(LF)^\ell Ls$. By induction
       $h^\ell=\sum_{k<\ell}(LF)^kLs$. [checked: "the first pass"; "what a pass adds"] [prose]
    2. $L$ keeps the channels apart, $F$ mixes them. For $\ell=1$ no $F$ is left: channel $i$ of $h^1$ depends on channel $i$ of $s$ only. [checked: "the first pass"] [prose]
    3. $h^\ell-h^*=(LF)^\ell(h^0-h^*)\to0$. [uses: new.fixed-point.finite, movahedi25.eq2]

    Beside the argument the machine goes through rational sequences.
    """
    L, F, s, S, P = sympy.symbols("L F s S P", commutative=False)  # S = h^(l-1), P = (L F)^(l-1)
    proof.symbolically("the first pass", sympy.expand(L * (s + F * 0)), L * s, "L, F, s of any size")
    before, after = L * (s + F * S), L * (s + F * (S + P * L * s))
    proof.symbolically("what a pass adds", sympy.expand(after - before), L * F * P * L * s, "L, F, s, h of any size")
    with proof.beside():
        _rational_sequences(proof, closed, draw)


def _rational_sequences(proof: Proof, closed, draw) -> None:
    """Instances: the iterates against the sum over powers of the mixing."""
    rng, seen = Random(37), []
    count, longest = proof.pick((8, 3), (25, 4), (100, 6))
    for k in proof.each(f"{count} rational sequences of tokens, d <= 3, T <= {longest}, l <= 4, seed 37", range(count)):
        tokens = draw(rng, ungated, rng.randint(2, 3), rng.randint(2, longest))
        seen.append(tokens)
        proof.exactly("one pass: the channels one by one", iterate(tokens, 1), _scan(tokens, np.array([t.mixer @ t.drive for t in tokens])))
        for passes in range(1, 5):
            proof.exactly("h^l = sum of (L F)^k L s, k < l", iterate(tokens, passes), closed(tokens, passes))
        if k < 3:
            proof.certificate(
                "witness", f"{len(tokens)} tokens", tokens=tokens_data(tokens), iterates=[iterate(tokens, n) for n in (1, 2, 3)]
            )
    proof.holds("half of the sequences have decays, mixing and inputs", are_telling(seen))


@claim(
    "movahedi25.sec2.1.diverge",
    place="Sec. 2.1, after Eq. 4",
    title="without further conditions the iteration can diverge although the dense recurrence exists",
    says=r"There are an invertible $Q$, $|\Lambda|<1$ and an input for which the iteration (4) from $h^0=0$ diverges.",
    sabotages={
        "every invertible Q, which the kernel refutes": {"theorem": "sentences.invertible_is_not_enough_always"},
        "a mixer near 1": {"mixer": fmpq(1, 2)},
    },
)
def invertible_is_not_enough(proof: Proof, mixer: fmpq = fmpq(-1), theorem: str = "sentences.invertible_is_not_enough") -> None:
    r"""With $Q=-1$ the factor of the iteration is 2: the error doubles in every pass.

    1. $d=T=1$: a pass takes $h$ to $qb+(1-q)h$, and the dense state $b$ to itself, so the error $h-b$ is multiplied by $1-q$. [checked: "the error is multiplied by 1 - Q"] [uses: movahedi25.eq2]
    2. For $q=-1$, $b=1$ the first error is $-1$, and after $\ell$ passes from 0 it is $-2^\ell$, by induction. [checked: "|1 - Q| > 1 and the error is not 0"] [prose]
    """
    proof.formally(
        "the kernel: an iteration without a bound",
        theorem,
        whole="one token of one channel",
        differs="an archimedean ordered field for the reals; 'above every bound' for 'diverges'; one pass on one token written out",
    )
    h, b = sympy.symbols("h b")
    q = sympy.Rational(int(mixer.p), int(mixer.q))
    proof.symbolically("the error is multiplied by 1 - Q", q * b + (1 - q) * h - b, (1 - q) * (h - b), "h, b")
    token = ungated([fmpq(1, 2)], exact.rationals([[mixer]]), [1])
    errors = [(iterate([token], k) - dense_states([token]))[0, 0] for k in range(4)]
    for _ in proof.every("the witness, d = T = 1", [mixer], limited=False):
        proof.holds("|1 - Q| > 1 and the error is not 0", abs(1 - mixer) > 1 and errors[0] != 0)
    with proof.beside():
        proof.exactly("four passes", errors, [-((1 - mixer) ** k) for k in range(4)])
    proof.certificate("witness", "an iteration that diverges", decay=fmpq(1, 2), Q=mixer, b=1, errors=errors)
