"""grazzi25, Theorem 1: nonnegative spectra cannot compute parity, in the cast model of App. B.1."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice, pairwise
from random import Random

import numpy as np
from flint import fmpq

from ...constructions import parity, samples
from ...constructions.recurrence import LayerTrace, Recurrence, Stack
from ...numerics import exact
from ...numerics.cyclotomic import gaussian, realify
from ...numerics.eventual import Eventually
from ...numerics.exact import Array
from ...numerics.finite_precision import FiniteSet
from ...numerics.jordan import jordan_form
from ..claim import claim
from ..evidence import Proof

# -- the cast model, written out a second time -----------------------------------------------------------------------------


def by_definition(layer: Recurrence, word: Iterable, D: FiniteSet, inner: bool = True) -> list[Array]:
    """H_0, H_1, ... with H_t = cast(sum_i cast(A(x_t) ... A(x_{i+1}) B(x_i)) + cast(A(x_t) ... A(x_1) H_0)) (App. B.1).

    Shares nothing with ``cast_model_states``, which the constructions use; ``inner`` False drops the casts inside the sum.
    """
    n, d = layer.initial.shape
    middles = [(a + b) / 2 for a, b in pairwise(D.values)]

    def cast(x: fmpq) -> fmpq:
        # nearest element, the smaller one at a tie: as many midpoints lie strictly below x as elements below cast(x)
        return D.values[sum(y < x for y in middles)]

    terms = layer.initial  # side by side, the state's first
    states = [exact.map_entries(cast, layer.initial)]
    for x in word:
        terms = np.concatenate([exact.multiply(layer.transition(x), terms), layer.inputs(x)], axis=1)
        rounded = exact.map_entries(cast, terms) if inner else terms
        states.append(exact.map_entries(cast, sum((rounded[:, j : j + d] for j in range(0, terms.shape[1], d)), exact.zeros(n, d))))
    return states


def without_inner_casts(layer: Recurrence, word: Iterable, D: FiniteSet) -> list[Array]:
    """The state in infinite precision, cast once."""
    return by_definition(layer, word, D, inner=False)


class Hasty(Recurrence):
    """A layer whose outer cast is taken to have settled as soon as the inner ones have."""

    def eventual_states(self, before, period, D: FiniteSet) -> Eventually:
        true = super().eventual_states(before, period, D)
        p = len(period)
        threshold = len(before) + p * (true.settled + true.settled % 2)
        states = [true.state(t) for t in range(threshold + 2 * p)]
        return Eventually(states[:threshold], states[threshold:], true.settled, true.monodromy)


def hasty(layer: Recurrence) -> Recurrence:
    return Hasty(layer.transition, layer.inputs, layer.initial, layer.decode)


def spectrum_is_nonnegative(a: Array) -> bool:
    """Real roots only, and by Descartes none negative: det(xI - A) has coefficients of alternating sign."""
    p = exact.characteristic_polynomial(a)
    n = len(a)
    return exact.count_real_roots(p) == n and all(c * (-1) ** (n - k) >= 0 for k, c in enumerate(p.coeffs()))


# -- certificates --------------------------------------------------------------------------------------------------------


def certify_eventually_periodic(proof: Proof, layer: Recurrence, D: FiniteSet) -> None:
    """Keep what recheck needs to repeat the argument for the word 111...: the layer, D, Jordan data, threshold and cycle."""
    states = layer.eventual_states([], [1], D)
    title = f"on 1^k the cast state has period {states.period} from k = {states.threshold} on"
    proof.certificate("eventually-periodic", title, D=D, layers=[layer_data(layer, LayerTrace([], [1], states))])


def certify_stack(proof: Proof, stack: Stack, traces: list[LayerTrace], D: FiniteSet) -> None:
    """The same for every layer of a stack, each reading what the one below puts out."""
    layers = [layer_data(layer, trace) for layer, trace in zip(stack.layers, traces, strict=False)]
    outputs = {"before": [str(y) for y in traces[-1].before], "period": [str(y) for y in traces[-1].period]}
    proof.certificate(
        "eventually-periodic", f"the output on 1^k has eventual period {traces[-1].least_period}", D=D, layers=layers, outputs=outputs
    )


def layer_data(layer: Recurrence, trace: LayerTrace) -> dict:
    """A layer and its eventual states as plain data; letters become indices into ``maps``."""
    letters = list(dict.fromkeys(trace.before + trace.period))
    states = trace.states
    if states is None:
        raise ValueError("expected the trace of a layer, got that of a stack's outputs")
    return {
        "maps": [{"A": exact.rationals(layer.transition(x)), "B": exact.rationals(layer.inputs(x))} for x in letters],
        "H0": layer.initial,
        "before": [letters.index(x) for x in trace.before],
        "period": [letters.index(x) for x in trace.period],
        "P": states.monodromy.basis,
        "P_inverse": states.monodromy.basis_inverse,
        "blocks": [[x, size] for x, size in states.monodromy.blocks],
        "settled": states.settled,
        "threshold": states.threshold,
        "cycle": states.cycle,
    }


# -- layers and stacks to run it on ----------------------------------------------------------------------------------------


def _nonnegative_layer(rng: Random, n: int, eigenvalues=tuple(samples.NONNEGATIVE)) -> Recurrence:
    """A random one-letter layer whose transition has prescribed rational Jordan blocks."""
    a = samples.with_jordan_form(samples.jordan_blocks(rng, n, eigenvalues), samples.basis(rng, n))
    return parity.power_recurrence(a, samples.integers(rng, n, 1), samples.integers(rng, n, 1))


def _complex_layer(rng: Random) -> Recurrence:
    """A complex 1 x 1 or 2 x 2 layer (complex A, B and H_0, nonnegative spectrum) as a real one of twice the size."""
    n = rng.choice((1, 2))
    i = gaussian(0, 1)
    u = exact.identity(n)
    if n == 2:
        u = np.array([[fmpq(1), i], [fmpq(0), fmpq(1)]], dtype=object)
    inverse = 2 * exact.identity(n) - u  # (I + N)^-1 = I - N for N = u - I with N^2 = 0
    a = u @ samples.triangular(rng, n, samples.NONNEGATIVE) @ inverse
    stack = [np.concatenate([samples.integers(rng, n, 1), samples.integers(rng, n, 1)]) for _ in range(2)]
    return parity.power_recurrence(realify(a), *stack)


def counter(step: fmpq, size: int = 1) -> Recurrence:
    """h -> h + step at every letter, from 0, every entry: the casts of its terms settle at once, the cast of their sum late."""
    return parity.power_recurrence(exact.identity(size), exact.zeros(size, 1), exact.zeros(size, 1) + step)


def random_stack(rng: Random, depth: int, eigenvalues: list[fmpq]) -> Stack:
    """Layers of size 1 to 3 over letters 0, 1, 2 (1 for the first), triangular in one basis each, with arbitrary decoders.

    The products of a layer's transitions have their eigenvalues among the products of ``eigenvalues``.
    """

    def layer() -> Recurrence:
        n = rng.randint(1, 3)
        p = samples.basis(rng, n)
        back = exact.inverse(p)
        table = {}
        for x in range(3):
            a = exact.multiply(p, samples.triangular(rng, n, eigenvalues), back)
            # where nothing is added the state may move for ever
            table[x] = (a, samples.integers(rng, n, 1, bound=1) * rng.choice((0, 1)))
        weights = [rng.randint(1, 2) for _ in range(n + 1)]

        def decode(H, x) -> int:
            return int(sum(w * int(2 * entry) for w, entry in zip(weights, H.flat, strict=False)) + weights[-1] * x) % 3

        return Recurrence.from_table(table, samples.integers(rng, n, 1), decode)

    return Stack(tuple(layer() for _ in range(depth)))


def points(rng: Random, i: int) -> FiniteSet:
    """A random D; two of three contain 0 and are symmetric."""
    return samples.symmetric_set(rng) if i % 3 else samples.finite_set(rng)


def several_points(proof: Proof, sets: list[FiniteSet]) -> None:
    """Record that most casts have something to decide."""
    proof.holds("two thirds of the sets D have three points or more", 3 * sum(len(D) > 2 for D in sets) >= 2 * len(sets))


def late_stack() -> Stack:
    """Two layers h -> h + x; each hands up h + x modulo 3, which changes until the cast of h has saturated."""

    def layer(transition: int) -> Recurrence:
        table = {x: (parity.scalar(transition), parity.scalar(x)) for x in range(3)}
        return Recurrence.from_table(table, parity.scalar(0), lambda H, x: int(H[0, 0] + x) % 3)

    return Stack((layer(1), layer(1)))


def slow_alternation() -> Stack:
    """h -> 16 x - h from 0: on 1^k over D = {-15, 0, 16, 31} the cast inputs add up to j + 16 and j in turn, so that the outer cast settles late, and later at even times."""
    table = {x: (parity.scalar(-1), parity.scalar(16 * x)) for x in range(3)}
    return Stack((Recurrence.from_table(table, parity.scalar(0), lambda H, x: int(H[0, 0])),))


def agrees(proof: Proof, stack: Stack, traces: list[LayerTrace], D: FiniteSet, simulate: Callable, letters: int = 60) -> None:
    """Record that a simulation by the definition agrees with every layer's trace on its first ``letters`` letters."""
    for layer, below, above in zip(stack.layers, traces, traces[1:], strict=False):
        word = [below.letter(t) for t in range(1, min(len(above.before) + 3 * len(above.period), letters) + 1)]
        states = simulate(layer, word, D)[1:]
        outputs = [layer.decode(H, x) for H, x in zip(states, word, strict=True)]
        proof.exactly(
            f"a simulation by the definition agrees (first {letters} letters)", outputs, [above.letter(t) for t in range(1, len(word) + 1)]
        )


