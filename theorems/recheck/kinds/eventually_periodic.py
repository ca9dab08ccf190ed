"""Certificates of kind ``eventually-periodic``."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ..exact import cast, consistent, freeze, matrix, natural, one, points, require, times
from ..registry import rule
from ..sums import check_jordan_form, power_entries, settled_values, value
from ..typed import Data

#: what is simulated is bounded, so that no file keeps the checker busy for ever
MOST_STEPS = 1000


@rule("eventually-periodic")
def check_eventually_periodic(data: Data) -> None:
    """Layers in the cast model on an eventually periodic input: from ``threshold`` on the states repeat ``cycle``.

    For each layer check_layer shows this for its own input, the word ``before`` and then ``period`` for ever; and what the next
    layer (or ``outputs``) reads is a function of this layer's state and letter, so a decoder with this table exists.
    """
    d, middles = points(data["D"])
    words = data["layers"] + ([data["outputs"]] if data.get("outputs") else [])
    require(data["layers"], "at least one layer")
    for layer, above in zip(data["layers"], [*words, None][1 : len(data["layers"]) + 1], strict=True):
        states = check_layer(layer, d, middles)
        if above is not None:
            decoder, p = {}, len(layer["cycle"])
            horizon = max(layer["threshold"], len(layer["before"]) + 1, len(above["before"]) + 1)
            for t in range(1, horizon + p * len(above["period"]) + 1):
                state = states[t] if t < len(states) else freeze(matrix(layer["cycle"][(t - layer["threshold"]) % p]))
                require(
                    consistent(decoder, [((state, letter_at(layer, t)), letter_at(above, t))]),
                    f"the output at time {t} is a function of state and letter",
                )


def letter_at(word: dict[str, Any], t: int) -> Any:
    """The letter at time t >= 1 of the word ``before``, then ``period`` for ever."""
    beyond = t - 1 - len(word["before"])
    return word["before"][t - 1] if beyond < 0 else word["period"][beyond % len(word["period"])]


def check_layer(layer: dict[str, Any], d: Sequence[Fraction], middles: Sequence[Fraction]) -> list[tuple[tuple[Fraction], ...]]:
    """The states H_0, ... up to the threshold and through one cycle, simulated; Rejected unless they repeat for ever.

    At times |before| + p j + r the state is the cast of a constant, of casts of M C^j V, and of sums over q < j of casts of
    M C^q V, with C the product of the transitions over the period. The Jordan data turn the entries into exponential sums, whose
    casts are 2-periodic from j = ``settled`` on; so along each parity of j the argument of the outer cast is an arithmetic
    progression, which must be constant or beyond the last midpoint.
    """
    maps = [(matrix(f["A"]), matrix(f["B"])) for f in layer["maps"]]
    before, period, h = [natural(x) for x in layer["before"]], [natural(x) for x in layer["period"]], matrix(layer["H0"])
    n, p = len(h), len(period)
    require(p > 0 and all(shape(a) == (n, n) and shape(b) == shape(h) for a, b in maps), "a period, and maps of the state's size")
    settled, threshold = natural(layer["settled"]), natural(layer["threshold"])
    start, left = divmod(threshold - len(before), p)
    require(left == 0 and settled <= start, "the threshold is |before| + p j with j >= settled")
    require(
        threshold <= MOST_STEPS and p <= MOST_STEPS and n * len(h[0]) <= 100, f"at most {MOST_STEPS} steps before the cycle and 100 entries"
    )
    # the decoder of the next layer sees these states, so they may hold no entry beside those that are checked below
    cycle = [matrix(state) for state in layer["cycle"]]
    require(len(cycle) == 2 * p and all(shape(state) == shape(h) for state in cycle), "a cycle of two periods, states of one size")
    product = one(n)
    for x in period:
        product = times(maps[x][0], product)
    jordan = check_jordan_form(product, layer)
    terms = [h]
    for x in before:
        terms = [times(maps[x][0], term) for term in terms] + [maps[x][1]]
    for r in range(p):
        head = one(n)
        for x in period[:r]:
            head = times(maps[x][0], head)
        fixed, growing = [power_entries(jordan, head, v) for v in terms], []
        for s, x in enumerate(period):
            v = maps[x][1]
            for y in period[s + 1 :]:
                v = times(maps[y][0], v)
            growing.append(power_entries(jordan, head, v))
        for i in range(n):
            for j in range(len(h[0])):
                steps = [settled_values(g[i][j], d, middles, settled) for g in growing]
                for f in fixed:
                    settled_values(f[i][j], d, middles, settled)
                step = sum((even + odd for even, odd in steps), Fraction(0))
                constant = sum((cast(injected(maps, period, s, r)[i][j], d) for s in range(r)), Fraction(0))
                for k in (start, start + 1):
                    argument = constant + sum((cast(value(f[i][j], k), d) for f in fixed), Fraction(0))
                    argument += sum((cast(value(g[i][j], q), d) for g in growing for q in range(k)), Fraction(0))
                    beyond = argument > middles[-1] if middles and step > 0 else argument <= middles[0] if middles and step < 0 else True
                    require(beyond, f"entry {i, j} may still cross a midpoint")
                    listed = cycle[p * (k - start) + r][i][j]
                    require(cast(argument, d) == listed, f"entry {i, j} at time {len(before) + p * k + r} differs from the cycle")
    return simulated(maps, before, period, h, d, threshold + 2 * p)


def shape(m: Sequence[Sequence[Fraction]]) -> tuple[int, int]:
    return len(m), len(m[0])


def injected(maps: Sequence[Any], period: Sequence[int], s: int, r: int) -> list[list[Fraction]]:
    """What the s-th step of a period has become after its r-th: A(w_r) ... A(w_{s+1}) B(w_s)."""
    v = maps[period[s]][1]
    for x in period[s + 1 : r]:
        v = times(maps[x][0], v)
    return v


def simulated(
    maps: Sequence[Any], before: Sequence[int], period: Sequence[int], h: Sequence[Sequence[Fraction]], d: Sequence[Fraction], horizon: int
) -> list[tuple[tuple[Fraction], ...]]:
    """The states of the cast model at times 0 .. horizon - 1, term by term."""
    terms, states = [h], []
    for t in range(horizon):
        total = [[sum((cast(term[i][j], d) for term in terms), Fraction(0)) for j in range(len(h[0]))] for i in range(len(h))]
        states.append(freeze([[cast(x, d) for x in row] for row in total]))
        x = before[t] if t < len(before) else period[(t - len(before)) % len(period)]
        terms = [times(maps[x][0], term) for term in terms] + [maps[x][1]]
    return states
