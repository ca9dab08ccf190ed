"""What the data of a certificate must look like: exact keys, canonical numbers, sizes. A claim declares it beside its demand; all of it is checked before any arithmetic.

A schema is a small object with ``check(x, what)``, which raises Rejected, and ``describe()``, the words of docs/reference/certificates.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from .exact import Rejected, require
from .grammar import NUMBER, expect, is_lowest, items, keys, shown
from .typed import Schema, Size


class Natural:
    """A JSON integer from ``low`` to ``high``."""

    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high

    def check(self, x: Any, what: str) -> None:
        if type(x) is not int or not self.low <= x <= self.high:
            expect(what, f"an integer from {self.low} to {self.high}", shown(x))

    def describe(self) -> str:
        return f"integer, {self.low} to {self.high}" if self.low < self.high else f"{self.low}"


class Rational:
    """A number as text, in lowest terms and without other spellings: "-3/4", "2", "0"; of at most ``longest`` characters."""

    def __init__(self, longest: int) -> None:
        self.longest = longest

    def check(self, x: Any, what: str) -> None:
        if type(x) is not str or len(x) > self.longest or not NUMBER.fullmatch(x):
            expect(what, f"a number such as '-3/4', as text of at most {self.longest} characters", shown(x))
        if not is_lowest(x):
            expect(what, "a fraction in lowest terms", shown(x))

    def describe(self) -> str:
        return f"number, {self.longest} characters at most"


class Text:
    """One of the ``choices``."""

    def __init__(self, *choices: str) -> None:
        self.choices = choices

    def check(self, x: Any, what: str) -> None:
        if type(x) is not str or x not in self.choices:
            expect(what, f"one of {', '.join(map(repr, self.choices[:6]))}", shown(x))

    def describe(self) -> str:
        return " or ".join(f"`{c}`" for c in self.choices) if len(self.choices) <= 6 else f"one of {len(self.choices)} names"


class Words:
    """Text in an ``alphabet``, of at most ``longest`` characters."""

    def __init__(self, alphabet: Iterable[str], longest: int) -> None:
        self.alphabet, self.longest = frozenset(alphabet), longest

    def check(self, x: Any, what: str) -> None:
        if type(x) is not str or len(x) > self.longest or not self.alphabet.issuperset(x):
            expect(what, f"text of at most {self.longest} characters among {''.join(sorted(self.alphabet))!r}", shown(x))

    def describe(self) -> str:
        return f"text over `{''.join(sorted(self.alphabet))}`, {self.longest} characters at most"


class Truth:
    """true or false, or the ``only`` one of them."""

    def __init__(self, only: bool | None = None) -> None:
        self.only = only

    def check(self, x: Any, what: str) -> None:
        if type(x) is not bool or self.only not in (None, x):
            expect(what, self.describe(), shown(x))

    def describe(self) -> str:
        return "true or false" if self.only is None else str(self.only).lower()


class Items:
    """A list of ``low`` to ``high`` things of one kind."""

    def __init__(self, of: Schema, low: int, high: int) -> None:
        self.of, self.low, self.high = of, low, high

    def check(self, x: Any, what: str) -> None:
        if len(items(x, what)) < self.low or len(x) > self.high:
            expect(what, f"a list of {self.low} to {self.high}", f"one of {len(x)}")
        for y in x:
            self.of.check(y, what)

    def describe(self) -> str:
        return f"list of {_range(self.low, self.high)}: {self.of.describe()}"


class Tuple:
    """A list of things of given kinds."""

    def __init__(self, *of: Schema) -> None:
        self.of = of

    def check(self, x: Any, what: str) -> None:
        for schema, y in zip(self.of, items(x, what, length=len(self.of)), strict=True):
            schema.check(y, what)

    def describe(self) -> str:
        return f"[{'; '.join(schema.describe() for schema in self.of)}]"


class Fields:
    """An object with exactly these keys; those under ``optional`` may be missing."""

    def __init__(self, optional: Mapping[str, Schema] | None = None, **of: Schema) -> None:
        self.of, self.optional = of, optional or {}

    def check(self, x: Any, what: str) -> None:
        keys(x, tuple(self.of), what, optional=tuple(self.optional))
        for name, y in x.items():
            (self.of.get(name) or self.optional[name]).check(y, name if what == "data" else f"{what}, {name}")

    def describe(self) -> str:
        parts = [f"`{name}` {schema.describe()}" for name, schema in self.of.items()]
        parts += [f"`{name}` (optional) {schema.describe()}" for name, schema in self.optional.items()]
        return "{" + ", ".join(parts) + "}"


class Table:
    """An object whose keys are text of one schema, with values of another."""

    def __init__(self, keys: Schema, of: Schema, low: int, high: int) -> None:
        self.keys, self.of, self.low, self.high = keys, of, low, high

    def check(self, x: Any, what: str) -> None:
        require(isinstance(x, dict), f"{what}: expected an object, got {shown(x)}")
        if not self.low <= len(x) <= self.high:
            expect(what, f"an object of {self.low} to {self.high} keys", f"one of {len(x)}")
        for name, y in x.items():
            self.keys.check(name, f"a key of {what}")
            self.of.check(y, what)

    def describe(self) -> str:
        return f"object of {_range(self.low, self.high)}: {self.keys.describe()} to {self.of.describe()}"


class Either:
    """What fits one of several schemas."""

    def __init__(self, *of: Schema) -> None:
        self.of = of

    def check(self, x: Any, what: str) -> Any:
        for schema in self.of[:-1]:
            try:
                return schema.check(x, what)
            except Rejected:
                pass
        return self.of[-1].check(x, what)

    def describe(self) -> str:
        return " or ".join(schema.describe() for schema in self.of)


class Null:
    """null."""

    def check(self, x: Any, what: str) -> None:
        if x is not None:
            expect(what, "null", shown(x))

    def describe(self) -> str:
        return "null"


class Vector(Items):
    """A list of numbers; ``length`` is a size or a range (low, high)."""

    def __init__(self, length: Size, longest: int) -> None:
        super().__init__(Rational(longest), *_bounds(length))


class Matrix(Items):
    """A list of rows of numbers, of sizes or ranges (low, high). That it is rectangular, the demand sees."""

    def __init__(self, rows: Size, columns: Size, longest: int) -> None:
        super().__init__(Vector(columns, longest), *_bounds(rows))


def _bounds(size: Size) -> tuple[int, int]:
    return size if isinstance(size, tuple) else (size, size)


def _range(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"


def parsed(x: Any) -> Any:
    """The data with each number as a Fraction, frozen: two spellings of one thing are the same."""
    if isinstance(x, dict):
        return tuple(sorted((k, parsed(v)) for k, v in x.items()))
    if isinstance(x, list | tuple):
        return tuple([parsed(v) for v in x])
    if isinstance(x, bool) or x is None:
        return x
    if isinstance(x, int):
        return Fraction(x)
    if isinstance(x, str) and NUMBER.fullmatch(x):
        above, _, below = x.partition("/")
        return Fraction(int(above), int(below or 1))
    return x
