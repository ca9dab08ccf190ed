"""Where automata come from: automata-lib's DFAs and NFAs, a regular expression, permutation groups (``machine_files``: a JSON file)."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
from automata.fa.dfa import DFA
from automata.fa.nfa import NFA

from ....numerics.aliases import Key
from ..automaton import Automaton, brief, explored, is_integer
from .machines import completed, minimise
from .regular_expressions import automaton_of_expression

#: groups larger than this are refused: their word problem has as many states
LARGEST_GROUP = 10_000
#: groups larger than this are refused where every element is a letter
LARGEST_ALPHABET = 500
#: permutations move at most this many points
LARGEST_DEGREE = 500
#: nondeterministic automata with more states are refused
LARGEST_NFA = 1000


def from_dfa(dfa: DFA, complete: bool = False) -> Automaton:
    """The automaton of an ``automata.fa.dfa.DFA``; states keep their names, in sorted order of their text.

    ``complete`` adds a state "sink" for transitions that are missing. Raises ``ValueError`` if one is missing otherwise, naming letter and
    state, for letters of types that have no common order, and for what is no DFA.
    """
    if not isinstance(dfa, DFA):
        hint = ": use from_nfa" if isinstance(dfa, NFA) else ""
        raise ValueError(f"expected an automata.fa.dfa.DFA, got {brief(dfa)}{hint}")
    names = sorted(dfa.states, key=lambda name: (str(name), type(name).__name__))
    index = {name: q for q, name in enumerate(names)}
    partial = {x: [index.get(dfa.transitions[name].get(x)) for name in names] for x in _sorted_letters(dfa.input_symbols)}
    table, states, _ = completed(partial, names, None, complete)
    return Automaton(table, index[dfa.initial_state], frozenset(index[name] for name in dfa.final_states), states)


def from_nfa(nfa: NFA) -> Automaton:
    """The minimal total automaton of an ``automata.fa.nfa.NFA``, by subsets; states are numbered.

    Raises ``ValueError`` for what is no NFA, one of more than 1000 states, or one whose subsets are too many
    (``automaton.LARGEST_AUTOMATON``).
    """
    if not isinstance(nfa, NFA):
        raise ValueError(f"expected an automata.fa.nfa.NFA, got {brief(nfa)}")
    if len(nfa.states) > LARGEST_NFA:
        raise ValueError(f"expected a nondeterministic automaton of at most {LARGEST_NFA} states, got {len(nfa.states)}")
    letters = _sorted_letters(nfa.input_symbols)

    def closed(states: Iterable[Hashable]) -> frozenset[Hashable]:
        """With all that the empty word leads to."""
        found = dict.fromkeys(states)
        waiting = list(found)
        for q in waiting:
            new = [p for p in nfa.transitions.get(q, {}).get("", ()) if p not in found]
            found |= dict.fromkeys(new)
            waiting += new
        return frozenset(found)

    after = {(q, x): closed(moves.get(x, ())) for q, moves in nfa.transitions.items() for x in letters}
    nowhere: frozenset[Hashable] = frozenset()
    subsets = explored(
        closed([nfa.initial_state]),
        letters,
        lambda states, x: frozenset(chain.from_iterable(after.get((q, x), nowhere) for q in states)),
        lambda states: not states.isdisjoint(nfa.final_states),
    )
    return _numbered(minimise(subsets))


def from_regex(text: str, alphabet: Iterable[str] | None = None) -> Automaton:
    """The minimal total automaton of a regular expression, one character a letter; docs/reference/inputs.md has the syntax.

    ``|``, ``&``, juxtaposition, ``* + ? {m} {m,n} {m,}``, ``( )``, ``()`` for the empty word, ``.``, ``[a-z]``, ``[^a]``, and a backslash
    before an operator that is meant as a letter. ``alphabet`` lists all letters; by default they are those that the expression mentions.
    Raises ``ValueError`` for a malformed expression, with the place, or if there is no letter at all.
    """
    return _numbered(minimise(automaton_of_expression(text, alphabet)))


def _sorted_letters(letters: Iterable[Any]) -> list[Any]:
    kinds = sorted({type(x).__name__ for x in letters})
    if len(kinds) > 1:
        raise ValueError(f"expected letters of one type, got {' and '.join(kinds)}")
    return sorted(letters)


def _numbered(automaton: Automaton) -> Automaton:
    """Without names: those of a computed automaton mean nothing."""
    return Automaton(automaton.table, automaton.start, automaton.accepting)


# -- permutation groups -----------------------------------------------------------------------------------------------------

Permutation = tuple[int, ...]


def from_permutations(generators: Mapping[Key, Sequence[int]] | Sequence[Sequence[int]]) -> Automaton:
    """The word problem of the group that permutations of 0 .. n-1 generate: a state is the product of the letters read.

    The state after g is g applied after what came before: its name is the tuple of images. Letters are the keys, or 0, 1, ...
    Raises ``ValueError`` for no generators, what is no permutation, different degrees, or more than 10 000 elements.
    """
    named = permutations_of(generators)
    elements: list[Permutation] = [tuple(range(len(next(iter(named.values())))))]
    index = {elements[0]: 0}
    table: dict[Hashable, list[int]] = {x: [] for x in named}
    for element in elements:
        for x, g in named.items():
            after = tuple([g[i] for i in element])
            if after not in index:
                if len(elements) >= LARGEST_GROUP:
                    raise ValueError(f"expected a group of at most {LARGEST_GROUP} elements, got more")
                index[after] = len(elements)
                elements.append(after)
            table[x].append(index[after])
    return Automaton({x: tuple(images) for x, images in table.items()}, 0, frozenset({0}), tuple(elements))


def permutations_of(generators: Mapping[Key, Sequence[int]] | Sequence[Sequence[int]]) -> dict[Hashable, Permutation]:
    """The generators by letter, as tuples of images. Raises ``ValueError`` unless they are permutations of 0 .. n-1 of one degree."""
    if not isinstance(generators, Mapping | Sequence) or isinstance(generators, str):
        raise ValueError(f"expected permutations as lists of images, got {brief(generators)}")
    named = dict(generators) if isinstance(generators, Mapping) else dict(enumerate(generators))
    if not named:
        raise ValueError("expected at least one generator, got none")
    found: dict[Hashable, Permutation] = {}
    for x, g in named.items():
        images = list(g) if isinstance(g, Sequence | np.ndarray) and all(map(is_integer, g)) else []
        degree = len(next(iter(found.values()), images)) or 1
        if sorted(images) != list(range(degree)):
            raise ValueError(f"expected permutations of 0 .. n-1 of one degree n >= 1, got {brief(g)}")
        found[x] = tuple(map(int, images))
    return found


def from_cycles(text: str) -> dict[str, Permutation]:
    """Generators in cycle notation, one after the other with commas between: ``(0 1)(2 3), (0 1 2)``. A letter is its cycles' text.

    Raises ``ValueError`` for what is not of this form, a point twice in one permutation, a point above 499, or a generator twice.
    """
    written = [" ".join(part.split()) for part in text.split(",")]
    cycles: dict[str, list[list[int]]] = {}
    for part in written:
        if not re.fullmatch(r"\(\)|(\( ?[0-9]{1,9}( [0-9]{1,9})* ?\) ?)+", part):
            raise ValueError(f"expected permutations in cycle notation such as (0 1)(2 3), (0 1 2), got {part!r}")
        found = [[int(i) for i in cycle.split()] for cycle in re.findall(r"\(([^)]*)\)", part)]
        points = [i for cycle in found for i in cycle]
        if len(set(points)) < len(points) or max(points, default=0) >= LARGEST_DEGREE:
            raise ValueError(f"expected disjoint cycles of points 0 .. {LARGEST_DEGREE - 1}, got {part!r}")
        letter = "".join("(" + " ".join(map(str, cycle)) + ")" for cycle in found)
        if letter in cycles:
            raise ValueError(f"expected different generators, got {letter} twice")
        cycles[letter] = found
    degree = 1 + max((i for found in cycles.values() for cycle in found for i in cycle), default=0)
    return {letter: _product_of_cycles(degree, found) for letter, found in cycles.items()}


def all_elements(generators: Mapping[Key, Sequence[int]]) -> dict[str, Permutation]:
    """Every element of the group that permutations generate, as a letter that is called by its cycles: ``()``, ``(0 1)``, ...

    Raises ``ValueError`` as :func:`from_permutations` does, and for more than 500 elements.
    """
    found = from_permutations(generators)
    if found.n > LARGEST_ALPHABET:
        raise ValueError(f"expected a group of at most {LARGEST_ALPHABET} elements to have all of them as letters, got {found.n:,}")
    elements: list[Permutation] = [found.name(q) for q in range(found.n)]  # type: ignore[misc]
    return {_cycles_of(element): element for element in elements}


def _cycles_of(images: Permutation) -> str:
    """The cycles of a permutation, each from its least point; fixed points are left out."""
    cycles, seen = [], set()
    for i in range(len(images)):
        cycle = []
        while i not in seen:
            seen.add(i)
            cycle.append(i)
            i = images[i]
        if len(cycle) > 1:
            cycles.append("(" + " ".join(map(str, cycle)) + ")")
    return "".join(cycles) or "()"


def _product_of_cycles(degree: int, cycles: Iterable[Sequence[int]]) -> Permutation:
    images = list(range(degree))
    for cycle in cycles:
        for i, j in zip(cycle, [*cycle[1:], *cycle[:1]], strict=True):
            images[i] = j
    return tuple(images)


def named_group(name: str) -> dict[str, Permutation]:
    """Generators of S5, A5, C60 (or Z60), D4, Q8, M11, PSL(2,7), 16.7, and of products such as S3xC4 (or ``S3 × C4``), as permutations.

    S: the swap (0 1) and the cycle; A: the 3-cycles (0 1 k); C and Z: the cycle; D: rotation and flip of the polygon; Q8: i and j, on the
    8 quaternions; M11: two generators on 11 points; PSL(2,7): two generators on 7 points; 16.7: the seventh group of order 16
    (``small_groups``, all of order at most 31). A product acts on the points of its factors side by side; its letters are those of
    the factors, with the factor's name before them. Raises ``ValueError`` for other names, and more than 500 points.
    """
    factors = re.split("[x×]", re.sub(r"[\s(),]", "", name).lower()) if isinstance(name, str) else []
    groups = [_factor(factor) for factor in factors]
    if not groups or None in groups:
        raise ValueError(f"expected a group such as S5, A5, C60, D4, Q8, M11, PSL(2,7), 16.7 or a product such as S3xC4, got {brief(name)}")
    if len(groups) == 1:
        return groups[0]  # type: ignore[return-value]
    return _product([factor.upper() for factor in factors], groups)  # type: ignore[arg-type]


def _factor(name: str) -> dict[str, Permutation] | None:
    single = {
        "q8": {"i": ((0, 1, 2, 3), (4, 5, 6, 7)), "j": ((0, 4, 2, 6), (1, 7, 3, 5))},
        "m11": {"11-cycle": (tuple(range(11)),), "4-cycles": ((2, 6, 10, 7), (3, 9, 4, 5))},
        "psl27": {"7-cycle": (tuple(range(7)),), "swaps": ((1, 2), (3, 6))},
    }
    if name in single:
        return {x: _product_of_cycles({"q8": 8, "m11": 11, "psl27": 7}[name], cycles) for x, cycles in single[name].items()}
    if small := re.fullmatch(r"([0-9]{1,2})\.([0-9]{1,2})", name):
        from .small_groups import small_group

        return small_group(int(small[1]), int(small[2]))
    families: dict[str, tuple[int, Callable[[int], dict[str, Permutation]]]] = {
        "s": (2, lambda n: {"swap": _product_of_cycles(n, [(0, 1)]), "cycle": _cycle(n)}),
        "a": (3, lambda n: {f"(0 1 {k})": _product_of_cycles(n, [(0, 1, k)]) for k in range(2, n)}),
        "z": (1, lambda n: {"turn": _cycle(n)}),
        "c": (1, lambda n: {"turn": _cycle(n)}),
        "d": (3, lambda n: {"turn": _cycle(n), "flip": tuple(-i % n for i in range(n))}),
    }
    matched = re.fullmatch("([sazcd])([0-9]{1,3})", name)
    if not matched:
        return None
    least, generators = families[matched[1]]
    n = int(matched[2])
    return generators(n) if least <= n <= LARGEST_DEGREE else None


def _cycle(n: int) -> Permutation:
    return _product_of_cycles(n, [range(n)])


def _product(names: Sequence[str], groups: Sequence[Mapping[str, Permutation]]) -> dict[str, Permutation]:
    """The direct product on the points of all factors, side by side; factors of one name are numbered."""
    degrees = [len(next(iter(group.values()))) for group in groups]
    total = sum(degrees)
    if total > LARGEST_DEGREE:
        raise ValueError(f"expected a product of groups on at most {LARGEST_DEGREE} points, got {total}")
    found, first = {}, 0
    for k, (name, group, degree) in enumerate(zip(names, groups, degrees, strict=True), start=1):
        label = name if names.count(name) == 1 else f"{name}.{k}"
        for letter, g in group.items():
            found[f"{label} {letter}"] = (*range(first), *(first + i for i in g), *range(first + degree, total))
        first += degree
    return found
