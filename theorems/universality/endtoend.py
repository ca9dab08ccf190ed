"""Three sequence maps built end to end: a filter, a product of past tokens, protein transduction (orvieto24, Theorem 2, App. E.3)."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import numpy as np
from flint import fmpq

from ...constructions.universality import heads as built
from ...constructions.universality.maps import SequenceModel, invariant_model, on_tokens, protein_transduction, sequence_model
from ...constructions.universality.networks import Network, monotone_thresholds
from ...numerics import exact
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof
from .sequences import as_data, positive_nodes, same_on_cube


def _largest_error(model: SequenceModel, target, tokens: list[Array]) -> fmpq:
    """The largest error over steps and token sequences, exactly; ``target(v, k)`` is y_k."""
    worst = fmpq(0)
    for v in tokens:
        for k, y in enumerate(model.run(v), 1):
            worst = max(worst, abs(y[0] - target(v, k)))
    return worst


def _serves(proof: Proof, model: SequenceModel, nodes: list[fmpq], heads: list[Network]) -> None:
    """The model is its heads on the whole cube, so the errors are those of the staircases."""
    for k, g in enumerate(heads, 1):
        same_on_cube(
            proof, "for all tokens in [-1, 1] the output is that of the staircases on padded tokens", on_tokens(model.head, nodes, k), g
        )


def _tokens(rng: Random, L: int, count: int) -> list[Array]:
    """Rational tokens in [-1, 1], the ends among them."""
    return [exact.rationals([rng.choice((fmpq(-1), fmpq(1), fmpq(rng.randint(-20, 20), 20))) for _ in range(L)]) for _ in range(count)]


def error_range(thresholds: list[fmpq], jumps: list[fmpq], value, reach: fmpq, turns: tuple = ()) -> tuple[fmpq, fmpq]:
    """(smallest, largest) of value(u) - sum of the jumps at thresholds t <= u, over |u| <= reach; ``value`` is monotone between the places ``turns``. Exact."""
    edges = sorted({-reach, reach, *(x for x in (*turns, *thresholds) if -reach < x < reach)})
    found = []
    for a, b in pairwise(edges) if len(edges) > 1 else [(edges[0], edges[0])]:
        steps = sum((c for t, c in zip(thresholds, jumps, strict=True) if t <= a), fmpq(0))
        found += [value(a) - steps, value(b) - steps]
    return min(found), max(found)


def _padded(g: Network, k: int) -> Network:
    """v_1, ..., v_k -> g(0, ..., 0, v_1, ..., v_k)."""
    length = g.inner.shape[1]
    return g.after(exact.identity(length)[:, length - k :])


def _moved(heads: list[Network]) -> list[Network]:
    """The first threshold of each head is moved by 1/60."""
    return [
        Network(g.inner, exact.rationals([g.bias[0] + fmpq(1, 60), *g.bias[1:]]) if g.width else g.bias, g.outer, g.offset, g.activation)
        for g in heads
    ]


@claim(
    "new.universality.filter",
    topic="universality",
    place="after orvieto24, Theorem 2",
    kind="new",
    title="a linear filter, end to end: D steps err by exactly sum |h| / (D + 1), over all times and all tokens in [-1, 1]",
    says=r"$y_k=\sum_jh_jv_{k-j}$: $\sup_{|v_i|\le1}\max_k|\hat y_k-y_k|=\|h\|_1/(D+1)$ with $D$ neurons for all steps together, so $D=O(1/\epsilon)$, whatever $L$: with $h=(1,-\tfrac12,\tfrac14)$ and $D=8$ it is $\tfrac7{36}$.",
    known="A staircase along a line; what is said is that neither the length nor the conditioning of the recurrence enters.",
    uses=("new.universality.invariant", "new.universality.interval"),
    construction="lemmata.constructions.universality.heads.filter_heads",
    sabotages={
        "the taps in reverse": {"heads_of": lambda taps, L, steps: built.filter_heads(taps[::-1], L, steps)},
        "a threshold moved by 1/60": {
            "heads_of": lambda taps, L, steps: (_moved(built.filter_heads(taps, L, steps)[0]), built.filter_heads(taps, L, steps)[1])
        },
        "the reconstruction of the step before": {
            "build": lambda nodes, g, L: invariant_model(nodes, Network(g.inner[:, 1:], g.bias, g.outer, g.offset), L - 1)
        },
    },
)
def filter_end_to_end(proof: Proof, heads_of=built.filter_heads, build=invariant_model) -> None:
    r"""One staircase along the row of the filter serves all steps.

    1. $y_k=\langle(\dots,h_1,h_0),(0,\dots,0,v_{1:k})\rangle$: a time-invariant map, one head for all steps. [uses: new.universality.invariant] [checked: "for all tokens in [-1, 1] the output is that of the staircase"; "the head reads the taps"; "D neurons"]
    2. At step $k$ the linear form fills $[-r_k,r_k]$, $r_k=\sum_{j<k}|h_j|\le\|h\|_1$, where $D$ equal steps err by at most $\|h\|_1/(D+1)$, and exactly so once all taps have come; no $D$ steps are nearer.
       [uses: new.universality.interval] [checked: "the supremum over all tokens is at most the bound"; "and equal to it once all taps have come"; "a run with the worst tokens attains it"]
    3. For other filters and lengths than those in the scope the same formulas hold. [prose]
    """
    rng = Random(143)
    L, taps = proof.pick(4, 6, 8), [fmpq(1), fmpq(-1, 2), fmpq(1, 4)]
    nodes, total = positive_nodes(L), sum(abs(h) for h in taps)
    target = lambda v, k: sum((h * v[k - 1 - j] for j, h in enumerate(taps) if j < k), fmpq(0))  # noqa: E731
    worst_tokens = exact.rationals([0] * (L - 3) + [1, -1, 1])
    for steps in proof.each(f"h = (1, -1/2, 1/4), L = {L}, D = 1, 2, 4, 8; all tokens in [-1, 1]", (1, 2, 4, 8)):
        own_heads, promised = heads_of(taps, L, steps)
        g, bound = own_heads[-1], total / (steps + 1)
        model = build(nodes, g, L)
        proof.exactly("the constructor promises this bound, and a head for each step", (promised, len(own_heads)), (bound, L))
        proof.exactly("D neurons for all steps", model.head.width, steps)
        heads = [_padded(g, k) for k in range(1, L + 1)]
        proof.certificate(
            "shared-head",
            f"a filter, {steps} steps",
            nodes=nodes,
            largest=1,
            head=as_data(model.head),
            heads=[as_data(own) for own in heads],
        )
        _serves(proof, model, nodes, heads)
        if steps == 2:
            proof.exhibit(
                "two steps on the states of a recurrence; the first column would read the clock", nodes=nodes, **as_data(model.head)
            )
        for k, own in enumerate(heads, 1):
            row = exact.rationals([taps[k - 1 - i] if k - 1 - i < len(taps) else 0 for i in range(k)])
            proof.exactly("the head reads the taps", own.inner, exact.rationals([list(row)] * steps))
            low, high = error_range([-b for b in own.bias], list(own.outer), lambda u: u, sum(abs(h) for h in row))
            largest = max(abs(low - own.offset), abs(high - own.offset))
            proof.holds("the supremum over all tokens is at most the bound", bool(largest <= bound))
            if k >= len(taps):
                proof.exactly("and equal to it once all taps have come", largest, bound)
            fed, own = sum(abs(h) for h in taps[:k]), own_heads[k - 1]
            low, high = error_range([-b for b in own.bias], list(own.outer), lambda u: u, fed)
            largest = max(abs(low - own.offset), abs(high - own.offset))
            proof.exactly("a head for that step alone errs by no more than its taps cost", largest, fed / (steps + 1))
        proof.exactly("a run with the worst tokens attains it", _largest_error(model, target, [worst_tokens, *_tokens(rng, L, 2)]), bound)


@claim(
    "new.universality.product",
    topic="universality",
    place="after orvieto24, Theorem 2",
    kind="new",
    title="a product of two past tokens, end to end: 2 m steps err by at most 2 / (m + 1) at all times, over all tokens in [-1, 1]",
    says=r"$y_k=v_{k-i}v_{k-j}$: $\sup_{|v|\le1}\max_k|\hat y_k-y_k|\le\tfrac2{m+1}(1+10^{-5})$ with $2m$ neurons for all steps together, so $O(1/\epsilon)$ whatever $L$: two squares, two staircases.",
    known="A product is a difference of two squares, p q = ((p + q)^2 - (p - q)^2) / 4; the factor 1 + 10^-5 is for rational thresholds.",
    uses=("new.universality.invariant", "new.universality.interval"),
    construction="lemmata.constructions.universality.heads.product_heads",
    sabotages={
        "a sum of squares": {"heads_of": lambda lags, L, m: _sum_of_squares(lags, L, m)},
        "a threshold moved by 1/60": {
            "heads_of": lambda lags, L, m: (_moved(built.product_heads(lags, L, m)[0]), built.product_heads(lags, L, m)[1])
        },
        "one neuron is lost": {
            "build": lambda nodes, g, L: invariant_model(nodes, Network(g.inner[1:], g.bias[1:], g.outer[1:], g.offset), L)
        },
    },
)
def product_end_to_end(proof: Proof, heads_of=built.product_heads, build=invariant_model) -> None:
    r"""$pq=\tfrac14(p+q)^2-\tfrac14(p-q)^2$, each square of variation $2$ on $[-2,2]$.

    1. $y_k$ is a product of two entries of $(0,\dots,0,v_{1:k})$: a time-invariant map. [uses: new.universality.invariant] [checked: "for all tokens in [-1, 1] the output is that of the staircases"; "2 m neurons"]
    2. Each square is a function of one linear form; $m$ steps are within $\tfrac1{m+1}$ of it on $[-2,2]$, so the difference is within $\tfrac2{m+1}$. [uses: new.universality.interval] [checked: "the neurons read the sum and the difference"; "the supremum over all tokens is at most the bound"; "a run"]
    3. For other lags and lengths than those in the scope the same formulas hold. [prose]
    """
    rng = Random(144)
    L, lags = proof.pick(4, 6, 8), (0, 2)
    nodes = positive_nodes(L)
    target = lambda v, k: v[k - 1] * v[k - 3] if k > 2 else fmpq(0)  # noqa: E731
    rows = [exact.unit_vector(L, L - 1) + sign * exact.unit_vector(L, L - 3) for sign in (1, -1)]
    for m in proof.each(f"lags 0 and 2, L = {L}, m = 1, 3, 7, 15; all tokens in [-1, 1]", (1, 3, 7, 15)):
        own_heads, promised = heads_of(lags, L, m)
        g, bound = own_heads[-1], fmpq(2, m + 1) * (1 + fmpq(1, 10**5))
        model = build(nodes, g, L)
        proof.exactly("2 m neurons for all steps", model.head.width, 2 * m)
        heads = [_padded(g, k) for k in range(1, L + 1)]
        if m > 1:
            proof.certificate(
                "shared-head",
                f"a product, {2 * m} steps",
                nodes=nodes,
                largest=1,
                head=as_data(model.head),
                heads=[as_data(own) for own in heads],
            )
        _serves(proof, model, nodes, heads)
        proof.exactly(
            "the neurons read the sum and the difference", g.inner, exact.rationals([list(row) for row in rows for _ in range(m)])
        )
        square = lambda u: u * u / 4  # noqa: E731
        parts = [
            error_range([-b for b in g.bias[half]], list(sign * g.outer[half]), square, fmpq(2), (fmpq(0),))
            for half, sign in ((slice(0, m), 1), (slice(m, 2 * m), -1))
        ]
        (low, high), (below, above) = parts
        largest = max(high - below - g.offset, above - low + g.offset)
        proof.holds("the supremum over all tokens is at most the bound", bool(largest <= bound))
        proof.holds("the bound that the constructor computes lies between them", bool(largest <= promised <= bound))
        proof.holds("the ranges of both errors leave no less than 2 / (m + 1)", bool(largest >= fmpq(2, m + 1)))
        seen = _largest_error(model, target, _tokens(rng, L, proof.pick(5, 10, 20)))
        proof.holds("a run errs by no more, and by a tenth of it at least", bool(bound / 10 <= seen <= bound))


def _sum_of_squares(lags: tuple[int, int], L: int, m: int) -> tuple[list[Network], fmpq]:
    heads, bound = built.product_heads(lags, L, m)
    return [
        Network(g.inner, g.bias, g.outer * np.array([1] * m + [-1] * m, dtype=object) if g.width else g.outer, g.offset, g.activation)
        for g in heads
    ], bound


def _gap(left: Array, right: Array) -> float:
    return float(np.abs(left - right).max())


def _waves_and_thresholds(proof: Proof) -> None:
    """What the heads are made of, where the answer is known: a sum of waves is fitted by itself, and a straight line is cut into equal parts."""
    rng = np.random.default_rng(145)
    points, coefficients = rng.uniform(-1, 1, (2, 50)), rng.uniform(0.5, 1, (2, 4))
    phases = [2 * np.pi / 12 * (a * points[0] + b * points[1]) for a, b in ((1, 0), (0, 1), (1, 1), (1, -1))]
    values = 2 + sum(c * np.cos(p) + s * np.sin(p) for c, s, p in zip(*coefficients, phases, strict=True))
    waves = built.fit_waves(points, values)
    proof.closely("four waves and a constant are fitted by themselves", _gap(waves(points), values), 1e-4)
    proof.exactly("and by no more than four", len(waves.frequencies), 4)
    for count in (1, 3, 7):
        cut = monotone_thresholds(np.array([1.0, -3.0]), np.array([-1.0, 1.0]), count)
        proof.closely(
            "thresholds cut a straight line into equal parts",
            _gap(cut, np.array([2 * i / (count + 1) - 1 for i in range(1, count + 1)])),
            1e-12,
        )


@claim(
    "new.universality.protein",
    topic="universality",
    place="after orvieto24, Theorem 2; App. E.3",
    kind="new",
    title="protein transduction, end to end: on a grid the largest error is at most the bound by variations, and near it",
    says=r"For the system of App. E.3 with inputs held over each of $16$ steps of $0.5$, from a space of dimension $2$: recurrence, clock and head with $D=\sum_k(D_k+1)-1$ neurons err, on a grid of $121$ inputs, by at most "
    r"$\max_k\sum_mV_{k,m}/(2(D_{k,m}+1))$ and the error of a few waves per step; at some step by at least $\tfrac9{10}$ of that.",
    known="An experiment in the spirit of Figure 5, with weights that are built and not trained.",
    uses=("orvieto24.thm2.amended", "new.universality.interval", "new.vandermonde.half-circle"),
    construction="lemmata.constructions.universality.heads.protein_heads",
    sabotages={
        "the cosine input is lost": {"change": lambda z: z * np.array([[1.0], [0.0]])},
        "another reaction rate": {"field": lambda z, v: protein_transduction(z, v, k2=0.3)},
        "bounds fifty times as large": {"loosen": 50.0},
    },
)
def protein_end_to_end(proof: Proof, change=lambda z: z, field=protein_transduction, loosen: float = 1.0) -> None:
    r"""Waves are fitted to the outputs at each step; each wave is a ridge function, so a staircase; one head does all steps.

    1. The output at step $k$ is a function of two coordinates of the inputs so far, fitted by a sum of waves; its error on the grid is measured. [prose]
    2. Each wave is a function of one linear form, so a staircase of $D_{k,m}$ steps within $V_{k,m}/(2(D_{k,m}+1))$. [uses: new.universality.interval]
    3. The recurrence has the eight nodes $e^{i\pi(2j+1)/16}$, which recall the $16$ tokens at condition number $1$. [uses: new.vandermonde.half-circle]
    4. The heads combine without a further error. [uses: orvieto24.thm2.amended] [checked: "D = sum of (D_k + 1), less 1"; "the largest error of each step is at most its bound"]
    5. The bounds are not loose, and the errors fall with the width. [checked: "at some step the bound is attained up to a tenth"; "four times as many neurons err less"]
    """
    problem = built.protein_problem()
    truth = built.respond(field, built.PROTEIN_START, (problem.basis @ problem.z).T, problem.dt)
    L = len(problem.basis)
    turn = np.exp(2j * np.pi / L) ** np.arange(1, L + 1)
    _waves_and_thresholds(proof)
    amplitudes = np.array([[i / 5, j / 5] for i in range(-5, 6) for j in range(-5, 6)])
    proof.exactly("16 steps of 1/2", (L, problem.dt), (16, 0.5))
    inputs = 0.02 * (amplitudes[:, :1] + amplitudes[:, 1:] * turn.real)
    proof.closely("the inputs are a constant and a cosine, all pairs of 11 amplitudes", _gap(problem.basis @ problem.z, inputs.T), 1e-15)
    nodes = list(np.exp(1j * np.pi * (2 * np.arange(L // 2) + 1) / L))
    errors = []
    widths = (16, 64, 256)
    for neurons in proof.each(f"about {', '.join(map(str, widths))} neurons a step; 121 inputs on a grid", widths):
        heads, staircases, residuals = built.protein_heads(problem, neurons)
        proof.holds(
            "about as many neurons as asked for, within one for each of at most 4 waves", all(abs(g.width - neurons) <= 4 for g in heads)
        )
        bounds = loosen * np.array(staircases) + residuals
        model = sequence_model(nodes, heads, float(np.abs(problem.basis).sum(axis=1).max()))
        outputs = np.array(model.run(list(problem.basis @ change(problem.z)))).T
        found = np.abs(outputs - truth).max(axis=0)
        errors.append(float(found.max()))
        for error, bound in zip(found, bounds, strict=True):
            proof.closely("the largest error of each step is at most its bound", float(error), float(bound) * (1 + 1e-9))
        proof.closely("at some step the bound is attained up to a tenth", float((bounds / found).min()), 10 / 9)
        proof.exactly("D = sum of (D_k + 1), less 1", model.head.width, sum(g.width + 1 for g in heads) - 1)
    for narrow, wide in pairwise(errors):
        proof.closely("four times as many neurons err less", wide, narrow)
