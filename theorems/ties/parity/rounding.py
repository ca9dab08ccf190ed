"""Floating-point formats, turns and the delta rule, against rationals rounded one operation after the other."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from random import Random
from typing import Any

import numpy as np
from flint import fmpq

from ....constructions import rounded_delta, rounded_turns
from ....numerics.floating_point import BINARY16, E4M3, E5M2, FORMATS
from ...claim import tie
from ...evidence import Proof


@tie("new.parity.float.census")
def floating_formats(proof: Proof) -> None:
    """Spacings, rounding and ties in six formats, from the list of their numbers near each power of two, and NumPy's rounding."""
    bits = {
        "float64": (53, -1074, np.float64),
        "float32": (24, -149, np.float32),
        "float16": (11, -24, np.float16),
        "bfloat16": (8, -133, None),
    }
    for form in proof.tied("six formats, numbers between 2^-20 and 2^6 and in the last places, either sign", FORMATS):
        precision, lowest, kind = bits.get(form.name, (form.precision, form.lowest, None))
        proof.exactly(f"{form.name}: bits and the least number", (form.precision, form.lowest), (precision, lowest))
        least = lowest + precision - 1
        for e in (lowest, least - 1, least, least + 1, -7, -2, -1, 0, 1, 5):
            width = max(e - precision + 1, lowest)
            for share in (fmpq(1), fmpq(-1), fmpq(9, 8), fmpq(-11, 8), fmpq(15, 8), fmpq(4, 3), fmpq(-13, 7), fmpq(50, 49)):
                # between 2^e and 2^(e+1), with denominators that are no powers of two
                x = share * fmpq(2) ** e
                proof.exactly(f"{form.name}: spacing", form.spacing(x), fmpq(2) ** width)
                near = Fraction(int(x.p), int(x.q)) / Fraction(2) ** width
                proof.exactly(f"{form.name}: round", form.round(x), fmpq(round(near)) * fmpq(2) ** width)
                proof.exactly(f"{form.name}: ties", form.is_tie(x), near.denominator == 2)
                proof.exactly(f"{form.name}: in", x in form, near.denominator == 1)
                if kind is not None and abs(x) >= form.least_normal:
                    proof.exactly(f"{form.name}: as in NumPy", form.round(x), fmpq(*kind(float(x)).as_integer_ratio()))
    for form, largest in proof.tied("largest numbers", [(BINARY16, 65504), (E5M2, 57344), (E4M3, 448)]):
        proof.exactly(f"{form.name}: the largest", (form.largest, form.round(fmpq(largest))), (largest, largest))


def to_bits(x: fmpq, precision: int) -> fmpq:
    """x to so many bits, ties to even."""
    if x == 0:
        return x
    e = 0
    while abs(x) >= fmpq(2) ** (e + 1):
        e += 1
    while abs(x) < fmpq(2) ** e:
        e -= 1
    spacing = fmpq(2) ** (e - precision + 1)
    low = (x / spacing).floor()
    rest = x / spacing - low
    return (low + int(rest > fmpq(1, 2) or (rest == fmpq(1, 2) and int(low) % 2 == 1))) * spacing


