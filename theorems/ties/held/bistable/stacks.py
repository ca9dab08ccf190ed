"""Stacks, row by row: counters and relays of up to 13 layers, letters and states of every type, formulas with a dozen memories, words that refuse."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import groupby, product
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
from flint import fmpq

from .....constructions.automata.automaton import Automaton
from .....constructions.automata.cascade.cascade import Move, krohn_rhodes
from .....constructions.automata.cascade.skeleton import skeleton
from .....constructions.bistable import closure, compiler, depth, hybrids, logic, refusals, units
from .....constructions.bistable.units import Affine, All, Before, Bit, Letter, Row, Time
from .....numerics import exact
from ....claim import tie
from ....evidence import Proof
from ...shared import spread
from .. import POSITIVE, hold, hold_refusals
from ..automata.letters import MIXED

#: what a document may hold beside its own fields, of each type of numbers
NOTES = {f"note {i}": [x] for i, x in enumerate((-1, 0.5, -2j, fmpq(-1, 3), 4, 5, 6, 7))}


def named(table: list[tuple[int, ...]], start: int = 0) -> Automaton:
    """Letters, names and outputs of every type; each state says something of its own."""
    n = len(table[0])
    return Automaton(dict(zip(MIXED, table, strict=False)), start, frozenset({0}), MIXED[:n], tuple(reversed(MIXED[:n])))


@tie("new.bistable.compiler")
def networks_of_names(proof: Proof) -> None:
    """Compiled stacks of up to 13 letters and states, whatever they are called: states, documents, modules, closures in each type of numbers."""
    rng = Random(451)
    machines = [[(q,) * 13 for q in range(13)], [(0, 0, 0, 3), (1, 1, 2, 2), (3,) * 4], [(0, 0), (1, 1), (0, 1)]]
    for table in proof.tied("2 to 13 states and letters", machines):
        n, start = len(table[0]), len(table[0]) - 1
        network = compiler.compile_bistable(named(table, start))
        word = [rng.randrange(len(table)) for _ in range(20)]
        q, states = start, []
        for a in word:
            q = table[a][q]
            states.append(q)
        letters = [MIXED[a] for a in word]
        proof.exactly("run", network.run(letters), [(MIXED[q], q == 0) for q in states])
        proof.exactly("widths", network.widths, [len(layer.start) for layer in network.layers])
        W, b = network.readout
        document = network.document()
        weights = ("W_x", "b_x", "W_beta", "b_beta", "alpha")
        layers = [{w: getattr(layer.unit, w).tolist() for w in weights} | {"initial": layer.start.tolist()} for layer in network.layers]
        proof.exactly("document: readout", document["readout"], {"W": W.tolist(), "b": b.tolist()})
        proof.exactly("document: layers", (document["clock"], document["layers"]), (1, layers))
        for one in (1, 1.0, 1 + 0j):
            found = closure.close(network.automaton, network.layers, (W * one, b * one))
            proof.exactly("close: in each type of numbers", found, network.proof)
        for torch in proof.extra("torch"):
            module = network.to_torch()
            batch = torch.tensor([[network.automaton.letters.index(x) for x in letters] + [-1]] * 13)
            reached = [MIXED.index(network.automaton.name(q)) for q in module(batch)[0, :-1].tolist()]
            proof.exactly("module: thirteen words, no letter at the end", (reached, len(module(batch))), (states, 13))
            for scan in (True, False):
                logits = module.logits(batch, scan)
                proof.exactly(
                    "module: logits",
                    (tuple(logits.shape), (logits[:, -1] == logits[:, -2]).all().item()),
                    ((13, 21, network.automaton.n), True),
                )
            from .....constructions.bistable.module import _bmru, _filled

            (layer, *_) = network.document()["layers"]
            unit = _bmru(layer | NOTES)
            proof.exactly(
                "module: weights",
                (unit.candidate.weight.tolist(), unit.threshold.bias.tolist(), unit.alpha.tolist()),
                (layer["W_x"], layer["b_beta"], layer["alpha"]),
            )
            filled = _filled(torch.nn.Linear(2, 1), [[0.5, -2.0]], [0.25])
            proof.exactly("module: floats", (filled.weight.tolist(), filled.bias.tolist()), ([[0.5, -2.0]], [0.25]))
    for n in proof.tied("one state, 1 to 13 letters", POSITIVE):
        network = compiler.compile_bistable(Automaton(dict.fromkeys(MIXED[:n], (0,))))
        (layer,) = network.layers
        weights = (layer.unit.W_x.tolist(), layer.unit.b_x.tolist(), layer.unit.b_beta.tolist(), layer.start.tolist())
        proof.exactly("nothing to remember: one unit that keeps its start", weights, ([[0] * n], [0], [1], [-1]))
    for letters in proof.tied("letters beyond ASCII", [("a", "b"), ("\u00e9", "\u4e2d")]):
        network = compiler.compile_bistable(Automaton(dict(zip(letters, [(0, 0), (1, 1)], strict=True)), 0, frozenset({1})))
        text = network.to_json()
        proof.exactly(
            "to_json: the document, letters as they are", (json.loads(text), all(x in text for x in letters)), (network.document(), True)
        )
    for n in proof.tied("4000 and 4001 pairs of a state and a letter", (4000, 4001)):
        still: Any = SimpleNamespace(start=(), step=lambda state, letter: state)
        try:
            pairs, answers = compiler.situations(Automaton(dict.fromkeys(range(n), (0,))), still, 1)
        except ArithmeticError:
            pairs, answers = [], {}
        proof.exactly("situations", (len(pairs), answers), (4000, {(): 0}) if n == 4000 else (0, {}))
    for table, clock in proof.tied(
        "clocks of 1 to 13", [([(1, 0), (0, 0)], 2), ([(0, 1, 2), (2, 2, 0)], 3), ([(0,), (0,)], 13), ([tuple(range(13))], 1)]
    ):
        automaton, n = named(table), len(table[0])
        found = compiler.timed(automaton, clock)
        for _ in range(4):
            word = [rng.randrange(len(table)) for _ in range(9)]
            q, state = 0, found.start
            for t, a in enumerate(word):
                q = table[a][q]
                state = found.step(state, (MIXED[a], (t + 1) % clock) if clock > 1 else MIXED[a])
            proof.exactly(
                "timed: the state and the number of letters",
                found.name(state),
                q * clock + len(word) % clock if clock > 1 else automaton.name(q),
            )
            if clock > 1:
                lost = found.step(found.start, (MIXED[0], 0))
                proof.exactly("timed: numbers out of order", found.name(lost), n * clock)
    for count in proof.tied("1 to 13 layers", POSITIVE):
        layers: Any = tuple(SimpleNamespace(start=np.ones(k + 1)) for k in range(count))
        nothing: Any = None
        one: Any = compiler.BistableNetwork(nothing, layers, nothing, 1, nothing, nothing)
        proof.exactly("widths: one by one", one.widths, list(range(1, count + 1)))
        code: dict[Any, Any] = {x: np.array([i, 1.0, 2j][: 1 + i % 3]) for i, x in enumerate(MIXED[:count])}
        echo: Any = SimpleNamespace(transition=lambda x: x * 2, inputs=lambda x: x * 3, initial=np.zeros(1), decode=lambda H, x: (H, x))
        read = compiler._reading(echo, code)
        for x, given in code.items():
            got = [read.transition(x).tolist(), read.inputs(x).tolist(), read.decode(7, x)[1].tolist()]  # type: ignore[arg-type]
            proof.exactly("_reading: the code of the letter", got, [(given * 2).tolist(), (given * 3).tolist(), given.tolist()])


@tie("new.bistable.depth")
def counters_and_relays(proof: Proof) -> None:
    """Up to 13 layers that count blocks, and relays of up to 13 letters, by their definition; delays of a dozen states; sandwiches with any clock."""
    rng = Random(452)
    for n in proof.tied("1 to 13 layers", POSITIVE):
        word = [rng.choice("ab") for _ in range(30)]
        blocks = [min(len(list(groupby(word[: t + 1]))), n + 1) for t in range(30)]
        proof.exactly("block_counter", depth.block_counter(n).run(word), blocks)
        layer = depth._counting_layer(n, n % 2 == 0)
        reads: list[Any] = [(x, rng.randint(1, n)) if n > 1 else x for x in word]
        was, wanted = {"a": False, "b": False}, []
        for y in reads:
            x, count = y if n > 1 else (y, 1)
            was[x] |= count == n
            counted = count + (count == n and was["b" if x == "a" else "a"])
            wanted.append(counted if n % 2 == 0 else (x, counted))
        proof.exactly("_counting_layer", layer.run(reads), wanted)
        for period in (1, 2, 5, 13):
            times = [t % period for t in range(n * period + 3)]
            stack = depth.relay(n, period)
            proof.exactly("relay", stack.run(times), [t + 1 > n * (period - 1) for t in range(len(times))])
    hold_refusals(proof, "layers and periods below 1", [(depth.block_counter, (-2,)), (depth.relay, (-1, 3)), (depth.relay, (3, -2))])
    for table in proof.tied(
        "aperiodic automata of 2 to 13 states", [[(q,) * 13 for q in range(13)], [(0, 0, 0, 3), (1, 1, 2, 2), (3,) * 4], [(0, 0), (1, 1)]]
    ):
        n = len(table[0])
        stack, word = hybrids.delay_stack(named(table, n - 1)), [rng.randrange(len(table)) for _ in range(15)]
        q, names = n - 1, {}
        for a, out in zip(word, stack.run([MIXED[a] for a in word]), strict=True):
            q = table[a][q]
            names.setdefault(q, out)
            proof.exactly("delay_stack: one output to each state", out, names[q])
        proof.exactly("delay_stack: and different ones", len(set(names.values())), len(names))
    hold_refusals(proof, "complex coordinates", [(hybrids._first, (np.array([-1j, 1j], dtype=object),))])
    for size in proof.tied("1 to 13 positions", POSITIVE):
        for r in (-1, 0, size - 1):
            proof.exactly("_action: a reset", hybrids._action(Move(None, r), size), [1 if i == r else -1 for i in range(size)])
        proof.exactly("_action: nothing", hybrids._action(Move(tuple(range(size)), None), size), [0] * size)
        for one in (1, fmpq(1), 1.0):
            given = [[-one] * i + [one] + [-one] * (size - 1 - i) for i in range(size)]
            proof.exactly("_first", [hybrids._first(np.array(row, dtype=object)) for row in [*given, [-one] * size]], [*range(size), 0])
        letters = {x: [rng.choice((-1, 0, 1))] for x in MIXED[:size]}
        shift = exact.rationals([[0, 0], [1, 0]])
        turn, still = (exact.block_diagonal([clock, shift]) for clock in (hybrids.clock_matrix(size), exact.identity(size)))
        resting = set(MIXED[:size:3])
        # the lower unit's state now comes in beside what was there
        upper = lambda y: -1 if y[2][0] else int(y[1] == 1)  # noqa: E731
        found = hybrids.sandwich(letters, lambda x, of=(turn, still), at=resting: of[x in at], upper, size).run(
            word := [rng.choice(list(letters)) for _ in range(12)]
        )
        low, now, before, top, time, wanted = -1, -1, -1, -1, 0, []
        for x in word:
            time += x not in resting
            low = letters[x][0] or low
            now, before = low, now
            linear = (*(int(i == time % size) for i in range(size)), now, before)
            top = upper((x, low, linear)) or top
            wanted.append((x, low, linear, top))
        proof.exactly("sandwich", found, wanted)


@tie("new.bistable.since")
def formulas_of_many_memories(proof: Proof) -> None:
    """Up to 13 memories and letters: truths along words by the definition, units, readouts and formulas of stacks."""
    rng = Random(453)
    for n in proof.tied("1 to 13 memories", reversed(POSITIVE)):
        parts = [logic.once(("is", x)) for x in MIXED[:n]]
        f = logic.any_of(parts)
        proof.exactly("memories", logic.memories(f), parts)
        word = [rng.choice(MIXED) for _ in range(13)]
        proof.exactly(
            "holds", [logic.holds(f, word[: t + 1]) for t in range(13)], [bool(set(word[: t + 1]) & set(MIXED[:n])) for t in range(13)]
        )
        bits = [rng.random() < 0.5 for _ in range(n)]
        held = dict(zip(parts, bits, strict=True))
        proof.exactly("_truth, value", (logic._truth(f, parts)("z", bits), logic.value(f, "z", held)), (any(bits), any(bits)))
        read = logic._reads((MIXED[n - 1], bits), parts)
        truths = [logic.value(read, x, held) for x in (MIXED[n - 1], "z")]
        proof.exactly("_reads: the letter and what is held", truths, [True, False])
        flipped = dict(zip(parts, [not b for b in bits], strict=True))
        proof.exactly("_reads: nothing else", logic.value(read, MIXED[n - 1], flipped), False)
        delta, start = logic.formula_step(f)
        state = start
        for t, x in enumerate(word):
            state = delta(state, x)
            seen = [y in word[: t + 1] for y in MIXED[:n]]
            proof.exactly("formula_step", (list(state[:-1]), state[-1]), (seen, any(seen)))
        last, above = logic._handing_on(True, lambda x, b: (x, b)), logic._handing_on(False, None)
        H = np.array([[1 if b else -1] for b in bits], dtype=object)
        proof.exactly("_handing_on", (last(H, (0.5, (True,))), above(H, -1)), ((0.5, (True, *bits)), (-1, tuple(bits))))
        one_since = ("since", ("not", ("is", MIXED[0])), ("is", MIXED[n - 1]))
        stack = logic.compile_formula(one_since, MIXED[: n + 1])
        word = [rng.choice(MIXED[: n + 1]) for _ in range(15)]
        proof.exactly("compile_formula", stack.run(word), [logic.holds(one_since, word[: t + 1]) for t in range(15)])
    for n in proof.tied("stacks of 1 to 6 units", (1, 2, 4, 6)):
        letters = ("x", -1)
        tables: list[dict[Any, int]] = [{x: rng.choice((-1, 0, 1)) for x in letters}]
        # each unit looks at the one below
        for k in range(1, n):
            by = {(x, b): rng.choice((-1, 0, 1)) for x in letters for b in (False, True)}
            tables.append({(x, bits): by[x, bits[-1]] for x in letters for bits in product((False, True), repeat=k)})
        initial = [rng.choice((-1, 1)) for _ in range(n)]
        stack, found = logic.unit_stack(tables, initial), logic.unit_formulas(tables, initial) if n < 5 else []
        word = [rng.choice(letters) for _ in range(8)]
        truths, wanted = [s > 0 for s in initial], []
        for x in word:
            for k in range(n):
                action = tables[k][(x, tuple(truths[:k])) if k else x]
                truths[k] = action > 0 if action else truths[k]
            wanted.append(tuple(truths))
        proof.exactly("unit_stack", stack.run(word), wanted)
        proof.exactly(
            "unit_formulas",
            [[logic.holds(f, word[: t + 1]) for f in found] for t in range(4)] if n < 5 else [],
            [list(w) for w in wanted[:4]] if n < 5 else [],
        )
    flat = [{"x": 1}, *({("x", (True,) * k): 1} for k in range(1, 12))]
    found = logic.unit_formulas(flat, [-1.0] * 12)  # type: ignore[list-item]
    for _ in proof.tied("a stack of twelve units", [()]):
        proof.exactly(
            "unit_formulas: twelve of them", (len(found), logic.holds(found[0], ["x"]), logic.holds(found[0], ["y"])), (12, True, False)
        )
    bad: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [(f, ([{"x": 1}], [s])) for f in (logic.unit_stack,) for s in (-1.0, 1j)]
    hold_refusals(proof, "starts that are no signs", [*bad, (logic.unit_formulas, ([{"x": 1}], [-1j]))])


@tie("new.bistable.languages")
def words_that_refuse(proof: Proof) -> None:
    """Words of up to 13 letters of every type, and automata of up to 13 states: spelt, followed, told apart; loops and cycles by definition."""
    rng = Random(454)
    for n in proof.tied("1 to 13 states, letters and words", reversed(POSITIVE)):
        word = tuple(MIXED[:n])
        one = refusals.Stutter(word, -1, word[:3], ("accepted", "rejected"))
        proof.exactly("Stutter.words", one.words, ((*word, -1, *word[:3]), (*word, -1, -1, *word[:3])))
        proof.exactly("spelt", (refusals.spelt(word), refusals.spelt("a" * n)), ("'" + " ".join(map(str, word)) + "'", "'" + "a" * n + "'"))
        shift = [(*range(1, n), n - 1), tuple(range(n))]
        plain = Automaton(dict(zip((-1, 0.5), shift, strict=True)), 0, frozenset({n - 1}))
        proof.exactly("said", [refusals.said(plain, q) for q in range(n)], ["rejected"] * (n - 1) + ["accepted"])
        counts = refusals.stutter(plain)
        wanted = refusals.Stutter((), -1, (-1,) * (n - 3), ("rejected", "accepted")) if n > 2 else None
        proof.exactly("stutter: a letter that counts", counts, wanted)
        kept = Automaton({x: (x % n,) * n for x in range(n)} | {"keep": tuple(range(n))}, 0, frozenset({0}))
        proof.exactly("stutter: letters that do not", refusals.stutter(kept), None)
        moore = Automaton(plain.table, 0, frozenset(), None, tuple(f"y{q}" for q in range(n)))
        proof.exactly("said: a machine", [refusals.said(moore, q) for q in range(n)], [f"answered y{q}" for q in range(n)])
        proof.exactly("end", [refusals.end(plain, 0, [-1] * k) for k in range(n)], list(range(n)))
        proof.exactly("reaching", refusals.reaching(plain), {q: (-1,) * q for q in range(n)})
        proof.exactly(
            "telling",
            [refusals.telling(plain, p, q) for p in range(n) for q in range(p)],
            [(-1,) * (n - 1 - p) for p in range(n) for q in range(p)],
        )
        turn = Automaton({-1: [(q + 1) % n for q in range(n)], 0.5: [0] * n}, 0, frozenset({0}))
        found = skeleton(turn)
        top = next(members for members in found.classes if len(members[0]) == n)
        found_loops = list(refusals.loops(found, top))
        proof.exactly(
            "loops: words that come back", all(frozenset(refusals.end(turn, q, w) for q in top[0]) == top[0] for w in found_loops), True
        )
        maps = spread(
            [tuple(refusals.end(turn, q, w) for q in range(n)) for w in found_loops],
            lambda g, turn=turn: [tuple(turn.table[-1][q] for q in g)],
        )
        if n > 1:
            proof.exactly("loops: they generate the turns", len(set(maps)), n)
        g = list(range(2 * n))
        rng.shuffle(g)
        cycles, seen = [], set()
        for q in range(2 * n):
            if q not in seen and g[q] != q:
                path = [g[q]]
                while path[-1] != q:
                    path.append(g[path[-1]])
                seen |= set(path)
                cycles.append(path)
        proof.exactly("_cycles", refusals._cycles(tuple(g)), cycles)
        pairs = tuple(x for i in range(n) for x in (2 * i + 1, 2 * i))
        proof.exactly("_cycles: swaps", refusals._cycles(pairs), [[2 * i + 1, 2 * i] for i in range(n)])


def satisfied(row: Row, term: Any) -> bool:
    return all((s in row.heads) if isinstance(s, Letter | Time) else row.bits.get(s) == v for s, v in term)


@tie("new.bistable.compiler")
def units_of_many_conditions(proof: Proof) -> None:
    """Up to 13 literals, targets and readouts, values and levels of either sign: terms, candidates and weights by evaluation."""
    rng = Random(455)
    for n in proof.tied("1 to 13 literals", reversed(POSITIVE)):
        bits = [Bit(-k, k % 3) for k in range(n)]
        rows = [Row((Letter(MIXED[k % 5]),), {b: rng.random() < 0.5 for b in bits}, rng.choice((-2, -1, 3))) for k in range(n)]
        for value in (-2, -1, 3):
            mine, others = [r for r in rows if r.value == value], [r for r in rows if r.value != value]
            alike = any((r.heads, r.bits) == (s.heads, s.bits) for r in mine for s in others)
            found = units.terms_for(rows, value)
            proof.exactly(
                "terms_for: each row of the value, and no other",
                alike or ([any(satisfied(r, t) for t in found) for r in mine], any(satisfied(r, t) for t in found for r in others)),
                alike or ([True] * len(mine), False),
            )
        literals = [(b, rows[0].bits[b]) for b in bits]
        wrong = [*literals[:-1], (bits[-1], not rows[0].bits[bits[-1]])]
        proof.exactly("_fits", (units._fits(rows[0], literals), units._fits(rows[0], wrong)), (True, False))
        block = Letter(-1)
        remembering = [*literals, (Before(block, bits[0]), True)]
        proof.exactly(
            "_remembers",
            (units._remembers(remembering, block), units._remembers(literals, block), units._remembers(remembering, Letter(0.5))),
            (True, False, False),
        )
        for bit in range(4):
            targets = {t: [((b, True),)] for t, b in zip(range(n), bits, strict=True)}
            unit = units.bit_unit(Bit(-3, bit), targets, True)
            for chosen in range(n):
                value_of = {b: 1 if t == chosen else -1 for t, b in enumerate(bits)}
                total = unit.candidate.constant + sum(w * value_of[s] for s, w in unit.candidate.weights.items())  # type: ignore[index]
                proof.exactly("bit_unit: writes its digit", total, 2 if chosen >> bit & 1 else -2)
            proof.exactly(
                "bit_unit: the threshold, the start", (unit.threshold.weights, unit.threshold.constant, unit.start), ({}, 1, True)
            )
        forms = [Affine(dict.fromkeys(bits, k - 5), -k) for k in range(n)]
        number = {b: i for i, b in enumerate(bits)}
        W, b = units.matrix_of(forms, number)
        proof.exactly("matrix_of", (W.tolist(), b.tolist()), ([[k - 5] * len(number) for k in range(n)], [-k for k in range(n)]))
        start = {b: k % 2 == 0 for k, b in enumerate(bits)}
        every = All(tuple(literals))
        asked = units.units_for([Affine({b: 1}) for b in bits] + [Affine({every: 1, Letter(0.5): 2})], [{0: [()], 1: []}] * 13, start)
        proof.exactly("units_for: each once", set(asked), {*bits, every})
        proof.exactly("units_for: their starts", [asked[b].start for b in bits], list(start.values()))
        proof.exactly("reads", asked[every].reads(), bits)
    for _ in proof.tied("a readout that reads nothing", [()]):
        proof.exactly("units_for: nothing to remember", list(units.units_for([Affine({})], [], {})), [Bit(0, 0)])
    cascade = krohn_rhodes(named([(q,) * 13 for q in range(13)]))
    hold(
        proof,
        "states of a level of 13",
        lambda q: units.bits_of(cascade, (q,)),
        lambda q: {Bit(0, b): bool(q // 2**b % 2) for b in range(4)},
        ((q,) for q in range(13)),
        "bits_of",
    )
    hold(proof, "1 to 13 states", units.width, lambda n: len(f"{n - 1:b}") if n > 1 else 0, ((n,) for n in POSITIVE))
