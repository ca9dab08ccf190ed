"""Floating point, row by row: layers of up to 14 maps and 13 entries, orbits on both sides of each bound, tiny and huge states, each type of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, product
from math import gcd, inf, lcm
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
from flint import arb, fmpq

from .....constructions.automata.compiler import compile_automaton
from .....constructions.automata.read import tasks
from .....constructions.automata.rounding import bounds, orbits, precision
from .....constructions.automata.rounding import layer as numbers_of
from .....constructions.automata.rounding.layer import FORMATS, LayerNumbers, Walks
from .....numerics import exact
from ....claim import tie
from ....evidence import Proof
from ...automata import rounding_bounds, rounding_steps
from ...automata.rounding import EXACT, check_walks, f, q, vector
from .. import POSITIVE, hold, hold_refusals

#: what a document may hold beside its own fields, of each type of numbers
NOTES = {"note 0": -1, "note 1": 0.5, "note 2": -2j, "note 3": fmpq(-1, 3), **{f"note {i}": [-i] for i in range(4, 13)}}


def resets(m: int, one: fmpq = fmpq(1)) -> dict[str, Any]:
    """A network written by hand: one-hot states times ``one``, a letter that resets to each of them, and one that keeps them."""

    def row(i: int) -> list[str]:
        return [str(one if i == j else fmpq(0)) for j in range(m)]

    def projections(r: int) -> list[dict[str, Any]]:
        unit = [["1" if i == j else "0" for j in range(m)] for i in range(m)]
        return [{"v": unit[j], "beta": "1", "scale": "1", "write": str(one if j == r else fmpq(0))} for j in range(m)]

    maps = [{"A": [["0"] * m] * m, "B": [[x] for x in row(r)], "steps": projections(r)} for r in range(m)]
    identity = [["1" if i == j else "0" for j in range(m)] for i in range(m)]
    layer = {
        "states": [[[x] for x in row(i)] for i in range(m)],
        "maps": [*maps, {"A": identity, "B": [["0"]] * m, "steps": []}],
        "letters": [[y, 0, 0, y] for y in range(m + 1)],
        "decoder": [*([r, r, r] for r in range(m)), *([i, m, i] for i in range(m))],
    }
    return {"field": 1, "layers": [layer]}


def scaled(document: dict[str, Any], by: fmpq) -> dict[str, Any]:
    """The same network with states, inputs and what micro-steps write times a number."""
    times = lambda rows: [[str(fmpq(exact.rational(x)) * by) for x in row] for row in rows]  # noqa: E731

    def of_map(m: dict[str, Any]) -> dict[str, Any]:
        steps = m["steps"] and [s | {"write": str(exact.rational(s["write"]) * by)} for s in m["steps"]]
        return m | {"B": times(m["B"]), "steps": steps}

    return document | {
        "layers": [
            layer | {"states": [times(H) for H in layer["states"]], "maps": list(map(of_map, layer["maps"]))}
            for layer in document["layers"]
        ]
    }


@tie("new.automata.float-length")
def near_states(proof: Proof) -> None:
    """Two states nearer than a millionth, or than a millionth of the largest number, are not told apart in float64."""
    for size, share in proof.tied(
        "states of size 1/8 to 8, a little nearer and a little farther", list(product((0.125, 1.0, 8.0), (0.998, 1.002)))
    ):
        numbers = LayerNumbers.__new__(LayerNumbers)
        apart = share * 1e-6 * max(1.0, size)
        numbers.states, numbers.A, numbers.B = np.array([[size], [size - apart]]), np.ones((1, 1, 1)), np.zeros((1, 1))
        numbers.layer = {"letters": [["a", 0, 0, 0]]}
        proof.exactly("LayerNumbers.walks", numbers.walks is not None, share > 1)


@tie("new.automata.float-length")
def large_layers(proof: Proof) -> None:
    """One-hot resets of up to 13 states: numbers, walks, growths and lengths by hand; what a document holds beside its layers changes nothing."""
    for m, dtype in proof.tied("1 to 13 states, four formats", [(13, "float64"), (5, "float16"), (1, "bfloat16")]):
        document = resets(m)
        (layer,), form = document["layers"], FORMATS[dtype]
        numbers = LayerNumbers(layer, 1)
        wanted = [[1.0 if i == j else 0.0 for j in range(m)] for i in range(m)]
        proof.exactly(
            "states, inputs, micro-steps",
            (numbers.states.tolist(), numbers.B.tolist(), [len(steps or ()) for steps in numbers.micro]),
            (wanted, [*wanted, [0.0] * m], [m] * m + [1]),
        )
        check_walks(proof, layer, numbers)
        loop, by_hand = bounds.loop_growth(numbers, form), rounding_bounds.loop_growth_by_hand(numbers, dtype)
        rounding_bounds.same(proof, "the loop: excess", loop.excess, by_hand[0])
        rounding_bounds.same(proof, "the loop: added", loop.added, by_hand[1])
        growth, by_hand = (
            bounds.delta_growth(numbers, form, form),
            rounding_bounds.delta_growth_by_hand(layer, numbers, dtype, dtype),
        )
        rounding_bounds.same(proof, "the delta rule: excess", growth.excess, by_hand[0])
        rounding_bounds.same(proof, "the delta rule: added", growth.added, by_hand[1])
        # 0 and 1 are numbers of every format, and a reset forgets all errors
        if m < 13:
            found = precision.guaranteed_lengths(document | NOTES)
            proof.exactly("right at every length", found, {path: dict.fromkeys(FORMATS, inf) for path in precision.PATHS})
            many = resets(1) | {"layers": resets(1)["layers"] * 13}
            proof.exactly("thirteen layers, alike", precision.guaranteed_length(many | NOTES, dtype), inf)
        for g, step in ((0, 0), (m, m - 1)):
            H = np.array([[0.5 * i - 2.0 for i in range(m)]])
            after, _ = orbits.loop_step(numbers, form)(H.astype(form.carrier), np.array([g]))
            proof.exactly("a step", after.tolist(), [wanted[0]] if g < m else H.tolist())
            after, _ = orbits.delta_step(numbers, form)(H.astype(form.carrier), np.array([g]))
            proof.exactly("a step by micro-steps", after.tolist(), [wanted[step]] if g < m else H.tolist())
        extended = layer | NOTES
        proof.exactly("states_by_map", numbers_of.states_by_map(extended), [*([r] for r in range(m)), list(range(m))])
        for field in (1, 4, -4):
            for step in numbers_of.micro_steps(layer["maps"][0], field):
                proof.exactly("micro_steps of rational maps, whatever the field", (float(step[0] @ step[0]), step[1]), (1.0, 1.0))


@tie("new.automata.float-length")
def states_too_near_or_too_large(proof: Proof) -> None:
    """States less than 1e-6 apart are not gone through, so that the bounds decide; states beyond a format have no length."""
    documents = {
        "a sign": compile_automaton(tasks.parity()).document(),
        "resets": resets(3),
        "a cycle": compile_automaton(tasks.cycle_navigation(3), "permutation").document(),
    }
    for name, document in proof.tied("a sign, three resets, a cycle of three, times 10^-7", documents.items()):
        tiny = scaled(document, fmpq(1, 10**7))
        (layer,) = tiny["layers"]
        numbers = LayerNumbers(layer, 1)
        proof.exactly("no walks", numbers.walks, None)
        everywhere = [np.arange(len(numbers.states)).tolist()] * len(numbers.A)
        proof.exactly("each map is met by all states", [x.tolist() for x in bounds._states_before(numbers)], everywhere)
        table = precision.guaranteed_lengths(tiny)
        for dtype, form in FORMATS.items():
            by_path = {
                "loop": bounds.loop_length(numbers, form),
                "scan": bounds.scan_length(numbers, form),
                "delta": bounds.delta_length(numbers, form),
                "fused": bounds.fused_length(numbers, form),
            }
            proof.exactly(f"{name}: the bounds alone", {path: row[dtype] for path, row in table.items()}, by_path)
            proof.exactly(
                "not gone through",
                (
                    orbits.right_at_every_length(numbers, orbits.loop_step(numbers, form), form.stored(numbers.states[0])),
                    orbits.exact_scan(numbers, form),
                ),
                (0, False),
            )
        proof.holds("and they say something in float64", all(row["float64"] > 1000 for row in table.values() if row["float64"] is not None))
        huge = LayerNumbers(scaled(document, fmpq(10**6))["layers"][0], 1)
        lengths = (bounds.loop_length, bounds.scan_length, bounds.delta_length, bounds.fused_length)
        proof.exactly(
            "nothing in float16 beyond its numbers, something in float32",
            ([length(huge, FORMATS["float16"]) for length in lengths], [length(huge, FORMATS["float32"]) > 0 for length in lengths]),
            ([0] * 4, [True] * 4),
        )


def stand_in(count: int, width: int) -> Any:
    """A layer with one state and ``count`` maps, which any vector is read as right: from the start each map leads on, and there one of them stays."""
    steps = np.array([*([0, g, 1] for g in range(count)), [1, 0, 1]], dtype=np.int64)
    walks = Walks(np.zeros(2, dtype=np.int64), steps)
    return SimpleNamespace(
        walks=walks, A=np.zeros((count, 1, 1)), states=np.zeros((1, width)), margins=np.full(count, inf), reached=[[0]] * count
    )


@tie("new.automata.float-length")
def orbits_at_their_bounds(proof: Proof) -> None:
    """As many states as may be gone through, and one more; as many entries; as many products of maps."""

    def step(H: np.ndarray, g: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        after = H.copy()
        after[:, 0] = np.where(H[:, 0] == 0, g + 1.0, H[:, 0])
        return after, np.ones(len(H), dtype=bool)

    # 5000 states beyond twice the nodes; what is more than four times as many in one step is not counted as a length
    limit = 5000 + 2 * 2
    counted = [(1, 1, inf), (limit - 1, 1, inf), (limit, 1, 1), (4 * limit - 1, 1, 1), (4 * limit, 1, 0)]
    # 10^8 entries of maps, in two steps of as many; and more in the first step
    counted += [(5000, 100, inf), (5001, 100, 1), (12, 3000, 0)]
    for count, width, wanted in proof.tied("1 to 20,016 states, up to 3000 entries", counted):
        found = orbits.right_at_every_length(stand_in(count, width), step, np.zeros(width))
        proof.exactly("right_at_every_length", found, wanted)
    moved = orbits.right_at_every_length(stand_in(3, 2), step, np.array([-1.0, 0.5]))
    for _ in proof.tied("a start below 0", [()]):
        proof.exactly("right_at_every_length: from a negative number, which stays", moved, inf)
    for lengths in proof.tied(
        "cyclic groups of 1 to 2145 permutations", [(1,), (5,), (3, 4), (13,), (4, 5, 9, 11), (2, 7, 11, 13), (3, 5, 11, 13)]
    ):
        n, order = sum(lengths), lcm(*lengths)
        first = list(accumulate((0, *lengths)))
        A = np.zeros((1, n, n))
        for start, length in zip(first, lengths, strict=False):
            for i in range(length):
                A[0, start + (i + 1) % length, start + i] = 1.0
        found = orbits._products(A, np.zeros((1, n)))
        proof.exactly("_products: all of them, up to 2000", found and len(found[0]), order if order <= 2000 else None)
    for exponent, largest, yes in proof.tied(
        "translations of one number", [(12, 1, True), (13, 1, False), (0, 256, True), (0, 257, False)]
    ):
        found = orbits._products(np.zeros((1, 1, 1)), np.array([[largest * 2.0**-exponent]]))
        proof.exactly("_products: multiples of 2^-12 up to 2^8", found is not None, yes)
        layer = LayerNumbers(scaled(resets(1), fmpq(largest, 2**exponent))["layers"][0], 1)
        proof.exactly("exact_scan", orbits.exact_scan(layer, FORMATS["float32"]), yes)
    hold_refusals(
        proof, "complex numbers and rationals", [(orbits._products, (np.array([[[x]]]), np.zeros((1, 1)))) for x in (1j, fmpq(1, 2))]
    )


@tie("new.automata.float-length")
def nearest_states_at_the_last_bit(proof: Proof) -> None:
    """A vector is read as the nearest state if it is nearer by a billionth and 2^-48, not otherwise: both sides, by rationals."""
    for margin, largest in proof.tied("margins 2^-10 to 2^-4, states up to 2", [(fmpq(1, 1024), 0), (fmpq(1, 1024), 2), (fmpq(1, 16), 0)]):
        # in one entry the states 0 and 2 margin; a second entry, in which they agree, sets the scale
        states = np.array([[0.0, float(largest)], [2 * f(margin), float(largest)]])
        layer: Any = SimpleNamespace(states=states, margins=np.array([f(margin)] * 2), reached=[[0, 1], [0, 1]])
        nearly, bits = 1 - fmpq(1, 10**9), fmpq(max(1, largest), 2**48)
        # e < (2 margin - e) nearly - bits
        edge = (2 * margin * nearly - bits) / (1 + nearly)
        for off, yes in ((-bits / 250, True), (bits / 250, False), (-margin / 2, True), (margin, False)):
            H = np.array([[f(edge + off), float(largest)]] * 2)
            found = orbits._decoded(layer, H, np.array([0, 0]), np.array([0, 1]))
            proof.exactly("_decoded", found.tolist(), [yes] * 2)
            found = orbits._decoded(layer, H.astype(complex), np.array([0, 0]), np.array([0, 1]))
            proof.exactly("_decoded: complex", found.tolist(), [yes] * 2)
    alone: Any = SimpleNamespace(states=np.array([[1.0]]), margins=np.array([inf]), reached=[[0]])
    for _ in proof.tied("a layer of one state", [()]):
        proof.exactly("one state: every vector", orbits._decoded(alone, np.array([[1e9]]), np.array([0]), np.array([0])).tolist(), [True])


@tie("new.automata.float-length")
def numbers_in_types(proof: Proof) -> None:
    """Formats, sums, last bits, distances and norms on floats, complex numbers and rationals, up to 13 entries."""
    rng = Random(401)
    drawn = [[fmpq(rng.randint(-99, 99), 2 ** rng.randint(0, 9)) for _ in range(n)] for n in POSITIVE]
    as_floats = lambda row: np.array([f(x) for x in row])  # noqa: E731
    objects = lambda row: np.array([*row, None], dtype=object)[:-1]  # noqa: E731
    for name, form in proof.tied("four formats, 1 to 13 numbers as rationals", FORMATS.items()):
        for row in drawn:
            proof.exactly("stored: rationals", [q(x) for x in form.stored(objects(row))], vector(name, as_floats(row)))
            rounded = form.rounded(objects(row))
            wanted = [EXACT[name].round(x) for x in row] if name == "bfloat16" else row
            proof.exactly("rounded: rationals", [q(float(x)) for x in rounded], wanted)
            total = [sum(row, fmpq(0))]
            proof.exactly(
                "_in_order: rationals, without rounding", list(orbits._in_order(objects(row)[:, None], FORMATS["float64"])), total
            )
            if name != "bfloat16":
                proof.exactly("rounded: complex numbers", form.rounded(as_floats(row) * 1j).tolist(), [f(x) * 1j for x in row])
    hold_refusals(proof, "complex numbers in a format", [(form.stored, (objects([1j]),)) for form in FORMATS.values()])
    hold_refusals(proof, "complex numbers in bfloat16", [(FORMATS["bfloat16"].rounded, (objects([-1j]),))])
    for row in proof.tied("1 to 13 numbers of either sign", drawn):
        n = len(row)
        for array in (as_floats(row), objects(row), as_floats(row) * 1j, as_floats(row) * (1 - 1j)):
            repeated = np.concatenate([array, array[::-1], array[: n // 2]])
            key = lambda x: (complex(x).real, complex(x).imag) if isinstance(x, complex) else x  # noqa: E731
            proof.exactly("_distinct", orbits._distinct(repeated).tolist(), sorted(set(array.tolist()), key=key))
            square = np.zeros((2, n), dtype=array.dtype)
            square[1] = array
            moved = [j for j in range(n) if row[j] != 0] or [0]
            proof.exactly("_moved", orbits._moved(square).tolist(), moved)
            proof.exactly("_moved: nothing", orbits._moved(square * 0).tolist(), [0])
            points = np.stack([array, array * 2, array * 0 + row[0].p if array.dtype == object else array * 0 + 1])
            distances = [
                max(
                    abs(complex(f(x) if isinstance(x, fmpq) else x) - complex(f(y) if isinstance(y, fmpq) else y))
                    for x, y in zip(a, b, strict=True)
                )
                for i, a in enumerate(points.tolist())
                for b in points.tolist()[:i]
            ]
            proof.closely("_half_distance", abs(numbers_of._half_distance(points) - min(distances) / 2), 1e-12)
        bits = [inf if x == 0 else f(fmpq(int(x.p) & -int(x.p)) / x.q) for x in row]
        proof.exactly("_last_bit", orbits._last_bit(as_floats(row)).tolist(), bits)
        for name in ("float32", "float16", "bfloat16"):
            terms = [EXACT[name].round(x) for x in row]
            (total,), (yes,) = orbits.exact_sum(as_floats(terms)[None], FORMATS[name])
            known = rounding_steps.exact_in_any_order(terms, name)
            proof.exactly("exact_sum", (bool(yes), q(total) if yes else None), (known, sum(terms, fmpq(0)) if known else None))
        zeros = np.array([0.0, -0.0] * n)
        for kind in (float, complex, np.float32):
            x = as_floats(row).astype(kind)
            same = orbits._key(np.concatenate([x, zeros])) == orbits._key(np.concatenate([x, zeros[::-1]]))
            other = orbits._key(x + 1) == orbits._key(x)
            proof.exactly("_key: 0 and -0 are one number, others are told apart", (same, other), (True, False))
        ones = objects([fmpq(-1, 2)] * (n // 4 * 4))[: 4 if n < 9 else 0]
        proof.exactly("_norm: rationals with a rational norm", bounds._norm(objects([*ones, fmpq(0)])), f(fmpq(len(ones), 4)))
        norm = sum(abs(complex(f(x), 2 * f(x))) ** 2 for x in row) ** 0.5
        proof.closely("_norm: complex numbers", abs(bounds._norm(as_floats(row) * (1 + 2j)) - norm), 1e-9)
        primitive, common = numbers_of._primitive([x + (1 if not any(row) else 0) for x in row])
        whole = all(x.q == 1 for x in primitive) and gcd(*(int(x.p) for x in primitive)) == 1 and common > 0
        proof.exactly("_primitive", (whole, [common * x for x in primitive]), (True, row))
        layer: Any = SimpleNamespace(states=as_floats(row)[None] + 1)
        for name in FORMATS:
            wanted = rounding_bounds.underflow_by_hand(name, layer, as_floats(row))
            for weights in (as_floats(row), objects(row), as_floats(row) * 1j):
                rounding_bounds.same(proof, "_underflow", bounds._underflow(FORMATS[name], layer, weights), wanted)
    text = [f"{p}/{10**k + 1}" for p in (-123456789, 7) for k in (1, 5, 9, 12)] + ["-123456789012"]
    hold(
        proof,
        "texts of up to 24 characters",
        numbers_of._rational,
        lambda x: int(Fraction(x).numerator) / int(Fraction(x).denominator),
        ((x,) for x in text),
    )
    angles = [(k, N) for k in (-13, -5, -1, 0, 2, 7) for N in (-12, 3, 5, 12)]
    for k, N in proof.tied("angles of either sign", angles):
        ball = numbers_of._cosine(k, N)
        proof.certified("_cosine", bool(ball.overlaps((arb.pi() * 2 * k / N).cos())) and float(ball.rad()) < 1e-9)
        entry = ("1/3", "0", "-2")
        wanted = float(fmpq(1, 3)) - 2 * float((arb.pi() * 4 / N).cos().mid())
        proof.closely("_real_part", abs(numbers_of._real_part(entry, N) - wanted), 1e-12)
    bad: list[tuple[Any, tuple[Any, ...]]] = [(numbers_of.as_floats, ([[x]], 1)) for x in (0.5, -2j)]
    bad += [(orbits._last_bit, (x,)) for x in (np.array([1j]), objects([fmpq(1, 2)]))]
    bad += [(orbits.exact_sum, (x, FORMATS["float32"])) for x in (np.array([[1j]]), objects([fmpq(1, 2)])[None])]
    bad += [(orbits.exact_sum, (np.zeros((1, 1)), FORMATS["float64"]))]
    growth_of = lambda k: ((k, 1.0, 0.0), np.ones((1, 2)), np.ones((1, 2)), FORMATS["float32"], FORMATS["float32"], 0.0)  # noqa: E731
    bad += [(bounds._micro_growth, growth_of(objects(k))) for k in ([1j, 1j], [fmpq(1), fmpq(1, 2)])]
    alone: Any = SimpleNamespace(states=np.ones((1, 1)), margins=np.ones(1), reached=[[0]])
    bad += [(orbits._decoded, (alone, objects([fmpq(1)])[None], np.array([0]), np.array([0])))]
    bad += [(bounds._float64, (FORMATS["float32"], objects([-1j])))]
    hold_refusals(proof, "types without a last bit or a norm", bad)
    hold(
        proof,
        "1 to 13 rationals in each format",
        lambda name, i: bounds._float64(FORMATS[name], objects(drawn[i])).tolist(),
        lambda name, i: [f(x) for x in vector(name, as_floats(drawn[i]))],
        product(FORMATS, range(len(drawn))),
        "_float64",
    )


def error_after(excess: int, added: int, start: int, steps: float) -> int:
    """e <- (1 + excess) e + added, so many times."""
    error = start
    for _ in range(int(steps)):
        error = (1 + excess) * error + added
    return error


def steps_by_counting(excess: int, added: int, start: int, room: int) -> float:
    """How many steps keep an error below the room; inf if it does not grow."""
    if start >= room:
        return 0
    if error_after(excess, added, start, 1) == start:
        return inf
    steps = 0
    while error_after(excess, added, start, steps + 1) < room:
        steps += 1
    return steps


@tie("new.automata.float-length")
def growths_of_whole_numbers(proof: Proof) -> None:
    """Growths with numbers up to 13: two of them one after the other, and steps counted one by one; factors from 13 times smaller to 13 times larger."""
    whole = (0, 1, 2, 5, 7, 9, 12, 13)
    hold(
        proof,
        "whole numbers up to 13",
        lambda x, c, y, d: bounds.Growth(x, c).then(bounds.Growth(y, d)),
        lambda x, c, y, d: bounds.Growth((1 + x) * (1 + y) - 1, c * (1 + y) + d),
        product(whole[::2], whole[1::2], whole[::3], whole[::3]),
        "then",
    )
    hold_refusals(proof, "complex numbers", [(bounds.Growth(1.0, 1.0).steps_below, (x, y)) for x, y in ((1j, 2.0), (0.0, -2j))])
    rows: list[Sequence[int]] = [(0, c, e, room) for c in (1, 5, 12) for e in (-13, -4) for room in (-3, 2, 13)]
    rows += [(x, 0, 0, 5) for x in whole]
    rows += [(x, c, e, room) for x in whole for c in whole[::2] for e in (0, 3, 12) for room in (1, 13, 1000)]
    for x, c, start, room in proof.tied("whole numbers up to 13, errors of either sign", rows):
        wanted = steps_by_counting(x, c, start, room)
        # an error that is the room itself after so many steps: a billionth decides for one step fewer
        edge = 0 < wanted < inf and error_after(x, c, start, wanted + 1) == room
        found = bounds.Growth(x, c).steps_below(start, room)
        proof.exactly("steps_below", found == wanted or (edge and found == wanted - 1), True)
    ks = [-13, -7, -1, 0, 3, 5, 7, 9, 12, 13]
    for unit in proof.tied("units 2^-3 to 2^-11", [2.0**-3, 2.0**-8, 2.0**-11]):
        wanted = [f((1 + q(unit)) ** k - 1) for k in ks]
        found = bounds.gamma(np.array(ks), unit)
        proof.closely("gamma", float(np.abs(found - wanted).max()), 1e-6)
        turned = [(1 + unit) ** (k * (1 + 1j)) - 1 for k in ks]
        proof.closely("gamma: complex numbers", float(np.abs(bounds.gamma(np.array(ks) * (1 + 1j), unit) - turned).max()), 1e-6)
    hold_refusals(proof, "rationals", [(bounds.gamma, (np.array([fmpq(1)], dtype=object), 0.5))])
