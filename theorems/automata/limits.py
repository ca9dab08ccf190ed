"""What single diagonal and bistable layers cannot compute, and how long floating point keeps a compiled network right."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from random import Random

import sympy

from ...constructions.automata import Automaton, compile_automaton, compile_group, compile_regex
from ...constructions.automata.families import full_transformations
from ...constructions.automata.precision import DATA_TYPES, guaranteed_length, precision
from ...constructions.automata.sources import named_group
from ...numerics.finite_precision import rounded_to_bits
from ..claim import claim
from ..evidence import Proof

# -- diagonal layers -------------------------------------------------------------------------------------------------------


def _affine_bijections(points: tuple[Fraction, ...]) -> list[tuple[Fraction, Fraction]]:
    """All (a, b) for which x -> a x + b permutes a set of at least one point; (1, 0) alone for a single point."""
    if len(points) == 1:
        return [(Fraction(1), Fraction(0))]
    found = []
    for u, v in product(points, repeat=2):
        a = (v - u) / (points[1] - points[0])
        b = u - a * points[0]
        if {a * x + b for x in points} == set(points):
            found.append((a, b))
    return found


@claim(
    "new.automata.diagonal",
    topic="automata",
    place="after grazzi25 Theorems 1 and 3 (diagonal layers)",
    kind="new",
    title="one layer with co-diagonalizable transitions and finitely many states computes abelian groups only; real ones, powers of Z_2",
    says=r"Let $A(w)=SD(w)S^{-1}$ with $D(w)$ diagonal, $B$ arbitrary, and let the layer reach finitely many states. A group that its transition monoid "
    r"implements is abelian, so not $S_3$; with real $D(w)$ every element has order at most $2$, so not $\mathbb Z_3$ or $\mathbb Z_4$ either.",
    hypotheses=("finitely many states are reached",),
    sabotages={"maps compose with a term that does not commute": {"compose": lambda f, g: (f[0] * g[0], f[0] * g[1] + f[1] + g[0] - 1)}},
)
def diagonal_layers_commute(proof: Proof, compose=lambda f, g: (f[0] * g[0], f[0] * g[1] + f[1])) -> None:
    """In the basis S every coordinate is a scalar recurrence x -> a x + b on a finite set. The transition monoid M maps onto the group G. For
    an idempotent e of M's minimal ideal e M e is a group, and maps onto G, as e goes to the identity. It permutes the states in the
    image of e, and so a finite set of values in each coordinate. An affine permutation of a finite set fixes its centroid c: it is
    x -> a (x - c) + c, and these commute. Over the reals |a| = 1, so its square is the identity."""
    a, b, x, c = sympy.symbols("a b x c")
    f, g = (a, c - a * c), (b, c - b * c)
    fg, gf = compose(f, g), compose(g, f)
    proof.symbolically("affine maps with one fixed point commute", fg[0] * x + fg[1], gf[0] * x + gf[1], free="a, b, c, x")
    proof.symbolically("they fix the centroid: a c + (c - a c) = c", f[0] * c + f[1], c, free="a, c")
    size = proof.pick(5, 6, 8)
    grid = [Fraction(k) for k in range(size)]
    sets = [s for r in range(1, size + 1) for s in combinations(grid, r)]
    for points in proof.every(f"all sets of integers between 0 and {size - 1}", sets):
        maps = _affine_bijections(points)
        centroid = sum(points) / len(points)
        proof.holds("every affine permutation fixes the centroid", all(p * centroid + q == centroid for p, q in maps))
        proof.holds("|a| = 1", all(abs(p) == 1 for p, _ in maps))
        proof.holds("any two commute", all(compose(s, t) == compose(t, s) for s, t in product(maps, repeat=2)))


# -- bistable layers -------------------------------------------------------------------------------------------------------


def _bistable_letters(n: int) -> list[tuple[int | None, ...]]:
    """What a letter does to n bistable units: each keeps its state (None) or takes a candidate, -1 or 1 (degeeter26, Eq. 11)."""
    return list(product((None, -1, 1), repeat=n))


def _overwrite(first, then):
    """One letter after another: a unit keeps what the first did unless the second overwrites it."""
    return tuple(x if y is None else y for x, y in zip(first, then, strict=True))


@claim(
    "new.automata.bistable-band",
    topic="automata",
    place="after degeeter26, Eq. 11",
    kind="new",
    title="the transition monoid of a layer of bistable units is a band: every word acts as it does twice, so no letter counts",
    says=r"A unit keeps its state or takes a candidate that does not depend on it, so each word $w$ acts on a layer idempotently, $f_w\circ f_w=f_w$: the monoid is aperiodic, "
    r"and one layer cannot compute the parity.",
    hypotheses=("candidates and gates depend on the letter only, as in Eq. 11",),
    sabotages={
        "an overwriting unit flips its state": {
            "after": lambda f, g: tuple(x if y is None else (-y if x is None else -x) for x, y in zip(f, g, strict=True))
        }
    },
)
def bistable_layers_are_bands(proof: Proof, after=_overwrite) -> None:
    """Units do not interact within a layer, so a letter is a tuple of 'keep' and constants; composing two such tuples gives a third:
    the last constant written to a unit stays."""
    largest = proof.pick(2, 3, 4)
    for n in proof.every(f"n <= {largest} units, all letters and pairs", range(1, largest + 1)):
        letters = _bistable_letters(n)
        words = set(letters)
        proof.holds("two letters act as one", all(after(f, g) in words for f, g in product(letters, repeat=2)))
        proof.exactly("every word is idempotent", [after(f, f) for f in letters], letters)


# -- floating point --------------------------------------------------------------------------------------------------------


def _networks(proof: Proof):
    yield "Z60", compile_group(named_group("Z60"))
    yield "(a|b)*abb(a|b)*", compile_regex("(a|b)*abb(a|b)*")
    yield "all maps of 3 points", compile_automaton(full_transformations(3))
    if proof.effort != "quick":
        yield "all maps of 5 points", compile_automaton(full_transformations(5))
        yield "parity", compile_automaton(Automaton({"0": (0, 1), "1": (1, 0)}))


def _rounded_run(layer, field: int, letters: list[int], bits: int):
    """(largest entry of the error) after every letter when stored numbers, products and sums round to ``bits`` significant bits."""
    exact_states = [[_value(x, field) for (x,) in H] for H in layer["states"]]
    maps = [([[_value(x, field) for x in row] for row in m["A"]], [_value(x, field) for (x,) in m["B"]]) for m in layer["maps"]]
    stored = [([[rounded_to_bits(x, bits) for x in row] for row in A], [rounded_to_bits(x, bits) for x in B]) for A, B in maps]
    H, true = [rounded_to_bits(x, bits) for x in exact_states[0]], list(exact_states[0])
    for y in letters:
        f = layer["letters"][y][3]
        A, B = stored[f]
        new = []
        for row, b in zip(A, B, strict=True):
            total = Fraction(0)
            for x, h in zip(row, H, strict=True):
                total = rounded_to_bits(total + rounded_to_bits(x * h, bits), bits)
            new.append(rounded_to_bits(total + b, bits))
        H = new
        true = [sum((x * h for x, h in zip(row, true, strict=True)), Fraction(0)) + b for row, b in zip(*maps[f], strict=True)]
        # entries of Q(zeta_N) stand for themselves to 60 digits: the difference is far below what is measured
        yield max(abs(x - t) for x, t in zip(H, true, strict=True))


def _value(x, field: int) -> Fraction:
    if isinstance(x, str):
        return Fraction(x)
    zeta = [sympy.cos(2 * sympy.pi * k / field) for k in range(len(x))]
    return sum((Fraction(c) * Fraction(str(z.evalf(60))) for c, z in zip(x, zeta, strict=True)), Fraction(0))


@claim(
    "new.automata.float-length",
    topic="automata",
    place="after grazzi25 App. A.4 (finite precision)",
    kind="new",
    title="with ||A|| <= 1 rounding adds at most c to the error of a state in each step, so the decoder is right for margin / c steps",
    says=r"Let $\|A\|\le1$, $u$ the unit roundoff, $n$ the width, $\gamma=(n+1)u/(1-(n+1)u)$. As long as the error stays below the margin $\mu$, a step adds at most "
    r"$c=(u+\gamma(1+u))(\|A\|_F(R+\mu)+\|B\|)$ to it, $R$ the largest norm of a state. Networks whose numbers are integers below $1/u$ are exact at every length.",
    hypotheses=("round to nearest, no overflow; the network is run step by step", "the decoder takes the nearest exact state"),
    construction="lemmata.constructions.automata.precision.guaranteed_length",
    sabotages={"the bound is a hundredth of c": {"fraction": 100}},
)
def float_length(proof: Proof, fraction: int = 1) -> None:
    """The stored A and B are off by u, their product and sum by gamma more, and an old error e becomes A e, no longer than e.

    Every operation is rounded exactly, by rational arithmetic, along random words; the measured error never exceeds the bound."""
    rng = Random(77)
    length = proof.pick(30, 60, 200)
    for name, network in proof.each(f"compiled networks, random words of length {length}, 8, 11 and 24 bits", _networks(proof)):
        document = network.document()
        word = [rng.randrange(len(document["letters"])) for _ in range(length)]
        letters = word
        for layer in document["layers"]:
            found = precision(layer, document["field"])
            for dtype, bits in (("bfloat16", 8), ("float16", 11), ("float32", 24)):
                unit, underflow = DATA_TYPES[dtype]
                step = found.added_by_a_step(unit, underflow) / fraction
                errors = list(_rounded_run(layer, document["field"], letters, bits))
                start = unit * found.radius / fraction
                bounds = [start + t * step for t in range(1, length + 1)]
                within = [e <= bound for e, bound in zip(errors, bounds, strict=True) if bound <= found.margin]
                proof.holds(f"{name}: the error stays below its bound for as long as that is below the margin", all(within))
            letters = _handed_on(layer, document["field"], letters)
    exact_one = compile_group(named_group("S5")).document()
    proof.exactly(
        "S5 by permutation matrices is exact in every data type", {guaranteed_length(exact_one, d) for d in DATA_TYPES}, {float("inf")}
    )


def _handed_on(layer, field: int, letters: list[int]) -> list[int]:
    """What a layer with rational entries hands on along a word, by its tables; the word itself for the only layer of a group."""
    if field > 1:
        return letters
    decoder = {(i, y): z for i, y, z in layer["decoder"]}
    states = [[[Fraction(x) for x in row] for row in H] for H in layer["states"]]
    H, out = states[0], []
    for y in letters:
        m = layer["maps"][layer["letters"][y][3]]
        H = [
            [sum((Fraction(a) * h for a, (h,) in zip(row, H, strict=True)), Fraction(b))] for row, (b,) in zip(m["A"], m["B"], strict=True)
        ]
        out.append(decoder[states.index(H), y])
    return out
