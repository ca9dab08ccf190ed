"""The regular tasks on which state tracking is usually tested, as automata (Deletang et al. 2023; grazzi25, Sec. 5.1, App. E.1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .automaton import Automaton, explored

State = Any


def parity() -> Automaton:
    """Whether the number of ones is odd; accepted if so."""
    return Automaton({"0": (0, 1), "1": (1, 0)}, 0, frozenset({1}), ("even", "odd"))


def even_pairs() -> Automaton:
    """Whether ab and ba together occur an even number of times, which is: the first and the last letter agree. The empty word is accepted."""
    return explored("", "ab", lambda q, x: (q or x)[0] + x, lambda q: q == "" or q[0] == q[-1])


def cycle_navigation(m: int = 5) -> Automaton:
    """The position on a cycle of m places after the moves "-", "0" and "+", which is the output; place 0 is accepted.

    Raises ``ValueError`` for m < 1.
    """
    if m < 1:
        raise ValueError(f"expected a cycle of m >= 1 places, got {m}")
    return explored(0, "-0+", lambda q, x: (q + "-0+".index(x) - 1) % m, lambda q: q == 0, lambda q: q)


def modular_arithmetic(m: int = 5) -> Automaton:
    """The value modulo m of digits joined by "+", "-" and "*", without brackets; "*" binds more tightly.

    The output is the value after a digit, "incomplete" at the start and after an operator, and "error" for ever after what is no
    expression, a sign at the beginning included. Expressions of value 0 are accepted. A state is (complete, sum so far, product so
    far), or "error". Raises ``ValueError`` unless 2 <= m <= 10.
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

    def value(q: State) -> int | str:
        if q == "error":
            return q
        complete, total, factor = q
        return (total + factor) % m if complete else "incomplete"

    return explored((False, 0, 1), digits + "+-*", step, lambda q: value(q) == 0, value)


#: what ``lemmata compile --task`` offers
TASKS: dict[str, Callable[[], Automaton]] = {
    "parity": parity,
    "even-pairs": even_pairs,
    "cycle-navigation": cycle_navigation,
    "modular-arithmetic": modular_arithmetic,
}