@tie("new.parity.float.turns")
def rounded_turns_by_hand(proof: Proof) -> None:
    """Complex units rounded to p bits: six products and sums at a time, orbits of length 3 and 6."""
    rng = Random(79)
    for p in proof.tied("2 to 60 bits", (*range(2, 17), 24, 53, 60)):
        format = rounded_turns.bits(p)
        drawn = [fmpq(rng.randint(-(2**70), 2**70), 2 ** rng.randint(69, 74)) for _ in range(9)] + [
            1 + fmpq(1, 2**p),
            1 + fmpq(3, 2**p),
            fmpq(0),
        ]
        proof.exactly("bits", [format.round(x) for x in drawn], [to_bits(x, p) for x in drawn])
        t = rounded_turns.height(p)
        # sqrt(3)/2 lies between the middles to the neighbours
        half = fmpq(1, 2 ** (p + 1))
        proof.holds("height: a number of p bits nearest to sqrt(3)/2", (t - half) ** 2 < fmpq(3, 4) < (t + half) ** 2 and (t * 2**p).q == 1)
        last = fmpq(2) ** (1 - p)
        found = list(rounded_turns.sizes(p))
        fits = lambda c: to_bits(3 * c / 4, p) == 3 * c / 4  # noqa: B023, E731
        if p < 12:
            proof.exactly("sizes: all of [1, 2)", found, [c for k in range(2 ** (p - 1)) for c in [1 + k * last] if fits(c)])
        else:
            every = [c for k in range(140) for c in [(fmpq(4, 3) / last).ceil() * last + k * last] if fits(c)]
            proof.exactly("sizes: 15, every second one from 4/3 on", found, every[::2][:15])
            proof.holds("the first ones", found[0] - fmpq(4, 3) < 4 * last)
        turn = rounded_turns.turn(p)
        proof.exactly("there is a turn from 3 bits on", turn is not None, p > 2)
        if turn is None:
            continue
        proof.exactly(
            "s = t c and 3 c / 4 = t s, rounded", (to_bits(t * turn.size, p), to_bits(t * turn.other, p)), (turn.other, 3 * turn.size / 4)
        )
        proof.exactly("its height, and the first size that will do", (turn.height, turn.size in found), (t, True))
        for m in (3, 6):
            a = turn.unit(m)
            proof.exactly("the unit", a, (fmpq(-1 if m == 3 else 1, 2), t))
            states = [(turn.size, fmpq(0))]
            for _ in range(13):
                (x, y), (u, v) = a, states[-1]
                b = lambda z: to_bits(z, p)  # noqa: B023, E731
                states.append((b(b(x * u) - b(y * v)), b(b(x * v) + b(y * u))))
            proof.exactly("orbit", rounded_turns.orbit(a, states[0], format.round, 13), states)
            proof.exactly("it comes back", states, (states[:m] * 5)[:14])
    for a, b, c, d in proof.tied("81 products of integers, not rounded", product((-2, 1, 3), repeat=4)):
        found = rounded_turns.times((a, b), (c, d), lambda x, y: x * y, lambda x: x)
        proof.exactly("times", found, (a * c - b * d, a * d + b * c))


def step_by_hand(layer: rounded_delta.RoundedLayer, letter: int, h: Any, how: rounded_delta.Evaluation, p: int) -> list[fmpq]:
    b = lambda z: to_bits(z, p)  # noqa: E731
    beta, v = (layer.beta, layer.v) if letter else (fmpq(0), fmpq(0))
    exact_sum = sum((x * y for x, y in zip(layer.k, h, strict=True)), fmpq(0))
    total = fmpq(0)
    for i in how.order:
        total = b(total + (layer.k[i] * h[i] if how.sum == "fused" else b(layer.k[i] * h[i])))
    if how.sum == "once":
        total = b(exact_sum)
    u = b(beta * b(v - (exact_sum if how.residual else total)))
    return [b(x + (u * y if how.update else b(u * y))) for x, y in zip(h, layer.k, strict=True)]


