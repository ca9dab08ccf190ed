"""grazzi25, Theorem 1: nonnegative spectra cannot compute parity, in the cast model of App. B.1."""

from __future__ import annotations

from itertools import islice, product
from math import ceil, log2
from random import Random

import numpy as np
import sympy
from flint import fmpq

from ...constructions import parity, samples
from ...constructions.recurrence import LayerTrace, Recurrence, Stack
from ...numerics import exact
from ...numerics.cyclotomic import gaussian, realify
from ...numerics.finite_precision import FiniteSet
from ..claim import claim
from ..closure import computes
from ..evidence import Proof

# -- the unrolled state --------------------------------------------------------------------------------------------------


def _printed_unrolling(steps: list[tuple], initial):
    """sum_{i=1}^{k-1} (prod_{j=i+1}^{k-1} A_j) B_i + (prod_{i=1}^k A_i) H_0, products latest first (the kind reading)."""
    k, total = len(steps), 0
    for i in range(1, k):
        total = total + _latest_first(steps[i : k - 1]) * steps[i - 1][1]
    return total + _latest_first(steps) * initial


def _unrolling(steps: list[tuple], initial):
    """sum_{i=1}^{k} (prod_{j=i+1}^{k} A_j) B_i + (prod_{i=1}^k A_i) H_0, products latest first."""
    total = 0
    for i in range(1, len(steps) + 1):
        total = total + _latest_first(steps[i:]) * steps[i - 1][1]
    return total + _latest_first(steps) * initial


def _latest_first(steps: list[tuple]):
    out = 1
    for a, _ in steps:
        out = a * out
    return out


def _recursion(steps: list[tuple], state):
    for a, b in steps:
        state = a * state + b
    return state


@claim(
    "grazzi25.thm1.unrolled",
    topic="parity",
    place="App. B.1, unrolled recursion",
    title="the printed closed form of the state equals the recursion",
    says=r"$H_k=\sum_{i=1}^{k-1}\bigl(\prod_{j=i+1}^{k-1}A(x_j)\bigr)B(x_i)+\bigl(\prod_{i=1}^kA(x_i)\bigr)H_0$.",
    reading="products run from the latest factor to the earliest; in the printed order of the indices they are reversed as well",
    sabotages={"the sum and its products run to k": {"closed_form": _unrolling}},
)
def printed_closed_form(proof: Proof, closed_form=_printed_unrolling) -> None:
    """At k = 1 the printed sum is empty, so that B(x_1) is lost; compare scalars a, b, h with the recursion."""
    candidates = ((k, a, b, h) for k in range(0, 4) for a, b, h in product((0, 1, 2), repeat=3))
    found = proof.smallest(
        "k = 0 .. 3, then constant scalars a, b, h in {0, 1, 2}",
        candidates,
        lambda c: closed_form([(c[1], c[2])] * c[0], c[3]) != _recursion([(c[1], c[2])] * c[0], c[3]),
    )
    if found:
        (k, a, b, h), _ = found
        steps = [(a, b)] * k
        proof.counterexample(
            given={"k": k, "A": a, "B": b, "H_0": h, "printed": closed_form(steps, h), "recursion": _recursion(steps, h)},
            hypotheses={"k >= 1": k >= 1},
            violates={"the two differ": closed_form(steps, h) != _recursion(steps, h)}
            | {
                f"they also differ at k = {j} (A = 2, B = 1, H_0 = 0)": closed_form([(2, 1)] * j, 0) != _recursion([(2, 1)] * j, 0)
                for j in range(1, 6)
            },
            minimal=f"k = {k}, n = 1",
        )