# -- the theorem -----------------------------------------------------------------------------------------------------------


@claim(
    "grazzi25.thm1.layer",
    place="Theorem 1, App. B.1 (one layer)",
    title="one layer whose A(1) has spectrum in [0, ∞) is eventually constant on 1ᵏ, so no decoder finds the parity",
    says=r"In the cast model, if every eigenvalue of $A(1)$ lies in $[0,\infty)$ then $\widehat H_k$ on $1^k$ is constant from a "
    r"computable $\bar k$ on, for every finite $\mathbb D$, $B(1)$ and $H_0$; hence no decoder recognises $(11)^*$.",
    hypotheses=(
        "cast model: products in infinite precision, then cast",
        "spectrum of A(1) in [0, inf)",
        "rational eigenvalues (for the exact computation)",
    ),
    construction="lemmata.numerics.eventual.eventual_states",
    sabotages={
        "an eigenvalue -2 slips in": {"layer": lambda rng, n: _nonnegative_layer(rng, n, (fmpq(-2),))},
        "an eigenvalue -1 slips in": {"layer": lambda rng, n: _nonnegative_layer(rng, n, (fmpq(-1), fmpq(1)))},
        "nothing moves": {"layer": lambda rng, n: counter(fmpq(0), n)},
        "the casts inside the sum are dropped": {"simulate": without_inner_casts},
        "the outer cast is not waited for": {"prepare": hasty},
    },
)
def nonnegative_spectrum_is_eventually_constant(
    proof: Proof, layer=_nonnegative_layer, simulate=by_definition, prepare=lambda layer: layer
) -> None:
    r"""The terms of the state are powers of $A(1)$, whose entries are the sums of Lemma 1; what is left to cast is linear in $k$.

    1. On $1^k$ the cast model is $\widehat H_k=\mathrm{cast}\bigl(\sum_{i<k}\mathrm{cast}(A^iB)+\mathrm{cast}(A^kH_0)\bigr)$ with $A=A(1)$, $B=B(1)$.
       [uses: grazzi25.thm1.unrolled.amended]
    2. Let $A=PJP^{-1}$ with Jordan blocks $(\lambda,s)$. The $m$-th superdiagonal of the $k$-th power of a block is $\binom km\lambda^{k-m}$, so that the entries of $A^kB$ and $A^kH_0$
       are sums as in Lemma 1, with $\lambda\ge0$ by hypothesis. [checked: "the spectrum of A(1) lies in [0, inf)"] [prose]
    3. By the lemma each of them has a constant cast from some $\tau$ on, say $\widehat C$ and $\widehat D$. [uses: grazzi25.lemma1]
    4. For $k\ge\tau$ the argument of the outer cast is $\sum_{i<\tau}\mathrm{cast}(A^iB)+(k-\tau)\widehat C+\widehat D$: entry by entry an arithmetic progression,
       constant or beyond the last midpoint of $\mathbb D$ for large $k$. So its cast is constant from a $\bar k$ on, which is found by comparing with the midpoints.
       [checked: "the state has eventual period 1"] [prose]
    5. The states so predicted are those of the definition. [checked: "a simulation by the definition agrees"]
    6. For $k\ge\bar k$ a decoder sees the same state and letter at $k$ and at $k+1$, of which one is even. Complex $A$, $B$, $H_0$ are real ones of twice the size, with the same
       spectrum (doubled), and cast acts on real and imaginary parts. [prose]
    """
    proof.formally("the kernel: outputs settle", "parity.nonnegative_stacks_settle", differs="no threshold is computed")
    rng = Random(3)
    largest, per_size = proof.pick((3, 4), (4, 12), (6, 60))
    family = [(layer(rng, n), samples.finite_set(rng)) for n in range(1, largest + 1) for _ in range(per_size)]
    complex_ones = [(_complex_layer(rng), samples.finite_set(rng)) for _ in range(per_size)]
    for kind, ones in (("real", family), ("complex", complex_ones)):
        started = sum(any(x != 0 for x in one.initial.flat) for one, _ in ones)
        proof.holds(f"most of the {kind} layers start with a state that is not 0", 2 * started > len(ones))
    family += complex_ones
    family += [(counter(fmpq(1)), FiniteSet(range(6))), (counter(fmpq(-2), 2), FiniteSet([-7, -3, 0, 3]))]
    describe = f"{len(family)} layers, n <= {largest}, rational Jordan blocks of all sizes, complex ones included, |D| <= 6, seed 3"
    moving, defective = 0, 0
    for one, D in proof.each(describe, family):
        proof.holds("the spectrum of A(1) lies in [0, inf)", spectrum_is_nonnegative(one.transition(1)))
        states = prepare(one).eventual_states([], [1], D)
        proof.exactly("the state has eventual period 1", states.period, 1)
        horizon = min(states.threshold + 4, 200)
        predicted = [states.state(k) for k in range(horizon + 1)]
        proof.exactly("a simulation by the definition agrees, at the threshold and beyond", simulate(one, [1] * horizon, D), predicted)
        moving += any(not np.array_equal(H, predicted[-1]) for H in predicted)
        defective += any(size > 1 and x > 0 for x, size in jordan_form(one.transition(1)).blocks)
        if len(D) > 1:
            certify_eventually_periodic(proof, one, D)
    proof.holds("more than half of the states move before they settle", 2 * moving > len(family))
    proof.holds("a quarter of the transitions have a Jordan block of size 2 or more at an eigenvalue above 0", 4 * defective > len(family))
    one, D = counter(fmpq(1)), FiniteSet(range(6))
    states = prepare(one).eventual_states([], [1], D)
    proof.exhibit(
        "the counter h -> h + 1 saturates",
        D=D,
        constant_from=states.threshold,
        states=[H[0, 0] for H in islice(one.cast_states([1] * 8, D), 9)],
    )


