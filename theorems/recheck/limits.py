"""What a file may ask of the re-checker: sizes, which are seen before anything is computed, and work, which every operation declares beforehand.

Work is counted in elementary operations, each about a product of two 30-bit digits; no clock is read, so every machine accepts the same files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn


class Rejected(Exception):
    """A certificate does not prove what it says; the message says why, in one line of moderate length, whatever it quotes."""

    def __init__(self, why: str) -> None:
        super().__init__(" ".join(why[:300].split()) + ("..." if len(why) > 300 else ""))


def require(condition: object, why: str) -> None:
    if not condition:
        raise Rejected(why)


#: name -> (bound, what is counted). What ``verify --certificates`` and ``compile --out`` write needs a fifth of each at most, but of the work
#: three fifths and of the digits two thirds (a size for which a rate is computed has 675).
BOUNDS = {
    "bytes": (32 * 2**20, "bytes of a network"),
    "values": (3_000_000, "values of a network (commas and opening brackets)"),
    "claim bytes": (4 * 2**20, "bytes of certificates"),
    "claim values": (100_000, "values of certificates (commas and opening brackets)"),
    "depth": (50, "lists and objects inside one another"),
    "digits": (1_000, "digits of a number"),
    "natural": (10_000, "of what a natural number counts"),
    "work": (6 * 10**9, "elementary operations"),
    "bits": (2**30, "bits of integers at a time"),
}

#: a common factor of all bounds, from ``--limits``
times = 1


def bound(name: str) -> int:
    return BOUNDS[name][0] * times


def within(name: str, amount: int, what: str) -> None:
    """Rejected, in one line that says which limit it is and how to raise it, if ``amount`` is beyond the bound of this name."""
    if amount > bound(name):
        beyond(name, what)


def beyond(name: str, what: str) -> NoReturn:
    asks = {"work": "asks for too much work", "bits": "asks for too much memory"}.get(name, "is beyond a limit")
    raise Rejected(f"{asks}: {what}, more than {bound(name):,} {BOUNDS[name][1]}; recheck --limits {2 * times} doubles every limit")


def factor_of(text: str) -> int:
    """The number after ``--limits``."""
    require(re.fullmatch("[1-9][0-9]{0,3}", text, re.ASCII), f"expected --limits with a number from 1 to 9999, got {text[:40]!r}")
    return int(text)


@contextmanager
def raised(factor: int) -> Iterator[None]:
    """Every limit times ``factor``."""
    global times
    before, times = times, factor
    try:
        yield
    finally:
        times = before


# -- the meter -------------------------------------------------------------------------------------------------------------

#: what is left to spend on the file that is checked; None outside of :func:`metered`
_left = None


@contextmanager
def metered() -> Iterator[None]:
    """One budget of work for all that is done inside."""
    global _left
    before, _left = _left, bound("work")
    try:
        yield
    finally:
        _left = before


def charge(work: int, what: str = "arithmetic") -> None:
    """Before ``work`` operations are begun."""
    global _left
    if _left is not None:
        _left -= work
        if _left < 0:
            beyond("work", what)
