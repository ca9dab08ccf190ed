"""Where automata come from: automata-lib's DFA, a regular expression, generators of a permutation group."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from automata.base.exceptions import AutomatonException, RegexException
from automata.fa.dfa import DFA
from automata.fa.nfa import NFA

from .automaton import Automaton

#: groups larger than this are refused: their word problem has as many states
LARGEST_GROUP = 5000


def from_dfa(dfa: DFA) -> Automaton:
    """The automaton of a total ``automata.fa.dfa.DFA``; states keep their names, in sorted order of their text.

    Raises ``ValueError`` if some state has no transition for some letter, naming both.
    """
    names = sorted(dfa.states, key=str)
    index = {name: q for q, name in enumerate(names)}
    table = {}
    for letter in sorted(dfa.input_symbols):
        for name in names:
            if letter not in dfa.transitions[name]:
                raise ValueError(f"expected a transition for every letter, got none for the letter {letter!r} in state {name!r}")
        table[letter] = tuple(index[dfa.transitions[name][letter]] for name in names)
    return Automaton(table, index[dfa.initial_state], frozenset(index[name] for name in dfa.final_states), tuple(names))


def from_regex(text: str, alphabet: Iterable[str] | None = None) -> Automaton:
    """The minimal total automaton of a regular expression in automata-lib's syntax: ``| & * + ? ( )``, one character a letter.

    ``alphabet`` adds letters that the expression does not mention. Raises ``ValueError`` for a malformed expression, or if
    there is no letter at all.
    """
    try:
        nfa = NFA.from_regex(text, input_symbols=set(alphabet) | _letters(text) if alphabet is not None else None)
    except (AutomatonException, RegexException) as error:
        raise ValueError(f"expected a regular expression, got {text!r}: {error}") from None
    if not nfa.input_symbols:
        raise ValueError(f"expected a regular expression with at least one letter, got {text!r}; pass an alphabet")
    dfa = DFA.from_nfa(nfa, minify=True).to_complete()
    return _numbered(dfa)


def _letters(text: str) -> set[str]:
    return set(NFA.from_regex(text).input_symbols)


def _numbered(dfa: DFA) -> Automaton:
    """States numbered in order of discovery: their names in a computed automaton mean nothing."""
    automaton = from_dfa(dfa).reachable()
    return Automaton(automaton.table, automaton.start, automaton.accepting)


def from_json(text: str) -> Automaton:
    """The automaton of ``{"table": {letter: [next state, ...]}, "start": q, "accepting": [q, ...]}``, states 0 .. n-1.

    Raises ``ValueError`` for what is not JSON of this form.
    """
    try:
        data = json.loads(text)
        table = {str(letter): tuple(images) for letter, images in data["table"].items()}
        start, accepting = data.get("start", 0), frozenset(data.get("accepting", []))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(
            f"expected JSON with a table {{letter: [next states]}}, start and accepting, got {type(error).__name__}: {error}"
        ) from None
    if not isinstance(start, int) or not all(isinstance(q, int) for q in accepting):
        raise ValueError(f"expected start and accepting states as numbers, got {start!r} and {sorted(map(str, accepting))}")
    return Automaton(table, start, accepting)


def from_permutations(generators: Mapping[Hashable, Sequence[int]] | Sequence[Sequence[int]]) -> Automaton:
    """The word problem of the group that permutations of 0 .. n-1 generate: a state is the product of the letters read.

    The state after g is g applied after what came before: its name is the tuple of images. Letters are the keys, or 0, 1, ...
    Raises ``ValueError`` for no generators, what is no permutation, different degrees, or more than 5000 elements.
    """
    named = dict(generators) if isinstance(generators, Mapping) else dict(enumerate(generators))
    if not named:
        raise ValueError("expected at least one generator, got none")
    degree = len(next(iter(named.values())))
    for g in named.values():
        if degree == 0 or sorted(g) != list(range(degree)):
            raise ValueError(f"expected permutations of 0 .. n-1 of one degree n >= 1, got {list(g)}")
    elements: list[tuple[int, ...]] = [tuple(range(degree))]
    index = {elements[0]: 0}
    table: dict[Hashable, list[int]] = {x: [] for x in named}
    for element in elements:
        for x, g in named.items():
            after = tuple(g[i] for i in element)
            if after not in index:
                if len(elements) >= LARGEST_GROUP:
                    raise ValueError(f"expected a group of at most {LARGEST_GROUP} elements, got more")
                index[after] = len(elements)
                elements.append(after)
            table[x].append(index[after])
    return Automaton({x: tuple(images) for x, images in table.items()}, 0, frozenset({0}), tuple(elements))


def named_group(name: str) -> dict[str, tuple[int, ...]]:
    """Generators of S5, A5, Z60, D4 and their like: a letter (S, A, Z, D) and the degree, Z1 .. Z500, D3 .., S2 .., A3 ...

    S: the swap (0 1) and the cycle; A: the 3-cycles (0 1 k); Z: the cycle; D: rotation and flip of the polygon.
    """
    kind, digits = name[:1].upper(), name[1:]
    if kind not in "SAZD" or not digits.isdigit() or not {"S": 2, "A": 3, "Z": 1, "D": 3}[kind] <= int(digits) <= 500:
        raise ValueError(f"expected a group such as S5, A5, Z60 or D4, got {name!r}")
    n = int(digits)
    cycle = tuple((i + 1) % n for i in range(n))
    if kind == "S":
        return {"swap": (1, 0, *range(2, n)), "cycle": cycle}
    if kind == "A":
        return {f"(0 1 {k})": _three_cycle(n, k) for k in range(2, n)}
    return {"turn": cycle} if kind == "Z" else {"turn": cycle, "flip": tuple(-i % n for i in range(n))}


def _three_cycle(n: int, k: int) -> tuple[int, ...]:
    images: list[Any] = list(range(n))
    images[0], images[1], images[k] = 1, k, 0
    return tuple(images)