@claim(
    "grazzi25.thm1",
    place="Theorem 1",
    title="a stack whose transitions have spectra in [0, ∞) is eventually constant on 1ᵏ, so it does not recognise (11)*",
    says=r"In the cast model a stack of finitely many layers that recognises $(11)^*$ has, in at least one layer, an $A(x)$ with an eigenvalue outside $[0,\infty)$: if all "
    r"spectra lie in $[0,\infty)$, the outputs of all layers on $1^k$ are eventually constant, whatever the decoders and the transients of the layers below.",
    hypotheses=(
        "cast model in every layer: products in infinite precision, then cast",
        "all spectra in [0, inf)",
        "rational eigenvalues (for the exact computation)",
    ),
    construction="lemmata.numerics.eventual.eventual_states",
    remarks=(
        "App. A.4 and B.1 call the cast model a simplification. With rounding at every step the conclusion does not follow from the spectrum (new.parity.stepwise.two-cycle), "
        "it does follow for symmetric positive semidefinite transitions if A h + b is rounded once (new.parity.stepwise.monotone), "
        "and not if k.h is rounded before (new.parity.stepwise.delta).",
        "The condition is not sufficient: see grazzi25.thm1.converse.",
    ),
    sabotages={
        "without the hypothesis on the spectrum, which the kernel refutes": {"theorem": "parity_converse.no_parity_for_any_spectrum"},
        "a layer may use the eigenvalue -1": {"eigenvalues": [fmpq(-1)]},
        "nothing moves": {"stacks_of": lambda rng, depth: Stack(tuple(counter_of_letters(0) for _ in range(depth)))},
        "the casts inside the sum are dropped": {"simulate": without_inner_casts},
        "the outer cast is not waited for": {"prepare": hasty},
    },
)
def stacks_are_eventually_constant(
    proof: Proof,
    eigenvalues=tuple(samples.NONNEGATIVE),
    stacks_of=None,
    simulate=by_definition,
    prepare=lambda layer: layer,
    theorem: str = "parity.no_parity",
) -> None:
    r"""Induction on the layers: a layer whose input is eventually constant repeats one affine map, from a state that is a sum of finitely many old terms.

    1. The first layer reads $1^k$, a constant word, and its states are eventually constant. [uses: grazzi25.thm1.layer]
    2. Let a layer read a word $x_1\dots x_\tau\,y\,y\,y\dots$ and put $A=A(y)$, $B=B(y)$. At time $\tau+k$ the terms that it casts are $A^kV$, for the finitely many terms
       $V$ of time $\tau$ (one for each $B(x_i)$, $i\le\tau$, and one for $H_0$), and $A^iB$ for $i<k$. [prose]
    3. Each is a power of $A$ applied to a constant. So its entries are sums as in Lemma 1 with $\lambda\ge0$, with a constant cast for large $k$, and the argument of the
       outer cast is again linear in $k$: the transient changes the constant that the state ends in, not that it ends. [uses: grazzi25.lemma1] [prose]
    4. A decoder is a function of state and letter, so its outputs, the next layer's letters, are eventually constant. [checked: "the output has eventual period 1"]
    5. Each layer's outputs, transient included, are those of the definition. [checked: "a simulation by the definition agrees"]
    6. The last layer gives the same output at $k$ and $k+1$ for large $k$, of which one is even: it does not recognise $(11)^*$. [prose]
    """
    proof.formally("the kernel: on a constant word every stack's outputs settle", "parity.nonnegative_stacks_settle")
    proof.formally(
        "the kernel: so no stack computes the parity",
        theorem,
        whole="every width, depth, decoder and finite D",
        differs="real entries (complex ones in the next step); an ordered field for the reals; 'eventually constant' under a double negation, as the kernel's logic is constructive; ties in the cast may be broken in any way",
    )
    proof.formally("the kernel: with complex entries they settle too", "complex_layers.complex_stacks_settle")
    proof.formally(
        "the kernel: nor a stack with complex entries",
        "complex_layers.complex_no_parity",
        differs="a real closed field for the reals; real and imaginary parts are cast one by one",
    )
    proof.formally("the kernel: rounding to nearest, ties broken in any way, is such a cast", "casts.nearest_is_a_cast")
    proof.formally("the kernel: where all numbers are in D the run is exact", "casts.runs_on_finitely_many_numbers_are_exact")
    rng = Random(4)
    count = proof.pick(6, 20, 200)
    draw = stacks_of or (lambda rng, depth: random_stack(rng, depth, list(eigenvalues)))
    stacks = [(draw(rng, rng.randint(2, 3)), points(rng, i)) for i in range(count)]
    stacks.append((late_stack(), FiniteSet(range(6))))
    moving = 0
    several_points(proof, [D for _, D in stacks])
    for stack, D in proof.each(f"{len(stacks)} stacks of 2 or 3 layers, n <= 3, arbitrary decoders, |D| <= 6, seed 4", stacks):
        traces = Stack(tuple(prepare(layer) for layer in stack.layers)).eventual_outputs([1], D)
        for layer, trace, above in zip(stack.layers, traces, traces[1:], strict=False):
            read = dict.fromkeys(trace.before + trace.period)
            proof.holds("all spectra lie in [0, inf)", all(spectrum_is_nonnegative(layer.transition(x)) for x in read))
            proof.exactly("the output has eventual period 1", above.least_period, 1)
        agrees(proof, stack, traces, D, simulate)
        moving += any(y != traces[1].period[0] for y in traces[1].before)
        if len(D) > 1:
            certify_stack(proof, stack, traces, D)
    proof.holds("a quarter of the second layers read words that are not constant", 4 * moving > len(stacks))


def counter_of_letters(step: int) -> Recurrence:
    """h -> h + step x at the letter x, from 0, read modulo 3."""
    table = {x: (parity.scalar(1), parity.scalar(step * x)) for x in range(3)}
    return Recurrence.from_table(table, parity.scalar(0), lambda H, x: int(H[0, 0]) % 3)