@tie("new.parity.float.scalar")
def rounded_delta_by_hand(proof: Proof) -> None:
    """A step in every evaluation, for keys of up to 7 entries; layers that keep the parity, and layers that do not."""
    rng = Random(80)
    for n in proof.tied("widths 1 to 5: evaluations", range(1, 6)):
        found = list(rounded_delta.evaluations(n))
        orders = list(permutations(range(n)))
        wanted = {(kind, o, fused, False) for fused in (False, True) for kind in ("separate", "fused") for o in orders}
        wanted |= {("once", orders[0], fused, False) for fused in (False, True)}
        proof.exactly(
            "every way once", ({(e.sum, e.order, e.update, e.residual) for e in found}, len(found)), (wanted, 4 * len(orders) + 2)
        )
    for n, p in proof.tied("widths 1 to 7, 3 to 24 bits", product((1, 2, 3, 7), (3, 8, 24))):
        some = lambda: np.array([to_bits(fmpq(rng.randint(-99, 99), 64), p) for _ in range(n)], dtype=object)  # noqa: B023, E731
        layer = rounded_delta.RoundedLayer(some(), to_bits(fmpq(rng.randint(1, 99), 50), p), some()[0], some(), some())
        proof.exactly("1 - beta |k|^2", layer.eigenvalue, 1 - layer.beta * sum((x * x for x in layer.k), fmpq(0)))
        proof.exactly("numbers", layer.numbers(), [*layer.k, layer.beta, layer.v, *layer.even, *layer.odd])
        rounded = lambda x: to_bits(x, p)  # noqa: B023, E731
        order = tuple(rng.sample(range(n), n))
        for kind, update, residual, letter in product(rounded_delta.SUMS, (False, True), (False, True), (0, 1)):
            how, h = rounded_delta.Evaluation(kind, order, update, residual), some()
            found = list(rounded_delta.step(layer, letter, h, how, rounded))
            proof.exactly("a step", found, step_by_hand(layer, letter, h, how, p))
            alone = rounded_delta.RoundedLayer(layer.k, fmpq(1), fmpq(0), h, h)
            flat = step_by_hand(alone, 0, h, how, p)
            proof.exactly("the letter 0 keeps the state", flat, list(h))
            total = rounded_delta.dot(layer.k, h, rounded_delta.Evaluation(kind, order, update), rounded)
            by_hand = fmpq(0)
            for i in order:
                by_hand = rounded(by_hand + (layer.k[i] * h[i] if kind == "fused" else rounded(layer.k[i] * h[i])))
            proof.exactly(
                "k . h", total, rounded(sum((x * y for x, y in zip(layer.k, h, strict=True)), fmpq(0))) if kind == "once" else by_hand
            )
        for width in (n, n + 1, n + 5):
            wide = rounded_delta.padded(layer, width)
            zeros = [fmpq(0)] * (width - n)
            parts = [list(x) for x in (wide.k, wide.even, wide.odd)]
            proof.exactly("padded", parts, [[*x, *zeros] for x in (layer.k, layer.even, layer.odd)])
            proof.exactly("with the same numbers", (wide.beta, wide.v), (layer.beta, layer.v))
        how = next(rounded_delta.evaluations(n))
        swaps = [
            step_by_hand(layer, x, h, how, p) == list(g)
            for x, h, g in ((1, layer.even, layer.odd), (1, layer.odd, layer.even), (0, layer.even, layer.even))
        ]
        proof.exactly("keeps_parity: one that does not", rounded_delta.keeps_parity(layer, how, rounded), all(swaps))
    for p in proof.tied("8 to 60 bits", (8, 9, 11, 24, 53, 60)):
        layer = rounded_delta.below_two(p)
        spacing = fmpq(2) ** (1 - p)
        proof.exactly(
            "below two", ([*layer.even, *layer.odd], layer.k[0], layer.beta), ([2 - 17 * spacing, 2 - 15 * spacing], fmpq(9, 8), fmpq(3, 4))
        )
        proof.exactly("its value", layer.v, fmpq(9, 4) * (1 - 8 * spacing))
        for how in rounded_delta.evaluations(1):
            proof.exactly("keeps the parity", rounded_delta.keeps_parity(layer, how, lambda x, p=p: to_bits(x, p)), True)
            broken = rounded_delta.RoundedLayer(layer.k, layer.beta, layer.v, layer.even, layer.even)
            proof.exactly("not from one state to itself", rounded_delta.keeps_parity(broken, how, lambda x, p=p: to_bits(x, p)), False)
    for lowest in proof.tied("least numbers 2^-1074 to 1", (-1074, -149, -9, -1, 0)):
        layer = rounded_delta.smallest_numbers(lowest)
        proof.exactly("smallest numbers", layer.numbers(), [fmpq(7, 4), fmpq(5, 16), fmpq(0), fmpq(2) ** lowest, -(fmpq(2) ** lowest)])
