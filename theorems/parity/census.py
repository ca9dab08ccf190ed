"""How often a random DeltaNet [0, 1] layer computes parity by its rounding errors: a census by width and data type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from flint import fmpq

from ...constructions.rounded_delta import RoundedLayer, evaluations, keeps_parity, rationals
from ...numerics.floating_point import BFLOAT16, BINARY16, BINARY32, Format
from ..claim import claim
from ..evidence import Proof

Floats = np.ndarray


def to_bfloat16(x: Floats) -> Floats:
    """float32 numbers rounded to 8 bits, to nearest, ties to even."""
    bits = np.asarray(x, dtype=np.float32).view(np.uint32)
    return ((bits + np.uint32(0x7FFF) + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)).view(np.float32)


#: format, and rounding of the result of one operation on numbers of the format; bfloat16 in float32, whose 24 >= 2 * 8 + 2 bits make that exact
ROUNDINGS: dict[Format, tuple[type, Callable[[Floats], Floats]]] = {
    BINARY32: (np.float32, lambda x: x),
    BINARY16: (np.float16, lambda x: x),
    BFLOAT16: (np.float32, to_bfloat16),
}


def random_layers(rng: np.random.Generator, format: Format, n: int, count: int) -> tuple[Floats, Floats, Floats, Floats]:
    """Keys (n, count) of length 1, beta in [1/2, 1], v and h (n, count) normal, all rounded to the format; only eigenvalues in [0, 1]."""
    kind, rounded = ROUNDINGS[format]
    k = rng.normal(size=(n, count))
    drawn = (k / np.linalg.norm(k, axis=0), rng.uniform(0.5, 1, count), rng.normal(size=count), rng.normal(size=(n, count)))
    k, beta, v, h = (rounded(x.astype(kind)) for x in drawn)
    # a margin over the error of this float64 sum: what is kept has 0 <= 1 - beta |k|^2 for certain
    kept = beta.astype(float) * (k.astype(float) ** 2).sum(0) < 1 - 1e-12
    return k[:, kept], beta[kept], v[kept], h[:, kept]


def step(format: Format, k: Floats, beta: Floats, v: Floats, h: Floats) -> Floats:
    """One step on 1, every product and sum rounded, sums from the first entry to the last."""
    _, rounded = ROUNDINGS[format]
    s = rounded(k[0] * h[0])
    for x, y in zip(k[1:], h[1:], strict=True):
        s = rounded(s + rounded(x * y))
    u = rounded(beta * rounded(v - s))
    return rounded(h + rounded(u * k))


def periods(format: Format, layers: tuple[Floats, ...], settle: int, longest: int) -> tuple[Floats, Floats]:
    """(period, state): the least period <= ``longest`` of the orbit on 1, 1, 1, ... after ``settle`` steps, or 0, and the state reached."""
    k, beta, v, h = layers
    for _ in range(settle):
        h = step(format, k, beta, v, h)
    start, found = h, np.zeros(len(beta), dtype=int)
    for t in range(1, longest + 1):
        h = step(format, k, beta, v, h)
        found[(found == 0) & (h == start).all(0)] = t
    return found, start


def interval(successes: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """The two-sided Clopper-Pearson interval."""
    from scipy.stats import beta

    tail = (1 - confidence) / 2
    low = float(beta.ppf(tail, successes, trials - successes + 1)) if successes else 0.0
    return low, float(beta.ppf(1 - tail, successes + 1, trials - successes)) if successes < trials else 1.0


@claim(
    "new.parity.float.census",
    place="after grazzi25 Theorem 1",
    title="no rarity: of random DeltaNet [0, 1] layers with normalised keys at least 3 percent keep the parity, more with width",
    says=r"Draw $k$ uniform on the unit sphere of $\mathbb R^n$, $\beta$ uniform in $[\frac12,1]$, $v$ and $h_0$ normal, round them to the format, keep what has $\beta|k|^2<1$, and read $1^k$ with every operation rounded. For $n=2,4,8$ in float32, "
    r"float16 and bfloat16 the probability that the state ends in an orbit of even period, and so tells the parity for ever if $\beta(0)=0$, is at least $0.03$, and for $n=8$ at least $0.15$.",
    hypotheses=("every product and sum rounded, sums in order", "after 300 steps, periods up to 24"),
    known="That rounding inside a stable linear recurrence leaves limit cycles is known from digital filters (Jackson 1970). new.parity.float.unit-key has six such layers with proof.",
    uses=("new.parity.float.unit-key",),
    sabotages={
        "width 1, where k = 1 and k h is exact": {"widths": (1,)},
        "exact residuals: v - k . h in float64": {"one_step": lambda *x: _residual_in_double(*x)},
    },
)
def how_often(proof: Proof, widths: tuple[int, ...] = (2, 4, 8), one_step: Callable | None = None) -> None:
    r"""Independent seeded draws; that an orbit is periodic is seen, not estimated, since the rounded map is deterministic.

    1. A state that returns after $L$ steps returns for ever; with $L$ even and least, the states at even and at odd times differ, and $\beta(0)=0$ keeps them. [prose]
    2. The draws, with the one-sided Clopper-Pearson bound. [checked: "an even period, "]
    3. Of the orbits of period 2 and width 2, how many stay if the step is evaluated otherwise: in exact arithmetic (exhibit). [checked: "in the first evaluation all of them stay"]
    """
    count = proof.pick(1500, 3000, 20000)
    rng = np.random.default_rng(17)
    table: dict[str, str] = {}
    for format in ROUNDINGS:
        for n in widths:
            layers = random_layers(rng, format, n, count)
            found, state = periods(format, layers, 300, 24) if one_step is None else one_step(format, layers)
            even, trials = int(((found > 0) & (found % 2 == 0)).sum()), len(found)
            proof.statistically(f"an even period, {format.name}, n = {n}", even, trials, 0.15 if n == 8 else 0.03)
            low, high = interval(even, trials)
            two, one = int((found == 2).sum()), int((found == 1).sum())
            table[f"{format.name}, n = {n}"] = f"{even} of {trials} even [{low:.3f}, {high:.3f}]; period 1: {one}, period 2: {two}"
            if n == 2 and one_step is None:
                _evaluated_otherwise(proof, format, layers, state, np.flatnonzero(found == 2)[: proof.pick(30, 60, 400)])
    proof.exhibit("how often the period is even, with 95 percent intervals", **table)


def _evaluated_otherwise(proof: Proof, format: Format, layers: tuple[Floats, ...], state: Floats, chosen: Floats) -> None:
    """Which orbits of period 2 stay orbits of period 2 in the other evaluations."""
    k, beta, v, _ = layers
    other = step(format, k, beta, v, state)

    def exact(x: Any) -> fmpq:
        return fmpq(*float(x).as_integer_ratio())

    def vector(x: Floats) -> Floats:
        return rationals([exact(y) for y in x])

    found = [RoundedLayer(vector(k[:, i]), exact(beta[i]), exact(v[i]), vector(state[:, i]), vector(other[:, i])) for i in chosen]
    ways = list(evaluations(2))
    stays = {str(how): sum(keeps_parity(layer, how, format.round) for layer in found) for how in ways}
    proof.exactly("in the first evaluation all of them stay", stays[str(ways[0])], len(found))
    everywhere = sum(all(keeps_parity(layer, how, format.round) for how in ways) for layer in found)
    proof.exhibit(
        f"{len(found)} layers of period 2, {format.name}: how many keep it if the step is evaluated otherwise", **stays, all=everywhere
    )


def _residual_in_double(format: Format, layers: tuple[Floats, ...]) -> tuple[Floats, Floats]:
    """The sabotage: only the state is rounded, up to the errors of float64."""
    k, beta, v, h = (x.astype(float) for x in layers)
    kind, rounded = ROUNDINGS[format]
    states = [h]
    for _ in range(325):
        h = rounded((h + beta * (v - (k * h).sum(0)) * k).astype(kind)).astype(float)
        states.append(h)
    found = np.zeros(len(beta), dtype=int)
    for t in range(1, 25):
        found[(found == 0) & (states[300 + t] == states[300]).all(0)] = t
    return found, states[300]
