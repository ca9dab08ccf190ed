"""grazzi25, Theorem 2: stacks with real spectra count modulo powers of two only."""

from __future__ import annotations

from itertools import islice, product
from random import Random

import numpy as np
from flint import fmpq

from ...constructions import automata, parity, samples
from ...constructions.recurrence import Recurrence
from ...numerics import exact
from ...numerics.cyclotomic import root_of_unity
from ...numerics.finite_precision import FiniteSet
from ..claim import claim
from ..closure import computes
from ..evidence import Proof
from .theorem1 import certify_stack, random_stack


def _is_involution(a) -> bool:
    """A^2 = I: then the minimal polynomial divides x^2 - 1 and every eigenvalue is 1 or -1."""
    return np.array_equal(a @ a, exact.identity(len(a)))


@claim(
    "grazzi25.thm2",
    topic="parity",
    place="Theorem 2",
    title="counting modulo m, not a power of two, needs a product of 2^i - 1 transitions of layer i with a nonreal eigenvalue",
    says=r"If for every layer $i$ all products $A(x_1)\cdots A(x_{2^i-1})$ have real spectra, the stack does not recognise $(1^m)^*$ for $m$ "
    r"not a power of two.",
    reading="the index 2^i - 1 as printed; the induction in App. B.2 uses 2^(i-1)",
    uses=("grazzi25.thm2.amended",),
    construction="lemmata.constructions.automata.addition_by_reflections",
    sabotages={
        "products of 2^(i-1) = 2 transitions, as the proof needs": {"length": lambda i: 2 ** (i - 1)},
        "m = 4, a power of two": {"m": 4},
    },
)
def index_as_printed(proof: Proof, length=lambda i: 2**i - 1, m: int = 3) -> None:
    """The paper's own Theorem 6 breaks it: two layers of reflections add modulo 3, and products of 1 or of 3 reflections of
    the plane are reflections again, with eigenvalues 1 and -1. With one layer the two indices agree, so L = 2 is smallest.
    """
    stack = automata.addition_by_reflections(m)
    found = computes(proof, f"the last output is the sum modulo {m}", stack, lambda q, x: (q + x) % m, 0, tuple(range(m)), lambda q: q)
    first, second = stack.layers
    reads = sorted(set(product(range(m), (0, 1))))
    words = [(first, word) for word in product(range(m), repeat=length(1))] + [(second, word) for word in product(reads, repeat=length(2))]
    real = True
    for layer, word in words:
        a = layer.transition(word[0])
        for x in word[1:]:
            a = a @ layer.transition(x)
        real = real and _is_involution(a)
    proof.counterexample(
        given={
            "m": m,
            "layer 1": "h -> -h + 1",
            "layer 2": f"reflections of the plane at the angles pi/(2m) (1 -+ 2 x), 2m = {2 * m} states",
            "A(1) at odd t": second.transition((1, 1)),
            "A(1) at even t": second.transition((1, 0)),
            "outputs on 1^7": stack.run([1] * 7),
        },
        hypotheses={
            f"all {len(words)} products of {length(1)} (layer 1) and {length(2)} (layer 2) transitions square to I, so their spectra are real": real,
            "the stack adds modulo m at every length": found.mismatch is None,
        },
        violates={"m is not a power of two": m & (m - 1) != 0},
        minimal="L = 2, m = 3",
    )


