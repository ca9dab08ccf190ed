"""What single diagonal and bistable layers cannot compute, and how long floating point keeps a compiled network right."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import inf
from random import Random

import numpy as np
import sympy

from ...constructions.automata import Automaton, compile_automaton, compile_group, compile_regex
from ...constructions.automata.read.families import full_transformations
from ...constructions.automata.read.sources import named_group
from ...constructions.automata.rounding.bounds import loop_growth
from ...constructions.automata.rounding.layer import FORMATS, LayerNumbers
from ...constructions.automata.rounding.precision import guaranteed_length
from ...numerics.aliases import Exact
from ...numerics.cyclotomic import Cyclotomic, root_of_unity
from ...numerics.finite_precision import rounded_to_bits
from ..claim import claim
from ..evidence import Proof

# -- diagonal layers -------------------------------------------------------------------------------------------------------


#: an element of Q(zeta_12) that turns by 30 degrees; its powers and 0 are the slopes of the coordinates below
Coordinate = tuple[Cyclotomic, Cyclotomic]


def _scalar_maps(complex_ones: bool) -> list[Coordinate]:
    """x -> a x + b on one coordinate: turns about 0 and about 1, and constants. Real ones keep, mirror or overwrite."""
    one = root_of_unity(12, 0)
    turns = [root_of_unity(12, k) for k in ((0, 3, 4, 6) if complex_ones else (0, 6))]
    return [(a, c - a * c) for a in turns for c in (one * 0, one)] + [(one * 0, one * 0), (one * 0, one)]


Maps = tuple[Coordinate, ...]


def _after(f: Maps, g: Maps) -> Maps:
    """The affine map f after g, coordinate by coordinate."""
    return tuple((a * c, a * d + b) for (a, b), (c, d) in zip(f, g, strict=True))


def _orbit(start: tuple[Cyclotomic, ...], letters: list[Maps], limit: int = 200) -> list[tuple[Cyclotomic, ...]] | None:
    """All states that words reach, or None if there are more than ``limit``."""
    found = [start]
    for H in found:
        for f in letters:
            new = tuple(a * x + b for (a, b), x in zip(f, H, strict=True))
            if new not in found:
                found.append(new)
        if len(found) > limit:
            return None
    return found


def _monoid(states: list, letters: list[Maps], limit: int = 400) -> dict[tuple[int, ...], Maps] | None:
    """The transition monoid on the states, each element with one of the affine maps that acts so; None if it has more than ``limit`` elements."""
    number = {H: i for i, H in enumerate(states)}

    def action(f: Maps) -> tuple[int, ...]:
        return tuple(number[tuple(a * x + b for (a, b), x in zip(f, H, strict=True))] for H in states)

    one, zero = root_of_unity(12, 0), root_of_unity(12, 0) * 0
    identity: Maps = tuple((one, zero) for _ in states[0])
    found = {action(identity): identity}
    for f in (waiting := list(found.values())):
        for g in letters:
            new = _after(g, f)
            key = action(new)
            if key not in found:
                found[key] = new
                waiting.append(new)
        if len(found) > limit:
            return None
    return found


def _minimal_group(elements: dict[tuple[int, ...], Maps]) -> tuple[tuple[int, ...], list[tuple[int, ...]]]:
    """An idempotent e of least image, and the group e M e, as actions on states."""
    then = lambda f, g: tuple(g[i] for i in f)  # noqa: E731
    e = min((f for f in elements if then(f, f) == f), key=lambda f: (len(set(f)), f))
    return e, sorted({then(then(e, f), e) for f in elements})


@claim(
    "new.automata.diagonal",
    place="after grazzi25 Theorems 1 and 3 (diagonal layers)",
    title="a layer with co-diagonalizable transitions and finitely many states implements abelian groups only; real: order 2",
    says=r"Let $A(w)=SD(w)S^{-1}$ with $D(w)$ diagonal, $B$ arbitrary, and let the layer reach finitely many states. A group that its transition monoid "
    r"implements is abelian, so not $S_3$; with real $D(w)$ every element has order at most $2$, so not $\mathbb Z_3$ or $\mathbb Z_4$ either.",
    known="Shakerinava, Khavari et al. (arXiv 2603.01959): one complex diagonal layer computes abelian groups only, k layers a group iff it has a subnormal series of length k with abelian factors. Ours is only the form: any basis S, "
    "any B, letters that are no permutations of the states, the real case, and the elementary proof.",
    hypotheses=("finitely many states are reached",),
    sabotages={
        "maps compose with a term that does not commute": {
            "after": lambda f, g: tuple((a * c, a * d + b + c - 1) for (a, b), (c, d) in zip(f, g, strict=True))
        },
        "letters mix the two coordinates": {"mixed": True},
    },
)
def diagonal_layers_commute(proof: Proof, after=_after, mixed: bool = False) -> None:
    r"""In the basis $S$ every coordinate is a scalar recurrence on a finite set, and affine permutations of a finite set share a fixed point, its centroid.

    1. Let the transition monoid $M$, acting on the finitely many reached states, map onto a group $G$ (that is: the layer implements $G$'s word problem). Take an idempotent $e\in M$ of least image. It goes to the identity of $G$, so $eMe$
       maps onto $G$ as well; and since images cannot get smaller, $eMe$ permutes the image of $e$: it is a group. [checked: "e M e permutes the image of e"]
    2. In the basis $S$ an element of $eMe$ acts on coordinate $j$ as $x\mapsto ax+b$ and permutes the finite set $P_j$ of $j$-th coordinates of the image of $e$. It maps the sum of $P_j$ to $a\sum x+|P_j|b$, so it fixes the centroid $c_j$.
       [checked: "the centroid of the images is the image of the centroid"; "every element fixes the centroid"]
    3. So it is $x\mapsto a(x-c_j)+c_j$, and such maps commute: $eMe$ and its image $G$ are abelian. [checked: "affine maps with one fixed point commute"; "e M e is abelian"]
    4. If $D$ is real, $x-c_j$ is multiplied by a real $a$ that permutes a finite set, so $a=\pm1$ (or $P_j=\{c_j\}$) and every element is its own inverse. [checked: "the square of a mirror"; "real: every element of e M e has order 2 at most"]
    5. Steps 1 and 2 hold for every finite monoid and set; the machine goes through all layers of the scope. [prose]
    """
    a, b, c, x = sympy.symbols("a b c x")
    f, g = (a, c - a * c), (b, c - b * c)
    (fg,), (gf,) = after((f,), (g,)), after((g,), (f,))
    proof.symbolically("affine maps with one fixed point commute", fg[0] * x + fg[1], gf[0] * x + gf[1], free="a, b, c, x")
    n, total = sympy.symbols("n total", positive=True)
    proof.symbolically(
        "the centroid of the images is the image of the centroid", (a * total + n * b) / n, a * (total / n) + b, free="a, b, n, sum"
    )
    proof.symbolically("the square of a mirror is the identity", -(-(x - c) + c - c) + c, x, free="c, x")
    rng = Random(79)
    one = root_of_unity(12, 0)
    count = proof.pick(25, 80, 300)
    layers = [(False, [(u,), (v,)]) for u, v in product(_scalar_maps(False), repeat=2)]
    layers += [(True, [(u,), (v,)]) for u, v in product(_scalar_maps(True), repeat=2)]
    for complex_ones in (False, True):
        maps = _scalar_maps(complex_ones)
        layers += [(complex_ones, [(rng.choice(maps), rng.choice(maps)) for _ in range(2)]) for _ in range(count)]
    groups = set()
    describe = f"all layers of one coordinate with two letters that turn about 0 or 1 or overwrite, {2 * count} random ones of two coordinates, seed 79"
    for complex_ones, letters in proof.each(describe, layers):
        width = len(letters[0])
        start = tuple(one * (2 + j) for j in range(width))
        states = _orbit(start, letters)
        elements = _monoid(states, letters) if states else None
        if elements is None:
            continue
        if mixed and width == 2:
            elements = _mixing(len(states or []))
        e, group = _minimal_group(elements)
        groups.add(len(group))
        proof.exactly("e M e permutes the image of e", {tuple(sorted({m[i] for i in set(e)})) for m in group}, {tuple(sorted(set(e)))})
        commuting = all(tuple(v[i] for i in u) == tuple(u[i] for i in v) for u, v in product(group, repeat=2))
        proof.holds("e M e is abelian", commuting)
        image = [(states or [])[i] for i in sorted(set(e))]
        for m in group:
            if elements.get(m):
                fixed = [(p * (s / k) + q, s / k) for (p, q), s, k in _centroids(elements[m], image)]
                proof.holds("every element fixes the centroid", all(u == v for u, v in fixed))
        if not complex_ones:
            proof.holds("real: every element of e M e has order 2 at most", all(tuple(m[i] for i in m) == e for m in group))
    proof.holds("groups of several orders occur, up to 12 at least", {1, 2, 3, 4, 12} <= groups)
    for name, slopes in (("a sign", 6), ("thirds of a turn", 4), ("quarters of a turn", 3)):
        states = _orbit((one * 2,), [((root_of_unity(12, slopes), one - root_of_unity(12, slopes)),)])
        proof.exhibit(f"a coordinate that turns about 1: {name}", states=[H[0] for H in states or []])


def _centroids(maps: Maps, image: list) -> list:
    """(map, sum, number) of the different values of each coordinate over the image."""
    return [(f, sum(set(values), values[0] * 0), len(set(values))) for f, values in zip(maps, zip(*image, strict=True), strict=True)]


def _mixing(n: int) -> dict:
    """All permutations of three states: what letters that are not diagonal in one basis can do."""
    return {(*g, *range(3, n)): () for g in permutations(range(3))} if n >= 3 else {tuple(range(n)): ()}


# -- bistable layers -------------------------------------------------------------------------------------------------------


def _unit(h, gate, candidate):
    """Eq. 11 of degeeter26 for one unit: keep the state (gate 0) or take the candidate (gate 1)."""
    return gate * candidate + (1 - gate) * h


@claim(
    "new.automata.bistable-band",
    place="after degeeter26, Eq. 11",
    title="every word acts on a layer of bistable units as it does twice, so one layer cannot compute the parity",
    says=r"A unit keeps its state or takes a candidate that does not depend on it, so each word $w$ acts on a layer idempotently, $f_w\circ f_w=f_w$: the transition monoid is a band, hence aperiodic, "
    r"and one layer whose output is read at each step cannot compute the parity.",
    known="Immediate from the form of the unit: keep-or-overwrite maps form a band (left regular, as in the flip-flop monoids of Krohn and Rhodes); Sarrof, Veitsman, Hahn (arXiv 2405.17394) have the same limit for gated diagonal layers.",
    hypotheses=("candidates and gates depend on the letter only, as in Eq. 11; gates are 0 or 1",),
    sabotages={
        "any gate, which the kernel refutes": {"theorem": "bistable.every_gate_is_idempotent"},
        "an overwriting unit flips its state": {"unit": lambda h, gate, candidate: -h * gate + (1 - gate) * h},
        "an overwriting unit adds its candidate": {"unit": lambda h, gate, candidate: h + gate * candidate},
    },
)
def bistable_layers_are_bands(proof: Proof, unit=_unit, theorem: str = "bistable_stacks.words_idempotent") -> None:
    r"""Units do not interact within a layer, so one unit with a free state and free candidates is the general case.

    1. A letter does one of two things to a unit: nothing, or a constant $c$. After two letters it is again one of these: the last constant written, if any. So a word acts as a letter would. [checked: "two letters act as one"]
    2. Nothing twice is nothing, and $c$ twice is $c$: $f_w(f_w(h))=f_w(h)$. [checked: "twice is once"]
    3. So after $1$ and after $11$ the layer is in the same state and has read the same letter: equal outputs, but the parities are $1$ and $0$. [checked: "1 and 11 leave the same state"; "their parities differ"]
    """
    proof.formally("the kernel: words act idempotently", theorem)
    proof.formally(
        "the kernel: one layer computes no parity",
        "bistable_stacks.one_layer_no_parity",
        whole="every width and alphabet",
        differs="any values",
    )
    h, c, d = sympy.symbols("h c d", real=True)
    for g1, g2 in product((0, 1), repeat=2):
        both = unit(unit(h, g1, c), g2, d)
        proof.symbolically("two letters act as one", both, _unit(h, max(g1, g2), d if g2 else c), free="h, c, d")
        twice = both.subs(h, both, simultaneous=True)
        proof.symbolically("twice is once, for words of two letters", twice, both, free="h, c, d")
    for gate in (0, 1):
        once = unit(h, gate, c)
        proof.symbolically("twice is once", unit(once, gate, c), once, free="h, c")
        proof.symbolically("1 and 11 leave the same state", unit(once, gate, c) - once, 0, free="h, c")
    proof.exactly("their parities differ", [1 % 2, 2 % 2], [1, 0])
    for letters in ([[0, 1], [1, 0]], [[1, 1, 0], [0, 1, 1], [0, 0, 0]]):
        proof.certificate(
            "witness",
            "gates and candidates of each letter",
            gates=letters,
            candidates=[[1 - 2 * ((i + j) % 2) for j in range(len(row))] for i, row in enumerate(letters)],
        )


# -- floating point --------------------------------------------------------------------------------------------------------


def _networks(proof: Proof):
    yield "Z60", compile_group(named_group("Z60"), polygons=True)
    yield "(a|b)*abb(a|b)*", compile_regex("(a|b)*abb(a|b)*", construction="excluded")
    yield "all maps of 3 points", compile_automaton(full_transformations(3), "holonomy")
    if proof.effort != "quick":
        yield "all maps of 5 points", compile_automaton(full_transformations(5), "holonomy")
        yield "parity", compile_automaton(Automaton({"0": (0, 1), "1": (1, 0)}))


def _rounded_run(layer, field: int, letters: list[int], bits: int):
    """(largest entry of the error, whether the nearest exact state is the true one) after every letter, when stored numbers, products and sums round to ``bits`` bits."""
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
        near = min(exact_states, key=lambda S: max(abs(x - y) for x, y in zip(H, S, strict=True)))
        yield (
            max(abs(x - t) for x, t in zip(H, true, strict=True)),
            max(abs(x - t) for x, t in zip(near, true, strict=True)) < Fraction(1, 10**20),
        )


def _value(x, field: int) -> Fraction:
    if isinstance(x, str):
        return Fraction(x)
    return sum((Fraction(c) * _cosine(k, field) for k, c in enumerate(x)), Fraction(0))


@cache
def _cosine(k: int, field: int) -> Fraction:
    """cos(2 pi k / N) to 60 digits."""
    return Fraction(str(sympy.cos(2 * sympy.pi * k / field).evalf(60)))


@claim(
    "new.automata.float-length",
    place="after grazzi25 App. A.4 (finite precision)",
    known="A textbook forward error analysis (Higham, Accuracy and Stability of Numerical Algorithms, ch. 3), applied to compiled networks; exactness of small integers is immediate.",
    title="with ‖A‖ ≤ 1 rounding adds at most c to a state's error in each step: the decoder is right for margin / c steps",
    says=r"Let $\|A\|\le1$, $u$ the unit roundoff, $n$ the width, $\gamma=(n+1)u/(1-(n+1)u)$. As long as the error stays below the margin $\mu$, a step adds at most "
    r"$c=(u+\gamma(1+u))(\|A\|_F(R+\mu)+\|B\|)$ to it, $R$ the largest norm of a state. Networks whose numbers are integers below $1/u$ are exact at every length.",
    hypotheses=("round to nearest, no overflow; the network is run step by step", "the decoder takes the nearest exact state"),
    construction="lemmata.constructions.automata.rounding.precision.guaranteed_length",
    sabotages={
        "the bound is a hundredth of c": {"fraction": 100},
        "nothing is rounded": {"bits_of": lambda bits: 200},
        "the bound is never below the margin": {"fraction": Fraction(1, 10**9)},
    },
)
def float_length(proof: Proof, fraction: int | Fraction = 1, bits_of=lambda bits: bits) -> None:
    r"""The stored $A$ and $B$ are off by $u$, their product and sum by $\gamma$ more, and an old error $e$ becomes $Ae$, no longer than $e$.

    1. Rounded entries are $A(1+\theta)$, $B(1+\theta)$ with $|\theta|\le u$, and $n$ products summed in any order with one more addition are off by $\gamma$ of the sum of the magnitudes, which $\|A\|_F(R+\mu)+\|B\|$ bounds
       as long as the error is below $\mu$. [cited: Higham, Accuracy and Stability, Lemma 3.1]
    2. $\|Ae\|\le\|e\|$, so errors add up: at most $c$ more in each step, and below the margin the nearest exact state is the true one. [prose]
    3. Every operation is rounded exactly, by rational arithmetic, along random words: the error stays below its bound, is not zero, and the nearest state is the true one.
       [checked: "the error stays below its bound"; "some bound lies below the margin"; "some error exceeds 2^-30"; "the nearest exact state is the true one"]
    4. Integers up to $1/u$ are not rounded at all. [checked: "S5 by permutation matrices is exact"]
    """
    rng, rounded = Random(77), 0
    length = proof.pick(30, 60, 200)
    for _, network in proof.each(f"compiled networks, random words of length {length}, seed 77, 8, 11 and 24 bits", _networks(proof)):
        document = network.document()
        letters = [rng.randrange(len(document["letters"])) for _ in range(length)]
        inexact = useful = 0
        for layer in document["layers"]:
            found = LayerNumbers(layer, document["field"])
            sizes = [max(float(np.linalg.norm(x)) for x in xs) for xs in (found.states, found.A, found.B)]
            found_margin = float(found.margins.min())
            squares = zip(sizes, _measured(layer, document["field"]), strict=False)
            near = lambda x, y: y - y / 10**6 <= x <= y + y / 10**6  # noqa: E731
            proof.holds("R, ||A||_F and ||B|| are those of the layer", all(near(Fraction(x) ** 2, y) for x, y in squares))
            margin = _measured(layer, document["field"])[3]
            proof.holds("so is the margin", found_margin == inf if margin is None else near(Fraction(found_margin), margin))
            proof.holds("micro-steps compose to their map", _stepped(layer, document["field"]))
            for dtype, bits in (("bfloat16", 8), ("float16", 11), ("float32", 24)):
                unit, growth = FORMATS[dtype].unit, loop_growth(found, FORMATS[dtype])
                step = (growth.added + growth.excess * found_margin) / fraction if margin is not None else growth.added / fraction
                if margin is not None:
                    n, u = len(layer["states"][0]), Fraction(unit)
                    gamma, R, norm, B = (n + 1) * u / (1 - (n + 1) * u), *map(Fraction, sizes)
                    c = (u + gamma * (1 + u)) * (norm * (R + Fraction(found_margin)) + B)
                    # what is used is finer, and never more
                    proof.holds("what a step adds is c, and what underflows", 0 < Fraction(step) * fraction <= c + c / 1000)
                errors = list(_rounded_run(layer, document["field"], letters, bits_of(bits)))
                start = unit * sizes[0] / fraction
                bounds = [start + t * step for t in range(1, length + 1)]
                within = [e <= bound for (e, _), bound in zip(errors, bounds, strict=True) if bound <= found_margin]
                proof.holds("the error stays below its bound for as long as that is below the margin", all(within))
                proof.holds("the nearest exact state is the true one for as long", all(right for _, right in errors[: len(within)]))
                inexact += any(e > Fraction(1, 2**30) for e, _ in errors)
                useful += dtype == "float32" and len(within) > 0
            letters = _handed_on(layer, document["field"], letters)
        proof.holds("some bound lies below the margin, in float32, in every layer", useful == len(document["layers"]))
        rounded += inexact > 0
    proof.holds("some error exceeds 2^-30, in two networks at least", rounded >= 2)
    exact_one = compile_group(named_group("S5")).document()
    proof.exactly("its numbers are marked as rational", exact_one["field"], 1)
    proof.exactly(
        "S5 by permutation matrices is exact in every data type", {guaranteed_length(exact_one, d) for d in FORMATS}, {float("inf")}
    )


def _measured(layer, field: int) -> tuple[Exact, Exact, Exact, Exact]:
    """The largest squared norms of a state, of A and of B, and half the least distance (largest entry) of two states that one map leads to."""
    square = lambda rows: sum(_value(x, field) ** 2 for row in rows for x in row)  # noqa: E731
    states = [[_value(x, field) for (x,) in H] for H in layer["states"]]
    after = {(layer["letters"][y][3], i) for i, y, _ in layer["decoder"]}
    pairs = [(states[i], states[j]) for (f, i), (g, j) in product(after, repeat=2) if f == g and i < j]
    margin = min((max(abs(x - y) for x, y in zip(u, v, strict=True)) / 2 for u, v in pairs), default=None)
    A, B = (max(square(m[part]) for m in layer["maps"]) for part in "AB")
    return max(square(H) for H in layer["states"]), A, B, margin


def _stepped(layer, field: int) -> bool:
    """Whether the micro-steps of each map, where it has some, compose to it: h -> h - beta v (v . h) / (v . v) + write v, to 40 digits."""
    for m in layer["maps"]:
        A, B = ([[_value(x, field) for x in row] for row in m[part]] for part in "AB")
        columns = [*zip(*A, strict=True), tuple(b for (b,) in B)]
        for j, wanted in enumerate(columns if m["steps"] is not None else []):
            # the last column starts from 0, and only it is written to
            h = [Fraction(i == j) for i in range(len(A))]
            for s in m["steps"]:
                v, beta, write = [_value(x, field) for x in s["v"]], _value(s["beta"], field), _value(s["write"], field)
                along = beta * sum(x * y for x, y in zip(v, h, strict=True)) / sum(x * x for x in v)
                h = [y - along * x + (write * x if j == len(A) else 0) for x, y in zip(v, h, strict=True)]
            if any(abs(x - y) > Fraction(1, 10**40) for x, y in zip(h, wanted, strict=True)):
                return False
    return True


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
