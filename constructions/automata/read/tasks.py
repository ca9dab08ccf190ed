"""The regular tasks on which state tracking is usually tested, as automata (Deletang et al. 2023; grazzi25, Sec. 5.1, App. E.1), and the languages of Tomita (1982)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ..automaton import Automaton, explored

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


def tomita(number: int) -> Automaton:
    """The ``number``-th language of Tomita, 1 to 7, over 0 and 1.

    1: only ones. 2: (10)*. 3: no odd block of ones with an odd block of zeros somewhere after it. 4: no 000. 5: evenly many zeros and evenly many
    ones. 6: as many zeros as ones modulo 3. 7: 0*1*0*1*.

    Raises ``ValueError`` for another number. Source: M. Tomita, Dynamic construction of finite automata from examples using hill-climbing, 1982;
    the third as Weiss, Goldberg and Yahav (2018) write it.
    """
    if number not in range(1, 8):
        raise ValueError(f"expected a language of Tomita from 1 to 7, got {number}")

    def blocks(q: State, x: str) -> State:
        # (an odd block of ones is complete, last letter, parity of the block); None once an odd block of zeros came after it
        if q is None:
            return None
        seen, last, odd = q
        if x == last:
            return seen, last, not odd
        if last == "0" and seen and odd:
            return None
        return seen or (last == "1" and odd), x, True

    start, step, accepts = {
        1: (True, lambda q, x: q and x == "1", lambda q: q),
        2: ("0", lambda q, x: x if q and x != q else "", lambda q: q == "0"),
        3: ((False, "", False), blocks, lambda q: q is not None and not (q[0] and q[1] == "0" and q[2])),
        4: (0, lambda q, x: 3 if q == 3 else q + 1 if x == "0" else 0, lambda q: q < 3),
        5: ((0, 0), lambda q, x: (q[0] ^ (x == "0"), q[1] ^ (x == "1")), lambda q: q == (0, 0)),
        6: (0, lambda q, x: (q + (1 if x == "0" else -1)) % 3, lambda q: q == 0),
        7: (0, lambda q, x: q if q == 4 or int(x) == q % 2 else q + 1, lambda q: q < 4),
    }[number]
    return explored(start, "01", step, accepts)


#: what ``lemmata compile --task`` offers
TASKS: dict[str, Callable[[], Automaton]] = {
    "parity": parity,
    "even-pairs": even_pairs,
    "cycle-navigation": cycle_navigation,
    "modular-arithmetic": modular_arithmetic,
    **{f"tomita-{number}": partial(tomita, number) for number in range(1, 8)},
}
