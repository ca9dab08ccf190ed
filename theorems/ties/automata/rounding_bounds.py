"""Growths, bounds and lengths of layers in floating point, against the inequalities of docs/explanation/rounding.md written out entry by entry."""

from __future__ import annotations

from itertools import product
from math import fsum, inf
from random import Random
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq

from ....constructions.automata.rounding import bounds, orbits
from ....constructions.automata.rounding.layer import FORMATS, LayerNumbers
from ....constructions.automata.rounding.precision import PATHS, guaranteed_length, guaranteed_lengths
from ...claim import tie
from ...evidence import Proof
from ..shared import refuses
from .rounding import UNITS, documents, f, q, vector, walks_of


def norm(values: Any) -> float:
    return fsum(float(x) ** 2 for x in np.asarray(values, dtype=float).ravel()) ** 0.5


def power(unit: fmpq, k: int) -> float:
    """(1 + u)^k - 1."""
    return f((1 + unit) ** k - 1)


def neighbours(p: int, q: int, stays: bool = True) -> dict[str, Any]:
    """One number that two letters set to 1 or to 1 + p/q, and that a third keeps; without it only one state follows each letter."""
    values = ["1", f"{p + q}/{q}"]
    keeps = [{"A": [["1"]], "B": [["0"]], "steps": []}] if stays else []
    steps = [[{"v": ["1"], "beta": "1", "scale": "1", "write": x}] for x in values]
    return {
        "states": [[[x]] for x in values],
        "maps": [*({"A": [["0"]], "B": [[x]], "steps": s} for x, s in zip(values, steps, strict=True)), *keeps],
        "letters": [[y, 0, 0, y] for y in range(2 + len(keeps))],
        "decoder": [[0, 0, 0], [1, 1, 1], *([i, 2, i] for i in range(2) if keeps)],
    }


def same(proof: Proof, what: str, found: float, wanted: float) -> None:
    """Rounded to the safe side, by a few parts in 10^9."""
    proof.certified(what, bool(wanted * (1 - 1e-12) <= found <= wanted * (1 + 1e-7)) if wanted < inf else found == wanted)


def underflow_by_hand(name: str, numbers: LayerNumbers, weights: Any) -> float:
    n, factor = numbers.states.shape[1], 2 + max(abs(float(x)) for x in np.ravel(weights))
    radius = max(norm(h) for h in numbers.states)
    least = {"float64": 2.0**-1022, "float16": 2.0**-25}.get(name, 2.0**-126 * (2 + radius) * factor)
    return 2 * n * (2 * n + 6) * least * factor**2


def rounded_matrix(name: str, M: Any) -> np.ndarray:
    return np.array([f(x) for x in vector(name, M)]).reshape(np.shape(M))


def loop_growth_by_hand(numbers: LayerNumbers, name: str) -> tuple[float, float]:
    excess = added = 0.0
    for A, B in zip(numbers.A, numbers.B, strict=True):
        a, b = rounded_matrix(name, A), rounded_matrix(name, B)
        gammas = [power(UNITS[name], sum(x != 0 for x in row) + (y != 0)) for row, y in zip(a, b, strict=True)]
        noise = [[g * abs(x) for x in row] for g, row in zip(gammas, a, strict=True)]
        off = norm(a - A) + 2.0**-52 * norm(A)
        excess = max(excess, (0.0 if numbers.contracts else norm(A) - 1) + off + norm(noise))
        each = []
        for h in numbers.states:
            entries = [
                fsum(x * abs(y) for x, y in zip(row, h, strict=True)) + g * abs(c) for row, g, c in zip(noise, gammas, b, strict=True)
            ]
            each.append(off * norm(h) + norm(entries))
        added = max(added, max(each) + norm(b - B) + 2.0**-52 * norm(B) + underflow_by_hand(name, numbers, a))
    return excess, added


