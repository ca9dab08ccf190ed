"""Stored numbers, stacks of counters and late states, row by row: layers of up to 13 states, polycyclic sequences of up to nine elements, words of up to a dozen letters."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import numpy as np
from flint import fmpq

from .....constructions.automata.automaton import Automaton
from .....constructions.automata.layers import counter_stacks
from .....constructions.automata.read import small_groups
from .....constructions.automata.rounding.stored_numbers import STORED, stored_numbers
from .....constructions.languages import c_rasp, late, stutter_invariant
from .....constructions.languages.language import language_of
from ....claim import tie
from ....evidence import Proof
from ...automata.rounding import stored
from .. import POSITIVE
from .common import after, generated, power
from .elements import turn
from .languages import distances, walk
from .rounding import NOTES, resets
from .searches import machine


def value(pair: list[int]) -> fmpq:
    """m 2^e; m is odd, or both are 0."""
    m, e = pair
    if not (m % 2 or pair == [0, 0]):
        raise ValueError(f"expected an odd number times a power of two, got {pair}")
    return fmpq(m) * fmpq(2) ** e


@tie("new.automata.stored")
def stored_numbers_of_documents(proof: Proof) -> None:
    """One-hot layers with resets, of 13 to 2 states, in each format: every number, every code, and what is handed on."""
    for m, name in proof.tied("13 to 2 states, each format", product((13, 12, 9, 7, 5, 2), STORED)):
        for one in (fmpq(1), fmpq(-3, 4), fmpq(12)):
            document: dict[str, Any] = {**resets(m, one), "letters": ["a", -1, 0.5], "automaton": {"note": -1}, **NOTES}
            found = stored_numbers(document, name)
            kept = [found[key] for key in ("format", "version", "dtype", "letters", "automaton")]
            proof.exactly("stored_numbers: what it is of", kept, ["lemmata-stored", 1, name, ["a", -1, 0.5], {"note": -1}])
            (layer,) = found["layers"]
            unit = [[fmpq(i == j) for j in range(m)] for i in range(m)]
            states = [[stored(name, x * one) for x in row] for row in unit]
            proof.exactly("the start", [value(x) for x in layer["start"]], states[0])
            for f, one_map in enumerate(layer["maps"]):
                A = [[value(x) for x in row] for row in one_map["A"]]
                proof.exactly("A", A, unit if f == m else [[fmpq(0)] * m] * m)
                proof.exactly("B", [value(x) for x in one_map["B"]], states[f] if f < m else [fmpq(0)] * m)
                steps = [([value(x) for x in s["key"]], value(s["strength"]), value(s["value"])) for s in one_map["steps"]]
                # one that does nothing where there would be none
                steps = [step for step in steps if step[1] != 0]
                proof.exactly("micro-steps", steps, [] if f == m else [(unit[j], fmpq(1), states[f][j]) for j in range(m)])
                codes = [[fmpq(x) * fmpq(2) ** one_map["unit"] for x in code] for code in one_map["codes"]]
                reached = [[x * one for x in unit[i]] for i in (range(m) if f == m else [f])]
                proof.exactly("codes", codes, reached)
            padded = [[r, *[-1] * (m - 1)] for r in range(m)]
            proof.exactly("following", layer["following"], [*padded, list(range(m))])
            proof.exactly("letters", layer["letters"], document["layers"][0]["letters"])


@tie("new.automata.rounded.solvable")
def counts_of_polycyclic_sequences(proof: Proof) -> None:
    """Products of one to nine groups of prime order, and a group of maps x -> a x + b: levels, elements, what is added, by multiplying permutations."""
    rng = Random(431)
    sequences = {f"{k} swaps": [tuple(i ^ 1 if i // 2 == j else i for i in range(2 * k)) for j in range(k)] for k in (1, 2, 5, 9)}
    sequences |= {"a x + b modulo 5": [tuple(4 * i % 5 for i in range(5)), turn(5)], "thirteen": [turn(13)], "order 3": [turn(3)]}
    for sequence in proof.tied("sequences of one to nine elements", sequences.values()):
        found, degree = counter_stacks.levels(sequence), len(sequence[0])
        orders = [next(n for n in range(1, 20) if power(t, n) == tuple(range(degree))) for t in sequence]
        proof.exactly("levels: moduli", [level.modulus for level in found], orders)
        for i, (level, t) in enumerate(zip(found, sequence, strict=True)):
            proof.exactly("levels: powers", list(level.powers), [power(t, n) for n in range(level.modulus)])
            rest = generated(sequence[i + 1 :]) if i + 1 < len(sequence) else {tuple(range(degree))}
            wanted = {after(n, p): q for q, p in enumerate(level.powers) for n in rest}
            proof.exactly("levels: classes", level.classes, wanted)
        proof.exactly("power, generated", counter_stacks.generated(sequence, degree), generated(sequence))
        g, places = tuple(range(degree)), [0] * len(found)
        for _ in range(12):
            x = rng.choice(sorted(generated(sequence)))
            before, places = places, counter_stacks.moved(found, x, places)
            g = after(g, x)
            proof.exactly("element: of the counts after each letter", counter_stacks.element(found, places), g)
            each = [(q - p) % n for p, q, n in zip(before, places, orders, strict=True)]
            proof.exactly("added", [counter_stacks.added(found, x, places[:i]) for i in range(len(found))], each)
        cycles = {n: [(fmpq(j),) for j in range(n)] for n in orders}
        stack = counter_stacks.RoundedStack(found, None, None, {}, cycles)  # type: ignore[arg-type]
        for _ in range(5):
            heads = [tuple(rng.randrange(n) for _ in range(n - 1)) for n in orders]
            states = tuple(tuple(cycles[n][h] for h in row) for n, row in zip(orders, heads, strict=True))
            wanted = [sum((d + 1) * h for d, h in enumerate(row)) % n for n, row in zip(orders, heads, strict=True)]
            proof.exactly("places", stack.places(states), wanted)


@tie("new.automata.margin.late")
def words_around_late_states(proof: Proof) -> None:
    """Machines of 13 to 1 states: states to which long words lead, by walking; words to a loop, around it and on."""
    rng = Random(432)
    for n in proof.tied("chains into a loop, and machines drawn at random", POSITIVE[::-1]):
        chain = {"a": tuple(min(q + 1, n - 1) for q in range(n)), "b": tuple(min(q + 2, n - 1) for q in range(n))}
        loop = {"a": (*range(1, n), n // 2)}
        random = {x: tuple(rng.randrange(n) for _ in range(n)) for x in "ab"}
        round_about = {"a": (*range(1, n), 0)}
        for rows in (chain, loop, random, round_about):
            table = Automaton(rows).reachable().table
            m = machine({str(x): tuple(row) for x, row in table.items()})
            delta = m.delta.tolist()
            reached = set(range(m.n))
            for _ in range(m.n):
                reached = {row[q] for q in reached for row in delta}
            proof.exactly("late_states", late.late_states(m).tolist(), sorted(reached))
            follows = {q: set(distances({row[q] for row in delta}, lambda p, rows=delta: [row[p] for row in rows])) for q in range(m.n)}
            for q in sorted(reached):
                s, there, t = late.around(m, q)
                r = walk(delta, 0, s)
                loops = r in follows[r] and (walk(delta, r, there), walk(delta, r, t), len(there) > 0) == (r, q, True)
                proof.exactly("around", loops, any(p in follows[p] and (p == q or q in follows[p]) for p in range(m.n)))


@tie("new.automata.one-layer.norm.converse")
def potentials(proof: Proof) -> None:
    """Counts of letters tell the states of brackets of bounded depth apart, and those of a cycle not; up to 13 states."""
    for n in proof.tied("13 to 2 states", POSITIVE[:0:-1]):
        rows = {"a": (*range(1, n), n, n), "b": (n, *range(n - 1), n)}
        proof.exactly("separated: brackets", len(set(c_rasp.separated(machine(rows), list(range(n))))), n)
        proof.exactly("decide: brackets", c_rasp.decide(language_of(Automaton(rows, 0, frozenset({0})))), None)
        cycle = {"a": turn(n), "b": turn(n, n - 1)}
        proof.exactly("separated: a cycle", len(set(c_rasp.separated(machine(cycle), list(range(n))))), 1)
        found = c_rasp.decide(language_of(Automaton(cycle, 0, frozenset({0}))))
        proof.exactly("decide: a cycle", found is not None and found.refutes, "c-rasp")


@tie("grazzi25.sec1.regular")
def invariants_of_tables(proof: Proof) -> None:
    """Cyclic, dihedral and elementary abelian groups of up to 16 elements: pairs that commute, orders, centralisers, counted."""
    tables = {f"Z{n}": [[(i + j) % n for j in range(n)] for i in range(n)] for n in POSITIVE}
    tables |= {f"2^{k}": [[i ^ j for j in range(2**k)] for i in range(2**k)] for k in (1, 2, 3, 4)}
    for m in (3, 4, 5, 7):
        elements = [(r, s) for s in (1, -1) for r in range(m)]
        tables[f"D{m}"] = [[elements.index(((r + s * a) % m, s * t)) for a, t in elements] for r, s in elements]
    for rows in proof.tied("groups of 1 to 16 elements", tables.values()):
        n, table = len(rows), np.array(rows)
        commute = [[rows[i][j] == rows[j][i] for j in range(n)] for i in range(n)]
        orders = []
        for g in range(n):
            x, order = g, 1
            while x:
                x, order = rows[x][g], order + 1
            orders.append(order)
        kinds: dict[Any, int] = {}
        for g in range(n):
            kind = (small_groups.order_of(table, g), sum(commute[g]))
            kinds[kind] = kinds.get(kind, 0) + 1
        proof.exactly("order_of", [small_groups.order_of(table, g) for g in range(n)], orders)
        wanted = (sum(map(sum, commute)), tuple(sorted(kinds.items())))
        proof.exactly("invariants", small_groups.invariants(table), wanted)


@tie("new.automata.pauses")
def letters_said_twice(proof: Proof) -> None:
    """Machines of 13 to 1 states, states from the last down to the first: whether a letter twice acts as once, and the words of a no."""
    rng, seen = Random(435), {True: 0, False: 0}
    for n in proof.tied("chains up and down, resets, and machines drawn at random", POSITIVE[::-1]):
        up, down = tuple(min(q + 1, n - 1) for q in range(n)), tuple(max(q - 1, 0) for q in range(n))
        for rows in (
            {"a": up, "z": (0,) * n},
            {**{f"to {i}": (i,) * n for i in range(n)}, "z": down},
            {**{f"to {i}": (i,) * n for i in reversed(range(n))}, "z": down},
            {"a": (n - 1,) * n, "b": (0,) * n, "c": tuple(range(n))},
            {x: tuple(rng.randrange(n) for _ in range(n)) for x in "ab"},
        ):
            language = language_of(Automaton(rows, 0, frozenset({n - 1})))
            delta = language.machine.delta.tolist()
            wanted = all(row[row[q]] == row[q] for row in delta for q in range(language.machine.n))
            found = stutter_invariant.decide(language)
            seen[wanted] += 1
            proof.exactly("stutter_invariant.decide", found is None, wanted)
            if found is not None:
                word = {name: [language.machine.letters.index(x) for x in w] for name, w in found.words.items()}
                ends = [walk(delta, 0, word["u"] + word["x"] * k + word["v"]) for k in (1, 2)]
                answers = [int(language.machine.answers[q]) for q in ends]
                proof.exactly("the words of a no", answers[0] != answers[1], True)
    for count in proof.tied("languages that are, and that are not", seen.values()):
        proof.holds("are some", count > 5)