@claim(
    "grazzi25.thm1.unrolled.amended",
    topic="parity",
    place="App. B.1, unrolled recursion",
    kind="amended",
    amends="grazzi25.thm1.unrolled",
    title="the state is the sum over i <= k of the later transitions applied to B(x_i), plus all of them on H_0",
    says=r"$H_k=\sum_{i=1}^{k}A(x_k)\cdots A(x_{i+1})\,B(x_i)+A(x_k)\cdots A(x_1)\,H_0$.",
    construction="lemmata.constructions.recurrence.Recurrence.closed_form",
    sabotages={"the printed bounds k - 1": {"closed_form": _printed_unrolling}},
)
def closed_form_of_the_state(proof: Proof, closed_form=_unrolling) -> None:
    """Expand the recursion in noncommuting symbols and compare; then the code that computes it, on matrices."""
    longest = proof.pick(4, 6, 8)
    for k in range(longest + 1):
        steps = [sympy.symbols(f"A{i} B{i}", commutative=False) for i in range(1, k + 1)]
        h0 = sympy.Symbol("H0", commutative=False)
        proof.symbolically(
            "the closed form equals the recursion", closed_form(steps, h0), _recursion(steps, h0), "A, B, H_0", f"k <= {longest}"
        )
    rng = Random(2)
    for n, k in proof.each("random rational layers, n <= 3, k <= 5", product((1, 2, 3), range(6))):
        table = {x: (samples.integers(rng, n, n), samples.integers(rng, n, 2)) for x in "ab"}
        layer = Recurrence.from_table(table, samples.integers(rng, n, 2), lambda H, x: None)
        word = "".join(rng.choice("ab") for _ in range(k))
        proof.exactly("Recurrence.closed_form equals the step-by-step state", layer.closed_form(word), list(layer.states(word))[-1])


# -- the theorem ---------------------------------------------------------------------------------------------------------


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


@claim(
    "grazzi25.thm1",
    topic="parity",
    place="Theorem 1, App. B.1 (one layer)",
    title="one layer whose A(1) has spectrum in [0, inf) is eventually constant on 1^k, so no decoder finds the parity",
    says=r"In the cast model, if every eigenvalue of $A(1)$ lies in $[0,\infty)$ then $\widehat H_k$ on $1^k$ is constant from a "
    r"computable $\bar k$ on, for every finite $\mathbb D$, $B(1)$ and $H_0$; hence no decoder recognises $(11)^*$.",
    hypotheses=(
        "cast model: products in infinite precision, then cast",
        "spectrum of A(1) in [0, inf)",
        "rational eigenvalues (for the exact computation)",
    ),
    uses=("grazzi25.lemma1.amended", "grazzi25.thm1.unrolled.amended"),
    construction="lemmata.numerics.eventual.eventual_states",
    sabotages={
        "an eigenvalue -2 slips in": {"layer": lambda rng, n: _nonnegative_layer(rng, n, (fmpq(-2),))},
        "an eigenvalue -1 slips in": {"layer": lambda rng, n: _nonnegative_layer(rng, n, (fmpq(-1), fmpq(1)))},
    },
)
def nonnegative_spectrum_is_eventually_constant(proof: Proof, layer=_nonnegative_layer) -> None:
    """Jordan form of A(1); entries of A^k B and A^k H_0 are exponential sums; Lemma 1 for each; their sum is linear in k.

    The threshold is computed, and the states up to it and beyond it are simulated term by term as a second opinion.
    """
    rng = Random(3)
    largest, per_size = proof.pick((3, 4), (4, 12), (6, 60))
    family = [(layer(rng, n), samples.finite_set(rng)) for n in range(1, largest + 1) for _ in range(per_size)]
    family += [(_complex_layer(rng), samples.finite_set(rng)) for _ in range(per_size)]
    describe = f"{len(family)} layers, n <= {largest}, rational Jordan blocks of all sizes, complex ones included, |D| <= 5"
    for one, D in proof.each(describe, family):
        states = one.eventual_states([], [1], D)
        proof.exactly("the state has eventual period 1", states.period, 1)
        horizon = states.threshold + 4
        simulated = list(islice(one.cast_states([1] * horizon, D), horizon + 1))
        predicted = [states.state(k) for k in range(horizon + 1)]
        proof.exactly("a simulation of the cast model agrees, at the threshold and beyond", simulated, predicted)
        certify_eventually_periodic(proof, one, D)


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
        "maps": [{"A": layer.transition(x), "B": layer.inputs(x)} for x in letters],
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
            table[x] = (a, samples.integers(rng, n, 1, bound=1))
        weights = [rng.randint(0, 2) for _ in range(n + 1)]

        def decode(H, x) -> int:
            return int(sum(w * int(2 * entry) for w, entry in zip(weights, H.flat, strict=False)) + weights[-1] * x) % 3

        return Recurrence.from_table(table, samples.integers(rng, n, 1), decode)

    return Stack(tuple(layer() for _ in range(depth)))


