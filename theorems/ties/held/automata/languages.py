"""Machines of languages, row by row: up to 13 states and letters, searches by following words, monoids by multiplying maps, layers by walking through the machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import permutations as orders_of
from itertools import product
from math import lcm
from random import Random
from typing import Any

import numpy as np

from .....constructions.automata.automaton import Automaton
from .....constructions.languages import (
    constant_powers,
    counts_since_last_occurrences,
    one_sided_idempotents,
    quasi_definite,
    single_layers,
)
from .....constructions.languages.language import Language, language_of
from .....constructions.languages.machine import ANY, Machine, _renumbered, machine_of
from .....constructions.languages.monoid import after, monoid_of
from .....constructions.languages.pairs import depth, spell
from .....constructions.languages.properties import decided
from .....constructions.languages.undecided import Undecided
from ....claim import tie
from ....evidence import Proof
from .. import POSITIVE, hold, hold_refusals
from .common import cycles
from .common import generated as closure

#: (states, letters) of machines
SHAPES = ((13, 1), (13, 2), (12, 13), (9, 3), (7, 1), (5, 12), (3, 2), (2, 1), (1, 3), (1, 1))


def drawn(rng: Random, n: int, k: int) -> Automaton:
    """All states can be reached: the first letter goes round."""
    table = {"abcdefghijklm"[a]: [rng.randrange(n) if a else (q + 1) % n for q in range(n)] for a in range(k)}
    accepting = frozenset(q for q in range(n) if rng.random() < 0.5) if k > 1 else frozenset({0})
    return Automaton(table, rng.randrange(n), accepting)


def distances(begin: Iterable[Any], steps: Callable[[Any], Iterable[Any]]) -> dict[Any, int]:
    """How many steps lead to each thing."""
    found = dict.fromkeys(begin, 0)
    waiting = list(found)
    for x in waiting:
        for y in steps(x):
            if y not in found:
                found[y] = found[x] + 1
                waiting.append(y)
    return found


def walk(rows: Sequence[Sequence[int]], q: int, word: Iterable[int]) -> int:
    for a in word:
        q = rows[a][q]
    return q


@tie("new.automata.one-layer.time-invariant")
def machines_by_words(proof: Proof) -> None:
    """States and answers after words, shortest words to states and between them; pairs of states, where they lead and whether they come back."""
    rng = Random(381)
    for n, k in proof.tied("13 to 1 states and letters", SHAPES):
        automaton = drawn(rng, n, k)
        rows = [list(row) for row in automaton.table.values()]
        said = [q in automaton.accepting for q in range(n)]
        # states alike for all words: refined until nothing changes; the start is asked after nonempty words only
        blocks: list[Any] = list(said)
        for _ in range(n):
            blocks = [(blocks[q], *(blocks[row[q]] for row in rows)) for q in range(n)]
            names = {b: i for i, b in enumerate(dict.fromkeys(blocks))}
            blocks = [names[b] for b in blocks]
        for machine, kinds in ((machine_of(automaton), blocks), (machine_of(automaton, True), list(range(n)))):
            # the first letter leads to every state, so the start has a twin among the others
            delta = machine.delta.tolist()
            proof.exactly("n, k, letters", (machine.n, machine.k, machine.letters), (len(set(kinds)), k, tuple(automaton.table)))
            answers: dict[int, Any] = {}
            for length in (1, 2, 3, n, n + 1, 2 * n):
                for _ in range(6):
                    word = [rng.randrange(k) for _ in range(length)]
                    q, there = machine.end(0, word), walk(rows, automaton.start, word)
                    proof.exactly("end: the machine's own table", q, walk(delta, 0, word))
                    answers.setdefault(int(machine.answers[q]), set()).add(said[there] if kinds is blocks else there)
                    proof.exactly("spelled", machine.spelled(word), tuple(list(automaton.table)[a] for a in word))
            proof.exactly(
                "answers: one to each",
                all(len(x) == 1 for x in answers.values()) and len({min(x) for x in answers.values()}) == len(answers),
                True,
            )
            away = distances([0], lambda q, d=delta: [row[q] for row in d])
            reaching = machine.reaching
            proof.exactly("reaching", [(walk(delta, 0, w), len(w)) for w in reaching], [(q, away[q]) for q in range(machine.n)])
            arriving = [machine.arriving(q) for q in range(machine.n)]
            wanted = [(q, away[q] or 1 + min(away[p] for p in away for row in delta if row[p] == 0)) for q in range(machine.n)]
            proof.exactly("arriving", [(walk(delta, 0, w), len(w)) for w in arriving], wanted)
            told = machine.answers.tolist()
            for p, q in product(range(0, machine.n, 2), range(1, machine.n, 3)):
                if p != q:
                    both = distances([(p, q)], lambda pair, d=delta: [(row[pair[0]], row[pair[1]]) for row in d])
                    word = machine.telling(p, q)
                    ends = [told[walk(delta, x, word)] for x in (p, q)]
                    apart = [steps for (x, y), steps in both.items() if told[x] != told[y] and ANY not in (told[x], told[y])]
                    proof.exactly("telling", (ends[0] != ends[1], len(word)), (True, min(apart)))
            graph = Language(machine).pairs
            for p, q in [(p, p + 1) for p in range(1, machine.n - 1, 3)]:
                proof.exactly("tail", quasi_definite.tail(graph, p * machine.n + q), machine.telling(p, q))
            hold_refusals(proof, "a state and itself", [(machine.telling, (0, 0))])
            if kinds is not blocks:
                pairs_in(proof, rng, machine, delta)
    beyond = [(500, "order-of-last-occurrences")]
    for most, property in proof.tied("circles of as many states as are looked at, and of one more", beyond):
        for n in (most, most + 1):
            language = language_of(Automaton({"a": [(q + 1) % n for q in range(n)]}, 0, frozenset({0})))
            twice = [decided(language, property) for _ in range(2)]
            proof.exactly(
                "decided: by a witness, or not at all; once",
                (isinstance(twice[0], Undecided), twice[0] is twice[1]),
                (n > most, True),
            )
    for n in proof.tied("registers of 1 to 4 bits, where no pair returns", (16, 8, 4, 2)):
        registers = Automaton({x: [(2 * q + a) % n for q in range(n)] for a, x in enumerate("ab")}, 0, frozenset({n - 1}))
        machine = machine_of(registers, True)
        pairs_in(proof, rng, machine, machine.delta.tolist())
    for n in proof.tied("numbered anew, 13 to 1 states", POSITIVE[::-1]):
        delta = np.array([[rng.randrange(n) for _ in range(n)] for _ in range(3)])
        values = np.array(rng.sample(range(-n, n), n))
        start = rng.randrange(n)
        found, said = _renumbered(delta, values, start)
        for _ in range(20):
            word = [rng.randrange(3) for _ in range(rng.randint(0, 2 * n))]
            proof.exactly("_renumbered", said[walk(found.tolist(), 0, word)], values[walk(delta.tolist(), start, word)])
        proof.exactly("_renumbered: what words reach", found.shape[1], len(distances([start], lambda q, d=delta: d[:, q].tolist())))


def pairs_in(proof: Proof, rng: Random, machine: Machine, delta: list[list[int]]) -> None:
    """The graph of pairs of one machine."""
    n, k, pairs = machine.n, machine.k, Language(machine).pairs
    all_pairs = list(product(range(n), repeat=2))
    proof.exactly("after", pairs.after.tolist(), [[row[p] * n + row[q] for p, q in all_pairs] for row in delta])
    proof.exactly(
        "equal, states", (pairs.equal.tolist(), [pairs.states(i) for i in range(n * n)]), ([p == q for p, q in all_pairs], all_pairs)
    )
    one, two = (np.array([rng.randrange(n) for _ in range(n)]) for _ in range(2))
    proof.exactly(
        "number", pairs.number(one, two).tolist(), [all_pairs.index((p, q)) for p, q in zip(one.tolist(), two.tolist(), strict=True)]
    )
    after_pair = lambda pair: [(row[pair[0]], row[pair[1]]) for row in delta if row[pair[0]] != row[pair[1]]]  # noqa: E731
    seeds = [pair for pair in zip(one.tolist(), two.tolist(), strict=True) if pair[0] != pair[1]]
    met, found = distances(seeds, after_pair), pairs.search(pairs.number(one, two))
    proof.exactly("search", sorted(found.met.tolist()), sorted(p * n + q for p, q in met))
    for node in found.met.tolist():
        seed, word = found.word(node)
        p, q = pairs.states(seed)
        proof.exactly(
            "word", ((p, q) in seeds, walk(delta, p, word) * n + walk(delta, q, word), len(word)), (True, node, met[pairs.states(node)])
        )
    round_trips = {pair: min((1 + distances([x], after_pair).get(pair, n**3) for x in after_pair(pair)), default=n**3) for pair in met}
    back = pairs.returning(found)
    proof.exactly("returning: whether one does", back is None, all(steps >= n**3 for steps in round_trips.values()))
    if back is not None:
        node, word = back
        p, q = pairs.states(node)
        proof.exactly("returning", (walk(delta, p, word), walk(delta, q, word), len(word)), (p, q, round_trips[p, q]))
    else:
        longest, layer = 0, set(met)
        while layer:
            layer, longest = {x for pair in layer for x in after_pair(pair)}, longest + 1
        proof.exactly("depth", depth(pairs, found), longest)
    language = Language(machine)
    some = np.array(rng.sample(range(n), (n + 1) // 2))
    swapped = quasi_definite.exchanged(language, some)
    starts = {(delta[a][q], delta[b][q]) for q in some.tolist() for a in range(k) for b in range(a + 1, k) if delta[a][q] != delta[b][q]}
    reached = distances(starts, after_pair)
    returns = [pair for pair in reached if any(pair in distances([x], after_pair) for x in after_pair(pair))]
    proof.exactly("exchanged: whether there is a pair that returns", swapped is None, not returns)
    if swapped is not None:
        q, a, b, pair, x, z = swapped
        ends = [walk(delta, delta[letter][q], x) for letter in (a, b)]
        again = [walk(delta, p, z) for p in ends]
        proof.exactly("exchanged", (q in some.tolist(), ends[0] * n + ends[1], again, len(z) > 0), (True, pair, ends, True))
        p, r = pairs.states(pair)
        proof.exactly("tail", quasi_definite.tail(pairs, pair), machine.telling(p, r))
    parts = {f"word {i}": [rng.randrange(k) for _ in range(i)] for i in (0, 1, 5, 13)}
    proof.exactly("spell", spell(machine, parts), {name: tuple(machine.letters[a] for a in word) for name, word in parts.items()})


@tie("new.automata.one-layer.norm.converse")
def monoids_by_products(proof: Proof) -> None:
    """Monoids of up to 13 and of 300 states by multiplying maps; idempotents, settled powers, kernels; cycles of letters; elements that are too many."""
    rng = Random(382)
    machines = [
        ({"a": [(q + 1) % n for q in range(n)], **extra}, n)
        for n in POSITIVE[::-1]
        for extra in ({}, {"b": [0] * n}, {"b": [min(q, 1) for q in range(n)]})
    ]
    machines += [({"a": [min(q + 1, n - 1) for q in range(n)], "b": [max(q - 1, 0) for q in range(n)]}, n) for n in (5, 4, 2)]
    machines += [({"a": [(q + 1) % n for q in range(n)]}, n) for n in (256, 257, 300)]
    for table, n in proof.tied(
        "13 to 1 states, and 256 to 300",
        [m for m in machines if m[1] < 5 or "b" not in m[0] or m[0]["b"] == [0] * m[1] or m[0]["b"][-1] == m[1] - 2],
    ):
        machine = machine_of(Automaton(table, 0, frozenset({n - 1})), True)
        rows = machine.delta.tolist()
        one = tuple(range(machine.n))
        words = distances([one], lambda f, r=rows: [tuple(row[q] for q in f) for row in r])
        monoid = language_of(Automaton(table, 0, frozenset({n - 1})), True).monoid
        maps = [tuple(row) for row in monoid.maps.tolist()]
        proof.exactly("the elements, each once", (len(monoid), sorted(maps), monoid.complete), (len(words), sorted(words), True))
        near = range(len(maps)) if len(maps) < 30 else (0, 1, 9, 13, len(maps) - 1)
        for i in near:
            word = monoid.word(i)
            proof.exactly("word", (tuple(walk(rows, q, word) for q in one), len(word)), (maps[i], words[maps[i]]))
            proof.exactly("right", [maps[j] for j in monoid.right[i].tolist()], [tuple(row[q] for q in maps[i]) for row in rows])
        proof.exactly("idempotents", monoid.idempotents.tolist(), [i for i, f in enumerate(maps) if all(f[f[q]] == f[q] for q in one)])
        exponent = 1
        while exponent < machine.n:
            exponent *= 2
        for i in near:
            f = one
            for _ in range(exponent):
                f = tuple(maps[i][q] for q in f)
            proof.exactly("settled", tuple(monoid.settled[i].tolist()), f)
        for most in (0, 1, len(maps) - 1):
            if most < len(maps) > 1:
                part = monoid_of(machine, most)
                proof.exactly(
                    "too many elements",
                    (part.complete, len(part.right), len(part) > most, {*map(tuple, part.maps.tolist())} <= {*maps}),
                    (False, 0, True, True),
                )
    for n, count in proof.tied("kernels of up to 13 maps of up to 13 points", [(13, 13), (12, 9), (9, 12), (5, 3), (2, 13), (1, 2)]):
        E = np.array([[rng.randrange(min(n, 3)) for _ in range(n)] for _ in range(count)])
        wanted = [[next(p for p in range(n) if f[p] == f[q]) for q in range(n)] for f in E.tolist()]
        proof.exactly("kernel", one_sided_idempotents.kernel(E).tolist(), wanted)
        proof.exactly(
            "first_of_each_kernel", one_sided_idempotents.first_of_each_kernel(E), [i for i, w in enumerate(wanted) if w not in wanted[:i]]
        )
        F = np.array([[rng.randrange(n) for _ in range(n)] for _ in range(count)])
        proof.exactly("after", after(E, F).tolist(), [[g[x] for x in f] for f, g in zip(E.tolist(), F.tolist(), strict=True)])
    for n in proof.tied("cycles of up to 13 points", POSITIVE[::-1]):
        g = tuple(rng.sample(range(n), n))
        sizes = {q: len(c) for c in cycles(g) for q in c}
        hold(proof, "all points", constant_powers._cycle, lambda row, q, s=sizes: s[q], [(np.array(g), q) for q in range(n)])
        # a tail that leads to a cycle of the other points
        length = n // 2
        row = [q - 1 if q >= n - length else q for q in range(n)]
        machine = machine_of(Automaton({"a": row, "b": [(q + 1) % n for q in range(n)]}, 0, frozenset()), True)
        wrong = counts_since_last_occurrences._not_periodic(machine, 0)
        first = [int(machine.delta[0, q]) for q in range(machine.n)]
        comes_back = [p in distances([first[p]], lambda q, f=first: [f[q]]) for p in first]
        proof.exactly("_not_periodic: whether a state never comes back", wrong is None, all(comes_back))
        if wrong is not None:
            u, x, v = (wrong.words[name] for name in ("u", "x", "v"))
            said = [int(machine.answers[machine.end(0, [machine.letters.index(y) for y in (*u, *x * k, *v)])]) for k in range(1, 40)]
            never = [said[k] != said[0] for k in range(wrong.numbers["p"], 39, wrong.numbers["p"])]
            proof.exactly("_not_periodic: the words", (wrong.refutes, x, all(never), len(never) > 0), ("counts-mod-m", ("a",), True, True))
        confused = counts_since_last_occurrences._confused(Language(machine).pairs, np.arange(machine.n), machine.delta[0], (0, 1))
        if confused is not None:
            q, w, v = confused
            ends = [machine.end(p, (*w, *v)) for p in (q, first[q])]
            letters_of_w = {0, 1} <= set(w) and set(w[:-1]) != {0, 1}
            proof.exactly("_confused", (ends[0] != ends[1], letters_of_w), (True, True))
        else:
            reach = distances(
                [(p, first[p], frozenset[int]()) for p in range(machine.n)],
                lambda x, m=machine: (
                    [(int(m.delta[a, x[0]]), int(m.delta[a, x[1]]), x[2] | {a}) for a in range(2)] if len(x[2]) < 2 else []
                ),
            )
            proof.exactly("_confused: none", [x for x in reach if x[0] != x[1] and len(x[2]) == 2], [])


@tie("new.automata.one-layer.counts")
def layers_by_machines(proof: Proof) -> None:
    """One layer for each class, on words of up to 20 letters, says the state of the machine: up to 13 letters, moduli up to 5, windows up to 12, a group of 3."""
    rng = Random(383)

    def said(layer: Any, machine: Machine, count: int = 3) -> tuple[list[list[Any]], list[list[int]]]:
        words = [[rng.randrange(machine.k) for _ in range(rng.choice((1, 4, 20)))] for _ in range(count)]
        outputs = [layer.run(machine.spelled(word)) for word in words]
        return [list(y) for y in outputs], [[machine.end(0, word[: t + 1]) for t in range(len(word))] for word in words]

    for n in proof.tied("ways round a circle of 13 to 2 elements", (13, 10, 7, 4, 2)):
        moves = {"a": [(g + 1) % n for g in range(n)], "b": list(range(n))}
        edges = [(g, "a") for g in range(n)]
        for goal in (0, n // 2, n - 1):
            proof.exactly("_way", single_layers._way(0, goal, edges, moves), ["a"] * goal)
        word, walked_twice = [rng.choice((0, 0, 1)) for _ in range(5 * n)], []
        for path in (word, None):
            last, here = {}, 0
            for t, i in enumerate(word if path else single_layers._path(walked_twice[0][0], moves, "ab")):
                last[here, "ab"[i]] = t
                here = moves["ab"[i]][here]
            walked_twice.append((sorted(last, key=last.__getitem__, reverse=True), here))
        proof.exactly("_path: the same edges in the order of their last use, and the same end", walked_twice[1], walked_twice[0])
    for k in proof.tied("the last letter, 13 to 1 letters", POSITIVE[::-1]):
        letters = "abcdefghijklm"[:k]
        machine = machine_of(Automaton({x: [i] * k for i, x in enumerate(letters)}, 0, frozenset()), True)
        proof.exactly("last_occurrences", *said(single_layers.last_occurrences(machine), machine))
        proof.exactly("over_a_group: of one element", *said(single_layers.over_a_group(machine, dict.fromkeys(letters, (0,))), machine, 1))
        pairs = [(i, j) for i in range(k) for j in range(i, k)]
        proof.exactly("_pairs", sorted(single_layers._pairs(letters)), sorted(pairs))
        came = rng.sample(range(k), rng.randint(0, k))
        values = [
            2 if j in came and (i not in came or came.index(j) < came.index(i)) and i != j else 1 if i in came else 0
            for i, j in single_layers._pairs(letters)
        ]
        proof.exactly("_order", single_layers._order(values, letters), [letters[i] for i in came])
        for i, j in [(0, k - 1), (k // 2, k // 2)]:
            unit = single_layers._last_of(letters, i, j)
            proof.exactly("_last_of", [unit(x) for x in letters], [(0, 1) if a == i else (0, 2) if a == j else (1, 0) for a in range(k)])
        numbers = [rng.randint(-3, 3) for _ in range(2 * k)]
        scalars = single_layers._diagonal(
            letters,
            [lambda x, a=a, b=b, letters=letters: (a, b + letters.index(x)) for a, b in zip(numbers[:k], numbers[k:], strict=True)],
            numbers[:k],
            lambda H: H,
        )
        word, state, wanted = [rng.randrange(k) for _ in range(4)], numbers[:k], []
        for x in word:
            state = [a * h + b + x for a, b, h in zip(numbers[:k], numbers[k:], state, strict=True)]
            wanted.append(state)
        proof.exactly("_diagonal", scalars.run([letters[a] for a in word]), wanted)
    for k, m in proof.tied(
        "numbers of the first letter, up to 12 letters, modulo 5 to 1", [(12, 2), (3, 5), (2, 3), (1, 4), (4, 1), (1, 1), (1, 13)]
    ):
        letters = "abcdefghijklm"[:k]
        # the state: how many of the first letter, and which came last
        table = {x: [((q // k + (i == 0)) % m) * k + i for q in range(m * k)] for i, x in enumerate(letters)}
        machine = machine_of(Automaton(table, 0, frozenset()), True)
        proof.exactly("counts", *said(single_layers.counts(machine, m), machine, 1 if k > 4 else 3))
        finer = lcm(m, 2)
        if k < 4:
            proof.exactly("counts: a multiple of the modulus", *said(single_layers.counts(machine, finer), machine, 1))
    for k, window, period in proof.tied(
        "windows of 12 to 1 letters, periods of 13 to 1", [(2, 3, 13), (3, 2, 1), (13, 1, 2), (2, 1, 3), (1, 12, 5), (2, 5, 4)]
    ):
        letters = "abcdefghijklm"[:k]
        # the first of the last letters that the window asks for, and the length
        back = min(window, 2)
        states = list(product(product(range(k), repeat=back), range(period)))
        number = {x: i for i, x in enumerate(states)}
        table = {x: [number[(*w[1:], i), (t + 1) % period] for w, t in states] for i, x in enumerate(letters)}
        machine = machine_of(Automaton(table, number[(0,) * back, 0], frozenset()), True)
        layer = single_layers.window_and_clock(machine, window, period)
        given, walked = said(layer, machine)
        full = [list(row[window - 1 :]) for row in given], [row[window - 1 :] for row in walked]
        proof.exactly("window_and_clock: once the register is full", *full)
        first = [given[i][: window - 1] for i in range(len(given))]
        proof.exactly("window_and_clock: before that", first, [row[: window - 1] for row in walked])
    for permutations in proof.tied(
        "groups of 1 to 24 elements",
        [
            {"a": (0,)},
            {"a": (1, 2, 0)},
            {"a": (1, 0, 2), "b": (0, 2, 1)},
            {"a": (1, 2, 3, 0), "b": (1, 0, 2, 3)},
            {"a": tuple((i + 1) % 13 for i in range(13))},
        ],
    ):
        found = single_layers.generated(permutations)
        proof.exactly(
            "generated",
            (found[0], set(found), len(found)),
            (tuple(range(len(found[0]))), closure(list(permutations.values())), len(set(found))),
        )
    table = {"a": [1, 2, 0], "b": [0, 1, 2]}
    for turning in proof.tied("a group of three", [table]):
        # the state: the element of the group, and the letter at which it came to where it is
        states = {(g, x): 3 * i + g for g in range(3) for i, x in enumerate("ab")}
        rows = {x: [states[turning[x][g], x] for i in range(2) for g in range(3)] for x in "ab"}
        machine = machine_of(Automaton(rows, 0, frozenset()), True)
        layer = single_layers.over_a_group(machine, {"a": (1, 2, 0), "b": (0, 1, 2)})
        proof.exactly("over_a_group", *said(layer, machine))
    for k in proof.tied("the order in which three letters and two came last, and no other: 16 states and 5", (3, 2)):
        orders = [p for j in range(k + 1) for p in orders_of(range(k), j)]
        rows = {"abc"[x]: [orders.index((*(y for y in p if y != x), x)) for p in orders] for x in range(k)}
        machine = machine_of(Automaton(rows, 0, frozenset()), True)
        layer = single_layers.over_a_group(machine, dict.fromkeys("abc"[:k], (0,)))
        proof.exactly("over_a_group: of one element, by the order", *said(layer, machine))
    machine = machine_of(Automaton(table, 0, frozenset()), True)
    bad: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [(single_layers.counts, (machine, m)) for m in (0, -1, -13)]
    bad += [(single_layers.window_and_clock, (machine, *sizes)) for sizes in ((0, 1), (1, 0), (-3, 2), (2, -3))]
    hold_refusals(proof, "no modulus, window or period", bad)
