"""Procedures of constructions/languages against their definitions on many machines: ``python tests/languages [SHARE]`` prints a table.

All machines of at most 3 states and 2 letters, with every set of accepting states; samples of 3 states and 3 letters, of 4 states, of 5 and 6. Of
machines of 7 to 30 states the witnesses alone are checked. SHARE divides the samples.
"""

import random
import sys
import time
from collections import Counter

from by_definition import DEFINITIONS, Semigroup, separates_all, tables
from lemmata.constructions.automata.automaton import Automaton
from lemmata.constructions.languages import PROPERTIES, Undecided, language_of
from lemmata.constructions.languages.properties import decided
from lemmata.constructions.languages.replay import Runner, replay


def compared(table, accepting, known, slow=True, most=3):
    """The answers of all properties, added to ``known``; asserts that they agree with the definitions, and that witnesses hold."""
    n = len(next(iter(table.values())))
    automaton = Automaton(table, 0, frozenset(accepting))
    language = language_of(automaton)
    semigroup = None
    if slow:
        try:
            semigroup = Semigroup(table, [q in accepting for q in range(n)])
        except OverflowError:
            known["too large for the definitions"] += 1
    for id in PROPERTIES:
        found = decided(language, id)
        if isinstance(found, Undecided):
            known[id, "not decided"] += 1
            continue
        if found is not None:
            assert replay(automaton, found), (id, table, accepting, found)
        if id in DEFINITIONS and semigroup is not None and (id != "counts-mod-m" or len(table) <= 2 or most <= 2):
            assert (found is None) == DEFINITIONS[id](semigroup), (id, table, accepting, found)
            known[id, "compared"] += 1
        elif id == "c-rasp" and semigroup is not None:
            assert (found is None) == separates_all(Runner(automaton)), (id, table, accepting, found)
            known[id, "compared"] += 1
        known[id, "yes" if found is None else "no"] += 1
    known["machines"] += 1


def sampled(rng, n, k):
    """A random table and a random set of accepting states; letters of several kinds, so that all classes are met."""
    kinds = [
        lambda: [rng.randrange(n) for _ in range(n)],
        lambda: rng.sample(range(n), n),
        lambda: [min(n - 1, q + rng.randrange(2)) for q in range(n)],
        lambda: [rng.randrange(n)] * n if rng.random() < 0.5 else list(range(n)),
        lambda: [q if rng.random() < 0.7 else rng.randrange(n) for q in range(n)],
    ]
    chosen = kinds if rng.random() < 0.5 else [rng.choice(kinds)]
    return {x: rng.choice(chosen)() for x in "abc"[:k]}, {q for q in range(n) if rng.random() < 0.5}


def main(share=1):
    print(f"{'machines':36} {'number':>7} {'compared':>9} {'yes':>8} {'no, replayed':>13} {'undecided':>10} {'seconds':>8}")
    total = Counter()

    def line(name, known, began):
        count = {
            word: sum(v for key, v in known.items() if isinstance(key, tuple) and key[1] == word)
            for word in ("compared", "yes", "no", "not decided")
        }
        print(
            f"{name:36} {known['machines']:7,} {count['compared']:9,} {count['yes']:8,} {count['no']:13,} {count['not decided']:10,} {time.time() - began:8.0f}",
            flush=True,
        )
        total.update(known)

    for n in (1, 2, 3):
        known, began = Counter(), time.time()
        for i, table in enumerate(tables(n, 2)):
            for accepting in range(2**n):
                if n < 3 or (37 * i + 11 * accepting) % share == 0:
                    compared(table, {q for q in range(n) if accepting >> q & 1}, known)
        line(f"{n} states, 2 letters", known, began)
    rng = random.Random(1)
    for name, n, k, count, slow in (
        ("3 states, 3 letters, sampled", (3, 3), 3, 4000, True),
        ("4 states, 2 letters, sampled", (4, 4), 2, 4000, True),
        ("5 and 6 states, 2 letters, sampled", (5, 6), 2, 800, True),
        ("7 to 30 states, witnesses alone", (7, 30), 3, 1000, False),
    ):
        known, began = Counter(), time.time()
        for _ in range(count // share):
            compared(*sampled(rng, rng.randint(*n), k), known, slow)
        line(name, known, began)
    print(f"\n{'property':28} {'yes':>8} {'no':>8} {'undecided':>10}")
    for id in PROPERTIES:
        print(f"{id:28} {total[id, 'yes']:8,} {total[id, 'no']:8,} {total[id, 'not decided']:10,}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