@claim(
    "grazzi25.thm1.layers",
    topic="parity",
    place="Theorem 1, App. B.1 (finitely many layers)",
    title="a stack whose transitions have spectra in [0, inf) has an eventually constant output on 1^k",
    says=r"If in every layer every $A(x)$ has its spectrum in $[0,\infty)$, the outputs of all layers on $1^k$ are eventually constant "
    r"in the cast model, whatever the decoders and the transients of the layers below.",
    hypotheses=("cast model in every layer", "all spectra in [0, inf)", "rational eigenvalues (for the exact computation)"),
    uses=("grazzi25.thm1",),
    construction="lemmata.constructions.recurrence.Stack.eventual_outputs",
    sabotages={"a layer may use the eigenvalue -1": {"eigenvalues": [fmpq(-1)]}},
)
def stacks_are_eventually_constant(proof: Proof, eigenvalues=tuple(samples.NONNEGATIVE)) -> None:
    """Once the layer below is constant, this layer repeats one affine map, started in a sum of finitely many old terms.

    Each old term is again A^k V, so Lemma 1 applies to it; the transient changes the constant but not the conclusion.
    """
    rng = Random(4)
    count = proof.pick(6, 25, 200)
    stacks = [(random_stack(rng, rng.randint(2, 3), list(eigenvalues)), samples.finite_set(rng)) for _ in range(count)]
    for stack, D in proof.each(f"{count} random stacks of 2 or 3 layers, n <= 3, arbitrary decoders, |D| <= 5", stacks):
        traces = stack.eventual_outputs([1], D)
        for level, trace in enumerate(traces[1:], start=1):
            proof.exactly("the output has eventual period 1", trace.least_period, 1)
            below = traces[level - 1]
            horizon = min(len(trace.before) + 3, 60)
            word = [below.letter(t) for t in range(1, horizon + 1)]
            layer = stack.layers[level - 1]
            states = list(layer.cast_states(word, D))[1:]
            simulated = [layer.decode(H, x) for H, x in zip(states, word, strict=True)]
            proof.exactly("a simulation agrees (first 60 letters)", simulated, [trace.letter(t) for t in range(1, horizon + 1)])
        certify_stack(proof, stack, traces, D)


# -- the converse, and what the theorem does not say ----------------------------------------------------------------------


@claim(
    "grazzi25.thm1.converse",
    topic="parity",
    place="Sec. 4.1, after Fig. 2",
    title="one scalar with a(1) = -1 computes parity at every length with two states",
    says=r"$h_t=a(x_t)h_{t-1}+b(x_t)$ with $h_0=b(0)=0$, $b(1)=a(0)=1$, $a(1)=-1$ satisfies $h_t=(x_1+\dots+x_t)\bmod2$ for all $t$.",
    construction="lemmata.constructions.parity.sign_flip",
    sabotages={
        "a(1) = 1": {"layer": parity.counter},
        "b(1) is forgotten": {
            "layer": lambda: Recurrence.from_table(
                {0: (parity.scalar(1), parity.scalar(0)), 1: (parity.scalar(-1), parity.scalar(0))},
                parity.scalar(0),
                lambda H, x: int(H[0, 0]),
            )
        },
    },
)
def one_negative_scalar(proof: Proof, layer=parity.sign_flip) -> None:
    """Breadth-first over (state, parity): the product closes after two pairs, so every length is covered."""
    found = computes(proof, "the output is the parity", layer(), lambda q, x: (q + x) % 2, 0, (0, 1), lambda q: q)
    for _ in proof.every("all words over {0, 1}", ["closure"], limited=False):
        proof.exactly("two states are reachable", len(found.pairs), 2)


