"""Layers and sums in many steps, row by row: up to 13 layers, rows, bits and letters, floats and complex numbers beside exact ones, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import islice, pairwise, permutations, product
from math import comb, isqrt
from random import Random
from typing import Any

import numpy as np
from flint import fmpq

from ....constructions import parity, rounded_delta, rounded_turns, samples
from ....constructions.recurrence import Recurrence, Stack, reachable_with
from ....constructions.rounded_delta import Evaluation, RoundedLayer
from ....numerics import eventual, exact, exponential_sums, jordan
from ....numerics.exponential_sums import ExponentialSum
from ....numerics.finite_precision import FiniteSet, rounded_to_bits
from ...claim import tie
from ...evidence import Proof
from ..held import POSITIVE, SIZES, hold, hold_refusals, integers, matrix, products, rational


def one_entry(x: Any) -> np.ndarray:
    return np.array([[x]], dtype=object)


# -- layers ---------------------------------------------------------------------------------------------------------------


@tie("grazzi25.appE4")
def layers_in_types(proof: Proof) -> None:
    """A network that turns by -1 or i, in floats and complex numbers, beside its automaton; up to 13 scalar layers that count; powers of 13 rows; no floats for scalars."""
    rng = Random(431)
    for kind, order in proof.tied("turns by -1 in floats, by i in complex numbers", [(-1.0, 2), (1j, 4), (-1j, 4)]):
        table = {x: (np.array([[kind**x]]), np.zeros((1, 1), dtype=type(kind))) for x in (0, 1)}
        powers = [kind**k for k in range(order)]
        turn = Recurrence.from_table(table, np.ones((1, 1), dtype=type(kind)), lambda H, x, p=powers: p.index(H[0, 0]))
        for start in range(order):
            found = reachable_with(turn, lambda q, x, m=order: (q + x) % m, start, (0, 1), lambda q, s=start, m=order: (q - s) % m)
            proof.exactly(
                "reachable_with", (len(found.pairs), len(found.edges), found.mismatch, found.closed), (order, 2 * order, None, True)
            )
            proof.exactly(
                "reachable_with: pairs",
                [(states[0][0, 0], q) for states, q in found.pairs],
                [(powers[k], (start + k) % order) for k in range(order)],
            )
    for p in proof.tied("1 to 13 layers", POSITIVE):
        word = [rng.randrange(2) for _ in range(20)]
        proof.exactly("counting_stack", parity.counting_stack(p).run(word), [sum(word[: t + 1]) % 2**p for t in range(20)])
    for p in proof.tied("nine layers, 520 ones", (9,)):
        proof.exactly("counting_stack", parity.counting_stack(p).run([1] * 520), [t % 512 for t in range(1, 521)])
    for n in proof.tied("1 to 13 rows", (1, 2, 9, 13)):
        A, start, B = (integers(rng, *shape, 1) for shape in ((n, n), (n, 1), (n, 1)))
        H, wanted = start.tolist(), []
        for _ in range(4):
            H = [[row[0] + b[0]] for row, b in zip(products([A, H]), B, strict=True)]
            wanted.append(tuple(row[0] for row in H))
        proof.exactly("power_recurrence", parity.power_recurrence(A, start, B).run([1] * 4), wanted)
        without = [tuple(row[0] for row in products([*[A] * k, start])) for k in range(1, 4)]
        proof.exactly("power_recurrence: no inputs", parity.power_recurrence(A, start).run([1] * 3), without)
    hold_refusals(proof, "floats", [(parity.scalar, (x,)) for x in (0.5, -1.0, 1j, 2 - 1j)])
    hold(proof, "exact numbers", parity.scalar, lambda x: one_entry(fmpq(x)), [(k,) for k in range(-13, 14)])


@tie("new.parity.architectures")
def stacks_that_go_on(proof: Proof) -> None:
    """What up to three layers do for ever on periods of up to 13 letters, below 13 as equal floats and complex numbers too; states of up to 13 steps."""
    rng = Random(432)
    D = FiniteSet([-1, 0, 1])
    negate = {x: (one_entry(fmpq(0)), one_entry(fmpq(x))) for x in (-1, 0, 1)}
    hand_on = Recurrence.from_table(negate, one_entry(fmpq(0)), lambda H, x: -int(H[0, 0]))
    flips = Recurrence.from_table(
        {x: (one_entry(fmpq(-1 if x else 1)), one_entry(fmpq(0))) for x in (-1, 0, 1)}, one_entry(fmpq(1)), lambda H, x: int(H[0, 0])
    )
    for depth, length in proof.tied("1 to 3 layers, periods of 1 to 13 letters", [(1, 13), (2, 3), (3, 1)]):
        period = [rng.choice((-1, 0, 1)) for _ in range(length)]
        for one in (1, 1.0, 1 + 0j) if length < 13 else (1,):
            traces = Stack((flips, *[hand_on] * (depth - 1))).eventual_outputs([x * one for x in period], D)
            letters, words, state = [period[t % length] for t in range(30)], [], 1
            words.append(letters)
            letters = [state := -state if x else state for x in letters]
            words.append(letters)
            for _ in range(depth - 1):
                letters = [-x for x in letters]
                words.append(letters)
            proof.exactly("eventual_outputs", [[t.letter(k) for k in range(1, 31)] for t in traces], words)
    for n in proof.tied("10 and 13 steps", (10, 13)):
        A, B = integers(rng, 2, 2, 1), integers(rng, 2, 1, 1)
        layer = Recurrence.from_table({1: (A * fmpq(1, 2), B * fmpq(1))}, exact.zeros(2, 1), lambda H, x: x)
        E = FiniteSet([fmpq(k, 2) for k in range(-6, 7)])
        power, terms, wanted = exact.identity(2), [], [[[0], [0]]]
        for _ in range(n):
            terms.append(products([power, B]))
            power = exact.multiply(power, A * fmpq(1, 2))
            each = [[[nearest(E, x) for x in row] for row in term] for term in terms]
            wanted.append([[nearest(E, sum(term[i][0] for term in each))] for i in range(2)])
        proof.exactly("cast_states", [H.tolist() for H in layer.cast_states([1] * n, E)], wanted)
        high = integers(rng, n, 2) * fmpq(3, 4)
        proof.exactly("cast", E.cast(high).tolist(), [[nearest(E, x) for x in row] for row in high])


def drawn_sums(rng: Random, count: int) -> list[np.ndarray]:
    """Columns of two sums each, of powers of a number of either sign and of -1."""

    def drawn() -> ExponentialSum:
        return ExponentialSum({(fmpq(rng.choice((-1, 1)), 2), 0): rational(rng) + 9, (fmpq(-1), 0): fmpq(rng.choice((-4, -1, 2, 5)), 3)})

    return [np.array([[drawn()], [drawn()]], dtype=object) for _ in range(count)]


def nearest(D: FiniteSet, x: Any) -> Any:
    return min(D.values, key=lambda v: (abs(v - x), v))


# -- sums of powers -------------------------------------------------------------------------------------------------------


@tie("grazzi25.thm1.display")
def arguments_of_casts(proof: Proof) -> None:
    """The argument of the outer cast, from its definition: a constant, terms that are cast, and sums of casts; states of up to 12 rows; no floats."""
    rng = Random(433)
    D = FiniteSet([fmpq(k, 2) for k in (-3, -1, 0, 1, 4)])
    for n in proof.tied("1 to 3 terms of each kind, either sign", range(1, 7)):
        fixed, accumulated, constant = drawn_sums(rng, 1 + n % 3), drawn_sums(rng, n // 2), matrix(rng, 2, 1)
        residue = eventual._Residue(constant, fixed, accumulated, D)
        settled = residue.settled
        start = settled + settled % 2
        for i in range(2):
            argument = residue._argument((i, 0), start)
            for j in range(start, start + 6):
                total = constant[i, 0] + sum((nearest(D, terms[i, 0](j)) for terms in fixed), fmpq(0))
                total = total + sum((nearest(D, terms[i, 0](q)) for terms in accumulated for q in range(j)), fmpq(0))
                proof.exactly("_argument", argument(j), total)
            last = residue.last(settled)
            values = [nearest(D, argument(j)) for j in range(last + last % 2, last + 12)]
            proof.exactly("last: 2-periodic from there on", values[2:], values[:-2])
    for n in proof.tied("10 and 12 rows", (10, 12)):
        start, B = matrix(rng, n, 1), matrix(rng, n, 1)
        ever = eventual.eventual_states([], [(exact.identity(n) * -1, B)], start, D)
        # term by term: the first state with both signs, and the inputs with both
        wanted, casts = [], [[nearest(D, s * x[0]) for s in (1, -1)] for x in B]
        for t in range(8):
            first = [nearest(D, (-1) ** t * x[0]) for x in start]
            wanted.append([[nearest(D, a + sum(c[k % 2] for k in range(t)))] for a, c in zip(first, casts, strict=True)])
        proof.exactly("state", [ever.state(t).tolist() for t in range(8)], wanted)
    for z in (-0.5, 1j):
        M = np.array([[z]])
        hold_refusals(
            proof,
            "floats",
            [
                (eventual._residue, ([(M, M)], 0, [M], jordan.jordan_form(exact.identity(1)), D)),
                (jordan.jordan_form(exact.identity(1)).power_entries, (M, M)),
                (jordan._jordan_chains, (M,)),
            ],
        )


@tie("grazzi25.lemma1")
def sums_of_many_terms(proof: Proof) -> None:
    """Values, sums, signs and domination with eigenvalues and coefficients of either sign, degrees up to 12, by definition; where a condition begins to hold."""
    rng = Random(434)
    for n in proof.tied("1 to 13 terms, coefficients of either sign", POSITIVE):
        keys = rng.sample([(fmpq(p, 2), m) for p in (-3, -2, -1, 1, 2, 3) for m in (0, 2, 12)], n)
        terms = {key: rng.choice((-1, 1)) * fmpq(rng.randint(1, 9), 2) for key in keys}
        s, places = ExponentialSum(terms), (0, 1, 3, 12, 13, 20)
        by_hand = {k: sum((c * comb(k, m) * x ** (k - m) for (x, m), c in terms.items() if k >= m), fmpq(0)) for k in places}
        proof.exactly("values", [s(k) for k in places], list(by_hand.values()))
        double = s + ExponentialSum({key: c * (-1 if i % 2 else 1) for i, (key, c) in enumerate(terms.items())})
        proof.exactly(
            "a sum: what cancels is left out", double.terms, {key: 2 * c for i, (key, c) in enumerate(terms.items()) if not i % 2}
        )
        for parity_ in (0, 1):
            folded = s.on_parity(parity_)
            late = [k for k in (13, 14, 17, 22) if k % 2 == parity_]
            values = [sum((c * comb(k, m) * x ** (k - m) for (x, m), c in terms.items()), fmpq(0)) for k in late]
            proof.exactly("on_parity", ([folded(k) for k in late], all(x > 0 for x, _ in folded.terms)), (values, True))
        lead = max(keys)
        for k in (13, 40):
            rest = [abs(c) * comb(k, m) * abs(x) ** (k - m) for (x, m), c in terms.items() if (x, m) != lead]
            absolute = ExponentialSum({(abs(x), m): c for (x, m), c in terms.items()}) if len({(abs(x), m) for x, m in keys}) == n else None
            if absolute is not None and lead in absolute.terms:
                mine = abs(terms[lead]) * comb(k, lead[1]) * lead[0] ** (k - lead[1])
                proof.exactly("is_dominated_by", absolute.is_dominated_by(lead, k), sum(rest, fmpq(0)) < mine)
    for bound, start in proof.tied("conditions from 0 to 13 on, asked from -9 on", product((0, 1, 2, 5, 8, 12, 13), (-9, -1, 0, 3, 9, 13))):
        proof.exactly("_first", exponential_sums._first(start, holds_from(bound, start)), max(start, bound))
    for n in proof.tied("chains of 1 to 13 values", SIZES):
        values = [fmpq(rng.choice((-2, -1, 0, 1, 3))) for _ in range(n)]
        changes = sum(a * b < 0 for a, b in pairwise([x for x in values if x != 0]))
        proof.exactly("_sign_changes", exact._sign_changes(values), changes)
        eigenvalues = [fmpq(k - 6, 3) for k in range(n + 1)]
        again = Random(n)
        wanted = {(again.choice(eigenvalues), again.randint(0, 2)): fraction_of(again) for _ in range(again.randint(1, 4))}
        proof.exactly("exponential_sum", samples.exponential_sum(Random(n), eigenvalues).terms, {k: c for k, c in wanted.items() if c != 0})
    for shapes in proof.tied("blocks of floats and complex numbers", [[(1, 2)], [(2, 2), (3, 1)], [(13, 1), (0, 2), (1, 13)]]):
        for kind in (float, complex):
            blocks = [integers(rng, *shape).astype(kind) * (1 if kind is float else 1j) for shape in shapes]
            found, i, j = exact.block_diagonal(blocks), 0, 0
            for b in blocks:
                proof.exactly("block_diagonal", found[i : i + b.shape[0], j : j + b.shape[1]].tolist(), b.tolist())
                i, j = i + b.shape[0], j + b.shape[1]
            proof.exactly(
                "block_diagonal: 0 elsewhere", (found.shape, int((found != 0).sum())), ((i, j), int(sum((b != 0).sum() for b in blocks)))
            )
    hold_refusals(proof, "complex numbers", [(exact.as_float, (np.array([1j, -2j]),)), (exact.as_float, (one_entry(1 - 1j),))])


def holds_from(bound: int, start: int) -> Callable[[int], bool]:
    """Whether k is at least ``bound``; raises ``ValueError`` below ``start``, where nobody asks: a search that goes the wrong way would not end."""

    def holds(k: int) -> bool:
        if k < start:
            raise ValueError(f"expected a number from {start} on, got {k}")
        return k >= bound

    return holds


def fraction_of(rng: Random) -> fmpq:
    """A rational in [-3, 3], denominator first."""
    q = rng.randint(1, 4)
    return fmpq(rng.randint(-3 * q, 3 * q), q)


@tie("grazzi25.lemma1")
def draws_of_no_size(proof: Proof) -> None:
    """No sizes and bounds below 0; many blocks."""
    below = [(f, (Random(0), -2)) for f in (samples.integers, samples.nonzero_vector)] + [
        (lambda: samples.integers(Random(0), 3, bound=-2), ())
    ]
    hold_refusals(proof, "sizes and bounds below 0", [*below, (lambda: samples.nonzero_vector(Random(0), 3, bound=-1), ())])
    for n in proof.tied("blocks of total size up to 400", (1, 13, 100, 400)):
        again, sizes = Random(n), []
        while sum(k for _, k in sizes) < n:
            k = again.randint(1, n - sum(k for _, k in sizes))
            sizes.append((again.choice([fmpq(-1), fmpq(3)]), k))
        proof.exactly("jordan_blocks", samples.jordan_blocks(Random(n), n, [fmpq(-1), fmpq(3)]), sizes)
    for seed in proof.tied(
        "ten blocks and more", [next(k for k in range(1000) if len(samples.jordan_blocks(Random(k), 400, [fmpq(1)])) > 9)]
    ):
        proof.exactly("jordan_blocks", sum(k for _, k in samples.jordan_blocks(Random(seed), 400, [fmpq(1)])), 400)


# -- rounded steps --------------------------------------------------------------------------------------------------------


@tie("new.parity.float.underflow")
def rounded_steps_of_many_entries(proof: Proof) -> None:
    """Steps of width up to 13 in each way, one rounding after another; ways of evaluation in order; numbers that are stored."""
    rng = Random(435)
    for n in proof.tied("widths 13 to 1", POSITIVE[::-1]):
        found = rounded_delta.evaluations(n)
        orders = list(islice(permutations(range(n)), 30))
        first = [Evaluation("separate", order, False) for order in orders]
        proof.exactly("evaluations", list(islice(found, len(first))), first)
        if n < 6:
            kinds = [
                (w, o, u)
                for u in (False, True)
                for w in ("separate", "fused", "once")
                for o in (permutations(range(n)) if w != "once" else [tuple(range(n))])
            ]
            proof.exactly("evaluations: all", [(e.sum, e.order, e.update) for e in rounded_delta.evaluations(n)], kinds)
        k, even, odd, h = (matrix(rng, n, 1)[:, 0] for _ in range(4))
        layer = RoundedLayer(k, rational(rng), rational(rng), even, odd)
        square = sum(x * x for x in k)
        proof.exactly(
            "eigenvalue, numbers", (layer.eigenvalue, layer.numbers()), (1 - layer.beta * square, [*k, layer.beta, layer.v, *even, *odd])
        )
        cut = lambda x: fmpq((x * 64).floor(), 64)  # noqa: E731
        order = tuple(rng.sample(range(n), n))
        for kind, update, residual in product(("separate", "fused", "once"), (False, True), (False, True)):
            how, total = Evaluation(kind, order, update, residual), fmpq(0)
            for i in order:
                total = cut(total + (cut(k[i] * h[i]) if kind == "separate" else k[i] * h[i])) if kind != "once" else total + k[i] * h[i]
            total = cut(total)
            proof.exactly("dot", rounded_delta.dot(k, h, how, cut), total)
            for letter in (0, 1):
                beta, v = (layer.beta, layer.v) if letter else (0, 0)
                gap = cut(v - sum(a * b for a, b in zip(k, h, strict=True))) if residual else cut(v - total)
                u = cut(beta * gap)
                wanted = [cut(x + (u * y if update else cut(u * y))) for x, y in zip(h, k, strict=True)]
                proof.exactly("step", list(rounded_delta.step(layer, letter, h, how, cut)), wanted)


@tie("new.parity.float.turns")
def turns_of_many_bits(proof: Proof) -> None:
    """Heights nearest to half the root of 3, formats, units, products by four roundings; no bits below 0."""
    rng = Random(436)
    cut = lambda z: fmpq((z * 8).floor(), 8)  # noqa: E731
    for p in proof.tied("1 to 60 bits", (1, 2, 3, 5, 8, 11, 12, 13, 24, 53, 60)):
        grid = [fmpq(k, 2**p) for k in range(isqrt(3 * 4**p // 4) - 1, isqrt(3 * 4**p // 4) + 3)]
        # x is nearer to the root than y > x if their middle is above it
        best = next(x for x, y in pairwise(grid) if (x + y) ** 2 > 3)
        proof.exactly("height", rounded_turns.height(p), best)
        form = rounded_turns.bits(p)
        x = fmpq(rng.randint(1, 10**6), 10**6) + 1
        rounded = rounded_to_bits(Fraction(int(x.p), int(x.q)), p)
        proof.exactly("bits", (form.precision, form.round(-x)), (p, -fmpq(rounded.numerator, rounded.denominator)))
    for _ in proof.tied("30 products of either sign", range(30)):
        (x, y), (u, v) = ((rational(rng), rational(rng)) for _ in range(2))
        proof.exactly(
            "times",
            rounded_turns.times((x, y), (u, v), lambda a, b: cut(a * b), cut),
            (cut(cut(x * u) - cut(y * v)), cut(cut(x * v) + cut(y * u))),
        )
        t = rounded_turns.Turn(x, u, v)
        proof.exactly("unit", (t.unit(3), t.unit(6)), ((fmpq(-1, 2), x), (fmpq(1, 2), x)))
    calls: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
        (f, (k,)) for f in (rounded_turns.height, rounded_turns.sizes, rounded_turns.turn) for k in (-1, -9)
    ]
    hold_refusals(proof, "numbers of bits below 0", calls)