def delta_growth_by_hand(layer: dict[str, Any], numbers: LayerNumbers, arithmetic: str, inputs: str) -> tuple[float, float]:
    edges, _ = walks_of(layer, numbers)
    worst = (0.0, 0.0)
    for g, steps in enumerate(numbers.micro):
        points = [numbers.states[i] for i in sorted({i for (_, i), m, _ in edges if m == g})]
        total = (0.0, 0.0)
        for k, beta, v in steps or ():
            after = [h + k * (beta * (v - float(k @ h))) for h in points]
            under = underflow_by_hand(arithmetic, numbers, [*k, beta, v])
            mine = (0.0, under) if beta == 0 else micro_growth_by_hand(k, beta, v, points, after, arithmetic, inputs, under)
            total = (total[0] + mine[0] + total[0] * mine[0], total[1] * (1 + mine[0]) + mine[1])
            points = after
        worst = max(worst[0], total[0]), max(worst[1], total[1])
    return worst


def micro_growth_by_hand(
    k: Any, beta: float, v: float, before: Any, after: Any, arithmetic: str, inputs: str, under: float
) -> tuple[float, float]:
    unit = UNITS[arithmetic]
    u = f(unit)
    # the kernel takes its inputs in one format and computes in another
    key = rounded_matrix(arithmetic, rounded_matrix(inputs, k))
    strength, value = rounded_matrix(arithmetic, rounded_matrix(inputs, [beta, v]))
    off = norm(np.outer(key, key) * strength - np.outer(k, k) * beta) + 8 * 2.0**-52 * (norm(np.outer(k, k) * beta) + 1)
    shift = norm(key * strength * value - k * beta * v) + 8 * 2.0**-52 * norm(k * beta * v)
    some = [x for x in key if x]
    power_of_two = all(q(abs(x)).p & (q(abs(x)).p - 1) == 0 for x in some)
    count = (0 if power_of_two else 2) + max(len(some) - 1, 0) + (value != 0) + 1
    noise = power(unit, count) * abs(strength) * norm(key)
    each = [off * norm(h) + noise * (fsum(abs(a * b) for a, b in zip(h, key, strict=True)) + abs(value)) + shift for h in before]
    last = [u * norm([x for x, a in zip(h, key, strict=True) if a]) for h in after]
    excess = (1 + u) * (off + noise * norm(key)) + u
    return excess, (1 + u) * max(each, default=0.0) + max(last, default=0.0) + under