@claim(
    "grazzi25.sec4.1.counter",
    topic="parity",
    place="Sec. 4.1, before Fig. 2",
    title="counting with A = 1 needs log2(t+1) bits after t letters, and fails in every finite precision",
    says=r"With $A\equiv1$, $B(x)=x$, $H_0=0$ the state after $t$ letters takes exactly the values $0,\dots,t$; under any finite "
    r"$\mathbb D$ it is eventually constant on $1^k$.",
    uses=("grazzi25.thm1",),
    construction="lemmata.constructions.parity.counter",
    sabotages={"the scalar -1 in place of 1": {"layer": parity.sign_flip}},
)
def unbounded_counter(proof: Proof, layer=parity.counter) -> None:
    """Enumerate all words; the number of values, t + 1, is what a code for the state must distinguish."""
    longest = proof.pick(6, 10, 14)
    states = {(0,)}
    for t in proof.every(f"all words of length <= {longest}", range(1, longest + 1)):
        one = layer()
        states = {exact.freeze(one.step(np.array([[h]], dtype=object), x)) for (h,) in states for x in (0, 1)}
        proof.exactly("the values are 0 .. t", sorted(states), [(h,) for h in range(t + 1)])
        proof.holds("they need at least log2(t+1) bits", ceil(log2(len(states))) >= log2(t + 1))
    rng = Random(5)
    for D in proof.each("20 random D", [samples.finite_set(rng) for _ in range(20)]):
        proof.exactly("the cast counter is eventually constant", layer().eventual_states([], [1], D).period, 1)


@claim(
    "grazzi25.thm1.fig2",
    topic="parity",
    place="Fig. 2, heading of the caption",
    title="parity requires negative eigenvalues",
    says=r"A layer that recognises $(11)^*$ has a transition with a negative eigenvalue.",
    reading="'negative' in the usual sense; Theorem 1 itself only demands an eigenvalue outside [0, inf)",
    sabotages={"a half turn, which has the eigenvalue -1, in place of a quarter turn": {"turn": [[-1, 0], [0, -1]]}},
)
def negative_eigenvalues_are_not_required(proof: Proof, turn=((0, -1), (1, 0))) -> None:
    """A quarter turn has the eigenvalues i and -i, and its four states, read modulo 2, are the parity."""
    a = exact.rationals(turn)
    start = exact.rationals([[1], [0]])
    even = {exact.freeze(exact.rationals(s)) for s in ([[1], [0]], [[-1], [0]])}
    layer = Recurrence.from_table(
        {0: (exact.identity(2), start * 0), 1: (a, start * 0)}, start, lambda H, x: 0 if exact.freeze(H) in even else 1
    )
    found = computes(proof, "the output is the parity", layer, lambda q, x: (q + x) % 2, 0, (0, 1), lambda q: q)
    negative = [x for x in exact.rational_eigenvalues(a) if x < 0]
    proof.counterexample(
        given={
            "A(1)": a,
            "H_0": start,
            "characteristic polynomial of A(1)": str(exact.characteristic_polynomial(a)),
            "even states": ["(1, 0)", "(-1, 0)"],
        },
        hypotheses={"the layer computes parity at every length (closure of 4 states)": found.mismatch is None},
        violates={
            "A(1) has no real eigenvalue, so no negative one": not negative
            and exact.count_real_roots(exact.characteristic_polynomial(a)) == 0
        },
        minimal="n = 2, real entries",
    )


@claim(
    "grazzi25.thm1.prose",
    topic="parity",
    place="Sec. 4.1, sentence before Theorem 1",
    title="parity needs an eigenvalue that is neither real nor positive",
    says=r"A layer that solves parity has a transition with an eigenvalue $\lambda$ such that $\lambda\notin\mathbb R$ and $\lambda\not>0$.",
    reading="'neither real nor positive' as it stands; what is meant is 'not in [0, inf)'",
    sabotages={"a quarter turn in place of the scalar -1": {"layer": lambda: (None, exact.rationals([[0, -1], [1, 0]]))}},
)
def neither_real_nor_positive(proof: Proof, layer=lambda: (parity.sign_flip(), parity.scalar(-1))) -> None:
    """The scalar -1 solves parity, and -1 is real."""
    one, a = layer()
    real = exact.count_real_roots(exact.characteristic_polynomial(a)) == len(a)
    solves = (
        one is not None
        and computes(proof, "the output is the parity", one, lambda q, x: (q + x) % 2, 0, (0, 1), lambda q: q).mismatch is None
    )
    proof.counterexample(
        given={"A(1)": a, "A(0)": 1, "B(1)": 1, "B(0)": 0, "H_0": 0},
        hypotheses={"the layer computes parity at every length": solves},
        violates={"every eigenvalue of its transitions is real": real},
        minimal="n = 1",
    )