@claim(
    "grazzi25.thm2.amended",
    topic="parity",
    place="Theorem 2, App. B.2",
    kind="amended",
    amends="grazzi25.thm2",
    title="if the products of 2^(i-1) transitions of layer i have real spectra, the output on 1^k has eventual period dividing 2^L",
    says=r"If for every layer $i\le L$ all products $A(x_1)\cdots A(x_{2^{i-1}})$ have real spectra, then in the cast model the output on $1^k$ is "
    r"eventually periodic with a period dividing $2^L$; so $(1^m)^*$ is recognised only for $m\mid2^L$.",
    hypotheses=(
        "cast model in every layer",
        "real spectra of the products of 2^(i-1) transitions of layer i",
        "rational eigenvalues (for the exact computation)",
    ),
    uses=("grazzi25.lemma1.amended", "grazzi25.thm1.unrolled.amended"),
    construction="lemmata.constructions.recurrence.Stack.eventual_outputs",
    sabotages={
        "the period is said to divide 2^(i-2)": {"bound": lambda level: 2 ** max(level - 1, 0)},
        "the input has period 3 instead of being 1^k": {"word": (0, 1, 2)},
    },
)
def real_spectra_count_powers_of_two(proof: Proof, bound=lambda level: 2**level, word=(1,)) -> None:
    """Layer i reads a word of period dividing 2^(i-1); along each residue class it applies one fixed product C; Lemma 1 makes
    every cast 2-periodic there, so the period at most doubles."""
    rng = Random(8)
    count = proof.pick(3, 12, 60)
    deepest = proof.pick(2, 3, 3)
    family = [
        (depth, random_stack(rng, depth, samples.DYADIC), samples.finite_set(rng)) for depth in range(1, deepest + 1) for _ in range(count)
    ]
    family += [(depth, parity.counting_stack(depth), FiniteSet([-1, 0, 1])) for depth in range(1, deepest + 1)]
    for depth, stack, D in proof.each(
        f"{len(family)} random stacks of 1 to {deepest} layers, n <= 3, eigenvalues 0, +-1/2, +-1, +-2, arbitrary decoders, and the binary counters",
        family,
    ):
        traces = stack.eventual_outputs(word, D)
        for level, trace in enumerate(traces):
            proof.exactly("the input of layer i has a period dividing 2^(i-1)", bound(level) % trace.least_period, 0)
        certify_stack(proof, stack, traces, D)
        below, layer = traces[-2], stack.layers[-1]
        read = [below.letter(t) for t in range(1, min(len(traces[-1].before) + 2**depth, 60) + 1)]
        states = list(layer.cast_states(read, D))[1:]
        simulated = [layer.decode(H, x) for H, x in zip(states, read, strict=True)]
        proof.exactly("a simulation agrees (first 60 letters)", simulated, [traces[-1].letter(t) for t in range(1, len(read) + 1)])


@claim(
    "new.parity.powers-of-two",
    topic="parity",
    place="after grazzi25 Theorem 2",
    kind="new",
    title="Theorem 2 is tight: p scalar layers with transitions 1 and -1 count modulo 2^p",
    says=r"For every $p\ge1$ there is a stack of $p$ scalar layers with $A\in\{1,-1\}$, $B=0$ that outputs the number of ones modulo $2^p$.",
    uses=("grazzi25.thm2.amended",),
    construction="lemmata.constructions.parity.counting_stack",
    sabotages={"one layer too few": {"stack_of": lambda p: parity.counting_stack(max(p - 1, 1))}},
)
def a_binary_counter(proof: Proof, stack_of=parity.counting_stack) -> None:
    """Bit i flips when the bits below have all become zero; 2^p states are reachable, and the product closes."""
    deepest = proof.pick(4, 6, 8)
    for p in proof.every(f"p <= {deepest}", range(1, deepest + 1)):
        stack = stack_of(p)
        found = computes(
            proof, "the output is the number of ones modulo 2^p", stack, lambda q, x, p=p: (q + x) % 2**p, 0, (0, 1), lambda q: q
        )
        proof.exactly("2^p states are reachable", len(found.pairs), 2**p)


# -- the display of App. B.2 -----------------------------------------------------------------------------------------------


def _cast_terms(layer: Recurrence, D: FiniteSet, horizon: int) -> tuple[list, list]:
    """(cast(A^k B), cast(A^k H_0)) for k < horizon, scalars."""
    a, b, h = layer.transition(1)[0, 0], layer.inputs(1)[0, 0], layer.initial[0, 0]
    return [D.cast_scalar(a**k * b) for k in range(horizon)], [D.cast_scalar(a**k * h) for k in range(horizon)]


