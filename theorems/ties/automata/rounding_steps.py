"""Steps and orbits of layers in floating point, against rationals rounded one operation after the other, and by exhaustion."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations, product
from math import inf
from random import Random
from typing import Any

import numpy as np
from flint import fmpq

from ....constructions.automata.automaton import Automaton
from ....constructions.automata.compiler import compile_automaton
from ....constructions.automata.rounding import orbits, terms
from ....constructions.automata.rounding.layer import FORMATS, LayerNumbers, states_by_map
from ....numerics.floating_point import BINARY32
from ...claim import tie
from ...evidence import Proof
from .common import machines
from .rounding import EXACT, UNITS, documents, f, layers, q, stored, vector, walks_of


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


def drawn_layer(rng: Random, n: int, count: int) -> LayerNumbers:
    """Maps of few entries, some of which are halves; numbers alone, as the argument reads them."""
    copy = LayerNumbers.__new__(LayerNumbers)
    copy.A, copy.B = np.zeros((count, n, n)), np.zeros((count, n))
    for g in range(count):
        for j in range(n):
            if rng.random() < 0.7:
                copy.A[g, rng.randrange(n), j] = rng.choice((1.0, 1.0, -1.0, 0.5))
        if rng.random() < 0.5:
            copy.B[g, rng.randrange(n)] = rng.choice((1.0, -1.0))
    copy.states = np.array([[1.0] + [0.0] * (n - 1)])
    return copy


def most_terms(numbers: LayerNumbers, most: int) -> int:
    """The most terms other than 0 of an entry of A h + B at the start, and of a composition of two products, as far as they are listed."""
    pairs = [(a, b) for a, b in zip(numbers.A, numbers.B, strict=True)]
    seen = {(a.tobytes(), b.tobytes()) for a, b in pairs}
    for a, b in pairs:
        for c, d in zip(numbers.A, numbers.B, strict=True):
            after = c @ a + 0.0, c @ b + d + 0.0
            if (key := (after[0].tobytes(), after[1].tobytes())) not in seen and len(pairs) < most:
                seen.add(key)
                pairs.append(after)
    A, B = (np.array(x) for x in zip(*pairs, strict=True))
    start = numbers.states[0]
    products = ((A[:, None, :, :, None] != 0) & (A[None, :, None, :, :] != 0)).sum(3).max()
    inputs = (((A[:, None] != 0) & (B[None, :, None, :] != 0)).sum(3) + (B != 0)[:, None]).max()
    return int(max(products, inputs, (((A != 0) & (start != 0)).sum(2) + (B != 0)).max()))


@tie("new.automata.unrounded")
def sums_of_one_term(proof: Proof) -> None:
    """Where the argument says that no sum has two terms other than 0, none has, in compositions that are listed; and where it does not say so."""
    rng, said = Random(96), 0
    for n in proof.tied(
        "random maps of width 1 to 4 with 0, 1, -1 and 1/2, products listed up to 120", [n for n in range(1, 5) for _ in range(60)]
    ):
        numbers = drawn_layer(rng, n, rng.randrange(1, 4))
        if terms.adds_nothing(numbers):
            said += 1
            proof.holds("one term at most", most_terms(numbers, 120) <= 1)
    for name in proof.tied("layers that the compiler builds", ("unrounded", "delays", "register")):
        automaton = machines()["random, 4 states, 3 letters"]
        if name == "register":
            automaton = Automaton({b: tuple((2 * q + b) % 8 for q in range(8)) for b in (0, 1)}, 0)
        document = compile_automaton(automaton, name).document()
        for layer in document["layers"]:
            numbers = LayerNumbers(layer, document["field"])
            proof.holds("the argument holds of them", terms.adds_nothing(numbers) and most_terms(numbers, 120) <= 1)
            for dtype, form in FORMATS.items():
                stored_alike = all(stored(dtype, q(x)) == q(x) for part in (numbers.A, numbers.B, numbers.states[0]) for x in part.flat)
                proof.exactly("whether a format has their numbers", terms.has_numbers(numbers, form), stored_alike)
    for count in proof.tied("random maps of which it says so", [said]):
        proof.holds("are some", count >= 20)
    plain = layers()
    for name in proof.tied("layers of Theorem 4, and a turn", ("levels, layer 1", "a turn by a fifth, layer 1")):
        proof.exactly("the argument does not hold of them", terms.adds_nothing(plain[name]), False)
