"""What the compiler is made of: costs, formats of floating point, families of sets, derivatives of expressions, and the room that is left."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import permutations, product
from math import frexp, ldexp
from random import Random

import numpy as np

from ....constructions.automata import affine
from ....constructions.automata.algebra.permuting import permuting
from ....constructions.automata.automaton import Automaton
from ....constructions.automata.cascade.subsets import Family
from ....constructions.automata.choose.candidate import Candidate
from ....constructions.automata.choose.groups import polygon
from ....constructions.automata.choose.ways import candidates
from ....constructions.automata.layers.swap_per_token import symmetric_by_swaps
from ....constructions.automata.layers.transitive import sign_stack
from ....constructions.automata.read import sources, tasks
from ....constructions.automata.read.derivatives import Terms
from ....constructions.automata.rounding.layer import FORMATS
from ...claim import tie
from ...evidence import Proof
from .common import words


@tie("grazzi25.sec1.regular")
def costs_of_candidates(proof: Proof) -> None:
    """Widths, depths and costs of candidates from up to 13 layers; which groups of what order are tried, and which cascades."""
    rng = Random(74)
    mixed = Automaton(dict.fromkeys((-1, 0.5, 2j, Fraction(1, 3), "a"), (0, 1)), 0, frozenset({1}), (2j, -0.5))
    for depth in proof.tied("1 to 13 layers of widths up to 40", range(1, 14)):
        widths = tuple(rng.randrange(1, 41) for _ in range(depth))
        margin, room = rng.random(), rng.choice((rng.random(), float("inf")))
        one = Candidate("any", (tasks.parity(), mixed)[depth % 2], widths, margin, room, lambda: None)  # type: ignore[arg-type,return-value]
        widest, size, cramped = sorted(widths)[-1], sum(widths), -round(room, 12)
        proof.exactly("depth and width", (one.depth, one.width), (depth, widest))
        proof.exactly(
            "what it costs",
            [one.cost(prefer, enough) for prefer in ("exact", "shallow", "narrow") for enough in (size - 1, size)],
            [
                *(
                    (rounded, enough < size, depth, size, cramped)
                    for rounded in (room < float("inf"), False)
                    for enough in (size - 1, size)
                ),
                *[(widest, depth, cramped)] * 2,
            ],
        )
        proof.exactly("without a cascade nothing is read", one.reads_at_most(0), True)
    for m in proof.tied("polygons of 2 to 40 corners", (2, 3, 4, 5, 12, 40)):
        corners = np.exp(2j * np.pi * np.arange(m) / m)
        apart = np.abs(corners[:, None] - corners)
        sides = np.maximum(np.abs((corners[:, None] - corners).real), np.abs((corners[:, None] - corners).imag))
        proof.closely("half the least distance in the larger coordinate", abs(polygon(m) - sides[apart > 1e-9].min() / 2), 1e-12)
    for n in proof.tied("cyclic groups of 2 to 12 elements, and automata of 2 to 7 states with resets", range(2, 13)):
        found = {c.construction: (c.widths, c.automaton.n) for c in candidates(tasks.cycle_navigation(n), "addition")}
        proof.exactly("what fits a cycle, its widths", found["addition"], ((1, 2), n))
        if n <= 7:
            table = {"a": tuple((q + 1) % n for q in range(n)), "b": (0,) * n}
            for c in candidates(Automaton(table, 0, frozenset()), "holonomy"):
                if c.construction in ("excluded", "holonomy", "delays"):
                    factor, margin = (2, 0.5) if c.construction == "delays" else (1, 1.5 / max(c.cascade.sizes) ** 2)  # pyright: ignore[reportOptionalMemberAccess]
                    proof.exactly(f"{c.construction}: widths", list(c.widths), [factor * m for m in c.cascade.sizes])  # pyright: ignore[reportOptionalMemberAccess]
                    proof.closely(f"{c.construction}: margin", abs(c.margin - margin), 1e-12)
                    proof.exactly(f"{c.construction}: layers", [len(H) for H in c.stack().initial], list(c.widths))


@tie("new.automata.float-length")
def formats(proof: Proof) -> None:
    """What a format stores of a number: the nearest, ties to even, half precision by way of float32."""
    rng = Random(77)
    drawn = [rng.choice((-1, 1)) * ldexp(rng.uniform(0.5, 1), rng.randint(-12, 14)) for _ in range(60)]
    numbers = [0.0, 1.0, -1.0, 1 / 3, 1 + 2.0**-24, 1 + 3 * 2.0**-24, 1 + 2.0**-11, 1 + 2.0**-8, 1 + 2.0**-9, 1 + 3 * 2.0**-9, *drawn]
    for name, bits in proof.tied("four formats, 70 numbers", {"float64": 53, "float32": 24, "float16": 11, "bfloat16": 8}.items()):
        form = FORMATS[name]
        rounds = [bits] if name in ("float64", "float32") else [24, bits]
        wanted = []
        for x in numbers:
            for b in rounds:
                x = float(to_bits(x, b))
            wanted.append(x)
        proof.exactly(f"{name}: stored", [float(x) for x in form.stored(np.array(numbers))], wanted)
        proof.exactly(f"{name}: the unit", form.unit, 2.0**-bits)
        of_sums = form.rounded(np.array(numbers, dtype=form.carrier))
        proof.exactly(f"{name}: rounded", [float(x) for x in form.stored(of_sums.astype(float))], [float(x) for x in of_sums])


def to_bits(x: float, bits: int) -> Fraction:
    """The nearest number of so many bits, ties to even; in the normal range."""
    if x == 0:
        return Fraction(0)
    exponent = frexp(x)[1] - bits
    return Fraction(round(Fraction(x) / Fraction(2) ** exponent)) * Fraction(2) ** exponent


@tie("grazzi25.sec1.regular")
def families_of_sets(proof: Proof) -> None:
    """Which sets lie inside which, and the largest of them, by comparing all pairs."""
    rng = Random(78)
    for n, count in proof.tied("sets of up to 12 states, families of up to 60", product((1, 2, 3, 7, 12), (1, 2, 6, 7, 8, 60))):
        sets = {frozenset(q for q in range(n) if rng.random() < 0.6) | {rng.randrange(n)} for _ in range(count)}
        family = Family(sets)
        proof.exactly("its sets, larger ones first", [len(X) for X in family.sets], sorted(map(len, sets), reverse=True))
        proof.exactly("all of them", set(family.sets), sets)
        for X in family.sets:
            within = {Y for Y in sets if Y < X}
            found = family.inside(X)
            proof.exactly("inside", {Y for i, Y in enumerate(family.sets) if found >> i & 1}, within)
            largest = family.maximal_subsets(X)
            proof.exactly("maximal_subsets", set(largest), {Y for Y in within if not any(Y < Z for Z in within)})
            proof.exactly("smallest first", [len(Y) for Y in largest], sorted(map(len, largest)))


@tie("grazzi25.thm4")
def derivatives(proof: Proof) -> None:
    """Words by partial derivatives, letter by letter, for expressions whose words are known; sets of terms as sets."""
    for n in proof.tied("powers, optional letters and unions of up to 9 terms, words of up to 12 letters", range(1, 10)):
        terms = Terms()
        a, b, other = terms.letter("a"), terms.letter("b"), terms.letter("a", negated=True)
        wanted = {
            "a^n": (terms.repeat(a, n, n), lambda w, n=n: w == "a" * n),
            "a^n b": (terms.cat(terms.repeat(a, n, n), b), lambda w, n=n: w == "a" * n + "b"),
            "at least n": (terms.repeat(a, n, None), lambda w, n=n: len(w) >= n and set(w) <= {"a"}),
            "up to n": (terms.repeat(other, 0, n), lambda w, n=n: len(w) <= n and "a" not in w),
            "either": (terms.either([terms.repeat(a, k, k) for k in range(n)]), lambda w, n=n: len(w) < n and set(w) <= {"a"}),
            "both": (terms.both([terms.repeat(terms.either([a, b]), n, n), terms.repeat(a, 0, None)]), lambda w, n=n: w == "a" * n),
            "chain": (
                terms.cat(terms.repeat(a, 0, None), terms.cat(terms.repeat(b, 0, None), b)),
                lambda w: re.fullmatch("a*b*b", w) is not None,
            ),
        }
        words = [letter * k + end for k in {0, 1, n - 1, n, n + 1, 12} for letter in "ab" for end in ("", "a", "b")]
        for name, (term, accepts) in wanted.items():
            for word in words:
                mask = terms.mask(term)
                for x in word:
                    mask = terms.after(mask, x)
                proof.exactly(f"words by derivatives: {name}", bool(mask & terms.nullable), accepts(word))
            several = terms.mask(term) | terms.mask(a) | terms.mask(b)
            proof.exactly("a set of terms is that of its members", sum({terms.mask(x) for x in terms.members(several)}), several)


@tie("new.automata.four-layers")
def four_layers(proof: Proof) -> None:
    """One swap a token: the states of the word problem, over many blocks of tokens."""
    rng = Random(79)
    for n in proof.tied("symmetric groups on 2 to 5 points, words of up to 40 letters", range(2, 6)):
        letters = {"turn": (*range(1, n), 0), "swap": (1, 0, *range(2, n)), "rest": tuple(range(n)), "back": (n - 1, *range(n - 1))}
        stack, automaton = symmetric_by_swaps(letters), sources.from_permutations(letters)
        proof.exactly("four layers, 1, 2, 2m and n wide", [len(H) for H in stack.initial], [1, 2, 2 * n - 2, n])
        for word in words(rng, letters):
            proof.exactly("the states", stack.run(word), automaton.run(word))
    for n in proof.tied("all elements as letters, on 2 to 4 points", (2, 3, 4)):
        letters = {str(g): g for g in permutations(range(n))}
        stack, automaton = symmetric_by_swaps(letters), sources.from_permutations(letters)
        word = [rng.choice(list(letters)) for _ in range(25)]
        proof.exactly("the states", stack.run(word), automaton.run(word))
    symmetric = {"S5": True, "A5": False, "S4": False, "D5": False, "5.1": False}
    affine_group = {"turn": (1, 2, 3, 4, 0), "times": (0, 2, 4, 1, 3)}
    for name, fits in proof.tied("groups on 4 and 5 points", [*symmetric.items(), ("x -> a x + b modulo 5", False)]):
        generators = sources.named_group(name) if name in symmetric else affine_group
        found = permuting(sources.from_permutations(generators))
        stack = sign_stack(found) if found else None
        proof.exactly("a sign beside a rotation of the icosahedron, for all permutations of 5 points alone", stack is not None, fits)


@tie("grazzi25.sec1.regular")
def rooms(proof: Proof) -> None:
    """What is refused as too large: more numbers than there is room for, counted in matrices and states."""
    for width, maps in proof.tied("widths 1 to 300, 1 to 40 maps, on both sides of the limit", product((1, 2, 9, 300), (1, 3, 40))):
        most = (20_000_000 - width * width * maps) // width
        for states in (0, most, most + 1):
            try:
                affine.require_room(width, maps, states)
                refused = False
            except ArithmeticError:
                refused = True
            proof.exactly("require_room", refused, width * width * maps + width * states > 20_000_000)
