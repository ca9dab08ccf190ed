"""The regular tasks on which state tracking is usually tested, as automata (Deletang et al. 2023; grazzi25, Sec. 5.1, App. E.1)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any

from .automaton import Automaton

State = Any


def parity() -> Automaton:
    """Whether the number of ones is odd; accepted if so."""
    return Automaton({"0": (0, 1), "1": (1, 0)}, 0, frozenset({1}), ("even", "odd"))


def even_pairs() -> Automaton:
    """Whether ab and ba together occur an even number of times, which is: the first and the last letter agree. The empty word is accepted."""
    return explored("", "ab", lambda q, x: (q or x)[0] + x, lambda q: q == "" or q[0] == q[-1])


def cycle_navigation(m: int = 5) -> Automaton:
    """The position on a cycle of m places after the moves "-", "0" and "+"; place 0 is accepted. Raises ``ValueError`` for m < 1."""
    if m < 1:
        raise ValueError(f"expected a cycle of m >= 1 places, got {m}")
    return explored(0, "-0+", lambda q, x: (q + "-0+".index(x) - 1) % m, lambda q: q == 0)


def modular_arithmetic(m: int = 5) -> Automaton:
    """The value modulo m of digits joined by "+", "-" and "*", without brackets; "*" binds more tightly.

    After a digit the state is (sum so far, product so far), its value their sum; after an operator what is to be done with the
    next digit. Words that are no expression, a sign at the beginning included, lead to the state "error". Expressions of value 0
    are accepted. Raises ``ValueError`` unless 2 <= m <= 10.
    """
    if not 2 <= m <= 10:
        raise ValueError(f"expected a modulus from 2 to 10, got {m}")
    digits = "0123456789"[:m]

    def step(q: State, x: str) -> State:
        if q == "error":
            return q
        complete, total, factor = q
        if x in digits:
            return "error" if complete else (True, total, factor * int(x) % m)
        if not complete:
            return "error"
        if x == "*":
            return False, total, factor
        return False, (total + factor) % m, 1 if x == "+" else m - 1

    return explored((False, 0, 1), digits + "+-*", step, lambda q: q != "error" and q[0] and (q[1] + q[2]) % m == 0)


#: what ``lemmata compile --task`` offers
TASKS: dict[str, Callable[[], Automaton]] = {
    "parity": parity,
    "even-pairs": even_pairs,
    "cycle-navigation": cycle_navigation,
    "modular-arithmetic": modular_arithmetic,
}


def explored(start: State, letters: Iterable[Hashable], step: Callable[[State, Any], State], accepts: Callable[[State], bool]) -> Automaton:
    """The automaton of the states that ``step`` reaches from ``start``; a state's name is the state."""
    states: list[State] = [start]
    number = {start: 0}
    table: dict[Hashable, list[int]] = {x: [] for x in letters}
    for q in states:
        for x, successors in table.items():
            after = step(q, x)
            if after not in number:
                number[after] = len(states)
                states.append(after)
            successors.append(number[after])
    accepting = frozenset(i for i, q in enumerate(states) if accepts(q))
    return Automaton({x: tuple(successors) for x, successors in table.items()}, 0, accepting, tuple(states))
