"""Casts to finite sets and to a number of bits, row by row: the nearest element by search."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise, product
from random import Random
from typing import Any

import numpy as np
from flint import fmpq

from .....constructions import rounded_census
from .....numerics import exact
from .....numerics.eventual import eventual_states
from .....numerics.finite_precision import FiniteSet, cast_model_states, rounded_to_bits, stepwise_states
from ....claim import tie
from ....evidence import Proof
from .. import POSITIVE, hold_refusals, integers, matrix, products


@tie("grazzi25.thm2")
def casts(proof: Proof) -> None:
    """The nearest element by search, along both models, with up to 13 elements, rows and steps."""
    rng = Random(286)
    for n in proof.tied("1 to 13 elements, rows and steps", POSITIVE):
        values = rng.sample([fmpq(k, 2) for k in range(-15, 16)], n)
        D = FiniteSet([rng.choice((x, str(x))) for x in values])
        nearest = lambda x, D=D, values=values: min(sorted(values), key=lambda v: (abs(v - x), v))  # noqa: E731
        each = lambda A, f=nearest: [[f(x) for x in row] for row in A]  # noqa: E731
        proof.exactly("its elements", (D.values, len(D), D.to_text()), (sorted(values), n, [str(x) for x in sorted(values)]))
        A = matrix(rng, n, 2, 8)
        proof.exactly("cast", D.cast(A).tolist(), each(A))
        proof.exactly("cast: ties go down", [D.cast_scalar((a + b) / 2) for a, b in pairwise(sorted(values))], sorted(values)[:-1])
        rows = min(n, 10)
        start, steps = (
            matrix(rng, rows, 1, 8),
            [(integers(rng, rows, rows, 1) * fmpq(1, 2), matrix(rng, rows, 1, 8)) for _ in range(n if n < 4 else 3)],
        )
        slow, terms, whole = [each(start)], [start.tolist()], [each(start)]
        for T, B in steps:
            slow.append(each(np.array(products([T, slow[-1]]), dtype=object) + B))
            terms = [products([T, term]) for term in terms] + [B.tolist()]
            total = np.array(each(terms[0]), dtype=object)
            for term in terms[1:]:
                total = total + np.array(each(term), dtype=object)
            whole.append(each(total))
        proof.exactly("stepwise_states", [H.tolist() for H in stepwise_states(steps, start, D)], slow)
        proof.exactly("cast_model_states", [H.tolist() for H in cast_model_states(steps, start, D)], whole)
        period = [(exact.identity(rows) * -1, start)]
        ever = eventual_states([], period, start * 0, D)
        states = list(cast_model_states(period * 30, start * 0, D))
        proof.exactly("eventual_states", [ever.state(t).tolist() for t in range(31)], [H.tolist() for H in states])
        proof.exactly(
            "eventual_states: transient and cycle", (ever.threshold, ever.period <= 2 * len(ever.cycle)), (len(ever.transient), True)
        )
    D = FiniteSet([-1, 0, 1])
    floats = [np.array([[x]], dtype=object) for x in (-0.5, 1j)]
    one = exact.identity(1)
    calls: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
        (FiniteSet, ([],)),
        (FiniteSet, ([0.5],)),
        (eventual_states, ([], [], one, D)),
    ]
    for x in floats:
        calls += [
            (D.cast, (x,)),
            (stepwise_states, ([], x, D)),
            (cast_model_states, ([], x, D)),
            (eventual_states, ([], [(x, one)], one, D)),
        ]
    hold_refusals(proof, "floats, and sets without elements", calls)
    for x, bits in proof.tied(
        "fractions of either sign, 1 to 13 bits", product([Fraction(p, q) for p in range(-25, 26) for q in (1, 3, 8, 1000)], POSITIVE)
    ):
        found = rounded_to_bits(x, bits)
        shift = 0
        while abs(x) * Fraction(2) ** shift < 2 ** (bits - 1) and x:
            shift += 1
        while abs(x) * Fraction(2) ** shift >= 2**bits:
            shift -= 1
        proof.exactly("rounded_to_bits", found, Fraction(round(x * Fraction(2) ** shift)) / Fraction(2) ** shift)


@tie("new.parity.float.counts.once")
def reads_of_small_formats(proof: Proof) -> None:
    """k . h rounded once, and with its products rounded before, by rational arithmetic: up to 7 entries in formats of three bits and of four."""
    rng = Random(431)
    for bits, width in proof.tied("1 to 7 entries", [((1, 1), 1), ((1, 1), 3), ((2, 1), 2), ((2, 1), 5), ((1, 1), 5), ((1, 1), 7)]):
        form = rounded_census.small_format(*bits)
        tables = rounded_census.Tables(form)
        numbers, least = tables.numbers.tolist(), fmpq(2) ** form.lowest
        place = lambda x, n=numbers, f=form, u=least: n.index(int(f.round(max(-f.largest, min(f.largest, x))) / u))  # noqa: E731
        key = tuple(sorted((rng.choice([x for x in numbers if x >= 0]) for _ in range(width)), reverse=True))
        found = {kind: tables.reads(key, kind) for kind in ("once", "products")}
        for _ in range(40):
            state = [rng.randrange(len(numbers)) for _ in range(width)]
            at = 0
            for i in state:
                at = at * len(numbers) + i
            terms = [k * numbers[i] * least**2 for k, i in zip(key, state, strict=True)]
            rounded = [numbers[place(x)] * least for x in terms]
            wanted = place(sum(terms, fmpq(0))), place(sum(rounded, fmpq(0)))
            proof.exactly("reads", (int(found["once"][at]), int(found["products"][at])), wanted)