@claim(
    "new.parity.not-sufficient",
    topic="parity",
    place="after grazzi25 Theorem 1",
    kind="new",
    title="an eigenvalue off [0, inf) is not enough: a turn by 120 degrees counts modulo 3 only",
    says=r"If $A^3=I$ and $I+A+A^2=0$ then $H_{k+3}=H_k$ on $1^k$ for all $B$ and $H_0$, so no decoder tells odd $k$ from even $k$.",
    sabotages={"a quarter turn": {"turn": [[0, -1], [1, 0]]}, "a half turn": {"turn": [[-1, 0], [0, -1]]}},
)
def a_third_turn_is_not_enough(proof: Proof, turn=((0, -1), (1, -1))) -> None:
    """Three steps are the identity whatever B and H_0 are, and 3 is odd."""
    a = sympy.Matrix(turn)
    h = sympy.Matrix(sympy.symbols("h1 h2"))
    b = sympy.Matrix(sympy.symbols("b1 b2"))
    after = h
    for _ in range(3):
        after = a * after + b
    for i in range(2):
        proof.symbolically("three letters change nothing", after[i], h[i], "H_0 and B(1)")
    spectrum = exact.characteristic_polynomial(exact.rationals(turn))
    proof.exactly("no eigenvalue is real", exact.count_real_roots(spectrum), 0)


@claim(
    "new.parity.half",
    topic="parity",
    place="after grazzi25 Theorem 1",
    kind="new",
    title="modulus 1 is not needed: the scalar -1/2 with D = {-1, 1} alternates for ever, in both models of rounding",
    says=r"With $a(1)=-\tfrac12$ and $\mathbb D=\{-1,1\}$ the state on $1^k$ has period exactly $2$: in the cast model for $b=1$, $h_0=-1$; "
    r"with rounding at every step for $b=0$, $h_0=1$.",
    uses=("grazzi25.lemma1.amended",),
    sabotages={
        "the scalar 1/2": {"a": fmpq(1, 2)},
        "D contains 0": {"D": (-1, 0, 1)},
        "b = 0 in the cast model: cast(0) = -1 piles up": {"b": 0},
    },
)
def half_alternates(proof: Proof, a=fmpq(-1, 2), D=(-1, 1), b: int = 1) -> None:
    """cast keeps the sign of (-1/2)^k, which never vanishes, and the alternating sum of the cast inputs stays bounded.

    b = 0 would not do in the cast model: 0 is not in D, so every one of the k vanishing terms is cast to -1.
    """
    points = FiniteSet(D)
    layer = parity.power_recurrence(parity.scalar(a), parity.scalar(-1), parity.scalar(b))
    states = layer.eventual_states([], [1], points)
    for k in proof.every("all k: the transient and one cycle", range(states.threshold + 2), limited=False):
        proof.exactly("cast model: the state is -(-1)^k", states.state(k)[0, 0], -((-1) ** k))
    certify_eventually_periodic(proof, layer, points)
    rounded = parity.power_recurrence(parity.scalar(a), parity.scalar(1))
    orbit = [H[:, 0] for H in islice(rounded.stepwise_states([1] * 2, points), 3)]
    for k in proof.every("all k: one cycle", range(3), limited=False):
        proof.exactly("rounding at every step: the state is (-1)^k", orbit[k][0], (-1) ** k)
    proof.certificate("stepwise-orbit", "a 2-cycle under step-wise rounding", A=[[a]], b=[0], D=points, orbit=orbit, eigenvalues=[a])
