"""Answers of the deciders, row by row: names, words and numbers of witnesses replayed by the automaton, potentials of components, expressions by lists of words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import product
from random import Random
from typing import Any

import numpy as np

from .....constructions.automata.automaton import Automaton
from .....constructions.automata.choose.ways import choose
from .....constructions.automata.read.sources import from_regex
from .....constructions.languages import c_rasp
from .....constructions.languages.language import language_of
from .....constructions.languages.machine import Machine
from .....constructions.languages.properties import decided
from .....constructions.languages.witness import Witness
from ....claim import tie
from ....evidence import Proof
from .. import hold_refusals


def machines() -> list[Automaton]:
    """Steps down, a late state, a window of two letters, three states that are permuted, a circle, tables that were drawn."""
    rng = Random(401)
    tables = [
        {"d": [0, 0, 1, 2]},
        {"d": [0, 0, 1, 2, 3], "e": [4] * 5},
        {"a": [1, 2, 2, 4, 4], "b": [3, 2, 2, 4, 4]},
        {"a": [1, 1, 3, 3], "b": [2, 2, 0, 0]},
        {"a": [1, 0, 2], "b": [1, 2, 0]},
        {"a": [1, 2, 3, 4, 5, 0]},
        {"a": [1, 2, 0, 3], "b": [0, 1, 3, 2]},
        {"a": [1, 1, 1, 0], "b": [2, 3, 2, 3]},
    ]
    tables += [
        {x: [rng.randrange(n) for _ in range(n)] for x in "abc"[:k]}
        for n, k in ((3, 2), (4, 2), (5, 1), (4, 3), (6, 2), (7, 1))
        for _ in range(2)
    ]
    return [Automaton(t, start, frozenset({0, n - 1})) for t in tables for n in [len(next(iter(t.values())))] for start in (0, n // 2)]


#: properties that claims decide
ASKED = (
    "last-letter",
    "length-and-last-letter",
    "definite",
    "quasi-definite",
    "late",
    "stutter-invariant",
    "order-of-last-occurrences",
    "cubed-letters",
    "counts-mod-m",
    "counts-mod-2",
    "c-rasp",
    "aperiodic",
    "efe-is-fe",
)

#: "{u}{a} {z}^j {v}": words, and how often each is read
FACTOR = re.compile(r"\{(\w+)\}(?:\^(j|i|\{m\}|\(\{p\} j(?: \+ 1)?\)))?")


@tie("new.automata.margin.late")
def witnesses_by_words(proof: Proof) -> None:
    """Each no has the name of its property, and words and numbers for which the automaton answers as it says; powers from 1 to 4."""
    for automaton in proof.tied("40 machines of up to 7 states, 13 properties", machines()):
        language = language_of(automaton)
        for name in ASKED:
            found = decided(language, name)
            if not isinstance(found, Witness):
                continue
            words = {k: list(w) for k, w in found.words.items()}
            proof.exactly(
                "decided: its name, and letters of the automaton",
                (found.refutes, {x for word in words.values() for x in word} <= {*automaton.table}),
                (name, True),
            )
            said = re.match(
                r"(?:.* act idempotently, and )?(.*?)(?:, of .*,)?(?: and | is answered differently from )(.*?)(?:,| are| for)", found.says
            )
            if name == "aperiodic":
                row = [_answer(automaton, words["u"] + words["w"] * i + words["v"]) for i in range(1, 50)]
                periods = [d for d in range(1, 10) if row[20 : 20 + 2 * d] == row[20 + d : 20 + 3 * d] and row[10:-d] == row[10 + d :]]
                proof.exactly("aperiodic: its period", min(periods), found.numbers["p"])
            elif name == "c-rasp":
                q = _after(automaton, 0, words["u"], start=True)
                there = _after(automaton, q, words["x"])
                proof.exactly("c-rasp: away and back", _alike(automaton, _after(automaton, there, words["y"]), q), True)
            elif said and "differently" in found.says:
                for i in range(1, 5):
                    one, two = (
                        _answer(automaton, [x for k, times in FACTOR.findall(text) for x in words[k] * _times(times, i, found.numbers)])
                        for text in said.groups()
                    )
                    proof.exactly(f"{name}: answered differently", one != two, True)


def _times(written: str, i: int, numbers: Mapping[str, int]) -> int:
    if written == "{m}":
        return numbers["m"]
    return 1 if not written else i if written in "ij" else numbers["p"] * i + written.count("+ 1")


def _after(automaton: Automaton, q: int, word: Sequence[Any], start: bool = False) -> int:
    q = automaton.start if start else q
    for x in word:
        q = automaton.table[x][q]
    return q


def _answer(automaton: Automaton, word: Sequence[Any]) -> bool:
    return _after(automaton, 0, word, start=True) in automaton.accepting


def _alike(automaton: Automaton, p: int, q: int) -> bool:
    """Whether no word of 1 to 8 letters tells two states apart."""
    pairs = {(row[p], row[q]) for row in automaton.table.values()}
    for _ in range(8):
        if any((a in automaton.accepting) != (b in automaton.accepting) for a, b in pairs):
            return False
        pairs = {(row[a], row[b]) for a, b in pairs for row in automaton.table.values()}
    return True


@tie("new.automata.one-layer.norm.converse")
def potentials_of_components(proof: Proof) -> None:
    """States of components by potentials, whether all states answer or some are free: circles, circles with a mark, chains there and back; up to 13 states."""
    for n in proof.tied("13 states to 2", (13, 8, 5, 3, 2)):
        turn = [(q + 1) % n for q in range(n)]
        up, down = [min(q + 1, n) for q in range(n)] + [n], [max(q - 1, -1) % (n + 1) for q in range(n)] + [n]
        cases: list[tuple[list[list[int]], int, list[int]]] = [
            # a circle with one letter has no potentials, since n times its step is 0
            ([turn], n, [0] * n),
            # there and back, and out at the ends: the letter up climbs by 1, the other by -1
            ([[*up[: n - 1], n, n], down], n, list(range(n))),
            # the first edge has a letter of its own: then it falls by n - 1 where the others climb by 1
            ([[n, *turn[1:], n], [turn[0], *[n] * n]], n, list(range(n))),
        ]
        for delta, count, wanted in cases:
            for answers in ([0] * (n + 1), [-1] * (n + 1), list(range(-1, n))):
                rows = np.array([row if len(row) == n + 1 else [*row, n] for row in delta])
                machine = Machine(tuple("ab"[: len(delta)]), rows, np.array(answers))
                proof.exactly("separated", c_rasp.separated(machine, list(range(count))), wanted)


@tie("grazzi25.sec1.regular")
def expressions_by_words(proof: Proof) -> None:
    """Expressions of which two parts may read the next letter, against Python's on all words of up to 6 letters; names of constructions that do not exist."""
    texts = [
        "a?a*",
        "(ab)?(ab)*",
        "a*a*",
        "(a|b)?(a|b)*b",
        "a?a?a?",
        "(a?b?)*a",
        "a*(a|b)?a*",
        "(a|ab)(b|())b*",
        "(a*b)?(a*b)*",
        "a{2,4}a?",
        "((a|())(a|()))*b",
    ]
    words = ["".join(w) for k in range(7) for w in product("ab", repeat=k)]
    for text in proof.tied("11 expressions", texts):
        automaton = from_regex(text, "ab")
        found = []
        for word in words:
            q = automaton.start
            for x in word:
                q = automaton.table[x][q]
            found.append(q in automaton.accepting)
        proof.exactly("from_regex", found, [re.fullmatch(text, word) is not None for word in words])
    two = Automaton({"a": [1, 0]}, 0, frozenset({0}))
    hold_refusals(proof, "names that do not exist", [(choose, (two, "nothing")), (choose, (two, "best", "nothing"))])
