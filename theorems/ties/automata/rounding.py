"""Layers in floating point: formats, numbers of a layer, steps, orbits and bounds, against rationals rounded one operation after the other.

Roundings are those of :mod:`lemmata.numerics.floating_point`, computed; bounds are those of docs/explanation/rounding.md, written out entry by entry.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations, product
from math import fsum, inf
from random import Random
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq

from ....constructions.automata import precision_bounds as bounds
from ....constructions.automata import precision_orbits as orbits
from ....constructions.automata import tasks
from ....constructions.automata.automaton import Automaton
from ....constructions.automata.compiler import compile_automaton
from ....constructions.automata.precision import PATHS, guaranteed_length, guaranteed_lengths
from ....constructions.automata.precision_layer import FORMATS, LayerNumbers, as_floats, micro_steps, states_by_map
from ....numerics.exact import rational
from ....numerics.floating_point import BFLOAT16, BINARY16, BINARY32, BINARY64
from ...claim import tie
from ...evidence import Proof
from ..shared import refuses, spread
from .common import machines

EXACT = {"float64": BINARY64, "float32": BINARY32, "float16": BINARY16, "bfloat16": BFLOAT16}
UNITS = {"float64": fmpq(1, 2**53), "float32": fmpq(1, 2**24), "float16": fmpq(1, 2**11), "bfloat16": fmpq(1, 2**8)}


def q(x: Any) -> fmpq:
    """A float as the rational that it is."""
    return fmpq(*float(x).as_integer_ratio())


def f(x: fmpq) -> float:
    return int(x.p) / int(x.q)


def stored(name: str, x: fmpq) -> fmpq:
    """A float64 number in a format: to halves by way of float32."""
    return EXACT[name].round(x if name in ("float64", "float32") else BINARY32.round(x))


def vector(name: str, values: Any) -> list[fmpq]:
    return [stored(name, q(x)) for x in np.asarray(values, dtype=float).ravel()]


def documents() -> dict[str, dict[str, Any]]:
    """Rotations, permutations, levels, delays, and maps that are no contractions; one and several layers."""
    flip_flop = Automaton({"set": [1, 1], "reset": [0, 0], "keep": [0, 1]}, 0, frozenset({1}))
    four = machines()["random, 4 states, 3 letters"]
    found = {
        "a turn by a fifth": (tasks.cycle_navigation(5), "rotation"),
        "a cycle of three": (tasks.cycle_navigation(3), "permutation"),
        "flip-flop": (flip_flop, "holonomy"),
        "flip-flop, one-hot": (flip_flop, "one-hot"),
        "levels": (four, "holonomy"),
        "delays": (four, "delays"),
        "a sign": (tasks.parity(), None),
    }
    return {name: (compile_automaton(a, how) if how else compile_automaton(a)).document() for name, (a, how) in found.items()}


def layers() -> dict[str, LayerNumbers]:
    return {
        f"{name}, layer {k}": LayerNumbers(layer, d["field"]) for name, d in documents().items() for k, layer in enumerate(d["layers"], 1)
    }


# -- formats -------------------------------------------------------------------------------------------------------------------


@tie("new.automata.float-length")
def formats(proof: Proof) -> None:
    """Stored numbers, and results of one operation, in four formats."""
    rng = Random(92)
    drawn = [rng.choice((-1, 1)) * rng.uniform(0.5, 1) * 2.0 ** rng.randint(-26, 12) for _ in range(60)]
    ends = (
        [1 + k * 2.0**-9 for k in range(9)]
        + [1 + k * 2.0**-12 for k in range(9)]
        + [0.0, -0.5, 2.0**-24, -3 * 2.0**-25, 1 + 2.0**-9 + 2.0**-30]
    )
    for name, form in proof.tied("about 80 numbers of either sign, ties and underflow among them", FORMATS.items()):
        x = np.array(drawn + ends)
        found = form.stored(x)
        proof.exactly(f"stored in {name}", [q(y) for y in found], vector(name, x))
        proof.exactly("shapes stay", form.stored(x[:12].reshape(3, 4)).shape, (3, 4))
        y = found[::-1].copy()
        for what, ours, theirs in (
            ("products", found * y, lambda a, b: a * b),
            ("sums", found + y, lambda a, b: a + b),
            ("differences", found - y, lambda a, b: a - b),
        ):
            wanted = [EXACT[name].round(theirs(q(a), q(b))) for a, b in zip(found, y, strict=True)]
            proof.exactly(f"{what} in {name}", [q(z) for z in form.rounded(ours)], wanted)
        proof.exactly("the unit roundoff", q(form.unit), UNITS[name])
        half = fmpq(2) ** (EXACT[name].lowest - (0 if name == "float64" else 1))
        proof.exactly("what underflow can be off", q(form.underflow), half)
        proof.holds("the largest number, or a bit less", fmpq(9, 10) * EXACT[name].largest <= q(form.largest) <= EXACT[name].largest)


# -- numbers of a layer ----------------------------------------------------------------------------------------------------------


def real_part(x: Any, field: int) -> arb:
    """An entry of a document, in a ball."""
    if not isinstance(x, list):
        return arb(rational(x))
    return sum((arb(rational(c)) * arb.cos_pi_fmpq(fmpq(2 * k, field)) for k, c in enumerate(x)), arb(0))


@tie("new.automata.float-length")
def numbers_of_layers(proof: Proof) -> None:
    """Entries to the nearest float, micro-steps that compose to the map, what maps lead to, walks by going through them."""
    with ctx.workprec(400):
        for document in proof.tied("layers of seven networks, up to 5 states", documents().values()):
            for layer in document["layers"]:
                field = document["field"]
                check_entries(proof, layer, field)
                check_walks(proof, layer, LayerNumbers(layer, field))
    for field, entries in proof.tied(
        "Q, Q(i), Q(zeta_5), Q(zeta_20)",
        (
            (1, ["1/3", "-7/5", "0"]),
            (4, [["1/3", "5"], "2/7", ["0", "1"]]),
            (5, [["-1", "2", "1/3"], ["0", "1", "0", "0", "0"]]),
            (20, [["0", "0", "0", "0", "1/2", "0", "-1/2"], []]),
        ),
    ):
        with ctx.workprec(400):
            wanted = [float(real_part(x, field).mid()) for x in entries]
        proof.closely("as_floats", float(np.abs(as_floats([entries], field)[0] - wanted).max()), 1e-300 if field in (1, 4) else 1e-16)
    for m in proof.tied("a map without micro-steps", [{"A": [["2"]], "B": [["0"]], "steps": None}]):
        proof.holds("is refused", refuses(micro_steps, m, 1))


def check_entries(proof: Proof, layer: dict[str, Any], field: int) -> None:
    for m in layer["maps"]:
        for part in ("A", "B"):
            found = as_floats(m[part], field)
            for row, floats in zip(m[part], found, strict=True):
                for x, y in zip(row, floats, strict=True):
                    exact = real_part(x, field)
                    # nearest: no further than half of the last bit
                    proof.holds("entries to the nearest float", bool(abs(exact - arb(q(y))) <= abs(exact) / 2**53 + arb(2) ** -300))
        if m["steps"] is None:
            continue
        n = len(m["A"])
        A, B = np.eye(n), np.zeros(n)
        steps = micro_steps(m, field)
        for step, (k, beta, v) in zip(m["steps"], steps, strict=False):
            A, B = A - beta * np.outer(k, k @ A), B + beta * k * (v - k @ B)
            proof.certified("squared keys between 1/2 and 2", 0.5 < float(k @ k) <= 2)
            if not any(isinstance(x, list) for x in step["v"]):
                mantissas = {abs(np.frexp(x)[0]) for x in k if x}
                whole = all((x * 2.0**40) % (min(abs(y) for y in k if y) * 2.0**40) == 0 for x in k) or len(mantissas) > 1
                proof.holds("rational keys are small integers, scaled", whole)
        proof.closely("micro-steps compose to A", float(np.abs(A - as_floats(m["A"], field)).max()), 1e-14)
        proof.closely("and B", float(np.abs(B - as_floats(m["B"], field)[:, 0]).max()), 1e-14)
        proof.exactly("as many as the document has, or one", len(steps), max(1, len(m["steps"])))


def check_walks(proof: Proof, layer: dict[str, Any], numbers: LayerNumbers) -> None:
    wanted: list[list[int]] = [[] for _ in layer["maps"]]
    for i, y, _ in layer["decoder"]:
        g = layer["letters"][y][3]
        if i not in wanted[g]:
            wanted[g].append(i)
    proof.exactly("states that maps lead to", states_by_map(layer), wanted)
    least = [min((np.abs(numbers.states[i] - numbers.states[j]).max() for i in w for j in w if i < j), default=inf) for w in wanted]
    proof.exactly("margins", numbers.margins.tolist(), [float(x) / 2 for x in least])
    proof.exactly("contractions", numbers.contracts, all(m["steps"] is not None for m in layer["maps"]))
    edges, nodes = walks_of(layer, numbers)
    walks = numbers.walks
    assert walks is not None
    proof.exactly("nodes of the walks", sorted(walks.state.tolist()), sorted(i for _, i in nodes))
    proof.exactly("moves", [tuple(row) for row in walks.moves.tolist()], sorted({(g, i, j) for (_, i), g, (_, j) in edges}))
    out = [int(walks.first[v + 1] - walks.first[v]) for v in range(len(walks.state))]
    proof.exactly("steps that leave a node", sorted(out), sorted(sum(a == node for a, _, _ in edges) for node in nodes))
    found = {(int(walks.state[walks.before[e]]), int(walks.maps[e]), int(walks.state[walks.after[e]])) for e in range(len(walks.maps))}
    proof.exactly("steps", found, {(i, g, j) for (_, i), g, (_, j) in edges})


def walks_of(layer: dict[str, Any], numbers: LayerNumbers) -> tuple[set[tuple[Any, int, Any]], list[tuple[int, int]]]:
    """Steps ((place, state), map, (place, state)) and nodes that words reach."""

    def image(g: int, i: int) -> int:
        after = numbers.A[g] @ numbers.states[i] + numbers.B[g]
        return min(range(len(numbers.states)), key=lambda j: float(np.abs(numbers.states[j] - after).max()))

    leave = lambda node: {(g, (b, image(g, node[1]))) for _, a, b, g in layer["letters"] if a == node[0]}  # noqa: E731
    nodes = spread([(0, 0)], lambda node: sorted({there for _, there in leave(node)}))
    return {(node, g, there) for node in nodes for g, there in leave(node)}, nodes


# -- one step --------------------------------------------------------------------------------------------------------------------


def loop_by_hand(numbers: LayerNumbers, name: str, h: list[fmpq], g: int) -> list[fmpq]:
    """A h + B: products from the left, each operation rounded."""
    rounded, out = EXACT[name].round, []
    for row, b in zip(numbers.A[g], numbers.B[g], strict=True):
        total = fmpq(0)
        for a, x in zip(vector(name, row), h, strict=True):
            total = rounded(total + rounded(a * x))
        out.append(rounded(total + stored(name, q(b))))
    return out


def delta_by_hand(numbers: LayerNumbers, name: str, h: list[fmpq], g: int) -> list[fmpq]:
    """Micro-steps h + k (beta (v - k.h)), each operation rounded."""
    rounded = EXACT[name].round
    for k, beta, v in numbers.micro[g] or ():
        key, (strength, value) = vector(name, k), vector(name, [beta, v])
        total = fmpq(0)
        for a, x in zip(key, h, strict=True):
            total = rounded(total + rounded(a * x))
        w = rounded(strength * rounded(value - total))
        h = [rounded(x + rounded(a * w)) for a, x in zip(key, h, strict=True)]
    return h


@tie("new.automata.float-length")
def rounded_steps(proof: Proof) -> None:
    """The loop's and the delta rule's step, bit by bit, from states that are off."""
    generator = np.random.default_rng(93)
    for (_, numbers), name in proof.tied("layers of up to 5 states, four formats", product(layers().items(), FORMATS)):
        form, n = FORMATS[name], numbers.states.shape[1]
        maps = np.arange(4) % len(numbers.A)
        H = form.stored(numbers.states[np.arange(4) % len(numbers.states)] + generator.standard_normal((4, n)) / 3)
        for what, step, by_hand in (
            ("the loop", orbits.loop_step, loop_by_hand),
            ("the delta rule", orbits.delta_step, delta_by_hand),
        ):
            if by_hand is delta_by_hand and not numbers.contracts:
                continue
            found, determined = step(numbers, form)(H, maps)
            wanted = [by_hand(numbers, name, [q(x) for x in h], int(g)) for h, g in zip(H, maps, strict=True)]
            proof.exactly(f"a step of {what} in {name}", [[q(x) for x in h] for h in found], wanted)
            proof.exactly("always determined", bool(determined.all()), True)


def exact_in_any_order(terms: list[fmpq], name: str) -> bool:
    """Each term a number of the format, all multiples of one power of two of at least 2^-24, and at most 2^p of it together."""
    if not all(stored(name, x) == x for x in terms):
        return False
    some = [x for x in terms if x]
    quantum = min((fmpq(int(x.p) & -int(x.p)) / x.q for x in some), default=fmpq(1))
    size = sum(map(abs, some), fmpq(0))
    return quantum >= fmpq(1, 2**24) and size <= quantum / UNITS[name] and size <= q(FORMATS[name].largest)


@tie("new.automata.float-length")
def sums_in_any_order(proof: Proof) -> None:
    """What counts as exact is exact in every order; the conditions are those of the text."""
    rng = Random(94)
    small = lambda: fmpq(rng.randint(-9, 9)) * fmpq(2) ** rng.choice((-25, -24, -13, -3, 0, 5))  # noqa: E731
    # products of two numbers of 24 bits are exact in float64, of 53 bits they are not
    for name in proof.tied("up to 4 terms, 2^-25 to 2^9, formats of up to 24 bits", ("float32", "float16", "bfloat16")):
        rows = [[small() for _ in range(n)] for n in (1, 2, 3, 4) for _ in range(12)]
        p = UNITS[name].q
        # as many units as fit, and one more
        rows += [
            [fmpq(p - 3), fmpq(3)],
            [fmpq(p - 3), fmpq(4)],
            [fmpq(3 - int(p)), fmpq(-3)],
            [fmpq(1, 2**24)],
            [fmpq(1, 2**25)],
            [fmpq(0), fmpq(0)],
        ]
        for row in rows:
            (total,), (exact,) = orbits.exact_sum(np.array([[f(x) for x in row]]), FORMATS[name])
            yes = exact_in_any_order(row, name)
            proof.exactly(f"whether a sum is exact in {name}", bool(exact), yes)
            if yes:
                proof.exactly("the sum", q(total), sum(row, fmpq(0)))
            for order in permutations(row) if yes and len(row) < 4 else ():
                partial = fmpq(0)
                for x in order:
                    partial = EXACT[name].round(partial + x)
                proof.exactly("in every order", partial, sum(row, fmpq(0)))


def fused_by_hand(numbers: LayerNumbers, name: str, h: list[fmpq], g: int) -> tuple[list[fmpq], bool]:
    """Micro-steps in exact arithmetic from inputs in a format, and whether float32 has all their terms in any order."""
    determined = True
    for k, beta, v in numbers.micro[g] or ():
        key, (strength, value) = ([BINARY32.round(x) for x in vector(name, given)] for given in (k, [beta, v]))
        terms = [value, *(-a * x for a, x in zip(key, h, strict=True))]
        w = sum(terms, fmpq(0))
        product_of = strength * w
        after = [[x, a * product_of] for a, x in zip(key, h, strict=True)]
        moved = [pair for a, pair in zip(key, after, strict=True) if a]
        determined &= exact_in_any_order(terms, "float32") and exact_in_any_order([product_of], "float32")
        determined &= all(exact_in_any_order(pair, "float32") for pair in moved)
        h = [x + b for x, b in after]
    return h, determined


@tie("new.automata.float-length")
def fused_steps(proof: Proof) -> None:
    """Exact where determined; determined where the text says so."""
    generator = np.random.default_rng(95)
    for (_, numbers), name in proof.tied("contractions of up to 5 states, four formats", product(layers().items(), FORMATS)):
        if not numbers.contracts:
            continue
        n = numbers.states.shape[1]
        H = np.concatenate([generator.integers(-9, 10, (4, n)) / 4, generator.integers(-9, 10, (4, n)) * 2.0**-22 + 3.0])
        maps = np.arange(8) % len(numbers.A)
        found, determined = orbits.fused_step(numbers, FORMATS[name])(H, maps)
        for h, g, after, yes in zip(H, maps, found, determined, strict=True):
            wanted, known = fused_by_hand(numbers, name, [q(x) for x in h], int(g))
            proof.exactly("whether it is determined", bool(yes), known)
            if known:
                proof.exactly("a step of the fused kernel", [q(x) for x in after], wanted)


# -- by exhaustion ---------------------------------------------------------------------------------------------------------------


def exhausted(
    layer: dict[str, Any], numbers: LayerNumbers, start: list[fmpq], step: Callable[[list[fmpq], int], list[fmpq]], most: int
) -> float:
    """inf if the rounded states close and are read right; else the length up to which they are, ``most`` at most."""
    edges, _ = walks_of(layer, numbers)
    codes = [[q(x) for x in state] for state in numbers.states]
    reached = states_by_map(layer)
    now = {((0, 0), tuple(start))}
    seen = set(now)
    for length in range(most):
        new = set()
        for (node, h), (before, g, after) in product(now, edges):
            if node != before:
                continue
            moved = step(list(h), g)
            apart = lambda i: max(abs(x - c) for x, c in zip(moved, codes[i], strict=True))  # noqa: B023, E731
            if any(apart(i) <= apart(after[1]) for i in reached[g] if i != after[1]):
                return length
            new.add((after, tuple(moved)))
        now = new - seen
        seen |= now
        if not now:
            return inf
    return most


def turning(m: int) -> dict[str, Any]:
    """A network for a cyclic group of one letter, in the plane: there is one word of each length."""
    return compile_automaton(Automaton({"turn": [(i + 1) % m for i in range(m)]}, 0), "rotation").document()


@tie("new.automata.float-length")
def exhausted_orbits(proof: Proof) -> None:
    """The loop and the delta rule of small layers, gone through with rounded rationals."""
    several = documents()
    found = {name: several[name] for name in ("a cycle of three", "flip-flop", "a sign")} | {
        f"a turn by 1/{m}": turning(m) for m in (5, 7, 12)
    }
    for (name, document), dtype in proof.tied(
        "layers of 2 to 7 states, float16 and bfloat16, words of up to 40 letters", product(found.items(), ("float16", "bfloat16"))
    ):
        (layer,), form = document["layers"], FORMATS[dtype]
        numbers = LayerNumbers(layer, document["field"])
        start = vector(dtype, numbers.states[0])
        for what, step, by_hand in (("the loop", orbits.loop_step, loop_by_hand), ("the delta rule", orbits.delta_step, delta_by_hand)):
            wanted = exhausted(layer, numbers, start, lambda h, g: by_hand(numbers, dtype, h, g), 40)  # noqa: B023
            length = orbits.right_at_every_length(numbers, step(numbers, form), form.stored(numbers.states[0]))
            proof.holds(f"{what}, {name}: at every length, or up to the first mistake", length == wanted or (wanted == 40 and length > 40))


@tie("new.automata.float-length")
def exact_scans(proof: Proof) -> None:
    """Scans that are exact and scans that are not, on both sides of each bound."""
    plain = layers()
    integers = {"flip-flop, layer 1": True, "a cycle of three, layer 1": True, "a sign, layer 1": True, "a turn by a fifth, layer 1": False}
    for (name, yes), dtype in proof.tied("layers of integers and of others, four formats", product(integers.items(), FORMATS)):
        proof.exactly("exact", orbits.exact_scan(plain[name], FORMATS[dtype]), yes)
    # one more than these in the states; a sum of four of them must fit in 24 bits
    ends = [("bfloat16", 254, 257), ("float16", 2046, 2049), ("float32", 2**22 - 1, 2**22), ("float64", 2**22 - 1, 2**22)]
    for dtype, fits, beyond in proof.tied("a cycle of three on either side of the largest numbers", ends):
        moved = [shifted(plain["a cycle of three, layer 1"], float(by)) for by in (fits, beyond)]
        proof.exactly("only numbers of the format", [orbits.exact_scan(m, FORMATS[dtype]) for m in moved], [True, False])
    for exponent, yes in proof.tied("a scalar 1 - 2^-k, which does not close", [(1, False), (10, False)]):
        tilted = shifted(plain["a sign, layer 1"], 0.0)
        tilted.A = tilted.A * (1 - 2.0**-exponent)
        proof.exactly("no finite set of products", orbits.exact_scan(tilted, FORMATS["float32"]), yes)


def shifted(numbers: LayerNumbers, by: float) -> LayerNumbers:
    """The same layer with states moved along (1, ..., 1)."""
    copy = LayerNumbers.__new__(LayerNumbers)
    copy.__dict__.update({k: v for k, v in numbers.__dict__.items() if k not in ("margins",)})
    copy.__dict__["walks"] = numbers.walks
    copy.states = numbers.states + by
    return copy


# -- bounds ----------------------------------------------------------------------------------------------------------------------


def norm(values: Any) -> float:
    return fsum(float(x) ** 2 for x in np.asarray(values, dtype=float).ravel()) ** 0.5


def power(unit: fmpq, k: int) -> float:
    """(1 + u)^k - 1."""
    return f((1 + unit) ** k - 1)


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
    for (layer, numbers), name in proof.tied("last layers of seven networks, four formats", product(found, FORMATS)):
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