def steps_by_hand(excess: float, added: float, start: float, room: float) -> float:
    """The last t with (1 + x)^t (e + c / x) - c / x below the room, in balls."""
    if start >= room:
        return 0
    if excess == added == 0:
        return inf
    with ctx.workprec(300):
        x, c, e, r = arb(excess), arb(added), arb(start), arb(room)
        t = (r - e) / c if excess == 0 else ((r + c / x) / (e + c / x)).log() / (1 + x).log()
        return int(float(min(t.mid(), arb(10**18))) // 1)


def same_length(proof: Proof, what: str, found: float, wanted: float) -> None:
    """Short lengths to the letter, long ones to a few parts in 10^7."""
    proof.certified(what, bool(found == wanted if wanted < 10**6 or wanted == inf else abs(found - wanted) <= wanted * 1e-6))


def radius_of(numbers: LayerNumbers) -> float:
    return max(norm(h) for h in numbers.states)


def room_by_hand(numbers: LayerNumbers, name: str) -> float:
    margin = min(numbers.margins.tolist())
    return FORMATS[name].largest / 8 if margin == inf else margin * (1 - 1e-9) - 2.0**-48 * (radius_of(numbers) + margin)


def start_by_hand(numbers: LayerNumbers, *names: str) -> float:
    h = numbers.states[0]
    for name in names:
        h = rounded_matrix(name, h)
    return norm(h - numbers.states[0]) + 2.0**-52 * radius_of(numbers)


def scan_by_hand(numbers: LayerNumbers, name: str) -> tuple[float, float, float]:
    """(x, what the last reading adds, letters) of the scan."""
    wide, radius = name if name == "float64" else "float32", radius_of(numbers)
    leaf = 0.0
    for A, B in zip(numbers.A, numbers.B, strict=True):
        a, b = rounded_matrix(name, A), rounded_matrix(name, B)
        leaf = max(leaf, norm(a - A) + 2.0**-52 * norm(A) + (norm(b - B) + 2.0**-52 * norm(B)) / radius)
    n, size, moves = numbers.A.shape[1], max(1.0, *(norm(A) for A in numbers.A)), bool(numbers.B.any())
    gamma, under = power(UNITS[wide], n + moves), underflow_by_hand(wide, numbers, numbers.A)
    composed = gamma * (size**2 + (2 * size + 2 if moves else 0)) + under * (1 + 1 / radius)
    excess = leaf + composed * (1 + leaf)
    room, start = room_by_hand(numbers, name), start_by_hand(numbers, name)
    products = (size + room / radius) * (radius + start) + (2 * radius + 2 * room if moves else 0)
    reading = start * (1 + room / radius) + gamma * products + under
    spare = (room - reading) / radius
    letters = 0.0 if spare <= 0 else steps_by_hand(excess, 0.0, 1.0, 1 + spare)
    return excess, reading, letters


@tie("new.automata.float-length")
def growths(proof: Proof) -> None:
    """How errors grow, composed and step by step, in rationals."""
    rng = Random(96)
    for k in proof.tied("0 to 1000 roundings, four units", (0, 1, 2, 3, 7, 12, 100, 1000)):
        for name, form in FORMATS.items():
            found = bounds.gamma(np.array([k, k + 1]), form.unit)
            same(proof, "gamma", float(found[0]), power(UNITS[name], k))
            same(proof, "gamma of many", float(found[1]), power(UNITS[name], k + 1))
            same(proof, "gamma of one", float(bounds.gamma(k, form.unit)), power(UNITS[name], k))
    drawn = lambda: (fmpq(rng.randint(0, 9), 128), fmpq(rng.randint(0, 9), 64))  # noqa: E731
    for _ in proof.tied("40 growths, up to 300 steps", range(40)):
        (x, c), (y, d), start, room = drawn(), drawn(), fmpq(rng.randint(0, 9), 32), fmpq(rng.randint(1, 200), 31)
        growth, other = bounds.Growth(f(x), f(c)), bounds.Growth(f(y), f(d))
        both = growth.then(other)
        proof.closely(
            "both, one after the other", abs(both.excess - f((1 + x) * (1 + y) - 1)) + abs(both.added - f(c * (1 + y) + d)), 1e-15
        )
        error, steps = start, 0
        while steps < 300 and error < room:
            error, steps = (1 + x) * error + c, steps + 1
        wanted = inf if x == c == 0 and start < room else max(0, steps - 1)
        if steps < 300 or wanted == inf:
            proof.exactly("steps below the room", growth.steps_below(f(start), f(room)), wanted)
    ends = [(0, 0, 0.5, 1, inf), (0, 0, 1, 1, 0), (inf, 0, 0, 1, 0), (0, inf, 0, 1, 0), (0, 1, 2, 1, 0), (1e-300, 1e-300, 0, 1e300, 10**18)]
    for x, c, start, room, wanted in proof.tied("at the ends", ends):
        proof.exactly("steps below the room, at the ends", bounds.Growth(x, c).steps_below(start, room), wanted)


@tie("new.automata.float-length")
def bounds_by_path(proof: Proof) -> None:
    """Bounds of the loop, the delta rule, the fused kernel and the scan, entry by entry, and the lengths that follow."""
    found = [(d["layers"][-1], LayerNumbers(d["layers"][-1], d["field"])) for d in documents().values()]
    found += [
        (near, LayerNumbers(near, 1))
        for near in (neighbours(1, 4), neighbours(1, 64), neighbours(3, 1024), neighbours(1, 10**8), neighbours(1, 64, False))
    ]
    for (layer, numbers), name in proof.tied(
        "last layers of seven networks, states near each other, four formats", product(found, FORMATS)
    ):
        form = FORMATS[name]
        loop = bounds.loop_growth(numbers, form)
        excess, added = loop_growth_by_hand(numbers, name)
        same(proof, "the loop: excess", loop.excess, excess)
        same(proof, "the loop: added", loop.added, added)
        room, start = room_by_hand(numbers, name), start_by_hand(numbers, name)
        proof.closely("the room", abs(bounds.room(numbers, form) / room - 1), 1e-12)
        same(proof, "the start", bounds.start_error(numbers, form), start)
        proof.exactly("the scan's format", bounds.composed_in(form).name, name if name == "float64" else "float32")
        same_length(proof, "the loop: letters", bounds.loop_length(numbers, form), steps_by_hand(excess, added, start, room))
        if not numbers.contracts:
            proof.exactly("no scan without contractions", bounds.scan_length(numbers, form), 0)
            continue
        for arithmetic, letters in ((name, bounds.delta_length), ("float32", bounds.fused_length)):
            growth = bounds.delta_growth(numbers, FORMATS[arithmetic], form)
            excess, added = delta_growth_by_hand(layer, numbers, arithmetic, name)
            same(proof, "the delta rule: excess", growth.excess, excess)
            same(proof, "the delta rule: added", growth.added, added)
            fused = letters is bounds.fused_length
            begin = start_by_hand(numbers, name, "float32") if fused else start
            unit = f(UNITS[name]) if UNITS[name] > UNITS["float32"] else 0.0
            spare = (room - unit * float(np.abs(numbers.states).max()) - 2.0**-126) / (1 + unit) if fused else room
            same_length(proof, "the delta rule: letters", letters(numbers, form), steps_by_hand(excess, added, begin, spare))
        excess, reading, letters_of_scan = scan_by_hand(numbers, name)
        same(proof, "the scan: excess", bounds.scan_excess(numbers, form), excess)
        same(proof, "the scan: the last reading", bounds.scan_reading(numbers, form), reading)
        same_length(proof, "the scan: letters", bounds.scan_length(numbers, form), letters_of_scan)


@tie("new.automata.float-length")
def lengths_of_documents(proof: Proof) -> None:
    """The better of the two proofs, for the layer that fails first; all paths and formats of one document at once."""
    (turn,) = documents()["a turn by a fifth"]["layers"]
    field = documents()["a turn by a fifth"]["field"]
    for count in proof.tied("13 to 2 layers that turn", (13, 12, 2)):
        for path, dtype in (("scan", "float32"), ("scan", "bfloat16")):
            one, many = ({"field": field, "layers": [turn] * k} for k in (1, count))
            alone = guaranteed_length(one, dtype, path)
            proof.exactly("layers that are alike: as long as one", guaranteed_length(many, dtype, path), alone)
            proof.holds("and that is a number", alone is not None and 0 < alone < inf)
    # in float64 a turn takes longest, since its states do not close
    some = {name: d for name, d in documents().items() if name not in ("a turn by a fifth", "levels", "delays")}
    for name, document in proof.tied("four networks, four paths, four formats", some.items()):
        table = guaranteed_lengths(document)
        proof.exactly("paths and formats", {path: list(row) for path, row in table.items()}, {path: list(FORMATS) for path in PATHS})
        contracts = name != "flip-flop, one-hot"
        for path, dtype in product(("loop", "scan", "delta", "fused"), FORMATS):
            if path in ("delta", "fused") and not contracts:
                proof.exactly("closed to what is no contraction", table[path][dtype], None)
                continue
            layers_of = [LayerNumbers(layer, document["field"]) for layer in document["layers"]]
            wanted = min(by_proofs(numbers, path, dtype) for numbers in layers_of)
            proof.exactly("the better proof", table[path][dtype], wanted)
    for given in proof.tied("what is no format, and no path", [("int8", "loop"), ("float32", "chunk")]):
        proof.holds("is refused", refuses(guaranteed_length, documents()["a sign"], *given))


def by_proofs(numbers: LayerNumbers, path: str, dtype: str) -> float:
    """By exhaustion, else by the bound."""
    form = FORMATS[dtype]
    start = form.stored(numbers.states[0])
    if path == "scan":
        return inf if orbits.exact_scan(numbers, form) else bounds.scan_length(numbers, form)
    step = {"loop": orbits.loop_step, "delta": orbits.delta_step, "fused": orbits.fused_step}[path](numbers, form)
    length = {"loop": bounds.loop_length, "delta": bounds.delta_length, "fused": bounds.fused_length}[path](numbers, form)
    if path == "fused":
        return max(orbits.right_at_every_length(numbers, step, start.astype(np.float64), form.stored), length)
    return max(orbits.right_at_every_length(numbers, step, start), length)
