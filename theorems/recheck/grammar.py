"""The shape of JSON data, checked before anything is computed: keys, lists, names, indices, numbers (docs/reference/formats.md)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import gcd
from typing import Any

from .exact import Rejected

#: characters of a number
LONGEST_NUMBER = 1000

#: 0, or digits that do not begin with 0, with a minus or without, with a denominator or without
NUMBER = re.compile(r"0|-?[1-9][0-9]*(/[1-9][0-9]*)?", re.ASCII)

SURROGATE = re.compile("[\ud800-\udfff]")


def shown(x: Any) -> str:
    """A short text for a message, however large ``x`` is."""
    if isinstance(x, str):
        return repr(x if len(x) <= 40 else x[:40] + "...")
    if isinstance(x, list | dict):
        return f"{'a list' if isinstance(x, list) else 'an object'} of {len(x)}"
    return repr(x) if x is None or isinstance(x, bool) or abs(x) < 10**40 else "a long integer"


def expect(what: str, expected: str, got: object) -> None:
    raise Rejected(f"{what}: expected {expected}, got {got}")


def keys(x: dict[str, Any], names: tuple[str, ...], what: str, optional: tuple[Any, ...] = ()) -> None:
    """An object with exactly these keys, and perhaps the optional ones."""
    if not isinstance(x, dict):
        expect(what, "an object", shown(x))
    for name in names:
        if name not in x:
            expect(what, f"the key {name!r}", "none")
    for name in x:
        if name not in names and name not in optional:
            expect(what, f"no keys but {', '.join([*names, *optional])}", shown(name))


def items(x: Any, what: str, least: int = 0, length: int | None = None) -> list[Any]:
    """A list with so many items at least, or of a given length."""
    if not isinstance(x, list):
        expect(what, "a list", shown(x))
    if len(x) < least or (length is not None and len(x) != length):
        expect(what, f"a list of {least or length}{' or more' if least else ''}", len(x))
    return x


def texts(x: Any, what: str, least: int = 0, length: int | None = None, differ: bool = True) -> list[str]:
    """A list of texts without lone surrogates, no two alike unless they may be."""
    for name in items(x, what, least, length):
        if not isinstance(name, str) or SURROGATE.search(name):
            expect(what, "text in Unicode", shown(name))
    if differ and len(set(x)) != len(x):
        expect(what, "names that differ", "two alike")
    return x


def index(x: int, below: int, what: str) -> None:
    if type(x) is not int or not 0 <= x < below:
        expect(what, f"an index below {below}", shown(x))


def indices(x: Sequence[int], below: int, what: str, length: int | None = None) -> None:
    for i in items(x, what, length=length):
        index(i, below, what)


def is_lowest(x: str) -> bool:
    """A number of the grammar in lowest terms, without a denominator of 1."""
    above, slash, below = x.partition("/")
    return not slash or (below != "1" and gcd(int(above), int(below)) == 1)


class Numbers:
    """Checks numbers, each text once. ``degree`` is that of the field.

    ``canonical`` leaves one spelling to each number, as certificates do: lowest terms, a rational number as text, no zeros at the end of a list.
    """

    def __init__(self, degree: int, canonical: bool = False) -> None:
        self.degree, self.canonical, self.known = degree, canonical, set()
        #: no element so far was a list
        self.all_rational = True

    def rational(self, x: Any, what: str) -> None:
        if type(x) is str:
            if x not in self.known:
                if len(x) > LONGEST_NUMBER:
                    expect(what, f"a number of at most {LONGEST_NUMBER} characters", f"one of {len(x)}")
                if not NUMBER.fullmatch(x):
                    expect(what, "an exact number such as -3/4", shown(x))
                if self.canonical and not is_lowest(x):
                    expect(what, "a fraction in lowest terms", shown(x))
                self.known.add(x)
        else:
            expect(what, "an exact number such as '-3/4', as text", shown(x))

    def element(self, x: Any, what: str) -> None:
        """A number, or the list of its coefficients in 1, zeta, zeta^2, ..."""
        if type(x) is not list:
            self.rational(x, what)
            return
        if len(x) > self.degree:
            expect(what, f"an element of the field, at most {self.degree} coefficients", len(x))
        for c in x:
            self.rational(c, what)
        self.all_rational = False
        if self.canonical and (len(x) < 2 or x[-1] == "0"):
            expect(what, "the coefficients of a number that is not rational, the last of them not 0", shown(x))

    def matrix(self, x: Sequence[Sequence[Any]], rows: int, columns: int, what: str) -> None:
        known = self.known
        for row in items(x, what, length=rows):
            if type(row) is not list or len(row) != columns:
                items(row, what, length=columns)
            for entry in row:
                if type(entry) is not str or entry not in known:
                    self.element(entry, what)