def _printed_display(C: list, last: list, tau: int, k: int) -> tuple[fmpq, fmpq]:
    """(argument of cast for H_2k, for H_2k+1) as printed; C_1, D_1 belong to odd and C_2, D_2 to even indices."""
    head = sum(C[1:tau], fmpq(0))
    even, odd = (k - tau // 2 + 1) * C[tau] + (k - tau // 2) * C[tau + 1], (k - tau // 2 + 1) * (C[tau] + C[tau + 1])
    return head + even + k * last[tau], head + odd + k * last[tau + 1]


def _amended_display(C: list, last: list, tau: int, k: int) -> tuple[fmpq, fmpq]:
    """The same with i from 0, as many odd as even indices up to 2k - 1, and the H_0 term once."""
    head = sum(C[:tau], fmpq(0)) + (k - tau // 2) * (C[tau] + C[tau + 1])
    return head + last[tau], head + C[tau] + last[tau + 1]


def _settled_scalar(a, b, h, D: FiniteSet) -> tuple[Recurrence, int]:
    """A scalar layer and an even tau from which its cast terms are 2-periodic."""
    layer = parity.power_recurrence(parity.scalar(a), parity.scalar(h), parity.scalar(b))
    settled = layer.eventual_states([], [1], D).settled
    return layer, settled + settled % 2


@claim(
    "grazzi25.thm2.display",
    topic="parity",
    place="App. B.2, display of H_2k and H_2k+1",
    title="the displayed states of one layer at even and odd k are right",
    says=r"$\widehat H_{2k}=\mathrm{cast}\bigl(\sum_{i=1}^{\tau-1}\widehat C_i+(k-\tfrac\tau2+1)\bar C_2+(k-\tfrac\tau2)\bar C_1+k\bar D_2\bigr)$ and the "
    r"like for $2k+1$.",
    reading="C_1, D_1 are the values at odd and C_2, D_2 at even indices, as defined just above the display",
    sabotages={"the corrected display": {"display": _amended_display}},
)
def display_as_printed(proof: Proof, display=_printed_display) -> None:
    """H_0 enters k times and the sum starts at 1; compare with the definition on scalars."""
    D = FiniteSet([-2, -1, 0, 1, 2])

    def differs(candidate: tuple[int, int, int]) -> tuple | None:
        a, b, h = candidate
        layer, tau = _settled_scalar(a, b, h, D)
        k = tau // 2 + 2
        C, last = _cast_terms(layer, D, tau + 2)
        displayed = D.cast_scalar(display(C, last, tau, k)[0])
        true = list(layer.cast_states([1] * (2 * k), D))[-1][0, 0]
        return (tau, k, displayed, true) if displayed != true else None

    found = proof.smallest("scalars a in {0, 1, -1}, b, h in {0, 1}", product((0, 1, -1), (0, 1), (0, 1)), differs)
    if found:
        (a, b, h), (tau, k, displayed, true) = found
        proof.counterexample(
            given={"A(1)": a, "B(1)": b, "H_0": h, "D": D, "tau": tau, "k": k, "displayed H_2k": displayed, "H_2k by definition": true},
            hypotheses={"the casts are 2-periodic from the even tau on": tau % 2 == 0},
            violates={"the display differs from the definition": displayed != true},
            minimal="n = 1",
        )


@claim(
    "grazzi25.thm2.display.amended",
    topic="parity",
    place="App. B.2, display of H_2k and H_2k+1",
    kind="amended",
    amends="grazzi25.thm2.display",
    title="with the sum from 0, equal counts of odd and even terms and H_0 once, the display is right",
    says=r"$\widehat H_{2k}=\mathrm{cast}\bigl(\sum_{i<\tau}\widehat C_i+(k-\tfrac\tau2)(\bar C_1+\bar C_2)+\bar D_2\bigr)$, "
    r"$\widehat H_{2k+1}=\mathrm{cast}\bigl(\sum_{i<\tau}\widehat C_i+(k-\tfrac\tau2)(\bar C_1+\bar C_2)+\bar C_2+\bar D_1\bigr)$.",
    sabotages={"the display as printed": {"display": _printed_display}},
)
def display_amended(proof: Proof, display=_amended_display) -> None:
    """Count the indices tau .. 2k-1 and tau .. 2k by parity; compare with the definition."""
    rng = Random(9)
    count = proof.pick(20, 100, 500)
    for _ in proof.each(f"{count} random scalar layers, |D| <= 5", range(count)):
        D = samples.finite_set(rng)
        layer, tau = _settled_scalar(rng.choice(samples.REAL), samples.fraction(rng, -2, 2), samples.fraction(rng, -2, 2), D)
        C, last = _cast_terms(layer, D, tau + 2)
        for k in (tau // 2, tau // 2 + 1, tau // 2 + 3):
            true = list(islice(layer.cast_states([1] * (2 * k + 1), D), 2 * k, 2 * k + 2))
            displayed = [D.cast_scalar(x) for x in display(C, last, tau, k)]
            proof.exactly("display and definition agree at 2k and 2k+1", displayed, [H[0, 0] for H in true])


# -- what the paper concludes from it ------------------------------------------------------------------------------------


@claim(
    "grazzi25.thm2.discussion",
    topic="parity",
    place="Sec. 4.1, Discussion",
    title="LRNNs with real diagonal or triangular transitions cannot count modulo m",
    says=r"No stack of layers with real diagonal or triangular $A(x)$ recognises $(1^m)^*$, $m\ge2$.",
    reading="as printed, without 'm not a power of two'",
    uses=("new.parity.powers-of-two",),
    sabotages={"the smallest m is 3": {"moduli": (3, 5, 6)}},
)
def diagonal_layers_do_count(proof: Proof, moduli=(2, 3, 4)) -> None:
    """Scalar layers are diagonal; p of them count modulo 2^p, so m = 2 is already a counterexample."""

    def counts(m: int) -> bool:
        p = (m - 1).bit_length()
        network = parity.counting_stack(p)
        return computes(Proof(), "count", network, lambda q, x: (q + x) % m, 0, (0, 1), lambda q: q).mismatch is None

    found = proof.smallest("m, with ceil(log2 m) scalar layers", moduli, counts)
    if found:
        m, _ = found
        computes(
            proof,
            f"the output is the count modulo {m}",
            parity.counting_stack((m - 1).bit_length()),
            lambda q, x: (q + x) % m,
            0,
            (0, 1),
            lambda q: q,
        )
        proof.counterexample(
            given={"m": m, "layer": "h -> -h at the letter 1, h -> h at 0, h_0 = 1; output 1 iff h = -1"},
            hypotheses={"every layer is scalar": all(len(H) == 1 for H in parity.counting_stack((m - 1).bit_length()).initial)},
            violates={f"the layer counts modulo {m} at every length": counts(m)},
            minimal=f"n = 1, m = {m}",
        )


@claim(
    "grazzi25.abstract.triangular",
    topic="parity",
    place="Abstract; Sec. 4.2 before Sec. 4.3",
    title="non-triangular transitions are needed to count modulo 3",
    says=r"A layer as in Eq. 1 that counts modulo $3$ has a transition that is not triangular.",
    reading="Eq. 1 allows complex A; 'real' is missing",
    sabotages={"the sixth root of one": {"order": 6}},
)
def a_complex_scalar_counts_modulo_three(proof: Proof, order: int = 3) -> None:
    """A 1 x 1 matrix is triangular, and exp(2 pi i / 3) has order 3."""
    zeta = root_of_unity(order)
    one = np.array([[zeta**0]], dtype=object)
    powers = {exact.freeze(one * zeta**k): k for k in range(3)}
    table = {0: (one, one * 0), 1: (one * zeta, one * 0)}
    layer = Recurrence.from_table(table, one, lambda H, x: powers.get(exact.freeze(H)))
    found = computes(proof, "the state is zeta^(number of ones)", layer, lambda q, x: (q + x) % 3, 0, (0, 1), lambda q: q)
    proof.counterexample(
        given={"A(1)": f"exp(2 pi i / {order})", "A(0)": 1, "B": 0, "H_0": 1, "states on 1^4": [H[0, 0] for H in layer.states([1] * 4)]},
        hypotheses={"the transitions are 1 x 1, hence triangular": layer.transition(1).shape == (1, 1)},
        violates={"the layer counts modulo 3 at every length": found.mismatch is None},
        minimal="n = 1",
    )
