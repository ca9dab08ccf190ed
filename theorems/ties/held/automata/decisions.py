"""Counts modulo m since last occurrences: decided as the definition says, by all pairs of states and sets of letters; the words of a no, read by the automaton."""

from __future__ import annotations

from random import Random
from typing import Any

from .....constructions.automata.automaton import Automaton
from .....constructions.languages.counts_since_last_occurrences import decide_modulo, decide_some, decide_two
from .....constructions.languages.language import language_of
from .....constructions.languages.witness import Witness
from ....claim import tie
from ....evidence import Proof
from ...shared import spread

Rows = dict[str, list[int]]


def end(rows: Rows, q: int, word: Any) -> int:
    for x in word:
        q = rows[x][q]
    return q


def act_alike(rows: Rows, accepting: set[int], one: str, two: str) -> bool:
    """Whether two words act alike, from every state, before all words that have their letters."""
    letters = frozenset(one + two)
    begin = [(end(rows, q, one), end(rows, q, two), frozenset[str]()) for q in range(len(rows["a"]))]
    met = spread(begin, lambda at: [(rows[x][at[0]], rows[x][at[1]], at[2] | ({x} & letters)) for x in rows])
    return all((p in accepting) == (q in accepting) for p, q, seen in met if seen == letters)


def has_counts(rows: Rows, accepting: set[int], m: int) -> bool:
    swapped = [(x + y, y + x) for x in rows for y in rows if x < y]
    # no letter of the empty word: x^m and nothing, before words with x
    return all(act_alike(rows, accepting, one, two) for one, two in [*swapped, *((x * m, "") for x in rows)])


def shows(rows: Rows, accepting: set[int], found: Witness) -> bool:
    """Whether the words of a witness show what it says."""
    w = {name: "".join(map(str, word)) for name, word in found.words.items()}
    said = lambda word: end(rows, 0, word) in accepting  # noqa: E731
    if "p" in found.numbers:
        return all(said(w["u"] + w["x"] + w["v"]) != said(w["u"] + w["x"] * (found.numbers["p"] * j + 1) + w["v"]) for j in range(1, 20))
    one, two = (w["x"] + w["y"], w["y"] + w["x"]) if "y" in w else (w["x"] * found.numbers["m"], "")
    return set(one + two) <= set(w["w"]) and said(w["u"] + one + w["w"] + w["v"]) != said(w["u"] + two + w["w"] + w["v"])


@tie("new.automata.one-layer.counts")
def counts_by_definition(proof: Proof) -> None:
    """Random machines of up to 9 states, and machines that count; every modulus up to 12 for some."""
    rng, machines, said = Random(614), [], {True: 0, False: 0}
    for n, k in [(n, k) for n in (1, 2, 3, 4, 5, 7, 9) for k in (1, 2, 3) for _ in range(4)]:
        rows = {"abc"[x]: [rng.randrange(n) for _ in range(n)] for x in range(k)}
        if rng.random() < 0.4:
            rows = {x: [(q + i) % n for q in range(n)] for i, x in enumerate(rows)}
        machines.append((rows, {q for q in range(n) if rng.random() < 0.5}))
    for rows, accepting in proof.tied("random machines and machines that count, of 1 to 9 states and 1 to 3 letters", machines):
        automaton = Automaton({x: tuple(row) for x, row in rows.items()}, 0, frozenset(accepting)).reachable()
        rows, accepting = {str(x): list(row) for x, row in automaton.table.items()}, set(automaton.accepting)
        language = language_of(automaton)
        by_modulus = {m: has_counts(rows, accepting, m) for m in range(1, 13)}
        asked = [(m, decide_modulo(language, m, "counts-mod-m"), "counts-mod-m") for m in (1, 2, 3, 7)]
        for m, found, property in [*asked, (2, decide_two(language), "counts-mod-2")]:
            proof.exactly("decide_modulo: whether it has the property", found is None, by_modulus[m])
            proof.exactly(
                "decide_modulo: the words",
                found is None or (found.refutes, shows(rows, accepting, found)),
                found is None or (property, True),
            )
        found = decide_some(language)
        said[found is None] += 1
        if found is None or "m" in found.numbers:
            proof.exactly("decide_some: for some modulus", found is None, any(by_modulus.values()))
        proof.exactly(
            "decide_some: the words",
            found is None or (found.refutes, shows(rows, accepting, found)),
            found is None or ("counts-mod-m", True),
        )
    for count in proof.tied("machines that have it, and that have not", said.values()):
        proof.holds("are some", count > 5)
