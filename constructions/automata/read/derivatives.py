"""Regular expressions as automata: a state is a set of terms, and a letter takes each term to its partial derivatives.

A term is an expression that the rest of the word may match (Antimirov 1996; an intersection is derived part by part, as Brzozowski does).
Sets are bit masks over the terms met so far. ``regular_expressions`` reads them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any

#: terms that are looked at, over all states and letters, before an expression is refused
LARGEST_WORK = 3_000_000


@dataclass(frozen=True, eq=False)
class Expression:
    """An expression; equal ones are one object, made by :class:`Terms`. ``nullable``: the empty word matches."""

    nullable: bool


@dataclass(frozen=True, eq=False)
class _Empty(Expression):
    """The empty word."""


@dataclass(frozen=True, eq=False)
class _Letter(Expression):
    """One letter of ``letters``, or one that is not in it if ``negated``."""

    letters: frozenset[str]
    negated: bool


@dataclass(frozen=True, eq=False)
class _Cat(Expression):
    head: Expression
    tail: Expression


@dataclass(frozen=True, eq=False)
class _Repeat(Expression):
    """``low`` to ``high`` copies, None for any number."""

    body: Expression
    low: int
    high: int | None


@dataclass(frozen=True, eq=False)
class _Any(Expression):
    """A union."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, eq=False)
class _All(Expression):
    """An intersection."""

    parts: tuple[Expression, ...]


@dataclass
class Terms:
    """Makes expressions, numbers the terms, and derives them; ``nullable`` is the mask of the terms that the empty word matches."""

    nullable: int = 0
    _known: dict[tuple, Expression] = field(default_factory=dict)
    _terms: list[Expression] = field(default_factory=list)
    _number: dict[Expression, int] = field(default_factory=dict)
    _derived: dict[tuple[Expression, Hashable], int] = field(default_factory=dict)
    _work: int = 0

    def _make(self, kind: type[Expression], nullable: bool, *content: Any) -> Any:
        return self._known.setdefault((kind, *content), kind(nullable, *content))

    def empty(self) -> Expression:
        return self._make(_Empty, True)

    def letter(self, letters: Iterable[str], negated: bool = False) -> Expression:
        return self._make(_Letter, False, frozenset(letters), negated)

    def cat(self, head: Expression, tail: Expression) -> Expression:
        if isinstance(head, _Empty):
            return tail
        return head if isinstance(tail, _Empty) else self._make(_Cat, head.nullable and tail.nullable, head, tail)

    def repeat(self, body: Expression, low: int, high: int | None) -> Expression:
        if high == 0 or isinstance(body, _Empty):
            return self.empty()
        if (low, high) == (1, 1) or (isinstance(body, _Repeat) and (body.low, body.high) == (0, None)):
            return body
        low = 0 if body.nullable else low
        return self._make(_Repeat, low == 0, body, low, high)

    def either(self, parts: Iterable[Expression]) -> Expression:
        parts = tuple(dict.fromkeys(parts))
        return parts[0] if len(parts) == 1 else self._make(_Any, any(p.nullable for p in parts), parts)

    def both(self, parts: Iterable[Expression]) -> Expression:
        parts = tuple(dict.fromkeys(parts))
        return parts[0] if len(parts) == 1 else self._make(_All, all(p.nullable for p in parts), parts)

    def mask(self, term: Expression) -> int:
        """The set of this one term."""
        number = self._number.setdefault(term, len(self._terms))
        if number == len(self._terms):
            self._terms.append(term)
            self.nullable |= term.nullable << number
        return 1 << number

    def members(self, mask: int) -> list[Expression]:
        """The terms of a set, in order of discovery."""
        found = []
        while mask:
            lowest = mask & -mask
            found.append(self._terms[lowest.bit_length() - 1])
            mask ^= lowest
            self._spend(1)
        return found

    def _spend(self, steps: int) -> None:
        self._work += steps
        if self._work > LARGEST_WORK:
            raise ValueError(f"expected a regular expression whose automaton is found in {LARGEST_WORK} steps, got one that takes more")

    def after(self, mask: int, x: str) -> int:
        """The set of terms after a letter."""
        found = 0
        for term in self.members(mask):
            found |= self.derive(term, x)
        return found

    def derive(self, term: Expression, x: str) -> int:
        """The partial derivatives of a term."""
        # along a chain of factors: after a nullable one the next one may begin; from the end, so that each link is derived once
        chain = [term]
        while isinstance(term, _Cat) and term.head.nullable and (term.tail, x) not in self._derived:
            term = term.tail
            chain.append(term)
        for link in reversed(chain):
            if (link, x) not in self._derived:
                self._derived[link, x] = self._derive(link, x)
        return self._derived[chain[0], x]

    def _derive(self, term: Expression, x: str) -> int:
        match term:
            case _Letter(letters=letters, negated=negated):
                return self.mask(self.empty()) if (x in letters) != negated else 0
            case _Cat(head=head, tail=tail):
                return self._followed(self.derive(head, x), tail) | (self.derive(tail, x) if head.nullable else 0)
            case _Repeat(body=body, low=low, high=high):
                rest = self.repeat(body, max(low - 1, 0), None if high is None else high - 1)
                return self._followed(self.derive(body, x), rest)
            case _Any(parts=parts):
                found = 0
                self._spend(len(parts))
                for part in parts:
                    found |= self.derive(part, x)
                return found
            case _All(parts=parts):
                masks = [self.derive(part, x) for part in parts]
                return self.mask(self.both(self.either(self.members(mask)) for mask in masks)) if all(masks) else 0
            case _:
                return 0

    def _followed(self, mask: int, tail: Expression) -> int:
        found = 0
        for term in self.members(mask):
            found |= self.mask(self.cat(term, tail))
        return found
