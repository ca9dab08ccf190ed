"""Units of cascades of resets: digits, conditions, weights, layers, by evaluating each literal."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import numpy as np

from ....constructions.automata.automaton import Automaton
from ....constructions.automata.cascade.cascade import krohn_rhodes
from ....constructions.bistable import units
from ....constructions.bistable.units import Affine, All, Before, Bit, Letter, Row, Time
from ...claim import tie
from ...evidence import Proof


def resets(n: int) -> Automaton:
    return Automaton({f"to {q}": [q] * n for q in range(n)} | {"stay": list(range(n))}, 0)


@tie("new.bistable.compiler")
def digits(proof: Proof) -> None:
    """Numbers of bits, and the digits of states."""
    for size in proof.tied("1 to 40 states", range(1, 41)):
        proof.exactly("width", units.width(size), next(w for w in range(9) if 2**w >= size))
    for n in proof.tied("levels of 1 to 13 states", range(1, 14)):
        cascade = krohn_rhodes(resets(n))
        for state in product(*map(range, cascade.sizes)):
            wanted = {
                Bit(k, b): (i // 2**b) % 2 == 1
                for k, (i, size) in enumerate(zip(state, cascade.sizes, strict=True))
                for b in range(9)
                if 2**b < size
            }
            proof.exactly("bits_of", units.bits_of(cascade, state), wanted)
        proof.exactly("bits of no level", units.bits_of(cascade, ()), {})


@tie("new.bistable.compiler")
def conditions(proof: Proof) -> None:
    """What a level does in each situation; terms that hold in the rows of a value and in no other."""
    rng = Random(33)
    for n in proof.tied("cascades of automata of 2 to 5 states", range(2, 6)):
        table = {"a": [0] * n, "b": [min(q + 1, n - 1) for q in range(n)], "c": list(range(n))}
        cascade = krohn_rhodes(Automaton(table, 0))
        states = list(cascade.reachable())
        situations = [(s, x, (Letter(x),)) for s in states for x in table]
        for k in range(len(cascade.sizes)):
            wanted: dict[Any, Any] = {}
            for s, x, heads in situations:
                move = cascade.moves(x, s)[k]
                before = {Before(Letter(x), Bit(j, b)): s[j] >> b & 1 == 1 for j in range(k) for b in range(units.width(cascade.sizes[j]))}
                after = {Bit(j, b): cascade.step(s, x)[j] >> b & 1 == 1 for j in range(k) for b in range(units.width(cascade.sizes[j]))}
                wanted.setdefault((heads, s[:k]), (heads, before | after, move.reset))
            proof.exactly(
                "level_rows", [(r.heads, dict(r.bits), r.value) for r in units.level_rows(cascade, k, situations)], list(wanted.values())
            )
    for letters, bits, values in proof.tied("1 to 9 letters, 0 to 4 bits, three values", product((1, 2, 3, 9), (0, 1, 2, 4), (1, 3))):
        rows = [
            Row((Letter(x), Time(x % 2)), {Bit(0, b): value for b, value in enumerate(v)}, rng.choice((None, 0, 1)[:values]))
            for x in range(letters)
            for v in product((False, True), repeat=bits)
        ]
        for value in {r.value for r in rows}:
            terms = units.terms_for(rows, value)
            holds = lambda row, term: all((s in row.heads) == v if isinstance(s, Letter | Time) else row.bits[s] == v for s, v in term)  # noqa: E731
            proof.exactly("terms", [any(holds(r, t) for t in terms) for r in rows], [r.value == value for r in rows])
            shorter = [
                t for t in terms for left in range(len(t)) if not any(holds(r, t[:left] + t[left + 1 :]) for r in rows if r.value != value)
            ]
            proof.exactly("no literal too many", shorter, [])


def value_of(form: Affine, truth: dict[Any, bool]) -> int:
    """weights . read + constant: letters are 0 or 1, units -1 or 1."""
    return form.constant + sum(
        w * ((1 if truth[s] else 0) if isinstance(s, Letter | Time) else (1 if truth[s] else -1)) for s, w in form.weights.items()
    )


@tie("new.bistable.compiler")
def weights_of_units(proof: Proof) -> None:
    """Candidates and thresholds on all truths of what units read."""
    rng = Random(34)
    sources = [Letter("a"), Time(3), Bit(0, 0), Bit(1, 2), Before(Letter("a"), Bit(0, 0)), All(((Bit(0, 0), True), (Letter("b"), False)))]
    for count in proof.tied("sums of 1 to 12 literals, positive and negative", (1, 2, 3, 5, 12)):
        chosen = [(rng.choice(sources), rng.random() < 0.5, rng.choice((-2, -1, 1, 3))) for _ in range(count)]
        form = Affine({}, 5)
        for source, holds, times in chosen:
            form.add((source, holds), times)
        for values in product((False, True), repeat=len(sources)):
            truth = dict(zip(sources, values, strict=True))
            proof.exactly(
                "Affine.add: 1 if it holds, else -1", value_of(form, truth), 5 + sum(t * (1 if truth[s] == v else -1) for s, v, t in chosen)
            )
        one = Affine({})
        one.add((sources[0], True))
        proof.exactly("once", (one.weights, one.constant), ({sources[0]: 2}, -1))
    terms = [(), ((Bit(0, 0), True),), ((Letter("a"), False),), ((Bit(0, 0), False), (Letter("a"), True))]
    for term in proof.tied("terms of 0 to 2 literals", terms[1:]):
        proof.exactly("one_literal", units.one_literal(term), term[0] if len(term) == 1 else (All(term), True))
    for bit, start in proof.tied("bits 0 to 3", product(range(4), (True, False))):
        by_value = {0: [terms[1]], 5: [terms[2], terms[3]], 10: [terms[0]]}
        unit = units.bit_unit(Bit(1, bit), by_value, start)
        reads = [Bit(0, 0), Letter("a"), All(terms[3])]
        for values in product((False, True), repeat=3):
            truth = dict(zip(reads, values, strict=True))
            held = {0: [truth[Bit(0, 0)]], 5: [not truth[Letter("a")], truth[All(terms[3])]], 10: [True]}
            wanted = sum(2 * (1 if value >> bit & 1 else -1) for value, some in held.items() for yes in some if yes)
            proof.exactly("bit_unit: 2 for each term that holds", value_of(unit.candidate, truth), wanted)
        proof.exactly("its threshold and start", (unit.threshold.weights, unit.threshold.constant, unit.start), ({}, 1, start))
        proof.exactly("what it reads", set(unit.reads()), set(reads))
        held_before = units.before_unit(Before(Letter("a"), Bit(1, bit)), start)
        proof.exactly("before_unit: reads", held_before.reads(), [Bit(1, bit), Letter("a")])
        for x, y in product((False, True), repeat=2):
            truth = {Bit(1, bit): x, Letter("a"): y}
            proof.exactly(
                "before_unit",
                (value_of(held_before.candidate, truth), value_of(held_before.threshold, truth)),
                (1 if x else -1, 2 if y else 0),
            )
        proof.exactly("its start", held_before.start, start)
    for count in proof.tied("conjunctions of 1 to 12 literals", (1, 2, 5, 12)):
        every = All(tuple((Bit(0, i), i % 3 > 0) if i % 2 else (Letter(i), i % 3 == 0) for i in range(count)))
        unit = units.all_unit(every)
        proof.exactly("all_unit: reads each", unit.reads(), [s for s, _ in every.literals])
        for wrong in (None, *range(min(count, 4))):
            truth = {s: v != (i == wrong) for i, (s, v) in enumerate(every.literals)}
            proof.exactly("all_unit: 1 if all hold, else below 0", value_of(unit.candidate, truth), 1 if wrong is None else -1)
        proof.exactly("always written", (unit.threshold.weights, unit.threshold.constant, unit.start), ({}, 0, False))
    for rows, columns in proof.tied("matrices of up to 9 forms of 12 sources", [(0, 0), (1, 1), (3, 5), (9, 12)]):
        names = [Letter(i) for i in range(columns)]
        forms = [Affine({names[j]: (i - 2 * j) % 7 - 3 for j in range(i % 2, columns, 2)}, i - 4) for i in range(rows)]
        W, b = units.matrix_of(forms, {s: j for j, s in enumerate(names)})
        proof.exactly(
            "matrix_of",
            (W.tolist(), b.tolist()),
            ([[form.weights.get(s, 0) for s in names] for form in forms], [form.constant for form in forms]),
        )


@tie("new.bistable.compiler")
def units_in_layers(proof: Proof) -> None:
    """A chain of units takes as many layers as it is long; each layer reads the inputs and all that is below."""
    for depth in proof.tied("chains of 1 to 12 units", (1, 2, 3, 5, 7, 12)):
        inputs = [Letter("a"), Letter("b")]
        chain: dict[Any, units.Unit] = {}
        for k in range(depth):
            weights: dict[units.Source, int] = {inputs[k % 2]: 2}
            if k:
                weights[Bit(k - 1, 0)] = -1
            reads = Affine(weights, k)
            chain[Bit(k, 0)] = units.Unit(reads, Affine({}, 1), k % 2 == 0)
        shuffled = dict(reversed(chain.items()))
        layers = units.in_layers(shuffled, inputs)
        proof.exactly("one unit a layer", [layer.sources for layer in layers], [(Bit(k, 0),) for k in range(depth)])
        proof.exactly("starts", [layer.start.tolist() for layer in layers], [[1 if k % 2 == 0 else -1] for k in range(depth)])
        for k, layer in enumerate(layers):
            number = [*inputs, *(Bit(j, 0) for j in range(k))]
            row = [2 if s == inputs[k % 2] else -1 if s == Bit(k - 1, 0) else 0 for s in number]
            found = [
                np.asarray(x).tolist() for x in (layer.unit.W_x, layer.unit.b_x, layer.unit.W_beta, layer.unit.b_beta, layer.unit.alpha)
            ]
            proof.exactly("weights", found, [[row], [k], [[0] * len(number)], [1], [1]])
    terms = [{0: [((Bit(0, 0), True), (Letter("a"), True))], 1: [((Before(Letter("a"), Bit(0, 0)), False),)]}]
    both = [
        {0: [((Letter("a"), True),)], 1: []},
        {0: [((Bit(0, 0), True), (Letter("a"), True))], 1: [((Before(Letter("a"), Bit(0, 0)), False),)]},
    ]
    for level_terms, wanted in proof.tied(
        "what the readout needs, and what that needs", [(both, [Bit(1, 0), All(terms[0][0][0]), Before(Letter("a"), Bit(0, 0)), Bit(0, 0)])]
    ):
        start = {Bit(0, 0): True, Bit(1, 0): False}
        found = units.units_for([Affine({Bit(1, 0): 1, Letter("a"): 1})], level_terms, start)
        proof.exactly("units", set(found), set(wanted))
        proof.exactly(
            "their starts", {s: u.start for s, u in found.items()}, {s: s in (Bit(0, 0), Before(Letter("a"), Bit(0, 0))) for s in wanted}
        )
        nothing = units.units_for([Affine({Letter("a"): 1})], level_terms, start)
        proof.exactly(
            "one that keeps its start, where nothing is needed",
            [(s, u.reads(), u.threshold.constant) for s, u in nothing.items()],
            [(Bit(0, 0), [], 1)],
        )
