"""Small formats and counting layers, row by row: every number of a format, layers of up to 13 entries, by sums."""

from __future__ import annotations

from random import Random

from flint import fmpq

from .....constructions import rounded_census, rounded_counts
from ....claim import tie
from ....evidence import Proof
from .. import POSITIVE, matrix, rational


@tie("new.parity.float.counts.once")
def small_formats(proof: Proof) -> None:
    """Up to 5 bits of exponent and 13 of fraction: the least number, the largest, and which numbers are kept."""
    shapes = [*((e, f) for e in range(1, 6) for f in (1, 2, 3, 5)), (1, 7), (2, 9), (1, 12), (1, 13)]
    for e, f in proof.tied("1 to 5 bits of exponent, 1 to 13 of fraction", shapes):
        form, bias = rounded_census.small_format(e, f), 2 ** (e - 1) - 1
        # subnormal numbers have the exponent of the least normal ones
        values = {fmpq(m) * fmpq(2) ** (max(x, 1) - bias - f) for x in range(2**e) for m in range(2**f if x else 0, 2 ** (f + 1))}
        values |= {fmpq(m) * fmpq(2) ** (1 - bias - f) for m in range(2**f)}
        found = (form.largest, fmpq(2) ** form.lowest, form.precision, form.name)
        proof.exactly("small_format", found, (max(values), min(x for x in values if x), f + 1, f"e{e}m{f}"))
        some = sorted(values)[:: max(1, len(values) // 60)]
        proof.exactly("small_format: its numbers are kept", [form.round(x) for x in some], some)


@tie("new.parity.float.counts.letters")
def layers_of_counters(proof: Proof) -> None:
    """Layers of 1 to 13 entries: eigenvalue, numbers, a step that is rounded once, pairs of letters from their text."""
    rng = Random(434)
    for n in proof.tied("1 to 13 entries", POSITIVE):
        k, h, start = (matrix(rng, n, 1)[:, 0] for _ in range(3))
        beta, v = rational(rng), rational(rng)
        layer = rounded_counts.Counter(k, beta, v, start)
        proof.exactly("eigenvalue", layer.eigenvalue, 1 - beta * sum((x * x for x in k), fmpq(0)))
        proof.exactly("numbers", layer.numbers(), [*k, beta, v, *start])
        halved = lambda x: fmpq((x * 2).floor(), 2)  # noqa: E731
        read = sum((x * y for x, y in zip(k, h, strict=True)), fmpq(0))
        wanted = [halved(y + beta * (v - read) * x) for x, y in zip(k, h, strict=True)]
        proof.exactly("rounded_once", list(rounded_counts.rounded_once(layer, h, halved)), wanted)
        a, b, begin = ([rational(rng) for _ in range(m)] for m in (4, 4, 2))
        text = [" ".join(map(str, row)) for row in (a, b, begin)]
        pair = rounded_counts.letter_pair((-n, text[0], text[1], text[2]))
        found = [(list(one.k), one.beta, one.v, list(one.start)) for one in pair]
        proof.exactly("letter_pair", found, [(row[:2], row[2], row[3], begin) for row in (a, b)])
